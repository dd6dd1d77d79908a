/**
 * Reads glTF and GLB levels with @gltf-transform: every mesh of the default scene, in world coordinates, as one triangle soup.
 * The faces of mirrored nodes are flipped back; every instance of an instanced mesh is included. Images, materials and animations
 * are not read.
 *
 * Public types stand here, and name none of @gltf-transform: its declarations need a newer standard library than ours.
 */
import { requireOptions } from '../runtime/arguments.js';
import { NavError, describe, invalidArgument } from '../runtime/errors.js';
import { nameSet } from '../runtime/option-names.js';
import { readBuffers } from './gltf-buffers.js';
import { keepTriangles, readContainer } from './gltf-json.js';
import { DRACO, MESHOPT, checkLayout } from './gltf-layout.js';
import { MAX_TRIANGLES, checkSizes, requireMaxTriangles } from './gltf-limits.js';
import { joinTriangles } from './gltf-triangles.js';
import { fileError, toBytes } from './file-error.js';

/** @typedef {import('./file-error.js').Level} Level */
/** @typedef {import('./file-error.js').LevelBytes} LevelBytes */

/**
 * @typedef {object} FileOptions
 * @property {string} [name] of the file, for error messages; default: "the glTF file"
 * @property {import('./gltf-buffers.js').Resources} [resources]
 *   other files that it names (buffers; images are not needed): address as written in the file -> contents
 * @property {{ meshopt?: object | (() => Promise<object>), draco?: object | (() => Promise<object>) }} [decoders] for compressed
 *   files: MeshoptDecoder of meshoptimizer, and the result of createDecoderModule of draco3dgltf; or functions that return
 *   them when they are needed. Default: these packages, if they are installed
 * @property {number} [maxTriangles] counting each instance; also limits vertices, to three times as many, and nodes, meshes and other
 *   objects, to 10,000 more (at most 250,000). More is an error `limit`, before memory is allocated; default 20 million, about 500 MB
 */

/**
 * A mesh of the file with one material, as `filter` and `area` receive it.
 * @typedef {object} GltfPart
 * @property {string} node name; '' if it has none, as the other names
 * @property {string[]} ancestors names of the nodes above it, the nearest first, and of the scene
 * @property {string} mesh name
 * @property {string} material name
 * @property {number} nodeIndex index of the node in the file
 */

/**
 * @typedef {object} PartOptions
 * @property {(part: GltfPart) => boolean} [filter] called for each mesh and material: false leaves it out, but not the node's children
 * @property {(part: GltfPart, instance: number | undefined) => number | null | undefined} [area] called for each mesh and material, and
 *   each of its instances: returns its area, 0 to 63 (0: an unwalkable obstacle); null leaves it out; undefined uses areas and extras
 */

/** @typedef {FileOptions & PartOptions & import('../runtime/level-marks.js').NamePatterns} GltfOptions */

const NAMES = nameSet(/** @satisfies {import('../runtime/option-names.js').Names<GltfOptions>} */ (
  { name: 1, resources: 1, decoders: 1, maxTriangles: 1, filter: 1, area: 1, include: 1, exclude: 1, areas: 1 }));

/** Checks the functions. @param {GltfOptions} options */
function requireFunctions(options) {
  for (const name of /** @type {const} */ (['filter', 'area'])) {
    const value = options[name];
    if (value !== undefined && typeof value !== 'function') throw invalidArgument(name, `is ${describe(value)}: must be a function`, value);
  }
}

/** Decoders of compressed files. @type {{ extension: string, name: 'meshopt' | 'draco', module: string, take: (module: any) => unknown }[]} */
const DECODERS = [
  { extension: MESHOPT, name: 'meshopt', module: 'meshoptimizer', take: ({ MeshoptDecoder }) => MeshoptDecoder },
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

/** @param {Uint8Array} bytes @param {string} name @param {GltfOptions} options @param {number} maxTriangles @returns {Promise<import('@gltf-transform/core').Document>} */
async function readDocument(bytes, name, { resources, decoders }, maxTriangles) {
  const { json: whole, binary } = readContainer(bytes, name);
  checkLayout(whole, name);
  const json = keepTriangles(whole, name);
  checkSizes(json, maxTriangles, name);
  const [{ Logger, Verbosity, WebIO }, extensions] = await importLibrary();
  const { EXTMeshGPUInstancing, EXTMeshoptCompression, KHRDracoMeshCompression, KHRMeshQuantization } = extensions;
  const io = new WebIO().setLogger(new Logger(Verbosity.SILENT))
    .registerExtensions([EXTMeshGPUInstancing, EXTMeshoptCompression, KHRDracoMeshCompression, KHRMeshQuantization])
    .registerDependencies(await findDecoders(json, decoders, name));
  const { buffers, contents } = await readBuffers(json.buffers, binary, resources, name);
  return io.readJSON({ json: { ...json, buffers }, resources: contents });
}

/** The text of a file has braces. */
const PATH = /^[^\n{]*\.(?:glb|gltf)\s*$/i;

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
  const { name = 'the glTF file', maxTriangles = MAX_TRIANGLES } = requireOptions(options, NAMES);
  requireMaxTriangles(maxTriangles);
  requireFunctions(options);
  if (typeof data === 'string' && PATH.test(data)) throw fileError(name, `is the path ${data.trim()}: read the file first, and pass its bytes`);
  const bytes = toBytes(data);
  let level;
  try {
    level = joinTriangles(await readDocument(bytes, name, options, maxTriangles), options, maxTriangles, name);
  } catch (cause) {
    if (cause instanceof NavError) throw cause;
    throw fileError(name, `is truncated or damaged: ${(cause instanceof Error ? cause.message : String(cause)).split('\n')[0]}`, cause);
  }
  if (level.indices.length === 0) throw fileError(name, 'has no triangles, or all are left out');
  return level;
}
