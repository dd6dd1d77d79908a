/* malloc and free for the module: free blocks in lists by size; free joins a block with its free neighbours.
 *
 * Every block has its own size and that of the block before it, so that free finds both neighbours. Sizes in
 * a list differ by less than a quarter. malloc uses the first block that fits among a few of the list of its
 * own size, else the first of the next larger list that has one, and frees the rest of it. This takes a few
 * steps for any number of blocks: meshes whose tiles change leave thousands of holes. Blocks are aligned to
 * 16 bytes. This file has the module's only variables: it has one memory.
 *
 * Source: after Masmano, Ripoll, Crespo, Real, "TLSF: a new dynamic memory allocator for real-time systems",
 * ECRTS 2004; Knuth, The Art of Computer Programming, volume 1, section 2.5 (boundary tags). */
#include "heap.h"

#include <stdint.h>
#include <stdlib.h>

/* Precedes every block, in use or free. */
typedef struct Block {
  _Alignas(16) size_t bytes;     /* with this header, a multiple of 16; and IN_USE */
  size_t bytes_before;           /* of the block before it; 0: there is none */
  struct Block *next, *previous; /* where free: in its list */
} Block;

enum { PAGE_BYTES = 65536, SPARE_PAGES = 16, IN_USE = 1, LIST_COUNT = 128, CANDIDATES = 8 };

static Block *lists[LIST_COUNT];

/* The header behind the last block; it counts as in use. */
static Block *end;

size_t heap_block_bytes(const void *block) { return ((const Block *)block - 1)->bytes & ~(size_t)IN_USE; }

static Block *block_at(Block *block, size_t bytes) { return (Block *)(void *)((char *)block + bytes); }

/* The list of a size: four lists for each power of two. */
static uint32_t list_of(size_t bytes) {
  const uint32_t power = 31 - (uint32_t)__builtin_clz((uint32_t)bytes);
  return 4 * power + (uint32_t)(bytes >> (power - 2) & 3);
}

static void set_bytes(Block *block, size_t bytes) {
  block->bytes = bytes;
  block_at(block, bytes)->bytes_before = bytes;
}

static void take_out(Block *block) {
  if (block->next) block->next->previous = block->previous;
  if (block->previous) {
    block->previous->next = block->next;
  } else {
    lists[list_of(block->bytes)] = block->next;
  }
}

/* Joins a block with its free neighbours and adds it to its list. */
static void add_free(Block *block, size_t bytes) {
  Block *after = block_at(block, bytes);
  if (!(after->bytes & IN_USE)) {
    take_out(after);
    bytes += after->bytes;
  }
  Block *before = (Block *)(void *)((char *)block - block->bytes_before);
  if (block->bytes_before && !(before->bytes & IN_USE)) {
    take_out(before);
    bytes += before->bytes;
    block = before;
  }
  set_bytes(block, bytes);
  Block **list = &lists[list_of(bytes)];
  block->previous = NULL;
  block->next = *list;
  if (block->next) block->next->previous = block;
  *list = block;
}

/* in         memory: not NULL (contexts check it) */
void free(void *memory) { add_free((Block *)memory - 1, heap_block_bytes(memory)); }

/* Grows the module's memory by `bytes`, some spare pages and a sixteenth of its size; if that fails, by `bytes`
 * alone. (The few bytes behind the linker's data stay unused.) */
static int grow(size_t bytes) {
  const Block *last =
      end && end->bytes_before ? (const Block *)(void *)((char *)end - end->bytes_before) : NULL;
  if (last && !(last->bytes & IN_USE) && last->bytes < bytes) bytes -= last->bytes; /* it will be joined */
  const size_t needed = bytes / PAGE_BYTES + 1;
  size_t pages = needed + SPARE_PAGES + __builtin_wasm_memory_size(0) / 16;
  size_t start = __builtin_wasm_memory_grow(0, pages);
  if (start == SIZE_MAX) start = __builtin_wasm_memory_grow(0, pages = needed);
  if (start == SIZE_MAX) return 0;
  /* Only this function adds pages, so they follow the last ones, and `end` becomes the new block's header. */
  Block *block = end;
  size_t room = pages * PAGE_BYTES;
  if (!block) {
    block = (Block *)(start * PAGE_BYTES);
    room -= sizeof(Block);
  }
  end = block_at(block, room);
  end->bytes = IN_USE;
  add_free(block, room);
  return 1;
}

/* The first block that is large enough among the first `candidates` of a list. */
static Block *find(Block *block, size_t bytes, uint32_t candidates) {
  while (block && block->bytes < bytes && --candidates) block = block->next;
  return block && block->bytes >= bytes ? block : NULL;
}

static Block *find_free(size_t bytes) {
  uint32_t list = list_of(bytes);
  Block *block = find(lists[list], bytes, CANDIDATES);
  for (uint32_t larger = list + 1; !block && larger < LIST_COUNT; larger++) block = lists[larger];
  return block ? block : find(lists[list], bytes, UINT32_MAX);
}

/* in         bytes: less than SIZE_MAX - PAGE_BYTES (contexts check it) */
void *malloc(size_t bytes) {
  bytes = (bytes + sizeof(Block) + 15) & ~(size_t)15;
  Block *block;
  while (!(block = find_free(bytes))) {
    if (!grow(bytes)) return NULL;
  }
  take_out(block);
  const size_t rest = block->bytes - bytes;
  if (rest > sizeof(Block)) {
    set_bytes(block, bytes);
    block->bytes |= IN_USE;
    add_free(block_at(block, bytes), rest);
  } else {
    block->bytes |= IN_USE;
  }
  return block + 1;
}
