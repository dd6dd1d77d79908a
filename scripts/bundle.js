/**
 * Bundles the modules that Node imports into few files in dist/, for a fast start: Node spends half a millisecond on each file
 * that it imports, and the package has some sixty. Bundlers and browsers use js/ as it is. See docs/decisions/007-start-up.md.
 *
 * dist/index.js holds the part of js/index.js that a start, a bake and a path need; dist/later.cjs holds the rest, which is
 * loaded when it is first used (scripts/later.js). The other entries import their share of both from the `internals` of
 * dist/index.js and hold the rest, so that no module is loaded twice, and a NavError is the same whichever entry throws it. All
 * files lie one folder deep, as in js/, so that the addresses of dist/walkmesh.wasm and of the worker stay valid. In these two
 * files only exported classes keep their names: naming every function again takes a tenth of start-up.
 */
import { existsSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
export const DIST = join(ROOT, 'dist');

/** The worker's entry runs in a realm of its own and shares nothing: it is one file, without the modules that workers don't need. */
const WORKER = 'worker';
const INDEX = 'index';
/** The command line. */
const COMMAND = 'cli';
/** The entries share only modules that this module reaches. */
const SHARED_ENTRY = 'js/index.js';
const SHARED = './index.js';
/**
 * The one export of dist/index.js that js/index.js lacks: a list of the exports that the other entries need, at the numbers that
 * listShared gives them. An object of 300 names takes longer to parse and to make.
 */
const INTERNALS = 'internals';
/** Namespace of stub modules, which replace modules that another file holds. */
const STAND_IN = 'stand-in';
/** The file that dist/index.js loads on first use. */
const LATER = './later.cjs';
/** The module that loads it. */
const LATER_HELPER = 'scripts/later.js';
/**
 * Modules that a start, a bake and a path don't need: they, and all modules that only they import, are in dist/later.cjs. Other
 * files can import only their functions and classes, no constants. Small modules aren't worth a row.
 */
const LATER_MODULES = ['bake/links/air-collector', 'bake/bake-in-background', 'bake/links/create-link-generator', 'bake/create-tile-graph', 'bake/links/link-generator', 'bake/links/link-pass', 'input/link-config', 'input/stray', 'bake/offset-polygon', 'bake/read-stage-array', 'bake/stage-arrays', 'caches/indexed-db-tile-cache', 'caches/memory-tile-cache',
  'check/check', 'check/compare', 'explain/explain-path', 'explain/obstacles-in-way', 'explain/trace', 'query/alternatives', 'query/corridor', 'crowd/crowd', 'crowd/fixed-step', 'mesh/detour-tile',
  'dynamic/bake-dynamic', 'dynamic/dynamic-nav-mesh', 'dynamic/rebake-dynamic', 'dynamic/rebake-steps', 'dynamic/tile-cache', 'mesh/links', 'bake/rebake',
  'streaming/bake-source', 'streaming/dynamic-file-source', 'streaming/fetch-source', 'streaming/file-source', 'streaming/tile-streamer',
  'mesh/segment-link-records', 'mesh/switches', 'query/sliced-search', 'query/tile-graph', 'workers/pool', 'runtime/fetch-module'].map((name) => `js/${name}.js`);
/** Constants without an identity: each file has a copy of those it uses, so that dist/index.js has no others. */
const COPIED = 'js/runtime/layout.js';
/** A large module with a file of its own, for every entry that imports it. */
const BYTES = './inline-bytes.js';

/** @typedef {{ path: string, contents: Uint8Array }} File */
/** @typedef {typeof import('esbuild')} Esbuild */
/** @typedef {Record<string, string>} Entries name in dist/ -> its source module, relative to the root */

/** The entries of package.json that have files of their own for Node, and the command. @returns {Entries} */
function readEntries() {
  const { exports } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const entries = Object.values(exports).filter(({ node }) => node)
    .map((/** @type {{ node: string, default: string }} */ entry) => [basename(entry.node, '.js'), entry.default.slice(2)]);
  return { ...Object.fromEntries(entries), [COMMAND]: `js/${COMMAND}.js` };
}

/** @type {import('esbuild').BuildOptions} */
const OPTIONS = {
  absWorkingDir: ROOT, outdir: DIST, bundle: true, format: 'esm', platform: 'node', target: 'node20', packages: 'external',
  charset: 'utf8', write: false, metafile: true, logLevel: 'warning', minify: true, keepNames: true, lineLimit: 120,
};

/**
 * Modules of this package that a module of esbuild's list imports.
 * @param {import('esbuild').Metafile['inputs'][string]} input
 */
const listImports = ({ imports }) => imports.filter(({ external }) => !external).map(({ path }) => path);

/** True if an export can be loaded later. Constants can't: reading one would have to load the file. @param {string} name */
const canWait = (name) => name !== name.toUpperCase();
const isClass = (/** @type {string} */ name) => /^[A-Z]/.test(name) && canWait(name);

/**
 * All modules that the given ones reach, themselves included, without passing through modules that load later.
 * @param {import('esbuild').Metafile['inputs']} inputs @param {string[]} from
 */
function reach(inputs, from) {
  const reached = new Set(from);
  for (const path of reached) {
    for (const next of listImports(inputs[path])) if (!LATER_MODULES.includes(next)) reached.add(next);
  }
  return reached;
}

/**
 * @typedef {object} Shared
 * @property {Set<string>} now modules of dist/index.js
 * @property {Set<string>} later modules of dist/later.cjs
 * @property {Map<string, Map<string, number>>} numbers of internals: module -> its name of an export -> the number in internals
 */

/**
 * Assigns modules to files, and lists the exports that leave dist/index.js as internals: all exports of its modules, and exports
 * of later modules that a module in another file imports.
 * @param {Esbuild} esbuild @param {Entries} entries @returns {Promise<Shared>}
 */
async function listShared(esbuild, entries) {
  const options = { ...OPTIONS, external: [BYTES] };
  const [own, all] = await Promise.all([[SHARED_ENTRY], Object.values(entries)].map(async (entryPoints) =>
    (await esbuild.build({ ...options, entryPoints })).metafile?.inputs ?? {}));
  const strangers = LATER_MODULES.filter((path) => !(path in own));
  if (strangers.length > 0) throw new Error(`not reached from ${SHARED_ENTRY}: ${strangers.join(', ')}`);
  const asked = Object.entries(all).flatMap(([path, input]) => (path in own ? [] : listImports(input)))
    .filter((path) => path in own && path !== COPIED);
  const now = reach(own, [SHARED_ENTRY, ...asked.filter((path) => !LATER_MODULES.includes(path))]);
  const later = new Set(Object.keys(own).filter((path) => !now.has(path)));
  for (const modules of [now, later]) modules.delete(COPIED);
  const askedLater = [...later].flatMap((path) => listImports(own[path])).filter((path) => now.has(path));
  const modules = [...new Set([SHARED_ENTRY, ...LATER_MODULES, ...asked, ...askedLater])].sort();
  const { metafile } = await esbuild.build({ ...options, entryPoints: modules, outbase: ROOT });
  let next = 0;
  const numbers = new Map(Object.values(metafile?.outputs ?? {}).flatMap(({ entryPoint = '', exports }) => {
    const kept = later.has(entryPoint) ? exports.filter(canWait) : exports;
    return modules.includes(entryPoint) ? [[entryPoint, new Map(kept.map((name) => [name, next++]))]] : [];
  }));
  return { now, later, numbers };
}

/** The name of an internal in the statements below. @param {number} number */
const nameOf = (number) => `_${number}`;

/** Statements that read exports of modules. @param {Map<string, Map<string, number>>} numbers */
const takeAll = (numbers, word = 'import') => [...numbers].map(([path, list]) =>
  `${word} { ${[...list].map(([name, number]) => `${name} as ${nameOf(number)}`).join(', ')} } from './${path}';\n`).join('');

/**
 * The source of dist/index.js.
 * @param {Shared} shared @param {Set<number>} taken internals that the other entries use
 */
function writeShared({ later, numbers }, taken) {
  const internals = new Map([...numbers].map(([path, list]) => (
    [path, new Map([...list].filter(([, number]) => taken.has(number)))])));
  const waiting = new Set([...numbers].flatMap(([path, list]) => (later.has(path) ? [...list.keys()] : [])));
  const classes = [...numbers.get(SHARED_ENTRY) ?? []].flatMap(([name]) => (isClass(name) && !waiting.has(name) ? [name] : []));
  const places = Array.from({ length: Math.max(...taken) + 1 }, (_, number) => (taken.has(number) ? nameOf(number) : ''));
  return `${takeAll(internals)}import { give } from './${LATER_HELPER}';
import { ${classes.join(', ')} } from './${SHARED_ENTRY}';
export * from './${SHARED_ENTRY}';
export const ${INTERNALS} = [${places.join(', ')}];
give(${INTERNALS});
for (const [name, value] of Object.entries({ ${classes.join(', ')} })) {
  Object.defineProperty(value, 'name', { value: name });
}
`;
}

/**
 * Replaces a shared module in dist/later.cjs, which receives internals; esbuild drops the unused calls. The numbers are strings, by
 * which bundleShared finds the internals that a file uses.
 * @param {Map<string, number>} list
 */
const takeGiven = (list) => `const take = (number) => ${INTERNALS}[number];
${[...list].map(([name, number]) => `export const ${name} = /* @__PURE__ */ take('${number}');`).join('\n')}
`;

/** Replaces a shared module in the other files, which import internals. @param {Map<string, number>} list */
const takeInternals = (list) => `import { ${INTERNALS} } from '${SHARED}';\n${takeGiven(list)}`;

/** Replaces a later module in dist/index.js. @param {Map<string, number>} list */
const takeLater = (list) => `import { classLater, functionLater } from './${LATER_HELPER}';
${[...list].map(([name, number]) => (isClass(name) ? `export const ${name} = classLater('${nameOf(number)}', '${name}');`
    : `export const ${name} = functionLater('${nameOf(number)}');`)).join('\n')}
`;

/**
 * An esbuild plugin that replaces the contents of some modules.
 * @param {(module: string) => string | undefined} contentsOf the contents of an imported module; undefined: unchanged
 * @returns {import('esbuild').Plugin}
 */
const standIn = (contentsOf) => ({
  name: STAND_IN,
  setup(build) {
    build.onResolve({ filter: /^\.\/(index|inline-bytes)\.js$/ }, ({ path, namespace, kind }) => (
      kind !== 'entry-point' && (namespace === STAND_IN || path === BYTES) ? { path, external: true } : undefined));
    build.onResolve({ filter: /\.js$/ }, ({ path, resolveDir, kind }) => {
      const module = relative(ROOT, join(resolveDir, path)).replaceAll('\\', '/');
      if (kind !== 'entry-point' && contentsOf(module) !== undefined) return { path: module, namespace: STAND_IN };
    });
    build.onLoad({ filter: /.*/, namespace: STAND_IN }, ({ path }) => ({ contents: contentsOf(path), resolveDir: ROOT }));
  },
});

/**
 * An esbuild plugin: an entry that imports another one imports its file in dist/, so that both have the same state.
 * @param {Entries} entries @returns {import('esbuild').Plugin}
 */
const importEntries = (entries) => ({
  name: 'entries',
  setup(build) {
    build.onResolve({ filter: /\/index\.js$/ }, ({ path, resolveDir, kind }) => {
      const module = relative(ROOT, join(resolveDir, path)).replaceAll('\\', '/');
      const name = Object.keys(entries).find((entry) => entries[entry] === module);
      return kind !== 'entry-point' && name !== undefined ? { path: `./${name}.js`, external: true } : undefined;
    });
  },
});

/** @param {Esbuild} esbuild @param {Entries} entries @returns {Promise<File[]>} */
async function bundleShared(esbuild, entries) {
  const shared = await listShared(esbuild, entries);
  const { now, later, numbers } = shared;
  const listOf = (/** @type {string} */ module) => {
    const list = numbers.get(module);
    if (!list) throw new Error(`${module} would be loaded twice`);
    return list;
  };
  const waiting = new Map([...numbers].filter(([path]) => later.has(path)));
  const stdin = (/** @type {string} */ contents) => ({ contents, resolveDir: ROOT, sourcefile: SHARED });
  const results = await Promise.all([
    esbuild.build({
      ...OPTIONS, keepNames: false, entryNames: basename(LATER, '.cjs'), outExtension: { '.js': '.cjs' }, format: 'cjs',
      stdin: stdin(takeAll(waiting, 'export')), define: { 'import.meta.url': 'address' },
      // In parentheses, so that V8 sees that it is called at once and doesn't parse it twice.
      banner: { js: `module.exports=(function(${INTERNALS},address){const module={};` },
      footer: { js: 'return module.exports});' },
      plugins: [standIn((module) => (now.has(module) ? takeGiven(listOf(module)) : undefined))],
    }),
    esbuild.build({
      ...OPTIONS, entryPoints: entries,
      plugins: [importEntries(entries), standIn((module) => (now.has(module) || later.has(module) ? takeInternals(listOf(module)) : undefined))],
    }),
  ]);
  const others = results.flatMap(({ outputFiles }) => outputFiles ?? []);
  // The line limit also breaks lines inside template strings.
  const taken = new Set(others.flatMap(({ text }) => (
    [...text.replaceAll('\\\n', '').matchAll(/\(\s*"(\d+)"\s*\)/g)].map(([, number]) => Number(number)))));
  const internals = new Set([...numbers.values()].flatMap((list) => [...list.values()]));
  const everything = await esbuild.build({
    ...OPTIONS, keepNames: false, entryNames: basename(SHARED, '.js'),
    stdin: stdin(writeShared(shared, new Set([...taken].filter((number) => internals.has(number))))),
    plugins: [standIn((module) => (later.has(module) ? takeLater(listOf(module)) : undefined))],
  });
  return [...everything.outputFiles ?? [], ...others];
}

/** All files; without esbuild, which npm ci installs, files that only re-export the modules. @returns {Promise<File[]>} */
async function bundle() {
  const { [WORKER]: worker, [INDEX]: index, ...entries } = readEntries();
  const esbuild = await import('esbuild').catch(() => undefined);
  if (!esbuild) {
    console.warn('esbuild is not installed (npm ci): Node will import js/ file by file');
    return Object.entries({ ...entries, [WORKER]: worker, [INDEX]: index }).map(([name, module]) => (
      {
        path: join(DIST, `${name}.js`),
        contents: Buffer.from(`${name === COMMAND ? '#!/usr/bin/env node\n' : ''}export * from '../${module}';\n`),
      }));
  }
  const alone = esbuild.build({ ...OPTIONS, entryPoints: { [WORKER]: worker } });
  return [...await bundleShared(esbuild, entries), ...(await alone).outputFiles ?? []];
}

/** Writes a file completely or not at all. @param {string} path @param {Uint8Array} contents @param {number} [mode] */
export function writeIfChanged(path, contents, mode = 0o644) {
  if (existsSync(path) && readFileSync(path).equals(contents)) return;
  const temporary = join(dirname(path), `.${process.pid}-${basename(path)}`);
  writeFileSync(temporary, contents, { mode });
  renameSync(temporary, path);
}

/** Writes the entries and their shared files into dist/. Needs dist/inline.js and its bytes. */
export async function bundleForNode() {
  for (const { path, contents } of await bundle()) {
    writeIfChanged(path, contents, basename(path) === `${COMMAND}.js` ? 0o755 : 0o644);
  }
  // Files of former versions.
  for (const name of readdirSync(DIST)) if (/^shared.*\.js$/.test(name)) rmSync(join(DIST, name), { force: true });
}
