/**
 * Trajectories of segment links as points: the corners of drops, climbs and vaults, and chords of the parabola of jumps, which together
 * follow NavMesh.segmentLinkPoint.
 */

/** @typedef {'drop' | 'jump' | 'climb' | 'vault'} LinkKind */
/** A point of a trajectory: the part of the way on x and z, and the height. @typedef {[number, number]} ProfilePoint */

/** In the order of the numbers in NavMesh.segmentLinks. @type {readonly LinkKind[]} */
export const KINDS = ['drop', 'jump', 'climb', 'vault'];

/** Chords of a jump. */
const CHORDS = 12;

/** @param {number} start height @param {number} end height @param {number} peak above the higher one @returns {ProfilePoint[]} */
function parabola(start, end, peak) {
  const top = Math.max(start, end) + peak;
  const [rise, fall] = [Math.sqrt(top - start), Math.sqrt(top - end)];
  return Array.from({ length: CHORDS + 1 }, (_, i) => {
    const time = i / CHORDS * (rise + fall) - rise;
    return [i / CHORDS, top - time * time];
  });
}

/** @type {Record<LinkKind, (start: number, end: number, peak: number) => ProfilePoint[]>} */
const PROFILES = {
  drop: (start, end) => [[0, start], [1, start], [1, end]],
  jump: parabola,
  climb: (start, end) => [[0, start], [0, end], [1, end]],
  vault: (start, end, peak) => [[0, start], [0, Math.max(start, end) + peak], [1, Math.max(start, end) + peak], [1, end]],
};

/**
 * The trajectory from one end of the near segment, or between its ends. Trajectories of a kind have the same number of points.
 * @param {LinkKind} kind @param {ArrayLike<number>} start where the feet leave @param {ArrayLike<number>} end where they land @param {number} peak
 * @returns {number[]} x, y, z of each point
 */
export function trajectoryPoints(kind, start, end, peak) {
  return PROFILES[kind](start[1], end[1], peak).flatMap(([share, height]) => [start[0] + share * (end[0] - start[0]), height, start[2] + share * (end[2] - start[2])]);
}
