/* Reaches of searches that failed. See unreachable.h. */
#include "query/query_internal.h"

enum { REACH_LIMIT = 255 };

static WmReachTile *tiles_of(const WmQuery *query) { return query->arrays[WM_QUERY_REACH_TILES].items; }
static uint8_t *numbers_of(const WmQuery *query) { return query->arrays[WM_QUERY_REACHES].items; }

static bool is_current(const WmQuery *query, const WmFilter *filter) {
  const WmReaches *reaches = &query->reaches;
  return reaches->count > 0 && reaches->version == wm_mesh_version(query->mesh) &&
         reaches->include_flags == filter->include_flags && reaches->exclude_flags == filter->exclude_flags;
}

/* The number of the reach that a polygon belongs to; 0: none. */
static uint8_t reach_of(const WmQuery *query, uint32_t slot, uint32_t polygon) {
  const WmReachTile *tile = tiles_of(query) + slot;
  return tile->stamp == query->reaches.stamp ? numbers_of(query)[tile->first + polygon] : 0;
}

bool wm_is_unreachable(const WmQuery *query, const WmFilter *filter, WmRef start, WmRef end) {
  if (!is_current(query, filter)) return false;
  const uint8_t reach = reach_of(query, wm_ref_slot(start), wm_ref_polygon(start));
  return reach && reach_of(query, wm_ref_slot(end), wm_ref_polygon(end)) != reach;
}

static WmStatus forget(WmQuery *query, const WmFilter *filter) {
  WmReaches *reaches = &query->reaches;
  reaches->version = wm_mesh_version(query->mesh);
  reaches->include_flags = filter->include_flags;
  reaches->exclude_flags = filter->exclude_flags;
  reaches->count = 0;
  reaches->polygon_count = 0;
  const WmStatus status =
      wm_query_reserve(query, WM_QUERY_REACH_TILES, WM_QUERY_REACH_TILES, wm_mesh_slot_count(query->mesh));
  if (++reaches->stamp == 0) {
    reaches->stamp = 1;
    memset(tiles_of(query), 0, query->arrays[WM_QUERY_REACH_TILES].capacity * sizeof(WmReachTile));
  }
  return status;
}

/* Finds the numbers of a tile's polygons; makes them where no search has met the tile. NULL: out of memory. */
static uint8_t *numbers_in(WmQuery *query, const WmNode *node) {
  WmReaches *reaches = &query->reaches;
  WmReachTile *tile = tiles_of(query) + node->slot;
  if (tile->stamp != reaches->stamp) {
    const size_t count = wm_mesh_tile(query->mesh, node->slot)->polygon_count;
    if (wm_query_reserve(query, WM_QUERY_REACHES, WM_QUERY_REACHES, reaches->polygon_count + count))
      return NULL;
    *tile = (WmReachTile){reaches->stamp, reaches->polygon_count};
    memset(numbers_of(query) + tile->first, 0, count);
    reaches->polygon_count += (uint32_t)count;
  }
  return numbers_of(query) + tile->first;
}

/* Numbers all polygons that have nodes.
 * out        *overlaps: some have another number
 * returns    WM_OK, WM_ERROR_OUT_OF_MEMORY */
static WmStatus number_nodes(WmQuery *query, bool *overlaps) {
  const uint8_t reach = ++query->reaches.count;
  const uint32_t *pushed = query->nodes.pushed.items;
  *overlaps = false;
  for (uint32_t i = 1; i <= query->nodes.sequence; i++) {
    const WmNode *node = wm_nodes_items(&query->nodes) + pushed[i];
    uint8_t *numbers = numbers_in(query, node);
    if (!numbers) return WM_ERROR_OUT_OF_MEMORY;
    uint8_t *number = numbers + node->polygon;
    *overlaps |= *number && *number != reach;
    *number = reach;
  }
  return WM_OK;
}

WmStatus wm_note_unreachable(WmQuery *query, const WmFilter *filter) {
  bool overlaps = true;
  WmStatus status = WM_OK;
  if (is_current(query, filter) && query->reaches.count < REACH_LIMIT)
    status = number_nodes(query, &overlaps);
  if (!status && overlaps) {
    status = forget(query, filter);
    if (!status) status = number_nodes(query, &overlaps);
  }
  if (status) query->reaches.count = 0;
  return status;
}
