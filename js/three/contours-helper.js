/** Draws the contours of a bake: the outlines of regions, from which polygons are made. */
import { Color, LineBasicMaterial, LineSegments } from 'three';
import { NavError } from '../runtime/errors.js';
import { requireOptions } from '../runtime/arguments.js';
import { nameSet } from '../runtime/option-names.js';
import { Helper, RENDER_ORDER, readOptions } from './helper.js';
import { Bytes, regionColor } from './palette.js';
import { RangeGeometry } from './geometry/range-geometry.js';
import { frameOf, requireBaker } from '../bake/stage-frame.js';

/** @typedef {import('../bake/baker.js').Baker} Baker */

/**
 * @typedef {object} ContoursHelperOptions
 * @property {number} [lift] height above their position at which contours are drawn, world units; default 0.12
 */

/**
 * @typedef {object} ContoursUpdate
 * @property {number} [x] tile place of the tile in the baker; default 0
 * @property {number} [z]
 * @property {boolean} [raw] also draws the outlines before their simplification, faintly; they exist while the tile is at the
 *   stage `contours`, or later if it was begun with keepStages; default true
 */

const UPDATE_NAMES = nameSet(/** @satisfies {import('../runtime/option-names.js').Names<ContoursUpdate>} */ ({ x: 1, z: 1, raw: 1 }));

const WHITE = new Color(0xffffff);

/** Contours of one tile or several, drawn in one call, with a colour for each region. */
export class ContoursHelper extends Helper {
  type = 'ContoursHelper';
  #lift;
  #range = this.own(new RangeGeometry());

  /** @param {ContoursHelperOptions} [options] */
  constructor(options) {
    super();
    this.#lift = readOptions(options, { lift: 0.12 }).lift;
    const material = this.own(new LineBasicMaterial({ vertexColors: true, transparent: true, depthWrite: false, toneMapped: false }));
    this.addPart(new LineSegments(this.#range.geometry, material), RENDER_ORDER.contours);
  }

  /**
   * Draws the contours of the tile in a baker, replacing those that were drawn for its tile place; other tiles stay.
   * @param {Baker} baker at the stage `contours` or later @param {ContoursUpdate} [update]
   * @returns {number} contours
   */
  update(baker, update = {}) {
    this.check();
    const { x = 0, z = 0, raw = true } = requireOptions(update, UPDATE_NAMES);
    const contours = requireBaker(baker).read('contours');
    if (!contours) throw new NavError('state', 'the baker has no contours: step until its stage `contours` has run');
    const frame = frameOf(baker, x, z);
    /** @type {number[]} */
    const positions = [];
    /** @type {number[]} */
    const colors = [];
    const addLoop = (/** @type {Int32Array} */ vertices, /** @type {Bytes} */ { rgba }) => {
      const count = vertices.length / 4;
      for (let i = 0; i < count; i++) {
        for (const at of [4 * i, 4 * ((i + 1) % count)]) {
          positions.push(frame.origin[0] + vertices[at] * frame.cellSize,
            frame.origin[1] + (vertices[at + 1] + 1) * frame.cellHeight + this.#lift,
            frame.origin[2] + vertices[at + 2] * frame.cellSize);
          colors.push(...rgba);
        }
      }
    };
    for (const { region, vertices, rawVertices } of contours) {
      const color = regionColor(region);
      if (raw) addLoop(rawVertices, new Bytes(color, 0.7));
      addLoop(vertices, new Bytes(color.lerp(WHITE, 0.6), 1));
    }
    this.#range.set(`${x} ${z}`, positions, Uint8Array.from(colors));
    return contours.length;
  }

  /** Draws nothing; the buffers are reused. */
  reset() {
    this.check();
    this.#range.clear();
  }
}
