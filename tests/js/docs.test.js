// The pages of docs/: their pictures are those the project draws today, and their links lead somewhere.
import assert from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { drawPictures } from '../../scripts/docs/pictures.js';
import { ROOT } from './support.js';

const folder = join(ROOT, 'docs', 'pictures');
const pages = ['README.md', 'CONTRIBUTING.md', ...readdirSync(join(ROOT, 'docs')).filter((name) => name.endsWith('.md')).map((name) => join('docs', name))];

/** The anchors that headings get. @param {string} markdown */
const anchorsOf = (markdown) => [...markdown.matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
  heading.toLowerCase().replace(/[^\w\- ]/g, '').replace(/ /g, '-'));

test('the pictures are those that npm run docs draws', async () => {
  const pictures = await drawPictures();
  assert.deepEqual(readdirSync(folder).sort(), Object.keys(pictures).sort());
  for (const [name, svg] of Object.entries(pictures)) {
    assert.ok(readFileSync(join(folder, name), 'utf8') === svg, `${name} is out of date: npm run docs -- --pictures draws it again`);
    assert.doesNotMatch(svg, /NaN|undefined|Infinity/, name);
  }
});

test('every picture is shown in docs/pipeline.md', () => {
  const page = readFileSync(join(ROOT, 'docs', 'pipeline.md'), 'utf8');
  for (const name of readdirSync(folder)) assert.ok(page.includes(`(pictures/${name})`), name);
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
