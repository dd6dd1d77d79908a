/**
 * Chooses source files by name, groups them for the compiler, and reads what objects were compiled from, for wasm/build.js.
 * tests/js/wasm-sources.test.js checks it.
 */
import { basename } from 'node:path';

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

/**
 * Reads the list of files that an object was compiled from, as -MMD writes it: `walls.o: walls.c walls.h`, lines joined by backslashes. The first
 * line may end after the colon.
 * @param {string} list
 * @returns {string[]} paths of the source and its headers
 */
export function readParts(list) {
  const parts = list.replaceAll('\\\n', ' ').replace(/^.*?:\s/, '').trim();
  return parts.split(/(?<!\\)\s+/).map((path) => path.replaceAll('\\ ', ' '));
}
