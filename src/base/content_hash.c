/* See content_hash.h. The factors are odd numbers without a pattern: binary digits of the golden ratio, of pi
 * (its second and third 64) and of e, with the last bit set. */
#include "base/content_hash.h"

#include <string.h>

#include "base/inline.h"

static const uint64_t FACTORS[4] = {UINT64_C(0x9e3779b97f4a7c15), UINT64_C(0x13198a2e03707345),
                                    UINT64_C(0xa4093822299f31d1), UINT64_C(0xb7e151628aed2a6b)};

/* The product spreads bits upwards; folding spreads them down again. */
WM_INLINE uint64_t stir(uint64_t value, uint64_t factor) {
  value *= factor;
  return value ^ value >> 32;
}

/* Stirs the word before combining it with a lane: otherwise a change of its highest bit alone would change
 * always the same two bits of the lane, and the next word could undo that. */
WM_INLINE void take(WmContentHash *hash, uint64_t word) {
  const uint64_t turned = word << 32 | word >> 32;
  hash->lanes[0] = stir(hash->lanes[0] ^ stir(word, FACTORS[0]), FACTORS[1]);
  hash->lanes[1] = stir(hash->lanes[1] + stir(turned, FACTORS[2]), FACTORS[3]);
}

WmContentHash wm_content_hash_start(void) { return (WmContentHash){{FACTORS[3], FACTORS[0]}}; }

void wm_content_hash_words(WmContentHash *hash, const void *words, size_t count) {
  const uint8_t *bytes = words;
  WmContentHash local = *hash; /* a copy, which stays in registers */
  for (size_t i = 0; i < count; i += 2) {
    uint32_t pair[2] = {0, 0};
    memcpy(&pair[0], bytes + 4 * i, sizeof *pair);
    if (i + 1 < count) memcpy(&pair[1], bytes + 4 * i + 4, sizeof *pair);
    take(&local, pair[0] | (uint64_t)pair[1] << 32);
  }
  *hash = local;
}

void wm_content_hash_finish(WmContentHash *hash) {
  for (int round = 0; round < 2; round++) {
    hash->lanes[0] = stir(hash->lanes[0] + hash->lanes[1], FACTORS[2]);
    hash->lanes[1] = stir(hash->lanes[1] ^ hash->lanes[0], FACTORS[0]);
  }
}
