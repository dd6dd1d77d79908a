/**
 * The entry `walkmesh/game`, for games and servers whose meshes were baked before: everything that a baked mesh offers, and no bakes. Its
 * module is half as large as that of `walkmesh`. Results equal those of `walkmesh`, to the bit.
 *
 *   const walkmesh = await load();
 *   const navMesh = walkmesh.loadNavMesh(await (await fetch('level.walkmesh')).arrayBuffer());
 *   const path = navMesh.findPath([0, 0, 0], [10, 0, 5]);
 *
 * It has files, all queries, crowds, corridors, doors and switches, connections and links, tiles that are added, removed and streamed, and
 * tile graphs. It has nothing that bakes: no levels, obstacles, dynamic meshes, link generators, checks, explanations or workers. A page needs
 * only this entry and dist/walkmesh-game.wasm. In Node it shares its code with the other entries.
 */
import { MeshOpener } from './mesh/open.js';
import { requireBytes } from './runtime/bytes.js';
import { instantiateFrom, refuseAbsent } from './runtime/instantiate.js';
import { guardLoad, makeOwner, ownerOf } from './runtime/instance.js';
import { createFileSource } from './streaming/file-source.js';

export { AGENT_REASONS, AGENT_STATES, AVOIDANCE } from './crowd/agent-states.js';
export { Crowd } from './crowd/crowd.js';
export { FixedStep } from './crowd/fixed-step.js';
export { NavMesh } from './mesh/mesh.js';
export { Door, Switches } from './mesh/switches.js';
export { errorCode, pathReason, pathStatus } from './query/batches.js';
export { PathCorridor } from './query/corridor.js';
export { Filter } from './query/filter.js';
export { Islands } from './query/islands.js';
export { Random } from './query/random.js';
export { Search } from './query/sliced-search.js';
export { TileGraph } from './query/tile-graph.js';
export { NavError } from './runtime/errors.js';
export { SEGMENT_LINK_KINDS } from './runtime/link-kinds.js';
export { fetchSource } from './streaming/fetch-source.js';
export { TileStreamer } from './streaming/tile-streamer.js';

/** @typedef {import('./runtime/instantiate.js').LoadOptions} LoadOptions */

/** An instance of the game module, with its own memory. */
export class Walkmesh extends MeshOpener {
  /**
   * A tile source for a TileStreamer from a file of a whole level: of NavMesh.save, or a Detour set. Every byte is checked.
   * @param {import('./runtime/bytes.js').Bytes} bytes
   * @returns {import('./streaming/file-source.js').FileSource & { dynamic: undefined }} a mesh without tiles, and the tiles by place
   */
  createFileSource(bytes) {
    return createFileSource(ownerOf(this).session, requireBytes(bytes));
  }
}

/** Both addresses are literal, so that bundlers find both files. @param {boolean} simd */
function packagedUrl(simd) {
  return simd ? new URL('../dist/walkmesh-game.wasm', import.meta.url)
    : new URL('../dist/walkmesh-game-scalar.wasm', import.meta.url);
}

/** @param {LoadOptions} options */
async function instantiate(options) {
  const { wasm, ...rest } = await instantiateFrom(options, packagedUrl);
  return { wasm: refuseAbsent(wasm), ...rest };
}

/** @param {LoadOptions} options */
async function makeInstance(options) {
  const { owner, simd } = await makeOwner(options, instantiate);
  return new Walkmesh(owner, simd);
}

/**
 * Makes an instance of the game module. The first call reads and compiles it (some milliseconds), later calls only instantiate it.
 * Rejects with a NavError: `corrupt` if the module cannot be read or compiled, `invalid-argument`, `out-of-memory`.
 * @param {LoadOptions} [options] `wasm` may also be walkmesh.wasm
 * @returns {Promise<Walkmesh>}
 */
export function load(options = {}) {
  return guardLoad(makeInstance(options), Walkmesh);
}
