/* Right of way in narrow passages: where two agents can't pass each other, one side goes and the other waits
 * outside.
 *
 * A *passage* is a part of an agent's corridor: narrow portals one after the other without room between them,
 * and throats of polygons (clearance/passages.h). Before an agent enters a passage, it claims all portals of
 * it, each in its own direction. All claims are granted together or none is, so that an agent inside can always
 * leave. A claim is refused while another agent holds the portal in the opposite direction, or has reserved it
 * by waiting for long. Lanes that branch or cross need no other rule, since claims are for single portals.
 * Agents whose claims were granted merge before the entry: each keeps its distance to the one before it.
 *
 *   ahead.c         the passage ahead of an agent
 *   right_of_way.c  which agents may enter, and how the others wait
 *   merge.c         agents that may enter do so one after the other
 *   detour.c        agents that have waited for some time look for another way
 *   jam.c           agents whose path does not become shorter pass through others */
#ifndef WALKMESH_CROWD_PASSAGES_H
#define WALKMESH_CROWD_PASSAGES_H

#include "base/sort.h"
#include "crowd/crowd_internal.h"

/* The passage ahead of an agent. */
typedef struct WmPassageAhead {
  size_t first, count; /* its claims in crowd->claims; 0: there is none */
  float entry[2];      /* x and z where it begins; of the passage that the agent is in, its next portal */
  bool begins_here;    /* it begins with a portal or throat of the polygon that the agent is in */
} WmPassageAhead;

/* An agent with a passage ahead of it. */
typedef struct WmCandidate {
  uint32_t index; /* of the agent */
  WmPassageAhead ahead;
  float distance; /* to the passage's entry */
  bool is_inside; /* of the passage */
} WmCandidate;

/* A narrow portal or a throat, and its claims in both directions. */
typedef struct WmPlace {
  uint64_t key;        /* 0: unused */
  WmRef polygon;       /* as in WmClaim */
  uint32_t type;       /* of mesh */
  uint32_t first[2];   /* the number of the first agent that holds it, else reserves it, else waits for it */
  uint32_t holders[2]; /* agents that hold it */
  uint32_t waiting[2]; /* agents that wait for it */
  float tail[2];       /* how far the last agent that may enter here is from the entry, world units */
  bool is_reserved[2];
} WmPlace;

/* The claims of the agents for a portal or throat. */
WmPlace *wm_crowd_place(const WmCrowd *crowd, uint64_t key);

/* Finds the passage that the agent is in, or the next one ahead of it, and appends its claims to
 * crowd->claims.
 * in         sight: how far ahead of the agent's polygon a passage may begin, world units
 * returns    WM_OK, WM_ERROR_OUT_OF_MEMORY */
WmStatus wm_crowd_find_passage(WmCrowd *crowd, size_t index, float sight, WmPassageAhead *ahead);

/* merge.c: limits the speed of agents that hold a passage and are still before it, so that they enter one after
 * the other.
 * scratch    items [2 * candidates] */
void wm_crowd_merge(WmCrowd *crowd, WmSortItem *items);
/* Slows an agent down to the limit. */
void wm_crowd_follow(WmAgentRecord *record);

/* jam.c: the agent's claims were granted, so its patience starts again, at most WM_CROWD_TURNS_PER_GAIN times
 * between two gains. */
void wm_crowd_note_turn(WmAgentRecord *record);

/* True if an agent stands where two can't pass each other. */
bool wm_crowd_is_in_narrow_place(const WmCrowd *crowd, size_t index);
/* True if several bodies have room at a point on or near the agent's polygon. In the crossings of narrow lanes
 * there is none, although they are not narrow. */
bool wm_crowd_has_room(const WmCrowd *crowd, size_t index, const float point[3]);

#endif
