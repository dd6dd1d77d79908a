/** Work on the main thread in slices of a few milliseconds per frame, so that the page stays responsive. */
import { ProgressFrames } from '../view/progress-frames.js';

/** @typedef {import('../app.js').App} App */

/** Milliseconds per frame. */
const SLICE = 8;

export class FrameTask {
  #app;
  #step;
  #isDue = false;
  #progressFrames;

  /** @param {App} app @param {(milliseconds: number) => boolean} step does part of the work; true: finished */
  constructor(app, step) {
    this.#app = app;
    this.#step = step;
    this.#progressFrames = new ProgressFrames(app);
    app.frames.add(() => this.#run());
  }

  get isDone() {
    return !this.#isDue;
  }

  /** Schedules work from the next frame on. */
  request() {
    this.#isDue = true;
    this.#app.frames.wake();
  }

  /** Cancels the work. */
  stop() {
    this.#isDue = false;
  }

  #run() {
    if (!this.#isDue) return false;
    this.#isDue = !this.#step(SLICE);
    this.#progressFrames.schedule(!this.#isDue);
    return this.#isDue;
  }
}
