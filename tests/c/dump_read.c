#include "dump_read.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plain_links.h"

WmBytes read_file(const char *path) {
  FILE *file = fopen(path, "rb");
  if (!file) return (WmBytes){0};
  fseek(file, 0, SEEK_END);
  const long size = ftell(file);
  fseek(file, 0, SEEK_SET);
  uint8_t *bytes = malloc(size > 0 ? (size_t)size : 1);
  const size_t got = fread(bytes, 1, (size_t)size, file);
  fclose(file);
  return (WmBytes){bytes, got};
}

static uint32_t take_u32(const uint8_t **next) {
  uint32_t value;
  memcpy(&value, *next, 4);
  *next += 4;
  return value;
}

static uint16_t take_u16(const uint8_t **next) {
  uint16_t value;
  memcpy(&value, *next, 2);
  *next += 2;
  return value;
}

static void take(const uint8_t **next, void *target, size_t count) {
  memcpy(target, *next, count);
  *next += count;
}

WmHeightfield read_heightfield(WmContext *context, WmBytes dump, const WmGrid *grid) {
  const size_t cells = (size_t)grid->width * (size_t)grid->depth;
  const uint32_t spans = (uint32_t)((dump.byte_count - 4 * cells) / 12);
  WmLayout layout = {0};
  const size_t first = wm_layout_add(&layout, cells + 1, 4), low = wm_layout_add(&layout, spans, 2);
  const size_t high = wm_layout_add(&layout, spans, 2), area = wm_layout_add(&layout, spans, 1);
  uint8_t *block = wm_layout_allocate(context, &layout);
  WmHeightfield field = {.grid = *grid, .span_count = spans, .block = block};
  field.cell_first = (uint32_t *)(void *)(block + first);
  field.span_min = (uint16_t *)(void *)(block + low);
  field.span_max = (uint16_t *)(void *)(block + high);
  field.span_area = block + area;
  const uint8_t *next = dump.bytes;
  uint32_t span = 0;
  for (size_t cell = 0; cell < cells; cell++) {
    field.cell_first[cell] = span;
    for (uint32_t count = take_u32(&next); count > 0; count--, span++) {
      field.span_min[span] = (uint16_t)take_u32(&next);
      field.span_max[span] = (uint16_t)take_u32(&next);
      field.span_area[span] = (uint8_t)take_u32(&next);
    }
  }
  field.cell_first[cells] = span;
  return field;
}

static void link_span(const WmCompactHeightfield *compact, uint32_t span, uint32_t packed, int32_t x,
                      int32_t z, uint32_t *links) {
  static const int32_t STEP_X[4] = {-1, 0, 1, 0}, STEP_Z[4] = {0, 1, 0, -1};
  for (int d = 0; d < 4; d++) {
    const uint32_t index = packed >> (6 * d) & 63;
    uint32_t neighbour = WM_NO_SPAN;
    if (index != 63) {
      neighbour = compact->cell_first[x + STEP_X[d] + (z + STEP_Z[d]) * compact->grid.width] + index;
    }
    links[4 * (size_t)span + (size_t)d] = neighbour;
  }
}

WmCompactHeightfield read_compact(WmContext *context, WmBytes dump, const WmGrid *grid,
                                  int32_t walkable_height, int32_t walkable_climb) {
  const size_t cells = (size_t)grid->width * (size_t)grid->depth;
  const uint32_t spans = (uint32_t)((dump.byte_count - 8 * cells) / 9);
  WmLayout layout = {0};
  const size_t floor = wm_layout_add(&layout, spans, 2);
  const size_t clear = wm_layout_add(&layout, spans, 1), area = wm_layout_add(&layout, spans, 1);
  uint8_t *block = wm_layout_allocate(context, &layout);
  WmCompactHeightfield compact = {.grid = *grid, .span_count = spans, .block = block};
  compact.grid.bounds_max[1] += (float)walkable_height * grid->cell_height;
  compact.walkable_height = walkable_height;
  compact.walkable_climb = walkable_climb;
  compact.cell_first = wm_block_allocate(context, 4 * (cells + 1));
  compact.span_floor = (uint16_t *)(void *)(block + floor);
  compact.span_clearance = block + clear;
  compact.span_area = block + area;
  uint32_t *links = malloc(16 * (size_t)spans + 1);
  const uint8_t *next = dump.bytes;
  uint32_t total = 0;
  for (size_t cell = 0; cell < cells; cell++) {
    take_u32(&next); /* 0 for a cell without solid spans: the running total is the same */
    compact.cell_first[cell] = total;
    total += take_u32(&next);
  }
  compact.cell_first[cells] = total;
  for (int32_t z = 0; z < grid->depth; z++) {
    for (int32_t x = 0; x < grid->width; x++) {
      const uint32_t *cell = compact.cell_first + (size_t)x + (size_t)z * (size_t)grid->width;
      for (uint32_t span = cell[0]; span < cell[1]; span++) {
        compact.span_floor[span] = take_u16(&next);
        compact.span_clearance[span] = (uint8_t)take_u16(&next);
        link_span(&compact, span, take_u32(&next), x, z, links);
        take(&next, compact.span_area + span, 1);
      }
    }
  }
  pack_links_of_field(context, links, &compact);
  free(links);
  return compact;
}

/* Skips one list of vertices, returning its length. */
static uint32_t skip_vertices(const uint8_t **next) {
  const uint32_t count = take_u32(next);
  *next += 16 * (size_t)count;
  return count;
}

WmContourSet read_contours(WmContext *context, WmBytes dump, const WmGrid *grid, float max_error) {
  const uint8_t *next = dump.bytes;
  const uint32_t count = take_u32(&next);
  uint32_t vertices = 0, raw = 0;
  for (uint32_t i = 0; i < count; i++) {
    next += 3;
    vertices += skip_vertices(&next);
    raw += skip_vertices(&next);
  }
  WmLayout layout = {0};
  const size_t first = wm_layout_add(&layout, count + 1, 4), raw_first = wm_layout_add(&layout, count + 1, 4);
  const size_t at = wm_layout_add(&layout, vertices, 16), raw_at = wm_layout_add(&layout, raw, 16);
  const size_t region = wm_layout_add(&layout, count, 2), area = wm_layout_add(&layout, count, 1);
  uint8_t *block = wm_layout_allocate(context, &layout);
  WmContourSet set = {.grid = *grid, .max_error = max_error, .contour_count = count, .block = block};
  set.vertex_first = (uint32_t *)(void *)(block + first);
  set.raw_first = (uint32_t *)(void *)(block + raw_first);
  set.vertices = (int32_t *)(void *)(block + at);
  set.raw_vertices = (int32_t *)(void *)(block + raw_at);
  set.contour_region = (uint16_t *)(void *)(block + region);
  set.contour_area = block + area;
  next = dump.bytes + 4;
  set.vertex_first[0] = set.raw_first[0] = 0;
  for (uint32_t i = 0; i < count; i++) {
    set.contour_region[i] = take_u16(&next);
    take(&next, set.contour_area + i, 1);
    set.vertex_first[i + 1] = set.vertex_first[i] + take_u32(&next);
    take(&next, set.vertices + 4 * (size_t)set.vertex_first[i],
         16 * (size_t)(set.vertex_first[i + 1] - set.vertex_first[i]));
    set.raw_first[i + 1] = set.raw_first[i] + take_u32(&next);
    take(&next, set.raw_vertices + 4 * (size_t)set.raw_first[i],
         16 * (size_t)(set.raw_first[i + 1] - set.raw_first[i]));
  }
  return set;
}

WmPolygonMesh read_polygon_mesh(WmContext *context, WmBytes dump, const WmGrid *grid, float max_error) {
  const uint8_t *next = dump.bytes;
  const uint32_t vertices = take_u32(&next), polygons = take_u32(&next), most = take_u32(&next);
  WmLayout layout = {0};
  const size_t at = wm_layout_add(&layout, vertices, 6), polygon = wm_layout_add(&layout, polygons, 4 * most);
  const size_t region = wm_layout_add(&layout, polygons, 2), area = wm_layout_add(&layout, polygons, 1);
  uint8_t *block = wm_layout_allocate(context, &layout);
  WmPolygonMesh mesh = {.grid = *grid, .max_error = max_error, .block = block};
  mesh.max_vertices_per_polygon = (int32_t)most;
  mesh.vertex_count = vertices;
  mesh.polygon_count = polygons;
  mesh.vertices = (uint16_t *)(void *)(block + at);
  mesh.polygons = (uint16_t *)(void *)(block + polygon);
  mesh.polygon_region = (uint16_t *)(void *)(block + region);
  mesh.polygon_area = block + area;
  take(&next, mesh.vertices, 6 * (size_t)vertices);
  take(&next, mesh.polygons, 4 * (size_t)most * polygons);
  take(&next, mesh.polygon_region, 2 * (size_t)polygons);
  take(&next, mesh.polygon_area, polygons);
  return mesh;
}

WmDetailMesh read_detail_mesh(WmContext *context, WmBytes dump) {
  const uint8_t *next = dump.bytes;
  const uint32_t submeshes = take_u32(&next), vertices = take_u32(&next), triangles = take_u32(&next);
  WmLayout layout = {0};
  const size_t sub = wm_layout_add(&layout, submeshes, 16), at = wm_layout_add(&layout, vertices, 12);
  const size_t triangle = wm_layout_add(&layout, triangles, 4);
  uint8_t *block = wm_layout_allocate(context, &layout);
  WmDetailMesh detail = {.submesh_count = submeshes, .vertex_count = vertices, .triangle_count = triangles};
  detail.block = block;
  detail.submeshes = (uint32_t *)(void *)(block + sub);
  detail.vertices = (float *)(void *)(block + at);
  detail.triangles = block + triangle;
  take(&next, detail.submeshes, 16 * (size_t)submeshes);
  take(&next, detail.vertices, 12 * (size_t)vertices);
  take(&next, detail.triangles, 4 * (size_t)triangles);
  return detail;
}
