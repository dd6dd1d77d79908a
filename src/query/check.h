/* Checks of arguments that come from outside: positions, numbers, filters.
 *
 * All functions return WM_OK, or WM_ERROR_INVALID_ARGUMENT, which the context explains, naming `field`. */
#ifndef WALKMESH_QUERY_CHECK_H
#define WALKMESH_QUERY_CHECK_H

#include <math.h>

#include "query/filter.h"

/* All numbers are finite and at least `minimum` (0 or -INFINITY).
 * in         numbers [count] */
WmStatus wm_query_check_numbers(WmContext *context, const float *numbers, size_t count, float minimum,
                                const char *field);

/* The position is finite: only then the difference of each number from itself is 0. */
static inline WmStatus wm_query_check_position(WmContext *context, const float position[3],
                                               const char *field) {
  const float zero = (position[0] - position[0]) + (position[1] - position[1]) + (position[2] - position[2]);
  return zero == 0 ? WM_OK : wm_query_check_numbers(context, position, 3, -INFINITY, field);
}

/* All area costs are finite and at least 0. NULL passes. */
WmStatus wm_query_check_filter(WmContext *context, const WmFilter *filter);

#endif
