/* Builds the blocks of links, and finds what straight blocks allow. See links.h. */
#include "bake/compact/link_steps.h"
#include "base/simd.h"

enum { BLOCK = WM_LINK_BLOCK, FIRST_CAPACITY = 64, LIST_LIMIT = (1 << 25) - 1 };

/* ---- Creation ------------------------------------------------------------------------------------------ */

WM_COLD void wm_links_free(WmContext *context, WmLinks *links) {
  for (int16_t **lists = links->lists; lists && *lists; lists++) wm_block_free(context, *lists);
  wm_block_free(context, links->blocks);
  *links = (WmLinks){0};
}

WM_COLD WmStatus wm_links_start(WmContext *context, uint32_t span_count, WmLinkBuilder *builder) {
  const size_t block_count = wm_link_block_count(span_count);
  const size_t chunk_count = 2 * block_count / WM_LINK_LISTS + 2; /* and a NULL at the end */
  *builder = (WmLinkBuilder){.context = context};
  WmLayout layout = {0};
  wm_layout_add(&layout, block_count, sizeof *builder->links.blocks);
  const size_t lists = wm_layout_add(&layout, chunk_count, sizeof *builder->links.lists);
  uint8_t *block = wm_layout_allocate(context, &layout);
  if (!block) return WM_ERROR_OUT_OF_MEMORY;
  builder->links = (WmLinks){(WmLinkBlock *)(void *)block, (int16_t **)(void *)(block + lists)};
  memset(builder->links.lists, 0, chunk_count * sizeof *builder->links.lists);
  wm_links_reserve(builder, FIRST_CAPACITY);
  if (builder->status) wm_links_free(context, &builder->links);
  return builder->status;
}

WM_COLD static void enlarge(WmLinkBuilder *builder, size_t capacity) {
  builder->pending = wm_scratch_grow(builder->context, builder->pending, builder->capacity, capacity,
                                     sizeof *builder->pending);
  if (!builder->pending) builder->status = WM_ERROR_OUT_OF_MEMORY;
  builder->capacity = capacity;
}

void wm_links_reserve(WmLinkBuilder *builder, uint32_t span_count) {
  const size_t needed = (size_t)span_count + 2 * BLOCK; /* the spans left from before, and those
                                                           overwritten */
  if (needed > builder->capacity) enlarge(builder, 2 * needed);
}

/* ---- Lists ------------------------------------------------------------------------------------------- */

static int16_t *find_list(const WmLinks *links, uint32_t list) {
  return links->lists[list / WM_LINK_LISTS] + WM_LINK_LIST * (list % WM_LINK_LISTS);
}

uint32_t wm_link(const WmLinks *links, uint32_t span, size_t d) { return wm_link_inline(links, span, d); }

const int16_t *wm_read_steps(const WmLinks *links, const WmLinkBlock *block, int16_t own[WM_LINK_LIST]) {
  const WmShort8 bits = {1, 2, 4, 8, 16, 32, 64, 128};
  if (block->list) return block->is_wide ? NULL : wm_find_list(links, block);
  for (int d = 0; d < 4; d++) {
    const WmShort8 present = (WmShort8)((wm_splat_short8(block->present[d]) & bits) != 0);
    wm_store_short8(own + BLOCK * d, wm_splat_short8(block->step[d]) & present);
  }
  return own;
}

/* Stores a list for a block: `spans` if it is wide, else `steps`. */
WM_COLD static void list_links(WmLinkBuilder *builder, WmLinkBlock *block, const uint32_t spans[WM_LINK_LIST],
                               const int16_t steps[WM_LINK_LIST]) {
  uint32_t list = builder->list_count + 1; /* 0 is none */
  list += block->is_wide & list;           /* both halves in one chunk */
  builder->list_count = list + block->is_wide;
  int16_t **chunk = &builder->links.lists[list / WM_LINK_LISTS];
  if (!*chunk) *chunk = wm_block_allocate(builder->context, WM_LINK_LISTS * WM_LINK_LIST * sizeof *steps);
  if (!*chunk || list > LIST_LIMIT) builder->status = WM_ERROR_OUT_OF_MEMORY;
  if (builder->status) return;
  block->list = list & LIST_LIMIT;
  const size_t bytes = WM_LINK_LIST * (block->is_wide ? sizeof *spans : sizeof *steps);
  memcpy(find_list(&builder->links, list), block->is_wide ? (const void *)spans : (const void *)steps, bytes);
}

bool wm_find_steps_aside(const WmLinks *links, uint32_t span_count, int8_t *west, int8_t *east) {
  const WmLinkBlock *block = links->blocks;
  for (uint32_t first = 0; first < span_count; first += BLOCK, block++) {
    if (block->stride) {
      const uint64_t each = UINT64_C(0x0101010101010101),
                     steps[2] = {each * (256u - block->stride), each * block->stride};
      memcpy(west + first, &steps[0], sizeof steps[0]);
      memcpy(east + first, &steps[1], sizeof steps[1]);
      continue;
    }
    int16_t own[WM_LINK_LIST];
    const int16_t *steps = wm_read_steps(links, block, own);
    if (!steps) return false;
    const WmShort8 back = wm_load_short8(steps), on = wm_load_short8(steps + 2 * BLOCK);
    if (wm_mask_short8((WmShort8)(on > INT8_MAX) | (WmShort8)(back < -INT8_MAX))) return false;
    wm_store_shorts_as_bytes((uint8_t *)west + first, back & 255);
    wm_store_shorts_as_bytes((uint8_t *)east + first, on & 255);
  }
  return true;
}

/* ---- Blocks ------------------------------------------------------------------------------------------ */

/* Eight lanes in two vectors. */
typedef struct Lanes {
  WmInt4 low, high;
} Lanes;

static inline bool are_zero(WmUint4 v) {
  uint64_t halves[2];
  memcpy(halves, &v, sizeof halves);
  return (halves[0] | halves[1]) == 0;
}

/* True if one of the eight steps that aren't missing differs from `step`. */
static inline bool are_astray(Lanes steps, Lanes missing, int32_t step) {
  const WmInt4 step4 = wm_splat_int4(step);
  return !are_zero((WmUint4)(((steps.low ^ step4) & ~missing.low) | ((steps.high ^ step4) & ~missing.high)));
}

/* True if one of eight spans from `span` on would have a link to WM_NO_SPAN, with this step: to before the first span. */
WM_INLINE bool leads_to_none(uint32_t span, uint32_t step) { return WM_NO_SPAN - (span + step) < BLOCK; }

/* True if all eight spans have all links, with these steps: nearly always. */
static inline bool are_complete(uint32_t links[][4], uint32_t span, const uint32_t steps[4]) {
  if (leads_to_none(span, steps[0]) || leads_to_none(span, steps[3])) return false;
  WmUint4 expected = wm_load_uint4(steps) + span, astray = {0, 0, 0, 0};
#pragma GCC unroll 8
  for (int i = 0; i < BLOCK; i++) {
    astray |= wm_load_uint4(links[i]) ^ expected;
    expected += 1;
  }
  return are_zero(astray);
}

WM_INLINE uint32_t find_stride(uint32_t west, uint32_t east) {
  return west == 0 - east && east <= WM_LINK_MAX_STRIDE ? east : 0;
}

/* A block of spans that have all links, with these steps. */
WM_INLINE WmLinkBlock complete_block(const uint32_t steps[4]) {
  WmLinkBlock block = {.present = {255, 255, 255, 255}};
  for (int d = 0; d < 4; d++) block.step[d] = (int16_t)steps[d];
  block.stride = find_stride(steps[0], steps[2]) & 7;
  return block;
}

/* Builds the block of eight spans, some of which don't have the expected links. */
WM_COLD static void make_irregular(WmLinkBuilder *builder, uint32_t span, uint32_t links[][4]) {
  const WmInt4 lanes = {0, 1, 2, 3}, own = wm_splat_int4((int32_t)span) + lanes;
  WmLinkBlock *block = builder->links.blocks + span / BLOCK;
  Lanes missing[4], any = {{0}, {0}}, steps[4];
  WmUint4 columns[BLOCK]; /* transposed, four spans and four */
  uint32_t spans[WM_LINK_LIST];
  int16_t narrow[WM_LINK_LIST];
  unsigned crooked = 0;
#pragma GCC unroll 8
  for (int i = 0; i < BLOCK; i++) columns[i] = wm_load_uint4(links[i]);
  wm_transpose_uint4(columns);
  wm_transpose_uint4(columns + 4);
#pragma GCC unroll 4
  for (int d = 0; d < 4; d++) {
    const WmInt4 low = (WmInt4)columns[d], high = (WmInt4)columns[d + 4];
    missing[d] = (Lanes){(WmInt4)(low == -1), (WmInt4)(high == -1)};
    any = (Lanes){any.low | missing[d].low, any.high | missing[d].high};
    steps[d] = (Lanes){low - own, high - (own + 4)};
    wm_store_uint4(spans + BLOCK * d, columns[d]);
    wm_store_uint4(spans + BLOCK * d + 4, columns[d + 4]);
    const WmShort8 short8 = wm_narrow_int4(steps[d].low, steps[d].high);
    wm_store_short8(narrow + BLOCK * d, short8 & ~wm_narrow_int4(missing[d].low, missing[d].high));
    const Lanes beyond = {wm_widen_low_short8(short8) ^ steps[d].low,
                          wm_widen_high_short8(short8) ^ steps[d].high};
    block->is_wide |= are_astray(beyond, missing[d], 0);
    const unsigned present =
        255u ^ (unsigned)(wm_mask_int4(missing[d].low) | wm_mask_int4(missing[d].high) << 4);
    block->present[d] = (uint8_t)present;
    /* Without a branch: processors don't foresee which links exist. */
    const unsigned first = (unsigned)__builtin_ctz(present | 128), exists = 0u - (present != 0);
    const uint32_t own_step = links[first][d] - (span + first), last_step = builder->steps[d];
    const int32_t step = (int32_t)((own_step & exists) | (last_step & ~exists));
    block->step[d] = (int16_t)step;
    const unsigned is_crooked =
        (unsigned)are_astray(steps[d], missing[d], step) | (block->step[d] != step) | (step == 0);
    crooked |= (is_crooked & exists) << d;
  }
  if (crooked) list_links(builder, block, spans, narrow);
  const unsigned inner = wm_inner_spans(block);
  for (; crooked; crooked &= crooked - 1) {
    const int d = __builtin_ctz(crooked), first = inner ? __builtin_ctz(inner) : 0;
    block->step[d] = inner ? narrow[BLOCK * d + first] : (int16_t)builder->steps[d];
    if (inner && are_astray(steps[d], any, block->step[d])) block->step[d] = 0;
  }
  block->stride = find_stride((uint32_t)block->step[0], (uint32_t)block->step[2]) & 7;
  for (int d = 0; d < 4; d++) {
    if (block->step[d]) builder->steps[d] = (uint32_t)block->step[d];
  }
}

WM_INLINE void make_block(WmLinkBuilder *builder, uint32_t links[][4]) {
  const uint32_t span = builder->appended;
  builder->links.blocks[span / BLOCK] = complete_block(builder->steps);
  if (!are_complete(links, span, builder->steps)) make_irregular(builder, span, links);
  builder->appended += BLOCK;
}

/* Builds the block of the first eight pending spans. */
WM_NOINLINE static void make_first_block(WmLinkBuilder *builder) { make_block(builder, builder->pending); }

/* Writes the links of eight spans explicitly; `present` tells which exist. */
WM_COLD static void spell_out(uint32_t links[][4], uint32_t span, const uint32_t steps[4], uint64_t present) {
  WmUint4 across = wm_load_uint4(steps) + span;
  WmInt4 bits = {(int32_t)present, (int32_t)(present >> 16), (int32_t)(present >> 32),
                 (int32_t)(present >> 48)};
  for (int i = 0; i < BLOCK; i++) {
    wm_store_uint4(links[i], across | (WmUint4)((bits & 1) - 1));
    across += 1;
    bits >>= 1;
  }
}

uint32_t (*wm_links_pending(WmLinkBuilder *builder, uint32_t next))[4] {
  if (builder->is_even) spell_out(builder->pending, builder->appended, builder->steps, builder->queue);
  builder->is_even = false;
  return builder->pending + (next - builder->appended);
}

void wm_links_add(WmLinkBuilder *builder, uint32_t end) {
  uint32_t(*links)[4] = builder->pending;
  if (end - builder->appended < BLOCK) return;
  for (; end - builder->appended >= BLOCK; links += BLOCK) make_block(builder, links);
    /* The links left for the next block, and more. */
#pragma GCC unroll 8
  for (int i = 0; i < BLOCK; i++) wm_store_uint4(builder->pending[i], wm_load_uint4(links[i]));
}

/* Makes the steps of `row` the builder's. Returns the number of its spans that went into a block with
 * spans before it. */
WM_COLD static uint32_t change_steps(WmLinkBuilder *builder, const WmLinkRow *row) {
  const uint32_t steps[4] = {0 - row->stride, row->south, row->stride, 0 - row->north};
  const uint32_t before = row->first - builder->appended;
  uint32_t used = 0;
  if (before > 0) {
    spell_out(wm_links_pending(builder, row->first), row->first, steps, row->present);
    if (before + row->count < BLOCK) return row->count;
    make_first_block(builder);
    used = BLOCK - before;
  }
  builder->like = complete_block(steps);
  memcpy(builder->steps, steps, sizeof steps);
  builder->is_even = true;
  builder->queue = 0;
  return used;
}

/* Packs the bits of eight spans by side, as in a block. */
WM_INLINE uint32_t pack_present(uint64_t present) {
  present &= WM_LINKS_ALL;
  present = (present | present >> 8) & UINT64_C(0x0000ffff0000ffff);
  return (uint32_t)(present | present >> 16);
}

void wm_links_add_row(WmLinkBuilder *builder, const WmLinkRow *row) {
  uint32_t used = 0;
  if (!builder->is_even || builder->steps[1] != row->south || builder->steps[3] != 0 - row->north ||
      builder->steps[2] != row->stride) {
    used = change_steps(builder, row);
    if (!builder->is_even) return;
  }
  const uint32_t before = row->first + used - builder->appended;
  builder->queue |= (row->present >> used & WM_LINKS_ALL) << before;
  if (before + row->count - used < BLOCK) return;
  WmLinkBlock *block = builder->links.blocks + builder->appended / BLOCK;
  const uint32_t present = pack_present(builder->queue);
  *block = builder->like;
  memcpy(block->present, &present, sizeof present);
  builder->queue = builder->queue >> BLOCK & WM_LINKS_ALL;
  builder->appended += BLOCK;
}

void wm_links_repeat_row(WmLinkBuilder *builder, uint32_t row_count) {
  WmLinkBlock *block = builder->links.blocks + builder->appended / BLOCK;
  for (uint32_t i = 0; i < row_count; i++) block[i] = builder->like;
  builder->appended += BLOCK * row_count;
}

/* ---- Allowed ------------------------------------------------------------------------------------------- */

static inline bool have_same_steps(const WmLinkBlock *a, const WmLinkBlock *b) {
  return memcmp(a->step, b->step, sizeof a->step) == 0;
}

/* True if the links on side d of those of `count` spans that are inner all have this step. */
WM_COLD static bool is_step_retained(const WmLinkBuilder *builder, uint32_t first, uint32_t count, size_t d,
                                     uint32_t step) {
  uint32_t here;
  for (uint32_t span = first; count > 0; span += here, count -= here) {
    const WmLinkBlock *block = builder->links.blocks + span / BLOCK;
    const uint32_t begin = span % BLOCK;
    here = count < BLOCK - begin ? count : BLOCK - begin;
    unsigned inner = wm_inner_spans(block) & ((1u << here) - 1) << begin;
    if (!inner || (uint32_t)block->step[d] == step) continue;
    if (!block->list || block->step[d] != 0) return false;
    for (; inner; inner &= inner - 1) {
      const uint32_t one = span - begin + (uint32_t)__builtin_ctz(inner);
      if (wm_present_link(&builder->links, one, d) != one + step) return false;
    }
  }
  return true;
}

/* True if the span `first` and the seven after it have straight links to the west and east, as in blocks
 * of this stride. */
WM_INLINE bool is_row_straight(const WmLinkBuilder *builder, uint32_t first, uint32_t stride) {
  const WmLinkBlock *blocks = builder->links.blocks;
  return (blocks[first / BLOCK].stride == stride && blocks[(first + BLOCK - 1) / BLOCK].stride == stride) ||
         (is_step_retained(builder, first, BLOCK, 2, stride) &&
          is_step_retained(builder, first, BLOCK, 0, 0 - stride));
}

/* True if the blocks in which eight spans end, shifted to the rows before and after, are straight. */
WM_INLINE bool are_ends_straight(const WmLinkBlock *blocks, uint32_t span, uint32_t north, uint32_t south,
                                 uint32_t stride) {
  return blocks[(span - north + BLOCK - 1) / BLOCK].stride == stride &&
         blocks[(span + south + BLOCK - 1) / BLOCK].stride == stride;
}

/* A block, the distances in spans to the row before (north) and after it (south), to the eight spans beside it
 * (stride), and the spans built so far behind it. As unsigned numbers, steps of 0 are too short and negative
 * ones too long. */
typedef struct BlockSteps {
  uint32_t span, stride, north, south, room;
  bool is_like_last, is_like_next; /* the block before, the block after has the same steps */
} BlockSteps;

WM_INLINE BlockSteps read_steps(const WmLinkBuilder *builder, const WmLinkBlock *block, uint32_t span,
                                bool is_like_last) {
  const uint32_t room = builder->appended - (span + BLOCK);
  return (BlockSteps){.span = span,
                      .stride = block->stride,
                      .north = 0u - (uint32_t)block->step[3],
                      .south = (uint32_t)block->step[1],
                      .room = room,
                      .is_like_last = is_like_last,
                      .is_like_next = room > 0 && have_same_steps(block, block + 1)};
}

/* True if the row before may be read, with its corners. */
WM_INLINE bool allows_forward(const WmLinkBuilder *builder, const BlockSteps *at) {
  const uint32_t west = at->span - at->stride;
  return at->stride && at->stride <= at->span && at->north <= west && at->north >= BLOCK + at->stride &&
         is_row_straight(builder, at->span - at->north, at->stride) &&
         (at->is_like_last || is_step_retained(builder, west, at->stride, 3, 0 - at->north));
}

/* True if the row after may be read, with its corners. */
WM_INLINE bool allows_backward(const WmLinkBuilder *builder, const BlockSteps *at) {
  return at->stride && at->stride <= at->room && at->south <= at->room - at->stride &&
         at->south >= BLOCK + at->stride && is_row_straight(builder, at->span + at->south, at->stride) &&
         (at->is_like_next || is_step_retained(builder, at->span + BLOCK, at->stride, 1, at->south));
}

/* True if a block that allows both rows allows them at once: the other two corners are in their places too. */
WM_INLINE bool allows_around(const WmLinkBuilder *builder, const BlockSteps *at) {
  return (at->is_like_last || is_step_retained(builder, at->span - at->stride, at->stride, 1, at->south)) &&
         (at->is_like_next || is_step_retained(builder, at->span + BLOCK, at->stride, 3, 0 - at->north));
}

/* True if a block allows all because the block before does, whose rows continue straight over this one. */
WM_INLINE bool continues_last(const WmLinkBlock *blocks, const BlockSteps *at) {
  return at->is_like_last && at->is_like_next && at->stride <= at->room &&
         at->south <= at->room - at->stride &&
         are_ends_straight(blocks, at->span, at->north, at->south, at->stride);
}

/* Corners across a side are where they should be if the spans on that side have straight links. A sweep
 * must have finished the row it reads, corners included; in rows as narrow as a block they overlap the
 * block. Blocks not built yet aren't read: nearly none if the caller stays two rows ahead. */
void wm_links_find_allowed(WmLinkBuilder *builder, uint32_t end) {
  WmLinkBlock *const blocks = builder->links.blocks, *block = blocks + builder->checked / BLOCK;
  bool is_like_last = block > blocks && have_same_steps(block, block - 1);
  bool goes_on = false; /* the block before allows all, and its rows are straight up to where they end */
  uint32_t span = builder->checked;
  for (; span + BLOCK <= end; span += BLOCK, block++) {
    const BlockSteps at = read_steps(builder, block, span, is_like_last);
    if (goes_on && continues_last(blocks, &at)) {
      block->allowed = WM_LINK_FORWARD | WM_LINK_BACKWARD | WM_LINK_AROUND;
      continue;
    }
    unsigned allowed = 0;
    if (allows_forward(builder, &at)) allowed |= WM_LINK_FORWARD;
    if (allows_backward(builder, &at)) allowed |= WM_LINK_BACKWARD;
    if (allowed == (WM_LINK_FORWARD | WM_LINK_BACKWARD) && allows_around(builder, &at)) {
      allowed |= WM_LINK_AROUND;
    }
    block->allowed = allowed & 7;
    goes_on = (allowed & WM_LINK_AROUND) && are_ends_straight(blocks, span, at.north, at.south, at.stride);
    is_like_last = at.is_like_next;
  }
  builder->checked = span;
}

WM_COLD WmStatus wm_links_finish(WmLinkBuilder *builder, uint32_t span_count, WmLinks *links) {
  if (!builder->status) {
    memset(wm_links_pending(builder, span_count), 255, BLOCK * sizeof *builder->pending); /* WM_NO_SPAN */
    wm_links_find_allowed(builder, span_count);
    make_first_block(builder);
  }
  if (builder->status) wm_links_free(builder->context, &builder->links);
  *links = builder->links;
  return builder->status;
}
