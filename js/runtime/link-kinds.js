/** The kinds of segment links: bakes, meshes and crowds know them. */

/** @typedef {'drop' | 'jump' | 'climb' | 'vault'} LinkKind */

/** In the order of WmSegmentLinkKind in src/mesh/links/segment_links.h. @type {readonly LinkKind[]} */
export const SEGMENT_LINK_KINDS = Object.freeze(['drop', 'jump', 'climb', 'vault']);
