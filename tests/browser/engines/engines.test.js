// Every browser engine: results in its page are Node's, bit for bit, and the level tool works. `npm run test:browsers` runs all tests
// of pages in Firefox and WebKitGTK.
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import UPNG from 'upng-js';
import { load } from '../../../js/index.js';
import { parseObj } from '../../../js/level/obj.js';
import { makeCrowdProgram } from '../../js/determinism/crowd-program.js';
import { hashEverything } from '../../js/determinism/matrix.js';
import { makeQueryProgram } from '../../js/determinism/query-program.js';
import { ENGINE_NAMES } from './engines.js';
import { hashInPage } from '../hash-page.js';
import { ROOT } from '../harness.js';
import { withTool } from '../tool.js';

const walkmesh = await load();
const SCENE = 'plaza', CONFIG = { tileSize: 48 };

const readScene = async () => readFileSync(join(ROOT, 'tests', 'scenes', `${SCENE}.obj`));

/** Programs by name: 2,000 queries, and 600 steps of a crowd of 200. @type {Record<string, Uint8Array>} */
const PROGRAMS = {
  questions: makeQueryProgram(walkmesh, parseObj(await readScene()), CONFIG, { count: 2000 }),
  crowd: await makeCrowdProgram({ agents: 200, steps: 600, walkmesh }),
};
/** All stages of a bake, its tiles in another order, queries, a crowd, and a bake in two workers. */
const WANTED = { cases: [{ scene: SCENE, name: 'tiled48', config: CONFIG }], queries: ['questions'], crowds: ['crowd'], workers: [2] };

const expected = await hashEverything({ ...WANTED, simd: true }, async (path) => PROGRAMS[path] ?? readFileSync(join(ROOT, path)));

test('engines: the hashes tell results apart', () => {
  const { stages, orders, queries, crowds, shuffled, workers } = expected;
  const all = [...Object.values(stages).flat(), ...queries, ...crowds];
  assert.ok(new Set(all).size > 20, `${all.length} hashes`);
  assert.deepEqual([shuffled, workers[1], Object.values(orders).length], [crowds, workers[0], 1]);
});

const files = Object.fromEntries(Object.entries(PROGRAMS).map(([name, bytes]) => [`walkmesh/${name}`, bytes]));

/** Pixels of a screenshot in the yellow of paths. @param {Uint8Array} file */
function countYellow(file) {
  const pixels = new Uint8Array(UPNG.toRGBA8(UPNG.decode(file))[0]);
  let count = 0;
  for (let i = 0; i < pixels.length; i += 4) {
    if (Math.abs(pixels[i] - 250) < 40 && Math.abs(pixels[i + 1] - 204) < 40 && Math.abs(pixels[i + 2] - 21) < 40) count++;
  }
  return count;
}

/** Stores a screenshot, for people. @param {string} name @param {Uint8Array} file */
function keepPicture(name, file) {
  const folder = join(ROOT, 'build', 'browsers');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${name}.png`), file);
}

for (const engine of ENGINE_NAMES) {
  test(`${engine}: bakes, tiles in workers, queries and a crowd have the bits of Node, with and without SIMD`, async () => {
    for (const simd of [true, false]) assert.deepEqual(await hashInPage(engine, { ...WANTED, simd }, { files }), expected, `SIMD: ${simd}`);
  });

  test(`${engine}: the level tool bakes a level, finds a path to a click, and draws it`, () =>
    withTool({ scene: SCENE, engine, view: { tool: 'path', theme: 'dark' }, scale: 1, milliseconds: 120_000 }, async (page, tool) => {
      const result = "app.tools.get('path').result.path";
      assert.equal(await tool.read(`${result}.status`), 'complete');
      const before = await tool.read(`${result}.length`);
      const end = await tool.read("app.bakes.current.navMesh.nearestPoint([8, 0, 22]).point");
      await tool.click([...end]);
      assert.equal(await tool.read(`${result}.status`), 'complete');
      assert.notEqual(await tool.read(`${result}.length`), before, 'the click moves the end of the path');
      await tool.drawn();
      const picture = await page.screenshot();
      keepPicture(`level-tool-${engine}`, picture);
      const yellow = countYellow(picture);
      assert.ok(yellow > 100, `${yellow} pixels of the picture are yellow`);
    }));
}
