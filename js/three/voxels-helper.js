/** Draws the voxels of a bake: the spans of the heightfield as boxes, or the floors of open spans, coloured by a stage. */
import { Color } from 'three';
import { NavError, describe, invalidArgument } from '../runtime/errors.js';
import { requireOptions } from '../runtime/arguments.js';
import { nameSet } from '../runtime/option-names.js';
import { Helper, RENDER_ORDER } from './helper.js';
import { Instances } from './geometry/instances.js';
import { COLORS, areaColor, regionColor } from './palette.js';
import { makeBox, makeShaded } from './geometry/shapes.js';
import { frameOf, requireBaker } from '../bake/stage-frame.js';

/** @typedef {import('../bake/baker.js').Baker} Baker */
/** @typedef {import('../bake/stage-frame.js').StageFrame} StageFrame */

/**
 * - `solid` the solid spans, coloured by area; grey if unwalkable
 * - `areas` the open spans by area; grey if unwalkable, also after erosion
 * - `distance` the open spans by their distance from area borders: dark near them
 * - `regions` the open spans by region; grey without one
 * @typedef {'solid' | 'areas' | 'distance' | 'regions'} VoxelView
 */

/** @type {readonly VoxelView[]} */
const VIEWS = ['solid', 'areas', 'distance', 'regions'];

/**
 * @typedef {object} VoxelsUpdate
 * @property {number} [x] tile place of the tile in the baker; default 0
 * @property {number} [z]
 * @property {VoxelView} [view] default `solid`
 */

const UPDATE_NAMES = nameSet(/** @satisfies {import('../runtime/option-names.js').Names<VoxelsUpdate>} */ ({ x: 1, z: 1, view: 1 }));

/** Fraction of a cell between boxes, so that cells can be told apart. */
const GAP = 0.06;

/** The boxes of one tile: one draw call per tile. */
class BoxWriter {
  #frame;
  #boxes;
  count = 0;

  /** @param {StageFrame} frame @param {Instances} boxes */
  constructor(frame, boxes) {
    this.#frame = frame;
    this.#boxes = boxes;
  }

  /** @param {number} cell @param {number} low cell heights @param {number} high @param {Color} color */
  add(cell, low, high, color) {
    const { origin, cellSize, cellHeight, width, border } = this.#frame;
    const [x, z] = [cell % width - border, Math.floor(cell / width) - border];
    const side = (1 - GAP) * cellSize;
    this.#boxes.setUpright(this.count, origin[0] + (x + 0.5) * cellSize, origin[1] + low * cellHeight,
      origin[2] + (z + 0.5) * cellSize, side, (high - low) * cellHeight);
    this.#boxes.setColor(this.count++, color);
  }
}

/** Cells of a tile without its border. @param {StageFrame} frame */
function* innerCells({ width, depth, border }) {
  for (let z = border; z < depth - border; z++) {
    for (let x = border; x < width - border; x++) yield x + z * width;
  }
}

/**
 * An array of the baker; throws if it doesn't exist.
 * @template {import('../bake/stages.js').StageArray} T @param {Baker} baker @param {T} name
 */
function requireStage(baker, name) {
  const array = baker.read(name);
  if (array === null) throw new NavError('state', `the baker has no array \`${name}\`: step on, or begin the tile with keepStages`);
  return array;
}

/**
 * Draws the voxels of one tile or several as boxes, in one call per tile. Leaves out the border of a tile, which belongs to its
 * neighbours. A million spans use 80 MB.
 */
export class VoxelsHelper extends Helper {
  type = 'VoxelsHelper';
  /** @type {Map<string, Instances>} */
  #tiles = new Map();
  #notWalkable = new Color(COLORS.notWalkable);

  /**
   * Draws the tile in a baker, replacing what was drawn for its tile place; other tiles stay.
   * @param {Baker} baker @param {VoxelsUpdate} [update]
   * @returns {number} boxes
   */
  update(baker, update = {}) {
    this.check();
    const { x = 0, z = 0, view = 'solid' } = requireOptions(update, UPDATE_NAMES);
    if (!VIEWS.includes(view)) throw invalidArgument('view', `is ${describe(view)}: must be ${VIEWS.join(', ')}`, view);
    const frame = frameOf(requireBaker(baker), x, z);
    const key = `${x} ${z}`;
    const draw = view === 'solid' ? this.#prepareSolid(baker, frame) : this.#prepareOpen(baker, frame, view);
    let boxes = this.#tiles.get(key);
    if (!boxes) {
      this.#tiles.set(key, boxes = new Instances(this, makeBox(), [{ material: makeShaded(), order: RENDER_ORDER.surface - 1 }]));
    }
    boxes.reserve(draw.count);
    const writer = new BoxWriter(frame, boxes);
    draw.write(writer);
    boxes.finish(writer.count);
    return writer.count;
  }

  /** Draws nothing; the buffers are reused. */
  reset() {
    this.check();
    for (const boxes of this.#tiles.values()) boxes.finish(0);
  }

  /** @param {Baker} baker @param {StageFrame} frame */
  #prepareSolid(baker, frame) {
    const { cellFirst, spans } = requireStage(baker, 'heightfield');
    const write = (/** @type {BoxWriter} */ writer) => {
      const color = new Color();
      for (const cell of innerCells(frame)) {
        for (let span = cellFirst[cell]; span < cellFirst[cell + 1]; span++) {
          const area = spans[3 * span + 2];
          writer.add(cell, spans[3 * span], spans[3 * span + 1], area === 0 ? this.#notWalkable : areaColor(area, color));
        }
      }
    };
    return { count: spans.length / 3, write };
  }

  /** @param {Baker} baker @param {StageFrame} frame @param {Exclude<VoxelView, 'solid'>} view */
  #prepareOpen(baker, frame, view) {
    const { cells, floor } = requireStage(baker, 'compact');
    const values = /** @type {Uint8Array | Uint16Array} */ (requireStage(baker, view));
    const most = view === 'distance' ? Uint16Array.from(values).reduce((max, value) => Math.max(max, value), 1) : 1;
    const color = new Color();
    const colorOf = (/** @type {number} */ value) => {
      if (view === 'distance') return color.set(0x0b3b46).lerp(new Color(0xfff1b8), value / most);
      if (value === 0) return this.#notWalkable;
      return view === 'areas' ? areaColor(value, color) : regionColor(value & 0x7fff, color);
    };
    const write = (/** @type {BoxWriter} */ writer) => {
      for (const cell of innerCells(frame)) {
        const [first, count] = [cells[2 * cell], cells[2 * cell + 1]];
        for (let span = first; span < first + count; span++) {
          writer.add(cell, floor[span] - 0.25, floor[span] + 0.25, colorOf(values[span]));
        }
      }
    };
    return { count: floor.length, write };
  }
}
