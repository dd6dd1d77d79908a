/**
 * A file of seeded questions on a mesh, which reads the same everywhere: words of 32 bits, little-endian. The bytes of the mesh
 * (.walkmesh) with their number before, the number of questions, and for each two points. What is asked about them follows from the
 * number of the question: query-player.js answers through the package, tests/c/query_player.c natively, all bits alike.
 */
import { makeRandom } from '../random.js';

/** Over the bounds on all sides, so that some places are off the mesh. */
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
