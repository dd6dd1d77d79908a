/* Assertions and red zones of scratch memory are active in builds with sanitizers and have no effect in
 * release builds. Calls that must abort run in a child process. */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/debug/assert.h"
#include "base/context.h"
#include "base/heap.h"
#include "base/debug/red_zone.h"
#include "base/sort.h"
#include "check.h"

#if defined(WM_ASSERTS) && WM_ASSERTS
enum { IS_ACTIVE = true };
#else
enum { IS_ACTIVE = false };
#endif
#ifdef WM_HAS_RED_ZONES
enum { IS_SANITIZED = true };
#else
enum { IS_SANITIZED = false };
#endif

static char said[16384]; /* stderr of the last child */

/* Runs `act` in a child process; true if the child exits normally. Stores its stderr in `said`. */
static bool survives(void (*act)(void)) {
  int ends[2];
  if (pipe(ends) != 0) return false;
  fflush(NULL);
  const pid_t child = fork();
  if (child == 0) {
    dup2(ends[1], STDERR_FILENO);
    act();
    _exit(0);
  }
  close(ends[1]);
  size_t length = 0;
  for (ssize_t got; (got = read(ends[0], said + length, sizeof said - 1 - length)) > 0;)
    length += (size_t)got;
  said[length] = '\0';
  close(ends[0]);
  int status = -1;
  waitpid(child, &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static int evaluated;

static bool is_one(int number) {
  evaluated++;
  return number == 1;
}

static void assert_what_holds(void) { WM_ASSERT(is_one(1)); }
static void assert_what_does_not(void) { WM_ASSERT(1 + 1 == 3); }
static void validate_what_does_not(void) { WM_VALIDATE(is_one(2)); }

static void sanitizers_bring_assertions_and_release_builds_have_none(void) {
  CHECK(IS_ACTIVE || !IS_SANITIZED);
#ifdef NDEBUG
  CHECK(!IS_ACTIVE || IS_SANITIZED);
#endif
  assert_what_holds();
  CHECK_EQUAL_INT(evaluated, IS_ACTIVE);
  CHECK(survives(assert_what_holds));
  CHECK_EQUAL_INT(survives(assert_what_does_not), !IS_ACTIVE);
  CHECK_EQUAL_INT(strstr(said, "assert_test.c:") && strstr(said, "assertion failed: 1 + 1 == 3"), IS_ACTIVE);
  CHECK_EQUAL_INT(survives(validate_what_does_not), !IS_ACTIVE);
}

/* ---- Assertions of src/base --------------------------------------------------------------------- */

static void sort_within_itself(void) {
  WmSortItem items[6] = {{3, 0}, {2, 1}, {1, 2}};
  wm_sort_stable(items, items + 2, 3);
}

static void replace_in_an_empty_heap(void) {
  uint64_t keys[2 * WM_HEAP_MARGIN];
  wm_heap_clear(keys);
  wm_heap_replace(keys, 0, 7);
}

static void rewind_in_the_wrong_order(void) {
  WmContext *context = wm_context_create(NULL);
  wm_scratch_array(context, 100, 1);
  const WmScratchMark outer = wm_scratch_mark(context);
  wm_scratch_array(context, 100, 1);
  const WmScratchMark inner = wm_scratch_mark(context);
  wm_scratch_rewind(context, outer);
  wm_scratch_rewind(context, inner);
}

static void misuse_of_the_base_is_found(void) {
  CHECK_EQUAL_INT(survives(sort_within_itself), !IS_ACTIVE);
  CHECK_EQUAL_INT(survives(replace_in_an_empty_heap), !IS_ACTIVE);
  CHECK_EQUAL_INT(survives(rewind_in_the_wrong_order), !IS_ACTIVE);
}

/* ---- Red zones ----------------------------------------------------------------------------------- */

static volatile uint8_t seen;

/* Reads `offset` bytes from the start of an array of 100 bytes that is neither the first nor the last one. */
static void read_at(ptrdiff_t offset, bool is_grown, bool is_rewound) {
  WmContext *context = wm_context_create(NULL);
  memset(wm_scratch_array(context, 50, 1), 1, 50);
  const WmScratchMark mark = wm_scratch_mark(context);
  uint8_t *array = wm_scratch_zeroed(context, is_grown ? 10 : 100, 1);
  if (is_grown) array = wm_scratch_grow(context, array, 10, 100, 1);
  memset(array, 1, 100);
  memset(wm_scratch_array(context, 50, 1), 1, 50);
  if (is_rewound) wm_scratch_rewind(context, mark);
  seen = *(volatile uint8_t *)(array + offset);
  wm_context_destroy(context);
}

static void read_the_last(void) { read_at(99, false, false); }
static void read_the_last_when_grown(void) { read_at(99, true, false); }
static void read_past_the_end(void) { read_at(100, false, false); }
static void read_past_the_end_when_grown(void) { read_at(100, true, false); }
static void read_before_the_beginning(void) { read_at(-1, false, false); }
static void read_what_was_rewound(void) { read_at(0, false, true); }

static void reading_outside_of_a_scratch_array_is_found(void) {
  CHECK(survives(read_the_last) && survives(read_the_last_when_grown));
  void (*const bad[])(void) = {read_past_the_end, read_past_the_end_when_grown, read_before_the_beginning,
                               read_what_was_rewound};
  for (size_t i = 0; i < sizeof bad / sizeof *bad && IS_SANITIZED; i++) {
    CHECK(!survives(bad[i]));
    CHECK(strstr(said, "use-after-poison"));
  }
}

/* ---- Large blocks (large_blocks.c) --------------------------------------------------------------- */

enum { LARGE_BYTES = 100000 };

static uint8_t *request_large(void) {
  uint8_t *block = malloc(LARGE_BYTES);
  if (!block) abort();
  memset(block, 1, LARGE_BYTES);
  return block;
}

static void read_the_last_of_a_large_block(void) {
  uint8_t *block = request_large();
  free(block);
  block = realloc(request_large(), 3 * LARGE_BYTES);
  if (!block || block[LARGE_BYTES - 1] != 1) abort();
  seen = block[3 * LARGE_BYTES - 1] = 1;
  free(block);
}

static void read_past_a_large_block(void) {
  volatile uint8_t *block = request_large();
  seen = block[LARGE_BYTES];
}

static void read_a_freed_large_block(void) {
  uint8_t *volatile block = request_large();
  free(block);
  seen = block[LARGE_BYTES / 2];
}

static void free_a_large_block_twice(void) {
  void *volatile block = request_large();
  free(block);
  free(block);
}

static void misuse_of_large_blocks_is_found(void) {
  CHECK(survives(read_the_last_of_a_large_block));
  void (*const bad[])(void) = {read_past_a_large_block, read_a_freed_large_block, free_a_large_block_twice};
  for (size_t i = 0; i < sizeof bad / sizeof *bad && IS_SANITIZED; i++) {
    CHECK(!survives(bad[i]));
    CHECK(strstr(said, "AddressSanitizer"));
  }
}

int main(void) {
  RUN(sanitizers_bring_assertions_and_release_builds_have_none);
  RUN(misuse_of_the_base_is_found);
  RUN(reading_outside_of_a_scratch_array_is_found);
  RUN(misuse_of_large_blocks_is_found);
  return check_finish();
}
