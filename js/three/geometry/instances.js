/**
 * One shape drawn many times. The buffers grow by half when they are full and are reused otherwise. The GPU holds only a shape, a
 * material and, if it should be seen through walls, a ghost material.
 */
import { DynamicDrawUsage, InstancedBufferAttribute, InstancedMesh, Sphere, Vector3 } from 'three';

/** @typedef {import('three').BufferGeometry} BufferGeometry */
/** @typedef {import('three').Color} Color */
/** @typedef {import('three').Material} Material */
/** @typedef {import('../helper.js').Helper} Helper */

export class Instances {
  /** [count][16] column by column: write, then call finish(). */
  matrices = new Float32Array(0);
  /** [count][3] red, green, blue, linear. */
  colors = new Float32Array(0);
  count = 0;
  #helper;
  #geometry;
  #materials;
  /** @type {InstancedMesh[]} */
  #meshes = [];
  #room = 0;

  /**
   * @param {Helper} helper shows and disposes of them
   * @param {BufferGeometry} geometry
   * @param {{ material: Material, order: number }[]} materials each draws all instances
   */
  constructor(helper, geometry, materials) {
    this.#helper = helper;
    this.#geometry = helper.own(geometry);
    this.#materials = materials;
    for (const { material } of materials) helper.own(material);
    helper.own(this);
  }

  /** Reserves space for this many instances; present ones stay. @param {number} count */
  reserve(count) {
    if (count <= this.#room) return;
    const [matrices, colors] = [this.matrices, this.colors];
    this.#room = count + (count >> 1) + 4;
    this.matrices = new Float32Array(16 * this.#room);
    this.matrices.set(matrices);
    this.colors = new Float32Array(3 * this.#room).fill(1);
    this.colors.set(colors);
    this.dispose();
    const matrixAttribute = new InstancedBufferAttribute(this.matrices, 16).setUsage(DynamicDrawUsage);
    const colorAttribute = new InstancedBufferAttribute(this.colors, 3).setUsage(DynamicDrawUsage);
    this.#meshes = this.#materials.map(({ material, order }) => {
      const mesh = new InstancedMesh(this.#geometry, material, 0);
      mesh.instanceMatrix = matrixAttribute;
      mesh.instanceColor = colorAttribute;
      mesh.boundingSphere = new Sphere(new Vector3(), Infinity); // else three.js would compute it, for sorting
      return this.#helper.addPart(mesh, order);
    });
  }

  /**
   * Draws the first `count` instances; call it after a change of matrices or colours.
   * @param {number} count at most the reserved number
   */
  finish(count) {
    this.count = count;
    for (const mesh of this.#meshes) {
      mesh.count = count;
      mesh.visible = count > 0;
    }
    const [mesh] = this.#meshes;
    if (!mesh || count === 0) return;
    for (const attribute of [mesh.instanceMatrix, mesh.instanceColor]) {
      if (!attribute) continue;
      attribute.clearUpdateRanges();
      attribute.addUpdateRange(0, count * attribute.itemSize);
      attribute.needsUpdate = true;
    }
  }

  /** Sets a matrix from three columns and a position. @param {number} index @param {ArrayLike<number>} numbers [12] x, y, z of each */
  setMatrix(index, numbers) {
    const { matrices } = this;
    for (let column = 0; column < 4; column++) {
      for (let axis = 0; axis < 3; axis++) matrices[16 * index + 4 * column + axis] = numbers[3 * column + axis];
      matrices[16 * index + 4 * column + 3] = column === 3 ? 1 : 0;
    }
  }

  /**
   * An upright shape. @param {number} index @param {number} x @param {number} y @param {number} z
   * @param {number} scaleX @param {number} scaleY @param {number} [scaleZ]
   */
  setUpright(index, x, y, z, scaleX, scaleY, scaleZ = scaleX) {
    const { matrices } = this;
    const at = 16 * index;
    matrices.fill(0, at, at + 15);
    matrices[at + 15] = 1;
    matrices[at] = scaleX;
    matrices[at + 5] = scaleY;
    matrices[at + 10] = scaleZ;
    matrices[at + 12] = x;
    matrices[at + 13] = y;
    matrices[at + 14] = z;
  }

  /** @param {number} index @param {Color} color */
  setColor(index, { r, g, b }) {
    this.colors[3 * index] = r;
    this.colors[3 * index + 1] = g;
    this.colors[3 * index + 2] = b;
  }

  /** Frees the buffers of instances; the helper frees shapes and materials. */
  dispose() {
    for (const mesh of this.#meshes) {
      mesh.removeFromParent();
      mesh.dispose();
    }
    this.#meshes = [];
  }
}
