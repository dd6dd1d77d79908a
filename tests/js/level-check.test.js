/** A level that isn't that of the mesh is refused, an edited one isn't; solids as triangles. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { explainPath, load } from '../../js/index.js';
import { solidTriangles } from '../../js/input/solid-triangles.js';
import { makeRandom } from './random.js';
import { joinLevels, makeGround, readScene } from './support.js';

const walkmesh = await load();
const CONFIG = { cellSize: 0.3, agentRadius: 0.4, agentMaxClimb: 0.4 };
const LINKS = { jump: { maxDistance: 3 } };
const NAMES = ['caves', 'city', 'holes', 'plaza', 'stairs', 'terrain', 'tower'];

/** @param {import('../../js/index.js').NavMesh} navMesh @param {import('../../js/index.js').Geometry} geometry */
const generatorOf = (navMesh, geometry) => walkmesh.createLinkGenerator(navMesh, geometry, { workers: 0, links: LINKS });
const refuses = { name: 'NavError', code: 'geometry', field: 'geometry', message: /isn't the level of this mesh: \d+ of \d+ places/ };

test('the level of a mesh is accepted in every scene, also coarse, in tiles, without detail; the levels of other meshes are refused', async () => {
  const levels = Object.fromEntries(NAMES.map((name) => [name, readScene(name)]));
  for (const name of NAMES) {
    for (const more of [{}, { cellSize: 0.6 }, { tileSize: 32 }, { detailSampleDistance: 0 }]) {
      const { navMesh } = walkmesh.bake(levels[name], { ...CONFIG, ...more });
      (await generatorOf(navMesh, levels[name])).free();
      navMesh.free();
    }
  }
  const { navMesh } = walkmesh.bake(levels.terrain, CONFIG);
  for (const name of ['caves', 'stairs', 'tower']) await assert.rejects(generatorOf(navMesh, levels[name]), refuses, name);
  navMesh.free();
});

test('an edited level is accepted; a level that is moved, turned or far away is refused', async () => {
  const level = readScene('terrain');
  const { navMesh } = walkmesh.bake(level, CONFIG);
  const edited = { ...level, solids: [{ kind: /** @type {const} */ ('box'), min: [10, -5, 10], max: [20, 20, 20] }] };
  (await generatorOf(navMesh, edited)).free();
  /** @param {(x: number, y: number, z: number) => number[]} turn */
  const changed = (turn) => ({ ...level, positions: Float32Array.from({ length: level.positions.length }, (_, i) => (
    turn(level.positions[i - i % 3], level.positions[i - i % 3 + 1], level.positions[i - i % 3 + 2])[i % 3])) });
  for (const other of [changed((x, y, z) => [x, y + 4, z]), changed((x, y, z) => [x + 500, y, z]), changed((x, y, z) => [x, z, y])]) {
    await assert.rejects(generatorOf(navMesh, other), refuses);
    assert.throws(() => explainPath(navMesh, [1, 0, 1], [9, 0, 9], { level: { geometry: other } }), { code: 'geometry', field: 'level.geometry' });
  }
  const upright = changed((x, y, z) => [x, -z, y]);
  (await generatorOf(navMesh, { ...upright, upAxis: 'z' })).free();
  navMesh.free();
});

test('a broken level is refused for what is broken', async () => {
  const level = readScene('plaza'), { navMesh } = walkmesh.bake(level, CONFIG);
  const positions = Float32Array.from(level.positions).fill(NaN, 30), indices = Uint32Array.from(level.indices ?? [], () => level.positions.length);
  await assert.rejects(generatorOf(navMesh, { ...level, positions }), { code: 'geometry', message: /^positions\[30\] is NaN/ });
  await assert.rejects(generatorOf(navMesh, { ...level, indices }), { code: 'geometry', message: /^indices\[0\] is \d+: the level has/ });
  navMesh.free();
});

test('ground on solids counts', async () => {
  const level = { ...makeGround(60, -8), areas: [0, 0], solids: [{ kind: /** @type {const} */ ('cylinder'), base: [24, 0, 20], radius: 12, height: 2 }, { kind: /** @type {const} */ ('box'), min: [40, 0, 0], max: [60, 3, 20] }] };
  const { navMesh } = walkmesh.bake(level, CONFIG);
  (await generatorOf(navMesh, level)).free();
  await assert.rejects(generatorOf(navMesh, { ...level, solids: [] }), refuses);
  navMesh.free();
});

/** Volume inside a closed surface whose faces are counter-clockwise seen from outside. @param {{ positions: number[], indices: number[] }} triangles */
function volumeOf({ positions, indices }) {
  let sum = 0;
  for (let i = 0; i < indices.length; i += 3) {
    const [a, b, c] = [0, 1, 2].map((k) => positions.slice(3 * indices[i + k], 3 * indices[i + k] + 3));
    sum += a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) + a[2] * (b[0] * c[1] - b[1] * c[0]);
  }
  return sum / 6;
}

test('solids as triangles: closed, facing outwards, as large as the shapes, wherever their axes point', () => {
  const { between } = makeRandom(7);
  const point = () => [between(-9, 9), between(-9, 9), between(-9, 9)];
  for (let round = 0; round < 20; round++) {
    const [start, end, radius] = [point(), point(), between(0.5, 2)];
    const length = Math.hypot(...start.map((value, axis) => value - end[axis])), ball = 4 / 3 * Math.PI * radius ** 3, tube = Math.PI * radius ** 2 * length;
    const cube = { positions: [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1], indices: [0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3] };
    /** @type {[any, number][]} */
    const shapes = [
      [{ kind: 'box', min: [0, 0, 0], max: [1, 2, 3] }, 6], [{ kind: 'box', centre: start, halfAxes: [[0, 0, 1], [0, 2, 0], [3, 0, 0]] }, 48],
      [{ kind: 'rotatedBox', centre: { x: 1, y: 2, z: 3 }, halfExtents: [1, 2, 3], yaw: between(0, 6) }, 48],
      [{ kind: 'sphere', centre: start, radius }, ball], [{ kind: 'capsule', start, end, radius }, ball + tube],
      [{ kind: 'cylinder', start, end, radius }, tube], [{ kind: 'cylinder', base: start, radius, height: length }, tube], [{ kind: 'convex', ...cube }, 1 / 6],
    ];
    for (const [shape, volume] of shapes) {
      const found = volumeOf(solidTriangles({ positions: [], indices: [], solids: [shape] }));
      assert.ok(Math.abs(found / volume - 1) < 0.03, `${round} ${shape.kind}: ${found}, not ${volume}`);
    }
  }
  assert.throws(() => solidTriangles({ positions: [], solids: [/** @type {any} */ ({ kind: 'box', min: [0, 0, 0], max: [1, 'x', 1] })] }), { field: 'solids[0].max' });
  assert.deepEqual(solidTriangles([makeGround(4)].reduce(joinLevels)).indices, []);
});
