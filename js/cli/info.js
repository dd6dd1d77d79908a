/** `walkmesh info`: prints the contents of a navigation mesh, or of a saved crowd. */
import { isCrowdFile } from '../mesh/file-types.js';
import { readBytes } from '../level/files.js';
import { openNavMesh, start } from './nav-mesh-file.js';
import { NavError, SEGMENT_LINK_KINDS } from '../index.js';
import { describeLinkCounts, formatBytes, printJson } from './output.js';

/** @param {readonly number[]} point */
const formatPoint = (point) => point.map((value) => Number(value.toFixed(3))).join(', ');

/** The bounds of the ground and the connections themselves; null without any. @param {import('../index.js').NavMesh} navMesh */
function boundsOf(navMesh) {
  const min = [Infinity, Infinity, Infinity], max = [-Infinity, -Infinity, -Infinity];
  for (const { vertices } of navMesh.polygons()) {
    for (let i = 0; i < vertices.length; i++) {
      min[i % 3] = Math.min(min[i % 3], vertices[i]);
      max[i % 3] = Math.max(max[i % 3], vertices[i]);
    }
  }
  return min[0] <= max[0] ? { min, max } : null;
}

/** Counts the segment links of a mesh. @param {import('../index.js').NavMesh} navMesh */
function countLinks(navMesh) {
  const { count, kinds, byHand, enabled } = navMesh.segmentLinks();
  const counts = /** @type {Record<import('../index.js').LinkKind, number>} */ (Object.fromEntries(SEGMENT_LINK_KINDS.map((kind, i) => (
    [kind, kinds.filter((one) => one === i).length]))));
  return { count, counts, byHand: byHand.filter((one) => one === 1).length, disabled: enabled.filter((one) => one === 0).length };
}

/** Islands that are printed; JSON has all. */
const MOST_PRINTED = 8;

/** The area of each island and a point on it, the largest first. @param {import('../index.js').NavMesh} navMesh */
function listIslands(navMesh) {
  const islands = navMesh.islands();
  const list = Array.from({ length: islands.count }, (_, i) => ({ area: islands.area(i + 1), point: islands.point(i + 1)?.point ?? null }));
  islands.free();
  return list;
}

/** @param {ReturnType<typeof listIslands>} islands */
function describeIslands(islands) {
  const lines = islands.slice(0, MOST_PRINTED).map(({ area, point }) => `${Number(area.toFixed(1)).toLocaleString('en')} square units${point ? ` at ${formatPoint(point)}` : ''}`);
  if (islands.length > MOST_PRINTED) lines.push(`... and ${islands.length - MOST_PRINTED} smaller ones`);
  return `${islands.length}${lines.length > 0 ? `: ${lines.join(`\n${' '.repeat(NAME_WIDTH)}`)}` : ''}`;
}

/** Characters of a row's name. */
const NAME_WIDTH = 22;

/** @param {string} file @param {Uint8Array} bytes @param {Record<string, any>} options */
async function printCrowd(file, bytes, options) {
  const { agentCount, meshCount, obstacleCount, filterCount, steps } = readCrowd(file, bytes, await start());
  if (options.json) {
    printJson({ file, format: 'Walkmesh crowd', bytes: bytes.length, agentCount, meshCount, obstacleCount, filterCount, steps });
    return;
  }
  printRows([
    ['format', `Walkmesh crowd, ${formatBytes(bytes.length)}`],
    ['agents', `${agentCount}`],
    ['meshes', `${meshCount}`],
    ['moving obstacles', `${obstacleCount}`],
    ['filters', `${filterCount}`],
    ['steps', `${steps}`],
  ]);
}

/** @param {string} file @param {Uint8Array} bytes @param {import('../index.js').Walkmesh} walkmesh */
function readCrowd(file, bytes, walkmesh) {
  try {
    return walkmesh.crowdInfo(bytes);
  } catch (cause) {
    const { message } = /** @type {Error} */ (cause);
    throw new NavError('file', `${file} is damaged: ${message}`, { field: 'file', value: file, cause });
  }
}

/** @param {string[][]} rows */
function printRows(rows) {
  for (const [name, value] of rows) console.log(`${name.padEnd(NAME_WIDTH)}${value}`);
}

/** @param {string} file @param {Record<string, any>} options */
async function run(file, options) {
  const bytes = await readBytes(file);
  if (isCrowdFile(bytes)) return printCrowd(file, bytes, options);
  return printMesh(file, options);
}

/** @param {string} file @param {Record<string, any>} options */
async function printMesh(file, options) {
  const { navMesh, format, bytes } = await openNavMesh(file);
  const { totals, parameters, config } = navMesh;
  const segmentLinks = countLinks(navMesh), bounds = boundsOf(navMesh), islands = listIslands(navMesh);
  if (options.json) {
    printJson({ file, format, bytes, totals, bounds, islands, segmentLinks, parameters, config });
    return;
  }
  printRows([
    ['format', `${format}, ${formatBytes(bytes)}`],
    ['tiles', `${totals.tiles}, ${formatPoint([parameters.tileWidth, parameters.tileDepth])} units on x and z`],
    ['polygons', `${totals.polygons}, ${totals.vertices} vertices, ${totals.links} links between polygons`],
    ['height detail', `${totals.detailTriangles} triangles`],
    ['islands', describeIslands(islands)],
    ['off-mesh connections', `${totals.offMeshConnections}`],
    ['segment links', `${segmentLinks.count}${segmentLinks.count > 0 ? `: ${describeLinkCounts(segmentLinks)}; ${segmentLinks.byHand} by hand, ${
      segmentLinks.disabled} disabled` : ''}`],
    ['bounds of polygons', bounds ? `${formatPoint(bounds.min)}  to  ${formatPoint(bounds.max)}` : 'none: the mesh is empty'],
    ['bounds of tiles', `${formatPoint(totals.boundsMin)}  to  ${formatPoint(totals.boundsMax)}`],
    ['agent', `height ${Number(parameters.agentHeight.toPrecision(6))}, radius ${
      Number(parameters.agentRadius.toPrecision(6))}, climb ${Number(parameters.agentMaxClimb.toPrecision(6))}`],
    ['configuration', config ? JSON.stringify(config) : 'not stored'],
  ]);
}

/** @param {import('commander').Command} program */
export function addInfoCommand(program) {
  program.command('info')
    .description('print format, tiles, counts, bounds and configuration of a navigation mesh, or what a saved crowd contains')
    .argument('<navmesh>', '.walkmesh, a Detour tile, set or tile cache, or a saved crowd')
    .option('--json', 'print it as JSON')
    .action(run);
}
