/**
 * A floor with a wall at its edge, two cells deep. The simplified outline leads across the bite that the wall takes out of it, so that samples on it
 * lie farther from the floor than heights are looked for: Recast puts a vertex 65,535 cell heights above the floor.
 */
import { addBox, addGround, emptySoup } from './live/shapes.js';

export const BITTEN = Object.freeze({ cellSize: 0.25, cellHeight: 0.1, agentRadius: 0, maxEdgeError: 1 });

export function bittenFloor() {
  const soup = emptySoup();
  addGround(soup, 0, 0, 8, 4, 0);
  addBox(soup, 3, 3.75, 0.5, 0.25, 0, 3);
  return { positions: Float32Array.from(soup.positions), indices: Uint32Array.from(soup.indices) };
}
