/** Reads the container of a GLB file and the JSON of a glTF file, and keeps the parts that make triangles. */
import { fileError, nameContents } from './file-error.js';
import { DRACO, MESHOPT, SKIN_ATTRIBUTES, listSkinnedMeshes, requireEntry } from './gltf-layout.js';

const [GLTF, JSON_CHUNK, BINARY_CHUNK] = [0x46546c67, 0x4e4f534a, 0x004e4942];
const [HEADER_BYTES, CHUNK_HEADER_BYTES] = [12, 8];

export const INSTANCING = 'EXT_mesh_gpu_instancing';

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

/** Renumbers the entries of a list that are used, in the order of their first use. */
class Renumbered {
  /** Index in the file -> index among the kept entries. @type {Map<number, number>} */
  #places = new Map();

  /** The new index of an entry; undefined stays. @param {number | undefined} index */
  keep(index) {
    if (index === undefined) return undefined;
    const place = this.#places.get(index) ?? this.#places.size;
    this.#places.set(index, place);
    return place;
  }

  /** The indices in the file of the kept entries. */
  list() {
    return [...this.#places.keys()];
  }
}

/** The parts of one file that make triangles. Accessors and views that they do not need are left out, and the others renumbered. */
class KeptParts {
  accessors = new Renumbered();
  views = new Renumbered();

  /** @param {any} attributes accessors by name */
  #keepAttributes(attributes) {
    return Object.fromEntries(Object.entries(attributes ?? {}).map(([name, index]) => [name, this.accessors.keep(index)]));
  }

  /** @param {any} primitive @param {boolean} isSkinned */
  keepPrimitive({ mode, indices, material, attributes, extensions }, isSkinned) {
    const draco = extensions?.[DRACO], names = ['POSITION', ...(isSkinned ? SKIN_ATTRIBUTES : [])];
    return {
      ...pick({ mode, indices: this.accessors.keep(indices), material }, ['mode', 'indices', 'material']),
      attributes: this.#keepAttributes(pick(attributes, names)),
      ...(draco ? { extensions: { [DRACO]: { bufferView: this.views.keep(draco.bufferView), attributes: pick(draco.attributes, names) } } } : {}),
    };
  }

  /** @param {any} skin */
  keepSkin({ joints, inverseBindMatrices }) {
    return pick({ joints, inverseBindMatrices: this.accessors.keep(inverseBindMatrices) }, ['joints', 'inverseBindMatrices']);
  }

  /** @param {any} node @param {boolean} isSkinned true if skins count */
  keepNode(node, isSkinned) {
    const instanced = node.extensions?.[INSTANCING];
    const extensions = instanced ? { [INSTANCING]: { attributes: this.#keepAttributes(instanced.attributes) } } : {};
    return { ...keepMark(node), ...pick(node, ['children', 'mesh', 'matrix', 'translation', 'rotation', 'scale', ...(isSkinned ? ['skin'] : [])]), extensions };
  }

  /** @param {any} place of bytes in a view */
  #keepPlace({ bufferView, byteOffset = 0, componentType }) {
    return pick({ bufferView: this.views.keep(bufferView), byteOffset, componentType }, ['bufferView', 'byteOffset', 'componentType']);
  }

  /** Every offset is written out: the parser would read a missing one of a sparse part from the accessor. @param {any} accessor */
  keepAccessor({ count, type, normalized, sparse, ...place }) {
    return {
      ...this.#keepPlace(place), ...pick({ count, type, normalized }, ['count', 'type', 'normalized']),
      ...(sparse ? { sparse: { count: sparse.count, indices: this.#keepPlace(sparse.indices), values: this.#keepPlace(sparse.values) } } : {}),
    };
  }
}

/** The name, and the mark that says how its triangles count. @param {any} owner */
const keepMark = ({ name, extras }) => ({
  ...(typeof name === 'string' ? { name } : {}), ...(extras?.walkmesh === undefined ? {} : { extras: { walkmesh: extras.walkmesh } }),
});

/** @param {any} view */
const keepView = (view) => ({
  ...pick(view, ['buffer', 'byteOffset', 'byteLength', 'byteStride']), extensions: pick(view.extensions, [MESHOPT]),
});

/**
 * The parts of the JSON that make triangles. Numbers that are not needed (normals, colours) are removed.
 * @param {any} json that checkLayout has checked @param {string} file name @returns {any}
 */
export function keepTriangles(json, file) {
  const kept = new KeptParts();
  const skinned = listSkinnedMeshes(json);
  const meshes = (json.meshes ?? []).map((/** @type {any} */ mesh, /** @type {number} */ i) => ({
    ...keepMark(mesh), primitives: (mesh.primitives ?? []).map((/** @type {any} */ primitive) => kept.keepPrimitive(primitive, skinned.has(i))),
  }));
  const nodes = (json.nodes ?? []).map((/** @type {any} */ node) => kept.keepNode(node, node.mesh !== undefined));
  const skins = skinned.size === 0 ? [] : (json.skins ?? []).map((/** @type {any} */ skin) => kept.keepSkin(skin));
  const accessors = kept.accessors.list().map((i) => kept.keepAccessor(requireEntry(json.accessors, i, 'a mesh or node', 'accessor', file)));
  const bufferViews = kept.views.list().map((i) => keepView(json.bufferViews[i]));
  const scenes = (json.scenes ?? []).map((/** @type {any} */ scene) => ({ ...keepMark(scene), ...pick(scene, ['nodes']) }));
  return { ...pick(json, ['asset', 'scene', 'extensionsUsed', 'extensionsRequired']), buffers: json.buffers ?? [], scenes, bufferViews, accessors, meshes, nodes, ...(skins.length > 0 ? { skins } : {}), materials: (json.materials ?? []).map(keepMark) };
}
