/* Sine by its series. See number.h. */
#include "base/number.h"

#include <math.h>

/* The sum of both is a quarter turn. */
static const double QUARTER = 1.57079632679489661923, QUARTER_REST = 6.123233995736766e-17;

/* The Taylor series of the sine (odd degree) or cosine (even degree) up to the term of `degree`, for |t| up
 * to an eighth of a turn: 1 - t^2 / (d (d - 1)) * (1 - ...). */
static double sum_series(double t, int degree) {
  double sum = 1;
  for (int d = degree; d > 1; d -= 2) sum = 1 - t * t / (d * (d - 1)) * sum;
  return degree & 1 ? t * sum : sum;
}

/* NOLINTNEXTLINE(misc-no-recursion): one level deep, with 0 */
double wm_sine(double radians, int quarters) {
  const double angle = radians - trunc(radians / (4 * QUARTER)) * (4 * QUARTER);
  if (!(fabs(angle) <= 4 * QUARTER)) return wm_sine(0, quarters);
  const double nearest = floor(angle / QUARTER + 0.5);
  const int phase = (int)nearest + quarters;
  const double value = sum_series((angle - nearest * QUARTER) - nearest * QUARTER_REST, phase & 1 ? 18 : 17);
  return phase & 2 ? -value : value;
}

bool wm_are_within(const float *values, size_t count, float limit) {
  for (size_t i = 0; i < count; i++) {
    if (!(fabsf(values[i]) <= limit)) return false;
  }
  return true;
}
