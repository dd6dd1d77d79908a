/**
 * Links that would open a way: a kind that is off, or a limit that is too low. Made and tried on a copy of the mesh, with the air of the
 * level around the gap.
 */
import { keepAirByStages } from '../bake/bake-tile.js';
import { Baker } from '../bake/baker.js';
import { LinkGenerator } from '../bake/links/link-generator.js';
import { requireSameGrid } from '../bake/rebake.js';
import { NavError } from '../runtime/errors.js';
import { SEGMENT_LINK_KINDS } from '../runtime/link-kinds.js';
import { applyFilter, copyMesh, plainFilter } from './causes.js';
import { MOST_CELLS } from './level-trials.js';
import { across } from './reach.js';
import { flagsAfter } from './switched-flags.js';
import { changeText, linkText } from './words.js';

/** @typedef {import('../input/link-config.js').LinkConfig} LinkConfig */
/** @typedef {import('../mesh/mesh.js').NavMesh} NavMesh */
/** @typedef {import('../query/find-path.js').PathOptions} PathOptions */
/** @typedef {import('../runtime/link-kinds.js').LinkKind} LinkKind */
/** @typedef {import('./causes.js').Cause} Cause */
/** @typedef {import('./causes.js').Change} Change */
/** A cause without its change in the text, the crossing over which the link leads, the length of the path, and how much limits are raised. @typedef {Pick<Cause, 'kind' | 'text' | 'point' | 'figure' | 'changes'> & { crossing: Crossing, length: number, raised: number }} LinkFound */
/** @typedef {import('./gaps.js').Crossing} Crossing */
/** @typedef {import('./level-trials.js').LevelTrials} LevelTrials */
/** @typedef {import('./mesh-graph.js').Vector} Vector */
/** Limits of one kind, by field. @typedef {Record<string, number>} Limits */
/** @typedef {{ x: number, z: number }} TilePlace */
/** @typedef {{ distance: number, up: number }} Way from take-off to landing, world units */
/** @typedef {{ start: Vector, end: Vector }} Ends */
/** @typedef {{ start: Vector, end: Vector, options: PathOptions }} PathAsked */
/** A limit that is raised; before: undefined if it is the default. @typedef {{ name: string, before: number | undefined, after: number }} RaisedLimit */
/** A link over a crossing, with the least limits. @typedef {{ kind: LinkKind, config: LinkConfig, ends: Ends, changed: RaisedLimit[], raised: number }} Link */

/** The limits that a kind needs for a way; null: it doesn't lead there. Vaults need a height that the way doesn't tell. @type {Record<LinkKind, (way: Way, trials: LevelTrials) => Limits | null>} */
const NEEDED = {
  drop: ({ up }, { config: { agentMaxClimb } }) => (-up > agentMaxClimb ? { maxHeight: -up } : null),
  jump: ({ distance, up }, { config: { agentMaxClimb } }) => ({
    maxDistance: distance, ...(up > agentMaxClimb && { maxUp: up }), ...(-up > agentMaxClimb && { maxDown: -up }),
  }),
  climb: ({ up }, { config: { agentMaxClimb } }) => (up > agentMaxClimb ? { maxHeight: up } : null),
  vault: ({ distance }, { config: { agentHeight, agentRadius, cellSize } }) => (
    { maxHeight: agentHeight, maxDepth: Math.max(distance - 2 * agentRadius - 4 * cellSize, cellSize) }),
};

/** @param {Ends} ends @returns {Way} */
const wayOf = ({ start, end }) => ({ distance: across(start, end), up: end[1] - start[1] });

/** A jump leaves its border at a right angle, so it may be longer than the crossing. The first one that is tried is this many times as long. */
const ASKEW = 1.25;

/** Rounded up to a hundredth; float32 isn't finer. @param {number} value */
const roundUp = (value) => Math.ceil(100 * value - 0.01) / 100;

/** A copy of a mesh with the air of its level, on which links are tried. */
export class LinkTrials {
  #trials;
  #options;
  #ends;
  #copy;
  #navMesh;
  #generator;
  /** @type {TilePlace[]} */
  #places;

  /**
   * @param {NavMesh} navMesh @param {LevelTrials} trials @param {Vector} start @param {Vector} end of the path @param {PathOptions} options
   * @param {import('../input/config.js').Config} config of the mesh, with bounds @param {LinkConfig} widest links with all limits that will be tried
   * @param {readonly Vector[]} points where links will be tried
   */
  constructor(navMesh, trials, start, end, options, config, widest, points) {
    this.#trials = trials;
    this.#options = { ...options, maxNodes: 0 };
    this.#ends = { start, end };
    this.#navMesh = navMesh;
    this.#copy = copyMesh(navMesh);
    try {
      this.#generator = new LinkGenerator(this.#copy, { ...config, links: widest }, trials.geometry.volumes);
      this.#places = this.#generator.affectedBy(points.map((point) => this.#placeOf(point)));
      this.#readAir({ ...config, links: widest });
    } catch (error) {
      this.#copy.free();
      throw error;
    }
  }

  /** @param {Vector} point @returns {TilePlace} */
  #placeOf(point) {
    const { origin, tileWidth, tileDepth, tileCountX, tileCountZ } = this.#copy.parameters;
    const place = (/** @type {number} */ value, /** @type {number} */ side, /** @type {number} */ count) => Math.min(Math.max(Math.floor(value / side), 0), count - 1);
    return { x: place(point[0] - origin[0], tileWidth, tileCountX), z: place(point[2] - origin[2], tileDepth, tileCountZ) };
  }

  /** @param {import('../input/config.js').Config} config */
  #readAir(config) {
    const baker = new Baker(this.#copy.session, this.#trials.geometry, config);
    try {
      requireSameGrid(this.#copy, baker);
      const places = this.#generator.affectedBy(this.#places), { tileWidth, tileDepth, cellSize } = this.#copy.parameters;
      if (places.length * tileWidth * tileDepth > MOST_CELLS * cellSize * cellSize) throw new NavError('limit', 'the part of the level around the gap is too large');
      for (const { x, z } of places) {
        const stages = keepAirByStages(baker, x, z);
        let step = stages.next();
        while (!step.done) step = stages.next();
        this.#generator.setAir({ x, z, bytes: step.value });
      }
    } finally {
      baker.free();
    }
  }

  /** The link that leads over a crossing with these links; null: none. @param {LinkConfig} links @param {Crossing} crossing @returns {Ends | null} */
  linkWith(links, { start, end }) {
    try {
      this.#generator.configure(links);
    } catch (error) {
      if (error instanceof NavError && error.code === 'configuration') return null;
      throw error;
    }
    const found = this.#generator.explainLink(start, end);
    return found.reason === null ? found : null;
  }

  /** The copy, with the links that were made last. */
  get navMesh() {
    return this.#copy;
  }

  /** The path on the copy with the links that were made last. */
  path() {
    return this.#copy.findPath(this.#ends.start, this.#ends.end, this.#options);
  }

  /** The length of the path with these links; null: there is none. @param {LinkConfig} links */
  lengthOf(links) {
    this.#generator.configure(links);
    return this.lengthWith([]);
  }

  /** The length of the path with the links that the generator was configured for last; null: there is none. @param {readonly Change[]} changes of switches and the filter */
  lengthWith(changes) {
    const steps = this.#generator.run(this.#places), copy = this.#copy;
    while (!steps.next().done);
    const turned = flagsAfter(this.#navMesh, changes.filter((change) => change.kind === 'switch')).map(({ x, z, layer, index, flags }) => {
      const polygon = copy.tileAt(x, z, layer) + index, before = copy.polygonFlags(polygon);
      copy.setPolygonFlags(polygon, flags);
      return { polygon, before };
    });
    const filter = changes.reduce((plain, change) => (change.kind === 'filter' ? applyFilter(plain, change) : plain), plainFilter(this.#options.filter));
    const { status, length } = copy.findPath(this.#ends.start, this.#ends.end, changes.length > 0 ? { ...this.#options, filter } : this.#options);
    for (const { polygon, before } of turned) copy.setPolygonFlags(polygon, before);
    return status === 'complete' ? length : null;
  }

  free() {
    this.#copy.free();
  }
}

/** Links with the limits of one kind raised where they are lower. @param {LinkConfig} links @param {LinkKind} kind @param {Limits} limits @returns {LinkConfig} */
export function raise(links, kind, limits) {
  const before = /** @type {Limits} */ (links[kind] ?? {});
  const raised = Object.fromEntries(Object.entries(limits).map(([name, value]) => [name, Math.max(before[name] ?? 0, roundUp(value))]));
  return withPeak({ ...links, [kind]: { ...before, ...raised } });
}

/** Links whose jumps rise as high as they lead up, if the peak is set. @param {LinkConfig} links @returns {LinkConfig} */
function withPeak(links) {
  const { jump } = links;
  return jump?.peak && jump.maxUp !== undefined && jump.maxUp > jump.peak ? { ...links, jump: { ...jump, peak: jump.maxUp } } : links;
}

/** @param {LinkConfig} links @param {LinkKind} kind @param {string} name @param {number} value @returns {LinkConfig} */
const withLimit = (links, kind, name, value) => withPeak({ ...links, [kind]: { ...links[kind], [name]: value } });

/** Only one kind of the links. @param {LinkConfig} links @param {LinkKind} kind @returns {LinkConfig} */
const only = ({ minWidth, minSaving, thinning, ...kinds }, kind) => (
  { ...(minWidth !== undefined && { minWidth }), ...(minSaving !== undefined && { minSaving }), ...(thinning !== undefined && { thinning }), [kind]: kinds[kind] });

/** True for a limit that is above agentMaxClimb. @param {string} name */
const isHeight = (name) => name !== 'maxDistance' && name !== 'maxDepth';

/** Parts of a world unit to which limits are told. */
const PARTS = 100;

/**
 * Lowers the limits that were raised, one after the other, as long as the kind leads over the crossing.
 * @param {LinkTrials} links @param {LinkConfig} before @param {LinkConfig} wide which leads over it @param {LinkKind} kind @param {Crossing} crossing @param {LevelTrials} trials @returns {LinkConfig}
 */
function lower(links, before, wide, kind, crossing, { config: { agentMaxClimb } }) {
  let config = wide;
  for (const { name, before: given, after } of differences(before, wide, kind)) {
    const least = given ?? (isHeight(name) ? agentMaxClimb : 0);
    let [low, high] = [Math.floor(PARTS * least), Math.round(PARTS * after)];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (links.linkWith(only(withLimit(config, kind, name, middle / PARTS), kind), crossing)) high = middle;
      else low = middle;
    }
    config = withLimit(config, kind, name, high / PARTS);
  }
  return config;
}

/** The least limits with which a kind may lead over a crossing; null: it can't. Of a vault, the height is the most there is. @param {LinkKind} kind @param {Crossing} crossing @param {LevelTrials} trials */
export const leastLimits = (kind, crossing, trials) => NEEDED[kind](wayOf(crossing), trials);

/** Limits with which a kind leads over a crossing, if it can; null: it can't. @param {LinkKind} kind @param {Crossing} crossing @param {LevelTrials} trials @returns {Limits | null} */
function wideLimits(kind, crossing, trials) {
  const { cellSize, cellHeight } = trials.config, needed = leastLimits(kind, crossing, trials);
  return needed && Object.fromEntries(Object.entries(needed).map(([name, value]) => [name, name.endsWith('Distance') ? ASKEW * value + 2 * cellSize : value + 2 * cellHeight]));
}

/**
 * Links whose limits lead over all of some crossings, if their kinds can.
 * @param {LinkConfig} links @param {readonly LinkKind[]} kinds @param {readonly Crossing[]} crossings @param {LevelTrials} trials @returns {LinkConfig}
 */
export function widened(links, kinds, crossings, trials) {
  let wide = links;
  for (const kind of kinds) {
    for (const crossing of crossings) {
      const limits = wideLimits(kind, crossing, trials);
      if (limits) wide = raise(wide, kind, limits);
    }
  }
  return wide;
}

/**
 * The links with which a kind leads over a crossing, with limits as low as possible; null: it doesn't lead there.
 * @param {LinkTrials} links @param {LinkConfig} config @param {LinkKind} kind @param {Crossing} crossing @param {LevelTrials} trials @returns {Link | null}
 */
export function findLink(links, config, kind, crossing, trials) {
  const limits = wideLimits(kind, crossing, trials);
  if (!limits) return null;
  const wide = raise(config, kind, limits);
  if (!links.linkWith(only(wide, kind), crossing)) return null;
  const lowest = lower(links, config, wide, kind, crossing, trials);
  const ends = links.linkWith(only(lowest, kind), crossing), changed = differences(config, lowest, kind);
  // A link within the limits would be there, if it weren't for other fields.
  return ends && changed.length > 0 ? { kind, config: lowest, ends, changed, raised: raiseOf(changed, trials) } : null;
}

/** How much limits are raised, world units. @param {readonly RaisedLimit[]} changed @param {LevelTrials} trials */
export const raiseOf = (changed, { config: { agentMaxClimb } }) => changed.reduce((sum, { name, before = isHeight(name) ? agentMaxClimb : 0, after }) => sum + after - before, 0);

/** The length of a jump, else the height. @param {Link} link */
export function figureOf({ kind, ends, config }) {
  const { distance, up } = wayOf(ends);
  return kind === 'jump' ? distance : kind === 'vault' ? Number(config.vault?.maxHeight) : Math.abs(up);
}

/** The change of links that raises limits of a kind. @param {LinkKind} linkKind @param {readonly RaisedLimit[]} changed @param {LinkConfig} links @returns {Change} */
export const linksChange = (linkKind, changed, links) => ({ kind: 'links', linkKind, limits: Object.fromEntries(changed.map(({ name, after }) => [name, after])), links });

/** The limits of a kind that differ. @param {LinkConfig} before @param {LinkConfig} after @param {LinkKind} kind @returns {RaisedLimit[]} */
export function differences(before, after, kind) {
  const [old, now] = [before, after].map((links) => /** @type {Limits} */ (links[kind] ?? {}));
  return Object.keys(now).filter((name) => name.startsWith('max') && now[name] !== old[name]).map((name) => ({ name, before: old[name], after: now[name] }));
}

/**
 * @param {LinkTrials} links @param {LinkConfig} config @param {LinkKind} kind @param {Crossing} crossing @param {LevelTrials} trials @param {readonly Change[]} others changes of the mesh
 * @param {(length: number | null) => boolean} isWorth of the length of the path @returns {LinkFound | null}
 */
function causeOf(links, config, kind, crossing, trials, others, isWorth) {
  const found = findLink(links, config, kind, crossing, trials);
  if (!found || !links.linkWith(found.config, crossing)) return null;
  const length = links.lengthWith(others);
  if (length === null || !isWorth(length)) return null;
  const figure = figureOf(found), { changed, raised } = found;
  return {
    kind: 'link', text: linkText(kind, { count: 1, figure }, config[kind] !== undefined, changed), point: found.ends.start, figure,
    changes: [linksChange(kind, changed, found.config)], crossing, length, raised,
  };
}

/**
 * The links that would open a way over one of some crossings: first of kinds that are on, then of those that are off.
 * @param {NavMesh} navMesh @param {LevelTrials} trials @param {PathAsked} path @param {readonly Crossing[]} crossings
 * @param {number | null} before length of the path; null: there is none @param {(length: number | null) => boolean} isWorth of the length with a link
 * @returns {Cause[]} at most one of each kind, the least raised limits first
 */
export function linkCauses(navMesh, trials, path, crossings, before, isWorth) {
  return findLinks(navMesh, trials, path, crossings, () => [], isWorth).map(({ crossing: _, length, raised: __, ...cause }) => ({
    ...cause, text: `${cause.text} ${changeText(cause.changes, true)}`, isVerified: true, saves: before === null ? null : before - length }));
}

/**
 * The same before the change is told, where other changes of the mesh are needed, too.
 * @param {NavMesh} navMesh @param {LevelTrials} trials @param {PathAsked} path @param {readonly Crossing[]} crossings
 * @param {(crossing: Crossing) => readonly Change[]} othersOf of switches and the filter @param {(length: number | null) => boolean} isWorth of the length of the path
 * @returns {LinkFound[]} at most one of each kind, the least raised limits first; kinds that are off last
 */
export function findLinks(navMesh, trials, path, crossings, othersOf, isWorth) {
  const own = ownLinks(navMesh, trials);
  const isOff = (/** @type {LinkKind} */ kind) => own[kind] === undefined;
  const points = crossings.flatMap(({ start, end }) => [start, end]);
  return withLinkTrials(navMesh, trials, path, points, widened(own, SEGMENT_LINK_KINDS, crossings, trials), (links) => SEGMENT_LINK_KINDS.flatMap((kind) => {
    for (const crossing of crossings) {
      const cause = causeOf(links, own, kind, crossing, trials, othersOf(crossing), isWorth);
      if (cause) return [{ kind, cause }];
    }
    return [];
  }).sort((a, b) => Number(isOff(a.kind)) - Number(isOff(b.kind)) || a.cause.raised - b.cause.raised).map(({ cause }) => cause)) ?? [];
}

/** The links of a level or its mesh. @param {NavMesh} navMesh @param {LevelTrials} trials @returns {LinkConfig} */
export const ownLinks = (navMesh, trials) => trials.given.links ?? navMesh.config?.links ?? {};

/**
 * Asks a copy of the mesh with the air of the level around some points.
 * @template T @param {NavMesh} navMesh @param {LevelTrials} trials @param {PathAsked} path @param {readonly Vector[]} points where links will be tried
 * @param {LinkConfig} widest links with all limits that will be tried @param {(links: LinkTrials) => T} ask @returns {T | null} null: links can't be tried there
 */
export function withLinkTrials(navMesh, trials, { start, end, options }, points, widest, ask) {
  const stored = navMesh.config, config = trials.given;
  const bounds = config.bounds ?? stored?.bounds;
  if (!bounds || points.length === 0) return null;
  let links;
  try {
    links = new LinkTrials(navMesh, trials, start, end, options, { ...config, bounds }, widest, points);
  } catch (error) {
    // Too large, or another grid than that of the mesh.
    if (error instanceof NavError && ['limit', 'state', 'configuration'].includes(error.code)) return null;
    throw error;
  }
  try {
    return ask(links);
  } finally {
    links.free();
  }
}
