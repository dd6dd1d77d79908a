/** Types of causes and changes, and trying the changes of a mesh on a path. */
import { NavMesh } from '../mesh/mesh.js';
import { NAV_MESH } from '../runtime/handle-kinds.js';
import { addressOf } from '../runtime/handle.js';
import { Filter } from '../query/filter.js';
import { polygonOf, tileOf } from './mesh-graph.js';
import { flagsAfter, placeOf } from './switched-flags.js';

/** @typedef {import('../runtime/arguments.js').Point} Point */
/** @typedef {import('../runtime/arguments.js').PolygonRef} PolygonRef */
/** @typedef {import('../mesh/switches.js').Switches} Switches */
/** @typedef {import('../query/find-path.js').PathOptions} PathOptions */
/** @typedef {import('./mesh-graph.js').Vector} Vector */

/**
 * The kinds of causes: each stops a search, or makes a path long.
 * - `start-not-found`, `end-not-found`: no polygon is near the point
 * - `node-limit`: the search ended at maxNodes
 * - `switch`: a closed door, or a switch that changes flags; `filter`: flags of the polygons
 * - `missing-tile`: the ground goes on into a tile that isn't in the mesh
 * - `one-way`: a connection or segment link that leads the other way; `disabled`: one that is disabled
 * - `untied`: a connection with an end off the mesh
 * - with a level: `step`, `slope`, `narrow`, `headroom`, `region` (too small), `gap`; `limits`: several fields, only together;
 *   `obstacle`: volumes of area 0, obstacles of a dynamic mesh, and solids;
 *   `link`: a kind of link that is off, or whose limits are too low; `outdated`: the level has a way, the mesh hasn't
 * - `apart`: the mesh ends, and no level was given; `closed`: nothing opens it
 * @typedef {'start-not-found' | 'end-not-found' | 'node-limit' | 'switch' | 'filter' | 'missing-tile' | 'one-way' | 'disabled' | 'untied' | 'step' | 'slope'
 *   | 'narrow' | 'headroom' | 'region' | 'gap' | 'limits' | 'obstacle' | 'link' | 'outdated' | 'apart' | 'closed'} CauseKind
 */

/**
 * A change that opens a way.
 * - `config`: bake with these fields; `rebake`: bake with the same ones
 * - `switch`: open the door, or set the switch: `switches.set(number, isOn)` (`switches` isn't enumerable); `filter`: use these flags in the filter
 * - `tile`: add the missing tile; `enable`, `two-way`: change the connection or segment link at `point`; `connect`: add one from start to end
 * - `move`: remove the connection, and add the same from `start` to `end`
 * - `links`: bake with these links, or configure a link generator for them and generate; only `limits` of `linkKind` differ
 * - `remove`: a volume or solid of the level by its index, or an obstacle of a dynamic mesh, a `shape` at `point`: `dynamic.removeObstacle(obstacle)` (`dynamic` isn't enumerable)
 * - `nodes`: raise maxNodes
 * @typedef {{ kind: 'config', fields: Partial<import('../input/config.js').Config> } | { kind: 'rebake' }
 *   | { kind: 'switch', switches: Switches, number: number, name?: string, isDoor: boolean, isOn: boolean }
 *   | { kind: 'filter', includeFlags?: number, excludeFlags?: number } | { kind: 'tile', x: number, z: number }
 *   | { kind: 'enable' | 'two-way', connection: PolygonRef, point: Vector, isSegmentLink?: boolean } | { kind: 'move', connection: PolygonRef, start: Vector, end: Vector } | { kind: 'connect', start: Vector, end: Vector, length: number }
 *   | { kind: 'remove', volume: number, solid?: undefined, obstacle?: undefined } | { kind: 'remove', solid: number, volume?: undefined, obstacle?: undefined }
 *   | { kind: 'remove', obstacle: import('../runtime/arguments.js').ObstacleHandle, shape: string, point: Vector, dynamic: import('../dynamic/dynamic-nav-mesh.js').DynamicNavMesh, volume?: undefined, solid?: undefined }
 *   | { kind: 'nodes', maxNodes: number } | { kind: 'links', linkKind: import('../runtime/link-kinds.js').LinkKind, limits: Record<string, number>, links: import('../input/link-config.js').LinkConfig }} Change
 */

/**
 * @typedef {object} Cause
 * @property {CauseKind} kind
 * @property {string} text one or two sentences: the cause, then the change
 * @property {Vector | null} point where it is; null: nowhere in particular
 * @property {number | null} figure measured there: a step, a gap, a width, headroom in world units, a slope in degrees; null: none
 * @property {Change[]} changes all of them together open the way; empty: no change is known, or the cause is needed with another one
 * @property {boolean} isVerified true if the path was found with these changes
 * @property {number | null} saves how much shorter the path becomes, world units; null: there was no path before
 * @property {Change[][]} [alternatives] other changes that were tried: those of each open the way as well
 * @property {boolean} [isAlsoNeeded] true: it stands in a row with the cause before it; the changes of the first one of the row open all of them
 */

/** @typedef {{ includeFlags: number, excludeFlags: number, areaCosts?: ArrayLike<number> | Readonly<Record<number, number>> }} PlainFilter */

/** A filter that other meshes accept too. @param {PathOptions['filter']} filter @returns {PlainFilter} */
export function plainFilter(filter) {
  const { includeFlags = 0xffff, excludeFlags = 0 } = filter ?? {};
  if (!filter || !('areaCost' in filter)) return { includeFlags, excludeFlags, ...(filter && 'areaCosts' in filter && filter.areaCosts && { areaCosts: filter.areaCosts }) };
  return { includeFlags, excludeFlags, areaCosts: Array.from({ length: 64 }, (_, area) => filter.areaCost(area)) };
}

/** @param {PlainFilter} filter @param {number} flags */
export const passes = ({ includeFlags, excludeFlags }, flags) => (flags & includeFlags) !== 0 && (flags & excludeFlags) === 0;

/** A mesh with the same tiles, connections and flags. The caller frees it. @param {NavMesh} navMesh @returns {NavMesh} */
export function copyMesh(navMesh) {
  const { session } = navMesh, { wasm } = session;
  session.check(wasm.mesh_write(addressOf(navMesh, NAV_MESH), 1));
  session.refresh();
  const [bytes, count] = session.u32.slice(session.answer, session.answer + 2);
  try {
    session.check(wasm.mesh_read(session.handle, bytes, count));
    return new NavMesh(session, session.u32[session.answer]);
  } finally {
    wasm.memory_free(session.handle, bytes);
  }
}

/** @param {PlainFilter} filter @param {{ includeFlags?: number, excludeFlags?: number }} change @returns {PlainFilter} */
export const applyFilter = (filter, { includeFlags = filter.includeFlags, excludeFlags = filter.excludeFlags }) => ({ ...filter, includeFlags, excludeFlags });

/**
 * The polygon costs of a filter for its mesh, or for a copy, whose references differ: without those of connections and segment links.
 * @param {NavMesh} mesh or a copy @param {NavMesh} navMesh of the filter @param {PathOptions['filter']} filter
 * @returns {{ polygons: ArrayLike<number>, factors: Float32Array } | undefined} undefined: it has none
 */
function polygonCostsOn(mesh, navMesh, filter) {
  const costs = filter instanceof Filter ? filter.polygonCosts() : undefined;
  if (!costs || costs.polygons.length === 0 || mesh === navMesh) return costs && costs.polygons.length > 0 ? costs : undefined;
  const tiles = movedTiles(mesh, navMesh, costs.polygons);
  const moved = Array.from(costs.polygons, (polygon) => (tiles.get(tileOf(polygon)) ?? 0) + polygonOf(polygon));
  const isMoved = (/** @type {number} */ _, /** @type {number} */ i) => tiles.has(tileOf(costs.polygons[i]));
  return { polygons: moved.filter(isMoved), factors: costs.factors.filter(isMoved) };
}

/** The tiles of polygons, and the same tiles in a copy. @param {NavMesh} copy @param {NavMesh} navMesh @param {import('../runtime/arguments.js').PolygonRefs} polygons @returns {Map<number, number>} */
function movedTiles(copy, navMesh, polygons) {
  const ground = new Set(navMesh.tileRefs().map(tileOf)), moved = new Map();
  for (const polygon of polygons) {
    if (moved.has(tileOf(polygon)) || !ground.has(tileOf(polygon))) continue;
    const { x, z, layer } = placeOf(navMesh, polygon), tile = copy.tileAt(x, z, layer);
    if (tile !== 0) moved.set(tileOf(polygon), tile);
  }
  return moved;
}

/** The kinds of links that lead back, where they are others. @type {Partial<Record<import('../runtime/link-kinds.js').LinkKind, import('../runtime/link-kinds.js').LinkKind>>} */
export const BACKWARDS = { drop: 'climb', climb: 'drop' };

/** True of a change of a segment link. @param {Change} change */
const isOfLink = (change) => (change.kind === 'two-way' || change.kind === 'enable') && Boolean(change.isSegmentLink);

/** Tries changes of a mesh on a path: those of the filter on the mesh, all others on one copy, and takes them back. The caller frees it. */
export class MeshTrials {
  /** Made when it is first needed. @type {NavMesh | null} */
  #copy = null;
  #navMesh;
  #start;
  #end;
  #options;
  #filter;
  #bakeTile;
  #mayCopy;

  /**
   * @param {NavMesh} navMesh @param {Point} start @param {Point} end @param {PathOptions} options @param {PlainFilter} filter of the options
   * @param {(x: number, z: number) => Uint8Array | null} bakeTile null: the tile is unknown, or empty
   * @param {boolean} [mayCopy] false: only changes of the filter are tried
   */
  constructor(navMesh, start, end, options, filter, bakeTile, mayCopy = true) {
    this.#mayCopy = mayCopy;
    this.#navMesh = navMesh;
    this.#filter = filter;
    this.#start = start;
    this.#end = end;
    this.#options = options;
    this.#bakeTile = bakeTile;
  }

  /** The length of the path with changes; null: none is found, or a change can't be tried. @param {readonly Change[]} changes @returns {number | null} */
  lengthWith(changes) {
    return this.pathWith(changes)?.length ?? null;
  }

  /** The complete path with changes; null: none is found, or a change can't be tried. @param {readonly Change[]} changes @returns {import('../query/find-path.js').Path | null} */
  pathWith(changes) {
    const filter = changes.reduce((flags, change) => (change.kind === 'filter' ? applyFilter(flags, change) : flags), this.#filter);
    const others = changes.filter(({ kind }) => kind !== 'filter');
    if (others.length === 0) return this.#pathOn(this.#navMesh, filter);
    if (!this.#mayCopy) return null;
    const copy = this.#copy ??= copyMesh(this.#navMesh);
    /** @type {(() => void)[]} */
    const undo = [];
    try {
      return this.#turn(copy, others, undo) ? this.#pathOn(copy, filter) : null;
    } finally {
      if (others.some(isOfLink)) this.free(); // references of links change with each one that is added or removed
      else for (const back of undo.reverse()) back();
    }
  }

  /** Frees the copy. */
  free() {
    this.#copy?.free();
    this.#copy = null;
  }

  /** The complete path on this mesh or a copy; null: none is found. @param {NavMesh} mesh @param {PlainFilter} plain @returns {import('../query/find-path.js').Path | null} */
  #pathOn(mesh, plain) {
    const polygonCosts = polygonCostsOn(mesh, this.#navMesh, this.#options.filter);
    const own = polygonCosts && mesh.createFilter({ ...plain, polygonCosts });
    try {
      const path = mesh.findPath(this.#start, this.#end, { ...this.#options, maxNodes: 0, filter: own ?? plain });
      return path.status === 'complete' ? path : null;
    } finally {
      own?.free();
    }
  }

  /** @param {NavMesh} copy @param {readonly Change[]} changes @param {(() => void)[]} undo receives what takes them back @returns {boolean} true if all were applied */
  #turn(copy, changes, undo) {
    for (const { x, z, layer, index, flags } of flagsAfter(this.#navMesh, changes.filter((change) => change.kind === 'switch'))) {
      const polygon = copy.tileAt(x, z, layer) + index, before = copy.polygonFlags(polygon);
      undo.push(() => copy.setPolygonFlags(polygon, before));
      copy.setPolygonFlags(polygon, flags);
    }
    // Links are found by their order, so they are enabled before any is added.
    const isFirst = (/** @type {Change} */ change) => isOfLink(change) && change.kind === 'enable';
    return [...changes.filter(isFirst), ...changes.filter((change) => !isFirst(change))]
      .every((change) => change.kind === 'switch' || this.#apply(copy, change, undo));
  }

  /** @param {NavMesh} copy @param {Change} change @param {(() => void)[]} undo @returns {boolean} true if it was applied */
  #apply(copy, change, undo) {
    const connect = (/** @type {import('../mesh/connections.js').ConnectionOptions} */ options) => {
      const connection = copy.addConnection(options);
      undo.push(() => copy.removeConnection(connection));
    };
    if (change.kind === 'move') {
      const { radius, climb, area, flags, costFactor, bidirectional } = this.#navMesh.connection(change.connection);
      connect({ start: change.start, end: change.end, radius, climb, area, flags, costFactor, bidirectional });
    } else if (change.kind === 'connect') connect({ start: change.start, end: change.end });
    else if ((change.kind === 'two-way' || change.kind === 'enable') && change.isSegmentLink) this.#applyToLink(copy, change.connection, change.kind);
    else if (change.kind === 'two-way' || change.kind === 'enable') {
      const { start, end, radius, climb, area, flags, costFactor, bidirectional } = this.#navMesh.connection(change.connection);
      connect({ start, end, radius, climb, area, flags, costFactor, bidirectional: bidirectional || change.kind === 'two-way' });
    } else if (change.kind === 'tile') {
      if (copy.tileAt(change.x, change.z) !== 0) return true; // added by another of the changes
      const bytes = this.#bakeTile(change.x, change.z);
      if (!bytes) return false;
      const tile = copy.addTile(bytes);
      undo.push(() => copy.removeTile(tile));
    } else return false;
    return true;
  }

  /** Enables the copy of a segment link, or adds one that leads back. @param {NavMesh} copy @param {PolygonRef} ref @param {'two-way' | 'enable'} kind */
  #applyToLink(copy, ref, kind) {
    if (kind === 'enable') {
      copy.setSegmentLinkEnabled(copy.segmentLinks().refs[this.#navMesh.segmentLinks().refs.indexOf(ref)], true);
      return;
    }
    const { kind: linkKind, start, end, peak, cost, area, flags } = this.#navMesh.segmentLink(ref);
    const [from, to] = [end, start].map(([left, right]) => /** @type {[Point, Point]} */ ([right, left]));
    copy.addSegmentLink({ kind: BACKWARDS[linkKind] ?? linkKind, start: from, end: to, peak, cost, area, flags, bidirectional: false });
  }
}
