/* Replays the corpus and the fixtures of tests/fuzz through their harnesses, without libFuzzer: inputs that
 * once crashed, hung or gave wrong results, named after the failure, and the seeds of fuzzing. A harness
 * aborts the program at an error; then the name of its input is printed. */
#include <dirent.h>
#include <signal.h>
#include <unistd.h>

#include "check.h"
#include "dump_read.h"
#include "harness.h"

static const struct {
  const char *name;
  int (*run)(const uint8_t *bytes, size_t byte_count);
} HARNESSES[] = {{"mesh_read", fuzz_mesh_read},
                 {"tile", fuzz_tile},
                 {"mesh_edits", fuzz_mesh_edits},
                 {"dynamic", fuzz_dynamic},
                 {"dynamic_tiles", fuzz_dynamic_tiles},
                 {"detour_cache", fuzz_detour_cache},
                 {"crowd", fuzz_crowd},
                 {"bake", fuzz_bake},
                 {"stages", fuzz_stages},
                 {"contours", fuzz_contours},
                 {"queries", fuzz_queries},
                 {"walks", fuzz_walks},
                 {"motion", fuzz_motion},
                 {"parts", fuzz_parts}};

static char last_input[512];

static void tell_input(int number) {
  (void)number;
  if (write(STDERR_FILENO, last_input, strlen(last_input)) < 0 || write(STDERR_FILENO, "\n", 1) < 0) _exit(3);
  _exit(2);
}

static int replay_folder(const char *kind, const char *name,
                         int (*run)(const uint8_t *bytes, size_t byte_count)) {
  char folder[128], path[512];
  snprintf(folder, sizeof folder, "tests/fuzz/%s/%s", kind, name);
  DIR *directory = opendir(folder);
  if (!directory) return 0;
  int count = 0;
  for (const struct dirent *entry; (entry = readdir(directory)) != NULL;) {
    if (entry->d_name[0] == '.') continue;
    snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
    WmBytes file = read_file(path);
    CHECK(file.bytes != NULL);
    if (!file.bytes) continue;
    snprintf(last_input, sizeof last_input, "%s", path);
    run(file.bytes, file.byte_count);
    free(file.bytes);
    count++;
  }
  closedir(directory);
  printf("%s: %d inputs\n", folder, count);
  return count;
}

static void seeds_of_each_harness_pass(void) {
  for (size_t i = 0; i < sizeof HARNESSES / sizeof *HARNESSES; i++) {
    CHECK(replay_folder("corpus", HARNESSES[i].name, HARNESSES[i].run) > 0);
  }
}

static void inputs_that_were_found_once_pass(void) {
  for (size_t i = 0; i < sizeof HARNESSES / sizeof *HARNESSES; i++) {
    replay_folder("fixtures", HARNESSES[i].name, HARNESSES[i].run);
  }
}

int main(void) {
  signal(SIGABRT, tell_input);
  RUN(seeds_of_each_harness_pass);
  RUN(inputs_that_were_found_once_pass);
  return check_finish();
}
