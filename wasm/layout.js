/**
 * Writes js/runtime/layout.js, the offsets of the members of C structs that JavaScript reads and writes: the compiler prints the
 * layouts of the structs that wasm/layout.c names. `wasm/build.js` calls it in every build; by hand:
 * `node wasm/layout.js`.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

export const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const OUTPUT = join(ROOT, 'js', 'runtime', 'layout.js');
const SOURCE = join('wasm', 'layout.c');
const FLAGS = ['-std=c17', '-Isrc', '-Iwasm', '-fsyntax-only', '-Xclang', '-fdump-record-layouts-complete'];

const HEAD = `/**
 * Where the members of C structs lie in the module's memory, in words of 4 bytes from the start of the struct; \`words\` is its
 * size. A member inside of a word has a fraction: its byte is 4 times the number. Written by wasm/layout.js from the headers of
 * src/ and wasm/ in every build: do not edit.
 */
`;

/** @typedef {{ name: string, bytes: number, members: { name: string, byte: number, type: string, bits?: string }[] }} Struct type:
 *   as the compiler prints it; bits: of a bit field, in the word at its byte */

/** @param {string} name in snake case @returns {string} in camel case */
const toCamel = (name) => name.replaceAll(/_(\w)/g, (_, letter) => letter.toUpperCase());

/**
 * Reads the layouts that clang prints: a line for each member, indented by two spaces for each struct that it is within.
 * @param {string} text @returns {Map<string, Struct>} by name
 */
export function readLayouts(text) {
  /** @type {Map<string, Struct>} */
  const structs = new Map();
  for (const part of text.split('*** Dumping AST Record Layout').slice(1)) {
    const [, name] = /^ +0 \| struct (\w+)$/m.exec(part) ?? [];
    const [, size] = /\[sizeof=(\d+)/.exec(part) ?? [];
    if (name === undefined || size === undefined) continue;
    const members = [...part.matchAll(/^ +(\d+)(?::([\d-]+))? \| {3}(?! )(.*?) ?(\w+)$/gm)]
      .map(([, byte, bits, type, member]) => ({ name: member, byte: Number(byte), type, ...(bits && { bits }) }));
    structs.set(name, { name, bytes: Number(size), members });
  }
  return structs;
}

/** The structs that wasm/layout.c names, in its order. @param {string} text of it @returns {string[]} */
export const readNames = (text) => [...text.matchAll(/^LAYOUT\((\w+)\);/gm)].map(([, name]) => name);

/** @param {Struct} struct @returns {string} its constant */
function writeStruct({ name, bytes, members }) {
  const entries = [`words: ${bytes / 4}`, ...members.map((member) => `${toCamel(member.name)}: ${member.byte / 4}`)];
  const lines = [''];
  for (const entry of entries) {
    if (lines[lines.length - 1].length + entry.length > 124) lines.push('');
    lines[lines.length - 1] += ` ${entry},`;
  }
  return `export const ${name} = {\n${lines.map((line) => ` ${line}`).join('\n')}\n};\n`;
}

/** What the compiler prints of wasm/layout.c. @returns {string} */
export function dumpLayouts() {
  const { status, stdout, stderr, error } = spawnSync('emcc', [...FLAGS, SOURCE], { cwd: ROOT, encoding: 'utf8', maxBuffer: 1 << 26 });
  if (error || status !== 0) throw new Error(`cannot read the layouts of ${SOURCE}: ${error?.message ?? stderr}`);
  return stdout;
}

/** The text of js/runtime/layout.js. @returns {string} */
export function makeLayout() {
  const structs = readLayouts(dumpLayouts());
  return HEAD + readNames(readFileSync(join(ROOT, SOURCE), 'utf8')).map((name) => {
    const struct = structs.get(name);
    if (!struct || struct.members.length === 0) throw new Error(`the compiler prints no layout of ${name}, which ${SOURCE} names`);
    return `\n${writeStruct(struct)}`;
  }).join('');
}

/** Writes js/runtime/layout.js if it differs. */
export function writeLayout() {
  const text = makeLayout();
  if (existsSync(OUTPUT) && readFileSync(OUTPUT, 'utf8') === text) return;
  const temporary = `${OUTPUT}.${process.pid}`;
  writeFileSync(temporary, text);
  renameSync(temporary, OUTPUT);
  console.log('js/runtime/layout.js: written from the headers');
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) writeLayout();
