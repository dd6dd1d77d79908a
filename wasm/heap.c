/* malloc and free for the module: the free blocks in a list by address, first fit, neighbours joined.
 *
 * Written for what asks here: a context, whose scratch memory is few large chunks, and results of one block
 * each. The list then is short, and 0.6 kB of code do what takes a general allocator three times as much.
 * Blocks are aligned to 16 bytes. This file holds the module's only variables: its memory is one, too. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

/* Precedes every block, in use or free. */
typedef struct Block {
  _Alignas(16) size_t bytes; /* with this header */
  struct Block *next;        /* where free */
} Block;

enum { PAGE_BYTES = 65536 };

/* Where the linker's data end. */
extern char __heap_base;

static Block *first_free;

static void join_with_next(Block *block) {
  Block *next = block->next;
  if (!next || (char *)block + block->bytes != (char *)next) return;
  block->bytes += next->bytes;
  block->next = next->next;
}

void free(void *memory) {
  if (!memory) return;
  Block *block = (Block *)memory - 1, *before = NULL, *next = first_free;
  while (next && next < block) before = next, next = next->next;
  block->next = next;
  *(before ? &before->next : &first_free) = block;
  join_with_next(block);
  if (before) join_with_next(before);
}

static void add_memory(uintptr_t from, uintptr_t bytes) {
  Block *block = (Block *)from;
  block->bytes = bytes;
  free(block + 1);
}

/* Takes room for `bytes` more from the engine, and an eighth of what there is as long as that works. */
static int grow(size_t bytes) {
  const size_t needed = bytes / PAGE_BYTES + 1;
  for (size_t pages = needed + __builtin_wasm_memory_size(0) / 8;; pages = needed) {
    const size_t end = __builtin_wasm_memory_grow(0, pages);
    if (end != SIZE_MAX) {
      add_memory(end * PAGE_BYTES, pages * PAGE_BYTES);
      return 1;
    }
    if (pages == needed) return 0;
  }
}

void *malloc(size_t bytes) {
  static int is_ready;
  if (!is_ready) {
    const uintptr_t start = ((uintptr_t)&__heap_base + 15) & ~(uintptr_t)15;
    add_memory(start, __builtin_wasm_memory_size(0) * PAGE_BYTES - start);
    is_ready = 1;
  }
  if (bytes > SIZE_MAX - PAGE_BYTES) return NULL;
  bytes = (bytes + sizeof(Block) + 15) & ~(size_t)15;
  do {
    for (Block **link = &first_free; *link; link = &(*link)->next) {
      Block *block = *link;
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
