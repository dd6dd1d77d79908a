/* The width of the surface at points, against walls measured one by one; narrow portals and throats. */
#include "clearance/passages.h"
#include "clearance/width.h"
#include "drawn_mesh.h"
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

/* ---- Drawn meshes --------------------------------------------------------------------------------------- */

/* The width between two walls at an angle of 25 degrees: to the nearer wall, and from there across. */
static void walls_at_an_angle_are_opposite(void) {
  static const uint16_t corners[][2] = {{0, 0}, {0, 6}, {100, 53}, {100, 0}};
  static const uint16_t polygons[][DRAWN_CORNERS] = {{0, 1, 2, 3, NO_CORNER, NO_CORNER}};
  WmContext *context = wm_context_create(NULL);
  WmMesh *mesh = draw_mesh(context, &(Drawing){corners, polygons, 4, 1});
  for (int i = 1; i < 8; i++) {
    const float point[3] = {(float)i, 0, 0.2f}, slope = 0.47f;
    const float across = (0.6f + slope * point[0] - point[2]) / sqrtf(1 + slope * slope);
    CHECK(fabsf(wm_width_at(mesh, drawn_ref(mesh, 0), point, 8, NULL) - (across + point[2])) < 0.001f);
  }
  wm_mesh_destroy(mesh);
  wm_context_destroy(context);
}

/* A strip of 10 x 1, lengthwise in 3 and across in 2 polygons; the width at a point of the middle:
 *
 *     +----+----+ 1
 *     +----+----+ 0.7
 *     +----+----+ 0.3
 *     +----+----+ 0 */
static WmMesh *draw_strips(WmContext *context) {
  static const uint16_t corners[][2] = {{0, 0}, {50, 0}, {100, 0}, {0, 3},  {50, 3},  {100, 3},
                                        {0, 7}, {50, 7}, {100, 7}, {0, 10}, {50, 10}, {100, 10}};
  static const uint16_t polygons[][DRAWN_CORNERS] = {
      {0, 3, 4, 1, NO_CORNER, NO_CORNER},  {1, 4, 5, 2, NO_CORNER, NO_CORNER},
      {3, 6, 7, 4, NO_CORNER, NO_CORNER},  {4, 7, 8, 5, NO_CORNER, NO_CORNER},
      {6, 9, 10, 7, NO_CORNER, NO_CORNER}, {7, 10, 11, 8, NO_CORNER, NO_CORNER}};
  return draw_mesh(context, &(Drawing){corners, polygons, 12, 6});
}

static void a_width_spans_several_polygons(void) {
  WmContext *context = wm_context_create(NULL);
  WmMesh *mesh = draw_strips(context);
  const float point[3] = {2, 0, 0.6f};
  CHECK(fabsf(wm_width_at(mesh, drawn_ref(mesh, 2), point, 2, NULL) - 1) < 0.001f);
  wm_mesh_destroy(mesh);
  wm_context_destroy(context);
}

/* Looks up the crossing from the first polygon into the second (at its edge to the first) and out to the third. */
static WmCrossing cross(WmContext *context, WmPassages *passages, const WmMesh *mesh, const uint32_t way[3]) {
  float portals[2][4];
  for (int i = 0; i < 2; i++) {
    const float *ends = wm_query_find_portal(wm_mesh_tile(mesh, 0), way[i], drawn_ref(mesh, way[i + 1]));
    CHECK(ends != NULL);
    if (!ends) return (WmCrossing){0};
    const float portal[4] = {ends[0], ends[2], ends[3], ends[5]};
    memcpy(portals[i], portal, sizeof portal);
  }
  const WmCrossing *crossing = NULL;
  CHECK_EQUAL_INT(wm_passages_find(context, passages, mesh, drawn_ref(mesh, way[0]), portals[0],
                                   drawn_ref(mesh, way[1]), portals[1], drawn_ref(mesh, way[2]), &crossing),
                  WM_OK);
  return crossing ? *crossing : (WmCrossing){0};
}

/* Where the strips beside a lane are closed, its portal becomes narrow: answers of the mesh as it was are dropped. */
static void a_change_of_the_mesh_drops_all_answers(void) {
  WmContext *context = wm_context_create(NULL);
  WmMesh *mesh = draw_strips(context);
  WmPassages passages = {0};
  const uint32_t way[3] = {0, 2, 3}, closed[] = {0, 1, 4, 5};
  wm_passages_update(&passages, mesh, 0.84f);
  CHECK(!cross(context, &passages, mesh, way).exit_is_narrow);
  for (int i = 0; i < 4; i++)
    CHECK_EQUAL_INT(wm_mesh_set_polygon_flags(mesh, drawn_ref(mesh, closed[i]), 0), WM_OK);
  wm_passages_update(&passages, mesh, 0.84f);
  CHECK(cross(context, &passages, mesh, way).exit_is_narrow);
  wm_passages_free(context, &passages);
  wm_mesh_destroy(mesh);
  wm_context_destroy(context);
}

/* A polygon below the tip of a wall, 0.8 above the lower side, with two neighbours on the left and two on the right, all
 * turned by an angle. Corners are on a grid of 0.1.
 *
 *     |2 \1  /3 / 4 |
 *     |  _\ v /_    |      v: the tip
 *      \/_______\/         0: the polygon below it */
static WmMesh *draw_throat(WmContext *context, float degrees) {
  static const float drawn[][2] = {{-20, 0},  {-10, 5},  {0, 8},   {10, 5}, {20, 0},
                                   {-30, 60}, {-10, 80}, {10, 80}, {30, 60}};
  static const uint16_t polygons[][DRAWN_CORNERS] = {{0, 1, 2, 3, 4, NO_CORNER},
                                                     {1, 6, 2, NO_CORNER, NO_CORNER, NO_CORNER},
                                                     {0, 5, 6, 1, NO_CORNER, NO_CORNER},
                                                     {2, 7, 3, NO_CORNER, NO_CORNER, NO_CORNER},
                                                     {3, 7, 8, 4, NO_CORNER, NO_CORNER}};
  uint16_t corners[9][2];
  const float radians = degrees / 57.29578f, c = cosf(radians), s = sinf(radians);
  for (int i = 0; i < 9; i++) {
    corners[i][0] = (uint16_t)lroundf(100 + c * drawn[i][0] - s * drawn[i][1]);
    corners[i][1] = (uint16_t)lroundf(100 + s * drawn[i][0] + c * drawn[i][1]);
  }
  return draw_mesh(context, &(Drawing){(const uint16_t(*)[2])corners, polygons, 9, 5});
}

/* Below the tip, all ways from left to right go along the axis of the throat, all ways back against it; or all the
 * other way round. */
static void all_ways_through_a_throat_have_one_axis(void) {
  static const uint32_t ways[][3] = {{1, 0, 3}, {1, 0, 4}, {2, 0, 3}, {2, 0, 4},
                                     {3, 0, 1}, {4, 0, 1}, {3, 0, 2}, {4, 0, 2}};
  for (float degrees = 0; degrees < 360; degrees += 15) {
    WmContext *context = wm_context_create(NULL);
    WmMesh *mesh = draw_throat(context, degrees);
    WmPassages passages = {0};
    const float c = cosf(degrees / 57.29578f), s = sinf(degrees / 57.29578f);
    int along = 0;
    wm_passages_update(&passages, mesh, 1.0f);
    for (int i = 0; i < 8; i++) {
      const WmCrossing crossing = cross(context, &passages, mesh, ways[i]);
      CHECK(crossing.has_throat && !crossing.exit_is_narrow);
      CHECK(hypotf(crossing.throat[0] - (10 - 0.4f * s), crossing.throat[1] - (10 + 0.4f * c)) < 0.5f);
      const float forward = crossing.axis[0] * c + crossing.axis[1] * s;
      CHECK(fabsf(forward) > 0.7f);
      along += forward > 0;
    }
    CHECK(along == 0 || along == 8);
    wm_passages_free(context, &passages);
    wm_mesh_destroy(mesh);
    wm_context_destroy(context);
  }
}

int main(void) {
  RUN(a_lane_is_as_wide_as_its_walls_are_apart);
  RUN(rooms_have_no_width_but_at_their_size);
  RUN(a_corridor_through_a_lane_has_narrow_portals);
  RUN(walls_at_an_angle_are_opposite);
  RUN(a_width_spans_several_polygons);
  RUN(a_change_of_the_mesh_drops_all_answers);
  RUN(all_ways_through_a_throat_have_one_axis);
  return check_finish();
}
