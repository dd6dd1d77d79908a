/** Random levels with ledges, gaps, fences, beams, ramps and stairs, with agents and limits of links: the same for the same seed. */
import { Random } from '../live/random.js';
import { DEFAULTS } from '../live/voxels.js';
import { joinLevels } from '../support.js';
import { makeBox } from './levels.js';

/** Rounded to multiples of 1/64, so that the last bits of sines don't matter. */
const round = (value) => Math.round(64 * value) / 64;

/** Turns a level about the y axis through a point. @param {import('./triangle-grid.js').Level} level @param {number} angle @param {number} x @param {number} z */
function turn({ positions, indices }, angle, x, z) {
  const [sine, cosine] = [Math.sin(angle), Math.cos(angle)], turned = Float32Array.from(positions);
  for (let i = 0; i < turned.length; i += 3) {
    const [dx, dz] = [positions[i] - x, positions[i + 2] - z];
    turned[i] = round(x + cosine * dx + sine * dz);
    turned[i + 2] = round(z - sine * dx + cosine * dz);
  }
  return { positions: turned, indices };
}

/** A box whose top slopes along x. @param {number[]} min @param {number[]} max @param {number} lower height of the top at the low end */
function makeRamp(min, max, lower) {
  const box = makeBox(min, max);
  for (let i = 0; i < box.positions.length; i += 3) if (box.positions[i] === min[0] && box.positions[i + 1] === max[1]) box.positions[i + 1] = lower;
  return box;
}

/** The parts of a level: each of a random place and size. @type {((random: Random, x: number, z: number) => import('./triangle-grid.js').Level)[]} */
const PARTS = [
  function platform(random, x, z) {
    return makeBox([x, 0, z], [x + random.between(1.5, 7), random.between(0.3, 4), z + random.between(1.5, 7)]);
  },
  function fence(random, x, z) {
    return makeBox([x, 0, z], [x + random.between(0.05, 0.9), random.between(0.4, 2), z + random.between(2, 9)]);
  },
  function beam(random, x, z) {
    const low = random.between(0.5, 4);
    return makeBox([x, low, z], [x + random.between(0.2, 3), low + random.between(0.1, 1), z + random.between(0.2, 3)]);
  },
  function pillar(random, x, z) {
    return makeBox([x, 0, z], [x + random.between(0.1, 0.8), random.between(1, 6), z + random.between(0.1, 0.8)]);
  },
  function ramp(random, x, z) {
    return makeRamp([x, -0.1, z], [x + random.between(3, 7), random.between(0.5, 3.5), z + random.between(1.5, 4)], 0);
  },
  function stairs(random, x, z) {
    const [rise, run, width] = [random.between(0.1, 0.6), random.between(0.3, 0.8), random.between(1.5, 4)];
    return Array.from({ length: random.integer(3, 8) }, (_, i) => makeBox([x + run * i, 0, z], [x + run * (i + 1), rise * (i + 1), z + width])).reduce(joinLevels);
  },
];

/** @param {Random} random @param {number} size */
function makeFloor(random, size) {
  if (random.chance(0.5)) return makeBox([0, -0.5, 0], [size, 0, size]);
  // Two floors with a gap between them, one higher than the other; nothing is below.
  const [edge, gap, height] = [random.between(0.3, 0.6) * size, random.between(0.5, 4), random.between(-2, 1)];
  return joinLevels(makeBox([0, -0.5, 0], [edge, 0, size]), makeBox([edge + gap, height - 0.5, 0], [size, height, size]));
}

/** @param {Random} random @param {number} size */
function makeLevel(random, size) {
  const parts = Array.from({ length: random.integer(4, 14) }, () => {
    const [x, z] = [random.between(0, size), random.between(0, size)], part = random.pick(PARTS)(random, x, z);
    return random.chance(0.4) ? turn(part, random.between(0, 6.28), x, z) : part;
  });
  const { positions, indices } = [makeFloor(random, size), ...parts].reduce(joinLevels);
  return { positions: positions.map(round), indices };
}

/** @param {Random} random */
function makeConfig(random) {
  const cellSize = random.pick([0.2, 0.25, 0.3, 0.4]);
  return { ...DEFAULTS, cellSize, cellHeight: round(cellSize * random.between(0.4, 0.8)), agentRadius: random.pick([0.3, 0.4, 0.6, 0.8]),
    agentHeight: random.pick([1, 1.6, 2]), agentMaxClimb: random.pick([0.3, 0.5, 0.9]), minRegionSize: random.pick([2, 8]),
    partition: random.pick(['watershed', 'watershed', 'monotone', 'layers']), tileSize: random.pick([0, 12, 16, 24, 32, 48]) };
}

/** @param {Random} random @param {{ agentMaxClimb: number }} config @returns {import('./precision.js').Limits} */
function makeLimits(random, { agentMaxClimb }) {
  const above = (/** @type {number} */ most) => random.between(agentMaxClimb + 0.3, agentMaxClimb + most);
  return { drop: { maxHeight: above(4) }, jump: { maxDistance: random.between(1.5, 6), maxUp: random.between(0, 1.5), maxDown: random.between(0, 3) },
    climb: { maxHeight: above(2) }, vault: { maxHeight: above(1.2), maxDepth: random.between(0.3, 2) } };
}

/** @param {number} seed */
export function makeLinkCase(seed) {
  const random = new Random(seed);
  const config = makeConfig(random), limits = makeLimits(random, config);
  return { seed, config, limits, level: makeLevel(random, random.between(12, 28)) };
}
