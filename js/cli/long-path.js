/** `walkmesh path --graph`, and `walkmesh path` of a tile graph alone: a long way, its leg and its waypoints. */
import { readBytes } from '../level/files.js';
import { isTileGraph } from '../mesh/file-types.js';
import { loadTileGraph, openTileGraph } from './graph.js';
import { openForQueries, start } from './nav-mesh-file.js';
import { formatCount, printJson } from './output.js';
import { UsageError, flagOf } from './usage-error.js';

/** @typedef {import('../index.js').LongPath} LongPath */

/** Options of `walkmesh path` that long ways have. The leg is the shortest path in any case. */
const KNOWN = new Set(['from', 'to', 'within', 'graph', 'legTiles', 'shortest', 'json']);
/** Options of `walkmesh graph`: a graph is built for one filter. */
const OF_FILTER = new Set(['includeFlags', 'excludeFlags', 'areaCost']);

/** Refuses options that long ways don't have. @param {Record<string, any>} options of the command */
function checkOptions(options) {
  for (const [name, value] of Object.entries(options)) {
    if (KNOWN.has(name) || value === undefined || value === false) continue;
    const remedy = OF_FILTER.has(name) ? 'the tile graph was built for one filter. Set it in walkmesh graph' : 'leave it out, or search without a tile graph';
    throw new UsageError(`${flagOf(name)} is not for long ways: ${remedy}`);
  }
}

/** @param {ArrayLike<number>} row */
const formatRow = (row) => Array.from(row, (value) => value.toFixed(3)).join(' ');

/** Rows of three. @param {Float32Array | Int32Array} numbers */
const toRows = (numbers) => Array.from({ length: numbers.length / 3 }, (_, i) => Array.from(numbers.subarray(3 * i, 3 * i + 3)));

/** A long path for JSON. @param {LongPath} path */
function toJson(path) {
  const { status, reason, cost, lowerBound, isEstimate, leadsToEnd, legWaypoints, leg } = path;
  const tiles = toRows(path.tiles);
  const waypoints = toRows(path.waypoints).map((point, i) => ({ point, cost: path.costs[i], tile: tiles[i], isLoaded: path.isLoaded[i] === 1 }));
  return { status, reason, cost, lowerBound, isEstimate, leg: leg && { length: leg.length, points: toRows(leg.points) }, leadsToEnd, legWaypoints, waypoints };
}

/** Why a cost is an estimate. @param {LongPath} path @param {boolean} isAlone there is no mesh */
function describeEstimate({ isEstimate }, isAlone) {
  if (!isEstimate) return '';
  return isAlone ? ' (an estimate: without the mesh, ground at start and end is not known)' : ' (an estimate: start or end is not loaded)';
}

/** @param {LongPath} path @param {boolean} isAlone there is no mesh, so no tile is loaded */
function print(path, isAlone) {
  const { status, reason, cost, lowerBound, leg, count, leadsToEnd } = path;
  if (status !== 'complete') {
    console.log(`${status} (${reason})`);
    return;
  }
  console.log(`${status}: cost at most ${cost.toFixed(2)}${describeEstimate(path, isAlone)}, at least ${lowerBound.toFixed(2)}, ${formatCount(count, 'waypoint')}`);
  if (leg) {
    console.log(`leg: ${leg.length.toFixed(2)} units, ${leadsToEnd ? 'to the end' : `to waypoint ${path.legWaypoints}`}`);
    for (const row of toRows(leg.points)) console.log(formatRow(row));
  }
  console.log('waypoints:');
  toRows(path.waypoints).forEach((row, i) => console.log(`${formatRow(row)}  cost ${path.costs[i].toFixed(2)}${path.isLoaded[i] || isAlone ? '' : ', not loaded'}`));
}

/**
 * Finds a long path.
 * @param {string} file of a mesh; or of a tile graph, if no graph is named @param {Record<string, any>} options of path
 * @returns {Promise<boolean>} false: the file is no tile graph, and no graph is named
 */
export async function runLongPath(file, options) {
  const { graph: graphFile, from, to, within, legTiles, json } = options;
  const bytes = graphFile === undefined ? await readBytes(file) : null;
  if (bytes && !isTileGraph(bytes)) return false;
  checkOptions(options);
  const graph = bytes ? loadTileGraph(file, bytes, await start()) : await openTileGraph(graphFile, (await openForQueries(file)).navMesh);
  const path = graph.findPath(from, to, { halfExtents: within, legTiles });
  if (json) printJson(toJson(path));
  else print(path, bytes !== null);
  return true;
}
