/* Reads sets of layers. See detour_cache.h.
 *
 * TSET, little-endian: a header of 92 bytes, then layers, each after a head: reference u32, size i32. DTLR: a
 * header of 56 bytes, then the compressed planes. docs/formats.md has both. */
#include <math.h>
#include <string.h>

#include "base/number.h"
#include "base/sort.h"
#include "dynamic/detour_cache/fast_lz.h"
#include "dynamic/detour_cache/detour_cache_internal.h"

enum {
  SET_MAGIC = 0x54534554,   /* "TSET", a number */
  LAYER_MAGIC = 0x44544c52, /* "DTLR" */
  VERSION = 1,
  SET_HEADER_BYTES = 92,
  HEAD_BYTES = 8,
  FARTHEST_TILE = 1 << 22, /* so that arithmetic with places stays within 32 bits */
  MOST_PLACES = 1 << 20,   /* as meshes have */
  MOST_FLOOR = WM_SPAN_HEIGHT_LIMIT,
  MOST_HEIGHT = 255 /* of a cell above its layer */
};

/* The headers, as they lie in files. */
typedef struct SetHeader {
  int32_t magic, version, layer_count;
  float mesh_origin[3], tile_width, tile_depth;
  int32_t mesh_max_tiles, mesh_max_polygons;
  float origin[3], cell_size, cell_height;
  int32_t width, depth;
  float agent_height, agent_radius, agent_max_climb, max_edge_error;
  int32_t max_tiles, max_obstacles;
} SetHeader;

typedef struct LayerHeader {
  int32_t magic, version, x, z, layer;
  float bounds_min[3], bounds_max[3];
  uint16_t height_min, height_max;
  uint8_t width, depth, used_min_x, used_max_x, used_min_z, used_max_z;
  uint16_t padding;
} LayerHeader;

_Static_assert(sizeof(SetHeader) == SET_HEADER_BYTES, "headers are copied as they lie in files");
_Static_assert(sizeof(LayerHeader) == WM_LAYER_HEADER_BYTES, "headers are copied as they lie in files");

static WmStatus fail(WmContext *context, const char *message) {
  return wm_fail(context, WM_ERROR_CORRUPT, "file", message);
}

static WmStatus fail_number(WmContext *context, const char *before, double number, const char *after) {
  return wm_fail_number(context, WM_ERROR_CORRUPT, "file", before, number, after);
}

bool wm_is_detour_cache(const uint8_t *bytes, size_t byte_count) {
  int32_t magic = 0;
  if (byte_count >= sizeof magic) memcpy(&magic, bytes, sizeof magic);
  return magic == SET_MAGIC;
}

/* ---- The set ------------------------------------------------------------------------------------------ */

static bool is_positive(float value) { return value > 0 && value <= WM_FARTHEST; }

/* True for a size of the agent: finite, not negative. */
static bool is_size(float value) { return value >= 0 && value <= WM_FARTHEST; }

/* True if a size in world units is equal, but for rounding, to one that was computed from cells. */
static bool is_as_wide(float world, float cells) { return fabsf(world - cells) <= 1e-3f * cells; }

static WmStatus check_agent(WmContext *context, const SetHeader *header) {
  const struct {
    const char *before;
    float value;
    bool is_good;
  } fields[] = {
      {"the set's agentHeight is ", header->agent_height, is_positive(header->agent_height)},
      {"the set's agentRadius is ", header->agent_radius, is_size(header->agent_radius)},
      {"the set's agentMaxClimb is ", header->agent_max_climb, is_size(header->agent_max_climb)},
      {"the set's maxEdgeError is ", header->max_edge_error, is_size(header->max_edge_error)},
  };
  for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
    if (!fields[i].is_good) return fail_number(context, fields[i].before, fields[i].value, ": out of range");
  }
  return WM_OK;
}

static WmStatus check_set(WmContext *context, const SetHeader *header, size_t byte_count) {
  if (header->magic != SET_MAGIC) return fail(context, "the file is no set of tile cache layers (TSET)");
  if (header->version != VERSION) {
    return fail_number(context, "the file has version ", header->version, ": only 1 can be read");
  }
  if (!wm_are_within(header->mesh_origin, 3, WM_FARTHEST) || !wm_are_within(header->origin, 3, WM_FARTHEST)) {
    return fail(context, "the set's origin is out of range");
  }
  if (!is_positive(header->cell_size) || !is_positive(header->cell_height)) {
    return fail(context, "the set's cells are out of range");
  }
  if (header->width < 1 || header->width > 255 || header->depth < 1 || header->depth > 255) {
    return fail(context, "the set's tiles must have 1 to 255 cells on a side");
  }
  const WmStatus status = check_agent(context, header);
  if (status) return status;
  if (!is_as_wide(header->tile_width, (float)header->width * header->cell_size) ||
      !is_as_wide(header->tile_depth, (float)header->depth * header->cell_size)) {
    return fail(context, "the set's tiles are not as wide as their cells");
  }
  const size_t most = (byte_count - SET_HEADER_BYTES) / (HEAD_BYTES + WM_LAYER_HEADER_BYTES + 1);
  if (header->layer_count < 0 || header->layer_count > header->max_tiles) {
    return fail_number(context, "the set cannot have ", header->layer_count, " layers");
  }
  if ((size_t)header->layer_count > most) {
    return fail_number(context, "the file is cut: it has no room for ", header->layer_count, " layers");
  }
  if (header->layer_count == 0) return fail(context, "the set has no layers");
  if (header->width == header->depth) return WM_OK;
  return wm_fail_number(context, WM_ERROR_UNSUPPORTED, "file",
                        "the set's tiles are not square: ", (double)header->width, " cells on x");
}

/* ---- Layers ------------------------------------------------------------------------------------------- */

static LayerHeader layer_header(const WmCacheLayer *layer) {
  LayerHeader header;
  memcpy(&header, layer->content - WM_LAYER_HEADER_BYTES, sizeof header);
  return header;
}

/* True if a tile starts where its place says on an axis, within half a cell. */
static bool is_in_place(const SetHeader *set, const LayerHeader *layer, int axis) {
  const float size = (float)set->width * set->cell_size;
  const float expected = set->origin[axis] + (float)(axis == 0 ? layer->x : layer->z) * size;
  return fabsf(layer->bounds_min[axis] - expected) <= 0.5f * set->cell_size;
}

static const char *find_fault(const SetHeader *set, const LayerHeader *layer) {
  if (layer->magic != LAYER_MAGIC) return "is no layer (DTLR)";
  if (layer->version != VERSION) return "has a version that cannot be read";
  if (layer->width != set->width || layer->depth != set->depth) return "is not as large as the set's tiles";
  if (layer->x <= -FARTHEST_TILE || layer->x >= FARTHEST_TILE || layer->z <= -FARTHEST_TILE ||
      layer->z >= FARTHEST_TILE || layer->layer < 0) {
    return "has a place out of range";
  }
  if (!wm_are_within(layer->bounds_min, 6, WM_FARTHEST)) return "has bounds out of range";
  for (int axis = 0; axis < 3; axis++) {
    if (layer->bounds_min[axis] > layer->bounds_max[axis]) return "has bounds that are the wrong way round";
  }
  if (!is_in_place(set, layer, 0) || !is_in_place(set, layer, 2)) return "does not lie where its place is";
  if (layer->height_min > layer->height_max || layer->used_min_x > layer->used_max_x ||
      layer->used_min_z > layer->used_max_z || layer->used_max_x >= layer->width ||
      layer->used_max_z >= layer->depth) {
    return "has limits that are the wrong way round";
  }
  return NULL;
}

/* Reads the head and header of the next layer, and skips the layer. */
static WmStatus read_layer(WmContext *context, const SetHeader *set, uint32_t number, const uint8_t **bytes,
                           size_t *left, WmCacheLayer *layer) {
  int32_t head[2] = {0}; /* reference, size */
  LayerHeader header;
  const char *fault = "is cut";
  if (*left >= HEAD_BYTES) memcpy(head, *bytes, sizeof head);
  if (*left >= HEAD_BYTES && head[1] > WM_LAYER_HEADER_BYTES && (size_t)head[1] <= *left - HEAD_BYTES) {
    memcpy(&header, *bytes + HEAD_BYTES, sizeof header);
    fault = head[0] ? find_fault(set, &header) : "has no reference";
  }
  if (fault) {
    fail(context, fault);
    return wm_fail_in_part(context, number);
  }
  *layer = (WmCacheLayer){.x = header.x,
                          .z = header.z,
                          .layer = header.layer,
                          .content = *bytes + HEAD_BYTES + WM_LAYER_HEADER_BYTES,
                          .content_count = (uint32_t)head[1] - WM_LAYER_HEADER_BYTES};
  *bytes += HEAD_BYTES + head[1];
  *left -= HEAD_BYTES + (size_t)head[1];
  return WM_OK;
}

bool wm_cache_layer_decode(const WmDetourCache *cache, const WmCacheLayer *layer, uint8_t *planes) {
  const size_t cells = (size_t)cache->summary.tile_size * (size_t)cache->summary.tile_size;
  return wm_fast_lz_decode(layer->content, layer->content_count, planes, WM_LAYER_PLANES * cells);
}

/* Checks that a layer can be decoded and its areas are below 64. Its connections are not used. */
static WmStatus check_planes(const WmDetourCache *cache, const WmCacheLayer *layer, uint8_t *planes) {
  const size_t cells = (size_t)cache->summary.tile_size * (size_t)cache->summary.tile_size;
  if (!wm_cache_layer_decode(cache, layer, planes)) {
    return fail(cache->context, "is not compressed by FastLZ, or becomes too few or too many cells");
  }
  const uint8_t *areas = planes + cells;
  uint8_t all = 0;
  for (size_t i = 0; i < cells; i++) all |= areas[i];
  return all < WM_AREA_COUNT ? WM_OK : fail(cache->context, "has areas above 63");
}

static WmStatus check_all_planes(const WmDetourCache *cache) {
  const size_t cells = (size_t)cache->summary.tile_size * (size_t)cache->summary.tile_size;
  const WmScratchMark mark = wm_scratch_mark(cache->context);
  uint8_t *planes = wm_scratch_array(cache->context, cells, WM_LAYER_PLANES);
  WmStatus status = planes ? WM_OK : WM_ERROR_OUT_OF_MEMORY;
  for (uint32_t i = 0; !status && i < cache->summary.layer_count; i++) {
    status = check_planes(cache, &cache->layers[i], planes);
    if (status) wm_fail_in_part(cache->context, i + 1);
  }
  wm_scratch_rewind(cache->context, mark);
  return status;
}

/* ---- The grid ----------------------------------------------------------------------------------------- */

static int32_t least(int32_t a, int32_t b) { return a < b ? a : b; }

/* Computes the grid that contains all layers. Its places are those of the set, unless these are below 0. */
static WmStatus derive_grid(WmDetourCache *cache, const SetHeader *set) {
  WmDetourCacheSummary *summary = &cache->summary;
  int32_t end_x = -FARTHEST_TILE, end_z = -FARTHEST_TILE;
  for (uint32_t i = 0; i < summary->layer_count; i++) {
    const WmCacheLayer *layer = &cache->layers[i];
    summary->first_x = least(summary->first_x, layer->x);
    summary->first_z = least(summary->first_z, layer->z);
    end_x = -least(-end_x, -layer->x - 1);
    end_z = -least(-end_z, -layer->z - 1);
  }
  summary->tile_count_x = end_x - summary->first_x;
  summary->tile_count_z = end_z - summary->first_z;
  const double places = (double)summary->tile_count_x * summary->tile_count_z;
  if (places > MOST_PLACES) {
    return wm_fail_number(cache->context, WM_ERROR_LIMIT, "file", "the set's grid has ", places,
                          " places of tiles: at most a million can be read");
  }
  const float size = (float)set->width * set->cell_size;
  const int32_t first[3] = {summary->first_x, 0, summary->first_z};
  const int32_t counts[3] = {summary->tile_count_x, 0, summary->tile_count_z};
  for (int axis = 0; axis < 3; axis += 2) {
    summary->bounds_min[axis] = set->origin[axis] + (float)first[axis] * size;
    summary->bounds_max[axis] = summary->bounds_min[axis] + (float)counts[axis] * size;
  }
  for (uint32_t i = 0; i < summary->layer_count; i++) {
    cache->layers[i].x -= summary->first_x;
    cache->layers[i].z -= summary->first_z;
  }
  return WM_OK;
}

/* Computes the floors of layers from a cell below the lowest layer: a span has solid below it. */
static WmStatus rebase_floors(WmDetourCache *cache) {
  WmDetourCacheSummary *summary = &cache->summary;
  float low = INFINITY, high = -INFINITY;
  for (uint32_t i = 0; i < summary->layer_count; i++) {
    const LayerHeader header = layer_header(&cache->layers[i]);
    low = fminf(low, header.bounds_min[1]);
    high = fmaxf(high, header.bounds_min[1]);
  }
  low -= summary->cell_height;
  const double tallest = ceil(((double)high - low) / summary->cell_height) + MOST_HEIGHT;
  if (!(tallest <= MOST_FLOOR)) {
    return wm_fail_number(cache->context, WM_ERROR_LIMIT, "file", "the set's layers lie ", tallest,
                          " cell heights apart: at most 65533 can be read");
  }
  summary->bounds_min[1] = low;
  summary->bounds_max[1] = low + (float)tallest * summary->cell_height;
  for (uint32_t i = 0; i < summary->layer_count; i++) {
    const double above = (double)layer_header(&cache->layers[i]).bounds_min[1] - low;
    const int32_t cells = (int32_t)(above / summary->cell_height + 0.5);
    cache->layers[i].first_floor = cells > 1 ? (uint32_t)cells : 1;
  }
  return WM_OK;
}

/* Sorts layers by place and counts places. */
static WmStatus sort_layers(WmDetourCache *cache) {
  WmDetourCacheSummary *summary = &cache->summary;
  const uint32_t count = summary->layer_count;
  const WmScratchMark mark = wm_scratch_mark(cache->context);
  WmSortItem *items = wm_scratch_array(cache->context, 2 * (size_t)count, sizeof *items);
  WmCacheLayer *sorted = wm_scratch_array(cache->context, count, sizeof *sorted);
  WmStatus status = items && sorted ? WM_OK : WM_ERROR_OUT_OF_MEMORY;
  if (!status) {
    for (uint32_t i = 0; i < count; i++) items[i] = (WmSortItem){(uint32_t)cache->layers[i].layer, i};
    wm_sort_stable(items, items + count, count);
    for (uint32_t i = 0; i < count; i++) {
      const WmCacheLayer *layer = &cache->layers[items[i].value];
      items[i].key = (uint32_t)layer->z * (uint32_t)summary->tile_count_x + (uint32_t)layer->x;
    }
    wm_sort_stable(items, items + count, count);
    for (uint32_t i = 0; i < count; i++) sorted[i] = cache->layers[items[i].value];
    memcpy(cache->layers, sorted, count * sizeof *sorted);
  }
  for (uint32_t i = 0; !status && i < count; i++) {
    const bool is_same_place = i > 0 && items[i].key == items[i - 1].key;
    if (is_same_place && sorted[i].layer == sorted[i - 1].layer) {
      status = fail_number(cache->context, "two layers have the same place and number, which is ",
                           sorted[i].layer, "");
    }
    summary->place_count += !is_same_place;
  }
  wm_scratch_rewind(cache->context, mark);
  return status;
}

size_t wm_cache_layers_at(const WmDetourCache *cache, int32_t x, int32_t z, const WmCacheLayer **first) {
  const WmCacheLayer *layers = cache->layers;
  size_t low = 0, end = cache->summary.layer_count, count = 0;
  while (low < end) {
    const size_t middle = low + (end - low) / 2;
    const WmCacheLayer *layer = layers + middle;
    if (layer->z < z || (layer->z == z && layer->x < x)) {
      low = middle + 1;
    } else {
      end = middle;
    }
  }
  *first = layers + low;
  while (low + count < cache->summary.layer_count && layers[low + count].x == x &&
         layers[low + count].z == z) {
    count++;
  }
  return count;
}

/* ---- All ---------------------------------------------------------------------------------------------- */

static WmStatus read_layers(WmDetourCache *cache, const SetHeader *set, const uint8_t *bytes, size_t left) {
  WmStatus status = WM_OK;
  for (uint32_t i = 0; !status && i < cache->summary.layer_count; i++) {
    status = read_layer(cache->context, set, i + 1, &bytes, &left, &cache->layers[i]);
  }
  if (!status && left > 0)
    status = fail_number(cache->context, "behind the layers are ", (double)left, " bytes");
  if (!status) status = check_all_planes(cache);
  if (!status) status = derive_grid(cache, set);
  if (!status) status = rebase_floors(cache);
  return status ? status : sort_layers(cache);
}

static WmDetourCacheSummary summarize(const SetHeader *set) {
  WmDetourCacheSummary summary = {
      .cell_size = set->cell_size,
      .cell_height = set->cell_height,
      .agent_height = set->agent_height,
      .agent_radius = set->agent_radius,
      .agent_max_climb = set->agent_max_climb,
      .max_edge_error = set->max_edge_error,
      .tile_size = set->width,
      .layer_count = (uint32_t)set->layer_count,
      .max_tiles = set->max_tiles,
      .max_obstacles = set->max_obstacles,
  };
  memcpy(summary.origin, set->origin, sizeof summary.origin);
  return summary;
}

WmStatus wm_detour_cache_read(WmContext *context, const uint8_t *bytes, size_t byte_count,
                              WmDetourCache **out) {
  *out = NULL;
  SetHeader set;
  if (byte_count < SET_HEADER_BYTES) {
    return fail(context, wm_is_detour_cache(bytes, byte_count)
                             ? "the file is cut"
                             : "the file is no set of tile cache layers (TSET)");
  }
  memcpy(&set, bytes, sizeof set);
  WmStatus status = check_set(context, &set, byte_count);
  if (status) return status;
  WmLayout layout = {0};
  wm_layout_add(&layout, 1, sizeof(WmDetourCache));
  const size_t layers = wm_layout_add(&layout, (size_t)set.layer_count, sizeof(WmCacheLayer));
  WmDetourCache *cache = wm_layout_allocate(context, &layout);
  if (!cache) return WM_ERROR_OUT_OF_MEMORY;
  *cache = (WmDetourCache){.context = context,
                           .summary = summarize(&set),
                           .layers = (WmCacheLayer *)(void *)((uint8_t *)cache + layers)};
  status = read_layers(cache, &set, bytes + SET_HEADER_BYTES, byte_count - SET_HEADER_BYTES);
  if (status) {
    wm_detour_cache_destroy(cache);
    return status;
  }
  *out = cache;
  return WM_OK;
}

void wm_detour_cache_destroy(WmDetourCache *cache) {
  if (cache) wm_block_free(cache->context, cache);
}

const WmDetourCacheSummary *wm_detour_cache_summary(const WmDetourCache *cache) { return &cache->summary; }

WmConfig wm_detour_cache_config(const WmDetourCache *cache) {
  const WmDetourCacheSummary *summary = &cache->summary;
  WmConfig config = wm_config_default();
  config.cell_size = summary->cell_size;
  config.cell_height = summary->cell_height;
  config.agent_height = summary->agent_height;
  config.agent_radius = summary->agent_radius;
  config.agent_max_climb = summary->agent_max_climb;
  config.max_edge_error = summary->max_edge_error;
  config.max_edge_length = 0;
  config.min_region_size = 0;
  config.tile_size = summary->tile_size;
  config.has_bounds = true;
  memcpy(config.bounds_min, summary->bounds_min, sizeof config.bounds_min);
  memcpy(config.bounds_max, summary->bounds_max, sizeof config.bounds_max);
  return config;
}
