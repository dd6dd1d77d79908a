/* Traces of searches: results are the same bits with a sink, and the events tell which links were refused, and why. */
#include "golden_queries.h"
#include "mesh/links/connections.h"
#include "query/search/path.h"
#include "query/trace.h"

enum { SIDE = 3, MOST_EVENTS = 20000 };

typedef struct Events {
  WmTraceEvent events[MOST_EVENTS];
  size_t count;
} Events;

static Events recorded;

static void record(void *user, const WmTraceEvent *event) {
  Events *events = user;
  CHECK(events->count < MOST_EVENTS);
  events->events[events->count++] = *event;
}

/* Tiles with cuts of their own, some polygons closed by flags 0, and two connections, one of them one-way. */
static WmMesh *make_world(WmContext *context, uint32_t seed) {
  WmMesh *mesh = make_grid_world(context, SIDE, seed);
  for (size_t s = 0; s < SIDE * SIDE; s++) {
    const WmMeshTile *tile = wm_mesh_tile(mesh, s);
    for (uint32_t p = 0; p < tile->polygon_count; p++) {
      if (grid_random(&seed) % 4 == 0) wm_mesh_set_polygon_flags(mesh, tile->ref + p, 0);
    }
  }
  for (int i = 0; i < 2; i++) {
    WmConnection connection = wm_connection_default(mesh);
    for (int axis = 0; axis < 3; axis += 2) {
      connection.start[axis] = random_between(&seed, 0, 8 * SIDE);
      connection.end[axis] = random_between(&seed, 0, 8 * SIDE);
    }
    connection.radius = connection.climb = 10;
    connection.bidirectional = i == 0;
    WmRef ref;
    CHECK_EQUAL_INT(wm_mesh_add_connection(mesh, &connection, &ref), WM_OK);
  }
  return mesh;
}

static bool are_equal(const WmPath *a, const WmPath *b, const float *points, const WmRef *polygons) {
  return a->state == b->state && a->reason == b->reason && a->searched == b->searched && a->cut == b->cut &&
         memcmp(&a->cost, &b->cost, sizeof a->cost) == 0 &&
         memcmp(&a->length, &b->length, sizeof a->length) == 0 && a->point_count == b->point_count &&
         a->polygon_count == b->polygon_count &&
         memcmp(points, b->points, 3 * b->point_count * sizeof *points) == 0 &&
         memcmp(polygons, b->polygons, b->polygon_count * sizeof *polygons) == 0;
}

static void check_event(const WmMesh *mesh, const WmFilter *filter, const WmTraceEvent *event) {
  const WmMeshTile *tile = wm_mesh_tile_of(mesh, event->polygon);
  CHECK(tile != NULL);
  if (event->kind == WM_TRACE_EXPANDED) {
    CHECK(event->target == 0);
    return;
  }
  const uint32_t polygon = wm_ref_polygon(event->polygon);
  CHECK(event->link >= tile->link_first[polygon] && event->link < tile->link_first[polygon + 1]);
  const WmMeshTile *target = wm_mesh_tile_of(mesh, event->target);
  CHECK(target->slot == tile->links[event->link].slot);
  const bool passes = wm_filter_passes(filter, target->polygon_flags[wm_ref_polygon(event->target)]);
  CHECK_EQUAL_INT(passes, event->kind == WM_TRACE_LIMITED);
}

static size_t count_events(WmTraceKind kind) {
  size_t count = 0;
  for (size_t i = 0; i < recorded.count; i++) count += recorded.events[i].kind == kind;
  return count;
}

/* A path with and without a sink; counts [3]: events of each kind. */
static void compare(WmQuery *query, const WmMesh *mesh, const WmPathOptions *options, uint32_t *seed,
                    size_t counts[3]) {
  static float points[3 * 1000];
  static WmRef polygons[1000];
  const WmNearest start = random_place_within(query, 8 * SIDE, seed),
                  end = random_place_within(query, 8 * SIDE, seed);
  WmPath plain, traced;
  CHECK_EQUAL_INT(wm_query_find_path(query, start.point, end.point, options, &plain), WM_OK);
  CHECK(plain.point_count <= 1000 && plain.polygon_count <= 1000);
  memcpy(points, plain.points, 3 * plain.point_count * sizeof *points);
  memcpy(polygons, plain.polygons, plain.polygon_count * sizeof *polygons);
  recorded.count = 0;
  const WmTraceSink sink = {record, &recorded};
  wm_query_trace(query, &sink);
  CHECK_EQUAL_INT(wm_query_find_path(query, start.point, end.point, options, &traced), WM_OK);
  wm_query_trace(query, NULL);
  CHECK(are_equal(&plain, &traced, points, polygons));
  /* An exact search whose end can't be reached has expanded polygons in cones before: `searched` leaves them out. */
  if (traced.state != WM_PATH_UNREACHABLE) CHECK(count_events(WM_TRACE_EXPANDED) <= traced.searched);
  for (size_t i = 0; i < recorded.count; i++) check_event(mesh, options->search.filter, recorded.events + i);
  for (WmTraceKind kind = WM_TRACE_EXPANDED; kind <= WM_TRACE_LIMITED; kind++)
    counts[kind] += count_events(kind);
  const size_t before = recorded.count;
  CHECK_EQUAL_INT(wm_query_find_path(query, start.point, end.point, options, &traced), WM_OK);
  CHECK_EQUAL_INT(recorded.count, before);
}

static void traced_paths_have_the_same_bits(void) {
  WmContext *context = wm_context_create(NULL);
  const WmFilter filter = wm_filter_default();
  size_t counts[3] = {0};
  for (uint32_t world = 0; world < 12; world++) {
    WmMesh *mesh = make_world(context, 100 * world);
    WmQuery *query = NULL;
    CHECK_EQUAL_INT(wm_query_create(context, mesh, &query), WM_OK);
    uint32_t seed = world;
    for (int i = 0; i < 40; i++) {
      WmPathOptions options = wm_path_options_default();
      options.search.filter = &filter;
      options.search.any_angle = i % 4 == 1;
      options.search.shortest = i % 4 == 2;
      options.search.max_nodes = i % 8 == 3 ? 5 : 0;
      compare(query, mesh, &options, &seed, counts);
    }
    wm_query_destroy(query);
    wm_mesh_destroy(mesh);
  }
  CHECK(counts[WM_TRACE_EXPANDED] > 1000 && counts[WM_TRACE_FILTERED] > 200 && counts[WM_TRACE_LIMITED] > 20);
  wm_context_destroy(context);
}

int main(void) {
  RUN(traced_paths_have_the_same_bits);
  return check_finish();
}
