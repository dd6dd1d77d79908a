// Before and after in the level tool without its page: what a bake adds to the surface and what it removes.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load, readTile } from '../../js/index.js';
import { listTriangles } from '../../web-demo/src/bake/tile-triangles.js';
import { compareSurfaces } from '../../web-demo/src/compare/compare-surfaces.js';
import { CompareServer } from '../../web-demo/src/compare/server.js';
import { makeBoxes, makeRooms } from './rooms.js';
import { makeGround, readScene } from './support.js';

const walkmesh = await load();
const OPTIONS = { step: 0.1, tolerance: 0.9 };

/** The tiles of a bake. */
function tilesOf(level, config) {
  const { navMesh } = walkmesh.bake(level, { cellSize: 0.2, cellHeight: 0.1, ...config });
  const tiles = [...navMesh.tileRefs()].map((ref) => ({ ref, bytes: navMesh.tileBytes(ref).slice() }));
  navMesh.free();
  return tiles;
}
const trianglesOf = (tiles) => tiles.map(({ bytes }) => listTriangles(readTile(bytes)));

/** Area of the mesh itself. */
function areaOf(triangles) {
  let sum = 0;
  for (const list of triangles) {
    for (let i = 0; i < list.length; i += 9) {
      sum += Math.abs((list[i + 3] - list[i]) * (list[i + 8] - list[i + 2]) - (list[i + 6] - list[i]) * (list[i + 5] - list[i + 2])) / 2;
    }
  }
  return sum;
}

/** Area of the drawing, on x and z. */
const drawn = ({ positions }) => areaOf([positions]);

function compare(before, after, options = OPTIONS) {
  const steps = compareSurfaces(before, after, options);
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

test('before and after: equal surfaces differ by nothing, also in other tiles and polygons', () => {
  const level = readScene('plaza');
  const [one, same, tiled] = [{}, {}, { tileSize: 40, partition: 'monotone' }].map((config) => trianglesOf(tilesOf(level, config)));
  const equal = compare(one, same);
  assert.deepEqual([equal.gained.area, equal.lost.area], [0, 0]);
  const area = areaOf(one);
  const other = compare(one, tiled);
  assert.ok(other.gained.area + other.lost.area < 0.01 * area, `${other.gained.area} ${other.lost.area} of ${area}`);
});

test('before and after: a smaller radius adds a strip along the walls, and removes nothing; the other way round', () => {
  const level = makeRooms([[4, 5.6]]);
  const [wide, narrow] = [0.6, 0.2].map((agentRadius) => trianglesOf(tilesOf(level, { agentRadius })));
  const { gained, lost } = compare(wide, narrow);
  const exact = areaOf(narrow) - areaOf(wide);
  assert.ok(exact > 10 && Math.abs(gained.area - exact) < 0.06 * exact, `${gained.area}, the areas differ by ${exact}`);
  assert.ok(lost.area < 0.1, `${lost.area}`);
  assert.ok(Math.abs(drawn(gained) - gained.area) < 0.01 * gained.area, `${drawn(gained)} is drawn of ${gained.area}`);
  const back = compare(narrow, wide);
  assert.equal(back.lost.area, gained.area);
  assert.equal(back.gained.area, lost.area);
});

test('before and after: storeys don\'t hide each other: a floor that goes above one that stays is lost', () => {
  const low = makeGround(12), high = { positions: [3, 3, 3, 3, 3, 9, 9, 3, 9, 9, 3, 3], indices: [0, 1, 2, 0, 2, 3] };
  const both = {
    positions: Float32Array.from([...low.positions, ...high.positions]),
    indices: Uint32Array.from([...low.indices, ...high.indices.map((index) => index + low.positions.length / 3)]),
  };
  const [two, one] = [both, { positions: Float32Array.from(low.positions), indices: Uint32Array.from(low.indices) }].map((level) => trianglesOf(tilesOf(level, { agentRadius: 0.2 })));
  const { gained, lost } = compare(two, one);
  assert.equal(gained.area, 0);
  assert.ok(Math.abs(lost.area - 28) < 6, `${lost.area}`);
  for (let i = 1; i < lost.positions.length; i += 3) assert.ok(Math.abs(lost.positions[i] - 3) < 0.4, `${lost.positions[i]}`);
});

test('before and after: the worker compares the mesh with the one before, and answers only the last request', async () => {
  const level = makeBoxes([[[0, -0.5, 0], [20, 0, 20]], [[8, 0, 8], [12, 3, 12]]]);
  const [wide, narrow] = [0.6, 0.2].map((agentRadius) => tilesOf(level, { agentRadius, tileSize: 32 }));
  const answers = [];
  const server = new CompareServer((answer) => answers.push(answer), () => new Promise((done) => { setImmediate(done); }));
  const begin = (tiles, whole) => {
    server.receive({ kind: 'begin', whole });
    server.receive({ kind: 'tiles', added: tiles, removed: [] });
  };
  const wait = async () => { for (let i = 0; i < 50; i++) await new Promise((done) => { setImmediate(done); }); };
  const ask = (request) => server.receive({ kind: 'compare', request, ...OPTIONS });
  begin(wide, false);
  ask(1);
  await wait();
  assert.deepEqual(answers, [], 'there is no mesh before the first');
  begin(narrow, true);
  ask(2);
  ask(3);
  await wait();
  assert.deepEqual(answers.map(({ request }) => request), [3]);
  const wanted = compare(trianglesOf(wide), trianglesOf(narrow));
  assert.ok(Math.abs(answers[0].gained.area - wanted.gained.area) < 0.02 * wanted.gained.area && answers[0].lost.area < 0.1);
  // A mesh that was never whole doesn't become the one before.
  begin(wide.slice(0, 3), true);
  begin(narrow, false);
  ask(4);
  await wait();
  assert.deepEqual([answers[1].gained.area, answers[1].lost.area], [0, 0]);
  // Obstacles replace tiles of the present mesh.
  server.receive({ kind: 'tiles', added: [], removed: [narrow[0].ref] });
  ask(5);
  await wait();
  assert.ok(answers[2].lost.area > 1 && answers[2].gained.area === 0);
  server.receive({ kind: 'clear' });
  ask(6);
  await wait();
  assert.equal(answers.length, 3);
});

test('before and after of a slope sticks out of the ground in stripes: it lies on the surface', () => {
  const height = (/** @type {number} */ x, /** @type {number} */ z) => 0.6 * x + 0.5 * z;
  const corners = [[0, 0], [0, 4], [4, 4], [0, 0], [4, 4], [4, 0]].flatMap(([x, z]) => [x, height(x, z), z]);
  const steps = compareSurfaces([], [Float32Array.from(corners)], { step: 0.1, tolerance: 0.9 });
  let result = steps.next();
  while (!result.done) result = steps.next();
  const { gained: { area, positions } } = result.value;
  assert.ok(Math.abs(area - 16) < 1, `${area}`);
  const off = Array.from({ length: positions.length / 3 }, (_, i) => positions[3 * i + 1] - height(positions[3 * i], positions[3 * i + 2]));
  // A little above the slope, everywhere.
  assert.ok(Math.max(...off) - Math.min(...off) < 0.01 && Math.min(...off) > 0, `${Math.min(...off)} to ${Math.max(...off)} above it`);
  // As few rectangles as on level ground.
  assert.ok(positions.length / 18 < 16 / (0.1 * 1.6) + 80, `${positions.length / 18} rectangles`);
});
