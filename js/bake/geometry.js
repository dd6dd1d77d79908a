/**
 * The level as JavaScript hands it over: triangles, and what is placed among them. Types and lengths are
 * checked here; indices, finite values and ranges in C (src/bake/input/input_check.c).
 */
import { numbersOfPoint, requireBoolean, requireByArea, requireCount, requireFloats, requireIntegers } from '../runtime/arguments.js';
import { NavError, describe, invalidArgument } from '../runtime/errors.js';
import { nameSet, requireNames } from '../runtime/names.js';
import { Bake, WmAreaVolume, WmBakeInput, WmOffMeshConnection, WmSolid, WmTriangles } from '../runtime/layout.js';

/** @typedef {import('../runtime/session.js').Session} Session */
/** @typedef {import('../runtime/arguments.js').Point} Point */
/** @typedef {import('../runtime/arguments.js').Points} Points */

/**
 * A closed volume that is solid inside; where its top is flat enough it is walkable with `area`, 0 to 63 (0: not walkable;
 * default 63: as ground). All lengths are in world units.
 *
 * - `box` in any orientation: the vectors from its centre to the middles of three sides
 * - `sphere`; `capsule` and `cylinder` from the centre of one cap to that of the other
 * - `convex`: a closed convex polyhedron, faces counter-clockwise seen from outside
 * @typedef {{ kind: 'box', centre: Point, halfAxes: Points, area?: number }
 *   | { kind: 'sphere', centre: Point, radius: number, area?: number }
 *   | { kind: 'capsule' | 'cylinder', start: Point, end: Point, radius: number, area?: number }
 *   | { kind: 'convex', positions: Points, indices: ArrayLike<number>, area?: number }} Solid
 */

/**
 * Sets the area of the walkable surface inside it, 0 to 63; area 0 makes it unwalkable. The last one counts.
 *
 * - `box` along the axes; `rotatedBox` turned by `yaw`, radians, counter-clockwise seen from above
 * - `cylinder`: upright, from the centre of its bottom up
 * - `prism`: upright, over an outline of 3 vertices or more in either winding, whose y is of no account
 * - `sphere`; `capsule` from the centre of one cap to that of the other (neither is in walkmesh/core)
 *
 * Usually the mesh goes up to the volume. With `beforeErosion` the agent's radius is kept from what area 0 takes away, as from
 * any obstacle, and its height: surface from which the agent would reach into the volume from below is taken away as well.
 * @typedef {VolumeShape & { area: number, beforeErosion?: boolean }} AreaVolume
 */

/**
 * @typedef {{ kind: 'box', min: Point, max: Point }
 *   | { kind: 'rotatedBox', centre: Point, halfExtents: Point, yaw: number }
 *   | { kind: 'cylinder', base: Point, radius: number, height: number }
 *   | { kind: 'prism', vertices: Points, minY: number, maxY: number }
 *   | { kind: 'sphere', centre: Point, radius: number }
 *   | { kind: 'capsule', start: Point, end: Point, radius: number }} VolumeShape
 */

/**
 * A way that the surface does not show: a ladder, a jump. For those that come and go see NavMesh.addConnection.
 * @typedef {object} OffMeshConnection
 * @property {Point} start
 * @property {Point} end
 * @property {number} radius how far the ends may lie from the mesh, world units, above 0
 * @property {boolean} [bidirectional] default true
 * @property {number} [area] 0 to 63; default 0
 * @property {number} [flags] 16 bits; default 1
 * @property {number} [userId] 32 bits; default 0
 */

/**
 * A level. Arrays are copied; a Float32Array of positions and a Uint32Array of indices without conversion.
 * @typedef {object} Geometry
 * @property {Points} positions x, y, z of each vertex, world units; y is up. Typed arrays of any kind, arrays, or a list of
 *   points
 * @property {ArrayLike<number> | null} [indices] three a triangle, counter-clockwise seen from above; typed arrays of any
 *   width, or arrays. Without them every three vertices are a triangle
 * @property {number} [stride] numbers from one vertex to the next in positions, 3 to 4096; default 3. Where positions do not
 *   come first in each vertex, pass `positions.subarray(offset)`
 * @property {ArrayLike<number>} [areas] one a triangle, 0 to 63: its area where it is flat enough to walk on, 0 for never;
 *   default 63: ground
 * @property {readonly AreaVolume[]} [volumes]
 * @property {readonly Solid[]} [solids]
 * @property {readonly OffMeshConnection[]} [offMeshConnections]
 * @property {ArrayLike<number> | Readonly<Record<number, number>>} [areaFlags] the flags of polygons by area, 16 bits: 64
 *   numbers, or those of some areas, as { 3: 0x10 }; default 1 each. Ground has area 0 here
 */

const GEOMETRY_NAMES = nameSet(/** @satisfies {import('../runtime/names.js').Names<Geometry>} */ (
  { positions: 1, indices: 1, stride: 1, areas: 1, volumes: 1, solids: 1, offMeshConnections: 1, areaFlags: 1 }));
const CONNECTION_NAMES = nameSet(/** @satisfies {import('../runtime/names.js').Names<OffMeshConnection>} */ (
  { start: 1, end: 1, radius: 1, bidirectional: 1, area: 1, flags: 1, userId: 1 }));

/**
 * Kinds of shapes in the order of the C enumeration: where their numbers go among the floats of the struct (-1: not there), and
 * all names that they may have.
 * @typedef {{ kind: string, places: Readonly<Record<string, number>>, names: ReturnType<typeof nameSet> }} ShapeKind
 */
/** @param {Record<string, 1>} common @param {Record<string, Readonly<Record<string, number>>>} kinds @returns {ShapeKind[]} */
const shapeKinds = (common, kinds) => Object.entries(kinds).map(([kind, places]) => (
  { kind, places, names: nameSet({ kind: 1, area: 1, ...common, ...places }) }));
const { start, end, radius } = WmSolid;
const CAPPED = { start, end, radius };
/** Words of a WmSolid. */
const SOLIDS = shapeKinds({}, {
  box: { centre: start, halfAxes: WmSolid.halfAxes }, sphere: { centre: start, radius }, capsule: CAPPED, cylinder: CAPPED,
  convex: { positions: -1, indices: -1 },
});
/** Words of a WmAreaVolume; a WmSwitchVolume has its numbers in the same words. */
const { minimum, maximum, centre } = WmAreaVolume;
export const VOLUMES = shapeKinds({ beforeErosion: 1 }, {
  box: { min: minimum, max: maximum }, rotatedBox: { centre, halfExtents: WmAreaVolume.halfExtents, yaw: WmAreaVolume.yaw },
  cylinder: { base: centre, radius: WmAreaVolume.radius, height: WmAreaVolume.height },
  prism: { vertices: -1, minY: minimum + 1, maxY: maximum + 1 }, sphere: { centre, radius: WmAreaVolume.radius },
  capsule: { start: minimum, end: maximum, radius: WmAreaVolume.radius },
});
/** What is a number, not a point. */
export const SCALARS = ['yaw', 'radius', 'height', 'minY', 'maxY'];

/** Where the WmBakeInput lies in what bake_create returns. */
const INPUT_AT = 4 * Bake.input;

/** @param {unknown} value @param {string} field */
function requireNumber(value, field) {
  if (typeof value === 'number' && !Number.isNaN(value)) return value;
  throw invalidArgument(field, `must be a number, not ${describe(value)}`, value);
}

/** @param {unknown} value @param {string} field */
function requirePoint(value, field) {
  const numbers = numbersOfPoint(value);
  if (!numbers) throw invalidArgument(field, `must be a point, [x, y, z] or { x, y, z }, not ${describe(value)}`, value);
  return numbers.map((number, axis) => requireNumber(number, `${field}[${axis}]`));
}

/** @param {boolean} fits @param {string} field @param {string} rule */
function requireLength(fits, field, rule) {
  if (!fits) throw new NavError('geometry', `${field}: ${rule}`, { field });
}

/** @param {unknown} list @param {string} field @returns {any[]} */
function requireList(list, field) {
  if (list === undefined) return [];
  if (!Array.isArray(list)) throw invalidArgument(field, `must be an array, not ${describe(list)}`, list);
  list.forEach((item, i) => {
    if (typeof item !== 'object' || item === null) {
      throw invalidArgument(`${field}[${i}]`, `must be an object, not ${describe(item)}`, item);
    }
  });
  return list;
}

/**
 * The number of a shape's kind; it must have no other names than that kind.
 * @param {any} shape @param {ShapeKind[]} kinds @param {string} field
 */
function requireKind(shape, kinds, field) {
  const index = kinds.findIndex(({ kind }) => kind === shape.kind);
  if (index < 0) {
    throw invalidArgument(`${field}.kind`, `is ${describe(shape.kind)}: must be ${kinds.map(({ kind }) => kind).join(', ')}`, shape.kind);
  }
  requireNames(shape, kinds[index].names, `${field}.`);
  return index;
}

/** @param {ArrayLike<unknown>} list @param {string} field */
const requireThrees = (list, field) => requireLength(list.length % 3 === 0, field, 'the length is not a multiple of 3');

/**
 * Indices, or those of vertices that come in threes.
 * @param {unknown} indices @param {number} vertexCount
 */
function toIndices(indices, vertexCount) {
  if (indices !== undefined && indices !== null) return requireIntegers(indices, 'indices', 0xffffffff, Uint32Array);
  requireLength(vertexCount % 3 === 0, 'positions', 'without indices there must be three vertices a triangle');
  const all = new Uint32Array(vertexCount);
  for (let i = 0; i < vertexCount; i++) all[i] = i;
  return all;
}

/**
 * The triangles of a level in the types that C takes; arrays that are of these types already are not copied.
 * @param {Geometry} geometry
 */
export function toTriangles(geometry) {
  if (typeof geometry !== 'object' || geometry === null) {
    throw invalidArgument('geometry', `must be an object with positions and indices, not ${describe(geometry)}`);
  }
  requireNames(geometry, GEOMETRY_NAMES, '');
  const { stride = 3 } = geometry;
  const positions = requireFloats(geometry.positions, 'positions');
  if (requireCount(stride, 'stride', 4096) < 3) throw invalidArgument('stride', `is ${stride}: must be 3 to 4096`, stride);
  const beyond = positions.length % stride;
  requireLength(beyond === 0 || beyond >= 3, 'positions',
    'the length is not a multiple of the stride (3 where none is given)');
  const vertexCount = Math.floor((positions.length + stride - 3) / stride);
  const indices = toIndices(geometry.indices, vertexCount);
  requireThrees(indices, 'indices');
  const areas = geometry.areas === undefined ? undefined : requireIntegers(geometry.areas, 'areas', 63, Uint8Array);
  if (areas) requireLength(areas.length === indices.length / 3, 'areas', 'there must be one for every triangle');
  const areaFlags = geometry.areaFlags === undefined ? undefined
    : requireIntegers(requireByArea(geometry.areaFlags, 'areaFlags', 1), 'areaFlags', 0xffff, Uint16Array);
  return { positions, stride, vertexCount, indices, areas, areaFlags };
}

/** A value of a volume, a solid or a connection without classes: points as numbers. @param {unknown} value */
const toPlain = (value) => numbersOfPoint(value) ?? (Array.isArray(value) && typeof value[0] === 'object' ? value.map(numbersOfPoint) : value);

/** @param {unknown} list @param {string} field @returns {any[]} */
const toPlainList = (list, field) => requireList(list, field).map((item) => (
  Object.fromEntries(Object.entries(item).map(([name, value]) => [name, toPlain(value)]))));

/**
 * A level as other threads can be sent it: the arrays of toTriangles, and points without classes.
 * @param {Geometry} geometry
 * @returns {Omit<ReturnType<typeof toTriangles>, 'vertexCount'> & Pick<Geometry, 'volumes' | 'solids' | 'offMeshConnections'>}
 */
export function toSendable(geometry) {
  const { vertexCount, ...triangles } = toTriangles(geometry);
  return {
    ...triangles, volumes: toPlainList(geometry.volumes, 'volumes'), solids: toPlainList(geometry.solids, 'solids'),
    offMeshConnections: toPlainList(geometry.offMeshConnections, 'offMeshConnections'),
  };
}

/** Sets words of a struct in the module's memory. @param {Session} session @param {number} address @param {number[]} words */
function writeWords({ wasm }, address, words) {
  new Uint32Array(wasm.memory.buffer, address, words.length).set(words);
}

/** As writeWords, float32. @param {Session} session @param {number} address @param {ArrayLike<number>} floats */
function writeFloats({ wasm }, address, floats) {
  new Float32Array(wasm.memory.buffer, address, floats.length).set(floats);
}

/** @typedef {Float32Array | Uint32Array | Uint16Array | Uint8Array} AnyArray */

/** What was transferred to another thread has no numbers left, and of its buffer there may be no views. @param {AnyArray} array */
const bytesOf = (array) => (array.length ? new Uint8Array(array.buffer, array.byteOffset, array.byteLength) : new Uint8Array());

/**
 * A copy in the module's memory. Whatever owns it must know it before anything else can fail.
 * @param {Session} session @param {AnyArray} array
 */
const copyArray = (session, array) => session.copyIn(bytesOf(array));

/** Bytes that are copied in one go, and solids and the like that are written: some tenths of a millisecond. */
const [PIECE_BYTES, PIECE_ITEMS] = [1 << 19, 256];

/**
 * As copyArray, in pieces; its address is the word at `owner`.
 * @param {Session} session @param {number} owner @param {AnyArray} array @returns {Generator<void, void, void>}
 */
function* copyLargeArray(session, owner, array) {
  const bytes = bytesOf(array);
  const address = session.allocate(bytes.length);
  writeWords(session, owner, [address]);
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
    const piece = bytes.subarray(at, at + PIECE_BYTES);
    session.view(address + at, piece.length).set(piece);
    yield;
  }
}

/**
 * @param {Session} session @param {number} input @param {ReturnType<typeof toTriangles>} triangles
 * @returns {Generator<void, void, void>}
 */
function* writeTriangles(session, input, { positions, stride, vertexCount, indices, areas, areaFlags }) {
  const at = (/** @type {number} */ word) => input + 4 * (WmBakeInput.triangles + word);
  yield* copyLargeArray(session, at(WmTriangles.positions), positions);
  writeWords(session, at(WmTriangles.positionStride), [stride, vertexCount]);
  yield* copyLargeArray(session, at(WmTriangles.indices), indices);
  writeWords(session, at(WmTriangles.triangleCount), [indices.length / 3]);
  if (areas) yield* copyLargeArray(session, at(WmTriangles.areas), areas);
  if (areaFlags) writeWords(session, input + 4 * WmBakeInput.areaFlags, [copyArray(session, areaFlags)]);
}

/** Three vectors. @param {unknown} value @param {string} field */
function requireAxes(value, field) {
  const numbers = requireFloats(value, field);
  if (numbers.length !== 9) throw invalidArgument(field, `must be three vectors, not ${describe(value)}`, value);
  return numbers;
}

/**
 * Writes the numbers of a shape where its kind has them.
 * @param {Session} session @param {number} address of the struct @param {any} shape @param {ShapeKind} kind @param {string} field
 */
function writeShape(session, address, shape, { places }, field) {
  for (const [name, place] of Object.entries(places)) {
    if (place < 0) continue;
    const [value, where] = [shape[name], `${field}.${name}`];
    writeFloats(session, address + 4 * place, SCALARS.includes(name) ? [requireNumber(value, where)]
      : name === 'halfAxes' ? requireAxes(value, where) : requirePoint(value, where));
  }
}

/** A WmSolid. @param {Session} session @param {number} address @param {any} solid @param {string} field */
function writeSolid(session, address, solid, field) {
  const kind = requireKind(solid, SOLIDS, field);
  const area = requireCount(solid.area ?? 63, `${field}.area`, 63);
  writeWords(session, address, [kind, area]);
  writeShape(session, address, solid, SOLIDS[kind], field);
  if (solid.kind !== 'convex') return;
  const positions = requireFloats(solid.positions, `${field}.positions`);
  const indices = requireIntegers(solid.indices, `${field}.indices`, 0xffffffff, Uint32Array);
  requireThrees(positions, `${field}.positions`);
  requireThrees(indices, `${field}.indices`);
  writeWords(session, address + 4 * WmSolid.vertices, [copyArray(session, positions), positions.length / 3]);
  writeWords(session, address + 4 * WmSolid.indices, [copyArray(session, indices), indices.length / 3]);
}

/**
 * A WmAreaVolume.
 * @param {Session} session @param {number} address @param {any} volume @param {string} field
 * @param {(session: Session, vertices: Float32Array) => number} [copy] puts the outline somewhere; default: a block of its own
 */
export function writeVolume(session, address, volume, field, copy = copyArray) {
  const kind = requireKind(volume, VOLUMES, field);
  const area = requireCount(volume.area, `${field}.area`, 63);
  const vertices = requireFloats(volume.kind === 'prism' ? volume.vertices : [], `${field}.vertices`);
  requireThrees(vertices, `${field}.vertices`);
  const beforeErosion = requireBoolean(volume.beforeErosion ?? false, `${field}.beforeErosion`);
  writeWords(session, address, [kind, area | (beforeErosion ? 256 : 0)]);
  writeShape(session, address, volume, VOLUMES[kind], field);
  writeWords(session, address + 4 * WmAreaVolume.vertices, [copy(session, vertices), vertices.length / 3]);
}

/** A WmOffMeshConnection. @param {Session} session @param {number} address @param {any} connection @param {string} field */
function writeConnection(session, address, connection, field) {
  requireNames(connection, CONNECTION_NAMES, `${field}.`);
  const bidirectional = requireBoolean(connection.bidirectional ?? true, `${field}.bidirectional`);
  const flags = requireCount(connection.flags ?? 1, `${field}.flags`, 0xffff);
  const area = requireCount(connection.area ?? 0, `${field}.area`, 63);
  const userId = requireCount(connection.userId ?? 0, `${field}.userId`, 0xffffffff);
  writeFloats(session, address, [...requirePoint(connection.start, `${field}.start`),
    ...requirePoint(connection.end, `${field}.end`), requireNumber(connection.radius, `${field}.radius`)]);
  writeWords(session, address + 4 * WmOffMeshConnection.flags, [flags | area << 16 | (bidirectional ? 1 << 24 : 0), userId]);
}

/**
 * Writes structs one after the other, and where they are into the input; a rest now and then.
 * @param {Session} session @param {number} owner address of the two words @param {any[]} list @param {number} itemBytes
 * @param {string} field @param {(session: Session, address: number, item: any, field: string) => void} write
 * @returns {Generator<void, void, void>}
 */
function* writeList(session, owner, list, itemBytes, field, write) {
  const address = session.copyIn(new Uint8Array(itemBytes * list.length));
  writeWords(session, owner, [address, list.length]);
  for (let i = 0; i < list.length; i++) {
    write(session, address + itemBytes * i, list[i], `${field}[${i}]`);
    if (i % PIECE_ITEMS === PIECE_ITEMS - 1) yield;
  }
}

/**
 * Copies the level into the module, in steps between which others may have the thread.
 * @param {Session} session @param {number} handle @param {Geometry} geometry
 * @returns {Generator<void, number, void>} how many triangles it has
 */
export function* writeGeometry(session, handle, geometry) {
  const triangles = toTriangles(geometry);
  const solids = requireList(geometry.solids, 'solids');
  const volumes = requireList(geometry.volumes, 'volumes');
  const connections = requireList(geometry.offMeshConnections, 'offMeshConnections');
  const input = handle + INPUT_AT;
  yield* writeTriangles(session, input, triangles);
  yield* writeList(session, input + 4 * WmBakeInput.solids, solids, 4 * WmSolid.words, 'solids', writeSolid);
  yield* writeList(session, input + 4 * WmBakeInput.volumes, volumes, 4 * WmAreaVolume.words, 'volumes', writeVolume);
  yield* writeList(session, input + 4 * WmBakeInput.connections, connections, 4 * WmOffMeshConnection.words, 'offMeshConnections', writeConnection);
  return triangles.indices.length / 3;
}
