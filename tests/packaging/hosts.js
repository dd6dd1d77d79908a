/**
 * `npm run test:hosts`: installs the packed package and each host, at a pinned version, into a folder of its own, runs the same trial
 * there (hosts/trial.js), and prints a table. Bundlers run as a development server and as a build. A host that cannot be installed is
 * named as such. The exit status is 1 if a host that was installed failed.
 *
 *     npm run test:hosts                the whole table
 *     npm run test:hosts -- next deno   these hosts
 *     WALKMESH_HOSTS=folder             keeps the folders there, and what they installed
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { withPage } from '../browser/harness.js';
import { ROOT, pack } from './install.js';

const HOSTS_FOLDER = join(ROOT, 'tests', 'packaging', 'hosts');
const EXPECTED = { bake: 'complete', workers: 'complete', update: 'unreachable' };

/**
 * @typedef {object} Host
 * @property {string} name
 * @property {string[]} packages pinned; the first is the host
 * @property {string} files folder of tests/packaging/hosts
 * @property {string} [dev] command of the development server; PORT stands for its port
 * @property {string} [build] command of the build
 * @property {number} [buildNeeds] the oldest Node in which the host builds
 * @property {string} [serve] command of the built server; without it, `out` is served as files
 * @property {string} [run] command of a script that prints the outcome
 * @property {string} [open] file: the built page is opened from the disk
 */

/** @type {Host[]} */
const HOSTS = [
  { name: 'Node', packages: [], files: 'script', run: 'node main.js' },
  { name: 'Node, CommonJS', packages: [], files: 'script', run: 'node main.cjs' },
  { name: 'Bun', packages: ['bun@1.4.5'], files: 'script', run: 'bun main.js' },
  { name: 'Deno', packages: ['deno@2.9.6'], files: 'script', run: 'deno run -A main.js' },
  { name: 'edge worker (workerd)', packages: ['miniflare@4.20260730.0', 'esbuild@0.28.2'], files: 'edge', run: 'node run.js' },
  {
    name: 'webpack', packages: ['webpack@5.112.2', 'webpack-cli@7.3.1', 'webpack-dev-server@6.1.0'], files: 'webpack',
    dev: 'webpack serve --port PORT', build: 'webpack', serve: '',
  },
  {
    name: 'Rspack', packages: ['@rspack/core@2.3.4', '@rspack/cli@2.2.8', '@rspack/dev-server@2.2.2'], files: 'webpack',
    dev: 'rspack serve -c webpack.config.mjs --port PORT', build: 'rspack build -c webpack.config.mjs', serve: '',
  },
  { name: 'Parcel', packages: ['parcel@2.16.4'], files: 'page', dev: 'parcel index.html --host 127.0.0.1 --port PORT', build: 'parcel build index.html --dist-dir out' },
  { name: 'Next', packages: ['next@16.4.6', 'react@19.3.1', 'react-dom@19.3.1'], files: 'next', dev: 'next dev -H 127.0.0.1 -p PORT', build: 'next build', serve: 'next start -H 127.0.0.1 -p PORT' },
  { name: 'Nuxt', packages: ['nuxt@4.5.2'], files: 'nuxt', dev: 'nuxt dev --host 127.0.0.1 --port PORT', build: 'nuxt build', buildNeeds: 22, serve: 'node .output/server/index.mjs' },
  {
    name: 'file:// (esbuild, iife)', packages: ['esbuild@0.28.2'], files: 'bundle', build: 'esbuild main.js --bundle --minify --format=iife --outfile=out/main.js',
    open: 'index.html',
  },
  { name: 'Electron', packages: ['electron@45.4.1'], files: 'bundle', run: 'electron --version' },
];

/** Notices of hosts about this machine, such as React's about old versions of Node. */
const NOTICES = /upgrade to a modern Node\.js|webpack-dev-server|preloaded using link preload|GPU stall/;

const environment = { ...process.env, NEXT_TELEMETRY_DISABLED: '1', NUXT_TELEMETRY_DISABLED: '1', DO_NOT_TRACK: '1', CI: '1' };

/** Starts a command in a process group of its own. @param {string} folder @param {string} command @param {Record<string, string>} [more] */
function start(folder, command, more = {}) {
  const path = `${join(folder, 'node_modules', '.bin')}:${process.env.PATH}`;
  const child = spawn('sh', ['-c', `exec ${command}`], { cwd: folder, detached: true, env: { ...environment, ...more, PATH: path } });
  const output = { text: '' };
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => { output.text += data; });
  const ended = new Promise((resolve) => { child.on('close', resolve); });
  const stop = () => {
    try {
      process.kill(-(child.pid ?? 0));
    } catch { /* it has ended */ }
  };
  return { output, ended, stop };
}

/** Runs a command to its end. @param {string} folder @param {string} command @param {Record<string, string>} [more] @returns {Promise<string>} its output */
async function run(folder, command, more) {
  const { output, ended, stop } = start(folder, command, more);
  const timer = setTimeout(stop, 300_000);
  const status = await ended;
  clearTimeout(timer);
  if (status !== 0) throw new Error(`${command}: ${output.text.trim().split('\n').slice(-12).join('\n')}`);
  return output.text;
}

/** A free port. @returns {Promise<string>} */
const findPort = () => new Promise((resolve) => {
  const server = createServer().listen(0, '127.0.0.1', () => {
    const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
    server.close(() => resolve(String(port)));
  });
});

/** Opens a page and returns window.outcome. @param {Parameters<typeof withPage>[0]} options */
const openPage = (options) => withPage({ path: '/', allow: NOTICES, milliseconds: 120_000, ...options }, async (page) => {
  await page.waitForFunction('window.outcome', undefined, { timeout: 110_000 });
  return page.evaluate('window.outcome');
});

/** Waits until a server answers. @param {string} origin @param {{ output: { text: string } }} server */
async function waitForServer(origin, { output }) {
  for (const end = Date.now() + 120_000; Date.now() < end;) {
    if (await fetch(origin).then(({ ok }) => ok, () => false)) return;
    await new Promise((resolve) => { setTimeout(resolve, 300); });
  }
  throw new Error(`the server did not answer: ${output.text.trim().split('\n').slice(-12).join('\n')}`);
}

/** Starts a server, opens its page, stops it. @param {string} folder @param {string} command @param {string} mode */
async function openServer(folder, command, mode) {
  const port = await findPort();
  const server = start(folder, command.replace('PORT', port), { PORT: port, HOST: '127.0.0.1', NODE_ENV: mode });
  const origin = `http://localhost:${port}`.replace('localhost', '127.0.0.1');
  try {
    await waitForServer(origin, server);
    return await openPage({ origin });
  } finally {
    server.stop();
    await server.ended;
  }
}

/** @param {Host} host @param {string} folder */
async function openBuilt({ build, serve, open, files }, folder) {
  await run(folder, /** @type {string} */ (build), { NODE_ENV: 'production' });
  if (open) return openPage({ origin: `file://${folder}`, path: `/${open}` });
  if (serve) return openServer(folder, serve, 'production');
  if (files === 'webpack') cpSync(join(folder, 'index.html'), join(folder, 'out', 'index.html'));
  return openPage({ mounts: { '': join(folder, 'out') } });
}

/** @param {() => Promise<any>} test @returns {Promise<string>} what the table says */
async function judge(test) {
  try {
    const outcome = await test();
    const wrong = Object.entries(EXPECTED).filter(([key, value]) => outcome[key] !== value);
    if (outcome.server && outcome.server !== 'complete') wrong.push(['server', '']);
    return wrong.length === 0 ? 'works' : `FAILED: ${JSON.stringify(outcome)}`;
  } catch (error) {
    return `FAILED: ${error instanceof Error ? error.message : error}`;
  }
}

/** The script's last line is its outcome. @param {string} output */
const readOutcome = (output) => JSON.parse(output.trim().split('\n').at(-1) ?? '');

/** An edge worker bakes in its own thread, and the error without a module says what to pass. @param {any} outcome */
const judgeEdge = ({ bake, without }) => ({ ...EXPECTED, bake: /^unreachable.*load\(\{ wasm \}\)/.test(without) ? bake : without });

/** @param {Host} host @param {string} folder @returns {Promise<Record<string, string>>} a column of the table each */
async function tryHost(host, folder) {
  const { files, run: script, dev, build, buildNeeds = 0 } = host;
  const isTooOld = Number(process.versions.node.split('.')[0]) < buildNeeds;
  if (script) {
    return { run: await judge(async () => {
      const outcome = readOutcome(await run(folder, script));
      return files === 'edge' ? judgeEdge(outcome) : outcome;
    }) };
  }
  return {
    ...(dev ? { dev: await judge(() => openServer(folder, dev, 'development')) } : {}),
    ...(build ? { build: isTooOld ? `not run: needs Node ${buildNeeds}` : await judge(() => openBuilt(host, folder)) } : {}),
  };
}

/** Installs a host. @param {Host} host @param {string} folder */
async function install({ packages, files }, folder) {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "type": "module", "private": true }\n');
  cpSync(join(HOSTS_FOLDER, files), folder, { recursive: true });
  cpSync(join(HOSTS_FOLDER, 'trial.js'), join(folder, 'trial.js'));
  cpSync(join(ROOT, 'tests', 'packaging', 'projects', 'level.js'), join(folder, 'level.js'));
  await run(folder, `npm install --prefer-offline --no-audit --no-fund --silent ${[...packages, pack().tarball].join(' ')}`);
  // Some packages download their program after the installation, from elsewhere than the registry.
  if (packages[0]?.startsWith('electron@') && !existsSync(join(folder, 'node_modules', 'electron', 'dist'))) {
    throw new Error('its program is not in the registry');
  }
}

const kept = process.env.WALKMESH_HOSTS;
const names = process.argv.slice(2).map((name) => name.toLowerCase());
const chosen = HOSTS.filter(({ name }) => names.length === 0 || names.some((part) => name.toLowerCase().includes(part)));
const rows = [['host', 'version', 'dev', 'build', 'run']];

for (const host of chosen) {
  test(host.name, async (context) => {
    const base = kept ?? mkdtempSync(join(tmpdir(), 'walkmesh-hosts-'));
    const folder = join(base, host.name.replaceAll(/\W+/g, '-'));
    const row = [host.name, host.packages[0]?.split('@').at(-1) ?? process.versions.node];
    const missing = await install(host, folder).then(() => undefined, (/** @type {Error} */ error) => `not installed: ${error.message.split('\n')[0]}`);
    const result = missing ? {} : await tryHost(host, folder);
    rows.push([...row, ...missing ? [missing] : ['dev', 'build', 'run'].map((key) => (result[key] ?? '').split(': ')[0])]);
    if (!kept) rmSync(base, { recursive: true, force: true });
    if (missing) context.skip(missing);
    if (result.build?.startsWith('not run')) context.diagnostic(result.build);
    assert.deepEqual(Object.values(result).filter((text) => text.startsWith('FAILED')), []);
  });
}

after(() => {
  for (const row of rows) console.log(row.map((cell, i) => cell.padEnd([26, 16, 8, 8, 0][i])).join(' '));
});
