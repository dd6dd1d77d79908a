/* The base: numbers in messages, scratch memory, stable sorting. */
#include <math.h>

#include "base/context.h"
#include "base/number.h"
#include "base/sort.h"
#include "base/text.h"
#include "check.h"

static const char *format(double number) {
  static char buffer[64];
  WmText text = {buffer, sizeof buffer, 0};
  wm_text_add_number(&text, number);
  return buffer;
}

static void numbers_read_as_people_write_them(void) {
  const struct {
    double number;
    const char *text;
  } cases[] = {{0, "0"},
               {1, "1"},
               {-2.5, "-2.5"},
               {0.3, "0.3"},
               {0.30000001192, "0.3"},
               {1e6, "1000000"},
               {12345678, "12345678"},
               {12345678.5, "12345680"},
               {9007199254740991.0, "9007199254740991"},
               {0.0001, "0.0001"},
               {1e-12, "1e-12"},
               {1e30, "1e+30"},
               {4294967295.0, "4294967295"},
               {99999999, "99999999"},
               {NAN, "NaN"},
               {INFINITY, "Infinity"},
               {-INFINITY, "-Infinity"},
               {9.9999999, "10"},
               {1.5e-300, "1.5e-300"},
               {100, "100"},
               {65535, "65535"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    if (strcmp(format(cases[i].number), cases[i].text) != 0) {
      printf("%s, expected %s\n", format(cases[i].number), cases[i].text);
      check_report(__FILE__, __LINE__, "number");
    }
  }
}

static void texts_are_cut_at_their_capacity(void) {
  char buffer[8];
  WmText text = {buffer, sizeof buffer, 0};
  wm_text_add(&text, "longer than eight");
  CHECK(strcmp(buffer, "longer ") == 0);
  wm_text_add_number(&text, 42);
  CHECK(strcmp(buffer, "longer ") == 0);
}

static void range_errors_name_field_value_and_range(void) {
  WmContext *context = wm_context_create(NULL);
  CHECK_EQUAL_INT(wm_fail_range(context, WM_ERROR_CONFIGURATION, "cellSize", -1, 0.5, 2, "metres"),
                  WM_ERROR_CONFIGURATION);
  CHECK(strcmp(wm_context_error(context)->message, "cellSize is -1: must be 0.5 to 2; metres") == 0);
  wm_fail_range(context, WM_ERROR_LIMIT, "x", 3, 4, NAN, NULL);
  CHECK(strcmp(wm_context_error(context)->message, "x is 3: must be at least 4") == 0);
  wm_fail_number(context, WM_ERROR_LIMIT, NULL, "one of ", 7, " is wrong");
  CHECK(strcmp(wm_context_error(context)->message, "one of 7 is wrong") == 0);
  CHECK(wm_context_error(context)->field[0] == 0 && isnan(wm_context_error(context)->minimum));
  wm_fail(context, WM_ERROR_STATE, "tile", "not yet");
  CHECK(strcmp(wm_context_error(context)->message, "not yet") == 0 &&
        isnan(wm_context_error(context)->value));
  CHECK(strcmp(wm_status_name(WM_ERROR_LIMIT), "limit") == 0);
  wm_context_destroy(context);
}

static uint32_t next_random(uint32_t *state) {
  *state = *state * 1664525u + 1013904223u;
  return *state >> 8;
}

static void sorting_is_stable_for_every_length(void) {
  enum { MOST = 300 };
  static WmSortItem items[MOST], scratch[MOST];
  uint32_t state = 1;
  for (size_t count = 0; count < MOST; count++) {
    for (size_t i = 0; i < count; i++) items[i] = (WmSortItem){next_random(&state) % 20, (uint32_t)i};
    wm_sort_stable(items, scratch, count);
    for (size_t i = 1; i < count; i++) {
      CHECK(items[i - 1].key < items[i].key ||
            (items[i - 1].key == items[i].key && items[i - 1].value < items[i].value));
    }
  }
}

static void scratch_memory_is_a_stack_of_reused_chunks(void) {
  WmContext *context = wm_context_create(NULL);
  const WmScratchMark empty = wm_scratch_mark(context);
  CHECK(wm_scratch_array(context, 0, 4) != NULL && wm_scratch_array(context, 4, 0) != NULL);
  wm_scratch_rewind(context, empty);
  uint8_t *first = wm_scratch_array(context, 10, 1);
  const WmScratchMark mark = wm_scratch_mark(context);
  uint8_t *second = wm_scratch_array(context, 1000000, 1);
  memset(second, 1, 1000000);
  CHECK((uintptr_t)first % 16 == 0 && (uintptr_t)second % 16 == 0);
  wm_scratch_rewind(context, mark);
  CHECK(wm_scratch_array(context, 1000000, 1) == second);
  wm_scratch_rewind(context, empty);
  CHECK(wm_scratch_array(context, 1, 1) == first);
  CHECK(wm_scratch_array(context, SIZE_MAX / 2, 4) == NULL);
  CHECK_EQUAL_INT(wm_context_error(context)->status, WM_ERROR_OUT_OF_MEMORY);
  wm_scratch_rewind(context, empty);
  wm_context_trim(context);
  wm_context_destroy(context);
}

static void growing_keeps_contents_and_grows_in_place_when_newest(void) {
  WmContext *context = wm_context_create(NULL);
  const WmScratchMark mark = wm_scratch_mark(context);
  uint32_t *numbers = wm_scratch_array(context, 4, sizeof *numbers);
  for (uint32_t i = 0; i < 4; i++) numbers[i] = i;
  CHECK(wm_scratch_grow(context, numbers, 4, 64, sizeof *numbers) == numbers);
  wm_scratch_array(context, 1, 1);
  uint32_t *moved = wm_scratch_grow(context, numbers, 64, 1 << 20, sizeof *numbers);
  CHECK(moved != numbers);
  for (uint32_t i = 0; i < 4; i++) CHECK_EQUAL_INT(moved[i], i);
  wm_scratch_rewind(context, mark);
  wm_context_destroy(context);
}

static void layouts_align_and_refuse_overflow(void) {
  WmLayout layout = {0};
  CHECK_EQUAL_INT(wm_layout_add(&layout, 3, 1), 0);
  CHECK_EQUAL_INT(wm_layout_add(&layout, 5, 4), 16);
  CHECK_EQUAL_INT(layout.bytes, 48);
  wm_layout_add(&layout, SIZE_MAX / 2, 3);
  WmContext *context = wm_context_create(NULL);
  CHECK(wm_layout_allocate(context, &layout) == NULL);
  wm_layout_add(&layout, SIZE_MAX, 1);
  wm_layout_add(&layout, SIZE_MAX / 2, 1);
  wm_layout_add(&layout, 1, 1);
  CHECK(wm_layout_allocate(context, &layout) == NULL);
  wm_context_destroy(context);
}

/* Sines and cosines, of angles of every size, also just before and after eighths of a turn. */
static void sines_are_those_of_the_c_library(void) {
  static const double PI = 3.14159265358979323846;
  for (int i = -3000; i <= 3000; i++) {
    const double angles[] = {i * 0.01, i * PI / 4, i * PI / 4 - 1e-9, i * PI / 4 + 1e-9, i * 7.7};
    for (size_t k = 0; k < sizeof angles / sizeof *angles; k++) {
      const double far = 1e-15 * (1 + fabs(angles[k])), angle = angles[k];
      CHECK(fabs(wm_sine(angle, 0) - sin(angle)) <= far);
      CHECK(fabs(wm_sine(angle, 1) - cos(angle)) <= far);
      CHECK(wm_sine(angle, 2) == -wm_sine(angle, 0) && wm_sine(angle, 3) == -wm_sine(angle, 1));
    }
  }
  CHECK(wm_sine(0, 0) == 0 && wm_sine(0, 1) == 1 && wm_sine(0, 2) == 0 && wm_sine(0, 3) == -1);
  const double strange[] = {NAN, INFINITY, -INFINITY};
  for (int i = 0; i < 3; i++) CHECK(wm_sine(strange[i], 0) == 0 && wm_sine(strange[i], 1) == 1);
}

static void numbers_within_a_limit(void) {
  const float numbers[] = {2, -2, 0};
  CHECK(wm_are_within(numbers, 3, 2) && !wm_are_within(numbers, 3, 1.99f) &&
        wm_are_within(numbers + 2, 1, 0));
  const float not_numbers[] = {0, NAN, INFINITY};
  CHECK(wm_are_within(not_numbers, 1, 2) && !wm_are_within(not_numbers, 2, 2) &&
        wm_are_within(not_numbers, 0, 2));
  CHECK(!wm_are_within(not_numbers + 2, 1, 2));
}

int main(void) {
  RUN(sines_are_those_of_the_c_library);
  RUN(numbers_within_a_limit);
  RUN(numbers_read_as_people_write_them);
  RUN(texts_are_cut_at_their_capacity);
  RUN(range_errors_name_field_value_and_range);
  RUN(sorting_is_stable_for_every_length);
  RUN(scratch_memory_is_a_stack_of_reused_chunks);
  RUN(growing_keeps_contents_and_grows_in_place_when_newest);
  RUN(layouts_align_and_refuse_overflow);
  return check_finish();
}
