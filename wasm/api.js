/**
 * The flat API of the modules as data, for hosts without JavaScript: exports from wasm/*.c, layouts of structs as the compiler
 * prints them, values of enumerations from the public headers. `wasm/build.js` writes it to dist/wasm-api.json in every build;
 * scripts/docs/wasm-tables.js makes the tables of docs/wasm-api.md from it.
 */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, dumpLayouts, readLayouts, readNames } from './layout.js';
import { BAKING_EXPORTS, CORE_EXPORTS } from './sources.js';

/** @typedef {import('./layout.js').Struct} Struct */
/** @typedef {{ name: string, type: string }} Value */
/** @typedef {{ file: string, inCore: boolean, inGame: boolean, parameters: Value[], result: string, notes: string }} Export result: '' if it returns nothing */
/** @typedef {{ bytes: number, header: string, members: Record<string, { byte: number, type: string, bits?: string }> }} Layout */
/** @typedef {{ version: string, exports: Record<string, Export>, structs: Record<string, Layout>, enums: Record<string, Record<string, number>> }} Api */

/** Types of C as a host sees them; other names are those of structs and handles. @type {Record<string, string>} */
const NUMBERS = {
  float: 'f32', double: 'f64', int: 'i32', unsigned: 'u32', size_t: 'u32', ptrdiff_t: 'i32', _Bool: 'u8', bool: 'u8', char: 'u8', void: 'bytes',
  int8_t: 'i8', uint8_t: 'u8', int16_t: 'i16', uint16_t: 'u16', int32_t: 'i32', uint32_t: 'u32', int64_t: 'i64', uint64_t: 'u64',
  WmRef: 'u64', WmObstacle: 'u64', WmAgent: 'u64', WmSwitch: 'u64',
};

/** @param {string} path */
const read = (path) => readFileSync(join(ROOT, path), 'utf8');

/** The text of a comment in one line, without its stars. @param {string} comment */
const toLine = (comment) => comment.replace(/^\/\*+|\*\/$/g, '').replace(/\n \*/g, '\n').replace(/\s+/g, ' ').trim();

/**
 * A type of C as a host sees it: `f32`, `f32[3]`, `*f32` for an address, `enum WmStatus`, or the name of a struct.
 * @param {string} text as the compiler or the source writes it @param {ReadonlySet<string>} enums
 */
export function toHostType(text, enums) {
  const stars = '*'.repeat(text.match(/\*/g)?.length ?? 0);
  const lengths = text.match(/(\[\d+\])+$/)?.[0] ?? '';
  const name = text.replace(/\b(const|struct|enum)\b|\*|\(|\)|(\[\d+\])+$/g, '').trim();
  return stars + (NUMBERS[name] ?? (enums.has(name) ? `enum ${name}` : name)) + (stars ? '' : lengths);
}

/**
 * The exports of a C file, in its order.
 * @param {string} text @param {ReadonlySet<string>} enums
 * @returns {[string, Pick<Export, 'parameters' | 'result' | 'notes'>][]}
 */
export function readExports(text, enums) {
  const pattern = /(?:(\/\*(?:(?!\*\/)[^])*\*\/)\n)?^EXPORT\((\w+)\)\s+([\w\s*]+?)export_\2\(([^)]*)\)/gm;
  return [...text.matchAll(pattern)].map(([, comment = '', name, result, list]) => {
    const parameters = list.split(',').map((one) => one.trim()).filter((one) => one !== 'void').map((one) => {
      const [, type, parameter] = /^(.*?)(\w+)$/s.exec(one) ?? [];
      return { name: parameter, type: toHostType(type.replace(/\s+/g, ' '), enums) };
    });
    return [name, { parameters, result: result.trim() === 'void' ? '' : toHostType(result, enums), notes: toLine(comment) }];
  });
}

/**
 * The enumerations of a header: names -> values.
 * @param {string} text @returns {[string, Record<string, number>][]}
 */
export function readEnums(text) {
  const plain = text.replace(/\/\*[^]*?\*\//g, '');
  return [...plain.matchAll(/typedef enum (\w+) \{([^}]*)\} \1;/g)].map(([, name, body]) => {
    /** @type {Record<string, number>} */
    const values = {};
    let next = 0;
    for (const member of body.split(',').map((one) => one.trim()).filter(Boolean)) {
      const [, key, value] = /^(\w+)(?:\s*=\s*(\w+))?$/.exec(member) ?? [];
      if (value !== undefined) next = Number.isNaN(Number(value)) ? values[value] : Number(value);
      if (key === undefined || !Number.isInteger(next)) throw new Error(`${name}: cannot read "${member}"`);
      values[key] = next++;
    }
    return [name, values];
  });
}

/** The headers of public structs: those that walkmesh.h includes, and those of wasm/. */
function listHeaders() {
  const listed = [...read('src/walkmesh.h').matchAll(/^#include "([^"]+)"/gm)].map(([, path]) => `src/${path}`);
  return [...listed, 'wasm/session.h', 'wasm/handles.h'];
}

/** The header that defines each public struct. @returns {Map<string, string>} */
function findHeaders() {
  const headers = [...listHeaders(), 'src/bake/baker_internal.h', 'src/bake/compact/links.h'];
  return new Map(headers.flatMap((path) => [...read(path).matchAll(/^(?:typedef )?struct (\w+) \{/gm)].map(([, name]) => [name, path])));
}

/**
 * The structs that wasm/layout.c or the notes of exports name, and the public ones that lie within them or that they point to.
 * @param {Map<string, Struct>} all @param {string[]} notes @param {Map<string, string>} headers @param {ReadonlySet<string>} enums
 */
function chooseStructs(all, notes, headers, enums) {
  const isPublic = (/** @type {string} */ name) => headers.has(name) && !/internal|links\.h/.test(headers.get(name) ?? '');
  /** @type {Record<string, Layout>} */
  const chosen = {};
  const queue = [...readNames(read('wasm/layout.c')), ...notes.flatMap((text) => text.match(/\bWm\w+/g) ?? [])];
  for (const name of queue) {
    const struct = all.get(name);
    if (!struct || chosen[name]) continue;
    const members = struct.members.map((member) => ({ ...member, type: toHostType(member.type, enums) }));
    chosen[name] = {
      bytes: struct.bytes, header: headers.get(name) ?? '',
      members: Object.fromEntries(members.map(({ name: member, ...rest }) => [member, rest])),
    };
    queue.push(...members.map(({ type }) => type.replace(/^\**|\[.*$/g, '')).filter((type) => all.has(type) && isPublic(type)));
  }
  return chosen;
}

/** Reads the API from the sources. @returns {Api} */
export function makeApi() {
  const enums = Object.fromEntries(listHeaders().filter((path) => path.startsWith('src/')).flatMap((path) => readEnums(read(path))));
  const names = new Set(Object.keys(enums));
  const files = readdirSync(join(ROOT, 'wasm')).filter((name) => name.endsWith('.c') && name !== 'layout.c').sort();
  const exports = files.flatMap((file) => readExports(read(`wasm/${file}`), names)
    .map(([name, rest]) => /** @type {[string, Export]} */ ([name, {
      file: `wasm/${file}`, inCore: CORE_EXPORTS.includes(file.slice(0, -2)), inGame: !BAKING_EXPORTS.includes(file.slice(0, -2)), ...rest,
    }])));
  const notes = exports.map(([, one]) => one.notes);
  return {
    version: JSON.parse(read('package.json')).version, exports: Object.fromEntries(exports),
    structs: chooseStructs(readLayouts(dumpLayouts()), notes, findHeaders(), names), enums,
  };
}

/** The text of dist/wasm-api.json. */
export const makeApiFile = () => `${JSON.stringify(makeApi())}\n`;
