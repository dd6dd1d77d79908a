/**
 * The mesh as Detour's tile set, with its connections. Detour's files have no connections of run time, but tiles hold those that were
 * baked into them: so tiles with connections are baked again, with them, in a copy of the mesh.
 */
import { areasOf } from '../edit/areas.js';
import { toVolume, wantedObstacles } from '../edit/items.js';
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
  const obstacles = dynamic ? wantedObstacles(document).map(({ obstacle: { carving: _, ...shape } }) => ({ ...shape, beforeErosion: shape.area === 0 })) : [];
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

/** @param {number} count */
const counted = (count) => `${count.toLocaleString('en')} ${count === 1 ? 'connection' : 'connections'}`;

/** @param {App} app @returns {Promise<{ bytes: Uint8Array, note: string }>} the file, and what it lacks; rejects with Cancelled if the user cancels */
export async function exportDetour(app) {
  const { navMesh } = /** @type {NonNullable<App['bakes']['current']>} */ (app.bakes.current);
  const { connections } = app.store.state.document;
  if (connections.length === 0) return { bytes: navMesh.exportDetour(), note: '' };
  const reason = whyNot(app);
  if (reason) {
    const answer = await app.questions.ask({
      title: `Export without ${counted(connections.length)}?`, text: `Detour's file can't include them: ${reason}.`, answers: [{ id: 'export', label: 'Export without them' }],
    });
    if (!answer) throw new Cancelled();
    return { bytes: navMesh.exportDetour(), note: `Without ${counted(connections.length)}.` };
  }
  const baked = await bakeConnections(app);
  const written = baked.totals.offMeshConnections;
  const bytes = baked.exportDetour();
  baked.free();
  const note = written < connections.length ? `With ${written} of ${counted(connections.length)}: the others start beside the mesh, and Detour's tiles can't hold them.`
    : `With ${counted(written)}.${connections.some(({ enabled }) => !enabled) ? ' Disabled ones have flags 0.' : ''}`;
  return { bytes, note };
}
