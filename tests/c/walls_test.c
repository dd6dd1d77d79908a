/* Walls: against the golden answers. */
#include "query/local.h"

#include "golden_queries.h"

static void distances_to_walls_equal_golden_answers(void) {
  for (int s = 0; s < GOLDEN_SCENE_COUNT; s++) {
    Golden golden;
    if (!open_golden(GOLDEN_SCENES[s], &golden)) continue;
    Reader answers = open_answers(GOLDEN_SCENES[s], "findDistanceToWall");
    uint32_t same = 0;
    for (uint32_t i = 0; i < golden.count; i++) {
      const Question question = next_question(&golden);
      WmWall wall;
      CHECK_EQUAL_INT(
          wm_query_distance_to_wall(golden.query, question.start, question.from, 100, &golden.filter, &wall),
          WM_OK);
      float expected, point[3], normal[3];
      CHECK_EQUAL_INT(next_u32(&answers), 1u << 30);
      next_floats(&answers, &expected, 1);
      next_floats(&answers, point, 3);
      next_floats(&answers, normal, 3);
      CHECK(wall.found && wall.distance == expected);
      /* Two walls that share the nearest corner may say the last bit of its height differently. */
      CHECK(distance(wall.point, point) < 1e-6f && distance(wall.normal, normal) < 1e-6f);
      same += memcmp(wall.point, point, sizeof point) == 0 && memcmp(wall.normal, normal, sizeof normal) == 0;
    }
    CHECK(same >= golden.count - 3);
    CHECK_EQUAL_INT(answers.at, answers.file.byte_count);
    free(answers.file.bytes);
    close_golden(&golden);
  }
}

int main(void) {
  RUN(distances_to_walls_equal_golden_answers);
  return check_finish();
}
