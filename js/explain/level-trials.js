/**
 * Bakes of a level with other configurations, to see which of them has a way: the whole level if it is small, else the part around start and
 * end, on the grid of the whole level.
 */
import { bake } from '../bake/bake.js';
import { bakeTile } from '../bake/bake-tile.js';
import { Baker } from '../bake/baker.js';
import { toTriangles, withParts } from '../input/geometry.js';
import { solidTriangles } from '../input/solid-triangles.js';
import { turnToYUp } from '../input/up-axis.js';
import { NavError } from '../runtime/errors.js';
import { across } from './reach.js';
import { TriangleIndex, slopeOf } from './triangles.js';

/** @typedef {import('../input/config.js').Config} Config */
/** @typedef {import('../input/geometry.js').Geometry} Geometry */
/** @typedef {import('../mesh/mesh.js').NavMesh} NavMesh */
/** @typedef {import('../mesh/switches.js').Switches} Switches */
/** @typedef {import('../runtime/session.js').Session} Session */
/** @typedef {import('../query/find-path.js').Path} Path */
/** @typedef {import('../query/find-path.js').PathOptions} PathOptions */
/** @typedef {import('./mesh-graph.js').Vector} Vector */
/** @typedef {import('./obstacle-causes.js').Obstacle} Obstacle */
/** @typedef {import('../input/config.js').FullConfig} FullConfig */
/** @typedef {Readonly<import('../bake/bake-steps.js').Voxels>} Voxels */

/** @typedef {'agentMaxClimb' | 'agentMaxSlope' | 'agentRadius' | 'agentHeight' | 'minRegionSize'} FieldName */
/** @typedef {Partial<Record<FieldName, number>>} Fields */

/** Most cells of a trial, and of one with smaller cells, of which there are few. */
export const MOST_CELLS = 1_000_000;
const MOST_SMALLER = 4 * MOST_CELLS;
/**
 * Trials with obstacles left out: cells and triangles that all of them together may have, and their
 * least and largest number. A trial of a level of a million cells takes about a tenth of a second, or more with many triangles.
 */
const [MOST_TRIED, LEAST_TRIALS, MOST_TRIALS] = [64 * MOST_CELLS, 64, 400];
/** The part of a larger level that is baked: beyond start and end by this share of their distance, and by at least this many cells. */
const [BEYOND, MARGIN] = [0.5, 64];
/** Around the part in which a shorter path can lie: cells beside the radius, and times the side of the smallest regions that are kept. */
const [AROUND, REGIONS] = [16, 2];
/** Levels with fewer times as many cells as such a part are tried as a whole. */
const WORTHWHILE = 2;
/** Height detail makes a path shorter by no more than this factor. */
const SLACK = 1.05;
/** The fields of the fastest bake: no height detail. @type {Partial<Config>} */
const QUICK = { detailSampleDistance: 0, heights: 'voxels' };
/** Smaller cells that are tried: shares of the level's own. */
const SMALLER = [1 / 2, 1 / 4];
/** Radii that are tried with each of them, and by how much a radius must be larger to be told, world units. */
const [RADII, WIDER] = [2, 0.045];
/** Distance between height samples where the level's bake has none, cells. */
const DETAIL = 6;
/** Steeper surfaces are no way, degrees. */
const STEEPEST = 75;

/** A share of a size, to three digits, as texts tell it. @param {number} size @param {number} share */
const part = (size, share) => Number((size * share).toPrecision(3));

/** The quotient as the bake computes it. @param {number} value @param {number} unit */
const quotient = (value, unit) => Math.fround(Math.fround(value) / Math.fround(unit));

/** The largest hundredth whose rounded-up cells are at most a count. @param {number} cells @param {number} unit */
function atMost(cells, unit) {
  const value = Math.floor(100 * cells * unit + 1e-6) / 100;
  return Math.ceil(quotient(value, unit)) <= cells ? value : Math.round(100 * value - 1) / 100;
}

/** The smallest hundredth whose rounded-down cells are at least a count. @param {number} cells @param {number} unit */
function atLeast(cells, unit) {
  const value = Math.ceil(100 * cells * unit - 1e-6) / 100;
  return Math.floor(quotient(value, unit)) >= cells ? value : Math.round(100 * value + 1) / 100;
}

/** @param {number} first @param {number} last @returns {number[]} ascending or descending */
const range = (first, last) => Array.from({ length: Math.abs(last - first) + 1 }, (_, i) => first + (last < first ? -i : i));

/** @typedef {{ config: FullConfig, voxels: Voxels, triangles: { positions: Float32Array, indices: Uint32Array } }} Ground */

/** The values of each field that may open a way, from the smallest change to the largest. @type {Record<FieldName, (ground: Ground) => number[]>} */
const VALUES = {
  agentMaxClimb({ config: { agentHeight, cellHeight }, voxels: { walkableClimb } }) {
    const most = Math.floor(agentHeight / 2 / cellHeight + 1e-6);
    return most > walkableClimb ? range(walkableClimb + 1, most).map((cells) => atLeast(cells, cellHeight)) : [];
  },
  agentMaxSlope({ config, triangles: { positions, indices } }) {
    const angles = new Set();
    for (let i = 0; i < indices.length; i += 3) {
      const corners = [0, 1, 2].map((k) => Array.from(positions.subarray(3 * indices[i + k], 3 * indices[i + k] + 3)));
      const angle = Math.ceil(slopeOf(corners) + 0.01);
      if (angle > config.agentMaxSlope && angle <= STEEPEST) angles.add(angle);
    }
    return [...angles].sort((a, b) => a - b);
  },
  agentRadius({ config: { cellSize }, voxels: { walkableRadius } }) {
    return walkableRadius > 0 ? range(walkableRadius - 1, 0).map((cells) => atMost(cells, cellSize)) : [];
  },
  agentHeight({ config: { agentHeight, agentMaxClimb, cellHeight }, voxels: { walkableHeight } }) {
    const least = Math.ceil(Math.max(agentHeight / 3, agentMaxClimb) / cellHeight);
    return walkableHeight > least ? range(walkableHeight - 1, least).map((cells) => atMost(cells, cellHeight)) : [];
  },
  minRegionSize: ({ config }) => (config.minRegionSize > 0 ? [0] : []),
};
export const FIELD_NAMES = /** @type {FieldName[]} */ (Object.keys(VALUES));

/** @param {Fields} fields */
const keyOf = (fields) => FIELD_NAMES.map((name) => fields[name] ?? '').join();

/** The triangles and solids of a level as triangles, y up, three numbers a vertex. @param {Geometry} geometry */
function trianglesOf(geometry) {
  const { positions, stride, vertexCount, indices, upAxis } = toTriangles(geometry);
  const solids = solidTriangles(geometry);
  const packed = new Float32Array(3 * vertexCount + solids.positions.length);
  for (let i = 0; i < vertexCount; i++) for (let axis = 0; axis < 3; axis++) packed[3 * i + axis] = positions[i * stride + axis];
  if (upAxis === 'z') turnToYUp(packed.subarray(0, 3 * vertexCount), 3);
  packed.set(solids.positions, 3 * vertexCount);
  const all = new Uint32Array(indices.length + solids.indices.length);
  all.set(indices);
  all.set(solids.indices.map((index) => vertexCount + index), indices.length);
  return { positions: packed, indices: all };
}

/** Doors and switches of a mesh in another one, in the same states. @param {NavMesh} navMesh the other one @param {Switches} original */
function copySwitches(navMesh, original) {
  const copy = navMesh.createSwitches();
  for (const options of original.list()) copy.restore(options);
  return copy;
}

export class LevelTrials {
  #session;
  #geometry;
  #given;
  #start;
  #end;
  #options;
  #switches;
  #obstacles;

  /**
   * @param {Session} session @param {Geometry} geometry @param {Config} config of the mesh's bake
   * @param {Vector} start @param {Vector} end @param {PathOptions} options of the path
   * @param {readonly Switches[]} switches of the mesh: doors are closed in trials, too
   * @param {readonly Obstacle[]} obstacles those of its volumes that may be in the way
   */
  constructor(session, geometry, config, start, end, options, switches, obstacles) {
    this.#switches = switches;
    this.#obstacles = obstacles;
    this.#session = session;
    this.#geometry = geometry;
    this.#given = config;
    this.#start = start;
    this.#end = end;
    this.#options = options;
    const baker = new Baker(session, geometry, config);
    this.config = baker.config;
    this.voxels = baker.voxels;
    baker.free();
    this.#bounds = this.#chooseBounds();
  }

  get #triangles() {
    return this.#known ??= trianglesOf(this.#geometry);
  }

  /** The level. */
  get geometry() {
    return this.#geometry;
  }

  /** The volumes of area 0 and the obstacles that may close the way. */
  get obstacles() {
    return this.#obstacles;
  }

  /** How many trials with obstacles left out one search for them may take: fewer in large levels. */
  get mostTrials() {
    const size = this.#cells + this.#triangles.indices.length / 3;
    return Math.min(Math.max(Math.floor(MOST_TRIED / size), LEAST_TRIALS), MOST_TRIALS);
  }

  /** The same level without some of its volumes and solids; it knows no obstacles. @param {readonly Obstacle[]} removed @returns {LevelTrials} */
  without(removed) {
    if (removed.length === 0) return this;
    // By their places: one volume may be listed twice.
    const gone = new Set(removed.map(({ index }) => index));
    const { volumes = [], solids = [] } = this.#geometry, kept = Array.from(solids).filter((_, i) => !gone.has(volumes.length + i));
    const geometry = withParts(this.#geometry, { volumes: Array.from(volumes).filter((_, i) => !gone.has(i)), ...(kept.length < solids.length && { solids: kept }) });
    const trials = new LevelTrials(this.#session, geometry, this.#given, this.#start, this.#end, this.#options, this.#switches, []);
    trials.#quickBounds = this.#quickBounds;
    trials.#longest = this.#longest;
    return trials;
  }

  /** True if the mesh has doors or switches. */
  get hasSwitches() {
    return this.#switches.length > 0;
  }

  /** Its configuration, as it was given. */
  get given() {
    return this.#given;
  }

  /** @type {ReturnType<typeof trianglesOf> | undefined} */
  #known;
  /** @type {TriangleIndex | undefined} */
  #index;
  /** @type {Partial<Record<FieldName, number[]>> | undefined} */
  #values;

  get index() {
    return this.#index ??= new TriangleIndex(this.#triangles);
  }

  /** The values of each field that may open a way; a field without any is missing. @type {Partial<Record<FieldName, number[]>>} */
  get values() {
    const { config, voxels } = this;
    const ground = () => ({ config, voxels, triangles: this.#triangles });
    return this.#values ??= Object.fromEntries(FIELD_NAMES.map((name) => [name, VALUES[name](ground())]).filter(([, list]) => list.length > 0));
  }

  /** The part of the level to bake; undefined: all of it. @type {import('../input/config.js').Bounds | undefined} */
  #bounds;

  /** The number of cells of that part on x and z. */
  #cells = 0;

  /** False if the part that must be baked is too large. */
  isSmallEnough = true;

  /** True if trials are what a bake of the level gives. Of a part, links at its border and beyond it are others. */
  get isExact() {
    return this.#bounds === this.#given.bounds || this.#given.links === undefined;
  }

  /** The part of the level that is baked: lowest x and z, highest x and z. @type {[number, number, number, number]} */
  part = [0, 0, 0, 0];

  #chooseBounds() {
    const { voxels: { width, depth, boundsMin, boundsMax }, config: { cellSize } } = this;
    this.#cells = width * depth;
    this.part = [boundsMin[0], boundsMin[2], boundsMax[0], boundsMax[2]];
    if (this.#cells <= MOST_CELLS) return this.#given.bounds;
    const [start, end] = [this.#start, this.#end];
    const beyond = Math.max(MARGIN * cellSize, BEYOND * Math.hypot(end[0] - start[0], end[2] - start[2]));
    const { bounds, cells, part } = this.#boundsAround([Math.min(start[0], end[0]) - beyond, Math.min(start[2], end[2]) - beyond], [Math.max(start[0], end[0]) + beyond, Math.max(start[2], end[2]) + beyond]);
    this.#cells = cells;
    this.isSmallEnough = cells <= MOST_CELLS;
    this.part = part;
    return bounds;
  }

  /**
   * The part of the level between two corners, on its grid.
   * @param {number[]} low x and z @param {number[]} high x and z
   * @returns {{ bounds: import('../input/config.js').Bounds, cells: number, part: [number, number, number, number] }}
   */
  #boundsAround(low, high) {
    const { voxels: { boundsMin, boundsMax, isOpenAbove }, config: { cellSize } } = this;
    const snap = (/** @type {number} */ value, /** @type {number} */ axis, /** @type {(value: number) => number} */ round) => (
      boundsMin[axis] + round((Math.min(Math.max(value, boundsMin[axis]), boundsMax[axis]) - boundsMin[axis]) / cellSize) * cellSize);
    const min = [snap(low[0], 0, Math.floor), snap(low[1], 2, Math.floor)], max = [snap(high[0], 0, Math.ceil), snap(high[1], 2, Math.ceil)];
    return {
      bounds: { min: [min[0], boundsMin[1], min[1]], max: [max[0], boundsMax[1], max[1]], ...isOpenAbove && { above: true } },
      cells: (max[0] - min[0]) * (max[1] - min[1]) / (cellSize * cellSize), part: [min[0], min[1], max[0], max[1]],
    };
  }

  /** The part in which quick trials look for a way; undefined: all that is baked. @type {import('../input/config.js').Bounds | undefined} */
  #quickBounds;
  /** The longest path that is looked for, world units. */
  #longest = Infinity;

  /**
   * From now on, trials look for paths up to a length: quick ones bake only the part of the level that such paths can reach, an ellipse around
   * start and end.
   * @param {number} length world units
   */
  limitTo(length) {
    this.#longest = length;
    const { config: { agentRadius, cellSize, minRegionSize } } = this, [start, end] = [this.#start, this.#end];
    const margin = agentRadius + cellSize * Math.max(AROUND, REGIONS * minRegionSize);
    const straight = across(start, end), long = length / 2, wide = Math.sqrt(Math.max(length * length - straight * straight, 0)) / 2;
    const reach = [0, 2].map((axis) => {
      const along = straight > 0 ? (end[axis] - start[axis]) / straight : 1;
      return margin + Math.sqrt(long * long * along * along + wide * wide * (1 - along * along));
    });
    const middle = [0, 2].map((axis) => (start[axis] + end[axis]) / 2);
    const { bounds, cells } = this.#boundsAround(middle.map((value, k) => value - reach[k]), middle.map((value, k) => value + reach[k]));
    if (WORTHWHILE * cells < this.#cells) this.#quickBounds = bounds;
  }

  /** True if triangles or solids of the level are so near to a point that a setting may leave ground there. @param {Vector} point @param {Vector} halfExtents */
  hasSurfaceNear([x, y, z], halfExtents) {
    const { index, config: { cellSize, cellHeight } } = this;
    const reach = halfExtents.map((half, axis) => half + (axis === 1 ? cellHeight : cellSize));
    return [...index.near(x - reach[0], z - reach[2], x + reach[0], z + reach[2])].some((i) => {
      const corners = index.corners(i);
      return [x, y, z].every((value, axis) => corners.some((corner) => corner[axis] >= value - reach[axis]) && corners.some((corner) => corner[axis] <= value + reach[axis]));
    });
  }

  /**
   * Asks a mesh with other fields, and with the doors and switches of the explained one.
   * @template T @param {Fields} fields @param {Partial<Config>} detail
   * @param {(navMesh: NavMesh, options: PathOptions, copies: { copy: Switches, original: Switches }[]) => T} ask
   * @param {import('../input/config.js').Bounds | undefined} [bounds] of the part that is baked @returns {T | null} null: the bake failed
   */
  #ask(fields, detail, ask, bounds = this.#bounds) {
    const { bounds: _, ...given } = this.#given;
    const config = { ...given, ...fields, ...(bounds && { bounds }), ...detail };
    const navMesh = this.#bake(config);
    if (!navMesh) return null;
    try {
      return ask(navMesh, { ...this.#options, maxNodes: 0 }, this.#switches.map((original) => ({ original, copy: copySwitches(navMesh, original) })));
    } finally {
      navMesh.free();
    }
  }

  /** @param {Config} config @returns {NavMesh | null} */
  #bake(config) {
    try {
      return bake(this.#session, this.#geometry, config, {}).navMesh;
    } catch (error) {
      if (error instanceof NavError && error.code !== 'out-of-memory') return null;
      throw error;
    }
  }

  /**
   * Asks a mesh with other fields.
   * @template T @param {Fields} fields @param {(navMesh: NavMesh, copies: { copy: Switches, original: Switches }[]) => T} ask @returns {T | null} null: the bake failed
   */
  askMesh(fields, ask) {
    return this.#ask(fields, {}, (navMesh, _, copies) => ask(navMesh, copies));
  }

  /** The same level with all doors open, for a filter that everything passes. */
  withAllOpen() {
    const filter = { includeFlags: 0xffff, excludeFlags: 0 };
    return new LevelTrials(this.#session, this.#geometry, this.#given, this.#start, this.#end, { ...this.#options, filter }, [], this.#obstacles);
  }

  /** Paths by their fields. @type {Map<string, Path | null>} */
  #paths = new Map();
  /** Paths of bakes without height detail, by the fields that were changed. @type {Map<string, Path | null>} */
  #quickPaths = new Map();

  /** The path with other fields; null: it isn't complete. @param {Fields} fields @returns {Path | null} */
  pathWith(fields) {
    const key = keyOf(fields), known = this.#paths.get(key);
    if (known !== undefined) return known;
    // Height detail takes time, and changes links and the polygon nearest to an end: only a way without it is tried with it.
    const path = this.#quickWith(fields) && this.#completeWith(fields, {});
    this.#paths.set(key, path);
    return path;
  }

  /** The path of a bake without height detail; null: it isn't complete, or clearly too long. @param {Fields} fields @returns {Path | null} */
  #quickWith(fields) {
    const key = keyOf(fields), known = this.#quickPaths.get(key);
    if (known !== undefined) return known;
    const path = this.#completeWith(fields, QUICK, this.#quickBounds);
    const quick = path && path.length <= SLACK * this.#longest ? path : null;
    this.#quickPaths.set(key, quick);
    return quick;
  }

  /** @param {Fields} fields @param {Partial<Config>} detail @param {import('../input/config.js').Bounds | undefined} [bounds] @returns {Path | null} */
  #completeWith(fields, detail, bounds) {
    const path = this.#ask(fields, detail, (navMesh, options) => navMesh.findPath(this.#start, this.#end, options), bounds);
    return path?.status === 'complete' ? path : null;
  }

  /** Points on the surface along that path. @param {Fields} fields @param {number} step between them, world units @returns {Vector[]} */
  wayWith(fields, step) {
    const detailSampleDistance = this.config.detailSampleDistance || DETAIL;
    const smooth = this.#ask(fields, { ...QUICK, detailSampleDistance }, (navMesh, options) => navMesh.findSmoothPath(this.#start, this.#end, { ...options, step }), this.#quickBounds);
    return Array.from({ length: smooth?.count ?? 0 }, (_, i) => /** @type {Vector} */ (Array.from(/** @type {Path} */ (smooth).points.subarray(3 * i, 3 * i + 3))));
  }

  /** The values of a field beside others: no agent climbs higher than it is. @param {FieldName} name @param {Fields} others @returns {number[]} */
  #valuesBeside(name, others) {
    const values = this.values[name] ?? [];
    const { agentMaxClimb = 0, agentHeight = Infinity } = others;
    if (name === 'agentHeight') return values.filter((value) => value >= agentMaxClimb);
    return name === 'agentMaxClimb' ? values.filter((value) => value <= agentHeight) : values;
  }

  /** The extreme values of some fields. @param {readonly FieldName[]} names @returns {Fields} */
  extremes(names) {
    /** @type {Fields} */
    const fields = {};
    for (const name of names) fields[name] = this.#valuesBeside(name, fields).at(-1) ?? this.config[name];
    return fields;
  }

  /** The first of the values that opens a way, if the last one does. @param {FieldName} name @param {Fields} others @param {(path: Path | null) => boolean} opens @returns {number} */
  smallest(name, others, opens) {
    const values = this.#valuesBeside(name, others);
    const search = (/** @type {(fields: Fields) => Path | null} */ pathOf) => {
      let [low, high] = [0, values.length - 1];
      while (low < high) {
        const middle = (low + high) >> 1;
        if (opens(pathOf({ ...others, [name]: values[middle] }))) high = middle;
        else low = middle + 1;
      }
      return values[high];
    };
    const quick = search((fields) => this.#quickWith(fields));
    return opens(this.pathWith({ ...others, [name]: quick })) ? quick : search((fields) => this.pathWith(fields));
  }

  /**
   * Smaller cells that have a way with the other fields as they are; null: none; undefined: the level is too large to try all, or
   * trials are not what a bake of it gives. Sizes have three digits, as in the text.
   * @param {(path: Path | null) => boolean} opens true of a path that is worth telling
   * @returns {{ cellSize: number, cellHeight: number } | null | undefined}
   */
  smallerCells(opens) {
    const { config, voxels: { width, depth } } = this;
    const tried = SMALLER.filter((share) => width * depth <= MOST_SMALLER * share * share);
    if (tried.length === 0 || !this.isExact) return undefined;
    const cellsOf = (/** @type {number} */ share) => ({ cellSize: part(config.cellSize, share), cellHeight: part(config.cellHeight, share) });
    return tried.map(cellsOf).find((cells) => this.#passesWith(cells, opens)) ?? (tried.length < SMALLER.length ? undefined : null);
  }

  /** True if there is a way with other sizes. @param {Partial<Config>} sizes @param {(path: Path | null) => boolean} opens */
  #passesWith(sizes, opens) {
    // Height detail changes links.
    return opens(this.#completeWith({}, { ...QUICK, ...sizes })) && (!this.#given.links || opens(this.#completeWith({}, sizes)));
  }

  /**
   * The largest radius, and smaller cells, with which there is a way; null: none that was tried, or the level is too large to try.
   * @param {number} least a radius that passes with the level's own cells @param {number} room between walls at the narrowest place, world units
   * @param {(path: Path | null) => boolean} opens true of a path that is worth telling
   * @returns {{ agentRadius: number, cellSize: number } | null}
   */
  widerRadius(least, room, opens) {
    const { config, voxels: { width, depth } } = this;
    if (!this.isExact) return null;
    for (const share of SMALLER.filter((each) => width * depth <= MOST_SMALLER * each * each)) {
      const cellSize = part(config.cellSize, share), most = Math.floor(Math.min(room / 2, config.agentRadius) / cellSize + 1e-6);
      for (let cells = most; cells > most - RADII; cells--) {
        const sizes = { agentRadius: atMost(cells, cellSize), cellSize };
        if (sizes.agentRadius < least + WIDER) break;
        if (this.#passesWith(sizes, opens)) return sizes;
      }
    }
    return null;
  }

  /**
   * The smallest change of one field with which there is ground at a point: the first of the fields that has one; null: there is none.
   * @param {Vector} point @param {Vector} halfExtents @returns {Fields | null}
   */
  groundWith(point, halfExtents) {
    const { filter } = this.#options;
    const hasGround = (/** @type {FieldName} */ name, /** @type {number} */ value) => (
      this.#ask({ [name]: value }, QUICK, (navMesh) => navMesh.nearestPoint(point, { halfExtents, filter }) !== null) === true);
    // minRegionSize first: a change of it needs no smaller or stronger agent.
    for (const name of [...FIELD_NAMES].sort((a, b) => Number(b === 'minRegionSize') - Number(a === 'minRegionSize'))) {
      const values = this.values[name] ?? [];
      let [low, high] = [0, values.length - 1];
      if (high < 0 || !hasGround(name, values[high])) continue;
      while (low < high) {
        const middle = (low + high) >> 1;
        if (hasGround(name, values[middle])) high = middle;
        else low = middle + 1;
      }
      return { [name]: values[high] };
    }
    return null;
  }

  /** How much of the configuration a change is: the sum of the shares of its fields. @param {Fields} fields */
  shareOf(fields) {
    return Object.entries(fields).reduce((sum, [name, value]) => {
      const before = this.config[/** @type {FieldName} */ (name)];
      return sum + (before > 0 ? Math.abs(value - before) / before : 1);
    }, 0);
  }

  /** Bakes a tile of the level as it is. @param {number} x @param {number} z @returns {Uint8Array | null} null: it has no polygons, or the level has no such tile */
  tile(x, z) {
    const { tileCountX, tileCountZ } = this.voxels;
    if (x < 0 || z < 0 || x >= tileCountX || z >= tileCountZ) return null;
    const baker = new Baker(this.#session, this.#geometry, this.#given);
    try {
      return bakeTile(baker, x, z).bytes;
    } finally {
      baker.free();
    }
  }
}
