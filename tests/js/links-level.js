/**
 * A level with a place for each kind of link, for the tests of the level tool and of the drawing of links. Seen from above, x to the right,
 * 20 deep: a platform of 1.8 m from x = 0 to 6, floor to x = 20, a gap of 2 m, floor from x = 22 to 40 with a fence of 1 m at x = 30, a gap
 * of 4.6 m, floor from x = 44.6 to 50. The gaps are 6 m deep.
 */
import { makeBoxes } from './rooms.js';

export const makeLinksLevel = () => makeBoxes([
  [[0, -1, 0], [20, 0, 20]], [[22, -1, 0], [40, 0, 20]], [[44.6, -1, 0], [50, 0, 20]], [[-1, -7, -1], [51, -6, 21]],
  [[0, 0, 0], [6, 1.8, 20]], [[30, 0, 0], [30.2, 1, 20]],
]);
