/**
 * Links over several gaps or ledges, one after the other: terraces, stepping stones, a ravine. From the reached ground on, the nearest ground that a
 * link with higher limits leads to is added, until it is that of the end.
 */
import { SEGMENT_LINK_KINDS } from '../runtime/link-kinds.js';
import { differences, figureOf, findLink, linksChange, ownLinks, raise, withLinkTrials } from './link-causes.js';
import { rowOf } from './mesh-causes.js';
import { between } from './mesh-graph.js';
import { across, distanceOf, leadingFrom } from './reach.js';
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
/** @typedef {import('./mesh-graph.js').MeshGraph} MeshGraph */
/** @typedef {import('./mesh-graph.js').Vector} Vector */
/** A point on the border of a ground, and a polygon of it. @typedef {{ point: Vector, ground: PolygonRef }} BorderPoint */
/** The nearest points of two grounds. @typedef {{ a: BorderPoint, b: BorderPoint, distance: number }} Pair */
/** A link, and the one before it. @typedef {{ link: Link, before: Step | null }} Step */
/** @typedef {{ graph: MeshGraph, passes: (flags: number) => boolean, reached: Set<PolygonRef>, goal: Set<PolygonRef> }} Grounds */

/** Distance between samples of a border, and between pairs of the same grounds that count as different, world units. */
const [APART, SPREAD] = [0.5, 2];
/** Most samples of borders, pairs of two grounds, pairs in all, and links that are tried. */
const [MOST_POINTS, MOST_OF_TWO, MOST_PAIRS, MOST_TRIED] = [20_000, 3, 1000, 200];

/** By how many cells limits are raised further, one after the other. */
const SLACK = [0, 1, 2];

/** Samples of the borders of all grounds in a part of the mesh. @param {Grounds} grounds @param {readonly [number, number, number, number]} part lowest x and z, highest x and z @returns {BorderPoint[]} */
function samplesOf({ graph, passes }, [minX, minZ, maxX, maxZ]) {
  const isInPart = (/** @type {Vector} */ [x, , z]) => x >= minX && x <= maxX && z >= minZ && z <= maxZ;
  const known = new Set();
  /** @type {BorderPoint[]} */
  const samples = [];
  for (const { ref, groundCount, flags } of graph.tiles()) {
    for (let p = 0; p < groundCount; p++) {
      if (known.has(ref + p) || !passes(flags[p])) continue;
      for (const polygon of groundOf(graph, ref + p, passes)) {
        known.add(polygon);
        for (const { ends: [from, to] } of graph.borders(polygon)) {
          const count = Math.max(1, Math.ceil(across(from, to) / APART));
          for (let k = 0; k <= count; k++) {
            const point = between(from, to, k / count);
            if (isInPart(point)) samples.push({ point, ground: ref + p });
          }
        }
      }
      if (samples.length > MOST_POINTS) return [];
    }
  }
  return samples;
}

/** The polygons of one ground, without connections and links. @param {MeshGraph} graph @param {PolygonRef} start @param {(flags: number) => boolean} passes */
function groundOf(graph, start, passes) {
  const found = new Set([start]);
  for (const polygon of found) {
    for (const to of graph.targets(polygon)) if (!found.has(to) && !graph.isConnection(to) && passes(graph.flags(to))) found.add(to);
  }
  return found;
}

/** The nearest points of any two grounds, the nearest pair first. @param {readonly BorderPoint[]} samples @param {number} longest on x and z @returns {Pair[]} */
function pairsOf(samples, longest) {
  /** @type {Map<string, BorderPoint[]>} */
  const squares = new Map();
  const keyOf = (/** @type {number} */ x, /** @type {number} */ z) => `${x} ${z}`;
  for (const sample of samples) {
    const key = keyOf(...squareOf(sample.point, longest)), square = squares.get(key);
    if (square) square.push(sample);
    else squares.set(key, [sample]);
  }
  const pairs = samples.flatMap((a) => {
    /** The nearest point of each other ground. @type {Map<PolygonRef, Pair>} */
    const nearest = new Map(), [x, z] = squareOf(a.point, longest);
    for (let i = 0; i < 9; i++) {
      for (const b of squares.get(keyOf(x + i % 3 - 1, z + Math.floor(i / 3) - 1)) ?? []) {
        if (b.ground <= a.ground || across(a.point, b.point) > longest) continue;
        const distance = distanceOf(a.point, b.point);
        if (distance < (nearest.get(b.ground)?.distance ?? Infinity)) nearest.set(b.ground, { a, b, distance });
      }
    }
    return [...nearest.values()];
  });
  return thin(pairs.sort((one, other) => one.distance - other.distance));
}

/** @param {Vector} point @param {number} side @returns {[number, number]} */
const squareOf = ([x, , z], side) => [Math.floor(x / side), Math.floor(z / side)];

/** Few pairs of the same two grounds, some way from each other. @param {readonly Pair[]} pairs the nearest first @returns {Pair[]} */
function thin(pairs) {
  /** @type {Map<string, Pair[]>} */
  const kept = new Map();
  return pairs.filter((pair) => {
    const key = `${pair.a.ground} ${pair.b.ground}`, others = kept.get(key) ?? [];
    if (others.length === MOST_OF_TWO || others.some(({ a, b }) => distanceOf(a.point, pair.a.point) < SPREAD || distanceOf(b.point, pair.b.point) < SPREAD)) return false;
    kept.set(key, [...others, pair]);
    return true;
  }).slice(0, MOST_PAIRS);
}

/** The link over a crossing whose limits are raised least; null: none leads there. @param {LinkTrials} links @param {LinkConfig} config @param {readonly LinkKind[]} kinds @param {Crossing} crossing @param {LevelTrials} trials */
function cheapestLink(links, config, kinds, crossing, trials) {
  const found = kinds.flatMap((kind) => findLink(links, config, kind, crossing, trials) ?? []);
  return found.sort((a, b) => a.raised - b.raised)[0] ?? null;
}

/** The links that lead from the reached ground to that of the end; null: none were found. @param {Grounds} grounds @param {readonly Pair[]} pairs @param {(crossing: Crossing) => Link | null} findLinkOver @returns {Link[] | null} */
function findWay({ graph, passes, reached, goal }, pairs, findLinkOver) {
  /** The link through which each polygon was reached. @type {Map<PolygonRef, Step | null>} */
  const steps = new Map([...reached].map((polygon) => [polygon, null]));
  const tried = new Set();
  /** @param {Step} step @returns {Link[]} */
  const linksTo = (step) => [...(step.before ? linksTo(step.before) : []), step.link];
  for (let i = 0; i < pairs.length && tried.size < MOST_TRIED; i++) {
    const pair = pairs[i], [from, to] = steps.has(pair.a.ground) ? [pair.a, pair.b] : [pair.b, pair.a];
    if (!steps.has(from.ground) || steps.has(to.ground) || tried.has(pair)) continue;
    tried.add(pair);
    const link = findLinkOver({ start: from.point, end: to.point, distance: pair.distance });
    if (!link) continue;
    /** @type {Step} */
    const step = { link, before: steps.get(from.ground) ?? null };
    for (const polygon of leadingFrom(graph, to.ground, passes)) {
      if (goal.has(polygon)) return linksTo(step);
      if (!steps.has(polygon)) steps.set(polygon, step);
    }
    i = -1; // pairs of the new ground may be nearer than those that come next
  }
  return null;
}

/**
 * The links over several gaps or ledges that together open a way, in a row: one cause for each kind whose limits are raised.
 * @param {NavMesh} navMesh @param {LevelTrials} trials @param {PathAsked} path @param {Grounds} grounds
 * @param {number} longest of a crossing, world units on x and z @param {boolean} isOn true: only kinds that are on @returns {Cause[]} empty: none opens a way
 */
export function linkRow(navMesh, trials, path, grounds, longest, isOn) {
  const own = ownLinks(navMesh, trials), kinds = SEGMENT_LINK_KINDS.filter((kind) => !isOn || own[kind] !== undefined);
  if (kinds.length === 0) return [];
  const pairs = pairsOf(samplesOf(grounds, trials.part), longest);
  const crossings = pairs.flatMap(({ a, b, distance }) => [{ start: a.point, end: b.point, distance }, { start: b.point, end: a.point, distance }]);
  return withLinkTrials(navMesh, trials, path, crossings, kinds, (links) => {
    const way = findWay(grounds, pairs, (crossing) => cheapestLink(links, own, kinds, crossing, trials));
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
