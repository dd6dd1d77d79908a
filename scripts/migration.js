/**
 * Writes the tables of docs/migration.md that list every export of recast-navigation and every method of its classes: those that
 * walkmesh/recast-navigation has, and the replacement of the others. Run it after a change of js/recast-navigation, or of the version
 * of recast-navigation: node scripts/migration.js
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import * as ours from '../js/recast-navigation-three/index.js';
import { replacements } from '../js/recast-navigation/missing.js';

const PAGE = fileURLToPath(new URL('../docs/migration.md', import.meta.url));
export const PACKAGES = ['@recast-navigation/core', '@recast-navigation/generators', '@recast-navigation/three'];
const [START, END] = ['<!-- exports: written by scripts/migration.js -->', '<!-- end of exports -->'];

/** Methods that are private in the types of recast-navigation. */
const PRIVATE = ['getHeap', 'createAgentMesh', 'updateAgentGeometry', 'drawPoints', 'drawLines', 'drawTris', 'drawQuads'];

/** The modules of recast-navigation, by package. @returns {Promise<Record<string, Record<string, any>>>} */
export async function importPeers() {
  return Object.fromEntries(await Promise.all(PACKAGES.map(async (name) => [name, { ...await import(name) }])));
}

/** The names of the methods and accessors of a class, those that it inherits in its package included. @param {Function} type */
export function listMembers({ prototype }) {
  const names = new Set();
  // Up to the classes of three.js.
  for (let at = prototype; at && at !== Object.prototype && !['Object3D', 'Group'].includes(at.constructor.name); at = Object.getPrototypeOf(at)) {
    for (const name of Object.getOwnPropertyNames(at)) if (name !== 'constructor' && !PRIVATE.includes(name)) names.add(name);
  }
  return [...names];
}

/** Classes that exist here, each by its own name, with the names of their members. @param {Record<string, Record<string, any>>} peers @returns {[string, string[]][]} */
export function listClasses(peers) {
  return Object.values(peers).flatMap((peer) => Object.entries(peer))
    .filter(([name, value]) => typeof value === 'function' && /** @type {any} */ (ours)[name]?.name === name && /^[A-Z]/.test(name))
    .map(([name, type]) => /** @type {[string, string[]]} */ ([name, listMembers(type)])).filter(([, members]) => members.length > 0);
}

const code = (/** @type {string[]} */ names) => names.map((name) => `\`${name}\``).join(', ');

/** Names by their replacement. @param {string[]} names @param {(name: string) => string | undefined} insteadOf */
function groupBy(names, insteadOf) {
  /** @type {Map<string, string[]>} */
  const groups = new Map();
  for (const name of names) {
    const instead = insteadOf(name);
    if (instead !== undefined) groups.set(instead, [...groups.get(instead) ?? [], name]);
  }
  return [...groups];
}

/** @param {Record<string, Record<string, any>>} peers */
export function makeTables(peers) {
  const names = Object.values(peers).flatMap((peer) => Object.keys(peer));
  const working = names.filter((name) => !replacements.has(name)).length;
  const lines = [`${working} of ${names.length} exports work; the other ${names.length - working} throw when they are called.`, '',
    '| package | exports that work |', '| --- | --- |',
    ...Object.entries(peers).map(([name, peer]) => `| \`${name}\` | ${code(Object.keys(peer).filter((key) => !replacements.has(key)))} |`), '',
    '| exports that throw | instead |', '| --- | --- |',
    ...groupBy(names, (name) => replacements.get(name)).map(([instead, list]) => `| ${code(list)} | ${instead} |`), '',
    '| class | members that work | members that throw |', '| --- | --- | --- |'];
  for (const [type, members] of [...listClasses(peers), /** @type {[string, string[]]} */ (['Raw', Object.keys(peers[PACKAGES[0]].Raw)])]) {
    const insteadOf = (/** @type {string} */ member) => replacements.get(`${type}.${member}`);
    const missing = groupBy(members, insteadOf).map(([instead, list]) => `${code(list)}: ${instead}`);
    lines.push(`| \`${type}\` | ${code(members.filter((member) => insteadOf(member) === undefined))} | ${missing.join('; ')} |`);
  }
  return lines.join('\n');
}

/** The page with these tables. @param {string} page @param {string} tables */
export const insertTables = (page, tables) => `${page.split(START)[0]}${START}\n\n${tables}\n\n${END}${page.split(END)[1]}`;

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await ours.init();
  const peers = await importPeers();
  await peers[PACKAGES[0]].init();
  writeFileSync(PAGE, insertTables(readFileSync(PAGE, 'utf8'), makeTables(peers)));
}
