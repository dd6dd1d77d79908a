/**
 * Parses Detour tiles, and rebuilds their bounding-volume tree with either sort (sorting.js).
 * Layout: the DNAV format, version 7, little-endian.
 */

import { stableSort } from './sorting.js';

const f = Math.fround;
const NODE_BYTES = 16;

/** Names, record sizes and the header word that counts each section, in file order. */
function sectionSizes(word) {
  return [
    ['header', 100],
    ['vertices', 12 * word(28)],
    ['polygons', 32 * word(24)],
    ['links', 12 * word(32)],
    ['detailMeshes', 12 * word(36)],
    ['detailVertices', 12 * word(40)],
    ['detailTriangles', 4 * word(44)],
    ['tree', NODE_BYTES * word(48)],
    ['connections', 36 * word(52)],
  ];
}

/** @param {Uint8Array} bytes a tile @returns {Map<string, Uint8Array>} its sections by name */
export function tileSections(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const sections = new Map();
  let at = 0;
  for (const [name, size] of sectionSizes((offset) => view.getInt32(offset, true))) {
    sections.set(name, bytes.subarray(at, at + size));
    at += size;
  }
  if (at !== bytes.length) throw new Error(`a tile of ${bytes.length} bytes has sections of ${at}`);
  return sections;
}

/** @returns {{low: number[], high: number[], index: number}[]} nodes in preorder, the unused last one left out */
export function parseTree(section) {
  const view = new DataView(section.buffer, section.byteOffset, section.byteLength);
  const nodes = [];
  for (let at = 0; at + NODE_BYTES < section.length; at += NODE_BYTES) {
    const axes = (offset) => [0, 2, 4].map((axis) => view.getUint16(at + offset + axis, true));
    nodes.push({ low: axes(0), high: axes(6), index: view.getInt32(at + 12, true) });
  }
  return nodes;
}

/**
 * Checks that a tree is well formed: every polygon once, escapes right, each inner box the union of its leaves.
 * @returns {string|null} the fault
 */
export function checkTree(nodes) {
  const seen = new Set();
  let at = 0;
  const visit = () => {
    const node = nodes[at];
    if (node === undefined) throw new Error('the tree ends early');
    const start = at++;
    if (node.index >= 0) {
      if (seen.has(node.index)) throw new Error(`polygon ${node.index} is there twice`);
      seen.add(node.index);
      return node;
    }
    const [a, b] = [visit(), visit()];
    if (-node.index !== at - start) throw new Error(`node ${start} escapes by ${-node.index}, not ${at - start}`);
    for (let axis = 0; axis < 3; axis++) {
      if (node.low[axis] !== Math.min(a.low[axis], b.low[axis])
        || node.high[axis] !== Math.max(a.high[axis], b.high[axis])) throw new Error(`node ${start} is no union`);
    }
    return node;
  };
  try {
    visit();
    return at === nodes.length ? null : `${nodes.length - at} nodes too many`;
  } catch (error) {
    return error.message;
  }
}

/**
 * Builds the tree section from polygon boxes.
 * @param {{low: number[], high: number[], index: number}[]} items polygon boxes in polygon order
 * @param {Function} [sort] stableSort or smoothSort
 */
export function buildTree(items, sort = stableSort) {
  const section = new Uint8Array(items.length * 2 * NODE_BYTES);
  const view = new DataView(section.buffer);
  let next = 0;
  const write = (at, low, high, index) => {
    for (let axis = 0; axis < 3; axis++) {
      view.setUint16(at * NODE_BYTES + axis * 2, low[axis], true);
      view.setUint16(at * NODE_BYTES + 6 + axis * 2, high[axis], true);
    }
    view.setInt32(at * NODE_BYTES + 12, index, true);
  };
  const divide = (range) => {
    const at = next++;
    if (range.length === 1) {
      write(at, range[0].low, range[0].high, range[0].index);
      return;
    }
    const low = [0, 1, 2].map((axis) => Math.min(...range.map((item) => item.low[axis])));
    const high = [0, 1, 2].map((axis) => Math.max(...range.map((item) => item.high[axis])));
    const extent = low.map((value, axis) => high[axis] - value);
    let longest = extent[1] > extent[0] ? 1 : 0;
    if (extent[2] > extent[longest]) longest = 2;
    sort(range, (a, b) => a.low[longest] - b.low[longest]);
    const middle = range.length >> 1;
    divide(range.slice(0, middle));
    divide(range.slice(middle));
    write(at, low, high, -(next - at));
  };
  if (items.length > 0) divide(items.slice());
  return section;
}

/** Boxes of the polygons from the tile's own header and the detail mesh dump. */
export function polygonBoxes(header, detail) {
  const view = new DataView(header.buffer, header.byteOffset, header.byteLength);
  const words = new Uint32Array(detail.slice(0, 12).buffer);
  const submeshes = new Uint32Array(detail.slice(12, 12 + words[0] * 16).buffer);
  const start = 12 + words[0] * 16;
  const vertices = new Float32Array(detail.slice(start, start + words[1] * 12).buffer);
  const minimum = [72, 76, 80].map((offset) => view.getFloat32(offset, true));
  const factor = view.getFloat32(96, true);
  const items = [];
  for (let polygon = 0; polygon < words[0]; polygon++) {
    const [first, count] = submeshes.subarray(polygon * 4, polygon * 4 + 2);
    const box = { low: [], high: [], index: polygon };
    for (let axis = 0; axis < 3; axis++) {
      let [low, high] = [Infinity, -Infinity];
      for (let v = first; v < first + count; v++) {
        low = Math.min(low, vertices[v * 3 + axis]);
        high = Math.max(high, vertices[v * 3 + axis]);
      }
      box.low.push(quantise(low, minimum[axis], factor));
      box.high.push(quantise(high, minimum[axis], factor));
    }
    items.push(box);
  }
  return items;
}

function quantise(value, minimum, factor) {
  const cells = Math.trunc(f(f(value - minimum) * factor));
  return cells < 0 ? 0 : cells > 65535 ? 65535 : cells;
}
