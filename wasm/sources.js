/**
 * Chooses source files by name, groups them for the compiler, and reads what objects were compiled from, for wasm/build.js.
 * tests/js/wasm-sources.test.js checks it.
 */
import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** Files of wasm/ that the core module has. It needs no list of src/: the linker drops functions that no export reaches. */
export const CORE_EXPORTS = ['session', 'heap', 'bake_exports', 'mesh_exports', 'path_exports', 'core_absent'];

/** Files of wasm/ that the game module doesn't have: those that bake. */
export const BAKING_EXPORTS = ['bake_exports', 'stage_exports', 'hash_exports', 'link_exports', 'dynamic_exports', 'detour_cache_exports'];

/**
 * Finds each name's source file in any folder. A name is a file's base name without `.c`; if several files
 * share it, `folder/name` means the one below a folder of that name, at any depth.
 * @param {string} list name of the list, for the error message
 * @param {string[]} names
 * @param {string[]} sources paths of all source files, with `/`
 * @returns {string[]} one path per name
 */
export function findSources(list, names, sources) {
  return names.map((name) => {
    const folders = name.split('/'), file = `${folders.pop()}.c`;
    const found = sources.filter((path) => {
      const parents = path.split('/');
      return parents.pop() === file && folders.every((folder) => parents.includes(folder));
    });
    if (found.length === 0) throw new Error(`${list}: no source file matches "${name}". Correct or remove the name`);
    if (found.length > 1) throw new Error(`${list}: "${name}" matches ${found.join(' and ')}. Write folder/name`);
    return found[0];
  });
}

/**
 * Groups files that one start of the compiler can compile: they have the same flags, any folders, and different base names,
 * because the compiler writes all objects into one folder.
 * @template {{ source: string, flags: string[] }} File
 * @param {File[]} files
 * @param {number} size most files in a group
 * @returns {File[][]}
 */
export function groupForCompiler(files, size) {
  /** @type {{ flags: string, names: Set<string>, files: File[] }[]} */
  const groups = [];
  for (const file of files) {
    const flags = file.flags.join(' '), name = basename(file.source);
    const group = groups.find((other) => other.flags === flags && other.files.length < size && !other.names.has(name));
    if (group) {
      group.files.push(file);
      group.names.add(name);
    } else groups.push({ flags, names: new Set([name]), files: [file] });
  }
  return groups.map((group) => group.files);
}

/** Included files of each file that was read. @type {Map<string, string[]>} */
const includes = new Map();

/**
 * Lists a source and all files that it includes by quotes, at any depth: those of the C library don't change.
 * @param {string} path @param {string} folder in which files are looked for that aren't beside the one that includes them
 * @param {Set<string>} [found] @returns {Set<string>} paths
 */
export function listParts(path, folder, found = new Set()) {
  if (found.has(path)) return found;
  found.add(path);
  if (!includes.has(path)) {
    const names = [...readFileSync(path, 'utf8').matchAll(/^\s*#\s*include\s+"(.+)"/gm)].map(([, name]) => name);
    includes.set(path, names.flatMap((name) => [join(dirname(path), name), join(folder, name)].find(existsSync) ?? []));
  }
  for (const part of includes.get(path) ?? []) listParts(part, folder, found);
  return found;
}

/**
 * Reads the command of clang's front end, which compiles any number of files, from the output of `emcc -v -c`.
 * @param {string} text @returns {string[] | undefined} the program and its arguments, without the files
 */
export function readFrontEnd(text) {
  const line = text.split('\n').find((one) => / "?-cc1"? (?!version)/.test(one)) ?? '';
  const words = [...line.matchAll(/"((?:[^"\\]|\\.)*)"|\S+/g)].map(([word, quoted]) => quoted?.replace(/\\(.)/g, '$1') ?? word);
  const end = words.lastIndexOf('-o'); // the output, and then the input
  return end < 0 ? undefined : words.slice(0, end).filter((word) => word !== '-v');
}
