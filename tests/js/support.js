/** Shared parts of the package's tests: both builds, the scenes, small levels, temporary folders. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { load } from '../../js/index.js';
import { parseObj } from '../../js/level/obj.js';
import './check-bakes.js';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** @param {string} name of a scene in tests/scenes */
export function readScene(name) {
  return readObj(join(ROOT, 'tests', 'scenes', `${name}.obj`));
}

/** @param {string} path */
export function readObj(path) {
  const { positions, indices } = parseObj(readFileSync(path), { name: path });
  return { positions, indices };
}

/** @param {import('../../js/loader.js').LoadOptions} [options] */
export async function loadBoth(options = {}) {
  return [await load({ ...options, simd: true }), await load({ ...options, simd: false })];
}

/** A square of floor, side `size`, at height `y`, facing up. */
export function makeGround(size = 10, y = 0) {
  return {
    positions: Float32Array.of(0, y, 0, 0, y, size, size, y, size, size, y, 0),
    indices: Uint32Array.of(0, 1, 2, 0, 2, 3),
  };
}

/** Merges two levels into one. */
export function joinLevels(a, b) {
  const positions = new Float32Array([...a.positions, ...b.positions]);
  const indices = new Uint32Array([...a.indices, ...Array.from(b.indices, (index) => index + a.positions.length / 3)]);
  return { positions, indices };
}

/** A folder that is removed after the test. @param {import('node:test').TestContext} context */
export function makeFolder(context) {
  const folder = mkdtempSync(join(tmpdir(), 'walkmesh-test-'));
  context.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
