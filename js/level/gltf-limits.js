/**
 * What a glTF file may ask for, told from its JSON before any memory is taken: a few hundred bytes can name a thousand
 * million vertices (accessors without data are zeros, instances multiply), or nodes nested until the stack is used up.
 */
import { NavError, describe, invalidArgument } from '../runtime/errors.js';
import { fileError } from './source.js';

/** Where nobody says otherwise: some 500 MB of vertices and indices. */
export const MOST_TRIANGLES = 20_000_000;
/** Of nodes: what scenes need, many times over. */
const MOST_LEVELS = 1000;
/** Bytes of compressed views, unpacked, for each triangle that is allowed: three vertices of a dozen numbers. */
const UNPACKED_BYTES = 144;

const MESHOPT = 'EXT_meshopt_compression';
const INSTANCING = 'EXT_mesh_gpu_instancing';
/** Modes of primitives that have a triangle for nearly every corner. */
const STRIP_OR_FAN = [5, 6];
const COMPONENTS = /** @type {Record<string, number>} */ ({ SCALAR: 1, VEC2: 2, VEC3: 3, VEC4: 4, MAT2: 4, MAT3: 9, MAT4: 16 });

/** @param {unknown} value */
export function requireMaxTriangles(value) {
  if (typeof value === 'number' && value >= 1) return value;
  throw invalidArgument('maxTriangles', `is ${describe(value)}: must be a number above 0`, value);
}

/** Nodes that are nested too deeply, or in a circle, are an error. @param {any[]} nodes @param {string} name */
function checkNesting(nodes, name) {
  /** @type {(number | undefined)[]} */
  const parents = [];
  nodes.forEach(({ children = [] }, i) => { for (const child of children) parents[child] = i; });
  const tooDeep = (/** @type {number} */ i) => fileError(name, `is damaged: node ${i} is nested in more than ${MOST_LEVELS} others, or in itself`);
  const levels = new Int32Array(nodes.length).fill(-1);
  for (let i = 0; i < nodes.length; i++) {
    // Up to the first whose level is known: each node is looked at once.
    const way = [];
    let node = /** @type {number | undefined} */ (i);
    for (; node !== undefined && levels[node] === -1; node = parents[node]) {
      if (way.push(node) > MOST_LEVELS + 1) throw tooDeep(i);
    }
    let level = node === undefined ? -1 : levels[node];
    while (way.length > 0) levels[/** @type {number} */ (way.pop())] = ++level;
    if (level > MOST_LEVELS) throw tooDeep(i);
  }
}

/** A number of things that a file tells. @param {unknown} count @param {string} what @param {string} name @returns {number} */
function requireTold(count, what, name) {
  if (Number.isInteger(count) && /** @type {number} */ (count) >= 0) return /** @type {number} */ (count);
  throw fileError(name, `is damaged: ${what} is ${describe(count)}`);
}

/**
 * Throws where a file asks for more than so many triangles, at all places they stand, or three times as many vertices.
 * @param {any} json as keepTriangles leaves it @param {number} maxTriangles @param {string} name of the file
 */
export function checkSizes(json, maxTriangles, name) {
  const { accessors, bufferViews = [], meshes, nodes } = json;
  checkNesting(nodes, name);
  const fail = (/** @type {number} */ count, /** @type {string} */ what) => new NavError('limit',
    `${name} asks for ${count} ${what}: more than maxTriangles (${maxTriangles}) allows`, { field: 'maxTriangles', value: maxTriangles });
  const countOf = (/** @type {number} */ i) => requireTold(accessors[i]?.count ?? 0, `the count of accessor ${i}`, name);

  const numbers = accessors.reduce((/** @type {number} */ sum, /** @type {any} */ accessor, /** @type {number} */ i) => (
    sum + countOf(i) * (COMPONENTS[accessor.type] ?? 16)), 0);
  if (numbers > 9 * maxTriangles) throw fail(numbers, 'numbers');
  const unpacked = bufferViews.reduce((/** @type {number} */ sum, /** @type {any} */ view, /** @type {number} */ i) => {
    const { count = 0, byteStride = 0 } = view.extensions?.[MESHOPT] ?? {};
    return sum + requireTold(count, `the count of buffer view ${i}`, name) * requireTold(byteStride, `the stride of buffer view ${i}`, name);
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
    const places = Math.max(1, ...instances.map(countOf));
    vertices += places * (sizes[mesh]?.[0] ?? 0);
    corners += places * (sizes[mesh]?.[1] ?? 0);
  }
  if (vertices > 3 * maxTriangles) throw fail(vertices, 'vertices');
  if (corners > 3 * maxTriangles) throw fail(corners, 'corners of triangles');
}
