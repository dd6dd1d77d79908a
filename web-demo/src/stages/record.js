/**
 * The results of all stages of one tile in typed arrays: views.js draws them, and explain.js uses them to explain why a point isn't
 * walkable. Cells include the tile's border, as in the stages: cell = x + z * width.
 */

import { stageFrame } from 'walkmesh';
import { withoutFacingDown } from './slopes.js';

/** @typedef {import('walkmesh').Baker} Baker */
/** @typedef {import('walkmesh').StageArrays} StageArrays */

/** @typedef {import('walkmesh').StageFrame} Frame position of the tile's cells */

/**
 * @typedef {object} TileRecord
 * @property {number} x column in the grid of tiles
 * @property {number} z
 * @property {Frame} frame
 * @property {import('walkmesh').FullConfig} config configuration with defaults
 * @property {Readonly<import('walkmesh').Voxels>} voxels
 * @property {Solid} solid voxels filled by triangles
 * @property {Open} open ground with headroom
 * @property {HeightfieldLayerSpans} heightfieldLayers spans in the heightfield layers
 * @property {string | null} heightfieldLayersFailure error of building the heightfield layers, which
 *   the other results don't depend on
 * @property {StageArrays['contours']} contours
 * @property {StageArrays['polygonMesh']} polygonMesh
 * @property {StageArrays['detailMesh']} detailMesh
 * @property {string | null} failure error of a stage; later results are empty
 * @property {number} bytes approximate memory
 */

/**
 * @typedef {object} Solid spans, bottom to top in each cell
 * @property {Uint32Array} first [cells + 1]
 * @property {Uint16Array} low [spans] cell heights
 * @property {Uint16Array} high [spans] cell heights
 * @property {Uint8Array} rasterized [spans] areas after this stage; 0: not walkable
 * @property {Uint8Array} lowHanging [spans] areas after this filter
 * @property {Uint8Array} ledges [spans]
 * @property {Uint8Array} lowHeight [spans]
 * @property {Uint8Array | null} facesDown [spans] 1: only triangles that face down reach its top; null: unknown
 */

/**
 * @typedef {object} Open spans with headroom, in the order of the solid spans below them
 * @property {Uint32Array} first [cells + 1]
 * @property {Uint32Array} solid [spans] the solid span below each
 * @property {Uint16Array} floor [spans] cell heights
 * @property {Uint16Array} clearance [spans] cell heights, up to 255
 * @property {Uint32Array} links [spans] 6 bits a direction, 63: none
 * @property {Uint8Array} compact [spans] areas after this stage
 * @property {Uint8Array} eroded [spans] areas after erosion, which includes volumes before erosion
 * @property {Uint8Array} marked [spans] areas after the remaining volumes
 * @property {Uint16Array} distance [spans] from the edge of the area, in half cells
 * @property {Uint16Array} regions [spans] 0: none; above 32767: of the border
 */

/**
 * @typedef {object} HeightfieldLayerSpans walkable spans, bottom to top in each cell; these cells exclude the border
 * @property {Uint32Array} first [cells + 1]
 * @property {Uint16Array} floor [spans] cell heights; can lie above the span's floor where the span leads to another heightfield layer
 * @property {Uint16Array} layer [spans] number of the heightfield layer, from 1
 */

/**
 * A baker whose level lacks the triangles that face down: ceilings and undersides. Its grid is that of another baker. null: none faces down.
 * @param {import('walkmesh').Walkmesh} walkmesh @param {{ positions: Float32Array, indices: ArrayLike<number> }} level @param {Baker} baker
 * @returns {Baker | null} free it
 */
export function makeFacingBaker(walkmesh, { positions, indices }, { config, voxels: { boundsMin, boundsMax } }) {
  const others = withoutFacingDown({ positions, indices });
  if (others.length === indices.length) return null;
  const bounds = /** @type {any} */ ({ min: [...boundsMin], max: [...boundsMax] });
  return walkmesh.createBaker({ positions, indices: others }, { ...config, bounds });
}

/**
 * Marks the spans whose tops only triangles that face down reach: no span of the other triangles ends there.
 * @param {Solid} solid @param {Baker} facing of makeFacingBaker @param {number} x tile @param {number} z
 */
function markFacing(solid, facing, x, z) {
  facing.beginTile(x, z, { keepStages: true });
  while (facing.step().stage !== 'rasterize');
  const others = solidOf(facing.read('heightfield'), solid.first.length - 1);
  const facesDown = solid.facesDown = new Uint8Array(solid.low.length);
  for (let cell = 0; cell + 1 < solid.first.length; cell++) {
    let other = others.first[cell];
    for (let span = solid.first[cell]; span < solid.first[cell + 1]; span++) {
      while (other < others.first[cell + 1] && others.high[other] < solid.high[span]) other++;
      facesDown[span] = Number(other === others.first[cell + 1] || others.high[other] !== solid.high[span]);
    }
  }
}

/** Value of a missing link. */
export const NO_LINK = 63;

/** Regions above this number belong to the tile's border. */
export const BORDER_REGION = 0x8000;

/** Areas of the spans of a heightfield. @param {StageArrays['heightfield'] | null} field */
function areasOf(field) {
  const count = (field?.spans.length ?? 0) / 3;
  const areas = new Uint8Array(count);
  for (let i = 0; i < count; i++) areas[i] = /** @type {Uint32Array} */ (field?.spans)[3 * i + 2];
  return areas;
}

/** @param {StageArrays['heightfield'] | null} field @param {number} cells @returns {Solid} */
function solidOf(field, cells) {
  const count = (field?.spans.length ?? 0) / 3;
  const [low, high] = [new Uint16Array(count), new Uint16Array(count)];
  for (let i = 0; i < count; i++) {
    low[i] = /** @type {Uint32Array} */ (field?.spans)[3 * i];
    high[i] = /** @type {Uint32Array} */ (field?.spans)[3 * i + 1];
  }
  const areas = areasOf(field);
  return {
    first: field?.cellFirst ?? new Uint32Array(cells + 1), low, high, rasterized: areas, lowHanging: areas, ledges: areas, lowHeight: areas,
    facesDown: null,
  };
}

/** The solid span below each open span: the spans with an area, in order. @param {Solid} solid @param {number} count */
function solidUnderOpen({ lowHeight }, count) {
  const under = new Uint32Array(count);
  for (let span = 0, open = 0; span < lowHeight.length && open < count; span++) if (lowHeight[span] !== 0) under[open++] = span;
  return under;
}

/** @param {StageArrays['compact'] | null} compact @param {Solid} solid @param {number} cells @returns {Open} */
function openOf(compact, solid, cells) {
  const count = compact?.floor.length ?? 0;
  const first = new Uint32Array(cells + 1);
  for (let cell = 0; cell < cells; cell++) first[cell + 1] = first[cell] + (compact?.cells[2 * cell + 1] ?? 0);
  const areas = compact?.areas ?? new Uint8Array(0);
  return {
    first, solid: solidUnderOpen(solid, count), floor: compact?.floor ?? new Uint16Array(0), clearance: compact?.clearance ?? new Uint16Array(0),
    links: compact?.links ?? new Uint32Array(0), compact: areas, eroded: areas, marked: areas, distance: new Uint16Array(count),
    regions: new Uint16Array(count),
  };
}

/** Height of an empty cell in a heightfield layer. */
const EMPTY = 255;

/**
 * The spans of all heightfield layers by cell: less memory than an image per layer.
 * @param {StageArrays['heightfieldLayers'] | null} field @param {number} cells @returns {HeightfieldLayerSpans}
 */
function heightfieldLayerSpansOf(field, cells) {
  const layers = field?.layers ?? [];
  const first = new Uint32Array(cells + 1);
  for (const { heights } of layers) heights.forEach((height, cell) => { if (height !== EMPTY) first[cell + 1]++; });
  for (let cell = 0; cell < cells; cell++) first[cell + 1] += first[cell];
  // The floor in the upper 16 bits sorts the spans of a cell from bottom to top.
  const sorted = new Uint32Array(first[cells]);
  const next = first.slice();
  layers.forEach(({ heights, heightMin }, i) => heights.forEach((height, cell) => {
    if (height !== EMPTY) sorted[next[cell]++] = (heightMin + height) * 0x10000 + i + 1;
  }));
  for (let cell = 0; cell < cells; cell++) sorted.subarray(first[cell], first[cell + 1]).sort();
  return { first, floor: Uint16Array.from(sorted, (value) => value >>> 16), layer: Uint16Array.from(sorted, (value) => value & 0xffff) };
}

/** Reads the heightfield layers. An error here must not end the record. @param {TileRecord} record @param {Baker} baker */
function readHeightfieldLayers(record, baker) {
  try {
    const field = baker.read('heightfieldLayers');
    if (field) record.heightfieldLayers = heightfieldLayerSpansOf(field, field.width * field.depth);
  } catch (error) {
    record.heightfieldLayersFailure = messageOf(error);
  }
}

/** @param {unknown} error */
const messageOf = (error) => (error instanceof Error ? error.message : String(error));

/** @returns {Pick<TileRecord, 'contours' | 'polygonMesh' | 'detailMesh'>} */
const nothing = () => ({
  contours: [],
  polygonMesh: { vertexCount: 0, polygonCount: 0, maxVertices: 3, vertices: new Uint16Array(0), polygons: new Uint16Array(0),
    regions: new Uint16Array(0), areas: new Uint8Array(0) },
  detailMesh: { submeshCount: 0, vertexCount: 0, triangleCount: 0, submeshes: new Uint32Array(0), vertices: new Float32Array(0),
    triangles: new Uint8Array(0) },
});

/** The results to read after each stage. @type {Record<string, (record: TileRecord, baker: Baker, cells: number, isTrial: boolean) => void>} */
const READERS = {
  rasterize(record, baker, cells) { record.solid = solidOf(baker.read('heightfield'), cells); },
  filterLowHanging({ solid }, baker) { solid.lowHanging = solid.ledges = solid.lowHeight = areasOf(baker.read('heightfield')); },
  filterLedges({ solid }, baker) { solid.ledges = solid.lowHeight = areasOf(baker.read('heightfield')); },
  filterLowHeight({ solid }, baker) { solid.lowHeight = areasOf(baker.read('heightfield')); },
  compact(record, baker, cells) { record.open = openOf(baker.read('compact'), record.solid, cells); },
  erode({ open }, baker) { open.eroded = open.marked = baker.read('areas') ?? open.eroded; },
  markAreas(record, baker, _, isTrial) {
    record.open.marked = baker.read('areas') ?? record.open.marked;
    if (!isTrial) readHeightfieldLayers(record, baker);
  },
  distance({ open }, baker) { open.distance = baker.read('distance') ?? open.distance; },
  regions({ open }, baker) { open.regions = baker.read('regions') ?? open.regions; },
  contours(record, baker) { record.contours = baker.read('contours') ?? record.contours; },
  polygonMesh(record, baker) { record.polygonMesh = baker.read('polygonMesh') ?? record.polygonMesh; },
  detailMesh(record, baker) { record.detailMesh = baker.read('detailMesh') ?? record.detailMesh; },
};

/** @param {object} value @returns {number} bytes of all typed arrays in it, at any depth */
function bytesOf(value) {
  if (ArrayBuffer.isView(value)) return value.byteLength;
  return Object.values(value).reduce((sum, part) => sum + (typeof part === 'object' && part !== null ? bytesOf(part) : 0), 0);
}

/**
 * Bakes a tile with a pause after every stage, and stores the result of each. A failing stage ends the record; earlier
 * results stay.
 * @param {Baker} baker @param {number} x @param {number} z
 * @param {{ isTrial?: boolean, facing?: Baker | null }} [options] isTrial: ends with the polygon mesh, and has no heightfield layers;
 *   facing: of makeFacingBaker, to tell ceilings from steep surfaces
 * @returns {Generator<void, TileRecord, void>}
 */
export function* recordTile(baker, x, z, { isTrial = false, facing = null } = {}) {
  const frame = stageFrame(baker, x, z);
  const cells = frame.width * frame.depth;
  const solid = solidOf(null, cells);
  /** @type {TileRecord} */
  const record = {
    x, z, frame, config: baker.config, voxels: baker.voxels, solid, open: openOf(null, solid, cells),
    heightfieldLayers: heightfieldLayerSpansOf(null, cells), heightfieldLayersFailure: null, ...nothing(), failure: null, bytes: 0,
  };
  baker.beginTile(x, z, { keepStages: true });
  try {
    while (baker.nextStage !== (isTrial ? 'detailMesh' : 'done')) {
      const { stage } = baker.step();
      READERS[stage]?.(record, baker, cells, isTrial);
      if (stage === 'rasterize' && facing) markFacing(record.solid, facing, x, z);
      yield;
    }
  } catch (error) {
    record.failure = messageOf(error);
  }
  const { solid: spans, open, heightfieldLayers, contours, polygonMesh, detailMesh } = record;
  record.bytes = bytesOf({ spans, open, heightfieldLayers, contours, polygonMesh, detailMesh });
  return record;
}

/** Makes the record without pauses. @param {Baker} baker @param {number} [x] @param {number} [z] @param {Baker | null} [facing] @returns {TileRecord} */
export function recordTileNow(baker, x = 0, z = 0, facing = null) {
  const steps = recordTile(baker, x, z, { facing });
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/**
 * The neighbouring open span in a direction (0 x-, 1 z+, 2 x+, 3 z-), or -1.
 * @param {TileRecord} record @param {number} cell @param {number} span @param {number} direction
 */
export function neighbourOf({ frame: { width }, open }, cell, span, direction) {
  const index = open.links[span] >>> 6 * direction & 63;
  if (index === NO_LINK) return -1;
  return open.first[cell + [-1, width, 1, -width][direction]] + index;
}
