/* Shared by all exports: one session for each instance of the module, with its context, its memory account,
 * and buffers for arguments and results that are more than one number (js/runtime/session.js).
 *
 *   account   f64 [4]: bytes in use, their peak, the limit, allocations until one fails: JavaScript reads and
 *             writes them
 *   inputs    words [48], written by JavaScript before a call: points, and the structs that are arguments
 *   answer    words [36], written by a call that returns more than a status: the structs that are results
 *   filter    the filter of a query with a filter of its own, written by JavaScript
 *
 * C converts nothing: structs in the buffers have C's layout with 32-bit addresses, and JavaScript reads and
 * writes their words. wasm/layout.c names the structs, js/runtime/layout.js has the offsets.
 *
 * Conventions: handles and addresses are unsigned 32-bit numbers (JavaScript reads them with >>> 0);
 * references are f64 as arguments and two words in structs; a function named after an object takes its handle
 * first; a returned status is a WmStatus. Exports carry the words of the JavaScript methods that call them;
 * tests/js/exports.test.js checks that every export is called and every call is exported. */
#ifndef WALKMESH_WASM_SESSION_H
#define WALKMESH_WASM_SESSION_H

#include "query/query.h"

/* Makes a function visible to JavaScript under `name`. */
#define EXPORT(name) __attribute__((export_name(#name)))

typedef struct Session {
  WmContext *context;
  const WmFailure *failure; /* of the last call that failed */
  double bytes_in_use;
  double bytes_peak;                 /* largest bytes_in_use since JavaScript last set it */
  double byte_limit;                 /* allocations beyond it fail; Infinity: none */
  double allocations_before_failure; /* for tests; negative: none fails on purpose */
  _Alignas(8) float inputs[48];
  _Alignas(8) uint32_t answer[40];
  WmFilter filter;
} Session;

/* A mesh and its query: the handle of a NavMesh. */
typedef struct Mesh {
  Session *session;
  WmMesh *mesh;
  WmQuery *query;
} Mesh;

/* The answer, and the inputs from word `first` on, as a struct. */
#define ANSWER(type, session) ((type *)(void *)(session)->answer)
#define INPUT(type, session, first) ((type *)(void *)((session)->inputs + (first)))

/* Wraps a mesh; on failure the mesh is destroyed. Answer: the handle. */
WmStatus session_return_mesh(Session *session, WmMesh *inner);

/* Answer: address and size of an array. */
void session_return_bytes(Session *session, const void *bytes, size_t byte_count);

#endif
