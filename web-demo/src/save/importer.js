/** Opens navigation meshes and configurations, dropped or picked: files of this tool and of others. */
import { areasOf } from '../edit/areas.js';
import { fromLinkConfig } from '../links/kinds.js';
import { countWork, nameWork } from '../project/work.js';
import { checkConfig } from '../state/validate.js';
import { defaultToolConfig } from '../state/document.js';
import { tellUndoable } from '../ui/notices.js';
import { parseConfiguration } from './configuration.js';
import { levelHolds } from './matches-level.js';
import { readMeshData } from './mesh-data.js';
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
  const opened = parseConfiguration(await file.text(), file.name, defaultToolConfig());
  app.store.edit(`open ${file.name}`, (draft) => { Object.assign(draft, opened); }, { isStep: true });
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

/** Largest difference of equal bounds after rounding, world units. */
const SAME = 1e-3;

/** True if the bounds of a bake are those of the open level. @param {App} app @param {{ min: ArrayLike<number>, max: ArrayLike<number> }} bounds */
function areLevels({ levels }, bounds) {
  const { min, max } = levels.current?.bounds ?? {};
  return Boolean(min && max && min.toArray().every((value, i) => Math.abs(value - bounds.min[i]) < SAME)
    && max.toArray().every((value, i) => Math.abs(value - bounds.max[i]) < SAME));
}

/**
 * The configuration of a mesh's bake, without its links. Bounds that equal the level's are the default; those of another level are left out.
 * @param {App} app @param {import('walkmesh').Config} config @param {boolean} isSameLevel
 */
function configOf(app, config, isSameLevel) {
  const { bounds, ...rest } = checkConfig({ ...defaultToolConfig(), ...config });
  return isSameLevel && bounds && !areLevels(app, bounds) ? { ...rest, bounds } : rest;
}

/** True if a mesh is of the open level: by its hash, or else by where it lies. @param {App} app @param {OpenedMesh} opened @param {Partial<import('./mesh-data.js').MeshData>} data */
function isOfLevel(app, { navMesh }, { level }) {
  const { current } = app.levels;
  if (!current) return false;
  if (level?.hash && current.hash) return level.hash === current.hash;
  if (navMesh.totals.polygons === 0) return true;
  if (!levelHolds(current.bounds, navMesh)) return false;
  // It lies inside: only bounds tell whether in a corner of another level.
  const { bounds } = navMesh.config ?? {};
  return bounds ? areLevels(app, /** @type {any} */ (bounds)) : spansLevel(current.bounds, navMesh);
}

/** The least part of the level's sides that a mesh of the level spans. */
const SPAN = 0.5;

/** @param {import('three').Box3} bounds @param {import('walkmesh').NavMesh} navMesh */
function spansLevel({ min, max }, { totals: { boundsMin, boundsMax } }) {
  return boundsMax[0] - boundsMin[0] >= SPAN * (max.x - min.x) && boundsMax[2] - boundsMin[2] >= SPAN * (max.z - min.z);
}

/**
 * Asks what to do with a mesh of another level, and does it.
 * @param {App} app @param {OpenedMesh} opened @param {Partial<import('./mesh-data.js').MeshData>} data @param {string} file
 * @returns {Promise<'level' | 'surface' | 'here' | null>} null: cancelled
 */
async function chooseLevelFor(app, { navMesh }, { level }, file) {
  const { levels, questions } = app;
  const isFound = level !== undefined && await levels.canOpen(level);
  const isSameName = level !== undefined && levels.current !== null && levels.label(level) === levels.current.name;
  const answers = {
    level: { id: /** @type {const} */ ('level'), label: `Open ${isSameName ? 'the old ' : ''}${level ? levels.label(level) : ''} with it`, hint: isSameName ? 'Mesh and level match. Undo brings the new level back.' : undefined },
    here: { id: /** @type {const} */ ('here'), label: `Open it in ${isSameName ? 'the new ' : ''}${levels.current?.name}`, hint: isSameName ? 'The mesh is of the old level until the next bake.' : "The next bake keeps this level's bounds." },
    surface: { id: /** @type {const} */ ('surface'), label: 'Show its surface as the level' },
  };
  const answer = await questions.ask({
    ...(isSameName ? { title: `${levels.current?.name} has changed`, text: `${file} was made from the old ${levels.current?.name}; the new one is open.` }
      : { title: 'Mesh of another level', text: `${file} was made from ${level ? levels.label(level) : 'another level'}, not from ${levels.current?.name ?? 'an open level'}.` }),
    answers: [
      ...(isFound ? [answers.level] : []), ...(isSameName ? [answers.here] : []), ...(navMesh.totals.polygons > 0 ? [answers.surface] : []),
      ...(levels.current && !isSameName ? [answers.here] : []),
    ],
  });
  if (answer === 'level' && level) {
    const { hash, ...name } = level;
    await levels.open(name);
    if (hash && levels.current?.hash && hash !== levels.current.hash) app.notices.warn(`${levels.label(level)} has changed`, 'Its triangles are not those of the mesh. Bake again.');
  } else if (answer === 'surface') {
    const stem = file.replace(/\.\w+$/, '');
    await levels.openFiles([new File([objOf(navMesh, { name: stem })], `${stem}.surface.obj`)]);
  }
  return answer;
}

/** @param {App} app @param {File} file */
async function openMeshFile(app, file) {
  const { store, bakes } = app;
  const opened = openMesh(app.walkmesh, new Uint8Array(await file.arrayBuffer()), file.name);
  const { navMesh, dynamic } = opened;
  const data = readMeshData(navMesh);
  const choice = isOfLevel(app, opened, data) ? 'same' : await chooseLevelFor(app, opened, data, file.name);
  if (choice === null) {
    navMesh.free();
    return;
  }
  const { closedAreas, ...placed } = readItems(navMesh, dynamic);
  const config = navMesh.config ? configOf(app, navMesh.config, choice === 'same' || choice === 'level') : store.state.document.config;
  const before = store.state.document;
  store.commit();
  store.edit(`open ${file.name}`, (draft) => {
    Object.assign(draft, placed, { config, links: fromLinkConfig(navMesh.config?.links, config) }, data.volumes && { volumes: data.volumes });
    draft.areas = (data.areas ?? areasOf(draft)).map((area) => ({ ...area, walkable: !closedAreas.includes(area.id) }));
  }, { isStep: true });
  store.commit();
  await endBake(app);
  bakes.replace({ navMesh, dynamic, report: /** @type {any} */ (null), config, level: data.level ?? null });
  store.setSession({ bake: { ...store.state.session.bake, state: 'done', report: null, error: null } });
  tellOpened(app, file.name, opened, { choice, config, before });
}

/**
 * @param {App} app @param {string} file @param {OpenedMesh} opened
 * @param {{ choice: string, config: import('walkmesh').Config, before: import('../state/document.js').Document }} how
 */
function tellOpened(app, file, { navMesh, label, frozen }, { choice, config, before }) {
  const { polygons, tiles } = navMesh.totals;
  const words = [`${label[0].toUpperCase()}${label.slice(1)}: ${polygons.toLocaleString('en')} polygons in ${tiles.toLocaleString('en')} tile${tiles === 1 ? '' : 's'}.`];
  if (choice === 'surface') words.push("The mesh doesn't match the open level: its surface replaces the level.");
  if (config.bounds) words.push('Its bake bounds are part of the level: see Limit bake bounds.');
  if (frozen) words.push(`Obstacles are unavailable: ${frozen}.`);
  const replaced = (choice === 'same' || choice === 'here') && countWork(before) > 0 && app.store.state.document !== before;
  if (replaced) words.push(`Undo brings ${nameWork(before)} back.`);
  if (replaced) tellUndoable(app, `Opened ${file}`, words.join(' '));
  else app.notices.info(`Opened ${file}`, words.join(' '));
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
