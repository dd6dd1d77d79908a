/** `walkmesh links`: lists the segment links of a navigation mesh, or says why there is none at a place. */
import { differsFromLevel } from '../check/same-level.js';
import { NavError, SEGMENT_LINK_KINDS } from '../index.js';
import { carvedVolumes, withVolumes } from '../input/with-obstacles.js';
import { addLevelOptions, readLevelFile, requireNoLevelOptions } from './level-file.js';
import { openNavMesh } from './nav-mesh-file.js';
import { parsePoint } from './options.js';
import { formatCount, printJson, printWarning } from './output.js';
import { UsageError } from './usage-error.js';

/** @typedef {import('../index.js').NavMesh} NavMesh */

/** Links for a generator that makes none. @type {import('../index.js').LinkConfig} */
const ANY_LINKS = { jump: { maxDistance: 1 } };

/** True if the configuration of a mesh has a kind of links: none is left after `configure({})`. @param {NavMesh} navMesh */
const hasKinds = ({ config }) => SEGMENT_LINK_KINDS.some((kind) => config?.links?.[kind]);

/** A level with the obstacles of a dynamic mesh, which is as a bake of both. @param {import('../index.js').Geometry} geometry @param {import('../input/with-obstacles.js').Dynamic | undefined} dynamic */
const withObstacles = (geometry, dynamic) => withVolumes(geometry, dynamic ? carvedVolumes(dynamic).map(({ volume }) => volume) : []);

/** @param {ArrayLike<number>} point */
const formatPoint = (point) => Array.from(point, (value) => value.toFixed(2)).join(' ');

/** The links of a mesh, one object each. @param {NavMesh} navMesh */
const listLinks = (navMesh) => Array.from(navMesh.segmentLinks().refs, (ref) => navMesh.segmentLink(ref));

/** The midpoint of a segment. @param {readonly [readonly number[], readonly number[]]} segment */
const middleOf = ([left, right]) => left.map((value, axis) => (value + right[axis]) / 2);

/** A link, and what blocks the body on it if it was made by hand and the level is known. @typedef {import('../index.js').SegmentLink & { blocked?: Pick<import('../index.js').RefusedSegmentLink, 'reason' | 'text' | 'place'> }} ListedLink */

/** @param {ListedLink} link */
function describeLink({ kind, start, end, width, peak, bidirectional, enabled, byHand, startTied, endTied, blocked }) {
  const notes = [bidirectional && 'both ways', byHand && 'by hand', !enabled && 'disabled', !(startTied && endTied) && 'waits for ground',
    blocked && `${blocked.text[0].toLowerCase()}${blocked.text.slice(1)} (at ${formatPoint(blocked.place)})`];
  const more = notes.filter(Boolean).join(', ');
  return `${kind.padEnd(6)}${formatPoint(middleOf(start))}  to  ${formatPoint(middleOf(end))}, ${width.toFixed(2)} wide${
    peak > 0 ? `, peak ${peak.toFixed(2)}` : ''}${more ? `, ${more}` : ''}`;
}

/** Says of links by hand what blocks them. @param {ListedLink[]} links @param {import('../index.js').LinkGenerator} generator */
function checkLinks(links, generator) {
  for (const link of links) {
    const { reason, text, place } = generator.checkLink(link.ref);
    if (reason) link.blocked = { reason, text, place };
  }
}

/** @param {ListedLink[]} links @param {boolean} json */
function list(links, json) {
  if (json) {
    printJson(links);
    return;
  }
  for (const kind of SEGMENT_LINK_KINDS) {
    const count = links.filter((link) => link.kind === kind).length;
    if (count > 0) console.log(formatCount(count, kind));
  }
  if (links.length === 0) console.log('no segment links: bake with --drop, --jump, --climb or --vault');
  for (const link of links) console.log(describeLink(link));
}

/**
 * Warns if a level isn't that of the mesh near some points.
 * @param {import('../index.js').NavMesh} navMesh @param {import('../index.js').Geometry} geometry @param {readonly (readonly number[])[]} points
 * @param {Record<string, any>} options
 */
function warnOfLevel(navMesh, geometry, points, { level, placed }) {
  if (points.length === 0 || !differsFromLevel(navMesh, geometry, points)) return;
  const remedy = placed ? '' : ' Was it baked with --placed?';
  printWarning(`near these points ${level}${placed ? ` with ${placed}` : ''} isn't the level of the mesh, so the answer may be wrong.${remedy}`);
}

/** @param {string} file @param {Record<string, any>} options */
async function run(file, options) {
  const { from, to, level, json } = options;
  if (level === undefined) requireNoLevelOptions(options, '--level');
  const isList = from === undefined && to === undefined;
  const missing = Object.entries({ from, to, level }).find(([, value]) => value === undefined)?.[0];
  if (missing && !isList) throw new UsageError(`--from, --to and --level belong together: set --${missing}`);
  const { navMesh, dynamic, walkmesh } = await openNavMesh(file);
  if (isList) {
    const links = listLinks(navMesh);
    if (level !== undefined) {
      const geometry = withObstacles(await readLevelFile(level, options, printWarning), dynamic);
      const byHand = links.filter((link) => link.byHand);
      warnOfLevel(navMesh, geometry, byHand.flatMap(({ start, end }) => [...start, ...end]), options);
      if (byHand.length > 0) {
        const generator = await walkmesh.createLinkGenerator(navMesh, geometry, { workers: 0, links: hasKinds(navMesh) ? undefined : ANY_LINKS });
        checkLinks(byHand, generator);
      }
    }
    list(links, json);
    return;
  }
  if (!hasKinds(navMesh)) throw new NavError('configuration', 'the mesh was baked without links: bake with --drop, --jump, --climb or --vault', { field: 'links' });
  const geometry = withObstacles(await readLevelFile(level, options, printWarning), dynamic);
  const generator = await walkmesh.createLinkGenerator(navMesh, geometry, { workers: 0 });
  warnOfLevel(navMesh, geometry, [from, to], options);
  const refused = generator.explainLink(from, to);
  generator.free();
  if (json) printJson(refused);
  else console.log(`${refused.text} (at ${refused.reason ? formatPoint(refused.place) : `${formatPoint(refused.start)}, to ${formatPoint(refused.end)}`})`);
}

/** @param {import('commander').Command} program */
export function addLinksCommand(program) {
  addLevelOptions(program.command('links')
    .description('list the segment links of a mesh: drops, jumps, climbs, vaults; or say why there is none')
    .argument('<navmesh>', '.walkmesh, or a Detour tile or set')
    .option('--from <x,y,z>', 'why does no link lead from here', parsePoint)
    .option('--to <x,y,z>', 'to this point?', parsePoint)
    .option('--level <level>', 'the .obj, .glb or .gltf the mesh was baked from; without --from and --to: says what blocks links made by hand'))
    .option('--json', 'print it as JSON')
    .action(run);
}
