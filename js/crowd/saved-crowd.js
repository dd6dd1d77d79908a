/** Crowds as bytes, and back. The format is in docs/formats.md. */
import { requireBytes } from '../runtime/bytes.js';
import { describe, invalidArgument } from '../runtime/errors.js';
import { NAV_MESH } from '../runtime/handle-kinds.js';
import { lookUp } from '../runtime/handle.js';
import { WmSavedCrowdInfo } from '../runtime/layout.js';

/** @typedef {import('../query/mesh-base.js').NavMeshBase} NavMeshBase */
/** @typedef {import('../runtime/session.js').Session} Session */

/** The arguments of loadCrowd, checked. @typedef {{ bytes: Uint8Array, meshes: NavMeshBase[] }} SavedCrowd meshes: all, in the order of types */

/**
 * The contents of a saved crowd, as numbers.
 * @typedef {object} CrowdFileInfo
 * @property {number} agentCount
 * @property {number} meshCount the meshes that loadCrowd needs
 * @property {number} obstacleCount moving obstacles
 * @property {number} filterCount filters that were set
 * @property {number} steps that the crowd had made
 */

/** Checks the arguments of loadCrowd. @param {NavMeshBase} mesh @param {unknown} bytes @param {unknown} others @returns {SavedCrowd} */
export function readSavedCrowd(mesh, bytes, others) {
  if (!Array.isArray(others)) throw invalidArgument('meshes', `must be an array of navigation meshes, not ${describe(others)}`, others);
  const meshes = [mesh, ...others];
  // Last: reading the list may run code of the caller, which may transfer the buffer of the bytes.
  const array = requireBytes(bytes);
  for (const one of meshes) {
    lookUp(one, NAV_MESH);
    if (one.session !== mesh.session) throw invalidArgument('meshes', 'has a mesh of another instance of the module', one);
  }
  return { bytes: array, meshes };
}

/** Loads a crowd; its address is then in the answer. @param {Session} session @param {SavedCrowd} saved */
export function loadSavedCrowd(session, { bytes, meshes }) {
  session.withCopy(bytes, (copy) => {
    const list = session.reserve(4 * meshes.length);
    meshes.forEach((mesh, i) => {
      session.u32[(list >>> 2) + i] = lookUp(mesh, NAV_MESH);
    });
    return session.wasm.crowd_load(session.handle, copy, bytes.length, list, meshes.length);
  });
}

/** @param {Session} session @param {Uint8Array} bytes @returns {CrowdFileInfo} */
export function readCrowdInfo(session, bytes) {
  session.withCopy(bytes, (copy) => session.wasm.crowd_file_info(session.handle, copy, bytes.length));
  const { u32, answer } = session;
  const stepsAt = answer + WmSavedCrowdInfo.steps;
  return {
    agentCount: u32[answer + WmSavedCrowdInfo.agentCount],
    meshCount: u32[answer + WmSavedCrowdInfo.meshCount],
    obstacleCount: u32[answer + WmSavedCrowdInfo.obstacleCount],
    filterCount: u32[answer + WmSavedCrowdInfo.filterCount],
    steps: u32[stepsAt] + 4294967296 * u32[stepsAt + 1],
  };
}
