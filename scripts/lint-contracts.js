/** Contracts of C functions: each label of a contract starts its own comment line. Used by `npm run lint` and by tests. */

/** The labels of a contract, as style.md lists them; three spaces or more follow each. */
const LABEL = '(?:in|out|seen in|in/out|in / out|returns|cost|memory|source)';
const START = new RegExp(`^\\s*(?:/\\*+|\\*)?\\s*(?:${LABEL} {2,})?`);
const FUSED = new RegExp(`\\S\\s+${LABEL} {3,}\\S`);
const BLOCK_COMMENT = /\/\*[^]*?\*\//g;
/** A divider whose end has slipped onto the next line. */
const BROKEN_DIVIDER = /^\s*\/\* -{4}.*-$/;

/**
 * Finds comment lines with a label in the middle, and dividers without an end.
 * @param {string} text of a C file @returns {{ line: number, text: string }[]} line: from 1
 */
export function findFusedContracts(text) {
  const found = [];
  for (const comment of text.matchAll(BLOCK_COMMENT)) {
    const first = text.slice(0, comment.index).split('\n').length;
    for (const [k, line] of comment[0].split('\n').entries()) {
      const rest = line.replace(START, (start) => 'x'.repeat(Math.max(0, start.length - 1)));
      if (FUSED.test(` ${rest}`) || BROKEN_DIVIDER.test(line)) found.push({ line: first + k, text: line.trim() });
    }
  }
  return found;
}
