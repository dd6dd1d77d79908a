/** A level of many tiles for tests of rebakes: a square with steps, and props (boxes) that can be moved. */

/** The 12 triangles of a box, counter-clockwise seen from outside. */
const BOX = [0, 1, 3, 0, 3, 2, 4, 7, 5, 4, 6, 7, 0, 5, 1, 0, 4, 5, 2, 3, 7, 2, 7, 6, 0, 2, 6, 0, 6, 4, 1, 5, 7, 1, 7, 3];

/** Numbers from 0 to 1, the same for the same seed. @param {number} seed */
export function makeRandom(seed) {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return (state >>> 8) / 2 ** 24;
  };
}

/**
 * @param {{ seed?: number, side?: number, props?: number }} [options] side: world units
 * @returns {{ side: number, props: { x: number, z: number, size: number, height: number }[] }}
 */
export function makeTown({ seed = 1, side = 60, props = 60 } = {}) {
  const random = makeRandom(seed);
  return {
    side,
    props: Array.from({ length: props }, () => ({
      x: 2 + (side - 6) * random(), z: 2 + (side - 6) * random(), size: 0.6 + 1.5 * random(), height: 0.3 + 2 * random(),
    })),
  };
}

/** The triangles of a town. @param {ReturnType<typeof makeTown>} town */
export function buildTown({ side, props }) {
  const positions = [];
  const indices = [];
  for (let x = 0; x < side; x += 5) { // strips, so that no triangle overlaps all tiles
    const first = positions.length / 3;
    positions.push(x, 0, 0, x + 5, 0, 0, x, 0, side, x + 5, 0, side);
    indices.push(first, first + 2, first + 1, first + 1, first + 2, first + 3);
  }
  for (const { x, z, size, height } of props) {
    const first = positions.length / 3;
    for (let k = 0; k < 8; k++) positions.push(x + (k & 1 ? size : 0), k & 4 ? height : -0.1, z + (k & 2 ? size : 0));
    indices.push(...BOX.map((k) => first + k));
  }
  return { positions: Float32Array.from(positions), indices: Uint32Array.from(indices) };
}

/** The configuration for a town of this side: tiles of 16 cells, bounds that do not follow the props. @param {number} side */
export const townConfig = (side) => ({
  cellSize: 0.25, cellHeight: 0.2, agentRadius: 0.4, tileSize: 16, minRegionSize: 4,
  bounds: { min: [0, -1, 0], max: [side, 6, side] },
});
