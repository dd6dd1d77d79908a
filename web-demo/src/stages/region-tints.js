/** Colours for the regions of a tile, so that neighbours differ: as few as a map needs. Tiles alternate between two sets of them. */
import { BORDER_REGION } from './record.js';

/** @typedef {import('./record.js').TileRecord} TileRecord */
/** The neighbours of each region. @typedef {Map<number, Set<number>>} Graph */

/** Colours of a set. A graph without crossing lines never needs more, in the order of colorGraph. */
export const TINTS = 6;

/** @type {WeakMap<TileRecord, Map<number, number>>} */
const known = new WeakMap();

/** @param {Graph} graph @param {number} a @param {number} b */
function connect(graph, a, b) {
  graph.get(a)?.add(b);
  graph.get(b)?.add(a);
}

/**
 * The regions of a tile's own cells and their neighbours: those with floors beside each other, less than an agent apart.
 * @param {TileRecord} record @returns {Graph}
 */
export function neighboursOf({ frame: { width, depth, border, cellHeight }, config: { agentHeight }, open: { first, floor, regions } }) {
  /** @type {Graph} */
  const graph = new Map();
  const most = agentHeight / cellHeight;
  const isOwn = (/** @type {number} */ span) => regions[span] !== 0 && regions[span] < BORDER_REGION;
  for (let z = border; z < depth - border; z++) {
    for (let x = border; x < width - border; x++) {
      for (let span = first[x + z * width]; span < first[x + z * width + 1]; span++) {
        if (!isOwn(span)) continue;
        if (!graph.has(regions[span])) graph.set(regions[span], new Set());
        for (const cell of [...x > border ? [x - 1 + z * width] : [], ...z > border ? [x + (z - 1) * width] : []]) {
          for (let other = first[cell]; other < first[cell + 1]; other++) {
            if (isOwn(other) && regions[other] !== regions[span] && Math.abs(floor[other] - floor[span]) <= most) connect(graph, regions[span], regions[other]);
          }
        }
      }
    }
  }
  return graph;
}

/**
 * The regions in an order in which each has few neighbours before it: the one with the fewest left is the last of them. Cost: O(regions +
 * neighbours), with a list of the regions for each number of neighbours left.
 * @param {Graph} graph
 */
function orderOf(graph) {
  const left = new Map([...graph].map(([region, others]) => [region, others.size]));
  /** @type {number[][]} */
  const lists = [];
  const add = (/** @type {number} */ region, /** @type {number} */ count) => (lists[count] ??= []).push(region);
  for (const [region, count] of left) add(region, count);
  const order = [];
  for (let count = 0; count < lists.length; count++) {
    for (let region = lists[count]?.pop(); region !== undefined; region = lists[count]?.pop()) {
      if (left.get(region) !== count) continue; // it has moved to a shorter list, or is in the order
      left.delete(region);
      order.push(region);
      for (const other of graph.get(region) ?? []) {
        const rest = left.get(other);
        if (rest === undefined) continue;
        left.set(other, rest - 1);
        add(other, rest - 1);
        if (rest - 1 < count) count = rest - 1;
      }
    }
  }
  return order.reverse();
}

/** A colour for each region, 0 to TINTS - 1; neighbours differ, and all are used about as often. @param {Graph} graph @returns {Map<number, number>} */
export function colorGraph(graph) {
  const colors = new Map();
  const uses = new Uint32Array(TINTS);
  for (const region of orderOf(graph)) {
    const around = new Uint32Array(TINTS);
    for (const other of graph.get(region) ?? []) if (colors.has(other)) around[colors.get(other)]++;
    const best = [...around.keys()].reduce((a, b) => (around[b] < around[a] || (around[b] === around[a] && uses[b] < uses[a]) ? b : a));
    uses[best]++;
    colors.set(region, best);
  }
  return colors;
}

/**
 * The palette's value of a region: 0 for none, else 1 to 2 * TINTS.
 * @param {TileRecord} record @param {number} region
 */
export function regionValue(record, region) {
  if (region === 0) return 0;
  let colors = known.get(record);
  if (!colors) known.set(record, colors = colorGraph(neighboursOf(record)));
  return setOf(record) + ((colors.get(region) ?? region) + turnOf(record)) % TINTS;
}

/** Tiles of one set begin with different colours. @param {TileRecord} record */
const turnOf = ({ x, z }) => x + 2 * z;

/** The first value of a tile's set. @param {TileRecord} record */
const setOf = ({ x, z }) => 1 + TINTS * (x + z & 1);

/** The value of a polygon of several regions. @param {TileRecord} record @param {number} polygon */
export const polygonOnlyValue = (record, polygon) => setOf(record) + (polygon + turnOf(record)) % TINTS;
