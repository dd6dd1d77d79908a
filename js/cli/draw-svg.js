/** A plan of a navigation mesh as SVG, seen from above: x to the right, z down, higher surface lighter. */

import { SEGMENT_LINK_KINDS } from '../index.js';

/** @typedef {import('../mesh/detour-tile.js').TilePolygon} TilePolygon */
/** @typedef {import('../index.js').SegmentLinks} SegmentLinks */

const SIDE_PIXELS = 1000;
const MARGIN_FRACTION = 0.02;

/** Length of the arrow heads of links, pixels. */
const ARROW_PIXELS = 5;

/** Colours of segment links by kind, in the order of SEGMENT_LINK_KINDS; told apart by people who see few colours. */
const LINK_COLOURS = ['#0072b2', '#d55e00', '#009e73', '#cc79a7'];

/** The style of segment links: by kind; dashed if switched off. */
const LINK_STYLE = `
${SEGMENT_LINK_KINDS.map((kind, i) => `.${kind}{fill:${LINK_COLOURS[i]};stroke:${LINK_COLOURS[i]}}`).join('')}
g polygon{fill-opacity:.25;stroke:none}g path{fill:none;stroke-width:1.2}.off{opacity:.5}.off path{stroke-dasharray:3 3}`;

/** Hues by area, spread by the golden angle. @param {number} area */
const hueOf = (area) => (150 + area * 137.5) % 360;

/** @param {number} value */
const round = (value) => String(Number(value.toFixed(2)));

/** @param {TilePolygon[]} polygons @param {ArrayLike<number>[]} paths */
function boundsOf(polygons, paths) {
  const min = [Infinity, Infinity, Infinity];
  const max = [-Infinity, -Infinity, -Infinity];
  for (const points of [...polygons.map((polygon) => polygon.vertices), ...paths]) {
    for (let i = 0; i < points.length; i++) {
      min[i % 3] = Math.min(min[i % 3], points[i]);
      max[i % 3] = Math.max(max[i % 3], points[i]);
    }
  }
  return Number.isFinite(min[0]) ? { min, max } : { min: [0, 0, 0], max: [1, 1, 1] };
}

/** @param {TilePolygon} polygon @param {{ min: number[], max: number[] }} bounds */
function colourOf(polygon, { min, max }) {
  let height = 0;
  for (let i = 1; i < polygon.vertices.length; i += 3) height += polygon.vertices[i];
  const fraction = (3 * height / polygon.vertices.length - min[1]) / Math.max(max[1] - min[1], 1e-6);
  return `hsl(${hueOf(polygon.area)} 45% ${(48 + 36 * fraction).toFixed(0)}%)`;
}

/**
 * Segment links: the area that agents pass, and an arrow at each side where they arrive.
 * @param {SegmentLinks} links @param {(x: number, z: number) => [number, number]} toPixels
 */
function drawLinks({ count, kinds, starts, ends, bidirectional, enabled }, toPixels) {
  return Array.from({ length: count }, (_, i) => {
    const at = (/** @type {Float32Array} */ points, /** @type {number} */ side) => toPixels(points[6 * i + 3 * side], points[6 * i + 3 * side + 2]);
    const [a, b, c, d] = [at(starts, 0), at(starts, 1), at(ends, 1), at(ends, 0)];
    const middle = (/** @type {[number, number]} */ p, /** @type {[number, number]} */ q) => /** @type {[number, number]} */ ([(p[0] + q[0]) / 2, (p[1] + q[1]) / 2]);
    const [from, to] = [middle(a, b), middle(d, c)];
    const corners = [a, b, c, d].map((point) => point.map(round).join(',')).join(' ');
    const arrows = arrowTo(from, to) + (bidirectional[i] ? arrowTo(to, from) : '');
    return `<g class="${SEGMENT_LINK_KINDS[kinds[i]]}${enabled[i] ? '' : ' off'}"><polygon points="${corners}"/><path d="M${from.map(round)}L${to.map(round)}${arrows}"/></g>`;
  });
}

/** The head of an arrow as part of a path. @param {[number, number]} from @param {[number, number]} to */
function arrowTo(from, to) {
  const [dx, dz] = [to[0] - from[0], to[1] - from[1]];
  const scale = ARROW_PIXELS / Math.max(Math.hypot(dx, dz), 1e-6);
  const wing = (/** @type {number} */ side) => [to[0] - scale * (dx - side * dz / 2), to[1] - scale * (dz + side * dx / 2)].map(round);
  return `M${wing(1)}L${to.map(round)}L${wing(-1)}`;
}

/**
 * @param {TilePolygon[]} polygons
 * @param {{ paths?: ArrayLike<number>[], links?: SegmentLinks }} [options] paths: x, y, z of each point
 * @returns {string}
 */
export function drawSvg(polygons, { paths = [], links } = {}) {
  const bounds = boundsOf(polygons, paths);
  const { min, max } = bounds;
  const extent = Math.max(max[0] - min[0], max[2] - min[2], 1e-6);
  const margin = MARGIN_FRACTION * SIDE_PIXELS;
  const scale = (SIDE_PIXELS - 2 * margin) / extent;
  const x = (/** @type {number} */ value) => round(margin + (value - min[0]) * scale);
  const z = (/** @type {number} */ value) => round(margin + (value - min[2]) * scale);
  const points = (/** @type {ArrayLike<number>} */ list) =>
    Array.from({ length: list.length / 3 }, (_, i) => `${x(list[3 * i])},${z(list[3 * i + 2])}`).join(' ');
  const width = round((max[0] - min[0]) * scale + 2 * margin);
  const depth = round((max[2] - min[2]) * scale + 2 * margin);
  const surface = polygons.filter((polygon) => !polygon.isOffMesh)
    // Lower polygons first, so that bridges cover the polygons under them.
    .sort((a, b) => a.vertices[1] - b.vertices[1])
    .map((polygon) => `<polygon points="${points(polygon.vertices)}" fill="${colourOf(polygon, bounds)}"/>`);
  const connections = polygons.filter((polygon) => polygon.isOffMesh)
    .map((polygon) => `<polyline points="${points(polygon.vertices)}" class="link"/>`);
  const segments = links ? drawLinks(links, (worldX, worldZ) => [Number(x(worldX)), Number(z(worldZ))]) : [];
  const lines = paths.map((path) => {
    const last = path.length - 3;
    return `<polyline points="${points(path)}" class="path"/>`
      + `<circle cx="${x(path[0])}" cy="${z(path[2])}" r="6" class="start"/>`
      + `<circle cx="${x(path[last])}" cy="${z(path[last + 2])}" r="6" class="end"/>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${depth}" width="${width}" height="${depth}">
<style>polygon{stroke:#2c4434;stroke-width:.7;stroke-linejoin:round}polyline{fill:none}
.path{stroke:#d21f3c;stroke-width:3;stroke-linejoin:round}.link{stroke:#3457d5;stroke-width:2;stroke-dasharray:6 4}
.start{fill:#fff;stroke:#d21f3c;stroke-width:3}.end{fill:#d21f3c}${segments.length > 0 ? LINK_STYLE : ''}</style>
<rect width="100%" height="100%" fill="#f4f1ea"/>
${[...surface, ...connections, ...segments, ...lines].join('\n')}
</svg>
`;
}
