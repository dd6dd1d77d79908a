/**
 * A file of seeded queries on a mesh with the same bytes on every machine: 32-bit words, little-endian. It contains the size and
 * the bytes of the mesh (.walkmesh), the number of queries, and two points for each. The kind of a query follows from its number:
 * query-player.js runs them through the package, tests/c/query_player.c natively; all bits must be equal.
 */
import { makeRandom } from '../random.js';

/** Margin over the bounds on all sides, so that some points are off the mesh. */
const MARGIN = 1;

/**
 * @param {any} walkmesh @param {any} geometry @param {any} config @param {{ seed?: number, count?: number }} [options]
 * @returns {Uint8Array}
 */
export function makeQueryProgram(walkmesh, geometry, config, { seed = 1, count = 10000 } = {}) {
  const { navMesh } = walkmesh.bake(geometry, config);
  const { boundsMin, boundsMax } = navMesh.totals;
  for (const side of [0.2, 0.8]) {
    const at = (/** @type {number} */ share) => boundsMin.map((/** @type {number} */ low, /** @type {number} */ axis) => low + share * (boundsMax[axis] - low));
    navMesh.addConnection({ start: at(side), end: at(1 - side), radius: 6, costFactor: 0.5 });
  }
  const mesh = navMesh.save();
  navMesh.free();
  const { between } = makeRandom(seed);
  const questionsAt = 4 + ((mesh.length + 3) & ~3);
  const bytes = new Uint8Array(questionsAt + 4 + 24 * count);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, mesh.length, true);
  bytes.set(mesh, 4);
  view.setUint32(questionsAt, count, true);
  for (let i = 0; i < 6 * count; i++) {
    const axis = i % 3;
    view.setFloat32(questionsAt + 4 + 4 * i, between(boundsMin[axis] - MARGIN, boundsMax[axis] + MARGIN), true);
  }
  return bytes;
}
