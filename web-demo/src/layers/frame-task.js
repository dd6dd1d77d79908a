/** Work on the main thread that is done a few milliseconds a frame, so that the page stays smooth. */
import { Pictures } from '../view/pictures.js';

/** @typedef {import('../app.js').App} App */

/** Milliseconds a frame. */
const SLICE = 8;

export class FrameTask {
  #app;
  #step;
  #isDue = false;
  #pictures;

  /** @param {App} app @param {(milliseconds: number) => boolean} step does some of the work; true: all is done */
  constructor(app, step) {
    this.#app = app;
    this.#step = step;
    this.#pictures = new Pictures(app);
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
    this.#pictures.soon(!this.#isDue);
    return this.#isDue;
  }
}
