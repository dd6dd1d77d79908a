/**
 * Reads the call graph of the C sources from their text. It parses only C that clang-format has formatted, where every
 * item of the top level begins in the first column. Names that are mentioned count as called, so that functions
 * in tables are reached, too. Static names belong to their file.
 */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../scripts/setup.js';

/** @typedef {{ name: string, file: string, words: string[], isStatic: boolean, isFunction: boolean }} Item of the top level */

/** Removes comments, strings and directives from a source. @param {string} text */
const strip = (text) => text
  .replaceAll(/\/\*[^]*?\*\//g, ' ')
  .replaceAll(/^#(?:.*\\\n)*.*$/gm, '')
  .replaceAll(/"(?:[^"\\\n]|\\.)*"/g, '""')
  .replaceAll(/'(?:[^'\\\n]|\\.)'/g, '0');

/** @type {Map<string, Item[]>} */
const known = new Map();

/** The items of a file's top level, each with the words in it. @param {string} file @returns {Item[]} */
function readItems(file) {
  const items = known.get(file) ?? parse(file);
  known.set(file, items);
  return items;
}

/** @param {string} file @returns {Item[]} */
function parse(file) {
  const lines = strip(readFileSync(join(ROOT, file), 'utf8')).split('\n');
  const pieces = [];
  for (const line of lines) {
    if (/^[A-Za-z]/.test(line)) pieces.push(line);
    else if (pieces.length) pieces[pieces.length - 1] += `\n${line}`;
  }
  return pieces.flatMap((piece) => {
    const isFunction = /^[\w\s*]+?\([^;={]*\)\s*\{/.test(piece) || /^EXPORT\(/.test(piece);
    const [, name] = (isFunction ? /([a-z_]\w*)\s*\(/i : /([A-Za-z_]\w*)\s*(?:\[[^=]*)?=/).exec(piece) ?? [];
    if (!name || /^(typedef|struct|enum|union)\b/.test(piece) || (!isFunction && !piece.includes('='))) return [];
    const isStatic = /^(static|WM_INLINE|WM_COLD static)\b/.test(piece) && !file.endsWith('.h');
    return [{ name, file, isStatic, isFunction, words: [...new Set(piece.match(/[A-Za-z_]\w*/g))].filter((word) => word !== name) }];
  });
}

/** @param {string} folder @param {string} ending */
const filesOf = (folder, ending) => readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && entry.name.endsWith(ending))
  .map((entry) => `${folder}/${join(entry.parentPath ?? entry.path, entry.name).slice(join(ROOT, folder).length + 1)}`);

/** The call graph of files: `follow` returns the items that an item mentions. @param {string[]} files */
export function readCalls(files) {
  const items = files.flatMap(readItems);
  /** @type {Map<string, Item>} */
  const shared = new Map(items.filter(({ isStatic }) => !isStatic).map((item) => [item.name, item]));
  const own = new Map(items.filter(({ isStatic }) => isStatic).map((item) => [`${item.file}:${item.name}`, item]));
  /** @type {Map<Item, Item[]>} */
  const next = new Map(items.map((item) => [item,
    item.words.flatMap((word) => own.get(`${item.file}:${word}`) ?? shared.get(word) ?? [])]));
  return { items, shared, follow: (/** @type {Item} */ item) => next.get(item) ?? [] };
}

/** Items that reach a wanted item, and the wanted items. @param {ReturnType<typeof readCalls>} calls @param {(item: Item) => boolean} wanted */
export function reachBack(calls, wanted) {
  /** @type {Map<Item, Item[]>} */
  const before = new Map(calls.items.map((item) => [item, []]));
  for (const item of calls.items) for (const next of calls.follow(item)) before.get(next)?.push(item);
  const found = new Set(calls.items.filter(wanted));
  for (const item of found) for (const one of before.get(item) ?? []) found.add(one);
  return found;
}

/**
 * All items that some items reach, each with its predecessor on the shortest way from the first of them.
 * @param {ReturnType<typeof readCalls>} calls @param {Item[]} from @returns {Map<Item, Item | null>}
 */
export function reach(calls, from) {
  /** @type {Map<Item, Item | null>} */
  const found = new Map(from.map((item) => [item, null]));
  for (const item of found.keys()) {
    for (const next of calls.follow(item)) if (!found.has(next)) found.set(next, item);
  }
  return found;
}

/** Sources of the library, and headers that tests share. */
export const LIBRARY = [...filesOf('src', '.c'), ...filesOf('src', '.h')];
export const HARNESSES = [...filesOf('tests/fuzz', '.c'), ...filesOf('tests/fuzz', '.h'), 'tests/c/grid_tiles.h', 'tests/c/scene.c'];

/**
 * The functions that headers of the library declare, header by header, without `..._internal.h` and without functions
 * that are defined in the header.
 * @returns {{ header: string, functions: string[] }[]}
 */
export function readPublicFunctions() {
  return LIBRARY.filter((file) => file.endsWith('.h') && !file.endsWith('_internal.h')).sort().map((header) => {
    const text = strip(readFileSync(join(ROOT, header), 'utf8'));
    const functions = [...text.matchAll(/^(?!static|WM_INLINE|typedef)[A-Za-z][\w *]*?\b(wm_\w+)\([^;{]*\);/gm)].map(([, name]) => name);
    return { header: header.slice('src/'.length), functions };
  }).filter(({ functions }) => functions.length);
}
