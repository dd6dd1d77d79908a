/** Runs the queries of query-program.js through the package. */
import { Random } from '../../../js/index.js';
import { hashBytes } from '../../../js/runtime/hash.js';

const QUESTIONS_A_HASH = 100;
/** Path states in the order of WmPathState. */
const STATES = [null, 'complete', 'partial', 'unreachable'];

/** Words of 32 bits. */
class Words {
  #view = new DataView(new ArrayBuffer(1 << 20));
  #at = 0;

  /** @param {...number} words */
  words(...words) {
    for (const word of words) this.#view.setUint32((this.#at += 4) - 4, word, true);
  }

  /** @param {ArrayLike<number>} numbers */
  floats(numbers, count = numbers.length) {
    for (let i = 0; i < count; i++) this.#view.setFloat32((this.#at += 4) - 4, numbers[i], true);
  }

  /** @param {ArrayLike<number>} polygons */
  polygons(polygons, count = polygons.length) {
    for (let i = 0; i < count; i++) this.words(polygons[i] % 2 ** 32, Math.floor(polygons[i] / 2 ** 32));
  }

  /** @param {any} path */
  path({ status, count, cost, length, points, pointPolygons }) {
    this.words(STATES.indexOf(status), count);
    this.floats([cost, length]);
    this.floats(points, 3 * count);
    this.polygons(pointPolygons, count);
  }

  takeHash() {
    const bytes = new Uint8Array(this.#view.buffer, 0, this.#at);
    this.#at = 0;
    return hashBytes(bytes);
  }
}

const { fround } = Math;

/** The tile graph of a mesh: made by its first long path. @type {WeakMap<object, any>} */
const graphs = new WeakMap();

/** @param {any} navMesh @param {Words} words the first call writes the hash of the saved graph */
function findGraph(navMesh, words) {
  const known = graphs.get(navMesh);
  if (known) return known;
  const graph = navMesh.createTileGraph();
  graphs.set(navMesh, graph);
  const hash = hashBytes(graph.save());
  words.words(parseInt(hash.slice(8), 16), parseInt(hash.slice(0, 8), 16));
  return graph;
}

/** @param {any} path of a tile graph @param {Words} words */
function writeLongPath({ status, count, searched, cost, lowerBound, waypoints, costs, leg }, words) {
  words.words(status === 'complete' ? 1 : 0, count, searched);
  words.floats([cost, lowerBound]);
  for (let i = 0; i < count; i++) words.floats([...waypoints.subarray(3 * i, 3 * i + 3), costs[i]]);
  if (leg) words.path(leg);
}

/** @type {((navMesh: any, places: { from: number[], to: number[], start: any, random: Random }, words: Words) => void)[]} */
const KINDS = [
  (navMesh, { from, to }, words) => words.path(navMesh.findPath(from, to)),
  (navMesh, { from, to }, words) => words.path(navMesh.findPath(from, to, { anyAngle: true })),
  (navMesh, { from, to }, words) => words.path(navMesh.findPath(from, to, { shortest: true })),
  (navMesh, { from, to }, words) => words.path(navMesh.findPath(from, to, { wallDistance: 0.8, wallCost: 1.5 })),
  (navMesh, { from, to }, words) => navMesh.findPaths(from, to, { count: 3 }).forEach((/** @type {any} */ path) => words.path(path)),
  (navMesh, { from, to }, words) => words.path(navMesh.findSmoothPath(from, to, { step: 0.75 })),
  (navMesh, { from, to }, words) => writeLongPath(findGraph(navMesh, words).findPath(from, to), words),
  (navMesh, { start, to }, words) => {
    const { hit, t, point, normal, polygons } = navMesh.raycast(start.polygon, start.point, to);
    words.words(hit ? 1 : 0);
    words.floats([t, ...point, ...normal]);
    words.polygons(polygons);
  },
  (navMesh, { start, to }, words) => {
    const half = to.map((value, axis) => fround(fround(start.point[axis] + value) / 2));
    const { point, polygons } = navMesh.moveAlongSurface(start.polygon, start.point, half);
    words.floats(point);
    words.polygons(polygons);
  },
  (navMesh, { start }, words) => {
    const { distance, point, normal } = navMesh.distanceToWall(start.polygon, start.point, 20);
    words.floats([distance, ...point, ...normal]);
  },
  (navMesh, { start }, words) => {
    const { count, polygons, costs } = navMesh.flood(start.polygon, start.point, { maxCost: 12 });
    words.polygons(polygons, count);
    words.floats(costs, count);
  },
  (navMesh, { start }, words) => {
    const { count, polygons } = navMesh.localNeighbourhood(start.polygon, start.point, 6);
    words.polygons(polygons, count);
  },
  (navMesh, { to }, words) => {
    const nearest = navMesh.nearestPoint(to, { radius: 4, heightPreference: 'below' });
    words.polygons([nearest?.polygon ?? 0]);
    words.floats(nearest?.point ?? [0, 0, 0]);
  },
  (navMesh, { start, random }, words) => {
    const spot = navMesh.randomPointAround(start.polygon, start.point, 5, { random });
    words.polygons([spot?.polygon ?? 0]);
    words.floats(spot?.point ?? [0, 0, 0]);
  },
];
/** Query kinds that find their polygons themselves. */
const PATH_KINDS = 7;

/** Returns a hash for every 100 queries. @param {any} walkmesh @param {Uint8Array} program @returns {string[]} */
export function playQueryProgram(walkmesh, program) {
  const view = new DataView(program.buffer, program.byteOffset, program.byteLength);
  const meshBytes = view.getUint32(0, true), questionsAt = 4 + ((meshBytes + 3) & ~3);
  const navMesh = walkmesh.loadNavMesh(program.slice(4, 4 + meshBytes));
  const words = new Words(), random = new Random(7);
  /** @type {string[]} */
  const hashes = [];
  for (let i = 0; i < view.getUint32(questionsAt, true); i++) {
    const [from, to] = [0, 1].map((k) => [0, 1, 2].map((axis) => view.getFloat32(questionsAt + 4 + 24 * i + 12 * k + 4 * axis, true)));
    const start = navMesh.nearestPoint(from);
    words.polygons([start?.polygon ?? 0]);
    const kind = i % KINDS.length;
    if (kind < PATH_KINDS || start) KINDS[kind](navMesh, { from, to, start, random }, words);
    if ((i + 1) % QUESTIONS_A_HASH === 0) hashes.push(words.takeHash());
  }
  navMesh.free();
  return hashes;
}
