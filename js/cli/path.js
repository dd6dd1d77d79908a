/** `walkmesh path`: finds a path between two points. */
import { openNavMesh } from './nav-mesh-file.js';
import { parsePoint } from './options.js';
import { formatCount, printJson } from './output.js';

/** @typedef {import('../index.js').Path} Path */

/** @type {Record<import('../index.js').PathReason, string>} */
const REASON_TEXT = {
  'start-not-found': 'the start is not on the mesh',
  'end-not-found': 'the end is not on the mesh',
  'end-excluded': "the end's polygon does not pass the filter",
  'not-connected': 'the end is not connected; the path ends at the nearest reachable point',
  'node-limit': 'the search was stopped at its limit',
  'broken-corridor': 'the corridor is broken',
  unfinished: 'the search was not finished',
};

/** Points as rows of three. @param {Float32Array} points */
export function toRows(points) {
  return Array.from({ length: points.length / 3 }, (_, i) => Array.from(points.subarray(3 * i, 3 * i + 3)));
}

/** A line that describes a path. @param {Path} path */
export function describePath(path) {
  const reason = path.reason ? ` (${REASON_TEXT[path.reason]})` : '';
  return `${path.status}${reason}: ${path.length.toFixed(2)} units, ${formatCount(path.points.length / 3, 'point')}, `
    + `${formatCount(path.corridor.length, 'polygon')}`;
}

/** @param {string} file @param {Record<string, any>} options */
async function run(file, options) {
  const { navMesh } = await openNavMesh(file);
  const path = navMesh.findPath(options.from, options.to, { halfExtents: options.within, shortest: options.shortest });
  if (options.json) {
    const { status, reason, length, cost, bound, corridor } = path;
    printJson({ status, reason, length, cost, ...(options.shortest && { bound }), points: toRows(path.points), corridor: Array.from(corridor) });
    return;
  }
  console.log(describePath(path));
  for (const row of toRows(path.points)) console.log(row.map((value) => value.toFixed(3)).join(' '));
}

/** @param {import('commander').Command} program */
export function addPathCommand(program) {
  program.command('path')
    .description('find a path between two points')
    .argument('<navmesh>', '.walkmesh, or a Detour tile or set')
    .requiredOption('--from <x,y,z>', 'start point', parsePoint)
    .requiredOption('--to <x,y,z>', 'end point', parsePoint)
    .option('--within <x,y,z>', 'largest distance of start and end from the mesh (default: 2,4,2)', parsePoint)
    .option('--shortest', 'the exact shortest path, measured on x and z', false)
    .option('--json', 'print the path as JSON')
    .action(run);
}
