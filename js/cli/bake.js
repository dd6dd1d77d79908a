/** `walkmesh bake`: a level to a navigation mesh. */
import { Option } from 'commander';
import { load } from '../index.js';
import { readLevel } from '../level/index.js';
import { formatOf, writeNavMesh } from './nav-mesh-file.js';
import { addConfigOptions, readConfig } from './options.js';
import { createProgress, formatBytes, formatCount, formatTime, printJson, printReport, printWarning } from './output.js';

/** @param {string} level @param {Record<string, any>} options */
async function run(level, options) {
  const config = await readConfig(options);
  const { droppedTriangles = 0, ...geometry } = await readLevel(level);
  const walkmesh = await load();
  const progress = createProgress(options.json);
  let baked;
  try {
    baked = walkmesh.bake(geometry, config, { onProgress: progress.onProgress });
  } finally {
    progress.stop();
  }
  const { navMesh, report } = baked;
  if (droppedTriangles) report.warnings.push(`${formatCount(droppedTriangles, 'triangle')} named vertices that do not exist`);
  if (report.counts.polygons === 0) report.warnings.push('nothing is walkable with this configuration: the mesh is empty');
  const bytes = await writeNavMesh(options.output, navMesh, options.format ?? formatOf(options.output));
  navMesh.free();
  report.warnings.forEach(printWarning);
  if (options.json) {
    printJson({ output: options.output, bytes, ...report });
    return;
  }
  if (options.report) printReport(report);
  console.log(`${options.output}: ${formatCount(report.counts.polygons, 'polygon')} in `
    + `${formatCount(report.tiles.built, 'tile')}, ${formatBytes(bytes)}, baked in ${formatTime(report.milliseconds)}`);
}

/** @param {import('commander').Command} program */
export function addBakeCommand(program) {
  addConfigOptions(program.command('bake')
    .description('bake a level')
    .argument('<level>', '.obj, .glb or .gltf')
    .requiredOption('-o, --output <file>', 'the navigation mesh to write')
    .addOption(new Option('--format <format>', "default: Detour's for .bin, otherwise ours").choices(['walkmesh', 'detour'])))
    .option('--report', 'print stages, times, memory and polygons')
    .option('--json', 'print the report as JSON')
    .action(run);
}
