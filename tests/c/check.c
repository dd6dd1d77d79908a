#include "check.h"

int check_failures, check_cases_passed, check_cases_failed, check_cases_skipped;

void check_report(const char *file, int line, const char *text) {
  check_failures++;
  if (check_failures <= 50) printf("%s:%d: %s\n", file, line, text);
}

/* Different reasons, with the number of their occurrences. */
enum { REASON_LIMIT = 16, REASON_BYTES = 96 };
static struct {
  char text[REASON_BYTES];
  int count;
} reasons[REASON_LIMIT];
static int reason_count;

void check_skip(const char *reason) {
  check_cases_skipped++;
  int i = 0;
  while (i < reason_count && strncmp(reasons[i].text, reason, REASON_BYTES - 1) != 0) i++;
  if (i == REASON_LIMIT) return;
  if (i == reason_count) snprintf(reasons[reason_count++].text, REASON_BYTES, "%s", reason);
  reasons[i].count++;
}

int check_finish(void) {
  printf("%d passed, %d failed, %d skipped", check_cases_passed, check_cases_failed, check_cases_skipped);
  for (int i = 0; i < reason_count; i++) {
    printf("%s %s (%d)", i == 0 ? ":" : ",", reasons[i].text, reasons[i].count);
  }
  printf("\n");
  return check_cases_failed == 0 ? 0 : 1;
}
