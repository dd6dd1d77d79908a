/** The level panel: the open level and the bundled levels. */
import { html, nothing } from 'lit';
import { live } from 'lit/directives/live.js';
import { ImportStrip } from '../../level/import-strip.js';
import { findScene } from '../../level/scenes.js';
import { factList } from '../fields.js';
import { icon } from '../icon.js';
import '../../level/level.css';

/** @typedef {import('../../app.js').App} App */
/** @typedef {import('../../state/document.js').State} State */

/** Size on x, y and z. @param {{ min: number[], max: number[] }} bounds */
const sizeOf = ({ min, max }) => max.map((value, axis) => Number((value - min[axis]).toPrecision(3))).join(' × ');

/** Prefix of the open file in the level list. */
const FILE = 'file:';

/** @param {App} app @param {State} state */
function drawChoice(app, { document: { level } }) {
  const isFile = level.kind === 'file';
  const choose = (/** @type {any} */ event) => {
    const { value } = event.target;
    if (!value.startsWith(FILE)) app.levels.openScene(value);
  };
  return html`
    <div class="field level-choice">
      <label for="level">Level</label>
      <span class="entry"><select id="level" @change=${choose}>
        ${isFile ? html`<option value=${FILE + level.name} .selected=${live(true)}>${level.name}</option>` : nothing}
        ${app.levels.scenes.map(({ name, label }) => html`<option value=${name} .selected=${live(!isFile && name === level.name)}>${label}</option>`)}
      </select></span>
    </div>`;
}

/** @param {State} state */
function describeLevel({ document: { level }, session }) {
  if (session.missing) return html`<p class="quiet" role="status">This browser doesn't have ${session.missing}. Open it, or choose another level.</p>`;
  return html`<p class="quiet">${level.kind === 'scene' ? findScene(level.name)?.text ?? '' : 'Your file stays in this browser; nothing is uploaded.'}</p>`;
}

/** Progress of loading, above the view. @param {App} app @param {State} state */
function drawLoading(app, { session: { loading } }) {
  if (!loading) return nothing;
  const { name, step, share } = loading;
  return html`
    <div class="loading" role="status">
      <span>${step} ${name}</span>
      <wa-progress-bar label="Loading" ?indeterminate=${share === null} .value=${100 * (share ?? 0)}></wa-progress-bar>
      <button class="plain" aria-label="Cancel loading" title="Cancel" @click=${() => app.levels.cancel()}>${icon('x')}</button>
    </div>`;
}

/** @param {App} app */
export function addLevelPanel(app) {
  app.panels.addBarItem({
    id: 'level', zone: 'start',
    render: () => html`<h1 class="brand"><img src="./icon.svg" alt="" width="24" height="24"><span>Walkmesh</span></h1>`,
  });
  const strip = new ImportStrip(app);
  app.panels.addOverlay('loading', (state) => drawLoading(app, state));
  app.panels.addSection({
    id: 'level', side: 'left', title: 'Level',
    render: (state) => {
      const { level } = state.session;
      return html`
        ${drawChoice(app, state)}
        ${describeLevel(state)}
        ${level ? factList([['Triangles', level.triangles.toLocaleString('en')], ['Size', sizeOf(level.bounds)]]) : nothing}
        <div class="open-file">
          <wa-button size="s" appearance="outlined" @click=${() => app.levels.pick()}>${icon('folder-open', 'start')}Open file</wa-button>
          <span class="quiet small">OBJ, GLB or glTF. Or drop files on the page.</span>
        </div>
        ${state.document.level.kind === 'file' ? html`
          <button class="text-link import-link" @click=${() => strip.open()}>Import: unit, up axis, scale</button>` : nothing}`;
    },
  });
}
