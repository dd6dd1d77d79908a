/**
 * Worlds of 40,000 tiles for long.js. A patch of 8 x 8 tiles that repeats is baked once; its 64 tiles are copied to all places with
 * other coordinates, so borders match. Lakes of several hundred metres are places without a tile.
 */
import { makeRandom } from './crowd/random.js';

/** Cells of a tile, metres of a cell, tiles of the patch. */
const [TILE_CELLS, CELL, PATCH] = [96, 0.5, 8];
export const TILE = TILE_CELLS * CELL;

/** Appends a house: four walls, and a roof too steep to walk on. */
function addHouse({ positions, indices }, [x, z], [width, depth], height) {
  const first = positions.length / 3;
  for (const y of [-1, height]) {
    for (const [dx, dz] of [[0, 0], [width, 0], [width, depth], [0, depth]]) positions.push(x + dx, y, z + dz);
  }
  for (const [a, b] of [[0, 1], [1, 2], [2, 3], [3, 0]]) {
    indices.push(first + a, first + a + 4, first + b + 4, first + a, first + b + 4, first + b);
  }
  positions.push(x + width / 2, height + Math.max(width, depth), z + depth / 2);
  for (const [a, b] of [[0, 1], [1, 2], [2, 3], [3, 0]]) indices.push(first + 4 + b, first + 4 + a, first + 8);
}

/** Houses and walls at random places. @param {number} count @returns {(random: () => number, side: number) => Box[]} */
const scatter = (count) => (random, side) => Array.from({ length: count }, () => {
  const isWall = random() < 0.2;
  const size = isWall ? (random() < 0.5 ? [2, 20 + 40 * random()] : [20 + 40 * random(), 2]) : [2 + 8 * random(), 2 + 8 * random()];
  return { at: [side * random(), side * random()], size };
});

/** Hedges along fields, with gaps; a village on every third field, some trees on the others. */
function plantFields(/** @type {() => number} */ random, /** @type {number} */ side) {
  const rows = 6, starts = Array.from({ length: rows }, (_, i) => (side * (i + 0.3 * random())) / rows);
  /** @type {Box[]} */
  const boxes = [];
  for (const axis of [0, 1]) {
    for (const line of starts) {
      let at = starts[0] + 10 * random();
      while (at < starts[0] + side - 8) {
        const length = Math.min(15 + 45 * random(), starts[0] + side - 8 - at);
        boxes.push(axis === 0 ? { at: [at % side, line], size: [length, 1.5] } : { at: [line, at % side], size: [1.5, length] });
        at += length + 3 + 3 * random();
      }
    }
  }
  for (let i = 0; i < rows * rows; i++) {
    const x = starts[i % rows], z = starts[Math.floor(i / rows)], isVillage = ((i % rows) + Math.floor(i / rows)) % 3 === 0;
    const size = () => (isVillage ? 4 + 8 * random() : 1);
    for (let n = 0; n < (isVillage ? 24 : 6); n++) boxes.push({ at: [x + 4 + 50 * random(), z + 4 + 50 * random()], size: [size(), size()] });
  }
  return boxes;
}

/** Worlds by name: the boxes of a patch. The search was tuned in all of them. */
export const WORLDS = { 'open country': scatter(360), 'dense town': scatter(900), 'fields and villages': plantFields };

/** @typedef {{ at: number[], size: number[] }} Box */

/** A level that repeats after PATCH tiles, with a border of one more tile around it. @param {(random: () => number, side: number) => Box[]} makeBoxes */
function makeLevel(makeBoxes) {
  const level = { positions: [], indices: [] };
  const side = PATCH * TILE, boxes = makeBoxes(makeRandom(11), side);
  const low = -TILE, high = side + TILE;
  level.positions.push(low, 0, low, low, 0, high, high, 0, high, high, 0, low);
  level.indices.push(0, 1, 2, 0, 2, 3);
  for (const { at, size } of boxes) {
    for (const dx of [-side, 0, side]) {
      for (const dz of [-side, 0, side]) {
        const place = [at[0] + dx, at[1] + dz];
        const isNear = place[0] + size[0] > low && place[0] < high && place[1] + size[1] > low && place[1] < high;
        if (isNear) addHouse(level, place, size, 4);
      }
    }
  }
  return { positions: new Float32Array(level.positions), indices: new Uint32Array(level.indices), bounds: [low, high] };
}

/** Bakes the patch: a mesh without tiles, and the bytes of the tiles by row and column. */
function bakePatch(walkmesh, makeBoxes) {
  const { positions, indices, bounds: [low, high] } = makeLevel(makeBoxes);
  const { navMesh } = walkmesh.bake({ positions, indices }, {
    cellSize: CELL, tileSize: TILE_CELLS, agentRadius: 0.5, detailSampleDistance: 0, minRegionSize: 4,
    bounds: { min: [low, -1, low], max: [high, 99, high] },
  });
  const origin = navMesh.parameters.origin;
  if (origin[0] !== low || origin[2] !== low) throw new Error(`the patch starts at ${origin}`);
  const tiles = Array.from({ length: PATCH * PATCH }, (_, i) => navMesh.tileBytes(navMesh.tileAt(1 + (i % PATCH), 1 + Math.floor(i / PATCH))));
  for (const tile of navMesh.tileRefs()) navMesh.removeTile(tile);
  return { navMesh, tiles };
}

/** A copy of a tile at another place. @param {Uint8Array} bytes @param {number} x @param {number} z */
function placeTile(bytes, x, z) {
  const copy = bytes.slice(), view = new DataView(copy.buffer);
  const dx = TILE * (x - view.getInt32(8, true)), dz = TILE * (z - view.getInt32(12, true));
  view.setInt32(8, x, true);
  view.setInt32(12, z, true);
  const shift = (at) => {
    view.setFloat32(at, view.getFloat32(at, true) + dx, true);
    view.setFloat32(at + 8, view.getFloat32(at + 8, true) + dz, true);
  };
  shift(72);
  shift(84);
  const [polygons, vertices, links, details, detailVertices] = [24, 28, 32, 36, 40].map((at) => view.getInt32(at, true));
  for (let i = 0; i < vertices; i++) shift(100 + 12 * i);
  const first = 100 + 12 * vertices + 32 * polygons + 12 * links + 12 * details;
  for (let i = 0; i < detailVertices; i++) shift(first + 12 * i);
  return copy;
}

/** True where a lake is: smooth noise of some hundred metres. */
function makeLakes(seed) {
  const random = makeRandom(seed), size = 64;
  const values = Float64Array.from({ length: size * size }, () => random());
  return (x, z) => {
    const [u, v] = [x / 9, z / 9], [i, k] = [Math.floor(u), Math.floor(v)];
    const at = (a, b) => values[((i + a) % size) + size * ((k + b) % size)];
    const mix = (a, b, t) => a + (b - a) * t * t * (3 - 2 * t);
    return mix(mix(at(0, 0), at(1, 0), u - i), mix(at(0, 1), at(1, 1), u - i), v - k) < 0.24;
  };
}

/** The places of a world's tiles. @param {number} side */
function listPlaces(side) {
  const isLake = makeLakes(5), places = [];
  for (let z = 0; z < side; z++) {
    for (let x = 0; x < side; x++) if (!isLake(x, z)) places.push([x, z]);
  }
  return places;
}

/**
 * A world: a mesh without tiles, the places of its tiles, and their bytes.
 * @param {any} walkmesh @param {(random: () => number, side: number) => Box[]} makeBoxes of WORLDS @param {number} side in tiles
 */
export function makeWorld(walkmesh, makeBoxes, side) {
  const { navMesh, tiles } = bakePatch(walkmesh, makeBoxes);
  const tileBytes = (/** @type {number} */ x, /** @type {number} */ z) => placeTile(tiles[(x % PATCH) + PATCH * (z % PATCH)], x, z);
  return { navMesh, places: listPlaces(side), tileBytes };
}
