/** Reads the line and branch counts that llvm-cov exports. */
import { relative } from 'node:path';

/** Number of hits by line or branch. @typedef {Map<string, number>} Counts */
/** @typedef {{ lines: Counts, branches: Counts }} FileCounts */

/**
 * Parses counts in lcov's format, which lists a header once for each file that includes it.
 * @param {string} text @param {string} root the folder that paths are relative to
 * @returns {Map<string, FileCounts>} by path
 */
export function readCounts(text, root) {
  /** @type {Map<string, FileCounts>} */
  const files = new Map();
  let file = /** @type {FileCounts} */ ({ lines: new Map(), branches: new Map() });
  const count = (/** @type {Counts} */ counts, /** @type {string} */ key, /** @type {string} */ times) => (
    counts.set(key, Math.max(counts.get(key) ?? 0, times === '-' ? 0 : Number(times))));
  for (const line of text.split('\n')) {
    const [kind, rest = ''] = [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1)];
    const parts = rest.split(',');
    if (kind === 'SF') {
      const path = relative(root, rest).replaceAll('\\', '/');
      file = files.get(path) ?? { lines: new Map(), branches: new Map() };
      files.set(path, file);
    } else if (kind === 'DA') count(file.lines, parts[0], parts[1]);
    else if (kind === 'BRDA') count(file.branches, parts.slice(0, 3).join(), parts[3]);
  }
  return files;
}
