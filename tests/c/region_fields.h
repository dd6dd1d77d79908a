/* Compact heightfields for tests of regions and layers: seeded sheets over one another, and spirals. Included
 * by one file a test program, hence static. */
#ifndef WALKMESH_TESTS_REGION_FIELDS_H
#define WALKMESH_TESTS_REGION_FIELDS_H

#include <math.h>

#include "check.h"
#include "bake/stages.h"
#include "plain_links.h"

static uint32_t next_random(uint32_t *state) {
  *state ^= *state << 13;
  *state ^= *state >> 17;
  *state ^= *state << 5;
  return *state;
}

static uint32_t random_below(uint32_t *state, uint32_t limit) { return next_random(state) % limit; }

/* A field under construction: at most TEST_COLUMN spans a cell, bottom up. */
enum { TEST_COLUMN = 16 };
typedef struct FieldDraft {
  int32_t width, depth, border, height, climb;
  int32_t *count;                /* [width * depth] */
  int32_t (*floor)[TEST_COLUMN]; /* [width * depth] */
  uint8_t (*area)[TEST_COLUMN];  /* [width * depth] */
} FieldDraft;

static FieldDraft start_draft(int32_t width, int32_t depth, int32_t border, int32_t height, int32_t climb) {
  const size_t cells = (size_t)width * (size_t)depth;
  FieldDraft draft = {width, depth, border, height, climb, NULL, NULL, NULL};
  draft.count = calloc(cells, sizeof *draft.count);
  draft.floor = calloc(cells, sizeof *draft.floor);
  draft.area = calloc(cells, sizeof *draft.area);
  return draft;
}

/* Adds a floor unless another is within `gap` of it or the column is full. */
static void add_floor(FieldDraft *draft, int32_t x, int32_t z, int32_t floor, uint8_t area, int32_t gap) {
  const size_t cell = (size_t)x + (size_t)z * (size_t)draft->width;
  int32_t *floors = draft->floor[cell], count = draft->count[cell], at = 0;
  if (count == TEST_COLUMN || floor < 0 || floor > 60000) return;
  for (int32_t i = 0; i < count; i++) {
    if (abs(floors[i] - floor) < gap) return;
    if (floors[i] < floor) at = i + 1;
  }
  for (int32_t i = count; i > at; i--) {
    floors[i] = floors[i - 1];
    draft->area[cell][i] = draft->area[cell][i - 1];
  }
  floors[at] = floor;
  draft->area[cell][at] = area;
  draft->count[cell]++;
}

static uint32_t find_link(const WmCompactHeightfield *field, uint32_t span, int32_t x, int32_t z) {
  if (x < 0 || z < 0 || x >= field->grid.width || z >= field->grid.depth) return WM_NO_SPAN;
  const uint32_t *cell = field->cell_first + (size_t)x + (size_t)z * (size_t)field->grid.width;
  const int32_t floor = field->span_floor[span], top = floor + field->span_clearance[span];
  for (uint32_t other = cell[0]; other < cell[1]; other++) {
    const int32_t other_floor = field->span_floor[other],
                  other_top = other_floor + field->span_clearance[other];
    const int32_t low = floor > other_floor ? floor : other_floor, high = top < other_top ? top : other_top;
    if (high - low >= field->walkable_height && abs(other_floor - floor) <= field->walkable_climb)
      return other;
  }
  return WM_NO_SPAN;
}

static void link_field(WmContext *context, WmCompactHeightfield *field) {
  static const int32_t STEP_X[4] = {-1, 0, 1, 0}, STEP_Z[4] = {0, 1, 0, -1};
  uint32_t *links = malloc(16 * (size_t)field->span_count + 1);
  for (int32_t z = 0; z < field->grid.depth; z++) {
    for (int32_t x = 0; x < field->grid.width; x++) {
      const uint32_t *cell = field->cell_first + (size_t)x + (size_t)z * (size_t)field->grid.width;
      for (uint32_t span = cell[0]; span < cell[1]; span++) {
        for (int d = 0; d < 4; d++) {
          links[4 * (size_t)span + (size_t)d] = find_link(field, span, x + STEP_X[d], z + STEP_Z[d]);
        }
      }
    }
  }
  pack_links_of_field(context, links, field);
  free(links);
}

/* Turns the draft into a field, and frees it. The field is a block of the context. */
static WmCompactHeightfield finish_draft(WmContext *context, FieldDraft *draft) {
  const size_t cells = (size_t)draft->width * (size_t)draft->depth;
  uint32_t spans = 0;
  for (size_t cell = 0; cell < cells; cell++) spans += (uint32_t)draft->count[cell];
  WmLayout layout = {0};
  const size_t floor = wm_layout_add(&layout, spans, 2);
  const size_t clear = wm_layout_add(&layout, spans, 1), area = wm_layout_add(&layout, spans, 1);
  uint8_t *block = wm_layout_allocate(context, &layout);
  WmCompactHeightfield field = {.grid = {.cell_size = 0.5f,
                                         .cell_height = 0.25f,
                                         .width = draft->width,
                                         .depth = draft->depth,
                                         .border_size = draft->border},
                                .walkable_height = draft->height,
                                .walkable_climb = draft->climb,
                                .span_count = spans,
                                .cell_first = wm_block_allocate(context, 4 * (cells + 1)),
                                .span_floor = (uint16_t *)(void *)(block + floor),
                                .span_clearance = block + clear,
                                .span_area = block + area,
                                .block = block};
  for (int axis = 0; axis < 3; axis++) field.grid.bounds_max[axis] = 1000;
  uint32_t span = 0;
  for (size_t cell = 0; cell < cells; cell++) {
    field.cell_first[cell] = span;
    for (int32_t i = 0; i < draft->count[cell]; i++, span++) {
      const int32_t own = draft->floor[cell][i];
      const int32_t open = i + 1 < draft->count[cell] ? draft->floor[cell][i + 1] - 1 - own : 255;
      field.span_floor[span] = (uint16_t)own;
      field.span_clearance[span] = (uint8_t)(open < 255 ? open : 255);
      field.span_area[span] = draft->area[cell][i];
    }
  }
  field.cell_first[cells] = span;
  link_field(context, &field);
  free(draft->count);
  free(draft->floor);
  free(draft->area);
  return field;
}

/* Tilted sheets with holes, walls and patches of other areas. With `dense`, sheets cross and come so close
 * that links may be one-way. */
static WmCompactHeightfield make_random_field(WmContext *context, uint32_t seed, int32_t width, int32_t depth,
                                              int32_t border, bool dense) {
  uint32_t random = seed * 2654435761u + 1;
  for (int i = 0; i < 8; i++) next_random(&random);
  const int32_t height = dense ? 4 : 8 + (int32_t)random_below(&random, 4);
  const int32_t climb = dense ? 4 + (int32_t)random_below(&random, 4) : 1 + (int32_t)random_below(&random, 4);
  FieldDraft draft = start_draft(width, depth, border, height, climb);
  const uint32_t sheets = 1 + random_below(&random, dense ? 6 : 4);
  for (uint32_t sheet = 0; sheet < sheets; sheet++) {
    const int32_t base = 100 + (int32_t)(sheet * (dense ? 6 : 20)) + (int32_t)random_below(&random, 5);
    const int32_t tilt_x = (int32_t)random_below(&random, 9) - 4,
                  tilt_z = (int32_t)random_below(&random, 9) - 4;
    const uint32_t holes = random_below(&random, 30), patch = random_below(&random, 3);
    const int32_t bump = 1 + (int32_t)random_below(&random, 6);
    uint32_t mask[8][8];
    for (int i = 0; i < 64; i++) mask[i / 8][i % 8] = random_below(&random, 100);
    for (int32_t z = 0; z < depth; z++) {
      for (int32_t x = 0; x < width; x++) {
        const uint32_t cover = mask[z * 8 / depth][x * 8 / width];
        if (cover < holes || random_below(&random, 200) < holes / 8) continue;
        const int32_t floor = base + x * tilt_x / 8 + z * tilt_z / 8 + (cover % 7 == 0 ? bump : 0);
        uint8_t area = WM_AREA_WALKABLE;
        if (patch == 1 && cover % 5 == 0) area = 7;
        if (cover % 11 == 0 || random_below(&random, 300) == 0) area = WM_AREA_NULL;
        add_floor(&draft, x, z, floor, area, dense ? 2 : height + 2);
      }
    }
  }
  return finish_draft(context, &draft);
}

/* A ramp that winds `turns` times around the middle, `pitch` up a turn, with a plate at the bottom if wanted.
 */
static WmCompactHeightfield make_spiral(WmContext *context, int32_t side, float inner, float outer,
                                        float turns, int32_t pitch, bool has_plate) {
  FieldDraft draft = start_draft(side, side, 0, 8, 3);
  const float middle = (float)side * 0.5f, full = 6.2831853f;
  for (int32_t z = 0; z < side; z++) {
    for (int32_t x = 0; x < side; x++) {
      const float dx = (float)x + 0.5f - middle, dz = (float)z + 0.5f - middle;
      const float radius = sqrtf(dx * dx + dz * dz), angle = atan2f(dz, dx) + 0.5f * full;
      if (radius >= inner && radius < outer) {
        for (float turn = angle / full; turn < turns; turn += 1.0f) {
          add_floor(&draft, x, z, 20 + (int32_t)(turn * (float)pitch), WM_AREA_WALKABLE, 4);
        }
      }
      if (has_plate) add_floor(&draft, x, z, 20, WM_AREA_WALKABLE, 12);
    }
  }
  return finish_draft(context, &draft);
}

/* One floor, in a third of the fields two, with pillars strewn or in rows, and sometimes squares or specks of
 * other areas: many regions that may merge, some of which touch each other more than once. */
static inline WmCompactHeightfield make_pillared_field(WmContext *context, uint32_t seed, int32_t width,
                                                       int32_t depth, int32_t border) {
  uint32_t state = seed * 2654435761u + 1;
  next_random(&state);
  FieldDraft draft = start_draft(width, depth, border, 8, 2);
  const uint32_t strewn = 6 + random_below(&state, 30), specks = random_below(&state, 3) ? 1000000 : 20;
  const int32_t step = 3 + (int32_t)random_below(&state, 6);
  const int32_t square = random_below(&state, 2) ? 1000 : 5 + (int32_t)random_below(&state, 20);
  const bool is_regular = random_below(&state, 3) == 0, has_ramp = random_below(&state, 3) == 0;
  for (int32_t z = 0; z < depth; z++) {
    for (int32_t x = 0; x < width; x++) {
      const bool is_pillar = is_regular ? x % step == 0 && z % step == 0 : random_below(&state, strewn) == 0;
      uint8_t area = (x / square * 7 + z / square * 3) % 5 == 1 ? 9 : WM_AREA_WALKABLE;
      if (random_below(&state, specks) == 0) area = 7;
      if (!is_pillar) add_floor(&draft, x, z, 50, area, 4);
      if (has_ramp && random_below(&state, 9) && x > width / 4) {
        add_floor(&draft, x, z, 50 + 2 * (x / 3 < 20 ? x / 3 : 20), area, 4);
      }
    }
  }
  return finish_draft(context, &draft);
}

#endif
