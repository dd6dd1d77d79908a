/**
 * Reads glTF and GLB levels with @gltf-transform: every mesh of the default scene, in world coordinates, as one triangle soup.
 * The faces of mirrored nodes are flipped back; every instance of an instanced mesh is included. Images, materials and animations
 * are not read.
 */
import { requireOptions } from '../runtime/arguments.js';
import { NavError, describe, invalidArgument } from '../runtime/errors.js';
import { nameSet } from '../runtime/option-names.js';
import { DEFAULT_AREA, listParts } from './gltf-parts.js';
import { DRACO, keepTriangles, readContainer } from './gltf-json.js';
import { MAX_TRIANGLES, checkSizes, requireMaxTriangles } from './gltf-limits.js';
import { fileError, toBytes } from './file-error.js';

/** @typedef {import('@gltf-transform/core').Node} Node */
/** @typedef {import('@gltf-transform/core').Document} GltfDocument */
/** @typedef {import('@gltf-transform/core').Primitive} Primitive */
/** @typedef {import('./file-error.js').Level} Level */
/** @typedef {import('./file-error.js').LevelBytes} LevelBytes */
/** @typedef {ArrayLike<number>} Matrix sixteen numbers, column by column */

/**
 * @typedef {object} FileOptions
 * @property {string} [name] of the file, for error messages; default: "the glTF file"
 * @property {Record<string, LevelBytes> | ((address: string) => LevelBytes | undefined | Promise<LevelBytes | undefined>)} [resources]
 *   other files that it names (buffers; images are not needed): address as written in the file -> contents
 * @property {{ meshopt?: object | (() => Promise<object>), draco?: object | (() => Promise<object>) }} [decoders] for compressed
 *   files: MeshoptDecoder of meshoptimizer, and the result of createDecoderModule of draco3dgltf; or functions that return
 *   them when they are needed. Default: these packages, if they are installed
 * @property {number} [maxTriangles] counting each instance; also limits vertices, to three times as many. More is an error
 *   `limit`, before memory is allocated; default 20 million, about 500 MB
 */

/** @typedef {FileOptions & import('./gltf-parts.js').PartOptions & import('../runtime/level-marks.js').NamePatterns} GltfOptions */

const NAMES = nameSet(/** @satisfies {import('../runtime/option-names.js').Names<GltfOptions>} */ (
  { name: 1, resources: 1, decoders: 1, maxTriangles: 1, filter: 1, area: 1, include: 1, exclude: 1, areas: 1 }));

/** Checks the functions. @param {GltfOptions} options */
function requireFunctions(options) {
  for (const name of /** @type {const} */ (['filter', 'area'])) {
    const value = options[name];
    if (value !== undefined && typeof value !== 'function') throw invalidArgument(name, `is ${describe(value)}: must be a function`, value);
  }
}

/** Modes of primitives that make triangles. */
const [TRIANGLES, STRIP, FAN] = [4, 5, 6];

/** Decoders of compressed files. @type {{ extension: string, name: 'meshopt' | 'draco', module: string, take: (module: any) => unknown }[]} */
const DECODERS = [
  { extension: 'EXT_meshopt_compression', name: 'meshopt', module: 'meshoptimizer', take: ({ MeshoptDecoder }) => MeshoptDecoder },
  { extension: DRACO, name: 'draco', module: 'draco3dgltf', take: (draco) => draco.default.createDecoderModule() },
];

/** The decoder, or undefined. @param {typeof DECODERS[number]} decoder @param {GltfOptions['decoders']} given */
async function findDecoder({ name, module, take }, given) {
  const own = given?.[name];
  if (own) return typeof own === 'function' && !('ready' in own) ? own() : own;
  try {
    return await take(await import(/* @vite-ignore */ /* webpackIgnore: true */ module));
  } catch {
    return undefined;
  }
}

/** The decoders for a file's extensions, by their names in @gltf-transform. @param {any} json @param {GltfOptions['decoders']} given @param {string} name */
async function findDecoders(json, given, name) {
  /** @type {Record<string, unknown>} */
  const found = {};
  for (const decoder of DECODERS) {
    if (!json.extensionsUsed?.includes(decoder.extension)) continue;
    const made = await findDecoder(decoder, given);
    if (!made) throw fileError(name, `is compressed with ${decoder.extension}: install the package ${decoder.module} to read it`);
    if (decoder.name === 'meshopt') await /** @type {any} */ (made).ready;
    found[decoder.name === 'meshopt' ? 'meshopt.decoder' : 'draco3d.decoder'] = made;
  }
  return found;
}

/** The contents of the files that a glTF file names. @param {any} json @param {GltfOptions['resources']} resources @param {string} name */
async function findResources(json, resources, name) {
  /** @type {Record<string, Uint8Array>} */
  const found = {};
  for (const { uri, byteLength } of json.buffers ?? []) {
    if (uri === undefined || /^data:/i.test(uri)) continue;
    const data = typeof resources === 'function' ? await resources(uri) : resources?.[uri];
    if (data === undefined) throw fileError(name, `needs the file ${uri}: pass it in resources`);
    found[uri] = toBytes(data, `resources[${uri}]`);
    if (found[uri].length < byteLength) throw fileError(name, `needs ${byteLength} bytes of ${uri}, which has ${found[uri].length}`);
  }
  return found;
}

/** The packages that read glTF, imported when the first file is read. */
async function importLibrary() {
  try {
    return await Promise.all([import('@gltf-transform/core'), import('@gltf-transform/extensions')]);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new NavError('unreachable', 'readGltf needs the packages @gltf-transform/core and @gltf-transform/extensions, which cannot be '
      + `imported (${reason.split('\n')[0]}). Without a bundler, import dist/level.min.js, which contains them`, { cause });
  }
}

/** @param {Uint8Array} bytes @param {string} name @param {GltfOptions} options @returns {Promise<GltfDocument>} */
async function readDocument(bytes, name, { resources, decoders, maxTriangles = MAX_TRIANGLES }) {
  const { json: whole, binary } = readContainer(bytes, name);
  const json = keepTriangles(whole);
  checkSizes(json, requireMaxTriangles(maxTriangles), name);
  const [{ GLB_BUFFER, Logger, Verbosity, WebIO }, extensions] = await importLibrary();
  const { EXTMeshGPUInstancing, EXTMeshoptCompression, KHRDracoMeshCompression, KHRMeshQuantization } = extensions;
  const io = new WebIO().setLogger(new Logger(Verbosity.SILENT))
    .registerExtensions([EXTMeshGPUInstancing, EXTMeshoptCompression, KHRDracoMeshCompression, KHRMeshQuantization])
    .registerDependencies(await findDecoders(json, decoders, name));
  /** @type {Record<string, any>} */
  const contents = await findResources(json, resources, name);
  if (binary) contents[GLB_BUFFER] = binary;
  return io.readJSON({ json, resources: contents });
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

/**
 * World matrices of the node's mesh: one, or one per instance (EXT_mesh_gpu_instancing).
 * @param {Node} node @returns {{ matrix: Matrix, instance: number | undefined }[]}
 */
function listPlacements(node) {
  const world = node.getWorldMatrix();
  const instances = /** @type {import('@gltf-transform/extensions').InstancedMesh | null} */ (
    node.getExtension('EXT_mesh_gpu_instancing'));
  if (!instances) return [{ matrix: world, instance: undefined }];
  const count = instances.listAttributes()[0]?.getCount() ?? 0;
  const element = (/** @type {string} */ name, /** @type {number} */ i, /** @type {number[]} */ otherwise) =>
    instances.getAttribute(name)?.getElement(i, []) ?? otherwise;
  return Array.from({ length: count }, (_, instance) => ({
    instance, matrix: multiply(world, composeMatrix(element('TRANSLATION', instance, [0, 0, 0]),
      element('ROTATION', instance, [0, 0, 0, 1]), element('SCALE', instance, [1, 1, 1]))),
  }));
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

/** @param {Matrix} m */
function mirrors(m) {
  return m[0] * (m[5] * m[10] - m[6] * m[9]) - m[4] * (m[1] * m[10] - m[2] * m[9])
    + m[8] * (m[1] * m[6] - m[2] * m[5]) < 0;
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

/** @param {Float32Array | Float64Array} local @param {Matrix} m @param {Float32Array} world @param {number} offset */
function transformInto(local, m, world, offset) {
  for (let i = 0; i < local.length; i += 3) {
    const [x, y, z] = [local[i], local[i + 1], local[i + 2]];
    world[offset + i] = m[0] * x + m[4] * y + m[8] * z + m[12];
    world[offset + i + 1] = m[1] * x + m[5] * y + m[9] * z + m[13];
    world[offset + i + 2] = m[2] * x + m[6] * y + m[10] * z + m[14];
  }
}

/** @param {Primitive} primitive */
const isTriangles = (primitive) => [TRIANGLES, STRIP, FAN].includes(primitive.getMode()) && primitive.getAttribute('POSITION') !== null;

/**
 * Every part with every matrix of its node.
 * @param {GltfDocument} document @param {GltfOptions} options @param {string} name of the file
 */
function listPieces(document, options, name) {
  return listParts(document, options, name).filter(({ primitive }) => isTriangles(primitive)).flatMap(({ node, primitive, areaOf }) => {
    const local = readPositions(/** @type {import('@gltf-transform/core').Accessor} */ (
      primitive.getAttribute('POSITION')));
    const corners = listCorners(primitive, local.length / 3);
    return listPlacements(node).flatMap(({ matrix, instance }) => {
      const area = areaOf(instance);
      return area === null ? [] : [{ local, corners, matrix, area }];
    });
  });
}

/** @param {ReturnType<typeof listPieces>} pieces @returns {Level} */
function join(pieces) {
  const sum = (/** @type {(piece: typeof pieces[number]) => number} */ size) =>
    pieces.reduce((total, piece) => total + size(piece), 0);
  const positions = new Float32Array(sum((piece) => piece.local.length));
  const indices = new Uint32Array(sum((piece) => piece.corners.length));
  const areas = pieces.some(({ area }) => area !== DEFAULT_AREA) ? new Uint8Array(indices.length / 3) : undefined;
  let [vertexOffset, indexOffset] = [0, 0];
  for (const { local, corners, matrix, area } of pieces) {
    areas?.fill(area, indexOffset / 3, (indexOffset + corners.length) / 3);
    transformInto(local, matrix, positions, 3 * vertexOffset);
    const swap = mirrors(matrix) ? 1 : 0;
    for (let i = 0; i < corners.length; i += 3) {
      indices[indexOffset++] = corners[i] + vertexOffset;
      indices[indexOffset++] = corners[i + 1 + swap] + vertexOffset;
      indices[indexOffset++] = corners[i + 2 - swap] + vertexOffset;
    }
    vertexOffset += local.length / 3;
  }
  return areas ? { positions, indices, areas } : { positions, indices };
}

/** @param {ReturnType<typeof listPieces>} pieces @param {string} name */
function checkCorners(pieces, name) {
  for (const { local, corners } of pieces) {
    const count = local.length / 3;
    for (const corner of corners) if (corner >= count) throw fileError(name, `is damaged: a triangle has the vertex ${corner}, but there are ${count} vertices`);
  }
}

/**
 * The triangles of a GLB or glTF 2.0 file; the contents tell which it is. Files that it names come from `resources`. Draco and
 * meshopt need a decoder.
 *
 * The area of a triangle is the first of: options.area; options.areas; extras.walkmesh.area of its node or mesh, of its material, of the
 * nearest ancestor; 63. A node, mesh or material with extras.walkmesh.ignore is left out, a node with all its children. geometryFromScene
 * has the same rules.
 * @param {LevelBytes} data
 * @param {GltfOptions} [options]
 * @returns {Promise<Level>}
 */
export async function readGltf(data, options = {}) {
  const { name = 'the glTF file' } = requireOptions(options, NAMES);
  requireFunctions(options);
  const bytes = toBytes(data);
  let pieces;
  try {
    pieces = listPieces(await readDocument(bytes, name, options), options, name);
  } catch (cause) {
    if (cause instanceof NavError) throw cause;
    throw fileError(name, `is truncated or damaged: ${(cause instanceof Error ? cause.message : String(cause)).split('\n')[0]}`, cause);
  }
  checkCorners(pieces, name);
  const level = join(pieces);
  if (level.indices.length === 0) throw fileError(name, 'has no triangles, or all are left out');
  return level;
}
