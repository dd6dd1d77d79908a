/* The string around discs. It starts as the discs of the plain string's corners. Between two neighbours, the straight
 * line that touches both is tested against the discs whose walls lie between them along the plain string; the one that
 * it enters deepest is inserted. Where the string would have to bend away from a disc, that disc is removed. */
#include "base/sort.h"
#include "query/room/room_internal.h"

/* A disc may be entered by this fraction of the wanted distance. */
#define SLACK 0.004
/* The cosine of the largest turn at a point of an arc, and of a turn that needs one point only. */
#define COSINE 0.9
#define COSINE_OF_POINT 0.996

/* ---- Order -------------------------------------------------------------------------------------------- */

WmStatus wm_room_sort(WmRoom *room) {
  WmStatus status =
      wm_query_reserve(room->query, WM_QUERY_ROOM_ORDER, WM_QUERY_ROOM_ORDER, 2 * (size_t)room->count);
  if (status) return status;
  WmSortItem *items = room->query->arrays[WM_QUERY_ROOM_ORDER].items;
  WmRoomSample *all = wm_room_samples(room);
  const double scale = 4e9 / (room->legs + 1.0);
  for (uint32_t i = 0; i < room->count; i++) {
    const double key =
        fmin(fmax(all[i].key * scale, 0), UINT32_MAX); /* meshes from hostile bytes have any number */
    items[i] = (WmSortItem){(uint32_t)key, i};
  }
  wm_sort_stable(items, items + room->count, room->count);
  for (uint32_t i = 0; i < room->count; i++) all[items[i].value].rank = i;
  return WM_OK;
}

/* ---- Tangents ----------------------------------------------------------------------------------------- */

/* The line that touches two discs on their sides. Returns false if there is none.
 * out        normal [2]: unit vector to its left */
static bool find_tangent(const WmRoomSample *a, const WmRoomSample *b, double normal[2]) {
  const double to[2] = {b->point[0] - a->point[0], b->point[1] - a->point[1]};
  const double length = sqrt(wm_room_dot(to, to));
  const double offset = b->side * b->radius - a->side * a->radius;
  if (!(length > 0) || !(fabs(offset) < length)) return false;
  const double sine = offset / length, cosine = sqrt(1 - sine * sine);
  const double x = to[0] / length, z = to[1] / length;
  normal[0] = x * sine - z * cosine;
  normal[1] = z * sine + x * cosine;
  return true;
}

/* How deep the segment from `a` to `b` enters the disc of a sample; it enters deepest if the wall is on its wrong
 * side. */
static double find_depth(const double a[2], const double b[2], const WmRoomSample *sample, double radius) {
  double nearest[2];
  const double distance = sqrt(wm_room_distance_to(sample->point, a, b, nearest));
  const double along[2] = {b[0] - a[0], b[1] - a[1]};
  const double to[2] = {sample->point[0] - a[0], sample->point[1] - a[1]};
  const double t = wm_room_dot(along, to) / wm_room_dot(along, along);
  const bool is_wrong = wm_room_cross(along, to) * sample->side < 0;
  if (is_wrong && t > 0 && t < 1) return radius + distance;
  return radius - distance;
}

/* The sample between two neighbours whose disc the line between them enters deepest; UINT32_MAX: none. */
static uint32_t find_deepest(WmRoom *room, const WmRoomSample *first, const WmRoomSample *last,
                             const double normal[2]) {
  const WmSortItem *order = room->query->arrays[WM_QUERY_ROOM_ORDER].items;
  const double before = first->side * first->radius, after = last->side * last->radius;
  const double a[2] = {first->point[0] - normal[0] * before, first->point[1] - normal[1] * before};
  const double b[2] = {last->point[0] - normal[0] * after, last->point[1] - normal[1] * after};
  double most = SLACK * room->distance;
  uint32_t deepest = UINT32_MAX;
  for (uint32_t rank = first->rank + 1; rank < last->rank; rank++) {
    const uint32_t number = order[rank].value;
    const WmRoomSample *sample = wm_room_samples(room) + number;
    if (sample->side == 0 || sample->removed > 2) continue;
    /* Most lie far beside the whole line, on their own side. */
    const double to[2] = {sample->point[0] - a[0], sample->point[1] - a[1]};
    if (wm_room_dot(normal, to) * sample->side > room->distance) continue;
    if (!(find_depth(a, b, sample, room->distance) > most) || !wm_room_side(room, number)) continue;
    const double depth = find_depth(a, b, sample, wm_room_radius(room, number));
    if (!(depth > most)) continue;
    most = depth;
    deepest = number;
  }
  return deepest;
}

/* ---- The string --------------------------------------------------------------------------------------- */

static WmStatus insert(WmRoom *room, uint32_t at, uint32_t number) {
  const WmStatus status =
      wm_query_reserve(room->query, WM_QUERY_ROOM_DISCS, WM_QUERY_ROOM_DISCS, (size_t)room->disc_count + 1);
  if (status) return status;
  uint32_t *discs = wm_room_discs(room);
  memmove(discs + at + 1, discs + at, (room->disc_count - at) * sizeof *discs);
  discs[at] = number;
  room->disc_count++;
  return WM_OK;
}

static void remove_disc(WmRoom *room, uint32_t at) {
  uint32_t *discs = wm_room_discs(room);
  WmRoomSample *sample = wm_room_samples(room) + discs[at];
  if (sample->removed < UINT8_MAX) sample->removed++;
  memmove(discs + at, discs + at + 1, (room->disc_count - at - 1) * sizeof *discs);
  room->disc_count--;
}

/* True if the line must pass through a point of the string. */
static bool is_passed(const WmRoom *room, uint32_t k) {
  const WmRoomSample *all = wm_room_samples(room);
  return k == 0 || k == room->legs || all[k].is_passed || all[k].is_plain || all[k - 1].is_plain;
}

/* Puts start, end, the points where they leave the walls, and the corners into the string. */
static WmStatus begin(WmRoom *room) {
  const WmRoomSample *all = wm_room_samples(room);
  WmStatus status = WM_OK;
  room->disc_count = 0;
  for (uint32_t k = 0; k <= room->legs && !status; k++) {
    const bool leaves_here = k > 0 && all[k].key > all[room->legs + 1].key && room->leaves[0] &&
                             room->disc_count == 1 && !all[0].is_plain;
    if (leaves_here) status = insert(room, room->disc_count, room->legs + 1);
    const bool ends_here = k == room->legs && room->leaves[1] && !all[k - 1].is_plain;
    if (!status && ends_here) status = insert(room, room->disc_count, room->legs + 2);
    if (!status && (is_passed(room, k) || all[k].side)) status = insert(room, room->disc_count, k);
    if (!status && all[k].side) (void)wm_room_radius(room, k);
  }
  return status;
}

/* True if a neighbour pair needs no discs between: the plain string is the line there, or an end leaves the walls. */
static bool is_fixed(const WmRoom *room, uint32_t first, uint32_t last) {
  const WmRoomSample *all = wm_room_samples(room);
  if (first == 0 && last == room->legs + 1) return true;
  if (first == room->legs + 2) return true;
  return first <= room->legs && all[first].is_plain;
}

/* The pairs of neighbours in the string that must be tested: from `first` on, up to the one before `end`. A pair is that of
 * a disc and the next one. */
typedef struct Pairs {
  uint32_t first, end;
} Pairs;

/* Removes a disc: its two pairs become pair i. */
static void merge_pairs(WmRoom *room, uint32_t disc, uint32_t i, Pairs *pairs) {
  remove_disc(room, disc);
  pairs->end = pairs->end > i + 1 ? pairs->end - 1 : i + 1;
  if (i < pairs->first) pairs->first = i;
}

/* Inserts discs until the lines between neighbours enter none.
 * in/out     pairs: `first` becomes that of the pairs that changed */
static bool fill(WmRoom *room, Pairs *pairs, WmStatus *status) {
  for (uint32_t i = pairs->first; i < pairs->end && i + 1 < room->disc_count && !*status;) {
    WmRoomSample *all = wm_room_samples(room);
    const uint32_t *discs = wm_room_discs(room), first = discs[i], last = discs[i + 1];
    double normal[2];
    if (is_fixed(room, first, last)) {
      i++;
      continue;
    }
    if (!find_tangent(all + first, all + last, normal)) {
      const bool drops_last = last > room->legs + 2 || (last <= room->legs && !is_passed(room, last));
      const bool drops_first = first > room->legs + 2 || (first <= room->legs && !is_passed(room, first));
      if (!drops_last && !drops_first) return false;
      const bool is_last = drops_last && (!drops_first || all[last].radius <= all[first].radius);
      const uint32_t disc = is_last ? i + 1 : i;
      if (!is_last && i > 0) i--;
      merge_pairs(room, disc, i, pairs);
      continue;
    }
    const uint32_t deepest = find_deepest(room, all + first, all + last, normal);
    if (deepest == UINT32_MAX) {
      i++;
      continue;
    }
    if (room->disc_count >= room->count) return false; /* hostile numbers: the order of samples is none */
    *status = insert(room, i + 1, deepest);
    pairs->end++;
  }
  return true;
}

/* True if the string would bend away from a disc. */
static bool is_slack(const WmRoom *room, uint32_t i) {
  const WmRoomSample *all = wm_room_samples(room);
  const uint32_t *discs = wm_room_discs(room);
  double before[2], after[2];
  if (discs[i] == room->legs + 1 || discs[i] == room->legs + 2) return false;
  if (discs[i] <= room->legs && is_passed(room, discs[i])) return false;
  return find_tangent(all + discs[i - 1], all + discs[i], before) &&
         find_tangent(all + discs[i], all + discs[i + 1], after) &&
         wm_room_cross(before, after) * all[discs[i]].side < -1e-9;
}

/* Removes the first disc from which the string would bend away, at pairs->first or behind. Discs before it have not changed.
 * out        pairs: the one that must be tested */
static bool remove_slack(WmRoom *room, Pairs *pairs) {
  for (uint32_t i = pairs->first > 1 ? pairs->first : 1; i + 1 < room->disc_count; i++) {
    if (!is_slack(room, i)) continue;
    *pairs = (Pairs){i - 1, i};
    remove_disc(room, i);
    return true;
  }
  return false;
}

/* Tests a pair again only where it has changed, so that the time grows with the length of the string. No disc is removed more
 * than three times, so it ends. */
bool wm_room_pull(WmRoom *room, WmStatus *status) {
  *status = begin(room);
  for (uint32_t i = 0; i < room->count; i++) wm_room_samples(room)[i].removed = 0;
  Pairs pairs = {0, room->disc_count};
  while (!*status) {
    if (!fill(room, &pairs, status) || *status) return false;
    if (!remove_slack(room, &pairs)) return true;
  }
  return false;
}

/* ---- Points ------------------------------------------------------------------------------------------- */

static WmStatus add_point(WmRoom *room, const double point[2], uint32_t disc) {
  const WmStatus status =
      wm_query_reserve(room->query, WM_QUERY_ROOM_POINTS, WM_QUERY_ROOM_AT, (size_t)room->point_count + 1);
  if (status) return status;
  float *points = (float *)room->query->arrays[WM_QUERY_ROOM_POINTS].items + 3 * (size_t)room->point_count;
  points[0] = (float)point[0];
  points[2] = (float)point[1];
  ((uint32_t *)room->query->arrays[WM_QUERY_ROOM_AT].items)[room->point_count++] = disc;
  return WM_OK;
}

/* Writes the points of an arc from one normal to another: at its ends and at equal turns between, by halving. */
static WmStatus write_arc(WmRoom *room, uint32_t number, const double from[2], const double to[2]) {
  const WmRoomSample *disc = wm_room_samples(room) + number;
  double normals[17][2] = {{from[0], from[1]}};
  uint32_t count = 1;
  memcpy(normals[1], to, sizeof normals[1]);
  for (double cosine = wm_room_dot(from, to); cosine < COSINE && count < 16; count *= 2) {
    for (uint32_t i = count; i > 0; i--) memcpy(normals[2 * i], normals[i], sizeof normals[i]);
    for (uint32_t i = 0; i < 2 * count; i += 2) {
      const double sum[2] = {normals[i][0] + normals[i + 2][0], normals[i][1] + normals[i + 2][1]};
      const double length = sqrt(wm_room_dot(sum, sum));
      /* Half a turn: the middle is where the string turns to. */
      const bool is_half = !(length > 1e-6);
      normals[i + 1][0] = is_half ? -normals[i][1] * disc->side : sum[0] / length;
      normals[i + 1][1] = is_half ? normals[i][0] * disc->side : sum[1] / length;
    }
    cosine = wm_room_dot(normals[0], normals[1]);
  }
  WmStatus status = WM_OK;
  for (uint32_t i = 0; i <= count && !status; i++) {
    if (count == 1 && i == 0 && wm_room_dot(from, to) > COSINE_OF_POINT) continue;
    const double offset = wm_room_samples(room)[number].side * wm_room_samples(room)[number].radius;
    const double *centre = wm_room_samples(room)[number].point;
    const double point[2] = {centre[0] - normals[i][0] * offset, centre[1] - normals[i][1] * offset};
    status = add_point(room, point, number);
  }
  return status;
}

WmStatus wm_room_write(WmRoom *room) {
  WmStatus status = WM_OK;
  room->point_count = 0;
  double before[2] = {0, 0}, after[2] = {0, 0};
  for (uint32_t i = 0; i < room->disc_count && !status; i++) {
    const WmRoomSample *all = wm_room_samples(room);
    const uint32_t *discs = wm_room_discs(room), number = discs[i];
    memcpy(before, after, sizeof before);
    const bool is_last = i + 1 == room->disc_count;
    if (!is_last) (void)find_tangent(all + number, all + discs[i + 1], after);
    const bool is_point = i == 0 || is_last || all[number].side == 0 || !(all[number].radius > 0);
    status = is_point ? add_point(room, all[number].point, number) : write_arc(room, number, before, after);
  }
  return status;
}
