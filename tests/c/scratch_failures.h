/* Scratch memory that fails: its chunks are mostly larger than need be, so that an allocator that fails is
 * met by few of the functions that take from them. Here each request counts. The test program is linked so
 * that all requests of the library come by (CMakeLists.txt). */
#ifndef WALKMESH_TESTS_SCRATCH_FAILURES_H
#define WALKMESH_TESTS_SCRATCH_FAILURES_H

#include "base/context.h"

/* So many requests are granted, then one is refused; below 0: all are granted. */
extern long scratch_requests_left;

/* Behind each array lie numbers that grow: code that reads beyond its end goes astray, where it would else meet
 * the zeros of fresh memory. */
extern bool scratch_red_zones;

#endif
