/** FNV-1a, 64 bits, with the offset basis of the golden figures (tests/golden/README.md). */

/** @param {Uint8Array} bytes @returns {string} sixteen hexadecimal digits */
export function hashBytes(bytes) {
  // The prime is 2^40 + 0x1b3: the product is computed on two 32-bit halves.
  let [high, low] = HASH_START;
  for (let i = 0; i < bytes.length; i++) {
    low = (low ^ bytes[i]) >>> 0;
    const product = low * 0x1b3;
    const carry = Math.floor(product / 4294967296);
    high = (Math.imul(high, 0x1b3) + (low << 8) + carry) >>> 0;
    low = product >>> 0;
  }
  return high.toString(16).padStart(8, '0') + low.toString(16).padStart(8, '0');
}

const START = 1469598103934665603n;
const HASH_START = [Number(START >> 32n), Number(START & 0xffffffffn)];
