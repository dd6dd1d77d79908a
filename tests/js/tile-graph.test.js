/** Tile graphs: long ways, tiles that are not loaded, saved graphs. The C tests compare them with flat searches. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Random, TileGraph, TileStreamer, load } from '../../js/index.js';
import { TileGraphHelper } from '../../js/three/index.js';
import { longTables, measureLong } from '../../bench/long.js';
import { readScene } from './support.js';

const walkmesh = await load();
const bakeCity = () => walkmesh.bake(readScene('city'), { cellSize: 0.3, tileSize: 32 }).navMesh;
const close = (a, b, share) => Math.abs(a - b) <= share * Math.abs(b) + 1e-3;

/** Walks leg by leg; returns the length. */
function walk(graph, start, end, options) {
  let at = start, length = 0;
  for (let legs = 0; legs < 200; legs++) {
    const path = graph.findPath(at, end, options);
    assert.equal(path.status, 'complete');
    assert.ok(path.leg, 'a leg');
    length += path.leg.length;
    if (path.leadsToEnd) return length;
    at = path.leg.points.slice(3 * (path.leg.count - 1), 3 * path.leg.count);
  }
  throw new Error('no end');
}

test('tile graph: statuses and bounds are those of findPath, and walking leg by leg arrives', () => {
  const navMesh = bakeCity(), graph = navMesh.createTileGraph(), random = new Random(7);
  assert.ok(graph instanceof TileGraph);
  let walked = 0, exact = 0, apart = 0;
  for (let i = 0; i < 120; i++) {
    const [start, end] = [0, 1].map(() => [...navMesh.randomPoint({ random }).point]);
    const flat = navMesh.findPath(start, end, { shortest: true }), path = graph.findPath(start, end, { legTiles: 2 });
    assert.deepEqual([path.status, path.reason], [flat.status, flat.reason]);
    apart += flat.status === 'unreachable' ? 1 : 0;
    if (flat.status !== 'complete') continue;
    assert.ok(path.lowerBound <= flat.length + 1e-3 && path.cost >= flat.cost * 0.9999 - 1e-3, `${path.lowerBound} ${flat.cost} ${path.cost}`);
    assert.equal(path.waypoints.length, 3 * path.count);
    assert.ok(path.isLoaded.every((loaded) => loaded === 1));
    walked += walk(graph, start, end, { legTiles: 2 });
    exact += flat.length;
  }
  assert.ok(exact > 0 && walked >= exact * 0.9999 && walked < exact * 1.04, `${walked / exact}`);
  const whole = graph.findPath([...navMesh.randomPoint({ random }).point], [...navMesh.randomPoint({ random }).point], { legTiles: 1000 });
  assert.equal(whole.leadsToEnd || whole.status === 'unreachable', true);
  navMesh.free();
  assert.ok(graph.isFreed);
});

test('tile graph: doors, connections and tiles are seen by the next call', () => {
  const { navMesh } = walkmesh.bake({
    positions: [0, 0, 0, 0, 0, 10, 40, 0, 10, 40, 0, 0], indices: [0, 1, 2, 0, 2, 3],
  }, { cellSize: 0.25, tileSize: 32 });
  const graph = navMesh.createTileGraph();
  const find = () => graph.findPath([2, 0, 5], [38, 0, 5]);
  assert.equal(find().status, 'complete');
  const door = navMesh.createSwitches().addDoor({ volume: { kind: 'box', min: [15, -1, -1], max: [17, 2, 11] } });
  door.close();
  assert.deepEqual([find().status, find().reason, find().leg], ['unreachable', 'not-connected', null]);
  const connection = navMesh.addConnection({ start: [2, 0, 8], end: [38, 0, 8] });
  assert.equal(find().status, 'complete');
  navMesh.removeConnection(connection);
  assert.equal(find().status, 'unreachable');
  door.open();
  const before = find();
  const tile = navMesh.tileAt(2, 0), bytes = navMesh.tileBytes(tile);
  navMesh.removeTile(tile);
  const other = navMesh.tileAt(2, 1);
  if (other) navMesh.removeTile(other);
  assert.equal(find().status, 'unreachable');
  navMesh.addTile(bytes);
  assert.equal(find().status, 'complete');
  assert.ok(close(find().cost, before.cost, 0.2));
  navMesh.free();
});

test('tile graph: a door that opens while its tile is not loaded is assumed to be open, one that closes makes an estimate', () => {
  const { navMesh } = walkmesh.bake({
    positions: [0, 0, 0, 0, 0, 20, 100, 0, 20, 100, 0, 0], indices: [0, 1, 2, 0, 2, 3], volumes: [{ kind: 'box', min: [70, -1, -1], max: [72, 2, 21], area: 5 }],
  }, { tileSize: 32, cellSize: 0.3 });
  const graph = navMesh.createTileGraph({ keepRemoved: true }), switches = navMesh.createSwitches();
  const door = switches.addDoor({ volume: { kind: 'box', min: [69, -1, -2], max: [73, 3, 22] }, area: 5 });
  const find = (of = graph) => {
    const { status, isEstimate } = of.findPath([3, 0, 10], [97, 0, 10]);
    return [status, isEstimate];
  };
  const { x } = navMesh.tilePlace([71, 0, 10]), tiles = navMesh.tiles().filter((tile) => tile.x === x);
  const unload = () => tiles.forEach(({ z }) => navMesh.removeTile(navMesh.tileAt(x, z)));
  assert.deepEqual(find(), ['complete', false]);
  door.close();
  assert.deepEqual(find(), ['unreachable', false]);
  unload();
  assert.deepEqual(find(), ['unreachable', false]);
  const closed = graph.save();
  assert.equal(graph.assumeOpen(x, 99), false);
  assert.equal(graph.assumeOpen(x - 1, 0), false, 'it is loaded');
  const alone = walkmesh.loadTileGraph(closed);
  assert.ok(tiles.every(({ z }) => alone.assumeOpen(x, z)));
  assert.deepEqual(alone.findPath([3, 0, 10], [97, 0, 10]).status, 'complete', 'without a mesh');
  door.open();
  assert.deepEqual(find(), ['complete', true]);
  const waypoints = graph.findPath([3, 0, 10], [97, 0, 10]);
  assert.ok(waypoints.leg && !waypoints.leadsToEnd, 'somebody goes there, and finds out');
  const loaded = navMesh.loadTileGraph(closed);
  assert.deepEqual([find(loaded), find(navMesh.loadTileGraph(graph.save()))], [['complete', true], ['complete', true]]);
  door.close();
  assert.deepEqual([find(), find(loaded)], [['unreachable', false], ['unreachable', false]], 'as when the tiles were loaded');
  door.remove();
  assert.deepEqual(find(), ['complete', true]);
  tiles.forEach(({ bytes }) => navMesh.addTile(bytes));
  switches.update();
  assert.deepEqual(find(), ['complete', false]);
  unload();
  assert.deepEqual(find(), ['complete', false]);
  switches.addDoor({ volume: { kind: 'box', min: [69, -1, -2], max: [73, 3, 22] }, area: 5, isOpen: false });
  assert.deepEqual(find(), ['complete', true], 'closed, as far as anybody knows');
  assert.throws(() => graph.assumeOpen(0.5, 0), { code: 'invalid-argument' });
  navMesh.free();
});

/** Two points with a way between them. */
function findPair(navMesh, graph) {
  const random = new Random(5);
  for (let tries = 0; tries < 50; tries++) {
    const [start, end] = [0, 1].map(() => [...navMesh.randomPoint({ random }).point]);
    if (graph.findPath(start, end).status === 'complete') return [start, end];
  }
  throw new Error('no way');
}

test('tile graph: filters are copied, wrong options are refused', () => {
  const navMesh = bakeCity();
  const dear = navMesh.createFilter({ areaCosts: { 0: 2, 63: 2 } });
  const graph = navMesh.createTileGraph({ filter: dear, spacing: 3 });
  const plain = navMesh.createTileGraph();
  const [start, end] = findPair(navMesh, plain);
  const { cost } = graph.findPath(start, end);
  assert.ok(close(cost, 2 * plain.findPath(start, end).cost, 0.1), `${cost}`);
  dear.setAreaCost(63, 9);
  assert.equal(graph.findPath(start, end).cost, cost);
  for (const [options, field] of /** @type {[any, string][]} */ ([[{ spacing: -1 }, 'spacing'], [{ keepRemoved: 1 }, 'keepRemoved'], [{ wrong: 1 }, 'wrong']])) {
    assert.throws(() => navMesh.createTileGraph(options), (/** @type {any} */ error) => error.code === 'invalid-argument' && (error.field === field || error.message.includes(field)));
  }
  const filter = navMesh.createFilter({ polygonCosts: { polygons: [navMesh.tileRefs()[0]], factors: [2] } });
  assert.throws(() => navMesh.createTileGraph({ filter }), { code: 'invalid-argument', field: 'filter' });
  for (const options of /** @type {any[]} */ ([{ legTiles: 1 }, { legTiles: 1.5 }, { shortest: 'yes' }, { halfExtents: [1, -1, 1] }])) {
    assert.throws(() => graph.findPath(start, end, options), { code: 'invalid-argument' });
  }
  for (const legTiles of [0, -1, 1.5, 1001]) assert.throws(() => graph.findPath(start, end, { legTiles }), { message: `legTiles is ${legTiles}: must be a whole number from 2 to 1000` });
  assert.throws(() => graph.findPath([NaN, 0, 0], end), { code: 'invalid-argument', field: 'start' });
  assert.throws(() => graph.forgetTile(0, 0), { code: 'state' });
  assert.equal(graph.forgetTile(1000, -3), false);
  const kept = navMesh.createTileGraph({ keepRemoved: true });
  kept.update();
  navMesh.removeTile(navMesh.tileAt(0, 0));
  assert.deepEqual([kept.forgetTile(0, 0, 7), kept.forgetTile(0, 0), kept.forgetTile(0, 0)], [false, true, false]);
  kept.free();
  graph.free();
  assert.throws(() => graph.findPath(start, end), { code: 'state' });
  navMesh.free();
});

test('tile graph: a streamed world has ways through tiles that are not loaded', async () => {
  const world = bakeCity(), graph = world.createTileGraph();
  const random = new Random(3), pairs = [];
  while (pairs.length < 20) {
    const [start, end] = [0, 1].map(() => [...world.randomPoint({ random }).point]);
    if (graph.findPath(start, end).status === 'complete') pairs.push({ start, end, cost: graph.findPath(start, end).cost });
  }
  const bytes = graph.save();
  const alone = walkmesh.loadTileGraph(bytes);
  assert.deepEqual(alone.save(), bytes);
  assert.deepEqual(alone.totals().loadedTiles, 0);
  const tiles = new Map(world.tiles().map(({ x, z, bytes: tile }) => [`${x},${z}`, tile]));
  for (const ref of world.tileRefs()) world.removeTile(ref);
  const streamed = world.loadTileGraph(bytes);
  const streamer = new TileStreamer(world, tiles, { innerRadius: 12, outerRadius: 20, requests: 100 });
  let legs = 0, unloaded = 0, found = 0;
  for (const { start, end, cost } of pairs) {
    streamer.setInvokers([start]);
    await streamer.load();
    const path = streamed.findPath(start, end);
    const estimate = alone.findPath(start, end);
    assert.deepEqual([estimate.leg, estimate.isEstimate], [null, true]);
    found += (path.status === 'complete' ? 1 : 0) + (estimate.status === 'complete' ? 1 : 0);
    if (path.status !== 'complete') {
      assert.ok(path.isEstimate); // which ground of its tile the end is on is not known
      continue;
    }
    assert.ok(path.leg && path.leg.status === 'complete');
    assert.ok(path.isEstimate || close(path.cost, cost, 0.1));
    legs += path.leadsToEnd ? 0 : 1;
    unloaded += path.isLoaded.includes(0) ? 1 : 0;
  }
  assert.ok(found >= 30 && legs > 3 && unloaded > 3, `${found} ${legs} ${unloaded}`);
  streamer.free();
  for (const cut of [0, 8, 100, bytes.length - 8]) {
    assert.throws(() => walkmesh.loadTileGraph(bytes.subarray(0, cut)), { code: 'corrupt' });
  }
  const { navMesh: other } = walkmesh.bake(readScene('plaza'), { cellSize: 0.3, tileSize: 48 });
  assert.throws(() => other.loadTileGraph(bytes), { code: 'invalid-argument', field: 'mesh' });
  alone.free();
  other.free();
  world.free();
});

for (const isDynamic of [false, true]) {
  test(`tile graph: tiles that come and go between two calls stay in a graph with keepRemoved${isDynamic ? ', dynamic' : ''}`, async () => {
    const config = { cellSize: 0.5, agentRadius: 0.5, tileSize: 64 };
    const strip = { positions: [0, 0, 0, 0, 0, 40, 400, 0, 40, 400, 0, 0], indices: [0, 1, 2, 0, 2, 3] };
    const { navMesh, target, source } = isDynamic ? takeDynamic(strip, config) : takeStatic(strip, config);
    const streamer = new TileStreamer(target, source, { innerRadius: 60, outerRadius: 90 });
    const [kept, plain] = [true, false].map((keepRemoved) => navMesh.createTileGraph({ keepRemoved }));
    const loaded = navMesh.loadTileGraph(kept.save());
    let updates = 0;
    const { update } = kept;
    kept.update = () => { updates++; update.call(kept); };
    for (let x = 20; x <= 380; x += 4) {
      streamer.setInvokers([[x, 0, 20]]);
      await streamer.load();
      if (isDynamic) target.update();
    }
    const [way, alike, none] = [kept, loaded, plain].map((graph) => graph.findPath([380, 0, 20], [20, 0, 20]));
    assert.deepEqual([way.status, way.isEstimate, none.status], ['complete', true, 'unreachable']);
    assert.deepEqual(alike, way, 'loaded graphs keep them, too');
    assert.ok(way.cost >= 359 && way.cost < 375, `${way.cost}`);
    assert.ok(updates > 0 && updates <= 12, `${updates} updates: one for each removal, not for each frame`);
    streamer.free();
    navMesh.free();
  });
}

test('tile graph: tiles are removed also if a graph with keepRemoved has too many entrances; freed graphs are forgotten', () => {
  const navMesh = bakeCity(), graph = navMesh.createTileGraph({ keepRemoved: true, spacing: 0.01 }), tiles = navMesh.tileRefs();
  assert.throws(() => graph.update(), { code: 'limit' });
  navMesh.removeTile(tiles[0]);
  assert.equal(navMesh.tileRefs().length, tiles.length - 1);
  for (let i = 0; i < 20; i++) navMesh.createTileGraph({ keepRemoved: true }).free();
  assert.ok(navMesh.graphs.size <= 2, `${navMesh.graphs.size} are held`);
  let reads = 0;
  navMesh.createTileGraph({ get keepRemoved() { reads++; return true; } });
  assert.equal(reads, 1, 'an option is read once');
  navMesh.free();
});

/** A mesh without tiles, and its tiles as a source. */
function takeStatic(level, config) {
  const { navMesh, tiles: source } = walkmesh.createFileSource(walkmesh.bake(level, config).navMesh.save());
  return { navMesh, target: navMesh, source };
}

/** A dynamic mesh without tiles, and its tiles as a source. */
function takeDynamic(level, config) {
  const { dynamic, navMesh } = walkmesh.bakeDynamic(level, config);
  const source = new Map(navMesh.tiles().map(({ x, z }) => [`${x},${z}`, dynamic.keptTile(x, z)]));
  for (const { x, z } of navMesh.tiles()) dynamic.dropTile(x, z);
  return { navMesh, target: dynamic, source };
}

test('tile graph: a closed yard beside the end, in a tile that is not loaded, does not make it unreachable', () => {
  const wall = (x, z, w, d) => ({ kind: 'box', min: [x, -1, z], max: [x + w, 3, z + d] });
  const { navMesh } = walkmesh.bake({
    positions: [0, 0, 0, 0, 0, 24, 40, 0, 24, 40, 0, 0], indices: [0, 1, 2, 0, 2, 3],
    solids: [wall(22, 10, 4, 0.5), wall(22, 13.5, 4, 0.5), wall(22, 10, 0.5, 4), wall(25.5, 10, 0.5, 4)],
  }, { cellSize: 0.25, tileSize: 32, agentRadius: 0.4 });
  const graph = navMesh.createTileGraph({ keepRemoved: true }), [start, end] = [[2, 0, 12], [27.5, 0, 12]];
  assert.equal(graph.findPath(start, [24, 0, 12]).status, 'unreachable', 'the yard is closed');
  assert.equal(graph.findPath(start, end).status, 'complete');
  navMesh.removeTile(navMesh.tileAt(3, 1));
  const path = graph.findPath(start, end);
  assert.deepEqual([path.status, path.isEstimate, path.leadsToEnd], ['complete', true, false]);
  // No ground of the tile can be reached: that is known.
  for (const z of [0, 1, 2]) {
    navMesh.removeTile(navMesh.tileAt(1, z));
    graph.update();
    graph.forgetTile(1, z);
  }
  assert.deepEqual([graph.findPath(start, end).status, graph.findPath(start, end).isEstimate], ['unreachable', true]);
  navMesh.free();
});

test('tile graph: ferries and jumps across a river stay known when their tiles are unloaded, and so does whether they are open', () => {
  const banks = [[0, 18], [22, 40]].flatMap(([a, b]) => [a, 0, 0, a, 0, 24, b, 0, 24, b, 0, 0]);
  for (const kind of ['ferry', 'jump']) {
    const { navMesh } = walkmesh.bake({ positions: banks, indices: [0, 1, 2, 0, 2, 3, 4, 5, 6, 4, 6, 7] }, { cellSize: 0.25, tileSize: 32, agentRadius: 0.4 });
    const graph = navMesh.createTileGraph({ keepRemoved: true }), [start, end] = [[2, 0, 12], [38, 0, 12]];
    const ask = () => graph.findPath(start, end).status;
    assert.equal(ask(), 'unreachable');
    // Above the ground, and off it on x: the ends move onto the mesh while it is there.
    const link = kind === 'ferry' ? navMesh.addConnection({ start: [18.3, 0.6, 12.1], end: [21.7, 0.6, 12.1], radius: 2 })
      : navMesh.addSegmentLink({ kind: 'jump', start: [17.2, 0, 12], end: [22.8, 0, 12], width: 3, peak: 1 });
    assert.equal(ask(), 'complete', kind);
    const tiles = navMesh.tiles().filter(({ x }) => x === 2), bytes = tiles.map(({ ref }) => navMesh.tileBytes(ref));
    for (const { ref } of tiles) {
      navMesh.removeTile(ref);
      assert.equal(ask(), 'complete', `${kind}, without some of its tiles`);
    }
    const enable = (/** @type {boolean} */ isOn) => (kind === 'ferry' ? navMesh.setConnectionEnabled(link, isOn) : navMesh.setSegmentLinkEnabled(link, isOn));
    enable(false);
    assert.equal(ask(), 'unreachable', `the ${kind} is off`);
    enable(true);
    assert.equal(ask(), 'complete');
    for (const tile of bytes) navMesh.addTile(tile);
    assert.equal(ask(), 'complete', 'loaded again');
    navMesh.free();
  }
});

test('tile graph: a freed graph does not refer to its mesh, which may be collected', () => {
  const navMesh = bakeCity(), graph = navMesh.createTileGraph();
  assert.equal(graph.mesh, navMesh);
  graph.free();
  graph.free();
  assert.equal(graph.mesh, undefined);
  navMesh.free();
});

test('tile graph: steps join entrances of the same tile or block; the helper draws them', () => {
  const navMesh = bakeCity(), graph = navMesh.createTileGraph();
  graph.update();
  const { byteCount } = graph.totals();
  const counts = [0, 1, 2].map((level) => {
    const { points, pairs } = graph.steps(level);
    assert.ok(points.length % 3 === 0 && pairs.length % 2 === 0 && pairs.every((number) => number < points.length / 3));
    return [points.length / 3, pairs.length / 2];
  });
  assert.equal(counts[0][0], graph.totals().entrances);
  assert.ok(graph.totals().byteCount >= byteCount + 12 * counts[0][0] + 8 * counts[0][1], 'the arrays of steps stay allocated');
  assert.ok(counts[0][1] > counts[0][0] && counts[1][0] < counts[0][0] && counts[1][1] > 0, `${counts}`);
  // Within a tile: no pair is farther apart than its diagonal.
  const { points, pairs } = graph.steps(), { tileWidth } = navMesh.parameters;
  for (let i = 0; i < pairs.length; i += 2) {
    for (const axis of [0, 2]) assert.ok(Math.abs(points[3 * pairs[i] + axis] - points[3 * pairs[i + 1] + axis]) < tileWidth + 1e-3);
  }
  assert.throws(() => graph.steps(4), { code: 'invalid-argument', field: 'level' });

  const helper = new TileGraphHelper(graph, { lift: 1 });
  assert.equal(helper.update(), counts[0][0]);
  const drawn = helper.lines.geometry;
  assert.deepEqual([...drawn.index.array], [...pairs]);
  assert.ok(drawn.getAttribute('position').array.every((value, i) => Math.abs(value - points[i] - (i % 3 === 1 ? 1 : 0)) < 1e-5));
  assert.equal(helper.update(1), counts[1][0]);
  assert.equal(helper.lines.geometry.index.array.length, 2 * counts[1][1]);
  assert.throws(() => new TileGraphHelper(navMesh), { code: 'invalid-argument', field: 'graph' });
  assert.throws(() => new TileGraphHelper(graph, { levels: 1 }), { code: 'invalid-argument' });
  helper.dispose();
  assert.throws(() => helper.update(), { code: 'state' });
  navMesh.free();
});

test('bench: long ways, in the smallest form', async () => {
  const worlds = await measureLong({ smallest: true });
  assert.deepEqual(longTables(worlds).map(({ title, rows }) => [title.match(/, ([a-z ]+): \d+ tiles, \d+ entrances/)?.[1], rows.length]),
    [['open country', 12], ['dense town', 12], ['fields and villages', 12]]);
  for (const { totals, walks } of worlds) {
    assert.ok(totals.byteCount / totals.entrances < 130);
    for (const { walked, promised, lower } of walks) {
      assert.ok(walked > -1e-4 && walked < 0.2 && promised > -1e-4 && lower <= 1, `${walked} ${promised} ${lower}`);
    }
  }
});

test('tile graphs: a tile with too many entrances is an error that names the way out, without memory for their costs', () => {
  const level = { positions: Float32Array.of(0, 0, 0, 0, 0, 100, 300, 0, 100, 300, 0, 0), indices: Uint32Array.of(0, 1, 2, 0, 2, 3) };
  const { navMesh } = walkmesh.bake(level, { cellSize: 0.25, tileSize: 400, agentRadius: 0 });
  const graph = navMesh.createTileGraph({ spacing: 0.1 });
  walkmesh.trimMemory();
  const before = walkmesh.memory().bytes;
  assert.throws(() => graph.update(), (/** @type {any} */ error) => error.code === 'limit' && /entrances is 1990: must be 0 to 1024; .* a larger spacing has fewer/.test(error.message));
  // The costs alone would take 4 * 1990 * 1990 bytes.
  assert.ok(walkmesh.memory().bytes - before < 1e7, `${walkmesh.memory().bytes - before} bytes`);
  graph.free();
  const wide = navMesh.createTileGraph({ spacing: 1 });
  assert.equal(wide.findPath([1, 0, 50], [299, 0, 50]).status, 'complete');
  navMesh.free();
});
