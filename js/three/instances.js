/**
 * One shape drawn many times. The buffers grow by half when they are full and are used again otherwise; a shape, a
 * material and, where it is to be seen through walls, its ghost are all there is on the GPU.
 */
import { DynamicDrawUsage, InstancedBufferAttribute, InstancedMesh, Sphere, Vector3 } from 'three';

/** @typedef {import('three').BufferGeometry} BufferGeometry */
/** @typedef {import('three').Color} Color */
/** @typedef {import('three').Material} Material */
/** @typedef {import('./helper.js').Helper} Helper */

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
   * @param {Helper} helper that shows and disposes of them
   * @param {BufferGeometry} geometry
   * @param {{ material: Material, order: number }[]} materials each draws all of them
   */
  constructor(helper, geometry, materials) {
    this.#helper = helper;
    this.#geometry = helper.own(geometry);
    this.#materials = materials;
    for (const { material } of materials) helper.own(material);
    helper.own(this);
  }

  /** Makes room for this many; what they were is kept. @param {number} count */
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
      mesh.boundingSphere = new Sphere(new Vector3(), Infinity); // else it would be computed, for sorting
      return this.#helper.addPart(mesh, order);
    });
  }

  /** Draws this many; to be called after a change of matrices or colours. @param {number} count at most what was reserved */
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

  /** A matrix out of three columns and a place. @param {number} index @param {ArrayLike<number>} numbers [12] x, y, z of each */
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

  /** Frees the buffers of instances; shapes and materials are the helper's. */
  dispose() {
    for (const mesh of this.#meshes) {
      mesh.removeFromParent();
      mesh.dispose();
    }
    this.#meshes = [];
  }
}
