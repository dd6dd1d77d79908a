/* Segment links without memory: each allocation fails in turn, once and from then on. A call that fails leaves the mesh as it
 * was, and nothing leaks. */
#include "guarded_memory.h"
#include "mesh/formats/formats.h"
#include "mesh/mesh_internal.h"
#include "query/search/flood.h"
#include "query/search/flow_field.h"
#include "query/search/path.h"
#include "segment_worlds.h"

/* The bytes of two tiles beside a gap, the second one in two versions. */
typedef struct Materials {
  WmContext *context;
  WmTileData tiles[3];
} Materials;

static Materials make_materials(void) {
  Materials materials = {.context = wm_context_create(NULL)};
  for (int32_t i = 0; i < 3; i++) {
    const GridTile grid = {.x = i ? 2 : 0, .seed = 3 + (uint32_t)i, .hole = UINT32_MAX, .tree = true};
    materials.tiles[i] = make_grid_tile(materials.context, &grid);
  }
  return materials;
}

static void free_materials(Materials *materials) {
  for (int i = 0; i < 3; i++) wm_tile_data_free(materials->context, &materials->tiles[i]);
  wm_context_destroy(materials->context);
}

static const float FROM[3] = {2, 0, 2}, TO[3] = {21, 0, 5};

static WmStatus put_and_change(const Materials *materials, WmMesh *mesh) {
  WmSegmentLink links[3];
  for (int i = 0; i < 3; i++)
    links[i] = make_link(8, 0, 1.5f + 2 * (float)i, 1.5f, (const float[3]){8.5f, 0, 0});
  WmRef ref;
  WmStatus status = wm_mesh_put_links(mesh, 0, 0, 1, links, 3, &ref);
  if (!status) status = wm_mesh_put_links(mesh, 0, 0, 1, links, 2, &ref);
  const WmTileData *tile = &materials->tiles[2];
  if (!status) status = wm_mesh_replace_tile(mesh, tile->bytes, tile->byte_count, NULL);
  if (!status) status = wm_mesh_set_segment_link_enabled(mesh, ref, false);
  const WmLinkOff off[2] = {{.start = {{8, 0, 4}, {8, 0, 3}}, .end = {{16, 0, 4}, {16, 0, 3}}},
                            {.start = {{0, 0, 1}, {0, 0, 0}}}};
  return status ? status : wm_mesh_set_links_off(mesh, off, 2);
}

static WmStatus ask(WmContext *context, WmMesh *mesh) {
  WmQuery *query = NULL;
  WmFlowField *flow = NULL;
  WmPath path;
  WmNearest ends[2];
  WmStatus status = wm_query_create(context, mesh, &query);
  if (!status) status = wm_query_find_path(query, FROM, TO, NULL, &path);
  if (!status) CHECK_EQUAL_INT(path.state, WM_PATH_COMPLETE);
  for (int i = 0; i < 2 && !status; i++) {
    status = wm_query_find_nearest(query, i ? TO : FROM, (const float[3]){1, 1, 1}, NULL, &ends[i]);
  }
  WmFlood flood;
  if (!status) status = wm_query_flood(query, ends[0].polygon, FROM, NULL, &flood);
  if (!status) status = wm_flow_field_create(context, mesh, &flow);
  if (!status) status = wm_flow_field_begin(flow, ends[1].polygon, TO, NULL);
  for (bool done = false; !status && !done;) {
    status = wm_flow_field_advance(flow, ends[0].polygon, FROM, 100, &done, NULL);
  }
  wm_flow_field_destroy(flow);
  wm_query_destroy(query);
  return status;
}

static WmStatus write_and_read(WmContext *context, const WmMesh *mesh) {
  WmStatus status = WM_OK;
  for (int i = 0; i < 2 && !status; i++) {
    uint8_t *bytes;
    size_t byte_count;
    WmMesh *again;
    status = i ? wm_mesh_write_point_links(mesh, WM_FORMAT_SET, 0, &bytes, &byte_count)
               : wm_mesh_write(mesh, WM_FORMAT_WALKMESH, &bytes, &byte_count);
    if (!status) status = wm_mesh_read(context, bytes, byte_count, &again);
    if (!status) wm_mesh_destroy(again);
    wm_block_free(context, bytes);
  }
  return status;
}

/* Plays everything while the n-th allocation (or request for scratch memory) fails. */
static WmStatus play(const Materials *materials, long n, bool scratch, bool once) {
  Ration ration = {.until_failure = -1};
  const WmAllocator allocator = {allocate_rationed, release_rationed, &ration};
  WmContext *context = wm_context_create(&allocator);
  WmMesh *mesh = make_grid_mesh(context);
  for (int i = 0; i < 2; i++) {
    const WmTileData *tile = &materials->tiles[i];
    CHECK_EQUAL_INT(wm_mesh_add_tile(mesh, tile->bytes, tile->byte_count, NULL), WM_OK);
  }
  wm_context_trim(context);
  ration.once = once;
  if (scratch) {
    scratch_requests_left = n;
  } else {
    ration.until_failure = n;
  }
  WmStatus status = put_and_change(materials, mesh);
  if (!status) status = ask(context, mesh);
  if (!status) status = write_and_read(context, mesh);
  scratch_requests_left = -1;
  ration.until_failure = -1;
  CHECK(status == WM_OK || status == WM_ERROR_OUT_OF_MEMORY);
  CHECK(wm_mesh_validate(mesh));
  CHECK_EQUAL_INT(put_and_change(materials, mesh), WM_OK);
  CHECK(wm_mesh_validate(mesh));
  wm_mesh_destroy(mesh);
  wm_context_destroy(context);
  CHECK_EQUAL_INT(ration.in_use, 0);
  return status;
}

static void every_failed_allocation_is_reported(void) {
  Materials materials = make_materials();
  for (int kind = 0; kind < 4; kind++) {
    int failures = 0;
    WmStatus status = WM_ERROR_OUT_OF_MEMORY;
    for (long n = 0; n < 400 && (status || n < 12); n++) {
      status = play(&materials, n, kind & 1, kind & 2);
      failures += status != WM_OK;
    }
    CHECK_EQUAL_INT(status, WM_OK);
    CHECK(failures >= 4);
  }
  free_materials(&materials);
}

int main(void) {
  RUN(every_failed_allocation_is_reported);
  return check_finish();
}
