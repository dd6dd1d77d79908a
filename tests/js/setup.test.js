// scripts/setup.js: which of Debian's packages a fresh clone installs.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ROOT, makeFolder } from './support.js';

const isRoot = process.getuid?.() === 0;

test('setup: the headless shell is installed beside Chromium, also where other tools are missing', { skip: !isRoot && 'only root installs packages' }, (context) => {
  const folder = makeFolder(context), log = join(folder, 'log');
  writeFileSync(join(folder, 'libclang_rt.asan.a'), '');
  const commands = ['gcc', 'g++', 'make', 'cmake', 'emcc', 'pkg-config', 'clang', 'chromium', 'WebKitWebDriver', 'Xvfb'];
  for (const command of commands) writeFileSync(join(folder, command), `#!/bin/sh\necho ${folder}\n`, { mode: 0o755 });
  writeFileSync(join(folder, 'apt-get'), `#!/bin/sh\necho "$@" >> ${log}\n`, { mode: 0o755 });
  const install = () => {
    writeFileSync(log, '');
    const { status, stderr } = spawnSync(process.execPath, ['scripts/setup.js'], { cwd: ROOT, env: { PATH: folder }, encoding: 'utf8' });
    assert.equal(status, 0, stderr);
    return readFileSync(log, 'utf8').split('\n').filter((line) => line.startsWith('install')).join(' ');
  };
  assert.match(install(), /\bfirefox-esr\b.*\bchromium-headless-shell\b/);
  writeFileSync(join(folder, 'firefox-esr'), '', { mode: 0o755 });
  assert.match(install(), /\bchromium-headless-shell$/);
  writeFileSync(join(folder, 'chromium-headless-shell'), '', { mode: 0o755 });
  assert.equal(install(), '');
});
