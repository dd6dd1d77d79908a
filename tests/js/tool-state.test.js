// The state of the level tool: edits, undo and redo, and the address that holds it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defaultDocument, defaultSession, defaultView, libraryConfig } from '../../web-demo/src/state/document.js';
import { Store, shareEqual } from '../../web-demo/src/state/store.js';
import { happened } from '../../web-demo/src/ui/undo.js';
import { readHash, writeHash } from '../../web-demo/src/state/url.js';
import { makeRandom } from './random.js';

const makeStore = () => new Store({ document: defaultDocument(), view: defaultView(), session: defaultSession() });
const rest = () => new Promise((resolve) => { setTimeout(resolve); });

test('an edit shares what it did not change, and one that changes nothing is no step', () => {
  const store = makeStore();
  const before = store.state.document;
  store.edit('nothing', (document) => { document.config.cellSize = before.config.cellSize; });
  assert.equal(store.state.document, before);
  assert.equal(store.undoLabel, undefined);
  store.edit('finer', (document) => { document.config.cellSize = 0.1; });
  assert.notEqual(store.state.document, before);
  assert.equal(store.state.document.obstacles, before.obstacles);
  assert.equal(store.undoLabel, 'finer');
  assert.equal(before.config.cellSize, 0.2);
});

test('an opened file that equals the document is a step of its own: undo leaves the edit before it', () => {
  const store = makeStore();
  store.edit('finer', (document) => { document.config.cellSize = 0.1; });
  store.edit('open equal.walkmesh', () => {}, { isStep: true });
  assert.equal(store.undoLabel, 'open equal.walkmesh');
  store.undo();
  assert.equal(store.state.document.config.cellSize, 0.1);
  assert.equal(store.redoLabel, 'open equal.walkmesh');
  store.undo();
  assert.equal(store.state.document.config.cellSize, 0.2);
});

test('undo says what was undone in plain words', () => {
  for (const [label, words] of [
    ['move path end', 'path end moved'], ['add door', 'door added'], ['delete 2 obstacles', '2 obstacles deleted'], ['change cell size', 'cell size changed'],
    ['allow steps of 0.5 m', 'steps of 0.5 m allowed'], ['fit door into passage', 'door fitted into passage'], ['open again.walkmesh', 'again.walkmesh opened'],
    ['suggest a configuration for Castle', 'configuration suggested for Castle'], ['preset human', 'preset human'],
  ]) assert.equal(happened(label), words);
});

test('markers are no steps: undo and redo leave them where they are, but not their settings, and not those of another level', () => {
  const store = makeStore(), pathNow = () => store.state.document.places.path;
  store.moveMarkers('path', { level: '', start: [1, 0, 1], end: [2, 0, 2] });
  assert.equal(store.undoLabel, undefined);
  store.edit('add obstacle', (document) => { document.obstacles.push(/** @type {any} */ ({ id: 1 })); });
  store.edit('change any angle', (document) => { document.places.path = { ...document.places.path, anyAngle: true }; });
  store.moveMarkers('path', { end: [3, 0, 3] });
  store.undo();
  assert.deepEqual([store.state.document.obstacles.length, pathNow()], [1, { level: '', start: [1, 0, 1], end: [3, 0, 3] }]);
  store.undo();
  store.moveMarkers('path', { start: [5, 0, 5] });
  assert.deepEqual([store.state.document.obstacles.length, pathNow().end], [0, [3, 0, 3]]);
  store.redo();
  store.redo();
  assert.deepEqual([store.state.document.obstacles.length, pathNow()], [1, { level: '', start: [5, 0, 5], end: [3, 0, 3], anyAngle: true }]);
  store.edit('open other', (document) => { Object.assign(document, { level: { ...document.level, name: 'other' }, places: {} }); });
  store.moveMarkers('path', { level: 'other', start: [7, 0, 7] });
  store.undo();
  assert.deepEqual(pathNow().start, [5, 0, 5]);
});

test('edits with one key are one step until they settle', () => {
  const store = makeStore();
  const drag = (value) => store.edit('drag', (document) => { document.config.cellSize = value; }, { merge: 'cellSize' });
  for (const value of [0.29, 0.28, 0.27]) drag(value);
  store.commit();
  drag(0.2);
  assert.equal(store.state.document.config.cellSize, 0.2);
  store.undo();
  assert.equal(store.state.document.config.cellSize, 0.27);
  store.undo();
  assert.equal(store.state.document.config.cellSize, 0.2);
  assert.equal(store.undoLabel, undefined);
  store.redo();
  assert.equal(store.state.document.config.cellSize, 0.27);
  drag(0.15);
  assert.equal(store.redoLabel, undefined);
});

test('undo and redo walk through 100 random edits as they were made (seed 5)', () => {
  const store = makeStore();
  const random = makeRandom(5);
  const states = [store.state.document];
  for (let i = 0; i < 100; i++) {
    store.edit(`edit ${i}`, (document) => {
      const { obstacles } = document;
      if (obstacles.length > 0 && random.below(10) < 3) obstacles.splice(random.below(obstacles.length), 1);
      else obstacles.push({ id: i + 1, shape: { kind: 'sphere', center: [random.between(0, 9), 0, random.between(0, 9)], radius: 1 }, area: 0 });
    });
    states.push(store.state.document);
  }
  for (let i = 99; i >= 0; i--) {
    store.undo();
    assert.deepEqual(store.state.document, states[i]);
  }
  for (let i = 1; i <= 100; i++) {
    store.redo();
    assert.deepEqual(store.state.document, states[i]);
  }
});

test('listeners hear once of all that happened in a task, and of what was before it', async () => {
  const store = makeStore();
  const first = store.state;
  const heard = [];
  const end = store.subscribe((state, previous) => heard.push([state.view.tool, previous === first]));
  store.setView({ tool: 'path' });
  store.setView({ tool: 'raycast' });
  await rest();
  assert.deepEqual(heard, [['raycast', true]]);
  end();
  store.setView({ tool: 'path' });
  await rest();
  assert.equal(heard.length, 1);
});

test('a listener that changes the state is heard in a round of its own', async () => {
  const store = makeStore();
  const tools = [];
  store.subscribe((state) => {
    tools.push(state.view.tool);
    if (state.view.tool === 'path') store.setView({ tool: 'flood' });
  });
  store.setView({ tool: 'path' });
  await rest();
  assert.deepEqual(tools, ['path', 'flood']);
});

test('shareEqual gives the old object where all is equal, and never where a key is missing', () => {
  const old = { a: [1, { b: 2 }], c: 3 };
  assert.equal(shareEqual({ a: [1, { b: 2 }], c: 3 }, old), old);
  const other = shareEqual({ a: [1, { b: 2 }] }, old);
  assert.notEqual(other, old);
  assert.equal(other.a, old.a);
  assert.deepEqual(shareEqual([1], [1, 2]), [1]);
  assert.deepEqual(shareEqual({ x: null }, { x: {} }), { x: null });
});

test('the address of the tool as it begins is empty, and any state comes back from its own', async () => {
  assert.equal(await writeHash(defaultDocument(), defaultView()), '');
  assert.deepEqual(await readHash(''), { document: defaultDocument(), view: defaultView() });
  const document = defaultDocument();
  document.config.cellSize = 0.17;
  document.level = { kind: 'file', name: 'ein Haus – 🏠.glb' };
  document.connections = [{ id: 1, start: [0, 1, 2], end: [3, 4, 5], radius: 1, bidirectional: true, enabled: false, area: 5 }];
  const view = { ...defaultView(), tool: 'path', clip: 3.25, layers: { input: { visible: false, opacity: 0.5 } } };
  const hash = await writeHash(document, view);
  assert.match(hash, /^[\w-]+$/);
  assert.deepEqual(await readHash(hash), { document, view });
});

test('an address that somebody else wrote gives a state of the right form, or is refused', async () => {
  const write = async (value) => {
    const stream = new Blob([JSON.stringify(value)]).stream().pipeThrough(new CompressionStream('deflate-raw'));
    return Buffer.from(await new Response(stream).arrayBuffer()).toString('base64url');
  };
  const begin = { document: { ...defaultDocument(), config: libraryConfig() }, view: defaultView() };
  for (const hash of ['x', '%%%', 'AAAA', await write(7).then((text) => text.slice(0, -3))]) await assert.rejects(readHash(hash), hash);
  const wrong = [
    null, 7, [], { document: 3, view: 'x' }, { document: { obstacles: 7, volumes: {}, level: null, places: [], config: { cellSize: 'x', tileSize: null } } },
    { view: { layers: 5, clip: 'high', panels: null, theme: 'pink', camera: { position: [1] }, tool: 4, wireframe: 1 } },
    { document: { unknown: 1, config: { unknown: 2, bounds: 'everywhere' } }, view: { unknown: 3 } },
    { document: { obstacles: [5, null, { id: 'x' }, {}] } },
  ];
  for (const value of wrong) assert.deepEqual(await readHash(await write(value)), begin, JSON.stringify(value));
  const bomb = await write({ document: { name: 'a'.repeat(1 << 26) } });
  assert.ok(bomb.length < 1 << 18, `${bomb.length}`);
  await assert.rejects(readHash(bomb), /state in the address is too large/, '64 MB in an address of 90 kB');
});

test('an address from before the human was the default keeps its configuration', async () => {
  const stream = new Blob([JSON.stringify({ document: { config: { cellSize: 0.25 } }, view: {} })]).stream().pipeThrough(new CompressionStream('deflate-raw'));
  const { document } = await readHash(Buffer.from(await new Response(stream).arrayBuffer()).toString('base64url'));
  assert.deepEqual(document.config, { ...libraryConfig(), cellSize: 0.25 });
  assert.equal((await readHash('')).document.config.agentMaxClimb, 0.4, 'the tool begins with a human');
});
