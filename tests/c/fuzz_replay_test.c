/* Replays the corpus and the fixtures of tests/fuzz through their harnesses, without libFuzzer: inputs that
 * once crashed, hung or gave wrong results, named after the failure, and the seeds of fuzzing. A harness
 * aborts the program at an error; then the name of its input is printed. The memory that the library requests
 * meanwhile is that of golden traces (trace.h): it follows from most results, and from all sizes. */
#include <dirent.h>
#include <signal.h>
#include <unistd.h>

#include "check.h"
#include "dump_read.h"
#include "harness.h"
#include "trace.h"

static char last_input[512];

static void tell_input(int number) {
  (void)number;
  if (write(STDERR_FILENO, last_input, strlen(last_input)) < 0 || write(STDERR_FILENO, "\n", 1) < 0) _exit(3);
  _exit(2);
}

enum { INPUT_LIMIT = 256, NAME_BYTES = 256 };

/* The names of a folder's files in their order, which is not that of the folder. Returns their number. */
static int list_inputs(const char *folder, char names[INPUT_LIMIT][NAME_BYTES]) {
  DIR *directory = opendir(folder);
  if (!directory) return 0;
  int count = 0;
  for (const struct dirent *entry; (entry = readdir(directory)) != NULL && count < INPUT_LIMIT;) {
    if (entry->d_name[0] == '.') continue;
    int i = count++;
    for (; i > 0 && strcmp(names[i - 1], entry->d_name) > 0; i--) memcpy(names[i], names[i - 1], NAME_BYTES);
    snprintf(names[i], NAME_BYTES, "%s", entry->d_name);
  }
  closedir(directory);
  CHECK(count < INPUT_LIMIT);
  return count;
}

static int replay_folder(const char *kind, const FuzzHarness *harness) {
  static char names[INPUT_LIMIT][NAME_BYTES];
  char folder[128], path[512];
  snprintf(folder, sizeof folder, "tests/fuzz/%s/%s", kind, harness->name);
  const int count = list_inputs(folder, names);
  if (count == 0) return 0;
  snprintf(path, sizeof path, "%s-%s", kind, harness->name);
  trace_begin(path);
  for (int i = 0; i < count; i++) {
    snprintf(path, sizeof path, "%s/%s", folder, names[i]);
    WmBytes file = read_file(path);
    CHECK(file.bytes != NULL);
    if (!file.bytes) continue;
    snprintf(last_input, sizeof last_input, "%s", path);
    harness->run(file.bytes, file.byte_count);
    free(file.bytes);
  }
  trace_end();
  printf("%s: %d inputs\n", folder, count);
  return count;
}

static void seeds_of_each_harness_pass(void) {
  for (size_t i = 0; FUZZ_HARNESSES[i].name; i++) {
    CHECK(replay_folder("corpus", &FUZZ_HARNESSES[i]) > 0);
  }
}

static void inputs_that_were_found_once_pass(void) {
  for (size_t i = 0; FUZZ_HARNESSES[i].name; i++) {
    replay_folder("fixtures", &FUZZ_HARNESSES[i]);
  }
}

int main(void) {
  signal(SIGABRT, tell_input);
  trace_open("replay");
  RUN(seeds_of_each_harness_pass);
  RUN(inputs_that_were_found_once_pass);
  trace_close();
  return check_finish();
}
