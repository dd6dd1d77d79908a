/**
 * Collects the triangles of a scene graph: a list of pieces, each a range of vertices, the triangles among them and a matrix.
 * A mesh is one piece, an InstancedMesh one for every instance, a BatchedMesh one for every visible instance.
 *
 * The rules are those of three.js for drawing: the children of invisible objects are left out, draw ranges and groups bound the
 * triangles, the materials of groups may be missing, and a LOD has its finest level.
 */
import { BackSide, DoubleSide, Matrix4 } from 'three';
import { NavError } from '../runtime/errors.js';
import { checkArea, readMark, readNameRules } from '../runtime/level-marks.js';
import { IDENTITY, poseSource } from './posed-vertices.js';
import { readSource, sceneError, usedVertices } from './vertex-source.js';

/** @typedef {import('three').Object3D} Object3D */
/** @typedef {import('three').Mesh} Mesh */
/** @typedef {import('three').Material} Material */
/** @typedef {import('three').BatchedMesh} BatchedMesh */
/** @typedef {import('three').InstancedMesh} InstancedMesh */
/** @typedef {import('./geometry-from-scene.js').SceneOptions} SceneOptions */
/** @typedef {import('./vertex-source.js').VertexSource} VertexSource */

/**
 * Triangles of one area.
 * @typedef {object} Run
 * @property {number} start in the index, or in the vertices if there is none
 * @property {number} count a multiple of 3
 * @property {number | undefined} area undefined: the default
 * @property {boolean} isBack true if the material shows the back faces of triangles
 * @property {boolean} isDouble true if it shows both sides
 */

/**
 * @typedef {object} Piece
 * @property {Mesh} object
 * @property {VertexSource} source
 * @property {ArrayLike<number>} matrix 16 numbers
 * @property {ArrayLike<number>} winding the matrix that turns triangles if it mirrors: that of the object for skinned meshes
 * @property {number} first vertex
 * @property {number} count of vertices
 * @property {Run[]} runs
 */

/** An object and its ancestors. @param {Object3D | null} object @returns {Generator<Object3D>} */
function* lineOf(object) {
  const seen = new Set();
  for (let at = object; at; at = at.parent) {
    if (seen.has(at)) throw new NavError('geometry', `the object ${at.name || at.type} is its own ancestor`, { field: 'roots' });
    seen.add(at);
    yield at;
  }
}

/** The object's path in its scene, for errors. @param {Object3D} object */
export const nameOf = (object) => Array.from(lineOf(object), (at) => at.name || at.type).reverse().join('/');

/** The area in userData.walkmesh; null: leave the owner out. @param {Object3D | Material} owner @param {string} name for errors */
const markedArea = ({ userData }, name) => readMark(userData?.walkmesh, 'userData', (problem) => sceneError(name, problem));

/** The name in the file, which GLTFLoader keeps in userData, else the object's. @param {Object3D} object @returns {string} */
const fileNameOf = (object) => object.userData.name ?? object.name;

/** The names of an object and its ancestors. @param {Object3D} object */
const namesOf = (object) => Array.from(lineOf(object), fileNameOf);

/** The complete triangles of a range. @param {number} start @param {number} end @param {number} limit */
function clipRange(start, end, limit) {
  const first = Math.max(start, 0);
  const count = Math.min(end, limit) - first;
  return { start: first, count: count > 0 ? count - count % 3 : 0 };
}

export class SceneWalk {
  /** @type {Piece[]} */
  pieces = [];
  #options;
  #rules;
  #layerMask;
  /** @type {Map<import('three').BufferGeometry, VertexSource | null>} */
  #sources = new Map();
  /** @type {Set<Object3D>} */
  #visited = new Set();

  /** @param {SceneOptions} options checked */
  constructor(options) {
    this.#options = options;
    this.#rules = readNameRules(options);
    const { layers } = options;
    this.#layerMask = typeof layers === 'object' ? layers.mask : layers;
  }

  /** Warnings of name patterns that match nothing. */
  get warnings() {
    return this.#rules.warnings();
  }

  /** Adds an object and its children, with the area of the nearest ancestor that has one. @param {Object3D} root */
  add(root) {
    root.updateWorldMatrix(true, true);
    let area;
    for (const at of lineOf(root.parent)) area ??= markedArea(at, nameOf(at)) ?? undefined;
    this.#visit(root, area, false);
  }

  /**
   * @param {Object3D} object @param {number | undefined} inheritedArea @param {boolean} isShown false if an ancestor is invisible
   */
  #visit(object, inheritedArea, isShown) {
    if (this.#visited.has(object)) return;
    this.#visited.add(object);
    const { includeInvisible = false } = this.#options;
    if (!object.visible && !isShown && !includeInvisible) return;
    if (this.#rules.isExcluded(fileNameOf(object))) return; // with all below, whatever their marks
    const marked = object.userData.walkmesh === undefined ? undefined : markedArea(object, nameOf(object));
    if (marked === null) return;
    const mesh = /** @type {Mesh} */ (object);
    if (mesh.isMesh && this.#isWanted(mesh)) this.#addMesh(mesh, marked, inheritedArea);
    const levels = /** @type {any} */ (object).isLOD ? /** @type {import('three').LOD} */ (object).levels : [];
    for (const child of object.children) {
      const level = levels.findIndex((item) => item.object === child);
      if (level <= 0) this.#visit(child, marked ?? inheritedArea, level === 0);
    }
  }

  /** @param {Mesh} mesh */
  #isWanted(mesh) {
    if (this.#layerMask !== undefined && (mesh.layers.mask & this.#layerMask) === 0) return false;
    const { filter } = this.#options;
    return filter === undefined || filter(mesh);
  }

  /** @param {Mesh} mesh @param {number | undefined} marked @param {number | undefined} inherited */
  #addMesh(mesh, marked, inherited) {
    const name = nameOf(mesh);
    const { geometry } = mesh;
    if (!geometry?.isBufferGeometry) throw sceneError(name, 'it has no BufferGeometry');
    let source = this.#sources.get(geometry);
    if (source === undefined) this.#sources.set(geometry, source = readSource(geometry, name));
    if (source === null) return;
    const skinned = /** @type {any} */ (mesh).isSkinnedMesh ? poseSource(/** @type {import('three').SkinnedMesh} */ (mesh), source, name) : null;
    const addPiece = (/** @type {ArrayLike<number>} */ matrix, /** @type {Run[]} */ runs,
      /** @type {{ first: number, count: number }} */ vertices) => {
      if (matrix.length !== 16) throw sceneError(name, `its world matrix has ${matrix.length} numbers: must have 16`);
      if (runs.length > 0 && vertices.count > 0) this.pieces.push({ object: mesh, source: skinned ?? source, matrix: skinned ? IDENTITY : matrix, winding: matrix, runs, ...vertices });
    };
    const areas = { marked, inherited, name };
    if ('isBatchedMesh' in mesh) {
      this.#addBatch(/** @type {BatchedMesh} */ (mesh), source, areas, addPiece);
    } else if ('isInstancedMesh' in mesh) {
      this.#addInstances(/** @type {InstancedMesh} */ (mesh), source, areas, addPiece);
    } else {
      const runs = this.#runsOf(mesh, this.#rangesOf(mesh, source), areas, undefined);
      addPiece(mesh.matrixWorld.elements, runs, usedVertices(source, runs, name));
    }
  }

  /** The ranges of it that three.js draws. @param {Mesh} mesh @param {VertexSource} source */
  #rangesOf({ geometry, material }, { indexCount }) {
    const { start, count } = geometry.drawRange;
    const end = start + count;
    if (!Array.isArray(material)) return [{ material, ...clipRange(start, end, indexCount) }];
    return geometry.groups.map((group) => ({
      material: material[group.materialIndex ?? 0],
      ...clipRange(Math.max(start, group.start), Math.min(end, group.start + group.count), indexCount),
    }));
  }

  /**
   * Ranges with their areas, without those that are left out.
   * @param {Mesh} mesh @param {{ material: Material | undefined, start: number, count: number }[]} ranges
   * @param {{ marked: number | undefined, inherited: number | undefined, name: string }} areas
   * @param {number | undefined} instance
   */
  #runsOf(mesh, ranges, { marked, inherited, name }, instance) {
    const { area: areaOf, includeInvisible = false } = this.#options;
    const ancestors = namesOf(mesh);
    /** @type {Run[]} */
    const runs = [];
    for (const { material, start, count } of ranges) {
      if (count === 0 || !material || (!material.visible && !includeInvisible)) continue;
      const names = [...ancestors, material.name];
      if (!this.#rules.isWanted(names)) continue;
      const fail = (/** @type {string} */ problem) => sceneError(name, problem);
      const answer = areaOf && checkArea(areaOf(mesh, material, instance), 'the area of options.area', fail);
      const asked = answer === undefined ? this.#rules.areaOf(names) : answer;
      const ofMaterial = markedArea(material, name);
      const area = asked !== undefined ? asked : ofMaterial === null ? null : marked ?? ofMaterial ?? inherited;
      if (area === null) continue;
      runs.push({ start, count, area, isBack: material.side === BackSide, isDouble: material.side === DoubleSide });
    }
    return runs;
  }

  /**
   * @param {InstancedMesh} mesh @param {VertexSource} source
   * @param {{ marked: number | undefined, inherited: number | undefined, name: string }} areas
   * @param {(matrix: ArrayLike<number>, runs: Run[], vertices: { first: number, count: number }) => void} addPiece
   */
  #addInstances(mesh, source, areas, addPiece) {
    const ranges = this.#rangesOf(mesh, source);
    const shared = this.#options.area ? undefined : this.#runsOf(mesh, ranges, areas, undefined);
    const vertices = usedVertices(source, shared ?? ranges, areas.name);
    const matrix = new Matrix4();
    for (let i = 0, count = Math.min(mesh.count, mesh.instanceMatrix.count, mesh.instanceMatrix.array.length / 16); i < count; i++) {
      mesh.getMatrixAt(i, matrix);
      matrix.premultiply(mesh.matrixWorld);
      addPiece(matrix.elements.slice(), shared ?? this.#runsOf(mesh, ranges, areas, i), vertices);
    }
  }

  /**
   * @param {BatchedMesh} mesh @param {VertexSource} source
   * @param {{ marked: number | undefined, inherited: number | undefined, name: string }} areas
   * @param {(matrix: ArrayLike<number>, runs: Run[], vertices: { first: number, count: number }) => void} addPiece
   */
  #addBatch(mesh, source, areas, addPiece) {
    const material = /** @type {Material | undefined} */ ([mesh.material].flat()[0]);
    /** @type {Map<number, { range: { start: number, count: number }, vertices: { first: number, count: number } }>} */
    const known = new Map();
    const matrix = new Matrix4();
    for (let i = 0, left = mesh.instanceCount; left > 0 && i < mesh.maxInstanceCount; i++) {
      const isVisible = visibleInstance(mesh, i);
      if (isVisible === undefined) continue;
      if (isVisible) left--; // invisible ones don't count: three 0.170 reports deleted instances as invisible
      if (!isVisible && !this.#options.includeInvisible) continue;
      const id = mesh.getGeometryIdAt(i);
      let part = known.get(id);
      if (!part) {
        const { start, count } = mesh.getGeometryRangeAt(id) ?? { start: 0, count: 0 };
        const range = clipRange(start, start + count, source.indexCount);
        known.set(id, part = { range, vertices: usedVertices(source, [range], areas.name) });
      }
      mesh.getMatrixAt(i, matrix);
      matrix.premultiply(mesh.matrixWorld);
      const runs = this.#runsOf(mesh, [{ material, ...part.range }], areas, i);
      addPiece(matrix.elements.slice(), runs, part.vertices);
    }
  }
}

/** undefined: no instance has this number (any more). @param {BatchedMesh} mesh @param {number} instance */
function visibleInstance(mesh, instance) {
  try {
    return mesh.getVisibleAt(instance);
  } catch {
    return undefined;
  }
}
