// The package as others get it: packed, installed somewhere else, and used with what is in it.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ROOT, makeFolder } from './support.js';

const { dependencies, devDependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));

const BAKE = `import { NavError, load } from 'walkmesh';
const positions = Float32Array.of(0, 0, 0, 0, 0, 9, 9, 0, 9, 9, 0, 0);
const walkmesh = await load();
const { navMesh } = walkmesh.bake({ positions, indices: Uint32Array.of(0, 1, 2, 0, 2, 3) }, { cellSize: 0.2 });
const { load: loadInline } = await import('walkmesh/inline');
const copy = (await loadInline()).loadNavMesh(navMesh.save());
console.log(copy.findPath([1, 0, 1], [8, 0, 8]).status, NavError.name);`;

const TYPED = `import { load, NavError, type Config, type Path } from 'walkmesh';
const walkmesh = await load({ simd: false });
const config: Config = { cellSize: 0.2, partition: 'layers' };
const { navMesh, report } = walkmesh.bake({ positions: new Float32Array(9), indices: new Uint16Array(3) }, config);
const path: Path = navMesh.findPath([0, 0, 0], [1, 0, 1], { halfExtents: [1, 1, 1] });
const status: 'complete' | 'partial' | 'unreachable' = path.status;
const time: number = report.stages.rasterize + report.counts.polygons;
const bytes: Uint8Array = navMesh.save();
export const code: string = new NavError('limit', 'x').code;
// @ts-expect-error: a field that does not exist
walkmesh.bake({ positions: new Float32Array(9), indices: new Uint16Array(3) }, { celSize: 1 });
console.log(status, time, bytes);
`;

test('package: versions are pinned, and the lock file names no hosts', () => {
  for (const [name, version] of Object.entries({ ...dependencies, ...devDependencies })) {
    assert.match(version, /^\d+\.\d+\.\d+$/, name);
  }
  assert.doesNotMatch(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'), /"resolved"/);
});

test('package: packing builds the modules and the types first', () => {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  assert.equal(scripts.prepack, 'node wasm/build.js && npm run types');
});

test('package: packed and installed elsewhere it bakes, resolves its types and runs its command', (context) => {
  const folder = makeFolder(context);
  const npm = (args) => execFileSync('npm', args, { cwd: ROOT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  npm(['run', '--silent', 'types']);
  const packed = JSON.parse(npm(['pack', '--ignore-scripts', '--json', '--pack-destination', folder]).replace(/^[^[]*/, ''));
  const files = packed[0].files.map(({ path }) => path);
  for (const needed of ['package.json', 'README.md', 'LICENSE', 'js/index.js', 'js/cli.js', 'dist/walkmesh.wasm',
    'dist/walkmesh-scalar.wasm', 'dist/walkmesh-core.wasm', 'dist/inline.js', 'dist/index.js', 'dist/worker.js', 'dist/types/index.d.ts']) {
    assert.ok(files.includes(needed), `${needed} is not in the package`);
  }
  assert.deepEqual(files.filter((path) => !/^(js|dist)\/|^(package\.json|README\.md|LICENSE|CHANGELOG\.md)$/.test(path)), []);

  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  // What the set-up downloaded is in npm's cache; the network is needed only where that was cleared.
  execFileSync('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund', '--silent', packed[0].filename],
    { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
  writeFileSync(join(folder, 'bake.js'), BAKE);
  assert.equal(execFileSync(process.execPath, ['bake.js'], { cwd: folder, encoding: 'utf8' }).trim(), 'complete NavError');

  writeFileSync(join(folder, 'typed.mts'), TYPED);
  for (const [module, resolution] of [['nodenext', 'nodenext'], ['esnext', 'bundler']]) {
    const tsc = spawnSync(process.execPath, [join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc'), '--noEmit', '--strict',
      '--target', 'es2022', '--lib', 'es2022,dom', '--module', module, '--moduleResolution', resolution, 'typed.mts'],
    { cwd: folder, encoding: 'utf8' });
    assert.equal(tsc.status, 0, `${module}: ${tsc.stdout}`);
  }

  const cli = join(folder, 'node_modules', '.bin', 'walkmesh');
  const out = join(folder, 'plaza.walkmesh');
  const baked = execFileSync(cli, ['bake', join(ROOT, 'tests', 'scenes', 'plaza.obj'), '-o', out], { encoding: 'utf8' });
  assert.match(baked, /polygons in 1 tile/);
  assert.ok(existsSync(out));
});
