/** Links in explanations of paths: limits and kinds that would open a way, walls of solids, distances over long borders. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LinkGenerator, explainPath, load } from '../../js/index.js';
import { plantCause } from './explained-levels.js';
import { makeRandom } from './random.js';
import { makeBoxes } from './rooms.js';

const walkmesh = await load();
const AGENT = { cellSize: 0.2, cellHeight: 0.1, agentRadius: 0.4, agentHeight: 1.8, agentMaxClimb: 0.4 };
const LINKS = { drop: { maxHeight: 1 }, jump: { maxDistance: 2 }, climb: { maxHeight: 1.2 }, vault: { maxHeight: 0.6, maxDepth: 1 } };
/** @typedef {[number, number, number]} Point */
/** @typedef {{ positions: number[], solids?: any[] }} Level */

const floor = (/** @type {number} */ x0, /** @type {number} */ x1, /** @type {number} */ y, z1 = 40) => [x0, y, 0, x0, y, z1, x1, y, z1, x0, y, 0, x1, y, z1, x1, y, 0];
const box = (/** @type {number} */ x0, /** @type {number} */ x1, /** @type {number} */ y) => ({ kind: /** @type {const} */ ('box'), min: [x0, -1, 0], max: [x1, y, 40] });

/** @param {Level} level @param {Point} end @param {object} [more] configuration */
function explain(level, end, more = { links: LINKS }) {
  const config = { ...AGENT, ...more };
  const { navMesh } = walkmesh.bake(level, config);
  const explanation = explainPath(navMesh, [3, 0, 20], end, { level: { geometry: level } });
  navMesh.free();
  return { ...explanation, config };
}

/** True if the path is found once the level is baked with the links of a change, each limit lowered by `less`. @param {Level} level @param {Point} end @param {any} change @param {any} config @param {number} [less] */
function opens(level, end, change, config, less = 0) {
  const { linkKind, links } = change, before = config.links?.[linkKind] ?? {};
  const limits = Object.fromEntries(Object.entries(links[linkKind]).map(([name, value]) => [name, !name.startsWith('max') || value === before[name] ? value : Math.max(Number(value) - less, 0.05)]));
  try {
    const { navMesh } = walkmesh.bake(level, { ...config, links: { ...links, [linkKind]: limits } });
    const { status } = navMesh.findPath([3, 0, 20], end);
    navMesh.free();
    return status === 'complete';
  } catch (/** @type {any} */ error) {
    assert.equal(error.code, 'configuration'); // the limit is no more than a step
    return false;
  }
}

/** @type {[string, Level, Point, RegExp][]} */
const CASES = [
  ['a gap', { positions: [...floor(0, 20, 0), ...floor(22, 40, 0)] }, [38, 0, 20], /^A jump of 3\.2 m would lead there: links\.jump\.maxDistance is 2\. Passes with links\.jump\.maxDistance 3\.2\.$/],
  ['a canyon', { positions: [...floor(0, 20, 0), ...floor(20, 22, -9), ...floor(22, 40, 0)] }, [38, 0, 20], /^A jump of 3\.2 m would lead there: links\.jump\.maxDistance is 2\./],
  ['a gap with a far side above', { positions: [...floor(0, 20, 0), ...floor(22, 40, 0.8)] }, [38, 0.8, 20], /^A jump of 3\.2 m would lead there: links\.jump\.maxDistance is 2 and links\.jump\.maxUp is 0\.4\./],
  ['a ledge', { positions: floor(0, 40, 0), solids: [box(20, 40, 1.6)] }, [38, 1.6, 20], /^A climb of 1\.[56] m would lead there: links\.climb\.maxHeight is 1\.2\. Passes with links\.climb\.maxHeight 1\.[56]\.$/],
  ['a drop', { positions: [...floor(0, 20, 0), ...floor(20, 40, -3)] }, [38, -3, 20], /^A drop of 3 m would lead there: links\.drop\.maxHeight is 1\. Passes with links\.drop\.maxHeight 3(\.01)?\.$/],
  ['a fence of a solid', { positions: floor(0, 40, 0), solids: [box(20, 20.4, 1)] }, [38, 0, 20], /^A vault over (0\.9|1) m would lead there: links\.vault\.maxHeight is 0\.6\./],
];

for (const [name, level, end, text] of CASES) {
  test(`links in explanations: ${name}: the limit of a kind that is on comes first, and its change opens the way`, () => {
    const { causes: [cause], config, path } = explain(level, end);
    assert.equal(path.status, 'unreachable');
    assert.match(cause.text, text);
    assert.deepEqual([cause.kind, cause.isVerified], ['link', true]);
    assert.ok(opens(level, end, cause.changes[0], config));
    assert.ok(!opens(level, end, cause.changes[0], config, 0.02), 'two hundredths less are too few');
  });
  test(`links in explanations: ${name}: a kind that is off comes last, and its change opens the way`, () => {
    const { causes, config } = explain(level, end, { tileSize: 32 });
    const links = causes.filter(({ kind }) => kind === 'link');
    assert.ok(links.length > 0);
    assert.deepEqual(causes.slice(-links.length), links);
    for (const { text: off, changes, isVerified } of links) {
      assert.match(off, /would lead there: links\.\w+ is off\. Passes with links\./);
      assert.ok(isVerified && opens(level, end, changes[0], config), off);
    }
  });
}

/** @type {[string, Level, Point, RegExp][]} */
const ROWS = [
  ['terraces', { positions: floor(0, 40, 0), solids: [box(20, 40, 1.5), box(24, 40, 3)] }, [38, 3, 20], /^There is no path\. 2 climbs of up to 1\.5 m would lead there: links\.climb\.maxHeight is 1\.2\. Passes with links\.climb\.maxHeight 1\.5\.$/],
  ['stepping stones', { positions: [...floor(0, 18, 0), ...floor(20, 24, 0), ...floor(26, 40, 0)] }, [38, 0, 20], /2 jumps of up to 3\.2 m would lead there: links\.jump\.maxDistance is 2\. Passes with links\.jump\.maxDistance 3\.2\.$/],
  ['a ravine', { positions: [...floor(0, 14, 0), ...floor(14, 26, -2), ...floor(26, 40, -0.5)] }, [38, -0.5, 20], /A drop of 2 m would lead there: links\.drop\.maxHeight is 1\. Then a climb of 1\.5 m would lead there: links\.climb\.maxHeight is 1\.2\. Passes with links\.drop\.maxHeight 2(\.01)? and with links\.climb\.maxHeight 1\.5(1)?\.$/],
];

for (const [name, level, end, text] of ROWS) {
  test(`links in explanations: ${name}: two links in a row whose limits are too low are told together, and the change opens the way`, () => {
    const { causes: [cause], config, text: told } = explain(level, end);
    assert.match(told, text);
    assert.deepEqual([cause.kind, cause.isVerified], ['link', true]);
    for (const change of cause.changes) {
      assert.ok(opens(level, end, change, config), 'the links of each change are those of all');
      assert.ok(!opens(level, end, change, config, 0.02), 'two hundredths less are too few');
    }
  });
}

test('links in explanations: kinds that are off are told in a row where nothing else opens the way', () => {
  const [, level, end] = ROWS[1];
  const { causes, config } = explain(level, end, { links: { drop: { maxHeight: 1 } } });
  assert.match(causes[0].text, /^2 jumps of up to 3\.2 m would lead there: links\.jump is off\. Passes with links\.jump\.maxDistance 3\.2\.$/);
  assert.ok(opens(level, end, causes[0].changes[0], config));
});

test('links in explanations: where many ledges lead nowhere, few of them are asked for their limits', (t) => {
  // Twelve blocks of 1.5 m, which climbs could reach, and the end behind a trench of 12 m.
  const solids = Array.from({ length: 12 }, (_, i) => ({ kind: /** @type {const} */ ('box'), min: [2 + 5 * (i % 4), -1, 4 + 12 * Math.floor(i / 4)], max: [5 + 5 * (i % 4), 1.5, 7 + 12 * Math.floor(i / 4)] }));
  const asked = t.mock.method(LinkGenerator.prototype, 'explainLink');
  const { causes } = explain({ positions: [...floor(0, 24, 0), ...floor(36, 40, 0)], solids }, [38, 0, 20]);
  assert.equal(causes[0].kind, 'closed');
  assert.ok(asked.mock.callCount() <= 12, `${asked.mock.callCount()} questions`);
});

test('links in explanations: a jump of 7 m around a fence comes after the vault over it: limits that are raised least come first', () => {
  const { geometry, config, start, end } = plantCause('vault', 0);
  const { navMesh } = walkmesh.bake(geometry, config);
  const { causes } = explainPath(navMesh, start, end, { level: { geometry, config } });
  navMesh.free();
  const raised = causes.flatMap(({ changes: [change] }) => (change.kind === 'links' ? [[change.linkKind, Math.round(Number(change.limits.maxDistance ?? change.limits.maxHeight))]] : []));
  assert.deepEqual(raised.slice(0, 2), [['vault', 1], ['jump', 7]]);
});

test('links in explanations: random gaps: each change opens the way in a bake of its own', () => {
  const { between } = makeRandom(29);
  let count = 0;
  for (let round = 0; round < 20; round++) {
    const width = between(0.5, 4), up = between(-2.5, 1.5);
    const level = { positions: [...floor(0, 20, 0), ...floor(20 + width, 40, up)] };
    const end = /** @type {Point} */ ([38, up, 20]);
    const { causes, config, path } = explain(level, end, { tileSize: round % 2 ? 0 : 48, links: LINKS });
    if (path.status === 'complete') continue;
    const links = causes.filter(({ kind }) => kind === 'link');
    assert.ok(links.length > 0, `${width} ${up}: ${causes.map(({ text }) => text)}`);
    for (const { changes: [change], text } of links) assert.ok(opens(level, end, change, config), `${width} ${up}: ${text}`);
    count++;
  }
  assert.ok(count >= 10, `${count}`);
});

/** Rough ground, a pit, and ground 2 m higher behind it: squares of 1 m. @param {number} seed */
function makeRough(seed) {
  const { between } = makeRandom(seed), side = 25, positions = [], indices = [];
  const heights = Array.from({ length: side * side }, (_, i) => (i >= 11 * side && i < 14 * side ? between(-3, 1) : 0) + (i >= 14 * side ? 2 : 0) + between(0, 0.9));
  for (let i = 0; i < side * side; i++) positions.push(Math.floor(i / side), heights[i], i % side);
  for (let i = 0; i < side * (side - 1); i++) if (i % side < side - 1) indices.push(i, i + 1, i + side, i + 1, i + side + 1, i + side);
  return { positions, indices };
}

test('fields that open a way do so in a bake with links and heights, and a bake that changes nothing is no cause', () => {
  const agent = { ...AGENT, cellSize: 0.3, cellHeight: 0.15, agentRadius: 0.5, agentMaxClimb: 0.5, links: { drop: { maxHeight: 2 }, jump: { maxDistance: 3 } } };
  const [start, end] = /** @type {Point[]} */ ([[3, 0.5, 12], [21, 2.5, 12]]);
  let count = 0;
  for (const seed of [138, 283, 1, 2, 3, 4]) {
    const level = makeRough(seed), { navMesh } = walkmesh.bake(level, agent);
    for (const { changes, text } of explainPath(navMesh, start, end, { level: { geometry: level } }).causes) {
      for (const change of changes) {
        assert.notEqual(change.kind, 'rebake', `${seed}: ${text}`);
        if (change.kind !== 'config') continue;
        const changed = walkmesh.bake(level, { ...agent, ...change.fields }).navMesh;
        assert.equal(changed.findPath(start, end).status, 'complete', `${seed}: ${text}`);
        changed.free();
        count++;
      }
    }
    navMesh.free();
  }
  assert.ok(count >= 3, `${count}`);
});

test('fields that were tried on a part of a large level with links may pass: links beyond the part are unknown', () => {
  const level = { positions: [...floor(0, 20, 0), ...floor(20, 1100, 0.6)] }, end = /** @type {Point} */ ([38, 0.6, 20]);
  const { navMesh } = walkmesh.bake(level, { ...AGENT, tileSize: 256, links: { jump: { maxDistance: 2 } } });
  const levelCause = (/** @type {object} */ more) => explainPath(navMesh, [3, 0, 20], end, { level: { geometry: level, ...more } }).causes.find(({ kind }) => kind === 'step');
  assert.match(String(levelCause({})?.text), /A step of 0\.6 m is too high: agentMaxClimb is 0\.4\. May pass with agentMaxClimb 0\.6/);
  assert.match(String(levelCause({ config: { ...AGENT, tileSize: 256 } })?.text), /Passes with agentMaxClimb 0\.6/);
  navMesh.free();
});

test('a high ledge needs a connection, told with its own measures', () => {
  const { causes, text } = explain({ positions: floor(0, 40, 0), solids: [box(20, 40, 6)] }, [38, 6, 20], {});
  assert.match(text, /A step of 6 m is too high for any agentMaxClimb \(at most half the agent's height\)\. Passes with a connection \(ladder, lift, teleporter\) over [\d.]+ m, (6|5\.9) m up\.$/);
  const [change] = causes[0].changes;
  assert.ok(change.kind === 'connect' && Math.abs(change.length - Math.hypot(...change.start.map((value, axis) => change.end[axis] - value))) < 1e-6);
});

test('limits that only cells break are told so, with the sizes of cells', () => {
  const level = makeRough(283), agent = { ...AGENT, cellSize: 0.3, cellHeight: 0.15, agentRadius: 0.5, agentMaxClimb: 0.5 };
  const { navMesh } = walkmesh.bake(level, { ...agent, links: { drop: { maxHeight: 2 }, jump: { maxDistance: 3 } } });
  const { causes } = explainPath(navMesh, [3, 0.5, 12], [21, 2.5, 12], { level: { geometry: level } });
  const text = causes.map((cause) => cause.text).join('\n');
  assert.match(text, /too (high|narrow|steep) once sizes are rounded to cells: agent/);
  assert.match(text, /(Smaller cells may pass as well: cellSize is 0\.3, cellHeight 0\.15|leave no radius)/);
  navMesh.free();
});

test('the text of explainLink and checkLink is a string, which prints', () => {
  const { navMesh, linkGenerator } = walkmesh.bake({ positions: [...floor(0, 20, 0), ...floor(22, 40, 0)] }, { ...AGENT, links: LINKS }, { keepLinkGenerator: true });
  const links = navMesh.segmentLinks();
  const far = linkGenerator.explainLink([19, 0, 20], [23, 0, 20]);
  assert.equal(typeof Object.getOwnPropertyDescriptor(far, 'text')?.value, 'string');
  for (const ref of links.refs) assert.equal(typeof Object.getOwnPropertyDescriptor(linkGenerator.checkLink(ref), 'text')?.value, 'string');
  linkGenerator.free();
  navMesh.free();
});

test('a link that leads back is one cause, the climb that would lead up another one', () => {
  const { causes } = explain({ positions: floor(0, 40, 0), solids: [box(20, 40, 1.6)] }, [38, 1.6, 20], { links: { ...LINKS, drop: { maxHeight: 3 } } });
  assert.deepEqual(causes.slice(0, 2).map(({ kind }) => kind), ['link', 'one-way']);
});

test('walls of solids are walls: no gap of 0 m, and steps onto solids have figures', () => {
  const wall = explain({ positions: floor(0, 40, 0), solids: [box(20, 20.4, 3)] }, [38, 0, 20], {});
  assert.deepEqual(wall.causes.map(({ text }) => text), ['The solid 0 is in the way. Passes without the solid 0.']);
  const low = explain({ positions: floor(0, 40, 0), solids: [box(20, 40, 0.7)] }, [38, 0.7, 20], {});
  assert.match(low.text, /A step of 0\.7 m is too high: agentMaxClimb is 0\.4\./);
  const round = explain({ positions: floor(0, 40, 0), solids: [{ kind: 'cylinder', base: [30, -1, 20], radius: 12, height: 1.7 }] }, [30, 0.7, 20], {});
  assert.match(round.text, /A step of 0\.7 m is too high/);
});

test('the distance of a place is that to the nearest ground of the end, also over long borders and wide gaps', () => {
  for (const [width, distance] of [[2, 3.2], [6, 7.2], [12, 13.2], [60, 61.2]]) {
    const level = { positions: [...floor(0, 20, 0, 60), ...floor(20 + width, 60 + width, 0, 60)] };
    const { navMesh } = walkmesh.bake(level, AGENT);
    const { places: [place], causes: [cause], text } = explainPath(navMesh, [3, 0, 30], [58 + width, 0, 30]);
    assert.ok(Math.abs(place.distance - distance) < 0.05, `${width}: ${place.distance}`);
    assert.equal(cause.figure, place.distance);
    assert.match(text, /^There is no path\. The mesh ends, /);
    navMesh.free();
  }
});

test('two links by hand in one tile, of which both must change, are tried together and taken back', () => {
  const gaps = [...floor(0, 6, 0, 20), ...floor(8, 14, 0, 20), ...floor(16, 22, 0, 20)];
  const wrong = { start: [[8.8, 0, 8], [8.8, 0, 10]], end: [[5.2, 0, 8], [5.2, 0, 10]], enabled: true };
  const off = { start: [[13.2, 0, 10], [13.2, 0, 8]], end: [[16.8, 0, 10], [16.8, 0, 8]], enabled: false };
  for (const tileSize of [0, 32]) for (const links of [[wrong, off], [off, wrong]]) {
    const { navMesh } = walkmesh.bake({ positions: gaps }, { ...AGENT, tileSize });
    for (const link of links) navMesh.addSegmentLink(/** @type {any} */ ({ kind: 'jump', bidirectional: false, peak: 0.5, ...link }));
    const { causes } = explainPath(navMesh, [2, 0, 10], [20, 0, 10]);
    assert.deepEqual([causes[0].isVerified, causes[0].changes.map(({ kind }) => kind).sort()], [true, ['enable', 'two-way']], `tiles of ${tileSize}`);
    navMesh.free();
  }
});

test('a link that makes a long path much shorter is told with the length it saves: a vault over a fence, a drop from a platform', () => {
  const config = { cellSize: 0.1, cellHeight: 0.1, agentRadius: 0.3, agentHeight: 1.8, agentMaxClimb: 0.4, tileSize: 64 };
  const steps = Array.from({ length: 5 }, (_, i) => /** @type {[number[], number[]]} */ ([[20 - i * 0.8, 0, 4], [20.8 - i * 0.8, 2 - 0.35 * (i + 1), 6]]));
  for (const [kind, boxes, start, end] of /** @type {[string, any[], [number, number, number], [number, number, number]][]} */ ([
    ['vault', [[[0, -0.5, 0], [30, 0, 20]], [[14, 0, 0], [14.2, 1, 12]]], [13.2, 0, 2], [15.5, 0, 2]],
    ['drop', [[[0, -0.5, 0], [30, 0, 20]], [[20.8, 0, 2], [26, 2, 8]], ...steps], [25, 2, 5], [28, 0, 5]],
  ])) {
    const geometry = makeBoxes(boxes);
    const { navMesh } = walkmesh.bake(geometry, config);
    const before = navMesh.findPath(start, end);
    assert.equal(before.status, 'complete', kind);
    const { causes, text } = explainPath(navMesh, start, end, { level: { geometry } });
    navMesh.free();
    const cause = causes.find(({ changes: [change] }) => change.kind === 'links' && change.linkKind === kind);
    const [change] = cause?.changes ?? [];
    assert.ok(cause?.isVerified && change.kind === 'links', `${kind}: ${JSON.stringify(causes)}`);
    assert.match(text, /^The path is [\d.]+ m long, and could be [\d.]+ m shorter\. /);
    const { navMesh: linked } = walkmesh.bake(geometry, { ...config, links: change.links });
    const after = linked.findPath(start, end);
    linked.free();
    assert.ok(Math.abs(before.length - after.length - Number(cause.saves)) < 0.2, `${kind}: ${before.length} to ${after.length}, told ${cause.saves}`);
    assert.ok(Number(cause.saves) > 5, `${kind}: ${cause.saves}`);
  }
});

test('no link is told where a path is long in the open, or where its wall is too high for any', () => {
  const config = { cellSize: 0.1, cellHeight: 0.1, agentRadius: 0.3, agentHeight: 1.8, agentMaxClimb: 0.4 };
  const geometry = makeBoxes([[[0, -0.5, 0], [20, 0, 14]], [[10, 0, 0], [10.3, 4, 12]]]);
  const { navMesh } = walkmesh.bake(geometry, config);
  assert.deepEqual(explainPath(navMesh, [9, 0, 2], [11.5, 0, 2], { level: { geometry } }).causes, []);
  navMesh.free();
});

test('links in explanations: a floor that is missing in the gate of a wall, and a fence in a gate, are told, however short the ways through the wall are', () => {
  const box = (/** @type {number[]} */ min, /** @type {number[]} */ max) => ({ kind: /** @type {const} */ ('box'), min, max });
  const quad = (/** @type {number} */ x0, /** @type {number} */ z0, /** @type {number} */ x1, /** @type {number} */ z1) => [x0, 0, z0, x0, 0, z1, x1, 0, z1, x0, 0, z0, x1, 0, z1, x1, 0, z0];
  const walls = [box([19.7, -1, -1], [20.3, 4, 18.8]), box([19.7, -1, 21.2], [20.3, 4, 41])];
  const config = { cellSize: 0.2, cellHeight: 0.1, agentRadius: 0.4, agentHeight: 1.8, agentMaxClimb: 0.4 };
  const trench = { positions: [...quad(0, 0, 18.8, 40), ...quad(21.2, 0, 40, 40), ...quad(18.8, 0, 21.2, 18.7), ...quad(18.8, 21.3, 21.2, 40)], solids: walls };
  const fence = { positions: quad(0, 0, 40, 40), solids: [...walls, box([19.9, 0, 18.8], [20.1, 1, 21.2])] };
  for (const [level, links, text] of /** @type {const} */ ([
    [trench, undefined, /^There is no path\. A gap of 1\.\d+ m parts the ground\. .*Passes with a connection over 3\.\d+ m\.$/],
    [trench, { jump: { maxDistance: 2 } }, /^There is no path\. A jump of 3\.6 m would lead there: links\.jump\.maxDistance is 2\. Passes with links\.jump\.maxDistance 3\.6\.$/],
    [fence, { vault: { maxHeight: 0.8, maxDepth: 1 } }, /^There is no path\. A vault over 0\.9 m would lead there: links\.vault\.maxHeight is 0\.8\. Passes with links\.vault\.maxHeight 0\.9\.$/],
  ])) {
    const { navMesh } = walkmesh.bake(level, { ...config, links });
    assert.match(explainPath(navMesh, [3, 0, 20], [37, 0, 20], { level: { geometry: level } }).text, text);
    navMesh.free();
  }
});

test('links in explanations: behind a closed door, a setting comes before a kind that is off', () => {
  const quad = (/** @type {number} */ x0, /** @type {number} */ x1, /** @type {number} */ y) => [x0, y, 0, x0, y, 20, x1, y, 20, x0, y, 0, x1, y, 20, x1, y, 0];
  const level = {
    positions: [...quad(0, 20, 0), ...quad(20, 40, 0.8)], solids: [{ kind: /** @type {const} */ ('box'), min: [20, -1, 0], max: [40, 0.8, 20] }],
    volumes: [{ kind: /** @type {const} */ ('box'), min: [9.5, -1, -1], max: [10.5, 3, 21], area: 5 }],
  };
  const { navMesh } = walkmesh.bake(level, { cellSize: 0.2, cellHeight: 0.1, agentRadius: 0.4, agentHeight: 1.8, agentMaxClimb: 0.4 });
  navMesh.createSwitches().addDoor({ name: 'gate', volume: { kind: 'box', min: [9.4, -1, -1], max: [10.6, 3, 21] }, area: 5 }).close();
  const { text, causes } = explainPath(navMesh, [3, 0, 10], [37, 0.8, 10], { level: { geometry: level } });
  assert.equal(text, 'There is no path. The door `gate` is closed. Then a step of 0.8 m is too high: agentMaxClimb is 0.4. Passes with the door `gate` open and with agentMaxClimb 0.8.');
  assert.deepEqual(causes.map(({ kind }) => kind), ['switch', 'step']);
  navMesh.free();
});
