/* A hash of 128 bits over a stream of 32-bit words: caches treat streams with equal hashes as equal.
 *
 * Each lane combines with a word in two invertible steps (multiply by an odd number, fold the upper half into
 * the lower): streams that differ in a single word differ in both lanes. The lanes use different factors, and
 * combine with words differently. By chance two of about 2^64 streams have the same hash. Not cryptographic:
 * an attacker can construct such streams. Defined on numbers, not bytes: the same on every machine.
 *
 * Usual order: wm_content_hash_start, any number of wm_content_hash_words, wm_content_hash_finish. */
#ifndef WALKMESH_BASE_CONTENT_HASH_H
#define WALKMESH_BASE_CONTENT_HASH_H

#include <stddef.h>
#include <stdint.h>

#include "base/public.h"

WM_PUBLIC_BEGIN

typedef struct WmContentHash {
  uint64_t lanes[2];
} WmContentHash;

/* The state before the first word. */
WmContentHash wm_content_hash_start(void);

/* Adds `count` words of 32 bits (integers or floats), in pairs: a 0 completes an odd count. The count itself
 * is not hashed; a caller whose streams could differ in it alone adds it as a word.
 * in/out     hash
 * in         words [count]: need not be aligned */
void wm_content_hash_words(WmContentHash *hash, const void *words, size_t count);

/* Mixes the lanes, so that every bit of the words affects every bit of `lanes`. Add no words afterwards. */
void wm_content_hash_finish(WmContentHash *hash);

WM_PUBLIC_END

#endif
