/** The obstacles that close a way: the fewest that must go, found by trials with some of them left out. */

/** @typedef {import('../edit/items.js').Selection} Selection */
/** @typedef {import('./volumes.js').NamedVolume} NamedVolume */

/** The form of a bake. @param {NamedVolume} volume @returns {import('walkmesh').AreaVolume} */
export const withoutName = ({ origin, label, item, ...volume }) => volume;

/** True for obstacles and area volumes that close ground: those with another area are walked through. @param {NamedVolume} volume */
const closes = ({ item, area = 0 }) => item !== undefined && area === 0;

/**
 * None of the obstacles found can stay: with the others, there is no way. Takes about 2 k log2(n) trials for k of n obstacles, one if there is a
 * single obstacle or none of them is the cause. Pauses after each trial.
 * @param {readonly NamedVolume[]} volumes of the bake @param {(volumes: NamedVolume[]) => boolean} isOpen true if there is a way with these volumes
 * @returns {Generator<void, Selection[], void>} none: the way is closed without obstacles, too
 */
export function* obstaclesInWay(volumes, isOpen) {
  const obstacles = volumes.filter(closes);
  const opens = (/** @type {NamedVolume[]} */ removed) => isOpen(volumes.filter((volume) => !removed.includes(volume)));
  if (obstacles.length === 0 || !opens(obstacles)) return [];
  yield;
  return (yield* fewest([], obstacles, opens)).map(({ item }) => /** @type {Selection} */ (item));
}

/**
 * @param {NamedVolume[]} removed @param {NamedVolume[]} candidates open the way if they are removed as well
 * @param {(removed: NamedVolume[]) => boolean} opens @returns {Generator<void, NamedVolume[], void>} those of the candidates that must go
 */
function* fewest(removed, candidates, opens) {
  if (candidates.length === 1) return candidates;
  const half = candidates.length >> 1, halves = [candidates.slice(0, half), candidates.slice(half)];
  for (const part of halves) {
    const isEnough = opens([...removed, ...part]);
    yield;
    if (isEnough) return yield* fewest(removed, part, opens);
  }
  /** @type {NamedVolume[]} */
  const first = yield* fewest([...removed, ...halves[1]], halves[0], opens);
  return [...first, ...yield* fewest([...removed, ...first], halves[1], opens)];
}
