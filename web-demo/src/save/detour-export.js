/**
 * The mesh as Detour's tile set, with its connections and links. Detour's files have no connections of run time, but tiles hold those that
 * were baked into them: so tiles with connections are baked again, with them, in a copy of the mesh. Links become connections side by side.
 */
import { areasOf } from '../edit/areas.js';
import { obstacleVolumes, toVolume } from '../edit/items.js';
import { SwitchSync, areaSwitches, doorSwitches } from '../edit/switch-sync.js';

/** @typedef {import('../app.js').App} App */
/** @typedef {import('../state/document.js').Document} Document */

/** The user cancelled an export. */
export class Cancelled extends Error {}

/** Flags of a connection that is switched off: no filter passes it. */
const OFF = 0;

/** Why connections can't be baked into the mesh; null: they can. @param {App} app */
function whyNot({ bakes, levels }) {
  if (!levels.current) return 'no level is open';
  if (bakes.current?.report === null) return 'the mesh was opened from a file: bake the level to include them';
  return bakes.isStale ? 'the configuration changed since the bake: bake the level to include them' : null;
}

/** @param {Document['connections'][number]} connection */
const toBaked = ({ start, end, radius, bidirectional, enabled, area }) => ({ start, end, radius, bidirectional, area, ...(enabled ? {} : { flags: OFF }) });

/** A copy of the mesh with its connections in the tiles. The caller frees it. @param {App} app */
async function bakeConnections({ walkmesh, bakes, levels, store }) {
  const { navMesh, dynamic } = /** @type {NonNullable<App['bakes']['current']>} */ (bakes.current);
  const { positions, indices, areas } = /** @type {NonNullable<App['levels']['current']>} */ (levels.current);
  const { document } = store.state;
  const obstacles = dynamic ? obstacleVolumes(document) : [];
  const copy = walkmesh.loadNavMesh(navMesh.save());
  for (const ref of copy.connections()) copy.removeConnection(ref);
  try {
    await walkmesh.rebake(copy, {
      positions, indices, areas, volumes: [...document.volumes.map(toVolume), ...obstacles], offMeshConnections: document.connections.map(toBaked),
    });
    // Rebaked tiles have lost what doors and closed areas changed.
    const { cellSize } = copy.parameters;
    const { boundsMin, boundsMax } = copy.totals;
    const box = { min: /** @type {any} */ (boundsMin.map((value) => value - 1000)), max: /** @type {any} */ (boundsMax.map((value) => value + 1000)) };
    new SwitchSync(copy).update([...doorSwitches(document.doors, { isExact: dynamic !== null, cellSize }), ...areaSwitches(areasOf(document), box)]);
    return copy;
  } catch (error) {
    copy.free();
    throw error;
  }
}

/** @param {number} count @param {string} [noun] */
const counted = (count, noun = 'connection') => `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;

/** Distances between the connections that stand for a link, in agent diameters. */
const SPACINGS = /** @type {const} */ ({ diameter: 1, sparse: 4 });

/**
 * Asks how to write the links of the mesh. @param {App} app @param {import('walkmesh').NavMesh} navMesh
 * @returns {Promise<{ options: { linkSpacing?: number }, note: string }>} rejects with Cancelled if the user cancels
 */
async function askForLinks(app, { segmentLinkCount, parameters: { agentRadius, cellSize } }) {
  if (segmentLinkCount === 0) return { options: {}, note: '' };
  const links = counted(segmentLinkCount, 'link');
  const spacingOf = (/** @type {keyof typeof SPACINGS} */ id) => Number((SPACINGS[id] * 2 * Math.max(agentRadius, cellSize)).toPrecision(3));
  const label = (/** @type {keyof typeof SPACINGS} */ id) => `Connections ${spacingOf(id)} m apart`;
  const answer = await app.questions.ask({
    title: `Include ${links}?`, text: "Detour's files have no wide links, only connections between two points. Kinds and peaks are lost.",
    answers: [{ id: 'diameter', label: label('diameter'), hint: 'One agent diameter' }, { id: 'sparse', label: label('sparse'), hint: 'Fewer, with longer ways to them' },
      { id: 'without', label: 'Export without links' }],
  });
  if (!answer) throw new Cancelled();
  if (answer === 'without') return { options: {}, note: `Without ${links}.` };
  return { options: { linkSpacing: spacingOf(answer) }, note: `${links} as connections.` };
}

/** @param {App} app @returns {Promise<{ bytes: Uint8Array, note: string }>} the file, and what it lacks; rejects with Cancelled if the user cancels */
export async function exportDetour(app) {
  const { navMesh } = /** @type {NonNullable<App['bakes']['current']>} */ (app.bakes.current);
  const { connections } = app.store.state.document;
  const links = await askForLinks(app, navMesh);
  const write = (/** @type {import('walkmesh').NavMesh} */ mesh, /** @type {string} */ note) => (
    { bytes: mesh.exportDetour('set', links.options), note: [links.note, note].filter(Boolean).join(' ') });
  if (connections.length === 0) return write(navMesh, '');
  const reason = whyNot(app);
  if (reason) {
    const answer = await app.questions.ask({
      title: `Export without ${counted(connections.length)}?`, text: `Detour's file can't include them: ${reason}.`, answers: [{ id: 'export', label: 'Export without them' }],
    });
    if (!answer) throw new Cancelled();
    return write(navMesh, `Without ${counted(connections.length)}.`);
  }
  const baked = await bakeConnections(app);
  try {
    const written = baked.totals.offMeshConnections;
    return write(baked, written < connections.length ? `With ${written} of ${counted(connections.length)}: the others start beside the mesh, and Detour's tiles can't hold them.`
      : `With ${counted(written)}.${connections.some(({ enabled }) => !enabled) ? ' Disabled ones have flags 0.' : ''}`);
  } finally {
    baked.free();
  }
}
