/** Work on the main thread in slices of a few milliseconds, between which events and frames have their turn. */
import { ProgressFrames } from '../view/progress-frames.js';
import { runSoon } from '../view/run-soon.js';

/** @typedef {import('../app.js').App} App */

/** Milliseconds of a slice. */
const SLICE = 8;

export class FrameTask {
  #app;
  #step;
  #isDue = false;
  #isScheduled = false;
  #progressFrames;
  /** Ends the slower pace of drawings. @type {(() => void) | undefined} */
  #endPace;

  /** @param {App} app @param {(milliseconds: number) => boolean} step does part of the work; true: finished */
  constructor(app, step) {
    this.#app = app;
    this.#step = step;
    this.#progressFrames = new ProgressFrames(app);
  }

  get isDone() {
    return !this.#isDue;
  }

  /** Schedules work from the next task on. */
  request() {
    this.#isDue = true;
    this.#endPace ??= this.#app.viewport.pace.begin();
    this.#schedule();
  }

  /** Cancels the work. */
  stop() {
    this.#isDue = false;
    this.#endPace?.();
    this.#endPace = undefined;
  }

  #schedule() {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    runSoon(() => this.#run());
  }

  #run() {
    this.#isScheduled = false;
    if (!this.#isDue) return;
    const isDone = this.#step(SLICE);
    if (isDone) this.stop();
    else this.#schedule();
    this.#progressFrames.schedule(isDone);
  }
}
