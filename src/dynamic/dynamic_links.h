/* Generated links (links/links.h) of a dynamic mesh: they follow its tiles.
 *
 * Usual order: wm_dynamic_generate_links right after wm_dynamic_create; keep each tile together with its air, joined by
 * wm_kept_tile_join. From then on wm_dynamic_step also generates links, those of one place a step, and puts them into the mesh.
 *
 * The links of a place are outdated after a change of any tile that they may depend on: of its polygons, of its air, or of the
 * volumes that block its air: those of area 0, of the bake and of obstacles that carve. They are generated again as soon as no
 * such tile is dirty, and stay as they are until then, tied to the polygons that exist. So when nothing is dirty, the generated
 * links of the mesh equal those of a generator that is new, whatever the order of changes, steps and jobs.
 *
 * A place without a kept tile, or without air, is missing: links that would pass it wait for it. Removing a tile removes the links
 * that start in it. Links by hand, and links that were switched off, are the mesh's (mesh/links/segment_links.h). */
#ifndef WALKMESH_DYNAMIC_LINKS_H
#define WALKMESH_DYNAMIC_LINKS_H

#include "base/public.h"
#include "dynamic/dynamic.h"
#include "links/links.h"

WM_PUBLIC_BEGIN

/* Generates links from now on. Allowed once, before the first tile is kept.
 * in         config: copied
 * returns    WM_OK; WM_ERROR_CONFIGURATION naming the field; WM_ERROR_STATE (tiles are kept, or links are generated already; kept
 *            tiles are eroded: Detour's tile caches have no air); WM_ERROR_OUT_OF_MEMORY
 * memory     40 bytes for each place of the grid of tiles */
WmStatus wm_dynamic_generate_links(WmDynamic *dynamic, const WmLinkConfig *config);

/* All kinds off, and the defaults for the agent of the bake. */
WmLinkConfig wm_dynamic_default_links(const WmDynamic *dynamic);

/* Changes which links are generated: all are outdated afterwards. All kinds may be off, and on again later: the air stays.
 * in         config: copied
 * returns    WM_OK; WM_ERROR_CONFIGURATION naming the field; WM_ERROR_STATE (wm_dynamic_generate_links wasn't called): nothing changed
 * cost       O(places) */
WmStatus wm_dynamic_configure_links(WmDynamic *dynamic, const WmLinkConfig *config);

/* The configuration of the links; NULL if none are generated. */
const WmLinkConfig *wm_dynamic_link_config(const WmDynamic *dynamic);

/* Number of places whose links are outdated; wm_dynamic_dirty_count includes them. */
size_t wm_dynamic_dirty_link_count(const WmDynamic *dynamic);

/* Generates the links of the first outdated place that doesn't have to wait for a tile; wm_dynamic_step does so when no tile is dirty.
 * For callers whose tiles are built elsewhere (tile_jobs.h).
 * out        change: as wm_dynamic_step; x and z are -1 if there was no such place
 * returns    WM_OK; WM_ERROR_LIMIT (as wm_link_generator_run and wm_mesh_put_links): the place of *change has no generated links now, and
 *            isn't outdated until something near it changes; WM_ERROR_OUT_OF_MEMORY: nothing changed */
WmStatus wm_dynamic_step_links(WmDynamic *dynamic, WmTileChange *change);

/* Declares that no links are outdated: those of the mesh are the links that another generator made of the same tiles and air, and that
 * wm_mesh_put_links put there. Until the links of a place are generated here, a change near it makes it outdated, also where borders
 * that are held would show that its links stay. */
void wm_dynamic_accept_links(WmDynamic *dynamic);

/* Bytes of the generator: air, and tiles that it has unpacked. */
size_t wm_dynamic_link_bytes(const WmDynamic *dynamic);

/* ---- Kept tiles with air ------------------------------------------------------------------------------ */

/* Joins a kept tile and its air to bytes that wm_dynamic_keep_tile accepts as a kept tile, and wm_dynamic_kept_tile returns. A
 * dynamic mesh without links accepts them, too, and drops the air.
 * in         kept: from wm_baker_keep_tile; air: from wm_baker_keep_air
 * out        *bytes [*byte_count], freed by wm_block_free; NULL, 0 on failure
 * returns    WM_OK, WM_ERROR_OUT_OF_MEMORY */
WmStatus wm_kept_tile_join(WmContext *context, const uint8_t *kept, size_t kept_bytes, const uint8_t *air,
                           size_t air_bytes, uint8_t **bytes, size_t *byte_count);

WM_PUBLIC_END

#endif
