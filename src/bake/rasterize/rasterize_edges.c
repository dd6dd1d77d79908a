/* Follows edges of triangles across the grid lines between rows.
 *
 * in         walks, each an edge and the grid lines it crosses
 * out        a point at each crossing, with its line among those of the columns
 *
 * A crossing is interpolated between the crossing before it (or the near end) and the far end, exactly as
 * if the polygon were cut line by line. Only the edge itself matters, so four edges are followed side by
 * side in the lanes. Edges are sorted by length (counting sort; lengths within a fifth share a bucket), so
 * that lanes end together. A lane that is done goes on, but its crossings are dropped.
 *
 * An edge that goes on in the next band of rows stores a stop, from which that band continues the same chain
 * of roundings. */
#include <string.h>

#include "bake/rasterize/rasterize_internal.h"
#include "base/inline.h"

enum { BUCKETS = 128, LANES = 4 };

/* Four edges on their way: the coordinate that is cut, the two carried along, and grid lines. */
typedef struct Walk {
  WmFloat4 near[4]; /* the last crossings, and the next line */
  WmFloat4 far[4];  /* the far ends, and the last line */
  WmInt4 backward;  /* lanes that form crossings from far to near */
} Walk;

/* Lengths 1 to 7 have a bucket each, then there are four an octave: the exponent and two bits of the
 * float. */
static inline uint32_t bucket_of(uint32_t length) {
  const float value = (float)length;
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  return (bits >> 21) - (127u << 2);
}

WM_NOINLINE void wm_raster_sort_lengths(const uint32_t *lengths, size_t stride, uint32_t count,
                                        uint32_t *order) {
  uint32_t start[BUCKETS + 4], most = 0;
  if (count == 0) return;
  for (uint32_t i = 0; i < count; i++) most |= lengths[stride * i];
  /* Opaque: compilers call memset otherwise, which takes longer than all of the rest. */
  const WmUint4 none = (WmUint4)wm_opaque_mask_int4(wm_splat_int4(0));
  const uint32_t last = bucket_of(most);
  for (uint32_t b = 0; b <= last + 1; b += 4) wm_store_uint4(start + b, none);
  for (uint32_t i = 0; i < count; i++) start[bucket_of(lengths[stride * i]) + 1]++;
  for (uint32_t b = 1; b <= last; b++) start[b] += start[b - 1];
  for (uint32_t i = 0; i < count; i++) order[start[bucket_of(lengths[stride * i])]++] = i;
}

/* Starts the edges order[0..3]; the last of `count` stands in for missing ones. Returns the longest
 * length. */
static __attribute__((noinline)) uint32_t start_walk(Walk *walk, const WmEdgeWalk *edges,
                                                     const uint32_t *order, uint32_t count,
                                                     const WmEdgeWalk **lanes) {
  uint32_t longest = 0;
  for (uint32_t lane = 0; lane < LANES; lane++) {
    const WmEdgeWalk *edge = &edges[order[lane < count ? lane : count - 1]];
    lanes[lane] = edge;
    if (edge->count > longest) longest = edge->count;
    walk->near[lane] = wm_load_float4(edge->near);
    walk->far[lane] = wm_load_float4(edge->far);
  }
  for (int end = 0; end < 2; end++) wm_transpose_float4(end ? walk->far : walk->near);
  walk->backward =
      (WmInt4){-lanes[0]->backward, -lanes[1]->backward, -lanes[2]->backward, -lanes[3]->backward};
  return longest;
}

/* Moves to the next crossings. Backward, the share is far / (far - near) and the crossing lies at far +
 * (near - far) * share: the two changes of sign cancel exactly. */
WM_INLINE void step(Walk *walk, WmFloat4 origin, WmFloat4 cell) {
  const WmFloat4 grid_line = (origin + walk->near[3] * cell) + cell;
  const WmFloat4 near = grid_line - walk->near[0], far = grid_line - walk->far[0];
  const WmFloat4 share = wm_select_float4(walk->backward, far, near) / (near - far);
#pragma GCC unroll 3
  for (int k = 0; k < 3; k++) {
    const WmFloat4 from = wm_select_float4(walk->backward, walk->far[k], walk->near[k]);
    walk->near[k] = from + (walk->far[k] - walk->near[k]) * share;
  }
  walk->near[3] += wm_splat_float4(1.0f);
}

/* Stores the stops of four edges. `z`: of the crossings before their last ones, whose x and y are among the
 * points. */
static void store_stops(const WmEdgeWalk *const *lanes, WmFloat4 z, const WmRowPoint *points,
                        WmEdgeStops *stops) {
  float last[LANES];
  wm_store_float4(last, z);
  for (int lane = 0; lane < LANES; lane++) {
    const WmEdgeWalk *edge = lanes[lane];
    if (edge->stop == WM_NO_STOP) continue;
    const WmRowPoint *point = &points[edge->out + edge->count - 2];
    memcpy(stops->list[edge->stop], (float[3]){last[lane], point->x, point->y}, sizeof *stops->list);
  }
}

void wm_follow_triangle_edges(const WmRasterGrid *grid, const WmEdgeWalk *edges, uint32_t count,
                              uint32_t *order, WmRowPoint *points, WmEdgeStops *stops) {
  const WmFloat4 origin = wm_splat_float4(grid->origin[2]), cell = wm_splat_float4(grid->cell_size);
  wm_raster_sort_lengths(&edges->count, sizeof *edges / sizeof(uint32_t), count, order);
  for (uint32_t i = 0; i < count; i += LANES) {
    Walk walk;
    WmRowPoint spare;
    const WmEdgeWalk *lanes[LANES];
    const uint32_t longest = start_walk(&walk, edges, order + i, count - i, lanes);
    WmFloat4 stop = walk.near[0];
    for (uint32_t at = 0; at < longest; at++) {
      WmInt4 column, code;
      step(&walk, origin, cell);
      stop = wm_select_float4((WmInt4)(walk.near[3] > walk.far[3]), stop, walk.near[0]);
      wm_raster_find_lines(grid, 0, walk.near[1], &column, &code);
      WmFloat4 four[4] = {walk.near[1], walk.near[2], (WmFloat4)column, (WmFloat4)code};
      wm_transpose_float4(four);
      /* To a spare point if the edge is at its end: under a branch, engines repeat all of the above for
       * every lane. */
#pragma GCC unroll 4
      for (int lane = 0; lane < LANES; lane++) {
        const WmEdgeWalk *edge = lanes[lane];
        memcpy(at < edge->count ? &points[edge->out + at] : &spare, &four[lane], sizeof spare);
      }
    }
    store_stops(lanes, stop, points, stops);
  }
}

/* ---- Stops ------------------------------------------------------------------------------------------- */

uint32_t wm_edge_stops_append(WmContext *context, WmEdgeStops *stops) {
  size_t capacity = stops->capacity;
  void *list = wm_scratch_reserve(context, stops->list, &capacity, stops->count + 1, sizeof *stops->list);
  if (!list) return WM_NO_STOP; /* the other edges of the triangle still read their stops */
  stops->list = list;
  stops->capacity = capacity;
  return (uint32_t)stops->count++;
}

void wm_edge_stops_turn(WmEdgeStops *stops) {
  const size_t count = stops->count - stops->end;
  if (count > 0) memmove(stops->list, stops->list + stops->end, count * sizeof *stops->list);
  stops->next = 0;
  stops->end = stops->count = count;
}
