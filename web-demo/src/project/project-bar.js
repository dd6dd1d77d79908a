/** The project menu in the bar. */
import { html } from 'lit';
import { icon } from '../ui/icon.js';
import './project.css';

/** @param {import('../app.js').App} app */
export function addProjectBar(app) {
  const select = (/** @type {any} */ event) => {
    const { value } = event.detail.item;
    if (value === 'open') app.levels.pick();
    else void app.projects.save({ withLevel: value === 'with-level' });
  };
  const item = (/** @type {string} */ value, /** @type {string} */ label, /** @type {string} */ hint, /** @type {string} */ name, isOff = false) => html`
    <wa-dropdown-item value=${value} ?disabled=${isOff}>${icon(name, 'icon')}<span class="export-label">${label}</span><span class="export-hint">${hint}</span></wa-dropdown-item>`;
  app.panels.addBarItem({
    id: 'project', zone: 'end',
    render: ({ document: { level } }) => {
      const { isDirty } = app.projects;
      return html`
        <wa-dropdown class="export-menu project-menu" placement="bottom-end" @wa-select=${select}>
          <wa-button slot="trigger" size="s" appearance="outlined" with-caret title=${isDirty ? 'Unsaved changes: this browser keeps a copy' : 'Project'}>
            <span class="bar-icon">${icon('save')}</span><span class="bar-word">Project</span>${isDirty ? html`<span class="unsaved" role="img" aria-label="unsaved changes"></span>` : ''}</wa-button>
          ${item('save', 'Save project', "Everything placed and set, without the level's file", 'save')}
          ${item('with-level', 'Save with level', level.kind === 'file' ? `Includes ${level.name}` : 'Bundled levels need no file', 'save', level.kind !== 'file')}
          ${item('open', 'Open', 'Project, level, mesh or configuration', 'folder-open')}
        </wa-dropdown>`;
    },
  });
}
