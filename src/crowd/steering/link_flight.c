/* Agents on segment links: the trajectory of wm_segment_link_point over time.
 *
 * A flight has four parts, each with a time of its own: the way to where the agent takes off, and the three parts of the
 * trajectory. A step goes on in the next part where one ends within it, so that positions don't depend on the length of steps.
 * All that a flight needs is in the agent's record. */
#include "crowd/crowd_internal.h"
#include "mesh/locate.h"

/* The trajectory of one agent: a link of no width, in its own direction, and the lengths of its parts in the direction of
 * travel. */
typedef struct Trajectory {
  WmSegmentLink link;
  float lengths[WM_FLIGHT_PARTS];
  float total; /* without the approach */
} Trajectory;

static Trajectory find_trajectory(const WmAgentRecord *record) {
  const WmLinkFlight *flight = &record->flight;
  const float *start = flight->is_reversed ? record->connection_end : record->connection_start;
  const float *end = flight->is_reversed ? record->connection_start : record->connection_end;
  Trajectory line = {.link = {.kind = flight->kind, .peak = flight->peak}};
  for (int side = 0; side < 2; side++) {
    memcpy(line.link.start[side], start, 3 * sizeof *start);
    memcpy(line.link.end[side], end, 3 * sizeof *end);
  }
  const float top = flight->kind == WM_SEGMENT_LINK_DROP    ? start[1]
                    : flight->kind == WM_SEGMENT_LINK_CLIMB ? end[1]
                                                            : fmaxf(start[1], end[1]) + flight->peak;
  line.lengths[WM_FLIGHT_APPROACH] =
      sqrtf(wm_squared_distance_on_plane(flight->from, record->connection_start));
  line.lengths[WM_FLIGHT_FIRST] = fabsf(top - record->connection_start[1]);
  line.lengths[WM_FLIGHT_LEVEL] = sqrtf(wm_squared_distance_on_plane(start, end));
  line.lengths[WM_FLIGHT_LAST] = fabsf(top - record->connection_end[1]);
  line.total = line.lengths[WM_FLIGHT_FIRST] + line.lengths[WM_FLIGHT_LEVEL] + line.lengths[WM_FLIGHT_LAST];
  return line;
}

/* ---- Time --------------------------------------------------------------------------------------------- */

static bool falls(const WmLinkFlight *flight) {
  return flight->kind == WM_SEGMENT_LINK_DROP && !flight->is_reversed;
}

/* The time of a jump: of its rise and its fall. */
static float find_jump_time(const WmCrowd *crowd, const WmAgentRecord *record, const Trajectory *line) {
  const float factor = 2 / crowd->options.gravity;
  const float arc =
      sqrtf(factor * line->lengths[WM_FLIGHT_FIRST]) + sqrtf(factor * line->lengths[WM_FLIGHT_LAST]);
  const float least = line->lengths[WM_FLIGHT_LEVEL] / (WM_CROWD_JUMP_PACE * record->parameters.max_speed);
  return arc < least ? least : arc;
}

/* The time of a part: infinite at speed 0. */
static float find_time(const WmCrowd *crowd, const WmAgentRecord *record, const Trajectory *line,
                       WmFlightPart part) {
  const WmAgentParameters *parameters = &record->parameters;
  const bool is_jump = record->flight.kind == WM_SEGMENT_LINK_JUMP && part != WM_FLIGHT_APPROACH;
  if (is_jump && part != WM_FLIGHT_LEVEL) return 0;
  const float length = line->lengths[part];
  if (is_jump) return line->total > 0 ? find_jump_time(crowd, record, line) : 0;
  if (!(length > 0)) return 0;
  if (part == WM_FLIGHT_LAST && falls(&record->flight)) return sqrtf(2 * length / crowd->options.gravity);
  const float climb_speed =
      parameters->climb_speed > 0 ? parameters->climb_speed : WM_CROWD_CLIMB_PACE * parameters->max_speed;
  return length / (part == WM_FLIGHT_FIRST || part == WM_FLIGHT_LAST ? climb_speed : parameters->max_speed);
}

/* Lets time pass. Returns true if the flight has ended. */
static bool pass_time(const WmCrowd *crowd, WmAgentRecord *record, const Trajectory *line, float seconds) {
  WmLinkFlight *flight = &record->flight;
  while (flight->part < WM_FLIGHT_PARTS) {
    const float time = find_time(crowd, record, line, (WmFlightPart)flight->part);
    const float left = time > 0 ? (1 - flight->part_progress) * time : 0;
    if (seconds < left) {
      flight->part_progress += seconds / time;
      if (flight->part_progress < 1) return false;
    }
    seconds = seconds > left ? seconds - left : 0;
    flight->part++;
    flight->part_progress = 0;
  }
  return true;
}

/* ---- Place -------------------------------------------------------------------------------------------- */

/* The part of a length that is travelled, by the part of its time that has passed; and the reverse. */
static float find_travelled(const WmLinkFlight *flight, float time) {
  return flight->part == WM_FLIGHT_LAST && falls(flight) ? time * time : time;
}
static float find_passed(const WmLinkFlight *flight, float travelled) {
  return flight->part == WM_FLIGHT_LAST && falls(flight) ? sqrtf(travelled) : travelled;
}

/* `along` of the trajectory, in the direction of travel. */
static float find_along(const WmLinkFlight *flight, const Trajectory *line) {
  if (flight->part == WM_FLIGHT_APPROACH) return 0;
  if (flight->kind == WM_SEGMENT_LINK_JUMP) return flight->part_progress;
  float travelled = line->lengths[flight->part] * find_travelled(flight, flight->part_progress);
  for (int part = WM_FLIGHT_FIRST; part < flight->part; part++) travelled += line->lengths[part];
  const float along = line->total > 0 ? travelled / line->total : 1;
  return along < 1 ? along : 1;
}

static void find_point(const WmAgentRecord *record, const Trajectory *line, float point[3]) {
  const WmLinkFlight *flight = &record->flight;
  if (flight->part == WM_FLIGHT_APPROACH) {
    wm_interpolate(flight->from, record->connection_start, flight->part_progress, point);
  } else {
    wm_segment_link_point(&line->link, 0, flight->is_reversed ? 1 - record->progress : record->progress,
                          point);
  }
}

float wm_crowd_find_flown(const WmCrowd *crowd, size_t index) {
  const WmAgentRecord *record = &crowd->records[index];
  if (record->flight.part == WM_FLIGHT_APPROACH)
    return -sqrtf(wm_squared_distance_on_plane(crowd->positions + 3 * index, record->connection_start));
  const Trajectory line = find_trajectory(record);
  const bool is_jump = record->flight.kind == WM_SEGMENT_LINK_JUMP;
  return record->progress * (is_jump ? line.lengths[WM_FLIGHT_LEVEL] : line.total);
}

void wm_crowd_prepare_flight(WmCrowd *crowd, size_t index, const WmTakeOff *take_off) {
  WmAgentRecord *record = &crowd->records[index];
  const WmLinkCrossing *crossing = &take_off->crossing;
  wm_link_crossing_point(crossing, 0, take_off->across, record->connection_start);
  wm_link_crossing_point(crossing, 1, take_off->across, record->connection_end);
  record->progress = 0;
  record->flight = (WmLinkFlight){.is_on_link = true,
                                  .is_reversed = crossing->entry == 1,
                                  .kind = crossing->link->kind,
                                  .part = WM_FLIGHT_APPROACH,
                                  .across = take_off->across,
                                  .peak = crossing->link->peak,
                                  .landing = take_off->landing};
  memcpy(record->flight.from, crowd->positions + 3 * index, sizeof record->flight.from);
}

bool wm_crowd_advance_flight(WmCrowd *crowd, size_t index, float seconds) {
  WmAgentRecord *record = &crowd->records[index];
  float *position = crowd->positions + 3 * index, *velocity = crowd->velocities + 3 * index;
  const Trajectory line = find_trajectory(record);
  if (pass_time(crowd, record, &line, seconds)) return true;
  record->progress = find_along(&record->flight, &line);
  float point[3];
  find_point(record, &line, point);
  for (int axis = 0; axis < 3; axis++) {
    velocity[axis] = wm_crowd_speed(point[axis] - position[axis], seconds);
    position[axis] = point[axis];
  }
  return false;
}

void wm_crowd_place_flight(WmCrowd *crowd, size_t index, float progress) {
  WmAgentRecord *record = &crowd->records[index];
  WmLinkFlight *flight = &record->flight;
  const Trajectory line = find_trajectory(record);
  record->progress = progress;
  flight->part = flight->kind == WM_SEGMENT_LINK_JUMP ? WM_FLIGHT_LEVEL : WM_FLIGHT_FIRST;
  flight->part_progress = progress;
  if (flight->kind != WM_SEGMENT_LINK_JUMP) {
    float left = progress * line.total;
    for (; flight->part < WM_FLIGHT_LAST && left > line.lengths[flight->part]; flight->part++)
      left -= line.lengths[flight->part];
    const float length = line.lengths[flight->part];
    flight->part_progress = length > 0 ? find_passed(flight, left < length ? left / length : 1) : 0;
  }
  find_point(record, &line, crowd->positions + 3 * index);
}

void wm_crowd_find_landing_velocity(const WmCrowd *crowd, size_t index, float velocity[3]) {
  const WmAgentRecord *record = &crowd->records[index];
  const Trajectory line = find_trajectory(record);
  const float length = line.lengths[WM_FLIGHT_LEVEL], most = record->parameters.max_speed;
  const float time = find_time(crowd, record, &line, WM_FLIGHT_LEVEL);
  const float speed = length < most * time ? length / time : most;
  for (int axis = 0; axis < 3; axis++) {
    const float way = record->connection_end[axis] - record->connection_start[axis];
    velocity[axis] = axis != 1 && length > 0 ? way / length * speed : 0;
  }
}
