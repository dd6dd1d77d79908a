/* All tests in C as one program: `walkmesh_tests NAME` runs the file tests/c/NAME.c, or several one after the
 * other. Each reports its own cases, and ctest runs every name in a process of its own. */
#include "check.h"

#ifdef __GLIBC__
#include <malloc.h>
#endif

const int check_rounds_divisor = CHECK_ROUNDS_DIVISOR;

#define TEST(name) int name(void);
#include "test_list.h"
#undef TEST

typedef struct {
  const char *name;
  int (*run)(void);
} Test;

#define TEST(name) {#name, name},
static const Test TESTS[] = {
#include "test_list.h"
};
#undef TEST

enum { TEST_COUNT = sizeof TESTS / sizeof TESTS[0] };

int main(int argument_count, char **arguments) {
  int status = 0;
#ifdef __GLIBC__
  mallopt(M_PERTURB, 0x5a); /* new and freed memory is filled, since results must not depend on it */
#endif
  if (argument_count < 2) {
    for (int i = 0; i < TEST_COUNT; i++) puts(TESTS[i].name);
    return 2;
  }
  for (int k = 1; k < argument_count; k++) {
    int i = 0;
    while (i < TEST_COUNT && strcmp(TESTS[i].name, arguments[k]) != 0) i++;
    if (i == TEST_COUNT) {
      printf("there is no test %s: without a name all are listed\n", arguments[k]);
      return 2;
    }
    if (TESTS[i].run() != 0) status = 1;
  }
  return status;
}
