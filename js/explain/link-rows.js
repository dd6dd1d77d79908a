/**
 * Links over several gaps or ledges, one after the other: terraces, stepping stones, a ravine. All links are made once with the highest limits;
 * where a way leads over them, it is the one for which limits must be raised least, and only its links are tried with lower limits.
 */
import { SEGMENT_LINK_KINDS } from '../runtime/link-kinds.js';
import { differences, figureOf, findLink, leastLimits, linksChange, ownLinks, raise, raiseOf, widened, withLinkTrials } from './link-causes.js';
import { rowOf } from './mesh-causes.js';
import { MeshGraph, between } from './mesh-graph.js';
import { distanceOf } from './reach.js';
import { linkText } from './words.js';

/** @typedef {import('../input/link-config.js').LinkConfig} LinkConfig */
/** @typedef {import('../mesh/mesh.js').NavMesh} NavMesh */
/** @typedef {import('../runtime/arguments.js').PolygonRef} PolygonRef */
/** @typedef {import('../runtime/link-kinds.js').LinkKind} LinkKind */
/** @typedef {import('./causes.js').Cause} Cause */
/** @typedef {import('./gaps.js').Crossing} Crossing */
/** @typedef {import('./level-trials.js').LevelTrials} LevelTrials */
/** @typedef {import('./link-causes.js').Link} Link */
/** @typedef {import('./link-causes.js').LinkTrials} LinkTrials */
/** @typedef {import('./link-causes.js').PathAsked} PathAsked */
/** @typedef {import('../mesh/segment-links.js').SegmentLink} SegmentLink */
/** @typedef {import('./mesh-graph.js').Vector} Vector */
/** A generated link over which a way leads, and how much limits are raised for it, steps of ALIKE. @typedef {{ ref: PolygonRef, kind: LinkKind, crossing: Crossing, raised: number }} Candidate */
/** A link of a way, the one before it, the most that limits are raised for one of them, and their number. @typedef {{ candidate: Candidate, before: Step | null, raised: number, count: number }} Step */

/** Limits that are raised by as many steps of this are raised alike, world units. */
const ALIKE = 0.1;

/** Most links whose lowest limits are looked for. */
const MOST_TRIED = 24;

/** By how many cells limits are raised further, one after the other. */
const SLACK = [0, 1, 2];

/** Crossings as long as is looked for, up, level and down. @param {number} longest world units @returns {Crossing[]} */
const longestCrossings = (longest) => [longest, 0, -longest].map((up) => ({ start: [0, 0, 0], end: [longest, up, 0], distance: longest }));

/** A point in each tile of a part of the mesh. @param {NavMesh} navMesh @param {readonly [number, number, number, number]} part lowest x and z, highest x and z @returns {Vector[]} */
function pointsIn({ parameters: { tileWidth, tileDepth } }, [minX, minZ, maxX, maxZ]) {
  const along = (/** @type {number} */ min, /** @type {number} */ max, /** @type {number} */ side) => [...Array.from({ length: Math.ceil((max - min) / side) }, (_, i) => min + i * side), max];
  return along(minX, maxX, tileWidth).flatMap((x) => along(minZ, maxZ, tileDepth).map((z) => /** @type {Vector} */ ([x, 0, z])));
}

/** The nearest points of a link's segments. @param {SegmentLink} link @returns {Crossing} */
function crossingOf({ start, end }) {
  const ends = [0, 0.5, 1].map((t) => ({ start: between(...start, t), end: between(...end, t) }));
  return ends.map((each) => ({ ...each, distance: distanceOf(each.start, each.end) })).reduce((best, each) => (each.distance < best.distance ? each : best));
}

/** @param {SegmentLink} link @param {Crossing} crossing in the direction of the way @param {LinkConfig} own @param {LevelTrials} trials @returns {Candidate} */
function candidateOf({ ref, kind, peak, byHand }, crossing, own, trials) {
  const { start, end } = crossing, limits = { ...leastLimits(kind, crossing, trials), ...(kind === 'vault' && { maxHeight: peak + Math.max(end[1] - start[1], 0) }) };
  const raised = byHand ? 0 : raiseOf(differences(own, raise(own, kind, limits), kind), trials);
  return { ref, kind, crossing, raised: Math.ceil(raised / ALIKE) };
}

/** The links of a mesh that a way may lead over. */
class Candidates {
  #navMesh;
  #own;
  #trials;
  /** Those that lead from start to end, and back. @type {[Map<PolygonRef, Candidate>, Map<PolygonRef, Candidate>]} */
  #known = [new Map(), new Map()];
  /** Those that don't count. @type {Set<Candidate>} */
  refused = new Set();

  /** @param {NavMesh} navMesh @param {LinkConfig} own @param {LevelTrials} trials */
  constructor(navMesh, own, trials) {
    this.#navMesh = navMesh;
    this.#own = own;
    this.#trials = trials;
  }

  /** A link that a way enters at a point; null: it doesn't count. @param {PolygonRef} ref @param {Vector} point */
  at(ref, point) {
    const link = this.#navMesh.segmentLink(ref), { start, end, distance } = crossingOf(link);
    const isBack = distanceOf(point, between(...link.end)) < distanceOf(point, between(...link.start)), known = this.#known[isBack ? 1 : 0];
    // Climbs that lead down have the limits of those that lead up.
    const crossing = isBack && link.kind !== 'climb' ? { start: end, end: start, distance } : { start, end, distance };
    const candidate = known.get(ref) ?? candidateOf(link, crossing, this.#own, this.#trials);
    known.set(ref, candidate);
    return this.refused.has(candidate) ? null : candidate;
  }
}

/**
 * The links of a way from one polygon to another: the fewest of those for which limits must be raised least; null: there is no way.
 * @param {MeshGraph} graph @param {(flags: number) => boolean} passes @param {PolygonRef} from @param {PolygonRef} to
 * @param {Candidates} candidates @returns {Candidate[] | null}
 */
function findWay(graph, passes, from, to, candidates) {
  const reached = new Set([from]);
  /** Links that lead on from reached ground, the first found first. @type {Step[]} */
  const open = [];
  /** @param {Step | null} step @returns {Candidate[]} */
  const listed = (step) => (step ? [...listed(step.before), step.candidate] : []);
  for (let step = /** @type {Step | null} */ (null), next = [from]; ;) {
    for (const polygon of next) {
      if (polygon === to) return listed(step);
      for (const { to: target, point } of graph.steps(polygon)) {
        if (reached.has(target) || !passes(graph.flags(target))) continue;
        reached.add(target);
        if (!graph.isSegmentLink(target)) next.push(target);
        else {
          const candidate = candidates.at(target, point);
          if (candidate) open.push({ candidate, before: step, raised: Math.max(candidate.raised, step?.raised ?? 0), count: (step?.count ?? 0) + 1 });
        }
      }
    }
    if (open.length === 0) return null;
    const least = open.reduce((best, { raised, count }, i) => (raised < open[best].raised || (raised === open[best].raised && count < open[best].count) ? i : best), 0);
    [step] = open.splice(least, 1);
    next = [...graph.targets(step.candidate.ref)].filter((target) => !reached.has(target) && passes(graph.flags(target)));
    for (const target of next) reached.add(target);
  }
}

/** The links of a way with the lowest limits, those whose limits are raised; null: none was found. @param {LinkTrials} links @param {LinkConfig} own @param {LevelTrials} trials @param {(flags: number) => boolean} passes @returns {Link[] | null} */
function findLinks(links, own, trials, passes) {
  const { navMesh } = links, { start, end } = links.path();
  if (!start || !end) return null;
  const graph = new MeshGraph(navMesh), candidates = new Candidates(navMesh, own, trials);
  /** @type {Map<Candidate, Link>} */
  const known = new Map();
  for (let tried = 0; tried < MOST_TRIED;) {
    const way = findWay(graph, passes, start.polygon, end.polygon, candidates);
    if (!way) return null;
    const raised = way.filter((candidate) => candidate.raised > 0), unknown = raised.filter((candidate) => !known.has(candidate));
    if (raised.length === 0) return null; // the level has the way: it differs from the mesh
    if (unknown.length === 0) return raised.map((candidate) => /** @type {Link} */ (known.get(candidate)));
    for (const candidate of unknown) {
      tried++;
      const link = findLink(links, own, candidate.kind, candidate.crossing, trials);
      if (link) known.set(candidate, link);
      else candidates.refused.add(candidate);
    }
  }
  return null;
}

/**
 * The links over several gaps or ledges that together open a way, in a row: one cause for each kind whose limits are raised.
 * @param {NavMesh} navMesh @param {LevelTrials} trials @param {PathAsked} path @param {(flags: number) => boolean} passes
 * @param {number} longest of a link, world units @param {boolean} isOn true: only kinds that are on @returns {Cause[]} empty: none opens a way
 */
export function linkRow(navMesh, trials, path, passes, longest, isOn) {
  const own = ownLinks(navMesh, trials), kinds = SEGMENT_LINK_KINDS.filter((kind) => !isOn || own[kind] !== undefined);
  if (kinds.length === 0) return [];
  const widest = widened(own, kinds, longestCrossings(longest), trials);
  return withLinkTrials(navMesh, trials, path, pointsIn(navMesh, trials.part), widest, (links) => {
    if (links.lengthOf(widest) === null) return [];
    const way = findLinks(links, own, trials, passes);
    return way && describe(links, own, way, trials);
  }) ?? [];
}

/**
 * The links with which all links of a way are made, and the length of the path with them; null: there is none.
 * @param {LinkTrials} links @param {LinkConfig} own @param {readonly Link[]} way @param {number} cellSize
 */
function findRaised(links, own, way, cellSize) {
  let raised = own;
  // A link is made between positions a cell apart: it may need more than the crossing on which it was tried.
  for (const cells of SLACK) {
    raised = way.reduce((config, { kind, changed }) => raise(config, kind, Object.fromEntries(changed.map(({ name, after }) => [name, after + cells * cellSize]))), own);
    const length = links.lengthOf(raised);
    if (length !== null) return leaveOut(links, own, raised, length);
  }
  return { raised, length: null };
}

/** Leaves out kinds that aren't needed: climbs lead down, too, where no drop does. @param {LinkTrials} links @param {LinkConfig} own @param {LinkConfig} all with which there is a path @param {number} ofAll its length */
function leaveOut(links, own, all, ofAll) {
  let [raised, length] = [all, ofAll];
  for (const kind of SEGMENT_LINK_KINDS.filter((each) => differences(own, all, each).length > 0)) {
    const fewer = { ...raised, [kind]: own[kind] }, ofFewer = links.lengthOf(fewer);
    if (ofFewer !== null) [raised, length] = [fewer, ofFewer];
  }
  return { raised, length };
}

/** The causes of a way: all its links are tried together. @param {LinkTrials} links @param {LinkConfig} own @param {readonly Link[]} way @param {LevelTrials} trials @returns {Cause[]} */
function describe(links, own, way, { config: { cellSize } }) {
  const { raised, length } = findRaised(links, own, way, cellSize);
  if (length === null) return [];
  const kinds = [...new Set(way.map(({ kind }) => kind))].filter((kind) => differences(own, raised, kind).length > 0);
  const causes = kinds.map((kind) => {
    const ofKind = way.filter((link) => link.kind === kind), figure = Math.max(...ofKind.map(figureOf)), changed = differences(own, raised, kind);
    return {
      kind: /** @type {const} */ ('link'), text: linkText(kind, { count: ofKind.length, figure }, own[kind] !== undefined, changed), point: ofKind[0].ends.start, figure,
      changes: [linksChange(kind, changed, raised)],
    };
  });
  return rowOf(causes, causes.flatMap(({ changes }) => changes), length, null);
}
