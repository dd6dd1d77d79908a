/** Draws columns of voxels on a Canvas: from the far cells to the near ones, each span from the bottom, only visible faces. */
import { shade } from './canvas.js';

/** @typedef {import('./canvas.js').Canvas} Canvas */
/** @typedef {import('../../js/bake/bake-steps.js').Voxels} Voxels */
/** @typedef {import('../../js/bake/stages.js').HeightfieldArrays} Heightfield */

/** Converts cells and cell heights to world units. */
export class Grid {
  /** @param {Voxels} voxels @param {{ cellSize: number, cellHeight: number }} config */
  constructor({ boundsMin, width, depth }, { cellSize, cellHeight }) {
    this.width = width;
    this.depth = depth;
    this.cells = width * depth;
    this.cellSize = cellSize;
    this.cellHeight = cellHeight;
    this.origin = boundsMin;
  }

  /** @param {number} x cells @param {number} y cell heights @param {number} z cells */
  point(x, y, z) {
    const [ox, oy, oz] = this.origin;
    return [ox + x * this.cellSize, oy + y * this.cellHeight, oz + z * this.cellSize];
  }

  /** Corners of the rectangle that a triangle run covers. @param {number} x0 @param {number} x1 @param {number} z @param {number} y */
  square(x0, x1, z, y) {
    return [this.point(x0, y, z), this.point(x0, y, z + 1), this.point(x1, y, z + 1), this.point(x1, y, z)];
  }
}

/**
 * The parts of low to high that no span covers.
 * @param {number} low @param {number} high @param {[number, number][]} spans from the bottom
 */
function uncovered(low, high, spans) {
  /** @type {[number, number][]} */
  const parts = [];
  for (const [min, max] of spans) {
    if (min >= high) break;
    if (min > low) parts.push([low, min]);
    low = Math.max(low, max);
  }
  if (low < high) parts.push([low, high]);
  return parts;
}

/** @param {Heightfield} heightfield @param {number} cell @returns {[number, number][]} minimum and maximum of each span */
function spansOf({ cellFirst, spans }, cell) {
  return Array.from({ length: cellFirst[cell + 1] - cellFirst[cell] }, (_, i) => {
    const at = 3 * (cellFirst[cell] + i);
    return [spans[at], spans[at + 1]];
  });
}

/**
 * @param {Canvas} canvas @param {Grid} grid @param {Heightfield} heightfield
 * @param {(span: number) => string} colourOf the colour of a span's top; its sides are darker
 */
export function drawVoxels(canvas, grid, heightfield, colourOf) {
  const { width, depth } = grid;
  for (let z = 0; z < depth; z++) {
    for (let x = 0; x < width; x++) {
      const cell = x + z * width;
      const right = x + 1 < width ? spansOf(heightfield, cell + 1) : [];
      const front = z + 1 < depth ? spansOf(heightfield, cell + width) : [];
      spansOf(heightfield, cell).forEach(([min, max], i) => {
        const colour = colourOf(heightfield.cellFirst[cell] + i);
        const edge = { stroke: shade(colour, 0.82), 'stroke-width': 0.5 };
        for (const [low, high] of uncovered(min, max, right)) {
          canvas.polygon([grid.point(x + 1, low, z + 1), grid.point(x + 1, low, z), grid.point(x + 1, high, z),
            grid.point(x + 1, high, z + 1)], shade(colour, 0.7), edge);
        }
        for (const [low, high] of uncovered(min, max, front)) {
          canvas.polygon([grid.point(x, low, z + 1), grid.point(x + 1, low, z + 1), grid.point(x + 1, high, z + 1),
            grid.point(x, high, z + 1)], shade(colour, 0.82), edge);
        }
        canvas.polygon(grid.square(x, x + 1, z, max), colour, edge);
      });
    }
  }
}
