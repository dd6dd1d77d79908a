/* Why no link leads from a place to another: walls, ends behind landings, limits that would be enough, places without ground. */
#include <math.h>

#include "link_levels.h"

/* Boxes of a level, from x0 to x1 and up to y, all 12 deep. */
typedef struct Block {
  float x0, x1, low, high;
} Block;

enum { MOST_BLOCKS = 4, DROP = 1, JUMP = 2, CLIMB = 4, VAULT = 8, ALL = 15 };

/* A question in such a level, and its answer. */
typedef struct Case {
  const char *name;
  Block blocks[MOST_BLOCKS];
  float from_x, to[3]; /* from: on height 0, in the middle of z */
  uint32_t kinds;      /* that are on */
  int reason, kind;
  float end_x;        /* of the answer; 0: any */
  float value, limit; /* 0: any */
} Case;

static const Case CASES[] = {
    {"a wall as high as nobody jumps blocks",
     {{0, 20, -1, 0}, {10, 10.5f, 0, 8}},
     9.25f,
     {12, 0, 6},
     ALL,
     WM_LINK_BLOCKED,
     WM_SEGMENT_LINK_JUMP,
     0,
     0,
     0},
    {"the same where the end lies far behind it",
     {{0, 30, -1, 0}, {10, 10.5f, 0, 8}},
     9.25f,
     {26, 0, 6},
     ALL,
     WM_LINK_BLOCKED,
     WM_SEGMENT_LINK_JUMP,
     0,
     0,
     0},
    {"a pillar over the whole gap blocks",
     {{0, 10, -1, 0}, {13, 23, -1, 0}, {11, 11.5f, -6, 6}},
     9.25f,
     {18, 0, 6},
     JUMP,
     WM_LINK_BLOCKED,
     WM_SEGMENT_LINK_JUMP,
     0,
     0,
     0},
    {"a wall too deep to jump over blocks, however far jumps lead",
     {{0, 30, -1, 0}, {10, 14, 0, 3}},
     9.25f,
     {15, 0, 6},
     ALL,
     WM_LINK_BLOCKED,
     WM_SEGMENT_LINK_JUMP,
     0,
     0,
     0},
    {"a jump whose landing lies before the end",
     {{0, 10, -1, 0}, {12, 30, -1, 0}},
     9.25f,
     {27, 0, 6},
     ALL,
     WM_LINK_MADE,
     WM_SEGMENT_LINK_JUMP,
     12.75f,
     0,
     0},
    {"a drop whose landing lies before the end",
     {{0, 10, -5, 0}, {10, 30, -5, -3}},
     9.25f,
     {27, -3, 6},
     ALL,
     WM_LINK_MADE,
     WM_SEGMENT_LINK_DROP,
     10.75f,
     0,
     0},
    {"a vault whose landing lies before the end",
     {{0, 30, -1, 0}, {10, 10.25f, 0, 1}},
     9.25f,
     {20, 0, 6},
     ALL,
     WM_LINK_MADE,
     WM_SEGMENT_LINK_VAULT,
     10.75f,
     0,
     0},
    {"a climb whose ledge lies before the end",
     {{0, 30, -1, 0}, {10, 30, 0, 1.5f}},
     9.25f,
     {20, 1.5f, 6},
     ALL,
     WM_LINK_MADE,
     WM_SEGMENT_LINK_CLIMB,
     10.5f,
     0,
     0},
    {"a gap too wide, where the end lies behind it",
     {{0, 10, -1, 0}, {15, 30, -1, 0}},
     9.25f,
     {25, 0, 6},
     ALL,
     WM_LINK_TOO_FAR,
     WM_SEGMENT_LINK_JUMP,
     15.75f,
     6.25f,
     4},
    {"a ledge too high, where the end lies behind it",
     {{0, 30, -1, 0}, {10, 30, 0, 3}},
     9.25f,
     {20, 3, 6},
     ALL,
     WM_LINK_TOO_HIGH,
     WM_SEGMENT_LINK_CLIMB,
     0,
     3,
     2},
    {"a ledge too deep, where the end lies behind it",
     {{0, 10, -9, 0}, {10, 30, -9, -6}},
     9.25f,
     {20, -6, 6},
     ALL,
     WM_LINK_TOO_DEEP,
     WM_SEGMENT_LINK_DROP,
     0,
     6,
     4},
    {"a fence too deep says more than what it blocks",
     {{0, 30, -1, 0}, {10, 12, 0, 1}},
     9.25f,
     {12.75f, 0, 6},
     ALL,
     WM_LINK_TOO_FAR,
     WM_SEGMENT_LINK_VAULT,
     12.75f,
     3.25f,
     3},
    {"an end in the air has no ground",
     {{0, 10, -1, 0}, {30, 31, -1, 0}},
     9.25f,
     {16, 0, 6},
     ALL,
     WM_LINK_NO_GROUND,
     WM_SEGMENT_LINK_JUMP,
     0,
     0,
     0},
    {"an end high above its ground has none",
     {{0, 10, -1, 0}, {12, 30, -1, 0}},
     9.25f,
     {13, 4, 6},
     ALL,
     WM_LINK_NO_GROUND,
     WM_SEGMENT_LINK_CLIMB,
     0,
     0,
     0},
    {"only a kind that is off",
     {{0, 10, -1, 0}, {12, 30, -1, 0}},
     9.25f,
     {20, 0, 6},
     DROP | CLIMB,
     WM_LINK_KIND_OFF,
     WM_SEGMENT_LINK_JUMP,
     0,
     0,
     0},
};

static bool is_near(float a, float b, float error) { return fabsf(a - b) <= error; }

static WmRefusedLink ask(const Case *question, int32_t tile_size, float z, float to_z) {
  LinkLevel level = start_link_level();
  level.config.tile_size = tile_size;
  for (int i = 0; i < MOST_BLOCKS; i++) {
    const Block *block = &question->blocks[i];
    if (block->x1 > block->x0) add_box(&level.scene, block->x0, block->low, 0, block->x1, block->high, 12);
  }
  for (int kind = 0; kind < WM_SEGMENT_LINK_KINDS; kind++)
    level.links.kinds[kind].is_on = question->kinds >> kind & 1;
  finish_link_level(&level);
  const float from[3] = {question->from_x, 0, z}, to[3] = {question->to[0], question->to[1], to_z};
  WmRefusedLink refused;
  CHECK_EQUAL_INT(wm_link_generator_explain(level.generator, level.mesh, from, to, &refused), WM_OK);
  free_link_level(&level);
  return refused;
}

static bool is_answer(const Case *question, const WmRefusedLink *refused) {
  bool is_right = refused->reason == question->reason && refused->kind == question->kind;
  if (question->end_x != 0) is_right &= is_near(refused->end[0], question->end_x, 0.26f);
  if (question->value != 0) is_right &= is_near(refused->value, question->value, 0.26f);
  if (question->limit != 0) is_right &= is_near(refused->limit, question->limit, 0.001f);
  return is_right;
}

static void each_place_has_its_reason(void) {
  for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
    for (int32_t tile_size = 0; tile_size <= 24; tile_size += 24) {
      const Case *question = &CASES[i];
      const WmRefusedLink refused = ask(question, tile_size, 6, question->to[2]);
      CHECK(is_answer(question, &refused));
      if (is_answer(question, &refused)) continue;
      printf("  %s, tiles of %d: reason %d, kind %d, end %g %g %g, value %g, limit %g\n", question->name,
             tile_size, refused.reason, refused.kind, (double)refused.end[0], (double)refused.end[1],
             (double)refused.end[2], (double)refused.value, (double)refused.limit);
    }
  }
}

/* The end may lie beside the line of the nearest position, as far as the way faces the border. */
static void ends_beside_the_line_have_the_same_reason(void) {
  for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
    const Case *question = &CASES[i];
    const float beside = 0.3f * (question->to[0] - question->from_x);
    if (beside > 2 || question->reason == WM_LINK_NO_GROUND) continue;
    const WmRefusedLink refused = ask(question, 0, 5, 5 + beside);
    CHECK(refused.reason == question->reason && refused.kind == question->kind);
    if (refused.reason == question->reason) continue;
    printf("  %s, %g beside: reason %d, kind %d\n", question->name, (double)beside, refused.reason,
           refused.kind);
  }
}

int main(void) {
  RUN(each_place_has_its_reason);
  RUN(ends_beside_the_line_have_the_same_reason);
  return check_finish();
}
