/** Functions of recast-navigation that this entry doesn't have: each throws when it is called, and names a replacement. */
import { NavError } from '../runtime/errors.js';

/** @param {string} name @param {string} instead @returns {NavError} */
function missing(name, instead) {
  const advice = instead ? `: use ${instead}` : '';
  return new NavError('unsupported', `walkmesh/recast-navigation has no ${name}${advice} (see docs/migration.md)`, { field: name });
}

/**
 * Adds methods that throw to a class.
 * @param {{ name: string, prototype: any }} type @param {Record<string, string>} names method -> its replacement
 */
export function addMissing(type, names) {
  for (const [name, instead] of Object.entries(names)) {
    type.prototype[name] = () => {
      throw missing(`${type.name}.${name}`, instead);
    };
  }
}

/** Returns a function or class that throws when it is called. @param {string} name @param {string} [instead] @returns {any} */
function missingCall(name, instead = '') {
  return function notThere() {
    throw missing(name, instead);
  };
}

const STAGES = 'createBaker of walkmesh to bake stage by stage';

export const createNavMeshData = missingCall('createNavMeshData', STAGES);
export const createRcConfig = missingCall('createRcConfig', STAGES);
export const generateSoloNavMeshData = missingCall('generateSoloNavMeshData', STAGES);
export const generateTileNavMeshData = missingCall('generateTileNavMeshData', STAGES);
export const NavMeshHelper = missingCall('NavMeshHelper', 'walkmesh/three');
export const DebugDrawer = missingCall('DebugDrawer', 'walkmesh/three');
