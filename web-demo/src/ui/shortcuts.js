/** Keyboard shortcuts; they work unless the focused element uses the key. */
import { followNumberFields, usesKey } from './key-owner.js';
import { stepBack } from './undo.js';

/** @typedef {import('../app.js').App} App */
/**
 * @typedef {{ keys: string, label: string, group: string, run: () => void, when?: () => boolean }} Shortcut keys: `b`, `ctrl+z`, `shift+?` ...;
 *   when: available; otherwise another shortcut with the same keys runs
 */

/** @param {KeyboardEvent} event */
function nameOf(event) {
  const parts = [];
  if (event.ctrlKey || event.metaKey) parts.push('ctrl');
  if (event.altKey) parts.push('alt');
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  if (event.shiftKey && (parts.length > 0 || key.length > 1)) parts.push('shift');
  return [...parts, key].join('+');
}

export class Shortcuts {
  #app;
  /** @type {Shortcut[]} */
  all = [];

  /** @param {App} app */
  constructor(app) {
    this.#app = app;
  }

  /** @param {Shortcut[]} shortcuts */
  add(...shortcuts) {
    this.all.push(...shortcuts);
  }

  start() {
    const { store, bakes, tools } = this.#app;
    const togglePanel = (/** @type {'left' | 'right'} */ side) => () => this.#app.panels.toggle(side);
    this.add(
      { keys: 'b', label: 'Bake', group: 'Bake', run: () => void bakes.bake() },
      { keys: 'Escape', label: 'Cancel bake', group: 'Bake', run: () => bakes.cancel() },
      { keys: 'ctrl+z', label: 'Undo', group: 'Edit', run: () => stepBack(this.#app, 'undo') },
      { keys: 'ctrl+shift+z', label: 'Redo', group: 'Edit', run: () => stepBack(this.#app, 'redo') },
      { keys: 'ctrl+y', label: 'Redo', group: 'Edit', run: () => stepBack(this.#app, 'redo') },
      { keys: '[', label: 'Left panel', group: 'View', run: togglePanel('left') },
      { keys: ']', label: 'Right panel', group: 'View', run: togglePanel('right') },
      ...tools.kinds.map(({ id, label, shortcut }) => (
        { keys: shortcut, label, group: 'Tools', run: () => store.setView({ tool: id }) })),
    );
    followNumberFields((typed, read) => this.#app.notices.info(`${typed} is read as ${read}`, 'Type a point for decimals.'));
    window.addEventListener('keydown', (event) => {
      // Fields don't use Escape.
      if (event.defaultPrevented || (usesKey(event, false) && event.key !== 'Escape')) return;
      const shortcut = this.all.find(({ keys, when }) => keys === nameOf(event) && (when?.() ?? true));
      if (!shortcut) return;
      event.preventDefault();
      shortcut.run();
    });
  }
}
