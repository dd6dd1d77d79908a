/* Segment links: wide ways from one border of the mesh to another that nobody walks: drops, jumps, climbs, vaults.
 *
 * A segment link joins a near segment with a far segment of the same length on x and z, by a rigid motion there (rotation and
 * translation); heights follow the two segments. Who uses it crosses anywhere along it: position `across` (0 to 1) of the near
 * segment arrives at position `across` of the far one. A path pulls its string over the link as if there were no gap: the far
 * side is laid against the near one by the motion. Crossing adds the link's cost.
 *
 * Links lie in sets: those that start in one tile of the grid and were generated, and any number of sets that start there and
 * were made by hand: a link in a set of its own has a reference that stays until the link is removed. A set is a tile of its
 * own, without ground polygons, as a connection made at run time is; link i is its polygon i. So links are searched, filtered
 * and referenced like polygons. Both segments are tied to every polygon that they lie on, in part or in full (up to a
 * thousandth of a cell on x and z, and a step and a cell on y), and ties follow when tiles come and go: a link whose ground is
 * missing waits. Ties depend on the tiles in the mesh, not on the order in which they were added. At most 126 polygons lead
 * onto a link.
 *
 * A link that is switched off stays off when its set is put again, also in other pieces: the mesh remembers segments and kind of
 * links that were switched off. A link of that kind is off, too, if it leads the same way (up to 45 degrees) and its near
 * segment lies beside the remembered one, within a cell on x and z and a step and a cell on y, along at least half of the
 * narrower of the two. So pieces of a link that is off are off, and so is a wider link in its place. A bidirectional link is
 * off, too, if that holds from its far segment. Generated links that lie twice, made by two tiles, are switched together.
 * Switching a link on forgets its places; other pieces that are off there stay off, by places of their own. So generated links are on
 * or off as if their sets were put again. */
#ifndef WALKMESH_MESH_SEGMENT_LINKS_H
#define WALKMESH_MESH_SEGMENT_LINKS_H

#include "base/public.h"
#include "mesh/mesh.h"

WM_PUBLIC_BEGIN

typedef enum WmSegmentLinkKind {
  WM_SEGMENT_LINK_DROP = 0,  /* level until above the landing, then straight down */
  WM_SEGMENT_LINK_JUMP = 1,  /* a parabola through start and end, with its top at `peak` */
  WM_SEGMENT_LINK_CLIMB = 2, /* straight up to the height of the end, then level */
  WM_SEGMENT_LINK_VAULT = 3, /* straight up to `peak`, level, straight down */
  WM_SEGMENT_LINK_KINDS
} WmSegmentLinkKind;

typedef struct WmSegmentLink {
  /* The near segment: its left and right end, in the order of the vertices of the edge that agents leave over, as in
   * WmMeshTile.link_portals. */
  float start[2][3];
  float end[2][3]; /* the far segment: where those two arrive */
  float peak;      /* how far the feet rise above the higher one of start and end, world units, >= 0 */
  float cost;      /* of crossing, times the area's cost: world units, finite, >= 0 */
  uint32_t user_id;
  uint16_t flags;
  uint8_t area; /* 0..63 */
  uint8_t kind; /* WmSegmentLinkKind */
  bool bidirectional;
  bool enabled; /* searches don't pass a link that is off */
} WmSegmentLink;

enum { WM_LINK_SET_LIMIT = 32768 };
#define WM_NEW_LINK_SET UINT32_MAX /* a number that no set of the place has */

/* A point of the feet's trajectory.
 * in         across: 0 (left) to 1; along: 0 (start) to 1 (end), in parts of the trajectory's length for drops, climbs and
 *            vaults, of time for jumps
 * out        point [3] */
void wm_segment_link_point(const WmSegmentLink *link, float across, float along, float point[3]);

/* Width on x and z; length of the trajectory in the middle; the longest of it, of those at both sides and of the distances there: no
 * position bridges more. World units. */
float wm_segment_link_width(const WmSegmentLink *link);
float wm_segment_link_length(const WmSegmentLink *link);
float wm_segment_link_longest(const WmSegmentLink *link);

/* Puts a set of links that start at tile (x, z) of the grid, in place of the one with that number; count 0 removes it. References
 * of its links change, unless the set equals the former one in all bytes.
 * in         links [count]: copied; number: 0 for generated links, from 1 on for those made by hand, or WM_NEW_LINK_SET
 * out        *set (may be NULL): the reference of the first link; 0 if count is 0
 * returns    WM_OK, also if no ground is near; WM_ERROR_INVALID_ARGUMENT naming link and field (a number out of range;
 *            segments without width, or whose widths differ by more than a thousandth; ends in the wrong order);
 *            WM_ERROR_LIMIT (2^20 tiles, connections and sets; 32768 links in a set; a link on 4096 polygons, or many on so
 *            many that memory would grow with their product); WM_ERROR_OUT_OF_MEMORY. The mesh is unchanged on failure */
WmStatus wm_mesh_put_links(WmMesh *mesh, int32_t x, int32_t z, uint32_t number, const WmSegmentLink *links,
                           size_t count, WmRef *set);

/* The set of a place: links [*count], which stay valid until the set changes; NULL if there is none. *set (may be NULL): the
 * reference of the first. */
const WmSegmentLink *wm_mesh_links_at(const WmMesh *mesh, int32_t x, int32_t z, uint32_t number,
                                      size_t *count, WmRef *set);

/* The next set, in the order of z, x, number: pass 0, then the last result, until it returns 0. */
WmRef wm_mesh_next_links(const WmMesh *mesh, WmRef previous);

/* A set by a reference into it: its place and number.
 * returns    WM_OK, WM_ERROR_STALE_REFERENCE, WM_ERROR_INVALID_ARGUMENT (no segment link) */
WmStatus wm_mesh_links_place(const WmMesh *mesh, WmRef link, int32_t *x, int32_t *z, uint32_t *number);

/* Number of segment links of the mesh. */
size_t wm_mesh_segment_link_count(const WmMesh *mesh);

/* Reads a link.
 * out        *link; *tied (may be NULL): bit 0 the near segment lies on ground of the mesh, bit 1 the far one
 * returns    WM_OK, WM_ERROR_STALE_REFERENCE, WM_ERROR_INVALID_ARGUMENT (no segment link) */
WmStatus wm_mesh_segment_link(const WmMesh *mesh, WmRef ref, WmSegmentLink *link, int *tied);

/* Switches a link on or off, immediately; references stay. See above for how it is remembered.
 * returns    as wm_mesh_segment_link; WM_ERROR_OUT_OF_MEMORY */
WmStatus wm_mesh_set_segment_link_enabled(WmMesh *mesh, WmRef ref, bool enabled);

/* The places of links that were switched off: kind and segments, [count] in any order; for files and tools. */
typedef struct WmLinkOff {
  float start[2][3], end[2][3]; /* as in WmSegmentLink */
  uint32_t kind;
} WmLinkOff;
const WmLinkOff *wm_mesh_links_off(const WmMesh *mesh, size_t *count);

/* Replaces those places, and switches all links of the mesh: those at a place off, all others on.
 * returns    WM_OK, WM_ERROR_INVALID_ARGUMENT (a number out of range, a near segment without width), WM_ERROR_OUT_OF_MEMORY;
 *            nothing has changed on failure */
WmStatus wm_mesh_set_links_off(WmMesh *mesh, const WmLinkOff *off, size_t count);

WM_PUBLIC_END

#endif
