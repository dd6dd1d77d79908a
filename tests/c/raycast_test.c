/* Rays against the golden answers. */
#include "query/local.h"

#include <float.h>

#include "golden_queries.h"

static void rays_equal_golden_answers(void) {
  for (int s = 0; s < GOLDEN_SCENE_COUNT; s++) {
    Golden golden;
    if (!open_golden(GOLDEN_SCENES[s], &golden)) continue;
    Reader answers = open_answers(GOLDEN_SCENES[s], "raycast");
    uint32_t hits = 0;
    for (uint32_t i = 0; i < golden.count; i++) {
      const Question question = next_question(&golden);
      WmRay ray;
      CHECK_EQUAL_INT(
          wm_query_raycast(golden.query, question.start, question.from, question.to, &golden.filter, 0, &ray),
          WM_OK);
      CHECK_EQUAL_INT(next_u32(&answers), 1u << 30);
      float t, normal[3];
      next_floats(&answers, &t, 1);
      next_floats(&answers, normal, 3);
      CHECK_EQUAL_INT(ray.hit, t != FLT_MAX);
      CHECK(ray.t == (ray.hit ? t : 1));
      CHECK(memcmp(ray.normal, normal, sizeof normal) == 0);
      CHECK(!ray.cut && !ray.outside);
      const uint32_t count = next_u32(&answers);
      CHECK_EQUAL_INT(ray.polygon_count, count);
      for (uint32_t k = 0; k < count; k++) {
        const WmRef expected = from_golden(&golden, next_u32(&answers));
        if (k < ray.polygon_count) CHECK_EQUAL_INT(ray.polygons[k], expected);
      }
      hits += ray.hit;
    }
    CHECK_EQUAL_INT(answers.at, answers.file.byte_count);
    CHECK(hits > 200 && hits < golden.count);
    free(answers.file.bytes);
    close_golden(&golden);
  }
}

int main(void) {
  RUN(rays_equal_golden_answers);
  return check_finish();
}
