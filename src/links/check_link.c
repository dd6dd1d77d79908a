/* Whether a body passes along a link. See links.h.
 *
 * The links of a generator pass by construction. Links made by hand lead where somebody put them: their trajectory is followed at
 * positions at most a cell apart across the link, both sides included, as those of generated links are. */
#include <math.h>
#include <string.h>

#include "base/vector.h"
#include "links/links_internal.h"
#include "mesh/locate.h"

/* The check of a link. */
typedef struct LinkCheck {
  WmLinkGenerator *generator;
  const WmSegmentLink *link;
  WmAirWindow window;
  WmRefusedLink *refused;
} LinkCheck;

/* The ends of the trajectory at a position across the link: a ledge is left at its upper end. */
static void find_ends(const WmSegmentLink *link, float across, float ends[2][3]) {
  const bool is_ledge = link->kind == WM_SEGMENT_LINK_DROP || link->kind == WM_SEGMENT_LINK_CLIMB;
  wm_interpolate(link->start[0], link->start[1], across, ends[0]);
  wm_interpolate(link->end[0], link->end[1], across, ends[1]);
  if (!is_ledge || ends[0][1] >= ends[1][1]) return;
  float lower[3];
  memcpy(lower, ends[0], sizeof lower);
  memcpy(ends[0], ends[1], sizeof lower);
  memcpy(ends[1], lower, sizeof lower);
}

static WmFlight make_flight(const LinkCheck *check, float ends[2][3]) {
  const WmLinkLimits *limits = &check->generator->limits;
  const WmSegmentLink *link = check->link;
  const float x = ends[1][0] - ends[0][0], z = ends[1][2] - ends[0][2], length = sqrtf(x * x + z * z);
  WmFlight flight = {.shape = link->kind == WM_SEGMENT_LINK_JUMP    ? WM_FLIGHT_JUMP
                              : link->kind == WM_SEGMENT_LINK_VAULT ? WM_FLIGHT_VAULT
                                                                    : WM_FLIGHT_LEDGE,
                     .outward = {1, 0},
                     .length = length / limits->cell_size,
                     .peak = link->peak / limits->cell_height};
  if (length > 0) {
    flight.outward[0] = x / length;
    flight.outward[1] = z / length;
  }
  for (int end = 0; end < 2; end++) {
    flight.start[end] = (ends[0][2 * end] - check->window.origin[end]) / limits->cell_size;
    flight.heights[end] = (ends[end][1] - check->generator->bake.bounds_min[1]) / limits->cell_height;
  }
  return flight;
}

/* Notes what stops the body.
 * returns    false */
static bool refuse(const LinkCheck *check, const float ends[2][3], const WmFlight *flight,
                   const WmObstruction *stop) {
  const WmLinkLimits *limits = &check->generator->limits;
  WmRefusedLink *refused = check->refused;
  refused->reason = stop->is_missing                                    ? WM_LINK_TILE_MISSING
                    : stop->along > flight->length - limits->radius - 1 ? WM_LINK_NO_ROOM
                                                                        : WM_LINK_BLOCKED;
  refused->value = stop->headroom * limits->cell_height;
  refused->limit = (stop->high - stop->low) * limits->cell_height;
  memcpy(refused->start, ends[0], sizeof refused->start);
  memcpy(refused->end, ends[1], sizeof refused->end);
  refused->place[0] = check->window.origin[0] + stop->point[0] * limits->cell_size;
  refused->place[1] = check->generator->bake.bounds_min[1] + stop->low * limits->cell_height;
  refused->place[2] = check->window.origin[1] + stop->point[1] * limits->cell_size;
  return false;
}

/* True if both ends of a flight lie in the window: those of a link far outside of the grid don't. */
static bool is_inside(const LinkCheck *check, const WmFlight *flight) {
  bool is_in = true;
  for (int axis = 0; axis < 2; axis++) {
    const float cells = (float)check->window.cells[axis];
    const float end = flight->start[axis] + flight->length * flight->outward[axis];
    is_in &= flight->start[axis] >= 0 && flight->start[axis] <= cells && end >= 0 && end <= cells;
  }
  return is_in;
}

/* Sweeps the body along the link at a position across it. */
static bool check_position(LinkCheck *check, float across) {
  float ends[2][3];
  find_ends(check->link, across, ends);
  const WmFlight flight = make_flight(check, ends);
  WmObstruction stop = {
      .is_missing = true, .point = {flight.start[0], flight.start[1]}, .low = flight.heights[0]};
  if (!is_inside(check, &flight)) return refuse(check, (const float(*)[3])ends, &flight, &stop);
  if (wm_flight_sweep(&check->window, &flight, &stop)) return true;
  return refuse(check, (const float(*)[3])ends, &flight, &stop);
}

/* Sweeps the body at all positions. In scratch memory of the caller's mark.
 * in         length: of the longest trajectory on x and z, cells; width: of the wider end, cells */
static WmStatus check_positions(LinkCheck *check, const WmMesh *mesh, float length, float width) {
  WmLinkGenerator *generator = check->generator;
  const WmLinkLimits own = generator->limits;
  int32_t place[2];
  for (int axis = 0; axis < 2; axis++) {
    const int32_t last = (axis ? generator->voxels.tile_count_z : generator->voxels.tile_count_x) - 1;
    const int32_t at = wm_mesh_place(mesh, 2 * axis, check->link->start[0][2 * axis]);
    place[axis] = at < 0 ? 0 : at > last ? last : at;
  }
  const int32_t steps = (int32_t)ceilf(width);
  generator->run_count++;
  /* The window must reach both ends of both sides. */
  generator->limits.farthest = fmaxf(own.farthest, length + (float)steps);
  const WmStatus status = wm_air_window_start(generator, mesh, place[0], place[1], &check->window);
  generator->limits = own;
  if (status) return status;
  for (int32_t i = 0; i <= steps; i++) {
    const float across = steps > 0 ? (float)i / (float)steps : 0;
    if (!check_position(check, across)) break;
  }
  return check->window.status;
}

WmStatus wm_link_generator_check(WmLinkGenerator *generator, const WmMesh *mesh, const WmSegmentLink *link,
                                 WmRefusedLink *refused) {
  const float most = wm_link_farthest_cells(&generator->bake), cell = generator->bake.cell_size;
  const float length = fmaxf(sqrtf(wm_squared_distance_on_plane(link->start[0], link->end[0])),
                             sqrtf(wm_squared_distance_on_plane(link->start[1], link->end[1])));
  *refused = (WmRefusedLink){.reason = WM_LINK_MADE, .kind = link->kind};
  memcpy(refused->start, link->start[0], sizeof refused->start);
  memcpy(refused->end, link->end[0], sizeof refused->end);
  memcpy(refused->place, link->end[0], sizeof refused->place);
  const WmStatus valid = wm_link_check_mesh(generator, mesh);
  if (valid) return valid;
  const float width = fmaxf(sqrtf(wm_squared_distance_on_plane(link->start[0], link->start[1])),
                            sqrtf(wm_squared_distance_on_plane(link->end[0], link->end[1])));
  if (!(length <= most * cell && width <= most * cell)) {
    refused->reason = WM_LINK_TOO_FAR;
    refused->value = fmaxf(length, width);
    refused->limit = most * cell;
    return WM_OK;
  }
  const WmScratchMark mark = wm_scratch_mark(generator->context);
  LinkCheck check = {.generator = generator, .link = link, .refused = refused};
  const WmStatus status = check_positions(&check, mesh, length / cell, width / cell);
  wm_scratch_rewind(generator->context, mark);
  wm_air_tiles_trim(generator);
  return status;
}
