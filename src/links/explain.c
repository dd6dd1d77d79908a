/* Why no link leads from a point to another. See links.h.
 *
 * First the links themselves: one that leads from near the first point to near the second one, or one that was removed. Else the
 * position of a border nearest to the first point that faces the second one answers, or of a climb the nearest ledge: its line is
 * followed as far as the second point (explain_way.c). If that lies on the ground of a landing, behind its near side, links to the
 * near side answer, too. */
#include <math.h>
#include <string.h>

#include "base/vector.h"
#include "links/links_internal.h"
#include "mesh/locate.h"

/* Cells, besides the radius, between a point and a border, or a link, near it. */
#define NEAR_CELLS 6.0f

/* Cosine of the angle between a border's outward direction and the way to the second point, at most 45 degrees. */
#define FACING 0.7f

/* The question. */
typedef struct Question {
  WmLinkGenerator *generator;
  const WmMesh *mesh;
  const float *from, *to;
  float reach; /* world units around `from` */
  WmRefusedLink *refused;
} Question;

/* The places around a point, clamped to the grid: first to last on x and z. */
typedef struct Places {
  int32_t first[2], last[2];
} Places;

static void copy_point(float to[3], const float from[3]) { memcpy(to, from, 3 * sizeof *to); }

static Places find_places(const Question *question, const float around[3], float reach) {
  const WmLinkGenerator *generator = question->generator;
  const int32_t count[2] = {generator->voxels.tile_count_x, generator->voxels.tile_count_z};
  const int32_t tile[2] = {generator->tile_width, generator->tile_depth};
  Places places;
  for (int axis = 0; axis < 2; axis++) {
    const float at = around[2 * axis] - generator->bake.bounds_min[2 * axis];
    const float side = (float)tile[axis] * generator->bake.cell_size, most = (float)(count[axis] - 1);
    const float low = (at - reach) / side, high = (at + reach) / side;
    places.first[axis] = low > 0 ? (int32_t)(low < most ? low : most) : 0;
    places.last[axis] = high > 0 ? (int32_t)(high < most ? high : most) : 0;
  }
  return places;
}

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
 * out        *is_answered: *refused is a link near both points; or says why one was removed */
static WmStatus find_answer(const Question *question, bool *is_answered) {
  WmLinkGenerator *generator = question->generator;
  const float min_saving = generator->config.min_saving;
  const Places places = find_places(question, question->from, question->reach);
  const WmRefusedLink before = *question->refused;
  WmRefusedLink removed = {.reason = WM_LINK_MADE};
  bool found = false;
  for (int32_t z = places.first[1]; z <= places.last[1] && !found; z++) {
    for (int32_t x = places.first[0]; x <= places.last[0] && !found; x++) {
      WmLinkResult result;
      generator->config.min_saving = 0; /* it is checked for links near both points only */
      WmStatus status = wm_link_generator_run(generator, question->mesh, x, z, true, &result);
      generator->config.min_saving = min_saving;
      if (status) return status;
      status = search_result(question, &result, &found, &removed);
      wm_link_result_free(generator->context, &result);
      if (status) return status;
    }
  }
  if (!found) *question->refused = removed.reason == WM_LINK_MADE ? before : removed;
  *is_answered = found || removed.reason != WM_LINK_MADE;
  return WM_OK;
}

/* ---- The position -------------------------------------------------------------------------------------- */

/* How a position is chosen. */
typedef enum Choice {
  NEAREST, /* to the first point */
  ALIGNED, /* its line leads nearest to the second one */
  LEDGE    /* of a climb: at the height of the second point, facing the first one, nearest to it */
} Choice;

/* The best position of the borders that were looked at. */
typedef struct Position {
  Choice choice;
  float reach; /* world units around the first point */
  float best;  /* squared distance; INFINITY: none */
  WmLinkWay way;
} Position;

/* Moves a point of a border towards where its line leads to the second point, as far as the reach allows.
 * in/out     *along: 0 to 1 */
static void align(const Question *question, const WmBorder *border, float reach, float *along) {
  float to_along, point[3];
  wm_distance_to_segment(question->to, border->first, border->second, &to_along);
  const float from_along = *along;
  for (int quarters = 4; quarters > 0; quarters--) {
    *along = from_along + 0.25f * (float)quarters * (to_along - from_along);
    wm_interpolate(border->first, border->second, *along, point);
    if (wm_squared_distance_on_plane(point, question->from) <= reach * reach) return;
  }
  *along = from_along;
}

/* Squared distance of a point to the line straight away from a border. */
static float distance_to_line(const WmBorder *border, const float from[3], const float point[3]) {
  const float x = point[0] - from[0], z = point[2] - from[2];
  const float beside = x * border->outward[1] - z * border->outward[0];
  return beside * beside;
}

/* Compares a border with the best one. */
static void consider_border(const Question *question, Position *position, const WmBorder *border, int32_t x,
                            int32_t z) {
  const WmLinkLimits *limits = &question->generator->limits;
  const float *target = position->choice == LEDGE ? question->from : question->to;
  float along, point[3];
  wm_distance_to_segment(question->from, border->first, border->second, &along);
  if (position->choice == ALIGNED) align(question, border, position->reach, &along);
  wm_interpolate(border->first, border->second, along, point);
  point[1] = wm_tile_height(border->tile, border->polygon, point);
  const float *start = position->choice == LEDGE ? point : question->from;
  const float way[2] = {target[0] - start[0], target[2] - start[2]};
  const float length = sqrtf(way[0] * way[0] + way[1] * way[1]);
  if (wm_dot(way, border->outward) < FACING * length) return;
  float distance = wm_squared_distance(point, question->from);
  if (position->choice == LEDGE) {
    if (fabsf(point[1] - question->to[1]) > (limits->climb + 2) * limits->cell_height) return;
    distance = wm_squared_distance_on_plane(point, question->from);
  }
  if (distance > position->reach * position->reach) return;
  if (position->choice == ALIGNED) distance = distance_to_line(border, point, question->to);
  if (!(distance < position->best)) return;
  position->best = distance;
  position->way.border = *border;
  copy_point(position->way.point, point);
  position->way.place[0] = x;
  position->way.place[1] = z;
}

/* Finds a position. out: *position; its best distance is INFINITY if there is none */
static WmStatus find_position(const Question *question, Choice choice, Position *position) {
  const WmLinkLimits *limits = &question->generator->limits;
  WmContext *context = question->generator->context;
  const bool is_ledge = choice == LEDGE;
  const float reach =
      question->reach + (is_ledge ? limits->ledge_distance * question->generator->bake.cell_size : 0);
  const Places places = find_places(question, question->from, reach);
  WmBuffer borders = {0};
  WmStatus status = WM_OK;
  *position = (Position){.choice = choice, .reach = reach, .best = INFINITY, .way = {.is_climb = is_ledge}};
  position->way.to = is_ledge ? question->from : question->to;
  for (int32_t z = places.first[1]; !status && z <= places.last[1]; z++) {
    for (int32_t x = places.first[0]; !status && x <= places.last[0]; x++) {
      const WmMeshTile *tile = NULL;
      size_t count = 0;
      while (!status && (tile = wm_mesh_next_layer(question->mesh, x, z, tile)) != NULL) {
        status = wm_find_borders(context, tile, question->generator->limits.cell_size, &borders, &count);
      }
      for (size_t i = 0; !status && i < count; i++)
        consider_border(question, position, (WmBorder *)borders.items + i, x, z);
    }
  }
  wm_block_free(context, borders.items);
  return status;
}

/* ---- The answer ---------------------------------------------------------------------------------------- */

/* Finds the ledge of a climb that leads to the ground of the second point, if climbs are as high. */
static WmStatus find_ledge(const Question *question, Position *position) {
  const WmLinkGenerator *generator = question->generator;
  const WmLinkLimits *limits = &generator->limits;
  *position = (Position){.best = INFINITY};
  const float up = (question->to[1] - question->from[1]) / limits->cell_height;
  if (!generator->config.kinds[WM_SEGMENT_LINK_CLIMB].is_on || up <= limits->climb ||
      up > limits->climb_height + limits->climb) {
    return WM_OK;
  }
  const WmStatus status = find_position(question, LEDGE, position);
  const float rise = (position->way.point[1] - question->from[1]) / limits->cell_height;
  if (!status && !(rise > limits->climb && rise <= limits->climb_height)) position->best = INFINITY;
  return status;
}

/* Finds the position that answers, and the landing on the ground of the second point.
 * out        *position, *landing; its number is negative if the line meets no such ground */
static WmStatus choose_position(const Question *question, Position *position, WmWayLanding *landing) {
  landing->number = -1;
  WmStatus status = find_ledge(question, position);
  if (!status && position->best == INFINITY) status = find_position(question, NEAREST, position);
  if (status || position->best == INFINITY) return status;
  status = wm_find_way_landing(question->generator, question->mesh, &position->way, landing);
  if (status || landing->number >= 0) return status;
  Position aligned;
  status = find_position(question, ALIGNED, &aligned);
  if (status || aligned.best == INFINITY) return status;
  status = wm_find_way_landing(question->generator, question->mesh, &aligned.way, landing);
  if (!status && landing->number >= 0) *position = aligned;
  return status;
}

/* Looks for a link to the near side of the ground on which the second point lies: from there agents walk.
 * out        *is_answered: *refused is one, or says why it was removed */
static WmStatus find_link_before(const Question *question, const Position *position,
                                 const WmWayLanding *landing, bool *is_answered) {
  Question near = *question;
  if (position->way.is_climb) {
    near.to = position->way.point;
  } else {
    if (landing->number < 0) return WM_OK;
    near.to = landing->point;
  }
  return find_answer(&near, is_answered);
}

WmStatus wm_link_generator_explain(WmLinkGenerator *generator, const WmMesh *mesh, const float from[3],
                                   const float to[3], WmRefusedLink *refused) {
  const Question question = {.generator = generator,
                             .mesh = mesh,
                             .from = from,
                             .to = to,
                             .reach = (generator->limits.radius + NEAR_CELLS) * generator->bake.cell_size,
                             .refused = refused};
  *refused = (WmRefusedLink){.reason = WM_LINK_NO_BORDER, .limit = question.reach};
  copy_point(refused->start, from);
  copy_point(refused->end, to);
  copy_point(refused->place, from);
  bool is_answered = false;
  WmStatus status = find_answer(&question, &is_answered);
  if (status || is_answered) return status;
  Position position;
  WmWayLanding landing;
  status = choose_position(&question, &position, &landing);
  if (status || position.best == INFINITY) return status;
  status = find_link_before(&question, &position, &landing, &is_answered);
  if (!status && !is_answered) status = wm_explain_way(generator, mesh, &position.way, refused);
  wm_air_tiles_trim(generator);
  return status;
}
