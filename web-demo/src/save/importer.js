/** Opens navigation meshes and configurations, dropped or picked: files of this tool and of others. */
import { areasOf } from '../edit/areas.js';
import { checkConfig } from '../state/validate.js';
import { defaultToolConfig } from '../state/document.js';
import { parseConfiguration } from './configuration.js';
import { levelHolds } from './matches-level.js';
import { objOf } from './obj-file.js';
import { MESH_ENDINGS, openMesh } from './open-mesh.js';
import { readItems } from './items-in-mesh.js';

/** @typedef {import('../app.js').App} App */
/** @typedef {import('./open-mesh.js').OpenedMesh} OpenedMesh */

const CONFIG_ENDINGS = ['.json'];

/** @param {string} name @param {readonly string[]} endings */
const endsWith = (name, endings) => endings.some((ending) => name.toLowerCase().endsWith(ending));

/** @param {App} app @param {File} file */
async function openConfiguration(app, file) {
  const config = parseConfiguration(await file.text(), file.name, defaultToolConfig());
  app.store.edit(`open ${file.name}`, (draft) => { draft.config = config; });
  app.notices.info(`Configuration loaded from ${file.name}`, app.store.state.view.autoBake ? '' : 'Bake to apply it.');
}

/** Cancels a bake that runs or waits, and waits for its end. @param {App} app */
async function endBake({ bakes, store }) {
  // Store listeners start a bake in the next microtask after an edit.
  await Promise.resolve();
  bakes.cancel();
  if (store.state.session.bake.state !== 'running') return;
  await new Promise((resolve) => {
    const end = store.subscribe(({ session }) => {
      if (session.bake.state === 'running') return;
      end();
      resolve(undefined);
    });
  });
}

/** Replaces the level by the mesh's surface if the mesh lies outside the open level. @param {App} app @param {OpenedMesh} opened @param {string} stem */
async function openSurface({ levels }, { navMesh }, stem) {
  if (navMesh.totals.polygons === 0 || (levels.current && levelHolds(levels.current.bounds, navMesh))) return false;
  await levels.openFiles([new File([objOf(navMesh, { name: stem })], `${stem}.surface.obj`)]);
  return true;
}

/** Largest difference of equal bounds after rounding, world units. */
const SAME = 1e-3;

/**
 * The configuration of a mesh's bake, without bounds that equal the level's, which are the default.
 * @param {App} app @param {import('walkmesh').Config} config
 */
function configOf({ levels }, config) {
  const { bounds, ...rest } = checkConfig({ ...defaultToolConfig(), ...config });
  const { min, max } = levels.current?.bounds ?? {};
  const isLevels = bounds && min && max && min.toArray().every((value, i) => Math.abs(value - bounds.min[i]) < SAME)
    && max.toArray().every((value, i) => Math.abs(value - bounds.max[i]) < SAME);
  return bounds && !isLevels ? { ...rest, bounds } : rest;
}

/** @param {App} app @param {File} file */
async function openMeshFile(app, file) {
  const opened = openMesh(app.walkmesh, new Uint8Array(await file.arrayBuffer()), file.name);
  const { navMesh, dynamic, label, frozen } = opened;
  const isAlone = await openSurface(app, opened, file.name.replace(/\.\w+$/, ''));
  const { closedAreas, ...placed } = readItems(navMesh, dynamic);
  const config = navMesh.config ? configOf(app, navMesh.config) : app.store.state.document.config;
  app.store.edit(`open ${file.name}`, (draft) => {
    Object.assign(draft, placed, { config });
    draft.areas = areasOf(draft).map((area) => ({ ...area, walkable: !closedAreas.includes(area.id) }));
  });
  await endBake(app);
  app.bakes.replace({ navMesh, dynamic, report: /** @type {any} */ (null), config });
  const { bake } = app.store.state.session;
  app.store.setSession({ bake: { ...bake, state: 'done', report: null, error: null } });
  const { polygons, tiles } = navMesh.totals;
  const words = [`${label[0].toUpperCase()}${label.slice(1)}: ${polygons.toLocaleString('en')} polygons in ${tiles.toLocaleString('en')} tile${tiles === 1 ? '' : 's'}.`];
  if (isAlone) words.push("The mesh doesn't match the open level: its surface replaces the level.");
  if (frozen) words.push(`Obstacles are unavailable: ${frozen}.`);
  app.notices.info(`Opened ${file.name}`, words.join(' '));
}

/** @param {App} app */
export function addImporter(app) {
  app.levels.addImporter({
    endings: [...MESH_ENDINGS, ...CONFIG_ENDINGS],
    // A .bin file next to a .gltf file belongs to it.
    accepts: (files) => files.length > 0 && files.every(({ name }) => endsWith(name, [...MESH_ENDINGS, ...CONFIG_ENDINGS])),
    open: async (files) => {
      for (const file of files) await (endsWith(file.name, CONFIG_ENDINGS) ? openConfiguration(app, file) : openMeshFile(app, file));
    },
  });
}
