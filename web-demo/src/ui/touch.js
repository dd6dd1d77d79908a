/** Words for fingers: taps in place of clicks, and nothing about keys. */

/** Names of keys and of what only a mouse does. */
const KEYS = /\b(Esc|Enter|Shift|Ctrl|Backspace|Delete|Page Up|Page Down|Hold|Hover)\b|^, and \. rotate/;

/**
 * A text without its sentences, or parts of sentences, about keys.
 * @param {string} text
 */
export function forFingers(text) {
  if (!KEYS.test(text) && !/click/i.test(text)) return text;
  const plain = text.replace('Enter, a double click or the first corner', 'The first corner').replace('an agent or drag a box', 'an agent');
  const sentences = plain.split(/(?<=\.) (?=[A-Z,])/).map((sentence) => sentence.replace(/\.$/, '').split('; ').filter((part) => !KEYS.test(part)).join('; '));
  return sentences.filter(Boolean).map((sentence) => `${sentence}.`).join(' ').replace(/\.$/, plain.endsWith('.') ? '.' : '')
    .replaceAll(/\bDouble-click/g, 'Double-tap').replaceAll(/\bClick/g, 'Tap').replaceAll(/\bclicked\b/g, 'tapped').replaceAll(/\bclick/g, 'tap');
}

/** A text about the mouse in the words of the device. @param {string} text */
export const say = (text) => (matchMedia('(pointer: coarse)').matches ? forFingers(text) : text);
