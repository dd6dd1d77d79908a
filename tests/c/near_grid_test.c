/* The grid over a tile's tree: for each search box, its lists hold the leaves that the tree has there. */
#include "mesh/tile/near_grid.h"

#include "golden_queries.h"
#include "grid_tiles.h"

/* The next leaf from node `at` on that touches a box, or node_count. */
static uint32_t next_leaf(const WmMeshTile *tile, uint32_t at, const int32_t low[3], const int32_t high[3]) {
  for (; at < tile->node_count; at++) {
    const WmTileNode *node = &tile->nodes[at];
    bool touches = node->index >= 0;
    for (int axis = 0; axis < 3; axis++)
      touches &= node->low[axis] <= high[axis] && node->high[axis] >= low[axis];
    if (touches) return at;
  }
  return at;
}

/* Compares the list of a box with the tree. Returns the number of its leaves. */
static int compare(const WmMeshTile *tile, const int32_t low[3], const int32_t high[3]) {
  const WmNearGrid *grid = &tile->near_grid;
  const WmNearBox box = wm_near_box(low, high);
  const uint32_t cell = wm_near_cell(grid, low), cells = grid->width * grid->depth;
  uint32_t expected = next_leaf(tile, 0, low, high);
  int found = 0;
  for (uint32_t i = cell < cells ? grid->first[cell] : 0; cell < cells && i < grid->first[cell + 1]; i++) {
    if (!wm_near_touches(&tile->nodes[grid->nodes[i]], &box)) continue;
    CHECK_EQUAL_INT(grid->nodes[i], expected);
    expected = next_leaf(tile, expected + 1, low, high);
    found++;
  }
  CHECK_EQUAL_INT(expected, tile->node_count);
  return found;
}

static void lists_hold_the_leaves_of_the_tree(void) {
  uint32_t random = 3;
  for (int s = 0; s < GOLDEN_SCENE_COUNT; s++) {
    Golden golden;
    if (!open_golden(GOLDEN_SCENES[s], &golden)) continue;
    const WmMeshTile *tile = wm_mesh_tile(golden.mesh, 0);
    CHECK(tile->near_grid.width > 1 && tile->near_grid.depth > 1);
    int found = 0;
    for (int i = 0; i < CHECK_ROUNDS(20000); i++) {
      const WmTileNode *node = &tile->nodes[grid_random(&random) % tile->node_count];
      int32_t low[3], high[3];
      for (int axis = 0; axis < 3; axis++) {
        low[axis] = (grid_random(&random) % 2 ? node->low[axis] : node->high[axis]) - 10 +
                    (int32_t)(grid_random(&random) % 20);
        if (low[axis] < 0 || grid_random(&random) % 50 == 0) low[axis] = 0;
        if (grid_random(&random) % 500 == 0) low[axis] = 65535 - WM_NEAR_BOX;
        high[axis] = low[axis] + (int32_t)(grid_random(&random) % (WM_NEAR_BOX + 1));
      }
      CHECK(wm_near_grid_fits(&tile->near_grid, low, high));
      found += compare(tile, low, high);
    }
    CHECK(found > CHECK_ROUNDS(10000));
    close_golden(&golden);
  }
}

static void larger_boxes_do_not_fit(void) {
  const WmNearGrid grid = {.shift = 3, .width = 2, .depth = 2}, none = {.width = 0};
  const int32_t low[3] = {5, 0, 5};
  for (int axis = 0; axis < 3; axis++) {
    int32_t high[3] = {5, 0, 5};
    CHECK(wm_near_grid_fits(&grid, low, high) && !wm_near_grid_fits(&none, low, high));
    high[axis] += WM_NEAR_BOX + 1;
    CHECK(wm_near_grid_fits(&grid, low, high) == (axis == 1));
  }
}

static void tiles_of_few_leaves_have_no_grid(void) {
  WmContext *context = wm_context_create(NULL);
  WmMesh *mesh = make_grid_mesh(context);
  const GridTile few = {.x = 0, .tree = true, .seed = 1};
  const WmMeshTile *tile = wm_mesh_tile_of(mesh, add_grid_tile(mesh, &few));
  CHECK_EQUAL_INT(tile->near_grid.width > 0, tile->leaf_count > WM_NEAR_FEW_LEAVES);
  wm_mesh_destroy(mesh);
  wm_context_destroy(context);
}

int main(void) {
  RUN(lists_hold_the_leaves_of_the_tree);
  RUN(larger_boxes_do_not_fit);
  RUN(tiles_of_few_leaves_have_no_grid);
  return check_finish();
}
