/** Off-mesh connections added at run time: ladders, jumps, teleporters between any two points of the mesh. */
import { readPoint, readReference } from '../runtime/results.js';
import { requireAmount, requireBoolean, requireCount, requireOptions, requireReference, writePoint } from '../runtime/arguments.js';
import { NAV_MESH } from '../runtime/handle-kinds.js';
import { nameSet } from '../runtime/option-names.js';
import { addressOf } from '../runtime/handle.js';
import { TileEdits, tileAddress } from './tiles.js';
import { WmConnection, WmMeshTile } from '../runtime/layout.js';
import { dropZeroSigns } from '../runtime/zero.js';

/** @typedef {import('../runtime/arguments.js').PolygonRef} PolygonRef */
/** @typedef {import('../runtime/arguments.js').Point} Point */

/** Words of a WmConnection; ENDS_AT and TIED_AT are behind it in the result. */
const { start: START_AT, end: END_AT, radius: RADIUS_AT, climb: CLIMB_AT, bidirectional: SWITCHES_AT, flags: FLAGS_AT, userId: USER_ID_AT,
  costFactor: COST_FACTOR_AT, words: ENDS_AT } = WmConnection;
const TIED_AT = ENDS_AT + 6;
/** Words of a WmMeshTile. */
const { polygonCount: POLYGON_COUNT_AT, groundCount: GROUND_COUNT_AT } = WmMeshTile;

/**
 * @typedef {object} ConnectionOptions
 * @property {Point} start
 * @property {Point} end
 * @property {number} [radius] the largest distance on x and z from an end to the mesh, world units; default the agent radius
 * @property {number} [climb] the largest distance on y, world units; default the agent's climb
 * @property {boolean} [bidirectional] default true
 * @property {boolean} [enabled] false: no search uses it; default true
 * @property {number} [area] 0 to 63; default 0
 * @property {number} [flags] 16 bits; default 1
 * @property {number} [userId] 32 bits; default 0
 * @property {number} [costFactor] its cost is this, times the area cost, times the distance between its ends; default 1
 */

const CONNECTION_NAMES = nameSet(/** @satisfies {import('../runtime/option-names.js').Names<ConnectionOptions>} */ (
  { start: 1, end: 1, radius: 1, climb: 1, bidirectional: 1, enabled: 1, area: 1, flags: 1, userId: 1, costFactor: 1 }));

/**
 * @typedef {object} Connection
 * @property {PolygonRef} ref reference of its polygon
 * @property {[number, number, number]} start as given
 * @property {[number, number, number]} end as given
 * @property {[number, number, number]} startOnMesh start, moved onto the mesh
 * @property {[number, number, number]} endOnMesh
 * @property {boolean} startTied true if the start is tied to a polygon
 * @property {boolean} endTied
 * @property {number} radius
 * @property {number} climb
 * @property {boolean} bidirectional
 * @property {boolean} enabled
 * @property {number} area
 * @property {number} flags
 * @property {number} userId
 * @property {number} costFactor
 */

/**
 * Warns of a connection or link that no path crosses.
 * @param {string} name @param {number[] | undefined} start if it has no ground @param {number[] | undefined} end
 */
export function warnOfLooseEnds(name, start, end) {
  const ends = [start && `start (${start.map(short).join(', ')})`, end && `end (${end.map(short).join(', ')})`].filter(Boolean);
  if (ends.length === 0) return;
  console.warn(`walkmesh: no path crosses ${name}: no mesh lies under its ${ends.join(' and its ')}. If its tiles are added later, ignore this.`);
}

/** @param {number} number */
const short = (number) => Number(number.toPrecision(4));

/** References of the connections that are baked into tiles. @param {TileEdits} navMesh */
export function* bakedConnections(navMesh) {
  for (const tile of navMesh.tileRefs()) {
    const at = tileAddress(navMesh, tile) / 4, { u32 } = navMesh.session;
    const first = u32[at + GROUND_COUNT_AT], end = u32[at + POLYGON_COUNT_AT];
    for (let i = first; i < end; i++) yield tile + i;
  }
}

export class ConnectionEdits extends TileEdits {
  /**
   * Adds a connection between any two points, also of distant tiles. Each end is tied to the nearest polygon within radius and
   * climb. Adding and removing tiles ties and unties it. In development a connection with an end on no ground is reported with
   * console.warn.
   * @param {ConnectionOptions} options
   * @returns {PolygonRef} reference of its polygon
   */
  addConnection(options) {
    const address = addressOf(this, NAV_MESH);
    const { session } = this, { wasm, calls } = session;
    const { start, end, radius, climb, bidirectional = true, enabled = true, area = 0, flags = 1, userId = 0,
      costFactor = 1 } = requireOptions(options, CONNECTION_NAMES);
    session.requireNoCallSince(calls);
    wasm.mesh_default_connection(address);
    session.refresh();
    const { f32, u32, inputs } = session;
    writePoint(session, START_AT, start, 'start');
    writePoint(session, END_AT, end, 'end');
    if (radius !== undefined) f32[inputs + RADIUS_AT] = requireAmount(radius, 'radius');
    if (climb !== undefined) f32[inputs + CLIMB_AT] = requireAmount(climb, 'climb');
    u32[inputs + SWITCHES_AT] = (requireBoolean(bidirectional, 'bidirectional') ? 1 : 0)
      | (requireBoolean(enabled, 'enabled') ? 0x100 : 0) | (requireCount(area, 'area', 63) << 16);
    u32[inputs + FLAGS_AT] = requireCount(flags, 'flags', 0xffff);
    u32[inputs + USER_ID_AT] = requireCount(userId, 'userId', 0xffffffff);
    f32[inputs + COST_FACTOR_AT] = requireAmount(costFactor, 'costFactor');
    session.requireNoCallSince(calls);
    dropZeroSigns(f32, inputs + START_AT, inputs + CLIMB_AT + 1);
    session.check(wasm.mesh_add_connection(address));
    const connection = readReference(session.u32, session.answer);
    if (session.leaks.warned) this.#warnIfLoose(connection);
    return connection;
  }

  /** Warns of a connection that waits for ground. @param {PolygonRef} connection */
  #warnIfLoose(connection) {
    const { start, end, startTied, endTied, radius, climb, userId } = this.connection(connection);
    const name = `${userId === 0 ? 'a connection' : `the connection with userId ${userId}`} of radius ${short(radius)} and climb ${short(climb)}`;
    // The end is only searched for if the start is tied.
    warnOfLooseEnds(name, startTied ? undefined : start, !startTied || endTied ? undefined : end);
  }

  /** Removes a connection made by addConnection. @param {PolygonRef} connection reference */
  removeConnection(connection) {
    const address = addressOf(this, NAV_MESH);
    const { session } = this;
    requireReference(connection, 'connection');
    session.check(session.wasm.mesh_remove_connection(address, connection));
  }

  /** Enables or disables a connection made by addConnection, immediately. @param {PolygonRef} connection reference @param {boolean} enabled */
  setConnectionEnabled(connection, enabled) {
    const address = addressOf(this, NAV_MESH);
    const { session } = this;
    requireReference(connection, 'connection');
    requireBoolean(enabled, 'enabled');
    session.check(session.wasm.mesh_set_connection_enabled(address, connection, enabled ? 1 : 0));
  }

  /** Sets the cost factor of a connection made by addConnection, immediately. @param {PolygonRef} connection reference @param {number} factor */
  setConnectionCost(connection, factor) {
    const address = addressOf(this, NAV_MESH);
    const { session } = this;
    requireReference(connection, 'connection');
    requireAmount(factor, 'factor');
    session.check(session.wasm.mesh_set_connection_cost(address, connection, factor));
  }

  /**
   * Reads an off-mesh connection, added at run time or baked into a tile.
   * @param {PolygonRef} connection reference
   * @returns {Connection}
   */
  connection(connection) {
    const address = addressOf(this, NAV_MESH);
    const { session } = this;
    requireReference(connection, 'connection');
    session.check(session.wasm.mesh_connection(address, connection));
    const { f32, u32, answer } = session;
    const point = (/** @type {number} */ at) => {
      const read = /** @type {[number, number, number]} */ ([0, 0, 0]);
      readPoint(f32, answer + at, read);
      return read;
    };
    const switches = u32[answer + SWITCHES_AT];
    const tied = u32[answer + TIED_AT];
    return {
      ref: connection, start: point(START_AT), end: point(END_AT), startOnMesh: point(ENDS_AT), endOnMesh: point(ENDS_AT + 3),
      startTied: (tied & 1) !== 0, endTied: (tied & 2) !== 0, radius: f32[answer + RADIUS_AT], climb: f32[answer + CLIMB_AT],
      bidirectional: (switches & 0xff) !== 0, enabled: (switches & 0xff00) !== 0, area: (switches >>> 16) & 0xff,
      flags: u32[answer + FLAGS_AT] & 0xffff, userId: u32[answer + USER_ID_AT], costFactor: f32[answer + COST_FACTOR_AT],
    };
  }

  /**
   * The first connection that has a userId: of those added at run time, then of those baked into tiles; 0 if there is none. References
   * change with files and tiles; a userId stays.
   * @param {number} userId @returns {PolygonRef} its reference
   */
  findConnection(userId) {
    addressOf(this, NAV_MESH);
    requireCount(userId, 'userId', 0xffffffff);
    for (const ref of this.connections()) if (this.connection(ref).userId === userId) return ref;
    for (const ref of bakedConnections(this)) if (this.connection(ref).userId === userId) return ref;
    return 0;
  }

  /** References of the connections added at run time, in the order of addition. @returns {number[]} */
  connections() {
    const address = addressOf(this, NAV_MESH);
    const { wasm } = this.session;
    const references = [];
    for (let ref = 0; (ref = wasm.mesh_next_connection(address, ref)) !== 0;) references.push(ref);
    return references;
  }
}
