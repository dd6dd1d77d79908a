/**
 * The way from start to end that needs the fewest changes, if every refused polygon could be entered, every one-way connection led both ways, and
 * missing tiles were ground. Dijkstra over polygons through the midpoints of links; each new blocker costs a penalty.
 *
 * Source: E. W. Dijkstra, "A note on two problems in connexion with graphs", 1959.
 */
import { placeAcross, placeKey } from './mesh-graph.js';
import { distanceOf } from './reach.js';

/** @typedef {import('../runtime/arguments.js').PolygonRef} PolygonRef */
/** @typedef {import('./mesh-graph.js').MeshGraph} MeshGraph */
/** @typedef {import('./mesh-graph.js').Vector} Vector */

/** What a step passes that the search doesn't. @typedef {{ key: string, point: Vector, polygon: PolygonRef } & ({ kind: 'polygon' | 'one-way' } | { kind: 'tile', x: number, z: number })} Blocker */
/** @typedef {{ id: number | string, cost: number, point: Vector, from: Visit | null, blocker: Blocker | null }} Visit id: a polygon, or a missing place */

/** A binary heap of visits, the cheapest at the top. */
class Queue {
  /** @type {Visit[]} */
  #items = [];

  /** @param {Visit} visit */
  push(visit) {
    const items = this.#items;
    let at = items.push(visit) - 1;
    for (let up; at > 0 && items[up = (at - 1) >> 1].cost > visit.cost; at = up) items[at] = items[up];
    items[at] = visit;
  }

  /** @returns {Visit | undefined} */
  pop() {
    const items = this.#items, top = items[0], last = items.pop();
    if (!last || items.length === 0) return top;
    let at = 0;
    for (let child; (child = 2 * at + 1) < items.length; at = child) {
      if (child + 1 < items.length && items[child + 1].cost < items[child].cost) child++;
      if (items[child].cost >= last.cost) break;
      items[at] = items[child];
    }
    items[at] = last;
    return top;
  }
}

/** Missing places, and the portal edges that lead into them. */
class MissingTiles {
  #graph;
  #present;
  #size;
  /** @type {Map<string, { polygon: PolygonRef, point: Vector }[]> | undefined} by place */
  #edges;

  /** @param {MeshGraph} graph @param {{ tileCountX: number, tileCountZ: number }} size */
  constructor(graph, size) {
    this.#graph = graph;
    this.#present = graph.places();
    this.#size = size;
  }

  /** @param {{ x: number, z: number }} place */
  isMissing(place) {
    const { tileCountX, tileCountZ } = this.#size;
    return place.x >= 0 && place.z >= 0 && place.x < tileCountX && place.z < tileCountZ && !this.#present.has(placeKey(place));
  }

  /** The missing places across the portal edges of a polygon that have no link. @param {PolygonRef} polygon */
  across(polygon) {
    return this.#graph.borders(polygon).flatMap(({ side, point }) => {
      const place = side === null ? null : placeAcross(this.#graph.tile(polygon), side);
      return place && this.isMissing(place) ? [{ place, point }] : [];
    });
  }

  /** The polygons whose portal edges lead into a missing place. @param {string} key of it */
  into(key) {
    const edges = this.#edges ??= this.#findEdges();
    return edges.get(key) ?? [];
  }

  #findEdges() {
    /** @type {Map<string, { polygon: PolygonRef, point: Vector }[]>} */
    const edges = new Map();
    for (const { ref, groundCount } of this.#graph.tiles()) {
      for (let p = 0; p < groundCount; p++) {
        for (const { place, point } of this.across(ref + p)) edges.set(placeKey(place), [...(edges.get(placeKey(place)) ?? []), { polygon: ref + p, point }]);
      }
    }
    return edges;
  }
}

/** @param {string} key @returns {{ x: number, z: number }} */
function placeOf(key) {
  const [x, z] = key.split(' ').map(Number);
  return { x, z };
}

/**
 * The blockers of the cheapest way, in its order; null: there is no way.
 * @param {MeshGraph} graph @param {{ tileCountX: number, tileCountZ: number }} size of the grid @param {{ polygon: PolygonRef, point: Vector }} start @param {{ polygon: PolygonRef, point: Vector }} end
 * @param {{ penalty: number, keyOf: (polygon: PolygonRef) => string | null, isUsable?: (key: string) => boolean }} options keyOf: of what keeps a search out of a polygon; null: nothing
 * @returns {Blocker[] | null}
 */
export function findBlockers(graph, size, start, end, { penalty, keyOf, isUsable = () => true }) {
  const missing = new MissingTiles(graph, size);
  const queue = new Queue();
  /** @type {Set<number | string>} */
  const done = new Set();
  const startKey = keyOf(start.polygon);
  if (startKey !== null && !isUsable(startKey)) return null;
  const startBlocker = startKey === null ? null : { kind: /** @type {const} */ ('polygon'), key: startKey, point: start.point, polygon: start.polygon };
  queue.push({ id: start.polygon, cost: 0, point: start.point, from: null, blocker: startBlocker });
  const step = (/** @type {Visit} */ from, /** @type {number | string} */ id, /** @type {Vector} */ point, /** @type {Blocker | null} */ blocker) => {
    if (done.has(id) || (blocker && !isUsable(blocker.key))) return;
    const isNew = blocker !== null && blocker.key !== from.blocker?.key;
    queue.push({ id, cost: from.cost + distanceOf(from.point, point) + (isNew ? penalty : 0), point, from, blocker });
  };
  for (let visit = queue.pop(); visit; visit = queue.pop()) {
    if (done.has(visit.id)) continue;
    done.add(visit.id);
    if (visit.id === end.polygon) return listBlockers(visit);
    for (const { id, point, blocker } of typeof visit.id === 'number' ? leave(graph, missing, visit.id, visit.blocker?.kind === 'one-way', keyOf) : leaveMissing(missing, visit, keyOf)) step(visit, id, point, blocker);
  }
  return null;
}

/** @typedef {Pick<Visit, 'id' | 'point' | 'blocker'>} Next */

/** @param {MeshGraph} graph @param {MissingTiles} missing @param {PolygonRef} polygon @param {boolean} isReversed a one-way connection or link is passed backwards @param {(polygon: PolygonRef) => string | null} keyOf @returns {Generator<Next, void, void>} */
function* leave(graph, missing, polygon, isReversed, keyOf) {
  if (isReversed && graph.isSegmentLink(polygon)) {
    for (const before of graph.leadingOnto(polygon)) {
      const key = keyOf(before), point = graph.steps(before).find(({ to }) => to === polygon)?.point ?? graph.middle(polygon);
      yield { id: before, point, blocker: key === null ? null : { kind: 'polygon', key, point, polygon: before } };
    }
    return;
  }
  for (const { to, point } of graph.steps(polygon)) {
    const key = keyOf(to);
    yield { id: to, point, blocker: key === null ? null : { kind: 'polygon', key, point, polygon: to } };
  }
  for (const connection of graph.endingAt(polygon)) {
    const point = graph.steps(connection).find(({ to }) => to === polygon)?.point ?? graph.middle(connection);
    yield { id: connection, point, blocker: { kind: 'one-way', key: `one-way ${connection}`, point, polygon: connection } };
  }
  for (const { place, point } of missing.across(polygon)) {
    yield { id: placeKey(place), point, blocker: { kind: 'tile', key: `tile ${placeKey(place)}`, point, polygon, ...place } };
  }
}

/** @param {MissingTiles} missing @param {Visit} visit @param {(polygon: PolygonRef) => string | null} keyOf @returns {Generator<Next, void, void>} */
function* leaveMissing(missing, { id, point }, keyOf) {
  const place = placeOf(/** @type {string} */ (id));
  for (const { polygon, point: edge } of missing.into(/** @type {string} */ (id))) {
    const key = keyOf(polygon);
    yield { id: polygon, point: edge, blocker: key === null ? null : { kind: 'polygon', key, point: edge, polygon } };
  }
  for (const side of [0, 2, 4, 6]) {
    const next = placeAcross(place, side);
    if (missing.isMissing(next)) yield { id: placeKey(next), point, blocker: { kind: 'tile', key: `tile ${placeKey(next)}`, point, polygon: 0, ...next } };
  }
}

/** @param {Visit} last @returns {Blocker[]} in the order of the way, each once */
function listBlockers(last) {
  /** @type {Map<string, Blocker>} */
  const found = new Map();
  for (let visit = /** @type {Visit | null} */ (last); visit; visit = visit.from) {
    if (!visit.blocker) continue;
    found.delete(visit.blocker.key);
    found.set(visit.blocker.key, visit.blocker);
  }
  return [...found.values()].reverse();
}
