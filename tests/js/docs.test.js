// The pages of docs/: their pictures equal those that the project draws now, and their links resolve.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { drawPictures } from '../../scripts/docs/pictures.js';
import { ROOT, makeFolder } from './support.js';

const folder = join(ROOT, 'docs', 'pictures');
/** Pictures drawn by Chromium are only tested for existence: its software WebGL may give other bits on another machine. */
const photographs = ['three-helpers.png'];
const pages = ['README.md', 'CONTRIBUTING.md', ...['docs', 'docs/lab'].flatMap((where) => readdirSync(join(ROOT, where))
  .filter((name) => name.endsWith('.md')).map((name) => join(where, name)))];

/** The anchors of headings. @param {string} markdown */
const anchorsOf = (markdown) => [...markdown.matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
  heading.toLowerCase().replace(/[^\w\- ]/g, '').replace(/ /g, '-'));

test('the pictures are those that npm run docs draws', async () => {
  const pictures = await drawPictures();
  assert.deepEqual(readdirSync(folder).sort(), [...Object.keys(pictures), ...photographs].sort());
  for (const [name, svg] of Object.entries(pictures)) {
    const committed = readFileSync(join(folder, name), 'utf8');
    assert.ok(committed === svg, `${name} is out of date: npm run docs -- --pictures draws it again`);
    assert.doesNotMatch(svg, /NaN|undefined|Infinity/, name);
  }
});

test('every picture is shown in docs/pipeline.md, those of crowds in docs/crowd.md', () => {
  const [pipeline, crowd] = ['pipeline', 'crowd'].map((name) => readFileSync(join(ROOT, 'docs', `${name}.md`), 'utf8'));
  for (const name of readdirSync(folder).filter((each) => !photographs.includes(each))) {
    assert.ok((name.startsWith('crowd-') ? crowd : pipeline).includes(`(pictures/${name})`), name);
  }
});

test('every photograph is shown in docs/three.md, and small', () => {
  const page = readFileSync(join(ROOT, 'docs', 'three.md'), 'utf8');
  for (const name of photographs) {
    assert.ok(page.includes(`(pictures/${name})`), name);
    assert.ok(readFileSync(join(folder, name)).length < 150_000, name);
  }
});

for (const path of pages) {
  test(`${path}: links lead to files and headings that are there`, () => {
    const markdown = readFileSync(join(ROOT, path), 'utf8');
    for (const [, link] of markdown.matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^https?:/.test(link)) continue;
      const [file, anchor] = link.split('#');
      const target = file ? join(ROOT, dirname(path), file) : join(ROOT, path);
      assert.ok(existsSync(target), `${link} leads nowhere`);
      if (anchor) assert.ok(anchorsOf(readFileSync(target, 'utf8')).includes(anchor), `${link}: there is no such heading`);
    }
  });
}

test('TypeDoc makes the API reference out of the comments, without warnings about ours', (context) => {
  const out = makeFolder(context);
  // `npm run typecheck` checks the types.
  const run = spawnSync(process.execPath, [join(ROOT, 'node_modules', 'typedoc', 'bin', 'typedoc'), '--skipErrorChecking', '--out', out],
    { cwd: ROOT, encoding: 'utf8', env: { ...process.env, NO_COLOR: '1' } });
  assert.equal(run.status, 0, run.stdout + run.stderr);
  const warnings = (run.stdout + run.stderr).split('\n').filter((line) => line.startsWith('[warning]'));
  assert.deepEqual(warnings.filter((line) => !/node_modules|Found 0 errors/.test(line)), []);
  assert.match(readFileSync(join(out, 'classes', 'index.NavMesh.html'), 'utf8'), /findPath/);
});
