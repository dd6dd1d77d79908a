/* Predicates that compare several areas. See planar.h. */
#include "bake/geometry/planar.h"

int64_t wm_planar_side(const WmPlanarPoint *a, const WmPlanarPoint *b, const WmPlanarPoint *c) {
  return wm_planar_area(*a, *b, *c);
}

bool wm_planar_in_cone(const WmPlanarPoint *previous, const WmPlanarPoint *vertex, const WmPlanarPoint *next,
                       const WmPlanarPoint *target, bool loose) {
  const int64_t before = wm_planar_side(vertex, target, previous),
                after = wm_planar_side(target, vertex, next);
  if (wm_planar_side(previous, vertex, next) > 0) return before < 0 || after < 0;
  const int64_t limit = loose ? 1 : 0;
  return before < limit && after < limit;
}

/* True if c, known to be on the line through a and b, lies on the segment. If a and b are one point, any c
 * with its z does, however far away: Recast has it so, and the choice of ears depends on it. */
static bool is_within(const WmPlanarPoint *a, const WmPlanarPoint *b, const WmPlanarPoint *c) {
  const bool by_x = a->x != b->x;
  const int64_t from_a = by_x ? c->x - a->x : c->z - a->z, from_b = by_x ? c->x - b->x : c->z - b->z;
  return from_a * from_b <= 0;
}

bool wm_planar_meet(const WmPlanarPoint *const ends[4], bool loose) {
  bool crosses = true, touches = false;
  int64_t other_side = 0;
  for (int k = 0; k < 4; k++) {
    if (wm_planar_equal(*ends[k & 1], *ends[2 + k / 2])) return false;
    const WmPlanarPoint *a = ends[k & 2], *b = ends[(k & 2) + 1], *c = ends[k ^ 2];
    const int64_t side = wm_planar_side(a, b, c);
    if (side == 0) {
      crosses = false;
      touches |= is_within(a, b, c);
    }
    crosses &= (k & 1) == 0 || (side ^ other_side) < 0;
    other_side = side;
  }
  return crosses || (touches && !loose);
}
