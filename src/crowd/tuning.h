/* Every tuned number of the crowd, in the order of the phases of a step.
 *
 * An entry says what the number changes, and its unit. `chosen`: how the value was found; "not derived" means
 * that no measurement is recorded. `seen in`: the scenario of bench/crowd (README.md there describes them) or
 * the test that notices a change. Distances are world units, times seconds; "radii" are radii of the agent,
 * "both radii" the sum of the radii of two bodies.
 *
 * How to tune: change one number, run build/crowd_scenarios on courses 1 to 8, judge on courses 9 to 16.
 * Every change moves the hashes of tests/js/determinism.test.js.
 *
 * Not here: defaults of options and of agent parameters (crowd.c, agents.c), limits of the interface
 * (crowd_internal.h), the two tolerances of string pulling (steering/corners.c). */
#ifndef WALKMESH_CROWD_TUNING_H
#define WALKMESH_CROWD_TUNING_H

/* ---- Capacities ------------------------------------------------------------------------------------- */

enum {
  /* Neighbours stored per agent; avoidance uses at most 12.
   * chosen     12 rounded up.
   * seen in    memory only. */
  WM_CROWD_NEIGHBOURS = 16,
  /* Walls stored per agent, the nearest ones.
   * chosen     not derived.
   * seen in    `doorway`, `corridor`. */
  WM_CROWD_WALLS = 8,
  /* Corners found ahead: the next leg, the one after for anticipated turns, one for shortcuts.
   * chosen     not derived.
   * seen in    `lone`, crowd_line_test. */
  WM_CROWD_CORNERS = 3,
  /* Polygons in one block of a corridor; at most 32, the bits of `connections`.
   * chosen     not derived.
   * seen in    memory per agent and bench/crowd/speed.js. */
  WM_CORRIDOR_BLOCK = 16,
  /* Labelled sets of islands that are stored, one per mesh and filter flags; the least recently used one is
   * replaced.
   * chosen     not derived.
   * seen in    crowds with more than 4 combinations and unreachable targets. */
  WM_CROWD_ISLANDS = 4
};

/* ---- Planning: planning/plan.c, path_requests.c, flow_fields.c -------------------------------------- */

enum {
  /* Polygons of a new corridor that are compared, and nodes of the search, that connect it to an agent which
   * walked on during the search.
   * chosen     not derived.
   * seen in    `moving-goal`. */
  WM_CROWD_JOIN_LIMIT = 256,
  /* A failed search that took more polygons than this labels the islands.
   * chosen     not derived; labelling costs about as much as one search of the whole mesh.
   * seen in    `unreachable`. */
  WM_CROWD_COSTLY_FAILURE = 512,
  /* Agents that wait for a way have a mesh that changes all the time labelled so rarely that 1 / this of the budget
   * covers its polygons.
   * chosen     a pass takes less time per polygon than a search.
   * seen in    crowd_gate_test. */
  WM_CROWD_LABELLING_DIVISOR = 8,
  /* Polygons of a corridor whose copy counts as one searched polygon of the budget.
   * chosen     not derived.
   * seen in    `1,000 new goals in one frame` of docs/performance.md. */
  WM_CROWD_COPIED_PER_UNIT = 16,
  /* Shortcuts may use 1 / this of the step's budget.
   * chosen     not derived.
   * seen in    speed.js. */
  WM_CROWD_SHORTCUT_BUDGET_DIVISOR = 8,
  /* Polygons left unused by shortcuts, since the last one may exceed its share.
   * chosen     above WM_CROWD_SHORTCUT_NODES.
   * seen in    crowd_plan_test. */
  WM_CROWD_SHORTCUT_MARGIN = 128,
  /* Polygons of a corridor that are checked per step after the mesh changed.
   * chosen     not derived.
   * seen in    the worst step after a change of the mesh. */
  WM_CROWD_CHECKED_PER_STEP = 16,
  /* Requests for about the same target from which on a flow field may replace searches.
   * chosen     not derived.
   * seen in    `1,000 new goals in one frame`. */
  WM_CROWD_FIELD_SHARED_BY = 3,
  /* Polygons that a search is assumed to take until one was measured.
   * chosen     not derived.
   * seen in    the first step with orders. */
  WM_CROWD_UNKNOWN_SEARCH = 64,
  /* Searches that a flow field is assumed to cost until one was measured.
   * chosen     not derived.
   * seen in    the first step with orders. */
  WM_CROWD_UNKNOWN_FIELD = 16,
  /* Searches, and flow fields, over which their measured cost is averaged.
   * chosen     not derived; powers of two keep the means exact integers.
   * seen in    speed.js. */
  WM_CROWD_SEARCH_COST_MEMORY = 16,
  WM_CROWD_FIELD_COST_MEMORY = 4,
  /* Each search lowers the cost of a flow field by 1 / this, so that fields are tried again at some time.
   * chosen     not derived.
   * seen in    speed.js. */
  WM_CROWD_FIELD_COST_DECAY = 256
};

/* Longest wait until an agent without a corridor to its target requests one again, seconds; waits double from
 * 1 s.
 * chosen     not derived.
 * seen in    `unreachable`. */
#define WM_CROWD_LONGEST_RETRY 30.0f
/* Side of the squares whose targets may share a flow field, world units.
 * chosen     targets farther apart differ by more than WM_CROWD_FIELD_LEEWAY on most corridors.
 * seen in    crowd_plan_test. */
#define WM_CROWD_TARGET_SQUARE 4.0f
/* A corridor from a flow field to another target of its polygon may cost this fraction more than the
 * cheapest.
 * chosen     promised by docs/crowd.md (5 %).
 * seen in    crowd_plan_test. */
#define WM_CROWD_FIELD_LEEWAY 0.05f

/* ---- Planning: planning/shortcut.c ------------------------------------------------------------------ */

enum {
  /* Turns that an agent gets after it was moved off its corridor.
   * chosen     not derived.
   * seen in    crowd_shortcut_test. */
  WM_CROWD_SHORTCUT_TURNS = 8,
  /* Steps between two turns of an agent.
   * chosen     not derived.
   * seen in    crowd_shortcut_test. */
  WM_CROWD_SHORTCUT_PERIOD = 12,
  /* Every how many turns it searches instead of casting a ray.
   * chosen     not derived.
   * seen in    speed.js. */
  WM_CROWD_SHORTCUT_SEARCH_TURNS = 2,
  /* Polygons of the corridor that may be replaced, and by how many.
   * chosen     not derived.
   * seen in    crowd_shortcut_test. */
  WM_CROWD_SHORTCUT_REPLACED = 48,
  WM_CROWD_SHORTCUT_REPLACEMENT = 96,
  /* Nodes of the search around the agent.
   * chosen     not derived.
   * seen in    crowd_shortcut_test. */
  WM_CROWD_SHORTCUT_NODES = 96,
  /* Polygons that a ray or a comparison visits and that count as one searched polygon.
   * chosen     not derived.
   * seen in    speed.js. */
  WM_CROWD_SHORTCUT_VISITS_PER_UNIT = 4,
  /* The next polygons of a corridor, at most, in which crossings from cost to cost are found again.
   * chosen     not derived.
   * seen in    crowd_cheapest_test. */
  WM_CROWD_CROSSINGS_AGAIN = 32
};

/* A ray continues this far beyond the corner, to enter the polygons behind it, world units.
 * chosen     not derived.
 * seen in    crowd_shortcut_test. */
#define WM_CROWD_SHORTCUT_OVERSHOOT 0.01f
/* Longest ray, world units.
 * chosen     not derived.
 * seen in    speed.js. */
#define WM_CROWD_SHORTCUT_RANGE 24.0f
/* A ray that is blocked this near to its end, as a fraction of its length, counts as free: corners lie on
 * walls.
 * chosen     not derived.
 * seen in    crowd_shortcut_test. */
#define WM_CROWD_SHORTCUT_FREE 0.99f
/* A shortcut must cost less by this fraction.
 * chosen     above rounding.
 * seen in    crowd_shortcut_test. */
#define WM_CROWD_SHORTCUT_GAIN 1e-3f

/* ---- Neighbours: avoidance/neighbour_grid.c --------------------------------------------------------- */

/* Side of a cell, world units: a few agents each where they stand close.
 * chosen     by time.
 * seen in    speed.js; results differ only through WM_CROWD_ONCOMING. */
#define WM_CROWD_CELL_SIZE 1.5f

enum {
  /* Fewest cells of the table, a power of two.
   * chosen     not derived.
   * seen in    speed.js with few agents. */
  WM_CROWD_SMALLEST_TABLE = 256,
  /* Bodies within an agent's neighbour range between which the range stays; outside it is adapted.
   * chosen     not derived; the upper one is about twice the 12 neighbours that are used.
   * seen in    `hall`, speed.js. */
  WM_CROWD_MET_LOW = 16,
  WM_CROWD_MET_HIGH = 28,
  /* Steps between two searches for neighbours; far from all focus points.
   * chosen     promised by docs/crowd.md; with 12, a step of 10,000 agents of which nine in ten are far takes
   *            two thirds of the time.
   * seen in    speed.js, `crossing`. */
  WM_CROWD_NEIGHBOUR_PERIOD = 3,
  WM_CROWD_FAR_PERIOD = 12,
  /* Neighbours that avoidance uses: far from all focus points and of WM_AVOIDANCE_LOW; of WM_AVOIDANCE_HIGH;
   * else.
   * chosen     promised by crowd.h.
   * seen in    `circle`, crowd_variants_test. */
  WM_CROWD_FEW_NEIGHBOURS = 4,
  WM_CROWD_MOST_NEIGHBOURS = 12,
  WM_CROWD_USUAL_NEIGHBOURS = 8
};

/* Factors of the neighbour range where it holds too many or too few.
 * chosen     not derived.
 * seen in    `hall`. */
#define WM_CROWD_RANGE_SHRINK 0.85f
#define WM_CROWD_RANGE_GROWTH 1.15f
/* Shortest neighbour range, radii.
 * chosen     not derived; two agents of equal radius touch at 2.
 * seen in    `hall`. */
#define WM_CROWD_SHORTEST_RANGE 4

/* ---- Walls: avoidance/walls.c, step.c --------------------------------------------------------------- */

/* Polygons visited around an agent to find its walls.
 * chosen     not derived.
 * seen in    `doorway`, speed.js. */
enum { WM_CROWD_WALL_POLYGONS = 32 };
/* Walls are known within this distance beyond the agent's diameter, world units.
 * chosen     not derived.
 * seen in    `doorway`, `corridor`. */
#define WM_CROWD_WALL_RANGE 1.5f
/* Walls are found again after the agent moved a quarter of that range; this is its square.
 * chosen     not derived.
 * seen in    speed.js. */
#define WM_CROWD_WALLS_MOVED_SQUARED 0.0625f

/* ---- Steering: steering/steer.c, anticipate.c ------------------------------------------------------- */

/* Corners are found again where an agent is farther than this from its line, world units (squared).
 * chosen     not derived.
 * seen in    `lone` strayed, crowd_line_test. */
#define WM_CROWD_OFF_LINE_SQUARED (0.01f * 0.01f)
/* Slowdown (fraction of its speed that avoidance changes) at which an agent keeps no distance from walls; with less, a part of
 * its wall_distance.
 * chosen     courses 0 to 19 of `doorway` and `corridor` among 0.05, 0.2, 0.3, 0.4: see docs/lab/wall-distance.md.
 * seen in    bench/crowd/walls.js. */
#define WM_CROWD_NO_ROOM_SLOWDOWN 0.2f
/* Less than this fraction of its wall_distance is none.
 * chosen     not derived.
 * seen in    bench/crowd/walls.js. */
#define WM_CROWD_LEAST_ROOM 0.1f
/* An agent is hindered above this slowdown: its line leaves a wall, against which others pushed it, by this fraction of the way.
 * A steep line would lead back into those others.
 * chosen     courses 0 to 19 of `doorway` and `corridor` among 0.05, 0.1, 0.25: see docs/lab/wall-distance.md.
 * seen in    bench/crowd/walls.js. */
#define WM_CROWD_HINDERED 0.02f
#define WM_CROWD_ROOM_GROWTH 0.1f
/* Walls are looked at up to this many of the distances that the line keeps, or as far as the agent walks in this many seconds if
 * that is farther.
 * chosen     among 6 and 0.5, 10 and 0.5, 10 and 1, 15 and 1, 20 and 1: lines are as long with each, and these take the least time.
 * seen in    bench/crowd/walls.js, steps of 300 agents in levels of games. */
#define WM_CROWD_ROOM_DISTANCES 10.0f
#define WM_CROWD_ROOM_SECONDS 0.5f
/* Corners are found again where the distance that they keep differs from the wanted one by more than this fraction of the
 * agent's wall_distance.
 * chosen     not derived.
 * seen in    bench/crowd/walls.js. */
#define WM_CROWD_OTHER_ROOM 0.25f
/* A vector shorter than this has no direction, world units.
 * chosen     above rounding.
 * seen in    crowd_line_test. */
#define WM_CROWD_NO_LENGTH 1e-6f
/* An anticipated turn begins this many widths of its arc before the corner, and grows over half of that.
 * chosen     not derived.
 * seen in    crowd_behaviour_test (turns of at most 3 degrees a step, docs/crowd.md). */
#define WM_CROWD_ARC_BEGIN 6.0f
/* Widest arc, radii.
 * chosen     promised by docs/crowd.md.
 * seen in    crowd_behaviour_test. */
#define WM_CROWD_ARC_WIDEST 4.0f
/* Widest arc, as a fraction of the distance to the corner: a wider one would lead around it.
 * chosen     not derived.
 * seen in    crowd_behaviour_test. */
#define WM_CROWD_ARC_STEEPEST 0.35f
/* Narrower arcs are skipped, world units; and so are arcs at a lower speed, world units a second.
 * chosen     above rounding.
 * seen in    crowd_behaviour_test. */
#define WM_CROWD_ARC_NO_WIDTH 1e-3f
#define WM_CROWD_ARC_NO_SPEED 1e-3f
/* An arc that a wall blocks is tried again with half the width, up to this many times in all.
 * chosen     not derived.
 * seen in    crowd_behaviour_test. */
enum { WM_CROWD_ARC_ATTEMPTS = 3 };

/* ---- Keeping right: avoidance/keep_right.c ---------------------------------------------------------- */

enum {
  /* Steps between two looks ahead of an agent.
   * chosen     not derived.
   * seen in    speed.js. */
  WM_CROWD_ONCOMING_PERIOD = 8,
  /* Oncoming agents from which on the turn no longer grows.
   * chosen     not derived.
   * seen in    `circle`, `corridor`. */
  WM_CROWD_ONCOMING_MANY = 2
};
/* How far ahead oncoming agents are counted, world units.
 * chosen     15 before; random swaps of 1,000 agents need 1.15 times their straight paths with the turn, 1.12
 *            without (measured at 15).
 * seen in    `circle`, `corridor`. */
#define WM_CROWD_ONCOMING_SIGHT 20.0f
/* An agent is oncoming if it moves against the direction faster than this fraction of the own maximum speed.
 * chosen     not derived.
 * seen in    `circle`. */
#define WM_CROWD_ONCOMING_SPEED 0.5f
/* Oncoming agents may be this much higher or lower per world unit of distance.
 * chosen     a slope of 27 degrees.
 * seen in    levels with floors above each other. */
#define WM_CROWD_ONCOMING_SLOPE 0.5f
/* Sine of the largest turn to the right.
 * chosen     30 degrees, promised by docs/crowd.md.
 * seen in    `circle`. */
#define WM_CROWD_KEEP_RIGHT_SINE 0.5f
/* Slowdown (fraction of its speed that avoidance changes) at which an agent turns in full.
 * chosen     courses 1 to 8, 0.3 before: `circle` way 1.071 to 1.061, overlapping 0.96 to 0.63 s, `corridor`
 *            0.03 to 0.12 s; at 0.15 overlaps still fall, ways do not.
 * seen in    `circle`, `corridor`. */
#define WM_CROWD_FULL_SLOWDOWN 0.2f
/* Fraction of each step's slowdown in its running mean.
 * chosen     not derived.
 * seen in    `circle`. */
#define WM_CROWD_SLOWDOWN_MEMORY 0.05f

/* ---- Shares: avoidance/shares.h ---------------------------------------------------------------------- */

/* Difference of priorities at which the agent with the higher number does all of the avoiding.
 * chosen     not derived.
 * seen in    crowd_behaviour_test. */
#define WM_PRIORITY_RANGE 20.0f
/* Fraction of the avoiding that a walking agent does for one that stands with another target; the standing
 * one does the rest.
 * chosen     not derived.
 * seen in    `hall`, `doorway`. */
#define WM_CROWD_STANDING_SHARE 0.7f
/* Fraction of the avoiding that an agent which waits before a passage does for those who come out of it; and for how
 * long after they have come out, seconds.
 * chosen     courses 0 to 19: 95 % of `ring` arrive within 2.85 times their free time without this rule, within 2.74
 *            with 0.8 and 2.76 with 0.5; `rest-in-lane` 2.60, 2.56, 2.67. The time is not derived.
 * seen in    `ring`, `bridge`. */
#define WM_CROWD_MAKE_WAY_SHARE 0.8f
#define WM_CROWD_COMING_OUT_TIME 1.5f
/* Fraction of an overlap with a moving obstacle that is resolved in one round: it moves on whatever the agent
 * does.
 * chosen     courses 1 to 8; as firm as agents, jitter of `moving-obstacle` was 12 instead of 10.
 * seen in    `moving-obstacle`. */
#define WM_CROWD_OBSTACLE_SHARE 0.25f

/* ---- Narrow passages: passages/right_of_way.c, merge.c, ahead.c -------------------------------------- */

enum {
  /* Steps between two rounds of claims.
   * chosen     not derived.
   * seen in    `lanes`, speed.js. */
  WM_CROWD_PASSAGE_PERIOD = 2,
  /* Polygons of a corridor that may belong to one passage.
   * chosen     not derived.
   * seen in    `lanes-tight`. */
  WM_CROWD_PASSAGE_POLYGONS = 64
};
/* A place is narrow if it is narrower than twice the largest radius of the mesh's agents times this.
 * chosen     above WM_AVOIDANCE_MARGIN: at exactly that width two agents scrape along both walls.
 * seen in    `lanes`, `doorway` (its doorway is not narrow). */
#define WM_CROWD_NARROW 1.05f
/* How far before a passage agents wait, beyond their radius, world units: those who come out pass by them.
 * chosen     courses 1 to 3 of `lanes`, 1 before: 95 % arrive within 2.97 times their free time, with 1.8
 *            within 2.41, with 2.5 (and WM_CROWD_TURN_TIME 6) within 2.20; with 3.5 no further gain.
 * seen in    `lanes`, `bridge`. */
#define WM_CROWD_HOLD_DISTANCE 2.5f
/* An agent without passages in sight looks this much farther, and then not again until it has walked as far or into
 * another polygon, world units.
 * chosen     by time; changes no result.
 * seen in    speed.js. */
#define WM_CROWD_SIGHT_SPARE 3.0f
/* A waiting agent this near to that distance stands, world units.
 * chosen     not derived.
 * seen in    `bridge`. */
#define WM_CROWD_HELD 0.3f
/* Seconds after which a waiting agent's turn comes before those of the other side who come later.
 * chosen     courses 0 to 9 of `lanes-tight`, with WM_CROWD_TURN_COST 3: 95 % arrive within 2.65 times their
 *            free time with 8, within 2.53 with 15; of `lanes` 2.23 with both.
 * seen in    `lanes`, `lanes-tight`. */
#define WM_CROWD_TURN_TIME 15.0f
/* The same for an agent that has also waited for as long as its whole way takes without others.
 * chosen     courses 0 to 59: 95 % of `ring` arrive within 2.80 times their free time without this rule, within 2.67
 *            with it. The least time is not derived: it keeps agents with the shortest
 *            ways from taking turns one by one.
 * seen in    `ring`. */
#define WM_CROWD_LEAST_TURN_TIME 5.0f
/* Seconds that a change of turns takes. A turn ends before an agent if those who wait on the other side would
 * wait longer than this for it to come up to the one before it, all their times together.
 * chosen     courses 0 to 9, turn time 15: 95 % of `lanes-tight` arrive within 2.70 times their free time
 *            without this rule, within 2.53 with 3, 2.48 with 2 and 1.5, 2.49 with 0.7; `bridge` 3.34 to 3.45.
 * seen in    `lanes`, `lanes-tight`, `bridge`. */
#define WM_CROWD_TURN_COST 2.0f
/* How near to the entry agents that may enter keep their distance to the one before them, world units.
 * chosen     courses 0 to 9; with 6 nothing changes much but `ring`, from 2.65 to 2.53.
 * seen in    `bridge`, `dead-end`. */
#define WM_CROWD_MERGE_RANGE 4.0f
/* That distance, as a multiple of both radii; and the time within which it is reached, seconds.
 * chosen     courses 0 to 9 of `bridge`, 95 % within 3.39 times their free time; with 1.02 within 3.58, with
 *            0.25 s within 3.50.
 * seen in    `bridge`, `lanes-tight`. */
#define WM_CROWD_MERGE_SPACING 1.1f
#define WM_CROWD_MERGE_TIME 0.4f
/* Agents that may enter line up by their distance to the entry and this times their leeway: world units a second. The
 * leeway is how much longer an agent can wait until its way takes WM_CROWD_TARDY times as long as without others,
 * seconds; larger ones are equal.
 * chosen     courses 0 to 29 of `rest-in-lane`: 95 % arrive within 2.59 times their free time with 0, within 2.33
 *            with 0.05 and 0.1 (30 to 59: 2.38, 2.29), 2.35 with 0.2; 0 to 59 of `ring` 2.76, 2.69, 2.67, 2.83.
 * seen in    `rest-in-lane`, `bridge`. */
#define WM_CROWD_MERGE_LEEWAY 0.1f
#define WM_CROWD_TARDY 2.5f
#define WM_CROWD_MOST_LEEWAY 30.0f
/* An agent that may come on only more slowly than this stands, and others can push it aside, world units a
 * second.
 * chosen     0: agents at rest block the first one of all, and 95 % of `bridge` arrive within 4.76 times their
 *            free time instead of 3.33; 0.35 and 1 as 0.1.
 * seen in    `bridge`. */
#define WM_CROWD_MERGE_HELD 0.1f

/* Seconds of waiting after which an agent looks for another way.
 * chosen     not derived.
 * seen in    `lanes`. */
#define WM_CROWD_DETOUR_TIME 1.0f
/* How much the cost of a polygon with a narrow place grows with each agent that waits or goes through, as a
 * fraction.
 * chosen     not derived.
 * seen in    `lanes`. */
#define WM_CROWD_WAITING_COST 0.3f

/* ---- Jams: passages/jam.c ---------------------------------------------------------------------------- */

/* An agent makes progress if its path becomes shorter by this, world units.
 * chosen     not derived; below a diameter, above what contacts move an agent to and fro.
 * seen in    `lanes`, crowd_progress_test. */
#define WM_CROWD_GAIN 0.5f
/* How often between two gains the patience of an agent begins anew since its turn has come.
 * chosen     0: agents of `lanes` pass through others for 0.68 s instead of 0.16 s; bounded, as else patience might never
 *            end.
 * seen in    `lanes` passing. */
enum { WM_CROWD_TURNS_PER_GAIN = 2 };
/* Seconds without progress below which an agent does not look around.
 * chosen     by time: an agent at 1 world unit a second makes progress in less.
 * seen in    speed.js. */
#define WM_CROWD_UNTROUBLED 0.75f
/* An agent is behind another one if they are nearer than this, both radii; and queues behind it if the cosine
 * between their directions is above the second number.
 * chosen     not derived.
 * seen in    `doorway`, where queues are no jams. */
#define WM_CROWD_BEHIND 1.3f
#define WM_CROWD_ALONG 0.3f
/* How fast patience runs out for agents that queue or walk well, in seconds a second; for those that wait for their
 * turn it runs out as for blocked ones.
 * chosen     `doorway`, courses 1 to 8: with 1, agents of the queue pass through others, overlap 0.49 to 0.93. With it for
 *            those who wait for their turn, too, 95 % of `bridge` arrive within 3.10 times their free time instead of
 *            2.33, of `ring` 2.67 instead of 2.44, and agents pass through others for 0.1 s instead of 1.9 and 0.8
 *            instead of 2.1.
 * seen in    `doorway`, `bridge`, `ring`. */
#define WM_CROWD_QUEUE_HASTE 0.4f
/* Where a resting agent is moved by this, world units (squared), it is found again whether the place is narrow.
 * chosen     by time; far below the width of a passage.
 * seen in    `rest-in-lane`. */
#define WM_CROWD_REST_MOVED_SQUARED (0.05f * 0.05f)
/* An agent this near to its destination, world units, is patient with those who rest there.
 * chosen     not derived.
 * seen in    `unreachable` deepest, `hall`. */
#define WM_CROWD_NEARLY_THERE 4.0f

/* ---- Half-planes: avoidance/orca.c, half_planes.c --------------------------------------------------- */

/* Factor of both radii that agents keep apart; contacts begin there as well.
 * chosen     2 % beyond touching.
 * seen in    overlapping of all scenarios. */
#define WM_AVOIDANCE_MARGIN 1.02f
/* Time within which half-planes part two agents that overlap, seconds; contacts push them as well.
 * chosen     not derived.
 * seen in    `hall`, `doorway`. */
#define WM_CROWD_PART_TIME 0.3f
/* Look-ahead time for walls, seconds.
 * chosen     not derived.
 * seen in    `doorway`, `corridor`. */
#define WM_CROWD_WALL_TIME 0.15f
/* A wall this far behind the agent, world units, is still one: positions lie on walls within rounding.
 * chosen     above rounding.
 * seen in    `doorway`. */
#define WM_CROWD_WALL_BEHIND 0.01f
/* A wall does not slow an agent down whose desired velocity leads past the wall's end, or meets it within this
 * distance of its end, world units: paths lead around the ends of walls.
 * chosen     above rounding. Courses 1 to 8 of `doorway`, without this rule before: flow 11.6 to 12.1, jitter 69 to
 *            64, overlap 0.54 to 0.49.
 * seen in    `doorway`, `bridge`, crowd_merge_test. */
#define WM_CROWD_WALL_END 0.05f
/* A collision is head-on if its lateral offset is below this fraction of both radii.
 * chosen     above rounding.
 * seen in    `head-on`, whose pairs meet exactly. */
#define WM_CROWD_HEAD_ON 1e-3f
/* Shortest look-ahead time, used where no velocity avoids all neighbours, seconds: a dense crowd moves as far
 * as there is space.
 * chosen     courses 1 to 8; at 0.25 half as many pass `doorway`; 0.3 halves overlaps of random swaps but
 *            lengthens their paths from 1.18 to 1.33.
 * seen in    `doorway` flow. */
#define WM_CROWD_SHORT_HORIZON 0.07f
/* Shortest look-ahead time for moving obstacles and agents without avoidance, seconds.
 * chosen     not derived.
 * seen in    `moving-obstacle`. */
#define WM_CROWD_OBSTACLE_HORIZON 0.6f
/* Range of separation, both radii.
 * chosen     not derived.
 * seen in    crowd_behaviour_test. */
#define WM_CROWD_SEPARATION_RANGE 2.5f
/* An agent above this fraction of its speed counts as free: it limits its look-ahead to its braking time, and
 * stops squeezing.
 * chosen     plateau down to 0.2; the braking time is on a plateau from 0.7 to 1.4 times its value.
 * seen in    `crossing` overlapping (0.188 s without braking, 0.030 s with), `corridor`. */
#define WM_FREE_PACE 0.5f
/* Sine below which two half-planes are parallel.
 * chosen     above rounding.
 * seen in    crowd_half_planes_test. */
#define WM_CROWD_PARALLEL 1e-5f

/* ---- Sampled velocities: avoidance/sampling.c ------------------------------------------------------- */

/* Candidates: directions of a ring, rings, refinements.
 * chosen     as DetourCrowd's high quality, but for 2 rings instead of 3.
 * seen in    crowd_variants_test. */
enum { WM_CROWD_SAMPLE_DIVISIONS = 7, WM_CROWD_SAMPLE_RINGS = 2, WM_CROWD_SAMPLE_REFINEMENTS = 4 };
/* Look-ahead time, seconds; the first candidates are centred at this fraction of the preferred velocity;
 * weights of the four penalties: away from the preferred velocity, a change of velocity, the wrong side, time
 * to collision.
 * chosen     as DetourCrowd.
 * seen in    crowd_variants_test. */
#define WM_CROWD_SAMPLE_HORIZON 2.5f
#define WM_CROWD_SAMPLE_BIAS 0.4f
#define WM_CROWD_WEIGHT_PREFERRED 2.0f
#define WM_CROWD_WEIGHT_CURRENT 0.75f
#define WM_CROWD_WEIGHT_SIDE 0.75f
#define WM_CROWD_WEIGHT_TIME 2.5f
/* Seconds without progress after which a sampling agent uses half-planes.
 * chosen     not derived; between two resting agents samples find nothing better than to stand.
 * seen in    crowd_variants_test. */
#define WM_SAMPLING_PATIENCE 0.5f

/* ---- Moving: step.c, steering/walk.c, steering/connection.c ----------------------------------------- */

/* Lower speeds are rest, world units a second.
 * chosen     above rounding.
 * seen in    `hall` trembling. */
#define WM_CROWD_REST_SPEED 1e-3f
/* An agent this near to its line is moved on the line itself, world units (squared).
 * chosen     above rounding.
 * seen in    `lone` strayed. */
#define WM_CROWD_ON_LINE_SQUARED (0.001f * 0.001f)
/* A velocity deviates from the line if its lateral part exceeds this, world units a second.
 * chosen     above rounding.
 * seen in    `lone` strayed. */
#define WM_CROWD_ALONG_LINE 1e-3f
/* A move that covered less than this fraction (squared speed) met a wall, and takes the velocity that is
 * left.
 * chosen     not derived.
 * seen in    `corridor`. */
#define WM_CROWD_WALL_LOSS 0.98f

enum {
  /* Polygons of the corridor in which those of a move are looked for.
   * chosen     not derived.
   * seen in    speed.js, `circle` way. */
  WM_CROWD_WALK_LOOK_AHEAD = 12,
  /* Times an agent may be moved off its corridor before it requests another one.
   * chosen     not derived.
   * seen in    `circle` way, crowd_shortcut_test. */
  WM_CROWD_DETOUR_LIMIT = 6
};
/* A point this near to a polygon lies on its edge, world units.
 * chosen     above rounding.
 * seen in    `lone`. */
#define WM_CROWD_TOUCHING 1e-3f

/* A slowed agent enters a connection within this distance of its start, radii: two fit beside each other.
 * chosen     courses 1 to 8, 1 before: `jump` jitter 14.0 to 11.8.
 * seen in    `jump`. */
#define WM_CROWD_ENTRY_RANGE 1.25f
/* An agent that started beside the entry lands beside the end by this factor: in flight, agents do not avoid
 * each other.
 * chosen     not derived.
 * seen in    `jump` overlapping. */
#define WM_CROWD_LANDING_SPREAD 1.5f

/* ---- Segment links: steering/link_ahead.c, link_queue.c, link_flight.c ---------------------------- */

/* The largest distance from both ends of a link's segment that agents keep, as a fraction of its width: half of it stays.
 * chosen     not derived.
 * seen in    crowd_link_test. */
#define WM_CROWD_LINK_MARGIN 0.25f
/* An agent that nobody holds up takes off within this distance of the point where its line enters the link, radii; one that others
 * hold up, of any point of the segment; and up to LINK_ASIDE beside the nearest one, in steps of which LINK_ASIDES fit.
 * chosen     held up 1.25, 1.5 and 1.75 on courses 1 to 20 of `ledge`: 48.9, 50.5 and 51.6 agents a second.
 * seen in    `ledge`, crowd_link_test. */
#define WM_CROWD_LINK_RANGE 0.25f
#define WM_CROWD_LINK_HELD_UP_RANGE 1.75f
#define WM_CROWD_LINK_ASIDE 1.0f
enum { WM_CROWD_LINK_ASIDES = 8 };
/* The least distance between agents on a link, both radii: on the ground they are 1 apart, or less under pressure.
 * chosen     0.6, 0.65, 0.7 and 0.8, held up 1.5, on `ledge`: 50.6, 49.2, 46.7 and 40.8 agents a second.
 * seen in    `ledge`, crowd_link_test. */
#define WM_CROWD_LINK_SPACING 0.6f
/* An agent changes its lane if another one is at least this much faster, seconds; lanes are as wide as the largest agent.
 * chosen     0, 0.1 and 0.2 on courses 1 to 20 of `ledge`: 49.4, 50.5 and 50.1 agents a second.
 * seen in    `ledge`. */
#define WM_CROWD_LINK_CHANGE 0.1f
/* The most lanes of a link, and the steps between two choices of an agent.
 * chosen     not derived.
 * seen in    speed of `ledge`. */
enum { WM_CROWD_LINK_LANES = 32, WM_CROWD_LINK_PERIOD = 4 };
/* An agent can walk to a place of the entry if it can walk to this far before it, world units: the mesh ends there.
 * chosen     above rounding.
 * seen in    crowd_link_test. */
#define WM_CROWD_LINK_INSIDE 0.02f
/* The climb speed of agents that have none of their own, as a fraction of their maximum speed.
 * chosen     not derived: at 3.5 m/s, over a fence of 1 m in 1.5 s.
 * seen in    crowd_link_test. */
#define WM_CROWD_CLIMB_PACE 0.5f
/* The highest speed at which a jump crosses its distance, maximum speeds: low arcs take longer than gravity allows.
 * chosen     an arc of 4 m that rises 0.5 m has 1.8 times 3.5 m/s.
 * seen in    crowd_link_test. */
#define WM_CROWD_JUMP_PACE 2.0f

/* ---- Contacts: avoidance/contact.c, step.c ---------------------------------------------------------- */

/* How far contacts may move an agent in a step beyond what its speed allows, world units: walk and pushes of a
 * step together end at most max(its speed, max_speed) * seconds + this from where it began, on x and z.
 * chosen     promised by docs/crowd.md: a hundredth, less WM_CROWD_REACH_ERROR.
 * seen in    crowd_reach_test. */
#define WM_CROWD_PUSH_REACH 0.009f
/* Error of that distance: touching edges (WM_CROWD_TOUCHING), world units, and rounding, as a fraction of the
 * coordinates.
 * chosen     promised by docs/crowd.md; above rounding.
 * seen in    the assertion in step.c. */
#define WM_CROWD_REACH_ERROR 0.001f
#define WM_CROWD_REACH_ROUNDING 1e-6f
/* Time over which contacts part an agent from those it was put down inside, seconds.
 * chosen     promised by docs/crowd.md.
 * seen in    crowd_reach_test. */
#define WM_CROWD_PARTING_TIME 0.5f
/* Rounds of contacts per step.
 * chosen     courses 1 to 8, since WM_CROWD_PUSH_REACH limits them: with 4, `doorway` in time 0.64 to 0.61,
 *            `circle` overlapping 0.63 to 0.65 s, 0.25 of `unreachable` stuck; with 5, 0.62, 0.59, none.
 * seen in    `doorway` flow, `hall` overlap. */
enum { WM_CROWD_CONTACT_ROUNDS = 5 };
/* Fraction of an agent's overlaps that one round resolves, for one, two, and three or more of them.
 * One overlap is all but gone after a step; of many at once more cannot be resolved, or dense crowds tremble.
 * chosen     courses 1 to 8: overlapping of `moving-goal` 0.080 to 0.004 s, `crossing` 0.028 to 0.003, `jump`
 *            0.015 to 0.007. With 0.2 for many, and 5 rounds, `hall` overlapping 8.3 to 9.5 s.
 * seen in    overlapping of all scenarios, `hall` trembling. */
#define WM_CROWD_FIRMNESS_ONE 0.9f
#define WM_CROWD_FIRMNESS_TWO 0.5f
#define WM_CROWD_FIRMNESS_MANY 0.18f
/* Agents that are farther than this from all others, world units, are looked at again in a later round of the
 * step only if pushes were so long that others can be here by now; the factor leaves room for rounding.
 * chosen     by time; changes no result.
 * seen in    speed.js. */
#define WM_CROWD_NEARLY_TOUCHING 0.15f
#define WM_CROWD_SAFELY 0.99f
/* Agents without avoidance are deflected sideways by this fraction of their pushes, all to the same side: two
 * on one line would push each other forever.
 * chosen     not derived.
 * seen in    crowd_behaviour_test. */
#define WM_CROWD_CONTACT_DEFLECTION 0.3f
/* Shorter pushes are skipped, world units (squared).
 * chosen     above rounding.
 * seen in    `hall` trembling. */
#define WM_CROWD_NO_PUSH_SQUARED (1e-4f * 1e-4f)
/* Bodies nearer than this have no direction from one to the other, world units; their numbers decide.
 * chosen     above rounding.
 * seen in    agents added at one point, crowd_behaviour_test. */
#define WM_CROWD_SAME_POINT 1e-4f

/* ---- States: states.c ------------------------------------------------------------------------------- */

/* A target is reached within this distance, world units; by an agent that others slow down, radii.
 * chosen     above rounding; not derived.
 * seen in    `lone` overshoot; arrived of all scenarios. */
#define WM_CROWD_REACHED 1e-4f
#define WM_CROWD_REACHED_SLOWED 0.5f
/* Time over which progress is averaged, seconds.
 * chosen     not derived.
 * seen in    `doorway` stuck. */
#define WM_CROWD_PROGRESS_TIME 0.3f
/* An agent is blocked if it progresses at less than this fraction of its speed for this time, seconds.
 * chosen     not derived.
 * seen in    the state `waiting` with reason `blocked`, crowd_behaviour_test. */
#define WM_CROWD_BLOCKED_PACE 0.05f
#define WM_CROWD_BLOCKED_TIME 1.0f
/* Seconds an agent must be blocked before it pushes between resting agents.
 * chosen     2 before: nothing changes except that agents wait less.
 * seen in    `hall`, `doorway`. */
#define WM_SQUEEZE_TIME 1.0f
/* Blocked time stops growing here, seconds, so that an agent that squeezes does so for a while.
 * chosen     not derived.
 * seen in    `hall`. */
#define WM_CROWD_LONGEST_BLOCKED (2 * WM_SQUEEZE_TIME)
/* Seconds blocked behind resting agents of the same target after which an agent rests as well; also the time
 * before an agent that was pushed off its destination walks back.
 * chosen     not derived.
 * seen in    `hall` restless. */
#define WM_CROWD_PATIENCE 0.5f
/* Distance from its destination, radii, from which on a pushed agent walks back.
 * chosen     not derived.
 * seen in    `hall` restless. */
#define WM_CROWD_PUSHED_OFF 1.5f
/* An agent that was pushed off its destination this often lets others pass there.
 * chosen     with 3, resting agents of crowd_variants_test overlap deeply; with 6 they do not.
 * seen in    crowd_progress_test, crowd_variants_test. */
enum { WM_CROWD_PUSHED_OFF_LIMIT = 6 };
/* The same distance while nobody is there: above WM_CROWD_REACHED_SLOWED, where agents come to rest.
 * chosen     not derived.
 * seen in    crowd_progress_test, `hall` restless. */
#define WM_CROWD_OUT_OF_PLACE 0.6f
/* A resting agent nearer than this, both radii, blocks.
 * chosen     not derived.
 * seen in    `hall` arrived. */
#define WM_CROWD_CROWDED 1.15f
/* A resting agent with the same target is before ours on its way if ours has at most this more way left, both
 * radii: they are within WM_CROWD_CROWDED of each other, and their ways may lead around a pillar on both sides.
 * chosen     not derived.
 * seen in    `hall` restless, crowd_crowded_test (floors above each other, walls).  */
#define WM_CROWD_BEFORE 2.5f
/* Steps between two looks of a crowded agent whether it can move up.
 * chosen     not derived.
 * seen in    speed of `hall`. */
enum { WM_CROWD_CLOSE_UP_PERIOD = 8 };
/* Headings stay unchanged below this speed, world units a second.
 * chosen     not derived.
 * seen in    `hall`. */
#define WM_CROWD_HEADING_SPEED 0.05f
/* A heading with at least this cosine to the velocity becomes its direction, without trigonometry, where the
 * agent may turn by more than this angle, radians.
 * chosen     arccos 0.9999 is 0.0141, below 0.02.
 * seen in    speed.js. */
#define WM_CROWD_HEADING_COSINE 0.9999f
#define WM_CROWD_HEADING_TURN 0.02f

#endif
