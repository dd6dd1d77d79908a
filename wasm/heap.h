/* Beside malloc and free: the size of a block. */
#ifndef WALKMESH_WASM_HEAP_H
#define WALKMESH_WASM_HEAP_H

#include <stddef.h>

/* The memory that a block uses, bytes: slightly more than was requested. */
size_t heap_block_bytes(const void *block);

#endif
