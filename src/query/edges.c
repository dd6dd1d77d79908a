/* Walls of edges on a tile's side. See edges.h. */
#include "query/edges.h"

#include "mesh/locate.h"

enum { PARTS = 255 };

/* The first part from `part` on that is closed, or that is not; PARTS where there is none. */
static uint32_t find_part(const WmSideWalls *walls, uint32_t part, bool closed) {
  while (part < PARTS && (walls->closed[part / 64] >> part % 64 & 1) != closed) part++;
  return part;
}

static void open_parts(WmSideWalls *walls, uint32_t low, uint32_t high) {
  for (uint32_t part = low; part < high; part++) walls->closed[part / 64] &= ~((uint64_t)1 << part % 64);
}

void wm_side_walls_begin(const WmMesh *mesh, const WmMeshTile *tile, uint32_t polygon, uint32_t edge,
                         const WmFilter *filter, WmSideWalls *walls) {
  const WmEdge ends = wm_edge_of(tile, polygon, edge, filter);
  *walls = (WmSideWalls){ends.first, ends.second, {UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX >> 1}};
  for (uint32_t i = tile->link_first[polygon]; i < tile->link_first[polygon + 1]; i++) {
    const WmLink *link = &tile->links[i];
    if (link->edge != edge) continue;
    const WmMeshTile *target = wm_mesh_tile(mesh, link->slot);
    if (!wm_filter_passes(filter, target->polygon_flags[link->polygon])) continue;
    open_parts(walls, link->low, link->high);
  }
}

bool wm_side_walls_next(WmSideWalls *walls, float ends[2][3]) {
  const uint32_t low = find_part(walls, 0, true);
  if (low == PARTS) return false;
  const uint32_t high = find_part(walls, low, false);
  open_parts(walls, low, high);
  const float unit = 1.0f / PARTS;
  memcpy(ends[0], walls->first, sizeof ends[0]);
  memcpy(ends[1], walls->second, sizeof ends[1]);
  if (low > 0) wm_interpolate(walls->first, walls->second, (float)low * unit, ends[0]);
  if (high < PARTS) wm_interpolate(walls->first, walls->second, (float)high * unit, ends[1]);
  return true;
}
