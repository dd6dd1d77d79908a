/** Undo, redo and theme. */
import { html } from 'lit';
import { icon } from '../icon.js';
import { stepBack } from '../undo.js';

const THEMES = /** @type {const} */ (['system', 'light', 'dark']);
const THEME_ICONS = { system: 'monitor', light: 'sun', dark: 'moon' };

/** @param {import('../../app.js').App} app */
export function addEditBar(app) {
  const { store } = app;
  app.panels.addBarItem({
    id: 'edit', zone: 'end',
    render: ({ view: { theme } }) => html`
      <button class="plain" aria-label="Undo" ?disabled=${!store.undoLabel} title=${store.undoLabel ? `Undo: ${store.undoLabel}` : 'Nothing to undo'}
        @click=${() => stepBack(app, 'undo')}>${icon('undo-2')}</button>
      <button class="plain" aria-label="Redo" ?disabled=${!store.redoLabel} title=${store.redoLabel ? `Redo: ${store.redoLabel}` : 'Nothing to redo'}
        @click=${() => stepBack(app, 'redo')}>${icon('redo-2')}</button>
      <button class="plain" aria-label="Theme: ${theme}" title="Theme: ${theme}"
        @click=${() => store.setView({ theme: THEMES[(THEMES.indexOf(theme) + 1) % 3] })}>${icon(THEME_ICONS[theme])}</button>`,
  });
}
