/* Edges on the sides of tiles, segment by segment. See outline.h. */
#include "query/local/outline.h"

#include "mesh/locate.h"

enum { PARTS = 255 };

/* The bits below bit `bits` of a long bit set, in its word that starts at bit `from`. */
static uint64_t bits_below(uint32_t bits, uint32_t from) {
  if (bits <= from) return 0;
  return bits >= from + 64 ? UINT64_MAX : ((uint64_t)1 << (bits - from)) - 1;
}

static void open_parts(uint64_t closed[4], uint32_t low, uint32_t high) {
  for (uint32_t i = 0; i < 4; i++) closed[i] &= ~(bits_below(high, 64 * i) & ~bits_below(low, 64 * i));
}

/* The first part from `part` on that is closed (wanted: true) or open (false); PARTS if there is none. */
static uint32_t find_part(const uint64_t closed[4], uint32_t part, bool wanted) {
  while (part < PARTS) {
    const uint64_t word = (wanted ? closed[part / 64] : ~closed[part / 64]) >> part % 64;
    if (word) return part + (uint32_t)__builtin_ctzll(word);
    part = (part / 64 + 1) * 64;
  }
  return PARTS;
}

/* An end of a wall; the edge's own end, unchanged, if the wall reaches it. */
static const float *find_end(const WmOutline *outline, uint32_t part, float end[3]) {
  if (part == 0) return outline->first;
  if (part == PARTS) return outline->second;
  wm_interpolate(outline->first, outline->second, (float)part * (1.0f / PARTS), end);
  return end;
}

bool wm_outline_next_on_side(WmOutline *outline, WmEdgeSegment *segment) {
  const WmMeshTile *tile = outline->tile;
  const uint32_t end = tile->link_first[outline->polygon + 1];
  segment->edge = outline->edge;
  while (outline->link < end) {
    const uint32_t number = outline->link++;
    const WmLink *link = &tile->links[number];
    if (link->edge != outline->edge) continue;
    const WmMeshTile *target = wm_mesh_tile(outline->mesh, link->slot);
    if (!wm_filter_passes(outline->filter, target->polygon_flags[link->polygon])) continue;
    open_parts(outline->closed, link->low, link->high);
    segment->first = tile->link_portals + 6 * (size_t)number;
    segment->second = segment->first + 3;
    segment->slot = link->slot;
    segment->polygon = link->polygon;
    return true;
  }
  const uint32_t low = find_part(outline->closed, 0, true);
  outline->on_side = low != PARTS;
  if (!outline->on_side) return false;
  const uint32_t high = find_part(outline->closed, low, false);
  open_parts(outline->closed, low, high);
  segment->first = find_end(outline, low, outline->ends[0]);
  segment->second = find_end(outline, high, outline->ends[1]);
  segment->polygon = UINT32_MAX;
  return true;
}
