// The level tool's configuration: the library's fields, presets, suggestions, and tiles as triangles.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { CONFIG_FIELDS, load, readTile } from '../../js/index.js';
import { FIELD_GROUPS } from '../../web-demo/src/bake/config-table.js';
import { BufferAttribute, BufferGeometry } from 'three';
import { MeshBVH } from 'three-mesh-bvh';
import { explainFailure, withLabels } from '../../web-demo/src/bake/failure.js';
import { defaultToolConfig } from '../../web-demo/src/state/document.js';
import { PRESETS, countCells, findPreset, roundDown, suggest, suggestClimb } from '../../web-demo/src/bake/suggest.js';
import { chooseLevel, lastPart, WrongFiles } from '../../web-demo/src/level/choose-files.js';
import { findRisers } from '../../web-demo/src/level/find-risers.js';
import { makeBoxes } from './rooms.js';
import { ROOT, makeGround, readScene } from './support.js';

const walkmesh = await load();
const FIELDS = FIELD_GROUPS.flatMap(({ fields }) => fields);
const UNITS = ['m', 'degrees', 'cells', 'cell heights', ''];

/** The reason why a configuration is refused. @param {object} config */
function refusal(config) {
  try {
    walkmesh.createBaker(makeGround(10), config).free();
    return undefined;
  } catch (error) {
    assert.equal(error.code, 'configuration', error.stack);
    return error.field;
  }
}

test('tool configuration: every field of the library once, with a sentence of help', () => {
  assert.deepEqual(FIELDS.map(({ name }) => name).sort(), CONFIG_FIELDS.map(({ name }) => name).sort());
  for (const { label, help } of FIELDS) assert.match(`${label}: ${help}`, /^[A-Z][^:]+: [A-Z].+\.$/);
  assert.equal(new Set(FIELDS.map(({ label }) => label)).size, FIELDS.length, 'labels are told apart');
  for (const field of FIELDS) if (field.kind === 'number') assert.ok(UNITS.includes(field.unit), `${field.name}: lengths are in metres, not in ${field.unit}`);
});

test('tool configuration: no field of agents has the label of one of the configuration', () => {
  const agents = readFileSync(join(ROOT, 'web-demo', 'src', 'crowd', 'crowd-panel.js'), 'utf8');
  assert.match(agents, /'radius', 'Radius', 'm'/);
  for (const { label } of FIELDS) assert.ok(!agents.includes(`'${label}'`), label);
});

test('tool configuration: ranges are those that the library checks', () => {
  for (const field of FIELDS) {
    if (field.kind !== 'number') continue;
    const { name, min, max, orZero } = field;
    const below = min === 0 ? -1e-3 : min / 2;
    const isWhole = ['chunkSize', 'maxVerticesPerPolygon', 'tileSize'].includes(name);
    assert.equal(refusal({ [name]: isWhole ? Math.floor(min) - 1 : below }), name, `${name} below ${min}`);
    assert.equal(refusal({ [name]: isWhole ? max + 1 : max * 1.001 }), name, `${name} above ${max}`);
    if (orZero) assert.equal(refusal({ [name]: 0 }), undefined, `${name} 0`);
    // A value in range may be refused because of other fields, but not for its own range.
    if (!['cellSize', 'cellHeight', 'agentHeight', 'agentRadius', 'agentMaxClimb'].includes(name)) {
      for (const value of [min, max]) assert.equal(refusal({ [name]: value }), undefined, `${name} ${value}`);
    }
  }
});

test('tool configuration: a bake that fails is told in labels, without names of fields, and its action lets it bake', () => {
  const level = makeGround(40);
  const bounds = { min: [0, 0, 0], max: [40, 0, 40] };
  const far = { positions: level.positions.map((value) => value + 4e6), indices: level.indices };
  const tower = { positions: Float32Array.of(...level.positions, 0, 100, 0, 0, 100, 1, 1, 100, 0), indices: Uint32Array.of(...level.indices, level.positions.length / 3, level.positions.length / 3 + 1, level.positions.length / 3 + 2) };
  const around = ({ positions }) => ({ min: [0, 1, 2].map((k) => Math.min(...positions.filter((_, i) => i % 3 === k))), max: [0, 1, 2].map((k) => Math.max(...positions.filter((_, i) => i % 3 === k))) });
  const cases = [
    [{ agentRadius: -1 }], [{ agentMaxSlope: 100 }], [{ maxVerticesPerPolygon: 9 }], [{ detailSampleDistance: 0.5 }], [{ tileSize: 4 }],
    [{ agentMaxClimb: 5 }], [{ agentHeight: 500 }], [{ agentRadius: 500 }], [{ cellSize: 1e-5, tileSize: 0 }], [{ cellSize: 1e-6, tileSize: 32 }], [{ cellSize: 0.003, tileSize: 0 }],
    [{ cellSize: 90 }], [{ cellSize: 0.2 }, far], [{ cellHeight: 0.001 }, tower], [{ bounds: { min: [5, 0, 5], max: [1, 1, 1] } }],
  ];
  for (const [fields, shape = level] of cases) {
    const config = { ...defaultToolConfig(), agentMaxClimb: 0.4, ...fields };
    let failed;
    try {
      walkmesh.createBaker(shape, config).free();
    } catch (error) {
      failed = error;
    }
    assert.ok(failed, JSON.stringify(fields));
    const { text, fix } = explainFailure(failed, config, shape === level ? bounds : around(shape));
    assert.match(text, /^[A-Z].+\.$/, JSON.stringify(fields));
    assert.doesNotMatch(text, /[a-z][A-Z]|GiB|extents/, text);
    assert.ok(fix, `${JSON.stringify(fields)}: ${text}`);
    assert.ok(fix.label.length < 34, fix.label);
    const mended = { ...config, ...fix.fields };
    if (mended.bounds === undefined) delete mended.bounds;
    walkmesh.createBaker(shape, mended).free();
  }
  const cells = explainFailure({ message: 'agentRadius covers 400 cells', field: 'agentRadius' }, { ...defaultToolConfig(), cellSize: 0.001 }, bounds);
  assert.equal(cells.field, 'cellSize', 'the radius was not touched');
  assert.equal(cells.text, 'Cell size 0.001 m is too small: an agent radius of 0.4 m may be at most 127 cells.');
  const point = explainFailure({ message: 'the level is only 0 wide on z', field: 'cellSize' }, defaultToolConfig(), { min: [3, 3, 3], max: [3, 3, 3] });
  assert.deepEqual(point, { text: 'The level is only 0 m wide. Is its scale 0?', fix: null }, 'no cell size fits');
  const wide = explainFailure({ message: 'agentRadius covers 5000000 cells', field: 'agentRadius' }, { ...defaultToolConfig(), agentRadius: 1e6 }, bounds);
  assert.deepEqual([wide.text, wide.fix?.fields], ['Agent radius 1000000 m is too large for a level 40 m wide.', { agentRadius: 0.4 }], 'no cell size of 8,000 m');
  assert.equal(withLabels('the level is too small: raise cellSize or tileSize'), 'The level is too small: raise cell size or tile size');
});

test('tool configuration: presets and suggestions bake without a warning of the configuration', () => {
  const level = { min: [0, 0, 0], max: [40, 3, 40] };
  for (const { id, agent } of PRESETS) {
    assert.equal(findPreset(agent)?.id, id);
    const { config, text } = suggest(level, agent);
    assert.match(text, /^Cell size .+\. Cell height .+\. Tile size \d+: /);
    const { navMesh, report } = walkmesh.bake(makeGround(40), { ...agent, ...config });
    assert.deepEqual(report.warnings, [], id);
    assert.ok(report.counts.polygons > 0);
    navMesh.free();
  }
});

test('tool configuration: suggestions are bounded by the size of the level', () => {
  const { agent } = PRESETS[0];
  let seed = 7;
  const random = () => (seed = (seed * 48271) % 0x7fffffff) / 0x7fffffff;
  for (let i = 0; i < 500; i++) {
    const side = 10 ** (-1 + 6 * random());
    const bounds = { min: [5, -3, 9], max: [5 + side, -3 + side * random(), 9 + side * (0.01 + random())] };
    const radius = i % 7 === 0 ? 0 : 10 ** (-2 + 3 * random());
    const { config, text } = suggest(bounds, { ...agent, agentRadius: radius });
    assert.ok(countCells(bounds, config) <= 12e6 * 1.001, `${JSON.stringify(bounds)}: ${config.cellSize}`);
    assert.ok(config.cellSize > 0 && config.cellHeight > 0 && (bounds.max[1] - bounds.min[1]) / config.cellHeight < 65533);
    assert.ok(!/NaN|Infinity|undefined/.test(text), text);
  }
  assert.match(suggest({ min: [0, 0, 0], max: [60_000, 400, 60_000] }, agent).text, /centimetres/);
  assert.deepEqual([0.2, 0.19, 0.26, 1, 9.9, 1234, 0.07].map(roundDown), [0.2, 0.15, 0.25, 1, 8, 1000, 0.06]);
});

/** The risers that the tool finds in a level. */
function risersOf(level) {
  const geometry = new BufferGeometry().setAttribute('position', new BufferAttribute(level.positions, 3)).setIndex(new BufferAttribute(level.indices, 1));
  return findRisers(level, new MeshBVH(geometry, { indirect: true }));
}

test('tool configuration: risers of 0.48 m are found, however the steps are made, and the suggested step height climbs them', () => {
  const { agent } = PRESETS[0];
  const floor = [[0, -0.5, 0], [20, 0, 8]];
  const flight = (/** @type {number} */ rise, /** @type {(i: number) => number} */ low) => [1, 2, 3, 4].map((i) => [[2 + 0.9 * i, low(i), 2], [12, rise * i, 6]]);
  // Boxes from the floor up, whose sides are taller than their risers; slabs with nothing between them; and a crate and a kerb beside the stairs.
  const levels = { boxes: flight(0.48, () => 0), slabs: flight(0.48, (i) => 0.48 * i - 0.1) };
  for (const [name, steps] of Object.entries(levels)) {
    const risers = risersOf(makeBoxes([floor, ...steps, [[15, 0, 2], [16, 0.9, 3]], [[17, 0, 2], [19, 0.55, 3]]]));
    assert.deepEqual(risers.map(({ height }) => Number(height.toFixed(3))), [0.48], name);
    assert.ok(risers[0].count >= 4);
    const climb = suggestClimb(risers, agent, 0.1);
    assert.equal(climb?.agentMaxClimb, 0.5, name);
    assert.equal(suggestClimb(risers, { ...agent, agentMaxClimb: 0.5 }, 0.1), null, 'the agent climbs them');
  }
  assert.deepEqual(risersOf(makeBoxes([floor, [[2, 0, 2], [4, 0.48, 4]], [[6, 0, 2], [8, 0.48, 4]]])), [], 'crates are no stairs');
  assert.equal(suggestClimb(risersOf(makeBoxes([floor, ...flight(1, () => 0)])), agent, 0.1), null, 'too high for a human');
  assert.deepEqual(risersOf(readScene('tower')).map(({ height }) => Number(height.toFixed(2))), [0.16]);
});

test('tool levels: which of several files are the level', () => {
  const file = (name, size = 1) => ({ name, size });
  const names = ({ main, others }) => [main.name, ...others.map(({ name }) => name)].join();
  assert.equal(names(chooseLevel([file('a.mtl'), file('a.OBJ'), file('a.png')])), 'a.OBJ');
  assert.equal(names(chooseLevel([file('b.bin'), file('b.gltf'), file('b.png')])), 'b.gltf,b.bin,b.png');
  assert.equal(names(chooseLevel([file('c.glb')])), 'c.glb');
  const wrong = [[[], [], /No file was dropped/], [[], ['castle'], /castle is a folder/], [[file('x.fbx')], [], /x\.fbx isn't a supported level\. Use OBJ, GLB, or glTF/],
    [[file('a.obj'), file('b.glb')], [], /2 levels \(a\.obj, b\.glb\)/], [[file('a.obj', 0)], [], /a\.obj is empty/],
    [[1, 2, 3, 4, 5].map((i) => file(`${i}.png`)), [], /1\.png, 2\.png, 3\.png and 2 more aren't supported levels/]];
  for (const [files, folders, message] of wrong) {
    assert.throws(() => chooseLevel(files, folders), (error) => error instanceof WrongFiles && message.test(error.message));
  }
  assert.deepEqual(['a/b/c%20d.bin', 'c d.bin', 'x.bin?v=1', '%zz.bin'].map(lastPart), ['c d.bin', 'c d.bin', 'x.bin', '%zz.bin']);
});

test('tool preview: the triangles of a tile are its surface', async () => {
  const { listTriangles } = await import('../../web-demo/src/bake/tile-triangles.js');
  const { navMesh } = walkmesh.bake(readScene('stairs'), { tileSize: 64 });
  let area = 0;
  for (const { bytes } of navMesh.tiles()) {
    const triangles = listTriangles(readTile(bytes));
    for (let i = 0; i < triangles.length; i += 9) {
      const [ux, uz, vx, vz] = [3, 5, 6, 8].map((k) => triangles[i + k] - triangles[i + (k % 3)]);
      assert.ok(uz * vx - ux * vz > -1e-3, 'faces up');
      area += (uz * vx - ux * vz) / 2;
    }
  }
  // The polygons' own sizes, seen from above.
  let expected = 0;
  for (const { vertices, isOffMesh } of navMesh.polygons()) {
    for (let i = 3; !isOffMesh && i + 3 < vertices.length; i += 3) {
      const [ux, uz, vx, vz] = [i, i + 2, i + 3, i + 5].map((k) => vertices[k] - vertices[k % 3]);
      expected += (uz * vx - ux * vz) / 2;
    }
  }
  assert.ok(expected > 10 && Math.abs(area - expected) < 1e-3 * expected, `${area}, not ${expected}`);
  navMesh.free();
});
