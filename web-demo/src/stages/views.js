/**
 * Views of stages as arrays for the graphics card. They hold values (areas, regions, distances ...) that a palette
 * turns into colours.
 */
import { BoxMerger } from './boxes.js';
import { clearanceOf, groundOf } from './clearance.js';
import { drapeLine } from './drape.js';
import { polygonOnlyValue, regionValue } from './region-tints.js';
import { shadeOf } from './relief.js';
import { CODES_OF, REMOVALS, isOwnRegion, removalsOf } from './removal.js';
import { isWallTop } from './wall-tops.js';

/** @typedef {import('./record.js').TileRecord} TileRecord */
/** @typedef {import('./volumes.js').NamedVolume} NamedVolume */

/**
 * Boxes are in cells from the tile's origin; lines and triangles in world units.
 * @typedef {object} View
 * @property {Uint16Array<ArrayBuffer>} [boxes] [n][8] see boxes.js
 * @property {Float32Array<ArrayBuffer>} [lines] [n][8] x, y, z of both ends, value, 0
 * @property {{ positions: Float32Array<ArrayBuffer>, values: Uint16Array<ArrayBuffer> }} [triangles] three vertices each, loose
 * @property {number} count number of spans, contours, polygons or triangles
 * @property {number} [max] the largest value
 * @property {number} [ceilings] number of its spans that are ceilings
 */

/** Number of colours of islands and heightfield layers. */
export const REGION_COLORS = 1024;

/** Values of edges by kind. */
export const EDGE = Object.freeze({ wall: 1, portal: 2, shared: 3, detail: 4 });

/** Codes for: no neighbour across an edge, the bit of portals, and no vertex. */
const [NO_NEIGHBOUR, PORTAL_BIT, NO_VERTEX] = [0xffff, 0x8000, 0xffff];

/**
 * The value of a polygon: the value of its region, or its own value if it covers several regions.
 * @param {TileRecord} record @param {number} polygon
 */
const polygonValue = (record, polygon) => regionValue(record, record.polygonMesh.regions[polygon]) || polygonOnlyValue(record, polygon);

/**
 * Visits the cells of a tile without its border.
 * @param {TileRecord} record @param {(cell: number, x: number, z: number) => void} visit
 */
function forInnerCells({ frame: { width, depth, border } }, visit) {
  for (let z = border; z < depth - border; z++) {
    for (let x = border; x < width - border; x++) visit(x + z * width, x - border, z - border);
  }
}

/** @param {BoxMerger} merger @returns {View} */
const boxesOf = (merger) => ({ count: merger.spans, boxes: merger.finish() });

/** Values of ceilings in views of solid spans, above those of areas: in a closed level they hide the rooms below. */
export const CEILING = Object.freeze({ solid: 64, removed: 2 });

/** True if a solid span is a ceiling: the highest of its cell, above another one, and not walkable. @param {TileRecord['solid']} solid @param {number} cell @param {number} span */
const isCeiling = (solid, cell, span) => span === solid.first[cell + 1] - 1 && span > solid.first[cell] && solid.lowHeight[span] === 0;

/** @param {TileRecord} record @returns {View} voxels filled by triangles, by area */
function viewSolid(record) {
  const { solid } = record;
  const merger = new BoxMerger();
  forInnerCells(record, (cell, x, z) => {
    for (let i = solid.first[cell]; i < solid.first[cell + 1]; i++) {
      merger.add(x, z, solid.low[i], solid.high[i], isCeiling(solid, cell, i) ? CEILING.solid : solid.lowHeight[i], shadeOf(record, cell, i));
    }
  });
  return boxesOf(merger);
}

/** Plates on open spans. @param {TileRecord} record @param {(span: number) => number} valueOf @returns {View} */
function viewOpen(record, valueOf) {
  const { open } = record;
  const merger = new BoxMerger();
  let max = 0;
  forInnerCells(record, (cell, x, z) => {
    for (let i = open.first[cell]; i < open.first[cell + 1]; i++) {
      const value = valueOf(i);
      max = Math.max(max, value);
      merger.add(x, z, open.floor[i], open.floor[i], value);
    }
  });
  return { ...boxesOf(merger), max };
}

/**
 * Plates on open spans by distance from the edge of the walkable ground, half cells.
 * @param {TileRecord} record @param {import('./clearance.js').Around} [around] default: the tile alone @returns {View}
 */
function viewDistance(record, around = Array.from({ length: 9 }, (_, i) => (i === 4 ? groundOf(record) : null))) {
  const distances = clearanceOf(around, record);
  let next = 0; // both go through the cells in the same order
  return viewOpen(record, (span) => (record.open.marked[span] !== 0 ? distances[next++] : 0));
}

/**
 * Plates on the shown solid spans.
 * @param {TileRecord} record @param {(span: number, cell: number) => boolean} isShown @returns {View}
 */
function viewTops(record, isShown) {
  const { solid } = record;
  const merger = new BoxMerger();
  let ceilings = 0;
  forInnerCells(record, (cell, x, z) => {
    for (let i = solid.first[cell]; i < solid.first[cell + 1]; i++) {
      if (!isShown(i, cell)) continue;
      const isAbove = isCeiling(solid, cell, i);
      if (isAbove) ceilings++;
      merger.add(x, z, solid.high[i], solid.high[i], isAbove ? CEILING.removed : 1);
    }
  });
  return { ...boxesOf(merger), ceilings };
}

/** Plates on the spans of the heightfield layers, by number. @param {TileRecord} record @returns {View} */
function viewHeightfieldLayers(record) {
  const { heightfieldLayers: { first, floor, layer }, frame: { width, border } } = record;
  const merger = new BoxMerger();
  forInnerCells(record, (_, x, z) => {
    const cell = x + z * (width - 2 * border);
    for (let i = first[cell]; i < first[cell + 1]; i++) merger.add(x, z, floor[i], floor[i], layer[i]);
  });
  return boxesOf(merger);
}

/** A growing list of lines. */
class Lines {
  /** @type {number[]} */
  numbers = [];

  /** @param {readonly number[]} a @param {readonly number[]} b @param {number} value */
  add([ax, ay, az], [bx, by, bz], value) {
    this.numbers.push(ax, ay, az, bx, by, bz, value, 0);
  }

  finish() { return Float32Array.from(this.numbers); }
}

/**
 * A vertex of a contour or polygon in world units; vertices are in cells and cell heights without the border.
 * @param {TileRecord} record @param {ArrayLike<number>} vertices @param {number} [at]
 */
function worldPoint({ frame: { origin, cellSize, cellHeight } }, vertices, at = 0) {
  return [origin[0] + vertices[at] * cellSize, origin[1] + vertices[at + 1] * cellHeight, origin[2] + vertices[at + 2] * cellSize];
}

/** @param {TileRecord} record @param {'vertices' | 'rawVertices'} which @returns {View} */
function viewContours(record, which) {
  const lines = new Lines();
  for (const contour of record.contours) {
    const vertices = contour[which];
    const count = vertices.length / 4;
    const value = regionValue(record, contour.region);
    const pointOf = (/** @type {number} */ i) => /** @type {import('./drape.js').CellPoint} */ ([...vertices.subarray(4 * (i % count), 4 * (i % count) + 3)]);
    for (let i = 0; i < count; i++) {
      const points = drapeLine(record, pointOf(i), pointOf(i + 1)).map((point) => worldPoint(record, point));
      for (let k = 1; k < points.length; k++) lines.add(points[k - 1], points[k], value);
    }
  }
  return { count: record.contours.length, lines: lines.finish() };
}

/** The vertices of a polygon. @param {TileRecord['polygonMesh']} mesh @param {number} polygon @returns {number[]} */
export function cornersOf({ polygons, maxVertices }, polygon) {
  const corners = [];
  for (let k = 0; k < maxVertices; k++) {
    const vertex = polygons[2 * maxVertices * polygon + k];
    if (vertex === NO_VERTEX) break;
    corners.push(vertex);
  }
  return corners;
}

/**
 * @param {number} neighbour @param {number} polygon @returns {number | null} the kind of an edge; null: its neighbour draws it
 */
function edgeKind(neighbour, polygon) {
  if (neighbour === NO_NEIGHBOUR) return EDGE.wall;
  if (neighbour & PORTAL_BIT) return (neighbour & 15) === 15 ? EDGE.wall : EDGE.portal;
  return neighbour > polygon ? EDGE.shared : null;
}

/** @param {TileRecord} record @returns {View} */
function viewPolygonMesh(record) {
  const { polygonMesh: mesh } = record;
  /** @type {number[][]} */
  const [positions, values] = [[], []];
  const lines = new Lines();
  for (let p = 0; p < mesh.polygonCount; p++) {
    const corners = cornersOf(mesh, p);
    const points = corners.map((vertex) => worldPoint(record, mesh.vertices, 3 * vertex));
    const value = polygonValue(record, p);
    for (let k = 2; k < points.length; k++) {
      positions.push(...points[0], ...points[k - 1], ...points[k]);
      values.push(value, value, value);
    }
    points.forEach((point, k) => {
      const kind = edgeKind(mesh.polygons[mesh.maxVertices * (2 * p + 1) + k], p);
      if (kind !== null) lines.add(point, points[(k + 1) % points.length], kind);
    });
  }
  return { count: mesh.polygonCount, triangles: { positions: Float32Array.from(positions), values: Uint16Array.from(values) }, lines: lines.finish() };
}

/** Bits of a detail triangle's flags: edge k lies on the outline. */
const OUTLINE_BITS = [1, 4, 16];

/** @param {TileRecord} record @returns {View} */
function viewDetailMesh(record) {
  const { submeshCount, submeshes, vertices, triangles, triangleCount } = record.detailMesh;
  const positions = new Float32Array(9 * triangleCount);
  const values = new Uint16Array(3 * triangleCount);
  const lines = new Lines();
  const pointAt = (/** @type {number} */ at) => [positions[at], positions[at + 1], positions[at + 2]];
  for (let p = 0, t = 0; p < submeshCount; p++) {
    const [firstVertex, , first, count] = submeshes.subarray(4 * p, 4 * p + 4);
    for (let i = first; i < first + count; i++, t++) {
      for (let k = 0; k < 3; k++) {
        const vertex = 3 * (firstVertex + triangles[4 * i + k]);
        positions.set(vertices.subarray(vertex, vertex + 3), 9 * t + 3 * k);
        values[3 * t + k] = polygonValue(record, p);
      }
      for (let k = 0; k < 3; k++) {
        const isOutline = (triangles[4 * i + 3] & OUTLINE_BITS[k]) !== 0;
        // Two triangles share an inner edge: the triangle whose first corner is lower draws it.
        if (!isOutline && triangles[4 * i + k] > triangles[4 * i + (k + 1) % 3]) continue;
        lines.add(pointAt(9 * t + 3 * k), pointAt(9 * t + 3 * ((k + 1) % 3)), isOutline ? EDGE.shared : EDGE.detail);
      }
    }
  }
  return { count: triangleCount, triangles: { positions, values }, lines: lines.finish() };
}

/** @typedef {(record: TileRecord, volumes: readonly NamedVolume[], around?: import('./clearance.js').Around) => View} ViewMaker around: of views that need it */

/** Views of a tile that depend on its neighbours. */
export const NEEDS_AROUND = new Set(['distance']);

/** By name. @type {Readonly<Record<string, ViewMaker>>} */
export const VIEWS = Object.freeze({
  solid: viewSolid,
  lowHanging: (record) => viewTops(record, (span) => record.solid.rasterized[span] === 0 && record.solid.lowHanging[span] !== 0),
  ...Object.fromEntries(REMOVALS.slice(1).map((name, i) => [name, /** @type {ViewMaker} */ ((record, volumes) => {
    const codes = removalsOf(record, volumes);
    return viewTops(record, (span, cell) => codes[span] === i + 1 && !(i + 1 === CODES_OF.steep && isWallTop(record, codes, cell, span)));
  })])),
  areas: (record) => viewOpen(record, (span) => record.open.marked[span]),
  heightfieldLayers: viewHeightfieldLayers,
  distance: (record, _, around) => viewDistance(record, around),
  regions: (record) => viewOpen(record, (span) => (isOwnRegion(record.open.regions[span]) ? regionValue(record, record.open.regions[span]) : 0)),
  rawContours: (record) => viewContours(record, 'rawVertices'),
  contours: (record) => viewContours(record, 'vertices'),
  polygonMesh: viewPolygonMesh,
  detailMesh: viewDetailMesh,
});

/** The buffers of a view, for transfer. @param {View} view @returns {ArrayBuffer[]} */
export function buffersOf({ boxes, lines, triangles }) {
  return [boxes, lines, triangles?.positions, triangles?.values].flatMap((array) => (array ? [array.buffer] : []));
}
