/* The crossings of the line that costs least: an interior-point method.
 *
 * The cost of a line is a sum of lengths, which is convex in the positions on the portals. A length has no derivative where both
 * its points are one, as at a corner that several portals share; and positions end at 0 and 1. So what is minimized is smooth: a
 * length d at unit cost c counts as sqrt(d^2 + (m / c)^2), and a position t adds -m log(t (1 - t)). Newton's method finds the least
 * of it, while m falls to nothing. A row depends on its neighbours only: a step solves a system of three diagonals.
 *
 * Source: S. Boyd, L. Vandenberghe, "Convex Optimization", 2004, chapter 11. */
#include "query/cheapest/cheapest_line.h"

/* m, in parts of the cost divided by the number of rows: at first, at last, and from one to the next. */
#define FIRST_PART 0.02
#define LAST_PART 4e-7
#define NEXT_PART 0.05

/* Of a step, the most that leads towards an end of a portal. */
#define TOWARDS_END 0.95

/* Positions nearer to an end of a portal than this are the end. */
#define AT_END 1e-5

enum {
  STEPS = 8,   /* for each m */
  SHORTER = 4, /* halves of a step, at most */
};

bool wm_cheapest_is_between(const WmCheapestLine *line, size_t portal) {
  const size_t before = portal - (line->kinds[portal] & WM_KIND_SEGMENT_LINK && portal > 0);
  const size_t behind =
      portal + 1 + (line->kinds[portal + 1] & WM_KIND_SEGMENT_LINK && portal + 1 < line->portal_count);
  return line->unit_costs[before] != line->unit_costs[behind];
}

/* The vector from a row's point to that of the next one. */
static void find_part(const WmCheapestRow *row, double part[3]) {
  const WmCheapestRow *next = row + 1;
  for (int k = 0; k < 3; k++)
    part[k] = next->left[k] - row->left[k] + next->width[k] * next->at - row->width[k] * row->at;
  if (row->is_gap) part[1] = 0;
}

static double dot(const double a[3], const double b[3]) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

/* Finds all derivatives. */
static void differentiate(WmCheapestRow *rows, size_t count, double m) {
  for (size_t i = 0; i < count; i++) {
    const double low = m / rows[i].at, high = m / (1 - rows[i].at);
    rows[i].slope = high - low;
    rows[i].curve = (low * low + high * high) / m;
    rows[i].tie = 0;
  }
  for (size_t i = 0; i + 1 < count; i++) {
    WmCheapestRow *row = rows + i, *next = row + 1;
    if (!(row->cost > 0)) continue;
    double part[3];
    find_part(row, part);
    const double small = m / row->cost, squared = dot(part, part) + small * small;
    const double factor = row->cost / sqrt(squared);
    const double own = dot(part, row->width), other = dot(part, next->width);
    row->slope -= factor * own;
    next->slope += factor * other;
    row->curve += factor * (dot(row->width, row->width) - own * own / squared);
    next->curve += factor * (dot(next->width, next->width) - other * other / squared);
    row->tie -= factor * (dot(row->width, next->width) - own * other / squared);
  }
}

/* Finds Newton's step.
 * returns    how fast the sum falls along it, >= 0 */
static double find_step(WmCheapestRow *rows, size_t count) {
  /* Forwards: `before` is the diagonal, `step` the right side. */
  for (size_t i = 0; i < count; i++) {
    rows[i].before = rows[i].curve;
    rows[i].step = -rows[i].slope;
    if (i == 0) continue;
    const double factor = rows[i - 1].tie / rows[i - 1].before;
    rows[i].before -= factor * rows[i - 1].tie;
    rows[i].step -= factor * rows[i - 1].step;
  }
  double fall = 0;
  for (size_t i = count; i > 0; i--) {
    WmCheapestRow *row = rows + i - 1;
    const double behind = i < count ? row->tie * row[1].step : 0;
    row->step = (row->step - behind) / row->before;
    fall -= row->step * row->slope;
  }
  return fall;
}

/* The part of the step that no position leaves its portal by. */
static double limit_step(const WmCheapestRow *rows, size_t count) {
  double part = 1;
  for (size_t i = 0; i < count; i++) {
    const double room = rows[i].step > 0 ? 1 - rows[i].at : rows[i].at, length = fabs(rows[i].step);
    if (part * length > TOWARDS_END * room) part = TOWARDS_END * room / length;
  }
  return part;
}

/* Goes a part of the step, or less if the sum would rise steeply there. Finds the derivatives. */
static void go(WmCheapestRow *rows, size_t count, double m, double part, double fall) {
  for (size_t i = 0; i < count; i++) rows[i].before = rows[i].at;
  for (int halves = 0;; halves++, part /= 2) {
    double rise = 0;
    for (size_t i = 0; i < count; i++) rows[i].at = rows[i].before + part * rows[i].step;
    differentiate(rows, count, m);
    for (size_t i = 0; i < count; i++) rise += rows[i].slope * rows[i].step;
    if (!(rise > 0.5 * fall) || halves == SHORTER) return;
  }
}

/* Minimizes the sum.
 * in         cost: of any line, divided by the number of rows */
static void minimize(WmCheapestRow *rows, size_t count, double cost) {
  if (!(cost > 0 && cost < (double)INFINITY)) return;
  for (double m = FIRST_PART * cost; m > LAST_PART * cost; m *= NEXT_PART) {
    differentiate(rows, count, m);
    for (int i = 0; i < STEPS; i++) {
      const double fall = find_step(rows, count);
      if (!(fall > m)) break;
      go(rows, count, m, limit_step(rows, count), fall);
    }
  }
}

WmStatus wm_cheapest_find_crossings(WmQuery *query, const WmCheapestLine *line) {
  const size_t count = line->portal_count + 2;
  const WmStatus status = wm_query_reserve(query, WM_QUERY_CHEAPEST_ROWS, WM_QUERY_CHEAPEST_ROWS, count);
  if (status) return status;
  WmCheapestRow *rows = query->arrays[WM_QUERY_CHEAPEST_ROWS].items;
  for (size_t i = 0; i < count; i++) {
    const bool is_first = i == 0, is_last = i + 1 == count;
    const float *left = is_first ? line->start : is_last ? line->end : line->portals + 6 * (i - 1);
    const float *right = is_first || is_last ? left : left + 3;
    rows[i] = (WmCheapestRow){.at = 0.5};
    for (int k = 0; k < 3; k++) {
      rows[i].left[k] = (double)left[k];
      rows[i].width[k] = (double)right[k] - (double)left[k];
    }
    if (!is_last) rows[i].cost = (double)line->unit_costs[i];
    /* A line may end on a link, too. */
    rows[i].is_gap = !is_first && i < line->portal_count && (line->kinds[i] & WM_KIND_SEGMENT_LINK);
    /* A line that moved along a link would pay for the ground on both sides: none does. */
    if (rows[i].is_gap) rows[i].cost = (double)line->unit_costs[i - 1] + (double)line->unit_costs[i + 1];
  }
  minimize(rows, count, (double)line->cost / (double)count);
  for (size_t i = 0; i < count; i++) {
    if (!(rows[i].at > AT_END)) rows[i].at = 0;
    if (rows[i].at > 1 - AT_END) rows[i].at = 1;
    if (i > 0 && rows[i - 1].is_gap) rows[i].at = rows[i - 1].at;
  }
  return WM_OK;
}
