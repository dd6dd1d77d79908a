/* The width of the surface at points, against walls measured one by one; narrow portals and throats. */
#include "clearance/passages.h"
#include "clearance/width.h"
#include "lane_maze.h"

/* Two rooms and a lane between them, for agents of radius 0.4: rooms of 6 x 6, a lane 1.6 wide and 5 long. */
static WmMesh *make_lane(WmContext *context) {
  LaneMaze maze = {.side = 1};
  maze_add(&maze, 0, 0, 6, 6);
  maze_add(&maze, 11, 0, 17, 6);
  maze_add(&maze, 6, 2, 11, 3.6f);
  return maze_bake(context, &maze);
}

static WmRef polygon_at(WmQuery *query, const float point[3]) {
  const float extents[3] = {0.1f, 2, 0.1f};
  WmNearest nearest;
  CHECK_EQUAL_INT(wm_query_find_nearest(query, point, extents, NULL, &nearest), WM_OK);
  return nearest.polygon;
}

typedef struct Lane {
  WmContext *context;
  WmMesh *mesh;
  WmQuery *query;
} Lane;

static Lane open_lane(void) {
  Lane lane = {.context = wm_context_create(NULL)};
  lane.mesh = make_lane(lane.context);
  CHECK_EQUAL_INT(wm_query_create(lane.context, lane.mesh, &lane.query), WM_OK);
  return lane;
}

static void close_lane(Lane *lane) {
  wm_query_destroy(lane->query);
  wm_mesh_destroy(lane->mesh);
  wm_context_destroy(lane->context);
}

static void a_lane_is_as_wide_as_its_walls_are_apart(void) {
  Lane lane = open_lane();
  float towards[2];
  for (int i = 0; i < 8; i++) {
    /* Anywhere across the lane: the mesh is 0.6 to 0.8 wide, by cells. */
    const float point[3] = {7 + 0.4f * (float)i, 0, 2.5f + 0.08f * (float)i};
    const WmRef polygon = polygon_at(lane.query, point);
    CHECK(polygon != 0);
    const float width = wm_width_at(lane.mesh, polygon, point, 2, towards);
    CHECK(width > 0.55f && width < 0.85f);
    CHECK(fabsf(towards[0]) < 0.01f && fabsf(fabsf(towards[1]) - 1) < 0.01f);
    CHECK((towards[1] > 0) == (point[2] > 2.8f));
    CHECK(wm_width_at(lane.mesh, polygon, point, 0.5f, NULL) == INFINITY); /* wider than asked for */
  }
  close_lane(&lane);
}

static void rooms_have_no_width_but_at_their_size(void) {
  Lane lane = open_lane();
  const float middle[3] = {3, 0, 3}, corner[3] = {0.5f, 0, 0.5f}, wall[3] = {3, 0, 0.6f};
  CHECK(wm_width_at(lane.mesh, polygon_at(lane.query, middle), middle, 2, NULL) == INFINITY);
  /* Two walls meet in a corner: neither is opposite. */
  CHECK(wm_width_at(lane.mesh, polygon_at(lane.query, corner), corner, 2, NULL) == INFINITY);
  CHECK(wm_width_at(lane.mesh, polygon_at(lane.query, wall), wall, 2, NULL) == INFINITY);
  const float across = wm_width_at(lane.mesh, polygon_at(lane.query, middle), middle, 8, NULL);
  CHECK(across > 4.9f && across < 5.5f);
  close_lane(&lane);
}

/* The corridor from one room to the other has narrow portals without room between them, and no others. */
static void a_corridor_through_a_lane_has_narrow_portals(void) {
  Lane lane = open_lane();
  const float start[3] = {1, 0, 3}, end[3] = {16, 0, 3};
  WmPath path = {0};
  CHECK_EQUAL_INT(wm_query_find_path(lane.query, start, end, NULL, &path), WM_OK);
  WmPassages passages = {0};
  wm_passages_update(&passages, lane.mesh, 0.84f);
  size_t narrow = 0;
  float before[4];
  for (size_t i = 0; i + 1 < path.polygon_count; i++) {
    const WmMeshTile *tile = wm_mesh_tile_of(lane.mesh, path.polygons[i]);
    const float *ends = wm_query_find_portal(tile, wm_ref_polygon(path.polygons[i]), path.polygons[i + 1]);
    const float portal[4] = {ends[0], ends[2], ends[3], ends[5]};
    const WmCrossing *crossing = NULL;
    CHECK_EQUAL_INT(
        wm_passages_find(lane.context, &passages, lane.mesh, i > 0 ? path.polygons[i - 1] : 0,
                         i > 0 ? before : NULL, path.polygons[i], portal, path.polygons[i + 1], &crossing),
        WM_OK);
    const float middle = 0.5f * (portal[0] + portal[2]);
    CHECK(crossing->exit_is_narrow == (middle > 5.5f && middle < 11.5f));
    if (narrow == 1) CHECK(!crossing->has_room);
    narrow += crossing->exit_is_narrow;
    memcpy(before, portal, sizeof before);
  }
  CHECK(narrow >= 2);
  /* For narrower agents nothing is narrow. */
  wm_passages_update(&passages, lane.mesh, 0.5f);
  CHECK_EQUAL_INT(passages.count, 0);
  wm_passages_free(lane.context, &passages);
  close_lane(&lane);
}

int main(void) {
  RUN(a_lane_is_as_wide_as_its_walls_are_apart);
  RUN(rooms_have_no_width_but_at_their_size);
  RUN(a_corridor_through_a_lane_has_narrow_portals);
  return check_finish();
}
