/** Links: they lead to polygons that are there and back again, lie on their edges; edges that meet across tiles have them. */
import { readLinks } from '../links.js';
import { cornerOf, middleOf, outlineOf } from './findings.js';
import { EXTERNAL } from './polygons.js';

/** @typedef {import('./findings.js').CheckedTile} CheckedTile */
/** @typedef {import('./findings.js').Findings} Findings */
/** @typedef {import('../mesh.js').NavMesh} NavMesh */

/** An edge index of links that come from or go to connections in the middle of a polygon. */
const NO_EDGE = 255;

/** Places beside a tile by side: 0 x+, 2 z+, 4 x-, 6 z-. @type {Record<number, [number, number]>} */
const BESIDE = { 0: [1, 0], 2: [0, 1], 4: [-1, 0], 6: [0, -1] };

/** The two corners of an edge. @param {CheckedTile} checked @param {number} p @param {number} k */
function edgeOf({ tile }, p, k) {
  return [k, (k + 1) % tile.sizes[p]].map((corner) => {
    const at = 3 * cornerOf(tile, p, corner);
    return Array.from(tile.vertices.subarray(at, at + 3));
  });
}

/** How far a point is from a segment. @param {number[]} point @param {number[]} a @param {number[]} b */
function distanceTo(point, a, b) {
  const along = b.map((value, axis) => value - a[axis]);
  const length = along.reduce((sum, value) => sum + value * value, 0);
  const share = length > 0 ? along.reduce((sum, value, axis) => sum + value * (point[axis] - a[axis]), 0) / length : 0;
  const at = Math.min(Math.max(share, 0), 1);
  return Math.hypot(...point.map((value, axis) => value - a[axis] - at * along[axis]));
}

/** All links of a mesh, and who is there to be linked. */
class LinkTable {
  /** By `from to`: ends of what is open, one after another. @type {Map<string, number[][]>} */
  open = new Map();
  /** Polygon -> its tile. @type {Map<number, CheckedTile>} */
  owners = new Map();
  /** Polygons that are ground. @type {Set<number>} */
  ground = new Set();

  /** @param {CheckedTile[]} tiles */
  constructor(tiles) {
    for (const checked of tiles) {
      for (let p = 0; p < checked.tile.polygonCount; p++) this.owners.set(checked.ref + p, checked);
      for (let p = 0; p < checked.tile.groundCount; p++) this.ground.add(checked.ref + p);
    }
  }

  /** @param {number} from @param {number} to */
  has(from, to) {
    return this.open.has(`${from} ${to}`);
  }
}

/** One tile's links: targets, and where they lie. @param {NavMesh} navMesh @param {CheckedTile} checked @param {LinkTable} table @param {number} tolerance @param {Findings} findings */
function checkTargets(navMesh, checked, table, tolerance, findings) {
  const links = readLinks(navMesh, checked.ref);
  for (let i = 0; i < links.count; i++) {
    const [from, to, edge] = [links.from[i], links.to[i], links.edges[i]];
    const ends = [0, 1].map((end) => Array.from(links.openings.subarray(6 * i + 3 * end, 6 * i + 3 * end + 3)));
    const key = `${from} ${to}`;
    table.open.set(key, [...table.open.get(key) ?? [], ...ends]);
    if (!table.owners.has(to) && navMesh.isStale([to])) {
      findings.add('link', `leads to ${to}, which is no polygon of this mesh`, from, ends[0]);
      continue;
    }
    // Of connections that were made at run time nothing more is known here.
    if (!table.ground.has(from) || !table.ground.has(to) || edge === NO_EDGE) continue;
    const p = from - checked.ref;
    if (edge >= checked.tile.sizes[p]) {
      findings.add('link', `names edge ${edge} of ${checked.tile.sizes[p]}`, from, ends[0]);
      continue;
    }
    const [a, b] = edgeOf(checked, p, edge);
    const off = Math.max(...ends.map((end) => distanceTo(end, a, b)));
    if (!(off <= tolerance)) findings.add('link', `its opening lies ${off} units off edge ${edge}`, from, ends[0]);
  }
}

/** Every way between ground polygons leads back. @param {LinkTable} table @param {Findings} findings */
function checkWaysBack(table, findings) {
  for (const [key, ends] of table.open) {
    const [from, to] = key.split(' ').map(Number);
    if (table.ground.has(from) && table.ground.has(to) && !table.has(to, from)) {
      findings.add('link', `leads to ${to}, from which none leads back`, from, ends[0]);
    }
  }
}

/** Edges within a tile have the link that they say. @param {CheckedTile} checked @param {LinkTable} table @param {Findings} findings */
function checkInnerEdges(checked, table, findings) {
  const { ref, tile } = checked;
  for (let p = 0; p < tile.groundCount; p++) {
    for (let k = 0; k < tile.sizes[p]; k++) {
      const neighbour = tile.neighbours[6 * p + k];
      if (neighbour === 0 || neighbour >= EXTERNAL) continue;
      if (!table.has(ref + p, ref + neighbour - 1)) findings.add('link', `edge ${k} has neighbour ${neighbour - 1}, and no link to it`, ref + p, edgeOf(checked, p, k)[0]);
    }
  }
}

/** Edges on a side of a tile, along the side. @param {CheckedTile} checked @param {number} side */
function edgesOn(checked, side) {
  const axis = side % 4 === 0 ? 2 : 0;
  const { tile, ref } = checked;
  const edges = [];
  for (let p = 0; p < tile.groundCount; p++) {
    for (let k = 0; k < tile.sizes[p]; k++) {
      if (tile.neighbours[6 * p + k] !== EXTERNAL + side) continue;
      const [low, high] = edgeOf(checked, p, k).sort((a, b) => a[axis] - b[axis]);
      edges.push({ polygon: ref + p, low, high, axis });
    }
  }
  return edges;
}

/** @typedef {ReturnType<typeof edgesOn>[number]} SideEdge */

/** The height of an edge at a place along its side. @param {SideEdge} edge @param {number} at */
function heightOf({ low, high, axis }, at) {
  const length = high[axis] - low[axis];
  return length > 0 ? low[1] + (high[1] - low[1]) * (at - low[axis]) / length : low[1];
}

/**
 * Edges that face each other across two tiles are linked where they lie side by side within the climb, and only there.
 * @param {CheckedTile[]} tiles @param {number} climb @param {number} tolerance @param {LinkTable} table @param {Findings} findings
 */
function checkPortals(tiles, climb, tolerance, table, findings) {
  /** @type {Map<string, CheckedTile[]>} */
  const places = new Map();
  for (const checked of tiles) {
    const key = `${checked.tile.x} ${checked.tile.z}`;
    places.set(key, [...places.get(key) ?? [], checked]);
  }
  for (const checked of tiles) {
    for (const side of [0, 2]) {
      const [x, z] = BESIDE[side];
      for (const other of places.get(`${checked.tile.x + x} ${checked.tile.z + z}`) ?? []) {
        for (const a of edgesOn(checked, side)) {
          for (const b of edgesOn(other, side + 4)) checkPair(a, b, climb, tolerance, table, findings);
        }
      }
    }
  }
}

/** @param {SideEdge} a @param {SideEdge} b @param {number} climb @param {number} tolerance @param {LinkTable} table @param {Findings} findings */
function checkPair(a, b, climb, tolerance, table, findings) {
  const { axis } = a;
  const [start, end] = [Math.max(a.low[axis], b.low[axis]), Math.min(a.high[axis], b.high[axis])];
  const steps = [start, end].map((at) => heightOf(a, at) - heightOf(b, at));
  // Slopes may cross between the ends.
  const crosses = steps[0] * steps[1] < 0;
  const apart = crosses ? 0 : Math.min(...steps.map(Math.abs));
  const isLinked = table.has(a.polygon, b.polygon);
  const point = start <= end ? a.low.map((value, k) => (k === axis ? start : value)) : a.low;
  // Ends are drawn in by a hundredth when edges are matched: what touches only there may be linked or not.
  if (!isLinked && end - start > 0.05 * Math.max(1, climb) + tolerance && Math.max(...steps.map(Math.abs)) < 0.9 * climb) {
    findings.add('portal', `lies beside polygon ${b.polygon} of the next tile for ${end - start} units, and is not linked to it`, a.polygon, point);
  }
  if (isLinked && (end < start - tolerance || apart > 2 * climb + tolerance)) {
    findings.add('portal', `is linked to polygon ${b.polygon} of the next tile, but they do not meet (${start - end} units, ${apart} in height)`, a.polygon, point);
  }
}

/**
 * @param {NavMesh} navMesh @param {CheckedTile[]} tiles @param {{ climb: number, tolerance: number }} slack tolerance: how far corners
 *   may be off, world units @param {Findings} findings
 * @returns {number} links
 */
export function checkLinks(navMesh, tiles, { climb, tolerance }, findings) {
  const table = new LinkTable(tiles);
  for (const checked of tiles) checkTargets(navMesh, checked, table, tolerance, findings);
  checkWaysBack(table, findings);
  for (const checked of tiles) checkInnerEdges(checked, table, findings);
  checkPortals(tiles, climb, tolerance, table, findings);
  return table.open.size;
}

/** Every polygon that a filter can pass is found where it is. @param {NavMesh} navMesh @param {CheckedTile} checked @param {number} tolerance @param {Findings} findings */
export function checkTree(navMesh, { ref, tile }, tolerance, findings) {
  for (let p = 0; p < tile.groundCount; p++) {
    if (tile.flags[p] === 0) continue;
    const outline = outlineOf(tile, p);
    const middle = middleOf(outline);
    const heights = outline.map(([, y]) => y);
    const half = [tolerance, (Math.max(...heights) - Math.min(...heights)) / 2 + tolerance, tolerance];
    const centre = [middle[0], (Math.max(...heights) + Math.min(...heights)) / 2, middle[2]];
    const { polygons, count } = navMesh.polygonsInBox(centre, half, { filter: { includeFlags: 0xffff } });
    if (!polygons.subarray(0, count).includes(ref + p)) findings.add('tree', 'is not found by a search at its middle', ref + p, middle);
  }
}
