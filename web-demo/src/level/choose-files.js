/** Which of several files are a level: an OBJ or GLB file, or a glTF file with those that it names. */

/** @typedef {{ name: string, size: number }} NamedFile */

const LEVEL_ENDINGS = ['.obj', '.glb', '.gltf'];

/** What a picker offers. */
export const PICKER_ENDINGS = [...LEVEL_ENDINGS, '.bin'];

/** @param {string} name */
export const endingOf = (name) => (/\.[^./\\]+$/.exec(name)?.[0] ?? '').toLowerCase();

/** A list in words. @param {string[]} names */
const inWords = (names) => (names.length > 3 ? `${names.slice(0, 3).join(', ')} and ${names.length - 3} more` : names.join(', '));

/** What is wrong with files that are to be opened, in words for the person. */
export class WrongFiles extends Error {}

/**
 * @template {NamedFile} T
 * @param {readonly T[]} files @param {readonly string[]} [folders] names of folders among what was dropped
 * @returns {{ main: T, others: T[] }} others: those that a glTF file may name; throws WrongFiles
 */
export function chooseLevel(files, folders = []) {
  const levels = files.filter(({ name }) => LEVEL_ENDINGS.includes(endingOf(name)));
  if (levels.length === 0 && folders.length > 0) throw new WrongFiles(`${inWords([...folders])} is a folder: drop the files in it.`);
  if (levels.length === 0) {
    const names = files.map(({ name }) => name);
    throw new WrongFiles(names.length === 0 ? 'There was no file in it.'
      : `${inWords(names)} ${names.length > 1 ? 'are no levels' : 'is no level'}: a level is an OBJ, GLB or glTF file (the latter together with its .bin).`);
  }
  if (levels.length > 1) throw new WrongFiles(`These are ${levels.length} levels (${inWords(levels.map(({ name }) => name))}): open one at a time.`);
  const [main] = levels;
  if (main.size === 0) throw new WrongFiles(`${main.name} is empty.`);
  return { main, others: endingOf(main.name) === '.gltf' ? files.filter((file) => file !== main) : [] };
}

/** The last part of a path or an address: what a dropped file is known by. @param {string} address */
export function lastPart(address) {
  const part = address.split(/[?#]/)[0].split(/[/\\]/).pop() ?? '';
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
