/** Draws the links of a navigation mesh as a graph: from the centre of each polygon to the portals that lead out of it. */
import { LineBasicMaterial, LineSegments } from 'three';
import { readLinks, readTile } from '../index.js';
import { RENDER_ORDER, readOptions } from './helper.js';
import { Bytes, COLORS } from './palette.js';
import { RangeGeometry } from './geometry/range-geometry.js';
import { TileHelper } from './tile-helper.js';

/** @typedef {import('../mesh/mesh.js').NavMesh} NavMesh */

/**
 * @typedef {object} LinksHelperOptions
 * @property {number} [lift] height above their position at which links are drawn, world units; default 0.15
 * @property {boolean} [empty] true: draws nothing before the first update(), which can limit its time; default false
 */

/** The edge of links onto an off-mesh connection; the side of links that stay in their tile. */
const [ONTO_CONNECTION, INSIDE] = [255, 255];

/** Size of the crosses at the centres of polygons, world units. */
const NODE_SIZE = 0.25;

/** @param {import('../mesh/detour-tile.js').TileArrays} tile @returns {Float32Array} [groundCount][3] means of the vertices */
function middlesOf({ groundCount, sizes, polygons, vertices }) {
  const middles = new Float32Array(3 * groundCount);
  for (let p = 0; p < groundCount; p++) {
    for (let k = 0; k < sizes[p]; k++) {
      for (let axis = 0; axis < 3; axis++) middles[3 * p + axis] += vertices[3 * polygons[6 * p + k] + axis] / sizes[p];
    }
  }
  return middles;
}

/**
 * Draws the links of a navigation mesh: blue within tiles, orange across them (with the portal), violet onto off-mesh
 * connections. A one-way link is drawn on one side of its portal only. Call update() after a change of the mesh: it redraws only
 * tiles whose links changed.
 * @extends {TileHelper<{ middles: Float32Array, to: Float64Array }>}
 */
export class LinksHelper extends TileHelper {
  type = 'LinksHelper';
  #lift;
  #range = this.own(new RangeGeometry());

  /**
   * @param {NavMesh} navMesh don't update the helper after freeing it
   * @param {LinksHelperOptions} [options]
   */
  constructor(navMesh, options) {
    super(navMesh);
    const { lift, empty } = readOptions(options, { lift: 0.15, empty: false });
    this.#lift = lift;
    const material = this.own(new LineBasicMaterial({ vertexColors: true, transparent: true, depthWrite: false, toneMapped: false }));
    this.addPart(new LineSegments(this.#range.geometry, material), RENDER_ORDER.links);
    if (!empty) this.update();
  }

  /** @internal @override @param {number} ref */
  drawTile(ref) {
    const links = readLinks(this.navMesh, ref);
    const known = this.tiles.get(ref);
    if (known && known.to.length === links.count && known.to.every((to, i) => to === links.to[i])) return false;
    const middles = known?.middles ?? middlesOf(readTile(this.navMesh.tileBytes(ref)));
    this.tiles.set(ref, { middles, to: links.to });
    const { positions, colors } = this.#draw(links, ref, middles);
    this.#range.set(ref, positions, colors);
    return true;
  }

  /** @internal @override @param {number} ref */
  removeTile(ref) {
    this.#range.delete(ref);
  }

  /** @param {import('../mesh/links.js').Links} links @param {number} ref @param {Float32Array} middles */
  #draw({ count, from, edges, sides, openings }, ref, middles) {
    /** @type {number[]} */
    const positions = [];
    /** @type {number[]} */
    const colors = [];
    const lift = this.#lift;
    const [inside, across, onto] = [new Bytes(COLORS.link, 0.9), new Bytes(COLORS.crossing, 1), new Bytes(COLORS.connection, 1)];
    const reach = NODE_SIZE / 2;
    for (let p = 0; p < middles.length; p += 3) {
      const [x, y, z] = [middles[p], middles[p + 1] + lift, middles[p + 2]];
      positions.push(x - reach, y, z - reach, x + reach, y, z + reach, x - reach, y, z + reach, x + reach, y, z - reach);
      for (let k = 0; k < 4; k++) colors.push(...inside.rgba);
    }
    for (let i = 0; i < count; i++) {
      const polygon = from[i] - ref;
      if (3 * polygon >= middles.length) continue; // a link from an off-mesh connection: ConnectionsHelper draws it
      const { rgba } = edges[i] === ONTO_CONNECTION ? onto : sides[i] === INSIDE ? inside : across;
      const [ax, ay, az, bx, by, bz] = openings.subarray(6 * i, 6 * i + 6);
      positions.push(middles[3 * polygon], middles[3 * polygon + 1] + lift, middles[3 * polygon + 2],
        (ax + bx) / 2, (ay + by) / 2 + lift, (az + bz) / 2);
      colors.push(...rgba, ...rgba);
      if (sides[i] === INSIDE) continue;
      positions.push(ax, ay + lift, az, bx, by + lift, bz);
      colors.push(...rgba, ...rgba);
    }
    return { positions: Float32Array.from(positions), colors: Uint8Array.from(colors) };
  }
}
