/**
 * Contours in the plainest form, to explain why two bakes differ: traced, simplified and joined to their
 * holes from the dumped compact heightfield, areas and regions. Slow and independent of src/bake.
 *
 * Two switches reproduce the peer instead of us. `slip`: when the peer joins hole number h to its outline, it
 * leaves out of the crossing test the two outline edges at the vertex in slot h of its candidate list, although
 * the slot of the current candidate was meant; slots keep the values of earlier attempts. `sort`: the sort that
 * orders candidates of equal distance (sorting.js).
 */

import { stableSort } from './sorting.js';

const f = Math.fround;
const STEP_LIMIT = 39999;
const BORDER = 0x8000;
const AREA_BIT = 0x20000;
const CORNER_BIT = 0x10000;
const OFFSET_X = [-1, 0, 1, 0];
const OFFSET_Z = [0, 1, 0, -1];

/** A compact heightfield from its dumps. */
export class Field {
  /**
   * @param {number} width @param {number} depth
   * @param {Uint8Array} compact dump @param {Uint8Array} areas @param {Uint8Array} regions dump
   */
  constructor(width, depth, compact, areas, regions) {
    const view = new DataView(compact.buffer, compact.byteOffset, compact.byteLength);
    const cellCount = width * depth;
    const spanCount = areas.length;
    Object.assign(this, { width, depth, areas, spanCount });
    this.first = Uint32Array.from({ length: cellCount }, (_, cell) => view.getUint32(cell * 8, true));
    this.count = Uint32Array.from({ length: cellCount }, (_, cell) => view.getUint32(cell * 8 + 4, true));
    const at = (span) => cellCount * 8 + span * 9;
    this.floor = Uint16Array.from({ length: spanCount }, (_, span) => view.getUint16(at(span), true));
    this.links = Uint32Array.from({ length: spanCount }, (_, span) => view.getUint32(at(span) + 4, true));
    this.cell = new Uint32Array(spanCount);
    for (let cell = 0; cell < cellCount; cell++) {
      this.cell.fill(cell, this.first[cell], this.first[cell] + this.count[cell]);
    }
    this.regions = new Uint16Array(regions.slice().buffer);
  }

  /** @returns {number} the span across direction d, or -1 */
  neighbour(span, d) {
    const link = (this.links[span] >>> (6 * d)) & 63;
    if (link === 63) return -1;
    return this.first[this.cell[span] + OFFSET_X[d] + OFFSET_Z[d] * this.width] + link;
  }

  regionAcross(span, d) {
    const next = this.neighbour(span, d);
    return next < 0 ? 0 : this.regions[next];
  }
}

/**
 * @param {Field} field
 * @param {{maxError: number, maxEdgeCells: number, borderSize: number}} settings
 * @param {{slip?: boolean, sort?: Function, unjoined?: Set<number>}} [variant] unjoined receives the regions
 *   with a hole that found no bridge
 * @returns {Uint8Array} in the layout of the contours dump
 */
export function contourOracle(field, settings, variant = {}) {
  const contours = traceAll(field)
    .map((contour) => ({ ...contour, points: simplify(contour.raw, settings) }))
    .filter((contour) => contour.points.length >= 3);
  for (const contour of contours) {
    contour.points = contour.points.map((point) => shiftPoint(point, settings.borderSize));
    contour.raw = contour.raw.map((point) => shiftPoint(point, settings.borderSize));
  }
  joinHoles(contours, { slip: false, sort: stableSort, unjoined: new Set(), ...variant });
  return contourBytes(contours);
}

function shiftPoint([x, y, z, code], border) {
  return [x - border, y, z - border, code];
}

function contourBytes(contours) {
  const size = contours.reduce((sum, c) => sum + 11 + 16 * (c.points.length + c.raw.length), 4);
  const view = new DataView(new ArrayBuffer(size));
  view.setUint32(0, contours.length, true);
  let at = 4;
  for (const contour of contours) {
    view.setUint16(at, contour.region, true);
    view.setUint8(at + 2, contour.area);
    at += 3;
    for (const points of [contour.points, contour.raw]) {
      view.setUint32(at, points.length, true);
      at += 4;
      for (const value of points.flat()) {
        view.setInt32(at, value, true);
        at += 4;
      }
    }
  }
  return new Uint8Array(view.buffer);
}

// ---- Tracing -----------------------------------------------------------------------------------------------

function traceAll(field) {
  const bits = edgeBits(field);
  const contours = [];
  for (let span = 0; span < field.spanCount; span++) {
    if (bits[span] === 15) bits[span] = 0;
    if (bits[span] === 0) continue;
    const raw = traceOne(field, bits, span);
    contours.push({ region: field.regions[span], area: field.areas[span], raw });
  }
  return contours;
}

function edgeBits(field) {
  const bits = new Uint8Array(field.spanCount);
  for (let span = 0; span < field.spanCount; span++) {
    const region = field.regions[span];
    if (region === 0 || region & BORDER) continue;
    for (let d = 0; d < 4; d++) if (field.regionAcross(span, d) !== region) bits[span] |= 1 << d;
  }
  return bits;
}

function traceOne(field, bits, start) {
  const startDirection = [0, 1, 2, 3].find((d) => bits[start] & (1 << d));
  const points = [];
  let span = start;
  let d = startDirection;
  for (let step = 0; step < STEP_LIMIT; step++) {
    if (bits[span] & (1 << d)) {
      points.push(tracePoint(field, span, d, field.areas[start]));
      bits[span] &= ~(1 << d);
      d = (d + 1) & 3;
    } else {
      const next = field.neighbour(span, d);
      if (next < 0) break;
      span = next;
      d = (d + 3) & 3;
    }
    if (span === start && d === startDirection) break;
  }
  return points;
}

function tracePoint(field, span, d, area) {
  const cell = field.cell[span];
  const x = (cell % field.width) + [0, 1, 1, 0][d];
  const z = Math.floor(cell / field.width) + [1, 1, 0, 0][d];
  const { height, isCorner } = cornerAt(field, span, d);
  const next = field.neighbour(span, d);
  let code = field.regionAcross(span, d);
  if (isCorner) code |= CORNER_BIT;
  if (next >= 0 && field.areas[next] !== area) code |= AREA_BIT;
  return [x, height, z, code];
}

function cornerAt(field, span, d) {
  const e = (d + 1) & 3;
  const samples = [span, -1, -1, -1];
  let height = field.floor[span];
  const meet = (slot, from, direction) => {
    const next = field.neighbour(from, direction);
    if (next < 0) return;
    samples[slot] = next;
    height = Math.max(height, field.floor[next]);
  };
  meet(1, span, d);
  if (samples[1] >= 0) meet(2, samples[1], e);
  meet(3, span, e);
  if (samples[3] >= 0) meet(2, samples[3], d);
  const keys = samples.map((s) => (s < 0 ? 0 : field.regions[s] | (field.areas[s] << 16)));
  return { height, isCorner: isBorderCorner(keys) };
}

function isBorderCorner(keys) {
  if (keys.some((key) => key === 0)) return false;
  for (let i = 0; i < 4; i++) {
    const [a, b, c, e] = [keys[i], keys[(i + 1) & 3], keys[(i + 2) & 3], keys[(i + 3) & 3]];
    if (a === b && a & BORDER && !((c | e) & BORDER) && c >>> 16 === e >>> 16) return true;
  }
  return false;
}

// ---- Simplification ------------------------------------------------------------------------------------------

const regionOf = (code) => code & 0xffff;
const isAfter = (b, a) => b[0] > a[0] || (b[0] === a[0] && b[2] > a[2]);

function simplify(raw, { maxError, maxEdgeCells }) {
  const seeds = seedPoints(raw);
  const kept = new Set(seeds);
  const error = f(f(maxError) * f(maxError));
  seeds.forEach((a, i) => splitByError(raw, a, seeds[(i + 1) % seeds.length], error, kept));
  if (maxEdgeCells > 0) {
    const ordered = cyclicOrder(kept, seeds[0]);
    ordered.forEach((a, i) => splitByLength(raw, a, ordered[(i + 1) % ordered.length], maxEdgeCells, kept));
  }
  const points = cyclicOrder(kept, seeds[0]).map((index) => {
    const [x, y, z, code] = raw[index];
    const next = raw[(index + 1) % raw.length][3];
    return [x, y, z, (next & 0x2ffff) | (code & CORNER_BIT)];
  });
  return removeEqualNeighbours(points);
}

function seedPoints(raw) {
  const seeds = [];
  if (raw.some((point) => regionOf(point[3]) !== 0)) {
    raw.forEach((point, i) => {
      const next = raw[(i + 1) % raw.length];
      const differs = regionOf(point[3]) !== regionOf(next[3]) || (point[3] ^ next[3]) & AREA_BIT;
      if (differs) seeds.push(i);
    });
  }
  if (seeds.length > 0) return seeds;
  let [low, high] = [0, 0];
  raw.forEach((point, i) => {
    if (isAfter(raw[low], point)) low = i;
    if (isAfter(point, raw[high])) high = i;
  });
  return [low, high];
}

function cyclicOrder(kept, first) {
  const sorted = [...kept].sort((a, b) => a - b);
  const at = sorted.indexOf(first);
  return [...sorted.slice(at), ...sorted.slice(0, at)];
}

function splitByError(raw, a, b, limit, kept) {
  const n = raw.length;
  const upward = isAfter(raw[b], raw[a]);
  const step = upward ? 1 : n - 1;
  const [from, to] = upward ? [a, b] : [b, a];
  let index = (from + step) % n;
  const code = raw[index][3];
  if (regionOf(code) !== 0 && !(code & AREA_BIT)) return;
  let best = 0;
  let bestIndex = -1;
  for (; index !== to; index = (index + step) % n) {
    const distance = distanceToChord(raw[index], raw[from], raw[to]);
    if (distance > best) [best, bestIndex] = [distance, index];
  }
  if (bestIndex < 0 || !(best > limit)) return;
  kept.add(bestIndex);
  splitByError(raw, a, bestIndex, limit, kept);
  splitByError(raw, bestIndex, b, limit, kept);
}

function distanceToChord(point, p, q) {
  const ex = f(q[0] - p[0]);
  const ez = f(q[2] - p[2]);
  const length = f(f(ex * ex) + f(ez * ez));
  let t = f(f(ex * f(point[0] - p[0])) + f(ez * f(point[2] - p[2])));
  if (length > 0) t = f(t / length);
  t = t < 0 ? 0 : t > 1 ? 1 : t;
  const dx = f(f(p[0] + f(t * ex)) - point[0]);
  const dz = f(f(p[2] + f(t * ez)) - point[2]);
  return f(f(dx * dx) + f(dz * dz));
}

function splitByLength(raw, a, b, maxEdgeCells, kept) {
  const n = raw.length;
  if (regionOf(raw[(a + 1) % n][3]) !== 0) return;
  const dx = raw[b][0] - raw[a][0];
  const dz = raw[b][2] - raw[a][2];
  const count = b < a ? b + n - a : b - a;
  if (dx * dx + dz * dz <= maxEdgeCells * maxEdgeCells || count <= 1) return;
  const half = isAfter(raw[b], raw[a]) ? count >> 1 : (count + 1) >> 1;
  const middle = (a + half) % n;
  kept.add(middle);
  splitByLength(raw, a, middle, maxEdgeCells, kept);
  splitByLength(raw, middle, b, maxEdgeCells, kept);
}

function removeEqualNeighbours(points) {
  const out = [...points];
  for (let i = 0; i < out.length; i++) {
    const next = out[(i + 1) % out.length];
    if (out[i][0] === next[0] && out[i][2] === next[2]) out.splice(i, 1);
  }
  return out;
}

// ---- Holes -----------------------------------------------------------------------------------------------------

/** Twice the signed area of a ring on x and z; negative for holes. */
export function doubledArea(points) {
  return points.reduce((sum, p, i) => {
    const q = points[(i + points.length - 1) % points.length];
    return sum + p[0] * q[2] - q[0] * p[2];
  }, 0);
}

function joinHoles(contours, variant) {
  const regions = new Map();
  for (const contour of contours) {
    if (!regions.has(contour.region)) regions.set(contour.region, { outline: null, holes: [] });
    const region = regions.get(contour.region);
    if (doubledArea(contour.points) <= -3) region.holes.push(contour);
    else region.outline = contour;
  }
  for (const { outline, holes } of regions.values()) {
    if (outline !== null && holes.length > 0) joinRegion(outline, holes, variant);
  }
}

function joinRegion(outline, holes, { slip, sort, unjoined }) {
  const keyed = holes.map((contour) => ({ contour, key: leftmost(contour.points) }));
  sort(keyed, (a, b) => {
    const [p, q] = [a.contour.points[a.key], b.contour.points[b.key]];
    return p[0] - q[0] || p[2] - q[2];
  });
  const slots = [];
  keyed.forEach(({ contour, key }, number) => {
    const others = keyed.slice(number).map((other) => other.contour.points);
    const found = findBridge(outline.points, contour.points, key, others, slots, slip ? number : -1, sort);
    if (found) joinOne(outline, contour, found);
    else unjoined.add(outline.region);
  });
}

function leftmost(points) {
  let best = 0;
  points.forEach((point, i) => {
    if (isAfter(points[best], point)) best = i;
  });
  return best;
}

function findBridge(outline, hole, key, others, slots, slipNumber, sort) {
  for (let tried = 0; tried < hole.length; tried++) {
    const vertex = (key + tried) % hole.length;
    const point = hole[vertex];
    const candidates = [];
    outline.forEach((corner, j) => {
      if (!isInCone(outline, j, point)) return;
      candidates.push({ vertex: j, distance: (corner[0] - point[0]) ** 2 + (corner[2] - point[2]) ** 2 });
    });
    sort(candidates, (a, b) => a.distance - b.distance);
    candidates.forEach((candidate, k) => { slots[k] = candidate.vertex; });
    const ignored = slipNumber < 0 ? -1 : slots[slipNumber] ?? -1;
    const found = candidates.find(({ vertex: j }) =>
      !hitsLoop(outline, outline[j], point, ignored) &&
      !others.some((other) => hitsLoop(other, outline[j], point, -1)));
    if (found) return { outlineVertex: found.vertex, holeVertex: vertex };
  }
  return null;
}

function joinOne(outline, hole, { outlineVertex, holeVertex }) {
  const rotate = (points, at) => [...points.slice(at), ...points.slice(0, at), points[at]];
  outline.points = [...rotate(outline.points, outlineVertex), ...rotate(hole.points, holeVertex)];
  hole.points = [];
}

function turn(a, b, c) {
  return (b[0] - a[0]) * (c[2] - a[2]) - (c[0] - a[0]) * (b[2] - a[2]);
}

function isInCone(points, j, target) {
  const corner = points[j];
  const next = points[(j + 1) % points.length];
  const previous = points[(j + points.length - 1) % points.length];
  if (turn(previous, corner, next) <= 0) {
    return turn(corner, target, previous) < 0 && turn(target, corner, next) < 0;
  }
  return !(turn(corner, target, next) <= 0 && turn(target, corner, previous) <= 0);
}

function hitsLoop(points, q, p, ignoredVertex) {
  for (let i = 0; i < points.length; i++) {
    const next = (i + 1) % points.length;
    if (i === ignoredVertex || next === ignoredVertex) continue;
    const [a, b] = [points[i], points[next]];
    if (samePlace(a, p) || samePlace(a, q) || samePlace(b, p) || samePlace(b, q)) continue;
    if (segmentsMeet(q, p, a, b)) return true;
  }
  return false;
}

const samePlace = (a, b) => a[0] === b[0] && a[2] === b[2];

function segmentsMeet(a, b, c, d) {
  const [u, v] = [turn(a, b, c), turn(a, b, d)];
  const [s, t] = [turn(c, d, a), turn(c, d, b)];
  if (u !== 0 && v !== 0 && s !== 0 && t !== 0 && u < 0 !== v < 0 && s < 0 !== t < 0) return true;
  return (u === 0 && isWithin(a, b, c)) || (v === 0 && isWithin(a, b, d))
    || (s === 0 && isWithin(c, d, a)) || (t === 0 && isWithin(c, d, b));
}

/** True if p, collinear with ab, lies between a and b. */
function isWithin(a, b, p) {
  const axis = a[0] !== b[0] ? 0 : 2;
  return (a[axis] <= p[axis] && p[axis] <= b[axis]) || (a[axis] >= p[axis] && p[axis] >= b[axis]);
}
