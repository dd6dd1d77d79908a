// Ready-made sources of a TileStreamer: files from a server, a saved mesh, bakes on demand; and dynamic meshes made from them.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { test } from 'node:test';
import { NavError, Random as PointRandom, TileStreamer, fetchSource, load } from '../../js/index.js';
import { Random } from './live/random.js';
import { makeGround, readScene } from './support.js';

const walkmesh = await load();
const CONFIG = { cellSize: 0.3, tileSize: 32 };
const EVERYWHERE = { innerRadius: 100, outerRadius: 120, requests: 100 };
const crate = { kind: 'cylinder', base: [0, -1, 0], radius: 1, height: 3 };
const list = (navMesh) => new Map(navMesh.tiles().map(({ x, z, layer, bytes }) => [`${x},${z},${layer}`, bytes]));

/** A streamer with all tiles loaded. */
async function streamAll(target, source, options = {}) {
  const streamer = new TileStreamer(target, source, { ...EVERYWHERE, ...options });
  streamer.setInvokers([[20, 0, 20]]);
  await streamer.load();
  return streamer;
}

/** The level for createBakeSource, with connections between tiles. */
const plaza = { ...readScene('plaza'), offMeshConnections: [{ start: [2, 0, 2], end: [30, 0, 30], radius: 1 }] };

for (const workers of [0, 2]) {
  test(`sources: a dynamic mesh whose tiles are baked on demand, ${workers ? 'in workers' : 'in this thread'}`, async () => {
    const pool = workers ? walkmesh.createWorkerPool({ workers }) : undefined;
    const { navMesh, dynamic, tile, free } = await walkmesh.createDynamicBakeSource(plaza, CONFIG, pool ? { workers: pool } : {});
    const expected = walkmesh.bakeDynamic(plaza, CONFIG);
    assert.equal(navMesh.totals.tiles, 0);
    const heard = [];
    dynamic.onTileChanged(({ before, after }) => heard.push([before, after]));
    const streamer = await streamAll(dynamic, tile);
    assert.equal(dynamic.dirtyTiles, 0, 'tiles come ready');
    assert.equal(heard.length, navMesh.totals.tiles);
    assert.deepEqual(list(navMesh), list(expected.navMesh));
    assert.equal(navMesh.totals.links, expected.navMesh.totals.links);
    assert.equal(dynamic.keptBytes, expected.dynamic.keptBytes);

    // All tiles are removed, an obstacle is added, moves and rests, tiles return: only the tiles that it overlaps are built.
    streamer.setInvokers([]);
    streamer.update();
    assert.equal(navMesh.totals.tiles, 0);
    const obstacle = dynamic.addObstacle({ ...crate, base: [9, -1, 9] });
    assert.equal(expected.dynamic.addObstacle({ ...crate, base: [9, -1, 9] }), obstacle);
    for (const each of [dynamic, expected.dynamic]) each.moveObstacle(obstacle, [12, 0, 12]);
    expected.dynamic.update();
    assert.equal(dynamic.dirtyTiles, 0);
    streamer.setInvokers([[20, 0, 20]]);
    await streamer.load();
    const { dirtyTiles } = dynamic;
    assert.ok(dirtyTiles > 0 && dirtyTiles <= 4, `${dirtyTiles}`);
    await dynamic.updateAsync({ workers: pool });
    assert.deepEqual(list(navMesh), list(expected.navMesh));
    assert.equal(navMesh.totals.links, expected.navMesh.totals.links, 'links and connections have healed');
    const random = new PointRandom(3);
    for (let i = 0; i < 30; i++) {
      const [from, to] = [0, 1].map(() => expected.navMesh.randomPoint({ random }).point);
      const [mine, theirs] = [navMesh, expected.navMesh].map((mesh) => mesh.findPath(from, to));
      assert.equal(mine.status, theirs.status);
      assert.ok(Math.abs(mine.cost - theirs.cost) <= 1e-3 * theirs.cost + 1e-3);
    }
    streamer.free();
    await free();
    await assert.rejects(tile(0, 0), { code: 'state' });
    for (const mesh of [navMesh, expected.navMesh]) mesh.free();
    pool?.free();
  });
}

test('sources: obstacles are pushed while tiles come and go; in the end all is as a bake makes it', async () => {
  const level = makeGround(60);
  const { navMesh, dynamic, tile, free } = await walkmesh.createDynamicBakeSource(level, CONFIG);
  const expected = walkmesh.bakeDynamic(level, CONFIG);
  const streamer = new TileStreamer(dynamic, tile, { innerRadius: 12, outerRadius: 15, requests: 9 });
  const random = new Random(9), both = [dynamic, expected.dynamic];
  const somewhere = () => [1 + 58 * random.real(), 0, 1 + 58 * random.real()];
  const handles = [];
  for (let step = 0; step < 40; step++) {
    streamer.setInvokers([somewhere()]);
    streamer.update({ tiles: 5 });
    const at = somewhere(), what = random.real();
    if (what < 0.4 || handles.length === 0) {
      handles.push(dynamic.addObstacle({ ...crate, base: at }));
      expected.dynamic.addObstacle({ ...crate, base: at });
    } else {
      const [one] = handles.splice(Math.floor(random.real() * handles.length), 1);
      for (const each of both) what < 0.8 ? each.moveObstacle(one, at) : each.removeObstacle(one);
      if (what < 0.8) handles.push(one);
    }
    if (step % 3 === 0) dynamic.update({ tiles: 2 });
    else await new Promise((resolve) => setImmediate(resolve));
  }
  streamer.setInvokers([{ position: [30, 0, 30], innerRadius: 100, outerRadius: 120 }]);
  await streamer.load();
  for (const each of both) each.update();
  assert.deepEqual(list(navMesh), list(expected.navMesh));
  streamer.free();
  await free();
  for (const mesh of [navMesh, expected.navMesh]) mesh.free();
});

test('sources: a saved mesh, of any format that is read, and of a dynamic mesh', async () => {
  const { navMesh: whole, dynamic } = walkmesh.bakeDynamic(plaza, CONFIG);
  const first = whole.save();
  for (const bytes of [first, whole.exportDetour()]) {
    const { navMesh, dynamic: none, tiles } = walkmesh.createFileSource(bytes);
    assert.equal(none, undefined);
    assert.deepEqual([navMesh.totals.tiles, tiles.size], [0, whole.totals.tiles]);
    const streamer = await streamAll(navMesh, tiles);
    assert.deepEqual(list(navMesh), list(whole));
    assert.equal(navMesh.totals.links, whole.totals.links);
    streamer.free();
    navMesh.free();
  }
  const obstacle = dynamic.addObstacle({ ...crate, base: [12, -1, 12] });
  dynamic.update();
  const { navMesh, dynamic: again, tiles } = walkmesh.createFileSource(dynamic.save());
  assert.deepEqual([navMesh.totals.tiles, again.obstacleCount, again.dirtyTiles], [0, 1, 0]);
  const streamer = await streamAll(again, tiles);
  assert.ok(again.dirtyTiles > 0 && again.dirtyTiles <= 4);
  again.update();
  assert.deepEqual(list(navMesh), list(whole));
  again.removeObstacle(obstacle);
  again.update();
  assert.deepEqual(navMesh.save(), first, 'without obstacles the first file, to the last byte');
  streamer.free();
  navMesh.free();
  assert.throws(() => walkmesh.createFileSource(first.subarray(0, 200)), { code: 'corrupt' });
  assert.throws(() => walkmesh.createFileSource(dynamic.save().subarray(0, 300)), { code: 'corrupt' });
  assert.throws(() => walkmesh.createFileSource('tiles'), { code: 'invalid-argument', field: 'bytes' });
  whole.free();
});

test('sources: files from a server; what fails is named, and asked for again when the server says', async (context) => {
  const { navMesh: whole } = walkmesh.bake(makeGround(40), CONFIG);
  const files = new Map(whole.tiles().map(({ x, z, bytes }) => [`/tiles/${x}_${z}.bin`, bytes]));
  let isBusy = true;
  const asked = new Map();
  const server = createServer((request, response) => {
    asked.set(request.url, (asked.get(request.url) ?? 0) + 1);
    const bytes = files.get(request.url);
    if (isBusy && request.url === '/tiles/1_1.bin') response.writeHead(503, { 'retry-after': '100' }).end();
    else if (isBusy && request.url === '/tiles/2_1.bin') response.destroy();
    else if (!bytes || request.headers.authorization !== 'me') response.writeHead(404).end();
    else response.end(bytes);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  context.after(() => {
    server.close();
    server.closeAllConnections();
  });
  const base = `http://127.0.0.1:${server.address().port}/tiles`;
  const { navMesh } = walkmesh.createFileSource(whole.save());
  const heard = [];
  const streamer = new TileStreamer(navMesh, fetchSource(`${base}/{x}_{z}.bin`, { request: { headers: { authorization: 'me' } } }),
    { ...EVERYWHERE, retrySeconds: 50, onError: (error, place) => heard.push([error, place]) }); // longer than a busy machine needs
  streamer.setInvokers([[20, 0, 20]]);
  await streamer.load();
  assert.equal(navMesh.totals.tiles, whole.totals.tiles - 2);
  heard.sort(([, a], [, b]) => a.x - b.x);
  assert.deepEqual(heard.map(([{ code, field, value }, { x, z }]) => [code, field, value, x, z]),
    [['file', 'source', `${base}/1_1.bin`, 1, 1], ['file', 'source', `${base}/2_1.bin`, 2, 1]]);
  assert.match(heard[0][0].message, /can't fetch tile 1, 1 from .*: 503 Service Unavailable/);
  assert.ok(heard[0][0] instanceof NavError && heard[0][0].retrySeconds === 100);
  isBusy = false;
  streamer.update({ deltaTime: 51 });
  await streamer.load();
  assert.deepEqual([asked.get('/tiles/1_1.bin'), asked.get('/tiles/2_1.bin')], [1, 2], 'not before the server wants it');
  streamer.update({ deltaTime: 99 });
  await streamer.load();
  assert.deepEqual(list(navMesh), list(whole));
  streamer.free();

  const controller = new AbortController();
  controller.abort();
  await assert.rejects(fetchSource((x, z) => `${base}/${x}_${z}.bin`)(0, 0, { signal: controller.signal }), { name: 'AbortError' });
  assert.equal(await fetchSource((x, z) => new URL(`${base}/${x}_${z}.txt`))(0, 0), null);
  await assert.rejects(fetchSource(`${base}/{x}_{z}.txt`, { missing: [] })(0, 0), { code: 'file', message: /404/ });
  for (const [args, field] of [[['/tile.bin'], 'address'], [[7], 'address'], [['/{x}{z}', { missing: 404 }], 'missing'], [['/{x}{z}', { fetch: 1 }], 'fetch'],
    [['/{x}{z}', { headers: {} }], 'headers'], [['/{x}{z}', { request: 1 }], 'request']]) {
    assert.throws(() => fetchSource(...args), { code: 'invalid-argument', field });
  }
  navMesh.free();
  whole.free();
});

test('sources: what does not fit its mesh is refused, told, and leaves the mesh as it is', async () => {
  const { navMesh, dynamic } = walkmesh.bakeDynamic(makeGround(40), CONFIG);
  const kept = dynamic.keptTile(0, 0), [{ bytes: tile }, { bytes: other }] = navMesh.tiles();
  const flat = walkmesh.createFileSource(navMesh.save()).navMesh;
  const answers = [[flat, { kept, tile }, /only a DynamicNavMesh/], [dynamic, [kept, kept], /2 layers/], [dynamic, { kept: tile, tile }, /./],
    [dynamic, { kept, tile: other }, /another place/], [dynamic, { kept, tile: tile.subarray(0, 99) }, /./], [dynamic, { tile }, /must return/],
    [dynamic, { kept, tile: 'x' }, /must return/]];
  for (const [target, answer, message] of answers) {
    if (target === dynamic) dynamic.dropTile(0, 0);
    const errors = [];
    const streamer = new TileStreamer(target, (x, z) => (x + z === 0 ? answer : null), { ...EVERYWHERE, onError: (error) => errors.push(error) });
    streamer.setInvokers([[0, 0, 0]]);
    await streamer.load();
    assert.equal(errors.length, 1);
    assert.ok(errors[0] instanceof NavError && message.test(errors[0].message), errors[0].message);
    assert.equal((target === dynamic ? navMesh : flat).tileAt(0, 0), 0);
    if (target === dynamic) assert.deepEqual([dynamic.dirtyTiles, dynamic.keptTile(0, 0)], [0, null]);
    streamer.free();
  }
  dynamic.keepTile(0, 0, kept, tile);
  assert.equal(dynamic.dirtyTiles, 0);
  assert.deepEqual(navMesh.tiles()[0].bytes, tile);
  flat.free();
  navMesh.free();
});

test('sources: in order, what has arrived waits for what is nearer without hanging', async () => {
  const { navMesh, tiles } = walkmesh.createFileSource(walkmesh.bake(makeGround(40), CONFIG).navMesh.save());
  const order = [];
  const slow = async (x, z) => {
    if (x === 0 && z === 0) for (let i = 0; i < 20; i++) await new Promise((resolve) => { setImmediate(resolve); });
    order.push(`${x},${z}`);
    return tiles.get(`${x},${z}`);
  };
  const streamer = new TileStreamer(navMesh, slow, { innerRadius: 15, outerRadius: 20, inOrder: true });
  streamer.setInvokers([[1, 0, 1]]);
  await streamer.load();
  assert.ok(order.indexOf('0,0') > 0 && navMesh.totals.tiles === order.length);
  streamer.free();
  navMesh.free();
});
