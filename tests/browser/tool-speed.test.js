// What a bake costs the page: workers that are warm, progress that redraws only the bar, drawings in batches, and memory that stays flat.
// Times belong to `npm run bench -- --tool`.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withPage } from './harness.js';
import { DIST, withTool } from './tool.js';

/** @typedef {import('playwright-core').Page} Page */

/** Bakes of the memory test: `BAKES=100 node --test tests/browser/tool-speed.test.js`. */
const BAKES = Number(process.env.BAKES ?? 8);

/** Holds bakes after this many tiles, until they are cancelled. @param {Page} page @param {number} tiles */
const holdBakes = (page, tiles) => page.evaluate((most) => {
  const { postMessage } = Worker.prototype;
  let left = most;
  Worker.prototype.postMessage = function hold(/** @type {any[]} */ ...message) {
    if (message[0].type !== 'tile' || left-- > 0) postMessage.apply(this, /** @type {any} */ (message));
  };
}, tiles);

test('the first bake waits for its workers: they start while the level is still being read', async () => {
  /** The number of warm workers, while the level is held back. @type {{ warm: number, size: number } | undefined} */
  let seen;
  const prepare = (/** @type {Page} */ page) => page.route('**/levels/*.obj', async (route) => {
    await page.waitForFunction('window.walkmeshTool');
    seen = await page.evaluate(async () => {
      const { pool } = /** @type {any} */ (window).walkmeshTool.bakes;
      for (;;) {
        const warm = (await pool.memory()).length;
        if (warm === pool.size) return { warm, size: pool.size };
        await new Promise((done) => { setTimeout(done, 10); });
      }
    });
    await route.continue();
  });
  await withPage({ mounts: { '': DIST }, prepare }, async (page) => {
    await page.waitForFunction("window.walkmeshTool?.store.state.session.bake.state === 'done'");
    assert.ok(seen, 'the level was read before there was a pool');
    assert.equal(seen.warm, seen.size);
  });
});

test('the progress of a bake redraws the panels and moves the bar in every frame: it redraws the bar only, without a transition', () => withTool({}, async (page, tool) => {
  await page.evaluate(() => {
    const { panels } = /** @type {any} */ (window).walkmeshTool;
    const counts = Object.assign(window, { counts: { panels: 0, transitions: 0 } }).counts;
    panels.addSection({ id: 'probe', side: 'right', title: 'Probe', render: () => { counts.panels++; return ''; } });
    panels.refresh();
    const watch = () => {
      const bar = document.querySelector('.bake-progress');
      if (!bar?.shadowRoot) { requestAnimationFrame(watch); return; }
      bar.shadowRoot.addEventListener('transitionrun', () => { counts.transitions++; });
      counts.panels = 0;
    };
    watch();
  });
  // No tile is baked: the test alone makes progress.
  await holdBakes(page, 0);
  await page.evaluate('void walkmeshTool.bakes.bake()');
  const words = page.getByRole('banner').locator('.bake-words');
  await words.getByText('Starting workers').waitFor();
  await tool.frames(3);
  const panels = await tool.read('window.counts.panels');
  for (const done of [10, 70, 71]) {
    await page.evaluate((count) => {
      const { store } = /** @type {any} */ (window).walkmeshTool;
      store.setSession({ bake: { ...store.state.session.bake, done: count, tiles: 81 } });
    }, done);
    await words.getByText(`${done} of 81 tiles`).waitFor();
  }
  await tool.frames(3);
  assert.equal(await tool.read('window.counts.panels'), panels, 'progress draws the panels again');
  assert.equal(await tool.read('window.counts.transitions'), 0, 'the bar moves by a transition');
  await page.evaluate('walkmeshTool.bakes.cancel()');
  await tool.until("app.store.state.session.bake.state === 'cancelled'");
  await tool.rest();
  assert.ok(await tool.read('window.counts.panels') > panels, 'the end of the bake draws everything');
}));

test('drawings are slow after a bake, and the mesh is drawn twice: their pace is that of work only while a bake runs, and its preview is gone before the mesh is drawn', () => withTool({}, async (page, tool) => {
  await page.evaluate(() => {
    const { viewport, bakes, layers } = /** @type {any} */ (window).walkmeshTool;
    const { renderer, scene } = viewport;
    const before = bakes.current.navMesh;
    const seen = Object.assign(window, { seen: { whole: 0, both: 0 } }).seen;
    const { render } = renderer;
    renderer.render = (/** @type {any[]} */ ...values) => {
      if (values[0] === scene && bakes.current?.navMesh !== before && layers.isComplete) {
        seen.whole++;
        if (scene.getObjectByName('tiles being baked')) seen.both++;
      }
      return render.apply(renderer, values);
    };
  });
  const isSlow = () => tool.read('app.viewport.pace.isSlow');
  assert.equal(await isSlow(), false);
  assert.equal(await page.evaluate(async () => {
    const app = /** @type {any} */ (window).walkmeshTool;
    const baking = app.bakes.bake();
    const isSlowThen = app.viewport.pace.isSlow;
    await baking;
    return isSlowThen;
  }), true);
  await tool.ready();
  const { whole, both } = await tool.read('window.seen');
  assert.ok(whole > 0 && both === 0, `${both} of ${whole} drawings of the whole mesh have the preview, too`);
  assert.equal(await isSlow(), false);
  await holdBakes(page, 3);
  await page.evaluate('void walkmeshTool.bakes.bake()');
  await tool.until('app.bakes.previewed > 0');
  assert.equal(await isSlow(), true);
  await page.evaluate('walkmeshTool.bakes.cancel()');
  await tool.until("app.store.state.session.bake.state === 'cancelled'");
  assert.equal(await isSlow(), false);
}));

test('a bake that draws nothing keeps the page busy: frames are requested only for drawings', () => withTool({}, async (page, tool) => {
  await tool.still();
  await tool.until('app.problems.isComplete');
  await holdBakes(page, 0);
  const requests = await page.evaluate(async () => {
    const { bakes } = /** @type {any} */ (window).walkmeshTool;
    void bakes.bake();
    await new Promise((done) => { setTimeout(done, 300); });
    const { requestAnimationFrame: request } = window;
    let count = 0;
    window.requestAnimationFrame = (callback) => {
      count++;
      return request.call(window, callback);
    };
    await new Promise((done) => { setTimeout(done, 700); });
    window.requestAnimationFrame = request;
    bakes.cancel();
    return count;
  });
  assert.ok(requests < 10, `${requests} frames in 0.7 s`);
}));

test('the search for problems and the comparison slow the drawing of the mesh down: they begin once it is drawn', () => withTool({}, async (page, tool) => {
  const seen = await page.evaluate(async () => {
    const { bakes, events, islands, layers, viewport } = /** @type {any} */ (window).walkmeshTool;
    const { list } = islands;
    let before = NaN;
    events.on('mesh', () => { before = viewport.drawn; });
    const begun = new Promise((done) => {
      islands.list = (/** @type {number} */ milliseconds) => {
        done({ isComplete: layers.isComplete, previewed: bakes.previewed, drawings: viewport.drawn - before });
        return list.call(islands, milliseconds);
      };
    });
    await bakes.bake();
    const answer = await begun;
    islands.list = list;
    return answer;
  });
  assert.ok(seen.drawings > 0, 'the view was drawn');
  assert.deepEqual([seen.isComplete, seen.previewed], [true, 0]);
  await tool.until('app.problems.isComplete');
}));

test('a level that opens just as a bake ends shows the report of the former level', () => withTool({}, async (page, tool) => {
  await page.evaluate('walkmeshTool.store.setView({ autoBake: false })');
  await tool.rest();
  await page.evaluate(async () => {
    const app = /** @type {any} */ (window).walkmeshTool;
    app.events.on('mesh', (/** @type {unknown} */ baked) => {
      if (baked) queueMicrotask(() => app.events.emit('level', app.levels.current));
    });
    await app.bakes.bake();
  });
  assert.deepEqual(await tool.read('[app.bakes.current, app.store.state.session.bake.state, app.store.state.session.bake.report]'), [null, 'idle', null]);
}));

/**
 * Bytes of the page's own values in its heap: objects, arrays, strings and closures. The heap also has the code that the engine compiles
 * as functions become hot, some 10 kB a bake in the first hundred bakes, and its records for the performance timeline.
 * @param {import('playwright-core').CDPSession} client
 */
async function measureValues(client) {
  /** @type {string[]} */
  const parts = [];
  const add = (/** @type {{ chunk: string }} */ { chunk }) => { parts.push(chunk); };
  client.on('HeapProfiler.addHeapSnapshotChunk', add);
  await client.send('HeapProfiler.takeHeapSnapshot', { reportProgress: false });
  client.off('HeapProfiler.addHeapSnapshotChunk', add);
  const { snapshot: { meta: { node_fields: fields, node_types: [types] } }, nodes } = JSON.parse(parts.join(''));
  const [type, size] = [fields.indexOf('type'), fields.indexOf('self_size')];
  let sum = 0;
  for (let i = 0; i < nodes.length; i += fields.length) {
    if (['object', 'array', 'closure', 'string', 'number', 'concatenated string', 'sliced string', 'regexp', 'bigint'].includes(types[nodes[i + type]])) sum += nodes[i + size];
  }
  return sum;
}

test(`memory grows with every bake: after ${BAKES} it is what it was`, () => withTool({ milliseconds: 60_000 + 3000 * BAKES }, async (page, tool) => {
  const client = await page.context().newCDPSession(page);
  const bake = (/** @type {number} */ count) => page.evaluate(async (times) => {
    const app = /** @type {any} */ (window).walkmeshTool;
    for (let i = 0; i < times; i++) {
      await app.bakes.bake();
      while (!(app.layers.isComplete && app.bakes.previewed === 0 && app.viewport.isCurrent)) await new Promise((done) => { requestAnimationFrame(done); });
    }
  }, count);
  const measure = async () => {
    await tool.still();
    await client.send('HeapProfiler.collectGarbage');
    const { usedSize, backingStorageSize = 0 } = /** @type {any} */ (await client.send('Runtime.getHeapUsage'));
    const values = await measureValues(client);
    return { heap: usedSize, values, buffers: backingStorageSize, ...await page.evaluate(async () => {
      const { walkmesh, bakes, viewport } = /** @type {any} */ (window).walkmeshTool;
      const { renderer, scene } = viewport;
      const { geometries, textures } = renderer.info.memory;
      let objects = 0;
      scene.traverse(() => { objects++; });
      const [{ bytes: workerBytes, wasmBytes: workerWasmBytes }] = await bakes.pool.memory();
      const { bytes, wasmBytes } = walkmesh.memory();
      return { geometries, textures, programs: renderer.info.programs.length, objects, bytes, wasmBytes, workerBytes, workerWasmBytes };
    }) };
  };
  await bake(5);
  const { heap, values, buffers, bytes, ...before } = await measure();
  await bake(BAKES);
  const { heap: heapAfter, values: valuesAfter, buffers: buffersAfter, bytes: bytesAfter, ...after } = await measure();
  if (process.env.BAKES) console.log({ heap, heapAfter, values, valuesAfter, buffers, buffersAfter, bytes, bytesAfter, before, after });
  assert.deepEqual(after, before);
  assert.ok(Math.abs(bytesAfter - bytes) < 1024, `the module's memory grows by ${bytesAfter - bytes} bytes`);
  // A preview or a drawing that stays is hundreds of kilobytes of buffers a bake.
  assert.ok(buffersAfter - buffers < 64 * 1024, `buffers grow by ${buffersAfter - buffers} bytes`);
  // With BAKES=100, a single object that each bake leaves is seen.
  assert.ok(valuesAfter - values < 16_000 + 40 * BAKES, `the page's values grow by ${valuesAfter - values} bytes`);
  assert.ok(heapAfter - heap < 1_200_000 + 1000 * BAKES, `the heap grows by ${heapAfter - heap} bytes, code included`);
}));

test('every drawing of a bake draws the level again: without a graphics card its picture is used while the camera stays', () => withTool({}, async (page, tool) => {
  await tool.still();
  const draw = async () => {
    await page.evaluate('walkmeshTool.viewport.invalidate()');
    await tool.drawn();
    return { picture: await tool.read('app.viewport.canvas.toDataURL()'), levels: await tool.read('levelDrawings') };
  };
  await page.evaluate(() => {
    Object.assign(window, { levelDrawings: 0 });
    /** @type {any} */ (window).walkmeshTool.levels.current.mesh.onBeforeRender = () => { /** @type {any} */ (window).levelDrawings++; };
  });
  await draw();
  const [before, after] = [await draw(), await draw()];
  assert.equal(after.levels, before.levels, 'the level is not drawn again');
  // A drawing of everything, after the camera has moved there and back.
  await page.evaluate('walkmeshTool.viewport.camera.position.x += 1');
  const moved = await draw();
  await page.evaluate('walkmeshTool.viewport.camera.position.x -= 1');
  const back = await draw();
  assert.ok(moved.levels > after.levels && back.levels > moved.levels, `${after.levels}, ${moved.levels}, ${back.levels} drawings of the level`);
  assert.notEqual(moved.picture, after.picture);
  assert.equal(after.picture, back.picture, 'the picture is the same, pixel by pixel');
  // A hidden level is drawn again, too: the stored picture is not used.
  await page.evaluate("walkmeshTool.layers.set('input', { visible: false })");
  assert.notEqual((await draw()).picture, back.picture);
}));
