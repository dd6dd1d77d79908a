/** The dialog with the code that repeats the bake. */
import { html } from 'lit';
import { icon } from '../ui/icon.js';
import { copyText } from './clipboard.js';
import { download, levelFileOf } from './exports.js';
import { levelObj } from './level-file.js';
import { commandSnippet, javaScriptSnippet } from './snippet.js';

/** @typedef {import('../app.js').App} App */

/** @param {App} app */
function downloadLevel(app) {
  const level = app.levels.current;
  if (level) download(levelFileOf(app).replace(/\.\w+$/, '.obj'), levelObj(level), 'text/plain');
}

/** @param {App} app @param {{ isOpen: boolean, close: () => void }} options */
export function codeDialog(app, { isOpen, close }) {
  // Pinned links that are generated need no code.
  const document = { ...app.store.state.document, pinnedLinks: app.links.pinnedInMesh };
  const { current } = app.levels;
  const level = { file: levelFileOf(app), triangles: current?.triangles };
  const kinds = isOpen ? [
    { id: 'javascript', label: 'JavaScript', text: javaScriptSnippet(document, level) },
    { id: 'command', label: 'Command line', text: commandSnippet(document, level) },
  ] : [];
  return html`
    <wa-dialog class="code-dialog" label="Bake code" ?open=${isOpen} light-dismiss
      @wa-after-hide=${(/** @type {Event} */ event) => event.target === event.currentTarget && close()}>
      <wa-tab-group>
        ${kinds.map(({ id, label }) => html`<wa-tab panel=${id}>${label}</wa-tab>`)}
        ${kinds.map(({ id, label, text }) => html`
          <wa-tab-panel name=${id}>
            <div class="code">
              <pre tabindex="0" aria-label=${label}>${text}</pre>
              <wa-button size="s" appearance="filled-outlined" @click=${() => void copyText(app, text, `${label} copied`)}>${icon('copy', 'start')}Copy</wa-button>
            </div>
          </wa-tab-panel>`)}
      </wa-tab-group>
      <p class="quiet">The code reads <code>${level.file}</code>.
        ${current?.areas ? 'Use your own file: its areas are lost in a download.' // OBJ has none
    : html`<button class="text-link" ?disabled=${!current} @click=${() => downloadLevel(app)}>Download level</button>`}</p>
    </wa-dialog>`;
}
