/* Exports of traces: a path, and what its search decided. */
#include <string.h>

#include "query/search/path.h"
#include "query/trace.h"
#include "session.h"

/* The events of one search. */
typedef struct Recording {
  WmContext *context;
  WmTraceEvent *events;
  size_t count, capacity;
  bool cut; /* the memory ended: later events are missing */
} Recording;

/* Makes room for more events.
 * returns    false: out of memory; the events stay */
static bool grow(Recording *recording) {
  const size_t capacity = recording->capacity * 2 + 64;
  WmTraceEvent *events = wm_block_allocate(recording->context, capacity * sizeof *events);
  if (!events) return false;
  if (recording->count) memcpy(events, recording->events, recording->count * sizeof *events);
  wm_block_free(recording->context, recording->events);
  recording->events = events;
  recording->capacity = capacity;
  return true;
}

static void record(void *user, const WmTraceEvent *event) {
  Recording *recording = user;
  if (recording->cut) return;
  recording->cut = recording->count == recording->capacity && !grow(recording);
  if (!recording->cut) recording->events[recording->count++] = *event;
}

/* Inputs: start[3], end[3], WmPathOptions. Answer: a WmPath, then the address of an array of WmTraceEvent, to be freed
 * with memory_free, the number of its events, and whether later ones are missing. */
EXPORT(query_trace_path) WmStatus export_query_trace_path(Mesh *mesh) {
  Session *session = mesh->session;
  _Static_assert(sizeof(WmPath) + 3 * sizeof(uint32_t) <= sizeof session->answer, "the answer has room");
  Recording recording = {.context = session->context};
  const WmTraceSink sink = {record, &recording};
  wm_query_trace(mesh->query, &sink);
  const WmStatus status = wm_query_find_path(mesh->query, session->inputs, session->inputs + 3,
                                             INPUT(WmPathOptions, session, 6), ANSWER(WmPath, session));
  wm_query_trace(mesh->query, NULL);
  uint32_t *more = session->answer + sizeof(WmPath) / 4;
  if (status) {
    wm_block_free(session->context, recording.events);
    recording = (Recording){0};
  }
  more[0] = (uint32_t)(uintptr_t)recording.events;
  more[1] = (uint32_t)recording.count;
  more[2] = recording.cut;
  return status;
}
