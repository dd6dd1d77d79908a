/**
 * Every array of a bake, with the names and layouts of tests/golden/README.md, and their summary. Used by `walkmesh stages` and
 * by the golden tests.
 */

/** @typedef {import('../index.js').Walkmesh} Walkmesh */
/** @typedef {import('../bake/baker.js').Baker} Baker */
/** @typedef {import('../bake/stages.js').StageName} StageName */
/** @typedef {import('../bake/stages.js').StageArray} StageArray */
/** @typedef {{ bytes: number, fnv1a64: string } & Record<string, number | string>} ArraySummary */

/** The array of each stage, and its name in that file. @type {Partial<Record<StageName, [string, StageArray]>>} */
const SINGLE_TILE_ARRAYS = {
  rasterize: ['hf_raster', 'heightfield'],
  filterLowHanging: ['hf_filter_low_hanging', 'heightfield'],
  filterLedges: ['hf_filter_ledge', 'heightfield'],
  filterLowHeight: ['hf_filter_low_height', 'heightfield'],
  compact: ['compact', 'compact'],
  erode: ['areas_eroded', 'areas'],
  distance: ['distance', 'distance'],
  regions: ['regions', 'regions'],
  contours: ['contours', 'contours'],
  polygonMesh: ['polymesh', 'polygonMesh'],
  detailMesh: ['detail', 'detailMesh'],
  tile: ['tile', 'tile'],
};

/** With what the golden figures lack. */
const ALL_SINGLE_TILE_ARRAYS = { ...SINGLE_TILE_ARRAYS,
  markAreas: /** @type {[string, StageArray]} */ (['heightfield_layers', 'heightfieldLayers']) };

/** @type {Partial<Record<StageName, [string, StageArray]>>} */
const TILED_ARRAYS = {
  polygonMesh: ['tiles_polymesh', 'polygonMesh'],
  detailMesh: ['tiles_detail', 'detailMesh'],
  tile: ['tiles_data', 'tile'],
};

/** Counts that the summary shows beside an array's size. @param {string} name @param {Baker} baker */
function countsOf(name, baker) {
  const counts = baker.counts();
  if (name.startsWith('hf_')) return { spans: counts.solidSpans };
  switch (name) {
    case 'compact': return { spans: counts.openSpans };
    case 'heightfield_layers': return { layers: baker.read('heightfieldLayers')?.layers.length ?? 0 };
    case 'distance': return { maxDistance: counts.maxDistance };
    case 'regions': return { maxRegions: counts.regions };
    case 'contours': return {
      contours: counts.contours, verts: counts.contourVertices, rverts: counts.rawContourVertices };
    case 'polymesh': return { verts: counts.vertices, polys: counts.polygons };
    case 'detail': return { verts: counts.detailVertices, tris: counts.detailTriangles };
    default: return {};
  }
}

/** A float32 with nine digits, which are unique. @param {number} value */
const nineDigits = (value) => Number(Math.fround(value).toPrecision(9));

/** @param {Baker} baker */
function describeParameters({ config, voxels }) {
  const tiled = config.tileSize > 0;
  return {
    cs: nineDigits(config.cellSize), ch: nineDigits(config.cellHeight), agentHeight: nineDigits(config.agentHeight),
    agentRadius: nineDigits(config.agentRadius), agentMaxClimb: nineDigits(config.agentMaxClimb),
    slope: nineDigits(config.agentMaxSlope), width: tiled ? 0 : voxels.width, height: tiled ? 0 : voxels.depth,
    walkableHeight: voxels.walkableHeight, walkableClimb: voxels.walkableClimb, walkableRadius: voxels.walkableRadius,
    maxEdgeLen: voxels.maxEdgeCells, maxSimplificationError: nineDigits(config.maxEdgeError),
    minRegionArea: voxels.minRegionCells, mergeRegionArea: voxels.mergeRegionCells,
    maxVertsPerPoly: config.maxVerticesPerPolygon, detailSampleDist: nineDigits(voxels.detailSampleDistance),
    detailSampleMaxError: nineDigits(voxels.detailMaxError), partition: config.partition,
    bmin: voxels.boundsMin.map(nineDigits), bmax: voxels.boundsMax.map(nineDigits),
  };
}

/** @param {Walkmesh} walkmesh @param {Uint8Array} bytes @returns {ArraySummary} */
function summarize(walkmesh, bytes) {
  return { bytes: bytes.length, fnv1a64: walkmesh.hash(bytes) };
}

/**
 * Runs the remaining stages of a tile, and passes each wanted array to `onArray`.
 * @param {Baker} baker @param {Partial<Record<StageName, [string, StageArray]>>} wanted
 * @param {(name: string, bytes: Uint8Array) => void} onArray
 */
function runTile(baker, wanted, onArray) {
  while (baker.nextStage !== 'done') {
    const [name, array] = wanted[baker.step().stage] ?? [];
    const bytes = name && array ? baker.stage(array) : null;
    if (name && bytes) onArray(name, bytes);
  }
}

/**
 * @param {Walkmesh} walkmesh @param {Baker} baker @param {(name: string, bytes: Uint8Array) => void} onArray
 * @param {boolean} hasLayers
 */
function bakeSingle(walkmesh, baker, onArray, hasLayers) {
  /** @type {Record<string, ArraySummary>} */
  const arrays = {};
  const pass = (/** @type {string} */ name, /** @type {Uint8Array} */ bytes) => {
    arrays[name] = Object.assign(summarize(walkmesh, bytes), countsOf(name, baker));
    onArray(name, bytes);
  };
  pass('tri_areas', /** @type {Uint8Array} */ (baker.stage('triangleAreas')));
  baker.beginTile(0, 0, { keepStages: true });
  runTile(baker, hasLayers ? ALL_SINGLE_TILE_ARRAYS : SINGLE_TILE_ARRAYS, pass);
  return { ok: 'tile' in arrays, arrays };
}

/** @param {Uint8Array[]} pieces */
function concatenate(pieces) {
  const whole = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
  let offset = 0;
  for (const piece of pieces) {
    whole.set(piece, offset);
    offset += piece.length;
  }
  return whole;
}

/** @param {Walkmesh} walkmesh @param {Baker} baker @param {(name: string, bytes: Uint8Array) => void} onArray */
function bakeTiled(walkmesh, baker, onArray) {
  /** @type {Record<string, Uint8Array[]>} */
  const pieces = { tiles_polymesh: [], tiles_detail: [], tiles_data: [] };
  const { tileCountX, tileCountZ } = baker.voxels;
  let [built, polygons] = [0, 0];
  for (let tile = 0; tile < tileCountX * tileCountZ; tile++) {
    const [x, z] = [tile % tileCountX, Math.floor(tile / tileCountX)];
    baker.beginTile(x, z, { keepStages: true });
    runTile(baker, TILED_ARRAYS, (name, bytes) => {
      if (baker.counts().polygons === 0) return;
      const size = name === 'tiles_data' ? [bytes.length] : [];
      pieces[name].push(new Uint8Array(Uint32Array.of(x, z, ...size).buffer), bytes);
    });
    const count = baker.counts().polygons;
    polygons += count;
    built += count > 0 ? 1 : 0;
  }
  /** @type {Record<string, ArraySummary>} */
  const arrays = {};
  for (const [name, list] of Object.entries(pieces)) {
    const bytes = concatenate(list);
    arrays[name] = summarize(walkmesh, bytes);
    onArray(name, bytes);
  }
  return { tileSize: baker.config.tileSize, tiles: [tileCountX, tileCountZ], tilesBuilt: built, polys: polygons, arrays };
}

/**
 * Bakes a level, and passes each array to `onArray` as soon as it exists.
 * @param {Walkmesh} walkmesh
 * @param {import('../input/geometry.js').Geometry} geometry
 * @param {import('../input/config.js').Config} config
 * @param {(name: string, bytes: Uint8Array) => void} onArray
 * @param {{ hasLayers?: boolean }} [options] hasLayers: of a single tile the heightfield layers too, which the golden figures lack
 * @returns {Record<string, any> & { arrays: Record<string, ArraySummary>, warnings: string[] }} the summary, in the form of one case of tests/golden/synthetic.json
 */
export function bakeStageArrays(walkmesh, geometry, config, onArray, { hasLayers = false } = {}) {
  const baker = walkmesh.createBaker(geometry, config);
  try {
    const bakeAll = baker.config.tileSize > 0 ? bakeTiled : bakeSingle;
    return {
      triangles: baker.triangleCount, params: describeParameters(baker),
      ...bakeAll(walkmesh, baker, onArray, hasLayers), recastErrors: {}, warnings: baker.warnings,
    };
  } finally {
    baker.free();
  }
}
