/**
 * Puts the modules that Node imports together into few files in dist/, for start-up: each file that Node imports takes it
 * half a millisecond, and the package has some sixty. Bundlers and browsers take js/ as it is.
 *
 * dist/shared.js holds all that js/index.js reaches. The entries import what they need of it and hold the rest, so that
 * nothing is loaded twice, and a NavError is the same whichever entry it comes through. All lie one folder deep, as js/ does,
 * so that the addresses of dist/walkmesh.wasm and of the worker hold. Names of functions and classes stay, for messages.
 */
import { existsSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const DIST = join(ROOT, 'dist');

/** The entry that runs in a realm of its own, so that it shares nothing: it is one file, without what workers do not need. */
const WORKER = 'worker';
/** What the entries share is all that this module reaches. */
const SHARED_ENTRY = 'js/index.js';
const SHARED = './shared.js';
/** Big, and a file of its own for all who import it. */
const BYTES = './inline-bytes.js';

/** @typedef {{ path: string, contents: Uint8Array }} File */
/** @typedef {typeof import('esbuild')} Esbuild */
/** @typedef {Record<string, string>} Entries name in dist/ -> the module it is made of, from the root */

/** The entries of package.json that Node has files of its own for. @returns {Entries} */
function readEntries() {
  const { exports } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  return Object.fromEntries(Object.values(exports).filter(({ node }) => node)
    .map((/** @type {{ node: string, default: string }} */ entry) => [basename(entry.node, '.js'), entry.default.slice(2)]));
}

/** @type {import('esbuild').BuildOptions} */
const OPTIONS = {
  absWorkingDir: ROOT, outdir: DIST, bundle: true, format: 'esm', platform: 'node', target: 'node20', packages: 'external',
  charset: 'utf8', write: false, metafile: true, logLevel: 'warning', minify: true, keepNames: true, lineLimit: 120,
};

/** Modules of this package that a module of esbuild's list imports. @param {import('esbuild').Metafile['inputs'][string]} input */
const listImports = ({ imports }) => imports.filter(({ external }) => !external).map(({ path }) => path);

/**
 * What leaves dist/shared.js: the exports of every shared module that one which is not shared, or an entry, imports.
 * @param {Esbuild} esbuild @param {Entries} entries
 * @returns {Promise<{ shared: Set<string>, names: Map<string, Map<string, string>> }>} names: module -> its name of an
 *   export -> the name in dist/shared.js
 */
async function listShared(esbuild, entries) {
  const options = { ...OPTIONS, external: [BYTES] };
  const [own, all] = await Promise.all([[SHARED_ENTRY], Object.values(entries)].map(async (entryPoints) =>
    (await esbuild.build({ ...options, entryPoints })).metafile?.inputs ?? {}));
  const shared = new Set(Object.keys(own));
  const asked = Object.entries(all).flatMap(([path, input]) => (shared.has(path) ? [] : listImports(input)));
  const modules = [...new Set([SHARED_ENTRY, ...asked])].filter((path) => shared.has(path)).sort();
  const { metafile } = await esbuild.build({ ...options, entryPoints: modules, outbase: ROOT });
  const names = new Map(Object.values(metafile?.outputs ?? {}).flatMap(({ entryPoint = '', exports }) => {
    const prefix = entryPoint.replace(/^js\/|\.js$/g, '').replaceAll(/\W/g, '_');
    return modules.includes(entryPoint) ? [[entryPoint, new Map(exports.map((name) => [name, `${prefix}_${name}`]))]] : [];
  }));
  return { shared, names };
}

/** @param {Map<string, string>} names @param {string} from @param {boolean} inwards @returns {string} */
function exportFrom(names, from, inwards) {
  const list = [...names].map((pair) => (inwards ? pair : pair.reverse()).join(' as '));
  return `export { ${list.join(', ')} } from '${from}';\n`;
}

/** @param {Esbuild} esbuild @param {Entries} entries @returns {Promise<File[]>} */
async function bundleShared(esbuild, entries) {
  const { shared, names } = await listShared(esbuild, entries);
  const contents = [...names].map(([path, list]) => exportFrom(list, `./${path}`, true)).join('');
  const everything = await esbuild.build({
    ...OPTIONS, stdin: { contents, resolveDir: ROOT, sourcefile: SHARED }, entryNames: basename(SHARED, '.js'),
  });
  /** @type {import('esbuild').Plugin} */
  const takeFromShared = {
    name: 'take from shared',
    setup(build) {
      build.onResolve({ filter: /^\.\/(shared|inline-bytes)\.js$/ }, ({ path }) => ({ path, external: true }));
      build.onLoad({ filter: /\.js$/ }, ({ path }) => {
        const module = path.slice(ROOT.length + 1).replaceAll('\\', '/');
        const list = names.get(module);
        if (list) return { contents: exportFrom(list, SHARED, false), resolveDir: ROOT };
        if (shared.has(module)) throw new Error(`${module} would be loaded twice`);
      });
    },
  };
  const rest = await esbuild.build({ ...OPTIONS, entryPoints: entries, plugins: [takeFromShared] });
  return [...everything.outputFiles ?? [], ...rest.outputFiles ?? []];
}

/** The files; without esbuild, which npm ci brings, files that only name the modules. @returns {Promise<File[]>} */
async function bundle() {
  const { [WORKER]: worker, ...entries } = readEntries();
  const esbuild = await import('esbuild').catch(() => undefined);
  if (!esbuild) {
    console.warn('esbuild is not installed (npm ci): Node will import js/ file by file');
    return Object.entries({ ...entries, [WORKER]: worker }).map(([name, module]) => (
      { path: join(DIST, `${name}.js`), contents: Buffer.from(`export * from '../${module}';\n`) }));
  }
  const alone = esbuild.build({ ...OPTIONS, entryPoints: { [WORKER]: worker } });
  return [...await bundleShared(esbuild, entries), ...(await alone).outputFiles ?? []];
}

/** Writes the entries into dist/, and what they share. Needs dist/inline.js and its bytes. */
export async function bundleForNode() {
  for (const { path, contents } of await bundle()) {
    if (existsSync(path) && readFileSync(path).equals(contents)) continue;
    const temporary = join(DIST, `.${process.pid}-${basename(path)}`);
    writeFileSync(temporary, contents);
    renameSync(temporary, path);
  }
  // Of former versions.
  for (const name of readdirSync(DIST)) if (/^shared-.*\.js$/.test(name)) rmSync(join(DIST, name), { force: true });
}
