/** Words for what is in the way, obstacles and area volumes that nothing walks on, and actions for them. */
import { findItem, nameItem } from '../edit/items.js';

/** @typedef {import('../edit/items.js').Selection} Selection */
/** @typedef {import('../state/document.js').Document} Document */
/** @typedef {import('./list-problems.js').Action} Action */

/** More obstacles are counted, not named. */
const MOST_NAMES = 3;

/** @param {Pick<Document, 'obstacles' | 'volumes'>} document @param {readonly Selection[]} items at least one @returns {{ text: string, actions: Action[] }} */
export function blockingWords(document, items) {
  const names = items.flatMap((item) => {
    const found = findItem(/** @type {Document} */ (document), item);
    return found ? [nameItem(item.kind, found)] : [];
  });
  const isOne = items.length === 1;
  const all = items.length > MOST_NAMES ? `${items.length} ${items.every(({ kind }) => kind === 'obstacle') ? 'obstacles' : 'shapes'}` : new Intl.ListFormat('en').format(names);
  return {
    text: `${all} ${isOne ? 'is' : 'are'} in the way.`,
    actions: [{ kind: 'remove', label: `Remove ${all}`, items }, { kind: 'select', label: isOne ? 'Select it' : 'Select them', items }],
  };
}
