/**
 * Levels with a planted cause, from a seed: two grounds that would be joined, if it weren't for a slope, a step, a narrow place, low headroom,
 * a gap, a closed door, an excluded area, a missing tile, a one-way connection, or links whose limits are too low: of one link, or of two in a
 * row. They are turned, moved and sized at random.
 */
import { makeRandom } from './random.js';

/** @typedef {[number, number, number]} Point */
/** @typedef {'slope' | 'step' | 'narrow' | 'headroom' | 'gap' | 'switch' | 'filter' | 'missing-tile' | 'one-way'} PlainKind */
/** `stones`: two jumps; `terraces`: two climbs; `ravine`: a drop, then a climb. @typedef {'drop' | 'jump' | 'climb' | 'vault' | 'stones' | 'terraces' | 'ravine'} LinkCause */
/** @typedef {PlainKind | LinkCause} Kind */

/** The kinds of links of which each needs higher limits. @type {Readonly<Record<LinkCause, readonly import('../../js/index.js').LinkKind[]>>} */
export const LINK_CAUSES = { drop: ['drop'], jump: ['jump'], climb: ['climb'], vault: ['vault'], stones: ['jump'], terraces: ['climb'], ravine: ['drop', 'climb'] };
/** @type {readonly Kind[]} */
export const KINDS = ['slope', 'step', 'narrow', 'headroom', 'gap', 'switch', 'filter', 'missing-tile', 'one-way', .../** @type {LinkCause[]} */ (Object.keys(LINK_CAUSES))];
/** Limits of links that no planted level passes. */
const LOW_LIMITS = { drop: { maxHeight: 0.6 }, jump: { maxDistance: 1.2 }, climb: { maxHeight: 0.6 }, vault: { maxHeight: 0.5, maxDepth: 0.5 } };
/** `bridge`: two platforms and a bridge; `wall`: a floor and a wall with a doorway; `yard`: the same among pillars, with a dead end and an island. */
export const SHAPES = /** @type {const} */ (['bridge', 'wall', 'yard']);
/** `chain`: a third room before the first ground, and beside it a step, a steep ramp, a closed door and a gap, each before a dead end. */
export const DECOY_SHAPE = 'chain';

const AGENT = { agentRadius: 0.6, agentHeight: 2, agentMaxClimb: 0.4, agentMaxSlope: 45 };
const FLAG = 0x40;

/** Quads and boxes, turned and moved. */
class Builder {
  /** @type {number[]} */
  positions = [];
  /** @type {number[]} */
  indices = [];

  /** @param {number} yaw @param {Point} move @param {boolean} isMirrored */
  constructor(yaw, move, isMirrored) {
    const [c, s] = [Math.cos(yaw), Math.sin(yaw)];
    this.isMirrored = isMirrored;
    /** @param {number} x @param {number} y @param {number} z @returns {Point} */
    this.at = (x, y, z) => {
      const side = isMirrored ? -z : z;
      return [c * x + s * side + move[0], y + move[1], c * side - s * x + move[2]];
    };
  }

  /** Counter-clockwise seen from the outside. @param {...Point} corners 4 */
  quad(...corners) {
    const first = this.positions.length / 3;
    for (const corner of corners) this.positions.push(...this.at(...corner));
    const order = this.isMirrored ? [0, 2, 1, 0, 3, 2] : [0, 1, 2, 0, 2, 3];
    this.indices.push(...order.map((k) => first + k));
  }

  /** @param {number} x0 @param {number} x1 @param {number} z0 @param {number} z1 @param {number} y0 @param {number} [y1] */
  floor(x0, x1, z0, z1, y0, y1 = y0) {
    this.quad([x0, y0, z0], [x0, y0, z1], [x1, y1, z1], [x1, y1, z0]);
  }

  /** @param {number} x0 @param {number} x1 @param {number} z0 @param {number} z1 @param {number} y0 @param {number} y1 */
  box(x0, x1, z0, z1, y0, y1) {
    this.floor(x0, x1, z0, z1, y1);
    this.quad([x0, y0, z0], [x1, y0, z0], [x1, y0, z1], [x0, y0, z1]);
    this.quad([x0, y0, z1], [x1, y0, z1], [x1, y1, z1], [x0, y1, z1]);
    this.quad([x1, y0, z0], [x0, y0, z0], [x0, y1, z0], [x1, y1, z0]);
    this.quad([x1, y0, z1], [x1, y0, z0], [x1, y1, z0], [x1, y1, z1]);
    this.quad([x0, y0, z0], [x0, y0, z1], [x0, y1, z1], [x0, y1, z0]);
  }

  /** A prism over a rectangle. @param {number} x0 @param {number} x1 @param {number} z0 @param {number} z1 @param {number} y0 @param {number} y1 */
  prism(x0, x1, z0, z1, y0, y1) {
    const vertices = [[x0, z0], [x0, z1], [x1, z1], [x1, z0]].map(([x, z]) => this.at(x, 0, z));
    const lift = this.at(0, 0, 0)[1];
    return { kind: /** @type {const} */ ('prism'), vertices, minY: y0 + lift, maxY: y1 + lift };
  }
}

/** @typedef {{ builder: Builder, between: (low: number, high: number) => number, kind: Kind, shape: string }} Plan */
/** @typedef {{ length: number, rise: number, low: number, high: number, volumes: object[], connections: object[], door?: object, holes?: Point[], figure?: number }} Passage low, high: its sides on z; figure: the planted one */

/** @param {Kind} kind @returns {kind is LinkCause} */
const isLinkCause = (kind) => kind in LINK_CAUSES;

/** A passage in steps: the floor ends `length` after it begins, and goes on `gap` farther, `rise` higher, with a wall below it. @param {Plan} plan @param {Passage} passage @param {readonly { length: number, gap: number, rise: number }[]} parts @returns {Passage} */
function makeSteps({ builder }, passage, parts) {
  const { low, high } = passage;
  let [x, y] = [0, 0];
  for (const { length, gap, rise } of parts) {
    builder.floor(x, x + length, low, high, y);
    x += length + gap;
    if (gap === 0 && rise > 0) builder.quad([x, y, low], [x, y, high], [x, y + rise, high], [x, y + rise, low]);
    if (gap === 0 && rise < 0) builder.quad([x, y + rise, low], [x, y, low], [x, y, high], [x, y + rise, high]);
    y += rise;
  }
  builder.floor(x, x + 3, low, high, y);
  return { ...passage, length: x + 3, rise: y };
}

/** A passage that needs links. @param {Plan} plan @param {Passage} passage @param {LinkCause} kind @returns {Passage} */
function makeLinked(plan, passage, kind) {
  const { builder, between } = plan, { low, high, length } = passage;
  const part = (/** @type {number} */ gap, /** @type {number} */ rise) => ({ length: between(5, 6), gap, rise });
  if (kind === 'vault') {
    const half = length / 2;
    builder.floor(0, length, low, high, 0);
    builder.box(half, half + between(0.2, 0.4), low - 0.3, high + 0.3, -0.2, between(0.75, 1.1));
    return passage;
  }
  if (kind === 'jump') return makeSteps(plan, passage, [part(between(1.5, 3), between(-0.2, 0.2))]);
  if (kind === 'stones') return makeSteps(plan, passage, [part(between(1.5, 3), 0), part(between(1.5, 3), 0)]);
  if (kind === 'drop') return makeSteps(plan, passage, [part(0, -between(1.5, 3))]);
  if (kind === 'climb') return makeSteps(plan, passage, [part(0, between(1.3, 3))]);
  if (kind === 'terraces') return makeSteps(plan, passage, [part(0, between(1.3, 2)), part(0, between(1.3, 2))]);
  return makeSteps(plan, passage, [part(0, -between(2.2, 3)), { ...part(0, between(1.3, 2)), length: 9 }]);
}

/** The passage between the grounds, from x = 0 to its length, and how much higher the other ground is. @param {Plan} plan @returns {Passage} */
function makePassage(plan) {
  const { builder, between, kind } = plan;
  const width = between(3, 5), middle = between(-2, 2);
  const [low, high] = [middle - width / 2, middle + width / 2];
  /** @type {Passage} */
  const passage = { length: between(4, 7), rise: 0, low, high, volumes: [], connections: [] };
  const { length } = passage;
  const floor = (/** @type {number} */ from, /** @type {number} */ to, y = 0) => builder.floor(from, to, low, high, y);
  if (kind === 'slope') {
    const rise = between(2.2, 3.5), angle = between(50, 62), run = rise / Math.tan(angle * Math.PI / 180);
    const first = between(1, 1.5);
    floor(0, first);
    builder.floor(first, first + run, low, high, 0, rise);
    floor(first + run, first + run + 1.2, rise);
    return { ...passage, length: first + run + 1.2, rise, figure: angle };
  }
  if (kind === 'step') {
    const rise = between(0.65, 0.9), at = between(1.5, length - 1.5);
    floor(0, at);
    builder.quad([at, 0, low], [at, 0, high], [at, rise, high], [at, rise, low]);
    floor(at, length, rise);
    return { ...passage, rise, figure: rise };
  }
  if (kind === 'gap') {
    const gap = between(0.8, 3), at = between(1.2, 2);
    floor(0, at);
    floor(at + gap, at + gap + 2);
    return { ...passage, length: at + gap + 2, figure: gap };
  }
  if (isLinkCause(kind)) return makeLinked(plan, passage, kind);
  if (kind === 'one-way') return { ...passage, length: between(9, 12), rise: between(-1, 3) };
  floor(0, length);
  const half = length / 2;
  if (kind === 'narrow') {
    const free = between(0.85, 1.15), at = between(low + 0.8, high - 0.8 - free), thick = between(0.3, 0.8);
    builder.box(half, half + thick, low - 0.3, at, -0.2, 3);
    builder.box(half, half + thick, at + free, high + 0.3, -0.2, 3);
    passage.figure = free;
  }
  if (kind === 'headroom') {
    passage.figure = between(1.25, 1.7);
    builder.box(half - between(0.3, 0.8), half + between(0.3, 0.8), low - 0.2, high + 0.2, passage.figure, 3);
  }
  if (kind === 'filter') passage.volumes.push({ ...builder.prism(half - 1, half + 1, low - 1, high + 1, -1, 1.5), area: 7 });
  if (kind === 'switch') {
    passage.volumes.push({ ...builder.prism(half - 0.8, half + 0.8, low - 1, high + 1, -1, 1.5), area: 9 });
    passage.door = { volume: builder.prism(half - 1, half + 1, low - 1, high + 1, -1, 1.5), area: 9 };
  }
  if (kind === 'missing-tile') passage.holes = Array.from({ length: 20 }, (_, i) => [half, 0, low + (high - low) * i / 19]);
  return passage;
}

/** A room before the first ground, and dead ends beside it. @param {Plan} plan @param {number} deep @param {number} wide @returns {{ start: Point, decoy: object, mark: object }} */
function makeChain({ builder, between }, deep, wide) {
  const rise = between(0.7, 0.95), height = between(1.5, 2.5), run = height / Math.tan(between(55, 65) * Math.PI / 180);
  builder.floor(-deep - 4, -deep, -1.6, 1.6, 0);
  builder.floor(-deep - 10, -deep - 4, -4, 4, 0);
  // A step up to a closet, a ramp to a roof, a closet behind a door, an island beyond a gap.
  builder.quad([-deep + 1, 0, wide], [-deep + 4, 0, wide], [-deep + 4, rise, wide], [-deep + 1, rise, wide]);
  builder.floor(-deep + 1, -deep + 4, wide, wide + 3, rise);
  builder.quad([-deep + 1, 0, -wide], [-deep + 4, 0, -wide], [-deep + 4, height, -wide - run], [-deep + 1, height, -wide - run]);
  builder.floor(-deep + 1, -deep + 4, -wide - run - 3, -wide - run, height);
  builder.floor(-deep - 9, -deep - 6, 4, 8, 0);
  builder.floor(-deep - 9, -deep - 5, -9, -4 - between(1, 2), between(-0.2, 0.2));
  return { start: builder.at(-deep - 8, 0, between(-2, 2)), decoy: { volume: builder.prism(-deep - 9.5, -deep - 5.5, 4.4, 5.6, -1, 1.5), area: 10, isOpen: false, name: 'closet' }, mark: { ...builder.prism(-deep - 9.5, -deep - 5.5, 4.6, 5.4, -1, 1.5), area: 10 } };
}

/** The rest: the two grounds, and in a yard or a chain things that lead nowhere. @param {Plan} plan @param {Passage} passage @returns {{ start: Point, end: Point, decoy?: object, mark?: object }} */
function makeGrounds(plan, { length, rise, low, high }) {
  const { builder, between, shape } = plan;
  const [deep, wide, far] = [between(6, 10), between(5, 8), between(6, 10)];
  builder.floor(-deep, 0, -wide, wide, 0);
  builder.floor(length, length + far, -wide, wide, rise);
  if (shape !== 'bridge') {
    // Walls along the passage, and on both grounds beside it.
    builder.box(0, length, low - 0.4, low, Math.min(0, rise) - 0.5, Math.max(0, rise) + 3);
    builder.box(0, length, high, high + 0.4, Math.min(0, rise) - 0.5, Math.max(0, rise) + 3);
    builder.box(-0.3, 0, -wide, low, 0, 3);
    builder.box(-0.3, 0, high, wide, 0, 3);
  }
  if (shape === 'yard') {
    for (let i = 0; i < 3; i++) {
      const [x, z] = [between(-deep + 2, -2.5), between(-wide + 1, wide - 1)];
      builder.box(x, x + 0.4, z, z + 0.4, 0, 2.5);
    }
    builder.floor(-deep - 6, -deep - 3, -2, 2, between(-1, 1)); // an island behind the start
    builder.box(length + 1, length + 2, -wide + 0.5, -wide + 1.5, rise, rise + between(0.6, 1.2)); // a block
  }
  const end = builder.at(length + far - 1.2, rise, between(-wide + 1.5, wide - 1.5));
  if (shape === DECOY_SHAPE) return { ...makeChain(plan, deep, wide), end };
  return { start: builder.at(-deep + 1.2, 0, between(-wide + 1.5, wide - 1.5)), end };
}

/**
 * A level with a planted cause.
 * @param {Kind} kind @param {number} seed
 * @returns {{ geometry: import('../../js/index.js').Geometry, config: import('../../js/index.js').Config, start: Point, end: Point, filter?: import('../../js/index.js').FilterOptions,
 *   doors: import('../../js/index.js').DoorOptions[], holes?: Point[], kind: Kind, shape: string, figure: number | null }} holes: the tiles there are to be removed; figure: of the cause, null: it has none
 */
export function plantCause(kind, seed, shape = /** @type {string} */ (SHAPES[seed % SHAPES.length])) {
  const { between, below } = makeRandom(1000 * seed + KINDS.indexOf(kind));
  for (let i = 0; i < 10; i++) below(2);
  const yaw = below(3) === 0 ? below(4) * Math.PI / 2 : between(0, 2 * Math.PI);
  const builder = new Builder(yaw, [between(-40, 40), between(-5, 5), between(-40, 40)], below(2) === 1);
  const plan = { builder, between, kind, shape };
  const passage = makePassage(plan);
  const { start, end, decoy, mark } = makeGrounds(plan, passage);
  // Steep ramps rise less than a step from cell to cell, so that their slope alone is the cause.
  const cells = kind === 'slope' ? { cellSize: 0.15, cellHeight: between(0.1, 0.13) } : { cellSize: between(0.15, 0.25), cellHeight: between(0.1, 0.2) };
  const config = { ...AGENT, ...cells, tileSize: kind === 'missing-tile' ? 16 : [0, 32, 48][below(3)], ...(isLinkCause(kind) && { links: LOW_LIMITS }) };
  const connections = kind === 'one-way' ? [{ start: builder.at(passage.length + 1.5, passage.rise, 0), end: builder.at(-1.5, 0, 0), radius: 1, bidirectional: false }] : [];
  return {
    kind, shape, config, start, end, figure: passage.figure ?? null,
    geometry: {
      positions: Float32Array.from(builder.positions), indices: Uint32Array.from(builder.indices), volumes: /** @type {any} */ ([...passage.volumes, ...(mark ? [mark] : [])]),
      offMeshConnections: connections, ...(kind === 'filter' && { areaFlags: { 7: FLAG } }),
    },
    ...(kind === 'filter' && { filter: { excludeFlags: FLAG } }),
    doors: /** @type {any[]} */ ([...(decoy ? [decoy] : []), ...(kind === 'switch' ? [{ ...passage.door, isOpen: false, name: 'gate' }] : [])]),
    ...(passage.holes && { holes: passage.holes.map((hole) => builder.at(...hole)) }),
  };
}
