/* Right of way in narrow passages: where two agents can't pass each other, one side goes and the other waits
 * outside.
 *
 * A *passage* is a part of an agent's corridor: narrow portals one after the other without room between them,
 * and throats of polygons (clearance/passages.h). Before an agent enters one, it claims all its portals, each
 * in its direction. It gets them together or not at all, so that whoever is inside can leave. A claim is
 * refused while somebody holds one of the portals in the other direction, or has waited for one so long that
 * its turn comes first. Lanes that branch or cross need no rule of their own: what counts are the portals.
 *
 * Files: ahead.c (the passage ahead of an agent), right_of_way.c (who may enter; how the others wait),
 * detour.c (who waits for long looks for another way), jam.c (who doesn't get nearer to its destination passes
 * through others). */
#ifndef WALKMESH_CROWD_PASSAGES_H
#define WALKMESH_CROWD_PASSAGES_H

#include "crowd/crowd_internal.h"

/* The passage ahead of an agent. */
typedef struct WmPassageAhead {
  size_t first, count; /* its claims in crowd->claims; 0: there is none */
  float entry[2];      /* x and z where it begins; of the passage that the agent is in, its next portal */
  bool begins_here;    /* it begins with a portal or throat of the polygon that the agent is in */
} WmPassageAhead;

/* A portal or a throat, and who goes through it in which direction. */
typedef struct WmPlace {
  uint64_t key; /* 0: unused */
  WmRef polygon;
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

/* jam.c: it is the agent's turn: its patience begins anew, a few times between two gains. */
void wm_crowd_note_turn(WmAgentRecord *record);

/* True if an agent stands where two can't pass each other. */
bool wm_crowd_is_in_narrow_place(const WmCrowd *crowd, size_t index);

#endif
