/** Islands of the mesh before that are one island now. */
import { polygonAt } from '../inspect/point-info.js';
import { counted } from '../tools/result-text.js';

/** @typedef {import('../state/document.js').Point} Point */
/** @typedef {{ toMain: number, others: number }} Joins toMain: islands that belong to the main ground now; others: those that are joined, but not to it */

/** @type {Joins} */
export const NO_JOINS = Object.freeze({ toMain: 0, others: 0 });

/**
 * @param {Map<number, Point>} before a point of each island of the mesh before @param {import('walkmesh').NavMesh} navMesh now
 * @param {Pick<import('walkmesh').Islands, 'of'>} islands now; 1 is the main ground @returns {Joins}
 */
export function countJoins(before, navMesh, islands) {
  /** The number of former islands of each island. @type {Map<number, number>} */
  const sizes = new Map();
  for (const point of before.values()) {
    const polygon = polygonAt(navMesh, point);
    const island = polygon === 0 ? 0 : islands.of(polygon);
    if (island > 0) sizes.set(island, (sizes.get(island) ?? 0) + 1);
  }
  const joined = [...sizes].filter(([, size]) => size > 1);
  if (joined.length === 0) return NO_JOINS;
  const others = joined.filter(([island]) => island !== 1).reduce((sum, [, size]) => sum + size, 0);
  return { toMain: Math.max((sizes.get(1) ?? 0) - 1, 0), others };
}

/** @param {Joins} joins */
export function joinWords({ toMain, others }) {
  const parts = [...(toMain > 0 ? [`${counted(toMain, 'island')} to the main ground`] : []), ...(others > 0 ? [`${counted(others, 'island')} to each other`] : [])];
  return `Joins ${parts.join(', and ')}`;
}
