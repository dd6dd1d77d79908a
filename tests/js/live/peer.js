/**
 * Drives the npm package recast-navigation stage by stage and writes each stage's arrays in the layouts of
 * tests/golden/README.md, so that they can be compared byte for byte with ours.
 *
 * Only the package's public exports are called. Arrays are read straight from its WebAssembly memory,
 * through the heap views it exposes: the objects are plain C structs of 32-bit pointers and numbers, in the
 * order of the fields in its type declarations. `verifyLayout` checks that order against the accessors.
 *
 * Usual order: loadPeer() once; new PeerBake(...); run(stage) for every stage of PEER_STAGES in order, or
 * runAll(); dump(name) between them; free().
 */

/** The stages in pipeline order. */
export const PEER_STAGES = [
  'slopes',
  'rasterize',
  'filterLowHanging',
  'filterLedges',
  'filterLowHeight',
  'compact',
  'erode',
  'markAreas',
  'distance',
  'regions',
  'contours',
  'polygonMesh',
  'detailMesh',
  'tile',
];

/** @returns {Promise<object|null>} the initialised package, or null where it is not installed */
export async function loadPeer() {
  let api;
  try {
    api = await import('recast-navigation');
  } catch (error) {
    if (error.code === 'ERR_MODULE_NOT_FOUND') return null;
    throw error;
  }
  await api.init();
  return api;
}

/**
 * Replaces the peer's WebAssembly instance by a fresh one: a stage of the peer that writes outside its arrays
 * may damage every later bake of the same instance.
 * @param {object} api from loadPeer
 */
export async function renewPeer(api) {
  api.Raw.Module = undefined;
  await api.init();
}

/** One tile's bake in the peer. */
export class PeerBake {
  /**
   * @param {object} api from loadPeer
   * @param {{positions: Float32Array, indices: Uint32Array, areas?: Uint8Array}} level
   * @param {object} config world units (voxels.js), plus volumes, connections, areaFlags
   * @param {object} voxels from toVoxels
   * @param {{minimum: number[], maximum: number[], width: number, depth: number}} grid from tileGrid
   * @param {{x?: number, z?: number, log?: boolean}} [options]
   */
  constructor(api, level, config, voxels, grid, options = {}) {
    Object.assign(this, { api, level, config, voxels, grid });
    this.tileX = options.x ?? 0;
    this.tileZ = options.z ?? 0;
    this.context = new api.RecastBuildContext(options.log ?? true);
    if (options.log ?? true) this.context.raw.enableTimer(false);
    this.module = api.Raw.Module;
    this.allocated = [];
    this.loadTriangles();
  }

  /** Errors and warnings of the peer until now. */
  get messages() {
    return this.context.logs.map((entry) => entry.msg);
  }

  loadTriangles() {
    const { api, level } = this;
    this.vertexArray = new api.FloatArray();
    this.vertexArray.resize(level.positions.length);
    this.vertexArray.getHeapView().set(level.positions);
    this.indexArray = new api.IntArray();
    this.indexArray.resize(level.indices.length);
    this.indexArray.getHeapView().set(level.indices);
    this.areaArray = new api.UnsignedCharArray();
    this.areaArray.resize(Math.max(1, level.indices.length / 3));
    this.areaArray.getHeapView().fill(0);
  }

  runAll() {
    for (const stage of PEER_STAGES) this.run(stage);
  }

  /** @param {string} stage of PEER_STAGES; throws where the peer reports failure */
  run(stage) {
    if (this[stage]() === false) throw new Error(`recast-navigation failed in ${stage}`);
  }

  /** @param {string} stage @returns {string[]} the peer's log of this run */
  runForMessages(stage) {
    const before = this.context.logs.length;
    this.run(stage);
    return this.messages.slice(before);
  }

  slopes() {
    const { api, level, config } = this;
    const triangleCount = level.indices.length / 3;
    const vertexCount = level.positions.length / 3;
    api.markWalkableTriangles(this.context, config.agentMaxSlope, this.vertexArray, vertexCount,
      this.indexArray, triangleCount, this.areaArray);
    if (level.areas) {
      const areas = this.areaArray.getHeapView();
      for (let i = 0; i < triangleCount; i++) if (areas[i] !== 0) areas[i] = level.areas[i];
    }
  }

  rasterize() {
    const { api, level, grid, voxels } = this;
    this.heightfield = api.allocHeightfield();
    if (!api.createHeightfield(this.context, this.heightfield, grid.width, grid.depth, grid.minimum,
      grid.maximum, voxels.cellSize, voxels.cellHeight)) return false;
    return api.rasterizeTriangles(this.context, this.vertexArray, level.positions.length / 3, this.indexArray,
      this.areaArray, level.indices.length / 3, this.heightfield, voxels.walkableClimb);
  }

  filterLowHanging() {
    if (!this.config.filterLowHangingObstacles) return;
    this.api.filterLowHangingWalkableObstacles(this.context, this.voxels.walkableClimb, this.heightfield);
  }

  filterLedges() {
    if (!this.config.filterLedges) return;
    const { walkableHeight, walkableClimb } = this.voxels;
    this.api.filterLedgeSpans(this.context, walkableHeight, walkableClimb, this.heightfield);
  }

  filterLowHeight() {
    if (!this.config.filterLowHeight) return;
    this.api.filterWalkableLowHeightSpans(this.context, this.voxels.walkableHeight, this.heightfield);
  }

  compact() {
    const { walkableHeight, walkableClimb } = this.voxels;
    this.compactField = this.api.allocCompactHeightfield();
    return this.api.buildCompactHeightfield(this.context, walkableHeight, walkableClimb, this.heightfield,
      this.compactField);
  }

  erode() {
    return this.api.erodeWalkableArea(this.context, this.voxels.walkableRadius, this.compactField);
  }

  markAreas() {
    const { api, config, compactField } = this;
    if (config.medianFilter && !api.medianFilterWalkableArea(this.context, compactField)) return false;
    for (const volume of config.volumes ?? []) this.markVolume(volume);
    return true;
  }

  markVolume(volume) {
    const { api, context, compactField } = this;
    if (volume.kind === 'box') {
      api.markBoxArea(context, volume.minimum, volume.maximum, volume.area, compactField);
    } else if (volume.kind === 'cylinder') {
      api.markCylinderArea(context, volume.centre, volume.radius, volume.height, volume.area, compactField);
    } else {
      const vertices = new api.FloatArray();
      vertices.copy(Array.from(volume.vertices));
      api.markConvexPolyArea(context, vertices, volume.vertices.length / 3, volume.minimumY, volume.maximumY,
        volume.area, compactField);
      vertices.destroy();
    }
  }

  distance() {
    if (this.config.partition !== 'watershed') return true;
    return this.api.buildDistanceField(this.context, this.compactField);
  }

  regions() {
    const { api, context, compactField, voxels } = this;
    const { borderSize, minRegionCells, mergeRegionCells } = voxels;
    switch (this.config.partition) {
      case 'watershed':
        return api.buildRegions(context, compactField, borderSize, minRegionCells, mergeRegionCells);
      case 'monotone':
        return api.buildRegionsMonotone(context, compactField, borderSize, minRegionCells, mergeRegionCells);
      case 'layers':
        return api.buildLayerRegions(context, compactField, borderSize, minRegionCells);
      default:
        throw new Error(`the peer has no partition '${this.config.partition}'`);
    }
  }

  contours() {
    const { api, voxels } = this;
    this.contourSet = api.allocContourSet();
    return api.buildContours(this.context, this.compactField, this.config.maxEdgeError, voxels.maxEdgeCells,
      this.contourSet, api.Recast.RC_CONTOUR_TESS_WALL_EDGES);
  }

  polygonMesh() {
    if (this.mesh) this.api.freePolyMesh(this.mesh);
    this.mesh = this.api.allocPolyMesh();
    return this.api.buildPolyMesh(this.context, this.contourSet, this.config.maxVerticesPerPolygon, this.mesh);
  }

  detailMesh() {
    this.detail = this.api.allocPolyMeshDetail();
    return this.api.buildPolyMeshDetail(this.context, this.mesh, this.compactField,
      this.voxels.detailDistanceWorld, this.voxels.detailErrorWorld, this.detail);
  }

  tile() {
    this.tileBytes = new Uint8Array(0);
    const counts = this.words(this.mesh, POLY_MESH);
    if (counts.npolys === 0) return true;
    const restore = this.assignFlags(counts);
    const result = this.createTile();
    restore();
    if (!result.success) return false;
    this.tileBytes = result.navMeshData.getHeapView().slice();
    result.navMeshData.destroy();
    return true;
  }

  /** Area 63 becomes 0; flags follow the final area. @returns {() => void} restores the areas */
  assignFlags({ areas, flags, npolys }) {
    const { HEAPU8, HEAPU16 } = this.module;
    const old = HEAPU8.slice(areas, areas + npolys);
    for (let i = 0; i < npolys; i++) {
      if (HEAPU8[areas + i] === 63) HEAPU8[areas + i] = 0;
      HEAPU16[flags / 2 + i] = this.config.areaFlags ? this.config.areaFlags[HEAPU8[areas + i]] : 1;
    }
    return () => this.module.HEAPU8.set(old, areas);
  }

  createTile() {
    const { api, config, voxels } = this;
    const parameters = new api.NavMeshCreateParams();
    parameters.setPolyMeshCreateParams(this.mesh);
    parameters.setPolyMeshDetailCreateParams(this.detail);
    const connections = config.connections ?? [];
    if (connections.length > 0) parameters.setOffMeshConnections(connections.map(toPeerConnection));
    parameters.setTileX(this.tileX);
    parameters.setTileY(this.tileZ);
    parameters.setTileLayer(0);
    parameters.setWalkableHeight(config.agentHeight);
    parameters.setWalkableRadius(config.agentRadius);
    parameters.setWalkableClimb(config.agentMaxClimb);
    parameters.setCellSize(voxels.cellSize);
    parameters.setCellHeight(voxels.cellHeight);
    parameters.setBuildBvTree(true);
    const result = api.createNavMeshData(parameters);
    api.Raw.destroy(parameters.raw);
    return result;
  }

  free() {
    const { api } = this;
    for (const array of [this.vertexArray, this.indexArray, this.areaArray]) array.destroy();
    if (this.heightfield) api.freeHeightfield(this.heightfield);
    if (this.compactField) api.freeCompactHeightfield(this.compactField);
    if (this.contourSet) api.freeContourSet(this.contourSet);
    if (this.mesh) api.freePolyMesh(this.mesh);
    if (this.detail) api.freePolyMeshDetail(this.detail);
  }

  // ---- Reading the arrays ------------------------------------------------------------------------------

  /** Fields of a struct as numbers. @param {{raw: object}} object @param {string[]} layout */
  words(object, layout) {
    const base = this.module.getPointer(object.raw) / 4;
    return readWords(this.module, base, layout);
  }

  /**
   * Returns the array with this name, as in tests/golden/README.md.
   * @param {string} name @returns {Uint8Array}
   */
  dump(name) {
    if (name === 'tri_areas') return this.areaArray.getHeapView().slice(0, this.level.indices.length / 3);
    if (name.startsWith('hf_')) return this.dumpHeightfield();
    if (name === 'compact') return this.dumpCompact();
    if (name === 'areas_eroded' || name === 'areas_marked') return this.dumpAreas();
    if (name === 'distance') return this.dumpDistance();
    if (name === 'regions') return this.dumpRegions();
    if (name === 'contours') return this.dumpContours();
    if (name === 'polymesh') return this.dumpPolygonMesh();
    if (name === 'detail') return this.dumpDetail();
    if (name === 'tile') return this.tileBytes;
    throw new Error(`no array '${name}'`);
  }

  dumpHeightfield() {
    const { HEAPU32 } = this.module;
    const { spans } = this.words(this.heightfield, HEIGHTFIELD);
    const cellCount = this.grid.width * this.grid.depth;
    let out = new Uint32Array(cellCount * 4 + 1024);
    let length = 0;
    for (let cell = 0; cell < cellCount; cell++) {
      const countAt = length++;
      let count = 0;
      for (let span = HEAPU32[spans / 4 + cell]; span !== 0; span = HEAPU32[span / 4 + 1]) {
        if (length + 4 > out.length) out = growWords(out);
        const bits = HEAPU32[span / 4];
        out[length++] = bits & 0x1fff;
        out[length++] = (bits >>> 13) & 0x1fff;
        out[length++] = bits >>> 26;
        count++;
      }
      if (length + 4 > out.length) out = growWords(out);
      out[countAt] = count;
    }
    return new Uint8Array(out.buffer, 0, length * 4);
  }

  dumpCompact() {
    const { HEAPU8, HEAPU32 } = this.module;
    const field = this.words(this.compactField, COMPACT);
    const cellCount = field.width * field.height;
    const out = new Uint8Array(cellCount * 8 + field.spanCount * 9);
    const view = new DataView(out.buffer);
    for (let cell = 0; cell < cellCount; cell++) {
      const bits = HEAPU32[field.cells / 4 + cell];
      view.setUint32(cell * 8, bits & 0xffffff, true);
      view.setUint32(cell * 8 + 4, bits >>> 24, true);
    }
    let at = cellCount * 8;
    for (let span = 0; span < field.spanCount; span++) {
      const low = HEAPU32[field.spans / 4 + span * 2];
      const high = HEAPU32[field.spans / 4 + span * 2 + 1];
      view.setUint16(at, low & 0xffff, true);
      view.setUint16(at + 2, high >>> 24, true);
      view.setUint32(at + 4, high & 0xffffff, true);
      out[at + 8] = HEAPU8[field.areas + span];
      at += 9;
    }
    return out;
  }

  dumpAreas() {
    const { areas, spanCount } = this.words(this.compactField, COMPACT);
    return this.module.HEAPU8.slice(areas, areas + spanCount);
  }

  dumpDistance() {
    const { dist, spanCount } = this.words(this.compactField, COMPACT);
    return this.module.HEAPU8.slice(dist, dist + spanCount * 2);
  }

  dumpRegions() {
    const { spans, spanCount } = this.words(this.compactField, COMPACT);
    const out = new Uint16Array(spanCount);
    const { HEAPU16 } = this.module;
    for (let span = 0; span < spanCount; span++) out[span] = HEAPU16[spans / 2 + span * 4 + 1];
    return new Uint8Array(out.buffer);
  }

  dumpContours() {
    const { HEAPU8, HEAPU32 } = this.module;
    const { conts, nconts } = this.words(this.contourSet, CONTOUR_SET);
    const parts = [wordBytes([nconts])];
    for (let i = 0; i < nconts; i++) {
      const at = conts + i * CONTOUR_BYTES;
      const [vertices, vertexCount, raw, rawCount] = HEAPU32.subarray(at / 4, at / 4 + 4);
      parts.push(HEAPU8.slice(at + 16, at + 19), wordBytes([vertexCount]));
      parts.push(HEAPU8.slice(vertices, vertices + vertexCount * 16), wordBytes([rawCount]));
      parts.push(HEAPU8.slice(raw, raw + rawCount * 16));
    }
    return joinBytes(parts);
  }

  dumpPolygonMesh() {
    const { HEAPU8 } = this.module;
    const mesh = this.words(this.mesh, POLY_MESH);
    return joinBytes([
      wordBytes([mesh.nverts, mesh.npolys, mesh.nvp]),
      HEAPU8.slice(mesh.verts, mesh.verts + mesh.nverts * 6),
      HEAPU8.slice(mesh.polys, mesh.polys + mesh.npolys * mesh.nvp * 4),
      HEAPU8.slice(mesh.regs, mesh.regs + mesh.npolys * 2),
      HEAPU8.slice(mesh.areas, mesh.areas + mesh.npolys),
    ]);
  }

  dumpDetail() {
    const { HEAPU8 } = this.module;
    const detail = this.words(this.detail, DETAIL);
    return joinBytes([
      wordBytes([detail.nmeshes, detail.nverts, detail.ntris]),
      HEAPU8.slice(detail.meshes, detail.meshes + detail.nmeshes * 16),
      HEAPU8.slice(detail.verts, detail.verts + detail.nverts * 12),
      HEAPU8.slice(detail.tris, detail.tris + detail.ntris * 4),
    ]);
  }

  // ---- Replacing the peer's arrays; its later stages use the new ones ---------------------------------------

  /** @param {Uint8Array} bytes as 'regions' */
  injectRegions(bytes) {
    const { spans, spanCount } = this.words(this.compactField, COMPACT);
    const regions = toUint16(bytes);
    const { HEAPU16 } = this.module;
    let last = 0;
    for (let span = 0; span < spanCount; span++) {
      HEAPU16[spans / 2 + span * 4 + 1] = regions[span];
      if (regions[span] < 0x8000) last = Math.max(last, regions[span]);
    }
    const maxRegions = this.module.getPointer(this.compactField.raw) / 2 + 13;
    HEAPU16[maxRegions] = Math.max(HEAPU16[maxRegions], last);
  }

  /** Replaces the stage 'regions' by its result from another source. @param {Uint8Array} bytes */
  takeRegions(bytes) {
    this.module.HEAPU32[this.module.getPointer(this.compactField.raw) / 4 + 5] = this.voxels.borderSize;
    this.injectRegions(bytes);
  }

  /** @param {Uint8Array} bytes as 'contours' */
  injectContours(bytes) {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const count = view.getUint32(0, true);
    const base = this.module.getPointer(this.contourSet.raw);
    const contours = this.allocate(count * CONTOUR_BYTES);
    let at = 4;
    for (let i = 0; i < count; i++) {
      const record = contours + i * CONTOUR_BYTES;
      const [region, area] = [view.getUint16(at, true), bytes[at + 2]];
      at += 3;
      for (const field of [0, 8]) {
        const length = view.getUint32(at, true);
        const data = this.store(bytes.subarray(at + 4, at + 4 + length * 16));
        this.module.HEAPU32[(record + field) / 4] = data;
        this.module.HEAPU32[(record + field) / 4 + 1] = length;
        at += 4 + length * 16;
      }
      this.module.HEAPU16[(record + 16) / 2] = region;
      this.module.HEAPU8[record + 18] = area;
    }
    this.module.HEAPU32[base / 4] = contours;
    this.module.HEAPU32[base / 4 + 1] = count;
  }

  /** @param {Uint8Array} bytes as 'polymesh' */
  injectPolygonMesh(bytes) {
    const [vertexCount, polygonCount, perPolygon] = toUint32(bytes.subarray(0, 12));
    const sizes = [vertexCount * 6, polygonCount * perPolygon * 4, polygonCount * 2, 0, polygonCount];
    const base = this.module.getPointer(this.mesh.raw) / 4;
    let at = 12;
    sizes.forEach((size, field) => {
      if (field === 3) {
        this.module.HEAPU32[base + field] = this.store(new Uint8Array(polygonCount * 2));
        return;
      }
      this.module.HEAPU32[base + field] = this.store(bytes.subarray(at, at + size));
      at += size;
    });
    this.module.HEAPU32.set([vertexCount, polygonCount, polygonCount, perPolygon], base + 5);
  }

  /** @param {Uint8Array} bytes as 'detail' */
  injectDetail(bytes) {
    const [meshCount, vertexCount, triangleCount] = toUint32(bytes.subarray(0, 12));
    const base = this.module.getPointer(this.detail.raw) / 4;
    let at = 12;
    [meshCount * 16, vertexCount * 12, triangleCount * 4].forEach((size, field) => {
      this.module.HEAPU32[base + field] = this.store(bytes.subarray(at, at + size));
      at += size;
    });
    this.module.HEAPU32.set([meshCount, vertexCount, triangleCount], base + 3);
  }

  /** Memory of the peer's heap; it belongs to the struct that points to it. */
  allocate(size) {
    return this.module._malloc(Math.max(4, size));
  }

  store(bytes) {
    const pointer = this.allocate(bytes.length);
    this.module.HEAPU8.set(bytes, pointer);
    return pointer;
  }
}

function toPeerConnection(connection) {
  const vector = ([x, y, z]) => ({ x, y, z });
  return {
    startPosition: vector(connection.start),
    endPosition: vector(connection.end),
    radius: connection.radius,
    bidirectional: connection.bidirectional,
    area: connection.area,
    flags: connection.flags,
    userId: connection.userId,
  };
}

// ---- Layouts: field names as in the package's type declarations; '*' marks two 16-bit fields in one word ---

const BOUNDS = ['bmin.0', 'bmin.1', 'bmin.2', 'bmax.0', 'bmax.1', 'bmax.2', 'cs', 'ch'];
const HEIGHTFIELD = ['width', 'height', ...BOUNDS, 'spans', 'pools', 'freelist'];
const COMPACT = ['width', 'height', 'spanCount', 'walkableHeight', 'walkableClimb', 'borderSize',
  'maxDistance*maxRegions', ...BOUNDS, 'cells', 'spans', 'dist', 'areas'];
const CONTOUR_SET = ['conts', 'nconts', ...BOUNDS, 'width', 'height', 'borderSize', 'maxError'];
const CONTOUR_BYTES = 20;
const POLY_MESH = ['verts', 'polys', 'regs', 'flags', 'areas', 'nverts', 'npolys', 'maxpolys', 'nvp', ...BOUNDS,
  'borderSize', 'maxEdgeError'];
const DETAIL = ['meshes', 'verts', 'tris', 'nmeshes', 'nverts', 'ntris'];
const FLOAT_FIELDS = new Set([...BOUNDS, 'maxError', 'maxEdgeError']);

function readWords(module, base, layout) {
  const out = {};
  layout.forEach((name, i) => {
    if (name.includes('*')) {
      const [low, high] = name.split('*');
      out[low] = module.HEAPU16[(base + i) * 2];
      out[high] = module.HEAPU16[(base + i) * 2 + 1];
    } else {
      out[name] = FLOAT_FIELDS.has(name) ? module.HEAPF32[base + i] : module.HEAPU32[base + i];
    }
  });
  return out;
}

/**
 * Checks a finished bake's memory layout against the package's accessors, value by value.
 * @param {PeerBake} bake @returns {string[]} the mismatches; empty if there are none
 */
export function verifyLayout(bake) {
  const faults = [];
  const objects = [
    [bake.heightfield, HEIGHTFIELD], [bake.compactField, COMPACT], [bake.contourSet, CONTOUR_SET],
    [bake.mesh, POLY_MESH], [bake.detail, DETAIL],
  ];
  const pointers = new Set(['spans', 'pools', 'freelist', 'cells', 'dist', 'areas', 'conts', 'verts', 'polys',
    'regs', 'flags', 'meshes', 'tris']);
  for (const [object, layout] of objects) {
    const values = bake.words(object, layout);
    for (const [name, value] of Object.entries(values)) {
      if (pointers.has(name)) continue;
      const [field, index] = name.split('.');
      const expected = object.raw[`get_${field}`](Number(index ?? 0));
      if (expected !== value) faults.push(`${object.constructor.name}.${name}: ${value}, not ${expected}`);
    }
  }
  return [...faults, ...verifyElements(bake)];
}

function verifyElements(bake) {
  const faults = [];
  const check = (name, value, expected) => {
    if (value !== expected) faults.push(`${name}: ${value}, not ${expected}`);
  };
  const compact = bake.words(bake.compactField, COMPACT);
  const bytes = bake.dumpCompact();
  const view = new DataView(bytes.buffer);
  const cellCount = compact.width * compact.height;
  for (let span = 0; span < compact.spanCount; span += 97) {
    const at = cellCount * 8 + span * 9;
    const accessor = bake.compactField.spans(span);
    check('span.y', view.getUint16(at, true), accessor.y());
    check('span.h', view.getUint16(at + 2, true), accessor.h());
    check('span.con', view.getUint32(at + 4, true), accessor.con());
    check('span.area', bytes[at + 8], bake.compactField.areas(span));
  }
  const mesh = bake.words(bake.mesh, POLY_MESH);
  const vertices = new Uint16Array(bake.dumpPolygonMesh().slice(12, 12 + mesh.nverts * 6).buffer);
  vertices.forEach((value, i) => check('mesh.verts', value, bake.mesh.verts(i)));
  for (let i = 0; i < compact.width * compact.height; i += 101) {
    const cell = bake.compactField.cells(i);
    check('cell.index', view.getUint32(i * 8, true), cell.index());
    check('cell.count', view.getUint32(i * 8 + 4, true), cell.count());
  }
  return faults;
}

// ---- Bytes -------------------------------------------------------------------------------------------------

function growWords(words) {
  const larger = new Uint32Array(words.length * 2);
  larger.set(words);
  return larger;
}

function wordBytes(values) {
  return new Uint8Array(Uint32Array.from(values).buffer);
}

function toUint16(bytes) {
  return new Uint16Array(bytes.slice().buffer);
}

function toUint32(bytes) {
  return new Uint32Array(bytes.slice().buffer);
}

function joinBytes(parts) {
  const out = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}
