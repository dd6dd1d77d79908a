/**
 * Reads Wavefront OBJ files: vertices and faces, which names choose. The rules are those of Recast's demo, so that a file gives the same
 * triangles: faces are fans, negative indices count from the last vertex, triangles with an index out of range are dropped,
 * missing coordinates repeat those of the previous vertex. Other than there, text in place of a number is an error.
 */
import { keepWarnings } from '../input/kept-warnings.js';
import { requireOptions } from '../runtime/arguments.js';
import { DEFAULT_AREA } from '../runtime/level-marks.js';
import { nameSet } from '../runtime/option-names.js';
import { NumberReader } from './decimal.js';
import { fileError, nameContents, toBytes } from './file-error.js';
import { ObjNames } from './obj-names.js';

const [TAB, NEWLINE, RETURN, BLANK, HASH, PLUS, MINUS, SLASH, BACKSLASH] = [9, 10, 13, 32, 35, 43, 45, 47, 92];
const [LETTER_F, LETTER_G, LETTER_O, LETTER_U, LETTER_V] = [102, 103, 111, 117, 118];
/** The rest of a longer row is a row of its own. */
const ROW_LIMIT = 511;
const FACE_LIMIT = 32;

/** A typed array that grows. @template {Float32Array | Uint32Array} T */
class Growing {
  length = 0;

  /** @param {{ new (length: number): T }} Type */
  constructor(Type) {
    this.Type = Type;
    this.array = new Type(4096);
  }

  /** @param {number} a @param {number} b @param {number} c */
  push3(a, b, c) {
    if (this.length + 3 > this.array.length) {
      const larger = new this.Type(2 * this.array.length);
      larger.set(this.array);
      this.array = larger;
    }
    this.array[this.length++] = a;
    this.array[this.length++] = b;
    this.array[this.length++] = c;
  }

  toArray() {
    return /** @type {T} */ (this.array.slice(0, this.length));
  }
}

/** Collects the vertices and triangles of a file. */
class ObjReader {
  positions = new Growing(Float32Array);
  indices = new Growing(Uint32Array);
  droppedTriangles = 0;
  /** The first index without a vertex: as written, its line, and the vertices before that line. @type {{ index: number, line: number, count: number } | null} */
  firstMissing = null;
  shortFaces = 0;
  /** The line that is read, from 1. */
  line = 0;
  #face = new Int32Array(FACE_LIMIT);
  #vertex = [0, 0, 0];
  #numbers = new NumberReader();
  #fail;
  #names;

  /** Where the area of triangles changes: the first triangle, and its area. @type {[number, number][]} */
  #areas = [];

  /** @param {(problem: string) => Error} fail makes an error of the file @param {ObjNames | null} names null: all faces count */
  constructor(fail, names) {
    this.#fail = fail;
    this.#names = names;
  }

  /** @param {Uint8Array} bytes @param {number} start @param {number} end */
  readRow(bytes, start, end) {
    const first = bytes[start];
    if (first === HASH || start === end) return;
    if (this.#names && (first === LETTER_O || first === LETTER_G || first === LETTER_U)) this.#names.read(new TextDecoder().decode(bytes.subarray(start, end)));
    const second = start + 1 < end ? bytes[start + 1] : 0;
    if (isLetter(second)) return; // normals, texture and parameter vertices, and other words
    if (first === LETTER_V) this.#readVertex(bytes, start + 1, end);
    else if (first === LETTER_F) this.#readFace(bytes, start + 1, end);
  }

  /** @param {Uint8Array} bytes @param {number} start @param {number} end */
  #readVertex(bytes, start, end) {
    this.#numbers.next = start;
    for (let axis = 0; axis < 3; axis++) {
      const from = this.#numbers.next, value = this.#numbers.readFloat(bytes, from, end), to = this.#numbers.next;
      if (value === undefined ? !isRestEmpty(bytes, from, end) : to < end && !endsWord(bytes[to])) this.#refuse(bytes, from, end, 'must be a number');
      if (value === undefined) break;
      this.#vertex[axis] = value;
    }
    this.positions.push3(this.#vertex[0], this.#vertex[1], this.#vertex[2]);
  }

  /** @param {Uint8Array} bytes @param {number} start @param {number} end */
  #readFace(bytes, start, end) {
    const vertexCount = this.positions.length / 3;
    let count = 0;
    for (let i = start; i < end && count < FACE_LIMIT;) {
      while (i < end && bytes[i] <= BLANK) i++;
      if (i === end || bytes[i] === HASH) break;
      const from = i, isNegative = bytes[i] === MINUS;
      if (isNegative || bytes[i] === PLUS) i++;
      const first = i;
      let value = 0;
      for (; i < end && bytes[i] >= 48 && bytes[i] <= 57; i++) value = Math.min(value * 10 + bytes[i] - 48, 0x7fffffff);
      // A long row may be cut behind the sign.
      if (i < end && (i === first || !(endsWord(bytes[i]) || bytes[i] === SLASH))) this.#refuse(bytes, from, end, 'must be a vertex like 3, 3/1 or -1');
      this.#face[count++] = isNegative && value > 0 ? vertexCount - value : value - 1;
      while (i < end && !endsWord(bytes[i])) i++;
    }
    if (count < 3) this.shortFaces++;
    if (this.#names && !this.#names.isWanted) return;
    if (this.#names && this.#names.area !== (this.#areas.at(-1)?.[1])) this.#areas.push([this.indices.length / 3, this.#names.area]);
    for (let corner = 2; corner < count; corner++) {
      const [a, b, c] = [this.#face[0], this.#face[corner - 1], this.#face[corner]];
      if (Math.min(a, b, c) < 0 || Math.max(a, b, c) >= vertexCount) this.#drop([a, b, c], vertexCount);
      else this.indices.push3(a, b, c);
    }
  }

  /** The area of each triangle; undefined: names gave none. @returns {Uint8Array | undefined} */
  toAreas() {
    if (this.#areas.every(([, area]) => area === DEFAULT_AREA)) return undefined;
    const areas = new Uint8Array(this.indices.length / 3);
    for (const [first, area] of this.#areas) areas.fill(area, first);
    return areas;
  }

  /** Throws for a word that is no number. @param {Uint8Array} bytes @param {number} start @param {number} end of the row @param {string} rule @returns {never} */
  #refuse(bytes, start, end, rule) {
    const [word] = new TextDecoder().decode(bytes.subarray(start, Math.min(end, start + 64))).trim().split(/\s/);
    throw this.#fail(`is damaged: line ${this.line} has ${JSON.stringify(word)}: ${rule}`);
  }

  /** Counts a triangle with an index out of range, and stores the first such index. @param {number[]} corners @param {number} count vertices before this line */
  #drop(corners, count) {
    this.droppedTriangles++;
    if (this.firstMissing) return;
    const corner = /** @type {number} */ (corners.find((value) => value < 0 || value >= count));
    // Below 0: an index of 0 is -1 here; negative ones have had the vertices added.
    this.firstMissing = { index: corner < -1 ? corner - count : corner + 1, line: this.line, count };
  }
}

/** @param {number} byte */
const isLetter = (byte) => (byte >= 65 && byte <= 90) || (byte >= 97 && byte <= 122);

/** True for what ends a number: blanks, and the sign of a comment. @param {number} byte */
const endsWord = (byte) => byte <= BLANK || byte === HASH;

/** True if only blanks or a comment follow. @param {Uint8Array} bytes @param {number} start @param {number} end */
function isRestEmpty(bytes, start, end) {
  while (start < end && bytes[start] <= BLANK) start++;
  return start === end || bytes[start] === HASH;
}

/** @param {number} byte */
const isSkippedAtStart = (byte) => byte === BLANK || byte === TAB || byte === RETURN || byte === BACKSLASH;

/** @param {Uint8Array} bytes @param {number} start @param {number} end */
function holdsDropped(bytes, start, end) {
  for (let i = start; i < end; i++) if (bytes[i] === RETURN || bytes[i] === BACKSLASH) return true;
  return false;
}

/**
 * Reads a line: usually one row; a long line is several, and backslashes and carriage returns are removed.
 * @param {ObjReader} reader @param {Uint8Array} bytes @param {number} start @param {number} end
 */
function readLine(reader, bytes, start, end) {
  while (start < end && isSkippedAtStart(bytes[start])) start++;
  while (end > start && bytes[end - 1] === RETURN) end--;
  if (end - start <= ROW_LIMIT && !holdsDropped(bytes, start, end)) {
    reader.readRow(bytes, start, end);
    return;
  }
  let rest = bytes.subarray(start, end).filter((byte) => byte !== RETURN && byte !== BACKSLASH);
  while (rest.length > 0) {
    reader.readRow(rest, 0, Math.min(rest.length, ROW_LIMIT));
    rest = rest.subarray(ROW_LIMIT);
    while (rest.length > 0 && isSkippedAtStart(rest[0])) rest = rest.subarray(1);
  }
}

/**
 * @typedef {object} ObjFileOptions
 * @property {string} [name] of the file, for error messages; default: "the OBJ file"
 * @property {(share: number) => void} [onProgress] called after each megabyte, with 0 to 1
 * @property {(warning: string) => void} [onWarning] called with one readable line per likely mistake in the file
 */

/** @typedef {ObjFileOptions & import('../runtime/level-marks.js').NamePatterns} ObjOptions */

const NAMES = nameSet(/** @satisfies {import('../runtime/option-names.js').Names<ObjOptions>} */ (
  { name: 1, onProgress: 1, onWarning: 1, include: 1, exclude: 1, areas: 1 }));

/** Bytes from one call of onProgress to the next. */
const STRIDE = 1 << 20;

/** Text of a file has more than one line. */
const PATH = /^[^\n]*\.obj\s*$/i;

/**
 * The triangles of a Wavefront OBJ file. Reads about 40 MB/s.
 *
 * `include`, `exclude` and `areas` choose faces by the names of their object (`o`), groups (`g`) and material (`usemtl`). As the format says,
 * a name counts until the next of its kind. The result has `areas` if a name gave one.
 * @param {import('./file-error.js').LevelBytes} data
 * @param {ObjOptions} [options]
 * @returns {import('./file-error.js').Level}
 */
export function parseObj(data, options = {}) {
  const { name = 'the OBJ file', onProgress, onWarning, ...patterns } = requireOptions(options, NAMES);
  const names = Object.keys(patterns).length > 0 ? new ObjNames(patterns) : null;
  const bytes = toBytes(data);
  const fail = (/** @type {string} */ problem) => fileError(name, problem);
  if (typeof data === 'string' && PATH.test(data)) throw fail(`is the path ${data}: read the file first, and pass its text or bytes`);
  if (bytes.length === 0) throw fail('is empty');
  if (bytes.subarray(0, 4096).includes(0)) throw fail(`is not an OBJ file: it is ${nameContents(bytes) ?? 'not text'}`);
  const reader = new ObjReader(fail, names);
  const { length } = bytes;
  let reported = 0;
  for (let start = 0; start < length;) {
    let end = bytes.indexOf(NEWLINE, start);
    if (end < 0) end = length;
    const facesBefore = reader.shortFaces;
    reader.line++;
    readLine(reader, bytes, start, end);
    if (end === length && reader.shortFaces > facesBefore) throw fail('is truncated: its last face has fewer than 3 vertices');
    start = end + 1;
    if (onProgress && start - reported >= STRIDE) onProgress((reported = start) / length);
    if (bytes.length !== length) throw fail('was transferred while it was read: onProgress must leave its bytes alone');
  }
  const level = finish(reader, fail, onWarning, names !== null);
  if (names) keepWarnings(level.positions, names.warnings());
  return level;
}

/** Says where the first missing vertex is named. @param {{ index: number, line: number, count: number }} missing */
function describeMissing({ index, line, count }) {
  return `line ${line} names vertex ${index}, and ${count === 1 ? '1 vertex precedes' : `${count || 'no'} vertices precede`} it`;
}

/** @param {ObjReader} reader @param {(problem: string) => Error} fail @param {ObjOptions['onWarning']} onWarning @param {boolean} isChosen by names */
function finish(reader, fail, onWarning, isChosen) {
  const { positions, indices, droppedTriangles: dropped, firstMissing } = reader;
  const missing = firstMissing && describeMissing(firstMissing);
  if (positions.length === 0) throw fail(`has no vertices${missing ? `: ${missing}` : ': check that it is an OBJ file'}`);
  if (indices.length === 0) throw fail(missing ? `has no triangles that can be read: ${missing}` : `has no triangles${isChosen ? ', or all are left out' : ': check that it is complete'}`);
  if (missing) onWarning?.(`ignored ${dropped} ${dropped === 1 ? 'triangle' : 'triangles'} with missing vertices: ${missing}`);
  const areas = reader.toAreas();
  return { positions: positions.toArray(), indices: indices.toArray(), ...(areas && { areas }) };
}
