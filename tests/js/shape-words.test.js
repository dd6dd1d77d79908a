// Solids, area volumes, obstacles and switches take the same words for the same shape; older forms are still read.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from '../../js/index.js';
import { makeGround } from './support.js';

const walkmesh = await load();
const ground = makeGround(20);
const CONFIG = { cellSize: 0.25, tileSize: 32 };
const [BASE, CENTRE, HALF] = [[8, 0, 8], [8, 1, 8], [2, 1, 1.5]];
const [MIN, MAX] = [0, 1].map((side) => CENTRE.map((value, axis) => value + (side ? 1 : -1) * HALF[axis]));
const YAW = 0.5, [SIN, COS] = [Math.sin(YAW), Math.cos(YAW)];

/** The shapes of all four uses, in each form; forms of one entry mean the same. */
const BOXES = [{ kind: 'box', min: MIN, max: MAX }, { kind: 'box', centre: CENTRE, halfExtents: HALF }];
const SOLIDS = {
  box: [...BOXES, { kind: 'box', centre: CENTRE, halfAxes: [HALF[0], 0, 0, 0, HALF[1], 0, 0, 0, HALF[2]] }],
  rotatedBox: [{ kind: 'rotatedBox', centre: CENTRE, halfExtents: HALF, yaw: YAW },
    { kind: 'box', centre: CENTRE, halfAxes: [[HALF[0] * COS, 0, -HALF[0] * SIN], [0, HALF[1], 0], [HALF[2] * SIN, 0, HALF[2] * COS]] }],
  cylinder: [{ kind: 'cylinder', base: BASE, radius: 2, height: 3 }, { kind: 'cylinder', start: BASE, end: [8, 3, 8], radius: 2 }],
};

const bakeFile = (more, config = CONFIG) => {
  const { navMesh } = walkmesh.bake({ ...ground, ...more }, config);
  const bytes = navMesh.save();
  navMesh.free();
  return bytes;
};

test('shape words: each form of a solid gives the same mesh, also in another thread', async () => {
  const plain = bakeFile({});
  for (const [kind, forms] of Object.entries(SOLIDS)) {
    const expected = bakeFile({ solids: [{ ...forms.at(-1), area: 7 }] });
    assert.notDeepEqual(expected, plain, kind);
    for (const form of forms) assert.ok(Buffer.compare(bakeFile({ solids: [{ ...form, area: 7 }] }), expected) === 0, JSON.stringify(form));
    const { navMesh } = await walkmesh.bakeTiled({ ...ground, solids: [{ ...forms[0], area: 7 }] }, CONFIG, { workers: 1 });
    assert.deepEqual(navMesh.save(), expected, kind);
    navMesh.free();
  }
});

test('shape words: a rotated box turns the same way as a solid and as a volume', () => {
  const [rotated] = SOLIDS.rotatedBox;
  const { navMesh } = walkmesh.bake({ ...ground, solids: [rotated] }, { ...CONFIG, agentRadius: 0 });
  const inside = [CENTRE[0] + 1.8 * COS, 2, CENTRE[2] - 1.8 * SIN], mirrored = [CENTRE[0] + 1.8 * COS, 0, CENTRE[2] + 1.8 * SIN];
  assert.ok(navMesh.nearestPoint(inside, { halfExtents: [0.1, 5, 0.1] }).point[1] > 1.5);
  assert.ok(navMesh.nearestPoint(mirrored, { halfExtents: [0.1, 5, 0.1] }).point[1] < 1);
  navMesh.free();
});

test('shape words: both forms of a box as a volume, an obstacle and a door', () => {
  const [first, second] = BOXES.map((box) => {
    const { navMesh, dynamic } = walkmesh.bakeDynamic(ground, CONFIG);
    const crate = dynamic.addObstacle(box);
    dynamic.update();
    const carved = navMesh.exportDetour();
    const { min, max } = dynamic.obstacle(crate);
    dynamic.removeObstacle(crate);
    dynamic.update();
    const door = navMesh.createSwitches().addDoor({ volume: box });
    const polygons = [...door.polygons()];
    const restored = walkmesh.loadNavMesh(navMesh.save());
    assert.equal(restored.restoreSwitches().count, 1);
    restored.free();
    navMesh.free();
    return { carved, min, max, polygons, volume: bakeFile({ volumes: [{ ...box, area: 3 }] }) };
  });
  assert.deepEqual(second, first);
  assert.ok(first.polygons.length > 0);
  assert.notDeepEqual(first.volume, bakeFile({}));
});

test('shape words: mixed forms and bad numbers are errors that name the field', () => {
  const dynamic = walkmesh.bakeDynamic(ground, CONFIG);
  const solid = (shape) => () => walkmesh.bake({ ...ground, solids: [shape] }, CONFIG);
  const volume = (shape) => () => walkmesh.bake({ ...ground, volumes: [{ ...shape, area: 0 }] }, CONFIG);
  const obstacle = (shape) => () => dynamic.dynamic.addObstacle(shape);
  const cases = [
    [solid({ ...BOXES[0], halfExtents: HALF }), 'solids[0].halfExtents'], [solid({ kind: 'box', min: MAX, max: MIN }), 'solids[0].max[0]'],
    [solid({ kind: 'box', centre: CENTRE, halfExtents: [1, 0, 1] }), 'solids[0].halfExtents[1]'],
    [solid({ kind: 'cylinder', base: BASE, radius: 1, height: 0 }), 'solids[0].height'], [solid({ kind: 'cylinder', start: BASE, radius: 1, height: 2 }), 'solids[0].start'],
    [solid({ kind: 'cylinder', base: [1, NaN, 2], radius: 1, height: 1 }), 'solids[0].base[1]'], [solid({ kind: 'pyramid' }), 'solids[0].kind'],
    [volume({ ...BOXES[1], min: MIN }), 'volumes[0].min'], [obstacle({ ...BOXES[1], max: MAX }), 'obstacle.max'],
    [obstacle({ kind: 'box', centre: CENTRE, halfExtents: [1, 1, -1] }), 'obstacle.halfExtents[2]'], [obstacle({ kind: 'box', centre: CENTRE }), 'obstacle.halfExtents'],
  ];
  for (const [call, field] of cases) assert.throws(call, { name: 'NavError', code: 'invalid-argument', field }, field);
  assert.throws(solid({ kind: 'pyramid' }), /must be box, sphere, capsule, cylinder, convex, rotatedBox/);
  dynamic.navMesh.free();
});
