/**
 * Converts decimal text to float32 with a single rounding, as C's strtof. Via float64 it would be rounded twice, which can end on
 * the wrong side of a tie and move a vertex by one bit.
 */

const POWERS_OF_TEN = Float64Array.from({ length: 23 }, (_, i) => Number(`1e${i}`));
const doubleBits = new DataView(new ArrayBuffer(8));

/** The number of a word as C reads it, or NaN where it is none; `length` is how much of the word was read. */
const WORD = /^[+-]?(?:inf(?:inity)?|nan|(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)/i;

/**
 * True if a float64 lies exactly between two neighbouring float32 values: only then can the second rounding be wrong.
 * @param {number} value
 */
function isTie(value) {
  doubleBits.setFloat64(0, value);
  return (doubleBits.getUint32(4) & 0x1fffffff) === 0x10000000;
}

/** A decimal as a fraction. @param {string} text @returns {[bigint, bigint]} numerator, denominator */
function toFraction(text) {
  const [, sign, whole, part = '', exponent = '0'] = /** @type {string[]} */ (
    /** @type {unknown} */ (/^([+-]?)(\d*)\.?(\d*)(?:e([+-]?\d+))?$/i.exec(text)));
  const power = Number(exponent) - part.length;
  const digits = BigInt(`${whole}${part}` || '0') * (sign === '-' ? -1n : 1n);
  return power >= 0 ? [digits * 10n ** BigInt(power), 1n] : [digits, 10n ** BigInt(-power)];
}

/** A finite float64 as a fraction. @param {number} value @returns {[bigint, bigint]} */
function doubleToFraction(value) {
  let denominator = 1n;
  while (!Number.isInteger(value)) {
    value *= 2;
    denominator *= 2n;
  }
  return [BigInt(value), denominator];
}

/**
 * Rounds a decimal, given as its nearest float64 and its text, to float32.
 * @param {number} value @param {string} text
 */
function roundTie(value, text) {
  const [a, b] = toFraction(text);
  const [c, d] = doubleToFraction(value);
  const side = a * d - c * b;
  if (side === 0n) return Math.fround(value); // a true tie goes to the even neighbour, as fround does
  // A float64 next to the tie rounds to the side on which the decimal lies.
  const step = Math.abs(value) * 2 ** -52;
  return Math.fround(side > 0n ? value + step : value - step);
}

/** Reads numbers from bytes; `next` is the index behind the last one. */
export class NumberReader {
  next = 0;

  /**
   * The number at `start` (after blanks), rounded to float32; undefined if there is none.
   * @param {Uint8Array} bytes @param {number} start @param {number} end
   * @returns {number | undefined}
   */
  readFloat(bytes, start, end) {
    let i = start;
    while (i < end && (bytes[i] === 32 || bytes[i] === 9)) i++;
    const wordStart = i;
    const negative = bytes[i] === 45;
    if (negative || bytes[i] === 43) i++;
    let digits = 0;
    let mantissa = 0;
    let fraction = 0;
    for (; i < end && bytes[i] >= 48 && bytes[i] <= 57; i++, digits++) mantissa = mantissa * 10 + bytes[i] - 48;
    if (i < end && bytes[i] === 46) {
      for (i++; i < end && bytes[i] >= 48 && bytes[i] <= 57; i++, digits++, fraction++) {
        mantissa = mantissa * 10 + bytes[i] - 48;
      }
    }
    // Up to 15 digits and a power of ten up to 22 are exact in float64, so that one division rounds once.
    const simple = digits > 0 && digits <= 15 && (i === end || bytes[i] <= 32);
    if (!simple) return this.#readWord(bytes, wordStart, end);
    this.next = i;
    const value = mantissa / POWERS_OF_TEN[fraction];
    if (isTie(value)) return this.#readWord(bytes, wordStart, end);
    return Math.fround(negative ? -value : value);
  }

  /** The slow path: every form that C reads. @param {Uint8Array} bytes @param {number} start @param {number} end */
  #readWord(bytes, start, end) {
    let stop = start;
    while (stop < end && bytes[stop] > 32) stop++;
    const [text] = WORD.exec(String.fromCharCode(...bytes.subarray(start, Math.min(stop, start + 1024)))) ?? [];
    if (text === undefined) return undefined;
    this.next = start + text.length;
    if (/nan/i.test(text)) return NaN;
    if (/inf/i.test(text)) return text[0] === '-' ? -Infinity : Infinity;
    const value = Number(text);
    // Subnormal numbers have other ties; such coordinates are 0 for any level.
    return Number.isFinite(value) && isTie(value) ? roundTie(value, text) : Math.fround(value);
  }
}
