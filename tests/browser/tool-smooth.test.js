// The page answers while it bakes: what its main thread works at a time stays below 50 ms.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openBrowser } from './harness.js';
import { withTool } from './tool.js';

const LIMIT = 50;

/**
 * Tasks of the page's main thread in a trace: milliseconds of work, and from begin to end. What another program of a busy machine
 * takes in between is not work of the page.
 * @param {Buffer} trace
 */
function listTasks(trace) {
  const { traceEvents: events } = JSON.parse(trace.toString());
  const mains = new Set(events.filter(({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain').map(({ pid, tid }) => `${pid} ${tid}`));
  return events.filter(({ name, ph, pid, tid }) => ph === 'X' && /(^|::)RunTask$/.test(name) && mains.has(`${pid} ${tid}`))
    .map(({ dur, tdur = dur }) => ({ work: tdur / 1000, wall: dur / 1000 })).sort((a, b) => b.work - a.work);
}

test('while the city bakes at cell 0.15 no task of the page works for 50 ms', () => withTool({ scene: 'city', milliseconds: 150_000 }, async (page, tool) => {
  const browser = await openBrowser();
  await browser.startTracing(page, { categories: ['toplevel', 'devtools.timeline', 'disabled-by-default-devtools.timeline'] });
  await page.getByRole('spinbutton', { name: 'Cell size', exact: true }).fill('0.15');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => {
    const { bakes, store } = /** @type {any} */ (window).walkmeshTool;
    return store.state.session.bake.state === 'done' && bakes.current.config.cellSize === 0.15 && bakes.previewed === 0;
  }, undefined, { timeout: 120_000 });
  await tool.rest();
  const tasks = listTasks(await browser.stopTracing());
  assert.ok(tasks.length > 100, 'tasks were seen');
  const worst = tasks.slice(0, 5).map(({ work, wall }) => `${work.toFixed(1)} of ${wall.toFixed(1)} ms`).join(', ');
  console.log(`# the longest of ${tasks.length} tasks of the page: ${worst}`);
  assert.ok(tasks[0].work < LIMIT, `the longest tasks worked ${worst}`);
}));
