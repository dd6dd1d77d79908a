/* Doors and switches: polygon flags in a volume that are set while a switch is on, and restored when it is
 * off. Nothing is baked: references, links and paths stay valid, and filters see the change immediately.
 *
 * Usual order: wm_switches_create for a mesh, wm_switch_add for every door; wm_switch_set when it closes or
 * opens; wm_switches_update after tiles were added, removed or replaced (it costs next to nothing if none
 * was), so that flags are set on new tiles, too. wm_switches_destroy restores all flags.
 *
 * A volume covers the polygons that touch it (the whole polygon, even if the volume covers little of it), or
 * with `by_middle` those whose middle is inside; with `area` only polygons of that area. Polygons are not
 * cut: for polygons that end at a door, mark it by an area volume in the bake, with an area of its own, and
 * give the switch this area and a volume that is a little larger.
 *
 * Several switches over one polygon: a flag is set if any switch that is on sets it, unless another one
 * clears it. A flag that no switch names is what it was set to (wm_mesh_set_polygon_flags); a flag that is
 * named is restored to its value before the first of these switches came on. A mesh needs one WmSwitches: two
 * would restore each other's flags.
 *
 * Failures are explained by the context; they leave switches and flags unchanged. */
#ifndef WALKMESH_QUERY_SWITCHES_H
#define WALKMESH_QUERY_SWITCHES_H

#include "base/public.h"
#include "query/query.h"

WM_PUBLIC_BEGIN

typedef struct WmSwitches WmSwitches;

/* A handle: generation and number, below 2^53, never 0. One of a removed switch stays invalid. */
typedef uint64_t WmSwitch;

enum { WM_SWITCH_NUMBER_BITS = 32, WM_SWITCH_GENERATION_BITS = 21 };

/* In the order of WmAreaVolumeKind (bake/stages.h). */
typedef enum WmSwitchShape {
  WM_SWITCH_BOX = 0,         /* minimum, maximum */
  WM_SWITCH_ROTATED_BOX = 1, /* centre, half_extents, yaw (radians, counter-clockwise seen from above) */
  WM_SWITCH_CYLINDER = 2,    /* centre of the base, radius, height */
  WM_SWITCH_PRISM = 3        /* convex outline on x and z, from minimum[1] to maximum[1] */
} WmSwitchShape;

typedef struct WmSwitchVolume {
  int32_t kind; /* WmSwitchShape */
  int32_t area; /* 0..63: only polygons of this area; -1: of any */
  float minimum[3], maximum[3];
  float centre[3], half_extents[3];
  float yaw, radius, height;
  const float *vertices; /* [vertex_count][3], 3 to 255; y is ignored */
  size_t vertex_count;
  bool by_middle; /* polygons with the mean of their vertices inside; otherwise all that touch */
} WmSwitchVolume;

/* in         mesh: must outlive the switches
 * returns    WM_OK, WM_ERROR_OUT_OF_MEMORY; *switches is NULL on failure */
WmStatus wm_switches_create(WmContext *context, WmMesh *mesh, WmSwitches **switches);

/* Turns all switches off and frees them. NULL is allowed. */
void wm_switches_destroy(WmSwitches *switches);

/* Adds a switch.
 * in         volume: copied; set_flags, clear_flags: flags that it sets and clears while it is on; a flag in
 *            both is cleared
 * out        *added
 * returns    WM_OK; WM_ERROR_INVALID_ARGUMENT naming the field (not finite, a size below 0, minimum above
 *            maximum, an outline that isn't convex); WM_ERROR_LIMIT (2^32 switches); WM_ERROR_OUT_OF_MEMORY
 * cost       that of wm_query_polygons_in_convex */
WmStatus wm_switch_add(WmSwitches *switches, const WmSwitchVolume *volume, uint16_t set_flags,
                       uint16_t clear_flags, bool is_on, WmSwitch *added);

/* Turns a switch on or off.
 * returns    WM_OK, also if it is on, or off, already; WM_ERROR_STALE_REFERENCE (it was removed),
 *            WM_ERROR_INVALID_ARGUMENT (never was a switch), WM_ERROR_OUT_OF_MEMORY
 * cost       O(polygons it covers) */
WmStatus wm_switch_set(WmSwitches *switches, WmSwitch number, bool is_on);

/* Turns a switch off and removes it.
 * returns    WM_OK, WM_ERROR_STALE_REFERENCE, WM_ERROR_INVALID_ARGUMENT */
WmStatus wm_switch_remove(WmSwitches *switches, WmSwitch number);

/* True if it is on; false if there is no such switch. */
bool wm_switch_is_on(const WmSwitches *switches, WmSwitch number);

/* The polygons that a switch covers, on or off, by the last update; after a change of tiles stale references
 * may be among them.
 * out        *polygons [*count]: valid until the next change of switches
 * returns    WM_OK, WM_ERROR_STALE_REFERENCE, WM_ERROR_INVALID_ARGUMENT */
WmStatus wm_switch_polygons(const WmSwitches *switches, WmSwitch number, const WmRef **polygons,
                            size_t *count);

size_t wm_switch_count(const WmSwitches *switches);

/* A polygon with flags that switches set or clear, and their values before. */
typedef struct WmSwitchedFlags {
  int32_t x, z, layer; /* of its tile */
  uint32_t polygon;    /* of the tile */
  uint16_t before, owned;
} WmSwitchedFlags;

/* Visits these polygons, so that files can store the flags from before.
 * in/out     *cursor: 0 for the first polygon
 * returns    false: no more; *flags is then unchanged */
bool wm_switches_next_flags(const WmSwitches *switches, size_t *cursor, WmSwitchedFlags *flags);

/* Updates the polygons of switches where tiles have changed, and sets flags there.
 * out        *changed: number of switches that cover other polygons now
 * returns    WM_OK; WM_ERROR_OUT_OF_MEMORY: some switches are up to date, the next update does the others
 * cost       0 if no tile has changed since the last update; else O(switches), and that of adding the
 *            switches whose tiles have changed */
WmStatus wm_switches_update(WmSwitches *switches, size_t *changed);

/* Sets and clears flags of the polygons that a volume covers, for good.
 * in         query: of the mesh
 * out        *count: number of polygons whose flags have changed
 * returns    as wm_switch_add */
WmStatus wm_set_flags_under(WmQuery *query, WmMesh *mesh, const WmSwitchVolume *volume, uint16_t set_flags,
                            uint16_t clear_flags, size_t *count);

WM_PUBLIC_END

#endif
