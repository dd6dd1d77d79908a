/**
 * The small level of the pictures in docs/: a yard with a platform, stairs, a ramp, a table, a roof too steep to walk on, a pipe
 * low enough to step over and a patch of mud. 16 by 12 metres, y up. Pieces are listed from back to front, the order in which the
 * pictures draw them.
 */

/** @typedef {[number, number, number]} Vertex */
/** @typedef {{ faces: Vertex[][] }} Piece faces: convex, counter-clockwise seen from outside */

/** @param {Vertex} low @param {Vertex} high @returns {Piece} */
function makeBox([x0, y0, z0], [x1, y1, z1]) {
  return { faces: [
    [[x0, y0, z0], [x1, y0, z0], [x1, y0, z1], [x0, y0, z1]],
    [[x0, y0, z0], [x0, y1, z0], [x1, y1, z0], [x1, y0, z0]],
    [[x0, y0, z0], [x0, y0, z1], [x0, y1, z1], [x0, y1, z0]],
    [[x1, y0, z0], [x1, y1, z0], [x1, y1, z1], [x1, y0, z1]],
    [[x0, y0, z1], [x1, y0, z1], [x1, y1, z1], [x0, y1, z1]],
    [[x0, y1, z0], [x0, y1, z1], [x1, y1, z1], [x1, y1, z0]],
  ] };
}

/**
 * A wedge that rises along z, from the front (z1) to the back (z0).
 * @param {Vertex} low @param {Vertex} high @returns {Piece}
 */
function makeRamp([x0, y0, z0], [x1, y1, z1]) {
  return { faces: [
    [[x0, y0, z0], [x0, y1, z0], [x1, y1, z0], [x1, y0, z0]],
    [[x0, y0, z0], [x0, y0, z1], [x0, y1, z0]],
    [[x1, y0, z0], [x1, y1, z0], [x1, y0, z1]],
    [[x0, y1, z0], [x0, y0, z1], [x1, y0, z1], [x1, y1, z0]],
  ] };
}

/** A roof with its ridge along z. @param {Vertex} low @param {Vertex} high @returns {Piece} */
function makeRoof([x0, y0, z0], [x1, y1, z1]) {
  const x = (x0 + x1) / 2;
  return { faces: [
    [[x0, y0, z0], [x, y1, z0], [x1, y0, z0]],
    [[x0, y0, z0], [x0, y0, z1], [x, y1, z1], [x, y1, z0]],
    [[x0, y0, z1], [x1, y0, z1], [x, y1, z1]],
    [[x, y1, z0], [x, y1, z1], [x1, y0, z1], [x1, y0, z0]],
  ] };
}

/** @returns {Piece[]} */
function makePieces() {
  const steps = [0, 1, 2].map((i) => makeBox([5.6, 0, 3.6 + 1.2 * i], [9.2, 1.5 - 0.5 * i, 4.8 + 1.2 * i]));
  const legs = [[12.9, 6.1], [14.9, 6.1], [12.9, 7.7], [14.9, 7.7]].map(([x, z]) => (
    makeBox([x - 0.1, 0, z - 0.1], [x + 0.1, 1.2, z + 0.1])));
  return [
    { faces: [[[0, 0, 0], [0, 0, 12], [16, 0, 12], [16, 0, 0]]] },
    makeBox([0, 0, 0], [9.2, 2, 3.6]),
    ...steps,
    makeRoof([11.4, 0, 0.8], [14.2, 2.6, 3.6]),
    makeRamp([0.8, 0, 3.6], [3.6, 2, 8]),
    makeBox([4.4, 0, 6.4], [5.2, 1.9, 8.8]),
    makeRoof([10.7, 0.4, 7.6], [11, 0.6, 10.8]),
    ...legs,
    makeBox([12.6, 1.2, 5.8], [15.2, 1.4, 8]),
  ];
}

export const PIECES = makePieces();

/** The patch of mud. */
export const MUD = { area: 1, base: [8, 0, 10], radius: 1.6, height: 1 };

/** A jump off the platform. */
export const JUMP = { start: [8.2, 2, 1.2], end: [10.6, 0, 4.2], radius: 0.6, bidirectional: false };

export const CONFIG = Object.freeze({
  cellSize: 0.4, cellHeight: 0.2, agentRadius: 0.6, agentHeight: 2, agentMaxClimb: 0.6, minRegionSize: 5, mergeRegionSize: 8,
});

/** The triangles of the pieces: each face becomes a fan. @returns {import('../../js/input/geometry.js').Geometry} */
export function makeLevel() {
  const positions = [];
  const indices = [];
  for (const face of PIECES.flatMap(({ faces }) => faces)) {
    const first = positions.length / 3;
    positions.push(...face.flat());
    for (let i = 2; i < face.length; i++) indices.push(first, first + i - 1, first + i);
  }
  return {
    positions: Float32Array.from(positions), indices: Uint32Array.from(indices),
    volumes: [{ kind: 'cylinder', ...MUD }], offMeshConnections: [JUMP],
  };
}
