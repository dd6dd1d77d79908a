/* Points on walls near each leg of the string: walls of the polygons that a flood from the leg's first polygon reaches
 * through portals near the leg. At ramps and stairs it reaches other storeys, too: walls there that lie under or over
 * ground on the string's height don't count. A point on a wall belongs to the legs that can see it, and lies on the side
 * where its nearest point of the leg sees it. */
#include "mesh/locate.h"
#include "query/local/breadth_first.h"
#include "query/local/outline.h"
#include "query/room/room_internal.h"

/* Points nearer than this to the string touch it, world units. */
#define TOUCH 1e-3
/* Where places on a leg begin and end. */
#define LEG_FIRST 0.1
#define LEG_SHARE 0.8
/* A view begins and ends at this fraction of it, as walls touch both ends. */
#define VIEW_GAP 0.02
/* Ends of portals are rounded to 255ths of an edge. */
#define GAP (2.5f / 255)
/* Grounds above each other are an agent's height apart; this fraction of it, as heights are rounded. */
#define STOREY 0.75f
/* The most pieces of a wall. */
enum { STEPS = 64 };

/* ---- Geometry ----------------------------------------------------------------------------------------- */

WmRoomLeg wm_room_leg(const WmRoom *room, uint32_t leg) {
  const double *from = wm_room_samples(room)[leg].point, *to = wm_room_samples(room)[leg + 1].point;
  WmRoomLeg frame = {{from[0], from[1]}, {to[0] - from[0], to[1] - from[1]}, 0};
  frame.length = sqrt(wm_room_dot(frame.direction, frame.direction));
  const double scale = frame.length > 0 ? 1 / frame.length : 0;
  frame.direction[0] *= scale;
  frame.direction[1] *= scale;
  return frame;
}

double wm_room_distance_to(const double point[2], const double a[2], const double b[2], double nearest[2]) {
  const double along[2] = {b[0] - a[0], b[1] - a[1]}, to[2] = {point[0] - a[0], point[1] - a[1]};
  const double squared = wm_room_dot(along, along);
  double t = squared > 0 ? wm_room_dot(along, to) / squared : 0;
  t = t < 0 ? 0 : t > 1 ? 1 : t;
  const double off[2] = {to[0] - along[0] * t, to[1] - along[1] * t};
  if (nearest) {
    nearest[0] = a[0] + along[0] * t;
    nearest[1] = a[1] + along[1] * t;
  }
  return wm_room_dot(off, off);
}

static double find_turn(const double a[2], const double b[2], const double c[2]) {
  return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

bool wm_room_crosses(const double a[2], const double b[2], const double c[2], const double d[2]) {
  return find_turn(a, b, c) * find_turn(a, b, d) < 0 && find_turn(c, d, a) * find_turn(c, d, b) < 0;
}

/* ---- Storeys ------------------------------------------------------------------------------------------ */

/* The polygons that the flood of a leg has reached: their boxes, in the order of its queue. */
typedef struct Flood {
  WmRoomLeg frame; /* of the leg, as far as walls are looked at */
  uint32_t leg, count;
  uint32_t at;      /* the polygon whose walls are looked at */
  float apart;      /* heights at one place that differ by this are those of two storeys */
  float low, high;  /* heights of all polygons */
  bool has_storeys; /* there can be several */
  float boxes[WM_ROOM_POLYGONS][2][3];
} Flood;

static void find_boxes(const WmRoom *room, Flood *flood) {
  for (uint32_t i = 0; i < flood->count; i++) {
    const WmMeshTile *tile;
    uint32_t polygon;
    float(*box)[3] = flood->boxes[i];
    (void)wm_breadth_first_at(room->query, i, &tile, &polygon);
    for (int axis = 0; axis < 3; axis++) {
      box[0][axis] = box[1][axis] = wm_tile_vertex(tile, polygon, 0)[axis];
      for (uint32_t k = 1; k < tile->polygon_size[polygon]; k++) {
        const float at = wm_tile_vertex(tile, polygon, k)[axis];
        box[0][axis] = fminf(box[0][axis], at);
        box[1][axis] = fmaxf(box[1][axis], at);
      }
    }
  }
}

/* The height of the string where it is nearest to a point: that of its corridor, if it is known. */
static float find_height(const WmRoom *room, const Flood *flood, const float point[3]) {
  const WmRoomTask *task = room->task;
  const WmRoomLeg *frame = &flood->frame;
  const double at[2] = {(double)point[0], (double)point[2]};
  double place[2];
  wm_room_place(frame, at, place);
  const double along = fmin(fmax(place[0], 0), frame->length);
  const float foot[3] = {(float)(frame->from[0] + frame->direction[0] * along), point[1],
                         (float)(frame->from[1] + frame->direction[1] * along)};
  uint32_t i = task->corridor ? task->entries[flood->leg] : 0;
  for (; task->corridor && i <= task->entries[flood->leg + 1]; i++) {
    const WmMeshTile *tile = wm_mesh_tile_of(room->query->mesh, task->corridor[i]);
    const uint32_t polygon = wm_ref_polygon(task->corridor[i]);
    if (polygon < tile->ground_count && wm_tile_contains(tile, polygon, foot))
      return wm_tile_height(tile, polygon, foot);
  }
  const float *from = task->points + 3 * (size_t)flood->leg;
  const double length = wm_room_leg(room, flood->leg).length;
  return length > 0 ? from[1] + (from[4] - from[1]) * (float)(along / length) : from[1];
}

/* True if a point of a wall is on another storey: there is ground above or below it that is nearer to the string's height. */
static bool is_on_other_storey(const WmRoom *room, const Flood *flood, const WmEdgeSegment *wall, double t) {
  if (!flood->has_storeys) return false;
  float point[3];
  wm_interpolate(wall->first, wall->second, (float)t, point);
  for (uint32_t i = 0; i < flood->count; i++) {
    const float *low = flood->boxes[i][0], *high = flood->boxes[i][1];
    if (point[0] < low[0] || point[0] > high[0] || point[2] < low[2] || point[2] > high[2]) continue;
    if (i == flood->at || (point[1] - low[1] < flood->apart && high[1] - point[1] < flood->apart)) continue;
    const WmMeshTile *tile;
    uint32_t polygon;
    (void)wm_breadth_first_at(room->query, i, &tile, &polygon);
    if (!wm_tile_contains(tile, polygon, point)) continue;
    const float other = wm_tile_height(tile, polygon, point);
    (void)wm_breadth_first_at(room->query, flood->at, &tile, &polygon);
    const float here = wm_tile_height(tile, polygon, point);
    if (fabsf(other - here) < flood->apart) continue;
    const float own = find_height(room, flood, point);
    if (fabsf(other - own) < fabsf(here - own)) return true;
  }
  return false;
}

/* ---- Samples ------------------------------------------------------------------------------------------ */

static WmStatus add_sample(WmRoom *room, const double point[2], uint32_t leg, bool continues) {
  const WmStatus status =
      wm_query_reserve(room->query, WM_QUERY_ROOM_SAMPLES, WM_QUERY_ROOM_SAMPLES, (size_t)room->count + 1);
  if (status) return status;
  wm_room_samples(room)[room->count++] = (WmRoomSample){
      .point = {point[0], point[1]}, .radius = -1, .scale = 1, .leg = leg, .continues = continues};
  return WM_OK;
}

/* Clips a range of t, where first + t * step must be within [low, high]. Returns false if nothing is left. */
static bool clip(double first, double step, double low, double high, double range[2]) {
  if (step == 0) return first >= low && first <= high;
  const double a = (low - first) / step, b = (high - first) / step;
  const double begin = a < b ? a : b, end = a < b ? b : a;
  range[0] = begin > range[0] ? begin : range[0];
  range[1] = end < range[1] ? end : range[1];
  return range[0] <= range[1];
}

/* Appends samples along the part of a wall that is near a leg, without pieces on other storeys. */
static WmStatus add_wall(WmRoom *room, const Flood *flood, const WmEdgeSegment *wall) {
  const double a[2] = {(double)wall->first[0], (double)wall->first[2]};
  const double b[2] = {(double)wall->second[0], (double)wall->second[2]};
  const double reach = 2 * room->distance, along[2] = {b[0] - a[0], b[1] - a[1]};
  const WmRoomLeg *frame = &flood->frame;
  double first[2], last[2], range[2] = {0, 1};
  wm_room_place(frame, a, first);
  wm_room_place(frame, b, last);
  if (!clip(first[0], last[0] - first[0], -reach, frame->length + reach, range)) return WM_OK;
  if (!clip(first[1], last[1] - first[1], -reach, reach, range)) return WM_OK;
  const double steps = ceil(sqrt(wm_room_dot(along, along)) * (range[1] - range[0]) / room->distance);
  const uint32_t count = steps < 1 ? 1 : steps > STEPS ? STEPS : (uint32_t)steps;
  WmStatus status = WM_OK;
  const uint32_t first_of_leg = wm_room_samples(room)[flood->leg].first;
  const double half = (range[1] - range[0]) / count / 2;
  bool continues = false, is_other = is_on_other_storey(room, flood, wall, range[0]);
  for (uint32_t i = 0; i <= count && !status; i++) {
    if (room->count - first_of_leg >= WM_ROOM_LEG_SAMPLES || room->count >= WM_ROOM_SAMPLES) break;
    const double t = range[0] + (range[1] - range[0]) * i / count;
    const double point[2] = {t < 1 ? a[0] + along[0] * t : b[0], t < 1 ? a[1] + along[1] * t : b[1]};
    const bool was_other = is_other, ends = continues;
    is_other = i < count && is_on_other_storey(room, flood, wall, t + 2 * half);
    continues = i < count && !was_other && !is_other && !is_on_other_storey(room, flood, wall, t + half);
    if (ends || continues) status = add_sample(room, point, flood->leg, continues);
  }
  if (room->count > 0) wm_room_samples(room)[room->count - 1].continues = false;
  return status;
}

/* True for a wall beside portals of an edge on a tile's side that is only the rounding of their ends: in 255ths of this
 * edge, or of a longer one on the other side. Vertices there are whole cells apart. */
static bool is_gap(const WmMesh *mesh, const WmMeshTile *tile, uint32_t polygon, const WmEdgeSegment *wall) {
  const size_t row = WM_TILE_VERTICES_PER_POLYGON * (size_t)polygon;
  if (!(tile->polygon_neighbours[row + wall->edge] & WM_TILE_PORTAL)) return false;
  const float *a = wm_tile_vertex(tile, polygon, wall->edge),
              *b = wm_tile_vertex(tile, polygon, wall->edge + 1);
  const float whole = wm_squared_distance_on_plane(a, b);
  const float half = wm_mesh_parameters(mesh)->cell_size / 2;
  const float squared = wm_squared_distance_on_plane(wall->first, wall->second);
  return squared < whole && (squared < GAP * GAP * whole || squared < half * half);
}

/* ---- The flood ---------------------------------------------------------------------------------------- */

static bool is_near(const WmRoom *room, const WmRoomLeg *frame, const WmEdgeSegment *portal) {
  const double a[2] = {(double)portal->first[0], (double)portal->first[2]};
  const double b[2] = {(double)portal->second[0], (double)portal->second[2]};
  const double reach = 2 * room->distance;
  double first[2], last[2], range[2] = {0, 1};
  wm_room_place(frame, a, first);
  wm_room_place(frame, b, last);
  return clip(first[0], last[0] - first[0], -reach, frame->length + reach, range) &&
         clip(first[1], last[1] - first[1], -reach, reach, range);
}

static WmStatus reach(const WmRoom *room, uint32_t from, const WmEdgeSegment *portal, uint32_t *queued) {
  WmQuery *query = room->query;
  const uint32_t number = wm_breadth_first_find(query, portal->slot, portal->polygon);
  if (number == UINT32_MAX) return WM_ERROR_OUT_OF_MEMORY;
  const WmNode *node = wm_nodes_items(&query->nodes) + number;
  if (node->stamp == query->nodes.stamp || *queued >= WM_ROOM_POLYGONS) return WM_OK;
  return wm_breadth_first_put(query, number, portal->slot, portal->polygon, from, queued);
}

/* Appends the samples of a leg's walls. The first time, finds the polygons near the leg. */
static WmStatus look_around(WmRoom *room, Flood *flood, bool is_first) {
  WmQuery *query = room->query;
  WmStatus status = WM_OK;
  for (flood->at = 0; flood->at < flood->count && !status; flood->at++) {
    const WmMeshTile *tile;
    uint32_t polygon;
    const uint32_t number = wm_breadth_first_at(query, flood->at, &tile, &polygon);
    if (polygon >= tile->ground_count) continue;
    WmOutline outline = wm_outline_of(query->mesh, room->task->filter, tile, polygon);
    for (WmEdgeSegment segment; !status && wm_outline_next(&outline, &segment);) {
      if (segment.first[1] < flood->low) flood->low = segment.first[1];
      if (segment.first[1] > flood->high) flood->high = segment.first[1];
      if (segment.polygon == UINT32_MAX) {
        if (!is_gap(query->mesh, tile, polygon, &segment)) status = add_wall(room, flood, &segment);
      } else if (is_first && is_near(room, &flood->frame, &segment)) {
        status = reach(room, number, &segment, &flood->count);
      }
    }
  }
  return status;
}

/* Appends the samples of a leg, up to this length of it. */
static WmStatus gather_leg(WmRoom *room, uint32_t leg, double length) {
  const uint32_t first = room->count;
  Flood flood;
  flood.frame = wm_room_leg(room, leg);
  flood.frame.length = fmin(flood.frame.length, length);
  flood.leg = leg;
  flood.apart = STOREY * wm_mesh_parameters(room->query->mesh)->agent_height;
  flood.low = INFINITY;
  flood.high = -INFINITY;
  flood.has_storeys = false;
  WmStatus status =
      wm_breadth_first_begin(room->query, room->task->filter, room->task->polygons[leg], &flood.count);
  if (!status) status = look_around(room, &flood, true);
  flood.has_storeys = flood.apart > 0 && flood.high - flood.low > flood.apart;
  if (status || !flood.has_storeys || room->count == first) return status;
  find_boxes(room, &flood);
  room->count = first;
  return look_around(room, &flood, false);
}

/* ---- Sides -------------------------------------------------------------------------------------------- */

/* The side on which the string turns at its point k, 0: it is straight there, or ends. */
static int8_t find_corner_side(const WmRoom *room, uint32_t k) {
  if (k == 0 || k >= room->legs) return 0;
  const WmRoomLeg before = wm_room_leg(room, k - 1), after = wm_room_leg(room, k);
  const double turn = wm_room_cross(before.direction, after.direction);
  return turn > 1e-6 ? WM_ROOM_LEFT : turn < -1e-6 ? WM_ROOM_RIGHT : 0;
}

/* The side of a wall that touches the leg: that of its other end. */
static int8_t find_touching_side(const WmRoomLeg *frame, const WmRoomSample *all, uint32_t number,
                                 uint32_t first) {
  double place[2] = {0, 0};
  if (all[number].continues) wm_room_place(frame, all[number + 1].point, place);
  if (fabs(place[1]) <= TOUCH && number > first && all[number - 1].continues) {
    wm_room_place(frame, all[number - 1].point, place);
  }
  if (fabs(place[1]) > TOUCH) return place[1] > 0 ? WM_ROOM_LEFT : WM_ROOM_RIGHT;
  /* The leg runs along the wall: polygons lie to the right of their edges. */
  const uint32_t from = all[number].continues || number == 0 ? number : number - 1;
  const double along[2] = {all[from + 1].point[0] - all[from].point[0],
                           all[from + 1].point[1] - all[from].point[1]};
  return wm_room_dot(along, frame->direction) > 0 ? WM_ROOM_LEFT : WM_ROOM_RIGHT;
}

/* Sets side and key of a sample beyond the end of its leg: it lies around the corner there. */
static void place_at_corner(const WmRoom *room, const WmRoomLeg *frame, WmRoomSample *sample,
                            const double place[2]) {
  if (sample->leg + 1 >= room->legs) return; /* behind the end */
  const WmRoomLeg after = wm_room_leg(room, sample->leg + 1);
  double behind[2];
  wm_room_place(&after, sample->point, behind);
  sample->is_elsewhere = behind[0] > 0;
  if (sample->is_elsewhere) return;
  /* Up to TOUCH before the end of the leg, it lies at the end. */
  const double beyond = fmax(place[0] - frame->length, 0), share = beyond - behind[0];
  sample->key = sample->leg + 1 - LEG_FIRST + (share > 0 ? 2 * LEG_FIRST * beyond / share : LEG_FIRST);
  const double middle[2] = {frame->direction[0] + after.direction[0],
                            frame->direction[1] + after.direction[1]};
  const double to[2] = {sample->point[0] - after.from[0], sample->point[1] - after.from[1]};
  const double side = wm_room_cross(middle, to);
  sample->side = side > 0 ? WM_ROOM_LEFT : WM_ROOM_RIGHT;
}

/* Corners of the string lie on walls that are nearer than this. */
static double find_nearness(const WmRoom *room) {
  return fmax((double)wm_mesh_parameters(room->query->mesh)->cell_size / 2, TOUCH);
}

/* True if a point of the string lies on a wall of the legs before and behind it. */
static bool is_on_wall(const WmRoom *room, uint32_t k) {
  const WmRoomSample *all = wm_room_samples(room);
  const double near = find_nearness(room);
  for (uint32_t i = all[k - 1].first; i < all[k + 1].first; i++) {
    const WmRoomSample *next = all + i + all[i].continues;
    if (wm_room_distance_to(all[k].point, all[i].point, next->point, NULL) < near * near) return true;
  }
  return false;
}

/* Sets side and key of a sample at a corner of the string. Walls beside portals of tiles may end some hundredths beside the
 * vertex, but vertices are a cell apart. */
static bool place_on_corner(const WmRoom *room, const WmRoomLeg *frame, uint32_t number, uint32_t first,
                            uint32_t corner) {
  WmRoomSample *all = wm_room_samples(room), *sample = all + number;
  if (corner == 0 || corner == room->legs) return false;
  const double *at = all[corner].point;
  const double off[2] = {sample->point[0] - at[0], sample->point[1] - at[1]};
  const double near = find_nearness(room);
  if (!(wm_room_dot(off, off) < near * near)) return false;
  const int8_t side = find_corner_side(room, corner);
  sample->key = corner;
  sample->side = side ? side : find_touching_side(frame, all, number, first);
  return true;
}

static void place_sample(const WmRoom *room, const WmRoomLeg *frame, uint32_t number, uint32_t first) {
  WmRoomSample *all = wm_room_samples(room), *sample = all + number;
  double place[2];
  wm_room_place(frame, sample->point, place);
  sample->along = place[0];
  if (place_on_corner(room, frame, number, first, sample->leg)) return;
  if (place_on_corner(room, frame, number, first, sample->leg + 1)) return;
  if (place[0] > frame->length - TOUCH) {
    place_at_corner(room, frame, sample, place);
  } else if (place[0] > (sample->leg > 0 ? TOUCH : 0)) {
    sample->key = sample->leg + LEG_FIRST + LEG_SHARE * place[0] / frame->length;
    sample->side = fabs(place[1]) <= TOUCH ? find_touching_side(frame, all, number, first)
                   : place[1] > 0          ? WM_ROOM_LEFT
                                           : WM_ROOM_RIGHT;
  } else {
    sample->is_elsewhere = sample->leg > 0;
  }
}

/* True if a wall of the sample's leg stands between it and the string. */
static bool is_hidden(const WmRoom *room, uint32_t number) {
  const WmRoomSample *all = wm_room_samples(room), *sample = all + number;
  const WmRoomLeg frame = wm_room_leg(room, sample->leg);
  const double t = sample->along > frame.length ? frame.length : sample->along;
  const double foot[2] = {frame.from[0] + frame.direction[0] * t, frame.from[1] + frame.direction[1] * t};
  const double view[2] = {(foot[0] - sample->point[0]) * VIEW_GAP, (foot[1] - sample->point[1]) * VIEW_GAP};
  const double from[2] = {sample->point[0] + view[0], sample->point[1] + view[1]};
  const double to[2] = {foot[0] - view[0], foot[1] - view[1]};
  const double low = t < sample->along ? t : sample->along, high = t < sample->along ? sample->along : t;
  const uint32_t end = all[sample->leg + 1].first;
  for (uint32_t i = all[sample->leg].first; i + 1 < end; i++) {
    if (!all[i].continues) continue;
    if (all[i].along < low && all[i + 1].along < low) continue;
    if (all[i].along > high && all[i + 1].along > high) continue;
    if (wm_room_crosses(from, to, all[i].point, all[i + 1].point)) return true;
  }
  return false;
}

int8_t wm_room_find_side(const WmRoom *room, uint32_t number) {
  WmRoomSample *sample = wm_room_samples(room) + number;
  sample->is_unseen = false;
  if (is_hidden(room, number)) sample->side = 0;
  return sample->side;
}

/* Finds sides and keys of a leg's samples. */
static void place_leg(const WmRoom *room, uint32_t leg, uint32_t first) {
  const WmRoomLeg frame = wm_room_leg(room, leg);
  WmRoomSample *all = wm_room_samples(room);
  if (!(frame.length > 0)) return;
  for (uint32_t i = first; i < room->count; i++) {
    place_sample(room, &frame, i, first);
    all[i].is_unseen = all[i].side != 0;
  }
}

WmStatus wm_room_gather(WmRoom *room) {
  const WmRoomTask *task = room->task;
  WmStatus status = WM_OK;
  room->count = 0;
  for (uint32_t k = 0; k < room->legs + 3 && !status; k++) {
    const float *at = task->points + 3 * (k <= room->legs ? k : 0);
    const double point[2] = {(double)at[0], (double)at[2]};
    status = add_sample(room, point, k, false);
    if (status) return status;
    WmRoomSample *sample = wm_room_samples(room) + k;
    sample->key = k <= room->legs ? k : 0;
    if (k > room->legs) sample->radius = 0;
  }
  room->walls = room->count;
  for (uint32_t k = 0; k <= room->legs; k++) {
    WmRoomSample *sample = wm_room_samples(room) + k;
    sample->side = find_corner_side(room, k);
    if (sample->side == 0) sample->radius = 0;
  }
  double left = wm_room_horizon(room);
  for (uint32_t leg = 0; leg < room->legs && !status; leg++) {
    const uint32_t first = wm_room_samples(room)[leg].first = room->count;
    if (!(left > 0)) continue;
    status = gather_leg(room, leg, left);
    if (!status) place_leg(room, leg, first);
    left -= wm_room_leg(room, leg).length;
  }
  wm_room_samples(room)[room->legs].first = room->count;
  for (uint32_t k = 1; k < room->legs && task->is_cheapest && !status; k++) {
    WmRoomSample *sample = wm_room_samples(room) + k;
    sample->is_passed = !is_on_wall(room, k);
    if (!sample->is_passed) continue;
    sample->side = 0;
    sample->radius = 0;
  }
  return status;
}
