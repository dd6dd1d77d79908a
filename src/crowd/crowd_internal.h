/* Shared by the files of this folder: the state of a crowd, and the functions of each file.
 *
 * Files, in the order in which a step uses them:
 *
 *   crowd.c                     creating, options, meshes, filters, obstacles, the hash
 *   agents.c                    handles, adding and removing agents, the arrays
 *   orders.c                    targets, velocities, stopping, pausing, warping, moving
 *   tuning.h                    every tuned number
 *   step.c                      the phases of a step, in the order of the files below
 *   mesh_changes.c              agents and corridors after the mesh changed
 *   planning/path_requests.c    the queue of path requests
 *   planning/plan.c             searches within the budget, and their results
 *   planning/destination.c      destinations of unreachable targets, by islands
 *   planning/flow_fields.c      flow fields that agents with the same target share
 *   planning/corridor.c         an agent's corridor: a chain of blocks with polygons and portals
 *   planning/crossings.c        where lines cross from cost to cost
 *   planning/shortcut.c         shorter beginnings of corridors
 *   passages/ahead.c            the narrow passage ahead of an agent
 *   passages/right_of_way.c     who may enter a passage, and how the others wait
 *   passages/merge.c            agents that may enter do so one after the other
 *   passages/detour.c           another way for agents that wait for long
 *   passages/jam.c              agents whose path does not become shorter pass through others
 *   avoidance/neighbour_grid.c  agents and obstacles by cells, and the nearest ones of each agent
 *   steering/steer.c            the desired velocity: to the next corner, braking
 *   steering/corners.c          the next corners of a corridor
 *   steering/anticipate.c       turns before corners
 *   avoidance/walls.c           walls around an agent
 *   avoidance/keep_right.c      turning right against counter-flows
 *   avoidance/shares.h          which part of the avoiding is whose; who passes softly through whom
 *   avoidance/orca.c            reciprocal velocity obstacles
 *   avoidance/neighbour_planes.c  half-planes that avoid neighbours, four at a time
 *   avoidance/half_planes.c     the best velocity that half-planes allow
 *   avoidance/sampling.c        sampled velocities
 *   steering/walk.c             moving along the surface, and updating the corridor
 *   steering/connection.c       entering, traversing and leaving off-mesh connections and segment links
 *   steering/link_ahead.c       where agents enter the segment link ahead of them
 *   steering/link_queue.c       where agents before the same segment link aim, and which of them take off
 *   steering/link_flight.c      agents on segment links: their trajectory over time
 *   avoidance/contact.c         pushing overlapping bodies apart
 *   states.c                    which agents have arrived, are blocked, wait; headings
 *   state/                      a crowd as bytes, and back (state/saved_crowd_internal.h)
 *   inspect.c                   the state of one agent, for the caller
 *   validate.c                  checks of all of the above, for tests
 *
 * Arrays by index hold the fields that others and callers read; a record holds the fields that only the
 * agent's own code needs. An index changes when agents are removed; numbers (of handles) don't.
 *
 * New fields that a later step reads go to the tables of state/, too: else a loaded crowd goes on differently. */
#ifndef WALKMESH_CROWD_CROWD_INTERNAL_H
#define WALKMESH_CROWD_CROWD_INTERNAL_H

#include <math.h>
#include <string.h>

#include "base/buffer.h"
#include "base/inline.h"
#include "base/moving_obstacle.h"
#include "base/number.h"
#include "base/vector.h"
#include "clearance/passages.h"
#include "crowd/crowd.h"
#include "crowd/tuning.h"
#include "mesh/links/link_crossing.h"
#include "query/search/flow_field.h"
#include "query/search/islands.h"

/* Limits of the interface; tuned numbers are in tuning.h. */
enum { WM_CROWD_FILTERS = 256, WM_CROWD_TYPES = 256, WM_CROWD_FLOW_FIELDS = 64 };

#define WM_NONE UINT32_MAX
/* Set in the numbers of obstacles. */
#define WM_OBSTACLE (1u << 31)

/* ---- Corridors -------------------------------------------------------------------------------------- */

/* Some polygons of a corridor, and the portal from each to the next: left x, z, right x, z. Both ends are one point where the
 * agent's line is to cross from cost to cost (planning/crossings.c). */
typedef struct WmCorridorBlock {
  uint32_t next;        /* next block of the corridor, or next free one; WM_NONE */
  uint32_t connections; /* bit i: polygon i is an off-mesh connection */
  float portals[WM_CORRIDOR_BLOCK][4];
  WmRef polygons[WM_CORRIDOR_BLOCK];
} WmCorridorBlock;

/* Polygons from the one where the agent is to its destination. */
typedef struct WmAgentCorridor {
  uint32_t first, last; /* blocks; WM_NONE if count is 0 */
  uint32_t head;        /* offset of the first polygon in the first block */
  uint32_t tail;        /* polygons used in the last block */
  uint32_t count;
  uint32_t changes; /* times that other polygons were put into it */
  uint32_t checked; /* index of the polygon up to which it was checked for the record's checking_version */
} WmAgentCorridor;

/* ---- Agents ----------------------------------------------------------------------------------------- */

typedef enum WmOrderKind { WM_ORDER_NONE, WM_ORDER_TARGET, WM_ORDER_VELOCITY } WmOrderKind;

typedef struct WmCorner {
  float point[3];
} WmCorner;

/* The parts of an agent's way over a segment link, in the direction of travel. */
typedef enum WmFlightPart {
  WM_FLIGHT_APPROACH, /* on the surface, to where it takes off */
  WM_FLIGHT_FIRST,    /* straight up or down */
  WM_FLIGHT_LEVEL,    /* level, or the whole arc of a jump */
  WM_FLIGHT_LAST,     /* straight up or down, to where it lands */
  WM_FLIGHT_PARTS
} WmFlightPart;

/* An agent on a segment link, or waiting before one: from record->connection_start to connection_end. The link itself may be
 * switched off or removed meanwhile. */
typedef struct WmLinkFlight {
  bool is_on_link;     /* false: the rest isn't used */
  bool is_reversed;    /* it crosses from the far segment to the near one */
  uint8_t kind;        /* WmSegmentLinkKind */
  uint8_t part;        /* WmFlightPart */
  float part_progress; /* 0..1, of the part's time */
  float across, peak;  /* as in WmSegmentLink */
  float from[3];       /* where it left the surface */
  WmRef landing;       /* the polygon on which it lands */
} WmLinkFlight;

/* Fields that only the agent itself needs. Fields that every step reads of all agents come first, in four
 * cache lines; then those that searches, connections and walls use now and then. */
typedef struct WmAgentRecord {
  WmAgentParameters parameters;
  WmRef polygon; /* the ground polygon it stands on; 0 off mesh */

  /* Its order. */
  uint8_t order; /* WmOrderKind */
  bool is_paused;
  bool is_partial;         /* the corridor does not lead to the target: see partial_reason */
  uint8_t partial_reason;  /* WmAgentReason */
  bool needs_plan;         /* it has a path request */
  bool search_is_outdated; /* the running search is for a former target */

  /* The next corners of its corridor, and where they were computed. */
  uint8_t corner_count;
  bool ends_at_last;       /* the last corner is the destination */
  bool ends_at_connection; /* the last corner is the entry of an off-mesh connection or segment link */
  bool ends_at_link;       /* that of a segment link: see link_entry */
  bool corners_are_valid;
  bool corridor_is_new; /* since it moved last */
  bool anticipates;     /* it turns before its next corner, beside its path */
  uint8_t wall_count;
  bool walls_are_valid;
  uint8_t shortcut_turns; /* left since it was last moved off its corridor */
  uint8_t oncoming;       /* agents that come towards it far ahead, up to 2 */
  uint8_t passage;        /* WmPassageState */
  bool is_in_passage;     /* of its passage, not before it */
  bool is_held;           /* it stands before a passage and lets others out */
  bool passes;            /* it passes softly through others */
  bool lets_pass;         /* it rests in a narrow place, or was pushed off its destination again and again */
  uint8_t turns;          /* times its turn has come since it last got nearer */
  uint8_t pushed_off;     /* times it was pushed off its destination and set out again */
  bool is_queued;         /* it is behind agents that wait before a passage, or walk as it does */
  bool seeks_detour;      /* its next search avoids passages before which agents wait */
  bool is_on_detour;      /* its corridor is the result of such a search */
  bool has_new_goal;      /* its next corridor leads elsewhere: that its path is longer is no loss */
  float corners_from[2];
  WmCorner corners[WM_CROWD_CORNERS];

  /* Motion. */
  float direction[2];          /* of its desired velocity, unit length; 0 at rest */
  float previous_direction[2]; /* `direction` of the step before */
  float preferred[2];          /* desired velocity, x and z */
  float chosen[2];             /* velocity after avoidance, x and z */
  /* x and z. WM_ORDER_VELOCITY: the velocity; WM_ORDER_TARGET: the target, when it was last ordered elsewhere. */
  float ordered[2];
  float braking_distance; /* to its destination, less the stopping distance; else INFINITY */
  float last_leg;         /* length of the last leg, if it is on that; else INFINITY */
  float progress_speed;   /* mean progress speed, world units a second */
  float blocked_time;     /* seconds without progress */
  float from[2];          /* x and z at the start of the step */
  float reach;            /* how far from there the step may move it on x and z */
  float parting_time;     /* seconds left to part it from those it was put down inside; else 0 */
  float neighbour_range;  /* how far it looks for neighbours */
  float gained;           /* how much shorter its path has become since stalled_time was 0 */
  float stalled_time;     /* seconds since it last got nearer */
  float passage_wait;     /* seconds it has waited before its passage */
  float wait_time;        /* seconds since its order in which it waited for its turn; */
  float walk_time;        /* and in which it did not */
  float free_time;        /* walk_time and the time for the way left, when its passage came into sight */
  float leeway;           /* how much longer it can wait: see WM_CROWD_MERGE_LEEWAY */
  float passage_entry[2]; /* x and z where its passage begins, or its next portal within */
  float merge_speed;      /* the most at which it may approach a passage it holds; INFINITY: no limit */
  uint32_t row; /* the same for agents that enter a passage at the same place, until they leave it; 0: none */
  float coming_out;        /* seconds left in which it comes out of a passage: those who wait make way */
  float room;              /* the distance from walls that its corners keep, 0..wall_distance */
  float certain_length;    /* of its line, from corners_from on: no walls were looked at behind that */
  uint64_t passage_key;    /* of that portal or throat */
  uint64_t passage_end;    /* of the last portal or throat of the passage that it holds */
  uint64_t detour_key;     /* of the passage because of which it last looked for another way */
  uint32_t passage_holder; /* number of the agent for which it waits; WM_NONE */
  float slowdown;          /* mean fraction of its speed that avoidance changed, 0.. */
  float destination[3];    /* end of the corridor: the target or the nearest reachable point */

  /* Its corridor. */
  WmAgentCorridor corridor;
  float walls_from[2];
  float rest_from[2];  /* x and z where lets_pass was found */
  float clear_from[2]; /* x and z where no passage was in sight, and how far it looked; 0: not known */
  float clear_sight;
  uint32_t clear_changes, clear_drops; /* then: `changes` of its corridor, `drops` of its mesh's passages, */
  WmRef clear_polygon;                 /* and the polygon it was in */
  float link_entry[4];   /* if ends_at_link: the segment where it may enter; x, z of both ends */
  float link_natural[2]; /* x and z where its line enters; */
  float link_after[2];   /* and where the line leads then, laid against the near side */
  float link_aim[2];     /* where it enters, if takes_off or is_off_line */
  uint8_t link_side;     /* the segment that it enters over: 0 near, 1 far */
  uint8_t link_lane;     /* if is_off_line */
  bool is_off_line;      /* it has chosen a lane beside its line */
  bool takes_off;        /* at the end of this step */
  bool is_apart;         /* its target was on another island when that was last looked at, if ever */
  bool is_on_last_leg;   /* if room > 0: its path is straight, but for the arcs that keep the room */
  WmRef next_connection; /* if ends_at_connection */
  WmRef connection;      /* the off-mesh connection it is on or waits before */

  /* Planning. */
  uint64_t checked_version; /* of the mesh for which the whole corridor was checked */
  uint64_t checking_version;
  uint32_t detours;     /* times it was moved off its corridor */
  uint32_t request;     /* id of its newest queue entry or search; 0: must be requested */
  uint32_t queued;      /* id of its queue entry, outdated or not; 0: none */
  WmRef target_polygon; /* 0: the target is off the mesh */
  float target[3];      /* on the mesh */
  uint32_t failures;    /* searches without a complete corridor, one after the other; one per mesh version */
  float retry;          /* seconds until it may request again after a change that joined no islands */

  /* On its off-mesh connection. */
  float connection_start[3], connection_end[3];
  float connection_aside[2]; /* offset of its landing from the connection's end, x and z */
  float progress;
  WmLinkFlight flight;

  /* Walls around it: x, z of both ends; the surface is on the left. */
  float walls[WM_CROWD_WALLS][4];
} WmAgentRecord;

/* Agents and obstacles in the order of cells, with all that other agents need to know: at most 64 bytes. */
typedef struct WmBody {
  float x, z, y, radius;
  float velocity_x, velocity_z;
  float height;
  uint32_t index;  /* of the agent; WM_NONE for an obstacle */
  uint32_t number; /* of its handle; of an obstacle: its index + WM_OBSTACLE */
  uint32_t group, avoids;
  uint32_t target_id; /* hash of its destination: equal for agents with the same one; 0 none */
  uint32_t row;       /* as in its record */
  float parting_time; /* as in its record */
  uint8_t priority;
  uint8_t state;     /* WmAgentState */
  bool walks : 1;    /* see wm_agent_walks; as the step began */
  bool is_still : 1; /* it stands and isn't going to walk by itself */
  bool yields : 1;
  bool passes : 1;    /* it passes softly through others */
  bool lets_pass : 1; /* it rests, and agents that walk pass softly through it */
  bool is_held : 1;   /* it waits before a passage, or behind one that does */
  bool is_paused : 1;
  bool waits_outside : 1; /* it must not enter the passage before it */
  bool comes_out : 1;     /* it is in a passage, or has just left one */
} WmBody;

/* Bodies for contacts, parallel to `bodies`: agents at the positions they moved to. */
typedef struct WmContactBody {
  float x, z, radius;
  float push[2];
  float parting; /* fraction of its overlaps that this step resolves: 1, or less if it was put down inside
                    others */
  float untouched_until; /* it touches no other body before they have come nearer to each other by this */
  bool touches;          /* it overlaps another body */
} WmContactBody;

/* ---- The crowd -------------------------------------------------------------------------------------- */

/* A flow field that agents share. */
typedef struct WmCrowdFlowField {
  WmFlowField *flow; /* NULL: none */
  uint32_t type, filter;
  WmRef polygon;
  float position[3]; /* of its target */
  uint32_t cost;     /* polygons it took until now */
  uint64_t used;     /* last use, by field_clock */
} WmCrowdFlowField;

/* Islands of a mesh for the flags of a filter. */
typedef struct WmCrowdIslands {
  WmIslands *islands; /* NULL: none */
  uint32_t type;
  uint16_t include_flags, exclude_flags;
  uint64_t used;
  uint64_t next_step; /* when agents that wait for a way may have them labelled again */
} WmCrowdIslands;

/* Where a search goes. */
typedef struct WmCrowdDestination {
  uint64_t version; /* of the mesh when it was chosen: a search doesn't see all later changes */
  WmRef polygon;
  float point[3];
  bool is_redirected; /* not the target, which is unreachable, but the reachable point nearest to it: see
                         partial_reason */
  bool is_last;       /* if the search fails, no other destination is tried */
  uint8_t partial_reason;
} WmCrowdDestination;

/* A mesh that agents walk on. */
typedef struct WmCrowdMesh {
  const WmMesh *mesh;
  WmQuery *query;
  WmSearch *search;
  uint64_t seen_version;
  /* The agent whose search is running; `request` tells whether its result is still needed. */
  bool is_searching;
  WmAgent searcher;
  uint32_t request;
  WmCrowdDestination destination;
  uint64_t key;            /* of the searcher's target when it began */
  WmCrowdFlowField *field; /* the flow field that grows; NULL: `search` is running */
  WmPassages passages;
  float largest_radius;             /* of its agents */
  WmCosts *passage_costs;           /* of polygons with passages before which agents wait; NULL: none yet */
  WmFilter detour_filter;           /* with these costs */
  uint32_t search_cost, field_cost; /* recent polygons per search and per field: the mean times 16, times 4 */
} WmCrowdMesh;

/* A narrow portal or a throat that an agent wants to go through, in a direction. */
typedef struct WmClaim {
  uint64_t key;
  WmRef polygon; /* with the throat, or beside the portal: the one behind the first portal, else before it */
  uint8_t direction; /* 0, 1 */
} WmClaim;

/* The present use of a number of handles. */
typedef struct WmAgentNumber {
  uint32_t generation; /* 1 and above */
  uint32_t index;      /* of the agent, or the next free number */
  bool is_used;
} WmAgentNumber;

typedef struct WmPathRequest {
  WmAgent agent; /* 0: removed early */
  uint64_t key;  /* of its target (wm_crowd_target_key) */
  uint32_t request;
} WmPathRequest;

/* The largest turn of a heading in a step (states.c). */
typedef struct WmCrowdTurn {
  float angle, half_chord, cosine, sine;
  bool is_known;
} WmCrowdTurn;

/* A filter that was set. */
typedef struct WmCrowdFilter {
  WmFilter filter;
  WmCosts *
      own_costs; /* costs from a file, until the end: a search may still use them after the filter was set again. NULL: none */
} WmCrowdFilter;

struct WmCrowd {
  WmContext *context;
  WmCrowdOptions options;
  WmBuffer meshes; /* WmCrowdMesh *, by type */
  uint32_t mesh_count;
  WmCrowdFilter *filters[WM_CROWD_FILTERS]; /* NULL: the default */
  WmFilter default_filter;

  /* Agents: arrays by index, in one block (agents.c lists them). */
  size_t count, capacity;
  void *block;
  float *positions, *previous, *velocities, *headings;
  uint8_t *states, *reasons;
  WmAgent *agents;
  WmAgentRecord *records;
  uint8_t *found_counts;
  uint32_t *found;      /* [WM_CROWD_NEIGHBOURS] neighbours as found: index, or WM_OBSTACLE and its index */
  uint32_t *neighbours; /* [WM_CROWD_NEIGHBOURS] the same as indices in `bodies`, the most urgent first */
  uint8_t *neighbour_counts;

  WmBuffer numbers; /* WmAgentNumber [number_count] */
  uint32_t number_count, free_number;

  /* Bodies, sorted by cells. */
  WmBuffer bodies;         /* WmBody [body_count] */
  WmBuffer body_axes[2];   /* float [body_count] x and z of the same */
  WmBuffer contact_bodies; /* WmContactBody [body_count] */
  WmBuffer body_indices;   /* uint32_t by agent index, then by obstacle: its index in `bodies`; WM_NONE */
  WmBuffer cell_first;     /* uint32_t [cell_mask + 2] index of each cell's first body */
  size_t body_count;
  uint32_t cell_mask;
  int32_t cell_columns, cell_rows;
  float grid_low[2]; /* lowest x and z of the cells */

  WmBuffer corridor_blocks; /* WmCorridorBlock [corridor_block_count] */
  uint32_t corridor_block_count, free_corridor_block, free_corridor_blocks;

  WmBuffer queue; /* WmPathRequest, a ring */
  size_t queue_first, queue_count;
  size_t removed_requests; /* entries of the queue that were removed early */
  uint32_t request;        /* the last id that was assigned */
  uint32_t sorted_request; /* the last id when requests were sorted */
  WmBuffer demand;         /* agents per target: see path_requests.c */
  size_t demand_size;
  uint64_t shared_key; /* key of agents that wait for a flow field which has just grown; 0 */
  WmCrowdFlowField flow_fields[WM_CROWD_FLOW_FIELDS];
  WmCrowdIslands islands[WM_CROWD_ISLANDS];
  uint64_t field_clock;
  uint32_t shortcut_next; /* number of the agent whose turn is next */

  WmBuffer obstacles; /* WmMovingObstacle [obstacle_count] */
  size_t obstacle_count;
  WmBuffer focus; /* float [3] [focus_count] */
  size_t focus_count;
  WmBuffer ray_polygons; /* WmRef: scratch of walk.c */
  WmBuffer link_rivals;  /* scratch of link_queue.c */

  /* Claims of passages (passages/right_of_way.c). */
  WmBuffer claims;          /* WmClaim [claim_count] */
  WmBuffer candidates;      /* WmCandidate [candidate_count] */
  WmBuffer candidate_order; /* WmSortItem, scratch; also of link_queue.c */
  WmBuffer places;          /* [place_mask + 1] a hash table */
  size_t claim_count, candidate_count;
  uint32_t place_mask;

  WmCrowdTurn turn;
  bool neighbours_are_stale; /* indices have changed since `found` was filled */
  uint64_t steps;
};

/* ---- Shared helpers --------------------------------------------------------------------------------- */

WM_INLINE WmCrowdMesh *wm_crowd_mesh(const WmCrowd *crowd, uint32_t type) {
  return ((WmCrowdMesh **)crowd->meshes.items)[type];
}
WM_INLINE WmCrowdMesh *wm_agent_mesh(const WmCrowd *crowd, const WmAgentRecord *record) {
  return wm_crowd_mesh(crowd, record->parameters.type);
}
WM_INLINE const WmFilter *wm_agent_filter(const WmCrowd *crowd, const WmAgentRecord *record) {
  const WmCrowdFilter *set = crowd->filters[record->parameters.filter];
  return set ? &set->filter : &crowd->default_filter;
}
WM_INLINE uint32_t wm_agent_number(WmAgent agent) { return (uint32_t)agent; }
WM_INLINE WmBody *wm_crowd_bodies(const WmCrowd *crowd) { return crowd->bodies.items; }
WM_INLINE WmContactBody *wm_crowd_contact_bodies(const WmCrowd *crowd) { return crowd->contact_bodies.items; }

/* Looks up the index of an agent.
 * returns    WM_OK, WM_ERROR_STALE_REFERENCE, WM_ERROR_INVALID_ARGUMENT (with a message) */
WmStatus wm_crowd_find(const WmCrowd *crowd, WmAgent agent, size_t *index);
/* The same without a message: false if there is no such agent, *index is then 0 or meaningless. */
bool wm_crowd_peek(const WmCrowd *crowd, WmAgent agent, size_t *index);

/* A hash of a polygon's place, layer and number: the same in all meshes with the same tiles. Of a removed polygon it is the
 * reference. */
uint64_t wm_crowd_polygon_key(const WmMesh *mesh, WmRef polygon);

/* Returns WM_OK if all numbers are finite and within +-WM_FARTHEST; the message names `field`. */
WmStatus wm_crowd_check_numbers(const WmCrowd *crowd, const float *numbers, size_t count, const char *field);

/* For loaded crowds: the checks of options and of an agent's parameters; space for `needed` agents in all arrays. */
WmStatus wm_crowd_check_options(WmContext *context, const WmCrowdOptions *options);
WmStatus wm_crowd_check_parameters(const WmCrowd *crowd, const WmAgentParameters *parameters);
WmStatus wm_crowd_reserve_agents(WmCrowd *crowd, size_t needed);

/* planning/corridor.c. Replaces all polygons of a corridor, each linked to the next; clears it; drops the
 * first `count` polygons; prepends one, with its portal [2][3] to the first; appends one that may have been removed, with the
 * portal to the next one as it is stored.
 * returns    WM_ERROR_OUT_OF_MEMORY: the corridor is unchanged
 * cost       O(polygons set or dropped); O(1) to prepend */
WmStatus wm_agent_corridor_set(WmCrowd *crowd, WmAgentCorridor *corridor, const WmMesh *mesh,
                               const WmRef *polygons, size_t count);
void wm_agent_corridor_clear(WmCrowd *crowd, WmAgentCorridor *corridor);
void wm_agent_corridor_drop(WmCrowd *crowd, WmAgentCorridor *corridor, uint32_t count);
WmStatus wm_agent_corridor_prepend(WmCrowd *crowd, WmAgentCorridor *corridor, const WmMesh *mesh,
                                   WmRef polygon, const float portal[6]);
/* Replaces the first `dropped` polygons, fewer than all, by others, each linked to the next, and the last to the rest.
 * returns    WM_ERROR_OUT_OF_MEMORY: the corridor is empty */
WmStatus wm_agent_corridor_replace(WmCrowd *crowd, WmAgentCorridor *corridor, const WmMesh *mesh,
                                   uint32_t dropped, const WmRef *polygons, size_t count);
WmStatus wm_agent_corridor_append(WmCrowd *crowd, WmAgentCorridor *corridor, WmRef polygon,
                                  bool is_connection, const float portal[4]);
/* A cursor addresses one polygon of a corridor; the last polygon has no next one. */
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
WM_INLINE bool wm_agent_portal_is_crossing(const float portal[4]) {
  return portal[0] == portal[2] && portal[1] == portal[3];
}
WM_INLINE bool wm_agent_corridor_is_connection(const WmCrowd *crowd, WmCorridorCursor cursor) {
  return wm_agent_corridor_block(crowd, cursor.block)->connections >> cursor.offset & 1;
}
WM_INLINE WmCorridorCursor wm_agent_corridor_next(const WmCrowd *crowd, WmCorridorCursor cursor) {
  if (cursor.offset + 1 < WM_CORRIDOR_BLOCK)
    return (WmCorridorCursor){cursor.block, cursor.offset + 1, cursor.index + 1};
  return (WmCorridorCursor){wm_agent_corridor_block(crowd, cursor.block)->next, 0, cursor.index + 1};
}

/* The portal from the polygon at `cursor`, which isn't the last one, to the next: in place of a crossing the whole one, unless that
 * was removed.
 * out        whole: may be the result */
const float *wm_agent_corridor_find_whole(const WmCrowd *crowd, const WmMesh *mesh, WmCorridorCursor cursor,
                                          float whole[4]);
WM_INLINE const float *wm_agent_corridor_whole_portal(const WmCrowd *crowd, const WmMesh *mesh,
                                                      WmCorridorCursor cursor, float whole[4]) {
  const float *portal = wm_agent_corridor_portal(crowd, cursor);
  return wm_agent_portal_is_crossing(portal) ? wm_agent_corridor_find_whole(crowd, mesh, cursor, whole)
                                             : portal;
}

/* steering/corners.c: the next corners from the agent's position. */
void wm_crowd_find_corners(WmCrowd *crowd, size_t index);
/* The distance that an agent's line keeps from walls: less than its wall_distance where others slow it. */
float wm_crowd_wanted_room(const WmAgentRecord *record);
/* The length of the agent's whole way to its destination: the string through its corridor, and off-mesh
 * connections. Without a corridor: the straight distance on x and z.
 * cost       O(polygons of the corridor) */
float wm_crowd_measure_way(const WmCrowd *crowd, size_t index);

/* planning/path_requests.c.
 * Requests a corridor to the agent's target; an agent that is in the queue stays at its entry.
 * returns    WM_ERROR_OUT_OF_MEMORY: the next step requests again */
WmStatus wm_crowd_request(WmCrowd *crowd, size_t index);
/* The same after a new target was set: a running search is finished. */
WmStatus wm_crowd_request_target(WmCrowd *crowd, size_t index);
/* The same from within a step, whose phases follow the order of the arrays: the next step requests, in the
 * order of numbers. */
WM_INLINE void wm_crowd_request_later(WmAgentRecord *record) {
  record->needs_plan = true;
  record->search_is_outdated = false;
  record->request = 0;
}
/* Its next failure will be the first one. */
WM_INLINE void wm_agent_forget_failures(WmAgentRecord *record) {
  record->failures = 0;
  record->retry = 0;
  record->is_apart = true;
}
/* Reserves space in the queue for `more` entries: wm_crowd_request can't fail then. */
WmStatus wm_crowd_reserve_requests(WmCrowd *crowd, size_t more);
/* Sorts the requests since the last call by the distance to their targets: the searches that are mostly the shortest
 * come first, so that most agents set out soon. Without memory the order stays until the next call. After
 * wm_crowd_count_demand. */
WmStatus wm_crowd_sort_requests(WmCrowd *crowd);
/* True if the request is the agent's newest one. Sets *index then. */
bool wm_crowd_is_wanted(const WmCrowd *crowd, WmAgent agent, uint32_t request, size_t *index);
/* Removes the oldest request that is still wanted. Returns false if there is none. */
bool wm_crowd_next_request(WmCrowd *crowd, size_t *index);
/* Finds the next wanted request with this key, from *slot of the queue on; and removes one early. */
bool wm_crowd_find_request(const WmCrowd *crowd, uint64_t key, size_t *slot, size_t *index);
void wm_crowd_remove_request(WmCrowd *crowd, size_t slot);
/* True if an agent's corridors can't come from flow fields. */
static inline bool wm_agent_plans_alone(const WmAgentRecord *record) {
  return record->parameters.shortest || record->parameters.wall_cost > 0;
}

/* Agents with the same mesh, filter and target polygon whose targets are near each other have the same key, those that plan
 * alone another one; never 0. */
uint64_t wm_crowd_target_key(const WmCrowd *crowd, const WmAgentRecord *record);
/* Counts the queue's requests by key; returns the number for one key at that time. */
WmStatus wm_crowd_count_demand(WmCrowd *crowd);
size_t wm_crowd_demand(const WmCrowd *crowd, uint64_t key);
/* For saved crowds: the next key and its number from *slot of the table on, false if there is none; makes a table for `count`
 * keys; adds to one. */
bool wm_crowd_next_demand(const WmCrowd *crowd, size_t *slot, uint64_t *key, uint64_t *number);
WmStatus wm_crowd_reserve_demand(WmCrowd *crowd, size_t count);
void wm_crowd_add_demand(WmCrowd *crowd, uint64_t key, uint64_t number);

/* planning/plan.c: all searches of a step. */
WmStatus wm_crowd_plan(WmCrowd *crowd, WmCrowdStep *step);

/* True if an agent's line is the cheapest one where ground costs differ. */
static inline bool wm_agent_seeks_cheapest(const WmAgentRecord *record) {
  return record->parameters.shortest && !(record->parameters.wall_distance > 0);
}

/* planning/crossings.c: finds where the line of an agent that seeks the cheapest one crosses from cost to cost; finds those before the
 * last corner that it knows again. It has a corridor; then that was checked, and it has corners.
 * out        *visited: polygons, at most WM_CROWD_CROSSINGS_AGAIN
 * returns    WM_OK, WM_ERROR_OUT_OF_MEMORY: the corridor is unchanged
 * cost       O(polygons) */
WmStatus wm_crowd_find_crossings(WmCrowd *crowd, size_t index);
WmStatus wm_crowd_find_crossings_again(WmCrowd *crowd, size_t index, uint32_t *visited);

/* planning/shortcut.c: shortcuts of the agents whose turn it is.
 * in         budget: polygons they may visit */
WmStatus wm_crowd_find_shortcuts(WmCrowd *crowd, uint32_t budget, WmCrowdStep *step);

/* mesh_changes.c: finds agents and corridors that the mesh has lost, and requests new ones. */
WmStatus wm_crowd_check_mesh(WmCrowd *crowd, float seconds);
/* Snaps an agent to the mesh near a position, or makes it off mesh; clears its corridor. */
WmStatus wm_crowd_snap_agent(WmCrowd *crowd, size_t index, const float position[3]);
/* The same with a known nearest point: polygon 0 if there is none. */
void wm_crowd_set_on_mesh(WmCrowd *crowd, size_t index, const float position[3], const WmNearest *nearest);

/* states.c: updates heading, state and reason of an agent after the step has moved it; shows that an agent is
 * paused, or no longer.
 * in         body: the agent's index in `bodies` */
WmStatus wm_crowd_update_state(WmCrowd *crowd, size_t body, float seconds, WmCrowdStep *step);
void wm_crowd_show_pause(WmCrowd *crowd, size_t index);
/* How near to its destination an agent comes to rest that others slow down. */
WM_INLINE float wm_agent_slowed_range(const WmAgentParameters *parameters) {
  return parameters->stopping_distance + WM_CROWD_REACHED_SLOWED * parameters->radius;
}
/* states.c: an agent that has arrived sets out to its target, which has moved on a little, unless it is near enough for one of a
 * group. */
void wm_crowd_follow_target(WmCrowd *crowd, size_t body);
/* Turns the agent's heading towards `way`, as fast as turning_speed allows; not if that is shorter than
 * WM_CROWD_HEADING_SPEED. */
void wm_crowd_turn_heading(WmCrowd *crowd, size_t index, const float way[2], float seconds);

/* steering/walk.c: moves the agent towards (x, z) along the surface. */
WmStatus wm_crowd_walk(WmCrowd *crowd, size_t index, float x, float z);
/* The same within a step: it ends within the record's `reach` if (x, z) is. */
WmStatus wm_crowd_walk_within_reach(WmCrowd *crowd, size_t index, float x, float z);
/* Lets the corridor begin in the polygon where the agent has landed, near its former beginning. Without a way there the agent
 * requests another corridor, and without memory.
 * in         towards: a point of the corridor's first polygon, to which it goes straight if it can; NULL: none */
WmStatus wm_crowd_join_corridor(WmCrowd *crowd, size_t index, const float *towards);

/* A speed, with a limit: rounding, or a push, divided by nearly no time would have none. */
WM_INLINE float wm_crowd_speed(float distance, float seconds) {
  return fmaxf(-WM_FARTHEST, fminf(distance / seconds, WM_FARTHEST));
}

/* True if the agent walks by itself. */
WM_INLINE bool wm_agent_walks(uint8_t state, uint8_t reason) {
  return state == WM_AGENT_FOLLOWING || state == WM_AGENT_PLANNING ||
         (state == WM_AGENT_WAITING &&
          (reason == WM_AGENT_REASON_BLOCKED || reason == WM_AGENT_REASON_RIGHT_OF_WAY));
}

/* True if the agent has come to rest at its target, or as near to it as it can get. */
WM_INLINE bool wm_agent_rests(uint8_t state) {
  return state == WM_AGENT_ARRIVED || state == WM_AGENT_CROWDED || state == WM_AGENT_UNREACHABLE;
}

/* True if other agents see the agent and can touch it. */
WM_INLINE bool wm_agent_takes_part(uint8_t state) {
  return state != WM_AGENT_ON_CONNECTION && state != WM_AGENT_OFF_MESH;
}

/* passages/right_of_way.c: decides who may enter which passage; slows agents down that must wait, after
 * steering. */
WmStatus wm_crowd_give_way(WmCrowd *crowd, float seconds);
void wm_crowd_hold_back(WmCrowd *crowd, size_t index);
/* passages/detour.c: lets an agent that waits look for another way; returns the filter with which corridors of
 * an agent are searched and compared: that of its parameters, on a detour with the costs of passages. */
WmStatus wm_crowd_seek_detour(WmCrowd *crowd, size_t index);
const WmFilter *wm_crowd_path_filter(const WmCrowd *crowd, const WmAgentRecord *record);
/* passages/jam.c: after moving, measures whether the agent gets nearer, and lets it pass through others.
 * in         body: the agent's index in `bodies` */
void wm_crowd_measure_jam(WmCrowd *crowd, size_t body, float seconds);

/* The agent neither is on a connection or segment link nor waits before one. */
WM_INLINE void wm_agent_forget_connection(WmAgentRecord *record) {
  record->connection = 0;
  record->flight.is_on_link = false;
}

/* The agent's jam is over: by an order, or since it has arrived. */
WM_INLINE void wm_agent_forget_jam(WmAgentRecord *record) {
  record->gained = record->stalled_time = 0;
  record->passes = record->is_queued = false;
  record->turns = 0;
}

/* avoidance/neighbour_grid.c: the column or row of a coordinate, `low` being that of the first one; sorts
 * bodies into cells; finds the neighbours of one. */
WM_INLINE int32_t wm_crowd_cell(float position, float low) {
  const float cell = (position - low) * (1 / WM_CROWD_CELL_SIZE), most = 1e9f; /* any range is allowed */
  return (int32_t)(cell < most ? cell : most);
}
WmStatus wm_crowd_sort(WmCrowd *crowd);
void wm_crowd_find_neighbours(WmCrowd *crowd, size_t body);
/* True if the agent would touch no other body at (x, z). */
bool wm_crowd_is_free(const WmCrowd *crowd, size_t body, float x, float z);
/* Counts the agents that move against the agent's direction on its path, as far as that is straight and at
 * most `sight`. */
uint32_t wm_crowd_count_oncoming(const WmCrowd *crowd, size_t body, float sight);

/* avoidance/walls.c: updates the walls within `range` of the agent. */
void wm_crowd_find_walls(WmCrowd *crowd, size_t index, float range);

/* steering/anticipate.c: turns the agent's direction before its next corner, if its parameters say so. */
void wm_crowd_anticipate(WmCrowd *crowd, size_t index);
/* Changes a velocity towards the chosen one, in an arc. Returns false if no arc is possible: the caller
 * changes the velocity. */
bool wm_crowd_turn_in_arc(const WmAgentRecord *record, float seconds, float velocity[2]);

/* A `body` is the agent's index in `bodies`. */

/* steering/steer.c: sets direction, desired velocity and braking distance. */
void wm_crowd_steer(WmCrowd *crowd, size_t index);
/* avoidance/keep_right.c: turns the desired velocity before avoidance; measures the slowdown after it. */
void wm_crowd_keep_right(WmCrowd *crowd, size_t body);
void wm_crowd_measure_slowdown(WmAgentRecord *record);
/* avoidance/orca.c: sets the chosen velocity, through sampling.c if the parameters say so. */
void wm_crowd_avoid(WmCrowd *crowd, size_t body);
void wm_crowd_sample(WmCrowd *crowd, size_t body);
/* avoidance/contact.c: sets the push of the agent's contact body.
 * in         approached: how much nearer to each other bodies can have come since all have moved */
void wm_crowd_find_push(const WmCrowd *crowd, size_t body, float approached);
/* Where an agent leaves the surface over a segment link, and the polygon on which it lands. */
typedef struct WmTakeOff {
  WmLinkCrossing crossing;
  float across;
  WmRef landing;
} WmTakeOff;

/* steering/link_ahead.c: where the agent's path enters the segment link behind the polygon at `before`. It keeps its radius from
 * both ends of the segment, if that is wide enough.
 * returns    false: no segment link is there, or it was removed */
bool wm_crowd_find_link(const WmCrowd *crowd, const WmAgentRecord *record, WmCorridorCursor before,
                        WmLinkCrossing *crossing);
/* Notes that the agent's corners end at a segment link. */
void wm_crowd_note_link(const WmCrowd *crowd, WmAgentRecord *record, const WmLinkCrossing *crossing);
/* True if the agent can land that enters its next link at `across`: on ground from which its way goes on. */
bool wm_crowd_can_land(const WmCrowd *crowd, const WmAgentRecord *record, float across);
/* Where the agent takes off from its present position.
 * returns    as wm_crowd_find_link */
bool wm_crowd_find_take_off(const WmCrowd *crowd, size_t index, WmCorridorCursor before, WmTakeOff *take_off);
/* Where the corridor, which begins behind the agent's link now, has it land: nearest to where it does.
 * returns    false: it is on no link, or the corridor doesn't begin there */
bool wm_crowd_find_planned_landing(const WmCrowd *crowd, const WmAgentRecord *record, float point[3]);
/* True if the wall beside a body is where its agent leaves the surface next, over a segment link. */
bool wm_crowd_is_entry(const WmAgentRecord *record, const WmBody *own, const float wall[4]);
WM_INLINE bool wm_crowd_leaves_over(const WmAgentRecord *record, const WmBody *own, const float wall[4]) {
  return record->ends_at_link && record->corner_count <= 1 && wm_crowd_is_entry(record, own, wall);
}

/* steering/link_queue.c: chooses lanes, and lets agents take off: sets takes_off.
 * returns    WM_OK, WM_ERROR_OUT_OF_MEMORY */
WmStatus wm_crowd_queue_at_links(WmCrowd *crowd);
/* Moves the last corner of an agent that is_off_line into its lane. */
void wm_crowd_aim_at_lane(WmAgentRecord *record);

/* steering/link_flight.c: puts an agent before its flight over a segment link. */
void wm_crowd_prepare_flight(WmCrowd *crowd, size_t index, const WmTakeOff *take_off);
/* Moves an agent over its segment link. Returns true at the end: the caller lets it land. */
bool wm_crowd_advance_flight(WmCrowd *crowd, size_t index, float seconds);
/* How far the agent has come along its trajectory; below 0: on the way to where it takes off. */
float wm_crowd_find_flown(const WmCrowd *crowd, size_t index);
/* Puts an agent where its progress is. */
void wm_crowd_place_flight(WmCrowd *crowd, size_t index, float progress);
/* The velocity at which an agent walks on after landing. */
void wm_crowd_find_landing_velocity(const WmCrowd *crowd, size_t index, float velocity[3]);

/* steering/connection.c: traverses, enters and leaves an off-mesh connection or segment link.
 * returns    WM_OK, WM_ERROR_OUT_OF_MEMORY */
WmStatus wm_crowd_advance_connection(WmCrowd *crowd, size_t index, float seconds);
WmStatus wm_crowd_enter_connection(WmCrowd *crowd, size_t index);
void wm_crowd_wait_before_connection(WmCrowd *crowd, size_t index);
/* Finds the polygon of the corridor before the next connection or segment link; false if that has left the corridor. */
bool wm_crowd_find_before(const WmCrowd *crowd, const WmAgentRecord *record, WmCorridorCursor *before);
WmStatus wm_crowd_leave_connection(WmCrowd *crowd, size_t index);

#endif
