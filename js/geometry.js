/**
 * The level as JavaScript hands it over: triangles, and what is placed among them. Types and lengths are
 * checked here; indices, finite values and ranges in C (src/bake/input_check.c).
 */
import { NavError, describe, invalidArgument } from './errors.js';

/** @typedef {import('./session.js').Session} Session */
/** @typedef {ArrayLike<number>} Point three numbers: x, y, z, world units */

/**
 * A closed volume that is solid inside; its top is walkable with `area` (0: not walkable).
 * @typedef {{ kind: 'box', centre: Point, halfAxes: ArrayLike<number>, area?: number }
 *   | { kind: 'sphere', centre: Point, radius: number, area?: number }
 *   | { kind: 'capsule' | 'cylinder', start: Point, end: Point, radius: number, area?: number }
 *   | { kind: 'convex', positions: Float32Array, indices: Uint32Array | Uint16Array, area?: number }} Solid
 */

/**
 * Sets the area of the walkable surface inside it; area 0 makes it unwalkable.
 * @typedef {{ kind: 'box', min: Point, max: Point, area: number }
 *   | { kind: 'rotatedBox', centre: Point, halfExtents: Point, yaw: number, area: number }
 *   | { kind: 'cylinder', centre: Point, radius: number, height: number, area: number }
 *   | { kind: 'prism', vertices: Float32Array, minY: number, maxY: number, area: number }} AreaVolume
 */

/**
 * A way that the surface does not show: a ladder, a jump.
 * @typedef {object} OffMeshConnection
 * @property {Point} start
 * @property {Point} end
 * @property {number} radius how far the ends may lie from the mesh, world units
 * @property {boolean} [bidirectional] default true
 * @property {number} [area] 0 to 63; default 0
 * @property {number} [flags] 16 bits; default 1
 * @property {number} [userId] 32 bits; default 0
 */

/**
 * @typedef {object} Geometry
 * @property {Float32Array} positions x, y, z of each vertex; y is up
 * @property {Uint32Array | Uint16Array} indices three a triangle, counter-clockwise seen from above
 * @property {number} [stride] numbers from one vertex to the next in positions; default 3
 * @property {Uint8Array} [areas] one a triangle, 0 to 63: its area where it is walkable, 0 for never; default 63
 * @property {AreaVolume[]} [volumes]
 * @property {Solid[]} [solids]
 * @property {OffMeshConnection[]} [offMeshConnections]
 * @property {Uint16Array} [areaFlags] 64 numbers: the flags of polygons by area; default 1 for each
 */

/** In the order of WmSolidKind. */
const SOLID_KINDS = ['box', 'sphere', 'capsule', 'cylinder', 'convex'];
/** In the order of WmAreaVolumeKind. */
const VOLUME_KINDS = ['box', 'rotatedBox', 'cylinder', 'prism'];

const AREA_COUNT = 64;

/** Where the WmBakeInput lies in what bake_create returns. */
const INPUT_AT = 100;

/**
 * @param {unknown} value @param {string} field @param {Function[]} types
 */
function requireTyped(value, field, ...types) {
  if (types.some((type) => value instanceof /** @type {any} */ (type))) return;
  throw invalidArgument(field, `must be a ${types.map((type) => type.name).join(' or ')}, not ${describe(value)}`, value);
}

/** @param {unknown} value @param {string} field @param {number} [low] @param {number} [high] */
function requireNumber(value, field, low = -Infinity, high = Infinity) {
  if (typeof value !== 'number' || Number.isNaN(value)) {
    throw invalidArgument(field, `must be a number, not ${describe(value)}`, value);
  }
  if (value < low || value > high) throw invalidArgument(field, `is ${value}: must be ${low} to ${high}`, value);
  return value;
}

/** @param {unknown} value @param {string} field @param {number} low @param {number} high */
function requireInteger(value, field, low, high) {
  const number = requireNumber(value, field, low, high);
  if (!Number.isInteger(number)) throw invalidArgument(field, `is ${value}: must be a whole number`, value);
  return number;
}

/** @param {unknown} value @param {string} field @param {number} [count] @returns {number[]} */
export function requireNumbers(value, field, count = 3) {
  const list = /** @type {ArrayLike<unknown> | null | undefined} */ (value);
  if (typeof list !== 'object' || list?.length !== count) {
    throw invalidArgument(field, `must be ${count} numbers, not ${describe(value)}`, value);
  }
  return Array.from(list, (number, i) => requireNumber(number, `${field}[${i}]`));
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

/** @param {unknown} kind @param {string[]} kinds @param {string} field */
function requireKind(kind, kinds, field) {
  const index = kinds.indexOf(/** @type {string} */ (kind));
  if (index < 0) throw invalidArgument(`${field}.kind`, `is ${describe(kind)}: must be ${kinds.join(', ')}`, kind);
  return index;
}

/** What can be seen without going through arrays. @param {Geometry} geometry */
export function checkGeometry(geometry) {
  if (typeof geometry !== 'object' || geometry === null) {
    throw invalidArgument('geometry', `must be an object with positions and indices, not ${describe(geometry)}`);
  }
  const { positions, indices, stride = 3, areas, areaFlags } = geometry;
  requireTyped(positions, 'positions', Float32Array);
  requireTyped(indices, 'indices', Uint32Array, Uint16Array);
  requireInteger(stride, 'stride', 3, 4096);
  const beyond = positions.length % stride;
  requireLength(beyond === 0 || beyond >= 3, 'positions',
    'the length is not a multiple of the stride (3 where none is given)');
  requireLength(indices.length % 3 === 0, 'indices', 'the length is not a multiple of 3');
  if (areas !== undefined) {
    requireTyped(areas, 'areas', Uint8Array);
    requireLength(areas.length === indices.length / 3, 'areas', 'there must be one for every triangle');
  }
  if (areaFlags !== undefined) {
    requireTyped(areaFlags, 'areaFlags', Uint16Array);
    if (areaFlags.length !== AREA_COUNT) {
      throw invalidArgument('areaFlags', `has ${areaFlags.length} numbers: must have ${AREA_COUNT}`);
    }
  }
}

/** Sets words of a struct in the module's memory. @param {Session} session @param {number} address @param {number[]} words */
function writeWords({ wasm }, address, words) {
  new Uint32Array(wasm.memory.buffer, address, words.length).set(words);
}

/** As writeWords, float32. @param {Session} session @param {number} address @param {number[]} floats */
function writeFloats({ wasm }, address, floats) {
  new Float32Array(wasm.memory.buffer, address, floats.length).set(floats);
}

/**
 * A copy in the module's memory. Whatever owns it must know it before anything else can fail.
 * @param {Session} session @param {Float32Array | Uint32Array | Uint16Array | Uint8Array} array
 */
function copyArray(session, array) {
  return session.copyIn(new Uint8Array(array.buffer, array.byteOffset, array.byteLength));
}

/** @param {Uint32Array | Uint16Array} indices */
const toU32 = (indices) => (indices instanceof Uint32Array ? indices : Uint32Array.from(indices));

/** @param {Session} session @param {number} input @param {Geometry} geometry */
function writeTriangles(session, input, { positions, indices, stride = 3, areas, areaFlags }) {
  const vertexCount = Math.floor((positions.length + stride - 3) / stride);
  writeWords(session, input, [copyArray(session, positions), stride, vertexCount]);
  writeWords(session, input + 12, [copyArray(session, toU32(indices)), indices.length / 3]);
  if (areas) writeWords(session, input + 20, [copyArray(session, areas)]);
  if (areaFlags) writeWords(session, input + 48, [copyArray(session, areaFlags)]);
}

/** start, end, half axes, radius. @param {any} solid @param {string} field */
function solidParameters(solid, field) {
  const none = [0, 0, 0];
  const axes = [0, 0, 0, 0, 0, 0, 0, 0, 0];
  const radius = () => requireNumber(solid.radius, `${field}.radius`);
  switch (solid.kind) {
    case 'box': return [...requireNumbers(solid.centre, `${field}.centre`), ...none,
      ...requireNumbers(solid.halfAxes, `${field}.halfAxes`, 9), 0];
    case 'sphere': return [...requireNumbers(solid.centre, `${field}.centre`), ...none, ...axes, radius()];
    case 'convex': return [...none, ...none, ...axes, 0];
    default: return [...requireNumbers(solid.start, `${field}.start`),
      ...requireNumbers(solid.end, `${field}.end`), ...axes, radius()];
  }
}

/** A WmSolid. @param {Session} session @param {number} address @param {any} solid @param {string} field */
function writeSolid(session, address, solid, field) {
  const kind = requireKind(solid.kind, SOLID_KINDS, field);
  const area = requireInteger(solid.area ?? 63, `${field}.area`, 0, 63);
  const convex = solid.kind === 'convex';
  const positions = convex ? solid.positions : new Float32Array(0);
  const indices = convex ? solid.indices : new Uint32Array(0);
  requireTyped(positions, `${field}.positions`, Float32Array);
  requireTyped(indices, `${field}.indices`, Uint32Array, Uint16Array);
  if (positions.length % 3) throw invalidArgument(`${field}.positions`, 'has a length that is not a multiple of 3');
  if (indices.length % 3) throw invalidArgument(`${field}.indices`, 'has a length that is not a multiple of 3');
  writeWords(session, address, [kind, area]);
  writeFloats(session, address + 8, solidParameters(solid, field));
  if (!convex) return;
  writeWords(session, address + 72, [copyArray(session, positions), positions.length / 3]);
  writeWords(session, address + 80, [copyArray(session, toU32(indices)), indices.length / 3]);
}

/** minimum, maximum, centre, half extents, yaw, radius, height. @param {any} volume @param {string} field */
function volumeParameters(volume, field) {
  const none = [0, 0, 0];
  const number = (/** @type {string} */ name) => requireNumber(volume[name], `${field}.${name}`);
  const point = (/** @type {string} */ name) => requireNumbers(volume[name], `${field}.${name}`);
  switch (volume.kind) {
    case 'box': return [...point('min'), ...point('max')];
    case 'rotatedBox': return [...none, ...none, ...point('centre'), ...point('halfExtents'), number('yaw')];
    case 'cylinder': return [...none, ...none, ...point('centre'), ...none, 0, number('radius'), number('height')];
    default: return [0, number('minY'), 0, 0, number('maxY'), 0];
  }
}

/** A WmAreaVolume. @param {Session} session @param {number} address @param {any} volume @param {string} field */
function writeVolume(session, address, volume, field) {
  const kind = requireKind(volume.kind, VOLUME_KINDS, field);
  const area = requireInteger(volume.area, `${field}.area`, 0, 63);
  const vertices = volume.kind === 'prism' ? volume.vertices : new Float32Array(0);
  requireTyped(vertices, `${field}.vertices`, Float32Array);
  if (vertices.length % 3) throw invalidArgument(`${field}.vertices`, 'has a length that is not a multiple of 3');
  writeWords(session, address, [kind, area]);
  writeFloats(session, address + 8, volumeParameters(volume, field));
  writeWords(session, address + 68, [copyArray(session, vertices), vertices.length / 3]);
}

/** A WmOffMeshConnection. @param {Session} session @param {number} address @param {any} connection @param {string} field */
function writeConnection(session, address, connection, field) {
  const { bidirectional = true } = connection;
  if (typeof bidirectional !== 'boolean') {
    throw invalidArgument(`${field}.bidirectional`, `must be true or false, not ${describe(bidirectional)}`);
  }
  const flags = requireInteger(connection.flags ?? 1, `${field}.flags`, 0, 0xffff);
  const area = requireInteger(connection.area ?? 0, `${field}.area`, 0, 63);
  const userId = requireInteger(connection.userId ?? 0, `${field}.userId`, 0, 0xffffffff);
  writeFloats(session, address, [...requireNumbers(connection.start, `${field}.start`),
    ...requireNumbers(connection.end, `${field}.end`), requireNumber(connection.radius, `${field}.radius`)]);
  writeWords(session, address + 28, [flags | area << 16 | (bidirectional ? 1 << 24 : 0), userId]);
}

/**
 * Writes structs one after the other, and where they are into the input.
 * @param {Session} session @param {number} owner address of the two words @param {any[]} list @param {number} itemBytes
 * @param {string} field @param {(session: Session, address: number, item: any, field: string) => void} write
 */
function writeList(session, owner, list, itemBytes, field, write) {
  const address = session.copyIn(new Uint8Array(itemBytes * list.length));
  writeWords(session, owner, [address, list.length]);
  list.forEach((item, i) => write(session, address + itemBytes * i, item, `${field}[${i}]`));
}

/**
 * Copies the level into the module.
 * @param {Session} session @param {number} handle @param {Geometry} geometry
 */
export function writeGeometry(session, handle, geometry) {
  checkGeometry(geometry);
  const solids = requireList(geometry.solids, 'solids');
  const volumes = requireList(geometry.volumes, 'volumes');
  const connections = requireList(geometry.offMeshConnections, 'offMeshConnections');
  // The layout of WmBakeInput and of what it refers to: wasm/bake_exports.c.
  const input = handle + INPUT_AT;
  writeTriangles(session, input, geometry);
  writeList(session, input + 24, solids, 88, 'solids', writeSolid);
  writeList(session, input + 32, volumes, 76, 'volumes', writeVolume);
  writeList(session, input + 40, connections, 36, 'offMeshConnections', writeConnection);
}
