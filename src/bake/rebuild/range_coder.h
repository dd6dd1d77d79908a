/* An adaptive binary range coder: writes and reads bits, and learns the probability of each kind of bit.
 *
 * Each kind of bit has a model, a WmBit, which starts at one half and adapts to the bits coded with it,
 * quickly at first. A bit that is nearly always the same takes about 1/90 bit. A reader that makes the
 * writer's calls in the same order, with models in the same states, reads the bits that were written. It
 * never reads past its bytes: after the end it reads zeros, and wm_range_reader_is_done tells whether it
 * read exactly all bytes.
 *
 * Sources: G. N. N. Martin, "Range encoding" (1979); the carry as in M. Schindler's coder (1998). */
#ifndef WALKMESH_BAKE_RANGE_CODER_H
#define WALKMESH_BAKE_RANGE_CODER_H

#include "base/context.h"
#include "base/inline.h"

/* A model: 16 times the probability of a 0 in 4096ths (31..4065), plus the number of bits seen (at most
 * 15). */
typedef uint16_t WmBit;

enum { WM_BIT_EVEN = 2048 << 4 };

typedef struct WmRangeWriter {
  uint8_t *bytes; /* owned by the caller: 1.25 bytes per bit and 6 more suffice */
  size_t byte_count;
  uint64_t low;
  uint32_t range;
  uint8_t held;      /* the last byte, not stored yet, since a carry may change it */
  size_t held_count; /* 1 plus the number of 0xff bytes after `held` */
} WmRangeWriter;

typedef struct WmRangeReader {
  const uint8_t *bytes;
  size_t byte_count, position; /* the position may exceed byte_count */
  uint32_t range, code;
} WmRangeReader;

/* The weight of the next bit in 65536ths: two thirds for the first, 1/32 from the 16th on. */
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

/* Stores the highest byte of `low`, or holds it. The first byte is always 0. */
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

/* Writes a bit without a model; both values take one bit. */
WM_INLINE void wm_range_write_raw(WmRangeWriter *writer, unsigned value) {
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

WM_INLINE unsigned wm_range_read_raw(WmRangeReader *reader) {
  return wm_range_reader_narrow(reader, reader->range >> 1);
}

/* True if the reader has read all bytes and none past them. */
static inline bool wm_range_reader_is_done(const WmRangeReader *reader) {
  return reader->position == reader->byte_count;
}

#endif
