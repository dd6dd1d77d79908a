/**
 * Dynamic levels: an obstacle is added, the mesh is updated, the obstacle is removed, the mesh is updated, at seeded points on
 * the surface, in tiles of 48 cells; in turns with recast-navigation's tile cache (its generator, its documented calls), in the
 * same process.
 *
 * Both use the same voxels. The tile cache builds no detail mesh and carves the obstacle itself, without the agent's radius; our
 * mesh has a detail mesh, and erodes the agent's radius around obstacles unless the row says otherwise. For such levels use the
 * partition monotone or layers (docs/lab/dynamic.md); the watershed has a row, too. The memory that we store per tile is compared
 * with the compressed layers of the tile cache. One row generates links of all kinds, which the tile cache doesn't have: its updates make
 * the links around the obstacle again. At the end every mesh must equal the mesh at the beginning.
 */
import { load } from '../js/index.js';
import { loadPeer } from '../tests/js/live/peer.js';
import { DEFAULTS, boundsOf, toVoxels } from '../tests/js/live/voxels.js';
import { LINKS } from '../tests/js/links/scenes.js';
import { makeLevel } from './levels.js';
import { summarise } from './statistics.js';
import { ratioText, spreadText } from './tables.js';

const TILE_SIZE = 48;
const SCENES = ['nav_test', 'city'];
const ROUNDS = 400;
/** Unmeasured rounds at the start: code is compiled, and tiles are visited for the first time. */
const WARM_UP = 200;
const MOST_UPDATES = 1000;

/** Sizes of obstacles, metres. */
const SHAPES = {
  cylinder: { radius: 1, height: 2 },
  box: { halfExtents: { x: 1, y: 1, z: 0.6 } },
};

/** Our settings, by row name. */
const VARIANTS = {
  monotone: { partition: 'monotone', obstacle: {} },
  'monotone, without the radius': { partition: 'monotone', obstacle: { beforeErosion: false } },
  layers: { partition: 'layers', obstacle: {} },
  watershed: { partition: 'watershed', obstacle: {} },
  'monotone, with links': { partition: 'monotone', obstacle: {}, links: LINKS },
};

function makeRandom(seed) {
  let state = seed;
  return () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32;
}

/** The tile cache, and the bytes of its layers. */
class TileCache {
  constructor(api, generate, level, config) {
    this.api = api;
    this.layers = 0;
    this.layerBytes = 0;
    const voxels = toVoxels(config, boundsOf(level.positions));
    const { addTile } = api.TileCache.prototype;
    const bench = this;
    api.TileCache.prototype.addTile = function addCounted(data, ...rest) {
      bench.layers++;
      bench.layerBytes += data.size;
      return addTile.call(this, data, ...rest);
    };
    try {
      const result = generate(level.positions, level.indices, {
        cs: voxels.cellSize, ch: voxels.cellHeight, tileSize: TILE_SIZE, walkableSlopeAngle: config.agentMaxSlope,
        walkableHeight: voxels.walkableHeight, walkableClimb: voxels.walkableClimb, walkableRadius: voxels.walkableRadius,
        maxSimplificationError: config.maxEdgeError, maxVertsPerPoly: config.maxVerticesPerPolygon, expectedLayersPerTile: 4,
        maxObstacles: 128,
      });
      if (!result.success) throw new Error(`recast-navigation: ${result.error}`);
      this.cache = result.tileCache;
      this.navMesh = result.navMesh;
    } finally {
      api.TileCache.prototype.addTile = addTile;
    }
  }

  /** Random points on its mesh. */
  findPlaces(count, { minimum, maximum }) {
    const random = makeRandom(7);
    const query = new this.api.NavMeshQuery(this.navMesh);
    const places = [];
    while (places.length < count) {
      const [x, y, z] = [0, 1, 2].map((axis) => minimum[axis] + random() * (maximum[axis] - minimum[axis]));
      const { success, polyRef, point } = query.findClosestPoint({ x, y, z }, { halfExtents: { x: 2, y: 20, z: 2 } });
      if (success && polyRef) places.push(point);
    }
    query.destroy();
    return places;
  }

  #update() {
    for (let i = 0; i < MOST_UPDATES; i++) if (this.cache.update(this.navMesh).upToDate) return;
    throw new Error('recast-navigation: the tile cache is never up to date');
  }

  play(kind, place) {
    const { radius, height, halfExtents } = SHAPES[kind];
    const { cache } = this;
    const { success, obstacle } = kind === 'cylinder' ? cache.addCylinderObstacle(place, radius, height) : cache.addBoxObstacle(place, halfExtents, 0);
    if (!success) throw new Error('recast-navigation: the obstacle was not added');
    this.#update();
    cache.removeObstacle(obstacle);
    this.#update();
  }

  free() {
    this.cache.destroy();
    this.navMesh.destroy();
  }
}

/** The bytes of all tiles, in the order of their tile places. */
const tilesOf = (navMesh) => Buffer.concat(navMesh.tiles().sort((a, b) => a.z - b.z || a.x - b.x).map(({ bytes }) => bytes));

/** The ends of all links, in the order of their tile places, as text. */
const linksOf = (navMesh) => navMesh.segmentLinks().starts.join() + navMesh.segmentLinks().ends.join();

class Ours {
  constructor(walkmesh, level, config, { partition, obstacle, links }) {
    const { navMesh, dynamic, report } = walkmesh.bakeDynamic(level, { ...config, partition, links });
    Object.assign(this, { navMesh, dynamic, obstacle, tiles: report.tiles.x * report.tiles.z, built: 0, changed: 0 });
    this.first = tilesOf(navMesh);
    this.firstLinks = linksOf(navMesh);
  }

  play(kind, { x, y, z }) {
    const { radius, height, halfExtents: half } = SHAPES[kind];
    const shape = kind === 'cylinder' ? { kind, base: [x, y, z], radius, height }
      : { kind, min: [x - half.x, y - half.y, z - half.z], max: [x + half.x, y + half.y, z + half.z] };
    const obstacle = this.dynamic.addObstacle({ ...shape, ...this.obstacle });
    const { built, changed } = this.dynamic.update();
    this.dynamic.removeObstacle(obstacle);
    this.dynamic.update();
    this.built += built;
    this.changed += changed.length;
  }

  free() {
    if (Buffer.compare(tilesOf(this.navMesh), this.first) !== 0) throw new Error('walkmesh: tiles are not what they were before the obstacles came');
    if (linksOf(this.navMesh) !== this.firstLinks) throw new Error('walkmesh: links are not what they were before the obstacles came');
    this.dynamic.free();
    this.navMesh.free();
  }
}

async function measureLevel(walkmesh, api, generate, { name, read, smallest }, onProgress) {
  const level = read();
  const config = { ...DEFAULTS, tileSize: TILE_SIZE };
  const ours = Object.fromEntries(Object.entries(VARIANTS).map(([row, variant]) => [row, new Ours(walkmesh, level, config, variant)]));
  const theirs = new TileCache(api, generate, level, config);
  const [warmUp, rounds] = smallest ? [2, 5] : [WARM_UP, ROUNDS];
  const places = theirs.findPlaces(warmUp + rounds, boundsOf(level.positions));
  const contestants = { ...ours, 'recast-navigation': theirs };
  const rows = [];
  for (const kind of Object.keys(SHAPES)) {
    onProgress(`${name}: ${kind}`);
    const times = Object.fromEntries(Object.keys(contestants).map((row) => [row, []]));
    places.forEach((place, round) => {
      for (const [row, contestant] of Object.entries(contestants)) {
        const start = performance.now();
        contestant.play(kind, place);
        if (round >= warmUp) times[row].push(performance.now() - start);
      }
    });
    rows.push({ kind, figures: Object.fromEntries(Object.entries(times).map(([row, list]) => [row, summarise(list)])) });
  }
  const { tiles, dynamic, built, changed } = ours.monotone;
  const played = 2 * places.length;
  const kept = { tiles, bytes: dynamic.keptBytes, theirs: theirs.layerBytes, layers: theirs.layers };
  Object.values(contestants).forEach((contestant) => contestant.free());
  return { level: name, cellSize: config.cellSize, rows, kept, built: built / played, changed: changed / played };
}

/** @param {{ onProgress?: (text: string) => void, smallest?: boolean }} [options] */
export async function measureDynamic({ onProgress = () => {}, smallest = false } = {}) {
  const [walkmesh, api] = [await load(), await loadPeer()];
  if (!api) throw new Error('recast-navigation is not installed');
  const { generateTileCache } = await import('recast-navigation/generators');
  const figures = [];
  for (const name of SCENES) {
    const level = makeLevel({ name, cellSize: DEFAULTS.cellSize });
    if (!level.missing) figures.push(await measureLevel(walkmesh, api, generateTileCache, { name, read: level.read, smallest }, onProgress));
  }
  walkmesh.free?.();
  return figures;
}

const thousandths = (/** @type {number} */ value) => value.toFixed(3);

/** @param {Awaited<ReturnType<typeof measureDynamic>>} figures */
export function dynamicTables(figures) {
  return figures.map(({ level, cellSize, rows, kept, built, changed }) => ({
    title: `Add, update, remove, update: ${level}, cell ${cellSize}, tiles of ${TILE_SIZE}`,
    rows: [
      ['ms: median (quartiles)', ...rows.flatMap(({ kind }) => [kind, 'ratio'])],
      ...Object.keys(rows[0].figures).map((row) => [row, ...rows.flatMap(({ figures: all }) => [
        spreadText(all[row], thousandths), row === 'recast-navigation' ? '' : ratioText(all['recast-navigation'].median / all[row].median)])]),
    ],
    notes: [
      `An obstacle touches ${built.toFixed(2)} tiles of ours, ${changed.toFixed(2)} of which come out otherwise.`,
      `Kept of ${kept.tiles} tiles: ${Math.round(kept.bytes / kept.tiles)} bytes each; recast-navigation's ${kept.layers} compressed layers: `
        + `${Math.round(kept.theirs / kept.tiles)} bytes a tile.`,
    ],
  }));
}
