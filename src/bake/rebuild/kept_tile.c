/* Writes and reads kept tiles. See kept_tile.h.
 *
 * One description of the code (code_cell, code_row) serves both: a Coder that reads returns the coded
 * value and ignores its argument; one that writes returns the argument. Both are inlined, once each. Spans
 * are packed as in WmOpenChunk. */
#include "bake/rebuild/kept_tile.h"

#include <string.h>

#include "bake/rebuild/range_coder.h"
#include "base/vector.h"

enum {
  BLOCK = 8,        /* cells */
  LENGTHS = 18,     /* numbers have fewer binary digits */
  ACTIVITIES = 4,   /* classes of unevenness of the floors around */
  SPAN_BYTES = 160, /* a span's code is shorter */
  CELL_BYTES = 64,  /* a cell's code without its spans is shorter */
  HEAD_BYTES = 64
};

/* A number: its length in binary digits, then the digits after the first. */
typedef struct Number {
  WmBit length[LENGTHS];
  WmBit second[LENGTHS]; /* the digit after the first, by length */
} Number;

typedef struct Model {
  WmBit block_same[4]; /* eight cells equal predictions; by whether the blocks to the west and north did */
  WmBit cell_same[4];  /* by whether the cells to the west and north equalled theirs */
  WmBit count_same[2];
  Number count;
  WmBit floor_same[ACTIVITIES], floor_sign[ACTIVITIES];
  Number floor_step[ACTIVITIES];
  WmBit clearance_same[2]; /* by whether an unlimited one is predicted */
  WmBit clearance[256];
  WmBit area_same;
  WmBit area[WM_AREA_COUNT];
} Model;

typedef struct Coder {
  WmRangeWriter writer;
  WmRangeReader reader;
  Model model;
} Coder;

static void start_model(Model *model) {
  WmBit *bits = (WmBit *)(void *)model;
  for (size_t i = 0; i < sizeof *model / sizeof *bits; i++) bits[i] = WM_BIT_EVEN;
}

/* ---- Bits and numbers ---------------------------------------------------------------------------------- */

WM_INLINE unsigned code_bit(Coder *coder, bool reads, WmBit *bit, unsigned value) {
  if (reads) return wm_range_read(&coder->reader, bit);
  wm_range_write(&coder->writer, bit, value);
  return value;
}

WM_INLINE unsigned code_raw(Coder *coder, bool reads, unsigned value) {
  if (reads) return wm_range_read_raw(&coder->reader);
  wm_range_write_raw(&coder->writer, value);
  return value;
}

/* Codes a number from 1 on. A number that is read is less than 2^LENGTHS. */
WM_INLINE uint32_t code_number(Coder *coder, bool reads, Number *number, uint32_t value) {
  const uint32_t digits = reads ? 0 : 31u - (uint32_t)__builtin_clz(value);
  uint32_t length = 0;
  while (length < LENGTHS - 1 && code_bit(coder, reads, &number->length[length], length < digits)) length++;
  uint32_t result = 1;
  for (uint32_t left = length; left-- > 0;) {
    const unsigned digit = reads ? 0 : value >> left & 1;
    result = result << 1 | (left == length - 1 ? code_bit(coder, reads, &number->second[length], digit)
                                               : code_raw(coder, reads, digit));
  }
  return result;
}

/* Codes a value of `digits` binary digits. The preceding digits select each digit's model; bits
 * [2^digits]. */
WM_INLINE uint32_t code_symbol(Coder *coder, bool reads, WmBit *bits, uint32_t digits, uint32_t value) {
  uint32_t node = 1;
  for (uint32_t left = digits; left-- > 0;) {
    node = node << 1 | code_bit(coder, reads, &bits[node], value >> left & 1);
  }
  return node ^ 1u << digits;
}

/* ---- Cells --------------------------------------------------------------------------------------------- */

/* A row of spans. When it is read it has `capacity` and may move. */
typedef struct Row {
  uint32_t *spans;
  uint32_t *cell_first; /* [width + 1] spans count from cell_first[0] on; NULL: no such row */
  size_t capacity;
} Row;

/* The spans of a cell: `count` of its row from `first` on. */
typedef struct Cell {
  uint32_t first, count;
} Cell;

/* The cells that predict a cell: to the west, to the north, and between these two. */
typedef struct Neighbours {
  WmContext *context;
  Row *row;
  const Row *before;
  int32_t x;
  Cell west, north, corner;
} Neighbours;

typedef struct Prediction {
  int32_t floor;
  uint32_t activity;
  uint32_t like; /* a span whose ceiling and area are predicted */
} Prediction;

WM_INLINE int32_t floor_of(uint32_t span) { return (int32_t)(span & 0xffff); }
WM_INLINE uint32_t clearance_of(uint32_t span) { return span >> 16 & 255; }
WM_INLINE uint32_t area_of(uint32_t span) { return span >> 24; }

/* Predicts span k of the cell. */
WM_INLINE Prediction predict(const Neighbours *around, uint32_t k) {
  const bool has_west = k < around->west.count, has_north = k < around->north.count;
  const uint32_t *before = around->before->spans;
  const uint32_t like = has_west    ? around->row->spans[around->west.first + k]
                        : has_north ? before[around->north.first + k]
                                    : 255u << 16 | (uint32_t)WM_AREA_WALKABLE << 24;
  Prediction prediction = {.floor = floor_of(like), .activity = ACTIVITIES - 1, .like = like};
  if (!has_west || !has_north || k >= around->corner.count) return prediction;
  const int32_t west = floor_of(like), north = floor_of(before[around->north.first + k]);
  const int32_t corner = floor_of(before[around->corner.first + k]);
  const int32_t low = west < north ? west : north, high = west < north ? north : west;
  /* The plane through the three; at an edge the side that continues. */
  prediction.floor = wm_clamp_int(west + north - corner, low, high);
  const int32_t change =
      (west < corner ? corner - west : west - corner) + (north < corner ? corner - north : north - corner);
  prediction.activity = change > 2 ? 2 : (uint32_t)change;
  return prediction;
}

/* Predicts the same ceiling. */
WM_INLINE uint32_t predict_clearance(uint32_t like, int32_t floor) {
  const uint32_t clearance = clearance_of(like);
  if (clearance == 255) return 255;
  return (uint32_t)wm_clamp_int(floor_of(like) + (int32_t)clearance - floor, 1, 255);
}

WM_INLINE uint32_t predicted_span(const Prediction *prediction) {
  return (uint32_t)prediction->floor | predict_clearance(prediction->like, prediction->floor) << 16 |
         area_of(prediction->like) << 24;
}

WM_INLINE bool is_as_predicted(const Neighbours *around, Cell cell, uint32_t count) {
  if (cell.count != count) return false;
  for (uint32_t k = 0; k < count; k++) {
    const Prediction prediction = predict(around, k);
    if (around->row->spans[cell.first + k] != predicted_span(&prediction)) return false;
  }
  return true;
}

/* Codes a span of a cell that differs from its prediction. A span that is read may exceed limits: then
 * *is_valid is set to false. */
WM_INLINE uint32_t code_span(Coder *coder, bool reads, const Prediction *prediction, uint32_t span,
                             bool *is_valid) {
  Model *model = &coder->model;
  int32_t step = reads ? 0 : floor_of(span) - prediction->floor;
  if (!code_bit(coder, reads, &model->floor_same[prediction->activity], step == 0)) {
    const bool down = code_bit(coder, reads, &model->floor_sign[prediction->activity], step < 0);
    const uint32_t size = code_number(coder, reads, &model->floor_step[prediction->activity],
                                      (uint32_t)(step < 0 ? -step : step));
    step = down ? -(int32_t)size : (int32_t)size;
  } else {
    step = 0;
  }
  const int32_t floor = prediction->floor + step;
  *is_valid &= floor >= 0 && floor <= WM_SPAN_HEIGHT_LIMIT;
  const uint32_t level = predict_clearance(prediction->like, floor), like = area_of(prediction->like);
  uint32_t clearance = clearance_of(span), area = area_of(span);
  clearance = code_bit(coder, reads, &model->clearance_same[level == 255], clearance == level)
                  ? level
                  : code_symbol(coder, reads, model->clearance, 8, clearance);
  area = code_bit(coder, reads, &model->area_same, area == like)
             ? like
             : code_symbol(coder, reads, model->area, 6, area);
  *is_valid &= clearance > 0 && area > 0;
  return ((uint32_t)floor & 0xffff) | clearance << 16 | area << 24;
}

/* True if a column's spans are above 0 and leave space for a solid span between them. */
static bool are_apart(const uint32_t *spans, uint32_t count) {
  if (count > 0 && floor_of(spans[0]) == 0) return false;
  for (uint32_t k = 0; k + 1 < count; k++) {
    if (floor_of(spans[k + 1]) <= floor_of(spans[k]) + (int32_t)clearance_of(spans[k])) return false;
  }
  return true;
}

static WmStatus fail_corrupt(WmContext *context, const char *message) {
  return wm_fail(context, WM_ERROR_CORRUPT, "keptTile", message);
}

/* Reserves capacity for a row that is read. */
WM_NOINLINE static WmStatus enlarge_row(WmContext *context, Row *row, size_t count) {
  uint32_t *spans = wm_scratch_array(context, 2 * count, sizeof *spans);
  if (!spans) return WM_ERROR_OUT_OF_MEMORY;
  memcpy(spans, row->spans, row->capacity * sizeof *spans);
  row->spans = spans;
  row->capacity = 2 * count;
  return WM_OK;
}

/* Codes a cell.
 * in         is_known: it equals its prediction, which needs no bit
 * in/out     same: the cells to the west (bit 0) and north (bit 1) equalled theirs; then: this one does;
 *            cell->count: written, or set when it is read */
WM_INLINE WmStatus code_cell(Coder *coder, bool reads, const Neighbours *around, bool is_known,
                             unsigned *same, Cell *cell) {
  Model *model = &coder->model;
  const uint32_t count = around->x > 0 ? around->west.count : around->north.count;
  *same = is_known ||
          code_bit(coder, reads, &model->cell_same[*same], !reads && is_as_predicted(around, *cell, count));
  if (*same && !reads) return WM_OK;
  if (*same ||
      code_bit(coder, reads, &model->count_same[around->north.count == count], cell->count == count)) {
    cell->count = count;
  } else {
    cell->count = code_number(coder, reads, &model->count, cell->count + 1) - 1;
  }
  Row *row = around->row;
  if (reads && cell->first + (size_t)cell->count > row->capacity) {
    const WmStatus status = enlarge_row(around->context, row, cell->first + (size_t)cell->count);
    if (status) return status;
  }
  bool is_valid = true;
  for (uint32_t k = 0; k < cell->count; k++) {
    const Prediction prediction = predict(around, k);
    uint32_t *span = row->spans + cell->first + k;
    const uint32_t value = *same ? predicted_span(&prediction)
                                 : code_span(coder, reads, &prediction, reads ? 0 : *span, &is_valid);
    if (reads) *span = value;
  }
  if (!reads || (is_valid && are_apart(row->spans + cell->first, cell->count))) return WM_OK;
  return fail_corrupt(around->context, "the kept tile has invalid spans");
}

/* ---- Rows ---------------------------------------------------------------------------------------------- */

static Cell cell_of(const Row *row, int32_t x) {
  if (!row->cell_first) return (Cell){0};
  const uint32_t first = row->cell_first[x];
  return (Cell){first - row->cell_first[0], row->cell_first[x + 1] - first};
}

/* Moves on to the cell at x. A cell that is read has no count yet. */
WM_INLINE Cell visit_cell(Neighbours *around, bool reads, int32_t x) {
  const Row *row = around->row;
  around->x = x;
  around->corner = around->north;
  around->north = cell_of(around->before, x);
  return reads ? (Cell){row->cell_first[x] - row->cell_first[0], 0} : cell_of(row, x);
}

/* True if all cells of a block from x on, of a row that is written, equal their predictions. */
static bool is_block_as_predicted(Neighbours around, int32_t x) {
  for (int32_t end = x + BLOCK; x < end; x++) {
    const Cell cell = visit_cell(&around, false, x);
    if (!is_as_predicted(&around, cell, x > 0 ? around.west.count : around.north.count)) return false;
    around.west = cell;
  }
  return true;
}

static bool are_all_set(const uint8_t *flags) {
  uint64_t all;
  memcpy(&all, flags, sizeof all);
  return all == UINT64_C(0x0101010101010101);
}

/* Codes a row after the one before it. When it is read, cell_first is set from [1] on.
 * in/out     same [width]: which cells of the row before, then of this one, equal their predictions */
WM_INLINE WmStatus code_row(Coder *coder, bool reads, WmContext *context, int32_t width, const Row *before,
                            Row *row, uint8_t *same) {
  Neighbours around = {.context = context, .row = row, .before = before};
  unsigned is_same = 0, is_block_same = 0;
  for (int32_t x = 0; x < width; x++) {
    if (x % BLOCK == 0) {
      is_block_same =
          x + BLOCK <= width &&
          code_bit(coder, reads, &coder->model.block_same[is_block_same + 2u * are_all_set(same + x)],
                   !reads && is_block_as_predicted(around, x));
    }
    Cell cell = visit_cell(&around, reads, x);
    is_same |= 2u * same[x];
    const WmStatus status = code_cell(coder, reads, &around, is_block_same, &is_same, &cell);
    if (status) return status;
    same[x] = (uint8_t)is_same;
    around.west = cell;
    if (!reads) continue;
    if (cell.count > WM_NO_SPAN - 1u - row->cell_first[x]) return wm_fail_span_count(context);
    row->cell_first[x + 1] = row->cell_first[x] + cell.count;
  }
  return WM_OK;
}

/* ---- Tiles --------------------------------------------------------------------------------------------- */

/* 32 bits without a model. */
WM_INLINE uint32_t code_word(Coder *coder, bool reads, uint32_t value) {
  uint32_t word = 0;
  for (int i = 0; i < 32; i++) word |= (uint32_t)code_raw(coder, reads, value >> i & 1) << i;
  return word;
}

/* The next `count` spans, all in one chunk. */
static uint32_t *next_spans(WmOpenChunk **chunk, size_t *done, size_t count) {
  while (*chunk && *done == (*chunk)->count) {
    *chunk = (*chunk)->next;
    *done = 0;
  }
  if (count == 0) return NULL;
  uint32_t *spans = (*chunk)->spans + *done;
  *done += count;
  return spans;
}

/* Writes to scratch memory. */
static WmStatus write_rows(WmContext *context, const WmOpenRows *rows, Coder *coder) {
  const int32_t width = rows->grid.width, depth = rows->grid.depth;
  size_t capacity = HEAD_BYTES, done = 0;
  uint8_t *bytes = wm_scratch_array(context, capacity, 1);
  uint8_t *same = wm_scratch_zeroed(context, (size_t)width, 1);
  if (!bytes || !same) return WM_ERROR_OUT_OF_MEMORY;
  coder->writer = wm_range_writer_start(bytes);
  code_word(coder, false, rows->solid_count);
  WmOpenChunk *chunk = rows->first_chunk;
  Row before = {0};
  for (int32_t z = 0; z < depth; z++) {
    Row row = {.cell_first = rows->cell_first + (size_t)z * (size_t)width};
    const size_t count = row.cell_first[width] - row.cell_first[0];
    row.spans = next_spans(&chunk, &done, count);
    const size_t needed = coder->writer.byte_count + coder->writer.held_count + HEAD_BYTES +
                          (size_t)width * CELL_BYTES + count * SPAN_BYTES;
    coder->writer.bytes = wm_scratch_reserve(context, coder->writer.bytes, &capacity, needed, 1);
    if (!coder->writer.bytes) return WM_ERROR_OUT_OF_MEMORY;
    const WmStatus status = code_row(coder, false, context, width, &before, &row, same);
    if (status) return status;
    before = row;
  }
  wm_range_writer_finish(&coder->writer);
  return WM_OK;
}

WmStatus wm_kept_tile_write(WmContext *context, const WmOpenRows *rows, uint8_t **bytes, size_t *byte_count) {
  *bytes = NULL;
  *byte_count = 0;
  Coder coder = {0};
  start_model(&coder.model);
  const WmScratchMark mark = wm_scratch_mark(context);
  WmStatus status = write_rows(context, rows, &coder);
  if (!status) *bytes = wm_block_allocate(context, coder.writer.byte_count);
  if (*bytes) {
    memcpy(*bytes, coder.writer.bytes, coder.writer.byte_count);
    *byte_count = coder.writer.byte_count;
  } else if (!status) {
    status = WM_ERROR_OUT_OF_MEMORY;
  }
  wm_scratch_rewind(context, mark);
  return status;
}

/* Appends a row that was read to the open rows. */
static WmStatus append_row(WmContext *context, WmOpenRows *rows, const Row *row, uint32_t count) {
  WmOpenChunk *chunk = rows->last_chunk;
  if (!chunk || chunk->capacity - chunk->count < (size_t)count + WM_PLANE_BLOCK) {
    chunk = wm_open_rows_reserve(context, rows, (uint64_t)count + WM_PLANE_BLOCK);
  }
  if (!chunk) return WM_ERROR_OUT_OF_MEMORY;
  memcpy(chunk->spans + chunk->count, row->spans, count * sizeof *row->spans);
  chunk->count += count;
  rows->span_count += count;
  return WM_OK;
}

static WmStatus read_rows(WmContext *context, Coder *coder, WmOpenRows *rows) {
  const int32_t width = rows->grid.width, depth = rows->grid.depth;
  uint8_t *same = wm_scratch_zeroed(context, (size_t)width, 1);
  Row row[2] = {{.capacity = (size_t)width},
                {.capacity = (size_t)width}}; /* the current one and the one before */
  for (int i = 0; i < 2; i++) {
    row[i].spans = wm_scratch_array(context, row[i].capacity, sizeof *row[i].spans);
    if (!row[i].spans || !same) return WM_ERROR_OUT_OF_MEMORY;
  }
  rows->solid_count = code_word(coder, true, 0);
  rows->cell_first[0] = 0;
  for (int32_t z = 0; z < depth; z++) {
    Row *now = &row[z & 1];
    now->cell_first = rows->cell_first + (size_t)z * (size_t)width;
    WmStatus status = code_row(coder, true, context, width, &row[~z & 1], now, same);
    if (!status) status = append_row(context, rows, now, now->cell_first[width] - now->cell_first[0]);
    if (status) return status;
  }
  return wm_range_reader_is_done(&coder->reader)
             ? WM_OK
             : fail_corrupt(context, "the kept tile is too short or too long");
}

WmStatus wm_kept_tile_read(WmContext *context, const uint8_t *bytes, size_t byte_count, const WmGrid *grid,
                           WmOpenRows *rows) {
  const WmScratchMark mark = wm_scratch_mark(context);
  Coder coder = {.reader = wm_range_reader_start(bytes, byte_count)};
  start_model(&coder.model);
  WmStatus status = wm_open_rows_start(context, grid, rows);
  if (!status) status = read_rows(context, &coder, rows);
  if (status) wm_open_rows_free(context, rows);
  wm_scratch_rewind(context, mark);
  return status;
}
