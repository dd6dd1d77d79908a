/**
 * `npm run bench -- --long`: long ways over a world of 40,000 tiles, by a tile graph: the time of the first leg, the memory, and the
 * length of ways that are walked leg by leg against the exact shortest paths.
 *
 * The world: a patch of 8 x 8 tiles (rocks, walls with gaps, houses) that repeats is baked once; its 64 tiles are copied to all
 * places with other coordinates, so borders match. Lakes of several hundred metres are places without a tile. Pairs of points are
 * random points of the whole mesh; none is left out but those without a way.
 */
import { Random, load } from '../js/index.js';
import { makeRandom } from './crowd/random.js';
import { renderTable } from './tables.js';

/** Cells of a tile, metres of a cell, tiles of the patch. */
const [TILE_CELLS, CELL, PATCH] = [96, 0.5, 8];
const TILE = TILE_CELLS * CELL;

/** Houses and walls of a patch: of open country, and of a dense town. */
const WORLDS = [360, 900];
/** Tiles along a side of the world, pairs whose first leg is measured, pairs that are walked and compared. */
const FULL = { side: 217, starts: 2000, exactPairs: 60 };
const SMALLEST = { side: 24, starts: 50, exactPairs: 5 };

/** Appends a house: four walls, and a roof too steep to walk on. */
function addHouse({ positions, indices }, [x, z], [width, depth], height) {
  const first = positions.length / 3;
  for (const y of [-1, height]) {
    for (const [dx, dz] of [[0, 0], [width, 0], [width, depth], [0, depth]]) positions.push(x + dx, y, z + dz);
  }
  for (const [a, b] of [[0, 1], [1, 2], [2, 3], [3, 0]]) {
    indices.push(first + a, first + a + 4, first + b + 4, first + a, first + b + 4, first + b);
  }
  positions.push(x + width / 2, height + Math.max(width, depth), z + depth / 2);
  for (const [a, b] of [[0, 1], [1, 2], [2, 3], [3, 0]]) indices.push(first + 4 + b, first + 4 + a, first + 8);
}

/** A level that repeats after PATCH tiles, with a border of one more tile around it. */
function makeLevel(houses) {
  const level = { positions: [], indices: [] };
  const random = makeRandom(11);
  const side = PATCH * TILE, boxes = [];
  for (let i = 0; i < houses; i++) {
    const isWall = random() < 0.2;
    const size = isWall ? (random() < 0.5 ? [2, 20 + 40 * random()] : [20 + 40 * random(), 2]) : [2 + 8 * random(), 2 + 8 * random()];
    boxes.push({ at: [side * random(), side * random()], size });
  }
  const low = -TILE, high = side + TILE;
  level.positions.push(low, 0, low, low, 0, high, high, 0, high, high, 0, low);
  level.indices.push(0, 1, 2, 0, 2, 3);
  for (const { at, size } of boxes) {
    for (const dx of [-side, 0, side]) {
      for (const dz of [-side, 0, side]) {
        const place = [at[0] + dx, at[1] + dz];
        const isNear = place[0] + size[0] > low && place[0] < high && place[1] + size[1] > low && place[1] < high;
        if (isNear) addHouse(level, place, size, 4);
      }
    }
  }
  return { positions: new Float32Array(level.positions), indices: new Uint32Array(level.indices), bounds: [low, high] };
}

/** Bakes the patch: the bytes of its tiles, by row and column. */
function bakePatch(walkmesh, houses) {
  const { positions, indices, bounds: [low, high] } = makeLevel(houses);
  const { navMesh } = walkmesh.bake({ positions, indices }, {
    cellSize: CELL, tileSize: TILE_CELLS, agentRadius: 0.5, detailSampleDistance: 0, minRegionSize: 4,
    bounds: { min: [low, -1, low], max: [high, 99, high] },
  });
  const origin = navMesh.parameters.origin;
  if (origin[0] !== low || origin[2] !== low) throw new Error(`the patch starts at ${origin}`);
  const tiles = Array.from({ length: PATCH * PATCH }, (_, i) => navMesh.tileBytes(navMesh.tileAt(1 + (i % PATCH), 1 + Math.floor(i / PATCH))));
  return { navMesh, tiles };
}

/** A copy of a tile at another place. @param {Uint8Array} bytes @param {number} x @param {number} z */
function placeTile(bytes, x, z) {
  const copy = bytes.slice(), view = new DataView(copy.buffer);
  const dx = TILE * (x - view.getInt32(8, true)), dz = TILE * (z - view.getInt32(12, true));
  view.setInt32(8, x, true);
  view.setInt32(12, z, true);
  const shift = (at) => {
    view.setFloat32(at, view.getFloat32(at, true) + dx, true);
    view.setFloat32(at + 8, view.getFloat32(at + 8, true) + dz, true);
  };
  shift(72);
  shift(84);
  const [polygons, vertices, links, details, detailVertices] = [24, 28, 32, 36, 40].map((at) => view.getInt32(at, true));
  for (let i = 0; i < vertices; i++) shift(100 + 12 * i);
  const first = 100 + 12 * vertices + 32 * polygons + 12 * links + 12 * details;
  for (let i = 0; i < detailVertices; i++) shift(first + 12 * i);
  return copy;
}

/** True where a lake is: smooth noise of some hundred metres. */
function makeLakes(seed) {
  const random = makeRandom(seed), size = 64;
  const values = Float64Array.from({ length: size * size }, () => random());
  return (x, z) => {
    const [u, v] = [x / 9, z / 9], [i, k] = [Math.floor(u), Math.floor(v)];
    const at = (a, b) => values[((i + a) % size) + size * ((k + b) % size)];
    const mix = (a, b, t) => a + (b - a) * t * t * (3 - 2 * t);
    return mix(mix(at(0, 0), at(1, 0), u - i), mix(at(0, 1), at(1, 1), u - i), v - k) < 0.24;
  };
}

/** The places of the world's tiles. */
function listPlaces(side) {
  const isLake = makeLakes(5), places = [];
  for (let z = 0; z < side; z++) {
    for (let x = 0; x < side; x++) if (!isLake(x, z)) places.push([x, z]);
  }
  return places;
}

const quantile = (values, share) => [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(share * values.length))];

/** Walks to the end leg by leg. Returns the length, and the times of its findPath. */
function walk(graph, start, end, times) {
  let at = start, length = 0;
  for (let legs = 0; legs < 5000; legs++) {
    const before = performance.now();
    const path = graph.findPath(at, end);
    times.push(performance.now() - before);
    if (!path.leg) throw new Error(`no leg at ${at}: ${path.reason}`);
    length += path.leg.length;
    if (path.leadsToEnd) return length;
    at = path.leg.points.slice(3 * (path.leg.count - 1), 3 * path.leg.count);
  }
  throw new Error('the way has no end');
}

/** The length of the exact shortest path; undefined: a module's memory does not suffice for the search. */
function findExact(navMesh, start, end) {
  try {
    const path = navMesh.findPath(start, end, { shortest: true });
    if (path.status !== 'complete') throw new Error('the flat search finds no way');
    return path.length;
  } catch (error) {
    if (error.code === 'out-of-memory') return undefined;
    throw error;
  }
}

/** Finds pairs with a way. */
function choosePairs(navMesh, graph, count) {
  const random = new Random(3);
  const point = () => navMesh.randomPoint({ random }).point;
  const pairs = [];
  let apart = 0;
  while (pairs.length < count) {
    const start = [...point()], end = [...point()];
    if (graph.findPath(start, end).status === 'complete') pairs.push({ start, end });
    else apart++;
  }
  return { pairs, apart };
}

const timed = (call) => {
  const before = performance.now(), value = call();
  return { value, time: performance.now() - before };
};

/** @param {{ smallest?: boolean, onProgress?: (text: string) => void }} options */
export async function measureLong({ smallest = false, onProgress = () => {} } = {}) {
  const worlds = [];
  for (const houses of WORLDS) worlds.push(measureWorld(await load(), houses, smallest ? SMALLEST : FULL, onProgress)); // a module each: memory
  return worlds;
}

/** Makes a world with this number of houses and walls in each patch, and measures its tile graph. */
function measureWorld(walkmesh, houses, size, onProgress) {
  const { navMesh, tiles } = bakePatch(walkmesh, houses);
  for (const tile of navMesh.tileRefs()) navMesh.removeTile(tile);
  const places = listPlaces(size.side);
  onProgress(`${places.length} tiles`);
  for (const [x, z] of places) navMesh.addTile(placeTile(tiles[(x % PATCH) + PATCH * (z % PATCH)], x, z));
  const graph = navMesh.createTileGraph({ keepRemoved: true });
  const { time: build } = timed(() => graph.update());
  const totals = graph.totals();
  onProgress(`graph: ${Math.round(build)} ms, ${totals.entrances} entrances, ${(totals.byteCount / totals.entrances).toFixed(1)} bytes each`);

  const { pairs, apart } = choosePairs(navMesh, graph, size.starts);
  const firstTimes = pairs.map(({ start, end }) => timed(() => graph.findPath(start, end)).time);
  const searched = pairs.map(({ start, end }) => graph.findPath(start, end).searched);
  onProgress(`first leg: median ${quantile(firstTimes, 0.5).toFixed(3)} ms, p95 ${quantile(firstTimes, 0.95).toFixed(3)} ms`);

  const walks = [], legTimes = [];
  for (const { start, end } of pairs.slice(0, size.exactPairs)) {
    const promise = graph.findPath(start, end);
    const length = walk(graph, start, end, legTimes);
    const { value: exact, time } = timed(() => findExact(navMesh, start, end));
    if (exact === undefined) continue;
    walks.push({ walked: length / exact - 1, promised: promise.cost / exact - 1, lower: promise.lowerBound / exact, exact, time });
  }
  onProgress(`walked: median ${(100 * quantile(walks.map((w) => w.walked), 0.5)).toFixed(2)} %`);

  const edits = [];
  for (let i = 0; i < 20; i++) {
    const [x, z] = places[Math.floor((places.length * (i + 0.5)) / 20)];
    const tile = navMesh.tileAt(x, z), bytes = navMesh.tileBytes(tile);
    navMesh.removeTile(tile);
    edits.push(timed(() => graph.update()).time);
    navMesh.addTile(bytes);
    edits.push(timed(() => graph.update()).time);
  }
  const { value: bytes, time: saving } = timed(() => graph.save());
  const { value: alone, time: loading } = timed(() => walkmesh.loadTileGraph(bytes));
  const aloneTimes = pairs.map(({ start, end }) => timed(() => alone.findPath(start, end)).time);
  alone.free();
  navMesh.free();
  return { houses, tiles: places.length, build, totals, apart, firstTimes, searched, legTimes, walks, asked: size.exactPairs, edits, fileBytes: bytes.length, saving, loading, aloneTimes };
}

const number = (value, digits) => value.toFixed(digits);
const both = (values, digits, scale = 1) => [0.5, 0.95, 1].map((share) => number(scale * quantile(values, share), digits));

/** @param {Awaited<ReturnType<typeof measureLong>>} worlds */
export const longTables = (worlds) => worlds.map(worldTable);

/** @param {ReturnType<typeof measureWorld>} figures */
function worldTable(figures) {
  const { houses, tiles, totals, walks } = figures;
  const rows = [
    ['first leg and promise, ms', ...both(figures.firstTimes, 3)],
    ['further legs, ms', ...both(figures.legTimes, 3)],
    ['entrances searched', ...both(figures.searched, 0)],
    ['walked, % over the exact shortest', ...both(walks.map(({ walked }) => walked), 2, 100)],
    ['promised, % over the exact shortest', ...both(walks.map(({ promised }) => promised), 2, 100)],
    ['exact shortest path, flat search, ms', ...both(walks.map(({ time }) => time), 0)],
    ['update after a tile was removed or added, ms', ...both(figures.edits, 2)],
    ['asked without a mesh, ms', ...both(figures.aloneTimes, 3)],
  ];
  const facts = `${houses} houses and walls for each ${PATCH} x ${PATCH} tiles: ${tiles} tiles, ${totals.entrances} entrances, ${number(totals.byteCount / totals.entrances, 1)} bytes an entrance; `
    + `built in ${number(figures.build, 0)} ms; file of ${number(figures.fileBytes / 1e6, 1)} MB, written in ${number(figures.saving, 0)} ms, read in ${number(figures.loading, 0)} ms; `
    + `${walks.length} of ${figures.asked} ways compared with the exact one (memory did not suffice for the others), ${number(quantile(walks.map(({ exact }) => exact), 0.5) / 1000, 1)} km at the median`;
  return { title: `Long ways, ${facts}`, rows: [['', 'median', 'p95', 'most'], ...rows] };
}

if (process.argv[1] === new URL(import.meta.url).pathname) {
  const figures = await measureLong({ smallest: process.argv.includes('--smallest'), onProgress: console.log });
  for (const table of longTables(figures)) console.log(renderTable(table));
}
