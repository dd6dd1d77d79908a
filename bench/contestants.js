/**
 * The contestants. Each call bakes a level once and returns the milliseconds of each stage.
 *
 * Stages are mapped so that both sides do the same work between the same two clock readings: `rasterize` includes copying the
 * level into the module's memory, checking input and configuration and marking slopes; `release` includes freeing all memory at
 * the end. Both sides free arrays as soon as no later stage needs them, as a careful user of either package would.
 */

import { Baker } from '../js/bake/baker.js';
import { instantiate } from '../js/loader.js';
import { Session } from '../js/runtime/session.js';
import { PEER_STAGES, PeerBake, loadPeer, renewPeer } from '../tests/js/live/peer.js';
import { boundsOf, tileGrid, toVoxels } from '../tests/js/live/voxels.js';

/** Stages that run row by row as part of `rasterize`, unless stages are kept. */
const FILTERS = ['filterLowHanging', 'filterLedges', 'filterLowHeight'];

/** Rows of the table, with the stages of either side that belong to each. */
export const ROWS = [
  { name: 'rasterize, filters', ours: ['input', 'rasterize', ...FILTERS], peer: ['input', 'slopes', 'rasterize', ...FILTERS] },
  { name: 'compact', ours: ['compact'] },
  { name: 'erode', ours: ['erode', 'markAreas'] },
  { name: 'distance', ours: ['distance'] },
  { name: 'regions', ours: ['regions'] },
  { name: 'contours', ours: ['contours'] },
  { name: 'polygon mesh', ours: ['polygonMesh'] },
  { name: 'detail mesh', ours: ['detailMesh'] },
  { name: 'tile data', ours: ['tile'] },
  { name: 'release', ours: ['release'] },
];

/**
 * @typedef {object} Run
 * @property {Map<string, number>} stages milliseconds by row; only 'total' if stages can't be measured separately
 * @property {number} total milliseconds
 */

/** Sums stages into rows. */
export class Clock {
  constructor(side) {
    this.rowOf = new Map(ROWS.flatMap((row) => (row[side] ?? row.ours).map((stage) => [stage, row.name])));
    this.stages = new Map(ROWS.map((row) => [row.name, 0]));
    this.start = performance.now();
  }

  /** @template T @param {string} stage @param {() => T} work @returns {T} */
  measure(stage, work) {
    const before = performance.now();
    const result = work();
    this.add(stage, performance.now() - before);
    return result;
  }

  add(stage, milliseconds) {
    const row = this.rowOf.get(stage);
    this.stages.set(row, this.stages.get(row) + milliseconds);
  }

  finish() {
    return { stages: this.stages, total: performance.now() - this.start };
  }
}

/** This package, measured through its step-wise baker. */
export class Walkmesh {
  constructor(simd) {
    this.simd = simd;
    this.name = simd ? 'walkmesh' : 'walkmesh (scalar)';
  }

  /** A fresh instance of the module. */
  async renew() {
    const { wasm } = await instantiate({ simd: this.simd });
    this.session = new Session(wasm);
  }

  /** @returns {Run} */
  bake(level, config) {
    const clock = new Clock('ours');
    const baker = clock.measure('input', () => new Baker(this.session, level, config));
    clock.measure('input', () => baker.beginTile());
    while (baker.nextStage !== 'done') {
      const { stage, milliseconds } = baker.step();
      clock.add(stage, milliseconds);
    }
    clock.measure('tile', () => baker.takeTile());
    clock.measure('release', () => baker.free());
    return clock.finish();
  }
}

/** recast-navigation, measured through its stage functions. */
export class RecastNavigation {
  name = 'recast-navigation';

  /** @param {object} api from loadPeer */
  constructor(api) {
    this.api = api;
  }

  /** @returns {Promise<RecastNavigation|null>} null if it isn't installed */
  static async load() {
    const api = await loadPeer();
    return api && new RecastNavigation(api);
  }

  async renew() {
    await renewPeer(this.api);
  }

  bake(level, config) {
    const { api } = this;
    const clock = new Clock('peer');
    const bake = clock.measure('input', () => {
      const bounds = boundsOf(level.positions);
      const voxels = toVoxels(config, bounds);
      return new PeerBake(api, level, config, voxels, tileGrid(config, voxels, bounds, 0, 0), { log: false });
    });
    for (const stage of PEER_STAGES) {
      clock.measure(stage, () => bake.run(stage));
      clock.measure('release', () => releaseAfter(bake, stage));
    }
    clock.measure('release', () => bake.free());
    return clock.finish();
  }
}

/** Frees the arrays that no later stage needs. @param {PeerBake} bake @param {string} stage */
export function releaseAfter(bake, stage) {
  if (stage === 'compact') {
    bake.api.freeHeightfield(bake.heightfield);
    bake.heightfield = null;
  } else if (stage === 'polygonMesh') {
    bake.api.freeContourSet(bake.contourSet);
    bake.contourSet = null;
  } else if (stage === 'detailMesh') {
    bake.api.freeCompactHeightfield(bake.compactField);
    bake.compactField = null;
  }
}

/** Converts the configuration to that of navcat's generator. */
export function navcatOptions(config, positions) {
  const voxels = toVoxels(config, boundsOf(positions));
  return {
    cellSize: voxels.cellSize,
    cellHeight: voxels.cellHeight,
    walkableRadiusVoxels: voxels.walkableRadius,
    walkableRadiusWorld: config.agentRadius,
    walkableClimbVoxels: voxels.walkableClimb,
    walkableClimbWorld: config.agentMaxClimb,
    walkableHeightVoxels: voxels.walkableHeight,
    walkableHeightWorld: config.agentHeight,
    walkableSlopeAngleDegrees: config.agentMaxSlope,
    borderSize: 0,
    minRegionArea: voxels.minRegionCells,
    mergeRegionArea: voxels.mergeRegionCells,
    maxSimplificationError: config.maxEdgeError,
    maxEdgeLength: voxels.maxEdgeCells,
    maxVerticesPerPoly: config.maxVerticesPerPolygon,
    detailSampleDistance: voxels.detailDistanceWorld,
    detailSampleMaxError: voxels.detailErrorWorld,
  };
}

/** navcat, measured through its generator; plain JavaScript, so that only the total can be measured. */
export class Navcat {
  name = 'navcat';

  constructor(generate) {
    this.generate = generate;
  }

  /** @returns {Promise<Navcat|null>} */
  static async load() {
    try {
      const { generateSoloNavMesh } = await import('navcat/blocks');
      return new Navcat(generateSoloNavMesh);
    } catch (error) {
      if (error.code === 'ERR_MODULE_NOT_FOUND') return null;
      throw error;
    }
  }

  async renew() {}

  bake(level, config) {
    const start = performance.now();
    this.generate({ positions: level.positions, indices: level.indices }, navcatOptions(config, level.positions));
    return { stages: new Map(), total: performance.now() - start };
  }
}
