/* The ground of a kept tile: all that building it again can share from one time to the next, whatever
 * obstacles there are. These are its spans and their links, and their areas before erosion, after it, and
 * after the input's volumes.
 *
 * With obstacles, erosion only adds to what it takes away without any: ground whose distance to the border
 * falls below the limit lies within the radius of where an obstacle stands. So it is measured anew only there
 * (erode_window.c). Regions depend on nothing but links and areas; where areas are as they are without
 * obstacles, so is the tile. */
#ifndef WALKMESH_BAKE_GROUND_H
#define WALKMESH_BAKE_GROUND_H

#include "bake/bake.h"

typedef struct WmGround WmGround;

/* Reads what was kept of tile (x, z); the tile in hand is dropped.
 * out        *ground: freed by wm_ground_free; NULL on failure
 * returns    WM_OK, WM_ERROR_INVALID_ARGUMENT (outside the grid), WM_ERROR_CORRUPT, WM_ERROR_OUT_OF_MEMORY
 * memory     some 12 bytes a span: wm_ground_bytes
 * cost       that of reading the bytes, links and erosion */
WmStatus wm_baker_open_ground(WmBaker *baker, int32_t x, int32_t z, const uint8_t *bytes, size_t byte_count,
                              WmGround **ground);

/* About how much of a ground there will be where a cell has one span. */
size_t wm_baker_guess_ground_bytes(const WmBaker *baker);

size_t wm_ground_bytes(const WmGround *ground);

void wm_ground_free(WmContext *context, WmGround *ground);

/* Starts the ground's tile with these obstacles, as wm_baker_begin_kept_tile; volumes and erosion are done
 * with when it returns (next stage WM_STAGE_DISTANCE).
 * in         ground: of this baker, must outlive the tile's stages; obstacles: read during the call
 * out        *is_plain: the tile will be as it is without obstacles: it need not be built to know
 * returns    WM_OK, WM_ERROR_INVALID_ARGUMENT (a volume that cannot be marked), WM_ERROR_OUT_OF_MEMORY */
WmStatus wm_baker_begin_ground(WmBaker *baker, const WmGround *ground, const WmAreaVolume *obstacles,
                               size_t obstacle_count, bool *is_plain);

/* Runs stages of a tile that wm_baker_begin_ground has started, as far as what is known of the ground
 * shortens them; wm_baker_step runs those that are left. returns    WM_OK, WM_ERROR_LIMIT,
 * WM_ERROR_OUT_OF_MEMORY */
WmStatus wm_baker_build_ground(WmBaker *baker, const WmGround *ground);

/* Runs the stages from polygons to their details, of a tile of this ground whose contours are done: takes
 * over what came of the same contours before, if that was remembered (next stage WM_STAGE_TILE). in is_plain:
 * as wm_baker_begin_ground said; may_remember: wm_ground_bytes may be more afterwards returns    WM_OK,
 * WM_ERROR_LIMIT, WM_ERROR_OUT_OF_MEMORY */
WmStatus wm_baker_build_surface(WmBaker *baker, WmGround *ground, bool is_plain, bool may_remember);

#endif
