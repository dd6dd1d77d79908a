/* Levels for tests: OBJ files and a few generated ones. Arrays are malloc'ed. */
#ifndef WALKMESH_TESTS_SCENE_H
#define WALKMESH_TESTS_SCENE_H

#include "bake/bake.h"

typedef struct Scene {
  float *positions;
  uint32_t *indices;
  size_t vertex_count;
  size_t triangle_count;
} Scene;

/* The `v` and `f` rows of an OBJ file (faces as fans); triangle_count 0 if the file is missing. */
Scene read_obj(const char *path);

/* A flat square of two triangles, `side` wide, from the origin. */
Scene make_square(float side);

/* A ground with `side` x `side` pillars, 1.5 apart, and a slab over every third one: many regions, holes, contours and columns. */
Scene make_pillars(int side);

/* A few dozen boxes and ramps on a ground, from a seed. */
Scene make_random_scene(uint32_t seed);

void free_scene(Scene *scene);

/* The scene as the input of a bake: triangles only. */
WmBakeInput scene_input(const Scene *scene);

/* Marks the slopes of all triangles. */
void mark_slopes(const WmTriangles *triangles, float max_slope_degrees, uint8_t *areas);

/* Bakes every tile; returns the first failure. `hash` (may be NULL) gets a hash of all tiles' bytes, and
 * `byte_count` their size. */
WmStatus bake_scene(WmContext *context, const WmConfig *config, const WmBakeInput *input, uint64_t *hash,
                    size_t *byte_count);

#endif
