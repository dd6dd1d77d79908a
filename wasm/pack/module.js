/**
 * Reads a WebAssembly module as far as packing needs it, and writes it with its functions in another order. Throws for instructions
 * and sections that it doesn't know, such as those of later proposals.
 */

/** Section numbers of the format. */
const TYPES = 1, IMPORTS = 2, FUNCTIONS = 3, EXPORTS = 7, START = 8, ELEMENTS = 9, CODE = 10, DATA = 11;

/** Kinds of immediates that walk() reports: an index of a local variable or function, or an alignment. */
export const LOCAL = 0, CALL = 1, ALIGNMENT = 2;

/** Kinds of control instructions that it reports. FORK is a conditional jump or one target of several; nothing runs after STOP. */
export const OPEN = 3, LOOP = 4, IF = 5, ELSE = 6, END = 7, JUMP = 8, FORK = 9, STOP = 10;

/**
 * @typedef {object} Func
 * @property {number} type index of its signature
 * @property {number} params number of parameters, which are its first local variables and can't be renumbered
 * @property {number[]} paramTypes types of the parameters
 * @property {number[]} locals types of the other local variables
 * @property {Uint8Array} code instructions
 *
 * @typedef {object} Module
 * @property {{ id: number, body: Uint8Array }[]} sections
 * @property {number} imported number of imported functions, which have the first indices
 * @property {Func[]} functions
 */

/** Reads bytes and LEB128 numbers. */
class Reader {
  /** @param {Uint8Array} bytes @param {number} [at] */
  constructor(bytes, at = 0) {
    this.bytes = bytes;
    this.at = at;
  }

  byte() { return this.bytes[this.at++]; }

  number() {
    let value = 0, factor = 1, byte;
    do {
      byte = this.byte();
      value += (byte & 127) * factor;
      factor *= 128;
    } while (byte & 128);
    return value;
  }

  /** The next bytes. @param {number} count */
  take(count) { return this.bytes.subarray(this.at, this.at += count); }
}

/** @param {number[]} out @param {number} value */
export function pushNumber(out, value) {
  for (; value > 127; value = Math.floor(value / 128)) out.push(value % 128 | 128);
  out.push(value);
}

/** @param {number[]} out @param {ArrayLike<number>} bytes */
function pushAll(out, bytes) {
  for (let i = 0; i < bytes.length; i++) out.push(bytes[i]);
}

/** Number of immediate bytes of a vector instruction that doesn't access memory. @param {number} op */
const vectorBytes = (op) => (op === 12 || op === 13 ? 16 : op >= 21 && op <= 34 ? 1 : 0);

/** True if a one-byte instruction has no immediates. @param {number} op */
const isPlain = (op) => op <= 0x01 || op === 0x05 || op === 0x0b || op === 0x0f || op === 0x1a || op === 0x1b
  || (op >= 0x45 && op <= 0xc4);

/**
 * Visits the immediates and control instructions of a function in order.
 * @param {Uint8Array} code
 * @param {(kind: number, from: number, to: number, value: number) => void} visit bytes from..to-1 of `code` hold `value`
 */
export function walk(code, visit) {
  const reader = new Reader(code);
  /** @param {number} kind */
  const report = (kind) => {
    const from = reader.at, value = reader.number();
    visit(kind, from, reader.at, value);
  };
  const access = () => {
    report(ALIGNMENT);
    reader.number();
  };
  while (reader.at < code.length) {
    const op = reader.byte();
    if (op >= 0x20 && op <= 0x22) report(LOCAL);
    else if (op >= 0x28 && op <= 0x3e) access();
    else if (op === 0x10) report(CALL);
    else if (op >= 0x02 && op <= 0x04) {
      const from = reader.at;
      if (!(reader.byte() & 0x40)) throw new Error('a block with a signature');
      visit(op + 1, from, reader.at, 0);
    } else if (op === 0x05 || op === 0x0b) visit(op === 0x05 ? ELSE : END, reader.at, reader.at, 0);
    else if (op === 0x00 || op === 0x0f) visit(STOP, reader.at, reader.at, 0);
    else if (op === 0x0c || op === 0x0d) report(op === 0x0c ? JUMP : FORK);
    else if (op === 0x23 || op === 0x24 || op === 0x41 || op === 0x42) reader.number();
    else if (op === 0x0e) {
      for (let count = reader.number(); count > 0; count--) report(FORK);
      report(JUMP);
    } else if (op === 0x11) reader.take(2);
    else if (op === 0x43) reader.take(4);
    else if (op === 0x44) reader.take(8);
    else if (op === 0x3f || op === 0x40) reader.take(1);
    else if (op === 0xfc) {
      const sub = reader.number();
      if (sub > 11 || sub === 9) throw new Error(`instruction 0xfc ${sub}`);
      reader.take(sub < 8 ? 0 : sub === 11 ? 1 : 2);
    } else if (op === 0xfd) {
      const sub = reader.number();
      if (sub <= 11 || (sub >= 84 && sub <= 93)) access();
      reader.take(sub >= 84 && sub <= 91 ? 1 : vectorBytes(sub));
    } else if (!isPlain(op)) throw new Error(`instruction ${op}`);
  }
}

/** @param {Reader} reader @returns {Func} without its signature */
function readFunction(reader) {
  const end = reader.number() + reader.at;
  /** @type {number[]} */
  const locals = [];
  for (let groups = reader.number(); groups > 0; groups--) {
    const count = reader.number(), type = reader.byte();
    for (let i = 0; i < count; i++) locals.push(type);
  }
  return { type: 0, params: 0, paramTypes: [], locals, code: Uint8Array.from(reader.take(end - reader.at)) };
}

/** @param {Reader} reader @returns {number} number of imported functions */
function countImportedFunctions(reader) {
  let functions = 0;
  for (let count = reader.number(); count > 0; count--) {
    for (let name = 0; name < 2; name++) reader.take(reader.number());
    if (reader.byte() !== 0) throw new Error('an import that is no function');
    reader.number();
    functions++;
  }
  return functions;
}

/** @param {Uint8Array} bytes @returns {Module} */
export function readModule(bytes) {
  const reader = new Reader(bytes, 8);
  /** @type {Module} */
  const module = { sections: [], imported: 0, functions: [] };
  const signatures = /** @type {number[][]} */ ([]), types = /** @type {number[]} */ ([]);
  while (reader.at < bytes.length) {
    const id = reader.byte();
    const body = reader.take(reader.number());
    module.sections.push({ id, body });
    const inside = new Reader(body);
    if (id === TYPES) {
      for (let count = inside.number(); count > 0; count--) {
        inside.byte();
        signatures.push([...inside.take(inside.number())]);
        inside.take(inside.number());
      }
    } else if (id === IMPORTS) module.imported = countImportedFunctions(inside);
    else if (id === FUNCTIONS) for (let count = inside.number(); count > 0; count--) types.push(inside.number());
    else if (id === CODE) for (let count = inside.number(); count > 0; count--) module.functions.push(readFunction(inside));
    else if (id === START) throw new Error('a start function');
  }
  module.functions.forEach((func, i) => {
    const paramTypes = signatures[types[i]];
    Object.assign(func, { type: types[i], params: paramTypes.length, paramTypes });
  });
  return module;
}

/**
 * Encodes a function.
 * @param {Func} func @param {number[]} [newIndices] new index of each function; without it, calls keep their indices
 * @returns {number[]}
 */
export function encodeFunction({ locals, code }, newIndices) {
  /** @type {number[]} */
  const out = [];
  /** @type {number[][]} */
  const groups = [];
  for (const type of locals) {
    const last = groups.at(-1);
    if (last?.[1] === type) last[0]++;
    else groups.push([1, type]);
  }
  pushNumber(out, groups.length);
  for (const group of groups) for (const value of group) pushNumber(out, value);
  if (!newIndices) {
    pushAll(out, code);
    return out;
  }
  let done = 0;
  walk(code, (kind, from, to) => {
    if (kind !== CALL) return;
    pushAll(out, code.subarray(done, from));
    pushNumber(out, newIndices[new Reader(code, from).number()]);
    done = to;
  });
  pushAll(out, code.subarray(done));
  return out;
}

/** @param {Uint8Array} body @param {number[]} newIndices @returns {number[]} */
function encodeExports(body, newIndices) {
  const reader = new Reader(body);
  /** @type {number[]} */
  const out = [];
  const count = reader.number();
  pushNumber(out, count);
  for (let i = 0; i < count; i++) {
    const length = reader.number();
    pushNumber(out, length);
    pushAll(out, reader.take(length));
    const kind = reader.byte(), index = reader.number();
    out.push(kind);
    pushNumber(out, kind === 0 ? newIndices[index] : index);
  }
  return out;
}

/** @param {Uint8Array} body @param {number[]} newIndices @returns {number[]} */
function encodeElements(body, newIndices) {
  const reader = new Reader(body);
  /** @type {number[]} */
  const out = [];
  const count = reader.number();
  pushNumber(out, count);
  for (let i = 0; i < count; i++) {
    const head = reader.at;
    if (reader.number() !== 0 || reader.byte() !== 0x41) throw new Error('a table of another kind');
    reader.number();
    reader.byte();
    pushAll(out, body.subarray(head, reader.at));
    const entries = reader.number();
    pushNumber(out, entries);
    for (let k = 0; k < entries; k++) pushNumber(out, newIndices[reader.number()]);
  }
  return out;
}

/** The new index of each function, imported ones first. @param {Module} module @param {number[]} order */
export function indicesInOrder({ imported }, order) {
  const indices = Array.from({ length: imported }, (_, i) => i);
  order.forEach((old, i) => { indices[imported + old] = imported + i; });
  return indices;
}

/** @param {Module} module @param {number[]} order positions in module.functions @returns {Uint8Array} */
export function writeModule(module, order) {
  const newIndices = indicesInOrder(module, order);
  /** @type {number[]} */
  const out = [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0];
  for (const { id, body } of module.sections) {
    /** @type {ArrayLike<number>} */
    let bytes = body;
    if (id === FUNCTIONS || id === CODE) {
      /** @type {number[]} */
      const list = [];
      pushNumber(list, order.length);
      for (const old of order) {
        if (id === FUNCTIONS) {
          pushNumber(list, module.functions[old].type);
          continue;
        }
        const encoded = encodeFunction(module.functions[old], newIndices);
        pushNumber(list, encoded.length);
        pushAll(list, encoded);
      }
      bytes = list;
    } else if (id === EXPORTS) bytes = encodeExports(body, newIndices);
    else if (id === ELEMENTS) bytes = encodeElements(body, newIndices);
    else if (id > DATA + 1) throw new Error(`section ${id}`);
    out.push(id);
    pushNumber(out, bytes.length);
    pushAll(out, bytes);
  }
  return Uint8Array.from(out);
}
