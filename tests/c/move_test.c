/* Moving along the surface: against the golden answers. */
#include "query/local.h"

#include "golden_queries.h"

/* Where the golden moves go: three units from the start towards the end. */
static void three_units_on(const Question *question, float to[3]) {
  const float x = question->to[0] - question->from[0], z = question->to[2] - question->from[2];
  const float scale = x * x + z * z > 0 ? 3 / sqrtf(x * x + z * z) : 0;
  to[0] = question->from[0] + x * scale;
  to[1] = question->from[1];
  to[2] = question->from[2] + z * scale;
}

static void moves_equal_golden_answers(void) {
  for (int s = 0; s < GOLDEN_SCENE_COUNT; s++) {
    Golden golden;
    if (!open_golden(GOLDEN_SCENES[s], &golden)) continue;
    Reader answers = open_answers(GOLDEN_SCENES[s], "moveAlongSurface");
    int slid = 0;
    for (uint32_t i = 0; i < golden.count; i++) {
      const Question question = next_question(&golden);
      float to[3];
      three_units_on(&question, to);
      WmMove move;
      CHECK_EQUAL_INT(wm_query_move_along_surface(golden.query, question.start, question.from, to,
                                                  &golden.filter, false, &move),
                      WM_OK);
      CHECK_EQUAL_INT(next_u32(&answers), 1u << 30);
      float point[3];
      next_floats(&answers, point, 3);
      CHECK(memcmp(move.point, point, sizeof point) == 0);
      const uint32_t count = next_u32(&answers); /* none was cut */
      CHECK_EQUAL_INT(move.polygon_count, count);
      for (uint32_t k = 0; k < count; k++) {
        const WmRef expected = from_golden(&golden, next_u32(&answers));
        if (k < move.polygon_count) CHECK_EQUAL_INT(move.polygons[k], expected);
        if (k + 1 == count) CHECK_EQUAL_INT(move.polygon, expected);
      }
      slid += distance(move.point, to) > 0.01f;
    }
    printf("%s: %d of %u slid\n", GOLDEN_SCENES[s], slid, golden.count);
    CHECK(slid > 0);
    CHECK_EQUAL_INT(answers.at, answers.file.byte_count);
    free(answers.file.bytes);
    close_golden(&golden);
  }
}

int main(void) {
  RUN(moves_equal_golden_answers);
  return check_finish();
}
