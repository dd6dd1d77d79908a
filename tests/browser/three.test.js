// walkmesh/three in a page: every helper is visible, and after many changes and disposals no object is left on the GPU.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runInPage } from './harness.js';

const IMPORTS = {
  'walkmesh/three': '/walkmesh/js/three/index.js', three: '/walkmesh/node_modules/three/build/three.module.js',
};

test('three: every helper is seen, and 20 rounds of changes and disposals leave nothing on the GPU', async (context) => {
  const script = `import { run } from '/walkmesh/tests/browser/three/helpers-page.js'; done(await run(20));`;
  const { changed, start, before, after, end, error } = await runInPage(script, { imports: IMPORTS, milliseconds: 120_000 });
  context.diagnostic(JSON.stringify({ changed, start, before }));
  assert.equal(error, 0, 'WebGL found something wrong');
  const least = { NavMeshHelper: 20000, LinksHelper: 3000, ConnectionsHelper: 300, ContoursHelper: 2000, VoxelsHelper: 30000, PathHelper: 300, AgentsHelper: 200 };
  for (const [name, pixels] of Object.entries(least)) assert.ok(changed[name] >= pixels, `${name} changed ${changed[name]} pixels of 144,000`);
  assert.deepEqual(after, before, 'each round leaves as much as it found');
  assert.ok(before.Buffer > start.Buffer + 20);
  assert.deepEqual(end, start, 'the last helpers leave what was there before the first');
});
