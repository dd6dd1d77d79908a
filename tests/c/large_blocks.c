/* Large blocks of builds with AddressSanitizer, which takes new pages from the system for each of them and gives
 * them back: that takes half the time of tests that bake. Here the linker calls these functions instead of malloc,
 * free and realloc (--wrap, CMakeLists.txt). They keep freed large blocks and use them again, those freed longest
 * ago first.
 *
 * AddressSanitizer still reports the same mistakes: the bytes behind a block are forbidden, and so is a freed block.
 * The leak detector finds the free blocks in the list below, but not those in use: their addresses are complemented. */
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/debug/red_zone.h"

/* Blocks from LEAST_BYTES to FREE_LIMIT are in the list: at most BLOCK_LIMIT, in use or free, with FREE_LIMIT bytes of
 * free ones. Others are the system's. */
enum { LEAST_BYTES = 1 << 16, BLOCK_LIMIT = 256, FREE_LIMIT = 128 << 20 };

typedef struct Block {
  uintptr_t hidden; /* the complement of its address; 0: none */
  size_t capacity;
  size_t bytes;      /* requested */
  uint64_t freed_at; /* the number of the call of free; 0: in use */
  void *free;        /* its address while it is free */
} Block;

static Block blocks[BLOCK_LIMIT];
static uint64_t free_count;
static size_t free_bytes;

void *__real_malloc(size_t bytes);
void *__wrap_malloc(size_t bytes);
void __real_free(void *block);
void __wrap_free(void *block);
void *__real_realloc(void *block, size_t bytes);
void *__wrap_realloc(void *block, size_t bytes);

static void *address_of(const Block *block) { return (void *)~block->hidden; }

/* The block in use at an address; null if it is not one of these. A block that was freed before is reported. */
static Block *find_used(const void *address) {
  for (int i = 0; i < BLOCK_LIMIT; i++) {
    if (blocks[i].hidden != ~(uintptr_t)address) continue;
    if (blocks[i].freed_at > 0) (void)*(const volatile uint8_t *)address; /* forbidden */
    return &blocks[i];
  }
  return NULL;
}

/* Eighths of a power of 2: blocks of similar sizes can replace each other. At least 16 bytes are more than requested. */
static size_t round_up(size_t bytes) {
  size_t step = LEAST_BYTES / 8;
  while (step * 16 < bytes + 16) step *= 2;
  return (bytes + 16 + step - 1) / step * step;
}

static Block *find_oldest_free(size_t capacity) {
  Block *oldest = NULL;
  for (int i = 0; i < BLOCK_LIMIT; i++) {
    Block *block = &blocks[i];
    const bool fits = block->freed_at > 0 && (capacity == 0 || block->capacity == capacity);
    if (fits && (!oldest || block->freed_at < oldest->freed_at)) oldest = block;
  }
  return oldest;
}

static void give_back(Block *block) {
  wm_permit_memory(address_of(block), block->capacity);
  __real_free(address_of(block));
  free_bytes -= block->capacity;
  *block = (Block){0};
}

/* A place in the list with new memory; null if there is none. */
static Block *add_block(size_t capacity) {
  Block *unused = NULL;
  for (int i = 0; i < BLOCK_LIMIT && !unused; i++) {
    if (blocks[i].hidden == 0) unused = &blocks[i];
  }
  if (!unused) {
    unused = find_oldest_free(0);
    if (!unused) return NULL;
    give_back(unused);
  }
  void *address = __real_malloc(capacity);
  if (!address) return NULL;
  *unused = (Block){.hidden = ~(uintptr_t)address, .capacity = capacity};
  return unused;
}

void *__wrap_malloc(size_t bytes) {
  if (bytes < LEAST_BYTES || bytes > FREE_LIMIT) return __real_malloc(bytes);
  const size_t capacity = round_up(bytes);
  Block *block = find_oldest_free(capacity);
  if (block) {
    free_bytes -= capacity;
  } else {
    block = add_block(capacity);
    if (!block) return __real_malloc(bytes);
  }
  block->freed_at = 0;
  block->free = NULL;
  block->bytes = bytes;
  wm_permit_memory(address_of(block), bytes);
  wm_forbid_memory((uint8_t *)address_of(block) + bytes, capacity - bytes);
  return address_of(block);
}

void __wrap_free(void *address) {
  Block *block = address ? find_used(address) : NULL;
  if (!block) {
    __real_free(address);
    return;
  }
  block->freed_at = ++free_count;
  block->free = address;
  free_bytes += block->capacity;
  wm_forbid_memory(address, block->capacity);
  while (free_bytes > FREE_LIMIT) give_back(find_oldest_free(0));
}

void *__wrap_realloc(void *address, size_t bytes) {
  const Block *block = address ? find_used(address) : NULL;
  if (!block) return __real_realloc(address, bytes);
  void *replacement = __wrap_malloc(bytes);
  if (!replacement) return NULL;
  memcpy(replacement, address, bytes < block->bytes ? bytes : block->bytes);
  __wrap_free(address);
  return replacement;
}
