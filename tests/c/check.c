#include "check.h"

int check_failures, check_cases_passed, check_cases_failed, check_cases_skipped;

void check_report(const char *file, int line, const char *text) {
  check_failures++;
  if (check_failures <= 50) printf("%s:%d: %s\n", file, line, text);
}

int check_finish(void) {
  printf("%d passed, %d failed, %d skipped\n", check_cases_passed, check_cases_failed, check_cases_skipped);
  return check_cases_failed == 0 ? 0 : 1;
}
