/** The axis gizmo in the corner of the view: shows the direction of the axes; a click on one looks along it. */
import { ViewHelper } from 'three/addons/helpers/ViewHelper.js';

/** @typedef {import('./viewport.js').Viewport} Viewport */

/** Narrower views have no room for it, pixels. */
const MIN_WIDTH = 480;

export class Axes {
  isShown = true;
  #viewport;
  #helper;
  #frames;

  /** @param {Viewport} viewport @param {import('./frames.js').Frames} frames */
  constructor(viewport, frames) {
    this.#viewport = viewport;
    this.#frames = frames;
    const { camera, canvas, controls } = viewport;
    this.#helper = new ViewHelper(camera, canvas);
    this.#helper.setLabels('x', 'y', 'z');
    this.#helper.location.top = 0;
    this.#helper.center = controls.target;
    // Before the listeners of the tools and of the camera.
    canvas.addEventListener('pointerdown', (event) => this.#click(event), { capture: true });
    frames.add((seconds) => this.#turn(seconds));
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
