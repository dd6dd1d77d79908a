/* The links of a dynamic mesh: which places have outdated ones, in a heap by nearness to the focus, and generating them. See
 * dynamic_links.h.
 *
 * A place whose links would read a dirty tile, or one that is built elsewhere, is parked: dirty, but not in the heap, until such a
 * tile is built. */
#include "dynamic/dynamic_links.h"

#include <string.h>

#include "base/heap.h"
#include "dynamic/dynamic_internal.h"

typedef struct LinkPlace {
  WmContentHash blocking; /* of the volumes that block the air, as the generator has them */
  bool is_dirty, is_parked;
} LinkPlace;

struct WmDynamicLinks {
  WmLinkConfig config;
  WmLinkGenerator *generator;
  size_t place_count, dirty_count, parked_count;
  LinkPlace *places; /* [place_count] by z, then x */
  uint64_t *queue;   /* [place_count + WM_HEAP_MARGIN] a heap of the dirty places that aren't parked */
  size_t queue_count;
};

/* ---- Creation and destruction ------------------------------------------------------------------------- */

static bool has_kept_tiles(const WmDynamic *dynamic) {
  const size_t count = (size_t)dynamic->columns * (size_t)dynamic->rows;
  for (size_t i = 0; i < count; i++) {
    if (dynamic->tiles[i].kept) return true;
  }
  return false;
}

static WmStatus check_state(const WmDynamic *dynamic) {
  WmContext *context = dynamic->context;
  if (dynamic->offset_radius > 0) {
    return wm_fail(context, WM_ERROR_STATE, "links",
                   "Detour's tile caches don't contain the air that links need: bake the level");
  }
  if (dynamic->links) return wm_fail(context, WM_ERROR_STATE, "links", "links are generated already");
  if (!has_kept_tiles(dynamic)) return WM_OK;
  return wm_fail(context, WM_ERROR_STATE, "links", "links must be asked for before the first tile is kept");
}

WmStatus wm_dynamic_generate_links(WmDynamic *dynamic, const WmLinkConfig *config) {
  WmContext *context = dynamic->context;
  WmStatus status = check_state(dynamic);
  if (status) return status;
  const size_t count = (size_t)dynamic->columns * (size_t)dynamic->rows;
  WmLayout layout = {0};
  const size_t places_at = wm_layout_add(&layout, count, sizeof(LinkPlace));
  const size_t queue_at = wm_layout_add(&layout, count + WM_HEAP_MARGIN, sizeof(uint64_t));
  WmDynamicLinks *links = wm_block_allocate(context, sizeof *links);
  uint8_t *block = wm_layout_allocate(context, &layout);
  WmLinkGenerator *generator = NULL;
  status = links && block
               ? wm_link_generator_create(context, config, wm_baker_config(dynamic->baker), &generator)
               : WM_ERROR_OUT_OF_MEMORY;
  if (status) {
    wm_block_free(context, block);
    wm_block_free(context, links);
    return status;
  }
  memset(block, 0, layout.bytes);
  *links = (WmDynamicLinks){.config = *config,
                            .generator = generator,
                            .place_count = count,
                            .places = (LinkPlace *)(void *)(block + places_at),
                            .queue = (uint64_t *)(void *)(block + queue_at)};
  wm_heap_clear(links->queue);
  dynamic->links = links;
  wm_dynamic_limit_link_cache(dynamic, dynamic->cache.budget);
  return WM_OK;
}

void wm_dynamic_free_links(WmDynamic *dynamic) {
  WmDynamicLinks *links = dynamic->links;
  if (!links) return;
  wm_link_generator_destroy(links->generator);
  wm_block_free(dynamic->context, links->places);
  wm_block_free(dynamic->context, links);
  dynamic->links = NULL;
}

WmLinkConfig wm_dynamic_default_links(const WmDynamic *dynamic) {
  return wm_link_config_default(wm_baker_config(dynamic->baker));
}

const WmLinkConfig *wm_dynamic_link_config(const WmDynamic *dynamic) {
  return dynamic->links ? &dynamic->links->config : NULL;
}

size_t wm_dynamic_dirty_link_count(const WmDynamic *dynamic) {
  return dynamic->links ? dynamic->links->dirty_count : 0;
}

size_t wm_dynamic_link_bytes(const WmDynamic *dynamic) {
  return dynamic->links ? wm_link_generator_bytes(dynamic->links->generator) : 0;
}

void wm_dynamic_limit_link_cache(WmDynamic *dynamic, size_t bytes) {
  if (dynamic->links) wm_link_generator_limit_cache(dynamic->links->generator, bytes - bytes / 4, bytes / 4);
}

/* ---- Outdated links ----------------------------------------------------------------------------------- */

/* A range of places, both ends included. */
typedef struct PlaceRange {
  int32_t first[2], last[2];
} PlaceRange;

/* The places whose links read a tile: also the tiles that the links of its place read. */
static PlaceRange find_range(const WmDynamic *dynamic, uint32_t tile) {
  PlaceRange range;
  wm_link_generator_affected(dynamic->links->generator, (int32_t)tile % dynamic->columns,
                             (int32_t)tile / dynamic->columns, range.first, range.last);
  return range;
}

static void push_place(WmDynamic *dynamic, uint32_t place) {
  wm_heap_push(dynamic->links->queue, &dynamic->links->queue_count, wm_dynamic_queue_key(dynamic, place));
}

static void mark_place(WmDynamic *dynamic, uint32_t place) {
  WmDynamicLinks *links = dynamic->links;
  if (!dynamic->tiles[place].kept || links->places[place].is_dirty) return;
  links->places[place].is_dirty = true;
  links->dirty_count++;
  push_place(dynamic, place);
}

void wm_dynamic_mark_links_around(WmDynamic *dynamic, uint32_t tile) {
  if (!dynamic->links) return;
  const PlaceRange range = find_range(dynamic, tile);
  for (int32_t z = range.first[1]; z <= range.last[1]; z++) {
    for (int32_t x = range.first[0]; x <= range.last[0]; x++) {
      const uint32_t place = (uint32_t)z * (uint32_t)dynamic->columns + (uint32_t)x;
      if (!dynamic->links->places[place].is_dirty &&
          wm_link_generator_is_outdated(dynamic->links->generator, dynamic->mesh, x, z))
        mark_place(dynamic, place);
    }
  }
}

static void unpark_place(WmDynamic *dynamic, uint32_t place) {
  WmDynamicLinks *links = dynamic->links;
  if (!links->places[place].is_parked) return;
  links->places[place].is_parked = false;
  links->parked_count--;
  push_place(dynamic, place);
}

void wm_dynamic_unpark_links_around(WmDynamic *dynamic, uint32_t tile) {
  WmDynamicLinks *links = dynamic->links;
  if (!links || links->parked_count == 0) return;
  const PlaceRange range = find_range(dynamic, tile);
  for (int32_t z = range.first[1]; z <= range.last[1]; z++) {
    for (int32_t x = range.first[0]; x <= range.last[0]; x++) {
      unpark_place(dynamic, (uint32_t)z * (uint32_t)dynamic->columns + (uint32_t)x);
    }
  }
}

void wm_dynamic_accept_links(WmDynamic *dynamic) {
  WmDynamicLinks *links = dynamic->links;
  if (!links) return;
  for (size_t i = 0; i < links->place_count; i++)
    links->places[i].is_dirty = links->places[i].is_parked = false;
  links->dirty_count = links->parked_count = links->queue_count = 0;
  wm_heap_clear(links->queue);
}

void wm_dynamic_mark_links(WmDynamic *dynamic, uint32_t place) { mark_place(dynamic, place); }

WmStatus wm_dynamic_configure_links(WmDynamic *dynamic, const WmLinkConfig *config) {
  WmDynamicLinks *links = dynamic->links;
  if (!links) {
    return wm_fail(dynamic->context, WM_ERROR_STATE, "links",
                   "the tiles have no air: links must be asked for when the level is baked");
  }
  const WmStatus status = wm_link_generator_configure(links->generator, config);
  if (status) return status;
  links->config = *config;
  for (uint32_t i = 0; i < links->place_count; i++) {
    mark_place(dynamic, i);
    unpark_place(dynamic, i); /* it may wait for other tiles now */
  }
  return WM_OK;
}

bool wm_dynamic_has_dirty_links(const WmDynamic *dynamic, uint32_t place) {
  return dynamic->links && dynamic->links->places[place].is_dirty;
}

void wm_dynamic_sort_links(WmDynamic *dynamic) {
  WmDynamicLinks *links = dynamic->links;
  if (!links) return;
  links->queue_count = 0;
  wm_heap_clear(links->queue);
  for (uint32_t i = 0; i < links->place_count; i++) {
    if (links->places[i].is_dirty && !links->places[i].is_parked) push_place(dynamic, i);
  }
}

/* ---- Tiles -------------------------------------------------------------------------------------------- */

/* Collects the volumes that block the air of a tile.
 * out        *volumes [*count]: in scratch memory of the caller's mark */
static WmStatus collect_blocking(WmDynamic *dynamic, uint32_t tile, WmAreaVolume **volumes, size_t *count) {
  const WmBakeInput *input = &dynamic->input;
  const WmAreaVolume *carved;
  size_t carved_count;
  WmGrid grid;
  *count = 0;
  WmStatus status = wm_dynamic_collect(dynamic, tile, &carved, &carved_count);
  if (status) return status;
  WmAreaVolume *list = wm_scratch_array(dynamic->context, input->volume_count + carved_count, sizeof *list);
  if (!list) return WM_ERROR_OUT_OF_MEMORY;
  wm_baker_tile_grid(dynamic->baker, (int32_t)tile % dynamic->columns, (int32_t)tile / dynamic->columns,
                     &grid);
  for (size_t i = 0; !status && i < input->volume_count; i++) {
    bool overlaps = false;
    if (input->volumes[i].area != 0) continue;
    status = wm_check_area_volume(dynamic->context, &grid, &input->volumes[i], &overlaps);
    if (overlaps) list[(*count)++] = input->volumes[i];
  }
  for (size_t i = 0; i < carved_count; i++) {
    if (carved[i].area == 0) list[(*count)++] = carved[i];
  }
  *volumes = list;
  return status;
}

WmStatus wm_dynamic_set_air(WmDynamic *dynamic, uint32_t tile, const uint8_t *air, size_t air_bytes) {
  WmDynamicLinks *links = dynamic->links;
  if (!links) return WM_OK;
  const WmScratchMark mark = wm_scratch_mark(dynamic->context);
  WmAreaVolume *volumes = NULL;
  size_t count = 0;
  WmStatus status = air ? collect_blocking(dynamic, tile, &volumes, &count) : WM_OK;
  if (!status) {
    status = wm_link_generator_set_air(links->generator, (int32_t)tile % dynamic->columns,
                                       (int32_t)tile / dynamic->columns, air, air_bytes, volumes, count);
  }
  if (!status) {
    links->places[tile].blocking = wm_dynamic_hash_volumes(volumes, count);
    wm_dynamic_mark_links_around(dynamic, tile);
  }
  wm_scratch_rewind(dynamic->context, mark);
  return status;
}

WmStatus wm_dynamic_update_blocking(WmDynamic *dynamic, uint32_t tile, bool *has_changed) {
  WmDynamicLinks *links = dynamic->links;
  *has_changed = false;
  if (!links || dynamic->tiles[tile].air_bytes == 0) return WM_OK;
  const WmScratchMark mark = wm_scratch_mark(dynamic->context);
  WmAreaVolume *volumes = NULL;
  size_t count = 0;
  WmStatus status = collect_blocking(dynamic, tile, &volumes, &count);
  const WmContentHash hash = wm_dynamic_hash_volumes(volumes, status ? 0 : count);
  if (!status && memcmp(&hash, &links->places[tile].blocking, sizeof hash) != 0) {
    status = wm_link_generator_set_volumes(links->generator, (int32_t)tile % dynamic->columns,
                                           (int32_t)tile / dynamic->columns, volumes, count);
    *has_changed = !status;
    if (!status) links->places[tile].blocking = hash;
  }
  wm_scratch_rewind(dynamic->context, mark);
  return status;
}

void wm_dynamic_note_tile_change(WmDynamic *dynamic, uint32_t tile) {
  if (!dynamic->links) return;
  wm_link_generator_tile_changed(dynamic->links->generator, (int32_t)tile % dynamic->columns,
                                 (int32_t)tile / dynamic->columns);
  wm_dynamic_mark_links_around(dynamic, tile);
}

/* ---- Generating --------------------------------------------------------------------------------------- */

/* True if the links of a place would read a tile that will be built. */
static bool must_wait(const WmDynamic *dynamic, uint32_t place) {
  if (dynamic->job_count == 0 && dynamic->dirty_count == 0) return false;
  const PlaceRange range = find_range(dynamic, place);
  for (int32_t z = range.first[1]; z <= range.last[1]; z++) {
    for (int32_t x = range.first[0]; x <= range.last[0]; x++) {
      const WmDynamicTile *tile = dynamic->tiles + (size_t)z * (size_t)dynamic->columns + (size_t)x;
      if (tile->ticket || tile->is_dirty) return true;
    }
  }
  return false;
}

/* Removes places that must wait, or that have no tile, from the head of the queue.
 * returns    false if the queue is empty then */
static bool find_first(WmDynamic *dynamic, uint32_t *place) {
  WmDynamicLinks *links = dynamic->links;
  while (links->queue_count > 0) {
    *place = (uint32_t)links->queue[0];
    const bool is_kept = dynamic->tiles[*place].kept != NULL;
    if (is_kept && !must_wait(dynamic, *place)) return true;
    wm_heap_remove(links->queue, &links->queue_count);
    links->places[*place].is_dirty = links->places[*place].is_parked = is_kept;
    links->parked_count += is_kept;
    links->dirty_count -= !is_kept;
  }
  return false;
}

/* Generates the links of a place and puts them into the mesh. */
static WmStatus link_place(WmDynamic *dynamic, uint32_t place, WmTileChange *change) {
  WmMesh *mesh = dynamic->mesh;
  const int32_t x = (int32_t)place % dynamic->columns, z = (int32_t)place / dynamic->columns;
  WmLinkResult result;
  WmRef before = 0, after;
  size_t count;
  WmStatus status = wm_link_generator_run(dynamic->links->generator, mesh, x, z, false, &result);
  if (status) return status;
  wm_mesh_links_at(mesh, x, z, 0, &count, &before);
  status = wm_mesh_put_links(mesh, x, z, 0, result.links, result.link_count, &after);
  wm_link_result_free(dynamic->context, &result);
  if (status) return status;
  *change = (WmTileChange){
      .x = x, .z = z, .of_links = true, .is_changed = before != after, .before = before, .after = after};
  return WM_OK;
}

/* True if anything was dropped. */
static bool drop_caches(WmDynamic *dynamic) {
  const bool had_tiles = wm_tile_cache_clear(&dynamic->cache),
             had_links = wm_link_generator_trim(dynamic->links->generator);
  return had_tiles || had_links;
}

/* Removes the links of a place that can't have those that were generated.
 * out        *change: of the place
 * returns    WM_ERROR_LIMIT; WM_ERROR_OUT_OF_MEMORY: nothing has changed */
static WmStatus refuse_place(WmDynamic *dynamic, uint32_t place, WmTileChange *change) {
  const int32_t x = (int32_t)place % dynamic->columns, z = (int32_t)place / dynamic->columns;
  WmRef before;
  size_t count;
  wm_mesh_links_at(dynamic->mesh, x, z, 0, &count, &before);
  const WmStatus status = wm_mesh_put_links(dynamic->mesh, x, z, 0, NULL, 0, NULL);
  if (status) return status;
  wm_link_generator_forget(dynamic->links->generator, x, z);
  *change = (WmTileChange){.x = x, .z = z, .of_links = true, .is_changed = before != 0, .before = before};
  return WM_ERROR_LIMIT;
}

WmStatus wm_dynamic_step_links(WmDynamic *dynamic, WmTileChange *change) {
  WmDynamicLinks *links = dynamic->links;
  uint32_t place;
  *change = (WmTileChange){.x = -1, .z = -1};
  if (!links || !find_first(dynamic, &place)) return WM_OK;
  WmStatus status = link_place(dynamic, place, change);
  if (status == WM_ERROR_OUT_OF_MEMORY && drop_caches(dynamic)) status = link_place(dynamic, place, change);
  if (status == WM_ERROR_LIMIT) status = refuse_place(dynamic, place, change);
  if (status && change->x < 0) return status;
  wm_heap_remove(links->queue, &links->queue_count);
  links->places[place].is_dirty = false;
  links->dirty_count--;
  return status;
}

/* ---- Kept tiles with air ------------------------------------------------------------------------------ */

/* The end of a joined tile: the bytes before it are those of the kept tile, then those of the air. */
typedef struct JoinedEnd {
  uint32_t kept_bytes, air_bytes;
  uint64_t magic;
} JoinedEnd;

_Static_assert(sizeof(JoinedEnd) == WM_JOINED_END_BYTES, "stored as it lies in memory");

/* "WALKAIR1" */
#define JOINED_MAGIC UINT64_C(0x315249414b4c4157)

WmStatus wm_kept_tile_join(WmContext *context, const uint8_t *kept, size_t kept_bytes, const uint8_t *air,
                           size_t air_bytes, uint8_t **bytes, size_t *byte_count) {
  const JoinedEnd end = {(uint32_t)kept_bytes, (uint32_t)air_bytes, JOINED_MAGIC};
  *byte_count = 0;
  *bytes = wm_block_allocate(context, kept_bytes + air_bytes + sizeof end);
  if (!*bytes) return WM_ERROR_OUT_OF_MEMORY;
  if (kept_bytes) memcpy(*bytes, kept, kept_bytes);
  if (air_bytes) memcpy(*bytes + kept_bytes, air, air_bytes);
  memcpy(*bytes + kept_bytes + air_bytes, &end, sizeof end);
  *byte_count = kept_bytes + air_bytes + sizeof end;
  return WM_OK;
}

void wm_kept_tile_split(const uint8_t *bytes, size_t byte_count, size_t *kept_bytes, size_t *air_bytes) {
  JoinedEnd end;
  *kept_bytes = byte_count;
  *air_bytes = 0;
  if (byte_count < sizeof end) return;
  memcpy(&end, bytes + byte_count - sizeof end, sizeof end);
  if (end.magic != JOINED_MAGIC || (uint64_t)end.kept_bytes + end.air_bytes != byte_count - sizeof end)
    return;
  *kept_bytes = end.kept_bytes;
  *air_bytes = end.air_bytes;
}

/* ---- Invariants --------------------------------------------------------------------------------------- */

bool wm_dynamic_validate_links(const WmDynamic *dynamic) {
  const WmDynamicLinks *links = dynamic->links;
  if (!links) return true;
  size_t dirty = 0, parked = 0;
  for (uint32_t i = 0; i < links->place_count; i++) {
    const LinkPlace *place = &links->places[i];
    if (place->is_parked && !(place->is_dirty && must_wait(dynamic, i))) return false;
    dirty += place->is_dirty;
    parked += place->is_parked;
  }
  if (dirty != links->dirty_count || parked != links->parked_count || dirty != parked + links->queue_count)
    return false;
  for (size_t i = 0; i < links->queue_count; i++) {
    const uint32_t place = (uint32_t)links->queue[i];
    if (place >= links->place_count || !links->places[place].is_dirty || links->places[place].is_parked)
      return false;
    if (i > 0 && links->queue[(i - 1) / 4] > links->queue[i]) return false;
    for (size_t k = 0; k < i; k++) {
      if ((uint32_t)links->queue[k] == place) return false;
    }
  }
  return true;
}
