/* Seeded heightfields for property tests, and an allocator that fails on demand. */
#ifndef WALKMESH_TESTS_RANDOM_FIELD_H
#define WALKMESH_TESTS_RANDOM_FIELD_H

#include "bake/fields.h"
#include "bake/compact/links.h"
#include "bake/stages.h"
#include "check.h"

typedef struct Random {
  uint64_t state;
} Random;

static inline uint32_t random_bits(Random *random) {
  random->state = random->state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  uint64_t x = random->state;
  x ^= x >> 33;
  x *= UINT64_C(0xff51afd7ed558ccd);
  return (uint32_t)(x >> 32);
}

/* 0..limit - 1 */
static inline int32_t random_below(Random *random, int32_t limit) {
  return (int32_t)(random_bits(random) % (uint32_t)limit);
}

/* The style of a random field. */
typedef struct FieldStyle {
  int32_t width, depth;
  int32_t layers;      /* most spans in a cell */
  int32_t base;        /* height everything stands on */
  int32_t bumps;       /* floors vary by up to this many cell heights */
  int32_t level_gap;   /* distance from one level to the next, roughly */
  int32_t empty_of_16; /* cells of sixteen that miss a level, on average */
  int32_t null_of_16;  /* spans of sixteen that are unwalkable, on average */
} FieldStyle;

/* Fields of different styles: plains, storeys, rubble, tall towers, a single row or column. */
static inline FieldStyle random_style(Random *random) {
  static const int32_t LAYERS[8] = {1, 1, 2, 2, 3, 5, 12, 40};
  FieldStyle style;
  style.width = 1 + random_below(random, random_below(random, 2) ? 70 : 12);
  style.depth = 1 + random_below(random, random_below(random, 2) ? 24 : 5);
  style.layers = LAYERS[random_below(random, 8)];
  style.bumps = 1 + random_below(random, random_below(random, 2) ? 3 : 12);
  style.level_gap = style.bumps + 2 + random_below(random, random_below(random, 2) ? 24 : 3);
  style.base = random_below(random, 3) ? random_below(random, 40) : random_below(random, 65400);
  style.empty_of_16 = random_below(random, 2) ? 0 : random_below(random, 12);
  style.null_of_16 = random_below(random, 2) ? 0 : random_below(random, 16);
  return style;
}

static inline WmHeightfield random_heightfield(WmContext *context, Random *random, const FieldStyle *style) {
  const size_t cells = (size_t)style->width * (size_t)style->depth;
  const size_t capacity = cells * (size_t)style->layers;
  WmLayout layout = {0};
  const size_t first = wm_layout_add(&layout, cells + 1, 4), low = wm_layout_add(&layout, capacity, 2);
  const size_t high = wm_layout_add(&layout, capacity, 2), area = wm_layout_add(&layout, capacity, 1);
  uint8_t *block = wm_layout_allocate(context, &layout);
  WmHeightfield field = {0};
  field.grid.width = style->width;
  field.grid.depth = style->depth;
  field.grid.cell_size = 0.5f;
  field.grid.cell_height = 0.25f;
  field.grid.bounds_min[0] = -3.25f;
  field.grid.bounds_min[1] = 1.5f;
  field.grid.bounds_min[2] = 7.0f;
  for (int axis = 0; axis < 3; axis++) field.grid.bounds_max[axis] = field.grid.bounds_min[axis] + 1000.0f;
  field.block = block;
  field.cell_first = (uint32_t *)(void *)(block + first);
  field.span_min = (uint16_t *)(void *)(block + low);
  field.span_max = (uint16_t *)(void *)(block + high);
  field.span_area = block + area;
  uint32_t span = 0;
  /* Stretches of cells repeat their style, so that long even rows occur as well as noise. */
  for (size_t cell = 0; cell < cells; cell++) {
    field.cell_first[cell] = span;
    int32_t lowest = 0;
    for (int32_t layer = 0; layer < style->layers; layer++) {
      if (random_below(random, 16) < style->empty_of_16) continue;
      const int32_t top = style->base + layer * style->level_gap + 1 + random_below(random, style->bumps);
      if (top > WM_SPAN_HEIGHT_LIMIT || top <= lowest) continue;
      const int32_t thickness = 1 + random_below(random, 3);
      const int32_t bottom = top - thickness > lowest ? top - thickness : lowest;
      field.span_min[span] = (uint16_t)bottom;
      field.span_max[span] = (uint16_t)top;
      const bool walkable = random_below(random, 16) >= style->null_of_16;
      field.span_area[span] =
          walkable ? (uint8_t)(random_below(random, 9) ? 63 : 1 + random_below(random, 63)) : 0;
      span++;
      lowest = top + 1;
    }
  }
  field.cell_first[cells] = span;
  field.span_count = span;
  return field;
}

/* Every allocation counts down; the one that finds zero fails, and all later ones too. */
typedef struct FailingAllocator {
  int left;
} FailingAllocator;

static inline void *failing_allocate(void *user, size_t bytes) {
  FailingAllocator *allocator = user;
  if (allocator->left <= 0) return NULL;
  allocator->left--;
  return malloc(bytes);
}

static inline void failing_release(void *user, void *block) {
  (void)user;
  free(block);
}

/* A walkable rectangle of one storey without bumps, from the stages before. */
static inline WmCompactHeightfield flat_rectangle(WmContext *context, int32_t width, int32_t depth) {
  const FieldStyle style = {
      .width = width, .depth = depth, .layers = 1, .base = 9, .bumps = 1, .level_gap = 1};
  Random random = {1};
  WmHeightfield field = random_heightfield(context, &random, &style);
  memset(field.span_area, 63, field.span_count);
  WmCompactHeightfield compact;
  CHECK_EQUAL_INT(wm_build_compact_heightfield(context, &field, 5, 1, &compact), WM_OK);
  wm_heightfield_free(context, &field);
  return compact;
}

#endif
