/** `walkmesh check`: looks for errors in a navigation mesh and, with its level, in its surface. */
import { checkNavMesh } from '../check/check.js';
import { CHECKS } from '../check/findings.js';
import { NavError } from '../runtime/errors.js';
import { addLevelOptions, readLevelFile, requireNoLevelOptions } from './level-file.js';
import { openNavMesh } from './nav-mesh-file.js';
import { formatCount, printJson, printWarning } from './output.js';

/** @typedef {import('../check/check.js').CheckReport} CheckReport */

/** @param {readonly number[]} point */
const formatPoint = (point) => point.map((value) => Number(value.toFixed(3))).join(', ');

/** @param {CheckReport} report */
function print({ findings, counts, looked }) {
  console.log(`${formatCount(looked.tiles, 'tile')}, ${formatCount(looked.polygons, 'polygon')}, ${
    formatCount(looked.detailTriangles, 'triangle')} of height detail, ${formatCount(looked.links, 'link')}${
    looked.spans > 0 ? `, ${formatCount(looked.spans, 'span')} of the level` : ''}`);
  for (const check of CHECKS) {
    const count = counts[check];
    if (count === undefined) continue;
    console.log(`\n${check}: ${formatCount(count, 'finding')}`);
    const listed = findings.filter((finding) => finding.check === check);
    for (const { message, polygon, point } of listed) console.log(`  ${polygon ? `polygon ${polygon} ` : ''}at ${formatPoint(point)}: ${message}`);
    if (count > listed.length) console.log(`  ... and ${count - listed.length} more`);
  }
}

/** @param {string} file @param {Record<string, any>} options */
async function run(file, options) {
  const { navMesh } = await openNavMesh(file);
  if (options.level === undefined) requireNoLevelOptions(options, '--level');
  const geometry = options.level === undefined ? undefined : await readLevelFile(options.level, options, printWarning);
  const report = checkNavMesh(navMesh, geometry ? { geometry } : {});
  if (options.json) printJson({ file, ...report });
  else print(report);
  const found = Object.values(report.counts).reduce((sum, count) => sum + count, 0);
  if (found > 0) throw new NavError('corrupt', `${file} has errors: ${formatCount(found, 'finding')}`, { field: 'file', value: file });
  if (!options.json) console.log('no errors');
}

/** @param {import('commander').Command} program */
export function addCheckCommand(program) {
  addLevelOptions(program.command('check')
    .description('check polygons, neighbours, height detail, links, portals and tree of a mesh')
    .argument('<navmesh>', '.walkmesh, or a Detour tile, set or tile cache')
    .option('--level <level>', 'also compare the polygons with the .obj, .glb or .gltf they were baked from'))
    .option('--json', 'print the findings as JSON')
    .action(run);
}
