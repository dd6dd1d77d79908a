/* Golden traces: a test runs a scenario, folds every result into a hash, and compares it with the one in
 * tests/golden/traces/TOPIC.txt. Every result is the same bits in all builds (docs/determinism.md), so a trace
 * notices every change of a result, however small, and a code path whose outcome other tests only bound.
 *
 * After an intended change of results, or of the memory that the library requests, one command writes all files
 * again, by a build with gcc on x86-64, with SIMD and without sanitizers:
 *
 *   cmake -S . -B build/native && cmake --build build/native --target walkmesh_tests record_traces
 *
 * (WALKMESH_RECORD=1 build/native/walkmesh_tests trace_crowd_test: one topic.) Then look at the difference: the first
 * number of a row is the hash of its results, which changes only if behaviour does; the next four are memory, and change
 * with each array that is larger, or returned at another time; the last one counts calls between files of the library
 * (counted_calls.h), and changes if more or less work is done.
 *
 * Memory and calls are compared only where it is the same as where it was recorded: with gcc (clang evaluates the arguments of the
 * fuzz harnesses in another order) on x86-64, with SIMD, without assertions, whose validators request memory, too. */
#ifndef WALKMESH_TESTS_TRACE_H
#define WALKMESH_TESTS_TRACE_H

#include <stddef.h>
#include <stdint.h>

#include "base/context.h"

/* Reads the rows of a topic; writes them if WALKMESH_RECORD is set, and else fails if one was not compared. */
void trace_open(const char *topic);
void trace_close(void);

/* Begins the trace of a name without blanks; ends it, and compares it. */
void trace_begin(const char *name);
void trace_end(void);

/* The number of seeds that a test plays: `usual`, or what WALKMESH_TRACE_SEEDS says, to search for one that tells a
 * changed library from the present one. All hashes are then printed instead of compared. */
uint32_t trace_seeds(uint32_t usual);

/* Adds bytes to the trace, which must not hold pointers, or padding of structs. */
void trace_fold(const void *bytes, size_t byte_count);
#define TRACE(value) trace_fold(&(value), sizeof(value))

void trace_number(uint64_t number);
void trace_text(const char *text);

/* Adds a status; of a failure also field, message and numbers of the error. */
void trace_status(WmContext *context, WmStatus status);

#endif
