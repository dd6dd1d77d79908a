/**
 * Holds a glTF file against its bytes, in its JSON, before anything is read: every buffer view lies in its buffer, every accessor
 * (the indices and values of sparse ones too) in its view, every image in a view. The parser would read on beyond the end of a view,
 * in whatever shares its memory, and run for as long as a count says.
 */
import { describe } from '../runtime/errors.js';
import { fileError } from './file-error.js';

export const MESHOPT = 'EXT_meshopt_compression';
export const DRACO = 'KHR_draco_mesh_compression';

/** Numbers of an element, and bytes of a number. @type {ReadonlyMap<unknown, number>} */
export const COMPONENTS = new Map([['SCALAR', 1], ['VEC2', 2], ['VEC3', 3], ['VEC4', 4], ['MAT2', 4], ['MAT3', 9], ['MAT4', 16]]);
/** @type {ReadonlyMap<unknown, number>} */
const COMPONENT_BYTES = new Map([[5120, 1], [5121, 1], [5122, 2], [5123, 2], [5125, 4], [5126, 4]]);
/** Types of indices. */
const UNSIGNED = [5121, 5123, 5125];

/** A whole number, 0 or more, in a file. @param {unknown} value @param {string} noun @param {string} file name @returns {number} */
export function requireFileCount(value, noun, file) {
  if (Number.isSafeInteger(value) && /** @type {number} */ (value) >= 0) return /** @type {number} */ (value);
  throw fileError(file, `is damaged: ${noun} is ${describe(value)}`);
}

/** The entry of a list that an index names. @param {any} list @param {unknown} index @param {string} owner @param {string} kind @param {string} file name */
export function requireEntry(list, index, owner, kind, file) {
  const entry = Array.isArray(list) && Number.isSafeInteger(index) ? list[/** @type {number} */ (index)] : undefined;
  if (typeof entry === 'object' && entry !== null) return entry;
  throw fileError(file, `is damaged: ${owner} names the ${kind} ${describe(index)}, which does not exist`);
}

/** Attributes that a skin needs. */
export const SKIN_ATTRIBUTES = ['JOINTS_0', 'WEIGHTS_0'];

/** The nodes that show a mesh with a skin. @param {any} json @returns {any[]} */
const skinnedNodes = ({ nodes = [] }) => nodes.filter((/** @type {any} */ { mesh, skin }) => mesh !== undefined && skin !== undefined);

/** Indices of the meshes that are shown with a skin. @param {any} json @returns {Set<number>} */
export const listSkinnedMeshes = (json) => new Set(skinnedNodes(json).map(({ mesh }) => mesh));

/** Throws unless the skins that are shown name nodes of the file. @param {any} json @param {string} file name */
function checkSkins(json, file) {
  for (const index of new Set(skinnedNodes(json).map(({ skin }) => skin))) {
    const { joints } = requireEntry(json.skins, index, 'a node', 'skin', file), owner = `skin ${index}`;
    if (!Array.isArray(joints) || joints.length === 0) throw fileError(file, `is damaged: ${owner} has no joints`);
    for (const joint of joints) requireEntry(json.nodes, joint, owner, 'node', file);
  }
}

/** @param {number} end @param {number} size @param {string} owner @param {string} whole @param {string} file name */
function requireWithin(end, size, owner, whole, file) {
  if (end > size) throw fileError(file, `is damaged: ${owner} would need ${end} bytes of ${whole}, which has ${size}`);
}

/** Checks the buffers, views, accessors and images of one file. */
class Layout {
  #json;
  #file;
  #isMeshopt;

  /** @param {any} json @param {string} file name */
  constructor(json, file) {
    this.#json = json;
    this.#file = file;
    this.#isMeshopt = json.extensionsUsed?.includes(MESHOPT) === true;
  }

  /** Checks that a range lies in its buffer. @param {any} range @param {string} owner */
  #checkRange({ buffer, byteOffset = 0, byteLength }, owner) {
    const file = this.#file;
    const size = requireFileCount(requireEntry(this.#json.buffers, buffer, owner, 'buffer', file).byteLength, `the byteLength of buffer ${buffer}`, file);
    const end = requireFileCount(byteOffset, `the byteOffset of ${owner}`, file) + requireFileCount(byteLength, `the byteLength of ${owner}`, file);
    requireWithin(end, size, owner, `buffer ${buffer}`, file);
  }

  /** @param {any} view @param {number} i */
  checkView(view, i) {
    const owner = `buffer view ${i}`;
    this.#checkRange(view, owner);
    if (view.byteStride !== undefined) requireFileCount(view.byteStride, `the byteStride of ${owner}`, this.#file);
    const packed = view.extensions?.[MESHOPT];
    if (!packed) return;
    this.#checkRange(packed, `the compressed ${owner}`);
    requireFileCount(packed.count, `the count of ${owner}`, this.#file);
    requireFileCount(packed.byteStride, `the stride of ${owner}`, this.#file);
  }

  /** Bytes of a view that accessors can read: of a compressed one, after it is unpacked. @param {any} view */
  #sizeOf({ byteLength, extensions }) {
    const packed = this.#isMeshopt ? extensions?.[MESHOPT] : undefined;
    return packed ? packed.count * packed.byteStride : byteLength;
  }

  /**
   * Checks that elements lie in their view.
   * @param {any} place names the view and the first byte @param {number} count @param {number} bytes of an element @param {string} owner
   */
  #checkElements({ bufferView, byteOffset = 0 }, count, bytes, owner) {
    const file = this.#file;
    const view = requireEntry(this.#json.bufferViews, bufferView, owner, 'buffer view', file);
    const { byteStride = bytes } = view;
    if (byteStride < bytes) throw fileError(file, `is damaged: ${owner} has elements of ${bytes} bytes, and its buffer view a stride of ${byteStride}`);
    const first = requireFileCount(byteOffset, `the byteOffset of ${owner}`, file);
    requireWithin(count > 0 ? first + (count - 1) * byteStride + bytes : first, this.#sizeOf(view), owner, `buffer view ${bufferView}`, file);
  }

  /** @param {any} accessor @param {number} i */
  checkAccessor(accessor, i) {
    const owner = `accessor ${i}`, file = this.#file, { sparse } = accessor;
    const count = requireFileCount(accessor.count, `the count of ${owner}`, file);
    const bytes = (COMPONENTS.get(accessor.type) ?? 0) * (COMPONENT_BYTES.get(accessor.componentType) ?? 0);
    if (bytes === 0) throw fileError(file, `is damaged: ${owner} has the type ${describe(accessor.type)} of ${describe(accessor.componentType)}`);
    if (accessor.bufferView !== undefined) this.#checkElements(accessor, count, bytes, owner);
    if (sparse === undefined) return;
    const changed = requireFileCount(sparse?.count, `the sparse count of ${owner}`, file);
    if (changed > count) throw fileError(file, `is damaged: ${owner} has ${count} elements, and ${changed} sparse ones`);
    const { indices, values } = sparse;
    if (!UNSIGNED.includes(indices?.componentType)) throw fileError(file, `is damaged: the sparse indices of ${owner} have the type ${describe(indices?.componentType)}`);
    this.#checkElements(indices, changed, COMPONENT_BYTES.get(indices.componentType) ?? 0, `the sparse indices of ${owner}`);
    this.#checkElements(values ?? {}, changed, bytes, `the sparse values of ${owner}`);
  }

  /** @param {any} image @param {number} i */
  checkImage({ bufferView }, i) {
    if (bufferView !== undefined) requireEntry(this.#json.bufferViews, bufferView, `image ${i}`, 'buffer view', this.#file);
  }

  /** @param {any} mesh @param {number} i @param {boolean} isSkinned */
  checkMesh({ primitives = [] }, i, isSkinned) {
    const owner = `mesh ${i}`, file = this.#file;
    for (const { attributes, indices, extensions } of primitives) {
      const packed = extensions?.[DRACO];
      if (packed) requireEntry(this.#json.bufferViews, packed.bufferView, owner, 'buffer view', file);
      this.#checkUse(attributes?.POSITION, 'VEC3', owner);
      this.#checkUse(indices, 'SCALAR', owner);
      for (const name of isSkinned ? SKIN_ATTRIBUTES : []) this.#checkUse(attributes?.[name], 'VEC4', owner);
      const type = this.#json.accessors?.[indices]?.componentType;
      if (indices !== undefined && !UNSIGNED.includes(type)) throw fileError(file, `is damaged: the indices of ${owner} have the type ${describe(type)}`);
    }
  }

  /** @param {any} skin @param {number} i */
  checkSkin({ inverseBindMatrices }, i) {
    this.#checkUse(inverseBindMatrices, 'MAT4', `skin ${i}`);
  }

  /** @param {unknown} index of an accessor; undefined: none @param {string} type that it must have @param {string} owner */
  #checkUse(index, type, owner) {
    if (index === undefined) return;
    const accessor = requireEntry(this.#json.accessors, index, owner, 'accessor', this.#file);
    if (accessor.type !== type) throw fileError(this.#file, `is damaged: ${owner} uses accessor ${index} of type ${accessor.type}: must be ${type}`);
  }
}

/**
 * Throws, naming the part, unless everything lies within its bytes.
 * @param {any} json of the file @param {string} file name
 */
export function checkLayout(json, file) {
  const { bufferViews = [], accessors = [], images = [], meshes = [], skins = [] } = json;
  const skinned = listSkinnedMeshes(json);
  const layout = new Layout(json, file);
  bufferViews.forEach((/** @type {any} */ view, /** @type {number} */ i) => layout.checkView(view, i));
  accessors.forEach((/** @type {any} */ accessor, /** @type {number} */ i) => layout.checkAccessor(accessor, i));
  images.forEach((/** @type {any} */ image, /** @type {number} */ i) => layout.checkImage(image, i));
  meshes.forEach((/** @type {any} */ mesh, /** @type {number} */ i) => layout.checkMesh(mesh, i, skinned.has(i)));
  if (skinned.size === 0) return;
  skins.forEach((/** @type {any} */ skin, /** @type {number} */ i) => layout.checkSkin(skin, i));
  checkSkins(json, file);
}
