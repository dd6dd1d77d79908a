/** FNV-1a in two halves of 32 bits, with the offset basis of the golden figures: WM_HASH_START in tests/c/stage_dump.h. */

/** The prime minus 2^40. */
const PRIME_LOW = 0x1b3;

/** @param {Uint8Array} bytes @returns {string} 16 hexadecimal digits */
export function hashBytes(bytes) {
  let [high, low] = [0x14650fb0, 0x739d0383];
  for (let i = 0; i < bytes.length; i++) {
    low ^= bytes[i];
    // The carry is computed apart, so that the product of the low half depends on the previous one only.
    const carry = ((low >>> 16) * PRIME_LOW + ((low & 0xffff) * PRIME_LOW >>> 16)) >>> 16;
    high = (Math.imul(high, PRIME_LOW) + carry + (low << 8)) | 0;
    low = Math.imul(low, PRIME_LOW);
  }
  return [high, low].map((half) => (half >>> 0).toString(16).padStart(8, '0')).join('');
}
