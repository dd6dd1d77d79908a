/** The tool for off-mesh connections (ladders, jumps, teleporters): two clicks draw one; each can be enabled and disabled. */
import { html, nothing } from 'lit';
import { numberField, pointField, switchField } from '../ui/fields.js';
import { say } from '../ui/touch.js';
import { END, START } from '../view/colors.js';
import { JUMP } from './areas.js';
import { DrawnItem } from './drawn-item.js';
import { Editor } from './editor.js';
import { areaField, chooser, itemButtons, itemError, itemList } from './item-panels.js';
import { surfaceAt } from './place-shape.js';

/** @typedef {import('../app.js').App} App */
/** @typedef {import('../tools/tools.js').Tool} Tool */
/** @typedef {import('./shapes.js').Point} Point */

/** @type {import('../tools/tools.js').ToolKind} */
export const connectionsTool = {
  id: 'connections', label: 'Connections', icon: 'spline', shortcut: 'j', group: 'edit',
  hint: 'Click the start, then the end. Click an arc to select it; drag its ends.',
  create: (app) => new ConnectionsTool(app),
};

/** Radius of the ends of new connections. @param {App} app */
function endRadius({ store }) {
  const { agentRadius, cellSize } = store.state.document.config;
  return Math.round(Math.max(agentRadius, 2 * cellSize) * 100) / 100;
}

/** Adds a connection between two points of the mesh, in both directions. @param {App} app @param {{ start: Point, end: Point }} ends */
export function connect(app, { start, end }) {
  app.store.commit();
  app.store.setView({ tool: 'connections' });
  app.edits.add('connection', { start, end, radius: endRadius(app), enabled: true, bidirectional: true, area: JUMP });
}

/** @implements {Tool} */
class ConnectionsTool {
  #app;
  #isDrawing = true;
  /** Start of the connection being drawn. @type {Point | null} */
  #start = null;
  /** @type {DrawnItem | null} */
  #preview = null;
  /** Settings of new connections. */
  #defaults = { bidirectional: true, area: JUMP };

  /** @param {App} app */
  constructor(app) {
    this.#app = app;
    this.editor = new Editor(app, 'connection');
  }

  activate() {}

  deactivate() {
    this.#cancel();
  }

  #cancel() {
    this.#start = null;
    this.#showPreview(null);
    this.#app.panels.refresh();
  }

  get #radius() {
    return endRadius(this.#app);
  }

  /** @param {Point | null} end */
  #showPreview(end) {
    this.#preview?.dispose();
    this.#preview = null;
    if (this.#start && end) {
      const { bidirectional } = this.#defaults;
      this.#preview = DrawnItem.ofConnection({ start: this.#start, end, bidirectional, radius: this.#radius },
        { color: '#c061ff', opacity: 0.6, isSelected: false });
      this.#app.viewport.overlay.add(this.#preview.root);
    }
    this.#app.viewport.invalidate();
  }

  /** @param {import('../view/picking.js').LevelHit | null} _hit @param {PointerEvent} event */
  pointerdown(_hit, event) {
    return this.#start === null && !event.shiftKey && this.editor.pointerdown(event);
  }

  /** @param {import('../view/picking.js').LevelHit | null} hit @param {PointerEvent} event */
  pointermove(hit, event) {
    if (this.#start && hit) this.#showPreview(surfaceAt(this.#app, hit));
    const isOver = !this.#start && this.editor.isOver(event);
    if (!this.#app.handles.at(event)) this.#app.viewport.canvas.style.cursor = isOver ? 'pointer' : this.#isDrawing ? 'crosshair' : '';
    return false;
  }

  /** @param {import('../view/picking.js').LevelHit | null} hit @param {PointerEvent} event */
  click(hit, event) {
    if (!this.#start && !event.shiftKey && this.editor.isOver(event)) return;
    if (!this.#isDrawing || !hit) {
      if (!this.#start) this.#app.edits.select(null);
      return;
    }
    const point = surfaceAt(this.#app, hit);
    if (!this.#start) {
      this.#app.edits.select(null);
      this.#start = point;
      this.#showPreview(point);
    } else if (Math.hypot(...point.map((value, axis) => value - /** @type {Point} */ (this.#start)[axis])) > 0.1) {
      const start = this.#start;
      this.#cancel();
      this.#app.edits.add('connection', { start, end: point, radius: this.#radius, enabled: true, ...this.#defaults });
    }
    this.#app.panels.refresh();
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.key === 'Escape' && this.#start) {
      this.#cancel();
      return true;
    }
    if (this.editor.key(event)) return true;
    if (event.key !== 'Escape' || !this.#isDrawing) return false;
    this.#draw(false);
    return true;
  }

  /** @param {boolean} isDrawing */
  #draw(isDrawing) {
    this.#isDrawing = isDrawing;
    this.#cancel();
  }

  /** @param {import('../state/document.js').State} state */
  panel(state) {
    const { edits } = this.#app;
    const { selection, selected } = edits;
    const isMine = selection?.kind === 'connection';
    const item = isMine ? selected : this.#defaults;
    const set = (/** @type {object} */ patch, /** @type {string} */ label) => {
      if (isMine) edits.change(selection, label, (old) => ({ ...old, ...patch }));
      for (const [name, value] of Object.entries(patch)) if (name in this.#defaults) Object.assign(this.#defaults, { [name]: value });
      this.#app.panels.refresh();
    };
    return html`
      ${chooser({
        label: 'Draw', value: this.#isDrawing ? 'draw' : '', choose: (id) => this.#draw(id === 'draw'),
        options: [{ id: '', label: 'Select', icon: 'mouse-pointer-2' }, { id: 'draw', label: 'Draw connection', icon: 'spline' }],
      })}
      <p class="hint">${say(this.#hint())}</p>
      ${switchField({
        label: 'Bidirectional', value: item.bidirectional, change: (bidirectional) => set({ bidirectional }, 'change direction of connection'),
      })}
      ${areaField(state.document, { label: 'Area type', value: item.area, change: (area) => set({ area }, 'change area of connection') })}
      ${isMine ? html`
        ${itemError(state, selection)}
        ${this.#tieNote(selected)}
        ${switchField({
          label: 'Enabled', value: selected.enabled, change: (enabled) => set({ enabled }, `${enabled ? 'enable' : 'disable'} connection`),
        })}
        ${numberField({
          label: 'End radius', value: selected.radius, unit: 'm', min: 0.05, max: 20, step: 0.1,
          change: (radius) => set({ radius: Math.max(0.05, radius) }, 'change radius of connection'),
        })}
        ${pointField({ label: 'Start', value: selected.start, change: (start) => set({ start }, 'move connection') })}
        ${pointField({ label: 'End', value: selected.end, change: (end) => set({ end }, 'move connection') })}
        ${itemButtons(this.#app)}` : nothing}
      ${itemList(this.#app, state, 'connection', ({ enabled, bidirectional }) => `${enabled ? '' : 'disabled, '}${bidirectional ? 'bidirectional' : 'one-way'}`)}
      ${state.document.connections.length > 0 ? html`<p class="legend">
        <span><i style="background:${cssOf(START)}"></i>start</span><span><i style="background:${cssOf(END)}"></i>end</span></p>` : nothing}`;
  }

  #hint() {
    if (this.#start) return 'Click the end. Esc cancels.';
    return this.#isDrawing ? 'Click the start, then the end.' : 'Click an arc to select it.';
  }

  /** @param {any} connection */
  #tieNote({ id }) {
    const navMesh = this.#app.bakes.current?.navMesh;
    const ref = this.#app.edits.live.connectionRef(id);
    if (!navMesh || !ref) return nothing;
    const { startTied, endTied } = navMesh.connection(ref);
    if (startTied && endTied) return nothing;
    const ends = startTied ? "End isn't" : endTied ? "Start isn't" : "Start and end aren't";
    return html`<p class="error" role="status">${ends} on the mesh. Move closer, or increase the end radius.</p>`;
  }
}

/** @param {number} color */
const cssOf = (color) => `#${color.toString(16).padStart(6, '0')}`;
