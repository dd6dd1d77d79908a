/* Doors and switches: flags of the polygons under a volume, set while a switch is on, and as they were when
 * it is off. Nothing is built again: references, links and paths in hand stay as they are, and filters see
 * the change at once.
 *
 * Usual order: wm_switches_create for a mesh, wm_switch_add for every door; wm_switch_set when it closes or
 * opens; wm_switches_update after tiles came, went or were built again (it costs next to nothing where none
 * did), so that flags are set on new tiles, too. wm_switches_destroy puts all flags back.
 *
 * What lies under a volume: polygons that touch it (the whole polygon, however little of it), or with
 * `by_middle` those the middle of which is inside; with `area` only polygons of that area. Polygons are not
 * cut: for ones that end at a door mark it by an area volume in the bake, with an area of its own, and give
 * the switch this area and a volume that is a little larger.
 *
 * Several switches over one polygon: a flag that any of those that are on sets is set, unless one of them
 * clears it. A flag that none of them names is whatever it was set to (wm_mesh_set_polygon_flags); one that
 * is named is put back to what it was when the first of them came on.
 *
 * Failures are explained by the context; they leave switches and flags as they were. */
#ifndef WALKMESH_QUERY_SWITCHES_H
#define WALKMESH_QUERY_SWITCHES_H

#include "query/local/overlap.h"

typedef struct WmSwitches WmSwitches;

/* A handle: generation and number, below 2^53, never 0. One of a removed switch stays invalid. */
typedef uint64_t WmSwitch;

enum { WM_SWITCH_NUMBER_BITS = 32, WM_SWITCH_GENERATION_BITS = 21 };

/* In the order of WmAreaVolumeKind (bake/stages.h). */
typedef enum WmSwitchShape {
  WM_SWITCH_BOX = 0,         /* minimum, maximum */
  WM_SWITCH_ROTATED_BOX = 1, /* centre, half_extents, yaw (radians, counter-clockwise seen from above) */
  WM_SWITCH_CYLINDER = 2,    /* centre of the bottom, radius, height */
  WM_SWITCH_PRISM = 3        /* convex outline on x and z, from minimum[1] to maximum[1] */
} WmSwitchShape;

typedef struct WmSwitchVolume {
  int32_t kind; /* WmSwitchShape */
  int32_t area; /* 0..63: only polygons of this area; -1: of any */
  float minimum[3], maximum[3];
  float centre[3], half_extents[3];
  float yaw, radius, height;
  const float *vertices; /* [vertex_count][3], 3 to 255; y is of no account */
  size_t vertex_count;
  bool by_middle; /* polygons whose middle (of their corners) is inside; otherwise all that touch */
} WmSwitchVolume;

/* returns    WM_OK, WM_ERROR_OUT_OF_MEMORY; *switches is NULL on failure. The mesh must outlive them */
WmStatus wm_switches_create(WmContext *context, WmMesh *mesh, WmSwitches **switches);

/* Turns all off, and forgets them. NULL is allowed. */
void wm_switches_destroy(WmSwitches *switches);

/* Adds a switch.
 * in         volume: copied; set_flags, clear_flags: what it does to polygons while it is on; of a flag in
 * both it is cleared out        *added returns    WM_OK; WM_ERROR_INVALID_ARGUMENT (not finite, a size below
 * 0, minimum above maximum, an outline that is not convex; names the field); WM_ERROR_LIMIT (2^32 switches);
 * WM_ERROR_OUT_OF_MEMORY cost       that of wm_query_polygons_in_convex */
WmStatus wm_switch_add(WmSwitches *switches, const WmSwitchVolume *volume, uint16_t set_flags,
                       uint16_t clear_flags, bool is_on, WmSwitch *added);

/* Turns a switch on or off.
 * returns    WM_OK, also where it is so already; WM_ERROR_STALE_REFERENCE (it was removed),
 *            WM_ERROR_INVALID_ARGUMENT (never was one), WM_ERROR_OUT_OF_MEMORY
 * cost       O(polygons under it) */
WmStatus wm_switch_set(WmSwitches *switches, WmSwitch number, bool is_on);

/* Turns a switch off and removes it. */
WmStatus wm_switch_remove(WmSwitches *switches, WmSwitch number);

/* Whether it is on; false for what is no switch. */
bool wm_switch_is_on(const WmSwitches *switches, WmSwitch number);

/* The polygons under a switch, on or off, as of the last update; stale ones may be among them before it.
 * returns    WM_OK, WM_ERROR_STALE_REFERENCE, WM_ERROR_INVALID_ARGUMENT */
WmStatus wm_switch_polygons(const WmSwitches *switches, WmSwitch number, const WmRef **polygons,
                            size_t *count);

size_t wm_switch_count(const WmSwitches *switches);

/* A polygon some of whose flags are those of switches, and what these flags were before. */
typedef struct WmSwitchedFlags {
  int32_t x, z, layer; /* of its tile */
  uint32_t polygon;    /* of the tile */
  uint16_t before, owned;
} WmSwitchedFlags;

/* To visit all, for files that are to have flags as they were: *place is 0 for the first.
 * returns    false: no more; *flags is unchanged then */
bool wm_switches_next_flags(const WmSwitches *switches, size_t *place, WmSwitchedFlags *flags);

/* Finds what lies under switches anew where tiles have changed, and sets flags there.
 * out        *changed: how many switches have other polygons now
 * returns    WM_OK; WM_ERROR_OUT_OF_MEMORY: some switches are up to date, the others are with the next update
 * cost       where no tile has changed since: nothing; else O(switches), and that of adding those whose tiles
 *            have */
WmStatus wm_switches_update(WmSwitches *switches, size_t *changed);

/* Once and for all: sets and clears flags of the polygons under a volume.
 * in         query: of the mesh
 * out        *count of polygons whose flags are others now
 * returns    as wm_switch_add */
WmStatus wm_set_flags_under(WmQuery *query, WmMesh *mesh, const WmSwitchVolume *volume, uint16_t set_flags,
                            uint16_t clear_flags, size_t *count);

#endif
