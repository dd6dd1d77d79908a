/* Runs the crowd scenarios natively, for tuning (its own arrays are only freed at the end of the process):
 * reads the files that `node bench/crowd/write.js DIR` wrote and prints the figures of
 * bench/crowd/README.md, one line per scenario.
 *
 *   crowd_scenarios DIR [NAME | NAME.COURSE | NAME.FIRST-LAST ...]            environment: AVOIDANCE=0..4,
 *                                                                         PATIENCE=seconds
 *   crowd_scenarios --arrivals DIR NAME ...                 the figures of arrivals and jumps instead; after
 *                                                           several courses, those of all their agents
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "crowd/crowd.h"
#include "mesh/formats/formats.h"
#include "query/search/path.h"

#define VISIBLE_OVERLAP 0.01
#define HEADING_SPEED 0.2
#define REST_SECONDS 5.0
#define TREMBLE_WAY 0.02
#define STUCK_PROGRESS 0.5
#define STUCK_SECONDS 10.0
#define REST_AFTER 10.0
#define JUMP 0.12
#define PUNCTUAL 2.5
#define NEARLY_ALL 0.95
enum { DECILES = 10 };

static const char *const NAMES[] = {"lone",    "head-on",     "crossing",   "circle",
                                    "doorway", "corridor",    "hall",       "moving-obstacle",
                                    "jump",    "unreachable", "moving-goal"};

typedef struct Event {
  bool is_obstacle;
  int step, index;
  float radius, position[3], velocity[3];
} Event;

typedef struct Scenario {
  double duration, steps_a_second, radius, height, max_speed, max_acceleration, arrival_distance, extra_time,
      door_x;
  bool has_ideal, ends_early;
  size_t count, event_count;
  float *starts, *goals, *ends;
  double *ideals;
  bool *is_idle, *is_paused;
  Event *events;
} Scenario;

/* The figures of arrivals and jumps of the agents of all courses that were added. */
typedef struct Arrivals {
  double *times, *ratios; /* [agents] of arrival, and over the free time; INFINITY: never */
  size_t agents, courses;
  double arrived, punctual, detour, passing, stuck, jumps, worst_jump, mean_step, worst_step;
} Arrivals;

typedef struct Recorder {
  double *walked, *turned, *turn_way, *arrived_at, *walked_at_arrival, *crossed_at, *heading, *rest_walked,
      *window_walked, *left_before;
  float *before, *window_start;
  bool *trembles, *was_flying;
  double overlap, overlap_time, deepest, worst_jump, passing;
  size_t jumps;
  double next_window, end;
  bool has_left;
} Recorder;

static double now_milliseconds(void) {
  struct timespec time;
  timespec_get(&time, TIME_UTC);
  return (double)time.tv_sec * 1e3 + (double)time.tv_nsec * 1e-6;
}

static double *make_doubles(size_t count, double value) {
  double *values = malloc((count + 1) * sizeof *values);
  for (size_t i = 0; i < count; i++) values[i] = value;
  return values;
}

/* True if the bodies of agents at these heights can touch: they are not on two storeys. */
static bool is_level(const Scenario *scenario, const float *a, const float *b) {
  return fabs((double)a[1] - (double)b[1]) < scenario->height;
}

/* True if an agent is on its way somewhere: the others have no figures of their own. */
static bool is_walker(const Scenario *scenario, size_t i) {
  return !scenario->is_idle[i] && !scenario->is_paused[i];
}

static double flat_distance(const float *a, const float *b) {
  return hypot((double)a[0] - (double)b[0], (double)a[2] - (double)b[2]);
}

/* ---- Reading ------------------------------------------------------------------------------------------ */

static void read_agent(Scenario *scenario, const char *line) {
  const size_t i = scenario->count++;
  const size_t room = scenario->count * 3 * sizeof(float);
  scenario->is_idle = realloc(scenario->is_idle, scenario->count);
  scenario->is_paused = realloc(scenario->is_paused, scenario->count);
  scenario->is_idle[i] = scenario->is_paused[i] = false;
  scenario->starts = realloc(scenario->starts, room);
  scenario->goals = realloc(scenario->goals, room);
  scenario->ends = realloc(scenario->ends, room);
  scenario->ideals = realloc(scenario->ideals, scenario->count * sizeof(double));
  float *a = scenario->starts + 3 * i, *b = scenario->goals + 3 * i, *c = scenario->ends + 3 * i;
  sscanf(line, "agent %f %f %f %f %f %f %lf %f %f %f", a, a + 1, a + 2, b, b + 1, b + 2, &scenario->ideals[i],
         c, c + 1, c + 2);
}

static void read_event(Scenario *scenario, const char *line) {
  Event event = {.is_obstacle = line[0] == 'o'};
  float *p = event.position, *v = event.velocity;
  if (event.is_obstacle) {
    sscanf(line, "obstacle %d %d %f %f %f %f %f %f %f", &event.step, &event.index, &event.radius, p, p + 1,
           p + 2, v, v + 1, v + 2);
  } else {
    sscanf(line, "goal %d %d %f %f %f", &event.step, &event.index, p, p + 1, p + 2);
  }
  scenario->events = realloc(scenario->events, (scenario->event_count + 1) * sizeof event);
  scenario->events[scenario->event_count++] = event;
}

static bool read_scenario(const char *path, Scenario *scenario) {
  FILE *file = fopen(path, "r");
  char line[1024];
  *scenario = (Scenario){.door_x = INFINITY};
  if (!file) return false;
  while (fgets(line, sizeof line, file)) {
    double value = 0;
    char word[64] = "";
    sscanf(line, "%63s %lf", word, &value);
    const struct {
      const char *name;
      double *place;
    } numbers[] = {{"duration", &scenario->duration},
                   {"steps-a-second", &scenario->steps_a_second},
                   {"radius", &scenario->radius},
                   {"height", &scenario->height},
                   {"max-speed", &scenario->max_speed},
                   {"max-acceleration", &scenario->max_acceleration},
                   {"arrival-distance", &scenario->arrival_distance},
                   {"extra-time", &scenario->extra_time},
                   {"door-x", &scenario->door_x}};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
      if (strcmp(word, numbers[i].name) == 0) *numbers[i].place = value;
    }
    if (strcmp(word, "has-ideal") == 0) scenario->has_ideal = value != 0;
    if (strcmp(word, "ends-early") == 0) scenario->ends_early = value != 0;
    if (strcmp(word, "idle") == 0) scenario->is_idle[(size_t)value] = true;
    if (strcmp(word, "paused") == 0) scenario->is_paused[(size_t)value] = true;
    if (strcmp(word, "agent") == 0) read_agent(scenario, line);
    if (strcmp(word, "goal") == 0 || strcmp(word, "obstacle") == 0) read_event(scenario, line);
  }
  fclose(file);
  return scenario->count > 0;
}

static WmMesh *read_mesh(WmContext *context, const char *path) {
  FILE *file = fopen(path, "rb");
  if (!file) return NULL;
  fseek(file, 0, SEEK_END);
  const size_t size = (size_t)ftell(file);
  rewind(file);
  uint8_t *bytes = malloc(size);
  const bool is_read = fread(bytes, 1, size, file) == size;
  fclose(file);
  WmMesh *mesh = NULL;
  if (is_read && wm_mesh_read(context, bytes, size, &mesh))
    printf("%s\n", wm_context_error(context)->message);
  free(bytes);
  return mesh;
}

/* ---- Recording ---------------------------------------------------------------------------------------- */

static void watch_agent(Recorder *recorder, const Scenario *scenario, const WmCrowdView *view, size_t i,
                        double time) {
  const float *position = view->positions + 3 * i, *before = recorder->before + 3 * i;
  const double way = flat_distance(position, before);
  const bool is_flying = view->states[i] == WM_AGENT_ON_CONNECTION;
  if (!is_flying && !recorder->was_flying[i]) {
    recorder->jumps += way > JUMP;
    recorder->worst_jump = fmax(recorder->worst_jump, way - scenario->max_speed / scenario->steps_a_second);
  }
  recorder->was_flying[i] = is_flying;
  if (view->reasons[i] == WM_AGENT_REASON_PASSING) recorder->passing += 1 / scenario->steps_a_second;
  recorder->walked[i] += way;
  if (recorder->crossed_at[i] == INFINITY && (double)position[0] > scenario->door_x)
    recorder->crossed_at[i] = time;
  if (recorder->arrived_at[i] < INFINITY) return;
  const bool has_heading = way > HEADING_SPEED / scenario->steps_a_second && !is_flying;
  const double heading =
      atan2((double)position[2] - (double)before[2], (double)position[0] - (double)before[0]);
  if (has_heading && !isnan(recorder->heading[i])) {
    const double turn = fabs(heading - recorder->heading[i]);
    recorder->turned[i] += fmin(turn, 2 * 3.14159265358979 - turn);
    recorder->turn_way[i] += way;
  }
  recorder->heading[i] = has_heading ? heading : NAN;
  const double distance = flat_distance(position, scenario->ends + 3 * i);
  if (distance > scenario->arrival_distance || time < scenario->extra_time) return;
  if (!is_level(scenario, position, scenario->ends + 3 * i)) return;
  recorder->arrived_at[i] = time;
  recorder->walked_at_arrival[i] = recorder->walked[i] + distance;
}

static void add_overlap(Recorder *recorder, double depth, double seconds) {
  if (depth <= 0) return;
  recorder->overlap += depth * seconds;
  recorder->deepest = fmax(recorder->deepest, depth);
  if (depth > VISIBLE_OVERLAP) recorder->overlap_time += seconds;
}

static void watch_overlaps(Recorder *recorder, const Scenario *scenario, const WmCrowdView *view,
                           const Event *obstacle) {
  const double seconds = 1 / scenario->steps_a_second;
  for (size_t i = 0; i < scenario->count; i++) {
    if (view->states[i] == WM_AGENT_ON_CONNECTION) continue;
    const float *a = view->positions + 3 * i;
    for (size_t j = 0; j < i; j++) {
      const float *b = view->positions + 3 * j;
      if (view->states[j] == WM_AGENT_ON_CONNECTION || fabsf(a[0] - b[0]) > 1) continue;
      if (!is_level(scenario, a, b)) continue;
      add_overlap(recorder, 2 * scenario->radius - flat_distance(a, b), seconds);
    }
    if (!obstacle) continue;
    float at[3];
    for (int k = 0; k < 3; k++) at[k] = obstacle->position[k] + obstacle->velocity[k] * (float)seconds;
    add_overlap(recorder, (double)obstacle->radius + scenario->radius - flat_distance(at, a), seconds);
  }
}

static void watch_rest(Recorder *recorder, const Scenario *scenario, const WmCrowdView *view, double time) {
  const bool is_over = time >= recorder->next_window - 0.5 / scenario->steps_a_second;
  for (size_t i = 0; i < scenario->count; i++) {
    const float *position = view->positions + 3 * i;
    const double way = flat_distance(position, recorder->before + 3 * i);
    recorder->rest_walked[i] += way;
    recorder->window_walked[i] += way;
    if (!is_over) continue;
    const double net = flat_distance(position, recorder->window_start + 3 * i);
    if (recorder->next_window > recorder->end - REST_SECONDS &&
        recorder->arrived_at[i] < recorder->next_window - 1 && recorder->window_walked[i] > TREMBLE_WAY &&
        net < recorder->window_walked[i] / 2) {
      recorder->trembles[i] = true;
    }
    recorder->window_walked[i] = 0;
    memcpy(recorder->window_start + 3 * i, position, 3 * sizeof *position);
  }
  if (is_over) recorder->next_window += 1;
}

static void find_left(WmQuery *query, const Scenario *scenario, const WmCrowdView *view, double *left) {
  for (size_t i = 0; i < scenario->count; i++) {
    WmPath path;
    const WmStatus status =
        wm_query_find_path(query, view->positions + 3 * i, scenario->ends + 3 * i, NULL, &path);
    left[i] = status ? 0 : (double)path.length;
  }
}

static int compare_doubles(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static double find_flow(const Recorder *recorder, size_t count) {
  double *times = malloc(count * sizeof *times);
  size_t crossed = 0;
  for (size_t i = 0; i < count; i++) {
    if (recorder->crossed_at[i] < INFINITY) times[crossed++] = recorder->crossed_at[i];
  }
  qsort(times, crossed, sizeof *times, compare_doubles);
  const size_t first = (size_t)(0.1 * (double)crossed), last = (size_t)ceil(0.9 * (double)crossed) - 1;
  const double flow = crossed > 1 && last > first ? (double)(last - first) / (times[last] - times[first]) : 0;
  free(times);
  return flow;
}

/* The time that an agent needs without other agents. */
static double free_time_of(const Scenario *scenario, size_t i) {
  return scenario->extra_time + scenario->ideals[i] / scenario->max_speed +
         scenario->max_speed / scenario->max_acceleration;
}

static size_t count_walkers(const Scenario *scenario) {
  size_t count = 0;
  for (size_t i = 0; i < scenario->count; i++) count += is_walker(scenario, i);
  return count;
}

/* The least of sorted values that is not exceeded by this part of them. */
static double part_of(const double *sorted, size_t count, double part) {
  const double place = ceil(part * (double)count - 1e-9) - 1;
  return count > 0 ? sorted[place > 0 ? (size_t)place : 0] : 0;
}

static void add_agent(Arrivals *arrivals, const Recorder *recorder, const Scenario *scenario,
                      const double *left, size_t i) {
  const double time = recorder->arrived_at[i], ratio = time / free_time_of(scenario, i);
  const bool is_there = time < INFINITY;
  const double walked = is_there ? recorder->walked_at_arrival[i] : recorder->walked[i] + left[i];
  arrivals->arrived += is_there;
  arrivals->punctual += ratio <= PUNCTUAL;
  arrivals->detour += fmax(0, walked - scenario->ideals[i]);
  arrivals->stuck += !is_there && recorder->left_before[i] - left[i] < STUCK_PROGRESS;
  arrivals->times[arrivals->agents] = time;
  arrivals->ratios[arrivals->agents++] = ratio;
}

static void add_course(Arrivals *arrivals, const Recorder *recorder, const Scenario *scenario,
                       const double *left, double mean_step, double worst_step) {
  const size_t room = (arrivals->agents + scenario->count) * sizeof(double);
  arrivals->times = realloc(arrivals->times, room);
  arrivals->ratios = realloc(arrivals->ratios, room);
  for (size_t i = 0; i < scenario->count; i++) {
    if (is_walker(scenario, i)) add_agent(arrivals, recorder, scenario, left, i);
  }
  arrivals->courses++;
  arrivals->passing += recorder->passing;
  arrivals->jumps += (double)recorder->jumps;
  arrivals->worst_jump = fmax(arrivals->worst_jump, recorder->worst_jump);
  arrivals->mean_step += mean_step;
  arrivals->worst_step = fmax(arrivals->worst_step, worst_step);
}

static void print_arrivals(const char *name, const Arrivals *arrivals) {
  const double agents = (double)arrivals->agents, courses = (double)arrivals->courses;
  qsort(arrivals->times, arrivals->agents, sizeof(double), compare_doubles);
  qsort(arrivals->ratios, arrivals->agents, sizeof(double), compare_doubles);
  printf("%-16s %6.4f %6.4f %6.2f | %7.4f %6.0f | %7.1f %7.2f %5.1f |", name, arrivals->arrived / agents,
         arrivals->punctual / agents, part_of(arrivals->ratios, arrivals->agents, NEARLY_ALL),
         arrivals->worst_jump, arrivals->jumps / courses, arrivals->detour / agents,
         arrivals->passing / agents, arrivals->stuck / courses);
  for (int k = 1; k <= DECILES; k++)
    printf(" %5.1f", part_of(arrivals->times, arrivals->agents, k / (double)DECILES));
  printf(" | %6.3f %6.2f\n", arrivals->mean_step / courses, arrivals->worst_step);
  fflush(stdout);
}

static void report(const char *name, const Recorder *recorder, const Scenario *scenario, const double *left,
                   double mean_step, double worst_step) {
  size_t in_time = 0, arrived = 0, trembling = 0, stuck = 0;
  double time = 0, way = 0, turned = 0, turn_way = 1e-9, restless = 0;
  for (size_t i = 0; i < scenario->count; i++) {
    if (!is_walker(scenario, i)) continue;
    const double ideal = scenario->ideals[i], free_time = free_time_of(scenario, i);
    in_time += recorder->arrived_at[i] <= 2 * free_time;
    turned += recorder->turned[i];
    turn_way += recorder->turn_way[i];
    trembling += recorder->trembles[i];
    if (recorder->arrived_at[i] < INFINITY) {
      arrived++;
      time += recorder->arrived_at[i] / free_time;
      way += ideal > 0 ? recorder->walked_at_arrival[i] / ideal : 1;
      restless += recorder->rest_walked[i];
    } else {
      stuck += recorder->left_before[i] - left[i] < STUCK_PROGRESS;
    }
  }
  const double count = (double)count_walkers(scenario), there = arrived ? (double)arrived : 1;
  printf("%-18s %6.3f %6.3f %6.3f | %7.4f %7.3f %6.3f | %6.4f %7.2f | %5.3f %6.3f %5.2f %3zu | %6.3f %6.2f\n",
         name, (double)in_time / count, (double)arrived / count, time / there, recorder->overlap / count,
         recorder->overlap_time / count, recorder->deepest, scenario->has_ideal ? way / there : 0,
         turned * 180 / 3.14159265358979 / turn_way, (double)trembling / count, restless / there,
         scenario->door_x < INFINITY ? find_flow(recorder, scenario->count) : 0, stuck, mean_step,
         worst_step);
}

/* ---- A run -------------------------------------------------------------------------------------------- */

static Recorder make_recorder(const Scenario *scenario) {
  const size_t count = scenario->count;
  return (Recorder){.walked = make_doubles(count, 0),
                    .turned = make_doubles(count, 0),
                    .turn_way = make_doubles(count, 0),
                    .arrived_at = make_doubles(count, INFINITY),
                    .walked_at_arrival = make_doubles(count, 0),
                    .crossed_at = make_doubles(count, INFINITY),
                    .heading = make_doubles(count, NAN),
                    .rest_walked = make_doubles(count, 0),
                    .window_walked = make_doubles(count, 0),
                    .left_before = make_doubles(count, 0),
                    .before = calloc(3 * count, sizeof(float)),
                    .window_start = calloc(3 * count, sizeof(float)),
                    .trembles = calloc(count, 1),
                    .was_flying = calloc(count, 1),
                    .worst_jump = -INFINITY,
                    .end = scenario->duration,
                    .next_window = scenario->duration - REST_SECONDS};
}

static void apply_events(WmCrowd *crowd, const Scenario *scenario, const WmAgent *agents, int step,
                         size_t *next, const Event **obstacle) {
  for (; *next < scenario->event_count && scenario->events[*next].step <= step; ++*next) {
    const Event *event = &scenario->events[*next];
    if (event->is_obstacle) {
      *obstacle = event;
      wm_crowd_set_obstacles(crowd, 1, event->position, event->velocity, &event->radius, NULL);
    } else {
      wm_crowd_set_targets(crowd, 1, &agents[event->index], event->position, false);
    }
  }
}

/* Ends a scenario that ends early: a while after all have arrived. */
static void watch_end(Recorder *recorder, const Scenario *scenario, double time) {
  if (!scenario->ends_early || recorder->end < scenario->duration) return;
  for (size_t i = 0; i < scenario->count; i++) {
    if (is_walker(scenario, i) && recorder->arrived_at[i] == INFINITY) return;
  }
  recorder->end = fmin(scenario->duration, time + REST_AFTER);
  recorder->next_window = recorder->end - REST_SECONDS;
}

static void watch_step(Recorder *recorder, const Scenario *scenario, const WmCrowdView *view, WmQuery *query,
                       const Event *obstacle, double time) {
  for (size_t i = 0; i < scenario->count; i++) watch_agent(recorder, scenario, view, i, time);
  watch_end(recorder, scenario, time);
  watch_overlaps(recorder, scenario, view, obstacle);
  if (time >= recorder->end - REST_SECONDS) watch_rest(recorder, scenario, view, time);
  if (!recorder->has_left && time >= recorder->end - STUCK_SECONDS) {
    recorder->has_left = true;
    find_left(query, scenario, view, recorder->left_before);
  }
  memcpy(recorder->before, view->positions, 3 * scenario->count * sizeof(float));
}

static void trace_step(const Scenario *scenario, const WmCrowdView *view, int step) {
  for (size_t i = 0; i < scenario->count; i++) {
    const float *p = view->positions + 3 * i, *v = view->velocities + 3 * i;
    printf("%d %zu %.4f %.4f  %.4f %.4f %d %d\n", step, i, (double)p[0], (double)p[2], (double)v[0],
           (double)v[2], view->states[i], view->reasons[i]);
  }
}

static void add_agents(WmCrowd *crowd, const Scenario *scenario, WmAgent *agents) {
  WmAgentParameters parameters = wm_agent_parameters_default();
  parameters.radius = (float)scenario->radius;
  parameters.height = (float)scenario->height;
  parameters.max_speed = (float)scenario->max_speed;
  parameters.max_acceleration = (float)scenario->max_acceleration;
  if (getenv("AVOIDANCE")) parameters.avoidance = (uint32_t)atoi(getenv("AVOIDANCE"));
  wm_crowd_add_agents(crowd, scenario->count, scenario->starts, &parameters, 1, agents);
  for (size_t i = 0; i < scenario->count; i++) {
    if (!scenario->is_idle[i]) wm_crowd_set_targets(crowd, 1, &agents[i], scenario->goals + 3 * i, false);
    if (scenario->is_paused[i]) wm_crowd_pause(crowd, 1, &agents[i], true);
  }
}

typedef struct Times {
  double mean, worst;
} Times;

static Times run_steps(WmCrowd *crowd, WmQuery *query, const Scenario *scenario, const WmAgent *agents,
                       Recorder *recorder) {
  const int steps = (int)(scenario->duration * scenario->steps_a_second + 0.5);
  const char *trace = getenv("TRACE");
  size_t next_event = 0;
  const Event *obstacle = NULL;
  double total = 0, worst = 0, time = 0;
  int step = 0;
  for (; step < steps && time < recorder->end - 0.5 / scenario->steps_a_second; step++) {
    apply_events(crowd, scenario, agents, step, &next_event, &obstacle);
    const double start = now_milliseconds();
    if (wm_crowd_step(crowd, (float)(1 / scenario->steps_a_second), NULL)) puts("a step failed");
    const double took = now_milliseconds() - start;
    total += took;
    if (step >= 60) worst = fmax(worst, took);
    WmCrowdView view;
    wm_crowd_view(crowd, &view);
    time = (step + 1) / scenario->steps_a_second;
    watch_step(recorder, scenario, &view, query, obstacle, time);
    if (trace && step % atoi(trace) == 0) trace_step(scenario, &view, step);
  }
  return (Times){total / step, worst};
}

/* The mesh of a course, or else the one of all courses. */
static WmMesh *read_mesh_of(WmContext *context, const char *folder, const char *name) {
  char path[1024];
  snprintf(path, sizeof path, "%s/%s.walkmesh", folder, name);
  WmMesh *mesh = read_mesh(context, path);
  snprintf(path, sizeof path, "%s/%.*s.walkmesh", folder, (int)strcspn(name, "."), name);
  return mesh ? mesh : read_mesh(context, path);
}

/* Runs a course and prints its line; adds its figures to `total`, if that is set. */
static void run(const char *folder, const char *name, Arrivals *total) {
  char path[1024];
  Scenario scenario;
  WmContext *context = wm_context_create(NULL);
  snprintf(path, sizeof path, "%s/%s.txt", folder, name);
  WmMesh *mesh = read_scenario(path, &scenario) ? read_mesh_of(context, folder, name) : NULL;
  WmCrowd *crowd = NULL;
  WmQuery *query = NULL;
  if (!mesh || wm_crowd_create(context, mesh, NULL, &crowd) || wm_query_create(context, mesh, &query)) {
    printf("%s: cannot be read\n", path);
    return;
  }
  if (getenv("PATIENCE")) {
    WmCrowdOptions options;
    wm_crowd_options(crowd, &options);
    options.patience = (float)atof(getenv("PATIENCE"));
    wm_crowd_set_options(crowd, &options);
  }
  WmAgent *agents = malloc(scenario.count * sizeof *agents);
  add_agents(crowd, &scenario, agents);
  Recorder recorder = make_recorder(&scenario);
  WmCrowdView view;
  wm_crowd_view(crowd, &view);
  memcpy(recorder.before, view.positions, 3 * scenario.count * sizeof(float));
  const Times times = run_steps(crowd, query, &scenario, agents, &recorder);
  wm_crowd_view(crowd, &view);
  double *left = make_doubles(scenario.count, 0);
  find_left(query, &scenario, &view, left);
  if (total) {
    Arrivals course = {.worst_jump = -INFINITY};
    add_course(&course, &recorder, &scenario, left, times.mean, times.worst);
    add_course(total, &recorder, &scenario, left, times.mean, times.worst);
    print_arrivals(name, &course);
  } else {
    report(name, &recorder, &scenario, left, times.mean, times.worst);
  }
  wm_query_destroy(query);
  wm_crowd_destroy(crowd);
  wm_mesh_destroy(mesh);
  wm_context_destroy(context);
}

/* Runs NAME, NAME.COURSE or NAME.FIRST-LAST. */
static void run_courses(const char *folder, const char *what, bool shows_arrivals) {
  char name[256], all_name[270];
  int first = 0, last = 0;
  const int length = (int)strcspn(what, ".");
  if (sscanf(what + length, ".%d-%d", &first, &last) < 2) last = first;
  Arrivals total = {.worst_jump = -INFINITY};
  for (int course = first; course <= last; course++) {
    snprintf(name, sizeof name, course == 0 ? "%.*s" : "%.*s.%d", length, what, course);
    run(folder, name, shows_arrivals ? &total : NULL);
  }
  snprintf(all_name, sizeof all_name, "%.*s, all", length, what);
  if (total.courses > 1) print_arrivals(all_name, &total);
}

static void print_head(bool shows_arrivals) {
  if (!shows_arrivals) {
    printf("%-18s %6s %6s %6s | %7s %7s %6s | %6s %7s | %5s %6s %5s %3s | %6s %6s\n", "", "intime", "arrive",
           "time", "overlp", "ov s", "deep", "way", "jitter", "tremb", "restl", "flow", "stk", "mean",
           "worst");
    return;
  }
  printf("%-16s %6s %6s %6s | %7s %6s | %7s %7s %5s |", "", "arrive", "2.5x", "95 %", "jump m", "jumps",
         "detour", "passing", "stuck");
  for (int k = 1; k <= DECILES; k++) printf(" %4d%%", 10 * k);
  printf(" | %6s %6s\n", "mean", "worst");
}

int main(int count, char **arguments) {
  const bool shows_arrivals = count > 1 && strcmp(arguments[1], "--arrivals") == 0;
  const int at = shows_arrivals ? 2 : 1;
  if (count <= at) {
    fprintf(stderr, "usage: crowd_scenarios [--arrivals] DIR [NAME | NAME.COURSE | NAME.FIRST-LAST ...]\n");
    return 2;
  }
  print_head(shows_arrivals);
  for (int i = at + 1; i < count; i++) run_courses(arguments[at], arguments[i], shows_arrivals);
  for (size_t i = 0; count == at + 1 && i < sizeof NAMES / sizeof *NAMES; i++)
    run_courses(arguments[at], NAMES[i], shows_arrivals);
  return 0;
}
