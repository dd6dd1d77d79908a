/**
 * The pictures of docs/pipeline.md, drawn from the arrays of each bake stage. The same input gives the same bytes, so that a test
 * can compare them with the committed pictures.
 */
import { load, readTile } from '../../js/index.js';
import { COLOURS, Canvas, REGION_COLOURS, blend, shade } from './canvas.js';
import { drawCrowdPictures } from './crowd-pictures.js';
import { CONFIG, JUMP, MUD, PIECES, makeLevel } from './level.js';
import { Grid, drawVoxels } from './voxels.js';

/** @typedef {import('../../js/index.js').Walkmesh} Walkmesh */
/** @typedef {import('../../js/bake/stages.js').StageArrays} StageArrays */
/** @typedef {import('../../js/bake/stages.js').StageName} StageName */

/**
 * The arrays after each stage.
 * @typedef {object} Trail
 * @property {Grid} grid
 * @property {Uint8Array} triangleAreas
 * @property {Record<string, StageArrays['heightfield']>} heightfields by stage
 * @property {Record<string, Uint8Array>} areas by stage
 * @property {StageArrays['compact']} compact
 * @property {Uint16Array} distance
 * @property {Uint16Array} regions
 * @property {StageArrays['contours']} contours
 * @property {StageArrays['polygonMesh']} polygonMesh
 * @property {StageArrays['detailMesh']} detailMesh
 */

const MUD_AREA = MUD.area;
const LOW = [0, 0, 0];
const HIGH = [16, 2.4, 12];

/** @param {Walkmesh} walkmesh @returns {Trail} */
function bakeByStages(walkmesh) {
  const baker = walkmesh.createBaker(makeLevel(), CONFIG);
  /** @type {any} */
  const trail = { grid: new Grid(baker.voxels, baker.config), heightfields: {}, areas: {} };
  try {
    baker.beginTile(0, 0, { keepStages: true });
    while (baker.nextStage !== 'done') {
      const { stage } = baker.step();
      trail.heightfields[stage] = baker.read('heightfield');
      trail.areas[stage] = baker.read('areas');
    }
    for (const name of /** @type {const} */ (['triangleAreas', 'compact', 'distance', 'regions', 'contours', 'polygonMesh',
      'detailMesh'])) trail[name] = baker.read(name);
  } finally {
    baker.free();
  }
  return trail;
}

/** @param {string} title */
const makeCanvas = (title) => new Canvas(title, LOW, HIGH);

/** @param {ArrayLike<number>[]} face */
function normalOf([a, b, c]) {
  const [u, v] = [b, c].map((point) => [0, 1, 2].map((axis) => point[axis] - a[axis]));
  const n = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
  const length = Math.hypot(...n);
  return n.map((part) => part / length);
}

/**
 * Draws the visible faces of the level.
 * @param {Canvas} canvas @param {(normal: number[]) => string} colourOf
 * @param {{ edge?: number, diagonals?: boolean }} [options] edge: how dark edges are; diagonals: faces are cut into triangles
 */
function drawLevel(canvas, colourOf, { edge = 0.75, diagonals = false } = {}) {
  for (const { faces } of PIECES) {
    for (const face of faces) {
      const normal = normalOf(face);
      if (!Canvas.isSeen(normal)) continue;
      const colour = colourOf(normal);
      canvas.polygon(face, colour, { stroke: shade(colour, edge), 'stroke-width': 0.7 });
      if (diagonals && face.length === 4) canvas.lines([[face[0], face[2]]], shade(colour, edge), 0.7);
    }
  }
}

/** The level as a pale background. @param {Canvas} canvas */
function drawPaleLevel(canvas) {
  drawLevel(canvas, ([x, y]) => (y > 0.99 ? COLOURS.ground
    : shade(COLOURS.ground, y > 0.1 ? 0.96 : x > 0.5 ? 0.86 : 0.92)), { edge: 0.88 });
}

/** Lightens or darkens a colour by the direction of a face. @param {string} colour @param {number[]} normal */
const light = (colour, [x, y]) => shade(colour, y > 0.99 ? 1 : y > 0.1 ? 0.94 : x > 0.5 ? 0.74 : 0.84);

/** The input, before the first stage. */
function drawTriangles() {
  const canvas = makeCanvas('The triangles of the level; those flat enough to walk on are coloured');
  const steepest = Math.cos(Math.PI * 45 / 180);
  drawLevel(canvas, (normal) => light(normal[1] > steepest ? COLOURS.walkable : COLOURS.blocked, normal),
    { edge: 0.7, diagonals: true });
  canvas.legend(COLOURS.walkable, 'flat enough (agentMaxSlope)');
  canvas.legend(COLOURS.blocked, 'too steep, or facing away');
  return canvas;
}

/** @param {Trail} trail */
function drawHeightfield({ grid, heightfields: { rasterize } }) {
  const canvas = makeCanvas('The solid heightfield: columns of spans; tops flat enough to walk on are coloured');
  drawVoxels(canvas, grid, rasterize, (span) => (rasterize.spans[3 * span + 2] ? COLOURS.walkable : COLOURS.blocked));
  canvas.legend(COLOURS.walkable, 'span with a walkable top');
  canvas.legend(COLOURS.blocked, 'other span');
  return canvas;
}

/** @param {Trail} trail */
function drawFilters({ grid, heightfields }) {
  const canvas = makeCanvas('What the three filters change in the heightfield');
  const after = (/** @type {StageName} */ stage, /** @type {number} */ span) => heightfields[stage].spans[3 * span + 2] !== 0;
  drawVoxels(canvas, grid, heightfields.rasterize, (span) => {
    if (!after('rasterize', span)) return after('filterLowHanging', span) ? COLOURS.regained : COLOURS.blocked;
    if (!after('filterLedges', span)) return COLOURS.ledge;
    return after('filterLowHeight', span) ? COLOURS.walkable : COLOURS.removed;
  });
  canvas.legend(COLOURS.regained, 'low obstacle: can be stepped on');
  canvas.legend(COLOURS.ledge, 'ledge');
  canvas.legend(COLOURS.removed, 'no headroom');
  canvas.legend(COLOURS.walkable, 'stays');
  return canvas;
}

/**
 * Calls back for each open span, from the far cells to the near ones.
 * @param {Trail} trail @param {(span: number, x: number, z: number, floor: number) => void} visit
 */
function visitOpenSpans({ grid, compact }, visit) {
  for (let cell = 0; cell < grid.cells; cell++) {
    const [first, count] = compact.cells.subarray(2 * cell, 2 * cell + 2);
    for (let span = first; span < first + count; span++) {
      visit(span, cell % grid.width, Math.floor(cell / grid.width), compact.floor[span]);
    }
  }
}

/**
 * Tiles of the floor: a square for each open span.
 * @param {Canvas} canvas @param {Trail} trail @param {(span: number) => string | null} colourOf null: not drawn
 */
function drawFloor(canvas, trail, colourOf) {
  visitOpenSpans(trail, (span, x, z, floor) => {
    const colour = colourOf(span);
    if (!colour) return;
    canvas.polygon(trail.grid.square(x, x + 1, z, floor), colour, { stroke: shade(colour, 0.85), 'stroke-width': 0.5 });
  });
}

const NO_LINK = 63;
/** Offsets of a cell's neighbours by side. */
const STEPS = [[-1, 0], [0, 1], [1, 0], [0, -1]];

/** @param {Trail} trail */
function drawCompact(trail) {
  const { grid, compact } = trail;
  const canvas = makeCanvas('The compact heightfield: floors one can stand on, and which neighbours can be stepped to');
  drawPaleLevel(canvas);
  drawFloor(canvas, trail, () => '#dcebe2');
  /** @type {number[][][]} */
  const lines = [];
  visitOpenSpans(trail, (span, x, z, floor) => {
    // Only two of four sides: each link is drawn once.
    for (const direction of [1, 2]) {
      const index = compact.links[span] >>> (6 * direction) & 63;
      if (index === NO_LINK) continue;
      const [dx, dz] = STEPS[direction];
      const across = compact.cells[2 * (x + dx + (z + dz) * grid.width)] + index;
      lines.push([grid.point(x + 0.5, floor, z + 0.5), grid.point(x + dx + 0.5, compact.floor[across], z + dz + 0.5)]);
    }
  });
  canvas.lines(lines, shade(COLOURS.walkable, 0.75), 1.2);
  canvas.legend('#dcebe2', 'open span');
  canvas.legend(shade(COLOURS.walkable, 0.75), 'link to a neighbour', 'line');
  return canvas;
}

/** @param {Trail} trail */
function drawErosion(trail) {
  const canvas = makeCanvas('Erosion: what lies nearer to an edge than the radius of the agent is taken away');
  drawPaleLevel(canvas);
  drawFloor(canvas, trail, (span) => (trail.areas.erode[span] ? COLOURS.walkable : COLOURS.removed));
  canvas.legend(COLOURS.removed, 'nearer to an edge than agentRadius');
  canvas.legend(COLOURS.walkable, 'stays');
  return canvas;
}

/** @param {Trail} trail */
function drawAreas(trail) {
  const canvas = makeCanvas('Areas: a cylinder marks the mud');
  drawPaleLevel(canvas);
  drawFloor(canvas, trail, (span) => {
    const area = trail.areas.markAreas[span];
    return area === 0 ? null : area === MUD_AREA ? COLOURS.mud : COLOURS.walkable;
  });
  const { base: [x, y, z], radius, height } = MUD;
  for (const level of [y, y + height]) {
    const circle = Array.from({ length: 41 }, (_, i) => Math.PI * i / 20)
      .map((angle) => [x + radius * Math.cos(angle), level, z + radius * Math.sin(angle)]);
    canvas.lines([circle], shade(COLOURS.mud, 0.6), 1.5);
  }
  canvas.legend(COLOURS.mud, `area ${MUD_AREA}, from a volume`);
  canvas.legend(COLOURS.walkable, 'area 63');
  return canvas;
}

/** @param {Trail} trail */
function drawDistance(trail) {
  const canvas = makeCanvas('The distance field: how far each floor is from the nearest edge');
  const most = trail.distance.reduce((max, distance) => Math.max(max, distance), 1);
  const [near, far] = ['#f3ecd2', '#2c6e7f'];
  drawPaleLevel(canvas);
  drawFloor(canvas, trail, (span) => (trail.areas.markAreas[span] ? blend(near, far, trail.distance[span] / most) : null));
  canvas.legend(near, 'at an edge');
  canvas.legend(blend(near, far, 0.5), 'between');
  canvas.legend(far, `farthest: ${most}`);
  return canvas;
}

/** @param {number} region */
const regionColour = (region) => REGION_COLOURS[region % REGION_COLOURS.length];

/** @param {Trail} trail */
function drawRegions(trail) {
  const canvas = makeCanvas('Regions: floor cut into pieces without holes');
  drawPaleLevel(canvas);
  drawFloor(canvas, trail, (span) => {
    const region = trail.regions[span];
    return region ? regionColour(region) : trail.areas.markAreas[span] ? COLOURS.removed : null;
  });
  const regions = [...new Set(trail.regions)].filter(Boolean).sort((a, b) => a - b);
  for (const region of regions) canvas.legend(regionColour(region), `region ${region}`);
  const someAreDropped = trail.regions.some((region, span) => !region && trail.areas.markAreas[span]);
  if (someAreDropped) canvas.legend(COLOURS.removed, 'too small: dropped');
  return canvas;
}

/** Corners of a ring of vertices with four numbers each. @param {Grid} grid @param {Int32Array} vertices */
function ringOf(grid, vertices) {
  const points = Array.from({ length: vertices.length / 4 }, (_, i) =>
    grid.point(vertices[4 * i], vertices[4 * i + 1], vertices[4 * i + 2]));
  return [...points, points[0]];
}

/** @param {Trail} trail */
function drawContours({ grid, contours }) {
  const canvas = makeCanvas('Contours: the raw outline of each region, and the simplified one');
  drawPaleLevel(canvas);
  for (const { rawVertices } of contours) canvas.lines([ringOf(grid, rawVertices)], '#8d8a84', 1);
  for (const { region, vertices } of contours) {
    const ring = ringOf(grid, vertices);
    canvas.polygon(ring, regionColour(region), { 'fill-opacity': 0.28 });
    canvas.lines([ring], shade(regionColour(region), 0.72), 2.5);
    for (const corner of ring.slice(1)) canvas.dot(corner, 3, shade(regionColour(region), 0.55));
  }
  canvas.legend('#8d8a84', 'raw, along the cells', 'line');
  canvas.legend(shade(COLOURS.walkable, 0.72), 'simplified (maxEdgeError)', 'line');
  return canvas;
}

/** Corners of each polygon of the polygon mesh. @param {Trail} trail */
function readPolygons({ grid, polygonMesh }) {
  const { maxVertices, polygonCount, polygons, regions, areas, vertices } = polygonMesh;
  return Array.from({ length: polygonCount }, (_, polygon) => {
    const first = 2 * maxVertices * polygon;
    const corners = Array.from(polygons.subarray(first, first + maxVertices)).filter((vertex) => vertex !== 0xffff);
    const neighbours = Array.from(polygons.subarray(first + maxVertices, first + maxVertices + corners.length));
    const points = corners.map((vertex) => grid.point(vertices[3 * vertex], vertices[3 * vertex + 1], vertices[3 * vertex + 2]));
    return { points, neighbours, region: regions[polygon], area: areas[polygon] };
  });
}

/** @param {Trail} trail */
function drawPolygonMesh(trail) {
  const canvas = makeCanvas('The polygon mesh: convex polygons, and the edges they share');
  drawPaleLevel(canvas);
  const polygons = readPolygons(trail);
  for (const { points, area } of polygons) {
    canvas.polygon(points, area === MUD_AREA ? COLOURS.mud : COLOURS.walkable, { 'fill-opacity': 0.75 });
  }
  const edges = (/** @type {boolean} */ isShared) => polygons.flatMap(({ points, neighbours }) => points.flatMap((point, i) => (
    (neighbours[i] < 0x8000) === isShared ? [[point, points[(i + 1) % points.length]]] : [])));
  canvas.lines(edges(true), '#ffffff', 1.6);
  canvas.lines(edges(false), COLOURS.ink, 2);
  canvas.legend(COLOURS.ink, 'border: a wall', 'line');
  canvas.legend('#c9cfd6', 'shared edge: a portal', 'line');
  canvas.legend(COLOURS.mud, `area ${MUD_AREA}`);
  return canvas;
}

/** @param {Trail} trail */
function drawDetailMesh({ detailMesh, polygonMesh }) {
  const canvas = makeCanvas('The detail mesh: triangles of each polygon that follow the height of the surface');
  const { submeshes, triangles, vertices } = detailMesh;
  drawPaleLevel(canvas);
  /** @type {number[][]} */
  const added = [];
  polygonMesh.areas.forEach((area, polygon) => {
    const [firstVertex, vertexCount, firstTriangle, triangleCount] = submeshes.subarray(4 * polygon, 4 * polygon + 4);
    const at = (/** @type {number} */ vertex) => Array.from(vertices.subarray(3 * (firstVertex + vertex)).subarray(0, 3));
    const colour = area === MUD_AREA ? COLOURS.mud : COLOURS.walkable;
    for (let i = firstTriangle; i < firstTriangle + triangleCount; i++) {
      const corners = Array.from(triangles.subarray(4 * i, 4 * i + 3), at);
      canvas.polygon(corners, colour, { 'fill-opacity': 0.75, stroke: shade(colour, 0.6), 'stroke-width': 0.9 });
    }
    const { maxVertices, polygons } = polygonMesh;
    const first = 2 * maxVertices * polygon;
    const corners = polygons.subarray(first, first + maxVertices).filter((vertex) => vertex !== 0xffff).length;
    for (let vertex = corners; vertex < vertexCount; vertex++) added.push(at(vertex));
  });
  for (const point of added) canvas.dot(point, 2.6, COLOURS.path);
  canvas.legend(shade(COLOURS.walkable, 0.6), 'detail triangle', 'line');
  canvas.legend(COLOURS.path, 'vertex added to follow the surface');
  return canvas;
}

/** Points along an arc between two points. @param {number[]} start @param {number[]} end */
function arcBetween(start, end) {
  return Array.from({ length: 17 }, (_, i) => {
    const t = i / 16;
    const [x, y, z] = [0, 1, 2].map((axis) => start[axis] + (end[axis] - start[axis]) * t);
    return [x, y + 4 * t * (1 - t), z];
  });
}

/** Polygons of the level's navigation mesh, a jump, and two paths. @param {Walkmesh} walkmesh */
function drawNavMesh(walkmesh) {
  const canvas = makeCanvas('The navigation mesh, with an off-mesh connection and two paths');
  drawPaleLevel(canvas);
  const { navMesh } = walkmesh.bake(makeLevel(), CONFIG);
  const triples = (/** @type {Float32Array} */ flat) =>
    Array.from({ length: flat.length / 3 }, (_, i) => Array.from(flat.subarray(3 * i, 3 * i + 3)));
  try {
    for (const { vertices, area, isOffMesh } of navMesh.polygons()) {
      const points = triples(Float32Array.from(vertices));
      if (isOffMesh) {
        canvas.lines([arcBetween(points[0], points[points.length - 1])], COLOURS.link, 2.4, { 'stroke-dasharray': '6 5' });
      } else {
        const colour = area === MUD_AREA ? COLOURS.mud : COLOURS.walkable;
        canvas.polygon(points, colour, { 'fill-opacity': 0.6, stroke: '#fff', 'stroke-width': 1 });
      }
    }
    for (const [from, to] of [[[14.4, 0, 10.8], [2, 2, 1.4]], [[5, 2, 1.4], [11.8, 0, 6.2]]]) {
      const path = navMesh.findPath(from, to);
      const points = triples(path.points);
      // The connection is drawn as a line of its own.
      const legs = points.slice(1).flatMap((point, i) => (path.offMesh[i] ? [] : [[points[i], point]]));
      canvas.lines(legs, COLOURS.path, 3);
      canvas.dot(points[0], 5, '#fff', { stroke: COLOURS.path, 'stroke-width': 2.5 });
      canvas.dot(points[points.length - 1], 5.5, COLOURS.path);
    }
  } finally {
    navMesh.free();
  }
  for (const end of [JUMP.start, JUMP.end]) canvas.dot(end, 3.4, COLOURS.link);
  canvas.legend(COLOURS.path, 'path', 'line');
  canvas.legend(COLOURS.link, 'off-mesh connection: a jump down', 'line');
  return canvas;
}

/** Sides of a tile in its list of neighbours: x+, z+, x-, z-. */
const OTHER_TILE = 0x8000;

/** The level in tiles: outlines of polygons, walls and portals to other tiles. @param {Walkmesh} walkmesh */
function drawTiles(walkmesh) {
  const canvas = makeCanvas('The same level in tiles: portals join polygons on both sides of a border');
  drawPaleLevel(canvas);
  const { navMesh, report: { voxels } } = walkmesh.bake(makeLevel(), { ...CONFIG, tileSize: 14 });
  /** @type {number[][][]} */
  const portals = [];
  try {
    for (const ref of navMesh.tileRefs()) {
      const tile = readTile(navMesh.tileBytes(ref));
      const colour = REGION_COLOURS[(tile.x + 3 * tile.z) % REGION_COLOURS.length];
      for (let polygon = 0; polygon < tile.groundCount; polygon++) {
        const size = tile.sizes[polygon];
        const corners = Array.from(tile.polygons.subarray(6 * polygon, 6 * polygon + size),
          (vertex) => Array.from(tile.vertices.subarray(3 * vertex, 3 * vertex + 3)));
        canvas.polygon(corners, colour, { 'fill-opacity': 0.7, stroke: '#fff', 'stroke-width': 0.9 });
        for (let edge = 0; edge < size; edge++) {
          if (tile.neighbours[6 * polygon + edge] >= OTHER_TILE) portals.push([corners[edge], corners[(edge + 1) % size]]);
        }
      }
    }
  } finally {
    navMesh.free();
  }
  canvas.lines(portals, COLOURS.ink, 2.6);
  const { tileWorldSize, tileCountX, tileCountZ } = voxels;
  const [width, depth] = [HIGH[0], HIGH[2]];
  const borders = [...Array.from({ length: tileCountX - 1 }, (_, i) => (i + 1) * tileWorldSize).map((x) => [[x, 0, 0], [x, 0, depth]]),
    ...Array.from({ length: tileCountZ - 1 }, (_, i) => (i + 1) * tileWorldSize).map((z) => [[0, 0, z], [width, 0, z]])];
  canvas.lines(borders, COLOURS.ink, 0.8, { 'stroke-dasharray': '3 5', opacity: 0.6 });
  canvas.legend(COLOURS.ink, 'portal to another tile', 'line');
  canvas.legend(COLOURS.faint, 'borders of tiles on the ground', 'line');
  return canvas;
}

/**
 * All pictures, by file name: those of docs/pipeline.md, and those of docs/crowd.md, which begin with `crowd-`.
 * @returns {Promise<Record<string, string>>} SVG
 */
export async function drawPictures() {
  const walkmesh = await load();
  const trail = bakeByStages(walkmesh);
  return Object.fromEntries(Object.entries({
    'triangles': drawTriangles(),
    'rasterize': drawHeightfield(trail),
    'filters': drawFilters(trail),
    'compact': drawCompact(trail),
    'erode': drawErosion(trail),
    'areas': drawAreas(trail),
    'distance': drawDistance(trail),
    'regions': drawRegions(trail),
    'contours': drawContours(trail),
    'polygon-mesh': drawPolygonMesh(trail),
    'detail-mesh': drawDetailMesh(trail),
    'navigation-mesh': drawNavMesh(walkmesh),
    'tiles': drawTiles(walkmesh),
    ...drawCrowdPictures(walkmesh),
  }).map(([name, canvas]) => [`${name}.svg`, String(canvas)]));
}
