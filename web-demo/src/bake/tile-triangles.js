/** The triangles of a navigation mesh tile. */

/** @typedef {import('walkmesh').TileArrays} TileArrays */

/** Height of the drawn surface above the mesh, so that the ground doesn't hide it. */
const LIFT = 0.06;

/** Lists the triangles of a tile's surface, vertex by vertex. @param {TileArrays} tile @returns {Float32Array} */
export function listTriangles({ groundCount, sizes, polygons, vertices, details, detailVertices, detailTriangles }) {
  const triangles = new Float32Array(9 * (detailTriangles.length / 4));
  let at = 0;
  for (let polygon = 0; polygon < groundCount; polygon++) {
    const [firstVertex, first, count] = details.subarray(3 * polygon, 3 * polygon + 3);
    for (let t = first; t < first + count; t++) {
      for (let k = 0; k < 3; k++) {
        const corner = detailTriangles[4 * t + k];
        const isOwn = corner < sizes[polygon];
        const from = 3 * (isOwn ? polygons[6 * polygon + corner] : firstVertex + corner - sizes[polygon]);
        const source = isOwn ? vertices : detailVertices;
        triangles[at++] = source[from];
        triangles[at++] = source[from + 1] + LIFT;
        triangles[at++] = source[from + 2];
      }
    }
  }
  return triangles.subarray(0, at);
}
