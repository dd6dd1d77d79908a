/**
 * Skinned meshes of a glTF file in the pose of its nodes, as three.js draws them before an animation: each vertex is moved by its
 * joints (their world matrices times the inverse bind matrices), and the transform of the mesh's own node doesn't count.
 *
 * As in three.js, a vertex has at most four joints, and its weights are scaled to a sum of 1; without weights the first joint moves it.
 */
import { fileError } from './file-error.js';
import { multiply } from './gltf-matrices.js';

/** @typedef {import('@gltf-transform/core').Node} Node */
/** @typedef {import('@gltf-transform/core').Skin} Skin */
/** @typedef {import('@gltf-transform/core').Accessor} Accessor */
/** @typedef {import('./gltf-matrices.js').Matrix} Matrix */

/** The joints of a file's skins in world space; each joint and each skin is computed once. */
export class Pose {
  /** @type {Map<Node, Matrix>} */
  #worlds = new Map();
  /** @type {Map<Skin, Matrix[]>} */
  #skins = new Map();
  #file;

  /** @param {string} file name */
  constructor(file) {
    this.#file = file;
  }

  /** @param {Node} joint */
  #worldOf(joint) {
    const world = this.#worlds.get(joint) ?? joint.getWorldMatrix();
    this.#worlds.set(joint, world);
    return world;
  }

  /** The matrix of each joint, from the mesh as it was modelled to the world. @param {Skin} skin */
  #jointsOf(skin) {
    const known = this.#skins.get(skin);
    if (known) return known;
    const inverses = skin.getInverseBindMatrices(), joints = skin.listJoints();
    if (inverses && inverses.getCount() < joints.length) {
      throw fileError(this.#file, `is damaged: a skin has ${joints.length} joints and ${inverses.getCount()} inverse bind matrices`);
    }
    const matrices = joints.map((joint, i) => (inverses ? multiply(this.#worldOf(joint), inverses.getElement(i, [])) : this.#worldOf(joint)));
    this.#skins.set(skin, matrices);
    return matrices;
  }

  /**
   * Writes the vertices of a skinned mesh in world coordinates.
   * @param {Skin} skin @param {{ local: ArrayLike<number>, joints: Accessor, weights: Accessor }} shape @param {Float32Array} world
   */
  write(skin, { local, joints, weights }, world) {
    const matrices = this.#jointsOf(skin), count = local.length / 3;
    if (joints.getCount() < count || weights.getCount() < count) throw fileError(this.#file, `is damaged: a skinned mesh has ${count} vertices, and joints or weights for fewer`);
    /** @type {number[]} */
    const names = [0, 0, 0, 0];
    /** @type {number[]} */
    const shares = [0, 0, 0, 0];
    for (let i = 0; i < count; i++) {
      joints.getElement(i, names);
      weights.getElement(i, shares);
      const sum = shares.reduce((total, share) => total + Math.abs(share), 0);
      if (sum === 0) shares[0] = 1;
      const [x, y, z] = [local[3 * i], local[3 * i + 1], local[3 * i + 2]];
      const place = [0, 0, 0];
      for (let k = 0; k < 4; k++) {
        if (shares[k] === 0) continue;
        const m = matrices[names[k]], share = shares[k] / (sum || 1);
        if (!m) throw fileError(this.#file, `is damaged: a vertex has the joint ${names[k]}, and its skin ${matrices.length} joints`);
        for (let axis = 0; axis < 3; axis++) place[axis] += share * (m[axis] * x + m[axis + 4] * y + m[axis + 8] * z + m[axis + 12]);
      }
      world.set(place, 3 * i);
    }
  }
}
