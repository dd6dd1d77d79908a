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
 * spans for all others. */
#include "bake/regions_internal.h"

#include <string.h>

#include "base/sort.h"

enum { BAND_TRIALS = 4 };
#define NONE UINT32_MAX

/* The region being cut. Its spans are numbered locally, in raster order: those of a cell follow each other.
 */
typedef struct Splitter {
  WmContext *context;
  const WmSortItem *spans; /* [count] the spans are values */
  uint32_t count;
  uint32_t *lowest;         /* [count] the first span in the cell of each */
  uint32_t tallest;         /* most spans in a cell */
  uint32_t (*across)[4];    /* [count] local numbers, NONE outside the region */
  uint32_t *order, *steps;  /* [count] by steps from one end */
  uint32_t *queue, *unused; /* [count] of other walks */
  uint32_t *label;          /* [count] the piece of each span */
  uint32_t *best_label;     /* [count] */
  uint32_t best_pieces, best_smallest;
} Splitter;

/* Whether another span of the cell has this label. */
static bool is_over(const Splitter *s, uint32_t local, uint32_t label) {
  const uint32_t lowest = s->lowest[local];
  for (uint32_t i = lowest; i < s->count && s->lowest[i] == lowest; i++) {
    if (i != local && s->label[i] == label) return true;
  }
  return false;
}

/* Labels `piece` what can be reached from `start` over spans that carry `from`, breadth first into `queue`;
 * the steps there count on from `first_step`. With `claim`, refuses spans that lie over the piece. Returns
 * how many there are. */
static uint32_t walk_piece(Splitter *s, uint32_t start, uint32_t from, uint32_t piece, bool claim,
                           uint32_t *queue, uint32_t *steps, uint32_t first_step) {
  uint32_t count = 1;
  queue[0] = start;
  s->label[start] = piece;
  steps[start] = first_step;
  for (uint32_t i = 0; i < count; i++) {
    for (uint32_t d = 0; d < 4; d++) {
      const uint32_t next = s->across[queue[i]][d];
      if (next == NONE || s->label[next] != from || (claim && is_over(s, next, piece))) continue;
      s->label[next] = piece;
      steps[next] = steps[queue[i]] + 1;
      queue[count++] = next;
    }
  }
  return count;
}

static void clear_labels(Splitter *s) { memset(s->label, 0xff, s->count * sizeof *s->label); }

/* Orders spans by steps from `start`; where links do not lead everywhere, goes on from what is left. Returns
 * the last span. */
static uint32_t order_spans(Splitter *s, uint32_t start) {
  clear_labels(s);
  uint32_t count = 0, step = 0;
  for (uint32_t next = 0; count < s->count; start = next) {
    count += walk_piece(s, start, NONE, 0, false, s->order + count, s->steps, step);
    step = s->steps[s->order[count - 1]] + 1;
    while (next < s->count && s->label[next] != NONE) next++;
  }
  return s->order[count - 1];
}

/* Makes a piece from each span of the order that carries `from` or more. Returns their number. */
static uint32_t label_pieces(Splitter *s, uint32_t from, bool claim) {
  uint32_t pieces = 0;
  for (uint32_t i = 0; i < s->count; i++) {
    const uint32_t start = s->order[i], label = s->label[start];
    if (label >= from) walk_piece(s, start, label, pieces++, claim, s->queue, s->unused, 0);
  }
  return pieces;
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
  const uint32_t pieces = label_pieces(s, NONE - bands + 1, false);
  for (uint32_t i = 0; i < s->count; i++) {
    if (is_over(s, i, s->label[i])) return 0;
  }
  return pieces;
}

/* ---- Joining pieces again ------------------------------------------------------------------------------ */

typedef struct Piece {
  uint32_t parent; /* toward the piece it was joined to */
  uint32_t size;
  uint32_t spans;   /* list */
  uint32_t contact; /* links from the piece in hand; 0 between pieces */
  uint32_t over;    /* 1 + the last piece found over or under it */
  uint32_t number;  /* in the end, from 1 on; 0 = none yet */
} Piece;

static Piece *find_piece(Piece *pieces, uint32_t label) {
  while (pieces[label].parent != label) {
    pieces[label].parent = pieces[pieces[label].parent].parent;
    label = pieces[label].parent;
  }
  return &pieces[label];
}

static WmStatus create_pieces(const Splitter *s, uint32_t count, Piece **pieces, WmLists *lists) {
  *pieces = wm_scratch_zeroed(s->context, count, sizeof **pieces);
  if (!*pieces) return WM_ERROR_OUT_OF_MEMORY;
  for (uint32_t i = 0; i < count; i++) (*pieces)[i].parent = i;
  for (uint32_t i = 0; i < s->count; i++) {
    Piece *piece = &(*pieces)[s->label[i]];
    piece->size++;
    if (wm_list_append(s->context, lists, &piece->spans, i)) return WM_ERROR_OUT_OF_MEMORY;
  }
  return WM_OK;
}

/* The piece with most contact to this one, the first on ties, that is nowhere over or under it. Looks at all
 * links three times: contact is counted, then compared, then forgotten. */
static Piece *find_neighbour(const Splitter *s, Piece *pieces, const WmListEntry *entries, uint32_t piece) {
  Piece *best = NULL;
  uint32_t entry = pieces[piece].spans;
  for (int pass = 0; pass < 3;) {
    entry = entries[entry].next;
    const uint32_t span = entries[entry].value, lowest = s->lowest[span];
    for (uint32_t i = lowest; i < s->count && s->lowest[i] == lowest; i++) {
      find_piece(pieces, s->label[i])->over = piece + 1;
    }
    for (uint32_t d = 0; d < 4; d++) {
      const uint32_t next = s->across[span][d];
      if (next == NONE) continue;
      Piece *other = find_piece(pieces, s->label[next]);
      if (pass == 0) other->contact++;
      if (pass == 2) other->contact = 0;
      if (pass != 1 || other->over == piece + 1) continue;
      if (!best || other->contact > best->contact || (other->contact == best->contact && other < best))
        best = other;
    }
    pass += entry == pieces[piece].spans;
  }
  return best;
}

/* Joins pieces, the smallest first, with neighbours they do not overlap; relabels spans by first appearance.
 * Keeps the labels if they are the best so far. */
static WmStatus join_pieces(Splitter *s, uint32_t count) {
  const WmScratchMark mark = wm_scratch_mark(s->context);
  Piece *pieces = NULL;
  WmLists lists = {0};
  WmSortItem *by_size = wm_scratch_array(s->context, 2 * (size_t)count, sizeof *by_size);
  if (!by_size || create_pieces(s, count, &pieces, &lists)) {
    wm_scratch_rewind(s->context, mark);
    return WM_ERROR_OUT_OF_MEMORY;
  }
  for (uint32_t i = 0; i < count; i++) by_size[i] = (WmSortItem){pieces[i].size, i};
  wm_sort_stable(by_size, by_size + count, count);
  for (uint32_t i = 0; i < count; i++) {
    const uint32_t label = by_size[i].value;
    Piece *piece = &pieces[label], *other = find_neighbour(s, pieces, lists.entries, label);
    if (!other) continue;
    piece->parent = other->parent;
    other->size += piece->size;
    wm_list_join(&lists, &other->spans, piece->spans);
  }
  uint32_t numbers = 0, smallest = NONE;
  for (uint32_t i = 0; i < s->count; i++) {
    Piece *piece = find_piece(pieces, s->label[i]);
    if (piece->number == 0) {
      piece->number = ++numbers;
      if (piece->size < smallest) smallest = piece->size;
    }
    s->label[i] = piece->number - 1;
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
  WmStatus status = WM_OK;
  order_spans(s, order_spans(s, 0));
  clear_labels(s);
  for (uint32_t trial = 0; !status && trial <= BAND_TRIALS; trial++) {
    const uint32_t pieces =
        trial == 0 ? label_pieces(s, NONE, true) : cut_in_bands(s, s->tallest + trial - 1);
    if (pieces > 0) status = join_pieces(s, pieces);
  }
  return status;
}

/* The region being cut, with room for what is found out about it. */
static bool create_splitter(Splitter *s, const WmCompactHeightfield *compact, uint32_t *local_of,
                            const uint16_t *span_region) {
  const uint32_t count = s->count;
  uint32_t *words = wm_scratch_array(s->context, count, 11 * sizeof *words);
  if (!words) return false;
  s->across = (uint32_t(*)[4])(void *)words;
  s->order = words + 4 * (size_t)count;
  s->steps = s->order + count;
  s->queue = s->steps + count;
  s->unused = s->queue + count;
  s->label = s->unused + count;
  s->best_label = s->label + count;
  s->lowest = s->best_label + count;
  s->best_pieces = NONE;
  for (uint32_t i = 0; i < count; i++) local_of[s->spans[i].value] = i;
  uint32_t lowest = 0, cell_end = 0;
  for (uint32_t i = 0; i < count; i++) {
    const uint32_t span = s->spans[i].value;
    if (span >= cell_end) {
      lowest = i;
      cell_end = compact->cell_first[wm_find_cell(compact, span) + 1];
    }
    s->lowest[i] = lowest;
    if (i - lowest + 1 > s->tallest) s->tallest = i - lowest + 1;
    for (uint32_t d = 0; d < 4; d++) {
      const uint32_t next = compact->span_neighbour[4 * (size_t)span + d];
      s->across[i][d] = next == WM_NO_SPAN || span_region[next] != span_region[span] ? NONE : local_of[next];
    }
  }
  return true;
}

/* Cuts a region and numbers its new pieces. */
static WmStatus split_region(Splitter *s, const WmCompactHeightfield *compact, uint32_t *local_of,
                             uint16_t *span_region, uint32_t *region_count) {
  const WmScratchMark mark = wm_scratch_mark(s->context);
  WmStatus status = WM_ERROR_OUT_OF_MEMORY;
  if (create_splitter(s, compact, local_of, span_region)) status = find_cut(s);
  if (!status && *region_count + s->best_pieces - 1 > WM_REGION_LIMIT) {
    status = wm_fail_region_limit(s->context);
  }
  if (!status) {
    for (uint32_t i = 0; i < s->count; i++) {
      if (s->best_label[i] > 0) span_region[s->spans[i].value] = (uint16_t)(*region_count + s->best_label[i]);
    }
    *region_count += s->best_pieces - 1;
  }
  wm_scratch_rewind(s->context, mark);
  return status;
}

/* ---- Finding them -------------------------------------------------------------------------------------- */

#define OVERLAPPING UINT32_MAX

/* Marks regions that have two spans in a column. */
static bool find_overlaps(const WmCompactHeightfield *compact, const uint16_t *span_region, uint32_t *seen) {
  const uint32_t cells = (uint32_t)compact->grid.width * (uint32_t)compact->grid.depth;
  bool any = false;
  for (uint32_t cell = 0; cell < cells; cell++) {
    for (uint32_t span = compact->cell_first[cell]; span < compact->cell_first[cell + 1]; span++) {
      const uint32_t region = span_region[span];
      if (!wm_is_region(region, OVERLAPPING) || seen[region] == OVERLAPPING) continue;
      const bool again = seen[region] == cell + 1; /* cells from 1 on */
      seen[region] = again ? OVERLAPPING : cell + 1;
      any |= again;
    }
  }
  return any;
}

/* Cuts what is marked, in the order of regions. */
static WmStatus split_regions(WmContext *context, const WmCompactHeightfield *compact, const uint32_t *seen,
                              uint16_t *span_region, uint32_t *region_count) {
  const uint32_t span_count = compact->span_count;
  uint32_t *local_of = wm_scratch_array(context, span_count, sizeof *local_of);
  WmSortItem *items = wm_scratch_array(context, span_count, 2 * sizeof *items);
  if (!local_of || !items) return WM_ERROR_OUT_OF_MEMORY;
  uint32_t count = 0;
  for (uint32_t span = 0; span < span_count; span++) {
    const uint32_t region = span_region[span];
    if (wm_is_region(region, OVERLAPPING) && seen[region] == OVERLAPPING) {
      items[count++] = (WmSortItem){region, span};
    }
  }
  wm_sort_stable(items, items + count, count);
  WmStatus status = WM_OK;
  for (uint32_t first = 0, end = 0; first < count && !status; first = end) {
    while (end < count && items[end].key == items[first].key) end++;
    Splitter splitter = {.context = context, .spans = items + first, .count = end - first};
    status = split_region(&splitter, compact, local_of, span_region, region_count);
  }
  return status;
}

WmStatus wm_split_overlaps(WmContext *context, const WmCompactHeightfield *compact, uint16_t *span_region,
                           uint32_t *region_count) {
  const WmScratchMark mark = wm_scratch_mark(context);
  uint32_t *seen = wm_scratch_zeroed(context, (size_t)*region_count + 1, sizeof *seen);
  WmStatus status = seen ? WM_OK : WM_ERROR_OUT_OF_MEMORY;
  if (seen && find_overlaps(compact, span_region, seen)) {
    status = split_regions(context, compact, seen, span_region, region_count);
  }
  wm_scratch_rewind(context, mark);
  return status;
}
