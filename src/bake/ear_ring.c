/* The ring of ear clipping. See ear_ring.h. */
#include "bake/ear_ring.h"

WmStatus wm_ear_ring_start(WmContext *context, const WmPlanarPoint *points, uint32_t count, WmEarRing *ring) {
  *ring = (WmEarRing){.context = context, .points = points, .count = count};
  ring->next = wm_scratch_array(context, count, sizeof *ring->next);
  ring->previous = wm_scratch_array(context, count, sizeof *ring->previous);
  if (!ring->next || !ring->previous) return WM_ERROR_OUT_OF_MEMORY;
  for (uint32_t i = 0; i < count; i++) {
    ring->next[i] = i + 1 == count ? 0 : i + 1;
    ring->previous[i] = i == 0 ? count - 1 : i - 1;
  }
  ring->has_tree = count >= WM_EAR_TREE_FROM;
  if (!ring->has_tree) return WM_OK;
  const WmStatus status = wm_box_tree_start(context, count, &ring->edges);
  if (status) return status;
  for (uint32_t i = 0; i < count; i++) {
    if (!wm_box_tree_put(&ring->edges, i, points[i], points[ring->next[i]])) return WM_ERROR_OUT_OF_MEMORY;
  }
  wm_box_tree_finish(&ring->edges);
  return WM_OK;
}

WmStatus wm_ear_ring_cut(WmEarRing *ring, uint32_t vertex) {
  const uint32_t before = ring->previous[vertex], after = ring->next[vertex];
  ring->next[before] = after;
  ring->previous[after] = before;
  ring->next[vertex] = WM_EAR_NONE;
  if (ring->first == vertex) ring->first = after;
  ring->count--;
  if (!ring->has_tree) return WM_OK;
  wm_box_tree_clear(&ring->edges, vertex);
  const bool set = wm_box_tree_set(&ring->edges, before, ring->points[before], ring->points[after]);
  return set ? WM_OK : WM_ERROR_OUT_OF_MEMORY;
}
