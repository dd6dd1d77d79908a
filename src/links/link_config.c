/* Which links are generated: defaults, checks, and the limits in cells. See link_config.h. */
#include "links/link_config.h"

#include <math.h>

#include "links/links_internal.h"

enum { REACH_TILES = 64, REACH_CELLS = 1024 };

/* Cells by which borders of a ledge, and of the ground below it, may lie farther from its wall than the agent's radius: one row that
 * filters remove, and the error of outlines, on both sides. */
#define LEDGE_CELLS 6.0f
/* The same on both sides of an obstacle. */
#define VAULT_CELLS 4.0f

WmLinkConfig wm_link_config_default(const WmConfig *bake) {
  WmLinkConfig config = {
      .jump_max_up = bake->agent_max_climb,
      .jump_max_down = bake->agent_max_climb,
      .thinning = bake->agent_radius,
  };
  for (int kind = 0; kind < WM_SEGMENT_LINK_KINDS; kind++) {
    config.kinds[kind] = (WmLinkKindConfig){.flags = 1, .cost_factor = 1};
  }
  return config;
}

bool wm_link_config_is_on(const WmLinkConfig *config) {
  bool is_on = false;
  for (int kind = 0; kind < WM_SEGMENT_LINK_KINDS; kind++) is_on |= config->kinds[kind].is_on;
  return is_on;
}

/* ---- Checks ------------------------------------------------------------------------------------------ */

/* A number with its range, in the order of WmLinkConfig. */
typedef struct Field {
  const char *name;
  int kind; /* it is only read if this kind is on; -1: always */
  float value, minimum, maximum;
  bool is_above; /* the minimum itself isn't allowed */
} Field;

static WmStatus check_field(WmContext *context, const Field *field) {
  const bool is_low = field->is_above ? !(field->value > field->minimum) : !(field->value >= field->minimum);
  if (!is_low && field->value <= field->maximum) return WM_OK;
  return wm_fail_range(context, WM_ERROR_CONFIGURATION, field->name, field->value, field->minimum,
                       field->maximum, field->is_above ? "the minimum itself isn't allowed" : NULL);
}

static WmStatus check_kind(WmContext *context, const WmLinkKindConfig *kind, int index) {
  static const char *const AREAS[] = {"links.drop.area", "links.jump.area", "links.climb.area",
                                      "links.vault.area"};
  static const char *const FACTORS[] = {"links.drop.costFactor", "links.jump.costFactor",
                                        "links.climb.costFactor", "links.vault.costFactor"};
  if (kind->area >= WM_AREA_COUNT) {
    return wm_fail_range(context, WM_ERROR_CONFIGURATION, AREAS[index], kind->area, 0, WM_AREA_COUNT - 1,
                         NULL);
  }
  if (!(kind->cost_factor >= 0 && kind->cost_factor <= 1e6f)) {
    return wm_fail_range(context, WM_ERROR_CONFIGURATION, FACTORS[index], kind->cost_factor, 0, 1e6, NULL);
  }
  return WM_OK;
}

float wm_link_farthest_cells(const WmConfig *bake) {
  return bake->tile_size > 0 && REACH_TILES * bake->tile_size < REACH_CELLS
             ? (float)(REACH_TILES * bake->tile_size)
             : (float)REACH_CELLS;
}

WmStatus wm_link_config_check(WmContext *context, const WmLinkConfig *config, const WmConfig *bake) {
  const float far = wm_link_farthest_cells(bake) * bake->cell_size,
              high = (float)WM_SPAN_HEIGHT_LIMIT * bake->cell_height;
  const float climb = bake->agent_max_climb;
  const Field fields[] = {
      {"links.drop.maxHeight", WM_SEGMENT_LINK_DROP, config->drop_max_height, climb, high, true},
      {"links.jump.maxDistance", WM_SEGMENT_LINK_JUMP, config->jump_max_distance, 0, far, true},
      {"links.jump.maxUp", WM_SEGMENT_LINK_JUMP, config->jump_max_up, 0, high, false},
      {"links.jump.maxDown", WM_SEGMENT_LINK_JUMP, config->jump_max_down, 0, high, false},
      {"links.jump.peak", WM_SEGMENT_LINK_JUMP, config->jump_peak,
       config->jump_peak == 0 ? 0 : config->jump_max_up, high, false},
      {"links.climb.maxHeight", WM_SEGMENT_LINK_CLIMB, config->climb_max_height, climb, high, true},
      {"links.vault.maxHeight", WM_SEGMENT_LINK_VAULT, config->vault_max_height, climb, high, true},
      {"links.vault.maxDepth", WM_SEGMENT_LINK_VAULT, config->vault_max_depth, 0, far, true},
      {"links.minWidth", -1, config->min_width, 0, far, false},
      {"links.minSaving", -1, config->min_saving, 0, 1e6f, false},
      {"links.thinning", -1, config->thinning, 0, far, false},
  };
  for (int kind = 0; kind < WM_SEGMENT_LINK_KINDS; kind++) {
    const WmStatus status =
        config->kinds[kind].is_on ? check_kind(context, &config->kinds[kind], kind) : WM_OK;
    if (status) return status;
  }
  for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
    if (fields[i].kind >= 0 && !config->kinds[fields[i].kind].is_on) continue;
    const WmStatus status = check_field(context, &fields[i]);
    if (status) return status;
  }
  return WM_OK;
}

/* ---- Limits in cells ----------------------------------------------------------------------------------- */

static float larger(float a, float b) { return a > b ? a : b; }

float wm_default_jump_peak(float distance) { return distance / 8; }

/* How far arcs rise above the take-off. */
static float find_jump_peak(const WmLinkConfig *config) {
  if (config->jump_peak > 0) return config->jump_peak;
  return larger(config->jump_max_up, wm_default_jump_peak(config->jump_max_distance));
}

/* How far a walk may lead that costs at most min_saving times as much as the most expensive link, cells. */
static float find_walk(const WmLinkConfig *config, const WmLinkLimits *limits) {
  float cost = 0;
  for (int kind = 0; kind < WM_SEGMENT_LINK_KINDS; kind++) {
    if (config->kinds[kind].is_on) cost = larger(cost, config->kinds[kind].cost_factor);
  }
  const float rise =
      (2 * limits->top + limits->lowest + limits->highest) * limits->cell_height / limits->cell_size;
  return config->min_saving * cost * (limits->farthest + rise);
}

void wm_link_limits(const WmLinkConfig *config, const WmConfig *bake, WmLinkLimits *limits) {
  const float cell = bake->cell_size, cell_height = bake->cell_height, radius = bake->agent_radius / cell;
  const bool drops = config->kinds[WM_SEGMENT_LINK_DROP].is_on,
             climbs = config->kinds[WM_SEGMENT_LINK_CLIMB].is_on;
  const bool jumps = config->kinds[WM_SEGMENT_LINK_JUMP].is_on,
             vaults = config->kinds[WM_SEGMENT_LINK_VAULT].is_on;
  *limits = (WmLinkLimits){
      .cell_size = cell,
      .cell_height = cell_height,
      .radius = radius,
      .height = bake->agent_height / cell_height,
      .climb = bake->agent_max_climb / cell_height,
      .nearest = larger(2 * radius, 2),
      .ledge_distance = 2 * radius + LEDGE_CELLS,
      .min_width = larger(config->min_width / cell, 1),
      .thinning = config->thinning / cell,
      .has_ledges = drops || climbs,
      .has_jumps = jumps,
      .has_vaults = vaults,
  };
  if (drops) limits->drop_height = config->drop_max_height / cell_height;
  if (climbs) limits->climb_height = config->climb_max_height / cell_height;
  if (jumps) {
    limits->jump_distance = config->jump_max_distance / cell;
    limits->jump_up = config->jump_max_up / cell_height;
    limits->jump_down = config->jump_max_down / cell_height;
    limits->jump_peak = find_jump_peak(config) / cell_height;
  }
  if (vaults) {
    limits->vault_distance = config->vault_max_depth / cell + 2 * radius + VAULT_CELLS;
    limits->vault_height = config->vault_max_height / cell_height;
  }
  limits->farthest = larger(limits->has_ledges ? limits->ledge_distance : 0,
                            larger(limits->jump_distance, limits->vault_distance));
  limits->lowest = larger(larger(limits->drop_height, limits->climb_height),
                          larger(limits->jump_down, limits->vault_height));
  limits->highest = larger(limits->jump_up, limits->vault_height);
  limits->top = larger(limits->jump_peak, limits->vault_height);
  limits->walk = find_walk(config, limits);
}

float wm_link_config_reach(const WmLinkConfig *config, const WmConfig *bake) {
  WmLinkLimits limits;
  wm_link_limits(config, bake, &limits);
  return limits.farthest > 0 ? (limits.farthest + limits.radius + 2) * bake->cell_size : 0;
}
