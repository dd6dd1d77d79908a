/** Durations of the last steps of a crowd. */

/** Number of steps stored, and drawn in the graph. */
export const WINDOW = 120;

export class StepTimes {
  #times = new Float64Array(WINDOW);
  #next = 0;
  #count = 0;

  /** @param {number} milliseconds of one step */
  add(milliseconds) {
    this.#times[this.#next] = milliseconds;
    this.#next = (this.#next + 1) % WINDOW;
    this.#count = Math.min(this.#count + 1, WINDOW);
  }

  clear() {
    this.#next = this.#count = 0;
  }

  get count() {
    return this.#count;
  }

  /** The oldest step comes first. @returns {number[]} */
  list() {
    return Array.from({ length: this.#count }, (_, i) => this.#times[(this.#next - this.#count + i + WINDOW) % WINDOW]);
  }

  /** Median, longest and last duration; zeros without steps. */
  summary() {
    if (this.#count === 0) return { median: 0, worst: 0, last: 0 };
    const list = this.list();
    const sorted = list.slice().sort((a, b) => a - b);
    const half = sorted.length >> 1;
    const median = sorted.length % 2 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
    return { median, worst: sorted[sorted.length - 1], last: list[list.length - 1] };
  }
}
