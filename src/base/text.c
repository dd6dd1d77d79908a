/* Messages without printf. See text.h. */
#include "base/text.h"

#include <math.h>
#include <stdint.h>

static void add_character(WmText *text, char character) {
  if (text->length + 1 < text->capacity) text->characters[text->length++] = character;
}

void wm_text_add(WmText *text, const char *characters) {
  while (*characters) add_character(text, *characters++);
  if (text->capacity) text->characters[text->length] = '\0';
}

/* Writes seven digits with the point after digit `point` (1-based), without trailing zeros. */
static void add_digits(WmText *text, uint32_t digits, int point) {
  char places[7];
  for (int i = 6; i >= 0; i--) {
    places[i] = (char)('0' + digits % 10);
    digits /= 10;
  }
  int last = 6;
  while (last >= point && last > 0 && places[last] == '0') last--;
  if (point <= 0) {
    wm_text_add(text, "0.");
    for (int i = point; i < 0; i++) add_character(text, '0');
  }
  for (int i = 0; i <= last || i < point; i++) {
    if (i == point && i > 0) add_character(text, '.');
    add_character(text, i <= 6 ? places[i] : '0');
  }
}

void wm_text_add_number(WmText *text, double number) {
  if (isnan(number)) {
    wm_text_add(text, "NaN");
    return;
  }
  if (number < 0) {
    add_character(text, '-');
    number = -number;
  }
  if (isinf(number)) {
    wm_text_add(text, "Infinity");
    return;
  }
  int exponent = 0; /* number = digits * 10^(exponent - 6) with a seven-digit `digits` */
  double scaled = number;
  while (scaled >= 9999999.5) scaled /= 10, exponent++;
  while (scaled > 0 && scaled < 999999.95) scaled *= 10, exponent--;
  const uint32_t digits = (uint32_t)(scaled + 0.5);
  const int point = exponent + 7;
  if (number != 0 && (point > 16 || point < -3)) {
    add_digits(text, digits, 1);
    wm_text_add(text, point > 0 ? "e+" : "e-");
    int power = point > 0 ? point - 1 : 1 - point;
    if (power >= 100) add_character(text, (char)('0' + power / 100));
    if (power >= 10) add_character(text, (char)('0' + power / 10 % 10));
    add_character(text, (char)('0' + power % 10));
  } else if (number == 0) {
    add_character(text, '0');
  } else {
    add_digits(text, digits, point);
  }
  wm_text_add(text, "");
}
