/* The soak of crowds, short; `npm run soak -- --crowd` runs the long one. */
#include "crowd_soak.h"

static void nobody_is_lost_where_everything_changes(void) {
  static Soak soak;
  soak_open(&soak, 7, 80);
  for (int part = 0; part < 2; part++) {
    for (int i = 0; i < 500; i++) {
      soak_events(&soak);
      soak_step(&soak);
    }
    soak_calm(&soak, 120);
  }
  CHECK_EQUAL_INT(soak.stuck, 0);
  soak_close(&soak);
}

int main(void) {
  RUN(nobody_is_lost_where_everything_changes);
  return check_finish();
}
