/** Compares a mesh with the level that it is said to come from, near some points: the tiles there are baked again. */
import { bakeTile } from '../bake/bake-tile.js';
import { Baker } from '../bake/baker.js';
import { readTile } from '../mesh/detour-tile.js';

/** @typedef {import('../input/geometry.js').Geometry} Geometry */
/** @typedef {import('../mesh/mesh.js').NavMesh} NavMesh */
/** @typedef {import('../runtime/arguments.js').Point} Point */

/** @param {ArrayLike<number>} a @param {ArrayLike<number>} b */
const isEqual = (a, b) => a.length === b.length && Array.prototype.every.call(a, (value, i) => value === b[i]);

/** True if two tiles have the same polygons and areas: flags may be changed later. @param {Uint8Array | null} a null: it has no polygons @param {Uint8Array | null} b */
function isSame(a, b) {
  if (!a || !b) return a === b;
  const [one, other] = [readTile(a), readTile(b)];
  return isEqual(one.vertices, other.vertices) && isEqual(one.polygons, other.polygons) && isEqual(one.areas, other.areas);
}

/**
 * True if the tiles of a mesh at some points differ from those that a bake of the level makes there with the mesh's own configuration.
 * @param {NavMesh} navMesh with a configuration @param {Geometry} geometry @param {readonly (readonly number[])[]} points
 */
export function differsFromLevel(navMesh, geometry, points) {
  const { config, parameters: { origin, tileWidth, tileDepth, tileCountX, tileCountZ } } = navMesh;
  if (!config) return false;
  const place = (/** @type {number} */ value, /** @type {number} */ side, /** @type {number} */ count) => Math.min(Math.max(Math.floor(value / side), 0), count - 1);
  const places = new Set(points.map(([px, , pz]) => tileCountX * place(pz - origin[2], tileDepth, tileCountZ) + place(px - origin[0], tileWidth, tileCountX)));
  const { links: _, ...plain } = config;
  const baker = new Baker(navMesh.session, geometry, plain);
  try {
    return [...places].some((index) => {
      const [x, z] = [index % tileCountX, Math.floor(index / tileCountX)];
      const ref = navMesh.tileAt(x, z);
      return !isSame(ref === 0 ? null : navMesh.tileBytes(ref), bakeTile(baker, x, z).bytes);
    });
  } finally {
    baker.free();
  }
}
