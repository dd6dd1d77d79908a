/* Runs: positions beside each other that land alike, made links. See links_internal.h.
 *
 * A border is sampled at positions at most a cell or a third of the radius apart, both its ends included: bodies that far from each
 * other leave nothing between them. A run follows candidates from position to position while distance and height of the landing
 * change little. All its positions are then checked with the same distance and peak: positions that fail are made runs of their own.
 * So every link was swept at all its positions. Positions that are too narrow for a link become one of a cell's width if the body
 * passes there, and no link of their kind does so beside them: along a slanted border of the ground beyond, with a longer distance. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "links/links_internal.h"
#include "mesh/locate.h"

/* Half cells by which distances may differ within a run. */
enum { STEP_SPREAD = 6 };

/* Cell heights by which the highest peaks of jumps may differ within a run: all of its jumps rise to the lowest of them. Links of the least
 * width have any peaks: there are none narrower. */
#define PEAK_SPREAD 2.0f

/* Cell heights by which heights may differ from the straight segments of a link. */
#define LINE_ERROR 0.75f

/* Single positions become links only if min_width is at most WM_WIDENED_CELLS: of such a link the ends and the middle are swept. */

/* Positions of a border. None is as long: meshes of another grid may have any borders. */
#define POSITION_LIMIT 1048576.0f

/* A position of a run. */
typedef struct RunItem {
  int32_t position;
  float along;    /* of the border, 0 to 1 */
  float point[3]; /* world units */
  WmFlightShape shape;
  WmLinkCandidate found;     /* by itself */
  int32_t slot;              /* of it among those of its position and shape */
  WmLinkCandidate candidate; /* with the distance and peak of its run */
} RunItem;

/* The positions of a border while its links are made. */
typedef struct Sampled {
  WmAirWindow *window;
  const WmBorder *border;
  WmSurfaceRange surface;           /* of the border's polygon */
  int32_t count;                    /* positions */
  float (*points)[3];               /* [count] world units; undefined where no line is followed */
  WmPositionCandidates *candidates; /* [count] */
  uint8_t *covered;                 /* [count] bits of the kinds of links that pass there */
  RunItem *items;                   /* [count] the current run */
  RunItem *narrow;                  /* [narrow_count] positions in runs too narrow for a link */
  int32_t narrow_count;
  WmPositionReach *reaches; /* [count] */
  const WmStoredCandidate *
      *known; /* [count + 1] the first former candidate of each position; NULL: there are none */
  WmLinkList *list;
} Sampled;

/* A point of a border, from 0 to 1 along it. */
static void find_point(const Sampled *sampled, float along, float point[3]) {
  const WmBorder *border = sampled->border;
  if (along <= 0) {
    memcpy(point, border->first, sizeof border->first);
  } else if (along >= 1) {
    memcpy(point, border->second, sizeof border->second);
  } else {
    wm_interpolate(border->first, border->second, along, point);
  }
  point[1] = wm_surface_height(border->tile, border->polygon, sampled->surface, point);
}

static float find_along(const Sampled *sampled, int32_t position) {
  return (float)position / (float)(sampled->count - 1);
}

/* ---- Links --------------------------------------------------------------------------------------------- */

/* The other end of a candidate's flight, world units. */
static void find_end(const Sampled *sampled, const RunItem *item, float end[3]) {
  const WmLinkLimits *limits = &sampled->window->generator->limits;
  const float distance = 0.5f * (float)item->candidate.step * limits->cell_size;
  const float *point = item->point;
  end[0] = point[0] + sampled->border->outward[0] * distance;
  end[1] = sampled->window->generator->bake.bounds_min[1] + item->candidate.heights[1] * limits->cell_height;
  end[2] = point[2] + sampled->border->outward[1] * distance;
}

/* True if the second end of a border is the left one of its links (segment_links.h). */
static bool is_second_left(const WmBorder *border) {
  const float x = border->second[0] - border->first[0], z = border->second[2] - border->first[2];
  return x * border->outward[1] - z * border->outward[0] < 0;
}

static WmStatus append_link(Sampled *sampled, const RunItem *first, const RunItem *last,
                            WmSegmentLinkKind kind) {
  const WmLinkGenerator *generator = sampled->window->generator;
  const WmLinkKindConfig *config = &generator->config.kinds[kind];
  WmLinkList *list = sampled->list;
  const WmStatus status =
      wm_buffer_reserve(generator->context, &list->links, list->count + 1, sizeof(WmSegmentLink));
  if (status) return status;
  const bool is_climb = kind == WM_SEGMENT_LINK_CLIMB;
  WmSegmentLink *link = (WmSegmentLink *)list->links.items + list->count++;
  *link = (WmSegmentLink){.peak = kind == WM_SEGMENT_LINK_JUMP || kind == WM_SEGMENT_LINK_VAULT
                                      ? first->candidate.peak * generator->limits.cell_height
                                      : 0,
                          .flags = config->flags,
                          .area = config->area,
                          .kind = (uint8_t)kind,
                          .enabled = true};
  link->bidirectional =
      is_climb ? !(first->candidate.kinds & 1u << WM_SEGMENT_LINK_DROP) : first->candidate.is_reversible;
  /* Climbs lead back to the border. */
  float(*near)[3] = is_climb ? link->end : link->start, (*far)[3] = is_climb ? link->start : link->end;
  const bool swaps = is_second_left(sampled->border) != is_climb;
  for (int i = 0; i < 2; i++) {
    const RunItem *item = (i == 0) != swaps ? first : last;
    memcpy(near[i], item->point, sizeof near[i]);
    find_end(sampled, item, far[i]);
  }
  link->cost = config->cost_factor * wm_segment_link_longest(link);
  return WM_OK;
}

/* Makes links of positions that passed with the same distance and peak, and whose heights follow straight lines. */
static WmStatus append_links(Sampled *sampled, const RunItem *first, const RunItem *last) {
  const float width = sampled->border->length * (last->along - first->along);
  if (width < 0.99f * sampled->window->generator->limits.min_width) return WM_OK;
  for (int kind = 0; kind < WM_SEGMENT_LINK_KINDS; kind++) {
    if (!(first->candidate.kinds >> kind & 1)) continue;
    const WmStatus status = append_link(sampled, first, last, (WmSegmentLinkKind)kind);
    if (status) return status;
    for (int32_t i = first->position; i <= last->position; i++) sampled->covered[i] |= (uint8_t)(1u << kind);
  }
  return WM_OK;
}

/* True if agents can step from each of some positions to its landing. Most often the first one decides. */
WM_NOINLINE static bool are_steps(const Sampled *sampled, const RunItem *items, int32_t count) {
  for (int32_t i = 0; i < count; i++) {
    if (!wm_can_step(sampled->window, sampled->border, items[i].point, items[i].candidate.step)) return false;
  }
  return true;
}

/* Slopes of lines from the first position that pass near the heights of others. */
typedef struct Slopes {
  float low, high;
} Slopes;

static bool is_straight(const Slopes slopes[2], const RunItem *first, const RunItem *last) {
  const float steps = (float)(last->position - first->position);
  for (int end = 0; end < 2; end++) {
    const float slope = (last->candidate.heights[end] - first->candidate.heights[end]) / steps;
    if (!(slope >= slopes[end].low && slope <= slopes[end].high)) return false;
  }
  return true;
}

static void narrow_slopes(Slopes slopes[2], const RunItem *first, const RunItem *passed) {
  const float steps = (float)(passed->position - first->position);
  for (int end = 0; end < 2; end++) {
    const float rise = passed->candidate.heights[end] - first->candidate.heights[end];
    slopes[end].low = fmaxf(slopes[end].low, (rise - LINE_ERROR) / steps);
    slopes[end].high = fminf(slopes[end].high, (rise + LINE_ERROR) / steps);
  }
}

/* The number of positions, from the first one on, whose heights follow straight lines. */
static int32_t count_straight(const RunItem *items, int32_t count) {
  Slopes slopes[2] = {{-INFINITY, INFINITY}, {-INFINITY, INFINITY}};
  int32_t last = 1;
  while (last + 1 < count) {
    narrow_slopes(slopes, &items[0], &items[last]);
    if (!is_straight(slopes, &items[0], &items[last + 1])) break;
    last++;
  }
  return last + 1 < count ? last + 1 : count;
}

/* ---- Runs ---------------------------------------------------------------------------------------------- */

/* Lands an item at the distance of its run; returns true if there is ground. */
static bool land(Sampled *sampled, WmFlightShape shape, int32_t step, RunItem *item) {
  item->candidate = item->found;
  if (item->found.step == step) return true;
  item->candidate.step = step;
  return wm_land_candidate(sampled->window, sampled->border, item->point, shape, &item->candidate);
}

/* Tells the window which flights from a position pass. */
static void set_known(const Sampled *sampled, int32_t position) {
  if (!sampled->known) return;
  sampled->window->known = sampled->known[position];
  sampled->window->known_count = (size_t)(sampled->known[position + 1] - sampled->known[position]);
}

/* Gives an item that has landed the peak of its run; returns true if it passes with it. */
static bool rise(Sampled *sampled, WmFlightShape shape, float peak, RunItem *item) {
  item->candidate.peak = peak;
  if (item->found.step == item->candidate.step && item->found.peak == peak) return true;
  set_known(sampled, item->position);
  const bool passes =
      wm_sweep_candidate(sampled->window, sampled->border, item->point, shape, &item->candidate);
  sampled->window->known_count = 0;
  if (passes) {
    sampled->candidates[item->position].runs[shape][item->slot] =
        (WmPassingFlight){item->candidate.step, item->candidate.heights[1], peak};
  }
  return passes;
}

/* Finds the peak of items that have landed: of jumps the lowest that one of them may have, so that none rises higher than it may.
 * in         spread: cell heights
 * returns    the number of items, from the first one on, whose peaks differ by no more */
static int32_t find_peak(const Sampled *sampled, WmFlightShape shape, const RunItem *items, int32_t count,
                         float spread, float *peak) {
  const WmLinkLimits *limits = &sampled->window->generator->limits;
  float low = INFINITY, high = -INFINITY;
  *peak = 0;
  for (int32_t i = 0; i < count; i++) {
    if (shape != WM_FLIGHT_JUMP) {
      *peak = fmaxf(*peak, items[i].found.peak);
      continue;
    }
    const float own = wm_flight_highest_peak(limits, shape, &items[i].candidate);
    low = fminf(low, own);
    high = fmaxf(high, own);
    if (high - low > spread) return i;
    *peak = low;
  }
  return count;
}

/* Notes positions that are too narrow for a link: their middle, with their distance and peak. */
static void note_narrow(Sampled *sampled, WmFlightShape shape, const RunItem *items, int32_t count) {
  RunItem *narrow = &sampled->narrow[sampled->narrow_count++];
  *narrow = items[count / 2];
  narrow->shape = shape;
  if (count == 1) {
    narrow->candidate = narrow->found;
    return;
  }
  narrow->along = 0.5f * (items[0].along + items[count - 1].along);
  find_point(sampled, narrow->along, narrow->point);
}

/* True if a link of each kind of a candidate passes within a position of its own. */
static bool is_beside_links(const Sampled *sampled, const RunItem *item) {
  const float middle = item->along * (float)(sampled->count - 1);
  const int32_t first = (int32_t)ceilf(middle - 1.01f), last = (int32_t)floorf(middle + 1.01f);
  for (int32_t i = first > 0 ? first : 0; i <= last && i < sampled->count; i++) {
    if ((item->found.kinds & ~sampled->covered[i]) == 0) return true;
  }
  return false;
}

/* Makes a link of the least width around a position, if the body passes there and at both its ends with a distance.
 * in         along: of both ends
 * out        *made: true if there is one */
static WmStatus widen_to(Sampled *sampled, const RunItem *middle, const float along[2], int32_t step,
                         bool *made) {
  RunItem items[3] = {*middle, *middle, *middle};
  float peak = 0;
  *made = true;
  for (int i = 0; i < 3 && *made; i++) {
    RunItem *item = &items[i];
    item->along = i == 2 ? middle->along : along[i];
    find_point(sampled, item->along, item->point);
    item->candidate.step = step;
    *made = wm_land_candidate(sampled->window, sampled->border, item->point, middle->shape, &item->candidate);
  }
  if (*made) find_peak(sampled, middle->shape, items, 3, INFINITY, &peak);
  for (int i = 0; i < 3 && *made; i++) {
    items[i].candidate.peak = peak;
    *made = wm_sweep_candidate(sampled->window, sampled->border, items[i].point, middle->shape,
                               &items[i].candidate);
  }
  if (!*made || are_steps(sampled, items, 3)) return WM_OK;
  /* All positions that it covers. */
  const float count = (float)(sampled->count - 1);
  const int32_t low = (int32_t)ceilf(along[0] * count), high = (int32_t)(along[1] * count);
  if (low < middle->position) items[0].position = low;
  if (high > middle->position) items[1].position = high;
  return append_links(sampled, &items[0], &items[1]);
}

/* Makes a link of a position alone, or of positions that are too narrow for one: of the least width around them, within the border. Where
 * the ground is slanted, a longer distance may pass at both ends. */
static WmStatus widen(Sampled *sampled, const RunItem *middle) {
  const WmLinkLimits *limits = &sampled->window->generator->limits;
  const float width = limits->min_width / sampled->border->length;
  if (!(width <= 1) || limits->min_width > WM_WIDENED_CELLS) return WM_OK;
  float first = middle->along - 0.5f * width;
  if (first + width > 1) first = 1 - width;
  if (first < 0) first = 0;
  const int32_t longest = (int32_t)(2 * wm_flight_distance(limits, middle->shape));
  bool made = false;
  WmStatus status = WM_OK;
  for (int32_t longer = 0; !status && !made && longer <= STEP_SPREAD; longer++) {
    const int32_t step = middle->candidate.step + longer;
    if (step > longest) break;
    status = widen_to(sampled, middle, (const float[2]){first, first + width}, step, &made);
  }
  return status;
}

/* The longest distance of a run's positions. */
static int32_t find_longest(const RunItem *items, int32_t count) {
  int32_t step = 0;
  for (int32_t i = 0; i < count; i++) {
    if (items[i].found.step > step) step = items[i].found.step;
  }
  return step;
}

/* The number of positions, from the first one on, that all pass with a distance, or all fail.
 * out        *peak: of those that pass */
static int32_t count_agreeing(Sampled *sampled, WmFlightShape shape, RunItem *items, int32_t count,
                              int32_t step, float *peak, bool *passes) {
  int32_t landed = 1, same = 1;
  *passes = land(sampled, shape, step, &items[0]);
  while (landed < count && land(sampled, shape, step, &items[landed]) == *passes) landed++;
  if (!*passes) return landed;
  landed = find_peak(sampled, shape, items, landed, PEAK_SPREAD, peak);
  *passes = rise(sampled, shape, *peak, &items[0]);
  while (same < landed && rise(sampled, shape, *peak, &items[same]) == *passes) same++;
  return same;
}

/* Makes a link of positions that pass with a distance and peak: with their own, if these pass, too. */
static WmStatus finish_passing(Sampled *sampled, WmFlightShape shape, RunItem *items, int32_t count,
                               int32_t step, float peak) {
  const int32_t own_step = find_longest(items, count);
  float own_peak;
  bool passes;
  find_peak(sampled, shape, items, count, PEAK_SPREAD, &own_peak);
  if (own_step != step || own_peak != peak) {
    const int32_t same = count_agreeing(sampled, shape, items, count, own_step, &own_peak, &passes);
    if (!passes || same < count || count_straight(items, count) < count) {
      for (int32_t i = 0; i < count; i++) {
        land(sampled, shape, step, &items[i]);
        items[i].candidate.peak = peak;
      }
    }
  }
  if (are_steps(sampled, items, count)) return WM_OK;
  const float width = sampled->border->length * (items[count - 1].along - items[0].along);
  if (width >= 0.99f * sampled->window->generator->limits.min_width)
    return append_links(sampled, &items[0], &items[count - 1]);
  note_narrow(sampled, shape, items, count);
  return WM_OK;
}

/* Makes links of a run: with the distance and peak of all, where positions pass with these. Depth of recursion: O(log count). */
/* NOLINTNEXTLINE(misc-no-recursion): half of the positions, then half of these */
static WmStatus finish_run(Sampled *sampled, WmFlightShape shape, RunItem *items, int32_t count) {
  WmStatus status = WM_OK;
  while (!status && count > 0) {
    int32_t done;
    float peak;
    bool passes;
    if (count == 1) {
      note_narrow(sampled, shape, items, count);
      return WM_OK;
    }
    const int32_t step = find_longest(items, count);
    const int32_t same = count_agreeing(sampled, shape, items, count, step, &peak, &passes);
    if (passes) {
      done = count_straight(items, same);
      status = finish_passing(sampled, shape, items, done, step, peak);
      if (done < same) done--; /* the next link continues this one */
    } else {
      done = same < count / 2 ? same : count / 2;
      status = finish_run(sampled, shape, items, done);
    }
    items += done;
    count -= done;
  }
  return status;
}

/* The candidate of a position that continues a run best: the nearest in distance. */
static WmLinkCandidate *find_next(const Sampled *sampled, WmFlightShape shape, int32_t position,
                                  const WmLinkCandidate *last, int32_t low, int32_t high) {
  const WmLinkLimits *limits = &sampled->window->generator->limits;
  WmPositionCandidates *candidates = &sampled->candidates[position];
  WmLinkCandidate *best = NULL;
  for (int32_t i = 0; i < candidates->counts[shape]; i++) {
    WmLinkCandidate *next = &candidates->items[shape][i];
    if (next->is_used || next->is_reversible != last->is_reversible || next->kinds != last->kinds) continue;
    if (high - next->step > STEP_SPREAD || next->step - low > STEP_SPREAD) continue;
    if (!(fabsf(next->heights[1] - last->heights[1]) <= limits->climb + 1)) continue;
    if (!best || abs(next->step - last->step) < abs(best->step - last->step)) best = next;
  }
  return best;
}

/* Follows a run from a candidate. */
static WmStatus follow_run(Sampled *sampled, WmFlightShape shape, int32_t position,
                           WmLinkCandidate *candidate) {
  int32_t count = 0, low = candidate->step, high = low;
  while (candidate) {
    candidate->is_used = true;
    RunItem *item = &sampled->items[count++];
    *item = (RunItem){.position = position,
                      .along = find_along(sampled, position),
                      .found = *candidate,
                      .slot = (int32_t)(candidate - sampled->candidates[position].items[shape])};
    memcpy(item->point, sampled->points[position], sizeof item->point);
    if (candidate->step < low) low = candidate->step;
    if (candidate->step > high) high = candidate->step;
    if (++position == sampled->count) break;
    candidate = find_next(sampled, shape, position, candidate, low, high);
  }
  return finish_run(sampled, shape, sampled->items, count);
}

/* ---- Refusals ------------------------------------------------------------------------------------------ */

/* Appends why positions have no link of a kind. */
static WmStatus append_refusals(Sampled *sampled) {
  WmLinkGenerator *generator = sampled->window->generator;
  WmLinkList *list = sampled->list;
  for (int32_t i = 0; i < sampled->count; i++) {
    for (int kind = 0; kind < WM_SEGMENT_LINK_KINDS; kind++) {
      if (!generator->config.kinds[kind].is_on || (sampled->covered[i] >> kind & 1)) continue;
      const WmStatus status = wm_buffer_reserve(generator->context, &list->refused, list->refused_count + 1,
                                                sizeof(WmRefusedLink));
      if (status) return status;
      ((WmRefusedLink *)list->refused.items)[list->refused_count++] = sampled->candidates[i].refused[kind];
    }
  }
  return WM_OK;
}

/* A candidate that became no link: agents can step there, or its run is too narrow. */
static void refuse_candidates(Sampled *sampled) {
  const WmLinkLimits *limits = &sampled->window->generator->limits;
  for (int32_t i = 0; i < sampled->count; i++) {
    WmPositionCandidates *candidates = &sampled->candidates[i];
    for (int shape = 0; shape < WM_FLIGHT_SHAPES; shape++) {
      for (int32_t k = candidates->counts[shape]; k-- > 0;) {
        RunItem item = {.position = i, .candidate = candidates->items[shape][k]};
        memcpy(item.point, sampled->points[i], sizeof item.point);
        const bool can_step = wm_can_step(sampled->window, sampled->border, item.point, item.candidate.step);
        for (int kind = 0; kind < WM_SEGMENT_LINK_KINDS; kind++) {
          if (!(item.candidate.kinds >> kind & 1)) continue;
          WmRefusedLink *refused = &candidates->refused[kind];
          *refused = can_step ? (WmRefusedLink){.reason = WM_LINK_WALKABLE_STEP}
                              : (WmRefusedLink){.reason = WM_LINK_TOO_NARROW,
                                                .limit = limits->min_width * limits->cell_size};
          refused->kind = (uint8_t)kind;
          memcpy(refused->start, sampled->points[i], sizeof refused->start);
          find_end(sampled, &item, refused->end);
          memcpy(refused->place, refused->start, sizeof refused->place);
        }
      }
    }
  }
}

/* ---- A border ------------------------------------------------------------------------------------------ */

static WmStatus make_runs(Sampled *sampled) {
  for (int shape = 0; shape < WM_FLIGHT_SHAPES; shape++) {
    for (int32_t i = 0; i < sampled->count; i++) {
      WmPositionCandidates *candidates = &sampled->candidates[i];
      for (int32_t k = 0; k < candidates->counts[shape]; k++) {
        if (candidates->items[shape][k].is_used) continue;
        const WmStatus status = follow_run(sampled, (WmFlightShape)shape, i, &candidates->items[shape][k]);
        if (status) return status;
      }
    }
  }
  /* Positions alone, where no link passes beside them. */
  for (int32_t i = 0; i < sampled->narrow_count; i++) {
    if (is_beside_links(sampled, &sampled->narrow[i])) continue;
    const WmStatus status = widen(sampled, &sampled->narrow[i]);
    if (status) return status;
  }
  return WM_OK;
}

/* Finds where the former candidates of each position begin, and the cells of the window that may stop them now. */
static WmStatus list_known(Sampled *sampled, const WmFormerPositions *former) {
  WmAirWindow *window = sampled->window;
  const int32_t size[2] = {window->generator->tile_width, window->generator->tile_depth};
  for (int axis = 0; axis < 2; axis++) {
    window->changed.low[axis] = former->changed.low[axis] - window->first[axis] * size[axis];
    window->changed.high[axis] = former->changed.high[axis] - window->first[axis] * size[axis];
  }
  const size_t count = (size_t)sampled->count;
  sampled->known = wm_scratch_array(sampled->window->generator->context, count + 1, sizeof *sampled->known);
  if (!sampled->known) return WM_ERROR_OUT_OF_MEMORY;
  const WmStoredCandidate *next = former->candidates, *end = next + former->count;
  for (int32_t i = 0; i < sampled->count; i++) {
    sampled->known[i] = next;
    while (next < end && next->position == i) next++;
  }
  sampled->known[count] = end;
  return WM_OK;
}

/* Finds the former candidates of a position. */
static void recall_candidates(Sampled *sampled, const WmFormerPositions *former, int32_t position) {
  WmPositionCandidates *candidates = &sampled->candidates[position];
  memset(candidates->counts, 0, sizeof candidates->counts);
  for (const WmStoredCandidate *at = sampled->known[position]; at < sampled->known[position + 1]; at++) {
    const uint8_t slot = candidates->counts[at->shape]++;
    candidates->items[at->shape][slot] = at->candidate;
    candidates->items[at->shape][slot].is_used = false;
    candidates->runs[at->shape][slot] = at->run;
  }
  sampled->reaches[position] = former->reaches[position];
}

/* Stores the candidates and the reaches of all positions. */
static WmStatus store_positions(const Sampled *sampled) {
  WmContext *context = sampled->window->generator->context;
  WmLinkList *list = sampled->list;
  const size_t count = (size_t)sampled->count;
  WmStatus status =
      wm_buffer_reserve(context, &list->reaches, list->reach_count + count, sizeof(WmPositionReach));
  if (status) return status;
  memcpy((WmPositionReach *)list->reaches.items + list->reach_count, sampled->reaches,
         count * sizeof(WmPositionReach));
  list->reach_count += count;
  for (int32_t i = 0; i < sampled->count; i++) {
    const WmPositionCandidates *candidates = &sampled->candidates[i];
    for (int shape = 0; shape < WM_FLIGHT_SHAPES; shape++) {
      for (int32_t k = 0; k < candidates->counts[shape]; k++) {
        status = wm_buffer_reserve(context, &list->stored, list->stored_count + 1, sizeof(WmStoredCandidate));
        if (status) return status;
        ((WmStoredCandidate *)list->stored.items)[list->stored_count++] =
            (WmStoredCandidate){.position = i,
                                .shape = (uint8_t)shape,
                                .candidate = candidates->items[shape][k],
                                .run = candidates->runs[shape][k]};
      }
    }
  }
  return WM_OK;
}

/* Half cells beyond a candidate at which its run may land, and links that are widened: each by STEP_SPREAD more. */
enum { RUN_SPREAD = 2 * STEP_SPREAD };

/* Finds what the candidates of a position, and the runs that have them, depend on. */
static WmPositionReach find_reach(const Sampled *sampled, const WmWalk *walk,
                                  const WmPositionCandidates *candidates) {
  int32_t farthest = (int32_t)ceilf(2 * walk->farthest);
  WmPositionReach reach = {.landing = WM_NEVER_LANDS, .is_swept = walk->is_beside};
  for (int32_t i = 0; i < walk->sample_count; i++) {
    const WmLandingSample *sample = &walk->samples[i];
    if (sample->state == WM_SAMPLE_NEW) continue;
    if (sample->step < reach.landing) reach.landing = (uint16_t)sample->step;
    reach.is_swept |= sample->state == WM_SAMPLE_ON_MESH;
  }
  for (int shape = 0; shape < WM_FLIGHT_SHAPES; shape++) {
    for (int32_t k = 0; k < candidates->counts[shape]; k++) {
      const int32_t step = candidates->items[shape][k].step + RUN_SPREAD;
      if (step > farthest) farthest = step;
      reach.has_candidates = true;
    }
  }
  const int32_t limit = (int32_t)ceilf(2 * sampled->window->generator->limits.farthest) + 1;
  reach.farthest = (uint16_t)(farthest < limit ? farthest : limit);
  return reach;
}

/* The reach of all positions. */
static WmBorderReach join_reaches(const Sampled *sampled) {
  WmBorderReach all = {.landing = INFINITY};
  for (int32_t i = 0; i < sampled->count; i++) {
    const WmPositionReach *reach = &sampled->reaches[i];
    all.farthest = fmaxf(all.farthest, 0.5f * (float)reach->farthest);
    if (reach->is_swept) all.aside = wm_flight_radius(&sampled->window->generator->limits);
    if (reach->landing != WM_NEVER_LANDS) all.landing = fminf(all.landing, 0.5f * (float)reach->landing);
  }
  return all;
}

/* Allocates in scratch memory of the caller's mark. */
static WmStatus allocate_positions(Sampled *sampled) {
  WmContext *context = sampled->window->generator->context;
  const size_t count = (size_t)sampled->count;
  sampled->points = wm_scratch_array(context, count, sizeof *sampled->points);
  sampled->candidates = wm_scratch_array(context, count, sizeof *sampled->candidates);
  sampled->covered = wm_scratch_zeroed(context, count, sizeof *sampled->covered);
  sampled->reaches = wm_scratch_array(context, count, sizeof *sampled->reaches);
  sampled->items = wm_scratch_array(context, count, sizeof *sampled->items);
  sampled->narrow =
      wm_scratch_array(context, count * WM_FLIGHT_SHAPES * WM_CANDIDATE_SLOTS, sizeof *sampled->narrow);
  const bool all = sampled->points && sampled->candidates && sampled->covered && sampled->reaches &&
                   sampled->items && sampled->narrow;
  return all ? WM_OK : WM_ERROR_OUT_OF_MEMORY;
}

/* Positions of a border that are looked at together before any line is followed. */
enum { PART_POSITIONS = 8 };

/* True if ground may be in reach of the positions first..last. */
static bool may_reach_ground(const Sampled *sampled, WmBorderPart *part, int32_t first, int32_t last) {
  WmAirWindow *window = sampled->window;
  const float cell_size = window->generator->limits.cell_size;
  const float *from = sampled->border->first, *to = sampled->border->second;
  const float low = find_along(sampled, first), high = find_along(sampled, last);
  for (int axis = 0; axis < 2; axis++) {
    const float start = (from[2 * axis] - window->origin[axis]) / cell_size,
                length = (to[2 * axis] - from[2 * axis]) / cell_size;
    part->first[axis] = start + low * length;
    part->second[axis] = start + high * length;
  }
  return wm_may_reach_ground(window, part);
}

/* A position that depends on where ground lies, as far as lines can lead. */
static WmPositionReach reach_of_none(const Sampled *sampled) {
  return (WmPositionReach){.farthest = (uint16_t)ceilf(2 * sampled->window->generator->limits.farthest),
                           .landing = WM_NEVER_LANDS};
}

/* Follows the line from a position, and finds its candidates. */
static WmStatus follow_position(Sampled *sampled, int32_t position, WmWalk *walk, bool wants_refused) {
  WmAirWindow *window = sampled->window;
  WmPositionCandidates *candidates = &sampled->candidates[position];
  wm_walk_follow(window, sampled->border, sampled->points[position], wants_refused, walk);
  set_known(sampled, position);
  wm_find_candidates(window, walk, wants_refused, candidates);
  window->known_count = 0;
  for (int shape = 0; shape < WM_FLIGHT_SHAPES; shape++) {
    for (int32_t k = 0; k < candidates->counts[shape]; k++) candidates->runs[shape][k].step = 0;
  }
  if (sampled->list->stores) sampled->reaches[position] = find_reach(sampled, walk, candidates);
  return window->status;
}

/* Samples the positions of a part: recalls those that read no change, and follows the others, unless the part has no ground in reach.
 */
static WmStatus sample_part(Sampled *sampled, WmBorderPart *part, int32_t first, int32_t end, WmWalk *walk,
                            bool wants_refused, const WmFormerPositions *former) {
  WmStatus status = WM_OK;
  bool follows = wants_refused, is_decided = wants_refused;
  for (int32_t i = first; !status && i < end; i++) {
    WmPositionCandidates *candidates = &sampled->candidates[i];
    if (former && !former->reaches[i].is_changed) {
      find_point(sampled, find_along(sampled, i), sampled->points[i]);
      recall_candidates(sampled, former, i);
      continue;
    }
    if (!is_decided) {
      follows = may_reach_ground(sampled, part, i, end - 1);
      is_decided = true;
    }
    if (follows) {
      find_point(sampled, find_along(sampled, i), sampled->points[i]);
      status = follow_position(sampled, i, walk, wants_refused);
    } else {
      memset(candidates->counts, 0, sizeof candidates->counts);
      if (sampled->list->stores) sampled->reaches[i] = reach_of_none(sampled);
    }
  }
  return status ? status : sampled->window->status;
}

/* Samples all positions, in parts.
 * out        *any: true if there is a candidate */
static WmStatus sample_positions(Sampled *sampled, WmWalk *walk, bool wants_refused,
                                 const WmFormerPositions *former, bool *any) {
  const WmLinkLimits *limits = &sampled->window->generator->limits;
  const float bottom = sampled->window->generator->bake.bounds_min[1];
  WmBorderPart part = {.border = sampled->border};
  WmStatus status = WM_OK;
  *any = false;
  part.low = (sampled->surface.low - bottom) / limits->cell_height;
  part.high = (sampled->surface.high - bottom) / limits->cell_height;
  for (int32_t first = 0, end; !status && first < sampled->count; first = end) {
    end = first + PART_POSITIONS < sampled->count ? first + PART_POSITIONS : sampled->count;
    status = sample_part(sampled, &part, first, end, walk, wants_refused, former);
    for (int32_t i = first; !status && i < end; i++) {
      for (int shape = 0; shape < WM_FLIGHT_SHAPES; shape++) *any |= sampled->candidates[i].counts[shape] > 0;
    }
  }
  return status;
}

WmStatus wm_border_links(WmAirWindow *window, const WmBorder *border, WmWalk *walk, bool wants_refused,
                         const WmFormerPositions *former, WmLinkList *list, WmBorderReach *reach) {
  WmContext *context = window->generator->context;
  Sampled sampled = {.window = window,
                     .border = border,
                     .surface = wm_surface_range(border->tile, border->polygon),
                     .list = list};
  const float spacing = fmaxf(1, window->generator->limits.radius / 3);
  const int32_t last = (int32_t)fminf(ceilf((border->length - 0.01f) / spacing), POSITION_LIMIT);
  sampled.count = (last > 1 ? last : 1) + 1;
  const WmScratchMark mark = wm_scratch_mark(context);
  WmStatus status = allocate_positions(&sampled);
  bool any = false;
  if (!status && former) status = list_known(&sampled, former);
  if (!status) status = sample_positions(&sampled, walk, wants_refused, former, &any);
  if (!status && any) status = make_runs(&sampled);
  if (!status && list->stores) status = store_positions(&sampled);
  if (!status) status = window->status;
  if (!status && list->stores) *reach = join_reaches(&sampled);
  if (!status && wants_refused) {
    refuse_candidates(&sampled);
    status = append_refusals(&sampled);
  }
  wm_scratch_rewind(context, mark);
  return status;
}
