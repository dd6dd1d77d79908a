// Input that can't be baked: each throws a NavError that names the fault, and the same module can bake again.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { NavError, load } from '../../js/index.js';
import { parseObj } from '../../js/level/index.js';
import { joinLevels, loadBoth, makeGround } from './support.js';

const [simd, scalar] = await loadBoth();
const good = makeGround();

function assertStillBakes(walkmesh) {
  const { navMesh, report } = walkmesh.bake(good, {});
  assert.ok(report.counts.polygons > 0);
  assert.equal(navMesh.findPath([1, 0, 1], [9, 0, 9]).status, 'complete');
  navMesh.free();
}

/** Bakes invalid input in both builds, and returns the error. */
function expectError(geometry, config, { code, field, message }) {
  for (const walkmesh of [simd, scalar]) {
    const before = walkmesh.memory().bytes;
    assert.throws(() => walkmesh.bake(geometry, config), (error) => {
      assert.ok(error instanceof NavError, `${error}`);
      assert.equal(error.code, code, error.message);
      if (field !== undefined) assert.equal(error.field, field, error.message);
      assert.match(error.message, message);
      assert.doesNotMatch(error.message, /\n/);
      return true;
    });
    assertStillBakes(walkmesh);
    walkmesh.trimMemory();
    const after = walkmesh.memory().bytes;
    assert.ok(after <= before || before === 0 || after - before < 4096, `leaks ${after - before} bytes`);
  }
}

const withPositions = (change) => {
  const positions = good.positions.slice();
  change(positions);
  return { positions, indices: good.indices };
};

test('bad input: a vertex that is not a number', () => {
  expectError(withPositions((p) => { p[4] = NaN; }), {}, { code: 'geometry', field: 'positions', message: /^positions\[4\] is NaN: must be finite$/ });
});

test('bad input: an infinite vertex', () => {
  expectError(withPositions((p) => { p[9] = Infinity; }), {}, { code: 'geometry', message: /vert|position/i });
  expectError(withPositions((p) => { p[0] = -Infinity; }), {}, { code: 'geometry', message: /^positions\[0\] is -Infinity: must be finite$/ });
});

test('bad input: an index out of range', () => {
  expectError({ ...good, indices: Uint32Array.of(0, 1, 4) }, {}, { code: 'geometry', field: 'indices', message: /^indices\[2\] is 4: the level has 4 vertices$/ });
  expectError({ ...good, indices: Uint32Array.of(0, 1, 0xffffffff) }, {}, { code: 'geometry', message: /index|indices/i });
});

test('bad input: no triangles', () => {
  expectError({ ...good, indices: new Uint32Array(0) }, {}, { code: 'geometry', message: /triangle/i });
  const empty = { positions: new Float32Array(0), indices: new Uint32Array(0) };
  expectError(empty, {}, { code: 'geometry', message: /^the level has no triangles\. An empty level needs bounds$/ });
});

test('bad input: only degenerate triangles', () => {
  expectError({ ...good, indices: Uint32Array.of(0, 0, 1, 2, 2, 2) }, {}, { code: 'geometry', message: /degenerate|area/i });
  const line = { positions: Float32Array.of(0, 0, 0, 1, 0, 1, 2, 0, 2), indices: Uint32Array.of(0, 1, 2) };
  expectError(line, {}, { code: 'geometry', message: /degenerate|area/i });
});

test('bad input: flipped winding, and the message says so', () => {
  const indices = good.indices.slice().reverse();
  expectError({ ...good, indices }, {}, { code: 'geometry', message: /winding|face down|faces down|clockwise/i });
});

test('bad input: cell sizes', () => {
  for (const cellSize of [0, -0.3, NaN, Infinity, 1e-30]) {
    expectError(good, { cellSize }, { code: 'configuration', field: 'cellSize', message: /^cellSize/ });
  }
  for (const cellHeight of [0, -1, NaN]) {
    expectError(good, { cellHeight }, { code: 'configuration', field: 'cellHeight', message: /^cellHeight/ });
  }
});

test('bad input: cells absurdly small for the extents, with an estimate of the memory', () => {
  expectError(makeGround(1000), { cellSize: 0.02 }, { code: 'configuration', field: 'cellSize', message: /\d GiB/ });
  expectError(makeGround(60000), { cellSize: 1 }, { code: 'configuration', field: 'cellSize', message: /\d GiB/ });
  expectError(makeGround(1000), { cellSize: 1e-5 }, { code: 'configuration', message: /cellSize/ });
});

test('bad input: extents of 1e9', () => {
  expectError(makeGround(1e9), {}, { code: 'configuration', message: /cellSize|memory|cells/i });
  const far = joinLevels(good, { positions: good.positions.map((value) => value + 1e9), indices: good.indices });
  expectError(far, {}, { code: 'configuration', message: /cellSize|memory|cells/i });
  expectError(makeGround(3e38), {}, { code: 'configuration', message: /cellSize|memory|cells/i });
  const tall = joinLevels(good, { positions: good.positions.map((value, i) => (i % 3 === 1 ? 1e9 : value)), indices: good.indices });
  expectError(tall, {}, { code: 'configuration', message: /cellHeight|cells/i });
});

test('bad input: agents that cannot be', () => {
  expectError(good, { agentRadius: -0.1 }, { code: 'configuration', field: 'agentRadius', message: /-0\.1/ });
  expectError(good, { agentHeight: 0 }, { code: 'configuration', field: 'agentHeight', message: /agentHeight/ });
  expectError(good, { agentMaxClimb: 2.5 }, { code: 'configuration', field: 'agentMaxClimb', message: /agentHeight|climb/ });
  expectError(good, { agentMaxClimb: -1 }, { code: 'configuration', field: 'agentMaxClimb', message: /-1/ });
  for (const agentMaxSlope of [-1, 90.5, NaN]) {
    expectError(good, { agentMaxSlope }, { code: 'configuration', field: 'agentMaxSlope', message: /0 to 90/ });
  }
});

test('bad input: polygons and detail', () => {
  for (const maxVerticesPerPolygon of [2, 7, 4.5, 0, NaN]) {
    expectError(good, { maxVerticesPerPolygon },
      { code: 'configuration', field: 'maxVerticesPerPolygon', message: /3 to 6|whole number/ });
  }
  for (const detailSampleDistance of [1e-4, -1, 0.5, NaN]) {
    expectError(good, { detailSampleDistance }, { code: 'configuration', field: 'detailSampleDistance', message: /0\.9/ });
  }
  expectError(good, { tileSize: 3 }, { code: 'configuration', field: 'tileSize', message: /8 to 4096/ });
  expectError(good, { tileSize: 1e20 }, { code: 'configuration', field: 'tileSize', message: /tileSize/ });
});

test('bad input: fields that do not exist, or of the wrong type', () => {
  expectError(good, { celSize: 0.3 }, { code: 'configuration', field: 'celSize', message: /did you mean cellSize/ });
  expectError(good, { cellSize: '0.3' }, { code: 'configuration', field: 'cellSize', message: /must be a number/ });
  expectError(good, { filterLedges: 1 }, { code: 'configuration', field: 'filterLedges', message: /true or false/ });
  expectError(good, { partition: 'voronoi' }, { code: 'configuration', field: 'partition', message: /watershed/ });
  expectError(good, null, { code: 'configuration', message: /object/ });
  expectError(good, { bounds: { min: [0, 0, 0] } }, { code: 'configuration', field: 'bounds.max', message: /\[x, y, z\]/ });
  expectError(good, { bounds: { min: [5, 0, 0], max: [1, 1, 1] } }, { code: 'configuration', message: /bounds/ });
});

test('bad input: arrays of the wrong type or length', () => {
  const argument = { code: 'invalid-argument' };
  expectError(null, {}, { ...argument, message: /geometry/ });
  expectError({}, {}, { ...argument, field: 'positions', message: /numbers or points, not undefined/ });
  for (const positions of [new BigInt64Array(12), new DataView(new ArrayBuffer(48)), 'abc', { length: 12 }]) {
    expectError({ ...good, positions }, {}, { ...argument, field: 'positions', message: /numbers or points, not/ });
  }
  expectError({ ...good, positions: [0, 1, '2'] }, {}, { ...argument, field: 'positions', message: /positions\[2\] is "2": must be a number/ });
  expectError({ ...good, positions: [[0, 0, 0], [0, 1]] }, {}, { ...argument, field: 'positions[1]', message: /must be a point/ });
  expectError({ ...good, positions: Float64Array.of(0, 0, 0, 0, 0, 1e39, 1, 0, 1, 1, 0, 0) }, {}, { code: 'geometry', message: /finite/ });
  expectError({ ...good, positions: [{ x: 0, y: 0, z: 0 }, { x: 0, y: NaN, z: 1 }, { x: 1, y: 0, z: 1 }] }, {}, { code: 'geometry', message: /finite|index|indices/ });
  expectError({ ...good, indices: [0, 1, 2.5] }, {}, { ...argument, field: 'indices[2]', message: /2\.5: must be a whole number/ });
  expectError({ ...good, indices: Int32Array.of(0, 1, -2) }, {}, { ...argument, field: 'indices[2]', message: /-2/ });
  expectError({ ...good, indices: [0, 1, '2'] }, {}, { ...argument, field: 'indices[2]', message: /whole number/ });
  expectError({ ...good, indices: new BigUint64Array(3) }, {}, { ...argument, field: 'indices', message: /whole numbers/ });
  expectError({ ...good, indices: null }, {}, { code: 'geometry', field: 'positions', message: /three vertices per triangle/ });
  expectError({ ...good, stride: 2 }, {}, { ...argument, field: 'stride', message: /3/ });
  expectError({ ...good, positions: good.positions.subarray(1) }, {}, { code: 'geometry', field: 'positions', message: /multiple/ });
  expectError({ ...good, indices: good.indices.subarray(1) }, {}, { code: 'geometry', field: 'indices', message: /multiple of 3/ });
  expectError({ ...good, areas: Uint8Array.of(1) }, {}, { code: 'geometry', field: 'areas', message: /every triangle/ });
  expectError({ ...good, areas: Uint8Array.of(1, 64) }, {}, { code: 'geometry', message: /^areas\[1\] is 64: must be 0 to 63$/ });
  expectError({ ...good, areas: [1, 64] }, {}, { ...argument, field: 'areas[1]', message: /0 to 63/ });
  for (const areaFlags of [new Uint16Array(3), { 64: 1 }, { ground: 1 }, null]) {
    expectError({ ...good, areaFlags }, {}, { ...argument, field: 'areaFlags', message: /64|areas are numbers, 0 to 63/ });
  }
  for (const [field, message] of [['positions', /the level has \d+ vertices/], ['indices', /no triangles/]]) {
    const array = good[field].slice();
    structuredClone(array.buffer, { transfer: [array.buffer] });
    expectError({ ...good, [field]: array }, {}, { code: 'geometry', message }); // transferred to another thread, so detached here
  }
  expectError({ ...good, areaFlags: { 3: 65536 } }, {}, { ...argument, field: 'areaFlags[3]', message: /65535/ });
});

test('bad input: volumes, solids and off-mesh connections', () => {
  const argument = { code: 'invalid-argument' };
  expectError({ ...good, volumes: {} }, {}, { ...argument, field: 'volumes', message: /array/ });
  expectError({ ...good, volumes: [{ kind: 'blob' }] }, {}, { ...argument, field: 'volumes[0].kind', message: /prism/ });
  expectError({ ...good, volumes: [{ kind: 'box', min: [0, 0, 0], max: [1, 1], area: 1 }] }, {},
    { ...argument, field: 'volumes[0].max', message: /\[x, y, z\]/ });
  for (const [shape, name, value] of [
    [{ kind: 'box', min: [0, -1e39, 0], max: [1, 1, 1] }, 'min[1]', -1e39], [{ kind: 'cylinder', base: [0, 0, 1e39], radius: 1, height: 1 }, 'base[2]', 1e39],
    [{ kind: 'prism', vertices: [0, 0, 0, 1, 0, 0, 0, 0, 1], minY: -1e39, maxY: 1 }, 'minY', -1e39], [{ kind: 'sphere', centre: [0, 0, 0], radius: 1e39 }, 'radius', 1e39],
    [{ kind: 'prism', vertices: [0, 0, 0, 1, 0, 0, 0, 0, 1e39], minY: 0, maxY: 1 }, 'vertices[2]', Infinity],
  ]) {
    expectError({ ...good, volumes: [{ kind: 'box', min: [0, 0, 0], max: [1, 1, 1], area: 0 }, { ...shape, area: 0 }] }, {},
      { ...argument, field: `volumes[1].${name}`, value, message: new RegExp(`^volumes\\[1\\]\\.${name.replace(/[[\]]/g, '\\$&')} (is|holds) .*: must be finite and below 3\\.4e38$`) });
  }
  expectError({ ...good, solids: [{ kind: 'sphere', centre: [0, 0, 0], radius: '1' }] }, {},
    { ...argument, field: 'solids[0].radius', message: /number/ });
  expectError({ ...good, offMeshConnections: [{ start: [0, 0, 0], end: [1, 0, 1], radius: 1, area: 64 }] }, {},
    { ...argument, field: 'offMeshConnections[0].area', message: /63/ });
});

test('bad input: a level that is fine but for which nothing is walkable says why', () => {
  const { navMesh, report } = simd.bake(good, { agentRadius: 30 });
  assert.equal(report.counts.polygons, 0);
  assert.ok(report.warnings.some((warning) => /agentRadius/.test(warning)), report.warnings.join());
  const path = navMesh.findPath([1, 0, 1], [9, 0, 9]);
  assert.deepEqual([path.status, path.reason, path.points.length], ['unreachable', 'start-not-found', 0]);
  navMesh.free();
});

test('bad input: bytes that are no navigation mesh', () => {
  const { navMesh } = simd.bake(good, {});
  const files = [navMesh.save(), navMesh.exportDetour(), navMesh.exportDetour('tile')];
  navMesh.free();
  for (const walkmesh of [simd, scalar]) {
    const reject = (bytes) => assert.throws(() => walkmesh.loadNavMesh(bytes).free(), { name: 'NavError', code: 'corrupt' });
    reject(new Uint8Array(0));
    reject(new TextEncoder().encode('this is not a navigation mesh'));
    for (const file of files) {
      for (let length = 0; length < file.length; length += 1 + Math.floor(file.length / 97)) reject(file.subarray(0, length));
    }
    for (const bytes of [undefined, 'text', [1, 2, 3]]) {
      assert.throws(() => walkmesh.loadNavMesh(bytes), { name: 'NavError', code: 'invalid-argument' });
    }
    assertStillBakes(walkmesh);
  }
});

test('bad input: altered bytes never harm: an error, or a mesh that answers', () => {
  const { navMesh } = simd.bake(good, { tileSize: 16 });
  const files = [navMesh.save(), navMesh.exportDetour()];
  navMesh.free();
  let seed = 1;
  const random = () => (seed = (seed * 48271) % 2147483647) / 2147483647;
  for (let round = 0; round < 400; round++) {
    const bytes = files[round % 2].slice();
    for (let change = 0; change < 1 + round % 3; change++) bytes[Math.floor(random() * bytes.length)] = random() * 256;
    try {
      const altered = simd.loadNavMesh(bytes);
      altered.findPath([1, 0, 1], [9, 0, 9]);
      altered.free();
    } catch (error) {
      assert.ok(error instanceof NavError && error.code !== 'internal', `${error}`);
    }
  }
  assertStillBakes(simd);
});

test('bad input: messages about frequent mistakes name the mistake', async () => {
  const quiet = await load({ leakWarnings: false });
  const { navMesh, dynamic } = quiet.bakeDynamic(good, { tileSize: 32 });
  const graph = navMesh.createTileGraph(), flat = (/** @type {number} */ side) => makeGround(side);
  /** @type {[() => unknown, string, RegExp][]} */
  const mistakes = [
    [() => quiet.bake(/** @type {any} */ ({ cellSize: 0.3 }), /** @type {any} */ (good)), 'positions', /is a field of the level, .* the level is the first argument, the configuration the second/],
    [() => quiet.bake(flat(40_000), {}), 'cellSize', /^Is the level in centimetres\? Scale it/],
    [() => navMesh.findPath([2, 0, 2], [3, 0, 3], { filter: { areaCosts: /** @type {any} */ ({ jump: 3 }) } }), 'filter.areaCosts', /^filter\.areaCosts\.jump: areas are numbers, 0 to 63$/],
    [() => navMesh.findPath([2, 0, 2], [3, 0, 3], { filter: { areaCosts: { 64: 3 } } }), 'filter.areaCosts', /^filter\.areaCosts\.64: areas/],
    [() => navMesh.findPath(/** @type {any} */ ({ x: 1, y: 0 }), [3, 0, 3]), 'start', /must be a point, .*, but z is missing$/],
    [() => navMesh.findPath(/** @type {any} */ ({ x: 1, y: '0', z: 2 }), [3, 0, 3]), 'start', /but y is "0"$/],
    [() => navMesh.findPath(/** @type {any} */ ({}), [3, 0, 3]), 'start', /not an Object$/],
    [() => navMesh.findPath([1, 1e300, 0], [3, 0, 3]), 'start', /^start\[1\] is 1e\+300: must be below 3\.4e38$/],
    [() => dynamic.addObstacle(/** @type {any} */ ({ kind: 'box', position: [3, 0, 3], size: [1, 1, 1] })), 'obstacle.position', /is not a field: a box has min, max; or centre, halfExtents$/],
    [() => quiet.bake({ ...good, solids: [/** @type {any} */ ({ kind: 'cylinder', position: [3, 0, 3] })] }), 'solids[0].position', /a cylinder has .*; or base, radius, height$/],
    [() => dynamic.addObstacle(/** @type {any} */ ({ kind: 'box', mn: [3, 0, 3], max: [4, 1, 4] })), 'obstacle.mn', /did you mean min\?/],
    [() => parseObj('levels/town.obj'), 'file', /is the path levels\/town\.obj: read the file first/],
    [() => quiet.loadNavMesh(graph.save()), 'file', /is a tile graph: open it with loadTileGraph/],
    [() => quiet.loadDynamic(navMesh.save()), 'file', /is a navigation mesh: open it with loadNavMesh/],
    [() => quiet.loadDynamic(navMesh.exportDetour('set')), 'file', /is a navigation mesh: open it with loadNavMesh/],
    [() => quiet.loadNavMesh(Buffer.from('\n<!DOCTYPE html><title>404</title>')), 'file', /is an HTML page: check its address/],
    [() => quiet.loadNavMesh(Buffer.from('\ufeff<!DOCTYPE html>')), 'file', /is an HTML page: check its address/],
    [() => navMesh.loadCrowd(navMesh.save()), 'file', /is a navigation mesh: open it with loadNavMesh/],
    [() => navMesh.loadTileGraph(navMesh.createCrowd().save()), 'file', /is a crowd: open it with loadCrowd of its mesh/],
    [() => quiet.loadTileGraph(Buffer.from('<html>')), 'file', /is an HTML page: check its address/],
    [() => quiet.crowdInfo(graph.save()), 'file', /is a tile graph: open it with loadTileGraph/],
    [() => {
      const crowd = navMesh.createCrowd();
      crowd.setTarget([crowd.addAgent([3, 0, 3])], [[1, 0, 2], [3, 0, 4]]);
    }, 'targets', /^targets has 2 points: must be one, for one agent$/],
    [() => navMesh.createCrowd().setTarget(navMesh.createCrowd().addAgent([3, 0, 3]), [1, 2]), 'target', /^target must be a point, \[x, y, z\] or \{ x, y, z \}, not an array of 2$/],
    [() => quiet.createFileSource(Buffer.from('<html>')), 'file', /is an HTML page: check its address/],
    [() => quiet.loadDynamic(gzipSync(dynamic.save())), 'file', /is compressed with gzip: unpack it first/],
    [() => quiet.loadNavMesh(Buffer.from('version https://git-lfs.github.com/spec/v1\n')), 'file', /is a pointer of Git LFS: fetch the file/],
    [() => quiet.bake(good, {}, /** @type {any} */ ({ workers: 2 })), 'workers', /bakeTiled and bakeAsync in workers/],
  ];
  for (const [call, field, message] of mistakes) {
    assert.throws(call, (error) => {
      assert.ok(error instanceof NavError, `${error}`);
      assert.match(error.message, message);
      assert.equal(error.field, field);
      return true;
    });
  }
  navMesh.free();
});

test('bad input: a crowd that is stepped by milliseconds warns once, in development', async () => {
  const { warn } = console;
  for (const [leakWarnings, expected] of /** @type {[boolean, number][]} */ ([[true, 1], [false, 0]])) {
    const instance = await load({ leakWarnings }), { navMesh } = instance.bake(good, {});
    const crowd = navMesh.createCrowd();
    /** @type {string[]} */
    const lines = [];
    console.warn = (/** @type {string} */ line) => lines.push(line);
    try {
      for (const time of [0.016, 1, 16.7, 16.7]) crowd.step(time);
    } finally {
      console.warn = warn;
    }
    assert.equal(lines.length, expected);
    if (expected) assert.match(lines[0], /stepped by 16\.7 seconds: deltaTime is in seconds/);
    navMesh.free();
  }
});
