/* Segment links: sets, ties while tiles come and go, switching, paths over them. */
#include "mesh/links/segment_links.h"

#include "segment_worlds.h"
#include "mesh/formats/formats.h"
#include "mesh/links/connections.h"
#include "mesh/links/link_crossing.h"
#include "mesh/mesh_internal.h"
#include "query/query_internal.h"

/* Two platforms of one tile each, with a tile's gap between them; the second one lies lower.
 *
 *     z 8  +--------+            +--------+
 *          |        | a ------ a |        |
 *          |  (0,0) | |      | | |  (2,0) |
 *          |        | b ------ b |        |
 *     z 0  +--------+            +--------+
 *          0        8            16       24 x
 */
typedef struct World {
  WmContext *context;
  WmMesh *mesh;
  WmQuery *query;
} World;

static World make_world(uint32_t seed) {
  World world = {.context = wm_context_create(NULL)};
  world.mesh = make_grid_mesh(world.context);
  for (int32_t x = 0; x < 3; x += 2) {
    const GridTile grid = {.x = x,
                           .seed = seed ? seed + (uint32_t)x : 0,
                           .floor = (uint16_t)(x ? 0 : 12),
                           .flat = true,
                           .hole = UINT32_MAX,
                           .tree = true};
    add_grid_tile(world.mesh, &grid);
  }
  CHECK_EQUAL_INT(wm_query_create(world.context, world.mesh, &world.query), WM_OK);
  return world;
}

static void free_world(World *world) {
  CHECK(wm_mesh_validate(world->mesh));
  wm_query_destroy(world->query);
  wm_mesh_destroy(world->mesh);
  wm_context_destroy(world->context);
}

static WmSegmentLink jump_of(const World *world) {
  (void)world;
  WmSegmentLink link = make_link(8, 3, 4, 6, (const float[3]){8, -3, 0});
  link.kind = WM_SEGMENT_LINK_JUMP;
  link.cost = 9;
  return link;
}

static WmRef put_one(const World *world, const WmSegmentLink *link) {
  WmRef ref = 0;
  CHECK_EQUAL_INT(wm_mesh_put_links(world->mesh, 0, 0, 0, link, 1, &ref), WM_OK);
  CHECK(wm_mesh_validate(world->mesh));
  return ref;
}

static WmPath find(const World *world, float x, float z, float to_x, float to_z) {
  WmPath path;
  const float from[3] = {x, x < 10 ? 3 : 0, z}, to[3] = {to_x, to_x < 10 ? 3 : 0, to_z};
  CHECK_EQUAL_INT(wm_query_find_path(world->query, from, to, NULL, &path), WM_OK);
  CHECK(wm_path_validate(world->mesh, &path));
  return path;
}

static bool is_near(const float *point, float x, float y, float z) {
  return fabsf(point[0] - x) < 1e-3f && fabsf(point[1] - y) < 1e-3f && fabsf(point[2] - z) < 1e-3f;
}

static void a_string_passes_straight(void) {
  World world = make_world(0);
  const WmSegmentLink link = jump_of(&world);
  const WmRef ref = put_one(&world, &link);
  WmPath path = find(&world, 4, 2, 20, 4);
  CHECK_EQUAL_INT(path.state, WM_PATH_COMPLETE);
  CHECK_EQUAL_INT(path.point_count, 4);
  /* The string from (4, 2) to (20 - 8, 4): it meets x = 8 at z = 3. */
  CHECK(is_near(path.points + 3, 8, 3, 3) && is_near(path.points + 6, 16, 0, 3));
  CHECK_EQUAL_INT(path.point_flags[1], WM_POINT_OFF_MESH);
  CHECK(path.point_polygons[1] == ref);
  CHECK_EQUAL_INT(path.point_flags[2], 0);
  CHECK(fabsf(path.length - sqrtf(64 + 4)) < 1e-4f);
  float cost;
  CHECK_EQUAL_INT(
      wm_query_measure(world.query, path.points, path.points + 9, path.polygons, path.polygon_count,
                       &(WmFilter){.include_flags = 1, .area_costs = {[0] = 1}}, &cost),
      WM_OK);
  /* It turns at the ends of the link. */
  path = find(&world, 1, 7.5f, 23, 7.8f);
  CHECK_EQUAL_INT(path.point_count, 4);
  CHECK(is_near(path.points + 3, 8, 3, 7) && is_near(path.points + 6, 16, 0, 7));
  CHECK_EQUAL_INT(path.point_flags[1], WM_POINT_OFF_MESH);
  /* One way only. */
  path = find(&world, 20, 4, 4, 2);
  CHECK_EQUAL_INT(path.state, WM_PATH_UNREACHABLE);
  free_world(&world);
}

static void strings_cost_their_length_and_the_link(void) {
  World world = make_world(7);
  WmSegmentLink link = jump_of(&world);
  link.bidirectional = true;
  put_one(&world, &link);
  for (int back = 0; back < 2; back++) {
    const WmPath path = back ? find(&world, 20, 5, 3, 1) : find(&world, 3, 1, 20, 5);
    CHECK_EQUAL_INT(path.state, WM_PATH_COMPLETE);
    float cost;
    const WmFilter filter = wm_filter_default();
    const float expected = path.length + link.cost;
    CHECK_EQUAL_INT(
        wm_query_measure(world.query, back ? (const float[3]){20, 0, 5} : (const float[3]){3, 3, 1},
                         back ? (const float[3]){3, 3, 1} : (const float[3]){20, 0, 5}, path.polygons,
                         path.polygon_count, &filter, &cost),
        WM_OK);
    CHECK(fabsf(cost - expected) < 1e-3f);
    CHECK(path.length > sqrtf(81 + 16) - 1e-3f && path.length < 1.1f * sqrtf(81 + 16));
  }
  free_world(&world);
}

static void links_turn_strings_by_their_motion(void) {
  World world = make_world(0);
  /* From x = 8, z in 2..6, onto z = 0 of the other tile, x from 18 to 22: a quarter turn. */
  const WmSegmentLink link = {.start = {{8, 3, 6}, {8, 3, 2}},
                              .end = {{22, 0, 0}, {18, 0, 0}},
                              .cost = 5,
                              .flags = 1,
                              .enabled = true,
                              .kind = WM_SEGMENT_LINK_JUMP};
  put_one(&world, &link);
  /* In the near plane the far side is x > 8; (20, 0, 3) is three behind the middle. */
  const WmPath path = find(&world, 5, 4, 20, 3);
  CHECK_EQUAL_INT(path.state, WM_PATH_COMPLETE);
  CHECK_EQUAL_INT(path.point_count, 4);
  CHECK(is_near(path.points + 3, 8, 3, 4) && is_near(path.points + 6, 20, 0, 0));
  CHECK(fabsf(path.length - 6) < 1e-4f);
  free_world(&world);
}

static void references_live_and_die(void) {
  World world = make_world(0);
  WmSegmentLink link = jump_of(&world);
  const WmRef ref = put_one(&world, &link);
  CHECK(put_one(&world, &link) == ref);
  int tied;
  WmSegmentLink found;
  CHECK_EQUAL_INT(wm_mesh_segment_link(world.mesh, ref, &found, &tied), WM_OK);
  CHECK(tied == 3 && found.cost == 9 && found.kind == WM_SEGMENT_LINK_JUMP);
  CHECK_EQUAL_INT(wm_mesh_segment_link_count(world.mesh), 1);
  CHECK(wm_mesh_next_links(world.mesh, 0) == ref && wm_mesh_next_links(world.mesh, ref) == 0);
  int32_t x = 9, z = 9;
  uint32_t number = 9;
  CHECK_EQUAL_INT(wm_mesh_links_place(world.mesh, ref, &x, &z, &number), WM_OK);
  CHECK(x == 0 && z == 0 && number == 0);
  CHECK_EQUAL_INT(wm_mesh_next_connection(world.mesh, 0), 0);
  CHECK_EQUAL_INT(wm_mesh_remove_connection(world.mesh, ref), WM_ERROR_INVALID_ARGUMENT);
  CHECK_EQUAL_INT(wm_mesh_remove_tile(world.mesh, ref), WM_ERROR_INVALID_ARGUMENT);
  CHECK_EQUAL_INT(
      wm_mesh_segment_link(world.mesh, wm_mesh_find_tile(world.mesh, 0, 0, 0)->ref, &found, &tied),
      WM_ERROR_INVALID_ARGUMENT);
  link.cost = 10;
  CHECK(put_one(&world, &link) != ref);
  CHECK_EQUAL_INT(wm_mesh_segment_link(world.mesh, ref, &found, &tied), WM_ERROR_STALE_REFERENCE);
  CHECK_EQUAL_INT(wm_mesh_put_links(world.mesh, 0, 0, 0, NULL, 0, NULL), WM_OK);
  CHECK_EQUAL_INT(wm_mesh_segment_link_count(world.mesh), 0);
  const WmPath path = find(&world, 4, 2, 20, 4);
  CHECK_EQUAL_INT(path.state, WM_PATH_UNREACHABLE);
  free_world(&world);
}

static void a_link_of_a_set_of_its_own_has_a_reference_that_stays(void) {
  World world = make_world(3);
  const WmSegmentLink link = jump_of(&world);
  WmRef refs[4];
  for (uint32_t i = 0; i < 4; i++) {
    CHECK_EQUAL_INT(wm_mesh_put_links(world.mesh, 1, 0, WM_NEW_LINK_SET, &link, 1, &refs[i]), WM_OK);
    int32_t x, z;
    uint32_t number;
    CHECK_EQUAL_INT(wm_mesh_links_place(world.mesh, refs[i], &x, &z, &number), WM_OK);
    CHECK(x == 1 && z == 0 && number == i + 1);
  }
  CHECK_EQUAL_INT(wm_mesh_put_links(world.mesh, 0, 0, WM_NEW_LINK_SET, &link, 1, NULL), WM_OK);
  CHECK_EQUAL_INT(wm_mesh_put_links(world.mesh, 1, 0, 2, NULL, 0, NULL), WM_OK);
  CHECK_EQUAL_INT(wm_mesh_put_links(world.mesh, 1, 0, 0, &link, 1, NULL), WM_OK);
  WmSegmentLink found;
  for (uint32_t i = 0; i < 4; i++) {
    CHECK_EQUAL_INT(wm_mesh_segment_link(world.mesh, refs[i], &found, NULL),
                    i == 1 ? WM_ERROR_STALE_REFERENCE : WM_OK);
  }
  CHECK_EQUAL_INT(wm_mesh_segment_link_count(world.mesh), 5);
  CHECK(wm_mesh_validate(world.mesh));
  CHECK_EQUAL_INT(wm_mesh_put_links(world.mesh, 1, 0, UINT32_MAX - 1, &link, 1, NULL), WM_OK);
  CHECK_EQUAL_INT(wm_mesh_put_links(world.mesh, 1, 0, WM_NEW_LINK_SET, &link, 1, NULL), WM_ERROR_LIMIT);
  CHECK_EQUAL_INT(wm_mesh_put_links(world.mesh, 1, 0, WM_NEW_LINK_SET, NULL, 0, NULL), WM_OK);
  CHECK_EQUAL_INT(wm_mesh_segment_link_count(world.mesh), 6);
  free_world(&world);
}

static void links_wait_for_their_ground(void) {
  World world = make_world(3);
  const WmSegmentLink link = jump_of(&world);
  const WmRef ref = put_one(&world, &link);
  WmSegmentLink found;
  int tied;
  const WmRef far = wm_mesh_find_tile(world.mesh, 2, 0, 0)->ref;
  CHECK_EQUAL_INT(wm_mesh_remove_tile(world.mesh, far), WM_OK);
  CHECK(wm_mesh_validate(world.mesh));
  CHECK_EQUAL_INT(wm_mesh_segment_link(world.mesh, ref, &found, &tied), WM_OK);
  CHECK_EQUAL_INT(tied, 1);
  const GridTile grid = {.x = 2, .seed = 31, .flat = true, .hole = UINT32_MAX, .tree = true};
  add_grid_tile(world.mesh, &grid);
  CHECK(wm_mesh_validate(world.mesh));
  CHECK_EQUAL_INT(wm_mesh_segment_link(world.mesh, ref, &found, &tied), WM_OK);
  CHECK_EQUAL_INT(tied, 3);
  const WmPath path = find(&world, 4, 2, 20, 4);
  CHECK_EQUAL_INT(path.state, WM_PATH_COMPLETE);
  free_world(&world);
}

static void switched_off_links_stay_off(void) {
  World world = make_world(0);
  WmSegmentLink links[2] = {jump_of(&world), make_link(8, 3, 0.5f, 0.4f, (const float[3]){8, -3, 0})}, found;
  links[1].kind = WM_SEGMENT_LINK_DROP;
  WmRef ref;
  CHECK_EQUAL_INT(wm_mesh_put_links(world.mesh, 0, 0, 0, links, 2, &ref), WM_OK);
  CHECK_EQUAL_INT(wm_mesh_set_segment_link_enabled(world.mesh, ref, false), WM_OK);
  WmPath path = find(&world, 4, 4, 20, 4);
  CHECK(path.point_polygons[1] == ref + 1 || path.point_polygons[2] == ref + 1);
  size_t count;
  const WmLinkOff *off = wm_mesh_links_off(world.mesh, &count);
  CHECK(count == 1 && off[0].kind == WM_SEGMENT_LINK_JUMP && is_near(off[0].start[0], 8, 3, 7));
  links[0].start[0][2] -= 0.25f;
  links[0].end[0][2] -= 0.25f;
  CHECK_EQUAL_INT(wm_mesh_put_links(world.mesh, 0, 0, 0, links, 2, &ref), WM_OK);
  CHECK_EQUAL_INT(wm_mesh_segment_link(world.mesh, ref, &found, NULL), WM_OK);
  CHECK(!found.enabled);
  CHECK_EQUAL_INT(wm_mesh_set_segment_link_enabled(world.mesh, ref, true), WM_OK);
  (void)wm_mesh_links_off(world.mesh, &count);
  CHECK_EQUAL_INT(count, 0);
  path = find(&world, 4, 4, 20, 4);
  CHECK(path.point_polygons[1] == ref);
  CHECK_EQUAL_INT(wm_mesh_set_polygon_flags(world.mesh, ref, 0), WM_OK);
  CHECK(wm_mesh_validate(world.mesh));
  path = find(&world, 4, 4, 20, 4);
  CHECK(path.point_polygons[1] != ref);
  free_world(&world);
}

static void places_switch_the_links_that_exist(void) {
  World world = make_world(0);
  WmSegmentLink link = jump_of(&world), found;
  link.cost = 2; /* less than its length */
  const WmRef ref = put_one(&world, &link);
  CHECK(wm_mesh_least_cost(world.mesh) < 0.3f);
  const WmLinkOff off = {.start = {{8.2f, 3, 3}, {8.2f, 3, 1.5f}},
                         .end = {{15, 0, 4}, {15, 0, 2.5f}},
                         .kind = WM_SEGMENT_LINK_JUMP};
  CHECK_EQUAL_INT(wm_mesh_set_links_off(world.mesh, &off, 1), WM_OK);
  CHECK_EQUAL_INT(wm_mesh_segment_link(world.mesh, ref, &found, NULL), WM_OK);
  CHECK(!found.enabled && wm_mesh_least_cost(world.mesh) == 1 && wm_mesh_validate(world.mesh));
  for (int i = 0; i < 3; i++) { /* another place, kind, direction */
    WmLinkOff other = off;
    for (int k = 0; k < 2 && i == 0; k++) other.start[k][2] += 20;
    if (i == 1) other.kind = WM_SEGMENT_LINK_DROP;
    if (i == 2) other.end[0][0] = other.end[1][0] = 0;
    CHECK_EQUAL_INT(wm_mesh_set_links_off(world.mesh, &other, 1), WM_OK);
    CHECK_EQUAL_INT(wm_mesh_segment_link(world.mesh, ref, &found, NULL), WM_OK);
    CHECK(found.enabled);
  }
  for (int i = 0; i < 4; i++) {
    WmLinkOff bad = off;
    if (i == 0) bad.start[1][0] = NAN;
    if (i == 1) bad.end[1][2] = INFINITY;
    if (i == 2) bad.kind = WM_SEGMENT_LINK_KINDS;
    if (i == 3) memcpy(bad.start[1], bad.start[0], sizeof bad.start[1]);
    CHECK_EQUAL_INT(wm_mesh_set_links_off(world.mesh, &bad, 1), WM_ERROR_INVALID_ARGUMENT);
  }
  free_world(&world);
}

/* Puts links across the gap in one set: each from z of its right end to z of its left end.
 * returns    which of them are on: bit i */
static uint32_t put_pieces(const World *world, const float (*pieces)[2], size_t count, bool bidirectional) {
  WmSegmentLink links[4], found;
  for (size_t i = 0; i < count; i++) {
    links[i] = make_link(8, 3, 0.5f * (pieces[i][0] + pieces[i][1]), pieces[i][1] - pieces[i][0],
                         (const float[3]){8, -3, 0});
    links[i].kind = WM_SEGMENT_LINK_JUMP;
    links[i].bidirectional = bidirectional;
  }
  WmRef ref;
  CHECK_EQUAL_INT(wm_mesh_put_links(world->mesh, 0, 0, 0, links, count, &ref), WM_OK);
  CHECK(wm_mesh_validate(world->mesh));
  uint32_t on = 0;
  for (size_t i = 0; i < count; i++) {
    CHECK_EQUAL_INT(wm_mesh_segment_link(world->mesh, ref + i, &found, NULL), WM_OK);
    on |= (uint32_t)found.enabled << i;
  }
  return on;
}

static void pieces_of_a_link_that_is_off_are_off(void) {
  World world = make_world(0);
  /* The link from z = 2 to 5, and its neighbours. */
  const float whole[3][2] = {{0.5f, 2}, {2, 5}, {5, 7.5f}},
              pieces[4][2] = {{0.5f, 2}, {2, 3}, {4, 5}, {5, 7.5f}}, wide[1][2] = {{0.5f, 7.5f}},
              moved[2][2] = {{1.6f, 4.6f}, {4.6f, 7.5f}}, overlaps[2][2] = {{0.5f, 3.4f}, {3.6f, 7.5f}};
  CHECK_EQUAL_INT(put_pieces(&world, whole, 3, false), 7);
  WmRef set = wm_mesh_next_links(world.mesh, 0);
  CHECK_EQUAL_INT(wm_mesh_set_segment_link_enabled(world.mesh, set + 1, false), WM_OK);
  CHECK_EQUAL_INT(put_pieces(&world, pieces, 4, false), 9);
  CHECK_EQUAL_INT(put_pieces(&world, whole, 3, false), 5);
  CHECK_EQUAL_INT(put_pieces(&world, wide, 1, false), 0);
  CHECK_EQUAL_INT(put_pieces(&world, moved, 2, false), 2);
  CHECK_EQUAL_INT(put_pieces(&world, overlaps, 2, false), 3);
  CHECK_EQUAL_INT(put_pieces(&world, pieces, 4, true), 9);
  free_world(&world);
}

static void a_piece_that_is_on_leaves_the_others_off(void) {
  World world = make_world(0);
  const float whole[1][2] = {{2, 5}}, pieces[2][2] = {{2, 3}, {4, 5}};
  CHECK_EQUAL_INT(put_pieces(&world, whole, 1, false), 1);
  CHECK_EQUAL_INT(wm_mesh_set_segment_link_enabled(world.mesh, wm_mesh_next_links(world.mesh, 0), false),
                  WM_OK);
  CHECK_EQUAL_INT(put_pieces(&world, pieces, 2, false), 0);
  CHECK_EQUAL_INT(wm_mesh_set_segment_link_enabled(world.mesh, wm_mesh_next_links(world.mesh, 0), true),
                  WM_OK);
  CHECK_EQUAL_INT(wm_mesh_put_links(world.mesh, 0, 0, 0, NULL, 0, NULL), WM_OK);
  CHECK_EQUAL_INT(put_pieces(&world, pieces, 2, false), 1);
  size_t count;
  (void)wm_mesh_links_off(world.mesh, &count);
  CHECK_EQUAL_INT(count, 1);
  free_world(&world);
}

static void bidirectional_links_are_off_from_either_side(void) {
  World world = make_world(0);
  const float pieces[3][2] = {{1, 2}, {2, 5}, {5, 7}};
  WmLinkOff off = {
      .start = {{16, 0, 2}, {16, 0, 5}}, .end = {{8, 3, 2}, {8, 3, 5}}, .kind = WM_SEGMENT_LINK_JUMP};
  CHECK_EQUAL_INT(wm_mesh_set_links_off(world.mesh, &off, 1), WM_OK);
  CHECK_EQUAL_INT(put_pieces(&world, pieces, 3, false), 7);
  CHECK_EQUAL_INT(put_pieces(&world, pieces, 3, true), 5);
  free_world(&world);
}

/* Many places are found by squares: which links are off is what each place alone switches off. */
static void many_places_switch_off_what_each_would(void) {
  enum { LINKS = 150, PLACES = 90 };
  uint32_t seed = 5;
  WmContext *context = wm_context_create(NULL);
  WmMesh *mesh = make_random_world(context, &seed, 2);
  WmSegmentLink links[LINKS];
  WmLinkOff off[PLACES];
  bool expected[LINKS] = {false};
  for (int i = 0; i < LINKS; i++) links[i] = random_link(&seed, 2);
  links[0] = make_link(-4000, 0, 3, 9000, (const float[3]){0, 0, 5}); /* over more squares than are listed */
  WmRef set;
  CHECK_EQUAL_INT(wm_mesh_put_links(mesh, 0, 0, 0, links, LINKS, &set), WM_OK);
  for (int i = 0; i < PLACES; i++) { /* pieces of links, a little aside, seen from either side */
    const WmSegmentLink *link = &links[grid_random(&seed) % LINKS];
    const bool is_far = grid_random(&seed) % 4 == 0;
    const float low = random_float(&seed, 0, 0.5f), high = random_float(&seed, 0.6f, 1),
                aside = random_float(&seed, -0.6f, 0.6f);
    off[i].kind = link->kind;
    for (int axis = 0; axis < 3; axis++) {
      for (int k = 0; k < 2; k++) {
        const float at = k ? high : low, move = axis == 1 ? 0 : aside;
        const float start = link->start[0][axis] + at * (link->start[1][axis] - link->start[0][axis]) + move;
        const float end = link->end[0][axis] + at * (link->end[1][axis] - link->end[0][axis]) + move;
        off[i].start[k][axis] = is_far ? end : start;
        off[i].end[k][axis] = is_far ? start : end;
      }
    }
    CHECK_EQUAL_INT(wm_mesh_set_links_off(mesh, &off[i], 1), WM_OK);
    for (uint32_t k = 0; k < LINKS; k++) {
      WmSegmentLink found;
      CHECK_EQUAL_INT(wm_mesh_segment_link(mesh, set + k, &found, NULL), WM_OK);
      expected[k] |= !found.enabled;
    }
  }
  int off_count = 0, different = 0;
  CHECK_EQUAL_INT(wm_mesh_set_links_off(mesh, off, PLACES), WM_OK);
  for (int again = 0; again < 2; again++) {
    for (uint32_t k = 0; k < LINKS; k++) {
      WmSegmentLink found;
      CHECK_EQUAL_INT(wm_mesh_segment_link(mesh, set + k, &found, NULL), WM_OK);
      different += found.enabled == expected[k];
      off_count += !found.enabled;
    }
    CHECK_EQUAL_INT(wm_mesh_put_links(mesh, 0, 0, 0, NULL, 0, NULL), WM_OK);
    CHECK_EQUAL_INT(wm_mesh_put_links(mesh, 0, 0, 0, links, LINKS, &set), WM_OK);
  }
  CHECK_EQUAL_INT(different, 0);
  CHECK(off_count > LINKS / 2 && off_count < 2 * LINKS);
  /* A place more, and one less. */
  WmSegmentLink found;
  uint32_t on = 0;
  while (expected[on]) on++;
  CHECK_EQUAL_INT(wm_mesh_set_segment_link_enabled(mesh, set + on, false), WM_OK);
  CHECK_EQUAL_INT(wm_mesh_put_links(mesh, 0, 0, 0, NULL, 0, NULL), WM_OK);
  CHECK_EQUAL_INT(wm_mesh_put_links(mesh, 0, 0, 0, links, LINKS, &set), WM_OK);
  CHECK_EQUAL_INT(wm_mesh_segment_link(mesh, set + on, &found, NULL), WM_OK);
  CHECK(!found.enabled);
  CHECK_EQUAL_INT(wm_mesh_set_segment_link_enabled(mesh, set + on, true), WM_OK);
  CHECK_EQUAL_INT(wm_mesh_put_links(mesh, 0, 0, 0, NULL, 0, NULL), WM_OK);
  CHECK_EQUAL_INT(wm_mesh_put_links(mesh, 0, 0, 0, links, LINKS, &set), WM_OK);
  CHECK_EQUAL_INT(wm_mesh_segment_link(mesh, set + on, &found, NULL), WM_OK);
  CHECK(found.enabled);
  wm_mesh_destroy(mesh);
  wm_context_destroy(context);
}

static void bad_links_are_refused(void) {
  World world = make_world(0);
  const WmSegmentLink good = jump_of(&world);
  for (int i = 0; i < 11; i++) {
    WmSegmentLink links[2] = {good, good};
    WmSegmentLink *link = &links[1];
    switch (i) {
      case 0: link->start[1][1] = NAN; break;
      case 1: link->end[0][0] = INFINITY; break;
      case 2: link->peak = -1; break;
      case 3: link->cost = NAN; break;
      case 4: link->cost = -1; break;
      case 5: link->area = 64; break;
      case 6: link->kind = 4; break;
      case 7: memcpy(link->start[1], link->start[0], 12); break;
      case 8: link->end[0][2] += 0.1f; break;
      case 9: link->peak = INFINITY; break;
      default:
        for (int k = 0; k < 2; k++) {
          memcpy(link->start[k], good.start[1 - k], 12);
          memcpy(link->end[k], good.end[1 - k], 12);
        }
        break;
    }
    CHECK_EQUAL_INT(wm_mesh_put_links(world.mesh, 0, 0, 1, links, 2, NULL), WM_ERROR_INVALID_ARGUMENT);
  }
  CHECK_EQUAL_INT(wm_mesh_put_links(world.mesh, INT32_MIN, 0, 1, &good, 1, NULL), WM_ERROR_INVALID_ARGUMENT);
  CHECK_EQUAL_INT(wm_mesh_segment_link_count(world.mesh), 0);
  free_world(&world);
}

/* ---- Ties that follow changes ------------------------------------------------------------------------- */

/* A mesh of the same tiles and sets, in another order. */
static WmMesh *make_fresh(WmContext *context, const WmMesh *mesh) {
  WmMesh *fresh = make_grid_mesh(context);
  for (WmRef ref = 0; (ref = wm_mesh_next_links(mesh, ref)) != 0;) {
    int32_t x, z;
    uint32_t number;
    size_t count;
    CHECK_EQUAL_INT(wm_mesh_links_place(mesh, ref, &x, &z, &number), WM_OK);
    const WmSegmentLink *links = wm_mesh_links_at(mesh, x, z, number, &count, NULL);
    CHECK_EQUAL_INT(wm_mesh_put_links(fresh, x, z, number, links, count, NULL), WM_OK);
  }
  for (size_t slot = wm_mesh_slot_count(mesh); slot-- > 0;) {
    const WmMeshTile *tile = wm_mesh_tile(mesh, slot);
    if (tile && tile->ground_count)
      CHECK_EQUAL_INT(wm_mesh_add_tile(fresh, tile->bytes, tile->byte_count, NULL), WM_OK);
  }
  return fresh;
}

static bool are_same_ties(const WmMesh *a, const WmMeshTile *first, const WmMesh *b,
                          const WmMeshTile *second) {
  if (first->polygon_count != second->polygon_count) return false;
  if (memcmp(first->tie_first, second->tie_first, (first->polygon_count + 1) * sizeof *first->tie_first) != 0)
    return false;
  for (uint32_t i = 0; i < first->tie_first[first->polygon_count]; i++) {
    const WmLinkTie *tie = &first->ties[i], *other = &second->ties[i];
    const WmMeshTile *ground = wm_mesh_tile(a, tie->slot), *other_ground = wm_mesh_tile(b, other->slot);
    if (ground->x != other_ground->x || ground->z != other_ground->z || tie->polygon != other->polygon)
      return false;
    if (tie->low != other->low || tie->high != other->high || tie->end != other->end) return false;
    if (tie->is_entry != other->is_entry || tie->is_exit != other->is_exit) return false;
  }
  return true;
}

static size_t compare_with_fresh(const WmMesh *mesh) {
  WmContext *context = wm_context_create(NULL);
  WmMesh *fresh = make_fresh(context, mesh);
  WmRef ref = 0, other = 0;
  size_t ties = 0;
  for (; (ref = wm_mesh_next_links(mesh, ref)) != 0;) {
    other = wm_mesh_next_links(fresh, other);
    const WmMeshTile *set = wm_mesh_tile_of(mesh, ref);
    CHECK(other && are_same_ties(mesh, set, fresh, wm_mesh_tile_of(fresh, other)));
    ties += set->tie_first[set->polygon_count];
  }
  CHECK(mesh->link_count == fresh->link_count && mesh->least_cost == fresh->least_cost);
  CHECK(wm_mesh_validate(fresh));
  wm_mesh_destroy(fresh);
  wm_context_destroy(context);
  return ties;
}

static void ties_after_changes_are_those_of_a_fresh_mesh(void) {
  size_t ties = 0;
  for (uint32_t world_seed = 1; world_seed <= CHECK_ROUNDS(60u); world_seed++) {
    uint32_t seed = world_seed;
    WmContext *context = wm_context_create(NULL);
    WmMesh *mesh = make_random_world(context, &seed, world_seed);
    for (int i = 0; i < 12; i++) {
      if (grid_random(&seed) % 3) {
        change_tile(mesh, &seed, world_seed);
      } else {
        put_random(mesh, &seed, world_seed);
      }
      CHECK(wm_mesh_validate(mesh));
      if (i % 4 == 3) ties += compare_with_fresh(mesh);
    }
    wm_mesh_destroy(mesh);
    wm_context_destroy(context);
  }
  CHECK(ties > 500);
}

/* Which links of two generated sets are on, after both were put again: bit i. */
static uint32_t on_after_putting(WmMesh *mesh, const WmSegmentLink *links, uint32_t count, bool afresh) {
  uint32_t on = 0;
  for (int32_t x = 0; x < 2; x++) {
    WmRef ref;
    size_t found_count;
    if (afresh) {
      CHECK_EQUAL_INT(wm_mesh_put_links(mesh, x, 0, 0, NULL, 0, NULL), WM_OK);
      CHECK_EQUAL_INT(wm_mesh_put_links(mesh, x, 0, 0, links + (uint32_t)x * count, count, &ref), WM_OK);
    }
    const WmSegmentLink *found = wm_mesh_links_at(mesh, x, 0, 0, &found_count, &ref);
    CHECK_EQUAL_INT(found_count, count);
    for (uint32_t i = 0; i < count; i++) on |= (uint32_t)found[i].enabled << ((uint32_t)x * count + i);
  }
  return on;
}

/* Links beside each other, from either side of a gap, one-way or not, are switched in any order: those that are off then are also off when
 * their sets are put again, and no others are. */
static void links_are_on_as_if_they_were_put_afresh(void) {
  enum { COUNT = 4, STEPS = 40 };
  uint32_t seed = 3;
  for (int round = 0; round < CHECK_ROUNDS(100); round++) {
    World world = make_world(0);
    WmSegmentLink links[2 * COUNT];
    for (int i = 0; i < 2 * COUNT; i++) {
      const float z = random_float(&seed, 2, 6), width = random_float(&seed, 0.5f, 3);
      const bool is_back = grid_random(&seed) % 2;
      links[i] = is_back ? make_link(16, 0, z, width, (const float[3]){-8, 3, 0})
                         : make_link(8, 3, z, width, (const float[3]){8, -3, 0});
      links[i].kind = WM_SEGMENT_LINK_JUMP;
      links[i].bidirectional = grid_random(&seed) % 2;
    }
    uint32_t on = on_after_putting(world.mesh, links, COUNT, true);
    CHECK_EQUAL_INT(on, 255);
    for (int step = 0; step < STEPS; step++) {
      const int32_t x = (int32_t)(grid_random(&seed) % 2);
      const uint32_t i = grid_random(&seed) % COUNT;
      size_t count;
      WmRef ref;
      (void)wm_mesh_links_at(world.mesh, x, 0, 0, &count, &ref);
      const bool enabled = grid_random(&seed) % 2;
      CHECK_EQUAL_INT(wm_mesh_set_segment_link_enabled(world.mesh, ref + i, enabled), WM_OK);
      on = on_after_putting(world.mesh, links, COUNT, false);
      CHECK_EQUAL_INT(on >> (uint32_t)x * COUNT >> i & 1, enabled);
      CHECK_EQUAL_INT(on_after_putting(world.mesh, links, COUNT, true), on);
    }
    free_world(&world);
  }
}

int main(void) {
  RUN(a_string_passes_straight);
  RUN(strings_cost_their_length_and_the_link);
  RUN(links_turn_strings_by_their_motion);
  RUN(references_live_and_die);
  RUN(a_link_of_a_set_of_its_own_has_a_reference_that_stays);
  RUN(links_wait_for_their_ground);
  RUN(switched_off_links_stay_off);
  RUN(places_switch_the_links_that_exist);
  RUN(pieces_of_a_link_that_is_off_are_off);
  RUN(a_piece_that_is_on_leaves_the_others_off);
  RUN(bidirectional_links_are_off_from_either_side);
  RUN(many_places_switch_off_what_each_would);
  RUN(links_are_on_as_if_they_were_put_afresh);
  RUN(bad_links_are_refused);
  RUN(ties_after_changes_are_those_of_a_fresh_mesh);
  return check_finish();
}
