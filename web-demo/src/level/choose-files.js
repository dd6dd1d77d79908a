/** Chooses the level among several files: an OBJ or GLB file, or a glTF file with the files it names. */

/** @typedef {{ name: string, size: number }} NamedFile */

const LEVEL_ENDINGS = ['.obj', '.glb', '.gltf'];

/** File extensions for the picker. */
export const PICKER_ENDINGS = [...LEVEL_ENDINGS, '.bin'];

/** @param {string} name */
export const endingOf = (name) => (/\.[^./\\]+$/.exec(name)?.[0] ?? '').toLowerCase();

/** Joins names, at most 3. @param {string[]} names */
const inWords = (names) => (names.length > 3 ? `${names.slice(0, 3).join(', ')} and ${names.length - 3} more` : names.join(', '));

/** An error about chosen files, with a message for the user. */
export class WrongFiles extends Error {}

/**
 * @template {NamedFile} T
 * @param {readonly T[]} files @param {readonly string[]} [folders] names of dropped folders
 * @returns {{ main: T, others: T[] }} others: files that a glTF file may name; throws WrongFiles
 */
export function chooseLevel(files, folders = []) {
  const levels = files.filter(({ name }) => LEVEL_ENDINGS.includes(endingOf(name)));
  if (levels.length === 0 && folders.length > 0) throw new WrongFiles(`${inWords([...folders])} is a folder. Drop the files inside it.`);
  if (levels.length === 0) {
    const names = files.map(({ name }) => name);
    throw new WrongFiles(names.length === 0 ? 'No file was dropped.'
      : `${inWords(names)} ${names.length > 1 ? "aren't supported levels" : "isn't a supported level"}. Use OBJ, GLB, or glTF + .bin.`);
  }
  if (levels.length > 1) throw new WrongFiles(`These are ${levels.length} levels (${inWords(levels.map(({ name }) => name))}). Open one at a time.`);
  const [main] = levels;
  if (main.size === 0) throw new WrongFiles(`${main.name} is empty.`);
  return { main, others: endingOf(main.name) === '.gltf' ? files.filter((file) => file !== main) : [] };
}

/** The last part of a path or URL: the name of the dropped file. @param {string} address */
export function lastPart(address) {
  const part = address.split(/[?#]/)[0].split(/[/\\]/).pop() ?? '';
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
