// Objects of the module: each is freed once, can't be used afterwards, and doesn't depend on unrelated objects.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { Baker, Crowd, DynamicNavMesh, Filter, Islands, NavError, NavMesh, PathCorridor, Random, Search, Switches, Walkmesh,
  load } from '../../js/index.js';
import { ROOT, makeGround } from './support.js';

const walkmesh = await load();
const isState = { name: 'NavError', code: 'state' };

test('lifecycle: a navigation mesh that was freed', () => {
  const { navMesh } = walkmesh.bake(makeGround(), {});
  assert.ok(navMesh instanceof NavMesh);
  navMesh.free();
  const calls = [() => navMesh.findPath([0, 0, 0], [1, 0, 1]), () => navMesh.nearestPoint([0, 0, 0]),
    () => navMesh.save(), () => navMesh.exportDetour(), () => navMesh.totals, () => navMesh.config, () => navMesh.parameters,
    () => navMesh.tiles(), () => navMesh.triangles(), () => navMesh.polygons()];
  for (const call of calls) assert.throws(call, isState, `${call}`);
  assert.doesNotThrow(() => navMesh[Symbol.dispose]?.());
});

test('lifecycle: a baker that was freed', () => {
  const baker = walkmesh.createBaker(makeGround(), {});
  baker.free();
  const calls = [() => baker.beginTile(), () => baker.step(), () => baker.nextStage, () => baker.counts(),
    () => baker.stage('tile'), () => baker.takeTile()];
  for (const call of calls) assert.throws(call, isState, `${call}`);
});

test('lifecycle: calls of a baker out of order', () => {
  const baker = walkmesh.createBaker(makeGround(), {});
  assert.equal(baker.nextStage, 'done');
  assert.throws(() => baker.step(), isState);
  assert.throws(() => baker.beginTile(1, 0), { name: 'NavError', code: 'invalid-argument', field: 'x' });
  assert.throws(() => baker.beginTile(0, 0.5), { name: 'NavError', code: 'invalid-argument', field: 'z' });
  assert.throws(() => baker.stage('walls'), { name: 'NavError', code: 'invalid-argument' });
  assert.equal(baker.stage('heightfield'), null);
  baker.beginTile(0, 0, { keepStages: true });
  baker.step();
  assert.ok(baker.stage('heightfield').length > 0);
  baker.beginTile(); // drops the current tile
  assert.equal(baker.stage('heightfield'), null);
  while (baker.nextStage !== 'distance') baker.step();
  assert.ok(baker.stage('areas').length > 0);
  assert.equal(baker.stage('compact'), null, 'clearances are gone');
  while (baker.nextStage !== 'done') baker.step();
  assert.ok(baker.takeTile().length > 0);
  assert.equal(baker.takeTile(), null, 'it was taken');
  baker.free();
});

test('lifecycle: dispose frees what was not freed', () => {
  const { navMesh } = walkmesh.bake(makeGround(), {});
  if (Symbol.dispose === undefined) return; // older engines have neither the symbol nor `using`
  navMesh[Symbol.dispose]();
  assert.throws(() => navMesh.totals, isState);
});

test('lifecycle: a progress callback that throws ends the bake and leaks nothing', () => {
  walkmesh.bake(makeGround(), {}).navMesh.free();
  walkmesh.trimMemory();
  const before = walkmesh.memory().bytes;
  const stop = new Error('stop');
  assert.throws(() => walkmesh.bake(makeGround(), { tileSize: 16 }, { onProgress: () => { throw stop; } }), stop);
  walkmesh.trimMemory();
  assert.equal(walkmesh.memory().bytes, before);
});

test('lifecycle: instances are independent', async () => {
  const other = await load();
  const { navMesh } = walkmesh.bake(makeGround(), {});
  const mine = other.loadNavMesh(navMesh.save());
  navMesh.free();
  assert.equal(mine.findPath([1, 0, 1], [9, 0, 9]).status, 'complete');
  mine.free();
});

test('lifecycle: a use after free names the object, and its mesh', () => {
  const { navMesh } = walkmesh.bake(makeGround(), {});
  const filter = navMesh.createFilter();
  filter.free();
  assert.throws(() => navMesh.findPath([1, 0, 1], [2, 0, 2], { filter }), { ...isState, message: /this filter cannot be used: it was already freed/ });
  const crowd = navMesh.createCrowd();
  navMesh.free();
  assert.throws(() => crowd.step(0.1), { ...isState, message: /this crowd cannot be used: it was already freed, or its navigation mesh was freed/ });
});

test('lifecycle: nothing but Random is made by new', () => {
  for (const type of [Walkmesh, NavMesh, Baker, Filter, Islands, Search, PathCorridor, Crowd, DynamicNavMesh, Switches]) {
    for (const args of [[], [{}], [null], [walkmesh], [{ session: {} }]]) {
      assert.throws(() => new type(...args), { ...isState, message: /is made by .*, not by new/ }, `${type.name}`);
    }
  }
  assert.ok(new Random(7));
});

/** Every method and getter of a class and its base classes. */
function membersOf(type) {
  const members = new Map();
  for (let { prototype } = type; prototype !== Object.prototype; prototype = Object.getPrototypeOf(prototype)) {
    for (const key of Reflect.ownKeys(prototype)) {
      const { value, get } = Object.getOwnPropertyDescriptor(prototype, key);
      if (key !== 'constructor' && !members.has(key)) members.set(key, value ?? get);
    }
  }
  return members;
}

/** Members that aren't public (stripped from the types), or that don't use the object. */
const INTERNAL = ['writeNearestOptions', 'writePathOptions', 'writeRandomOptions', 'generatorFor', 'islandsAddress', 'filterAddress',
  'addressFor', 'isFor', 'writeState', 'readState', 'updateSwitches', 'floodPath', 'hash', 'failAllocationsAfter', 'copyStateIn', 'copyStateOut', 'removeKnown', 'listGraphs',
  Symbol.for('walkmesh.copy')];

test('lifecycle: methods that are called on something else say so', async () => {
  const { navMesh } = walkmesh.bake(makeGround(), {});
  const { polygon, point } = navMesh.nearestPoint([5, 0, 5]);
  const objects = [walkmesh, navMesh, walkmesh.createBaker(makeGround(), {}), navMesh.createFilter(), navMesh.islands(), navMesh.createSearch(),
    navMesh.createCorridor(polygon, point), navMesh.createCrowd(), navMesh.createSwitches(), walkmesh.bakeDynamic(makeGround(), {}).dynamic];
  let calls = 0;
  for (const { constructor } of objects) {
    for (const [name, method] of membersOf(constructor)) {
      if (INTERNAL.includes(name)) continue;
      for (const self of [undefined, null, {}, 7, new Random(1), walkmesh.hash, ...objects]) {
        // Every object allows free, isFreed and toJSON.
        if (self instanceof constructor || (['free', 'isFreed', 'toJSON', Symbol.dispose].includes(name) && objects.indexOf(self) > 0)) continue;
        const call = () => method.call(self, point, point, polygon, point);
        const isWrongObject = { ...isState, message: /must be called on a/ };
        const isAsync = method.constructor.name === 'AsyncFunction';
        await (isAsync ? assert.rejects : assert.throws)(call, isWrongObject, `${constructor.name}.${String(name)} on ${String(self)}`);
        calls++;
      }
    }
  }
  assert.ok(calls > 500, `${calls}`);
  for (const object of objects.slice(1)) assert.equal(object.isFreed, false);
  navMesh.free();
  objects[2].free();
  objects.at(-1).navMesh.free();
});

test('lifecycle: what belongs to another mesh or instance is refused', async () => {
  const other = await load();
  const meshes = [walkmesh, walkmesh, other].map((instance) => instance.bake(makeGround(), {}).navMesh);
  const [mine, ...others] = meshes;
  const ends = [[1, 0, 1], [9, 0, 9]];
  for (const navMesh of others) {
    const [filter, islands] = [navMesh.createFilter(), navMesh.islands()];
    const isForeign = (field) => ({ name: 'NavError', code: 'invalid-argument', field, message: /belongs to another navigation mesh/ });
    assert.throws(() => mine.findPath(...ends, { filter }), isForeign('filter'));
    assert.throws(() => mine.findPath(...ends, { islands }), isForeign('islands'));
    assert.throws(() => mine.randomPoint({ islands, island: 1 }), isForeign('islands'));
    for (const notAnOption of [navMesh, filter, islands, walkmesh.createBaker(makeGround(), {})]) {
      assert.throws(() => mine.findPath(...ends, notAnOption), { name: 'NavError', code: 'invalid-argument', field: 'options' });
    }
  }
  for (const navMesh of meshes) navMesh.free();
});

test('lifecycle: use of what load() returned without awaiting it', async () => {
  const promise = load();
  for (const call of [() => promise.bake(makeGround()), () => promise.loadNavMesh(new Uint8Array(3)), () => promise.memory()]) {
    assert.throws(call, { ...isState, message: /was called on the promise that load\(\) returns: await it first/ });
  }
  assert.deepEqual(Object.keys(promise), []);
  assert.ok((await promise) instanceof Walkmesh);
  for (const options of [null, 7, { leakWarnings: 1 }, { trackAllocations: 'yes' }]) {
    await assert.rejects(load(options), { name: 'NavError', code: 'invalid-argument' });
  }
  const { bake } = await promise;
  assert.throws(() => bake(makeGround()), { ...isState, message: /as object\.method/ });
  for (const options of [null, { onProgress: 3 }, () => {}]) {
    assert.throws(() => walkmesh.bake(makeGround(), {}, options), { name: 'NavError', code: 'invalid-argument' });
  }
});

/** Runs a script that loses objects, collects garbage and waits; returns its standard error. */
function lose(script, { options = {}, env = {}, after = '', entry = 'index.js' } = {}) {
  const code = `import { load } from './js/${entry}';
    const ground = { positions: [0, 0, 0, 0, 0, 9, 9, 0, 9, 9, 0, 0], indices: [0, 1, 2, 0, 2, 3] };
    const walkmesh = await load(${JSON.stringify(options)});
    walkmesh.bake(ground).navMesh.free();
    walkmesh.trimMemory?.();
    const before = walkmesh.memory().bytes;
    ${script}
    for (let i = 0; i < 20; i++) {
      await new Promise((resolve) => setTimeout(resolve, 5));
      gc();
    }
    ${after}
    walkmesh.trimMemory?.();
    console.log(walkmesh.memory().bytes - before);`;
  const { stdout, stderr, status } = spawnSync(process.execPath, ['--expose-gc', '--input-type=module', '-e', code],
    { cwd: ROOT, encoding: 'utf8', env: { ...process.env, NODE_ENV: '', ...env } });
  assert.equal(status, 0, stderr);
  return { left: Number(stdout), told: stderr.split('\n').filter((line) => line.startsWith('walkmesh: ')), stderr };
}

test('lifecycle: what is collected without being freed is freed, and told once a kind', () => {
  const meshes = '(() => { for (let i = 0; i < 3; i++) walkmesh.bake(ground).navMesh.createFilter(); })();';
  const lost = lose(meshes);
  assert.equal(lost.left, 0);
  assert.equal(lost.told.length, 1, lost.stderr); // objects that depend on a lost mesh are not reported
  assert.match(lost.told[0], /a navigation mesh was garbage-collected before free\(\) was called\. Call free\(\), or declare it with `using`/);
  const kinds = lose(`const { navMesh } = walkmesh.bake(ground);
    (() => { for (let i = 0; i < 3; i++) { navMesh.createFilter(); navMesh.islands(); navMesh.createSearch(); walkmesh.createBaker(ground);
      navMesh.createCorridor(0, [0, 0, 0]); } })();`, { after: 'navMesh.free();' });
  assert.equal(kinds.left, 0);
  assert.equal(lose('(() => { walkmesh.bake(ground); })();', { entry: 'core.js' }).told.length, 1, 'walkmesh/core');
  assert.deepEqual(kinds.told.map((line) => /a ([a-z ]*) was/.exec(line)[1]).sort(), ['baker', 'corridor', 'filter', 'search', 'set of islands']);
});

test('lifecycle: a door to which nobody refers stays closed, also one of a file', () => {
  const door = "{ volume: { kind: 'box', min: [4, -1, -1], max: [5, 1, 10] }, isOpen: false }";
  const { told, left } = lose(`const level = { ...ground, volumes: [{ kind: 'box', min: [4, -1, -1], max: [5, 1, 10], area: 3 }] };
    const meshes = [walkmesh.bake(level).navMesh];
    (() => { meshes[0].createSwitches().addDoor(${door}); })();
    meshes.push(walkmesh.loadNavMesh(meshes[0].save()));
    (() => { meshes[1].restoreSwitches(); })();
    const status = () => meshes.map((navMesh) => navMesh.findPath([1, 0, 4], [8, 0, 4]).status);
    if (status().some((each) => each === 'complete')) throw new Error('the doors are open at once');
    const saved = meshes[1].save().length;`, { after: `
    if (status().some((each) => each === 'complete')) throw new Error('doors opened');
    if (meshes[1].save().length !== saved) throw new Error('the file has no door');
    for (const navMesh of meshes) navMesh.free();` });
  assert.deepEqual([told, left], [[], 0]);
});

test('lifecycle: a mesh to which only what it made refers is not collected', () => {
  const { told } = lose(`const made = (() => {
    const meshes = Array.from({ length: 6 }, () => walkmesh.bake(ground).navMesh);
    return { graph: meshes[0].createTileGraph(), switches: meshes[1].createSwitches(), islands: meshes[2].islands(), search: meshes[3].createSearch(),
      corridor: meshes[4].createCorridor(meshes[4].nearestPoint([1, 0, 1]).polygon, [1, 0, 1]), crowd: meshes[5].createCrowd() };
  })();`, { after: 'made.graph.findPath([1, 0, 1], [8, 0, 8]); for (const one of Object.values(made)) if (one.isFreed) throw new Error("collected");' });
  assert.deepEqual(told, []);
});

test('lifecycle: the warning is off in production and where load says so, and tells the place where load says so', () => {
  const one = '(() => { walkmesh.bake(ground); })();';
  assert.deepEqual(lose(one, { env: { NODE_ENV: 'production' } }), { left: 0, told: [], stderr: '' });
  assert.deepEqual(lose(one, { options: { leakWarnings: false } }), { left: 0, told: [], stderr: '' });
  assert.equal(lose(one, { options: { leakWarnings: true }, env: { NODE_ENV: 'production' } }).told.length, 1);
  const placed = lose(`function makeHere() { walkmesh.bake(ground); }
    (() => { makeHere(); makeHere(); (function andThere() { walkmesh.bake(ground); })(); })();`, { options: { trackAllocations: true } });
  assert.match(placed.stderr, /It was made here:\n[^]*makeHere/);
  assert.match(placed.stderr, /andThere/);
});
