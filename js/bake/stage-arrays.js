/** Copies the arrays of a bake from the module's memory, in the packed layouts of tests/golden/README.md. */
import { WmLinkBlock } from '../runtime/layout.js';
import { readWords } from './stage-memory.js';

/** @typedef {import('../runtime/session.js').Session} Session */
/** @typedef {import('./stage-memory.js').StageWords} StageWords */
/** @typedef {import('./stages.js').StageArray} StageArray */

/** Views of the module's memory, valid until the next call into the module. */
class Memory {
  #buffer;

  /** @param {Session} session */
  constructor(session) {
    this.#buffer = session.wasm.memory.buffer;
  }

  /** @param {number} address @param {number} count */
  u8(address, count) { return new Uint8Array(this.#buffer, address, count); }

  /** @param {number} address @param {number} count */
  u16(address, count) { return new Uint16Array(this.#buffer, address, count); }

  /** @param {number} address @param {number} count */
  u32(address, count) { return new Uint32Array(this.#buffer, address, count); }

  /** From an address to the end. @param {number} address */
  data(address) { return new DataView(this.#buffer, address); }
}

/** One array of bytes from several arrays. @param {(Uint8Array | Uint16Array | Uint32Array)[]} parts */
function join(parts) {
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.byteLength, 0));
  let offset = 0;
  for (const part of parts) {
    bytes.set(new Uint8Array(part.buffer, part.byteOffset, part.byteLength), offset);
    offset += part.byteLength;
  }
  return bytes;
}

/** @typedef {{ memory: Memory, words: StageWords, width: number, cells: number, triangles: number }} Source */

/** @param {Source} source */
function packHeightfield({ memory, words, cells }) {
  const first = memory.u32(words.solidFirst, cells + 1);
  const [low, high] = [memory.u16(words.solidMin, words.solidCount), memory.u16(words.solidMax, words.solidCount)];
  const area = memory.u8(words.solidArea, words.solidCount);
  const packed = new Uint32Array(cells + 3 * words.solidCount);
  let next = 0;
  for (let cell = 0; cell < cells; cell++) {
    packed[next++] = first[cell + 1] - first[cell];
    for (let span = first[cell]; span < first[cell + 1]; span++) {
      packed[next++] = low[span];
      packed[next++] = high[span];
      packed[next++] = area[span];
    }
  }
  return new Uint8Array(packed.buffer);
}

/** In Recast's packed links each side has 6 bits: the neighbour's span layer, 63 for none. */
const NO_LINK = 63;

/** Spans in a block of links, bytes of a block, lists in a memory block, bytes of a list: see src/bake/compact/links.h. */
const [LINK_BLOCK, LINK_BLOCK_BYTES, LINK_LISTS, LINK_LIST_BYTES] = [8, 4 * WmLinkBlock.words, 256, 64];
const [PRESENT_AT, STATE_AT] = [4 * WmLinkBlock.present, 4 * WmLinkBlock.allowed];

/**
 * Reads the index of a span's neighbour minus its own; null for none.
 * @param {Source} source @returns {(span: number, direction: number) => number | null}
 */
function linkReader({ memory, words }) {
  const blocks = memory.data(words.openLinks);
  return (span, direction) => {
    const at = LINK_BLOCK_BYTES * Math.floor(span / LINK_BLOCK);
    const bit = span % LINK_BLOCK;
    if (!(blocks.getUint8(at + PRESENT_AT + direction) >> bit & 1)) return null;
    const state = blocks.getUint32(at + STATE_AT, true);
    const list = state >>> 7;
    if (list === 0) return blocks.getInt16(at + 2 * direction, true);
    const piece = memory.u32(words.openLinkLists + 4 * Math.floor(list / LINK_LISTS), 1)[0];
    const numbers = memory.data(piece + LINK_LIST_BYTES * (list % LINK_LISTS));
    const index = LINK_BLOCK * direction + bit;
    return state & 64 ? numbers.getUint32(4 * index, true) - span : numbers.getInt16(2 * index, true);
  };
}

/** @param {Source} source */
function packCompact(source) {
  const { memory, words, width, cells } = source;
  const count = words.openCount;
  const first = memory.u32(words.openFirst, cells + 1);
  const solid = words.solidFirst ? memory.u32(words.solidFirst, cells + 1) : null;
  const floor = memory.u16(words.openFloor, count);
  const [clearance, area] = [memory.u8(words.openClearance, count), memory.u8(words.openArea, count)];
  const stepOf = linkReader(source);
  const steps = [-1, width, 1, -width];
  const view = new DataView(new ArrayBuffer(8 * cells + 9 * count));
  for (let cell = 0, at = 8 * cells; cell < cells; cell++) {
    const neverSolid = solid !== null && solid[cell] === solid[cell + 1];
    view.setUint32(8 * cell, neverSolid ? 0 : first[cell], true);
    view.setUint32(8 * cell + 4, first[cell + 1] - first[cell], true);
    for (let span = first[cell]; span < first[cell + 1]; span++, at += 9) {
      let links = 0;
      for (let direction = 0; direction < 4; direction++) {
        const step = stepOf(span, direction);
        const index = step === null ? NO_LINK : span + step - first[cell + steps[direction]];
        links |= Math.min(index, NO_LINK) << (6 * direction);
      }
      view.setUint16(at, floor[span], true);
      view.setUint16(at + 2, clearance[span], true);
      view.setUint32(at + 4, links, true);
      view.setUint8(at + 8, area[span]);
    }
  }
  return new Uint8Array(view.buffer);
}

/** @param {Source} source */
function packContours({ memory, words }) {
  const count = words.contourCount;
  /** @type {(Uint8Array | Uint16Array | Uint32Array)[]} */
  const parts = [Uint32Array.of(count)];
  const add = (/** @type {Uint32Array} */ first, /** @type {number} */ vertices, /** @type {number} */ i) => {
    const vertexCount = first[i + 1] - first[i];
    parts.push(Uint32Array.of(vertexCount), memory.u32(vertices + 16 * first[i], 4 * vertexCount));
  };
  const [vertexFirst, rawFirst] = [memory.u32(words.vertexFirst, count + 1), memory.u32(words.rawFirst, count + 1)];
  for (let i = 0; i < count; i++) {
    parts.push(memory.u16(words.contourRegion + 2 * i, 1), memory.u8(words.contourArea + i, 1));
    add(vertexFirst, words.vertices, i);
    add(rawFirst, words.rawVertices, i);
  }
  return join(parts);
}

/** @param {Source} source @param {number} maxVertices */
function packPolygonMesh({ memory, words }, maxVertices) {
  const count = words.polygonCount;
  return join([Uint32Array.of(words.meshVertexCount, count, maxVertices),
    memory.u16(words.meshVertices, 3 * words.meshVertexCount), memory.u16(words.polygons, 2 * maxVertices * count),
    memory.u16(words.polygonRegion, count), memory.u8(words.polygonArea, count)]);
}

/** @param {Source} source */
function packDetailMesh({ memory, words }) {
  const { submeshCount, detailVertexCount, detailTriangleCount } = words;
  return join([Uint32Array.of(submeshCount, detailVertexCount, detailTriangleCount),
    memory.u32(words.submeshes, 4 * submeshCount), memory.u32(words.detailVertices, 3 * detailVertexCount),
    memory.u8(words.detailTriangles, 4 * detailTriangleCount)]);
}

/**
 * A copy of an array in its packed layout; null if it does not exist.
 * @param {Session} session @param {number} state @param {Exclude<StageArray, 'heightfieldLayers'>} name
 * @param {{ width: number, cells: number, triangles: number, maxVertices: number }} width and
 *   cells of the tile's grid including its border, triangles of the level, largest number of vertices of a polygon
 * @returns {Uint8Array<ArrayBuffer> | null}
 */
export function packStage(session, state, name, { maxVertices, ...sizes }) {
  const words = readWords(session, state);
  const memory = new Memory(session);
  const source = { memory, words, ...sizes };
  const copy = (/** @type {number} */ address, /** @type {number} */ count) => memory.u8(address, count).slice();
  /** @type {Record<Exclude<StageArray, 'heightfieldLayers'>, [number, () => Uint8Array<ArrayBuffer>]>} an address, 0 if the array does not exist */
  const packers = {
    triangleAreas: [words.triangleAreas, () => copy(words.triangleAreas, sizes.triangles)],
    heightfield: [words.solidFirst, () => packHeightfield(source)],
    compact: [words.openClearance, () => packCompact(source)], // clearances are freed after spans are linked, unless kept
    areas: [words.openFirst, () => copy(words.openArea, words.openCount)],
    distance: [words.distances, () => copy(words.distances, 2 * words.openCount)],
    regions: [words.regions, () => copy(words.regions, 2 * words.openCount)],
    contours: [words.vertexFirst, () => packContours(source)],
    polygonMesh: [words.meshVertices, () => packPolygonMesh(source, maxVertices)],
    detailMesh: [words.submeshes, () => packDetailMesh(source)],
    tile: [words.tile, () => copy(words.tile, words.tileBytes)],
  };
  const [address, pack] = packers[name];
  return address ? pack() : null;
}
