// The browser versions of docs/hosts.md can read the package's JavaScript: compiled for them, it stays as it is.
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { transform } from 'esbuild';
import { ROOT } from './support.js';

/** Rows of the table, such as "| Chrome, Edge | 93 |". */
const ROW = /^\| (Chrome, Edge|Firefox|Safari) \| ([\d.]+) \|/gm;
const versions = new Map([...readFileSync(join(ROOT, 'docs', 'hosts.md'), 'utf8').matchAll(ROW)].map(([, name, version]) => [name, version]));
const target = [`chrome${versions.get('Chrome, Edge')}`, `edge${versions.get('Chrome, Edge')}`, `firefox${versions.get('Firefox')}`,
  `safari${versions.get('Safari')}`];

/** The sources of pages: all but those of the command line and of `walkmesh/node`. */
const names = readdirSync(join(ROOT, 'js'), { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.js') && !/^(cli|node)\b/.test(name));

/** @param {string} source @param {string | string[]} engines */
const compile = async (source, engines) => (await transform(source, { target: engines, format: 'esm' })).code;

test('browsers: the versions of docs/hosts.md read the sources as they are', async () => {
  assert.deepEqual([versions.size, names.length > 100], [3, true]);
  const changed = [];
  for (const name of names) {
    const source = readFileSync(join(ROOT, 'js', name), 'utf8');
    if (await compile(source, target) !== await compile(source, 'esnext')) changed.push(name);
  }
  assert.deepEqual(changed, []);
});

test('browsers: newer syntax than theirs is found', async () => {
  const source = 'export class Counter { static { this.count = 0; } }';
  assert.notEqual(await compile(source, ['safari15.4']), await compile(source, 'esnext'));
});
