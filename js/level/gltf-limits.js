/**
 * Limits of a glTF file, checked in its JSON before memory is allocated: a few hundred bytes can describe 10^9 vertices
 * (accessors without data are zeros, instances multiply), or nodes nested until the stack overflows. Together they bound the work
 * for a file: it grows with its bytes and with maxTriangles.
 */
import { NavError, describe, invalidArgument } from '../runtime/errors.js';
import { fileError } from './file-error.js';
import { INSTANCING } from './gltf-json.js';
import { COMPONENTS, MESHOPT } from './gltf-layout.js';

/** The default: about 500 MB of vertices and indices. */
export const MAX_TRIANGLES = 20_000_000;
/** The largest depth of nested nodes. */
const MAX_DEPTH = 1000;
/** The largest number of ancestors of all nodes together: a world matrix multiplies those of the ancestors. */
const MAX_ANCESTORS = 10_000_000;
/** Unpacked bytes of compressed views per allowed triangle: three vertices of 12 numbers. */
const UNPACKED_BYTES = 144;
/** Numbers of accessors per allowed triangle: three vertices and indices of its own, and a few more for sparse ones and instances. */
const NUMBERS = 16;
/** Objects that the parser makes for a file with few triangles, and the most that it makes (20 microseconds and 2 kB each). */
const [FEW_OBJECTS, MAX_OBJECTS] = [10_000, 250_000];
/** As above, for meshes and their materials, counted again for each node that shows them. */
const [FEW_PARTS, MAX_PARTS] = [10_000, 1_000_000];

/** Modes of primitives with about one triangle per index. */
const STRIP_OR_FAN = [5, 6];

/** @param {unknown} value */
export function requireMaxTriangles(value) {
  if (typeof value === 'number' && value >= 1) return value;
  throw invalidArgument('maxTriangles', `is ${describe(value)}: must be a number above 0`, value);
}

/** @typedef {(count: number, noun: string, allowed?: number) => NavError} Refuse allowed: if it is another number than maxTriangles allows */

/** Throws if nodes are nested too deeply, or in a cycle. @param {any[]} nodes @param {string} name */
function checkNesting(nodes, name) {
  /** @type {(number | undefined)[]} */
  const parents = [];
  nodes.forEach(({ children = [] }, i) => { for (const child of children) parents[child] = i; });
  const tooDeep = (/** @type {number} */ i) => fileError(name, `is damaged: node ${i} is nested more than ${MAX_DEPTH} deep, or in itself`);
  const depths = new Int32Array(nodes.length).fill(-1);
  let ancestors = 0;
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
    ancestors += depths[i];
  }
  if (ancestors > MAX_ANCESTORS) throw fileError(name, `is nested too deeply: its nodes have ${ancestors} ancestors together, more than ${MAX_ANCESTORS}`);
}

/** @param {any} json @param {number} maxTriangles @param {Refuse} refuse */
function checkObjects({ nodes, meshes, accessors, buffers, bufferViews, materials, scenes, skins = [] }, maxTriangles, refuse) {
  const primitives = meshes.reduce((/** @type {number} */ sum, /** @type {any} */ mesh) => sum + mesh.primitives.length, 0);
  const joints = skins.reduce((/** @type {number} */ sum, /** @type {any} */ skin) => sum + (skin.joints?.length ?? 0), 0);
  const objects = primitives + joints + [nodes, meshes, accessors, buffers, bufferViews, materials, scenes, skins].reduce((sum, list) => sum + list.length, 0);
  const allowed = Math.min(MAX_OBJECTS, FEW_OBJECTS + maxTriangles);
  if (objects > allowed) throw refuse(objects, 'nodes, meshes and other objects', allowed);
}

/** @param {any} json @param {number} maxTriangles @param {Refuse} refuse */
function checkNumbers({ accessors, bufferViews }, maxTriangles, refuse) {
  const numbers = accessors.reduce((/** @type {number} */ sum, /** @type {any} */ { count, type, sparse }) => (
    sum + (count + (sparse?.count ?? 0)) * /** @type {number} */ (COMPONENTS.get(type))), 0);
  if (numbers > NUMBERS * maxTriangles) throw refuse(numbers, 'numbers');
  const unpacked = bufferViews.reduce((/** @type {number} */ sum, /** @type {any} */ { extensions }) => {
    const { count = 0, byteStride = 0 } = extensions[MESHOPT] ?? {};
    return sum + count * byteStride;
  }, 0);
  if (unpacked > UNPACKED_BYTES * maxTriangles) throw refuse(unpacked, 'bytes of unpacked views');
}

/** How often a node shows its mesh. @param {any} node @param {(accessor: number) => number} countOf @param {number} i @param {string} name */
function countCopies({ extensions }, countOf, i, name) {
  const instanced = extensions[INSTANCING];
  if (!instanced) return 1;
  const counts = new Set(/** @type {number[]} */ (Object.values(instanced.attributes)).map(countOf));
  if (counts.size > 1) throw fileError(name, `is damaged: the instances of node ${i} have attributes of ${[...counts].join(' and ')} elements`);
  return [...counts][0] ?? 0;
}

/** Sums vertices and triangle vertices, and throws if there are more than allowed. */
export class TriangleBudget {
  #vertices = 0;
  #corners = 0;
  #refuse;
  #maxTriangles;

  /** @param {number} maxTriangles @param {string} file name */
  constructor(maxTriangles, file) {
    this.#maxTriangles = maxTriangles;
    this.#refuse = refuserOf(maxTriangles, file);
  }

  /** @param {number} copies @param {number} vertices of one copy @param {number} corners vertices of the triangles of one copy */
  add(copies, vertices, corners) {
    this.#vertices += copies * vertices;
    this.#corners += copies * corners;
    if (this.#vertices > 3 * this.#maxTriangles) throw this.#refuse(this.#vertices, 'vertices');
    if (this.#corners > 3 * this.#maxTriangles) throw this.#refuse(this.#corners, 'triangle vertices');
  }
}

/** @param {number} maxTriangles @param {string} file name @returns {Refuse} */
const refuserOf = (maxTriangles, file) => (count, noun, allowed) => new NavError('limit',
  `${file} has ${count} ${noun}: more than ${allowed === undefined ? '' : `${allowed}, which `}maxTriangles (${maxTriangles}) allows`,
  { field: 'maxTriangles', value: maxTriangles });

/**
 * Throws if a file asks for more work than `maxTriangles` allows: triangles and instances of them, three times as many vertices,
 * numbers, and objects.
 * @param {any} json the result of keepTriangles @param {number} maxTriangles @param {string} name of the file
 */
export function checkSizes(json, maxTriangles, name) {
  const { accessors, meshes, nodes } = json;
  const refuse = refuserOf(maxTriangles, name);
  checkObjects(json, maxTriangles, refuse);
  checkNesting(nodes, name);
  checkNumbers(json, maxTriangles, refuse);
  const countOf = (/** @type {number} */ i) => accessors[i]?.count ?? 0;
  const sizes = meshes.map((/** @type {any} */ { primitives }) => primitives.reduce(
    (/** @type {number[]} */ [vertices, corners], /** @type {any} */ { attributes, indices, mode }) => {
      const own = countOf(attributes.POSITION);
      const share = STRIP_OR_FAN.includes(mode) ? 3 : 1;
      return [vertices + own, corners + share * (indices === undefined ? own : countOf(indices))];
    }, [0, 0]));
  const budget = new TriangleBudget(maxTriangles, name);
  const allowedParts = Math.min(MAX_PARTS, FEW_PARTS + maxTriangles);
  let parts = 0;
  nodes.forEach((/** @type {any} */ node, /** @type {number} */ i) => {
    const copies = countCopies(node, countOf, i, name);
    const [vertices, corners] = sizes[node.mesh] ?? [0, 0];
    parts += meshes[node.mesh]?.primitives.length ?? 0;
    if (parts > allowedParts) throw refuse(parts, 'meshes and materials of nodes', allowedParts);
    // An instance without vertices is work, too.
    budget.add(copies, Math.max(vertices, node.extensions[INSTANCING] ? 1 : 0), corners);
  });
}
