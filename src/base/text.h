/* Builds short messages in fixed buffers without printf, whose number formatting alone would be a third of
 * the WebAssembly module. */
#ifndef WALKMESH_BASE_TEXT_H
#define WALKMESH_BASE_TEXT_H

#include <stddef.h>

/* A buffer and the length of its text, which ends with a zero and is cut at the capacity. */
typedef struct WmText {
  char *characters;
  size_t capacity;
  size_t length;
} WmText;

/* Appends a string. */
void wm_text_add(WmText *text, const char *characters);

/* Appends a number: integers below 2^53 with all digits, others with up to seven significant ones: 12345678, 0.3,
 * 1e-12, NaN, Infinity. */
void wm_text_add_number(WmText *text, double number);

#endif
