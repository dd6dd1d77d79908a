/* Economy: links that continue each other become one; links that a wider one beside them makes needless are dropped, and jumps down
 * beside drops. See links.h. */
#include <math.h>
#include <string.h>

#include "base/sort.h"
#include "links/links_internal.h"

/* Cells by which the motions of joined links, and the line of their segments, may differ. */
#define JOIN_ERROR 0.02f
/* Cell heights by which heights may differ from the straight segments of a joined link. */
#define JOIN_HEIGHT_ERROR 0.75f

/* ---- Joining ------------------------------------------------------------------------------------------- */

static uint32_t hash_point(const float point[3], uint32_t kind) {
  uint32_t bits[2];
  memcpy(&bits[0], &point[0], sizeof bits[0]);
  memcpy(&bits[1], &point[2], sizeof bits[1]);
  return (bits[0] * 0x9e3779b1u ^ bits[1] * 0x85ebca6bu) + kind * 0xc2b2ae35u;
}

/* True if `middle` lies on the straight line from `first` to `last`. */
static bool is_on_line(const WmLinkLimits *limits, const float first[3], const float middle[3],
                       const float last[3]) {
  const float x = last[0] - first[0], z = last[2] - first[2], length = sqrtf(x * x + z * z);
  const float to_x = middle[0] - first[0], to_z = middle[2] - first[2];
  if (!(fabsf(to_x * z - to_z * x) <= JOIN_ERROR * limits->cell_size * length)) return false;
  const float height = first[1] + (last[1] - first[1]) * ((to_x * x + to_z * z) / (length * length));
  return fabsf(height - middle[1]) <= JOIN_HEIGHT_ERROR * limits->cell_height;
}

/* True if a link and the one to the right of it can be one. */
static bool can_join(const WmLinkLimits *limits, const WmSegmentLink *left, const WmSegmentLink *right) {
  const float error = JOIN_ERROR * limits->cell_size;
  if (left->kind != right->kind || left->bidirectional != right->bidirectional) return false;
  if (!(fabsf(left->peak - right->peak) <= 0.01f * limits->cell_height)) return false;
  for (int axis = 0; axis < 3; axis += 2) {
    if (left->start[1][axis] != right->start[0][axis] && left->end[1][axis] != right->end[0][axis])
      return false;
    const float own = left->end[1][axis] - left->start[1][axis],
                other = right->end[0][axis] - right->start[0][axis];
    if (!(fabsf(own - other) <= error)) return false;
  }
  if (!(fabsf(left->start[1][1] - right->start[0][1]) <= JOIN_HEIGHT_ERROR * limits->cell_height))
    return false;
  if (!(fabsf(left->end[1][1] - right->end[0][1]) <= JOIN_HEIGHT_ERROR * limits->cell_height)) return false;
  return is_on_line(limits, left->start[0], left->start[1], right->start[1]) &&
         is_on_line(limits, left->end[0], left->end[1], right->end[1]);
}

/* Widens a link by the one to the right of it: by its motion, so that both segments stay equally long. */
static void join(const WmLinkConfig *config, WmSegmentLink *left, const WmSegmentLink *right) {
  const bool is_climb = left->kind == WM_SEGMENT_LINK_CLIMB;
  float(*near)[3] = is_climb ? left->end : left->start, (*far)[3] = is_climb ? left->start : left->end;
  const float *near_right = is_climb ? right->end[1] : right->start[1],
              *far_right = is_climb ? right->start[1] : right->end[1];
  const float motion[2] = {far[0][0] - near[0][0], far[0][2] - near[0][2]};
  memcpy(near[1], near_right, sizeof near[1]);
  far[1][0] = near_right[0] + motion[0];
  far[1][1] = far_right[1];
  far[1][2] = near_right[2] + motion[1];
  left->cost = config->kinds[left->kind].cost_factor * wm_segment_link_longest(left);
}

/* The end of a link on its border, left or right. */
static const float *border_end(const WmSegmentLink *link, int side) {
  return link->kind == WM_SEGMENT_LINK_CLIMB ? link->end[side] : link->start[side];
}

/* Joins links, in order: each to all that continue it to the right. Joined ones get a negative cost. */
static WmStatus join_links(WmLinkGenerator *generator, WmLinkList *list) {
  WmSegmentLink *links = list->links.items;
  const size_t count = list->count;
  WmSortItem *items = wm_scratch_array(generator->context, 2 * count, sizeof *items);
  if (!items) return WM_ERROR_OUT_OF_MEMORY;
  for (size_t i = 0; i < count; i++)
    items[i] = (WmSortItem){hash_point(border_end(&links[i], 0), links[i].kind), (uint32_t)i};
  wm_sort_stable(items, items + count, count);
  for (size_t i = 0; i < count; i++) {
    for (bool joined = links[i].cost >= 0; joined;) {
      joined = false;
      const uint32_t key = hash_point(border_end(&links[i], 1), links[i].kind);
      size_t low = wm_sort_find(items, count, key);
      for (; low < count && items[low].key == key && !joined; low++) {
        WmSegmentLink *right = &links[items[low].value];
        if (right == &links[i] || right->cost < 0 || !can_join(&generator->limits, &links[i], right))
          continue;
        join(&generator->config, &links[i], right);
        right->cost = -1;
        joined = true;
      }
    }
  }
  return WM_OK;
}

/* ---- Thinning ------------------------------------------------------------------------------------------ */

static float squared_distance(const float point[3], const float segment[2][3]) {
  const float x = segment[1][0] - segment[0][0], z = segment[1][2] - segment[0][2];
  const float length = x * x + z * z;
  float at = length > 0 ? ((point[0] - segment[0][0]) * x + (point[2] - segment[0][2]) * z) / length : 0;
  at = at < 0 ? 0 : at > 1 ? 1 : at;
  const float dx = segment[0][0] + at * x - point[0], dz = segment[0][2] + at * z - point[2];
  const float dy = segment[0][1] + at * (segment[1][1] - segment[0][1]) - point[1];
  return dx * dx + dy * dy + dz * dz;
}

/* True if a segment lies nowhere farther than `limit` (squared) from a wider one. */
static bool is_beside(const float segment[2][3], const float wider[2][3], float limit) {
  return squared_distance(segment[0], wider) <= limit && squared_distance(segment[1], wider) <= limit;
}

/* True if a wider link leads wherever a link does. */
static bool makes_needless(const WmSegmentLink *wider, const WmSegmentLink *link, float limit) {
  if (wider->kind != link->kind || (link->bidirectional && !wider->bidirectional)) return false;
  if (is_beside(link->start, wider->start, limit) && is_beside(link->end, wider->end, limit)) return true;
  return wider->bidirectional && is_beside(link->start, wider->end, limit) &&
         is_beside(link->end, wider->start, limit);
}

/* True if a drop leads wherever a jump down does. */
static bool is_drop_beside(const WmSegmentLink *drop, const WmSegmentLink *jump, float limit) {
  if (drop->kind != WM_SEGMENT_LINK_DROP) return false;
  return is_beside(jump->start, drop->start, limit) && is_beside(jump->end, drop->end, limit);
}

static uint32_t float_key(float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits & 0x80000000u ? ~bits : bits | 0x80000000u;
}

static WmStatus refuse_thinned(WmLinkGenerator *generator, const WmSegmentLink *link,
                               const WmSegmentLink *wider, WmLinkList *list) {
  const WmStatus status =
      wm_buffer_reserve(generator->context, &list->refused, list->refused_count + 1, sizeof(WmRefusedLink));
  if (status) return status;
  WmRefusedLink *refused = (WmRefusedLink *)list->refused.items + list->refused_count++;
  *refused = (WmRefusedLink){.reason = WM_LINK_THINNED, .kind = link->kind};
  for (int axis = 0; axis < 3; axis++) {
    refused->start[axis] = 0.5f * (link->start[0][axis] + link->start[1][axis]);
    refused->end[axis] = 0.5f * (link->end[0][axis] + link->end[1][axis]);
    refused->place[axis] = 0.5f * (wider->start[0][axis] + wider->start[1][axis]);
  }
  return WM_OK;
}

/* ---- The grid of wider links --------------------------------------------------------------------------- */

/* A side of the grid's squares in world units is as long as the farthest needless link lies away, times this, but no shorter than some
 * cells. */
enum { SQUARE_DISTANCES = 4, SQUARE_CELLS = 8 };

/* Links over more squares lie in a list of their own, in which all are looked at. */
enum { SQUARE_LIMIT = 32 };

/* Squares of the plane that a segment may make other links needless in; `high` included. */
typedef struct Squares {
  int32_t low[2], high[2];
  bool are_many;
} Squares;

/* An entry of a list. */
typedef struct WiderLink {
  uint32_t order; /* of its link: the widest first */
  uint32_t next;  /* index + 1; 0: none */
} WiderLink;

/* Lists of links by the squares in which they lie, each in the order of width. In scratch memory. */
typedef struct WiderGrid {
  float side, distance;
  uint32_t mask;
  uint32_t *firsts, *lasts; /* [mask + 2] index + 1; the last list is that of links over many squares */
  WiderLink *entries;       /* [capacity] */
  uint32_t count, capacity;
} WiderGrid;

static int32_t to_square(const WiderGrid *grid, float value) {
  const float square = floorf(value / grid->side);
  return square < -1e9f ? -1000000000 : square > 1e9f ? 1000000000 : (int32_t)square;
}

static Squares find_squares(const WiderGrid *grid, const float segment[2][3]) {
  Squares squares;
  double area = 1;
  for (int axis = 0; axis < 2; axis++) {
    const float a = segment[0][2 * axis], b = segment[1][2 * axis];
    squares.low[axis] = to_square(grid, fminf(a, b) - grid->distance);
    squares.high[axis] = to_square(grid, fmaxf(a, b) + grid->distance);
    area *= (double)squares.high[axis] - squares.low[axis] + 1;
  }
  squares.are_many = !(area <= SQUARE_LIMIT);
  return squares;
}

static uint32_t count_squares(const Squares *squares) {
  return squares->are_many ? 1
                           : (uint32_t)((squares->high[0] - squares->low[0] + 1) *
                                        (squares->high[1] - squares->low[1] + 1));
}

static uint32_t find_list(const WiderGrid *grid, int32_t x, int32_t z) {
  const uint32_t hash = ((uint32_t)x * 0x9e3779b1u) ^ ((uint32_t)z * 0x85ebca6bu);
  return (hash ^ hash >> 15) & grid->mask;
}

static void append_wider(WiderGrid *grid, uint32_t list, uint32_t order) {
  const uint32_t last = grid->lasts[list];
  if (last && grid->entries[last - 1].order == order) return;
  grid->entries[grid->count++] = (WiderLink){order, 0};
  *(last ? &grid->entries[last - 1].next : &grid->firsts[list]) = grid->count;
  grid->lasts[list] = grid->count;
}

/* Adds a segment of a link that stays. */
static void add_segment(WiderGrid *grid, const float segment[2][3], uint32_t order) {
  const Squares squares = find_squares(grid, segment);
  if (squares.are_many) {
    append_wider(grid, grid->mask + 1, order);
    return;
  }
  for (int32_t z = squares.low[1]; z <= squares.high[1]; z++) {
    for (int32_t x = squares.low[0]; x <= squares.high[0]; x++)
      append_wider(grid, find_list(grid, x, z), order);
  }
}

static void add_wider(WiderGrid *grid, const WmSegmentLink *link, uint32_t order) {
  add_segment(grid, link->start, order);
  if (link->bidirectional) add_segment(grid, link->end, order);
}

/* Allocates a grid for all links. */
static WmStatus start_grid(const WmLinkGenerator *generator, const WmLinkList *list, WiderGrid *grid) {
  const WmSegmentLink *links = list->links.items;
  const float distance = generator->config.thinning;
  *grid = (WiderGrid){.side = fmaxf(SQUARE_DISTANCES * distance, SQUARE_CELLS * generator->limits.cell_size),
                      .distance = 1.01f * distance,
                      .mask = 1};
  while (grid->mask < list->count) grid->mask = 2 * grid->mask + 1;
  for (size_t i = 0; i < list->count; i++) {
    const Squares start = find_squares(grid, links[i].start), end = find_squares(grid, links[i].end);
    grid->capacity += count_squares(&start) + count_squares(&end);
  }
  grid->firsts = wm_scratch_zeroed(generator->context, (size_t)grid->mask + 2, sizeof *grid->firsts);
  grid->lasts = wm_scratch_zeroed(generator->context, (size_t)grid->mask + 2, sizeof *grid->lasts);
  grid->entries = wm_scratch_array(generator->context, grid->capacity, sizeof *grid->entries);
  return grid->firsts && grid->lasts && grid->entries ? WM_OK : WM_ERROR_OUT_OF_MEMORY;
}

/* Finds the widest link that makes one needless.
 * in         links, items: by order; by_drops: a drop is looked for, and the link is a jump
 * returns    its order; UINT32_MAX: none */
static uint32_t find_wider(const WiderGrid *grid, const WmSegmentLink *links, const WmSortItem *items,
                           const WmSegmentLink *link, float limit, bool by_drops) {
  /* A needless link starts beside the start of the wider one, or beside its end. */
  const uint32_t lists[2] = {
      find_list(grid, to_square(grid, link->start[0][0]), to_square(grid, link->start[0][2])),
      grid->mask + 1};
  uint32_t widest = UINT32_MAX;
  for (int i = 0; i < 2; i++) {
    for (uint32_t at = grid->firsts[lists[i]]; at; at = grid->entries[at - 1].next) {
      const uint32_t order = grid->entries[at - 1].order;
      if (order >= widest) break;
      const WmSegmentLink *wider = &links[items[order].value];
      if (by_drops ? is_drop_beside(wider, link, limit) : makes_needless(wider, link, limit)) widest = order;
    }
  }
  return widest;
}

/* Drops a link: it gets a negative cost. */
static WmStatus drop_link(WmLinkGenerator *generator, WmSegmentLink *link, const WmSegmentLink *wider,
                          bool wants_refused, WmLinkList *list) {
  link->cost = -1;
  return wants_refused ? refuse_thinned(generator, link, wider, list) : WM_OK;
}

/* Drops needless links, from the widest to the narrowest: each is compared with those that stay. Then drops jumps down beside drops that
 * stay. */
static WmStatus thin_links(WmLinkGenerator *generator, WmLinkList *list, bool wants_refused) {
  WmSegmentLink *links = list->links.items;
  const size_t count = list->count;
  const float limit = generator->config.thinning * generator->config.thinning;
  WiderGrid grid;
  WmStatus status = WM_OK;
  WmSortItem *items = wm_scratch_array(generator->context, 2 * count, sizeof *items);
  if (!items || start_grid(generator, list, &grid)) return WM_ERROR_OUT_OF_MEMORY;
  for (size_t i = 0; i < count; i++)
    items[i] = (WmSortItem){~float_key(wm_segment_link_width(&links[i])), (uint32_t)i};
  wm_sort_stable(items, items + count, count);
  for (uint32_t i = 0; !status && i < count; i++) {
    WmSegmentLink *link = &links[items[i].value];
    const uint32_t wider = find_wider(&grid, links, items, link, limit, false);
    if (wider == UINT32_MAX) {
      add_wider(&grid, link, i);
    } else {
      status = drop_link(generator, link, &links[items[wider].value], wants_refused, list);
    }
  }
  for (size_t i = 0; !status && i < count; i++) {
    WmSegmentLink *jump = &links[i];
    if (jump->kind != WM_SEGMENT_LINK_JUMP || jump->bidirectional || jump->cost < 0) continue;
    const uint32_t drop = find_wider(&grid, links, items, jump, limit, true);
    if (drop != UINT32_MAX)
      status = drop_link(generator, jump, &links[items[drop].value], wants_refused, list);
  }
  return status;
}

/* Removes links with a negative cost. */
static void remove_dropped(WmLinkList *list) {
  WmSegmentLink *links = list->links.items;
  size_t count = 0;
  for (size_t i = 0; i < list->count; i++) {
    if (links[i].cost >= 0) links[count++] = links[i];
  }
  list->count = count;
}

WmStatus wm_link_economy(WmLinkGenerator *generator, WmLinkList *list, bool wants_refused) {
  const WmScratchMark mark = wm_scratch_mark(generator->context);
  WmStatus status = join_links(generator, list);
  if (!status) remove_dropped(list);
  if (!status && generator->limits.thinning > 0) status = thin_links(generator, list, wants_refused);
  if (!status) remove_dropped(list);
  wm_scratch_rewind(generator->context, mark);
  return status;
}
