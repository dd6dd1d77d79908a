/* Golden cases of programs that play fewer rounds (CHECK_ROUNDS). */
#ifndef WALKMESH_TESTS_GOLDEN_ROUNDS_H
#define WALKMESH_TESTS_GOLDEN_ROUNDS_H

#include <stdbool.h>

#include "check.h"

/* True if this program leaves out a case, which repeats another one with more cells. */
static inline bool leaves_out_golden(const char *name) {
  return check_rounds_divisor > 1 && (strcmp(name, "fine") == 0 || strcmp(name, "small") == 0);
}

#endif
