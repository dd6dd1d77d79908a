/* Runs a harness on random inputs, each in a process of its own, without libFuzzer:
 *
 *     fuzz_random HARNESS FIRST COUNT [LONGEST]     inputs FIRST to FIRST + COUNT - 1; prints the numbers of those that fail, and why
 *     fuzz_random HARNESS -f FILE                   the input of a file
 *     fuzz_random HARNESS -w NUMBER FILE [LONGEST]  writes an input to a file
 *
 * An input follows from its number and from LONGEST, its greatest length in bytes. */
#define _POSIX_C_SOURCE 200809L /* fileno, ftruncate */
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "dump_read.h"
#include "harness.h"

enum { LONGEST = 600, LENGTH_LIMIT = 1 << 16, LONGEST_COPY = 24, TIME_LIMIT = 60 /* seconds */ };

/* The bits of the first byte of `shortest` that add connections and segment links, where most faults were. */
enum { LINKS = 8 | 16 };

/* ---- Inputs ------------------------------------------------------------------------------------------- */

/* A number below `count`, of splitmix64. */
static uint32_t draw(uint64_t *state, uint32_t count) {
  uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
  z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
  return (uint32_t)((z >> 32) % count);
}

/* Makes the input of a number: random bytes; in half of the inputs also copies of earlier ones, so that equal choices come again.
 * returns    its length */
static size_t make_input(const FuzzHarness *harness, uint64_t number, uint32_t longest, uint8_t *bytes) {
  uint64_t state = number;
  const uint32_t count = 1 + draw(&state, longest), copies = draw(&state, 2);
  for (uint32_t i = 0; i < count; i++) bytes[i] = (uint8_t)draw(&state, 256);
  for (uint32_t i = 1; copies && i < count; i += 1 + draw(&state, 2 * LONGEST_COPY)) {
    const uint32_t from = draw(&state, i), length = draw(&state, LONGEST_COPY);
    for (uint32_t k = 0; k < length && i + k < count; k++) bytes[i + k] = bytes[from + k];
  }
  if (harness->run == fuzz_shortest) bytes[0] |= (uint8_t)(draw(&state, 256) & LINKS);
  return count;
}

static bool write_input(const char *path, const uint8_t *bytes, size_t byte_count) {
  FILE *file = fopen(path, "wb");
  if (!file) return false;
  const bool is_written = fwrite(bytes, 1, byte_count, file) == byte_count;
  return fclose(file) == 0 && is_written;
}

/* ---- Runs --------------------------------------------------------------------------------------------- */

static bool run_file(const FuzzHarness *harness, const char *path) {
  const WmBytes file = read_file(path);
  if (file.bytes) harness->run(file.bytes, file.byte_count);
  free(file.bytes);
  return file.bytes != NULL;
}

/* Runs the harness in a process of its own, whose errors go to a file: those of its checks, or the signal that has ended it.
 * returns    false: it has failed */
static bool run_apart(const FuzzHarness *harness, const uint8_t *bytes, size_t byte_count, FILE *errors) {
  const pid_t child = fork();
  if (child == 0) {
    dup2(fileno(errors), STDERR_FILENO);
    alarm(TIME_LIMIT);
    harness->run(bytes, byte_count);
    _exit(0);
  }
  int status;
  FUZZ_REQUIRE(child > 0 && waitpid(child, &status, 0) == child);
  if (WIFSIGNALED(status) && WTERMSIG(status) != SIGABRT)
    fprintf(errors, "ended by signal %d%s\n", WTERMSIG(status),
            WTERMSIG(status) == SIGALRM ? ": too slow" : "");
  return status == 0;
}

/* Prints what a failed process has written, and empties the file. */
static void print_errors(uint64_t number, FILE *errors) {
  char line[512];
  printf("input %llu fails\n", (unsigned long long)number);
  rewind(errors);
  while (fgets(line, sizeof line, errors)) printf("  %s", line);
  fflush(stdout);
  FUZZ_REQUIRE(ftruncate(fileno(errors), 0) == 0);
  rewind(errors);
}

/* Returns the number of inputs that fail. */
static uint64_t run_inputs(const FuzzHarness *harness, uint64_t first, uint64_t count, uint32_t longest) {
  static uint8_t bytes[LENGTH_LIMIT];
  FILE *errors = tmpfile();
  FUZZ_REQUIRE(errors);
  uint64_t failed = 0;
  for (uint64_t i = first; i < first + count; i++) {
    const size_t byte_count = make_input(harness, i, longest, bytes);
    if (run_apart(harness, bytes, byte_count, errors)) continue;
    print_errors(i, errors);
    failed++;
  }
  printf("%s: %llu of %llu inputs fail\n", harness->name, (unsigned long long)failed,
         (unsigned long long)count);
  fclose(errors);
  return failed;
}

static const FuzzHarness *find_harness(const char *name) {
  const FuzzHarness *harness = FUZZ_HARNESSES;
  while (harness->name && strcmp(harness->name, name) != 0) harness++;
  return harness->name ? harness : NULL;
}

static uint64_t number_of(const char *text) { return strtoull(text, NULL, 10); }

int main(int argument_count, char **arguments) {
  const FuzzHarness *harness = argument_count > 3 ? find_harness(arguments[1]) : NULL;
  const bool reads = harness && strcmp(arguments[2], "-f") == 0,
             writes = harness && argument_count > 4 && strcmp(arguments[2], "-w") == 0;
  const int length_at = writes ? 5 : 4;
  const uint64_t longest = argument_count > length_at ? number_of(arguments[length_at]) : LONGEST;
  if (!harness || longest == 0 || longest > LENGTH_LIMIT) {
    fprintf(stderr, "use: fuzz_random HARNESS FIRST COUNT [LONGEST] | -f FILE | -w NUMBER FILE [LONGEST]\n");
    return 2;
  }
  if (reads) return !run_file(harness, arguments[3]);
  if (writes) {
    static uint8_t bytes[LENGTH_LIMIT];
    const size_t byte_count = make_input(harness, number_of(arguments[3]), (uint32_t)longest, bytes);
    return !write_input(arguments[4], bytes, byte_count);
  }
  return run_inputs(harness, number_of(arguments[2]), number_of(arguments[3]), (uint32_t)longest) > 0;
}
