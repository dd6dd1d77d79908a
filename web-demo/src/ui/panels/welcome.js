/** The card of the first visit: how to open a level, what the colours mean, and where to click. */
import { html, nothing } from 'lit';
import { VIEWS, applyView } from '../../layers/views.js';
import { icon } from '../icon.js';
import { say } from '../touch.js';

/** @typedef {import('../../app.js').App} App */

const STORED = 'walkmesh-welcome';

/** True if this browser has shown the card before, or has no storage. */
function wasSeen() {
  try {
    return localStorage.getItem(STORED) !== null;
  } catch {
    return true;
  }
}

/** Remembers that the card was closed. */
function remember() {
  try {
    localStorage.setItem(STORED, 'closed');
  } catch {
    // Without storage the card stays closed until a reload, and isn't shown then.
  }
}

/** Colours of the result, as the view panel names them. */
const COLORS = [['#1fb5a8', 'Walkable'], ['#0b3b46', 'Edge of the mesh'], ['#b9b2a6', 'Grey ground: not walkable']];

/** @param {App} app @param {() => void} close */
const drawCard = (app, close) => html`
  <section class="welcome" aria-labelledby="welcome-title">
    <h2 id="welcome-title">Start here</h2>
    <button class="plain" aria-label="Close introduction" @click=${close}>${icon('x')}</button>
    <div class="step">${icon('upload')}<h3>Drop your level</h3><p>OBJ, GLB or glTF, anywhere on the page. It stays in this browser.</p>
      <wa-button size="s" appearance="outlined" @click=${() => app.levels.pick()}>Open file</wa-button></div>
    <div class="step">${icon('palette')}<h3>Read the colours</h3>
      <ul>${COLORS.map(([color, label]) => html`<li><i style="background:${color}"></i>${label}</li>`)}</ul></div>
    <div class="step">${icon('crosshair')}<h3>${say('Click grey ground')}</h3><p>Hear why agents can't walk there.</p>
      <wa-button size="s" appearance="outlined" @click=${() => {
        applyView(app, VIEWS[1]);
        close();
      }}>Show all reasons</wa-button></div>
  </section>`;

/** @param {App} app */
export function addWelcome(app) {
  // An address with a state comes from a link, which shows something else.
  let isOpen = location.hash.length <= 1 && !wasSeen();
  const close = () => {
    isOpen = false;
    remember();
    app.panels.refresh();
  };
  app.panels.addOverlay('welcome', () => (isOpen ? drawCard(app, close) : nothing));
  if (!isOpen) return;
  const { name } = app.store.state.document.level;
  app.store.subscribe(({ document: { level } }) => {
    if (isOpen && level.name !== name) close();
  });
}
