/* malloc and free for the module: the free blocks in a list by address, first fit, neighbours joined.
 *
 * Written for what asks here: a context, whose scratch memory is few large chunks, and results of one block
 * each. The list then is short, and 0.4 kB of code do what takes a general allocator three times as much.
 * Blocks are aligned to 16 bytes. This file holds the module's only variable: its memory is one, too. */
#include "heap.h"

#include <stdint.h>
#include <stdlib.h>

/* Precedes every block, in use or free. */
typedef struct Block {
  _Alignas(16) size_t bytes; /* with this header */
  struct Block *next;        /* where free */
} Block;

enum { PAGE_BYTES = 65536, SPARE_PAGES = 16 };

static Block *first_free;

size_t heap_block_bytes(const void *block) { return ((const Block *)block - 1)->bytes; }

static void join_with_next(Block *block) {
  Block *next = block->next;
  if (!next || (char *)block + block->bytes != (char *)next) return;
  block->bytes += next->bytes;
  block->next = next->next;
}

static void add_free(Block *block) {
  Block **link = &first_free, *before = NULL;
  while (*link && *link < block) before = *link, link = &before->next;
  block->next = *link;
  *link = block;
  join_with_next(block);
  if (before) join_with_next(before);
}

/* in         memory: not NULL, which contexts see to */
void free(void *memory) { add_free((Block *)memory - 1); }

/* Takes room for `bytes` from the engine, and as long as that works some pages and an eighth of what there is
 * more. (The few bytes behind the linker's data stay unused.) */
static int grow(size_t bytes) {
  const size_t needed = bytes / PAGE_BYTES + 1;
  size_t pages = needed + SPARE_PAGES + __builtin_wasm_memory_size(0) / 8;
  size_t end = __builtin_wasm_memory_grow(0, pages);
  if (end == SIZE_MAX) end = __builtin_wasm_memory_grow(0, pages = needed);
  if (end == SIZE_MAX) return 0;
  Block *block = (Block *)(end * PAGE_BYTES);
  block->bytes = pages * PAGE_BYTES;
  add_free(block);
  return 1;
}

/* in         bytes: less than SIZE_MAX - PAGE_BYTES, which contexts see to */
void *malloc(size_t bytes) {
  bytes = (bytes + sizeof(Block) + 15) & ~(size_t)15;
  do {
    for (Block **link = &first_free, *block; (block = *link); link = &block->next) {
      if (block->bytes < bytes) continue;
      *link = block->next;
      if (block->bytes > bytes + sizeof(Block)) {
        Block *rest = (Block *)(void *)((char *)block + bytes);
        rest->bytes = block->bytes - bytes;
        rest->next = block->next;
        *link = rest;
        block->bytes = bytes;
      }
      return block + 1;
    }
  } while (grow(bytes));
  return NULL;
}
