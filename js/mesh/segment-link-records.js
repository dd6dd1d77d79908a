/**
 * The records of segment links in the module's memory (WmSegmentLink): packs links that users add, and reads those of a mesh into
 * arrays and objects. The methods of SegmentLinkEdits (segment-links.js) call it; Node loads it when one of them is first called.
 */
import { readPoint, readReference } from '../runtime/results.js';
import { isRecord, numbersOfPoint, requireAmount, requireBoolean, requireCount, requireName, requireNumbers, requireOptions, requireReference } from '../runtime/arguments.js';
import { SEGMENT_LINK_KINDS } from '../runtime/link-kinds.js';
import { describe, invalidArgument } from '../runtime/errors.js';
import { NAV_MESH } from '../runtime/handle-kinds.js';
import { nameSet } from '../runtime/option-names.js';
import { lookUp } from '../runtime/handle.js';
import { warnOfLooseEnds } from './connections.js';
import { WmLinkOff, WmMeshParameters, WmSegmentLink } from '../runtime/layout.js';

/** @typedef {import('../runtime/arguments.js').PolygonRef} PolygonRef */
/** @typedef {import('../runtime/session.js').Session} Session */
/** @typedef {import('../runtime/link-kinds.js').LinkKind} LinkKind */
/** @typedef {import('./segment-links.js').DisabledLinkPlace} DisabledLinkPlace */
/** @typedef {import('./segment-links.js').PathLink} PathLink */
/** @typedef {import('./segment-links.js').SegmentLink} SegmentLink */
/** @typedef {import('./segment-links.js').SegmentLinkEdits} NavMesh */
/** @typedef {import('./segment-links.js').SegmentLinkOptions} SegmentLinkOptions */
/** @typedef {import('./segment-links.js').SegmentLinks} SegmentLinks */
/** @typedef {[number, number, number]} Vector */

const LINK_NAMES = nameSet(/** @satisfies {import('../runtime/option-names.js').Names<SegmentLinkOptions>} */ (
  { kind: 1, start: 1, end: 1, width: 1, peak: 1, cost: 1, area: 1, flags: 1, userId: 1, bidirectional: 1, enabled: 1 }));
const PLACE_NAMES = nameSet(/** @satisfies {import('../runtime/option-names.js').Names<DisabledLinkPlace>} */ ({ kind: 1, start: 1, end: 1 }));

/** WM_NEW_LINK_SET: a number that no set of the place has. */
const NEW_SET = 0xffffffff;
/** Words of a WmSegmentLink; TIED_AT is behind it in the result. */
const { words: LINK_WORDS, start: START_AT, end: END_AT, peak: PEAK_AT, cost: COST_AT, userId: USER_ID_AT, words: TIED_AT } = WmSegmentLink;
const LINK_BYTES = 4 * LINK_WORDS;
const [FLAGS_BYTE, AREA_BYTE, KIND_BYTE, TWO_WAY_BYTE, ENABLED_BYTE] = [WmSegmentLink.flags, WmSegmentLink.area, WmSegmentLink.kind,
  WmSegmentLink.bidirectional, WmSegmentLink.enabled].map((word) => 4 * word);

/** The width on x and z of a segment. @param {ArrayLike<number>} f32 @param {number} at its first number */
const widthOf = (f32, at) => Math.fround(Math.hypot(f32[at + 3] - f32[at], f32[at + 5] - f32[at + 2]));

/** A point of three numbers at a word. @param {Float32Array} f32 @param {number} at */
function pointAt(f32, at) {
  const point = /** @type {Vector} */ ([0, 0, 0]);
  readPoint(f32, at, point);
  return point;
}

/** @param {Float32Array} f32 @param {number} at @returns {[Vector, Vector]} */
const segmentAt = (f32, at) => [pointAt(f32, at), pointAt(f32, at + 3)];

/** The numbers of both ends of a segment. @param {unknown} segment @param {string} field */
function requireSegment(segment, field) {
  if (!Array.isArray(segment) || segment.length !== 2) throw invalidArgument(field, `must be two points, or a point beside a width, not ${describe(segment)}`, segment);
  return requireFinite(requireNumbers(segment, field), 6, field);
}

/** The numbers of an end of a link with a width. @param {unknown} point @param {string} field */
function requireEnd(point, field) {
  const numbers = numbersOfPoint(point);
  if (!numbers) throw invalidArgument(field, `must be a point beside a width, not ${describe(point)}`, point);
  return requireFinite(numbers, 3, field);
}

/** The numbers of both segments, given by their ends, or by their middles and a width. @param {unknown} start @param {unknown} end @param {unknown} width @returns {number[][]} */
function requireSegments(start, end, width) {
  if (width === undefined) return [requireSegment(start, 'start'), requireSegment(end, 'end')];
  const [from, to] = [requireEnd(start, 'start'), requireEnd(end, 'end')], half = requireFiniteAmount(width, 'width') / 2;
  if (half === 0) throw invalidArgument('width', 'is 0: must be above 0', width);
  const [dx, dz] = [to[0] - from[0], to[2] - from[2]], length = Math.hypot(dx, dz);
  if (length === 0) throw invalidArgument('end', 'is straight above or below start, so the link has no left and right: give both ends of each segment, and no width', end);
  const [x, z] = [-dz * half / length, dx * half / length]; // a quarter turn to the left
  return [from, to].map(([px, py, pz]) => [px + x, py, pz + z, px - x, py, pz - z]);
}

/** @param {ArrayLike<number>} numbers @param {number} count @param {string} field @returns {number[]} without minus zero */
function requireFinite(numbers, count, field) {
  const list = Array.from(numbers);
  const wrong = list.findIndex((number) => !Number.isFinite(Math.fround(number)));
  if (list.length !== count) throw invalidArgument(field, `has ${list.length} numbers: must have ${count}`, numbers);
  if (wrong >= 0) {
    const place = count > 3 ? `[${Math.floor(wrong / 3)}][${wrong % 3}]` : `[${wrong}]`;
    throw invalidArgument(field + place, `is ${list[wrong]}: must be finite`, list[wrong]);
  }
  return list.map((number) => number + 0);
}

/** @param {unknown} value @param {string} field */
function requireFiniteAmount(value, field) {
  const amount = requireAmount(value, field);
  if (Number.isFinite(Math.fround(amount))) return amount + 0;
  throw invalidArgument(field, `is ${amount}: must be finite`, value);
}

/** The distance between the midpoints of two segments. @param {number[]} start @param {number[]} end */
const middleDistance = (start, end) => Math.hypot(...[0, 1, 2].map((axis) => (end[axis] + end[axis + 3] - start[axis] - start[axis + 3]) / 2));

/** Lengths of both segments may differ by this fraction. */
const SAME_LENGTH = 1e-3;
/** Drops may lead up, and climbs down, by this: rounding, world units. */
const FLAT = 1e-3;

/** True if the ways of the left and of the right side cross on x and z. @param {number[]} start @param {number[]} end both ends of each */
function areCrossed(start, end) {
  const side = (/** @type {number[]} */ a, /** @type {number} */ i, /** @type {number[]} */ b, /** @type {number} */ k, /** @type {number[]} */ c, /** @type {number} */ m) => (
    Math.sign((b[k] - a[i]) * (c[m + 2] - a[i + 2]) - (b[k + 2] - a[i + 2]) * (c[m] - a[i])));
  return side(start, 0, end, 0, start, 3) * side(start, 0, end, 0, end, 3) < 0 && side(start, 3, end, 3, start, 0) * side(start, 3, end, 3, end, 0) < 0;
}

/** Throws if a drop leads up, or a climb down. @param {LinkKind} kind @param {number[]} start @param {number[]} end both ends of each */
function requireDirection(kind, start, end) {
  const rise = (end[1] + end[4] - start[1] - start[4]) / 2, height = Number(Math.abs(rise).toPrecision(4));
  if (kind === 'drop' && rise > FLAT) throw invalidArgument('end', `lies ${height} above start: a drop leads down. Use a climb, or swap start and end`, end);
  if (kind === 'climb' && rise < -FLAT) throw invalidArgument('end', `lies ${height} below start: a climb leads up. Use a drop, or swap start and end`, end);
}

/**
 * Throws unless both segments are equally wide, and left and right as seen in the direction of the link. C checks the same, without
 * advice, but for sides that cross each other.
 * @param {number[]} start @param {number[]} end both ends of each
 */
function requireSides(start, end) {
  const [width, other] = [start, end].map((segment) => Math.hypot(segment[3] - segment[0], segment[5] - segment[2]));
  if (!(width > 0)) throw invalidArgument('start', 'has no width: its two points must differ on x or z', start);
  if (Math.abs(width - other) > SAME_LENGTH * width) {
    throw invalidArgument('end', `is ${Number(other.toPrecision(4))} wide, start is ${Number(width.toPrecision(4))}: both must be equally wide on x and z`, end);
  }
  if (areCrossed(start, end)) {
    throw invalidArgument('end', 'has left and right swapped: the ways of both sides cross each other. Swap the points of one segment', end);
  }
  const [left, right] = [0, 3].map((at) => [end[at] - start[at], end[at + 2] - start[at + 2]]);
  if (left.some((value, axis) => Math.abs(value - right[axis]) > SAME_LENGTH * width)) return; // it turns
  const aside = (start[3] - start[0]) * left[1] - (start[5] - start[2]) * left[0];
  if (aside >= -SAME_LENGTH * width * (Math.abs(left[0]) + Math.abs(left[1]))) return;
  throw invalidArgument('start', 'has left and right swapped: the first point of start and of end is the left one, seen along the link. Swap the points of both', start);
}

/** The bytes of a link: a WmSegmentLink. @param {SegmentLinkOptions} options */
function packLink(options) {
  const { kind, start, end, width, peak = 0, cost, area = 0, flags = 1, userId = 0, bidirectional = kind !== 'drop', enabled = true } = requireOptions(options, LINK_NAMES);
  const view = new DataView(new ArrayBuffer(LINK_BYTES));
  const [near, far] = requireSegments(start, end, width);
  requireSides(near, far);
  const kindIndex = requireName(SEGMENT_LINK_KINDS, kind, 'kind');
  requireDirection(kind, near, far);
  [...near, ...far].forEach((number, i) => view.setFloat32(4 * i, number, true));
  view.setFloat32(4 * PEAK_AT, requireFiniteAmount(peak, 'peak'), true);
  view.setFloat32(4 * COST_AT, cost === undefined ? middleDistance(near, far) : requireFiniteAmount(cost, 'cost'), true);
  view.setUint32(4 * USER_ID_AT, requireCount(userId, 'userId', 0xffffffff), true);
  view.setUint16(FLAGS_BYTE, requireCount(flags, 'flags', 0xffff), true);
  view.setUint8(AREA_BYTE, requireCount(area, 'area', 63));
  view.setUint8(KIND_BYTE, kindIndex);
  view.setUint8(TWO_WAY_BYTE, requireBoolean(bidirectional, 'bidirectional') ? 1 : 0);
  view.setUint8(ENABLED_BYTE, requireBoolean(enabled, 'enabled') ? 1 : 0);
  return { bytes: new Uint8Array(view.buffer), middle: [0, 2].map((axis) => (near[axis] + near[axis + 3]) / 2) };
}

/** @param {number} count @returns {SegmentLinks} */
const makeLinks = (count) => ({
  count, refs: new Float64Array(count), kinds: new Uint8Array(count), starts: new Float32Array(6 * count), ends: new Float32Array(6 * count),
  peaks: new Float32Array(count), widths: new Float32Array(count), costs: new Float32Array(count), areas: new Uint8Array(count),
  flags: new Uint16Array(count), userIds: new Uint32Array(count), bidirectional: new Uint8Array(count), enabled: new Uint8Array(count),
  byHand: new Uint8Array(count), tied: new Uint8Array(count),
});

/**
 * Reads a WmSegmentLink into arrays.
 * @param {Session} session @param {number} at its first word @param {SegmentLinks} links @param {number} i
 */
function readInto({ f32, wasm }, at, links, i) {
  const view = new DataView(wasm.memory.buffer, 4 * at, LINK_BYTES);
  links.starts.set(f32.subarray(at + START_AT, at + START_AT + 6), 6 * i);
  links.ends.set(f32.subarray(at + END_AT, at + END_AT + 6), 6 * i);
  links.peaks[i] = f32[at + PEAK_AT];
  links.widths[i] = widthOf(f32, at + START_AT);
  links.costs[i] = f32[at + COST_AT];
  links.userIds[i] = view.getUint32(4 * USER_ID_AT, true);
  links.flags[i] = view.getUint16(FLAGS_BYTE, true);
  links.areas[i] = view.getUint8(AREA_BYTE);
  links.kinds[i] = view.getUint8(KIND_BYTE);
  links.bidirectional[i] = view.getUint8(TWO_WAY_BYTE);
  links.enabled[i] = view.getUint8(ENABLED_BYTE);
}

/** @param {[Vector, Vector]} segment @returns {Vector} */
const middleOf = ([a, b]) => [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2, (a[2] + b[2]) / 2];

/** The distance on x, y and z from a point to a segment, and where on it the nearest point is, 0 to 1. @param {Vector} point @param {[Vector, Vector]} segment */
function measure(point, [a, b]) {
  const along = b.map((value, axis) => value - a[axis]), from = point.map((value, axis) => value - a[axis]);
  const square = along.reduce((sum, value) => sum + value * value, 0);
  const across = square > 0 ? Math.min(Math.max(along.reduce((sum, value, axis) => sum + value * from[axis], 0) / square, 0), 1) : 0;
  return { across, distance: Math.hypot(...from.map((value, axis) => value - across * along[axis])) };
}

/**
 * A copy of a set of links: WmSegmentLinks.
 * @param {NavMesh} navMesh @param {number} x @param {number} z its place @param {number} [number] 0: generated links
 */
export function readLinkSet(navMesh, x, z, number = 0) {
  const { session } = navMesh;
  session.wasm.mesh_links_at(lookUp(navMesh, NAV_MESH), x, z, number);
  session.refresh();
  const [at, count] = session.u32.subarray(session.answer, session.answer + 2);
  return session.view(at, LINK_BYTES * count).slice();
}

/**
 * Replaces a set of links.
 * @param {NavMesh} navMesh @param {number} x @param {number} z its place @param {Uint8Array} bytes of readLinkSet
 * @param {number} [number] 0: generated links; NEW_SET
 * @returns {number} the reference of the first; 0 if there are none
 */
export function putLinkSet(navMesh, x, z, bytes, number = 0) {
  const { session } = navMesh, address = lookUp(navMesh, NAV_MESH);
  session.withCopy(bytes, (copy) => session.wasm.mesh_put_links(address, x, z, number, copy, bytes.length / LINK_BYTES));
  return readReference(session.u32, session.answer);
}

/** The place of a link's set, and its number: 0 of generated links. @param {NavMesh} navMesh @param {PolygonRef} link or its set */
function placeOf(navMesh, link) {
  const { session } = navMesh;
  session.check(session.wasm.mesh_links_place(lookUp(navMesh, NAV_MESH), link));
  const [x, z, number] = session.u32.subarray(session.answer, session.answer + 3);
  return { x: x | 0, z: z | 0, number };
}

/**
 * Reads a set into arrays.
 * @param {NavMesh} navMesh @param {number} set its reference @param {SegmentLinks} links @param {number} first index in them
 * @returns {number} the next one
 */
function readSet(navMesh, set, links, first) {
  const { session } = navMesh, { wasm } = session, address = lookUp(navMesh, NAV_MESH);
  const { x, z, number } = placeOf(navMesh, set);
  wasm.mesh_links_at(address, x, z, number);
  session.refresh();
  const [at, count] = session.u32.subarray(session.answer, session.answer + 2);
  for (let k = 0; k < count; k++) {
    const i = first + k;
    links.refs[i] = set + k;
    links.byHand[i] = number === 0 ? 0 : 1;
    readInto(session, at / 4 + LINK_WORDS * k, links, i);
    session.check(wasm.mesh_segment_link(address, set + k));
    links.tied[i] = session.u32[session.answer + TIED_AT];
  }
  return first + count;
}

/** All segment links, in the order of their tiles. @param {NavMesh} navMesh @returns {SegmentLinks} */
export function readLinks(navMesh) {
  const { wasm } = navMesh.session, address = lookUp(navMesh, NAV_MESH);
  const links = makeLinks(wasm.mesh_segment_link_count(address) >>> 0);
  let i = 0;
  for (let set = 0; (set = wasm.mesh_next_links(address, set)) !== 0;) i = readSet(navMesh, set, links, i);
  return links;
}

/** Reads a segment link. @param {NavMesh} navMesh @param {PolygonRef} link reference @returns {SegmentLink} */
export function readLink(navMesh, link) {
  const { session } = navMesh, { wasm } = session;
  session.check(wasm.mesh_segment_link(lookUp(navMesh, NAV_MESH), link));
  const { f32, u32, answer } = session;
  const view = new DataView(wasm.memory.buffer, 4 * answer, LINK_BYTES);
  const tied = u32[answer + TIED_AT];
  const read = {
    ref: link, kind: SEGMENT_LINK_KINDS[view.getUint8(KIND_BYTE)], start: segmentAt(f32, answer + START_AT), end: segmentAt(f32, answer + END_AT),
    peak: f32[answer + PEAK_AT], width: widthOf(f32, answer + START_AT), cost: f32[answer + COST_AT], area: view.getUint8(AREA_BYTE),
    flags: view.getUint16(FLAGS_BYTE, true), userId: u32[answer + USER_ID_AT], bidirectional: view.getUint8(TWO_WAY_BYTE) !== 0,
    enabled: view.getUint8(ENABLED_BYTE) !== 0, byHand: false, startTied: (tied & 1) !== 0, endTied: (tied & 2) !== 0,
  };
  read.byHand = placeOf(navMesh, link).number > 0;
  return read;
}

/** The place of the tile in which a point on x and z lies, inside the grid. @param {NavMesh} navMesh @param {number[]} middle */
function tileOf(navMesh, [x, z]) {
  const { session } = navMesh;
  const at = (session.wasm.mesh_parameters(lookUp(navMesh, NAV_MESH)) >>> 0) / 4;
  session.refresh();
  const { f32, u32 } = session;
  const { origin, tileWidth, tileDepth, tileCountX, tileCountZ } = WmMeshParameters;
  const clamp = (/** @type {number} */ place, /** @type {number} */ count) => Math.min(Math.max(Math.floor(place), 0), Math.max(count - 1, 0));
  return {
    x: clamp((x - f32[at + origin]) / f32[at + tileWidth], u32[at + tileCountX]),
    z: clamp((z - f32[at + origin + 2]) / f32[at + tileDepth], u32[at + tileCountZ]),
  };
}

/** Warns of a link that waits for ground. @param {SegmentLink} link */
function warnIfLoose({ kind, userId, start, end, startTied, endTied }) {
  const name = userId === 0 ? `a ${kind} link` : `the ${kind} link with userId ${userId}`;
  warnOfLooseEnds(name, startTied ? undefined : middleOf(start), endTied ? undefined : middleOf(end));
}

/** Adds a link by hand. @param {NavMesh} navMesh @param {SegmentLinkOptions} options @returns {PolygonRef} its reference */
export function addLink(navMesh, options) {
  const { session } = navMesh, { calls } = session;
  const { bytes, middle } = packLink(options);
  session.requireNoCallSince(calls);
  const { x, z } = tileOf(navMesh, middle);
  const link = putLinkSet(navMesh, x, z, bytes, NEW_SET);
  if (session.leaks.warned) warnIfLoose(readLink(navMesh, link));
  return link;
}

/** Removes a link that was added by hand. @param {NavMesh} navMesh @param {PolygonRef} link reference */
export function removeLink(navMesh, link) {
  const { session } = navMesh, { wasm } = session, address = lookUp(navMesh, NAV_MESH);
  session.check(wasm.mesh_segment_link(address, link));
  const { x, z, number } = placeOf(navMesh, link);
  if (number === 0) throw invalidArgument('link', 'is a generated link: switch it off with setSegmentLinkEnabled', link);
  const before = readLinkSet(navMesh, x, z, number);
  wasm.mesh_links_at(address, x, z, number);
  const at = LINK_BYTES * (link - readReference(session.u32, session.answer + 2));
  const all = new Uint8Array(before.length - LINK_BYTES);
  all.set(before.subarray(0, at));
  all.set(before.subarray(at + LINK_BYTES), at);
  putLinkSet(navMesh, x, z, all, number);
}

/** The places of links that were switched off. @param {NavMesh} navMesh @returns {DisabledLinkPlace[]} */
export function readPlaces(navMesh) {
  const { session } = navMesh;
  session.wasm.mesh_links_off(lookUp(navMesh, NAV_MESH));
  session.refresh();
  const { u32, f32, answer } = session;
  const first = u32[answer] / 4;
  return Array.from({ length: u32[answer + 1] }, (_, i) => {
    const at = first + WmLinkOff.words * i;
    return { kind: SEGMENT_LINK_KINDS[u32[at + WmLinkOff.kind]], start: segmentAt(f32, at + WmLinkOff.start), end: segmentAt(f32, at + WmLinkOff.end) };
  });
}

/** The bytes of WmLinkOffs. @param {unknown} places */
export function packPlaces(places) {
  if (!Array.isArray(places)) throw invalidArgument('disabledLinkPlaces', `must be an array, not ${describe(places)}`, places);
  const f32 = new Float32Array(WmLinkOff.words * places.length), u32 = new Uint32Array(f32.buffer);
  for (let i = 0; i < places.length; i++) {
    const field = `disabledLinkPlaces[${i}]`, at = WmLinkOff.words * i;
    if (!isRecord(places[i])) throw invalidArgument(field, `must be an object, not ${describe(places[i])}`, places[i]);
    const { kind, start, end } = requireOptions(places[i], PLACE_NAMES);
    f32.set(requireSegment(start, `${field}.start`), at + WmLinkOff.start);
    f32.set(requireSegment(end, `${field}.end`), at + WmLinkOff.end);
    u32[at + WmLinkOff.kind] = requireName(SEGMENT_LINK_KINDS, kind, `${field}.kind`);
  }
  return new Uint8Array(u32.buffer);
}

/**
 * Reads the crossing of a link or of a connection.
 * @param {NavMesh} navMesh @param {number} index @param {PolygonRef} ref @param {Float32Array} ends @returns {PathLink}
 */
function readCrossing(navMesh, index, ref, ends) {
  const [start, end] = segmentAt(ends, 0);
  if (navMesh.session.wasm.mesh_segment_link(lookUp(navMesh, NAV_MESH), ref) !== 0) {
    const { start: first, userId } = navMesh.connection(ref);
    const isReversed = Math.hypot(...first.map((value, axis) => value - start[axis])) > Math.hypot(...first.map((value, axis) => value - end[axis]));
    return { index, ref, kind: 'connection', start, end, peak: 0, across: 0, isReversed, userId };
  }
  const { kind, start: near, end: far, peak, userId } = readLink(navMesh, ref);
  const [atNear, atFar] = [measure(start, near), measure(start, far)];
  const isReversed = atFar.distance < atNear.distance;
  return { index, ref, kind, start, end, peak, across: isReversed ? atFar.across : atNear.across, isReversed, userId };
}

/**
 * The links and connections that a path crosses, in its order.
 * @param {NavMesh} navMesh @param {Pick<import('../query/paths.js').Path, 'count' | 'points' | 'offMesh' | 'pointPolygons'>} path
 * @returns {PathLink[]}
 */
export function readCrossings(navMesh, path) {
  if (!isRecord(path)) throw invalidArgument('path', `must be a path, not ${describe(path)}`, path);
  const { count, offMesh, pointPolygons } = path;
  const points = Float32Array.from(requireNumbers(path.points, 'path.points'));
  requireCount(count, 'path.count', Math.min(points.length / 3, offMesh?.length ?? 0, pointPolygons?.length ?? 0));
  /** @type {PathLink[]} */
  const crossed = [];
  for (let i = 0; i + 1 < count; i++) {
    if (offMesh[i] === 0) continue;
    crossed.push(readCrossing(navMesh, i, requireReference(pointPolygons[i], 'path.pointPolygons'), points.subarray(3 * i, 3 * i + 6)));
  }
  return crossed;
}
