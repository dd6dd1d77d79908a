/**
 * The ground polygons of a navigation mesh on x and z, the openings between them, and the places where a path may turn.
 *
 * A spot is a point of a polygon's outline: a vertex, or an end of an opening. A place is a spot with all polygons that can be stepped to
 * there without walking; around a pinched vertex, and on storeys above each other, there are several places. Openings there and back can
 * differ by rounding, and then places do. A place without a wall is no corner, nor is one where the angles of its polygons add up to less
 * than half a turn.
 */

import { readLinks } from '../../../js/index.js';

/** Spots nearer than this touch, world units: ends of openings at borders of tiles are rounded. */
const TOUCH = 1e-3;
/** Angles are compared with this tolerance; in doubt a place is a corner. */
const ABOUT = 1e-3;

/** @typedef {{ to: number, left: number[], right: number[], isSeam: boolean }} Opening points are x, z */
/**
 * openings lead out; entries lead in, seen from inside, `to` being the polygon before
 * @typedef {{ ref: number, outline: number[][], openings: Opening[], entries: Opening[], spots: number[][], places: number[] }} FlatPolygon
 */
/** @typedef {{ at: number[], own: number[], isCorner: boolean }} Place own: numbers of its polygons */

export class FlatMesh {
  /** @param {import('../../../js/index.js').NavMesh} navMesh */
  constructor(navMesh) {
    /** @type {FlatPolygon[]} */
    this.polygons = [];
    /** @type {Map<number, number>} number of a polygon by its reference */
    this.numbers = new Map();
    const all = navMesh.polygons();
    let next = 0;
    for (const tile of navMesh.tiles()) {
      for (let p = 0; p < tile.polygons; p++, next++) {
        if (!all[next].isOffMesh) this.#addPolygon(tile.ref + p, all[next].vertices);
      }
    }
    for (const tile of navMesh.tileRefs()) this.#addOpenings(readLinks(navMesh, tile));
    this.#addSpots();
    /** @type {Place[]} */
    this.places = [];
    this.#findPlaces();
  }

  #addPolygon(ref, vertices) {
    const outline = Array.from({ length: vertices.length / 3 }, (_, i) => [vertices[3 * i], vertices[3 * i + 2]]);
    this.numbers.set(ref, this.polygons.length);
    this.polygons.push({ ref, outline, openings: [], entries: [], spots: [], places: [] });
  }

  #addOpenings({ count, from, to, sides, openings }) {
    for (let i = 0; i < count; i++) {
      const [polygon, target] = [this.numbers.get(from[i]), this.numbers.get(to[i])];
      if (polygon === undefined || target === undefined) continue;
      const [lx, , lz, rx, , rz] = openings.subarray(6 * i, 6 * i + 6);
      const [left, right, isSeam] = [[lx, lz], [rx, rz], sides[i] !== 255];
      this.polygons[polygon].openings.push({ to: target, left, right, isSeam });
      this.polygons[target].entries.push({ to: polygon, left: right, right: left, isSeam });
    }
  }

  /** The spot of a polygon at a point, which is added if there is none; new ones are handed on to the polygons behind the openings there. */
  #addSpots() {
    const waiting = [];
    const add = (number, point) => {
      const { spots } = this.polygons[number];
      if (spots.some((spot) => isNear(spot, point))) return;
      spots.push(point);
      waiting.push([number, point]);
    };
    this.polygons.forEach(({ outline, openings }, number) => {
      for (const vertex of outline) add(number, vertex);
      for (const { left, right } of openings) add(number, left), add(number, right);
    });
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      const [number, point] = next;
      for (const { to, left, right } of this.polygons[number].openings) {
        if (distanceToSegment(point, left, right) <= TOUCH) add(to, point);
      }
    }
  }

  #findPlaces() {
    const known = new Map();
    this.polygons.forEach((polygon, number) => {
      polygon.places = polygon.spots.map((at) => {
        const own = this.around(number, at).sort((a, b) => a - b);
        const key = `${Math.round(at[0] / TOUCH / 4)} ${Math.round(at[1] / TOUCH / 4)} ${own}`;
        if (!known.has(key)) {
          const turn = own.reduce((sum, other) => sum + angleAt(this.polygons[other].outline, at), 0);
          const isWalled = own.some((other) => hasWall(this.polygons[other], at));
          known.set(key, this.places.length);
          this.places.push({ at, own, isCorner: isWalled && !(turn < Math.PI - ABOUT) });
        }
        return known.get(key);
      });
    });
  }

  /**
   * The polygons that a point belongs to: the given one, and those that can be stepped to there; with entries, those that can be stepped from.
   * @param {number} number @param {number[]} at @param {'openings' | 'entries'} [way]
   */
  around(number, at, way = 'openings') {
    const found = [number];
    for (let i = 0; i < found.length; i++) {
      for (const { to, left, right } of this.polygons[found[i]][way]) {
        if (!found.includes(to) && distanceToSegment(at, left, right) <= TOUCH) found.push(to);
      }
    }
    return found;
  }
}

const isNear = (a, b) => Math.abs(a[0] - b[0]) < TOUCH && Math.abs(a[1] - b[1]) < TOUCH;

/** @param {number[]} p @param {number[]} a @param {number[]} b */
export function distanceToSegment(p, a, b) {
  const [x, z, px, pz] = [b[0] - a[0], b[1] - a[1], p[0] - a[0], p[1] - a[1]];
  const squared = x * x + z * z;
  const t = squared > 0 ? Math.min(1, Math.max(0, (px * x + pz * z) / squared)) : 0;
  return Math.hypot(px - t * x, pz - t * z);
}

/** True if an edge of a polygon that touches a point has no opening there, or one to another tile that ends there. */
function hasWall({ outline, openings }, at) {
  const isOn = (point, i) => distanceToSegment(point, outline[i], outline[(i + 1) % outline.length]) <= TOUCH;
  const touching = openings.filter(({ left, right }) => distanceToSegment(at, left, right) <= TOUCH);
  if (touching.some(({ left, right, isSeam }) => isSeam && (isNear(left, at) || isNear(right, at)))) return true;
  return outline.some((_, i) => isOn(at, i) && !touching.some(({ left, right }) => isOn(left, i) && isOn(right, i)));
}

/** The angle of a convex outline at a point of it; NaN where the point lies beside it. */
function angleAt(outline, at) {
  const count = outline.length;
  for (let i = 0; i < count; i++) {
    if (!isNear(outline[i], at)) continue;
    const [before, vertex, after] = [outline[(i + count - 1) % count], outline[i], outline[(i + 1) % count]];
    const [ax, az, bx, bz] = [before[0] - vertex[0], before[1] - vertex[1], after[0] - vertex[0], after[1] - vertex[1]];
    return Math.abs(Math.atan2(ax * bz - az * bx, ax * bx + az * bz));
  }
  const isOn = outline.some((vertex, i) => distanceToSegment(at, vertex, outline[(i + 1) % count]) <= TOUCH);
  return isOn ? Math.PI : NaN;
}
