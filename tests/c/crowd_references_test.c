/* Crowds don't depend on the references of polygons: on a mesh with the same tiles and other references, as one that was loaded,
 * all agents do the same. */
#include "crowd/crowd_internal.h"
#include "crowd_trace.h"
#include "lane_world.h"

/* Rooms, and two lanes between them: agents that wait for long look for the other one. */
static WmMesh *make_two_lanes(WmContext *context, float length) {
  LaneMaze maze = {.side = 1};
  maze_add(&maze, 0, 0, 8, 12);
  maze_add(&maze, 8 + length, 0, 16 + length, 12);
  maze_add(&maze, 8, 2.2f, 8 + length, 3.8f);
  maze_add(&maze, 8, 8.2f, 8 + length, 9.5f);
  return maze_bake(context, &maze);
}

static void open_lanes(TracedCrowd *traced, WmContext *context, uint32_t seed, bool changes) {
  WmMesh *mesh = make_two_lanes(context, 4 + (float)(seed % 4));
  for (uint32_t i = 0; changes && i <= seed % 3; i++) change_references(mesh);
  open_traced(traced, context, mesh, NULL, seed);
  traced_add(traced, 30, 3);
  traced_send_all(traced);
}

static void agents_at_passages_do_the_same_whatever_the_references_are(void) {
  static TracedCrowd first, second;
  for (uint32_t seed = 1; seed <= 12; seed++) {
    WmContext *context = wm_context_create(NULL);
    open_lanes(&first, context, seed, false);
    open_lanes(&second, context, seed, true);
    for (int i = 0; i < 40; i++) {
      traced_run(&first, 10, TRACED_ORDERS, 3);
      traced_run(&second, 10, TRACED_ORDERS, 3);
      CHECK(wm_crowd_hash(first.crowd) == wm_crowd_hash(second.crowd));
    }
    close_traced(&first);
    close_traced(&second);
    wm_context_destroy(context);
  }
}

/* Keys of passages are made of those of polygons and of the number of their mesh, 0 and up. */
static void no_polygon_has_the_key_of_none(void) {
  WmContext *context = wm_context_create(NULL);
  WmMesh *mesh = make_grid_mesh(context);
  add_block(mesh, -1, -1, 3, 3, 0);
  for (size_t slot = 0; slot < wm_mesh_slot_count(mesh); slot++) {
    const WmMeshTile *tile = wm_mesh_tile(mesh, slot);
    for (uint32_t p = 0; p < tile->polygon_count; p++)
      CHECK(wm_crowd_polygon_key(mesh, tile->ref + p) > UINT32_MAX);
  }
  wm_mesh_destroy(mesh);
  wm_context_destroy(context);
}

int main(void) {
  RUN(no_polygon_has_the_key_of_none);
  RUN(agents_at_passages_do_the_same_whatever_the_references_are);
  return check_finish();
}
