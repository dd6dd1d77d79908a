/** `walkmesh bake`: a level to a navigation mesh. */
import { setFlagsFromString } from 'node:v8';
import { Option } from 'commander';
import { askUnits } from '../bake/bake-limits.js';
import { defaultConfig } from '../input/config.js';
import { describeStrays } from '../input/stray.js';
import { NavError } from '../runtime/errors.js';
import { requireOutput } from './files.js';
import { addLevelOptions, readLevelFile } from './level-file.js';
import { formatOf, start, writeNavMesh } from './nav-mesh-file.js';
import { addConfigOptions, addLimitOptions, parseWorkers, readConfig, readLimits } from './options.js';
import { askBefore, createProgress, formatBytes, formatCount, formatTime, printBeside, printJson, printReport, printWarning } from './output.js';
import { UsageError } from './usage-error.js';

/** @typedef {import('../index.js').BakeReport} BakeReport */
/** @typedef {import('../index.js').DynamicNavMesh} DynamicNavMesh */
/** @typedef {import('../index.js').NavMesh} NavMesh */

/**
 * @typedef {{ workers?: number | 'auto', limits: import('../index.js').BakeLimits,
 *   onProgress: (progress: import('../index.js').BakeProgress) => void }} Options
 */

/** The progress of finished tiles as that of a stage. @param {Options['onProgress']} onProgress */
const reportTiles = (onProgress) => (/** @type {{ done: number, tiles: number }} */ { done, tiles }) =>
  onProgress({ tile: done - 1, tiles, stage: 'tile' });

/**
 * Bakes a mesh that changes.
 * @param {import('../index.js').Walkmesh} walkmesh @param {import('../index.js').Geometry} geometry
 * @param {import('../index.js').Config} config @param {Options} options
 */
async function bakeDynamic(walkmesh, geometry, config, { workers = 0, limits, onProgress }) {
  if (workers === 0 && limits.milliseconds === undefined) return walkmesh.bakeDynamic(geometry, config, { limits, onProgress });
  return walkmesh.bakeDynamicAsync(geometry, config, { workers: workers || 1, limits, onProgress: reportTiles(onProgress) });
}

/**
 * Bakes tiles in workers if there are any. Bakes a single tile in this thread, unless its time is limited: only a worker can be
 * ended in the middle of a stage.
 * @param {import('../index.js').Walkmesh} walkmesh @param {import('../index.js').Geometry} geometry
 * @param {import('../index.js').Config} config @param {Options} options
 */
async function bake(walkmesh, geometry, config, { workers = 0, limits, onProgress }) {
  if (workers !== 'auto' && workers > 0 && !config.tileSize) {
    throw new UsageError('--workers needs tiles: set --tile-size');
  }
  const isTimed = limits.milliseconds !== undefined;
  if (!config.tileSize) {
    if (isTimed) return walkmesh.bakeAsync(geometry, config, { workers: 1, limits, onProgress });
    return walkmesh.bake(geometry, config, { limits, onProgress });
  }
  if (workers === 0 && !isTimed) return walkmesh.bake(geometry, config, { limits, onProgress });
  return walkmesh.bakeTiled(geometry, config, {
    workers: workers === 0 ? 1 : workers,
    limits,
    onProgress: reportTiles(onProgress),
  });
}

/** The format of the output. @param {Record<string, any>} options */
function chooseFormat({ dynamic, format, output }) {
  const chosen = format ?? formatOf(output);
  if (!dynamic || chosen === 'walkmesh') return chosen;
  throw new UsageError("--dynamic needs Walkmesh's own format. Use --format walkmesh, or a name that doesn't end in .bin");
}

/**
 * Limits V8 to one thread that optimises WebAssembly. It has four, which on two processors take time from a bake in this thread: bakes
 * are 2 to 6 % faster. With workers they would be slower.
 */
function limitOptimizers() {
  try {
    setFlagsFromString('--wasm-num-compilation-tasks=1');
  } catch {
    // Bun has no such function.
  }
}

/** @param {string} level @param {Record<string, any>} options */
async function run(level, options) {
  const format = chooseFormat(options);
  await requireOutput(options.output, [level, options.config, options.placed]);
  const config = await readConfig(options);
  /** @type {string[]} */
  const warnings = [];
  /** @type {string[]} */
  const files = [];
  const geometry = await readLevelFile(level, options, (warning) => warnings.push(warning), (file) => files.push(file));
  await requireOutput(options.output, files); // a .gltf names a .bin, which is also an ending of meshes
  if (!options.workers && readLimits(options).milliseconds === undefined) limitOptimizers();
  const walkmesh = await start();
  const limits = readLimits(options);
  const agentRadius = config.agentRadius ?? defaultConfig().agentRadius;
  const progress = askBefore(await createProgress(options.json), (tiles) => askUnits(tiles, agentRadius, limits, () => describeStrays(geometry)));
  let baked;
  try {
    const { workers } = options;
    baked = await (options.dynamic ? bakeDynamic : bake)(walkmesh, geometry, config, { workers, limits, onProgress: progress.onProgress });
  } finally {
    progress.stop();
  }
  const { navMesh, dynamic, report } = /** @type {{ navMesh: NavMesh, dynamic?: DynamicNavMesh, report: BakeReport }} */ (baked);
  report.warnings.push(...warnings);
  if (report.counts.polygons === 0) report.warnings.push('the mesh is empty: nothing is walkable with this configuration');
  report.warnings.forEach(printWarning);
  if (options.strict && report.warnings.length > 0) {
    const problem = `${level} has ${formatCount(report.warnings.length, 'warning')}: --strict wrote no mesh`;
    throw new NavError('geometry', problem, { field: 'level', value: level });
  }
  const bytes = await writeNavMesh(options.output, navMesh, format, dynamic);
  navMesh.free();
  const print = await printBeside(options.output);
  if (options.json) {
    printJson({ output: options.output, bytes, ...report }, print);
    return;
  }
  if (options.report) printReport(report, print);
  print(`${options.output}: ${formatCount(report.counts.polygons, 'polygon')} in `
    + `${formatCount(report.tiles.withPolygons, 'tile')}, ${report.links ? `${formatCount(report.links.count, 'segment link')}, ` : ''}`
    + `${formatBytes(bytes)}, baked in ${formatTime(report.milliseconds)}`);
}

/** @param {import('commander').Command} program */
export function addBakeCommand(program) {
  const command = addConfigOptions(program.command('bake')
    .description('bake a level into a navigation mesh')
    .argument('<level>', '.obj, .glb or .gltf')
    .requiredOption('-o, --output <file>', 'write the navigation mesh to this file')
    .addOption(new Option('--format <format>', "default: detour for .bin, else walkmesh").choices(['walkmesh', 'detour'])))
    .addOption(new Option('--workers <number>', 'number of workers that bake tiles, 0 to 64, or auto (default: 0)')
      .argParser(parseWorkers));
  addLimitOptions(addLevelOptions(command))
    .option('--dynamic', 'bake a mesh that changes: obstacles can be added after loadDynamic')
    .option('--strict', 'fail if there are warnings, and write nothing: for builds')
    .option('--report', 'print times, memory and counts of the stages')
    .option('--json', 'print the report as JSON')
    .action(run);
}
