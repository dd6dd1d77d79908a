/**
 * Explains a path: why there is none, or why it is long. The search is traced, so the reached ground is what the search itself reached.
 * It tries a change before it suggests it: on this mesh, on a copy of it, or by a bake of the level. Changes that it can't try say "May pass".
 */
import { NO_OPTIONS, isRecord, numbersOfPoint, requireBoolean, requireOptions } from '../runtime/arguments.js';
import { describe, invalidArgument } from '../runtime/errors.js';
import { NAV_MESH } from '../runtime/handle-kinds.js';
import { addressOf } from '../runtime/handle.js';
import { requireLevelOf } from '../mesh/level-check.js';
import { nameSet } from '../runtime/option-names.js';
import { PATH_NAMES } from '../query/find-path.js';
import { MeshTrials, passes, plainFilter } from './causes.js';
import { LONGEST, gapCause, shortestCrossings } from './gaps.js';
import { levelCauses } from './level-causes.js';
import { LevelTrials } from './level-trials.js';
import { linkCauses, ownLinks } from './link-causes.js';
import { linkRow } from './link-rows.js';
import { Blockers, WORTH, isShorter, meshCauses, triedCause } from './mesh-causes.js';
import { MeshGraph } from './mesh-graph.js';
import { obstacleCause, withObstaclesOf } from './obstacle-causes.js';
import { obstacleRow, rowCauses } from './row-causes.js';
import { placesOf } from './places.js';
import { distanceOf, frontierOf, leadingFrom, leadingTo } from './reach.js';
import { findShortcuts } from './shortcuts.js';
import { solidCauses } from './solid-causes.js';
import { tracePath } from './trace.js';
import { untiedCauses } from './untied-causes.js';
import { OUTDATED_TEXT, apartText, groundText, metres, placeText } from './words.js';

/** @typedef {import('../runtime/arguments.js').Point} Point */
/** @typedef {import('../runtime/arguments.js').PointArgument} PointArgument */
/** @typedef {import('../runtime/arguments.js').PolygonRefs} PolygonRefs */
/** @typedef {import('../runtime/arguments.js').PolygonRef} PolygonRef */
/** @typedef {import('../input/config.js').Config} Config */
/** @typedef {import('../input/geometry.js').Geometry} Geometry */
/** @typedef {import('../mesh/mesh.js').NavMesh} NavMesh */
/** @typedef {import('../query/find-path.js').Path} Path */
/** @typedef {import('../query/find-path.js').PathOptions} PathOptions */
/** @typedef {import('./causes.js').Cause} Cause */
/** @typedef {import('./mesh-graph.js').Vector} Vector */
/** @typedef {import('./places.js').Place} Place */

/**
 * The level of a mesh, as it was baked.
 * @typedef {object} ExplainedLevel
 * @property {Geometry} geometry
 * @property {Config} [config] of the bake; default: the mesh's own
 */

/**
 * The options of findPath, and these two:
 * - `level`: the level of the mesh
 * - `tryChanges`: default true. If it is false, the answer has only what the mesh shows: no mesh is copied, nothing is baked, and `level` isn't
 *   read. Only changes of the filter and of maxNodes are tried; the text says of the others that they "may pass". Of a complete path the text
 *   gives the length, and there are no causes
 * @typedef {PathOptions & { level?: ExplainedLevel, tryChanges?: boolean }} ExplainOptions
 */

/**
 * @typedef {object} PathExplanation
 * @property {Path} path as findPath returns it, to the bit
 * @property {string} text one line: whether there is a path, and the first cause
 * @property {Cause[]} causes the first is the likeliest; none if the path is complete and nothing makes it much shorter
 * @property {PolygonRefs} reached references of the polygons that the search reached
 * @property {Place[]} places where it ended, the nearest to the end's ground first; at most 24; none for a complete path
 */

const NAMES = nameSet({ level: 1, tryChanges: 1 }, PATH_NAMES);
const LEVEL_NAMES = nameSet(/** @satisfies {import('../runtime/option-names.js').Names<ExplainedLevel>} */ ({ geometry: 1, config: 1 }));

/** @param {NavMesh} navMesh @param {ExplainedLevel | undefined} level */
function readLevel(navMesh, level) {
  if (level === undefined) return null;
  if (!isRecord(level)) throw invalidArgument('level', `must be an object with the geometry, and a config, not ${describe(level)}`, level);
  const { geometry, config = navMesh.config } = requireOptions(level, LEVEL_NAMES);
  if (config === null) throw invalidArgument('level.config', 'is missing: the mesh has no configuration of its own', config);
  requireLevelOf(navMesh, geometry, 'level.geometry');
  return { geometry, config };
}

/** That of findPath. @type {Vector} */
const DEFAULT_HALF_EXTENTS = [2, 4, 2];

/** The end that has no polygon. @type {Partial<Record<import('../query/find-path.js').PathReason, 'start-not-found' | 'end-not-found'>>} */
const MISSING_END = { 'start-not-found': 'start-not-found', 'start-excluded': 'start-not-found', 'end-not-found': 'end-not-found', 'end-excluded': 'end-not-found' };

/** Crossings over which links are tried, and how many times as long as the longest jump they may be. */
const [MOST_CROSSINGS, LINK_REACH] = [3, 1.5];

/** Causes of links: of kinds that are on, and of those that are off. @param {readonly Cause[]} causes @param {import('../input/link-config.js').LinkConfig} links @returns {[Cause[], Cause[]]} */
function byState(causes, links) {
  const isOn = (/** @type {Cause} */ { changes: [change] }) => change.kind === 'links' && links[change.linkKind] !== undefined;
  return [causes.filter(isOn), causes.filter((cause) => !isOn(cause))];
}

/** True for a change of the configuration that was tried. @param {Cause} cause */
const isSetting = ({ isVerified, changes: [change] }) => isVerified && change?.kind === 'config';

/** True for a cause whose change more than doubles a limit of links. @param {Cause} cause @param {import('../input/link-config.js').LinkConfig} links */
const isDoubled = ({ changes: [change] }, links) => change?.kind === 'links' && Object.entries(change.limits).some(([name, value]) => (
  value > 2 * (/** @type {Record<string, number>} */ (links[change.linkKind] ?? {})[name] ?? Infinity)));

/** True for a cause whose change is a segment link in both directions. @param {Cause} cause */
const isLinkBackwards = ({ changes: [change] }) => change?.kind === 'two-way' && change.isSegmentLink === true;

/** One explanation under way. */
class Explainer {
  /** @type {Place[] | undefined} */
  #places;

  /** @param {NavMesh} navMesh @param {Point} start @param {Point} end @param {PathOptions} options @param {{ geometry: Geometry, config: Config } | null} level @param {boolean} triesChanges */
  constructor(navMesh, start, end, options, level, triesChanges) {
    this.navMesh = navMesh;
    this.triesChanges = triesChanges;
    this.trace = tracePath(navMesh, start, end, options); // checks the options
    this.filter = plainFilter(options.filter);
    const { islands, maxPoints: _, ...others } = options;
    this.usesIslands = islands !== undefined;
    this.options = others;
    this.graph = new MeshGraph(navMesh);
    const { path } = this.trace;
    /** Of the whole path, also where maxPoints cuts it. */
    this.length = path.isCut && path.status === 'complete' ? navMesh.findPath(start, end, others).length : path.length;
    const points = [start, end].map((point) => /** @type {Vector} */ (Array.from(/** @type {Vector} */ (numbersOfPoint(point)))));
    this.start = points[0];
    this.end = points[1];
    this.level = level && this.#makeTrials(level, { ...others, filter: this.filter });
    this.mesh = new MeshTrials(navMesh, start, end, others, this.filter, (x, z) => this.level?.tile(x, z) ?? null, triesChanges);
    this.passes = (/** @type {number} */ flags) => passes(this.filter, flags);
    this.reached = this.#findReached();
    /** The ground that leads to the end. */
    this.goal = this.trace.path.end ? leadingTo(this.graph, this.trace.path.end.polygon, this.passes) : new Set();
  }

  /** @param {{ geometry: Geometry, config: Config }} level @param {PathOptions} options */
  #makeTrials({ geometry: own, config }, options) {
    const { geometry, obstacles } = withObstaclesOf(this.navMesh, own);
    const switches = [...this.navMesh.switches].filter(({ isFreed }) => !isFreed);
    return new LevelTrials(this.navMesh.session, geometry, config, this.start, this.end, options, switches, obstacles);
  }

  /** @returns {Set<PolygonRef>} */
  #findReached() {
    const { path: { start, reason }, expanded, isCut } = this.trace;
    if (!start) return new Set();
    // With islands, the search knows before that it fails, and looks no farther than the nearest point.
    const isWhole = reason !== 'not-connected' || (!this.usesIslands && !isCut);
    return isWhole ? new Set(expanded) : leadingFrom(this.graph, start.polygon, this.passes);
  }

  /** @returns {Cause[]} */
  findCauses() {
    const { path } = this.trace;
    const missing = path.reason === null ? null : MISSING_END[path.reason];
    if (missing) return this.#whyNotFound(missing);
    if (path.status === 'complete') return this.triesChanges ? this.#whyLong(this.length) : [];
    const limit = path.reason === 'node-limit' ? this.#nodeLimit() : null;
    if (limit?.isVerified) return [limit];
    const untied = this.triesChanges ? untiedCauses(this.navMesh, this.graph, this.mesh, this.reached, this.goal) : [];
    const causes = [...(limit ? [limit] : []), ...untied, ...this.#meshCauses(null)];
    const found = causes.filter(({ isVerified }) => isVerified);
    if (found.length > 0 && !found.every(isLinkBackwards)) return causes;
    const inWay = this.#obstacleCauses(null);
    if (inWay.length > 0) return [...inWay, ...found];
    // Limits of kinds that are on say more than other settings, but for a row that more than doubles one; those of kinds that are off say less.
    const [ofCrossing, off] = this.#linkCauses();
    const on = ofCrossing.length > 0 ? ofCrossing : this.#linkRow(true);
    if (found.length > 0) return [...on, ...causes, ...off];
    const more = this.#levelCauses(null);
    // A cause that was tried comes before one that wasn't.
    const all = more.some(({ isVerified }) => isVerified) ? [...more, ...causes] : [...causes, ...more];
    const isLate = more.some(isSetting) && on !== ofCrossing && on.some((cause) => isDoubled(cause, ownLinks(this.navMesh, /** @type {LevelTrials} */ (this.level))));
    const known = isLate ? [...all, ...on, ...off] : [...on, ...all, ...off];
    if (known.some(({ isVerified }) => isVerified)) return known;
    const rows = this.#rowCauses();
    if (rows.some(({ isVerified }) => isVerified)) return rows;
    const solids = this.#solidCauses();
    if (solids.length > 0) return [...solids, ...rows, ...known];
    const others = [...this.#linkRow(false), ...rows, ...known];
    return others.length > 0 ? others : [this.#closed()];
  }

  /** The state from which the search for rows of causes begins; null if an end has no ground. @returns {import('./row-causes.js').Search | null} */
  #rowSearch() {
    const { navMesh, graph, filter, options, start, end, mesh, level } = this, [from, to] = this.#ends();
    return from && to && { navMesh, graph, filter, options, start, end, ends: [from, to], mesh, level };
  }

  /** Several causes in a row, none of which opens the way alone. @returns {Cause[]} */
  #rowCauses() {
    const search = this.#rowSearch();
    return search ? rowCauses(search) : [];
  }

  /** The links that the level has or may have, and how far crossings for them may lead. @param {LevelTrials} level */
  #linksOf(level) {
    const links = ownLinks(this.navMesh, level);
    return { links, longest: Math.max(LONGEST, LINK_REACH * (links.jump?.maxDistance ?? 0)) };
  }

  /** The links that would make a path much shorter: of kinds that are on, and of those that are off. @param {number} before its length @returns {[Cause[], Cause[]]} */
  #shorterLinks(before) {
    const { level, navMesh, start, end, options, trace: { path } } = this;
    if (!level || path.isCut) return [[], []];
    const { links, longest } = this.#linksOf(level);
    const crossings = findShortcuts(navMesh, path, { ...options, filter: this.filter }, longest, WORTH * before, MOST_CROSSINGS);
    return byState(linkCauses(navMesh, level, { start, end, options }, crossings, before, isShorter(before)), links);
  }

  /** The links that would open a way: of kinds that are on, and of those that are off. @returns {[Cause[], Cause[]]} */
  #linkCauses() {
    const { level, navMesh, start, end, options } = this;
    if (!level || this.goal.size === 0) return [[], []];
    const { links, longest } = this.#linksOf(level);
    const crossings = shortestCrossings(this.graph, this.reached, this.goal, longest, MOST_CROSSINGS, level);
    const causes = linkCauses(navMesh, level, { start, end, options }, crossings, null, isShorter(null));
    return byState(causes, links);
  }

  /** Links over several gaps or ledges that together open a way. @param {boolean} isOn true: only kinds that are on @returns {Cause[]} */
  #linkRow(isOn) {
    const { level, navMesh, passes: isPassed, goal, start, end, options } = this;
    if (!level || goal.size === 0) return [];
    return linkRow(navMesh, level, { start, end, options }, isPassed, this.#linksOf(level).longest, isOn);
  }

  /** @param {number | null} before @returns {Cause[]} */
  #meshCauses(before) {
    const { navMesh, graph, filter, mesh: trials } = this;
    const [start, end] = this.#ends();
    if (!start || !end) return [];
    return meshCauses(graph, { navMesh, blockers: new Blockers(navMesh, graph, filter), trials, filter, start, end }, before);
  }

  /** @param {number | null} before @returns {Cause[]} at most one */
  #obstacleCauses(before) {
    const cause = this.level?.isSmallEnough ? obstacleCause(this.level, before, isShorter(before)) : null;
    return cause ? [cause] : [];
  }

  /** @returns {Cause[]} at most one */
  #solidCauses() {
    const { level, navMesh, graph, reached, goal } = this;
    return level?.isSmallEnough ? solidCauses(level, navMesh, graph, new Set([...reached, ...goal]), isShorter(null)) : [];
  }

  /** @param {number | null} before @returns {Cause[]} */
  #levelCauses(before) {
    const { level } = this;
    if (!level?.isSmallEnough) return [];
    const { causes, isOpen } = levelCauses(level, { navMesh: this.navMesh, reached: this.reached }, before, isShorter(before));
    if (causes.length > 0 || before !== null) return causes;
    if (isOpen) {
      return [triedCause({ kind: 'outdated', text: OUTDATED_TEXT, point: null, changes: [{ kind: 'rebake' }] }, level.isExact ? 0 : null, null)];
    }
    // Obstacles aren't in the triangles: between them, a gap would look as if nothing was there.
    const search = this.#rowSearch(), row = search ? obstacleRow(search, level) : [];
    if (row.length > 0) return row;
    const gap = this.goal.size > 0 ? gapCause(this.graph, level, this.mesh, this.reached, this.goal) : null;
    return gap ? [gap] : [];
  }

  /** @param {number} length @returns {Cause[]} those that save most first, but links of kinds that are off last */
  #whyLong(length) {
    const { start, end } = this.trace.path;
    if (!start || !end || !isShorter(length)(distanceOf(start.point, end.point))) return [];
    this.level?.limitTo((1 - WORTH) * length);
    const [on, off] = this.#shorterLinks(length);
    const bySavings = (/** @type {Cause[]} */ causes) => causes.filter(({ isVerified }) => isVerified).sort((a, b) => Number(b.saves) - Number(a.saves));
    return [...bySavings([...this.#meshCauses(length), ...this.#obstacleCauses(length), ...this.#levelCauses(length), ...on]), ...bySavings(off)];
  }

  /** @returns {Cause} */
  #nodeLimit() {
    const { path } = this.trace;
    const whole = this.navMesh.findPath(this.start, this.end, { ...this.options, maxNodes: 0 });
    const text = `The search ended at its limit: maxNodes is ${this.options.maxNodes}.`;
    const point = /** @type {Vector} */ (Array.from(path.points.subarray(3 * path.count - 3, 3 * path.count)));
    const isOpen = whole.status === 'complete';
    return triedCause({ kind: 'node-limit', text, point, changes: isOpen ? [{ kind: 'nodes', maxNodes: this.#leastNodes(whole.searched) }] : [] }, isOpen ? whole.length : null, null);
  }

  /** The least limit, up to a few more, that the search passes. @param {number} searched without a limit */
  #leastNodes(searched) {
    for (let maxNodes = searched; maxNodes < 2 ** 30; maxNodes *= 2) {
      const { status } = this.navMesh.findPath(this.start, this.end, { ...this.options, maxNodes });
      if (status === 'complete') return maxNodes;
    }
    return 0;
  }

  /** Start and end on the mesh. Where the filter passes no ground, those on ground that it refuses, such as under a closed door. */
  #ends() {
    const { path } = this.trace, { halfExtents, radius, filter } = this.options;
    return [{ found: path.start, point: this.start }, { found: path.end, point: this.end }].map(({ found, point }) => (
      found ?? this.navMesh.nearestPoint(point, { halfExtents, radius, filter }) ?? this.graph.nearestGround(point, this.halfExtents)));
  }

  /** @param {'start-not-found' | 'end-not-found'} reason @returns {Cause[]} */
  #whyNotFound(reason) {
    const causes = this.#meshCauses(null);
    if (causes.some(({ isVerified }) => isVerified)) return causes;
    if (this.#isOffLevel(reason === 'start-not-found' ? this.start : this.end)) return [...causes, this.#notFound(reason, false)];
    const rows = this.#rowCauses();
    if (rows.length > 0) return rows;
    const inWay = this.#obstacleCauses(null);
    if (inWay.length > 0) return inWay;
    const [start, end] = this.#ends();
    const missing = reason === 'start-not-found' && start ? (end ? null : 'end-not-found') : reason === 'end-not-found' && end ? null : reason;
    const excluded = causes.length > 0 ? [] : this.#whyExcluded([start, end]);
    return [...this.#levelCauses(null), ...causes, ...(missing === null ? [] : [this.#notFound(missing)]), ...excluded];
  }

  /** True if the level has nothing near a point, so that no setting leaves ground there. @param {Vector} point */
  #isOffLevel(point) {
    return this.level?.isSmallEnough === true && !this.level.hasSurfaceNear(point, this.halfExtents);
  }

  /** Half the size of the boxes around start and end in which the search looks for polygons. @returns {Vector} */
  get halfExtents() {
    const { halfExtents = DEFAULT_HALF_EXTENTS, radius = 0 } = this.options;
    return radius > 0 ? [radius, radius, radius] : /** @type {Vector} */ (numbersOfPoint(halfExtents));
  }

  /** What keeps the search out of the ground at start and end. @param {({ polygon: PolygonRef, point: Vector } | null)[]} ends @returns {Cause[]} */
  #whyExcluded(ends) {
    const blockers = new Blockers(this.navMesh, this.graph, this.filter);
    return ends.flatMap((end) => {
      const key = end && blockers.keyOf(end.polygon);
      if (!end || !key) return [];
      return blockers.causesOf({ kind: 'polygon', key, point: end.point, polygon: end.polygon }).map((cause) => triedCause(cause, null, null));
    });
  }

  /** @param {'start-not-found' | 'end-not-found'} reason @param {boolean} [hasGround] false: no setting leaves ground there @returns {Cause} */
  #notFound(reason, hasGround = true) {
    const point = reason === 'start-not-found' ? this.start : this.end;
    const name = reason === 'start-not-found' ? 'start' : 'end';
    const { boundsMin, boundsMax } = this.navMesh.totals;
    const farthest = Math.hypot(...boundsMin.map((low, axis) => Math.max(Math.abs(low - point[axis]), Math.abs(boundsMax[axis] - point[axis]))));
    const halfExtents = /** @type {Vector} */ ([farthest, farthest, farthest]);
    const nearest = Number.isFinite(farthest) ? this.navMesh.nearestPoint(point, { halfExtents, filter: this.filter }) : null;
    const where = nearest ? `the nearest ground is ${metres(distanceOf(nearest.point, point))} away` : 'the mesh has no ground for this filter';
    const fields = hasGround && this.level?.isSmallEnough ? this.level.groundWith(point, this.halfExtents) : null;
    const text = [`The ${name} is not on the mesh: ${where}.`, ...(fields ? [groundText(fields)] : [])].join(' ');
    return { kind: reason, text, point, figure: nearest ? distanceOf(nearest.point, point) : null, changes: [], isVerified: false, saves: null };
  }

  /** @returns {Cause} what is left where nothing opens a way */
  #closed() {
    const [place] = this.places();
    const point = place?.point ?? null;
    if (this.level) {
      const text = this.level.isSmallEnough ? `Walls or other parts of the level close it off${point ? ` at ${placeText(point)}` : ''}: no setting that was tried, and no links of up to ${metres(this.#linksOf(this.level).longest)}, open a way.` : 'The level is too large to try settings between these points.';
      return { kind: 'closed', text, point, figure: null, changes: [], isVerified: false, saves: null };
    }
    const figure = place?.distance ?? null;
    return { kind: 'apart', text: apartText(figure, this.triesChanges), point, figure, changes: [], isVerified: false, saves: null };
  }

  /** @returns {Place[]} */
  places() {
    this.#places ??= this.#findPlaces();
    return this.#places;
  }

  /** @returns {Place[]} */
  #findPlaces() {
    if (this.trace.path.status === 'complete') return [];
    const goals = [...this.goal].flatMap((polygon) => (this.graph.isConnection(polygon) ? [this.graph.middle(polygon)] : this.graph.corners(polygon)));
    const borders = frontierOf(this.graph, this.goal).map(({ ends }) => ends);
    return placesOf(frontierOf(this.graph, this.reached), goals, borders, this.end);
  }
}

/** @param {Path} path @param {number} length of the whole path @param {readonly Cause[]} causes @param {boolean} triesChanges */
function summarize({ status }, length, causes, triesChanges) {
  const first = causes.length > 0 ? ` ${causes[0].text}` : '';
  if (status !== 'complete') return `There is no path.${first}`;
  if (!triesChanges) return `The path is ${metres(length)} long.`;
  return causes.length > 0 ? `The path is ${metres(length)} long, and could be ${metres(Number(causes[0].saves))} shorter.${first}` : `The path is ${metres(length)} long; no change makes it much shorter.`;
}

/**
 * Explains a path: where the search ended, what stopped it there, and the cheapest change that opens it. Of a complete path that is longer than
 * the straight line, it tells what makes it long.
 *
 * Without a level it knows what the mesh shows: doors, filters, connections, missing tiles, limits. With the level of the mesh it also bakes
 * the level with other configurations, and knows steps, slopes, narrow places, low headroom and gaps; that takes up to about 40 bakes of the
 * level, of at most a million cells around start and end. Where obstacles may be in the way, it bakes the level 64 to 400 times more at most:
 * fewer times the larger it is.
 *
 * The mesh does not change: changes of doors, connections and tiles are tried on one copy of it, which takes as much memory as its file.
 * All of it runs in one call: for large meshes and levels, call it in a worker, or with `tryChanges: false`.
 * @param {NavMesh} navMesh @param {PointArgument} start @param {PointArgument} end @param {ExplainOptions} [options] those of findPath, and the level
 * @returns {PathExplanation}
 */
export function explainPath(navMesh, start, end, options = NO_OPTIONS) {
  addressOf(navMesh, NAV_MESH);
  const { level, tryChanges = true, ...pathOptions } = requireOptions(options, NAMES);
  const explainer = new Explainer(navMesh, start, end, pathOptions, requireBoolean(tryChanges, 'tryChanges') ? readLevel(navMesh, level) : null, tryChanges);
  try {
    const causes = explainer.findCauses();
    const { path } = explainer.trace;
    return { path, text: summarize(path, explainer.length, causes, tryChanges), causes, reached: Float64Array.from(explainer.reached), places: explainer.places() };
  } finally {
    explainer.mesh.free();
  }
}

