/**
 * Merges voxels into few boxes: neighbouring cells with equal heights and an equal value share a box. The shader draws the lines
 * between the cells.
 */

/** Numbers per box: x, z of its first cell; cells on x and z; low, high (cell heights); value; shade (relief.js). */
export const BOX_NUMBERS = 8;

/** A growing array of numbers. */
class Column {
  values = new Uint16Array(256);

  /** @param {number} index @param {number} value */
  set(index, value) {
    if (index >= this.values.length) {
      const larger = new Uint16Array(2 * this.values.length);
      larger.set(this.values);
      this.values = larger;
    }
    this.values[index] = value;
  }
}

/**
 * Receives spans in raster order (rows, cells, bottom to top) and merges runs along x, then equal runs of consecutive rows.
 */
export class BoxMerger {
  #columns = {
    x: new Column(), z: new Column(), width: new Column(), depth: new Column(), low: new Column(), high: new Column(), value: new Column(), shade: new Column(),
  };
  count = 0;
  /** Number of received spans. */
  spans = 0;
  #row = -1;
  #x = -1;
  /** Boxes that end at the previous cell, and boxes of the current cell. @type {number[]} */
  #before = [];
  /** @type {number[]} */
  #here = [];
  /** Boxes of the previous row that can grow, and boxes of the current row, ordered by x. @type {number[]} */
  #lastRow = [];
  #rowFirst = 0;

  /** @param {number} x @param {number} z @param {number} low @param {number} high @param {number} value @param {number} [shade] */
  add(x, z, low, high, value, shade = 0) {
    if (z !== this.#row) this.#beginRow(z);
    if (x !== this.#x) {
      [this.#before, this.#here] = [x === this.#x + 1 ? this.#here : [], []];
      this.#x = x;
    }
    this.spans++;
    const c = this.#columns;
    const box = this.#before.find((i) => c.low.values[i] === low && c.high.values[i] === high && c.value.values[i] === value && c.shade.values[i] === shade);
    if (box !== undefined) {
      c.width.values[box]++;
      this.#here.push(box);
      return;
    }
    const index = this.count++;
    this.#write(index, [x, z, 1, 1, low, high, value, shade]);
    this.#here.push(index);
  }

  /** @param {number} index @param {number[]} numbers */
  #write(index, numbers) {
    Object.values(this.#columns).forEach((column, i) => column.set(index, numbers[i]));
  }

  /** Orders boxes within rows; boxes that differ only in their row compare as 0. @param {number} a @param {number} b */
  #compare(a, b) {
    const { x, low, width, high, value, shade } = this.#columns;
    for (const { values } of [x, low, width, high, value, shade]) if (values[a] !== values[b]) return values[a] - values[b];
    return 0;
  }

  /** Merges boxes of the current row into equal boxes of the previous row. */
  #endRow() {
    const c = this.#columns;
    const row = Array.from({ length: this.count - this.#rowFirst }, (_, i) => this.#rowFirst + i);
    /** @type {number[]} */
    const next = [];
    let [last, count] = [0, this.#rowFirst];
    for (const box of row) {
      while (last < this.#lastRow.length && this.#compare(this.#lastRow[last], box) < 0) last++;
      const above = this.#lastRow[last];
      if (above !== undefined && this.#compare(above, box) === 0 && c.z.values[above] + c.depth.values[above] === c.z.values[box]) {
        c.depth.values[above]++;
        next.push(above);
        continue;
      }
      this.#write(count, Object.values(c).map(({ values }) => values[box]));
      next.push(count++);
    }
    this.count = count;
    this.#lastRow = next;
  }

  /** @param {number} z */
  #beginRow(z) {
    this.#endRow();
    this.#rowFirst = this.count;
    this.#row = z;
    this.#x = -2;
    this.#here = [];
  }

  /** @returns {Uint16Array<ArrayBuffer>} [count][8] */
  finish() {
    this.#beginRow(-1);
    const boxes = new Uint16Array(BOX_NUMBERS * this.count);
    Object.values(this.#columns).forEach(({ values }, k) => {
      for (let i = 0; i < this.count; i++) boxes[BOX_NUMBERS * i + k] = values[i];
    });
    return boxes;
  }
}
