/* See assert.h. */
#include "base/debug/assert.h"

#if defined(WM_ASSERTS) && WM_ASSERTS
#include <stdio.h>
#include <stdlib.h>

void wm_assertion_failed(const char *condition, const char *file, int line) {
  fprintf(stderr, "%s:%d: assertion failed: %s\n", file, line, condition);
  abort();
}
#endif
