/** The kinds of segment links, and the reasons why there is none: bakes, meshes and crowds know them. */

/** @typedef {'drop' | 'jump' | 'climb' | 'vault'} LinkKind */

/** In the order of WmSegmentLinkKind in src/mesh/links/segment_links.h. @type {readonly LinkKind[]} */
export const SEGMENT_LINK_KINDS = Object.freeze(['drop', 'jump', 'climb', 'vault']);

/**
 * @typedef {'no-border' | 'kind-off' | 'no-ground' | 'too-far' | 'too-high' | 'too-deep' | 'walkable-step' | 'blocked' | 'no-room'
 *   | 'too-narrow' | 'thinned' | 'saves-nothing' | 'tile-missing'} LinkRefusal
 */

/** In the order of WmLinkRefusal in src/links/links.h, without the first, WM_LINK_MADE. @type {readonly LinkRefusal[]} */
export const LINK_REFUSALS = Object.freeze(/** @type {LinkRefusal[]} */ (['no-border', 'kind-off', 'no-ground', 'too-far', 'too-high',
  'too-deep', 'walkable-step', 'blocked', 'no-room', 'too-narrow', 'thinned', 'saves-nothing', 'tile-missing']));
