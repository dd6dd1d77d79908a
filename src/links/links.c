/* The generator of links: see links.h. */
#include "links/links.h"

WmLinkConfig wm_link_config_default(const WmConfig *bake) {
  (void)bake;
  return (WmLinkConfig){0};
}
