/** Bakes with the arguments and results of recast-navigation's generators. */
import { requireNumbers } from '../runtime/arguments.js';
import { NavError, describe, invalidArgument } from '../runtime/errors.js';
import { requireNumber, requireObject, requireVector } from './arguments.js';
import { toConfig } from './config.js';
import { getWalkmesh } from './instance.js';
import { NavMesh, listPolygons } from './nav-mesh.js';

/** @typedef {import('./config.js').GeneratorConfig} GeneratorConfig */
/** @typedef {import('../index.js').BakeReport} BakeReport */

/**
 * Walkmesh's report instead of arrays; `createBaker` of walkmesh gives access to those.
 * @template {'solo' | 'tiled' | 'tilecache'} Type
 * @typedef {{ type: Type, report: BakeReport | undefined }} Intermediates
 */

/**
 * @template {'solo' | 'tiled'} Type
 * @typedef {{ success: true, navMesh: NavMesh, intermediates: Intermediates<Type> & { report: BakeReport } }
 *   | { success: false, navMesh: undefined, error: string, intermediates: Intermediates<Type> }} GeneratorResult
 */

/** Areas of unmarked walkable surface: 63 in a bake, 0 in meshes of recast-navigation. */
const [WALKABLE_AREA, UNMARKED_AREA] = [63, 0];

/** Converts connections to those of a geometry. @param {GeneratorConfig['offMeshConnections']} connections */
export function toConnections(connections = []) {
  if (!Array.isArray(connections)) throw invalidArgument('offMeshConnections', `must be an array, not ${describe(connections)}`, connections);
  return Array.from(connections, (connection, i) => {
    const { startPosition, endPosition, ...rest } = requireObject(connection, `offMeshConnections[${i}]`);
    const [start, end] = Object.entries({ startPosition, endPosition }).map(([name, value]) => requireVector(value, `offMeshConnections[${i}].${name}`));
    return { ...rest, start: [start.x, start.y, start.z], end: [end.x, end.y, end.z] };
  });
}

/** Numbers of other types are converted, as in recast-navigation. @param {ArrayLike<number>} given */
function toIndices(given) {
  const indices = requireNumbers(given, 'indices');
  return indices instanceof Uint16Array || indices instanceof Uint32Array ? indices : Uint32Array.from(indices);
}

/**
 * Converts a level to a geometry of Walkmesh.
 * @param {ArrayLike<number>} positions @param {ArrayLike<number>} indices @param {GeneratorConfig['offMeshConnections']} connections
 * @returns {import('../input/geometry.js').Geometry}
 */
export function listInput(positions, indices, connections) {
  return {
    positions: requireNumbers(positions, 'positions'), indices: toIndices(indices),
    offMeshConnections: /** @type {any} */ (toConnections(connections)),
  };
}

/**
 * @template {'solo' | 'tiled'} Type
 * @param {Type} type @param {ArrayLike<number>} positions @param {ArrayLike<number>} indices
 * @param {Partial<GeneratorConfig>} config
 * @returns {GeneratorResult<Type>}
 */
function generate(type, positions, indices, config) {
  const walkmesh = getWalkmesh();
  try {
    const { offMeshConnections, ...given } = requireObject(config, 'navMeshGeneratorConfig');
    const { navMesh, report } = walkmesh.bake(listInput(positions, indices, offMeshConnections), toConfig(given, type === 'tiled'));
    if (type === 'solo' && report.counts.polygons === 0) {
      navMesh.free();
      const error = ['the mesh has no polygons', ...report.warnings].join('; ');
      return { success: false, navMesh: undefined, error, intermediates: { type, report } };
    }
    for (const ref of listPolygons(navMesh)) {
      if (navMesh.polygonArea(ref) === WALKABLE_AREA) navMesh.setPolygonArea(ref, UNMARKED_AREA);
    }
    return { success: true, navMesh: new NavMesh(navMesh), intermediates: { type, report } };
  } catch (error) {
    if (!(error instanceof NavError) || error.code === 'unsupported') throw error;
    return { success: false, navMesh: undefined, error: error.message, intermediates: { type, report: undefined } };
  }
}

/**
 * Bakes a mesh of a single tile.
 * @param {ArrayLike<number>} positions x, y, z of each vertex
 * @param {ArrayLike<number>} indices three per triangle, counter-clockwise seen from above
 * @param {Partial<GeneratorConfig>} [navMeshGeneratorConfig] lengths in cells, as in recast-navigation
 * @param {boolean} [_keepIntermediates] ignored
 * @returns {GeneratorResult<'solo'>}
 */
export function generateSoloNavMesh(positions, indices, navMeshGeneratorConfig = {}, _keepIntermediates = false) {
  return generate('solo', positions, indices, navMeshGeneratorConfig);
}

/**
 * Bakes a mesh of tiles with sides of `tileSize` cells.
 * @param {ArrayLike<number>} positions @param {ArrayLike<number>} indices
 * @param {Partial<GeneratorConfig>} [navMeshGeneratorConfig] @param {boolean} [_keepIntermediates] ignored
 * @returns {GeneratorResult<'tiled'>}
 */
export function generateTiledNavMesh(positions, indices, navMeshGeneratorConfig = {}, _keepIntermediates = false) {
  return generate('tiled', positions, indices, navMeshGeneratorConfig);
}

/**
 * The bounds of all vertices that triangles use.
 * @param {ArrayLike<number>} positions @param {ArrayLike<number>} indices
 * @returns {{ bbMin: import('./config.js').Vector3Tuple, bbMax: import('./config.js').Vector3Tuple }}
 */
export function getBoundingBox(positions, indices) {
  const [vertices, corners] = [requireNumbers(positions, 'positions'), requireNumbers(indices, 'indices')];
  /** @type {import('./config.js').Vector3Tuple} */
  const bbMin = [Infinity, Infinity, Infinity], bbMax = /** @type {typeof bbMin} */ ([-Infinity, -Infinity, -Infinity]);
  for (let i = 0; i < corners.length; i++) {
    for (let axis = 0; axis < 3; axis++) {
      const value = vertices[3 * corners[i] + axis];
      bbMin[axis] = Math.min(bbMin[axis], value);
      bbMax[axis] = Math.max(bbMax[axis], value);
    }
  }
  return { bbMin, bbMax };
}

/** The logarithm to base 2, rounded down. @param {number} v @returns {number} */
export const dtIlog2 = (v) => Math.max(0, 31 - Math.clz32(requireNumber(v, 'v')));
/** The smallest power of 2 that is not below v. @param {number} v @returns {number} */
export const dtNextPow2 = (v) => (requireNumber(v, 'v') > 0 ? 2 ** (32 - Math.clz32(v - 1)) : 0);

/**
 * Joins several meshes into one.
 * @param {{ positions: ArrayLike<number>, indices: ArrayLike<number> }[]} meshes
 * @returns {[positions: Float32Array, indices: Uint32Array]}
 */
export function mergePositionsAndIndices(meshes) {
  if (!Array.isArray(meshes)) throw invalidArgument('meshes', `must be an array, not ${describe(meshes)}`, meshes);
  const parts = Array.from(meshes, (mesh, i) => {
    const { positions, indices } = requireObject(mesh, `meshes[${i}]`);
    return { positions: requireNumbers(positions, `meshes[${i}].positions`), indices: requireNumbers(indices, `meshes[${i}].indices`) };
  });
  const sum = (/** @type {'positions' | 'indices'} */ name) => parts.reduce((total, part) => total + part[name].length, 0);
  const positions = new Float32Array(sum('positions'));
  const indices = new Uint32Array(sum('indices'));
  let [vertexAt, indexAt] = [0, 0];
  for (const mesh of parts) {
    positions.set(mesh.positions, 3 * vertexAt);
    for (let i = 0; i < mesh.indices.length; i++) indices[indexAt++] = mesh.indices[i] + vertexAt;
    vertexAt += mesh.positions.length / 3;
  }
  return [positions, indices];
}
