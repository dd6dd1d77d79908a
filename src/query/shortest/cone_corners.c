/* Corners of exact shortest paths. See cone_corners.h. */
#include "query/shortest/cone_corners.h"

#include "mesh/locate.h"
#include "query/query_internal.h"

enum {
  FIRST_FANS = 256,
  FAN_LIMIT = 32,
  ROOT_LIMIT = 1 << 16,   /* corners between the ends of segment links that searches leave behind: 4 MB */
  STORE_LIMIT = 16 << 20, /* bytes that are stored of tiles and crossings, if a search needs few of them */
  STORE_SHARE = 4         /* part of the store that a search must meet, so that more is stored */
};

/* Set in the reference of a polygon that a connection leads to. */
#define LANDING ((WmRef)1 << 63)

/* Points nearer than this, relative to their coordinates, are the same up to the rounding of floats. */
#define SAME 4e-7

static WmConeCorner *corners_of(const WmQuery *query) { return query->arrays[WM_QUERY_CORNERS].items; }

/* ---- Starting ----------------------------------------------------------------------------------------- */

static WmStatus forget(WmQuery *query) {
  WmCorners *corners = &query->corners;
  wm_pieces_clear(&corners->pieces);
  corners->count = corners->crossing_count = corners->fan_count = corners->root_count = 0;
  if (++corners->generation != 0) return WM_OK;
  corners->generation = 1;
  const WmBuffer *tiles = query->arrays + WM_QUERY_CORNER_TILES, *fans = query->arrays + WM_QUERY_FAN_POINTS;
  if (tiles->items) memset(tiles->items, 0, tiles->capacity * sizeof(WmCornerTile));
  if (fans->items) memset(fans->items, 0, fans->capacity * sizeof(WmFanPoint));
  return WM_OK;
}

/* True if so much is stored that it is better to find again what searches like the last ones need. Half of what an earlier search has
 * met counts as much as all of what the last one has: searches can be long and short in turns. */
static bool is_full(WmCorners *corners) {
  corners->most_met = corners->met > corners->most_met / 2 ? corners->met : corners->most_met / 2;
  corners->met = 0;
  const size_t stored = corners->pieces.bytes + corners->crossing_count * sizeof(WmConeCrossing);
  return stored > STORE_LIMIT && stored / STORE_SHARE > corners->most_met;
}

WmStatus wm_corners_begin(WmQuery *query, const WmFilter *filter) {
  WmCorners *corners = &query->corners;
  const size_t slots = wm_mesh_slot_count(query->mesh);
  const WmStatus status = wm_query_reserve(query, WM_QUERY_CORNER_TILES, WM_QUERY_CORNER_TILES, slots);
  if (status) return status;
  const uint64_t version = wm_mesh_version(query->mesh);
  const bool is_same = !is_full(corners) && !corners->has_start && corners->generation &&
                       corners->version == version && corners->root_count < ROOT_LIMIT &&
                       corners->include_flags == filter->include_flags &&
                       corners->exclude_flags == filter->exclude_flags;
  corners->has_start = false;
  corners->version = version;
  corners->include_flags = filter->include_flags;
  corners->exclude_flags = filter->exclude_flags;
  if (++corners->stamp == 0) {
    corners->stamp = 1;
    return forget(query);
  }
  return is_same ? WM_OK : forget(query);
}

/* Appends corners.
 * out        *first: the first of them, zeros */
static WmStatus append(WmQuery *query, size_t count, uint32_t *first) {
  WmCorners *corners = &query->corners;
  const WmStatus status =
      wm_query_reserve(query, WM_QUERY_CORNERS, WM_QUERY_CORNERS, (size_t)corners->count + count);
  if (status) return status;
  *first = corners->count;
  memset(corners_of(query) + *first, 0, count * sizeof(WmConeCorner));
  corners->count += (uint32_t)count;
  return WM_OK;
}

static void find_areas(WmQuery *query) {
  WmCorners *corners = &query->corners;
  corners->areas = corners->connection_areas = 0;
  for (size_t slot = 0; slot < wm_mesh_slot_count(query->mesh); slot++) {
    const WmMeshTile *tile = wm_mesh_tile(query->mesh, slot);
    for (uint32_t p = 0; tile && p < tile->polygon_count; p++) {
      uint64_t *areas = p < tile->ground_count ? &corners->areas : &corners->connection_areas;
      *areas |= (uint64_t)1 << tile->polygon_area[p];
    }
  }
}

uint64_t wm_corners_areas(WmQuery *query, uint64_t *connections) {
  WmCorners *corners = &query->corners;
  const uint64_t version = wm_mesh_version(query->mesh);
  if (!corners->areas || corners->areas_version != version) find_areas(query);
  corners->areas_version = version;
  *connections = corners->connection_areas;
  return corners->areas;
}

/* ---- Vertices of a tile ------------------------------------------------------------------------------- */

/* Adds a wall between two vertices of a tile. */
static void add_wall(WmConeCorner *corners, uint32_t from, uint32_t to) {
  corners[from].stamp = (corners[from].stamp & 0xffff) | to << 16;
  corners[to].stamp = (corners[to].stamp & 0xffff0000) | from;
  if (corners[from].passes < 3) corners[from].passes++;
  if (corners[to].passes < 3) corners[to].passes++;
}

static void add_edges(const WmMeshTile *tile, const WmFilter *filter, uint32_t polygon,
                      WmConeCorner *corners) {
  const size_t first = (size_t)WM_TILE_VERTICES_PER_POLYGON * polygon;
  const uint16_t *vertices = tile->polygon_vertices + first, *codes = tile->polygon_neighbours + first;
  const uint32_t size = tile->polygon_size[polygon];
  for (uint32_t k = 0; k < size; k++) {
    const uint32_t from = vertices[k], to = vertices[k + 1 < size ? k + 1 : 0];
    if (codes[k] & WM_TILE_PORTAL) {
      corners[from].kind = corners[to].kind = WM_CORNER_UNCERTAIN;
    } else if (codes[k] == 0 || !wm_filter_passes(filter, tile->polygon_flags[codes[k] - 1])) {
      add_wall(corners, from, to);
    }
  }
}

/* The kind of a vertex that two walls meet at: WM_CORNER_OPEN where the string would turn away from them. */
static WmCornerKind find_kind(const WmMeshTile *tile, uint32_t vertex, const WmConeCorner *corner) {
  if (corner->kind == WM_CORNER_UNCERTAIN || corner->passes > 2) return WM_CORNER_UNCERTAIN;
  if (corner->passes == 0) return WM_CORNER_OPEN;
  if (corner->passes == 1) return WM_CORNER_UNCERTAIN;
  const float *at = tile->vertices + 3 * (size_t)vertex;
  const float *before = tile->vertices + 3 * (size_t)(corner->stamp & 0xffff);
  const float *after = tile->vertices + 3 * (size_t)(corner->stamp >> 16);
  const double x = (double)at[0] - (double)before[0], z = (double)at[2] - (double)before[2];
  const double next_x = (double)after[0] - (double)at[0], next_z = (double)after[2] - (double)at[2];
  const double turn = z * next_x - x * next_z;
  return turn * turn > 1e-8 * (x * x + z * z) * (next_x * next_x + next_z * next_z) && turn > 0
             ? WM_CORNER_OPEN
             : WM_CORNER_TURNS;
}

/* Allocates the arrays of a tile.
 * out        stored: its arrays and their bytes */
static WmStatus allocate(WmQuery *query, const WmMeshTile *tile, WmCornerTile *stored) {
  const size_t polygons = tile->ground_count, links = tile->link_first[polygons];
  WmLayout layout = {0};
  const size_t dead_ends = wm_layout_add(&layout, polygons, sizeof(WmDeadEnd));
  const size_t patches = wm_layout_add(&layout, polygons, sizeof(WmPatchPolygon));
  const size_t first_link = wm_layout_add(&layout, links, sizeof(WmConeLink));
  const size_t exits = wm_layout_add(&layout, links, sizeof(WmPatchExit));
  uint8_t *bytes = wm_pieces_allocate(query->context, &query->corners.pieces, layout.bytes);
  if (!bytes) return WM_ERROR_OUT_OF_MEMORY;
  stored->bytes = (uint32_t)layout.bytes;
  stored->dead_ends = (WmDeadEnd *)(bytes + dead_ends);
  stored->patches = (WmPatchPolygon *)(bytes + patches);
  stored->links = (WmConeLink *)(bytes + first_link);
  stored->exits = (WmPatchExit *)(bytes + exits);
  return WM_OK;
}

/* The corner at a vertex, where its kind is certain. */
static uint32_t certain_corner(const WmConeCorner *corners, uint32_t first, uint32_t vertex) {
  return corners[vertex].kind == WM_CORNER_UNCERTAIN ? WM_NO_CORNER : first + vertex;
}

/* The kind of a link to another tile or off ground. */
static WmConeLinkKind find_outer_kind(const WmMesh *mesh, const WmFilter *filter, const WmMeshTile *tile,
                                      const WmLink *link) {
  const WmMeshTile *target = wm_mesh_tile(mesh, link->slot);
  const uint32_t to = link->polygon;
  const bool goes_on = target != tile && !target->segments && to < target->ground_count &&
                       wm_filter_passes(filter, target->polygon_flags[to]) &&
                       target->link_first[to + 1] - target->link_first[to] > 1;
  return goes_on ? WM_CONE_LINK_BORDER : WM_CONE_LINK_ELSEWHERE;
}

/* The kind of a link of a polygon. */
static WmConeLinkKind find_link_kind(const WmMesh *mesh, const WmFilter *filter, const WmMeshTile *tile,
                                     const WmCornerTile *stored, uint32_t polygon, const WmLink *link) {
  const uint32_t to = link->polygon;
  if (link->slot != tile->slot || to >= tile->ground_count) return find_outer_kind(mesh, filter, tile, link);
  if (!wm_filter_passes(filter, tile->polygon_flags[to])) return WM_CONE_LINK_CLOSED;
  if (stored->patches[to].patch == stored->patches[polygon].patch) return WM_CONE_LINK_JOINED;
  return stored->dead_ends[to].next == WM_NO_DEAD_END ? WM_CONE_LINK_INSIDE : WM_CONE_LINK_DEAD_END;
}

/* The link back from another tile's polygon; NULL: there is none. */
static const WmLink *find_back(const WmMeshTile *target, const WmLink *link, uint32_t slot,
                               uint32_t polygon) {
  const WmLink *end = target->links + target->link_first[link->polygon + 1];
  for (const WmLink *back = target->links + target->link_first[link->polygon]; back < end; back++) {
    if (back->slot == slot && back->polygon == polygon && back->side == (link->side ^ 4)) return back;
  }
  return NULL;
}

/* How far along an edge a point lies. */
static double find_along(const float first[3], const double along[2], float x, float z) {
  return ((double)x - (double)first[0]) * along[0] + ((double)z - (double)first[2]) * along[1];
}

/* Limits the portal of a link to another tile to the edge of the polygon behind it. Ends of such portals are rounded to steps of
 * their own edge: beside the polygon behind it, a string would seem to come from behind its next portals.
 * in         from: the polygon that the link leaves
 * in/out     portal: x of its left and right end, z of both
 * returns    the sides, bits of left and right, whose ends are rounded towards the portal's middle */
static WM_NOINLINE uint32_t clip_portal(const WmMesh *mesh, const WmMeshTile *tile, uint32_t from,
                                        const WmLink *link, float portal[4]) {
  const WmMeshTile *target = wm_mesh_tile(mesh, link->slot);
  if (target->segments || link->polygon >= target->ground_count) return 0;
  const WmLink *back = find_back(target, link, tile->slot, from);
  if (!back) return 0;
  const float *first = wm_tile_vertex(tile, from, link->edge);
  const float *second = wm_tile_vertex(tile, from, link->edge + 1u);
  const double x = (double)second[0] - (double)first[0], z = (double)second[2] - (double)first[2];
  const double length = sqrt(x * x + z * z), along[2] = {x / length, z / length};
  const double near = SAME * (1 + fabs((double)first[0]) + fabs((double)first[2]));
  uint32_t rounded = 0;
  for (uint32_t end = 0; end < 2; end++) {
    const float *other = wm_tile_vertex(target, link->polygon, back->edge + 1u - end);
    const double sign = end ? -1 : 1, at = find_along(first, along, other[0], other[2]);
    const double limit = end ? fmin(at, length) : fmax(at, 0);
    const double inside = sign * (find_along(first, along, portal[end], portal[2 + end]) - limit);
    if (inside > near) {
      rounded |= 1u << end;
      continue;
    }
    const float *vertex = sign * (limit - at) > 0 ? (end ? second : first) : other;
    portal[end] = vertex[0];
    portal[2 + end] = vertex[2];
  }
  return rounded;
}

/* Reads the portal of a link of a ground polygon as the search passes it.
 * in         number: of the link in its tile
 * out        portal: x of its left and right end, z of both
 * returns    as clip_portal */
static uint32_t read_portal(const WmMesh *mesh, const WmMeshTile *tile, uint32_t from, uint32_t number,
                            float portal[4]) {
  const WmLink *link = tile->links + number;
  const float *ends = tile->link_portals + 6 * (size_t)number;
  for (int i = 0; i < 4; i++) portal[i] = ends[3 * (i & 1) + (i & 2)];
  return link->side != WM_TILE_SIDE_INSIDE && link->edge != 255 ? clip_portal(mesh, tile, from, link, portal)
                                                                : 0;
}

/* Stores a link of a ground polygon.
 * in         corners: of the tile's vertices; first: the number of the first of them */
static void store_link(const WmMesh *mesh, const WmMeshTile *tile, const WmConeCorner *corners,
                       uint32_t first, WmConeLink *stored) {
  WmPatchExit *exit = &stored->exit;
  const WmLink *link = tile->links + exit->number;
  const uint16_t *vertices = tile->polygon_vertices + WM_TILE_VERTICES_PER_POLYGON * (size_t)stored->from;
  const uint32_t rounded = read_portal(mesh, tile, stored->from, exit->number, exit->portal);
  for (int end = 0; end < 2; end++) stored->found[end] = rounded >> end & 1 ? WM_SLIT : WM_NOT_FOUND;
  stored->stamp = 0;
  exit->ends[0] = exit->ends[1] = WM_NO_CORNER;
  if (exit->patch == UINT32_MAX || link->side != WM_TILE_SIDE_INSIDE) return;
  const uint32_t next = link->edge + 1u < tile->polygon_size[stored->from] ? link->edge + 1u : 0;
  exit->ends[0] = certain_corner(corners, first, vertices[link->edge]);
  exit->ends[1] = certain_corner(corners, first, vertices[next]);
}

/* Stores all links of ground polygons, and those that lead out of patches once more by patch. */
static void add_links(const WmQuery *query, const WmFilter *filter, const WmMeshTile *tile,
                      const WmCornerTile *stored) {
  WmConeLink *links = stored->links;
  WmPatchExit *exits = stored->exits;
  wm_patches_list(tile, stored->patches, exits);
  for (uint32_t p = 0; p < tile->ground_count; p++) {
    for (uint32_t i = tile->link_first[p]; i < tile->link_first[p + 1]; i++) {
      const WmLink *link = tile->links + i;
      const bool is_inside = link->slot == tile->slot && link->polygon < tile->ground_count;
      links[i].from = p;
      links[i].exit = (WmPatchExit){.number = i,
                                    .kind = find_link_kind(query->mesh, filter, tile, stored, p, link),
                                    .slot = link->slot,
                                    .polygon = link->polygon,
                                    .patch = is_inside ? stored->patches[link->polygon].patch : UINT32_MAX};
      store_link(query->mesh, tile, corners_of(query) + stored->first, stored->first, links + i);
    }
  }
  for (uint32_t p = 0; p < tile->ground_count; p++) {
    if (stored->patches[p].patch != p) continue;
    for (uint32_t k = stored->patches[p].first; k < stored->patches[p].end; k++)
      exits[k] = links[exits[k].number].exit;
  }
}

/* The most links that the expansion of a cone in the tile follows. */
static uint32_t count_most_exits(const WmMeshTile *tile, const WmPatchPolygon *patches) {
  uint32_t most = 0;
  for (uint32_t p = 0; p < tile->polygon_count; p++) {
    const uint32_t own = tile->link_first[p + 1] - tile->link_first[p];
    const uint32_t of_patch = p < tile->ground_count ? patches[p].end - patches[p].first : 0;
    const uint32_t count = own > of_patch ? own : of_patch;
    most = count > most ? count : most;
  }
  return most;
}

/* Finds the kind of each vertex of a tile. */
static WmStatus add_tile(WmQuery *query, const WmFilter *filter, const WmMeshTile *tile) {
  WmCornerTile stored = {.tile = tile, .generation = query->corners.generation};
  WmStatus status = append(query, tile->vertex_count, &stored.first);
  if (!status) status = allocate(query, tile, &stored);
  if (!status) status = wm_patches_find(query->context, tile, filter, stored.patches);
  if (status) return status;
  wm_dead_ends_find(tile, filter, stored.dead_ends);
  WmConeCorner *corners = corners_of(query) + stored.first;
  for (uint32_t p = 0; p < tile->ground_count; p++) {
    if (wm_filter_passes(filter, tile->polygon_flags[p])) add_edges(tile, filter, p, corners);
  }
  for (uint32_t v = 0; v < tile->vertex_count; v++) {
    corners[v].kind = (uint8_t)find_kind(tile, v, corners + v);
    corners[v].stamp = 0;
  }
  add_links(query, filter, tile, &stored);
  stored.most_exits = count_most_exits(tile, stored.patches);
  ((WmCornerTile *)query->arrays[WM_QUERY_CORNER_TILES].items)[tile->slot] = stored;
  return WM_OK;
}

WmStatus wm_corners_of_tile(WmQuery *query, const WmFilter *filter, const WmMeshTile *tile,
                            const WmCornerTile **entry) {
  WmCorners *corners = &query->corners;
  WmCornerTile *own = (WmCornerTile *)query->arrays[WM_QUERY_CORNER_TILES].items + tile->slot;
  if (own->generation != corners->generation) {
    const WmStatus status = add_tile(query, filter, tile);
    if (status) return status;
  }
  if (own->stamp != corners->stamp) corners->met += own->bytes;
  own->stamp = corners->stamp;
  *entry = own;
  return WM_OK;
}

WmStatus wm_corners_of_start(WmQuery *query, const WmFilter *filter, const WmMeshTile *tile,
                             uint32_t polygon) {
  if (polygon >= tile->ground_count || wm_filter_passes(filter, tile->polygon_flags[polygon])) return WM_OK;
  const WmCornerTile *stored;
  const WmStatus status = wm_corners_of_tile(query, filter, tile, &stored);
  if (status) return status;
  query->corners.has_start = true;
  const uint16_t *vertices = tile->polygon_vertices + WM_TILE_VERTICES_PER_POLYGON * (size_t)polygon;
  for (uint32_t k = 0; k < tile->polygon_size[polygon]; k++) {
    WmConeCorner *corner = corners_of(query) + stored->first + vertices[k];
    if (corner->kind == WM_CORNER_OPEN) corner->kind = WM_CORNER_TURNS;
  }
  return WM_OK;
}

/* ---- Fans --------------------------------------------------------------------------------------------- */

/* The open polygons around a point that are linked there. */
typedef struct Fan {
  const WmQuery *query;
  const WmFilter *filter;
  double point[2], near; /* points that near are the same */
  WmRef polygons[FAN_LIMIT];
  size_t count;
  bool has_wall;
} Fan;

WM_INLINE bool is_near(const Fan *fan, const float at[2]) {
  const double x = fan->point[0] - (double)at[0], z = fan->point[1] - (double)at[1];
  return x * x + z * z <= fan->near * fan->near;
}

WM_INLINE bool is_on(const Fan *fan, const float a[2], const float b[2]) {
  const double x = (double)b[0] - (double)a[0], z = (double)b[1] - (double)a[1];
  const double from_x = fan->point[0] - (double)a[0], from_z = fan->point[1] - (double)a[1];
  const double along = from_x * x + from_z * z, squared = x * x + z * z;
  if (along <= 0 || along >= squared) return is_near(fan, a) || is_near(fan, b);
  const double area = from_x * z - from_z * x;
  return area * area <= fan->near * fan->near * squared;
}

static void add_to_fan(Fan *fan, WmRef polygon) {
  for (size_t i = 0; i < fan->count; i++) {
    if (fan->polygons[i] == polygon) return;
  }
  if (fan->count < FAN_LIMIT) {
    fan->polygons[fan->count++] = polygon;
  } else {
    fan->has_wall = true;
  }
}

/* The portal of a link, as read_portal. */
static void find_portal(const WmQuery *query, const WmMeshTile *tile, uint32_t polygon, uint32_t number,
                        float portal[4]) {
  const WmCornerTile *stored = (const WmCornerTile *)query->arrays[WM_QUERY_CORNER_TILES].items + tile->slot;
  if (stored->generation == query->corners.generation) {
    memcpy(portal, stored->links[number].exit.portal, 4 * sizeof *portal);
  } else {
    (void)read_portal(query->mesh, tile, polygon, number, portal);
  }
}

/* Adds the polygons behind an edge at the point. Walls touch the point where no open portal of the edge does; inside an
 * edge two portals must meet there, or one pass. */
static void look_behind(Fan *fan, const WmMeshTile *tile, uint32_t polygon, uint32_t edge, bool is_end) {
  int sides = 0;
  for (uint32_t i = tile->link_first[polygon]; i < tile->link_first[polygon + 1]; i++) {
    const WmLink *link = tile->links + i;
    if (link->edge != edge) continue;
    float portal[4];
    find_portal(fan->query, tile, polygon, i, portal);
    const float left[2] = {portal[0], portal[2]}, right[2] = {portal[1], portal[3]};
    if (!is_on(fan, left, right)) continue;
    const WmMeshTile *target = wm_mesh_tile(fan->query->mesh, link->slot);
    if (link->polygon >= target->ground_count) continue;
    if (!wm_filter_passes(fan->filter, target->polygon_flags[link->polygon])) continue;
    sides += is_near(fan, left) || is_near(fan, right) ? 1 : 2;
    add_to_fan(fan, target->ref + link->polygon);
  }
  if (sides < (is_end ? 1 : 2)) fan->has_wall = true;
}

/* The least polygon of the fan at a point on the outline of a polygon; 0: no wall touches it. */
static WmRef walk_fan(const WmQuery *query, const WmFilter *filter, WmRef polygon, const double point[2]) {
  Fan fan = {.query = query,
             .filter = filter,
             .point = {point[0], point[1]},
             .near = SAME * (1 + fabs(point[0]) + fabs(point[1])),
             .polygons = {polygon},
             .count = 1};
  WmRef least = polygon;
  for (size_t i = 0; i < fan.count; i++) {
    const WmMeshTile *tile = wm_mesh_tile_of(query->mesh, fan.polygons[i]);
    const uint32_t p = wm_ref_polygon(fan.polygons[i]);
    bool touches = false;
    for (uint32_t k = 0; k < tile->polygon_size[p]; k++) {
      const float *from = wm_tile_vertex(tile, p, k), *to = wm_tile_vertex(tile, p, k + 1);
      const float a[2] = {from[0], from[2]}, b[2] = {to[0], to[2]};
      if (!is_on(&fan, a, b)) continue;
      touches = true;
      look_behind(&fan, tile, p, k, is_near(&fan, a) || is_near(&fan, b));
    }
    /* Ends of portals are rounded to steps of an edge, and can lie beside the other tile's outline. */
    fan.has_wall |= !touches;
    least = fan.polygons[i] < least ? fan.polygons[i] : least;
  }
  return fan.has_wall ? least : 0;
}

/* ---- Points ------------------------------------------------------------------------------------------- */

/* The entry of a polygon and a point, or the free one where it belongs. */
static WmFanPoint *find_entry(const WmQuery *query, WmRef polygon, const float point[2]) {
  WmFanPoint *points = query->arrays[WM_QUERY_FAN_POINTS].items;
  const uint32_t capacity = query->corners.fan_capacity;
  uint64_t bits;
  memcpy(&bits, point, sizeof bits);
  const uint64_t hash = (polygon ^ bits * 0x9e3779b97f4a7c15u) * 0xff51afd7ed558ccdu;
  size_t at = (size_t)(hash ^ hash >> 32) & (capacity - 1);
  for (;; at = (at + 1) & (capacity - 1)) {
    const WmFanPoint *entry = points + at;
    if (entry->generation != query->corners.generation) break;
    if (entry->polygon == polygon && entry->point[0] == point[0] && entry->point[1] == point[1]) break;
  }
  return points + at;
}

/* Doubles the table: the other half of the array holds the former one. */
static WmStatus grow_fans(WmQuery *query) {
  WmCorners *corners = &query->corners;
  const uint32_t former = corners->fan_capacity, capacity = former ? 2 * former : FIRST_FANS;
  const WmStatus status =
      wm_query_reserve(query, WM_QUERY_FAN_POINTS, WM_QUERY_FAN_POINTS, (size_t)capacity + former);
  if (status) return status;
  WmFanPoint *points = query->arrays[WM_QUERY_FAN_POINTS].items, *old = points + capacity;
  if (former) memcpy(old, points, former * sizeof *old);
  memset(points, 0, capacity * sizeof *points);
  corners->fan_capacity = capacity;
  for (uint32_t i = 0; i < former; i++) {
    if (old[i].generation != corners->generation) continue;
    *find_entry(query, old[i].polygon, old[i].point) = old[i];
  }
  return WM_OK;
}

static void add_entry(WmQuery *query, WmRef polygon, const float point[2], uint32_t corner) {
  query->corners.fan_count++;
  *find_entry(query, polygon, point) =
      (WmFanPoint){polygon, {point[0], point[1]}, query->corners.generation, corner};
}

/* Adds a point: its corner is that of the fan's least polygon. */
static WmStatus add_point(WmQuery *query, const WmFilter *filter, WmRef polygon, const float point[2],
                          uint32_t *corner) {
  const double at[2] = {(double)point[0], (double)point[1]};
  const WmRef fan = polygon & LANDING ? polygon : walk_fan(query, filter, polygon, at);
  if (fan) {
    const WmFanPoint *entry = find_entry(query, fan, point);
    if (entry->generation == query->corners.generation) *corner = entry->corner;
    if (*corner == WM_NO_CORNER) {
      const WmStatus status = append(query, 1, corner);
      if (status) return status;
      corners_of(query)[*corner].kind = WM_CORNER_TURNS;
      if (fan != polygon) add_entry(query, fan, point, *corner);
    }
  }
  add_entry(query, polygon, point, *corner);
  return WM_OK;
}

static WmStatus find_point(WmQuery *query, const WmFilter *filter, WmRef polygon, const float point[2],
                           uint32_t *corner) {
  *corner = WM_NO_CORNER;
  if (2 * (query->corners.fan_count + 2) > query->corners.fan_capacity) {
    const WmStatus status = grow_fans(query);
    if (status) return status;
  }
  const WmFanPoint *entry = find_entry(query, polygon, point);
  if (entry->generation != query->corners.generation) return add_point(query, filter, polygon, point, corner);
  *corner = entry->corner;
  return WM_OK;
}

WmStatus wm_corners_at_point(WmQuery *query, const WmFilter *filter, WmRef polygon, const float point[2],
                             uint32_t *corner) {
  return find_point(query, filter, polygon, point, corner);
}

WmStatus wm_corners_at_landing(WmQuery *query, WmRef polygon, const float point[2], uint32_t *corner) {
  return find_point(query, &query->default_filter, polygon | LANDING, point, corner);
}
