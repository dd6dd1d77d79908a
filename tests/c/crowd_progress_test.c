/* Nobody is stuck for ever: in random mazes of rooms and lanes, everybody who can arrive arrives, and the path
 * of everybody who has not yet arrived becomes shorter within the time that docs/crowd.md promises. Paths are
 * measured by queries, not by the crowd. */
#include "lane_maze.h"
#include "query/search/path.h"

enum { MOST = 40, STEPS_A_SECOND = 30 };

/* Within this time each path becomes shorter, seconds: the patience of who waits (5 s at a quarter of the pace),
 * and the time to walk a detour. */
#define BOUND 45
#define LONGEST 300

typedef struct Walk {
  LaneMaze maze;
  WmContext *context;
  WmMesh *mesh;
  WmQuery *query;
  WmCrowd *crowd;
  int count; /* agents with a target; others stand in the way */
  WmAgent agents[MOST];
  float goals[MOST][3], shortest[MOST];
  double since[MOST]; /* when the path was shortest, seconds */
} Walk;

static float measure(const Walk *walk, int i) {
  WmCrowdView view;
  size_t index;
  WmPath path = {0};
  wm_crowd_view(walk->crowd, &view);
  CHECK_EQUAL_INT(wm_crowd_index(walk->crowd, walk->agents[i], &index), WM_OK);
  CHECK_EQUAL_INT(wm_query_find_path(walk->query, view.positions + 3 * index, walk->goals[i], NULL, &path),
                  WM_OK);
  return path.state == WM_PATH_COMPLETE ? path.length : INFINITY;
}

static bool has_arrived(const Walk *walk, int i) {
  const WmAgentInfo info = info_of(walk->crowd, walk->agents[i]);
  return info.state == WM_AGENT_ARRIVED;
}

/* True if a point is nearer than a diameter to one of others. */
static bool is_taken(const float (*points)[3], int count, const float point[3]) {
  for (int i = 0; i < count; i++) {
    if (hypotf(points[i][0] - point[0], points[i][2] - point[2]) < 0.9f) return true;
  }
  return false;
}

static void open_walk(Walk *walk, uint32_t seed) {
  *walk = (Walk){.maze = maze_make(seed)};
  LaneMaze *maze = &walk->maze;
  walk->context = wm_context_create(NULL);
  walk->mesh = maze_bake(walk->context, maze);
  CHECK_EQUAL_INT(wm_query_create(walk->context, walk->mesh, &walk->query), WM_OK);
  walk->crowd = make_crowd(walk->context, walk->mesh);
  WmAgentParameters parameters = wm_agent_parameters_default();
  parameters.radius = 0.4f;
  float starts[MOST + 4][3];
  const int wanted = 6 + (int)(grid_random(&maze->seed) % (MOST - 6)),
            idle = (int)(grid_random(&maze->seed) % 4);
  int placed = 0;
  for (int i = 0; i < 20 * wanted && placed < wanted + idle; i++) {
    maze_point(maze, 4, starts[placed]);
    if (is_taken((const float(*)[3])starts, placed, starts[placed])) continue;
    const WmAgent agent = add_agent(walk->crowd, starts[placed][0], starts[placed][2], &parameters);
    placed++;
    if (placed <= idle) continue;
    float *goal = walk->goals[walk->count];
    int attempts = 0;
    do {
      maze_point(maze, 8, goal);
    } while (is_taken((const float(*)[3])walk->goals, walk->count, goal) && ++attempts < 50);
    walk->agents[walk->count] = agent;
    walk->shortest[walk->count++] = INFINITY;
    send_to(walk->crowd, agent, goal[0], goal[2]);
  }
}

static void close_walk(Walk *walk) {
  wm_crowd_destroy(walk->crowd);
  wm_query_destroy(walk->query);
  wm_mesh_destroy(walk->mesh);
  wm_context_destroy(walk->context);
}

/* Returns how many have not arrived. Reports those whose path has not become shorter for too long. */
static int look(Walk *walk, double now) {
  int left = 0;
  for (int i = 0; i < walk->count; i++) {
    if (has_arrived(walk, i)) {
      walk->since[i] = now;
      continue;
    }
    left++;
    const float length = measure(walk, i);
    if (length < walk->shortest[i] - 0.4f) {
      walk->shortest[i] = length;
      walk->since[i] = now;
    }
    CHECK(now - walk->since[i] <= BOUND);
  }
  return left;
}

static void check_maze(uint32_t seed) {
  static Walk walk;
  open_walk(&walk, seed);
  int left = walk.count;
  for (int second = 1; left > 0 && second <= LONGEST; second++) {
    for (int i = 0; i < STEPS_A_SECOND; i++) {
      CHECK_EQUAL_INT(wm_crowd_step(walk.crowd, 1.0f / STEPS_A_SECOND, NULL), WM_OK);
    }
    left = look(&walk, second);
  }
  if (left) printf("maze %u: %d of %d have not arrived\n", seed, left, walk.count);
  CHECK_EQUAL_INT(left, 0);
  close_walk(&walk);
}

/* How many mazes are tried: `npm run soak -- --crowd` sets WALKMESH_MAZES to many more. */
static int maze_count(void) {
  const char *text = getenv("WALKMESH_MAZES");
  return text ? (int)strtol(text, NULL, 10) : CHECK_ROUNDS(240);
}

static void everybody_arrives_in_random_mazes(void) {
  const int count = maze_count();
  for (int seed = 0; seed < count; seed++) check_maze((uint32_t)seed);
}

int main(void) {
  RUN(everybody_arrives_in_random_mazes);
  return check_finish();
}
