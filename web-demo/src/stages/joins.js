/**
 * Settings that join a cut-off island to other ground. Bakes the ground around a part of the island's border with other values, on the grid
 * of the whole level: first with the extreme values of all fields, then with the smallest change of each field that joins the two.
 */
import { findObstaclesInWay } from 'walkmesh';
import { atLeast, atMost, smallerCells } from '../bake/round-to-cells.js';
import { ceilingAbove, groundNear, heightsAt } from './measure.js';
import { angleOf } from './slopes.js';
import { trianglesIn } from './trial.js';
import { closesGround, withoutName } from './volumes.js';

/** @typedef {import('walkmesh').Config} Config */
/** @typedef {import('walkmesh').NavMesh} NavMesh */
/** @typedef {[number, number, number]} Point */
/** @typedef {import('./explain.js').Level & { areas?: ArrayLike<number> }} Level */
/** @typedef {{ config: import('walkmesh').FullConfig, voxels: Readonly<import('walkmesh').Voxels> }} Grid of the level's bake */

/**
 * @typedef {object} Window ground around a part of an island's border
 * @property {[number, number]} min x and z @property {[number, number]} max
 * @property {Point[]} from points of the island
 * @property {Point[]} to points of other islands: from the main ground, then from the largest island to the smallest
 * @property {number[]} islands of the points of `to`; 1 is the main ground
 */

/** @typedef {'agentMaxClimb' | 'agentMaxSlope' | 'agentRadius' | 'agentHeight' | 'minRegionSize' | 'cellSize'} JoinField */
/** @typedef {Partial<Record<JoinField, number>>} Fields */

/**
 * @typedef {object} Join
 * @property {Fields} fields the changes that join the island to other ground; none without obstacles: the bake joins it already, so something that is switched closes the way
 * @property {Fields} [alternative] other changes that join it as well: smaller cells, in place of a smaller radius
 * @property {import('../edit/items.js').Selection[]} [obstacles] that cut it off: without them, it is joined with no change of fields
 * @property {number} figure what a single change allows, measured on the triangles: a step, a slope, headroom; else the value of the field
 * @property {Point} place where the island ends
 * @property {number} window @property {number} to index of the ground in the window's `to`
 */

/** Steeper surfaces are no way, degrees. */
const STEEPEST = 75;
/** A change of this share or less ends the search for a smaller one. */
const SMALL = 0.3;
/** Added to the change where it joins an island to another one than the main ground. */
const OTHER = 10;
/** Distance between samples of a way, cells. */
const APART = 0.25;

/** @param {number} first @param {number} last @returns {number[]} ascending or descending */
const range = (first, last) => Array.from({ length: Math.abs(last - first) + 1 }, (_, i) => first + (last < first ? -i : i));

/** @typedef {{ grid: Grid, near: ReturnType<typeof trianglesIn> }} Ground */

/** The values of each field that may join, from the smallest change to the largest. @type {Record<Exclude<JoinField, 'cellSize'>, (ground: Ground) => number[]>} */
const VALUES = {
  agentMaxClimb({ grid: { config: { agentHeight, cellHeight }, voxels: { walkableClimb } } }) {
    const most = Math.floor(agentHeight / 2 / cellHeight + 1e-6);
    return most > walkableClimb ? range(walkableClimb + 1, most).map((cells) => atLeast(cells, cellHeight)) : [];
  },
  agentMaxSlope({ grid: { config }, near: { positions, indices } }) {
    const angles = new Set();
    for (let i = 0; i < indices.length; i += 3) {
      const angle = Math.ceil(angleOf(positions, indices, i) + 0.01);
      if (angle > config.agentMaxSlope && angle <= STEEPEST) angles.add(angle);
    }
    return [...angles].sort((a, b) => a - b);
  },
  agentRadius({ grid: { config: { cellSize }, voxels: { walkableRadius } } }) {
    return walkableRadius > 1 ? range(walkableRadius - 1, 1).map((cells) => atMost(cells, cellSize)) : [];
  },
  agentHeight({ grid: { config: { agentHeight, agentMaxClimb, cellHeight }, voxels: { walkableHeight } } }) {
    const least = Math.ceil(Math.max(agentHeight / 2, agentMaxClimb) / cellHeight);
    return walkableHeight > least ? range(walkableHeight - 1, least).map((cells) => atMost(cells, cellHeight)) : [];
  },
  minRegionSize: ({ grid: { config } }) => (config.minRegionSize > 0 ? [0] : []),
};
const NAMES = /** @type {(keyof typeof VALUES)[]} */ (Object.keys(VALUES));

/** A part of the level that is baked with other values. */
export class Trials {
  #walkmesh;
  #window;

  /** @param {import('walkmesh').Walkmesh} walkmesh @param {Level} level @param {Grid} grid @param {Window} window */
  constructor(walkmesh, level, grid, window) {
    const { config: { cellSize }, voxels: { boundsMin, boundsMax } } = grid;
    this.#walkmesh = walkmesh;
    this.grid = grid;
    this.#window = window;
    const [first, last] = [Math.floor, Math.ceil].map((round, i) => [0, 1].map((k) => round(((i ? window.max : window.min)[k] - boundsMin[2 * k]) / cellSize)));
    const min = [0, 1].map((k) => boundsMin[2 * k] + Math.max(first[k], 0) * cellSize);
    const max = [0, 1].map((k) => Math.min(boundsMin[2 * k] + last[k] * cellSize, boundsMax[2 * k]));
    this.bounds = { min: [min[0], boundsMin[1], min[1]], max: [max[0], boundsMax[1], max[1]] };
    this.near = trianglesIn(level, /** @type {[number, number]} */ (min), /** @type {[number, number]} */ (max));
    this.volumes = level.volumes ?? [];
  }

  /** @param {Fields} fields @param {readonly import('./volumes.js').NamedVolume[]} [volumes] @returns {NavMesh | null} free it; null: the bake failed */
  bake(fields, volumes = this.volumes) {
    const config = { ...this.grid.config, ...fields, bounds: this.bounds, tileSize: 0, detailSampleDistance: 0, heights: 'voxels' };
    try {
      return this.#walkmesh.bake({ ...this.near, volumes: volumes.map(withoutName) }, /** @type {any} */ (config)).navMesh;
    } catch {
      return null;
    }
  }

  /** A point of the mesh at a point. @param {NavMesh} navMesh @param {readonly number[]} point */
  at(navMesh, point) {
    const { cellSize, cellHeight, agentMaxClimb } = this.grid.config;
    return navMesh.nearestPoint(/** @type {Point} */ ([...point]), { halfExtents: [cellSize, agentMaxClimb + 2 * cellHeight, cellSize] });
  }

  /** A point of the island and one of the other ground that are connected; null: none are. @param {NavMesh} navMesh */
  pairIn(navMesh) {
    const islands = navMesh.islands();
    try {
      const islandAt = (/** @type {Point} */ point) => islands.of(this.at(navMesh, point)?.polygon ?? 0);
      const reached = new Map(this.#window.from.map((point) => [islandAt(point), point]));
      reached.delete(0);
      const to = this.#window.to.findIndex((point) => reached.has(islandAt(point)));
      return to < 0 ? null : { from: /** @type {Point} */ (reached.get(islandAt(this.#window.to[to]))), to };
    } finally {
      islands.free();
    }
  }

  /** @param {number} to index */
  target(to) {
    return this.#window.to[to];
  }

  /** True if the fields join the island to other ground. @param {Fields} fields @param {readonly import('./volumes.js').NamedVolume[]} [volumes] */
  joins(fields, volumes = this.volumes) {
    const navMesh = this.bake(fields, volumes);
    try {
      return navMesh !== null && this.pairIn(navMesh) !== null;
    } finally {
      navMesh?.free();
    }
  }
}

/**
 * The first of the values that joins, if the last one does: a larger change never removes ground.
 * @param {Trials} trials @param {JoinField} name @param {number[]} values @param {Fields} others @returns {Generator<void, number, void>}
 */
function* smallest(trials, name, values, others) {
  let [low, high] = [0, values.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (trials.joins({ ...others, [name]: values[middle] })) high = middle;
    else low = middle + 1;
    yield;
  }
  return values[high];
}

/** How much of the configuration a change is: the sum of the shares of its fields. @param {Fields} fields @param {import('walkmesh').FullConfig} config */
const shareOf = (fields, config) => Object.entries(fields).reduce((sum, [name, value]) => {
  const before = config[/** @type {JoinField} */ (name)];
  return sum + (before > 0 ? Math.abs(value - before) / before : 1);
}, 0);

/**
 * The changes of as few fields as possible that join the island within a window; none if it is joined already, null if no change joins it.
 * @param {Trials} trials @returns {Generator<void, Fields | null, void>}
 */
function* findFields(trials) {
  const values = Object.fromEntries(NAMES.map((name) => [name, VALUES[name](trials)]).filter(([, list]) => list.length > 0));
  const names = /** @type {JoinField[]} */ (Object.keys(values));
  /** @type {Fields} */
  const all = Object.fromEntries(names.map((name) => [name, values[name].at(-1)]));
  const isJoined = trials.joins(all);
  yield;
  // A radius of one cell can't be smaller in these cells.
  if (!isJoined) return values.agentRadius ? null : yield* finerCells(trials);
  if (trials.joins({})) return {};
  yield;
  /** @type {Fields[]} */
  const found = [];
  for (const name of names) {
    if (trials.joins({ [name]: all[name] })) found.push({ [name]: yield* smallest(trials, name, values[name], {}) });
    yield;
  }
  if (found.length > 0) return found.sort((a, b) => shareOf(a, trials.grid.config) - shareOf(b, trials.grid.config))[0];
  return yield* reduce(trials, names, values, all);
}

/** Smaller cells that join the island: they round the radius up by less. @param {Trials} trials @returns {Generator<void, Fields | null, void>} */
function* finerCells(trials) {
  const { config, voxels } = trials.grid;
  for (const cellSize of smallerCells(voxels, config.cellSize)) {
    const isJoined = trials.joins({ cellSize });
    yield;
    if (isJoined) return { cellSize };
  }
  return null;
}

/**
 * Fields that join only together: leaves out those that aren't needed, then makes each change as small as possible.
 * @param {Trials} trials @param {JoinField[]} names @param {Record<string, number[]>} values @param {Fields} all @returns {Generator<void, Fields, void>}
 */
function* reduce(trials, names, values, all) {
  let fields = all;
  for (const name of names) {
    const { [name]: _, ...fewer } = fields;
    if (trials.joins(fewer)) fields = fewer;
    yield;
  }
  for (const name of /** @type {JoinField[]} */ (Object.keys(fields))) {
    const { [name]: _, ...others } = fields;
    fields = { ...fields, [name]: yield* smallest(trials, name, values[name], others) };
  }
  return fields;
}

/** Points along a way, at most a quarter of a cell apart. @param {ArrayLike<number>} points [n][3] @param {number} apart @returns {Point[]} */
function sampleWay(points, apart) {
  /** @type {Point[]} */
  const samples = [];
  for (let i = 3; i < points.length; i += 3) {
    const [a, b] = [points, points].map((list, k) => [0, 1, 2].map((axis) => list[i - 3 + 3 * k + axis]));
    const count = Math.max(1, Math.ceil(Math.hypot(b[0] - a[0], b[2] - a[2]) / apart));
    for (let k = 0; k <= count; k++) samples.push(/** @type {Point} */ (a.map((value, axis) => value + k / count * (b[axis] - value))));
  }
  return samples;
}

/**
 * The part of the way between the island and other ground, in the mesh without the changes: from the last sample on the island to the next
 * one on other ground.
 * @param {Trials} trials @param {Point[]} samples the first on the island @returns {Point[]}
 */
function stretchBetween(trials, samples) {
  const before = trials.bake({});
  if (!before) return samples;
  const islands = before.islands();
  const labels = samples.map((point) => {
    const nearest = trials.at(before, point);
    return nearest?.isOver ? islands.of(nearest.polygon) : 0;
  });
  // The first sample lies on the edge of the island.
  const own = islands.of(trials.at(before, samples[0])?.polygon ?? 0);
  islands.free();
  before.free();
  const start = Math.max(labels.lastIndexOf(own), 0);
  const length = labels.slice(start).findIndex((label) => label > 0 && label !== own);
  return samples.slice(start, length < 0 ? undefined : start + length + 1);
}

/** Measures what a field allows on a stretch of the way. @type {Partial<Record<JoinField, (trials: Trials, stretch: Point[], value: number) => number>>} */
const MEASURES = {
  agentMaxClimb({ near, grid: { config: { agentMaxClimb, cellHeight } } }, stretch, value) {
    const slack = value + 2 * cellHeight;
    const heights = stretch.map(([x, y, z]) => groundNear(heightsAt(near, x, z), y, y - slack, y + slack));
    const rises = heights.slice(1).map((height, i) => Math.abs((height ?? NaN) - (heights[i] ?? NaN))).filter((rise) => rise <= value + 1e-6);
    const highest = Math.max(...rises);
    // Steps that cells round up are lower than what the agent climbs: then the value is the figure.
    return highest > agentMaxClimb - cellHeight ? highest : value;
  },
  agentHeight({ near }, stretch, value) {
    const rooms = stretch.map(([x, y, z]) => {
      const heights = heightsAt(near, x, z);
      const ground = groundNear(heights, y, y - value, y + value / 2);
      return ground === null ? Infinity : ceilingAbove(heights, ground) - ground;
    });
    const lowest = Math.min(...rooms);
    return lowest >= value - 0.01 && Number.isFinite(lowest) ? lowest : value;
  },
};

/**
 * The obstacles in a window that cut its island off. @param {Trials} trials
 * @returns {Generator<void, import('../edit/items.js').Selection[], void>} none: the island is cut off without them, too, or something that is switched closes the way
 */
function* findObstacles(trials) {
  const { obstacles } = yield* findObstaclesInWay(trials.volumes.filter(closesGround), (removed) => trials.joins({}, trials.volumes.filter((volume) => !removed.includes(volume))));
  return obstacles.map(({ item }) => /** @type {import('../edit/items.js').Selection} */ (item));
}

/**
 * Where the island ends on the way that the changes open, and what they allow there. @param {Trials} trials @param {Fields} fields
 * @param {readonly import('../edit/items.js').Selection[]} [obstacles] that are removed @returns {Pick<Join, 'figure' | 'place' | 'to'> | null}
 */
function describe(trials, fields, obstacles = []) {
  const isRemoved = (/** @type {import('./volumes.js').NamedVolume} */ { item }) => obstacles.some(({ kind, id }) => kind === item?.kind && id === item.id);
  const navMesh = trials.bake(fields, trials.volumes.filter((volume) => !isRemoved(volume)));
  const pair = navMesh && trials.pairIn(navMesh);
  if (!navMesh || !pair) return null;
  const { from, to } = pair;
  const path = navMesh.findPath(from, trials.target(to), { crossings: 'all' });
  navMesh.free();
  const stretch = stretchBetween(trials, sampleWay(path.points, APART * trials.grid.config.cellSize));
  const [name, value] = /** @type {[JoinField, number]} */ (Object.entries(fields)[0] ?? ['', 0]);
  return { figure: MEASURES[name]?.(trials, stretch, value) ?? value, place: stretch[0] ?? from, to };
}

/**
 * The smallest change that joins an island to other ground; null: none does. Pauses after some bakes.
 * @param {import('walkmesh').Walkmesh} walkmesh @param {Level} level with the volumes of the bake @param {Grid} grid
 * @param {readonly Window[]} windows @returns {Generator<void, Join | null, void>}
 */
export function* findJoin(walkmesh, level, grid, windows) {
  /** @type {Join | null} */
  let best = null;
  /** @type {Join | null} */
  let open = null;
  let least = Infinity;
  for (const [index, window] of windows.entries()) {
    const trials = new Trials(walkmesh, level, grid, window);
    const obstacles = yield* findObstacles(trials);
    const fields = obstacles.length > 0 ? {} : yield* findFields(trials);
    if (obstacles.length > 0) {
      const found = describe(trials, {}, obstacles);
      if (found && window.islands[found.to] === 1) return { ...found, fields: {}, obstacles, window: index };
      if (found && !best) best = { ...found, fields: {}, obstacles, window: index };
      continue;
    }
    if (fields && Object.keys(fields).length === 0) {
      open ??= { fields, figure: 0, place: window.from[0], window: index, to: 0 };
      continue;
    }
    // Several fields are worse than any single one.
    const share = fields ? shareOf(fields, grid.config) + 100 * (Object.keys(fields).length - 1) : Infinity;
    if (!fields || share >= least) continue;
    const found = describe(trials, fields);
    yield;
    if (!found) continue;
    // Another island may be cut off itself; the larger ones have lower numbers.
    const island = window.islands[found.to];
    const cost = share + (island === 1 ? 0 : OTHER + island / 100);
    if (cost < least) {
      const alternative = fields?.agentRadius !== undefined && Object.keys(fields).length === 1 ? yield* finerCells(trials) : null;
      [best, least] = [{ ...found, fields, window: index, ...(alternative && { alternative }) }, cost];
    }
    if (least <= SMALL) break;
  }
  return best ?? open;
}
