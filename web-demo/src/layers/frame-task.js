/** Work on the main thread that is done a few milliseconds a frame, so that the page stays smooth. */

/** @typedef {import('../app.js').App} App */

/** Milliseconds a frame; and from one picture of what is there so far to the next, for pictures take longer than the work. */
const [SLICE, PICTURES] = [8, 250];

export class FrameTask {
  #app;
  #step;
  #isDue = false;
  #shown = 0;

  /** @param {App} app @param {(milliseconds: number) => boolean} step does some of the work; true: all is done */
  constructor(app, step) {
    this.#app = app;
    this.#step = step;
    app.frames.add(() => this.#run());
  }

  get isDone() {
    return !this.#isDue;
  }

  /** There is work to do from the next frame on. */
  request() {
    this.#isDue = true;
    this.#app.frames.wake();
  }

  /** There is none any more. */
  stop() {
    this.#isDue = false;
  }

  #run() {
    if (!this.#isDue) return false;
    this.#isDue = !this.#step(SLICE);
    const now = performance.now();
    if (!this.#isDue || now - this.#shown > PICTURES) {
      this.#shown = now;
      this.#app.viewport.invalidate();
      this.#app.panels.refresh();
    }
    return this.#isDue;
  }
}
