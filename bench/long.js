/**
 * `npm run bench -- --long`: long ways over worlds of 40,000 tiles (long-world.js), by a tile graph: the time of the first leg, the
 * memory, and the length of ways that are walked leg by leg against the exact shortest paths; and ways that are walked where only the
 * tiles around the walker are loaded. Pairs of points are random points of the whole mesh; none is left out but those without a way.
 */
import { Random, load } from '../js/index.js';
import { TILE, WORLDS, makeWorld } from './long-world.js';
import { renderTable } from './tables.js';

/** Tiles along a side of the world, pairs whose first leg is measured, pairs that are walked and compared, pairs that are walked streamed. */
const FULL = { side: 217, starts: 2000, exactPairs: 60, streamed: 20 };
const SMALLEST = { side: 24, starts: 50, exactPairs: 5, streamed: 2 };

/** Tiles around the walker that are loaded in a streamed world, in each direction. */
const LOADED_AROUND = 5;

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
  for (const name of Object.keys(WORLDS)) worlds.push(await measureWorld(name, smallest ? SMALLEST : FULL, onProgress));
  return worlds;
}

/** Loads the tiles around a point, and removes the others. Returns the times of both, if there was anything to do. */
class Window {
  loaded = new Map();
  times = [];
  largest = 0;

  constructor({ navMesh, places, tileBytes }) {
    this.navMesh = navMesh;
    this.tileBytes = tileBytes;
    this.known = new Set(places.map(([x, z]) => `${x} ${z}`));
  }

  moveTo([x, , z]) {
    const { origin } = this.navMesh.parameters;
    const place = [Math.floor((x - origin[0]) / TILE), Math.floor((z - origin[2]) / TILE)];
    const before = performance.now();
    let changes = 0;
    for (const [key, { ref, at }] of this.loaded) {
      if (Math.max(Math.abs(at[0] - place[0]), Math.abs(at[1] - place[1])) <= LOADED_AROUND) continue;
      this.navMesh.removeTile(ref);
      this.loaded.delete(key);
      changes++;
    }
    for (let tz = place[1] - LOADED_AROUND; tz <= place[1] + LOADED_AROUND; tz++) {
      for (let tx = place[0] - LOADED_AROUND; tx <= place[0] + LOADED_AROUND; tx++) {
        const key = `${tx} ${tz}`;
        if (this.loaded.has(key) || !this.known.has(key)) continue;
        this.loaded.set(key, { ref: this.navMesh.addTile(this.tileBytes(tx, tz)), at: [tx, tz] });
        changes++;
      }
    }
    if (changes) this.times.push(performance.now() - before);
    this.largest = Math.max(this.largest, this.loaded.size);
  }
}

/**
 * Walks where only the tiles around the walker are loaded: with the world's saved graph in another module.
 * @param {{ start: number[], end: number[], exact: number }[]} pairs
 */
async function walkStreamed(name, size, bytes, pairs) {
  const walkmesh = await load();
  const world = makeWorld(walkmesh, WORLDS[name], size.side), { navMesh } = world;
  const graph = navMesh.loadTileGraph(bytes), window = new Window(world);
  const walked = [], times = [];
  for (const { start, end, exact } of pairs) {
    let length = 0;
    for (let at = start, legs = 0; ; legs++) {
      if (legs > 5000) throw new Error('the way has no end');
      window.moveTo(at);
      const { value: path, time } = timed(() => graph.findPath(at, end));
      times.push(time);
      if (!path.leg) throw new Error(`no leg at ${at}: ${path.reason}`);
      length += path.leg.length;
      if (path.leadsToEnd) break;
      at = path.leg.points.slice(3 * (path.leg.count - 1), 3 * path.leg.count);
    }
    walked.push(length / exact - 1);
  }
  navMesh.free();
  return { walked, times, moves: window.times, largest: window.largest };
}

/** Makes a world, and measures its tile graph. */
async function measureWorld(name, size, onProgress) {
  const walkmesh = await load(); // one for each world: memory
  const { navMesh, places, tileBytes } = makeWorld(walkmesh, WORLDS[name], size.side);
  onProgress(`${name}: ${places.length} tiles`);
  for (const [x, z] of places) navMesh.addTile(tileBytes(x, z));
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
    walks.push({ start, end, walked: length / exact - 1, promised: promise.cost / exact - 1, lower: promise.lowerBound / exact, exact, time });
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
  const streamed = await walkStreamed(name, size, bytes, walks.slice(0, size.streamed));
  onProgress(`streamed: ${streamed.times.length} legs`);
  return { name, streamed, tiles: places.length, build, totals, apart, firstTimes, searched, legTimes, walks, asked: size.exactPairs, edits, fileBytes: bytes.length, saving, loading, aloneTimes };
}

const number = (value, digits) => value.toFixed(digits);
const both = (values, digits, scale = 1) => [0.5, 0.95, 1].map((share) => number(scale * quantile(values, share), digits));

/** @param {Awaited<ReturnType<typeof measureLong>>} worlds */
export const longTables = (worlds) => worlds.map(worldTable);

/** @param {ReturnType<typeof measureWorld>} figures */
function worldTable(figures) {
  const { name, tiles, totals, walks, streamed } = figures;
  const rows = [
    ['first leg and promise, ms', ...both(figures.firstTimes, 3)],
    ['further legs, ms', ...both(figures.legTimes, 3)],
    ['entrances searched', ...both(figures.searched, 0)],
    ['walked, % over the exact shortest', ...both(walks.map(({ walked }) => walked), 2, 100)],
    ['promised, % over the exact shortest', ...both(walks.map(({ promised }) => promised), 2, 100)],
    ['exact shortest path, flat search, ms', ...both(walks.map(({ time }) => time), 0)],
    ['update after a tile was removed or added, ms', ...both(figures.edits, 2)],
    ['asked without a mesh, ms', ...both(figures.aloneTimes, 3)],
    ['streamed: walked, % over the exact shortest', ...both(streamed.walked, 2, 100)],
    ['streamed: leg and update of the graph, ms', ...both(streamed.times, 2)],
    ['streamed: tiles added and removed, ms', ...both(streamed.moves, 2)],
  ];
  const facts = `${name}: ${tiles} tiles, ${totals.entrances} entrances, ${number(totals.byteCount / totals.entrances, 1)} bytes an entrance; `
    + `built in ${number(figures.build, 0)} ms; file of ${number(figures.fileBytes / 1e6, 1)} MB, written in ${number(figures.saving, 0)} ms, read in ${number(figures.loading, 0)} ms; `
    + `${walks.length} of ${figures.asked} ways compared with the exact one (memory did not suffice for the others), ${number(quantile(walks.map(({ exact }) => exact), 0.5) / 1000, 1)} km at the median; streamed: at most ${streamed.largest} tiles loaded`;
  return { title: `Long ways, ${facts}`, rows: [['', 'median', 'p95', 'most'], ...rows] };
}

if (process.argv[1] === new URL(import.meta.url).pathname) {
  const figures = await measureLong({ smallest: process.argv.includes('--smallest'), onProgress: console.log });
  for (const table of longTables(figures)) console.log(renderTable(table));
}
