/**
 * The pace of drawings while work is in progress, such as a bake: they take a small part of the processors' time. Without a graphics
 * card a drawing takes as long as the bake of hundreds of tiles. Input is answered immediately.
 */

/** Pause before a drawing, as a multiple of the last drawing's time. */
const SHARE = 7;
/** Longest time of a drawing that counts, milliseconds: in a hidden page, a drawing ends when the page is shown again. */
const LONGEST = 580;
/** While work ends within this many times the last drawing's time, its end is drawn instead. */
const SOON = 3;
/** Milliseconds after input during which drawings don't wait. */
const INPUT_TIME = 300;

export class Pace {
  /** Milliseconds of the last drawing, until the canvas shows it. */
  milliseconds = 0;
  #wake;
  #now;
  /** The work in progress: each returns the milliseconds that are probably left. @type {Set<() => number>} */
  #works = new Set();
  /** The pause begins with the work, and after each drawing. */
  #restsFrom = -Infinity;
  /** @type {number | null} */
  #begunAt = null;
  #inputAt = -Infinity;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;

  /** @param {() => void} wake called when a drawing that waited is due @param {{ target?: EventTarget, now?: () => number }} [options] target: of the input */
  constructor(wake, { target = window, now = () => performance.now() } = {}) {
    this.#wake = wake;
    this.#now = now;
    const follow = (/** @type {Event} */ event) => {
      // A pointer that only passes by changes nothing.
      if (event.type !== 'pointermove' || /** @type {PointerEvent} */ (event).buttons > 0) this.#inputAt = now();
    };
    for (const type of ['pointerdown', 'pointermove', 'pointerup', 'wheel', 'keydown']) target.addEventListener(type, follow, { capture: true, passive: true });
  }

  /**
   * Slows drawings down until the returned function is called.
   * @param {() => number} [left] milliseconds that the work probably still takes @returns {() => void}
   */
  begin(left = () => Infinity) {
    const work = () => left();
    this.#works.add(work);
    this.#restsFrom = this.#now();
    return () => {
      if (this.#works.delete(work) && this.#works.size === 0) this.#wake();
    };
  }

  /** True while work is in progress. */
  get isSlow() {
    return this.#works.size > 0;
  }

  /** True if a drawing must wait; wakes when it is due. */
  get mustWait() {
    const now = this.#now();
    if (this.#works.size === 0 || now - this.#inputAt < INPUT_TIME) return false;
    const isSoonOver = [...this.#works].some((left) => left() < SOON * this.milliseconds);
    const wait = Math.max(this.#restsFrom + SHARE * this.milliseconds - now, isSoonOver ? this.milliseconds : 0);
    if (wait <= 0) return false;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(this.#wake, wait);
    return true;
  }

  /** A drawing begins. */
  beginDrawing() {
    this.#begunAt = this.#now();
  }

  /** The drawing is on the canvas. */
  endDrawing() {
    if (this.#begunAt === null) return;
    this.#restsFrom = this.#now();
    this.milliseconds = Math.min(this.#restsFrom - this.#begunAt, LONGEST);
    this.#begunAt = null;
  }
}
