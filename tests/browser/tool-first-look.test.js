// What a designer meets first: where to begin, what the colours mean, views, failed bakes, phones, clicks beside the level.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withTool } from './tool.js';

/** @param {import('playwright-core').Page} page @param {string} name */
const view = (page, name) => page.getByRole('group', { name: 'Views' }).getByRole('button', { name, exact: true });

/** Sets a field of the configuration that the bake refuses. @param {import('playwright-core').Page} page */
const breakBake = (page) => page.evaluate(() => /** @type {any} */ (window).walkmeshTool.store.edit('x', (/** @type {any} */ draft) => { draft.config.maxEdgeError = -1; }));

test('a failed bake is seen above the view, its field scrolls into view, and the old report is marked as old', () => withTool({}, async (page, tool) => {
  await page.getByRole('button', { name: /^Report/ }).click();
  await breakBake(page);
  const failure = page.locator('.bake-failure');
  await failure.getByText('Edge tolerance is -1 cells. It must be 0 to 1000.').waitFor();
  const [box, stage] = [await failure.boundingBox(), await page.locator('main').boundingBox()];
  assert.ok(box.y < stage.y + 80 && box.x > stage.x && box.x + box.width < stage.x + stage.width, `above the view: ${JSON.stringify([box, stage])}`);
  await page.getByText('The last bake failed. These figures are from the bake before it.').waitFor();
  assert.match(await page.getByRole('button', { name: /^Report/ }).innerText(), /old/);
  const isSeen = () => page.waitForFunction(() => {
    const field = document.querySelector('.field.wrong');
    const content = field?.closest('.content')?.getBoundingClientRect();
    const { top, bottom } = field?.getBoundingClientRect() ?? { top: 0, bottom: 0 };
    return content && top >= content.top - 1 && bottom <= content.bottom + 1;
  });
  await isSeen();
  await page.evaluate(() => { /** @type {Element} */ (document.querySelector('.of-config .content')).scrollTop = 0; });
  await failure.getByRole('button', { name: 'Show setting' }).click();
  await isSeen();
  await page.keyboard.press('Control+z');
  await failure.waitFor({ state: 'detached' });
  assert.equal(await page.getByText('These figures are from the bake before it.').count(), 0);
  // It speaks of settings, not of fields and memory, and a button sets a value that fits.
  await page.evaluate(() => /** @type {any} */ (window).walkmeshTool.store.edit('x', (/** @type {any} */ draft) => { draft.config.cellSize = 1e-6; }));
  await failure.getByText(/^Cell size 0\.000001 m cuts the level into [\d,.]+ billion cells, more than fit in memory\.$/).waitFor();
  await failure.getByRole('button', { name: 'Use cell size 0.3 m' }).click();
  await tool.until("app.store.state.session.bake.state === 'done' && app.bakes.current.config.cellSize === 0.3");
  await failure.waitFor({ state: 'detached' });
  await page.keyboard.press('Control+z');
  await page.keyboard.press('Control+z');
  // Another level starts without the figures of this one.
  await breakBake(page);
  await failure.waitFor();
  await page.getByRole('combobox', { name: 'Level' }).selectOption({ label: 'Stairs' });
  await tool.until("app.levels.current.name === 'Stairs' && app.store.state.session.bake.state === 'failed'");
  assert.equal(await tool.read('app.store.state.session.bake.report'), null);
}));

test('at 390 x 844 the view takes the screen, panels are sheets, and looking, explaining and paths work by touch', () => withTool({
  size: { width: 390, height: 844 }, context: { viewport: { width: 390, height: 844 }, deviceScaleFactor: 0.5, hasTouch: true },
}, async (page, tool) => {
  const canvas = await page.locator('.view canvas').boundingBox();
  assert.ok(canvas.width === 390 && canvas.height > 690, JSON.stringify(canvas));
  for (const width of [390, 360]) {
    await page.setViewportSize({ width, height: 844 });
    await tool.rest();
    const cut = await page.evaluate(() => Array.from(document.querySelectorAll('.bar :is(button, wa-button), .rail button')).filter((element) => {
      const { left, right, width: own } = element.getBoundingClientRect();
      return own > 0 && (left < 0 || right > innerWidth);
    }).map((element) => element.getAttribute('aria-label') ?? element.textContent?.trim()));
    assert.deepEqual(cut, [], `cut off at ${width} pixels`);
  }
  await page.setViewportSize({ width: 390, height: 844 });
  await tool.rest();
  const zones = await page.evaluate(() => [...document.querySelectorAll('.bar > *')].map((element) => {
    const { left, right } = element.getBoundingClientRect();
    return [left, right];
  }).filter(([left, right]) => right > left));
  zones.slice(1).forEach(([left], i) => assert.ok(left >= zones[i][1] - 1, `parts of the bar overlap: ${JSON.stringify(zones)}`));
  // Looking: a finger turns the view.
  const session = await page.context().newCDPSession(page);
  const touch = (/** @type {string} */ type, /** @type {number[]} */ ...at) => session.send('Input.dispatchTouchEvent', { type: /** @type {any} */ (type), touchPoints: at.length ? [{ x: at[0], y: at[1] }] : [] });
  const angle = () => tool.read('app.viewport.controls.getAzimuthalAngle()');
  const before = await angle();
  await touch('touchStart', 60, 200);
  for (let x = 70; x <= 200; x += 10) await touch('touchMove', x, 200);
  await touch('touchEnd');
  assert.ok(Math.abs(await angle() - before) > 0.3, 'the view turned');
  // Explaining: a tap opens the sheet with the answer.
  const tap = async (/** @type {number[]} */ point) => {
    const { x, y } = await tool.place(point);
    await page.touchscreen.tap(x, y);
    await tool.rest();
  };
  await tap([20, 0, 24]);
  const sheet = page.getByRole('complementary', { name: 'Layers and tool' });
  await sheet.getByText('Walkable', { exact: true }).first().waitFor();
  assert.ok((await sheet.boundingBox()).height < 0.5 * 844, 'the view stays visible');
  await page.getByRole('button', { name: 'Close panel' }).last().click();
  await sheet.waitFor({ state: 'hidden' });
  // The sheet doesn't cover the pin: the camera makes room.
  const camera = await tool.read('[app.viewport.camera.position.toArray(), app.viewport.controls.target.toArray()]');
  await page.touchscreen.tap(200, 640);
  await tool.until('app.tools.active.inspector.current.explanation');
  await tool.frames(4);
  const [pin, top] = [await tool.place(await tool.read('app.tools.active.inspector.current.point')), (await sheet.boundingBox()).y];
  assert.ok(pin.y < top && pin.y > 48, `the pin at ${pin.y} is above the sheet at ${top}`);
  assert.equal(await page.evaluate("document.activeElement.localName === 'input'"), false, 'the tap does not land on a field of the sheet that it opens');
  await page.getByRole('button', { name: 'Close panel' }).last().click();
  // Fingers don't click, and have no keys.
  for (const id of await tool.read('app.tools.kinds.map(({ id }) => id)')) {
    await page.evaluate((chosen) => /** @type {any} */ (window).walkmeshTool.store.setView({ tool: chosen }), id);
    await page.evaluate("window.walkmeshTool.panels.showAnswer()");
    await tool.rest();
    assert.doesNotMatch(await page.evaluate('document.body.innerText'), /\b(click\w*|Esc|Shift|Ctrl|Backspace|arrow keys)\b/i, id);
  }
  await page.getByRole('button', { name: 'Close panel' }).last().click();
  await page.evaluate(([position, target]) => {
    const { viewport } = /** @type {any} */ (window).walkmeshTool;
    viewport.camera.position.fromArray(position);
    viewport.controls.target.fromArray(target);
    viewport.controls.update();
  }, camera);
  // A path from tap to tap.
  await page.getByRole('navigation', { name: 'Tools' }).getByRole('button', { name: 'Path' }).click();
  await tap([20, 0, 24]);
  await page.getByRole('button', { name: 'Close panel' }).last().click();
  await tap([26, 0, 30]);
  const { start, end } = await tool.read("app.tools.get('path').places");
  assert.ok(Math.hypot(start[0] - 20, start[2] - 24) < 0.5 && Math.hypot(end[0] - 26, end[2] - 30) < 0.5, JSON.stringify([start, end]));
  assert.equal(await tool.read("app.tools.get('path').result.path.status"), 'complete');
  // The name of the view leads to its legend.
  const legend = page.getByRole('list', { name: 'Colours' });
  if (await sheet.isVisible()) await page.getByRole('button', { name: 'Close panel' }).last().click();
  await legend.waitFor({ state: 'hidden' });
  await page.getByRole('button', { name: 'Result', exact: true }).click();
  await legend.getByText('Edge of the mesh').waitFor();
}));

test('a click beside the level is answered: it is outside', () => withTool({}, async (page, tool) => {
  const { x, y } = await tool.place([60, 0, -10]);
  const canvas = await page.locator('.view canvas').boundingBox();
  await page.mouse.click(Math.min(x, canvas.x + canvas.width - 8), Math.max(y, canvas.y + 40));
  await page.getByRole('group', { name: 'Answer at the point' }).getByText('Outside the bounds of the bake').waitFor();
}));

test('the first visit says what to do, once; a link shows its own state instead', () => withTool({ allow: /ERR_ABORTED/ }, async (page, tool) => {
  const card = page.getByRole('region', { name: 'Start here' });
  assert.equal(await card.count(), 0, 'not over a link');
  const address = await page.evaluate('location.origin');
  await page.goto('about:blank');
  await page.goto(`${address}/`);
  await card.getByText('Drop your level').waitFor();
  await card.getByText('Click grey ground').waitFor();
  await tool.ready();
  await card.getByRole('button', { name: 'Show all reasons' }).click();
  await card.waitFor({ state: 'detached' });
  assert.equal(await view(page, 'Why not').getAttribute('aria-pressed'), 'true');
  await page.goto('about:blank');
  await page.goto(`${address}/`);
  await page.getByRole('heading', { name: 'Walkmesh', level: 1 }).waitFor();
  assert.equal(await card.count(), 0, 'closed for good');
}));

test('views: one click each shows its layers, what its colours mean, and nothing else', () => withTool({}, async (page, tool) => {
  const visible = () => tool.read('app.layers.kinds.filter(({ id }) => app.layers.setting(id).visible).map(({ id }) => id).sort().join(" ")');
  const before = await visible();
  const wanted = {
    'Why not': 'cutOff drops edits input navMesh rebuilt removed-headroom removed-ledge removed-radius removed-region removed-steep removed-volume',
    Voxels: 'edits rebuilt solid', Regions: 'contours edits input rebuilt regions', Graph: 'connections cutOff edits input links navMesh rebuilt',
    Clearance: 'distance edits input rebuilt',
  };
  for (const [name, layers] of Object.entries(wanted)) {
    await view(page, name).click();
    assert.equal(await visible(), layers.split(' ').sort().join(' '), name);
    assert.equal(await view(page, name).getAttribute('aria-pressed'), 'true');
  }
  await view(page, 'Why not').click();
  await page.getByRole('list', { name: 'Colours' }).getByText('Too steep').waitFor();
  // The reasons, with their areas, come first.
  await page.getByRole('list', { name: 'Colours' }).getByRole('listitem').first().getByText(/m²|none/).waitFor();
  assert.ok(!(await page.getByRole('list', { name: 'Colours' }).innerText()).includes('Low obstacles'), 'what becomes walkable is not removed');
  await view(page, 'Result').click();
  assert.equal(await visible(), before);
  assert.deepEqual(await tool.read('app.store.state.view.layers'), {}, 'the address stays short');
  // "Low obstacles" have a group of their own.
  await page.getByRole('button', { name: 'More layers' }).click();
  const group = page.getByRole('group', { name: 'Made walkable layers' });
  await group.getByText('Low obstacles').waitFor();
  assert.equal(await page.getByRole('group', { name: 'Removed layers' }).getByText('Low obstacles').count(), 0);
}));

test('the report counts polygons like the layer, after edits, too, and a small mesh in kilobytes', () => withTool({
  document: { level: { kind: 'scene', name: 'plaza' }, obstacles: [{ id: 1, shape: { kind: 'box', min: [18, -1, 22], max: [22, 2, 26] }, area: 0 }] },
}, async (page, tool) => {
  await tool.until('app.bakes.current.dynamic?.dirtyTiles === 0 && app.bakes.current.navMesh.totals.polygons !== app.store.state.session.bake.report.counts.polygons');
  await page.getByRole('button', { name: /^Report/ }).click();
  const facts = await page.locator('.report dl').innerText();
  const [baked, now] = await tool.read('[app.store.state.session.bake.report.counts.polygons, app.bakes.current.navMesh.totals.polygons]');
  assert.match(facts, new RegExp(`Polygons baked\\s+${baked}\\s+Polygons with edits\\s+${now}`));
  assert.match(facts, /Mesh\s+[1-9][\d.]* kB/);
}));

test('hints of switches are as wide as their panel and as large as other hints', () => withTool({ view: { tool: 'path' } }, async (page) => {
  const hint = page.locator('.switch-field', { hasText: 'Any angle' }).locator('p.hint');
  const box = await hint.boundingBox();
  assert.ok(box.width > 200, `${box.width} px`);
  assert.ok(await hint.evaluate((element) => parseFloat(getComputedStyle(element).fontSize)) >= 11);
}));

test('labels of switches and buttons are not smaller than the help beside them', () => withTool({ view: { tool: 'crowd' } }, async (page) => {
  const sizes = await page.evaluate(() => {
    const sizeOf = (/** @type {Element | null | undefined} */ element) => (element ? parseFloat(getComputedStyle(element).fontSize) : 0);
    const parts = (/** @type {string} */ tag) => [...document.querySelectorAll(tag)].map((element) => sizeOf(element.shadowRoot?.querySelector('[part~=label]')));
    return { hint: Math.max(...[...document.querySelectorAll('.field .hint, .switch-field .hint')].map(sizeOf)), switches: parts('.switch-field wa-switch'), buttons: parts('wa-button') };
  });
  assert.ok(sizes.switches.length > 1 && sizes.buttons.length > 5 && sizes.hint > 0, JSON.stringify(sizes));
  assert.ok([...sizes.switches, ...sizes.buttons].every((size) => size > sizes.hint), JSON.stringify(sizes));
}));

/** The parts of the page at a phone that users must be able to read, as boxes. */
const PHONE = { size: { width: 390, height: 844 }, context: { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, hasTouch: true } };

test('on phones icons are in the middle of their buttons, names of tools fit, keys are one line high, and no button covers code', () => withTool(PHONE, async (page) => {
  const off = await page.evaluate(() => [...document.querySelectorAll('.bar wa-button')].map((button) => {
    const [outer, inner] = [button, /** @type {Element} */ (button.querySelector('svg'))].map((element) => element.getBoundingClientRect());
    return [outer.left + outer.right - inner.left - inner.right, outer.top + outer.bottom - inner.top - inner.bottom].map((twice) => Math.abs(twice / 2));
  }));
  assert.ok(off.length === 3 && off.flat().every((distance) => distance < 2), JSON.stringify(off));
  const names = await page.evaluate(() => [...document.querySelectorAll('.rail button')].map((button) => {
    const range = document.createRange();
    range.selectNodeContents(/** @type {Element} */ (button.querySelector('.label')));
    return { name: button.textContent?.trim(), over: range.getBoundingClientRect().width - button.getBoundingClientRect().width };
  }));
  assert.ok(names.length > 10 && names.every(({ over }) => over < 0), JSON.stringify(names));
  await page.getByRole('button', { name: /code/i }).click();
  const code = page.locator('.code pre').first();
  await code.waitFor();
  const [first, copy] = [await code.evaluate((pre) => pre.getBoundingClientRect().top + parseFloat(getComputedStyle(pre).paddingTop)), await page.getByRole('button', { name: 'Copy' }).first().boundingBox()];
  assert.ok(first >= copy.y + copy.height, JSON.stringify([first, copy]));
  await page.keyboard.press('Escape');
  await code.waitFor({ state: 'hidden' });
  await page.keyboard.press('?');
  await page.locator('.key-groups').waitFor();
  const heights = await page.evaluate(() => [...document.querySelectorAll('.key-groups kbd')].map((key) => /** @type {HTMLElement} */ (key).offsetHeight));
  assert.ok(Math.max(...heights) <= Math.min(...heights) + 1, `${Math.min(...heights)} ${Math.max(...heights)}`);
}));
