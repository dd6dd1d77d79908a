// Saved crowds from JavaScript: a loaded crowd goes on as the saved one, with its meshes, filters, events and clock; refused bytes.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FixedStep } from '../../js/index.js';
import { loadBoth, makeGround } from './support.js';

const STEP = 1 / 60;
const builds = await loadBoth();
const [walkmesh, scalar] = builds;
const isWrong = (/** @type {string} */ field) => ({ name: 'NavError', code: 'invalid-argument', field });
const isCorrupt = { name: 'NavError', code: 'corrupt', field: 'file' };

/** Two floors of 20 by 20, 4 apart along x, with a connection between them. */
const twoGrounds = () => ({
  positions: Float32Array.of(0, 0, 0, 0, 0, 20, 20, 0, 20, 20, 0, 0, 24, 0, 0, 24, 0, 20, 44, 0, 20, 44, 0, 0),
  indices: Uint32Array.of(0, 1, 2, 0, 2, 3, 4, 5, 6, 4, 6, 7),
  offMeshConnections: [{ start: [19, 0, 10], end: [25, 0, 10], radius: 1 }],
});

/** A crowd of 30 on its way, 2 seconds after it set out. */
function makeCrowd(instance = walkmesh, level = makeGround(40)) {
  const { navMesh } = instance.bake(level, { tileSize: 48 });
  const crowd = navMesh.createCrowd({ searchBudget: 500 });
  const agents = crowd.addAgents(Array.from({ length: 30 }, (_, i) => [2 + (i % 6), 0, 2 + Math.floor(i / 6)]), { radius: 0.3 });
  crowd.setTarget(agents, Array.from(agents, (_, i) => [36 - (i % 5), 0, 4 + i / 3]));
  for (let i = 0; i < 120; i++) crowd.step(STEP);
  return { navMesh, crowd, agents };
}

/** Runs both crowds, and compares all that is visible. @param {any} one @param {any} other @param {number} steps */
function goOnTheSame(one, other, steps) {
  for (let i = 0; i < steps; i++) {
    assert.deepEqual(one.step(STEP), other.step(STEP));
    assert.equal(one.hash(), other.hash());
  }
  for (const name of ['positions', 'previousPositions', 'velocities', 'headings', 'states', 'reasons', 'agents']) assert.deepEqual(one[name], other[name], name);
}

test('saved crowd: goes on the same on its mesh, on the mesh from its file, and in the other build', () => {
  const { navMesh, crowd, agents } = makeCrowd();
  const bytes = crowd.save();
  assert.ok(bytes instanceof Uint8Array && bytes.length > 30 * 500);
  assert.deepEqual(crowd.save(), bytes, 'saving changes nothing');
  const crowds = [navMesh.loadCrowd(bytes), ...builds.map((instance) => instance.loadNavMesh(navMesh.save()).loadCrowd(bytes))];
  assert.deepEqual(crowds[0].options, crowd.options);
  for (const loaded of crowds) assert.deepEqual(loaded.save(), bytes);
  for (const all of [crowd, ...crowds]) all.setTarget(agents[3], [3, 0, 38]);
  for (let i = 0; i < 200; i++) {
    const hashes = [crowd, ...crowds].map((one) => (one.step(STEP), one.hash()));
    assert.equal(new Set(hashes).size, 1);
  }
  crowds.forEach((one) => one.free());
  navMesh.free();
});

test('saved crowd: bytes whose buffer is transferred while the list of meshes is read are refused', () => {
  const { navMesh, crowd } = makeCrowd(), bytes = crowd.save();
  const meshes = new Proxy([], {
    get(list, name) {
      if (bytes.length > 0) structuredClone(bytes.buffer, { transfer: [bytes.buffer] });
      return Reflect.get(list, name);
    },
  });
  assert.throws(() => navMesh.loadCrowd(bytes, { meshes }), { name: 'NavError' });
  crowd.free();
  navMesh.free();
});

test('saved crowd: meshes that were added are passed again, in their order', () => {
  const { navMesh, crowd } = makeCrowd();
  const { navMesh: wide } = walkmesh.bake(makeGround(40), { agentRadius: 1.5 });
  const type = crowd.addMesh(wide);
  const troll = crowd.addAgent([10, 0, 30], { type, radius: 1.5, maxSpeed: 2 });
  crowd.setTarget(troll, [20, 0, 4]);
  crowd.step(STEP);
  const bytes = crowd.save();
  const loaded = navMesh.loadCrowd(bytes, { meshes: [wide] });
  goOnTheSame(crowd, loaded, 60);
  assert.deepEqual(walkmesh.crowdInfo(bytes), { agentCount: 31, meshCount: 2, obstacleCount: 0, filterCount: 0, steps: 121 });
  assert.throws(() => navMesh.loadCrowd(bytes), isWrong('meshes'));
  assert.throws(() => navMesh.loadCrowd(bytes, { meshes: [wide, wide] }), isWrong('meshes'));
  assert.throws(() => navMesh.loadCrowd(bytes, { meshes: /** @type {any} */ (wide) }), isWrong('meshes'));
  const foreign = scalar.bake(makeGround(40), {}).navMesh;
  assert.throws(() => navMesh.loadCrowd(bytes, { meshes: [foreign] }), isWrong('meshes'));
  wide.free();
  assert.throws(() => navMesh.loadCrowd(bytes, { meshes: [wide] }), { code: 'state' });
  assert.throws(() => loaded.step(STEP), { code: 'state' }, 'it knows the meshes that it uses');
  navMesh.free();
  foreign.free();
});

test('saved crowd: costs of single polygons are its own, also after the filter that had them was freed', () => {
  const { navMesh, crowd, agents } = makeCrowd();
  const filter = navMesh.createFilter({ areaCosts: { 5: 3 } });
  const [{ ref: tile }] = navMesh.tiles(), polygons = [tile, tile + 1];
  filter.setPolygonCosts({ polygons, factors: polygons.map(() => 4) });
  crowd.setFilter(2, filter);
  crowd.setParameters(agents, { filter: 2 });
  const bytes = crowd.save();
  const loaded = navMesh.loadCrowd(bytes);
  goOnTheSame(crowd, loaded, 30);
  crowd.free();
  filter.free();
  loaded.setTarget(agents, [3, 0, 30]);
  loaded.step(STEP);
  loaded.setFilter(2, {});
  loaded.step(STEP);
  navMesh.free();
});

test('saved crowd: agents on a connection are reported by start, with their progress', () => {
  const { navMesh, crowd, agents } = makeCrowd(walkmesh, twoGrounds());
  for (let i = 0; i < 1200 && crowd.info(agents[0]).state !== 'on-connection'; i++) crowd.step(STEP);
  for (let i = 0; i < 10; i++) crowd.step(STEP);
  const loaded = navMesh.loadCrowd(crowd.save());
  /** @type {any[]} */
  const heard = [];
  assert.equal(loaded.onConnection, null);
  loaded.onConnection = (event) => heard.push({ ...event });
  goOnTheSame(crowd, loaded, 1);
  const own = heard.find(({ agent }) => agent === agents[0]);
  assert.equal(own?.kind, 'start');
  assert.ok(own.progress > 0 && own.progress === loaded.info(agents[0]).connectionProgress);
  navMesh.free();
});

test('saved crowd: the clock goes on where it was', () => {
  const { navMesh, crowd } = makeCrowd();
  const clock = new FixedStep(crowd, { step: 0.02 });
  clock.advance(0.05);
  assert.ok(Math.abs(clock.remainder - 0.01) < 1e-9);
  const loaded = navMesh.loadCrowd(crowd.save());
  const again = new FixedStep(loaded, { step: 0.02 });
  again.remainder = clock.remainder;
  assert.deepEqual(again.positions(), clock.positions());
  for (const time of [0.009, 0.003, 0.1]) assert.equal(again.advance(time), clock.advance(time));
  assert.equal(loaded.hash(), crowd.hash());
  for (const wrong of [-1, NaN, Infinity, '0', undefined]) {
    assert.throws(() => (again.remainder = /** @type {any} */ (wrong)), isWrong('remainder'));
  }
  navMesh.free();
});

test('saved crowd: on a mesh that lost a tile, agents are put down on the nearest ground and go on', () => {
  const { navMesh } = walkmesh.bake(makeGround(40), { tileSize: 32 });
  const crowd = navMesh.createCrowd();
  const agent = crowd.addAgent([4, 0, 4]), lost = crowd.addAgent([20, 0, 20]);
  crowd.setTarget([agent, lost], [35, 0, 35]);
  for (let i = 0; i < 30; i++) crowd.step(STEP);
  const bytes = crowd.save(), { polygon } = crowd.info(lost);
  const other = walkmesh.loadNavMesh(navMesh.save());
  const { x, z } = navMesh.tiles().find(({ ref, polygons }) => polygon >= ref && polygon < ref + polygons) ?? assert.fail();
  other.removeTile(other.tileAt(x, z));
  const loaded = other.loadCrowd(bytes);
  loaded.setParameters(lost, { radius: 0.4 });
  for (let i = 0; i < 1500; i++) loaded.step(STEP);
  assert.ok(['arrived', 'crowded'].includes(loaded.state(agent)));
  assert.ok(['arrived', 'crowded', 'off-mesh'].includes(loaded.state(lost)));
  other.free();
  navMesh.free();
});

test('saved crowd: cut, altered and other files are refused, and named', () => {
  const { navMesh, crowd } = makeCrowd();
  const bytes = crowd.save();
  assert.throws(() => walkmesh.loadNavMesh(bytes), { code: 'unsupported', message: /loadCrowd/ });
  assert.throws(() => navMesh.loadCrowd(navMesh.save()), { code: 'unsupported', field: 'file', message: /navigation mesh: open it with loadNavMesh/ });
  assert.throws(() => navMesh.loadCrowd(new Uint8Array(100)), { ...isCorrupt, message: /no crowd/ });
  assert.throws(() => navMesh.loadCrowd(bytes.subarray(0, bytes.length - 8)), isCorrupt);
  assert.equal(walkmesh.detectFormat(bytes), 'walkmeshCrowd');
  assert.equal(walkmesh.detectFormat(navMesh.createTileGraph().save()), 'walkmeshTileGraph');
  assert.throws(() => walkmesh.crowdInfo(bytes.subarray(0, 40)), isCorrupt);
  assert.throws(() => navMesh.loadCrowd(new Uint8Array(0)), isCorrupt);
  const altered = bytes.slice();
  altered[500] ^= 1;
  assert.throws(() => navMesh.loadCrowd(altered), { ...isCorrupt, message: /checksum/ });
  for (const wrong of [undefined, null, 'bytes', 3, {}]) assert.throws(() => navMesh.loadCrowd(/** @type {any} */ (wrong)), isWrong('bytes'));
  crowd.free();
  assert.throws(() => crowd.save(), { code: 'state' });
  navMesh.free();
  assert.throws(() => navMesh.loadCrowd(bytes), { code: 'state' });
});
