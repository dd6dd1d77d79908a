/** Draws the obstacles of a tile cache. */
import { BoxGeometry, CylinderGeometry, Mesh, MeshBasicMaterial, Object3D } from 'three';

import { requireMaterial, requireObject, requireOne } from '../recast-navigation/arguments.js';
import { TileCache as RecastTileCache } from '../recast-navigation/index.js';

/** @typedef {import('three').Material} Material */
/** @typedef {import('../recast-navigation/tile-cache.js').Obstacle} Obstacle */
/** @typedef {import('../recast-navigation/tile-cache.js').TileCache} TileCache */
/** @typedef {{ obstacleMaterial?: Material }} TileCacheHelperParams */

/** @param {Obstacle} obstacle @param {Material} material */
function drawObstacle(obstacle, material) {
  const { position: { x, y, z } } = obstacle;
  if (obstacle.type === 'box') {
    const { halfExtents, angle } = obstacle;
    const mesh = new Mesh(new BoxGeometry(2 * halfExtents.x, 2 * halfExtents.y, 2 * halfExtents.z), material);
    mesh.position.set(x, y, z);
    mesh.rotation.y = angle;
    return mesh;
  }
  const { radius, height } = obstacle;
  const mesh = new Mesh(new CylinderGeometry(radius, radius, height, 16), material);
  mesh.position.set(x, y + height / 2, z);
  return mesh;
}

/** Call update() after adding or removing obstacles. */
export class TileCacheHelper extends Object3D {
  /** @type {Map<Obstacle, Mesh>} */
  obstacleMeshes = new Map();

  /** @param {TileCache} tileCache @param {TileCacheHelperParams} [params] */
  constructor(tileCache, params = {}) {
    super();
    const { obstacleMaterial } = requireObject(params, 'params');
    requireMaterial(obstacleMaterial, 'obstacleMaterial');
    requireOne(RecastTileCache.isOne(tileCache), tileCache, 'tileCache', 'TileCache');
    this.tileCache = tileCache;
    /** @type {Material} */
    this.obstacleMaterial = obstacleMaterial ?? new MeshBasicMaterial({ color: 'red', wireframe: true });
    this.update();
  }

  /** Draws new obstacles, and removes those that are gone. */
  update() {
    const present = new Set(this.tileCache.obstacles.values());
    for (const [obstacle, mesh] of this.obstacleMeshes) {
      if (present.has(obstacle)) continue;
      mesh.removeFromParent();
      mesh.geometry.dispose();
      this.obstacleMeshes.delete(obstacle);
    }
    for (const obstacle of present) {
      if (this.obstacleMeshes.has(obstacle)) continue;
      const mesh = drawObstacle(obstacle, this.obstacleMaterial);
      this.obstacleMeshes.set(obstacle, mesh);
      this.add(mesh);
    }
  }
}
