/**
 * Puts the modules that Node imports together into few files in dist/, for start-up: each file that Node imports takes it
 * half a millisecond, and the package has some sixty. Bundlers and browsers take js/ as it is.
 *
 * dist/index.js holds all that js/index.js reaches. The other entries take what they need of it from its `internals` and hold
 * the rest, so that nothing is loaded twice, and a NavError is the same whichever entry it comes through. All lie one folder
 * deep, as js/ does, so that the addresses of dist/walkmesh.wasm and of the worker hold. In dist/index.js only classes that
 * are exported keep their names: to name every function again takes a tenth of start-up.
 */
import { existsSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const DIST = join(ROOT, 'dist');

/** The entry that runs in a realm of its own, so that it shares nothing: it is one file, without what workers do not need. */
const WORKER = 'worker';
const INDEX = 'index';
/** What the entries share is all that this module reaches. */
const SHARED_ENTRY = 'js/index.js';
const SHARED = './index.js';
/** The one export of it that js/index.js has not: what the other entries need, by module and name. */
const INTERNALS = 'internals';
/** Of modules that stand for shared ones in the other entries. */
const STAND_IN = 'stand-in';
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
 * What leaves dist/index.js as internals: the exports of every shared module that one which is not shared, or an entry, imports.
 * @param {Esbuild} esbuild @param {Entries} entries
 * @returns {Promise<{ shared: Set<string>, names: Map<string, Map<string, string>> }>} names: module -> its name of an
 *   export -> the name in internals
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

/** The module that dist/index.js is made of. @param {Map<string, Map<string, string>>} names */
function writeShared(names) {
  const imports = [...names].map(([path, list]) =>
    `import { ${[...list].map(([name, internal]) => `${name} as ${internal}`).join(', ')} } from './${path}';\n`);
  const internals = [...names.values()].flatMap((list) => [...list.values()]);
  const own = [...names.get(SHARED_ENTRY) ?? []];
  const classes = own.filter(([name]) => /^[A-Z]/.test(name) && name !== name.toUpperCase());
  return `${imports.join('')}export * from './${SHARED_ENTRY}';
export const ${INTERNALS} = { ${internals.join(', ')} };
for (const [name, value] of Object.entries({ ${classes.map((pair) => pair.join(': ')).join(', ')} })) {
  Object.defineProperty(value, 'name', { value: name });
}
`;
}

/** What stands for a shared module elsewhere. @param {Map<string, string>} list */
const takeInternals = (list) => `import { ${INTERNALS} } from '${SHARED}';
${[...list].map(([name, internal]) => `export const ${name} = ${INTERNALS}.${internal};`).join('\n')}
`;

/** @param {Esbuild} esbuild @param {Entries} entries @returns {Promise<File[]>} */
async function bundleShared(esbuild, entries) {
  const { shared, names } = await listShared(esbuild, entries);
  const everything = await esbuild.build({
    ...OPTIONS, keepNames: false, entryNames: basename(SHARED, '.js'),
    stdin: { contents: writeShared(names), resolveDir: ROOT, sourcefile: SHARED },
  });
  /** @type {import('esbuild').Plugin} */
  const takeFromShared = {
    name: 'take from shared',
    setup(build) {
      build.onResolve({ filter: /.*/, namespace: STAND_IN }, () => ({ path: SHARED, external: true }));
      build.onResolve({ filter: /^\.\/inline-bytes\.js$/ }, ({ path }) => ({ path, external: true }));
      build.onResolve({ filter: /\.js$/ }, ({ path, resolveDir, kind }) => {
        const module = relative(ROOT, join(resolveDir, path)).replaceAll('\\', '/');
        if (kind !== 'entry-point' && names.has(module)) return { path: module, namespace: STAND_IN };
        if (shared.has(module)) throw new Error(`${module} would be loaded twice`);
      });
      build.onLoad({ filter: /.*/, namespace: STAND_IN }, ({ path }) => (
        { contents: takeInternals(/** @type {Map<string, string>} */ (names.get(path))), resolveDir: ROOT }));
    },
  };
  const rest = await esbuild.build({ ...OPTIONS, entryPoints: entries, plugins: [takeFromShared] });
  return [...everything.outputFiles ?? [], ...rest.outputFiles ?? []];
}

/** The files; without esbuild, which npm ci brings, files that only name the modules. @returns {Promise<File[]>} */
async function bundle() {
  const { [WORKER]: worker, [INDEX]: index, ...entries } = readEntries();
  const esbuild = await import('esbuild').catch(() => undefined);
  if (!esbuild) {
    console.warn('esbuild is not installed (npm ci): Node will import js/ file by file');
    return Object.entries({ ...entries, [WORKER]: worker, [INDEX]: index }).map(([name, module]) => (
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
  for (const name of readdirSync(DIST)) if (/^shared.*\.js$/.test(name)) rmSync(join(DIST, name), { force: true });
}
