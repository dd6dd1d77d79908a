/* A minimal test harness.
 *
 * A test program lists its cases in main: RUN(case_name); then `return check_finish();`. A failing CHECK
 * prints file, line and text and continues, so that one run shows all failures. check_finish prints the
 * counts in the form "N passed, N failed, N skipped: why" and returns the exit status. */
#ifndef WALKMESH_TESTS_CHECK_H
#define WALKMESH_TESTS_CHECK_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* All tests are one program (run.c): the build renames the main of each file to the name of the file. */
#ifdef main
int main(void);
#endif

extern int check_failures, check_cases_passed, check_cases_failed, check_cases_skipped;

void check_report(const char *file, int line, const char *text);
void check_skip(const char *reason);
int check_finish(void);

/* Rounds, or seeds, of a test that compares random cases with an oracle. Each program plays the first part of
 * them (WALKMESH_ROUNDS_DIVISOR in CMakeLists.txt); npm test plays all of them in one of its programs. */
extern const int check_rounds_divisor;
#define CHECK_ROUNDS(all) (((all) + check_rounds_divisor - 1) / check_rounds_divisor)

#define CHECK(condition) \
  do { \
    if (!(condition)) check_report(__FILE__, __LINE__, #condition); \
  } while (0)

#define CHECK_EQUAL_INT(actual, expected) \
  do { \
    const long long check_a = (long long)(actual), check_e = (long long)(expected); \
    if (check_a != check_e) { \
      char check_text[256]; \
      snprintf(check_text, sizeof check_text, "%s is %lld, expected %lld", #actual, check_a, check_e); \
      check_report(__FILE__, __LINE__, check_text); \
    } \
  } while (0)

#define RUN(test_case) \
  do { \
    const int failures_before = check_failures; \
    test_case(); \
    if (check_failures == failures_before) { \
      check_cases_passed++; \
    } else { \
      check_cases_failed++; \
      printf("FAILED %s\n", #test_case); \
    } \
  } while (0)

/* Counts a case, or a part of one, that can't run here. The last line of the program has the number and the
 * reasons. */
#define SKIP(reason) check_skip(reason)

#endif
