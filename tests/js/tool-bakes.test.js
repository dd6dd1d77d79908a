// The level tool's automatic bakes: when they start, and the messages for failed ones.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NavError } from 'walkmesh';
import { Bakes } from '../../web-demo/src/bake/bakes.js';
import { Events } from '../../web-demo/src/state/events.js';
import { defaultDocument, defaultSession, defaultView } from '../../web-demo/src/state/document.js';
import { Store } from '../../web-demo/src/state/store.js';
import { totalsOf } from '../../web-demo/src/bake/totals.js';

/** Waits until promises and messages have settled; the test controls timers. */
async function rest() {
  for (let turn = 0; turn < 4; turn++) await new Promise((resolve) => { setImmediate(resolve); });
}

/**
 * The bakes of a tool without a page, with a library whose bakes the test ends: each entry is one request.
 * @param {import('node:test').TestContext} context
 */
function makeBakes(context) {
  context.mock.timers.enable({ apis: ['setTimeout'] });
  const asked = [];
  const bakeDynamicAsync = (geometry, config, { signal }) => new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(new NavError('cancelled', 'the bake was cancelled')));
    asked.push({
      config, geometry, signal,
      end: () => resolve({ navMesh: { free() {} }, dynamic: {}, report: {} }),
      refuse: (field, message) => reject(new NavError('config', message, { field })),
    });
  });
  const app = {
    walkmesh: { bakeDynamicAsync, createWorkerPool: () => ({ ready: async () => {} }) },
    events: new Events(),
    store: new Store({ document: defaultDocument(), view: defaultView(), session: defaultSession() }),
    levels: { current: { positions: [], indices: [], areas: [5], name: 'test', bounds: { min: { toArray: () => [0, 0, 0] }, max: { toArray: () => [1, 1, 1] } } } },
    frames: { add: () => () => {}, addFirst: () => () => {}, wake() {} },
    viewport: { scene: { add() {} }, invalidate() {}, pace: { begin: () => () => {} } },
    layers: { setting: () => ({ visible: false }) },
  };
  app.bakes = new Bakes(app);
  app.bakes.start();
  return {
    asked, bakes: app.bakes, store: app.store,
    get state() { return app.store.state.session.bake; },
    begin: async () => {
      app.events.emit('level', app.levels.current);
      asked[0].end();
      await rest();
    },
    edit: async (config) => {
      app.store.edit('change', (draft) => { Object.assign(draft.config, config); });
      await rest();
    },
    view: async (patch) => {
      app.store.setView(patch);
      await rest();
    },
    /** @param {number} milliseconds */
    wait: async (milliseconds) => {
      context.mock.timers.tick(milliseconds);
      await rest();
    },
  };
}

test('edits in one go are one bake, and one that has become too old is ended', async (context) => {
  const tool = makeBakes(context);
  await tool.begin();
  await tool.edit({ agentRadius: 1 });
  await tool.wait(200);
  await tool.edit({ agentRadius: 2 });
  await tool.wait(200);
  assert.equal(tool.asked.length, 1);
  await tool.wait(100);
  assert.deepEqual(tool.asked.map(({ config }) => config.agentRadius), [0.4, 2]);
  assert.deepEqual(tool.asked[1].geometry.areas, [5], 'with the areas of the level');
  await tool.edit({ agentRadius: 3 });
  await tool.wait(300);
  assert.equal(tool.asked[2].config.agentRadius, 3);
  assert.equal(tool.asked[1].signal.aborted, true);
  tool.asked[2].end();
  await rest();
  assert.equal(tool.state.state, 'done');
  assert.equal(tool.bakes.current.config.agentRadius, 3);
  assert.equal(tool.bakes.isStale, false);
});

test('nothing is baked by itself once that is turned off, not even what was already waiting', async (context) => {
  const tool = makeBakes(context);
  await tool.begin();
  await tool.edit({ agentRadius: 1 });
  await tool.wait(100);
  await tool.view({ autoBake: false });
  await tool.edit({ agentMaxClimb: 0.5 });
  await tool.wait(10_000);
  assert.equal(tool.asked.length, 1);
  assert.equal(tool.bakes.isStale, true);
  await tool.view({ autoBake: true });
  await tool.wait(300);
  assert.equal(tool.asked[1].config.agentMaxClimb, 0.5);
});

test('what was wrong with a value is said until the value changes', async (context) => {
  const tool = makeBakes(context);
  await tool.begin();
  await tool.edit({ agentRadius: -1 });
  await tool.wait(300);
  tool.asked[1].refuse('agentRadius', 'agentRadius is -1');
  await rest();
  assert.deepEqual([tool.state.state, tool.state.error], ['failed', {
    message: 'Agent radius is -1 m. It must be 0 or more.', field: 'agentRadius', fix: { label: 'Use agent radius 0 m', step: 'change agent radius', fields: { agentRadius: 0 } },
  }]);
  await tool.view({ autoBake: false });
  assert.equal(tool.state.state, 'failed', 'still wrong');
  await tool.edit({ agentRadius: 0.5 });
  assert.deepEqual([tool.state.state, tool.state.error], ['done', null]);
  assert.equal(tool.bakes.isStale, true);
});

test('a bake that fails after its value has changed says nothing of the value that is there now', async (context) => {
  const tool = makeBakes(context);
  await tool.begin();
  await tool.edit({ agentRadius: -1 });
  await tool.wait(300);
  await tool.edit({ agentRadius: 0.5 });
  await tool.view({ autoBake: false });
  tool.asked[1].refuse('agentRadius', 'agentRadius is -1');
  await rest();
  assert.deepEqual([tool.state.state, tool.state.error], ['done', null]);
});

test('without a mesh that stands a failure that is past leaves nothing done', async (context) => {
  const tool = makeBakes(context);
  tool.store.edit('change', (draft) => { draft.config.agentRadius = -1; });
  await rest();
  await tool.wait(300);
  tool.asked[0].refuse('agentRadius', 'agentRadius is -1');
  await rest();
  assert.equal(tool.state.state, 'failed');
  await tool.edit({ agentRadius: 1 });
  assert.deepEqual([tool.state.state, tool.bakes.isStale], ['idle', false]);
});

test('a mesh from elsewhere is that of the document as it is', async (context) => {
  const tool = makeBakes(context);
  await tool.begin();
  await tool.view({ autoBake: false });
  await tool.edit({ agentRadius: 1 });
  assert.equal(tool.bakes.isStale, true);
  tool.bakes.replace({ navMesh: { free() {} }, dynamic: null, report: null, config: tool.store.state.document.config });
  assert.equal(tool.bakes.isStale, false);
});

test('the counts of a mesh are counted once for each of its versions', () => {
  let counted = 0;
  const navMesh = /** @type {any} */ ({ version: 1, get totals() { return { polygons: ++counted }; } });
  assert.deepEqual([totalsOf(navMesh), totalsOf(navMesh)], [{ polygons: 1 }, { polygons: 1 }]);
  navMesh.version = 2;
  assert.deepEqual(totalsOf(navMesh), { polygons: 2 });
});
