/* Ways: corridors with their strings. See alternatives_internal.h. */
#include "mesh/locate.h"
#include "query/local/ray_walk.h"
#include "query/alternatives/alternatives_internal.h"
#include "query/search/search_internal.h"

/* Half the length, as a share of the first path's, of the part in the middle of a way that is searched again. */
#define WINDOW 0.125f
/* Places of a way that are compared with another one. */
enum { SAMPLE_COUNT = 64 };
/* How often a way with corners in the open is shortened. */
enum { TIGHTENINGS = 4 };
/* Slack of lengths that are compared. */
#define SLACK 1.001f

/* ---- Drawing ------------------------------------------------------------------------------------------ */

/* Numbers the polygons behind the points of a string: those of a corridor that meets none twice. */
static void number_places(const WmPath *path, const WmRef *polygons, size_t polygon_count, uint32_t *places) {
  size_t at = 0;
  for (size_t i = 0; i < path->point_count; i++) {
    size_t next = at;
    while (next < polygon_count && polygons[next] != path->point_polygons[i]) next++;
    if (next < polygon_count) at = next;
    places[i] = (uint32_t)at;
  }
  places[path->point_count - 1] = (uint32_t)polygon_count - 1;
}

WmStatus wm_way_draw(const WmWayTask *task, const WmRef *polygons, size_t polygon_count, WmWay *way) {
  WmQuery *query = task->query;
  WmRef *copy = wm_scratch_array(query->context, polygon_count, sizeof *copy);
  if (!copy) return WM_ERROR_OUT_OF_MEMORY;
  memcpy(copy, polygons, polygon_count * sizeof *copy);
  float cost;
  WmStatus status = wm_query_measure(query, task->start.point, task->end.point, copy, polygon_count,
                                     task->search.filter, &cost);
  WmPath path = {.state = WM_PATH_COMPLETE};
  if (!status) {
    status = wm_query_pull(query, task->start.point, task->end.point, copy, NULL, polygon_count,
                           WM_CROSSINGS_ALL, 0, 0, NULL, &path);
  }
  if (status) return status;
  float *points = wm_scratch_array(query->context, path.point_count, 3 * sizeof *points);
  uint32_t *places = wm_scratch_array(query->context, path.point_count, sizeof *places);
  if (!points || !places) return WM_ERROR_OUT_OF_MEMORY;
  memcpy(points, path.points, path.point_count * 3 * sizeof *points);
  number_places(&path, copy, polygon_count, places);
  *way = (WmWay){polygon_count, copy, path.point_count, points, places, path.length, cost};
  return WM_OK;
}

/* ---- Shortening --------------------------------------------------------------------------------------- */

typedef struct Corridor {
  WmRef *polygons;
  size_t count;
} Corridor;

/* The shortest corridor between two places. count 0: there is none. */
static WmStatus search(const WmWayTask *task, WmRef start, const float from[3], WmRef end, const float to[3],
                       Corridor *corridor) {
  WmQuery *query = task->query;
  WmSearchTask search = wm_search_task(query, start, from, end, to, &task->search);
  search.options.is_plain = true;
  WmCorridor found;
  const WmStatus status = wm_query_search(query, &search, &found);
  if (status) return status;
  *corridor = (Corridor){.count = found.state == WM_PATH_COMPLETE ? found.polygon_count : 0};
  corridor->polygons = wm_scratch_array(query->context, corridor->count, sizeof *corridor->polygons);
  if (!corridor->polygons) return WM_ERROR_OUT_OF_MEMORY;
  if (corridor->count > 0) {
    memcpy(corridor->polygons, found.polygons, corridor->count * sizeof *corridor->polygons);
  }
  return WM_OK;
}

/* Appends a corridor that begins in the last polygon of the one before; where it goes back along that one, both parts
 * are left out. */
static void append(Corridor *corridor, const WmRef *polygons, size_t count) {
  size_t from = 1;
  while (corridor->count > 1 && from < count && corridor->polygons[corridor->count - 2] == polygons[from]) {
    corridor->count--;
    from++;
  }
  memcpy(corridor->polygons + corridor->count, polygons + from, (count - from) * sizeof *polygons);
  corridor->count += count - from;
}

static WmStatus join(const WmWayTask *task, const Corridor *parts, size_t part_count, Corridor *joint) {
  size_t room = 1;
  for (size_t i = 0; i < part_count; i++) room += parts[i].count;
  joint->polygons = wm_scratch_array(task->query->context, room, sizeof *joint->polygons);
  if (!joint->polygons) return WM_ERROR_OUT_OF_MEMORY;
  memcpy(joint->polygons, parts[0].polygons, parts[0].count * sizeof *joint->polygons);
  joint->count = parts[0].count;
  for (size_t i = 1; i < part_count; i++) append(joint, parts[i].polygons, parts[i].count);
  return WM_OK;
}

/* True if a corridor meets a polygon twice. */
static WmStatus find_repeated(const WmWayTask *task, const Corridor *corridor, bool *repeats) {
  size_t room = 4;
  while (room < 2 * corridor->count) room *= 2;
  WmRef *table = wm_scratch_zeroed(task->query->context, room, sizeof *table);
  if (!table) return WM_ERROR_OUT_OF_MEMORY;
  *repeats = false;
  for (size_t i = 0; i < corridor->count && !*repeats; i++) {
    const WmRef polygon = corridor->polygons[i];
    size_t at = (size_t)((uint32_t)(polygon ^ polygon >> 32) * 0x9e3779b1u >> 7) & (room - 1);
    while (table[at] && table[at] != polygon) at = (at + 1) & (room - 1);
    *repeats = table[at] == polygon;
    table[at] = polygon;
  }
  return WM_OK;
}

/* Draws a corridor if it exists and meets no polygon twice. */
static WmStatus draw_simple(const WmWayTask *task, const Corridor *corridor, WmWay *way, bool *found) {
  bool repeats = true;
  const WmStatus status = corridor->count > 0 ? find_repeated(task, corridor, &repeats) : WM_OK;
  *found = !status && !repeats;
  return *found ? wm_way_draw(task, corridor->polygons, corridor->count, way) : status;
}

static bool is_ground(const WmWayTask *task, WmRef polygon) {
  return wm_ref_polygon(polygon) < wm_mesh_tile_of(task->query->mesh, polygon)->ground_count;
}

/* The first point of a way behind polygon `place` that lies on ground; its last point if there is none. */
static size_t find_point(const WmWayTask *task, const WmWay *way, size_t place) {
  size_t i = 0;
  while (i + 1 < way->point_count &&
         (way->places[i] < place || !is_ground(task, way->polygons[way->places[i]])))
    i++;
  return i;
}

/* The length of a way's leg behind a point; 0 over a segment link, whose gap nobody walks. */
static float measure_leg(const WmWayTask *task, const WmWay *way, size_t i) {
  const WmRef polygon = way->polygons[way->places[i]];
  if (wm_is_segment_link(wm_mesh_tile_of(task->query->mesh, polygon))) return 0;
  return wm_distance(way->points + 3 * i, way->points + 3 * i + 3);
}

/* A place on a way: a point, and the number of its polygon. */
typedef struct Spot {
  float point[3];
  size_t place;
} Spot;

/* The place at a distance from a point of a way, along the way, on ground; its end if there is none. */
static Spot step_away(const WmWayTask *task, const WmWay *way, size_t from, float distance, int direction) {
  float left = distance;
  Spot spot = {.place = way->places[from]};
  size_t i = from;
  while (direction < 0 ? i > 0 : i + 1 < way->point_count) {
    const size_t next = direction < 0 ? i - 1 : i + 1;
    const float *a = way->points + 3 * i, *b = way->points + 3 * next,
                part = measure_leg(task, way, i < next ? i : next);
    spot.place = way->places[i < next ? i : next];
    if (part >= left && is_ground(task, way->polygons[spot.place])) {
      wm_interpolate(a, b, part > 0 ? left / part : 0, spot.point);
      return spot;
    }
    left = part < left ? left - part : 0;
    i = next;
  }
  spot.place = way->places[i];
  memcpy(spot.point, way->points + 3 * i, sizeof spot.point);
  return spot;
}

/* Searches the part around a point of a way again. */
static WmStatus shorten_around(const WmWayTask *task, size_t point, WmWay *way, bool *found) {
  const float window = WINDOW * task->first_length;
  const Spot from = step_away(task, way, point, window, -1), to = step_away(task, way, point, window, 1);
  Corridor parts[3] = {{(WmRef *)way->polygons, from.place + 1},
                       {0},
                       {(WmRef *)way->polygons + to.place, way->polygon_count - to.place}};
  Corridor joint = {0};
  WmStatus status =
      search(task, way->polygons[from.place], from.point, way->polygons[to.place], to.point, &parts[1]);
  if (!status && parts[1].count > 0) status = join(task, parts, 3, &joint);
  return status ? status : draw_simple(task, &joint, way, found);
}

/* Joins the shortest corridors to a point and from there. */
static WmStatus route_over(const WmWayTask *task, WmRef polygon, const float point[3], Corridor *joint) {
  Corridor parts[2];
  WmStatus status = search(task, task->start.polygon, task->start.point, polygon, point, &parts[0]);
  if (!status) status = search(task, polygon, point, task->end.polygon, task->end.point, &parts[1]);
  joint->count = 0;
  if (status || parts[0].count == 0 || parts[1].count == 0) return status;
  return join(task, parts, 2, joint);
}

/* Looks along the surface from a place on ground.
 * out        *sees: no wall is between, and no other floor is meant */
static WmStatus look(const WmWayTask *task, WmRef polygon, const float from[3], const float to[3],
                     WmRayWalk *walk, bool *sees) {
  *walk = (WmRayWalk){.context = task->query->context,
                      .mesh = task->query->mesh,
                      .filter = task->search.filter,
                      .max_polygons = SIZE_MAX,
                      .on_surface = true};
  const WmStatus status = wm_ray_walk(walk, polygon, from, to);
  const float height = wm_mesh_tile_of(task->query->mesh, polygon)->agent_height;
  *sees = !walk->hit && !walk->outside && fabsf(walk->end[1] - to[1]) <= height;
  return status;
}

/* Finds a corner in the open, which no wall makes, and no area: a straight line past it costs less.
 * out        *corner: a point of the way; 0: there is none */
static WmStatus find_open_corner(const WmWayTask *task, const WmWay *way, size_t *corner) {
  WmStatus status = WM_OK;
  *corner = 0;
  for (size_t i = 1; i + 1 < way->point_count && !status && *corner == 0; i++) {
    const Spot from = step_away(task, way, i, task->apart, -1), to = step_away(task, way, i, task->apart, 1);
    const WmRef *polygons = way->polygons + from.place;
    if (to.place <= from.place || SLACK * wm_distance(from.point, to.point) > 2 * task->apart ||
        !is_ground(task, *polygons)) {
      continue;
    }
    WmRayWalk walk;
    bool sees;
    float cost = 0;
    status = look(task, *polygons, from.point, to.point, &walk, &sees);
    if (!status && sees) {
      status = wm_query_measure(task->query, from.point, to.point, polygons, to.place - from.place + 1,
                                task->search.filter, &cost);
    }
    if (SLACK * walk.cost < cost) *corner = i;
  }
  return status;
}

WmStatus wm_way_tighten(const WmWayTask *task, WmWay *way, bool *found) {
  *found = true;
  for (int tries = 0;; tries++) {
    size_t corner;
    WmStatus status = find_open_corner(task, way, &corner);
    if (status || corner == 0) return status;
    if (tries == TIGHTENINGS)
      *found = false;
    else
      status = shorten_around(task, corner, way, found);
    if (status || !*found) return status;
  }
}

WmStatus wm_way_shorten(const WmWayTask *task, const WmRef *polygons, size_t polygon_count, size_t first,
                        size_t last, WmWay *way, bool *found) {
  const Corridor plain = {(WmRef *)polygons, polygon_count};
  WmStatus status = draw_simple(task, &plain, way, found);
  if (status || !*found) return status;
  const size_t point = find_point(task, way, (first + last + 1) / 2);
  const WmRef polygon = way->polygons[way->places[point]];
  float over[3];
  memcpy(over, way->points + 3 * point, sizeof over);
  Corridor joint;
  status = route_over(task, polygon, over, &joint);
  if (!status) status = draw_simple(task, &joint, way, found);
  if (status || !*found) return status;
  size_t place = 0;
  while (place + 1 < way->polygon_count && way->polygons[place] != polygon) place++;
  status = shorten_around(task, find_point(task, way, place), way, found);
  return status || !*found ? status : wm_way_tighten(task, way, found);
}

/* ---- Comparing ---------------------------------------------------------------------------------------- */

/* A place of a way. */
typedef struct Sample {
  float point[3];
  WmRef polygon;
} Sample;

static void take_samples(const WmWayTask *task, const WmWay *way, Sample samples[SAMPLE_COUNT]) {
  const float step = way->length / SAMPLE_COUNT;
  size_t i = 0;
  float passed = 0; /* length up to point i */
  for (size_t s = 0; s < SAMPLE_COUNT; s++) {
    const float wanted = ((float)s + 0.5f) * step;
    float part = 0;
    while (i + 1 < way->point_count) {
      part = measure_leg(task, way, i);
      if (passed + part >= wanted) break;
      passed += part;
      i++;
    }
    const bool is_last = i + 1 >= way->point_count;
    const float t = !is_last && part > 0 ? (wanted - passed) / part : 0;
    wm_interpolate(way->points + 3 * i, way->points + 3 * (is_last ? i : i + 1), t, samples[s].point);
    samples[s].polygon = way->polygons[way->places[i]];
  }
}

/* The nearest point of a way in space. Returns the distance. */
static float find_nearest(const WmWayTask *task, const WmWay *way, const float point[3], float nearest[3]) {
  float best = INFINITY;
  for (size_t i = 0; i + 1 < way->point_count; i++) {
    const float *a = way->points + 3 * i, *b = measure_leg(task, way, i) > 0 ? a + 3 : a;
    float along[3], to[3];
    for (int k = 0; k < 3; k++) {
      along[k] = b[k] - a[k];
      to[k] = point[k] - a[k];
    }
    const float squared = along[0] * along[0] + along[1] * along[1] + along[2] * along[2];
    const float dot = along[0] * to[0] + along[1] * to[1] + along[2] * to[2];
    float candidate[3];
    wm_interpolate(a, b, squared > 0 ? wm_clamp_unit(dot / squared) : 0, candidate);
    const float distance = wm_distance(point, candidate);
    if (!(distance < best)) continue;
    best = distance;
    memcpy(nearest, candidate, sizeof candidate);
  }
  return best;
}

/* True if a place differs from a way: it is far from it, or out of its sight. */
static WmStatus test(const WmWayTask *task, const Sample *sample, const WmWay *other, bool *differs) {
  float nearest[3] = {0};
  const float distance = find_nearest(task, other, sample->point, nearest);
  *differs = distance > task->apart;
  if (*differs || distance <= task->radius || !is_ground(task, sample->polygon)) return WM_OK;
  WmRayWalk walk;
  bool sees;
  const WmStatus status = look(task, sample->polygon, sample->point, nearest, &walk, &sees);
  *differs = !sees;
  return status;
}

/* True if a stretch between two samples is at most max_length times as long as the shortest way. */
static WmStatus test_stretch(const WmWayTask *task, const Sample *from, const Sample *to, float length,
                             bool *sensible) {
  Corridor corridor;
  WmWayTask part = *task;
  part.start = (WmNearest){.polygon = from->polygon};
  part.end = (WmNearest){.polygon = to->polygon};
  memcpy(part.start.point, from->point, sizeof from->point);
  memcpy(part.end.point, to->point, sizeof to->point);
  WmStatus status = search(task, from->polygon, from->point, to->polygon, to->point, &corridor);
  if (status || corridor.count == 0) return status;
  WmWay shortest;
  status = wm_way_draw(&part, corridor.polygons, corridor.count, &shortest);
  if (!status) *sensible = length <= SLACK * task->max_length * shortest.length;
  return status;
}

WmStatus wm_way_compare(const WmWayTask *task, const WmWay *way, const WmWay *other, bool limits_detours,
                        float *share, bool *sensible) {
  Sample samples[SAMPLE_COUNT];
  take_samples(task, way, samples);
  const float step = way->length / SAMPLE_COUNT;
  size_t count = 0, stretch = 0; /* samples that differ; those without a break until here */
  *sensible = true;
  for (size_t s = 0; s <= SAMPLE_COUNT && *sensible; s++) {
    bool differs = false;
    WmStatus status = s < SAMPLE_COUNT ? test(task, &samples[s], other, &differs) : WM_OK;
    count += differs;
    if (!status && !differs && stretch > 0 && limits_detours && s < SAMPLE_COUNT && s > stretch) {
      const Sample *from = &samples[s - stretch - 1];
      status = test_stretch(task, from, &samples[s], step * (float)(stretch + 1), sensible);
    }
    if (status) return status;
    stretch = differs ? stretch + 1 : 0;
  }
  *share = (float)count / SAMPLE_COUNT;
  return WM_OK;
}
