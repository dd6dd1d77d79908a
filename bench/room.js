/**
 * Paths with `wallDistance`: do they keep the distance where there is room, stay on the mesh, and how long are they? A point of a path must
 * keep the distance, less a cell, where a disc of that radius fits between the walls beside it (room-oracle.js); within two distances of
 * start and end it need not. Paths are searched with `shortest`. The reference for lengths is the exact shortest path on the same mesh,
 * eroded by the distance.
 */
import { Random, load } from '../js/index.js';
import { makeLevel } from './levels.js';
import { WallOracle, erode, readWalls } from './room-oracle.js';

const SCENES = ['plaza', 'city', 'terrain', 'holes', 'islands', 'stairs', 'tower', 'caves', 'maze', 'soup'];
const PAIRS = 2000;
const CELL = 0.3;
const RADIUS = 0.6;
const DISTANCES = [0.5, 1];
/** An end counts if its way onto the eroded mesh is at most this many distances long: on that way, the reference keeps no distance. */
const ONTO = 2;
/** Points of a path that are looked at, world units apart. */
const SPACING = 0.1;

/**
 * @typedef {object} RoomFigures
 * @property {string} scene
 * @property {number} distance
 * @property {number} paths complete ones
 * @property {number} points looked at where there is room
 * @property {number} near share of these that are nearer than the distance less a cell
 * @property {number} open the share that is also farther than the distance from any narrow place of the path
 * @property {number} worst the largest lack of distance where there is room
 * @property {number} left paths that leave the mesh
 * @property {number} longer mean length over that of the plain path, less 1
 * @property {number} overShortest median of the length over the shortest with the same distance, less 1
 * @property {number} overShortest95 its 95th percentile
 * @property {number} above share of paths that are over 3 % longer than that
 * @property {number} most the largest length over that, less 1
 * @property {number} compared paths that have such a shortest one
 * @property {number} [plainNear] share of points of plain paths that are nearer, with room
 */

/**
 * The points along a path: how much nearer than the distance they are to a wall, and whether there is room for it.
 * @param {any} path @param {WallOracle} walls @param {number} distance
 */
function lookAlong(path, walls, distance) {
  const points = [];
  let passed = 0;
  for (let i = 0; i + 1 < path.count; i++) {
    const from = path.points.subarray(3 * i, 3 * i + 3), to = path.points.subarray(3 * i + 3, 3 * i + 6);
    const length = Math.hypot(...[0, 1, 2].map((axis) => to[axis] - from[axis]));
    const steps = Math.ceil(length / SPACING);
    for (let step = 0; step < steps && !path.offMesh[i]; step++) {
      const at = passed + (length * step) / steps;
      if (at < 2 * distance || at > path.length - 2 * distance) continue;
      const [x, y, z] = [0, 1, 2].map((axis) => from[axis] + ((to[axis] - from[axis]) * step) / steps);
      const lack = distance - walls.nearest(x, y, z).distance;
      points.push({ at, lack, hasRoom: lack <= 0 || walls.hasRoom(x, y, z, distance) });
    }
    passed += length;
  }
  return points;
}

/**
 * Counts the points where there is room, those of them that are too near to a wall, and those of these that are not beside a narrow place.
 * @param {any} path @param {WallOracle} walls @param {number} distance @param {number} cell
 */
function countNear(path, walls, distance, cell) {
  const points = lookAlong(path, walls, distance), narrow = points.filter(({ hasRoom }) => !hasRoom);
  const near = points.filter(({ hasRoom, lack }) => hasRoom && lack > cell);
  const open = near.filter(({ at }) => narrow.every((point) => Math.abs(point.at - at) > distance));
  return { points: points.length - narrow.length, near: near.length, open: open.length, worst: Math.max(0, ...near.map(({ lack }) => lack)) };
}

/** True if a straight part of a path leaves the mesh. @param {any} navMesh @param {any} path */
export function leavesMesh(navMesh, path) {
  let polygon = path.corridor[0];
  for (let i = 0; i + 1 < path.count; i++) {
    if (path.offMesh[i]) {
      polygon = path.pointPolygons[i + 1];
      continue;
    }
    const ray = navMesh.raycast(polygon, path.points.subarray(3 * i, 3 * i + 3), path.points.subarray(3 * i + 3, 3 * i + 6));
    if (ray.hit) return true;
    polygon = ray.polygon;
  }
  return false;
}

/**
 * Measures a scene at a distance.
 * @param {any} walkmesh @param {import('./levels.js').Level} level @param {number} distance @param {number} pairs @param {boolean} shortest
 * @returns {RoomFigures}
 */
export function measureRoom(walkmesh, level, distance, pairs, shortest = false) {
  const config = { ...level.config, tileSize: 0 }, soup = level.read();
  const { navMesh } = walkmesh.bake(soup, config);
  const { bytes } = navMesh.tiles()[0], eroded = erode(walkmesh, bytes, distance);
  const walls = new WallOracle(readWalls(bytes), 2 * distance), random = new Random(7);
  const counts = { paths: 0, points: 0, near: 0, open: 0, worst: 0, left: 0, plain: 0, wide: 0, plainPoints: 0, plainNear: 0 };
  const ratios = [];
  for (let pair = 0; pair < pairs; pair++) {
    const [start, end] = [0, 1].map(() => navMesh.randomPoint({ random }).point);
    const plain = navMesh.findPath(start, end, { shortest }), wide = navMesh.findPath(start, end, { shortest, wallDistance: distance });
    if (plain.status !== 'complete') continue;
    const found = countNear(wide, walls, distance, config.cellSize), plainFound = countNear(plain, walls, distance, config.cellSize);
    counts.paths++;
    counts.points += found.points;
    counts.near += found.near;
    counts.open += found.open;
    counts.worst = Math.max(counts.worst, found.worst);
    counts.plainPoints += plainFound.points;
    counts.plainNear += plainFound.near;
    counts.left += leavesMesh(navMesh, wide) ? 1 : 0;
    counts.plain += plain.length;
    counts.wide += wide.length;
    const ratio = ratioToShortest(navMesh, eroded, wide, distance);
    if (ratio !== undefined) ratios.push(ratio);
  }
  navMesh.free();
  eroded.free();
  return {
    scene: level.name, distance, paths: counts.paths, points: counts.points, near: counts.near / (counts.points || 1),
    open: counts.open / (counts.points || 1), worst: counts.worst, left: counts.left, longer: counts.wide / (counts.plain || 1) - 1,
    overShortest: ratios.length > 0 ? percentile(ratios, 0.5) - 1 : NaN, overShortest95: ratios.length > 0 ? percentile(ratios, 0.95) - 1 : NaN,
    most: ratios.length > 0 ? Math.max(...ratios) - 1 : NaN, compared: ratios.length,
    above: ratios.filter((ratio) => ratio > 1.03).length / (ratios.length || 1), plainNear: counts.plainNear / (counts.plainPoints || 1),
  };
}

/** The length of a path on x and z. @param {any} path */
const lengthOnPlane = ({ count, points }) => Array.from({ length: Math.max(0, count - 1) },
  (_, i) => Math.hypot(points[3 * i + 3] - points[3 * i], points[3 * i + 5] - points[3 * i + 2])).reduce((sum, length) => sum + length, 0);

/**
 * The length of a path over that of the shortest on the eroded mesh and of the ways onto it; undefined: there is none, an end is far
 * from that mesh (perhaps on another storey), or the ends are near each other.
 * @param {any} navMesh @param {any} eroded @param {any} wide @param {number} distance
 */
function ratioToShortest(navMesh, eroded, wide, distance) {
  const [start, end] = [wide.points.slice(0, 3), wide.points.slice(3 * wide.count - 3, 3 * wide.count)];
  const path = eroded.findPath(start, end, { shortest: true, halfExtents: [distance + 0.5, 1.2, distance + 0.5] });
  if (path.status !== 'complete' || path.count < 2) return undefined;
  const ways = [[start, path.points.slice(0, 3)], [path.points.slice(3 * path.count - 3, 3 * path.count), end]].map(([a, b]) => navMesh.findPath(a, b, { shortest: true }));
  if (ways.some((way) => way.status !== 'complete' || lengthOnPlane(way) > ONTO * distance)) return undefined;
  const shortest = [path, ...ways].reduce((sum, part) => sum + lengthOnPlane(part), 0);
  return shortest > 3 * distance ? lengthOnPlane(wide) / shortest : undefined;
}

/** The scenes with these names; all if there are none. @param {string[]} names */
export function chooseRooms(names) {
  const unknown = names.filter((name) => !SCENES.includes(name));
  if (unknown.length > 0) throw new Error(`no such scene: ${unknown.join(', ')} (there are ${SCENES.join(', ')})`);
  return SCENES.filter((name) => names.length === 0 || names.includes(name));
}

/** @param {{ scenes?: string[], smallest?: boolean, onProgress?: (text: string) => void }} [options] @returns {Promise<RoomFigures[]>} */
export async function measureRooms(options = {}) {
  const walkmesh = await load();
  const names = options.smallest ? ['plaza'] : chooseRooms(options.scenes ?? []);
  const figures = [];
  for (const name of names) {
    const { config, ...level } = makeLevel({ name, cellSize: CELL, group: 'room' });
    for (const distance of DISTANCES) {
      options.onProgress?.(`room ${name} ${distance}`);
      figures.push(measureRoom(walkmesh, { ...level, config: { ...config, agentRadius: RADIUS } }, distance, options.smallest ? 20 : PAIRS, true));
    }
  }
  options.onProgress?.('');
  return figures;
}

const percent = (/** @type {number} */ value, digits = 2) => (Number.isNaN(value) ? '-' : `${(100 * value).toFixed(digits)} %`);

const percentile = (/** @type {number[]} */ values, /** @type {number} */ share) => values.sort((a, b) => a - b)[Math.floor(share * (values.length - 1))];

/** @param {RoomFigures[]} figures @returns {import('./tables.js').Table[]} */
export function roomTables(figures) {
  const header = ['scene', 'distance', 'paths', 'plain: points too near', 'points too near', 'and not beside narrow places', 'worst lack', 'off the mesh', 'longer than plain',
    'compared with shortest', 'over it: median', 'p95', 'most', 'over 3 %'];
  const rows = figures.map((row) => [row.scene, String(row.distance), String(row.paths), percent(row.plainNear), percent(row.near, 3), percent(row.open, 3),
    row.worst.toFixed(2), String(row.left), percent(row.longer), String(row.compared),
    percent(row.overShortest), percent(row.overShortest95), percent(row.most), percent(row.above)]);
  return [{ title: 'Paths that keep a distance from walls', rows: [header, ...rows], notes: [] }];
}
