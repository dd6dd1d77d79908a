/* Numbers: a sine with the same bits on every platform, and the limit of coordinates. */
#ifndef WALKMESH_BASE_NUMBER_H
#define WALKMESH_BASE_NUMBER_H

#include <stdbool.h>
#include <stddef.h>

/* The largest absolute value of a coordinate: squares and products of two are finite floats. */
static const float WM_FARTHEST = 1e9f;

/* The sine of `radians` plus `quarters` quarter turns; 1 gives the cosine. Uses correctly rounded operations
 * only, so that its bits do not depend on a math library. The error is below 3e-16 for up to one turn; the
 * cosine, rounded to float, is correctly rounded for every float from 0 to a quarter turn. NaN, infinities
 * and angles whose spacing as a double is about a turn count as 0.
 * source     the Taylor series, after reduction to an eighth of a turn */
double wm_sine(double radians, int quarters);

/* True if all values are from -limit to limit; NaN is not. The limit FLT_MAX tests for finite values. */
bool wm_are_within(const float *values, size_t count, float limit);

#endif
