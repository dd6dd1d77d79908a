/**
 * Builds dist/walkmesh.wasm (SIMD), dist/walkmesh-scalar.wasm, the smaller walkmesh-core.wasm and walkmesh-core-scalar.wasm
 * of the same objects, and dist/inline.js with Emscripten's compiler, without its JavaScript; arranges the modules for gzip
 * (wasm/pack.js); puts js/ together for Node (scripts/bundle.js). Compiles only what is older than its source or a header
 * of it; --force compiles all; --quick, to try something, makes dist/walkmesh.wasm only, and leaves it as it is linked;
 * --jobs N: so many compilers at a time, not one on each processor.
 */
import { spawn } from 'node:child_process';
import { accessSync, constants, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, statSync,
  utimesSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { bundleForNode } from '../scripts/bundle.js';
import { writeLayout } from './layout.js';

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const DIST = join(ROOT, 'dist');
const OBJECTS = join(ROOT, 'build', 'wasm');

/** Autovectorised loops were slower in WebAssembly than scalar ones: lanes are written by hand. */
const COMPILE_FLAGS = ['-std=c17', '-ffp-contract=off', '-fno-vectorize', '-fno-slp-vectorize',
  '-fno-math-errno', '-DNDEBUG', `-I${join(ROOT, 'src')}`, '-MMD'];

/**
 * The stack lies below the data, so that running out of it traps instead of overwriting. What is called once is not
 * inlined into its caller: bakes in one function of 50 kB take a quarter longer, for engines give up on its registers.
 */
const LINK_FLAGS = [
  '-Oz', '--no-entry', '-sSTRICT', '-sFILESYSTEM=0', '-sMALLOC=none', '-sSUPPORT_ERRNO=0',
  '-sALLOW_MEMORY_GROWTH', '-sINITIAL_MEMORY=320KB',
  '-sTOTAL_STACK=256KB', '-sMAXIMUM_MEMORY=4GB', '-Wl,--stack-first',
];
const LINK_PASSES = '-sBINARYEN_EXTRA_PASSES=--one-caller-inline-max-function-size=200';

/**
 * Engines with SIMD have the others as well: truncation and copies are instructions then. Hardly any engine is left that takes the
 * scalar modules: the last few percent of their size are not worth a third of the build. isNumbered: wasm/pack.js looks for the
 * numbers of variables that gzip likes best.
 */
const BUILDS = [
  {
    name: 'simd', ending: '', flags: ['-msimd128', '-msign-ext', '-mnontrapping-fptoint', '-mbulk-memory'],
    linkFlags: [`${LINK_PASSES},--converge`], isNumbered: true,
  },
  { name: 'scalar', ending: '-scalar', flags: ['-DWM_FORCE_SCALAR=1'], linkFlags: [LINK_PASSES], isNumbered: false },
];

/** What only one of the modules has; the core needs no list of what it does not reach. */
const CORE_ONLY = ['wasm/core_absent.c'];
/** Names structs for js/runtime/layout.js; in no module. */
const LAYOUT = 'wasm/layout.c';
const CORE_EXPORTS = ['session', 'heap', 'bake_exports', 'mesh_exports', 'path_exports', 'core_absent']
  .map((name) => `wasm/${name}.c`);
const LEFT_OUT_OF_CORE = ['bake/areas/median', 'bake/input/solid_shapes', 'bake/rasterize/rasterize_solids', 'bake/areas/round_volume', 'query/search/any_angle', 'query/search/islands', 'query/search/island_nearest',
  'bake/regions/uniform_spans']
  .map((name) => `src/${name}.c`);
const MODULES = [
  { name: 'walkmesh', packRounds: 1, has: (/** @type {string} */ source) => !CORE_ONLY.includes(source) },
  {
    name: 'walkmesh-core', packRounds: 5,
    has: (/** @type {string} */ source) => (source.startsWith('wasm/') ? CORE_EXPORTS.includes(source)
      : !LEFT_OUT_OF_CORE.includes(source)),
  },
];

/** The file of that name in a folder of src/, however deep. @param {string} folder @param {string} name */
function sourceOf(folder, name) {
  const found = listFiles(`src/${folder}`, '.c').filter((path) => path.endsWith(`/${name}.c`));
  if (found.length !== 1) stop(`src/${folder} has ${found.length} files ${name}.c, not one`);
  return found[0];
}

/**
 * Files whose loops are hot; all others are compiled for size. Throughout for speed, the module is a fifth larger; for
 * size throughout, bakes take twice as long. Loops are unrolled only where a file asks for it.
 */
const FOR_SPEED = new Set(Object.entries({
  bake: 'uniform_spans chamfer changed_contours changed_regions compact compact_links contour_simplify erode_window ground kept_tile link_blocks '
    + 'contour_regions contours detail_height_patch detail_samples detail_triangulate '
    + 'distance ear_ring filter_rows input_check layer_planes offset_polygon open_rows ordered_heap planar polygon_adjacency '
    + 'polygon_border polygon_fill polygon_merge rasterize rasterize_clip rasterize_columns rasterize_edges '
    + 'rasterize_rows rasterize_triangles region_outline slope surface_memo '
    + 'sweep_partition tile_bins tile_tree triangulate watershed',
  crowd: 'contact grid orca pull steer step walk walls way',
  mesh: 'locate swap',
  query: 'search nodes flow_field flood convex raycast funnel move',
}).flatMap(([folder, names]) => names.split(' ').map((name) => sourceOf(folder, name))));

/** With -Oz emcc inlines nothing, unless told to: what a file calls once, or is smaller inlined. @param {string} source */
const optimisation = (source) => (FOR_SPEED.has(source) ? ['-O2', '-fno-unroll-loops'] : ['-Oz', '-finline-functions']);

/** @param {string} folder @param {string} ending @returns {string[]} */
function listFiles(folder, ending) {
  return readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return listFiles(path, ending);
    return entry.name.endsWith(ending) ? [path] : [];
  });
}

/** When the file was written; 0 where there is none. @param {string} path */
const writtenAt = (path) => (existsSync(path) ? statSync(path).mtimeMs : 0);

/** Emscripten builds its system libraries into a cache; Debian's is read-only for ordinary users. */
function cacheEnvironment() {
  if (process.env.EM_CACHE) return {};
  try {
    accessSync('/usr/share/emscripten/cache', constants.W_OK);
    return {};
  } catch {
    return { EM_CACHE: join(ROOT, 'build', 'emscripten-cache') };
  }
}

/** @param {string} message @returns {never} */
function stop(message) {
  console.error(`wasm/build.js: ${message}`);
  process.exit(1);
}

/** @param {string} program @param {string[]} args @param {string} [cwd] @returns {Promise<boolean>} whether all went well */
const run = (program, args, cwd = ROOT) => new Promise((resolve) => {
  spawn(program, args, { cwd, stdio: 'inherit', env: { ...process.env, ...cacheEnvironment() } })
    .on('error', (error) => stop(`cannot run ${program}: ${error.message}`))
    .on('close', (status) => resolve(status === 0));
});

/**
 * Links into a temporary file that then takes the output's place.
 * @param {string[]} args @param {string} output @param {number} packRounds
 */
async function link(args, output, packRounds) {
  const temporary = join(dirname(output), `.${process.pid}-${basename(output)}`);
  const isMade = await run('emcc', [...args, '-o', temporary])
    && (isQuick || await run(process.execPath, ['wasm/pack.js', temporary, String(packRounds)]));
  if (!isMade) {
    rmSync(temporary, { force: true });
    stop(`cannot make ${output}`);
  }
  // What is not packed counts as old.
  if (isQuick) utimesSync(temporary, 0, 0);
  renameSync(temporary, output);
}

/** emcc's own start takes longer than most compilations: several files of a folder are compiled by one. */
const FILES_AT_ONCE = 40;

/**
 * Compiles files of one folder, in a temporary one, from where objects and their lists of headers go to their places.
 * @param {string[]} flags @param {string} folder of the objects @param {string[]} files
 */
async function compile(flags, folder, files) {
  const temporary = mkdtempSync(join(folder, '.'));
  const isMade = await run('emcc', [...flags, ...COMPILE_FLAGS, '-c', ...files.map((file) => join(ROOT, file))], temporary);
  if (isMade) for (const name of readdirSync(temporary)) renameSync(join(temporary, name), join(folder, name));
  rmSync(temporary, { recursive: true, force: true });
  if (!isMade) stop(`cannot compile ${files.join(', ')}`);
}

const jobsAtATime = process.argv.includes('--jobs') ? Number(process.argv[process.argv.indexOf('--jobs') + 1]) : availableParallelism();
if (!(jobsAtATime >= 1)) stop('--jobs needs a number');

/** Runs jobs, some at a time. @param {(() => Promise<void>)[]} jobs */
async function runAll(jobs) {
  const queue = [...jobs];
  const work = async () => {
    for (let job = queue.shift(); job; job = queue.shift()) await job();
  };
  await Promise.all(Array.from({ length: jobsAtATime }, work));
}

/** Writes a file of dist/ whole or not at all. @param {string} name @param {string} text */
function writeToDist(name, text) {
  const temporary = join(DIST, `.${process.pid}-${name}`);
  writeFileSync(temporary, text);
  renameSync(temporary, join(DIST, name));
}

/** The entry for pages without a bundler: the bytes travel in JavaScript, beside the modules of js/ that all entries share. */
function writeInline() {
  const base64 = (/** @type {string} */ name) => readFileSync(join(DIST, name)).toString('base64');
  writeToDist('inline-bytes.js', `// Made by wasm/build.js.
export const SIMD = '${base64('walkmesh.wasm')}';
export const SCALAR = '${base64('walkmesh-scalar.wasm')}';
`);
  writeToDist('inline.js', `// Made by wasm/build.js.
import { load as loadFrom } from '../js/index.js';
import { decodeBase64, supportsSimd } from '../js/loader.js';
import { SCALAR, SIMD } from './inline-bytes.js';

export * from '../js/index.js';

/** As load of 'walkmesh', without fetching anything. */
export function load(options = {}) {
  const simd = options.simd ?? supportsSimd();
  return loadFrom({ wasm: decodeBase64(simd ? SIMD : SCALAR), ...options, simd });
}
`);
}

const isForced = process.argv.includes('--force');
const isQuick = process.argv.includes('--quick');
const builds = isQuick ? BUILDS.slice(0, 1) : BUILDS;
const modules = isQuick ? MODULES.slice(0, 1) : MODULES;
const sources = [...listFiles('src', '.c'), ...listFiles('wasm', '.c')].filter((path) => path !== LAYOUT);

/** @param {string} build @param {string} source */
const objectOf = (build, source) => join(OBJECTS, build, source.replace(/c$/, 'o'));

/** What an object is made of: paths as its compiler wrote them for make. @param {string} object @returns {string[]} */
const partsOf = (object) => readFileSync(object.replace(/o$/, 'd'), 'utf8').replace(/^.*?: /, '').trim()
  .split(/(?:(?<!\\)\s|\\\n)+/).map((path) => path.replaceAll('\\ ', ' '));

/** Whether an object is older than what it is made of, or has none. @param {string} object */
const isStale = (object) => isForced || !existsSync(object)
  || [join(ROOT, 'wasm/build.js'), ...partsOf(object)].some((path) => !existsSync(path) || writtenAt(path) >= writtenAt(object));

/** Files of one folder with the same flags. @type {{ folder: string, flags: string[], files: string[] }[]} */
const compilations = [];
for (const { name, flags } of builds) {
  for (const source of sources.filter((path) => isStale(objectOf(name, path)))) {
    const folder = dirname(objectOf(name, source)), all = [...optimisation(source), ...flags];
    const group = compilations.find((other) => other.folder === folder && other.files.length < FILES_AT_ONCE
      && other.flags.join() === all.join());
    if (group) group.files.push(source);
    else compilations.push({ folder, flags: all, files: [source] });
  }
}
if (compilations.length > 0) {
  console.log(`Compiling ${compilations.flatMap(({ files }) => files).length} files to WebAssembly ...`);
}
for (const { folder } of compilations) mkdirSync(folder, { recursive: true });
await runAll(compilations.map(({ folder, flags, files }) => () => compile(flags, folder, files)));

mkdirSync(DIST, { recursive: true });
const links = modules.flatMap(({ name: module, packRounds, has }) => builds.map(({ name, ending, flags, linkFlags, isNumbered }) => ({
  output: join(DIST, `${module}${ending}.wasm`), flags: [...linkFlags, ...flags], packRounds: isNumbered ? packRounds : 0,
  objects: sources.filter(has).map((source) => objectOf(name, source)),
})));
const linkers = ['wasm/build.js', 'wasm/pack.js', 'wasm/module.js'];
// The folders count too: a file that has gone must go from the module.
const folders = [...new Set(sources.map((source) => dirname(source)))];
const staleLinks = links.filter(({ output, objects }) =>
  writtenAt(output) <= Math.max(...objects.map(writtenAt), ...[...linkers, ...folders].map((path) => writtenAt(join(ROOT, path)))));
await runAll(staleLinks.map(({ output, flags, packRounds, objects }) => () =>
  link([...LINK_FLAGS, ...flags, ...objects], output, packRounds)));
if (!isQuick && (staleLinks.length > 0 || !existsSync(join(DIST, 'inline-bytes.js')))) writeInline();
writeLayout();
await bundleForNode();

for (const { output } of links) {
  const bytes = readFileSync(output);
  const kilobytes = (/** @type {number} */ count) => `${(count / 1000).toFixed(1)} kB`;
  console.log(`dist/${basename(output)}: ${kilobytes(bytes.length)}, gzip ${kilobytes(gzipSync(bytes, { level: 9 }).length)}`
    + (staleLinks.length > 0 ? '' : ' (up to date)'));
}
