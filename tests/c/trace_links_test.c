/* Golden traces of segment links (trace.h): ties, paths, floods and files of random worlds. */
#include "mesh/formats/formats.h"
#include "query/query_internal.h"
#include "query/search/flood.h"
#include "segment_worlds.h"
#include "trace.h"

static void trace_ties(const WmMesh *mesh) {
  for (WmRef set = 0; (set = wm_mesh_next_links(mesh, set)) != 0;) {
    const WmMeshTile *tile = wm_mesh_tile_of(mesh, set);
    for (uint32_t i = 0; i < tile->tie_first[tile->polygon_count]; i++) {
      const WmLinkTie *tie = &tile->ties[i];
      TRACE(tie->low);
      TRACE(tie->high);
      trace_number(tie->polygon * 8 + tie->end * 4u + tie->is_entry * 2u + tie->is_exit);
    }
  }
}

static void trace_paths(WmQuery *query, uint32_t *seed) {
  for (int i = 0; i < 12; i++) {
    float ends[2][3];
    for (int k = 0; k < 2; k++) {
      for (int axis = 0; axis < 3; axis++) ends[k][axis] = random_float(seed, 0, axis == 1 ? 5 : 32);
    }
    WmPathOptions options = wm_path_options_default();
    options.half_extents[1] = 10;
    options.search.any_angle = i % 4 == 1;
    options.search.shortest = i % 4 == 2;
    options.search.wall_distance = i % 4 == 3 ? 0.5f : 0;
    WmPath path;
    CHECK_EQUAL_INT(wm_query_find_path(query, ends[0], ends[1], &options, &path), WM_OK);
    trace_number(path.state);
    TRACE(path.cost);
    TRACE(path.length);
    trace_fold(path.points, path.point_count * 3 * sizeof *path.points);
    trace_fold(path.point_flags, path.point_count);
    if (!path.start.polygon) continue;
    WmFlood flood;
    CHECK_EQUAL_INT(wm_query_flood(query, path.start.polygon, path.start.point, NULL, &flood), WM_OK);
    trace_fold(flood.costs, flood.count * sizeof *flood.costs);
  }
}

static void trace_file(const WmMesh *mesh, WmFormat format) {
  uint8_t *bytes;
  size_t byte_count;
  const WmStatus status = format == WM_FORMAT_WALKMESH
                              ? wm_mesh_write(mesh, format, &bytes, &byte_count)
                              : wm_mesh_write_point_links(mesh, format, 0.7f, &bytes, &byte_count);
  CHECK_EQUAL_INT(status, WM_OK);
  trace_fold(bytes, byte_count);
  wm_block_free(wm_mesh_context(mesh), bytes);
}

static void every_link_is_crossed_as_it_was(void) {
  for (uint32_t number = 1; number <= trace_seeds(8); number++) {
    char name[32];
    snprintf(name, sizeof name, "world-%u", (unsigned)number);
    uint32_t seed = number;
    WmContext *context = wm_context_create(NULL);
    WmMesh *mesh = make_random_world(context, &seed, number);
    WmQuery *query;
    trace_begin(name);
    CHECK_EQUAL_INT(wm_query_create(context, mesh, &query), WM_OK);
    for (int i = 0; i < 4; i++) {
      put_random(mesh, &seed, number);
      change_tile(mesh, &seed, number);
      trace_ties(mesh);
      trace_paths(query, &seed);
    }
    trace_file(mesh, WM_FORMAT_WALKMESH);
    trace_file(mesh, WM_FORMAT_SET);
    trace_end();
    wm_query_destroy(query);
    wm_mesh_destroy(mesh);
    wm_context_destroy(context);
  }
}

int main(void) {
  trace_open("links");
  RUN(every_link_is_crossed_as_it_was);
  trace_close();
  return check_finish();
}
