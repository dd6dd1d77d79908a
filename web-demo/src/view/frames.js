/** The frame loop: runs only while somebody has something to do in it. */

/** @typedef {(seconds: number, now: number) => boolean} FrameWork seconds since the last frame; true: call again in the next */

/** Longest step that is told, seconds: after a pause nothing jumps. */
const LONGEST = 0.1;

export class Frames {
  /** @type {Set<FrameWork>} */
  #work = new Set();
  #request = 0;
  #last = 0;

  /** Begins at once. @param {FrameWork} work @returns {() => void} ends it */
  add(work) {
    this.#work.add(work);
    this.wake();
    return () => this.#work.delete(work);
  }

  /** Runs everything in the next frame, and on while anything wants to. */
  wake() {
    this.#request ||= requestAnimationFrame((now) => this.#run(now));
  }

  /** @param {number} now */
  #run(now) {
    this.#request = 0;
    const seconds = this.#last ? Math.min((now - this.#last) / 1000, LONGEST) : 0;
    let goesOn = false;
    for (const work of [...this.#work]) goesOn = work(seconds, now) || goesOn;
    this.#last = goesOn ? now : 0;
    if (goesOn) this.wake();
  }
}
