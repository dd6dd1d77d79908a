/** Causes that the mesh itself shows: doors, filters, connections, missing tiles. The change of each is tried. */
import { passes } from './causes.js';
import { between } from './mesh-graph.js';
import { findBlockers } from './relaxed-search.js';
import { changeText, disabledText, filterText, oneWayText, placeText, rowText, switchText, tileText } from './words.js';

/** @typedef {import('../runtime/arguments.js').PolygonRef} PolygonRef */
/** @typedef {import('../mesh/mesh.js').NavMesh} NavMesh */
/** @typedef {import('../mesh/switches.js').Switches} Switches */
/** @typedef {import('./causes.js').Cause} Cause */
/** @typedef {import('./causes.js').Change} Change */
/** @typedef {import('./causes.js').MeshTrials} MeshTrials */
/** @typedef {import('./causes.js').PlainFilter} PlainFilter */
/** @typedef {import('./mesh-graph.js').MeshGraph} MeshGraph */
/** @typedef {import('./mesh-graph.js').Vector} Vector */
/** @typedef {import('./relaxed-search.js').Blocker} Blocker */
/** @typedef {{ switches: Switches, number: number, name?: string, isDoor: boolean, isOn: boolean }} SwitchItem isOn: now */

/** Flags of a door's switch: all are cleared while it is closed. */
const ALL_FLAGS = 0xffff;
/** The cost of a change on a way, world units: more than any way. */
const PENALTY = 1e9;
/** Most alternatives that are tried beside the way with the fewest changes. */
const MOST_ALTERNATIVES = 12;

/** The switches over each polygon. @param {NavMesh} navMesh @returns {Map<PolygonRef, SwitchItem[]>} */
function switchesByPolygon(navMesh) {
  /** @type {Map<PolygonRef, SwitchItem[]>} */
  const found = new Map();
  for (const switches of navMesh.switches) {
    if (switches.isFreed) continue;
    const options = switches.list();
    switches.numbers().forEach((number, i) => {
      const { name, setFlags = 0, clearFlags = 0, isOn = false } = options[i];
      const item = { switches, number, name, isDoor: clearFlags === ALL_FLAGS && setFlags === 0, isOn };
      if (item.isDoor && !isOn) return;
      for (const polygon of switches.polygons(number)) found.set(polygon, [...(found.get(polygon) ?? []), item]);
    });
  }
  return found;
}

/** The change that turns a switch. @param {SwitchItem} item @returns {Change} */
function switchChange({ switches, number, name, isDoor, isOn }) {
  const change = { kind: /** @type {const} */ ('switch'), number, ...(name !== undefined && { name }), isDoor, isOn: !isOn };
  // Not enumerable: causes can be printed, copied and sent.
  return Object.defineProperty(/** @type {Change & { kind: 'switch' }} */ (change), 'switches', { value: switches });
}

/** Finds the doors, flags, connections and links that keep a search out of a polygon. */
export class Blockers {
  #navMesh;
  #graph;
  #filter;
  #switches;
  /** @type {Set<PolygonRef>} */
  #connections;

  /** @param {NavMesh} navMesh @param {MeshGraph} graph @param {PlainFilter} filter */
  constructor(navMesh, graph, filter) {
    this.#navMesh = navMesh;
    this.#graph = graph;
    this.#filter = filter;
    this.#switches = switchesByPolygon(navMesh);
    this.#connections = new Set(navMesh.connections());
  }

  /** @param {PolygonRef} polygon */
  #isDisabled(polygon) {
    if (this.#graph.isSegmentLink(polygon)) return !this.#navMesh.segmentLink(polygon).enabled;
    return this.#connections.has(polygon) && !this.#navMesh.connection(polygon).enabled;
  }

  /** The start of a connection, or the middle of the start of a segment link. @param {PolygonRef} ref @returns {Vector} */
  #startOf(ref) {
    return this.#graph.isSegmentLink(ref) ? between(...this.#navMesh.segmentLink(ref).start) : this.#navMesh.connection(ref).start;
  }

  /** The words for a connection or segment link. @param {PolygonRef} ref */
  #nameOf(ref) {
    return `${this.#graph.isSegmentLink(ref) ? `${this.#navMesh.segmentLink(ref).kind} link` : 'connection'} at ${placeText(this.#startOf(ref))}`;
  }

  /** The words for what flags are given to: an area of the ground, a kind of links, or a connection. @param {PolygonRef} ref */
  #groupOf(ref) {
    if (this.#graph.isSegmentLink(ref)) return `${this.#navMesh.segmentLink(ref).kind}s`;
    return this.#graph.isConnection(ref) ? `the ${this.#nameOf(ref)}` : `area ${this.#graph.area(ref)}`;
  }

  /** @param {'enable' | 'two-way'} kind @param {PolygonRef} ref @returns {Change} */
  #changeOf(kind, ref) {
    return { kind, connection: ref, point: this.#startOf(ref), ...(this.#graph.isSegmentLink(ref) && { isSegmentLink: true }) };
  }

  /** A word for what keeps a search out of a polygon; null: nothing. @param {PolygonRef} polygon */
  keyOf = (polygon) => {
    const flags = this.#graph.flags(polygon);
    if (this.#isDisabled(polygon)) return `disabled ${polygon}`;
    if (passes(this.#filter, flags)) return null;
    const items = this.#switches.get(polygon);
    if (items) return `switch ${items.map(({ number }) => number).join(' ')}`;
    const isAlone = this.#graph.isConnection(polygon) && !this.#graph.isSegmentLink(polygon);
    return `filter ${isAlone ? polygon : this.#groupOf(polygon)} ${flags}`;
  };

  /** The cause of a blocker, without a check. @param {Blocker} blocker @returns {Pick<Cause, 'kind' | 'text' | 'changes' | 'point'>[]} one for each switch */
  causesOf(blocker) {
    const { key, point, polygon } = blocker;
    if (blocker.kind === 'tile') return [{ kind: 'missing-tile', text: tileText(blocker), point, changes: [{ kind: 'tile', x: blocker.x, z: blocker.z }] }];
    if (blocker.kind === 'one-way') return [{ kind: 'one-way', text: oneWayText(this.#nameOf(polygon)), point, changes: [this.#changeOf('two-way', polygon)] }];
    if (key.startsWith('disabled')) return [{ kind: 'disabled', text: disabledText(this.#nameOf(polygon)), point, changes: [this.#changeOf('enable', polygon)] }];
    if (key.startsWith('switch')) {
      return (this.#switches.get(polygon) ?? []).map((item) => (
        { kind: 'switch', text: switchText(item), point, changes: [switchChange(item)] }));
    }
    return [this.#filterCause(polygon, point)];
  }

  /** @param {PolygonRef} polygon @param {Vector} point @returns {Pick<Cause, 'kind' | 'text' | 'changes' | 'point'>} */
  #filterCause(polygon, point) {
    const { includeFlags, excludeFlags } = this.#filter;
    const flags = this.#graph.flags(polygon), excluded = flags & excludeFlags;
    /** @type {Change} */
    const change = { kind: 'filter', ...((flags & includeFlags) === 0 && { includeFlags: includeFlags | flags }), ...(excluded !== 0 && { excludeFlags: excludeFlags & ~excluded }) };
    return { kind: 'filter', text: filterText(excluded, flags, this.#groupOf(polygon)), point, changes: flags === 0 ? [] : [change] };
  }
}

/** Changes of several causes as one list: those of the filter are joined. @param {readonly Change[]} changes @param {PlainFilter} filter @returns {Change[]} */
export function mergeChanges(changes, filter) {
  const filters = changes.filter((change) => change.kind === 'filter');
  const others = changes.filter(({ kind }) => kind !== 'filter');
  if (filters.length < 2) return [...changes];
  const includeFlags = filters.reduce((flags, change) => flags | (change.includeFlags ?? 0), filter.includeFlags);
  const excludeFlags = filters.reduce((flags, change) => flags & (change.excludeFlags ?? ALL_FLAGS), filter.excludeFlags);
  return [...others, { kind: 'filter', ...(includeFlags !== filter.includeFlags && { includeFlags }), ...(excludeFlags !== filter.excludeFlags && { excludeFlags }) }];
}

/** A cause with its changes tried. @param {Pick<Cause, 'kind' | 'text' | 'changes' | 'point'> & { figure?: number }} cause @param {number | null} length with the changes @param {number | null} before @returns {Cause} */
export function triedCause(cause, length, before) {
  const isVerified = length !== null;
  const text = [cause.text, changeText(cause.changes, isVerified)].filter((part) => part !== '').join(' ');
  return { figure: null, ...cause, text, isVerified, saves: length !== null && before !== null ? before - length : null };
}

/**
 * The causes along the way with the fewest changes, in its order, then other single changes that open a way.
 * @param {MeshGraph} graph @param {{ navMesh: NavMesh, blockers: Blockers, trials: MeshTrials, filter: PlainFilter, start: { polygon: PolygonRef, point: Vector }, end: { polygon: PolygonRef, point: Vector } }} search
 * @param {number | null} before length of the path; null: there is none @returns {Cause[]} empty: no change of the mesh opens a way
 */
export function meshCauses(graph, { navMesh, blockers, trials, filter, start, end }, before) {
  const isAllowed = isShorter(before);
  const { parameters } = navMesh;
  /** @type {Set<string>} */
  const tried = new Set();
  /** @type {Cause[]} */
  const found = [];
  for (let round = 0; round < MOST_ALTERNATIVES; round++) {
    const way = findBlockers(graph, parameters, start, end, { penalty: before === null ? PENALTY : 0, keyOf: blockers.keyOf, isUsable: (key) => !tried.has(key) });
    if (!way || way.length === 0) break;
    // Another way is told only if a single change opens it.
    if (round > 0 && way.length > 1 && before === null) break;
    for (const { key } of way) tried.add(key);
    found.push(...tryWay(way.flatMap((blocker) => blockers.causesOf(blocker)), trials, filter, before, isAllowed));
    if (found.some(({ isVerified }) => !isVerified)) break;
  }
  return found;
}

/**
 * The causes along the way between two polygons with the fewest changes, none of them tried.
 * @param {MeshGraph} graph @param {NavMesh} navMesh @param {Blockers} blockers @param {{ polygon: PolygonRef, point: Vector }} from @param {{ polygon: PolygonRef, point: Vector }} to
 * @returns {Pick<Cause, 'kind' | 'text' | 'changes' | 'point'>[] | null} null: there is no way
 */
export function causesBetween(graph, navMesh, blockers, from, to) {
  const way = findBlockers(graph, navMesh.parameters, from, to, { penalty: PENALTY, keyOf: blockers.keyOf });
  return way && way.flatMap((blocker) => blockers.causesOf(blocker));
}

/** The least share of a path that a change must save to be told. */
export const WORTH = 0.1;

/** True for lengths that are worth telling. @param {number | null} before length of the path; null: there is none @returns {(length: number | null) => boolean} */
export const isShorter = (before) => (length) => length !== null && (before === null || length < (1 - WORTH) * before);

/** The causes of one way: those whose change alone is enough, or all of them together. @param {Pick<Cause, 'kind' | 'text' | 'changes' | 'point'>[]} causes @param {MeshTrials} trials @param {PlainFilter} filter @param {number | null} before @param {(length: number | null) => boolean} isAllowed @returns {Cause[]} */
function tryWay(causes, trials, filter, before, isAllowed) {
  const single = causes.map((cause) => ({ cause, length: cause.changes.length > 0 ? trials.lengthWith(cause.changes) : null })).filter(({ length }) => isAllowed(length));
  if (single.length > 0) return single.sort((a, b) => Number(a.length) - Number(b.length)).map(({ cause, length }) => triedCause(cause, length, before));
  const changes = mergeChanges(causes.flatMap((cause) => cause.changes), filter);
  const length = causes.every((cause) => cause.changes.length > 0) ? trials.lengthWith(changes) : null;
  if (before !== null && !isAllowed(length)) return [];
  return rowOf(causes, changes, length, before);
}

/**
 * Causes in a row: the first has the changes of all.
 * @param {readonly (Pick<Cause, 'kind' | 'text' | 'point'> & { figure?: number | null })[]} causes in the order of the way, their texts without changes
 * @param {Change[]} changes of all @param {number | null} length with the changes @param {number | null} before @returns {Cause[]}
 */
export function rowOf(causes, changes, length, before) {
  const isVerified = length !== null;
  /** @type {Cause[]} */
  const all = causes.map((cause, i) => ({ ...cause, figure: cause.figure ?? null, changes: i === 0 ? changes : [], isVerified: i === 0 && isVerified, saves: null, ...(i > 0 && { isAlsoNeeded: true }) }));
  all[0] = { ...all[0], text: rowText(causes.map(({ text }) => text), changes, isVerified), saves: length !== null && before !== null ? before - length : null };
  return all;
}
