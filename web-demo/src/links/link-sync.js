/** Keeps the links of a mesh as the document says: forbidden places are off, and pinned links stay. */

/** @typedef {import('walkmesh').NavMesh} NavMesh */
/** @typedef {import('walkmesh').SegmentLink} SegmentLink */
/** @typedef {import('walkmesh').SegmentLinks} SegmentLinks */
/** @typedef {import('../state/document.js').Document} Document */
/** @typedef {import('../state/document.js').Point} Point */
/** @typedef {import('./kinds.js').LinkKind} LinkKind */
/** @typedef {[Point, Point]} Segment */
/** A link's segments. @typedef {{ kind: LinkKind, start: Segment, end: Segment }} LinkPlace */
/** A take-off and a landing: the middles of a link's segments. @typedef {{ kind: LinkKind, start: Point, end: Point }} LinkSpot */
/** The numbers of a mesh that places are known by. @typedef {{ cellSize: number, agentMaxClimb: number }} MeshSizes */
/** @typedef {{ id: number } & LinkPlace} ForbiddenLink */
/** @typedef {{ id: number, kind: LinkKind, start: Segment, end: Segment, peak: number, cost: number, area: number, bidirectional: boolean }} PinnedLink */

/** The least share of a pinned link's width that a generated link has which stands in for it. */
const STANDS_IN = 0.9;

/** @param {Segment} segment @returns {Point} */
export const middleOf = ([a, b]) => /** @type {Point} */ (a.map((value, axis) => (value + b[axis]) / 2));

/** @param {LinkPlace} link @returns {LinkPlace} */
export const placeOfLink = ({ kind, start, end }) => ({ kind, start, end });

/** @param {LinkPlace} link @returns {LinkSpot} */
export const spotOfLink = ({ kind, start, end }) => ({ kind, start: middleOf(start), end: middleOf(end) });

/** @param {Segment} segment */
const widthOf = ([a, b]) => Math.hypot(b[0] - a[0], b[2] - a[2]);

/** The point of a segment nearest to a point, on x and z, as a share. @param {Point} point @param {Segment} segment */
function shareNear(point, [a, b]) {
  const [dx, dz] = [b[0] - a[0], b[2] - a[2]];
  const square = dx * dx + dz * dz;
  return square > 0 ? Math.min(1, Math.max(0, ((point[0] - a[0]) * dx + (point[2] - a[2]) * dz) / square)) : 0;
}

/** @param {Segment} segment @param {number} share @returns {Point} */
const pointOf = ([a, b], share) => /** @type {Point} */ (a.map((value, axis) => value + share * (b[axis] - value)));

/** True if two ways lead the same way on x and z, up to 45 degrees. @param {[Point, Point]} way @param {[Point, Point]} other */
export function isSameWay([from, to], [otherFrom, otherTo]) {
  const [x, z, otherX, otherZ] = [to[0] - from[0], to[2] - from[2], otherTo[0] - otherFrom[0], otherTo[2] - otherFrom[2]];
  const along = x * otherX + z * otherZ;
  const lengths = (x * x + z * z) * (otherX * otherX + otherZ * otherZ);
  return lengths === 0 || (along > 0 && 2 * along * along >= lengths);
}

/** The part of 0 to 1 where first + t (last - first) is from low to high, within a range. @param {[number, number]} range @param {[number, number]} ends @param {number} low @param {number} high @returns {[number, number]} */
function clipped([from, to], [first, last], low, high) {
  const step = last - first;
  if (step === 0) return first >= low && first <= high ? [from, to] : [1, 0];
  const [a, b] = [(low - first) / step, (high - first) / step];
  return [Math.max(from, Math.min(a, b)), Math.min(to, Math.max(a, b))];
}

/** Where a point lies beside a segment: along it as a share, aside, above. @param {Point} point @param {Segment} segment */
function besideOf(point, segment) {
  const [[x, y, z], right] = segment;
  const width = widthOf(segment);
  const [wayX, wayZ] = [(right[0] - x) / width, (right[2] - z) / width];
  const along = ((point[0] - x) * wayX + (point[2] - z) * wayZ) / width;
  return { along, aside: (point[0] - x) * wayZ - (point[2] - z) * wayX, above: point[1] - y - along * (right[1] - y) };
}

/** @param {Segment} near @param {Segment} far @param {LinkPlace} place @param {MeshSizes} mesh */
function isWayAtPlace(near, far, place, { cellSize, agentMaxClimb }) {
  const [first, last] = [besideOf(near[0], place.start), besideOf(near[1], place.start)];
  const climb = agentMaxClimb + cellSize;
  let range = clipped([0, 1], [first.along, last.along], 0, 1);
  range = clipped(range, [first.aside, last.aside], -cellSize, cellSize);
  range = clipped(range, [first.above, last.above], -climb, climb);
  if (!((range[1] - range[0]) * widthOf(near) >= 0.5 * Math.min(widthOf(near), widthOf(place.start)))) return false;
  const share = 0.5 * (range[0] + range[1]);
  const along = first.along + share * (last.along - first.along);
  return isSameWay([pointOf(near, share), pointOf(far, share)], [pointOf(place.start, along), pointOf(place.end, along)]);
}

/**
 * True if a link is at a place: at least half of the narrower of both lies beside the other one, and they lead the same way. The mesh knows
 * places by the same rule.
 * @param {LinkPlace & { bidirectional: boolean }} link @param {LinkPlace} place @param {MeshSizes} mesh
 */
export function isAtPlace({ kind, start, end, bidirectional }, place, mesh) {
  return kind === place.kind && (isWayAtPlace(start, end, place, mesh) || (bidirectional && isWayAtPlace(end, start, place, mesh)));
}

/**
 * True if a link's near segment passes within a cell of a spot, and it leads the same way.
 * @param {LinkPlace} link @param {LinkSpot} spot @param {MeshSizes} mesh
 */
function isAtSpot(link, { kind, start, end }, { cellSize, agentMaxClimb }) {
  const share = shareNear(start, link.start);
  const [near, far] = [pointOf(link.start, share), pointOf(link.end, share)];
  return link.kind === kind && Math.hypot(near[0] - start[0], near[2] - start[2]) <= cellSize && Math.abs(near[1] - start[1]) <= agentMaxClimb + cellSize
    && isSameWay([near, far], [start, end]);
}

/** The link at a spot; of several the widest. @param {NavMesh} navMesh @param {LinkSpot} spot @returns {SegmentLink | null} */
export function findLinkAt(navMesh, spot) {
  const { refs } = navMesh.segmentLinks();
  const found = Array.from(refs, (ref) => navMesh.segmentLink(ref)).filter((link) => isAtSpot(link, spot, navMesh.parameters));
  return found.reduce((best, link) => (best === null || link.width > best.width ? link : best), /** @type {SegmentLink | null} */ (null));
}

/** The form of the document. @param {SegmentLink} link @returns {Omit<PinnedLink, 'id'>} */
export const toPinned = ({ kind, start, end, peak, cost, area, bidirectional }) => ({ kind, start, end, peak, cost, area, bidirectional });

/** True if two lists of places are equal. @param {readonly LinkPlace[]} a @param {readonly LinkPlace[]} b */
const areSamePlaces = (a, b) => JSON.stringify(a) === JSON.stringify(b);

export class LinkSync {
  #navMesh;
  /** The pinned links in the mesh, as text, by id. @type {Map<number, string>} */
  #pinned = new Map();

  /** @param {NavMesh} navMesh without links made by hand */
  constructor(navMesh) {
    this.#navMesh = navMesh;
  }

  /** True if a pinned link is in the mesh, made by hand. @param {number} id */
  hasPinned(id) {
    return this.#pinned.has(id);
  }

  /**
   * Applies the document. @param {Pick<Document, 'forbiddenLinks' | 'pinnedLinks'>} document @returns {boolean} true if the mesh changed
   */
  update({ forbiddenLinks, pinnedLinks }) {
    const { version } = this.#navMesh;
    this.#forbid(forbiddenLinks);
    this.#pin(pinnedLinks.filter((pinned) => !this.#isGenerated(pinned)));
    return this.#navMesh.version !== version;
  }

  /** @param {readonly ForbiddenLink[]} forbidden */
  #forbid(forbidden) {
    const places = forbidden.map(({ kind, start, end }) => ({ kind, start: rounded(start), end: rounded(end) }));
    if (areSamePlaces(places, this.#navMesh.disabledLinkPlaces)) return;
    this.#navMesh.disabledLinkPlaces = places;
  }

  /** True if the mesh has a generated link in place of a pinned one. @param {PinnedLink} pinned */
  #isGenerated(pinned) {
    const links = this.#navMesh.segmentLinks();
    const place = placeOfLink(pinned);
    const least = STANDS_IN * widthOf(pinned.start);
    return links.refs.some((ref, i) => links.byHand[i] === 0 && links.widths[i] >= least && isAtPlace(this.#navMesh.segmentLink(ref), place, this.#navMesh.parameters));
  }

  /** Removes and adds links made by hand. @param {readonly PinnedLink[]} wanted */
  #pin(wanted) {
    const texts = new Map(wanted.map((pinned) => [pinned.id, JSON.stringify(pinned)]));
    for (const [id, text] of this.#pinned) if (texts.get(id) !== text) this.#remove(id);
    for (const { id, ...link } of wanted) {
      if (this.#pinned.has(id)) continue;
      this.#navMesh.addSegmentLink({ ...link, userId: id });
      this.#pinned.set(id, /** @type {string} */ (texts.get(id)));
    }
  }

  /** @param {number} id */
  #remove(id) {
    this.#pinned.delete(id);
    const ref = this.#navMesh.findSegmentLink(id);
    if (ref !== 0) this.#navMesh.removeSegmentLink(ref);
  }
}

/** As float32, in which meshes store places. @param {Segment} segment @returns {Segment} */
const rounded = (segment) => /** @type {Segment} */ (segment.map((point) => point.map(Math.fround)));
