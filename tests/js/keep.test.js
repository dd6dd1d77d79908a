// Saved files of the level tool: formats that other programs read, and programs that bake the same mesh again, run as a user does.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Document, NodeIO } from '@gltf-transform/core';
import { CONFIG_FIELDS, NavError, defaultConfig, load } from 'walkmesh';
import { parseObj } from 'walkmesh/level';
import { areaColor } from 'walkmesh/three';
import { defaultAreas } from '../../web-demo/src/edit/areas.js';
import { applyImport } from '../../web-demo/src/level/import-settings.js';
import { finishLevel, readFiles } from '../../web-demo/src/level/make-level.js';
import { configurationText, changedFields, parseConfiguration } from '../../web-demo/src/save/configuration.js';
import { glbOf } from '../../web-demo/src/save/glb-file.js';
import { levelObj } from '../../web-demo/src/save/level-file.js';
import { literal, shortNumber } from '../../web-demo/src/save/literals.js';
import { objOf } from '../../web-demo/src/save/obj-file.js';
import { isMesh, openMesh } from '../../web-demo/src/save/open-mesh.js';
import { defaultLinks } from '../../web-demo/src/links/kinds.js';
import { commandSnippet, javaScriptSnippet, itemsOf } from '../../web-demo/src/save/snippet.js';
import { surfaceOf } from '../../web-demo/src/save/mesh-surface.js';
import { makeRandom } from './random.js';
import { ROOT, readScene } from './support.js';

const walkmesh = await load();
const plaza = readScene('plaza');

/** A folder inside the repository, where 'walkmesh' resolves, with the level. */
function makeProject(context) {
  mkdirSync(join(ROOT, 'build'), { recursive: true });
  const folder = mkdtempSync(join(ROOT, 'build', 'keep-'));
  context.after(() => rmSync(folder, { recursive: true, force: true }));
  copyFileSync(join(ROOT, 'tests', 'scenes', 'plaza.obj'), join(folder, 'plaza.obj'));
  return folder;
}

/** A document as the tool stores it, with an item of each kind. */
const fullDocument = () => ({
  level: { kind: 'scene', name: 'plaza' },
  config: {
    ...defaultConfig(), cellSize: 0.25, agentRadius: 0.4, tileSize: 48, partition: 'layers', filterLedges: false,
    bounds: { min: [-1, -2, -1], max: [40.1, 8, 40.25] },
  },
  volumes: [
    { id: 1, shape: { kind: 'box', min: [4, -1, 4], max: [12.123456789, 2, 12] }, area: 3 },
    { id: 2, shape: { kind: 'prism', vertices: [[20, 0, 4], [26, 0, 4], [23, 0, 9.1]], minY: -1, maxY: 3 }, area: 7 },
  ],
  obstacles: [
    { id: 1, shape: { kind: 'cylinder', base: [18, -0.5, 30], radius: 1.5, height: 2 }, area: 0 },
    { id: 2, shape: { kind: 'rotatedBox', centre: [30, 0.5, 20], halfExtents: [2, 1, 0.7], yaw: 0.6435 }, area: 0 },
    { id: 3, shape: { kind: 'sphere', centre: [10, 0, 24], radius: 2.2 }, area: 5 },
    { id: 4, shape: { kind: 'capsule', start: [30, 0.2, 30], end: [33, 0.2, 33], radius: 0.6 }, area: 0, moving: { path: 'line', to: [35, 0, 35], speed: 1 } },
  ],
  connections: [
    { id: 1, start: [2, 0, 2], end: [36, 0, 36], radius: 0.5, bidirectional: false, enabled: true, area: 0 },
    { id: 2, start: [36, 0, 2], end: [2, 0, 36], radius: 0.75, bidirectional: true, enabled: false, area: 2 },
  ],
  doors: [{ id: 1, name: "the king's gate", shape: { kind: 'box', min: [2, -1, 14], max: [6, 2, 16] }, open: false }],
  links: defaultLinks(), forbiddenLinks: [], pinnedLinks: [],
  areas: defaultAreas().map((area) => (area.id === 5 ? { ...area, walkable: false } : area)),
  places: {},
});

/** The mesh of a document, made by one call after another. */
function bakeDocument({ config, volumes, obstacles, connections, doors, areas }) {
  const { navMesh, dynamic } = walkmesh.bakeDynamic({ ...plaza, volumes: volumes.map(({ shape, area }) => ({ ...shape, area })) }, config);
  for (const { shape } of doors) dynamic.addObstacle({ ...shape, area: 7 });
  for (const { shape, area, moving } of obstacles) dynamic.addObstacle({ ...shape, area, ...(moving ? { carving: 'at rest' } : {}) });
  dynamic.update();
  for (const { id, ...connection } of connections) navMesh.addConnection(connection);
  const switches = navMesh.createSwitches();
  for (const { name, shape: { min, max }, open } of doors) {
    const volume = { kind: 'box', min: min.map((value) => value - 0.5), max: max.map((value) => value + 0.5) };
    switches.add({ volume, area: 7, name, clearFlags: 0xffff, isOn: !open });
  }
  const everywhere = { kind: 'box', min: [-1e5, -1e5, -1e5], max: [1e5, 1e5, 1e5] };
  for (const { id, walkable } of areas) if (!walkable) switches.add({ volume: everywhere, area: id, clearFlags: 0xffff, isOn: true });
  return navMesh;
}

/** Bytes of tiles by tile place. */
const tilesOf = (navMesh) => new Map(navMesh.tiles().map(({ x, z, bytes }) => [`${x},${z}`, walkmesh.hash(bytes)]).sort());

/**
 * The area of polygons, seen from above, and the number of triangles that face down.
 * @param {ArrayLike<number>} positions @param {ArrayLike<number>[]} faces
 */
function measure(positions, faces) {
  let area = 0, facesDown = 0;
  for (const face of faces) {
    for (let i = 2; i < face.length; i++) {
      const [a, b, c] = [face[0], face[i - 1], face[i]].map((vertex) => [positions[3 * vertex], positions[3 * vertex + 2]]);
      const twice = (c[0] - a[0]) * (b[1] - a[1]) - (b[0] - a[0]) * (c[1] - a[1]);
      area += twice / 2;
      if (twice < -1e-6) facesDown++;
    }
  }
  return { area, facesDown };
}

/** Triples of a flat list. */
const triples = (indices) => Array.from({ length: indices.length / 3 }, (_, i) => indices.slice(3 * i, 3 * i + 3));

test('keep: numbers are written as short as they can be, and are the same float32', () => {
  const { between } = makeRandom(7);
  for (let i = 0; i < 20_000; i++) {
    const value = between(-0.5, 0.5) * 10 ** Math.floor(between(-4, 8));
    assert.equal(Math.fround(Number(shortNumber(value))), Math.fround(value));
  }
  assert.deepEqual([0.3, Math.fround(0.3), -0, 12, 1 / 3].map(shortNumber), ['0.3', '0.3', '0', '12', '0.33333333']);
  const value = { kind: 'box', min: [0.1, -2, 3], 'odd key': "it's\n", on: true, none: undefined, nil: null, list: [{ x: 1 }] };
  assert.deepEqual(new Function(`return ${literal(value)}`)(), JSON.parse(JSON.stringify(value)));
});

test('keep: the JavaScript of a bake makes the same file, with volumes, obstacles, connections and doors', (context) => {
  const folder = makeProject(context);
  const document = fullDocument();
  const variants = {
    'everything': document,
    'nothing placed': { ...document, volumes: [], obstacles: [], connections: [], doors: [], areas: defaultAreas() },
    'a single tile, where obstacles are off': { ...document, config: { ...document.config, tileSize: 0 }, connections: [], doors: [], areas: [] },
  };
  for (const [name, variant] of Object.entries(variants)) {
    const text = javaScriptSnippet(variant, { file: 'plaza.obj', triangles: plaza.indices.length / 3 });
    for (const line of text.split('\n')) assert.ok(line.length <= 200, line);
    writeFileSync(join(folder, 'bake.mjs'), text);
    execFileSync(process.execPath, ['bake.mjs'], { cwd: folder, stdio: 'pipe' });
    const volumes = variant.volumes.map(({ shape, area }) => ({ ...shape, area }));
    const expected = variant.config.tileSize ? bakeDocument(variant) : walkmesh.bake({ ...plaza, volumes }, variant.config).navMesh;
    assert.ok(expected.totals.polygons > 20);
    const made = new Uint8Array(readFileSync(join(folder, 'plaza.walkmesh')));
    assert.ok(Buffer.from(made).equals(Buffer.from(expected.save())), name);
    expected.free();
  }
});

test('keep: the code and the shell lines read a file with its import settings', (context) => {
  const folder = makeProject(context);
  const lying = Float32Array.from(plaza.positions, (_, i) => [plaza.positions[i], -plaza.positions[i + 1], plaza.positions[i - 1]][i % 3]);
  const flipped = plaza.indices.map((_, i) => plaza.indices[i - i % 3 + [0, 2, 1][i % 3]]);
  const variants = [
    [{ upAxis: 'z' }, lying, plaza.indices, 1], [{ unit: 'cm', flip: true }, plaza.positions, flipped, 100], [{ unit: 'in', scale: 2, upAxis: 'z' }, lying, plaza.indices, 1 / 0.0508],
  ];
  for (const [settings, positions, indices, factor] of variants) {
    const file = { positions: positions.map((value) => value * factor), indices };
    writeFileSync(join(folder, 'plaza.obj'), levelObj(file));
    const document = { ...fullDocument(), level: { kind: 'file', name: 'plaza.obj', import: settings }, config: defaultConfig(), volumes: [], obstacles: [], connections: [], doors: [], areas: [] };
    writeFileSync(join(folder, 'bake.mjs'), javaScriptSnippet(document, { file: 'plaza.obj' }));
    execFileSync(process.execPath, ['bake.mjs'], { cwd: folder, stdio: 'pipe' });
    applyImport(file, settings);
    const { navMesh } = walkmesh.bake(file, document.config);
    assert.ok(navMesh.totals.polygons > 20);
    assert.deepEqual(new Uint8Array(readFileSync(join(folder, 'plaza.walkmesh'))), navMesh.save(), JSON.stringify(settings));
    navMesh.free();
    const shell = commandSnippet(document, { file: 'plaza.glb' });
    assert.match(shell, settings.unit ? /^# The command line has no units.*\nnpx walkmesh bake plaza\.obj -o plaza\.walkmesh$/m : /bake plaza\.glb -o plaza\.walkmesh --up-axis z$/m);
  }
});

/** Two squares of floor as a GLB, the second with area 3. */
async function makeMarkedGlb() {
  const document = new Document();
  const buffer = document.createBuffer();
  const accessor = (type, array) => document.createAccessor().setType(type).setArray(array).setBuffer(buffer);
  const mesh = document.createMesh().addPrimitive(document.createPrimitive().setIndices(accessor('SCALAR', Uint16Array.of(0, 1, 2, 0, 2, 3)))
    .setAttribute('POSITION', accessor('VEC3', Float32Array.of(0, 0, 0, 0, 0, 8, 8, 0, 8, 8, 0, 0))));
  const scene = document.createScene();
  for (const [i, walkmesh] of [undefined, { area: 3 }].entries()) {
    scene.addChild(document.createNode().setMesh(mesh).setTranslation([8 * i, 0, 0]).setExtras(walkmesh ? { walkmesh } : {}));
  }
  return new NodeIO().writeBinary(document);
}

test('keep: the areas that a GLB marks are in the level of the tool, and in the file that its JavaScript makes', async (context) => {
  const folder = makeProject(context);
  const bytes = await makeMarkedGlb();
  writeFileSync(join(folder, 'marked.glb'), bytes);
  const level = finishLevel(await readFiles([{ name: 'marked.glb', blob: new Blob([bytes]) }], () => {}, []), 'marked.glb', () => {}, []);
  assert.deepEqual([...level.areas], [63, 63, 3, 3]);
  for (const volumes of [[], [fullDocument().volumes[0]]]) {
    const document = { ...fullDocument(), config: defaultConfig(), volumes, obstacles: [], connections: [], doors: [], areas: defaultAreas() };
    writeFileSync(join(folder, 'bake.mjs'), javaScriptSnippet(document, { file: 'marked.glb' }));
    execFileSync(process.execPath, ['bake.mjs'], { cwd: folder, stdio: 'pipe' });
    const made = walkmesh.loadNavMesh(readFileSync(join(folder, 'marked.walkmesh')));
    const { positions, indices, areas } = level;
    const { navMesh } = walkmesh.bake({ positions, indices, areas, volumes: volumes.map(({ shape, area }) => ({ ...shape, area })) }, document.config);
    assert.ok(navMesh.polygons().some(({ area }) => area === 3));
    assert.deepEqual(tilesOf(made), tilesOf(navMesh));
    for (const mesh of [made, navMesh]) mesh.free();
  }
});

test('keep: the shell lines of a bake make the same tiles; obstacles are volumes there', (context) => {
  const folder = makeProject(context);
  const document = { ...fullDocument(), connections: [], areas: defaultAreas() };
  const text = commandSnippet(document, { file: 'plaza.obj' });
  assert.match(text, /# The command line has no doors/);
  for (const line of text.split('\n')) if (!/^ {4}\{/.test(line)) assert.ok(line.length <= 120, line);
  writeFileSync(join(folder, 'bake.sh'), text.replaceAll('npx walkmesh', `'${process.execPath}' '${join(ROOT, 'js', 'cli.js')}'`));
  execFileSync('sh', ['-e', 'bake.sh'], { cwd: folder, stdio: 'pipe' });
  const made = walkmesh.loadNavMesh(readFileSync(join(folder, 'plaza.walkmesh')));
  const expected = bakeDocument(document);
  expected.changedBy.free(); // open doors only mark their polygons
  for (const door of expected.switches) door.free();
  assert.deepEqual(tilesOf(made), tilesOf(expected));
  assert.ok(tilesOf(made).size > 4);
  for (const navMesh of [made, expected]) navMesh.free();
});

test('keep: enabled connections are baked by the command line, others left out', () => {
  const { offMeshConnections } = itemsOf(fullDocument());
  assert.deepEqual(offMeshConnections, [{ start: [2, 0, 2], end: [36, 0, 36], radius: 0.5, bidirectional: false }]);
  assert.deepEqual(itemsOf({ ...fullDocument(), volumes: [], obstacles: [], connections: [], doors: [] }), { areaFlags: { 5: 0 } });
  assert.equal(commandSnippet({ ...fullDocument(), config: defaultConfig(), volumes: [], connections: [], doors: [], areas: [] },
    { file: 'my level.obj' }), "npx walkmesh bake 'my level.obj' -o 'my level.walkmesh'\n");
  // Names come with addresses written by others: none may act as an option or end its quotes.
  const plain = { ...fullDocument(), config: defaultConfig(), volumes: [], connections: [], doors: [], areas: [] };
  assert.equal(commandSnippet(plain, { file: '--config=x.obj' }), 'npx walkmesh bake ./--config=x.obj -o ./--config=x.walkmesh\n');
  assert.equal(commandSnippet(plain, { file: "-a'; rm $(ls).obj" }),
    "npx walkmesh bake './-a'\\''; rm $(ls).obj' -o './-a'\\''; rm $(ls).walkmesh'\n");
});

test('keep: a configuration file bakes on the command line, and is the same when it is opened again', (context) => {
  const folder = makeProject(context);
  const document = fullDocument();
  const { config, links } = document;
  const text = configurationText(document);
  const defaults = { ...defaultConfig(), tileSize: 64 };
  assert.deepEqual(parseConfiguration(text, 'c.json', defaults), { config, links });
  assert.deepEqual(parseConfiguration('{ "cellSize": 0.2 }', 'c.json', { ...defaults, bounds: config.bounds }), { config: { ...defaults, cellSize: 0.2 }, links });
  writeFileSync(join(folder, 'config.json'), text);
  execFileSync(process.execPath, [join(ROOT, 'js', 'cli.js'), 'bake', 'plaza.obj', '--config', 'config.json', '-o', 'c.walkmesh'],
    { cwd: folder, stdio: 'pipe' });
  const { navMesh } = walkmesh.bake(plaza, config);
  assert.deepEqual(new Uint8Array(readFileSync(join(folder, 'c.walkmesh'))), navMesh.save());
  navMesh.free();
  assert.deepEqual(changedFields({ config: defaultConfig(), links }), {});
  assert.deepEqual(Object.keys(changedFields(document)), ['cellSize', 'agentRadius', 'partition', 'tileSize', 'filterLedges', 'bounds']);
});

test('keep: what is not a configuration is refused in words that name what is wrong', () => {
  const refusals = {
    '': /c\.json isn't JSON/, '{"cellSize":': /isn't JSON/, '[]': /isn't an object/, null: /isn't an object/, '{}': /no configuration fields/,
    '{"cellsize": 1}': /unknown field: cellsize/, '{"cellSize": "0.3"}': /cellSize: "0.3": must be a number/,
    '{"cellSize": 1e999}': /must be a number/, '{"filterLedges": 1}': /true or false/, '{"partition": "voronoi"}': /one of watershed/,
    '{"bounds": {"min": [0, 0]}}': /invalid bounds/, '{"bounds": null}': /invalid bounds/,
  };
  for (const [text, message] of Object.entries(refusals)) {
    assert.throws(() => parseConfiguration(text, 'c.json', defaultConfig()), (error) => error instanceof NavError && message.test(error.message), text);
  }
  for (const { name } of CONFIG_FIELDS) {
    assert.throws(() => parseConfiguration(JSON.stringify({ [name]: null }), 'c.json', defaultConfig()), { code: 'file' });
  }
});

test('keep: OBJ and GLB hold the surface: the same area as the mesh, all of it facing up, by area', async () => {
  const navMesh = bakeDocument(fullDocument());
  const whole = measure(navMesh.triangles(), triples(Uint32Array.from({ length: navMesh.totals.detailTriangles * 3 }, (_, i) => i)));
  const near = (/** @type {number} */ area, what) => assert.ok(Math.abs(area - whole.area) < 1e-3 * whole.area, `${what}: ${area}, not ${whole.area}`);
  assert.ok(whole.area > 100);

  const flat = surfaceOf(navMesh, { detail: false });
  const polygons = [...flat.faces.values()].flat();
  assert.equal(polygons.length, navMesh.polygons().filter(({ isOffMesh }) => !isOffMesh).length);
  assert.deepEqual([...flat.faces.keys()], [0, 3, 5, 7]);
  near(measure(flat.positions, polygons).area, 'polygons');

  const obj = objOf(navMesh, { name: 'the plaza' });
  const parsed = parseObj(obj, { onWarning: (warning) => assert.fail(warning) });
  assert.equal(parsed.indices.length / 3, navMesh.totals.detailTriangles);
  const measured = measure(parsed.positions, triples(parsed.indices));
  near(measured.area, 'OBJ');
  assert.equal(measured.facesDown, 0);
  assert.deepEqual(obj.match(/^g .*/gm), ['g ground', 'g area_3', 'g area_5', 'g area_7']);
  parseObj(objOf(navMesh, { detail: false }), { onWarning: (warning) => assert.fail(warning) });

  const document = await new NodeIO().readBinary(await glbOf(navMesh, { name: 'plaza' }));
  const primitives = document.getRoot().listMeshes()[0].listPrimitives();
  assert.equal(primitives.length, 4);
  let area = 0, triangles = 0;
  primitives.forEach((primitive, i) => {
    const { positions, indices } = { positions: primitive.getAttribute('POSITION').getArray(), indices: primitive.getIndices().getArray() };
    const part = measure(positions, triples(indices));
    assert.equal(part.facesDown, 0);
    area += part.area;
    triangles += indices.length / 3;
    const material = primitive.getMaterial();
    assert.equal(material.getExtras().walkmesh.area, [0, 3, 5, 7][i]);
    const expected = areaColor([0, 3, 5, 7][i]).toArray();
    material.getBaseColorFactor().slice(0, 3).forEach((part, c) => assert.ok(Math.abs(part - expected[c]) < 1e-6));
  });
  near(area, 'GLB');
  assert.equal(triangles, navMesh.totals.detailTriangles);
  navMesh.free();
});

test('keep: an empty mesh makes files, too', async () => {
  const { navMesh } = walkmesh.bake({ positions: [0, 0, 0, 0, 0, 1, 1, 0, 1], indices: [0, 1, 2] }, { agentRadius: 2 });
  assert.equal(navMesh.totals.polygons, 0);
  assert.doesNotMatch(objOf(navMesh), /^[vf] /m);
  assert.equal((await new NodeIO().readBinary(await glbOf(navMesh))).getRoot().listMeshes()[0].listPrimitives().length, 0);
  navMesh.free();
});

test('keep: connections that are baked in are lines', () => {
  const { navMesh } = walkmesh.bake({ ...plaza, offMeshConnections: [{ start: [2, 0, 2], end: [36, 0, 36], radius: 0.5 }] });
  assert.match(objOf(navMesh), /^g connections\nl \d+ \d+$/m);
  assert.equal(surfaceOf(navMesh).connections.length, 2);
  navMesh.free();
});

test('keep: every format is opened, byte by byte the same; what is none is refused by name', () => {
  const document = { ...fullDocument(), doors: [], connections: [], areas: defaultAreas() };
  const navMesh = bakeDocument(document);
  const single = walkmesh.bake(plaza, {}).navMesh;
  const dynamic = /** @type {any} */ (navMesh).changedBy;
  const files = {
    'a .walkmesh file': navMesh.save(), 'a Detour tile set': navMesh.exportDetour('set'),
    'a Detour tile set with 64-bit references': navMesh.exportDetour('set64'), 'a dynamic .walkmesh file': dynamic.save(),
  };
  for (const [label, bytes] of Object.entries(files)) {
    assert.ok(isMesh(walkmesh, bytes));
    const opened = openMesh(walkmesh, bytes, 'x');
    assert.equal(opened.label, label);
    assert.deepEqual(tilesOf(opened.navMesh), tilesOf(navMesh), label);
    assert.equal(opened.dynamic === null, opened.frozen !== null, label);
    if (opened.dynamic) assert.equal(opened.dynamic.obstacleCount, 4);
    opened.navMesh.free();
  }
  const tile = openMesh(walkmesh, single.exportDetour('tile'), 'x');
  assert.equal(tile.label, 'a Detour tile');
  assert.equal(tile.navMesh.totals.polygons, single.totals.polygons);
  for (const mesh of [tile.navMesh, single, navMesh]) mesh.free();

  assert.throws(() => openMesh(walkmesh, new Uint8Array(0), 'void.walkmesh'), { code: 'file', message: 'void.walkmesh is empty' });
  assert.throws(() => openMesh(walkmesh, new TextEncoder().encode('{"cellSize": 1}'), 'c.bin'), { code: 'file', message: /c\.bin isn't a navigation mesh/ });
  const damaged = files['a .walkmesh file'].slice();
  damaged[200] ^= 1;
  assert.throws(() => openMesh(walkmesh, damaged, 'bad.walkmesh'), { code: 'file', message: /bad\.walkmesh can't be opened: / });
});
