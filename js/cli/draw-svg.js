/** A plan of a navigation mesh as SVG, seen from above: x to the right, z down, higher surface lighter; below it a scale and a legend. */

import { SEGMENT_LINK_KINDS } from '../index.js';

/** @typedef {import('../mesh/detour-tile.js').TilePolygon} TilePolygon */
/** @typedef {import('../index.js').SegmentLinks} SegmentLinks */

const SIDE_PIXELS = 1000;
const MARGIN_FRACTION = 0.02;

/** Height of the line of scale and legend; its text; a character of it; a sign and the spaces around it: pixels. */
const [LEGEND_PIXELS, TEXT_PIXELS, CHARACTER_PIXELS, SIGN_PIXELS] = [36, 14, 8, 44];
/** The longest that the scale may be, a share of the plan's width. */
const SCALE_FRACTION = 0.25;

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

/**
 * The bounds of the drawing. A link may end on a floor that isn't drawn: the heights of its ends don't count.
 * @param {TilePolygon[]} polygons @param {ArrayLike<number>[]} paths @param {ArrayLike<number>[]} links their ends
 */
function boundsOf(polygons, paths, links) {
  const min = [Infinity, Infinity, Infinity];
  const max = [-Infinity, -Infinity, -Infinity];
  for (const points of [...polygons.map((polygon) => polygon.vertices), ...paths]) {
    for (let i = 0; i < points.length; i++) {
      min[i % 3] = Math.min(min[i % 3], points[i]);
      max[i % 3] = Math.max(max[i % 3], points[i]);
    }
  }
  for (const points of links) {
    for (let i = 0; i < points.length; i++) {
      if (i % 3 === 1) continue;
      min[i % 3] = Math.min(min[i % 3], points[i]);
      max[i % 3] = Math.max(max[i % 3], points[i]);
    }
  }
  // Links alone have no height.
  if (min[1] > max[1]) [min[1], max[1]] = [0, 1];
  return Number.isFinite(min[0]) ? { min, max } : { min: [0, 0, 0], max: [1, 1, 1] };
}

/** The mean height of its corners. @param {{ vertices: ArrayLike<number> }} polygon */
export function heightOf({ vertices }) {
  let height = 0;
  for (let i = 1; i < vertices.length; i += 3) height += vertices[i];
  return 3 * height / vertices.length;
}

/** @param {number} area @param {number} fraction of the way from the lowest ground to the highest */
const colourOfArea = (area, fraction) => `hsl(${hueOf(area)} 45% ${(48 + 36 * fraction).toFixed(0)}%)`;

/** @param {TilePolygon} polygon @param {{ min: number[], max: number[] }} bounds */
const colourOf = (polygon, { min, max }) => colourOfArea(polygon.area, (heightOf(polygon) - min[1]) / Math.max(max[1] - min[1], 1e-6));

/** The longest of 1, 2, 5, 10, ... world units up to a length. @param {number} most */
function scaleUnits(most) {
  const power = 10 ** Math.floor(Math.log10(most));
  return power * (most >= 5 * power ? 5 : most >= 2 * power ? 2 : 1);
}

/** An entry of the legend: a sign, 24 by 12 pixels around 0, 0, and the words beside it. @typedef {{ sign: string, words: string }} Entry */

/** The legend of what is drawn. @param {TilePolygon[]} polygons @param {readonly import('../index.js').LinkKind[]} kinds of links @param {number} pathCount @returns {Entry[]} */
function legendOf(polygons, kinds, pathCount) {
  const areas = [...new Set(polygons.filter(({ isOffMesh }) => !isOffMesh).map(({ area }) => area))].sort((a, b) => a - b);
  return [
    ...areas.map((area) => ({ sign: `<rect x="-12" y="-6" width="24" height="12" fill="${colourOfArea(area, 0.5)}"/>`, words: `area ${area}` })),
    ...(polygons.some(({ isOffMesh }) => isOffMesh) ? [{ sign: '<polyline points="-12,0 12,0" class="link"/>', words: 'connection' }] : []),
    ...kinds.map((kind) => ({ sign: `<g class="${kind}"><polygon points="-12,-6 12,-6 12,6 -12,6"/><path d="M-12 0L12 0${arrowTo([-12, 0], [12, 0])}"/></g>`, words: kind })),
    ...(pathCount > 0 ? [{ sign: '<polyline points="-12,0 12,0" class="path"/>', words: 'path' }] : []),
  ];
}

/**
 * The scale and the legend, in as many lines as they need.
 * @param {Entry[]} entries @param {number} scale pixels of a world unit @param {number} width of the plan @param {number} top
 * @returns {{ items: string[], width: number, height: number }} pixels; the width is that of the longest line, which a narrow plan lacks
 */
function drawLegend(entries, scale, width, top) {
  const margin = MARGIN_FRACTION * SIDE_PIXELS, units = scaleUnits(SCALE_FRACTION * width / scale), length = units * scale;
  const words = `${Number(units.toPrecision(1))} ${units === 1 ? 'unit' : 'units'}, lighter is higher`;
  const items = [`<path d="M${round(margin)} ${round(top + 8)}v8h${round(length)}v-8" class="scale"/><text x="${round(margin + length + 8)}" y="${round(top + 17)}">${words}</text>`];
  let [left, line] = [margin + length + 8 + words.length * CHARACTER_PIXELS, 0], widest = left;
  for (const { sign, words: text } of entries) {
    const wide = SIGN_PIXELS + text.length * CHARACTER_PIXELS;
    if (left + wide > width) [left, line] = [margin, line + 1];
    const y = top + line * LEGEND_PIXELS + 12;
    items.push(`<g transform="translate(${round(left + 24)} ${round(y)})">${sign}<text x="18" y="5">${text}</text></g>`);
    left += wide;
    widest = Math.max(widest, left);
  }
  return { items, width: widest, height: (line + 1) * LEGEND_PIXELS };
}

/**
 * Segment links: the area that agents pass, and an arrow at each side where they arrive.
 * @param {SegmentLinks} links @param {readonly number[]} shown their indices @param {(x: number, z: number) => [number, number]} toPixels
 */
function drawLinks({ kinds, starts, ends, bidirectional, enabled }, shown, toPixels) {
  return shown.map((i) => {
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
 * @param {{ paths?: ArrayLike<number>[], links?: SegmentLinks, shownLinks?: readonly number[] }} [options] paths: x, y, z of each point; shownLinks: indices of
 *   the links that are drawn
 * @returns {string}
 */
export function drawSvg(polygons, { paths = [], links, shownLinks: shown = [] } = {}) {
  const bounds = boundsOf(polygons, paths, links ? shown.flatMap((i) => [links.starts.subarray(6 * i, 6 * i + 6), links.ends.subarray(6 * i, 6 * i + 6)]) : []);
  const { min, max } = bounds;
  const extent = Math.max(max[0] - min[0], max[2] - min[2], 1e-6);
  const margin = MARGIN_FRACTION * SIDE_PIXELS;
  const scale = (SIDE_PIXELS - 2 * margin) / extent;
  const x = (/** @type {number} */ value) => round(margin + (value - min[0]) * scale);
  const z = (/** @type {number} */ value) => round(margin + (value - min[2]) * scale);
  const points = (/** @type {ArrayLike<number>} */ list) =>
    Array.from({ length: list.length / 3 }, (_, i) => `${x(list[3 * i])},${z(list[3 * i + 2])}`).join(' ');
  const width = (max[0] - min[0]) * scale + 2 * margin, plan = (max[2] - min[2]) * scale + 2 * margin;
  const legend = drawLegend(legendOf(polygons, SEGMENT_LINK_KINDS.filter((_, kind) => shown.some((i) => links?.kinds[i] === kind)), paths.length), scale, width, plan);
  const size = [round(Math.max(width, legend.width)), round(plan + legend.height)];
  const surface = polygons.filter((polygon) => !polygon.isOffMesh)
    // Lower polygons first, so that bridges cover the polygons under them.
    .sort((a, b) => a.vertices[1] - b.vertices[1])
    .map((polygon) => `<polygon points="${points(polygon.vertices)}" fill="${colourOf(polygon, bounds)}"/>`);
  const connections = polygons.filter((polygon) => polygon.isOffMesh)
    .map((polygon) => `<polyline points="${points(polygon.vertices)}" class="link"/>`);
  const segments = links ? drawLinks(links, shown, (worldX, worldZ) => [Number(x(worldX)), Number(z(worldZ))]) : [];
  const lines = paths.map((path) => {
    const last = path.length - 3;
    return `<polyline points="${points(path)}" class="path"/>`
      + `<circle cx="${x(path[0])}" cy="${z(path[2])}" r="6" class="start"/>`
      + `<circle cx="${x(path[last])}" cy="${z(path[last + 2])}" r="6" class="end"/>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size.join(' ')}" width="${size[0]}" height="${size[1]}">
<style>text{font:${TEXT_PIXELS}px sans-serif;fill:#2c4434}.scale{fill:none;stroke:#2c4434;stroke-width:2}
polygon{stroke:#2c4434;stroke-width:.7;stroke-linejoin:round}polyline{fill:none}
.path{stroke:#d21f3c;stroke-width:3;stroke-linejoin:round}.link{stroke:#3457d5;stroke-width:2;stroke-dasharray:6 4}
.start{fill:#fff;stroke:#d21f3c;stroke-width:3}.end{fill:#d21f3c}${segments.length > 0 ? LINK_STYLE : ''}</style>
<rect width="100%" height="100%" fill="#f4f1ea"/>
${[...surface, ...connections, ...segments, ...lines].join('\n')}
<g class="legend">${legend.items.join('\n')}</g>
</svg>
`;
}
