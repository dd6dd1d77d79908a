// Links of the level tool without its page: settings for the library, words for refusals, questions about two spots, forbidden and pinned
// links in a mesh, and the drawing of the swept body.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { LINK_REFUSALS, SEGMENT_LINK_KINDS, load } from '../../js/index.js';
import { PRESETS } from '../../web-demo/src/bake/suggest.js';
import {
  COMMON_LIMITS, LINK_KINDS, areaOfKind, defaultLinks, fromLinkConfig, isLinkSettings, kindLimits, toLinkConfig,
} from '../../web-demo/src/links/kinds.js';
import { LinkSync, findLinkAt, isAtPlace, placeOfLink, spotOfLink, toPinned } from '../../web-demo/src/links/link-sync.js';
import { linksAlong } from '../../web-demo/src/links/along.js';
import { REASON_LABELS, limitsFix, nameCounts, nameLink, refusalWords, withLinkLabels } from '../../web-demo/src/links/link-words.js';
import { LEDGE_CELLS, VAULT_CELLS, explainPair, findExcess, measureGap } from '../../web-demo/src/links/pair.js';
import { bodyHeights, sweptBody } from '../../web-demo/src/links/sweep.js';
import { defaultDocument } from '../../web-demo/src/state/document.js';
import { checkDocument } from '../../web-demo/src/state/validate.js';
import { changedFields, configurationText, parseConfiguration } from '../../web-demo/src/save/configuration.js';
import { commandSnippet, javaScriptSnippet } from '../../web-demo/src/save/snippet.js';
import { makeLinksLevel } from './links-level.js';
import { makeBoxes } from './rooms.js';
import { ROOT } from './support.js';

const walkmesh = await load();
const KINDS = LINK_KINDS.map(({ kind }) => kind);

/** A document with all kinds on, of the tool's default agent. */
function makeDocument() {
  const document = defaultDocument();
  Object.assign(document.config, { cellSize: 0.2, cellHeight: 0.1, tileSize: 32 });
  for (const kind of KINDS) document.links[kind].isOn = true;
  return document;
}

/** The links level baked with a document's links, and its generator. @param {import('node:test').TestContext} context */
function bakeLevel(context, document = makeDocument()) {
  const baked = walkmesh.bake(makeLinksLevel(), { ...document.config, links: toLinkConfig(document) }, { keepLinkGenerator: true });
  context.after(() => baked.navMesh.free());
  return { document, ...baked };
}

const linksOf = (navMesh) => Array.from(navMesh.segmentLinks().refs, (ref) => navMesh.segmentLink(ref));
const firstOf = (navMesh, kind) => linksOf(navMesh).find((link) => link.kind === kind);

test('tool links: the kinds are those of the library, and their limits suit every agent', (context) => {
  assert.deepEqual(KINDS, SEGMENT_LINK_KINDS);
  for (const { label, agent } of [...PRESETS, { label: 'no step', agent: { agentRadius: 0, agentHeight: 2, agentMaxClimb: 0, agentMaxSlope: 45 } }]) {
    const document = makeDocument();
    Object.assign(document.config, agent, { cellSize: 0.2, cellHeight: 0.1 });
    const { navMesh } = bakeLevel(context, document);
    const { flags: _, ...jump } = navMesh.config.links.jump;
    assert.deepEqual({ ...jump }, Object.fromEntries(Object.entries({ ...kindLimits(document, 'jump'), area: 6, costFactor: 1 }).map(([name, value]) => [name, value])), label);
  }
});

test('tool links: settings of a document become a configuration, and come back', () => {
  const document = defaultDocument();
  assert.deepEqual(toLinkConfig(document), {}, 'all kinds are off');
  document.links.jump = { isOn: true, maxDistance: 4.5, area: 3 };
  Object.assign(document.links, { minWidth: 0.5 });
  const config = toLinkConfig(document);
  assert.deepEqual(config, { jump: { maxDistance: 4.5, maxUp: 0.4, maxDown: 1.5, peak: 0.6, area: 3 }, minWidth: 0.5, thinning: 0.4, minSaving: 0 });
  assert.deepEqual(fromLinkConfig(config, document.config), document.links);
  // Values that the user didn't set follow the agent.
  Object.assign(document.config, PRESETS[1].agent);
  assert.equal(toLinkConfig(document).jump.maxDown, 0.5);
  assert.equal(areaOfKind(document, 'drop'), 6);
  for (const bad of [null, undefined, 5, 'x', [], { jump: 3 }, { jump: null }]) assert.deepEqual(fromLinkConfig(bad, document.config), defaultLinks());
});

test('tool links: settings from files and addresses of a wrong form are replaced by the defaults', () => {
  const good = makeDocument();
  assert.deepEqual(checkDocument(good).links, good.links);
  assert.ok(isLinkSettings({ ...defaultLinks(), jump: { isOn: true, maxDistance: 1e9 } }), 'the library checks the ranges');
  const bad = [{}, { ...defaultLinks(), drop: {} }, { ...defaultLinks(), drop: { isOn: 1 } }, { ...defaultLinks(), jump: { isOn: true, maxUp: 'x' } },
    { ...defaultLinks(), jump: { isOn: true, maxUp: NaN } }, { ...defaultLinks(), thinning: null }, { ...defaultLinks(), vault: { isOn: true, area: 64 } }];
  for (const links of bad) {
    assert.equal(isLinkSettings(links), false, JSON.stringify(links));
    assert.deepEqual(checkDocument({ ...good, links }).links, defaultLinks());
  }
  const place = { id: 1, kind: 'drop', start: [[0, 0, 1], [0, 0, 0]], end: [[1, 0, 1], [1, 0, 0]] };
  const flat = [place.start[0], place.start[0]];
  const lists = checkDocument({ ...good, forbiddenLinks: [place, { ...place, id: 2, kind: 'fly' }, { ...place, id: 3, start: [0, 0, 0] }, { ...place, id: 4, start: flat }, 5] });
  assert.deepEqual(lists.forbiddenLinks, [place]);
});

test('tool links: a configuration file holds them', () => {
  const document = makeDocument();
  document.links.climb = { isOn: true, maxHeight: 2.5 };
  const { config, links } = parseConfiguration(configurationText(document), 'c.json', document.config);
  assert.deepEqual({ config, links }, { config: document.config, links: document.links });
  assert.equal(changedFields(document).links.climb.maxHeight, 2.5);
  for (const wrong of ['{"links": 3}', '{"links": {"jump": {"maxDistance": "far"}}}', '{"links": []}', '{"links": {"jump": [1]}}']) {
    assert.throws(() => parseConfiguration(wrong, 'c.json', document.config), /invalid links/, wrong);
  }
});

test('tool links: the code bakes them, forbids them and adds pinned ones; the command reads a configuration file', () => {
  const document = makeDocument();
  document.forbiddenLinks = [{ id: 1, kind: 'drop', start: [[6, 1.8, 11], [6, 1.8, 9]], end: [[7, 0, 11], [7, 0, 9]] }];
  document.pinnedLinks = [{ id: 4, kind: 'jump', start: [[20, 0, 3], [20, 0, 5]], end: [[22, 0, 3], [22, 0, 5]], peak: 0.5, cost: 2, area: 6, bidirectional: true }];
  const code = javaScriptSnippet(document, { file: 'a.obj' });
  assert.match(code, /links: \{ drop: \{ maxHeight: 3, area: 6 \}, jump: \{ maxDistance: 3, /);
  assert.match(code, /navMesh\.disabledLinkPlaces = \[\n {2}\{ kind: 'drop', start: \[\[6, 1\.8, 11\], \[6, 1\.8, 9\]\], end: \[\[7, 0, 11\], \[7, 0, 9\]\] \},\n\];/);
  assert.match(code, /navMesh\.addSegmentLink\(\{ kind: 'jump', start: .*bidirectional: true, userId: 4 \}\);/);
  const obstacle = { id: 1, shape: { kind: 'sphere', centre: [10, 0, 10], radius: 1 }, area: 0 };
  assert.match(javaScriptSnippet({ ...document, obstacles: [obstacle] }, { file: 'a.obj' }), /const config = \{[^]*links: \{ drop:[^]*bakeDynamic\(level, config\)[^]*dynamic\.update\(\)/);
  const command = commandSnippet(document, { file: 'a.obj' });
  assert.match(command, /"links": \{"drop":\{"maxHeight":3,"area":6\}/);
  assert.match(command, /--config a\.links\.json/);
  assert.match(command, /no forbidden or pinned links/);
});

test('tool links: every reason has words and a label, and a button raises the limit by what is missing, and a cell', () => {
  assert.deepEqual(Object.keys(REASON_LABELS).sort(), [...LINK_REFUSALS].sort());
  const document = makeDocument();
  const refused = { start: [0, 0, 0], end: [1, 0, 0], place: [1, 0, 0], text: 'Text' };
  for (const reason of LINK_REFUSALS) {
    for (const kind of KINDS) {
      const { title, text, fix } = refusalWords({ ...refused, reason, kind, value: 4.56, limit: 4 }, document);
      assert.ok(title && /^[^a-z].*\.$|; /.test(text) && !/NaN|undefined/.test(text + title), `${reason}, ${kind}: ${title} ${text}`);
      if (!fix) continue;
      const before = { ...document.links, [kind]: { ...document.links[kind], isOn: reason !== 'kind-off' } };
      const links = structuredClone(before);
      fix.change(links);
      assert.notDeepEqual(links, before, reason);
      assert.ok(isLinkSettings(links) && fix.label && fix.step);
    }
  }
  const { title, text, fix } = refusalWords({ ...refused, reason: 'too-far', kind: 'jump', value: 4.56, limit: 3 }, document);
  assert.deepEqual([title, text, fix.label], ['Too far:', '4.56 m; jumps reach 3 m.', 'Allow jumps of 4.8 m']);
  // A vault's reach is more than the depth of its obstacle: the depth grows by the missing length.
  const vault = refusalWords({ ...refused, reason: 'too-far', kind: 'vault', value: 2.8, limit: 2.6 }, document).fix;
  vault.change(document.links);
  assert.equal(document.links.vault.maxDepth, 1.4);
  assert.equal(refusalWords({ ...refused, reason: 'too-far', kind: 'jump', value: 20, limit: 3 }, document).fix, null, 'nobody jumps that far');
});

test('tool links: names and messages', () => {
  const link = { start: [[0, 2, 0], [0, 2, 2]], end: [[1, 0.5, 0], [1, 0.5, 2]], peak: 0.75 };
  assert.deepEqual(KINDS.map((kind) => nameLink({ ...link, kind }, 0.1)), ['Drop, 1.5 m down', 'Jump, 1 m far', 'Climb, 1.5 m down', 'Vault over 2.15 m']);
  assert.equal(nameCounts({ drop: 1200, jump: 1, climb: 0, vault: 2 }), '1,200 drops, 1 jump, 2 vaults');
  assert.equal(withLinkLabels('links.jump.peak is 0.1: must be at least links.jump.maxUp (0.4)'), 'Jump peak is 0.1: must be at least Jump up (0.4).');
  assert.equal(withLinkLabels('links.thinning is -1: must be 0 or more'), 'Thinning is -1: must be 0 or more.');
  for (const { limits } of LINK_KINDS) for (const { help } of limits) assert.ok(help.length <= 80, help);
  for (const { help } of COMMON_LIMITS) assert.ok(help.length <= 80, help);
});

test('tool links: forbidden and pinned links are those of the document, again and again', (context) => {
  const { navMesh, linkGenerator, document } = bakeLevel(context);
  const sync = new LinkSync(navMesh);
  assert.equal(sync.update(document), false, 'nothing is forbidden or pinned');
  const drop = firstOf(navMesh, 'drop');
  document.forbiddenLinks = [{ id: 1, ...placeOfLink(drop) }];
  assert.equal(sync.update(document), true);
  const offs = () => linksOf(navMesh).filter(({ enabled }) => !enabled).map(({ kind }) => kind);
  assert.deepEqual(offs(), ['drop']);
  assert.equal(sync.update(document), false);
  linkGenerator.generate();
  sync.update(document);
  assert.deepEqual(offs(), ['drop'], 'also after links are generated again');
  document.forbiddenLinks = [];
  sync.update(document);
  assert.deepEqual(offs(), []);

  // A pinned link is made by hand only where none is generated.
  const vault = firstOf(navMesh, 'vault');
  document.pinnedLinks = [{ id: 3, ...toPinned(vault) }];
  const byHand = () => linksOf(navMesh).filter((link) => link.byHand).map(({ userId, kind }) => `${kind} ${userId}`);
  sync.update(document);
  assert.deepEqual([byHand(), sync.hasPinned(3)], [[], false]);
  const { vault: _, ...others } = toLinkConfig(document);
  linkGenerator.configure(others);
  linkGenerator.generate();
  sync.update(document);
  assert.deepEqual([byHand(), sync.hasPinned(3)], [['vault 3'], true]);
  assert.ok(isAtPlace(findLinkAt(navMesh, spotOfLink(vault)), placeOfLink(vault), navMesh.parameters));
  linkGenerator.configure(toLinkConfig(document));
  linkGenerator.generate();
  sync.update(document);
  assert.deepEqual(byHand(), []);
  document.pinnedLinks = [];
  sync.update(document);
  assert.deepEqual(byHand(), []);
});

test('tool links: a vault is named by the height that its limit is of, and all vaults along its fence are known', (context) => {
  const document = makeDocument();
  Object.assign(document.config, { cellSize: 0.1, tileSize: 32 });
  // Two fences of 1 m, beside each other; a third one continues the first at a right angle.
  const level = makeBoxes([[[0, -0.5, 0], [14, 0, 12]], [[4, 0, 0], [4.2, 1, 10]], [[8, 0, 0], [8.2, 1, 12]], [[0, 0, 10], [4.2, 1, 10.2]]]);
  const { navMesh } = walkmesh.bake(level, { ...document.config, links: { vault: { maxHeight: 1, maxDepth: 1 } } });
  context.after(() => navMesh.free());
  const vaults = linksOf(navMesh), fence = vaults.filter(({ start: [[x], [other]], end: [[end]] }) => Math.abs(x - other) < 0.01 && Math.abs((x + end) / 2 - 4.1) < 1);
  assert.ok(fence.length >= 3 && vaults.length > 2 * fence.length, `${fence.length} of ${vaults.length}`);
  assert.deepEqual([...new Set(vaults.map((vault) => nameLink(vault, document.config.cellHeight)))], ['Vault over 1 m']);
  const refs = (/** @type {any[]} */ links) => links.map(({ ref }) => ref).sort((a, b) => a - b);
  for (const link of fence) {
    const along = linksAlong(navMesh, link);
    assert.ok(along[0] === link && new Set(refs(along)).size === along.length && fence.every(({ ref }) => refs(along).includes(ref)));
    assert.ok(along.every(({ start: [[x]] }) => x < 6), 'those of the other fence are others');
    assert.equal(linksAlong(navMesh, link), along, 'the panel, which is drawn often, searches once');
  }
  // Those that are off are another row than those that are on.
  const [first, ...others] = fence;
  new LinkSync(navMesh).update({ ...document, forbiddenLinks: others.map((link, i) => ({ id: i + 1, ...placeOfLink(link) })) });
  assert.deepEqual(refs(linksAlong(navMesh, navMesh.segmentLink(first.ref))), [first.ref]);
});

test('tool links: a place knows its link, and no link of another kind, direction or place', (context) => {
  const { navMesh } = bakeLevel(context);
  const jump = linksOf(navMesh).find(({ kind, start }) => kind === 'jump' && start[0][0] < 20.5 && start[0][0] > 19);
  const place = placeOfLink(jump);
  assert.ok(isAtPlace(jump, place, navMesh.parameters));
  assert.equal(isAtPlace(jump, { ...place, kind: 'drop' }, navMesh.parameters), false);
  const back = place.start.map(([x, y, z]) => [x - 2, y, z]);
  assert.equal(isAtPlace({ ...jump, bidirectional: false }, { ...place, end: back }, navMesh.parameters), false);
  const turned = { ...place, start: place.end, end: place.start };
  assert.deepEqual([true, false].map((bidirectional) => isAtPlace({ ...jump, bidirectional }, turned, navMesh.parameters)), [true, false]);
  const piece = ([a, b], from, to) => [from, to].map((share) => a.map((value, i) => value + share * (b[i] - value)));
  for (const [from, to, isHere] of [[0, 0.3, true], [0.6, 1, true], [-0.5, 1.5, true], [0.6, 1.6, false], [1, 2, false]]) {
    const other = { ...jump, start: piece(jump.start, from, to), end: piece(jump.end, from, to) };
    assert.equal(isAtPlace(other, place, navMesh.parameters), isHere, `${from} to ${to}`);
  }
  for (const axis of [0, 1, 2]) {
    const moved = structuredClone(place);
    for (const point of moved.start) point[axis] += axis === 2 ? 20 : 0.9;
    assert.equal(isAtPlace(jump, moved, navMesh.parameters), false, `axis ${axis}`);
  }
});

test('tool links: two spots: there is a link, too far, a kind that is off, off the mesh, walkable', (context) => {
  const { navMesh, linkGenerator, document } = bakeLevel(context);
  const ask = (from, to) => explainPair(navMesh, linkGenerator, from, to, document);
  assert.equal(ask([18, 0, 10], [24, 0, 10]).refused.reason, null);
  const far = ask([38, 0, 10], [47, 0, 10]).refused;
  assert.deepEqual([far.reason, far.kind, far.limit], ['too-far', 'jump', 3]);
  // The floor ends 4.6 m apart, and the mesh the agent's radius before, up to a cell more on each side.
  assert.ok(far.value >= 4.6 + 0.8 && far.value <= 4.6 + 0.8 + 0.4 + 1e-3, String(far.value));
  assert.deepEqual(ask([10, 0, 10], [10, 0, 14]), { spot: 'walkable' });
  assert.deepEqual(ask([21, 3, 10], [10, 0, 14]), { spot: 'from' });
  assert.deepEqual(ask([10, 0, 14], [42, 0, 10]), { spot: 'to' });

  const gap = measureGap(navMesh, [3, 1.8, 10], [9, 0, 10]);
  assert.ok(Math.abs(gap.height + 1.8) < 0.2 && gap.distance > 0.8 && gap.distance < 1.6 && gap.turn < 0.01, JSON.stringify(gap));
  document.links.jump.isOn = document.links.drop.isOn = false;
  assert.deepEqual(findExcess(gap, document), { kind: 'drop', reason: 'kind-off', value: 0, limit: 0 });
  document.links.drop = { isOn: true, maxHeight: 1 };
  document.links.jump = { isOn: true, maxDown: 0.5 };
  const excess = findExcess(gap, document);
  assert.deepEqual([excess.kind, excess.reason, excess.limit], ['drop', 'too-deep', 1], 'the kind that comes nearest');
  // Askew: the jump leads straight over the gap, not along it.
  assert.equal(measureGap(navMesh, [19, 0, 2], [23, 0, 18]).turn > 1, true);
});

test('tool links: the swept body is where a body is at any moment, and its surface has no hole', () => {
  const way = [[0, 1], [2, 1], [2, -1]]; // a drop
  assert.deepEqual(bodyHeights(way, -0.4, 0.4, 1.8), [1, 2.8]);
  assert.deepEqual(bodyHeights(way, 1, 0.4, 1.8), [1, 2.8]);
  assert.deepEqual(bodyHeights(way, 1.7, 0.4, 1.8), [-1, 2.8]);
  assert.deepEqual(bodyHeights(way, 2.4, 0.4, 1.8), [-1, 2.8]);
  const arc = Array.from({ length: 65 }, (_, i) => [3 * i / 64, 4 * 0.5 * (i / 64) * (1 - i / 64)]);
  for (const at of [0, 0.3, 1.5, 2.9]) {
    const [low, high] = bodyHeights(arc, at, 0.4, 1.8);
    const under = arc.filter(([x]) => Math.abs(x - at) <= 0.4).map(([, y]) => y);
    assert.ok(low <= Math.min(...under) + 1e-9 && high >= Math.max(...under) + 1.8 - 1e-9 && low > Math.min(...under) - 0.05, `at ${at}`);
  }
  const [left, right] = [0, 2].map((z) => way.flatMap(([x, y]) => [x, y, z]));
  const { positions } = sweptBody(left, right, 0.4, 1.8);
  const bounds = [0, 1, 2].map((axis) => {
    const values = positions.filter((_, i) => i % 3 === axis);
    return [Math.min(...values), Math.max(...values)].map((value) => Math.round(value * 1e4) / 1e4);
  });
  assert.deepEqual(bounds, [[-0.4, 2.4], [-1, 2.8], [-0.4, 2.4]]);
  /** Each edge of the surface belongs to two triangles. @type {Map<string, number>} */
  const edges = new Map();
  const name = (vertex) => Array.from(positions.subarray(3 * vertex, 3 * vertex + 3), (value) => value.toFixed(5)).join(' ');
  for (let i = 0; i < positions.length / 9; i++) {
    for (const [a, b] of [[0, 1], [1, 2], [2, 0]]) {
      const key = [name(3 * i + a), name(3 * i + b)].sort().join(', ');
      edges.set(key, (edges.get(key) ?? 0) + 1);
    }
  }
  assert.deepEqual([...edges].filter(([, count]) => count % 2 !== 0), []);
});

test('tool links: the reach of kinds beyond the body is that of the C core', () => {
  const source = readFileSync(join(ROOT, 'src/links/link_config.c'), 'utf8');
  const cells = (name) => Number(new RegExp(`#define ${name} ([\\d.]+)f`).exec(source)?.[1]);
  assert.deepEqual([LEDGE_CELLS, VAULT_CELLS], ['LEDGE_CELLS', 'VAULT_CELLS'].map(cells));
});

test('tool links: the button for a link that would open a path switches its kind on, and only raises limits', () => {
  const { links } = defaultDocument();
  Object.assign(links.jump, { isOn: false, maxDistance: 5 });
  const { label, change } = limitsFix('jump', { jump: { maxDistance: 3.2, maxUp: 0.81, area: 7 } });
  change(links);
  assert.deepEqual([label, links.jump.isOn, links.jump.maxDistance, links.jump.maxUp], ['Allow this jump', true, 5, 0.9]);
});
