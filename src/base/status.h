/* Status codes: what every fallible function of Walkmesh returns.
 *
 * WM_OK is 0, so `if (status)` reads as "if it failed". The text, the field and the value behind a
 * failure are kept in the context (base/context.h). */
#ifndef WALKMESH_BASE_STATUS_H
#define WALKMESH_BASE_STATUS_H

typedef enum WmStatus {
  WM_OK = 0,
  WM_ERROR_INVALID_ARGUMENT = 1, /* a null pointer, an impossible count, an index out of range */
  WM_ERROR_OUT_OF_MEMORY = 2,    /* the allocator returned nothing; everything partial was freed */
  WM_ERROR_CONFIGURATION = 3,    /* a configuration field is out of its range */
  WM_ERROR_GEOMETRY = 4,         /* the input triangles cannot be used (NaN, bad index, none) */
  WM_ERROR_LIMIT = 5,            /* a documented limit of a format or a stage was reached */
  WM_ERROR_CORRUPT = 6,          /* bytes from outside are not what they claim to be */
  WM_ERROR_STATE = 7,            /* called in the wrong order, or on something already freed */
  WM_ERROR_STALE_REFERENCE = 8,  /* a reference to a polygon whose tile has gone */
  WM_ERROR_INTERNAL = 9,         /* an invariant of ours does not hold: please report it */
  WM_ERROR_UNSUPPORTED = 10      /* left out of the module that is in use (wasm/core_absent.c) */
} WmStatus;

/* A constant, lower-case name of the status, such as "out-of-memory"; "unknown" for other values. */
const char *wm_status_name(WmStatus status);

#endif
