/** Hexadecimal digits of many words, as keys of tiles are made of them. */

const DIGITS = Array.from('0123456789abcdef', (digit) => digit.charCodeAt(0));
/** Codes of the text in hand. @type {number[]} */
const codes = [];

/**
 * Eight digits a word, high ones first, in one flat string (one that is put together of others is slow as a key).
 * @param {ArrayLike<number>} words of 32 bits @param {readonly number[]} places of which words
 */
export function hexOfWords(words, places) {
  codes.length = 8 * places.length;
  let at = 0;
  for (const place of places) {
    const word = words[place];
    for (let shift = 28; shift >= 0; shift -= 4) codes[at++] = DIGITS[(word >>> shift) & 15];
  }
  return String.fromCharCode.apply(null, codes);
}
