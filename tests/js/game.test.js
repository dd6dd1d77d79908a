// The game entry and module: what a baked mesh offers gives the same results as in the full module, and nothing bakes.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { build } from 'esbuild';
import * as game from '../../js/game.js';
import * as main from '../../js/index.js';
import { ROOT, readScene } from './support.js';

const MODULES = [{ simd: true, file: 'walkmesh-game.wasm' }, { simd: false, file: 'walkmesh-game-scalar.wasm' }];
const CONFIG = { cellSize: 0.3, tileSize: 48, links: { drop: { maxHeight: 3 }, jump: { maxDistance: 3 } } };
const readModule = (file) => readFileSync(join(ROOT, 'dist', file));

const { NavError, load } = main;
const walkmesh = await load();
const { navMesh: baked } = walkmesh.bake(readScene('plaza'), CONFIG);
const file = baked.save();

/** Points of the mesh, by a seed. */
function choosePoints(navMesh) {
  const random = navMesh.constructor === game.NavMesh ? new game.Random(7) : undefined;
  return Array.from({ length: 24 }, () => Array.from(navMesh.randomPoint(random).point));
}

/** Where a crowd is after 200 steps. */
function walkCrowd(navMesh, points) {
  const crowd = navMesh.createCrowd();
  const agents = points.map((position) => crowd.addAgent(position, { radius: 0.3 }));
  agents.forEach((agent, i) => crowd.setTarget(agent, points[(i + 5) % points.length]));
  for (let step = 0; step < 200; step++) crowd.step(1 / 30);
  const hash = crowd.hash();
  crowd.free();
  return hash;
}

/** What a mesh answers, of every kind of question. */
function askAll(navMesh) {
  const points = choosePoints(navMesh), answers = [points];
  for (const [i, start] of points.entries()) {
    const end = points[(i + 7) % points.length], { polygon, point } = navMesh.nearestPoint(start);
    for (const options of [{}, { shortest: true }, { wallDistance: 0.4 }, { shortest: true, wallDistance: 0.4 }]) {
      answers.push(navMesh.findPath(start, end, options));
    }
    answers.push(navMesh.raycast(polygon, point, end), navMesh.moveAlongSurface(polygon, point, end), navMesh.distanceToWall(polygon, point, 3),
      navMesh.flood(polygon, point, { radius: 5 }));
  }
  const islands = navMesh.islands(), graph = navMesh.createTileGraph();
  answers.push(islands.count, islands.point(1), graph.findPath(points[0], points[1]), navMesh.segmentLinks().refs.length, walkCrowd(navMesh, points));
  const switches = navMesh.createSwitches();
  switches.addDoor({ name: 'gate', volume: { kind: 'box', centre: points[3], halfExtents: [1, 1, 1] } });
  answers.push(navMesh.findPath(points[0], points[3]));
  islands.free();
  graph.free();
  switches.free();
  return answers;
}

test('game: every answer on a loaded mesh is that of walkmesh, to the bit', async () => {
  const expected = askAll(walkmesh.loadNavMesh(file));
  assert.ok(expected.filter((one) => one?.status === 'complete').length > 50);
  for (const { simd } of MODULES) {
    const small = await game.load({ simd });
    assert.equal(small.simd, simd);
    assert.equal(small.detectFormat(file), 'walkmesh');
    const navMesh = small.loadNavMesh(file);
    assert.ok(navMesh instanceof game.NavMesh);
    assert.deepEqual(askAll(navMesh), expected);
    assert.deepEqual(navMesh.save(), file);
    const [start, end] = choosePoints(navMesh), built = navMesh.createTileGraph();
    built.findPath(start, end); // builds it
    const graphs = [small, walkmesh].map((one) => one.loadTileGraph(built.save()));
    assert.deepEqual(...graphs.map((graph) => graph.findPath(start, end)));
    for (const graph of graphs) graph.free();
    navMesh.free();
    assert.throws(() => navMesh.findPath([0, 0, 0], [1, 0, 1]), { name: 'NavError', code: 'state' });
    small.trimMemory();
    assert.ok(small.memory().bytes < 100_000, `${small.memory().bytes} bytes are left`);
  }
});

test('game: tiles of another mesh are added and removed', async () => {
  const navMesh = (await game.load()).loadNavMesh(file), [tile] = [...navMesh.tiles()];
  const { bytes } = tile, { tiles } = navMesh.totals;
  navMesh.removeTile(tile.ref);
  assert.equal(navMesh.totals.tiles, tiles - 1);
  navMesh.addTile(bytes);
  assert.equal(navMesh.totals.tiles, tiles);
  navMesh.free();
});

test('game: tiles of a file are streamed around a player as with walkmesh, also from a server', async () => {
  const small = await game.load(), paths = [];
  for (const [owner, { TileStreamer, fetchSource }] of /** @type {[any, any][]} */ ([[small, game], [walkmesh, main]])) {
    const { navMesh, dynamic, tiles } = owner.createFileSource(file);
    assert.deepEqual([navMesh.totals.tiles, dynamic], [0, undefined]);
    const fetchTile = async (/** @type {string} */ address) => new Response(tiles.get(address.slice(1))?.[0], { status: tiles.has(address.slice(1)) ? 200 : 404 });
    for (const source of [tiles, fetchSource('/{x},{z}', { fetch: fetchTile })]) {
      const streamer = new TileStreamer(navMesh, source, { innerRadius: 12, outerRadius: 20, inOrder: true });
      streamer.setInvokers([[10, 0, 10]]);
      await streamer.load();
      assert.ok(streamer.placeCount > 1 && navMesh.totals.tiles < baked.totals.tiles);
      paths.push([navMesh.findPath([5, 0, 5], [14, 0, 14]).points, navMesh.totals.tiles]);
      streamer.setInvokers([]);
      streamer.update();
      assert.equal(navMesh.totals.tiles, 0);
      streamer.free();
    }
    navMesh.free();
  }
  assert.deepEqual(paths.slice(0, 2), paths.slice(2));
  const { dynamic } = walkmesh.bakeDynamic(readScene('plaza'), { cellSize: 0.3, tileSize: 48 });
  assert.throws(() => small.createFileSource(dynamic.save()), { name: 'NavError', code: 'unsupported', message: /loadDynamic, which walkmesh\/game lacks$/ });
  dynamic.navMesh.free();
});

test('game: nothing bakes, and what would says so', async () => {
  const small = await game.load();
  for (const name of ['bake', 'bakeTiled', 'bakeDynamic', 'rebake', 'createLinkGenerator', 'loadDynamic']) assert.equal(small[name], undefined, name);
  const { navMesh, dynamic } = walkmesh.bakeDynamic(readScene('plaza'), { cellSize: 0.3, tileSize: 48 });
  assert.throws(() => small.loadNavMesh(dynamic.save()), { name: 'NavError', code: 'unsupported', message: /loadDynamic, which walkmesh\/game lacks$/ });
  navMesh.free();
  assert.throws(() => small.loadNavMesh(new Uint8Array(100)), { name: 'NavError' });
  const whole = await load({ wasm: readModule('walkmesh-game.wasm') });
  assert.throws(() => whole.bake(readScene('plaza')), { name: 'NavError', code: 'unsupported', message: /load walkmesh\.wasm/ });
  const read = whole.loadNavMesh(file);
  assert.deepEqual(read.save(), file, 'the entry walkmesh works with the smaller module');
  read.free();
});

test('game: the core module, which reads no files, is refused in plain words', async () => {
  const small = await game.load({ wasm: readModule('walkmesh-core.wasm') });
  assert.throws(() => small.loadNavMesh(file), { name: 'NavError', code: 'unsupported', message: /no mesh_read: load walkmesh\.wasm$/ });
});

test('game: load() and its promise refuse what they are not meant for', async () => {
  const promise = game.load();
  assert.throws(() => promise.loadNavMesh(file), { code: 'state', message: /await it first/ });
  const small = await promise, { loadNavMesh } = small;
  assert.throws(() => loadNavMesh(file), { code: 'state', message: /as object\.method/ });
  assert.throws(() => new game.Walkmesh(), { code: 'state', message: /load\(\)/ });
  await assert.rejects(game.load({ memoryLimit: -1 }), { code: 'invalid-argument' });
  await assert.rejects(game.load({ memorylimit: 1 }), { code: 'invalid-argument' });
  assert.equal(game.NavError, NavError);
});

test('game: the modules hold nothing that walkmesh.wasm does not, and import nothing', () => {
  const all = new Set(WebAssembly.Module.exports(new WebAssembly.Module(readModule('walkmesh.wasm'))).map(({ name }) => name));
  for (const { file: name } of MODULES) {
    const module = new WebAssembly.Module(readModule(name));
    assert.deepEqual(WebAssembly.Module.imports(module), []);
    for (const one of WebAssembly.Module.exports(module)) assert.ok(all.has(one.name), `${name}: ${one.name}`);
  }
});

test('game: the entry brings no code that bakes', async () => {
  const { metafile } = await build({
    entryPoints: [join(ROOT, 'js/game.js')], bundle: true, format: 'esm', write: false, metafile: true, absWorkingDir: ROOT,
  });
  const baking = Object.keys(metafile.inputs).filter((path) => /js\/(bake|check|dynamic|explain|level|workers)\//.test(path));
  assert.deepEqual(baking, []);
});
