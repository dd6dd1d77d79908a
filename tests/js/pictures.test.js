// The pictures of the level tool: each picture that a page names exists, in the right size, as a small file.
import assert from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import UPNG from 'upng-js';
import { EXAMPLES, EXAMPLE_SIZE, SIZES, STAGES, STAGE_SIZE, STATES } from '../../scripts/pictures/states.js';
import { ROOT } from './support.js';

const IMAGES = join(ROOT, 'docs', 'images');
const EXAMPLE_PICTURES = join(ROOT, 'web-demo', 'examples', 'pictures');
/** The limit for all pictures of the level tool together. */
const MOST_BYTES = 2_500_000;

/** @param {string} path */
function readPicture(path) {
  const bytes = readFileSync(path);
  const { width, height } = UPNG.decode(bytes);
  return { bytes, width, height };
}

test('pictures: there is each state of the level tool at each size, and no other; together they are small', () => {
  const wanted = [...STATES.flatMap(({ name }) => SIZES.map(({ id }) => `${name}-${id}.png`)), ...STAGES.map(({ name }) => `stage-${name}.png`)];
  assert.ok(STATES.length >= 8);
  assert.deepEqual(readdirSync(IMAGES).filter((name) => name.endsWith('.png')).sort(), wanted.sort(), 'npm run pictures makes them');
  let sum = 0;
  for (const { name } of STATES) {
    for (const { id, width, height } of SIZES) {
      const picture = readPicture(join(IMAGES, `${name}-${id}.png`));
      sum += picture.bytes.length;
      assert.deepEqual([picture.width, picture.height], [width, height], name);
      assert.ok(picture.bytes.length > 20_000, `${name}-${id}.png shows something`);
    }
  }
  const levelTool = readFileSync(join(ROOT, 'docs', 'level-tool.md'), 'utf8');
  for (const { name } of STAGES) {
    const { bytes, width } = readPicture(join(IMAGES, `stage-${name}.png`));
    sum += bytes.length;
    assert.equal(width, STAGE_SIZE.width);
    assert.ok(bytes.length > 10_000, `stage-${name}.png shows something`);
    assert.ok(levelTool.includes(`(images/stage-${name}.png)`), `docs/level-tool.md shows stage-${name}.png`);
  }
  assert.ok(sum < MOST_BYTES, `${sum} bytes`);
});

test('pictures: each example has one', () => {
  assert.deepEqual(readdirSync(EXAMPLE_PICTURES).sort(), EXAMPLES.map(({ name }) => `${name}.png`).sort());
  for (const { name } of EXAMPLES) {
    const { bytes, width, height } = readPicture(join(EXAMPLE_PICTURES, `${name}.png`));
    assert.deepEqual([width, height], [EXAMPLE_SIZE.width, EXAMPLE_SIZE.height], name);
    assert.ok(bytes.length > 5000 && bytes.length < 150_000, `${name}: ${bytes.length} bytes`);
  }
});

test('pictures: those that pages show are there', () => {
  const pages = ['README.md', ...readdirSync(join(ROOT, 'docs')).filter((name) => name.endsWith('.md')).map((name) => join('docs', name))];
  const shown = pages.flatMap((page) => Array.from(readFileSync(join(ROOT, page), 'utf8').matchAll(/!\[([^\]]*)\]\(([^)\s]+)\)/g),
    ([, words, path]) => ({ words, path: join(ROOT, dirname(page), path) })));
  assert.ok(shown.some(({ path }) => path.startsWith(IMAGES)), 'pages show the level tool');
  for (const { words, path } of shown) {
    assert.ok(existsSync(path), `${path} is not there`);
    assert.ok(words.length > 5, `${path}: words for those who do not see it`);
  }
});
