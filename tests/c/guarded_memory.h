/* Memory of the library under observation, in all C tests. The test program is linked so that requests of the
 * library pass through these functions (--wrap, CMakeLists.txt):
 *
 * - Each scratch array has a guard behind it, and each block one on both sides: code that writes beyond the array
 *   fails when the array is returned, and code that reads beyond it meets numbers that it does not expect. Builds
 *   with AddressSanitizer have red zones instead (base/debug/red_zone.h).
 * - New memory is filled with values that change from request to request, since results must not depend on what
 *   it held before.
 * - A context that is destroyed has no scratch memory in use, and the last one of a program no blocks: every call
 *   has returned what it took, and every result was freed.
 * - Requests are counted (trace.h compares the counts).
 * - A request for scratch memory fails on demand. Chunks of scratch memory are mostly larger than needed, so a
 *   failing allocator reaches few of the functions that request it.
 * - The first request of a place in the library fails on demand: in large scenes, some places are reached only after many
 *   thousands of requests by others. */
#ifndef WALKMESH_TESTS_GUARDED_MEMORY_H
#define WALKMESH_TESTS_GUARDED_MEMORY_H

#include "base/context.h"

/* The number of requests for scratch memory that are granted before one is refused; below 0 all are granted. */
extern long scratch_requests_left;

/* Places of the library that request memory, by the address that a request returns to, in the order of their first requests. With
 * `records` set, places are added; the first request of place `refused` is refused (-1: none), scratch memory or a block. */
enum { MEMORY_PLACE_LIMIT = 1024 };
typedef struct MemoryPlaces {
  const void *places[MEMORY_PLACE_LIMIT];
  int count, refused;
  bool records, has_refused;
} MemoryPlaces;
extern MemoryPlaces memory_places;

/* The value of the guards behind scratch arrays. It may change while no scratch memory is in use. */
extern uint32_t scratch_guard_value;

/* If set, new memory begins with these bytes: those that would mislead code that reads it before writing. */
extern const void *scratch_contents;
extern size_t scratch_content_bytes;

/* Requests for scratch arrays and blocks that were granted, without guards: their number and bytes, the bytes in use,
 * the most of them, and their sum over all requests and samples, which shows when memory is returned. With AddressSanitizer
 * blocks are not counted as returned. */
typedef struct MemoryMeter {
  uint64_t requests, bytes, in_use, peak, sum;
} MemoryMeter;

void begin_memory_meter(void);
MemoryMeter end_memory_meter(void);

/* Adds the bytes in use to the sum once more: memory that is held between calls shows, too. */
void sample_memory_meter(void);

#endif
