/* Landings: the ground along the line straight away from a position of a border. See links_internal.h.
 *
 * The line is sampled every half cell. What can be reached of each column is an interval of heights: the gaps that overlap the
 * interval of the column before. Where none does, a wall ends the line: most borders of a level face a wall, and cost little. So do
 * those above a void: before the first landing, it is found out how far the farthest ground lies. And so do those towards a crate or a
 * fence that no flight leads over (barrier.c). */
#include <math.h>

#include "links/gap_lanes.h"
#include "links/links_internal.h"

/* Cell heights by which ground may rise or fall between samples, besides the climb. */
#define FLOOR_SLACK 1.0f

static float larger(float a, float b) { return a > b ? a : b; }
static float smaller(float a, float b) { return a < b ? a : b; }

/* Cell heights by which lines beside each other may start higher or lower, while one search for ground answers for both. */
#define GROUND_MEMO_HEIGHT 2.0f

/* Half cells beyond the nearest landing at which the line ends if no ground lies beyond, where refusals are wanted. */
enum { DECISION_STEPS = 4 };

WmStatus wm_walk_start(WmContext *context, const WmLinkLimits *limits, WmWalk *walk) {
  const size_t steps = (size_t)(2 * limits->farthest) + 1;
  *walk =
      (WmWalk){.samples = wm_scratch_array(context, (steps + 1) * WM_LANDING_LIMIT, sizeof *walk->samples)};
  return walk->samples ? WM_OK : WM_ERROR_OUT_OF_MEMORY;
}

/* Places of a landing to which flights are tried: all of the first ones, then every fourth. */
enum { NEAR_TRIES = 6, FAR_STRIDE = 4 };

/* Appends ground to the landing that it continues, or starts a landing.
 * in         keeps_all: also makes samples of places that aren't tried */
static void append_ground(float slack, WmWalk *walk, int32_t step, uint32_t view, uint32_t ground,
                          float floor, bool keeps_all) {
  int32_t at = 0;
  for (; at < walk->landing_count; at++) {
    const WmLanding *other = &walk->landings[at];
    if (other->farthest_step < step - 2 || other->farthest_step == step) continue;
    if (floor <= other->farthest_floor + slack && floor >= other->farthest_floor - slack) break;
  }
  if (at == WM_LANDING_LIMIT) return;
  WmLanding *landing = &walk->landings[at];
  if (at == walk->landing_count) {
    walk->landing_count++;
    *landing = (WmLanding){.first = -1, .floors = {floor, floor}};
  }
  const int32_t number = landing->count++;
  landing->farthest_step = step;
  landing->farthest_floor = floor;
  if (floor < landing->floors[0]) landing->floors[0] = floor;
  if (floor > landing->floors[1]) landing->floors[1] = floor;
  const bool is_tried = number < NEAR_TRIES || (number - NEAR_TRIES) % FAR_STRIDE == 0;
  if (!is_tried && !keeps_all) return;
  const int32_t index = walk->sample_count++;
  *(number == 0 ? &landing->first : &walk->samples[landing->last].next) = index;
  landing->last = index;
  WmLandingSample *sample = &walk->samples[index];
  sample->step = step;
  sample->next = -1;
  sample->view = view;
  sample->ground = ground;
  sample->floor = floor;
  sample->state = WM_SAMPLE_NEW;
  sample->is_tried = is_tried;
}

/* Heights as whole cell heights, as floors and ceilings are: a gap overlaps them if its ceiling is above `low` and its floor below
 * `high`. */
typedef struct Heights {
  int32_t low, high;
} Heights;

/* Heights that are compared are clamped to it: farther ones are beyond all floors and ceilings. */
#define FARTHEST_HEIGHT 1e6f

/* The whole heights of a line. */
typedef struct LineHeights {
  Heights reach;   /* no line leaves them */
  Heights level;   /* the body has them while it moves level */
  Heights floors;  /* of landings, both included */
  Heights start;   /* reached before the first column */
  int32_t barrier; /* barriers have higher floors */
} LineHeights;

static WmInt4 truncate_heights(WmFloat4 heights, WmFloat4 *clamped) {
  *clamped = wm_max_float4(wm_splat_float4(-FARTHEST_HEIGHT),
                           wm_min_float4(heights, wm_splat_float4(FARTHEST_HEIGHT)));
  return wm_truncate_float4(*clamped);
}

/* Rounds the heights of a line, all at once: each conversion by itself is a branch in WebAssembly. */
static LineHeights find_line_heights(const WmLinkLimits *limits, const WmWalk *walk) {
  const float floor = walk->floor;
  int32_t down[4], up[4];
  WmFloat4 clamped;
  const WmInt4 lower = truncate_heights((WmFloat4){floor - limits->lowest, floor + limits->climb,
                                                   walk->ground[1], wm_lowest_barrier(limits, floor)},
                                        &clamped);
  wm_store_int4(down, lower + (WmInt4)(wm_int4_to_float4(lower) > clamped));
  const WmInt4 higher =
      truncate_heights((WmFloat4){floor + limits->top + limits->height, floor + limits->height - 1,
                                  floor + limits->climb + 1, walk->ground[0]},
                       &clamped);
  wm_store_int4(up, higher - (WmInt4)(wm_int4_to_float4(higher) < clamped));
  return (LineHeights){.reach = {down[0], up[0]},
                       .level = {down[1], up[1] < WM_OPEN_CEILING ? up[1] : WM_OPEN_CEILING},
                       .floors = {up[3], down[2]},
                       .start = {down[1], up[2]},
                       .barrier = down[3]};
}

/* The gaps of a column that a line enters. */
typedef struct Entry {
  uint32_t first, end; /* the gaps that its heights overlap, before and after: `end` isn't one of them */
  bool fits_level;     /* the heights at which the body moves level lie in one gap, as wm_column_fits says */
} Entry;

/* Narrows heights to what of them continues in the next column. Four gaps at a time: where loops over gaps end can't be foretold.
 * in         reach: heights that no line leaves; level: those at which the body moves level
 * returns    false if nothing continues */
WM_INLINE bool enter_column(Heights reach, Heights level, const WmColumn *column, Heights *heights,
                            Entry *entry) {
  const WmInt4 lanes = {0, 1, 2, 3};
  const WmInt4 low = wm_splat_int4(heights->low), high = wm_splat_int4(heights->high),
               level_low = wm_splat_int4(level.low), level_high = wm_splat_int4(level.high);
  *entry = (Entry){UINT32_MAX, 0, false};
  if (column->count == 0) {
    *heights = reach;
    *entry = (Entry){0, 0, true};
    return true;
  }
  if (column->count == 1) { /* most columns */
    const WmAirGap gap = column->gaps[0];
    if (gap.ceiling <= heights->low || gap.floor >= heights->high) return false;
    *entry = (Entry){0, 1, gap.floor <= level.low && gap.ceiling >= level.high};
    heights->low = gap.floor > reach.low ? gap.floor : reach.low;
    heights->high = gap.ceiling < reach.high ? gap.ceiling : reach.high;
    return heights->low < heights->high;
  }
  for (uint32_t k = 0; k < column->count; k += 4) {
    const WmInt4 words = wm_load_gaps(column->gaps + k), floors = wm_floors_of(words),
                 ceilings = wm_ceilings_of(words),
                 is_own = (WmInt4)(lanes < wm_splat_int4((int32_t)(column->count - k)));
    const uint32_t overlaps =
        (uint32_t)wm_mask_int4((WmInt4)(ceilings > low) & (WmInt4)(floors < high) & is_own);
    const uint32_t starts = (uint32_t)wm_mask_int4((WmInt4)(floors <= level_low) & is_own),
                   is_high = (uint32_t)wm_mask_int4((WmInt4)(ceilings >= level_high));
    if (overlaps) {
      if (entry->end == 0) entry->first = k + (uint32_t)__builtin_ctz(overlaps);
      entry->end = k + 32 - (uint32_t)__builtin_clz(overlaps);
    }
    /* The highest gap that starts below has them, or none does. */
    if (starts) entry->fits_level = is_high >> (31 - __builtin_clz(starts)) & 1;
  }
  if (entry->end == 0) return false;
  const int32_t bottom = column->gaps[entry->first].floor, top = column->gaps[entry->end - 1].ceiling;
  heights->low = bottom > reach.low ? bottom : reach.low;
  heights->high = top < reach.high ? top : reach.high;
  return heights->low < heights->high;
}

static void start_walk(const WmAirWindow *window, const WmBorder *border, const float point[3],
                       WmWalk *walk) {
  const WmLinkLimits *limits = &window->generator->limits;
  for (int axis = 0; axis < 3; axis++) walk->point[axis] = point[axis];
  for (int axis = 0; axis < 2; axis++) {
    walk->start[axis] = (point[2 * axis] - window->origin[axis]) / limits->cell_size;
    walk->outward[axis] = border->outward[axis];
  }
  walk->floor = (point[1] - window->generator->bake.bounds_min[1]) / limits->cell_height;
  walk->ground[0] = walk->floor - limits->lowest - limits->climb - FLOOR_SLACK;
  walk->ground[1] = walk->floor + limits->highest + limits->climb + FLOOR_SLACK;
  walk->step_count = walk->level_count = walk->sample_count = walk->landing_count = 0;
  walk->farthest = limits->farthest;
  for (int shape = 0; shape < WM_FLIGHT_SHAPES; shape++)
    walk->lengths[shape] = wm_flight_distance(limits, (WmFlightShape)shape);
  walk->is_missing = walk->is_beside = false;
}

/* Finds where the last ground lies on which a flight could land, cells: for lines that start at most GROUND_MEMO_HEIGHT higher or lower,
 * too. */
static float find_last_ground(WmAirWindow *window, const WmWalk *walk, WmLane *lane) {
  const WmLinkLimits *limits = &window->generator->limits;
  /* Beyond the reach of the other kinds, only jumps land. */
  const float slack = limits->climb + 2 + FLOOR_SLACK + GROUND_MEMO_HEIGHT;
  const float ledges = limits->has_ledges ? limits->ledge_distance : 0;
  const float vaults = limits->has_vaults ? limits->vault_distance : 0;
  const WmGroundRange ranges[2] = {
      {larger(ledges, vaults), walk->ground[0] - GROUND_MEMO_HEIGHT, walk->ground[1] + GROUND_MEMO_HEIGHT},
      {limits->has_jumps ? limits->jump_distance : 0, walk->floor - limits->jump_down - slack,
       walk->floor + limits->jump_up + slack}};
  return wm_find_farthest_ground(window, walk->start, walk->outward, limits->nearest, ranges, lane);
}

/* True if the memo has the last ground of a line. */
static bool knows_last_ground(const WmAirWindow *window, const WmWalk *walk) {
  const WmGroundMemo *memo = &window->ground_memo;
  const int along = walk->outward[0] == 0 ? 1 : 0, across = 1 - along;
  const float cell = walk->start[across];
  return memo->lane.low < memo->lane.high && memo->outward[0] == walk->outward[0] &&
         memo->outward[1] == walk->outward[1] && fabsf(memo->start[along] - walk->start[along]) <= 0.01f &&
         fabsf(memo->floor - walk->floor) <= GROUND_MEMO_HEIGHT && cell >= (float)memo->lane.low &&
         cell < (float)memo->lane.high;
}

/* As find_last_ground, from the memo if it answers. */
static float recall_last_ground(WmAirWindow *window, const WmWalk *walk) {
  WmGroundMemo *memo = &window->ground_memo;
  const int along = walk->outward[0] == 0 ? 1 : 0, across = 1 - along;
  if (knows_last_ground(window, walk)) return memo->ground;
  memo->ground = find_last_ground(window, walk, &memo->lane);
  /* Lines that aren't quite along the axis have no memo. */
  if (walk->outward[across] != 0) memo->lane.high = INT32_MIN;
  memo->floor = walk->floor;
  for (int axis = 0; axis < 2; axis++) {
    memo->outward[axis] = walk->outward[axis];
    memo->start[axis] = walk->start[axis];
  }
  return memo->ground;
}

/* Where a line ends if no flight could land beyond, half cells. Short lines have no memo. */
static int32_t find_last(WmAirWindow *window, bool wants_refused, const WmWalk *walk, int32_t last) {
  float ground;
  const float farthest = window->generator->limits.farthest;
  if (wants_refused || walk->farthest < farthest) {
    /* The last place may lie on the side of a square. */
    const float to = wants_refused ? farthest : 0.5f * (float)last + 0.5f;
    const WmGroundRange ranges[2] = {{to, walk->ground[0], walk->ground[1]}, {0, 0, 0}};
    WmLane lane;
    ground = wm_find_farthest_ground(window, walk->start, walk->outward, window->generator->limits.nearest,
                                     ranges, &lane);
  } else {
    ground = recall_last_ground(window, walk) + 0.01f;
  }
  return 2 * ground < (float)last ? (int32_t)(2 * ground) : last;
}

/* Extends low..high by the part of a segment that lies within rows `from` to `to`. */
static void extend_by_segment(const float a[2], const float b[2], float from, float to, float *low,
                              float *high) {
  const float length = b[1] - a[1];
  float ends[2] = {a[0], b[0]};
  for (int i = 0; i < 2; i++) {
    const float *end = i ? b : a;
    const float row = end[1] < from ? from : end[1] > to ? to : end[1];
    if (row == end[1]) continue;
    const float at = (row - a[1]) / length;
    if (!(at >= 0 && at <= 1)) return;
    ends[i] = a[0] + (b[0] - a[0]) * at;
  }
  *low = smaller(*low, smaller(ends[0], ends[1]));
  *high = larger(*high, larger(ends[0], ends[1]));
}

/* Cells by which a region is enlarged: more than positions are rounded by. */
#define REGION_MARGIN 0.05f

/* True if a square of a row of squares may have ground between two heights, in cells x up to `last` of row z.
 * out        *next: the first row beyond the squares */
static bool has_ground(WmAirWindow *window, int32_t x, int32_t last, int32_t z, float low, float high,
                       int32_t *next) {
  const WmTileCursor *cursor = &window->cursor;
  while (x <= last) {
    wm_air_window_reach(window, x, x, z);
    if (cursor->size[0] == 0) return true;
    const int32_t end = cursor->low[0] + (int32_t)cursor->size[0],
                  row = (z - cursor->low[1]) >> WM_GROUND_SQUARE_SHIFT;
    const int32_t bottom = cursor->low[1] + (int32_t)cursor->size[1];
    *next = cursor->low[1] + ((row + 1) << WM_GROUND_SQUARE_SHIFT);
    if (*next > bottom) *next = bottom;
    if (!cursor->cell_first) {
      if (cursor->state == WM_VIEW_MISSING) return true;
      x = end;
      continue;
    }
    const WmGroundSquare *squares = cursor->squares + row * cursor->squares_wide;
    const int32_t stop = last < end ? last : end - 1;
    int32_t square = (x - cursor->low[0]) >> WM_GROUND_SQUARE_SHIFT;
    for (const int32_t final = (stop - cursor->low[0]) >> WM_GROUND_SQUARE_SHIFT; square <= final; square++) {
      const WmGroundSquare ground = squares[square];
      if ((float)ground.high >= low && (float)ground.low <= high && ground.low <= ground.high) return true;
    }
    x = stop + 1;
  }
  return false;
}

bool wm_may_reach_ground(WmAirWindow *window, const WmBorderPart *part) {
  const WmLinkLimits *limits = &window->generator->limits;
  const float slack = limits->climb + FLOOR_SLACK + REGION_MARGIN, *outward = part->border->outward;
  const float low = part->low - limits->lowest - slack, high = part->high + limits->highest + slack;
  const float near = limits->nearest - REGION_MARGIN, far = limits->farthest + REGION_MARGIN;
  float corners[4][2], bottom = INFINITY, top = -INFINITY;
  for (int axis = 0; axis < 2; axis++) {
    corners[0][axis] = part->first[axis] + near * outward[axis];
    corners[1][axis] = part->first[axis] + far * outward[axis];
    corners[2][axis] = part->second[axis] + far * outward[axis];
    corners[3][axis] = part->second[axis] + near * outward[axis];
  }
  for (int i = 0; i < 4; i++) {
    bottom = smaller(bottom, corners[i][1] - REGION_MARGIN);
    top = larger(top, corners[i][1] + REGION_MARGIN);
  }
  /* Numbers beyond the window are no cells; what lies there is missing. */
  if (!(bottom >= 0 && top < (float)window->cells[1])) return true;
  const bool is_along = outward[0] == 0 || outward[1] == 0;
  const float least = smaller(smaller(corners[0][0], corners[1][0]), smaller(corners[2][0], corners[3][0])),
              most = larger(larger(corners[0][0], corners[1][0]), larger(corners[2][0], corners[3][0]));
  for (int32_t z = (int32_t)bottom, next = z; z <= (int32_t)top; z = next) {
    float left = is_along ? least : INFINITY, right = is_along ? most : -INFINITY;
    const float from = (float)z - REGION_MARGIN, to = (float)(z + WM_GROUND_SQUARE) + REGION_MARGIN;
    for (int i = 0; i < 4 && !is_along; i++)
      extend_by_segment(corners[i], corners[(i + 1) & 3], from, to, &left, &right);
    if (!(left >= REGION_MARGIN && right >= 0 && right < (float)window->cells[0] - REGION_MARGIN))
      return true;
    next = z + 1;
    if (has_ground(window, (int32_t)(left - REGION_MARGIN), (int32_t)(right + REGION_MARGIN), z, low, high,
                   &next))
      return true;
  }
  return false;
}

/* Shortens a line to the flights that the barrier of the window doesn't stop.
 * in/out     *last: half cells
 * returns    true if fewer flights are possible now */
static bool heed_barrier(const WmAirWindow *window, WmWalk *walk, int32_t *last) {
  if (!wm_heed_barrier(&window->generator->limits, &window->barrier, walk->start, walk->outward, walk->floor,
                       walk->lengths))
    return false;
  float longest = 0;
  for (int shape = 0; shape < WM_FLIGHT_SHAPES; shape++) longest = larger(longest, walk->lengths[shape]);
  if (2 * longest < (float)*last) {
    *last = (int32_t)(2 * longest);
    walk->farthest = longest + 0.5f;
  }
  return true;
}

/* The cells of steps of a line. */
enum { STEP_LANES = 4 };
typedef struct StepCells {
  int32_t x[STEP_LANES], z[STEP_LANES]; /* -1: outside of the window */
} StepCells;

/* Beyond all windows, and small enough to be converted. */
#define FARTHEST_CELL 1e9f

static WmInt4 find_step_cells(WmFloat4 along, float start, float outward) {
  const WmFloat4 at = wm_splat_float4(start) + along * wm_splat_float4(outward);
  /* Never negative inside the window. */
  const WmInt4 is_inside = (WmInt4)(at >= wm_splat_float4(0));
  return wm_truncate_float4(wm_min_float4(at, wm_splat_float4(FARTHEST_CELL))) | ~is_inside;
}

/* Finds the cells of a step and of the next ones.
 * in         step, stride: half cells */
static void start_steps(const WmWalk *walk, int32_t step, int32_t stride, StepCells *cells) {
  const WmInt4 steps = {step, step + stride, step + 2 * stride, step + 3 * stride};
  const WmFloat4 along = wm_int4_to_float4(steps) * wm_splat_float4(0.5f);
  wm_store_int4(cells->x, find_step_cells(along, walk->start[0], walk->outward[0]));
  wm_store_int4(cells->z, find_step_cells(along, walk->start[1], walk->outward[1]));
}

void wm_walk_follow(WmAirWindow *window, const WmBorder *border, const float point[3], bool wants_refused,
                    WmWalk *walk) {
  const WmLinkLimits *limits = &window->generator->limits;
  start_walk(window, border, point, walk);
  const float floor = walk->floor;
  const int32_t nearest = (int32_t)(2 * limits->nearest),
                decision = nearest + (wants_refused ? DECISION_STEPS : 0);
  int32_t last = (int32_t)(2 * limits->farthest);
  if (!wants_refused) {
    walk->is_beside = heed_barrier(window, walk, &last);
    if (last < nearest) return;
    /* Lines that a barrier shortens seldom have ground before it, and would be followed up to it. */
    if (walk->farthest < limits->farthest) last = find_last(window, false, walk, last);
    if (last < nearest) return;
    if (knows_last_ground(window, walk) && window->ground_memo.ground < limits->nearest) return;
  }
  const LineHeights line = find_line_heights(limits, walk);
  const Heights reach = line.reach, level = line.level, floors = line.floors;
  const float slack = limits->climb + FLOOR_SLACK;
  const float landing = 2 * limits->nearest;
  const int32_t first_landing = nearest + ((float)nearest < landing);
  const int32_t lowest_barrier = wants_refused ? INT32_MAX : line.barrier;
  Heights heights = line.start;
  Entry entry = {0, 0, true};
  WmColumn column = {0};
  StepCells cells;
  int32_t cell_x = -1, cell_z = -1, lane = STEP_LANES, stride = 2;
  bool is_level = true;
  /* Before the first landing, every other sample is enough. */
  for (int32_t step = 0; step <= last; step += stride, lane++) {
    if (step == decision) {
      last = find_last(window, wants_refused, walk, last);
      if (step > last) return;
    }
    if (stride == 2 && step + 2 > nearest) {
      stride = 1;
      lane = STEP_LANES;
    }
    if (lane == STEP_LANES) {
      start_steps(walk, step, stride, &cells);
      lane = 0;
    }
    const int32_t x = cells.x[lane], z = cells.z[lane];
    /* Nothing changes within a column. */
    if (x != cell_x || z != cell_z) {
      cell_x = x;
      cell_z = z;
      column = wm_air_column(window, x, z);
      walk->is_missing = column.state == WM_VIEW_MISSING;
      if (walk->is_missing || !enter_column(reach, level, &column, &heights, &entry)) {
        if (column.count > 0 && !wants_refused) window->barrier = wm_make_barrier(&column, x, z, floor);
        walk->farthest = 0.5f * (float)step + 0.5f;
        return;
      }
      is_level &= entry.fits_level;
      if (column.count > 0 && heights.low > lowest_barrier) {
        /* Gaps below can't be reached along the line. */
        window->barrier = (WmBarrier){.point = {(float)x + 0.5f, (float)z + 0.5f}, .floor = heights.low};
        heed_barrier(window, walk, &last);
        /* The flights that are left may end before they come near it. */
        walk->farthest = larger(walk->farthest, 0.5f * (float)step + 0.5f);
        window->barrier = wm_make_barrier(&column, x, z, (float)heights.low);
      }
    }
    walk->step_count = step;
    if (is_level) walk->level_count = step;
    if (step < first_landing) continue;
    for (uint32_t k = entry.first; k < entry.end; k++) {
      /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): columns that have gaps have their address */
      const int32_t height = column.gaps[k].floor;
      if (column.ground[k] && height >= floors.low && height <= floors.high)
        append_ground(slack, walk, step, column.view, column.ground[k], (float)height, wants_refused);
    }
  }
}
