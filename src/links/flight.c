/* Flights: trajectories, and the agent's body swept along them through columns of air. See links_internal.h.
 *
 * A column meets the body while its centre is within the radius of the axis. Over that part of the flight the lowest feet and the
 * highest head must lie in one gap of the column. Within a radius and a cell of both ends, the body may step over things up to the
 * climb, as it does on the ground. */
#include <math.h>
#include <string.h>

#include "links/gap_lanes.h"
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

/* Columns of a part of a row: neighbours in one tile that has air. */
typedef struct ColumnRow {
  const uint32_t *cell_first; /* [count + 1] */
  const WmAirGap *gaps;
  int32_t count;
  float x, z; /* the first column's centre, from the start of the flight */
} ColumnRow;

/* Two functions that receive the columns of a flight. `find_next` returns the first column of a row, from `at` on, that it can't do
 * without `visit`, or the count; the body may not meet it. Most rows have none. `visit` gets the part of the flight in which the body
 * meets the column, and returns false to stop. */
typedef int32_t (*ColumnFinder)(const void *target, const ColumnRow *row, int32_t at);
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

float wm_flight_radius(const WmLinkLimits *limits) { return larger(limits->radius, 0.71f); }

static float find_radius(const WmAirWindow *window) { return wm_flight_radius(&window->generator->limits); }

/* The body along a flight, and the numbers that all rows share. */
typedef struct BodyPath {
  const WmFlight *flight;
  float radius;
  float low[2], high[2]; /* of all columns on x and z */
  /* Columns of a row, in cells from the flight's start: between the lines across both of its ends, and between those along both of its
   * sides. Both are widened by ROW_MARGIN, and unbounded where the flight is nearly parallel to the row, or at a right angle to it. */
  float first[2], last[2], slope[2];
} BodyPath;

/* Cells by which rows are longer than what the body meets: more than distances are rounded by. */
#define ROW_MARGIN 0.01f
/* A line bounds rows if it is at least as steep as this. */
#define LEAST_STEEPNESS 0.05f

/* Sets a pair of lines that bound all rows: u * step + v * other lies within low..high, of a column u and a row v. */
static void set_lines(BodyPath *path, int pair, float step, float other, float low, float high) {
  path->first[pair] = -INFINITY;
  path->last[pair] = INFINITY;
  path->slope[pair] = 0;
  if (!(fabsf(step) >= LEAST_STEEPNESS)) return;
  const float inverse = 1 / step;
  path->slope[pair] = -other * inverse;
  path->first[pair] = (step > 0 ? low : high) * inverse - ROW_MARGIN;
  path->last[pair] = (step > 0 ? high : low) * inverse + ROW_MARGIN;
}

static BodyPath find_body_path(const WmAirWindow *window, const WmFlight *flight) {
  const float radius = find_radius(window), *outward = flight->outward;
  BodyPath path = {.flight = flight, .radius = radius};
  for (int axis = 0; axis < 2; axis++) {
    const float start = flight->start[axis], end = start + outward[axis] * flight->length;
    path.low[axis] = smaller(start, end) - radius;
    path.high[axis] = larger(start, end) + radius;
    if (!window->swept) continue;
    path.low[axis] = larger(path.low[axis], (float)window->swept->low[axis]);
    path.high[axis] = smaller(path.high[axis], (float)window->swept->high[axis]);
  }
  set_lines(&path, 0, outward[0], outward[1], -radius, flight->length + radius);
  set_lines(&path, 1, -outward[1], outward[0], -radius, radius);
  return path;
}

/* The columns of a row that the body may meet. More precise than BodyPath: which columns at its edge are met depends on rounding.
 * in         row: its centre, from the start of the flight */
static void find_row(const BodyPath *path, float row, float *low, float *high) {
  const WmFlight *flight = path->flight;
  const float dx = flight->outward[0], dz = flight->outward[1], start = flight->start[0];
  *low = path->low[0];
  *high = path->high[0];
  /* Along and aside of the column at x = 0, and their change with x. */
  narrow(row * dz - start * dx, dx, path->radius, flight->length, low, high);
  narrow(row * dx + start * dz, -dz, path->radius, 0, low, high);
}

/* Finds the part of a flight in which the body meets the column of a cell.
 * in         x: the cell; row: its centre on z, from the start of the flight
 * returns    false if it doesn't */
static bool find_meeting(const BodyPath *path, int32_t x, float row, float *from, float *to) {
  float low, high;
  find_row(path, row, &low, &high);
  if ((float)x < low - 0.5f || (float)x > high - 0.5f) return false;
  const float column = (float)x + 0.5f - path->flight->start[0];
  const float dx = path->flight->outward[0], dz = path->flight->outward[1];
  const float along = column * dx + row * dz, aside = row * dx - column * dz;
  const float squared = path->radius * path->radius - aside * aside;
  if (!(squared >= 0)) return false;
  const float half = sqrtf(squared);
  *from = larger(along - half, 0);
  *to = smaller(along + half, path->flight->length);
  return *from <= *to;
}

/* Visits the columns of a part of a row of a flight that lies in one tile, or outside of all.
 * in         x, last: cells; row: the row's centre, from the start of the flight
 * returns    false if it was stopped */
WM_INLINE bool visit_part(const WmAirWindow *window, const BodyPath *path, int32_t x, int32_t last, int32_t z,
                          float row, ColumnFinder find_next, ColumnVisitor visit, void *target) {
  const WmTileCursor *cursor = &window->cursor;
  float from, to;
  if (!cursor->cell_first) {
    const WmColumn column = {.state = cursor->state, .view = cursor->view};
    if (column.state != WM_VIEW_MISSING) return true;
    for (; x <= last; x++) {
      if (!find_meeting(path, x, row, &from, &to)) continue;
      if (!visit(target, &column, x, z, from, to)) return false;
    }
    return true;
  }
  const ColumnRow columns = {.cell_first = cursor->cell_first + (x + z * window->tile_width + cursor->offset),
                             .gaps = cursor->gaps,
                             .count = last + 1 - x,
                             .x = (float)x + 0.5f - path->flight->start[0],
                             .z = row};
  for (int32_t i = find_next(target, &columns, 0); i < columns.count;
       i = find_next(target, &columns, i + 1)) {
    if (!find_meeting(path, x + i, row, &from, &to)) continue;
    const uint32_t first = columns.cell_first[i];
    const WmColumn column = {.gaps = cursor->gaps + first,
                             .count = columns.cell_first[i + 1] - first,
                             .state = cursor->state,
                             .view = cursor->view};
    if (!visit(target, &column, x + i, z, from, to)) return false;
  }
  return true;
}

/* Cells that are rounded quickly. */
#define NEAR_CELLS 4e6f

/* The nearest whole number of a number of NEAR_CELLS at most; of two the even one. A float of 2^23 to 2^24 has whole numbers in its lowest
 * bits. A conversion takes eight instructions and two branches in WebAssembly. */
WM_INLINE int32_t round_near(float value) {
  const float biased = value + 12582912.0f; /* 1.5 * 2^23 */
  int32_t bits;
  memcpy(&bits, &biased, sizeof bits);
  return bits - 0x4b400000;
}

/* Visits the columns of a flight row by row; returns false if it was stopped. */
WM_INLINE bool visit_columns(WmAirWindow *window, const WmFlight *flight, ColumnFinder find_next,
                             ColumnVisitor visit, void *target) {
  const BodyPath path = find_body_path(window, flight);
  const float start_x = flight->start[0];
  const int32_t last_z = (int32_t)floorf(path.high[1] - 0.5f);
  const bool is_near = path.low[0] > -NEAR_CELLS && path.high[0] < NEAR_CELLS;
  for (int32_t z = (int32_t)ceilf(path.low[1] - 0.5f); z <= last_z; z++) {
    const float row = (float)z + 0.5f - flight->start[1];
    const float shift = row * path.slope[0], other = row * path.slope[1];
    const float low = larger(larger(path.first[0] + shift, path.first[1] + other) + start_x,
                             path.low[0] - ROW_MARGIN),
                high = smaller(smaller(path.last[0] + shift, path.last[1] + other) + start_x,
                               path.high[0] + ROW_MARGIN);
    /* Columns whose centres lie between; rounding doesn't matter, as rows are longer than what the body meets. */
    const int32_t first_x = is_near ? round_near(low) : (int32_t)ceilf(low - 0.5f),
                  last_x = is_near ? round_near(high) - 1 : (int32_t)floorf(high - 0.5f);
    for (int32_t x = first_x, end; x <= last_x; x = end + 1) {
      end = wm_air_window_reach(window, x, last_x, z);
      if (!visit_part(window, &path, x, end, z, row, find_next, visit, target)) return false;
    }
  }
  return true;
}

/* ---- Sweeping ------------------------------------------------------------------------------------------ */

/* A part of a flight, by the distances of the centres of columns, and the lowest height that the body has there. */
typedef struct SweepPart {
  float end;   /* where the next part begins */
  int32_t low; /* floors up to it are clear */
} SweepPart;

enum { SWEEP_PARTS = 5 };

typedef struct Sweep {
  WmFlightPath path;
  SweepPart parts[SWEEP_PARTS]; /* their ends ascend: parts may be empty, and one of them has no end */
  float columns; /* of a row, for each cell along the flight; 0: rows cross it at a right angle */
  int32_t high;  /* ceilings from it on are clear */
  WmObstruction *stop;
} Sweep;

/* Cells by which parts with higher feet end before heights change: more than distances are rounded by. */
#define PART_MARGIN 0.01f

/* The highest floor up to a height. */
static int32_t find_floor_limit(float height) {
  return height < 0 ? -1 : (int32_t)smaller(height, UINT16_MAX);
}

/* The lowest ceiling from a height on; the open one is always high enough. */
static int32_t find_ceiling_limit(float height) {
  return height < 0 ? 0 : (int32_t)ceilf(smaller(height, WM_OPEN_CEILING));
}

/* Distances between which a jump is at least as high as a height below its top. */
static WmFlightRange find_high_part(const WmFlightPath *path, float height) {
  const WmFlight *flight = path->flight;
  if (!(path->time > 0)) return (WmFlightRange){0, flight->length};
  const float top = path->rise * path->rise / 2 + flight->heights[0], cells = flight->length / path->time;
  const float half = sqrtf(larger(2 * (top - height), 0));
  return (WmFlightRange){larger(path->rise - half, 0) * cells,
                         smaller(path->rise + half, path->time) * cells};
}

/* Sets the parts of a jump. A jump is concave: over a part of it, it is lowest at an end of the part. Let the body be lowered by the climb
 * for as long as it is near neither end: from `begin` to `end`, between which the jump isn't lower than `middle`. Then columns that the
 * body leaves before the jump comes down to its higher end don't see it lower than that end, and `middle`, allow; columns that it leaves
 * before the jump is a climb lower see it as high as that end at least; and all see it a climb above its lower end, or as high as
 * `middle`. A jump up is the same, backwards.
 * in         radius: of the body, widened */
static void set_jump_parts(Sweep *sweep, float radius) {
  const WmFlightPath *path = &sweep->path;
  const float *heights = path->flight->heights, length = path->flight->length, climb = path->climb;
  const bool is_up = heights[1] > heights[0];
  const float lower = heights[!is_up], higher = heights[is_up];
  const float begin = smaller(path->lifted, length), end = length - begin;
  const float at_begin = jump_height(path, begin), at_end = jump_height(path, end);
  const float middle = begin < end ? smaller(at_begin, at_end) : INFINITY;
  const float least = smaller(lower + climb, middle), high = smaller(higher + climb, larger(higher, middle)),
              between = larger(least, smaller(higher, larger(higher - climb, middle)));
  const WmFlightRange near = find_high_part(path, higher), far = find_high_part(path, higher - climb);
  SweepPart *parts = sweep->parts;
  parts[0] = (SweepPart){begin - radius, find_floor_limit(smaller(heights[0], at_begin) + climb)};
  parts[1] = is_up ? (SweepPart){far.low + radius, find_floor_limit(least)}
                   : (SweepPart){near.high - radius, find_floor_limit(high)};
  parts[2] = (SweepPart){is_up ? near.low + radius : far.high - radius, find_floor_limit(between)};
  parts[3] = (SweepPart){end + radius, find_floor_limit(is_up ? high : least)};
  parts[4] = (SweepPart){INFINITY, find_floor_limit(smaller(heights[1], at_end) + climb)};
}

/* Heights that suffice for most columns. Where the body is near an end of its flight it may step over things up to the climb; above
 * the middle of ledges and obstacles, and of jumps to other heights, it stays above the lower end. */
static Sweep start_sweep(const WmAirWindow *window, const WmFlight *flight, WmObstruction *stop) {
  const float *heights = flight->heights, radius = find_radius(window) + PART_MARGIN;
  const float lower = smaller(heights[0], heights[1]), higher = larger(heights[0], heights[1]);
  const float top = higher + flight->peak, step = flight->outward[0];
  Sweep sweep = {.path = wm_flight_path(&window->generator->limits, flight),
                 .columns = step == 0 ? 0 : 1 / step,
                 .stop = stop};
  const float climb = sweep.path.climb, middle_end = flight->length - radius;
  sweep.high = find_ceiling_limit(top + sweep.path.height);
  const int32_t ends = find_floor_limit(lower + climb);
  if (flight->shape == WM_FLIGHT_JUMP) {
    set_jump_parts(&sweep, radius);
  } else {
    const bool is_ledge = flight->shape == WM_FLIGHT_LEDGE;
    sweep.parts[0] = is_ledge ? (SweepPart){smaller(sweep.path.lifted, flight->length) - radius,
                                            find_floor_limit(heights[0] + climb)}
                              : (SweepPart){radius, ends};
    sweep.parts[1] = (SweepPart){middle_end, find_floor_limit(is_ledge ? heights[0] : top)};
    for (int i = 2; i < SWEEP_PARTS; i++) sweep.parts[i] = (SweepPart){INFINITY, ends};
  }
  for (int i = 1; i < SWEEP_PARTS; i++)
    sweep.parts[i].end = larger(sweep.parts[i].end, sweep.parts[i - 1].end);
  return sweep;
}

/* True if a gap is clear up to the ceilings, of those between two addresses: the highest one whose floor is. */
WM_INLINE bool has_clear_gap(const WmAirGap *gap, const WmAirGap *none, int32_t low, int32_t high) {
  do {
    gap--;
    if (gap->floor <= low) return gap->ceiling >= high;
  } while (gap > none);
  return false;
}

/* Four gaps that are clear: floors up to `low`, ceilings from `high` on. */
static inline WmInt4 are_clear(const WmAirGap *gaps, WmInt4 low, WmInt4 high) {
  const WmInt4 words = wm_load_gaps(gaps), floors = wm_floors_of(words), ceilings = wm_ceilings_of(words);
  return (WmInt4)(floors <= low) & (WmInt4)(ceilings >= high);
}

/* True if each column of a part of a row has a clear gap, seen by their number: with `low` below `high`, no column has two.
 * returns    false also if a column has no gap */
WM_INLINE bool are_all_clear(const ColumnRow *row, int32_t at, int32_t end, int32_t low, int32_t high) {
  const WmAirGap *gaps = row->gaps + row->cell_first[at];
  const int32_t count = (int32_t)(row->cell_first[end] - row->cell_first[at]);
  if (count < end - at || low >= high) return false;
  const WmInt4 lows = wm_splat_int4(low), highs = wm_splat_int4(high), lanes = {0, 1, 2, 3};
  WmInt4 clear = wm_splat_int4(0);
  int32_t k = 0;
  for (; k + 4 <= count; k += 4) clear -= are_clear(gaps + k, lows, highs);
  if (k < count) clear -= are_clear(gaps + k, lows, highs) & (WmInt4)(lanes < wm_splat_int4(count - k));
  return clear[0] + clear[1] + clear[2] + clear[3] == end - at;
}

/* The end of the columns of a row that lie in a part, from column `at` on. Parts have margins, so rounding doesn't matter. */
WM_INLINE int32_t find_part_end(const Sweep *sweep, const SweepPart *part, const ColumnRow *row, float along,
                                int32_t at) {
  if (sweep->columns == 0 || (sweep->columns < 0 && part == sweep->parts)) return row->count;
  const float side = sweep->columns > 0 ? part->end : part[-1].end;
  const float columns = (side - along) * sweep->columns;
  return columns < (float)(row->count - at) ? at + round_near(columns - 0.5f) + 1 : row->count;
}

/* Parts of rows with fewer columns are looked at column by column at once. */
enum { LANES_LEAST = 4 };

/* Finds the next column that isn't clear: heights that the body never leaves there lie in none of its gaps. */
WM_INLINE int32_t find_obstacle(const void *target, const ColumnRow *row, int32_t at) {
  const Sweep *sweep = target;
  const float *outward = sweep->path.flight->outward;
  const int32_t high = sweep->high;
  for (bool is_start = at == 0; at < row->count; is_start = true) {
    const float along = (row->x + (float)at) * outward[0] + row->z * outward[1];
    const SweepPart *part = sweep->parts;
    while (part < sweep->parts + SWEEP_PARTS - 1 && along >= part->end) part++;
    const int32_t end = find_part_end(sweep, part, row, along, at), low = part->low;
    if (is_start && end - at >= LANES_LEAST && are_all_clear(row, at, end, low, high)) {
      at = end;
      continue;
    }
    for (uint32_t first = row->cell_first[at]; at < end; at++) {
      const WmAirGap *none = row->gaps + first;
      first = row->cell_first[at + 1];
      const WmAirGap *gap = row->gaps + first;
      if (gap != none && !has_clear_gap(gap, none, low, high)) return at;
    }
  }
  return at;
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
  const float *heights = sweep->path.flight->heights, lowest = smaller(heights[0], heights[1]);
  *sweep->stop = (WmObstruction){.is_missing = column->state == WM_VIEW_MISSING,
                                 .along = from,
                                 .point = {(float)x + 0.5f, (float)z + 0.5f},
                                 .low = range.low,
                                 .high = range.high,
                                 .headroom = find_headroom(column, range.low, range.high),
                                 .barrier = wm_make_barrier(column, x, z, lowest + sweep->path.height)};
  return false;
}

bool wm_flight_sweep(WmAirWindow *window, const WmFlight *flight, WmObstruction *stop) {
  Sweep sweep = start_sweep(window, flight, stop);
  return visit_columns(window, flight, find_obstacle, sweep_column, &sweep);
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
  float limit, ceiling, top; /* ceiling: the least one under which the body fits */
  WmObstruction *stop;
} TopSearch;

/* Finds the highest gap whose floor isn't above the limit.
 * returns    NULL if there is none, or only one below the body, such as a cellar */
WM_INLINE const WmAirGap *find_low_gap(const TopSearch *search, const WmAirGap *gaps, uint32_t count) {
  for (uint32_t k = count; k-- > 0;) {
    if ((float)gaps[k].floor > search->limit) continue;
    return (float)gaps[k].ceiling < search->ceiling ? NULL : &gaps[k];
  }
  return NULL;
}

/* The lowest floor above the limit. */
static float find_high_floor(const TopSearch *search, const WmColumn *column) {
  for (uint32_t k = 0; k < column->count; k++) {
    if ((float)column->gaps[k].floor > search->limit) return column->gaps[k].floor;
  }
  return search->limit;
}

WM_INLINE int32_t find_higher(const void *target, const ColumnRow *row, int32_t at) {
  const TopSearch *search = target;
  for (; at < row->count; at++) {
    const uint32_t first = row->cell_first[at], count = row->cell_first[at + 1] - first;
    if (count == 0) continue;
    const WmAirGap *gap = find_low_gap(search, row->gaps + first, count);
    if (!gap || (float)gap->floor > search->top) return at;
  }
  return at;
}

static bool find_top(void *target, const WmColumn *column, int32_t x, int32_t z, float from, float to) {
  TopSearch *search = target;
  const WmAirGap *gap = find_low_gap(search, column->gaps, column->count);
  (void)to;
  if (gap) {
    search->top = larger(search->top, gap->floor);
    return true;
  }
  *search->stop = (WmObstruction){.is_missing = column->state == WM_VIEW_MISSING,
                                  .along = from,
                                  .point = {(float)x + 0.5f, (float)z + 0.5f},
                                  .low = search->limit,
                                  .high = find_high_floor(search, column)};
  return false;
}

bool wm_flight_find_top(WmAirWindow *window, const WmFlight *flight, float low, float limit, float *top,
                        WmObstruction *stop) {
  TopSearch search = {limit, low + window->generator->limits.height, -1, stop};
  const bool found = visit_columns(window, flight, find_higher, find_top, &search);
  *top = search.top;
  return found;
}
