/** The triangles of a parsed glTF file in world coordinates, as one triangle soup. */
import { DEFAULT_AREA, readNameRules } from '../runtime/level-marks.js';
import { keepWarnings } from '../input/kept-warnings.js';
import { listParts } from './gltf-parts.js';
import { INSTANCING } from './gltf-json.js';
import { TriangleBudget } from './gltf-limits.js';
import { Pose } from './gltf-skins.js';
import { composeMatrix, mirrors, multiply } from './gltf-matrices.js';
import { fileError } from './file-error.js';

/** @typedef {import('@gltf-transform/core').Node} Node */
/** @typedef {import('@gltf-transform/core').Document} GltfDocument */
/** @typedef {import('@gltf-transform/core').Primitive} Primitive */
/** @typedef {import('@gltf-transform/extensions').InstancedMesh} InstancedMesh */
/** @typedef {import('./file-error.js').Level} Level */
/** @typedef {import('./gltf-parts.js').Part} Part */
/** @typedef {import('./gltf-matrices.js').Matrix} Matrix */

/** Modes of primitives that make triangles. */
const [TRIANGLES, STRIP, FAN] = [4, 5, 6];
/** The area of an instance that is left out. */
const LEFT_OUT = -1;

/** @param {Node} node @returns {InstancedMesh | null} */
const instancesOf = (node) => node.getExtension(INSTANCING);

/** How often a node shows its mesh. @param {Node} node */
function countPlacements(node) {
  const instances = instancesOf(node);
  return instances ? instances.listAttributes()[0]?.getCount() ?? 0 : 1;
}

/** The world matrix of each placement of a node's mesh: one, or one per instance, made when it is needed. @param {Node} node */
function placerOf(node) {
  const world = node.getWorldMatrix();
  const instances = instancesOf(node);
  if (!instances) return () => world;
  const [translations, rotations, scales] = ['TRANSLATION', 'ROTATION', 'SCALE'].map((name) => instances.getAttribute(name));
  return (/** @type {number} */ i) => multiply(world, composeMatrix(translations?.getElement(i, []) ?? [0, 0, 0],
    rotations?.getElement(i, []) ?? [0, 0, 0, 1], scales?.getElement(i, []) ?? [1, 1, 1]));
}

/** The vertex indices of a primitive's triangles. @param {Primitive} primitive @param {number} vertexCount */
function listCorners(primitive, vertexCount) {
  const given = primitive.getIndices()?.getArray();
  const order = given ?? Uint32Array.from({ length: vertexCount }, (_, i) => i);
  const mode = primitive.getMode();
  if (mode === TRIANGLES) return Uint32Array.from(order.subarray(0, order.length - (order.length % 3)));
  const corners = new Uint32Array(3 * Math.max(0, order.length - 2));
  for (let i = 0; i + 2 < order.length; i++) {
    const odd = i % 2;
    const triangle = mode === FAN ? [order[0], order[i + 1], order[i + 2]]
      : [order[i], order[i + 1 + odd], order[i + 2 - odd]];
    corners.set(triangle, 3 * i);
  }
  return corners;
}

/** The positions of a primitive as floats; they may be stored as integers. @param {import('@gltf-transform/core').Accessor} accessor */
function readPositions(accessor) {
  const array = accessor.getArray();
  if (array instanceof Float32Array) return array;
  const positions = new Float64Array(3 * accessor.getCount());
  /** @type {number[]} */
  const element = [];
  for (let i = 0; i < accessor.getCount(); i++) positions.set(accessor.getElement(i, element), 3 * i);
  return positions;
}

/** @param {Float32Array | Float64Array} local @param {Matrix} m @param {Float32Array} world */
function transformInto(local, m, world) {
  for (let i = 0; i < local.length; i += 3) {
    const [x, y, z] = [local[i], local[i + 1], local[i + 2]];
    world[i] = m[0] * x + m[4] * y + m[8] * z + m[12];
    world[i + 1] = m[1] * x + m[5] * y + m[9] * z + m[13];
    world[i + 2] = m[2] * x + m[6] * y + m[10] * z + m[14];
  }
}

/** @param {Primitive} primitive */
const isTriangles = (primitive) => [TRIANGLES, STRIP, FAN].includes(primitive.getMode()) && primitive.getAttribute('POSITION') !== null;

/** @typedef {import('@gltf-transform/core').Accessor | null} Column */
/** @typedef {{ local: Float32Array | Float64Array, corners: Uint32Array, joints: Column, weights: Column }} Shape positions, vertex indices, and joints of a primitive */

/** The triangles of a primitive. Throws if one has no such vertex. @param {Primitive} primitive @param {string} file name @returns {Shape} */
function readShape(primitive, file) {
  const local = readPositions(/** @type {import('@gltf-transform/core').Accessor} */ (primitive.getAttribute('POSITION')));
  const count = local.length / 3;
  if (!Number.isInteger(count)) throw fileError(file, `is damaged: the decoder returned ${local.length} numbers for vertices of three`);
  const corners = listCorners(primitive, count);
  for (const corner of corners) {
    if (corner >= count) throw fileError(file, `is damaged: a triangle has the vertex ${corner}, but there are ${count} vertices`);
  }
  return { local, corners, joints: primitive.getAttribute('JOINTS_0'), weights: primitive.getAttribute('WEIGHTS_0') };
}

/** @typedef {Shape & { node: Node, areas: Int8Array }} Piece areas: of each placement */

/** The areas of all placements of a part. @param {Part} part */
function listAreas({ node, areaOf }) {
  const isInstanced = instancesOf(node) !== null;
  return Int8Array.from({ length: countPlacements(node) }, (_, i) => areaOf(isInstanced ? i : undefined) ?? LEFT_OUT);
}

/**
 * The parts that count, with the areas of their placements. Shapes of the decoded file are counted again: a decoder may return more
 * than the file says.
 * @param {GltfDocument} document @param {import('./gltf.js').GltfOptions} options @param {import('../runtime/level-marks.js').NameRules} rules
 * @param {number} maxTriangles @param {string} file name
 */
function listPieces(document, options, rules, maxTriangles, file) {
  const budget = new TriangleBudget(maxTriangles, file);
  /** @type {Map<Primitive, Shape>} */
  const shapes = new Map();
  /** @type {Piece[]} */
  const pieces = [];
  for (const part of listParts(document, options, rules, file)) {
    const { node, primitive } = part;
    if (!isTriangles(primitive)) continue;
    const areas = listAreas(part);
    const count = countKept(areas);
    if (count === 0) continue;
    const shape = shapes.get(primitive) ?? readShape(primitive, file);
    shapes.set(primitive, shape);
    budget.add(count, shape.local.length / 3, shape.corners.length);
    pieces.push({ ...shape, node, areas });
  }
  return pieces;
}

/** The number of placements that are not left out. @param {Int8Array} areas */
const countKept = (areas) => areas.reduce((count, area) => count + (area === LEFT_OUT ? 0 : 1), 0);

/**
 * Throws if a vertex of a triangle isn't finite; sets unused vertices that aren't finite to 0, as geometryFromScene does.
 * @param {Piece} piece @param {Float32Array} world @param {string} file name
 */
function checkFinite({ node, local, corners }, world, file) {
  let sum = 0;
  for (let i = 0; i < world.length; i++) sum += world[i] * 0;
  if (sum === 0) return;
  for (const corner of corners) {
    if (world.subarray(3 * corner, 3 * corner + 3).every(Number.isFinite)) continue;
    const own = Array.from(local.subarray(3 * corner, 3 * corner + 3));
    const named = (/** @type {string} */ kind, /** @type {string | undefined} */ name) => (name ? `the ${kind} "${name}"` : `a ${kind} without a name`);
    throw fileError(file, `has ${named('node', node.getName())} with ${named('mesh', node.getMesh()?.getName())}: vertex ${corner} ${
      own.every(Number.isFinite) ? 'exceeds the range of float32 in world space' : `is at (${own.join(', ')}): must be finite`}`);
  }
  for (let i = 0; i < world.length; i++) if (!Number.isFinite(world[i])) world[i] = 0;
}

/** @param {Piece[]} pieces @param {string} file name @returns {Level} */
function join(pieces, file) {
  const sum = (/** @type {(piece: Piece) => number} */ size) => pieces.reduce((total, piece) => total + countKept(piece.areas) * size(piece), 0);
  const positions = new Float32Array(sum((piece) => piece.local.length));
  const indices = new Uint32Array(sum((piece) => piece.corners.length));
  const hasAreas = pieces.some(({ areas }) => areas.some((area) => area !== LEFT_OUT && area !== DEFAULT_AREA));
  const areas = hasAreas ? new Uint8Array(indices.length / 3) : undefined;
  let [vertexOffset, indexOffset] = [0, 0];
  const pose = new Pose(file);
  for (const piece of pieces) {
    const { node, local, corners, joints, weights, areas: own } = piece;
    const place = placerOf(node), skin = instancesOf(node) ? null : node.getSkin();
    for (let instance = 0; instance < own.length; instance++) {
      if (own[instance] === LEFT_OUT) continue;
      const matrix = place(instance);
      areas?.fill(own[instance], indexOffset / 3, (indexOffset + corners.length) / 3);
      const world = positions.subarray(3 * vertexOffset, 3 * vertexOffset + local.length);
      if (skin && joints && weights) pose.write(skin, { local, joints, weights }, world);
      else transformInto(local, matrix, world);
      checkFinite(piece, world, file);
      const swap = mirrors(matrix) ? 1 : 0;
      for (let i = 0; i < corners.length; i += 3) {
        indices[indexOffset++] = corners[i] + vertexOffset;
        indices[indexOffset++] = corners[i + 1 + swap] + vertexOffset;
        indices[indexOffset++] = corners[i + 2 - swap] + vertexOffset;
      }
      vertexOffset += local.length / 3;
    }
  }
  return areas ? { positions, indices, areas } : { positions, indices };
}

/**
 * All triangles that count.
 * @param {GltfDocument} document @param {import('./gltf.js').GltfOptions} options @param {number} maxTriangles @param {string} file name
 */
export function joinTriangles(document, options, maxTriangles, file) {
  const rules = readNameRules(options);
  const level = join(listPieces(document, options, rules, maxTriangles, file), file);
  keepWarnings(level.positions, rules.warnings());
  return level;
}
