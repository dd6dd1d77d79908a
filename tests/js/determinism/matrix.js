/**
 * Hashes of results that must be equal on every platform, from one build of the module: in Node and in pages.
 * scripts/determinism.js compares them with the hashes of native builds.
 */
import { load } from '../../../js/index.js';
import { bakeStageArrays } from '../../../js/cli/stage-arrays.js';
import { hashBytes } from '../../../js/runtime/hash.js';
import { parseObj } from '../../../js/level/obj.js';
import { LINKS, LINK_CASES, bakeAndHashLinks } from './links-case.js';
import { makeRandom } from '../random.js';
import { playCrowdProgram } from './crowd-player.js';
import { playQueryProgram } from './query-player.js';

/** @typedef {{ scene: string, name: string, config: Record<string, any> }} StageCase config: changes to the defaults */

/** Reads a file by its path from the root of the repository. @typedef {(path: string) => Promise<Uint8Array>} Read */

/** Walkable polygons get flag 1, as in the golden figures. */
const AREA_FLAGS = Uint16Array.from({ length: 64 }, (_, area) => (area === 0 ? 1 : 0));

/** A line for each array of a bake. @param {Record<string, { bytes: number, fnv1a64: string }>} arrays */
export const listArrays = (arrays) => Object.entries(arrays).map(([name, { bytes, fnv1a64 }]) => `${name} ${bytes} ${fnv1a64}`).sort();

/** The tiles of a bake, in a shuffled order. @param {any} walkmesh @param {any} geometry @param {any} config @param {number} seed */
function bakeShuffled(walkmesh, geometry, config, seed) {
  const baker = walkmesh.createBaker(geometry, config), { below } = makeRandom(seed);
  const { tileCountX, tileCountZ } = baker.voxels;
  const order = Array.from({ length: tileCountX * tileCountZ }, (_, tile) => tile);
  for (let i = order.length - 1; i > 0; i--) {
    const other = below(i + 1);
    [order[i], order[other]] = [order[other], order[i]];
  }
  /** @type {Uint8Array[]} */
  const tiles = [];
  for (const tile of order) {
    const [x, z] = [tile % tileCountX, Math.floor(tile / tileCountX)];
    baker.beginTile(x, z);
    while (baker.nextStage !== 'done') baker.step();
    const bytes = baker.takeTile(); // null: it has no polygons
    tiles[tile] = bytes ? join([new Uint8Array(Uint32Array.of(x, z, bytes.length).buffer), bytes]) : new Uint8Array(0);
  }
  baker.free();
  const all = join(tiles);
  return `tiles_data ${all.length} ${hashBytes(all)}`;
}

/** @param {Uint8Array[]} pieces */
function join(pieces) {
  const all = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
  pieces.reduce((at, piece) => {
    all.set(piece, at);
    return at + piece.length;
  }, 0);
  return all;
}

/**
 * @param {{ simd: boolean, cases: StageCase[], queries: string[], crowds: string[], workers: number[] }} wanted queries, crowds: paths of
 *   programs @param {Read} read
 * @returns {Promise<{ stages: Record<string, string[]>, orders: Record<string, string>, queries: string[], crowds: string[], shuffled: string[],
 *   workers: string[], links: string[] }>} stages: lines of each case; orders: the line tiles_data of cases with tiles; workers: hashes of files, the
 *   first from a bake without workers; links: counts and hashes of generated links
 */
export async function hashEverything({ simd, cases, queries, crowds, workers }, read) {
  // Without warnings, which fail a page: some connections of the questions end off the mesh.
  const walkmesh = await load({ simd, leakWarnings: false });
  /** @type {Record<string, string[]>} */
  const stages = {};
  /** @type {Record<string, string>} */
  const orders = {};
  for (const { scene, name, config } of cases) {
    const { positions, indices } = parseObj(await read(`tests/scenes/${scene}.obj`));
    const level = { positions, indices, areaFlags: AREA_FLAGS };
    stages[`${scene} ${name}`] = listArrays(bakeStageArrays(walkmesh, level, config, () => {}).arrays);
    if (config.tileSize) orders[`${scene} ${name}`] = bakeShuffled(walkmesh, level, config, 5);
  }
  const programs = await Promise.all(crowds.map(read));
  return {
    stages, orders,
    queries: (await Promise.all(queries.map(read))).flatMap((program) => playQueryProgram(walkmesh, program)),
    crowds: programs.flatMap((program) => playCrowdProgram(walkmesh, program)),
    shuffled: programs.flatMap((program) => playCrowdProgram(walkmesh, program, { isShuffled: true })),
    workers: await hashWithWorkers(walkmesh, cases, workers, read),
    links: await Promise.all(LINK_CASES.map(async ([scene, tileSize]) => (
      bakeAndHashLinks(walkmesh, parseObj(await read(`tests/scenes/${scene}.obj`)), tileSize)))),
  };
}

/** @param {any} walkmesh @param {StageCase[]} cases @param {number[]} counts @param {Read} read */
async function hashWithWorkers(walkmesh, cases, counts, read) {
  /** @type {string[]} */
  const hashes = [];
  const linked = LINK_CASES.filter(([, tileSize]) => tileSize > 0).map(([scene, tileSize]) => ({ scene, config: { tileSize, links: LINKS } }));
  for (const { scene, config } of [...cases.filter((one) => one.name === 'tiled48'), ...linked]) {
    const { positions, indices } = parseObj(await read(`tests/scenes/${scene}.obj`));
    const takeHash = (/** @type {any} */ { navMesh }) => {
      const hash = hashBytes(navMesh.save());
      navMesh.free();
      return hash;
    };
    hashes.push(takeHash(walkmesh.bake({ positions, indices }, config)));
    for (const workers of counts) hashes.push(takeHash(await walkmesh.bakeTiled({ positions, indices }, config, { workers })));
  }
  return hashes;
}
