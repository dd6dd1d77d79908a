/** `walkmesh compare`: says what differs between two navigation meshes. */
import { compareNavMeshes } from '../check/compare.js';
import { openNavMesh } from './nav-mesh-file.js';
import { parseNumber } from './options.js';
import { printJson } from './output.js';

/** Changes of ground that are printed; JSON has all. */
const MOST_PRINTED = 20;

/** @param {number} value */
const short = (value) => Number(value.toFixed(1)).toLocaleString('en');

/** @param {readonly number[]} point */
const formatPoint = (point) => point.map((value) => Number(value.toFixed(2))).join(', ');

/** The middle of one end of a link. @param {readonly (readonly number[])[]} segment */
const middleOf = ([left, right]) => left.map((value, axis) => (value + right[axis]) / 2);

/** @param {import('../check/compare.js').MeshComparison} comparison */
function print({ isSame, ground, area, islands, links, connections }) {
  console.log(`${isSame ? 'same' : 'different'}: ${short(area.before)} -> ${short(area.after)} square units of ground, ${islands.before} -> ${islands.after} islands`);
  for (const change of ground.slice(0, MOST_PRINTED)) console.log(`${change.kind.padEnd(7)} ${short(change.area)} square units at ${formatPoint(change.point)}`);
  if (ground.length > MOST_PRINTED) console.log(`... and ${ground.length - MOST_PRINTED} smaller places`);
  for (const kind of /** @type {const} */ (['lost', 'gained'])) {
    for (const { kind: link, start, end } of links[kind]) console.log(`${kind.padEnd(7)} ${link} from ${formatPoint(middleOf(start))} to ${formatPoint(middleOf(end))}`);
    for (const { start, end } of connections[kind]) console.log(`${kind.padEnd(7)} connection from ${formatPoint(start)} to ${formatPoint(end)}`);
  }
}

/** @param {string} before @param {string} after @param {Record<string, any>} options */
async function run(before, after, { tolerance, exitCode, json }) {
  const [old, now] = [await openNavMesh(before), await openNavMesh(after)];
  const comparison = compareNavMeshes(old.navMesh, now.navMesh, { tolerance });
  if (json) printJson({ before, after, ...comparison });
  else print(comparison);
  if (exitCode && !comparison.isSame) process.exitCode = 1;
}

/** @param {import('commander').Command} program */
export function addCompareCommand(program) {
  program.command('compare')
    .description('say what differs between two navigation meshes: ground, links, connections')
    .argument('<before>', '.walkmesh, or a Detour tile, set or tile cache')
    .argument('<after>', 'the same')
    .option('--tolerance <units>', 'how far edges of ground may lie apart (default: max-edge-error of the first mesh)', parseNumber)
    .option('--exit-code', 'exit with status 1 if the meshes differ')
    .option('--json', 'print it as JSON')
    .action(run);
}
