/**
 * Pages followed to the letter, in a fresh project with the packed package: docs/server.md, the section of docs/dynamic.md about
 * shipping, and docs/click-to-move.md, built by Vite. In Chromium somebody clicks behind the wall: the character of the first
 * version, and the crowd of the second, walk there.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { withPage } from '../browser/harness.js';
import { readBlocks } from '../js/snippets.js';
import { ROOT, makeProject } from './install.js';

const read = (name) => readFileSync(join(ROOT, 'docs', `${name}.md`), 'utf8');

/** The texts of a page's or a section's blocks in a language. @param {string} markdown @param {string} language */
const textsOf = (markdown, language) => readBlocks(markdown).filter((block) => block.language === language).map(({ lines }) => lines.join('\n'));

/** A project with the level of the pages. */
function makeProjectWithLevel(name) {
  const folder = makeProject(name, { hasFiles: false });
  copyFileSync(join(ROOT, 'tests', 'scenes', 'plaza.obj'), join(folder, 'level.obj'));
  return folder;
}

const run = (folder, ...args) => execFileSync(process.execPath, args, { cwd: folder, encoding: 'utf8', timeout: 60_000 });

test('server.md: the command and the program work as they are', () => {
  const folder = makeProjectWithLevel('server');
  const [command] = textsOf(read('server'), 'sh');
  run(folder, 'node_modules/walkmesh/dist/cli.js', ...command.replace('npx walkmesh ', '').split(' '));
  writeFileSync(join(folder, 'server.mjs'), textsOf(read('server'), 'js').join('\n'));
  const output = run(folder, 'server.mjs');
  assert.match(output, /status: 'complete'/);
  assert.match(output, /^400$/m);
  assert.match(output, /^true complete$/m);
});

test('dynamic.md: a level is baked by one program, and shipped to another', () => {
  const [section] = /^## Shipping[^]*?(?=^## )/m.exec(read('dynamic'));
  const [bake, fetched, loaded] = textsOf(section, 'js');
  const folder = makeProjectWithLevel('shipped');
  writeFileSync(join(folder, 'bake-level.js'), bake);
  run(folder, 'bake-level.js');
  assert.ok(existsSync(join(folder, 'level.dynamic')));
  const start = "import { load } from 'walkmesh';\nconst walkmesh = await load();\n";
  writeFileSync(join(folder, 'game.js'), `import { readFile } from 'node:fs/promises';\n${start}${loaded}`);
  assert.equal(run(folder, 'game.js').trim(), '0 complete');
  const fetching = "const { readFile } = await import('node:fs/promises');\nconst fetch = async (path) => new Response(await readFile(path));\n";
  writeFileSync(join(folder, 'fetched.js'), `${start}${fetching}${fetched}\nconsole.log(dynamic.obstacleCount);`);
  assert.equal(run(folder, 'fetched.js').trim(), '1');
});

const [html] = textsOf(read('click-to-move'), 'html');
const [level, walker, , frames, crowd] = textsOf(read('click-to-move'), 'js');

/** What the test reads from the page: positions, and the pixel of a point of the level. */
const PROBE = `
globalThis.game = {
  positions: () => Array.from(positions()),
  pixelOf(x, y, z) {
    const point = new THREE.Vector3(x, y, z).project(camera);
    return [(point.x + 1) / 2 * innerWidth, (1 - point.y) / 2 * innerHeight];
  },
};`;

/** Behind the wall, seen from the start. */
const TARGET = [4, 0, -6];

/** Builds the game and plays it: the positions at the start, and once all are near the target. */
async function play(name, character, nearEnough) {
  const folder = makeProject(`click-to-move-${name}`, { hasFiles: false, tools: ['vite', 'three'] });
  writeFileSync(join(folder, 'index.html'), html);
  writeFileSync(join(folder, 'main.js'), [level, character, frames, PROBE].join('\n'));
  run(folder, 'node_modules/vite/bin/vite.js', 'build', '--logLevel', 'error');
  return withPage({ path: '/index.html', mounts: { '': join(folder, 'dist') } }, async (page) => {
    await page.waitForFunction('window.game');
    const before = await page.evaluate('game.positions()');
    await page.mouse.click(...await page.evaluate(`game.pixelOf(${TARGET})`));
    await page.waitForFunction(`(() => {
      const at = game.positions();
      return at.every((_, i) => i % 3 !== 0 || Math.hypot(at[i] - ${TARGET[0]}, at[i + 2] - ${TARGET[2]}) < ${nearEnough});
    })()`, null, { timeout: 60_000 });
    return { before, after: await page.evaluate('game.positions()') };
  });
}

test('click-to-move.md: the character of the page walks around the wall to the click', async () => {
  const { before, after } = await play('walker', walker, 0.2);
  assert.equal(before.length, 3);
  assert.ok(Math.abs(before[2] - 8) < 0.5 && after[2] < -5);
});

test('click-to-move.md: no length of a frame makes the walker endless', () => {
  const folder = makeProject('walker-frames', { hasFiles: false, tools: ['three'] });
  writeFileSync(join(folder, 'walk.mjs'), `${level}\n${walker}
    for (let order = 0; order < 500; order++) {
      send([20 * Math.random() - 10, 0, 20 * Math.random() - 10]);
      let frames = 0;
      while (walker.next < walker.path.count && frames++ < 5000) advance(0.01 + 0.03 * Math.random());
      if (walker.next < walker.path.count) throw new Error('it does not arrive');
    }
    console.log('arrived');`);
  assert.equal(run(folder, 'walk.mjs').trim(), 'arrived');
});

test('click-to-move.md: the crowd of the page does', async () => {
  const { before, after } = await play('crowd', crowd, 3);
  assert.equal(before.length, 30);
  assert.ok(after.every((value, i) => i % 3 !== 2 || value < -2));
});
