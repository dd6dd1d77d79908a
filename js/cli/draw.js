/** `walkmesh draw`: a plan of a navigation mesh as SVG. */
import { extname } from 'node:path';
import { InvalidArgumentError } from 'commander';
import { drawSvg, heightOf } from './draw-svg.js';
import { requireOutput, writeAtomically } from './files.js';
import { openForQueries } from './nav-mesh-file.js';
import { parseNumber, parsePoint } from './options.js';
import { formatCount, printBeside, printJson } from './output.js';
import { describePath } from './path.js';
import { UsageError } from './usage-error.js';
import { addPathOptions, checkPathOptions, findWays, readPathOptions, requireNoPathOptions } from './path-options.js';

/** @param {string} text @param {number[][][]} paths */
function parsePath(text, paths = []) {
  const ends = text.split(':');
  if (ends.length !== 2) throw new InvalidArgumentError('must be two points: x,y,z:x,y,z');
  return [...paths, ends.map(parsePoint)];
}

/** @param {string} text */
function parseHeights(text) {
  const [low, high, ...others] = text.split(',').map(parseNumber);
  if (high === undefined || others.length > 0 || !(low <= high)) throw new InvalidArgumentError('must be a lower and a higher height: 3,6');
  return [low, high];
}

/** @param {string} file */
function requireSvg(file) {
  const ending = extname(file).toLowerCase();
  if (ending !== '' && ending !== '.svg') throw new UsageError(`--output ${file}: draw writes SVG, so the name must end in .svg`);
}

/** @param {string} file @param {Record<string, any>} options */
async function run(file, options) {
  requireSvg(options.output);
  await requireOutput(options.output, [file]);
  if (!options.path) requireNoPathOptions(options, '--path');
  checkPathOptions(options);
  const { navMesh } = await openForQueries(file);
  const search = readPathOptions(options);
  /** @type {{ path: import('../index.js').Path, text: string }[]} */
  const paths = (options.path ?? []).flatMap((/** @type {number[][]} */ [from, to]) => (
    findWays(navMesh, from, to, options).map((path) => ({ path, text: describePath(navMesh, path, { from, to, search }) }))));
  const [low, high] = options.heights ?? [-Infinity, Infinity], isShown = (/** @type {number} */ y) => y >= low && y <= high;
  // A connection and a link are of the floors at both their ends.
  const polygons = navMesh.polygons().filter((polygon) => (
    polygon.isOffMesh ? isShown(polygon.vertices[1]) || isShown(polygon.vertices[4]) : isShown(heightOf(polygon))));
  const lines = paths.map(({ path }) => path.points).filter((points) => points.length > 0);
  const links = navMesh.segmentLinks(), { starts, ends } = links;
  const shownLinks = [...links.kinds.keys()].filter((i) => isShown(starts[6 * i + 1]) || isShown(ends[6 * i + 1]));
  await writeAtomically(options.output, drawSvg(polygons, { paths: lines, links, shownLinks }));
  const print = await printBeside(options.output);
  if (options.json) {
    printJson({ output: options.output, polygons: polygons.length, links: shownLinks.length, paths: paths.map(({ text }) => text) }, print);
    return;
  }
  for (const { text } of paths) print(`path ${text}`);
  print(`${options.output}: ${formatCount(polygons.length, 'polygon')}, ${shownLinks.length > 0 ? `${formatCount(shownLinks.length, 'segment link')}, ` : ''}${
    formatCount(lines.length, 'path')}`);
}

/** @param {import('commander').Command} program */
export function addDrawCommand(program) {
  const command = program.command('draw')
    .description('draw a plan of a navigation mesh, and paths. Doors are as saved')
    .argument('<navmesh>', '.walkmesh, or a Detour tile or set')
    .requiredOption('-o, --output <file.svg>', 'write the SVG to this file')
    .option('--path <x,y,z:x,y,z>', 'draw a path between two points, found as with `path`; can be repeated', parsePath)
    .option('--heights <low,high>', 'draw only what lies or ends between these heights, such as one floor', parseHeights);
  addPathOptions(command)
    .option('--json', 'print a summary as JSON')
    .action(run);
}
