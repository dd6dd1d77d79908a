/* Queries: nearest polygons, corridors and paths against the golden answers, and on drawn meshes. */
#include "query/query.h"

#include <math.h>

#include "check.h"
#include "dump_read.h"
#include "mesh/formats.h"

static const char *const SCENES[] = {"city", "holes", "plaza", "terrain", "tower"};
enum { SCENE_COUNT = 5 };

/* ---- Golden
 * ------------------------------------------------------------------------------------------------ */

/* Walks over a file of answers. */
typedef struct Reader {
  WmBytes file;
  size_t at;
} Reader;

static uint32_t next_u32(Reader *reader) {
  uint32_t value = 0;
  memcpy(&value, reader->file.bytes + reader->at, 4);
  reader->at += 4;
  return value;
}

static void next_floats(Reader *reader, float *values, size_t count) {
  memcpy(values, reader->file.bytes + reader->at, 4 * count);
  reader->at += 4 * count;
}

static Reader open_answers(const char *scene, const char *name) {
  char path[128];
  snprintf(path, sizeof path, "../shared/golden/queries/%s/%s.bin", scene, name);
  return (Reader){read_file(path), 0};
}

/* A golden scene: its mesh, and a query with the golden filter. */
typedef struct Golden {
  WmContext *context;
  WmMesh *mesh;
  WmQuery *query;
  WmFilter filter;
  Reader queries;
  uint32_t count, mask; /* of polygon numbers in the golden references */
} Golden;

/* One line of queries.bin, with our references. */
typedef struct Question {
  WmRef start, end;
  float from[3], to[3], near[3];
} Question;

static bool open_golden(const char *scene, Golden *golden) {
  Reader tile = open_answers(scene, "tile");
  memset(golden, 0, sizeof *golden);
  golden->queries = open_answers(scene, "queries");
  if (!tile.file.bytes || !golden->queries.file.bytes) {
    SKIP("golden queries are not here");
    free(tile.file.bytes);
    free(golden->queries.file.bytes);
    return false;
  }
  golden->context = wm_context_create(NULL);
  CHECK_EQUAL_INT(wm_mesh_read(golden->context, tile.file.bytes, tile.file.byte_count, &golden->mesh), WM_OK);
  free(tile.file.bytes);
  CHECK_EQUAL_INT(wm_query_create(golden->context, golden->mesh, &golden->query), WM_OK);
  golden->filter = wm_filter_default();
  golden->filter.exclude_flags = 0x10;
  golden->count = next_u32(&golden->queries);
  uint32_t bit = 1;
  while (bit < wm_mesh_tile(golden->mesh, 0)->polygon_count) bit *= 2;
  golden->mask = bit - 1;
  return true;
}

static void close_golden(Golden *golden) {
  wm_query_destroy(golden->query);
  wm_mesh_destroy(golden->mesh);
  wm_context_destroy(golden->context);
  free(golden->queries.file.bytes);
}

static WmRef from_golden(const Golden *golden, uint32_t ref) {
  return ref ? wm_mesh_tile(golden->mesh, 0)->ref + (ref & golden->mask) : 0;
}

static Question next_question(Golden *golden) {
  Question question;
  question.start = from_golden(golden, next_u32(&golden->queries));
  next_floats(&golden->queries, question.from, 3);
  question.end = from_golden(golden, next_u32(&golden->queries));
  next_floats(&golden->queries, question.to, 3);
  next_floats(&golden->queries, question.near, 3);
  return question;
}

static float distance(const float a[3], const float b[3]) {
  const float x = a[0] - b[0], y = a[1] - b[1], z = a[2] - b[2];
  return sqrtf(x * x + y * y + z * z);
}

static void nearest_polygons_equal_golden_answers(void) {
  static const float HALF_EXTENTS[3] = {2, 4, 2};
  for (int s = 0; s < SCENE_COUNT; s++) {
    Golden golden;
    if (!open_golden(SCENES[s], &golden)) continue;
    Reader answers = open_answers(SCENES[s], "findNearestPoly");
    int found = 0, same_bits = 0;
    for (uint32_t i = 0; i < golden.count; i++) {
      const Question question = next_question(&golden);
      WmNearest nearest;
      CHECK_EQUAL_INT(
          wm_query_find_nearest(golden.query, question.near, HALF_EXTENTS, &golden.filter, &nearest), WM_OK);
      CHECK_EQUAL_INT(next_u32(&answers), 1u << 30);
      const WmRef expected = from_golden(&golden, next_u32(&answers));
      float point[3];
      next_floats(&answers, point, 3);
      const bool over = next_u32(&answers) != 0;
      CHECK_EQUAL_INT(nearest.polygon, expected);
      CHECK_EQUAL_INT(nearest.over, over);
      CHECK(distance(nearest.point, point) < 1e-4f);
      found += expected != 0;
      same_bits += memcmp(nearest.point, point, sizeof point) == 0;
    }
    CHECK_EQUAL_INT(answers.at, answers.file.byte_count);
    CHECK(found > 100);
    CHECK_EQUAL_INT(same_bits, golden.count);
    free(answers.file.bytes);
    close_golden(&golden);
  }
}

static void corridors_and_points_equal_golden_answers(void) {
  for (int s = 0; s < SCENE_COUNT; s++) {
    Golden golden;
    if (!open_golden(SCENES[s], &golden)) continue;
    Reader paths = open_answers(SCENES[s], "findPath"), lines = open_answers(SCENES[s], "findStraightPath");
    int complete = 0, partial = 0;
    for (uint32_t i = 0; i < golden.count; i++) {
      const Question question = next_question(&golden);
      WmCorridor corridor;
      CHECK_EQUAL_INT(wm_query_find_corridor(golden.query, question.start, question.from, question.end,
                                             question.to, &golden.filter, 0, &corridor),
                      WM_OK);
      const uint32_t status = next_u32(&paths), count = next_u32(&paths);
      CHECK_EQUAL_INT(corridor.state == WM_PATH_COMPLETE, (status & 64) == 0);
      CHECK_EQUAL_INT(corridor.polygon_count, count);
      WmRef *expected = malloc((count + 1) * sizeof *expected);
      for (uint32_t k = 0; k < count; k++) {
        expected[k] = from_golden(&golden, next_u32(&paths));
        if (k < corridor.polygon_count) CHECK_EQUAL_INT(corridor.polygons[k], expected[k]);
      }
      complete += corridor.state == WM_PATH_COMPLETE;
      partial += corridor.state == WM_PATH_UNREACHABLE;
      /* Points over the golden corridor. */
      WmPath path;
      CHECK_EQUAL_INT(wm_query_straighten(golden.query, question.from, question.to, expected, count,
                                          WM_CROSSINGS_NONE, 0, &path),
                      WM_OK);
      CHECK_EQUAL_INT(next_u32(&lines) & 0xc0000000u, 1u << 30);
      const uint32_t points = next_u32(&lines);
      CHECK_EQUAL_INT(path.point_count, points);
      float length = 0, previous[3] = {0};
      for (uint32_t k = 0; k < points; k++) {
        float point[3];
        next_floats(&lines, point, 3);
        const uint32_t flags = next_u32(&lines), ref = next_u32(&lines);
        if (k > 0) length += distance(previous, point);
        memcpy(previous, point, sizeof point);
        if (k >= path.point_count) continue;
        CHECK(memcmp(path.points + 3 * k, point, sizeof point) == 0);
        CHECK_EQUAL_INT(path.point_flags[k], flags);
        CHECK_EQUAL_INT(path.point_polygons[k], from_golden(&golden, ref));
      }
      CHECK(fabsf(length - path.length) <= 1e-4f * (1 + length));
      free(expected);
    }
    CHECK_EQUAL_INT(paths.at, paths.file.byte_count);
    CHECK_EQUAL_INT(lines.at, lines.file.byte_count);
    CHECK(complete > 0);
    printf("%s: %d complete, %d unreachable\n", SCENES[s], complete, partial);
    free(paths.file.bytes);
    free(lines.file.bytes);
    close_golden(&golden);
  }
}

int main(void) {
  RUN(nearest_polygons_equal_golden_answers);
  RUN(corridors_and_points_equal_golden_answers);
  return check_finish();
}
