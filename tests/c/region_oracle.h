/* A slow oracle of regions: the rules of the specification, one after the other, with lists and loops over
 * everything. */
#ifndef WALKMESH_TESTS_REGION_ORACLE_H
#define WALKMESH_TESTS_REGION_ORACLE_H

#include "check.h"
#include "bake/compact/links.h"
#include "bake/stages.h"

typedef struct Oracle {
  const WmCompactHeightfield *field;
  uint32_t spans;
  uint16_t *distance;
  uint32_t max_distance;
  uint16_t *region;
  uint32_t *seed_distance;
  uint32_t next; /* the next free number */
  uint32_t region_count;
  /* Clean-up, records 0..next. */
  uint32_t records;
  uint32_t *id, *cells, *area, *square;
  uint8_t *overlapping, *touches, *stacked; /* stacked [records][records] */
  struct OracleList {
    uint32_t count;
    uint16_t *values;
  } * list;
} Oracle;

static uint32_t across(const Oracle *o, uint32_t span, int d) {
  return span == WM_NO_SPAN ? WM_NO_SPAN : wm_link(&o->field->links, span, d & 3);
}

/* ---- Distance ------------------------------------------------------------------------------------------ */

static void relax(const Oracle *o, uint32_t *value, uint32_t span, uint32_t step) {
  if (span != WM_NO_SPAN && o->distance[span] + step < *value) *value = o->distance[span] + step;
}

static void oracle_distance(Oracle *o) {
  const WmCompactHeightfield *f = o->field;
  const int32_t width = f->grid.width, depth = f->grid.depth;
  for (uint32_t i = 0; i < o->spans; i++) {
    bool inside = true;
    for (int d = 0; d < 4; d++) {
      const uint32_t a = across(o, i, d);
      if (a == WM_NO_SPAN || f->span_area[a] != f->span_area[i]) inside = false;
    }
    o->distance[i] = inside ? 65535 : 0;
  }
  for (int pass = 0; pass < 2; pass++) {
    for (int32_t k = 0; k < width * depth; k++) {
      const int32_t cell = pass == 0 ? k : width * depth - 1 - k;
      for (uint32_t i = f->cell_first[cell]; i < f->cell_first[cell + 1]; i++) {
        uint32_t value = o->distance[i];
        const int first = pass == 0 ? 0 : 2, second = pass == 0 ? 3 : 1;
        relax(o, &value, across(o, i, first), 2);
        relax(o, &value, across(o, across(o, i, first), first + 3), 3);
        relax(o, &value, across(o, i, second), 2);
        relax(o, &value, across(o, across(o, i, second), second + 3), 3);
        o->distance[i] = (uint16_t)value;
      }
    }
  }
  uint16_t *blurred = malloc(2 * (size_t)o->spans + 2);
  o->max_distance = 0;
  for (uint32_t i = 0; i < o->spans; i++) {
    const uint32_t c = o->distance[i];
    if (c > o->max_distance) o->max_distance = c;
    uint32_t sum = c;
    for (int d = 0; d < 4; d++) {
      const uint32_t a = across(o, i, d), b = across(o, a, d + 1);
      sum += a == WM_NO_SPAN ? 2 * c : o->distance[a];
      if (a != WM_NO_SPAN) sum += b == WM_NO_SPAN ? c : o->distance[b];
    }
    blurred[i] = (uint16_t)(c <= 2 ? c : (sum + 5) / 9);
  }
  memcpy(o->distance, blurred, 2 * (size_t)o->spans);
  free(blurred);
}

/* ---- Partitions ---------------------------------------------------------------------------------------- */

static void oracle_borders(Oracle *o) {
  const WmGrid *grid = &o->field->grid;
  const int32_t b = grid->border_size;
  o->next = b > 0 ? 5 : 1;
  for (int32_t z = 0; z < grid->depth; z++) {
    for (int32_t x = 0; x < grid->width; x++) {
      const uint32_t *cell = o->field->cell_first + x + z * grid->width;
      uint16_t region = 0;
      if (x < b) region = 0x8001;
      if (x >= grid->width - b) region = 0x8002;
      if (z < b) region = 0x8003;
      if (z >= grid->depth - b) region = 0x8004;
      for (uint32_t i = cell[0]; i < cell[1]; i++) o->region[i] = o->field->span_area[i] ? region : 0;
    }
  }
}

static void oracle_expand(Oracle *o, const uint32_t *list, uint32_t count, uint32_t rounds) {
  uint16_t *region = malloc(2 * (size_t)o->spans + 2);
  uint32_t *seed = malloc(4 * (size_t)o->spans + 4);
  for (uint32_t round = 0; round < rounds; round++) {
    bool changed = false;
    memcpy(region, o->region, 2 * (size_t)o->spans);
    memcpy(seed, o->seed_distance, 4 * (size_t)o->spans);
    for (uint32_t k = 0; k < count; k++) {
      const uint32_t i = list[k];
      if (o->region[i]) continue;
      uint32_t best = UINT32_MAX;
      for (int d = 0; d < 4; d++) {
        const uint32_t a = across(o, i, d);
        if (a == WM_NO_SPAN || o->field->span_area[a] != o->field->span_area[i]) continue;
        if (o->region[a] == 0 || o->region[a] & 0x8000 || o->seed_distance[a] >= best) continue;
        best = o->seed_distance[a];
        region[i] = o->region[a];
        seed[i] = best + 2;
        changed = true;
      }
    }
    memcpy(o->region, region, 2 * (size_t)o->spans);
    memcpy(o->seed_distance, seed, 4 * (size_t)o->spans);
    if (!changed) break;
  }
  free(region);
  free(seed);
}

static bool oracle_blocked(const Oracle *o, uint32_t c, uint32_t r) {
  for (int d = 0; d < 4; d++) {
    const uint32_t a = across(o, c, d);
    if (a == WM_NO_SPAN || o->field->span_area[a] != o->field->span_area[c] || o->region[a] & 0x8000)
      continue;
    if (o->region[a] != 0 && o->region[a] != r) return true;
    const uint32_t b = across(o, a, d + 1);
    if (b == WM_NO_SPAN || o->field->span_area[b] != o->field->span_area[c]) continue;
    if (o->region[b] != 0 && o->region[b] != r) return true;
  }
  return false;
}

static bool oracle_flood(Oracle *o, uint32_t seed, uint32_t r, uint32_t level) {
  const uint32_t lowest = level > 2 ? level - 2 : 0;
  if (oracle_blocked(o, seed, r)) return false;
  uint32_t *stack = malloc(16 * (size_t)o->spans + 16), count = 0;
  stack[count++] = seed;
  o->region[seed] = (uint16_t)r;
  while (count > 0) {
    const uint32_t c = stack[--count];
    o->seed_distance[c] = 0;
    for (int d = 0; d < 4; d++) {
      const uint32_t a = across(o, c, d);
      if (a == WM_NO_SPAN || o->field->span_area[a] != o->field->span_area[c]) continue;
      if (o->region[a] != 0 || o->distance[a] < lowest || oracle_blocked(o, a, r)) continue;
      o->region[a] = (uint16_t)r;
      stack[count++] = a;
    }
  }
  free(stack);
  return true;
}

static void oracle_watershed(Oracle *o) {
  uint32_t *list = calloc((size_t)o->spans + 1, 4), *old = malloc(4 * (size_t)o->spans + 4), count = 0;
  uint32_t level = (o->max_distance + 1) & ~1u, slot = 7;
  while (level > 0) {
    level -= 2;
    slot = (slot + 1) % 8;
    memcpy(old, list, 4 * (size_t)count);
    const uint32_t old_count = count;
    count = 0;
    for (uint32_t i = 0; i < o->spans; i++) {
      if (o->field->span_area[i] == 0 || o->region[i]) continue;
      if (slot == 0 ? o->distance[i] >= level : o->distance[i] / 2u == level / 2) list[count++] = i;
    }
    for (uint32_t k = 0; slot != 0 && k < old_count; k++) {
      if (!o->region[old[k]]) list[count++] = old[k];
    }
    oracle_expand(o, list, count, level > 0 ? 8 : UINT32_MAX);
    for (uint32_t k = 0; k < count; k++) {
      if (!o->region[list[k]] && oracle_flood(o, list[k], o->next, level)) o->next++;
    }
  }
  count = 0;
  for (uint32_t i = 0; i < o->spans; i++) {
    if (o->field->span_area[i] && !o->region[i]) list[count++] = i;
  }
  oracle_expand(o, list, count, UINT32_MAX);
  free(list);
  free(old);
}

static uint32_t oracle_number(const Oracle *o, uint32_t i, int d) {
  const uint32_t a = across(o, i, d);
  if (a == WM_NO_SPAN || o->field->span_area[a] != o->field->span_area[i] || o->region[a] & 0x8000) return 0;
  return o->region[a];
}

static void oracle_sweep(Oracle *o, int32_t square) {
  const WmGrid *grid = &o->field->grid;
  uint32_t *above = calloc(40000, 4), *samples = calloc(40000, 4), *below = calloc(70000, 4);
  uint16_t *final = calloc(40000, 2);
  for (int32_t z = grid->border_size; z < grid->depth - grid->border_size; z++) {
    uint32_t strips = 0;
    memset(below, 0, 70000 * 4);
    for (int pass = 0; pass < 2; pass++) {
      for (int32_t x = grid->border_size; x < grid->width - grid->border_size; x++) {
        const uint32_t *cell = o->field->cell_first + x + z * grid->width;
        for (uint32_t i = cell[0]; i < cell[1]; i++) {
          if (o->field->span_area[i] == 0) continue;
          if (pass == 1) {
            o->region[i] = final[o->region[i]];
            continue;
          }
          const bool start_x = square > 0 && (x - grid->border_size) % square == 0;
          const bool start_z = square > 0 && (z - grid->border_size) % square == 0;
          uint32_t strip = start_x ? 0 : oracle_number(o, i, 0);
          if (strip == 0) {
            strip = ++strips;
            above[strip] = samples[strip] = 0;
          }
          const uint32_t u = start_z ? 0 : oracle_number(o, i, 3);
          if (u != 0 && (above[strip] == 0 || above[strip] == u)) {
            above[strip] = u;
            samples[strip]++;
            below[u]++;
          } else if (u != 0) {
            above[strip] = 0xffff;
          }
          o->region[i] = (uint16_t)strip;
        }
      }
      for (uint32_t s = 1; pass == 0 && s <= strips; s++) {
        const uint32_t u = above[s];
        final[s] = (uint16_t)(u != 0 && u != 0xffff && below[u] == samples[s] ? u : o->next++);
      }
    }
  }
  free(above);
  free(samples);
  free(below);
  free(final);
}

/* ---- Clean-up ------------------------------------------------------------------------------------------ */

static void list_append(struct OracleList *list, uint32_t value) {
  list->values = realloc(list->values, 2 * ((size_t)list->count + 1));
  list->values[list->count++] = (uint16_t)value;
}

static void list_collapse(struct OracleList *list) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < list->count; i++) {
    if (kept == 0 || list->values[kept - 1] != list->values[i]) list->values[kept++] = list->values[i];
  }
  if (kept > 1 && list->values[kept - 1] == list->values[0]) kept--;
  list->count = kept;
}

static uint32_t list_occurrences(const struct OracleList *list, uint32_t value) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < list->count; i++) count += list->values[i] == value;
  return count;
}

static uint32_t list_position(const struct OracleList *list, uint32_t value) {
  uint32_t i = 0;
  while (i < list->count && list->values[i] != value) i++;
  return i;
}

static uint32_t oracle_region_across(const Oracle *o, uint32_t span, int d) {
  const uint32_t a = across(o, span, d);
  return a == WM_NO_SPAN ? 0 : o->region[a];
}

static void oracle_trace(Oracle *o, uint32_t first, int first_d) {
  const uint32_t own = o->region[first];
  struct OracleList *list = &o->list[own];
  uint32_t span = first, current = oracle_region_across(o, first, first_d);
  int d = first_d;
  list_append(list, current);
  for (uint32_t step = 0; o->field->links_are_symmetric || step < 39999; step++) {
    const uint32_t other = oracle_region_across(o, span, d);
    if (other != own) {
      if (other != current) list_append(list, current = other);
      d = (d + 1) & 3;
    } else {
      span = across(o, span, d);
      d = (d + 3) & 3;
    }
    if (span == first && d == first_d) break;
  }
  list_collapse(list);
}

static void oracle_records(Oracle *o, int32_t square, bool with_lists) {
  const WmGrid *grid = &o->field->grid;
  const uint32_t n = o->records = o->next + 1;
  o->id = calloc(n, 4);
  o->cells = calloc(n, 4);
  o->area = calloc(n, 4);
  o->square = calloc(n, 4);
  o->overlapping = calloc(n, 1);
  o->touches = calloc(n, 1);
  o->stacked = calloc((size_t)n * n, 1);
  o->list = calloc(n, sizeof *o->list);
  for (int32_t cell = 0; cell < grid->width * grid->depth; cell++) {
    const uint32_t begin = o->field->cell_first[cell], end = o->field->cell_first[cell + 1];
    for (uint32_t i = begin; i < end; i++) {
      const uint32_t r = o->region[i];
      if (r == 0 || r & 0x8000) continue;
      for (uint32_t k = begin; k < end; k++) {
        const uint32_t q = o->region[k];
        if (k == i || q == 0 || q & 0x8000) continue;
        if (q == r) o->overlapping[r] = 1;
        o->stacked[(size_t)r * n + q] = 1;
      }
      if (o->cells[r]++ == 0 && square > 0) {
        const int32_t x = cell % grid->width - grid->border_size, z = cell / grid->width - grid->border_size;
        o->square[r] = (uint32_t)(x / square + z / square * 100000);
      }
      if (with_lists && o->list[r].count > 0) continue;
      o->area[r] = o->field->span_area[i];
      for (int d = 0; d < 4; d++) {
        const uint32_t q = oracle_region_across(o, i, d);
        if (with_lists && q != r) {
          oracle_trace(o, i, d);
          break;
        }
        if (with_lists || across(o, i, d) == WM_NO_SPAN || q == r || q == 0) continue;
        if (q & 0x8000) o->touches[r] = 1;
        if (!(q & 0x8000) && list_occurrences(&o->list[r], q) == 0) list_append(&o->list[r], q);
      }
    }
  }
}

static void oracle_islands(Oracle *o, uint32_t min_cells) {
  uint8_t *visited = calloc(o->records, 1);
  uint32_t *queue = malloc(4 * (size_t)o->records);
  for (uint32_t i = 0; i < o->records; i++) {
    if (o->id[i] == 0 || o->id[i] & 0x8000 || o->cells[i] == 0 || visited[i]) continue;
    uint32_t count = 0, cells = 0;
    bool touches = false;
    visited[i] = 1;
    queue[count++] = i;
    for (uint32_t k = 0; k < count; k++) {
      cells += o->cells[queue[k]];
      for (uint32_t m = 0; m < o->list[queue[k]].count; m++) {
        const uint32_t v = o->list[queue[k]].values[m];
        if (v & 0x8000) touches = true;
        if (v & 0x8000 || o->id[v] == 0 || visited[v]) continue;
        visited[v] = 1;
        queue[count++] = v;
      }
    }
    for (uint32_t k = 0; k < count && !touches && cells < min_cells; k++)
      o->cells[queue[k]] = o->id[queue[k]] = 0;
  }
  free(visited);
  free(queue);
}

static bool oracle_compatible(const Oracle *o, uint32_t a, uint32_t b) {
  return o->area[a] == o->area[b] && o->square[a] == o->square[b] &&
         list_occurrences(&o->list[a], o->id[b]) <= 1 && !o->stacked[(size_t)a * o->records + o->id[b]];
}

static void oracle_join(Oracle *o, uint32_t i, uint32_t t, uint32_t p, uint32_t q) {
  const uint32_t n = o->records, old = o->id[i], into = o->id[t];
  struct OracleList joined = {0};
  for (uint32_t k = 1; k < o->list[t].count; k++) {
    list_append(&joined, o->list[t].values[(p + k) % o->list[t].count]);
  }
  for (uint32_t k = 1; k < o->list[i].count; k++) {
    list_append(&joined, o->list[i].values[(q + k) % o->list[i].count]);
  }
  list_collapse(&joined);
  free(o->list[t].values);
  o->list[t] = joined;
  o->list[i].count = 0;
  for (uint32_t k = 0; k < n; k++) o->stacked[(size_t)t * n + k] |= o->stacked[(size_t)i * n + k];
  o->cells[t] += o->cells[i];
  o->cells[i] = 0;
  for (uint32_t j = 0; j < n; j++) {
    if (o->id[j] == 0 || o->id[j] & 0x8000) continue;
    if (o->id[j] == old) o->id[j] = into;
    bool changed = false;
    for (uint32_t k = 0; k < o->list[j].count; k++) {
      if (o->list[j].values[k] != old) continue;
      o->list[j].values[k] = (uint16_t)into;
      changed = true;
    }
    if (o->stacked[(size_t)j * n + old]) {
      o->stacked[(size_t)j * n + old] = 0;
      o->stacked[(size_t)j * n + into] = 1;
    }
    if (changed) list_collapse(&o->list[j]);
  }
}

static void oracle_merge(Oracle *o, uint32_t merge_cells) {
  for (bool merged = true; merged;) {
    merged = false;
    for (uint32_t i = 0; i < o->records; i++) {
      if (o->id[i] == 0 || o->id[i] & 0x8000 || o->overlapping[i] || o->cells[i] == 0) continue;
      if (o->cells[i] > merge_cells && list_occurrences(&o->list[i], 0) > 0) continue;
      uint32_t best = 0xfffffff, t = 0;
      for (uint32_t k = 0; k < o->list[i].count; k++) {
        const uint32_t e = o->list[i].values[k];
        if (e & 0x8000 || o->id[e] == 0 || o->overlapping[e] || o->cells[e] >= best) continue;
        if (!oracle_compatible(o, i, e) || !oracle_compatible(o, e, i)) continue;
        best = o->cells[e];
        t = e;
      }
      if (t == 0) continue;
      const uint32_t p = list_position(&o->list[t], o->id[i]), q = list_position(&o->list[i], o->id[t]);
      if (p == o->list[t].count || q == o->list[i].count) continue;
      oracle_join(o, i, t, p, q);
      merged = true;
    }
  }
}

static void oracle_layers(Oracle *o, uint32_t min_cells) {
  const uint32_t n = o->records;
  uint32_t *queue = malloc(4 * (size_t)n), layer = 1;
  for (uint32_t i = 1; i < n; i++) {
    if (o->id[i] != 0) continue;
    uint32_t count = 0;
    o->id[i] = layer;
    queue[count++] = i;
    for (uint32_t k = 0; k < count; k++) {
      const uint32_t p = queue[k];
      for (uint32_t m = 0; m < o->list[p].count; m++) {
        const uint32_t e = o->list[p].values[m];
        if (o->id[e] != 0 || o->area[e] != o->area[p] || o->stacked[(size_t)i * n + e]) continue;
        o->id[e] = layer;
        queue[count++] = e;
        for (uint32_t s = 0; s < n; s++) o->stacked[(size_t)i * n + s] |= o->stacked[(size_t)e * n + s];
        o->cells[i] += o->cells[e];
        o->cells[e] = 0;
        o->touches[i] |= o->touches[e];
      }
    }
    layer++;
  }
  for (uint32_t i = 1; i < n; i++) {
    if (o->cells[i] == 0 || o->cells[i] >= min_cells || o->touches[i]) continue;
    const uint32_t gone = o->id[i];
    for (uint32_t k = 1; k < n; k++) {
      if (o->id[k] == gone) o->id[k] = 0;
    }
  }
  free(queue);
}

static void oracle_renumber(Oracle *o) {
  uint16_t *number = calloc(o->records, 2), *of_id = calloc(o->records, 2);
  o->region_count = 0;
  for (uint32_t i = 0; i < o->records; i++) {
    if (o->id[i] == 0 || o->id[i] & 0x8000) continue;
    if (of_id[o->id[i]] == 0) of_id[o->id[i]] = (uint16_t)++o->region_count;
    number[i] = of_id[o->id[i]];
  }
  for (uint32_t i = 0; i < o->spans; i++) {
    if (!(o->region[i] & 0x8000)) o->region[i] = number[o->region[i]];
  }
  free(number);
  free(of_id);
}

/* Regions by the rules, overlapping ones left as they are. Free with oracle_free. */
static Oracle oracle_run(const WmCompactHeightfield *field, const WmRegionSettings *settings) {
  Oracle o = {.field = field, .spans = field->span_count};
  o.distance = calloc((size_t)o.spans + 1, 2);
  o.region = calloc((size_t)o.spans + 1, 2);
  o.seed_distance = calloc((size_t)o.spans + 1, 4);
  oracle_distance(&o);
  oracle_borders(&o);
  const int32_t square = settings->partition == WM_PARTITION_CHUNKY ? settings->chunk_size : 0;
  if (settings->partition == WM_PARTITION_WATERSHED) {
    oracle_watershed(&o);
  } else {
    oracle_sweep(&o, square);
  }
  oracle_records(&o, square, settings->partition != WM_PARTITION_LAYERS);
  if (settings->partition == WM_PARTITION_LAYERS) {
    oracle_layers(&o, (uint32_t)settings->min_region_cells);
  } else {
    for (uint32_t i = 0; i < o.records; i++) o.id[i] = i;
    oracle_islands(&o, (uint32_t)settings->min_region_cells);
    oracle_merge(&o, (uint32_t)settings->merge_region_cells);
  }
  oracle_renumber(&o);
  return o;
}

static void oracle_free(Oracle *o) {
  for (uint32_t i = 0; i < o->records; i++) free(o->list[i].values);
  free(o->distance);
  free(o->region);
  free(o->seed_distance);
  free(o->id);
  free(o->cells);
  free(o->area);
  free(o->square);
  free(o->overlapping);
  free(o->touches);
  free(o->stacked);
  free(o->list);
}

#endif
