/** Checks that meshes are sound by themselves, for cases without golden figures. */
import assert from 'node:assert/strict';

const NONE = 0xffff;

/** The vertices of polygon p. */
export function polygonVertices({ polygons, maxVertices }, p) {
  const row = polygons.subarray(2 * maxVertices * p, 2 * maxVertices * p + maxVertices);
  const end = row.indexOf(NONE);
  return row.subarray(0, end < 0 ? maxVertices : end);
}

/** Twice the area of a, b, c on x and z, positive if they turn counter-clockwise seen from above. */
function turn(vertices, a, b, c) {
  const x = (v) => vertices[3 * v];
  const z = (v) => vertices[3 * v + 2];
  return (x(c) - x(a)) * (z(b) - z(a)) - (x(b) - x(a)) * (z(c) - z(a));
}

/** Indices in range, polygons convex and all with the same winding, neighbours mutual. */
export function checkPolygonMesh(mesh, label) {
  const { vertices, polygons, polygonCount, vertexCount, maxVertices } = mesh;
  for (let p = 0; p < polygonCount; p++) {
    const corners = polygonVertices(mesh, p);
    const where = `${label}: polygon ${p}`;
    assert.ok(corners.length >= 3, `${where} has ${corners.length} vertices`);
    assert.equal(new Set(corners).size, corners.length, `${where} repeats a vertex`);
    let area = 0;
    corners.forEach((corner, i) => {
      assert.ok(corner < vertexCount, `${where} names vertex ${corner} of ${vertexCount}`);
      const [next, afterNext] = [corners[(i + 1) % corners.length], corners[(i + 2) % corners.length]];
      assert.ok(turn(vertices, corner, next, afterNext) >= 0, `${where} is not convex at ${i}`);
      if (i >= 2) area += turn(vertices, corners[0], corners[i - 1], corner);
      const neighbour = polygons[2 * maxVertices * p + maxVertices + i];
      if (neighbour & 0x8000) return;
      assert.ok(neighbour < polygonCount, `${where} has neighbour ${neighbour} of ${polygonCount}`);
      const row = 2 * maxVertices * neighbour + maxVertices;
      assert.ok(polygons.subarray(row, row + maxVertices).includes(p), `${where}: neighbour ${neighbour} does not know it`);
    });
    assert.ok(area > 0, `${where} has no area`);
  }
}

/** Ranges and indices in range, heights finite, and no triangle with the opposite winding. */
export function checkDetailMesh({ submeshes, submeshCount, vertices, triangles, vertexCount, triangleCount }, label) {
  assert.ok(vertices.every(Number.isFinite), `${label}: detail vertices are finite`);
  for (let s = 0; s < submeshCount; s++) {
    const [firstVertex, count, firstTriangle, triangleTotal] = submeshes.subarray(4 * s, 4 * s + 4);
    assert.ok(firstVertex + count <= vertexCount, `${label}: vertices of submesh ${s}`);
    assert.ok(firstTriangle + triangleTotal <= triangleCount, `${label}: triangles of submesh ${s}`);
    assert.ok(triangleTotal >= 1, `${label}: submesh ${s} is empty`);
    for (let t = firstTriangle; t < firstTriangle + triangleTotal; t++) {
      const corners = triangles.subarray(4 * t, 4 * t + 3);
      assert.ok(corners.every((corner) => corner < count), `${label}: triangle ${t} of submesh ${s}`);
    }
  }
}
