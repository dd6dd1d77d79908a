/** The levels that come with the tool. */

/**
 * @typedef {object} Scene
 * @property {string} name of its file in levels/, or of what generates it
 * @property {string} label
 * @property {string} text a sentence of what it is good for
 */

/** Made in the worker, not loaded. */
export const TERRAIN_1KM = 'terrain-1km';

/** @type {readonly Scene[]} */
export const SCENES = [
  { name: 'city', label: 'City', text: 'Blocks of houses, roofs and steps, 192 metres on a side: streets to find paths through.' },
  { name: 'plaza', label: 'Plaza', text: 'A small square with walls and columns: bakes at once, good for a first try.' },
  { name: 'stairs', label: 'Stairs', text: 'Flights of steps of different heights: see what the highest step lets through.' },
  { name: 'tower', label: 'Tower', text: 'Storeys above one another, joined by ramps: use the clipping height to look inside.' },
  { name: 'maze', label: 'Maze', text: 'Narrow corridors: a wider agent closes more and more of them.' },
  { name: 'terrain', label: 'Terrain', text: 'Hills of all slopes: the steepest walkable slope decides what is left.' },
  { name: 'caves', label: 'Caves', text: 'Halls with a low ceiling: see where the headroom is too short.' },
  { name: 'islands', label: 'Islands', text: 'Platforms without a way between them: connect them with off-mesh connections.' },
  { name: 'holes', label: 'Holes', text: 'A floor full of openings: contours with holes, ledges on every side.' },
  { name: 'soup', label: 'Triangle soup', text: 'Triangles at random, through one another: what no level should be, and it bakes.' },
  { name: TERRAIN_1KM, label: 'Terrain, one kilometre', text: 'Half a million triangles with 2,000 boxes: large levels, in thousands of tiles.' },
];

/** @param {string} name */
export const findScene = (name) => SCENES.find((scene) => scene.name === name);
