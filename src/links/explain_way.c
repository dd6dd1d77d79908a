/* Why no link leads from a position of a border to a point. See links_internal.h.
 *
 * The line away from the border is followed as far as the point, beyond the limits if need be. If it meets the ground on which the
 * point lies, that landing counts: a kind whose limits are exceeded answers if it would lead there with them raised, the refusals of
 * the others answer else. If it doesn't, a missing tile or a wall on the way answers, or the limit of links that are too long to be
 * followed; else no border faces the point. */
#include <math.h>
#include <string.h>

#include "base/vector.h"
#include "links/links_internal.h"
#include "mesh/locate.h"

/* Cells, besides the radius, between a point and ground near it. */
#define END_CELLS 3.0f

/* A limit that must be raised to more than this many times as much says less than what blocks other kinds. */
#define WORTH_RAISING 2.0f

/* Cell heights by which the mesh may lie beside the floor of its column. */
#define FLOOR_CELLS 2.0f

/* A way that is being explained. */
typedef struct Explanation {
  WmLinkGenerator *generator;
  const WmMesh *mesh;
  const WmLinkWay *way;
  WmAirWindow window;
  WmWalk walk;
  float away;         /* cells to the point */
  float followed;     /* cells: the line is followed this far unless something ends it */
  WmWayLanding found; /* on the ground of the point */
  WmRefusedLink *refused;
} Explanation;

static void copy_point(float to[3], const float from[3]) { memcpy(to, from, 3 * sizeof *to); }

/* ---- The line ------------------------------------------------------------------------------------------ */

/* Limits that reach the point, from the position and its height. */
static WmLinkLimits widen_limits(const WmLinkGenerator *generator, const WmLinkWay *way, float away) {
  WmLinkLimits limits = generator->limits;
  const float length = away * 1.5f + limits.radius + END_CELLS;
  const float up = (way->to[1] - way->point[1]) / limits.cell_height;
  const float farthest = wm_link_farthest_cells(&generator->bake);
  limits.farthest = fmaxf(limits.farthest, fminf(length, farthest));
  limits.lowest = fmaxf(limits.lowest, -up + limits.climb);
  limits.highest = fmaxf(limits.highest, up + limits.climb);
  limits.top = fmaxf(limits.top, limits.highest);
  return limits;
}

/* World units around a point within which ground is near it, on x and z, and above and below. */
static float near_reach(const WmLinkLimits *limits) {
  return (limits->radius + END_CELLS) * limits->cell_size;
}
static float near_height(const WmLinkLimits *limits) {
  return (limits->climb + FLOOR_CELLS) * limits->cell_height;
}

/* The point of the line at a distance from the border, cells, and at a height. */
static void find_point(const Explanation *explanation, float along, float height, float point[3]) {
  const WmLinkGenerator *generator = explanation->generator;
  const WmLinkLimits *limits = &generator->limits;
  const float *outward = explanation->way->border.outward, *start = explanation->way->point;
  point[0] = start[0] + along * outward[0] * limits->cell_size;
  point[1] = generator->bake.bounds_min[1] + height * limits->cell_height;
  point[2] = start[2] + along * outward[1] * limits->cell_size;
}

/* Finds the landing of which a sample comes nearest to the point, if one comes near. */
static void find_landing(Explanation *explanation) {
  const WmWalk *walk = &explanation->walk;
  const float *to = explanation->way->to, reach = near_reach(&explanation->generator->limits);
  float best = reach * reach;
  explanation->found.number = -1;
  for (int32_t landing = 0; landing < walk->landing_count; landing++) {
    for (int32_t i = walk->landings[landing].first; i >= 0; i = walk->samples[i].next) {
      float point[3];
      find_point(explanation, 0.5f * (float)walk->samples[i].step, walk->samples[i].floor, point);
      const float squared = wm_squared_distance_on_plane(point, to);
      if (fabsf(point[1] - to[1]) > near_height(&explanation->generator->limits) || squared > best) continue;
      best = squared;
      explanation->found.number = landing;
    }
  }
  if (explanation->found.number < 0) return;
  const WmLandingSample *first = &walk->samples[walk->landings[explanation->found.number].first];
  find_point(explanation, 0.5f * (float)first->step, first->floor, explanation->found.point);
}

/* Follows the line of a way. In scratch memory of the caller's mark. */
static WmStatus follow_way(WmLinkGenerator *generator, const WmMesh *mesh, const WmLinkWay *way,
                           Explanation *explanation) {
  const WmLinkLimits own = generator->limits;
  const float away = sqrtf(wm_squared_distance_on_plane(way->point, way->to)) / own.cell_size;
  *explanation = (Explanation){.generator = generator, .mesh = mesh, .way = way, .away = away};
  generator->run_count++;
  generator->limits = widen_limits(generator, way, away);
  explanation->followed = generator->limits.farthest;
  WmStatus status = wm_walk_start(generator->context, &generator->limits, &explanation->walk);
  if (!status)
    status = wm_air_window_start(generator, mesh, way->place[0], way->place[1], &explanation->window);
  if (!status) wm_walk_follow(&explanation->window, &way->border, way->point, true, &explanation->walk);
  generator->limits = own;
  if (!status) status = explanation->window.status;
  if (!status) find_landing(explanation);
  return status;
}

WmStatus wm_find_way_landing(WmLinkGenerator *generator, const WmMesh *mesh, const WmLinkWay *way,
                             WmWayLanding *landing) {
  const WmScratchMark mark = wm_scratch_mark(generator->context);
  Explanation explanation;
  const WmStatus status = follow_way(generator, mesh, way, &explanation);
  *landing = explanation.found;
  if (status) landing->number = -1;
  wm_scratch_rewind(generator->context, mark);
  return status;
}

/* ---- Limits -------------------------------------------------------------------------------------------- */

/* Limits of one kind on a flight of a length to a landing `up` above its start, cells and cell heights. */
typedef struct KindLimits {
  float distance, up, down;
} KindLimits;

static KindLimits find_limits(const WmLinkLimits *limits, int kind) {
  switch (kind) {
    case WM_SEGMENT_LINK_DROP: return (KindLimits){limits->ledge_distance, 0, limits->drop_height};
    case WM_SEGMENT_LINK_JUMP: return (KindLimits){limits->jump_distance, limits->jump_up, limits->jump_down};
    case WM_SEGMENT_LINK_CLIMB:
      return (KindLimits){limits->ledge_distance, limits->climb_height, limits->climb_height};
    default: return (KindLimits){limits->vault_distance, limits->vault_height, limits->vault_height};
  }
}

/* Raises the limits of one kind to a flight, and `more` beyond: half cells of its length, cell heights. */
static void raise_limits(WmLinkGenerator *generator, int kind, float length, float up, float more) {
  WmLinkLimits *limits = &generator->limits;
  const float high = up + more, deep = -up + more;
  length += 0.5f * more;
  switch (kind) {
    case WM_SEGMENT_LINK_DROP: limits->drop_height = fmaxf(limits->drop_height, deep); break;
    case WM_SEGMENT_LINK_JUMP:
      limits->jump_distance = fmaxf(limits->jump_distance, length);
      limits->jump_up = fmaxf(limits->jump_up, high);
      limits->jump_down = fmaxf(limits->jump_down, deep);
      limits->jump_peak = fmaxf(limits->jump_peak, limits->jump_up);
      if (!(generator->config.jump_peak > 0)) /* arcs rise by a share of the distance */
        limits->jump_peak =
            fmaxf(limits->jump_peak,
                  wm_default_jump_peak(limits->jump_distance * limits->cell_size) / limits->cell_height);
      break;
    case WM_SEGMENT_LINK_CLIMB: limits->climb_height = fmaxf(limits->climb_height, fabsf(up) + more); break;
    default:
      limits->vault_distance = fmaxf(limits->vault_distance, length);
      limits->vault_height = fmaxf(limits->vault_height, fabsf(up) + more);
  }
}

/* True if a kind can lead from a height to one `up` above it, cell heights, whatever its limits: drops and climbs need a ledge. */
static bool leads_there(const WmLinkLimits *limits, int kind, float up) {
  if (kind == WM_SEGMENT_LINK_DROP) return -up > limits->climb;
  return kind != WM_SEGMENT_LINK_CLIMB || fabsf(up) > limits->climb;
}

/* True if a kind that is on can lead the way, whatever its limits. */
static bool is_asked(const Explanation *explanation, int kind, float up) {
  const WmLinkGenerator *generator = explanation->generator;
  if (!generator->config.kinds[kind].is_on || !leads_there(&generator->limits, kind, up)) return false;
  return !explanation->way->is_climb || kind == WM_SEGMENT_LINK_CLIMB;
}

/* The kind that most plainly leads to a height `up` above. */
static WmSegmentLinkKind plain_kind(const WmLinkLimits *limits, float up) {
  if (up > limits->climb) return WM_SEGMENT_LINK_CLIMB;
  return -up > limits->climb ? WM_SEGMENT_LINK_DROP : WM_SEGMENT_LINK_JUMP;
}

/* The least length that is as many units after a division in float. */
static float find_length(float units, float unit) {
  float length = units * unit;
  while (length / unit < units) length = nextafterf(length, INFINITY);
  return length;
}

/* Notes a limit that a flight exceeds: the first one answers. */
static void exceed(WmRefusedLink *refused, float *times, WmLinkRefusal reason, float value, float limit,
                   float unit) {
  if (!(value > limit)) return;
  *times = fmaxf(*times, limit > 0 ? value / limit : INFINITY);
  if (refused->reason != WM_LINK_MADE) return;
  refused->reason = (uint8_t)reason;
  refused->value = find_length(value, unit);
  refused->limit = limit * unit;
}

/* Compares a flight with the limits of a kind.
 * out        refused: reason, value and limit of the first limit that it exceeds
 * returns    how many times as much it is as allowed, of the limit that it exceeds most; at most 1 if it is allowed. INFINITY where no
 *            field of the configuration allows it: drops and climbs reach no farther */
static float find_excess(const WmLinkLimits *limits, int kind, float length, float up,
                         WmRefusedLink *refused) {
  const KindLimits allowed = find_limits(limits, kind);
  float times = 1;
  *refused = (WmRefusedLink){.reason = WM_LINK_MADE, .kind = (uint8_t)kind};
  exceed(refused, &times, WM_LINK_TOO_FAR, length, allowed.distance, limits->cell_size);
  if (refused->reason == WM_LINK_TOO_FAR && (kind == WM_SEGMENT_LINK_DROP || kind == WM_SEGMENT_LINK_CLIMB))
    times = INFINITY;
  exceed(refused, &times, WM_LINK_TOO_HIGH, up, allowed.up, limits->cell_height);
  exceed(refused, &times, WM_LINK_TOO_DEEP, -up, allowed.down, limits->cell_height);
  return times;
}

/* The kinds whose limits refuse a flight, the one nearest to allowing it first. */
typedef struct Excess {
  int32_t count;
  bool any_allowed; /* a kind allows it */
  float times[WM_SEGMENT_LINK_KINDS];
  WmRefusedLink refused[WM_SEGMENT_LINK_KINDS];
} Excess;

static Excess find_all_excess(const Explanation *explanation, float length, float up) {
  Excess excess = {0};
  for (int kind = 0; kind < WM_SEGMENT_LINK_KINDS; kind++) {
    if (!is_asked(explanation, kind, up)) continue;
    WmRefusedLink refused;
    const float times = find_excess(&explanation->generator->limits, kind, length, up, &refused);
    if (refused.reason == WM_LINK_MADE) {
      excess.any_allowed = true;
      continue;
    }
    int32_t at = excess.count++;
    for (; at > 0 && times < excess.times[at - 1]; at--) {
      excess.times[at] = excess.times[at - 1];
      excess.refused[at] = excess.refused[at - 1];
    }
    excess.times[at] = times;
    excess.refused[at] = refused;
  }
  return excess;
}

/* Answers with a refusal of the flight to a distance and height. */
static void answer_at(const Explanation *explanation, const WmRefusedLink *answer, float along, float up) {
  WmRefusedLink *refused = explanation->refused;
  *refused = *answer;
  copy_point(refused->start, explanation->way->point);
  find_point(explanation, along, explanation->walk.floor + up, refused->end);
  copy_point(refused->place, refused->end);
}

/* ---- A landing on the ground of the point -------------------------------------------------------------- */

/* True for a wall at most twice as high as vaults may lead. */
static bool is_low_wall(const WmRefusedLink *refused) {
  return refused->reason == WM_LINK_TOO_HIGH && refused->kind == WM_SEGMENT_LINK_VAULT &&
         refused->value <= WORTH_RAISING * refused->limit;
}

/* The order of refusals of different kinds. A kind that doesn't suit the place says less than any limit. A low wall stops other kinds,
 * too: the height of the vault says more about it. */
static int rank_refusal(const WmRefusedLink *refused) {
  if (refused->reason == WM_LINK_WALKABLE_STEP) return 2 * WM_LINK_NO_GROUND + 1;
  return is_low_wall(refused) ? 2 * WM_LINK_NO_ROOM + 1 : 2 * refused->reason;
}

/* True if links of a kind, found at the position, can lead the way that was asked for. */
static bool answers(const Explanation *explanation, int kind) {
  const WmLinkWay *way = explanation->way;
  if (!explanation->generator->config.kinds[kind].is_on) return false;
  if (way->is_climb) return kind == WM_SEGMENT_LINK_CLIMB;
  return way->to[1] <= way->point[1] || (kind != WM_SEGMENT_LINK_DROP && kind != WM_SEGMENT_LINK_CLIMB);
}

/* The refusal of the kind that came farthest; NULL if no kind answers. */
static const WmRefusedLink *choose_refusal(const Explanation *explanation,
                                           const WmPositionCandidates *candidates) {
  const WmRefusedLink *best = NULL;
  for (int kind = 0; kind < WM_SEGMENT_LINK_KINDS; kind++) {
    const WmRefusedLink *refused = &candidates->refused[kind];
    if (answers(explanation, kind) && (!best || rank_refusal(refused) > rank_refusal(best))) best = refused;
  }
  return best;
}

/* The kind of a candidate that answers; WM_SEGMENT_LINK_KINDS if none does.
 * in         kinds: bits of the kinds that count */
static int find_candidate(const Explanation *explanation, const WmPositionCandidates *candidates,
                          uint32_t kinds, const WmLinkCandidate **found) {
  for (int kind = 0; kind < WM_SEGMENT_LINK_KINDS; kind++) {
    if (!(kinds >> kind & 1) || !answers(explanation, kind)) continue;
    for (int shape = 0; shape < WM_FLIGHT_SHAPES; shape++) {
      for (int32_t i = 0; i < candidates->counts[shape]; i++) {
        *found = &candidates->items[shape][i];
        if ((*found)->kinds >> kind & 1) return kind;
      }
    }
  }
  return WM_SEGMENT_LINK_KINDS;
}

/* Walls behind one another, and limits that are raised a little more. */
enum { MOST_TRIES = 32 };

/* How far limits were raised. */
typedef struct Raised {
  float more; /* beyond the flight: half cells and cell heights */
  float wall; /* height over which a vault must lead, cell heights; 0: unknown */
} Raised;

/* Tries a kind with its limits raised to a flight, and more if need be: the mesh lies beside the floor by up to FLOOR_CELLS, and behind the
 * wall that stops a vault may stand a higher one.
 * out        candidates: the refusals of the last try, if none leads there; *raised
 * returns    true if the kind leads there */
static bool try_raised(Explanation *explanation, int kind, float length, float up,
                       WmPositionCandidates *candidates, Raised *raised) {
  WmLinkGenerator *generator = explanation->generator;
  const WmLinkLimits own = generator->limits;
  *raised = (Raised){0};
  for (int tries = 0; tries < MOST_TRIES; tries++) {
    const WmLinkCandidate *unused;
    raise_limits(generator, kind, length, up, raised->more);
    if (kind == WM_SEGMENT_LINK_VAULT)
      generator->limits.vault_height = fmaxf(generator->limits.vault_height, raised->wall);
    const float height = generator->limits.vault_height;
    wm_find_candidates(&explanation->window, &explanation->walk, true, candidates);
    generator->limits = own;
    if (find_candidate(explanation, candidates, 1u << kind, &unused) == kind) return true;
    const WmRefusedLink *refused = &candidates->refused[kind];
    const float wall = refused->value / own.cell_height;
    if (kind == WM_SEGMENT_LINK_VAULT && refused->reason == WM_LINK_TOO_HIGH && !(wall < height))
      raised->wall = nextafterf(fmaxf(wall, raised->wall), INFINITY); /* sums round */
    else if (raised->more < FLOOR_CELLS)
      raised->more += 1;
    else
      return false;
  }
  return false;
}

/* Answers with the first limit that a flight needs raised; callers find the others in both ends, and in the place over which a vault leads. */
static void answer_raised(const Explanation *explanation, WmRefusedLink answer, float length, float up,
                          const Raised *raised) {
  const WmLinkLimits *limits = &explanation->generator->limits;
  const float height = fabsf(up) + raised->more;
  answer.value = answer.reason == WM_LINK_TOO_FAR
                     ? find_length(length + 0.5f * raised->more, limits->cell_size)
                     : find_length(fmaxf(height, raised->wall), limits->cell_height);
  answer_at(explanation, &answer, length, up);
  WmRefusedLink *refused = explanation->refused;
  refused->end[1] = refused->start[1] + copysignf(height, up) * limits->cell_height;
  refused->place[1] = refused->start[1] + fmaxf(height, raised->wall) * limits->cell_height;
}

/* Tries the limits that refuse a landing, raised as far as it needs. Climbs up are found at their upper ends, so here they can't be
 * tried.
 * in         most: how many times as much as allowed is worth it; candidates: memory
 * out        *last: the refusal that came farthest in spite of raised limits, if there is one
 * returns    true if a kind would lead there: it is the answer */
static bool answer_by_limits(Explanation *explanation, const WmLandingSample *first, const Excess *excess,
                             float most, WmPositionCandidates *candidates, WmRefusedLink *last) {
  const float length = 0.5f * (float)first->step, up = first->floor - explanation->walk.floor;
  for (int32_t i = 0; i < excess->count && excess->times[i] <= most; i++) {
    const WmRefusedLink *answer = &excess->refused[i];
    const int kind = answer->kind;
    const bool is_ledge = kind == WM_SEGMENT_LINK_DROP || kind == WM_SEGMENT_LINK_CLIMB;
    if (is_ledge && answer->reason == WM_LINK_TOO_FAR) continue; /* no limit can be raised */
    Raised raised = {0};
    if ((kind == WM_SEGMENT_LINK_CLIMB && up > 0) ||
        try_raised(explanation, kind, length, up, candidates, &raised)) {
      answer_raised(explanation, *answer, length, up, &raised);
      return true;
    }
    const WmRefusedLink *refused = &candidates->refused[kind];
    if (answers(explanation, kind) && rank_refusal(refused) > rank_refusal(last)) *last = *refused;
  }
  return false;
}

/* Answers with the wall that stops a vault, if one leads over it that is at most WORTH_RAISING times as high as allowed.
 * in/out     *refused: else what stops that one */
static bool answer_by_wall(Explanation *explanation, float length, float up, WmPositionCandidates *candidates,
                           WmRefusedLink *refused) {
  const WmLinkLimits *limits = &explanation->generator->limits;
  Raised raised;
  const bool is_open = try_raised(explanation, WM_SEGMENT_LINK_VAULT, length, up, candidates, &raised);
  if (is_open && raised.wall <= WORTH_RAISING * limits->vault_height) {
    WmRefusedLink answer;
    find_excess(limits, WM_SEGMENT_LINK_VAULT, length, up, &answer);
    answer_raised(explanation, answer.reason == WM_LINK_MADE ? *refused : answer, length, up, &raised);
    return true;
  }
  if (!is_open) *refused = candidates->refused[WM_SEGMENT_LINK_VAULT];
  return false;
}

/* Answers for a landing on the ground of the point. */
static WmStatus explain_landing(Explanation *explanation) {
  WmLinkGenerator *generator = explanation->generator;
  WmWalk *walk = &explanation->walk;
  WmPositionCandidates *candidates = wm_scratch_array(generator->context, 1, sizeof *candidates);
  if (!candidates) return WM_ERROR_OUT_OF_MEMORY;
  walk->landings[0] = walk->landings[explanation->found.number];
  walk->landing_count = 1;
  const WmLandingSample *first = &walk->samples[walk->landings[0].first];
  const float length = 0.5f * (float)first->step, up = first->floor - walk->floor;
  const Excess excess = find_all_excess(explanation, length, up);
  WmRefusedLink best = {.reason = WM_LINK_MADE};
  if (excess.any_allowed) {
    const WmLinkCandidate *candidate;
    wm_find_candidates(&explanation->window, walk, true, candidates);
    const int kind = find_candidate(explanation, candidates, UINT32_MAX, &candidate);
    if (kind < WM_SEGMENT_LINK_KINDS) { /* agents can step there, or no link is wide enough */
      WmRefusedLink answer = {.reason = WM_LINK_TOO_NARROW,
                              .kind = (uint8_t)kind,
                              .limit = generator->limits.min_width * generator->limits.cell_size};
      if (wm_can_step(&explanation->window, &explanation->way->border, explanation->way->point,
                      candidate->step))
        answer = (WmRefusedLink){.reason = WM_LINK_WALKABLE_STEP, .kind = (uint8_t)kind};
      answer_at(explanation, &answer, 0.5f * (float)candidate->step, candidate->heights[1] - walk->floor);
      copy_point(explanation->refused->place, explanation->way->point);
      return explanation->window.status;
    }
    const WmRefusedLink *refused = choose_refusal(explanation, candidates);
    if (refused) best = *refused;
  }
  if (best.reason == WM_LINK_TILE_MISSING) {
    *explanation->refused = best;
    return explanation->window.status;
  }
  if (is_low_wall(&best) && answer_by_wall(explanation, length, up, candidates, &best))
    return explanation->window.status;
  const float most = excess.any_allowed ? WORTH_RAISING : INFINITY;
  if (answer_by_limits(explanation, first, &excess, most, candidates, &best))
    return explanation->window.status;
  if (best.reason > WM_LINK_NO_GROUND) {
    *explanation->refused = best;
  } else if (excess.count > 0) {
    answer_at(explanation, &excess.refused[0], length, up);
  } else {
    const WmRefusedLink off = {
        .reason = WM_LINK_KIND_OFF,
        .kind = (uint8_t)plain_kind(&generator->limits, explanation->way->is_climb ? -up : up)};
    answer_at(explanation, &off, length, up);
  }
  return explanation->window.status;
}

/* ---- No landing ---------------------------------------------------------------------------------------- */

/* True if the mesh has ground near the point. */
static bool has_ground(const Explanation *explanation) {
  const WmLinkLimits *limits = &explanation->generator->limits;
  const float *to = explanation->way->to, reach = near_reach(limits), height = near_height(limits);
  const float extents[3] = {reach, height, reach};
  const float low[3] = {to[0] - reach, to[1] - height, to[2] - reach},
              high[3] = {to[0] + reach, to[1] + height, to[2] + reach};
  WmNearestSearch search;
  wm_nearest_begin(&search, to, extents);
  search.any_flags = true;
  WmBoxTiles tiles;
  wm_box_tiles_begin(&tiles, explanation->mesh, low, high);
  for (const WmMeshTile *tile; (tile = wm_box_tiles_next(&tiles)) != NULL;)
    wm_tile_find_nearest(tile, &search);
  return search.tile != NULL && fabsf(search.point[1] - to[1]) <= height &&
         wm_squared_distance_on_plane(search.point, to) <= reach * reach;
}

/* The kind in the words of an answer that concerns all of them: one that is on, if any leads there. */
static int choose_kind(const Explanation *explanation, float up) {
  const int plain = plain_kind(&explanation->generator->limits, explanation->way->is_climb ? -up : up);
  if (explanation->generator->config.kinds[plain].is_on) return plain;
  for (int kind = WM_SEGMENT_LINK_KINDS; kind-- > 0;) {
    if (is_asked(explanation, kind, up)) return kind;
  }
  return plain;
}

/* Answers where the line meets no ground near the point. */
static void explain_line(Explanation *explanation) {
  const WmLinkLimits *limits = &explanation->generator->limits;
  const WmLinkWay *way = explanation->way;
  const WmWalk *walk = &explanation->walk;
  const float up = (way->to[1] - way->point[1]) / limits->cell_height;
  WmRefusedLink answer = {.kind = (uint8_t)choose_kind(explanation, up)};
  if (!has_ground(explanation)) {
    answer.reason = WM_LINK_NO_GROUND;
    answer_at(explanation, &answer, 0.5f * (float)walk->step_count, 0);
    copy_point(explanation->refused->place, way->to);
    return;
  }
  const bool is_ended = walk->farthest != explanation->followed && walk->farthest <= explanation->away;
  if (is_ended && explanation->generator->config.kinds[answer.kind].is_on) {
    answer.reason = walk->is_missing ? WM_LINK_TILE_MISSING : WM_LINK_BLOCKED;
    answer_at(explanation, &answer, walk->farthest - 0.5f, 0);
    return;
  }
  if (walk->farthest != explanation->followed || explanation->followed >= explanation->away)
    return; /* no border faces the point */
  /* The least that a link would have to be: too long to be followed. */
  const Excess excess = find_all_excess(explanation, explanation->away, up);
  answer.reason = WM_LINK_KIND_OFF;
  answer_at(explanation, excess.count > 0 ? &excess.refused[0] : &answer, explanation->away, up);
}

WmStatus wm_explain_way(WmLinkGenerator *generator, const WmMesh *mesh, const WmLinkWay *way,
                        WmRefusedLink *refused) {
  const WmScratchMark mark = wm_scratch_mark(generator->context);
  Explanation explanation;
  WmStatus status = follow_way(generator, mesh, way, &explanation);
  explanation.refused = refused;
  if (!status && explanation.found.number >= 0)
    status = explain_landing(&explanation);
  else if (!status)
    explain_line(&explanation);
  wm_scratch_rewind(generator->context, mark);
  return status;
}
