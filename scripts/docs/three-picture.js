/**
 * The picture of docs/three.md: the helpers of walkmesh/three, drawn in a headless Chromium (software WebGL).
 *
 *   node scripts/docs/three-picture.js     writes docs/pictures/three-helpers.png; needs built files and Chromium
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { openBrowser, withPage } from '../../tests/browser/harness.js';
import { ROOT } from '../setup.js';

/** Size of one half, pixels. */
const SIZE = { width: 470, height: 300 };
const GAP = 8;

/** @returns {Promise<Buffer>} a PNG */
export function drawThreePicture() {
  const imports = { walkmesh: '/walkmesh/js/index.js', 'walkmesh/three': '/walkmesh/js/three/index.js',
    three: '/walkmesh/node_modules/three/build/three.module.js' };
  const html = `<!doctype html><meta charset="utf-8"><title>picture</title>
<script type="importmap">${JSON.stringify({ imports })}</script>
<script type="module">
  import { drawPicture } from '/walkmesh/tests/browser/three/picture-page.js';
  window.drawn = drawPicture(${JSON.stringify(SIZE)});
</script>`;
  return withPage({ files: { 'index.html': html }, mounts: { walkmesh: ROOT } }, async (page) => {
    await page.waitForFunction('window.drawn');
    await page.evaluate('window.drawn');
    return page.screenshot({ clip: { x: 0, y: 0, width: 2 * SIZE.width + GAP, height: SIZE.height } });
  });
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  writeFileSync(join(ROOT, 'docs', 'pictures', 'three-helpers.png'), await drawThreePicture());
  await (await openBrowser()).close();
  process.exit(0); // Handles of the test runner would keep the process alive.
}
