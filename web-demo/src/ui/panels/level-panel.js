/** Which level is open. */
import { html } from 'lit';
import { icon } from '../icon.js';

/** @param {import('../../app.js').App} app */
export function addLevelPanel(app) {
  app.panels.addBarItem({
    id: 'level', zone: 'start',
    render: () => html`<span class="brand"><img src="./icon.svg" alt="" width="24" height="24">Walkmesh</span>`,
  });
  app.panels.addSection({
    id: 'level', side: 'left', title: 'Level',
    render: ({ document }) => html`
      <wa-select size="s" label="Scene" .value=${document.level.name}
        @change=${(/** @type {any} */ event) => app.store.edit('open level', (draft) => { draft.level = { kind: 'scene', name: event.target.value }; })}>
        ${['city', 'caves', 'maze', 'stairs', 'terrain', 'tower', 'plaza', 'islands', 'holes'].map((name) => html`<wa-option value=${name}>${name}</wa-option>`)}
      </wa-select>
      <wa-button size="s">${icon('folder-open', 'start')}Open a file</wa-button>`,
  });
}
