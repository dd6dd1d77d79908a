/* A hash of 128 bits over what is read as a stream of words: equal hashes stand for equal streams.
 *
 * Each lane takes a word in two steps that can be undone (multiply by an odd number, fold the upper half into
 * the lower), so that streams which differ in one word never agree in either lane. The lanes differ in their
 * factors and in how they take words. For caches, not for safety: who wants to can make two streams agree. By
 * chance that takes some 2^64 streams. Numbers only, no bytes: the same on every machine. */
#ifndef WALKMESH_BASE_CONTENT_HASH_H
#define WALKMESH_BASE_CONTENT_HASH_H

#include <stddef.h>
#include <stdint.h>

typedef struct WmContentHash {
  uint64_t lanes[2];
} WmContentHash;

/* The hash of nothing so far. */
WmContentHash wm_content_hash_start(void);

/* Takes numbers of 32 bits (integers or floats), two at a time; the last of an odd number counts as if a 0
 * followed. How many there are is for the caller to say where it is not plain. */
void wm_content_hash_words(WmContentHash *hash, const void *words, size_t count);

/* Lets every bit of what was taken reach every bit of the result; nothing may be taken after it. */
void wm_content_hash_finish(WmContentHash *hash);

#endif
