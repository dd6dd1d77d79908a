/* Dead ends: repeatedly removes polygons with one way out. See dead_ends.h. */
#include "query/shortest/dead_ends.h"

/* Added to the number of ways out of polygons that stay. */
#define STAYS (1u << 16)

static bool is_at_border(const WmMeshTile *tile, uint32_t polygon) {
  const uint16_t *codes = tile->polygon_neighbours + (size_t)WM_TILE_VERTICES_PER_POLYGON * polygon;
  for (uint32_t k = 0; k < tile->polygon_size[polygon]; k++) {
    if (codes[k] & WM_TILE_PORTAL) return true;
  }
  return false;
}

/* Counts the ways out of a polygon. */
static void count_ways(const WmMeshTile *tile, const WmFilter *filter, uint32_t polygon,
                       WmDeadEnd *dead_ends) {
  if (is_at_border(tile, polygon)) dead_ends[polygon].stamp |= STAYS;
  for (uint32_t i = tile->link_first[polygon]; i < tile->link_first[polygon + 1]; i++) {
    const WmLink *link = tile->links + i;
    if (link->slot != tile->slot || link->polygon >= tile->ground_count) {
      dead_ends[polygon].stamp |= STAYS;
    } else if (wm_filter_passes(filter, tile->polygon_flags[link->polygon])) {
      dead_ends[polygon].stamp++;
      if (tile->link_backs[i] != WM_NO_BACK) continue;
      dead_ends[polygon].stamp |= STAYS;
      dead_ends[link->polygon].stamp |= STAYS;
    }
  }
}

/* The polygon behind the one way out of another. */
static uint32_t find_next(const WmMeshTile *tile, const WmFilter *filter, uint32_t polygon,
                          const WmDeadEnd *dead_ends) {
  for (uint32_t i = tile->link_first[polygon]; i < tile->link_first[polygon + 1]; i++) {
    const uint32_t next = tile->links[i].polygon;
    if (dead_ends[next].next == WM_NO_DEAD_END && wm_filter_passes(filter, tile->polygon_flags[next]))
      return next;
  }
  return WM_NO_DEAD_END;
}

void wm_dead_ends_find(const WmMeshTile *tile, const WmFilter *filter, WmDeadEnd *dead_ends) {
  for (uint32_t p = 0; p < tile->ground_count; p++) dead_ends[p] = (WmDeadEnd){.next = WM_NO_DEAD_END};
  for (uint32_t p = 0; p < tile->ground_count; p++) {
    if (wm_filter_passes(filter, tile->polygon_flags[p])) count_ways(tile, filter, p, dead_ends);
  }
  for (uint32_t p = 0; p < tile->ground_count; p++) {
    for (uint32_t at = p; dead_ends[at].stamp == 1; at = dead_ends[at].next) {
      dead_ends[at].next = find_next(tile, filter, at, dead_ends);
      if (dead_ends[at].next == WM_NO_DEAD_END) break;
      dead_ends[at].stamp = 0;
      dead_ends[dead_ends[at].next].stamp--;
    }
  }
  for (uint32_t p = 0; p < tile->ground_count; p++) dead_ends[p].stamp = 0;
}

static void open_from(uint32_t polygon, uint32_t stamp, WmDeadEnd *dead_ends) {
  for (uint32_t at = polygon; dead_ends[at].next != WM_NO_DEAD_END && dead_ends[at].stamp != stamp;
       at = dead_ends[at].next) {
    dead_ends[at].stamp = stamp;
  }
}

void wm_dead_ends_open(const WmMeshTile *tile, const WmFilter *filter, uint32_t polygon, uint32_t stamp,
                       WmDeadEnd *dead_ends) {
  open_from(polygon, stamp, dead_ends);
  if (wm_filter_passes(filter, tile->polygon_flags[polygon])) return;
  /* The start may be a polygon that doesn't pass: its neighbours don't count it as a way out. */
  for (uint32_t i = tile->link_first[polygon]; i < tile->link_first[polygon + 1]; i++) {
    const WmLink *link = tile->links + i;
    if (link->slot == tile->slot && link->polygon < tile->ground_count)
      open_from(link->polygon, stamp, dead_ends);
  }
}
