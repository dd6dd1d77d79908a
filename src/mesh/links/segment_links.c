/* Sets of segment links: put, read, switched on and off. See segment_links.h, segment_sets.h.
 *
 * The sets of a mesh are sorted by z, x, number. */
#include "mesh/links/segment_links.h"

#include <math.h>

#include "base/number.h"
#include "base/sort.h"
#include "base/vector.h"
#include "mesh/links/segment_sets.h"

/* ---- Checks ------------------------------------------------------------------------------------------- */

/* Both segments of a link may differ in length by this, relative to it. */
#define SAME_LENGTH 1e-3f

static WmStatus refuse(WmContext *context, size_t number, const char *field, const char *after) {
  return wm_fail_number(context, WM_ERROR_INVALID_ARGUMENT, field, "link ", (double)number, after);
}

/* True if leaving over the near segment from its left to its right end leads to the other side of it: links that turn, and
 * those along their own line, have no such side. */
static bool is_mirrored(const WmSegmentLink *link, float width) {
  const float *left = link->start[0], *right = link->start[1];
  float way[2];
  for (int k = 0; k < 2; k++) {
    way[k] = link->end[0][2 * k] - left[2 * k];
    const float other = link->end[1][2 * k] - right[2 * k];
    if (fabsf(way[k] - other) > SAME_LENGTH * width) return false;
  }
  const float aside = (right[0] - left[0]) * way[1] - (right[2] - left[2]) * way[0];
  return aside < -SAME_LENGTH * width * (fabsf(way[0]) + fabsf(way[1]));
}

static WmStatus check_link(WmContext *context, const WmSegmentLink *link, size_t number) {
  if (!wm_are_within(link->start[0], 6, WM_FARTHEST))
    return refuse(context, number, "start", ": too far, or not finite");
  if (!wm_are_within(link->end[0], 6, WM_FARTHEST))
    return refuse(context, number, "end", ": too far, or not finite");
  const float sizes[] = {link->peak, link->cost};
  if (!wm_are_within(sizes, 1, WM_FARTHEST) || link->peak < 0)
    return refuse(context, number, "peak", ": must be finite, >= 0");
  if (!wm_are_within(sizes + 1, 1, WM_FARTHEST) || link->cost < 0)
    return refuse(context, number, "cost", ": must be finite, >= 0");
  if (link->area > 63) return refuse(context, number, "area", ": must be 0 to 63");
  if (link->kind >= WM_SEGMENT_LINK_KINDS) return refuse(context, number, "kind", ": there is no such kind");
  const float width = wm_segment_link_width(link),
              other = sqrtf(wm_squared_distance_on_plane(link->end[0], link->end[1]));
  if (!(width > 0)) return refuse(context, number, "start", ": has no width");
  if (!(fabsf(width - other) <= SAME_LENGTH * width))
    return refuse(context, number, "end", ": both segments must be equally long");
  if (is_mirrored(link, width))
    return refuse(context, number, "start", ": left and right are swapped, in both segments");
  return WM_OK;
}

/* ---- Links that were switched off --------------------------------------------------------------------- */

static WmLinkOff *links_off(const WmMesh *mesh) { return mesh->links_off.items; }

static WmLinkOff place_of(const WmSegmentLink *link) {
  WmLinkOff off = {.kind = link->kind};
  memcpy(off.start, link->start, sizeof off.start);
  memcpy(off.end, link->end, sizeof off.end);
  return off;
}

/* Cuts the interval range[2] of t down to where `low` <= first + t * step <= `high`; what is left may be empty. */
static void clip_range(float range[2], float first, float step, float low, float high) {
  if (step == 0) {
    if (!(first >= low && first <= high)) range[1] = -1;
    return;
  }
  const float at_low = (low - first) / step, at_high = (high - first) / step;
  range[0] = fmaxf(range[0], fminf(at_low, at_high));
  range[1] = fminf(range[1], fmaxf(at_low, at_high));
}

/* A position of a place's near segment, 0 to 1 between its ends, and how far a point lies aside and above of it. */
typedef struct Beside {
  float along, aside, above;
} Beside;

static Beside find_beside(const WmLinkOff *off, float width, const float point[3]) {
  const float *left = off->start[0], *right = off->start[1];
  const float way[2] = {(right[0] - left[0]) / width, (right[2] - left[2]) / width},
              from[2] = {point[0] - left[0], point[2] - left[2]};
  const float along = (from[0] * way[0] + from[1] * way[1]) / width;
  return (Beside){.along = along,
                  .aside = from[0] * way[1] - from[1] * way[0],
                  .above = point[1] - left[1] - along * (right[1] - left[1])};
}

/* True if the ways of a link and of a place lead the same way on x and z, up to 45 degrees, from positions of their segments. */
static bool is_same_way(const float near[2][3], const float far[2][3], float across, const WmLinkOff *off,
                        float along) {
  float points[4][3];
  wm_interpolate(near[0], near[1], across, points[0]);
  wm_interpolate(far[0], far[1], across, points[1]);
  wm_interpolate(off->start[0], off->start[1], along, points[2]);
  wm_interpolate(off->end[0], off->end[1], along, points[3]);
  const float x = points[1][0] - points[0][0], z = points[1][2] - points[0][2];
  const float off_x = points[3][0] - points[2][0], off_z = points[3][2] - points[2][2];
  const float dot = x * off_x + z * off_z, lengths = (x * x + z * z) * (off_x * off_x + off_z * off_z);
  return lengths == 0 || (dot > 0 && 2 * dot * dot >= lengths);
}

/* True if at least half of the narrower of two segments, of a link and of a place, lies beside the other one, and both lead
 * the same way there. */
static bool is_way_off(const WmMesh *mesh, const float near[2][3], const float far[2][3],
                       const WmLinkOff *off) {
  const float cell = mesh->parameters.cell_size, climb = mesh->parameters.agent_max_climb + cell;
  const float width = sqrtf(wm_squared_distance_on_plane(near[0], near[1])),
              off_width = sqrtf(wm_squared_distance_on_plane(off->start[0], off->start[1]));
  const Beside first = find_beside(off, off_width, near[0]), last = find_beside(off, off_width, near[1]);
  float range[2] = {0, 1};
  clip_range(range, first.along, last.along - first.along, 0, 1);
  clip_range(range, first.aside, last.aside - first.aside, -cell, cell);
  clip_range(range, first.above, last.above - first.above, -climb, climb);
  if (!((range[1] - range[0]) * width >= 0.5f * fminf(width, off_width))) return false;
  const float across = 0.5f * (range[0] + range[1]);
  return is_same_way(near, far, across, off, first.along + across * (last.along - first.along));
}

/* True if a link is the one that was switched off at a place, or one that replaced it. See segment_links.h. */
static bool is_off_at(const WmMesh *mesh, const WmSegmentLink *link, const WmLinkOff *off) {
  if (link->kind != off->kind) return false;
  return is_way_off(mesh, link->start, link->end, off) ||
         (link->bidirectional && is_way_off(mesh, link->end, link->start, off));
}

/* ---- Places by squares -------------------------------------------------------------------------------- */

/* Places are listed by the squares of the grid on x and z that their near segments touch, so that a link is compared with those near it
 * only. Few places aren't worth a list; places on many squares lie in a square of their own, which every link looks at. */
enum { LISTED_PLACES = 32, SQUARE_CELLS = 16, SQUARE_LIMIT = 64, KEY_OF_ALL = 0 };

typedef struct Squares {
  int32_t low[2], high[2]; /* both included */
  bool are_many;
} Squares;

/* The squares of a segment, widened by a margin. */
static Squares find_squares(const WmMesh *mesh, const float at[2][3], float margin) {
  const float side = SQUARE_CELLS * mesh->parameters.cell_size;
  float low[2], high[2];
  for (int k = 0; k < 2; k++) {
    low[k] = floorf((fminf(at[0][2 * k], at[1][2 * k]) - margin) / side);
    high[k] = floorf((fmaxf(at[0][2 * k], at[1][2 * k]) + margin) / side);
  }
  const float count = (high[0] - low[0] + 1) * (high[1] - low[1] + 1);
  Squares squares = {.are_many = !(count <= SQUARE_LIMIT)};
  for (int k = 0; k < 2 && !squares.are_many; k++) {
    /* Far ones share the last square: they are only compared more often. */
    squares.low[k] = (int32_t)fmaxf(-1e9f, fminf(low[k], 1e9f));
    squares.high[k] = (int32_t)fmaxf(-1e9f, fminf(high[k], 1e9f));
  }
  return squares;
}

/* The key of a square, never that of places on many squares. */
static uint32_t square_key(int32_t x, int32_t z) {
  return ((uint32_t)x * 0x9e3779b1u ^ (uint32_t)z * 0x85ebca6bu) | 1;
}

/* Lists the places by squares, unless they are; without memory they stay unlisted. */
static void list_places(WmMesh *mesh) {
  if (mesh->off_square_count > 0 || mesh->link_off_count < LISTED_PLACES ||
      mesh->link_off_count > UINT32_MAX / SQUARE_LIMIT)
    return;
  const WmScratchMark mark = wm_scratch_mark(mesh->context);
  size_t count = 0;
  for (int pass = 0; pass < 2; pass++) { /* counts them first */
    WmSortItem *items = mesh->off_squares.items;
    count = 0;
    for (size_t i = 0; i < mesh->link_off_count; i++) {
      const Squares squares =
          find_squares(mesh, (const float(*)[3])links_off(mesh)[i].start, 2 * mesh->parameters.cell_size);
      if (squares.are_many) {
        if (pass) items[count] = (WmSortItem){KEY_OF_ALL, (uint32_t)i};
        count++;
        continue;
      }
      for (int32_t z = squares.low[1]; z <= squares.high[1]; z++) {
        for (int32_t x = squares.low[0]; x <= squares.high[0]; x++, count++) {
          if (pass) items[count] = (WmSortItem){square_key(x, z), (uint32_t)i};
        }
      }
    }
    if (!pass && wm_buffer_reserve(mesh->context, &mesh->off_squares, count, sizeof(WmSortItem))) break;
    if (!pass) continue;
    WmSortItem *scratch = wm_scratch_array(mesh->context, count, sizeof *scratch);
    if (!scratch) break;
    wm_sort_stable(items, scratch, count);
    mesh->off_square_count = count;
  }
  wm_scratch_rewind(mesh->context, mark);
}

/* The places have changed. */
static void unlist_places(WmMesh *mesh) { mesh->off_square_count = 0; }

/* True if a link is off at a place of a square. */
static bool is_off_in(const WmMesh *mesh, const WmSegmentLink *link, uint32_t key) {
  const WmSortItem *items = mesh->off_squares.items;
  for (size_t i = wm_sort_find(items, mesh->off_square_count, key);
       i < mesh->off_square_count && items[i].key == key; i++) {
    if (is_off_at(mesh, link, &links_off(mesh)[items[i].value])) return true;
  }
  return false;
}

static bool is_off_anywhere(const WmMesh *mesh, const WmSegmentLink *link) {
  for (size_t i = 0; i < mesh->link_off_count; i++) {
    if (is_off_at(mesh, link, &links_off(mesh)[i])) return true;
  }
  return false;
}

static bool is_remembered(WmMesh *mesh, const WmSegmentLink *link) {
  list_places(mesh);
  if (mesh->off_square_count == 0) return is_off_anywhere(mesh, link);
  for (int end = 0; end < 1 + link->bidirectional; end++) {
    const Squares squares = find_squares(mesh, end ? link->end : link->start, 0);
    if (squares.are_many) return is_off_anywhere(mesh, link);
    for (int32_t z = squares.low[1]; z <= squares.high[1]; z++) {
      for (int32_t x = squares.low[0]; x <= squares.high[0]; x++) {
        if (is_off_in(mesh, link, square_key(x, z))) return true;
      }
    }
  }
  return is_off_in(mesh, link, KEY_OF_ALL);
}

/* The least cost of a world unit of distance between both ends of a link; that distance is largest at one of its sides. */
static float find_least_cost(const WmSegmentLink *link) {
  const float left = wm_distance(link->start[0], link->end[0]),
              right = wm_distance(link->start[1], link->end[1]);
  const float longest = fmaxf(left, right);
  return link->enabled && link->cost < longest ? link->cost / longest : 1;
}

static void set_least_cost(WmLinkSet *set) {
  set->least_cost = 1;
  for (uint32_t i = 0; i < set->record.tile.polygon_count; i++) {
    set->least_cost = fminf(set->least_cost, find_least_cost(&set->links[i]));
  }
}

static void switch_link(WmLinkSet *set, uint32_t number, bool enabled) {
  WmSegmentLink *link = &set->links[number];
  link->enabled = enabled;
  set->record.arrays.polygon_flags[number] = enabled ? link->flags : 0;
}

/* Links of a set were switched. */
static void note_switch(WmMesh *mesh, WmLinkSet *set) {
  set_least_cost(set);
  wm_mesh_note_change(mesh, set->record.tile.slot);
}

const WmLinkOff *wm_mesh_links_off(const WmMesh *mesh, size_t *count) {
  *count = mesh->link_off_count;
  return links_off(mesh);
}

WmStatus wm_mesh_store_links_off(WmMesh *mesh, const WmLinkOff *off, size_t count) {
  for (size_t i = 0; i < count; i++) {
    const bool is_usable = wm_are_within(off[i].start[0], 6, WM_FARTHEST) &&
                           wm_are_within(off[i].end[0], 6, WM_FARTHEST) &&
                           off[i].kind < WM_SEGMENT_LINK_KINDS &&
                           wm_squared_distance_on_plane(off[i].start[0], off[i].start[1]) > 0;
    if (!is_usable) return refuse(mesh->context, i, "off", " that is off is out of range");
  }
  const WmStatus status = wm_buffer_reserve(mesh->context, &mesh->links_off, count, sizeof *off);
  if (status) return status;
  if (count) memmove(links_off(mesh), off, count * sizeof *off);
  mesh->link_off_count = count;
  unlist_places(mesh);
  mesh->version++;
  return WM_OK;
}

WmStatus wm_mesh_set_links_off(WmMesh *mesh, const WmLinkOff *off, size_t count) {
  const WmStatus status = wm_mesh_store_links_off(mesh, off, count);
  if (status) return status;
  for (size_t i = 0; i < mesh->link_set_count; i++) {
    WmLinkSet *set = wm_mesh_link_sets(mesh)[i];
    for (uint32_t k = 0; k < set->record.tile.polygon_count; k++) {
      switch_link(set, k, !is_remembered(mesh, &set->links[k]));
    }
    note_switch(mesh, set);
  }
  wm_mesh_update_least_cost(mesh);
  return WM_OK;
}

/* ---- Sets --------------------------------------------------------------------------------------------- */

/* The index of a set by its place, or the index where it belongs.
 * returns    true if the mesh has it */
static bool find_set(const WmMesh *mesh, int32_t x, int32_t z, uint32_t number, size_t *index) {
  WmLinkSet **sets = wm_mesh_link_sets(mesh);
  size_t first = 0, end = mesh->link_set_count;
  while (first < end) {
    const size_t middle = first + (end - first) / 2;
    const WmLinkSet *set = sets[middle];
    const bool is_before = set->z != z ? set->z < z : set->x != x ? set->x < x : set->number < number;
    if (is_before) {
      first = middle + 1;
    } else {
      end = middle;
    }
  }
  *index = first;
  return first < mesh->link_set_count && sets[first]->x == x && sets[first]->z == z &&
         sets[first]->number == number;
}

/* A number for a set behind all others of a place; WM_NEW_LINK_SET if there is none. */
static uint32_t choose_number(const WmMesh *mesh, int32_t x, int32_t z) {
  size_t end;
  (void)find_set(mesh, x, z, WM_NEW_LINK_SET, &end);
  const WmLinkSet *last = end > 0 ? wm_mesh_link_sets(mesh)[end - 1] : NULL;
  return last && last->x == x && last->z == z ? last->number + 1 : 1;
}

/* The set of a reference to a segment link, or NULL. */
static WmLinkSet *set_of(const WmMesh *mesh, WmRef ref) {
  WmTileRecord *record = wm_mesh_record(mesh, ref);
  return record && record->tile.segments ? (WmLinkSet *)record : NULL;
}

/* Finds the set of a reference. */
static WmStatus check_ref(const WmMesh *mesh, WmRef ref, WmLinkSet **set) {
  *set = set_of(mesh, ref);
  const WmStatus status = wm_mesh_check_ref(mesh->context, mesh, ref, "link");
  if (status == WM_ERROR_STALE_REFERENCE) {
    return wm_fail_number(mesh->context, status, "link", "reference ", (double)ref,
                          " is stale: the link was removed or replaced");
  }
  if (status || *set) return status;
  return wm_fail(mesh->context, WM_ERROR_INVALID_ARGUMENT, "link", "the polygon is no segment link");
}

/* The arrays of a set in its block. */
static void place_arrays(WmLayout *layout, uint8_t *memory, size_t count, WmLinkSet *set) {
  size_t at[10], i = 0;
  (void)wm_layout_add(layout, 1, sizeof *set);
  at[i++] = wm_layout_add(layout, count, sizeof(WmSegmentLink));
  at[i++] = wm_layout_add(layout, 2 * count, 3 * sizeof(float));
  at[i++] = wm_layout_add(layout, count, WM_TILE_VERTICES_PER_POLYGON * sizeof(uint16_t));
  at[i++] = wm_layout_add(layout, count, WM_TILE_VERTICES_PER_POLYGON * sizeof(uint16_t));
  at[i++] = wm_layout_add(layout, count, sizeof(uint8_t));
  at[i++] = wm_layout_add(layout, count, sizeof(uint8_t));
  at[i++] = wm_layout_add(layout, count, sizeof(uint16_t));
  at[i++] = wm_layout_add(layout, count + 2, sizeof(uint32_t));
  at[i++] = wm_layout_add(layout, count + 1, sizeof(uint32_t));
  at[i++] = wm_layout_add(layout, 2 * (count + 1), sizeof(uint32_t));
  if (!memory) return;
  WmTileArrays *arrays = &set->record.arrays;
  set->links = (void *)(memory + at[0]);
  arrays->vertices = (void *)(memory + at[1]);
  arrays->polygon_vertices = (void *)(memory + at[2]);
  arrays->polygon_neighbours = (void *)(memory + at[3]);
  arrays->polygon_size = memory + at[4];
  arrays->polygon_area = memory + at[5];
  arrays->polygon_flags = (void *)(memory + at[6]);
  arrays->link_first = (void *)(memory + at[7]);
  arrays->state_first = (void *)(memory + at[8]);
  set->tie_first = (void *)(memory + at[9]);
  set->planned_first = set->tie_first + count + 1;
}

static void set_view(WmLinkSet *set) {
  static const double NO_AREA = 0;
  const WmTileArrays *arrays = &set->record.arrays;
  WmMeshTile *tile = &set->record.tile;
  tile->vertices = arrays->vertices;
  tile->polygon_vertices = arrays->polygon_vertices;
  tile->polygon_neighbours = arrays->polygon_neighbours;
  tile->polygon_size = arrays->polygon_size;
  tile->polygon_area = arrays->polygon_area;
  tile->polygon_flags = arrays->polygon_flags;
  tile->link_first = arrays->link_first;
  tile->state_first = arrays->state_first;
  tile->area_before = &NO_AREA;
  tile->segments = set->links;
  tile->tie_first = set->tie_first;
}

/* Writes polygon i: an edge between the middles of its segments. */
static void fill_polygon(WmLinkSet *set, uint32_t i) {
  const WmSegmentLink *link = &set->links[i];
  const WmTileArrays *arrays = &set->record.arrays;
  for (uint32_t end = 0; end < 2; end++) {
    const float(*at)[3] = end ? link->end : link->start;
    wm_interpolate(at[0], at[1], 0.5f, arrays->vertices + 3 * (size_t)(2 * i + end));
    arrays->polygon_vertices[WM_TILE_VERTICES_PER_POLYGON * (size_t)i + end] = (uint16_t)(2 * i + end);
  }
  arrays->polygon_size[i] = 2;
  arrays->polygon_area[i] = link->area;
  arrays->polygon_flags[i] = link->enabled ? link->flags : 0;
  arrays->state_first[i + 1] = i + 1;
}

static void fill_bounds(WmLinkSet *set) {
  WmMeshTile *tile = &set->record.tile;
  for (int axis = 0; axis < 3; axis++) {
    tile->bounds_min[axis] = INFINITY;
    tile->bounds_max[axis] = -INFINITY;
    for (uint32_t i = 0; i < tile->polygon_count; i++) {
      const WmSegmentLink *link = &set->links[i];
      const float numbers[4] = {link->start[0][axis], link->start[1][axis], link->end[0][axis],
                                link->end[1][axis]};
      for (int k = 0; k < 4; k++) {
        tile->bounds_min[axis] = fminf(tile->bounds_min[axis], numbers[k]);
        tile->bounds_max[axis] = fmaxf(tile->bounds_max[axis], numbers[k]);
      }
    }
  }
}

/* Copies a link into zeros, so that equal links have equal bytes. */
static void copy_link(const WmSegmentLink *link, WmSegmentLink *copy) {
  memcpy(copy->start, link->start, sizeof copy->start);
  memcpy(copy->end, link->end, sizeof copy->end);
  copy->peak = link->peak;
  copy->cost = link->cost;
  copy->user_id = link->user_id;
  copy->flags = link->flags;
  copy->area = link->area;
  copy->kind = link->kind;
  copy->bidirectional = link->bidirectional;
  copy->enabled = link->enabled;
}

static WmStatus make_set(WmMesh *mesh, const WmSegmentLink *links, uint32_t count, WmLinkSet **out) {
  WmLayout layout = {0};
  place_arrays(&layout, NULL, count, NULL);
  uint8_t *memory = wm_layout_allocate(mesh->context, &layout);
  WmLinkSet *set = *out = (void *)memory;
  if (!set) return WM_ERROR_OUT_OF_MEMORY;
  memset(memory, 0, layout.bytes);
  place_arrays(&(WmLayout){0}, memory, count, set);
  set->record.block_bytes = layout.bytes;
  WmMeshTile *tile = &set->record.tile;
  tile->polygon_count = count;
  tile->vertex_count = 2 * count;
  tile->cost_factor = 1;
  for (uint32_t i = 0; i < count; i++) {
    copy_link(&links[i], &set->links[i]);
    if (set->links[i].enabled) set->links[i].enabled = !is_remembered(mesh, &links[i]);
    fill_polygon(set, i);
  }
  fill_bounds(set);
  set_view(set);
  set_least_cost(set);
  wm_link_set_find_boxes(mesh, set);
  return WM_OK;
}

void wm_link_set_free(WmContext *context, WmLinkSet *set) {
  wm_block_free(context, set->ties.items);
  wm_block_free(context, set->planned.items);
  wm_tile_free(context, &set->record);
}

/* True if a set has these links: nothing would change. */
static bool has_links(WmMesh *mesh, const WmLinkSet *set, const WmSegmentLink *links, size_t count) {
  bool is_same = set->record.tile.polygon_count == count;
  for (size_t i = 0; i < count && is_same; i++) {
    WmSegmentLink copy;
    memset(&copy, 0, sizeof copy);
    copy_link(&links[i], &copy);
    if (copy.enabled) copy.enabled = !is_remembered(mesh, &links[i]);
    /* NOLINTNEXTLINE(bugprone-suspicious-memory-comparison,cert-exp42-c,cert-flp37-c): bits */
    is_same = memcmp(&copy, &set->links[i], sizeof copy) == 0;
  }
  return is_same;
}

/* Replaces, adds or removes the set at an index; one of `former` and `set` may be NULL.
 * returns    WM_OK, WM_ERROR_OUT_OF_MEMORY: nothing has changed */
static WmStatus change(WmMesh *mesh, size_t index, WmLinkSet *former, WmLinkSet *set) {
  WmLinkPlan plan = {.mesh = mesh};
  if (set) wm_plan_limit(&plan, &set->record);
  if (former) wm_plan_link_set_removal(&plan, former);
  if (set) wm_plan_link_set(&plan, set, NULL, NULL);
  if (set && !plan.status) wm_mesh_insert_record(mesh, &set->record);
  wm_plan_finish(&plan);
  if (former) former->record.is_leaving = false;
  if (plan.status) return plan.status;
  WmLinkSet **sets = wm_mesh_link_sets(mesh);
  const size_t behind = mesh->link_set_count - index - (former != NULL);
  memmove(sets + index + (set != NULL), sets + index + (former != NULL), behind * sizeof *sets);
  if (set) sets[index] = set;
  mesh->link_set_count += (size_t)(set != NULL) - (size_t)(former != NULL);
  if (former) {
    mesh->tie_count -= wm_link_set_tie_count(former);
    wm_block_free(mesh->context, former->ties.items);
    wm_block_free(mesh->context, former->planned.items);
    wm_mesh_detach_record(mesh, &former->record);
  }
  if (former) {
    wm_mesh_update_least_cost(mesh);
  } else {
    mesh->least_cost = fminf(mesh->least_cost, set->least_cost);
  }
  return WM_OK;
}

static bool is_place(int32_t number) {
  return number >= -WM_TILE_COORDINATE_LIMIT && number <= WM_TILE_COORDINATE_LIMIT;
}

WmStatus wm_mesh_put_links(WmMesh *mesh, int32_t x, int32_t z, uint32_t number, const WmSegmentLink *links,
                           size_t count, WmRef *out) {
  WmRef unused;
  if (!out) out = &unused;
  *out = 0;
  WmStatus status = WM_OK;
  if (!is_place(x) || !is_place(z)) {
    return wm_fail(mesh->context, WM_ERROR_INVALID_ARGUMENT, "place", "the place is too far from the origin");
  }
  if (count > WM_LINK_SET_LIMIT) {
    return wm_fail_range(mesh->context, WM_ERROR_LIMIT, "links", (double)count, 0, WM_LINK_SET_LIMIT, NULL);
  }
  size_t index;
  WmLinkSet *former = find_set(mesh, x, z, number, &index) ? wm_mesh_link_sets(mesh)[index] : NULL,
            *set = NULL;
  if (count == 0) return former ? change(mesh, index, former, NULL) : WM_OK;
  if (former && has_links(mesh, former, links, count)) {
    *out = former->record.tile.ref;
    return WM_OK;
  }
  for (size_t i = 0; i < count && !status; i++) status = check_link(mesh->context, &links[i], i);
  if (status) return status;
  if (number == WM_NEW_LINK_SET) {
    number = choose_number(mesh, x, z);
    if (number == WM_NEW_LINK_SET)
      return wm_fail(mesh->context, WM_ERROR_LIMIT, "links", "the place has no number for another set");
    (void)find_set(mesh, x, z, number, &index);
  }
  status = make_set(mesh, links, (uint32_t)count, &set);
  if (status) return status;
  set->x = set->record.tile.x = x;
  set->z = set->record.tile.z = z;
  set->number = number;
  status = wm_mesh_choose_slot(mesh, &set->record.tile);
  if (!status) status = wm_tile_reserve_links(mesh->context, &set->record);
  if (!status)
    status =
        wm_buffer_reserve(mesh->context, &mesh->link_sets, mesh->link_set_count + 1, sizeof(WmLinkSet *));
  if (!status) status = change(mesh, index, former, set);
  if (status) {
    wm_link_set_free(mesh->context, set);
    return status;
  }
  *out = set->record.tile.ref;
  return WM_OK;
}

/* ---- Reading ------------------------------------------------------------------------------------------ */

const WmSegmentLink *wm_mesh_links_at(const WmMesh *mesh, int32_t x, int32_t z, uint32_t number,
                                      size_t *count, WmRef *ref) {
  size_t index;
  const WmLinkSet *set = find_set(mesh, x, z, number, &index) ? wm_mesh_link_sets(mesh)[index] : NULL;
  *count = set ? set->record.tile.polygon_count : 0;
  if (ref) *ref = set ? set->record.tile.ref : 0;
  return set ? set->links : NULL;
}

WmRef wm_mesh_next_links(const WmMesh *mesh, WmRef previous) {
  size_t index = 0;
  if (previous) {
    const WmLinkSet *set = set_of(mesh, previous);
    if (!set || !find_set(mesh, set->x, set->z, set->number, &index)) return 0;
    index++;
  }
  return index < mesh->link_set_count ? wm_mesh_link_sets(mesh)[index]->record.tile.ref : 0;
}

WmStatus wm_mesh_links_place(const WmMesh *mesh, WmRef link, int32_t *x, int32_t *z, uint32_t *number) {
  WmLinkSet *set;
  const WmStatus status = check_ref(mesh, link, &set);
  *x = set ? set->x : 0;
  *z = set ? set->z : 0;
  *number = set ? set->number : 0;
  return status;
}

size_t wm_mesh_segment_link_count(const WmMesh *mesh) {
  size_t count = 0;
  for (size_t i = 0; i < mesh->link_set_count; i++)
    count += wm_mesh_link_sets(mesh)[i]->record.tile.polygon_count;
  return count;
}

WmStatus wm_mesh_segment_link(const WmMesh *mesh, WmRef ref, WmSegmentLink *link, int *tied) {
  WmLinkSet *set;
  const WmStatus status = check_ref(mesh, ref, &set);
  *link = (WmSegmentLink){0};
  if (tied) *tied = 0;
  if (status) return status;
  const uint32_t number = wm_ref_polygon(ref);
  *link = set->links[number];
  for (uint32_t i = set->tie_first[number]; i < set->tie_first[number + 1] && tied; i++) {
    *tied |= 1 << ((const WmLinkTie *)set->ties.items)[i].end;
  }
  return WM_OK;
}

/* ---- Switching ---------------------------------------------------------------------------------------- */

/* True if a link is off only at places where another one is off, too. */
static bool is_off_with(const WmMesh *mesh, const WmSegmentLink *link, const WmSegmentLink *other) {
  bool is_off = false;
  for (size_t i = 0; i < mesh->link_off_count; i++) {
    if (!is_off_at(mesh, link, &links_off(mesh)[i])) continue;
    if (!is_off_at(mesh, other, &links_off(mesh)[i])) return false;
    is_off = true;
  }
  return is_off;
}

/* Adds the places of other links that are off only where a link is, and not beside it: other pieces of one that was switched off.
 * returns    WM_OK, WM_ERROR_OUT_OF_MEMORY: *end is behind those that were added */
static WmStatus add_other_places(WmMesh *mesh, const WmSegmentLink *link, size_t *end) {
  const WmLinkOff own = place_of(link);
  for (size_t i = 0; i < mesh->link_set_count; i++) {
    const WmLinkSet *set = wm_mesh_link_sets(mesh)[i];
    for (uint32_t k = 0; k < set->record.tile.polygon_count; k++) {
      const WmSegmentLink *other = &set->links[k];
      if (other == link || other->enabled || !is_off_with(mesh, other, link)) continue;
      const WmLinkOff off = place_of(other);
      if (is_off_at(mesh, link, &off) || is_off_at(mesh, other, &own)) continue;
      const WmStatus status = wm_buffer_reserve(mesh->context, &mesh->links_off, *end + 1, sizeof off);
      if (status) return status;
      links_off(mesh)[(*end)++] = off;
    }
  }
  return WM_OK;
}

/* Places that the mesh no longer remembers, and new ones. */
typedef struct Forgotten {
  WmLinkOff *places; /* scratch [count] */
  size_t count, first_added;
} Forgotten;

/* Forgets all places where a link is off, but not what else is off there. Allocates in scratch memory of the caller's mark.
 * out        forgotten: the places added are links_off from first_added on
 * returns    WM_OK, WM_ERROR_OUT_OF_MEMORY: nothing has changed */
static WmStatus forget(WmMesh *mesh, const WmSegmentLink *link, Forgotten *forgotten) {
  const size_t former = mesh->link_off_count;
  size_t end = former, retained = 0;
  *forgotten = (Forgotten){wm_scratch_array(mesh->context, former, sizeof(WmLinkOff)), 0, 0};
  const WmStatus status = forgotten->places ? add_other_places(mesh, link, &end) : WM_ERROR_OUT_OF_MEMORY;
  if (status) return status;
  for (size_t i = 0; i < end; i++) {
    const WmLinkOff off = links_off(mesh)[i];
    if (i == former) forgotten->first_added = retained;
    if (is_off_at(mesh, link, &off)) {
      forgotten->places[forgotten->count++] = off;
    } else {
      links_off(mesh)[retained++] = off;
    }
  }
  if (end == former) forgotten->first_added = retained;
  mesh->link_off_count = retained;
  unlist_places(mesh);
  return WM_OK;
}

/* True if a set may have links beside a place: on x and z, its near segment widened by two cells touches the set's bounds. */
static bool is_near_set(const WmMesh *mesh, const WmLinkSet *set, const WmLinkOff *off) {
  const float margin = 2 * mesh->parameters.cell_size;
  for (int axis = 0; axis < 3; axis += 2) {
    const float low = fminf(off->start[0][axis], off->start[1][axis]) - margin,
                high = fmaxf(off->start[0][axis], off->start[1][axis]) + margin;
    if (low > set->record.tile.bounds_max[axis] || high < set->record.tile.bounds_min[axis]) return false;
  }
  return true;
}

/* Switches the generated links at a place off if a place is remembered there, else on. Links by hand (in sets with a number)
 * switch alone. */
static void switch_links_at(WmMesh *mesh, const WmLinkOff *off) {
  for (size_t i = 0; i < mesh->link_set_count; i++) {
    WmLinkSet *set = wm_mesh_link_sets(mesh)[i];
    if (set->number != 0 || !is_near_set(mesh, set, off)) continue;
    bool has_changed = false;
    for (uint32_t k = 0; k < set->record.tile.polygon_count; k++) {
      if (!is_off_at(mesh, &set->links[k], off)) continue;
      const bool enabled = !is_remembered(mesh, &set->links[k]);
      if (set->links[k].enabled == enabled) continue;
      switch_link(set, k, enabled);
      has_changed = true;
    }
    if (has_changed) note_switch(mesh, set);
  }
}

/* Remembers the place of a link.
 * returns    WM_OK, WM_ERROR_OUT_OF_MEMORY: nothing has changed */
static WmStatus remember(WmMesh *mesh, const WmLinkOff *off) {
  const WmStatus status =
      wm_buffer_reserve(mesh->context, &mesh->links_off, mesh->link_off_count + 1, sizeof *off);
  if (status) return status;
  links_off(mesh)[mesh->link_off_count++] = *off;
  unlist_places(mesh);
  return WM_OK;
}

static WmStatus set_enabled(WmMesh *mesh, WmLinkSet *set, uint32_t number, bool enabled) {
  const WmSegmentLink *link = &set->links[number];
  const WmLinkOff off = place_of(link);
  Forgotten forgotten = {.first_added = SIZE_MAX};
  const WmStatus status = enabled ? forget(mesh, link, &forgotten) : remember(mesh, &off);
  if (status) return status;
  switch_link(set, number, enabled);
  note_switch(mesh, set);
  switch_links_at(mesh, &off);
  for (size_t i = 0; i < forgotten.count; i++) switch_links_at(mesh, &forgotten.places[i]);
  for (size_t i = forgotten.first_added; i < mesh->link_off_count; i++) {
    const WmLinkOff added = links_off(mesh)[i];
    switch_links_at(mesh, &added);
  }
  wm_mesh_update_least_cost(mesh);
  mesh->version++;
  return WM_OK;
}

WmStatus wm_mesh_set_segment_link_enabled(WmMesh *mesh, WmRef ref, bool enabled) {
  WmLinkSet *set;
  WmStatus status = check_ref(mesh, ref, &set);
  if (status || set->links[wm_ref_polygon(ref)].enabled == enabled) return status;
  const WmScratchMark mark = wm_scratch_mark(mesh->context);
  status = set_enabled(mesh, set, wm_ref_polygon(ref), enabled);
  wm_scratch_rewind(mesh->context, mark);
  return status;
}
