/**
 * Trials of changed configurations: bakes the tile of a point again, and tells whether the point is walkable then, and how much of the
 * tile changes. Only triangles near the tile are baked, on the grid of the whole level.
 */
import { findingAt } from './explain.js';
import { recordTile } from './record.js';
import { CODES_OF, removalsOf } from './removal.js';

/** @typedef {import('./record.js').TileRecord} TileRecord */
/** @typedef {import('./explain.js').Level} Level */
/** @typedef {{ isWalkable: boolean, changed: number }} Outcome changed: spans of the tile that become walkable or unwalkable; Infinity: other cells change all */

/** A single tile with more cells is tried in tiles of this side, cells. */
const [MOST_CELLS, SIDE] = [250_000, 128];

/** Cells around a tile whose triangles are baked, beyond its border. */
const MARGIN = 3;

/**
 * The triangles that may touch a rectangle on x and z.
 * @param {Level & { areas?: ArrayLike<number> }} level @param {readonly [number, number]} min @param {readonly [number, number]} max
 */
export function trianglesIn({ positions, indices, areas }, min, max) {
  /** @type {number[]} */
  const near = [];
  const isBeside = (/** @type {number} */ i, /** @type {0 | 1} */ k) => {
    const [a, b, c] = [positions[3 * indices[i] + 2 * k], positions[3 * indices[i + 1] + 2 * k], positions[3 * indices[i + 2] + 2 * k]];
    return Math.min(a, b, c) > max[k] || Math.max(a, b, c) < min[k];
  };
  for (let i = 0; i < indices.length; i += 3) if (!isBeside(i, 0) && !isBeside(i, 1)) near.push(i / 3);
  return {
    positions: /** @type {Float32Array} */ (positions), indices: Uint32Array.from(near.flatMap((i) => [indices[3 * i], indices[3 * i + 1], indices[3 * i + 2]])),
    ...(areas && { areas: Uint8Array.from(near, (i) => areas[i]) }),
  };
}

/** The tile of a trial with other cells; its spans can't be compared with those of the record. @param {TileRecord} record @param {number} cellSize @param {readonly number[]} point */
function otherTileFor({ voxels: { boundsMin } }, cellSize, point) {
  const [x, z] = [0, 2].map((axis) => Math.floor((point[axis] - boundsMin[axis]) / (SIDE * cellSize)));
  return { x, z, tileSize: SIDE, first: [0, 0], count: [SIDE, SIDE] };
}

/** The tile of a trial, and its place in the cells of the record. @param {TileRecord} record @param {readonly number[]} point */
function tileFor({ x, z, frame: { width, depth, border, cellSize }, voxels: { boundsMin }, config: { tileSize } }, point) {
  if (tileSize > 0 || width * depth <= MOST_CELLS) return { x, z, tileSize, first: [0, 0], count: [width - 2 * border, depth - 2 * border] };
  const [column, row] = [0, 2].map((axis) => Math.floor((point[axis] - boundsMin[axis]) / (SIDE * cellSize)));
  return { x: column, z: row, tileSize: SIDE, first: [SIDE * column, SIDE * row], count: [SIDE, SIDE] };
}

/**
 * Spans of a trial that are walkable in only one of the two records.
 * @param {TileRecord} before @param {TileRecord} after @param {{ first: number[], count: number[] }} tile @param {Level['volumes']} volumes
 */
function countChanged(before, after, { first, count }, volumes = []) {
  const [old, now] = [removalsOf(before, volumes), removalsOf(after, volumes)];
  let changed = 0;
  for (let z = 0; z < count[1]; z++) {
    for (let x = 0; x < count[0]; x++) {
      const [a, b] = [before, after].map(({ frame: { width, border } }, i) => (
        x + border + (i ? 0 : first[0]) + (z + border + (i ? 0 : first[1])) * width));
      const [from, at] = [before.solid.first[a], after.solid.first[b]];
      const spans = Math.min(before.solid.first[a + 1] - from, after.solid.first[b + 1] - at);
      for (let i = 0; i < spans; i++) if ((old[from + i] === CODES_OF.kept) !== (now[at + i] === CODES_OF.kept)) changed++;
    }
  }
  return changed;
}

/**
 * Bakes the tile of a point with changed fields, with a pause after every stage.
 * @param {import('walkmesh').Walkmesh} walkmesh @param {Level & { areas?: ArrayLike<number> }} level with the volumes of the bake
 * @param {TileRecord} record of the tile of the point @param {readonly number[]} point
 * @param {Partial<import('walkmesh').Config>} fields @returns {Generator<void, Outcome, void>}
 */
export function* tryFields(walkmesh, level, record, point, fields) {
  const { config, frame: { cellSize: own, origin }, voxels: { boundsMin, boundsMax, borderSize } } = record;
  const { cellSize = own } = fields, isSameGrid = cellSize === own;
  const tile = isSameGrid ? tileFor(record, point) : otherTileFor(record, cellSize, point);
  // With smaller cells the border has more of them, but is no wider.
  const around = (borderSize + MARGIN) * own;
  const start = isSameGrid ? [origin[0] + tile.first[0] * cellSize, origin[2] + tile.first[1] * cellSize] : [0, 2].map((axis, k) => boundsMin[axis] + [tile.x, tile.z][k] * SIDE * cellSize);
  const near = trianglesIn(level, [start[0] - around, start[1] - around],
    [start[0] + tile.count[0] * cellSize + around, start[1] + tile.count[1] * cellSize + around]);
  const volumes = (level.volumes ?? []).map(({ origin: _, label, item, ...volume }) => volume);
  const bounds = { min: [...boundsMin], max: [...boundsMax] };
  const baker = walkmesh.createBaker({ ...near, volumes }, /** @type {any} */ ({ ...config, ...fields, bounds, tileSize: tile.tileSize }));
  try {
    const after = yield* recordTile(baker, tile.x, tile.z, { isTrial: true });
    const { reason } = findingAt({ ...near, volumes: level.volumes }, after, point);
    return { isWalkable: reason === 'walkable', changed: isSameGrid ? countChanged(record, after, tile, level.volumes) : Infinity };
  } finally {
    baker.free();
  }
}
