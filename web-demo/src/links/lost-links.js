/**
 * Forbidden and pinned links that no longer match the mesh, as after the level was changed: places without the link that was forbidden there,
 * and pinned links without ground, with something in the way, or over ground that agents walk straight across.
 */
import { itemBounds } from '../edit/items.js';
import { isAtPlace, spotOfLink } from './link-sync.js';
import { measureGap } from './pair.js';

/** @typedef {import('../state/document.js').Document} Document */
/** @typedef {import('walkmesh').NavMesh} NavMesh */
/** @typedef {import('./link-sync.js').ForbiddenLink} ForbiddenLink */
/** @typedef {import('./link-sync.js').PinnedLink} PinnedLink */

/** Why a pinned link is lost: its take-off or its landing has no ground, it leads over walkable ground, or its way is blocked. @typedef {'from' | 'to' | 'walkable' | 'blocked'} Loss */

/** Distance from an obstacle at which it may end links, world units. */
const AROUND = 1;

/** True if an obstacle near a place may be why there is no link. @param {Document} document @param {ForbiddenLink} place */
const isNearObstacle = ({ obstacles }, { start, end }) => obstacles.some((obstacle) => {
  const { min, max } = itemBounds('obstacle', obstacle);
  return [0, 2].every((axis) => {
    const values = [...start, ...end].map((point) => point[axis]);
    return Math.min(...values) <= max[axis] + AROUND && Math.max(...values) >= min[axis] - AROUND;
  });
});

/**
 * Forbidden places without a generated link. Places of kinds that are off, and those near obstacles, aren't judged.
 * @param {NavMesh} navMesh with all generated links @param {Document} document @returns {ForbiddenLink[]}
 */
export function lostForbidden(navMesh, document) {
  const { forbiddenLinks, links } = document;
  const places = forbiddenLinks.filter((place) => links[place.kind].isOn && !isNearObstacle(document, place));
  if (places.length === 0) return [];
  const { refs, byHand } = navMesh.segmentLinks();
  const generated = Array.from(refs).filter((_, i) => byHand[i] === 0).map((ref) => navMesh.segmentLink(ref));
  return places.filter((place) => !generated.some((link) => isAtPlace(link, place, navMesh.parameters)));
}

/**
 * Pinned links that agents can't use, or needn't. @param {NavMesh} navMesh @param {readonly PinnedLink[]} pinned those for which no generated link
 * stands in @param {ReadonlyMap<number, unknown>} blocked by their number @returns {{ link: PinnedLink, loss: Loss }[]}
 */
export function lostPinned(navMesh, pinned, blocked) {
  return pinned.flatMap((link) => {
    const ref = navMesh.findSegmentLink(link.id);
    if (ref === 0) return [];
    const { startTied, endTied } = navMesh.segmentLink(ref);
    const { start, end } = spotOfLink(link);
    const isOpen = startTied && endTied && measureGap(navMesh, start, end) === 'walkable';
    /** @type {Loss | null} */
    const loss = !startTied ? 'from' : !endTied ? 'to' : isOpen ? 'walkable' : blocked.has(link.id) ? 'blocked' : null;
    return loss ? [{ link, loss }] : [];
  });
}
