/** The dialog with shortcuts, mouse controls and a link to the examples. */
import { html } from 'lit';
import { TOOL_KEYS } from '../tools/tool-keys.js';

/** @typedef {import('../app.js').App} App */

/** Mouse controls where no tool handles the mouse. */
const MOUSE = [
  ['Drag', 'Rotate'], ['Right-drag', 'Pan'], ['Wheel', 'Zoom'], ['Right button + W A S D Q E', 'Fly'], ['Click', 'Use tool'],
  ['Drag a label', 'Change its number'], ['Drop files', 'Open project, level, mesh or configuration'],
];

/** Order of the groups; other groups follow. */
const GROUPS = ['Bake', 'Edit', 'View', 'Tools', 'Save'];

/** Names printed on the keys. @type {Record<string, string>} */
const KEY_NAMES = { ctrl: 'Ctrl', shift: 'Shift', alt: 'Alt', Escape: 'Esc', Delete: 'Del', ArrowLeft: '←', ArrowRight: '→', ArrowUp: '↑', ArrowDown: '↓', ' ': 'Space' };

/** On a Mac the command key replaces Ctrl. */
const isMac = /Mac|iPad|iPhone/.test(globalThis.navigator?.platform ?? '');

/** Splits a shortcut into keys. @param {string} keys such as `ctrl+shift+z` */
export function keyNames(keys) {
  const parts = keys === '+' ? ['+'] : keys.split('+');
  return parts.map((part) => (part === 'ctrl' && isMac ? '⌘' : KEY_NAMES[part] ?? (part.length === 1 ? part.toUpperCase() : part)));
}

/** @param {string} keys */
const drawKeys = (keys) => html`<span class="keys">${keyNames(keys).map((name) => html`<kbd>${name}</kbd>`)}</span>`;

/** Groups shortcuts; shortcuts with the same label share a row. @param {readonly { keys: string, label: string, group: string }[]} shortcuts */
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
    <wa-dialog class="help-dialog" label="Shortcuts" ?open=${isOpen} light-dismiss
      @wa-after-hide=${(/** @type {Event} */ event) => event.target === event.currentTarget && close()}>
      ${isOpen ? html`<div class="key-groups">
        ${groupShortcuts([...app.shortcuts.all, ...TOOL_KEYS]).map(({ group, rows }) => html`
          <section><h3>${group}</h3><dl>${rows.map(([label, all]) => html`<dt>${label}</dt><dd>${all.map(drawKeys)}</dd>`)}</dl></section>`)}
        <section><h3>Mouse</h3><dl>${MOUSE.map(([what, does]) => html`<dt>${does}</dt><dd>${what}</dd>`)}</dl></section>
      </div>
      <p class="quiet">Keys work wherever the focus is, except in text fields. <a href="./examples/index.html">Library examples</a></p>` : ''}
    </wa-dialog>`;
}
