/* Why no link leads from a place to another: the run of the places' tile, asked for its refusals. See links.h. */
#include <math.h>
#include <string.h>

#include "base/vector.h"
#include "links/links_internal.h"

/* Cells between a place and a border near it. */
#define NEAR_CELLS 6.0f

/* The best explanation so far: the nearest to the two places. */
typedef struct Explanation {
  const float *from, *to;
  float reach; /* world units around `from` */
  float best;
  WmRefusedLink *refused;
} Explanation;

/* Squared distance of a point to a segment of a link.
 * out        *across: 0 to 1 */
static float find_across(const float segment[2][3], const float point[3], float *across) {
  const float x = segment[1][0] - segment[0][0], z = segment[1][2] - segment[0][2], squared = x * x + z * z;
  const float at = squared > 0 ? ((point[0] - segment[0][0]) * x + (point[2] - segment[0][2]) * z) / squared : 0;
  *across = wm_clamp_unit(at);
  float nearest[3];
  for (int axis = 0; axis < 3; axis++) nearest[axis] = segment[0][axis] + (segment[1][axis] - segment[0][axis]) * *across;
  return wm_squared_distance(nearest, point);
}

/* Considers a link, in one direction. */
static void consider_link(Explanation *explanation, const WmSegmentLink *link, const float start[2][3], const float end[2][3]) {
  float across, unused;
  const float limit = explanation->reach * explanation->reach;
  if (find_across(start, explanation->from, &across) > limit || find_across(end, explanation->to, &unused) > limit) return;
  WmRefusedLink *refused = explanation->refused;
  *refused = (WmRefusedLink){.reason = WM_LINK_MADE, .kind = link->kind};
  for (int axis = 0; axis < 3; axis++) {
    refused->start[axis] = start[0][axis] + (start[1][axis] - start[0][axis]) * across;
    refused->end[axis] = end[0][axis] + (end[1][axis] - end[0][axis]) * across;
    refused->place[axis] = refused->end[axis];
  }
  explanation->best = -1;
}

/* Considers a refusal: of those near `from`, the one that came farthest; of equals, the one whose start and end are nearest. */
static void consider_refusal(Explanation *explanation, const WmRefusedLink *refused) {
  const float near = wm_squared_distance(refused->start, explanation->from);
  if (near > explanation->reach * explanation->reach) return;
  const float distance = near + wm_squared_distance(refused->end, explanation->to);
  const bool is_farther = refused->reason > explanation->refused->reason || explanation->best == INFINITY;
  if (!is_farther && (refused->reason < explanation->refused->reason || distance >= explanation->best)) return;
  *explanation->refused = *refused;
  explanation->best = distance;
}

static void consider_result(Explanation *explanation, const WmLinkResult *result) {
  for (size_t i = 0; i < result->link_count && explanation->best >= 0; i++) {
    const WmSegmentLink *link = &result->links[i];
    consider_link(explanation, link, link->start, link->end);
    if (explanation->best >= 0 && link->bidirectional) consider_link(explanation, link, link->end, link->start);
  }
  for (size_t i = 0; i < result->refused_count && explanation->best >= 0; i++) {
    consider_refusal(explanation, &result->refused[i]);
  }
}

/* The place of a position, clamped to the grid. */
static void find_place(const WmLinkGenerator *generator, const float position[3], float reach, int32_t first[2], int32_t last[2]) {
  const int32_t count[2] = {generator->voxels.tile_count_x, generator->voxels.tile_count_z};
  const int32_t tile[2] = {generator->tile_width, generator->tile_depth};
  for (int axis = 0; axis < 2; axis++) {
    const float at = position[2 * axis] - generator->bake.bounds_min[2 * axis];
    const float side = (float)tile[axis] * generator->bake.cell_size, low = (at - reach) / side, high = (at + reach) / side;
    const float most = (float)(count[axis] - 1);
    first[axis] = low > 0 ? (int32_t)(low < most ? low : most) : 0;
    last[axis] = high > 0 ? (int32_t)(high < most ? high : most) : 0;
  }
}

WmStatus wm_link_generator_explain(WmLinkGenerator *generator, const WmMesh *mesh, const float from[3], const float to[3],
                                   WmRefusedLink *refused) {
  const float reach = (generator->limits.radius + NEAR_CELLS) * generator->bake.cell_size;
  Explanation explanation = {from, to, reach, INFINITY, refused};
  *refused = (WmRefusedLink){.reason = WM_LINK_NO_BORDER};
  memcpy(refused->start, from, sizeof refused->start);
  memcpy(refused->end, to, sizeof refused->end);
  memcpy(refused->place, from, sizeof refused->place);
  int32_t first[2], last[2];
  find_place(generator, from, reach, first, last);
  for (int32_t z = first[1]; z <= last[1]; z++) {
    for (int32_t x = first[0]; x <= last[0]; x++) {
      WmLinkResult result;
      const WmStatus status = wm_link_generator_run(generator, mesh, x, z, true, &result);
      if (status) return status;
      consider_result(&explanation, &result);
      wm_link_result_free(generator->context, &result);
    }
  }
  return WM_OK;
}
