/* FastLZ, the compression that Detour's tile caches are written with: reading it.
 *
 * Source: A. Hidayat, FastLZ block format, levels 1 and 2. */
#ifndef WALKMESH_DYNAMIC_FAST_LZ_H
#define WALKMESH_DYNAMIC_FAST_LZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Decodes a block.
 * in         bytes [byte_count]: any bytes are safe
 * out        decoded [decoded_count]: any content on failure
 * returns    true if the block is valid and decodes to exactly decoded_count bytes */
bool wm_fast_lz_decode(const uint8_t *bytes, size_t byte_count, uint8_t *decoded, size_t decoded_count);

#endif
