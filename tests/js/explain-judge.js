/** Judges the explanation of a level with a planted cause: the cause comes first, and its change opens the way. */
import assert from 'node:assert/strict';
import { explainPath } from '../../js/index.js';
import { LINK_CAUSES } from './explained-levels.js';

/** @typedef {import('../../js/index.js').Walkmesh} Walkmesh */
/** @typedef {import('./explained-levels.js').plantCause} plantCause */

/** Bakes a planted level: closes its doors, removes its tiles. @param {Walkmesh} walkmesh @param {ReturnType<typeof plantCause>} level @param {object} [fields] */
function bakePlanted(walkmesh, { geometry, config, doors, holes = [] }, fields = {}) {
  const { navMesh } = walkmesh.bake(geometry, { ...config, ...fields });
  const switches = navMesh.createSwitches();
  for (const door of doors) switches.addDoor(door);
  for (const hole of holes) {
    const polygon = navMesh.nearestPoint(hole, { halfExtents: [0.05, 1, 0.05] })?.polygon ?? 0;
    if (polygon !== 0) navMesh.removeTile(polygon);
  }
  return navMesh;
}

/** The mesh and the filter after a change. @param {Walkmesh} walkmesh @param {ReturnType<typeof plantCause>} level @param {import('../../js/index.js').NavMesh} navMesh @param {import('../../js/index.js').Change} change */
function apply(walkmesh, level, navMesh, change) {
  if (change.kind === 'config' || change.kind === 'links') {
    navMesh.free();
    return { navMesh: bakePlanted(walkmesh, level, change.kind === 'links' ? { links: change.links } : change.fields), filter: level.filter };
  }
  if (change.kind === 'switch') change.switches.set(change.number, change.isOn);
  else if (change.kind === 'filter') return { navMesh, filter: { ...level.filter, ...(change.excludeFlags !== undefined && { excludeFlags: change.excludeFlags }), ...(change.includeFlags !== undefined && { includeFlags: change.includeFlags }) } };
  else if (change.kind === 'connect') navMesh.addConnection({ start: change.start, end: change.end });
  else if (change.kind === 'two-way') {
    const { start, end, radius, climb } = navMesh.connection(change.connection);
    navMesh.addConnection({ start, end, radius, climb, bidirectional: true });
  } else if (change.kind === 'tile') {
    const whole = walkmesh.bake(level.geometry, level.config).navMesh;
    navMesh.addTile(whole.tileBytes(whole.tileAt(change.x, change.z)));
    whole.free();
  } else assert.fail(`a change of kind ${change.kind}`);
  return { navMesh, filter: level.filter };
}

/** What is wrong with the first cause of a level that needs higher limits of links; null: nothing. @param {import('../../js/index.js').Cause} cause @param {readonly import('../../js/index.js').LinkKind[]} kinds */
function judgeLinks({ kind, changes, text }, kinds) {
  const told = changes.map((change) => (change.kind === 'links' ? change.linkKind : change.kind));
  if (kind !== 'link' || told.join() !== kinds.join()) return `${kind} ${told}: ${text}`;
  const areNamed = changes.every((change) => change.kind === 'links' && Object.entries(change.limits).every(([name, value]) => text.includes(`links.${change.linkKind}.${name} ${Number(value.toFixed(2))}`)));
  return areNamed ? null : `a limit and its value are missing: ${text}`;
}

/** Explains a planted level, and applies the change of its first cause. @param {Walkmesh} walkmesh @param {ReturnType<typeof plantCause>} level @returns {string | null} what is wrong; null: nothing */
export function judge(walkmesh, level) {
  const navMesh = bakePlanted(walkmesh, level);
  const { geometry, config, start, end, filter } = level;
  try {
    if (navMesh.findPath(start, end, { filter }).status === 'complete') return 'there is a path';
    const { causes } = explainPath(navMesh, start, end, { filter, level: { geometry, config } });
    const [first] = causes;
    const links = level.kind in LINK_CAUSES ? judgeLinks(first, LINK_CAUSES[/** @type {import('./explained-levels.js').LinkCause} */ (level.kind)]) : null;
    if (links !== null) return links;
    if (!(level.kind in LINK_CAUSES) && first.kind !== level.kind) return `${first.kind}: ${first.text}`;
    if (level.figure !== null && !(Math.abs(Number(first.figure) - level.figure) < (level.kind === 'slope' ? 0.5 : 0.06))) return `figure ${first.figure}, planted ${level.figure}: ${first.text}`;
    if (first.changes.length === 0 || !first.isVerified) return `no change: ${first.text}`;
    let applied = { navMesh, filter };
    for (const change of first.changes) applied = apply(walkmesh, { ...level, filter: applied.filter }, applied.navMesh, change);
    const { status } = applied.navMesh.findPath(start, end, { filter: applied.filter });
    if (applied.navMesh !== navMesh) applied.navMesh.free();
    return status === 'complete' ? null : `still ${status}: ${first.text}`;
  } finally {
    if (!navMesh.isFreed) navMesh.free();
  }
}
