/**
 * Converts the triangles of three.js scene graphs to the geometry of a bake: one pass counts, one fills. No objects are allocated
 * for single vertices or triangles, and the scene is only read (except that world matrices are updated).
 */
import { NavError, describe, invalidArgument } from '../runtime/errors.js';
import { passErrors, readWithCallbacks } from '../runtime/foreign.js';
import { keepWarnings } from '../input/kept-warnings.js';
import { DEFAULT_AREA } from '../runtime/level-marks.js';
import { unknownName } from '../runtime/option-names.js';
import { SceneWalk, nameOf } from './scene-walk.js';
import { sceneError, writeVertices } from './vertex-source.js';

/** @typedef {import('three').Object3D} Object3D */
/** @typedef {import('three').Mesh} Mesh */
/** @typedef {import('three').Material} Material */
/** @typedef {import('three').Layers} Layers */
/** @typedef {import('./scene-walk.js').Piece} Piece */

/**
 * @typedef {object} OwnOptions
 * @property {Layers | number} [layers] only meshes on one of these layers: a Layers, or a mask of bits like Layers.mask
 * @property {(mesh: Mesh) => boolean} [filter] called for each mesh: false leaves it out, but not its children
 * @property {(mesh: Mesh, material: Material, instance: number | undefined) => number | null | undefined} [area] called
 *   for each mesh, each material of a mesh with several, and each instance of an InstancedMesh or BatchedMesh: returns its area,
 *   0 to 63 (0: an unwalkable obstacle); null leaves it out; undefined uses userData
 * @property {boolean} [includeInvisible] true: also invisible objects, materials and instances, as colliders often are; default
 *   false: invisible objects are left out with all their children
 * @property {boolean} [turnDoubleSided] true: triangles of double-sided materials that face down are turned to face up; default
 *   false: only triangles wound to face up are walkable, as with every other material
 */

/** @typedef {OwnOptions & import('../runtime/level-marks.js').NamePatterns} SceneOptions names of a GLTFLoader are those of its file */

/** @typedef {{ positions: Float32Array, indices: Uint32Array, areas?: Uint8Array }} SceneGeometry */

const OPTION_TYPES = /** @type {const} */ ({
  layers: ['object', 'number'], filter: ['function'], area: ['function'], includeInvisible: ['boolean'],
  turnDoubleSided: ['boolean'],
});

/** Options that readNameRules checks. */
const NAME_OPTIONS = ['include', 'exclude', 'areas'];

/** @param {SceneOptions} options */
function checkOptions(options) {
  if (typeof options !== 'object' || options === null) {
    throw invalidArgument('options', `must be an object, not ${describe(options)}`, options);
  }
  for (const [name, value] of Object.entries(options)) {
    if (NAME_OPTIONS.includes(name)) continue;
    if (!Object.hasOwn(OPTION_TYPES, name)) {
      throw unknownName(name, [...Object.keys(OPTION_TYPES), ...NAME_OPTIONS], value);
    }
    const types = /** @type {readonly string[]} */ (OPTION_TYPES[/** @type {keyof typeof OPTION_TYPES} */ (name)]);
    if (value !== undefined && (value === null || !types.includes(typeof value))) {
      throw invalidArgument(name, `is ${describe(value)}: must be of type ${types.join(' or ')}`, value);
    }
  }
}

/** True if a matrix mirrors. @param {ArrayLike<number>} m */
function mirrors(m) {
  return m[0] * (m[5] * m[10] - m[6] * m[9]) - m[4] * (m[1] * m[10] - m[2] * m[9])
    + m[8] * (m[1] * m[6] - m[2] * m[5]) < 0;
}

/** Writes the pieces one after another. */
class GeometryWriter {
  #vertex = 0;
  #triangle = 0;
  #positions;
  #indices;
  #areas;
  #turnDoubleSided;

  /** @param {SceneGeometry} out @param {boolean} turnDoubleSided */
  constructor({ positions, indices, areas }, turnDoubleSided) {
    this.#positions = positions;
    this.#indices = indices;
    this.#areas = areas;
    this.#turnDoubleSided = turnDoubleSided;
  }

  /** @param {Piece} piece */
  write(piece) {
    const { source, matrix, winding, first, count, runs } = piece;
    writeVertices(source, first, count, matrix, this.#positions, 3 * this.#vertex);
    this.#checkVertices(piece);
    const isMirrored = mirrors(winding);
    for (const run of runs) {
      this.#writeIndices(source.index, run, this.#vertex - first, isMirrored !== run.isBack);
      const [start, end] = [this.#triangle, this.#triangle + run.count / 3];
      if (run.isDouble && this.#turnDoubleSided) this.#faceUp(start, end);
      this.#areas?.fill(run.area ?? DEFAULT_AREA, start, end);
      this.#triangle = end;
    }
    this.#vertex += count;
  }

  /**
   * @param {ArrayLike<number> | null} index @param {{ start: number, count: number }} run
   * @param {number} shift from the source's vertices to the written ones @param {boolean} isTurned
   */
  #writeIndices(index, { start, count }, shift, isTurned) {
    const indices = this.#indices;
    const [second, third] = isTurned ? [2, 1] : [1, 2];
    let at = 3 * this.#triangle;
    for (let i = start, end = start + count; i < end; i += 3, at += 3) {
      indices[at] = shift + (index ? index[i] : i);
      indices[at + 1] = shift + (index ? index[i + second] : i + second);
      indices[at + 2] = shift + (index ? index[i + third] : i + third);
    }
  }

  /** Turns the triangles that face down. @param {number} start @param {number} end */
  #faceUp(start, end) {
    const [positions, indices] = [this.#positions, this.#indices];
    for (let at = 3 * start; at < 3 * end; at += 3) {
      const a = 3 * indices[at];
      const b = 3 * indices[at + 1];
      const c = 3 * indices[at + 2];
      const ax = positions[a];
      const az = positions[a + 2];
      const up = (positions[b + 2] - az) * (positions[c] - ax) - (positions[b] - ax) * (positions[c + 2] - az);
      if (up >= 0) continue;
      indices[at + 1] = c / 3;
      indices[at + 2] = b / 3;
    }
  }

  /** Throws if a vertex of a triangle isn't finite; sets unused vertices that aren't finite to 0. @param {Piece} piece */
  #checkVertices({ object, source, matrix, first, count, runs }) {
    const positions = this.#positions;
    const start = 3 * this.#vertex;
    let sum = 0;
    for (let i = start, end = start + 3 * count; i < end; i++) sum += positions[i] * 0;
    if (sum === 0) return;
    const name = nameOf(object);
    if (Array.from(matrix).some((number) => !Number.isFinite(number))) {
      throw sceneError(name, 'its world matrix has a number that is not finite');
    }
    for (const run of runs) {
      for (let i = run.start; i < run.start + run.count; i++) {
        const vertex = source.index ? source.index[i] : i;
        const at = start + 3 * (vertex - first);
        if (positions[at] * 0 + positions[at + 1] * 0 + positions[at + 2] * 0 === 0) continue;
        const own = [0, 1, 2].map((axis) => source.array[source.offset + vertex * source.stride + axis]);
        throw sceneError(name, own.every(Number.isFinite) ? `vertex ${vertex} exceeds the range of float32 in world space`
          : `vertex ${vertex} is at (${own.join(', ')}): must be finite`);
      }
    }
    for (let i = start; i < start + 3 * count; i++) if (!Number.isFinite(positions[i])) positions[i] = 0;
  }
}

/**
 * Converts scene graphs to the geometry of a bake: `walkmesh.bake(geometryFromScene(scene), config)`.
 *
 * Reads meshes of every kind, in world coordinates: indexed or not, with draw ranges, groups and several materials,
 * interleaved, quantised and half-float positions; every instance of an InstancedMesh up to its count; every visible
 * instance of a BatchedMesh; the finest level of a LOD. Skips lines, points and sprites. Mirrored objects keep their outer
 * side. Triangles of materials that show back faces (BackSide) are turned, as they are drawn. A SkinnedMesh is read in the present
 * pose of its bones. Ignores everything else that only the GPU computes: morph targets, displacement, and shaders that move vertices.
 *
 * The area of a triangle is the first of: options.area; options.areas; userData.walkmesh.area of the mesh, of its material, of the nearest
 * ancestor; 63. An object or material with userData.walkmesh.ignore is left out, an object with all its children. glTF files
 * store userData as `extras`.
 *
 * Roots may contain one another: no mesh is read twice. The transforms of their parents apply.
 * @param {Object3D | Object3D[]} roots
 * @param {SceneOptions} [options]
 * @returns {SceneGeometry} areas only if a triangle has an area other than 63
 * @throws NavError `geometry` naming the object (its path in the scene): vertices that are missing or not finite, arrays that
 *   are on the GPU only; `invalid-argument` naming the option
 */
export function geometryFromScene(roots, options = {}) {
  checkOptions(options);
  const { filter, area } = options;
  return readWithCallbacks('roots', () => convert(roots, { ...options, filter: passErrors(filter), area: passErrors(area) }));
}

/** @param {Object3D | Object3D[]} roots @param {SceneOptions} options checked @returns {SceneGeometry} */
function convert(roots, options) {
  const list = Array.isArray(roots) ? roots : [roots];
  list.forEach((root, i) => {
    if (root?.isObject3D) return;
    throw invalidArgument(Array.isArray(roots) ? `roots[${i}]` : 'roots', `must be an Object3D, not ${describe(root)}`);
  });
  const walk = new SceneWalk(options);
  for (const root of list) walk.add(root);
  let [vertices, corners] = [0, 0];
  let hasAreas = false;
  for (const { count, runs } of walk.pieces) {
    vertices += count;
    for (const run of runs) {
      corners += run.count;
      hasAreas ||= (run.area ?? DEFAULT_AREA) !== DEFAULT_AREA;
    }
  }
  const geometry = makeArrays(vertices, corners, hasAreas);
  const writer = new GeometryWriter(geometry, options.turnDoubleSided ?? false);
  for (const piece of walk.pieces) writer.write(piece);
  keepWarnings(geometry.positions, walk.warnings);
  return geometry;
}

/** @param {number} vertices @param {number} corners @param {boolean} hasAreas @returns {SceneGeometry} */
function makeArrays(vertices, corners, hasAreas) {
  try {
    const geometry = { positions: new Float32Array(3 * vertices), indices: new Uint32Array(corners) };
    return hasAreas ? { ...geometry, areas: new Uint8Array(corners / 3) } : geometry;
  } catch (cause) {
    throw new NavError('out-of-memory', `not enough memory for ${vertices} vertices and ${corners / 3} triangles`, { cause });
  }
}
