// The virtual display of Firefox and WebKitGTK.
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { startDisplay } from './display.js';

/** Runs the work with the path of a program: a shell script. @param {(path: string) => Promise<void>} work */
async function withProgram(script, work) {
  const folder = mkdtempSync(join(tmpdir(), 'walkmesh-display-'));
  const path = join(folder, 'Xvfb');
  writeFileSync(path, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  try {
    await work(path);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test('display: Xvfb can write the end of the line with its number after a pause', () =>
  withProgram('printf 7 >&3; sleep 0.2; printf "\\n" >&3 && touch "$0.ready"; exec 3>&-; exec sleep 60', async (path) => {
    const { name, close } = await startDisplay(path);
    close();
    assert.equal(name, ':7');
    assert.ok(existsSync(`${path}.ready`), 'Xvfb could not write the end of the line');
  }));

test('display: Xvfb that ends at its start is an error with its status', () =>
  withProgram('exit 3', (path) => assert.rejects(startDisplay(path), { message: `${path} ended with status 3` })));
