/**
 * Colours that legends explain, the same in both themes. Those that one view shows differ in lightness, and stay apart for people who see
 * no red or no green (tests/js/tool-colors.test.js).
 */

/** Colours by reason of removal. No view shows `lowHanging` and `facesDown`: they are single layers. */
export const REMOVED = {
  steep: 0xa3181c, lowHanging: 0x3ecf8e, ledge: 0xb8601a, headroom: 0xae7ff3, radius: 0x2559dc, volume: 0xf03a88, region: 0xf0d83c,
  facesDown: 0x8b949e,
};

/** Outlines of polygons: the edge of the mesh, and tile borders. */
export const OUTLINES = { wall: 0x0b3b46, border: 0xffb454 };

/** Links by kind, as LinksHelper draws them. */
export const LINKS = { inside: 0x8fe6ff, crossing: 0xdd5522, connection: 0xc061ff };

/** Segment links by kind, as SegmentLinksHelper draws them. */
export const SEGMENT_LINKS = { drop: 0x1ec3ff, jump: 0xf0e100, climb: 0xd200b4, vault: 0xff4b0f };

/** Places without a segment link, by reason, apart from the kinds of links, too. Greys are rare, or not drawn. */
export const REFUSED_LINKS = {
  'too-far': 0xeebb33, 'too-high': 0xbbffbb, 'too-deep': 0x0022ee, blocked: 0x332255, 'no-room': 0x556622, 'too-narrow': 0x5588ee, thinned: 0x55eeff,
  'saves-nothing': 0xffffff, 'kind-off': 0x9aa3ad, 'tile-missing': 0x6f7785, 'no-ground': 0x6f7785, 'no-border': 0x6f7785, 'walkable-step': 0x6f7785,
};

/** Off-mesh connections by state, as ConnectionsHelper draws them. */
export const CONNECTIONS = { enabled: LINKS.connection, disabled: 0x5f6876, untied: 0xb3162e };

/**
 * Colours of regions: two sets, between which tiles alternate. Neighbours in a tile have other colours of one set (stages/region-tints.js),
 * and all differ from grey, which is no region.
 */
export const REGION_TINTS = [
  0x63becb, 0xcb7d63, 0xcbcb63, 0x6d6ddd, 0xc3cb92, 0xde7eeb, 0xcba263, 0x7695c2, 0x6dddc1, 0xef9e9e, 0x7676c2, 0xe5bfec,
];

/** Mesh that no path leads to from the largest part: hatched in two tones. */
export const CUT_OFF = { light: 0xe6efea, dark: 0x93a5a0 };

/** Rims of drops in closed levels. */
export const DROP = 0x16181d;

/** The default colour of ground, and of ground that is not walkable. */
export const [GROUND, NOT_WALKABLE] = [0x1fb5a8, 0x8a919e];
