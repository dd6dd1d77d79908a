/** Links: they lead to existing polygons and back, and lie on their edges; edges that meet across tiles have links. */
import { readLinks } from '../mesh/links.js';
import { STRIDE, cornerOf, pointOf } from './findings.js';
import { EXTERNAL } from './polygons.js';

/** @typedef {import('./findings.js').CheckedTile} CheckedTile */
/** @typedef {import('./findings.js').Findings} Findings */
/** @typedef {import('../mesh/links.js').Links} Links */
/** @typedef {import('../mesh/mesh.js').NavMesh} NavMesh */

/** The edge index of links between a polygon's inside and an off-mesh connection. */
const NO_EDGE = 255;

/** Offsets of the neighbouring tile places by side: 0 x+, 2 z+, 4 x-, 6 z-. @type {Record<number, [number, number]>} */
const BESIDE = { 0: [1, 0], 2: [0, 1], 4: [-1, 0], 6: [0, -1] };

/**
 * The distance of a point from a segment.
 * @param {ArrayLike<number>} points @param {number} at x, y, z @param {ArrayLike<number>} a @param {ArrayLike<number>} b
 */
function distanceTo(points, at, a, b) {
  let [length, along] = [0, 0];
  for (let axis = 0; axis < 3; axis++) {
    length += (b[axis] - a[axis]) * (b[axis] - a[axis]);
    along += (b[axis] - a[axis]) * (points[at + axis] - a[axis]);
  }
  const share = length > 0 ? Math.min(Math.max(along / length, 0), 1) : 0;
  let sum = 0;
  for (let axis = 0; axis < 3; axis++) {
    const off = points[at + axis] - a[axis] - share * (b[axis] - a[axis]);
    sum += off * off;
  }
  return Math.sqrt(sum);
}

/** A tile with the links of its polygons: polygon p has the links firsts[p] to firsts[p + 1] - 1. @typedef {CheckedTile & { links: Links, firsts: Uint32Array }} LinkedTile */

/** @param {NavMesh} navMesh @param {CheckedTile} checked @returns {LinkedTile} */
function withLinks(navMesh, checked) {
  const { ref, tile: { polygonCount } } = checked;
  const links = readLinks(navMesh, ref);
  const firsts = new Uint32Array(polygonCount + 1);
  for (let i = 0, p = 0; p <= polygonCount; p++) {
    while (i < links.count && links.from[i] < ref + p) i++;
    firsts[p] = i;
  }
  return { ...checked, links, firsts };
}

/** All links of a mesh, and the tiles by reference. */
class LinkTable {
  /** @type {LinkedTile[]} in the order of the mesh */
  tiles;
  /** By reference. @type {LinkedTile[]} */
  #byRef;

  /** @param {NavMesh} navMesh @param {CheckedTile[]} tiles */
  constructor(navMesh, tiles) {
    this.tiles = tiles.map((checked) => withLinks(navMesh, checked));
    this.#byRef = [...this.tiles].sort((a, b) => a.ref - b.ref);
  }

  /** The tile of a polygon. @param {number} polygon */
  ownerOf(polygon) {
    let [low, high] = [0, this.#byRef.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#byRef[middle].ref <= polygon) low = middle + 1;
      else high = middle;
    }
    const owner = this.#byRef[low - 1];
    return owner !== undefined && polygon < owner.ref + owner.tile.polygonCount ? owner : undefined;
  }

  /**
   * True if a polygon has a link to another.
   * @param {LinkedTile} owner of `from` @param {number} from @param {number} to
   * @param {number} [before] only links below this index count
   */
  has({ ref, links, firsts }, from, to, before = firsts[from - ref + 1]) {
    for (let i = firsts[from - ref]; i < before; i++) {
      if (links.to[i] === to) return true;
    }
    return false;
  }
}

/** @param {LinkedTile} owner @param {number} polygon */
const isGround = ({ ref, tile }, polygon) => polygon < ref + tile.groundCount;

/**
 * Checks one tile's links: their targets and portals.
 * @param {NavMesh} navMesh @param {LinkedTile} checked @param {LinkTable} table @param {number} tolerance
 * @param {Findings} findings
 */
function checkTargets(navMesh, checked, table, tolerance, findings) {
  const { ref, tile, links } = checked;
  for (let i = 0; i < links.count; i++) {
    const from = links.from[i], to = links.to[i], edge = links.edges[i];
    const owner = table.ownerOf(to);
    const start = links.openings.subarray(6 * i, 6 * i + 3);
    if (owner === undefined && navMesh.isStale([to])) {
      findings.add('link', `leads to ${to}, which isn't a polygon of this mesh`, from, start);
      continue;
    }
    // Connections that were created at run time have no data to compare with here.
    if (owner === undefined || !isGround(checked, from) || !isGround(owner, to) || edge === NO_EDGE) continue;
    const p = from - ref, size = tile.sizes[p];
    if (edge >= size) {
      findings.add('link', `names edge ${edge} of ${size}`, from, start);
      continue;
    }
    const [a, b] = [pointOf(checked, p, edge), pointOf(checked, p, (edge + 1) % size)];
    const off = Math.max(distanceTo(links.openings, 6 * i, a, b), distanceTo(links.openings, 6 * i + 3, a, b));
    if (!(off <= tolerance)) findings.add('link', `its portal lies ${off} units off edge ${edge}`, from, start);
  }
}

/**
 * Checks that every link between ground polygons has a reverse link.
 * @param {LinkedTile} checked @param {LinkTable} table @param {Findings} findings @returns {number} links
 */
function checkReverseLinks(checked, table, findings) {
  const { links } = checked;
  let linkCount = 0;
  for (let i = 0; i < links.count; i++) {
    const from = links.from[i], to = links.to[i];
    if (table.has(checked, from, to, i)) continue;
    linkCount++;
    if (!isGround(checked, from)) continue;
    const owner = table.ownerOf(to);
    if (owner !== undefined && isGround(owner, to) && !table.has(owner, to, from)) {
      findings.add('link', `leads to ${to}, which has no reverse link`, from, links.openings.subarray(6 * i, 6 * i + 3));
    }
  }
  return linkCount;
}

/**
 * Checks that edges within a tile are linked to the neighbour that they name.
 * @param {LinkedTile} checked @param {LinkTable} table @param {Findings} findings
 */
function checkInnerEdges(checked, table, findings) {
  const { ref, tile } = checked;
  for (let p = 0; p < tile.groundCount; p++) {
    for (let k = 0; k < tile.sizes[p]; k++) {
      const neighbour = tile.neighbours[6 * p + k];
      if (neighbour === 0 || neighbour >= EXTERNAL || table.has(checked, ref + p, ref + neighbour - 1)) continue;
      findings.add('link', `edge ${k} has neighbour ${neighbour - 1}, but no link to it`, ref + p, pointOf(checked, p, k));
    }
  }
}

/** Edges on a side of a tile, along the side. @param {LinkedTile} checked @param {number} side */
function edgesOn(checked, side) {
  const axis = side % 4 === 0 ? 2 : 0;
  const { tile, ref } = checked;
  const edges = [];
  for (let p = 0; p < tile.groundCount; p++) {
    for (let k = 0; k < tile.sizes[p]; k++) {
      if (tile.neighbours[6 * p + k] !== EXTERNAL + side) continue;
      const [a, b] = [pointOf(checked, p, k), pointOf(checked, p, (k + 1) % tile.sizes[p])];
      const [low, high] = a[axis] <= b[axis] ? [a, b] : [b, a];
      edges.push({ owner: checked, polygon: ref + p, low, high, axis });
    }
  }
  return edges;
}

/** @typedef {ReturnType<typeof edgesOn>[number]} SideEdge */

/** The height of an edge at a coordinate along its side. @param {SideEdge} edge @param {number} at */
function heightOf({ low, high, axis }, at) {
  const length = high[axis] - low[axis];
  return length > 0 ? low[1] + (high[1] - low[1]) * (at - low[axis]) / length : low[1];
}

/**
 * Checks that edges of two tiles that face each other are linked if they overlap along the side within the climb, and only then.
 * @param {LinkTable} table @param {number} climb @param {number} tolerance @param {Findings} findings
 */
function checkPortals(table, climb, tolerance, findings) {
  /** @type {Map<string, LinkedTile[]>} */
  const places = new Map();
  for (const checked of table.tiles) {
    const key = `${checked.tile.x} ${checked.tile.z}`;
    const there = places.get(key);
    if (there) there.push(checked);
    else places.set(key, [checked]);
  }
  for (const checked of table.tiles) {
    for (const side of [0, 2]) {
      const [x, z] = BESIDE[side];
      for (const other of places.get(`${checked.tile.x + x} ${checked.tile.z + z}`) ?? []) {
        const [near, far] = [edgesOn(checked, side), edgesOn(other, side + 4)];
        for (const a of near) {
          for (const b of far) checkPair(a, b, { near, far, climb, tolerance }, table, findings);
        }
      }
    }
  }
}

/** The interval in which two edges overlap along the side, and their height difference there. @param {SideEdge} a @param {SideEdge} b */
function meet(a, b) {
  const { axis } = a;
  const start = Math.max(a.low[axis], b.low[axis]), end = Math.min(a.high[axis], b.high[axis]);
  const atStart = heightOf(a, start) - heightOf(b, start), atEnd = heightOf(a, end) - heightOf(b, end);
  const [one, other] = [Math.abs(atStart), Math.abs(atEnd)];
  // Slopes may cross between the ends of the interval.
  return { start, end, most: Math.max(one, other), least: atStart * atEnd < 0 ? 0 : Math.min(one, other) };
}

/**
 * @param {SideEdge} a @param {SideEdge} b @param {{ near: SideEdge[], far: SideEdge[], climb: number, tolerance: number }} side all its
 *   edges @param {LinkTable} table @param {Findings} findings
 */
function checkPair(a, b, { near, far, climb, tolerance }, table, findings) {
  const { axis } = a;
  const { start, end, most, least } = meet(a, b);
  const isLinked = table.has(a.owner, a.polygon, b.polygon);
  const point = () => Array.from(a.low, (value, k) => (k === axis && start <= end ? start : value));
  // Links shorten edges by a hundredth at each end: edges that overlap less may be linked or not.
  if (!isLinked && end - start > 0.05 * Math.max(1, climb) + tolerance && most < 0.9 * climb) {
    findings.add('portal', `meets polygon ${b.polygon} of the next tile for ${end - start} units, but isn't linked to it`, a.polygon, point());
  }
  const isApart = (/** @type {ReturnType<typeof meet>} */ met) => met.end < met.start - tolerance || met.least > 2 * climb + tolerance;
  if (!isLinked || !isApart({ start, end, most, least })) return;
  // A polygon with collinear vertices may have two edges on the side, and its link on the other one.
  const areApart = near.every((one) => one.polygon !== a.polygon || far.every((other) => other.polygon !== b.polygon || isApart(meet(one, other))));
  if (!areApart) return;
  findings.add('portal', `is linked to polygon ${b.polygon} of the next tile, but they do not meet (${start - end} units, ${least} in height)`, a.polygon, point());
}

/**
 * @param {NavMesh} navMesh @param {CheckedTile[]} tiles @param {{ climb: number, tolerance: number }} slack tolerance: error of the
 *   vertices, world units @param {Findings} findings
 * @returns {number} links
 */
export function checkLinks(navMesh, tiles, { climb, tolerance }, findings) {
  const table = new LinkTable(navMesh, tiles);
  for (const checked of table.tiles) checkTargets(navMesh, checked, table, tolerance, findings);
  const linkCount = table.tiles.reduce((sum, checked) => sum + checkReverseLinks(checked, table, findings), 0);
  for (const checked of table.tiles) checkInnerEdges(checked, table, findings);
  checkPortals(table, climb, tolerance, findings);
  return linkCount;
}

/** A filter that passes every area and all flags: written into the module's memory once. */
const ANY = Object.freeze({ includeFlags: 0xffff, areaCosts: Object.freeze({}) });

/**
 * Checks that a search at each polygon that passes the filter finds it.
 * @param {NavMesh} navMesh @param {CheckedTile} checked @param {number} tolerance @param {Findings} findings
 */
export function checkTree(navMesh, { ref, tile, corners, middles }, tolerance, findings) {
  const centre = [0, 0, 0], half = [tolerance, 0, tolerance], options = { filter: ANY };
  let found;
  for (let p = 0; p < tile.groundCount; p++) {
    if (tile.flags[p] === 0) continue;
    let [low, high] = [Infinity, -Infinity];
    for (let k = 0, at = STRIDE * p + 1; k < tile.sizes[p]; k++, at += 3) {
      low = Math.min(low, corners[at]);
      high = Math.max(high, corners[at]);
    }
    centre[0] = middles[3 * p];
    centre[1] = (high + low) / 2;
    centre[2] = middles[3 * p + 2];
    half[1] = (high - low) / 2 + tolerance;
    found = navMesh.polygonsInBox(centre, half, options, found);
    if (found.polygons.indexOf(ref + p) === -1) findings.add('tree', "a search at its centre doesn't find it", ref + p, middles.subarray(3 * p, 3 * p + 3));
  }
}
