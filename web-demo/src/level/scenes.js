/** The bundled levels. */

/**
 * @typedef {object} Scene
 * @property {string} name of its file in levels/, or of its generator
 * @property {string} label
 * @property {string} text description, one sentence
 */

/** Generated in the worker, not loaded. */
export const TERRAIN_1KM = 'terrain-1km';

/** @type {readonly Scene[]} */
export const SCENES = [
  { name: 'city', label: 'City', text: 'Houses, roofs and steps on 192 × 192 m: try paths through the streets.' },
  { name: 'plaza', label: 'Plaza', text: 'A small square with walls and columns. It bakes immediately.' },
  { name: 'stairs', label: 'Stairs', text: 'Stairs with steps of different heights: try the max step height.' },
  { name: 'tower', label: 'Tower', text: 'Storeys joined by ramps: use Look inside to see them.' },
  { name: 'maze', label: 'Maze', text: 'Narrow passages: a larger agent radius closes more of them.' },
  { name: 'terrain', label: 'Terrain', text: 'Hills of all slopes: try the max slope.' },
  { name: 'caves', label: 'Caves', text: 'Halls with low ceilings: try the agent height.' },
  { name: 'islands', label: 'Islands', text: 'Columns in a basin: lower the min island size to keep the small tops.' },
  { name: 'holes', label: 'Holes', text: 'A floor with many holes: contours with holes and ledges.' },
  { name: 'soup', label: 'Triangle soup', text: 'Random intersecting triangles: a worst case that still bakes.' },
  { name: TERRAIN_1KM, label: 'Terrain, one kilometre', text: 'Half a million triangles with 2,000 boxes: thousands of tiles.' },
];

/** @param {string} name */
export const findScene = (name) => SCENES.find((scene) => scene.name === name);
