/** Draws the agents of a crowd as capsules. */
import { CapsuleGeometry, Mesh, MeshBasicMaterial, Object3D } from 'three';

import { requireMaterial, requireObject, requireOne } from '../recast-navigation/arguments.js';
import { Crowd as RecastCrowd } from '../recast-navigation/index.js';

/** @typedef {import('three').Material} Material */
/** @typedef {import('../recast-navigation/crowd.js').Crowd} Crowd */
/** @typedef {import('../recast-navigation/crowd.js').CrowdAgent} CrowdAgent */
/** @typedef {{ agentMaterial?: Material }} CrowdHelperParams */

/** A capsule of the agent's size, standing on its origin. @param {CrowdAgent} agent */
function makeShape({ radius, height }) {
  return new CapsuleGeometry(radius, Math.max(0, height - 2 * radius), 4, 8).translate(0, height / 2, 0);
}

/** Call update() after an update of the crowd. */
export class CrowdHelper extends Object3D {
  /** By agentIndex. @type {Map<number, Mesh>} */
  agentMeshes = new Map();

  /** @param {Crowd} crowd @param {CrowdHelperParams} [params] */
  constructor(crowd, params = {}) {
    super();
    const { agentMaterial } = requireObject(params, 'params');
    requireMaterial(agentMaterial, 'agentMaterial');
    requireOne(RecastCrowd.isOne(crowd), crowd, 'crowd', 'Crowd');
    this.recastCrowd = crowd;
    /** @type {Material} */
    this.agentMaterial = agentMaterial ?? new MeshBasicMaterial({ color: 'red' });
    this.update();
  }

  /** Moves the agents, draws new ones, and removes those that are gone. */
  update() {
    for (const [index, mesh] of this.agentMeshes) {
      if (this.recastCrowd.getAgent(index)) continue;
      mesh.removeFromParent();
      mesh.geometry.dispose();
      this.agentMeshes.delete(index);
    }
    for (const agent of this.recastCrowd.getAgents()) this.#drawAgent(agent);
  }

  /** @param {CrowdAgent} agent */
  #drawAgent(agent) {
    const { agentIndex, radius, height, interpolatedPosition } = agent;
    let mesh = this.agentMeshes.get(agentIndex);
    if (!mesh) {
      mesh = new Mesh(makeShape(agent), this.agentMaterial);
      this.agentMeshes.set(agentIndex, mesh);
      this.add(mesh);
    } else if (mesh.userData.radius !== radius || mesh.userData.height !== height) {
      mesh.geometry.dispose();
      mesh.geometry = makeShape(agent);
    }
    mesh.userData = { radius, height };
    const { x, y, z } = interpolatedPosition;
    mesh.position.set(x, y, z);
  }
}
