// Links of the level tool: generated live without a bake, drawn by kind, clicked, forbidden, pinned, asked for, crossed by paths, and in files.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { load } from 'walkmesh';
import { SEGMENT_LINKS } from '../../web-demo/src/layers/colors.js';
import { makeLinksLevel } from '../js/links-level.js';
import { toObj } from '../js/rooms.js';
import { makeFolder } from '../js/support.js';
import { colorDistance, lookFromAbove, showOnly, takePicture } from './tool-from-above.js';
import { withTool } from './tool.js';

const walkmesh = await load();
const folder = makeFolder({ after });
const FILE = join(folder, 'gaps.obj');
writeFileSync(FILE, toObj(makeLinksLevel()));

const CONFIG = { cellSize: 0.2, cellHeight: 0.1, agentRadius: 0.4, agentHeight: 1.8, agentMaxClimb: 0.4, tileSize: 32 };
const CAMERA = { position: [25, 30, 44], target: [25, 0, 9] };
const OPTIONS = { config: CONFIG, view: { theme: 'light' }, size: { width: 1700, height: 900 }, milliseconds: 120_000 };
const KINDS = ['drop', 'jump', 'climb', 'vault'];
const ALL_ON = { links: Object.fromEntries(KINDS.map((kind) => [kind, { isOn: true }])) };

/** @typedef {import('playwright-core').Page} Page */
/** @typedef {import('./tool.js').Tool} Tool */

/** Opens the tool with the level of gaps. @param {object} options of withTool @param {(page: Page, tool: Tool) => Promise<any>} body */
const withGaps = (options, body) => withTool({ ...OPTIONS, ...options }, async (page, tool) => {
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Open file' }).click();
  await (await chooser).setFiles([FILE]);
  await tool.until("app.levels.current?.name === 'gaps.obj'");
  await tool.ready();
  await page.evaluate(({ position, target }) => {
    const { viewport } = /** @type {any} */ (window).walkmeshTool;
    viewport.camera.position.fromArray(position);
    viewport.controls.target.fromArray(target);
    viewport.controls.update();
  }, CAMERA);
  await settled(tool);
  return body(page, tool);
});

/** Waits until the links of the settings are in the mesh and drawn. @param {Tool} tool */
async function settled(tool) {
  await tool.rest();
  await tool.until("!app.links.isPending && !app.links.isStale && app.store.state.session.bake.state === 'done'");
  await tool.still();
}

/** Counts of the links in the mesh by kind. @param {Tool} tool @returns {Promise<number[]>} */
const countsOf = (tool) => tool.read('[0, 1, 2, 3].map((kind) => app.bakes.current.navMesh.segmentLinks().kinds.filter((value) => value === kind).length)');

/** The links of the mesh. @param {Tool} tool @returns {Promise<any[]>} */
const linksOf = (tool) => tool.read('Array.from(app.bakes.current.navMesh.segmentLinks().refs, (ref) => app.bakes.current.navMesh.segmentLink(ref))');

/** Clicks a link in the view at the middle of its trajectory. @param {Tool} tool @param {any} link */
async function clickLink(tool, { ref }) {
  await tool.click(await tool.read(`app.bakes.current.navMesh.segmentLinkPoint(${ref}, 0.5, 0.5)`));
  await tool.drawn();
}

const panelOf = (/** @type {Page} */ page) => page.locator('.of-tool');

test('links: switched on, tuned and switched off, they follow without a bake, and undo brings them back', () => withGaps({}, async (page, tool) => {
  assert.deepEqual(await countsOf(tool), [0, 0, 0, 0]);
  await page.evaluate('window.meshes = 0; window.walkmeshTool.events.on("mesh", () => { window.meshes++; })');
  await page.getByRole('group', { name: 'Links', exact: true }).getByRole('button', { name: 'Links' }).click();
  for (const name of ['Drop', 'Jump', 'Climb', 'Vault']) await page.getByRole('switch', { name, exact: true }).press('Space');
  await settled(tool);
  const counts = await countsOf(tool);
  assert.ok(counts.every((count) => count > 0), String(counts));
  await page.getByText(new RegExp(`^${counts.reduce((sum, count) => sum + count)} links in .* s: `)).waitFor();
  for (const name of ['Drop', 'Jump', 'Climb', 'Vault']) await page.getByRole('list', { name: 'Colours' }).getByText(name, { exact: true }).waitFor();

  // The gap of 4.6 m.
  await page.getByRole('spinbutton', { name: 'Jump distance', exact: true }).fill('6');
  await page.getByRole('spinbutton', { name: 'Jump distance', exact: true }).press('Enter');
  await settled(tool);
  const longer = await countsOf(tool);
  assert.ok(longer[1] > counts[1] && longer[0] === counts[0], `${longer}, not ${counts}`);
  const card = page.getByRole('group', { name: 'Before and after' });
  await card.getByText(`${counts.reduce((sum, count) => sum + count)} → ${longer.reduce((sum, count) => sum + count)} links`).waitFor();
  await card.getByText(/^Joins /).waitFor();

  await page.getByRole('switch', { name: 'Vault', exact: true }).press('Space');
  await settled(tool);
  assert.equal((await countsOf(tool))[3], 0);
  await page.getByRole('button', { name: 'Undo', exact: true }).first().click();
  await page.getByRole('button', { name: 'Undo', exact: true }).first().click();
  await settled(tool);
  assert.deepEqual(await countsOf(tool), counts);
  // All off: none is left.
  for (const name of ['Drop', 'Jump', 'Climb', 'Vault']) await page.getByRole('switch', { name, exact: true }).press('Space');
  await settled(tool);
  assert.deepEqual(await countsOf(tool), [0, 0, 0, 0]);
  assert.equal(await page.evaluate('window.meshes'), 0, 'no mesh was baked');
}));

test('links: a wrong limit is named at its field, in the words of the panel; another bake follows the agent', () => withGaps({ document: ALL_ON }, async (page, tool) => {
  await page.getByRole('spinbutton', { name: 'Drop height', exact: true }).fill('0.1');
  await page.getByRole('spinbutton', { name: 'Drop height', exact: true }).press('Enter');
  await tool.until("app.links.state.state === 'failed'");
  const error = page.locator('.link-kind .hint.error');
  await error.waitFor();
  assert.match(await error.textContent() ?? '', /^Drop height is 0\.1/);
  await page.getByRole('button', { name: 'Reset drop height' }).click();
  await settled(tool);
  assert.equal(await error.count(), 0);
  await page.getByRole('button', { name: 'Small creature' }).click();
  await settled(tool);
  assert.equal(await tool.read('app.bakes.current.navMesh.config.links.drop.maxHeight'), 1);
}));

test('links: without auto-bake a button generates them', () => withGaps({}, async (page, tool) => {
  await page.getByRole('switch', { name: 'Auto-bake' }).press('Space');
  await page.getByRole('group', { name: 'Links', exact: true }).getByRole('button', { name: 'Links' }).click();
  await page.getByRole('switch', { name: 'Jump', exact: true }).press('Space');
  await tool.rest();
  assert.deepEqual(await countsOf(tool), [0, 0, 0, 0]);
  await page.getByRole('button', { name: 'Generate links' }).click();
  await settled(tool);
  assert.ok((await countsOf(tool))[1] > 0);
}));

test('links: each kind is seen from above in its colour, and a hidden layer draws none', () => withGaps({ document: ALL_ON, scale: 1 }, async (page, tool) => {
  await page.evaluate('window.walkmeshTool.store.setView({ panels: { left: false, right: false } })');
  await tool.rest();
  await lookFromAbove(page);
  await showOnly(page, { segmentLinks: 1 });
  const count = async () => {
    const { pixels } = await takePicture(page);
    return KINDS.map((kind) => pixels.reduce((sum, pixel) => sum + Number(colorDistance(pixel, SEGMENT_LINKS[kind]) < 30), 0));
  };
  // From above, the climb covers the drop that leads back.
  const [, ...seen] = await count();
  assert.ok(seen.every((pixels) => pixels > 20), String(seen));
  await page.evaluate('window.walkmeshTool.store.edit("a", ({ links }) => { links.climb.isOn = false; })');
  await settled(tool);
  const [drops, , climbs] = await count();
  assert.ok(drops > 20 && climbs === 0, `${drops} and ${climbs}`);
  await showOnly(page, {});
  assert.deepEqual(await count(), [0, 0, 0, 0]);
}));

test('links: a click shows a link; it is forbidden, stays so after a bake, is allowed again; a pinned one outlives its settings', () => withGaps({ document: ALL_ON, view: { ...OPTIONS.view, tool: 'segmentLinks' } }, async (page, tool) => {
  const panel = panelOf(page);
  const jump = (await linksOf(tool)).find(({ kind, start, width }) => kind === 'jump' && start[0][0] > 19 && start[0][0] < 20.5 && width > 2);
  await clickLink(tool, jump);
  await panel.getByText(/^Jump, .* m far/).waitFor();
  assert.equal(await panel.getByLabel('Link reference').textContent(), String(jump.ref));
  assert.equal(await tool.read('app.viewport.overlay.getObjectByName("tool links").children[0].visible'), true, 'its sweep is drawn');

  await panel.getByRole('button', { name: 'Forbid here' }).click();
  await panel.getByText('Switched off here, also after later bakes.').waitFor();
  const offs = async () => (await linksOf(tool)).filter(({ enabled }) => !enabled).map(({ kind }) => kind);
  assert.deepEqual(await offs(), ['jump']);
  await page.evaluate('window.walkmeshTool.bakes.bake()');
  await settled(tool);
  assert.deepEqual(await offs(), ['jump']);
  await panel.getByText('Switched off here, also after later bakes.').waitFor();
  await page.getByRole('button', { name: 'Undo', exact: true }).first().click();
  await tool.rest();
  assert.deepEqual(await offs(), []);
  await page.getByRole('button', { name: 'Redo', exact: true }).first().click();
  await tool.rest();
  assert.deepEqual(await offs(), ['jump']);
  await panel.getByRole('button', { name: 'Allow again' }).click();
  await tool.rest();
  assert.deepEqual(await offs(), []);

  await panel.getByRole('button', { name: 'Pin', exact: true }).click();
  await panel.getByRole('list', { name: 'Pinned links' }).getByText('Jump').waitFor();
  assert.equal((await linksOf(tool)).filter(({ byHand }) => byHand).length, 0, 'the generated link stands in for it');
  await page.getByRole('switch', { name: 'Jump', exact: true }).press('Space');
  await settled(tool);
  const [pinned, ...others] = (await linksOf(tool)).filter(({ kind }) => kind === 'jump');
  assert.deepEqual([pinned.byHand, pinned.startTied, pinned.endTied, others.length], [true, true, true, 0]);
  await panel.getByRole('button', { name: 'Unpin', exact: true }).click();
  await tool.rest();
  assert.equal((await linksOf(tool)).filter(({ kind }) => kind === 'jump').length, 0);
}));

test('links: a take-off and a landing: too far, with a button that makes the link; Escape clears', () => withGaps({ document: ALL_ON, view: { ...OPTIONS.view, tool: 'segmentLinks' } }, async (page, tool) => {
  const panel = panelOf(page);
  await tool.click([36, 0, 10]);
  await panel.getByText(/Click the landing/).waitFor();
  await tool.click([47, 0, 10]);
  const answer = panel.getByRole('status').filter({ hasText: 'Too far' });
  await answer.waitFor();
  assert.match(await answer.textContent() ?? '', /Too far:\s+5\.\d+ m; jumps reach 3 m\./);
  await panel.getByRole('button', { name: /^Allow jumps of 5\.\d m$/ }).click();
  await settled(tool);
  await panel.getByText('There is a link').waitFor();
  assert.equal((await linksOf(tool)).some(({ kind, start }) => kind === 'jump' && start[0][0] > 39 && start[0][0] < 40), true);
  await page.keyboard.press('Escape');
  await panel.getByText(/^Click a link to inspect it/).waitFor();
}));

test('links: the buttons that switch kinds on vanish after one of them', () => withGaps({ view: { ...OPTIONS.view, tool: 'segmentLinks' } }, async (page, tool) => {
  const buttons = page.getByRole('group', { name: 'Switch on' }).getByRole('button');
  for (const [i, label] of ['Drop', 'Jump', 'Climb', 'Vault'].entries()) {
    assert.equal(await buttons.count(), 4 - i);
    await buttons.filter({ hasText: label }).click();
    await settled(tool);
  }
  assert.equal(await buttons.count(), 0);
  assert.ok((await countsOf(tool)).every((count) => count > 0));
  // Refused places are drawn on top of the view: it is still the same one.
  await page.getByRole('switch', { name: 'Show refused places' }).press('Space');
  await tool.rest();
  await page.getByRole('group', { name: 'Views' }).getByRole('button', { name: 'Result', pressed: true }).waitFor();
}));

test('links: places without one, by reason, with counts; the layer is off at first', () => withGaps({ document: ALL_ON, view: { ...OPTIONS.view, tool: 'segmentLinks' } }, async (page, tool) => {
  assert.equal(await tool.read('app.layers.setting("refusedLinks").visible'), false);
  assert.equal(await tool.read('app.links.refused'), null, 'nobody looked for them');
  await page.getByRole('switch', { name: 'Show refused places' }).press('Space');
  await tool.until('app.links.refused !== null');
  await settled(tool);
  const colors = page.getByRole('list', { name: 'Colours' });
  const found = await tool.read('app.links.refused.map(({ reason }) => reason)');
  assert.ok(found.length > 100);
  const far = found.filter((/** @type {string} */ reason) => reason === 'too-far').length;
  assert.ok(far > 10);
  await colors.locator('li', { hasText: 'Too far' }).getByText(far.toLocaleString('en'), { exact: true }).waitFor();
  assert.equal(await colors.getByText('No ground in reach').count(), 0);
}));

test('links: a path crosses them, is drawn along the jump, and says so', () => withGaps({ document: ALL_ON, view: { ...OPTIONS.view, tool: 'path' } }, async (page, tool) => {
  await tool.click([12, 0, 12]);
  await tool.click([26, 0, 8]);
  await tool.rest();
  const crosses = page.getByRole('list', { name: 'Crosses' });
  await crosses.getByText(/^Jump, (2\.\d+|3) m far$/).waitFor();
  const { crossed, path } = await tool.read('app.tools.get("path").result');
  assert.equal(path.status, 'complete');
  const top = Math.max(...crossed[0].way.filter((_, i) => i % 3 === 1));
  assert.ok(top > 0.3, `the way rises to ${top}`);
}));

test('links: a crate in a gap ends the jumps through it, no card appears, and they return with its removal', () => withGaps({ document: ALL_ON }, async (page, tool) => {
  const before = await countsOf(tool);
  const throughCrate = async () => (await linksOf(tool)).some(({ kind, enabled, startTied, endTied, start, end }) => (
    kind === 'jump' && enabled && startTied && endTied && [...start, ...end].every(([x]) => x > 19 && x < 23) && Math.min(start[0][2], start[1][2]) < 9 && Math.max(start[0][2], start[1][2]) > 9));
  assert.ok(await throughCrate());
  await page.evaluate(`window.walkmeshTool.store.edit('add crate', ({ obstacles }) => {
    obstacles.push({ id: 1, shape: { kind: 'box', min: [20.5, -1, 8], max: [21.5, 3, 10] }, area: 0 });
  })`);
  await settled(tool);
  await tool.until('app.links.state.state === "done"');
  assert.equal(await throughCrate(), false);
  assert.ok((await countsOf(tool))[1] > 0, 'jumps beside it stay');
  assert.equal(await page.getByRole('group', { name: 'Before and after' }).count(), 0);
  await page.evaluate('window.walkmeshTool.store.edit("remove crate", (draft) => { draft.obstacles = []; })');
  await settled(tool);
  assert.ok(await throughCrate());
  assert.deepEqual(await countsOf(tool), before);
}));

test('links: a pinned link that a crate blocks is marked in the view, the list and its panel, until the crate has gone', () => withGaps({ document: ALL_ON, view: { ...OPTIONS.view, tool: 'segmentLinks' } }, async (page, tool) => {
  const panel = panelOf(page), legend = page.getByRole('list', { name: 'Colours' });
  const isMarked = () => tool.read('app.layers.get("segmentLinks").object.getObjectByName("blocked links").visible');
  const throughCrate = ({ kind, start, end }) => kind === 'jump' && [...start, ...end].every(([x]) => x > 19 && x < 23) && Math.min(start[0][2], start[1][2]) < 9 && Math.max(start[0][2], start[1][2]) > 9;
  const jump = (await linksOf(tool)).find(throughCrate);
  await clickLink(tool, jump);
  await panel.getByRole('button', { name: 'Pin', exact: true }).click();
  await panel.getByRole('list', { name: 'Pinned links' }).getByText('Jump').waitFor();
  await tool.rest();
  assert.equal(await isMarked(), false);
  assert.equal(await tool.read('app.links.blocked.size'), 0);
  await page.evaluate(`window.walkmeshTool.store.edit('add crate', ({ obstacles }) => {
    obstacles.push({ id: 1, shape: { kind: 'box', min: [20.5, -1, 8], max: [21.5, 3, 10] }, area: 0 });
  })`);
  await settled(tool);
  await tool.until('app.links.state.state === "done"');
  assert.equal((await linksOf(tool)).filter(({ byHand }) => byHand).length, 1, 'no generated link stands in for it');
  assert.equal(await tool.read('app.links.blocked.size'), 1);
  const [[, { reason, place }]] = await tool.read('[...app.links.blocked]');
  assert.equal(reason, 'blocked');
  assert.ok(place[0] > 19 && place[0] < 23 && place[2] > 7 && place[2] < 11, String(place));
  await tool.until('app.layers.get("segmentLinks").object.getObjectByName("blocked links").visible');
  await legend.getByText('Pinned link is blocked here').waitFor();
  await panel.getByRole('list', { name: 'Pinned links' }).getByText('Blocked').waitFor();
  await panel.getByRole('list', { name: 'Pinned links' }).getByText('Jump').click();
  await panel.getByText(/far\s+The body hits something on the jump: .* Paths use it all the same\.$/).waitFor();
  await page.evaluate('window.walkmeshTool.store.edit("remove crate", (draft) => { draft.obstacles = []; })');
  await settled(tool);
  await tool.until('app.links.blocked.size === 0 && !app.layers.get("segmentLinks").object.getObjectByName("blocked links").visible');
  await legend.getByText('Pinned link is blocked here').waitFor({ state: 'detached' });
  assert.equal(await panel.getByRole('list', { name: 'Pinned links' }).getByText('Blocked').count(), 0);
}));

test('links: files hold them: the mesh, the project, the configuration, the code', () => withGaps({ document: ALL_ON, view: { ...OPTIONS.view, tool: 'segmentLinks' } }, async (page, tool) => {
  const [drop] = (await linksOf(tool)).filter(({ kind }) => kind === 'drop');
  await page.evaluate((link) => {
    const { store } = /** @type {any} */ (window).walkmeshTool;
    store.edit('forbid', (draft) => {
      draft.forbiddenLinks.push({ id: 1, kind: 'drop', start: link.start, end: link.end });
      draft.pinnedLinks.push({ id: 1, kind: 'jump', start: [[20, 0, 6], [20, 0, 4]], end: [[20, 0, 16], [20, 0, 14]], peak: 1, cost: 12, area: 6, bidirectional: true });
    });
    store.commit();
  }, drop);
  await tool.rest();
  const links = await linksOf(tool);
  const exportFile = async (/** @type {string} */ menu, /** @type {string} */ item) => {
    await page.getByRole('button', { name: menu }).click();
    const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('menuitem', { name: new RegExp(`^${item}`) }).click()]);
    return { name: file.suggestedFilename(), bytes: new Uint8Array(readFileSync(await file.path())) };
  };
  const mesh = await exportFile('Export', 'Navigation mesh');
  const loaded = walkmesh.loadNavMesh(mesh.bytes);
  assert.equal(loaded.segmentLinkCount, links.length);
  assert.equal(loaded.disabledLinkPlaces.length, 1);
  assert.equal(loaded.config?.links?.jump?.maxDistance, 3);
  loaded.free();
  // A Detour set has no links but connections, as many as their spacing says.
  const connections = [];
  for (const [answer, linkSpacing] of /** @type {const} */ ([[/^Connections 0\.8 m apart/, 0.8], [/^Connections 3\.2 m apart/, 3.2], [/^Export without links/, undefined]])) {
    await page.getByRole('button', { name: 'Export' }).click();
    await page.getByRole('menuitem', { name: /^Detour tile set/ }).click();
    const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: answer }).click()]);
    const bytes = new Uint8Array(readFileSync(await file.path())), detour = walkmesh.loadNavMesh(bytes), again = walkmesh.loadNavMesh(mesh.bytes);
    connections.push(detour.totals.offMeshConnections);
    assert.deepEqual(bytes, again.exportDetour('set', { linkSpacing }));
    for (const navMesh of [detour, again]) navMesh.free();
  }
  assert.ok(connections[0] > connections[1] && connections[1] > 0 && connections[2] === 0, String(connections));
  const project = await exportFile('Project', 'Save project');
  const text = new TextDecoder().decode(project.bytes);
  assert.equal(JSON.parse(text).document.pinnedLinks[0].cost, 12);
  const config = await exportFile('Export', 'Configuration');
  assert.equal(JSON.parse(new TextDecoder().decode(config.bytes)).links.climb.maxHeight, 2);
  await page.getByRole('button', { name: 'Bake code' }).click();
  const code = await page.locator('pre[aria-label=JavaScript]').textContent();
  assert.match(code ?? '', /links: \{ drop:/);
  assert.match(code ?? '', /disabledLinkPlaces/);
  await page.keyboard.press('Escape');

  // Opened again, the mesh has its links, and its settings are those of the document.
  const before = await tool.read('app.store.state.document');
  const open = async (/** @type {string} */ name, /** @type {Uint8Array} */ bytes) => {
    writeFileSync(join(folder, name), bytes);
    const chooser = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Open file' }).click();
    await (await chooser).setFiles([join(folder, name)]);
  };
  await open(mesh.name, mesh.bytes);
  await tool.until('app.bakes.current?.report === null');
  await tool.still();
  const now = await tool.read('app.store.state.document');
  assert.deepEqual([now.links, now.forbiddenLinks.length, now.pinnedLinks.length], [before.links, 1, 1]);
  assert.equal((await linksOf(tool)).length, links.length);
  assert.equal((await linksOf(tool)).filter(({ enabled }) => !enabled).length, 1);

  // A project restores settings, forbidden and pinned links, and its links are generated again.
  await page.evaluate(`window.walkmeshTool.store.edit('clear', (draft) => {
    Object.assign(draft, { forbiddenLinks: [], pinnedLinks: [] });
    for (const kind of ${JSON.stringify(KINDS)}) draft.links[kind].isOn = false;
  })`);
  await page.evaluate('window.walkmeshTool.bakes.bake()');
  await settled(tool);
  assert.deepEqual(await countsOf(tool), [0, 0, 0, 0]);
  await open(project.name, project.bytes);
  await tool.until('app.store.state.document.pinnedLinks.length === 1 && app.links.state.state === "done"');
  await settled(tool);
  const opened = await tool.read('app.store.state.document');
  assert.deepEqual([opened.links, opened.forbiddenLinks, opened.pinnedLinks], [before.links, before.forbiddenLinks, before.pinnedLinks]);
  const placed = (/** @type {any[]} */ list) => list.map(({ kind, start, end, enabled, byHand, cost }) => ({ kind, start, end, enabled, byHand, cost }));
  assert.deepEqual(placed(await linksOf(tool)), placed(links));
}));
