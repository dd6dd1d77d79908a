/* The line around discs, checked by rays over the mesh. Where a ray meets a wall (rounding; walls that the flood didn't
 * see), the discs of the legs around it shrink, and at last these legs stay as they are. See room.h. */
#include "query/local/ray_walk.h"
#include "query/room/room_internal.h"

/* Times that the line is pulled, and legs for each further one; the scale below which legs stay plain; polygons looked through
 * for a corridor. */
enum { ATTEMPTS = 24, LEGS_PER_ATTEMPT = 16, LOOK_BACK = 64 };
#define LEAST_SCALE 0.2f
/* A cheapest line isn't moved off walls onto ground that costs more than this times as much. */
#define DEARER 1.5f

/* ---- Where the line fails ----------------------------------------------------------------------------- */

/* The radius of a point of the string before its disc is computed. */
static double find_first_radius(const WmRoom *room, uint32_t k) {
  const WmRoomSample *all = wm_room_samples(room);
  const bool is_passed = all[k].is_plain || (k > 0 && all[k - 1].is_plain) || all[k].side == 0;
  return is_passed ? 0 : -1;
}

/* Shrinks the discs of legs, or makes the legs plain if they are small. */
static void weaken(WmRoom *room, uint32_t first, uint32_t last) {
  WmRoomSample *all = wm_room_samples(room);
  bool are_plain = false;
  for (uint32_t k = first; k <= last; k++) are_plain = are_plain || all[k].scale < LEAST_SCALE;
  for (uint32_t k = first; k <= last; k++) {
    all[k].scale *= 0.5f;
    all[k].is_plain = all[k].is_plain || are_plain;
    for (uint32_t i = all[k].first; i < all[k + 1].first; i++) all[i].scale = all[k].scale;
  }
  /* Discs near plain legs are computed again. */
  const uint32_t low = first > 1 ? first - 2 : 0, high = last + 2 < room->legs ? last + 2 : room->legs;
  for (uint32_t i = all[low].first; i < all[high].first; i++) all[i].radius = -1;
  for (uint32_t k = low; k <= high; k++) all[k].radius = find_first_radius(room, k);
}

/* The legs at two samples. */
static void find_legs(const WmRoom *room, const uint32_t samples[2], uint32_t *first, uint32_t *last) {
  const WmRoomSample *all = wm_room_samples(room);
  const double low = all[samples[0]].key - 0.15, high = all[samples[1]].key + 0.15;
  const uint32_t most = room->legs - 1;
  *first = low > 0 ? (uint32_t)low : 0;
  *last = high > 0 ? (uint32_t)high : 0;
  if (*first > most) *first = most;
  if (*last > most) *last = most;
}

static double find_length(const float *a, const float *b) {
  return sqrt((double)wm_squared_distance_on_plane(a, b));
}

/* ---- The polygons below the line ---------------------------------------------------------------------- */

static WmStatus add_polygon(WmRoom *room, WmRoomLine *line, WmRef polygon) {
  const WmRef *polygons = room->query->arrays[WM_QUERY_ROOM_POLYGONS].items;
  if (line->polygon_count > 0 && polygons[line->polygon_count - 1] == polygon) return WM_OK;
  const WmStatus status =
      wm_query_reserve(room->query, WM_QUERY_ROOM_POLYGONS, WM_QUERY_ROOM_POLYGONS, line->polygon_count + 1);
  if (!status) ((WmRef *)room->query->arrays[WM_QUERY_ROOM_POLYGONS].items)[line->polygon_count++] = polygon;
  return status;
}

static WmRef last_polygon(const WmRoom *room, const WmRoomLine *line) {
  return ((const WmRef *)room->query->arrays[WM_QUERY_ROOM_POLYGONS].items)[line->polygon_count - 1];
}

/* Appends the corridor behind an index, up to another. */
static bool add_corridor(WmRoom *room, WmRoomLine *line, uint32_t from, uint32_t to, WmStatus *status) {
  for (uint32_t i = from + 1; i <= to && !*status; i++)
    *status = add_polygon(room, line, room->task->corridor[i]);
  return true;
}

/* Appends the corridor from the line's last polygon to the one at an index. Returns false if the last one is neither
 * among those before nor linked to that. */
static bool follow_corridor(WmRoom *room, WmRoomLine *line, uint32_t index, WmStatus *status) {
  const WmRef *corridor = room->task->corridor, last = last_polygon(room, line);
  for (uint32_t back = 0; back <= index && back < LOOK_BACK; back++)
    if (corridor[index - back] == last) return add_corridor(room, line, index - back, index, status);
  const WmMeshTile *tile = wm_mesh_tile_of(room->query->mesh, last);
  if (!wm_query_find_portal(tile, wm_ref_polygon(last), corridor[index])) return false;
  *status = add_polygon(room, line, corridor[index]);
  return true;
}

/* Appends the polygons of a leg that stays plain. */
static bool follow_plain(WmRoom *room, WmRoomLine *line, uint32_t leg, WmStatus *status) {
  const WmRoomTask *task = room->task;
  if (!task->corridor) {
    *status = add_polygon(room, line, task->polygons[leg + 1]);
    return true;
  }
  const uint32_t *entries = task->entries + leg;
  if (!follow_corridor(room, line, entries[0], status)) return false;
  /* The corridor of a cheapest line may pass a polygon twice. */
  return task->is_cheapest ? add_corridor(room, line, entries[0], entries[1], status)
                           : follow_corridor(room, line, entries[1], status);
}

/* Of a cheapest line, the unit cost of the dearest ground below the string between two samples. */
static float find_dearest(const WmRoom *room, const uint32_t samples[2]) {
  const WmRoomTask *task = room->task;
  uint32_t first, last;
  find_legs(room, samples, &first, &last);
  /* The ground at the end of a leg belongs to the next one. */
  const uint32_t begin = task->entries[first], end = task->entries[last + 1] + (last + 1 == room->legs);
  float dearest = 0;
  for (uint32_t i = begin; i == begin || i < end; i++) {
    const WmRef polygon = task->corridor[i];
    const WmMeshTile *tile = wm_mesh_tile_of(room->query->mesh, polygon);
    dearest = fmaxf(dearest, wm_filter_unit_cost(task->filter, tile, wm_ref_polygon(polygon)));
  }
  return dearest;
}

/* Appends the polygons of a straight line between two points; sets the height of the second.
 * in         samples: whose discs the line touches there
 * returns    false: it leaves the mesh, or leads over ground that is too dear */
static bool follow_ray(WmRoom *room, WmRoomLine *line, const uint32_t samples[2], const float from[3],
                       float to[3], WmStatus *status) {
  WmQuery *query = room->query;
  const WmRef start = last_polygon(room, line);
  WmRayWalk walk = {.context = query->context,
                    .mesh = query->mesh,
                    .filter = room->task->filter,
                    .polygons = &query->arrays[WM_QUERY_ROOM_POLYGONS],
                    .max_polygons = SIZE_MAX,
                    .polygon_count = line->polygon_count - 1,
                    .on_surface = true};
  *status = wm_ray_walk(&walk, start, from, to);
  if (*status || walk.hit || walk.outside) return false;
  line->polygon_count = walk.polygon_count;
  to[1] = walk.end[1];
  return !room->task->is_cheapest ||
         walk.cost <= DEARER * find_dearest(room, samples) * wm_distance(from, to);
}

/* True if the line is the string from its point with a disc to the next one. */
static bool is_string(const WmRoom *room, const uint32_t discs[2]) {
  const WmRoomSample *from = wm_room_samples(room) + discs[0], *to = wm_room_samples(room) + discs[1];
  if (discs[0] >= room->legs) return false;
  if (from->is_plain) return true;
  return room->task->is_cheapest && discs[1] == discs[0] + 1 && (discs[0] == 0 || from->is_passed) &&
         (discs[1] == room->legs || to->is_passed);
}

/* Follows the line from its point i to the next. */
static bool follow(WmRoom *room, WmRoomLine *line, uint32_t i, WmStatus *status) {
  float *points = (float *)room->query->arrays[WM_QUERY_ROOM_POINTS].items + 3 * (size_t)i;
  const uint32_t *discs = (const uint32_t *)room->query->arrays[WM_QUERY_ROOM_AT].items + i;
  if (is_string(room, discs)) {
    memcpy(points + 3, room->task->points + 3 * (size_t)(discs[0] + 1), 3 * sizeof *points);
    return follow_plain(room, line, discs[0], status);
  }
  if (!follow_ray(room, line, discs, points, points + 3, status)) return false;
  if (discs[1] != room->legs) return true;
  memcpy(points + 3, room->task->points + 3 * (size_t)room->legs, 3 * sizeof *points);
  return !room->task->corridor || follow_corridor(room, line, room->task->entries[room->legs], status);
}

/* Follows the line from its point i to the horizon, which is this far. */
static bool follow_part(WmRoom *room, WmRoomLine *line, uint32_t i, double length, WmStatus *status) {
  const float *points = (const float *)room->query->arrays[WM_QUERY_ROOM_POINTS].items + 3 * (size_t)i;
  const uint32_t *discs = (const uint32_t *)room->query->arrays[WM_QUERY_ROOM_AT].items + i;
  if (is_string(room, discs)) return true;
  const double share = length / find_length(points, points + 3);
  float to[3] = {points[0], points[1], points[2]};
  for (int axis = 0; axis < 3; axis += 2)
    to[axis] += (float)(((double)points[3 + axis] - (double)points[axis]) * share);
  return follow_ray(room, line, discs, points, to, status);
}

/* Follows the line from its point i to the next, as far as to the horizon.
 * in/out     *left: how far the horizon is */
static bool follow_to_horizon(WmRoom *room, WmRoomLine *line, uint32_t i, double *left, WmStatus *status) {
  float *points = (float *)room->query->arrays[WM_QUERY_ROOM_POINTS].items + 3 * (size_t)i;
  const double length = find_length(points, points + 3), before = *left;
  *left -= length;
  if (length <= before) return follow(room, line, i, status);
  points[4] = points[1];
  if (line->is_cut) return true;
  line->is_cut = true;
  return follow_part(room, line, i, before, status);
}

/* Follows the line over the mesh, up to the horizon. Its discs are replaced by indices of polygons.
 * out        *failed: the point behind which it leaves the mesh; UINT32_MAX: it doesn't */
static WmStatus check(WmRoom *room, WmRoomLine *line, uint32_t *failed) {
  float *points = room->query->arrays[WM_QUERY_ROOM_POINTS].items;
  uint32_t *at = room->query->arrays[WM_QUERY_ROOM_AT].items;
  memcpy(points, room->task->points, 3 * sizeof *points);
  line->polygon_count = 0;
  *failed = UINT32_MAX;
  const WmRoomTask *task = room->task;
  WmStatus status =
      add_polygon(room, line, task->corridor ? task->corridor[task->entries[0]] : task->polygons[0]);
  uint32_t before = 0;
  double left = wm_room_horizon(room);
  line->is_cut = false;
  for (uint32_t i = 0; i + 1 < room->point_count && !status; i++) {
    if (!follow_to_horizon(room, line, i, &left, &status)) {
      *failed = status ? UINT32_MAX : i;
      return status;
    }
    at[i] = before;
    before = (uint32_t)line->polygon_count - 1;
  }
  at[room->point_count - 1] = before;
  return status;
}

/* ---- Detours at the ends -------------------------------------------------------------------------------- */

/* An end doesn't leave walls where that costs more than this share of the line. */
#define LEAVING_COST 0.006

/* Computes the discs near an end again. */
static void forget_radii(WmRoom *room, bool is_end) {
  WmRoomSample *all = wm_room_samples(room);
  const uint32_t legs = room->legs, first = is_end && legs > 2 ? legs - 2 : 0,
                 last = is_end || legs < 2 ? legs : 2;
  for (uint32_t i = all[first].first; i < all[last].first; i++) all[i].radius = -1;
  for (uint32_t k = first; k <= last; k++) all[k].radius = find_first_radius(room, k);
}

/* Lets ends stay where they are, where the way to the points at which they leave walls is a detour. Returns true if the line
 * must be pulled again. */
static bool drop_detours(WmRoom *room) {
  const float *points = room->query->arrays[WM_QUERY_ROOM_POINTS].items;
  const uint32_t count = room->point_count;
  bool is_dropped = false;
  double length = 0;
  for (uint32_t i = 0; i + 1 < count; i++)
    length += find_length(points + 3 * (size_t)i, points + 3 * (size_t)i + 3);
  for (uint32_t end = 0; end < 2; end++) {
    if (!room->leaves[end] || count < 3) continue;
    const float *first = points + 3 * (size_t)(end ? count - 3 : 0);
    const double detour =
        find_length(first, first + 3) + find_length(first + 3, first + 6) - find_length(first, first + 6);
    if (!(detour > LEAVING_COST * length)) continue;
    room->leaves[end] = false;
    forget_radii(room, end);
    is_dropped = true;
  }
  return is_dropped;
}

/* ---- The line ----------------------------------------------------------------------------------------- */

static WmStatus attempt(WmRoom *room, WmRoomLine *line, bool *is_found) {
  WmStatus status;
  uint32_t failed;
  *is_found = false;
  if (!wm_room_pull(room, &status)) {
    if (!status) weaken(room, 0, room->legs - 1);
    return status;
  }
  status = wm_room_write(room);
  if (status || drop_detours(room)) return status;
  status = check(room, line, &failed);
  if (status) return status;
  *is_found = failed == UINT32_MAX;
  if (*is_found) return WM_OK;
  uint32_t first, last;
  find_legs(room, (const uint32_t *)room->query->arrays[WM_QUERY_ROOM_AT].items + failed, &first, &last);
  weaken(room, first, last);
  return WM_OK;
}

WmStatus wm_room_find(WmQuery *query, const WmRoomTask *task, WmRoomLine *line) {
  WmRoom room = {.query = query,
                 .task = task,
                 .distance = (double)task->distance,
                 .legs = (uint32_t)task->point_count - 1};
  *line = (WmRoomLine){0};
  WmStatus status = wm_room_gather(&room);
  if (!status && task->growth > 0) wm_room_measure_start(&room);
  if (!status && !task->stays) wm_room_leave_walls(&room);
  if (!status) status = wm_room_sort(&room);
  bool is_found = false;
  const uint32_t attempts = ATTEMPTS + room.legs / (task->is_cheapest ? 1 : LEGS_PER_ATTEMPT);
  for (uint32_t i = 0; i < attempts && !status && !is_found; i++) status = attempt(&room, line, &is_found);
  if (status || !is_found) {
    *line = (WmRoomLine){0};
    return status;
  }
  line->point_count = room.point_count;
  line->points = query->arrays[WM_QUERY_ROOM_POINTS].items;
  line->at = query->arrays[WM_QUERY_ROOM_AT].items;
  line->polygons = query->arrays[WM_QUERY_ROOM_POLYGONS].items;
  return WM_OK;
}
