/* Numbers: sine with the same bits everywhere, and what counts as a usable coordinate. */
#ifndef WALKMESH_BASE_NUMBER_H
#define WALKMESH_BASE_NUMBER_H

#include <stdbool.h>
#include <stddef.h>

/* Coordinates up to here can be squared and multiplied in float without overflow. */
static const float WM_FARTHEST = 1e9f;

/* Sine of an angle in radians plus so many quarter turns (1: the cosine), out of correctly rounded operations
 * only, so that the bits do not depend on a library. The error is below 3e-16 up to a turn; rounded to float
 * the cosine is the correctly rounded one for every float from 0 to a quarter turn. An angle so large that
 * its spacing is about a turn, NaN and infinity count as 0. */
double wm_sine(double radians, int quarters);

/* Whether all values are between -limit and limit; NaN is not. FLT_MAX for "finite". */
bool wm_are_within(const float *values, size_t count, float limit);

#endif
