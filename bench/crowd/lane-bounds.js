/**
 * Lower bounds of arrivals in passages: how soon bodies that cannot pass beside each other in a lane can be on the other side of it.
 *
 * Each lane is a server. Between two agents of one direction passes the time of their distance in the lane; between two of opposite
 * directions also the time through the lane, since the first one must be out before the other one comes in. The order is the best
 * one that there is, known in advance. Nothing else costs time: agents reach the lane by their shortest paths at full speed, never
 * block each other outside it, and enter and leave it at full speed. Each lane is computed alone, as if agents never waited at the
 * others.
 */
import { MAX_ACCELERATION, MAX_SPEED } from './scenario.js';

/** The time that an agent at rest loses until it is at full speed, seconds. */
const START_LOSS = MAX_SPEED / (2 * MAX_ACCELERATION);

/** @typedef {{ minX: number, maxX: number, minZ: number, maxZ: number }} Rectangle */
/** @typedef {{ alongX: boolean, from: number, to: number, low: number, high: number, isCut: boolean }} Lane its ends along the axis, and its sides */
/** @typedef {{ release: number, tail: number, freeTime: number }} Crosser the earliest time in the middle of the lane, and from there to the goal */
/** @typedef {{ headway: number, change: number, sides: [Crosser[], Crosser[]] }} LaneLoad seconds between two agents, and for a change of direction */

const touches = (/** @type {Rectangle} */ a, /** @type {Rectangle} */ b) =>
  a.minX <= b.maxX && b.minX <= a.maxX && a.minZ <= b.maxZ && b.minZ <= a.maxZ;

/** The interval along an axis. @param {Rectangle} floor @param {boolean} alongX @returns {[number, number]} */
const extent = ({ minX, maxX, minZ, maxZ }, alongX) => (alongX ? [minX, maxX] : [minZ, maxZ]);

/** Divides a lane where other floors cross it. @param {Rectangle} floor @param {Rectangle[]} others @returns {{ part: Rectangle, isLane: boolean }[]} */
function divide(floor, others) {
  const alongX = floor.maxX - floor.minX >= floor.maxZ - floor.minZ;
  const [begin, end] = extent(floor, alongX);
  const crossed = others.filter((other) => touches(floor, other)).map((other) => extent(other, alongX)).filter(([from, to]) => from < end && to > begin);
  const ends = [...new Set([begin, end, ...crossed.flat().filter((at) => at > begin && at < end)])].sort((a, b) => a - b);
  return ends.slice(1).map((to, i) => {
    const from = ends[i];
    const part = alongX ? { ...floor, minX: from, maxX: to } : { ...floor, minZ: from, maxZ: to };
    return { part, isLane: !crossed.some(([low, high]) => low <= from && high >= to) };
  });
}

/** True if a floor is needed on all ways between some of the others. @param {Rectangle[]} floors @param {number} without */
function isCut(floors, without) {
  const beside = floors.flatMap((floor, i) => (i !== without && touches(floor, floors[without]) ? [i] : []));
  const reached = new Set(beside.slice(0, 1));
  for (const at of reached) floors.forEach((floor, i) => i !== without && touches(floor, floors[at]) && reached.add(i));
  return beside.some((i) => !reached.has(i));
}

/**
 * The lanes of a scene: the parts of floors in which two agents cannot pass beside each other, without crossings.
 * @param {Rectangle[]} floors @param {number} width floors that are not wider are lanes @returns {Lane[]}
 */
export function findLanes(floors, width) {
  const parts = floors.flatMap((floor) => {
    const isWide = Math.min(floor.maxX - floor.minX, floor.maxZ - floor.minZ) > width;
    return isWide ? [{ part: floor, isLane: false }] : divide(floor, floors.filter((other) => other !== floor));
  });
  const rectangles = parts.map(({ part }) => part);
  return parts.flatMap(({ part, isLane }, i) => {
    if (!isLane) return [];
    const alongX = part.maxX - part.minX >= part.maxZ - part.minZ;
    const [[from, to], [low, high]] = [extent(part, alongX), extent(part, !alongX)];
    return [{ alongX, from, to, low, high, isCut: isCut(rectangles, i) }];
  });
}

/**
 * Where a path crosses the middle of a lane: its length until there, and its direction (0: to higher coordinates).
 * @param {ArrayLike<number>} points @param {Lane} lane
 */
function findCrossing(points, { alongX, from, to, low, high }) {
  const middle = (from + to) / 2, [axis, other] = alongX ? [0, 2] : [2, 0];
  let length = 0;
  for (let at = 0; at + 5 < points.length; at += 3) {
    const way = Math.hypot(points[at + 3] - points[at], points[at + 5] - points[at + 2]);
    const [before, after] = [points[at + axis] - middle, points[at + 3 + axis] - middle];
    if (before < 0 !== after < 0) {
      const part = before / (before - after), side = points[at + other] + part * (points[at + 3 + other] - points[at + other]);
      if (side >= low && side <= high) return { length: length + part * way, side: after < 0 ? 1 : 0 };
    }
    length += way;
  }
  return undefined;
}

/**
 * How agents use a lane if each takes its shortest way. Those that start or end in the lane are left out.
 * @param {Lane} lane @param {{ points: ArrayLike<number>, length: number, freeTime: number }[]} ways @param {{ distance: number, free: number,
 *   arrivalDistance: number }} settings distance: between two agents in the lane, along it; free: the width for their centres
 * @returns {LaneLoad}
 */
export function loadLane(lane, ways, { distance, free, arrivalDistance }) {
  /** @type {[Crosser[], Crosser[]]} */
  const sides = [[], []];
  const axis = lane.alongX ? 0 : 2;
  const isOutside = (/** @type {number} */ at) => at < lane.from || at > lane.to;
  for (const { points, length, freeTime } of ways) {
    const crossing = findCrossing(points, lane);
    if (!crossing || !isOutside(points[axis]) || !isOutside(points[points.length - 3 + axis])) continue;
    const [until, after] = [crossing.length, length - crossing.length].map((way) => Math.max(0, way - free));
    sides[crossing.side].push({ release: until / MAX_SPEED + START_LOSS, tail: Math.max(0, after - arrivalDistance) / MAX_SPEED, freeTime });
  }
  return { headway: distance / MAX_SPEED, change: Math.max(distance, lane.to - lane.from) / MAX_SPEED, sides };
}

/**
 * True if the given number of agents of each side can cross in time. The k-th of those that cross does so no sooner than the k-th of all could,
 * and must do so no later than the last but k. Of all orders with i and k crossed, the one that is the earliest is the best.
 * @param {LaneLoad} load @param {{ releases: number[], deadlines: number[] }[]} sides sorted @param {number[]} counts
 */
function canCross({ headway, change }, sides, counts) {
  const columns = counts[1] + 1, size = (counts[0] + 1) * columns;
  const last = [new Float64Array(size).fill(Infinity), new Float64Array(size).fill(Infinity)];
  const timeOf = (/** @type {number} */ side, /** @type {number} */ k, /** @type {number} */ before) => {
    const { releases, deadlines } = sides[side];
    const from = before === 0 ? -Infinity : Math.min(last[side][before] + headway, last[1 - side][before] + change);
    const time = Math.max(releases[k], from);
    return time <= deadlines[deadlines.length - counts[side] + k] ? time : Infinity;
  };
  for (let at = 1; at < size; at++) {
    const [i, k] = [Math.floor(at / columns), at % columns];
    if (i > 0) last[0][at] = timeOf(0, i - 1, at - columns);
    if (k > 0) last[1][at] = timeOf(1, k - 1, at - 1);
  }
  return size === 1 || Math.min(last[0][size - 1], last[1][size - 1]) < Infinity;
}

/**
 * The least number of agents that cross a lane too late to arrive within `times` times their free time.
 * @param {LaneLoad} load @param {number} times
 */
export function countLate(load, times) {
  const sides = load.sides.map((crossers) => ({
    releases: crossers.map(({ release }) => release).sort((a, b) => a - b),
    deadlines: crossers.map(({ tail, freeTime }) => times * freeTime - tail).sort((a, b) => a - b),
  }));
  const [first, second] = load.sides.map((crossers) => crossers.length);
  let most = 0;
  /* The more of one side cross, the fewer of the other. */
  for (let i = 0, k = second; i <= first && k >= 0;) {
    if (!canCross(load, sides, [i, k])) {
      k--;
      continue;
    }
    most = Math.max(most, i + k);
    i++;
  }
  return first + second - most;
}

/**
 * The largest number of agents of all courses that can arrive within `times` times their free time.
 * @param {{ walkers: number, loads: LaneLoad[] }[]} courses @param {number} times
 */
export const countPunctual = (courses, times) =>
  courses.reduce((sum, { walkers, loads }) => sum + walkers - Math.max(0, ...loads.map((load) => countLate(load, times))), 0);

/**
 * The least time over free time within which this part of all agents can arrive.
 * @param {{ walkers: number, loads: LaneLoad[] }[]} courses @param {number} part
 */
export function leastTimes(courses, part) {
  const wanted = Math.ceil(part * courses.reduce((sum, { walkers }) => sum + walkers, 0) - 1e-9);
  let [low, high] = [1, 64];
  if (countPunctual(courses, low) >= wanted) return low;
  while (high - low > 0.005) {
    const middle = (low + high) / 2;
    if (countPunctual(courses, middle) >= wanted) high = middle;
    else low = middle;
  }
  return low;
}
