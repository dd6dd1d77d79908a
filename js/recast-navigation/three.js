/**
 * Meshes of three.js for the generators. Imports nothing of three.js: reads a geometry's positions and index, and the mesh's world
 * matrix. `walkmesh/three` reads more: instances, batches, quantised attributes, areas.
 */
import { readForeign } from '../runtime/foreign.js';
import { NavError } from '../runtime/errors.js';
import { generateSoloNavMesh, generateTiledNavMesh, mergePositionsAndIndices } from './generators.js';
import { generateTileCache } from './tile-cache.js';

/** @typedef {{ count: number, getX(i: number): number, getY(i: number): number, getZ(i: number): number }} Attribute */

/**
 * The part of a THREE.Mesh that is read.
 * @typedef {object} MeshLike
 * @property {{ attributes: any, index: { count: number, getX(i: number): number } | null }} geometry
 * @property {{ elements: ArrayLike<number> }} matrixWorld
 * @property {() => void} updateMatrixWorld
 */

/** The number of vertices or indices; an attribute of three.js has as many numbers. @param {any} attribute @param {number} size numbers of each */
function countOf(attribute, size) {
  const { count } = attribute, room = attribute.array?.length ?? Infinity;
  if (Number.isSafeInteger(count) && count >= 0 && size * count <= room) return count;
  throw new NavError('geometry', `meshes: an attribute has the count ${String(count)}, and ${room} numbers`, { field: 'meshes' });
}

/** @param {MeshLike} mesh */
function readMesh(mesh) {
  mesh.updateMatrixWorld();
  const { elements: m } = mesh.matrixWorld;
  /** @type {Attribute} */
  const position = mesh.geometry.attributes.position;
  const { index } = mesh.geometry;
  const [count, corners] = [countOf(position, 3), index ? countOf(index, 1) : undefined];
  const positions = new Float32Array(3 * count);
  for (let i = 0; i < count; i++) {
    const [x, y, z] = [position.getX(i), position.getY(i), position.getZ(i)];
    for (let axis = 0; axis < 3; axis++) {
      positions[3 * i + axis] = m[axis] * x + m[4 + axis] * y + m[8 + axis] * z + m[12 + axis];
    }
  }
  const indices = Uint32Array.from({ length: corners ?? count }, (_, i) => (index ? index.getX(i) : i));
  return { positions, indices };
}

/** @param {Iterable<MeshLike>} meshes @returns {[positions: Float32Array, indices: Uint32Array]} in world space */
export function getPositionsAndIndices(meshes) {
  return mergePositionsAndIndices(readForeign('meshes', () => Array.from(meshes, readMesh)));
}

/**
 * @param {Iterable<MeshLike>} meshes @param {Partial<import('./config.js').GeneratorConfig>} [navMeshGeneratorConfig]
 * @param {boolean} [keepIntermediates] ignored
 */
export function threeToSoloNavMesh(meshes, navMeshGeneratorConfig = {}, keepIntermediates = false) {
  return generateSoloNavMesh(...getPositionsAndIndices(meshes), navMeshGeneratorConfig, keepIntermediates);
}

/**
 * @param {Iterable<MeshLike>} meshes @param {Partial<import('./config.js').GeneratorConfig>} [navMeshGeneratorConfig]
 * @param {boolean} [keepIntermediates] ignored
 */
export function threeToTiledNavMesh(meshes, navMeshGeneratorConfig = {}, keepIntermediates = false) {
  return generateTiledNavMesh(...getPositionsAndIndices(meshes), navMeshGeneratorConfig, keepIntermediates);
}

/**
 * @param {Iterable<MeshLike>} meshes @param {import('./tile-cache.js').TileCacheGeneratorConfig} [navMeshGeneratorConfig]
 * @param {boolean} [keepIntermediates] ignored
 */
export function threeToTileCache(meshes, navMeshGeneratorConfig = {}, keepIntermediates = false) {
  return generateTileCache(...getPositionsAndIndices(meshes), navMeshGeneratorConfig, keepIntermediates);
}
