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

/* ---- Links by hand ------------------------------------------------------------------------------------- */

/* Two floors with a gap from x = 10 to 12.5, a pillar in it at z = 7 to 8, a wall behind the landing. */
static LinkLevel start_gap(void) {
  LinkLevel level = start_link_level();
  level.config.tile_size = 24;
  add_box(&level.scene, 0, -1, 0, 10, 0, 12);
  add_box(&level.scene, 12.5f, -1, 0, 30, 0, 12);
  add_box(&level.scene, 11, -8, 7, 12, 6, 8);
  add_box(&level.scene, 15, 0, 0, 16, 6, 12);
  finish_link_level(&level);
  return level;
}

/* A link along x from z = high to low. */
static WmSegmentLink make_link(int kind, float from_x, float to_x, float low, float high, float peak) {
  return (WmSegmentLink){.start = {{from_x, 0, high}, {from_x, 0, low}},
                         .end = {{to_x, 0, high}, {to_x, 0, low}},
                         .kind = (uint8_t)kind,
                         .peak = peak};
}

static WmRefusedLink check_link(const LinkLevel *level, const WmSegmentLink *link) {
  WmRefusedLink refused;
  CHECK_EQUAL_INT(wm_link_generator_check(level->generator, level->mesh, link, &refused), WM_OK);
  CHECK_EQUAL_INT(refused.kind, link->kind);
  return refused;
}

static void generated_links_pass(void) {
  LinkLevel level = start_gap();
  size_t count;
  WmSegmentLink *links = run_all_tiles(&level, &count);
  CHECK(count > 0);
  for (size_t i = 0; i < count; i++) CHECK_EQUAL_INT(check_link(&level, &links[i]).reason, WM_LINK_MADE);
  free(links);
  free_link_level(&level);
}

static void links_by_hand_are_swept(void) {
  LinkLevel level = start_gap();
  WmSegmentLink link = make_link(WM_SEGMENT_LINK_JUMP, 9.25f, 13.75f, 2, 5, 0.75f);
  CHECK_EQUAL_INT(check_link(&level, &link).reason, WM_LINK_MADE);
  /* The pillar stands beside its middle, and at one side only. */
  link = make_link(WM_SEGMENT_LINK_JUMP, 9.25f, 13.75f, 2, 7, 0.75f);
  WmRefusedLink refused = check_link(&level, &link);
  CHECK_EQUAL_INT(refused.reason, WM_LINK_BLOCKED);
  CHECK(is_near(refused.place[0], 11.5f, 0.75f) && is_near(refused.place[2], 7.5f, 0.75f));
  CHECK(refused.start[2] > 6.25f && is_near(refused.start[0], 9.25f, 0.01f));
  /* Too flat an arc doesn't matter over a gap; too high a one meets nothing either. */
  link = make_link(WM_SEGMENT_LINK_JUMP, 9.25f, 13.75f, 2, 5, 4);
  CHECK_EQUAL_INT(check_link(&level, &link).reason, WM_LINK_MADE);
  /* Into the wall, and through it. */
  link = make_link(WM_SEGMENT_LINK_JUMP, 9.25f, 14.75f, 2, 5, 0.75f);
  CHECK_EQUAL_INT(check_link(&level, &link).reason, WM_LINK_NO_ROOM);
  link = make_link(WM_SEGMENT_LINK_VAULT, 14.25f, 18, 2, 5, 1);
  CHECK_EQUAL_INT(check_link(&level, &link).reason, WM_LINK_BLOCKED);
  link.peak = 7;
  CHECK_EQUAL_INT(check_link(&level, &link).reason, WM_LINK_MADE);
  /* A ledge is left at its upper end, whichever of them the start is. */
  for (int is_up = 0; is_up < 2; is_up++) {
    link = make_link(is_up ? WM_SEGMENT_LINK_CLIMB : WM_SEGMENT_LINK_DROP, 9.25f, 10.75f, 2, 5, 0);
    for (int side = 0; side < 2; side++) (is_up ? link.start : link.end)[side][1] = -3;
    if (is_up)
      for (int side = 0; side < 2; side++) link.start[side][0] = 10.75f, link.end[side][0] = 9.25f;
    CHECK_EQUAL_INT(check_link(&level, &link).reason, WM_LINK_MADE);
  }
  free_link_level(&level);
}

static void links_by_hand_without_air_or_far_away_are_told(void) {
  LinkLevel level = start_gap();
  WmSegmentLink link = make_link(WM_SEGMENT_LINK_JUMP, 9.25f, 13.75f, 2, 5, 0.75f);
  const int32_t x = (int32_t)((13.75f - level.bounded.bounds_min[0]) / 6);
  CHECK_EQUAL_INT(wm_link_generator_set_air(level.generator, x, 0, NULL, 0, NULL, 0), WM_OK);
  CHECK_EQUAL_INT(check_link(&level, &link).reason, WM_LINK_TILE_MISSING);
  link = make_link(WM_SEGMENT_LINK_JUMP, 9.25f, 1e9f, 2, 5, 0.75f);
  CHECK_EQUAL_INT(check_link(&level, &link).reason, WM_LINK_TOO_FAR);
  link = make_link(WM_SEGMENT_LINK_JUMP, 1e8f, 1e8f + 8, 2, 5, 0.75f);
  CHECK_EQUAL_INT(check_link(&level, &link).reason, WM_LINK_TILE_MISSING);
  link = make_link(WM_SEGMENT_LINK_JUMP, 9.25f, 9.25f, 5, 5, 0); /* nowhere */
  CHECK(check_link(&level, &link).reason < WM_LINK_REFUSALS);
  free_link_level(&level);
}

int main(void) {
  RUN(each_place_has_its_reason);
  RUN(ends_beside_the_line_have_the_same_reason);
  RUN(generated_links_pass);
  RUN(links_by_hand_are_swept);
  RUN(links_by_hand_without_air_or_far_away_are_told);
  return check_finish();
}
