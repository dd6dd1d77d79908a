/* Copies polygons and details from an earlier build. See surface_memo.h. */
#include "bake/rebuild/surface_memo.h"

#include <string.h>

#include "bake/detail/detail_internal.h"
#include "bake/detail/detail_mesh_validate.h"
#include "bake/polygons/polygon_mesh_validate.h"
#include "bake/polygons/polygon_mesh_internal.h"
#include "base/debug/assert.h"
#include "base/simd.h"

static uint32_t hash_word(uint32_t hash, uint32_t word) {
  hash = (hash ^ word) * UINT32_C(0x9e3779b1);
  return hash ^ hash >> 15;
}

/* ---- Contours ----------------------------------------------------------------------------------------- */

static uint32_t contour_size(const WmContourSet *contours, uint32_t contour) {
  return contours->vertex_first[contour + 1] - contours->vertex_first[contour];
}

static const int32_t *contour_points(const WmContourSet *contours, uint32_t contour) {
  return contours->vertices + 4 * (size_t)contours->vertex_first[contour];
}

static uint32_t hash_contour(const WmContourSet *contours, uint32_t contour) {
  const int32_t *point = contour_points(contours, contour);
  const uint32_t count = contour_size(contours, contour);
  uint32_t hash = count;
  for (uint32_t i = 0; i < count; i++, point += 4)
    hash = hash_word(hash, (uint32_t)point[0] << 16 ^ (uint32_t)point[2]);
  return hash % WM_MEMO_CHAINS;
}

/* The memo's contour with the same points on x and z, or NO_CONTOUR. */
#define NO_CONTOUR UINT32_MAX
static uint32_t find_contour(const WmSurfaceMemo *memo, const WmContourSet *contours, uint32_t contour) {
  const uint32_t count = contour_size(contours, contour);
  uint32_t found = memo->contour_heads[hash_contour(contours, contour)];
  for (; found; found = memo->contour_next[found - 1]) {
    if (contour_size(&memo->contours, found - 1) != count) continue;
    const int32_t *a = contour_points(contours, contour), *b = contour_points(&memo->contours, found - 1);
    uint32_t i = 0;
    while (i < count && a[4 * i] == b[4 * i] && a[4 * i + 2] == b[4 * i + 2]) i++;
    if (i == count) return found - 1;
  }
  return NO_CONTOUR;
}

/* The stage, and the indices of vertices in the current ring. */
typedef struct Builder {
  WmPolygonAssembler assembler;
  const WmSurfaceMemo *memo;
  uint32_t *stamp;      /* [vertices] 1 + the last contour that contained the vertex */
  uint16_t *ring_index; /* [vertices] in that ring */
} Builder;

/* Stores each vertex's index in the ring. Returns false if a vertex occurs twice. */
static bool find_ring_indices(Builder *builder, uint32_t contour, uint32_t count) {
  const WmPolygonEdge *ring = builder->assembler.ring;
  for (uint32_t i = 0; i < count; i++) {
    const uint16_t vertex = ring[i].from;
    if (builder->stamp[vertex] == contour + 1) return false;
    builder->stamp[vertex] = contour + 1;
    builder->ring_index[vertex] = (uint16_t)i;
  }
  return true;
}

/* Appends the polygons of one of the memo's contours, over the current ring. */
static void copy_polygons(Builder *builder, uint32_t found) {
  const WmSurfaceMemo *memo = builder->memo;
  const WmPolygonEdge *ring = builder->assembler.ring;
  WmPolygonList *list = &builder->assembler.parts.polygons;
  const uint32_t max_vertices = list->max_vertices;
  const uint16_t *ring_indices = memo->rings + (size_t)memo->ring_first[found] * max_vertices;
  for (uint32_t i = memo->ring_first[found]; i < memo->ring_first[found + 1];
       i++, ring_indices += max_vertices) {
    uint16_t *vertices = list->vertices + (size_t)list->count * max_vertices;
    for (uint32_t k = 0; k < max_vertices; k++) {
      vertices[k] = ring_indices[k] == WM_POLYGON_NONE ? WM_POLYGON_NONE : ring[ring_indices[k]].from;
    }
    list->region[list->count] = ring[0].region;
    list->area[list->count++] = ring[0].area;
  }
}

/* Records the polygons from `first` on as those of a contour whose points are all different vertices. */
static void record_polygons(const Builder *builder, uint32_t first, WmRingRecord *record) {
  const WmPolygonList *list = &builder->assembler.parts.polygons;
  const uint32_t max_vertices = list->max_vertices;
  for (uint32_t i = first; i < list->count; i++) {
    for (uint32_t k = 0; k < max_vertices; k++) {
      const uint16_t vertex = list->vertices[(size_t)i * max_vertices + k];
      record->rings[(size_t)i * max_vertices + k] =
          vertex == WM_POLYGON_NONE ? vertex : builder->ring_index[vertex];
    }
  }
}

static WmStatus add_contour(Builder *builder, uint32_t contour, WmRingRecord *record) {
  WmPolygonAssembler *assembler = &builder->assembler;
  const uint32_t first = assembler->parts.polygons.count;
  const uint32_t count = wm_polygon_start_ring(assembler, contour);
  const bool is_simple = find_ring_indices(builder, contour, count);
  uint32_t found = NO_CONTOUR;
  WmStatus status = WM_OK;
  if (builder->memo && is_simple && count > 0) {
    found = find_contour(builder->memo, assembler->contours, contour);
  }
  if (found != NO_CONTOUR) {
    copy_polygons(builder, found);
  } else {
    status = wm_polygon_fill(assembler->context, &assembler->parts, assembler->ring, count);
  }
  if (!record) return status;
  if (is_simple) {
    record_polygons(builder, first, record);
  } else {
    record->rings[(size_t)first * assembler->parts.polygons.max_vertices] =
        WM_POLYGON_NONE; /* must not be copied */
  }
  record->first[contour + 1] = assembler->parts.polygons.count;
  return status;
}

static WmStatus build_polygons(Builder *builder, uint32_t max_vertices, WmRingRecord *record,
                               WmPolygonMesh *mesh) {
  WmPolygonAssembler *assembler = &builder->assembler;
  const uint32_t contour_count = assembler->contours->contour_count;
  const size_t point_count = assembler->contours->vertex_first[contour_count];
  WmStatus status = wm_polygon_assembler_start(assembler, max_vertices);
  if (status) return status;
  builder->stamp = wm_scratch_zeroed(assembler->context, point_count, sizeof *builder->stamp);
  builder->ring_index = wm_scratch_array(assembler->context, point_count, sizeof *builder->ring_index);
  if (!builder->stamp || !builder->ring_index) return WM_ERROR_OUT_OF_MEMORY;
  if (record) record->first[0] = 0;
  for (uint32_t i = 0; i < contour_count && !status; i++) status = add_contour(builder, i, record);
  return status ? status : wm_polygon_assembler_finish(assembler, mesh);
}

WmStatus wm_memo_build_polygons(WmContext *context, const WmContourSet *contours, int32_t max_vertices,
                                const WmSurfaceMemo *memo, WmRingRecord *record, WmPolygonMesh *mesh) {
  memset(mesh, 0, sizeof *mesh);
  if (record) {
    const size_t points = contours->vertex_first[contours->contour_count];
    record->first = wm_scratch_array(context, (size_t)contours->contour_count + 1, sizeof *record->first);
    record->rings = wm_scratch_array(context, points + 1, (size_t)max_vertices * sizeof *record->rings);
    if (!record->first || !record->rings) return WM_ERROR_OUT_OF_MEMORY;
  }
  const WmScratchMark mark = wm_scratch_mark(context);
  Builder builder = {.assembler = {.context = context, .contours = contours}, .memo = memo};
  const WmStatus status = build_polygons(&builder, (uint32_t)max_vertices, record, mesh);
  wm_scratch_rewind(context, mark);
  return status;
}

/* ---- Details ------------------------------------------------------------------------------------------ */

static const uint16_t *polygon_of(const WmPolygonMesh *mesh, uint32_t polygon) {
  return mesh->polygons + 2 * (size_t)mesh->max_vertices_per_polygon * polygon;
}

static uint32_t hash_polygon(const WmPolygonMesh *mesh, uint32_t polygon) {
  const uint16_t *numbers = polygon_of(mesh, polygon);
  const uint32_t size = wm_polygon_size(numbers, (uint32_t)mesh->max_vertices_per_polygon);
  uint32_t hash = size;
  for (uint32_t k = 0; k < size; k++) {
    const uint16_t *vertex = mesh->vertices + 3 * (size_t)numbers[k];
    hash = hash_word(hash, (uint32_t)vertex[0] << 16 ^ (uint32_t)vertex[1] << 8 ^ vertex[2]);
  }
  return hash % WM_MEMO_CHAINS;
}

static bool has_same_vertices(const WmPolygonMesh *a, uint32_t p, const WmPolygonMesh *b, uint32_t q) {
  const uint16_t *first = polygon_of(a, p), *second = polygon_of(b, q);
  const uint32_t max_vertices = (uint32_t)a->max_vertices_per_polygon,
                 size = wm_polygon_size(first, max_vertices);
  if (wm_polygon_size(second, max_vertices) != size) return false;
  for (uint32_t k = 0; k < size; k++) {
    const uint16_t *x = a->vertices + 3 * (size_t)first[k], *y = b->vertices + 3 * (size_t)second[k];
    if (x[0] != y[0] || x[1] != y[1] || x[2] != y[2]) return false;
  }
  return true;
}

/* The window of cells around a polygon that its heights depend on, border included: first and end on x and
 * z. */
static void find_window(const WmPolygonMesh *mesh, uint32_t polygon, const WmGrid *grid, int32_t first[2],
                        int32_t end[2]) {
  const uint16_t *numbers = polygon_of(mesh, polygon);
  const uint32_t size = wm_polygon_size(numbers, (uint32_t)mesh->max_vertices_per_polygon);
  const int32_t limit[2] = {grid->width - grid->border_size, grid->depth - grid->border_size};
  for (int axis = 0; axis < 2; axis++) {
    int32_t low = INT32_MAX, high = 0;
    for (uint32_t k = 0; k < size; k++) {
      const int32_t cell = mesh->vertices[3 * (size_t)numbers[k] + 2 * (size_t)axis];
      low = cell < low ? cell : low;
      high = cell > high ? cell : high;
    }
    first[axis] = (low > 0 ? low - 1 : 0) + grid->border_size;
    end[axis] = (high + 1 < limit[axis] ? high + 1 : limit[axis]) + grid->border_size;
  }
}

/* True if the same ones of `count` spans have region_a in one array, and region_b in the other. */
static bool are_equal(const uint16_t *a, uint16_t region_a, const uint16_t *b, uint16_t region_b,
                      uint32_t count) {
  uint32_t i = 0;
  const WmUshort8 all_a = wm_splat_ushort8(region_a), all_b = wm_splat_ushort8(region_b);
  for (; i + 8 <= count; i += 8) {
    const WmShort8 apart =
        (WmShort8)(wm_load_ushort8(a + i) == all_a) ^ (WmShort8)(wm_load_ushort8(b + i) == all_b);
    if (wm_mask_short8(apart)) return false;
  }
  for (; i < count; i++) {
    if ((a[i] == region_a) != (b[i] == region_b)) return false;
  }
  return true;
}

static bool has_same_spans(const WmPolygonMesh *mesh, uint32_t polygon, const WmCompactHeightfield *compact,
                           const WmRegions *regions, const WmSurfaceMemo *memo, uint32_t other) {
  const uint16_t region = mesh->polygon_region[polygon], former = memo->mesh.polygon_region[other];
  if (region == WM_REGION_NONE || former == WM_REGION_NONE) return region == former;
  int32_t first[2], end[2];
  find_window(mesh, polygon, &compact->grid, first, end);
  for (int32_t z = first[1]; z < end[1]; z++) {
    const uint32_t *row = compact->cell_first + (size_t)z * (size_t)compact->grid.width;
    const uint32_t from = row[first[0]], to = row[end[0]];
    if (!are_equal(regions->span_region + from, region, memo->regions.span_region + from, former,
                   to - from)) {
      return false;
    }
  }
  return true;
}

/* Appends the memo's detail of a polygon; *found: it has one. */
static WmStatus copy_detail(WmContext *context, const WmPolygonMesh *mesh, uint32_t polygon,
                            const WmCompactHeightfield *compact, const WmRegions *regions,
                            const WmSurfaceMemo *memo, WmDetailResults *results, bool *found) {
  uint32_t other = memo ? memo->polygon_heads[hash_polygon(mesh, polygon)] : 0;
  while (other && !(has_same_vertices(mesh, polygon, &memo->mesh, other - 1) &&
                    has_same_spans(mesh, polygon, compact, regions, memo, other - 1))) {
    other = memo->polygon_next[other - 1];
  }
  *found = other != 0;
  if (!other) return WM_OK;
  const WmDetailMesh *detail = &memo->detail;
  const uint32_t *submesh = detail->submeshes + 4 * (size_t)(other - 1);
  float *words = wm_detail_append_words(context, results->submeshes + 4 * (size_t)polygon, submesh[1],
                                        submesh[3], results);
  if (!words) return WM_ERROR_OUT_OF_MEMORY;
  memcpy(words, detail->vertices + 3 * (size_t)submesh[0], 12 * (size_t)submesh[1]);
  memcpy(words + 3 * (size_t)submesh[1], detail->triangles + 4 * (size_t)submesh[2], 4 * (size_t)submesh[3]);
  return WM_OK;
}

static WmStatus build_details(WmContext *context, const WmPolygonMesh *mesh,
                              const WmCompactHeightfield *compact, const WmRegions *regions,
                              const WmDetailSettings *settings, const WmSurfaceMemo *memo,
                              WmDetailMesh *detail) {
  const uint32_t polygon_count = mesh->vertex_count ? mesh->polygon_count : 0;
  WmDetailResults results = {0};
  WmDetailWorkspace *work = NULL;
  results.submeshes = wm_scratch_zeroed(context, 4 * (size_t)polygon_count + 4, sizeof *results.submeshes);
  if (!results.submeshes) return WM_ERROR_OUT_OF_MEMORY;
  for (uint32_t i = 0; i < polygon_count; i++) {
    bool found;
    WmStatus status = copy_detail(context, mesh, i, compact, regions, memo, &results, &found);
    if (!status && !found && !work) {
      status = wm_detail_workspace(context, mesh, compact, regions, settings, &work);
    }
    if (!status && !found) status = wm_detail_add_polygon(context, work, mesh, i, &results);
    if (status) return status;
  }
  return wm_detail_pack(context, &results, polygon_count, settings, detail);
}

/* False for memos and meshes that tests broke on purpose: their details may be invalid. */
WM_COLD static bool is_input_valid(const WmPolygonMesh *mesh, const WmSurfaceMemo *memo) {
  if (!wm_polygon_mesh_validate(mesh)) return false;
  return !memo || wm_detail_mesh_validate(&memo->detail, &memo->mesh);
}

WmStatus wm_memo_build_details(WmContext *context, const WmPolygonMesh *mesh,
                               const WmCompactHeightfield *compact, const WmRegions *regions,
                               const WmDetailSettings *settings, const WmSurfaceMemo *memo,
                               WmDetailMesh *detail) {
  memset(detail, 0, sizeof *detail);
  const WmScratchMark mark = wm_scratch_mark(context);
  const WmStatus status = build_details(context, mesh, compact, regions, settings, memo, detail);
  wm_scratch_rewind(context, mark);
  if (!status) WM_VALIDATE(wm_detail_mesh_validate(detail, mesh) || !is_input_valid(mesh, memo));
  return status;
}

/* ---- The memo ----------------------------------------------------------------------------------------- */

static void enter_chains(WmSurfaceMemo *memo) {
  const WmContourSet *contours = &memo->contours;
  for (uint32_t i = contours->contour_count; i-- > 0;) {
    const uint32_t first = memo->ring_first[i], end = memo->ring_first[i + 1];
    memo->contour_next[i] = 0;
    if (first == end || memo->rings[(size_t)first * memo->max_vertices] == WM_POLYGON_NONE) continue;
    uint32_t *head = &memo->contour_heads[hash_contour(contours, i)];
    memo->contour_next[i] = *head;
    *head = i + 1;
  }
  for (uint32_t i = memo->mesh.polygon_count; i-- > 0;) {
    uint32_t *head = &memo->polygon_heads[hash_polygon(&memo->mesh, i)];
    /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): in a block since the second pass */
    memo->polygon_next[i] = *head;
    *head = i + 1;
  }
}

/* Copies arrays into one block. Without a block it only adds their sizes: a first pass computes the layout. */
typedef struct Packer {
  uint8_t *block;
  WmLayout layout;
} Packer;

/* Appends an array; with `from` NULL its elements are not set. Returns its copy, NULL without a block. */
static void *pack_array(Packer *packer, const void *from, size_t count, size_t element_bytes) {
  const size_t offset = wm_layout_add(&packer->layout, count, element_bytes);
  if (!packer->block) return NULL;
  uint8_t *to = packer->block + offset;
  return from && count > 0 ? memcpy(to, from, count * element_bytes) : to;
}

static void pack_mesh(Packer *packer, const WmPolygonMesh *mesh, WmPolygonMesh *copy) {
  const size_t max_vertices = (size_t)mesh->max_vertices_per_polygon, count = mesh->polygon_count;
  *copy = *mesh;
  copy->block = NULL;
  copy->polygon_area = NULL;
  copy->vertices = pack_array(packer, mesh->vertices, mesh->vertex_count, 3 * sizeof *mesh->vertices);
  copy->polygons = pack_array(packer, mesh->polygons, count, 2 * max_vertices * sizeof *mesh->polygons);
  copy->polygon_region = pack_array(packer, mesh->polygon_region, count, sizeof *mesh->polygon_region);
}

static void pack_detail(Packer *packer, const WmDetailMesh *detail, WmDetailMesh *copy) {
  *copy = *detail;
  copy->block = NULL;
  copy->submeshes = pack_array(packer, detail->submeshes, detail->submesh_count, 4 * sizeof *copy->submeshes);
  copy->vertices = pack_array(packer, detail->vertices, detail->vertex_count, 3 * sizeof *copy->vertices);
  copy->triangles = pack_array(packer, detail->triangles, detail->triangle_count, 4);
}

static void pack_rings(Packer *packer, const WmRingRecord *record, size_t contour_count,
                       WmSurfaceMemo *memo) {
  const size_t rings = record->first[contour_count], polygons = memo->mesh.polygon_count;
  memo->max_vertices = (uint32_t)memo->mesh.max_vertices_per_polygon;
  memo->ring_first = pack_array(packer, record->first, contour_count + 1, sizeof *memo->ring_first);
  memo->rings = pack_array(packer, record->rings, rings, memo->max_vertices * sizeof *memo->rings);
  memo->contour_next = pack_array(packer, NULL, contour_count + polygons, sizeof *memo->contour_next);
  memo->polygon_next = memo->contour_next ? memo->contour_next + contour_count : NULL;
}

WmStatus wm_memo_make(WmContext *context, WmContourSet *contours, WmRegions *regions,
                      const WmPolygonMesh *mesh, const WmDetailMesh *detail, const WmRingRecord *record,
                      WmSurfaceMemo *memo) {
  const size_t contour_count = contours->contour_count;
  Packer packer = {0};
  for (int pass = 0; pass < 2; pass++) {
    memset(memo, 0, sizeof *memo);
    if (pass == 1) packer = (Packer){.block = wm_layout_allocate(context, &packer.layout)};
    if (pass == 1 && !packer.block) return WM_ERROR_OUT_OF_MEMORY;
    pack_mesh(&packer, mesh, &memo->mesh);
    pack_detail(&packer, detail, &memo->detail);
    pack_rings(&packer, record, contour_count, memo);
  }
  memo->block = packer.block;
  memo->contours = *contours;
  memo->regions = *regions;
  memo->byte_count = packer.layout.bytes + 2 * (size_t)regions->span_count +
                     16 * (size_t)contours->vertex_first[contour_count];
  memset(contours, 0, sizeof *contours);
  memset(regions, 0, sizeof *regions);
  enter_chains(memo);
  return WM_OK;
}

void wm_memo_free(WmContext *context, WmSurfaceMemo *memo) {
  if (!memo->block) return;
  wm_contour_set_free(context, &memo->contours);
  wm_regions_free(context, &memo->regions);
  wm_block_free(context, memo->block);
  memset(memo, 0, sizeof *memo);
}
