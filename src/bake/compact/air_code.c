/* Writes and reads air. See air_code.h. */
#include "bake/compact/air_code.h"

#include <string.h>

#include "bake/rasterize/span_rows.h"
#include "base/inline.h"
#include "base/vector.h"

enum {
  GAP_BITS = 80, /* at most as many for both numbers of a gap */
  CELL_BITS = 80 /* and for a cell's other numbers */
};

WmAir *wm_air_create(WmContext *context, int32_t width, int32_t depth, size_t gap_count) {
  const size_t cells = (size_t)width * (size_t)depth;
  WmLayout layout = {0};
  wm_layout_add(&layout, 1, sizeof(WmAir));
  const size_t cell_at = wm_layout_add(&layout, cells + 1, sizeof(uint32_t));
  const size_t gap_at = wm_layout_add(&layout, gap_count + WM_AIR_PADDING, sizeof(WmAirGap));
  uint8_t *block = wm_layout_allocate(context, &layout);
  if (!block) return NULL;
  WmAir *air = (WmAir *)(void *)block;
  *air = (WmAir){.width = width,
                 .depth = depth,
                 .cell_first = (uint32_t *)(void *)(block + cell_at),
                 .gaps = (WmAirGap *)(void *)(block + gap_at),
                 .gap_count = (uint32_t)gap_count,
                 .bytes = layout.bytes};
  return air;
}

/* ---- Predictions, for writing and reading --------------------------------------------------------------- */

/* The cells around a cell: to the west, to the north, and between these two. Their counts are UINT32_MAX if they don't exist. */
typedef struct Around {
  const WmAirGap *west, *north, *corner;
  uint32_t west_count, north_count, corner_count;
} Around;

static Around start_row(void) {
  return (Around){.west_count = UINT32_MAX, .corner_count = UINT32_MAX, .north_count = UINT32_MAX};
}

/* Moves on to cell x, whose north cell is one of the row before; NULL: there is no row before. */
WM_INLINE void visit(Around *around, const WmAirGap *gaps, const uint32_t *before, int32_t x) {
  around->corner = around->north;
  around->corner_count = around->north_count;
  if (!before) return;
  around->north = gaps + before[x];
  around->north_count = before[x + 1] - before[x];
}

WM_INLINE uint32_t predict_count(const Around *around) {
  if (around->north_count != UINT32_MAX) return around->north_count;
  return around->west_count != UINT32_MAX ? around->west_count : 0;
}

WM_INLINE int32_t predict_number(int32_t west, int32_t north, int32_t corner) {
  const int32_t low = west < north ? west : north, high = west < north ? north : west;
  return wm_clamp_int(west + north - corner, low, high);
}

/* Predicts gap k of a cell with `count` gaps; false if no cell around has as many. */
WM_INLINE bool predict_gap(const Around *around, uint32_t count, uint32_t k, WmAirGap *gap) {
  const bool has_north = around->north_count == count, has_west = around->west_count == count;
  if (has_north && has_west && around->corner_count == count) {
    const WmAirGap *west = &around->west[k], *north = &around->north[k], *corner = &around->corner[k];
    gap->floor = (uint16_t)predict_number(west->floor, north->floor, corner->floor);
    gap->ceiling = (uint16_t)predict_number(west->ceiling, north->ceiling, corner->ceiling);
    return true;
  }
  if (!has_north && !has_west) return false;
  *gap = has_north ? around->north[k] : around->west[k];
  return true;
}

/* True if a cell of one gap is predicted from three such cells, as nearly everywhere: all are open to the sky. */
WM_INLINE bool is_single(const Around *around, uint32_t count) {
  return count == 1 && around->north_count == 1 && around->west_count == 1 && around->corner_count == 1;
}

WM_INLINE int32_t predict_single(const Around *around) {
  return predict_number(around->west->floor, around->north->floor, around->corner->floor);
}

/* ---- Writing ----------------------------------------------------------------------------------------------- */

typedef struct Writer {
  uint8_t *bytes; /* in scratch memory */
  size_t byte_count, capacity;
  uint64_t bits; /* the last bit_count ones aren't stored yet */
  uint32_t bit_count;
} Writer;

/* Appends the low `count` bits (at most 32) of a value, for which there is capacity. */
WM_INLINE void put_bits(Writer *writer, uint64_t value, uint32_t count) {
  writer->bits = writer->bits << count | value;
  writer->bit_count += count;
  while (writer->bit_count >= 8) {
    writer->bit_count -= 8;
    writer->bytes[writer->byte_count++] = (uint8_t)(writer->bits >> writer->bit_count);
  }
}

/* Appends a number from 1 on: as many zeros as it has binary digits after the first, then the digits. */
WM_INLINE void put_number(Writer *writer, uint32_t number) {
  const uint32_t digits = 31u - (uint32_t)__builtin_clz(number);
  put_bits(writer, 0, digits);
  put_bits(writer, number, digits + 1);
}

/* Appends a difference: small ones of either sign are small numbers. */
WM_INLINE void put_difference(Writer *writer, int32_t difference) {
  put_number(writer, (uint32_t)(difference < 0 ? -2 * difference : 2 * difference + 1));
}

WM_INLINE bool is_as_predicted(const Around *around, const WmAirGap *gaps, uint32_t count) {
  if (count != predict_count(around)) return false;
  if (is_single(around, count)) return gaps->floor == predict_single(around);
  for (uint32_t k = 0; k < count; k++) {
    WmAirGap gap;
    if (!predict_gap(around, count, k, &gap) || gap.floor != gaps[k].floor || gap.ceiling != gaps[k].ceiling)
      return false;
  }
  return true;
}

static void put_cell(Writer *writer, const Around *around, const WmAirGap *gaps, uint32_t count) {
  const bool is_same = count == predict_count(around);
  put_bits(writer, is_same, 1);
  if (!is_same) put_number(writer, count + 1);
  WmAirGap predicted = {0, 0};
  for (uint32_t k = 0; k < count; k++) {
    const bool is_known = predict_gap(around, count, k, &predicted);
    put_difference(writer, (int32_t)gaps[k].floor - predicted.floor);
    if (!is_known) predicted.ceiling = gaps[k].floor;
    put_difference(writer, (int32_t)gaps[k].ceiling - predicted.ceiling);
    if (!is_known) predicted.floor = gaps[k].ceiling;
  }
}

/* in         row, before: cell_first of the row, and of the one before; NULL: there is none */
static void put_row(Writer *writer, const WmAir *air, const uint32_t *before, const uint32_t *row) {
  Around around = start_row();
  uint32_t run = 1;
  for (int32_t x = 0; x < air->width; x++) {
    const WmAirGap *gaps = air->gaps + row[x];
    const uint32_t count = row[x + 1] - row[x];
    visit(&around, air->gaps, before, x);
    if (is_as_predicted(&around, gaps, count)) {
      run++;
    } else {
      put_number(writer, run);
      put_cell(writer, &around, gaps, count);
      run = 1;
    }
    around.west = gaps;
    around.west_count = count;
  }
  if (run > 1) put_number(writer, run);
}

/* True if two rows have the same gaps. */
static bool are_equal(const WmAir *air, const uint32_t *a, const uint32_t *b) {
  const uint32_t count = a[air->width] - a[0], between = b[0] - a[0];
  if (count != b[air->width] - b[0] || memcmp(air->gaps + a[0], air->gaps + b[0], count * sizeof *air->gaps))
    return false;
  for (int32_t x = 1; x < air->width; x++) {
    if (b[x] - a[x] != between) return false;
  }
  return true;
}

/* Uses scratch memory of the caller's mark. */
static WmStatus put_air(WmContext *context, const WmAir *air, Writer *writer) {
  const uint32_t *before = NULL, *row = air->cell_first;
  for (int32_t z = 0; z < air->depth; z++, before = row, row += air->width) {
    const size_t bits = 16 + (size_t)air->width * CELL_BITS + (size_t)(row[air->width] - row[0]) * GAP_BITS;
    writer->bytes =
        wm_scratch_reserve(context, writer->bytes, &writer->capacity, writer->byte_count + bits / 8 + 2, 1);
    if (!writer->bytes) return WM_ERROR_OUT_OF_MEMORY;
    const bool is_same = before && are_equal(air, before, row);
    put_bits(writer, is_same, 1);
    if (!is_same) put_row(writer, air, before, row);
  }
  if (writer->bit_count > 0) put_bits(writer, 0, 8 - writer->bit_count);
  return WM_OK;
}

WmStatus wm_air_write(WmContext *context, const WmAir *air, uint8_t **bytes, size_t *byte_count) {
  *bytes = NULL;
  *byte_count = 0;
  const WmScratchMark mark = wm_scratch_mark(context);
  Writer writer = {0};
  WmStatus status = put_air(context, air, &writer);
  if (!status) {
    *bytes = wm_block_allocate(context, writer.byte_count);
    if (!*bytes) status = WM_ERROR_OUT_OF_MEMORY;
  }
  if (!status) {
    memcpy(*bytes, writer.bytes, writer.byte_count);
    *byte_count = writer.byte_count;
  }
  wm_scratch_rewind(context, mark);
  return status;
}

/* ---- Reading ----------------------------------------------------------------------------------------------- */

/* Reads zeros after the last byte. */
typedef struct Reader {
  const uint8_t *bytes;
  size_t byte_count, position; /* the position may exceed byte_count */
  uint64_t bits;               /* the highest bit_count are the next ones, the others 0 */
  uint32_t bit_count;
  bool is_corrupt;
} Reader;

WM_INLINE void fill(Reader *reader) {
  while (reader->bit_count <= 56) {
    const uint64_t byte = reader->position < reader->byte_count ? reader->bytes[reader->position] : 0;
    reader->position++;
    reader->bits |= byte << (56 - reader->bit_count);
    reader->bit_count += 8;
  }
}

/* Takes 1 to 32 bits. */
WM_INLINE uint32_t take_bits(Reader *reader, uint32_t count) {
  if (reader->bit_count < count) fill(reader);
  const uint32_t value = (uint32_t)(reader->bits >> (64 - count));
  reader->bits <<= count;
  reader->bit_count -= count;
  return value;
}

/* Takes a number below 2^20: larger ones are corrupt, and read as 1. */
WM_INLINE uint32_t take_number(Reader *reader) {
  enum { DIGITS = 20 };
  if (reader->bit_count < 2 * DIGITS) fill(reader);
  const uint32_t zeros = reader->bits ? (uint32_t)__builtin_clzll(reader->bits) : 64;
  if (zeros >= DIGITS) {
    reader->is_corrupt = true;
    return 1;
  }
  return take_bits(reader, 2 * zeros + 1);
}

WM_INLINE int32_t take_difference(Reader *reader) {
  const uint32_t number = take_number(reader);
  return number & 1 ? (int32_t)(number / 2) : -(int32_t)(number / 2);
}

/* Air that is being read. The rows before stay in `gaps`, which may move. */
typedef struct AirReader {
  WmContext *context;
  Reader reader;
  int32_t width, least_height, top;
  uint32_t most; /* gaps of a cell */
  uint32_t *cell_first;
  WmAirGap *gaps;
  size_t count, capacity;
} AirReader;

/* Reserves capacity for more gaps. */
WM_INLINE WmStatus reserve(AirReader *air, size_t more) {
  if (air->count + more <= air->capacity) return WM_OK;
  if (air->count + more > WM_NO_SPAN - 1u) return wm_fail_span_count(air->context);
  air->gaps =
      wm_scratch_reserve(air->context, air->gaps, &air->capacity, air->count + more, sizeof *air->gaps);
  return air->gaps ? WM_OK : WM_ERROR_OUT_OF_MEMORY;
}

/* True if the gaps of a cell ascend, are high enough, lie within the bounds, and only the last one is open. */
WM_INLINE bool are_gaps_valid(const AirReader *air, const WmAirGap *gaps, uint32_t count) {
  int32_t ceiling = 0;
  for (uint32_t k = 0; k < count; k++) {
    if (gaps[k].floor <= ceiling || gaps[k].floor > air->top) return false;
    ceiling = gaps[k].ceiling;
    if (ceiling - gaps[k].floor < air->least_height &&
        (ceiling != WM_OPEN_CEILING || gaps[k].floor >= ceiling))
      return false;
  }
  return count == 0 || ceiling == WM_OPEN_CEILING;
}

/* Stores a cell as predicted, for which there is capacity. Returns its number of gaps. */
WM_INLINE uint32_t take_predicted(AirReader *air, const Around *around) {
  const uint32_t count = predict_count(around);
  WmAirGap *gaps = air->gaps + air->count;
  if (is_single(around, count)) {
    *gaps = (WmAirGap){(uint16_t)predict_single(around), WM_OPEN_CEILING};
    return 1;
  }
  for (uint32_t k = 0; k < count; k++) predict_gap(around, count, k, &gaps[k]);
  if (!are_gaps_valid(air, gaps, count)) air->reader.is_corrupt = true;
  return count;
}

/* Reads a cell, for which there is capacity. Returns its number of gaps. */
static uint32_t take_cell(AirReader *air, const Around *around) {
  Reader *reader = &air->reader;
  const uint32_t count = take_bits(reader, 1) ? predict_count(around) : take_number(reader) - 1;
  if (count > air->most) {
    reader->is_corrupt = true;
    return 0;
  }
  WmAirGap *gaps = air->gaps + air->count, predicted = {0, 0};
  for (uint32_t k = 0; k < count; k++) {
    const bool is_known = predict_gap(around, count, k, &predicted);
    gaps[k].floor = (uint16_t)(predicted.floor + take_difference(reader));
    if (!is_known) predicted.ceiling = gaps[k].floor;
    gaps[k].ceiling = (uint16_t)(predicted.ceiling + take_difference(reader));
    if (!is_known) predicted.floor = gaps[k].ceiling;
  }
  if (!are_gaps_valid(air, gaps, count)) reader->is_corrupt = true;
  return count;
}

static WmStatus take_row(AirReader *air, int32_t row) {
  uint32_t *first = air->cell_first + (size_t)row * (size_t)air->width;
  const uint32_t *before = row > 0 ? first - air->width : NULL;
  Around around = start_row();
  uint32_t run = 0; /* cells as predicted, and the one after them */
  for (int32_t x = 0; x < air->width; x++) {
    if (run == 0) run = take_number(&air->reader);
    if (run > (uint32_t)(air->width - x) + 1) air->reader.is_corrupt = true;
    if (air->count + air->most > air->capacity) {
      const WmStatus status = reserve(air, air->most);
      if (status) return status;
      if (x > 0) around.west = air->gaps + first[x - 1];
      if (x > 0 && before) around.north = air->gaps + before[x - 1];
    }
    visit(&around, air->gaps, before, x);
    const uint32_t count = run > 1 ? take_predicted(air, &around) : take_cell(air, &around);
    if (air->reader.is_corrupt) return WM_OK;
    around.west = air->gaps + air->count;
    around.west_count = count;
    air->count += count;
    first[x + 1] = (uint32_t)air->count;
    run--;
  }
  return WM_OK;
}

/* Copies the row before. */
static WmStatus repeat_row(AirReader *air, int32_t row) {
  const uint32_t *before = air->cell_first + (size_t)(row - 1) * (size_t)air->width;
  uint32_t *first = air->cell_first + (size_t)row * (size_t)air->width;
  const uint32_t count = before[air->width] - before[0];
  const WmStatus status = reserve(air, count);
  if (status) return status;
  if (count) memcpy(air->gaps + air->count, air->gaps + before[0], count * sizeof *air->gaps);
  air->count += count;
  for (int32_t x = 0; x <= air->width; x++) first[x] = before[x] + count;
  return WM_OK;
}

/* Reads all rows. Uses scratch memory of the caller's mark. */
static WmStatus take_air(AirReader *air, int32_t depth) {
  air->cell_first =
      wm_scratch_array(air->context, (size_t)air->width * (size_t)depth + 1, sizeof *air->cell_first);
  if (!air->cell_first) return WM_ERROR_OUT_OF_MEMORY;
  air->cell_first[0] = 0;
  WmStatus status = reserve(air, (size_t)air->width * (size_t)depth + air->most);
  for (int32_t row = 0; !status && !air->reader.is_corrupt && row < depth; row++) {
    const bool is_same = take_bits(&air->reader, 1);
    status = is_same && row > 0 ? repeat_row(air, row) : take_row(air, row);
  }
  if (status) return status;
  /* The last byte has at most seven bits that weren't taken. */
  const size_t taken = air->reader.position - air->reader.bit_count / 8;
  if (air->reader.is_corrupt || taken != air->reader.byte_count) {
    return wm_fail(air->context, WM_ERROR_CORRUPT, "air",
                   "the air of the tile is damaged, or that of another grid");
  }
  return WM_OK;
}

WmStatus wm_air_read(WmContext *context, const uint8_t *bytes, size_t byte_count, const WmAirBounds *bounds,
                     WmAir **air) {
  *air = NULL;
  const WmScratchMark mark = wm_scratch_mark(context);
  AirReader reader = {.context = context,
                      .reader = {.bytes = bytes, .byte_count = byte_count},
                      .width = bounds->width,
                      .least_height = bounds->least_height,
                      .top = bounds->top,
                      /* Something solid, at least one height, lies below each gap. */
                      .most = (uint32_t)(bounds->top / (bounds->least_height + 1)) + 1};
  WmStatus status = take_air(&reader, bounds->depth);
  if (!status) *air = wm_air_create(context, bounds->width, bounds->depth, reader.count);
  if (!status && !*air) status = WM_ERROR_OUT_OF_MEMORY;
  if (!status) {
    const size_t cells = (size_t)bounds->width * (size_t)bounds->depth;
    memcpy((*air)->cell_first, reader.cell_first, (cells + 1) * sizeof *reader.cell_first);
    if (reader.count) memcpy((*air)->gaps, reader.gaps, reader.count * sizeof *reader.gaps);
  }
  wm_scratch_rewind(context, mark);
  return status;
}
