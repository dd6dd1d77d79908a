// Words of the level tool: help is one short sentence, labels are a few words, texts of levels promise what is there.
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { load } from '../../js/index.js';
import { parseObj } from '../../js/level/index.js';
import { FIELD_GROUPS } from '../../web-demo/src/bake/config-table.js';
import { VIEWS } from '../../web-demo/src/layers/views.js';
import { findScene } from '../../web-demo/src/level/scenes.js';
import { defaultToolConfig } from '../../web-demo/src/state/document.js';
import { withPanelNames } from '../../web-demo/src/tools/cause-labels.js';
import { forFingers } from '../../web-demo/src/ui/touch.js';
import { snapOffset } from '../../web-demo/src/edit/shapes.js';

const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const SOURCE = join(ROOT, 'web-demo', 'src');
const sources = readdirSync(SOURCE, { recursive: true }).map(String).filter((name) => name.endsWith('.js'))
  .map((name) => ({ name, text: readFileSync(join(SOURCE, name), 'utf8') }));

test('help of the tool is at most 80 characters, and starts with no "what" or "who"', () => {
  const helps = sources.flatMap(({ name, text }) => [...text.matchAll(/\b(?:hint|help): '([^']+)'/g)].map(([, help]) => ({ name, help })))
    .concat(FIELD_GROUPS.flatMap(({ fields }) => fields.map(({ name, help }) => ({ name, help }))));
  assert.ok(helps.length > 60, `${helps.length}`);
  for (const { name, help } of helps) {
    assert.ok(help.length <= 80, `${name}: ${help.length} characters: ${help}`);
    assert.doesNotMatch(help, /^(what|who|whoever)\b/i, `${name}: ${help}`);
  }
});

test('on touch, help says tap, and nothing about keys', () => {
  const hints = sources.flatMap(({ text }) => [...text.matchAll(/'((?:Click|Drag|Double-click)[^']+)'/g)].map(([, hint]) => hint));
  assert.ok(hints.length > 20, `${hints.length}`);
  for (const hint of hints) {
    const said = forFingers(hint);
    assert.ok(said.length > 8, hint);
    assert.doesNotMatch(said, /click|\b(Esc|Shift|Enter|Delete|Backspace|Page|Hold|Hover)\b/i, hint);
  }
  assert.equal(forFingers('Click the start, then the end. Esc cancels.'), 'Tap the start, then the end.');
  assert.equal(forFingers('Click to place the shape. Drag an obstacle to move it; Delete deletes it.'), 'Tap to place the shape. Drag an obstacle to move it.');
});

test('labels of fields and views have at most three words', () => {
  for (const label of [...FIELD_GROUPS.flatMap(({ fields }) => fields.map((field) => field.label)), ...VIEWS.map((view) => view.label)]) {
    assert.ok(label.split(' ').length <= 3, label);
  }
});

test('the text of the islands promises no platforms that are not there: it says how to keep the small tops', async () => {
  const walkmesh = await load();
  const level = parseObj(new Uint8Array(readFileSync(join(ROOT, 'tests', 'scenes', 'islands.obj'))));
  const islandsWith = (/** @type {object} */ patch) => {
    const { navMesh } = walkmesh.bakeDynamic(level, { ...defaultToolConfig(), ...patch });
    const islands = navMesh.islands();
    const { count } = islands;
    islands.free();
    navMesh.free();
    return count;
  };
  const { text } = /** @type {{ text: string }} */ (findScene('islands'));
  assert.doesNotMatch(text, /platform/);
  assert.match(text, /lower the min island size to keep the small tops/);
  assert.ok(islandsWith({ minRegionSize: 0 }) > 2 * islandsWith({}), 'and that is true');
});

test('an offset is changed so that the position lands on the grid, along the ground only', () => {
  assert.deepEqual(snapOffset([12.2, 0.3, 7], [1, 0.25, -2.4], 1), [0.8, 0.25, -2]);
  assert.deepEqual(snapOffset([12.2, 0.3, 7], [1, 0.25, -2.4], 0), [1, 0.25, -2.4]);
});

test('causes of a path have the labels of the panels, not names of the library', () => {
  for (const [text, expected] of [
    ['A passage of 0.7 m is too narrow: agentRadius is 0.4. Passes with agentRadius 0.2.', 'A passage of 0.7 m is too narrow: agent radius is 0.4. Passes with agent radius 0.2.'],
    ["A drop of 1.5 m is too deep for any agentMaxClimb (at most half the agent's height).", "A drop of 1.5 m is too deep for any max step height (at most half the agent's height)."],
    ['A drop of 1.5 m would lead there: links.drop is off. Passes with links.drop.maxHeight 1.51.', 'A drop of 1.5 m would lead there: drop is off in Links. Passes with drop height 1.51.'],
    ['A jump of 3.2 m would lead there: links.jump.maxDistance is 2. Passes with links.jump.maxDistance 3.2.', 'A jump of 3.2 m would lead there: jump distance is 2. Passes with jump distance 3.2.'],
    ['Smaller cells pass as well: cellSize 0.05 with cellHeight 0.05.', 'Smaller cells pass as well: cell size 0.05 with cell height 0.05.'],
    ['The search ended at its limit: maxNodes is 10. Passes with maxNodes 40.', 'The search ended at its limit: search limit is 10. Passes with search limit 40.'],
  ]) assert.equal(withPanelNames(text), expected);
});
