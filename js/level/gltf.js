/**
 * glTF and GLB levels, parsed by @gltf-transform: every mesh of the default scene, in world coordinates, as one
 * list of triangles. Mirrored nodes keep their faces facing the same way; instanced meshes are laid out.
 */
import { NodeIO, Primitive } from '@gltf-transform/core';
import { ALL_EXTENSIONS } from '@gltf-transform/extensions';
import { NavError } from '../errors.js';

/** @typedef {import('@gltf-transform/core').Node} Node */
/** @typedef {import('@gltf-transform/core').Document} GltfDocument */
/** @typedef {ArrayLike<number>} Matrix sixteen numbers, column by column */

/** Decoders that a compressed file needs, where the user has installed them. */
const DECODERS = [
  { extension: 'EXT_meshopt_compression', package: 'meshoptimizer' },
  { extension: 'KHR_draco_mesh_compression', package: 'draco3dgltf' },
];

/** @param {string} name */
async function importOptional(name) {
  try {
    return await import(name);
  } catch {
    return null;
  }
}

/** @param {string} message @param {string} path @param {unknown} [cause] */
function fileError(message, path, cause) {
  return new NavError('file', `${path} ${message}`, { field: 'file', value: path, cause });
}

/** @param {string} path @returns {Promise<GltfDocument>} */
async function readDocument(path) {
  const io = new NodeIO().registerExtensions(ALL_EXTENSIONS);
  const meshopt = await importOptional('meshoptimizer');
  if (meshopt) io.registerDependencies({ 'meshopt.decoder': meshopt.MeshoptDecoder });
  const draco = await importOptional('draco3dgltf');
  if (draco) io.registerDependencies({ 'draco3d.decoder': await draco.default.createDecoderModule() });
  try {
    return await io.read(path);
  } catch (cause) {
    const reason = (cause instanceof Error ? cause.message : String(cause)).split('\n')[0];
    const decoder = DECODERS.find(({ extension }) => reason.includes(extension));
    const advice = decoder ? `; install the package ${decoder.package} to read it` : '';
    throw fileError(`is not a complete glTF file: ${reason}${advice}`, path, cause);
  }
}

/** Nodes with a mesh: those of the default scene, or of the first, or all. @param {GltfDocument} document */
function listMeshNodes(document) {
  const root = document.getRoot();
  const scene = root.getDefaultScene() ?? root.listScenes()[0];
  if (!scene) return root.listNodes().filter((node) => node.getMesh());
  /** @type {Node[]} */
  const nodes = [];
  scene.traverse((node) => {
    if (node.getMesh()) nodes.push(node);
  });
  return nodes;
}

/** @param {Matrix} a @param {Matrix} b */
function multiply(a, b) {
  return Array.from({ length: 16 }, (_, i) => {
    const [row, column] = [i % 4, i - (i % 4)];
    return a[row] * b[column] + a[row + 4] * b[column + 1] + a[row + 8] * b[column + 2] + a[row + 12] * b[column + 3];
  });
}

/** @param {ArrayLike<number>} t @param {ArrayLike<number>} q quaternion @param {ArrayLike<number>} s */
function composeMatrix(t, q, s) {
  const [x, y, z, w] = [q[0], q[1], q[2], q[3]];
  return [
    s[0] * (1 - 2 * (y * y + z * z)), s[0] * 2 * (x * y + z * w), s[0] * 2 * (x * z - y * w), 0,
    s[1] * 2 * (x * y - z * w), s[1] * (1 - 2 * (x * x + z * z)), s[1] * 2 * (y * z + x * w), 0,
    s[2] * 2 * (x * z + y * w), s[2] * 2 * (y * z - x * w), s[2] * (1 - 2 * (x * x + y * y)), 0,
    t[0], t[1], t[2], 1,
  ];
}

/** Where the node's mesh stands: once, or once an instance (EXT_mesh_gpu_instancing). @param {Node} node */
function listPlacements(node) {
  /** @type {Matrix} */
  const world = node.getWorldMatrix();
  const instances = /** @type {import('@gltf-transform/extensions').InstancedMesh | null} */ (
    node.getExtension('EXT_mesh_gpu_instancing'));
  if (!instances) return [world];
  const count = instances.listAttributes()[0]?.getCount() ?? 0;
  const element = (/** @type {string} */ name, /** @type {number} */ i, /** @type {number[]} */ otherwise) =>
    instances.getAttribute(name)?.getElement(i, []) ?? otherwise;
  return Array.from({ length: count }, (_, i) => multiply(world, composeMatrix(
    element('TRANSLATION', i, [0, 0, 0]), element('ROTATION', i, [0, 0, 0, 1]), element('SCALE', i, [1, 1, 1]))));
}

/** The corners of a primitive's triangles, as vertex numbers. @param {Primitive} primitive @param {number} vertexCount */
function listCorners(primitive, vertexCount) {
  const given = primitive.getIndices()?.getArray();
  const order = given ?? Uint32Array.from({ length: vertexCount }, (_, i) => i);
  const mode = primitive.getMode();
  if (mode === Primitive.Mode.TRIANGLES) return Uint32Array.from(order.subarray(0, order.length - (order.length % 3)));
  const corners = new Uint32Array(3 * Math.max(0, order.length - 2));
  for (let i = 0; i + 2 < order.length; i++) {
    const odd = i % 2;
    const triangle = mode === Primitive.Mode.TRIANGLE_FAN ? [order[0], order[i + 1], order[i + 2]]
      : [order[i], order[i + 1 + odd], order[i + 2 - odd]];
    corners.set(triangle, 3 * i);
  }
  return corners;
}

/** @param {Matrix} m */
function mirrors(m) {
  return m[0] * (m[5] * m[10] - m[6] * m[9]) - m[4] * (m[1] * m[10] - m[2] * m[9])
    + m[8] * (m[1] * m[6] - m[2] * m[5]) < 0;
}

/** Positions of a primitive as numbers, whatever they are stored as. @param {import('@gltf-transform/core').Accessor} accessor */
function readPositions(accessor) {
  const positions = new Float64Array(3 * accessor.getCount());
  /** @type {number[]} */
  const element = [];
  for (let i = 0; i < accessor.getCount(); i++) positions.set(accessor.getElement(i, element), 3 * i);
  return positions;
}

/** @param {Float64Array} local @param {Matrix} m @param {Float32Array} world @param {number} offset */
function transformInto(local, m, world, offset) {
  for (let i = 0; i < local.length; i += 3) {
    const [x, y, z] = [local[i], local[i + 1], local[i + 2]];
    world[offset + i] = m[0] * x + m[4] * y + m[8] * z + m[12];
    world[offset + i + 1] = m[1] * x + m[5] * y + m[9] * z + m[13];
    world[offset + i + 2] = m[2] * x + m[6] * y + m[10] * z + m[14];
  }
}

/** @param {Primitive} primitive */
function isTriangles(primitive) {
  const { TRIANGLES, TRIANGLE_STRIP, TRIANGLE_FAN } = Primitive.Mode;
  const modes = /** @type {number[]} */ ([TRIANGLES, TRIANGLE_STRIP, TRIANGLE_FAN]);
  return modes.includes(primitive.getMode()) && primitive.getAttribute('POSITION') !== null;
}

/** Every primitive at every place it stands. @param {GltfDocument} document */
function listPieces(document) {
  return listMeshNodes(document).flatMap((node) => {
    const primitives = node.getMesh()?.listPrimitives().filter(isTriangles) ?? [];
    return primitives.flatMap((primitive) => {
      const local = readPositions(/** @type {import('@gltf-transform/core').Accessor} */ (
        primitive.getAttribute('POSITION')));
      const corners = listCorners(primitive, local.length / 3);
      return listPlacements(node).map((matrix) => ({ local, corners, matrix }));
    });
  });
}

/**
 * @param {string} path
 * @returns {Promise<{ positions: Float32Array, indices: Uint32Array }>}
 */
export async function readGltf(path) {
  const pieces = listPieces(await readDocument(path));
  const sum = (/** @type {(piece: typeof pieces[number]) => number} */ size) =>
    pieces.reduce((total, piece) => total + size(piece), 0);
  const positions = new Float32Array(sum((piece) => piece.local.length));
  const indices = new Uint32Array(sum((piece) => piece.corners.length));
  let [vertexOffset, indexOffset] = [0, 0];
  for (const { local, corners, matrix } of pieces) {
    transformInto(local, matrix, positions, 3 * vertexOffset);
    const swap = mirrors(matrix) ? 1 : 0;
    for (let i = 0; i < corners.length; i += 3) {
      indices[indexOffset++] = corners[i] + vertexOffset;
      indices[indexOffset++] = corners[i + 1 + swap] + vertexOffset;
      indices[indexOffset++] = corners[i + 2 - swap] + vertexOffset;
    }
    vertexOffset += local.length / 3;
  }
  if (indices.length === 0) throw fileError('holds no triangles', path);
  return { positions, indices };
}
