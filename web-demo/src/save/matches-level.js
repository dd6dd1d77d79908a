/** True if a navigation mesh matches a level, judged by the position of its surface. */

/** Fraction of the surface's vertices that must lie in the level's bounds. */
const SHARE = 0.95;

/**
 * @param {{ min: { x: number, y: number, z: number }, max: { x: number, y: number, z: number } }} bounds of the level
 * @param {import('walkmesh').NavMesh} navMesh
 */
export function levelHolds({ min, max }, navMesh) {
  const { cellSize, cellHeight } = navMesh.parameters;
  const corners = navMesh.triangles();
  // Margin for the rounding to cells and the error of the height detail.
  const [across, up] = [2 * (cellSize || 1), 4 * (cellHeight || 1)];
  let inside = 0;
  for (let i = 0; i < corners.length; i += 3) {
    const [x, y, z] = [corners[i], corners[i + 1], corners[i + 2]];
    if (x >= min.x - across && x <= max.x + across && z >= min.z - across && z <= max.z + across && y >= min.y - up && y <= max.y + up) inside++;
  }
  return inside >= SHARE * corners.length / 3;
}
