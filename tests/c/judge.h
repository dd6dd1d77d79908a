/* Golden traces of what a check of invariants says (trace.h): entries of arrays are changed, one at a time. */
#ifndef WALKMESH_TESTS_JUDGE_H
#define WALKMESH_TESTS_JUDGE_H

#include <stdbool.h>
#include <string.h>

#include "trace.h"

typedef bool (*Judge)(const void *subject);

/* Sets each entry of an array to values beside its own and to the largest, and folds the verdicts. */
static inline void judge_entries(const void *subject, Judge is_valid, void *array, size_t count,
                                 size_t entry_bytes) {
  trace_number(is_valid(subject));
  for (size_t i = 0; i < count; i++) {
    uint8_t *entry = (uint8_t *)array + i * entry_bytes;
    uint32_t before = 0, next = 0;
    memcpy(&before, entry, entry_bytes);
    memcpy(&next, (uint8_t *)array + (i + 1) % count * entry_bytes, entry_bytes);
    const uint32_t values[] = {before + 1, before - 1, 0, next, before ^ 0x80000080u, UINT32_MAX};
    for (size_t k = 0; k < sizeof values / sizeof *values; k++) {
      memcpy(entry, &values[k], entry_bytes);
      trace_number(is_valid(subject));
    }
    memcpy(entry, &before, entry_bytes);
  }
}

/* The same for one flag. */
static inline void judge_flag(const void *subject, Judge is_valid, bool *flag) {
  *flag = !*flag;
  trace_number(is_valid(subject));
  *flag = !*flag;
}

#endif
