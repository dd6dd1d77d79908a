/**
 * A terrain of a kilometre on a side with 2,000 boxes on it: 548,288 triangles, the same on every machine.
 *
 * Hills of three sizes (value noise) and a fine roughness, on a grid of 512 x 512 squares; boxes of 2 to 10 units, turned,
 * a unit deep in the ground.
 */
import { Random } from '../js/live/random.js';
import { addBox, addHeightGrid } from '../js/live/shapes.js';

const SEED = 20;
const SIDE = 1000;
const SQUARES = 512;
const BOXES = 2000;
/** Units from hill to hill, and how high they are. */
const HILLS = [{ every: 160, height: 40 }, { every: 48, height: 9 }, { every: 13, height: 1.2 }];

/** Smooth noise from 0 to 1 over a grid of random values. @param {Random} random @param {number} every @param {number} side */
function makeNoise(random, every, side) {
  const nodes = Math.ceil(side / every) + 2;
  const values = Float64Array.from({ length: nodes * nodes }, () => random.real());
  const smooth = (/** @type {number} */ t) => t * t * (3 - 2 * t);
  return (/** @type {number} */ x, /** @type {number} */ z) => {
    const [column, row] = [Math.floor(x / every), Math.floor(z / every)];
    const [u, v] = [smooth(x / every - column), smooth(z / every - row)];
    const at = (/** @type {number} */ i, /** @type {number} */ j) => values[column + i + (row + j) * nodes];
    return (at(0, 0) * (1 - u) + at(1, 0) * u) * (1 - v) + (at(0, 1) * (1 - u) + at(1, 1) * u) * v;
  };
}

/**
 * @param {{ side?: number, squares?: number, boxes?: number }} [size] side in units; squares on a side of the grid
 * @returns {{ positions: Float32Array, indices: Uint32Array }}
 */
export function makeBigTerrain({ side = SIDE, squares = SQUARES, boxes = BOXES } = {}) {
  const random = new Random(SEED);
  const hills = HILLS.map(({ every, height }) => ({ noise: makeNoise(random, every, side), height }));
  const heightAt = (/** @type {number} */ x, /** @type {number} */ z) => (
    hills.reduce((sum, { noise, height }) => sum + height * noise(x, z), 0));
  /** @type {{ positions: number[], indices: number[] }} */
  const soup = { positions: [], indices: [] };
  const step = side / squares;
  addHeightGrid(soup, 0, 0, squares, squares, step, (/** @type {number} */ i, /** @type {number} */ j) => heightAt(i * step, j * step) + random.between(0, 0.08));
  for (let i = 0; i < boxes; i++) {
    const [x, z] = [random.between(8, side - 8), random.between(8, side - 8)];
    const [halfX, halfZ] = [random.between(1, 5), random.between(1, 5)];
    const y = heightAt(x, z);
    addBox(soup, x, z, halfX, halfZ, y - 1, y + random.between(1, 8), random.between(0, Math.PI));
  }
  return { positions: Float32Array.from(soup.positions), indices: Uint32Array.from(soup.indices) };
}

/**
 * A square level side by side with its mirror images, so that everything fits at the seams: `times` x `times` as much of the same.
 * @param {{ positions: Float32Array, indices: Uint32Array }} level from 0 to side on x and z
 * @param {number} side
 * @param {number} times
 */
export function repeatMirrored({ positions, indices }, side, times) {
  const vertices = positions.length / 3;
  const all = new Float32Array(positions.length * times * times);
  const triangles = new Uint32Array(indices.length * times * times);
  const place = (/** @type {number} */ value, /** @type {number} */ copy) => (copy % 2 ? (copy + 1) * side - value : copy * side + value);
  for (let copy = 0; copy < times * times; copy++) {
    const [column, row] = [copy % times, Math.floor(copy / times)];
    for (let at = 0; at < positions.length; at += 3) {
      all[copy * positions.length + at] = place(positions[at], column);
      all[copy * positions.length + at + 1] = positions[at + 1];
      all[copy * positions.length + at + 2] = place(positions[at + 2], row);
    }
    const turned = (column + row) % 2; // what is mirrored once winds the other way
    for (let i = 0; i < indices.length; i += 3) {
      const at = copy * indices.length + i;
      triangles[at] = copy * vertices + indices[i];
      triangles[at + 1] = copy * vertices + indices[i + (turned ? 2 : 1)];
      triangles[at + 2] = copy * vertices + indices[i + (turned ? 1 : 2)];
    }
  }
  return { positions: all, indices: triangles };
}
