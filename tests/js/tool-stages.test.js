// ProgressFrames of stages, as the level tool draws them: compared with their source arrays; and the server that makes them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from '../../js/index.js';
import { BoxMerger } from '../../web-demo/src/stages/boxes.js';
import { recordTileNow } from '../../web-demo/src/stages/record.js';
import { REMOVALS, removalsOf } from '../../web-demo/src/stages/removal.js';
import { StageServer } from '../../web-demo/src/stages/server.js';
import { TileQueue } from '../../web-demo/src/stages/tile-queue.js';
import { VIEWS, buffersOf } from '../../web-demo/src/stages/views.js';
import { joinLevels, makeGround, readScene } from './support.js';

const walkmesh = await load();

function recordOf(level, config, x = 0, z = 0) {
  const baker = walkmesh.createBaker(level, config);
  try {
    return recordTileNow(baker, x, z);
  } finally {
    baker.free();
  }
}

/** Every cell of every box, as sorted text. */
function cellsOf(boxes) {
  const cells = [];
  for (let i = 0; i < boxes.length; i += 8) {
    const [x, z, width, depth, low, high, value] = boxes.subarray(i, i + 7);
    for (let dz = 0; dz < depth; dz++) for (let dx = 0; dx < width; dx++) cells.push(`${x + dx} ${z + dz} ${low} ${high} ${value}`);
  }
  return cells.sort();
}

test('tool: boxes that are merged cover the same cells, each once', () => {
  let state = 3;
  const random = (limit) => {
    state = Math.imul(state, 1664525) + 1013904223 | 0;
    return (state >>> 8) % limit;
  };
  for (let round = 0; round < 60; round++) {
    const merger = new BoxMerger();
    const expected = [];
    const [width, depth, kinds] = [1 + random(20), 1 + random(20), 1 + random(4)];
    for (let z = 0; z < depth; z++) {
      for (let x = 0; x < width; x++) {
        for (let low = 0, layer = random(4); layer > 0; layer--) {
          low += 1 + random(2);
          const high = low + random(3);
          const value = random(kinds);
          merger.add(x, z, low, high, value);
          expected.push(`${x} ${z} ${low} ${high} ${value}`);
          low = high + 1;
        }
      }
    }
    const boxes = merger.finish();
    assert.deepEqual(cellsOf(boxes), expected.sort());
    assert.equal(merger.spans, expected.length);
    assert.ok(boxes.length / 8 <= expected.length);
  }
  const floor = new BoxMerger();
  for (let z = 0; z < 30; z++) for (let x = 0; x < 40; x++) floor.add(x, z, 0, 1, 63);
  assert.deepEqual([...floor.finish()], [0, 0, 40, 30, 0, 1, 63, 0]);
});

test('tool: views show the spans of the tile without its border', () => {
  const record = recordOf(readScene('city'), { cellSize: 0.3, tileSize: 48 }, 1, 1);
  const { frame: { width, depth, border }, solid, open } = record;
  const wanted = { solid: [], regions: 0, areas: 0 };
  for (let z = border; z < depth - border; z++) {
    for (let x = border; x < width - border; x++) {
      const cell = x + z * width;
      for (let i = solid.first[cell]; i < solid.first[cell + 1]; i++) {
        wanted.solid.push(`${x - border} ${z - border} ${solid.low[i]} ${solid.high[i]} ${solid.lowHeight[i]}`);
      }
      wanted.areas += open.first[cell + 1] - open.first[cell];
    }
  }
  const view = VIEWS.solid(record, []);
  assert.deepEqual(cellsOf(view.boxes), wanted.solid.sort());
  assert.equal(view.count, wanted.solid.length);
  for (const name of ['areas', 'distance', 'regions']) assert.equal(VIEWS[name](record, []).count, wanted.areas, name);
  assert.equal(VIEWS.distance(record, []).max > 2, true);
  assert.equal(VIEWS.contours(record, []).count, record.contours.length);
  const edges = VIEWS.contours(record, []).lines.length / 8;
  assert.equal(edges, record.contours.reduce((sum, { vertices }) => sum + vertices.length / 4, 0));
  assert.ok(VIEWS.rawContours(record, []).lines.length / 8 > edges);
  assert.equal(VIEWS.polygonMesh(record, []).count, record.polygonMesh.polygonCount);
  assert.equal(VIEWS.detailMesh(record, []).triangles.values.length, 3 * record.detailMesh.triangleCount);
  for (const name of Object.keys(VIEWS)) assert.ok(buffersOf(VIEWS[name](record, [])).every((buffer) => buffer instanceof ArrayBuffer), name);
});

test('tool: the view of heightfield layers has each walkable span once, with the number of its heightfield layer', () => {
  const [level, config] = [readScene('tower'), { cellSize: 0.3, tileSize: 32 }];
  const record = recordOf(level, config, 1, 1);
  const baker = walkmesh.createBaker(level, config);
  baker.beginTile(1, 1, { keepStages: true });
  while (baker.step().stage !== 'markAreas');
  const { width, layers } = baker.read('heightfieldLayers');
  baker.free();
  const wanted = layers.flatMap(({ heights, heightMin }, i) => [...heights].flatMap((height, cell) => (
    height === 255 ? [] : [`${cell % width} ${Math.floor(cell / width)} ${heightMin + height} ${heightMin + height} ${i + 1}`])));
  assert.ok(layers.length >= 3, `the tower has ${layers.length} heightfield layers here`);
  const view = VIEWS.heightfieldLayers(record, []);
  assert.deepEqual(cellsOf(view.boxes), wanted.sort());
  assert.equal(view.count, wanted.length);
  assert.ok(view.boxes.length / 8 < wanted.length / 4, 'equal cells share a box');
  assert.equal(record.heightfieldLayersFailure, null);

  const { frame: { width: side, depth, border }, open } = record;
  let walkable = 0;
  for (let z = border; z < depth - border; z++) {
    for (let x = border; x < side - border; x++) {
      const cell = x + z * side;
      for (let i = open.first[cell]; i < open.first[cell + 1]; i++) if (open.marked[i] !== 0) walkable++;
    }
  }
  assert.equal(view.count, walkable);
});

test('tool: heightfield layers that cannot be built leave the other results of the tile', () => {
  const baker = walkmesh.createBaker(makeGround(), { tileSize: 32 });
  const read = baker.read.bind(baker);
  baker.read = (name) => {
    if (name === 'heightfieldLayers') throw new Error('too many regions');
    return read(name);
  };
  const record = recordTileNow(baker, 0, 0);
  baker.free();
  assert.deepEqual([record.failure, record.heightfieldLayersFailure], [null, 'too many regions']);
  assert.equal(VIEWS.heightfieldLayers(record, []).count, 0);
  assert.ok(VIEWS.polygonMesh(record, []).count > 0);
});

test('tool: what took surface away adds up: every top is kept or has one reason', () => {
  const scenes = [['city', {}], ['stairs', { agentMaxClimb: 0.4 }], ['caves', { minRegionSize: 20 }], ['tower', { agentHeight: 3 }]];
  const seen = new Set();
  for (const [name, config] of scenes) {
    const record = recordOf(readScene(name), { cellSize: 0.3, tileSize: 128, ...config });
    const codes = removalsOf(record, []);
    const { solid, open } = record;
    codes.forEach((code) => seen.add(REMOVALS[code]));
    const kept = codes.reduce((sum, code) => sum + (code === 0 ? 1 : 0), 0);
    assert.equal(kept, open.regions.reduce((sum, region) => sum + (region !== 0 ? 1 : 0), 0), name);
    for (let span = 0; span < codes.length; span++) {
      const isWalkable = [solid.lowHanging, solid.ledges, solid.lowHeight].map((areas) => areas[span] !== 0);
      const wanted = { steep: [false, false, false], ledge: [true, false, false], headroom: [true, true, false] }[REMOVALS[codes[span]]] ?? [true, true, true];
      assert.deepEqual(isWalkable, wanted);
    }
    const sum = REMOVALS.slice(1).reduce((total, reason) => total + VIEWS[reason](record, []).count, 0);
    assert.ok(sum > 0 && sum < codes.length);
  }
  for (const reason of ['kept', 'steep', 'ledge', 'headroom', 'radius', 'region']) assert.ok(seen.has(reason), reason);
});

test('tool: volumes and what the radius takes around obstacles are told apart', () => {
  const obstacle = { kind: 'box', min: [8, 0, 8], max: [12, 2, 12], area: 0, beforeErosion: true };
  const volume = { kind: 'cylinder', base: [4, -1, 4], radius: 2, height: 3, area: 0 };
  const record = recordOf({ ...makeGround(20), volumes: [obstacle, volume] }, { cellSize: 0.25 });
  const cells = (name) => VIEWS[name](record, [obstacle, volume]).count;
  assert.ok(Math.abs(cells('volume') - (16 * 16 + Math.PI * 8 * 8)) < 40, `${cells('volume')}`);
  // A ring of the radius, 3 cells wide, around the obstacle, and another along the edges of the floor.
  assert.ok(cells('radius') > 4 * 16 * 2, `${cells('radius')}`);
});

/** A server that records its responses. */
function makeServer() {
  const answers = [];
  const server = new StageServer(walkmesh, (answer) => answers.push(answer), () => new Promise((done) => setImmediate(done)));
  const until = async (isThere) => {
    for (let turn = 0; turn < 100000; turn++) {
      const found = answers.find(isThere);
      if (found) return found;
      await new Promise((done) => setImmediate(done));
    }
    throw new Error(`no answer: ${JSON.stringify(answers.map(({ kind, request }) => [kind, request]))}`);
  };
  return { server, answers, until };
}

test('tool: the server bakes tiles, knows those that are the same, and explains', async () => {
  const { server, until } = makeServer();
  const before = walkmesh.memory().bytes;
  server.receive({ kind: 'level', level: readScene('city') });
  server.receive({ kind: 'setup', generation: 1, config: { tileSize: 48 }, volumes: [] });
  const { voxels } = await until(({ kind }) => kind === 'ready');
  assert.ok(voxels.tileCountX > 1);
  server.receive({ kind: 'tile', request: 5, generation: 1, x: 1, z: 0, views: ['solid', 'regions'], known: null });
  const first = await until(({ request }) => request === 5);
  assert.deepEqual(Object.keys(first.views), ['solid', 'regions']);
  assert.equal(first.failure, null);
  // An obstacle elsewhere: the tile does not change.
  const far = [voxels.boundsMax[0] - 2, 0, voxels.boundsMax[2] - 2];
  const volumes = [{ kind: 'cylinder', base: far, radius: 1, height: 2, area: 0, beforeErosion: true, origin: 'obstacle', label: 'obstacle 4' }];
  server.receive({ kind: 'setup', generation: 2, config: { tileSize: 48 }, volumes });
  server.receive({ kind: 'tile', request: 6, generation: 2, x: 1, z: 0, views: ['solid', 'regions'], known: first.hash });
  const second = await until(({ request }) => request === 6);
  assert.deepEqual([second.views, second.hash], [null, first.hash]);
  server.receive({ kind: 'explain', request: 7, generation: 2, point: far });
  assert.equal((await until(({ request }) => request === 7)).explanation.reason, 'obstacle');
  server.receive({ kind: 'explain', request: 8, generation: 2, point: [1e5, 0, 0] });
  assert.equal((await until(({ request }) => request === 8)).explanation.reason, 'outside');
  server.receive({ kind: 'level', level: makeGround() });
  assert.equal(walkmesh.memory().bytes, before);
});

test('tool: the server drops what is of another configuration, also in the middle, and tells of failures', async () => {
  const { server, answers, until } = makeServer();
  server.receive({ kind: 'level', level: readScene('caves') });
  server.receive({ kind: 'setup', generation: 1, config: {}, volumes: [] });
  server.receive({ kind: 'tile', request: 1, generation: 1, x: 0, z: 0, views: ['solid'], known: null });
  await new Promise((done) => setImmediate(done));
  server.receive({ kind: 'setup', generation: 2, config: { cellSize: 0.5 }, volumes: [] });
  server.receive({ kind: 'tile', request: 2, generation: 1, x: 0, z: 0, views: ['solid'], known: null });
  server.receive({ kind: 'tile', request: 3, generation: 2, x: 0, z: 0, views: ['solid'], known: null });
  await until(({ request }) => request === 3);
  assert.deepEqual(answers.filter(({ request }) => request > 0).map(({ kind, request }) => [kind, request]), [['dropped', 1], ['dropped', 2], ['tile', 3]]);
  server.receive({ kind: 'setup', generation: 3, config: { cellSize: -1 }, volumes: [] });
  assert.match((await until(({ kind }) => kind === 'failed')).message, /cellSize/);
  server.receive({ kind: 'tile', request: 4, generation: 3, x: 0, z: 0, views: ['solid'], known: null });
  assert.equal((await until(({ request }) => request === 4)).kind, 'dropped');
  server.receive({ kind: 'setup', generation: 4, config: { tileSize: 32 }, volumes: [] });
  server.receive({ kind: 'tile', request: 9, generation: 4, x: 500, z: 0, views: ['solid'], known: null });
  assert.equal((await until(({ request }) => request === 9)).kind, 'failed');
  server.receive({ kind: 'setup', generation: 5, config: { cellSize: 0.001, cellHeight: 0.1, agentRadius: 0 }, volumes: [] });
  server.receive({ kind: 'tile', request: 10, generation: 5, x: 0, z: 0, views: ['solid'], known: null });
  await until(({ request, kind }) => request === 10 || kind === 'failed');
  server.receive({ kind: 'level', level: makeGround() });
});

test('tool: the nearest tiles come first, over the budget the farthest go', () => {
  const queue = new TileQueue();
  const viewer = { views: ['solid'] };
  queue.begin({ x: 0, z: 0, size: 10, countX: 10, countZ: 10 }, false);
  queue.want(viewer);
  queue.sort(5, 5);
  const erased = [];
  const take = (budget, cost = 1) => {
    const next = queue.next([viewer], budget, (_, place) => erased.push(place));
    if (!next) return null;
    queue.release(next.key);
    queue.finish(next.key, viewer, { hash: `${next.key}`, cost });
    return queue.placeOf(next.key);
  };
  assert.deepEqual(take(20), { x: 0, z: 0 });
  assert.deepEqual([take(20), take(20)].map(({ x, z }) => x + z), [1, 1]);
  for (let i = 0; i < 17; i++) assert.ok(take(20));
  assert.equal(take(20), null);
  assert.ok(queue.isCut);
  assert.deepEqual(erased, []);
  queue.sort(95, 95);
  assert.deepEqual(take(20), { x: 9, z: 9 });
  assert.deepEqual(erased, [{ x: 0, z: 0 }]);
  // The same configuration again: the request contains the hash of the drawn frame.
  queue.begin({ x: 0, z: 0, size: 10, countX: 10, countZ: 10 }, true);
  const next = queue.next([viewer], 20, () => {});
  assert.equal(next.known, `${next.key}`);
  queue.release(next.key);
  queue.finish(next.key, viewer, null);
  assert.notEqual(queue.next([viewer], 20, () => {}).key, next.key);
  queue.leave(viewer);
  assert.equal(queue.next([viewer], 20, () => {})?.viewers.length ?? 0, 1);
});

test('tool: the server explains a path of the level, with a change of the configuration', async () => {
  // The copy of the package that the level tool itself imports.
  const own = await (await import('walkmesh')).load();
  const answers = /** @type {any[]} */ ([]);
  const server = new StageServer(own, (answer) => answers.push(answer), () => new Promise((done) => setImmediate(done)));
  const before = own.memory().bytes;
  server.receive({ kind: 'level', level: joinLevels(makeGround(8), { positions: Float32Array.of(8, 0, 0, 8, 0, 8, 8, 0.7, 8, 8, 0.7, 0, 16, 0.7, 8, 16, 0.7, 0), indices: Uint32Array.of(0, 1, 2, 0, 2, 3, 3, 2, 4, 3, 4, 5) }) });
  server.receive({ kind: 'setup', generation: 1, config: { cellSize: 0.2, cellHeight: 0.1, agentRadius: 0.4, agentMaxClimb: 0.4 }, volumes: [] });
  server.receive({ kind: 'path', request: 3, generation: 1, start: [2, 0, 4], end: [14, 0.7, 4] });
  while (!answers.some(({ request }) => request === 3)) await new Promise((done) => setImmediate(done));
  const { causes } = answers.find(({ request }) => request === 3);
  assert.deepEqual([causes[0].kind, causes[0].changes], ['step', [{ kind: 'config', fields: { agentMaxClimb: 0.7 } }]]);
  server.receive({ kind: 'level', level: makeGround() });
  own.trimMemory();
  assert.ok(own.memory().bytes <= before + 4096);
});

test('tool: the server names the obstacle that closes the way of a path, among others', async () => {
  const own = await (await import('walkmesh')).load();
  const answers = /** @type {any[]} */ ([]);
  const server = new StageServer(own, (answer) => answers.push(answer), () => new Promise((done) => setImmediate(done)));
  server.receive({ kind: 'level', level: makeGround(8) });
  const volumes = [[1, 0], [4, 0], [6, 6]].map(([x, z], i) => (
    { kind: 'box', min: [x, -1, z], max: [x + 0.5, 1, i === 1 ? 8 : z + 1], area: 0, beforeErosion: true, origin: 'obstacle', label: '', item: { kind: 'obstacle', id: i + 1 } }));
  server.receive({ kind: 'setup', generation: 1, config: { cellSize: 0.2, cellHeight: 0.1, agentRadius: 0.4, agentMaxClimb: 0.4 }, volumes: /** @type {any} */ (volumes) });
  server.receive({ kind: 'path', request: 3, generation: 1, start: [2, 0, 4], end: [6, 0, 4] });
  while (!answers.some(({ request }) => request === 3)) await new Promise((done) => setImmediate(done));
  const { causes } = answers.find(({ request }) => request === 3);
  assert.deepEqual(causes.map(({ kind, items }) => [kind, items]), [['obstacle', [{ kind: 'obstacle', id: 2 }]]]);
  server.receive({ kind: 'level', level: makeGround() });
});

test('tool: the server names the obstacle that makes a path long, and none where the path could not be much shorter', async () => {
  const own = await (await import('walkmesh')).load();
  const answers = /** @type {any[]} */ ([]);
  const server = new StageServer(own, (answer) => answers.push(answer), () => new Promise((done) => setImmediate(done)));
  server.receive({ kind: 'level', level: makeGround(8) });
  const volumes = [[1, 1], [4, 6]].map(([x, z], i) => (
    { kind: 'box', min: [x, -1, i === 1 ? 0 : z], max: [x + 0.5, 1, z + 0.5], area: 0, beforeErosion: true, origin: 'obstacle', label: '', item: { kind: 'obstacle', id: i + 1 } }));
  server.receive({ kind: 'setup', generation: 1, config: { cellSize: 0.2, cellHeight: 0.1, agentRadius: 0.4, agentMaxClimb: 0.4 }, volumes: /** @type {any} */ (volumes) });
  const ask = async (/** @type {number} */ request, /** @type {number} */ z) => {
    server.receive({ kind: 'path', request, generation: 1, start: [3, 0, z], end: [5.5, 0, z] });
    while (!answers.some((answer) => answer.request === request)) await new Promise((done) => setImmediate(done));
    return answers.find((answer) => answer.request === request).causes.flatMap((/** @type {any} */ { items }) => items);
  };
  assert.deepEqual(await ask(3, 1), [{ kind: 'obstacle', id: 2 }]);
  assert.deepEqual(await ask(4, 7.3), []);
  server.receive({ kind: 'level', level: makeGround() });
});
