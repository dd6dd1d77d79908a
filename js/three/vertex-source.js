/**
 * The vertices of a three.js geometry as flat arrays: plain, interleaved, quantised and half-float attributes are read
 * in place, without a Vector3 per vertex, and transformed with the arithmetic of Vector3.applyMatrix4, so that the
 * results are equal to the last bit.
 */
import { DataUtils } from 'three';
import { NavError } from '../runtime/errors.js';
import { isNumberArray, lengthOf } from '../runtime/typed-arrays.js';

/** @typedef {import('three').BufferGeometry} BufferGeometry */

/**
 * @typedef {object} VertexSource
 * @property {ArrayLike<number>} array numbers of all vertices
 * @property {number} stride numbers from one vertex to the next
 * @property {number} offset of the first vertex
 * @property {number} divisor of whole numbers; 1: they are used unchanged
 * @property {number} count vertices
 * @property {ArrayLike<number> | null} index vertices of the triangles, or null: vertices in order
 * @property {number} indexCount the length of `index`, or the number of vertices
 */

/** The divisor of a normalised attribute's whole numbers. @param {ArrayBufferView} array */
function divisorOf(array) {
  if (array instanceof Int8Array) return 127;
  if (array instanceof Uint8Array || array instanceof Uint8ClampedArray) return 255;
  if (array instanceof Int16Array) return 32767;
  if (array instanceof Uint16Array) return 65535;
  if (array instanceof Int32Array) return 2147483647;
  if (array instanceof Uint32Array) return 4294967295;
  return 1;
}

/** @param {ArrayLike<number>} halves */
function decodeHalves(halves) {
  const floats = new Float32Array(halves.length);
  for (let i = 0; i < halves.length; i++) floats[i] = DataUtils.fromHalfFloat(halves[i]);
  return floats;
}

/** @param {string} name of the object @param {string} problem */
export function sceneError(name, problem) {
  return new NavError('geometry', `${name}: ${problem}`, { field: name });
}

/** Throws if an array has less than an attribute says. @param {unknown} array @param {number} count @param {number} needed numbers @param {string} name @param {string} noun */
function requireRoom(array, count, needed, name, noun) {
  if (!isNumberArray(array)) throw sceneError(name, `its ${noun} are no typed array`);
  if (Number.isSafeInteger(count) && count >= 0 && needed <= lengthOf(array)) return;
  throw sceneError(name, `its ${noun} have ${lengthOf(array)} numbers, but count is ${String(count)}`);
}

/**
 * @param {BufferGeometry} geometry @param {string} name of the object, for errors
 * @returns {VertexSource | null} null if it has no vertices
 */
export function readSource(geometry, name) {
  const position = /** @type {any} */ (geometry.attributes.position);
  if (!position) return null;
  if (position.isGLBufferAttribute) throw sceneError(name, 'its positions are on the GPU only');
  const array = position.isInterleavedBufferAttribute ? position.data.array : position.array;
  const indexArray = geometry.index && geometry.index.array;
  if (!array || indexArray === undefined || (geometry.index && !indexArray)) {
    throw sceneError(name, 'the arrays of its geometry were released after their upload');
  }
  if (position.itemSize < 3) throw sceneError(name, `its positions have ${position.itemSize} numbers each: must be 3`);
  const count = position.count;
  const index = geometry.index ? indexArray : null;
  const indexCount = geometry.index ? geometry.index.count : count;
  const stride = position.isInterleavedBufferAttribute ? position.data.stride : position.itemSize;
  const offset = position.isInterleavedBufferAttribute ? position.offset : 0;
  requireRoom(array, count, count === 0 ? 0 : offset + (count - 1) * stride + 3, name, 'positions');
  if (index) requireRoom(index, indexCount, indexCount, name, 'indices');
  if (position.isFloat16BufferAttribute) {
    return { array: decodeHalves(array), stride, offset, divisor: 1, count, index, indexCount };
  }
  return { array, stride, offset, divisor: position.normalized ? divisorOf(array) : 1, count, index, indexCount };
}

/**
 * The vertices that triangles use.
 * @param {VertexSource} source @param {{ start: number, count: number }[]} runs of the index
 * @param {string} name of the object, for errors
 * @returns {{ first: number, count: number }} the smallest range that contains all of them
 */
export function usedVertices(source, runs, name) {
  const { index, count } = source;
  let [low, high] = [Infinity, -1];
  for (const run of runs) {
    const end = run.start + run.count;
    if (run.count === 0) continue;
    if (!index) {
      low = Math.min(low, run.start);
      high = Math.max(high, end - 1);
      continue;
    }
    for (let i = run.start; i < end; i++) {
      const vertex = index[i];
      if (vertex < low) low = vertex;
      if (vertex > high) high = vertex;
    }
  }
  if (high >= count) throw sceneError(name, `its index contains vertex ${high}, but it has ${count} vertices`);
  return high < 0 ? { first: 0, count: 0 } : { first: low, count: high - low + 1 };
}

/**
 * Writes vertices, transformed by a matrix.
 * @param {VertexSource} source
 * @param {number} first vertex @param {number} count
 * @param {ArrayLike<number>} matrix 16 numbers, column by column
 * @param {Float32Array} out @param {number} at index of the first number written
 */
export function writeVertices(source, first, count, matrix, out, at) {
  const { array, stride, offset, divisor } = source;
  // Destructuring would cost more than transforming the eight vertices of a box.
  const m = matrix;
  const xx = m[0], yx = m[1], zx = m[2], wx = m[3];
  const xy = m[4], yy = m[5], zy = m[6], wy = m[7];
  const xz = m[8], yz = m[9], zz = m[10], wz = m[11];
  const xw = m[12], yw = m[13], zw = m[14], ww = m[15];
  const isAffine = wx === 0 && wy === 0 && wz === 0 && ww === 1;
  let from = offset + first * stride;
  for (let end = at + 3 * count; at < end; at += 3, from += stride) {
    let x = array[from];
    let y = array[from + 1];
    let z = array[from + 2];
    if (divisor !== 1) {
      // -128 / 127 is clamped to -1.
      x = Math.max(x / divisor, -1);
      y = Math.max(y / divisor, -1);
      z = Math.max(z / divisor, -1);
    }
    const shrink = isAffine ? 1 : 1 / (wx * x + wy * y + wz * z + ww);
    out[at] = (xx * x + xy * y + xz * z + xw) * shrink;
    out[at + 1] = (yx * x + yy * y + yz * z + yw) * shrink;
    out[at + 2] = (zx * x + zy * y + zz * z + zw) * shrink;
  }
}
