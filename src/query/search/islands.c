/* Islands: connected components of the polygons that pass a filter. See islands.h.
 *
 *   The polygons of all tiles, by slot, have consecutive numbers (IslandTile.first).
 *   labels [polygons]: first a forest of parents with smaller numbers, joined along links (union by number,
 *   paths halved on the way up), then numbers of islands in the order of their first polygons, then numbers
 *   by area.
 *
 * Source: R. E. Tarjan, J. van Leeuwen, "Worst-case analysis of set union algorithms", 1984. */
#include "base/sort.h"
#include "mesh/locate.h"
#include "query/query_internal.h"
#include "query/search/islands.h"

/* The parent of a polygon that doesn't pass. */
#define NONE UINT32_MAX

typedef struct IslandTile {
  WmRef tile;     /* 0: none */
  uint32_t first; /* label of its polygon 0 */
} IslandTile;

struct WmIslands {
  WmContext *context;
  const WmMesh *mesh;
  WmBuffer tiles;   /* IslandTile, by slot */
  WmBuffer labels;  /* uint32_t: island of each polygon, 0 none */
  WmBuffer areas;   /* float, by island: [0] is unused */
  WmBuffer largest; /* WmRef, by island: its largest ground polygon, 0 if it has none: [0] is unused */
  size_t slot_count, count;
  /* The mesh version and the filter of the labels. */
  bool labelled;
  uint64_t version;
  uint16_t include_flags, exclude_flags;
};

WmStatus wm_islands_create(WmContext *context, const WmMesh *mesh, WmIslands **out) {
  WmIslands *islands = *out = wm_block_allocate(context, sizeof *islands);
  if (!islands) return WM_ERROR_OUT_OF_MEMORY;
  *islands = (WmIslands){.context = context, .mesh = mesh};
  return WM_OK;
}

void wm_islands_destroy(WmIslands *islands) {
  if (!islands) return;
  wm_block_free(islands->context, islands->tiles.items);
  wm_block_free(islands->context, islands->labels.items);
  wm_block_free(islands->context, islands->areas.items);
  wm_block_free(islands->context, islands->largest.items);
  wm_block_free(islands->context, islands);
}

/* ---- Numbering ---------------------------------------------------------------------------------------- */

/* Numbers the polygons of all tiles, by slot.
 * out        *polygons: their number */
static WmStatus number_polygons(WmIslands *islands, size_t *polygons) {
  const size_t slots = wm_mesh_slot_count(islands->mesh);
  const WmStatus status = wm_buffer_reserve(islands->context, &islands->tiles, slots, sizeof(IslandTile));
  if (status) return status;
  *polygons = 0;
  for (size_t slot = 0; slot < slots; slot++) {
    const WmMeshTile *tile = wm_mesh_tile(islands->mesh, slot);
    ((IslandTile *)islands->tiles.items)[slot] = (IslandTile){tile ? tile->ref : 0, (uint32_t)*polygons};
    *polygons += tile ? tile->polygon_count : 0;
  }
  islands->slot_count = slots;
  return wm_buffer_reserve(islands->context, &islands->labels, *polygons, sizeof(uint32_t));
}

/* ---- Joining ------------------------------------------------------------------------------------------ */

static uint32_t find_root(uint32_t *parents, uint32_t number) {
  while (parents[number] != number) number = parents[number] = parents[parents[number]];
  return number;
}

/* Joins two polygons, if both pass. */
static void join(uint32_t *parents, uint32_t a, uint32_t b) {
  if (parents[a] == NONE || parents[b] == NONE) return;
  const uint32_t first = find_root(parents, a), second = find_root(parents, b);
  if (first < second) {
    parents[second] = first;
  } else {
    parents[first] = second;
  }
}

/* Joins the ground on both sides of each segment link where it can be crossed; the link belongs to the first such ground. */
static void join_links(const WmIslands *islands, const WmMeshTile *set, uint32_t *parents) {
  const IslandTile *tiles = islands->tiles.items;
  for (uint32_t p = 0; p < set->polygon_count; p++) {
    const uint32_t link = tiles[set->slot].first + p, end = set->tie_first[p + 1];
    bool is_joined = parents[link] == NONE;
    for (uint32_t i = set->tie_first[p]; i < end && parents[link] != NONE; i++) {
      const WmLinkTie *entry = &set->ties[i];
      const uint32_t from = tiles[entry->slot].first + entry->polygon;
      for (uint32_t k = set->tie_first[p]; k < end && entry->is_entry; k++) {
        const WmLinkTie *exit = &set->ties[k];
        const uint32_t to = tiles[exit->slot].first + exit->polygon;
        if (!exit->is_exit || !wm_do_ties_meet(entry, exit)) continue;
        join(parents, from, to);
        if (!is_joined) join(parents, from, link);
        is_joined = is_joined || parents[from] != NONE;
      }
    }
  }
}

/* Joins the polygons of a tile with the targets of their links. */
static void join_tile(const WmIslands *islands, const WmMeshTile *tile, uint32_t *parents) {
  const IslandTile *tiles = islands->tiles.items;
  const uint32_t first = tiles[tile->slot].first;
  if (tile->segments) {
    join_links(islands, tile, parents);
    return;
  }
  for (uint32_t p = 0; p < tile->polygon_count; p++) {
    if (parents[first + p] == NONE) continue;
    uint32_t root = find_root(parents, first + p);
    for (uint32_t i = tile->link_first[p]; i < tile->link_first[p + 1]; i++) {
      const uint32_t target = tiles[tile->links[i].slot].first + tile->links[i].polygon;
      if (parents[target] == NONE) continue;
      if (tile->links[i].edge == 255 && wm_mesh_tile(islands->mesh, tile->links[i].slot)->segments) continue;
      const uint32_t other = find_root(parents, target);
      if (other < root) {
        root = parents[root] = other;
      } else {
        parents[other] = root;
      }
    }
  }
}

/* Numbers islands 1.. in the order of their first polygons, in place: parents come before their children.
 * Returns the number of islands. */
static uint32_t number_islands(uint32_t *labels, size_t polygons) {
  uint32_t count = 0;
  for (size_t i = 0; i < polygons; i++) {
    const uint32_t parent = labels[i];
    labels[i] = parent == NONE ? 0 : parent == i ? ++count : labels[parent];
  }
  return count;
}

/* ---- Sorting ------------------------------------------------------------------------------------------ */

/* The ground of an island, before the islands are sorted. */
typedef struct Ground {
  double area;
  double largest_area; /* of the polygon `largest` */
  WmRef largest;       /* 0: none */
} Ground;

/* Sums up the ground of each island.
 * in / out   grounds [count + 1]: zeroed; [0] is of polygons without an island */
static void measure_islands(const WmIslands *islands, Ground *grounds) {
  const uint32_t *label = islands->labels.items;
  for (size_t slot = 0; slot < islands->slot_count; slot++) {
    const WmMeshTile *tile = wm_mesh_tile(islands->mesh, slot);
    if (!tile) continue;
    for (uint32_t p = 0; p < tile->ground_count; p++) {
      const double area = wm_tile_polygon_area(tile, p);
      Ground *ground = &grounds[label[p]];
      ground->area += area;
      if (ground->largest && !(area > ground->largest_area)) continue;
      ground->largest_area = area;
      ground->largest = tile->ref + p;
    }
    label += tile->polygon_count;
  }
}

/* Renumbers islands by descending area; the order of equal ones stays.
 * in         polygons: number of labels */
static WmStatus sort_islands(WmIslands *islands, size_t polygons, size_t count) {
  Ground *grounds = wm_scratch_zeroed(islands->context, count + 1, sizeof *grounds);
  WmSortItem *items = wm_scratch_array(islands->context, 2 * count, sizeof *items);
  uint32_t *numbers = wm_scratch_array(islands->context, count + 1, sizeof *numbers);
  if (!grounds || !items || !numbers) return WM_ERROR_OUT_OF_MEMORY;
  WmStatus status = wm_buffer_reserve(islands->context, &islands->areas, count + 1, sizeof(float));
  if (!status) status = wm_buffer_reserve(islands->context, &islands->largest, count + 1, sizeof(WmRef));
  if (status) return status;
  measure_islands(islands, grounds);
  uint32_t *labels = islands->labels.items;
  float *areas = islands->areas.items;
  WmRef *largest = islands->largest.items;
  for (size_t i = 0; i < count; i++) {
    const float area = (float)grounds[i + 1].area;
    uint32_t bits;
    memcpy(&bits, &area, sizeof bits);
    items[i] = (WmSortItem){~bits, (uint32_t)i + 1};
  }
  wm_sort_stable(items, items + count, count);
  numbers[0] = 0;
  for (size_t i = 0; i < count; i++) {
    const uint32_t bits = ~items[i].key;
    memcpy(&areas[i + 1], &bits, sizeof bits);
    largest[i + 1] = grounds[items[i].value].largest;
    numbers[items[i].value] = (uint32_t)i + 1;
  }
  for (size_t i = 0; i < polygons; i++) labels[i] = numbers[labels[i]];
  islands->count = count;
  return WM_OK;
}

static WmStatus label_all(WmIslands *islands, const WmFilter *filter) {
  size_t polygons;
  const WmStatus status = number_polygons(islands, &polygons);
  if (status) return status;
  uint32_t *parents = islands->labels.items, number = 0;
  for (size_t slot = 0; slot < islands->slot_count; slot++) {
    const WmMeshTile *tile = wm_mesh_tile(islands->mesh, slot);
    for (uint32_t p = 0; tile && p < tile->polygon_count; p++, number++) {
      parents[number] = wm_filter_passes(filter, tile->polygon_flags[p]) ? number : NONE;
    }
  }
  for (size_t slot = 0; slot < islands->slot_count; slot++) {
    const WmMeshTile *tile = wm_mesh_tile(islands->mesh, slot);
    if (tile) join_tile(islands, tile, parents);
  }
  return sort_islands(islands, polygons, number_islands(parents, polygons));
}

/* ---- Queries ------------------------------------------------------------------------------------------ */

bool wm_islands_are_current(const WmIslands *islands, const WmFilter *filter) {
  const uint16_t include = filter ? filter->include_flags : 0xffff,
                 exclude = filter ? filter->exclude_flags : 0;
  return islands->labelled && islands->version == wm_mesh_version(islands->mesh) &&
         islands->include_flags == include && islands->exclude_flags == exclude;
}

WmStatus wm_islands_update(WmIslands *islands, const WmFilter *filter) {
  if (wm_islands_are_current(islands, filter)) return WM_OK;
  const WmFilter standard = wm_filter_default();
  if (!filter) filter = &standard;
  islands->labelled = false;
  islands->slot_count = islands->count = 0;
  const WmScratchMark mark = wm_scratch_mark(islands->context);
  const WmStatus status = label_all(islands, filter);
  wm_scratch_rewind(islands->context, mark);
  if (status) {
    islands->slot_count = 0;
    return status;
  }
  islands->labelled = true;
  islands->version = wm_mesh_version(islands->mesh);
  islands->include_flags = filter->include_flags;
  islands->exclude_flags = filter->exclude_flags;
  return WM_OK;
}

size_t wm_islands_count(const WmIslands *islands) { return islands->count; }

float wm_islands_area(const WmIslands *islands, uint32_t island) {
  return island > 0 && island <= islands->count ? ((const float *)islands->areas.items)[island] : 0;
}

WmNearest wm_islands_point(const WmIslands *islands, uint32_t island) {
  if (island == 0 || island > islands->count) return (WmNearest){0};
  const WmRef ref = ((const WmRef *)islands->largest.items)[island];
  const WmMeshTile *tile = wm_mesh_tile_of(islands->mesh, ref);
  if (!tile) return (WmNearest){0};
  const uint32_t polygon = wm_ref_polygon(ref), size = tile->polygon_size[polygon];
  float middle[3] = {0, 0, 0};
  for (uint32_t k = 0; k < size; k++) {
    for (int axis = 0; axis < 3; axis++) middle[axis] += wm_tile_vertex(tile, polygon, k)[axis] / (float)size;
  }
  WmNearest found = {.polygon = ref};
  found.over = wm_tile_closest_point(tile, polygon, middle, true, found.point);
  return found;
}

uint32_t wm_islands_of(const WmIslands *islands, WmRef polygon) {
  const WmMeshTile *tile = wm_mesh_tile_of(islands->mesh, polygon);
  if (!tile || tile->slot >= islands->slot_count) return 0;
  const IslandTile *entry = (const IslandTile *)islands->tiles.items + tile->slot;
  if (entry->tile != tile->ref) return 0;
  return ((const uint32_t *)islands->labels.items)[entry->first + wm_ref_polygon(polygon)];
}
