/** The frame loop: runs only while there is work. */

/** @typedef {(seconds: number, now: number) => boolean} FrameWork seconds since the last frame; true: call again in the next */

/** Longest reported frame time, seconds, so that nothing jumps after a pause. */
const LONGEST = 0.1;

export class Frames {
  /** @type {Set<FrameWork>} */
  #work = new Set();
  /** Runs before the other work. @type {Set<FrameWork>} */
  #first = new Set();
  #request = 0;
  #last = 0;

  /** Adds work, which starts immediately. @param {FrameWork} work @returns {() => void} removes it */
  add(work) {
    this.#work.add(work);
    this.wake();
    return () => this.#work.delete(work);
  }

  /** Adds work that runs before the view is drawn, such as changes of what it shows. @param {FrameWork} work @returns {() => void} removes it */
  addFirst(work) {
    this.#first.add(work);
    this.wake();
    return () => this.#first.delete(work);
  }

  /** Runs all work in the next frame, and in further frames while any work continues. */
  wake() {
    this.#request ||= requestAnimationFrame((now) => this.#run(now));
  }

  /** @param {number} now */
  #run(now) {
    this.#request = 0;
    const seconds = this.#last ? Math.min((now - this.#last) / 1000, LONGEST) : 0;
    let continues = false;
    for (const work of [...this.#first, ...this.#work]) continues = work(seconds, now) || continues;
    this.#last = continues ? now : 0;
    if (continues) this.wake();
  }
}
