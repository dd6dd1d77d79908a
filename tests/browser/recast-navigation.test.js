/**
 * recast-navigation's way to bake in a custom worker: generateSoloNavMesh and exportNavMesh there, a transfer, and importNavMesh
 * in the page. The code is written for recast-navigation; only the import is changed.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { ROOT, runInPage } from './harness.js';

const ENTRY = '/walkmesh/js/recast-navigation/index.js';
const { exports: entries } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
const threeFolder = dirname(createRequire(import.meta.url).resolve('three'));

/** Import maps don't apply to workers: the import is an address. */
const WORKER = `
import { exportNavMesh, generateSoloNavMesh, init } from '${ENTRY}';

self.onmessage = async ({ data: { positions, indices, config } }) => {
  await init();
  const { success, navMesh } = generateSoloNavMesh(positions, indices, config);
  if (!success) return;
  const bytes = exportNavMesh(navMesh);
  self.postMessage(bytes, { transfer: [bytes.buffer] });
  navMesh.destroy();
};`;

const PAGE = `
import { NavMeshQuery, importNavMesh, init } from 'recast-navigation';
import { getPositionsAndIndices } from '@recast-navigation/three';
import * as THREE from 'three';

await init();
const ground = new THREE.Mesh(new THREE.BoxGeometry(10, 0.2, 10));
const obstacle = new THREE.Mesh(new THREE.BoxGeometry(2, 2, 2));
obstacle.position.set(0, 1, 0);
const [positions, indices] = getPositionsAndIndices([ground, obstacle]);
const worker = new Worker('/worker.js', { type: 'module' });
worker.onmessage = ({ data }) => {
  const { navMesh } = importNavMesh(data);
  const found = new NavMeshQuery(navMesh).computePath({ x: -4, y: 0, z: 0 }, { x: 4, y: 0, z: 0 });
  navMesh.destroy();
  done(found);
};
worker.postMessage({ positions, indices, config: { cs: 0.05, ch: 0.2 } }, [positions.buffer, indices.buffer]);`;

test('recast-navigation: a mesh baked in a worker and imported in the page', async () => {
  assert.equal(entries['./recast-navigation'].default, `.${ENTRY.slice('/walkmesh'.length)}`);
  const { success, path } = await runInPage(PAGE, {
    imports: { 'recast-navigation': ENTRY, '@recast-navigation/three': ENTRY, three: '/three/three.module.js' },
    files: { 'worker.js': WORKER }, mounts: { three: threeFolder },
  });
  assert.equal(success, true);
  assert.ok(path.length > 2 && path.every(({ x, z }) => Math.abs(x) > 0.9 || Math.abs(z) > 0.9), 'round the box');
});
