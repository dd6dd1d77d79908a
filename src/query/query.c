/* Queries: creating, arrays, checks of arguments. See query.h and check.h. */
#include "query/query.h"

#include "base/simd.h"
#include "base/sort.h"
#include "query/query_internal.h"

/* ---- Creating ----------------------------------------------------------------------------------------- */

void wm_query_init(WmQuery *query, WmContext *context, const WmMesh *mesh) {
  memset(query, 0, sizeof *query);
  query->context = context;
  query->mesh = mesh;
  query->default_filter = wm_filter_default();
  wm_nodes_init(&query->nodes, context, mesh);
}

void wm_query_free(WmQuery *query) {
  wm_nodes_free(&query->nodes);
  wm_flow_field_destroy(query->flow);
  wm_pieces_free(query->context, &query->corners.pieces);
  for (int i = 0; i < WM_QUERY_ARRAY_COUNT; i++) wm_block_free(query->context, query->arrays[i].items);
}

WmStatus wm_query_create(WmContext *context, const WmMesh *mesh, WmQuery **out) {
  WmQuery *query = *out = wm_block_allocate(context, sizeof *query);
  if (!query) return WM_ERROR_OUT_OF_MEMORY;
  wm_query_init(query, context, mesh);
  return WM_OK;
}

void wm_query_destroy(WmQuery *query) {
  if (!query) return;
  wm_query_free(query);
  wm_block_free(query->context, query);
}

/* Bytes of an item of each array. */
static const uint8_t ITEM_BYTES[WM_QUERY_ARRAY_COUNT] = {
    [WM_QUERY_LINKS] = sizeof(uint32_t),
    [WM_QUERY_POLYGONS] = sizeof(WmRef),
    [WM_QUERY_PARENTS] = sizeof(uint32_t),
    [WM_QUERY_COSTS] = sizeof(float),
    [WM_QUERY_PORTALS] = 6 * sizeof(float),
    [WM_QUERY_KINDS] = sizeof(uint8_t),
    [WM_QUERY_FOLDS] = sizeof(WmFold),
    [WM_QUERY_UNFOLDED] = 6 * sizeof(float),
    [WM_QUERY_FOLDED] = 6 * sizeof(float),
    [WM_QUERY_POINTS] = 3 * sizeof(float),
    [WM_QUERY_POINT_FLAGS] = sizeof(uint8_t),
    [WM_QUERY_POINT_POLYGONS] = sizeof(WmRef),
    [WM_QUERY_SEGMENTS] = 6 * sizeof(float),
    [WM_QUERY_SEGMENT_POLYGONS] = sizeof(WmRef),
    [WM_QUERY_FORMER] = sizeof(WmRef),
    [WM_QUERY_BATCH_POINTS] = 3 * sizeof(float),
    [WM_QUERY_NUMBERS] = sizeof(uint32_t),
    [WM_QUERY_TURNS] = sizeof(uint32_t),
    [WM_QUERY_CONES] = WM_CONE_BYTES,
    [WM_QUERY_CONE_KEYS] = sizeof(uint64_t),
    [WM_QUERY_CORNERS] = sizeof(WmConeCorner),
    [WM_QUERY_CORNER_TILES] = sizeof(WmCornerTile),
    [WM_QUERY_FAN_POINTS] = sizeof(WmFanPoint),
    [WM_QUERY_CONE_CROSSINGS] = sizeof(WmConeCrossing),
    [WM_QUERY_REACH_TILES] = sizeof(WmReachTile),
    [WM_QUERY_REACHES] = sizeof(uint8_t),
    [WM_QUERY_CHEAPEST_ROWS] = WM_CHEAPEST_ROW_BYTES,
    [WM_QUERY_SPOTS] = WM_SPOT_BYTES,
    [WM_QUERY_SPOT_KEYS] = sizeof(uint64_t),
    [WM_QUERY_GATES] = WM_GATE_BYTES,
    [WM_QUERY_GATE_TABLE] = sizeof(uint32_t),
    [WM_QUERY_NEXT_GATES] = sizeof(uint32_t),
    [WM_QUERY_NEARNESS] = sizeof(float),
    [WM_QUERY_ROOM_SAMPLES] = WM_ROOM_SAMPLE_BYTES,
    [WM_QUERY_ROOM_ORDER] = sizeof(WmSortItem),
    [WM_QUERY_ROOM_DISCS] = sizeof(uint32_t),
    [WM_QUERY_ROOM_POINTS] = 3 * sizeof(float),
    [WM_QUERY_ROOM_AT] = sizeof(uint32_t),
    [WM_QUERY_ROOM_POLYGONS] = sizeof(WmRef),
    [WM_QUERY_WIDE_POINTS] = 3 * sizeof(float),
    [WM_QUERY_WIDE_POINT_FLAGS] = sizeof(uint8_t),
    [WM_QUERY_WIDE_POINT_POLYGONS] = sizeof(WmRef),
    [WM_QUERY_WIDE_POLYGONS] = sizeof(WmRef),
    [WM_QUERY_WIDE_ENTRIES] = sizeof(uint32_t),
    [WM_QUERY_ALTERNATIVES] = sizeof(WmPath),
    [WM_QUERY_ALTERNATIVE_BYTES] = sizeof(uint8_t),
};

WmStatus wm_query_reserve(WmQuery *query, WmQueryArray first, WmQueryArray last, size_t needed) {
  WmStatus status = WM_OK;
  for (WmQueryArray i = first; i <= last && !status; i++) {
    if (needed <= query->arrays[i].capacity) continue;
    status = wm_buffer_reserve(query->context, &query->arrays[i], needed, ITEM_BYTES[i]);
  }
  return status;
}

/* ---- Arguments ---------------------------------------------------------------------------------------- */

WmStatus wm_query_check_numbers(WmContext *context, const float *numbers, size_t count, float minimum,
                                const char *field) {
  for (size_t i = 0; i < count; i++) {
    if (isfinite(numbers[i]) && numbers[i] >= minimum) continue;
    if (count == 1) {
      return wm_fail_range(context, WM_ERROR_INVALID_ARGUMENT, field, (double)numbers[i], (double)minimum,
                           NAN, "a finite number");
    }
    return wm_fail_number(context, WM_ERROR_INVALID_ARGUMENT, field, "a number is ", numbers[i],
                          minimum < 0 ? ": must be finite" : ": must be finite, not negative");
  }
  return WM_OK;
}

/* Called before every ray and search, so it tests four costs at once: as integers, the bits of floats that
 * are finite and not negative are at least 0 and below those of infinity. -0 fails that, and passes the full
 * check. */
WmStatus wm_query_check_filter(WmContext *context, const WmFilter *filter) {
  if (!filter) return WM_OK;
  const WmInt4 infinity = wm_splat_int4(0x7f800000), zero = wm_splat_int4(0);
  WmInt4 doubtful = zero;
  for (int i = 0; i < 64; i += 4) {
    int32_t bits[4];
    memcpy(bits, filter->area_costs + i, sizeof bits);
    const WmInt4 costs = wm_load_int4(bits);
    doubtful |= (costs < zero) | (costs >= infinity);
  }
  if (!wm_mask_int4(doubtful)) return WM_OK;
  return wm_query_check_numbers(context, filter->area_costs, 64, 0, "areaCosts");
}
