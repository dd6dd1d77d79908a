/* Invariants of a tile's links: inside the tables, on their edges, with the reverse links that they need. */
#include <math.h>

#include "mesh/links/link_crossing.h"
#include "mesh/links/segment_sets.h"
#include "mesh/mesh_internal.h"

static const WmMeshTile *target_of(const WmMesh *mesh, const WmLink *link) {
  const WmMeshTile *tile = wm_mesh_tile(mesh, link->slot);
  return tile && link->polygon < tile->polygon_count ? tile : NULL;
}

/* True if a polygon has a link to another. */
static bool has_link(const WmMeshTile *tile, uint32_t polygon, uint32_t slot, uint32_t target) {
  for (uint32_t i = tile->link_first[polygon]; i < tile->link_first[polygon + 1]; i++) {
    if (tile->links[i].slot == slot && tile->links[i].polygon == target) return true;
  }
  return false;
}

/* ---- Segment links ------------------------------------------------------------------------------------ */

/* The tie of a link onto or off a segment link; NULL: there is none.
 * out        *state: the search state that it is entered by */
static const WmLinkTie *find_tie(const WmMeshTile *set, uint32_t number, uint32_t slot, uint32_t polygon,
                                 const WmLink *link, uint32_t *state) {
  for (uint32_t i = set->tie_first[number]; i < set->tie_first[number + 1]; i++) {
    const WmLinkTie *tie = &set->ties[i];
    *state = i - set->tie_first[number] + 1;
    if (tie->slot != slot || tie->polygon != polygon) continue;
    if (link->edge == 255 ? tie->is_entry && 2 * *state == link->side
                          : tie->is_exit && tie->end == link->edge)
      return tie;
  }
  return NULL;
}

/* True if a link onto or off a segment link has a tie, and its portal. */
static bool has_tie(const WmMeshTile *tile, uint32_t polygon, uint32_t number, const WmMeshTile *to) {
  const WmLink *link = &tile->links[number];
  const bool is_entry = !tile->segments;
  const WmMeshTile *set = is_entry ? to : tile;
  uint32_t state;
  const uint32_t segments = is_entry ? link->polygon : polygon, ground = is_entry ? polygon : link->polygon;
  const WmLinkTie *tie = find_tie(set, segments, is_entry ? tile->slot : link->slot, ground, link, &state);
  if (!tie || (is_entry && link->edge != 255) || ground >= (is_entry ? tile : to)->ground_count) return false;
  const WmLinkCrossing crossing = {.link = &set->segments[segments],
                                   .entry = is_entry ? tie->end : 1u - tie->end,
                                   .low = tie->low,
                                   .high = tie->high};
  float portal[6];
  wm_link_crossing_portal(&crossing, is_entry ? 0 : 1, portal);
  /* NOLINTNEXTLINE(bugprone-suspicious-memory-comparison,cert-exp42-c,cert-flp37-c): bits */
  return memcmp(portal, tile->link_portals + 6 * (size_t)number, sizeof portal) == 0;
}

bool wm_link_set_validate(const WmMesh *mesh, const WmLinkSet *set) {
  const WmMeshTile *tile = &set->record.tile;
  if (tile->segments != set->links || tile->tie_first[0] != 0 || tile->state_first[0] != 0) return false;
  for (uint32_t i = 0; i < tile->polygon_count; i++) {
    uint32_t entries = 0, exits = 0;
    if (tile->tie_first[i + 1] < tile->tie_first[i]) return false;
    for (uint32_t k = tile->tie_first[i]; k < tile->tie_first[i + 1]; k++) {
      const WmLinkTie *tie = &tile->ties[k];
      const WmMeshTile *ground = wm_mesh_tile(mesh, tie->slot);
      if (!ground || tie->polygon >= ground->ground_count || tie->end > 1) return false;
      if (!(tie->low >= 0 && tie->high <= 1 && tie->high - tie->low >= WM_LINK_OVERLAP)) return false;
      if (tie->is_entry &&
          (k != tile->tie_first[i] + entries || !has_link(ground, tie->polygon, tile->slot, i)))
        return false;
      entries += tie->is_entry;
      exits += tie->is_exit;
    }
    if (tile->state_first[i + 1] != tile->state_first[i] + 1 + entries) return false;
    if (tile->link_first[i + 1] - tile->link_first[i] != exits) return false;
    if (tile->polygon_flags[i] != (set->links[i].enabled ? set->links[i].flags : 0)) return false;
    if (tile->polygon_area[i] != set->links[i].area) return false;
  }
  return true;
}

/* ---- All links ---------------------------------------------------------------------------------------- */

/* True if the portal of a link lies on its edge, and `middle` is its midpoint. */
static bool has_portal(const WmMeshTile *tile, uint32_t polygon, uint32_t number) {
  const WmLink *link = &tile->links[number];
  const float *portal = tile->link_portals + 6 * (size_t)number;
  const bool is_edge = polygon < tile->ground_count && link->edge != 255;
  if (link->low > link->high || (is_edge && link->edge >= tile->polygon_size[polygon])) return false;
  for (int axis = 0; axis < 3; axis++) {
    const float a = portal[axis], b = portal[3 + axis];
    if (link->middle[axis] != (a + b) * 0.5f) return false;
    if (!is_edge) {
      if (a != b) return false;
      continue;
    }
    const float first = wm_tile_vertex(tile, polygon, link->edge)[axis];
    const float second = wm_tile_vertex(tile, polygon, link->edge + 1u)[axis];
    const float slack = 1e-6f * (fabsf(first) + fabsf(second)); /* of interpolation */
    const float low = fminf(first, second) - slack, high = fmaxf(first, second) + slack;
    if (!(a >= low && a <= high && b >= low && b <= high)) return false;
  }
  return true;
}

/* True if a link leads both ways, or needn't: inner links may be one-way in foreign files, links across tiles
 * of different climbs, and those that leave a one-way connection at its end. */
static bool has_reverse(const WmMeshTile *tile, uint32_t polygon, const WmLink *link, const WmMeshTile *to) {
  const bool is_ground = polygon < tile->ground_count, to_ground = link->polygon < to->ground_count;
  if (is_ground && to_ground) {
    if (link->slot == tile->slot || tile->agent_max_climb != to->agent_max_climb) return true;
  } else if (!is_ground) {
    const WmTileConnection *connection = &tile->connections[polygon - tile->ground_count];
    if (link->edge == 1 && !(connection->flags & WM_TILE_OFF_MESH_BIDIRECTIONAL)) return true;
  }
  return has_link(to, link->polygon, tile->slot, polygon);
}

/* True if a link across an inner edge is the edge's neighbour. */
static bool is_inner_valid(const WmMeshTile *tile, uint32_t polygon, const WmLink *link) {
  const size_t first = WM_TILE_VERTICES_PER_POLYGON * (size_t)polygon;
  return link->slot == tile->slot && tile->polygon_neighbours[first + link->edge] == link->polygon + 1;
}

/* Number of links from a polygon to another one of its tile.
 * out        *last: the last of them, counted from the polygon's first */
static uint32_t count_links(const WmMeshTile *tile, uint32_t polygon, uint32_t target, uint32_t *last) {
  const uint32_t first = tile->link_first[polygon];
  uint32_t count = 0;
  for (uint32_t i = first; i < tile->link_first[polygon + 1]; i++) {
    if (tile->links[i].polygon != target || tile->links[i].slot != tile->slot) continue;
    *last = i - first;
    count++;
  }
  return count;
}

/* True if the link back of a link is the only link between both polygons, in either direction. */
static bool has_back(const WmMeshTile *tile, uint32_t polygon, uint32_t number) {
  const WmLink *link = &tile->links[number];
  const uint32_t back = tile->link_backs[number];
  uint32_t last = 0;
  if (back == WM_NO_BACK) return true;
  return link->slot == tile->slot && count_links(tile, polygon, link->polygon, &last) == 1 &&
         count_links(tile, link->polygon, polygon, &last) == 1 && last == back;
}

/* True if the links of each polygon begin where those of the one before end. */
static bool are_in_order(const uint32_t *first, uint32_t polygon_count) {
  for (uint32_t p = 0; p < polygon_count; p++) {
    if (first[p + 1] < first[p]) return false;
  }
  return true;
}

bool wm_tile_links_validate(const WmMesh *mesh, const WmTileRecord *record) {
  const WmMeshTile *tile = &record->tile;
  const uint32_t *first = tile->link_first;
  if (record->pending != 0 || record->is_touched || record->is_leaving || first[0] != 0) return false;
  if (first[tile->polygon_count] != record->dynamic_count + record->inner_link_count) return false;
  if (!are_in_order(first, tile->polygon_count)) return false;
  for (uint32_t p = 0; p < tile->polygon_count; p++) {
    for (uint32_t i = first[p]; i < first[p + 1]; i++) {
      const WmLink *link = &tile->links[i];
      const WmMeshTile *to = target_of(mesh, link);
      if (to && (tile->segments || to->segments)) {
        if (!has_tie(tile, p, i, to)) return false;
        continue;
      }
      if (!to || !has_portal(tile, p, i) || !has_back(tile, p, i) || !has_reverse(tile, p, link, to))
        return false;
      const bool to_connection = link->polygon >= to->ground_count;
      if (p >= tile->ground_count ? link->edge > 1 || to_connection : (link->edge == 255) != to_connection)
        return false;
      const bool is_inner = p < tile->ground_count && !to_connection && link->side == WM_TILE_SIDE_INSIDE;
      if (is_inner && !is_inner_valid(tile, p, link)) return false;
    }
  }
  return true;
}
