// The command line under attack: full disks, signals and closed pipes in the middle of writing, JSON with fields that nobody knows.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, lstatSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { ROOT } from '../../scripts/setup.js';
import { createProgress } from '../../js/cli/output.js';

const folder = mkdtempSync(join(tmpdir(), 'walkmesh-command-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const at = (/** @type {string} */ name) => join(folder, name);
const plaza = join(ROOT, 'tests/scenes/plaza.obj');
const CLI = join(ROOT, 'js/cli.js');

/** Code that runs before the command: it changes how opened files write. @param {string} change of `file`, an opened file */
const preload = (change) => ['--import', `data:text/javascript,${encodeURIComponent(`
  import promises from 'node:fs/promises';
  import { syncBuiltinESMExports } from 'node:module';
  const { open } = promises;
  promises.open = async (...rest) => {
    const file = await open(...rest);
    if (rest[1] === 'wx') { ${change} }
    return file;
  };
  syncBuiltinESMExports();`)}`];

/** Writes half of the contents, then fails as a full disk does. */
const FULL_DISK = preload(`const { writeFile } = file;
  file.writeFile = async (contents) => {
    await writeFile.call(file, contents.slice(0, contents.length / 2));
    throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
  };`);
/** Says so, and waits, when the contents are written and not yet on the disk. */
const SLOW_DISK = preload("file.sync = () => { console.error('writing'); return new Promise(() => { setInterval(() => {}, 1000); }); };");

const run = (/** @type {string[]} */ ...args) => spawnSync(process.execPath, args, { encoding: 'utf8', cwd: folder });
/** A good file, for commands that read one. */
const made = run(CLI, 'bake', plaza, '-o', 'good.walkmesh');
assert.equal(made.status, 0, made.stderr);

/** Each command that writes a file: its arguments, and the file. @type {Record<string, [args: string[], file: string]>} */
const WRITERS = {
  bake: [['bake', plaza, '-o', 'old'], 'old'],
  convert: [['convert', 'good.walkmesh', 'old', '--format', 'detour'], 'old'],
  draw: [['draw', 'good.walkmesh', '-o', 'old'], 'old'],
  stages: [['stages', plaza, '.'], 'summary.json'],
};

for (const [name, [args, file]] of Object.entries(WRITERS)) {
  test(`command: ${name} leaves the old file where the disk is full`, () => {
    writeFileSync(at(file), 'old');
    const { status, stderr } = run(...FULL_DISK, CLI, ...args);
    assert.deepEqual([status, readFileSync(at(file), 'utf8')], [1, 'old']);
    assert.match(stderr, /^walkmesh: cannot write .*\(ENOSPC\)\n$/);
    assert.deepEqual(readdirSync(folder).filter((entry) => entry.startsWith('.')), []);
  });
}

for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
  test(`command: ${signal} in the middle of writing leaves the old file, and nothing else`, async () => {
    writeFileSync(at('old'), 'old');
    const child = spawn(process.execPath, [...SLOW_DISK, CLI, ...WRITERS.bake[0]], { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
    child.stderr.once('data', () => child.kill(signal));
    const [status, by] = await new Promise((resolve) => { child.on('exit', (...ended) => resolve(ended)); });
    assert.deepEqual([status, by, readFileSync(at('old'), 'utf8')], [null, signal, 'old']);
    assert.deepEqual(readdirSync(folder).filter((entry) => entry.startsWith('.')), []);
  });
}

test('command: SIGKILL in the middle of writing leaves the old file', async () => {
  writeFileSync(at('old'), 'old');
  const child = spawn(process.execPath, [...SLOW_DISK, CLI, ...WRITERS.bake[0]], { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
  child.stderr.once('data', () => child.kill('SIGKILL'));
  await new Promise((resolve) => { child.on('exit', resolve); });
  assert.equal(readFileSync(at('old'), 'utf8'), 'old');
  for (const entry of readdirSync(folder).filter((name) => name.startsWith('.'))) rmSync(at(entry));
});

test('command: a file keeps its mode, a link its target; devices are written to, not replaced', () => {
  writeFileSync(at('target'), 'old');
  chmodSync(at('target'), 0o600);
  symlinkSync('target', at('link'));
  assert.equal(run(CLI, 'convert', 'good.walkmesh', 'link').status, 0);
  assert.ok(lstatSync(at('link')).isSymbolicLink());
  assert.deepEqual(readFileSync(at('target')), readFileSync(at('good.walkmesh')));
  assert.equal(statSync(at('target')).mode & 0o777, 0o600);
  symlinkSync('/dev/full', at('full'));
  const { status, stderr } = run(CLI, 'convert', 'good.walkmesh', 'full');
  assert.deepEqual([status, stderr], [1, 'walkmesh: cannot write full (ENOSPC)\n']);
  assert.ok(statSync('/dev/full').isCharacterDevice());
});

/** Runs a command in a shell. @param {string} redirection of `walkmesh ...` */
const shell = (redirection) => spawnSync('bash', ['-c', redirection.replace('walkmesh', `'${process.execPath}' '${CLI}'`)], { encoding: 'utf8', cwd: folder });

test('command: closed pipes end quietly', () => {
  for (const line of ['walkmesh info good.walkmesh --json | true', 'walkmesh stages good.walkmesh . | true', 'walkmesh path good.walkmesh --from 2,0,2 --to 38,0,38 --json | head -1',
    'walkmesh --help | true', `walkmesh bake '${plaza}' -o out.walkmesh --json | true`]) {
    const { stderr } = shell(line);
    assert.ok(!/EPIPE|Error|at /.test(stderr), `${line}: ${stderr}`);
  }
  const quiet = shell("walkmesh info nothing.walkmesh 2> >(true); echo $?");
  assert.equal(quiet.stdout, '1\n');
});

test('command: output that cannot be written is an error', () => {
  const { status, stderr } = shell('walkmesh info good.walkmesh --json > /dev/full');
  assert.deepEqual([status, stderr], [1, 'walkmesh: cannot write the output (ENOSPC)\n']);
});

test('command: fields of JSON files that nobody knows are named', () => {
  const rows = /** @type {[string, string, RegExp][]} */ ([
    ['--config', '{"cellSise": 1}', /cellSise .*did you mean cellSize/], ['--config', '{"__proto__": {"cellSize": 1}}', /__proto__/],
    ['--config', '{"bounds": {"min": [0, 0, 0], "max": [1, 1, 1], "middle": 1}}', /bounds\.middle/], ['--config', '{"constructor": 1}', /constructor/],
    ['--placed', '{"volume": []}', /volume is not a field: did you mean volumes/], ['--placed', '{"volumes": [{"kind": "box", "min": [0,0,0], "max": [1,1,1], "area": 1, "are": 2}]}', /are\b/],
    ['--placed', '{"offMeshConnections": [{"start": [0,0,0], "end": [1,0,1], "radius": 1, "raduis": 1}]}', /raduis/], ['--placed', '{"areaFlags": {"mud": 1}}', /areaFlags/],
    ['--placed', '{"solids": [{"kind": "sphere", "centre": [0,0,0], "radius": 1, "colour": 1}]}', /colour/], ['--placed', '{"__proto__": []}', /__proto__/],
  ]);
  for (const [option, text, pattern] of rows) {
    writeFileSync(at('fields.json'), text);
    const { status, stderr } = run(CLI, 'bake', plaza, '-o', 'none.walkmesh', option, 'fields.json');
    assert.equal(status, 1, `${text}: ${stderr}`);
    assert.match(stderr, pattern);
    assert.equal(stderr.trim().split('\n').length, 1, stderr);
  }
});

test('command: the progress bar does not catch the signals that end the command', async () => {
  const isTerminal = Object.getOwnPropertyDescriptor(process.stderr, 'isTTY');
  Object.defineProperty(process.stderr, 'isTTY', { value: true, configurable: true });
  try {
    const { onProgress, stop } = await createProgress(false);
    onProgress({ tile: 0, tiles: 2, stage: 'regions' });
    assert.equal(process.listenerCount('SIGINT') + process.listenerCount('SIGTERM'), 0);
    stop();
  } finally {
    if (isTerminal) Object.defineProperty(process.stderr, 'isTTY', isTerminal);
    else delete /** @type {any} */ (process.stderr).isTTY;
  }
});
