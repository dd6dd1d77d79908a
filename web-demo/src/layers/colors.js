/**
 * Colours that legends explain, the same in both themes. Those that one view shows differ in lightness, and stay apart for people who see
 * no red or no green (tests/js/tool-colors.test.js).
 */

/** Colours by reason of removal. No view shows `lowHanging` and `facesDown`: they are single layers. */
export const REMOVED = {
  steep: 0xa3181c, lowHanging: 0x3ecf8e, ledge: 0xb8601a, headroom: 0xae7ff3, radius: 0x2559dc, volume: 0xf03a88, region: 0xfff08a,
  facesDown: 0x8b949e,
};

/** Outlines of polygons: the edge of the mesh, and tile borders. */
export const OUTLINES = { wall: 0x0b3b46, border: 0xffb454 };

/** Links by kind, as LinksHelper draws them. */
export const LINKS = { inside: 0x8fe6ff, crossing: 0xdd5522, connection: 0xc061ff };

/** Off-mesh connections by state, as ConnectionsHelper draws them. */
export const CONNECTIONS = { enabled: LINKS.connection, disabled: 0x5f6876, untied: 0xb3162e };

/** The default colour of ground, and of ground that is not walkable. */
export const [GROUND, NOT_WALKABLE] = [0x1fb5a8, 0x8a919e];
