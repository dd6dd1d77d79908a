/* Anticipated turns: an agent that is told to turns before its next corner, in an arc on the outer side of
 * its line, so that it comes to the corner in the direction in which it goes on. It cannot cut corners: they
 * are where the mesh ends.
 *
 * It walks towards a point behind the corner as seen from the next leg, which comes nearer to the corner as
 * the agent does: bearings of both meet where the line turns. */
#include "crowd/crowd_internal.h"
#include "query/raycast.h"

/* It begins so many widths of its arc before the corner, little by little over half of that. */
#define BEGIN 6.0f
/* The arc is at most this part of the way to the corner wide: else it would lead around it. */
#define STEEPEST 0.35f
/* Narrower arcs are none, world units. */
#define NO_WIDTH 1e-3f
/* An arc that a wall is in the way of is tried with half the width, so many times. */
enum { ATTEMPTS = 3 };

/* The radius of the circle on which its acceleration keeps it at full speed. */
static float find_width(const WmAgentParameters *parameters) {
  const float most = WM_WIDEST_ARC * parameters->radius,
              squared = parameters->max_speed * parameters->max_speed;
  const float width = squared / parameters->max_acceleration;
  return width < most ? width : most; /* also without any acceleration */
}

static bool is_free(const WmCrowd *crowd, const WmAgentRecord *record, const float from[3],
                    const float to[3]) {
  WmRayWalk ray = {.context = crowd->context,
                   .mesh = wm_agent_mesh(crowd, record)->mesh,
                   .filter = wm_agent_filter(crowd, record)};
  return wm_ray_walk(&ray, record->polygon, from, to) == WM_OK && !ray.hit && !ray.outside;
}

void wm_crowd_anticipate(WmCrowd *crowd, size_t index) {
  WmAgentRecord *record = &crowd->records[index];
  record->anticipates = false;
  if (!record->parameters.anticipate_turns || record->corner_count < 2) return;
  const float *position = crowd->positions + 3 * index;
  const float *corner = record->corners[0].point, *behind = record->corners[1].point;
  const float x = corner[0] - position[0], z = corner[2] - position[2], left = sqrtf(x * x + z * z);
  const float next_x = behind[0] - corner[0], next_z = behind[2] - corner[2];
  const float next = sqrtf(next_x * next_x + next_z * next_z);
  float width = find_width(&record->parameters);
  width = width < next ? width : next;
  const float begun = 2 - 2 * left / (BEGIN * width); /* above 0 once it has begun */
  if (!(begun > 0)) return;
  const float steepest = STEEPEST * left;
  width = begun < 1 ? width * begun : width;
  width = width < steepest ? width : steepest;
  for (int attempt = 0; attempt < ATTEMPTS && width > NO_WIDTH; attempt++, width *= 0.5f) {
    const float aim[3] = {corner[0] - next_x / next * width, corner[1], corner[2] - next_z / next * width};
    if (!is_free(crowd, record, position, aim)) continue;
    const float to_x = aim[0] - position[0], to_z = aim[2] - position[2];
    const float length = sqrtf(to_x * to_x + to_z * to_z);
    if (!(length > NO_WIDTH)) return;
    record->direction[0] = to_x / length;
    record->direction[1] = to_z / length;
    record->anticipates = true;
    return;
  }
}
