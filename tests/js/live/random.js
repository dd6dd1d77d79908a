/**
 * Seeded random numbers: the same scene for the same seed on every machine.
 *
 * Source: PCG-XSH-RR with 32 bits of output (M. O'Neill, 2014), on two 32-bit halves.
 */

/** A stream of random numbers. */
export class Random {
  /** @param {number} seed any integer below 2^53 */
  constructor(seed) {
    this.state = 0n;
    this.increment = (BigInt(seed) << 1n) | 1n;
    this.uint32();
    this.state = BigInt.asUintN(64, this.state + 0x853c49e6748fea9bn);
    this.uint32();
  }

  /** @returns {number} an integer, 0 .. 2^32 - 1 */
  uint32() {
    const old = this.state;
    this.state = BigInt.asUintN(64, old * 6364136223846793005n + this.increment);
    const shifted = Number(BigInt.asUintN(32, ((old >> 18n) ^ old) >> 27n));
    const rotation = Number(old >> 59n);
    return ((shifted >>> rotation) | (shifted << (-rotation & 31))) >>> 0;
  }

  /** @returns {number} in [0, 1) */
  real() {
    return this.uint32() / 4294967296;
  }

  /** @param {number} low @param {number} high @returns {number} in [low, high) */
  between(low, high) {
    return low + (high - low) * this.real();
  }

  /** @param {number} low @param {number} high @returns {number} an integer, low .. high inclusive */
  integer(low, high) {
    return low + Math.floor(this.real() * (high - low + 1));
  }

  /** @param {number} probability @returns {boolean} true with the given probability */
  chance(probability) {
    return this.real() < probability;
  }

  /** @template T @param {T[]} list @returns {T} one of them */
  pick(list) {
    return list[this.integer(0, list.length - 1)];
  }
}
