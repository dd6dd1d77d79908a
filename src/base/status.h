/* Status codes, returned by every function of Walkmesh that can fail.
 *
 * WM_OK is 0: `if (status)` means "if it failed". The context (base/context.h) stores the message, the field
 * and the value of the last failure. */
#ifndef WALKMESH_BASE_STATUS_H
#define WALKMESH_BASE_STATUS_H

#include "base/public.h"

WM_PUBLIC_BEGIN

typedef enum WmStatus {
  WM_OK = 0,
  WM_ERROR_INVALID_ARGUMENT = 1, /* a null pointer, an invalid count, an index out of range */
  WM_ERROR_OUT_OF_MEMORY = 2,    /* the allocator returned NULL; partial results were freed */
  WM_ERROR_CONFIGURATION = 3,    /* a configuration field is out of its range */
  WM_ERROR_GEOMETRY = 4,         /* invalid input triangles: NaN, a bad index, none at all */
  WM_ERROR_LIMIT = 5,            /* a documented limit of a format or a stage is exceeded */
  WM_ERROR_CORRUPT = 6,          /* bytes from outside do not have the format they should have */
  WM_ERROR_STATE = 7,            /* called in the wrong order, or on a freed object */
  WM_ERROR_STALE_REFERENCE = 8,  /* a reference to a polygon whose tile was removed */
  WM_ERROR_INTERNAL = 9,         /* an invariant of this library is violated: please report it */
  WM_ERROR_UNSUPPORTED = 10      /* not part of this WebAssembly module (wasm/core_absent.c) */
} WmStatus;

/* The lower-case name of a status, such as "out-of-memory"; "unknown" for other values. Never freed. */
const char *wm_status_name(WmStatus status);

WM_PUBLIC_END

#endif
