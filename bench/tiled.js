/**
 * Bakes in tiles of 64 cells, one after another in one thread: Walkmesh through its step-wise baker, recast-navigation through
 * its stage functions. Both get the level once and only process the triangles near each tile: for recast-navigation they are
 * sorted into tiles here, within the time of `rasterize`, by a counting sort that preserves their order. (Its generator does so
 * with a tree of chunks of triangles, which passes more triangles to each tile.) Both return the bytes of each tile.
 */
import { compareCase } from '../tests/js/live/compare.js';
import { loadOurs } from '../tests/js/live/ours.js';
import { PEER_STAGES, PeerBake, loadPeer } from '../tests/js/live/peer.js';
import { tileSections } from '../tests/js/live/tile.js';
import { boundsOf, tileGrid, toVoxels } from '../tests/js/live/voxels.js';
import { instantiate } from '../js/loader.js';
import { Baker } from '../js/bake/baker.js';
import { Session } from '../js/runtime/session.js';
import { Clock, releaseAfter } from './contestants.js';
import { inTiles, makeLevel, tiledLevels } from './levels.js';
import { levelTable, meansOf, summariseRuns } from './report.js';
import { measureRounds } from './rounds.js';

const MILLISECONDS_A_LEVEL = 15000;
/** Number of differing tiles that are baked again to find the reason. */
const MOST_EXPLAINED = 10;

/** @typedef {{ bytes: Uint8Array, x: number, z: number }} Tile */

class Walkmesh {
  name = 'walkmesh';

  async renew() {
    this.session = new Session((await instantiate({})).wasm);
  }

  /** @param {(tile: Tile) => void} onTile */
  bake(level, config, onTile) {
    const clock = new Clock('ours');
    const baker = clock.measure('input', () => new Baker(this.session, level, config));
    const { tileCountX, tileCountZ } = baker.voxels;
    for (let tile = 0; tile < tileCountX * tileCountZ; tile++) {
      const [x, z] = [tile % tileCountX, Math.floor(tile / tileCountX)];
      clock.measure('input', () => baker.beginTile(x, z));
      while (baker.nextStage !== 'done') {
        const { stage, milliseconds } = baker.step();
        clock.add(stage, milliseconds);
      }
      const bytes = clock.measure('tile', () => baker.takeTile());
      if (bytes) onTile({ bytes, x, z });
    }
    clock.measure('release', () => baker.free());
    return clock.finish();
  }
}

/**
 * Triangles by tile, in their order.
 * @returns {{ first: Uint32Array, triangles: Uint32Array }} triangles of tile t: first[t] to first[t + 1]
 */
function sortIntoTiles({ positions, indices }, voxels, { minimum }) {
  const { tileCountX, tileCountZ, tileWorldSize, borderSize, cellSize } = voxels;
  const reach = borderSize * cellSize + 1e-3;
  const count = indices.length / 3;
  const ranges = new Int32Array(count * 4);
  const first = new Uint32Array(tileCountX * tileCountZ + 1);
  const place = (value, low, tiles) => Math.min(tiles - 1, Math.max(0, Math.floor((value - low) / tileWorldSize)));
  for (let i = 0; i < count; i++) {
    const [a, b, c] = [indices[3 * i] * 3, indices[3 * i + 1] * 3, indices[3 * i + 2] * 3];
    const left = place(Math.min(positions[a], positions[b], positions[c]) - reach, minimum[0], tileCountX);
    const right = place(Math.max(positions[a], positions[b], positions[c]) + reach, minimum[0], tileCountX);
    const near = place(Math.min(positions[a + 2], positions[b + 2], positions[c + 2]) - reach, minimum[2], tileCountZ);
    const far = place(Math.max(positions[a + 2], positions[b + 2], positions[c + 2]) + reach, minimum[2], tileCountZ);
    ranges[4 * i] = left;
    ranges[4 * i + 1] = right;
    ranges[4 * i + 2] = near;
    ranges[4 * i + 3] = far;
    for (let z = near; z <= far; z++) for (let x = left; x <= right; x++) first[x + z * tileCountX + 1]++;
  }
  for (let tile = 1; tile < first.length; tile++) first[tile] += first[tile - 1];
  const next = first.slice();
  const triangles = new Uint32Array(first[first.length - 1]);
  for (let i = 0; i < count; i++) {
    for (let z = ranges[4 * i + 2]; z <= ranges[4 * i + 3]; z++) {
      for (let x = ranges[4 * i]; x <= ranges[4 * i + 1]; x++) triangles[next[x + z * tileCountX]++] = i;
    }
  }
  return { first, triangles };
}

/** A bake of one tile, on arrays of the peer that are reused for all tiles. */
class TileBake extends PeerBake {
  loadTriangles() {
    const { level } = this;
    Object.assign(this, level.shared);
    this.indexArray.getHeapView().set(level.indices);
    this.areaArray.getHeapView().fill(0, 0, level.indices.length / 3);
  }

  free() {
    const { api } = this;
    if (this.mesh) api.freePolyMesh(this.mesh);
    if (this.detail) api.freePolyMeshDetail(this.detail);
    api.Raw.destroy(this.context.raw);
  }
}

class RecastNavigation {
  name = 'recast-navigation';

  /** @param {any} api */
  constructor(api) {
    this.api = api;
  }

  async renew() {
    this.api.Raw.Module = undefined;
    await this.api.init();
  }

  /** @param {(tile: Tile) => void} onTile */
  bake(level, config, onTile) {
    const clock = new Clock('peer');
    const state = clock.measure('input', () => this.#begin(level, config));
    const { voxels, tiles } = state;
    for (let tile = 0; tile < voxels.tileCountX * voxels.tileCountZ; tile++) {
      if (tiles.first[tile] < tiles.first[tile + 1]) this.#bakeTile(state, tile, clock, onTile);
    }
    clock.measure('release', () => Object.values(state.shared).forEach((array) => array.destroy()));
    return clock.finish();
  }

  #begin(level, config) {
    const { api } = this;
    const bounds = boundsOf(level.positions);
    const voxels = toVoxels(config, bounds);
    const tiles = sortIntoTiles(level, voxels, bounds);
    let most = 1;
    for (let tile = 0; tile + 1 < tiles.first.length; tile++) most = Math.max(most, tiles.first[tile + 1] - tiles.first[tile]);
    const shared = { vertexArray: new api.FloatArray(), indexArray: new api.IntArray(), areaArray: new api.UnsignedCharArray() };
    shared.vertexArray.resize(level.positions.length);
    shared.vertexArray.getHeapView().set(level.positions);
    shared.indexArray.resize(3 * most);
    shared.areaArray.resize(most);
    return { level, config, bounds, voxels, tiles, shared, indices: new Uint32Array(3 * most) };
  }

  #bakeTile({ level, config, bounds, voxels, tiles, shared, indices }, tile, clock, onTile) {
    const [x, z] = [tile % voxels.tileCountX, Math.floor(tile / voxels.tileCountX)];
    const bake = clock.measure('input', () => {
      let count = 0;
      for (let i = tiles.first[tile]; i < tiles.first[tile + 1]; i++) {
        const at = 3 * tiles.triangles[i];
        indices[count++] = level.indices[at];
        indices[count++] = level.indices[at + 1];
        indices[count++] = level.indices[at + 2];
      }
      const part = { positions: level.positions, indices: indices.subarray(0, count), shared };
      return new TileBake(this.api, part, config, voxels, tileGrid(config, voxels, bounds, x, z), { x, z, log: false });
    });
    for (const stage of PEER_STAGES) {
      clock.measure(stage, () => bake.run(stage));
      clock.measure('release', () => releaseAfter(bake, stage));
    }
    if (bake.tileBytes.length > 0) onTile({ bytes: bake.tileBytes, x, z });
    clock.measure('release', () => bake.free());
  }
}

/**
 * Compares two tiles: equal in all bytes, equal except for the order of equal keys in their trees, or different.
 * @param {Uint8Array} ours @param {Uint8Array} theirs
 */
function agree(ours, theirs) {
  if (Buffer.compare(ours, theirs) === 0) return 'equal';
  if (ours.length !== theirs.length) return 'different';
  const [mine, others] = [tileSections(ours), tileSections(theirs)];
  const same = [...mine].every(([name, bytes]) => name === 'tree' || Buffer.compare(bytes, others.get(name)) === 0);
  return same ? 'tree' : 'different';
}

/**
 * Counts the equal tiles of two bakes. Different tiles are baked once more stage by stage, to find the reason (compare.js): if it
 * is an error of recast-navigation, they count as explained.
 * @param {any} peer @param {{ geometry: any, config: any }} level @param {Tile[]} ours @param {Tile[]} theirs
 */
async function compareTiles(peer, { geometry, config }, ours, theirs) {
  const key = ({ x, z }) => `${x},${z}`;
  const others = new Map(theirs.map((tile) => [key(tile), tile.bytes]));
  const counts = { tiles: ours.length, theirs: theirs.length, equal: 0, tree: 0, explained: 0, different: 0, reasons: [] };
  for (const { x, z, bytes } of ours) {
    let how = others.has(key({ x, z })) ? agree(bytes, others.get(key({ x, z }))) : 'different';
    if (how === 'different' && counts.explained + counts.different < MOST_EXPLAINED) {
      const outcome = await compareCase(peer, await loadOurs(), { seed: 0, level: geometry, config, tile: { x, z } });
      if (outcome.status === 'explained') how = 'explained';
      const notes = [...outcome.arrays].filter(([, finding]) => finding !== 'equal').map(([name, finding]) => `${name}: ${finding}`);
      counts.reasons.push(`tile ${x}, ${z}: ${outcome.detail ?? notes.join('; ')}`);
    }
    counts[how]++;
  }
  return counts;
}

/** Our contestant for bakes in tiles, and the peer if it is installed. @returns {Promise<any[]>} */
export async function loadTiledContestants() {
  const peer = await loadPeer();
  return peer ? [new Walkmesh(), new RecastNavigation(peer)] : [new Walkmesh()];
}

/**
 * @param {any[]} contestants @param {import('./levels.js').Level} level
 * @param {import('./bakes.js').BenchOptions & { milliseconds?: number }} options milliseconds: for all rounds together, unless `runs` is set
 */
export async function measureTiledLevel(contestants, level, { runs, smallest, milliseconds = MILLISECONDS_A_LEVEL, onProgress = () => {} }) {
  const geometry = level.read();
  for (const contestant of contestants) await contestant.renew();
  onProgress(`${level.name}, tiled: comparing`);
  const tiles = contestants.map((contestant) => {
    const list = [];
    contestant.bake(geometry, level.config, (tile) => list.push(tile));
    return list;
  });
  const comparison = contestants.length > 1
    ? await compareTiles(contestants[1].api, { geometry, config: level.config }, tiles[0], tiles[1]) : null;
  const results = measureRounds(contestants, (contestant) => contestant.bake(geometry, level.config, () => {}), {
    runs, warmUp: smallest ? 0 : 1, milliseconds, most: 15,
    onRound: (round) => onProgress(`${level.name}, tiled: round ${round + 1}`),
  });
  return {
    level: level.name, cellSize: level.config.cellSize, group: 'tiled', contestants: contestants.map(({ name }) => name),
    triangles: geometry.indices.length / 3, tiles: tiles[0].length, rows: summariseRuns(results), comparison,
  };
}

/** @param {import('./bakes.js').BenchOptions} [options] */
export async function measureTiled(options = {}) {
  const { smallest, scenes = [], runs, onProgress } = options;
  const contestants = await loadTiledContestants();
  const plaza = makeLevel({ name: 'plaza', cellSize: 0.3 });
  const chosen = smallest ? [inTiles(plaza)] : tiledLevels().filter(({ name }) => scenes.length === 0 || scenes.includes(name));
  const levels = [];
  for (const level of chosen) levels.push(await measureTiledLevel(contestants, level, { runs: smallest ? 1 : runs, smallest, onProgress }));
  onProgress?.('');
  return { levels, means: meansOf(levels) };
}

/** @param {Awaited<ReturnType<typeof measureTiled>>} figures @returns {import('./tables.js').Table[]} */
export function tiledTables({ levels }) {
  return levels.map((level) => {
    const { triangles, tiles, comparison } = level;
    const table = levelTable({ ...level, comparison: null }, `Bake of ${level.level} in tiles of 64, cell ${level.cellSize}: ${triangles} triangles, ${tiles} tiles`);
    return { ...table, notes: comparison ? [`Results: ${agreementText(comparison)}.`] : [] };
  });
}

/** Whether tiles agree, in words. */
export function agreementText({ tiles, theirs, equal, tree, explained, different, reasons }) {
  const why = reasons.length > 0 ? ` (${reasons.join('; ')})` : '';
  if (different > 0 || tiles !== theirs) return `DIFFERENT: ${different} of ${tiles} tiles, recast-navigation made ${theirs}${why}`;
  if (equal === tiles) return 'the bytes of all tiles are equal';
  return `${equal} tiles are equal to the byte, ${tree} but for the order of equal keys in their trees, ${explained} but for errors of `
    + `recast-navigation itself${why}`;
}
