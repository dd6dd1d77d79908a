/**
 * Causes that stand in a row: doors, filters and other changes of the mesh, and one of the level, such as a gap behind a door. Neither opens
 * the way alone; the changes of all are tried together.
 */
import { MeshTrials, passes } from './causes.js';
import { LONGEST, findGap, shortestCrossing, shortestCrossings } from './gaps.js';
import { levelCauses } from './level-causes.js';
import { findLinks } from './link-causes.js';
import { obstacleCause } from './obstacle-causes.js';
import { Blockers, causesBetween, isShorter, mergeChanges, rowOf } from './mesh-causes.js';
import { MeshGraph } from './mesh-graph.js';
import { distanceOf, leadingFrom, leadingTo, nearestOn } from './reach.js';
import { LEVEL_HINT, apartText, changeText } from './words.js';

/** @typedef {import('../runtime/arguments.js').PolygonRef} PolygonRef */
/** @typedef {import('../mesh/mesh.js').NavMesh} NavMesh */
/** @typedef {import('../mesh/switches.js').Switches} Switches */
/** @typedef {import('../query/find-path.js').PathOptions} PathOptions */
/** @typedef {import('./causes.js').Cause} Cause */
/** @typedef {import('./causes.js').Change} Change */
/** @typedef {import('./causes.js').PlainFilter} PlainFilter */
/** @typedef {import('./gaps.js').Crossing} Crossing */
/** @typedef {import('./level-trials.js').Fields} Fields */
/** @typedef {import('./level-trials.js').LevelTrials} LevelTrials */
/** @typedef {import('./mesh-graph.js').Vector} Vector */
/** A polygon, and a point of it. @typedef {{ polygon: PolygonRef, point: Vector }} Place */
/** A cause whose text has no change. @typedef {Pick<Cause, 'kind' | 'text' | 'changes' | 'point'> & { figure?: number | null }} BareCause */
/**
 * @typedef {object} Search
 * @property {NavMesh} navMesh
 * @property {MeshGraph} graph
 * @property {PlainFilter} filter
 * @property {PathOptions} options of the path
 * @property {Vector} start @property {Vector} end of the path
 * @property {[Place, Place]} ends of the path on the mesh, whatever its flags
 * @property {MeshTrials} mesh
 * @property {LevelTrials | null} level
 */

/** Most crossings over which a link is tried, and how many times as long as the longest jump they may be. */
const [MOST_CROSSINGS, LINK_REACH] = [3, 1.5];
const ALL_FLAGS = 0xffff;
/** Longest crossing without a level, world units. */
const FAR = 64;
/** Places along a path nearer to each other than this are the same, cells. */
const TIE = 2;
/** A point lies on the border of its polygon, up to rounding, world units. */
const ROUNDING = 0.01;

/** The causes of a crossing in the order of the way. @typedef {{ before: BareCause[], after: BareCause[], changes: Change[] }} Around */

/** The grounds of both ends if every change of the mesh were made, and what is in the way to a crossing between them. */
class Grounds {
  #search;
  #blockers;

  /** @param {Search} search */
  constructor(search) {
    const { navMesh, graph, filter, ends: [start, end] } = search;
    this.#search = search;
    this.#blockers = new Blockers(navMesh, graph, filter);
    this.reached = leadingFrom(graph, start.polygon, () => true);
    this.goal = leadingTo(graph, end.polygon, () => true);
  }

  /** True if no gap lies between them. */
  get areJoined() {
    return this.reached.has(this.#search.ends[1].polygon);
  }

  /** @param {Vector} point of a border @returns {Place | null} */
  #placeAt(point) {
    return this.#search.graph.nearestGround(point, [ROUNDING, ROUNDING, ROUNDING]);
  }

  /** @param {Crossing} crossing @returns {Around | null} null: nothing but the crossing is in the way, or no way leads there */
  around({ start, end }) {
    const { navMesh, graph, filter, ends } = this.#search;
    const [near, far] = [this.#placeAt(start), this.#placeAt(end)];
    if (!near || !far) return null;
    const before = causesBetween(graph, navMesh, this.#blockers, ends[0], near);
    const after = causesBetween(graph, navMesh, this.#blockers, far, ends[1]);
    if (!before || !after || before.length + after.length === 0) return null;
    return { before, after, changes: mergeChanges([...before, ...after].flatMap(({ changes }) => changes), filter) };
  }
}

/** @param {Around} around @param {BareCause} middle @param {number | null} length with the changes of all; null: there is no path @param {PlainFilter} filter @returns {Cause[]} */
function rowAround({ before, after }, middle, length, filter) {
  const causes = [...before, middle, ...after];
  return rowOf(causes, mergeChanges(causes.flatMap(({ changes }) => changes), filter), length, null);
}

/** Rows with a link over the gap: of kinds that are on, and of those that are off. @param {Search} search @param {LevelTrials} level @param {Grounds} grounds @returns {[Cause[], Cause[]]} */
function linkRows({ navMesh, graph, filter, start, end, options }, level, grounds) {
  const links = level.given.links ?? navMesh.config?.links ?? {};
  const longest = Math.max(LONGEST, LINK_REACH * (links.jump?.maxDistance ?? 0));
  /** @type {Map<Crossing, Around>} */
  const known = new Map();
  for (const crossing of shortestCrossings(graph, grounds.reached, grounds.goal, longest, MOST_CROSSINGS, level)) {
    const around = grounds.around(crossing);
    if (around?.changes.every(({ kind }) => kind === 'switch' || kind === 'filter')) known.set(crossing, around);
  }
  const around = (/** @type {Crossing} */ crossing) => /** @type {Around} */ (known.get(crossing));
  const found = findLinks(navMesh, level, { start, end, options }, [...known.keys()], (crossing) => around(crossing).changes, isShorter(null));
  const rowsOf = (/** @type {boolean} */ isOn) => found.filter(({ changes: [change] }) => isOn === (change.kind === 'links' && links[change.linkKind] !== undefined))
    .flatMap(({ crossing, length: _, ...cause }) => rowAround(around(crossing), cause, 0, filter));
  return [rowsOf(true), rowsOf(false)];
}

/** A row with a connection over the gap. @param {Search} search @param {LevelTrials} level @param {Grounds} grounds @returns {Cause[]} */
function gapRow({ graph, filter, mesh }, level, grounds) {
  const gap = findGap(graph, level, grounds.reached, grounds.goal), around = gap && grounds.around(gap.crossing);
  if (!gap || !around) return [];
  const { crossing: _, ...cause } = gap;
  return rowAround(around, cause, mesh.lengthWith([...around.changes, ...cause.changes]), filter);
}

/** A row with the end of the mesh, where no level was given: no change of it is known. @param {Search} search @param {Grounds} grounds @returns {Cause[]} */
function apartRow({ graph }, grounds) {
  const crossing = shortestCrossing(graph, grounds.reached, grounds.goal, FAR), around = crossing && grounds.around(crossing);
  if (!around) return [];
  const { start, distance } = crossing;
  const causes = [...around.before, { kind: /** @type {const} */ ('apart'), text: apartText(distance, false), point: start, figure: distance, changes: [] }, ...around.after];
  const [first, ...others] = rowOf(causes, [], null, null);
  return [{ ...first, text: `${first.text} ${LEVEL_HINT}` }, ...others];
}

/** How far along a line the point nearest to a place lies. @param {ArrayLike<number>} points three numbers each @param {Vector | null} place */
function alongOf(points, place) {
  let [best, least, walked] = [0, Infinity, 0];
  for (let i = 0; place && i + 5 < points.length; i += 3) {
    const [a, b] = [0, 3].map((at) => /** @type {Vector} */ ([points[i + at], points[i + at + 1], points[i + at + 2]]));
    const nearest = nearestOn([a, b], place), distance = distanceOf(nearest, place);
    if (distance < least) [best, least] = [walked + distanceOf(a, nearest), distance];
    walked += distanceOf(a, b);
  }
  return best;
}

/** A change of a switch of a trial as that of the mesh. @param {Change} change @param {readonly { copy: Switches, original: Switches }[]} copies @returns {Change} */
function ownChange(change, copies) {
  if (change.kind !== 'switch') return change;
  const { copy, original } = /** @type {{ copy: Switches, original: Switches }} */ (copies.find((each) => each.copy === change.switches));
  const number = original.numbers()[copy.numbers().indexOf(change.number)];
  return Object.defineProperty({ ...change, number }, 'switches', { value: original });
}

/** True for a cause whose changes a bake of the level makes. @param {Cause} cause */
const isOfBake = ({ changes: [change] }) => change.kind === 'config' || change.kind === 'remove';

/**
 * The row of causes in the level: what else is in the way on a mesh that is baked with their changes.
 * @param {Search} search @param {LevelTrials} level @param {readonly Cause[]} causes each with one change of the configuration, or with obstacles to remove
 * @returns {Cause[]} empty: a single cause stands alone, or no way leads past all of them
 */
function bakedRow({ filter, options, start, end }, level, causes) {
  const changed = causes.flatMap(({ changes }) => changes);
  if (!causes.every(isOfBake)) return [];
  const trial = level.without(level.obstacles.filter(({ change }) => changed.includes(change)));
  const row = trial.askMesh(Object.assign({}, ...changed.map((change) => change.kind === 'config' && change.fields)), (navMesh, copies) => {
    const graph = new MeshGraph(navMesh), { halfExtents = [2, 4, 2] } = options;
    const [from, to] = [start, end].map((point) => navMesh.nearestPoint(point, { halfExtents, filter }) ?? graph.nearestGround(point, /** @type {Vector} */ (halfExtents)));
    const others = from && to && causesBetween(graph, navMesh, new Blockers(navMesh, graph, filter), from, to);
    // Connections and links of the trial have other references than those of the explained mesh.
    if (!others || others.length + causes.length < 2 || others.some(({ changes }) => changes.some(({ kind }) => kind === 'two-way' || kind === 'enable'))) return [];
    const trials = new MeshTrials(navMesh, start, end, { ...options, filter }, filter, () => null);
    try {
      const path = trials.pathWith(mergeChanges(others.flatMap((other) => other.changes), filter));
      if (!path) return [];
      const bare = causes.map((cause) => ({ ...cause, text: cause.text.replace(changeText(cause.changes, cause.isVerified), '').trim().replace(/ {2,}/g, ' ') }));
      // A polygon under a door may begin at the place itself: the door comes after it.
      const tie = TIE * level.config.cellSize, along = (/** @type {BareCause} */ { point }) => alongOf(path.points, point);
      const placed = [...bare.map((cause) => ({ cause, at: along(cause) - tie })), ...others.map((cause) => ({ cause, at: along(cause) }))].sort((a, b) => a.at - b.at);
      const row = placed.map(({ cause }) => /** @type {BareCause} */ (cause));
      const all = mergeChanges(row.flatMap((each) => each.changes), filter).map((one) => ownChange(one, copies));
      return rowOf(row, all, causes.every(({ isVerified }) => isVerified) ? path.length : null, null);
    } finally {
      trials.free();
    }
  });
  return row ?? [];
}

/**
 * Obstacles, and fields of the configuration, that open a way together.
 * @param {Search} search @param {LevelTrials} trials of the level @returns {Cause[]} one cause for each of both; empty: none
 */
function obstaclesAndFields({ start, options, filter }, trials) {
  if (trials.obstacles.length === 0) return [];
  const free = trials.without(trials.obstacles);
  // Measured against the mesh without the obstacles: otherwise the way that the mesh lacks would begin before them.
  const [cause] = free.askMesh({}, (navMesh) => {
    const from = navMesh.nearestPoint(start, { halfExtents: options.halfExtents, filter });
    const reached = from ? leadingFrom(new MeshGraph(navMesh), from.polygon, (flags) => passes(filter, flags)) : new Set();
    return levelCauses(free, { navMesh, reached }, null, isShorter(null)).causes;
  }) ?? [];
  const [change] = cause?.changes ?? [];
  const inWay = change?.kind === 'config' ? obstacleCause(trials, null, isShorter(null), /** @type {Fields} */ (change.fields)) : null;
  return inWay ? [inWay, cause] : [];
}

/**
 * The row of obstacles, and fields of the configuration, that open a way together with the doors, filters and links of the mesh as they are.
 * @param {Search} search @param {LevelTrials} level @returns {Cause[]}
 */
export function obstacleRow(search, level) {
  const causes = obstaclesAndFields(search, level);
  return causes.length > 0 ? bakedRow(search, level, causes) : [];
}

/** Rows with fields of the configuration, or with obstacles, beside what is in the way on the mesh. @param {Search} search @param {LevelTrials} level @param {Grounds} grounds @returns {Cause[]} */
function fieldRows(search, level, { reached }) {
  const { includeFlags, excludeFlags } = search.filter;
  const isOpen = !level.hasSwitches && includeFlags === ALL_FLAGS && excludeFlags === 0; // no bake has anything to open beside its fields
  if (!level.isSmallEnough || isOpen) return [];
  const open = level.withAllOpen(), inWay = obstacleCause(open, null, isShorter(null));
  const causes = inWay ? [inWay] : levelCauses(open, { navMesh: search.navMesh, reached }, null, isShorter(null)).causes;
  if (causes.length > 0) return causes.flatMap((cause) => bakedRow(search, level, [cause]));
  const both = obstaclesAndFields({ ...search, filter: { includeFlags: ALL_FLAGS, excludeFlags: 0 } }, open);
  return both.length > 0 ? bakedRow(search, level, both) : [];
}

/**
 * The causes that stand in a row, where none opens the way alone.
 * @param {Search} search @returns {Cause[]} row by row, in the order of the way; the first of each has the changes of all. Empty: there is no such row
 */
export function rowCauses(search) {
  const { level } = search, grounds = new Grounds(search);
  if (!level) return grounds.areJoined ? [] : apartRow(search, grounds);
  const [on, off] = grounds.areJoined ? [[], []] : linkRows(search, level, grounds);
  const found = [...on, ...fieldRows(search, level, grounds)];
  if (found.length > 0 || grounds.areJoined) return found;
  return off.length > 0 ? off : gapRow(search, level, grounds);
}
