/**
 * A second implementation of the queries on a MeshView (mesh-view.js), in plain loops over objects. It computes the cost of a
 * corridor of the peer, which the peer's API lacks, and shows which of the peer's limits causes a different result. Every
 * operation rounds to float32. Source of rules: M. Mononen, Detour (2009-).
 */

import { INSIDE } from './mesh-view.js';

const f = Math.fround;

/**
 * Moves along the surface: the peer's rules, with its limits, and ours, without limits and with edges on a tile's side open
 * only where a link exists (the peer treats them as open over their full length).
 */
export const PEER_WALK = { nodes: 64, queue: 48, neighbours: 8, isPartlyOpen: false };
export const OUR_WALK = { nodes: Infinity, queue: Infinity, neighbours: Infinity, isPartlyOpen: true };

export function passes(polygon, { includeFlags, excludeFlags }) {
  return (polygon.flags & includeFlags) !== 0 && (polygon.flags & excludeFlags) === 0;
}

export function distance(a, b) {
  const [x, y, z] = [f(b[0] - a[0]), f(b[1] - a[1]), f(b[2] - a[2])];
  return f(Math.sqrt(f(f(f(x * x) + f(y * y)) + f(z * z))));
}

export function distance2d(a, b) {
  return Math.hypot(b[0] - a[0], b[2] - a[2]);
}

function lerp(a, b, t) {
  return [0, 1, 2].map((axis) => f(a[axis] + f(f(b[axis] - a[axis]) * t)));
}

/** Squared distance on x and z from a point to an edge, and the parameter of the nearest point on the edge. */
export function edgeDistance(point, a, b) {
  const [ex, ez] = [f(b[0] - a[0]), f(b[2] - a[2])];
  const square = f(f(ex * ex) + f(ez * ez));
  let t = f(f(ex * f(point[0] - a[0])) + f(ez * f(point[2] - a[2])));
  if (square > 0) t = f(t / square);
  t = Math.min(1, Math.max(0, t));
  const [x, z] = [f(f(a[0] + f(t * ex)) - point[0]), f(f(a[2] + f(t * ez)) - point[2])];
  return { square: f(f(x * x) + f(z * z)), t };
}

/** True if a point is inside a polygon, by the even-odd rule on x and z. */
export function isInside({ vertices }, point) {
  let inside = false;
  for (let i = 0, j = vertices.length - 1; i < vertices.length; j = i++) {
    const [a, b] = [vertices[i], vertices[j]];
    if ((a[2] > point[2]) === (b[2] > point[2])) continue;
    const x = f(f(f(f(b[0] - a[0]) * f(point[2] - a[2])) / f(b[2] - a[2])) + a[0]);
    if (point[0] < x) inside = !inside;
  }
  return inside;
}

/**
 * The portal of a link. The peer uses the portal of the first link between two polygons for all their links (for a
 * connection that starts and ends on one polygon, and polygons that share two edges); ours is the link's own.
 */
export const FIRST_LINK = (from, { target }) => openingOf(from, from.links.find((link) => link.target === target), true);
export const OWN_LINK = (from, link) => openingOf(from, link, false);

/** Ends of a link's portal, or null if it has none. */
function openingOf(from, link, isFirst) {
  const to = link.target;
  if (from.isOffMesh) return [from.vertices[link.edge], from.vertices[link.edge]];
  if (to.isOffMesh) {
    const back = to.links.filter(({ target }) => target === from);
    const among = from.links.filter(({ target }) => target === to);
    // Starts are linked before ends, and the last link comes first: a single link onto the connection leads to its start.
    const edge = isFirst ? back[0]?.edge : among.length > 1 ? 1 - among.indexOf(link) : (back.find((one) => one.edge === 0) ?? back[0])?.edge;
    return edge === undefined ? null : [to.vertices[edge], to.vertices[edge]];
  }
  const [a, b] = [from.vertices[link.edge], from.vertices[(link.edge + 1) % from.vertices.length]];
  if (link.side === INSIDE || (link.low === 0 && link.high === 255)) return [a, b];
  const scale = f(1 / 255);
  return [lerp(a, b, f(link.low * scale)), lerp(a, b, f(link.high * scale))];
}

/** A binary heap that breaks ties like the peer's. */
class OpenList {
  items = [];

  push(node) {
    this.items.push(node);
    this.#rise(this.items.length - 1, node);
  }

  decrease(node) {
    this.#rise(this.items.indexOf(node), node);
  }

  pop() {
    const { items } = this;
    const root = items[0];
    const last = items.pop();
    if (items.length === 0) return root;
    let at = 0;
    for (let child = 1; child < items.length; child = 2 * at + 1) {
      if (child + 1 < items.length && items[child].total > items[child + 1].total) child++;
      items[at] = items[child];
      at = child;
    }
    this.#rise(at, last);
    return root;
  }

  #rise(from, node) {
    const { items } = this;
    let at = from;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!(items[parent].total > node.total)) break;
      items[at] = items[parent];
      at = parent;
    }
    items[at] = node;
  }
}

/** Ours: of equal totals the node that was inserted, or moved up, first is removed first. */
class OrderedList {
  items = [];
  #count = 0;

  push(node) {
    this.items.push(node);
    this.decrease(node);
  }

  decrease(node) {
    node.sequence = this.#count++;
  }

  pop() {
    const first = this.items.reduce((a, b) => (b.total < a.total || (b.total === a.total && b.sequence < a.sequence) ? b : a));
    this.items.splice(this.items.indexOf(first), 1);
    return first;
  }
}

/** The order in which equally expensive nodes are expanded. */
export const THEIR_ORDER = () => new OpenList();
export const OUR_ORDER = () => new OrderedList();

/**
 * The corridor from start to end.
 * @returns {{ polygons: object[], cost: number, isComplete: boolean, touched: object[] }} cost: also set within one polygon
 */
export function findCorridor(start, from, end, to, filter, openings = FIRST_LINK, order = THEIR_ORDER) {
  if (start === end) {
    return { polygons: [start], cost: f(distance(from, to) * f(filter.areaCosts[start.area])), isComplete: true, touched: [start] };
  }
  const estimate = f(0.999);
  const open = order();
  const nodes = new Map();
  const nodeOf = (polygon, state) => {
    const key = polygon.index * 4 + state;
    if (!nodes.has(key)) nodes.set(key, { polygon, isNew: true, isOpen: false, parent: null });
    return nodes.get(key);
  };
  const first = nodeOf(start, 0);
  const whole = f(distance(from, to) * estimate);
  Object.assign(first, { position: from, cost: 0, total: whole, isNew: false, isOpen: true });
  open.push(first);
  let [best, bestEstimate] = [first, whole];
  while (open.items.length > 0) {
    const current = open.pop();
    current.isOpen = false;
    if (current.polygon === end) {
      best = current;
      break;
    }
    for (const link of current.polygon.links) {
      const { target } = link;
      if (target === current.parent?.polygon || !passes(target, filter)) continue;
      const node = nodeOf(target, link.side === INSIDE ? 0 : link.side >> 1);
      if (node.isNew) {
        const portal = openings(current.polygon, link);
        if (portal === null) continue;
        node.position = [0, 1, 2].map((axis) => f(f(portal[0][axis] + portal[1][axis]) * 0.5));
      }
      let cost = f(current.cost + f(distance(current.position, node.position) * f(filter.areaCosts[current.polygon.area])));
      let left = 0;
      if (target === end) cost = f(cost + f(distance(node.position, to) * f(filter.areaCosts[target.area])));
      else left = f(distance(node.position, to) * estimate);
      const total = f(cost + left);
      if (!node.isNew && total >= node.total) continue;
      Object.assign(node, { parent: current, cost, total, isNew: false });
      if (node.isOpen) open.decrease(node);
      else open.push(node);
      node.isOpen = true;
      if (left < bestEstimate) [best, bestEstimate] = [node, left];
    }
  }
  const polygons = [];
  for (let node = best; node !== null; node = node.parent) polygons.unshift(node.polygon);
  return { polygons, cost: best.cost, isComplete: best.polygon === end, touched: [...nodes.values()].map((node) => node.polygon) };
}

/**
 * Polygons reached through edges that touch a circle, cheapest first.
 * @returns {Map<object, { cost: number, parent: object | null }>}
 */
export function floodCircle(start, centre, radius, filter, openings = FIRST_LINK) {
  const open = new OpenList();
  const nodes = new Map();
  const closed = new Map();
  const first = { polygon: start, position: centre, total: 0, parent: null };
  nodes.set(start, first);
  open.push(first);
  while (open.items.length > 0) {
    const current = open.pop();
    closed.set(current.polygon, { cost: current.total, parent: current.parent?.polygon ?? null });
    for (const link of current.polygon.links) {
      const { target } = link;
      if (target === current.parent?.polygon || !passes(target, filter) || closed.has(target)) continue;
      const portal = openings(current.polygon, link);
      if (portal === null || edgeDistance(centre, ...portal).square > f(radius * radius)) continue;
      const known = nodes.get(target);
      const node = known ?? { polygon: target, position: lerp(...portal, 0.5) };
      const total = f(current.total
        + f(distance(current.position, node.position) * f(filter.areaCosts[current.polygon.area])));
      if (known && total >= known.total) continue;
      node.parent = current;
      node.total = total;
      if (known) open.decrease(node);
      else open.push(node);
      nodes.set(target, node);
    }
  }
  return closed;
}

/** Links of an edge that pass the filter, except those onto off-mesh connections. */
function linksBehind(polygon, edge, filter) {
  return polygon.links.filter((link) => link.edge === edge && !link.target.isOffMesh && passes(link.target, filter));
}

/** Neighbours behind an edge that pass the filter, for moves along the surface. */
function neighboursBehind(polygon, edge, filter, limit) {
  const neighbour = polygon.neighbours[edge];
  if (neighbour === 0) return [];
  if ((neighbour & 0x8000) === 0) {
    const target = polygon.tile.polygons[neighbour - 1];
    return passes(target, filter) ? [target] : [];
  }
  return linksBehind(polygon, edge, filter).map(({ target }) => target).slice(0, limit);
}

/** The edge where a line leaves a polygon; -1: the line ends inside; null: the line misses the polygon. */
function clip(polygon, from, to) {
  const [dx, dz] = [f(to[0] - from[0]), f(to[2] - from[2])];
  let enter = 0;
  const leave = { t: 1, edge: -1 };
  for (const { edge, a, b } of edgesOf(polygon)) {
    const [ex, ez] = [f(b[0] - a[0]), f(b[2] - a[2])];
    const level = f(f(ez * f(from[0] - a[0])) - f(ex * f(from[2] - a[2])));
    const slope = f(f(dz * ex) - f(dx * ez));
    const t = f(level / slope);
    if (Math.abs(slope) < f(1e-6)) {
      if (level < 0) return null;
    } else if (slope < 0) enter = Math.max(enter, t);
    else if (t < leave.t) Object.assign(leave, { t, edge });
    if (enter > leave.t) return null;
  }
  return leave;
}

/** True if a line crosses an edge of a polygon at an open link. */
function isOpenAt(polygon, { edge, side, low, high }, from, to, t) {
  if (side === INSIDE || (low === 0 && high === 255)) return true;
  const axis = side & 2 ? 0 : 2;
  const [a, b] = [polygon.vertices[edge], polygon.vertices[(edge + 1) % polygon.vertices.length]];
  const ends = [low, high].map((share) => f(a[axis] + f(f(b[axis] - a[axis]) * f(share * f(1 / 255)))));
  const at = f(from[axis] + f(f(to[axis] - from[axis]) * t));
  return at >= Math.min(...ends) && at <= Math.max(...ends);
}

/**
 * A ray by the peer's rules. The next polygon depends on the current one alone: if it repeats, the ray loops for ever.
 * @returns {{ t: number, polygons: object[], isEndless: boolean }} polygons: each one once
 */
export function followRay(start, from, to, filter) {
  const polygons = new Set();
  let [t, current] = [0, start];
  while (current && !polygons.has(current)) {
    const leave = clip(current, from, to);
    if (leave === null) break;
    t = Math.max(t, leave.t);
    polygons.add(current);
    current = linksBehind(current, leave.edge, filter).find((link) => isOpenAt(current, link, from, to, leave.t))?.target;
  }
  return { t, polygons: [...polygons], isEndless: current !== undefined && polygons.has(current) };
}

/** Edges in the order in which moves visit them. */
export function edgesOf(polygon) {
  const count = polygon.vertices.length;
  return polygon.vertices.map((_, i) => {
    const edge = (i + count - 1) % count;
    return { edge, a: polygon.vertices[edge], b: polygon.vertices[(edge + 1) % count] };
  });
}

/** The end of a move from `from` towards `to`. @returns {{ point: number[], visited: object[] }} */
export function moveAlong(start, from, to, filter, rules) {
  const middle = lerp(from, to, 0.5);
  const radius = f(f(distance(from, to) / 2) + f(0.001));
  const parents = new Map([[start, null]]);
  const touched = new Set([start]);
  let [best, bestSquare, bestPolygon] = [from, Infinity, null];
  const queue = [start];
  const tryWall = (polygon, a, b) => {
    const { square, t } = edgeDistance(to, a, b);
    if (square < bestSquare) [best, bestSquare, bestPolygon] = [lerp(a, b, t), square, polygon];
  };
  const enter = (current, target, [a, b]) => {
    if (!touched.has(target) && touched.size >= rules.nodes) return;
    touched.add(target);
    if (parents.has(target) || edgeDistance(middle, a, b).square > f(radius * radius)) return;
    if (queue.length >= rules.queue) return;
    parents.set(target, current);
    queue.push(target);
  };
  while (queue.length > 0) {
    const current = queue.shift();
    if (isInside(current, to)) {
      [best, bestPolygon] = [to, current];
      break;
    }
    for (const { edge, a, b } of edgesOf(current)) {
      const behind = neighboursBehind(current, edge, filter, rules.neighbours);
      const isPartlyOpen = rules.isPartlyOpen && (current.neighbours[edge] & 0x8000) !== 0;
      const openings = isPartlyOpen ? linksBehind(current, edge, filter).map((link) => OWN_LINK(current, link)) : [];
      behind.forEach((target, i) => enter(current, target, openings[i] ?? [a, b]));
      if (behind.length === 0) tryWall(current, a, b);
      else if (isPartlyOpen) {
        for (const [low, high] of closedParts(current, edge, filter)) {
          tryWall(current, lerp(a, b, f(low / 255)), lerp(a, b, f(high / 255)));
        }
      }
    }
  }
  const visited = [];
  for (let polygon = bestPolygon; polygon; polygon = parents.get(polygon)) visited.unshift(polygon);
  return { point: best, visited };
}

/**
 * Distances to all walls of the polygons that are reached through edges within `radius`; the parts of an edge without a
 * passable link are walls.
 * @returns {number[]}
 */
export function wallsWithin(start, centre, radius, filter) {
  const seen = new Set([start]);
  const queue = [start];
  const distances = [];
  while (queue.length > 0) {
    const current = queue.pop();
    for (const { edge, a, b } of edgesOf(current)) {
      for (const [low, high] of closedParts(current, edge, filter)) {
        distances.push(Math.sqrt(edgeDistance(centre, lerp(a, b, f(low / 255)), lerp(a, b, f(high / 255))).square));
      }
      const isOnSide = (current.neighbours[edge] & 0x8000) !== 0;
      const ways = isOnSide ? linksBehind(current, edge, filter).map((link) => [link.target, OWN_LINK(current, link)])
        : neighboursBehind(current, edge, filter, Infinity).map((target) => [target, [a, b]]);
      for (const [target, opening] of ways) {
        if (seen.has(target) || edgeDistance(centre, ...opening).square > f(radius * radius)) continue;
        seen.add(target);
        queue.push(target);
      }
    }
  }
  return distances;
}

/** Ranges of an edge, in 255ths, that no passing link covers. */
export function closedParts(polygon, edge, filter) {
  const neighbour = polygon.neighbours[edge];
  if ((neighbour & 0x8000) === 0) {
    return neighboursBehind(polygon, edge, filter, Infinity).length > 0 ? [] : [[0, 255]];
  }
  const open = linksBehind(polygon, edge, filter)
    .map(({ low, high }) => [Math.min(low, high), Math.max(low, high)]).sort((p, q) => p[0] - q[0]);
  const closed = [];
  let at = 0;
  for (const [low, high] of open) {
    if (low > at) closed.push([at, low]);
    at = Math.max(at, high);
  }
  if (at < 255) closed.push([at, 255]);
  return closed;
}

/** The largest number of targets that an edge of a polygon has in one tile. */
export function mostTargets(polygon) {
  const counts = new Map();
  for (const link of polygon.links) {
    if (link.edge === 255) continue;
    const key = `${link.edge} ${link.target.tile.x} ${link.target.tile.z} ${link.target.tile.layer}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return Math.max(0, ...counts.values());
}
