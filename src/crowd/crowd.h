/* Crowds: thousands of agents that walk on a mesh, around each other and around what moves.
 *
 * Usual order: wm_crowd_create for a mesh; wm_crowd_add_agents; wm_crowd_set_targets at any time; once a
 * frame wm_crowd_step, then wm_crowd_view for positions, velocities and states as contiguous arrays;
 * wm_crowd_destroy. Tiles, connections, flags and areas of the mesh may change between steps: agents mend
 * their ways by themselves.
 *
 * Agents lie in dense arrays: agent i of n in the order of the arrays, which changes where agents are removed
 * (the last one takes the place). Handles are stable: wm_crowd_index finds the place, the view's `agents` the
 * handle. Functions for many agents at once check everything before they change anything: where one handle
 * or number is wrong, nothing has changed.
 *
 * Several meshes (clearances, kinds of agents): wm_crowd_add_mesh. All agents avoid each other wherever they
 * walk.
 *
 * The same calls give the same bits everywhere, natively and in WebAssembly. Where agents lie in the arrays
 * is of no account; the numbers of handles are: agents look around by turns, in their order, and of two that
 * are exactly equally near to a third one the smaller number counts as nearer.
 *
 * Every function may return WM_ERROR_OUT_OF_MEMORY, WM_ERROR_INVALID_ARGUMENT (names the field) or
 * WM_ERROR_STALE_REFERENCE (an agent that was removed); the crowd is then as it was, but for
 * wm_crowd_step and wm_crowd_move: where those find no memory, some agents may have moved.
 *
 * Threads: a crowd belongs to one thread, and uses its context. */
#ifndef WALKMESH_CROWD_CROWD_H
#define WALKMESH_CROWD_CROWD_H

#include "query/query.h"

/* A handle: generation and number, below 2^53, never 0. One of a removed agent stays invalid. It does not
 * name its crowd: that of another one is taken for the agent of this crowd that has the same number, if there
 * is one. */
typedef uint64_t WmAgent;

enum { WM_AGENT_GENERATION_BITS = 21, WM_AGENT_NUMBER_BITS = 32 };

typedef struct WmCrowd WmCrowd;

/* ---- Words -------------------------------------------------------------------------------------------- */

typedef enum WmAgentState {
  WM_AGENT_NO_TARGET = 0,     /* stands, and gives way */
  WM_AGENT_PLANNING = 1,      /* its request waits in the queue; it goes on as it went before */
  WM_AGENT_FOLLOWING = 2,     /* walks to its target, or at its velocity */
  WM_AGENT_WAITING = 3,       /* stands for a while: see the reason */
  WM_AGENT_ON_CONNECTION = 4, /* on an off-mesh connection */
  WM_AGENT_ARRIVED = 5,       /* at its target, or as near as others who rest there let it; with auto_braking
                                 it walks back where it is pushed off */
  WM_AGENT_UNREACHABLE = 6,   /* stands at the reachable place nearest to its target */
  WM_AGENT_OFF_MESH = 7       /* there is no ground where it is: it stands until there is, or it is warped */
} WmAgentState;

typedef enum WmAgentReason {
  WM_AGENT_REASON_NONE = 0,
  WM_AGENT_REASON_PAUSED = 1,               /* waiting: wm_crowd_pause */
  WM_AGENT_REASON_CONNECTION = 2,           /* waiting: it stands before an off-mesh connection that is the
                                               game's to traverse (wm_crowd_begin_connection) */
  WM_AGENT_REASON_BLOCKED = 3,              /* waiting: it has hardly come forward for some time */
  WM_AGENT_REASON_VELOCITY = 4,             /* following: a velocity, not a place */
  WM_AGENT_REASON_TARGET_OFF_MESH = 5,      /* unreachable: no ground near the target; it stays where it is */
  WM_AGENT_REASON_TARGET_EXCLUDED = 6,      /* its filter does not let the target's polygon pass ... */
  WM_AGENT_REASON_TARGET_NOT_CONNECTED = 7, /* there is no way to the target ... : following, then unreachable
                                               at the nearest reachable place */
  WM_AGENT_REASON_CROWDED = 8,              /* arrived: others of the same target fill the space up to it, or
                                               somebody rests on it */
  WM_AGENT_REASON_MESH_CHANGED = 9,         /* planning: the way was lost with its ground */
  WM_AGENT_REASON_NO_GROUND = 10,           /* off mesh */
  WM_AGENT_REASON_SEARCH_LIMIT = 11         /* following, then unreachable: max_search_nodes was reached */
} WmAgentReason;

/* How an agent keeps clear of others. */
typedef enum WmAvoidance {
  WM_AVOIDANCE_NONE = 0,    /* it is only pushed apart; held up for long it leans to one side */
  WM_AVOIDANCE_LOW = 1,     /* reciprocal velocity obstacles of the 4 nearest */
  WM_AVOIDANCE_MEDIUM = 2,  /* of the 8 nearest, and walls */
  WM_AVOIDANCE_HIGH = 3,    /* of the 12 nearest, and walls */
  WM_AVOIDANCE_SAMPLING = 4 /* sampled velocities, as DetourCrowd: more to compute, and less smooth */
} WmAvoidance;

/* ---- The crowd ---------------------------------------------------------------------------------------- */

typedef struct WmCrowdOptions {
  /* Polygons that all searches of a step may take up together, 1 and above: about 0.1 microseconds each.
   * Default 8192. Requests that find no room wait for the next steps, the oldest first, and a search that is
   * not finished goes on in the next step. */
  uint32_t search_budget;
  uint32_t max_search_nodes; /* of one search; 0 (default): no limit */
  /* Steps longer than this are divided into equal ones, up to max_substeps; what is longer still is not
   * simulated. Seconds, above 0, default 0.05; 1 to 64, default 8. */
  float max_step;
  uint32_t max_substeps;
  float place_extents[3]; /* how far from the mesh agents and targets may be; default 2, 4, 2 */
  /* With focus points (wm_crowd_set_focus): agents farther than this from all of them look for others every
   * twelfth step only (else every third), and heed four at most. World units, above 0, default 30. */
  float focus_radius;
  float neighbour_range; /* how far agents look for others, at most; world units, above 0, default 6 */
  /* Searches that agents share: where so many wait for ways to about the same place (on the same mesh, with
   * the same filter) that it is cheaper, one search goes backwards from there to all of them, and is kept for
   * others until the mesh changes. Their ways are the cheapest, to places beside its own up to 5 % dearer. So
   * many are kept, the least recently used goes; 0: each agent searches by itself. 0 to 64, default 8. Each
   * takes about 28 bytes for each opening between polygons as far as it has got. With max_search_nodes none
   * are made. */
  uint32_t max_fields;
} WmCrowdOptions;

WmCrowdOptions wm_crowd_options_default(void);

/* returns    WM_OK, WM_ERROR_INVALID_ARGUMENT, WM_ERROR_OUT_OF_MEMORY; *crowd is NULL on failure. The mesh
 *            must outlive the crowd. options NULL: the defaults
 * memory     about 1 kB an agent, and its path */
WmStatus wm_crowd_create(WmContext *context, const WmMesh *mesh, const WmCrowdOptions *options,
                         WmCrowd **crowd);
void wm_crowd_destroy(WmCrowd *crowd); /* NULL is allowed */

WmStatus wm_crowd_set_options(WmCrowd *crowd, const WmCrowdOptions *options);
void wm_crowd_options(const WmCrowd *crowd, WmCrowdOptions *options);

/* Another mesh for agents whose parameters say so.
 * out        *type: 1, 2, ...; that of the first mesh is 0
 * returns    also WM_ERROR_LIMIT (256 meshes) */
WmStatus wm_crowd_add_mesh(WmCrowd *crowd, const WmMesh *mesh, uint32_t *type);

/* The filter of a number, which agents' parameters name; all are the default filter at first. Agents with it
 * plan anew. It is copied, its WmCosts are not; where those change, or costs in them, set it again.
 * in         number: 0 to 255 */
WmStatus wm_crowd_set_filter(WmCrowd *crowd, uint32_t number, const WmFilter *filter);

/* ---- Agents ------------------------------------------------------------------------------------------- */

/* Defaults are those of Unity's NavMeshAgent where it has them. All lengths in world units, times in seconds.
 */
typedef struct WmAgentParameters {
  float radius;           /* > 0, default 0.5 */
  float height;           /* > 0, default 2: agents pass over and under one another */
  float max_speed;        /* >= 0, default 3.5 */
  float max_acceleration; /* >= 0, default 8: of its speed along its way, and of what avoidance changes */
  float turning_speed;    /* degrees a second, >= 0, default 120: of its heading. What it walks along does not
                             wait for that */
  float stopping_distance; /* >= 0, default 0: it stops so far from its target */
  float separation;        /* >= 0, default 0: how strongly it keeps away from others beyond touching; 1 is
                              strong */
  float horizon;           /* > 0, default 1.2: it avoids what it would meet within this time */
  uint32_t avoidance;      /* WmAvoidance, default WM_AVOIDANCE_MEDIUM */
  uint32_t priority;       /* 0 to 99, default 50: of two agents the one with the higher number gives way */
  uint32_t group;          /* bits of what it is, default 1 */
  uint32_t avoids;         /* bits of what it gives way to and is pushed by, default all */
  uint32_t filter;         /* 0 to 255, default 0: see wm_crowd_set_filter */
  uint32_t type;           /* of mesh, default 0: see wm_crowd_add_mesh */
  bool auto_braking;       /* default true: it slows down before its target; else it runs past it */
  bool auto_connections;   /* default true: it traverses off-mesh connections by itself */
  bool anticipate_turns;   /* default false: it turns before corners, in arcs beside its line */
  double user_data;        /* the caller's, default 0 */
} WmAgentParameters;

WmAgentParameters wm_agent_parameters_default(void);

/* Adds agents, each at the nearest place of its mesh within place_extents; where there is none it is off
 * mesh.
 * in         positions [count][3], finite; parameters [parameter_count]: one for each, or 1 for all
 *            (parameter_count 1), or the defaults (0)
 * out        agents [count] (may be NULL)
 * returns    also WM_ERROR_LIMIT (2^31 agents) */
WmStatus wm_crowd_add_agents(WmCrowd *crowd, size_t count, const float *positions,
                             const WmAgentParameters *parameters, size_t parameter_count, WmAgent *agents);
WmStatus wm_crowd_remove_agents(WmCrowd *crowd, size_t count, const WmAgent *agents);

/* Where an agent lies in the arrays. */
WmStatus wm_crowd_index(const WmCrowd *crowd, WmAgent agent, size_t *index);

/* New parameters; targets stay. Another filter or type: the agent plans anew.
 * in         agents [count]; parameters [parameter_count]: one for each, or 1 for all */
WmStatus wm_crowd_set_parameters(WmCrowd *crowd, size_t count, const WmAgent *agents,
                                 const WmAgentParameters *parameters, size_t parameter_count);
WmStatus wm_crowd_parameters(const WmCrowd *crowd, WmAgent agent, WmAgentParameters *parameters);

size_t wm_crowd_count(const WmCrowd *crowd);

/* All agents as arrays, to be read: good until the next call that adds or removes agents; steps change what
 * is in them, not where they are. */
typedef struct WmCrowdView {
  size_t count;
  const float *positions;          /* [count][3] on the surface */
  const float *previous_positions; /* [count][3] before the last step: to draw between two steps */
  const float *velocities;         /* [count][3] */
  const float *headings;           /* [count][2] where it looks, x and z of a unit vector */
  const uint8_t *states;           /* [count] WmAgentState */
  const uint8_t *reasons;          /* [count] WmAgentReason */
  const WmAgent *agents;           /* [count] */
} WmCrowdView;
void wm_crowd_view(const WmCrowd *crowd, WmCrowdView *view);

/* Positions between the last two steps: previous + (position - previous) * part.
 * in         part: 0..1
 * out        positions [count][3] */
void wm_crowd_interpolate(const WmCrowd *crowd, float part, float *positions);

/* What all agents measure: to draw them.
 * out        sizes [count][2]: radius and height */
void wm_crowd_sizes(const WmCrowd *crowd, float *sizes);

/* ---- What agents are to do ----------------------------------------------------------------------------
 *
 * in         agents [count]; other arrays [count][3], or [1][3] for all (`shared`), finite */

/* Go there. The nearest place of the mesh within place_extents is meant. Agents whose target is the same
 * place fill the space around it. A target that is set again within the polygon where the way ends is
 * followed without a new search. */
WmStatus wm_crowd_set_targets(WmCrowd *crowd, size_t count, const WmAgent *agents, const float *targets,
                              bool shared);
/* Go at this velocity (y is of no account), along walls, until told otherwise. */
WmStatus wm_crowd_set_velocities(WmCrowd *crowd, size_t count, const WmAgent *agents, const float *velocities,
                                 bool shared);
/* Forget the target, and stop as acceleration allows. */
WmStatus wm_crowd_stop(WmCrowd *crowd, size_t count, const WmAgent *agents);
/* Stand where you are, and keep target and way; or go on. */
WmStatus wm_crowd_pause(WmCrowd *crowd, size_t count, const WmAgent *agents, bool paused);
/* Be somewhere else at once (the nearest place of the mesh within place_extents); the target stays, velocity
 * is 0. Where there is no ground the agent is off mesh. */
WmStatus wm_crowd_warp(WmCrowd *crowd, size_t count, const WmAgent *agents, const float *positions,
                       bool shared);
/* Move by a displacement along the surface, sliding along walls: root motion, physics. An agent that has
 * arrived rests where it comes to. */
WmStatus wm_crowd_move(WmCrowd *crowd, size_t count, const WmAgent *agents, const float *displacements,
                       bool shared);

/* ---- What is known of one ----------------------------------------------------------------------------- */

typedef struct WmAgentInfo {
  size_t index;
  WmAgentState state;
  WmAgentReason reason;
  WmRef polygon;             /* it stands on; 0 off mesh */
  bool has_target;           /* a place */
  float target[3];           /* as it was moved onto the mesh; off the mesh as it was set */
  float reachable[3];        /* where it is going: the target or the nearest reachable place */
  float desired_velocity[3]; /* before avoidance */
  float remaining;           /* length of the line through `corners`, and straight from there on */
  float radius;
  WmRef connection; /* it is on or stands before, 0 none */
  /* In the direction of travel. Among others it lands beside the connection's end, by as much as it took off
   * beside its start and half as much again; with auto_connections only. */
  float connection_start[3], connection_end[3];
  float connection_progress; /* 0..1 */
  size_t neighbour_count, wall_count, corner_count;
} WmAgentInfo;
WmStatus wm_crowd_info(const WmCrowd *crowd, WmAgent agent, WmAgentInfo *info);

/* For drawing: arrays of one agent, the first `room` of each.
 * out        corners [room][3]: the next ones on its way; neighbours [room]: it avoids, 0: an obstacle;
 *            walls [room][2][3]: it knows; each may be NULL. Counts are those of wm_crowd_info */
WmStatus wm_crowd_details(const WmCrowd *crowd, WmAgent agent, size_t room, float *corners,
                          WmAgent *neighbours, float *walls);

/* The corridor of an agent: polygons from the one it is in to the last of its way.
 * out        polygons [room]: the first `room` of them, may be NULL; *count: how many there are, 0 without
 *            a way */
WmStatus wm_crowd_corridor(const WmCrowd *crowd, WmAgent agent, size_t room, WmRef *polygons, size_t *count);

/* ---- Off-mesh connections -----------------------------------------------------------------------------
 *
 * An agent with auto_connections goes over at its speed. Another one stops before it (waiting, reason
 * connection) until the game begins the traversal, moves it by progress, and completes it. */

/* The agent is on the connection it stands before, at progress 0.
 * returns    WM_ERROR_STATE where it stands before none */
WmStatus wm_crowd_begin_connection(WmCrowd *crowd, WmAgent agent);
/* Where it is between start and end; 1 does not complete it.
 * in         progress: 0..1 */
WmStatus wm_crowd_set_connection_progress(WmCrowd *crowd, WmAgent agent, float progress);
/* It is at the end, and goes on.
 * returns    WM_ERROR_STATE where it is on none */
WmStatus wm_crowd_complete_connection(WmCrowd *crowd, WmAgent agent);

/* ---- What else is there ------------------------------------------------------------------------------- */

/* Moving obstacles, in place of the former ones: upright cylinders that give way to nobody; agents avoid them
 * and are pushed out of them. They move on at their velocities from step to step until they are set again.
 * in         positions [count][3] of their feet; velocities [count][3] (NULL: 0); radii, heights [count] > 0
 *            (heights NULL: 2): copied */
WmStatus wm_crowd_set_obstacles(WmCrowd *crowd, size_t count, const float *positions, const float *velocities,
                                const float *radii, const float *heights);

/* Where the players look: see focus_radius. count 0: all agents are near.
 * in         points [count][3]: copied */
WmStatus wm_crowd_set_focus(WmCrowd *crowd, size_t count, const float *points);

/* ---- The step ----------------------------------------------------------------------------------------- */

typedef struct WmCrowdStep {
  float simulated; /* seconds: less than asked for where max_substeps was reached */
  uint32_t substeps;
  uint32_t searched;         /* polygons taken up by searches */
  uint32_t waiting_searches; /* agents whose request waits */
  uint32_t searches;         /* finished in this step */
  uint32_t arrived;          /* agents that arrived in this step */
} WmCrowdStep;

/* Moves everybody on. The order of a step is fixed: mesh changes, planning, neighbours, steering, avoidance,
 * moving, contacts; each reads what the one before left.
 * in         seconds: finite, >= 0; 0 plans without moving
 * out        *step (may be NULL)
 * returns    WM_OK; WM_ERROR_INVALID_ARGUMENT (NaN, infinite, negative: nothing has happened);
 *            WM_ERROR_OUT_OF_MEMORY: the crowd is whole, agents whose ways found no memory plan again; the
 *            step may have been done in part
 * memory     none once it has seen as many agents and as long ways */
WmStatus wm_crowd_step(WmCrowd *crowd, float seconds, WmCrowdStep *step);

/* A hash of all there is to know of all agents by handle: equal hashes, equal crowds, wherever agents lie in
 * the arrays. For tests. */
uint64_t wm_crowd_hash(const WmCrowd *crowd);

#endif
