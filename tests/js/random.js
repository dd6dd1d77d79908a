/** Numbers from a seed, the same everywhere, as good as tests need them. */

/**
 * @param {number} seed
 * @returns below(count): a whole number from 0 up to count; between(low, high): a number from low up to high
 */
export function makeRandom(seed) {
  let state = seed >>> 0;
  const below = (/** @type {number} */ count) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return (state >>> 8) % count;
  };
  return { below, between: (/** @type {number} */ low, /** @type {number} */ high) => low + ((high - low) * below(65536)) / 65536 };
}
