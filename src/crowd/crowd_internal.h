/* Shared by the files of this folder: what a crowd holds.
 *
 *   crowd.c        creating, options, meshes, filters, obstacles, the hash
 *   agents.c       handles, adding and removing, the arrays
 *   orders.c       targets, velocities, stopping, warping, moving by hand
 *   inspect.c      what is known of one agent
 *   way.c          the corridor of an agent: a chain of blocks, polygons and openings between them
 *   pull.c         the next corners on a way
 *   queue.c        the queue of requests
 *   plan.c         searches, and what agents are told
 *   fields.c       flow fields that agents with the same goal share
 *   redirect.c     goals that cannot be reached
 *   shortcut.c     better beginnings of ways
 *   changes.c      being put on the mesh, ways that are lost where it changes
 *   walk.c         moving along the surface, and keeping the way
 *   grid.c         everybody by cells, and the nearest ones
 *   walls.c        walls around an agent
 *   steer.c        what velocity an agent would like
 *   keep_right.c   keeping to one side where many come
 *   orca.c         reciprocal velocity obstacles
 *   half_planes.c  the best velocity that half-planes allow
 *   sampling.c     sampled velocities
 *   contact.c      pushing apart
 *   connection.c   off-mesh connections
 *   step.c         the phases of a step
 *
 * What others look at, and what callers read, lies in arrays by agent; what only the agent itself needs, in
 * its record. Dense places (`index`) change when agents are removed; numbers (of handles) do not. */
#ifndef WALKMESH_CROWD_CROWD_INTERNAL_H
#define WALKMESH_CROWD_CROWD_INTERNAL_H

#include <math.h>
#include <string.h>

#include "base/buffer.h"
#include "base/inline.h"
#include "base/moving_obstacle.h"
#include "base/vector.h"
#include "crowd/crowd.h"
#include "crowd/tuning.h"
#include "query/search/flow_field.h"
#include "query/search/islands.h"

/* Limits of the interface; tuned numbers are in tuning.h. */
enum { WM_CROWD_FILTERS = 256, WM_CROWD_TYPES = 256, WM_CROWD_FLOW_FIELDS = 64 };

#define WM_NONE UINT32_MAX
/* Of neighbours that are obstacles. */
#define WM_OBSTACLE (1u << 31)

/* ---- Ways --------------------------------------------------------------------------------------------- */

/* Some polygons of a way, and the opening from each to the next: left x, z, right x, z. */
typedef struct WmCorridorBlock {
  WmRef polygons[WM_CORRIDOR_BLOCK];
  float portals[WM_CORRIDOR_BLOCK][4];
  uint32_t next;        /* block behind, or the next free one; WM_NONE */
  uint32_t connections; /* bit i: polygon i is an off-mesh connection */
} WmCorridorBlock;

/* From the polygon where the agent is to that where it goes. */
typedef struct WmAgentCorridor {
  uint32_t first, last; /* blocks; WM_NONE where count is 0 */
  uint32_t head;        /* place of the first polygon in the first block */
  uint32_t tail;        /* places taken in the last block */
  uint32_t count;
} WmAgentCorridor;

/* ---- Agents ------------------------------------------------------------------------------------------- */

typedef enum WmOrderKind { WM_ORDER_NONE, WM_ORDER_TARGET, WM_ORDER_VELOCITY } WmOrderKind;

typedef struct WmCorner {
  float point[3];
} WmCorner;

/* What only the agent itself needs. What every step reads of all agents comes first, in four lines of the
 * cache; then what searches, connections and walls take now and then. */
typedef struct WmAgentRecord {
  WmAgentParameters parameters;
  WmRef polygon; /* it stands on; 0 off mesh */

  /* What it is to do. */
  uint8_t order; /* WmOrderKind */
  bool is_paused;
  bool is_partial;         /* the way does not lead to the target: see why */
  uint8_t partial_reason;  /* WmAgentReason of that */
  bool needs_plan;         /* it is in the queue */
  bool search_is_outdated; /* the search under way is for a former target */

  /* The next corners on its way, and from where they were found. */
  uint8_t corner_count;
  bool ends_at_last;       /* the last corner is the end of the way */
  bool ends_at_connection; /* ... or the entry of an off-mesh connection */
  bool corners_are_valid;
  bool corridor_is_new; /* since it moved last */
  bool anticipates;     /* it turns before its next corner: beside the line */
  uint8_t wall_count;
  bool walls_are_valid;
  uint8_t shortcut_turns; /* left since it was last led off its way */
  uint8_t oncoming;       /* how many come towards it, far ahead */
  float corners_from[2];
  WmCorner corners[WM_CROWD_CORNERS];

  /* Motion. */
  float direction[2];          /* that it would like, unit length; 0 at rest */
  float previous_direction[2]; /* the same in the step before */
  float preferred[2];          /* velocity */
  float chosen[2];             /* velocity after avoidance */
  float ordered_velocity[2];   /* velocity that it was told, x and z */
  float braking_distance;      /* how far it may go on: to the end less the stopping distance; INFINITY */
  float last_leg;              /* its length, where it is on that; INFINITY */
  float progress_speed;        /* how fast it has come forward lately, world units a second */
  float blocked_time;          /* seconds without coming forward */
  float from[2];               /* where the step began */
  float neighbour_range;       /* how far it looks for neighbours */
  float slowdown;              /* part of its speed that avoidance has changed lately, 0.. */
  float destination[3];        /* of the way: the target or the nearest reachable place */

  /* Its way. */
  WmAgentCorridor corridor;
  float walls_from[2];
  WmRef next_connection; /* where ends_at_connection */
  WmRef connection;      /* the off-mesh connection it is on or stands before */

  /* Planning. */
  uint64_t checked_version; /* of the mesh for which all of the way was looked at */
  uint64_t checking_version;
  uint32_t checked;     /* polygons looked at for the version being checked */
  uint32_t detours;     /* how often it was led off its way */
  uint32_t request;     /* of the entry of the queue, or the search, that is its own; 0: to be asked for */
  uint32_t queued;      /* of the entry that is in the queue, wanted or not; 0: none */
  WmRef target_polygon; /* 0: the target is off the mesh */
  float target[3];      /* on the mesh */
  uint32_t failures;    /* searches without a way, one after the other */
  float retry;          /* seconds until it may plan again after the mesh has changed */

  /* On its off-mesh connection. */
  float connection_start[3], connection_end[3];
  float connection_aside[2]; /* so far beside where the connection ends, x and z */
  float progress;

  /* Walls around it: x, z of both ends; the ground is on the left. */
  float walls[WM_CROWD_WALLS][4];
} WmAgentRecord;

/* Who is where, in the order of cells: all that others need to know. */
typedef struct WmBody {
  float x, z, y, radius;
  float velocity_x, velocity_z;
  float height;
  uint32_t index;  /* of the agent; of an obstacle: WM_NONE */
  uint32_t number; /* of its handle; of an obstacle: its place + 2^31 */
  uint32_t group, avoids;
  uint32_t target_id; /* stands for where it goes: agents of the same place have the same; 0 none */
  uint8_t priority;
  uint8_t state;    /* WmAgentState */
  uint8_t is_still; /* it stands and is not going to move by itself */
  uint8_t yields;
} WmBody;

/* How much of what keeps two apart the agent itself does, by priority; 0..1, the rest is the other's. */
WM_INLINE float wm_crowd_share(const WmBody *own, const WmBody *other) {
  const float share = 0.5f + 0.5f * ((float)own->priority - (float)other->priority) / WM_PRIORITY_RANGE;
  return wm_clamp_unit(share);
}

/* What contacts need of everybody, by place in `near`: agents where they have moved to. */
typedef struct WmContactBody {
  float x, z, radius;
  float push[2];
  bool is_paused;
} WmContactBody;

/* ---- The crowd ---------------------------------------------------------------------------------------- */

/* A flow field that agents share. */
typedef struct WmCrowdFlowField {
  WmFlowField *flow; /* NULL: none */
  uint32_t type, filter;
  WmRef polygon;
  float position[3]; /* of its goal */
  uint32_t cost;     /* what it took so far */
  uint64_t used;     /* when it was last, by field_clock */
} WmCrowdFlowField;

/* Islands of a mesh for what filters let pass. */
typedef struct WmCrowdIslands {
  WmIslands *islands; /* NULL: none */
  uint32_t type;
  uint16_t include_flags, exclude_flags;
  uint64_t used;
} WmCrowdIslands;

/* Where a search goes to. */
typedef struct WmCrowdDestination {
  WmRef polygon;
  float point[3];
  bool is_redirected; /* it is the reachable place nearest to the target, which is not reachable: see why */
  bool is_last;       /* nothing else is tried where it cannot be reached */
  uint8_t partial_reason;
} WmCrowdDestination;

/* A mesh that agents walk on. */
typedef struct WmCrowdMesh {
  const WmMesh *mesh;
  WmQuery *query;
  WmSearch *search;
  uint64_t seen_version;
  /* The agent whose search is being made; its request tells whether it still is. */
  bool is_searching;
  WmAgent searcher;
  uint32_t request;
  WmCrowdDestination destination;
  uint64_t key;                     /* of the searcher's target when it began */
  WmCrowdFlowField *field;          /* that grows; NULL: `search` is under way */
  uint32_t search_cost, field_cost; /* polygons that searches and fields took lately: 16 times, 4 times */
} WmCrowdMesh;

/* What a number of handles is used for. */
typedef struct WmAgentNumber {
  uint32_t generation; /* 1 and above */
  uint32_t index;      /* of the agent, or the next free number */
  bool is_used;
} WmAgentNumber;

typedef struct WmPathRequest {
  WmAgent agent; /* 0: it was taken out of turn */
  uint64_t key;  /* of its target (wm_crowd_target_key) */
  uint32_t request;
} WmPathRequest;

struct WmCrowd {
  WmContext *context;
  WmCrowdOptions options;
  WmBuffer meshes; /* WmCrowdMesh *, by type */
  uint32_t mesh_count;
  WmFilter *filters[WM_CROWD_FILTERS]; /* NULL: the default */
  WmFilter default_filter;

  /* Agents: arrays by index, in one block (agents.c lists them). */
  size_t count, capacity;
  void *block;
  float *positions, *previous, *velocities, *headings;
  uint8_t *states, *reasons;
  WmAgent *agents;
  WmAgentRecord *records;
  uint8_t *found_counts;
  uint32_t *found;      /* [WM_CROWD_NEIGHBOURS] neighbours as found: index, or WM_OBSTACLE and its place */
  uint32_t *neighbours; /* [WM_CROWD_NEIGHBOURS] the same as places in `near`, the most urgent first */
  uint8_t *neighbour_counts;

  WmBuffer numbers; /* WmAgentNumber [number_count] */
  uint32_t number_count, free_number;

  /* Everybody by cells. */
  WmBuffer bodies;         /* WmBody [body_count] */
  WmBuffer body_axes[2];   /* float [body_count] x and z of the same */
  WmBuffer contact_bodies; /* WmContactBody [body_count] */
  WmBuffer body_cells; /* uint32_t by index, obstacles behind: the cell, then the place in `near`; WM_NONE */
  WmBuffer cell_first; /* uint32_t [cell_mask + 2] */
  size_t body_count;
  uint32_t cell_mask;
  int32_t cell_columns, cell_rows;
  float grid_low[2]; /* where cells begin */

  WmBuffer corridor_blocks; /* WmCorridorBlock [corridor_block_count] */
  uint32_t corridor_block_count, free_corridor_block, free_corridor_blocks;

  WmBuffer queue; /* WmPathRequest, a ring */
  size_t queue_first, queue_count;
  size_t removed_requests; /* entries of the queue that were taken out of turn */
  uint32_t request;        /* the last one given out */
  WmBuffer demand;         /* how many ask for the same: see queue.c */
  size_t demand_size;
  uint64_t shared_key; /* of those who wait for a field that has just grown; 0 */
  WmCrowdFlowField flow_fields[WM_CROWD_FLOW_FIELDS];
  WmCrowdIslands islands[WM_CROWD_ISLANDS];
  uint64_t field_clock;
  uint32_t shortcut_next; /* number of the agent whose turn it is */

  WmBuffer obstacles; /* WmMovingObstacle [obstacle_count] */
  size_t obstacle_count;
  WmBuffer focus; /* float [3] [focus_count] */
  size_t focus_count;
  WmBuffer ray_polygons; /* WmRef: scratch of walk.c */

  bool neighbours_are_stale; /* indices have changed since they were found */
  uint64_t steps;
};

/* ---- Shared helpers ----------------------------------------------------------------------------------- */

WM_INLINE WmCrowdMesh *wm_crowd_mesh(const WmCrowd *crowd, uint32_t type) {
  return ((WmCrowdMesh **)crowd->meshes.items)[type];
}
WM_INLINE WmCrowdMesh *wm_agent_mesh(const WmCrowd *crowd, const WmAgentRecord *record) {
  return wm_crowd_mesh(crowd, record->parameters.type);
}
WM_INLINE const WmFilter *wm_agent_filter(const WmCrowd *crowd, const WmAgentRecord *record) {
  const WmFilter *filter = crowd->filters[record->parameters.filter];
  return filter ? filter : &crowd->default_filter;
}
WM_INLINE uint32_t wm_agent_number(WmAgent agent) { return (uint32_t)agent; }
WM_INLINE WmBody *wm_crowd_bodies(const WmCrowd *crowd) { return crowd->bodies.items; }
WM_INLINE WmContactBody *wm_crowd_contact_bodies(const WmCrowd *crowd) { return crowd->contact_bodies.items; }

/* The index of an agent. returns WM_OK, WM_ERROR_STALE_REFERENCE, WM_ERROR_INVALID_ARGUMENT (explained) */
WmStatus wm_crowd_find(const WmCrowd *crowd, WmAgent agent, size_t *index);
/* The same without an explanation: false where there is no such agent. */
bool wm_crowd_peek(const WmCrowd *crowd, WmAgent agent, size_t *index);

/* Numbers are finite and within +-WM_FARTHEST. */
WmStatus wm_crowd_check_numbers(const WmCrowd *crowd, const float *numbers, size_t count, const char *field);

/* way.c */
WmStatus wm_agent_corridor_set(WmCrowd *crowd, WmAgentCorridor *corridor, const WmMesh *mesh,
                               const WmRef *polygons, size_t count);
void wm_agent_corridor_clear(WmCrowd *crowd, WmAgentCorridor *corridor);
void wm_agent_corridor_drop(WmCrowd *crowd, WmAgentCorridor *corridor, uint32_t count);
WmStatus wm_agent_corridor_prepend(WmCrowd *crowd, WmAgentCorridor *corridor, const WmMesh *mesh,
                                   WmRef polygon, const float portal[6]);
typedef struct WmCorridorCursor {
  uint32_t block, offset, index;
} WmCorridorCursor;
WM_INLINE WmCorridorBlock *wm_agent_corridor_block(const WmCrowd *crowd, uint32_t block) {
  return (WmCorridorBlock *)crowd->corridor_blocks.items + block;
}
WM_INLINE WmCorridorCursor wm_agent_corridor_begin(const WmAgentCorridor *corridor) {
  return (WmCorridorCursor){corridor->first, corridor->head, 0};
}
WM_INLINE WmRef wm_agent_corridor_polygon(const WmCrowd *crowd, WmCorridorCursor cursor) {
  return wm_agent_corridor_block(crowd, cursor.block)->polygons[cursor.offset];
}
WM_INLINE const float *wm_agent_corridor_portal(const WmCrowd *crowd, WmCorridorCursor cursor) {
  return wm_agent_corridor_block(crowd, cursor.block)->portals[cursor.offset];
}
WM_INLINE bool wm_agent_corridor_is_connection(const WmCrowd *crowd, WmCorridorCursor cursor) {
  return wm_agent_corridor_block(crowd, cursor.block)->connections >> cursor.offset & 1;
}
WM_INLINE WmCorridorCursor wm_agent_corridor_next(const WmCrowd *crowd, WmCorridorCursor cursor) {
  if (cursor.offset + 1 < WM_CORRIDOR_BLOCK)
    return (WmCorridorCursor){cursor.block, cursor.offset + 1, cursor.index + 1};
  return (WmCorridorCursor){wm_agent_corridor_block(crowd, cursor.block)->next, 0, cursor.index + 1};
}

/* pull.c: the next corners from the agent's position. */
void wm_crowd_pull(WmCrowd *crowd, size_t index);

/* queue.c */
WmStatus wm_crowd_request(WmCrowd *crowd, size_t index);
/* The same after another target was set: a search under way is not given up. */
WmStatus wm_crowd_request_target(WmCrowd *crowd, size_t index);
/* The same from within a step, whose phases go over agents as they lie: the next step asks, by number. */
WM_INLINE void wm_crowd_request_later(WmAgentRecord *record) {
  record->needs_plan = true;
  record->search_is_outdated = false;
  record->request = 0;
}
/* Room in the queue for so many more: wm_crowd_request cannot fail then. */
WmStatus wm_crowd_reserve_requests(WmCrowd *crowd, size_t more);
/* The agent of a request, if it is still its newest one. */
bool wm_crowd_is_wanted(const WmCrowd *crowd, WmAgent agent, uint32_t request, size_t *index);
/* Takes the oldest request that is still wanted out. Returns false where there is none. */
bool wm_crowd_next_request(WmCrowd *crowd, size_t *index);
/* The next request, from a place of the queue on, of an agent whose target has this key; and taking one out
 * of turn. */
bool wm_crowd_find_request(const WmCrowd *crowd, uint64_t key, size_t *slot, size_t *index);
void wm_crowd_remove_request(WmCrowd *crowd, size_t slot);
/* Agents with the same mesh, filter and target polygon whose targets are near each other have the same key;
 * never 0. */
uint64_t wm_crowd_target_key(const WmAgentRecord *record);
/* Counts what the queue asks for; and how many asked for a key then. */
WmStatus wm_crowd_count_demand(WmCrowd *crowd);
size_t wm_crowd_demand(const WmCrowd *crowd, uint64_t key);

/* plan.c */
WmStatus wm_crowd_plan(WmCrowd *crowd, WmCrowdStep *step);

/* shortcut.c: by turns. in         budget: polygons they may look at */
WmStatus wm_crowd_find_shortcuts(WmCrowd *crowd, uint32_t budget, WmCrowdStep *step);

/* changes.c */
WmStatus wm_crowd_check_mesh(WmCrowd *crowd, float seconds);
/* Puts an agent on the mesh near its position, or off it. Its way is gone. */
WmStatus wm_crowd_snap_agent(WmCrowd *crowd, size_t index, const float position[3]);
/* The same where the place of the mesh is known: polygon 0 where there is none. */
void wm_crowd_set_on_mesh(WmCrowd *crowd, size_t index, const float position[3], const WmNearest *nearest);

/* walk.c: towards (x, z) along the surface. */
WmStatus wm_crowd_walk(WmCrowd *crowd, size_t index, float x, float z);

/* Whether the agent is on its way by itself. */
WM_INLINE bool wm_agent_walks(uint8_t state, uint8_t reason) {
  return state == WM_AGENT_FOLLOWING || state == WM_AGENT_PLANNING ||
         (state == WM_AGENT_WAITING && reason == WM_AGENT_REASON_BLOCKED);
}

/* True if other agents see the agent and can touch it. */
WM_INLINE bool wm_agent_takes_part(uint8_t state) {
  return state != WM_AGENT_ON_CONNECTION && state != WM_AGENT_OFF_MESH;
}

/* grid.c */
WmStatus wm_crowd_sort(WmCrowd *crowd);
void wm_crowd_find_neighbours(WmCrowd *crowd, size_t body);
/* How many go against the agent's direction on its line, as far as it leads straight and `sight`. */
uint32_t wm_crowd_count_oncoming(const WmCrowd *crowd, size_t body, float sight);

/* walls.c */
void wm_crowd_find_walls(WmCrowd *crowd, size_t index, float range);

/* anticipate.c: turns the agent's direction before its next corner, where it is told to. */
void wm_crowd_anticipate(WmCrowd *crowd, size_t index);
/* Changes the velocity of an agent that is told to to the chosen one, in an arc. Returns false where there is
 * none to be walked: it is for the caller to do. */
bool wm_crowd_turn_in_arc(const WmAgentRecord *record, float seconds, float velocity[2]);

/* steer.c, keep_right.c, orca.c, contact.c, connection.c */
void wm_crowd_steer(WmCrowd *crowd, size_t index);
void wm_crowd_keep_right(WmCrowd *crowd, size_t body);
void wm_crowd_measure_slowdown(WmAgentRecord *record);
void wm_crowd_avoid(WmCrowd *crowd, size_t body);
void wm_crowd_sample(WmCrowd *crowd, size_t body);
void wm_crowd_find_push(const WmCrowd *crowd, size_t body);
WmStatus wm_crowd_advance_connection(WmCrowd *crowd, size_t index, float seconds);
WmStatus wm_crowd_enter_connection(WmCrowd *crowd, size_t index);
WmStatus wm_crowd_leave_connection(WmCrowd *crowd, size_t index);

#endif
