/* Heightfield layers: a slow oracle of the rules, and invariants of all fields. */
#include "bake/validate.h"
#include "check.h"
#include "region_fields.h"

/* ---- The slow oracle ------------------------------------------------------------------------------- */

/* Regions, groups and merged layers by the rules, with sets as rows of bytes and loops over everything. Only
 * for fields with symmetric links whose regions are lower than the maximum height of a layer. */
typedef struct SlowLayers {
  const WmCompactHeightfield *field;
  uint32_t regions;
  uint16_t *region; /* [spans] 1.. */
  int32_t *low, *high;
  uint8_t *stacked; /* [regions + 1][regions + 1] */
  uint32_t *layer;  /* [regions + 1] 1.. after grouping, then compacted from 0 */
  uint8_t *is_base;
  uint32_t layers;
} SlowLayers;

static bool is_walkable(const WmCompactHeightfield *field, uint32_t span) {
  return span != WM_NO_SPAN && field->span_area[span] != WM_AREA_NULL;
}

static void slow_sweep(SlowLayers *s) {
  const WmCompactHeightfield *f = s->field;
  const int32_t border = f->grid.border_size;
  uint32_t *above = calloc(30000, 4), *samples = calloc(30000, 4), *below = calloc(30000, 4),
           *final = calloc(30000, 4);
  for (int32_t z = border; z < f->grid.depth - border; z++) {
    uint32_t strips = 0;
    const uint32_t *row = f->cell_first + z * f->grid.width;
    memset(below, 0, 30000 * 4);
    for (uint32_t i = row[border]; i < row[f->grid.width - border]; i++) {
      if (!is_walkable(f, i)) continue;
      const uint32_t left = wm_link(&f->links, i, 0), up = wm_link(&f->links, i, 3);
      uint32_t strip = is_walkable(f, left) ? s->region[left] : 0;
      if (strip == 0) {
        strip = ++strips;
        above[strip] = samples[strip] = 0;
      }
      const uint32_t u = is_walkable(f, up) ? s->region[up] : 0;
      if (u != 0) {
        if (samples[strip] == 0) above[strip] = u;
        if (above[strip] == u) {
          samples[strip]++;
          below[u]++;
        } else {
          above[strip] = 0xffff;
        }
      }
      s->region[i] = (uint16_t)strip;
    }
    for (uint32_t k = 1; k <= strips; k++) {
      const bool joins = above[k] != 0 && above[k] != 0xffff && below[above[k]] == samples[k];
      final[k] = joins ? above[k] : ++s->regions;
    }
    for (uint32_t i = row[border]; i < row[f->grid.width - border]; i++) {
      if (is_walkable(f, i)) s->region[i] = (uint16_t) final[s->region[i]];
    }
  }
  free(above);
  free(samples);
  free(below);
  free(final);
}

static bool slow_is_tall(const SlowLayers *s, uint32_t a, uint32_t b) {
  const int32_t low = s->low[a] < s->low[b] ? s->low[a] : s->low[b];
  const int32_t high = s->high[a] > s->high[b] ? s->high[a] : s->high[b];
  return high - low >= 255;
}

static void slow_join(SlowLayers *s, uint32_t into, uint32_t from) {
  const size_t n = s->regions + 1;
  for (size_t k = 0; k < n; k++) s->stacked[into * n + k] |= s->stacked[from * n + k];
  if (s->low[from] < s->low[into]) s->low[into] = s->low[from];
  if (s->high[from] > s->high[into]) s->high[into] = s->high[from];
}

static void slow_statistics(SlowLayers *s, uint32_t *list, uint32_t *count) {
  const WmCompactHeightfield *f = s->field;
  const size_t n = s->regions + 1;
  for (size_t k = 0; k < n; k++) s->low[k] = INT32_MAX;
  for (int32_t cell = 0; cell < f->grid.width * f->grid.depth; cell++) {
    for (uint32_t i = f->cell_first[cell]; i < f->cell_first[cell + 1]; i++) {
      const uint32_t r = s->region[i];
      if (r == 0) continue;
      if (f->span_floor[i] < s->low[r]) s->low[r] = f->span_floor[i];
      if (f->span_floor[i] > s->high[r]) s->high[r] = f->span_floor[i];
      for (uint32_t k = f->cell_first[cell]; k < f->cell_first[cell + 1]; k++) {
        if (s->region[k] != 0 && s->region[k] != r) s->stacked[r * n + s->region[k]] = 1;
      }
      for (size_t d = 0; d < 4; d++) {
        const uint32_t a = wm_link(&f->links, i, d);
        const uint32_t q = a == WM_NO_SPAN ? 0 : s->region[a];
        if (q == 0 || q == r) continue;
        bool is_known = false;
        for (uint32_t k = 0; k < count[r]; k++) is_known |= list[r * n + k] == q;
        if (!is_known) list[r * n + count[r]++] = q;
      }
    }
  }
}

static void slow_group(SlowLayers *s, const uint32_t *list, const uint32_t *count) {
  const size_t n = s->regions + 1;
  uint32_t *queue = malloc(4 * n), next = 1;
  for (uint32_t root = 1; root < n; root++) {
    if (s->layer[root] != 0) continue;
    uint32_t queued = 0;
    s->layer[root] = next;
    s->is_base[root] = 1;
    queue[queued++] = root;
    for (uint32_t k = 0; k < queued; k++) {
      for (uint32_t m = 0; m < count[queue[k]]; m++) {
        const uint32_t e = list[queue[k] * n + m];
        if (s->layer[e] != 0 || s->stacked[root * n + e] || slow_is_tall(s, root, e)) continue;
        s->layer[e] = next;
        queue[queued++] = e;
        slow_join(s, root, e);
      }
    }
    next++;
  }
  free(queue);
}

static bool slow_may_merge(const SlowLayers *s, uint32_t i, uint32_t j, int32_t height) {
  const size_t n = s->regions + 1;
  if (s->low[i] > s->high[j] + 4 * height || s->low[j] > s->high[i] + 4 * height) return false;
  if (slow_is_tall(s, i, j)) return false;
  for (uint32_t k = 1; k < n; k++) {
    if (s->layer[k] == s->layer[j] && s->stacked[i * n + k]) return false;
  }
  return true;
}

static void slow_merge(SlowLayers *s, int32_t height) {
  const size_t n = s->regions + 1;
  for (uint32_t i = 1; i < n; i++) {
    for (bool merged = s->is_base[i] != 0; merged;) {
      merged = false;
      for (uint32_t j = 1; j < n && !merged; j++) {
        if (j == i || !s->is_base[j] || !slow_may_merge(s, i, j, height)) continue;
        const uint32_t old = s->layer[j];
        for (uint32_t k = 1; k < n; k++) {
          if (s->layer[k] != old) continue;
          s->layer[k] = s->layer[i];
          s->is_base[k] = 0;
          slow_join(s, i, k);
        }
        merged = true;
      }
    }
  }
}

static SlowLayers slow_layers(const WmCompactHeightfield *field, int32_t height) {
  SlowLayers s = {.field = field, .region = calloc((size_t)field->span_count + 1, 2)};
  slow_sweep(&s);
  const size_t n = s.regions + 1;
  s.low = calloc(n, 4);
  s.high = calloc(n, 4);
  s.stacked = calloc(n * n, 1);
  s.layer = calloc(n, 4);
  s.is_base = calloc(n, 1);
  uint32_t *list = calloc(n * n, 4), *count = calloc(n, 4);
  slow_statistics(&s, list, count);
  slow_group(&s, list, count);
  slow_merge(&s, height);
  uint32_t *compacted = calloc(n + 1, 4);
  for (uint32_t id = 1; id <= n; id++) {
    bool is_used = false;
    for (uint32_t k = 1; k < n; k++) is_used |= s.layer[k] == id;
    if (is_used) compacted[id] = s.layers++;
  }
  for (uint32_t k = 1; k < n; k++) s.layer[k] = compacted[s.layer[k]];
  free(compacted);
  free(list);
  free(count);
  return s;
}

static void free_slow(SlowLayers *s) {
  free(s->region);
  free(s->low);
  free(s->high);
  free(s->stacked);
  free(s->layer);
  free(s->is_base);
}

/* ---- Invariants ------------------------------------------------------------------------------------ */

static const int32_t STEP_X[4] = {-1, 0, 1, 0}, STEP_Z[4] = {0, 1, 0, -1};

/* Finds the layer of a span by its cell, area and floor. `used` marks the cells of images that belong to
 * other spans already. */
static int32_t find_layer(const WmHeightfieldLayers *layers, const WmCompactHeightfield *field, uint32_t span,
                          size_t cell, const uint8_t *used) {
  const size_t cells = (size_t)layers->grid.width * (size_t)layers->grid.depth;
  int32_t best = -1, best_gap = INT32_MAX;
  for (uint32_t i = 0; i < layers->layer_count; i++) {
    const WmHeightfieldLayer *layer = &layers->layers[i];
    if (layer->heights[cell] == 255 || used[i * cells + cell]) continue;
    const int32_t gap = layer->height_min + layer->heights[cell] - field->span_floor[span];
    if (gap < 0 || gap >= best_gap) continue;
    best = (int32_t)i;
    best_gap = gap;
  }
  return best;
}

/* Every walkable span of the tile proper is in one layer and every cell of a layer is a span; heights are
 * floors, except at portals, where they are the larger floor of both sides; connections are links. `layer_of`
 * gets each span's layer. */
static void check_images(const WmCompactHeightfield *field, const WmHeightfieldLayers *layers,
                         int32_t *layer_of) {
  const int32_t border = field->grid.border_size, width = layers->grid.width, depth = layers->grid.depth;
  const size_t cells = (size_t)width * (size_t)depth;
  uint8_t *used = calloc(cells * layers->layer_count + 1, 1);
  uint32_t spans = 0, filled = 0, bad = 0;
  for (uint32_t i = 0; i < field->span_count; i++) layer_of[i] = -1;
  for (int32_t z = 0; z < depth; z++) {
    for (int32_t x = 0; x < width; x++) {
      const size_t cell = (size_t)x + (size_t)z * (size_t)width;
      const uint32_t *column = field->cell_first + x + border + (z + border) * field->grid.width;
      for (uint32_t i = column[1];
           i-- > column[0];) { /* from the top: a raised portal may be above the next floor */
        if (!is_walkable(field, i)) continue;
        spans++;
        layer_of[i] = find_layer(layers, field, i, cell, used);
        if (layer_of[i] < 0) {
          bad++;
        } else {
          used[(size_t)layer_of[i] * cells + cell] = 1;
          bad += layers->layers[layer_of[i]].areas[cell] != field->span_area[i];
        }
      }
    }
  }
  for (uint32_t i = 0; i < layers->layer_count; i++) {
    for (size_t cell = 0; cell < cells; cell++) filled += layers->layers[i].heights[cell] != 255;
  }
  CHECK_EQUAL_INT(bad, 0);
  CHECK_EQUAL_INT(filled, spans);
  free(used);
}

static void check_connections(const WmCompactHeightfield *field, const WmHeightfieldLayers *layers,
                              const int32_t *layer_of) {
  const int32_t border = field->grid.border_size, width = layers->grid.width, depth = layers->grid.depth;
  uint32_t bad = 0;
  for (int32_t z = 0; z < depth; z++) {
    for (int32_t x = 0; x < width; x++) {
      const uint32_t *column = field->cell_first + x + border + (z + border) * field->grid.width;
      for (uint32_t i = column[0]; i < column[1]; i++) {
        if (layer_of[i] < 0) continue;
        const WmHeightfieldLayer *layer = &layers->layers[layer_of[i]];
        const size_t cell = (size_t)x + (size_t)z * (size_t)width;
        int32_t height = field->span_floor[i];
        uint32_t expected = 0;
        for (uint32_t d = 0; d < 4; d++) {
          const uint32_t a = wm_link(&field->links, i, d);
          if (!is_walkable(field, a)) continue;
          if (layer_of[a] == layer_of[i]) {
            expected |= 1u << d;
            const size_t other = (size_t)(x + STEP_X[d]) + (size_t)(z + STEP_Z[d]) * (size_t)width;
            if (field->links_are_symmetric) bad += !(layer->connections[other] >> ((d + 2) & 3) & 1);
          } else {
            expected |= 16u << d;
            if (field->span_floor[a] > height) height = field->span_floor[a];
          }
        }
        if (height - layer->height_min > 254) height = layer->height_min + 254;
        bad += layer->connections[cell] != expected;
        bad += layer->heights[cell] != height - layer->height_min;
        bad +=
            x < layer->used_min_x || x > layer->used_max_x || z < layer->used_min_z || z > layer->used_max_z;
      }
    }
  }
  CHECK_EQUAL_INT(bad, 0);
}

static void check_layers(const WmCompactHeightfield *field, const WmHeightfieldLayers *layers) {
  CHECK(wm_heightfield_layers_validate(field, layers));
  int32_t *layer_of = malloc(4 * (size_t)field->span_count + 4);
  check_images(field, layers, layer_of);
  check_connections(field, layers, layer_of);
  for (uint32_t i = 0; i < layers->layer_count; i++) {
    const WmHeightfieldLayer *layer = &layers->layers[i];
    CHECK(layer->height_max - layer->height_min < 255);
    CHECK(layer->used_min_x <= layer->used_max_x && layer->used_min_z <= layer->used_max_z);
    CHECK(layer->bounds_min[1] ==
          field->grid.bounds_min[1] + (float)layer->height_min * field->grid.cell_height);
    CHECK(layer->bounds_min[0] ==
          field->grid.bounds_min[0] + (float)field->grid.border_size * field->grid.cell_size);
  }
  free(layer_of);
}

static void compare_with_slow(const WmCompactHeightfield *field, const WmHeightfieldLayers *layers,
                              int32_t height) {
  SlowLayers s = slow_layers(field, height);
  CHECK_EQUAL_INT(layers->layer_count, s.layers);
  const int32_t border = field->grid.border_size, width = layers->grid.width;
  uint32_t bad = 0;
  for (int32_t z = 0; s.layers == layers->layer_count && z < layers->grid.depth; z++) {
    for (int32_t x = 0; x < width; x++) {
      const uint32_t *column = field->cell_first + x + border + (z + border) * field->grid.width;
      for (uint32_t i = column[0]; i < column[1]; i++) {
        if (s.region[i] == 0) continue;
        const WmHeightfieldLayer *layer = &layers->layers[s.layer[s.region[i]]];
        const size_t cell = (size_t)x + (size_t)z * (size_t)width;
        const int32_t raise = layer->height_min + layer->heights[cell] - field->span_floor[i];
        bad += layer->heights[cell] == 255 || raise < 0 || raise > field->walkable_climb;
      }
    }
  }
  CHECK_EQUAL_INT(bad, 0);
  free_slow(&s);
}

/* ---- Cases --------------------------------------------------------------------------------------------- */

static void seeded_fields_equal_the_slow_way(void) {
  WmContext *context = wm_context_create(NULL);
  uint32_t most = 0;
  for (uint32_t seed = 1; seed <= (uint32_t)CHECK_ROUNDS(120); seed++) {
    const int failures = check_failures;
    const int32_t border = (int32_t)(seed % 5), side = 16 + (int32_t)(seed * 7 % 50);
    WmCompactHeightfield field = make_random_field(context, seed, side, 70 - side, border, seed % 3 == 0);
    WmHeightfieldLayers layers;
    CHECK_EQUAL_INT(wm_build_heightfield_layers(context, &field, field.walkable_height, &layers), WM_OK);
    CHECK_EQUAL_INT(layers.grid.width, side - 2 * border);
    check_layers(&field, &layers);
    if (field.links_are_symmetric) compare_with_slow(&field, &layers, field.walkable_height);
    if (layers.layer_count > most) most = layers.layer_count;
    wm_heightfield_layers_free(context, &layers);
    wm_compact_heightfield_free(context, &field);
    if (check_failures > failures) printf("  seed %u\n", seed);
  }
  printf("seeded fields: up to %u layers\n", most);
  CHECK(most >= 4);
  wm_context_destroy(context);
}

/* Two floors and a ramp between them: the ramp is in the layer of one floor, and has portals to the other. */
static void floors_over_one_another_become_layers(void) {
  WmContext *context = wm_context_create(NULL);
  FieldDraft draft = start_draft(20, 6, 0, 8, 2);
  for (int32_t z = 0; z < 6; z++) {
    for (int32_t x = 0; x < 20; x++) {
      if (x < 14) add_floor(&draft, x, z, 10, WM_AREA_WALKABLE, 4);
      if (x < 8 && z > 1) add_floor(&draft, x, z, 30, 5, 4);
      if (x >= 14 && z == 0) add_floor(&draft, x, z, 10 + 2 * (x - 13), WM_AREA_WALKABLE, 4);
    }
  }
  WmCompactHeightfield field = finish_draft(context, &draft);
  WmHeightfieldLayers layers;
  CHECK_EQUAL_INT(wm_build_heightfield_layers(context, &field, 8, &layers), WM_OK);
  check_layers(&field, &layers);
  CHECK_EQUAL_INT(layers.layer_count, 2);
  CHECK_EQUAL_INT(layers.layers[0].height_min, 10);
  CHECK_EQUAL_INT(layers.layers[0].height_max, 22);
  CHECK_EQUAL_INT(layers.layers[0].used_max_x, 19);
  CHECK_EQUAL_INT(layers.layers[1].height_min, 30);
  CHECK_EQUAL_INT(layers.layers[1].used_min_z, 2);
  CHECK_EQUAL_INT(layers.layers[1].areas[2 * 20], 5);
  wm_heightfield_layers_free(context, &layers);
  wm_compact_heightfield_free(context, &field);
  wm_context_destroy(context);
}

/* A ramp far taller than the maximum height of a layer. */
static void tall_ramps_are_cut_by_height(void) {
  WmContext *context = wm_context_create(NULL);
  FieldDraft draft = start_draft(400, 4, 0, 8, 3);
  for (int32_t cell = 0; cell < 1600; cell++) {
    add_floor(&draft, cell % 400, cell / 400, 10 + 3 * (cell % 400), WM_AREA_WALKABLE, 4);
  }
  WmCompactHeightfield field = finish_draft(context, &draft);
  WmHeightfieldLayers layers;
  CHECK_EQUAL_INT(wm_build_heightfield_layers(context, &field, 8, &layers), WM_OK);
  CHECK(layers.layer_count >= 5);
  check_layers(&field, &layers);
  wm_heightfield_layers_free(context, &layers);
  wm_compact_heightfield_free(context, &field);
  wm_context_destroy(context);
}

static void spirals_do_not_overlap_in_a_layer(void) {
  WmContext *context = wm_context_create(NULL);
  WmCompactHeightfield field = make_spiral(context, 80, 20, 28, 5.5f, 40, true);
  WmHeightfieldLayers layers;
  CHECK_EQUAL_INT(wm_build_heightfield_layers(context, &field, 8, &layers), WM_OK);
  CHECK(layers.layer_count >= 6);
  check_layers(&field, &layers);
  wm_heightfield_layers_free(context, &layers);
  wm_compact_heightfield_free(context, &field);
  wm_context_destroy(context);
}

/* 1600 single cells: more regions than the original has room for, but one layer. */
static void many_islands_are_one_layer(void) {
  WmContext *context = wm_context_create(NULL);
  FieldDraft draft = start_draft(80, 80, 0, 8, 2);
  for (int32_t cell = 0; cell < 6400; cell++) {
    if (cell % 2 == 0 && cell / 80 % 2 == 0) {
      add_floor(&draft, cell % 80, cell / 80, 10 + cell % 5, WM_AREA_WALKABLE, 4);
    }
  }
  WmCompactHeightfield field = finish_draft(context, &draft);
  WmHeightfieldLayers layers;
  CHECK_EQUAL_INT(wm_build_heightfield_layers(context, &field, 8, &layers), WM_OK);
  CHECK_EQUAL_INT(layers.layer_count, 1);
  check_layers(&field, &layers);
  wm_heightfield_layers_free(context, &layers);
  wm_compact_heightfield_free(context, &field);
  wm_context_destroy(context);
}

static void empty_fields_have_no_layers(void) {
  WmContext *context = wm_context_create(NULL);
  for (int32_t border = 0; border < 9; border += 4) {
    FieldDraft draft = start_draft(8, 6, border, 8, 2);
    if (border > 3) add_floor(&draft, 1, 1, 10, WM_AREA_WALKABLE, 4); /* within the border */
    WmCompactHeightfield field = finish_draft(context, &draft);
    WmHeightfieldLayers layers;
    CHECK_EQUAL_INT(wm_build_heightfield_layers(context, &field, 8, &layers), WM_OK);
    CHECK_EQUAL_INT(layers.layer_count, 0);
    CHECK(layers.block == NULL);
    CHECK(layers.grid.width >= 0 && layers.grid.depth >= 0);
    CHECK_EQUAL_INT(wm_build_heightfield_layers(context, &field, -1, &layers), WM_ERROR_INVALID_ARGUMENT);
    wm_compact_heightfield_free(context, &field);
  }
  wm_context_destroy(context);
}

typedef struct Ration {
  long until_failure, in_use;
} Ration;

static void *allocate_rationed(void *user, size_t bytes) {
  Ration *ration = user;
  if (ration->until_failure >= 0 && ration->until_failure-- == 0) return NULL;
  ration->in_use++;
  return malloc(bytes);
}

static void release_rationed(void *user, void *block) {
  ((Ration *)user)->in_use--;
  free(block);
}

static void every_failed_allocation_leaves_nothing_behind(void) {
  WmContext *fields = wm_context_create(NULL);
  WmCompactHeightfield field = make_random_field(fields, 3, 120, 120, 2, true);
  long failures = 0;
  for (long n = 0; n < 1000; n++) {
    Ration ration = {-1, 0};
    const WmAllocator allocator = {allocate_rationed, release_rationed, &ration};
    WmContext *context = wm_context_create(&allocator);
    ration.until_failure = n;
    WmHeightfieldLayers layers;
    const WmStatus status = wm_build_heightfield_layers(context, &field, 4, &layers);
    const bool was_refused = ration.until_failure < 0;
    CHECK(status == WM_OK || (status == WM_ERROR_OUT_OF_MEMORY && layers.block == NULL));
    failures += status != WM_OK;
    wm_heightfield_layers_free(context, &layers);
    wm_context_destroy(context);
    CHECK_EQUAL_INT(ration.in_use, 0);
    if (!was_refused) break;
  }
  CHECK(failures >= 2);
  wm_compact_heightfield_free(fields, &field);
  wm_context_destroy(fields);
}

int main(void) {
  RUN(floors_over_one_another_become_layers);
  RUN(seeded_fields_equal_the_slow_way);
  RUN(tall_ramps_are_cut_by_height);
  RUN(spirals_do_not_overlap_in_a_layer);
  RUN(many_islands_are_one_layer);
  RUN(empty_fields_have_no_layers);
  RUN(every_failed_allocation_leaves_nothing_behind);
  return check_finish();
}
