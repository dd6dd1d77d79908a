/* Names of status codes. */
#include "base/status.h"

const char *wm_status_name(WmStatus status) {
  switch (status) {
    case WM_OK: return "ok";
    case WM_ERROR_INVALID_ARGUMENT: return "invalid-argument";
    case WM_ERROR_OUT_OF_MEMORY: return "out-of-memory";
    case WM_ERROR_CONFIGURATION: return "configuration";
    case WM_ERROR_GEOMETRY: return "geometry";
    case WM_ERROR_LIMIT: return "limit";
    case WM_ERROR_CORRUPT: return "corrupt";
    case WM_ERROR_STATE: return "state";
    case WM_ERROR_STALE_REFERENCE: return "stale-reference";
    case WM_ERROR_INTERNAL: return "internal";
    case WM_ERROR_UNSUPPORTED: return "unsupported";
  }
  return "unknown";
}
