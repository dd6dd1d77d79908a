// Accessibility of the level tool: names of all controls, contrast, screen sizes, themes, keys.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ROOT } from './harness.js';
import { withTool } from './tool.js';

const axe = readFileSync(join(ROOT, 'node_modules', 'axe-core', 'axe.min.js'), 'utf8');

/** A theme only changes contrast: names, roles and the other rules are checked once. */
const RULES = { dark: { type: 'tag', values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'best-practice'] }, light: { type: 'rule', values: ['color-contrast'] } };

/**
 * The violations that axe finds: rule, element, and message.
 * @param {import('playwright-core').Page} page @param {{ type: string, values: string[] }} rules @param {string} [part] of the page: a selector
 * @returns {Promise<string[]>}
 */
async function audit(page, rules, part = 'html') {
  if (!await page.evaluate("'axe' in window")) await page.evaluate(axe);
  return page.evaluate(async ({ selector, runOnly }) => {
    const { violations } = await /** @type {any} */ (window).axe.run(selector, { runOnly, resultTypes: ['violations'] });
    return violations.flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')}: ${failureSummary.split('\n').slice(1, 3).join(' ')}`));
  }, { selector: part, runOnly: rules });
}

/** Boxes of the elements that must not overlap, by name; hidden elements have none. @param {import('playwright-core').Page} page */
const boxesOf = (page) => page.evaluate(() => {
  const parts = { bar: '.bar', left: '.panel.left', right: '.panel.right', rail: '.rail', status: '.status' };
  return Object.entries(parts).flatMap(([name, selector]) => {
    const { left, top, right, bottom } = /** @type {Element} */ (document.querySelector(selector)).getBoundingClientRect();
    return right > left && bottom > top ? [{ name, left, top, right, bottom }] : [];
  });
});

/** Elements whose text is cut off, or that exceed their parent. @param {import('playwright-core').Page} page */
const cutOff = (page) => page.evaluate(() => [...document.querySelectorAll('.bar *, .rail, .rail *, .panel h2, .panel label')].flatMap((element) => {
  const { left, right, top, bottom, width } = element.getBoundingClientRect();
  if (width === 0 || element.closest('wa-dropdown > wa-dropdown-item')) return [];
  const home = /** @type {Element} */ (element.closest('.bar, .stage, .panel')).getBoundingClientRect();
  const isOut = left < home.left - 1 || right > home.right + 1 || (element.closest('.bar, .rail') && (top < home.top - 1 || bottom > home.bottom + 1));
  return isOut ? [`${element.localName} ${element.getAttribute('aria-label') ?? element.textContent?.trim().slice(0, 30)}`] : [];
}));

for (const [width, height] of [[1440, 900], [1024, 768]]) { // phones: tool-first-look.test.js
  test(`at ${width} x ${height} nothing lies on anything else, and nothing is cut off`, () => withTool({ size: { width, height } }, async (page) => {
    const boxes = await boxesOf(page);
    assert.deepEqual(boxes.map(({ name }) => name), width < 1200 ? ['bar', 'right', 'rail', 'status'] : ['bar', 'left', 'right', 'rail', 'status']);
    for (const a of boxes) {
      assert.ok(a.left >= 0 && a.top >= 0 && a.right <= width && a.bottom <= height, `${a.name} is on the page`);
      for (const b of boxes) {
        if (a.name >= b.name) continue;
        assert.ok(a.right <= b.left + 1 || b.right <= a.left + 1 || a.bottom <= b.top + 1 || b.bottom <= a.top + 1, `${a.name} and ${b.name} overlap`);
      }
    }
    assert.deepEqual(await cutOff(page), []);
    if (width < 1200) {
      await page.getByRole('button', { name: 'Left panel' }).click();
      assert.deepEqual((await boxesOf(page)).map(({ name }) => name), ['bar', 'left', 'rail', 'status']);
      assert.deepEqual(await cutOff(page), []);
    }
  }));
}

/** The panel with the fields of the active tool. */
const TOOL_PANEL = 'section[aria-labelledby=title-tool]';

for (const theme of /** @type {const} */ (['dark', 'light'])) {
  test(`${theme}: every control has a name and every text its contrast, with every tool and in the dialogs`, () => withTool({
    view: { theme }, milliseconds: 120_000,
  }, async (page, tool) => {
    /** All violations, each with the place where it was first seen. @type {Map<string, string>} */
    const wrong = new Map();
    const look = async (/** @type {string} */ where, /** @type {string | undefined} */ part) => {
      for (const problem of await audit(page, RULES[theme], part)) if (!wrong.has(problem)) wrong.set(problem, where);
    };
    assert.ok(await page.evaluate((name) => document.documentElement.classList.contains(`wa-${name}`), theme));
    await look('the page', undefined);
    for (const id of await tool.read('app.tools.kinds.map(({ id }) => id)')) {
      await page.evaluate((chosen) => /** @type {any} */ (window).walkmeshTool.store.setView({ tool: chosen }), id);
      await tool.rest();
      await look(id, TOOL_PANEL);
    }
    for (const name of ['Shortcuts', 'Bake code']) {
      await page.getByRole('button', { name }).click();
      await page.getByRole('dialog').waitFor();
      // Contrast is checked once the dialog, whose parts move in its shadow tree, has been at rest for two frames.
      await page.waitForFunction(async () => {
        const dialog = document.querySelector('wa-dialog[open]');
        const isMoving = () => [document, dialog?.shadowRoot].some((root) => (root?.getAnimations() ?? []).some(({ playState }) => playState === 'running'));
        for (let frame = 0; frame < 2; frame++) {
          await new Promise(requestAnimationFrame);
          if (!dialog || isMoving()) return false;
        }
        return true;
      });
      await tool.rest();
      await look(name, 'wa-dialog[open]');
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'hidden' });
    }
    assert.deepEqual([...wrong].map((entry) => entry.reverse().join(': ')), []);
  }));
}

test('everything can be reached by the Tab key, is marked when it is, and comes in the order of the page', () => withTool({}, async (page) => {
  const seen = new Set();
  await page.evaluate(() => /** @type {HTMLElement} */ (document.activeElement)?.blur());
  for (let i = 0; i < 150; i++) {
    await page.keyboard.press('Tab');
    const focused = await page.evaluate(() => {
      let element = document.activeElement;
      if (!element || element === document.body) return null;
      const host = element;
      while (element.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
      const { outlineStyle, boxShadow } = getComputedStyle(element);
      const isMarked = outlineStyle !== 'none' || boxShadow !== 'none' || element.closest('.entry, .point label') !== null
        || getComputedStyle(host).outlineStyle !== 'none' || /** @type {any} */ (host).matches(':focus-visible');
      return { name: host.getAttribute('aria-label') ?? host.textContent?.trim().slice(0, 40) ?? '', tag: host.localName, isMarked };
    });
    if (!focused) break;
    assert.ok(focused.isMarked, `${focused.tag} ${focused.name} shows that it has the focus`);
    seen.add(focused.name);
  }
  for (const name of ['Left panel', 'Export', 'Copy link', 'Shortcuts', 'Right panel', 'Inspect']) {
    assert.ok([...seen].some((text) => text.startsWith(name)), `${name} is reached: ${[...seen].join(' | ')}`);
  }
}));

/** The contrast of the text and of the border of a button to its background, by WCAG 2. */
const contrastsOf = (/** @type {import('playwright-core').Page} */ page, /** @type {string} */ selector) => page.evaluate((wanted) => {
  const context = /** @type {CanvasRenderingContext2D} */ (Object.assign(document.createElement('canvas'), { width: 1, height: 1 }).getContext('2d', { willReadFrequently: true }));
  const lightOf = (/** @type {string} */ color) => {
    context.fillStyle = color;
    context.fillRect(0, 0, 1, 1);
    const [r, g, b] = [...context.getImageData(0, 0, 1, 1).data].map((value) => (value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const host = /** @type {Element} */ (document.querySelector(wanted));
  const { color, borderTopColor } = getComputedStyle(/** @type {any} */ (host).shadowRoot.querySelector('[part~=base]'));
  const back = lightOf(getComputedStyle(/** @type {Element} */ (document.querySelector('.bar'))).backgroundColor);
  return [color, borderTopColor].map((each) => (Math.max(lightOf(each), back) + 0.05) / (Math.min(lightOf(each), back) + 0.05));
}, selector);

test('buttons in the bar do not look disabled, in either theme', () => withTool({}, async (page, tool) => {
  for (const theme of ['light', 'dark']) {
    await page.evaluate((name) => /** @type {any} */ (window).walkmeshTool.store.setView({ theme: name }), theme);
    await page.waitForFunction((name) => document.documentElement.classList.contains(`wa-${name}`), theme);
    let [text, border] = [1, 1];
    // The colours change within some frames.
    for (let round = 0; round < 20 && !(text > 9 && border > 3); round++) {
      await tool.frames(4);
      [text, border] = await contrastsOf(page, '.export-menu [slot=trigger]');
    }
    assert.ok(text > 9 && border > 3, `${theme}: text ${text.toFixed(1)}, border ${border.toFixed(1)}`);
  }
}));

test('the theme follows the system until one is chosen', () => withTool({}, async (page) => {
  const isDark = () => page.evaluate("document.documentElement.classList.contains('wa-dark')");
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.waitForFunction("document.documentElement.classList.contains('wa-dark')");
  await page.emulateMedia({ colorScheme: 'light' });
  await page.waitForFunction("document.documentElement.classList.contains('wa-light')");
  await page.getByRole('button', { name: 'Theme: system' }).click();
  await page.getByRole('button', { name: 'Theme: light' }).click();
  await page.getByRole('button', { name: 'Theme: dark' }).waitFor();
  assert.ok(await isDark());
  const background = await page.evaluate('window.walkmeshTool.viewport.scene.background.getHexString()');
  await page.getByRole('button', { name: 'Theme: dark' }).click();
  await page.waitForFunction((before) => /** @type {any} */ (window).walkmeshTool.viewport.scene.background.getHexString() !== before, background);
}));
