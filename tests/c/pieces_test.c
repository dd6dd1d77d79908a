/* Memory that grows in pieces: what is allocated stays in place, and pieces are used again. */
#include "base/pieces.h"
#include "check.h"

enum { COUNT = 2000 };

/* Array i has this many bytes: some are larger than a piece. */
static size_t bytes_of(size_t i) { return i % 500 == 499 ? 300000 : (i * 37) % 4000; }

static void fill(WmContext *context, WmPieces *pieces, uint8_t **arrays) {
  for (size_t i = 0; i < COUNT; i++) {
    arrays[i] = wm_pieces_allocate(context, pieces, bytes_of(i));
    CHECK(arrays[i] && ((uintptr_t)arrays[i] & 15) == 0);
    memset(arrays[i], (int)(i % 251), bytes_of(i));
  }
}

static void arrays_stay_where_they_are(void) {
  WmContext *context = wm_context_create(NULL);
  WmPieces pieces = {0};
  uint8_t *arrays[COUNT];
  fill(context, &pieces, arrays);
  size_t sum = 0, wrong = 0;
  for (size_t i = 0; i < COUNT; i++) {
    sum += (bytes_of(i) + 15) / 16 * 16;
    for (size_t k = 0; k < bytes_of(i); k++) wrong += arrays[i][k] != i % 251;
  }
  CHECK_EQUAL_INT(wrong, 0);
  CHECK_EQUAL_INT(pieces.bytes, sum);
  wm_pieces_free(context, &pieces);
  wm_context_destroy(context);
}

typedef struct Counter {
  size_t blocks;
  bool fails;
} Counter;

static void *count_block(void *user, size_t bytes) {
  Counter *counter = user;
  if (counter->fails) return NULL;
  counter->blocks++;
  return malloc(bytes);
}

static void release_block(void *user, void *block) {
  (void)user;
  free(block);
}

static void pieces_are_used_again_after_clearing(void) {
  Counter counter = {0};
  const WmAllocator allocator = {.user = &counter, .allocate = count_block, .release = release_block};
  WmContext *context = wm_context_create(&allocator);
  WmPieces pieces = {0};
  uint8_t *first[COUNT], *again[COUNT];
  fill(context, &pieces, first);
  const size_t blocks = counter.blocks;
  wm_pieces_clear(&pieces);
  CHECK_EQUAL_INT(pieces.bytes, 0);
  fill(context, &pieces, again);
  CHECK_EQUAL_INT(counter.blocks, blocks);
  CHECK(memcmp(first, again, sizeof first) == 0);
  counter.fails = true;
  CHECK(wm_pieces_allocate(context, &pieces, 1 << 20) == NULL);
  CHECK_EQUAL_INT(again[0] ? again[1][0] : 0, 1);
  wm_pieces_free(context, &pieces);
  wm_context_destroy(context);
}

int main(void) {
  RUN(arrays_stay_where_they_are);
  RUN(pieces_are_used_again_after_clearing);
  return check_finish();
}
