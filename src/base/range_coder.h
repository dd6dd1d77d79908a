/* An adaptive binary range coder: writes and reads bits of which it learns how likely they are.
 *
 * Each kind of bit has a WmBit, which starts even and follows what it sees, quickly at first. A bit that is
 * nearly always the same takes about a ninetieth of a bit. The same calls on both sides, in the same order,
 * read what was written. A reader never leaves its bytes: beyond the end it reads zeros, and
 * wm_range_reader_is_done tells in the end whether the bytes were just what was read.
 *
 * Sources: G. N. N. Martin, "Range encoding" (1979); the carry as in M. Schindler's coder (1998). */
#ifndef WALKMESH_BASE_RANGE_CODER_H
#define WALKMESH_BASE_RANGE_CODER_H

#include "base/context.h"
#include "base/inline.h"

/* The chance of a 0 in 4096ths, within 31..4065, times 16; how much has been seen, 0..15. */
typedef uint16_t WmBit;

enum { WM_BIT_EVEN = 2048 << 4 };

typedef struct WmRangeWriter {
  uint8_t *bytes; /* whose owner makes room: 1 byte and a quarter a bit at most, and 6 */
  size_t byte_count;
  uint64_t low;
  uint32_t range;
  uint8_t held; /* the last byte, and how many of 0xff follow it: a carry may raise them */
  size_t held_count;
} WmRangeWriter;

typedef struct WmRangeReader {
  const uint8_t *bytes;
  size_t byte_count, position; /* the position may be beyond the end */
  uint32_t range, code;
} WmRangeReader;

/* What is seen weighs 65536ths of this: much at first, a 32nd in the end. */
static inline uint32_t wm_bit_weight(unsigned seen) {
  static const uint16_t WEIGHTS[16] = {43690, 26214, 18724, 14563, 11915, 10082, 8738, 7281,
                                       5957,  5041,  4369,  3640,  3120,  2621,  2340, 2048};
  return WEIGHTS[seen];
}

WM_INLINE void wm_bit_learn(WmBit *bit, unsigned value) {
  const uint32_t chance = *bit >> 4, seen = *bit & 15, weight = wm_bit_weight(seen);
  const uint32_t next = value ? chance - (chance * weight >> 16) : chance + ((4096 - chance) * weight >> 16);
  *bit = (WmBit)(next << 4 | (seen < 15 ? seen + 1 : 15));
}

static inline WmRangeWriter wm_range_writer_start(uint8_t *bytes) {
  return (WmRangeWriter){.bytes = bytes, .range = UINT32_MAX, .held_count = 1};
}

/* Moves the highest byte of `low` out. The very first byte is always 0. */
static inline void wm_range_writer_shift(WmRangeWriter *writer) {
  if (writer->low < 0xff000000u || writer->low >> 32) {
    const uint8_t carry = (uint8_t)(writer->low >> 32);
    for (uint8_t byte = writer->held; writer->held_count > 0; writer->held_count--, byte = 0xff) {
      writer->bytes[writer->byte_count++] = (uint8_t)(byte + carry);
    }
    writer->held = (uint8_t)(writer->low >> 24);
  }
  writer->held_count++;
  writer->low = (writer->low & 0xffffff) << 8;
}

WM_INLINE void wm_range_writer_narrow(WmRangeWriter *writer, uint32_t bound, unsigned value) {
  writer->low += value ? bound : 0;
  writer->range = value ? writer->range - bound : bound;
  while (writer->range < 1u << 24) {
    writer->range <<= 8;
    wm_range_writer_shift(writer);
  }
}

WM_INLINE void wm_range_write(WmRangeWriter *writer, WmBit *bit, unsigned value) {
  wm_range_writer_narrow(writer, (writer->range >> 12) * (uint32_t)(*bit >> 4), value);
  wm_bit_learn(bit, value);
}

/* A bit of which nothing is known. */
WM_INLINE void wm_range_write_plain(WmRangeWriter *writer, unsigned value) {
  wm_range_writer_narrow(writer, writer->range >> 1, value);
}

static inline void wm_range_writer_finish(WmRangeWriter *writer) {
  for (int i = 0; i < 5; i++) wm_range_writer_shift(writer);
}

WM_INLINE uint32_t wm_range_next_byte(WmRangeReader *reader) {
  const size_t position = reader->position++;
  return position < reader->byte_count ? reader->bytes[position] : 0;
}

static inline WmRangeReader wm_range_reader_start(const uint8_t *bytes, size_t byte_count) {
  WmRangeReader reader = {.bytes = bytes, .byte_count = byte_count, .range = UINT32_MAX};
  for (int i = 0; i < 5; i++) reader.code = reader.code << 8 | wm_range_next_byte(&reader);
  return reader;
}

WM_INLINE unsigned wm_range_reader_narrow(WmRangeReader *reader, uint32_t bound) {
  const unsigned value = reader->code >= bound;
  reader->code -= value ? bound : 0;
  reader->range = value ? reader->range - bound : bound;
  while (reader->range < 1u << 24) {
    reader->range <<= 8;
    reader->code = reader->code << 8 | wm_range_next_byte(reader);
  }
  return value;
}

WM_INLINE unsigned wm_range_read(WmRangeReader *reader, WmBit *bit) {
  const unsigned value = wm_range_reader_narrow(reader, (reader->range >> 12) * (uint32_t)(*bit >> 4));
  wm_bit_learn(bit, value);
  return value;
}

WM_INLINE unsigned wm_range_read_plain(WmRangeReader *reader) {
  return wm_range_reader_narrow(reader, reader->range >> 1);
}

/* Whether all bytes were read, and none beyond them. */
static inline bool wm_range_reader_is_done(const WmRangeReader *reader) {
  return reader->position == reader->byte_count;
}

#endif
