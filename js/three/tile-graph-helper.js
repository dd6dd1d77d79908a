/** Draws a level of a tile graph: its entrances, and lines between those that a tile or block connects. */
import { BufferAttribute, BufferGeometry, LineBasicMaterial, LineSegments, Points, PointsMaterial, Sphere, Vector3 } from 'three';
import { requireAmount } from '../runtime/arguments.js';
import { describe, invalidArgument } from '../runtime/errors.js';
import { isOfKind } from '../runtime/foreign.js';
import { TILE_GRAPH } from '../runtime/handle-kinds.js';
import { Helper, RENDER_ORDER, readOptions } from './helper.js';
import { COLORS } from './palette.js';

/** @typedef {import('three').ColorRepresentation} ColorRepresentation */
/** @typedef {import('../query/tile-graph.js').TileGraph} TileGraph */

/**
 * @typedef {object} TileGraphHelperOptions
 * @property {number} [level] 0: steps within tiles; 1, 2, 3: within blocks of 4 x 4, 16 x 16 and 64 x 64 tiles; default 0
 * @property {ColorRepresentation} [color]
 * @property {number} [opacity] of the lines, 0 to 1; default 0.35
 * @property {number} [size] of the entrances, world units; default 0.5
 * @property {number} [lift] height above their position at which entrances are drawn, world units; default 0.2
 */

/**
 * Draws the entrances of a tile graph as points, and the steps between them as straight lines, in two draw calls. A step is not the line
 * that agents walk: it may lead around walls. Call update() after a change of the mesh.
 */
export class TileGraphHelper extends Helper {
  type = 'TileGraphHelper';
  #graph;
  #options;
  #points = this.own(new BufferGeometry());
  #lines = this.own(new BufferGeometry());

  /**
   * @param {TileGraph} graph don't update the helper after freeing it
   * @param {TileGraphHelperOptions} [options]
   */
  constructor(graph, options) {
    super();
    if (!isOfKind(graph, TILE_GRAPH)) throw invalidArgument('graph', `must be a TileGraph, not ${describe(graph)}`, graph);
    this.#graph = graph;
    this.#options = readOptions(options, { level: 0, color: /** @type {ColorRepresentation} */ (COLORS.border), opacity: 0.35, size: 0.5, lift: 0.2 });
    for (const name of /** @type {const} */ (['opacity', 'size'])) requireAmount(this.#options[name], name);
    for (const geometry of [this.#points, this.#lines]) geometry.boundingSphere = new Sphere(new Vector3(), Infinity); // else three.js would compute it, for sorting
    const { color, opacity, size } = this.#options;
    const look = { color, transparent: true, depthWrite: false, toneMapped: false };
    /** The opacity of the material may be changed. @type {LineSegments<BufferGeometry, LineBasicMaterial>} */
    this.lines = this.addPart(new LineSegments(this.#lines, this.own(new LineBasicMaterial({ ...look, opacity }))), RENDER_ORDER.links);
    /** @type {Points<BufferGeometry, PointsMaterial>} */
    this.entrances = this.addPart(new Points(this.#points, this.own(new PointsMaterial({ ...look, size }))), RENDER_ORDER.links + 0.5);
    this.update();
  }

  /** Draws the present graph. @param {number} [level] another one @returns {number} the number of entrances that it has */
  update(level = this.#options.level) {
    this.check();
    const { points, pairs } = this.#graph.steps(level);
    this.#options.level = level;
    for (let i = 1; i < points.length; i += 3) points[i] += this.#options.lift;
    for (const geometry of [this.#points, this.#lines]) geometry.dispose();
    const position = new BufferAttribute(points, 3);
    this.#points.setAttribute('position', position);
    this.#lines.setAttribute('position', position);
    this.#lines.setIndex(new BufferAttribute(pairs, 1));
    return points.length / 3;
  }
}
