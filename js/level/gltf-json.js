/** Reads the container of a GLB file and the JSON of a glTF file, and keeps the parts that make triangles. */
import { fileError, nameContents } from './file-error.js';

const [GLTF, JSON_CHUNK, BINARY_CHUNK] = [0x46546c67, 0x4e4f534a, 0x004e4942];
const [HEADER_BYTES, CHUNK_HEADER_BYTES] = [12, 8];

export const DRACO = 'KHR_draco_mesh_compression';
const INSTANCING = 'EXT_mesh_gpu_instancing';

/** @param {Uint8Array} bytes @param {string} name */
function parseJson(bytes, name) {
  const format = nameContents(bytes);
  if (format) throw fileError(name, `is not a glTF file: it is ${format}`);
  let json;
  try {
    json = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (cause) {
    const isJson = /^\s*\{/.test(String.fromCharCode(...bytes.subarray(0, 64)));
    throw fileError(name, isJson ? `is truncated or damaged: ${/** @type {Error} */ (cause).message}`
      : 'is not a glTF file: it is neither GLB nor JSON', cause);
  }
  const version = json?.asset?.version;
  if (typeof version !== 'string') throw fileError(name, 'is not a glTF file: its JSON has no asset.version');
  if (!version.startsWith('2')) throw fileError(name, `is glTF ${version}: use glTF 2.0`);
  return json;
}

/** @param {Uint8Array} bytes @param {string} name */
function readGlb(bytes, name) {
  const cut = (/** @type {number} */ expected) => fileError(name, `is truncated: it has ${bytes.length} of ${expected} bytes`);
  if (bytes.length < HEADER_BYTES + CHUNK_HEADER_BYTES) throw cut(HEADER_BYTES + CHUNK_HEADER_BYTES);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const [version, length] = [view.getUint32(4, true), view.getUint32(8, true)];
  if (version !== 2) throw fileError(name, `is GLB ${version}: use GLB 2`);
  if (length > bytes.length) throw cut(length);
  /** @type {Record<number, Uint8Array>} */
  const chunks = {};
  for (let at = HEADER_BYTES; at + CHUNK_HEADER_BYTES <= length;) {
    const [size, kind] = [view.getUint32(at, true), view.getUint32(at + 4, true)];
    at += CHUNK_HEADER_BYTES;
    if (at + size > length) throw cut(at + size);
    chunks[kind] ??= bytes.subarray(at, at + size);
    at += size;
  }
  if (!chunks[JSON_CHUNK]) throw fileError(name, 'is damaged: it has no JSON chunk');
  // A copy, so that numbers are aligned.
  return { json: parseJson(chunks[JSON_CHUNK], name), binary: chunks[BINARY_CHUNK]?.slice() };
}

/** @param {Uint8Array} bytes @param {string} name @returns {{ json: any, binary?: Uint8Array }} */
export function readContainer(bytes, name) {
  if (bytes.length === 0) throw fileError(name, 'is empty');
  const isGlb = bytes.length >= 4 && new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true) === GLTF;
  return isGlb ? readGlb(bytes, name) : { json: parseJson(bytes, name) };
}

/** The entries of an object with some names. @param {any} object @param {string[]} names */
const pick = (object, names) => Object.fromEntries(names.filter((name) => object?.[name] !== undefined).map((name) => [name, object[name]]));

/** @param {any} primitive */
function keepPrimitive({ mode, indices, material, attributes, extensions }) {
  const draco = extensions?.[DRACO];
  return {
    ...pick({ mode, indices, material }, ['mode', 'indices', 'material']), attributes: pick(attributes, ['POSITION']),
    ...(draco ? { extensions: { [DRACO]: { ...draco, attributes: pick(draco.attributes, ['POSITION']) } } } : {}),
  };
}

/** The name, and the mark that says how its triangles count. @param {any} owner */
const keepMark = ({ name, extras }) => ({
  ...pick({ name }, ['name']), ...(extras?.walkmesh === undefined ? {} : { extras: { walkmesh: extras.walkmesh } }),
});

/** @param {any} node */
const keepNode = (node) => ({
  ...keepMark(node), ...pick(node, ['children', 'mesh', 'matrix', 'translation', 'rotation', 'scale']), extensions: pick(node.extensions, [INSTANCING]),
});

/**
 * The parts of the JSON that make triangles. Numbers that are not needed (normals, colours) are removed.
 * @param {any} json @returns {any}
 */
export function keepTriangles(json) {
  const meshes = (json.meshes ?? []).map((/** @type {any} */ mesh) => ({
    ...keepMark(mesh), primitives: (mesh.primitives ?? []).map(keepPrimitive),
  }));
  const nodes = (json.nodes ?? []).map(keepNode);
  const used = new Set([
    ...meshes.flatMap((/** @type {any} */ { primitives }) => primitives).flatMap((/** @type {any} */ { indices, attributes }) => [indices, attributes.POSITION]),
    ...nodes.flatMap((/** @type {any} */ { extensions }) => Object.values(extensions[INSTANCING]?.attributes ?? {})),
  ]);
  const accessors = (json.accessors ?? []).map((/** @type {any} */ accessor, /** @type {number} */ i) => (
    used.has(i) ? accessor : { componentType: 5126, count: 0, type: 'SCALAR' }));
  return { ...pick(json, ['asset', 'buffers', 'bufferViews', 'scene', 'scenes', 'extensionsUsed', 'extensionsRequired']), accessors, meshes, nodes, materials: (json.materials ?? []).map(keepMark) };
}
