/* The place of an island that is nearest to a point of another one: where a path to that point ends.
 *
 * Boxes around the point, each twice as wide as the one before, until what was found lies within the box:
 * then nothing outside of it can be nearer. Tiles and nodes of their trees that lie farther off than the best
 * are passed over. */
#include "mesh/locate.h"
#include "query/query_internal.h"
#include "query/search/islands.h"

typedef struct IslandSearch {
  const WmIslands *islands;
  uint32_t island;
  const float *point;
  float squared; /* distance of the best */
  WmNearest best;
} IslandSearch;

/* Squared distance from the point to a box, at most as far as rounding lets it be. */
static float distance_to_box(const IslandSearch *search, const float low[3], const float high[3]) {
  float sum = 0;
  for (int axis = 0; axis < 3; axis++) {
    const float below = low[axis] - search->point[axis], above = search->point[axis] - high[axis];
    const float away = below > above ? below : above;
    if (away > 0) sum += away * away;
  }
  return sum * 0.9999f;
}

static void consider(IslandSearch *search, const WmMeshTile *tile, uint32_t polygon) {
  const WmRef ref = tile->ref + polygon;
  if (wm_islands_of(search->islands, ref) != search->island) return;
  float closest[3];
  const bool over = wm_tile_closest_point(tile, polygon, search->point, true, closest);
  const float x = closest[0] - search->point[0], y = closest[1] - search->point[1],
              z = closest[2] - search->point[2];
  const float squared = x * x + y * y + z * z;
  if (!(squared < search->squared)) return;
  search->squared = squared;
  search->best = (WmNearest){ref, {closest[0], closest[1], closest[2]}, over};
}

/* Boxes of nodes are in cells above the tile's minimum, truncated at their high ends; on y surfaces lie
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
                             const float point[3]) {
  IslandSearch search = {.islands = islands, .island = island, .point = point, .squared = INFINITY};
  WmBoxTiles tiles = {0};
  float half = wm_mesh_parameters(mesh)->tile_width;
  while (!tiles.by_slot) {
    const float low[3] = {point[0] - half, 0, point[2] - half};
    const float high[3] = {point[0] + half, 0, point[2] + half};
    wm_box_tiles_begin(&tiles, mesh, low, high);
    for (const WmMeshTile *tile; (tile = wm_box_tiles_next(&tiles)) != NULL;) search_tile(&search, tile);
    if (search.squared < half * half) break;
    half *= 2;
  }
  return search.best;
}
