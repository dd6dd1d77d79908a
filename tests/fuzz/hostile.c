/* See hostile.h. */
#include "hostile.h"

#include <math.h>

#include "../c/grid_tiles.h"

/* ---- The mesh ----------------------------------------------------------------------------------------- */

/* Tiles of strips side by side and above each other, connections within and between them. */
static void add_drawn_tiles(WmMesh *mesh, FuzzInput *input) {
  const WmOffMeshConnection inside = {.start = {3, 0.5f, 3},
                                      .end = {12, 0.5f, 5},
                                      .radius = 0.75f,
                                      .flags = 1,
                                      .area = 3,
                                      .bidirectional = true};
  const uint32_t count = 1 + fuzz_byte(input) % 6;
  for (uint32_t i = 0; i < count; i++) {
    const uint8_t what = fuzz_byte(input);
    const GridTile tile = {.x = (int32_t)i % 3,
                           .z = (int32_t)i / 3,
                           .layer = 0,
                           .seed = what & 7,
                           .floor = what >> 3 & 1,
                           .flat = what >> 4 & 1,
                           .hole = what & 32 ? what % 4 : UINT32_MAX,
                           .tree = what >> 6 & 1,
                           .connections = &inside,
                           .connection_count = what >> 7};
    add_grid_tile(mesh, &tile);
  }
  if (fuzz_byte(input) & 1) {
    const GridTile above = {.layer = 1, .floor = 12, .hole = UINT32_MAX, .tree = true};
    add_grid_tile(mesh, &above);
  }
}

static void add_connections(WmMesh *mesh, FuzzInput *input) {
  for (uint32_t i = fuzz_byte(input) % 4; i > 0; i--) {
    WmConnection connection = wm_connection_default(mesh);
    WmRef ref;
    for (int axis = 0; axis < 3; axis++) {
      connection.start[axis] = axis == 1 ? 0.5f : (float)fuzz_below(input, 160) * 0.1f;
      connection.end[axis] = axis == 1 ? 0.5f : (float)fuzz_below(input, 160) * 0.1f;
    }
    connection.bidirectional = fuzz_byte(input) & 1;
    (void)wm_mesh_add_connection(mesh, &connection, &ref);
  }
}

void fuzz_hostile_begin(Hostile *hostile, FuzzMemory *memory, const uint8_t *bytes, size_t byte_count) {
  *hostile = (Hostile){.context = memory->context, .input = {bytes, byte_count}};
  FuzzInput *input = &hostile->input;
  hostile->mesh = make_grid_mesh(memory->context);
  const GridTile gone = {.x = -3, .hole = UINT32_MAX};
  hostile->stale = add_grid_tile(hostile->mesh, &gone);
  FUZZ_REQUIRE(!wm_mesh_remove_tile(hostile->mesh, hostile->stale));
  const uint8_t what = fuzz_byte(input);
  if (what & 1) {
    FuzzInput part = {input->bytes, input->left < 2u * what ? input->left : 2u * what};
    input->bytes += part.left;
    input->left -= part.left;
    fuzz_add_tiles(hostile->mesh, &part);
  } else {
    add_drawn_tiles(hostile->mesh, input);
  }
  add_connections(hostile->mesh, input);
  for (size_t slot = 0; (what & 2) && slot < wm_mesh_slot_count(hostile->mesh); slot++) {
    const WmMeshTile *tile = wm_mesh_tile(hostile->mesh, slot);
    for (uint32_t p = 0; tile && p < tile->polygon_count; p++) {
      const uint8_t flags = fuzz_byte(input);
      if (flags & 1) FUZZ_REQUIRE(!wm_mesh_set_polygon_flags(hostile->mesh, tile->ref + p, flags >> 1 & 7));
      if (flags & 16) FUZZ_REQUIRE(!wm_mesh_set_polygon_area(hostile->mesh, tile->ref + p, flags >> 5));
    }
  }
  FUZZ_REQUIRE(!wm_costs_create(memory->context, hostile->mesh, &hostile->costs));
}

void fuzz_hostile_end(Hostile *hostile) {
  wm_costs_destroy(hostile->costs);
  wm_mesh_destroy(hostile->mesh);
}

/* ---- Arguments ---------------------------------------------------------------------------------------- */

static const float ODD[] = {NAN, INFINITY, -INFINITY, 3e38f, -1e9f, 1e-40f, -0.0f, -1};

void fuzz_place(Hostile *hostile, float at[3]) {
  FuzzInput *input = &hostile->input;
  for (int axis = 0; axis < 3; axis++) {
    at[axis] = axis == 1 ? (float)(fuzz_byte(input) % 8) * 0.25f : (float)fuzz_below(input, 300) * 0.1f - 2;
  }
  const uint8_t kind = fuzz_byte(input);
  if (kind < 8) at[kind % 3] = ODD[fuzz_byte(input) % 8];
  if (kind >= 8 && kind < 16) at[kind % 3] = fuzz_number(input);
}

WmRef fuzz_ref(Hostile *hostile, float at[3]) {
  FuzzInput *input = &hostile->input;
  const uint8_t kind = fuzz_byte(input);
  const size_t slots = wm_mesh_slot_count(hostile->mesh);
  const uint32_t first = fuzz_byte(input), polygon_number = fuzz_byte(input),
                 corner_number = fuzz_byte(input);
  fuzz_place(hostile, at);
  if (kind < 6) return hostile->stale + polygon_number % 4;
  if (kind < 9) return 0;
  if (kind < 12) return (WmRef)fuzz_below(input, 65536) << (kind * polygon_number % 48);
  if (kind < 14) return ~(WmRef)polygon_number;
  for (size_t i = 0; i < slots; i++) {
    const WmMeshTile *tile = wm_mesh_tile(hostile->mesh, (first + i) % slots);
    if (!tile) continue;
    if (kind == 14) return tile->ref + tile->polygon_count + first;
    const uint32_t polygon = polygon_number % tile->polygon_count;
    const uint32_t corner = corner_number % tile->polygon_size[polygon];
    const float *vertex = tile->vertices + 3 * (size_t)tile->polygon_vertices[6 * (size_t)polygon + corner];
    const float share = corner_number & 64 ? 0.25f : corner_number & 128 ? 0.01f : 0;
    if (kind < 224) {
      for (int axis = 0; axis < 3; axis++) at[axis] = vertex[axis] + (at[axis] - vertex[axis]) * share;
    }
    return tile->ref + polygon;
  }
  return 0;
}

float fuzz_length(Hostile *hostile) {
  FuzzInput *input = &hostile->input;
  const uint8_t kind = fuzz_byte(input);
  if (kind < 16) return ODD[kind % 8];
  if (kind < 24) return 1e9f;
  return kind < 40 ? 0 : (float)fuzz_byte(input) * 0.1f;
}

const WmFilter *fuzz_filter(Hostile *hostile, WmFilter *room) {
  FuzzInput *input = &hostile->input;
  const uint8_t kind = fuzz_byte(input);
  if (kind < 64) return NULL;
  *room = wm_filter_default();
  if (kind & 1) room->include_flags = fuzz_byte(input) & 15;
  if (kind & 2) room->exclude_flags = fuzz_byte(input) & 7;
  for (int i = 0; (kind & 4) && i < 4; i++) room->area_costs[i] = (float)(fuzz_byte(input) % 8) * 0.5f;
  if (kind & 8) room->costs = hostile->costs;
  if (kind > 248) room->area_costs[fuzz_byte(input) % 64] = ODD[fuzz_byte(input) % 8];
  return room;
}

/* ---- Results --------------------------------------------------------------------------------------- */

bool fuzz_are_finite(const float *numbers, size_t count) {
  bool finite = true;
  for (size_t i = 0; i < count; i++) finite &= isfinite(numbers[i]) != 0;
  return finite;
}

void fuzz_require_status(const Hostile *hostile, WmStatus status) {
  if (!status) return;
  FUZZ_REQUIRE(status == WM_ERROR_INVALID_ARGUMENT || status == WM_ERROR_STALE_REFERENCE ||
               status == WM_ERROR_STATE || status == WM_ERROR_LIMIT);
  FUZZ_REQUIRE(wm_context_error(hostile->context)->status == status);
  FUZZ_REQUIRE(wm_context_error(hostile->context)->message[0]);
}

void fuzz_require_live(const Hostile *hostile, WmRef ref) {
  FUZZ_REQUIRE(wm_mesh_tile_of(hostile->mesh, ref));
  FUZZ_REQUIRE(!wm_mesh_check_ref(hostile->context, hostile->mesh, ref, "polygon"));
}
