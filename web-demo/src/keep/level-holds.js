/** Whether a navigation mesh may be one of a level: by where its surface lies. */

/** Share of the surface's corners that lie in the level's box. */
const SHARE = 0.95;

/**
 * @param {{ min: { x: number, y: number, z: number }, max: { x: number, y: number, z: number } }} bounds of the level
 * @param {import('walkmesh').NavMesh} navMesh
 */
export function levelHolds({ min, max }, navMesh) {
  const { cellSize, cellHeight } = navMesh.parameters;
  const corners = navMesh.triangles();
  // Rounding to cells, and what the height detail strays.
  const [across, up] = [2 * (cellSize || 1), 4 * (cellHeight || 1)];
  let inside = 0;
  for (let i = 0; i < corners.length; i += 3) {
    const [x, y, z] = [corners[i], corners[i + 1], corners[i + 2]];
    if (x >= min.x - across && x <= max.x + across && z >= min.z - across && z <= max.z + across && y >= min.y - up && y <= max.y + up) inside++;
  }
  return inside >= SHARE * corners.length / 3;
}
