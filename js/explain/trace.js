/** Traces of path searches: the polygons that a search expanded, and the links that it refused. */
import { readReferences } from '../runtime/results.js';
import { NO_OPTIONS, failureOf, putPoint } from '../runtime/arguments.js';
import { NAV_MESH } from '../runtime/handle-kinds.js';
import { addressOf } from '../runtime/handle.js';
import { END_AT, PATH_NAMES, START_AT, readPath } from '../query/find-path.js';
import { checkNames } from '../query/query-options.js';
import { WmPath, WmTraceEvent } from '../runtime/layout.js';

/** @typedef {import('../runtime/arguments.js').PointArgument} PointArgument */
/** @typedef {import('../runtime/arguments.js').PolygonRef} PolygonRef */
/** @typedef {import('../runtime/arguments.js').PolygonRefs} PolygonRefs */
/** @typedef {import('../mesh/mesh.js').NavMesh} NavMesh */
/** @typedef {import('../query/find-path.js').Path} Path */
/** @typedef {import('../query/find-path.js').PathOptions} PathOptions */

/**
 * A link that a search didn't follow.
 * - `filter`: the polygon behind it doesn't pass the filter
 * - `node-limit`: maxNodes polygons had been searched, or `shortest` had reached its own limit
 * @typedef {{ from: PolygonRef, to: PolygonRef, link: number, reason: 'filter' | 'node-limit' }} RefusedLink link: its index in readLinks of the tile
 */

/**
 * @typedef {object} PathTrace
 * @property {Path} path as findPath returns it, to the bit
 * @property {PolygonRefs} expanded references of the polygons whose links the search followed, in its order; a polygon to which a cheaper way was
 *   found stands in it again
 * @property {RefusedLink[]} refused
 * @property {boolean} isCut true if the memory ended before the search: later decisions are missing
 */

/** In the order of WmTraceKind, without WM_TRACE_EXPANDED. */
const REASONS = /** @type {const} */ (['filter', 'node-limit']);

/** @param {import('../runtime/session.js').Session} session @param {number} address @param {number} count @returns {Pick<PathTrace, 'expanded' | 'refused'>} */
function readEvents(session, address, count) {
  const { words } = WmTraceEvent;
  const { u32 } = session;
  const refs = readReferences(session, address, 3 * count, undefined);
  /** @type {number[]} */
  const expanded = [];
  /** @type {RefusedLink[]} */
  const refused = [];
  for (let i = 0; i < count; i++) {
    const at = address / 4 + words * i;
    const kind = u32[at + WmTraceEvent.kind], from = refs[words / 2 * i];
    if (kind === 0) expanded.push(from);
    else refused.push({ from, to: refs[words / 2 * i + WmTraceEvent.target / 2], link: u32[at + WmTraceEvent.link], reason: REASONS[kind - 1] });
  }
  return { expanded: Float64Array.from(expanded), refused };
}

/**
 * Finds a path as NavMesh.findPath does, to the bit, and records what its search decided.
 *
 * memory     24 bytes per decision, during the call
 * @param {NavMesh} navMesh @param {PointArgument} start @param {PointArgument} end @param {PathOptions} [options] of findPath
 * @returns {PathTrace}
 */
export function tracePath(navMesh, start, end, options = NO_OPTIONS) {
  const address = addressOf(navMesh, NAV_MESH);
  const { session } = navMesh, { calls } = session;
  checkNames(options, PATH_NAMES);
  navMesh.writePathOptions(options);
  putPoint(session, START_AT, start);
  putPoint(session, END_AT, end);
  session.requireNoCallSince(calls);
  if (session.wasm.query_trace_path(address) !== 0) throw failureOf(session, start, 'start', end, 'end');
  session.refresh();
  const at = session.answer + WmPath.words;
  const [events, count, isCut] = session.u32.slice(at, at + 3);
  try {
    return { path: readPath(session, undefined), ...readEvents(session, events, count), isCut: (isCut & 255) !== 0 };
  } finally {
    session.wasm.memory_free(session.handle, events);
  }
}
