/* Shared by the files of this folder: samples, and the stages of a line. Files, in the order of the stages:
 *
 *   room_walls.c, room_discs.c, room_string.c    the line around discs
 *   room.c                                       its check
 *   room_path.c, room_cost.c                     paths of several lines; costs near walls
 *   room_search.c                                corridors past the other sides of obstacles */
#ifndef WALKMESH_QUERY_ROOM_INTERNAL_H
#define WALKMESH_QUERY_ROOM_INTERNAL_H

#include "query/query_internal.h"
#include "query/room/room.h"

/* Polygons in which a leg looks for walls, points on walls near a leg, and near all legs: others are ignored. */
enum { WM_ROOM_POLYGONS = 256, WM_ROOM_LEG_SAMPLES = 8192, WM_ROOM_SAMPLES = 1 << 17 };

/* A point on a wall near a leg of the string, or a point of the string itself. */
typedef struct WmRoomSample {
  double point[2];
  /* Its place along the string: point k of the string is at k, the leg behind it from k + 0.1 to k + 0.9, and what
   * lies around a corner between. */
  double key;
  double along;  /* on its leg, world units; below 0 before the leg */
  double radius; /* of its disc; below 0: not computed yet */
  uint32_t leg;
  uint32_t rank;     /* in the order of keys */
  int8_t side;       /* WM_ROOM_LEFT, WM_ROOM_RIGHT; 0: it has no disc, but its wall blocks views */
  bool is_unseen;    /* not known yet whether a wall hides it: see wm_room_side */
  bool is_elsewhere; /* it belongs to the leg before or behind, and has no side here */
  bool continues;    /* the wall continues to the next sample */
  bool is_plain;     /* of a point of the string: the line is the string from here to the next point */
  bool is_passed;    /* of a point of the string off walls, where ground costs differ: the line passes it */
  uint8_t removed;   /* times that the string didn't need it */
  float scale;       /* of its radius: less than 1 where the line left the mesh */
  uint32_t first;    /* of a point of the string: the first sample on walls near the leg behind it */
} WmRoomSample;

_Static_assert(sizeof(WmRoomSample) == WM_ROOM_SAMPLE_BYTES, "query.c reserves as much");

enum { WM_ROOM_LEFT = 1, WM_ROOM_RIGHT = -1 };

/* Samples 0 to legs are the points of the string; then the two points where start and end have left the walls; then
 * those on walls, by legs. */
typedef struct WmRoom {
  WmQuery *query;
  const WmRoomTask *task;
  double distance;
  uint32_t legs;
  uint32_t count;    /* of samples */
  uint32_t walls;    /* first sample on a wall */
  double start_room; /* if there is a growth: the distance of the start from walls, at most the wanted one */
  bool leaves[2];    /* start, end: they leave the walls at samples legs + 1, legs + 2 */
  uint32_t disc_count, point_count;
} WmRoom;

/* The length up to which walls are looked at. */
static inline double wm_room_horizon(const WmRoom *room) {
  return room->task->horizon > 0 ? (double)room->task->horizon : (double)INFINITY;
}

/* A leg of the string, in a frame where it runs along the first axis. */
typedef struct WmRoomLeg {
  double from[2], direction[2], length;
} WmRoomLeg;

static inline WmRoomSample *wm_room_samples(const WmRoom *room) {
  return room->query->arrays[WM_QUERY_ROOM_SAMPLES].items;
}
static inline uint32_t *wm_room_discs(const WmRoom *room) {
  return room->query->arrays[WM_QUERY_ROOM_DISCS].items;
}

static inline double wm_room_cross(const double a[2], const double b[2]) { return a[0] * b[1] - a[1] * b[0]; }
static inline double wm_room_dot(const double a[2], const double b[2]) { return a[0] * b[0] + a[1] * b[1]; }

WmRoomLeg wm_room_leg(const WmRoom *room, uint32_t leg);

/* The place of a point in the frame of a leg: [0] along it, [1] to its left. */
static inline void wm_room_place(const WmRoomLeg *leg, const double point[2], double place[2]) {
  const double to[2] = {point[0] - leg->from[0], point[1] - leg->from[1]};
  place[0] = wm_room_dot(leg->direction, to);
  place[1] = wm_room_cross(leg->direction, to);
}

/* The squared distance from a point to a segment.
 * out        nearest [2] (may be NULL): of the segment */
double wm_room_distance_to(const double point[2], const double a[2], const double b[2], double nearest[2]);

/* True if the inner parts of two segments cross. */
bool wm_room_crosses(const double a[2], const double b[2], const double c[2], const double d[2]);

/* ---- The stages, in their order -------------------------------------------------------------------------- */

/* Appends the samples of all legs.
 * returns    WM_OK, WM_ERROR_OUT_OF_MEMORY */
WmStatus wm_room_gather(WmRoom *room);

/* The side of a sample; 0 too if a wall of its leg stands between it and the string. That takes a look at all walls of the leg, so
 * it is only found where it is asked for. */
int8_t wm_room_find_side(const WmRoom *room, uint32_t number);
static inline int8_t wm_room_side(const WmRoom *room, uint32_t number) {
  const WmRoomSample *sample = wm_room_samples(room) + number;
  return sample->is_unseen ? wm_room_find_side(room, number) : sample->side;
}

/* Finds where start and end leave walls that are too near. */
void wm_room_leave_walls(WmRoom *room);

/* Measures how near the walls are at the start. */
void wm_room_measure_start(WmRoom *room);

/* The radius of a sample's disc. */
double wm_room_radius(WmRoom *room, uint32_t number);

/* Finds the discs that the line touches.
 * returns    false: the string can't be pulled around these discs */
bool wm_room_pull(WmRoom *room, WmStatus *status);

/* Writes the points of the line: WM_QUERY_ROOM_POINTS, and the disc of each: WM_QUERY_ROOM_AT. */
WmStatus wm_room_write(WmRoom *room);

/* The search for another corridor. */
typedef struct WmRoomSearch {
  const WmFilter *filter;
  float distance;
  WmRef start, end;
  const float *from, *to; /* [3] */
  double most;            /* longer lines are not looked for, on x and z */
} WmRoomSearch;

/* Finds the corridor of the shortest line that keeps the distance, as portals tell: over ground only.
 * out        *count: of polygons in WM_QUERY_FORMER; 0: there is none, or it is hard to find
 * returns    WM_OK, WM_ERROR_OUT_OF_MEMORY */
WmStatus wm_room_search(WmQuery *query, const WmRoomSearch *task, size_t *count);

/* Sorts the samples by key: WM_QUERY_ROOM_ORDER, and the rank of each. */
WmStatus wm_room_sort(WmRoom *room);

#endif
