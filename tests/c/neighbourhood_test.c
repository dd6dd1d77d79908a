/* Local neighbourhoods: against the golden answers. */
#include "query/local.h"

#include "golden_queries.h"

static void neighbourhoods_equal_golden_answers(void) {
  int cut = 0;
  for (int s = 0; s < GOLDEN_SCENE_COUNT; s++) {
    Golden golden;
    if (!open_golden(GOLDEN_SCENES[s], &golden)) continue;
    Reader answers = open_answers(GOLDEN_SCENES[s], "findLocalNeighbourhood");
    for (uint32_t i = 0; i < golden.count; i++) {
      const Question question = next_question(&golden);
      WmPolygons around;
      CHECK_EQUAL_INT(wm_query_local_neighbourhood(golden.query, question.start, question.from, 7.2f,
                                                   &golden.filter, 16, &around),
                      WM_OK);
      CHECK_EQUAL_INT(next_u32(&answers), around.cut ? 1u << 30 | 16 : 1u << 30);
      const uint32_t count = next_u32(&answers);
      CHECK_EQUAL_INT(around.count, count);
      for (uint32_t k = 0; k < count; k++) {
        const WmRef polygon = from_golden(&golden, next_u32(&answers));
        const WmRef parent = from_golden(&golden, next_u32(&answers));
        if (k >= around.count) continue;
        CHECK_EQUAL_INT(around.polygons[k], polygon);
        CHECK_EQUAL_INT(k > 0 ? around.polygons[around.parents[k]] : 0, parent);
      }
      cut += around.cut;
    }
    CHECK_EQUAL_INT(answers.at, answers.file.byte_count);
    free(answers.file.bytes);
    close_golden(&golden);
  }
  if (check_cases_skipped == 0) CHECK(cut > 100);
}

int main(void) {
  RUN(neighbourhoods_equal_golden_answers);
  return check_finish();
}
