/** The dialog with keys and the mouse, and where to learn more. */
import { html } from 'lit';

/** @typedef {import('../app.js').App} App */

/** What the mouse does, wherever no tool takes it. */
const MOUSE = [
  ['Drag', 'Turn the view'], ['Right-drag', 'Move the view'], ['Wheel', 'Come closer, go away'], ['Click', 'What the tool in hand does'],
  ['Drop files', 'Open a level, a mesh or a configuration'],
];

/** Order of the groups; others follow. */
const GROUPS = ['Bake', 'Edit', 'View', 'Tools', 'Keep'];

/** Names of keys as they are printed on them. @type {Record<string, string>} */
const KEY_NAMES = { ctrl: 'Ctrl', shift: 'Shift', alt: 'Alt', Escape: 'Esc', Delete: 'Del', ArrowLeft: '←', ArrowRight: '→', ArrowUp: '↑', ArrowDown: '↓', ' ': 'Space' };

/** On a Mac the key with the clover does what Ctrl does elsewhere. */
const isMac = /Mac|iPad|iPhone/.test(globalThis.navigator?.platform ?? '');

/** The parts of a shortcut as keys. @param {string} keys such as `ctrl+shift+z` */
export function keyNames(keys) {
  const parts = keys === '+' ? ['+'] : keys.split('+');
  return parts.map((part) => (part === 'ctrl' && isMac ? '⌘' : KEY_NAMES[part] ?? (part.length === 1 ? part.toUpperCase() : part)));
}

/** @param {string} keys */
const drawKeys = (keys) => html`<span class="keys">${keyNames(keys).map((name) => html`<kbd>${name}</kbd>`)}</span>`;

/** Shortcuts by group; those of one name together. @param {readonly { keys: string, label: string, group: string }[]} shortcuts */
export function groupShortcuts(shortcuts) {
  const names = [...new Set([...GROUPS, ...shortcuts.map(({ group }) => group)])];
  return names.map((group) => {
    /** @type {Map<string, string[]>} */
    const rows = new Map();
    for (const { keys, label } of shortcuts.filter((shortcut) => shortcut.group === group)) rows.set(label, [...rows.get(label) ?? [], keys]);
    return { group, rows: [...rows] };
  }).filter(({ rows }) => rows.length > 0);
}

/** @param {App} app @param {{ isOpen: boolean, close: () => void }} options */
export function helpDialog(app, { isOpen, close }) {
  return html`
    <wa-dialog class="help-dialog" label="Keys and mouse" ?open=${isOpen} light-dismiss
      @wa-after-hide=${(/** @type {Event} */ event) => event.target === event.currentTarget && close()}>
      ${isOpen ? html`<div class="key-groups">
        ${groupShortcuts(app.shortcuts.all).map(({ group, rows }) => html`
          <section><h3>${group}</h3><dl>${rows.map(([label, all]) => html`<dt>${label}</dt><dd>${all.map(drawKeys)}</dd>`)}</dl></section>`)}
        <section><h3>Mouse</h3><dl>${MOUSE.map(([what, does]) => html`<dt>${does}</dt><dd>${what}</dd>`)}</dl></section>
      </div>
      <p class="quiet">Keys work wherever the cursor is not in a field. <a href="./examples/index.html">Small examples of the library</a></p>` : ''}
    </wa-dialog>`;
}
