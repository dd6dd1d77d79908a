/** Parses dumps (layouts: tests/golden/README.md). */

/** @returns {{region: number, area: number, points: number[][], raw: string}[]} points are x, y, z, code */
export function readContours(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = 4;
  return Array.from({ length: view.getUint32(0, true) }, () => {
    const contour = { region: view.getUint16(at, true), area: bytes[at + 2] };
    const count = view.getUint32(at + 3, true);
    at += 7;
    contour.points = Array.from({ length: count }, (_, i) =>
      [0, 4, 8, 12].map((offset) => view.getInt32(at + i * 16 + offset, true)));
    at += count * 16;
    const rawBytes = 4 + view.getUint32(at, true) * 16;
    contour.raw = Buffer.from(bytes.subarray(at, at + rawBytes)).toString('base64');
    at += rawBytes;
    return contour;
  });
}

/** @returns {{region: number, area: number, corners: number[][]}[]} corners are x, y, z in cells */
export function readPolygons(bytes) {
  const [vertexCount, polygonCount, perPolygon] = new Uint32Array(bytes.slice(0, 12).buffer);
  const wordCount = vertexCount * 3 + polygonCount * (perPolygon * 2 + 1);
  const words = new Uint16Array(bytes.slice(12, 12 + wordCount * 2).buffer);
  const polygons = vertexCount * 3;
  const regions = polygons + polygonCount * perPolygon * 2;
  return Array.from({ length: polygonCount }, (_, i) => {
    const start = polygons + i * perPolygon * 2;
    const indices = [...words.subarray(start, start + perPolygon)].filter((vertex) => vertex !== 0xffff);
    return {
      region: words[regions + i],
      area: bytes[12 + wordCount * 2 + i],
      corners: indices.map((vertex) => [...words.subarray(vertex * 3, vertex * 3 + 3)]),
    };
  });
}

/** @returns {Map<number, number>} region -> twice the area of its polygons seen from above, in cells */
export function areaByRegion(polygons) {
  const areas = new Map();
  for (const { region, corners } of polygons) {
    const area = corners.reduce((sum, [x, , z], i) => {
      const [nextX, , nextZ] = corners[(i + 1) % corners.length];
      return sum + nextX * z - x * nextZ;
    }, 0);
    areas.set(region, (areas.get(region) ?? 0) + area);
  }
  return areas;
}

/** @returns {{ bytes: string, heights: Float32Array }[]} of each submesh of a detail mesh: vertices and triangles, and the heights of the vertices */
export function splitDetail(bytes) {
  const [submeshCount, vertexCount] = new Uint32Array(bytes.slice(0, 12).buffer);
  const submeshes = new Uint32Array(bytes.slice(12, 12 + submeshCount * 16).buffer);
  const vertices = 12 + submeshCount * 16;
  const triangles = vertices + vertexCount * 12;
  return Array.from({ length: submeshCount }, (_, i) => {
    const [firstVertex, vertexTotal, firstTriangle, triangleTotal] = submeshes.subarray(i * 4, i * 4 + 4);
    const part = (start, first, count, size) =>
      Buffer.from(bytes.subarray(start + first * size, start + (first + count) * size)).toString('base64');
    const points = new Float32Array(bytes.slice(vertices + firstVertex * 12, vertices + (firstVertex + vertexTotal) * 12).buffer);
    return {
      bytes: part(vertices, firstVertex, vertexTotal, 12) + part(triangles, firstTriangle, triangleTotal, 4),
      heights: points.filter((_, number) => number % 3 === 1),
    };
  });
}
