/* The ring of ear clipping. See ear_ring.h. */
#include "bake/ear_ring.h"

static WmStatus add_edge(WmEarRing *ring, uint32_t from, uint32_t to) {
  if (!ring->has_grid) return WM_OK;
  ring->edge_from[ring->edge_count] = from;
  ring->edge_to[ring->edge_count] = to;
  return wm_segment_grid_add(ring->context, &ring->grid, ring->points[from], ring->points[to],
                             ring->edge_count++);
}

static WmStatus start_grid(WmEarRing *ring) {
  const WmPlanarPoint *points = ring->points;
  WmPlanarPoint least = points[0], most = points[0];
  uint64_t length = 0;
  for (uint32_t i = 0; i < ring->count; i++) {
    const WmPlanarPoint a = points[i], b = points[ring->next[i]];
    if (a.x < least.x) least.x = a.x;
    if (a.z < least.z) least.z = a.z;
    if (a.x > most.x) most.x = a.x;
    if (a.z > most.z) most.z = a.z;
    length += (uint64_t)(a.x > b.x ? a.x - b.x : b.x - a.x) + (uint64_t)(a.z > b.z ? a.z - b.z : b.z - a.z);
  }
  const WmStatus status = wm_segment_grid_start(ring->context, least, most, ring->count, length, &ring->grid);
  if (status) return status;
  /* One edge more for each vertex cut off. */
  ring->edge_from = wm_scratch_array(ring->context, 2 * (size_t)ring->count, sizeof *ring->edge_from);
  ring->edge_to = wm_scratch_array(ring->context, 2 * (size_t)ring->count, sizeof *ring->edge_to);
  return ring->edge_from && ring->edge_to ? WM_OK : WM_ERROR_OUT_OF_MEMORY;
}

WmStatus wm_ear_ring_start(WmContext *context, const WmPlanarPoint *points, uint32_t count, WmEarRing *ring) {
  *ring = (WmEarRing){.context = context, .points = points, .count = count};
  ring->next = wm_scratch_array(context, count, sizeof *ring->next);
  ring->previous = wm_scratch_array(context, count, sizeof *ring->previous);
  if (!ring->next || !ring->previous) return WM_ERROR_OUT_OF_MEMORY;
  for (uint32_t i = 0; i < count; i++) {
    ring->next[i] = i + 1 == count ? 0 : i + 1;
    ring->previous[i] = i == 0 ? count - 1 : i - 1;
  }
  if (count < WM_EAR_GRID_FROM) return WM_OK;
  ring->has_grid = true;
  WmStatus status = start_grid(ring);
  for (uint32_t i = 0; i < count && !status; i++) status = add_edge(ring, i, ring->next[i]);
  return status;
}

WmStatus wm_ear_ring_cut(WmEarRing *ring, uint32_t vertex) {
  const uint32_t before = ring->previous[vertex], after = ring->next[vertex];
  ring->next[before] = after;
  ring->previous[after] = before;
  ring->next[vertex] = WM_EAR_NONE;
  if (ring->first == vertex) ring->first = after;
  ring->count--;
  return add_edge(ring, before, after);
}
