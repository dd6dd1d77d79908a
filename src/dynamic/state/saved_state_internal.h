/* Layout of saved dynamic meshes, shared by the files of this folder. See docs/formats.md.
 *
 *   saved_state.c        reads them
 *   saved_state_write.c  writes them
 *
 * Little-endian; the head, the mesh as .walkmesh, and then without gaps:
 *
 *   grid        u8 [tile_count] WM_SAVED_KEPT, WM_SAVED_DIRTY, WM_SAVED_DIRTY_LINKS
 *   volumes     of the bake: WmSavedVolume, then its outline f32 [vertex_count][3]
 *   connections WmSavedOffMesh
 *   flags       u16 [64] if has_flags
 *   links       WmSavedLinkConfig if the options have WM_STATE_LINKS
 *   focus       f32 [focus_count][3]
 *   generations u32 [record_count]
 *   free        u32 [free_count] free numbers, the next to be used first
 *   obstacles   [live_count] by sequence: WmSavedObstacle, then its volumes: original; the present one,
 *               unless it is the same; the carved one, unless it is the same as the present one
 *   moving      [moving_count] WmSavedMoving
 *   tiles       for each kept tile, by row: u32 byte count, the bytes, joined with air (wm_kept_tile_join)
 *   end         zeros up to a multiple of 8; u64 checksum of all bytes before */
#ifndef WALKMESH_DYNAMIC_SAVED_STATE_INTERNAL_H
#define WALKMESH_DYNAMIC_SAVED_STATE_INTERNAL_H

#include "dynamic/dynamic_internal.h"
#include "dynamic/state/saved_state.h"

/* "WALKDYNA" */
#define WM_STATE_MAGIC UINT64_C(0x414e59444b4c4157)
enum { WM_STATE_VERSION = 1, WM_SAVED_FIELD_COUNT = 20 };

typedef struct WmSavedHead {
  uint64_t magic;
  uint32_t version;
  uint32_t heights; /* the field of the configuration after those in `fields`; 0 in old files */
  uint64_t byte_count, mesh_bytes; /* of the whole file, of the mesh */
  uint64_t sequence;
  uint32_t fields[WM_SAVED_FIELD_COUNT]; /* the first of the configuration, with the bits of each field */
  float bounds_min[3], bounds_max[3];
  uint32_t tile_count; /* of the grid */
  uint32_t volume_count, connection_count, has_flags, focus_count, record_count, free_count, live_count;
  uint32_t moving_count, options;
} WmSavedHead;

/* Options: kept_tiles_are_eroded of WmBakeInput; links are generated; the bounds are open above. */
enum { WM_STATE_ERODED = 1, WM_STATE_LINKS = 2, WM_STATE_ABOVE = 4 };

enum { WM_SAVED_KEPT = 1, WM_SAVED_DIRTY = 2, WM_SAVED_DIRTY_LINKS = 4 };

typedef struct WmSavedVolume {
  int32_t kind;
  uint8_t area, before_erosion;
  uint16_t zero;
  float minimum[3], maximum[3], centre[3], half_extents[3], yaw, radius, height; /* as in WmAreaVolume */
  uint32_t vertex_count;
} WmSavedVolume;

typedef struct WmSavedOffMesh {
  float start[3], end[3], radius;
  uint16_t flags;
  uint8_t area, bidirectional;
  uint32_t user_id;
} WmSavedOffMesh;

enum { WM_SAVED_CARVING = 1, WM_SAVED_SAME_VOLUME = 2, WM_SAVED_SAME_CARVED = 4 };

typedef struct WmSavedObstacle {
  uint32_t number, options;
  uint64_t sequence;
  int32_t carving;
  float move_threshold, time_to_rest, still;
  float before[3];
  uint32_t zero;
} WmSavedObstacle;

typedef struct WmSavedMoving {
  uint32_t number;
  float velocity[3];
} WmSavedMoving;

/* A WmLinkConfig. */
typedef struct WmSavedLinkConfig {
  struct {
    uint8_t is_on, area;
    uint16_t flags;
    float cost_factor;
  } kinds[WM_SEGMENT_LINK_KINDS];
  float drop_max_height, jump_max_distance, jump_max_up, jump_max_down, jump_peak, climb_max_height,
      vault_max_height, vault_max_depth, min_width, min_saving, thinning;
} WmSavedLinkConfig;

_Static_assert(sizeof(WmSavedLinkConfig) == 76, "stored as it lies in memory");
_Static_assert(sizeof(WmSavedHead) == 184 && sizeof(WmSavedVolume) == 72 && sizeof(WmSavedOffMesh) == 36 &&
                   sizeof(WmSavedObstacle) == 48 && sizeof(WmSavedMoving) == 16,
               "stored as they lie in memory");

/* Writes volumes: u32 count, then each as above.
 * out        *bytes [*byte_count]: a block of the context; NULL, 0 on failure */
WmStatus wm_saved_volumes_write(WmContext *context, const WmAreaVolume *volumes, size_t count,
                                uint8_t **bytes, size_t *byte_count);

/* Reads volumes from any bytes.
 * out        *volumes [*count]: in scratch memory of the caller's mark */
WmStatus wm_saved_volumes_read(WmContext *context, const uint8_t *bytes, size_t byte_count,
                               WmAreaVolume **volumes, size_t *count);

#endif
