/** The answer of the inspector at its pin: a label of HTML above the view, which follows the pin. */
import { Vector3 } from 'three';
import { html, render } from 'lit';
import { joinUnits } from '../tools/result-text.js';
import { mendButtons, playStartButtons, verdictFor } from './verdict.js';

/** @typedef {import('../app.js').App} App */
/** @typedef {import('./inspector.js').Inspected} Inspected */

/** Height of the pin in heights of the view, and the distance between pin and label, pixels. */
const [PIN_HEIGHT, GAP] = [0.046, 8];
/** Space between the label and the edges, pixels. */
const EDGE = 8;
/** Least width of the view beside the tools, pixels. */
const NARROW = 240;

export class PinLabel {
  #app;
  #element = document.createElement('div');
  #at = new Vector3();
  #spot = new Vector3();
  #isShown = false;

  /** @param {App} app */
  constructor(app) {
    this.#app = app;
    this.#element.className = 'pin-label';
    this.#element.hidden = true;
    app.viewport.canvas.parentElement?.append(this.#element);
  }

  hide() {
    this.#isShown = false;
    this.#element.hidden = true;
    render('', this.#element);
  }

  /** @param {Inspected} inspected */
  show(inspected) {
    const { facts, explanation, failure, point } = inspected;
    // Without an answer it would only flash.
    if (!facts && !explanation && failure === null) {
      this.hide();
      return;
    }
    this.#isShown = true;
    this.#at.fromArray(point);
    const { tone, title, text } = verdictFor(this.#app, inspected);
    render(html`<div class="card ${tone}" role="group" aria-label="Answer at the point">
      <p><strong>${title}</strong> ${joinUnits(text)}</p>${mendButtons(this.#app, inspected)}${playStartButtons(this.#app, inspected, true)}</div>`, this.#element);
    this.follow();
  }

  /** The part of the view without the tools, which lie at its left, or at its foot on phones. @param {number} width @param {number} height */
  #freeArea(width, height) {
    const rail = /** @type {HTMLElement | null} */ (document.querySelector('.rail'));
    if (!rail) return { left: EDGE, bottom: height - EDGE };
    const { offsetLeft, offsetTop, offsetWidth, offsetHeight } = rail;
    if (offsetWidth > offsetHeight) return { left: EDGE, bottom: Math.min(offsetTop, height) - EDGE };
    const left = offsetLeft + offsetWidth + EDGE;
    return { left: left + NARROW > width ? EDGE : left, bottom: height - EDGE };
  }

  /** Moves the label to the pin: above it, or below where there is no room. */
  follow() {
    if (!this.#isShown) return;
    const { camera, canvas } = this.#app.viewport;
    const { clientWidth: width, clientHeight: height } = canvas;
    const { x, y, z } = this.#spot.copy(this.#at).project(camera);
    const isInView = z > -1 && z < 1 && Math.abs(x) <= 1 && Math.abs(y) <= 1;
    this.#element.hidden = !isInView;
    if (!isInView) return;
    const { offsetWidth, offsetHeight } = this.#element;
    const [left, top] = [(x + 1) / 2 * width, (1 - y) / 2 * height];
    const above = top - PIN_HEIGHT * height - GAP - offsetHeight;
    const free = this.#freeArea(width, height);
    const across = Math.min(Math.max(left - offsetWidth / 2, free.left), Math.max(width - offsetWidth - EDGE, free.left));
    const down = Math.min(above >= EDGE ? above : top + GAP, Math.max(free.bottom - offsetHeight, EDGE));
    this.#element.style.transform = `translate(${Math.round(across)}px, ${Math.round(down)}px)`;
  }
}
