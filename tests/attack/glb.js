/** A GLB file to change: two meshes, a sparse accessor, strides, node matrices, an instance. */

const floats = (/** @type {number[]} */ ...numbers) => new Uint8Array(Float32Array.from(numbers).buffer);
const shorts = (/** @type {number[]} */ ...numbers) => new Uint8Array(Uint16Array.from(numbers).buffer);

/** The parts of the buffer: floor, its indices, corners of a block with gaps between, indices and values of a sparse accessor. */
const PARTS = [
  floats(0, 0, 0, 0, 0, 8, 8, 0, 8, 8, 0, 0), shorts(0, 1, 2, 0, 2, 3),
  floats(3, 2, 3, 9, 3, 2, 5, 9, 5, 2, 5, 9, 5, 2, 3, 9), shorts(0, 2), floats(0, 0.1, 0, 8, 0.1, 8),
];

const ACCESSORS = [
  { bufferView: 0, componentType: 5126, count: 4, type: 'VEC3', min: [0, 0, 0], max: [8, 0, 8] },
  { bufferView: 1, componentType: 5123, count: 6, type: 'SCALAR' },
  { bufferView: 2, componentType: 5126, count: 4, type: 'VEC3', min: [3, 2, 3], max: [5, 2, 5] },
  { bufferView: 0, componentType: 5126, count: 4, type: 'VEC3', min: [0, 0, 0], max: [8, 0.1, 8],
    sparse: { count: 2, indices: { bufferView: 3, componentType: 5123 }, values: { bufferView: 4 } } },
];

function makeJson() {
  let at = 0;
  const bufferViews = PARTS.map((part, i) => {
    const view = { buffer: 0, byteOffset: at, byteLength: part.length, ...(i === 2 && { byteStride: 16 }) };
    at += Math.ceil(part.length / 4) * 4;
    return view;
  });
  return {
    asset: { version: '2.0' }, buffers: [{ byteLength: at }], bufferViews, accessors: ACCESSORS,
    meshes: [{ name: 'floor', primitives: [{ attributes: { POSITION: 0 }, indices: 1 }] }, { primitives: [{ attributes: { POSITION: 2 }, indices: 1, mode: 4 }] },
      { primitives: [{ attributes: { POSITION: 3 }, mode: 5 }] }],
    nodes: [{ mesh: 0, children: [1, 2] }, { mesh: 1, translation: [0, 0.5, 0], scale: [1, 1, 1] }, { mesh: 2, matrix: [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 9, 0, 0, 1] }],
    scenes: [{ nodes: [0] }], scene: 0,
  };
}

function makeData() {
  const padded = PARTS.map((part) => { const all = new Uint8Array(Math.ceil(part.length / 4) * 4); all.set(part); return all; });
  return Uint8Array.from(padded.flatMap((part) => [...part]));
}

const JSON_CHUNK = 0x4e4f534a, DATA_CHUNK = 0x004e4942, GLTF = 0x46546c67;

/** @param {any} [json] @param {Uint8Array} [data] the buffer @returns {Uint8Array} */
export function makeGlb(json = makeJson(), data = makeData()) {
  const plain = new TextEncoder().encode(JSON.stringify(json));
  const text = new Uint8Array(Math.ceil(plain.length / 4) * 4).fill(32), rest = new Uint8Array(Math.ceil(data.length / 4) * 4);
  text.set(plain);
  rest.set(data);
  const bytes = new Uint8Array(28 + text.length + rest.length), view = new DataView(bytes.buffer);
  [GLTF, 2, bytes.length, text.length, JSON_CHUNK].forEach((word, i) => view.setUint32(4 * i, word, true));
  bytes.set(text, 20);
  [rest.length, DATA_CHUNK].forEach((word, i) => view.setUint32(20 + text.length + 4 * i, word, true));
  bytes.set(rest, 28 + text.length);
  return bytes;
}

/** @param {Uint8Array} bytes of makeGlb */
export function splitGlb(bytes) {
  const length = new DataView(bytes.buffer, bytes.byteOffset).getUint32(12, true);
  return { json: JSON.parse(new TextDecoder().decode(bytes.subarray(20, 20 + length))), data: bytes.slice(28 + length) };
}
