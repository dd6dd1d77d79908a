/* The golden queries: the meshes of a few scenes, 500 queries on each, and Detour's results, in
 * ../shared/golden/queries (its README describes the files). If they are missing, open_golden prints that and
 * tests skip them. */
#ifndef WALKMESH_TESTS_GOLDEN_QUERIES_H
#define WALKMESH_TESTS_GOLDEN_QUERIES_H

#include <math.h>

#include "dump_read.h"
#include "grid_tiles.h"
#include "mesh/formats/formats.h"
#include "query/search/path.h"

static const char *const GOLDEN_SCENES[] = {"city", "holes", "plaza", "terrain", "tower"};
enum { GOLDEN_SCENE_COUNT = 5 };

/* A cursor in a file of results. */
typedef struct Reader {
  WmBytes file;
  size_t at;
} Reader;

static inline uint32_t next_u32(Reader *reader) {
  uint32_t value = 0;
  memcpy(&value, reader->file.bytes + reader->at, 4);
  reader->at += 4;
  return value;
}

static inline void next_floats(Reader *reader, float *values, size_t count) {
  memcpy(values, reader->file.bytes + reader->at, 4 * count);
  reader->at += 4 * count;
}

static inline Reader open_answers(const char *scene, const char *name) {
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

static inline bool open_golden(const char *scene, Golden *golden) {
  Reader tile = open_answers(scene, "tile");
  memset(golden, 0, sizeof *golden);
  golden->queries = open_answers(scene, "queries");
  if (!tile.file.bytes || !golden->queries.file.bytes) {
    SKIP("no ../shared/golden/queries");
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

static inline void close_golden(Golden *golden) {
  wm_query_destroy(golden->query);
  wm_mesh_destroy(golden->mesh);
  wm_context_destroy(golden->context);
  free(golden->queries.file.bytes);
}

static inline WmRef from_golden(const Golden *golden, uint32_t ref) {
  return ref ? wm_mesh_tile(golden->mesh, 0)->ref + (ref & golden->mask) : 0;
}

static inline Question next_question(Golden *golden) {
  Question question;
  question.start = from_golden(golden, next_u32(&golden->queries));
  next_floats(&golden->queries, question.from, 3);
  question.end = from_golden(golden, next_u32(&golden->queries));
  next_floats(&golden->queries, question.to, 3);
  next_floats(&golden->queries, question.near, 3);
  return question;
}

static inline float distance(const float a[3], const float b[3]) {
  const float x = a[0] - b[0], y = a[1] - b[1], z = a[2] - b[2];
  return sqrtf(x * x + y * y + z * z);
}

static inline float random_between(uint32_t *seed, float low, float high) {
  return low + (high - low) * (float)(grid_random(seed) & 0xffff) / 65535.0f;
}

/* A point on a mesh from 0 to `side` on x and z. */
static inline WmNearest random_place_within(WmQuery *query, float side, uint32_t *seed) {
  static const float HALF_EXTENTS[3] = {30, 30, 30};
  const float x = random_between(seed, 0, side), centre[3] = {x, 0, random_between(seed, 0, side)};
  WmNearest place;
  CHECK_EQUAL_INT(wm_query_find_nearest(query, centre, HALF_EXTENTS, NULL, &place), WM_OK);
  CHECK(place.polygon != 0);
  return place;
}

#endif
