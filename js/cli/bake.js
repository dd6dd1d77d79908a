/** `walkmesh bake`: a level to a navigation mesh. */
import { Option } from 'commander';
import { NavError } from '../index.js';
import { readLevel } from '../level/files.js';
import { formatOf, start, writeNavMesh } from './nav-mesh-file.js';
import { addConfigOptions, addLimitOptions, parseWorkers, readConfig, readLimits, readPlaced } from './options.js';
import { createProgress, formatBytes, formatCount, formatTime, printJson, printReport, printWarning } from './output.js';

/**
 * Bakes tiles in workers if there are any. Bakes a single tile in this thread, unless its time is limited: only a worker can be
 * ended in the middle of a stage.
 * @param {import('../index.js').Walkmesh} walkmesh @param {import('../index.js').Geometry} geometry
 * @param {import('../index.js').Config} config
 * @param {{ workers?: number | 'auto', limits: import('../index.js').BakeLimits,
 *   onProgress: (progress: import('../index.js').BakeProgress) => void }} options
 */
async function bake(walkmesh, geometry, config, { workers = 0, limits, onProgress }) {
  if (workers !== 'auto' && workers > 0 && !config.tileSize) {
    throw new NavError('configuration', '--workers needs tiles: set --tile-size', { field: 'tileSize', value: config.tileSize });
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
    onProgress: ({ done, tiles }) => onProgress({ tile: done - 1, tiles, stage: 'tile' }),
  });
}

/** @param {string} level @param {Record<string, any>} options */
async function run(level, options) {
  const config = await readConfig(options);
  const placed = await readPlaced(options.placed);
  /** @type {string[]} */
  const warnings = [];
  const geometry = { ...await readLevel(level, (warning) => warnings.push(warning)), ...placed };
  const walkmesh = await start();
  const progress = await createProgress(options.json);
  let baked;
  try {
    const { workers } = options;
    baked = await bake(walkmesh, geometry, config, { workers, limits: readLimits(options), onProgress: progress.onProgress });
  } finally {
    progress.stop();
  }
  const { navMesh, report } = baked;
  report.warnings.push(...warnings);
  if (report.counts.polygons === 0) report.warnings.push('the mesh is empty: nothing is walkable with this configuration');
  const bytes = await writeNavMesh(options.output, navMesh, options.format ?? formatOf(options.output));
  navMesh.free();
  report.warnings.forEach(printWarning);
  if (options.json) {
    printJson({ output: options.output, bytes, ...report });
    return;
  }
  if (options.report) printReport(report);
  console.log(`${options.output}: ${formatCount(report.counts.polygons, 'polygon')} in `
    + `${formatCount(report.tiles.withPolygons, 'tile')}, ${formatBytes(bytes)}, baked in ${formatTime(report.milliseconds)}`);
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
  addLimitOptions(command)
    .option('--placed <file.json>', 'JSON object of volumes, solids, offMeshConnections, areaFlags')
    .option('--report', 'print times, memory and counts of the stages')
    .option('--json', 'print the report as JSON')
    .action(run);
}
