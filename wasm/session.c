/* The session: creation, memory account, errors. See session.h. */
#include "session.h"

#include <math.h>
#include <stdlib.h>

#include "heap.h"

/* ---- The allocator: counts bytes, obeys the limit, fails on demand ------------------------------------ */

/* The most bytes that a block uses besides those requested. */
enum { BLOCK_OVERHEAD = 48 };

static void *allocate_counted(void *user, size_t bytes) {
  Session *session = user;
  if (session->bytes_in_use + (double)(bytes + BLOCK_OVERHEAD) > session->byte_limit) return NULL;
  if (session->allocations_before_failure == 0) return NULL;
  if (session->allocations_before_failure > 0) session->allocations_before_failure--;
  void *block = malloc(bytes);
  if (!block) return NULL;
  session->bytes_in_use += (double)heap_block_bytes(block);
  if (session->bytes_in_use > session->bytes_peak) session->bytes_peak = session->bytes_in_use;
  return block;
}

static void release_counted(void *user, void *block) {
  Session *session = user;
  session->bytes_in_use -= (double)heap_block_bytes(block);
  free(block);
}

/* ---- Creation ------------------------------------------------------------------------------------------ */

/* Returns NULL if there is too little memory for a session. */
EXPORT(session_create) Session *export_session_create(void) {
  Session *session = malloc(sizeof *session);
  if (!session) return NULL;
  session->bytes_in_use = session->bytes_peak = 0;
  session->byte_limit = INFINITY;
  session->allocations_before_failure = -1;
  session->filter = wm_filter_default();
  const WmAllocator allocator = {allocate_counted, release_counted, session};
  session->context = wm_context_create(&allocator);
  if (!session->context) {
    free(session);
    return NULL;
  }
  session->failure = wm_context_failure(session->context);
  return session;
}

/* ---- Memory -------------------------------------------------------------------------------------------- */

/* Frees memory that is reserved for reuse. */
EXPORT(session_trim) void export_session_trim(Session *session) { wm_context_trim(session->context); }

/* Memory for JavaScript to fill; NULL after recording out-of-memory. */
EXPORT(memory_allocate) void *export_memory_allocate(Session *session, size_t bytes) {
  return wm_block_allocate(session->context, bytes);
}

EXPORT(memory_free) void export_memory_free(Session *session, void *block) {
  wm_block_free(session->context, block);
}

/* ---- For the other exports ----------------------------------------------------------------------------- */

void session_return_bytes(Session *session, const void *bytes, size_t byte_count) {
  session->answer[0] = (uint32_t)(uintptr_t)bytes;
  session->answer[1] = (uint32_t)byte_count;
}
