/**
 * All spots that a point sees, on x and z: from its polygon on, the sector of sight is narrowed at each opening. Sectors of no width end;
 * a spot on the border of a sector is seen.
 *
 * Source: F. Bungiu, M. Hemmer, J. Hershberger, K. Huang, A. Kroeller, "Efficient Computation of Visibility Polygons", 2014 (triangular
 * expansion).
 */
import { distanceToSegment } from './flat-mesh.js';

/** An opening that touches the point has no sector: the polygon behind it is one of the point's own. */
const TOUCH = 1e-3;
/** Spots this far outside a sector still count as seen: coordinates are floats. */
const BESIDE = 1e-6;

const cross = (ax, az, bx, bz) => ax * bz - az * bx;

/**
 * @param {import('./flat-mesh.js').FlatMesh} mesh @param {number[]} eye x, z @param {number[]} own numbers of the polygons that the point
 *   belongs to
 * @param {(polygon: number, isSeen: (point: number[]) => boolean) => void} visit each polygon in sight; isSeen: true for points of it that
 *   are
 * @param {'openings' | 'entries'} [way] entries: backwards, all that sees the point
 */
export function look(mesh, [x, z], own, visit, way = 'openings') {
  const waiting = [];
  const enter = (polygon, before, right, left) => {
    for (const opening of mesh.polygons[polygon][way]) {
      if (opening.to === before) continue;
      const sector = clip(opening, x, z, right, left);
      if (sector) waiting.push([opening.to, polygon, ...sector]);
    }
  };
  for (const polygon of own) {
    visit(polygon, () => true);
    for (const opening of mesh.polygons[polygon][way]) {
      if (own.includes(opening.to) || distanceToSegment([x, z], opening.left, opening.right) <= TOUCH) continue;
      const sector = clip(opening, x, z, null, null);
      if (sector) waiting.push([opening.to, polygon, ...sector]);
    }
  }
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const [polygon, before, right, left] = next;
    const slack = [right, left].map(([dx, dz]) => BESIDE * (1 + Math.abs(x) + Math.abs(z)) * Math.hypot(dx, dz));
    visit(polygon, ([px, pz]) => cross(right[0], right[1], px - x, pz - z) >= -slack[0] && cross(px - x, pz - z, left[0], left[1]) >= -slack[1]);
    enter(polygon, before, right, left);
  }
}

/** The part of a sector that passes an opening, as directions to its right and left; null: none. */
function clip({ left, right }, x, z, sectorRight, sectorLeft) {
  const [r, l] = [[right[0] - x, right[1] - z], [left[0] - x, left[1] - z]];
  if (!(cross(r[0], r[1], l[0], l[1]) > 1e-9 * Math.hypot(...r) * Math.hypot(...l))) return null;
  const newRight = sectorRight && cross(sectorRight[0], sectorRight[1], r[0], r[1]) <= 0 ? sectorRight : r;
  const newLeft = sectorLeft && cross(l[0], l[1], sectorLeft[0], sectorLeft[1]) <= 0 ? sectorLeft : l;
  const width = cross(newRight[0], newRight[1], newLeft[0], newLeft[1]);
  return width > 1e-12 * Math.hypot(...newRight) * Math.hypot(...newLeft) ? [newRight, newLeft] : null;
}
