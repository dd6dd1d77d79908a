/* Memory of queries: a warm query allocates none, and every failed allocation is an error that leaves
 * everything usable. */
#include "query_questions.h"

/* Walls, areas, a few connections. */
static WmMesh *make_world(WmContext *context, uint32_t seed) {
  WmMesh *mesh = make_grid_world(context, 3, seed);
  for (size_t s = 0; s < 9; s++) {
    const WmMeshTile *tile = wm_mesh_tile(mesh, s);
    for (uint32_t p = 0; p < tile->polygon_count; p++) {
      if (grid_random(&seed) % 5 == 0) wm_mesh_set_polygon_flags(mesh, tile->ref + p, 2);
      if (grid_random(&seed) % 3 == 0)
        wm_mesh_set_polygon_area(mesh, tile->ref + p, (uint8_t)(grid_random(&seed) % 64));
    }
  }
  for (int i = 0; i < 6; i++) {
    WmConnection jump = wm_connection_default(mesh);
    for (int axis = 0; axis < 3; axis += 2) {
      jump.start[axis] = (float)(grid_random(&seed) % 240) * 0.1f;
      jump.end[axis] = (float)(grid_random(&seed) % 240) * 0.1f;
    }
    jump.bidirectional = i % 2 == 0;
    WmRef connection;
    CHECK_EQUAL_INT(wm_mesh_add_connection(mesh, &jump, &connection), WM_OK);
  }
  return mesh;
}

static void warm_questions_allocate_nothing(void) {
  Ration ration = {.until_failure = -1};
  const WmAllocator allocator = {allocate_rationed, release_rationed, &ration};
  WmContext *context = wm_context_create(&allocator);
  WmMesh *mesh = make_world(context, 31);
  static Asker asker;
  CHECK_EQUAL_INT(open_asker(&asker, context, mesh), WM_OK);
  for (int q = 0; q < QUESTION_COUNT; q++) {
    long allocations[2];
    const int answered = asker.answered;
    for (int round = 0; round < 2; round++) {
      const long before = ration.allocations;
      asker.seed = (uint32_t)q;
      for (int i = 0; i < 200; i++) CHECK_EQUAL_INT(QUESTIONS[q].ask(&asker), WM_OK);
      allocations[round] = ration.allocations - before;
    }
    if (allocations[1]) printf("%s: %ld allocations\n", QUESTIONS[q].name, allocations[1]);
    CHECK_EQUAL_INT(allocations[1], 0);
    CHECK(asker.answered > answered + 100);
  }
  close_asker(&asker);
  wm_mesh_destroy(mesh);
  wm_context_destroy(context);
  CHECK_EQUAL_INT(ration.in_use, 0);
}

/* Fails the n-th allocation, once or from then on, in each query, with a cold query object. */
static long sweep(Ration *ration, WmContext *context, const WmMesh *mesh, int question, bool once) {
  static Asker asker;
  long failures = 0;
  WmStatus status = WM_ERROR_OUT_OF_MEMORY;
  for (long n = 0; status && n < 200; n++) {
    CHECK_EQUAL_INT(open_asker(&asker, context, mesh), WM_OK);
    status = WM_OK;
    ration->until_failure = n;
    ration->once = once;
    for (uint32_t i = 0; i < 12 && !status; i++) {
      asker.seed = 100 + i;
      status = QUESTIONS[question].ask(&asker);
    }
    CHECK_EQUAL_INT(status, end_ration(ration));
    if (status) {
      failures++;
      CHECK_EQUAL_INT(wm_context_error(context)->status, WM_ERROR_OUT_OF_MEMORY);
    }
    for (uint32_t i = 0; i < 12; i++) {
      asker.seed = 100 + i;
      CHECK_EQUAL_INT(QUESTIONS[question].ask(&asker), WM_OK);
    }
    close_asker(&asker);
  }
  CHECK_EQUAL_INT(status, WM_OK);
  return failures;
}

static void every_question_survives_every_failed_allocation(void) {
  Ration ration = {.until_failure = -1};
  const WmAllocator allocator = {allocate_rationed, release_rationed, &ration};
  WmContext *context = wm_context_create(&allocator);
  WmMesh *mesh = make_world(context, 31);
  for (int q = 0; q < QUESTION_COUNT; q++) {
    const long in_use = ration.in_use;
    long failures = 0;
    for (int once = 0; once < 2; once++) failures += sweep(&ration, context, mesh, q, once == 1);
    CHECK_EQUAL_INT(ration.in_use, in_use);
    /* Points of single polygons and tiles need no memory. */
    if (q > 2) CHECK(failures > 0);
  }
  wm_mesh_destroy(mesh);
  wm_context_destroy(context);
  CHECK_EQUAL_INT(ration.in_use, 0);
}

static void making_the_objects_survives_failed_allocations(void) {
  Ration ration = {.until_failure = -1};
  const WmAllocator allocator = {allocate_rationed, release_rationed, &ration};
  WmContext *context = wm_context_create(&allocator);
  WmMesh *mesh = make_world(context, 5);
  const long in_use = ration.in_use;
  static Asker asker;
  WmStatus status = WM_ERROR_OUT_OF_MEMORY;
  int failures = 0;
  for (long n = 0; status && n < 100; n++) {
    ration.until_failure = n;
    status = open_asker(&asker, context, mesh);
    CHECK_EQUAL_INT(status, end_ration(&ration));
    if (!status) close_asker(&asker);
    if (status) failures++;
    CHECK_EQUAL_INT(ration.in_use, in_use);
  }
  CHECK_EQUAL_INT(status, WM_OK);
  CHECK(failures > 5);
  wm_mesh_destroy(mesh);
  wm_context_destroy(context);
}

int main(void) {
  RUN(warm_questions_allocate_nothing);
  RUN(every_question_survives_every_failed_allocation);
  RUN(making_the_objects_survives_failed_allocations);
  return check_finish();
}
