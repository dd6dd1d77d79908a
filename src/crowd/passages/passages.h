/* Right of way in narrow passages: where two agents can't pass each other, one side goes and the other waits
 * outside.
 *
 * A *passage* is a part of an agent's corridor: narrow portals one after the other without room between them,
 * and throats of polygons (clearance/passages.h). Before an agent enters a passage, it claims all portals of
 * it, each in its own direction. All claims are granted together or none is, so that an agent inside can always
 * leave. A claim is refused while another agent holds the portal in the opposite direction, or has reserved it
 * by waiting for long. Lanes that branch or cross need no other rule, since claims are for single portals.
 *
 *   ahead.c         the passage ahead of an agent
 *   right_of_way.c  which agents may enter, and how the others wait
 *   detour.c        agents that have waited for some time look for another way
 *   jam.c           agents whose path does not become shorter pass through others */
#ifndef WALKMESH_CROWD_PASSAGES_H
#define WALKMESH_CROWD_PASSAGES_H

#include "crowd/crowd_internal.h"

/* The passage ahead of an agent. */
typedef struct WmPassageAhead {
  size_t first, count; /* its claims in crowd->claims; 0: there is none */
  float entry[2];      /* x and z where it begins; of the passage that the agent is in, its next portal */
  bool begins_here;    /* it begins with a portal or throat of the polygon that the agent is in */
} WmPassageAhead;

/* A narrow portal or a throat, and its claims in both directions. */
typedef struct WmPlace {
  uint64_t key;        /* 0: unused */
  WmRef polygon;       /* as in WmClaim */
  uint32_t type;       /* of mesh */
  uint32_t first[2];   /* the number of the first agent that holds or reserves it */
  uint32_t holders[2]; /* agents that hold it */
  uint32_t waiting;    /* agents that wait for it */
  bool is_reserved[2];
} WmPlace;

/* Finds the passage that the agent is in, or the next one ahead of it, and appends its claims to
 * crowd->claims.
 * in         sight: how far ahead of the agent's polygon a passage may begin, world units
 * returns    WM_OK, WM_ERROR_OUT_OF_MEMORY */
WmStatus wm_crowd_find_passage(WmCrowd *crowd, size_t index, float sight, WmPassageAhead *ahead);

/* jam.c: the agent's claims were granted, so its patience starts again, at most WM_CROWD_TURNS_PER_GAIN times
 * between two gains. */
void wm_crowd_note_turn(WmAgentRecord *record);

/* True if an agent stands where two can't pass each other. */
bool wm_crowd_is_in_narrow_place(const WmCrowd *crowd, size_t index);

#endif
