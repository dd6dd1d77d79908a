/* Anticipated turns: an agent with anticipate_turns turns before its next corner, in an arc on the outer side
 * of its path, so that it reaches the corner in the direction of the next leg. It can't cut corners: the mesh
 * ends there.
 *
 * It walks towards a point behind the corner as seen from the next leg. That point approaches the corner as
 * the agent does, so that both directions are equal where the path turns. */
#include "crowd/crowd_internal.h"
#include "query/local/ray_walk.h"

/* The radius of the circle on which the maximum acceleration keeps the agent at a speed; at most
 * WM_CROWD_ARC_WIDEST radii. */
static float find_width(const WmAgentParameters *parameters, float speed) {
  const float most = WM_CROWD_ARC_WIDEST * parameters->radius,
              width = speed * speed / parameters->max_acceleration;
  return width < most ? width : most; /* also if the acceleration is 0 */
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
  float width = find_width(&record->parameters, record->parameters.max_speed);
  width = width < next ? width : next;
  const float begun = 2 - 2 * left / (WM_CROWD_ARC_BEGIN * width); /* above 0 once the turn has begun */
  if (!(begun > 0)) return;
  const float steepest = WM_CROWD_ARC_STEEPEST * left;
  width = begun < 1 ? width * begun : width;
  width = width < steepest ? width : steepest;
  for (int attempt = 0; attempt < WM_CROWD_ARC_ATTEMPTS && width > WM_CROWD_ARC_NO_WIDTH; attempt++) {
    const float aim[3] = {corner[0] - next_x / next * width, corner[1], corner[2] - next_z / next * width};
    if (!is_free(crowd, record, position, aim)) {
      width *= 0.5f;
      continue;
    }
    const float to_x = aim[0] - position[0], to_z = aim[2] - position[2];
    const float length = sqrtf(to_x * to_x + to_z * to_z);
    if (!(length > WM_CROWD_ARC_NO_WIDTH)) return;
    record->direction[0] = to_x / length;
    record->direction[1] = to_z / length;
    record->anticipates = true;
    return;
  }
}

/* Turns as acceleration allows, or as the widest arc needs if that is more; the speed changes independently.
 * An agent that would circle around its aim slows down until its arc leads there. */
bool wm_crowd_turn_in_arc(const WmAgentRecord *record, float seconds, float velocity[2]) {
  const float x = velocity[0], z = velocity[1], *chosen = record->chosen;
  const float speed = sqrtf(x * x + z * z);
  const float wanted = sqrtf(chosen[0] * chosen[0] + chosen[1] * chosen[1]);
  const float along = x * chosen[0] + z * chosen[1], aside = x * chosen[1] - z * chosen[0];
  /* An agent that must turn back brakes; the square of the slowest speeds is 0. */
  if (speed < WM_CROWD_ARC_NO_SPEED || !(along > 0) || !(wanted > 0)) return false;
  const float turn = speed / find_width(&record->parameters, speed) * seconds;
  float direction[2] = {chosen[0] / wanted, chosen[1] / wanted};
  if (fabsf(aside) > turn * along) {
    const float to = aside < 0 ? -turn : turn, length = speed * sqrtf(1 + to * to);
    direction[0] = (x - z * to) / length;
    direction[1] = (z + x * to) / length;
  }
  const float most = record->parameters.max_acceleration, step = most * seconds;
  const float sine = fabsf(aside) / (speed * wanted), fastest = sqrtf(most * record->last_leg / (2 * sine));
  const float change = (fastest < wanted ? fastest : wanted) - speed;
  const float now = speed + (change > step ? step : change < -step ? -step : change);
  velocity[0] = direction[0] * now;
  velocity[1] = direction[1] * now;
  return true;
}
