/** A level with the obstacles of its dynamic mesh. */
import { withParts } from './geometry.js';

/** @typedef {import('./geometry.js').AreaVolume} AreaVolume */
/** @typedef {import('./geometry.js').Geometry} Geometry */
/** @typedef {Pick<import('../dynamic/dynamic-nav-mesh.js').DynamicNavMesh, 'obstacles' | 'obstacle'>} Dynamic */

/** The obstacles that carve now, as volumes of a bake. @param {Dynamic} dynamic @returns {{ handle: number, volume: AreaVolume }[]} in the order of their addition */
export const carvedVolumes = (dynamic) => Array.from(dynamic.obstacles()).flatMap((handle) => {
  const { isCarving, carving: _, moveThreshold: __, timeToRest: ___, ...volume } = dynamic.obstacle(handle);
  return isCarving ? [{ handle, volume: /** @type {AreaVolume} */ (volume) }] : [];
});

/** A level with volumes after its own. @param {Geometry} geometry @param {readonly AreaVolume[]} volumes @returns {Geometry} */
export const withVolumes = (geometry, volumes) => withParts(geometry, { volumes: [...geometry.volumes ?? [], ...volumes] });
