/** `walkmesh convert`: converts a navigation mesh to another file format. */
import { Option } from 'commander';
import { formatOf, openNavMesh, writeNavMesh } from './nav-mesh-file.js';
import { formatBytes, formatCount, printJson } from './output.js';

/** @param {string} input @param {string} output @param {Record<string, any>} options */
async function run(input, output, options) {
  const { navMesh } = await openNavMesh(input);
  const format = options.format ?? formatOf(output);
  const bytes = await writeNavMesh(output, navMesh, format);
  const { tiles, polygons } = navMesh.totals;
  if (options.json) printJson({ output, format, bytes, tiles, polygons });
  else console.log(`${output}: ${formatCount(polygons, 'polygon')} in ${formatCount(tiles, 'tile')}, ${formatBytes(bytes)}`);
}

/** @param {import('commander').Command} program */
export function addConvertCommand(program) {
  program.command('convert')
    .description("convert between .walkmesh and Detour's format")
    .argument('<input>', '.walkmesh, or a Detour tile, set or tile cache')
    .argument('<output>')
    .addOption(new Option('--format <format>', "default: detour for .bin, else walkmesh").choices(['walkmesh', 'detour']))
    .option('--json', 'print a summary as JSON')
    .action(run);
}
