/**
 * The triangles of three.js scene graphs as the geometry of a bake: one pass counts, one fills. Nothing is made for a
 * single vertex or triangle, and the scene is only read (world matrices are brought up to date).
 */
import { NavError, describe, invalidArgument } from '../runtime/errors.js';
import { unknownName } from '../runtime/option-names.js';
import { SceneWalk, nameOf } from './scene-walk.js';
import { sceneError, writeVertices } from './vertex-source.js';

/** @typedef {import('three').Object3D} Object3D */
/** @typedef {import('three').Mesh} Mesh */
/** @typedef {import('three').Material} Material */
/** @typedef {import('three').Layers} Layers */
/** @typedef {import('./scene-walk.js').Piece} Piece */

/**
 * @typedef {object} SceneOptions
 * @property {Layers | number} [layers] only meshes on one of these layers: a Layers, or a mask of bits as Layers.mask
 * @property {(mesh: Mesh) => boolean} [filter] asked for each mesh: false leaves it out, but not what is below it
 * @property {(mesh: Mesh, material: Material, instance: number | undefined) => number | null | undefined} [area] asked
 *   for each mesh, each material of a mesh with several, and each instance of an InstancedMesh or BatchedMesh: its area,
 *   0 to 63 (0: never walkable, but in the way); null leaves it out; undefined: what userData says
 * @property {boolean} [includeInvisible] also objects, materials and instances that are not visible, as colliders often
 *   are not; default false: what is invisible is left out with all that is below it
 * @property {boolean} [turnDoubleSided] triangles of double-sided materials that face down are turned to face up; default
 *   false: only what is wound to face up is ground, as with every other material
 */

/** @typedef {{ positions: Float32Array, indices: Uint32Array, areas?: Uint8Array }} SceneGeometry */

/** Area of triangles where nothing says another. */
const DEFAULT_AREA = 63;

const OPTION_TYPES = /** @type {const} */ ({
  layers: ['object', 'number'], filter: ['function'], area: ['function'], includeInvisible: ['boolean'],
  turnDoubleSided: ['boolean'],
});

/** @param {SceneOptions} options */
function checkOptions(options) {
  if (typeof options !== 'object' || options === null) {
    throw invalidArgument('options', `must be an object, not ${describe(options)}`, options);
  }
  for (const [name, value] of Object.entries(options)) {
    if (!Object.hasOwn(OPTION_TYPES, name)) {
      throw unknownName(name, Object.keys(OPTION_TYPES), value);
    }
    const types = /** @type {readonly string[]} */ (OPTION_TYPES[/** @type {keyof typeof OPTION_TYPES} */ (name)]);
    if (value !== undefined && (value === null || !types.includes(typeof value))) {
      throw invalidArgument(name, `is ${describe(value)}: must be of type ${types.join(' or ')}`, value);
    }
  }
}

/** Whether a matrix turns insides out. @param {ArrayLike<number>} m */
function mirrors(m) {
  return m[0] * (m[5] * m[10] - m[6] * m[9]) - m[4] * (m[1] * m[10] - m[2] * m[9])
    + m[8] * (m[1] * m[6] - m[2] * m[5]) < 0;
}

/** Writes the pieces one after the other. */
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
    const { source, matrix, first, count, runs } = piece;
    writeVertices(source, first, count, matrix, this.#positions, 3 * this.#vertex);
    this.#checkVertices(piece);
    const isMirrored = mirrors(matrix);
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
   * @param {number} shift from the source's vertices to those written @param {boolean} isTurned
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

  /** Turns those triangles that face down. @param {number} start @param {number} end */
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

  /** Every vertex of a triangle must be finite; others are made so. @param {Piece} piece */
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
        throw sceneError(name, own.every(Number.isFinite) ? `vertex ${vertex} comes to lie beyond what float32 can hold`
          : `vertex ${vertex} is at (${own.join(', ')}): must be finite`);
      }
    }
    for (let i = start; i < start + 3 * count; i++) if (!Number.isFinite(positions[i])) positions[i] = 0;
  }
}

/**
 * The level for a bake, out of scene graphs: `walkmesh.bake(geometryFromScene(scene), config)`.
 *
 * Taken are meshes of every kind, in world coordinates: indexed or not, with draw ranges, groups and several materials,
 * interleaved, quantised and half-float positions; every instance of an InstancedMesh up to its count; every visible
 * instance of a BatchedMesh; the finest level of a LOD. Lines, points and sprites are not. Mirrored objects keep their
 * outsides. Materials that show backs (BackSide) have their triangles turned, as they are drawn. Not taken into account,
 * because only the GPU knows: bones and morph targets (a SkinnedMesh is as it was modelled), displacement, and shaders
 * that move vertices.
 *
 * Area of a triangle, the first of: options.area; userData.walkmesh.area of the mesh, of its material, of the nearest
 * object above it; 63. What has userData.walkmesh.ignore set, object or material, is left out, an object with all that is
 * below it. glTF files bring userData as `extras`.
 *
 * Roots may be inside one another: nothing is taken twice. Their parents count for where they are.
 * @param {Object3D | Object3D[]} roots
 * @param {SceneOptions} [options]
 * @returns {SceneGeometry} areas only where a triangle has another than 63
 * @throws NavError `geometry` naming the object (its path in the scene): vertices that are not finite or not there,
 *   arrays that are on the GPU only; `invalid-argument` naming the option
 */
export function geometryFromScene(roots, options = {}) {
  checkOptions(options);
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
  return geometry;
}

/** @param {number} vertices @param {number} corners @param {boolean} hasAreas @returns {SceneGeometry} */
function makeArrays(vertices, corners, hasAreas) {
  try {
    const geometry = { positions: new Float32Array(3 * vertices), indices: new Uint32Array(corners) };
    return hasAreas ? { ...geometry, areas: new Uint8Array(corners / 3) } : geometry;
  } catch (cause) {
    throw new NavError('out-of-memory', `there is no memory for ${vertices} vertices and ${corners / 3} triangles`, { cause });
  }
}
