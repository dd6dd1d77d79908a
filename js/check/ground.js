/**
 * The mesh against the voxels of its level: polygons lie over ground that can be walked on, and that ground has polygons. The
 * level is baked once more, as far as its regions.
 */
import { frameOf } from '../stage-frame.js';
import { middleOf } from './findings.js';

/** @typedef {import('../bake.js').Baker} Baker */
/** @typedef {import('./findings.js').CheckedTile} CheckedTile */
/** @typedef {import('./findings.js').Findings} Findings */
/** @typedef {import('../mesh.js').NavMesh} NavMesh */

/** Open ground of a tile by cell. */
class Ground {
  /** @param {Baker} baker in which a tile stands with its regions @param {number} x @param {number} z */
  constructor(baker, x, z) {
    const { cells, floor } = /** @type {import('../stages.js').StageArrays['compact']} */ (baker.read('compact'));
    this.frame = frameOf(baker, x, z);
    this.cells = cells;
    this.floor = floor;
    this.areas = /** @type {Uint8Array} */ (baker.read('areas'));
    this.regions = /** @type {Uint16Array} */ (baker.read('regions'));
  }

  /** Whether a cell has a span that passes, near a height. @param {number} x @param {number} z @param {number} height cell heights @param {number} slack @param {ArrayLike<number>} marks of spans: not 0 */
  has(x, z, height, slack, marks) {
    const { width, depth } = this.frame;
    if (x < 0 || z < 0 || x >= width || z >= depth) return false;
    const cell = 2 * (x + z * width), first = this.cells[cell], end = first + this.cells[cell + 1];
    for (let span = first; span < end; span++) {
      if (marks[span] !== 0 && Math.abs(this.floor[span] - height) <= slack) return true;
    }
    return false;
  }

  /** Whether any passes of the cells around one, itself included. @param {number} x @param {number} z @param {number} radius cells @param {(x: number, z: number) => boolean} passes */
  hasAround(x, z, radius, passes) {
    for (let nearZ = z - radius; nearZ <= z + radius; nearZ++) {
      for (let nearX = x - radius; nearX <= x + radius; nearX++) {
        if (passes(nearX, nearZ)) return true;
      }
    }
    return false;
  }

  /** The middles of spans with ground of regions all around. @param {number} radius cells @param {number} slack cell heights a cell */
  inner(radius, slack) {
    const { cells, floor, regions } = this;
    const { width, depth, border, origin, cellSize, cellHeight } = this.frame;
    const points = [];
    for (let z = border; z < depth - border; z++) {
      for (let x = border; x < width - border; x++) {
        const cell = 2 * (x + z * width), first = cells[cell], end = first + cells[cell + 1];
        for (let span = first; span < end; span++) {
          if (regions[span] === 0) continue;
          const isAtBorder = this.hasAround(x, z, radius, (nearX, nearZ) => !this.has(nearX, nearZ, floor[span], radius * slack, regions));
          if (!isAtBorder) points.push(origin[0] + (x - border + 0.5) * cellSize, origin[1] + floor[span] * cellHeight, origin[2] + (z - border + 0.5) * cellSize);
        }
      }
    }
    return Float32Array.from(points);
  }
}

/**
 * @param {NavMesh} navMesh @param {CheckedTile[]} tiles @param {Baker} baker of the level that the mesh is of
 * @param {{ strayCells: number, height: number }} slack how far contours may stray from borders; in height, world units @param {Findings} findings
 * @returns {{ polygons: number, spans: number }} how many polygons and spans were looked at
 */
export function checkGround(navMesh, tiles, baker, { strayCells, height }, findings) {
  const { tileCountX, tileCountZ, walkableClimb } = baker.voxels;
  const looked = { polygons: 0, spans: 0 };
  for (let z = 0; z < tileCountZ; z++) {
    for (let x = 0; x < tileCountX; x++) {
      baker.beginTile(x, z, { keepStages: true });
      while (baker.nextStage !== 'contours' && baker.nextStage !== 'done') baker.step();
      if (baker.nextStage === 'done' || !baker.read('regions')) continue;
      const ground = new Ground(baker, x, z);
      const radius = Math.ceil(strayCells) + 1;
      for (const checked of tiles) {
        if (checked.tile.x === x && checked.tile.z === z) looked.polygons += checkOver(navMesh, checked, ground, radius, height, findings);
      }
      looked.spans += checkCover(navMesh, ground.inner(radius, Math.max(1, walkableClimb)), height, findings);
    }
  }
  return looked;
}

/** Middles of polygons lie over walkable ground. @param {NavMesh} navMesh @param {CheckedTile} checked @param {Ground} ground @param {number} radius @param {number} height @param {Findings} findings */
function checkOver(navMesh, checked, ground, radius, height, findings) {
  const { ref, tile } = checked;
  const { origin, cellSize, cellHeight, border } = ground.frame;
  for (let p = 0; p < tile.groundCount; p++) {
    const middle = middleOf(checked, p);
    const x = Math.floor((middle[0] - origin[0]) / cellSize) + border, z = Math.floor((middle[2] - origin[2]) / cellSize) + border;
    // Of the surface, which may bulge between the corners.
    const level = ((navMesh.height(ref + p, middle) ?? middle[1]) - origin[1]) / cellHeight;
    const isOver = ground.hasAround(x, z, radius, (nearX, nearZ) => ground.has(nearX, nearZ, level, height / cellHeight, ground.areas));
    if (!isOver) findings.add('ground', 'lies over ground that cannot be walked on', ref + p, middle);
  }
  return tile.groundCount;
}

/** Ground away from borders has polygons. @param {NavMesh} navMesh @param {Float32Array} points @param {number} height @param {Findings} findings */
function checkCover(navMesh, points, height, findings) {
  if (points.length === 0) return 0;
  const halfExtents = [1e-3, height, 1e-3];
  const { polygons, count } = navMesh.nearestPoints(points, { halfExtents, heightPreference: 'closest', filter: { includeFlags: 0xffff } });
  for (let i = 0; i < count; i++) {
    if (polygons[i] === 0) findings.add('cover', 'can be walked on, and has no polygon', 0, points.subarray(3 * i, 3 * i + 3));
  }
  return count;
}
