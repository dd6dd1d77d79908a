/* Sets of tile cache layers (TSET) made by hand, not compressed, for tests and fuzzing. */
#ifndef WALKMESH_TESTS_DETOUR_CACHE_SETS_H
#define WALKMESH_TESTS_DETOUR_CACHE_SETS_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { SET_BYTES = 92, LAYER_BYTES = 64, LAYER_HEAD = 8 }; /* a layer's with its head */

typedef struct SetWriter {
  uint8_t *bytes; /* malloc'ed */
  size_t byte_count;
  int32_t size; /* cells on a side */
  int32_t count;
  float origin[3], cell_size, cell_height;
} SetWriter;

static inline void put_int(uint8_t *at, int32_t value) { memcpy(at, &value, sizeof value); }
static inline void put_float(uint8_t *at, float value) { memcpy(at, &value, sizeof value); }

/* An agent 2 high, 0.6 wide, that climbs 0.9. */
static inline SetWriter begin_set(int32_t size, float cell_size, float cell_height, const float origin[3]) {
  SetWriter set = {.bytes = calloc(1, SET_BYTES),
                   .byte_count = SET_BYTES,
                   .size = size,
                   .origin = {origin[0], origin[1], origin[2]},
                   .cell_size = cell_size,
                   .cell_height = cell_height};
  uint8_t *at = set.bytes;
  const float agent[4] = {2, 0.6f, 0.9f, 1.3f};
  put_int(at, 0x54534554);
  put_int(at + 4, 1);
  memcpy(at + 12, origin, 12);
  put_float(at + 24, (float)size * cell_size);
  put_float(at + 28, (float)size * cell_size);
  put_int(at + 32, 1 << 12);
  put_int(at + 36, 1 << 10);
  memcpy(at + 40, origin, 12);
  put_float(at + 52, cell_size);
  put_float(at + 56, cell_height);
  put_int(at + 60, size);
  put_int(at + 64, size);
  memcpy(at + 68, agent, sizeof agent);
  put_int(at + 84, 1 << 12);
  put_int(at + 88, 128);
  return set;
}

/* Literals only. Returns the bytes written: at most count + count / 32 + 1. */
static inline size_t pack_literals(const uint8_t *bytes, size_t count, uint8_t *out) {
  size_t made = 0;
  for (size_t i = 0; i < count; i += 32) {
    const size_t run = count - i < 32 ? count - i : 32;
    out[made++] = (uint8_t)(run - 1);
    memcpy(out + made, bytes + i, run);
    made += run;
  }
  return made;
}

/* in  floor: cell heights above the origin; heights, areas [size][size]; connections are all 0 */
static inline void add_layer(SetWriter *set, int32_t x, int32_t z, int32_t layer, int32_t floor,
                             const uint8_t *heights, const uint8_t *areas) {
  const size_t cells = (size_t)set->size * (size_t)set->size;
  uint8_t *planes = calloc(3, cells);
  memcpy(planes, heights, cells);
  memcpy(planes + cells, areas, cells);
  set->bytes = realloc(set->bytes, set->byte_count + LAYER_BYTES + 4 * cells + 64);
  uint8_t *at = set->bytes + set->byte_count;
  memset(at, 0, LAYER_BYTES);
  const size_t packed = pack_literals(planes, 3 * cells, at + LAYER_BYTES);
  const float tile = (float)set->size * set->cell_size;
  const float low[3] = {set->origin[0] + (float)x * tile, set->origin[1] + (float)floor * set->cell_height,
                        set->origin[2] + (float)z * tile};
  const float high[3] = {low[0] + tile, low[1] + 200 * set->cell_height, low[2] + tile};
  put_int(at, (1 << 16) + set->count);
  put_int(at + 4, (int32_t)(LAYER_BYTES - LAYER_HEAD + packed));
  put_int(at + 8, 0x44544c52);
  put_int(at + 12, 1);
  put_int(at + 16, x);
  put_int(at + 20, z);
  put_int(at + 24, layer);
  memcpy(at + 28, low, sizeof low);
  memcpy(at + 40, high, sizeof high);
  at[56] = at[57] = (uint8_t)set->size;
  at[59] = at[61] = (uint8_t)(set->size - 1);
  set->byte_count += LAYER_BYTES + packed;
  put_int(set->bytes + 8, ++set->count);
  free(planes);
}

/* A layer of one height and area. */
static inline void add_flat_layer(SetWriter *set, int32_t x, int32_t z, int32_t layer, int32_t floor,
                                  uint8_t area) {
  const size_t cells = (size_t)set->size * (size_t)set->size;
  uint8_t *heights = calloc(2, cells), *areas = heights + cells;
  memset(areas, area, cells);
  add_layer(set, x, z, layer, floor, heights, areas);
  free(heights);
}

#endif
