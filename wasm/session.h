/* What all exports share: one session a module instance, with its context, its memory account and the
 * mailboxes through which JavaScript and C exchange more than one number. js/session.js knows where they lie.
 *
 *   account     f64 [4], bytes in use, their peak, the limit, allocations until one fails: JavaScript reads
 *               and writes them
 *   parameters  f64 [80], written by JavaScript before a call
 *   results     f64 [80], written by a call that has more than a status to tell
 *
 * Conventions: handles and addresses are unsigned 32-bit numbers (JavaScript reads them with >>> 0); a
 * function named after an object takes its handle first; a returned status is a WmStatus. Exports carry
 * the words of the JavaScript methods that call them; tests/js/exports.test.js checks that every export
 * is called and every call is exported. */
#ifndef WALKMESH_WASM_SESSION_H
#define WALKMESH_WASM_SESSION_H

#include "base/context.h"

/* Makes a function visible to JavaScript under `name`. */
#define EXPORT(name) __attribute__((export_name(#name)))

enum { MAILBOX_COUNT = 80 };

typedef struct Session {
  WmContext *context;
  const WmFailure *failure; /* of the last call that failed */
  double bytes_in_use;
  double bytes_peak;                 /* most in use at once since JavaScript last set it */
  double byte_limit;                 /* above it allocations fail; Infinity: none */
  double allocations_before_failure; /* for tests; negative: never fails on purpose */
  double parameters[MAILBOX_COUNT];
  double results[MAILBOX_COUNT];
} Session;

/* Address and size of an array, as the first two results. */
void session_return_bytes(Session *session, const void *bytes, size_t byte_count);

/* `count` parameters from `first` on, rounded to float32. */
void session_read_floats(const Session *session, int first, int count, float *values);

/* A double as an integer field: WM_ERROR_INVALID_ARGUMENT or `status` where it is not a whole number or does
 * not fit. */
WmStatus session_read_integer(Session *session, WmStatus status, const char *field, double value,
                              int32_t *integer);

#endif
