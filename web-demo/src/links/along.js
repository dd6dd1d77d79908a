/** The links along the same edge or fence as a link: those of its kind that continue each other, as they are cut at borders of tiles. */
import { isSameWay, middleOf } from './link-sync.js';

/** @typedef {import('walkmesh').NavMesh} NavMesh */
/** @typedef {import('walkmesh').SegmentLink} SegmentLink */
/** @typedef {import('./link-sync.js').Segment} Segment */

/** True if two segments end near each other. @param {Segment} a @param {Segment} b @param {{ across: number, height: number }} near */
function touch(a, b, { across, height }) {
  for (const [x, y, z] of a) {
    for (const other of b) {
      const [dx, dz] = [Math.abs(x - other[0]), Math.abs(z - other[2])];
      if (dx <= across && dz <= across && Math.hypot(dx, dz) <= across && Math.abs(y - other[1]) <= height) return true;
    }
  }
  return false;
}

/** True if a link continues another one: its take-off beside that of the other, or beside its landing if it also leads back. @param {SegmentLink} a @param {SegmentLink} b @param {{ across: number, height: number }} near */
function continues(a, b, near) {
  const ends = (/** @type {SegmentLink} */ link) => /** @type {[Segment, Segment]} */ ([link.start, link.end]);
  const isBeside = (/** @type {[Segment, Segment]} */ [start, end]) => touch(a.start, start, near)
    && isSameWay([middleOf(a.start), middleOf(a.end)], [middleOf(start), middleOf(end)]);
  const [start, end] = ends(b);
  return isBeside([start, end]) || (a.bidirectional && b.bidirectional && isBeside([end, start]));
}

/** By the link that was read: a panel asks at each change of the view. @type {WeakMap<SegmentLink, SegmentLink[]>} */
const known = new WeakMap();

/**
 * A link and those that continue it, one after the other, and are switched on or off as it is.
 * @param {NavMesh} navMesh @param {SegmentLink} link of it, read after links were last changed @returns {readonly SegmentLink[]} the link first
 */
export function linksAlong(navMesh, link) {
  const found = known.get(link) ?? findAlong(navMesh, link);
  known.set(link, found);
  return found;
}

/** @param {NavMesh} navMesh @param {SegmentLink} link @returns {SegmentLink[]} */
function findAlong(navMesh, link) {
  const { cellSize, agentRadius, agentMaxClimb } = navMesh.parameters;
  // Thinning and corners leave gaps of about a body.
  const near = { across: 2 * agentRadius + 2 * cellSize, height: agentMaxClimb + cellSize };
  const others = new Set(Array.from(navMesh.segmentLinks().refs, (ref) => navMesh.segmentLink(ref))
    .filter(({ ref, kind, enabled }) => ref !== link.ref && kind === link.kind && enabled === link.enabled));
  const found = [link];
  for (let i = 0; i < found.length; i++) {
    for (const other of others) {
      if (!continues(found[i], other, near)) continue;
      others.delete(other);
      found.push(other);
    }
  }
  return found;
}
