/** The axis gizmo in the corner of the view: shows the direction of the axes; a click on one looks along it. */
import { CanvasTexture, SpriteMaterial } from 'three';
import { ViewHelper } from 'three/addons/helpers/ViewHelper.js';

/** @typedef {import('./viewport.js').Viewport} Viewport */

/** Narrower views have no room for it, pixels. */
const MIN_WIDTH = 480;

/** Colours of the ends of negative axes by theme, and the side of their picture in pixels. */
const NEGATIVE = { light: 0x66717d, dark: 0x9aa7b4 };
const SIDE = 64;

/** A white dot on nothing, as large as the ends of positive axes. */
function makeDot() {
  const canvas = new OffscreenCanvas(SIDE, SIDE);
  const context = /** @type {OffscreenCanvasRenderingContext2D} */ (canvas.getContext('2d'));
  context.arc(SIDE / 2, SIDE / 2, 14, 0, 2 * Math.PI);
  context.fillStyle = 'white';
  context.fill();
  return new CanvasTexture(/** @type {any} */ (canvas));
}

export class Axes {
  isShown = true;
  #viewport;
  #helper;
  #frames;
  /** Of the ends of negative axes: those of three.js are black and hardly seen on a dark ground. */
  #negative = new SpriteMaterial({ map: makeDot(), opacity: 0.85, toneMapped: false });

  /** @param {Viewport} viewport @param {import('./frames.js').Frames} frames */
  constructor(viewport, frames) {
    this.#viewport = viewport;
    this.#frames = frames;
    const { camera, canvas, controls } = viewport;
    this.#helper = new ViewHelper(camera, canvas);
    this.#helper.setLabels('x', 'y', 'z');
    for (const part of this.#helper.children) if (/^neg/.test(part.userData.type)) /** @type {import('three').Sprite} */ (part).material = this.#negative;
    this.#helper.location.top = 0;
    this.#helper.center = controls.target;
    // Before the listeners of the tools and of the camera.
    canvas.addEventListener('pointerdown', (event) => this.#click(event), { capture: true });
    frames.add((seconds) => this.#turn(seconds));
  }

  /** @param {'light' | 'dark'} theme */
  setTheme(theme) {
    this.#negative.color.set(NEGATIVE[theme]);
  }

  get #isDrawn() {
    return this.isShown && this.#viewport.canvas.clientWidth >= MIN_WIDTH;
  }

  /** @param {PointerEvent} event */
  #click(event) {
    if (!this.#isDrawn || event.button !== 0 || !this.#helper.handleClick(event)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    this.#frames.wake();
  }

  /** @param {number} seconds */
  #turn(seconds) {
    if (!this.#helper.animating) return false;
    this.#helper.update(seconds);
    this.#viewport.invalidate();
    if (!this.#helper.animating) {
      this.#viewport.controls.update();
      this.#viewport.controls.dispatchEvent({ type: 'end' });
    }
    return true;
  }

  /** Draws over the scene, into the same picture. */
  draw() {
    if (!this.#isDrawn) return;
    const { renderer } = this.#viewport;
    const { clippingPlanes } = renderer;
    Object.assign(renderer, { autoClear: false, clippingPlanes: [] });
    this.#helper.render(renderer);
    Object.assign(renderer, { autoClear: true, clippingPlanes });
  }
}
