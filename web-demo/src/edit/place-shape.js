/** Places shapes by a click, with a preview under the pointer. */
import { DrawnItem } from './drawn-item.js';
import { add, makeShape, positionOf, roundPoint, snapOffset } from './shapes.js';

/** @typedef {import('../app.js').App} App */
/** @typedef {import('./shapes.js').Kind} Kind */
/** @typedef {import('./shapes.js').Point} Point */
/** @typedef {import('../view/picking.js').LevelHit} LevelHit */

/** Depth of a shape's base below the ground, world units: covers slopes and the rounding of heights. */
export const SINK = 0.3;

/** Sizes that suit the agent. @param {{ agentRadius: number, agentHeight: number, cellSize: number }} config */
export function sizesFor({ agentRadius, agentHeight, cellSize }) {
  return { radius: Math.max(1.5 * agentRadius, 3 * cellSize), height: agentHeight, sink: SINK };
}

/** The ground at a hit; a hit on a wall uses the ground at its foot. @param {App} app @param {LevelHit} hit @returns {Point} */
export function surfaceAt(app, { point: [x, y, z], normal }) {
  if (Math.abs(normal[1]) > 0.4) return roundPoint([x, y, z]);
  const [fromX, fromZ] = [x + 0.3 * normal[0], z + 0.3 * normal[2]];
  const low = app.picking.below([fromX, y, fromZ], 1000);
  return roundPoint(low === null ? [x, y, z] : [fromX, low, fromZ]);
}

export class Ghost {
  #app;
  /** @type {DrawnItem | null} */
  #drawn = null;
  /** Key of the drawn shape: kind, sizes and colour. */
  #text = '';
  /** Position of the shape relative to the ground point. @type {Point} */
  #offset = [0, 0, 0];

  /** @param {App} app */
  constructor(app) {
    this.#app = app;
  }

  /** @param {Kind} kind @param {LevelHit | null} hit null: hides the preview @param {string} color */
  show(kind, hit, color) {
    if (!hit) {
      this.hide();
      return;
    }
    const sizes = sizesFor(this.#app.store.state.document.config);
    const text = JSON.stringify([kind, sizes, color]);
    if (text !== this.#text) {
      this.hide();
      const shape = makeShape(kind, [0, 0, 0], sizes);
      this.#offset = positionOf(shape);
      this.#drawn = DrawnItem.ofShape(shape, { color, opacity: 0.3, isSelected: false });
      this.#app.viewport.overlay.add(this.#drawn.root);
      this.#text = text;
    }
    const ground = surfaceAt(this.#app, hit);
    const snapped = add(ground, snapOffset(ground, [0, 0, 0], this.#app.store.state.view.snap));
    this.#drawn?.moveTo(add(snapped, this.#offset), 0);
    this.#app.viewport.invalidate();
  }

  hide() {
    if (!this.#drawn) return;
    this.#drawn.dispose();
    this.#drawn = null;
    this.#text = '';
    this.#app.viewport.invalidate();
  }
}

/** @param {App} app @param {Kind} kind @param {LevelHit} hit */
export function shapeAt(app, kind, hit) {
  const ground = surfaceAt(app, hit);
  return makeShape(kind, add(ground, snapOffset(ground, [0, 0, 0], app.store.state.view.snap)), sizesFor(app.store.state.document.config));
}
