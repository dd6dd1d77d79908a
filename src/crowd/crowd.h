/* Crowds: thousands of agents that walk on a mesh and avoid each other and moving obstacles.
 *
 * Usual order: wm_crowd_create for a mesh; wm_crowd_add_agents; wm_crowd_set_targets at any time; once a
 * frame wm_crowd_step, then wm_crowd_view for positions, velocities and states as contiguous arrays;
 * wm_crowd_destroy. Tiles, connections, flags and areas of the mesh may change between steps: agents renew
 * their corridors by themselves.
 *
 * Agents lie in dense arrays: agent i of n in the order of the arrays. Removing an agent moves the last one
 * to its index. Handles are stable: wm_crowd_index returns an agent's index, the view's `agents` the handles
 * by index. Functions for many agents check all handles and numbers before they change anything: if one is
 * wrong, nothing has changed.
 *
 * Several meshes, one per size of agents: wm_crowd_add_mesh. All agents avoid each other, regardless of their
 * mesh.
 *
 * The same calls give the same bits everywhere, natively and in WebAssembly. The order of agents in the
 * arrays is ignored. The numbers of handles count: agents look for neighbours by turns, in their order, and
 * of two bodies at exactly the same distance the smaller number counts as nearer.
 *
 * Every function may return WM_ERROR_OUT_OF_MEMORY, WM_ERROR_INVALID_ARGUMENT (names the field) or
 * WM_ERROR_STALE_REFERENCE (an agent that was removed); the crowd is then unchanged. Exceptions are
 * wm_crowd_step and wm_crowd_move: out of memory, some agents may have moved.
 *
 * Threads: a crowd belongs to one thread, and uses its context. */
#ifndef WALKMESH_CROWD_CROWD_H
#define WALKMESH_CROWD_CROWD_H

#include "base/public.h"
#include "mesh/links/segment_links.h"
#include "query/query.h"

WM_PUBLIC_BEGIN

/* A handle: generation and number, below 2^53, never 0. The handle of a removed agent stays invalid. Handles
 * don't name their crowd: a handle of another crowd selects this crowd's agent with the same number, if there
 * is one. */
typedef uint64_t WmAgent;

enum { WM_AGENT_GENERATION_BITS = 21, WM_AGENT_NUMBER_BITS = 32 };

typedef struct WmCrowd WmCrowd;

/* ---- States ----------------------------------------------------------------------------------------- */

typedef enum WmAgentState {
  WM_AGENT_NO_TARGET = 0,     /* stands, and yields to others */
  WM_AGENT_PLANNING = 1,      /* its path request waits in the queue; it walks on meanwhile */
  WM_AGENT_FOLLOWING = 2,     /* walks to its target, or at its velocity */
  WM_AGENT_WAITING = 3,       /* stands for a while: see the reason */
  WM_AGENT_ON_CONNECTION = 4, /* on an off-mesh connection or a segment link */
  WM_AGENT_ARRIVED = 5,       /* at its target; with auto_braking it walks back after being pushed off */
  WM_AGENT_UNREACHABLE = 6,   /* stands at the reachable point nearest to its target */
  WM_AGENT_OFF_MESH = 7,      /* no ground polygon near it: it stands until there is one, or it is warped */
  WM_AGENT_CROWDED = 8        /* as near to its target as agents allow that rest before it on its way with
                                 the same target, or on the target; with auto_braking it moves up once they
                                 leave */
} WmAgentState;

typedef enum WmAgentReason {
  WM_AGENT_REASON_NONE = 0,
  WM_AGENT_REASON_PAUSED = 1,               /* waiting: wm_crowd_pause */
  WM_AGENT_REASON_CONNECTION = 2,           /* waiting: before an off-mesh connection or segment link that
                                               the game traverses (wm_crowd_begin_connection) */
  WM_AGENT_REASON_BLOCKED = 3,              /* waiting: it made almost no progress for a second */
  WM_AGENT_REASON_VELOCITY = 4,             /* following: a velocity, not a target */
  WM_AGENT_REASON_TARGET_OFF_MESH = 5,      /* unreachable: no polygon near the target; it stays where it
                                               is */
  WM_AGENT_REASON_TARGET_EXCLUDED = 6,      /* following, then unreachable at the nearest reachable
                                               point: the target lies over ground that its filter
                                               excludes, and no other ground is within its radius */
  WM_AGENT_REASON_TARGET_NOT_CONNECTED = 7, /* following, then unreachable at the nearest reachable point:
                                               no corridor leads to the target */
  WM_AGENT_REASON_CROWDED = 8,              /* crowded */
  WM_AGENT_REASON_MESH_CHANGED = 9,         /* planning: polygons of its corridor were removed */
  WM_AGENT_REASON_NO_GROUND = 10,           /* off mesh */
  WM_AGENT_REASON_SEARCH_LIMIT = 11,        /* following, then unreachable: max_search_nodes was reached */
  WM_AGENT_REASON_PASSING = 12,     /* following: it was blocked for long, and passes through others */
  WM_AGENT_REASON_RIGHT_OF_WAY = 13 /* waiting: before a narrow passage, until others have come
                                       out, or have entered before it */
} WmAgentReason;

/* An agent and a narrow passage: a part of its path where two agents can't pass each other. */
typedef enum WmPassageState {
  WM_PASSAGE_NONE = 0,  /* there is none, or it is far */
  WM_PASSAGE_WAITS = 1, /* others go first: it waits outside */
  WM_PASSAGE_HOLDS = 2  /* it may enter, or is in it */
} WmPassageState;

/* How an agent avoids others. */
typedef enum WmAvoidance {
  WM_AVOIDANCE_NONE = 0,    /* contacts push it apart; blocked for long it walks diagonally */
  WM_AVOIDANCE_LOW = 1,     /* reciprocal velocity obstacles of the 4 nearest bodies, and walls */
  WM_AVOIDANCE_MEDIUM = 2,  /* of the 8 nearest, and walls */
  WM_AVOIDANCE_HIGH = 3,    /* of the 12 nearest, and walls */
  WM_AVOIDANCE_SAMPLING = 4 /* sampled velocities, as DetourCrowd: slower, and less smooth */
} WmAvoidance;

/* ---- The crowd -------------------------------------------------------------------------------------- */

typedef struct WmCrowdOptions {
  /* The most polygons that all searches of a step may take together, 1 and above: about 0.1 microseconds
   * each. Default 8192. Path requests beyond it wait for the next steps: the oldest first, and of those of one
   * step, those to near targets. An unfinished search continues in the next step. */
  uint32_t search_budget;
  uint32_t max_search_nodes; /* of one search; 0 (default): no limit */
  /* Longer steps are divided into equal substeps, at most max_substeps; time beyond that is not simulated.
   * Seconds, above 0, default 0.05; 1 to 64, default 8. */
  float max_step;
  uint32_t max_substeps;
  float place_extents[3]; /* half extents in which agents and targets find the mesh; default 2, 4, 2 */
  /* Agents farther than this from all focus points (wm_crowd_set_focus) look for neighbours every twelfth
   * step instead of every third, and avoid at most four. World units, above 0, default 30. */
  float focus_radius;
  float neighbour_range; /* how far agents look for neighbours, at most; world units, above 0, default 6 */
  /* The most flow fields that are stored, 0 to 64, default 8; 0: each agent searches by itself. If enough
   * agents wait for corridors to about the same point (same mesh, same filter) that it is cheaper, one
   * backward search serves all of them, and later ones until the mesh changes; the least recently used field
   * is replaced. Corridors to its own point are the cheapest, to other points of the same polygon they cost
   * up to 5 % more. A field uses about 28 bytes per portal it has visited. No fields are made with
   * max_search_nodes. */
  uint32_t max_fields;
  /* Seconds, default 5, without getting nearer to its target, after which an agent passes through others
   * softly: it neither avoids nor pushes them, and they don't avoid it, until it has got out (reason
   * WM_AGENT_REASON_PASSING). For agents that queue, time counts two fifths. 0: never. */
  float patience;
  /* Acceleration of agents that drop or jump over segment links, world units per second squared, above 0, default
   * 9.81: that of metres. */
  float gravity;
} WmCrowdOptions;

WmCrowdOptions wm_crowd_options_default(void);

/* Creates a crowd on a mesh, which must outlive it.
 * in         options: NULL for the defaults
 * returns    WM_OK, WM_ERROR_INVALID_ARGUMENT, WM_ERROR_OUT_OF_MEMORY; *crowd is NULL on failure
 * memory     about 1 kB per agent, and its corridor */
WmStatus wm_crowd_create(WmContext *context, const WmMesh *mesh, const WmCrowdOptions *options,
                         WmCrowd **crowd);
void wm_crowd_destroy(WmCrowd *crowd); /* NULL is allowed */

WmStatus wm_crowd_set_options(WmCrowd *crowd, const WmCrowdOptions *options);
void wm_crowd_options(const WmCrowd *crowd, WmCrowdOptions *options);

/* Adds a mesh for agents whose `type` selects it. It must outlive the crowd.
 * out        *type: 1, 2, ...; the first mesh is 0
 * returns    also WM_ERROR_LIMIT (256 meshes) */
WmStatus wm_crowd_add_mesh(WmCrowd *crowd, const WmMesh *mesh, uint32_t *type);

/* Sets filter `number`, which the parameters of agents select; all are the default filter at first. Agents
 * with it request new corridors, unless it is the same as before. The filter is copied, its WmCosts are not:
 * if they change, set the filter again.
 * in         number: 0 to 255 */
WmStatus wm_crowd_set_filter(WmCrowd *crowd, uint32_t number, const WmFilter *filter);

/* ---- Agents ----------------------------------------------------------------------------------------- */

/* Defaults are Unity's NavMeshAgent's where it has them. Lengths in world units, times in seconds. */
typedef struct WmAgentParameters {
  float radius;           /* > 0, default 0.5 */
  float height;           /* > 0, default 2: agents pass over and under each other */
  float max_speed;        /* >= 0, default 3.5 */
  float max_acceleration; /* >= 0, default 8: limits changes of its speed, and of its velocity in avoidance */
  float turning_speed;    /* degrees a second, >= 0, default 120: of its heading; its velocity doesn't wait
                             for that */
  float stopping_distance; /* >= 0, default 0: it stops this far before its target */
  float separation;        /* >= 0, default 0: strength with which it stays away from others beyond
                              touching; 1 is strong */
  float horizon;           /* > 0, default 1.2: it avoids collisions within this time */
  uint32_t avoidance;      /* WmAvoidance, default WM_AVOIDANCE_MEDIUM */
  uint32_t priority;       /* 0 to 99, default 50: of two agents the one with the higher number yields */
  uint32_t group;          /* bits: the groups it belongs to, default 1 */
  uint32_t avoids;         /* bits: the groups that it avoids and that push it, default all */
  uint32_t filter;         /* 0 to 255, default 0: see wm_crowd_set_filter */
  uint32_t type;           /* of mesh, default 0: see wm_crowd_add_mesh */
  /* >= 0, default 0: its path keeps this distance from walls of the mesh, where there is room (WmSearchOptions). */
  float wall_distance;
  /* >= 0, default 0: ground within wall_distance of walls costs more for it (WmSearchOptions). It then plans alone,
   * without shared flow fields and shortcuts. */
  float wall_cost;
  /* >= 0, default 0: half of max_speed. Its speed straight up and down on segment links: climbing and vaulting. */
  float climb_speed;
  bool auto_braking;     /* default true: it slows down before its target; else it runs past it */
  bool auto_connections; /* default true: it traverses off-mesh connections and segment links by itself */
  bool anticipate_turns; /* default false: it turns before corners, in arcs beside its path */
  /* Default false: its corridors are exact shortest ones (WmSearchOptions). It searches by itself, without flow fields,
   * and again for each new target; not with wall_cost. */
  bool shortest;
  double user_data; /* the caller's, default 0 */
} WmAgentParameters;

WmAgentParameters wm_agent_parameters_default(void);

/* Adds agents, each at the nearest point of its mesh within place_extents; without one it is off mesh.
 * in         positions [count][3], finite; parameters [parameter_count]: one for each, or 1 for all
 *            (parameter_count 1), or the defaults (0)
 * out        agents [count] (may be NULL): handles
 * returns    also WM_ERROR_LIMIT (2^31 agents) */
WmStatus wm_crowd_add_agents(WmCrowd *crowd, size_t count, const float *positions,
                             const WmAgentParameters *parameters, size_t parameter_count, WmAgent *agents);
WmStatus wm_crowd_remove_agents(WmCrowd *crowd, size_t count, const WmAgent *agents);

/* Returns the index of an agent in the arrays.
 * out        *index: below wm_crowd_count */
WmStatus wm_crowd_index(const WmCrowd *crowd, WmAgent agent, size_t *index);

/* Replaces the parameters of agents; their targets stay. An agent with another filter, type, `shortest` or cost of
 * walls requests a new corridor.
 * in         agents [count]; parameters [parameter_count]: one for each, or 1 for all */
WmStatus wm_crowd_set_parameters(WmCrowd *crowd, size_t count, const WmAgent *agents,
                                 const WmAgentParameters *parameters, size_t parameter_count);
WmStatus wm_crowd_parameters(const WmCrowd *crowd, WmAgent agent, WmAgentParameters *parameters);

size_t wm_crowd_count(const WmCrowd *crowd);

/* All agents as read-only arrays. The pointers are valid until the next call that adds or removes agents;
 * steps change the contents. */
typedef struct WmCrowdView {
  size_t count;
  const float *positions;          /* [count][3] on the surface */
  const float *previous_positions; /* [count][3] before the last step: to draw between two steps */
  const float *velocities;         /* [count][3] */
  const float *headings;           /* [count][2] x and z of the unit vector it faces */
  const uint8_t *states;           /* [count] WmAgentState */
  const uint8_t *reasons;          /* [count] WmAgentReason */
  const WmAgent *agents;           /* [count] */
} WmCrowdView;
void wm_crowd_view(const WmCrowd *crowd, WmCrowdView *view);

/* Positions between the last two steps: previous + (position - previous) * fraction.
 * in         fraction: 0..1
 * out        positions [count][3] */
void wm_crowd_interpolate(const WmCrowd *crowd, float fraction, float *positions);

/* Copies the sizes of all agents, to draw them.
 * out        sizes [count][2]: radius and height */
void wm_crowd_sizes(const WmCrowd *crowd, float *sizes);

/* ---- Orders ----------------------------------------------------------------------------------------- */

/* in         agents [count]; other arrays [count][3], or [1][3] for all (`shared`), finite */

/* Orders agents to walk to targets, each snapped to the nearest point of the mesh within place_extents that the agent's filter allows; one
 * over ground that it excludes, with no other ground within the agent's radius, to that: it goes as near as it can.
 * Agents with the same target fill the space around it. The same target again changes nothing, unless others pushed the agent off it;
 * around one that trembles within an agent's radius, agents at rest stay so. So games may order every frame. A new target in the polygon where
 * the corridor ends needs no search, except for agents with `shortest`. */
WmStatus wm_crowd_set_targets(WmCrowd *crowd, size_t count, const WmAgent *agents, const float *targets,
                              bool shared);
/* Orders agents to walk at velocities (y is ignored), sliding along walls, until the next order. */
WmStatus wm_crowd_set_velocities(WmCrowd *crowd, size_t count, const WmAgent *agents, const float *velocities,
                                 bool shared);
/* Orders agents to forget their target, and to stop as acceleration allows. */
WmStatus wm_crowd_stop(WmCrowd *crowd, size_t count, const WmAgent *agents);
/* Makes agents stand and remember target and corridor, or resumes them. */
WmStatus wm_crowd_pause(WmCrowd *crowd, size_t count, const WmAgent *agents, bool paused);
/* Moves agents to the nearest point of the mesh within place_extents; targets stay, velocities become 0.
 * Without such a point the agent is off mesh. */
WmStatus wm_crowd_warp(WmCrowd *crowd, size_t count, const WmAgent *agents, const float *positions,
                       bool shared);
/* Moves agents by displacements along the surface, sliding along walls: root motion, physics. An agent that
 * has arrived rests where it ends up. */
WmStatus wm_crowd_move(WmCrowd *crowd, size_t count, const WmAgent *agents, const float *displacements,
                       bool shared);

/* ---- One agent -------------------------------------------------------------------------------------- */

typedef struct WmAgentInfo {
  size_t index;
  WmAgentState state;
  WmAgentReason reason;
  WmRef polygon;             /* it stands on; 0 off mesh */
  bool has_target;           /* its order is a target */
  float target[3];           /* snapped to the mesh; off the mesh as it was set */
  float reachable[3];        /* its destination: the target or the nearest reachable point */
  float desired_velocity[3]; /* before avoidance */
  float remaining;           /* length of the path through `corners`, and straight from there on */
  float radius;
  WmRef connection; /* it is on or waits before; 0 none */
  /* In the direction of travel. If others are near and auto_connections is set, it lands beside the
   * connection's end, on the same side as it started and 1.5 times as far. */
  float connection_start[3], connection_end[3];
  float
      connection_progress; /* 0..1; on a segment link: `along` of wm_segment_link_point, in the direction of travel */
  /* If the connection is a segment link: how it is crossed, for the right animation. connection_start and
   * connection_end are then where it takes off and lands. */
  bool is_on_link;       /* it is on one or waits before one; the rest is 0 otherwise */
  bool link_is_reversed; /* it crosses from the far segment to the near one */
  WmSegmentLinkKind link_kind;
  float link_across, link_peak; /* as in WmSegmentLink */
  size_t neighbour_count, wall_count, corner_count;
  /* The narrow passage that it is in, or the next one near it on its path. */
  WmPassageState passage;
  float passage_entry[3]; /* where it begins; in it, the next portal. y: the agent's */
  WmAgent waits_for;      /* waiting: the agent that goes first, or that blocks it; 0: none, or an obstacle */
} WmAgentInfo;
WmStatus wm_crowd_info(const WmCrowd *crowd, WmAgent agent, WmAgentInfo *info);

/* Copies arrays of one agent for drawing, the first `room` elements of each.
 * out        corners [room][3]: its next corners; neighbours [room]: bodies it avoids, 0: an obstacle; walls
 *            [room][2][3]: walls it knows; each may be NULL. Counts are those of wm_crowd_info */
WmStatus wm_crowd_details(const WmCrowd *crowd, WmAgent agent, size_t room, float *corners,
                          WmAgent *neighbours, float *walls);

/* Copies the corridor of an agent: polygons from the one it is in to its destination.
 * out        polygons [room]: the first `room` of them, may be NULL; *count: the number of all, 0 without a
 *            corridor */
WmStatus wm_crowd_corridor(const WmCrowd *crowd, WmAgent agent, size_t room, WmRef *polygons, size_t *count);

/* ---- Off-mesh connections --------------------------------------------------------------------------- */

/* An agent with auto_connections goes over at its speed. Another one stops before it (waiting, reason
 * connection) until the game begins the traversal, moves it by progress, and completes it.
 *
 * Agents enter a segment link anywhere along its segment, many side by side. One that is larger than the mesh is for keeps the
 * difference of the radii from its ends, and wall_distance, but at most a quarter of the width. They walk to where they take off,
 * and follow the trajectory of wm_segment_link_point: level parts at max_speed, parts straight up and down at climb_speed. Drops fall with `gravity`, and jumps last as long as gravity takes for
 * their arc, but at least as long as their distance takes at twice max_speed. An agent that takes off crosses and lands, also
 * if the link is switched off or removed meanwhile. It walks on at the speed of its level part. */

/* Puts an agent on the connection it waits before, at progress 0.
 * returns    WM_ERROR_STATE if it waits before none */
WmStatus wm_crowd_begin_connection(WmCrowd *crowd, WmAgent agent);
/* Moves an agent along its connection, or along the trajectory over its segment link; 1 doesn't complete it.
 * in         progress: 0..1
 * returns    WM_ERROR_STATE if it is on none */
WmStatus wm_crowd_set_connection_progress(WmCrowd *crowd, WmAgent agent, float progress);
/* Puts an agent at the end of its connection; it walks on.
 * returns    WM_ERROR_STATE if it is on none */
WmStatus wm_crowd_complete_connection(WmCrowd *crowd, WmAgent agent);

/* ---- Obstacles and focus ---------------------------------------------------------------------------- */

/* Replaces all moving obstacles: upright cylinders that never yield; agents avoid them and are pushed out of
 * them. They move at their velocities from step to step until they are set again.
 * in         positions [count][3] of their bases; velocities [count][3] (NULL: 0); radii, heights [count] > 0
 *            (heights NULL: 2): copied */
WmStatus wm_crowd_set_obstacles(WmCrowd *crowd, size_t count, const float *positions, const float *velocities,
                                const float *radii, const float *heights);

/* Sets the focus points, usually the players (focus_radius). count 0: all agents are near.
 * in         points [count][3]: copied */
WmStatus wm_crowd_set_focus(WmCrowd *crowd, size_t count, const float *points);

/* ---- The step --------------------------------------------------------------------------------------- */

typedef struct WmCrowdStep {
  float simulated; /* seconds: less than the argument if max_substeps was reached */
  uint32_t substeps;
  uint32_t searched;         /* polygons that searches took */
  uint32_t waiting_searches; /* agents whose path request waits */
  uint32_t searches;         /* finished in this step */
  uint32_t arrived;          /* agents that arrived in this step */
  uint32_t crowded;          /* agents that came to rest before their target, crowded, in this step */
} WmCrowdStep;

/* Moves all agents. The order of phases is fixed: mesh changes, planning, neighbours, steering, avoidance,
 * moving, contacts, states; each reads the results of the one before.
 * in         seconds: finite, >= 0; 0 plans without moving
 * out        *step (may be NULL)
 * returns    WM_OK; WM_ERROR_INVALID_ARGUMENT (NaN, infinite, negative: nothing has happened);
 *            WM_ERROR_OUT_OF_MEMORY: the crowd stays valid, agents whose corridors found no memory request
 *            them again; a part of the step may be done
 * memory     none once it has seen as many agents and as long corridors */
WmStatus wm_crowd_step(WmCrowd *crowd, float seconds, WmCrowdStep *step);

/* A hash of all agents by handle: equal hashes, equal crowds, in any order of the arrays, also on another mesh with the same
 * tiles. For tests. */
uint64_t wm_crowd_hash(const WmCrowd *crowd);

/* Checks all invariants of a crowd, without side effects: handles and indices are inverse; each block of a
 * corridor belongs to one agent; corridors are linked, or are still to be checked after a change of the mesh;
 * positions are finite and on their polygon; states agree with orders; every agent that needs a corridor is
 * in the queue, once, or its search runs; bodies are sorted by cells.
 * returns    false: one is violated. For tests, and after every step in builds with WM_ASSERTS
 * cost       O(agents, polygons of their corridors, cells) */
bool wm_crowd_validate(const WmCrowd *crowd);

WM_PUBLIC_END

#endif
