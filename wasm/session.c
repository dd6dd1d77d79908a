/* The session: creation, memory account, errors. See session.h. */
#include "session.h"

#include <math.h>
#include <stdlib.h>

/* ---- The allocator: counts, obeys the limit, fails on demand ------------------------------------------ */

/* Precedes every block; 16 bytes, so that blocks keep the alignment of malloc. */
typedef struct BlockHeader {
  size_t bytes;
  size_t unused[3];
} BlockHeader;

static void *allocate_counted(void *user, size_t bytes) {
  Session *session = user;
  if (bytes > SIZE_MAX - sizeof(BlockHeader)) return NULL;
  if (session->bytes_in_use + (double)bytes > session->byte_limit) return NULL;
  if (session->allocations_before_failure == 0) return NULL;
  if (session->allocations_before_failure > 0) session->allocations_before_failure--;
  BlockHeader *header = malloc(sizeof *header + bytes);
  if (!header) return NULL;
  header->bytes = bytes;
  session->bytes_in_use += (double)bytes;
  if (session->bytes_in_use > session->bytes_peak) session->bytes_peak = session->bytes_in_use;
  return header + 1;
}

static void release_counted(void *user, void *block) {
  Session *session = user;
  BlockHeader *header = (BlockHeader *)block - 1;
  session->bytes_in_use -= (double)header->bytes;
  free(header);
}

/* ---- Life ---------------------------------------------------------------------------------------------- */

/* Returns NULL when there is no memory even for this. */
EXPORT(session_create) Session *export_session_create(void) {
  Session *session = malloc(sizeof *session);
  if (!session) return NULL;
  session->bytes_in_use = session->bytes_peak = 0;
  session->byte_limit = INFINITY;
  session->allocations_before_failure = -1;
  const WmAllocator allocator = {allocate_counted, release_counted, session};
  session->context = wm_context_create(&allocator);
  if (!session->context) {
    free(session);
    return NULL;
  }
  return session;
}

/* Address of the account, which the parameters and the results follow. */
EXPORT(session_mailboxes) double *export_session_mailboxes(Session *session) {
  return &session->bytes_in_use;
}

/* ---- Memory -------------------------------------------------------------------------------------------- */

/* Gives memory that only waits for reuse back. */
EXPORT(session_trim) void export_session_trim(Session *session) { wm_context_trim(session->context); }

/* Memory for JavaScript to fill; NULL after recording out-of-memory. */
EXPORT(memory_allocate) void *export_memory_allocate(Session *session, size_t bytes) {
  return wm_block_allocate(session->context, bytes);
}

EXPORT(memory_free) void export_memory_free(Session *session, void *block) {
  wm_block_free(session->context, block);
}

/* ---- Errors ------------------------------------------------------------------------------------------ */

/* Results: of the last failure the value, the status, and the addresses of its field and message. */
EXPORT(error_read) void export_error_read(Session *session) {
  const WmError *error = wm_context_error(session->context);
  session->results[0] = error->value;
  session->results[1] = error->status;
  session->results[2] = (double)(uintptr_t)error->field;
  session->results[3] = (double)(uintptr_t)error->message;
}

/* ---- For the other exports ----------------------------------------------------------------------------- */

void session_return_bytes(Session *session, const void *bytes, size_t byte_count) {
  session->results[0] = (double)(uintptr_t)bytes;
  session->results[1] = (double)byte_count;
}

void session_read_floats(const Session *session, int first, int count, float *values) {
  for (int i = 0; i < count; i++) values[i] = (float)session->parameters[first + i];
}

WmStatus session_read_integer(Session *session, WmStatus status, const char *field, double value,
                              int32_t *integer) {
  if (!(value >= INT32_MIN && value <= INT32_MAX) || value != floor(value)) {
    return wm_fail_number(session->context, status, field, field, value, " is not a whole number in range");
  }
  *integer = (int32_t)value;
  return WM_OK;
}
