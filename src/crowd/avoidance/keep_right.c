/* Counter-flows: agents that are slowed down while many come towards them keep to their right, all of them,
 * so that streams pass in lanes and crowds that meet from all sides go around in a circle.
 *
 * What avoidance knows are the nearest few within a second or so; where hundreds meet that is too late. So
 * every agent looks along its line now and then, over the heads of its neighbours, and counts who comes. The
 * fuller it is there, and the more it has been hindered of late, the more it bears to the right.
 *
 * Source: A. Golas, R. Narain, S. Curtis, M. C. Lin, "Hybrid long-range collision avoidance for crowd
 * simulation", 2013, for looking far ahead in the cells of a grid. Ours differs: there is one side that all
 * choose, and so many cells are enough as lie on the line. */
#include "crowd/crowd_internal.h"

/* After avoidance: how much it has changed what the agent would like. */
void wm_crowd_measure_slowdown(WmAgentRecord *record) {
  const float x = record->chosen[0] - record->preferred[0], z = record->chosen[1] - record->preferred[1];
  const float speed = record->parameters.max_speed;
  const float now = speed > 0 ? sqrtf(x * x + z * z) / speed : 0;
  record->slowdown += (now - record->slowdown) * WM_CROWD_SLOWDOWN_MEMORY;
}

/* Before avoidance: turns what the agent would like, on its way to a place. */
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
