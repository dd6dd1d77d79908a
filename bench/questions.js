/**
 * The queries of the query benchmark, through the public JavaScript API of either package, on the same mesh (its bytes are
 * exchanged as an MSET), around the same points.
 */

import { Random as PointRandom } from '../js/index.js';
import { pointOnSurface } from '../tests/js/live/query-scenes.js';
import { Random } from '../tests/js/live/random.js';

const QUESTION_COUNT = 512;
const DEFAULT_BOX = [2, 4, 2];

/** @param {ArrayLike<number>} point */
const toVector = (point) => ({ x: point[0], y: point[1], z: point[2] });

/**
 * @typedef {object} Row
 * @property {string} name
 * @property {(i: number) => unknown} ours runs query i; `out` is reused
 * @property {((i: number) => unknown) | null} theirs null if the peer's API has no such query
 * @property {((count: number) => unknown) | null} [batch] ours, all queries in one call
 */

/** Random points, the same for both packages: connected pairs, and targets around their starts. */
export class Places {
  /** @param {object} navMesh ours @param {number} [seed] */
  constructor(navMesh, seed = 1) {
    const random = new Random(seed);
    const triangles = navMesh.triangles();
    const somewhere = () => navMesh.nearestPoint(pointOnSurface(random, triangles));
    this.count = QUESTION_COUNT;
    this.starts = [];
    this.ends = [];
    this.rayEnds = [];
    this.moveEnds = [];
    this.above = [];
    while (this.starts.length < this.count) {
      const [start, end] = [somewhere(), somewhere()];
      if (navMesh.findCorridor(start.polygon, start.point, end.polygon, end.point).status === 'complete') this.#add(random, start, end);
    }
  }

  #add(random, start, end) {
    const [x, y, z] = start.point;
    const around = (reach) => {
      const angle = random.between(0, 2 * Math.PI);
      return [x + reach * Math.cos(angle), y, z + reach * Math.sin(angle)].map(Math.fround);
    };
    this.starts.push(start);
    this.ends.push(end);
    this.rayEnds.push(around(3));
    this.moveEnds.push(around(0.1));
    this.above.push([x + random.between(-0.5, 0.5), y + random.between(-0.5, 1), z + random.between(-0.5, 0.5)].map(Math.fround));
  }
}

/** @param {object} peer @param {object} mesh the peer's mesh @param {Map<number, number>} toPeer our reference -> theirs */
function askThem(peer, mesh, places, toPeer, corridors) {
  const query = new peer.NavMeshQuery(mesh, { maxNodes: 65535 });
  const refs = (list) => list.map(({ polygon }) => toPeer(polygon));
  const [startRefs, endRefs] = [refs(places.starts), refs(places.ends)];
  const vectors = (list) => list.map(toVector);
  const starts = vectors(places.starts.map(({ point }) => point));
  const ends = vectors(places.ends.map(({ point }) => point));
  const [rayEnds, moveEnds, above] = [places.rayEnds, places.moveEnds, places.above].map(vectors);
  const box = toVector(DEFAULT_BOX);
  const boxOptions = { halfExtents: box };
  const paths = corridors.map((corridor) => {
    const array = new peer.UnsignedIntArray();
    array.copy(Array.from(corridor, toPeer));
    return array;
  });
  return {
    'nearest polygon': (i) => query.findNearestPoly(above[i], boxOptions).nearestPoint,
    'path in one call': (i) => query.computePath(starts[i], ends[i], boxOptions).path,
    corridor: (i) => {
      const { polys } = query.findPath(startRefs[i], endRefs[i], starts[i], ends[i]);
      const { size } = polys;
      polys.destroy();
      return size;
    },
    'straight path': (i) => {
      const result = query.findStraightPath(starts[i], ends[i], paths[i]);
      const { straightPathCount } = result;
      result.straightPath.destroy();
      result.straightPathFlags.destroy();
      result.straightPathRefs.destroy();
      return straightPathCount;
    },
    'raycast, 3 m': (i) => Math.min(1, query.raycast(startRefs[i], starts[i], rayEnds[i]).t),
    'move along surface, 0.1 m': (i) => query.moveAlongSurface(startRefs[i], starts[i], moveEnds[i]).resultPosition,
    'random point': () => query.findRandomPoint().randomPolyRef > 0,
    'polygons in a circle, 5 m (flood)': (i) => query.findPolysAroundCircle(startRefs[i], starts[i], 5).resultCount,
    'polygons in a box': (i) => query.queryPolygons(starts[i], box).polyRefs.length > 0,
    height: (i) => query.getPolyHeight(startRefs[i], starts[i]).height,
    'closest point': (i) => query.closestPointOnPoly(startRefs[i], above[i]).closestPoint,
  };
}

/**
 * Copies numbers to an array that holds them as objects. V8 allocates 16 bytes when a number from an array of doubles, or from a
 * field of doubles, is passed to a function that isn't inlined: the caller causes that garbage, independent of the called
 * function.
 * @param {number[]} numbers
 */
const boxed = (numbers) => [null, ...numbers].slice(1);

function askUs(navMesh, places, corridors, random) {
  const starts = places.starts.map(({ point }) => point);
  const ends = places.ends.map(({ point }) => point);
  const [startRefs, endRefs] = [places.starts, places.ends].map((list) => boxed(list.map(({ polygon }) => polygon)));
  const { rayEnds, moveEnds, above } = places;
  const nearest = { halfExtents: DEFAULT_BOX };
  const options = {};
  const randomOptions = { random };
  const circle = { radius: 5 };
  const flat = { onSurface: false }; // The peer computes no heights at the ends of rays and moves.
  const out = Array.from({ length: 13 }, () => undefined);
  return {
    'nearest polygon': (i) => (out[0] = navMesh.nearestPoint(above[i], nearest, out[0])),
    'path in one call': (i) => (out[1] = navMesh.findPath(starts[i], ends[i], nearest, out[1])),
    corridor: (i) => (out[2] = navMesh.findCorridor(startRefs[i], starts[i], endRefs[i], ends[i], options, out[2])),
    'straight path': (i) => (out[3] = navMesh.straighten(starts[i], ends[i], corridors[i], options, out[3])),
    'raycast, 3 m': (i) => (out[4] = navMesh.raycast(startRefs[i], starts[i], rayEnds[i], flat, out[4])),
    'move along surface, 0.1 m': (i) => (out[5] = navMesh.moveAlongSurface(startRefs[i], starts[i], moveEnds[i], flat, out[5])),
    'random point': () => (out[6] = navMesh.randomPoint(randomOptions, out[6])),
    'polygons in a circle, 5 m (flood)': (i) => (out[7] = navMesh.flood(startRefs[i], starts[i], circle, out[7])),
    'polygons in a box': (i) => (out[8] = navMesh.polygonsInBox(starts[i], DEFAULT_BOX, options, out[8])),
    height: (i) => navMesh.height(startRefs[i], starts[i]),
    'closest point': (i) => (out[9] = navMesh.closestPoint(startRefs[i], above[i], out[9])),
    'distance to wall, 5 m': (i) => (out[10] = navMesh.distanceToWall(startRefs[i], starts[i], 5, options, out[10])),
    'local neighbourhood, 5 m': (i) => (out[11] = navMesh.localNeighbourhood(startRefs[i], starts[i], 5, options, out[11])),
    'wall segments': (i) => (out[12] = navMesh.wallSegments(startRefs[i], options, out[12])),
  };
}

/** The results that must agree, as comparable numbers. */
const ANSWERS = {
  'nearest polygon': [({ point }) => point, ({ x, y, z }) => [x, y, z]],
  'path in one call': [({ length }) => [length], (path) => [lengthOf(path)]],
  corridor: [({ count }) => [count], (size) => [size]],
  'straight path': [({ count }) => [count], (count) => [count]],
  'raycast, 3 m': [({ t }) => [t], (t) => [t]],
  'move along surface, 0.1 m': [({ point }) => point, ({ x, y, z }) => [x, y, z]],
  'polygons in a circle, 5 m (flood)': [({ count }) => [count], (count) => [count]],
  height: [(height) => [height], (height) => [height]],
  'closest point': [({ point }) => point, ({ x, y, z }) => [x, y, z]],
};

function lengthOf(path) {
  return path.reduce((sum, { x, y, z }, i) => (i === 0 ? 0 : sum + Math.hypot(x - path[i - 1].x, y - path[i - 1].y, z - path[i - 1].z)), 0);
}

/** Fraction of queries whose results agree to 1e-4, or null if they can't be compared. */
export function agreement({ name, ours, theirs, count }) {
  if (!theirs || !ANSWERS[name]) return null;
  const [ourNumbers, theirNumbers] = ANSWERS[name];
  let equal = 0;
  for (let i = 0; i < count; i++) {
    const [a, b] = [Array.from(ourNumbers(ours(i))), Array.from(theirNumbers(theirs(i)))];
    if (a.length === b.length && a.every((value, k) => Math.abs(value - b[k]) <= 1e-4 * Math.max(1, Math.abs(b[k])))) equal++;
  }
  return equal / count;
}

/**
 * @param {object} peer recast-navigation, or null if it isn't installed
 * @param {object} meshes ours: navMesh; theirs: the peer's NavMesh of the same bytes
 * @param {(ref: number) => number} toPeer
 * @returns {{ rows: Row[], places: Places, corridors: Float64Array[] }}
 */
export function makeRows(peer, { ours, theirs }, toPeer) {
  const places = new Places(ours);
  const corridors = places.starts.map(({ polygon, point }, i) =>
    ours.findCorridor(polygon, point, places.ends[i].polygon, places.ends[i].point).polygons);
  const ourQuestions = askUs(ours, places, corridors, new PointRandom(7));
  const theirQuestions = peer ? askThem(peer, theirs, places, toPeer, corridors) : {};
  const rows = Object.entries(ourQuestions).map(([name, ask]) => ({ name, count: places.count, ours: ask, theirs: theirQuestions[name] ?? null }));
  return { rows, places, corridors };
}

/** Batches: a thousand queries in one call, and the single calls to compare them with. */
export function makeBatches(navMesh, places) {
  const count = 1000;
  const flat = (list) => Float32Array.from({ length: 3 * count }, (_, i) => list[Math.floor(i / 3) % list.length][i % 3]);
  const starts = flat(places.starts.map(({ point }) => point));
  const ends = flat(places.ends.map(({ point }) => point));
  const refs = Float64Array.from({ length: count }, (_, i) => places.starts[i % places.count].polygon);
  const [rayEnds, moveEnds, above] = [places.rayEnds, places.moveEnds, places.above].map(flat);
  const nearest = { halfExtents: DEFAULT_BOX };
  const random = new PointRandom(9);
  const [movedRefs, moved] = [refs.slice(), starts.slice()];
  const out = Array.from({ length: 7 }, () => undefined);
  return [
    { name: 'nearest polygon', count, ask: () => (out[0] = navMesh.nearestPoints(above, nearest, out[0])) },
    { name: 'path in one call', count, ask: () => (out[1] = navMesh.findPaths(starts, ends, nearest, out[1])) },
    { name: 'raycast, 3 m', count, ask: () => (out[2] = navMesh.raycasts(refs, starts, rayEnds, { onSurface: false }, out[2])) },
    {
      name: 'move along surface, 0.1 m', count,
      ask: () => {
        movedRefs.set(refs);
        moved.set(starts);
        return (out[3] = navMesh.moves(movedRefs, moved, moveEnds, { onSurface: false }, out[3]));
      },
    },
    { name: 'random point', count, ask: () => (out[4] = navMesh.randomPoints(count, { random }, out[4])) },
    { name: 'height', count, ask: () => (out[5] = navMesh.heights(refs, starts, out[5])) },
    { name: 'distance to wall, 5 m', count, ask: () => (out[6] = navMesh.wallDistances(refs, starts, 5, {}, out[6])) },
  ];
}
