/* Decodes FastLZ. See fast_lz.h.
 *
 * A block is a sequence of instructions, each with a control byte: below 32 it is the number of literal bytes
 * that follow, less one; else it starts a repetition: length, and distance back. The highest three bits of
 * the first byte are the level; the levels differ only in long and far repetitions. */
#include "dynamic/detour_cache/fast_lz.h"

#include <string.h>

enum {
  LITERALS = 32,      /* control bytes below are literals */
  LONG_LENGTH = 7,    /* more of the length follows */
  LEAST_LENGTH = 3,   /* of a repetition */
  FARTHEST_HIGH = 31, /* of a level 2 repetition: with a byte of 255, the distance follows */
  FAR_DISTANCE = 8191
};

typedef struct Block {
  const uint8_t *at, *end;
  bool is_level_2;
  bool is_cut; /* a byte beyond the end was read */
} Block;

static uint32_t next_byte(Block *block) {
  if (block->at < block->end) return *block->at++;
  block->is_cut = true;
  return 0;
}

/* The length of a repetition. */
static size_t read_length(Block *block, uint32_t control) {
  size_t length = control >> 5;
  if (length < LONG_LENGTH) return length - 1 + LEAST_LENGTH;
  uint32_t more;
  do {
    more = next_byte(block);
    length += more;
  } while (block->is_level_2 && more == 255);
  return length - 1 + LEAST_LENGTH;
}

static size_t read_distance(Block *block, uint32_t control) {
  const uint32_t high = control & 31, low = next_byte(block);
  if (!block->is_level_2 || low != 255 || high != FARTHEST_HIGH) return (size_t)(high << 8) + low + 1;
  const uint32_t far = next_byte(block) << 8;
  return (size_t)(far | next_byte(block)) + FAR_DISTANCE + 1;
}

bool wm_fast_lz_decode(const uint8_t *bytes, size_t byte_count, uint8_t *decoded, size_t decoded_count) {
  if (byte_count == 0 || bytes[0] >> 5 > 1) return false;
  Block block = {.at = bytes + 1, .end = bytes + byte_count, .is_level_2 = bytes[0] >> 5 == 1};
  size_t done = 0;
  for (uint32_t control = bytes[0] & 31;; control = *block.at++) {
    const bool is_literal = control < LITERALS;
    const size_t length = is_literal ? control + 1 : read_length(&block, control);
    const size_t distance = is_literal ? 0 : read_distance(&block, control);
    if (block.is_cut || length > decoded_count - done || distance > done) return false;
    if (is_literal) {
      if (length > (size_t)(block.end - block.at)) return false;
      memcpy(decoded + done, block.at, length);
      block.at += length;
    } else {
      /* Byte by byte: a repetition may read bytes that it has just written. */
      for (size_t i = done; i < done + length; i++) decoded[i] = decoded[i - distance];
    }
    done += length;
    if (block.at == block.end) return done == decoded_count;
  }
}
