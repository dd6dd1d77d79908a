/* The number of calls from one file of the library, or a test, to another one of the library. It shows how much work was done:
 * accelerators change no result, but spare calls (trace.h compares the numbers).
 *
 * The linker replaces each function that a header of src/ declares by a few instructions that count (--wrap, CMakeLists.txt).
 * Calls within a file, and those of inline functions, are not counted, so the number does not depend on optimisation. */
#ifndef WALKMESH_TESTS_COUNTED_CALLS_H
#define WALKMESH_TESTS_COUNTED_CALLS_H

#include <stdint.h>

/* It only grows; always 0 in builds without WALKMESH_COUNTS_CALLS. */
extern uint64_t counted_calls;

#endif
