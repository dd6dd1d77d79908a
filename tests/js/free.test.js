// free() of every public class: silent when repeated and when the owner was freed first; isFreed; use afterwards is an error.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as core from '../../js/core.js';
import * as main from '../../js/index.js';
import * as level from '../../js/level/index.js';
import * as node from '../../js/node/index.js';
import * as layer from '../../js/recast-navigation/index.js';
import * as three from '../../js/three/index.js';
import { makeGround } from './support.js';

const isState = { name: 'NavError', code: 'state', message: /cannot be used: it was already freed/ };
const walkmesh = await main.load();
const small = await core.load();
const ground = makeGround();
const { positions, indices } = ground;
await layer.init();

const bake = () => walkmesh.bake(ground, {}).navMesh;

/** An object that belongs to a mesh, and its owner. */
const onMesh = (make) => () => {
  const owner = bake();
  return { object: make(owner), owner };
};

/**
 * By class: makes an object. `owner`, if it has one, frees it too; `use` is a call that fails afterwards.
 */
const MAKERS = new Map([
  [main.NavMesh, () => ({ object: bake(), use: (navMesh) => navMesh.nearestPoint([1, 0, 1]) })],
  [core.NavMesh, () => ({ object: small.bake(ground, {}).navMesh, use: (navMesh) => navMesh.nearestPoint([1, 0, 1]) })],
  [main.Baker, () => ({ object: walkmesh.createBaker(ground, {}), use: (baker) => baker.step() })],
  [main.Filter, onMesh((navMesh) => navMesh.createFilter())],
  [main.Islands, onMesh((navMesh) => navMesh.islands())],
  [main.TileGraph, onMesh((navMesh) => navMesh.createTileGraph())],
  [main.Search, onMesh((navMesh) => navMesh.createSearch())],
  [main.Switches, onMesh((navMesh) => navMesh.createSwitches())],
  [main.Crowd, onMesh((navMesh) => navMesh.createCrowd())],
  [main.PathCorridor, onMesh((navMesh) => {
    const { polygon, point } = navMesh.nearestPoint([5, 0, 5]);
    return navMesh.createCorridor(polygon, point);
  })],
  [main.DynamicNavMesh, () => {
    const { navMesh, dynamic } = walkmesh.bakeDynamic(ground, {});
    return { object: dynamic, owner: navMesh, use: () => dynamic.update() };
  }],
  [main.LinkGenerator, () => {
    const { navMesh, linkGenerator } = walkmesh.bake(ground, { links: { drop: { maxHeight: 3 } } }, { keepLinkGenerator: true });
    return { object: linkGenerator, owner: navMesh, use: () => linkGenerator.generate() };
  }],
  [main.Rebake, () => {
    const owner = walkmesh.bake(ground, { tileSize: 16 }).navMesh;
    return { object: walkmesh.createRebake(owner, ground), owner, isIndependent: true, use: (rebake) => rebake.update() };
  }],
  [main.WorkerPool, () => ({ object: walkmesh.createWorkerPool({ workers: 1 }), use: (pool) => pool.ready() })],
  [main.TileStreamer, () => {
    const target = bake();
    const object = new main.TileStreamer(target, () => null, { innerRadius: 1, outerRadius: 2 });
    return { object, owner: target, isIndependent: true, use: (streamer) => streamer.update() };
  }],
]);

/** The recast-navigation layer's destroy(), likewise. */
const LAYER_MAKERS = new Map([
  [layer.NavMesh, () => ({ object: layer.generateSoloNavMesh(positions, indices, { cs: 0.2, ch: 0.2 }).navMesh })],
  [layer.NavMeshQuery, () => {
    const owner = layer.generateSoloNavMesh(positions, indices, { cs: 0.2, ch: 0.2 }).navMesh;
    return { object: new layer.NavMeshQuery(owner), owner };
  }],
  [layer.Crowd, () => {
    const owner = layer.generateSoloNavMesh(positions, indices, { cs: 0.2, ch: 0.2 }).navMesh;
    const object = new layer.Crowd(owner, { maxAgents: 4, maxAgentRadius: 0.5 });
    object.addAgent({ x: 2, y: 0, z: 2 }, { radius: 0.4 });
    return { object, owner };
  }],
  [layer.TileCache, () => {
    const { tileCache, navMesh } = layer.generateTileCache(positions, indices, { cs: 0.2, ch: 0.2, tileSize: 32 });
    tileCache.addCylinderObstacle({ x: 3, y: 0, z: 3 }, 1, 2);
    return { object: tileCache, owner: navMesh };
  }],
]);

/** Their memory is JavaScript's: there is nothing to free, and they can still be used after destroy(). */
const ARRAYS = [layer.FloatArray, layer.IntArray, layer.UnsignedCharArray, layer.UnsignedIntArray, layer.UnsignedShortArray];

/** The exported classes that have a method. */
const classesWith = (name, ...entries) => new Set(entries.flatMap((entry) => Object.values(entry))
  .filter((value) => typeof value === 'function' && typeof value.prototype?.[name] === 'function'));

/** Calls use() on a freed object; it may return a promise. */
async function failsAfterFree(object, use, name) {
  await assert.rejects(async () => use(object), isState, `${name} was used after free()`);
}

test('free: every exported class with free() is tried here', () => {
  const classes = classesWith('free', main, core, level, node, three, layer);
  assert.deepEqual([...classes].filter((type) => !MAKERS.has(type)).map(({ name }) => name), []);
  assert.deepEqual([...MAKERS.keys()].filter((type) => !classes.has(type)).map(({ name }) => name), []);
  const destroyed = classesWith('destroy', main, core, level, node, three, layer);
  for (const type of ARRAYS) assert.ok(destroyed.delete(type), type.name);
  assert.deepEqual([...destroyed].filter((type) => !LAYER_MAKERS.has(type)).map(({ name }) => name), []);
});

for (const [type, make] of MAKERS) {
  test(`free: ${type.name}: silent when repeated, and after its owner's; use is an error`, async () => {
    const { object, owner, use, isIndependent } = make();
    assert.ok(object instanceof type);
    assert.equal(object.isFreed, false);
    for (let i = 0; i < 2; i++) assert.equal(object.free(), undefined);
    assert.equal(object.isFreed, true);
    object[Symbol.dispose]?.();
    if (use) await failsAfterFree(object, use, type.name);
    owner?.free();
    object.free();
    const second = make();
    second.owner?.free();
    assert.equal(second.object.isFreed, second.owner !== undefined && !isIndependent);
    second.object.free();
    second.object.free();
    second.owner?.free();
    assert.equal(second.object.isFreed, true);
    const third = make();
    third.object[Symbol.dispose]?.();
    third.object.free();
    third.owner?.free();
  });
}

for (const [type, make] of LAYER_MAKERS) {
  test(`free: destroy() of the recast-navigation layer's ${type.name} is silent when repeated, and after its owner's`, () => {
    for (const ownerFirst of [false, true]) {
      const { object, owner } = make();
      assert.ok(object instanceof type);
      if (ownerFirst) owner?.destroy();
      for (let i = 0; i < 2; i++) object.destroy();
      owner?.destroy();
      owner?.destroy();
    }
  });
}

test('free: bake sources end once, and free() called again waits for the same end', async () => {
  for (const source of [await walkmesh.createBakeSource(ground, {}), await walkmesh.createDynamicBakeSource(ground, {})]) {
    assert.equal(source.isFreed, false);
    source.navMesh.free();
    await Promise.all([source.free(), source.free()]);
    await source.free();
    assert.equal(source.isFreed, true);
    await assert.rejects(source.tile(0, 0), isState);
  }
});

