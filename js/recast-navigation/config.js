/**
 * Converts configurations of recast-navigation to those of Walkmesh. Theirs measure in cells, ours in world units; the computed
 * lengths round to the same numbers of cells, and to the same agent sizes in the tiles.
 */
import { NavError, describe, invalidArgument } from '../runtime/errors.js';
import { requireNumber } from './arguments.js';

/** @typedef {import('../index.js').Config} Config */
/** @typedef {[number, number, number]} Vector3Tuple */

/**
 * @typedef {object} RecastConfig
 * @property {number} borderSize cells; must be 0: Walkmesh chooses it for tiles
 * @property {number} tileSize cells on a side; default 0
 * @property {number} cs side of a cell on x and z, world units; default 0.2
 * @property {number} ch height of a cell, world units; default 0.2
 * @property {number} walkableSlopeAngle degrees; default 60
 * @property {number} walkableHeight cell heights; default 2
 * @property {number} walkableClimb cell heights; default 2
 * @property {number} walkableRadius whole cells, fractions are truncated; default 0.5
 * @property {number} maxEdgeLen cells; default 12
 * @property {number} maxSimplificationError cells; default 1.3
 * @property {number} minRegionArea cells on a side; default 8
 * @property {number} mergeRegionArea cells on a side; default 20
 * @property {number} maxVertsPerPoly default 6
 * @property {number} detailSampleDist cells; default 6
 * @property {number} detailSampleMaxError cell heights; default 1
 */

/**
 * @typedef {object} OffMeshConnectionParams
 * @property {import('./vectors.js').Vector3} startPosition
 * @property {import('./vectors.js').Vector3} endPosition
 * @property {number} radius
 * @property {boolean} bidirectional
 * @property {number} [area] default 0
 * @property {number} [flags] default 1
 * @property {number} [userId]
 */

/**
 * @typedef {RecastConfig & { offMeshConnections?: OffMeshConnectionParams[], buildBvTree?: boolean,
 *   chunkyTriMeshTrisPerChunk?: number, bounds?: [bbMin: Vector3Tuple, bbMax: Vector3Tuple] }} GeneratorConfig
 */

/** @type {Readonly<RecastConfig>} */
export const recastConfigDefaults = Object.freeze({
  borderSize: 0, tileSize: 0, cs: 0.2, ch: 0.2, walkableSlopeAngle: 60, walkableHeight: 2, walkableClimb: 2,
  walkableRadius: 0.5, maxEdgeLen: 12, maxSimplificationError: 1.3, minRegionArea: 8, mergeRegionArea: 20,
  maxVertsPerPoly: 6, detailSampleDist: 6, detailSampleMaxError: 1,
});

/** @type {Readonly<RecastConfig & { buildBvTree: true }>} */
export const soloNavMeshGeneratorConfigDefaults = Object.freeze({ ...recastConfigDefaults, buildBvTree: true });

/** @type {Readonly<RecastConfig & { buildBvTree: true, chunkyTriMeshTrisPerChunk: number }>} */
export const tiledNavMeshGeneratorConfigDefaults = Object.freeze({ ...recastConfigDefaults, buildBvTree: true, chunkyTriMeshTrisPerChunk: 256 });

/** The next float32 above or below a positive one. @param {number} value @param {1 | -1} direction */
function nextFloat(value, direction) {
  const bits = new Int32Array(Float32Array.of(value).buffer);
  bits[0] += direction;
  return new Float32Array(bits.buffer)[0];
}

/**
 * A length, as a float32, that converts back to a number of cells.
 * @param {number} cells @param {number} size of a cell @param {(quotient: number) => number} round as in the bake
 */
function lengthOf(cells, size, round) {
  const wanted = Math.trunc(cells);
  let length = Math.fround(wanted * Math.fround(size));
  if (!(wanted > 0) || !Number.isFinite(length)) return length;
  const cellsNow = () => round(Math.fround(length / Math.fround(size)));
  for (let tries = 0; tries < 8 && cellsNow() !== wanted; tries++) length = nextFloat(length, cellsNow() < wanted ? 1 : -1);
  return length;
}

/**
 * @param {Partial<GeneratorConfig>} given @param {boolean} isTiled
 * @returns {Config}
 */
export function toConfig(given, isTiled) {
  const config = { ...recastConfigDefaults, ...given };
  const { cs, ch, bounds } = config;
  for (const name of /** @type {(keyof RecastConfig)[]} */ (Object.keys(recastConfigDefaults))) requireNumber(config[name], name);
  if (bounds !== undefined && !Array.isArray(bounds)) throw invalidArgument('bounds', `must be [min, max], not ${describe(bounds)}`, bounds);
  if (!isTiled && config.borderSize > 0) {
    throw new NavError('unsupported', 'borderSize must be 0: Walkmesh chooses the border of tiles',
      { field: 'borderSize', value: config.borderSize });
  }
  return {
    cellSize: cs, cellHeight: ch,
    agentHeight: lengthOf(config.walkableHeight, ch, Math.ceil),
    agentRadius: lengthOf(config.walkableRadius, cs, Math.ceil),
    agentMaxClimb: lengthOf(config.walkableClimb, ch, Math.floor),
    agentMaxSlope: config.walkableSlopeAngle,
    minRegionSize: config.minRegionArea, mergeRegionSize: config.mergeRegionArea,
    maxEdgeLength: lengthOf(config.maxEdgeLen, cs, Math.floor),
    maxEdgeError: config.maxSimplificationError, maxVerticesPerPolygon: config.maxVertsPerPoly,
    detailSampleDistance: config.detailSampleDist < 0.9 ? 0 : config.detailSampleDist,
    detailMaxError: config.detailSampleMaxError,
    tileSize: isTiled ? config.tileSize : 0,
    ...(bounds ? { bounds: { min: bounds[0], max: bounds[1] } } : {}),
  };
}
