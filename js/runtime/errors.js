/** NavError, which Walkmesh throws on every failure. The module and its other objects still work after it. */

/**
 * - `invalid-argument` an argument has a wrong type, or is out of its range
 * - `out-of-memory` the module's memory, or its limit, is used up
 * - `configuration` a configuration field is unknown or out of its range
 * - `geometry` the level has invalid triangles
 * - `limit` a documented limit of a format or a stage was reached
 * - `corrupt` bytes failed a check
 * - `state` a method was called in the wrong order, or after free()
 * - `stale-reference` the tile of a polygon reference was removed or replaced
 * - `cancelled` the AbortSignal was aborted; `cause` is its reason
 * - `unreachable` the WebAssembly module, or a package that a feature needs, is not at its address; `value` is the address
 * - `blocked` a content security policy or the host forbids to fetch or to compile the WebAssembly module
 * - `worker` a worker could not be started, or died
 * - `file` a file could not be read, fetched or written, or has the wrong format
 * - `unsupported` the entry or module in use does not have the feature (`walkmesh/core`, `walkmesh/game`, `walkmesh/recast-navigation`)
 * - `internal` a bug in Walkmesh: please report it
 * @typedef {'invalid-argument' | 'out-of-memory' | 'configuration' | 'geometry' | 'limit' | 'corrupt' | 'state'
 *   | 'stale-reference' | 'cancelled' | 'unreachable' | 'blocked' | 'worker' | 'file' | 'unsupported' | 'internal'} NavErrorCode
 */

/** Codes of WmStatus, from 1 on, with the names of wm_status_name. @type {readonly NavErrorCode[]} */
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
    /** @type {NavErrorCode} The kind of failure. */
    this.code = code;
    /** @type {string | undefined} The configuration field or argument at fault, if there is one. */
    this.field = field;
    /** @type {unknown} Its value. */
    this.value = value;
  }
}

/** @param {string} field @param {string} problem @param {unknown} [value] */
export function invalidArgument(field, problem, value) {
  return new NavError('invalid-argument', `${field} ${problem}`, { field, value });
}

/** Failures of the whole work, not of the tile during which they happened. @type {readonly NavErrorCode[]} */
const NOT_OF_A_TILE = ['cancelled', 'state'];

/** The error with the tile in which it happened: `tile 3, 4: ...`. @param {unknown} error @param {number} x @param {number} z */
export function errorInTile(error, x, z) {
  if (!(error instanceof NavError) || NOT_OF_A_TILE.includes(error.code)) return error;
  const { code, field, value, cause, message, stack } = error;
  const named = new NavError(code, `tile ${x}, ${z}: ${message}`, { field, value, cause });
  if (stack) named.stack = stack.replace(message, () => named.message);
  return named;
}

/** Objects of Walkmesh have this property; the key is that of all copies of the package, the value that of one copy. */
export const COPY_KEY = Symbol.for('walkmesh.copy');
export const COPY = Symbol('walkmesh');

/** True for an object that another copy of the package made: its memory is in another module. @param {any} value */
export const isOfOtherCopy = (value) => typeof value === 'object' && value !== null && (value[COPY_KEY] ?? COPY) !== COPY;

/** The end of a message about an object of another copy. */
export const OTHER_COPY = 'of another copy of Walkmesh (imported both from `walkmesh` and from files of js/ or dist/, or in two versions)';

/** Typed arrays are described by the language's own getters: classes derived from them may define others. */
const TYPED_ARRAY = Object.getPrototypeOf(Uint8Array.prototype);
/** @param {object} array @param {PropertyKey} name */
const readOwn = (array, name) => Reflect.get(TYPED_ARRAY, name, array);

/** The name of an object's class, if it is a text. @param {object} object */
function classOf(object) {
  const name = object.constructor?.name;
  return typeof name === 'string' && name !== '' ? name : 'object';
}

/** A noun with its article; names with U start as "you" does. @param {string} noun */
const withArticle = (noun) => `${/^[aeio]/i.test(noun) ? 'an' : 'a'} ${noun}`;

/** Text for a value in a message. @param {unknown} value */
export function describe(value) {
  if (value === null) return 'null';
  if (Array.isArray(value)) return `an array of ${Number.isInteger(value.length) ? value.length : 'no length'}`; // a proxy's may be anything
  if (ArrayBuffer.isView(value) && !(value instanceof DataView)) return `${withArticle(readOwn(value, Symbol.toStringTag))} of ${readOwn(value, 'length')}`;
  if (typeof value === 'object') return `${withArticle(classOf(value))}${isOfOtherCopy(value) ? ` ${OTHER_COPY}` : ''}`;
  if (typeof value === 'function') return 'a function';
  if (typeof value === 'string') return JSON.stringify(value);
  return String(value);
}
