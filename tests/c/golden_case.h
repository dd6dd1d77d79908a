/* The golden dump cases of single tiles, with the voxel values of their summary.json. */
#ifndef WALKMESH_TESTS_GOLDEN_CASE_H
#define WALKMESH_TESTS_GOLDEN_CASE_H

#include "check.h"
#include "dump_read.h"

typedef struct GoldenCase {
  const char *name;
  float cell_size, cell_height;
  int32_t width, depth, walkable_height, walkable_climb, walkable_radius;
} GoldenCase;

static const GoldenCase GOLDEN_CASES[] = {
    {"holes-layers", 0.300000012f, 0.200000003f, 213, 213, 10, 4, 2},
    {"maze-default", 0.300000012f, 0.200000003f, 140, 140, 10, 4, 2},
    {"plaza-default", 0.300000012f, 0.200000003f, 133, 133, 10, 4, 2},
    {"terrain-default", 0.300000012f, 0.200000003f, 400, 400, 10, 4, 2},
    {"tower-monotone", 0.300000012f, 0.200000003f, 80, 80, 10, 4, 2},
};
enum { GOLDEN_CASE_COUNT = sizeof GOLDEN_CASES / sizeof GOLDEN_CASES[0] };

static inline WmBytes read_golden(const GoldenCase *golden, const char *array) {
  char path[256];
  snprintf(path, sizeof path, "../shared/golden/dumps/%s/%s.bin", golden->name, array);
  return read_file(path);
}

static inline WmGrid golden_grid(const GoldenCase *golden) {
  WmGrid grid = {0};
  grid.cell_size = golden->cell_size;
  grid.cell_height = golden->cell_height;
  grid.width = golden->width;
  grid.depth = golden->depth;
  return grid;
}

/* Compares a stage's bytes with the golden array; names the first byte that differs. Frees `actual`. */
static inline void check_golden(WmContext *context, const GoldenCase *golden, const char *array,
                                WmBytes actual) {
  WmBytes expected = read_golden(golden, array);
  size_t first = 0;
  while (first < actual.byte_count && first < expected.byte_count &&
         actual.bytes[first] == expected.bytes[first]) {
    first++;
  }
  if (first < actual.byte_count || first < expected.byte_count) {
    char text[256];
    snprintf(text, sizeof text, "%s %s: %zu bytes for %zu, first difference at %zu", golden->name, array,
             actual.byte_count, expected.byte_count, first);
    check_report(__FILE__, __LINE__, text);
  }
  free(expected.bytes);
  wm_block_free(context, actual.bytes);
}

#endif
