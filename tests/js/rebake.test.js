// Rebaking: js/bake/rebake.js, js/bake/tile-changes.js, js/mesh/tile-hashes.js.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MemoryTileCache } from '../../js/index.js';
import { loadBoth, makeGround } from './support.js';
import { buildTown, makeRandom, makeTown, townConfig } from './town.js';

const builds = await loadBoth();
const [walkmesh] = builds;
const isArgument = { name: 'NavError', code: 'invalid-argument' };
const isState = { name: 'NavError', code: 'state' };

/** Tile places whose squares, with their border and a cell, a prop overlaps. */
function reach({ x, z, size }, { cellSize, tileSize, agentRadius }, side) {
  const tile = tileSize * cellSize;
  const border = (Math.ceil(agentRadius / cellSize) + 3) * cellSize;
  const most = Math.ceil(side / tile) - 1;
  const range = (at) => [Math.max(0, Math.floor((at - border) / tile)), Math.min(most, Math.floor((at + size + border) / tile))];
  const [[x0, x1], [z0, z1]] = [range(x), range(z)];
  const places = new Set();
  for (let tz = z0; tz <= z1; tz++) for (let tx = x0; tx <= x1; tx++) places.add(`${tx},${tz}`);
  return places;
}

test('rebake: a prop moved in a level of more than 400 tiles: only the tiles it touches, and the bytes of a full bake', async () => {
  const town = makeTown({ side: 90, props: 120 });
  const config = townConfig(town.side);
  const { navMesh, report: first } = walkmesh.bake(buildTown(town), config);
  assert.ok(first.tiles.x * first.tiles.z > 400, `${first.tiles.x * first.tiles.z} tiles`);
  const before = new Map(navMesh.tiles().map((tile) => [`${tile.x},${tile.z}`, tile]));
  const [prop] = town.props;
  const touched = reach(prop, config, town.side);
  prop.x = town.side - prop.x - 4;
  prop.z = town.side - prop.z - 4;
  for (const place of reach(prop, config, town.side)) touched.add(place);
  const { report, changed } = await walkmesh.rebake(navMesh, buildTown(town), { workers: 0 });
  const baked = report.tiles.x * report.tiles.z - report.tiles.kept;
  assert.ok(baked >= 2 && baked <= touched.size, `${baked} baked, ${touched.size} touched`);
  for (const { x, z } of changed) assert.ok(touched.has(`${x},${z}`), `${x},${z}`);
  assert.deepEqual(report.warnings, []);
  const full = walkmesh.bake(buildTown(town), config).navMesh;
  assert.deepEqual(navMesh.save(), full.save());
  assert.deepEqual(navMesh.exportDetour(), full.exportDetour());
  const changedPlaces = new Set(changed.map(({ x, z }) => `${x},${z}`));
  for (const [place, { ref }] of before) {
    if (changedPlaces.has(place)) assert.throws(() => navMesh.tileBytes(ref), { code: 'stale-reference' });
    else assert.equal(navMesh.tileAt(...place.split(',').map(Number)), ref);
  }
  navMesh.free();
  full.free();
});

for (const [where, options] of [['slices', { workers: 0 }], ['workers', { workers: 2 }]]) {
  test(`rebake: random changes one after another equal full bakes, in ${where}`, async () => {
    const town = makeTown({ seed: 7, side: 36, props: 20 });
    const config = townConfig(town.side);
    const random = makeRandom(5);
    const volumes = [];
    const solids = [];
    const offMeshConnections = [];
    const build = () => ({ ...buildTown(town), volumes, solids, offMeshConnections });
    const spot = () => [36 * random(), 0, 36 * random()];
    const pool = options.workers ? walkmesh.createWorkerPool({ workers: 2 }) : 0;
    const { navMesh } = await walkmesh.bakeTiled(build(), config, { workers: pool });
    let kept = 0;
    for (let step = 0; step < 12; step++) {
      switch (step % 6) {
        case 0: Object.assign(town.props[Math.floor(20 * random())], { x: 30 * random(), z: 30 * random() }); break;
        case 1: town.props.splice(Math.floor(5 * random()), 1); break;
        case 2: volumes.push({ kind: 'cylinder', base: spot(), radius: 2, height: 2, area: step % 4 }); break;
        case 3: solids.push({ kind: 'sphere', centre: spot(), radius: 1 }); break;
        case 4: offMeshConnections.push({ start: spot(), end: spot(), radius: 1 }); break;
        // A hole over whole tiles, which then have no polygons; the tiles return later.
        default: if (step < 6) volumes.unshift({ kind: 'box', min: [8, -1, 8], max: [22, 5, 22], area: 0 }); else volumes.shift();
      }
      const { report, changed } = await walkmesh.rebake(navMesh, build(), { workers: pool });
      kept += report.tiles.kept;
      const full = walkmesh.bake(build(), config).navMesh;
      assert.deepEqual(navMesh.save(), full.save(), `step ${step}`);
      assert.ok(changed.length <= report.tiles.x * report.tiles.z - report.tiles.kept);
      full.free();
    }
    assert.ok(kept > 12 * 40);
    if (pool) pool.free();
    navMesh.free();
  });
}

test('rebake: nothing has changed: nothing is baked, and saved and loaded the mesh still knows that', async () => {
  const town = buildTown(makeTown({ side: 30 }));
  for (const build of builds) {
    const { navMesh } = build.bake(town, townConfig(30));
    const loaded = build.loadNavMesh(navMesh.save());
    assert.deepEqual(loaded.config, navMesh.config);
    assert.ok(!('tileHashes' in loaded.config));
    build.bake(town, { ...loaded.config }).navMesh.free(); // the stored configuration is valid input
    for (const mesh of [navMesh, loaded]) {
      const { version } = mesh;
      const { report, changed } = await build.rebake(mesh, town, { workers: 0 });
      assert.deepEqual([report.tiles.kept, changed.length], [report.tiles.x * report.tiles.z, 0]);
      assert.equal(mesh.version, version);
    }
    assert.deepEqual(loaded.save(), navMesh.save());
    navMesh.free();
    loaded.free();
  }
});

test('rebake: tiles changed by hand are brought back; what is set on others at run time stays', async () => {
  const town = buildTown(makeTown({ side: 30 }));
  const { navMesh } = walkmesh.bake(town, townConfig(30));
  const saved = navMesh.save();
  const { polygon } = navMesh.nearestPoint([28, 0, 28], { radius: 3 });
  const flagged = navMesh.polygonFlags(polygon);
  navMesh.removeTile(navMesh.tileAt(1, 2));
  const other = walkmesh.bake(town, { ...townConfig(30), agentRadius: 1 }).navMesh;
  navMesh.replaceTile(other.tileBytes(other.tileAt(3, 1)));
  const edited = walkmesh.loadNavMesh(navMesh.save());
  for (const mesh of [navMesh, edited]) {
    const { report } = await walkmesh.rebake(mesh, town, { workers: 0 });
    assert.equal(report.tiles.x * report.tiles.z - report.tiles.kept, 2);
    assert.deepEqual(mesh.save(), saved);
  }
  navMesh.setPolygonFlags(polygon, 0x40);
  await walkmesh.rebake(navMesh, town, { workers: 0 });
  assert.equal(navMesh.polygonFlags(polygon), 0x40);
  navMesh.setPolygonFlags(polygon, flagged);
  assert.deepEqual(navMesh.save(), saved);
  for (const mesh of [navMesh, other, edited]) mesh.free();
});

test('rebake: connections made at run time are tied to the new ground', async () => {
  const town = makeTown({ side: 30 });
  const { navMesh } = walkmesh.bake(buildTown(town), townConfig(30));
  const connection = navMesh.addConnection({ start: [2, 0, 15], end: [28, 0, 15], radius: 2 });
  for (const prop of town.props) prop.x = 29 - prop.x;
  await walkmesh.rebake(navMesh, buildTown(town), { workers: 0 });
  const { startTied, endTied } = navMesh.connection(connection);
  assert.deepEqual([startTied, endTied], [true, true]);
  navMesh.free();
});

test('rebake: of a mesh that does not know its hashes, all is baked, and what is the same stays', async () => {
  const town = makeTown({ side: 30 });
  const { navMesh } = walkmesh.bake(buildTown(town), townConfig(30));
  navMesh.tileHashes = new navMesh.tileHashes.constructor();
  const loaded = walkmesh.loadNavMesh(navMesh.save());
  town.props[0].x = 28 - town.props[0].x;
  const refs = new Set(loaded.tileRefs());
  const { report, changed } = await walkmesh.rebake(loaded, buildTown(town), { workers: 0 });
  assert.equal(report.tiles.kept, 0);
  assert.ok(changed.length > 0 && changed.length < 12);
  assert.equal(loaded.tileRefs().filter((ref) => !refs.has(ref)).length, changed.length);
  const full = walkmesh.bake(buildTown(town), townConfig(30)).navMesh;
  assert.deepEqual(loaded.save(), full.save());
  for (const mesh of [navMesh, loaded, full]) mesh.free();
});

test('rebake: a single tile is baked anew and put in its place', async () => {
  const { tileSize, ...config } = townConfig(20);
  const town = makeTown({ side: 20, props: 10 });
  const { navMesh } = walkmesh.bake(buildTown(town), config);
  town.props[0].x = 2;
  const { changed } = await walkmesh.rebake(navMesh, buildTown(town), { workers: 0 });
  assert.equal(changed.length, 1);
  const full = walkmesh.bake(buildTown(town), config).navMesh;
  assert.deepEqual(navMesh.exportDetour('tile'), full.exportDetour('tile'));
  navMesh.free();
  full.free();
});

test('rebake: what lies outside the bounds of the first bake is left out, and told', async () => {
  const town = makeTown({ side: 20, props: 10 });
  const { bounds, ...config } = townConfig(20);
  const { navMesh } = walkmesh.bake(buildTown(town), config);
  const grid = navMesh.config.bounds;
  town.props.push({ x: 5, z: 5, size: 2, height: 9 }, { x: 25, z: 5, size: 2, height: 1 });
  const { report } = await walkmesh.rebake(navMesh, buildTown(town), { workers: 0 });
  assert.match(report.warnings.join('\n'), /outside the bounds/);
  const full = walkmesh.bake(buildTown(town), { ...config, bounds: grid }).navMesh;
  assert.deepEqual(navMesh.save(), full.save());
  navMesh.free();
  full.free();
});

test('rebake: aborted or failed, at whatever point, the mesh is as it was', async () => {
  const town = makeTown({ seed: 3, side: 20, props: 12 });
  const { navMesh } = walkmesh.bake(buildTown(town), townConfig(20));
  const saved = navMesh.save();
  for (const prop of town.props) prop.z = 17 - prop.z;
  const moved = buildTown(town);
  const controller = new AbortController();
  await assert.rejects(walkmesh.rebake(navMesh, moved, {
    workers: 0, signal: controller.signal, onProgress: ({ done }) => { if (done === 3) controller.abort(); },
  }), { name: 'NavError', code: 'cancelled' });
  await assert.rejects(walkmesh.rebake(navMesh, moved, { workers: 0, onProgress: () => { throw new Error('enough'); } }), /enough/);
  await assert.rejects(walkmesh.rebake(navMesh, { ...moved, volumes: [{ kind: 'cylinder', base: [1, 0, NaN], radius: 1, height: 1,
    area: 1 }] }, { workers: 0 }), { name: 'NavError' });
  assert.deepEqual(navMesh.save(), saved);
  const full = walkmesh.bake(moved, townConfig(20)).navMesh.save();
  let failures = 0;
  const cache = new MemoryTileCache();
  await walkmesh.bakeTiled(moved, townConfig(20), { workers: 0, cache }).then(({ navMesh: other }) => other.free());
  for (let count = 0; ; count += 1 + Math.floor(count / 40)) {
    const { tileHashes } = navMesh;
    walkmesh.failAllocationsAfter(count);
    const failure = await walkmesh.rebake(navMesh, moved, { workers: 0, cache }).then(() => null, (error) => error);
    walkmesh.failAllocationsAfter();
    if (!failure) break;
    failures++;
    assert.equal(failure.code, 'out-of-memory', failure.stack);
    assert.deepEqual(navMesh.save(), saved, `after ${count} allocations`);
    assert.equal(navMesh.tileHashes, tileHashes);
  }
  assert.ok(failures > 20, `${failures}`);
  assert.deepEqual(navMesh.save(), full);
  navMesh.free();
});

test('rebake: bad arguments', async () => {
  const ground = makeGround(20);
  const { navMesh } = walkmesh.bake(ground, { tileSize: 16 });
  await assert.rejects(walkmesh.rebake(null, ground), { ...isArgument, field: 'navMesh' });
  await assert.rejects(walkmesh.rebake({}, ground), { ...isArgument, field: 'navMesh' });
  await assert.rejects(builds[1].rebake(navMesh, ground), { ...isArgument, field: 'navMesh' });
  await assert.rejects(walkmesh.rebake(navMesh, null, { workers: 0 }), { ...isArgument, field: 'geometry' });
  await assert.rejects(walkmesh.rebake(navMesh, ground, null), { ...isArgument });
  for (const cache of [1, {}, { get() {} }, null, new Map([['get', 1]]).get]) {
    if (cache === undefined) continue;
    await assert.rejects(walkmesh.rebake(navMesh, ground, { cache }), { ...isArgument, field: 'cache' });
    await assert.rejects(walkmesh.bakeTiled(ground, { tileSize: 16 }, { cache }), { ...isArgument, field: 'cache' });
  }
  await assert.rejects(walkmesh.rebake(navMesh, ground, { signal: 1 }), { ...isArgument, field: 'signal' });
  const one = walkmesh.rebake(navMesh, ground, { workers: 0 });
  await assert.rejects(walkmesh.rebake(navMesh, ground, { workers: 0 }), isState);
  await one;
  const detour = walkmesh.loadNavMesh(navMesh.exportDetour());
  await assert.rejects(walkmesh.rebake(detour, ground), isState);
  detour.free();
  navMesh.free();
  await assert.rejects(walkmesh.rebake(navMesh, ground), isState);
});

test('rebake: a level that begins empty, is filled and emptied again, as in an editor, has the bytes of full bakes', async () => {
  const config = {
    cellSize: 0.2, cellHeight: 0.1, agentRadius: 0.4, agentMaxClimb: 0.4, tileSize: 32, bounds: { min: [0, -1, 0], max: [20, 6, 20] },
    links: { drop: { maxHeight: 3 }, climb: { maxHeight: 2 } },
  };
  const empty = { positions: [] }, ground = makeGround(20);
  const filled = { ...ground, solids: [{ kind: 'box', min: [4, 0, 4], max: [9, 1.5, 9] }] };
  const { navMesh, report, linkGenerator } = walkmesh.bake(empty, config, { keepLinkGenerator: true });
  assert.deepEqual(report.warnings, ['nothing is walkable: no triangle or solid lies within bounds']);
  assert.equal(navMesh.totals.polygons, 0);
  for (const level of [empty, filled, { positions: [], solids: filled.solids }, empty, filled, empty]) {
    await walkmesh.rebake(navMesh, level, { workers: 0, linkGenerator });
    const full = walkmesh.bake(level, config).navMesh;
    assert.equal(navMesh.totals.polygons, full.totals.polygons);
    assert.equal(navMesh.segmentLinkCount > 0, level === filled);
    assert.deepEqual(navMesh.save(), full.save());
    full.free();
  }
  navMesh.free();
});

test('rebake: empty levels bake in tiles, in workers, with obstacles and on demand', async () => {
  const config = { tileSize: 32, cellSize: 0.2, agentRadius: 0.4, bounds: { min: [0, 0, 0], max: [20, 4, 20] } };
  const empty = { positions: new Float32Array(0), indices: new Uint32Array(0) };
  const single = walkmesh.bake(empty, { ...config, tileSize: 0 }).navMesh, tiled = walkmesh.bake(empty, config).navMesh;
  const { navMesh: shared } = await walkmesh.bakeTiled(empty, config, { workers: 2 });
  assert.deepEqual(shared.save(), tiled.save());
  const { navMesh: changing, dynamic } = walkmesh.bakeDynamic(empty, config);
  dynamic.addObstacle({ kind: 'box', min: [4, 0, 4], max: [6, 2, 6] });
  dynamic.update();
  const again = walkmesh.loadDynamic(dynamic.save());
  const source = await walkmesh.createBakeSource(empty, config);
  for (const navMesh of [single, tiled, shared, changing, again.navMesh, source.navMesh]) {
    assert.equal(navMesh.totals.polygons, 0);
    assert.equal(navMesh.findPath([2, 0, 2], [9, 0, 9]).reason, 'start-not-found');
    navMesh.free();
  }
});
