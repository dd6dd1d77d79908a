/* Neighbours against brute force: random crowds, ties, floors, masks, obstacles, agents far apart. The order
 * of agents in the arrays is ignored when a mesh changes. */
#include "crowd/crowd_internal.h"
#include "crowd_worlds.h"

enum { AGENTS = 150, OBSTACLES = 6 };

typedef struct Candidate {
  float urgent;
  uint32_t number, body;
} Candidate;

static int compare(const void *a, const void *b) {
  const Candidate *first = a, *second = b;
  if (first->urgent != second->urgent) return first->urgent < second->urgent ? -1 : 1;
  return first->number < second->number ? -1 : first->number > second->number;
}

/* All bodies that count as neighbours of one, the most urgent first. */
static size_t look_at_everybody(const WmCrowd *crowd, const WmBody *own, float range, Candidate *found) {
  size_t count = 0;
  for (uint32_t k = 0; k < crowd->body_count; k++) {
    const WmBody *other = wm_crowd_bodies(crowd) + k;
    if (other->number == own->number || !(other->group & own->avoids)) continue;
    if (other->y >= own->y + own->height || own->y >= other->y + other->height) continue;
    const float x = other->x - own->x, z = other->z - own->z, squared = x * x + z * z;
    if (squared > range * range) continue;
    const float closing =
        (own->velocity_x - other->velocity_x) * x + (own->velocity_z - other->velocity_z) * z;
    const float urgent = closing > 0 ? squared / (1 + closing / sqrtf(squared)) : squared;
    found[count++] = (Candidate){urgent, other->number, k};
  }
  qsort(found, count, sizeof *found, compare);
  return count;
}

/* Moves agents anywhere: the grid uses positions only. */
static void scatter(WmCrowd *crowd, uint32_t *seed, float width, bool on_points) {
  for (size_t i = 0; i < crowd->count; i++) {
    float *position = crowd->positions + 3 * i, *velocity = crowd->velocities + 3 * i;
    for (int axis = 0; axis < 3; axis++) {
      position[axis] = crowd_random(seed, -width, width);
      if (on_points) position[axis] = floorf(position[axis]);
      velocity[axis] = grid_random(seed) % 3 ? 0 : floorf(crowd_random(seed, -3, 3));
    }
    position[1] = 3 * (float)(grid_random(seed) % 3);
    crowd->records[i].neighbour_range = crowd_random(seed, 2, crowd->options.neighbour_range);
    crowd->records[i].parameters.group = 1u << grid_random(seed) % 3;
    crowd->records[i].parameters.avoids = grid_random(seed) % 4 ? UINT32_MAX : 1;
    crowd->records[i].parameters.avoidance = grid_random(seed) % 5;
    crowd->states[i] = grid_random(seed) % 20 ? WM_AGENT_NO_TARGET : WM_AGENT_OFF_MESH;
  }
  float at[3 * OBSTACLES], radii[OBSTACLES];
  for (int i = 0; i < 3 * OBSTACLES; i++) at[i] = i % 3 == 1 ? 0 : crowd_random(seed, -width, width);
  for (int i = 0; i < OBSTACLES; i++) radii[i] = 1;
  CHECK_EQUAL_INT(wm_crowd_set_obstacles(crowd, OBSTACLES, at, NULL, radii, NULL), WM_OK);
}

/* Compares the neighbours of all agents with brute force.
 * out        *met: all neighbours */
static void compare_neighbours(WmCrowd *crowd, size_t *met) {
  static Candidate found[AGENTS + OBSTACLES];
  static const uint32_t LIMITS[] = {8, 4, 8, 12, 8};
  CHECK_EQUAL_INT(wm_crowd_sort(crowd), WM_OK);
  crowd->neighbours_are_stale = true;
  for (uint32_t body = 0; body < crowd->body_count; body++) {
    const WmBody *own = wm_crowd_bodies(crowd) + body;
    if (own->index == WM_NONE) continue;
    const WmAgentRecord *record = &crowd->records[own->index];
    size_t count = look_at_everybody(crowd, own, record->neighbour_range, found);
    const size_t limit = LIMITS[record->parameters.avoidance];
    count = count < limit ? count : limit;
    wm_crowd_find_neighbours(crowd, body);
    CHECK_EQUAL_INT(crowd->neighbour_counts[own->index], count);
    const uint32_t *neighbours = crowd->neighbours + (size_t)WM_CROWD_NEIGHBOURS * own->index;
    for (size_t k = 0; k < count; k++) CHECK_EQUAL_INT(neighbours[k], found[k].body);
    *met += count;
  }
}

static void neighbours_are_those_of_brute_force(void) {
  static const float WIDTHS[] = {1, 5, 20, 300, 100000};
  WmContext *context = wm_context_create(NULL);
  WmMesh *mesh = make_field(context, 1);
  uint32_t seed = 31;
  for (int wide = 0; wide < 2; wide++) {
    WmCrowdOptions options = wm_crowd_options_default();
    if (wide) options.neighbour_range = 1e6f; /* more cells than the table has */
    WmCrowd *crowd = NULL;
    CHECK_EQUAL_INT(wm_crowd_create(context, mesh, &options, &crowd), WM_OK);
    for (int i = 0; i < AGENTS; i++) (void)add_agent(crowd, 4, 4, NULL);
    for (int round = 0; round < CHECK_ROUNDS(60); round++) {
      const int width = round % 5;
      size_t met = 0;
      scatter(crowd, &seed, WIDTHS[width], round % 2 == 1);
      compare_neighbours(crowd, &met);
      CHECK(met > 0 || (width >= 3 && !wide));
    }
    wm_crowd_destroy(crowd);
  }
  wm_mesh_destroy(mesh);
  wm_context_destroy(context);
}

/* Adds agents in the order of `turned`: handles are the same, indices and the order of adding aren't. A small
 * budget makes the order of requests count. */
static uint64_t live(bool turned, uint32_t *moved) {
  enum { COUNT = 40 };
  WmContext *context = wm_context_create(NULL);
  WmMesh *mesh = make_grid_world(context, 5, 3);
  WmCrowdOptions options = wm_crowd_options_default();
  options.search_budget = 24;
  WmCrowd *crowd = NULL;
  CHECK_EQUAL_INT(wm_crowd_create(context, mesh, &options, &crowd), WM_OK);
  WmAgent agents[COUNT], again[COUNT];
  for (int i = 0; i < COUNT; i++) agents[i] = add_agent(crowd, 1, 1, NULL);
  /* The number freed last is used first. */
  for (int i = 0; i < COUNT; i++) {
    const int gone = turned ? i * 7 % COUNT : i;
    CHECK_EQUAL_INT(wm_crowd_remove_agents(crowd, 1, &agents[gone]), WM_OK);
  }
  for (int i = COUNT; i-- > 0;) {
    const int number = turned ? i * 7 % COUNT : i;
    again[number] = add_agent(crowd, 1 + (float)(number % 8), 1 + (float)(number / 8), NULL);
    CHECK_EQUAL_INT(wm_agent_number(again[number]), number);
    *moved += info_of(crowd, again[number]).index != (size_t)(COUNT - 1 - number);
  }
  for (int i = 0; i < COUNT; i++) send_to(crowd, again[i], 38, 36 - (float)(i % 7));
  uint64_t hash = 0;
  for (int step = 0; step < 500; step++) {
    /* A column of tiles is replaced by another one: all corridors through it are broken. */
    for (int32_t z = 0; z < 5 && step % 50 == 30; z++) {
      const int32_t x = 1 + step / 50 % 3;
      CHECK_EQUAL_INT(wm_mesh_remove_tile(mesh, wm_mesh_find_tile(mesh, x, z, 0)->ref), WM_OK);
      const GridTile grid = {.x = x, .z = z, .seed = (uint32_t)(step + z), .hole = UINT32_MAX, .tree = true};
      add_grid_tile(mesh, &grid);
    }
    if (step == 200) {
      const WmFilter filter = wm_filter_default();
      CHECK_EQUAL_INT(wm_crowd_set_filter(crowd, 0, &filter), WM_OK); /* all plan again */
    }
    run_crowd(crowd, 1, 1.0f / 30);
    hash = hash * 31 + wm_crowd_hash(crowd);
  }
  wm_crowd_destroy(crowd);
  wm_mesh_destroy(mesh);
  wm_context_destroy(context);
  return hash;
}

static void agents_that_came_in_another_order_do_the_same(void) {
  uint32_t moved = 0;
  const uint64_t plain = live(false, &moved);
  CHECK_EQUAL_INT(moved, 0);
  CHECK(plain == live(true, &moved));
  CHECK(moved > 30);
}

int main(void) {
  RUN(neighbours_are_those_of_brute_force);
  RUN(agents_that_came_in_another_order_do_the_same);
  return check_finish();
}
