/**
 * What the tool stores in exported meshes besides their tiles (navMesh.userData): the name and hash of the level, the area volumes,
 * and the area types. So a mesh that is opened again names its level, and loses nothing that was drawn.
 */
import { ITEM_CHECKS, isAreaTable } from '../edit/check-items.js';
import { isImport } from '../level/import-settings.js';

/** @typedef {import('../state/document.js').Document} Document */
/**
 * @typedef {object} MeshData
 * @property {Document['level'] & { hash?: string }} level hash: of its triangles
 * @property {Document['volumes']} volumes
 * @property {Document['areas']} areas
 */

/** Writes the data into the mesh, for save(). @param {import('../app.js').App} app */
export function writeMeshData({ bakes, levels, store }) {
  const { current } = bakes;
  if (!current) return;
  const { level, volumes, areas } = bakes.document ?? store.state.document;
  // A mesh that was opened and not baked again is of the level that its file names.
  const named = current.level === undefined ? { ...level, hash: levels.current?.hash } : current.level ?? undefined;
  current.navMesh.userData = { ...current.navMesh.userData, levelTool: { level: named, volumes, areas } };
}

/** Reads it. Parts of a wrong form are left out. @param {import('walkmesh').NavMesh} navMesh @returns {Partial<MeshData>} */
export function readMeshData(navMesh) {
  const given = navMesh.userData?.levelTool;
  if (typeof given !== 'object' || given === null) return {};
  const { level, volumes, areas } = given;
  /** @type {Partial<MeshData>} */
  const data = {};
  if (['scene', 'file'].includes(level?.kind) && [level.name, level.key ?? '', level.hash ?? ''].every((text) => typeof text === 'string')
    && (level.import === undefined || isImport(level.import))) data.level = level;
  const ids = Array.isArray(volumes) ? volumes.map((volume) => volume?.id) : [];
  if (Array.isArray(volumes) && new Set(ids).size === ids.length && volumes.every(ITEM_CHECKS.volumes)) data.volumes = volumes;
  if (isAreaTable(areas)) data.areas = areas;
  return data;
}
