// The maps of the repository match its files: src/README.md, the heads of ..._internal.h, docs/where.md.
import assert from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const read = (path) => readFileSync(join(ROOT, path), 'utf8');

/** Sources below a folder, as paths from the root. @param {string} folder @param {RegExp} ending */
const list = (folder, ending) => readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && ending.test(entry.name))
  .map((entry) => relative(ROOT, join(entry.parentPath ?? entry.path, entry.name)));

const sources = list('src', /\.[ch]$/);
/** Those in folders: at the top are walkmesh.h, which includes all public headers, and walkmesh.c. */
const inFolders = sources.filter((path) => dirname(path) !== 'src');

/** Rows of the table of src/README.md: folder -> folders it includes, or undefined if the row has none. */
const rows = new Map([...read('src/README.md').matchAll(/^\| `([\w/]+)\/` \|[^|]+\| ?([\w, ]*?) ?\|$/gm)]
  .map(([, folder, includes]) => [folder, includes.split(', ').filter(Boolean)]));

test('src/README.md has a row for each folder of src/, and no other', () => {
  const folders = new Set(inFolders.map((path) => dirname(path).slice('src/'.length)));
  assert.deepEqual([...rows.keys()].sort(), [...folders].sort());
});

test('folders of src/ include what src/README.md says, and nothing else', () => {
  const tops = new Map();
  for (const path of inFolders) {
    const top = path.split('/')[1];
    const found = tops.get(top) ?? tops.set(top, new Set()).get(top);
    for (const [, target] of read(path).matchAll(/^#include "(\w+)\/[^"]+"/gm)) if (target !== top) found.add(target);
  }
  for (const [top, found] of tops) assert.deepEqual([...found].sort(), [...rows.get(top)].sort(), `src/${top}`);
});

test('no folder of src/ or js/ holds many more than twenty files', () => {
  for (const folder of new Set([...sources, ...list('js', /\.js$/)].map(dirname))) {
    const count = readdirSync(join(ROOT, folder), { withFileTypes: true }).filter((entry) => entry.isFile()).length;
    assert.ok(count <= 24, `${folder} holds ${count} files`);
  }
});

/** The comment that opens a header. @param {string} path */
const head = (path) => /\/\*[^]*?\*\//.exec(read(path))?.[0] ?? '';

/** Folders in which each C file has a header of its own name. */
const WITHOUT_MAPS = ['base', 'clearance'];

test('the heads of ..._internal.h name every C file of their folder and of the folders below that have none of their own', () => {
  const missing = [];
  for (const path of inFolders.filter((one) => one.endsWith('.c') && !WITHOUT_MAPS.includes(one.split('/')[1]))) {
    let folder = dirname(path), maps = [];
    for (; folder !== 'src'; folder = dirname(folder)) {
      maps = sources.filter((one) => dirname(one) === folder && one.endsWith('_internal.h'));
      if (maps.some((map) => new RegExp(`\\b${basename(path, '.c')}\\.(?:[ch]\\b|\\[ch\\])`).test(head(map)))) break;
    }
    if (folder === 'src') missing.push(path);
  }
  assert.deepEqual(missing, []);
});

test('the heads of ..._internal.h name no file that has gone', () => {
  const names = new Set(sources.map((path) => basename(path)));
  for (const map of sources.filter((one) => one.endsWith('_internal.h'))) {
    for (const [, name] of head(map).matchAll(/^ \* +(\w+\.[ch])\b {2,}/gm)) assert.ok(names.has(name), `${map} names ${name}`);
  }
});

test('docs/where.md names files that are there, and in them what it names', () => {
  const answers = [...read('docs/where.md').matchAll(/^\| [^|]+ \| `([\w./-]+)` \|\s*`?([^|`]*?)`?\s*\|$/gm)];
  assert.ok(answers.length >= 40, `${answers.length} answers`);
  for (const [, file, symbol] of answers) {
    assert.ok(existsSync(join(ROOT, file)), `${file} is not there`);
    if (symbol) assert.ok(read(file).includes(symbol), `${file} has no ${symbol}`);
  }
});
