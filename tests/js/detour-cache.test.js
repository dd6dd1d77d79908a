/** Tile caches of Detour (TSET) through JavaScript, with a set that recast-navigation 0.43.1 wrote (tests/golden/detour-cache). */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { load } from '../../js/index.js';
import { withoutChecks } from './check-bakes.js';

const FILE = fileURLToPath(new URL('../golden/detour-cache/tower.tset', import.meta.url));
const CLI = fileURLToPath(new URL('../../js/cli.js', import.meta.url));
const tower = new Uint8Array(readFileSync(FILE));
const walkmesh = await load();

test('tile cache: a set becomes a mesh that changes, all floors of a place in one tile', () => {
  assert.equal(walkmesh.detectFormat(tower), 'detourTileCache');
  const { navMesh, dynamic, summary } = walkmesh.loadTileCache(tower);
  assert.deepEqual(summary, { layers: 16, places: 4, firstTile: [0, 0] });
  assert.equal(navMesh.totals.tiles, 4);
  const { cellSize, tileSize, agentRadius, minRegionSize, bounds } = navMesh.config;
  assert.deepEqual({ cellSize, tileSize, agentRadius, minRegionSize }, { cellSize: 0.3, tileSize: 48, agentRadius: 0.6, minRegionSize: 0 });
  assert.deepEqual([bounds.min[0], bounds.min[2]], [-12, -12]);
  assert.ok(Math.abs(navMesh.parameters.agentRadius - 0.6) < 1e-6);
  const before = navMesh.save();
  const { point } = navMesh.nearestPoint([0, 0, -11]);
  const obstacle = dynamic.addObstacle({ kind: 'cylinder', base: [point[0], point[1] - 0.5, point[2]], radius: 1, height: 2 });
  assert.ok(dynamic.update().changed.length > 0);
  const { point: beside } = navMesh.nearestPoint(point);
  const gap = Math.hypot(beside[0] - point[0], beside[2] - point[2]);
  assert.ok(gap > 1.6 - 0.45 && gap < 1.6 + 0.45, `the agent's radius is kept from it: ${gap}`);
  dynamic.removeObstacle(obstacle);
  dynamic.update();
  assert.deepEqual(navMesh.save(), before);
  navMesh.free();
  assert.ok(dynamic.isFreed);
});

test('tile cache: what the format does not have is given', () => {
  const { navMesh } = walkmesh.loadTileCache(tower, {
    config: { partition: 'layers', detailSampleDistance: 0 }, areaFlags: { 0: 4, 9: 8 },
    volumes: [{ kind: 'box', min: [-12, -1, -12], max: [0, 1, 17], area: 9 }],
    offMeshConnections: [{ start: [-9, 0.2, -9], end: [-9, 0.2, 15], radius: 1 }],
  });
  assert.equal(navMesh.config.partition, 'layers');
  assert.equal(navMesh.totals.offMeshConnections, 1);
  const flags = navMesh.polygons().map(({ area, flags: value }) => [area, value].join());
  assert.deepEqual([...new Set(flags)].sort(), ['0,1', '0,4', '9,8']); // the connection's are its own
  navMesh.free();
});

test('tile cache: what is wrong is named, and nothing is left behind', () => {
  walkmesh.trimMemory();
  const used = walkmesh.memory().bytes;
  for (const name of ['cellSize', 'tileSize', 'bounds', 'agentRadius']) {
    assert.throws(() => walkmesh.loadTileCache(tower, { config: { [name]: 1 } }), { code: 'configuration', field: `config.${name}` });
  }
  assert.throws(() => walkmesh.loadTileCache(tower, { config: { partition: 'none' } }), { code: 'configuration', field: 'partition' });
  assert.throws(() => walkmesh.loadTileCache(tower, { volume: [] }), { code: 'invalid-argument', field: 'volume' });
  assert.throws(() => walkmesh.loadTileCache(tower, { volumes: [{ kind: 'cube' }] }), { code: 'invalid-argument' });
  assert.throws(() => walkmesh.loadTileCache('tower'), { code: 'invalid-argument', field: 'bytes' });
  assert.throws(() => walkmesh.loadTileCache(tower.subarray(0, 5000)), { code: 'corrupt', field: 'file', message: /^part \d+: is cut/ });
  assert.throws(() => walkmesh.loadTileCache(tower.subarray(4)), { code: 'corrupt', message: /no set/ });
  assert.throws(() => walkmesh.loadNavMesh(tower), { code: 'unsupported', message: /loadTileCache/ });
  for (let at = 0; at < tower.length; at += 37) {
    const altered = tower.slice();
    altered[at] ^= 0x55;
    try {
      walkmesh.loadTileCache(altered).navMesh.free();
    } catch (error) {
      assert.ok(['corrupt', 'limit', 'unsupported', 'configuration', 'out-of-memory'].includes(error.code), `${at}: ${error.stack}`);
    }
  }
  walkmesh.trimMemory();
  assert.equal(walkmesh.memory().bytes, used);
});

/** Fields of a set's header that become fields of the configuration, and where they lie. */
const AGENT_FIELDS = { agentHeight: 68, agentRadius: 72, agentMaxClimb: 76, maxEdgeError: 80 };

for (const [field, at] of Object.entries(AGENT_FIELDS)) {
  test(`tile cache: with any ${field} a set is refused by that name, or saved, loaded and updated in workers`, async () => {
    const pool = walkmesh.createWorkerPool({ workers: 1 });
    let accepted = 0;
    for (const value of [0, -0, 2 ** -149, 0.3, 2, 38, 38.2, 51, 100, 1000, 1001, 1e6, 1e7, 1e9, 3e9, -1, NaN, Infinity]) {
      const bytes = tower.slice();
      new DataView(bytes.buffer).setFloat32(at, value, true);
      let opened;
      try {
        opened = withoutChecks(() => walkmesh.loadTileCache(bytes));
      } catch (error) {
        assert.ok(['configuration', 'corrupt'].includes(error.code) && (error.field === field || error.message.includes(field)
          || /agentMaxClimb/.test(error.message)), `${value}: ${error.stack}`);
        continue;
      }
      accepted++;
      const { navMesh, dynamic } = opened;
      const loaded = walkmesh.loadDynamic(dynamic.save());
      assert.deepEqual(loaded.dynamic.save(), dynamic.save(), `${value}`);
      for (const each of [dynamic, loaded.dynamic]) each.addObstacle({ kind: 'box', min: [-3, -1, -3], max: [3, 5, 3] });
      dynamic.update();
      assert.ok((await loaded.dynamic.updateAsync({ workers: pool })).built > 0);
      assert.deepEqual(loaded.dynamic.save(), dynamic.save(), `${value}, updated`);
      for (const mesh of [navMesh, loaded.navMesh]) mesh.free();
    }
    assert.ok(accepted >= 2, `${accepted} values are accepted`);
    pool.free();
  });
}

test('tile cache: every allocation may fail', () => {
  walkmesh.trimMemory();
  const used = walkmesh.memory().bytes;
  let failures = 0;
  for (let count = 0, isDone = false; !isDone; count += count < 40 ? 1 : 13) {
    walkmesh.failAllocationsAfter(count);
    try {
      walkmesh.loadTileCache(tower).navMesh.free();
      isDone = true;
    } catch (error) {
      assert.equal(error.code, 'out-of-memory');
      failures++;
    } finally {
      walkmesh.failAllocationsAfter(undefined);
    }
  }
  walkmesh.trimMemory();
  assert.ok(failures > 40);
  assert.equal(walkmesh.memory().bytes, used);
});

test('tile cache: the command line tells what it is, and converts it', () => {
  const folder = mkdtempSync(join(tmpdir(), 'walkmesh-'));
  try {
    const run = (...words) => execFileSync(process.execPath, [CLI, ...words], { encoding: 'utf8' });
    assert.match(run('info', FILE), /Detour tile cache \(TSET\)/);
    const output = join(folder, 'tower.walkmesh');
    run('convert', FILE, output);
    const { navMesh } = walkmesh.loadTileCache(tower), converted = walkmesh.loadNavMesh(readFileSync(output));
    assert.deepEqual(converted.save(), navMesh.save());
    navMesh.free();
    converted.free();
  } finally {
    rmSync(folder, { recursive: true });
  }
});
