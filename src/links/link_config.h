/* Which links are generated, and for which agent: the values that a designer sets, in world units.
 *
 * Every kind is off by default. The agent is that of the bake (WmConfig): its radius, height and climb. All lengths are those
 * that the agent's centre travels, except the height and depth of what it vaults over. */
#ifndef WALKMESH_LINKS_LINK_CONFIG_H
#define WALKMESH_LINKS_LINK_CONFIG_H

#include "bake/config.h"
#include "base/public.h"
#include "mesh/links/segment_links.h"

WM_PUBLIC_BEGIN

/* Settings that each kind of link has. */
typedef struct WmLinkKindConfig {
  bool is_on;
  uint8_t area;      /* 0..63, default 0 */
  uint16_t flags;    /* default 1 */
  float cost_factor; /* finite, >= 0, default 1: times the length of the trajectory and the area's cost */
} WmLinkKindConfig;

/* Fields have the names of JavaScript (`links` of a bake) and the command line, in snake case. */
typedef struct WmLinkConfig {
  WmLinkKindConfig kinds[WM_SEGMENT_LINK_KINDS]; /* by WmSegmentLinkKind */
  float drop_max_height;                         /* > agent_max_climb: how far down */
  float jump_max_distance;                       /* > 0: on x and z, from take-off to landing */
  float jump_max_up;   /* >= 0, default agent_max_climb: how far the landing may lie above the take-off */
  float jump_max_down; /* >= 0, default agent_max_climb */
  float
      jump_peak; /* how far the arc rises above the take-off, at least jump_max_up; default 0: the larger of jump_max_up and
                              an eighth of jump_max_distance */
  float
      climb_max_height; /* > agent_max_climb: how far up the hands reach; agents climb down again where no drop leads down */
  float vault_max_height; /* > agent_max_climb: of the obstacle above the take-off and above the landing */
  float vault_max_depth;  /* > 0: of the obstacle on x and z */
  float
      min_width; /* >= 0, default 0: of a link; narrower ones aren't made. Less than a cell counts as a cell */
  float
      min_saving; /* >= 0, default 0 (off): a link is left out if walking costs at most this many times as much */
  float thinning; /* >= 0, default the agent's radius: see links.h */
} WmLinkConfig;

/* All kinds off, and the defaults named above for the agent of a bake; fields without a default are 0. */
WmLinkConfig wm_link_config_default(const WmConfig *bake);

/* Checks each field that is read, and bounds the work: no distance may be more than 64 tiles' widths or 1024 cells, whatever is less;
 * no height more than 65533 cell heights.
 * returns    WM_OK, or WM_ERROR_CONFIGURATION naming field (as in JavaScript: "links.jump.maxDistance"), value and range */
WmStatus wm_link_config_check(WmContext *context, const WmLinkConfig *config, const WmConfig *bake);

/* True if any kind is on. */
bool wm_link_config_is_on(const WmLinkConfig *config);

/* The farthest on x and z that a link of this configuration reads, from the border where it starts, world units. */
float wm_link_config_reach(const WmLinkConfig *config, const WmConfig *bake);

WM_PUBLIC_END

#endif
