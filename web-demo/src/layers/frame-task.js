/** Work on the main thread in slices of a few milliseconds, between which events and frames have their turn. */
import { ProgressFrames } from '../view/progress-frames.js';

/** @typedef {import('../app.js').App} App */

/** Milliseconds of a slice. */
const SLICE = 8;

/** Tasks that wait for their next slice. @type {(() => void)[]} */
const waiting = [];
const { port1, port2 } = new MessageChannel();
port1.onmessage = () => waiting.shift()?.();

/** Runs a function in a later task: without the pause of a timer, and not only once per frame. @param {() => void} run */
function runSoon(run) {
  waiting.push(run);
  port2.postMessage(null);
}

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
