// The flat WebAssembly API (docs/wasm-api.md): its tables are current and agree with the modules; the page's program, which uses
// nothing of js/, bakes and finds the same bits as the package.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { fillTables } from '../../scripts/docs/wasm-tables.js';
import { makeApi, readEnums, readExports, toHostType, makeApiFile } from '../../wasm/api.js';
import { load } from '../../js/index.js';
import { makeSnippetFolder, readBlocks, removeSnippetFolder } from './snippets.js';
import { ROOT, readScene } from './support.js';

const page = readFileSync(join(ROOT, 'docs', 'wasm-api.md'), 'utf8');
const api = makeApi();
const moduleOf = (name) => new WebAssembly.Module(readFileSync(join(ROOT, 'dist', name)));

test('wasm API: dist/wasm-api.json is what the build writes', () => {
  assert.equal(readFileSync(join(ROOT, 'dist', 'wasm-api.json'), 'utf8'), makeApiFile());
});

test('wasm API: the tables of the page are current', () => {
  assert.ok(fillTables(page, api) === page, 'docs/wasm-api.md is out of date: npm run docs -- --tables writes its tables');
});

test('wasm API: the modules export what the tables list, with as many parameters', () => {
  const { exports } = api;
  const modules = { walkmesh: () => true, 'walkmesh-game': ({ inGame }) => inGame, 'walkmesh-core': ({ inCore }) => inCore };
  for (const [module, has] of Object.entries(modules)) for (const name of [`${module}.wasm`, `${module}-scalar.wasm`]) {
    const { exports: functions } = new WebAssembly.Instance(moduleOf(name));
    const ours = Object.keys(functions).filter((one) => Object.hasOwn(exports, one));
    assert.deepEqual(ours.sort(), Object.keys(exports).filter((one) => has(exports[one])).sort(), name);
    for (const one of ours) assert.equal(functions[one].length, exports[one].parameters.length, one);
    const toolchain = Object.keys(functions).filter((one) => !ours.includes(one));
    for (const one of toolchain) assert.ok(page.includes(`\`${one}`), `${one} is named on the page`);
  }
});

test('wasm API: structs and enumerations that exports and members name are in the tables', () => {
  const { exports, structs, enums } = api;
  const opaque = new Set(['Mesh', 'LayerSet', 'WmContext', 'WmCosts', 'WmCrowd', 'WmDynamic', 'WmIslands', 'WmLinkGenerator', 'WmPathCorridor', 'WmSearch', 'WmSwitches', 'WmTileGraph',
    'WmDetailFrame', 'WmLeafBlock']);
  const isKnown = (type) => {
    const [, stars, kind, name] = /^(\**)(enum )?(\w+)/.exec(type);
    if (kind) return Object.hasOwn(enums, name);
    return /^([fiu]\d+|bytes)$/.test(name) || Object.hasOwn(structs, name) || (stars !== '' && opaque.has(name));
  };
  for (const [name, { parameters, result, notes }] of Object.entries(exports)) {
    for (const { type } of parameters) assert.ok(isKnown(type), `${name}: ${type}`);
    assert.ok(result === '' || isKnown(result), `${name}: ${result}`);
    for (const [type] of notes.matchAll(/\bWm\w+/g)) assert.ok(structs[type] || enums[type], `${name}: ${type} in "${notes}"`);
  }
  for (const [name, { members }] of Object.entries(structs)) {
    if (name === 'WmBaker') continue; // its private members have private types
    for (const { type } of Object.values(members)) assert.ok(isKnown(type), `${name}: ${type}`);
  }
});

test('wasm API: sources are read as a host needs them', () => {
  const enums = new Set(['WmStatus']);
  assert.deepEqual(['const float *', 'float[3][3]', 'size_t', 'WmStatus', 'struct WmFilter', 'const float (*)[2][3]', 'WmRef'].map((type) => toHostType(type, enums)),
    ['*f32', 'f32[3][3]', 'u32', 'enum WmStatus', 'WmFilter', '*f32', 'u64']);
  assert.deepEqual(readExports('/* Two\n * lines. */\nEXPORT(a_b)\nWmStatus export_a_b(Mesh *mesh, double ref,\n    const WmFilter *filter) {\n', enums), [['a_b', {
    parameters: [{ name: 'mesh', type: '*Mesh' }, { name: 'ref', type: 'f64' }, { name: 'filter', type: '*WmFilter' }], result: 'enum WmStatus', notes: 'Two lines.',
  }]]);
  assert.deepEqual(readEnums('typedef enum A { X = 2, Y, /* Z */ W = X } A;'), [['A', { X: 2, Y: 3, W: 2 }]]);
  assert.throws(() => readEnums('typedef enum A { X = 1 << 2 } A;'), /cannot read "X = 1 << 2"/);
});

let folder = '';
before(() => { folder = makeSnippetFolder(); });
after(() => removeSnippetFolder(folder));

test('wasm API: the program of the page gives the bits of the package, without js/', async () => {
  const [block, ...more] = readBlocks(page).filter(({ language }) => language === 'js');
  assert.equal(more.length, 0);
  const program = block.lines.join('\n');
  const addresses = [...program.matchAll(/\bfrom '([^']+)'|\bimport\(|\bread\('([^']+)'\)/g)].map(([all, from, file]) => from ?? file ?? all);
  assert.deepEqual(addresses, ['node:fs/promises', 'wasm-api.json', 'walkmesh.wasm']);
  const { positions, indices } = readScene('plaza');
  const file = join(folder, 'host.mjs');
  writeFileSync(file, `const { positions, indices } = globalThis.levelOfHost;\n${program}\nexport { isComplete, points, file };\n`);
  globalThis.levelOfHost = { positions, indices };
  const host = await import(pathToFileURL(file).href);
  delete globalThis.levelOfHost;

  const walkmesh = await load();
  const { navMesh } = walkmesh.bake({ positions, indices }, { cellSize: 0.3, tileSize: 64 });
  const path = navMesh.findPath([2, 0, 2], [38, 0, 38]);
  assert.equal(host.isComplete, path.status === 'complete');
  assert.deepEqual(host.points, path.points);
  const saved = walkmesh.loadNavMesh(host.file);
  const tilesOf = (mesh) => Array.from(mesh.tileRefs(), (ref) => mesh.tileBytes(ref));
  assert.deepEqual(tilesOf(saved), tilesOf(navMesh));
  assert.deepEqual(saved.parameters, navMesh.parameters);
  assert.ok(tilesOf(saved).length === 9 && host.points.length >= 6);
  saved.free();
  navMesh.free();
});
