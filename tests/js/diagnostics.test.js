// The report of a bake: counts, times and memory by stage, and each warning by a level that causes it and one that
// does not.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { STAGES, load } from '../../js/index.js';
import { BakeLog } from '../../js/bake/bake-report.js';
import { bakeTile } from '../../js/bake/bake-tile.js';
import { joinLevels, makeGround, readScene } from './support.js';

const walkmesh = await load();

/** A level that is moved. */
const move = ({ positions, indices }, x, y = 0, z = 0) => ({ positions: positions.map((v, i) => v + [x, y, z][i % 3]), indices });
/** A level that is turned upside down. */
const flip = ({ positions, indices }) => ({ positions, indices: indices.slice().reverse() });
/** A strip of floor along z. */
const makeStrip = (x, width, depth = 20) => ({
  positions: Float32Array.of(x, 0, 0, x, 0, depth, x + width, 0, depth, x + width, 0, 0), indices: Uint32Array.of(0, 1, 2, 0, 2, 3) });

/** Squares of floor, `side` wide, `pitch` apart, `count` on x and z. */
function makeIslands(count, side, pitch) {
  const positions = new Float32Array(12 * count * count);
  const indices = new Uint32Array(6 * count * count);
  for (let i = 0; i < count * count; i++) {
    const [x, z] = [pitch * (i % count), pitch * Math.floor(i / count)];
    positions.set([x, 0, z, x, 0, z + side, x + side, 0, z + side, x + side, 0, z], 12 * i);
    indices.set([0, 1, 2, 0, 2, 3].map((index) => 4 * i + index), 6 * i);
  }
  return { positions, indices };
}

const ground = makeGround();
const steep = { positions: Float32Array.of(0, 0, 0, 0, 0, 5, 1, 10, 5, 1, 10, 0), indices: Uint32Array.of(0, 1, 2, 0, 2, 3) };
const corridors = (width, count) => Array.from({ length: count }, (_, i) => makeStrip(3 * i, width)).reduce(joinLevels);
const ceiling = (y) => joinLevels(ground, flip(makeGround(10, y)));
/** Settings for islands of four vertices each. */
const tiny = { cellSize: 1, agentRadius: 0, minRegionSize: 0, mergeRegionSize: 0, partition: 'monotone', detailSampleDistance: 0, filterLedges: false };

/** The text of each warning, levels and configurations that cause it, and similar ones that do not. */
const WARNINGS = {
  mostlyFacesDown: [/most triangles face down/, [joinLevels(ground, flip(move(makeGround(40), 20)))], [joinLevels(ground, flip(move(ground, 20)))]],
  nothingWalkable: [/every triangle is steeper than agentMaxSlope \(45 degrees\)/, [steep], [steep, { agentMaxSlope: 85, agentRadius: 0 }]],
  radiusOverLevel: [/the level is narrower than twice agentRadius \(6\)/, [ground, { agentRadius: 6 }], [ground, { agentRadius: 4 }]],
  cellOverRadius: [/cellSize \(0\.3\) exceeds agentRadius \(0\.2\)/, [ground, { agentRadius: 0.2 }], [ground, { agentRadius: 0.3 }]],
  climbBelowCell: [/agentMaxClimb \(0\.1\) is below cellHeight \(0\.2\)/, [ground, { agentMaxClimb: 0.1 }], [ground, { agentMaxClimb: 0.2 }]],
  degenerateTriangles: [/ignored 1 triangle with zero area/, [{ ...ground, indices: Uint32Array.of(...ground.indices, 1, 1, 2) }], [ground]],
  lowAgent: [/agentHeight \(0\.5\) is below 3 times cellHeight \(0\.2\): .* rounds up to 0\.6/, [ground, { agentHeight: 0.5, agentMaxClimb: 0.4 }],
    [ground, { agentHeight: 0.6, agentMaxClimb: 0.4 }]],
  farFromOrigin: [/the level reaches 100000 from the origin, where positions are rounded to 0\.00781/, [move(ground, 1e5)], [move(ground, 1e4)]],
  farBelowOrigin: [/the level reaches 60000 from the origin/, [move(ground, 0, -6e4)], [move(ground, 0, -6e3)]],
  smallTiles: [/tileSize \(8 cells\) is less than the borders on both sides of a tile \(10\)/, [ground, { tileSize: 8 }], [ground, { tileSize: 16 }]],
  lostCell: [/^agentMaxClimb \(0\.9\) is 2 cells of cellHeight \(0\.3\), not 3 \(float32\)\. Write 0\.900009$/,
    [ground, { cellHeight: 0.3 }], [ground, { cellHeight: 0.3, agentMaxClimb: 0.8 }]],
  outsideBounds: [/no triangle or solid lies within bounds/, [ground, { bounds: { min: [20, 0, 20], max: [30, 5, 30] } }],
    [ground, { bounds: { min: [5, 0, 5], max: [30, 5, 30] } }]],
  noHeadroom: [/nothing is walkable: headroom is below agentHeight \(2\)/, [ceiling(1.5)], [ceiling(3)]],
  radiusTakesAll: [/agentRadius \(0\.6\) removes the whole surface; passages narrower than 1\.2 are closed/,
    [corridors(1, 5)], [corridors(2.5, 5)]],
  radiusTakesMost: [/agentRadius \(0\.6\) leaves \d+ % of the walkable surface: passages narrower than 1\.2/,
    [joinLevels(corridors(1, 20), move(makeGround(7), 70))], [joinLevels(corridors(1, 2), move(makeGround(20), 20))]],
  smallRegions: [/regions smaller than minRegionSize \(8 cells on a side\) were removed/, [makeIslands(3, 2, 10), { agentRadius: 0 }],
    [makeIslands(3, 4, 10), { agentRadius: 0 }]],
  nearVertexLimit: [/a tile has 5\d\d\d\d of at most 65533 vertices: set tileSize, or lower it/, [makeIslands(118, 3, 5), tiny],
    [makeIslands(118, 3, 5), { ...tiny, tileSize: 256 }]],
};

function warningsOf(geometry, config = {}) {
  const { navMesh, report } = walkmesh.bake(geometry, config);
  navMesh.free();
  return report.warnings;
}

for (const [name, [text, cause, noCause]] of Object.entries(WARNINGS)) {
  test(`diagnostics: ${name}`, () => {
    const warnings = warningsOf(...cause);
    assert.equal(warnings.filter((warning) => text.test(warning)).length, 1, `${warnings.join('\n')}`);
    for (const warning of warnings) assert.doesNotMatch(warning, /\n|NaN|undefined/);
    assert.ok(!warningsOf(...noCause).some((warning) => text.test(warning)), `${warningsOf(...noCause)}`);
  });
}

test('diagnostics: lengths that are one cell more or less than meant are named, and the length to write instead works', () => {
  const lengths = [['agentMaxClimb', 'cellHeight', 'walkableClimb'], ['agentRadius', 'cellSize', 'walkableRadius'],
    ['agentHeight', 'cellHeight', 'walkableHeight'], ['maxEdgeLength', 'cellSize', 'maxEdgeCells']];
  const prepare = (config) => {
    const baker = walkmesh.createBaker(ground, { agentRadius: 0, agentMaxClimb: 0, agentHeight: 60, cellSize: 1, cellHeight: 0.5, ...config });
    const facts = { voxels: baker.voxels, told: baker.warnings.filter((warning) => warning.includes('float32')) };
    baker.free();
    return facts;
  };
  const seen = {};
  for (const [name, unit, cells] of lengths) {
    for (const size of [0.1, 0.16, 0.3, 1.1]) {
      for (let wanted = 1; wanted <= 19; wanted++) {
        const length = Number((wanted * size).toFixed(6)), config = { [unit]: size, ...unit === 'cellHeight' && { agentHeight: 60.5 * size }, [name]: length };
        const { voxels, told } = prepare(config);
        assert.equal(told.length, Number(voxels[cells] !== wanted), `${name} ${length}: ${voxels[cells]} of ${wanted} cells: ${told}`);
        if (told.length === 0) continue;
        seen[name] = true;
        const better = Number(/Write (.*)$/.exec(told[0])[1]), again = prepare({ ...config, [name]: better });
        assert.deepEqual([again.voxels[cells], again.told], [wanted, []], told[0]);
        assert.ok(told[0].startsWith(`${name} (${length}) is ${voxels[cells]} cells of ${unit} (${size}), not ${wanted} (float32)`) && Math.abs(better - length) < 1e-4 * length, told[0]);
      }
    }
  }
  assert.deepEqual(Object.keys(seen), lengths.map(([name]) => name), 'each length has a case');
});

/** A floor of squares, of which each `every`-th faces down. @param {number} every @param {'y' | 'z'} [upAxis] */
function makeMixedFloor(every, upAxis = 'y') {
  const positions = [], indices = [];
  for (let square = 0; square < 400; square++) {
    const [x, z] = [4 * (square % 20), 4 * Math.floor(square / 20)], first = positions.length / 3;
    for (const [px, pz] of [[x, z], [x, z + 4], [x + 4, z + 4], [x + 4, z]]) positions.push(...(upAxis === 'y' ? [px, 0, pz] : [px, -pz, 0]));
    const corners = square % every === 0 ? [0, 2, 1, 0, 3, 2] : [0, 1, 2, 0, 2, 3];
    indices.push(...corners.map((corner) => first + corner));
  }
  return { positions, indices, upAxis };
}

test('diagnostics: ground of which a part faces down is told with its share, also with z up; a ceiling and crates are no such ground', async () => {
  const walkmesh = await load();
  const warningsOf = (/** @type {import('../../js/index.js').Geometry} */ level) => {
    const { navMesh, report } = walkmesh.bake(level);
    navMesh.free();
    return report.warnings;
  };
  for (const upAxis of /** @type {const} */ (['y', 'z'])) {
    for (const every of [3, 7]) {
      const [warning, ...others] = warningsOf(makeMixedFloor(every, upAxis));
      const [, share] = /^about (\d+) % of the ground faces down \(flipped winding\) and has no mesh: swap two indices of each of its triangles$/.exec(warning) ?? [];
      assert.ok(Math.abs(Number(share) - 100 / every) < 5, `${warning}: every ${every} with ${upAxis} up`);
      assert.deepEqual(others, []);
    }
    assert.deepEqual(warningsOf(makeMixedFloor(Infinity, upAxis)), warningsOf(makeMixedFloor(401, upAxis)));
  }
  const floor = makeGround(20), ceiling = makeGround(20, 5);
  const room = joinLevels(floor, { positions: ceiling.positions, indices: Array.from(ceiling.indices).reverse() });
  assert.deepEqual(warningsOf(room), []);
});

test('diagnostics: levels that are as they should be have no warnings', () => {
  for (const scene of ['plaza', 'stairs', 'maze', 'city']) {
    assert.deepEqual(warningsOf(readScene(scene)), [], scene);
    assert.deepEqual(warningsOf(readScene(scene), { tileSize: 64 }), [], `${scene} in tiles`);
  }
});

test('diagnostics: connections that meet no mesh are named, with the end, by every way to bake', async () => {
  const jump = (start, end, radius = 1) => ({ start, end, radius });
  const level = { ...makeGround(40), offMeshConnections: [jump([5, 0, 5], { x: 30, y: 0, z: 30 }), jump([5, 0, 5], [30, 9, 30]),
    jump([5, 9, 5], [30, 0, 30]), jump([-9, 0, 5], [30, 0, 90]), jump([39.9, 0, 39.9], [20, 0, 20], 0.1)] };
  const expected = [/^offMeshConnections\[1\] isn't connected: no mesh lies within its radius \(1\) of its end \(30, 9, 30\)$/,
    /^offMeshConnections\[2\] .* of its start \(5, 9, 5\)$/, /^offMeshConnections\[3\] .* of its start \(-9, 0, 5\)/,
    /^offMeshConnections\[4\] .* \(0\.1\) of its start \(39\.9, 0, 39\.9\)$/];
  const check = ({ navMesh, report }) => {
    navMesh.free();
    assert.equal(report.warnings.length, expected.length, report.warnings.join('\n'));
    expected.forEach((text, i) => assert.match(report.warnings[i], text));
  };
  check(walkmesh.bake(level));
  check(walkmesh.bake(level, { tileSize: 32 }));
  check(await walkmesh.bakeAsync(level, {}, { workers: 0 }));
  check(await walkmesh.bakeTiled(level, { tileSize: 32 }, { workers: 1 }));
  const good = { ...level, offMeshConnections: level.offMeshConnections.slice(0, 1) };
  const { navMesh, report } = walkmesh.bake(good, { tileSize: 32 });
  assert.deepEqual(report.warnings, []);
  check({ navMesh, ...await walkmesh.rebake(navMesh, level, { workers: 0 }) });
  const many = { ...level, offMeshConnections: Array.from({ length: 50 }, (_, i) => jump([5, 0, 5], [30, 9, i / 2])) };
  const told = warningsOf(many);
  assert.equal(told.length, 6);
  assert.equal(told[5], "45 more of offMeshConnections aren't connected");
});

test('diagnostics: a baker tells before the first tile what the input alone tells', () => {
  const baker = walkmesh.createBaker(corridors(1, 5), { agentMaxClimb: 0.1 });
  assert.equal(baker.warnings.length, 1);
  assert.match(baker.warnings[0], /agentMaxClimb/);
  baker.free();
});

test('diagnostics: times, memory and counts by stage', () => {
  const { navMesh, report } = walkmesh.bake(readScene('plaza'), { tileSize: 48 });
  assert.deepEqual(Object.keys(report.stages), [...STAGES]);
  assert.deepEqual(Object.keys(report.memory.stages), [...STAGES]);
  const { peakBytes, stages } = report.memory;
  for (const stage of STAGES) assert.ok(stages[stage] > 0 && stages[stage] <= peakBytes, `${stage}: ${stages[stage]} of ${peakBytes}`);
  assert.ok(peakBytes <= report.memory.wasmBytes);
  const { counts, tiles } = report;
  assert.ok(counts.solidSpans > counts.openSpans && counts.openSpans > counts.walkableSpans && counts.walkableSpans > 0);
  const { vertices, polygons, bytes, x, z } = tiles.largest;
  const largest = navMesh.tiles().find((tile) => tile.x === x && tile.z === z);
  assert.equal(largest.bytes.length, bytes);
  assert.equal(largest.polygons, polygons);
  assert.ok(vertices >= counts.vertices / tiles.built);
  navMesh.free();
});

test('diagnostics: the sum of tiles does not depend on their order', () => {
  const baker = walkmesh.createBaker(readScene('plaza'), { tileSize: 32 });
  const logs = [];
  for (let z = 0; z < baker.voxels.tileCountZ; z++) {
    for (let x = 0; x < baker.voxels.tileCountX; x++) logs.push(bakeTile(baker, x, z).log);
  }
  const sum = (list) => {
    const log = new BakeLog();
    list.forEach((item) => log.add(structuredClone(item)));
    const { stages, ...report } = log.report(baker, { milliseconds: 0, peakBytes: 0, wasmBytes: 0 });
    return report;
  };
  assert.deepEqual(sum(logs.toReversed?.() ?? [...logs].reverse()), sum(logs));
  baker.free();
});
