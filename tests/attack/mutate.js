/** Changes of files that keep their form: fields get hostile values, parts are moved, repeated and removed. */

/** @typedef {import('./values.js').Random} Random */

/** Magic words that begin a header: fields behind them are changed most. */
const MAGICS = ['DNAV', 'VAND', 'RLTD', 'DTLR', 'TESM', 'TEST', 'WALK', 'PARA', 'CONF', 'TILE', 'CONN'].map((text) => [...text].map((letter) => letter.charCodeAt(0)));
/** Bytes behind a magic word that are a header. */
const HEAD_BYTES = 104;
const WORDS = [0, 1, 2, 3, 6, 7, 63, 64, 255, 256, 32767, 65534, 65535, 65536, 0x3fffff, 0x7fffffff, 0x80000000, 0xfffffffe, 0xffffffff];
const FLOATS = [0, -0, 1, -1, NaN, Infinity, -Infinity, 1e-42, 1e9, -1e9, 1.0001e9, 3.4e38, 0.1, 1e-6, 65535];

/** @param {Random} random @param {readonly any[]} list */
export const pick = (random, list) => list[random.below(list.length)];

/** Positions of headers. @param {Uint8Array} bytes */
function findHeads(bytes) {
  const heads = [0];
  for (let i = 4; i + 4 <= bytes.length; i += 4) {
    if (MAGICS.some((magic) => magic.every((letter, k) => bytes[i + k] === letter))) heads.push(i);
  }
  return heads;
}

/** A position in the file, often in a header. @param {Random} random @param {Uint8Array} bytes @param {number[]} heads @param {number} size of the field */
function choosePlace(random, bytes, heads, size) {
  const most = Math.max(1, bytes.length - size);
  const at = random.below(2) === 0 ? pick(random, heads) + random.below(HEAD_BYTES) : random.below(most);
  return Math.min(at - (at % size), most - 1 - ((most - 1) % size));
}

/** One change of a field. @param {Random} random @param {Uint8Array} bytes @param {number[]} heads */
function changeField(random, bytes, heads) {
  if (bytes.length < 8) return;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const at = choosePlace(random, bytes, heads, 4);
  const word = view.getUint32(at, true);
  switch (random.below(9)) {
    case 0: view.setUint32(at, pick(random, WORDS), true); break;
    case 1: view.setFloat32(at, pick(random, FLOATS), true); break;
    case 2: view.setUint32(at, word + pick(random, [1, -1, 4, -4, 256, 65536]), true); break;
    case 3: view.setFloat32(at, view.getFloat32(at, true) * pick(random, [-1, 0.5, 2, 1.0001, 1000]), true); break;
    case 4: view.setUint32(at, view.getUint32(choosePlace(random, bytes, heads, 4), true), true); break;
    case 5: view.setUint16(choosePlace(random, bytes, heads, 2), pick(random, WORDS), true); break;
    case 6: bytes[random.below(bytes.length)] = random.below(256); break;
    case 7: bytes[choosePlace(random, bytes, heads, 1)] ^= 1 << random.below(8); break;
    default: view.setUint32(at, word >>> 1, true);
  }
}

/** Moves, repeats or removes a part. @param {Random} random @param {Uint8Array} bytes @returns {Uint8Array} */
function changePart(random, bytes) {
  const size = 4 * random.below(64), from = 4 * random.below(Math.max(1, bytes.length >> 2)), to = 4 * random.below(Math.max(1, bytes.length >> 2));
  const part = bytes.slice(from, from + size);
  switch (random.below(4)) {
    case 0: return bytes.slice(0, random.below(bytes.length + 1));
    case 1: return Uint8Array.from([...bytes.subarray(0, to), ...part, ...bytes.subarray(to)]);
    case 2: return Uint8Array.from([...bytes.subarray(0, from), ...bytes.subarray(from + size)]);
    default: {
      const copy = bytes.slice();
      copy.set(part.subarray(0, Math.max(0, copy.length - to)), to);
      return copy;
    }
  }
}

/** A changed copy of a binary file. @param {Random} random @param {Uint8Array} bytes @returns {Uint8Array} */
export function mutateBytes(random, bytes) {
  let copy = bytes.slice();
  const heads = findHeads(copy);
  for (let i = pick(random, [1, 1, 1, 2, 3, 8]); i > 0; i--) {
    if (random.below(10) === 0) copy = changePart(random, copy);
    else changeField(random, copy, heads.filter((head) => head < copy.length));
  }
  return copy;
}

const JSON_VALUES = [0, -1, 1, 2, 0.5, 1e9, 1e308, -1e308, 2 ** 31, 2 ** 32, 100000000, null, true, '', 'VEC3', 'MAT4', 'SCALAR', [], {}, [0], [[[]]], 5126, 5123, 5121, 5125, 5120];

/** Changes a value in JSON. @param {Random} random @param {any} root */
function changeJson(random, root) {
  let at = root;
  for (let depth = random.below(8); depth >= 0; depth--) {
    const keys = Object.keys(at);
    if (keys.length === 0) return;
    const key = pick(random, keys);
    if (depth > 0 && typeof at[key] === 'object' && at[key] !== null) {
      at = at[key];
      continue;
    }
    const old = at[key];
    switch (random.below(6)) {
      case 0: delete at[key]; break;
      case 1: if (Array.isArray(at)) at.push(old); else at[pick(random, ['count', 'byteOffset', 'byteStride', 'children', 'skin', 'sparse', 'matrix'])] = old; break;
      case 2: if (typeof old === 'number') at[key] = old + pick(random, [1, -1, 2, 0.5, 1e6]); break;
      default: at[key] = pick(random, JSON_VALUES);
    }
    return;
  }
}

/** A changed copy of an object of JSON, mostly in one of its lists. @param {Random} random @param {any} json */
export function mutateJson(random, json) {
  const copy = structuredClone(json);
  for (let i = pick(random, [1, 1, 2, 4]); i > 0; i--) {
    const lists = Object.values(copy).filter(Array.isArray).flat().filter((item) => typeof item === 'object' && item !== null);
    changeJson(random, lists.length > 0 && random.below(8) > 0 ? pick(random, lists) : copy);
  }
  return copy;
}

const TOKENS = ['0', '-0', '1', '-1', '4', '99999999999', '1e39', '-1e38', '1e-50', 'nan', 'inf', '0x10', '/', '//', '1/1/1', '\\', '\0', '#', 'v', 'f', 'o', 'g', '\r', '\t', '1e', '.', '-', '\u{1f600}'];

/** A changed copy of a text of rows and words. @param {Random} random @param {string} text */
export function mutateText(random, text) {
  const rows = text.split('\n').map((row) => row.split(' '));
  for (let i = pick(random, [1, 2, 4, 8]); i > 0; i--) {
    const row = pick(random, rows), at = random.below(row.length + 1);
    switch (random.below(6)) {
      case 0: rows.splice(random.below(rows.length), 1, [...pick(random, rows)]); break;
      case 1: if (rows.length > 1) rows.splice(random.below(rows.length), 1); break;
      case 2: row.splice(at, 1); break;
      case 3: row.splice(at, 0, ...Array(pick(random, [1, 10, 300])).fill(pick(random, TOKENS))); break;
      default: row[Math.min(at, row.length - 1)] = pick(random, TOKENS);
    }
  }
  const whole = rows.map((row) => row.join(' ')).join('\n');
  return random.below(10) === 0 ? whole.slice(0, random.below(whole.length + 1)) : whole;
}
