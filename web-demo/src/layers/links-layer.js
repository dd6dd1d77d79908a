/**
 * The graph that paths follow: a bar across each opening between two polygons, and lines from there to the middles of both. The lines are
 * left out where they are short on the screen, so that from far away the bars are seen, not a net.
 */
import { readLinks } from 'walkmesh';
import { LINKS } from './colors.js';
import { makePalette } from './palette.js';
import { TileLayer } from './tile-layer.js';

/** @typedef {import('./tile-layer.js').TileArrays} TileArrays */

/** The edge of links onto an off-mesh connection; the side of links that stay in their tile. */
const [ONTO_CONNECTION, INSIDE] = [255, 255];
/** Part of an opening that its bar covers: bars of neighbouring openings must not touch. */
const BAR = 0.7;
/** Widths as multiples of the layer's: bars within tiles, bars across tiles, lines. Negative: left out where short. */
const WIDTHS = { inside: 2, crossing: 3, way: -1 };

/** The mean of a polygon's vertices. @param {TileArrays} tile @param {number} p */
function middleOf({ sizes, polygons, vertices }, p) {
  const middle = [0, 0, 0];
  for (let k = 0; k < sizes[p]; k++) {
    for (let axis = 0; axis < 3; axis++) middle[axis] += vertices[3 * polygons[6 * p + k] + axis] / sizes[p];
  }
  return middle;
}

/**
 * The lines of a tile's links. Both polygons of a link draw the line to its bar; the first of them draws the bar.
 * @param {TileArrays} tile @param {number} ref @param {import('walkmesh').Links} links
 */
export function linesOfLinks(tile, ref, { count, from, to, edges, sides, openings }) {
  /** @type {number[]} */
  const lines = [];
  for (let i = 0; i < count; i++) {
    const polygon = from[i] - ref;
    if (polygon >= tile.groundCount || edges[i] === ONTO_CONNECTION) continue; // ConnectionsHelper draws them
    const [a, b] = [openings.subarray(6 * i, 6 * i + 3), openings.subarray(6 * i + 3, 6 * i + 6)];
    const along = (/** @type {number} */ share) => [0, 1, 2].map((axis) => a[axis] + share * (b[axis] - a[axis]));
    const isInside = sides[i] === INSIDE;
    const value = isInside ? 1 : 2;
    lines.push(...middleOf(tile, polygon), ...along(0.5), value, WIDTHS.way);
    if (from[i] < to[i]) lines.push(...along((1 - BAR) / 2), ...along((1 + BAR) / 2), value, isInside ? WIDTHS.inside : WIDTHS.crossing);
  }
  return Float32Array.from(lines);
}

/** @type {import('./layers.js').LayerKind} */
export const linksLayer = {
  id: 'links', group: 'Mesh', label: 'Graph', hint: 'The graph of the path search: openings between polygons, joined by lines.',
  legend: [{ color: LINKS.inside, label: 'Link within a tile' }, { color: LINKS.crossing, label: 'Link between tiles' }],
  create(app) {
    /** @type {import('walkmesh').NavMesh} */
    let mesh;
    return new TileLayer(app, {
      palette: makePalette([null, LINKS.inside, LINKS.crossing]), width: 1.5, lift: 0.2, isThinning: true,
      begin(navMesh) { mesh = navMesh; },
      draw(tile, ref) {
        const links = readLinks(mesh, ref);
        return { lines: linesOfLinks(tile, ref, links), count: links.count };
      },
      note: (count) => `${count.toLocaleString('en')} link${count === 1 ? '' : 's'}`,
    });
  },
};
