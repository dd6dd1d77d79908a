/**
 * Limits of a glTF file, checked in its JSON before memory is allocated: a few hundred bytes can describe 10^9 vertices
 * (accessors without data are zeros, instances multiply), or nodes nested until the stack overflows.
 */
import { NavError, describe, invalidArgument } from '../runtime/errors.js';
import { fileError } from './file-error.js';

/** The default: about 500 MB of vertices and indices. */
export const MAX_TRIANGLES = 20_000_000;
/** The largest depth of nested nodes. */
const MAX_DEPTH = 1000;
/** Unpacked bytes of compressed views per allowed triangle: three vertices of 12 numbers. */
const UNPACKED_BYTES = 144;

const MESHOPT = 'EXT_meshopt_compression';
const INSTANCING = 'EXT_mesh_gpu_instancing';
/** Modes of primitives with about one triangle per index. */
const STRIP_OR_FAN = [5, 6];
const COMPONENTS = /** @type {Record<string, number>} */ ({ SCALAR: 1, VEC2: 2, VEC3: 3, VEC4: 4, MAT2: 4, MAT3: 9, MAT4: 16 });

/** @param {unknown} value */
export function requireMaxTriangles(value) {
  if (typeof value === 'number' && value >= 1) return value;
  throw invalidArgument('maxTriangles', `is ${describe(value)}: must be a number above 0`, value);
}

/** Throws if nodes are nested too deeply, or in a cycle. @param {any[]} nodes @param {string} name */
function checkNesting(nodes, name) {
  /** @type {(number | undefined)[]} */
  const parents = [];
  nodes.forEach(({ children = [] }, i) => { for (const child of children) parents[child] = i; });
  const tooDeep = (/** @type {number} */ i) => fileError(name, `is damaged: node ${i} is nested more than ${MAX_DEPTH} deep, or in itself`);
  const depths = new Int32Array(nodes.length).fill(-1);
  for (let i = 0; i < nodes.length; i++) {
    // Up to the first ancestor with a known depth: each node is visited once.
    const chain = [];
    let node = /** @type {number | undefined} */ (i);
    for (; node !== undefined && depths[node] === -1; node = parents[node]) {
      if (chain.push(node) > MAX_DEPTH + 1) throw tooDeep(i);
    }
    let depth = node === undefined ? -1 : depths[node];
    while (chain.length > 0) depths[/** @type {number} */ (chain.pop())] = ++depth;
    if (depth > MAX_DEPTH) throw tooDeep(i);
  }
}

/** Checks a count in a file. @param {unknown} count @param {string} noun @param {string} name @returns {number} */
function requireFileCount(count, noun, name) {
  if (Number.isInteger(count) && /** @type {number} */ (count) >= 0) return /** @type {number} */ (count);
  throw fileError(name, `is damaged: ${noun} is ${describe(count)}`);
}

/**
 * Throws if a file has more than `maxTriangles` triangles, counting each instance, or three times as many vertices.
 * @param {any} json the result of keepTriangles @param {number} maxTriangles @param {string} name of the file
 */
export function checkSizes(json, maxTriangles, name) {
  const { accessors, bufferViews = [], meshes, nodes } = json;
  checkNesting(nodes, name);
  const fail = (/** @type {number} */ count, /** @type {string} */ noun) => new NavError('limit',
    `${name} has ${count} ${noun}: more than maxTriangles (${maxTriangles}) allows`, { field: 'maxTriangles', value: maxTriangles });
  const countOf = (/** @type {number} */ i) => requireFileCount(accessors[i]?.count ?? 0, `the count of accessor ${i}`, name);

  const numbers = accessors.reduce((/** @type {number} */ sum, /** @type {any} */ accessor, /** @type {number} */ i) => (
    sum + countOf(i) * (COMPONENTS[accessor.type] ?? 16)), 0);
  if (numbers > 9 * maxTriangles) throw fail(numbers, 'numbers');
  const unpacked = bufferViews.reduce((/** @type {number} */ sum, /** @type {any} */ view, /** @type {number} */ i) => {
    const { count = 0, byteStride = 0 } = view.extensions?.[MESHOPT] ?? {};
    return sum + requireFileCount(count, `the count of buffer view ${i}`, name) * requireFileCount(byteStride, `the stride of buffer view ${i}`, name);
  }, 0);
  if (unpacked > UNPACKED_BYTES * maxTriangles) throw fail(unpacked, 'bytes of unpacked views');

  const sizes = meshes.map((/** @type {any} */ { primitives }) => primitives.reduce(
    (/** @type {number[]} */ [vertices, corners], /** @type {any} */ { attributes, indices, mode }) => {
      const own = countOf(attributes.POSITION);
      const share = STRIP_OR_FAN.includes(mode) ? 3 : 1;
      return [vertices + own, corners + share * (indices === undefined ? own : countOf(indices))];
    }, [0, 0]));
  let [vertices, corners] = [0, 0];
  for (const { mesh, extensions } of nodes) {
    const instances = /** @type {number[]} */ (Object.values(extensions[INSTANCING]?.attributes ?? {}));
    const copies = Math.max(1, ...instances.map(countOf));
    vertices += copies * (sizes[mesh]?.[0] ?? 0);
    corners += copies * (sizes[mesh]?.[1] ?? 0);
  }
  if (vertices > 3 * maxTriangles) throw fail(vertices, 'vertices');
  if (corners > 3 * maxTriangles) throw fail(corners, 'triangle vertices');
}
