/* Exports of reading Detour's tile caches. The bytes of the set must outlive the handle. */
#include "handles.h"
#include "dynamic/detour_cache/detour_cache.h"
#include "session.h"

typedef struct LayerSet {
  Session *session;
  WmDetourCache *cache;
} LayerSet;

EXPORT(detour_cache_destroy) void export_detour_cache_destroy(LayerSet *set) {
  wm_detour_cache_destroy(set->cache);
  wm_block_free(set->session->context, set);
}

/* Answer: the handle. */
EXPORT(detour_cache_read)
WmStatus export_detour_cache_read(Session *session, const uint8_t *bytes, size_t byte_count) {
  LayerSet *set = wm_block_allocate(session->context, sizeof *set);
  if (!set) return WM_ERROR_OUT_OF_MEMORY;
  *set = (LayerSet){.session = session};
  const WmStatus status = wm_detour_cache_read(session->context, bytes, byte_count, &set->cache);
  if (status) {
    export_detour_cache_destroy(set);
    return status;
  }
  session->answer[0] = (uint32_t)(uintptr_t)set;
  return WM_OK;
}

/* Answer: address, bytes of the summary. */
EXPORT(detour_cache_summary) void export_detour_cache_summary(LayerSet *set) {
  session_return_bytes(set->session, wm_detour_cache_summary(set->cache), sizeof(WmDetourCacheSummary));
}

/* Sets the configuration of a bake to that of the set, with eroded kept tiles. */
EXPORT(detour_cache_configure) void export_detour_cache_configure(const LayerSet *set, Bake *bake) {
  bake->config = wm_detour_cache_config(set->cache);
  bake->input.kept_tiles_are_eroded = true;
}

/* Answer: address (memory_free it), bytes of the kept tile; 0, 0: none. */
EXPORT(detour_cache_keep_tile) WmStatus export_detour_cache_keep_tile(LayerSet *set, int x, int z) {
  uint8_t *bytes;
  size_t byte_count;
  const WmStatus status = wm_detour_cache_keep_tile(set->cache, x, z, &bytes, &byte_count);
  if (!status) session_return_bytes(set->session, bytes, byte_count);
  return status;
}
