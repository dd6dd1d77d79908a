/* Saved crowds from outside: cut, altered and invented bytes are refused as corrupt, or give a crowd that is sound. */
#include "crowd/state/saved_crowd_internal.h"
#include "crowd_scenes.h"
#include "saved_crowds.h"

enum { HEAD_BYTES = sizeof(WmSavedCrowdHead) };

static void seal(SavedCrowd saved) {
  const uint64_t sum = wm_file_checksum(saved.bytes, saved.byte_count - 8);
  memcpy(saved.bytes + saved.byte_count - 8, &sum, sizeof sum);
}

/* A few agents of all kinds in a scene, with searches that run, obstacles, filters, requests. */
static SavedCrowd make_saved(TracedCrowd *traced, WmContext *context, const Scenario *scenario, int steps) {
  open_scene(traced, context, scenario, 0);
  traced_run(traced, steps, scenario->events, scenario->variety);
  return save_crowd(traced->crowd, context);
}

static const Scenario SMALL = {"small", make_mixed, 4, 6, ALL_KINDS, ALL_EVENTS, 60, false};
static const Scenario LANES = {"lanes", make_two_lanes, 5, 8, 7, TRACED_SETTINGS | TRACED_ORDERS, 60, false};

/* Reads bytes, and continues with the crowd. Returns true if they were accepted. */
static bool try_bytes(WmContext *context, const WmMesh *mesh, SavedCrowd saved) {
  WmCrowd *crowd;
  const WmStatus status = wm_crowd_read(context, saved.bytes, saved.byte_count, &mesh, 1, &crowd);
  if (status) {
    CHECK(status == WM_ERROR_CORRUPT || status == WM_ERROR_INVALID_ARGUMENT ||
          status == WM_ERROR_OUT_OF_MEMORY);
    CHECK(crowd == NULL);
    if (status == WM_ERROR_CORRUPT) CHECK(strcmp(wm_context_error(context)->field, "file") == 0);
    return false;
  }
  CHECK(wm_crowd_validate(crowd));
  for (int i = 0; i < 4; i++) {
    CHECK_EQUAL_INT(wm_crowd_step(crowd, 0.03f, NULL), WM_OK);
    CHECK(wm_crowd_validate(crowd));
  }
  WmCrowdView view;
  WmAgentInfo info;
  wm_crowd_view(crowd, &view);
  for (size_t i = 0; i < view.count; i++) {
    CHECK_EQUAL_INT(wm_crowd_info(crowd, view.agents[i], &info), WM_OK);
    trace_agent_details(crowd, view.agents[i], &info);
  }
  const SavedCrowd again = save_crowd(crowd, context);
  free(again.bytes);
  wm_crowd_destroy(crowd);
  return true;
}

static void cut_files_are_refused(void) {
  static TracedCrowd traced;
  WmContext *context = wm_context_create(NULL);
  const SavedCrowd saved = make_saved(&traced, context, &SMALL, 30);
  CHECK(try_bytes(context, traced.mesh, saved));
  for (size_t length = 0; length < saved.byte_count; length++) {
    SavedCrowd cut = {malloc(length ? length : 1), length};
    memcpy(cut.bytes, saved.bytes, length);
    CHECK(!try_bytes(context, traced.mesh, cut));
    if (length >= HEAD_BYTES + 8 && length % 8 == 0) { /* with size and checksum of a file of this length */
      const uint64_t told = length;
      memcpy(cut.bytes + offsetof(WmSavedCrowdHead, byte_count), &told, sizeof told);
      seal(cut);
      CHECK(!try_bytes(context, traced.mesh, cut));
    }
    free(cut.bytes);
  }
  free(saved.bytes);
  close_traced(&traced);
  wm_context_destroy(context);
}

/* Each byte is changed alone: to its neighbour, to zero, to all ones; all crowds that are accepted are stepped. */
static void each_changed_byte_is_refused_or_sound(void) {
  static TracedCrowd traced;
  const Scenario *scenes[2] = {&SMALL, &LANES};
  for (int s = 0; s < 2; s++) {
    WmContext *context = wm_context_create(NULL);
    const SavedCrowd saved = make_saved(&traced, context, scenes[s], 40);
    size_t taken = 0, refused = 0;
    for (size_t at = 0; at + 8 < saved.byte_count; at++) {
      const uint8_t before = saved.bytes[at], after[] = {(uint8_t)(before + 1), 0, 0xff, before ^ 0x80};
      for (size_t k = at % (size_t)check_rounds_divisor; k < sizeof after;
           k += (size_t)check_rounds_divisor) {
        saved.bytes[at] = after[k];
        seal(saved);
        const bool is_taken = try_bytes(context, traced.mesh, saved);
        taken += is_taken;
        refused += !is_taken;
      }
      saved.bytes[at] = before;
    }
    CHECK(taken > 500 && refused > 500);
    free(saved.bytes);
    close_traced(&traced);
    wm_context_destroy(context);
  }
}

/* Words at random places become numbers that mislead. */
static void altered_files_are_refused_or_sound(void) {
  static TracedCrowd traced;
  WmContext *context = wm_context_create(NULL);
  uint32_t random = 7;
  for (uint32_t seed = 1; seed <= 8; seed++) {
    char name[32];
    const Scenario scenario = invent_scenario(seed, name, sizeof name);
    const SavedCrowd saved = make_saved(&traced, context, &scenario, 20);
    SavedCrowd altered = {malloc(saved.byte_count), saved.byte_count};
    for (int i = 0; i < CHECK_ROUNDS(1500); i++) {
      memcpy(altered.bytes, saved.bytes, saved.byte_count);
      for (uint32_t k = grid_random(&random) % 3 + 1; k > 0; k--) {
        const size_t at = HEAD_BYTES + grid_random(&random) % (saved.byte_count - HEAD_BYTES - 4);
        const uint32_t words[] = {0,          1,          UINT32_MAX, 0x7f800000,
                                  0x7fc00000, 0x4b000000, 0x7f7fffff, grid_random(&random)};
        memcpy(altered.bytes + at, &words[grid_random(&random) % 8], 4);
      }
      seal(altered);
      try_bytes(context, traced.mesh, altered);
    }
    free(altered.bytes);
    free(saved.bytes);
    close_traced(&traced);
  }
  wm_context_destroy(context);
}

/* A crowd on a mesh that isn't its own: polygons are missing, or others. */
static void crowds_of_other_meshes_are_sound(void) {
  static TracedCrowd traced, other;
  WmContext *context = wm_context_create(NULL);
  size_t taken = 0;
  for (uint32_t seed = 1; seed <= 12; seed++) {
    char name[32];
    const Scenario scenario = invent_scenario(seed, name, sizeof name);
    const Scenario another = invent_scenario(seed + 5, name, sizeof name);
    const SavedCrowd saved = make_saved(&traced, context, &scenario, 30);
    open_scene(&other, context, &another, 0);
    taken += try_bytes(context, other.mesh, saved);
    free(saved.bytes);
    close_traced(&traced);
    close_traced(&other);
  }
  CHECK_EQUAL_INT(taken, 12);
  wm_context_destroy(context);
}

/* ---- Records that mislead ----------------------------------------------------------------------------- */

static uint64_t version_to_come(const WmCrowd *crowd) {
  return wm_mesh_version(wm_crowd_mesh(crowd, 0)->mesh) + 1;
}

/* Looks so far for neighbours that the numbers of cells overflow. */
static void look_too_far(WmCrowd *crowd) { crowd->records[0].neighbour_range = 1e18f; }

/* With one more change of the mesh nothing would be checked any more. */
static void check_ahead(WmCrowd *crowd) {
  for (size_t i = 0; i < crowd->count; i++) crowd->records[i].checked_version = version_to_come(crowd);
}

static void begin_to_check_ahead(WmCrowd *crowd) {
  for (size_t i = 0; i < crowd->count; i++) {
    crowd->records[i].checking_version = version_to_come(crowd);
    crowd->records[i].corridor.checked = 1;
  }
}

static void see_ahead(WmCrowd *crowd) { wm_crowd_mesh(crowd, 0)->seen_version = version_to_come(crowd); }

static void have_an_unknown_reason(WmCrowd *crowd) { crowd->records[0].partial_reason = 200; }

/* Makes an agent cross a connection that has a request nobody will answer: it would land and wait for ever. */
static void wait_for_no_answer(WmCrowd *crowd) {
  WmAgentRecord *record = &crowd->records[0];
  CHECK(record->order == WM_ORDER_TARGET);
  record->connection = record->polygon;
  record->needs_plan = true;
  record->queued = 0;
  record->request = crowd->request + 1;
  crowd->states[0] = WM_AGENT_ON_CONNECTION;
  crowd->reasons[0] = WM_AGENT_REASON_NONE;
}

static void records_that_mislead_are_refused(void) {
  static TracedCrowd traced;
  static void (*const CHANGES[])(WmCrowd *) = {
      look_too_far, check_ahead, begin_to_check_ahead, see_ahead, have_an_unknown_reason, wait_for_no_answer};
  WmContext *context = wm_context_create(NULL);
  const SavedCrowd saved = make_saved(&traced, context, &LANES, 40);
  const WmMesh *mesh = traced.mesh;
  for (size_t i = 0; i < sizeof CHANGES / sizeof *CHANGES; i++) {
    WmCrowd *crowd = load_crowd(context, saved, &mesh, 1);
    CHANGES[i](crowd);
    const SavedCrowd changed = save_crowd(crowd, context);
    wm_crowd_destroy(crowd);
    CHECK_EQUAL_INT(wm_crowd_read(context, changed.bytes, changed.byte_count, &mesh, 1, &crowd),
                    WM_ERROR_CORRUPT);
    free(changed.bytes);
  }
  free(saved.bytes);
  close_traced(&traced);
  wm_context_destroy(context);
}

/* The search of a mesh is for the request that an agent on another mesh makes next. */
static void a_search_for_an_agent_on_another_mesh_ends(void) {
  WmContext *context = wm_context_create(NULL);
  WmMesh *meshes[2] = {make_field(context, 2), make_field(context, 2)};
  WmCrowd *crowd = make_crowd(context, meshes[0]);
  uint32_t type;
  CHECK_EQUAL_INT(wm_crowd_add_mesh(crowd, meshes[1], &type), WM_OK);
  WmAgentParameters parameters = wm_agent_parameters_default();
  parameters.type = type;
  const WmAgent agent = add_agent(crowd, 2, 2, &parameters);
  send_to(crowd, agent, 12, 12);
  run_crowd(crowd, 2, 0.05f);
  wm_crowd_request_later(&crowd->records[0]);
  WmCrowdMesh *on = wm_crowd_mesh(crowd, 0);
  on->is_searching = true;
  on->searcher = agent;
  on->request = crowd->request + 1;
  const SavedCrowd saved = save_crowd(crowd, context);
  WmCrowd *loaded = load_crowd(context, saved, (const WmMesh *const *)meshes, 2);
  for (int i = 0; i < 100; i++) {
    CHECK_EQUAL_INT(wm_crowd_step(loaded, 0.05f, NULL), WM_OK);
    CHECK(wm_crowd_validate(loaded));
  }
  CHECK_EQUAL_INT(info_of(loaded, agent).state, WM_AGENT_ARRIVED);
  wm_crowd_destroy(loaded);
  free(saved.bytes);
  wm_crowd_destroy(crowd);
  for (int i = 0; i < 2; i++) wm_mesh_destroy(meshes[i]);
  wm_context_destroy(context);
}

/* A corner so far away that rounding would move the agent by many times its way. */
static void far_corners_move_no_agent_out_of_reach(void) {
  WmContext *context = wm_context_create(NULL);
  WmMesh *mesh = make_field(context, 2);
  WmCrowd *crowd = make_crowd(context, mesh);
  const WmAgent agent = add_agent(crowd, 2, 8, NULL);
  send_to(crowd, agent, 14, 8);
  run_crowd(crowd, 20, 0.05f);
  const float before = position_of(crowd, agent)[0];
  crowd->records[0].corners[0].point[0] = 1e9f;
  const SavedCrowd saved = save_crowd(crowd, context);
  const WmMesh *const known = mesh;
  WmCrowd *loaded = load_crowd(context, saved, &known, 1);
  CHECK_EQUAL_INT(wm_crowd_step(loaded, 0.05f, NULL), WM_OK);
  const float after = position_of(loaded, agent)[0];
  CHECK(fabsf(after - before) < 1);
  wm_crowd_destroy(loaded);
  free(saved.bytes);
  wm_crowd_destroy(crowd);
  wm_mesh_destroy(mesh);
  wm_context_destroy(context);
}

static void other_files_and_numbers_of_meshes_are_named(void) {
  static TracedCrowd traced;
  WmContext *context = wm_context_create(NULL);
  SavedCrowd saved = make_saved(&traced, context, &SMALL, 5);
  const WmMesh *meshes[2] = {traced.mesh, traced.mesh};
  WmCrowd *crowd;
  WmSavedCrowdInfo info;
  CHECK_EQUAL_INT(wm_crowd_read(context, saved.bytes, saved.byte_count, meshes, 2, &crowd),
                  WM_ERROR_INVALID_ARGUMENT);
  CHECK(strcmp(wm_context_error(context)->field, "meshes") == 0 && !crowd);
  CHECK_EQUAL_INT(wm_saved_crowd_info(context, saved.bytes, saved.byte_count, &info), WM_OK);
  CHECK(info.agent_count == 6 && info.mesh_count == 1);
  static const struct {
    size_t at;
    const char *message;
  } CHANGES[] = {{0, "the file is no crowd"}, {8, "version"}, {16, "checksum"}, {200, "checksum"}};
  for (size_t i = 0; i < sizeof CHANGES / sizeof *CHANGES; i++) {
    saved.bytes[CHANGES[i].at] ^= 2;
    CHECK_EQUAL_INT(wm_crowd_read(context, saved.bytes, saved.byte_count, meshes, 1, &crowd),
                    WM_ERROR_CORRUPT);
    CHECK(strstr(wm_context_error(context)->message, CHANGES[i].message) != NULL);
    saved.bytes[CHANGES[i].at] ^= 2;
  }
  free(saved.bytes);
  close_traced(&traced);
  wm_context_destroy(context);
}

int main(void) {
  RUN(cut_files_are_refused);
  RUN(each_changed_byte_is_refused_or_sound);
  RUN(altered_files_are_refused_or_sound);
  RUN(crowds_of_other_meshes_are_sound);
  RUN(records_that_mislead_are_refused);
  RUN(a_search_for_an_agent_on_another_mesh_ends);
  RUN(far_corners_move_no_agent_out_of_reach);
  RUN(other_files_and_numbers_of_meshes_are_named);
  return check_finish();
}
