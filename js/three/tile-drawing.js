/**
 * The drawing of one tile: its surface as triangles, and the outlines of its polygons as lines of three kinds. Lines follow the
 * detail mesh: an edge of a detail triangle that lies on its polygon's outline has the kind of the polygon's edge that is nearest
 * to it.
 */

/** @typedef {import('../mesh/detour-tile.js').TileArrays} TileArrays */

/** Neighbour codes from this one on are portal edges to other tiles. */
const PORTAL = 0x8000;

/** Bits of a detail triangle's flags: edge k lies on the outline. */
const OUTLINE_BITS = [1, 4, 16];

/**
 * @typedef {object} TileDrawing
 * @property {Float32Array} surface [triangles][3][3]
 * @property {Uint32Array} surfacePolygons [triangles] number of the polygon
 * @property {number[]} edges [lines][2][3] between polygons of the tile, each once
 * @property {number[]} walls [lines][2][3]
 * @property {number[]} portals [lines][2][3] to polygons of other tiles
 */

/** Squared distance on x and z from (x, z) to a segment. */
function distanceToEdge(
  /** @type {number} */ x, /** @type {number} */ z, /** @type {Float32Array} */ v, /** @type {number} */ a, /** @type {number} */ b,
) {
  const dx = v[b] - v[a], dz = v[b + 2] - v[a + 2];
  const length = dx * dx + dz * dz;
  const t = length > 0 ? Math.min(Math.max(((x - v[a]) * dx + (z - v[a + 2]) * dz) / length, 0), 1) : 0;
  const px = v[a] + t * dx - x, pz = v[a + 2] + t * dz - z;
  return px * px + pz * pz;
}

/**
 * The edge of polygon p that a line on its outline lies on.
 * @param {TileArrays} tile @param {number} p @param {Float32Array} line [2][3] @returns {number}
 */
function edgeAt({ sizes, polygons, vertices }, p, line) {
  const size = sizes[p];
  let [best, least] = [0, Infinity];
  for (let k = 0; k < size; k++) {
    const a = 3 * polygons[6 * p + k];
    const b = 3 * polygons[6 * p + (k + 1) % size];
    const distance = Math.max(distanceToEdge(line[0], line[2], vertices, a, b), distanceToEdge(line[3], line[5], vertices, a, b));
    if (distance < least) [best, least] = [k, distance];
  }
  return best;
}

/** @param {number[]} lines @param {Float32Array} line */
function addLine(lines, line) {
  lines.push(line[0], line[1], line[2], line[3], line[4], line[5]);
}

/** @param {TileArrays} tile @param {number} lift height above the surface at which everything is drawn @returns {TileDrawing} */
export function drawTile(tile, lift) {
  const { details, sizes, polygons, vertices, detailVertices, detailTriangles, neighbours, groundCount } = tile;
  let triangleCount = 0;
  for (let p = 0; p < groundCount; p++) triangleCount += details[3 * p + 2];
  const surface = new Float32Array(9 * triangleCount);
  const surfacePolygons = new Uint32Array(triangleCount);
  const drawing = { surface, surfacePolygons, edges: /** @type {number[]} */ ([]), walls: /** @type {number[]} */ ([]),
    portals: /** @type {number[]} */ ([]) };
  const line = new Float32Array(6);
  let triangle = 0;
  for (let p = 0; p < groundCount; p++) {
    const [firstVertex, firstTriangle, count] = [details[3 * p], details[3 * p + 1], details[3 * p + 2]];
    for (let t = firstTriangle; t < firstTriangle + count; t++, triangle++) {
      surfacePolygons[triangle] = p;
      for (let k = 0; k < 3; k++) {
        const corner = detailTriangles[4 * t + k];
        const isOwn = corner < sizes[p];
        const from = isOwn ? vertices : detailVertices;
        const at = 3 * (isOwn ? polygons[6 * p + corner] : firstVertex + corner - sizes[p]);
        surface[9 * triangle + 3 * k] = from[at];
        surface[9 * triangle + 3 * k + 1] = from[at + 1] + lift;
        surface[9 * triangle + 3 * k + 2] = from[at + 2];
      }
      for (let k = 0; k < 3; k++) {
        if ((detailTriangles[4 * t + 3] & OUTLINE_BITS[k]) === 0) continue;
        const [a, b] = [9 * triangle + 3 * k, 9 * triangle + 3 * ((k + 1) % 3)];
        for (let axis = 0; axis < 3; axis++) {
          line[axis] = surface[a + axis];
          line[3 + axis] = surface[b + axis];
        }
        const neighbour = neighbours[6 * p + edgeAt(tile, p, line)];
        if (neighbour === 0) addLine(drawing.walls, line);
        else if (neighbour >= PORTAL) addLine(drawing.portals, line);
        else if (neighbour - 1 > p) addLine(drawing.edges, line);
      }
    }
  }
  return drawing;
}
