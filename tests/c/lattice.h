/* Numbers on a lattice: random scenes whose coordinates, sizes and times are multiples of a quarter meet the limits of
 * comparisons exactly, which arbitrary numbers never do. */
#ifndef WALKMESH_TESTS_LATTICE_H
#define WALKMESH_TESTS_LATTICE_H

#include <math.h>
#include <stddef.h>

/* The nearest multiple of `step`; the value itself if `step` is 0. */
static inline float snap(float value, float step) { return step > 0 ? step * roundf(value / step) : value; }

static inline void snap_all(float *values, size_t count, float step) {
  for (size_t i = 0; i < count; i++) values[i] = snap(values[i], step);
}

#endif
