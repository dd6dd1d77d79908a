/* Why no link leads from a point to another. See links.h.
 *
 * The position of a border nearest to the first point, facing the second one, answers: its line is followed as far as the second
 * point, beyond the limits if need be, and the ground found there is compared with the limits of each kind. Where they allow it, the
 * refusals of that position tell the reason. */
#include <math.h>
#include <string.h>

#include "base/vector.h"
#include "links/links_internal.h"
#include "mesh/locate.h"

/* Cells, besides the radius, between a point and a border, or ground, near it. */
#define NEAR_CELLS 6.0f
#define END_CELLS 3.0f

/* Cosine of the angle between a border's outward direction and the way to the second point, at most 45 degrees. */
#define FACING 0.7f

/* The question, and the position that answers it. */
typedef struct Question {
  WmLinkGenerator *generator;
  const WmMesh *mesh;
  const float *from, *to;
  float reach;               /* world units around `from` */
  int32_t first[2], last[2]; /* places within reach */
  bool is_climb;             /* the points are swapped: a climb is found at its upper end */
  WmRefusedLink *refused;
  /* The position. */
  float best; /* squared distance to `from`; INFINITY: none */
  WmBorder border;
  float point[3];
  int32_t place[2];
} Question;

static void copy_point(float to[3], const float from[3]) { memcpy(to, from, 3 * sizeof *to); }

/* ---- Links that exist ---------------------------------------------------------------------------------- */

/* Squared distance of a point to a segment of a link.
 * out        nearest: of the segment; *across: 0 to 1 */
static float find_across(const float segment[2][3], const float point[3], float *across, float nearest[3]) {
  const float x = segment[1][0] - segment[0][0], z = segment[1][2] - segment[0][2], squared = x * x + z * z;
  const float at =
      squared > 0 ? ((point[0] - segment[0][0]) * x + (point[2] - segment[0][2]) * z) / squared : 0;
  *across = wm_clamp_unit(at);
  wm_interpolate(segment[0], segment[1], *across, nearest);
  return wm_squared_distance(nearest, point);
}

/* Notes a link, in one direction, if it leads from near the first point to near the second one. */
static bool note_link(const Question *question, const WmSegmentLink *link, const float start[2][3],
                      const float end[2][3]) {
  float across, unused, nearest[3], arrival[3];
  const float limit = question->reach * question->reach;
  if (find_across(start, question->from, &across, nearest) > limit) return false;
  if (find_across(end, question->to, &unused, arrival) > limit) return false;
  WmRefusedLink *refused = question->refused;
  *refused = (WmRefusedLink){.reason = WM_LINK_MADE, .kind = link->kind};
  copy_point(refused->start, nearest);
  wm_interpolate(end[0], end[1], across, refused->end);
  copy_point(refused->place, refused->end);
  return true;
}

/* Checks whether a link that was noted saves enough.
 * out        *removed: the refusal, if it doesn't */
static WmStatus check_saving(const Question *question, const WmSegmentLink *link, bool *is_made,
                             WmRefusedLink *removed) {
  WmLinkGenerator *generator = question->generator;
  *is_made = true;
  if (!(generator->config.min_saving > 0)) return WM_OK;
  WmLinkList list = {0};
  WmStatus status = wm_buffer_reserve(generator->context, &list.links, 1, sizeof *link);
  if (!status) {
    *(WmSegmentLink *)list.links.items = *link;
    list.count = 1;
    status = wm_link_saving(generator, question->mesh, true, &list);
  }
  if (!status && list.count == 0) {
    const WmRefusedLink *refused = list.refused.items;
    *is_made = false;
    *removed = *question->refused;
    removed->reason = refused->reason;
    removed->value = refused->value;
    removed->limit = refused->limit;
  }
  wm_block_free(generator->context, list.links.items);
  wm_block_free(generator->context, list.refused.items);
  return status;
}

/* Looks for a link among those of a tile, which may save nothing, and for what was thinned. */
static WmStatus search_result(const Question *question, const WmLinkResult *result, bool *found,
                              WmRefusedLink *removed) {
  const float limit = question->reach * question->reach;
  for (size_t i = 0; i < result->link_count && !*found; i++) {
    const WmSegmentLink *link = &result->links[i];
    if (!note_link(question, link, link->start, link->end) &&
        !(link->bidirectional && note_link(question, link, link->end, link->start))) {
      continue;
    }
    const WmStatus status = check_saving(question, link, found, removed);
    if (status) return status;
  }
  for (size_t i = 0; i < result->refused_count; i++) {
    const WmRefusedLink *refused = &result->refused[i];
    if (refused->reason != WM_LINK_THINNED || removed->reason == WM_LINK_SAVES_NOTHING ||
        wm_squared_distance(refused->start, question->from) > limit ||
        wm_squared_distance(refused->end, question->to) > limit) {
      continue;
    }
    *removed = *refused;
  }
  return WM_OK;
}

/* Runs the tiles within reach.
 * out        *found: a link was noted; *removed: the refusal of a link near both points that saves nothing or was thinned, if there is
 *            one */
static WmStatus find_link(const Question *question, bool *found, WmRefusedLink *removed) {
  WmLinkGenerator *generator = question->generator;
  const float min_saving = generator->config.min_saving;
  *found = false;
  removed->reason = WM_LINK_MADE;
  for (int32_t z = question->first[1]; z <= question->last[1]; z++) {
    for (int32_t x = question->first[0]; x <= question->last[0]; x++) {
      WmLinkResult result;
      generator->config.min_saving = 0; /* it is checked for links near both points only */
      WmStatus status = wm_link_generator_run(generator, question->mesh, x, z, true, &result);
      generator->config.min_saving = min_saving;
      if (status) return status;
      status = search_result(question, &result, found, removed);
      wm_link_result_free(generator->context, &result);
      if (status || *found) return status;
    }
  }
  return WM_OK;
}

/* ---- The position -------------------------------------------------------------------------------------- */

/* Compares a border with the best one. */
static void consider_border(Question *question, const WmBorder *border, int32_t x, int32_t z) {
  const float way[2] = {question->to[0] - question->from[0], question->to[2] - question->from[2]};
  const float length = sqrtf(way[0] * way[0] + way[1] * way[1]);
  if (wm_dot(way, border->outward) < FACING * length) return;
  float along, point[3];
  wm_distance_to_segment(question->from, border->first, border->second, &along);
  wm_interpolate(border->first, border->second, along, point);
  point[1] = wm_tile_height(border->tile, border->polygon, point);
  const float distance = wm_squared_distance(point, question->from);
  if (!(distance < question->best) || distance > question->reach * question->reach) return;
  question->best = distance;
  question->border = *border;
  copy_point(question->point, point);
  question->place[0] = x;
  question->place[1] = z;
}

static WmStatus find_position(Question *question) {
  WmContext *context = question->generator->context;
  WmBuffer borders = {0};
  WmStatus status = WM_OK;
  question->best = INFINITY;
  for (int32_t z = question->first[1]; !status && z <= question->last[1]; z++) {
    for (int32_t x = question->first[0]; !status && x <= question->last[0]; x++) {
      const WmMeshTile *tile = NULL;
      size_t count = 0;
      while (!status && (tile = wm_mesh_next_layer(question->mesh, x, z, tile)) != NULL) {
        status = wm_find_borders(context, tile, question->generator->limits.cell_size, &borders, &count);
      }
      for (size_t i = 0; !status && i < count; i++)
        consider_border(question, (WmBorder *)borders.items + i, x, z);
    }
  }
  wm_block_free(context, borders.items);
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

/* True if a kind can lead from a height to one `up` above it, cell heights, whatever its limits: drops and climbs need a ledge. */
static bool leads_there(const WmLinkLimits *limits, int kind, float up) {
  if (kind == WM_SEGMENT_LINK_DROP) return -up > limits->climb;
  return kind != WM_SEGMENT_LINK_CLIMB || fabsf(up) > limits->climb;
}

/* The kind that most plainly leads to a height `up` above. */
static WmSegmentLinkKind plain_kind(const WmLinkLimits *limits, float up) {
  if (up > limits->climb) return WM_SEGMENT_LINK_CLIMB;
  return -up > limits->climb ? WM_SEGMENT_LINK_DROP : WM_SEGMENT_LINK_JUMP;
}

/* Compares a flight with the limits of a kind.
 * out        refused: reason, value and limit of the first limit that it exceeds
 * returns    how many times as much it is as allowed; at most 1 if it is allowed */
static float find_excess(const WmLinkLimits *limits, int kind, float length, float up,
                         WmRefusedLink *refused) {
  const KindLimits allowed = find_limits(limits, kind);
  *refused = (WmRefusedLink){.reason = WM_LINK_MADE, .kind = (uint8_t)kind};
  if (length > allowed.distance) {
    refused->reason = WM_LINK_TOO_FAR;
    refused->value = length * limits->cell_size;
    refused->limit = allowed.distance * limits->cell_size;
    return length / allowed.distance;
  }
  if (up > allowed.up) {
    refused->reason = WM_LINK_TOO_HIGH;
    refused->value = up * limits->cell_height;
    refused->limit = allowed.up * limits->cell_height;
    return allowed.up > 0 ? up / allowed.up : INFINITY;
  }
  if (-up > allowed.down) {
    refused->reason = WM_LINK_TOO_DEEP;
    refused->value = -up * limits->cell_height;
    refused->limit = allowed.down * limits->cell_height;
    return allowed.down > 0 ? -up / allowed.down : INFINITY;
  }
  return 1;
}

/* Compares ground, `length` away from the position and `up` above it, with the limits of all kinds.
 * returns    true if they refuse it: *refused is that of the kind nearest to allowing it */
static bool refuse_by_limits(const Question *question, const float outward[2], float length, float up) {
  const WmLinkGenerator *generator = question->generator;
  const WmLinkLimits *limits = &generator->limits;
  float least = INFINITY;
  bool any = false;
  WmRefusedLink nearest = {.reason = WM_LINK_KIND_OFF,
                           .kind = (uint8_t)plain_kind(limits, question->is_climb ? -up : up)};
  for (int kind = 0; kind < WM_SEGMENT_LINK_KINDS; kind++) {
    if (!generator->config.kinds[kind].is_on || !leads_there(limits, kind, up)) continue;
    if (question->is_climb && kind != WM_SEGMENT_LINK_CLIMB) continue;
    WmRefusedLink refused;
    const float excess = find_excess(limits, kind, length, up, &refused);
    if (refused.reason == WM_LINK_MADE) return false;
    if (any && !(excess < least)) continue;
    any = true;
    least = excess;
    nearest = refused;
  }
  copy_point(nearest.start, question->point);
  nearest.end[0] = question->point[0] + outward[0] * length * limits->cell_size;
  nearest.end[1] = question->point[1] + up * limits->cell_height;
  nearest.end[2] = question->point[2] + outward[1] * length * limits->cell_size;
  copy_point(nearest.place, nearest.end);
  *question->refused = nearest;
  return true;
}

/* The first sample of the landing that comes nearest to the second point, if it comes near; -1 if none does. */
static int32_t find_landing(const Question *question, const WmWalk *walk) {
  const WmLinkGenerator *generator = question->generator;
  const WmLinkLimits *limits = &generator->limits;
  float best = (limits->radius + END_CELLS) * limits->cell_size;
  int32_t found = -1;
  best *= best;
  for (int32_t landing = 0; landing < walk->landing_count; landing++) {
    const int32_t first = walk->landings[landing].first;
    for (int32_t i = first; i >= 0; i = walk->samples[i].next) {
      const float distance = 0.5f * (float)walk->samples[i].step * limits->cell_size;
      const float height = generator->bake.bounds_min[1] + walk->samples[i].floor * limits->cell_height;
      const float point[3] = {question->point[0] + walk->outward[0] * distance, question->to[1],
                              question->point[2] + walk->outward[1] * distance};
      const float squared = wm_squared_distance(point, question->to);
      const float slack = (limits->climb + 2) * limits->cell_height;
      if (!(fabsf(height - question->to[1]) <= slack) || !(squared <= best)) continue;
      best = squared;
      found = first;
    }
  }
  return found;
}

/* Limits that reach the second point, from a position and height. */
static WmLinkLimits widen_limits(const Question *question) {
  const WmLinkGenerator *generator = question->generator;
  WmLinkLimits limits = generator->limits;
  const float x = question->to[0] - question->point[0], z = question->to[2] - question->point[2];
  const float length = sqrtf(x * x + z * z) / limits.cell_size * 1.5f + limits.radius + END_CELLS;
  const float up = (question->to[1] - question->point[1]) / limits.cell_height;
  const float farthest = wm_link_farthest_cells(&generator->bake);
  limits.farthest = fmaxf(limits.farthest, fminf(length, farthest));
  limits.lowest = fmaxf(limits.lowest, -up + limits.climb);
  limits.highest = fmaxf(limits.highest, up + limits.climb);
  limits.top = fmaxf(limits.top, limits.highest);
  return limits;
}

/* ---- The answer ---------------------------------------------------------------------------------------- */

/* The order of refusals of different kinds. A kind that doesn't suit the place says less than any limit. A wall at most twice as high
 * as vaults may lead stops other kinds, too: the height of the vault says more about it. */
static int rank_refusal(const WmRefusedLink *refused) {
  if (refused->reason == WM_LINK_WALKABLE_STEP) return 2 * WM_LINK_NO_GROUND + 1;
  if (refused->reason == WM_LINK_TOO_HIGH && refused->kind == WM_SEGMENT_LINK_VAULT &&
      refused->value <= 2 * refused->limit) {
    return 2 * WM_LINK_NO_ROOM + 1;
  }
  return 2 * refused->reason;
}

/* True if links of a kind, found at the position, can lead the way that was asked for. */
static bool answers(const Question *question, int kind) {
  if (!question->generator->config.kinds[kind].is_on) return false;
  if (question->is_climb) return kind == WM_SEGMENT_LINK_CLIMB;
  return question->to[1] <= question->point[1] ||
         (kind != WM_SEGMENT_LINK_DROP && kind != WM_SEGMENT_LINK_CLIMB);
}

/* Chooses the refusal of the position that came farthest, of those whose end is near the second point, else of all. */
static void choose_refusal(const Question *question, const WmPositionCandidates *candidates) {
  const WmLinkLimits *limits = &question->generator->limits;
  const float reach = (limits->radius + END_CELLS) * limits->cell_size;
  for (int is_near = 1; is_near >= 0; is_near--) {
    const WmRefusedLink *best = NULL;
    for (int kind = 0; kind < WM_SEGMENT_LINK_KINDS; kind++) {
      const WmRefusedLink *refused = &candidates->refused[kind];
      if (!answers(question, kind)) continue;
      if (is_near && wm_squared_distance_on_plane(refused->end, question->to) > reach * reach) continue;
      if (!best || rank_refusal(refused) > rank_refusal(best)) best = refused;
    }
    if (!best) continue;
    *question->refused = *best;
    return;
  }
}

/* Finds a candidate that lands near the second point, where no link is wide enough.
 * out        *refused, if there is one */
static bool refuse_narrow(const Question *question, const WmWalk *walk,
                          const WmPositionCandidates *candidates) {
  const WmLinkGenerator *generator = question->generator;
  const WmLinkLimits *limits = &generator->limits;
  const float reach = (limits->radius + END_CELLS) * limits->cell_size,
              slack = (limits->climb + 2) * limits->cell_height;
  for (int shape = 0; shape < WM_FLIGHT_SHAPES; shape++) {
    for (int32_t i = 0; i < candidates->counts[shape]; i++) {
      const WmLinkCandidate *candidate = &candidates->items[shape][i];
      int kind = 0;
      while (kind < WM_SEGMENT_LINK_KINDS && !((candidate->kinds >> kind & 1) && answers(question, kind)))
        kind++;
      const float length = 0.5f * (float)candidate->step * limits->cell_size;
      const float end[3] = {question->point[0] + walk->outward[0] * length,
                            generator->bake.bounds_min[1] + candidate->heights[1] * limits->cell_height,
                            question->point[2] + walk->outward[1] * length};
      if (kind == WM_SEGMENT_LINK_KINDS || !(fabsf(end[1] - question->to[1]) <= slack)) continue;
      if (wm_squared_distance_on_plane(end, question->to) > reach * reach) continue;
      WmRefusedLink *refused = question->refused;
      *refused = (WmRefusedLink){.reason = WM_LINK_TOO_NARROW,
                                 .kind = (uint8_t)kind,
                                 .limit = limits->min_width * limits->cell_size};
      copy_point(refused->start, question->point);
      copy_point(refused->end, end);
      copy_point(refused->place, question->point);
      return true;
    }
  }
  return false;
}

/* Compares the way from the position to the second point with the limits of all kinds. */
static bool refuse_way(const Question *question, const WmWalk *walk, int32_t landing) {
  const WmLinkLimits *limits = &question->generator->limits;
  if (landing >= 0) {
    const WmLandingSample *sample = &walk->samples[landing];
    return refuse_by_limits(question, walk->outward, 0.5f * (float)sample->step, sample->floor - walk->floor);
  }
  /* No ground on the line comes near it: the least that a link would have to be. */
  const float away = sqrtf(wm_squared_distance_on_plane(question->point, question->to)) / limits->cell_size;
  return refuse_by_limits(question, walk->outward, fmaxf(away - limits->radius - END_CELLS, 0),
                          (question->to[1] - question->point[1]) / limits->cell_height);
}

/* Explains the position. Uses scratch memory of the caller's mark. */
static WmStatus explain_position(const Question *question) {
  WmLinkGenerator *generator = question->generator;
  const WmLinkLimits own = generator->limits;
  WmAirWindow window;
  WmWalk walk;
  WmPositionCandidates *candidates = wm_scratch_array(generator->context, 1, sizeof *candidates);
  if (!candidates) return WM_ERROR_OUT_OF_MEMORY;
  generator->limits = widen_limits(question);
  WmStatus status = wm_walk_start(generator->context, &generator->limits, &walk);
  if (!status)
    status = wm_air_window_start(generator, question->mesh, question->place[0], question->place[1], &window);
  if (!status) wm_walk_follow(&window, &question->border, question->point, true, &walk);
  generator->limits = own;
  if (status || window.status) return status ? status : window.status;
  if (refuse_way(question, &walk, find_landing(question, &walk))) return WM_OK;
  wm_walk_follow(&window, &question->border, question->point, true, &walk);
  wm_find_candidates(&window, &walk, true, candidates);
  if (!refuse_narrow(question, &walk, candidates)) choose_refusal(question, candidates);
  return window.status;
}

/* The places around the first point, clamped to the grid. */
static void find_places(Question *question) {
  const WmLinkGenerator *generator = question->generator;
  const int32_t count[2] = {generator->voxels.tile_count_x, generator->voxels.tile_count_z};
  const int32_t tile[2] = {generator->tile_width, generator->tile_depth};
  for (int axis = 0; axis < 2; axis++) {
    const float at = question->from[2 * axis] - generator->bake.bounds_min[2 * axis];
    const float side = (float)tile[axis] * generator->bake.cell_size, most = (float)(count[axis] - 1);
    const float low = (at - question->reach) / side, high = (at + question->reach) / side;
    question->first[axis] = low > 0 ? (int32_t)(low < most ? low : most) : 0;
    question->last[axis] = high > 0 ? (int32_t)(high < most ? high : most) : 0;
  }
}

/* True if the limits of climbs lead up from one point to another. */
static bool can_climb(const WmLinkLimits *limits, const float from[3], const float to[3]) {
  WmRefusedLink refused;
  const float length = sqrtf(wm_squared_distance_on_plane(from, to)) / limits->cell_size,
              up = (to[1] - from[1]) / limits->cell_height;
  if (up <= limits->climb) return false;
  find_excess(limits, WM_SEGMENT_LINK_CLIMB, length, up, &refused);
  return refused.reason == WM_LINK_MADE;
}

WmStatus wm_link_generator_explain(WmLinkGenerator *generator, const WmMesh *mesh, const float from[3],
                                   const float to[3], WmRefusedLink *refused) {
  Question question = {.generator = generator,
                       .mesh = mesh,
                       .from = from,
                       .to = to,
                       .reach = (generator->limits.radius + NEAR_CELLS) * generator->bake.cell_size,
                       .refused = refused};
  *refused = (WmRefusedLink){.reason = WM_LINK_NO_BORDER};
  copy_point(refused->start, from);
  copy_point(refused->end, to);
  copy_point(refused->place, from);
  find_places(&question);
  bool found;
  WmRefusedLink removed;
  const WmRefusedLink none = *refused;
  WmStatus status = find_link(&question, &found, &removed);
  if (status || found) return status;
  *refused = removed.reason == WM_LINK_MADE ? none : removed;
  if (removed.reason != WM_LINK_MADE) return WM_OK;
  /* Climbs are found at their upper ends. */
  if (generator->config.kinds[WM_SEGMENT_LINK_CLIMB].is_on && can_climb(&generator->limits, from, to)) {
    question.from = to;
    question.to = from;
    question.is_climb = true;
    find_places(&question);
  }
  status = find_position(&question);
  if (status || question.best == INFINITY) return status;
  const WmScratchMark mark = wm_scratch_mark(generator->context);
  generator->run_count++;
  status = explain_position(&question);
  wm_scratch_rewind(generator->context, mark);
  wm_air_tiles_trim(generator);
  return status;
}
