/* What the module's malloc tells beside. */
#ifndef WALKMESH_WASM_HEAP_H
#define WALKMESH_WASM_HEAP_H

#include <stddef.h>

/* What a block takes of the memory: a little more than was asked for. */
size_t heap_block_bytes(const void *block);

#endif
