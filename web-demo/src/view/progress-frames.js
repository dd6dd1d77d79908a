/**
 * Redraws while work is in progress: at intervals, and rarely if a drawing takes long, so that drawing doesn't slow down
 * the work.
 */

/** @typedef {import('../app.js').App} App */

/** Interval between drawings: at least these milliseconds, and this multiple of the drawing time. */
const [MIN_INTERVAL, SHARE] = [200, 4];

export class ProgressFrames {
  #app;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  #last = -Infinity;
  /** Duration of the last drawing, until the browser was ready for the next. */
  #milliseconds = 0;

  /** @param {App} app */
  constructor(app) {
    this.#app = app;
  }

  /** Schedules a drawing of the scene and the counts in the panels; `isDone`: draws immediately. @param {boolean} [isDone] */
  schedule(isDone = false) {
    const wait = this.#last + Math.max(MIN_INTERVAL, SHARE * this.#milliseconds) - performance.now();
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
