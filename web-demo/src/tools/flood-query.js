/** Reachable area: polygons that can be reached within a cost limit, as a heat map. */
import { html } from 'lit';
import { Color, Group, Vector3 } from 'three';
import { factList } from '../ui/fields.js';
import { START } from '../view/colors.js';
import { Dots, HEAT_GRADIENT, Lines, heat, lifted, polyline } from './query-drawing.js';
import { LitPolygons } from './lit-polygons.js';
import { COST_LIMIT, FLOOD_SETTINGS, queryFlood, pathBack } from './queries/reach.js';
import { durationLine, verdictOf } from './result-summary.js';
import { costs, counted, microseconds } from './result-text.js';

/** @typedef {import('./queries/reach.js').FloodResult} FloodResult */
/** @typedef {import('./query-tool.js').Drawing<FloodResult> & { showPath: (points: ArrayLike<number>) => void }} FloodDrawing */

/** Largest distance between the pointer's hit and its polygon, world units. */
const REACH = [0.5, 1.5, 0.5];

/** Cost and polygon count of the path to the pointer. @type {{ cost: number, polygons: number } | null} */
let hovered = null;

/** @returns {FloodDrawing} */
function makeDrawing() {
  const object = new Group();
  const lit = new LitPolygons({ opacity: 0.72 });
  const path = new Lines({ color: 0xffffff, width: 3 });
  const spot = new Dots({ color: 0xffffff, size: 9 });
  object.add(lit, path, spot);
  const color = new Color();
  const showPath = (/** @type {ArrayLike<number>} */ points) => {
    path.set(polyline(points));
    spot.set(lifted(Array.from(points).slice(-3)));
  };
  return {
    object, showPath,
    draw({ flood }, navMesh, _places, { maxCost }) {
      const count = flood?.count ?? 0;
      const colors = new Float32Array(3 * count);
      for (let i = 0; i < count; i++) heat(/** @type {any} */ (flood).costs[i] / maxCost, color).toArray(colors, 3 * i);
      lit.show(navMesh, flood?.polygons ?? [], { count, colors });
      hovered = null;
      showPath([]);
    },
    clear: () => lit.clear(),
  };
}

/** @param {import('./query-tool.js').HoverContext<FloodResult>} context */
function hover({ app, result, navMesh, hit, drawing }) {
  const nearest = hit && navMesh.nearestPoint(hit.point, { halfExtents: REACH });
  const path = nearest ? pathBack(navMesh, result, nearest.polygon, nearest.point) : null;
  if (!path && !hovered) return;
  hovered = path;
  /** @type {FloodDrawing} */ (drawing).showPath(path?.points ?? []);
  app.viewport.invalidate();
  app.panels.refresh();
}

/** Rounds a number for display. @param {number} value */
const short = (value) => String(Number(value.toFixed(2)));

/** Upper end of the slider: 3 times the size of the level, rounded up. @param {import('../app.js').App} app @param {number} maxCost current value */
function limitFor(app, maxCost) {
  const across = app.levels.current?.bounds.getSize(new Vector3()).length() ?? 100;
  const wanted = [50, 100, 200, 500, COST_LIMIT].find((limit) => limit >= 3 * across) ?? COST_LIMIT;
  return Math.max(wanted, Math.ceil(maxCost));
}

/** @param {FloodResult} result @param {number} maxCost @returns {import('./result-text.js').Verdict} */
function verdict({ flood }, maxCost) {
  if (!flood) return { tone: 'bad', title: 'Nothing', text: "Marker isn't on the mesh. Move it near walkable ground." };
  return { tone: 'good', title: counted(flood.count, 'polygon'), text: `within cost ${short(maxCost)}.` };
}

/** @param {import('./query-tool.js').PanelContext<FloodResult>} context */
function panel({ app, result, settings, set }) {
  const { maxCost } = settings;
  return html`
    ${verdictOf(verdict(result, maxCost))}
    <wa-slider size="s" label="Cost limit" min="1" max=${limitFor(app, maxCost)} step="1" with-tooltip .value=${maxCost}
      @input=${(/** @type {any} */ event) => set('change cost limit', { maxCost: event.target.value }, { isRun: true })}
      @change=${(/** @type {any} */ event) => set('change cost limit', { maxCost: event.target.value })}></wa-slider>
    <div class="ramp" role="img" aria-label="Colour scale from cost 0 to ${maxCost}">
      <i style="background: ${HEAT_GRADIENT}"></i>
      <span>0</span><span>${short(maxCost / 2)}</span><span>${short(maxCost)}</span>
    </div>
    ${factList([
      ['Max cost', html`<output aria-label="Max cost">${costs(result.farthest)}</output>`],
      ['Cost at pointer', hovered ? html`<output aria-label="Cost at pointer">${costs(hovered.cost)}</output>` : 'Not reached'],
      ['Path', hovered ? counted(hovered.polygons, 'polygon') : 'None'],
    ])}
    ${durationLine(microseconds(result.microseconds))}
    <p class="quiet">Costs count up to the edge where the path enters a polygon.</p>`;
}

/** @type {import('./query-tool.js').Query<FloodResult>} */
export const floodQuery = {
  id: 'flood', label: 'Reachable area', icon: 'flame', shortcut: 'h',
  hint: 'Drag the marker or click to set the start. Hover over the mesh to see the path.',
  markers: [{ key: 'point', label: 'Start', color: START, first: 'middle' }],
  settings: FLOOD_SETTINGS, run: queryFlood, makeDrawing, panel, hover,
};
