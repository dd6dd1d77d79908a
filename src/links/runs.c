/* Runs: positions beside each other that land alike, made links. See links_internal.h.
 *
 * A border is sampled at positions at most a cell apart, both its ends included. A run follows candidates from position to position
 * while distance and height of the landing change little. All its positions are then checked with the same distance and peak: what
 * fails is taken out and tried by itself. So every link was swept at all its positions. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "links/links_internal.h"
#include "mesh/locate.h"

/* Half cells by which distances may differ within a run. */
enum { STEP_SPREAD = 4 };

/* Cell heights by which heights may differ from the straight segments of a link. */
#define LINE_ERROR 0.75f

/* A position of a run. */
typedef struct RunItem {
  int32_t position;
  WmLinkCandidate candidate;
} RunItem;

/* The positions of a border while its links are made. */
typedef struct Sampled {
  WmAirWindow *window;
  const WmBorder *border;
  int32_t count;   /* positions */
  float (*points)[3]; /* [count] world units */
  WmPositionCandidates *candidates; /* [count] */
  uint8_t *covered; /* [count] bits of the kinds of links that pass there */
  RunItem *items;   /* [count] the current run */
  WmLinkList *list;
} Sampled;

static void find_point(const WmBorder *border, int32_t position, int32_t last, float point[3]) {
  if (position == 0) {
    memcpy(point, border->first, sizeof border->first);
  } else if (position == last) {
    memcpy(point, border->second, sizeof border->second);
  } else {
    wm_interpolate(border->first, border->second, (float)position / (float)last, point);
  }
  point[1] = wm_tile_height(border->tile, border->polygon, point);
}

/* ---- Links --------------------------------------------------------------------------------------------- */

/* The other end of a candidate's flight, world units. */
static void find_end(const Sampled *sampled, const RunItem *item, float end[3]) {
  const WmLinkLimits *limits = &sampled->window->generator->limits;
  const float distance = 0.5f * (float)item->candidate.step * limits->cell_size;
  const float *point = sampled->points[item->position];
  end[0] = point[0] + sampled->border->outward[0] * distance;
  end[1] = sampled->window->generator->bake.bounds_min[1] + item->candidate.heights[1] * limits->cell_height;
  end[2] = point[2] + sampled->border->outward[1] * distance;
}

/* True if the second end of a border is the left one of its links (segment_links.h). */
static bool is_second_left(const WmBorder *border) {
  const float x = border->second[0] - border->first[0], z = border->second[2] - border->first[2];
  return x * border->outward[1] - z * border->outward[0] < 0;
}

static WmStatus append_link(Sampled *sampled, const RunItem *first, const RunItem *last, WmSegmentLinkKind kind) {
  const WmLinkGenerator *generator = sampled->window->generator;
  const WmLinkKindConfig *config = &generator->config.kinds[kind];
  WmLinkList *list = sampled->list;
  const WmStatus status = wm_buffer_reserve(generator->context, &list->links, list->count + 1, sizeof(WmSegmentLink));
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
  link->bidirectional = is_climb ? !(first->candidate.kinds & 1u << WM_SEGMENT_LINK_DROP) : first->candidate.is_reversible;
  /* Climbs lead back to the border. */
  float(*near)[3] = is_climb ? link->end : link->start, (*far)[3] = is_climb ? link->start : link->end;
  const bool swaps = is_second_left(sampled->border) != is_climb;
  for (int i = 0; i < 2; i++) {
    const RunItem *item = (i == 0) != swaps ? first : last;
    memcpy(near[i], sampled->points[item->position], sizeof near[i]);
    find_end(sampled, item, far[i]);
  }
  link->cost = config->cost_factor * wm_segment_link_length(link);
  return WM_OK;
}

/* Makes the links of a run whose heights follow straight lines. */
static WmStatus append_links(Sampled *sampled, const RunItem *items, int32_t first, int32_t last) {
  const float width = sampled->border->length * (float)(last - first) / (float)(sampled->count - 1);
  if (width < 0.99f * sampled->window->generator->limits.min_width) return WM_OK;
  for (int kind = 0; kind < WM_SEGMENT_LINK_KINDS; kind++) {
    if (!(items[first].candidate.kinds >> kind & 1)) continue;
    const WmStatus status = append_link(sampled, &items[first], &items[last], (WmSegmentLinkKind)kind);
    if (status) return status;
    for (int32_t i = first; i <= last; i++) sampled->covered[items[i].position] |= (uint8_t)(1u << kind);
  }
  return WM_OK;
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

/* Divides positions that all passed where their heights bend. */
static WmStatus divide_by_height(Sampled *sampled, const RunItem *items, int32_t count) {
  for (int32_t first = 0; first + 1 < count;) {
    Slopes slopes[2] = {{-INFINITY, INFINITY}, {-INFINITY, INFINITY}};
    int32_t last = first + 1;
    while (last + 1 < count) {
      narrow_slopes(slopes, &items[first], &items[last]);
      if (!is_straight(slopes, &items[first], &items[last + 1])) break;
      last++;
    }
    const WmStatus status = append_links(sampled, items, first, last);
    if (status) return status;
    first = last;
  }
  return WM_OK;
}

/* ---- Runs ---------------------------------------------------------------------------------------------- */

/* Gives an item the distance and peak of its run; returns true if it passes with them. */
static bool agree(Sampled *sampled, WmFlightShape shape, int32_t step, float peak, RunItem *item) {
  if (item->candidate.step == step && item->candidate.peak == peak) return true;
  WmLinkCandidate common = item->candidate;
  common.step = step;
  common.peak = peak;
  if (!wm_check_candidate(sampled->window, sampled->border, sampled->points[item->position], shape, &common)) return false;
  item->candidate = common;
  return true;
}

/* Makes links of a run: with the longest distance and highest peak of its positions, where they pass with these. */
static WmStatus finish_run(Sampled *sampled, WmFlightShape shape, RunItem *items, int32_t count) {
  if (count < 2) return WM_OK;
  int32_t step = 0;
  float peak = 0;
  for (int32_t i = 0; i < count; i++) {
    if (items[i].candidate.step > step) step = items[i].candidate.step;
    if (items[i].candidate.peak > peak) peak = items[i].candidate.peak;
  }
  bool any_passes = false;
  WmStatus status = WM_OK;
  for (int32_t first = 0, last; !status && first < count; first = last) {
    const bool passes = agree(sampled, shape, step, peak, &items[first]);
    for (last = first + 1; last < count && agree(sampled, shape, step, peak, &items[last]) == passes; last++) continue;
    any_passes |= passes;
    if (passes) {
      status = divide_by_height(sampled, items + first, last - first);
    } else if (last - first < count) {
      status = finish_run(sampled, shape, items + first, last - first);
    }
  }
  if (status || any_passes) return status;
  status = finish_run(sampled, shape, items, count / 2);
  return status ? status : finish_run(sampled, shape, items + count / 2, count - count / 2);
}

/* The candidate of a position that continues a run best: the nearest in distance. */
static WmLinkCandidate *find_next(const Sampled *sampled, WmFlightShape shape, int32_t position, const WmLinkCandidate *last,
                                  int32_t low, int32_t high) {
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
static WmStatus follow_run(Sampled *sampled, WmFlightShape shape, int32_t position, WmLinkCandidate *candidate) {
  int32_t count = 0, low = candidate->step, high = low;
  while (candidate) {
    candidate->is_used = true;
    sampled->items[count++] = (RunItem){position, *candidate};
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
      const WmStatus status =
          wm_buffer_reserve(generator->context, &list->refused, list->refused_count + 1, sizeof(WmRefusedLink));
      if (status) return status;
      ((WmRefusedLink *)list->refused.items)[list->refused_count++] = sampled->candidates[i].refused[kind];
    }
  }
  return WM_OK;
}

/* A candidate that became no link: its run is too narrow. */
static void refuse_narrow(Sampled *sampled) {
  const WmLinkLimits *limits = &sampled->window->generator->limits;
  for (int32_t i = 0; i < sampled->count; i++) {
    WmPositionCandidates *candidates = &sampled->candidates[i];
    for (int shape = 0; shape < WM_FLIGHT_SHAPES; shape++) {
      for (int32_t k = candidates->counts[shape]; k-- > 0;) {
        const RunItem item = {i, candidates->items[shape][k]};
        for (int kind = 0; kind < WM_SEGMENT_LINK_KINDS; kind++) {
          if (!(item.candidate.kinds >> kind & 1)) continue;
          WmRefusedLink *refused = &candidates->refused[kind];
          *refused = (WmRefusedLink){.reason = WM_LINK_TOO_NARROW,
                                     .kind = (uint8_t)kind,
                                     .limit = limits->min_width * limits->cell_size};
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
  return WM_OK;
}

/* Allocates in scratch memory of the caller's mark. */
static WmStatus allocate_positions(Sampled *sampled) {
  WmContext *context = sampled->window->generator->context;
  const size_t count = (size_t)sampled->count;
  sampled->points = wm_scratch_array(context, count, sizeof *sampled->points);
  sampled->candidates = wm_scratch_array(context, count, sizeof *sampled->candidates);
  sampled->covered = wm_scratch_zeroed(context, count, sizeof *sampled->covered);
  sampled->items = wm_scratch_array(context, count, sizeof *sampled->items);
  const bool all = sampled->points && sampled->candidates && sampled->covered && sampled->items;
  return all ? WM_OK : WM_ERROR_OUT_OF_MEMORY;
}

WmStatus wm_border_links(WmAirWindow *window, const WmBorder *border, WmWalk *walk, bool wants_refused, WmLinkList *list,
                         float *farthest) {
  WmContext *context = window->generator->context;
  Sampled sampled = {.window = window, .border = border, .list = list};
  const int32_t last = (int32_t)ceilf(border->length - 0.01f);
  sampled.count = (last > 1 ? last : 1) + 1;
  const WmScratchMark mark = wm_scratch_mark(context);
  WmStatus status = allocate_positions(&sampled);
  bool any = false;
  *farthest = 0;
  for (int32_t i = 0; !status && i < sampled.count; i++) {
    find_point(border, i, sampled.count - 1, sampled.points[i]);
    wm_walk_follow(window, border, sampled.points[i], walk);
    *farthest = fmaxf(*farthest, 0.5f * (float)(walk->step_count + 1));
    wm_find_candidates(window, walk, wants_refused, &sampled.candidates[i]);
    for (int shape = 0; shape < WM_FLIGHT_SHAPES; shape++) any |= sampled.candidates[i].counts[shape] > 0;
    status = window->status;
  }
  if (!status && any) status = make_runs(&sampled);
  if (!status) status = window->status;
  if (!status && wants_refused) {
    refuse_narrow(&sampled);
    status = append_refusals(&sampled);
  }
  wm_scratch_rewind(context, mark);
  return status;
}
