/** The vertices of a SkinnedMesh in the present pose of its bones, as three.js draws them. */
import { Matrix4 } from 'three';
import { sceneError, writeVertices } from './vertex-source.js';

/** @typedef {import('three').SkinnedMesh} SkinnedMesh */
/** @typedef {import('./vertex-source.js').VertexSource} VertexSource */

const IDENTITY = new Matrix4().elements;

/** The matrix of each bone, from the mesh as it was modelled to the world. @param {SkinnedMesh} mesh */
function bonesOf({ skeleton, bindMode, bindMatrix, bindMatrixInverse, matrixWorld }) {
  // A mesh that is attached is where its bones are, whatever its own transform.
  const outer = bindMode === 'detached' ? matrixWorld.clone().multiply(bindMatrixInverse) : new Matrix4();
  return skeleton.bones.map((bone, i) => {
    bone?.updateWorldMatrix(true, false); // as in three.js, a bone that isn't there has no transform
    return outer.clone().multiply(bone?.matrixWorld ?? new Matrix4()).multiply(skeleton.boneInverses[i]).multiply(bindMatrix).elements;
  });
}

/**
 * A source of the same triangles, with its vertices in world coordinates; null if nothing moves them.
 * @param {SkinnedMesh} mesh whose world matrix is up to date @param {VertexSource} source @param {string} name of the mesh, for errors
 * @returns {VertexSource | null}
 */
export function poseSource(mesh, source, name) {
  const { skinIndex, skinWeight } = mesh.geometry.attributes, { count } = source;
  if (!mesh.skeleton || !skinIndex || !skinWeight) return null;
  if (skinIndex.count < count || skinWeight.count < count) throw sceneError(name, `it has ${count} vertices, and bones or weights for fewer`);
  const bones = bonesOf(mesh), array = new Float32Array(3 * count);
  writeVertices(source, 0, count, IDENTITY, array, 0);
  for (let i = 0; i < count; i++) {
    const [x, y, z] = array.subarray(3 * i, 3 * i + 3), place = [0, 0, 0];
    for (let k = 0; k < 4; k++) {
      const weight = skinWeight.getComponent(i, k);
      if (weight === 0) continue;
      const bone = skinIndex.getComponent(i, k), m = bones[bone];
      if (!m) throw sceneError(name, `vertex ${i} has the bone ${bone}, and its skeleton has ${bones.length}`);
      for (let axis = 0; axis < 3; axis++) place[axis] += weight * (m[axis] * x + m[axis + 4] * y + m[axis + 8] * z + m[axis + 12]);
    }
    array.set(place, 3 * i);
  }
  return { ...source, array, stride: 3, offset: 0, divisor: 1 };
}

export { IDENTITY };
