/**
 * The way of an agent's feet over a segment link, and the bodies that sweep along it: stated a second time, from the comments of
 * src/mesh/links/segment_links.h. Shares no code with the generator.
 */

/** @typedef {'drop' | 'jump' | 'climb' | 'vault'} LinkKind */
/** @type {readonly LinkKind[]} */
export const LINK_KINDS = ['drop', 'jump', 'climb', 'vault'];

/** @typedef {number[]} Point x, y, z */
/** @typedef {{ kind: LinkKind, start: [Point, Point], end: [Point, Point], peak: number, bidirectional: boolean }} Link */
/** @typedef {{ kind: LinkKind, start: Point, end: Point, peak: number }} Trajectory */

/** The point at `across` (0 to 1) of a segment. @param {[Point, Point]} segment @param {number} across */
export const pointAcross = ([a, b], across) => a.map((value, axis) => value + across * (b[axis] - value));

/** @param {Link} link @param {number} across @returns {Trajectory} */
export const trajectoryAt = ({ kind, start, end, peak }, across) => ({ kind, start: pointAcross(start, across), end: pointAcross(end, across), peak });

/** The corners of the three kinds that consist of straight lines. @param {Trajectory} trajectory */
function cornersOf({ kind, start, end, peak }) {
  const over = ([x, , z], y) => [x, y, z];
  const top = Math.max(start[1], end[1]) + peak;
  const between = { drop: [over(end, start[1])], climb: [over(start, end[1])], vault: [over(start, top), over(end, top)] };
  return [start, ...between[kind], end];
}

/**
 * Points of a jump, at most `step` apart: by the seconds of a fall where gravity is 1, up to the top and down from it.
 * @param {Trajectory} trajectory @param {number} step
 */
function arcPoints({ start, end, peak }, step) {
  const top = Math.max(start[1], end[1]) + peak;
  const [rise, fall] = [Math.sqrt(2 * (top - start[1])), Math.sqrt(2 * (top - end[1]))];
  const time = rise + fall;
  const length = Math.hypot(end[0] - start[0], end[2] - start[2]) + 2 * top - start[1] - end[1];
  const count = Math.max(2, Math.ceil((2 * length) / step));
  return Array.from({ length: count + 1 }, (_, i) => {
    const share = i / count;
    const [x, , z] = pointAcross([start, end], share);
    return [x, time > 0 ? top - (share * time - rise) ** 2 / 2 : start[1], z];
  });
}

/** @typedef {{ x: number, z: number, low: number, high: number }} Feet the feet at a place: from `low` to `high` */

/**
 * Where the feet are: points at most `step` apart; straight up or down all heights at once.
 * @param {Trajectory} trajectory @param {number} step @returns {Feet[]}
 */
export function traceFeet(trajectory, step) {
  if (trajectory.kind === 'jump') return arcPoints(trajectory, step).map(([x, y, z]) => ({ x, z, low: y, high: y }));
  const corners = cornersOf(trajectory);
  return corners.slice(1).flatMap((to, i) => {
    const from = corners[i], distance = Math.hypot(to[0] - from[0], to[2] - from[2]);
    if (distance === 0) return [{ x: to[0], z: to[2], low: Math.min(from[1], to[1]), high: Math.max(from[1], to[1]) }];
    const count = Math.ceil(distance / step);
    return Array.from({ length: count + 1 }, (_, k) => {
      const [x, y, z] = pointAcross([from, to], k / count);
      return { x, z, low: y, high: y };
    });
  });
}

/**
 * Upright cylinders that together fill the space which an agent's body sweeps. Near both ends (its centre within `stepZone` of one on x
 * and z) the body's bottom is lifted by `climb`: agents stand on steps and slopes there.
 * @param {Trajectory} trajectory
 * @param {{ height: number, climb: number, stepZone: number, step: number }} body
 */
export function sweepBody(trajectory, { height, climb, stepZone, step }) {
  return traceFeet(trajectory, step).map(({ x, z, low, high }) => {
    const isNearEnd = [trajectory.start, trajectory.end].some((end) => Math.hypot(x - end[0], z - end[2]) <= stepZone);
    return { x, z, low: low + (isNearEnd ? climb : 0), high: high + height };
  });
}
