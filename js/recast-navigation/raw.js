/** Raw of recast-navigation: its module's own classes. Walkmesh has none of them; a few have a stand-in that examples need. */
import { FloatArray, IntArray, UnsignedCharArray, UnsignedIntArray, UnsignedShortArray } from './arrays.js';
import { missing, replacements } from './missing.js';

/** A point of the module. */
class Vec3 {
  /** @param {number} [x] @param {number} [y] @param {number} [z] */
  constructor(x = 0, y = 0, z = 0) {
    this.x = x;
    this.y = y;
    this.z = z;
  }
}

/** Allocator and compressor of a tile cache, which needs neither here. */
export class RecastLinearAllocator {}
export class RecastFastLZCompressor {}

/** @type {Record<string, any>} */
const present = {
  /** @param {unknown} object */
  isNull: (object) => object === null || object === undefined,
  /** @param {any} object freed if it can be */
  destroy: (object) => object?.destroy?.(),
  Vec3, RecastLinearAllocator, RecastFastLZCompressor, IntArray, UnsignedIntArray, UnsignedCharArray, UnsignedShortArray, FloatArray,
};

const INSTEAD = Object.freeze({
  Module: 'the exports of walkmesh', Recast: 'createBaker of walkmesh', Detour: 'navMesh.raw', DetourNavMeshBuilder: 'walkmesh.bake',
  DetourTileCacheBuilder: 'generateTileCache', NavMeshImporter: 'importNavMesh', NavMeshExporter: 'exportNavMesh', CrowdUtils: 'crowd.raw',
  ChunkyTriMeshUtils: 'walkmesh.bake', RecastDebugDraw: 'the helpers of walkmesh/three', DetourDebugDraw: 'the helpers of walkmesh/three',
  rcConfig: 'a configuration object', rcContext: 'the report of walkmesh.bake', dtNavMeshParams: 'generateTiledNavMesh',
  dtNavMeshCreateParams: 'generateSoloNavMesh', rcChunkyTriMesh: 'walkmesh.bake', dtTileCacheParams: 'generateTileCache',
  dtTileCacheLayerHeader: 'generateTileCache', BoolRef: 'results of functions', IntRef: 'results of functions',
  UnsignedIntRef: 'results of functions', UnsignedCharRef: 'results of functions', UnsignedShortRef: 'results of functions',
  FloatRef: 'results of functions',
});
for (const [name, instead] of Object.entries(INSTEAD)) {
  replacements.set(`Raw.${name}`, instead);
  Object.defineProperty(present, name, {
    enumerable: true, get() {
      throw missing(`Raw.${name}`);
    },
  });
}

/** Reading a name that Walkmesh doesn't have throws. */
export const Raw = Object.freeze(present);
