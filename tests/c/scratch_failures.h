/* Scratch memory that fails. Its chunks are mostly larger than needed, so a failing allocator reaches few of
 * the functions that request scratch memory; here each request counts. The test program is linked so that all
 * requests of the library pass through these functions (CMakeLists.txt).
 *
 * A context that is destroyed must have no scratch memory in use: every call has returned what it took. */
#ifndef WALKMESH_TESTS_SCRATCH_FAILURES_H
#define WALKMESH_TESTS_SCRATCH_FAILURES_H

#include "base/context.h"

/* The number of requests that are granted before one is refused; below 0 all are granted. */
extern long scratch_requests_left;

/* If true, increasing numbers lie behind each array, so that code that reads beyond its end fails. Fresh
 * memory would hold zeros there. */
extern bool scratch_red_zones;

#endif
