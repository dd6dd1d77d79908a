/* Links stored as blocks: every link, of any kind, reads as written, and blocks allow only steps that are
 * valid. */
#include "bake/compact/link_steps.h"
#include "bake/stages.h"
#include "plain_links.h"
#include "random_field.h"

enum { MOST = 700 };

/* Rows of spans, straight for a while, then with missing links, links shifted a little, or random links. */
static void make_random_links(Random *random, uint32_t count, uint32_t *plain) {
  int32_t row = 9 + random_below(random, 60);
  const int32_t stride = 1 + random_below(random, 5), rarity = 1 + random_below(random, 40);
  const int32_t far = random_below(random, 3) ? 40 : 1 << 30; /* of random links */
  for (uint32_t span = 0; span < count; span++) {
    if (random_below(random, 4 * rarity) == 0) row += random_below(random, 3) - 1;
    const int32_t steps[4] = {-stride, row, stride, -row};
    for (int d = 0; d < 4; d++) {
      int32_t to = (int32_t)span + steps[d];
      const int32_t kind = random_below(random, 8 * rarity);
      if (kind == 1) to += random_below(random, 3) - 1;
      if (kind == 2) to = random_below(random, far);
      plain[4 * span + (uint32_t)d] = kind == 0 || to < 0 ? WM_NO_SPAN : (uint32_t)to;
    }
  }
}

static bool is_inner(const uint32_t *plain, uint32_t span) {
  for (int d = 0; d < 4; d++) {
    if (plain[4 * span + (uint32_t)d] == WM_NO_SPAN) return false;
  }
  return true;
}

/* True if the path from an inner span in directions a and then b leads `step` spans on, where the span
 * between is inner; by its own links only for b < 0. */
static bool leads_to(const uint32_t *plain, uint32_t count, uint32_t span, int a, int b, int32_t step) {
  const uint32_t way = plain[4 * span + (uint32_t)a];
  if (b < 0) return way == span + (uint32_t)step;
  return way >= count || !is_inner(plain, way) || plain[4 * way + (uint32_t)b] == span + (uint32_t)step;
}

/* Steps that a block allows are valid for each of its inner spans, and no span that is needed lies
 * outside. */
static bool is_allowed_rightly(const WmLinkBlock *block, const uint32_t *plain, uint32_t count,
                               uint32_t first) {
  const int32_t west = block->step[0], south = block->step[1], east = block->step[2], north = block->step[3];
  const bool forward = block->allowed & WM_LINK_FORWARD, backward = block->allowed & WM_LINK_BACKWARD;
  const bool around = block->allowed & WM_LINK_AROUND;
  if (forward && (int64_t)first + north + west < 0) return false;
  if (backward && (int64_t)first + WM_LINK_BLOCK + south + east > count) return false;
  if (around && !(forward && backward)) return false;
  for (uint32_t span = first; span < first + WM_LINK_BLOCK; span++) {
    if (!is_inner(plain, span)) continue;
    bool holds = true;
    if (forward || backward) {
      holds &= leads_to(plain, count, span, 0, -1, west) && leads_to(plain, count, span, 2, -1, east);
    }
    if (forward) {
      holds &= leads_to(plain, count, span, 3, -1, north) &&
               leads_to(plain, count, span, 0, 3, west + north) &&
               leads_to(plain, count, span, 3, 2, north + east);
    }
    if (backward) {
      holds &= leads_to(plain, count, span, 1, -1, south) &&
               leads_to(plain, count, span, 2, 1, east + south) &&
               leads_to(plain, count, span, 1, 0, south + west);
    }
    if (around) {
      holds &= leads_to(plain, count, span, 0, 1, west + south) &&
               leads_to(plain, count, span, 1, 2, south + east) &&
               leads_to(plain, count, span, 2, 3, east + north) &&
               leads_to(plain, count, span, 3, 0, north + west);
    }
    if (!holds) return false;
  }
  return true;
}

/* True if a block's steps lead to its links, and to the span itself where one is missing. */
static bool are_steps_right(const WmLinks *links, const WmLinkBlock *block, const uint32_t *plain,
                            uint32_t first, uint32_t count) {
  int16_t own[WM_LINK_LIST];
  const int16_t *steps = wm_read_steps(links, block, own);
  if (!steps) return block->is_wide;
  for (uint32_t i = 0; i < WM_LINK_LIST; i++) {
    const uint32_t k = i % WM_LINK_BLOCK, span = first + k;
    const uint32_t link = span < count ? plain[4 * span + i / WM_LINK_BLOCK] : WM_NO_SPAN;
    if (span + (uint32_t)steps[i] != (link == WM_NO_SPAN ? span : link)) return false;
  }
  return true;
}

static void links_come_back_on_random_ones_of_seeds_1_to_2000(void) {
  static uint32_t plain[4 * MOST];
  uint32_t straight = 0, deep = 0, listed = 0, wide = 0, kept = 0;
  WmContext *context = wm_context_create(NULL);
  for (uint64_t seed = 1; seed <= 2000; seed++) {
    Random random = {seed};
    WmCompactHeightfield compact = {.span_count = (uint32_t)random_below(&random, MOST)};
    make_random_links(&random, compact.span_count, plain);
    pack_links(context, plain, &compact);
    bool is_right = true;
    for (uint32_t i = 0; i < 4 * compact.span_count; i++) {
      is_right &= wm_link(&compact.links, i / 4, i & 3) == plain[i];
      if (plain[i] != WM_NO_SPAN) is_right &= wm_present_link(&compact.links, i / 4, i & 3) == plain[i];
    }
    for (uint32_t i = 0; i < compact.span_count / WM_LINK_BLOCK; i++) {
      const WmLinkBlock *block = compact.links.blocks + i;
      is_right &= is_allowed_rightly(block, plain, compact.span_count, WM_LINK_BLOCK * i);
      is_right &= are_steps_right(&compact.links, block, plain, WM_LINK_BLOCK * i, compact.span_count);
      straight += (block->allowed & WM_LINK_AROUND) != 0;
      deep += (block->allowed & WM_LINK_AROUND) && block->stride > 2;
      listed += block->list && !block->is_wide;
      wide += block->is_wide;
      kept += !block->list;
    }
    if (!is_right) printf("seed %llu\n", (unsigned long long)seed);
    CHECK(is_right);
    wm_links_free(context, &compact.links);
  }
  CHECK(straight > 3000 && deep > 500 && listed > 10000 && wide > 3000 && kept > 10000);
  wm_context_destroy(context);
}

/* Up to eight spans at a time, some with missing links; records the links. */
static void add_random_row(Random *random, WmLinkBuilder *builder, WmLinkRow row, uint32_t *plain) {
  const uint32_t steps[4] = {0 - row.stride, row.south, row.stride, 0 - row.north};
  const int rarity = 1 + random_below(random, 100);
  for (uint32_t i = 0; i < 4 * row.count; i++) {
    const bool is_missing = random_below(random, rarity) == 0;
    plain[4 * row.first + i] = is_missing ? WM_NO_SPAN : row.first + i / 4 + steps[i & 3];
    if (!is_missing) row.present |= UINT64_C(1) << (16 * (i & 3) + i / 4);
  }
  wm_links_add_row(builder, &row);
}

/* Rows of spans that are added at once among others equal rows that are written one by one. */
static void rows_are_added_at_once_on_seeds_1_to_1000(void) {
  static uint32_t plain[4 * MOST];
  WmContext *context = wm_context_create(NULL);
  for (uint64_t seed = 1; seed <= 1000; seed++) {
    Random random = {seed};
    const int32_t rarity = 1 + random_below(&random, 8);
    const WmScratchMark mark = wm_scratch_mark(context);
    WmLinkBuilder builder;
    CHECK_EQUAL_INT(wm_links_start(context, MOST, &builder), WM_OK);
    WmLinkRow row = {.stride = 1, .south = 50, .north = 50};
    while (row.first < MOST) {
      if (random_below(&random, rarity) == 0) row.south = 1 + (uint32_t)random_below(&random, 60);
      if (random_below(&random, rarity) == 0) row.north = 1 + (uint32_t)random_below(&random, 60);
      if (random_below(&random, rarity) == 0) row.stride = 1 + (uint32_t)random_below(&random, 5);
      const bool is_row = random_below(&random, rarity) > 0;
      row.count = 1 + (uint32_t)random_below(&random, is_row ? 8 : 20);
      if (is_row && random_below(&random, 3) > 0) row.count = 8;
      if (row.count > MOST - row.first) row.count = MOST - row.first;
      if (is_row) {
        add_random_row(&random, &builder, row, plain);
      } else {
        for (uint32_t i = 4 * row.first; i < 4 * (row.first + row.count); i++) {
          plain[i] = random_below(&random, 6) == 0 ? WM_NO_SPAN : i / 4 + (i & 1 ? 50u : 1u);
        }
        wm_links_reserve(&builder, row.count);
        memcpy(wm_links_pending(&builder, row.first), plain + 4 * row.first, 16 * (size_t)row.count);
        wm_links_add(&builder, row.first + row.count);
      }
      row.first += row.count;
    }
    WmLinks links;
    CHECK_EQUAL_INT(wm_links_finish(&builder, MOST, &links), WM_OK);
    bool is_right = true;
    for (uint32_t i = 0; i < 4 * MOST; i++) is_right &= wm_link(&links, i / 4, i & 3) == plain[i];
    CHECK(is_right);
    wm_links_free(context, &links);
    wm_scratch_rewind(context, mark);
  }
  wm_context_destroy(context);
}

/* Only one link is missing, and in its place the step to the row before would lead to the number that stands for no span. */
static void a_link_to_before_the_first_span_is_missing(void) {
  WmContext *context = wm_context_create(NULL);
  for (uint32_t north = 9; north <= 24; north++) {
    enum { SPANS = 48 };
    uint32_t plain[4 * SPANS];
    for (uint32_t i = 0; i < 4 * SPANS; i++) {
      const uint32_t steps[4] = {0u - 1, 17, 1, 0 - north}, span = i / 4;
      plain[i] = (i & 3) == 3 && span < north ? WM_NO_SPAN : span + steps[i & 3];
      if (!span && !(i & 3)) plain[i] = WM_NO_SPAN;
    }
    const WmScratchMark mark = wm_scratch_mark(context);
    WmLinkBuilder builder;
    CHECK_EQUAL_INT(wm_links_start(context, SPANS, &builder), WM_OK);
    const WmLinkRow row = {.count = 8, .stride = 1, .south = 17, .north = north, .present = 0x00ff00ff00fe};
    wm_links_add_row(&builder, &row);
    wm_links_reserve(&builder, SPANS - 8);
    memcpy(wm_links_pending(&builder, 8), plain + 4 * 8, 16 * (SPANS - 8));
    wm_links_add(&builder, SPANS);
    WmLinks links;
    CHECK_EQUAL_INT(wm_links_finish(&builder, SPANS, &links), WM_OK);
    bool is_right = true;
    for (uint32_t span = 0; span < SPANS; span++) {
      const bool is_inner_span =
          wm_inner_spans(links.blocks + span / WM_LINK_BLOCK) >> span % WM_LINK_BLOCK & 1;
      is_right &= is_inner_span == is_inner(plain, span);
      for (uint32_t d = 0; d < 4; d++) is_right &= wm_link(&links, span, d) == plain[4 * span + d];
    }
    CHECK(is_right);
    wm_links_free(context, &links);
    wm_scratch_rewind(context, mark);
  }
  wm_context_destroy(context);
}

typedef struct Counter {
  size_t bytes;
} Counter;

static void *counting_allocate(void *user, size_t bytes) {
  size_t *block = malloc(16 + bytes);
  ((Counter *)user)->bytes += *block = bytes;
  return block + 16 / sizeof *block;
}

static void counting_release(void *user, void *block) {
  size_t *start = (size_t *)block - 16 / sizeof *start;
  ((Counter *)user)->bytes -= *start;
  free(start);
}

/* Blocks never take more than an array of links, 16 bytes per span: here every other link is shifted. */
static void the_worst_links_take_less_than_an_array(void) {
  enum { SPANS = 40000 };
  uint32_t *plain = malloc(16 * SPANS);
  for (uint32_t i = 0; i < 4 * SPANS; i++) plain[i] = i / 4 + 3 + (i >> 2 & 1) * 7;
  Counter counting = {0};
  const WmAllocator allocator = {counting_allocate, counting_release, &counting};
  WmContext *context = wm_context_create(&allocator);
  WmCompactHeightfield compact = {.span_count = SPANS};
  const size_t before = counting.bytes;
  pack_links(context, plain, &compact);
  wm_context_trim(context);
  CHECK(compact.links.blocks[100].list > 0);
  CHECK(counting.bytes - before < 11 * SPANS);
  wm_links_free(context, &compact.links);
  CHECK_EQUAL_INT(counting.bytes, before);
  wm_context_destroy(context);
  free(plain);
}

static void running_out_of_memory_leaves_nothing(void) {
  static uint32_t plain[4 * MOST];
  Random random = {7};
  make_random_links(&random, MOST, plain);
  int failed = 0;
  for (int allowed = 1;; allowed++, failed++) {
    FailingAllocator failing = {allowed};
    const WmAllocator allocator = {failing_allocate, failing_release, &failing};
    WmContext *context = wm_context_create(&allocator);
    const WmScratchMark mark = wm_scratch_mark(context);
    WmLinkBuilder builder;
    WmLinks links = {0};
    WmStatus status = wm_links_start(context, MOST, &builder);
    if (!status) {
      wm_links_reserve(&builder, MOST);
      if (!builder.status) {
        memcpy(wm_links_pending(&builder, 0), plain, sizeof plain);
        wm_links_add(&builder, MOST);
      }
      status = wm_links_finish(&builder, MOST, &links);
    }
    CHECK(status == WM_OK || status == WM_ERROR_OUT_OF_MEMORY);
    CHECK(status == WM_OK || !links.blocks);
    wm_links_free(context, &links);
    wm_scratch_rewind(context, mark);
    wm_context_destroy(context);
    if (!status) break;
  }
  CHECK(failed >= 3);
}

int main(void) {
  RUN(links_come_back_on_random_ones_of_seeds_1_to_2000);
  RUN(rows_are_added_at_once_on_seeds_1_to_1000);
  RUN(a_link_to_before_the_first_span_is_missing);
  RUN(the_worst_links_take_less_than_an_array);
  RUN(running_out_of_memory_leaves_nothing);
  return check_finish();
}
