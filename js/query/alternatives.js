/** Alternative paths: other ways between two points. */
import { failureOf, putPoint, requireAmount } from '../runtime/arguments.js';
import { describe, invalidArgument } from '../runtime/errors.js';
import { NAV_MESH } from '../runtime/handle-kinds.js';
import { addressOf } from '../runtime/handle.js';
import { WmAlternativeOptions, WmAlternatives, WmPath } from '../runtime/layout.js';
import { nameSet } from '../runtime/option-names.js';
import { END_AT, OPTIONS_AT, PATH_NAMES, START_AT, readPath } from './find-path.js';
import { checkNames } from './query-options.js';

/** @typedef {import('../runtime/arguments.js').Point} Point */
/** @typedef {import('./find-path.js').Path} Path */
/** @typedef {import('./find-path.js').PathOptions} PathOptions */
/** @typedef {import('./batches.js').BatchQueries} BatchQueries */

/**
 * @typedef {object} OtherPathsOptions
 * @property {number} count of paths, the first included: 1 to 16
 * @property {number} [difference] the share of its length by which a path differs from each one before it: 0 to 1; default 0.3
 * @property {number} [maxLength] no path is longer than this many times the first: at least 1; default 2
 */

/** @typedef {PathOptions & OtherPathsOptions} AlternativeOptions */

const NAMES = nameSet(/** @satisfies {import('../runtime/option-names.js').Names<OtherPathsOptions>} */ (
  { count: 1, difference: 1, maxLength: 1 }), PATH_NAMES);
const MOST_PATHS = 16;
const [COUNT_AT, DIFFERENCE_AT, MAX_LENGTH_AT] = [WmAlternativeOptions.count, WmAlternativeOptions.difference,
  WmAlternativeOptions.maxLength].map((word) => OPTIONS_AT + word);

/** @param {unknown} count */
function requirePathCount(count) {
  if (typeof count === 'number' && Number.isInteger(count) && count >= 1 && count <= MOST_PATHS) return count;
  throw invalidArgument('count', `is ${describe(count)}: must be a whole number from 1 to ${MOST_PATHS}`, count);
}

/**
 * BatchQueries.findPaths with a count.
 * @param {BatchQueries} mesh @param {Point} start @param {Point} end @param {AlternativeOptions} options @param {unknown} out
 * @returns {Path[]}
 */
export function findAlternatives(mesh, start, end, options, out) {
  const address = addressOf(mesh, NAV_MESH);
  const { session } = mesh, { calls } = session;
  checkNames(options, NAMES);
  if (out !== undefined) throw invalidArgument('out', 'must be left out with a count of paths', out);
  const { count, difference = 0.3, maxLength = 2 } = options;
  mesh.writePathOptions(options);
  const { u32, f32, inputs } = session;
  u32[inputs + COUNT_AT] = requirePathCount(count);
  f32[inputs + DIFFERENCE_AT] = requireAmount(difference, 'difference');
  f32[inputs + MAX_LENGTH_AT] = requireAmount(maxLength, 'maxLength');
  putPoint(session, START_AT, start);
  putPoint(session, END_AT, end);
  session.requireNoCallSince(calls);
  if (session.wasm.query_find_alternatives(address) !== 0) throw failureOf(session, start, 'start', end, 'end');
  session.refresh();
  const { answer } = session, words = session.u32[answer + WmAlternatives.paths] / 4;
  return Array.from({ length: session.u32[answer + WmAlternatives.count] }, (_, i) => readPath(session, undefined, words + i * WmPath.words));
}
