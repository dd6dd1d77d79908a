#include "scene.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stage_dump.h"

static void reserve(void **array, size_t *capacity, size_t count, size_t element_bytes) {
  if (count <= *capacity) return;
  *capacity = 2 * count + 64;
  *array = realloc(*array, *capacity * element_bytes);
  if (!*array) abort();
}

typedef struct Builder {
  Scene scene;
  size_t position_capacity, index_capacity;
} Builder;

static uint32_t add_vertex(Builder *builder, float x, float y, float z) {
  Scene *scene = &builder->scene;
  void *positions = scene->positions;
  reserve(&positions, &builder->position_capacity, 3 * (scene->vertex_count + 1), sizeof(float));
  scene->positions = positions;
  float *target = scene->positions + 3 * scene->vertex_count;
  target[0] = x, target[1] = y, target[2] = z;
  return (uint32_t)scene->vertex_count++;
}

static void add_triangle(Builder *builder, uint32_t a, uint32_t b, uint32_t c) {
  Scene *scene = &builder->scene;
  void *indices = scene->indices;
  reserve(&indices, &builder->index_capacity, 3 * (scene->triangle_count + 1), sizeof(uint32_t));
  scene->indices = indices;
  uint32_t *target = scene->indices + 3 * scene->triangle_count++;
  target[0] = a, target[1] = b, target[2] = c;
}

/* One face: triangulates its corners as a fan and drops triangles with an index out of range, as the original
 * does. */
static void add_face(Builder *builder, char *row) {
  uint32_t corners[32];
  int count = 0;
  for (char *token = strtok(row, " \t\r\n"); token && count < 32; token = strtok(NULL, " \t\r\n")) {
    const long index = strtol(token, NULL, 10);
    corners[count++] = (uint32_t)(index < 0 ? index + (long)builder->scene.vertex_count : index - 1);
  }
  for (int i = 2; i < count; i++) {
    const size_t vertices = builder->scene.vertex_count;
    if (corners[0] >= vertices || corners[i - 1] >= vertices || corners[i] >= vertices) continue;
    add_triangle(builder, corners[0], corners[i - 1], corners[i]);
  }
}

Scene read_obj(const char *path) {
  Builder builder = {0};
  FILE *file = fopen(path, "r");
  if (!file) return builder.scene;
  char row[512];
  while (fgets(row, sizeof row, file)) {
    float x, y, z;
    if (row[0] == 'v' && sscanf(row + 1, " %f %f %f", &x, &y, &z) == 3 && row[1] == ' ') {
      add_vertex(&builder, x, y, z);
    } else if (row[0] == 'f') {
      add_face(&builder, row + 1);
    }
  }
  fclose(file);
  return builder.scene;
}

Scene make_square(float side) {
  Builder builder = {0};
  add_vertex(&builder, 0, 0, 0);
  add_vertex(&builder, 0, 0, side);
  add_vertex(&builder, side, 0, side);
  add_vertex(&builder, side, 0, 0);
  add_triangle(&builder, 0, 1, 2);
  add_triangle(&builder, 0, 2, 3);
  return builder.scene;
}

static float next_random(uint32_t *state, float low, float high) {
  *state = *state * 1664525u + 1013904223u;
  return low + (high - low) * (float)(*state >> 8) / 16777216.0f;
}

static void add_box(Builder *builder, const float low[3], const float high[3]) {
  static const uint8_t FACES[12][3] = {{0, 1, 3}, {0, 3, 2}, {4, 6, 7}, {4, 7, 5}, {0, 4, 5}, {0, 5, 1},
                                       {2, 3, 7}, {2, 7, 6}, {0, 2, 6}, {0, 6, 4}, {1, 5, 7}, {1, 7, 3}};
  uint32_t first = 0;
  for (int corner = 0; corner < 8; corner++) {
    const uint32_t vertex = add_vertex(builder, corner & 1 ? high[0] : low[0], corner & 4 ? high[1] : low[1],
                                       corner & 2 ? high[2] : low[2]);
    if (corner == 0) first = vertex;
  }
  for (int face = 0; face < 12; face++) {
    add_triangle(builder, first + FACES[face][0], first + FACES[face][1], first + FACES[face][2]);
  }
}

Scene make_pillars(int side) {
  Builder builder = {0};
  const float end = 1.5f * (float)side + 1;
  add_box(&builder, (float[3]){0, -1, 0}, (float[3]){end, 0, end});
  for (int i = 0; i < side * side; i++) {
    const float x = 1 + 1.5f * (float)(i % side), z = 1 + 1.5f * (float)(i / side), high = 1 + (float)(i % 4);
    add_box(&builder, (float[3]){x, 0, z}, (float[3]){x + 0.5f, high, z + 0.5f});
    if (i % 3) continue;
    add_box(&builder, (float[3]){x, high + 3, z}, (float[3]){x + 1, high + 3.5f, z + 1.25f});
  }
  return builder.scene;
}

Scene make_random_scene(uint32_t seed) {
  Builder builder = {0};
  uint32_t state = seed * 2654435761u + 1;
  const float side = 24;
  add_box(&builder, (float[3]){0, -1, 0}, (float[3]){side, 0, side});
  for (int i = 0; i < 24; i++) {
    const float x = next_random(&state, 0, side), z = next_random(&state, 0, side);
    const float y = next_random(&state, -0.5f, 4);
    const float low[3] = {x, y, z};
    const float high[3] = {x + next_random(&state, 0.2f, 6), y + next_random(&state, 0.1f, 1.5f),
                           z + next_random(&state, 0.2f, 6)};
    add_box(&builder, low, high);
  }
  return builder.scene;
}

void free_scene(Scene *scene) {
  free(scene->positions);
  free(scene->indices);
  *scene = (Scene){0};
}

WmBakeInput scene_input(const Scene *scene) {
  return (WmBakeInput){.triangles = {.positions = scene->positions,
                                     .position_stride = 3,
                                     .vertex_count = scene->vertex_count,
                                     .indices = scene->indices,
                                     .triangle_count = scene->triangle_count}};
}

void mark_slopes(const WmTriangles *triangles, float max_slope_degrees, uint8_t *areas) {
  WmFacing facing = {0};
  wm_mark_slopes(triangles, max_slope_degrees, 0, triangles->triangle_count, areas, &facing);
}

WmStatus bake_scene(WmContext *context, const WmConfig *config, const WmBakeInput *input, uint64_t *hash,
                    size_t *byte_count) {
  WmBaker *baker = NULL;
  uint64_t all = WM_HASH_START;
  size_t total = 0;
  WmStatus status = wm_baker_create(context, config, input, &baker);
  if (status) return status;
  const WmVoxelConfig *voxels = wm_baker_voxels(baker);
  for (int32_t z = 0; z < voxels->tile_count_z && !status; z++) {
    for (int32_t x = 0; x < voxels->tile_count_x && !status; x++) {
      status = wm_baker_bake_tile(baker, x, z);
      if (status) break;
      WmTileData tile = wm_baker_take_tile(baker);
      all = wm_hash_bytes(all, tile.bytes, tile.byte_count);
      total += tile.byte_count;
      wm_tile_data_free(context, &tile);
    }
  }
  wm_baker_destroy(baker);
  if (hash) *hash = all;
  if (byte_count) *byte_count = total;
  return status;
}
