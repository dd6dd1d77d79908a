/** Progress of the layers that are being drawn: in the corner of the view, in the legend and in the layer's row. */
import { html, nothing } from 'lit';
import { activeView } from './views.js';

/** @typedef {import('../app.js').App} App */

/** Milliseconds after which a drawing that isn't finished is shown in the corner: most are done sooner. */
const PATIENCE = 400;

/** A share in percent; 100 only for all of it. @param {number} share */
export const percent = (share) => `${Math.min(99, Math.floor(100 * share))} %`;

/** The name and share of what is being drawn: of the layer, or of the view if several layers are. @param {App} app */
export function describeDrawing(app) {
  const pending = app.layers.pending;
  if (pending.length === 0) return null;
  const name = activeView(app)?.label ?? (pending.length === 1 ? pending[0].label : `${pending.length} layers`);
  return { name, share: Math.min(...pending.map(({ share }) => share)) };
}

/** Adds the note in the corner of the view; a screen reader says it once for each drawing. @param {App} app */
export function addDrawingNote(app) {
  /** Name of the drawing in progress, and when it began. */
  let [name, since] = ['', 0];
  app.panels.addOverlay('drawing', () => {
    const drawing = describeDrawing(app);
    if (drawing?.name !== name) [name, since] = [drawing?.name ?? '', performance.now()];
    const isShown = drawing !== null && performance.now() - since > PATIENCE;
    return html`
      <p class="hidden-text drawing-status" role="status">${isShown ? `Drawing ${drawing.name}` : ''}</p>
      ${isShown ? html`<div class="drawing-note numbers" aria-hidden="true" style="--share: ${percent(drawing.share)}">${drawing.name}: ${percent(drawing.share)}</div>` : nothing}`;
  });
}
