/* Flights: trajectories, and the agent's body swept along them through columns of air. See links_internal.h.
 *
 * A column meets the body while its centre is within the radius of the axis. Over that part of the flight the lowest feet and the
 * highest head must lie in one gap of the column. Within a radius and a cell of both ends, the body may step over things up to the
 * climb, as it does on the ground. */
#include <math.h>

#include "links/links_internal.h"

/* Rounding of heights, cell heights. */
#define HEIGHT_ROUNDING 0.03f

static float smaller(float a, float b) { return a < b ? a : b; }
static float larger(float a, float b) { return a > b ? a : b; }

/* ---- Trajectories -------------------------------------------------------------------------------------- */

WmFlightPath wm_flight_path(const WmLinkLimits *limits, const WmFlight *flight) {
  WmFlightPath path = {
      .flight = flight, .height = limits->height, .climb = limits->climb, .lifted = limits->radius + 1};
  if (flight->shape == WM_FLIGHT_JUMP) {
    const float top = larger(flight->heights[0], flight->heights[1]) + flight->peak;
    path.rise = sqrtf(2 * (top - flight->heights[0]));
    path.time = path.rise + sqrtf(2 * (top - flight->heights[1]));
    path.apex = path.time > 0 ? flight->length * (path.rise / path.time) : flight->length / 2;
  }
  return path;
}

/* Height of a jump's feet at a distance. */
static float jump_height(const WmFlightPath *path, float along) {
  const float time = along / path->flight->length * path->time;
  return path->flight->heights[0] + path->rise * time - time * time / 2;
}

/* True if all of a part of the flight is near its ends. */
static bool is_lifted(const WmFlightPath *path, float from, float to) {
  const float end = path->flight->length - path->lifted;
  return to <= path->lifted || from >= end || path->lifted >= end;
}

/* The lowest feet over a part of a jump: it is concave, so they are at the ends of parts. */
static float lowest_of_jump(const WmFlightPath *path, float from, float to) {
  const float begin = path->lifted, end = path->flight->length - path->lifted;
  float low = smaller(jump_height(path, from), jump_height(path, to)) + path->climb;
  if (begin < end && to > begin && from < end) {
    low = smaller(low, smaller(jump_height(path, larger(from, begin)), jump_height(path, smaller(to, end))));
  }
  return low;
}

static WmFlightRange range_of_jump(const WmFlightPath *path, float from, float to) {
  const float top = path->apex <= from ? from : path->apex >= to ? to : path->apex;
  return (WmFlightRange){lowest_of_jump(path, from, to), jump_height(path, top) + path->height};
}

static WmFlightRange range_of_ledge(const WmFlightPath *path, float from, float to) {
  const WmFlight *flight = path->flight;
  const float level = flight->heights[0] + (is_lifted(path, from, to) ? path->climb : 0);
  const float low = to >= flight->length ? smaller(level, flight->heights[1] + path->climb) : level;
  return (WmFlightRange){low, flight->heights[0] + path->height};
}

static WmFlightRange range_of_vault(const WmFlightPath *path, float from, float to) {
  const WmFlight *flight = path->flight;
  const float top = larger(flight->heights[0], flight->heights[1]) + flight->peak;
  float low = top;
  if (from <= 0) low = smaller(low, flight->heights[0] + path->climb);
  if (to >= flight->length) low = smaller(low, flight->heights[1] + path->climb);
  return (WmFlightRange){low, top + path->height};
}

WmFlightRange wm_flight_range(const WmFlightPath *path, float from, float to) {
  switch (path->flight->shape) {
    case WM_FLIGHT_LEDGE: return range_of_ledge(path, from, to);
    case WM_FLIGHT_JUMP: return range_of_jump(path, from, to);
    default: return range_of_vault(path, from, to);
  }
}

/* ---- Columns that the body meets ----------------------------------------------------------------------- */

/* Two functions that receive the columns of a flight. `may_skip` returns true if it needs nothing more: most columns end there, and some
 * that the body doesn't meet. Else `visit` gets the part of the flight in which the body meets the column, and returns false to stop. */
typedef bool (*ColumnSkipper)(const void *target, const WmColumn *column, float along);
typedef bool (*ColumnVisitor)(void *target, const WmColumn *column, int32_t x, int32_t z, float from,
                              float to);

/* Narrows low..high to the coordinates at which first + step * coordinate is within -limit..limit + extent. */
static void narrow(float first, float step, float limit, float extent, float *low, float *high) {
  if (fabsf(step) < 1e-6f) return;
  float a = (-limit - first) / step, b = (limit + extent - first) / step;
  if (a > b) {
    const float swap = a;
    a = b;
    b = swap;
  }
  *low = larger(*low, a);
  *high = smaller(*high, b);
}

/* Of the body: at least as far as from a cell's centre to its corner. */
static float find_radius(const WmAirWindow *window) {
  return larger(window->generator->limits.radius, 0.71f);
}

/* Visits the columns of a flight row by row; returns false if it was stopped. */
WM_INLINE bool visit_columns(WmAirWindow *window, const WmFlight *flight, ColumnSkipper may_skip,
                             ColumnVisitor visit, void *target) {
  const float radius = find_radius(window), length = flight->length;
  const float dx = flight->outward[0], dz = flight->outward[1];
  const float end_x = flight->start[0] + dx * length, end_z = flight->start[1] + dz * length;
  const float low_x = smaller(flight->start[0], end_x) - radius,
              high_x = larger(flight->start[0], end_x) + radius;
  const int32_t last_z = (int32_t)floorf(larger(flight->start[1], end_z) + radius - 0.5f);
  WmTileCursor cursor = {.size = {0}};
  for (int32_t z = (int32_t)ceilf(smaller(flight->start[1], end_z) - radius - 0.5f); z <= last_z; z++) {
    const float row = (float)z + 0.5f - flight->start[1];
    float low = low_x, high = high_x;
    /* Along and aside of the column at x = 0, and their change with x. */
    narrow(row * dz - flight->start[0] * dx, dx, radius, length, &low, &high);
    narrow(row * dx + flight->start[0] * dz, -dz, radius, 0, &low, &high);
    const int32_t last_x = (int32_t)floorf(high - 0.5f);
    for (int32_t x = (int32_t)ceilf(low - 0.5f); x <= last_x; x++) {
      const WmColumn column = wm_cursor_column(window, &cursor, x, z);
      const float column_x = (float)x + 0.5f - flight->start[0];
      const float along = column_x * dx + row * dz;
      if (may_skip(target, &column, along)) continue;
      const float aside = row * dx - column_x * dz;
      const float squared = radius * radius - aside * aside;
      if (!(squared >= 0)) continue;
      const float half = sqrtf(squared), from = larger(along - half, 0), to = smaller(along + half, length);
      if (!(from <= to)) continue;
      if (!visit(target, &column, x, z, from, to)) return false;
    }
  }
  return true;
}

/* ---- Sweeping ------------------------------------------------------------------------------------------ */

typedef struct Sweep {
  WmFlightPath path;
  WmFlightRange all;   /* of the whole flight */
  float middle[2];     /* columns between these distances have another lowest height */
  float middle_low;
  WmObstruction *stop;
} Sweep;

/* Starts a sweep: heights that suffice for most columns, as low as the lower end. Above the middle of ledges and obstacles the body stays
 * higher. */
static Sweep start_sweep(const WmAirWindow *window, const WmFlight *flight, WmObstruction *stop) {
  const float radius = find_radius(window), *heights = flight->heights;
  const float top = larger(heights[0], heights[1]) + flight->peak;
  Sweep sweep = {.path = wm_flight_path(&window->generator->limits, flight), .stop = stop};
  sweep.all = (WmFlightRange){smaller(heights[0], heights[1]), top + sweep.path.height};
  sweep.middle[0] = flight->shape == WM_FLIGHT_VAULT ? radius : -INFINITY;
  sweep.middle[1] = flight->shape == WM_FLIGHT_JUMP ? -INFINITY : flight->length - radius;
  sweep.middle_low = flight->shape == WM_FLIGHT_VAULT ? top : heights[0];
  return sweep;
}

/* True if the body passes a column wherever it meets it: heights that it never leaves there lie in one gap. */
static bool is_clear(const void *target, const WmColumn *column, float along) {
  const Sweep *sweep = target;
  const bool is_middle = along > sweep->middle[0] && along < sweep->middle[1];
  return wm_column_fits(column, is_middle ? sweep->middle_low : sweep->all.low, sweep->all.high);
}

/* The space of a column above a height: up to the ceiling, 0 below a floor. */
static float find_headroom(const WmColumn *column, float low, float high) {
  for (uint32_t k = 0; k < column->count; k++) {
    const WmAirGap gap = column->gaps[k];
    if ((float)gap.ceiling <= low) continue;
    if ((float)gap.floor > low) return 0;
    return (gap.ceiling == WM_OPEN_CEILING ? high : (float)gap.ceiling) - low;
  }
  return 0;
}

static bool sweep_column(void *target, const WmColumn *column, int32_t x, int32_t z, float from, float to) {
  Sweep *sweep = target;
  const WmFlightRange range = wm_flight_range(&sweep->path, from, to);
  if (wm_column_fits(column, range.low + HEIGHT_ROUNDING, range.high - HEIGHT_ROUNDING)) return true;
  *sweep->stop = (WmObstruction){.is_missing = column->state == WM_VIEW_MISSING,
                                 .along = from,
                                 .point = {(float)x + 0.5f, (float)z + 0.5f},
                                 .low = range.low,
                                 .high = range.high,
                                 .headroom = find_headroom(column, range.low, range.high)};
  return false;
}

bool wm_flight_sweep(WmAirWindow *window, const WmFlight *flight, WmObstruction *stop) {
  Sweep sweep = start_sweep(window, flight, stop);
  return visit_columns(window, flight, is_clear, sweep_column, &sweep);
}

bool wm_flight_passes(WmAirWindow *window, const WmFlight *flight, WmObstruction *stop) {
  const float radius = find_radius(window), x = stop->point[0] - flight->start[0],
              z = stop->point[1] - flight->start[1];
  const float along = x * flight->outward[0] + z * flight->outward[1],
              aside = z * flight->outward[0] - x * flight->outward[1];
  const float squared = radius * radius - aside * aside;
  if (!(squared >= 0)) return true;
  const float half = sqrtf(squared), from = larger(along - half, 0),
              to = smaller(along + half, flight->length);
  if (!(from <= to)) return true;
  const int32_t cell[2] = {(int32_t)stop->point[0], (int32_t)stop->point[1]};
  const WmColumn column = wm_air_column(window, cell[0], cell[1]);
  Sweep sweep = {.path = wm_flight_path(&window->generator->limits, flight), .stop = stop};
  return sweep_column(&sweep, &column, cell[0], cell[1], from, to);
}

/* ---- The top of what a vault leads over ---------------------------------------------------------------- */

typedef struct TopSearch {
  float limit, top;
  WmObstruction *stop;
} TopSearch;

/* Finds the highest floor below the limit.
 * returns    NULL if there is none, or the column has no span */
static const WmAirGap *find_low_gap(const TopSearch *search, const WmColumn *column) {
  for (uint32_t k = column->count; k-- > 0;) {
    if (!((float)column->gaps[k].floor > search->limit)) return &column->gaps[k];
  }
  return NULL;
}

static bool is_no_higher(const void *target, const WmColumn *column, float along) {
  const TopSearch *search = target;
  const WmAirGap *gap = find_low_gap(search, column);
  (void)along;
  if (!gap) return column->count == 0 && column->state != WM_VIEW_MISSING;
  return (float)gap->floor <= search->top;
}

static bool find_top(void *target, const WmColumn *column, int32_t x, int32_t z, float from, float to) {
  TopSearch *search = target;
  const WmAirGap *gap = find_low_gap(search, column);
  (void)to;
  if (gap) {
    search->top = larger(search->top, gap->floor);
    return true;
  }
  *search->stop = (WmObstruction){.is_missing = column->state == WM_VIEW_MISSING,
                                  .along = from,
                                  .point = {(float)x + 0.5f, (float)z + 0.5f},
                                  .low = search->limit,
                                  .high = column->count ? column->gaps[0].floor : search->limit};
  return false;
}

bool wm_flight_find_top(WmAirWindow *window, const WmFlight *flight, float limit, float *top,
                        WmObstruction *stop) {
  TopSearch search = {limit, -1, stop};
  const bool found = visit_columns(window, flight, is_no_higher, find_top, &search);
  *top = search.top;
  return found;
}
