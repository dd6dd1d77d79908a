/**
 * Segment links: wide ways from one border of the mesh to another that agents don't walk: drops, jumps, climbs, vaults. Bakes with
 * links generate them (js/bake/links/link-generator.js); users add others by hand. They lie in sets, by tile place.
 */
import { readPoint } from '../runtime/results.js';
import { requireBoolean, requireCount, requireReference } from '../runtime/arguments.js';
import { describe, invalidArgument } from '../runtime/errors.js';
import { NAV_MESH } from '../runtime/handle-kinds.js';
import { addressOf } from '../runtime/handle.js';
import { ConnectionEdits } from './connections.js';
import { WmLinkOff } from '../runtime/layout.js';
import { addLink, packPlaces, readCrossings, readLink, readLinks, readPlaces, removeLink } from './segment-link-records.js';

/** @typedef {import('../runtime/arguments.js').PolygonRef} PolygonRef */
/** @typedef {import('../runtime/arguments.js').PolygonRefs} PolygonRefs */
/** @typedef {import('../runtime/arguments.js').Point} Point */
/** @typedef {import('../runtime/link-kinds.js').LinkKind} LinkKind */
/** @typedef {import('../query/paths.js').Path} Path */
/** @typedef {[number, number, number]} Vector */

/**
 * Segment links in typed arrays, generated ones and those made by hand.
 * @typedef {object} SegmentLinks
 * @property {number} count
 * @property {PolygonRefs} refs [count]
 * @property {Uint8Array} kinds [count] index into SEGMENT_LINK_KINDS
 * @property {Float32Array} starts [count][2][3] the left and the right end of the near segment, seen in the direction of the link
 * @property {Float32Array} ends [count][2][3] where those two arrive
 * @property {Float32Array} peaks [count] how far the feet rise above the higher one of start and end, world units
 * @property {Float32Array} widths [count] on x and z, world units
 * @property {Float32Array} costs [count] of crossing, times the area's cost
 * @property {Uint8Array} areas [count]
 * @property {Uint16Array} flags [count]
 * @property {Uint32Array} userIds [count]
 * @property {Uint8Array} bidirectional [count] 1: also from the end to the start
 * @property {Uint8Array} enabled [count] 0: switched off
 * @property {Uint8Array} byHand [count] 1: added by addSegmentLink
 * @property {Uint8Array} tied [count] bit 0: the near segment lies on the mesh; bit 1: the far one
 */

/**
 * @typedef {object} SegmentLink
 * @property {PolygonRef} ref
 * @property {LinkKind} kind
 * @property {[Vector, Vector]} start the left and the right end of the near segment, seen in the direction of the link
 * @property {[Vector, Vector]} end where those two arrive
 * @property {number} peak how far the feet rise above the higher one of start and end, world units
 * @property {number} width on x and z, world units
 * @property {number} cost of crossing, times the area's cost
 * @property {number} area
 * @property {number} flags
 * @property {number} userId
 * @property {boolean} bidirectional
 * @property {boolean} enabled
 * @property {boolean} byHand true if it was added by addSegmentLink
 * @property {boolean} startTied true if the near segment lies on the mesh; a link whose ground is missing waits
 * @property {boolean} endTied
 */

/**
 * The ends of a link to add: two segments of the same length on x and z, or the middles of both and their width. Left and right are those of
 * portals (readLinks): of a link that leads along x, the left end has the larger z.
 * @typedef {{ start: readonly [Point, Point], end: readonly [Point, Point], width?: undefined }} LinkSegments start: the left and the right end of
 *   the near segment, seen in the direction of the link; end: where those two arrive
 * @typedef {{ start: Point, end: Point, width: number }} LinkMiddles width: of both segments, world units, above 0; they lie across the line from
 *   start to end
 */

/**
 * @typedef {object} LinkProperties
 * @property {LinkKind} kind its trajectory
 * @property {number} [peak] how far the feet rise above the higher one of start and end, world units; default 0
 * @property {number} [cost] of crossing, times the area's cost; default: the distance between the midpoints of its segments
 * @property {number} [area] 0 to 63; default 0
 * @property {number} [flags] 16 bits; default 1
 * @property {number} [userId] 32 bits; default 0
 * @property {boolean} [bidirectional] default: false for drops, else true
 * @property {boolean} [enabled] default true
 */

/** A link to add. @typedef {LinkProperties & (LinkSegments | LinkMiddles)} SegmentLinkOptions */

/**
 * The crossing of a segment link, or of an off-mesh connection, in a path.
 * @typedef {object} PathLink
 * @property {number} index of the point of the path where it starts; it ends at the next point
 * @property {PolygonRef} ref of the link
 * @property {LinkKind | 'connection'} kind
 * @property {Vector} start
 * @property {Vector} end
 * @property {number} peak how far the feet rise above the higher one of start and end, world units; 0 for connections
 * @property {number} across where along the segments it is crossed, 0 (left) to 1; 0 for connections
 * @property {boolean} isReversed true if it is crossed from its end to its start
 * @property {number} userId
 */

/** The place of a link that was switched off: its segments. @typedef {{ kind: LinkKind, start: [Vector, Vector], end: [Vector, Vector] }} DisabledLinkPlace */

export class SegmentLinkEdits extends ConnectionEdits {
  /** The number of segment links. */
  get segmentLinkCount() {
    const address = addressOf(this, NAV_MESH);
    return this.session.wasm.mesh_segment_link_count(address) >>> 0;
  }

  /** All segment links, in the order of their tiles. @returns {SegmentLinks} */
  segmentLinks() {
    addressOf(this, NAV_MESH);
    return readLinks(this);
  }

  /**
   * Reads a segment link.
   * @param {PolygonRef} link reference
   * @returns {SegmentLink}
   */
  segmentLink(link) {
    addressOf(this, NAV_MESH);
    return readLink(this, requireReference(link, 'link'));
  }

  /**
   * A point of the feet's trajectory over a segment link.
   * @param {PolygonRef} link reference
   * @param {number} across where along its segments, 0 (left) to 1
   * @param {number} along 0 (start) to 1 (end): the share of the trajectory's length, for jumps of their time
   * @param {Vector} [out] an earlier result, to be overwritten
   * @returns {Vector}
   */
  segmentLinkPoint(link, across, along, out = [0.5, 0.5, 0.5]) {
    const address = addressOf(this, NAV_MESH);
    const { session } = this, { calls } = session;
    requireReference(link, 'link');
    requireFraction(across, 'across');
    requireFraction(along, 'along');
    session.check(session.wasm.mesh_segment_link_point(address, link, across, along));
    const point = requirePointOut(out);
    readPoint(session.f32, session.answer, point);
    session.requireNoCallSince(calls);
    return point;
  }

  /**
   * Switches a segment link on or off, immediately, and generated links that lie at the same place. A link that is off stays off when
   * links are generated again: it is known by its segments and kind, also in other pieces (disabledLinkPlaces).
   * @param {PolygonRef} link reference @param {boolean} enabled
   */
  setSegmentLinkEnabled(link, enabled) {
    const address = addressOf(this, NAV_MESH);
    const { session } = this;
    requireReference(link, 'link');
    requireBoolean(enabled, 'enabled');
    session.check(session.wasm.mesh_set_segment_link_enabled(address, link, enabled ? 1 : 0));
  }

  /**
   * Adds a segment link by hand. Links that are generated again don't replace it, and its reference stays valid until it is removed.
   * In development a link with an end on no ground is reported with console.warn: it waits until ground is added there.
   * @param {SegmentLinkOptions} options
   * @returns {PolygonRef} its reference
   */
  addSegmentLink(options) {
    addressOf(this, NAV_MESH);
    return addLink(this, options);
  }

  /**
   * The first link made by hand that has a userId, for instance in a mesh from a file; 0 if there is none.
   * @param {number} userId @returns {PolygonRef} its reference
   */
  findSegmentLink(userId) {
    addressOf(this, NAV_MESH);
    requireCount(userId, 'userId', 0xffffffff);
    const { refs, byHand, userIds } = this.segmentLinks();
    return refs.find((_, i) => byHand[i] === 1 && userIds[i] === userId) ?? 0;
  }

  /** Removes a segment link that was added by hand. @param {PolygonRef} link reference */
  removeSegmentLink(link) {
    addressOf(this, NAV_MESH);
    removeLink(this, requireReference(link, 'link'));
  }

  /**
   * The places of links that were switched off. A link of the same kind and direction is off, too, if at least half of the narrower of
   * both lies beside the other one, within a cell: also pieces of it, and a wider one. Assign a list to restore it, for instance after a
   * bake of the whole level.
   * @type {DisabledLinkPlace[]}
   */
  get disabledLinkPlaces() {
    addressOf(this, NAV_MESH);
    return readPlaces(this);
  }

  set disabledLinkPlaces(places) {
    const bytes = packPlaces(places);
    const address = addressOf(this, NAV_MESH);
    const { session } = this;
    session.withCopy(bytes, (copy) => session.wasm.mesh_set_links_off(address, copy, bytes.length / (4 * WmLinkOff.words)));
  }

  /**
   * The segment links and off-mesh connections that a path crosses, in its order: to play an animation for each.
   * @param {Pick<Path, 'count' | 'points' | 'offMesh' | 'pointPolygons'>} path
   * @returns {PathLink[]}
   */
  pathLinks(path) {
    addressOf(this, NAV_MESH);
    return readCrossings(this, path);
  }
}

/** @param {unknown} value @param {string} field */
function requireFraction(value, field) {
  if (typeof value === 'number' && value >= 0 && value <= 1) return;
  throw invalidArgument(field, `is ${describe(value)}: must be 0 to 1`, value);
}

/** @param {unknown} out @returns {Vector} */
function requirePointOut(out) {
  if (Array.isArray(out) && !Object.isFrozen(out)) return /** @type {Vector} */ (out);
  throw invalidArgument('out', `must be a result of the same method, not ${describe(out)}`, out);
}
