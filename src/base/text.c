/* Messages without printf. See text.h. */
#include "base/text.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

/* Integers below it are exact in a double: 2^53. */
#define EXACT_LIMIT 9007199254740992.0

static void add_character(WmText *text, char character) {
  if (text->length + 1 < text->capacity) text->characters[text->length++] = character;
}

void wm_text_add(WmText *text, const char *characters) {
  while (*characters) add_character(text, *characters++);
  if (text->capacity) text->characters[text->length] = '\0';
}

/* Appends the seven digits of `digits` with the point after the first `point` of them, without trailing zeros
 * after the point. */
static void add_digits(WmText *text, uint32_t digits, int point) {
  if (point <= 0) wm_text_add(text, "0.");
  for (int i = point; i < 0; i++) add_character(text, '0');
  uint32_t unit = 1000000;
  for (int i = 0; digits > 0 || i < point; i++) {
    if (i == point && i > 0) add_character(text, '.');
    add_character(text, (char)('0' + digits / unit));
    digits %= unit;
    if (unit > 1) unit /= 10;
  }
}

/* All digits of an integer below 2^53: polygon references need them. */
static void add_integer(WmText *text, uint64_t integer) {
  uint64_t unit = 1;
  while (integer / unit >= 10) unit *= 10;
  for (; unit > 0; unit /= 10) add_character(text, (char)('0' + integer / unit % 10));
  wm_text_add(text, "");
}

/* NOLINTNEXTLINE(misc-no-recursion): one level deep, with the exponent */
void wm_text_add_number(WmText *text, double number) {
  if (number < 0) add_character(text, '-');
  double scaled = fabs(number);
  if (!(scaled < INFINITY)) {
    wm_text_add(text, scaled > 0 ? "Infinity" : "NaN");
    return;
  }
  if (scaled < EXACT_LIMIT && scaled == floor(scaled)) {
    add_integer(text, (uint64_t)scaled);
    return;
  }
  int point = 7; /* |number| = digits * 10^(point - 7) with a seven-digit `digits` */
  while (scaled >= 9999999.5) scaled /= 10, point++;
  while (scaled > 0 && scaled < 999999.95) scaled *= 10, point--;
  const uint32_t digits = (uint32_t)(scaled + 0.5);
  if (point > 16 || point < -3) {
    add_digits(text, digits, 1);
    wm_text_add(text, point > 0 ? "e+" : "e-");
    wm_text_add_number(text, abs(point - 1)); /* below 400: written without an exponent */
  } else {
    add_digits(text, digits, point);
  }
  wm_text_add(text, "");
}
