/**
 * Temporary obstacles and crowds of the entry walkmesh/recast-navigation, side by side with recast-navigation itself: the examples
 * of its README run on both, paths around obstacles are equal within a tolerance, agents reach their targets.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { NavError } from '../../js/index.js';
import * as ours from '../../js/recast-navigation/index.js';
import { Random } from './live/random.js';
import { ROOT, makeGround, readScene } from './support.js';

const PEER = 'recast-navigation';
const theirs = { ...await import(PEER), ...await import(`${PEER}/generators`) };
await Promise.all([ours.init(), theirs.init()]);
const both = [theirs, ours];

const CONFIG = { cs: 0.25, ch: 0.1, walkableHeight: 20, walkableRadius: 2, walkableClimb: 9, walkableSlopeAngle: 45, tileSize: 32 };
const toVector = ([x, y, z]) => ({ x, y, z });
const lengthOf = (path) => path.reduce((sum, point, i) => sum + (i ? Math.hypot(...['x', 'y', 'z'].map((axis) => point[axis] - path[i - 1][axis])) : 0), 0);

/** Updates until all is done: the peer processes a few requests and tiles per call. */
function updateAll({ tileCache, navMesh }) {
  for (let i = 0; i < 500; i++) {
    const { success, upToDate } = tileCache.update(navMesh);
    assert.ok(success);
    if (upToDate) return;
  }
  assert.fail('it never ends');
}

function generateBoth({ positions, indices }, config = CONFIG) {
  return both.map((api) => {
    const result = api.generateTileCache(positions, indices, config);
    assert.ok(result.success);
    return { ...result, api, query: new api.NavMeshQuery(result.navMesh) };
  });
}

/** Compares the paths of both between random points: both found, lengths equal within a few per cent. */
function comparePaths([peer, mine], random, count, [low, high], label) {
  const halfExtents = { x: 2, y: 4, z: 2 };
  let asked = 0, other = 0;
  for (let i = 0; i < count; i++) {
    const [start, end] = [0, 1].map(() => toVector([0, 1, 2].map((axis) => low[axis] + random.real() * (high[axis] - low[axis]))));
    const ends = [peer, mine].map(({ query }) => [start, end].map((at) => query.findNearestPoly(at, { halfExtents })));
    // Where the surfaces differ by a cell, only one may have a nearest point.
    if (ends.flat().some(({ nearestRef }) => nearestRef === 0)) continue;
    asked++;
    const [theirPath, ourPath] = [peer, mine].map(({ query }, i) => query.computePath(ends[i][0].nearestPoint, ends[i][1].nearestPoint, { halfExtents }));
    assert.equal(ourPath.success, theirPath.success, label);
    const [expected, actual] = [lengthOf(theirPath.path), lengthOf(ourPath.path)];
    if (Math.abs(actual - expected) > 0.05 * expected + 1) other++;
  }
  return { asked, other };
}

test('recast-navigation: obstacles of both packages, the same paths around them', (context) => {
  const level = readScene('plaza');
  const pair = generateBoth(level);
  const random = new Random(11), { boundsMin, boundsMax } = pair[1].navMesh.raw.totals;
  const somewhere = () => toVector(boundsMin.map((low, axis) => low + random.real() * (boundsMax[axis] - low)));
  const before = comparePaths(pair, random, 60, [boundsMin, boundsMax], 'before');
  const results = pair.map(() => []);
  for (let i = 0; i < 30; i++) {
    const [at, size, angle] = [somewhere(), 0.5 + 1.5 * random.real(), 3 * random.real()];
    at.y = boundsMin[1] - 0.5;
    pair.forEach(({ tileCache }, k) => results[k].push(i % 2 ? tileCache.addCylinderObstacle(at, size, 6)
      : tileCache.addBoxObstacle({ ...at, y: at.y + 3 }, { x: 2 * size, y: 3, z: 0.4 }, angle)));
  }
  for (const [k, { tileCache }] of pair.entries()) {
    assert.ok(results[k].every(({ success, status }) => success && status === ours.Detour.DT_SUCCESS));
    assert.equal(tileCache.obstacles.size, 30);
  }
  const plain = (obstacle) => ({ ...obstacle, ref: 0 });
  assert.deepEqual(results[1].map(({ obstacle }) => plain(obstacle)), results[0].map(({ obstacle }) => plain(obstacle)));
  for (const one of pair) updateAll(one);
  const around = comparePaths(pair, random, 120, [boundsMin, boundsMax], 'with obstacles');
  for (const [k, one] of pair.entries()) {
    const { obstacle } = results[k][0];
    assert.deepEqual(one.tileCache.removeObstacle(obstacle), { success: true, status: ours.Detour.DT_SUCCESS });
    const { obstacle: next } = results[k][1];
    assert.ok(one.tileCache.removeObstacle(one.api === ours ? next.ref : next).success);
    assert.equal(one.tileCache.obstacles.size, 28);
    updateAll(one);
  }
  const fewer = comparePaths(pair, random, 60, [boundsMin, boundsMax], 'with fewer');
  context.diagnostic(JSON.stringify({ before, around, fewer }));
  for (const { asked, other } of [before, around, fewer]) assert.ok(asked > 30 && other <= 0.1 * asked, `${other} of ${asked} ways are others`);
  for (const { navMesh, tileCache } of pair) {
    tileCache.destroy();
    navMesh.destroy();
  }
});

test('recast-navigation: a turned box lies as theirs does', () => {
  const pair = generateBoth(makeGround(30));
  const blocked = pair.map(({ tileCache, navMesh, query }) => {
    assert.ok(tileCache.addBoxObstacle({ x: 15, y: 0, z: 15 }, { x: 6, y: 2, z: 0.8 }, 0.6).success);
    updateAll({ tileCache, navMesh });
    const marks = [];
    for (let z = 9; z <= 21; z += 0.5) for (let x = 9; x <= 21; x += 0.5) {
      marks.push(!query.findNearestPoly({ x, y: 0, z }, { halfExtents: { x: 1, y: 2, z: 1 } }).isOverPoly);
    }
    navMesh.destroy();
    return marks;
  });
  const holes = blocked[0].filter(Boolean).length, differing = blocked[0].filter((mark, i) => mark !== blocked[1][i]).length;
  assert.ok(holes > 40 && differing <= 0.15 * holes, `${differing} of ${holes}`);
});

test('recast-navigation: a thousand obstacles at once; theirs refuses the sixty-fifth', () => {
  const pair = generateBoth(makeGround(60));
  const added = pair.map(({ tileCache }) => Array.from({ length: 1000 }, (_, i) => (
    tileCache.addCylinderObstacle({ x: 1 + (i * 37) % 58, y: 0, z: 1 + (i * 53) % 58 }, 0.3, 2).success)));
  assert.equal(added[0].filter(Boolean).length, 64);
  assert.ok(added[1].every(Boolean));
  const [, { tileCache, navMesh }] = pair;
  const bytes = ours.exportNavMesh(navMesh);
  assert.deepEqual(tileCache.update(navMesh), { success: true, status: ours.Detour.DT_SUCCESS, upToDate: true });
  assert.notDeepEqual(ours.exportNavMesh(navMesh), bytes);
  for (const obstacle of [...tileCache.obstacles.values()]) assert.ok(tileCache.removeObstacle(obstacle).success);
  tileCache.update(navMesh);
  assert.equal(tileCache.obstacles.size, 0);
  assert.deepEqual(ours.exportNavMesh(navMesh), bytes);
  pair[0].navMesh.destroy();
  navMesh.destroy();
});

test('recast-navigation: obstacles that cannot be, a mesh of another tile cache, and what is missing', () => {
  const { positions, indices } = makeGround(30);
  const [first, second] = [0, 1].map(() => ours.generateTileCache(positions, indices, CONFIG));
  const { tileCache, navMesh } = first, invalid = ours.Detour.DT_FAILURE | ours.Detour.DT_INVALID_PARAM;
  for (const result of [tileCache.addCylinderObstacle({ x: NaN, y: 0, z: 0 }, 1, 1), tileCache.addCylinderObstacle({ x: 5, y: 0, z: 5 }, 0, 1),
    tileCache.addBoxObstacle({ x: 5, y: 0, z: 5 }, { x: 1, y: -1, z: 1 }, 0), tileCache.removeObstacle(12345), tileCache.removeObstacle(undefined),
    tileCache.update(second.navMesh)]) assert.deepEqual([result.success, result.status], [false, invalid]);
  // The peer accepts obstacles outside, where they have no effect.
  const { success, obstacle } = tileCache.addCylinderObstacle({ x: 500, y: 0, z: 500 }, 1, 1);
  assert.ok(success && tileCache.obstacles.get(obstacle.ref) === obstacle && tileCache.removeObstacle(obstacle).success);
  assert.equal(tileCache.obstacles.size, 0);
  for (const [field, call] of Object.entries({ 'TileCache.init': () => tileCache.init(), 'TileCache.addTile': () => tileCache.addTile(), TileCache: () => new ours.TileCache() })) {
    assert.throws(call, (error) => error instanceof NavError && error.code === 'unsupported' && error.field === field);
  }
  assert.match(ours.generateTileCache(positions, indices, { cs: -1 }).error, /cellSize/);
  for (const name of Object.getOwnPropertyNames(theirs.TileCache.prototype)) assert.equal(typeof ours.TileCache.prototype[name], 'function', name);
  assert.deepEqual(ours.tileCacheGeneratorConfigDefaults, theirs.tileCacheGeneratorConfigDefaults);
  first.navMesh.destroy();
  second.navMesh.destroy();
});

test('recast-navigation: a mesh process says areas and flags of tiles, also of those that are built again', () => {
  const [peer, mine] = both.map((api) => {
    const process = new api.TileCacheMeshProcess((params, areas, flags) => {
      for (let i = 0; i < params.polyCount(); i++) {
        areas.set(i, areas.get(i) === 63 ? 7 : 9);
        flags.set(i, 12);
      }
    });
    const { positions, indices } = makeGround(30);
    const { navMesh, tileCache, success } = api.generateTileCache(positions, indices, { ...CONFIG, tileCacheMeshProcess: process });
    assert.ok(success);
    tileCache.addCylinderObstacle({ x: 15, y: 0, z: 15 }, 1, 2);
    updateAll({ tileCache, navMesh });
    const query = new api.NavMeshQuery(navMesh);
    const found = [[5, 5], [13, 15], [25, 20]].map(([x, z]) => {
      const { nearestRef } = query.findNearestPoly({ x, y: 0, z });
      return [navMesh.getPolyArea(nearestRef).area, navMesh.getPolyFlags(nearestRef).flags];
    });
    navMesh.destroy();
    return found;
  });
  assert.deepEqual(mine, peer);
  assert.deepEqual(mine[0], [7, 12]);
});

test('recast-navigation: tile caches are saved and read, those of recast-navigation too', () => {
  const [peer, mine] = generateBoth(makeGround(30));
  const box = mine.tileCache.addBoxObstacle({ x: 9, y: 0.5, z: 9 }, { x: 1, y: 2, z: 1 }, 0.5).obstacle;
  mine.tileCache.addCylinderObstacle({ x: 20, y: 0, z: 20 }, 2, 3);
  mine.tileCache.update(mine.navMesh);
  const again = ours.importTileCache(ours.exportTileCache(mine.navMesh, mine.tileCache));
  assert.deepEqual([...again.tileCache.obstacles.keys()], [...mine.tileCache.obstacles.keys()]);
  const { angle, ...rest } = again.tileCache.obstacles.get(box.ref);
  assert.deepEqual({ ...rest, angle: 0.5 }, box);
  assert.ok(Math.abs(angle - 0.5) < 1e-6);
  assert.deepEqual(ours.exportNavMesh(again.navMesh), ours.exportNavMesh(mine.navMesh));
  again.tileCache.removeObstacle(box);
  assert.ok(again.tileCache.update(again.navMesh).upToDate);
  const foreign = ours.importTileCache(theirs.exportTileCache(peer.navMesh, peer.tileCache), ours.createDefaultTileCacheMeshProcess());
  const query = new ours.NavMeshQuery(foreign.navMesh);
  const { success, path } = query.computePath({ x: 3, y: 0, z: 3 }, { x: 27, y: 0, z: 27 });
  assert.ok(success && lengthOf(path) > 30);
  assert.ok(foreign.tileCache.addCylinderObstacle({ x: 15, y: 0, z: 15 }, 3, 2).success);
  foreign.tileCache.update(foreign.navMesh);
  assert.ok(lengthOf(query.computePath({ x: 3, y: 0, z: 3 }, { x: 27, y: 0, z: 27 }).path) > lengthOf(path) + 0.5);
  assert.throws(() => ours.exportTileCache(mine.navMesh, foreign.tileCache), { code: 'invalid-argument', field: 'navMesh' });
  assert.throws(() => ours.importTileCache(new Uint8Array(40)), { code: 'corrupt' });
  for (const { navMesh } of [peer, mine, again, foreign]) navMesh.destroy();
});

// ---- Crowds ------------------------------------------------------------------------------------------------------

test('recast-navigation: the examples of its README for crowds and obstacles run with only the import changed', () => {
  const readme = readFileSync(join(ROOT, 'node_modules', PEER, 'README.md'), 'utf8');
  const read = (heading) => Array.from(readme.split(`\n### ${heading}\n`)[1].split(/\n###? /)[0].matchAll(/```ts\n([^]*?)```/g), ([, code]) => code)
    .join('\n').replaceAll(/^import .*$|^console\.log.*$/gm, '').replaceAll(/\b(const|let) (\{|\w)/g, 'var $2');
  const { positions, indices } = makeGround(20);
  const outcomes = both.map((api) => {
    const { navMesh } = api.generateSoloNavMesh(positions, indices, CONFIG);
    const run = new Function('api', 'navMesh', 'navMeshQuery', 'positions', 'indices', 'timeSinceLastFrame', 'console', `with (api) {
      ${read('Crowds and Agents')}
      const found = { agents: crowd.getAgents().length, active: crowd.getActiveAgentCount(), state: typeof agentState, corners: Array.isArray(agentCorners),
        parameters: agentParameters.maxSpeed };
      ${read('Temporary Obstacles').replace('var { success, navMesh, tileCache }', 'var { success: made, navMesh: tiled, tileCache }').replaceAll('(navMesh)', '(tiled)')}
      return { ...found, made, boxes: tileCache.obstacles.size, removed: removeObstacleResult.success };
    }`);
    const outcome = run(api, navMesh, new api.NavMeshQuery(navMesh), positions, indices, 0.1, { log() {} });
    navMesh.destroy();
    return outcome;
  });
  assert.deepEqual(outcomes[1], outcomes[0]);
});

test('recast-navigation: agents of both packages get where they are sent', () => {
  const level = readScene('plaza');
  const ends = both.map((api) => {
    const { navMesh } = api.generateSoloNavMesh(level.positions, level.indices, CONFIG);
    const query = new api.NavMeshQuery(navMesh), halfExtents = { x: 4, y: 4, z: 4 };
    const near = (x, z) => query.findNearestPoly({ x, y: 0, z }, { halfExtents }).nearestPoint;
    const crowd = new api.Crowd(navMesh, { maxAgents: 20, maxAgentRadius: 0.6 });
    const starts = [[3, 3], [36, 4], [4, 36]].map(([x, z]) => near(x, z)), targets = [[36, 36], [4, 20], [36, 10]].map(([x, z]) => near(x, z));
    const agents = starts.map((start, i) => crowd.addAgent(start, { radius: 0.4, height: 2, maxSpeed: 3.5, maxAcceleration: 12, userData: { i } }));
    assert.deepEqual(agents.map(({ agentIndex }) => agentIndex), [0, 1, 2]);
    assert.ok(agents.every((agent, i) => agent.state() === 1 && lengthOf([agent.position(), starts[i]]) < 0.2));
    assert.ok(agents.every((agent, i) => agent.requestMoveTarget(targets[i])));
    assert.equal(agents[0].requestMoveTarget({ x: 500, y: 0, z: 0 }), false);
    let fastest = 0;
    for (let step = 0; step < 60 * 40; step++) {
      crowd.update(1 / 60);
      const { x, z } = agents[0].velocity();
      fastest = Math.max(fastest, Math.hypot(x, z));
      if (step === 60) assert.ok(agents[0].corners().length > 0 && Math.hypot(agents[0].desiredVelocity().x, agents[0].desiredVelocity().z) > 1);
    }
    assert.ok(fastest > 3 && fastest < 3.6, `${fastest}`);
    const distances = agents.map((agent, i) => lengthOf([agent.position(), targets[i]]));
    assert.ok(distances.every((distance) => distance < 0.5), `${distances}`);
    assert.ok(agents.every((agent, i) => lengthOf([agent.target(), targets[i]]) < 0.5 && !agent.overOffMeshConnection()));
    // The peer stores only numbers.
    if (api === ours) assert.deepEqual(agents.map(({ userData }) => userData.i), [0, 1, 2]);
    agents[1].maxSpeed = 2;
    agents[1].updateParameters({ radius: 0.3 });
    const { maxSpeed, radius, height } = agents[1].parameters();
    agents[1].setParameters({ height: 1.5 });
    const defaults = agents[1].parameters();
    agents[2].teleport(starts[2]);
    crowd.update(1 / 60);
    assert.ok(lengthOf([agents[2].position(), starts[2]]) < 0.1);
    agents[2].requestMoveVelocity({ x: 1, y: 0, z: 0 });
    for (let step = 0; step < 30; step++) crowd.update(1 / 60, 1 / 50, 4);
    const moved = agents[2].position();
    agents[2].resetMoveTarget();
    crowd.removeAgent(agents[0]);
    const again = crowd.addAgent(starts[0], {});
    const outcome = [maxSpeed, radius, height, defaults.height, defaults.maxSpeed, defaults.radius, moved.x > starts[2].x + 0.2, again.agentIndex,
      crowd.getAgents().length, crowd.getActiveAgentCount(), crowd.getAgentCount(), crowd.getAgent(7), crowd.getAgent(1) === agents[1],
      lengthOf([agents[2].interpolatedPosition, moved]) < 0.3];
    crowd.removeAgent(1);
    assert.equal(crowd.getAgent(1), null);
    crowd.destroy();
    navMesh.destroy();
    return outcome;
  });
  assert.deepEqual(ends[1].map((value) => (typeof value === 'number' ? Math.fround(value) : value)), ends[0].map((value) => (typeof value === 'number' ? Math.fround(value) : value)));
});

test('recast-navigation: the bits of updateFlags are what agents do', () => {
  const { positions, indices } = makeGround(30);
  const { navMesh } = ours.generateSoloNavMesh(positions, indices, CONFIG);
  const crowd = new ours.Crowd(navMesh, { maxAgents: 5, maxAgentRadius: 1 });
  const doing = [0, 1, 2, 4, 7].map((updateFlags) => {
    const { raw } = crowd.addAgent({ x: 5, y: 0, z: 10 }, { updateFlags, separationWeight: 2 });
    const { anticipateTurns, avoidance, separation } = crowd.raw.parameters(raw);
    return [anticipateTurns, avoidance !== 'none', separation];
  });
  assert.deepEqual(doing, [[false, false, 0], [true, false, 0], [false, true, 0], [false, false, 1], [true, true, 1]]);
  crowd.destroy();
  navMesh.destroy();
});

test('recast-navigation: filters of a crowd count, by number; classes have all of its methods', () => {
  const { positions, indices } = makeGround(30);
  const { navMesh, tileCache } = ours.generateTileCache(positions, indices, CONFIG);
  tileCache.raw.addObstacle({ kind: 'box', min: [14, -1, 0], max: [16, 2, 24], area: 5 });
  tileCache.update(navMesh);
  const crowd = new ours.Crowd(navMesh, { maxAgents: 5, maxAgentRadius: 1 });
  crowd.getFilter(1).setAreaCost(5, 50);
  const ways = [0, 1].map((queryFilterType) => {
    const agent = crowd.addAgent({ x: 5, y: 0, z: 10 }, { queryFilterType });
    agent.requestMoveTarget({ x: 25, y: 0, z: 10 });
    let farthest = 0;
    for (let step = 0; step < 900; step++) {
      crowd.update(1 / 30);
      farthest = Math.max(farthest, agent.position().z);
    }
    assert.ok(Math.abs(agent.position().x - 25) < 0.5);
    crowd.removeAgent(agent);
    return farthest;
  });
  assert.ok(ways[0] < 12 && ways[1] > 22, `${ways}`);
  for (const type of ['Crowd', 'CrowdAgent']) {
    for (const name of Object.getOwnPropertyNames(theirs[type].prototype)) assert.ok(name in ours[type].prototype, `${type}.${name}`);
  }
  assert.deepEqual(ours.crowdAgentParamsDefaults, theirs.crowdAgentParamsDefaults);
  navMesh.destroy();
});

test('recast-navigation: meshes of three.js as a tile cache', async () => {
  const { BoxGeometry, Mesh } = await import('three');
  const { success, navMesh, tileCache } = ours.threeToTileCache([new Mesh(new BoxGeometry(10, 0.2, 10))], { cs: 0.1, ch: 0.1, tileSize: 32 });
  assert.ok(success && tileCache.addCylinderObstacle({ x: 0, y: 0, z: 0 }, 1, 2).success && tileCache.update(navMesh).upToDate);
  const { path } = new ours.NavMeshQuery(navMesh).computePath({ x: -4, y: 0, z: 0 }, { x: 4, y: 0, z: 0 });
  assert.ok(path.length > 2);
  navMesh.destroy();
});

test('recast-navigation: orders to a removed CrowdAgent name its agentIndex', () => {
  const { positions, indices } = makeGround(20), { navMesh } = ours.generateSoloNavMesh(positions, indices, CONFIG), at = { x: 5, y: 0, z: 5 };
  const crowd = new ours.Crowd(navMesh, { maxAgents: 20, maxAgentRadius: 0.6 }), agents = [0, 1].map(() => crowd.addAgent(at));
  crowd.removeAgent(agents[1]);
  const orders = [(agent) => agent.requestMoveTarget(at), (agent) => agent.requestMoveVelocity(at), (agent) => agent.resetMoveTarget(), (agent) => agent.teleport(at),
    (agent) => agent.target(), (agent) => agent.position(), (agent) => agent.updateParameters({ radius: 1 })];
  for (const order of orders) {
    assert.throws(() => order(agents[1]), { name: 'NavError', code: 'stale-reference', field: 'agentIndex', value: 1, message: "agent 1 was removed: this CrowdAgent can't be used" });
    order(agents[0]);
  }
  assert.notEqual(crowd.addAgent(at), agents[1], 'the index is given again, the object is not');
  assert.throws(() => agents[1].position(), { code: 'stale-reference', field: 'agentIndex' });
  crowd.destroy();
  assert.throws(() => agents[0].position(), /freed/);
  navMesh.destroy();
});
