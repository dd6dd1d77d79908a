/* Bytes as a saved tile graph, whose size and checksum are corrected: reads it alone and with a mesh, finds paths, writes it
 * and reads it again. */
#include "../c/grid_tiles.h"
#include "harness.h"
#include "query/tile_graph/tile_graph.h"

enum { SIZE_AT = 8, SUM_BYTES = 8 };

/* Sets size and checksum. Returns the number of bytes that remain: a multiple of 8. */
static size_t mend(uint8_t *bytes, size_t byte_count) {
  byte_count &= ~(size_t)7;
  if (byte_count < SIZE_AT + 8 + SUM_BYTES) return byte_count;
  const uint64_t size = byte_count;
  memcpy(bytes + SIZE_AT, &size, sizeof size);
  const uint64_t sum = wm_file_checksum(bytes, byte_count - SUM_BYTES);
  memcpy(bytes + byte_count - SUM_BYTES, &sum, sizeof sum);
  return byte_count;
}

static void check_path(const WmLongPath *path) {
  FUZZ_REQUIRE(path->state == WM_PATH_COMPLETE || path->reason != WM_PATH_REASON_NONE);
  FUZZ_REQUIRE(path->leg_waypoints <= path->waypoint_count);
  FUZZ_REQUIRE(path->cost == path->cost && path->lower_bound == path->lower_bound);
  for (size_t i = 0; i < path->waypoint_count; i++) {
    for (int axis = 0; axis < 3; axis++) {
      FUZZ_REQUIRE(path->waypoints[i].point[axis] - path->waypoints[i].point[axis] == 0);
    }
  }
}

static void find_paths(WmTileGraph *graph) {
  static const float POINTS[4][3] = {{1, 0, 1}, {23, 0, 23}, {-7, 5, 12}, {12, 0, 30}};
  for (int i = 0; i < 4; i++) {
    for (int k = 0; k < 4; k++) {
      const WmLongPathOptions options = {
          .half_extents = {2, 4, 2}, .leg_tiles = 2 + (uint32_t)i, .shortest = k % 2};
      WmLongPath path;
      const WmStatus status = wm_tile_graph_find_path(graph, POINTS[i], POINTS[k], &options, &path);
      FUZZ_REQUIRE(!status || status == WM_ERROR_LIMIT);
      if (!status) check_path(&path);
    }
  }
}

static void ask(const FuzzMemory *memory, const WmMesh *mesh, WmTileGraph *graph) {
  find_paths(graph);
  const WmStatus forgot = wm_tile_graph_forget(graph, 1, 1, 0);
  FUZZ_REQUIRE(!forgot || forgot == WM_ERROR_STATE || forgot == WM_ERROR_LIMIT);
  bool found;
  const WmStatus assumed = wm_tile_graph_assume_open(graph, 0, 1, 0, &found);
  FUZZ_REQUIRE(!assumed || assumed == WM_ERROR_LIMIT);
  if (found) find_paths(graph);
  uint8_t *bytes, *again;
  size_t byte_count, again_count;
  WmTileGraph *copy;
  WmTileGraphTotals totals;
  wm_tile_graph_totals(graph, &totals);
  FUZZ_REQUIRE(totals.loaded_tiles <= totals.tiles && totals.byte_count > 0);
  for (uint32_t level = 0; level < 4; level++) {
    WmTileGraphSteps steps;
    FUZZ_REQUIRE(!wm_tile_graph_steps(graph, level, &steps));
    FUZZ_REQUIRE(steps.entrance_count <= totals.entrances);
    for (size_t i = 0; i < 2 * steps.step_count; i++) FUZZ_REQUIRE(steps.steps[i] < steps.entrance_count);
  }
  FUZZ_REQUIRE(!wm_tile_graph_write(graph, &bytes, &byte_count));
  FUZZ_REQUIRE(!wm_tile_graph_read(memory->context, NULL, bytes, byte_count, &copy));
  FUZZ_REQUIRE(!wm_tile_graph_write(copy, &again, &again_count));
  FUZZ_REQUIRE(again_count == byte_count && memcmp(bytes, again, byte_count) == 0);
  wm_tile_graph_destroy(copy);
  wm_block_free(memory->context, bytes);
  wm_block_free(memory->context, again);
  if (mesh)
    FUZZ_REQUIRE(!wm_tile_graph_update(graph) || wm_context_error(memory->context)->status == WM_ERROR_LIMIT);
}

int fuzz_tile_graph(const uint8_t *bytes, size_t byte_count) {
  uint8_t *file = malloc(byte_count ? byte_count : 1);
  FUZZ_REQUIRE(file);
  if (byte_count) memcpy(file, bytes, byte_count);
  const size_t mended = mend(file, byte_count);
  FuzzMemory memory;
  fuzz_begin(&memory);
  WmMesh *mesh = make_grid_world(memory.context, 2, 3);
  for (int i = 0; i < 2; i++) {
    WmTileGraph *graph;
    const WmStatus status = wm_tile_graph_read(memory.context, i ? mesh : NULL, file, mended, &graph);
    if (status) {
      FUZZ_REQUIRE(graph == NULL &&
                   (status == WM_ERROR_CORRUPT || (i && status == WM_ERROR_INVALID_ARGUMENT)));
      FUZZ_REQUIRE(wm_context_error(memory.context)->message[0] != 0);
    } else {
      ask(&memory, i ? mesh : NULL, graph);
      wm_tile_graph_destroy(graph);
    }
  }
  WmTileGraph *own;
  FUZZ_REQUIRE(!wm_tile_graph_create(memory.context, mesh, NULL, &own));
  ask(&memory, mesh, own);
  wm_tile_graph_destroy(own);
  wm_mesh_destroy(mesh);
  fuzz_end(&memory);
  free(file);
  return 0;
}
