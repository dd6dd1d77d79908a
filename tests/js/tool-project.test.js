// Projects of the level tool: files that are written and read again, damaged ones, those of newer versions; sizes that the tool
// chose; import settings.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { levelFacing, parseObj } from '../../js/level/index.js';
import { defaultDocument, defaultView } from '../../web-demo/src/state/document.js';
import { chooseFor, idOf, recordSuggestion } from '../../web-demo/src/bake/chosen.js';
import { suggest } from '../../web-demo/src/bake/suggest.js';
import { applyImport, changedSettings, isImport, suggestImport } from '../../web-demo/src/level/import-settings.js';
import { SCENES } from '../../web-demo/src/level/scenes.js';
import { readProject, writeProject } from '../../web-demo/src/project/project-file.js';
import { countWork, hasWork, nameWork } from '../../web-demo/src/project/work.js';
import { readHash, writeHash } from '../../web-demo/src/state/url.js';
import { makeRandom } from './random.js';
import { ROOT, makeGround, readScene } from './support.js';

/** A document with one of everything. */
function makeWork() {
  const document = defaultDocument();
  Object.assign(document.config, { cellSize: 0.17, partition: 'layers', bounds: { min: [0, -1, 0], max: [9, 9, 9] } });
  return Object.assign(document, {
    level: { kind: 'file', name: 'ein Haus – 🏠.glb', key: '00112233aabbccdd', import: { unit: 'cm', upAxis: 'z' } },
    volumes: [{ id: 4, shape: { kind: 'prism', vertices: [0, 0, 0, 4, 0, 0, 4, 0, 4], minY: -1, maxY: 2 }, area: 3 }],
    obstacles: [{ id: 1, shape: { kind: 'sphere', centre: [1, 2, 3], radius: 1 }, area: 0, moving: { path: 'line', to: [5, 5, 5], speed: 1, rest: 2 } }],
    connections: [{ id: 2, start: [0, 1, 2], end: [3, 4, 5], radius: 1, bidirectional: true, enabled: false, area: 5 }],
    doors: [{ id: 7, name: 'gate', shape: { kind: 'box', min: [2, -1, 14], max: [6, 2, 16] }, open: false }],
    places: { path: { start: [1, 2, 3] }, playStart: { point: [4, 0, 5.5] } },
  });
}
const VIEW = { ...defaultView(), tool: 'path', clip: 2.5, camera: { position: [1, 2, 3], target: [0, 0, 0] } };

const toJson = async (document, view = VIEW) => JSON.parse(await writeProject(document, view).text());
const read = (given, name = 'a.walkmesh-project') => readProject(given instanceof Blob ? given : new Blob([typeof given === 'string' ? given : JSON.stringify(given)]), name);

test('project: everything comes back, with and without the level', async () => {
  const document = makeWork();
  const plain = await read(writeProject(document, VIEW));
  assert.deepEqual(plain, { document, view: VIEW, files: [], unknown: [] });
  const files = [{ name: 'a.gltf', blob: new Blob(['{ "asset": 1 }']) }, { name: 'a.bin', blob: new Blob([Uint8Array.of(0, 1, 0, 255)]) }, { name: 'empty.bin', blob: new Blob() }];
  const { files: found, ...rest } = await read(writeProject(document, VIEW, files));
  assert.deepEqual(rest, { document, view: VIEW, unknown: [] });
  const contents = (list) => Promise.all(list.map(async ({ name, blob }) => [name, [...new Uint8Array(await blob.arrayBuffer())]]));
  assert.deepEqual(await contents(found), await contents(files));
  assert.deepEqual((await readHash(await writeHash(document, VIEW))).document, document, 'an address holds it, too');
});

test('project: fields of a newer version are named, kept, and saved again', async () => {
  const newer = await toJson(makeWork());
  newer.document.config.agentSwims = true;
  newer.document.obstacles[0].weight = 3;
  newer.document.obstacles.push({ id: 2, shape: { kind: 'torus', inner: 1 }, area: 0 });
  newer.document.routes = [[1, 2], { deep: [null] }];
  Object.assign(newer, { author: { name: 'x' } });
  newer.view.fieldOfView = 50;
  const { document, view, unknown } = await read(newer);
  assert.deepEqual(unknown.sort(), ['author', 'config.agentSwims', 'obstacles 1.weight', 'obstacles 2', 'routes', 'view.fieldOfView']);
  assert.deepEqual([document.config, document.obstacles], [makeWork().config, makeWork().obstacles], 'nothing unknown reaches the bake');
  assert.deepEqual(await toJson(document, view), newer);
  // An address, and so a reload, keeps them, too.
  assert.deepEqual(await toJson((await readHash(await writeHash(document, view))).document, view), newer);
  // An object that got the unknown one's id, and one that was deleted.
  const changed = structuredClone(document);
  changed.obstacles = [{ id: 2, shape: { kind: 'sphere', centre: [0, 0, 0], radius: 1 }, area: 0 }];
  const saved = (await toJson(changed, view)).document.obstacles;
  assert.deepEqual(saved, [changed.obstacles[0], { ...newer.document.obstacles[1], id: 3 }]);
});

test('project: what is wrong is named, and a newer format is refused', async () => {
  const good = await toJson(makeWork());
  const change = (edit) => {
    const copy = structuredClone(good);
    edit(copy, copy.document);
    return copy;
  };
  const item = (list, patch) => change((_, document) => Object.assign(document[list][0], patch));
  for (const [given, message] of [
    ['', /a\.walkmesh-project is empty/], ['hello', /isn't a project/], ['[1]', /isn't a project/], ['{}', /isn't a project/],
    ['{ "format": "walkmesh-project", "version": 1, ', /is truncated/], ['{ "format": x }', /isn't valid JSON/],
    [new Blob([Uint8Array.of(0x7b, 0xff, 0xfe)]), /its text is damaged/],
    [change((project) => { project.version = 2; }), /saved by a newer level tool \(version 2; this page reads 1\)\. Update the tool/],
    [change((project) => { project.version = 'x'; }), /has version "x": must be a number/],
    [change((project) => { delete project.document; }), /has no document/],
    [change((_, document) => { document.level = { kind: 'planet', name: 'x' }; }), /names no level/],
    [change((_, document) => { document.level.import.scale = -1; }), /has level .*import settings in range/],
    [change((_, document) => { document.config.cellSize = '0.3'; }), /has config\.cellSize "0\.3": must be a number/],
    [JSON.stringify(good).replace('"cellSize":0.17', '"cellSize":1e999'), /has config\.cellSize Infinity: must be a finite number/],
    [JSON.stringify(good).replace('"cellSize":0.17', '"cellSize":NaN'), /isn't valid JSON/],
    [change((_, document) => { document.config.partition = 'x'; }), /has config\.partition "x": must be one of watershed/],
    [change((_, document) => { document.config.bounds.min = [1, 2]; }), /has config\.bounds .* "max": \[x, y, z\]/],
    [change((_, document) => { document.volumes = {}; }), /has volumes \{\}: must be a list/],
    [change((_, document) => { document.obstacles.push(document.obstacles[0]); }), /obstacles\[1\] with the id of another one: 1/],
    [item('obstacles', { id: 0 }), /obstacles\[0\] .*needs an id of 1 or more/],
    [item('volumes', { area: 64 }), /volumes\[0\] \(id 4\) with a wrong field/],
    [item('connections', { start: [1, null, 2] }), /connections\[0\] \(id 2\) with a wrong field/],
    [item('doors', { open: 1 }), /doors\[0\] \(id 7\) with a wrong field/],
    [item('obstacles', { shape: { kind: 'sphere', centre: [1, 2, 3] } }), /obstacles\[0\] \(id 1\) with a wrong field/],
    [change((_, document) => { document.areas[1].cost = -1; }), /has areas .*a cost and walkable/],
    [change((_, document) => { document.places = []; }), /has places \[\]: must be an object/],
    [change((project) => { project.files = 3; }), /has files 3: must be a list/],
    [change((project) => { project.files = [{ name: 'x', size: -1 }]; }), /files\[0\] .*needs a name and a size/],
    [change((project) => { project.files = [{ name: 'x', size: 9 }]; }), /is truncated: its level has 0 of 9 bytes/],
    [`{ "format": "walkmesh-project", "version": 1, "document": ${'['.repeat(5000)}${']'.repeat(5000)} }`, /nested more than 64 deep/],
  ]) await assert.rejects(read(given), { message }, String(message));
  assert.deepEqual(Object.getPrototypeOf((await read(JSON.stringify(good).replace('{"format"', '{"__proto__":{"x":1},"format"'))).document.extra), Object.prototype);
});

test('project: a file cut at any length, and 300 random changes, are refused or read as a document (seed 3)', async () => {
  const bytes = new Uint8Array(await writeProject(makeWork(), VIEW, [{ name: 'a.obj', blob: new Blob(['v 1 2 3\n']) }]).arrayBuffer());
  for (let length = 0; length < bytes.length; length += length > bytes.length - 40 ? 1 : 37) {
    await assert.rejects(read(new Blob([bytes.subarray(0, length)])), { name: 'Error' }, String(length));
  }
  const random = makeRandom(3);
  const good = await toJson(makeWork());
  const values = [null, 'x', -1, 1e308, [], {}, true, [[]], { id: 1 }, '__proto__'];
  let refused = 0;
  for (let i = 0; i < 300; i++) {
    const copy = structuredClone(good);
    let part = copy;
    for (let depth = random.below(5); depth > 0; depth--) {
      const next = Object.values(part).filter((value) => typeof value === 'object' && value !== null && Object.keys(value).length > 0);
      if (next.length > 0) part = next[random.below(next.length)];
    }
    const names = Object.keys(part);
    part[names[random.below(names.length)]] = values[random.below(values.length)];
    try {
      const { document, view } = await read(copy);
      assert.deepEqual((await readHash(await writeHash(document, view))).document, document, `change ${i}`);
    } catch (error) {
      assert.match(error.message, /^a\.walkmesh-project /, `change ${i}`);
      refused++;
    }
  }
  assert.ok(refused > 50 && refused < 300, `${refused} refused`);
});

test('what was made by hand is counted and named', () => {
  const document = defaultDocument();
  assert.deepEqual([hasWork(document), countWork(document)], [false, 0]);
  document.config.cellSize = 1.5;
  assert.ok(hasWork(document));
  Object.assign(document, { chosen: { level: 'x', values: { cellSize: 1.5 } } });
  assert.ok(!hasWork(document), 'the tool chose it');
  assert.equal(nameWork(makeWork()), '1 obstacle, 1 area volume, 1 connection, 1 door and 1 play start');
  assert.ok(hasWork({ ...defaultDocument(), places: { playStart: { point: [1, 2, 3] } } }));
});

// ---- Sizes that the tool chose ---------------------------------------------------------------------------------

const boundsOf = (side) => ({ min: [0, 0, 0], max: [side, 3, side] });
const CENTIMETRES = { kind: 'file', name: 'castle.glb', key: 'a' };
const HALL = { kind: 'file', name: 'hall.glb', key: 'b' };

/** Opens a level in a document, as the tool does. */
function open(document, level, side) {
  const opened = { ...document, level };
  const choice = chooseFor(opened, boundsOf(side));
  return { ...opened, ...(choice && { config: choice.config, chosen: choice.chosen }), choice };
}

test('a cell size that the tool chose for one level does not stay for the next', () => {
  const initial = defaultDocument();
  const large = open(initial, CENTIMETRES, 6000);
  assert.ok(large.config.cellSize > 1, 'chosen for a level in centimetres');
  assert.match(large.choice.text, /Cell size/);
  assert.equal(chooseFor(large, boundsOf(6000)), null, 'once, also after a reload or an undo');
  const small = open(large, HALL, 60);
  assert.deepEqual(small.config, initial.config);
  // The same file in another unit is another level.
  const metres = open(large, { ...CENTIMETRES, import: { unit: 'cm' } }, 60);
  assert.deepEqual(metres.config, initial.config);
  assert.notEqual(idOf(metres.level), idOf(CENTIMETRES));
});

test('a cell size that the user set stays for the next level, and is not replaced in a large one', () => {
  const document = defaultDocument();
  document.config.cellSize = 0.11;
  assert.equal(open(document, HALL, 60).config.cellSize, 0.11);
  const large = open(document, CENTIMETRES, 6000);
  assert.deepEqual([large.config.cellSize, large.choice.isTooLarge], [0.11, true]);
  // Chosen by the tool, then one field set by the user: only the others are chosen anew.
  const chosen = open(defaultDocument(), CENTIMETRES, 6000);
  chosen.config = { ...chosen.config, cellSize: 0.7 };
  const next = open(chosen, HALL, 60);
  assert.deepEqual([next.config.cellSize, next.config.cellHeight, next.config.tileSize],
    [0.7, defaultDocument().config.cellHeight, defaultDocument().config.tileSize]);
});

test('sizes that a preset suggested are suggested again for the next level', () => {
  const document = { ...defaultDocument(), level: CENTIMETRES };
  const agent = { agentRadius: 1.6, agentHeight: 2.4, agentMaxClimb: 0.4, agentMaxSlope: 25 };
  const { config } = suggest(boundsOf(6000), agent);
  Object.assign(document.config, agent, config);
  recordSuggestion(document, config);
  const next = open(document, HALL, 60);
  assert.deepEqual(next.config, { ...document.config, ...suggest(boundsOf(60), agent).config });
  assert.notEqual(next.config.cellSize, config.cellSize);
});

// ---- Import settings -------------------------------------------------------------------------------------------

const measured = ({ positions, indices }) => {
  const side = (pick) => [0, 1, 2].map((axis) => pick(...Array.from({ length: positions.length / 3 }, (_, i) => positions[3 * i + axis])));
  return { bounds: { min: side(Math.min), max: side(Math.max) }, facing: levelFacing({ positions, indices }) };
};

test('import: nothing is suggested for a level that stands right', () => {
  for (const { name } of SCENES.filter((scene) => scene.name !== 'terrain-1km')) {
    const level = parseObj(readFileSync(join(ROOT, 'tests/scenes', `${name}.obj`)));
    const { bounds, facing } = measured({ ...level, positions: level.positions.subarray(0, 300_000) });
    assert.equal(suggestImport({ bounds, facing }), null, name);
  }
});

test('import: flipped winding, z up and centimetres are found, and the suggestion mends them', () => {
  const { positions, indices } = readScene('plaza');
  const right = measured({ positions, indices });
  const make = (map, isFlipped, scale = 1) => ({
    positions: Float32Array.from(positions, (_, i) => scale * map(...positions.subarray(i - i % 3, i - i % 3 + 3))[i % 3] + 0),
    indices: isFlipped ? indices.map((_, i) => indices[i - i % 3 + [0, 2, 1][i % 3]]) : indices.slice(),
  });
  const zUp = (x, y, z) => [x, -z, y], yUp = (x, y, z) => [x, y, z];
  for (const [level, wanted] of [
    [make(yUp, true), { flip: true }], [make(zUp, false), { upAxis: 'z' }], [make(zUp, true), { upAxis: 'z', flip: true }],
    [make(yUp, false, 100), { unit: 'cm' }], [make(zUp, false, 1000), { upAxis: 'z', unit: 'mm' }], [make(yUp, false, 0.01), { scale: 100 }],
  ]) {
    const found = suggestImport(measured(level));
    assert.deepEqual(found?.settings, wanted, found?.reasons.join(' '));
    applyImport(level, wanted);
    const mended = measured(level);
    assert.equal(suggestImport(mended, wanted), null, 'nothing is left to suggest');
    for (const side of ['min', 'max']) mended.bounds[side].forEach((value, axis) => assert.ok(Math.abs(value - right.bounds[side][axis]) < 1e-3));
    assert.deepEqual([...level.indices], [...indices]);
  }
  assert.deepEqual(suggestImport(measured(makeGround(20, 1))), null);
});

test('import: settings from outside', () => {
  for (const good of [{}, { unit: 'cm' }, { upAxis: 'z', flip: true, scale: 2.5 }]) assert.ok(isImport(good));
  for (const bad of [null, 3, { unit: 'mile' }, { upAxis: 'x' }, { flip: 1 }, { scale: 0 }, { scale: NaN }, { other: 1 }]) assert.ok(!isImport(bad), JSON.stringify(bad));
  assert.deepEqual([changedSettings({ unit: 'm', scale: 1 }), changedSettings({ unit: 'cm', flip: false })], [undefined, { unit: 'cm' }]);
});
