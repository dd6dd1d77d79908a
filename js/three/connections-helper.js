/** Draws off-mesh connections: arcs with a cone for each direction, and rings with the radius in which their ends search the mesh. */
import { Color } from 'three';
import { readTileCounts } from '../mesh/detour-tile.js';
import { Helper, readOptions, requireNavMesh } from './helper.js';
import { Instances } from './geometry/instances.js';
import { COLORS } from './palette.js';
import { makeCone, makeRing } from './geometry/shapes.js';
import { Tubes, makeSolidAndGhost, setAlong } from './geometry/tubes.js';

/** @typedef {import('../mesh/mesh.js').NavMesh} NavMesh */
/** @typedef {import('../mesh/connections.js').Connection} Connection */

/**
 * @typedef {object} ConnectionsHelperOptions
 * @property {number} [radius] of the arcs, world units; default 0.06
 * @property {number} [lift] height above their points at which ends are drawn, world units; default 0.1
 * @property {number} [rise] height of an arc over the line between its ends, as a fraction of their distance; default 0.25
 */

const SEGMENTS = 20;

/**
 * An arc from point to point. @param {Connection} connection @param {number} lift @param {number} rise
 * @returns {Float32Array} [SEGMENTS + 1][3]
 */
function arcOf({ startOnMesh, endOnMesh }, lift, rise) {
  const arc = new Float32Array(3 * (SEGMENTS + 1));
  const height = rise * Math.hypot(...startOnMesh.map((from, axis) => endOnMesh[axis] - from));
  for (let i = 0; i <= SEGMENTS; i++) {
    const t = i / SEGMENTS;
    for (let axis = 0; axis < 3; axis++) arc[3 * i + axis] = startOnMesh[axis] + t * (endOnMesh[axis] - startOnMesh[axis]);
    arc[3 * i + 1] += lift + 4 * t * (1 - t) * height;
  }
  return arc;
}

/**
 * Draws the off-mesh connections of a navigation mesh: those baked into tiles and those created at run time. Violet; grey if
 * switched off; red if an end isn't tied to a polygon. A cone stands at each end that the connection leads to. Call update()
 * after a change of the mesh.
 */
export class ConnectionsHelper extends Helper {
  type = 'ConnectionsHelper';
  #navMesh;
  #options;
  #version = NaN;
  /** @type {Map<number, number[]>} references of the connections baked into a tile, by the tile's reference */
  #baked = new Map();
  #tubes = new Tubes(this);
  #rings = new Instances(this, makeRing(), makeSolidAndGhost());
  #cones = new Instances(this, makeCone(), makeSolidAndGhost());
  #colors = { usual: new Color(COLORS.connection), untied: new Color(COLORS.untied), disabled: new Color(COLORS.disabled) };

  /**
   * @param {NavMesh} navMesh don't update the helper after freeing it
   * @param {ConnectionsHelperOptions} [options]
   */
  constructor(navMesh, options) {
    super();
    this.#navMesh = requireNavMesh(navMesh);
    this.#options = readOptions(options, { radius: 0.06, lift: 0.1, rise: 0.25 });
    this.update();
  }

  /** Draws the present connections. @returns {number} their number */
  update() {
    this.check();
    const { version } = this.#navMesh;
    if (version === this.#version) return this.#rings.count / 2;
    const references = [...this.#findBaked(), ...this.#navMesh.connections()];
    this.#rings.reserve(2 * references.length);
    this.#cones.reserve(2 * references.length);
    this.#tubes.begin();
    let [rings, cones] = [0, 0];
    for (const ref of references) {
      const connection = this.#navMesh.connection(ref);
      rings = this.#drawRings(connection, rings);
      cones = this.#drawArc(connection, cones);
    }
    this.#tubes.finish();
    this.#rings.finish(rings);
    this.#cones.finish(cones);
    this.#version = version;
    return references.length;
  }

  /** References of the connections baked into tiles; reads only new tiles. */
  #findBaked() {
    const present = new Set(this.#navMesh.tileRefs());
    for (const ref of this.#baked.keys()) if (!present.has(ref)) this.#baked.delete(ref);
    for (const ref of present) {
      if (this.#baked.has(ref)) continue;
      const { groundCount, polygonCount } = readTileCounts(this.#navMesh.tileBytes(ref));
      this.#baked.set(ref, Array.from({ length: polygonCount - groundCount }, (_, i) => ref + groundCount + i));
    }
    return [...this.#baked.values()].flat();
  }

  /** @param {Connection} connection @param {boolean} isTied */
  #colorOf({ enabled }, isTied) {
    const { usual, untied, disabled } = this.#colors;
    return !isTied ? untied : enabled ? usual : disabled;
  }

  /** @param {Connection} connection @param {number} count rings until now @returns {number} rings including these */
  #drawRings(connection, count) {
    const { lift, radius: thickness } = this.#options;
    const { startOnMesh, endOnMesh, startTied, endTied, radius } = connection;
    for (const [[x, y, z], isTied] of /** @type {const} */ ([[startOnMesh, startTied], [endOnMesh, endTied]])) {
      this.#rings.setUpright(count, x, y + lift / 2, z, Math.max(radius, 4 * thickness), 1);
      this.#rings.setColor(count++, this.#colorOf(connection, isTied));
    }
    return count;
  }

  /** @param {Connection} connection @param {number} count cones until now @returns {number} cones including these */
  #drawArc(connection, count) {
    const { lift, rise, radius } = this.#options;
    const arc = arcOf(connection, lift, rise);
    const color = this.#colorOf(connection, connection.startTied && connection.endTied);
    const last = arc.length - 3;
    // A cone reaches back to a point of the arc; the arc itself ends at the cone's base.
    const placeCone = (/** @type {number} */ tip, /** @type {number} */ towards) => {
      const direction = [0, 1, 2].map((axis) => arc[towards + axis] - arc[tip + axis]);
      const length = Math.hypot(...direction);
      if (!(length > 0)) return;
      const share = Math.min(8 * radius, 3 * length) / length;
      const ends = [...direction.map((part, axis) => arc[tip + axis] + share * part), ...arc.subarray(tip, tip + 3)];
      if (setAlong(this.#cones, count, ends, 0, 3, 2.6 * radius)) this.#cones.setColor(count++, color);
    };
    placeCone(last, last - 3);
    if (connection.bidirectional) placeCone(0, 3);
    this.#tubes.add(arc.subarray(connection.bidirectional ? 3 : 0, last), radius, color);
    return count;
  }
}
