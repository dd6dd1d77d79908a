/**
 * Project files (.walkmesh-project): everything that was made in the tool. A project is JSON:
 *
 *   { "format": "walkmesh-project", "version": 1, "document": { ... }, "view": { ... }, "files": [{ "name", "size" }] }
 *
 * `document` and `view` are those of state/document.js. If the project includes its level, a zero byte follows the JSON, and then the
 * bytes of `files`, one after the other. Fields that this version doesn't know are kept.
 */
import { CONFIG_FIELDS, HEIGHTS, PARTITIONS } from 'walkmesh';
import { ITEM_CHECKS, isUnknownShape, knownItem } from '../edit/check-items.js';
import { checkDocument, checkView } from '../state/validate.js';
import { isPlain, listNames, nameParts, unknownParts, withParts } from './unknown-fields.js';

/** @typedef {import('../state/document.js').Document} Document */
/** @typedef {import('../state/document.js').View} View */
/** @typedef {import('../level/messages.js').LevelFile} LevelFile */
/**
 * @typedef {object} Project
 * @property {Document} document with the fields that this version doesn't know in `extra`
 * @property {View} view
 * @property {LevelFile[]} files of the level; empty: the project doesn't include it
 * @property {string[]} unknown names of fields and objects that this version doesn't know
 */

export const PROJECT_ENDING = '.walkmesh-project';
const [FORMAT, VERSION] = ['walkmesh-project', 1];
/** Longest JSON, bytes: thousands of times a large project. */
const MAX_TEXT = 64 << 20;
/** Deepest nesting. */
const MAX_DEPTH = 64;

/** An error about a project file, with a message for the user. */
export class WrongProject extends Error {}

/**
 * @param {Document} document @param {View} view @param {readonly LevelFile[]} [files] the level's, to include it
 * @returns {Blob}
 */
export function writeProject(document, view, files = []) {
  const { extra, ...known } = document;
  const project = {
    format: FORMAT, version: VERSION, document: known, view,
    ...(files.length > 0 ? { files: files.map(({ name, blob }) => ({ name, size: blob.size })) } : {}),
  };
  const text = `${JSON.stringify(withParts(project, extra), null, 2)}\n`;
  return new Blob(files.length > 0 ? [text, Uint8Array.of(0), ...files.map(({ blob }) => blob)] : [text], { type: 'application/json' });
}

/**
 * Reads a project. @param {Blob} file @param {string} name of the file, for messages
 * @returns {Promise<Project>} rejects with WrongProject
 */
export async function readProject(file, name) {
  const refuse = (/** @type {string} */ problem) => new WrongProject(`${name} ${problem}`);
  const { text, rest } = await splitFile(file, refuse);
  const given = parse(text, refuse);
  requireProject(given, refuse);
  const files = readFiles(given.files ?? [], rest, refuse);
  const document = takeDocument(given.document, refuse);
  const view = checkView(given.view ?? {});
  const taken = { format: FORMAT, version: VERSION, document, view, files: given.files };
  const extra = unknownParts(given, taken);
  return { document: { ...document, extra }, view, files, unknown: nameParts(extra, taken).map((path) => path.replace(/^document\./, '')) };
}

/** The JSON of a file, and what follows it. @param {Blob} file @param {(problem: string) => Error} refuse */
async function splitFile(file, refuse) {
  if (file.size === 0) throw refuse('is empty');
  const head = new Uint8Array(await file.slice(0, MAX_TEXT).arrayBuffer());
  const end = head.indexOf(0);
  if (end < 0 && file.size > MAX_TEXT) throw refuse(`isn't a project: it has more than ${MAX_TEXT >> 20} MB of text`);
  const bytes = end < 0 ? head : head.subarray(0, end);
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes), rest: end < 0 ? null : file.slice(end + 1) };
  } catch {
    throw refuse("isn't a project: its text is damaged");
  }
}

/** @param {string} text @param {(problem: string) => Error} refuse */
function parse(text, refuse) {
  let given;
  try {
    given = JSON.parse(text);
  } catch (error) {
    if (!text.trimStart().startsWith('{')) throw refuse("isn't a project. Use a file that Save project made");
    const isCut = !text.trimEnd().endsWith('}');
    throw refuse(isCut ? 'is truncated: its text ends too early' : `isn't valid JSON: ${/** @type {Error} */ (error).message}`);
  }
  if (!isPlain(given) || given.format !== FORMAT) throw refuse("isn't a project. Use a file that Save project made");
  if (!Number.isInteger(given.version) || given.version < 1) throw refuse(`has version ${JSON.stringify(given.version)}: must be a number`);
  if (given.version > VERSION) throw refuse(`was saved by a newer level tool (version ${given.version}; this page reads ${VERSION}). Update the tool`);
  if (depthOf(given, MAX_DEPTH) < 0) throw refuse(`is nested more than ${MAX_DEPTH} deep`);
  return given;
}

/** The levels that are left below a value; negative: none. @param {unknown} value @param {number} left @returns {number} */
function depthOf(value, left) {
  if (left < 0 || typeof value !== 'object' || value === null) return left;
  let least = left;
  for (const part of Object.values(value)) {
    least = Math.min(least, depthOf(part, left - 1));
    if (least < 0) break;
  }
  return least;
}

/** @param {unknown} value */
const inWords = (value) => {
  const text = (typeof value === 'number' ? String(value) : JSON.stringify(value)) ?? 'missing';
  return text.length > 40 ? `${text.slice(0, 37)}...` : text;
};

/** @param {unknown} point */
const isPoint = (point) => Array.isArray(point) && point.length === 3 && point.every(Number.isFinite);

/** Throws if a part that this version knows has a wrong value, and names it. @param {any} given @param {(problem: string) => Error} refuse */
function requireProject({ document, view, files }, refuse) {
  if (!isPlain(document)) throw refuse('has no document');
  if (view !== undefined && !isPlain(view)) throw refuse(`has view ${inWords(view)}: must be an object`);
  if (files !== undefined && !Array.isArray(files)) throw refuse(`has files ${inWords(files)}: must be a list`);
  const { level, config = {} } = document;
  if (!isPlain(level) || !['scene', 'file'].includes(level.kind) || typeof level.name !== 'string') throw refuse('names no level');
  if (!isPlain(config)) throw refuse(`has config ${inWords(config)}: must be an object`);
  for (const [name, value] of Object.entries(config)) {
    const problem = configProblem(name, value);
    if (problem) throw refuse(`has config.${name} ${inWords(value)}: must be ${problem}`);
  }
  for (const list of LISTS) requireItems(list, document[list] ?? [], refuse);
}

/**
 * The document without what this version doesn't know. Throws if another part of it is wrong.
 * @param {any} given @param {(problem: string) => Error} refuse
 */
function takeDocument(given, refuse) {
  const lists = Object.fromEntries(LISTS.map((list) => [list, (given[list] ?? []).map((/** @type {any} */ item) => knownItem(list, item))]));
  const document = checkDocument({ ...given, ...lists, extra: {} });
  for (const name of /** @type {const} */ (['level', 'areas', 'chosen', 'places', 'links'])) {
    if (given[name] !== undefined && document[name] !== given[name]) throw refuse(`has ${name} ${inWords(given[name])}: ${RULES[name]}`);
  }
  return document;
}

const LISTS = /** @type {(keyof typeof ITEM_CHECKS)[]} */ (Object.keys(ITEM_CHECKS));
/** What the other parts of a document must be. */
const RULES = {
  level: 'must be a kind, a name, and import settings in range', chosen: 'must be a level and its values', places: 'must be an object of finite numbers',
  areas: 'each needs an id of 0 to 63, a name, a color, a cost and walkable', links: 'each kind needs isOn, and numbers',
};

/** What a value of the configuration must be; undefined: it is good, or of a field that this version doesn't know. @param {string} name @param {unknown} value */
function configProblem(name, value) {
  if (name === 'bounds') return isPlain(value) && isPoint(value.min) && isPoint(value.max) ? undefined : '{ "min": [x, y, z], "max": [x, y, z] }';
  const field = CONFIG_FIELDS.find((candidate) => candidate.name === name);
  if (!field) return undefined;
  /** @type {readonly unknown[] | undefined} */
  const names = name === 'partition' ? PARTITIONS : name === 'heights' ? HEIGHTS : undefined;
  if (names) return names.includes(value) ? undefined : `one of ${names.join(', ')}`;
  if (typeof value !== typeof field.default) return typeof field.default === 'number' ? 'a number' : 'true or false';
  return typeof value === 'number' && !Number.isFinite(value) ? 'a finite number' : undefined;
}

/**
 * Throws if an object of a list has a wrong field. Objects and fields of newer versions pass: they are kept.
 * @param {keyof typeof ITEM_CHECKS} list @param {any} items @param {(problem: string) => Error} refuse
 */
function requireItems(list, items, refuse) {
  if (!Array.isArray(items)) throw refuse(`has ${list} ${inWords(items)}: must be a list`);
  const ids = new Set();
  items.forEach((item, i) => {
    if (!isPlain(item) || !Number.isInteger(item.id) || item.id < 1) throw refuse(`has ${list}[${i}] ${inWords(item)}: needs an id of 1 or more`);
    if (ids.has(item.id)) throw refuse(`has ${list}[${i}] with the id of another one: ${item.id}`);
    ids.add(item.id);
    if (!ITEM_CHECKS[list](knownItem(list, item)) && !isUnknownShape(item.shape)) throw refuse(`has ${list}[${i}] (id ${item.id}) with a wrong field: ${inWords(item)}`);
  });
}

/** The level's files. @param {any[]} list @param {Blob | null} rest @param {(problem: string) => Error} refuse @returns {LevelFile[]} */
function readFiles(list, rest, refuse) {
  let at = 0;
  const files = list.map((file, i) => {
    const { name, size } = isPlain(file) ? file : {};
    if (typeof name !== 'string' || !Number.isSafeInteger(size) || size < 0) throw refuse(`has files[${i}] ${inWords(file)}: needs a name and a size`);
    at += size;
    return { name, blob: rest ? rest.slice(at - size, at) : new Blob() };
  });
  if (list.length > 0 && (rest?.size ?? 0) !== at) {
    throw refuse(`is ${(rest?.size ?? 0) < at ? 'truncated' : 'damaged'}: its level has ${(rest?.size ?? 0).toLocaleString('en')} of ${at.toLocaleString('en')} bytes`);
  }
  return files;
}

/** The message about unknown fields. @param {string[]} unknown */
export const describeUnknown = (unknown) => `This version doesn't know ${listNames(unknown)}. ${unknown.length === 1 ? 'It is' : 'They are'} saved with the project again.`;

