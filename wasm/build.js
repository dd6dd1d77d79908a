/**
 * Builds the WebAssembly modules and the files that ship beside them, in dist/:
 * * walkmesh.wasm (SIMD) and walkmesh-scalar.wasm; smaller modules linked from the same objects, also in two builds: walkmesh-game.wasm,
 *   which doesn't bake, and walkmesh-core.wasm, which bakes and finds paths. Emscripten compiles and links them, without its JavaScript; wasm/pack/ then rearranges them for gzip;
 * * files that contain the modules, and one-file builds (scripts/bundle-browser.js);
 * * wasm-api.json: exports and layouts for hosts without JavaScript (wasm/api.js);
 * * the files for Node (scripts/bundle.js).
 *
 *     node wasm/build.js            compiles files that are older than their source or one of its headers, relinks what changed
 *     node wasm/build.js --force    compiles all files
 *     node wasm/build.js --quick    builds dist/walkmesh.wasm only and leaves it as linked, to try a change
 *     node wasm/build.js --jobs N   runs at most N compilers at a time; without it, one per processor
 */
import { spawn, spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, statSync,
  writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { bundleForBrowser, writeInline } from '../scripts/bundle-browser.js';
import { bundleForNode, writeIfChanged } from '../scripts/bundle.js';
import { makeApiFile } from './api.js';
import { writeLayout } from './layout.js';
import { BAKING_EXPORTS, CORE_EXPORTS, findSources, groupForCompiler, listParts, readFrontEnd } from './sources.js';

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const DIST = join(ROOT, 'dist');
const OBJECTS = join(ROOT, 'build', 'wasm');

/** Autovectorized loops were slower in WebAssembly than scalar ones, so SIMD code is written by hand. */
const COMPILE_FLAGS = ['-std=c17', '-ffp-contract=off', '-fno-vectorize', '-fno-slp-vectorize',
  '-fno-math-errno', '-DNDEBUG', `-I${join(ROOT, 'src')}`];

/** The stack lies below the data, so that a stack overflow traps instead of overwriting data. */
const LINK_FLAGS = [
  '-Oz', '--no-entry', '-sSTRICT', '-sFILESYSTEM=0', '-sMALLOC=none', '-sSUPPORT_ERRNO=0',
  '-sALLOW_MEMORY_GROWTH', '-sINITIAL_MEMORY=320KB',
  '-sTOTAL_STACK=256KB', '-sMAXIMUM_MEMORY=4GB', '-Wl,--stack-first',
];
/**
 * Every engine with SIMD also has instructions for truncation and memory copies. Few engines still need the scalar modules: their last
 * 3 to 4 % of size are not worth a third of the build time, so they skip repeated passes (`--converge`) and `tryRounds` of wasm/pack/.
 */
const BUILDS = [
  {
    name: 'simd', ending: '', flags: ['-msimd128', '-msign-ext', '-mnontrapping-fptoint', '-mbulk-memory'],
    linkPasses: ',--converge', triesNumbers: true,
  },
  { name: 'scalar', ending: '-scalar', flags: ['-DWM_FORCE_SCALAR=1'], linkPasses: '', triesNumbers: false },
];

/** @param {string} folder @param {string} ending @returns {string[]} */
function listFiles(folder, ending) {
  return readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return listFiles(path, ending);
    return entry.name.endsWith(ending) ? [path] : [];
  });
}

/** Names structs for js/runtime/layout.js; no module has it. */
const LAYOUT = 'wasm/layout.c';

const sources = [...listFiles('src', '.c'), ...listFiles('wasm', '.c')].filter((path) => path !== LAYOUT);

/** @param {string} message @returns {never} */
function stop(message) {
  console.error(`wasm/build.js: ${message}`);
  process.exit(1);
}

/** The source files that a list below names (see findSources). @param {string} list @param {string} names */
function chooseSources(list, names) {
  try {
    return new Set(findSources(list, names.split(' '), sources));
  } catch (error) {
    return stop(/** @type {Error} */ (error).message);
  }
}

/** Files of the core module only. */
const CORE_ONLY = chooseSources('CORE_ONLY', 'core_absent');
const CORE_SOURCES = chooseSources('CORE_EXPORTS', CORE_EXPORTS.join(' '));
const BAKING_SOURCES = chooseSources('BAKING_EXPORTS', BAKING_EXPORTS.join(' '));
/** Files that the core module's exports would reach; core_absent.c replaces their functions. */
const LEFT_OUT_OF_CORE = chooseSources('LEFT_OUT_OF_CORE', 'median solid_shapes rasterize_solids surface surface_heights round_volume any_angle shortest link_cones cone_corners cone_crossings cone_string dead_ends patches cheapest_line cheapest_pull cheapest_search islands island_nearest '
  + 'room room_walls room_discs room_string room_search room_path room_cost '
  + 'uniform_spans alternatives vias ways segment_links segment_ties segment_geometry link_crossing');
/**
 * Functions of more than `mostInlined` bytes are not inlined into their only caller: engines allocate registers badly in functions of
 * 50 kB, and bakes took a quarter longer. With 200 bytes instead of 60, V8 optimises 5 to 9 % more code during the first bake, no bake is
 * faster, and the core module is 0.4 kB smaller. It is small enough for more rounds of wasm/pack/.
 */
const MODULES = [
  { name: 'walkmesh', tryRounds: 1, mostInlined: 60, has: (/** @type {string} */ source) => !CORE_ONLY.has(source) },
  {
    name: 'walkmesh-game', tryRounds: 1, mostInlined: 60,
    has: (/** @type {string} */ source) => !CORE_ONLY.has(source) && !BAKING_SOURCES.has(source),
  },
  {
    name: 'walkmesh-core', tryRounds: 5, mostInlined: 200,
    has: (/** @type {string} */ source) => (source.startsWith('wasm/') ? CORE_SOURCES.has(source) : !LEFT_OUT_OF_CORE.has(source)),
  },
];

/**
 * Files with hot loops, compiled for speed; all others are compiled for size. With all files compiled for speed the module is a fifth
 * larger; with all compiled for size bakes take twice as long. Loops are unrolled only if a file asks for it.
 */
const FOR_SPEED = chooseSources('FOR_SPEED',
  // bake
  'chamfer changed_contours changed_regions compact compact_links contour_regions contour_simplify contours '
  + 'detail_height_patch detail_samples detail_triangulate distance ear_ring erode_window facing_lines filter_rows input_check kept_tile '
  + 'layer_planes link_blocks offset_polygon open_rows ordered_heap planar polygon_adjacency polygon_border polygon_fill polygon_merge '
  + 'rasterize rasterize_clip rasterize_columns rasterize_edges rasterize_rows rasterize_stretches rasterize_triangles region_outline region_sets slope surface_memo '
  + 'surface surface_heights sweep_partition tile_bins tile_tree triangulate uniform_spans unpacked_tile watershed '
  // crowd
  + 'contact crowd/corridor half_planes neighbour_grid orca corners states steer step walk crowd/walls '
  // links
  + 'air_code air_rows air_window barrier cache/changes cache/places cache/results cache/stored_borders candidates flight ground landings runs '
  // mesh
  + 'locate ready_tile '
  // query
  + 'graph_search walk_lists tile_costs search shortest cone_string nodes flow_field flood convex raycast funnel move nearest');

/**
 * Cold files with loops over large bodies: their functions are not inlined. V8 optimises a function after its loops have passed a number
 * of bytes, skipped ones included: as large functions, these were optimised after 0.1 ms of work, and that takes processor time from the
 * first bake.
 */
const NOT_INLINED = chooseSources('NOT_INLINED',
  'bake/tile/tile mesh/tile/tile baker_prepare tile_check detail_boxes tile_tree region_merge');

/** With -Oz, emcc inlines functions that are called once or are smaller inlined only if asked to. @param {string} source */
function optimisation(source) {
  const flags = FOR_SPEED.has(source) ? ['-O2', '-fno-unroll-loops'] : ['-Oz', '-finline-functions'];
  return NOT_INLINED.has(source) ? [...flags, '-fno-inline-functions'] : flags;
}

/** The time at which a file was made; 0 if there is none. @param {string} path */
const madeAt = (path) => (existsSync(path) ? statSync(path).mtimeMs : 0);

/** The time at which a source file was written or moved (a move doesn't change the time of the contents); 0 if there is none. @param {string} path */
function changedAt(path) {
  if (!existsSync(path)) return 0;
  const { mtimeMs, ctimeMs } = statSync(path);
  return Math.max(mtimeMs, ctimeMs);
}

/** Emscripten builds its system libraries into a cache. Debian's is read-only for ordinary users: for them it is in build/. */
function cacheEnvironment() {
  if (process.env.EM_CACHE) return {};
  try {
    accessSync('/usr/share/emscripten/cache', constants.W_OK);
    return {};
  } catch {
    return { EM_CACHE: join(ROOT, 'build', 'emscripten-cache') };
  }
}

/** @param {string} program @param {string[]} args @param {string} [cwd] @returns {Promise<boolean>} false if it failed */
const run = (program, args, cwd = ROOT) => new Promise((resolve) => {
  spawn(program, args, { cwd, stdio: 'inherit', env: { ...process.env, ...cacheEnvironment() } })
    .on('error', (error) => stop(`cannot run ${program}: ${error.message}`))
    .on('close', (status) => resolve(status === 0));
});

/**
 * Links a module in a temporary file, then moves it to its place.
 * @param {Link} link
 */
async function link({ output, args, packArgs, recipe }) {
  const temporary = join(dirname(output), `.${process.pid}-${basename(output)}`);
  const isMade = await run('emcc', [...args, '-o', temporary])
    && (isQuick || await run(process.execPath, ['wasm/pack/pack.js', temporary, ...packArgs]));
  if (!isMade) {
    rmSync(temporary, { force: true });
    stop(`cannot make ${output}`);
  }
  rmSync(recipePath(output), { force: true });
  renameSync(temporary, output);
  writeFileSync(recipePath(output), isQuick ? UNPACKED + recipe : recipe);
}

/** Files that one process compiles. */
const MOST_FILES_AT_ONCE = 40;

/** Commands that compile any number of files, by the flags. @type {Map<string, string[]>} */
const frontEnds = new Map();

/** The front end of clang that emcc starts for each file, or emcc where it doesn't tell. @param {string[]} flags @param {string} folder a temporary one */
function findFrontEnd(flags, folder) {
  const key = flags.join(' '), known = frontEnds.get(key);
  if (known) return known;
  writeFileSync(join(folder, 'empty.c'), '');
  const command = ['emcc', ...flags, ...COMPILE_FLAGS, '-c'];
  const { error, stderr } = spawnSync(command[0], ['-v', ...command.slice(1), 'empty.c', '-o', 'empty.o'],
    { cwd: folder, encoding: 'utf8', env: { ...process.env, ...cacheEnvironment() } });
  if (error) stop(`cannot run emcc: ${error.message}`);
  const found = readFrontEnd(stderr) ?? command;
  frontEnds.set(key, found);
  return found;
}

/**
 * Compiles files with the same flags in a temporary folder, then moves the objects to their places. One process compiles all of them,
 * because starting clang takes longer than most compilations. It writes each object beside its input, which includes the source.
 * @param {Compilation[]} files
 */
async function compile(files) {
  const temporary = mkdtempSync(join(OBJECTS, '.'));
  const [program, ...args] = findFrontEnd(files[0].flags, temporary);
  const inputs = files.map(({ source }) => basename(source));
  inputs.forEach((name, i) => writeFileSync(join(temporary, name), `#include "${join(ROOT, files[i].source)}"\n`));
  const isMade = await run(program, [...args, ...inputs], temporary);
  if (isMade) {
    for (const { object } of files) {
      mkdirSync(dirname(object), { recursive: true });
      renameSync(join(temporary, basename(object)), object);
    }
  }
  rmSync(temporary, { recursive: true, force: true });
  if (!isMade) stop(`cannot compile ${files.map(({ source }) => source).join(', ')}`);
}

const jobsAtATime = process.argv.includes('--jobs') ? Number(process.argv[process.argv.indexOf('--jobs') + 1]) : availableParallelism();
if (!(jobsAtATime >= 1)) stop('--jobs needs a number');

/** Runs jobs, `jobsAtATime` at once. @param {(() => Promise<void>)[]} jobs */
async function runAll(jobs) {
  const queue = [...jobs];
  const work = async () => {
    for (let job = queue.shift(); job; job = queue.shift()) await job();
  };
  await Promise.all(Array.from({ length: jobsAtATime }, work));
}

const isForced = process.argv.includes('--force');
const isQuick = process.argv.includes('--quick');
const builds = isQuick ? BUILDS.slice(0, 1) : BUILDS;
const modules = isQuick ? MODULES.slice(0, 1) : MODULES;

/** Objects have the paths of their sources, because several sources share a base name. @param {string} build @param {string} source */
const objectOf = (build, source) => join(OBJECTS, build, source.replace(/c$/, 'o'));

/** Holds the folder in which all objects were compiled: in another one, the sources may be others. */
const ORIGIN = join(OBJECTS, 'origin');
if (!existsSync(ORIGIN) || readFileSync(ORIGIN, 'utf8') !== ROOT) {
  rmSync(OBJECTS, { recursive: true, force: true });
  mkdirSync(OBJECTS, { recursive: true });
  writeFileSync(ORIGIN, ROOT);
}

/** True if an object is missing or older than one of its parts. @param {string} source @param {string} object */
const isStale = (source, object) => isForced || !existsSync(object)
  || [join(ROOT, 'wasm/build.js'), ...listParts(join(ROOT, source), join(ROOT, 'src'))].some((path) => changedAt(path) >= madeAt(object));

/** @typedef {{ source: string, object: string, flags: string[] }} Compilation */

/** @type {Compilation[]} */
const compilations = builds.flatMap(({ name, flags }) => sources
  .map((source) => ({ source, object: objectOf(name, source), flags: [...optimisation(source), ...flags] }))
  .filter(({ source, object }) => isStale(source, object)));
if (compilations.length > 0) console.log(`Compiling ${compilations.length} files to WebAssembly ...`);
const filesAtOnce = Math.min(MOST_FILES_AT_ONCE, Math.ceil(compilations.length / jobsAtATime));
await runAll(groupForCompiler(compilations, filesAtOnce).map((files) => () => compile(files)));

/** Deletes objects whose source file was moved or removed. @param {string} build */
function removeOrphans(build) {
  const objects = new Set(sources.map((source) => objectOf(build, source)));
  for (const entry of readdirSync(join(OBJECTS, build), { withFileTypes: true, recursive: true })) {
    const path = join(entry.parentPath ?? entry.path, entry.name);
    if (entry.isFile() && !objects.has(path)) rmSync(path);
  }
}
for (const { name } of builds) removeOrphans(name);

/**
 * A module to link. Its recipe, the commands that make it, is kept beside the objects: if it changes, for instance because a source
 * was added, moved or removed, the module is linked again.
 * @typedef {{ output: string, objects: string[], args: string[], packArgs: string[], recipe: string }} Link
 */

/** Stands before the recipe of a module that --quick left unpacked. */
const UNPACKED = 'not packed\n';
/** @param {string} output */
const recipePath = (output) => join(OBJECTS, `${basename(output)}.recipe`);

/** @type {Link[]} */
const links = modules.flatMap(({ name: module, tryRounds, mostInlined, has }) => builds.map(({ name, ending, flags, linkPasses, triesNumbers }) => {
  const objects = sources.filter(has).map((source) => objectOf(name, source));
  const passes = `-sBINARYEN_EXTRA_PASSES=--one-caller-inline-max-function-size=${mostInlined}${linkPasses}`;
  const args = [...LINK_FLAGS, passes, ...flags, ...objects], packArgs = [String(triesNumbers ? tryRounds : 0)];
  return { output: join(DIST, `${module}${ending}.wasm`), objects, args, packArgs, recipe: [...args, 'pack', ...packArgs].join('\n') };
}));
const packer = listFiles('wasm/pack', '.js').map((path) => join(ROOT, path));

/** True if a module is missing, made by other commands, or older than one of its parts. @param {Link} link */
function isLinkStale({ output, objects, recipe }) {
  if (!existsSync(output) || !existsSync(recipePath(output))) return true;
  const made = readFileSync(recipePath(output), 'utf8');
  // A packed module serves --quick too.
  if (made !== recipe && !(isQuick && made === UNPACKED + recipe)) return true;
  return Math.max(...objects.map(madeAt), ...packer.map(changedAt)) >= madeAt(output);
}
mkdirSync(DIST, { recursive: true });
const staleLinks = links.filter(isLinkStale);
await runAll(staleLinks.map((one) => () => link(one)));
writeLayout();
if (!isQuick) await writeInline();
writeIfChanged(join(DIST, 'wasm-api.json'), Buffer.from(makeApiFile()));
await bundleForNode();
if (!isQuick) await bundleForBrowser();

for (const { output } of links) {
  const bytes = readFileSync(output);
  const kilobytes = (/** @type {number} */ count) => `${(count / 1000).toFixed(1)} kB`;
  console.log(`dist/${basename(output)}: ${kilobytes(bytes.length)}, gzip ${kilobytes(gzipSync(bytes, { level: 9 }).length)}`
    + (staleLinks.length > 0 ? '' : ' (up to date)'));
}
