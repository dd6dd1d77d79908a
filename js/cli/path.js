/** `walkmesh path`: finds a path between two points. */
import { Option } from 'commander';
import { explainPath } from '../index.js';
import { addLevelOptions, readLevelFile, requireNoLevelOptions } from './level-file.js';
import { runLongPath } from './long-path.js';
import { openForQueries } from './nav-mesh-file.js';
import { parseNumber, parsePoint } from './options.js';
import { formatCount, printJson } from './output.js';
import { addPathOptions, checkPathOptions, findWays, readPathOptions } from './path-options.js';
import { requireAbsent } from './usage-error.js';

/** @typedef {import('../index.js').Path} Path */

/** @type {Record<import('../index.js').PathReason, string>} */
const REASON_TEXT = {
  'start-not-found': 'the start is not on the mesh',
  'start-excluded': 'the start is on ground that the filter excludes',
  'end-not-found': 'the end is not on the mesh',
  'end-excluded': 'the end is on ground that the filter excludes',
  'not-connected': 'the end is not connected; the path ends near it',
  'node-limit': 'the search was stopped at its limit',
  'broken-corridor': 'the corridor is broken',
  unfinished: 'the search was not finished',
};

/** Points as rows of three. @param {Float32Array} points */
export function toRows(points) {
  return Array.from({ length: points.length / 3 }, (_, i) => Array.from(points.subarray(3 * i, 3 * i + 3)));
}

/**
 * Why a path isn't complete. A start or end under a closed door isn't off the mesh.
 * @param {import('../index.js').NavMesh} navMesh @param {Path} path @param {{ from: number[], to: number[], search: import('../index.js').PathOptions }} question
 */
function reasonText(navMesh, { reason }, { from, to, search }) {
  if (reason !== 'start-not-found' && reason !== 'start-excluded' && reason !== 'end-not-found' && reason !== 'end-excluded') return reason && REASON_TEXT[reason];
  const { causes } = explainPath(navMesh, from, to, search), [first] = causes;
  const name = reason.startsWith('start') ? 'start' : 'end', missing = causes.find(({ kind }) => kind === reason);
  if (missing) return missing.figure === null ? REASON_TEXT[reason] : `${REASON_TEXT[reason]}; the nearest ground is ${missing.figure.toFixed(2)} units away, see --within`;
  if (first?.kind === 'filter') return `the ${name} is on ground that the filter excludes`;
  return first?.kind === 'switch' ? `the ${name} is on ground that a switch closes` : REASON_TEXT[reason];
}

/** A line that describes a path. @param {import('../index.js').NavMesh} navMesh @param {Path} path @param {{ from: number[], to: number[], search: import('../index.js').PathOptions }} question */
export function describePath(navMesh, path, question) {
  const text = reasonText(navMesh, path, question), reason = text ? ` (${text})` : '';
  return `${path.status}${reason}: ${path.length.toFixed(2)} units, ${formatCount(path.points.length / 3, 'point')}, `
    + `${formatCount(path.corridor.length, 'polygon')}`;
}

/** Why the path is as it is. @param {import('../index.js').NavMesh} navMesh @param {Record<string, any>} options */
async function explain(navMesh, options) {
  const { from, to, explain: level } = options;
  const geometry = level === true ? undefined : await readLevelFile(level, options, console.warn);
  return explainPath(navMesh, from, to, { ...readPathOptions(options), ...(geometry && { level: { geometry } }) });
}

/** An explanation for JSON. @param {import('../index.js').PathExplanation} explanation */
const explanationJson = ({ text, causes, places }) => ({
  text, causes, places: places.map(({ point, distance }) => ({ point, distance })),
});

/** The lines of an explanation. @param {import('../index.js').PathExplanation} explanation */
export function describeExplanation({ text, causes, places }) {
  const at = (/** @type {readonly number[] | null} */ point) => (point ? ` (at ${point.map((value) => value.toFixed(2)).join(', ')})` : '');
  const first = causes[0]?.point ?? places[0]?.point ?? null;
  const [alike, others] = [causes.slice(1).filter(isOneWay), causes.slice(1).filter((cause) => !isOneWay(cause))];
  // A roof may have many links that only lead down. The first one gets a line, the others a number.
  const told = alike.length < 2 || !isOneWay(causes[0]) ? causes.slice(1) : others;
  return [`${text}${at(first)}`, ...told.map((cause) => `${cause.isAlsoNeeded ? 'And' : 'Or'}: ${cause.text}${at(cause.point)}`),
    ...(told === others ? [`Or one of ${alike.length} other one-way links or connections, which --json lists.`] : [])];
}

/** True for a link or connection that leads the other way, whose change alone is enough. @param {import('../index.js').Cause} cause */
const isOneWay = ({ kind, isAlsoNeeded }) => kind === 'one-way' && !isAlsoNeeded;

/** A path for JSON; with its bound if one is proven. @param {import('../index.js').NavMesh} navMesh @param {Path} path */
function pathJson(navMesh, path) {
  const { status, reason, length, cost, bound, points, corridor } = path;
  const links = navMesh.pathLinks(path);
  return {
    status, reason, length, cost, ...(bound > 0 && { bound }), points: toRows(points), corridor: Array.from(corridor), ...(links.length > 0 && { links }),
  };
}

/** Lines about the links that a path crosses. @param {import('../index.js').PathLink[]} links */
const describeCrossings = (links) => links.map(({ kind, index, start, end, peak }) => (
  `${kind} at point ${index + 1}: ${formatRow(start)} to ${formatRow(end)}${peak > 0 ? `, peak ${peak.toFixed(2)}` : ''}`));

/** @param {readonly number[]} row */
const formatRow = (row) => row.map((value) => value.toFixed(3)).join(' ');

/** @param {import('../index.js').NavMesh} navMesh @param {Path} path @param {string} description @param {string[]} [explanation] lines */
function print(navMesh, path, description, explanation = []) {
  console.log(description);
  for (const line of [...explanation, ...describeCrossings(navMesh.pathLinks(path))]) console.log(line);
  for (const row of toRows(path.points)) console.log(formatRow(row));
}

/** @param {string} file @param {Record<string, any>} options */
async function run(file, options) {
  const { from, to, count, json } = options;
  checkPathOptions(options);
  if (typeof options.explain !== 'string') requireNoLevelOptions(options, '--explain with the level');
  if (await runLongPath(file, options)) return;
  requireAbsent(options, ['legTiles'], '--graph');
  const { navMesh } = await openForQueries(file);
  const explanation = options.explain ? await explain(navMesh, options) : null;
  const paths = findWays(navMesh, from, to, options);
  if (json) {
    const rows = paths.map((path) => pathJson(navMesh, path));
    printJson(count === undefined ? { ...rows[0], ...(explanation && { explanation: explanationJson(explanation) }) } : rows);
    return;
  }
  const question = { from, to, search: readPathOptions(options) };
  for (const path of paths) print(navMesh, path, describePath(navMesh, path, question), explanation ? describeExplanation(explanation) : []);
}

/** @param {import('commander').Command} program */
export function addPathCommand(program) {
  const command = program.command('path')
    .description('find a path between two points. Doors are as saved')
    .argument('<navmesh>', '.walkmesh, or a Detour tile or set; or a tile graph alone, which gives waypoints')
    .requiredOption('--from <x,y,z>', 'start point', parsePoint)
    .requiredOption('--to <x,y,z>', 'end point', parsePoint);
  addPathOptions(command)
    .addOption(new Option('--explain [level]', 'say why there is no path, or a long one; with the level that was baked, also its steps, slopes, obstacles and gaps')
      .conflicts('count'))
    .option('--graph <wgraph>', 'the tile graph of the mesh, by walkmesh graph: a long way, its first leg exact')
    .option('--leg-tiles <number>', 'with a tile graph, the leg leads through at most this number of tiles, 2 to 1000 (default: 6)', parseNumber)
    .option('--json', 'print the path as JSON; with --count, an array')
    .action(run);
  addLevelOptions(command);
}
