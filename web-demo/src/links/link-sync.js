/** Keeps the links of a mesh as the document says: forbidden places are off, and pinned links stay. */

/** @typedef {import('walkmesh').NavMesh} NavMesh */
/** @typedef {import('walkmesh').SegmentLink} SegmentLink */
/** @typedef {import('walkmesh').SegmentLinks} SegmentLinks */
/** @typedef {import('../state/document.js').Document} Document */
/** @typedef {import('../state/document.js').Point} Point */
/** @typedef {import('./kinds.js').LinkKind} LinkKind */
/** @typedef {[Point, Point]} Segment */
/** The middles of a link's segments. @typedef {{ kind: LinkKind, start: Point, end: Point }} LinkPlace */
/** @typedef {{ id: number } & LinkPlace} ForbiddenLink */
/** @typedef {{ id: number, kind: LinkKind, start: Segment, end: Segment, peak: number, cost: number, area: number, bidirectional: boolean }} PinnedLink */

/** The least share of a pinned link's width that a generated link has which stands in for it. */
const STANDS_IN = 0.9;

/** @param {Segment} segment @returns {Point} */
const middleOf = ([a, b]) => /** @type {Point} */ (a.map((value, axis) => (value + b[axis]) / 2));

/** @param {Pick<SegmentLink, 'kind' | 'start' | 'end'>} link @returns {LinkPlace} */
export const placeOfLink = ({ kind, start, end }) => ({ kind, start: middleOf(start), end: middleOf(end) });

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

/**
 * True if a link is at a place: its near segment passes within a cell of the place, and it leads the same way. The mesh knows places by the
 * same rule.
 * @param {Pick<SegmentLink, 'kind' | 'start' | 'end'>} link @param {LinkPlace} place @param {{ cellSize: number, agentMaxClimb: number }} mesh
 */
export function isAtPlace(link, place, { cellSize, agentMaxClimb }) {
  if (link.kind !== place.kind) return false;
  const share = shareNear(place.start, link.start);
  const [near, far] = [pointOf(link.start, share), pointOf(link.end, share)];
  if (Math.hypot(near[0] - place.start[0], near[2] - place.start[2]) > cellSize || Math.abs(near[1] - place.start[1]) > agentMaxClimb + cellSize) return false;
  const [x, z, placeX, placeZ] = [far[0] - near[0], far[2] - near[2], place.end[0] - place.start[0], place.end[2] - place.start[2]];
  const along = x * placeX + z * placeZ;
  const lengths = (x * x + z * z) * (placeX * placeX + placeZ * placeZ);
  return lengths === 0 || (along > 0 && 2 * along * along >= lengths);
}

/** The link at a place; of several the widest. @param {NavMesh} navMesh @param {LinkPlace} place @returns {SegmentLink | null} */
export function findLinkAt(navMesh, place) {
  const { refs } = navMesh.segmentLinks();
  const found = Array.from(refs, (ref) => navMesh.segmentLink(ref)).filter((link) => isAtPlace(link, place, navMesh.parameters));
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
    for (const ref of this.#navMesh.segmentLinks().refs) {
      const link = this.#navMesh.segmentLink(ref);
      const isForbidden = places.some((place) => isAtPlace(link, place, this.#navMesh.parameters));
      if (link.enabled === isForbidden) this.#navMesh.setSegmentLinkEnabled(ref, !isForbidden);
    }
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
    const { refs, byHand, userIds } = this.#navMesh.segmentLinks();
    const at = refs.findIndex((_, i) => byHand[i] === 1 && userIds[i] === id);
    if (at >= 0) this.#navMesh.removeSegmentLink(refs[at]);
  }
}

/** As float32, in which meshes store places. @param {Point} point @returns {Point} */
const rounded = (point) => /** @type {Point} */ (point.map(Math.fround));
