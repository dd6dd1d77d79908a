// Degenerate levels: each gives a sound mesh that lies on its level, with every partition, in one tile and in many.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import * as hurt from '../../bench/hurt-levels.js';
import { NavError, checkNavMesh, load } from '../../js/index.js';
import * as levels from './adversarial/levels.js';
import { ROOT } from './support.js';

const walkmesh = await load();

const LEVELS = {
  'everything twice in one plane': levels.coplanar(),
  'ten thousand needles': levels.needles(),
  'a checkerboard of single cells': levels.checkerboard(),
  'a checkerboard, for an agent that is wider': levels.checkerboard(0.3),
  'a pillar in every other cell': levels.pillars(),
  'steps of one cell': levels.oneCellStairs(),
  'a ramp that winds around a core': levels.helix(),
  'a Menger sponge': levels.sponge(),
  'rough ground': levels.heightfield(1, 0.5),
  'rougher ground': levels.heightfield(2, 1.5),
  'spikes': levels.heightfield(3, 6),
  'a ramp 1,000 km from the origin': levels.place(levels.helix(), { shift: [1e6, 0, -1e6] }),
  'a ramp of a few millimetres': levels.place(levels.helix(), { scale: 1e-3 }),
  'a ramp of a hundred kilometres': levels.place(levels.helix(), { scale: 1e4 }),
  'holes in rows': hurt.holes(900),
  'holes strewn about': hurt.holes(900, true),
  'a comb': hurt.comb(200, 5),
  'a ragged comb': hurt.comb(200, 30, { ragged: true }),
  'a spiral one cell wide': hurt.spiral(80),
  'islands': hurt.islands(400),
  'basins that all merge': hurt.basins(400),
  'strips that all merge': hurt.strips(200),
  'fifty storeys': hurt.storeys(50),
  'two huge triangles': hurt.hugeTriangles(150),
  'needles through one cell': hurt.needles(2000),
  'one column of spans': hurt.column(500),
};

const CONFIGS = [{}, { partition: 'watershed', tileSize: 32 }, { partition: 'layers', tileSize: 32 }, { partition: 'monotone' },
  { partition: 'chunky', maxEdgeError: 0.5 }];

for (const [name, { geometry, config }] of Object.entries(LEVELS)) {
  test(`${name}: a sound mesh, on its level`, () => {
    for (const extra of CONFIGS) {
      const { navMesh, report } = walkmesh.bake(geometry, { ...config, ...extra });
      const { isSound, findings, looked } = checkNavMesh(navMesh, { geometry });
      assert.ok(isSound, JSON.stringify({ extra, findings: findings.slice(0, 3) }));
      assert.equal(looked.polygons, report.counts.polygons);
      if (report.counts.polygons === 0) assert.ok(report.warnings.length > 0, 'an empty mesh says why');
      navMesh.free();
    }
  });
}

test('what cannot be built is a named error, and the module goes on', () => {
  const ground = levels.helix();
  for (const [change, code] of [
    [{ cellSize: 1e-7 }, /limit|configuration|out-of-memory/], [{ cellSize: 1e30 }, /configuration|limit/], [{ cellHeight: 1e-9 }, /limit|configuration/],
    [{ tileSize: 4096, cellSize: 1e-5 }, /limit|configuration|out-of-memory/],
  ]) {
    assert.throws(() => walkmesh.bake(ground.geometry, { ...ground.config, ...change }),
      (error) => error instanceof NavError && code.test(error.code), JSON.stringify(change));
  }
  const { navMesh } = walkmesh.bake(ground.geometry, ground.config);
  assert.ok(navMesh.totals.polygons > 0);
  navMesh.free();
});

test('npm run hostile: a row a level, and an error where there is none of that name', () => {
  const run = (/** @type {string[]} */ ...args) => spawnSync(process.execPath, [join(ROOT, 'scripts', 'hostile.js'), ...args], { encoding: 'utf8' });
  const { status, stdout, stderr } = run('--quick', '--only', 'turns of a ramp of');
  assert.equal(status, 0, stderr);
  assert.match(stdout, /\n\| turns of a ramp of a few millimetres: 50 \| 500 \| sound \| [\d.]+ \| - \| [\d.,]+ \|\n/);
  const unknown = run('--only', 'nothing of the kind');
  assert.equal(unknown.status, 2);
  assert.match(unknown.stderr, /no level is called nothing of the kind: metres of floors/);
});
