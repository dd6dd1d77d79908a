/** The borders of islands, and the ground near them: where a change of settings, or a connection, might join an island to other ground. */

/** @typedef {import('walkmesh').NavMesh} NavMesh */
/** @typedef {import('./gaps.js').Probe} Probe */
/** @typedef {import('../state/document.js').Point} Point */
/** @typedef {import('../stages/joins.js').Window} Window */
/** @typedef {{ agentRadius: number, agentHeight: number, agentMaxClimb: number, cellSize: number, cellHeight: number }} Sizes */

/** @typedef {{ island: number, point: Point, out: [number, number], inside: Point }} Edge a point at the edge of the mesh, the direction away from the mesh on x and z, and a point half a cell inside */
/** @typedef {{ edge: Edge, other: { island: number, point: Point }, distance: number }} Crossing a border of an island and other ground near it */

/**
 * @typedef {object} Link
 * @property {Point} start on the island @property {Point} end on the other ground
 * @property {number} island of the other ground
 * @property {number} rise of the island above the other ground, negative below it, world units
 * @property {number} gap without ground between the two, on x and z, world units
 */

/** Largest distance on x and z, and in height, between an island and ground that may be joined to it, world units. */
const [REACH, HIGH] = [6, 5];
/** Deepest drop that is measured, world units. */
const DEEPEST = 30;
/** Most borders of an island that are looked at, and most windows of it. */
const [MOST_EDGES, MOST_WINDOWS] = [80, 8];
/** Half the side of a window, world units, and in cells. */
const [WIDE, CELLS] = [6, 30];
/** The main ground counts as this much nearer. */
const MAIN = 0.5;
/** Side of a square of the index, world units. */
const SQUARE = REACH;
/** Most crossings from an edge to the main ground, and to others. */
const NEAREST = 24;
/** Most pairs of points that are tried for a connection. */
const MOST_LINKS = 300;
/** Longest connection that is offered, in agent heights. */
const LONGEST = 2;

/** Distance on x and z. @param {readonly number[]} a @param {readonly number[]} b */
const across = (a, b) => Math.hypot(a[0] - b[0], a[2] - b[2]);
/** @param {readonly number[]} a @param {readonly number[]} b */
const apart = (a, b) => Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);

/** @param {Crossing} crossing */
const isToMain = ({ other: { island } }) => island === 1;

/** At most a number of items of a list, evenly. @template T @param {readonly T[]} list @param {number} most @returns {readonly T[]} */
const thin = (list, most) => (list.length <= most ? list : Array.from({ length: most }, (_, i) => list[Math.floor(i * list.length / most)]));

/** The edges of all islands, by island and by place. */
export class Borders {
  #inset;
  /** @type {Map<number, Edge[]>} */
  #byIsland = new Map();
  /** @type {Map<string, Edge[]>} */
  #squares = new Map();

  /** @param {number} cellSize */
  constructor(cellSize) {
    this.#inset = cellSize / 2;
  }

  /** @param {number} island @param {{ point: Point, out: [number, number] }} wall */
  add(island, { point, out }) {
    /** @type {Edge} */
    const edge = { island, point, out, inside: [point[0] - this.#inset * out[0], point[1], point[2] - this.#inset * out[1]] };
    const key = this.#keyOf(edge.point, 0, 0);
    for (const [map, name] of /** @type {[Map<any, Edge[]>, unknown][]} */ ([[this.#byIsland, edge.island], [this.#squares, key]])) {
      const list = map.get(name) ?? [];
      if (list.length === 0) map.set(name, list);
      list.push(edge);
    }
  }

  /** @param {Point} point @param {number} dx @param {number} dz squares */
  #keyOf([x, , z], dx, dz) {
    return `${Math.floor(x / SQUARE) + dx} ${Math.floor(z / SQUARE) + dz}`;
  }

  /** @param {number} island */
  of(island) {
    return this.#byIsland.get(island) ?? [];
  }

  /** Edges of other islands near a point. @param {Edge} edge @returns {Edge[]} */
  near({ island, point }) {
    return [-1, 0, 1].flatMap((dx) => [-1, 0, 1].flatMap((dz) => this.#squares.get(this.#keyOf(point, dx, dz)) ?? []))
      .filter((other) => other.island !== island && across(other.point, point) <= REACH && Math.abs(other.point[1] - point[1]) <= HIGH);
  }
}

/** The height above the ground at which nothing may be in the way of a connection. @param {Sizes} sizes */
const liftOf = ({ agentHeight, agentMaxClimb, cellHeight }) => Math.min(agentMaxClimb + 2 * cellHeight, 0.9 * agentHeight);

/** True if nothing is between two points for who goes out at the height of the upper one, and then down. @param {Probe} probe @param {Point} a @param {Point} b @param {Sizes} sizes */
function isFree({ cast }, a, b, sizes) {
  const [upper, lower] = a[1] >= b[1] ? [a, b] : [b, a];
  const lift = liftOf(sizes);
  const length = across(a, b);
  const eye = /** @type {Point} */ ([upper[0], upper[1] + lift, upper[2]]);
  if (length > 1e-6 && cast(eye, [(lower[0] - upper[0]) / length, 0, (lower[2] - upper[2]) / length], length) < length) return false;
  const down = eye[1] - lower[1];
  return cast([lower[0], eye[1], lower[2]], [0, -1, 0], down) > down - sizes.agentMaxClimb - 2 * sizes.cellHeight;
}

/**
 * The ground of another island below an edge, beyond the drop; null: there is none.
 * @param {NavMesh} navMesh @param {Pick<import('../ground/island-list.js').Numbers, 'of'>} islands @param {Probe} probe @param {Edge} edge @param {Sizes} sizes
 * @returns {Crossing | null}
 */
function dropBelow(navMesh, islands, { cast }, edge, sizes) {
  const { point: [x, y, z], out: [dx, dz], island } = edge;
  const { agentRadius, cellSize, agentMaxClimb, cellHeight } = sizes;
  const lift = liftOf(sizes);
  const beside = agentRadius + 2 * cellSize;
  for (const far of [2 * agentRadius + 2 * cellSize, 2 * agentRadius + 6 * cellSize]) {
    if (cast([x, y + lift, z], [dx, 0, dz], far) < far) return null;
    const down = cast([x + far * dx, y + lift, z + far * dz], [0, -1, 0], DEEPEST);
    if (down === Infinity) continue;
    const ground = /** @type {Point} */ ([x + far * dx, y + lift - down, z + far * dz]);
    const nearest = navMesh.nearestPoint(ground, { halfExtents: [beside, agentMaxClimb + 2 * cellHeight, beside] });
    const other = nearest ? islands.of(nearest.polygon) : 0;
    if (nearest && other > 0 && other !== island) return { edge, other: { island: other, point: nearest.point }, distance: apart(edge.point, nearest.point) };
  }
  return null;
}

/** The height of the level at a point of the mesh; the point's own where no ground is near. @param {Probe} probe @param {Point} point @param {Sizes} sizes */
function heightAt({ cast }, [x, y, z], sizes) {
  const lift = liftOf(sizes);
  const down = cast([x, y + lift, z], [0, -1, 0], lift + sizes.agentMaxClimb + 2 * sizes.cellHeight);
  return down === Infinity ? y : y + lift - down;
}

/** How far the ground goes on from a point towards another one, world units on x and z. @param {Probe} probe @param {Point} a @param {Point} b @param {Sizes} sizes */
function groundUpTo({ cast }, a, b, sizes) {
  const length = across(a, b);
  const lift = liftOf(sizes);
  let height = a[1];
  const isGround = (/** @type {number} */ at) => {
    const share = at / length;
    const down = cast([a[0] + share * (b[0] - a[0]), height + lift, a[2] + share * (b[2] - a[2])], [0, -1, 0], lift + sizes.agentMaxClimb + 2 * sizes.cellHeight);
    if (down !== Infinity) height += lift - down;
    return down !== Infinity;
  };
  let end = 0;
  // To a cell first, then to a hundredth of it.
  for (let step = sizes.cellSize; step > sizes.cellSize / 100; step /= 4) while (end + step < length && isGround(end + step)) end += step;
  return end;
}

/**
 * The shortest connection from an island to other ground that nothing is in the way of; null: there is none.
 * @param {Crossing[]} crossings from the nearest @param {Probe} probe @param {Sizes} sizes @returns {Generator<void, Link | null, void>}
 */
function* findLink(crossings, probe, sizes) {
  const far = 2 * sizes.agentRadius + 6 * sizes.cellSize + 1;
  const isShort = (/** @type {Crossing} */ { edge: { point: a }, other: { point: b } }) => across(a, b) <= far && Math.abs(a[1] - b[1]) <= LONGEST * sizes.agentHeight;
  const short = crossings.filter(isShort);
  for (const { edge, other } of [...short.filter(isToMain).slice(0, MOST_LINKS), ...short.filter((crossing) => !isToMain(crossing)).slice(0, MOST_LINKS)]) {
    yield;
    const [start, end] = [edge.inside, other.point];
    if (!isFree(probe, start, end, sizes)) continue;
    const rise = heightAt(probe, start, sizes) - heightAt(probe, end, sizes);
    const gap = Math.max(across(start, end) - groundUpTo(probe, start, end, sizes) - groundUpTo(probe, end, start, sizes), 0);
    return { start, end, island: other.island, rise, gap };
  }
  return null;
}

/**
 * The windows around the borders of an island that are nearest to other ground.
 * @param {Borders} borders @param {number} island @param {Crossing[]} crossings from the nearest @param {Sizes} sizes @returns {Generator<void, Window[], void>}
 */
function* windowsOf(borders, island, crossings, { cellSize, agentRadius }) {
  const half = Math.min(WIDE, CELLS * cellSize + 2 * agentRadius);
  const inset = agentRadius + 3 * cellSize;
  /** @type {Window[]} */
  const windows = [];
  for (const { edge: { point, inside } } of crossings) {
    if (windows.length === MOST_WINDOWS) break;
    const isIn = (/** @type {Window} */ { min, max }, /** @type {Point} */ [x, , z], /** @type {number} */ margin) => (
      x > min[0] + margin && x < max[0] - margin && z > min[1] + margin && z < max[1] - margin);
    if (windows.some((window) => isIn(window, point, half / 2))) continue;
    /** @type {Window} */
    const window = { min: [point[0] - half, point[2] - half], max: [point[0] + half, point[2] + half], from: [], to: [], islands: [] };
    window.from = thin(borders.of(island).map((edge) => edge.inside).filter((other) => isIn(window, other, inset)), 30).concat([inside]);
    const others = crossings.filter(({ other }) => isIn(window, other.point, inset)).map(({ other }) => other);
    const targets = [...thin(others.filter(({ island: at }) => at === 1), 30), ...thin(others.filter((other) => other.island !== 1).sort((a, b) => a.island - b.island), 30)];
    window.to = targets.map((other) => other.point);
    window.islands = targets.map((other) => other.island);
    if (window.to.length > 0) windows.push(window);
    yield;
  }
  return windows;
}

/** The crossings from an edge to the nearest edges of the main ground, and of other islands. @param {Borders} borders @param {Edge} edge @returns {Crossing[]} */
function crossingsAt(borders, edge) {
  const all = borders.near(edge).map((other) => ({ edge, other: { island: other.island, point: other.inside }, distance: apart(edge.point, other.point) }))
    .sort((a, b) => a.distance - b.distance);
  return [...all.filter(isToMain).slice(0, NEAREST), ...all.filter((crossing) => !isToMain(crossing)).slice(0, NEAREST)];
}

/**
 * Places where a setting may join an island to other ground, and the shortest connection to other ground.
 * @typedef {object} Reach
 * @property {Window[]} windows the nearest first
 * @property {Link | null} link
 * @property {number | null} drop down to the nearest other ground below, world units; null: none is below
 */

/**
 * Looks around the border of an island, with a pause after each point.
 * @param {NavMesh} navMesh @param {Pick<import('../ground/island-list.js').Numbers, 'of'>} islands @param {Borders} borders @param {Probe} probe @param {number} island @param {Sizes} sizes
 * @returns {Generator<void, Reach, void>}
 */
export function* reachOf(navMesh, islands, borders, probe, island, sizes) {
  /** @type {Crossing[]} */
  const crossings = [];
  let drop = Infinity;
  for (const edge of thin(borders.of(island), MOST_EDGES)) {
    crossings.push(...crossingsAt(borders, edge));
    const below = dropBelow(navMesh, islands, probe, edge, sizes);
    if (below) {
      crossings.push(below);
      drop = Math.min(drop, heightAt(probe, edge.point, sizes) - heightAt(probe, below.other.point, sizes));
    }
    yield;
  }
  const rank = (/** @type {Crossing} */ { other, distance }) => distance * (other.island === 1 ? MAIN : 1);
  crossings.sort((a, b) => rank(a) - rank(b));
  yield;
  const low = crossings.filter(({ edge, other }) => edge.point[1] - other.point[1] <= HIGH);
  return { windows: yield* windowsOf(borders, island, low, sizes), link: yield* findLink(crossings, probe, sizes), drop: drop === Infinity ? null : drop };
}
