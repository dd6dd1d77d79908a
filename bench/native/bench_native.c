/* `npm run bench -- --native`: bakes a level natively and prints one line of JSON: the median milliseconds
 * of each stage over some bakes, the peak of allocated memory, and the speed of memory copies on this
 * machine. All bakes run in one process, for profilers: `perf record build/bench-gcc/bench_native
 * tests/scenes/city.obj 0.15 0 50`.
 *
 *   bench_native LEVEL.obj CELL_SIZE TILE_SIZE ROUNDS      the cell height is two thirds of the cell size;
 *                                                          tile size 0: one tile
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bake/bake.h"
#include "scene.h"

static const char *const STAGES[WM_STAGE_COUNT] = {
    "rasterize", "filterLowHanging", "filterLedges", "filterLowHeight", "compact",    "erode", "markAreas",
    "distance",  "regions",          "contours",     "polygonMesh",     "detailMesh", "tile"};

/* Counts the bytes that malloc returns. The size of each block is stored in front of it. */
typedef struct Counter {
  size_t bytes, peak_bytes;
} Counter;

enum { SIZE_ROOM = 32 };

static void *allocate_counted(void *user, size_t bytes) {
  Counter *counter = user;
  char *block = bytes < SIZE_MAX - SIZE_ROOM ? malloc(bytes + SIZE_ROOM) : NULL;
  if (!block) return NULL;
  memcpy(block, &bytes, sizeof bytes);
  counter->bytes += bytes;
  if (counter->bytes > counter->peak_bytes) counter->peak_bytes = counter->bytes;
  return block + SIZE_ROOM;
}

static void release_counted(void *user, void *block) {
  size_t bytes;
  memcpy(&bytes, (char *)block - SIZE_ROOM, sizeof bytes);
  ((Counter *)user)->bytes -= bytes;
  free((char *)block - SIZE_ROOM);
}

static double now_milliseconds(void) {
  struct timespec time;
  timespec_get(&time, TIME_UTC);
  return (double)time.tv_sec * 1e3 + (double)time.tv_nsec * 1e-6;
}

static int compare_doubles(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static double median(double *values, int count) {
  qsort(values, (size_t)count, sizeof *values, compare_doubles);
  return values[count / 2];
}

/* One bake; adds each stage's milliseconds to times[stage * rounds + round]. */
static WmStatus bake(WmBaker *baker, double *times, int rounds, int round) {
  const WmVoxelConfig *voxels = wm_baker_voxels(baker);
  const int32_t tiles = voxels->tile_count_x * voxels->tile_count_z;
  WmStatus status = WM_OK;
  for (int32_t tile = 0; tile < tiles && !status; tile++) {
    status = wm_baker_begin_tile(baker, tile % voxels->tile_count_x, tile / voxels->tile_count_x, false);
    while (!status && wm_baker_next_stage(baker) != WM_STAGE_DONE) {
      const int stage = (int)wm_baker_next_stage(baker);
      const double start = now_milliseconds();
      status = wm_baker_step(baker);
      times[stage * rounds + round] += now_milliseconds() - start;
    }
  }
  return status;
}

/* Bytes moved per second (read and written) by copies of a block larger than caches; 0 if out of memory. */
static double measure_copy(void) {
  enum { BYTES = 64 << 20, ROUNDS = 11 };
  char *blocks = malloc(2 * (size_t)BYTES);
  double speeds[ROUNDS] = {0};
  if (!blocks) return 0;
  memset(blocks, 1, 2 * (size_t)BYTES);
  for (int round = 0; round < ROUNDS; round++) {
    const double start = now_milliseconds();
    memcpy(blocks + (round % 2 ? BYTES : 0), blocks + (round % 2 ? 0 : BYTES), BYTES);
    speeds[round] = 2e3 * BYTES / (now_milliseconds() - start);
  }
  /* Reads the copy, so that the compiler keeps it. */
  if (blocks[now_milliseconds() > 0 ? BYTES / 2 : 0] != 1) speeds[0] = 0;
  free(blocks);
  return median(speeds, ROUNDS);
}

static void print_json(double *times, double *inputs, int rounds, size_t peak_bytes) {
  printf("{\"input\":%.4f", median(inputs, rounds));
  for (int stage = 0; stage < WM_STAGE_COUNT; stage++) {
    printf(",\"%s\":%.4f", STAGES[stage], median(times + stage * rounds, rounds));
  }
  printf(",\"peakBytes\":%zu,\"copyBytesASecond\":%.0f}\n", peak_bytes, measure_copy());
}

int main(int count, char **arguments) {
  if (count != 5 || strtol(arguments[4], NULL, 10) < 1) {
    fprintf(stderr, "bench_native: LEVEL.obj CELL_SIZE TILE_SIZE ROUNDS\n");
    return 2;
  }
  WmConfig config = wm_config_default();
  const double cell_size = strtod(arguments[2], NULL);
  config.cell_size = (float)cell_size;
  config.cell_height = (float)(cell_size * 2 / 3);
  config.tile_size = (int32_t)strtol(arguments[3], NULL, 10);
  const int rounds = (int)strtol(arguments[4], NULL, 10);
  Scene scene = read_obj(arguments[1]);
  const WmBakeInput input = scene_input(&scene);
  Counter counter = {0};
  const WmAllocator allocator = {allocate_counted, release_counted, &counter};
  WmContext *context = wm_context_create(&allocator);
  double *times = calloc((size_t)rounds * (WM_STAGE_COUNT + 1), sizeof *times);
  if (!context || !times) return 1;
  double *inputs = times + rounds * WM_STAGE_COUNT;
  WmStatus status = WM_OK;
  for (int round = -1; round < rounds && !status; round++) {
    WmBaker *baker = NULL;
    const int slot = round < 0 ? 0 : round; /* the first bake warms up */
    const double start = now_milliseconds();
    status = wm_baker_create(context, &config, &input, &baker);
    inputs[slot] = now_milliseconds() - start;
    if (!status) status = bake(baker, times, rounds, slot);
    if (round < 0) memset(times, 0, (size_t)rounds * WM_STAGE_COUNT * sizeof *times);
    wm_baker_destroy(baker);
  }
  if (status) {
    fprintf(stderr, "bench_native: %s\n", wm_context_error(context)->message);
  } else {
    print_json(times, inputs, rounds, counter.peak_bytes);
  }
  free(times);
  wm_context_destroy(context);
  free_scene(&scene);
  return status ? 1 : 0;
}
