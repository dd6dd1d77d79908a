/* What all exports share: one session a module instance, with its context, its memory account and the
 * mailboxes through which JavaScript and C exchange more than one number. js/runtime/session.js knows where they lie.
 *
 *   account   f64 [4], bytes in use, their peak, the limit, allocations until one fails: JavaScript reads and
 *             writes them
 *   inputs    words [48], written by JavaScript before a call: points, and the structs that functions take
 *   answer    words [32], written by a call that has more than a status to tell: the structs they fill in
 *   filter    the filter of a question that brings its own, written by JavaScript
 *
 * Nothing is converted on this side: structs lie in the mailboxes as C lays them out for 32-bit addresses,
 * JavaScript reads and writes their words: wasm/layout.c names the structs, js/runtime/layout.js has the offsets.
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
  double bytes_peak;                 /* most in use at once since JavaScript last set it */
  double byte_limit;                 /* above it allocations fail; Infinity: none */
  double allocations_before_failure; /* for tests; negative: never fails on purpose */
  _Alignas(8) float inputs[48];
  _Alignas(8) uint32_t answer[32];
  WmFilter filter;
} Session;

/* A mesh and its query: the handle of a NavMesh. */
typedef struct Mesh {
  Session *session;
  WmMesh *mesh;
  WmQuery *query;
} Mesh;

/* The answer as a struct, and the inputs from word `first` on as one. */
#define ANSWER(type, session) ((type *)(void *)(session)->answer)
#define INPUT(type, session, first) ((type *)(void *)((session)->inputs + (first)))

/* Wraps a mesh; on failure the mesh is destroyed. Answer: the handle. */
WmStatus session_return_mesh(Session *session, WmMesh *inner);

/* Address and size of an array, as the first two words of the answer. */
void session_return_bytes(Session *session, const void *bytes, size_t byte_count);

#endif
