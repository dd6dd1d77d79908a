/* Runs a file of queries (tests/js/determinism/query-program.js writes it) and prints a hash for every 100 of
 * them, one per line:
 *
 *   query_player QUESTIONS
 *
 * tests/js/determinism/query-player.js does the same through the package: it hashes all bits of the results,
 * in words of 32 bits. A file that can't be read, or a query that fails, ends the program. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dump_read.h"
#include "mesh/formats/formats.h"
#include "query/alternatives/alternatives.h"
#include "query/local/raycast.h"
#include "query/local/move.h"
#include "query/local/walls.h"
#include "query/local/overlap.h"
#include "query/local/neighbourhood.h"
#include "query/search/flood.h"
#include "query/local/random.h"
#include "query/search/path.h"
#include "query/tile_graph/tile_graph.h"

enum { QUESTIONS_A_HASH = 100, QUESTION_WORDS = 6 };

typedef struct Player {
  WmContext *context;
  WmMesh *mesh;
  WmQuery *query;
  WmTileGraph *graph; /* of the first long path */
  WmRandom random;
  uint32_t *words; /* of the results since the last hash */
  size_t count, capacity;
} Player;

typedef struct Places {
  float from[3], to[3];
  WmNearest start;
} Places;

static void require(bool condition, const char *what) {
  if (condition) return;
  fprintf(stderr, "query_player: %s\n", what);
  exit(1);
}

static void require_ok(const Player *player, WmStatus status) {
  if (status) require(false, wm_context_error(player->context)->message);
}

/* ---- Results as words ------------------------------------------------------------------------------ */

static void write_word(Player *player, uint32_t word) {
  if (player->count == player->capacity) {
    player->capacity = 2 * player->capacity + 1024;
    player->words = realloc(player->words, 4 * player->capacity);
    require(player->words != NULL, "there is no memory");
  }
  player->words[player->count++] = word;
}

static void write_floats(Player *player, const float *numbers, size_t count) {
  for (size_t i = 0; i < count; i++) {
    uint32_t word;
    memcpy(&word, &numbers[i], 4);
    write_word(player, word);
  }
}

static void write_refs(Player *player, const WmRef *refs, size_t count) {
  for (size_t i = 0; i < count; i++) {
    write_word(player, (uint32_t)refs[i]);
    write_word(player, (uint32_t)(refs[i] >> 32));
  }
}

static void write_path(Player *player, const WmPath *path) {
  /* The package uses one word for both. */
  write_word(player, (uint32_t)(path->state == WM_PATH_NONE ? WM_PATH_UNREACHABLE : path->state));
  write_word(player, (uint32_t)path->point_count);
  write_floats(player, (const float[]){path->cost, path->length}, 2);
  write_floats(player, path->points, 3 * path->point_count);
  write_refs(player, path->point_polygons, path->point_count);
}

/* ---- Kinds of queries --------------------------------------------------------------------------------- */

static void ask_path(Player *player, const Places *places) {
  WmPath path;
  require_ok(player, wm_query_find_path(player->query, places->from, places->to, NULL, &path));
  write_path(player, &path);
}

static void ask_any_angle(Player *player, const Places *places) {
  WmPathOptions options = wm_path_options_default();
  options.search.any_angle = true;
  WmPath path;
  require_ok(player, wm_query_find_path(player->query, places->from, places->to, &options, &path));
  write_path(player, &path);
}

static void ask_shortest(Player *player, const Places *places) {
  WmPathOptions options = wm_path_options_default();
  options.search.shortest = true;
  WmPath path;
  require_ok(player, wm_query_find_path(player->query, places->from, places->to, &options, &path));
  write_path(player, &path);
}

static void ask_wide(Player *player, const Places *places) {
  WmPathOptions options = wm_path_options_default();
  options.search.wall_distance = 0.8f;
  options.search.wall_cost = 1.5f;
  WmPath path;
  require_ok(player, wm_query_find_path(player->query, places->from, places->to, &options, &path));
  write_path(player, &path);
}

static void ask_smooth(Player *player, const Places *places) {
  WmPath path;
  require_ok(player, wm_query_find_smooth_path(player->query, places->from, places->to, 0.75f, NULL, &path));
  write_path(player, &path);
}

static void ask_alternatives(Player *player, const Places *places) {
  WmAlternatives found;
  require_ok(player, wm_query_find_alternatives(player->query, places->from, places->to, NULL, &found));
  for (size_t i = 0; i < found.count; i++) write_path(player, &found.paths[i]);
}

/* The first one writes the hash of the saved graph, too. */
static void ask_long(Player *player, const Places *places) {
  if (!player->graph) {
    uint8_t *bytes;
    size_t byte_count;
    require_ok(player, wm_tile_graph_create(player->context, player->mesh, NULL, &player->graph));
    require_ok(player, wm_tile_graph_update(player->graph));
    require_ok(player, wm_tile_graph_write(player->graph, &bytes, &byte_count));
    const uint64_t hash = wm_hash_bytes(WM_HASH_START, bytes, byte_count);
    write_refs(player, &hash, 1);
    wm_block_free(player->context, bytes);
  }
  WmLongPath path;
  require_ok(player, wm_tile_graph_find_path(player->graph, places->from, places->to, NULL, &path));
  write_word(player, path.state == WM_PATH_COMPLETE);
  write_word(player, (uint32_t)path.waypoint_count);
  write_word(player, (uint32_t)path.searched);
  write_floats(player, (const float[]){path.cost, path.lower_bound}, 2);
  for (size_t i = 0; i < path.waypoint_count; i++) {
    write_floats(player, path.waypoints[i].point, 3);
    write_floats(player, &path.waypoints[i].cost, 1);
  }
  if (path.leg.state != WM_PATH_NONE) write_path(player, &path.leg);
}

static void ask_ray(Player *player, const Places *places) {
  WmRay ray;
  require_ok(player, wm_query_raycast(player->query, places->start.polygon, places->start.point, places->to,
                                      NULL, true, 0, &ray));
  write_word(player, ray.hit);
  write_floats(player, &ray.t, 1);
  write_floats(player, ray.point, 3);
  write_floats(player, ray.normal, 3);
  write_refs(player, ray.polygons, ray.polygon_count);
}

static void ask_move(Player *player, const Places *places) {
  float to[3];
  for (int axis = 0; axis < 3; axis++) to[axis] = (places->start.point[axis] + places->to[axis]) / 2;
  WmMove move;
  require_ok(player, wm_query_move_along_surface(player->query, places->start.polygon, places->start.point,
                                                 to, NULL, true, &move));
  write_floats(player, move.point, 3);
  write_refs(player, move.polygons, move.polygon_count);
}

static void ask_wall(Player *player, const Places *places) {
  WmWall wall;
  require_ok(player, wm_query_distance_to_wall(player->query, places->start.polygon, places->start.point, 20,
                                               NULL, &wall));
  write_floats(player, &wall.distance, 1);
  write_floats(player, wall.point, 3);
  write_floats(player, wall.normal, 3);
}

static void ask_flood(Player *player, const Places *places) {
  WmFloodOptions options = wm_flood_options_default();
  options.max_cost = 12;
  WmFlood flood;
  require_ok(player,
             wm_query_flood(player->query, places->start.polygon, places->start.point, &options, &flood));
  write_refs(player, flood.polygons, flood.count);
  write_floats(player, flood.costs, flood.count);
}

static void ask_neighbourhood(Player *player, const Places *places) {
  WmPolygons around;
  require_ok(player, wm_query_local_neighbourhood(player->query, places->start.polygon, places->start.point,
                                                  6, NULL, 0, &around));
  write_refs(player, around.polygons, around.count);
}

static void ask_nearest(Player *player, const Places *places) {
  WmNearestOptions options = wm_nearest_options_default();
  options.radius = 4;
  options.preference = WM_HEIGHT_BELOW;
  WmNearest nearest;
  require_ok(player, wm_query_find_nearest_point(player->query, places->to, &options, &nearest));
  write_refs(player, &nearest.polygon, 1);
  write_floats(player, nearest.point, 3);
}

static void ask_random(Player *player, const Places *places) {
  WmNearest point;
  require_ok(player, wm_query_random_point_around(player->query, &player->random, places->start.polygon,
                                                  places->start.point, 5, NULL, &point));
  write_refs(player, &point.polygon, 1);
  write_floats(player, point.point, 3);
}

/* By the number of the query; all except the first seven need a polygon. */
static void (*const KINDS[])(Player *player, const Places *places) = {
    ask_path, ask_any_angle, ask_shortest, ask_wide,  ask_alternatives,  ask_smooth,  ask_long,
    ask_ray,  ask_move,      ask_wall,     ask_flood, ask_neighbourhood, ask_nearest, ask_random};
enum { KIND_COUNT = sizeof KINDS / sizeof *KINDS, PATH_KINDS = 7 };

static void ask(Player *player, uint32_t number, const uint8_t *question) {
  Places places;
  memcpy(places.from, question, 12);
  memcpy(places.to, question + 12, 12);
  require_ok(player, wm_query_find_nearest_point(player->query, places.from, NULL, &places.start));
  write_refs(player, &places.start.polygon, 1);
  const uint32_t kind = number % KIND_COUNT;
  if (kind < PATH_KINDS || places.start.polygon != 0) KINDS[kind](player, &places);
}

int main(int count, char **arguments) {
  const WmBytes program = count == 2 ? read_file(arguments[1]) : (WmBytes){0};
  require(program.byte_count >= 8, "wants a file of questions");
  Player player = {.context = wm_context_create(NULL), .random = wm_random_seeded(7)};
  uint32_t mesh_bytes, question_count;
  memcpy(&mesh_bytes, program.bytes, 4);
  const size_t questions_at = 4 + (((size_t)mesh_bytes + 3) & ~(size_t)3);
  require(questions_at + 4 <= program.byte_count, "the questions end too early");
  require_ok(&player, wm_mesh_read(player.context, program.bytes + 4, mesh_bytes, &player.mesh));
  require_ok(&player, wm_query_create(player.context, player.mesh, &player.query));
  memcpy(&question_count, program.bytes + questions_at, 4);
  require(program.byte_count - questions_at - 4 == 4 * QUESTION_WORDS * (size_t)question_count,
          "the questions have another size than they say");
  for (uint32_t i = 0; i < question_count; i++) {
    ask(&player, i, program.bytes + questions_at + 4 + 4 * QUESTION_WORDS * (size_t)i);
    if ((i + 1) % QUESTIONS_A_HASH != 0) continue;
    printf("%016llx\n", (unsigned long long)wm_hash_bytes(WM_HASH_START, player.words, 4 * player.count));
    player.count = 0;
  }
  wm_tile_graph_destroy(player.graph);
  wm_query_destroy(player.query);
  wm_mesh_destroy(player.mesh);
  wm_context_destroy(player.context);
  free(player.words);
  free(program.bytes);
  return 0;
}
