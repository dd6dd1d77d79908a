/** Links and connections that only one of two meshes has. */

/** Coordinates may be rounded by this part of themselves: units in the last place of float32. */
export const ROUNDING = 2 ** -21;

/** @typedef {{ width: number, height: number }} Reach how far apart things of two meshes may lie on x and z, and on y */

/**
 * A link or a connection, in numbers that are compared.
 * @template T
 * @typedef {object} Described
 * @property {T} one
 * @property {string} words what must be equal
 * @property {number[]} points x, y, z of its ends, which may lie a little apart
 * @property {number} cost which may differ by as much as the ends
 */

/**
 * Pairs those of two meshes, equal ones first, and returns those that are left over.
 * @template T @param {Described<T>[]} before @param {Described<T>[]} after @param {Reach} reach
 * @returns {{ lost: T[], gained: T[] }}
 */
export function findUnpaired(before, after, reach) {
  /** @type {Map<string, Set<Described<T>>>} */
  const left = new Map();
  for (const each of after) left.set(each.words, (left.get(each.words) ?? new Set()).add(each));
  const moved = takePairs(before, left, { width: 0, height: 0 });
  const lost = takePairs(moved, left, reach);
  return { lost: lost.map(({ one }) => one), gained: [...left.values()].flatMap((set) => Array.from(set, ({ one }) => one)) };
}

/**
 * Removes the partners of a list from those that are left. @template T @param {Described<T>[]} list @param {Map<string, Set<Described<T>>>} left @param {Reach} reach
 * @returns {Described<T>[]} those of the list without a partner
 */
const takePairs = (list, left, reach) => list.filter((each) => {
  const others = left.get(each.words);
  let nearest, least = Infinity;
  for (const other of others ?? []) {
    const distance = distanceOf(each, other, reach);
    if (distance < least) [nearest, least] = [other, distance];
  }
  if (nearest) others?.delete(nearest);
  return !nearest;
});

/** How far apart two lie: the sum over all coordinates; Infinity if that is too far. @param {Described<unknown>} one @param {Described<unknown>} other @param {Reach} reach */
function distanceOf(one, other, { width, height }) {
  let sum = 0;
  for (const [i, value] of one.points.entries()) {
    const distance = Math.abs(value - other.points[i]);
    if (distance > (i % 3 === 1 ? height : width) + ROUNDING * Math.abs(value)) return Infinity;
    sum += distance;
  }
  return Math.abs(one.cost - other.cost) <= sum + ROUNDING * Math.abs(one.cost) ? sum : Infinity;
}
