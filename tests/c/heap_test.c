/* The heap of searches against a plain list: keys pushed, replaced and removed in any mixture. */
#include "base/heap.h"

#include <math.h>
#include <stdbool.h>

#include "check.h"

enum { LIMIT = 600 };

static uint32_t next_random(uint32_t *state) {
  *state = *state * 1664525u + 1013904223u;
  return *state >> 8;
}

/* Removes the smallest element from the list. */
static uint64_t take_smallest(uint64_t *list, size_t *count) {
  size_t best = 0;
  for (size_t i = 1; i < *count; i++) best = list[i] < list[best] ? i : best;
  const uint64_t smallest = list[best];
  list[best] = list[--*count];
  return smallest;
}

static void keys_come_out_in_order(void) {
  static uint64_t keys[LIMIT + 1 + WM_HEAP_MARGIN], list[LIMIT];
  for (uint32_t seed = 1; seed <= 40; seed++) {
    uint32_t state = seed;
    size_t count = 0, listed = 0;
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) keys[i] = 7; /* of an earlier search */
    wm_heap_clear(keys);
    for (uint32_t i = 0; i < 3000; i++) {
      const bool grows = next_random(&state) % 100 < (i / 500 % 2 ? 35u : 65u);
      if (grows && count < LIMIT) {
        const float cost = (float)(next_random(&state) % (seed % 3 ? 5 : 5000)); /* equal costs, or few */
        const uint64_t key = wm_heap_key(cost, i + 1);
        wm_heap_push(keys, &count, key);
        list[listed++] = key;
      } else if (count > 0) {
        CHECK(keys[0] == take_smallest(list, &listed));
        if (next_random(&state) % 2) {
          const uint64_t key = wm_heap_key((float)(next_random(&state) % 5000), i + 1);
          wm_heap_replace(keys, count, key);
          list[listed++] = key;
        } else {
          wm_heap_remove(keys, &count);
        }
      }
      CHECK_EQUAL_INT(count, listed);
      for (int k = 0; k < WM_HEAP_MARGIN; k++) CHECK(keys[count + (size_t)k] == WM_HEAP_END);
    }
    for (; count > 0; wm_heap_remove(keys, &count)) CHECK(keys[0] == take_smallest(list, &listed));
  }
}

static void costs_sort_as_they_are_and_those_that_are_none_come_last(void) {
  static const float COSTS[] = {0, 1e-40f, 1e-30f, 0.5f, 1, 1.0000001f, 3e38f, INFINITY, NAN};
  for (size_t i = 0; i + 1 < sizeof COSTS / sizeof *COSTS; i++) {
    CHECK(wm_heap_key(COSTS[i], UINT32_MAX) < wm_heap_key(COSTS[i + 1], 0));
    CHECK(wm_heap_key(COSTS[i], 1) < wm_heap_key(COSTS[i], 2));
  }
  CHECK(wm_heap_key(NAN, UINT32_MAX) < WM_HEAP_END);
}

int main(void) {
  RUN(keys_come_out_in_order);
  RUN(costs_sort_as_they_are_and_those_that_are_none_come_last);
  return check_finish();
}
