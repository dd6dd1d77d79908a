// The level tool's reasons why a point is not walkable, on levels that each contain one defect.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from '../../js/index.js';
import { verdictFor } from '../../web-demo/src/inspect/verdict.js';
import { metres } from '../../web-demo/src/tools/result-text.js';
import { explain, explainOutside, explainWithMends } from '../../web-demo/src/stages/explain.js';
import { makeFacingBaker, recordTileNow } from '../../web-demo/src/stages/record.js';
import { CODES_OF, removalsOf } from '../../web-demo/src/stages/removal.js';
import { VIEWS } from '../../web-demo/src/stages/views.js';
import { makeBoxes } from './rooms.js';
import { makeGround, readScene } from './support.js';

const walkmesh = await load();

/** A closed box, faces outwards. @param {number[]} min @param {number[]} max */
function makeBox([x, y, z], [X, Y, Z]) {
  return {
    positions: [x, y, z, X, y, z, X, y, Z, x, y, Z, x, Y, z, X, Y, z, X, Y, Z, x, Y, Z],
    indices: [4, 6, 5, 4, 7, 6, 0, 1, 2, 0, 2, 3, 0, 4, 5, 0, 5, 1, 1, 5, 6, 1, 6, 2, 2, 6, 7, 2, 7, 3, 3, 7, 4, 3, 4, 0],
  };
}

/** Merges several levels into one. */
function join(...parts) {
  const [positions, indices] = [[], []];
  for (const part of parts) {
    const first = positions.length / 3;
    positions.push(...part.positions);
    indices.push(...Array.from(part.indices, (index) => index + first));
  }
  return { positions: Float32Array.from(positions), indices: Uint32Array.from(indices) };
}

/** A slope that starts at (x, z), `run` long on x, 8 wide, at an angle. */
function makeSlope(x, z, run, angle) {
  const rise = run * Math.tan(angle * Math.PI / 180);
  return { positions: [x, 0, z, x, 0, z + 8, x + run, rise, z + 8, x + run, rise, z], indices: [0, 1, 2, 0, 2, 3] };
}

/** The level tool's explanations of points of a level. */
function explainAll(level, points, config = {}) {
  const baker = walkmesh.createBaker(level, { cellSize: 0.25, cellHeight: 0.1, ...config });
  try {
    const record = recordTileNow(baker);
    return points.map((point) => explain(level, record, point));
  } finally {
    baker.free();
  }
}

/** An explanation with the changes that make the point walkable, from trial bakes. */
function explainFully(level, record, point) {
  const steps = explainWithMends(walkmesh, level, record, point);
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/** Explanations with changes of points of a level. */
function mendAll(level, points, config = {}) {
  const baker = walkmesh.createBaker(level, { cellSize: 0.25, cellHeight: 0.1, ...config });
  try {
    const record = recordTileNow(baker);
    return points.map((point) => explainFully(level, record, point));
  } finally {
    baker.free();
  }
}

test('tool: a spot that is walkable tells its height, region and clearance', () => {
  const [answer] = explainAll(makeGround(20), [[10, 0, 10]]);
  assert.equal(answer.reason, 'walkable');
  assert.equal(answer.onMesh, true);
  assert.ok(Math.abs(answer.height) < 0.11);
  assert.equal(answer.headroom, Infinity);
  assert.equal(answer.slope, 0);
  assert.equal(answer.area, 63);
  assert.ok(answer.region > 0);
  // From the centre to the edge of the surface after erosion: 10 minus the radius, within the chamfer's and the blur's error.
  assert.ok(answer.clearance > 8 && answer.clearance < 9.8, `${answer.clearance}`);
  assert.ok(answer.steps.length > 5 && answer.steps.every(({ outcome }) => outcome === 'kept'));
});

test('tool: a slope of 50 degrees is too steep at a limit of 45, and not at one of 55', () => {
  const level = join(makeGround(20), makeSlope(6, 6, 4, 50));
  const point = [8, 2 * Math.tan(50 * Math.PI / 180), 10];
  const [steep] = explainAll(level, [point]);
  assert.equal(steep.reason, 'steep');
  assert.ok(Math.abs(steep.figures.angle - 50) < 0.01);
  assert.equal(steep.figures.limit, 45);
  assert.match(steep.text, /50°.*45°/);
  assert.equal(steep.onMesh, false);
  assert.deepEqual(steep.steps.map(({ outcome }) => outcome).slice(0, 2), ['removed', 'not reached']);
  const [flat] = explainAll(level, [point], { agentMaxSlope: 55 });
  assert.notEqual(flat.reason, 'steep');
});

test('tool: under a table of 1.5 metres there is no headroom, and it says how much', () => {
  const level = join(makeGround(20), makeBox([6, 1.5, 6], [14, 1.7, 14]));
  const [under, beside] = explainAll(level, [[10, 0, 10], [3, 0, 3]]);
  assert.equal(under.reason, 'headroom');
  assert.ok(Math.abs(under.figures.room - 1.4) < 0.11, `${under.figures.room}`);
  assert.equal(under.figures.needed, 2);
  assert.equal(under.headroom, under.figures.room);
  assert.equal(beside.reason, 'walkable');
  const [low] = explainAll(level, [[10, 0, 10]], { agentHeight: 1.2, agentMaxClimb: 0.4 });
  assert.equal(low.reason, 'walkable');
});

test('tool: on the edge of a platform of 3 metres there is a ledge of that depth', () => {
  const level = join(makeGround(30), makeBox([10, 0, 10], [20, 3, 20]));
  const [edge, middle] = explainAll(level, [[10.1, 3, 15], [15, 3, 15]]);
  assert.equal(edge.reason, 'ledge');
  assert.ok(Math.abs(edge.figures.drop - 3) < 0.11, `${edge.figures.drop}`);
  assert.equal(middle.reason, 'walkable');
  // Without a surface below, no depth is reported.
  const [end] = explainAll(makeGround(20), [[0.1, 0, 10]]);
  assert.equal(end.reason, 'ledge');
  assert.equal('drop' in end.figures, false);
});

test('tool: near a wall it is the radius, with the distance; the wall itself is steep, what it stands on is inside', () => {
  const level = join(makeGround(20), makeBox([10, 0, 2], [10.2, 4, 18]));
  const [near, side, inside] = explainAll(level, [[9.6, 0, 10], [10, 2, 10], [10.1, 0, 10]]);
  assert.equal(near.reason, 'radius');
  assert.equal(near.figures.radius, 0.6);
  assert.ok(Math.abs(near.figures.distance - 0.4) < 0.26, `${near.figures.distance}`);
  assert.equal(near.figures.blocker, 'wall');
  assert.equal(side.reason, 'steep');
  assert.match(side.text, /Wall: slope 90°/);
  assert.equal(inside.reason, 'inside');
  assert.ok(Math.abs(inside.figures.height - 4) < 0.11);
});

test('tool: an island that is too small is lost with its region, and its size is told', () => {
  const level = join(makeGround(20), makeBox([8, 0, 8], [10.6, 4, 10.6]));
  const [island] = explainAll(level, [[9.3, 4, 9.3]], { minRegionSize: 12 });
  assert.equal(island.reason, 'region');
  assert.equal(island.figures.needed, 144);
  assert.ok(island.figures.cells > 8 && island.figures.cells < 100, `${island.figures.cells}`);
  assert.ok(Math.abs(island.figures.squareMetres - island.figures.cells / 16) < 1e-6);
  const [kept] = explainAll(level, [[9.3, 4, 9.3]], { minRegionSize: 2, mergeRegionSize: 0 });
  assert.equal(kept.reason, 'walkable');
});

test('tool: volumes and obstacles are named, and what their radius takes', () => {
  const volumes = [
    { kind: 'box', min: [2, -1, 2], max: [6, 1, 6], area: 0, label: 'Volume 1' },
    { kind: 'cylinder', base: [14, -0.1, 14], radius: 2, height: 2, area: 0, beforeErosion: true, origin: 'obstacle', label: 'Obstacle 7' },
    { kind: 'box', min: [12, -1, 2], max: [16, 1, 6], area: 5 },
  ];
  const ground = makeGround(20);
  const plain = { ...ground, volumes: volumes.map(({ origin, label, ...volume }) => volume) };
  const baker = walkmesh.createBaker(plain, { cellSize: 0.25, cellHeight: 0.1 });
  const record = recordTileNow(baker);
  baker.free();
  const [volume, obstacle, beside, mud] = [[4, 0, 4], [14, 0, 14], [14, 0, 16.3], [14, 0, 4]].map((point) => explain({ ...ground, volumes }, record, point));
  assert.equal(volume.reason, 'volume');
  assert.match(volume.text, /Volume 1/);
  assert.equal(obstacle.reason, 'obstacle');
  assert.match(obstacle.text, /Obstacle 7/);
  assert.equal(beside.reason, 'radius');
  assert.equal(beside.figures.blocker, 'volume');
  assert.equal(mud.reason, 'walkable');
  assert.equal(mud.area, 5);
});

test('tool: a low step is made walkable, and the trail says so', () => {
  // The side of the kerb is a steep wall; its top is 0.5 above the floor, which an agent can climb.
  const level = join(makeGround(20), { positions: [8, 0, 4, 8, 0.5, 4, 8, 0.5, 16, 8, 0, 16], indices: [0, 1, 2, 0, 2, 3] });
  const baker = walkmesh.createBaker(level, { cellSize: 0.25, cellHeight: 0.1 });
  const record = recordTileNow(baker);
  baker.free();
  const [answer] = [explain(level, record, [8.01, 0.5, 10])];
  assert.ok(['made', 'kept'].includes(answer.steps[0].outcome));
  assert.equal(record.solid.rasterized.some((area, span) => area === 0 && record.solid.lowHanging[span] !== 0), answer.steps[0].outcome === 'made');
});

test('tool: outside the bounds, and in the air', () => {
  const baker = walkmesh.createBaker(makeGround(20), { bounds: { min: [5, -1, 5], max: [15, 9, 15] } });
  const record = recordTileNow(baker);
  baker.free();
  const level = makeGround(20);
  assert.equal(explain(level, record, [2, 0, 10]).reason, 'outside');
  assert.equal(explain(level, record, [10, 50, 10]).reason, 'outside');
  assert.equal(explainOutside(record.voxels, 0.3, [10, 0, 10]), null);
  assert.equal(explain(level, record, [10, 6, 10]).reason, 'nothing');
  const [hole] = explainAll(join(makeGround(5), makeBox([15, 0, 15], [20, 1, 20])), [[10, 0, 3]]);
  assert.equal(hole.reason, 'nothing');
});

test('tool: every point of a level is told what the mesh says of it', () => {
  for (const [name, config] of [['city', { tileSize: 64 }], ['tower', { tileSize: 48 }], ['caves', { tileSize: 32, partition: 'monotone' }]]) {
    const level = readScene(name);
    const baker = walkmesh.createBaker(level, { cellSize: 0.3, ...config });
    const { tileCountX, tileCountZ } = baker.voxels;
    const reasons = new Map();
    let [checked, unlike] = [0, 0];
    for (const [x, z] of [[0, 0], [tileCountX >> 1, tileCountZ >> 1], [tileCountX - 1, tileCountZ - 1]]) {
      const record = recordTileNow(baker, x, z);
      assert.equal(record.failure, null);
      const { frame: { origin, cellSize }, voxels, config: { tileSize } } = record;
      for (let i = 0; i < 400; i++) {
        const cell = record.frame.border + (i * 7) % tileSize + (record.frame.border + (i * 13) % tileSize) * record.frame.width;
        const last = record.solid.first[cell + 1] - 1;
        if (last < record.solid.first[cell]) continue;
        const y = Math.min(origin[1] + record.solid.high[last] * record.frame.cellHeight, voxels.boundsMax[1]);
        const point = [origin[0] + ((i * 7) % tileSize + 0.5) * cellSize, y, origin[2] + ((i * 13) % tileSize + 0.5) * cellSize];
        const answer = explain(level, record, point);
        reasons.set(answer.reason, (reasons.get(answer.reason) ?? 0) + 1);
        if (answer.reason === 'outside') continue;
        checked++;
        if (answer.onMesh !== (answer.reason === 'walkable')) unlike++;
        assert.ok(answer.text.length > 5);
      }
    }
    baker.free();
    // Outlines are simplified: along them some points are on the mesh but not walkable, and some the reverse.
    assert.ok(checked > 300 && unlike < 0.12 * checked, `${name}: ${unlike} of ${checked}, ${JSON.stringify([...reasons])}`);
    assert.ok((reasons.get('walkable') ?? 0) > 20, JSON.stringify([...reasons]));
  }
});

test('tool: a ceiling of 1.2 m is said as 1.2 m, a wall 0.3 m away as 0.3 m, a floor at 0 as 0', () => {
  const level = join(makeGround(20), makeBox([2, 1.2, 2], [6, 1.4, 6]), makeBox([12.07, 0, 2], [12.4, 3, 18]));
  const [under, near, free] = explainAll(level, [[4, 0, 4], [11.77, 0, 10], [9, 0, 10]], { cellSize: 0.3, cellHeight: 0.2 });
  assert.equal(under.reason, 'headroom');
  assert.match(under.text, /^Low headroom: 1\.2 m, agent height 2 m/);
  assert.ok(Math.abs(under.headroom - 1.2) < 1e-6 && Math.abs(under.figures.room - 1.2) < 1e-6, `${under.headroom}`);
  assert.equal(near.reason, 'radius');
  assert.match(near.text, /^Too close to a wall: 0\.3 m away, agent radius 0\.6 m/);
  assert.ok(Math.abs(near.wall - 0.3) < 1e-5, `${near.wall}`);
  for (const { height } of [under, near, free]) assert.equal(height, 0);
  // A platform of 0.75 m is 7 cells of 0.1 m above the ground.
  const [edge] = explainAll(join(makeGround(30), makeBox([10, 0, 10], [20, 0.75, 20])), [[10.1, 0.75, 15]], { agentMaxClimb: 0.4 });
  assert.match(edge.text, /^Ledge: the ground beside it is 0\.75 m lower, max step height 0\.4 m/);
  assert.ok(Math.abs(free.wall - 3.07) < 1e-5, `${free.wall}`);
});

test('tool: what is known in cells only is said as a range', () => {
  // Beside a ledge only its cell is known; at the edge of a ceiling the cell has one, though the point has none.
  const level = join(makeGround(30), makeBox([10, 0, 10], [20, 3, 20]), makeBox([24.05, 1.2, 4], [28, 1.4, 8]));
  const [edge, side] = explainAll(level, [[10.5, 3, 15], [24.01, 0, 6]], { cellSize: 0.3, cellHeight: 0.2 });
  assert.equal(edge.reason, 'radius');
  const [, low, high] = /ledge: 3 m drop ([\d.]+) to ([\d.]+) m away/.exec(edge.text) ?? [];
  assert.ok(Number(low) <= 0.5 && Number(high) >= 0.5 && Number(high) - Number(low) < 0.61, edge.text);
  assert.equal(side.reason, 'headroom');
  assert.match(side.text, /^Low headroom in this cell: 1 to 1\.4 m/);
  assert.equal(side.headroom, Infinity);
});

/** Each cause that a configuration can mend: a level, a point with that cause, and the field that mends it. */
const MENDABLE = {
  steep: [join(makeGround(20), makeSlope(6, 6, 4, 59.5)), [8, 2 * Math.tan(59.5 * Math.PI / 180), 10], { agentMaxSlope: 60 }],
  headroom: [join(makeGround(20), makeBox([6, 1.72, 6], [14, 1.9, 14])), [10, 0, 10], { agentHeight: 1.6 }],
  ledge: [join(makeGround(30), makeBox([10, 0, 10], [20, 0.75, 20])), [10.1, 0.75, 15], { agentMaxClimb: 0.7 }],
  radius: [join(makeGround(20), makeBox([10, 0, 2], [10.2, 4, 18])), [9.44, 0, 10], { agentRadius: 0.5 }],
  region: [join(makeGround(20), makeBox([8, 0, 8], [10.6, 4, 10.6])), [9.3, 4, 9.3], { minRegionSize: 3 }],
};

for (const [reason, [level, point, fields]] of Object.entries(MENDABLE)) {
  test(`tool: the actions of "${reason}" make the point walkable`, () => {
    const config = { agentMaxClimb: reason === 'steep' ? 0.9 : 0.4, minRegionSize: 12 };
    const [before] = mendAll(level, [point], config);
    assert.equal(before.reason, reason);
    assert.deepEqual(before.mends[0].fields, fields, before.text);
    assert.ok(before.mends[0].label.length < 24 && before.mends[0].step.length > 0);
    for (const { fields: change } of before.mends) {
      const [after] = mendAll(level, [point], { ...config, ...change });
      assert.equal(after.reason, 'walkable', after.text);
      assert.deepEqual(after.mends, []);
    }
  });
}

test('tool: every action offered on the removed spots of a level makes its spot walkable', () => {
  const level = readScene('plaza');
  const config = { cellSize: 0.3, cellHeight: 0.2, agentMaxClimb: 0.4, minRegionSize: 10, tileSize: 48 };
  const baker = walkmesh.createBaker(level, config);
  const record = recordTileNow(baker, 1, 1);
  baker.free();
  const { frame: { width, depth, border, origin, cellSize, cellHeight }, solid } = record;
  const counts = {};
  let seed = 1;
  for (let cell = 0; cell < width * depth; cell++) {
    seed = (seed * 48271) % 2147483647;
    const [x, z] = [cell % width - border, Math.floor(cell / width) - border];
    if (seed % 13 !== 0 || x < 0 || z < 0 || x >= 48 || z >= 48) continue;
    for (let span = solid.first[cell]; span < solid.first[cell + 1]; span++) {
      const point = [origin[0] + (x + 0.5) * cellSize, origin[1] + solid.high[span] * cellHeight, origin[2] + (z + 0.5) * cellSize];
      const before = explainFully(level, record, point);
      for (const { fields } of before.mends) {
        const after = walkmesh.createBaker(level, { ...config, ...fields });
        // Smaller cells have smaller tiles.
        const { boundsMin, tileWorldSize } = after.voxels, [tileX, tileZ] = [0, 2].map((axis) => Math.floor((point[axis] - boundsMin[axis]) / tileWorldSize));
        const { reason, text } = explain(level, recordTileNow(after, tileX, tileZ), point);
        after.free();
        const name = `${before.reason} ${Object.keys(fields)}`;
        assert.equal(reason, 'walkable', `${name} at ${point}: ${before.text} ${JSON.stringify(fields)} -> ${text}`);
        counts[name] = (counts[name] ?? 0) + 1;
      }
    }
  }
  assert.ok(Object.values(counts).reduce((sum, count) => sum + count, 0) > 10, JSON.stringify(counts));
  assert.ok(Object.keys(counts).length >= 3, JSON.stringify(counts));
});

/** A flight of four steps with risers of 0.48 m on a floor. */
const makeFlight = () => makeBoxes([[[0, -0.5, 0], [16, 0, 8]], ...[1, 2, 3, 4].map((i) => [[2 + 0.8 * i, 0, 2], [12, 0.48 * i, 6]])]);

const HUMAN = { cellSize: 0.2, cellHeight: 0.1, agentRadius: 0.4, agentHeight: 1.8, agentMaxClimb: 0.4, tileSize: 48 };

test('tool: a step refused by the radius of a ledge beside it is first offered higher steps, not a smaller radius', () => {
  const level = makeFlight();
  const points = [1, 2, 3].map((i) => [2 + 0.8 * i + 0.5, 0.48 * i, 4]);
  for (const answer of mendAll(level, points, HUMAN)) {
    assert.equal(answer.reason, 'radius', answer.text);
    assert.equal(answer.figures.blocker, 'ledge');
    assert.equal(answer.mends[0].label, 'Allow steps of 0.5 m', JSON.stringify(answer.mends));
  }
  assert.ok(explainAll(level, points, { ...HUMAN, agentMaxClimb: 0.5 }).every(({ reason }) => reason === 'walkable'));
});

test('tool: near walls that cells round away, smaller cells are offered beside a smaller radius, if the level has room for them', () => {
  // A door of 0.9 m: cells of 0.2 m round 0.4 m to the walls up to 0.6 m in the worst place.
  const rooms = (/** @type {number} */ size, door = 0.9) => makeBoxes([[[0, -0.5, 0], [size, 0, 8]], [[6, 0, 0], [6.3, 3, 3]], [[6, 0, 3 + door], [6.3, 3, 8]]]);
  const labels = (/** @type {number} */ size, more = {}, door = 0.9) => mendAll(rooms(size, door), [[6.1, 0, 3 + door / 2]], { ...HUMAN, ...more })[0].mends.map(({ label, fields }) => `${label} ${Object.keys(fields)}`);
  assert.deepEqual(labels(14), ['Allow radius 0.2 m agentRadius', 'Use cells of 0.05 m cellSize']);
  assert.deepEqual(labels(14, { agentRadius: 0.45 }).filter((label) => label.includes('cells')), [], 'too wide for every cell size');
  assert.deepEqual(labels(14, { cellSize: 0.4 }, 1.2), ['Use cells of 0.2 m cellSize'], 'a radius of one cell');
  assert.ok(labels(14000).every((label) => !label.includes('cells')), 'too many cells');
});

test('tool: a cliff beside the spot has no action that does not help', () => {
  // A platform of 3 m: neither steps nor kept ledges make its edge walkable for this radius.
  const level = join(makeGround(30), makeBox([10, 0, 10], [20, 3, 20]));
  for (const { mends } of mendAll(level, [[10.1, 3, 15], [10.3, 3, 15]], HUMAN)) assert.deepEqual(mends, []);
});

test('tool: ceilings and undersides are not too steep: they face down', () => {
  // A table, a roof and a ramp of 60 degrees.
  const level = join(makeGround(20), makeBox([2, 2, 2], [8, 2.5, 8]), makeSlope(10, 6, 3, 60));
  const baker = walkmesh.createBaker(level, HUMAN);
  const facing = makeFacingBaker(walkmesh, level, baker);
  const tiles = [0, 1, 2].flatMap((x) => [0, 1, 2].map((z) => recordTileNow(baker, x, z, facing)));
  const blind = [0, 1, 2].flatMap((x) => [0, 1, 2].map((z) => recordTileNow(baker, x, z)));
  const count = (records, name) => records.reduce((sum, record) => sum + VIEWS[name](record, []).count, 0);
  const cells = 30 * 30;
  // The view leaves out what looks like the top of a wall, such as the edge of an underside: so all that is steep is counted.
  const countAll = (records, name) => records.reduce((sum, record) => sum + removalsOf(record, []).filter((code) => code === CODES_OF[name]).length, 0);
  assert.ok(countAll(blind, 'steep') > cells, 'without the facing they are');
  assert.ok(Math.abs(count(tiles, 'facesDown') - cells) < 0.2 * cells, `the underside: ${count(tiles, 'facesDown')}`);
  assert.ok(count(tiles, 'steep') >= 15 * 40 && count(tiles, 'steep') < 15 * 40 + 200, `the ramp, and the sides: ${count(tiles, 'steep')}`);
  assert.equal(countAll(tiles, 'steep') + countAll(tiles, 'facesDown'), countAll(blind, 'steep'));
  const under = explain(level, tiles[0], [5, 2, 5]);
  assert.equal(under.reason, 'facesDown');
  assert.match(under.text, /^Faces down: a ceiling or an underside\./);
  assert.equal(makeFacingBaker(walkmesh, makeGround(4), baker), null, 'no triangle faces down');
  baker.free();
  facing.free();
});

test('tool: the distance to the mesh is one figure, in the answer as in the list of facts', () => {
  const app = /** @type {any} */ ({ problems: { causes: { of: () => null } } });
  const explanation = /** @type {any} */ ({ reason: 'simplified', text: 'Cut off by the simplified outline of the mesh.', figures: { distance: 0.0149 } });
  const { text } = verdictFor(app, { point: [0, 0, 0], facts: null, nearest: { point: [0, 0, 0], distance: 0.0251 }, explanation, failure: null });
  assert.equal(text, `Cut off by the simplified outline of the mesh. The mesh is ${metres(0.0251)} away.`);
});

test('tool: at the border of a cut-off island the answer is what cuts it off, and nothing else', () => {
  const of = () => ({ text: 'Cut off by a step of 0.48 m: max step height 0.4 m.' });
  const explanation = /** @type {any} */ ({ reason: 'radius', text: 'Too close to a ledge: 0.48 m drop.' });
  const at = (/** @type {number} */ island) => verdictFor(/** @type {any} */ ({ problems: { causes: { of } } }),
    /** @type {any} */ ({ point: [0, 0, 0], facts: { island }, nearest: null, explanation, failure: null }));
  assert.deepEqual(at(3), { tone: 'fair', title: 'Walkable, but cut off', text: 'by a step of 0.48 m: max step height 0.4 m.' });
  assert.deepEqual(at(1), { tone: 'fair', title: 'Walkable, at the edge of the mesh', text: explanation.text });
});
