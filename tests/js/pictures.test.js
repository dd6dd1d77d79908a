// The pictures of the level tool: those that pages name are there, as large as they are to be, and small as files.
import assert from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { deflateSync } from 'node:zlib';
import { quantize, readHead, readPng, shrinkPng } from '../../scripts/pictures/png.js';
import { EXAMPLES, EXAMPLE_SIZE, SIZES, STATES } from '../../scripts/pictures/states.js';
import { makeRandom } from './random.js';
import { ROOT } from './support.js';

const IMAGES = join(ROOT, 'docs', 'images');
const EXAMPLE_PICTURES = join(ROOT, 'web-demo', 'examples', 'pictures');
/** Of all pictures of the level tool together. */
const MOST_BYTES = 2_500_000;

/** A PNG of 8 bits with a filter of each kind in turn. @param {number} width @param {number} height @param {Uint8Array} pixels @param {number} step bytes of a pixel */
function makePng(width, height, pixels, step) {
  const stride = step * width;
  const rows = Buffer.alloc(height * (stride + 1));
  for (let y = 0; y < height; y++) {
    const kind = y % 5;
    rows[y * (stride + 1)] = kind;
    for (let i = 0; i < stride; i++) {
      const at = (/** @type {number} */ dx, /** @type {number} */ dy) => (i - dx * step < 0 || y - dy < 0 ? 0 : pixels[(y - dy) * stride + i - dx * step]);
      const [left, up, corner] = [at(1, 0), at(0, 1), at(1, 1)];
      const estimate = left + up - corner;
      const near = [left, up, corner].reduce((best, value) => (Math.abs(estimate - value) < Math.abs(estimate - best) ? value : best));
      const guess = [0, left, up, (left + up) >> 1, near][kind];
      rows[y * (stride + 1) + 1 + i] = pixels[y * stride + i] - guess;
    }
  }
  const chunk = (/** @type {string} */ type, /** @type {Uint8Array} */ content) => {
    const bytes = Buffer.alloc(12 + content.length);
    bytes.writeUInt32BE(content.length, 0);
    bytes.write(type, 4, 'latin1');
    bytes.set(content, 8);
    return bytes;
  };
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, step === 3 ? 2 : 6, 0, 0, 0], 8);
  const data = deflateSync(rows);
  return Buffer.concat([Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a), chunk('IHDR', head),
    chunk('IDAT', data.subarray(0, 20)), chunk('IDAT', data.subarray(20)), chunk('IEND', new Uint8Array(0))]);
}

test('pictures: PNG files are read whatever their filters, and few colours come through as they are', () => {
  const { below } = makeRandom(3);
  for (const step of [3, 4]) {
    const colors = Array.from({ length: 200 }, () => [below(256), below(256), below(256), 255].slice(0, step));
    const pixels = Uint8Array.from({ length: 40 * 30 }, () => below(200)).reduce((all, color, i) => (all.set(colors[color], step * i), all), new Uint8Array(40 * 30 * step));
    const picture = readPng(makePng(40, 30, pixels, step));
    assert.deepEqual([picture.width, picture.height], [40, 30]);
    for (let i = 0; i < 1200; i++) assert.deepEqual([...picture.rgb.subarray(3 * i, 3 * i + 3)], [...pixels.subarray(step * i, step * i + 3)], `pixel ${i}`);
    const { palette, pixels: numbers } = quantize(picture, 256);
    for (let i = 0; i < 1200; i++) assert.deepEqual(palette[numbers[i]], [...picture.rgb.subarray(3 * i, 3 * i + 3)]);
    const small = shrinkPng(makePng(40, 30, pixels, step), 16);
    assert.deepEqual(readHead(small), { width: 40, height: 30, depth: 8, colorType: 3, isInterlaced: false });
    assert.ok(small.length < 40 * 30 + 200);
  }
  assert.throws(() => readPng(new TextEncoder().encode('no picture at all, but long enough to be one')), /not a PNG/);
});

test('pictures: there is each state of the level tool at each size, and no other; together they are small', () => {
  const wanted = STATES.flatMap(({ name }) => SIZES.map(({ id }) => `${name}-${id}.png`));
  assert.ok(STATES.length >= 8);
  assert.deepEqual(readdirSync(IMAGES).sort(), wanted.sort(), 'npm run pictures makes them');
  let sum = 0;
  for (const { name } of STATES) {
    for (const { id, width, height } of SIZES) {
      const bytes = readFileSync(join(IMAGES, `${name}-${id}.png`));
      sum += bytes.length;
      assert.deepEqual([readHead(bytes).width, readHead(bytes).height], [width, height], name);
      assert.ok(bytes.length > 20_000, `${name}-${id}.png shows something`);
    }
  }
  assert.ok(sum < MOST_BYTES, `${sum} bytes`);
});

test('pictures: each example has one', () => {
  assert.deepEqual(readdirSync(EXAMPLE_PICTURES).sort(), EXAMPLES.map(({ name }) => `${name}.png`).sort());
  for (const { name } of EXAMPLES) {
    const bytes = readFileSync(join(EXAMPLE_PICTURES, `${name}.png`));
    assert.deepEqual([readHead(bytes).width, readHead(bytes).height], [EXAMPLE_SIZE.width, EXAMPLE_SIZE.height], name);
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
