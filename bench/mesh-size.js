/**
 * Time of each query against the size of the mesh, from 100 to 1,000,000 polygons: a local query must not depend on the size of
 * the mesh. And the time to remove a tile and add it back.
 *
 * The mesh consists of copies of one baked tile, flat with pillars, side by side: its bytes with the tile place, the bounds and
 * all vertices shifted.
 */

import { load } from '../js/index.js';
import { addBox, addGround, emptySoup } from '../tests/js/live/shapes.js';
import { Random } from '../tests/js/live/random.js';
import { tileSections } from '../tests/js/live/tile.js';
import { alignColumns } from './report.js';
import { summarise } from './statistics.js';

const SIZES = [100, 1000, 10000, 100000, 1000000];
/** A tile of cells of 0.3: 19.2 units wide. */
const TILE_CELLS = 64;
const CELL = 0.3;
/** The first pillar is wide: its top is walkable but unreachable. */
const PILLARS = 16;
const ISLAND = { half: 2.2, top: 3, at: 1 / 8 };
const ROUNDS = 9;
/** Queries use points in this many tiles, so that the processor's caches hold the same amount on every mesh. */
const NEAR_TILES = 4;
const QUESTIONS = 512;

/**
 * @param {{ sizes?: number[], onProgress?: (text: string) => void }} [options]
 * @returns {Promise<object[]>} figures of each size: polygons, tiles, microseconds by query, near and everywhere
 */
export async function measureMeshSizes({ sizes = SIZES, onProgress = () => {} } = {}) {
  const figures = [];
  for (const size of sizes) {
    onProgress(`${size} polygons`);
    figures.push(await measureSize(size));
  }
  onProgress('');
  return figures;
}

async function measureSize(size) {
  const walkmesh = await load();
  const pattern = bakePattern(walkmesh);
  const side = Math.max(1, Math.round(Math.sqrt(size / pattern.polygons)));
  const loading = performance.now();
  const navMesh = walkmesh.loadNavMesh(makeSet(pattern, side));
  const loadMilliseconds = performance.now() - loading;
  const { polygons, tiles } = navMesh.totals;
  const near = measureQuestions(navMesh, pattern.width, side, Math.min(side, Math.sqrt(NEAR_TILES)));
  const everywhere = measureQuestions(navMesh, pattern.width, side, side);
  const change = measureChange(navMesh, side);
  navMesh.free();
  return { polygons, tiles, loadMilliseconds, near: { ...near, ...change }, everywhere };
}

/** Bakes a tile of 64 x 64 cells in the middle of its level, open on all sides. */
function bakePattern(walkmesh) {
  const width = TILE_CELLS * CELL;
  const soup = emptySoup();
  addGround(soup, -width, -width, 2 * width, 2 * width, 0);
  const random = new Random(3);
  for (let i = 0; i < PILLARS; i++) {
    const [column, row] = [i % 4, Math.floor(i / 4)];
    const place = (index) => (width / 4) * (index + 0.5) + random.between(-0.5, 0.5);
    addBox(soup, place(column), place(row), random.between(0.3, 0.8), random.between(0.3, 0.8), 0, 3, random.between(0, 1.5));
  }
  addBox(soup, width * ISLAND.at, width * ISLAND.at, ISLAND.half, ISLAND.half, 0, ISLAND.top);
  const geometry = { positions: Float32Array.from(soup.positions), indices: Uint32Array.from(soup.indices) };
  const { navMesh } = walkmesh.bake(geometry, { cellSize: CELL, tileSize: TILE_CELLS });
  const tile = navMesh.tiles().find(({ x, z }) => x === 1 && z === 1);
  navMesh.free();
  return { bytes: tile.bytes, polygons: tile.polygons, width };
}

/** The bytes of the pattern at another tile place. @returns {Uint8Array} */
function moveTile({ bytes, width }, x, z) {
  const moved = bytes.slice();
  const view = new DataView(moved.buffer);
  view.setInt32(8, x, true);
  view.setInt32(12, z, true);
  const shift = (at, by) => view.setFloat32(at, view.getFloat32(at, true) + by, true);
  const [dx, dz] = [x * width, z * width];
  for (const at of [72, 84]) {
    shift(at, dx);
    shift(at + 8, dz);
  }
  const sections = tileSections(moved);
  for (const name of ['vertices', 'detailVertices']) {
    const { byteOffset, length } = sections.get(name);
    for (let at = byteOffset; at < byteOffset + length; at += 12) {
      shift(at, dx);
      shift(at + 8, dz);
    }
  }
  return moved;
}

/** A set (MSET) of side x side tiles, the first at 0, 0. */
function makeSet(pattern, side) {
  const count = side * side;
  const record = 8 + pattern.bytes.length;
  const set = new Uint8Array(40 + count * record);
  const view = new DataView(set.buffer);
  const polygonBits = Math.ceil(Math.log2(pattern.polygons));
  [0x4d534554, 1, count].forEach((word, i) => view.setInt32(4 * i, word, true));
  view.setFloat32(24, pattern.width, true);
  view.setFloat32(28, pattern.width, true);
  view.setInt32(32, 2 ** Math.ceil(Math.log2(count)), true);
  view.setInt32(36, 2 ** polygonBits, true);
  const tileBits = Math.ceil(Math.log2(count));
  for (let i = 0; i < count; i++) {
    const at = 40 + i * record;
    view.setUint32(at, ((2 ** (tileBits + polygonBits)) + i * 2 ** polygonBits) >>> 0, true);
    view.setInt32(at + 4, pattern.bytes.length, true);
    set.set(moveTile(pattern, i % side, Math.floor(i / side)), at + 8);
  }
  return set;
}

/** Microseconds per query, within `span` x `span` tiles in the middle. */
function measureQuestions(navMesh, width, side, span) {
  const random = new Random(11);
  const low = ((side - span) / 2) * width;
  const somewhere = () => {
    const place = [low + random.between(0, span * width), 0.3, low + random.between(0, span * width)].map(Math.fround);
    return navMesh.nearestPoint(place, { halfExtents: [6, 1, 6] }); // On the floor, not on a pillar.
  };
  const starts = Array.from({ length: QUESTIONS }, somewhere);
  const around = (reach) => starts.map(({ point: [x, y, z] }) => {
    const angle = random.between(0, 2 * Math.PI);
    return [x + reach * Math.cos(angle), y, z + reach * Math.sin(angle)].map(Math.fround);
  });
  const [rayEnds, moveEnds, above] = [around(3), around(0.1), around(0.4)];
  const pathEnds = starts.map((start) => endNear(navMesh, random, start.point));
  const points = starts.map(({ point }) => point);
  const refs = starts.map(({ polygon }) => polygon);
  const islandNear = (value) => (Math.floor(value / width) + ISLAND.at) * width;
  const islands = points.map(([x, , z]) => [islandNear(x), ISLAND.top, islandNear(z)].map(Math.fround));
  const out = {};
  const keep = (name, ask) => [name, (i) => (out[name] = ask(i, out[name]))];
  const questions = Object.fromEntries([
    keep('nearest polygon', (i, old) => navMesh.nearestPoint(above[i], {}, old)),
    keep('raycast, 3 m', (i, old) => navMesh.raycast(refs[i], points[i], rayEnds[i], {}, old)),
    keep('move along surface, 0.1 m', (i, old) => navMesh.moveAlongSurface(refs[i], points[i], moveEnds[i], {}, old)),
    keep('distance to wall, 5 m', (i, old) => navMesh.distanceToWall(refs[i], points[i], 5, {}, old)),
    keep('local neighbourhood, 5 m', (i, old) => navMesh.localNeighbourhood(refs[i], points[i], 5, {}, old)),
    keep('flood, 5 m', (i, old) => navMesh.flood(refs[i], points[i], { radius: 5 }, old)),
    keep('height', (i) => navMesh.height(refs[i], points[i])),
    keep('closest point', (i, old) => navMesh.closestPoint(refs[i], above[i], old)),
    keep('random point', (i, old) => navMesh.randomPoint({}, old)),
    keep('polygons in a box, 2 m', (i, old) => navMesh.polygonsInBox(points[i], [2, 2, 2], {}, old)),
    keep('path, 20 m', (i, old) => navMesh.findPath(points[i], pathEnds[i], { halfExtents: [2, 1, 2] }, old)),
    keep('path to an island', (i, old) => navMesh.findPath(points[i], islands[i], { islands: true }, old)),
  ]);
  return Object.fromEntries(Object.entries(questions).map(([name, ask]) => [name, measure(ask)]));
}

/** A point on the floor some 20 units away; on smaller meshes the point itself. */
function endNear(navMesh, random, [x, y, z]) {
  for (let tries = 0; tries < 20; tries++) {
    const angle = random.between(0, 2 * Math.PI);
    const end = [x + 20 * Math.cos(angle), y, z + 20 * Math.sin(angle)].map(Math.fround);
    if (navMesh.nearestPoint(end, { halfExtents: [0.1, 0.5, 0.1] }) !== null) return end;
  }
  return [x, y, z];
}

function measure(ask) {
  const times = [];
  for (let round = -2; round < ROUNDS; round++) {
    const start = performance.now();
    for (let i = 0; i < QUESTIONS; i++) ask(i);
    if (round >= 0) times.push(((performance.now() - start) * 1000) / QUESTIONS);
  }
  return summarise(times).median;
}

/** Microseconds to remove a tile in the middle and add it again, with links to its neighbours. */
function measureChange(navMesh, side) {
  const middle = side >> 1;
  let ref = navMesh.tileAt(middle, middle);
  const { bytes } = navMesh.tiles().find((tile) => tile.ref === ref);
  const [removed, added] = [[], []];
  for (let round = 0; round < 60; round++) {
    const start = performance.now();
    navMesh.removeTile(ref);
    const between = performance.now();
    ref = navMesh.addTile(bytes);
    removed.push((between - start) * 1000);
    added.push((performance.now() - between) * 1000);
  }
  return { 'remove a tile': summarise(removed.slice(10)).median, 'add a tile': summarise(added.slice(10)).median };
}

/**
 * Growth is measured from the second size to the last: the first mesh is a single tile, where queries reach the edge of the mesh.
 * @param {object[]} figures @returns {string}
 */
export function meshSizeTable(figures) {
  const header = ['us each, median', ...figures.map(({ polygons }) => `${polygons} polygons`), 'growth'];
  const lines = (part) => Object.keys(figures[0][part]).map((name) => {
    const values = figures.map((one) => one[part][name]);
    return [name, ...values.map((value) => value.toFixed(value < 10 ? 3 : 1)), `${(values.at(-1) / (values[1] ?? values[0])).toFixed(2)} x`];
  });
  const blank = (text) => [text, ...figures.map(() => ''), ''];
  return alignColumns([header, ['tiles', ...figures.map(({ tiles }) => String(tiles)), ''],
    blank('in the middle four tiles'), ...lines('near'), blank('anywhere (caches)'), ...lines('everywhere'),
    ['loading, ms', ...figures.map(({ loadMilliseconds }) => loadMilliseconds.toFixed(0)), '']]);
}
