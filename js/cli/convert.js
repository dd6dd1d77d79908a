/** `walkmesh convert`: converts a navigation mesh to another file format. */
import { Option } from 'commander';
import { requireOutput } from './files.js';
import { formatOf, openNavMesh, writeNavMesh } from './nav-mesh-file.js';
import { parseNumber } from './options.js';
import { formatBytes, formatCount, printBeside, printJson, printWarning } from './output.js';
import { UsageError } from './usage-error.js';

/** @param {string} input @param {string} output @param {Record<string, any>} options */
async function run(input, output, options) {
  const format = options.format ?? formatOf(output);
  const { linkSpacing } = options;
  if (linkSpacing !== undefined && format !== 'detour') {
    throw new UsageError("--link-spacing is for Detour's format: use --format detour");
  }
  await requireOutput(output, [input]);
  const { navMesh } = await openNavMesh(input);
  const { count } = navMesh.segmentLinks();
  if (count > 0 && format === 'detour' && linkSpacing === undefined) {
    printWarning(`Detour has no segment links: ${formatCount(count, 'link')} left out. Set --link-spacing to write them as off-mesh connections`);
  }
  const bytes = await writeNavMesh(output, navMesh, format, undefined, linkSpacing);
  const { tiles, polygons } = navMesh.totals, print = await printBeside(output);
  if (options.json) printJson({ output, format, bytes, tiles, polygons }, print);
  else print(`${output}: ${formatCount(polygons, 'polygon')} in ${formatCount(tiles, 'tile')}, ${formatBytes(bytes)}`);
}

/** @param {import('commander').Command} program */
export function addConvertCommand(program) {
  program.command('convert')
    .description("convert between .walkmesh and Detour's format")
    .argument('<input>', '.walkmesh, or a Detour tile, set or tile cache')
    .argument('<output>', 'the navigation mesh to write')
    .addOption(new Option('--format <format>', "default: detour for .bin, else walkmesh").choices(['walkmesh', 'detour']))
    .option('--link-spacing <units>', 'to Detour: segment links as off-mesh connections this far apart, 0 = agent diameter', parseNumber)
    .option('--json', 'print a summary as JSON')
    .action(run);
}
