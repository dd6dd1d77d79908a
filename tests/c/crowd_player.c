/* Plays a program for crowds (tests/js/determinism/crowd-program.js describes it) and prints the hashes that
 * it asks for, one per line:
 *
 *   crowd_player PROGRAM [--shuffled | --saved]
 *
 * shuffled: agents lie in another order in the arrays; saved: with each hash the crowd is saved, a line tells a hash of the
 * bytes, and the crowd that is loaded from them goes on
 *
 * tests/js/determinism/crowd-player.js does the same through the package. A program that can't be read, or a
 * call that fails, ends the run. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "crowd/state/saved_crowd.h"
#include "dump_read.h"
#include "mesh/links/connections.h"
#include "mesh/formats/formats.h"

enum { MOST_AGENTS = 1 << 14, MOST_TILES = 256 };

typedef enum Call {
  STEP = 1,
  HASH,
  ADD,
  CHURN,
  TARGET,
  VELOCITY,
  STOP,
  PAUSE,
  WARP,
  MOVE,
  PARAMETERS,
  OBSTACLES,
  FOCUS,
  FILTER,
  PUT_TILE,
  DROP_TILE,
  CONNECT,
  DISCONNECT,
  FLAGS,
  BUDGET
} Call;

typedef struct Player {
  WmBytes program;
  size_t at;
  bool is_shuffled, is_saved;
  WmMesh *mesh;
  WmCrowd *crowd;
  WmBytes tiles[MOST_TILES];
  WmAgent slots[MOST_AGENTS];
  /* Arguments of a call. */
  WmAgent agents[MOST_AGENTS];
  float points[MOST_AGENTS][3], velocities[MOST_AGENTS][3], radii[MOST_AGENTS];
  WmAgentParameters parameters[MOST_AGENTS];
} Player;

static void require(bool condition, const char *what) {
  if (condition) return;
  fprintf(stderr, "crowd_player: %s\n", what);
  exit(1);
}

static void require_ok(const Player *player, WmStatus status) {
  if (status) require(false, wm_context_error(wm_mesh_context(player->mesh))->message);
}

/* ---- Reading ------------------------------------------------------------------------------------------ */

static void read_words(Player *player, void *words, size_t count) {
  require(player->at + 4 * count <= player->program.byte_count, "the program ends too early");
  memcpy(words, player->program.bytes + player->at, 4 * count);
  player->at += 4 * count;
}

static uint32_t read_word(Player *player) {
  uint32_t word;
  read_words(player, &word, 1);
  return word;
}

static float read_number(Player *player) {
  float number;
  read_words(player, &number, 1);
  return number;
}

static uint32_t read_count(Player *player) {
  const uint32_t count = read_word(player);
  require(count <= MOST_AGENTS, "too many agents");
  return count;
}

static WmAgent *read_slot(Player *player) {
  const uint32_t slot = read_word(player);
  require(slot < MOST_AGENTS, "there is no such slot");
  return &player->slots[slot];
}

static WmBytes read_block(Player *player) {
  const size_t byte_count = read_word(player);
  require(player->at + byte_count <= player->program.byte_count, "the program ends too early");
  const WmBytes block = {player->program.bytes + player->at, byte_count};
  player->at += (byte_count + 3) & ~(size_t)3;
  return block;
}

/* ---- Agents ------------------------------------------------------------------------------------------- */

static void add(Player *player) {
  const uint32_t count = read_count(player);
  for (uint32_t i = 0; i < count; i++) {
    WmAgentParameters *parameters = &player->parameters[i];
    *parameters = wm_agent_parameters_default();
    read_words(player, player->points[i], 3);
    parameters->radius = read_number(player);
    parameters->max_speed = read_number(player);
    parameters->separation = read_number(player);
    parameters->avoidance = read_word(player);
    parameters->priority = read_word(player);
    parameters->filter = read_word(player);
  }
  require_ok(player, wm_crowd_add_agents(player->crowd, count, player->points[0], player->parameters, count,
                                         player->slots));
}

/* The number that was freed last is used first: numbers go to the same new agents if both lists are reversed,
 * and then the indices differ. */
static void churn(Player *player) {
  const uint32_t count = read_count(player);
  WmAgent *leaving = player->agents, *slots[64];
  require(count <= 64, "too many are replaced at once");
  for (uint32_t i = 0; i < count; i++) {
    const uint32_t place = player->is_shuffled ? count - 1 - i : i;
    slots[place] = read_slot(player);
    leaving[place] = *slots[place];
    read_words(player, player->points[place], 3);
  }
  require_ok(player, wm_crowd_remove_agents(player->crowd, count, leaving));
  require_ok(player, wm_crowd_add_agents(player->crowd, count, player->points[0], NULL, 0, leaving));
  for (uint32_t i = 0; i < count; i++) *slots[i] = leaving[i];
}

static void set_parameters(Player *player) {
  const WmAgent agent = *read_slot(player);
  WmAgentParameters parameters;
  require_ok(player, wm_crowd_parameters(player->crowd, agent, &parameters));
  parameters.max_speed = read_number(player);
  parameters.avoidance = read_word(player);
  parameters.priority = read_word(player);
  require_ok(player, wm_crowd_set_parameters(player->crowd, 1, &agent, &parameters, 1));
}

/* ---- Orders ------------------------------------------------------------------------------------------- */

static void set_targets(Player *player) {
  const uint32_t count = read_count(player);
  const bool is_shared = read_word(player) == 1;
  for (uint32_t i = 0; i < count; i++) player->agents[i] = *read_slot(player);
  for (uint32_t i = 0; i < (is_shared ? 1 : count); i++) read_words(player, player->points[i], 3);
  require_ok(player,
             wm_crowd_set_targets(player->crowd, count, player->agents, player->points[0], is_shared));
}

/* Commands with an agent and a vector. */
static void order(Player *player, Call call) {
  WmCrowd *crowd = player->crowd;
  const WmAgent agent = *read_slot(player);
  float vector[3];
  read_words(player, vector, 3);
  require_ok(player, call == VELOCITY ? wm_crowd_set_velocities(crowd, 1, &agent, vector, false)
                     : call == WARP   ? wm_crowd_warp(crowd, 1, &agent, vector, false)
                                      : wm_crowd_move(crowd, 1, &agent, vector, false));
}

/* ---- Obstacles and focus ---------------------------------------------------------------------------- */

static void set_obstacles(Player *player) {
  const uint32_t count = read_count(player);
  for (uint32_t i = 0; i < count; i++) {
    read_words(player, player->points[i], 3);
    read_words(player, player->velocities[i], 3);
    player->radii[i] = read_number(player);
  }
  require_ok(player, wm_crowd_set_obstacles(player->crowd, count, player->points[0], player->velocities[0],
                                            player->radii, NULL));
}

static void set_focus(Player *player) {
  const uint32_t count = read_count(player);
  read_words(player, player->points, 3 * (size_t)count);
  require_ok(player, wm_crowd_set_focus(player->crowd, count, player->points[0]));
}

static void set_filter(Player *player) {
  const uint32_t number = read_word(player);
  WmFilter filter = wm_filter_default();
  filter.exclude_flags = (uint16_t)read_word(player);
  const uint32_t area = read_word(player);
  require(area < 64, "there is no such area");
  filter.area_costs[area] = read_number(player);
  require_ok(player, wm_crowd_set_filter(player->crowd, number, &filter));
}

/* ---- The mesh ----------------------------------------------------------------------------------------- */

static void put_tile(Player *player) {
  const uint32_t number = read_word(player);
  require(number < MOST_TILES, "there is no such tile");
  const WmBytes tile = player->tiles[number];
  require_ok(player, wm_mesh_replace_tile(player->mesh, tile.bytes, tile.byte_count, NULL));
}

static const WmMeshTile *read_tile(Player *player) {
  const int32_t x = (int32_t)read_word(player), z = (int32_t)read_word(player);
  return wm_mesh_find_tile(player->mesh, x, z, 0);
}

static void drop_tile(Player *player) {
  const WmMeshTile *tile = read_tile(player);
  if (tile) require_ok(player, wm_mesh_remove_tile(player->mesh, tile->ref));
}

static void set_flags(Player *player) {
  const WmMeshTile *tile = read_tile(player);
  const uint32_t polygon = read_word(player), flags = read_word(player);
  if (!tile) return;
  require_ok(player, wm_mesh_set_polygon_flags(player->mesh, tile->ref + polygon % tile->polygon_count,
                                               (uint16_t)flags));
}

static void connect(Player *player) {
  WmConnection settings = wm_connection_default(player->mesh);
  WmRef connection;
  settings.radius = 2;
  read_words(player, settings.start, 3);
  read_words(player, settings.end, 3);
  require_ok(player, wm_mesh_add_connection(player->mesh, &settings, &connection));
}

static void disconnect(Player *player) {
  const WmRef first = wm_mesh_next_connection(player->mesh, 0);
  if (first) require_ok(player, wm_mesh_remove_connection(player->mesh, first));
}

/* ---- All ---------------------------------------------------------------------------------------------- */

static void set_budget(Player *player) {
  WmCrowdOptions options;
  wm_crowd_options(player->crowd, &options);
  options.search_budget = read_word(player);
  require_ok(player, wm_crowd_set_options(player->crowd, &options));
}

/* Replaces the crowd by the one that its bytes give. Prints a hash of them (FNV-1a). */
static void save_and_load(Player *player) {
  uint8_t *bytes;
  size_t byte_count;
  uint32_t hash = 0x811c9dc5u;
  WmContext *context = wm_mesh_context(player->mesh);
  const WmMesh *mesh = player->mesh;
  require_ok(player, wm_crowd_write(player->crowd, &bytes, &byte_count));
  for (size_t i = 0; i < byte_count; i++) hash = (hash ^ bytes[i]) * 0x01000193u;
  printf("%08" PRIx32 "\n", hash);
  wm_crowd_destroy(player->crowd);
  require_ok(player, wm_crowd_read(context, bytes, byte_count, &mesh, 1, &player->crowd));
  wm_block_free(context, bytes);
}

static void tell_hash(Player *player) {
  printf("%016" PRIx64 "\n", wm_crowd_hash(player->crowd));
  if (player->is_saved) save_and_load(player);
}

static void play_one(Player *player, Call call) {
  WmAgent agent;
  switch (call) {
    case STEP: require_ok(player, wm_crowd_step(player->crowd, read_number(player), NULL)); break;
    case HASH: tell_hash(player); break;
    case ADD: add(player); break;
    case CHURN: churn(player); break;
    case TARGET: set_targets(player); break;
    case STOP: require_ok(player, wm_crowd_stop(player->crowd, 1, read_slot(player))); break;
    case PAUSE:
      agent = *read_slot(player);
      require_ok(player, wm_crowd_pause(player->crowd, 1, &agent, read_word(player) != 0));
      break;
    case VELOCITY:
    case WARP:
    case MOVE: order(player, call); break;
    case PARAMETERS: set_parameters(player); break;
    case OBSTACLES: set_obstacles(player); break;
    case FOCUS: set_focus(player); break;
    case FILTER: set_filter(player); break;
    case PUT_TILE: put_tile(player); break;
    case DROP_TILE: drop_tile(player); break;
    case CONNECT: connect(player); break;
    case DISCONNECT: disconnect(player); break;
    case FLAGS: set_flags(player); break;
    case BUDGET: set_budget(player); break;
    default: require(false, "there is no such call");
  }
}

int main(int count, char **arguments) {
  if (count < 2) return 2;
  Player *player = calloc(1, sizeof *player);
  WmContext *context = wm_context_create(NULL);
  require(player && context, "no memory");
  player->program = read_file(arguments[1]);
  player->is_shuffled = count > 2 && strcmp(arguments[2], "--shuffled") == 0;
  player->is_saved = count > 2 && strcmp(arguments[2], "--saved") == 0;
  require(player->program.bytes, "the program cannot be read");
  const WmBytes mesh = read_block(player);
  require(!wm_mesh_read(context, mesh.bytes, mesh.byte_count, &player->mesh), "the mesh cannot be read");
  const uint32_t tiles = read_word(player);
  require(tiles <= MOST_TILES, "too many tiles");
  for (uint32_t i = 0; i < tiles; i++) player->tiles[i] = read_block(player);
  require_ok(player, wm_crowd_create(context, player->mesh, NULL, &player->crowd));
  while (player->at < player->program.byte_count) play_one(player, (Call)read_word(player));
  wm_crowd_destroy(player->crowd);
  wm_mesh_destroy(player->mesh);
  wm_context_destroy(context);
  free(player->program.bytes);
  free(player);
  return 0;
}
