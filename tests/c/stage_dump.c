/* Stage arrays as packed bytes. See stage_dump.h. */
#include "stage_dump.h"
#include "bake/compact/links.h"

#include <string.h>

/* A block being filled from the front. Targets are little-endian, so values are copied as they are. */
typedef struct Writer {
  uint8_t *next;
} Writer;

static void put_bytes(Writer *writer, const void *bytes, size_t count) {
  if (count) memcpy(writer->next, bytes, count);
  writer->next += count;
}

static void put_u32(Writer *writer, uint32_t value) { put_bytes(writer, &value, sizeof value); }
static void put_u16(Writer *writer, uint16_t value) { put_bytes(writer, &value, sizeof value); }

static WmStatus start_writer(WmContext *context, size_t byte_count, WmBytes *out, Writer *writer) {
  *out = (WmBytes){0};
  uint8_t *bytes = wm_block_allocate(context, byte_count);
  if (!bytes) return WM_ERROR_OUT_OF_MEMORY;
  *out = (WmBytes){bytes, byte_count};
  writer->next = bytes;
  return WM_OK;
}

static size_t cell_count(const WmGrid *grid) { return (size_t)grid->width * (size_t)grid->depth; }

WmStatus wm_dump_heightfield(WmContext *context, const WmHeightfield *field, WmBytes *out) {
  const size_t cells = cell_count(&field->grid);
  Writer writer;
  const WmStatus status = start_writer(context, 4 * cells + 12 * (size_t)field->span_count, out, &writer);
  if (status) return status;
  for (size_t cell = 0; cell < cells; cell++) {
    const uint32_t first = field->cell_first[cell], end = field->cell_first[cell + 1];
    put_u32(&writer, end - first);
    for (uint32_t span = first; span < end; span++) {
      put_u32(&writer, field->span_min[span]);
      put_u32(&writer, field->span_max[span]);
      put_u32(&writer, field->span_area[span]);
    }
  }
  return WM_OK;
}

/* The 6 bits per direction of Recast's packed links: the neighbour's index within its cell, 63 = none. */
static uint32_t pack_links(const WmCompactHeightfield *compact, uint32_t span, int32_t x, int32_t z) {
  static const int32_t STEP_X[4] = {-1, 0, 1, 0}, STEP_Z[4] = {0, 1, 0, -1};
  uint32_t packed = 0;
  for (int direction = 0; direction < 4; direction++) {
    const uint32_t neighbour = wm_link(&compact->links, span, (size_t)direction);
    uint32_t index = 63;
    if (neighbour != WM_NO_SPAN) {
      const int32_t cell = x + STEP_X[direction] + (z + STEP_Z[direction]) * compact->grid.width;
      index = neighbour - compact->cell_first[cell];
      if (index > 62) index = 63; /* reachable here, but not expressible in six bits */
    }
    packed |= index << (6 * direction);
  }
  return packed;
}

WmStatus wm_dump_compact(WmContext *context, const WmCompactHeightfield *compact, const WmHeightfield *field,
                         WmBytes *out) {
  const size_t cells = cell_count(&compact->grid);
  Writer writer;
  const WmStatus status = start_writer(context, 8 * cells + 9 * (size_t)compact->span_count, out, &writer);
  if (status) return status;
  for (size_t cell = 0; cell < cells; cell++) {
    const uint32_t first = compact->cell_first[cell], count = compact->cell_first[cell + 1] - first;
    const bool never_solid = field && field->cell_first[cell] == field->cell_first[cell + 1];
    put_u32(&writer, never_solid ? 0 : first);
    put_u32(&writer, count);
  }
  for (int32_t z = 0; z < compact->grid.depth; z++) {
    for (int32_t x = 0; x < compact->grid.width; x++) {
      const uint32_t *first = compact->cell_first + (size_t)x + (size_t)z * (size_t)compact->grid.width;
      for (uint32_t span = first[0]; span < first[1]; span++) {
        put_u16(&writer, compact->span_floor[span]);
        put_u16(&writer, compact->span_clearance[span]);
        put_u32(&writer, pack_links(compact, span, x, z));
        put_bytes(&writer, compact->span_area + span, 1);
      }
    }
  }
  return WM_OK;
}

static WmStatus dump_array(WmContext *context, const void *array, size_t byte_count, WmBytes *out) {
  Writer writer;
  const WmStatus status = start_writer(context, byte_count, out, &writer);
  if (!status) put_bytes(&writer, array, byte_count);
  return status;
}

WmStatus wm_dump_areas(WmContext *context, const WmCompactHeightfield *compact, WmBytes *out) {
  return dump_array(context, compact->span_area, compact->span_count, out);
}

WmStatus wm_dump_distance(WmContext *context, const WmDistanceField *distance, WmBytes *out) {
  return dump_array(context, distance->span_distance, 2 * (size_t)distance->span_count, out);
}

WmStatus wm_dump_regions(WmContext *context, const WmRegions *regions, WmBytes *out) {
  return dump_array(context, regions->span_region, 2 * (size_t)regions->span_count, out);
}

static void put_vertices(Writer *writer, const int32_t *vertices, const uint32_t *first) {
  put_u32(writer, first[1] - first[0]);
  put_bytes(writer, vertices + 4 * (size_t)first[0], 16 * (size_t)(first[1] - first[0]));
}

WmStatus wm_dump_contours(WmContext *context, const WmContourSet *contours, WmBytes *out) {
  const size_t count = contours->contour_count;
  const size_t vertices = count ? (size_t)contours->vertex_first[count] + contours->raw_first[count] : 0;
  Writer writer;
  const WmStatus status = start_writer(context, 4 + count * 11 + vertices * 16, out, &writer);
  if (status) return status;
  put_u32(&writer, contours->contour_count);
  for (size_t i = 0; i < count; i++) {
    put_u16(&writer, contours->contour_region[i]);
    put_bytes(&writer, contours->contour_area + i, 1);
    put_vertices(&writer, contours->vertices, contours->vertex_first + i);
    put_vertices(&writer, contours->raw_vertices, contours->raw_first + i);
  }
  return WM_OK;
}

WmStatus wm_dump_polygon_mesh(WmContext *context, const WmPolygonMesh *mesh, WmBytes *out) {
  const size_t polygons = mesh->polygon_count, vertices = mesh->vertex_count;
  const size_t polygon_bytes = 4 * (size_t)mesh->max_vertices_per_polygon * polygons;
  Writer writer;
  const WmStatus status =
      start_writer(context, 12 + 6 * vertices + polygon_bytes + 3 * polygons, out, &writer);
  if (status) return status;
  put_u32(&writer, mesh->vertex_count);
  put_u32(&writer, mesh->polygon_count);
  put_u32(&writer, (uint32_t)mesh->max_vertices_per_polygon);
  put_bytes(&writer, mesh->vertices, 6 * vertices);
  put_bytes(&writer, mesh->polygons, polygon_bytes);
  put_bytes(&writer, mesh->polygon_region, 2 * polygons);
  put_bytes(&writer, mesh->polygon_area, polygons);
  return WM_OK;
}

WmStatus wm_dump_detail_mesh(WmContext *context, const WmDetailMesh *detail, WmBytes *out) {
  const size_t submeshes = detail->submesh_count, vertices = detail->vertex_count;
  const size_t triangles = detail->triangle_count;
  Writer writer;
  const WmStatus status =
      start_writer(context, 12 + 16 * submeshes + 12 * vertices + 4 * triangles, out, &writer);
  if (status) return status;
  put_u32(&writer, detail->submesh_count);
  put_u32(&writer, detail->vertex_count);
  put_u32(&writer, detail->triangle_count);
  put_bytes(&writer, detail->submeshes, 16 * submeshes);
  put_bytes(&writer, detail->vertices, 12 * vertices);
  put_bytes(&writer, detail->triangles, 4 * triangles);
  return WM_OK;
}

uint64_t wm_hash_bytes(uint64_t hash, const void *bytes, size_t byte_count) {
  const uint8_t *next = bytes;
  for (size_t i = 0; i < byte_count; i++) hash = (hash ^ next[i]) * UINT64_C(1099511628211);
  return hash;
}
