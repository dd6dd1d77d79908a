/**
 * A geometry of separate triangles or lines in which every key (for example a tile) has a range of vertices, so that one draw call
 * shows all of them and a change uploads only the ranges that changed. Free ranges are reused; when the capacity is used up, all
 * ranges move into buffers half as large again.
 *
 * Vertices have a position [3] f32 and a colour [4] u8 (red, green, blue, alpha, linear).
 */
import { BufferAttribute, BufferGeometry, DynamicDrawUsage, Sphere, Vector3 } from 'three';

/** Ranges of one upload; if there are more, one range that contains all of them is uploaded. */
const RANGE_LIMIT = 32;

/** @typedef {{ start: number, count: number, room: number }} Range in vertices */

/** @param {BufferAttribute} attribute @param {number} start vertex @param {number} count */
function uploadRange(attribute, start, count) {
  const { updateRanges, itemSize } = attribute;
  if (updateRanges.length >= RANGE_LIMIT) {
    const low = Math.min(...updateRanges.map((range) => range.start));
    const high = Math.max(...updateRanges.map((range) => range.start + range.count));
    attribute.clearUpdateRanges();
    attribute.addUpdateRange(low, high - low);
  }
  attribute.addUpdateRange(itemSize * start, itemSize * count);
  attribute.needsUpdate = true;
}

export class RangeGeometry {
  geometry = new BufferGeometry();
  /** @type {Map<unknown, Range>} */
  #ranges = new Map();
  /** @type {Range[]} */
  #free = [];
  /** The number of vertices that are drawn. */
  #end = 0;
  #positions = new Float32Array(0);
  #colors = new Uint8Array(0);

  constructor() {
    // Else renderers read every vertex to compute it, for sorting.
    this.geometry.boundingSphere = new Sphere(new Vector3(), Infinity);
    this.#replaceBuffers(0);
  }

  /** The vertices of all ranges together. */
  get vertexCount() {
    let sum = 0;
    for (const { count } of this.#ranges.values()) sum += count;
    return sum;
  }

  /** @param {unknown} key */
  has(key) {
    return this.#ranges.has(key);
  }

  keys() {
    return this.#ranges.keys();
  }

  /**
   * Draws these vertices for a key, replacing its former ones.
   * @param {unknown} key @param {ArrayLike<number>} positions x, y, z of each @param {Uint8Array} colors four of each
   */
  set(key, positions, colors) {
    const count = positions.length / 3;
    let range = this.#ranges.get(key);
    if (range && range.room < count) {
      this.delete(key);
      range = undefined;
    }
    range ??= this.#take(count);
    const { start, room } = range;
    this.#ranges.set(key, { start, count, room });
    this.#positions.set(positions, 3 * start);
    this.#positions.fill(0, 3 * (start + count), 3 * (start + room));
    this.#colors.set(colors, 4 * start);
    this.#colors.fill(0, 4 * (start + count), 4 * (start + room));
    this.#upload(start, room);
  }

  /** Replaces the colours of a key's vertices. @param {unknown} key @param {Uint8Array} colors */
  setColors(key, colors) {
    const range = this.#ranges.get(key);
    if (!range || range.count === 0) return;
    this.#colors.set(colors, 4 * range.start);
    uploadRange(/** @type {BufferAttribute} */ (this.geometry.getAttribute('color')), range.start, range.count);
  }

  /** @param {unknown} key */
  delete(key) {
    const range = this.#ranges.get(key);
    if (!range) return;
    this.#ranges.delete(key);
    if (range.room === 0) return;
    this.#positions.fill(0, 3 * range.start, 3 * (range.start + range.room));
    this.#colors.fill(0, 4 * range.start, 4 * (range.start + range.room));
    this.#upload(range.start, range.room);
    this.#free.push({ ...range, count: 0 });
  }

  /** Draws nothing; the buffers are reused. */
  clear() {
    this.#ranges.clear();
    this.#free = [];
    this.#end = 0;
    this.geometry.setDrawRange(0, 0);
  }

  dispose() {
    this.geometry.dispose();
  }

  /** @param {number} start @param {number} count */
  #upload(start, count) {
    if (count === 0) return;
    uploadRange(/** @type {BufferAttribute} */ (this.geometry.getAttribute('position')), start, count);
    uploadRange(/** @type {BufferAttribute} */ (this.geometry.getAttribute('color')), start, count);
  }

  /**
   * Finds space for vertices: the first free range that is large enough, else behind the last range.
   * @param {number} count @returns {Range}
   */
  #take(count) {
    const index = this.#free.findIndex(({ room }) => room >= count);
    if (index >= 0) {
      const range = this.#free[index];
      if (range.room - count < count / 4) return this.#free.splice(index, 1)[0];
      this.#free[index] = { start: range.start + count, room: range.room - count, count: 0 };
      return { start: range.start, room: count, count: 0 };
    }
    if (3 * (this.#end + count) > this.#positions.length) this.#replaceBuffers(count);
    const range = { start: this.#end, room: count, count: 0 };
    this.#end += count;
    this.geometry.setDrawRange(0, this.#end);
    return range;
  }

  /** Moves all ranges, without gaps, into buffers with space for more. @param {number} more vertices */
  #replaceBuffers(more) {
    const used = this.vertexCount;
    const needed = used + more;
    const [positions, colors] = [this.#positions, this.#colors];
    const room = Math.max(needed + (needed >> 1), 64);
    this.#positions = new Float32Array(3 * room);
    this.#colors = new Uint8Array(4 * room);
    if (used === this.#end) {
      this.#positions.set(positions.subarray(0, 3 * used));
      this.#colors.set(colors.subarray(0, 4 * used));
    } else this.#moveRanges(positions, colors);
    this.#free = [];
    this.#end = used;
    const { geometry } = this;
    geometry.dispose(); // frees the former buffers on the GPU; the geometry itself can still be used
    geometry.setAttribute('position', new BufferAttribute(this.#positions, 3).setUsage(DynamicDrawUsage));
    geometry.setAttribute('color', new BufferAttribute(this.#colors, 4, true).setUsage(DynamicDrawUsage));
    geometry.setDrawRange(0, used);
  }

  /** Copies the ranges without their gaps. @param {Float32Array} positions @param {Uint8Array} colors the former buffers */
  #moveRanges(positions, colors) {
    let at = 0;
    for (const [key, { start, count }] of this.#ranges) {
      this.#positions.set(positions.subarray(3 * start, 3 * (start + count)), 3 * at);
      this.#colors.set(colors.subarray(4 * start, 4 * (start + count)), 4 * at);
      this.#ranges.set(key, { start: at, count, room: count });
      at += count;
    }
  }
}
