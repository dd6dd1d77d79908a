// The HTML page of docs/getting-started.md: an import map, no bundler.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { readBlocks } from '../js/snippets.js';
import { ROOT, withPage } from './harness.js';

const [block] = readBlocks(readFileSync(join(ROOT, 'docs', 'getting-started.md'), 'utf8')).filter(({ language }) => language === 'html');

test('the page of docs/getting-started.md finds a path', async () => {
  const page = block.lines.join('\n');
  assert.match(page, /"\.\/node_modules\/walkmesh\/js\/index\.js"/);
  // Nothing is installed here: the repository serves as the package.
  const files = { 'index.html': page.replace('./node_modules/walkmesh/', './walkmesh/') };
  await withPage({ files, mounts: { walkmesh: ROOT } }, async (opened) => {
    await opened.waitForFunction("document.body.textContent.includes('complete')");
  });
});
