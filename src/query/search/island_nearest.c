/* The point of an island that is nearest to a position on another one: the end of a path towards that
 * position.
 *
 * Searches boxes around the position, each twice as wide as the one before, until the best point lies within
 * the box: then no point outside can be nearer. Tiles, and nodes of their trees, that are farther away than
 * the best are skipped. */
#include "mesh/locate.h"
#include "query/query_internal.h"
#include "query/search/islands.h"

typedef struct IslandSearch {
  const WmIslands *islands;
  uint32_t island;
  const float *position;
  float squared; /* squared distance of the best */
  WmNearest best;
} IslandSearch;

/* Squared distance from the position to a box, less what rounding may have added. */
static float distance_to_box(const IslandSearch *search, const float low[3], const float high[3]) {
  float sum = 0;
  for (int axis = 0; axis < 3; axis++) {
    const float below = low[axis] - search->position[axis], above = search->position[axis] - high[axis];
    const float away = below > above ? below : above;
    if (away > 0) sum += away * away;
  }
  return sum * 0.9999f;
}

static void consider(IslandSearch *search, const WmMeshTile *tile, uint32_t polygon) {
  const WmRef ref = tile->ref + polygon;
  if (wm_islands_of(search->islands, ref) != search->island) return;
  float closest[3];
  const bool over = wm_tile_closest_point(tile, polygon, search->position, true, closest);
  const float x = closest[0] - search->position[0], y = closest[1] - search->position[1],
              z = closest[2] - search->position[2];
  const float squared = x * x + y * y + z * z;
  if (!(squared < search->squared)) return;
  search->squared = squared;
  search->best = (WmNearest){ref, {closest[0], closest[1], closest[2]}, over};
}

/* Boxes of nodes are in cells above the tile's minimum, truncated at their high ends; on y surfaces may lie
 * beside them. */
static bool is_node_near(const IslandSearch *search, const WmMeshTile *tile, const WmTileNode *node) {
  float low[3], high[3];
  for (int axis = 0; axis < 3; axis++) {
    const float slack = axis == 1 ? 0.5f + tile->node_rise : 0.5f;
    low[axis] = tile->bounds_min[axis] + ((float)node->low[axis] - slack) / tile->cells_per_unit;
    high[axis] = tile->bounds_min[axis] + ((float)node->high[axis] + 1 + slack) / tile->cells_per_unit;
  }
  return distance_to_box(search, low, high) < search->squared;
}

static void search_tile(IslandSearch *search, const WmMeshTile *tile) {
  if (!(distance_to_box(search, tile->bounds_min, tile->bounds_max) < search->squared)) return;
  for (uint32_t i = 0; i < tile->node_count;) {
    const WmTileNode *node = &tile->nodes[i];
    const bool near = is_node_near(search, tile, node);
    if (near && node->index >= 0) consider(search, tile, (uint32_t)node->index);
    i += node->index >= 0 || near ? 1 : (uint32_t)-node->index;
  }
  for (uint32_t p = 0; tile->node_count == 0 && p < tile->ground_count; p++) consider(search, tile, p);
}

WmNearest wm_islands_nearest(const WmIslands *islands, const WmMesh *mesh, uint32_t island,
                             const float position[3]) {
  IslandSearch search = {.islands = islands, .island = island, .position = position, .squared = INFINITY};
  WmBoxTiles tiles = {0};
  float half = wm_mesh_parameters(mesh)->tile_width;
  while (!tiles.by_slot) {
    const float low[3] = {position[0] - half, 0, position[2] - half};
    const float high[3] = {position[0] + half, 0, position[2] + half};
    wm_box_tiles_begin(&tiles, mesh, low, high);
    for (const WmMeshTile *tile; (tile = wm_box_tiles_next(&tiles)) != NULL;) search_tile(&search, tile);
    if (search.squared < half * half) break;
    half *= 2;
  }
  return search.best;
}
