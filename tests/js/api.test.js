// The public interface: loading, baking, files, points and paths.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { STAGES, defaultConfig, load } from '../../js/index.js';
import { supportsSimd } from '../../js/loader.js';
import { instantiateFrom } from '../../js/runtime/instantiate.js';
import { ROOT, joinLevels, loadBoth, makeGround, readScene } from './support.js';

const builds = await loadBoth();
const [walkmesh] = builds;

test('api: loads from bytes, from a compiled module, from a URL, and by itself', async () => {
  const bytes = readFileSync(join(ROOT, 'dist', 'walkmesh.wasm'));
  const sources = [bytes, bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length), new WebAssembly.Module(bytes),
    new URL('../../dist/walkmesh.wasm', import.meta.url)];
  for (const wasm of sources) {
    const instance = await load({ wasm });
    instance.bake(makeGround(), {}).navMesh.free();
  }
  assert.equal((await load()).simd, supportsSimd());
  assert.equal((await load({ simd: false })).simd, false);
});

test('api: what cannot be loaded is a NavError', async () => {
  await assert.rejects(load({ wasm: new Uint8Array([1, 2, 3]) }), { name: 'NavError', code: 'corrupt' });
  await assert.rejects(load({ wasm: new URL('file:///no/such/file.wasm') }),
    { name: 'NavError', code: 'unreachable', value: 'file:///no/such/file.wasm', message: /^file:\/\/\/no\/such\/file\.wasm cannot be read: ENOENT/ });
  await assert.rejects(load({ wasm: 'https://' }), { name: 'NavError', code: 'invalid-argument', field: 'wasm' });
  await assert.rejects(load({ wasm: 42 }), { name: 'NavError', code: 'invalid-argument' });
  await assert.rejects(load({ simd: 'yes' }), { name: 'NavError', code: 'invalid-argument' });
  const page = new Response('<!doctype html><title>My game</title>');
  await assert.rejects(load({ wasm: page }), { code: 'unreachable', message: /^the response is an HTML page, not the WebAssembly module/ });
});

test('api: a host that gives modules no address is told to pass the module', async () => {
  const nowhere = () => new URL('../dist/walkmesh.wasm', /** @type {any} */ (undefined));
  await assert.rejects(instantiateFrom({}, nowhere), { code: 'unreachable', message: /load\(\{ wasm \}\)/ });
});

test('api: a host that compiles no WebAssembly blocks, and takes a compiled module', async (context) => {
  const module = new WebAssembly.Module(readFileSync(new URL('../../dist/walkmesh.wasm', import.meta.url)));
  const refuse = async () => { throw new WebAssembly.CompileError('Wasm code generation disallowed by embedder'); };
  context.mock.method(WebAssembly, 'compile', refuse);
  const { instantiate } = WebAssembly;
  context.mock.method(WebAssembly, 'instantiate', (source) => (source instanceof WebAssembly.Module ? instantiate(source) : refuse()));
  await assert.rejects(load({ wasm: new Uint8Array([0, 97, 115, 109]) }), { code: 'blocked', message: /disallowed by embedder.*load\(\{ wasm \}\)/ });
  assert.equal((await load({ wasm: module })).simd, true);
});

test('api: WebKit, which compiles under a strict content security policy but makes no instance, blocks too', async (context) => {
  const message = "Refused to create a WebAssembly object because 'wasm-unsafe-eval' is not allowed.\n (evaluating 'instantiate')";
  context.mock.method(WebAssembly, 'instantiate', async () => { throw new WebAssembly.CompileError(message); });
  await assert.rejects(load(), { code: 'blocked', message: /: Refused to create .* allowed\. \(evaluating 'instantiate'\)\. Allow script-src/ });
});

test('api: the inline entry needs no file, and runs in a worker', async () => {
  const inline = await import('../../dist/inline.js');
  const instance = await inline.load();
  instance.bake(makeGround(), {}).navMesh.free();
  assert.equal((await inline.load({ simd: false })).simd, false);
  const code = `import { parentPort } from 'node:worker_threads';
    import { load } from ${JSON.stringify(new URL('../../dist/inline.js', import.meta.url).href)};
    const walkmesh = await load();
    const positions = Float32Array.of(0, 0, 0, 0, 0, 9, 9, 0, 9);
    parentPort.postMessage(walkmesh.bake({ positions, indices: Uint16Array.of(0, 1, 2) }).report.counts.polygons);`;
  const worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(code)}`));
  const polygons = await new Promise((resolve, reject) => worker.once('message', resolve).once('error', reject));
  assert.ok(polygons > 0);
});

test('api: the report tells stages, counts, memory and warnings', () => {
  const { navMesh, report } = walkmesh.bake(readScene('plaza'), {});
  assert.deepEqual(Object.keys(report.stages), [...STAGES]);
  for (const time of Object.values(report.stages)) assert.ok(time >= 0 && time <= report.milliseconds);
  assert.ok(report.counts.solidSpans > report.counts.openSpans && report.counts.openSpans > 0);
  const { vertices, polygons, tileBytes: bytes } = report.counts;
  assert.deepEqual(report.tiles, { x: 1, z: 1, built: 1, withPolygons: 1, cached: 0, kept: 0, largest: { x: 0, z: 0, vertices, polygons, bytes } });
  assert.ok(report.memory.peakBytes > 0 && report.memory.wasmBytes >= report.memory.peakBytes);
  const { boundsMin: min, boundsMax: max } = report.voxels;
  const { bounds, ...config } = report.config;
  assert.deepEqual(config, defaultConfig());
  assert.deepEqual([bounds.min, bounds.max].map((corner) => corner.map(Math.fround)), [min, max].map((corner) => Array.from(corner)));
  assert.deepEqual(report.warnings, []);
  assert.equal(report.counts.polygons, navMesh.totals.polygons);
  navMesh.free();
});

test('api: progress is told stage by stage', () => {
  const seen = [];
  walkmesh.bake(makeGround(10), { tileSize: 16 }, { onProgress: (progress) => seen.push(progress) }).navMesh.free();
  const tiles = seen[0].tiles;
  assert.ok(tiles > 1);
  assert.equal(seen.length, tiles * STAGES.length);
  assert.deepEqual(seen.at(-1), { tile: tiles - 1, tiles, stage: 'tile' });
});

test('api: indices may be 16 bits, and vertices interleaved', () => {
  const { positions, indices } = readScene('plaza');
  const interleaved = new Float32Array(positions.length / 3 * 8).fill(NaN);
  for (let v = 0; v < positions.length / 3; v++) interleaved.set(positions.subarray(3 * v, 3 * v + 3), 8 * v);
  const variants = [{ positions, indices }, { positions, indices: Uint16Array.from(indices) },
    { positions: interleaved, indices, stride: 8 },
    { positions: interleaved.subarray(0, interleaved.length - 5), indices, stride: 8 }];
  const [first, ...others] = variants.map((geometry) => {
    const { navMesh } = walkmesh.bake(geometry, {});
    const bytes = navMesh.save();
    navMesh.free();
    return bytes;
  });
  for (const other of others) assert.deepEqual(other, first);
});

test('api: areas, volumes and flags reach the polygons', () => {
  const ground = makeGround(20);
  const box = { kind: 'box', min: [0, -1, 0], max: [10, 1, 20], area: 7 };
  const areaFlags = new Uint16Array(64).fill(1);
  areaFlags[7] = 8;
  const { navMesh } = walkmesh.bake({ ...ground, volumes: [box], areaFlags }, {});
  const kinds = new Set(navMesh.polygons().map(({ area, flags }) => `${area}:${flags}`));
  assert.deepEqual(kinds, new Set(['0:1', '7:8']));
  const across = [[2, 0, 10], [18, 0, 10]];
  assert.equal(navMesh.findPath(...across).status, 'complete');
  const closed = navMesh.findPath(...across, { filter: { excludeFlags: 8 } });
  assert.equal(closed.status, 'unreachable');
  assert.equal(closed.reason, 'start-excluded');
  assert.equal(navMesh.findPath(...across).status, 'complete', 'the filter is that of one question');
  const areaCosts = new Float32Array(64).fill(1);
  areaCosts[7] = 10;
  assert.ok(navMesh.findPath(...across, { filter: { areaCosts } }).cost > 2 * navMesh.findPath(...across).cost);
  navMesh.free();
});

test('api: the agent keeps its radius and height from volumes before erosion', () => {
  const config = { cellSize: 0.2, agentRadius: 0.6, agentHeight: 2, agentMaxClimb: 0.4, minRegionSize: 0 };
  for (const instance of builds) {
    const edgeOf = (volume) => {
      const { navMesh } = instance.bake({ ...makeGround(20), volumes: [{ kind: 'cylinder', radius: 2, height: 1, area: 0, ...volume }] }, config);
      const nearest = navMesh.nearestPoint([10, 0, 10], { halfExtents: [4, 0.5, 4] });
      navMesh.free();
      return nearest.isOver ? 0 : Math.hypot(nearest.point[0] - 10, nearest.point[2] - 10);
    };
    const [after, before] = [edgeOf({ base: [10, 0, 10] }), edgeOf({ base: [10, 0, 10], beforeErosion: true })];
    assert.ok(Math.abs(after - 2) < 0.3 && Math.abs(before - 2.6) < 0.3, `${after}, ${before}`);
    assert.equal(edgeOf({ base: [10, 1, 10] }), 0, 'ground below is not in the volume');
    assert.ok(edgeOf({ base: [10, 1, 10], beforeErosion: true }) > 2.3, 'heads would be');
    assert.equal(edgeOf({ base: [10, 2.2, 10], beforeErosion: true }), 0);
  }
  assert.throws(() => edgeOfBad(), { code: 'invalid-argument', field: 'volumes[0].beforeErosion' });
  function edgeOfBad() {
    builds[0].bake({ ...makeGround(20), volumes: [{ kind: 'sphere', centre: [1, 0, 1], radius: 1, area: 0, beforeErosion: 1 }] }, config);
  }
});

test('api: every kind of volume and solid is taken', () => {
  const volumes = [{ kind: 'box', min: [1, -1, 1], max: [3, 1, 3], area: 1 },
    { kind: 'rotatedBox', centre: [5, 0, 5], halfExtents: [1, 1, 1], yaw: 0.5, area: 2 },
    { kind: 'cylinder', base: [10, -1, 5], radius: 2, height: 2, area: 3 },
    { kind: 'prism', vertices: Float32Array.of(14, 0, 2, 18, 0, 2, 18, 0, 6, 14, 0, 6), minY: -1, maxY: 1, area: 4 },
    { kind: 'sphere', centre: [4, 0, 9.5], radius: 1.5, area: 5 }, { kind: 'capsule', start: [13, 0, 10], end: [17, 1, 12], radius: 1, area: 6 }];
  const cube = { positions: Float32Array.of(0, 0, 0, 1, 0, 0, 1, 0, 1, 0, 0, 1, 0, 1, 0, 1, 1, 0, 1, 1, 1, 0, 1, 1).map((v, i) => v * 3 + (i % 3 === 1 ? 0 : 8)),
    indices: Uint16Array.of(0, 1, 2, 0, 2, 3, 4, 6, 5, 4, 7, 6, 0, 5, 1, 0, 4, 5, 1, 6, 2, 1, 5, 6, 2, 7, 3, 2, 6, 7, 3, 4, 0, 3, 7, 4) };
  const solids = [{ kind: 'box', centre: [2, 0, 16], halfAxes: [1, 0, 0, 0, 2, 0, 0, 0, 1], area: 0 },
    { kind: 'sphere', centre: [6, 0, 16], radius: 2, area: 0 }, { kind: 'capsule', start: [11, 0, 16], end: [11, 3, 16], radius: 1, area: 0 },
    { kind: 'cylinder', start: [16, 0, 16], end: [16, 3, 16], radius: 1, area: 0 }, { kind: 'convex', ...cube, area: 0 }];
  for (const instance of builds) {
    const { navMesh } = instance.bake({ ...makeGround(20), volumes, solids }, {
      cellSize: 0.2, agentRadius: 0.2, minRegionSize: 0, bounds: { min: [0, -1, 0], max: [20, 4, 20] } });
    assert.deepEqual(new Set(navMesh.polygons().map(({ area }) => area)), new Set([0, 1, 2, 3, 4, 5, 6]));
    for (const [x, z] of [[2, 16], [6, 16], [11, 16], [16, 16], [9.5, 9.5]]) {
      const nearest = navMesh.nearestPoint([x, 0, z], { halfExtents: [0.3, 0.5, 0.3] });
      assert.ok(!nearest?.isOver, `solid at ${x}, ${z}`);
    }
    navMesh.free();
  }
});

test('api: off-mesh connections carry a path across a gap', () => {
  const far = makeGround(10);
  const gap = joinLevels(makeGround(10), { ...far, positions: far.positions.map((v, i) => (i % 3 === 0 ? v + 15 : v)) });
  const ends = [[2, 0, 5], [23, 0, 5]];
  const bare = walkmesh.bake(gap, {}).navMesh;
  const stuck = bare.findPath(...ends);
  assert.equal(stuck.status, 'unreachable');
  assert.equal(stuck.reason, 'not-connected');
  assert.equal(stuck.count, 2);
  assert.ok(stuck.points.at(-3) > 9 && stuck.points.at(-3) < 10, 'leads to the nearest place');
  const nowhere = bare.findPath(ends[0], [60, 0, 5]);
  assert.deepEqual([nowhere.status, nowhere.reason, nowhere.count], ['unreachable', 'end-not-found', 0]);
  bare.free();
  const offMeshConnections = [{ start: [9, 0, 5], end: [16, 0, 5], radius: 0.6, bidirectional: false }];
  const linked = walkmesh.bake({ ...gap, offMeshConnections }, {}).navMesh;
  const path = linked.findPath(...ends);
  assert.equal(path.status, 'complete');
  assert.equal(path.offMesh.reduce((sum, bit) => sum + bit, 0), 1);
  assert.equal(linked.findPath(ends[1], ends[0]).status, 'unreachable', 'one way');
  assert.equal(linked.totals.offMeshConnections, 1);
  linked.free();
});

test('api: a path has a corridor, points and a length', () => {
  for (const instance of builds) {
    const { navMesh } = instance.bake(readScene('maze'), {});
    const { boundsMin, boundsMax } = navMesh.totals;
    const path = navMesh.findPath([boundsMin[0] + 2, 0, boundsMin[2] + 2], [boundsMax[0] - 2, 0, boundsMax[2] - 2], { halfExtents: [4, 4, 4] });
    assert.equal(path.status, 'complete');
    assert.equal(path.reason, null);
    assert.equal(path.pointPolygons[0], path.corridor[0]);
    assert.equal(path.corridor[0], path.start.polygon);
    assert.equal(path.corridor.at(-1), path.end.polygon);
    let length = 0;
    for (let i = 3; i < path.points.length; i += 3) length += Math.hypot(...[0, 1, 2].map((a) => path.points[i + a] - path.points[i + a - 3]));
    assert.ok(Math.abs(length - path.length) < 1e-3 * length);
    assert.ok(path.points.length > 6);
    const short = navMesh.findPath(path.points.slice(0, 3), path.points.slice(-3), { maxNodes: 3 });
    assert.equal(short.status, 'partial');
    assert.equal(short.reason, 'node-limit');
    const few = navMesh.findPath(path.points.slice(0, 3), path.points.slice(-3), { maxPoints: 2 });
    assert.equal(few.isCut, true);
    assert.ok(navMesh.findPath(path.points.slice(0, 3), path.points.slice(-3), { crossings: 'all' }).points.length > path.points.length);
    navMesh.free();
  }
});

test('api: nearest points', () => {
  const { navMesh } = walkmesh.bake(makeGround(10), {});
  const above = navMesh.nearestPoint([5, 1, 5]);
  assert.ok(above.isOver);
  assert.deepEqual([above.point[0], above.point[2]], [5, 5]);
  assert.ok(Number.isSafeInteger(above.polygon) && above.polygon > 0);
  assert.equal(navMesh.nearestPoint([5, 100, 5]), null);
  assert.equal(navMesh.nearestPoint([5, 6, 5], { halfExtents: [1, 10, 1] })?.isOver, true);
  for (const point of [undefined, [1, 2], ['a', 0, 0], 'abc', {}]) {
    assert.throws(() => navMesh.nearestPoint(point), { name: 'NavError', code: 'invalid-argument', field: 'point' });
  }
  for (const point of [[NaN, 0, 0], [0, Infinity, 0]]) {
    assert.throws(() => navMesh.nearestPoint(point), { name: 'NavError', code: 'invalid-argument' });
  }
  assert.throws(() => navMesh.findPath([0, 0, 0], [1, 0, 1], { maxNodes: -1 }), { name: 'NavError', code: 'invalid-argument' });
  assert.throws(() => navMesh.findPath([0, 0, 0], [1, 0, 1], { crossings: 'some' }), { name: 'NavError', code: 'invalid-argument' });
  assert.throws(() => navMesh.findPath([0, 0, 0], [1, 0, 1], { filter: { areaCosts: [1] } }), { name: 'NavError', code: 'invalid-argument' });
  navMesh.free();
});

test('api: files keep the mesh, its configuration and its answers', () => {
  const level = readScene('plaza');
  for (const tileSize of [0, 32]) {
    const { navMesh, report } = walkmesh.bake(level, { tileSize, agentRadius: 0.5 });
    const ends = [[2, 0, 2], [38, 0, 38]];
    const expected = navMesh.findPath(...ends);
    for (const instance of builds) {
      for (const bytes of [navMesh.save(), navMesh.exportDetour()]) {
        const copy = instance.loadNavMesh(bytes);
        const path = copy.findPath(...ends);
        assert.deepEqual([path.status, path.points], [expected.status, expected.points]);
        assert.deepEqual(copy.exportDetour(), navMesh.exportDetour());
        copy.free();
      }
      const ours = instance.loadNavMesh(navMesh.save().buffer);
      assert.deepEqual(ours.config, report.config);
      assert.deepEqual(ours.save(), navMesh.save());
      ours.free();
    }
    if (tileSize === 0) assert.ok(navMesh.exportDetour('tile').length > 0);
    else assert.throws(() => navMesh.exportDetour('tile'), { name: 'NavError', code: 'limit' });
    assert.throws(() => navMesh.exportDetour('xml'), { name: 'NavError', code: 'invalid-argument' });
    navMesh.free();
  }
});

test('api: both builds make the same files', () => {
  for (const scene of ['plaza', 'stairs']) {
    const [a, b] = builds.map((instance) => instance.bake(readScene(scene), { tileSize: 40, partition: 'layers' }).navMesh.save());
    assert.deepEqual(a, b);
  }
});

test('api: triangles and polygons for drawing cover the mesh', () => {
  const { navMesh } = walkmesh.bake(makeGround(10), { tileSize: 16 });
  const triangles = navMesh.triangles();
  assert.equal(triangles.length, 9 * navMesh.totals.detailTriangles);
  let area = 0;
  for (let i = 0; i < triangles.length; i += 9) {
    const [ax, , az, bx, , bz, cx, , cz] = triangles.subarray(i, i + 9);
    area += Math.abs((bx - ax) * (cz - az) - (cx - ax) * (bz - az)) / 2;
  }
  assert.ok(area > 8 ** 2 && area < 9 ** 2, `${area}`); // ten on a side, less the agent's radius on all sides
  assert.equal(navMesh.polygons().length, navMesh.totals.polygons);
  navMesh.free();
});
