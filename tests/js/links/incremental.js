/**
 * Links after random edits equal those of a new generation over the same state, to the last bit: obstacles of dynamic meshes, rebakes
 * of a level whose props move, tiles that are streamed in and out. The sequence of a seed is the same everywhere.
 */
import { TileStreamer } from '../../../js/index.js';
import { Random } from '../live/random.js';
import { buildTown, makeTown, townConfig } from '../town.js';
import { makeLinkCase } from './random-levels.js';

const STEPS = 10;

/** All that a link has but its reference, in the order of the mesh; and tiles, by place. @param {any} navMesh */
export function stateOf(navMesh) {
  const { refs, ...arrays } = navMesh.segmentLinks();
  const tiles = navMesh.tiles().map(({ x, z, layer, bytes }) => [x, z, layer, Buffer.from(bytes).toString('base64')]);
  return { links: Object.fromEntries(Object.entries(arrays).map(([name, value]) => [name, typeof value === 'number' ? value : [...value]])),
    tiles: tiles.sort(([ax, az, a], [bx, bz, b]) => az - bz || ax - bx || a - b) };
}

/** @typedef {{ links: number, difference: string | undefined }} Compared links: of a new generation */

/** What differs, if anything does. @param {any} incremental @param {any} whole @returns {Compared} */
export function compareMeshes(incremental, whole) {
  const [a, b] = [stateOf(incremental), stateOf(whole)];
  return { links: b.links.count, difference: findDifference(a, b) };
}

/** @param {any} a @param {any} b the state of a new generation */
function findDifference(a, b) {
  if (JSON.stringify(a.tiles) !== JSON.stringify(b.tiles)) return 'the tiles differ';
  if (a.links.count !== b.links.count) return `${a.links.count} links, a new generation has ${b.links.count}`;
  const name = Object.keys(b.links).find((one) => JSON.stringify(a.links[one]) !== JSON.stringify(b.links[one]));
  return name && `${name} of the ${b.links.count} links differ`;
}

/** @param {Random} random @param {number} size of the level */
function makeObstacle(random, size) {
  const [x, z, y] = [random.between(0, size), random.between(0, size), random.pick([0, 0, random.between(0, 3)])];
  const [width, height] = [random.between(0.3, 3), random.between(0.3, 3)];
  return random.chance(0.5) ? { kind: 'cylinder', base: [x, y, z], radius: width / 2, height }
    : { kind: 'box', min: [x, y, z], max: [x + width, y + height, z + random.between(0.3, 3)] };
}

/** @param {Random} random @param {any} dynamic @param {Map<number, any>} obstacles by handle @param {number} size */
function changeObstacles(random, dynamic, obstacles, size) {
  const handle = obstacles.size > 0 && random.chance(0.5) ? random.pick([...obstacles.keys()]) : undefined;
  if (handle !== undefined) {
    dynamic.removeObstacle(handle);
    obstacles.delete(handle);
  }
  if (handle === undefined || random.chance(0.5)) {
    const obstacle = makeObstacle(random, size);
    obstacles.set(dynamic.addObstacle(obstacle), obstacle);
  }
}

const sizeOf = ({ positions }) => positions.reduce((most, value, i) => (i % 3 === 1 ? most : Math.max(most, value)), 0);

/** A level in tiles, so that links pass several. @param {number} seed */
function makeTiledCase(seed) {
  const { level, config, limits } = makeLinkCase(seed), random = new Random(seed);
  return { level, size: sizeOf(level), random, config: { ...config, tileSize: random.pick([12, 16, 24]), links: limits } };
}

/** Obstacles that are added, moved and removed, with updates of a few tiles. @param {any} walkmesh @param {number} seed */
async function compareObstacles(walkmesh, seed) {
  const { level, size, random, config } = makeTiledCase(seed);
  const [edited, whole] = [0, 1].map(() => walkmesh.bakeDynamic(level, config)), obstacles = new Map();
  for (let step = 0; step < STEPS; step++) {
    changeObstacles(random, edited.dynamic, obstacles, size);
    if (random.chance(0.7)) edited.dynamic.update({ tiles: random.integer(0, 4) });
  }
  edited.dynamic.update();
  for (const obstacle of obstacles.values()) whole.dynamic.addObstacle(obstacle);
  whole.dynamic.update();
  const compared = compareMeshes(edited.navMesh, whole.navMesh);
  for (const { navMesh } of [edited, whole]) navMesh.free();
  return compared;
}

/** Props of a town that move, and rebakes. @param {any} walkmesh @param {number} seed */
async function compareRebakes(walkmesh, seed) {
  const random = new Random(seed), town = makeTown({ seed, side: 30, props: 40 });
  const config = { ...townConfig(town.side), agentMaxClimb: 0.4, links: makeLinkCase(seed).limits };
  const { navMesh } = walkmesh.bake(buildTown(town), config);
  /** @type {Compared} */
  let compared = { links: 0, difference: undefined };
  for (let step = 0; step < STEPS / 2 && !compared.difference; step++) {
    Object.assign(random.pick(town.props), { x: random.between(0, 28), z: random.between(0, 28), height: random.between(0.3, 3) });
    await walkmesh.rebake(navMesh, buildTown(town), { workers: 0 });
    const { navMesh: whole } = walkmesh.bake(buildTown(town), config);
    compared = compareMeshes(navMesh, whole);
    whole.free();
  }
  navMesh.free();
  return compared;
}

/** Streams the tiles around a point. */
async function openStream(walkmesh, level, config, radius) {
  const source = await walkmesh.createDynamicBakeSource(level, config);
  const streamer = new TileStreamer(source.dynamic, source.tile, { innerRadius: radius, outerRadius: radius });
  return { source, streamer, async moveTo(x, z) {
    streamer.setInvokers([[x, 0, z]]);
    await streamer.load();
  } };
}

/** Tiles that come and go around a point that wanders, among obstacles. @param {any} walkmesh @param {number} seed */
async function compareStreams(walkmesh, seed) {
  const { level, size, random, config } = makeTiledCase(seed), radius = random.between(3, 12), obstacles = new Map();
  const [edited, whole] = [await openStream(walkmesh, level, config, radius), await openStream(walkmesh, level, config, radius)];
  let place = [0, 0];
  for (let step = 0; step < STEPS / 2; step++) {
    place = [random.between(0, size), random.between(0, size)];
    await edited.moveTo(place[0], place[1]);
    changeObstacles(random, edited.source.dynamic, obstacles, size);
    if (random.chance(0.5)) edited.source.dynamic.update({ tiles: random.integer(0, 4) });
  }
  for (const obstacle of obstacles.values()) whole.source.dynamic.addObstacle(obstacle);
  await whole.moveTo(place[0], place[1]);
  for (const { source } of [edited, whole]) source.dynamic.update();
  const compared = compareMeshes(edited.source.navMesh, whole.source.navMesh);
  for (const { streamer, source } of [edited, whole]) {
    streamer.free();
    await source.free();
    source.navMesh.free();
  }
  return compared;
}

const SEQUENCES = { obstacles: compareObstacles, rebakes: compareRebakes, streams: compareStreams };

/**
 * @param {any} walkmesh @param {{ count: number, firstSeed: number, kinds?: ('obstacles' | 'rebakes' | 'streams')[] }} options
 * @returns {Promise<{ faults: string[], links: number }>} the seeds whose links differ; links of all new generations
 */
export async function compareSequences(walkmesh, { count, firstSeed, kinds = ['obstacles', 'rebakes', 'streams'] }) {
  /** @type {string[]} */
  const faults = [];
  let total = 0;
  for (let i = 0; i < count; i++) {
    const seed = firstSeed + i, kind = kinds[i % kinds.length], { links, difference } = await SEQUENCES[kind](walkmesh, seed);
    if (difference) faults.push(`seed ${seed}, ${kind}: ${difference}`);
    total += links;
  }
  return { faults, links: total };
}
