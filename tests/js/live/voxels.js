/**
 * The voxel values that follow from a configuration in world units, computed a second time
 * (independently of src/bake/config.c), so that the peer gets the values that a user of Recast's demo would enter.
 * Every operation rounds to float32. Source: docs of Recast's demo; design of the configuration.
 */

const f = Math.fround;

/** The configuration's defaults, with the names of the public API. */
export const DEFAULTS = Object.freeze({
  cellSize: 0.3,
  cellHeight: 0.2,
  agentRadius: 0.6,
  agentHeight: 2.0,
  agentMaxClimb: 0.9,
  agentMaxSlope: 45,
  partition: 'watershed',
  minRegionSize: 8,
  mergeRegionSize: 20,
  maxEdgeLength: 12,
  maxEdgeError: 1.3,
  maxVerticesPerPolygon: 6,
  detailSampleDistance: 6,
  detailMaxError: 1,
  tileSize: 0,
  filterLowHangingObstacles: true,
  filterLedges: true,
  filterLowHeight: true,
  medianFilter: false,
});

/** @returns {{minimum: number[], maximum: number[]}} bounds over all vertices */
export function boundsOf(positions) {
  const minimum = [positions[0], positions[1], positions[2]];
  const maximum = [...minimum];
  for (let i = 0; i < positions.length; i++) {
    const axis = i % 3;
    if (positions[i] < minimum[axis]) minimum[axis] = positions[i];
    if (positions[i] > maximum[axis]) maximum[axis] = positions[i];
  }
  return { minimum, maximum };
}

function cellsAcross(minimum, maximum, cellSize) {
  return Math.trunc(f(f(f(f(maximum) - f(minimum)) / cellSize) + 0.5));
}

/**
 * @param {object} config world units, complete
 * @param {{minimum: number[], maximum: number[]}} bounds of the level
 * @returns {object} voxel values, and the grid of the whole level
 */
export function toVoxels(config, bounds) {
  const cellSize = f(config.cellSize);
  const cellHeight = f(config.cellHeight);
  const walkableRadius = Math.ceil(f(f(config.agentRadius) / cellSize));
  const sampleDistance = f(config.detailSampleDistance);
  const tileSize = config.tileSize;
  const width = cellsAcross(bounds.minimum[0], bounds.maximum[0], cellSize);
  const depth = cellsAcross(bounds.minimum[2], bounds.maximum[2], cellSize);
  return {
    cellSize,
    cellHeight,
    width,
    depth,
    walkableHeight: Math.ceil(f(f(config.agentHeight) / cellHeight)),
    walkableClimb: Math.floor(f(f(config.agentMaxClimb) / cellHeight)),
    walkableRadius,
    maxEdgeCells: Math.trunc(f(f(config.maxEdgeLength) / cellSize)),
    minRegionCells: Math.trunc(f(f(config.minRegionSize) * f(config.minRegionSize))),
    mergeRegionCells: Math.trunc(f(f(config.mergeRegionSize) * f(config.mergeRegionSize))),
    detailDistanceWorld: sampleDistance < f(0.9) ? 0 : f(cellSize * sampleDistance),
    detailErrorWorld: f(cellHeight * f(config.detailMaxError)),
    borderSize: tileSize > 0 ? walkableRadius + 3 : 0,
    tileCountX: tileSize > 0 ? Math.trunc((width + tileSize - 1) / tileSize) : 1,
    tileCountZ: tileSize > 0 ? Math.trunc((depth + tileSize - 1) / tileSize) : 1,
    tileWorldSize: tileSize > 0 ? f(tileSize * cellSize) : 0,
  };
}

/**
 * The bounds and size of tile (x, z), border included.
 * @returns {{minimum: number[], maximum: number[], width: number, depth: number}}
 */
export function tileGrid(config, voxels, bounds, x, z) {
  if (config.tileSize === 0) {
    return { minimum: bounds.minimum, maximum: bounds.maximum, width: voxels.width, depth: voxels.depth };
  }
  const pad = f(voxels.borderSize * voxels.cellSize);
  const side = voxels.tileWorldSize;
  const low = (axis, index) => f(f(f(bounds.minimum[axis]) + f(index * side)) - pad);
  const high = (axis, index) => f(f(f(bounds.minimum[axis]) + f((index + 1) * side)) + pad);
  const cells = config.tileSize + 2 * voxels.borderSize;
  return {
    minimum: [low(0, x), bounds.minimum[1], low(2, z)],
    maximum: [high(0, x), bounds.maximum[1], high(2, z)],
    width: cells,
    depth: cells,
  };
}
