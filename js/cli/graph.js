/** `walkmesh graph`: builds the tile graph of a navigation mesh. Opens saved tile graphs. */
import { NavError } from '../index.js';
import { readBytes } from '../level/files.js';
import { isTileGraph } from '../mesh/file-types.js';
import { requireOutput, writeAtomically } from './files.js';
import { openForQueries } from './nav-mesh-file.js';
import { parseNumber } from './options.js';
import { addFilterOptions, readFilter } from './path-options.js';
import { formatBytes, formatCount, printBeside, printJson, printWarning } from './output.js';

/** @typedef {import('../index.js').TileGraph} TileGraph */

/**
 * Loads a saved tile graph.
 * @param {string} path @param {Uint8Array} bytes
 * @param {{ loadTileGraph(bytes: Uint8Array): TileGraph }} owner of the graph: a mesh; or Walkmesh, for a graph alone
 */
export function loadTileGraph(path, bytes, owner) {
  try {
    return owner.loadTileGraph(bytes);
  } catch (cause) {
    if (!(cause instanceof NavError)) throw cause;
    const problem = isTileGraph(bytes) ? `can't be used: ${cause.message}` : 'is not a tile graph: make it with walkmesh graph';
    throw new NavError('file', `${path} ${problem}`, { field: 'file', value: path, cause });
  }
}

/** @param {string} path @param {{ loadTileGraph(bytes: Uint8Array): TileGraph }} owner */
export const openTileGraph = async (path, owner) => loadTileGraph(path, await readBytes(path), owner);

/** @param {string} file @param {Record<string, any>} options */
async function run(file, options) {
  const { output, spacing, json } = options;
  await requireOutput(output, [file]);
  const { navMesh } = await openForQueries(file);
  const graph = navMesh.createTileGraph({ spacing, filter: readFilter(options) });
  const bytes = graph.save();
  await writeAtomically(output, bytes);
  const { entrances, blocks } = graph.totals(), tiles = navMesh.tileRefs().length;
  if (tiles < 2) printWarning('the mesh has a single tile, so its graph has no entrances: bake it with --tile-size');
  const print = await printBeside(output);
  if (json) printJson({ output, bytes: bytes.length, tiles, entrances, blocks }, print);
  else print(`${output}: ${formatCount(entrances, 'entrance')} of ${formatCount(tiles, 'tile')}, ${formatBytes(bytes.length)}`);
}

/** @param {import('commander').Command} program */
export function addGraphCommand(program) {
  const command = program.command('graph')
    .description('build the tile graph of a mesh, for long ways: path --graph')
    .argument('<navmesh>', '.walkmesh, or a Detour tile or set')
    .requiredOption('-o, --output <file>', 'the tile graph to write, as world.wgraph')
    .option('--spacing <units>', 'between entrances along a tile border; less: shorter ways, more memory (default: a third of a tile)', parseNumber);
  addFilterOptions(command)
    .option('--json', 'print a summary as JSON')
    .action(run);
}
