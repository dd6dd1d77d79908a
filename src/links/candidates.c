/* Candidates: the flights of each kind from a position of a border to its landings. See links_internal.h. */
#include <math.h>
#include <string.h>

#include "links/links_internal.h"

/* A vault leads a cell over its obstacle. */
#define VAULT_MARGIN 1.0f

/* Rounding of peaks, cell heights. */
#define PEAK_ROUNDING 0.01f

static float larger(float a, float b) { return a > b ? a : b; }
static float smaller(float a, float b) { return a < b ? a : b; }

/* A flight being tried, and why it fails. */
typedef struct Attempt {
  WmAirWindow *window;
  const float *point; /* of the border, world units */
  float start[2], outward[2];
  float floor;                     /* cell heights */
  float lengths[WM_FLIGHT_SHAPES]; /* as of the walk */
  WmFlightShape shape;
  WmLinkCandidate *candidate;
  bool is_thorough;      /* the reason is wanted, not only the result */
  WmRefusedLink refusal; /* of the last failure; its kind is set by the caller */
} Attempt;

/* ---- Reasons ------------------------------------------------------------------------------------------- */

static void set_world(const WmAirWindow *window, float x, float z, float height, float point[3]) {
  const WmLinkLimits *limits = &window->generator->limits;
  point[0] = window->origin[0] + x * limits->cell_size;
  point[1] = window->generator->bake.bounds_min[1] + height * limits->cell_height;
  point[2] = window->origin[1] + z * limits->cell_size;
}

/* Notes why an attempt fails, at a distance and height along its line.
 * in         value, limit: world units */
static bool refuse(Attempt *attempt, WmLinkRefusal reason, float along, float height, float value,
                   float limit) {
  if (!attempt->is_thorough) return false;
  WmRefusedLink *refusal = &attempt->refusal;
  *refusal = (WmRefusedLink){.reason = (uint8_t)reason, .value = value, .limit = limit};
  memcpy(refusal->start, attempt->point, sizeof refusal->start);
  set_world(attempt->window, attempt->start[0] + along * attempt->outward[0],
            attempt->start[1] + along * attempt->outward[1], height, refusal->end);
  memcpy(refusal->place, refusal->end, sizeof refusal->place);
  return false;
}

static bool refuse_obstruction(Attempt *attempt, float length, float height, const WmObstruction *stop) {
  if (!attempt->is_thorough) return false;
  const WmLinkLimits *limits = &attempt->window->generator->limits;
  const WmLinkRefusal reason = stop->is_missing                            ? WM_LINK_TILE_MISSING
                               : stop->along > length - limits->radius - 1 ? WM_LINK_NO_ROOM
                                                                           : WM_LINK_BLOCKED;
  refuse(attempt, reason, length, height, stop->headroom * limits->cell_height,
         (stop->high - stop->low) * limits->cell_height);
  set_world(attempt->window, stop->point[0], stop->point[1], stop->low, attempt->refusal.place);
  return false;
}

/* ---- Limits -------------------------------------------------------------------------------------------- */

float wm_flight_distance(const WmLinkLimits *limits, WmFlightShape shape) {
  return shape == WM_FLIGHT_LEDGE  ? limits->ledge_distance
         : shape == WM_FLIGHT_JUMP ? limits->jump_distance
                                   : limits->vault_distance;
}

float wm_flight_highest_peak(const WmLinkLimits *limits, WmFlightShape shape,
                             const WmLinkCandidate *candidate) {
  const float *heights = candidate->heights;
  const float low = smaller(heights[0], heights[1]), high = larger(heights[0], heights[1]);
  if (shape == WM_FLIGHT_LEDGE) return 0;
  if (shape == WM_FLIGHT_VAULT) return low + limits->vault_height + VAULT_MARGIN + 0.9f - high;
  return (candidate->is_reversible ? low : heights[0]) + limits->jump_peak - high;
}

/* ---- One flight ---------------------------------------------------------------------------------------- */

/* The end of an attempt, at a height.
 * out        point: world units */
static void find_end(const Attempt *attempt, float height, float point[3]) {
  const WmLinkGenerator *generator = attempt->window->generator;
  const float along = 0.5f * (float)attempt->candidate->step, distance = along * generator->limits.cell_size;
  point[0] = attempt->point[0] + attempt->outward[0] * distance;
  point[1] = generator->bake.bounds_min[1] + height * generator->limits.cell_height;
  point[2] = attempt->point[2] + attempt->outward[1] * distance;
}

/* Finds the ground at the end of an attempt.
 * in         expected: height near which the ground lies, cell heights
 * out        candidate->heights */
static bool find_landing(Attempt *attempt, uint32_t view, uint32_t ground, float expected) {
  WmAirWindow *window = attempt->window;
  float point[3];
  find_end(attempt, expected, point);
  if (!wm_find_ground(window, view, ground, point))
    return refuse(attempt, WM_LINK_NO_ROOM, 0.5f * (float)attempt->candidate->step, expected, 0, 0);
  attempt->candidate->heights[0] = attempt->floor;
  attempt->candidate->heights[1] =
      (point[1] - window->generator->bake.bounds_min[1]) / window->generator->limits.cell_height;
  return true;
}

/* As find_landing, once for all shapes that try a sample. */
static bool find_sample_landing(Attempt *attempt, WmLandingSample *sample) {
  if (sample->state == WM_SAMPLE_OFF_MESH && !attempt->is_thorough) return false;
  if (sample->state == WM_SAMPLE_ON_MESH) {
    attempt->candidate->heights[0] = attempt->floor;
    attempt->candidate->heights[1] = sample->height;
    return true;
  }
  const bool found = find_landing(attempt, sample->view, sample->ground, sample->floor);
  sample->state = found ? WM_SAMPLE_ON_MESH : WM_SAMPLE_OFF_MESH;
  if (found) sample->height = attempt->candidate->heights[1];
  return found;
}

/* How far a landing of a shape may lie above and below the border, cell heights. */
typedef struct HeightLimits {
  float up, down;
} HeightLimits;

static HeightLimits find_height_limits(const WmLinkLimits *limits, WmFlightShape shape) {
  switch (shape) {
    case WM_FLIGHT_LEDGE:
      return (HeightLimits){-limits->climb, larger(limits->drop_height, limits->climb_height)};
    case WM_FLIGHT_JUMP: return (HeightLimits){limits->jump_up, limits->jump_down};
    default: return (HeightLimits){limits->vault_height, limits->vault_height};
  }
}

/* Compares the height of a landing with the limits of the shape's kinds.
 * in         slack: by which they may be exceeded
 * out        candidate->kinds */
static bool check_height(Attempt *attempt, float height, float slack) {
  const WmLinkLimits *limits = &attempt->window->generator->limits;
  WmLinkCandidate *candidate = attempt->candidate;
  const float along = 0.5f * (float)candidate->step, cell = limits->cell_height, up = height - attempt->floor;
  const HeightLimits most = find_height_limits(limits, attempt->shape);
  if (attempt->shape == WM_FLIGHT_LEDGE && up >= most.up + slack) {
    return refuse(attempt, WM_LINK_WALKABLE_STEP, along, height, -up * cell, limits->climb * cell);
  }
  if (up > most.up + slack)
    return refuse(attempt, WM_LINK_TOO_HIGH, along, height, up * cell, most.up * cell);
  if (-up > most.down + slack)
    return refuse(attempt, WM_LINK_TOO_DEEP, along, height, -up * cell, most.down * cell);
  candidate->kinds =
      attempt->shape == WM_FLIGHT_JUMP ? 1u << WM_SEGMENT_LINK_JUMP : 1u << WM_SEGMENT_LINK_VAULT;
  if (attempt->shape == WM_FLIGHT_LEDGE) {
    candidate->kinds = (uint8_t)((-up <= limits->drop_height ? 1u << WM_SEGMENT_LINK_DROP : 0) |
                                 (-up <= limits->climb_height ? 1u << WM_SEGMENT_LINK_CLIMB : 0));
  }
  return true;
}

static WmFlight make_flight(const Attempt *attempt) {
  return (WmFlight){.shape = (uint8_t)attempt->shape,
                    .start = {attempt->start[0], attempt->start[1]},
                    .outward = {attempt->outward[0], attempt->outward[1]},
                    .length = 0.5f * (float)attempt->candidate->step,
                    .heights = {attempt->candidate->heights[0], attempt->candidate->heights[1]},
                    .peak = attempt->candidate->peak};
}

/* Returns the memo of the obstruction that stopped the last flight of this shape. Most often it stops the next flight, too. */
static WmStopMemo *find_memo(const Attempt *attempt) {
  const bool is_jump_there = attempt->shape == WM_FLIGHT_JUMP && !attempt->candidate->is_reversible;
  return &attempt->window->stops[is_jump_there && !attempt->is_thorough ? WM_FLIGHT_SHAPES : attempt->shape];
}

/* Refuses a flight. What stopped it may be a barrier for others. */
static bool heed_stop(Attempt *attempt, const WmFlight *flight, const WmObstruction *stop) {
  WmAirWindow *window = attempt->window;
  if (wm_heed_barrier(&window->generator->limits, &stop->barrier, attempt->start, attempt->outward,
                      attempt->floor, attempt->lengths))
    window->barrier = stop->barrier;
  return refuse_obstruction(attempt, flight->length, flight->heights[1], stop);
}

/* Whether a flight passed before: if nothing changed around it since, it passes. */
typedef enum Knowledge { IS_UNKNOWN, PASSED, PASSES } Knowledge;

static Knowledge find_knowledge(const Attempt *attempt) {
  const WmLinkCandidate *candidate = attempt->candidate;
  Knowledge knowledge = IS_UNKNOWN;
  for (size_t i = 0; i < attempt->window->known_count; i++) {
    const WmStoredCandidate *known = &attempt->window->known[i];
    if (known->shape != attempt->shape) continue;
    const WmPassingFlight flights[2] = {
        {known->candidate.step, known->candidate.heights[1], known->candidate.peak}, known->run};
    for (int k = 0; k < 2; k++) {
      if (flights[k].step != candidate->step || flights[k].height != candidate->heights[1] ||
          flights[k].peak != candidate->peak)
        continue;
      if (!known->is_changed) return PASSES;
      knowledge = PASSED;
    }
  }
  return knowledge;
}

/* Sweeps the body. What stopped another flight is tried first. */
static bool check_body(Attempt *attempt) {
  const Knowledge knowledge = find_knowledge(attempt);
  if (knowledge == PASSES) return true;
  const WmFlight flight = make_flight(attempt);
  WmStopMemo *memo = find_memo(attempt);
  WmObstruction *stop = &memo->stop;
  if (memo->is_set && !wm_flight_passes(attempt->window, &flight, stop))
    return heed_stop(attempt, &flight, stop);
  if (knowledge == PASSED) attempt->window->swept = &attempt->window->changed;
  const bool passes = wm_flight_sweep(attempt->window, &flight, stop);
  attempt->window->swept = NULL;
  if (passes) return true;
  memo->is_set = true;
  return heed_stop(attempt, &flight, stop);
}

static Attempt start_attempt(WmAirWindow *window, const WmBorder *border, const float point[3],
                             WmFlightShape shape, WmLinkCandidate *candidate) {
  const WmLinkLimits *limits = &window->generator->limits;
  Attempt attempt = {.window = window, .point = point, .shape = shape, .candidate = candidate};
  for (int axis = 0; axis < 2; axis++) {
    attempt.start[axis] = (point[2 * axis] - window->origin[axis]) / limits->cell_size;
    attempt.outward[axis] = border->outward[axis];
  }
  attempt.floor = (point[1] - window->generator->bake.bounds_min[1]) / limits->cell_height;
  return attempt;
}

bool wm_land_candidate(WmAirWindow *window, const WmBorder *border, const float point[3], WmFlightShape shape,
                       WmLinkCandidate *candidate) {
  Attempt attempt = start_attempt(window, border, point, shape, candidate);
  const float along = 0.5f * (float)candidate->step, expected = candidate->heights[1];
  const float x = attempt.start[0] + along * attempt.outward[0],
              z = attempt.start[1] + along * attempt.outward[1];
  if (!(x >= 0 && z >= 0)) return false;
  const WmColumn column = wm_air_column(window, (int32_t)x, (int32_t)z);
  uint32_t ground = 0;
  float nearest = INFINITY, floor = 0;
  for (uint32_t k = 0; k < column.count; k++) {
    const float distance = fabsf((float)column.gaps[k].floor - expected);
    if (!column.ground[k] || distance >= nearest) continue;
    nearest = distance;
    ground = column.ground[k];
    floor = column.gaps[k].floor;
  }
  const uint8_t kinds = candidate->kinds;
  if (!ground || !find_landing(&attempt, column.view, ground, floor)) return false;
  if (!check_height(&attempt, candidate->heights[1], 0)) return false;
  return candidate->kinds == kinds;
}

bool wm_sweep_candidate(WmAirWindow *window, const WmBorder *border, const float point[3],
                        WmFlightShape shape, WmLinkCandidate *candidate) {
  const float highest = wm_flight_highest_peak(&window->generator->limits, shape, candidate);
  if (!(candidate->peak >= 0) || candidate->peak > highest + PEAK_ROUNDING) return false;
  Attempt attempt = start_attempt(window, border, point, shape, candidate);
  return check_body(&attempt);
}

/* ---- The kinds ----------------------------------------------------------------------------------------- */

static bool try_arc(Attempt *attempt, float top) {
  WmLinkCandidate *candidate = attempt->candidate;
  candidate->peak = top - larger(candidate->heights[0], candidate->heights[1]);
  if (!(candidate->peak >= 0)) {
    const float cell = attempt->window->generator->limits.cell_height;
    return refuse(attempt, WM_LINK_TOO_HIGH, 0.5f * (float)candidate->step, candidate->heights[1],
                  (candidate->heights[1] - candidate->heights[0]) * cell,
                  (top - candidate->heights[0]) * cell);
  }
  return check_body(attempt);
}

/* The arc of a jump rises as far above its lower end as above any take-off, if agents can jump back over it. If it is blocked, or
 * they can't, a jump down rises from its own take-off. */
static bool try_jump(Attempt *attempt) {
  const WmLinkLimits *limits = &attempt->window->generator->limits;
  WmLinkCandidate *candidate = attempt->candidate;
  const float *heights = candidate->heights, down = heights[0] - heights[1];
  candidate->is_reversible = fabsf(down) <= smaller(limits->jump_up, limits->jump_down);
  if (candidate->is_reversible && try_arc(attempt, smaller(heights[0], heights[1]) + limits->jump_peak))
    return true;
  if (candidate->is_reversible && down <= 0) return false;
  candidate->is_reversible = false;
  return try_arc(attempt, heights[0] + limits->jump_peak);
}

static bool try_vault(Attempt *attempt) {
  const WmLinkLimits *limits = &attempt->window->generator->limits;
  WmLinkCandidate *candidate = attempt->candidate;
  const float low = smaller(candidate->heights[0], candidate->heights[1]);
  const float high = larger(candidate->heights[0], candidate->heights[1]), cell = limits->cell_height;
  const float along = 0.5f * (float)candidate->step;
  const bool is_low =
      low + limits->vault_height <= high + limits->climb; /* any obstacle is too high or too low */
  if (is_low && !attempt->is_thorough) return false;
  WmFlight flight = make_flight(attempt);
  WmObstruction stop;
  float top;
  if (!wm_flight_find_top(attempt->window, &flight, low, low + limits->vault_height, &top, &stop)) {
    if (stop.is_missing) return refuse_obstruction(attempt, along, candidate->heights[1], &stop);
    return refuse(attempt, WM_LINK_TOO_HIGH, along, candidate->heights[1], (stop.high - low) * cell,
                  limits->vault_height * cell);
  }
  if (top <= high + limits->climb) {
    return refuse(attempt, WM_LINK_WALKABLE_STEP, along, candidate->heights[1], (top - high) * cell,
                  limits->climb * cell);
  }
  candidate->peak = top + VAULT_MARGIN - high;
  candidate->is_reversible = true;
  return check_body(attempt);
}

/* ---- All of a position --------------------------------------------------------------------------------- */

/* True if flights of a shape can be told impossible by the line alone. */
static bool is_out_of_line(const WmWalk *walk, WmFlightShape shape, int32_t step) {
  if (shape == WM_FLIGHT_LEDGE) return step > walk->level_count;
  return shape == WM_FLIGHT_VAULT && step <= walk->level_count;
}

/* Cell heights by which the mesh may lie beside the floor of its column. */
static float find_floor_slack(const WmLinkLimits *limits) { return limits->climb + 2; }

static bool try_sample(Attempt *attempt, const WmWalk *walk, WmLandingSample *sample) {
  const float slack = find_floor_slack(&attempt->window->generator->limits);
  *attempt->candidate = (WmLinkCandidate){.step = sample->step};
  if (attempt->is_thorough && !check_height(attempt, sample->floor, slack)) return false;
  const bool is_out = is_out_of_line(walk, attempt->shape, sample->step);
  if (!find_sample_landing(attempt, sample)) return false;
  if (!check_height(attempt, attempt->candidate->heights[1], 0)) return false;
  if (is_out) {
    const float along = 0.5f * (float)walk->level_count;
    return refuse(attempt, attempt->shape == WM_FLIGHT_LEDGE ? WM_LINK_BLOCKED : WM_LINK_WALKABLE_STEP, along,
                  attempt->floor, 0, 0);
  }
  switch (attempt->shape) {
    case WM_FLIGHT_LEDGE: return check_body(attempt);
    case WM_FLIGHT_JUMP: return try_jump(attempt);
    default: return try_vault(attempt);
  }
}

/* Keeps the refusal that came farthest, for each kind of a shape. */
static void keep_refusal(const WmLinkConfig *config, const Attempt *attempt,
                         WmRefusedLink refused[WM_SEGMENT_LINK_KINDS]) {
  static const uint8_t KINDS[WM_FLIGHT_SHAPES][2] = {{WM_SEGMENT_LINK_DROP, WM_SEGMENT_LINK_CLIMB},
                                                     {WM_SEGMENT_LINK_JUMP, WM_SEGMENT_LINK_JUMP},
                                                     {WM_SEGMENT_LINK_VAULT, WM_SEGMENT_LINK_VAULT}};
  for (int i = 0; i < 2; i++) {
    const uint8_t kind = KINDS[attempt->shape][i];
    if (!config->kinds[kind].is_on || attempt->refusal.reason <= refused[kind].reason) continue;
    refused[kind] = attempt->refusal;
    refused[kind].kind = kind;
  }
}

/* The lowest and the highest floor on which a flight of a shape may land, if it is on the mesh. */
typedef struct FloorRange {
  float low, high;
} FloorRange;

static FloorRange find_floors(const Attempt *attempt) {
  const WmLinkLimits *limits = &attempt->window->generator->limits;
  const HeightLimits most = find_height_limits(limits, attempt->shape);
  const float slack = find_floor_slack(limits) + 0.01f;
  return (FloorRange){attempt->floor - most.down - slack, attempt->floor + most.up + slack};
}

/* Tries a shape at the samples of a landing, from near to far, until one succeeds. */
static void try_landing(Attempt *attempt, const WmWalk *walk, const WmLanding *landing, bool wants_refused,
                        WmPositionCandidates *candidates) {
  const WmLinkGenerator *generator = attempt->window->generator;
  const FloorRange floors = find_floors(attempt);
  if (!wants_refused && (landing->floors[0] > floors.high || landing->floors[1] < floors.low)) return;
  const float distance = wm_flight_distance(&generator->limits, attempt->shape);
  uint8_t *count = &candidates->counts[attempt->shape];
  if (wants_refused)
    attempt->window->stops[attempt->shape].is_set = false; /* the reason is the first obstruction */
  for (int32_t i = landing->first; i >= 0 && *count < WM_CANDIDATE_SLOTS; i = walk->samples[i].next) {
    WmLandingSample *sample = &walk->samples[i];
    if (0.5f * (float)sample->step > distance) {
      if (i == landing->first && wants_refused) {
        const float cell = generator->limits.cell_size;
        refuse(attempt, WM_LINK_TOO_FAR, 0.5f * (float)sample->step, sample->floor,
               0.5f * (float)sample->step * cell, distance * cell);
        keep_refusal(&generator->config, attempt, candidates->refused);
      }
      return;
    }
    if (!sample->is_tried) continue;
    if (!wants_refused) {
      if (0.5f * (float)sample->step > attempt->lengths[attempt->shape]) return;
      if (sample->floor > floors.high || sample->floor < floors.low) continue;
      if (is_out_of_line(walk, attempt->shape, sample->step)) continue;
    }
    attempt->candidate = &candidates->items[attempt->shape][*count];
    if (try_sample(attempt, walk, sample)) {
      ++*count;
      return;
    }
    if (wants_refused) keep_refusal(&generator->config, attempt, candidates->refused);
  }
}

/* Notes how far the line came, before any landing is tried. */
static void start_refusals(Attempt *attempt, const WmWalk *walk, WmPositionCandidates *candidates) {
  const WmLinkConfig *config = &attempt->window->generator->config;
  memset(candidates->refused, 0, sizeof candidates->refused);
  refuse(attempt, walk->is_missing ? WM_LINK_TILE_MISSING : WM_LINK_NO_GROUND, 0.5f * (float)walk->step_count,
         walk->floor, 0, 0);
  for (int shape = 0; shape < WM_FLIGHT_SHAPES; shape++) {
    attempt->shape = (WmFlightShape)shape;
    keep_refusal(config, attempt, candidates->refused);
  }
}

void wm_find_candidates(WmAirWindow *window, const WmWalk *walk, bool wants_refused,
                        WmPositionCandidates *candidates) {
  memset(candidates->counts, 0, sizeof candidates->counts);
  if (walk->landing_count == 0 && !wants_refused) return;
  const WmLinkLimits *limits = &window->generator->limits;
  const bool is_on[WM_FLIGHT_SHAPES] = {limits->has_ledges, limits->has_jumps, limits->has_vaults};
  Attempt attempt = {.window = window,
                     .point = walk->point,
                     .start = {walk->start[0], walk->start[1]},
                     .outward = {walk->outward[0], walk->outward[1]},
                     .floor = walk->floor,
                     .is_thorough = wants_refused};
  memcpy(attempt.lengths, walk->lengths, sizeof attempt.lengths);
  if (wants_refused) start_refusals(&attempt, walk, candidates);
  for (int shape = 0; shape < WM_FLIGHT_SHAPES; shape++) {
    attempt.shape = (WmFlightShape)shape;
    for (int32_t i = 0; is_on[shape] && i < walk->landing_count; i++) {
      try_landing(&attempt, walk, &walk->landings[i], wants_refused, candidates);
    }
  }
}
