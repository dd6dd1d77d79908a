/* See trace.h. */
#include "trace.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "counted_calls.h"
#include "guarded_memory.h"

#if defined(WM_ASSERTS) || defined(WM_FORCE_SCALAR) || !defined(__x86_64__) || defined(__clang__)
enum { MEASURES_MEMORY = 0 };
#else
enum { MEASURES_MEMORY = 1 };
#endif

#ifdef WALKMESH_COUNTS_CALLS
enum { COUNTS_CALLS = MEASURES_MEMORY };
#else
enum { COUNTS_CALLS = 0 };
#endif

enum { ROW_LIMIT = 256, NAME_BYTES = 48 };

typedef struct Row {
  char name[NAME_BYTES];
  uint64_t hash;
  MemoryMeter memory;
  uint64_t calls;
  bool is_used;
} Row;

static struct {
  const char *topic;
  char path[128];
  Row rows[ROW_LIMIT], *row;
  int count;
  bool records, searches;
  uint64_t hash, calls_before;
} trace;

void trace_open(const char *topic) {
  memset(&trace, 0, sizeof trace);
  trace.topic = topic;
  trace.records = getenv("WALKMESH_RECORD") != NULL;
  trace.searches = getenv("WALKMESH_TRACE_SEEDS") != NULL;
  snprintf(trace.path, sizeof trace.path, "tests/golden/traces/%s.txt", topic);
  FILE *file = trace.searches ? NULL : fopen(trace.path, "r");
  if (!file) return;
  char line[256];
  while (trace.count < ROW_LIMIT && fgets(line, sizeof line, file)) {
    Row *row = &trace.rows[trace.count];
    MemoryMeter *memory = &row->memory;
    trace.count +=
        sscanf(line, "%47s %" SCNx64 " %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64, row->name,
               &row->hash, &memory->requests, &memory->bytes, &memory->peak, &memory->sum, &row->calls) >= 6;
  }
  fclose(file);
}

uint32_t trace_seeds(uint32_t usual) {
  const char *text = getenv("WALKMESH_TRACE_SEEDS");
  return text ? (uint32_t)strtoul(text, NULL, 10) : usual;
}

void trace_begin(const char *name) {
  int i = trace.searches ? trace.count : 0;
  while (i < trace.count && strcmp(trace.rows[i].name, name) != 0) i++;
  if (i == trace.count) {
    if (i == ROW_LIMIT) abort();
    trace.count += !trace.searches;
    trace.rows[i] = (Row){0};
    snprintf(trace.rows[i].name, NAME_BYTES, "%s", name);
  }
  trace.row = &trace.rows[i];
  if (trace.row->is_used) abort(); /* two traces of one name */
  trace.row->is_used = true;
  trace.hash = UINT64_C(14695981039346656037);
  begin_memory_meter();
  trace.calls_before = counted_calls;
}

/* One multiplication for eight bytes, since traces fold many. */
void trace_fold(const void *bytes, size_t byte_count) {
  const uint8_t *byte = bytes;
  for (; byte_count >= 8; byte_count -= 8, byte += 8) {
    uint64_t word;
    memcpy(&word, byte, 8);
    trace.hash = (trace.hash ^ word) * UINT64_C(1099511628211);
    trace.hash ^= trace.hash >> 29;
  }
  for (; byte_count > 0; byte_count--) trace.hash = (trace.hash ^ *byte++) * UINT64_C(1099511628211);
}

void trace_number(uint64_t number) {
  TRACE(number);
  sample_memory_meter();
}

void trace_text(const char *text) { trace_fold(text, strlen(text) + 1); }

void trace_status(WmContext *context, WmStatus status) {
  trace_number((uint64_t)status);
  if (!status) return;
  const WmError *error = wm_context_error(context);
  trace_text(error->field);
  trace_text(error->message);
}

static void compare(const char *what, uint64_t value, uint64_t golden) {
  if (value == golden) return;
  char text[256];
  snprintf(text, sizeof text,
           "%s %s: %s is %" PRIu64 ", %" PRIu64 " in the golden file (trace.h says how to record it)",
           trace.topic, trace.row->name, what, value, golden);
  check_report("tests/c/trace.c", __LINE__, text);
}

void trace_end(void) {
  Row *row = trace.row;
  const MemoryMeter memory = end_memory_meter();
  const uint64_t calls = counted_calls - trace.calls_before;
  if (trace.searches) {
    printf("%s %016" PRIx64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 "\n", row->name, trace.hash,
           memory.requests, memory.bytes, memory.sum, calls);
    return;
  }
  if (trace.records) {
    row->hash = trace.hash;
    if (MEASURES_MEMORY) row->memory = memory;
    if (COUNTS_CALLS) row->calls = calls;
    return;
  }
  compare("the hash of the results", trace.hash, row->hash);
  if (COUNTS_CALLS) compare("the number of calls between files", calls, row->calls);
  if (!MEASURES_MEMORY) return;
  compare("the number of requests for memory", memory.requests, row->memory.requests);
  compare("the number of requested bytes", memory.bytes, row->memory.bytes);
  compare("the most bytes in use", memory.peak, row->memory.peak);
  compare("the sum of the bytes in use at each request and each number", memory.sum, row->memory.sum);
}

/* By name, so that a new row moves no other one. */
static void sort_rows(void) {
  for (int i = 1; i < trace.count; i++) {
    const Row row = trace.rows[i];
    int k = i;
    for (; k > 0 && strcmp(trace.rows[k - 1].name, row.name) > 0; k--) trace.rows[k] = trace.rows[k - 1];
    trace.rows[k] = row;
  }
}

static void record(void) {
  FILE *file = fopen(trace.path, "w");
  if (!file) {
    check_report("tests/c/trace.c", __LINE__, "the golden file can't be written");
    return;
  }
  sort_rows();
  fprintf(
      file,
      "# Name and hash of results; requests for memory, requested bytes, most bytes in use, bytes in use "
      "summed over requests and traced numbers; calls between files.\n# tests/c/trace.h says what this is "
      "and how to write it again.\n");
  for (int i = 0; i < trace.count; i++) {
    const Row *row = &trace.rows[i];
    const MemoryMeter *memory = &row->memory;
    if (row->is_used) {
      fprintf(file, "%s %016" PRIx64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 "\n",
              row->name, row->hash, memory->requests, memory->bytes, memory->peak, memory->sum, row->calls);
    }
  }
  fclose(file);
  printf("wrote %s\n", trace.path);
}

void trace_close(void) {
  if (trace.searches) return;
  if (trace.records) {
    record();
    return;
  }
  for (int i = 0; i < trace.count; i++)
    CHECK(trace.rows[i].is_used); /* else the golden file has a row too many */
}
