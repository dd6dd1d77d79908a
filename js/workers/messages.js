/**
 * The messages between a page and its workers. The first message to a worker is `load`. Every other message except `array` and
 * `cancel` has a number, and gets an answer with the same number. A worker handles requests in order. Each bake has a number, so
 * that bakes can share workers.
 *
 *   load     the compiled module, the memory limit
 *   array    a chunk of one of the geometry's arrays, before `begin`
 *   begin    geometry (without the arrays sent before), configuration     answer: BakerFacts
 *   hash     hashes the inputs of a tile                                  answer: the hash
 *   tile     bakes a tile                                                 answers: each stage after it has run; the tile
 *   air      makes the air of a tile, for links                           answer: its bytes
 *   airs     of tiles that the worker baked and holds (js/bake/links/shared-links.js)   answer: their air
 *   linker   configuration, volumes, grid: in place of `begin`, to hold tiles that are sent   answer: nothing
 *   give     tiles that the worker did not bake, with their air           answer: nothing
 *   links    makes the links of tiles                                     answer: LinkedTiles
 *   cancel   drops waiting requests, stops after the current stage; `end` must follow
 *   end      frees the bake                                               answer: memory in use and its peak
 *   memory                                                                answer: memory in use
 *   graph    a mesh file: builds its tile graph                           answer: its bytes
 *
 * Of a dynamic mesh, named by a number as well, that sends its tiles out (js/dynamic/worker-builders.js):
 *
 *   dynamic  the bytes of a worker mesh                                   answer: nothing
 *   build    a tile and its obstacles                                     answer: its bytes, or null
 *   release  frees the worker mesh                                        answer: nothing
 */
import { NavError, describe } from '../runtime/errors.js';
import { WmRefusedLink, WmSegmentLink } from '../runtime/layout.js';

/** @typedef {import('../bake/bake-tile.js').BakedTile} BakedTile */
/** @typedef {import('../bake/baker.js').Baker} Baker */
/** @typedef {import('../input/config.js').Config} Config */
/** @typedef {import('../input/geometry.js').Geometry} Geometry */
/** @typedef {import('../runtime/errors.js').NavErrorCode} NavErrorCode */

/** @typedef {Pick<Baker, 'config' | 'voxels'> & { readonly warningBits: number, readonly zeroAreaTriangles: number }} BakerFacts known after `begin` */
/** @typedef {{ bytes: number, peakBytes: number, wasmBytes: number }} MemoryUse */

/** @typedef {'positions' | 'indices' | 'areas'} ArrayName */
/** @typedef {Float32Array | Uint32Array | Uint16Array | Uint8Array} GeometryArray */

/** @typedef {{ type: 'load', module: WebAssembly.Module, memoryLimit?: number }} LoadMessage */
/** @typedef {{ type: 'array', bake: number, name: ArrayName, length: number, offset: number, chunk: GeometryArray }} ArrayMessage */
/** holdsTiles: the worker holds its tiles, to make their links. @typedef {{ type: 'begin', bake: number, geometry: Partial<Geometry>, config: Config, holdsTiles: boolean }} BeginMessage */
/** returnsAir: also if the worker holds the tile. @typedef {{ type: 'tile', bake: number, x: number, z: number, tellStages: boolean, keeps: boolean, returnsAir: boolean }} TileMessage */
/** @typedef {{ type: 'hash' | 'air', bake: number, x: number, z: number }} HashMessage */
/** @typedef {{ type: 'airs', bake: number, places: readonly { x: number, z: number }[] }} AirsMessage */
/** @typedef {{ type: 'links', bake: number, places: readonly { x: number, z: number }[], refused: boolean }} LinksMessage */
/**
 * grid: a WmMeshParameters.
 * @typedef {{ type: 'linker', bake: number, config: Config, volumes: Geometry['volumes'], grid: Uint32Array }} LinkerMessage
 */
/** A tile with its air; bytes: null if it has no polygons. @typedef {{ x: number, z: number, bytes: Uint8Array | null, air: Uint8Array }} SentTile */
/** @typedef {{ type: 'give', bake: number, tiles: readonly SentTile[] }} GiveMessage */
/**
 * The links that start in a tile: WmSegmentLinks; refused: WmRefusedLinks, if they were asked for; airBytes of the tile, uncompressed.
 * @typedef {{ bytes: Uint8Array, refused?: Uint8Array, milliseconds: number, airBytes: number }} LinkedTile
 */
/** @typedef {{ type: 'cancel', bake: number }} CancelMessage */
/** @typedef {{ type: 'end', bake: number }} EndMessage */
/** @typedef {{ type: 'memory' }} MemoryMessage */
/** @typedef {{ type: 'graph' } & import('../query/graph-bytes.js').GraphInput} GraphMessage */
/** @typedef {{ type: 'dynamic', dynamic: number, helper: Uint8Array }} DynamicMessage */
/**
 * @typedef {object} BuildMessage
 * @property {'build'} type
 * @property {number} dynamic
 * @property {number} x
 * @property {number} z
 * @property {Uint8Array} obstacles written by C
 * @property {Uint8Array} [kept] the compressed spans of the tile, unless the worker mesh has them
 * @property {[number, number]} [drop] a tile whose spans the worker mesh can drop
 */
/** @typedef {{ type: 'release', dynamic: number }} ReleaseMessage */
/**
 * @typedef {BeginMessage | LinkerMessage | HashMessage | TileMessage | AirsMessage | GiveMessage | LinksMessage | EndMessage | MemoryMessage | GraphMessage | DynamicMessage | BuildMessage
 *   | ReleaseMessage} Request messages with an answer
 */

/**
 * @typedef {{ id: number, error?: PackedError, result?: unknown, stage?: string }} Answer
 *   with a stage: more answers follow
 */

/** @typedef {{ code: NavErrorCode, message: string, field?: string, value?: unknown, cause?: PackedCause, stack?: string }} PackedError */
/** The cause of an error, or an error of the engine. @typedef {{ name: string, message: string, stack?: string }} PackedCause */

/** @param {any} value */
const isObject = (value) => typeof value === 'object' && value !== null;
/** @param {any} value */
const hasBytes = (value) => isObject(value) && (value.bytes === null || value.bytes instanceof Uint8Array);
/** @param {any} value */
const isMemoryUse = (value) => isObject(value) && typeof value.bytes === 'number' && typeof value.wasmBytes === 'number';

/** @param {any} bytes @param {number} words of each item */
const areItems = (bytes, words) => bytes instanceof Uint8Array && bytes.length % (4 * words) === 0;

/** @param {any} value */
const isLinkedTile = (value) => isObject(value) && areItems(value.bytes, WmSegmentLink.words)
  && (value.refused === undefined || areItems(value.refused, WmRefusedLink.words)) && typeof value.milliseconds === 'number' && typeof value.airBytes === 'number';

/** True for results that a request can have; a worker of another version, or another script, may answer anything. @type {{ [T in Request['type']]: (result: any) => boolean }} */
const RESULTS = {
  begin: (result) => isObject(result) && isObject(result.config) && isObject(result.voxels),
  hash: (result) => typeof result === 'string',
  air: (result) => isObject(result) && result.bytes instanceof Uint8Array,
  graph: (result) => isObject(result) && result.bytes instanceof Uint8Array,
  tile: (result) => hasBytes(result) && isObject(result.log),
  airs: (result) => isObject(result) && Array.isArray(result.airs) && result.airs.every((/** @type {unknown} */ air) => air instanceof Uint8Array),
  linker: () => true, give: () => true,
  links: (result) => isObject(result) && Array.isArray(result.tiles) && result.tiles.every(isLinkedTile),
  end: isMemoryUse, memory: isMemoryUse, dynamic: () => true, build: hasBytes, release: () => true,
};

/**
 * True if an answer has the form of an error, or of a result of the request.
 * @param {Request['type']} type @param {Answer} answer
 */
export function isAnswerTo(type, { error, result }) {
  if (error === undefined) return RESULTS[type](result);
  return isObject(error) && typeof error.code === 'string' && typeof error.message === 'string';
}

/** The first message of a worker to its page: its script has run. */
export const GREETING = Object.freeze({ started: true });

/** A value that can be sent to any thread. @param {unknown} value */
function packValue(value) {
  if (value === null || !['object', 'function', 'symbol'].includes(typeof value)) return value;
  return describe(value);
}

/** @param {unknown} cause @returns {PackedCause | undefined} */
function packCause(cause) {
  if (cause === undefined) return undefined;
  return cause instanceof Error ? { name: cause.name, message: cause.message, stack: cause.stack } : { name: 'Error', message: String(cause) };
}

/** An error as a plain object, with its stack. @param {unknown} error @returns {PackedError} */
export function packError(error) {
  if (!(error instanceof NavError)) {
    const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    const { stack } = error instanceof Error ? error : new Error(text);
    return { code: 'internal', message: `Walkmesh has a bug, found in a worker (${text}): please report it`, cause: packCause(error), stack };
  }
  const { code, message, field, value, cause, stack } = error;
  return { code, message, field, value: packValue(value), cause: packCause(cause), stack };
}

/** @param {PackedCause} packed */
const unpackCause = ({ name, message, stack }) => Object.assign(new Error(message), { name, stack });

/** The error, with the stack that it has in the worker. @param {PackedError} packed */
export function unpackError({ code, message, field, value, cause, stack }) {
  const error = new NavError(code, message, { field, value, cause: cause && unpackCause(cause) });
  if (stack) error.stack = `${stack}\n    in a worker of walkmesh`;
  return error;
}
