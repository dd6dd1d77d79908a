/* See surface_stamps.h. */
#include "links/surface_stamps.h"

#include <math.h>
#include <string.h>

#include "base/content_hash.h"
#include "base/sort.h"
#include "bake/tile/tile_hash.h"
#include "mesh/locate.h"

/* Changed edges whose boxes are joined one by one; more are joined to one box. */
enum { JOINED_EDGES = 256 };

/* fminf and fmaxf are calls in WebAssembly. */
static float smaller(float a, float b) { return a < b ? a : b; }
static float larger(float a, float b) { return a > b ? a : b; }

/* ---- Cells -------------------------------------------------------------------------------------------- */

/* The cell of a coordinate; far ones are clamped. */
static int32_t to_cell(const WmLinkGenerator *generator, int axis, float value, float margin) {
  const float cells = (value - generator->bake.bounds_min[2 * axis]) / generator->bake.cell_size + margin;
  return (int32_t)floorf(larger(-1e9f, smaller(cells, 1e9f)));
}

WmCellRectangle wm_find_cells(const WmLinkGenerator *generator, const float low[2], const float high[2],
                              float margin) {
  WmCellRectangle cells;
  for (int axis = 0; axis < 2; axis++) {
    cells.low[axis] = to_cell(generator, axis, low[axis], -margin);
    cells.high[axis] = to_cell(generator, axis, high[axis], margin) + 1;
  }
  return cells;
}

/* ---- Lists -------------------------------------------------------------------------------------------- */

/* Allocates a list; it is complete if it has none, and incomplete without memory. */
static WmStampList allocate_stamps(const WmLinkGenerator *generator, size_t count, size_t shape_count) {
  WmLayout layout = {0};
  if (count + shape_count == 0) return (WmStampList){.is_complete = true};
  wm_layout_add(&layout, count, sizeof(WmStamp));
  const size_t shape_at = wm_layout_add(&layout, shape_count, sizeof(uint64_t));
  uint8_t *block = wm_layout_allocate(generator->context, &layout);
  if (!block) return (WmStampList){0};
  return (WmStampList){.stamps = (WmStamp *)(void *)block,
                       .shapes = (uint64_t *)(void *)(block + shape_at),
                       .count = (uint32_t)count,
                       .shape_count = (uint32_t)shape_count,
                       .bytes = layout.bytes,
                       .is_complete = true};
}

WmStampList wm_stamp_volumes(const WmLinkGenerator *generator, const WmAreaVolume *volumes, size_t count) {
  const WmStampList list = allocate_stamps(generator, count, 0);
  for (uint32_t i = 0; i < list.count; i++) {
    WmContentHash hash = wm_content_hash_start();
    float low[3], high[3];
    wm_hash_area_volume(&hash, &volumes[i]);
    wm_content_hash_finish(&hash);
    wm_find_volume_bounds(generator->context, &volumes[i], low, high);
    list.stamps[i] = (WmStamp){
        hash.lanes[0] & ~UINT64_C(1),
        wm_find_cells(generator, (const float[2]){low[0], low[2]}, (const float[2]){high[0], high[2]}, 1)};
  }
  return list;
}

/* ---- Polygons ----------------------------------------------------------------------------------------- */

uint64_t wm_polygon_hash(const WmMeshTile *tile, uint32_t polygon) {
  const WmTileDetail *detail = &tile->details[polygon];
  const uint32_t head[2] = {tile->polygon_size[polygon], detail->triangle_count};
  WmContentHash hash = wm_content_hash_start();
  wm_content_hash_words(&hash, head, 2);
  for (uint32_t k = 0; k < tile->polygon_size[polygon]; k++) {
    wm_content_hash_words(&hash, wm_tile_vertex(tile, polygon, k), 3);
  }
  wm_content_hash_words(&hash, tile->detail_vertices + 3 * (size_t)detail->first_vertex,
                        3 * (size_t)detail->vertex_count);
  wm_content_hash_words(&hash, tile->detail_triangles + 4 * (size_t)detail->first_triangle,
                        detail->triangle_count);
  wm_content_hash_finish(&hash);
  return hash.lanes[0];
}

/* The cells of a polygon and those beside it. */
static WmCellRectangle polygon_cells(const WmLinkGenerator *generator, const WmMeshTile *tile,
                                     uint32_t polygon) {
  float low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
  for (uint32_t k = 0; k < tile->polygon_size[polygon]; k++) {
    const float *vertex = wm_tile_vertex(tile, polygon, k);
    for (int axis = 0; axis < 2; axis++) {
      low[axis] = smaller(low[axis], vertex[2 * axis]);
      high[axis] = larger(high[axis], vertex[2 * axis]);
    }
  }
  return wm_find_cells(generator, low, high, 1);
}

/* True if all of a polygon's surface has the height of its first vertex. */
static bool is_flat(const WmMeshTile *tile, uint32_t polygon) {
  const WmTileDetail *detail = &tile->details[polygon];
  const float height = wm_tile_vertex(tile, polygon, 0)[1];
  bool is_level = true;
  for (uint32_t k = 1; k < tile->polygon_size[polygon]; k++)
    is_level &= wm_tile_vertex(tile, polygon, k)[1] == height;
  for (uint32_t k = 0; k < detail->vertex_count; k++)
    is_level &= tile->detail_vertices[3 * (size_t)(detail->first_vertex + k) + 1] == height;
  return is_level;
}

/* The polygon across an edge; UINT32_MAX: none in the tile. */
static uint32_t polygon_across(const WmMeshTile *tile, uint32_t polygon, uint32_t edge) {
  const uint16_t neighbour = tile->polygon_neighbours[WM_TILE_VERTICES_PER_POLYGON * (size_t)polygon + edge];
  return neighbour == 0 || neighbour & WM_TILE_PORTAL ? UINT32_MAX : neighbour - 1u;
}

/* The stamp of a flat polygon's edge. Which polygon is the ground of a cell beside one that isn't flat depends on the polygon. */
static WmStamp stamp_edge(const WmLinkGenerator *generator, const WmMeshTile *tile, uint32_t polygon,
                          uint32_t edge, uint64_t polygon_hash) {
  const float *first = wm_tile_vertex(tile, polygon, edge), *second = wm_tile_vertex(tile, polygon, edge + 1);
  const float low[2] = {smaller(first[0], second[0]), smaller(first[2], second[2])},
              high[2] = {larger(first[0], second[0]), larger(first[2], second[2])};
  WmContentHash hash = wm_content_hash_start();
  wm_content_hash_words(&hash, first, 3);
  wm_content_hash_words(&hash, second, 3);
  wm_content_hash_words(&hash, &polygon_hash, 2);
  wm_content_hash_finish(&hash);
  return (WmStamp){hash.lanes[0] | 1, wm_find_cells(generator, low, high, 1)};
}

/* Stamps a polygon.
 * in         flat: of each polygon of the tile
 * returns    the end of the stamps */
static WmStamp *stamp_polygon(const WmLinkGenerator *generator, const WmMeshTile *tile, uint32_t polygon,
                              uint64_t hash, const bool *flat, WmStamp *stamp) {
  if (!flat[polygon]) {
    *stamp++ = (WmStamp){hash & ~UINT64_C(1), polygon_cells(generator, tile, polygon)};
    return stamp;
  }
  for (uint32_t k = 0; k < tile->polygon_size[polygon]; k++) {
    const uint32_t other = polygon_across(tile, polygon, k);
    const bool is_inner = other < tile->ground_count;
    if (is_inner && flat[other]) continue; /* they share vertices, so both have the same height */
    *stamp++ = stamp_edge(generator, tile, polygon, k, is_inner ? hash : 0);
  }
  return stamp;
}

WmStatus wm_hash_surface(WmContext *context, const WmMesh *mesh, int32_t x, int32_t z,
                         WmSurfaceHashes *hashes) {
  size_t count = 0;
  for (const WmMeshTile *tile = NULL; (tile = wm_mesh_next_layer(mesh, x, z, tile));)
    count += tile->ground_count;
  *hashes = (WmSurfaceHashes){.polygons = wm_scratch_array(context, count, sizeof *hashes->polygons),
                              .count = count};
  if (!hashes->polygons) return WM_ERROR_OUT_OF_MEMORY;
  WmContentHash key = wm_content_hash_start();
  uint64_t *next = hashes->polygons;
  for (const WmMeshTile *tile = NULL; (tile = wm_mesh_next_layer(mesh, x, z, tile));) {
    for (uint32_t i = 0; i < tile->ground_count; i++) next[i] = wm_polygon_hash(tile, i);
    wm_content_hash_words(&key, &tile->ground_count, 1);
    wm_content_hash_words(&key, next, 2 * (size_t)tile->ground_count);
    next += tile->ground_count;
  }
  wm_content_hash_finish(&key);
  hashes->key = key.lanes[0] | 1;
  return WM_OK;
}

WmStampList wm_stamp_surface(const WmLinkGenerator *generator, const WmMesh *mesh, int32_t x, int32_t z,
                             const WmSurfaceHashes *hashes) {
  WmContext *context = generator->context;
  const WmScratchMark mark = wm_scratch_mark(context);
  WmStamp *stamps = wm_scratch_array(context, hashes->count * WM_TILE_VERTICES_PER_POLYGON, sizeof *stamps),
          *end = stamps;
  bool *flat = wm_scratch_array(context, hashes->count, sizeof *flat), *next = flat;
  const uint64_t *hash = hashes->polygons;
  for (const WmMeshTile *tile = NULL; stamps && flat && (tile = wm_mesh_next_layer(mesh, x, z, tile));) {
    for (uint32_t i = 0; i < tile->ground_count; i++) next[i] = is_flat(tile, i);
    for (uint32_t i = 0; i < tile->ground_count; i++)
      end = stamp_polygon(generator, tile, i, hash[i], next, end);
    next += tile->ground_count;
    hash += tile->ground_count;
  }
  WmStampList list = {0};
  if (stamps && flat) list = allocate_stamps(generator, (size_t)(end - stamps), hashes->count);
  if (list.count) memcpy(list.stamps, stamps, list.count * sizeof *stamps);
  for (uint32_t i = 0; i < list.shape_count; i++) list.shapes[i] = flat[i] ? 0 : hashes->polygons[i];
  wm_scratch_rewind(context, mark);
  return list;
}

uint64_t wm_stamp_sample(const WmMesh *mesh, int32_t x, int32_t z, const WmStampList *list,
                         const float point[2]) {
  const float at[3] = {point[0], 0, point[1]};
  uint64_t sum = 0;
  uint32_t number = 0;
  for (const WmMeshTile *tile = NULL; (tile = wm_mesh_next_layer(mesh, x, z, tile));) {
    for (uint32_t i = 0; i < tile->ground_count && number < list->shape_count; i++) {
      if (list->shapes[number++] != 0 || !wm_tile_contains(tile, i, at)) continue;
      uint32_t height;
      memcpy(&height, wm_tile_vertex(tile, i, 0) + 1, sizeof height);
      sum += (height + UINT64_C(1)) * UINT64_C(0x9e3779b97f4a7c15);
    }
  }
  return sum;
}

/* ---- Differences -------------------------------------------------------------------------------------- */

/* Sorts stamps by the lower half of their hashes. */
static void sort_stamps(const WmStampList *list, WmSortItem *items) {
  for (uint32_t i = 0; i < list->count; i++) items[i] = (WmSortItem){(uint32_t)list->stamps[i].hash, i};
  wm_sort_stable(items, items + list->count, list->count);
}

static bool is_among(uint64_t hash, const WmStampList *list, const WmSortItem *items) {
  for (size_t i = wm_sort_find(items, list->count, (uint32_t)hash);
       i < list->count && items[i].key == (uint32_t)hash; i++) {
    if (list->stamps[items[i].value].hash == hash) return true;
  }
  return false;
}

/* Joins rectangles that overlap until none do; many are joined to one.
 * returns    the number of those that are left */
static size_t join_overlapping(WmCellRectangle *cells, size_t count) {
  if (count > JOINED_EDGES) {
    for (size_t i = 1; i < count; i++) wm_cells_join(&cells[0], &cells[i]);
    return 1;
  }
  for (bool joined = true; joined;) {
    joined = false;
    for (size_t i = 0; i < count; i++) {
      for (size_t k = i + 1; k < count; k++) {
        if (!wm_cells_overlap(&cells[i], &cells[k])) continue;
        wm_cells_join(&cells[i], &cells[k]);
        cells[k--] = cells[--count];
        joined = true;
      }
    }
  }
  return count;
}

WmStatus wm_stamps_differ(WmContext *context, const WmStampList *before, const WmStampList *after,
                          WmCellRectangle *cells, size_t *count) {
  const WmStampList *lists[2] = {before, after};
  WmSortItem *items[2];
  *count = 0;
  for (int i = 0; i < 2; i++) {
    items[i] = wm_scratch_array(context, 2 * (size_t)lists[i]->count, sizeof **items);
    if (!items[i]) return WM_ERROR_OUT_OF_MEMORY;
    sort_stamps(lists[i], items[i]);
  }
  for (int edges = 1; edges >= 0; edges--) {
    for (int i = 0; i < 2; i++) {
      for (uint32_t k = 0; k < lists[i]->count; k++) {
        const WmStamp *stamp = &lists[i]->stamps[k];
        if ((int)(stamp->hash & 1) == edges && !is_among(stamp->hash, lists[1 - i], items[1 - i]))
          cells[(*count)++] = stamp->cells;
      }
    }
    if (edges) *count = join_overlapping(cells, *count);
  }
  return WM_OK;
}
