// `npm start`, as a newcomer runs it; everything has been compiled before.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { test } from 'node:test';
import { load } from '../../js/index.js';
import { ROOT } from './support.js';

/** With the variable CI set, `npm start` serves nothing. */
const { CI: _, ...newcomer } = process.env;

/**
 * Runs `npm start` until it has printed the tool's address.
 * @returns {Promise<{ child: import('node:child_process').ChildProcess, output: () => string }>}
 */
async function start() {
  const child = spawn(process.execPath, ['scripts/start.js'], { cwd: ROOT, env: newcomer, stdio: ['ignore', 'pipe', 'pipe'] });
  let [output, errors] = ['', ''];
  child.stdout.on('data', (chunk) => { output += chunk; });
  child.stderr.on('data', (chunk) => { errors += chunk; });
  await new Promise((resolve, reject) => {
    child.stdout.on('data', () => /Open the level tool: .*\n$/.test(output) && resolve(undefined));
    child.on('exit', (status) => reject(new Error(`it ended with ${status}: ${output}${errors}`)));
  });
  return { child, output: () => output };
}

/** Fetches a page, or another file, from the address. @param {string} address @param {RegExp} type */
async function fetchText(address, type) {
  const answer = await fetch(address);
  assert.equal(answer.status, 200, address);
  assert.match(answer.headers.get('content-type'), type, address);
  return answer.text();
}

test('npm start bakes the level, draws it, and serves the level tool on a free port until it is interrupted', async () => {
  const files = ['city.walkmesh', 'city.svg'].map((name) => join(ROOT, 'out', name));
  for (const file of files) rmSync(file, { force: true });
  // Another server occupies the default port.
  const other = createServer((_, response) => response.end('somebody else'));
  const isOurs = await new Promise((resolve) => {
    other.once('error', () => resolve(false)).listen(5173, 'localhost', () => resolve(true));
  });
  const { child, output } = await start();
  try {
    assert.match(output(), /Path across the city in .*complete/);
    const [, address] = /Open the level tool: (http:\/\/localhost:\d+\/)\n$/.exec(output());
    assert.notEqual(new URL(address).port, '5173', isOurs ? 'the port was taken' : 'another server has it');
    const page = await fetchText(address, /text\/html/);
    assert.match(page, /<title>Walkmesh level tool<\/title>/);
    const [, script] = /src="\.\/(assets\/[^"]+\.js)"/.exec(page);
    assert.ok((await fetchText(address + script, /javascript/)).length > 10_000);
    assert.match(await fetchText(`${address}examples/`, /text\/html/), /<title>Walkmesh examples/);
    assert.match(await fetchText(`${address}levels/city.obj`, /./), /^v /m);
  } finally {
    const ended = new Promise((resolve) => { child.removeAllListeners('exit').on('exit', resolve); });
    child.kill('SIGINT');
    assert.equal(await ended, 0, 'Ctrl-C ends it well');
    other.close();
  }
  const navMesh = (await load()).loadNavMesh(readFileSync(files[0]));
  assert.ok(navMesh.totals.polygons > 100);
  assert.match(readFileSync(files[1], 'utf8'), /^<svg[^]*<\/svg>\s*$/);
  navMesh.free();
});

test('npm start ends by itself where it is told not to serve, and in CI', () => {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/start.js', '--no-serve'], { cwd: ROOT, env: newcomer, encoding: 'utf8' });
  assert.equal(status, 0, stderr);
  assert.match(stdout, /web-demo\/dist.*\nNot served/);
  assert.doesNotMatch(stdout, /Compiling/, 'what was built before is not built again');
});
