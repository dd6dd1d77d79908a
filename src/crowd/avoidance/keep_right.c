/* Counter-flows: slowed agents that many others come towards turn right, all of them, so that streams pass in
 * lanes, and crowds that meet from all sides go around in a circle.
 *
 * Avoidance knows the nearest few bodies within a second or so; where hundreds meet, that is too late. So
 * every agent counts now and then the agents that come towards it along its path, beyond its neighbours. The
 * more there are, and the more avoidance slowed the agent recently, the more it turns right.
 *
 * Source: A. Golas, R. Narain, S. Curtis, M. C. Lin, "Hybrid long-range collision avoidance for crowd
 * simulation", 2013, for looking far ahead in the cells of a grid. Ours differs: all agents choose the same
 * side, and only the cells on the path are visited. */
#include "crowd/crowd_internal.h"

/* After avoidance: updates the mean fraction of the speed that avoidance changed. */
void wm_crowd_measure_slowdown(WmAgentRecord *record) {
  const float x = record->chosen[0] - record->preferred[0], z = record->chosen[1] - record->preferred[1];
  const float speed = record->parameters.max_speed;
  /* The quotient is unlimited at nearly no maxSpeed. */
  const float now = speed > 0 ? fminf(sqrtf(x * x + z * z) / speed, WM_FARTHEST) : 0;
  record->slowdown += (now - record->slowdown) * WM_CROWD_SLOWDOWN_MEMORY;
}

/* Before avoidance: turns the desired velocity of an agent with a target to the right. */
void wm_crowd_keep_right(WmCrowd *crowd, size_t body) {
  const WmBody *own = wm_crowd_bodies(crowd) + body;
  WmAgentRecord *record = &crowd->records[own->index];
  if ((crowd->steps + own->number) % WM_CROWD_ONCOMING_PERIOD == 0) {
    const uint32_t count = wm_crowd_count_oncoming(crowd, body, WM_CROWD_ONCOMING_SIGHT);
    record->oncoming = (uint8_t)(count < WM_CROWD_ONCOMING_MANY ? count : WM_CROWD_ONCOMING_MANY);
  }
  if (record->oncoming == 0 || !(record->slowdown > 0)) return;
  const float hindered =
      record->slowdown < WM_CROWD_FULL_SLOWDOWN ? record->slowdown / WM_CROWD_FULL_SLOWDOWN : 1;
  const float sine =
      WM_CROWD_KEEP_RIGHT_SINE * hindered * (float)record->oncoming / (float)WM_CROWD_ONCOMING_MANY;
  const float cosine = sqrtf(1 - sine * sine);
  const float x = record->preferred[0], z = record->preferred[1];
  record->preferred[0] = x * cosine + z * sine;
  record->preferred[1] = z * cosine - x * sine;
}
