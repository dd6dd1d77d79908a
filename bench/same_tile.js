/** Whether two packages made the same tile: every section but the tree, whose order among ties may differ. */

import { sameBytes } from '../tests/js/live/describe.js';
import { tileSections } from '../tests/js/live/tile.js';

/** @param {Uint8Array|null} a @param {Uint8Array|null} b @returns {boolean} */
export function sameButTree(a, b) {
  if (a === null || b === null) return (a?.length ?? 0) === (b?.length ?? 0);
  if (a.length !== b.length) return false;
  const others = tileSections(b);
  return [...tileSections(a)].every(([name, bytes]) => name === 'tree' || sameBytes(bytes, others.get(name)));
}
