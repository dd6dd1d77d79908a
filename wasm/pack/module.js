/**
 * Reads a WebAssembly module just as far as is needed to put its functions into another order and to number their local
 * variables anew, and writes it again. What it does not know (of later proposals) it refuses.
 */

/** Section numbers of the format. */
const TYPES = 1, IMPORTS = 2, FUNCTIONS = 3, EXPORTS = 7, START = 8, ELEMENTS = 9, CODE = 10, DATA = 11;

/** What walk() reports of an instruction: the bytes of an index of a local variable or function, or of an alignment. */
export const LOCAL = 0, CALL = 1, ALIGNMENT = 2;

/** And of control: OPEN of a block, FORK of a jump that need not be taken or is one of several, STOP where nothing follows. */
export const OPEN = 3, LOOP = 4, IF = 5, ELSE = 6, END = 7, JUMP = 8, FORK = 9, STOP = 10;

/**
 * @typedef {object} Func
 * @property {number} type index of its signature
 * @property {number} params how many of its local variables are parameters; they cannot be renumbered
 * @property {number[]} paramTypes the types of these
 * @property {number[]} locals the types of the others
 * @property {Uint8Array} code its instructions
 *
 * @typedef {object} Module
 * @property {{ id: number, body: Uint8Array }[]} sections
 * @property {number} imported functions that are imported; they have the first indices
 * @property {Func[]} functions
 */

/** Reads numbers of the format. */
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

  /** The bytes from here. @param {number} count */
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

/** Immediates of the vector instructions that have some, apart from those that read or write memory. @param {number} op */
const vectorBytes = (op) => (op === 12 || op === 13 ? 16 : op >= 21 && op <= 34 ? 1 : 0);

/** Whether an instruction of one byte is of those that have no immediates. @param {number} op */
const isPlain = (op) => op <= 0x01 || op === 0x05 || op === 0x0b || op === 0x0f || op === 0x1a || op === 0x1b
  || (op >= 0x45 && op <= 0xc4);

/**
 * Goes through instructions.
 * @param {Uint8Array} code
 * @param {(kind: number, from: number, to: number, value: number) => void} visit bytes from..to-1 of `code` hold the number
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

/** @param {Reader} reader @returns {Func} with its signature still to be set */
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

/** @param {Reader} reader @returns {number} of the imports, those that are functions */
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
 * The bytes of a function.
 * @param {Func} func @param {number[]} [newIndices] of all functions; without, they stay
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
