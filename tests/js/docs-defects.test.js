// Everything that docs/defects.md names exists: commits in the history, tests and fixtures under tests/.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { ROOT } from './support.js';

const WAYS = ['fuzzing', 'oracle', 'live comparison', 'soak', 'determinism', 'sanitizers', 'checker', 'hostile tests', 'security reading',
  'reading', 'measurement', 'use'];

/** Rows of all tables of a page, by the names of their columns. @param {string} markdown @returns {Record<string, string>[]} */
function readTables(markdown) {
  const rows = [];
  /** @type {string[] | null} */
  let columns = null;
  for (const line of markdown.split('\n')) {
    if (!line.startsWith('|')) {
      columns = null;
      continue;
    }
    const cells = line.slice(1, -1).split('|').map((cell) => cell.trim());
    if (columns === null) columns = cells;
    else if (!cells.every((cell) => /^-+$/.test(cell))) {
      assert.equal(cells.length, columns.length, line);
      const names = columns;
      rows.push(Object.fromEntries(cells.map((cell, i) => [names[i], cell])));
    }
  }
  return rows;
}

/** The errors in a row's list of guards. @param {string} guards @returns {string[]} */
function faultsOfGuards(guards) {
  if (/^none(: .+)?$/.test(guards)) return [];
  return guards.split(/; (?=`[a-z]+\/)/).flatMap((guard) => {
    if (!/^`[^`]+`( `[^`]+`)*$/.test(guard)) return [`${guard} is not a file and tests in it`];
    const [path, ...names] = guard.split('`').filter((part) => part.trim() !== '');
    if (!/^(c|js|browser|packaging|attack|fuzz\/fixtures)\//.test(path) || !existsSync(join(ROOT, 'tests', path))) return [`tests/${path} is not there`];
    const text = readFileSync(join(ROOT, 'tests', path), 'utf8').replaceAll("\\'", "'");
    return names.filter((name) => !text.includes(name)).map((name) => `tests/${path} has no test "${name}"`);
  });
}

/** All commits of the history; null if it is missing or shallow. @returns {string[] | null} */
function readHistory() {
  const git = (/** @type {string[]} */ ...words) => {
    const { status, stdout } = spawnSync('git', words, { cwd: ROOT, encoding: 'utf8', maxBuffer: 1 << 26 });
    return status === 0 ? stdout.trim() : '';
  };
  if (resolve(git('rev-parse', '--show-toplevel') || '/') !== resolve(ROOT) || git('rev-parse', '--is-shallow-repository') !== 'false') return null;
  return git('rev-list', 'HEAD').split('\n');
}

const rows = readTables(readFileSync(join(ROOT, 'docs', 'defects.md'), 'utf8'));

test('defects: every row says how it was found, which commit fixed it and what guards it, and that exists', (context) => {
  assert.ok(rows.length > 100);
  const history = readHistory();
  if (!history) context.diagnostic('without the whole history commits are looked at for their form only');
  const faults = rows.flatMap((row) => [
    ...(row['found by'] === undefined || WAYS.includes(row['found by']) ? [] : [`found by ${row['found by']}?`]),
    ...row['fixed in'].split(', ').filter((commit) => !/^[0-9a-f]{7}$/.test(commit) || !(history ?? [commit]).some((one) => one.startsWith(commit)))
      .map((commit) => `${commit} is no commit of the history`),
    ...(row['guarded by'] === undefined ? [] : faultsOfGuards(row['guarded by'])),
  ].map((fault) => `${row['what went wrong']}: ${fault}`));
  assert.deepEqual(faults, []);
});

test('defects: a test, a file and a table that are not there are found', () => {
  assert.deepEqual(faultsOfGuards('`js/docs-defects.test.js` `defects: every row says how it was found`; `c/query_test.c`'), []);
  assert.deepEqual(faultsOfGuards('`c/query_test.c` `no_such_test`'), ['tests/c/query_test.c has no test "no_such_test"']);
  assert.deepEqual(faultsOfGuards('`c/no_such_test.c`; `docs/defects.md`'), ['tests/c/no_such_test.c is not there', 'tests/docs/defects.md is not there']);
  assert.deepEqual(faultsOfGuards('a sentence'), ['a sentence is not a file and tests in it']);
  assert.throws(() => readTables('| a | b |\n| --- | --- |\n| 1 |'));
});
