/* A crowd for a long time (crowd_soak.h): `crowd_soak [STEPS] [AGENTS] [SEED]`, 100,000 steps of 500 agents
 * by default. All agents come to rest ten times, in steps of its own. Prints a line each time; the exit
 * status is 0 if no check failed. */
#include "crowd_soak.h"

int main(int count, char **arguments) {
  const long steps = count > 1 ? atol(arguments[1]) : 100000, agents = count > 2 ? atol(arguments[2]) : 500;
  static Soak soak;
  if (steps < 1 || agents < 1 || agents > SOAK_AGENTS) return 2;
  soak_open(&soak, count > 3 ? (uint32_t)atol(arguments[3]) : 1, (size_t)agents);
  printf("%10s %8s %10s %12s %12s %16s\n", "steps", "stuck", "off mesh", "crowd bytes", "level bytes",
         "last allocation");
  size_t warm = 0, warm_level = 0; /* most bytes in the first half */
  for (int part = 1; part <= 10; part++) {
    while (soak.disturbed < (size_t)(steps / 10 * part)) {
      soak_events(&soak);
      soak_step(&soak);
    }
    soak_calm(&soak, 120);
    printf("%10zu %8zu %10zu %12zu %12zu %16zu\n", soak.steps, soak.stuck, soak.off_mesh, soak.bytes,
           soak.level_bytes, soak.last_allocation);
    fflush(stdout);
    if (part > 5) continue;
    if (soak.bytes > warm) warm = soak.bytes;
    if (soak.level_bytes > warm_level) warm_level = soak.level_bytes;
  }
  CHECK_EQUAL_INT(soak.stuck, 0);
  CHECK(soak.bytes <= warm + warm / 50);
  CHECK(soak.level_bytes <= warm_level + warm_level / 50);
  soak_close(&soak);
  return check_failures > 0;
}
