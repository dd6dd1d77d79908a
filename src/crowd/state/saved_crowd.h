/* Saved crowds: agents with their orders, paths and velocities, path requests, searches that run, obstacles, filters and options.
 * Layout: docs/formats.md.
 *
 * A crowd that was read goes on as the one that was written, bit for bit, on the same mesh or on one that was read from its file
 * (mesh/formats/formats.h), in any build. Writing changes nothing. Handles stay valid.
 *
 * Polygons are stored by the place of their tile. Where a tile of the mesh is missing or has other polygons, agents on it
 * and paths over it are treated as after a change of tiles (crowd.h): the next step finds the nearest ground, and other paths. If
 * anything else of the mesh has changed, flags and areas included, agents check their paths in the next step.
 *
 * One search is not continued but begun again: one that takes several steps, if flags or areas of its mesh have changed since it
 * began. Its agent gets its path some steps later than in the crowd that was written.
 *
 * Reading checks all bytes before use: a hostile, cut or altered file returns WM_ERROR_CORRUPT, never a crowd that is unsafe. */
#ifndef WALKMESH_CROWD_SAVED_CROWD_H
#define WALKMESH_CROWD_SAVED_CROWD_H

#include "base/public.h"
#include "crowd/crowd.h"

WM_PUBLIC_BEGIN

/* Writes a crowd, without its meshes.
 * out        *bytes [*byte_count]: a block of the context (wm_block_free); NULL, 0 on failure
 * returns    WM_OK, WM_ERROR_OUT_OF_MEMORY
 * cost       O(bytes of the crowd and of its meshes), about 1 kB for an agent */
WmStatus wm_crowd_write(const WmCrowd *crowd, uint8_t **bytes, size_t *byte_count);

/* Reads a crowd.
 * in         meshes [mesh_count]: as many as it had, in the order of their types; they must outlive it
 * out        *crowd: NULL on failure. Costs of single polygons that its filters had belong to it
 * returns    WM_OK; WM_ERROR_CORRUPT; WM_ERROR_INVALID_ARGUMENT (another number of meshes); WM_ERROR_OUT_OF_MEMORY
 * cost       O(bytes of the crowd and of its meshes), and that of its flow fields, labels of islands and running search, which
 *            are made again */
WmStatus wm_crowd_read(WmContext *context, const uint8_t *bytes, size_t byte_count,
                       const WmMesh *const *meshes, size_t mesh_count, WmCrowd **crowd);

/* What a saved crowd contains, for tools. */
typedef struct WmSavedCrowdInfo {
  uint32_t agent_count, mesh_count, obstacle_count, filter_count; /* filters that were set */
  uint64_t steps;                                                 /* that it had made */
} WmSavedCrowdInfo;

/* Reads the head of a saved crowd; checks size and checksum, nothing else.
 * returns    WM_OK, WM_ERROR_CORRUPT */
WmStatus wm_saved_crowd_info(WmContext *context, const uint8_t *bytes, size_t byte_count,
                             WmSavedCrowdInfo *info);

WM_PUBLIC_END

#endif
