/** Bytes and words in text: base64, hexadecimal digits. */

/** @param {string} text @returns {Uint8Array<ArrayBuffer>} */
export function decodeBase64(text) {
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

const DIGITS = Array.from('0123456789abcdef', (digit) => digit.charCodeAt(0));
/** Character codes of the current text. @type {number[]} */
const codes = [];

/**
 * Eight digits per word, high ones first, as one flat string: a concatenated string is slow as a key.
 * @param {ArrayLike<number>} words of 32 bits @param {readonly number[]} indices of the words to convert
 */
export function hexOfWords(words, indices) {
  codes.length = 8 * indices.length;
  let at = 0;
  for (const index of indices) {
    const word = words[index];
    for (let shift = 28; shift >= 0; shift -= 4) codes[at++] = DIGITS[(word >>> shift) & 15];
  }
  return String.fromCharCode.apply(null, codes);
}
