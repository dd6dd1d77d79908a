/**
 * The level: triangles, solids, area volumes and connections, and writing them into the module. Types and lengths are checked
 * here; indices, finite values and ranges in src/bake/input/input_check.c.
 */
import { numbersOfPoint, requireBoolean, requireByArea, requireCount, requireFloats, requireIntegers, requireName } from '../runtime/arguments.js';
import { NavError, describe, invalidArgument } from '../runtime/errors.js';
import { copyFields, findSimilarName, nameSet, requireNames } from '../runtime/option-names.js';
import { dropManyZeroSigns, dropZeroSigns } from '../runtime/zero.js';
import { makeArray } from '../runtime/typed-arrays.js';
import { SOLID_FORMS, VOLUME_FORMS, requireNumber, requirePoint, toStoredForm } from './shape-forms.js';
import { describeFacing, findFacing, isTurned } from './facing.js';
import { UP_AXES, turnToYUp } from './up-axis.js';
import { Bake, WmAreaVolume, WmBakeInput, WmOffMeshConnection, WmSolid, WmTriangles } from '../runtime/layout.js';

/** @typedef {import('../runtime/session.js').Session} Session */
/** @typedef {import('../runtime/arguments.js').Point} Point */
/** @typedef {import('../runtime/arguments.js').Points} Points */

/**
 * A closed shape that is filled. Its top is walkable where it is flat enough, with `area`, 0 to 63 (0: unwalkable; default 63:
 * unmarked). Lengths are in world units.
 *
 * The words are those of volumes and obstacles; besides these,
 *
 * - `box` in any orientation: `halfAxes` are the vectors from its centre to the midpoints of three sides
 * - `cylinder` in any orientation: from the centre of one cap, `start`, to that of the other, `end`
 * - `convex`: a closed convex polyhedron, faces counter-clockwise seen from outside
 * @typedef {(BoxShape | RotatedBoxShape | CylinderShape | SphereShape | CapsuleShape
 *   | { kind: 'box', centre: Point, halfAxes: Points }
 *   | { kind: 'cylinder', start: Point, end: Point, radius: number }
 *   | { kind: 'convex', positions: Points, indices: ArrayLike<number> }) & { area?: number }} Solid
 */

/**
 * Sets the area of the surface inside it, 0 to 63; 0 makes it unwalkable. Where volumes overlap, the last one wins.
 *
 * - `box` along the axes, by two corners or by its centre and half its size; `rotatedBox` turned by `yaw`, radians, counter-clockwise seen from above
 * - `cylinder`: upright, on the centre of its base
 * - `prism`: upright, over an outline of 3 or more vertices in either winding; their y is ignored
 * - `sphere`; `capsule` from the centre of one cap to that of the other (neither is in walkmesh/core)
 *
 * By default the mesh reaches up to a volume of area 0. With `beforeErosion` the volume is an obstacle: the mesh stays an agent
 * radius away, and surface below it with too little headroom becomes unwalkable too.
 * @typedef {VolumeShape & { area: number, beforeErosion?: boolean }} AreaVolume
 */

/** @typedef {{ kind: 'box', min: Point, max: Point }} BoxByCorners */
/** A box along the axes. @typedef {BoxByCorners | { kind: 'box', centre: Point, halfExtents: Point }} BoxShape */
/** @typedef {{ kind: 'rotatedBox', centre: Point, halfExtents: Point, yaw: number }} RotatedBoxShape */
/** @typedef {{ kind: 'cylinder', base: Point, radius: number, height: number }} CylinderShape */
/** @typedef {{ kind: 'prism', vertices: Points, minY: number, maxY: number }} PrismShape */
/** @typedef {{ kind: 'sphere', centre: Point, radius: number }} SphereShape */
/** @typedef {{ kind: 'capsule', start: Point, end: Point, radius: number }} CapsuleShape */

/** @typedef {BoxShape | RotatedBoxShape | CylinderShape | PrismShape | SphereShape | CapsuleShape} VolumeShape */
/** A shape as it reads back. @typedef {BoxByCorners | RotatedBoxShape | CylinderShape | PrismShape | SphereShape | CapsuleShape} StoredVolumeShape */

/**
 * A link between two points that agents can use besides the surface: a ladder, a jump. To add one later, see
 * NavMesh.addConnection.
 * @typedef {object} OffMeshConnection
 * @property {Point} start
 * @property {Point} end
 * @property {number} radius the largest distance from an end to the mesh, world units, above 0
 * @property {boolean} [bidirectional] default true
 * @property {number} [area] 0 to 63; default 0
 * @property {number} [flags] 16 bits; default 1
 * @property {number} [userId] 32 bits; default 0
 */

/**
 * A level. Its arrays are copied; a Float32Array of positions and a Uint32Array of indices need no conversion.
 * @typedef {object} Geometry
 * @property {Points} positions x, y, z of each vertex, world units; y is up, or see upAxis. Typed arrays of any kind, arrays, or a
 *   list of points
 * @property {ArrayLike<number> | null} [indices] three per triangle, counter-clockwise seen from above; typed arrays of any
 *   width, or arrays. Default: every three vertices are a triangle
 * @property {number} [stride] numbers from one vertex to the next in positions, 3 to 4096; default 3. If positions are not
 *   first in each vertex, pass `positions.subarray(offset)`
 * @property {import('./up-axis.js').UpAxis} [upAxis] the axis of positions that points up; default 'y'. With 'z', each vertex (x, y, z)
 *   becomes (x, z, -y). Only positions are turned: volumes, solids, connections, bounds, queries and results always have y up
 * @property {ArrayLike<number>} [areas] one per triangle, 0 to 63: its area if it is flat enough; 0 is unwalkable;
 *   default 63: unmarked
 * @property {readonly AreaVolume[]} [volumes]
 * @property {readonly Solid[]} [solids]
 * @property {readonly OffMeshConnection[]} [offMeshConnections]
 * @property {ArrayLike<number> | Readonly<Record<number, number>>} [areaFlags] the flags of polygons by area, 16 bits: 64
 *   numbers, or those of some areas, as { 3: 0x10 }; default 1 each. Unmarked polygons have area 0
 */

const GEOMETRY_NAMES = nameSet(/** @satisfies {import('../runtime/option-names.js').Names<Geometry>} */ (
  { positions: 1, indices: 1, stride: 1, upAxis: 1, areas: 1, volumes: 1, solids: 1, offMeshConnections: 1, areaFlags: 1 }));
/** A level with other volumes or solids, also one whose arrays are given by getters of a class. @template {Partial<Geometry>} T @param {Geometry} level @param {T} parts @returns {Geometry & T} */
export const withParts = (level, parts) => ({ .../** @type {Geometry} */ (copyFields(level, GEOMETRY_NAMES)), ...parts });

const CONNECTION_NAMES = nameSet(/** @satisfies {import('../runtime/option-names.js').Names<OffMeshConnection>} */ (
  { start: 1, end: 1, radius: 1, bidirectional: 1, area: 1, flags: 1, userId: 1 }));

/**
 * A kind of shape, in the order of the C enumeration. places: the index of each number among the floats of the struct (-1: it is
 * not stored there); names: all allowed names.
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
/** Names of numbers; the other names are points. */
export const SCALARS = ['yaw', 'radius', 'height', 'minY', 'maxY'];

/** Offset of the WmBakeInput in the struct that bake_create returns. */
const INPUT_AT = 4 * Bake.input;

/** @param {boolean} fits @param {ArrayLike<unknown>} list @param {string} field @param {string} rule */
function requireLength(fits, { length }, field, rule) {
  if (!fits) throw new NavError('geometry', `${field} has ${length} numbers: ${rule}`, { field });
}

/** A copy of a list of objects. @param {unknown} list @param {string} field @returns {any[]} */
function requireList(list, field) {
  if (list === undefined) return [];
  if (!Array.isArray(list)) throw invalidArgument(field, `must be an array, not ${describe(list)}`, list);
  const items = makeArray(/** @type {new (count: number) => any[]} */ (Array), list.length, field);
  for (let i = 0; i < items.length; i++) {
    const item = items[i] = list[i];
    if (typeof item !== 'object' || item === null) throw invalidArgument(`${field}[${i}]`, `must be an object, not ${describe(item)}`, item);
  }
  return items;
}

/**
 * A copy of a shape's fields, each of which is read once. Of an object of a class only the fields with these names.
 * @param {any} given @param {ShapeKind[]} kinds @param {typeof SOLID_FORMS} forms @param {readonly string[]} common
 * @returns {any}
 */
function copyShape(given, kinds, forms, common) {
  return copyFields(given, new Set(['kind', ...common, ...kinds.flatMap((kind) => kind.names), ...Object.values(forms).flat().flatMap((form) => form.names)]));
}

/**
 * A shape in the form that C stores, and the index of its kind. Throws if the shape has a name that its form does not have.
 * @param {any} given @param {ShapeKind[]} kinds @param {typeof SOLID_FORMS} forms @param {readonly string[]} common names of all kinds
 * @param {string} field
 */
function readShape(given, kinds, forms, common, field) {
  const copy = copyShape(given, kinds, forms, common);
  const shape = toStoredForm(copy, forms, common, kinds.find(({ kind }) => kind === copy.kind)?.names, field);
  const index = kinds.findIndex(({ kind }) => kind === shape.kind);
  if (index < 0) {
    const all = new Set([...kinds.map(({ kind }) => kind), ...Object.keys(forms)]);
    throw invalidArgument(`${field}.kind`, `is ${describe(shape.kind)}: must be ${[...all].join(', ')}`, shape.kind);
  }
  requireShapeNames(shape, kinds[index], forms, common, field);
  return { shape, index };
}

/**
 * Throws if a shape has an unknown name; unless a similar one is known, the message lists all forms of its kind.
 * @param {any} shape @param {ShapeKind} shapeKind @param {typeof SOLID_FORMS} forms @param {readonly string[]} common @param {string} field
 */
function requireShapeNames(shape, { kind, names }, forms, common, field) {
  const others = (Object.hasOwn(forms, kind) ? forms[kind] : []).map((form) => form.names);
  const wrong = Object.keys(shape).find((name) => !names.includes(name) && shape[name] !== undefined);
  if (wrong !== undefined && others.length > 0 && !findSimilarName(wrong, names)) {
    const lists = [names.filter((name) => name !== 'kind' && !common.includes(name)), ...others].map((list) => list.join(', '));
    throw invalidArgument(`${field}.${wrong}`, `is not a field: a ${kind} has ${lists.join('; or ')}`, shape[wrong]);
  }
  requireNames(shape, names, `${field}.`);
}

/** @param {ArrayLike<unknown>} list @param {string} field */
const requireThrees = (list, field) => requireLength(list.length % 3 === 0, list, field, 'must be a multiple of 3');

/**
 * The indices; if there are none, one triangle per three vertices.
 * @param {unknown} indices @param {Float32Array} positions @param {number} vertexCount
 */
function toIndices(indices, positions, vertexCount) {
  if (indices !== undefined && indices !== null) return requireIntegers(indices, 'indices', 0xffffffff, Uint32Array);
  requireLength(vertexCount % 3 === 0, positions, 'positions', 'without indices, must be three vertices per triangle');
  const all = new Uint32Array(vertexCount);
  for (let i = 0; i < vertexCount; i++) all[i] = i;
  return all;
}

/** Throws if positions and indices are given in place of a level, as in bake(positions, indices). @param {unknown} geometry */
export function refusePositions(geometry) {
  if (!Array.isArray(geometry) && !ArrayBuffer.isView(geometry)) return;
  throw invalidArgument('geometry', `must be an object with positions and indices, not ${describe(geometry)}: bake({ positions, indices }, config)`);
}

/**
 * The triangles of a level in the types that C reads. Arrays of these types are not copied, and not turned.
 * @param {Geometry} geometry
 */
export function toTriangles(geometry) {
  if (typeof geometry !== 'object' || geometry === null) {
    throw invalidArgument('geometry', `must be an object with positions and indices, not ${describe(geometry)}`);
  }
  requireNames(geometry, GEOMETRY_NAMES, '');
  const { stride = 3, upAxis = 'y' } = geometry;
  requireName(UP_AXES, upAxis, 'upAxis');
  const positions = requireFloats(geometry.positions, 'positions');
  if (requireCount(stride, 'stride', 4096) < 3) throw invalidArgument('stride', `is ${stride}: must be 3 to 4096`, stride);
  const beyond = positions.length % stride;
  requireLength(beyond === 0 || beyond >= 3, positions, 'positions', `must be a multiple of stride (${stride})`);
  const vertexCount = Math.floor((positions.length + stride - 3) / stride);
  const indices = toIndices(geometry.indices, positions, vertexCount);
  requireThrees(indices, 'indices');
  const areas = geometry.areas === undefined ? undefined : requireIntegers(geometry.areas, 'areas', 63, Uint8Array);
  if (areas) requireLength(areas.length === indices.length / 3, areas, 'areas', `must be one for every triangle (${indices.length / 3})`);
  const areaFlags = geometry.areaFlags === undefined ? undefined
    : requireIntegers(requireByArea(geometry.areaFlags, 'areaFlags', 1), 'areaFlags', 0xffff, Uint16Array);
  return { positions, stride, vertexCount, indices, areas, areaFlags, upAxis };
}

/**
 * findFacing of a level that is in no bake.
 * @param {Session} session @param {ReturnType<typeof toTriangles>} triangles @param {number} maxSlope
 */
export function findFacingOf(session, triangles, maxSlope) {
  const bake = session.checkAddress(session.wasm.bake_create(session.handle));
  try {
    for (const steps = writeTriangles(session, bake + INPUT_AT, triangles); !steps.next().done;);
    return findFacing(session, bake, triangles, maxSlope);
  } finally {
    session.wasm.bake_destroy(bake);
  }
}

/** The error of C about levels without a cell on x or z. */
const FLAT_AND_UPRIGHT = /the level is flat along [xz], and upright/;

/**
 * Makes an error of C readable: names the number at fault, where C names only its array, and the way that the level faces, if
 * nothing can be walkable.
 * @param {Session} session @param {unknown} error of bake_start @param {Geometry} geometry @param {number} maxSlope
 */
export function explainGeometryError(session, error, geometry, maxSlope) {
  if (!(error instanceof NavError) || !(error.code === 'geometry' || FLAT_AND_UPRIGHT.test(error.message))) return error;
  const triangles = toTriangles(geometry);
  const { positions, stride, vertexCount, indices, areas } = triangles;
  /** @type {Record<string, [ArrayLike<number> | undefined, (value: number, i: number) => boolean, string]>} */
  const rules = {
    positions: [positions, (value, i) => i % stride > 2 || Number.isFinite(value), 'must be finite'],
    indices: [indices, (index) => index < vertexCount, `the level has ${vertexCount} vertices`],
    areas: [areas, (area) => area <= 63, 'must be 0 to 63'],
  };
  const { code, field = '' } = error;
  const [array = [], isGood, rule] = rules[field] ?? [];
  for (let i = 0; i < array.length; i++) {
    if (!isGood?.(array[i], i)) return new NavError('geometry', `${field}[${i}] is ${array[i]}: ${rule}`, { field, value: array[i] });
  }
  try {
    const found = findFacingOf(session, triangles, maxSlope);
    return isTurned(found) ? new NavError(code, describeFacing(found), { field }) : error;
  } catch {
    return error; // no memory is left to say more
  }
}

/** A value of a volume, solid or connection; points become arrays of numbers. @param {unknown} value */
const toPlain = (value) => numbersOfPoint(value) ?? (Array.isArray(value) && typeof value[0] === 'object' ? value.map(numbersOfPoint) : value);

/** @param {unknown} list @param {string} field @returns {any[]} */
const toPlainList = (list, field) => requireList(list, field).map((item) => (
  Object.fromEntries(Object.entries(item).map(([name, value]) => [name, toPlain(value)]))));

/** Volumes that can be sent to other threads: copies. @param {Geometry['volumes']} volumes @returns {NonNullable<Geometry['volumes']>} */
export const toPlainVolumes = (volumes) => structuredClone(toPlainList(volumes, 'volumes'));

/**
 * A level that can be sent to other threads: the arrays of toTriangles, and points without classes.
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

/** Writes words of a struct in the module's memory. @param {Session} session @param {number} address @param {number[]} words */
function writeWords({ wasm }, address, words) {
  new Uint32Array(wasm.memory.buffer, address, words.length).set(words);
}

/** Writes floats of a struct. @param {Session} session @param {number} address @param {ArrayLike<number>} floats */
function writeFloats({ wasm }, address, floats) {
  const written = new Float32Array(wasm.memory.buffer, address, floats.length);
  written.set(floats);
  dropZeroSigns(written);
}

/** @typedef {Float32Array | Uint32Array | Uint16Array | Uint8Array} AnyArray */

/** The bytes of an array of ours, or of a view from requireFloats or requireIntegers. @param {AnyArray} array */
const bytesOf = (array) => new Uint8Array(array.buffer, array.byteOffset, array.byteLength);

/**
 * Copies an array into the module's memory. The caller must store the address in its owner before anything else can fail.
 * @param {Session} session @param {AnyArray} array
 */
function copyArray(session, array) {
  const address = session.copyIn(bytesOf(array));
  if (array instanceof Float32Array) dropZeroSigns(new Float32Array(session.wasm.memory.buffer, address, array.length));
  return address;
}

/** Bytes that are copied, vertices that are turned and structs that are written between two rests: some tenths of a millisecond. */
const [CHUNK_BYTES, CHUNK_VERTICES, CHUNK_ITEMS] = [1 << 19, 1 << 16, 256];

/**
 * As copyArray, with rests; writes the address into the word at `owner`.
 * @param {Session} session @param {number} owner @param {AnyArray} array @returns {Generator<void, number, void>} the address
 */
function* copyLargeArray(session, owner, array) {
  const bytes = bytesOf(array), { length } = bytes;
  const address = session.allocate(length);
  writeWords(session, owner, [address]);
  for (let at = 0; at < length; at += CHUNK_BYTES) {
    if (bytes.length !== length) throw new NavError('geometry', 'an array of the level was transferred or resized while it was copied');
    const chunk = bytes.subarray(at, at + CHUNK_BYTES);
    session.view(address + at, chunk.length).set(chunk);
    if (array instanceof Float32Array) dropManyZeroSigns(new Uint32Array(session.wasm.memory.buffer, address + at, chunk.length / 4));
    yield;
  }
  return address;
}

/**
 * Turns vertices in the module's memory to y up, with rests.
 * @param {Session} session @param {number} address @param {ReturnType<typeof toTriangles>} triangles
 * @returns {Generator<void, void, void>}
 */
function* turnVertices(session, address, { positions: { length }, stride }) {
  for (let at = 0; at < length; at += CHUNK_VERTICES * stride) {
    const count = Math.min(CHUNK_VERTICES * stride, length - at);
    turnToYUp(new Float32Array(session.wasm.memory.buffer, address + 4 * at, count), stride);
    yield;
  }
}

/**
 * @param {Session} session @param {number} input @param {ReturnType<typeof toTriangles>} triangles
 * @returns {Generator<void, void, void>}
 */
function* writeTriangles(session, input, triangles) {
  const { positions, stride, vertexCount, indices, areas, areaFlags, upAxis } = triangles;
  const at = (/** @type {number} */ word) => input + 4 * (WmBakeInput.triangles + word);
  const address = yield* copyLargeArray(session, at(WmTriangles.positions), positions);
  if (upAxis === 'z') yield* turnVertices(session, address, triangles);
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
 * The numbers of a shape, their places among the floats of its struct, and their names.
 * @param {any} shape @param {ShapeKind} kind @param {string} field @returns {[number, ArrayLike<number>, string][]}
 */
const readShapeNumbers = (shape, { places }, field) => (
  Object.entries(places).filter(([, place]) => place >= 0).map(([name, place]) => [place, readNumbers(shape, name, field), name]));

/** The numbers that a shape has under a name. @param {any} shape @param {string} name @param {string} field @returns {ArrayLike<number>} */
function readNumbers(shape, name, field) {
  const [value, where] = [shape[name], `${field}.${name}`];
  if (SCALARS.includes(name)) return [requireNumber(value, where)];
  return name === 'halfAxes' ? requireAxes(value, where) : requirePoint(value, where);
}

/** The vertices and faces of a convex solid. @param {any} solid @param {string} field */
function readFaces(solid, field) {
  const positions = requireFloats(solid.positions, `${field}.positions`);
  const indices = requireIntegers(solid.indices, `${field}.indices`, 0xffffffff, Uint32Array);
  requireThrees(positions, `${field}.positions`);
  requireThrees(indices, `${field}.indices`);
  return { positions, indices };
}

/**
 * The solids of a level in the form that C stores: points and vectors as arrays of numbers, lengths as numbers.
 * @param {Geometry} geometry @returns {{ kind: string, radius?: number, [name: string]: any }[]}
 */
export const readSolids = (geometry) => requireList(geometry.solids, 'solids').map((given, i) => {
  const field = `solids[${i}]`;
  const { shape, index } = readShape(given, SOLIDS, SOLID_FORMS, ['area'], field), { kind, places } = SOLIDS[index];
  if (kind === 'convex') return { kind, ...readFaces(shape, field) };
  return { kind, ...Object.fromEntries(Object.keys(places).map((name) => {
    const numbers = Array.from(readNumbers(shape, name, field));
    return [name, SCALARS.includes(name) ? numbers[0] : numbers];
  })) };
});

/**
 * Writes the numbers of a shape into the floats of its struct.
 * @param {Session} session @param {number} address of the struct @param {[number, ArrayLike<number>, string][]} numbers
 */
function writeShapeNumbers(session, address, numbers) {
  for (const [place, floats] of numbers) writeFloats(session, address + 4 * place, floats);
}

/** A WmSolid. @param {Session} session @param {number} address @param {any} given @param {string} field */
function writeSolid(session, address, given, field) {
  const { shape: solid, index: kind } = readShape(given, SOLIDS, SOLID_FORMS, ['area'], field);
  const area = requireCount(solid.area ?? 63, `${field}.area`, 63);
  writeWords(session, address, [kind, area]);
  writeShapeNumbers(session, address, readShapeNumbers(solid, SOLIDS[kind], field));
  if (solid.kind !== 'convex') return;
  const { positions, indices } = readFaces(solid, field);
  writeWords(session, address + 4 * WmSolid.vertices, [copyArray(session, positions), positions.length / 3]);
  writeWords(session, address + 4 * WmSolid.indices, [copyArray(session, indices), indices.length / 3]);
}

/** C would name the number as its struct does, and not say of which volume it is. @param {ArrayLike<number>} numbers @param {string} field */
function requireFiniteFloats(numbers, field) {
  const wrong = Array.from(numbers).findIndex((number) => !Number.isFinite(Math.fround(number)));
  if (wrong >= 0) throw invalidArgument(numbers.length > 1 ? `${field}[${wrong}]` : field, `is ${numbers[wrong]}: must be finite and below 3.4e38`, numbers[wrong]);
}

/**
 * The values of a WmAreaVolume: no code of the caller runs when they are written.
 * @param {any} given @param {string} field
 */
export function readVolume(given, field) {
  const { shape: volume, index: kind } = readShape(given, VOLUMES, VOLUME_FORMS, ['area', 'beforeErosion'], field);
  const area = requireCount(volume.area, `${field}.area`, 63);
  const vertices = requireFloats(volume.kind === 'prism' ? volume.vertices : [], `${field}.vertices`);
  requireThrees(vertices, `${field}.vertices`);
  const beforeErosion = requireBoolean(volume.beforeErosion ?? false, `${field}.beforeErosion`);
  const wrong = vertices.findIndex((number, i) => i % 3 !== 1 && !Number.isFinite(number));
  if (wrong >= 0) throw invalidArgument(`${field}.vertices[${Math.floor(wrong / 3)}]`, `holds ${vertices[wrong]}: must be finite and below 3.4e38`, vertices[wrong]);
  const numbers = readShapeNumbers(volume, VOLUMES[kind], field);
  for (const [, floats, name] of numbers) requireFiniteFloats(floats, `${field}.${name}`);
  return { words: [kind, area | (beforeErosion ? 256 : 0)], numbers, vertices };
}

/**
 * A WmAreaVolume.
 * @param {Session} session @param {number} address @param {ReturnType<typeof readVolume>} volume @param {number} outline address of its vertices
 */
export function writeVolume(session, address, { words, numbers, vertices }, outline) {
  writeWords(session, address, words);
  writeShapeNumbers(session, address, numbers);
  writeWords(session, address + 4 * WmAreaVolume.vertices, [outline, vertices.length / 3]);
}

/** Fields of volumes that have other names in C, by kind. @type {Record<string, Record<string, string>>} */
const NAMES_IN_C = {
  box: { minimum: 'min', maximum: 'max' }, cylinder: { centre: 'base' }, prism: { minimum: 'minY', maximum: 'maxY', min: 'minY', max: 'maxY' },
};

/**
 * Translates C's error about a volume to the field names of JavaScript, in the message too.
 * @param {Pick<NavError, 'code' | 'message' | 'field' | 'value'>} error @param {string} kind of the volume @param {string} owner the argument @returns {NavError}
 */
export function nameVolumeField({ code, message, field = '', value }, kind, owner) {
  const own = `${owner}.${NAMES_IN_C[kind]?.[field] ?? field}`;
  return new NavError(code, message.startsWith(field) ? own + message.slice(field.length) : message, { field: own, value });
}

/** An area volume of the level. @param {Session} session @param {number} address @param {any} given @param {string} field */
function writeLevelVolume(session, address, given, field) {
  const volume = readVolume(given, field);
  writeVolume(session, address, volume, copyArray(session, volume.vertices));
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
 * Writes an array of structs, with rests; writes its address and count into the input.
 * @param {Session} session @param {number} owner address of the two words @param {any[]} list @param {number} itemBytes
 * @param {string} field @param {(session: Session, address: number, item: any, field: string) => void} write
 * @returns {Generator<void, void, void>}
 */
function* writeList(session, owner, list, itemBytes, field, write) {
  const address = session.copyIn(new Uint8Array(itemBytes * list.length));
  writeWords(session, owner, [address, list.length]);
  for (let i = 0; i < list.length; i++) {
    write(session, address + itemBytes * i, list[i], `${field}[${i}]`);
    if (i % CHUNK_ITEMS === CHUNK_ITEMS - 1) yield;
  }
}

/**
 * Copies the level into the module, in steps between which the caller can rest.
 * @param {Session} session @param {number} handle @param {Geometry} geometry
 * @returns {Generator<void, ReturnType<typeof toTriangles>, void>} its triangles, as they were given
 */
export function* writeGeometry(session, handle, geometry) {
  const triangles = toTriangles(geometry);
  const solids = requireList(geometry.solids, 'solids');
  const volumes = requireList(geometry.volumes, 'volumes');
  const connections = requireList(geometry.offMeshConnections, 'offMeshConnections');
  const input = handle + INPUT_AT;
  yield* writeTriangles(session, input, triangles);
  yield* writeList(session, input + 4 * WmBakeInput.solids, solids, 4 * WmSolid.words, 'solids', writeSolid);
  yield* writeList(session, input + 4 * WmBakeInput.volumes, volumes, 4 * WmAreaVolume.words, 'volumes', writeLevelVolume);
  yield* writeList(session, input + 4 * WmBakeInput.connections, connections, 4 * WmOffMeshConnection.words, 'offMeshConnections', writeConnection);
  return triangles;
}
