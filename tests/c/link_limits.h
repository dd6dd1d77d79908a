/* Limits of links for tests: all kinds, as tests/js/determinism/links-case.js has them. */
#ifndef WALKMESH_TESTS_LINK_LIMITS_H
#define WALKMESH_TESTS_LINK_LIMITS_H

#include "links/link_config.h"

static inline WmLinkConfig choose_link_limits(const WmConfig *bake) {
  WmLinkConfig links = wm_link_config_default(bake);
  for (int kind = 0; kind < WM_SEGMENT_LINK_KINDS; kind++) links.kinds[kind].is_on = true;
  links.drop_max_height = 4;
  links.jump_max_distance = 4;
  links.jump_max_down = 2;
  links.climb_max_height = 2;
  links.vault_max_height = 1.2f;
  links.vault_max_depth = 1;
  return links;
}

#endif
