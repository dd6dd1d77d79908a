/* Boxes of detail triangles. See detail_boxes.h. */
#include "mesh/tile/detail_boxes.h"

/* The vertices of a polygon's detail mesh: its own, then further ones. */
typedef struct Vertices {
  const float *own[WM_TILE_VERTICES_PER_POLYGON], *more;
  uint32_t size;
} Vertices;

static Vertices find_vertices(const WmMeshTile *tile, uint32_t polygon) {
  Vertices vertices = {.more = tile->detail_vertices + 3 * (size_t)tile->details[polygon].first_vertex,
                       .size = tile->polygon_size[polygon]};
  const uint16_t *numbers = tile->polygon_vertices + WM_TILE_VERTICES_PER_POLYGON * (size_t)polygon;
  for (uint32_t k = 0; k < vertices.size; k++) vertices.own[k] = tile->vertices + 3 * (size_t)numbers[k];
  return vertices;
}

static uint32_t make_box(const Vertices *vertices, const WmDetailFrame *frame, const uint8_t *triangle) {
  uint32_t low[2] = {127, 127}, high[2] = {0, 0};
  for (int c = 0; c < 3; c++) {
    const uint32_t number = triangle[c];
    const float *corner = number < vertices->size ? vertices->own[number]
                                                  : vertices->more + 3 * (size_t)(number - vertices->size);
    for (int i = 0; i < 2; i++) {
      const uint32_t below = wm_detail_count(frame, i, corner[2 * i], -1);
      const uint32_t above = wm_detail_count(frame, i, corner[2 * i], 1);
      low[i] = below < low[i] ? below : low[i];
      high[i] = above > high[i] ? above : high[i];
    }
  }
  return low[0] | low[1] << 8 | (127 - high[0]) << 16 | (127 - high[1]) << 24;
}

/* A box is in the frame of one polygon: if polygons share triangles, all boxes stay 0. */
void wm_tile_fill_boxes(WmTileRecord *record) {
  const WmMeshTile *tile = &record->tile;
  uint32_t *boxes = record->arrays.detail_boxes;
  WmDetailFrame *frames = record->arrays.detail_frames;
  uint32_t end = 0;
  for (uint32_t p = 0; p < tile->ground_count; p++) {
    const WmTileDetail *detail = &tile->details[p];
    if (detail->triangle_count == 0) continue;
    if (detail->first_triangle < end) {
      memset(boxes, 0, end * sizeof *boxes);
      return;
    }
    end = detail->first_triangle + detail->triangle_count;
    const Vertices vertices = find_vertices(tile, p);
    frames[p] = wm_detail_frame(vertices.own, vertices.size);
    for (uint32_t i = detail->first_triangle; i < end; i++) {
      boxes[i] = make_box(&vertices, &frames[p], tile->detail_triangles + 4 * (size_t)i);
    }
  }
}
