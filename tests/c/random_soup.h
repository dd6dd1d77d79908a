/* Small random levels for property tests of the front half: a floor, mostly, and triangles of any direction.
 */
#ifndef WALKMESH_TESTS_RANDOM_SOUP_H
#define WALKMESH_TESTS_RANDOM_SOUP_H

#include "bake/stages.h"
#include "random_field.h"

enum { SOUP_TRIANGLES = 60 };

typedef struct Soup {
  WmGrid grid;
  WmFilterSettings filters;
  float positions[9 * SOUP_TRIANGLES];
  uint32_t indices[3 * SOUP_TRIANGLES];
  uint8_t areas[SOUP_TRIANGLES];
  WmTriangles triangles;
} Soup;

static inline float random_between(Random *random, float low, float high) {
  return low + (high - low) * (float)random_below(random, 4096) / 4096;
}

/* A floor, mostly, and triangles of any direction and area above and below it. */
static inline void make_soup(Random *random, Soup *soup) {
  const int32_t width = 1 + random_below(random, 60), depth = 1 + random_below(random, 40);
  const int32_t height = 4 + random_below(random, 120);
  soup->grid = (WmGrid){.bounds_max = {(float)width, (float)height, (float)depth},
                        .cell_size = 1,
                        .cell_height = 1,
                        .width = width,
                        .depth = depth};
  soup->filters =
      (WmFilterSettings){1 + random_below(random, random_below(random, 4) ? 12 : 255),
                         random_below(random, random_below(random, 4) ? 4 : 300), random_below(random, 2),
                         random_below(random, 2), random_below(random, 2)};
  const int32_t count = 1 + random_below(random, SOUP_TRIANGLES);
  for (int32_t t = 0; t < count; t++) {
    const bool is_flat = t < 2 || random_below(random, 3) == 0;
    const float level = random_between(random, 0, (float)height),
                size = t < 2 ? 200 : random_between(random, 1, 40);
    const float x = random_between(random, 0, (float)width), z = random_between(random, 0, (float)depth);
    for (int k = 0; k < 3; k++) {
      float *corner = soup->positions + 9 * t + 3 * k;
      corner[0] = x + random_between(random, -size, size);
      corner[1] = is_flat ? level : random_between(random, 0, (float)height);
      corner[2] = z + random_between(random, -size, size);
      soup->indices[3 * t + k] = (uint32_t)(3 * t + k);
    }
    soup->areas[t] = random_below(random, 4) ? (uint8_t)(1 + random_below(random, 63)) : 0;
  }
  soup->triangles = (WmTriangles){.positions = soup->positions,
                                  .position_stride = 3,
                                  .vertex_count = 3 * (size_t)count,
                                  .indices = soup->indices,
                                  .triangle_count = (size_t)count};
}

#endif
