/** Causes of the library in the words of the tool's panels. */
import { withLabels } from '../bake/failure.js';
import { withLimitLabels } from '../links/link-words.js';

/** A cause with the labels of fields in place of their names in the library: "agent radius is 0.4", "drop height 1.5". @param {string} text */
export function withPanelNames(text) {
  const limits = text.replace(/\blinks\.[a-z]+\.\w+/g, (name) => withLimitLabels(name).toLowerCase()).replace(/\blinks\.([a-z]+) is off/g, '$1 is off in Links');
  return withLabels(limits.replace(/\bmaxNodes\b/g, 'search limit'));
}
