/* Regions that lie over themselves are cut into pieces that do not.
 *
 * A watershed basin can wind around: a spiral ramp is one basin, since its distance to borders never sinks.
 * The original reports an error and goes on with outlines that cross themselves. Here such a region is cut
 * across, in two ways: greedily, a piece taking breadth first what no span of its own lies over; and in bands
 * of equal size along the way from the farthest end. Pieces are then joined again where that makes no
 * overlap, the smallest first, and the way with fewer pieces, then the larger smallest piece, wins.
 *
 * Invariants out: no region has two spans in one column; pieces are connected; no span loses its region; the
 * piece with the region's first span keeps its number. Cost: O(spans) a region that is cut, one pass over
 * columns for all others. */
#include "bake/regions_internal.h"

#include <string.h>

#include "base/sort.h"

enum { BAND_TRIALS = 4 };
#define NONE UINT32_MAX

/* The region being cut. Its spans are numbered locally, in raster order: those of a column follow each other.
 */
typedef struct Splitter {
  WmContext *context;
  const WmCompactHeightfield *compact;
  const uint16_t *span_region;
  const uint32_t *local_of; /* [span_count] of spans of regions to cut */
  uint32_t region;
  uint32_t count;
  const uint32_t *spans;  /* [count] */
  const uint32_t *column; /* [count] ascending from 0 */
  uint32_t tallest;       /* most spans in a column */
  uint32_t *order;        /* [count] by steps from one end */
  uint32_t *steps;        /* [count] */
  uint32_t *queue;        /* [count] */
  uint32_t *stamp;        /* [count] of columns or pieces, as the user says */
  uint32_t *label;        /* [count] the piece of each span */
  uint32_t *best_label;   /* [count] */
  uint32_t best_pieces, best_smallest;
} Splitter;

/* The local number across a direction, NONE outside the region. */
static uint32_t local_across(const Splitter *s, uint32_t local, uint32_t direction) {
  const uint32_t span = s->compact->span_neighbour[4 * (size_t)s->spans[local] + direction];
  return span == WM_NO_SPAN || s->span_region[span] != s->region ? NONE : s->local_of[span];
}

/* Orders spans by steps from `start`; where links do not lead everywhere, goes on from what is left. Returns
 * the last span. */
static uint32_t order_spans(Splitter *s, uint32_t start) {
  memset(s->stamp, 0, s->count * sizeof *s->stamp);
  uint32_t count = 0, next_start = 0, head = 0;
  while (count < s->count) {
    s->steps[start] = count > 0 ? s->steps[s->order[count - 1]] + 1 : 0;
    s->stamp[start] = 1;
    s->order[count++] = start;
    for (; head < count; head++) {
      for (uint32_t d = 0; d < 4; d++) {
        const uint32_t next = local_across(s, s->order[head], d);
        if (next == NONE || s->stamp[next]) continue;
        s->stamp[next] = 1;
        s->steps[next] = s->steps[s->order[head]] + 1;
        s->order[count++] = next;
      }
    }
    while (next_start < s->count && s->stamp[next_start]) next_start++;
    start = next_start;
  }
  return s->order[s->count - 1];
}

/* Grows a piece from `start` over spans that carry `from`, breadth first. With `claim`, refuses spans whose
 * column it has already. */
static void grow_piece(Splitter *s, uint32_t start, uint32_t from, uint32_t piece, bool claim) {
  uint32_t count = 1;
  s->queue[0] = start;
  s->label[start] = piece;
  if (claim) s->stamp[s->column[start]] = piece;
  for (uint32_t i = 0; i < count; i++) {
    for (uint32_t d = 0; d < 4; d++) {
      const uint32_t next = local_across(s, s->queue[i], d);
      if (next == NONE || s->label[next] != from) continue;
      if (claim && s->stamp[s->column[next]] == piece) continue;
      if (claim) s->stamp[s->column[next]] = piece;
      s->label[next] = piece;
      s->queue[count++] = next;
    }
  }
}

/* Returns the number of pieces. */
static uint32_t cut_greedily(Splitter *s) {
  memset(s->label, 0xff, s->count * sizeof *s->label);
  memset(s->stamp, 0xff, s->count * sizeof *s->stamp);
  uint32_t pieces = 0;
  for (uint32_t i = 0; i < s->count; i++) {
    if (s->label[s->order[i]] == NONE) grow_piece(s, s->order[i], NONE, pieces++, true);
  }
  return pieces;
}

static bool has_overlap(Splitter *s) {
  memset(s->stamp, 0xff, s->count * sizeof *s->stamp);
  for (uint32_t i = 0; i < s->count; i++) {
    if (s->stamp[s->label[i]] == s->column[i]) return true;
    s->stamp[s->label[i]] = s->column[i];
  }
  return false;
}

/* Cuts the order into so many bands of equal size, each where the number of steps changes; the pieces are the
 * connected parts of bands. Returns their number, 0 where one lies over itself. */
static uint32_t cut_in_bands(Splitter *s, uint32_t bands) {
  uint32_t first_of_step = 0;
  for (uint32_t i = 0; i < s->count; i++) {
    if (s->steps[s->order[i]] != s->steps[s->order[first_of_step]]) first_of_step = i;
    const uint64_t band = (uint64_t)first_of_step * bands / s->count;
    s->label[s->order[i]] = NONE - (uint32_t)band;
  }
  uint32_t pieces = 0;
  for (uint32_t i = 0; i < s->count; i++) {
    const uint32_t label = s->label[s->order[i]];
    if (label > NONE - bands) grow_piece(s, s->order[i], label, pieces++, false);
  }
  return has_overlap(s) ? 0 : pieces;
}

/* ---- Joining pieces again ------------------------------------------------------------------------------ */

typedef struct Pieces {
  uint32_t *parent;              /* [pieces] toward the piece it was joined to */
  uint32_t *size;                /* [pieces] */
  uint32_t *first;               /* [pieces] spans as a linked list */
  uint32_t *last;                /* [pieces] */
  uint32_t *next;                /* [count] */
  uint32_t *contact;             /* [pieces] links from the piece in hand; 0 between pieces */
  uint32_t *over;                /* [pieces] the last piece found over or under it */
  WmSortItem *by_size, *scratch; /* [pieces] */
} Pieces;

static uint32_t find_piece(const Pieces *pieces, uint32_t piece) {
  while (pieces->parent[piece] != piece) {
    pieces->parent[piece] = pieces->parent[pieces->parent[piece]];
    piece = pieces->parent[piece];
  }
  return piece;
}

static bool create_pieces(const Splitter *s, uint32_t count, Pieces *pieces) {
  *pieces = (Pieces){wm_scratch_array(s->context, count, 4),
                     wm_scratch_zeroed(s->context, count, 4),
                     wm_scratch_array(s->context, count, 4),
                     wm_scratch_array(s->context, count, 4),
                     wm_scratch_array(s->context, s->count, 4),
                     wm_scratch_zeroed(s->context, count, 4),
                     wm_scratch_array(s->context, count, 4),
                     wm_scratch_array(s->context, count, sizeof(WmSortItem)),
                     wm_scratch_array(s->context, count, sizeof(WmSortItem))};
  if (!pieces->parent || !pieces->size || !pieces->first || !pieces->last || !pieces->next ||
      !pieces->contact || !pieces->over || !pieces->by_size || !pieces->scratch) {
    return false;
  }
  for (uint32_t i = 0; i < count; i++) {
    pieces->parent[i] = i;
    pieces->first[i] = pieces->last[i] = pieces->over[i] = NONE;
  }
  for (uint32_t i = 0; i < s->count; i++) {
    const uint32_t piece = s->label[i];
    pieces->next[i] = pieces->first[piece];
    pieces->first[piece] = i;
    if (pieces->size[piece]++ == 0) pieces->last[piece] = i;
  }
  for (uint32_t i = 0; i < count; i++) pieces->by_size[i] = (WmSortItem){pieces->size[i], i};
  wm_sort_stable(pieces->by_size, pieces->scratch, count);
  return true;
}

/* The piece with most contact that is nowhere over or under this one; NONE if there is none. */
static uint32_t find_join(const Splitter *s, Pieces *pieces, uint32_t piece) {
  for (uint32_t i = pieces->first[piece]; i != NONE; i = pieces->next[i]) {
    for (uint32_t k = i; k > 0 && s->column[k - 1] == s->column[i]; k--) {
      pieces->over[find_piece(pieces, s->label[k - 1])] = piece;
    }
    for (uint32_t k = i + 1; k < s->count && s->column[k] == s->column[i]; k++) {
      pieces->over[find_piece(pieces, s->label[k])] = piece;
    }
    for (uint32_t d = 0; d < 4; d++) {
      const uint32_t next = local_across(s, i, d);
      if (next != NONE) pieces->contact[find_piece(pieces, s->label[next])]++;
    }
  }
  uint32_t best = NONE;
  for (uint32_t i = pieces->first[piece]; i != NONE; i = pieces->next[i]) {
    for (uint32_t d = 0; d < 4; d++) {
      const uint32_t next = local_across(s, i, d);
      if (next == NONE) continue;
      const uint32_t other = find_piece(pieces, s->label[next]);
      const uint32_t contact = pieces->contact[other];
      if (other == piece || pieces->over[other] == piece || contact == 0) continue;
      if (best == NONE || contact > pieces->contact[best] ||
          (contact == pieces->contact[best] && other < best)) {
        best = other;
      }
    }
  }
  for (uint32_t i = pieces->first[piece]; i != NONE; i = pieces->next[i]) {
    for (uint32_t d = 0; d < 4; d++) {
      const uint32_t next = local_across(s, i, d);
      if (next != NONE) pieces->contact[find_piece(pieces, s->label[next])] = 0;
    }
  }
  return best;
}

/* Joins pieces, the smallest first, with neighbours they do not overlap; relabels spans by first appearance.
 * Keeps the labels if they are the best so far. */
static WmStatus join_pieces(Splitter *s, uint32_t count) {
  const WmScratchMark mark = wm_scratch_mark(s->context);
  Pieces pieces;
  if (!create_pieces(s, count, &pieces)) {
    wm_scratch_rewind(s->context, mark);
    return WM_ERROR_OUT_OF_MEMORY;
  }
  for (uint32_t i = 0; i < count; i++) {
    const uint32_t piece = pieces.by_size[i].value;
    const uint32_t other = find_join(s, &pieces, piece);
    if (other == NONE) continue;
    pieces.parent[piece] = other;
    pieces.size[other] += pieces.size[piece];
    pieces.next[pieces.last[other]] = pieces.first[piece];
    pieces.last[other] = pieces.last[piece];
  }
  uint32_t *const number = pieces.over; /* reused */
  memset(number, 0xff, count * sizeof *number);
  uint32_t numbers = 0, smallest = NONE;
  for (uint32_t i = 0; i < s->count; i++) {
    const uint32_t piece = find_piece(&pieces, s->label[i]);
    if (number[piece] == NONE) {
      number[piece] = numbers++;
      if (pieces.size[piece] < smallest) smallest = pieces.size[piece];
    }
    s->label[i] = number[piece];
  }
  if (numbers < s->best_pieces || (numbers == s->best_pieces && smallest > s->best_smallest)) {
    uint32_t *swap = s->best_label;
    s->best_label = s->label;
    s->label = swap;
    s->best_pieces = numbers;
    s->best_smallest = smallest;
  }
  wm_scratch_rewind(s->context, mark);
  return WM_OK;
}

/* ---- Cutting a region ---------------------------------------------------------------------------------- */

static WmStatus find_cut(Splitter *s) {
  s->order = wm_scratch_array(s->context, s->count, sizeof *s->order);
  s->steps = wm_scratch_array(s->context, s->count, sizeof *s->steps);
  s->queue = wm_scratch_array(s->context, s->count, sizeof *s->queue);
  s->stamp = wm_scratch_array(s->context, s->count, sizeof *s->stamp);
  s->label = wm_scratch_array(s->context, s->count, sizeof *s->label);
  s->best_label = wm_scratch_array(s->context, s->count, sizeof *s->best_label);
  if (!s->order || !s->steps || !s->queue || !s->stamp || !s->label || !s->best_label) {
    return WM_ERROR_OUT_OF_MEMORY;
  }
  order_spans(s, order_spans(s, 0));
  s->best_pieces = NONE;
  WmStatus status = join_pieces(s, cut_greedily(s));
  for (uint32_t i = 0; !status && i < BAND_TRIALS; i++) {
    const uint32_t pieces = cut_in_bands(s, s->tallest + i);
    if (pieces > 0) status = join_pieces(s, pieces);
  }
  return status;
}

/* Cuts the region of the splitter and numbers its new pieces. */
static WmStatus split_region(Splitter *s, uint16_t *span_region, uint32_t *region_count) {
  const WmScratchMark mark = wm_scratch_mark(s->context);
  s->tallest = 1;
  for (uint32_t i = 0, run = 0; i < s->count; i++) {
    run = i > 0 && s->column[i] == s->column[i - 1] ? run + 1 : 1;
    if (run > s->tallest) s->tallest = run;
  }
  WmStatus status = find_cut(s);
  if (!status && *region_count + s->best_pieces - 1 > WM_REGION_LIMIT) {
    status = wm_fail_region_limit(s->context);
  }
  if (!status) {
    for (uint32_t i = 0; i < s->count; i++) {
      if (s->best_label[i] > 0) span_region[s->spans[i]] = (uint16_t)(*region_count + s->best_label[i]);
    }
    *region_count += s->best_pieces - 1;
  }
  wm_scratch_rewind(s->context, mark);
  return status;
}

/* ---- Finding them -------------------------------------------------------------------------------------- */

/* Counts the spans of overlapping regions into span_count; 0 for all others. Returns whether there is any. */
static bool find_overlaps(const WmCompactHeightfield *compact, const uint16_t *span_region,
                          uint32_t *span_count) {
  const size_t cells = (size_t)compact->grid.width * (size_t)compact->grid.depth;
  const uint16_t *previous = span_region;
  uint32_t previous_count = 0;
  bool has_any = false;
  for (size_t cell = 0; cell < cells; cell++) {
    const uint32_t count = compact->cell_first[cell + 1] - compact->cell_first[cell];
    if (count < 2) continue;
    const uint16_t *regions = span_region + compact->cell_first[cell];
    if (count == previous_count && wm_are_regions_equal(regions, previous, count)) continue;
    for (uint32_t i = 0; i < count; i++) {
      if (regions[i] == 0 || regions[i] & WM_REGION_BORDER) continue;
      for (uint32_t k = i + 1; k < count; k++) {
        if (regions[k] == regions[i]) span_count[regions[i]] = has_any = true;
      }
    }
    previous = regions;
    previous_count = count;
  }
  if (!has_any) return false;
  for (uint32_t span = 0; span < compact->span_count; span++) {
    const uint32_t region = span_region[span];
    if (!(region & WM_REGION_BORDER) && span_count[region] > 0) span_count[region]++;
  }
  return true;
}

typedef struct OverlapLists {
  uint32_t *first;    /* [region_count + 2] */
  uint32_t *spans;    /* [first[region_count + 1]] by region, in raster order */
  uint32_t *column;   /* likewise */
  uint32_t *local_of; /* [span_count] */
} OverlapLists;

/* Lists the spans of overlapping regions; `size` is one more than their number, 0 for other regions. */
static WmStatus list_overlaps(WmContext *context, const WmCompactHeightfield *compact,
                              const uint16_t *span_region, uint32_t region_count, const uint32_t *size,
                              OverlapLists *lists) {
  uint32_t *filled = wm_scratch_zeroed(context, (size_t)region_count + 1, sizeof *filled);
  uint32_t *last_cell = wm_scratch_array(context, (size_t)region_count + 1, sizeof *last_cell);
  lists->first = wm_scratch_zeroed(context, (size_t)region_count + 2, sizeof *lists->first);
  lists->local_of = wm_scratch_array(context, compact->span_count, sizeof *lists->local_of);
  if (!filled || !last_cell || !lists->first || !lists->local_of) return WM_ERROR_OUT_OF_MEMORY;
  for (uint32_t region = 1; region <= region_count; region++) {
    lists->first[region + 1] = lists->first[region] + (size[region] > 0 ? size[region] - 1 : 0);
  }
  const uint32_t total = lists->first[region_count + 1];
  lists->spans = wm_scratch_array(context, total, sizeof *lists->spans);
  lists->column = wm_scratch_array(context, total, sizeof *lists->column);
  if (!lists->spans || !lists->column) return WM_ERROR_OUT_OF_MEMORY;
  const uint32_t cells = (uint32_t)compact->grid.width * (uint32_t)compact->grid.depth;
  for (uint32_t cell = 0; cell < cells; cell++) {
    for (uint32_t span = compact->cell_first[cell]; span < compact->cell_first[cell + 1]; span++) {
      const uint32_t region = span_region[span];
      if (region == 0 || region & WM_REGION_BORDER || size[region] == 0) continue;
      const uint32_t local = filled[region]++, at = lists->first[region] + local;
      const uint32_t column = local == 0 ? 0 : lists->column[at - 1] + (last_cell[region] != cell);
      lists->spans[at] = span;
      lists->column[at] = column;
      lists->local_of[span] = local;
      last_cell[region] = cell;
    }
  }
  return WM_OK;
}

WmStatus wm_split_overlaps(WmContext *context, const WmCompactHeightfield *compact, uint16_t *span_region,
                           uint32_t *region_count) {
  const WmScratchMark mark = wm_scratch_mark(context);
  const uint32_t count_before = *region_count;
  uint32_t *size = wm_scratch_zeroed(context, (size_t)count_before + 1, sizeof *size);
  WmStatus status = size ? WM_OK : WM_ERROR_OUT_OF_MEMORY;
  if (!status && find_overlaps(compact, span_region, size)) {
    OverlapLists lists = {0};
    status = list_overlaps(context, compact, span_region, count_before, size, &lists);
    for (uint32_t region = 1; !status && region <= count_before; region++) {
      if (size[region] == 0) continue;
      Splitter splitter = {.context = context,
                           .compact = compact,
                           .span_region = span_region,
                           .local_of = lists.local_of,
                           .region = region,
                           .count = size[region] - 1,
                           .spans = lists.spans + lists.first[region],
                           .column = lists.column + lists.first[region]};
      status = split_region(&splitter, span_region, region_count);
    }
  }
  wm_scratch_rewind(context, mark);
  return status;
}
