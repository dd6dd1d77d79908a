/* Links of the compact heightfield: span_neighbour [span_count][4], absolute span numbers.
 *
 * A span links to the lowest span of the neighbouring cell whose floor is within the climb and whose opening
 * overlaps its own by the agent's height. Eight cells at a time, every layer against every layer of the
 * neighbours (layer_planes.h), then a transposition from directions to spans; cells too deep for that one by
 * one, in sweeps over both columns.
 * Source: M. Mononen, Recast Navigation. */
#include <string.h>

#include "bake/compact_internal.h"

static const int32_t STEP_X[4] = {-1, 0, 1, 0}, STEP_Z[4] = {0, 1, 0, -1};

/* ---- One cell ---------------------------------------------------------------------------------------------
 */

/* Links the spans [first, end) of a cell across one direction to the spans [next, other_end). Floors and
 * tops of both ascend, so that spans too low for one span are too low for all above it. */
static void link_cells(const WmCompactHeightfield *compact, uint32_t first, uint32_t end, uint32_t next,
                       uint32_t other_end, int direction) {
  for (uint32_t span = first; span < end; span++) {
    const int32_t floor = compact->span_floor[span], top = floor + compact->span_clearance[span];
    uint32_t found = WM_NO_SPAN;
    while (next < other_end &&
           (compact->span_floor[next] < floor - compact->walkable_climb ||
            compact->span_floor[next] + compact->span_clearance[next] - floor < compact->walkable_height)) {
      next++;
    }
    for (uint32_t other = next; other < other_end; other++) {
      const int32_t other_floor = compact->span_floor[other];
      const int32_t other_top = other_floor + compact->span_clearance[other];
      if (other_floor - floor > compact->walkable_climb) break;
      const int32_t overlap =
          (top < other_top ? top : other_top) - (floor > other_floor ? floor : other_floor);
      if (overlap >= compact->walkable_height) {
        found = other;
        break;
      }
    }
    compact->span_neighbour[4 * (size_t)span + (size_t)direction] = found;
  }
}

static WM_COLD void link_cell(const WmCompactHeightfield *compact, int32_t x, int32_t z) {
  const WmGrid *grid = &compact->grid;
  const uint32_t *cell = compact->cell_first + (size_t)x + (size_t)z * (size_t)grid->width;
  if (cell[0] == cell[1]) return;
  for (int d = 0; d < 4; d++) {
    const int32_t other_x = x + STEP_X[d], other_z = z + STEP_Z[d];
    const bool inside = other_x >= 0 && other_z >= 0 && other_x < grid->width && other_z < grid->depth;
    const size_t other = inside ? (size_t)other_x + (size_t)other_z * (size_t)grid->width : 0;
    const uint32_t first = compact->cell_first[other], end = compact->cell_first[other + 1];
    link_cells(compact, cell[0], cell[1], first, inside ? end : first, d);
  }
}

WM_COLD void wm_compact_link_all(const WmCompactHeightfield *compact) {
  for (int32_t z = 0; z < compact->grid.depth; z++) {
    for (int32_t x = 0; x < compact->grid.width; x++) link_cell(compact, x, z);
  }
}

WM_COLD bool wm_compact_are_links_symmetric(const WmCompactHeightfield *compact) {
  for (size_t i = 0; i < 4 * (size_t)compact->span_count; i++) {
    const uint32_t other = compact->span_neighbour[i];
    if (other != WM_NO_SPAN && compact->span_neighbour[4 * (size_t)other + ((i + 2) & 3)] != i / 4) {
      return false;
    }
  }
  return true;
}

/* ---- Eight cells
 * -------------------------------------------------------------------------------------------- */

/* Eight cells across one direction from eight others. */
typedef struct Across {
  const int16_t *floor, *head; /* of layer 0; further layers a stride apart */
  ptrdiff_t stride;
  const uint32_t *first;
  int depth;
} Across;

static Across look_across(const WmLayerPlanes *planes, int32_t x, int depth) {
  return (Across){planes->floor + x, planes->head + x, planes->stride, planes->first + x, depth};
}

/* The spans of one layer across one direction, as numbers: links[0] and links[4] are four cells each. */
static inline void find_links(WmShort8 floor, WmShort8 head, WmShort8 climb, const Across *across, int depth,
                              WmUint4 *links) {
  WmShort8 linked = wm_splat_short8(0), found = linked;
  const WmShort8 least = floor - climb, most = floor + climb;
  /* From above, so that the lowest candidate stays. */
  for (int layer = depth; layer-- > 0;) {
    const WmShort8 other_floor = wm_load_short8(across->floor + layer * across->stride);
    const WmShort8 other_head = wm_load_short8(across->head + layer * across->stride);
    const WmShort8 apart = (WmShort8)(wm_max_short8(floor, other_floor) > wm_min_short8(head, other_head)) |
                           (WmShort8)(other_floor > most) | (WmShort8)(least > other_floor);
    linked |= ~apart;
    if (layer) {
      found = wm_select_short8(apart, found, wm_splat_short8((int16_t)layer));
    } else {
      found &= apart;
    }
  }
  const WmShort8 missing = ~linked;
  links[0] = (wm_load_uint4(across->first) + (WmUint4)wm_widen_low_short8(found)) |
             (WmUint4)wm_widen_low_short8(missing);
  links[4] = (wm_load_uint4(across->first + 4) + (WmUint4)wm_widen_high_short8(found)) |
             (WmUint4)wm_widen_high_short8(missing);
}

/* The links of one layer of eight cells: `out` [8][4] is a row of four for each cell. */
WM_INLINE void find_links_of_layer(const WmLayerPlanes *own, int32_t x, int layer, WmShort8 climb,
                                   const Across across[4], bool single, uint32_t *out) {
  const WmShort8 floor = wm_load_short8(own->floor + (ptrdiff_t)layer * own->stride + x);
  const WmShort8 head = wm_load_short8(own->head + (ptrdiff_t)layer * own->stride + x);
  WmUint4 links[8];
  for (int d = 0; d < 4; d++) {
    find_links(floor, head, climb, &across[d], single ? 1 : across[d].depth, &links[d]);
  }
  for (int half = 0; half < 8; half += 4, out += 16) {
    WmUint4 rows[4] = {links[half], links[half + 1], links[half + 2], links[half + 3]};
    wm_transpose_uint4(rows);
    wm_store_uint4(out, rows[0]);
    wm_store_uint4(out + 4, rows[1]);
    wm_store_uint4(out + 8, rows[2]);
    wm_store_uint4(out + 12, rows[3]);
  }
}

/* Returns false where planes do not reach deep enough. */
static bool link_block(const WmCompactHeightfield *compact, WmPlaneWindow *window, int32_t z, int32_t block,
                       WmShort8 climb) {
  const WmLayerPlanes *own = wm_planes_row(window, z);
  const WmLayerPlanes *north = wm_planes_row(window, z - 1), *south = wm_planes_row(window, z + 1);
  const uint8_t *depths = own->depth + 1 + block;
  const int32_t x = WM_PLANE_BLOCK * (block + 1);
  const Across across[4] = {look_across(own, x - 1, wm_planes_deeper(depths[-1], depths[0])),
                            look_across(south, x, south->depth[1 + block]),
                            look_across(own, x + 1, wm_planes_deeper(depths[1], depths[0])),
                            look_across(north, x, north->depth[1 + block])};
  const uint32_t *first = own->first + x;
  const bool shallow =
      across[0].depth <= 1 && across[1].depth == 1 && across[2].depth <= 1 && across[3].depth == 1;
  if (shallow && wm_planes_is_single(own, block)) {
    find_links_of_layer(own, x, 0, climb, across, true, compact->span_neighbour + 4 * (size_t)first[0]);
    return true;
  }
  for (int d = 0; d < 4; d++) {
    if (across[d].depth > WM_PLANE_LAYERS) return false;
  }
  for (int layer = 0; layer < depths[0]; layer++) {
    const WmShort8 floor = wm_load_short8(own->floor + (ptrdiff_t)layer * own->stride + x);
    uint32_t links[8 * 4];
    find_links_of_layer(own, x, layer, climb, across, false, links);
    int present = ~wm_mask_short8((WmShort8)(floor == WM_PLANE_ABSENT)) & 255;
    for (; present; present &= present - 1) {
      const int cell = __builtin_ctz((unsigned)present);
      memcpy(compact->span_neighbour + 4 * (size_t)(first[cell] + (uint32_t)layer), links + 4 * cell, 16);
    }
  }
  return true;
}

void wm_compact_link_row(const WmCompactHeightfield *compact, WmPlaneWindow *window, int32_t z) {
  const int32_t width = compact->grid.width;
  const WmShort8 climb = wm_splat_short8((int16_t)compact->walkable_climb);
  for (int32_t x = 0; x < width; x += WM_PLANE_BLOCK) {
    if (link_block(compact, window, z, x / WM_PLANE_BLOCK, climb)) continue;
    for (int32_t i = x; i < x + WM_PLANE_BLOCK && i < width; i++) link_cell(compact, i, z);
  }
}
