/**
 * Links that would open a way: a kind that is off, or a limit that is too low. Made and tried on a copy of the mesh, with the air of the
 * level around the gap.
 */
import { keepAirByStages } from '../bake/bake-tile.js';
import { Baker } from '../bake/baker.js';
import { LinkGenerator } from '../bake/link-generator.js';
import { requireSameGrid } from '../bake/rebake.js';
import { NavError } from '../runtime/errors.js';
import { SEGMENT_LINK_KINDS } from '../runtime/link-kinds.js';
import { copyMesh } from './causes.js';
import { MOST_CELLS } from './level-trials.js';
import { across } from './reach.js';
import { linkText, linksChangeText } from './words.js';

/** @typedef {import('../input/link-config.js').LinkConfig} LinkConfig */
/** @typedef {import('../mesh/mesh.js').NavMesh} NavMesh */
/** @typedef {import('../query/find-path.js').PathOptions} PathOptions */
/** @typedef {import('../runtime/link-kinds.js').LinkKind} LinkKind */
/** @typedef {import('./causes.js').Cause} Cause */
/** @typedef {import('./gaps.js').Crossing} Crossing */
/** @typedef {import('./level-trials.js').LevelTrials} LevelTrials */
/** @typedef {import('./mesh-graph.js').Vector} Vector */
/** Limits of one kind, by field. @typedef {Record<string, number>} Limits */
/** @typedef {{ x: number, z: number }} TilePlace */
/** @typedef {{ distance: number, up: number }} Way from take-off to landing, world units */
/** @typedef {{ start: Vector, end: Vector }} Ends */

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

/** Rounded up to a hundredth; float32 isn't finer. @param {number} value */
const roundUp = (value) => Math.ceil(100 * value - 0.01) / 100;

/** A copy of a mesh with the air of its level, on which links are tried. */
class LinkTrials {
  #trials;
  #options;
  #ends;
  #copy;
  #generator;
  /** @type {TilePlace[]} */
  #places;

  /**
   * @param {NavMesh} navMesh @param {LevelTrials} trials @param {Vector} start @param {Vector} end of the path @param {PathOptions} options
   * @param {import('../input/config.js').Config} config of the mesh, with bounds @param {LinkConfig} widest links with all limits that will be tried
   * @param {readonly Crossing[]} crossings
   */
  constructor(navMesh, trials, start, end, options, config, widest, crossings) {
    this.#trials = trials;
    this.#options = { ...options, maxNodes: 0 };
    this.#ends = { start, end };
    this.#copy = copyMesh(navMesh);
    try {
      this.#generator = new LinkGenerator(this.#copy, { ...config, links: widest }, trials.geometry.volumes);
      this.#places = this.#generator.affectedBy(crossings.flatMap((crossing) => [crossing.start, crossing.end]).map((point) => this.#placeOf(point)));
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

  /** True if the path is found with the links that the generator was configured for last. */
  opens() {
    const steps = this.#generator.run(this.#places);
    while (!steps.next().done);
    return this.#copy.findPath(this.#ends.start, this.#ends.end, this.#options).status === 'complete';
  }

  free() {
    this.#copy.free();
  }
}

/** Links with the limits of one kind raised where they are lower. @param {LinkConfig} links @param {LinkKind} kind @param {Limits} limits @returns {LinkConfig} */
function raise(links, kind, limits) {
  const before = /** @type {Limits} */ (links[kind] ?? {});
  const raised = Object.fromEntries(Object.entries(limits).map(([name, value]) => [name, Math.max(before[name] ?? 0, roundUp(value))]));
  return { ...links, [kind]: { ...before, ...raised } };
}

/** Only one kind of the links. @param {LinkConfig} links @param {LinkKind} kind @returns {LinkConfig} */
const only = ({ minWidth, minSaving, thinning, ...kinds }, kind) => (
  { ...(minWidth !== undefined && { minWidth }), ...(minSaving !== undefined && { minSaving }), ...(thinning !== undefined && { thinning }), [kind]: kinds[kind] });

/** The smallest height of vaults over a crossing, world units. @param {LinkTrials} links @param {LinkConfig} config @param {Crossing} crossing @param {LevelTrials} trials */
function vaultHeight(links, config, crossing, { config: { agentMaxClimb, agentHeight, cellHeight } }) {
  let [low, high] = [Math.floor(agentMaxClimb / cellHeight) + 1, Math.ceil(agentHeight / cellHeight)];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (links.linkWith(only(raise({ ...config, vault: undefined }, 'vault', { maxHeight: middle * cellHeight, maxDepth: Number(config.vault?.maxDepth) }), 'vault'), crossing)) high = middle;
    else low = middle + 1;
  }
  return high * cellHeight;
}

/**
 * The links with which a kind leads over a crossing, with limits as low as possible; null: it doesn't lead there.
 * @param {LinkTrials} links @param {LinkConfig} config @param {LinkKind} kind @param {Crossing} crossing @param {LevelTrials} trials
 * @returns {{ config: LinkConfig, ends: Ends, limits: Limits } | null}
 */
function findLink(links, config, kind, crossing, trials) {
  const { cellSize, cellHeight } = trials.config;
  const needed = NEEDED[kind](wayOf(crossing), trials);
  if (!needed) return null;
  const wide = raise(config, kind, Object.fromEntries(Object.entries(needed).map(([name, value]) => [name, value + (name.endsWith('Distance') ? 2 * cellSize : 2 * cellHeight)])));
  const ends = links.linkWith(only(wide, kind), crossing);
  if (!ends) return null;
  const limits = { .../** @type {Limits} */ (NEEDED[kind](wayOf(ends), trials) ?? needed) };
  if (kind === 'vault') limits.maxHeight = vaultHeight(links, wide, crossing, trials);
  // Heights of cells may be one or two higher than those of the mesh.
  const tight = [0, 1, 2].map((cells) => raise(config, kind, Object.fromEntries(Object.entries(limits).map(([name, value]) => (
    [name, value + cells * (name.endsWith('Distance') || name.endsWith('Depth') ? cellSize / 2 : cellHeight)])))));
  return { config: tight.find((each) => links.linkWith(only(each, kind), crossing)) ?? wide, ends, limits };
}

/** The limits of a kind that differ. @param {LinkConfig} before @param {LinkConfig} after @param {LinkKind} kind @returns {{ name: string, before: number | undefined, after: number }[]} */
function differences(before, after, kind) {
  const [old, now] = [before, after].map((links) => /** @type {Limits} */ (links[kind] ?? {}));
  return Object.keys(now).filter((name) => name.startsWith('max') && now[name] !== old[name]).map((name) => ({ name, before: old[name], after: now[name] }));
}

/** @param {LinkTrials} links @param {LinkConfig} config @param {LinkKind} kind @param {Crossing} crossing @param {LevelTrials} trials @returns {Cause | null} */
function causeOf(links, config, kind, crossing, trials) {
  const found = findLink(links, config, kind, crossing, trials);
  if (!found) return null;
  const changed = differences(config, found.config, kind);
  if (changed.length === 0 || !links.linkWith(found.config, crossing) || !links.opens()) return null;
  const { distance, up } = wayOf(found.ends);
  const figure = kind === 'jump' ? distance : kind === 'vault' ? found.limits.maxHeight : Math.abs(up);
  return {
    kind: 'link', text: `${linkText(kind, figure, config[kind] !== undefined, changed)} ${linksChangeText(kind, changed)}`, point: found.ends.start, figure,
    changes: [{ kind: 'links', linkKind: kind, links: found.config }], isVerified: true, saves: null,
  };
}

/**
 * The links that would open a way over one of some crossings: first of kinds that are on, then of those that are off.
 * @param {NavMesh} navMesh @param {LevelTrials} trials @param {{ start: Vector, end: Vector, options: PathOptions }} path @param {readonly Crossing[]} crossings
 * @returns {Cause[]} at most one of each kind
 */
export function linkCauses(navMesh, trials, { start, end, options }, crossings) {
  const stored = navMesh.config, config = trials.given;
  const bounds = config.bounds ?? stored?.bounds;
  if (!bounds || crossings.length === 0) return [];
  const own = config.links ?? stored?.links ?? {};
  const widest = SEGMENT_LINK_KINDS.reduce((all, kind) => crossings.reduce((links, crossing) => {
    const needed = NEEDED[kind](wayOf(crossing), trials);
    return needed ? raise(links, kind, Object.fromEntries(Object.entries(needed).map(([name, value]) => [name, value + 2 * trials.config.cellSize]))) : links;
  }, all), own);
  let links;
  try {
    links = new LinkTrials(navMesh, trials, start, end, options, { ...config, bounds }, widest, crossings);
  } catch (error) {
    // Too large, or another grid than that of the mesh.
    if (error instanceof NavError && ['limit', 'state', 'configuration'].includes(error.code)) return [];
    throw error;
  }
  try {
    /** @type {Cause[]} */
    const causes = [];
    for (const kind of [...SEGMENT_LINK_KINDS].sort((a, b) => Number(own[b] !== undefined) - Number(own[a] !== undefined))) {
      for (const crossing of crossings) {
        const cause = causeOf(links, own, kind, crossing, trials);
        if (!cause) continue;
        causes.push(cause);
        break;
      }
    }
    return causes;
  } finally {
    links.free();
  }
}
