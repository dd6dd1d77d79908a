/** Types of causes and changes, and trying the changes of a mesh on a path. */
import { NavMesh } from '../mesh/mesh.js';
import { NAV_MESH } from '../runtime/handle-kinds.js';
import { addressOf } from '../runtime/handle.js';
import { flagsAfter } from './switched-flags.js';

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
 * - with a level: `step`, `slope`, `narrow`, `headroom`, `region` (too small), `gap`; `limits`: several fields, only together;
 *   `link`: a kind of link that is off, or whose limits are too low; `outdated`: the level has a way, the mesh hasn't
 * - `apart`: the mesh ends, and no level was given; `closed`: nothing opens it
 * @typedef {'start-not-found' | 'end-not-found' | 'node-limit' | 'switch' | 'filter' | 'missing-tile' | 'one-way' | 'disabled' | 'step' | 'slope'
 *   | 'narrow' | 'headroom' | 'region' | 'gap' | 'limits' | 'link' | 'outdated' | 'apart' | 'closed'} CauseKind
 */

/**
 * A change that opens a way.
 * - `config`: bake with these fields; `rebake`: bake with the same ones
 * - `switch`: open the door, or set the switch: `switches.set(number, isOn)` (`switches` isn't enumerable); `filter`: use these flags in the filter
 * - `tile`: add the missing tile; `enable`, `two-way`: change the connection or segment link; `connect`: add one from start to end
 * - `links`: bake with these links, or configure a link generator for them and generate; only the limits of `linkKind` differ
 * - `nodes`: raise maxNodes
 * @typedef {{ kind: 'config', fields: Partial<import('../input/config.js').Config> } | { kind: 'rebake' }
 *   | { kind: 'switch', switches: Switches, number: number, name?: string, isDoor: boolean, isOn: boolean }
 *   | { kind: 'filter', includeFlags?: number, excludeFlags?: number } | { kind: 'tile', x: number, z: number }
 *   | { kind: 'enable' | 'two-way', connection: PolygonRef, isSegmentLink?: boolean } | { kind: 'connect', start: Vector, end: Vector, length: number }
 *   | { kind: 'nodes', maxNodes: number } | { kind: 'links', linkKind: import('../runtime/link-kinds.js').LinkKind, links: import('../input/link-config.js').LinkConfig }} Change
 */

/**
 * @typedef {object} Cause
 * @property {CauseKind} kind
 * @property {string} text one or two sentences: the cause, then the change
 * @property {Vector | null} point where it is; null: nowhere in particular
 * @property {number | null} figure measured there: a step, a gap, a width, headroom in world units, a slope in degrees; null: none
 * @property {Change[]} changes all of them together open the way; empty: no change is known
 * @property {boolean} isVerified true if the path was found with these changes
 * @property {number | null} saves how much shorter the path becomes, world units; null: there was no path before
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
const applyFilter = (filter, { includeFlags = filter.includeFlags, excludeFlags = filter.excludeFlags }) => ({ ...filter, includeFlags, excludeFlags });

/** Tries changes of a mesh on a path: those of the filter on the mesh, all others on a copy. */
export class MeshTrials {
  #navMesh;
  #start;
  #end;
  #options;
  #bakeTile;

  /**
   * @param {NavMesh} navMesh @param {Point} start @param {Point} end @param {PathOptions & { filter: PlainFilter }} options
   * @param {(x: number, z: number) => Uint8Array | null} bakeTile null: the tile is unknown, or empty
   */
  constructor(navMesh, start, end, options, bakeTile) {
    this.#navMesh = navMesh;
    this.#start = start;
    this.#end = end;
    this.#options = options;
    this.#bakeTile = bakeTile;
  }

  /** The length of the path with changes; null: none is found, or a change can't be tried. @param {readonly Change[]} changes @returns {number | null} */
  lengthWith(changes) {
    const filter = changes.reduce((flags, change) => (change.kind === 'filter' ? applyFilter(flags, change) : flags), this.#options.filter);
    const others = changes.filter(({ kind }) => kind !== 'filter');
    const copy = others.length > 0 ? copyMesh(this.#navMesh) : null;
    try {
      if (copy && !this.#turn(copy, others)) return null;
      const { status, length } = (copy ?? this.#navMesh).findPath(this.#start, this.#end, { ...this.#options, maxNodes: 0, filter });
      return status === 'complete' ? length : null;
    } finally {
      copy?.free();
    }
  }

  /** @param {NavMesh} copy @param {readonly Change[]} changes @returns {boolean} true if all were applied */
  #turn(copy, changes) {
    for (const { x, z, layer, index, flags } of flagsAfter(this.#navMesh, changes.filter((change) => change.kind === 'switch'))) {
      copy.setPolygonFlags(copy.tileAt(x, z, layer) + index, flags);
    }
    return changes.every((change) => change.kind === 'switch' || this.#apply(copy, change));
  }

  /** @param {NavMesh} copy @param {Change} change @returns {boolean} true if it was applied */
  #apply(copy, change) {
    if (change.kind === 'connect') copy.addConnection({ start: change.start, end: change.end });
    else if ((change.kind === 'two-way' || change.kind === 'enable') && change.isSegmentLink) this.#applyToLink(copy, change.connection, change.kind);
    else if (change.kind === 'two-way' || change.kind === 'enable') {
      const { start, end, radius, climb, area, flags, costFactor, bidirectional } = this.#navMesh.connection(change.connection);
      copy.addConnection({ start, end, radius, climb, area, flags, costFactor, bidirectional: bidirectional || change.kind === 'two-way' });
    } else if (change.kind === 'tile') {
      const bytes = this.#bakeTile(change.x, change.z);
      if (!bytes) return false;
      copy.replaceTile(bytes);
    } else return false;
    return true;
  }

  /** Enables the copy of a segment link, or adds one that leads back. @param {NavMesh} copy @param {PolygonRef} ref @param {'two-way' | 'enable'} kind */
  #applyToLink(copy, ref, kind) {
    if (kind === 'enable') {
      const i = this.#navMesh.segmentLinks().refs.indexOf(ref);
      copy.setSegmentLinkEnabled(copy.segmentLinks().refs[i], true);
      return;
    }
    const { kind: linkKind, start, end, peak, cost, area, flags } = this.#navMesh.segmentLink(ref);
    copy.addSegmentLink({ kind: linkKind, start, end, peak, cost, area, flags, bidirectional: true });
  }
}
