/* Bakes a level natively and prints a line per stage array: NAME BYTES FNV1A64. The JavaScript golden test
 * runs it to compare the results of gcc and clang with the same figures as WebAssembly's.
 *
 *   stages_native LEVEL.obj [field=value ...]      fields in camelCase, as in JavaScript
 *   stages_native random:SEED [field=value ...]    the random levels of the C tests (scene.h)
 *
 * With `dump=DIR` it also writes the arrays there, as NAME.bin; with `order=SEED` it bakes tiles in another
 * order, and prints them in the usual one. bench/native measures times. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stage_dump.h"
#include "dump_read.h"
#include "scene.h"

typedef struct Options {
  WmConfig config;
  const char *dump_folder;
  uint32_t order_seed; /* 0: tiles in rows */
} Options;

static bool set_number(WmConfig *config, const char *name, size_t length, const char *value) {
  const struct {
    const char *name;
    float *real;
    int32_t *integer;
  } fields[] = {
      {"cellSize", &config->cell_size, NULL},
      {"cellHeight", &config->cell_height, NULL},
      {"agentHeight", &config->agent_height, NULL},
      {"agentRadius", &config->agent_radius, NULL},
      {"agentMaxClimb", &config->agent_max_climb, NULL},
      {"agentMaxSlope", &config->agent_max_slope, NULL},
      {"partition", NULL, &config->partition},
      {"chunkSize", NULL, &config->chunk_size},
      {"minRegionSize", &config->min_region_size, NULL},
      {"mergeRegionSize", &config->merge_region_size, NULL},
      {"maxEdgeLength", &config->max_edge_length, NULL},
      {"maxEdgeError", &config->max_edge_error, NULL},
      {"maxVerticesPerPolygon", NULL, &config->max_vertices_per_polygon},
      {"detailSampleDistance", &config->detail_sample_distance, NULL},
      {"detailMaxError", &config->detail_max_error, NULL},
      {"tileSize", NULL, &config->tile_size},
  };
  for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
    if (strlen(fields[i].name) != length || strncmp(fields[i].name, name, length) != 0) continue;
    if (fields[i].real) *fields[i].real = strtof(value, NULL);
    if (fields[i].integer) *fields[i].integer = (int32_t)strtol(value, NULL, 10);
    return true;
  }
  return false;
}

static bool set_option(Options *options, const char *argument) {
  static const char *const PARTITIONS[] = {"watershed", "monotone", "layers", "chunky"};
  const char *equals = strchr(argument, '=');
  if (!equals) return false;
  if (strncmp(argument, "dump=", 5) == 0) {
    options->dump_folder = equals + 1;
    return true;
  }
  if (strncmp(argument, "order=", 6) == 0) {
    options->order_seed = (uint32_t)strtoul(equals + 1, NULL, 10);
    return true;
  }
  if (strcmp(argument, "heights=surface") == 0) {
    options->config.heights = WM_HEIGHTS_SURFACE;
    return true;
  }
  for (int i = 0; i < 4; i++) {
    if (strncmp(argument, "partition=", 10) == 0 && strcmp(equals + 1, PARTITIONS[i]) == 0) {
      options->config.partition = i;
      return true;
    }
  }
  return set_number(&options->config, argument, (size_t)(equals - argument), equals + 1);
}

static void print_array(const Options *options, const char *name, const void *bytes, size_t byte_count) {
  printf("%s %zu %016llx\n", name, byte_count,
         (unsigned long long)wm_hash_bytes(WM_HASH_START, bytes, byte_count));
  if (!options->dump_folder) return;
  char path[1024];
  snprintf(path, sizeof path, "%s/%s.bin", options->dump_folder, name);
  FILE *file = fopen(path, "wb");
  if (!file) return;
  fwrite(bytes, 1, byte_count, file);
  fclose(file);
}

static void print_bytes(WmContext *context, const Options *options, const char *name, WmBytes bytes) {
  print_array(options, name, bytes.bytes, bytes.byte_count);
  wm_block_free(context, bytes.bytes);
}

static void print_stage(WmContext *context, const Options *options, const WmBakeStages *stages,
                        WmStage done) {
  WmBytes bytes = {0};
  switch (done) {
    case WM_STAGE_RASTERIZE:
    case WM_STAGE_FILTER_LOW_HANGING:
    case WM_STAGE_FILTER_LEDGES:
    case WM_STAGE_FILTER_LOW_HEIGHT: {
      static const char *const NAMES[] = {"hf_raster", "hf_filter_low_hanging", "hf_filter_ledge",
                                          "hf_filter_low_height"};
      wm_dump_heightfield(context, &stages->heightfield, &bytes);
      print_bytes(context, options, NAMES[done], bytes);
      break;
    }
    case WM_STAGE_COMPACT:
      wm_dump_compact(context, &stages->compact, &stages->heightfield, &bytes);
      print_bytes(context, options, "compact", bytes);
      break;
    case WM_STAGE_ERODE:
      wm_dump_areas(context, &stages->compact, &bytes);
      print_bytes(context, options, "areas_eroded", bytes);
      break;
    case WM_STAGE_DISTANCE:
      if (!stages->distance.block) break;
      wm_dump_distance(context, &stages->distance, &bytes);
      print_bytes(context, options, "distance", bytes);
      break;
    case WM_STAGE_REGIONS:
      wm_dump_regions(context, &stages->regions, &bytes);
      print_bytes(context, options, "regions", bytes);
      break;
    case WM_STAGE_CONTOURS:
      wm_dump_contours(context, &stages->contours, &bytes);
      print_bytes(context, options, "contours", bytes);
      break;
    case WM_STAGE_POLYGON_MESH:
      wm_dump_polygon_mesh(context, &stages->polygon_mesh, &bytes);
      print_bytes(context, options, "polymesh", bytes);
      break;
    case WM_STAGE_DETAIL_MESH:
      wm_dump_detail_mesh(context, &stages->detail_mesh, &bytes);
      print_bytes(context, options, "detail", bytes);
      break;
    case WM_STAGE_TILE:
      if (stages->tile.byte_count) print_array(options, "tile", stages->tile.bytes, stages->tile.byte_count);
      break;
    default: break;
  }
}

static WmStatus print_single(WmContext *context, const Options *options, WmBaker *baker, size_t triangles) {
  print_array(options, "tri_areas", wm_baker_triangle_areas(baker), triangles);
  WmStatus status = wm_baker_begin_tile(baker, 0, 0, true);
  while (!status && wm_baker_next_stage(baker) != WM_STAGE_DONE) {
    const WmStage stage = wm_baker_next_stage(baker);
    status = wm_baker_step(baker);
    if (!status) print_stage(context, options, wm_baker_stages(baker), stage);
  }
  return status;
}

/* A growing malloc'ed string of bytes. */
static void append(WmBytes *all, const void *bytes, size_t byte_count) {
  all->bytes = realloc(all->bytes, all->byte_count + byte_count + 1);
  if (!all->bytes) abort();
  if (byte_count) memcpy(all->bytes + all->byte_count, bytes, byte_count);
  all->byte_count += byte_count;
}

static void append_tile(WmContext *context, const WmBakeStages *stages, int32_t x, int32_t z,
                        WmBytes all[3]) {
  const uint32_t place[3] = {(uint32_t)x, (uint32_t)z, (uint32_t)stages->tile.byte_count};
  WmBytes mesh = {0}, detail = {0};
  wm_dump_polygon_mesh(context, &stages->polygon_mesh, &mesh);
  wm_dump_detail_mesh(context, &stages->detail_mesh, &detail);
  append(&all[0], place, 8);
  append(&all[0], mesh.bytes, mesh.byte_count);
  append(&all[1], place, 8);
  append(&all[1], detail.bytes, detail.byte_count);
  append(&all[2], place, 12);
  append(&all[2], stages->tile.bytes, stages->tile.byte_count);
  wm_block_free(context, mesh.bytes);
  wm_block_free(context, detail.bytes);
}

/* Numbers 0 to count - 1 in the order in which tiles are baked. */
static size_t *make_order(size_t count, uint32_t seed) {
  size_t *order = malloc(count * sizeof *order);
  if (!order) abort();
  for (size_t i = 0; i < count; i++) order[i] = i;
  for (size_t i = count; i-- > 1 && seed;) {
    seed = seed * 1664525 + 1013904223;
    const size_t other = (seed >> 8) % (i + 1), kept = order[i];
    order[i] = order[other];
    order[other] = kept;
  }
  return order;
}

/* in         order [count]: the tile numbers, x + z * tile_count_x
 * out        tiles [count][3]: the arrays of each, empty if it has no polygons */
static WmStatus bake_in_order(WmContext *context, WmBaker *baker, const size_t *order, size_t count,
                              WmBytes (*tiles)[3]) {
  const size_t tile_count_x = (size_t)wm_baker_voxels(baker)->tile_count_x;
  for (size_t i = 0; i < count; i++) {
    const int32_t x = (int32_t)(order[i] % tile_count_x), z = (int32_t)(order[i] / tile_count_x);
    WmStatus status = wm_baker_begin_tile(baker, x, z, true);
    while (!status && wm_baker_next_stage(baker) != WM_STAGE_DONE) status = wm_baker_step(baker);
    if (status) return status;
    const WmBakeStages *stages = wm_baker_stages(baker);
    if (stages->polygon_mesh.polygon_count > 0) append_tile(context, stages, x, z, tiles[order[i]]);
  }
  return WM_OK;
}

static WmStatus print_tiled(WmContext *context, const Options *options, WmBaker *baker) {
  static const char *const NAMES[3] = {"tiles_polymesh", "tiles_detail", "tiles_data"};
  const WmVoxelConfig *voxels = wm_baker_voxels(baker);
  const size_t count = (size_t)voxels->tile_count_x * (size_t)voxels->tile_count_z;
  size_t *order = make_order(count, options->order_seed);
  WmBytes(*tiles)[3] = calloc(count, sizeof *tiles);
  if (!tiles) abort();
  const WmStatus status = bake_in_order(context, baker, order, count, tiles);
  for (int i = 0; i < 3; i++) {
    WmBytes all = {0};
    for (size_t tile = 0; tile < count; tile++) {
      append(&all, tiles[tile][i].bytes, tiles[tile][i].byte_count);
      free(tiles[tile][i].bytes);
    }
    if (!status) print_array(options, NAMES[i], all.bytes, all.byte_count);
    free(all.bytes);
  }
  free(tiles);
  free(order);
  return status;
}

static Scene read_level(const char *name) {
  if (strncmp(name, "random:", 7) == 0) return make_random_scene((uint32_t)strtoul(name + 7, NULL, 10));
  return read_obj(name);
}

int main(int count, char **arguments) {
  Options options = {.config = wm_config_default()};
  for (int i = 2; i < count; i++) {
    if (set_option(&options, arguments[i])) continue;
    fprintf(stderr, "stages_native: %s is not a field=value it knows\n", arguments[i]);
    return 2;
  }
  Scene scene = count > 1 ? read_level(arguments[1]) : (Scene){0};
  const WmBakeInput input = scene_input(&scene);
  WmContext *context = wm_context_create(NULL);
  WmBaker *baker = NULL;
  WmStatus status = wm_baker_create(context, &options.config, &input, &baker);
  if (!status && options.config.tile_size) {
    status = print_tiled(context, &options, baker);
  } else if (!status) {
    status = print_single(context, &options, baker, scene.triangle_count);
  }
  if (status) fprintf(stderr, "stages_native: %s\n", wm_context_error(context)->message);
  wm_baker_destroy(baker);
  wm_context_destroy(context);
  free_scene(&scene);
  return status ? 1 : 0;
}
