/** Highlights the tiles that a dynamic mesh has rebuilt, for a moment. */
import { AdditiveBlending, Color } from 'three';
import { describe, invalidArgument } from '../runtime/errors.js';
import { Helper, RENDER_ORDER, readOptions } from './helper.js';
import { Instances } from './geometry/instances.js';
import { requireDynamic } from './obstacles-helper.js';
import { COLORS } from './palette.js';
import { makeBox, makeShaded } from './geometry/shapes.js';

/** @typedef {import('three').ColorRepresentation} ColorRepresentation */
/** @typedef {import('../dynamic/dynamic-nav-mesh.js').DynamicNavMesh} DynamicNavMesh */

/**
 * @typedef {object} RebuiltTilesHelperOptions
 * @property {number} [seconds] duration of a highlight; default 0.6
 * @property {ColorRepresentation} [color]
 */

/** Columns of light above tiles that changed, fading. Call update() in every frame. */
export class RebuiltTilesHelper extends Helper {
  type = 'RebuiltTilesHelper';
  #dynamic;
  #options;
  /** @type {Instances} */
  #columns;
  #stop;
  /** Tile places with the seconds of light that are left. @type {Map<string, { x: number, z: number, left: number }>} */
  #lit = new Map();

  /** @param {DynamicNavMesh} dynamic @param {RebuiltTilesHelperOptions} [options] */
  constructor(dynamic, options) {
    super();
    this.#dynamic = requireDynamic(dynamic);
    this.#options = readOptions(options, { seconds: 0.6, color: /** @type {ColorRepresentation} */ (COLORS.border) });
    const material = makeShaded({ opacity: 0.35, isGhost: true });
    material.blending = AdditiveBlending;
    this.#columns = new Instances(this, makeBox(), [{ material, order: RENDER_ORDER.ghosts }]);
    const { seconds } = this.#options;
    this.#stop = dynamic.onTileChanged(({ x, z }) => this.#light(x, z, seconds));
  }

  /** Highlights any tile, for example one that was baked again. @param {number} x its tile place @param {number} z */
  light(x, z) {
    this.check();
    for (const [name, value] of Object.entries({ x, z })) {
      if (!Number.isInteger(value)) throw invalidArgument(name, `is ${describe(value)}: must be a whole number, the place of a tile`, value);
    }
    this.#light(x, z, this.#options.seconds);
  }

  /** @param {number} x @param {number} z @param {number} left seconds */
  #light(x, z, left) {
    this.#lit.set(`${x} ${z}`, { x, z, left });
  }

  /** The number of highlighted tiles. @returns {number} */
  get count() {
    return this.#columns.count;
  }

  /**
   * Draws the tiles that have changed, and fades the light.
   * @param {number} [deltaTime] seconds since the last update; default 0
   */
  update(deltaTime = 0) {
    this.check();
    if (!(typeof deltaTime === 'number' && deltaTime >= 0)) {
      throw invalidArgument('deltaTime', `is ${describe(deltaTime)}: must be seconds, not negative`, deltaTime);
    }
    const { navMesh } = this.#dynamic;
    const { origin, tileWidth, tileDepth } = navMesh.parameters;
    const { boundsMin: [, low], boundsMax: [, high] } = navMesh.totals;
    for (const [place, tile] of this.#lit) {
      tile.left -= deltaTime;
      if (!(tile.left > 0)) this.#lit.delete(place);
    }
    this.#columns.reserve(this.#lit.size);
    const [full, color] = [new Color(this.#options.color), new Color()];
    let i = 0;
    for (const { x, z, left } of this.#lit.values()) {
      this.#columns.setUpright(i, origin[0] + (x + 0.5) * tileWidth, low, origin[2] + (z + 0.5) * tileDepth, tileWidth,
        Math.max(high - low, 0.1), tileDepth);
      this.#columns.setColor(i++, color.copy(full).multiplyScalar(left / this.#options.seconds));
    }
    this.#columns.finish(i);
  }

  dispose() {
    this.#stop();
    super.dispose();
  }
}
