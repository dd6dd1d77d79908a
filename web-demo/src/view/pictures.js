/**
 * Pictures of what is still being made: now and then, and seldom where a picture takes long, so that drawing does not keep the work
 * from going on.
 */

/** @typedef {import('../app.js').App} App */

/** Milliseconds from one picture to the next: at least, and as a multiple of what a picture takes. */
const [LEAST, SHARE] = [200, 4];

export class Pictures {
  #app;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  #last = -Infinity;
  /** What the last one took, until the browser was ready for another. */
  #milliseconds = 0;

  /** @param {App} app */
  constructor(app) {
    this.#app = app;
  }

  /** The scene and the counts in the panels are drawn soon; `isDone`: at once. @param {boolean} [isDone] */
  soon(isDone = false) {
    const wait = this.#last + Math.max(LEAST, SHARE * this.#milliseconds) - performance.now();
    if (isDone || wait <= 0) this.#draw();
    else this.#timer ??= setTimeout(() => this.#draw(), wait);
  }

  #draw() {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#last = performance.now();
    this.#app.viewport.invalidate();
    this.#app.panels.refresh();
    const begin = this.#last;
    requestAnimationFrame(() => requestAnimationFrame(() => {
      this.#milliseconds = performance.now() - begin;
      this.#last = performance.now();
    }));
  }
}
