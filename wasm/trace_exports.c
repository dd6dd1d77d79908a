/* Exports of traces: a path, and what its search decided. */
#include "base/buffer.h"
#include "query/search/path.h"
#include "query/search/trace.h"
#include "session.h"

/* The events of one search. */
typedef struct Recording {
  WmContext *context;
  WmBuffer events; /* WmTraceEvent */
  size_t count;
  bool cut; /* the memory ended: later events are missing */
} Recording;

static void record(void *user, const WmTraceEvent *event) {
  Recording *recording = user;
  recording->cut |=
      wm_buffer_reserve(recording->context, &recording->events, recording->count + 1, sizeof *event) != WM_OK;
  if (!recording->cut) ((WmTraceEvent *)recording->events.items)[recording->count++] = *event;
}

/* Inputs: start[3], end[3], WmPathOptions. Answer: a WmPath, then the address of WmTraceEvents, to be freed with
 * memory_free, their number, and whether some are missing. */
EXPORT(query_trace_path) WmStatus export_query_trace_path(Mesh *mesh) {
  Session *session = mesh->session;
  Recording recording = {.context = session->context};
  const WmTraceSink sink = {record, &recording};
  wm_query_trace(mesh->query, &sink);
  const WmStatus status = wm_query_find_path(mesh->query, session->inputs, session->inputs + 3,
                                             INPUT(WmPathOptions, session, 6), ANSWER(WmPath, session));
  wm_query_trace(mesh->query, NULL);
  uint32_t *more = session->answer + sizeof(WmPath) / 4;
  if (status) {
    wm_block_free(session->context, recording.events.items);
    recording = (Recording){0};
  }
  more[0] = (uint32_t)(uintptr_t)recording.events.items;
  more[1] = (uint32_t)recording.count;
  more[2] = recording.cut;
  return status;
}
