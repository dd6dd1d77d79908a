/**
 * What Walkmesh throws. Every failure, from a misspelt field to a corrupt file, is a NavError; after it the
 * module and its other objects still work.
 */

/**
 * - `invalid-argument` a value of the wrong type, or outside what a call takes
 * - `out-of-memory` the memory of the module, or the limit set for it, is used up
 * - `configuration` a configuration field is unknown or out of its range
 * - `geometry` the triangles cannot be used
 * - `limit` a documented limit of a format or a stage was reached
 * - `corrupt` bytes from outside are not what they claim to be
 * - `state` called in the wrong order, or on something already freed
 * - `stale-reference` a reference to a polygon whose tile has gone
 * - `cancelled` the AbortSignal of a bake was aborted; `cause` is its reason
 * - `worker` a worker cannot be started, or died
 * - `file` a file cannot be read or fetched, or is not what its ending says (command line, fetchSource)
 * - `unsupported` what was called is not in the entry or module in use (`walkmesh/core`, `walkmesh/recast-navigation`)
 * - `internal` a mistake of ours: please report it
 * @typedef {'invalid-argument' | 'out-of-memory' | 'configuration' | 'geometry' | 'limit' | 'corrupt' | 'state'
 *   | 'stale-reference' | 'cancelled' | 'worker' | 'file' | 'unsupported' | 'internal'} NavErrorCode
 */

/** By WmStatus less one, as wm_status_name names them. @type {readonly NavErrorCode[]} */
export const STATUS_CODES = Object.freeze(['invalid-argument', 'out-of-memory', 'configuration', 'geometry',
  'limit', 'corrupt', 'state', 'stale-reference', 'internal', 'unsupported']);

export class NavError extends Error {
  /**
   * @param {NavErrorCode} code
   * @param {string} message one readable line
   * @param {{ field?: string, value?: unknown, cause?: unknown }} [details]
   */
  constructor(code, message, { field, value, cause } = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'NavError';
    /** @type {NavErrorCode} What kind of failure. */
    this.code = code;
    /** @type {string | undefined} The configuration field or argument at fault, where there is one. */
    this.field = field;
    /** @type {unknown} Its value. */
    this.value = value;
  }
}

/** @param {string} field @param {string} problem @param {unknown} [value] */
export function invalidArgument(field, problem, value) {
  return new NavError('invalid-argument', `${field} ${problem}`, { field, value });
}

/** How a value is shown in a message. @param {unknown} value */
export function describe(value) {
  if (value === null) return 'null';
  if (Array.isArray(value)) return `an array of ${value.length}`;
  if (typeof value === 'object') return `a ${value.constructor?.name ?? 'object'}`;
  if (typeof value === 'string') return JSON.stringify(value);
  return String(value);
}
