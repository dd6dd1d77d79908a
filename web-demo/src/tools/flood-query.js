/** Flood: what can be reached, and at what cost, as a heat map. */
import { html } from 'lit';
import { Color, Group, Vector3 } from 'three';
import { factList } from '../ui/fields.js';
import { START } from '../view/colors.js';
import { Dots, HEAT_GRADIENT, Lines, heat, lifted, polyline } from './drawing.js';
import { LitPolygons } from './lit-polygons.js';
import { COST_LIMIT, FLOOD_SETTINGS, askFlood, wayBack } from './questions/reach.js';
import { took, verdictOf } from './verdict.js';
import { costs, counted, microseconds } from './words.js';

/** @typedef {import('./questions/reach.js').FloodAnswer} FloodAnswer */
/** @typedef {import('./query-tool.js').Drawing<FloodAnswer> & { showWay: (points: ArrayLike<number>) => void }} FloodDrawing */

/** How far from the pointer's spot its polygon may lie, world units. */
const REACH = [0.5, 1.5, 0.5];

/** What is under the pointer: cost and polygons of the way there. @type {{ cost: number, polygons: number } | null} */
let hovered = null;

/** @returns {FloodDrawing} */
function makeDrawing() {
  const object = new Group();
  const lit = new LitPolygons({ opacity: 0.72 });
  const way = new Lines({ color: 0xffffff, width: 3 });
  const spot = new Dots({ color: 0xffffff, size: 9 });
  object.add(lit, way, spot);
  const color = new Color();
  const showWay = (/** @type {ArrayLike<number>} */ points) => {
    way.set(polyline(points));
    spot.set(lifted(Array.from(points).slice(-3)));
  };
  return {
    object, showWay,
    draw({ flood }, navMesh, _places, { maxCost }) {
      const count = flood?.count ?? 0;
      const colors = new Float32Array(3 * count);
      for (let i = 0; i < count; i++) heat(/** @type {any} */ (flood).costs[i] / maxCost, color).toArray(colors, 3 * i);
      lit.show(navMesh, flood?.polygons ?? [], { count, colors });
      hovered = null;
      showWay([]);
    },
    clear: () => lit.clear(),
  };
}

/** @param {import('./query-tool.js').HoverContext<FloodAnswer>} context */
function hover({ app, answer, navMesh, hit, drawing }) {
  const nearest = hit && navMesh.nearestPoint(hit.point, { halfExtents: REACH });
  const way = nearest ? wayBack(navMesh, answer, nearest.polygon, nearest.point) : null;
  if (!way && !hovered) return;
  hovered = way;
  /** @type {FloodDrawing} */ (drawing).showWay(way?.points ?? []);
  app.viewport.invalidate();
  app.panels.refresh();
}

/** Without digits that say nothing. @param {number} value */
const short = (value) => String(Number(value.toFixed(2)));

/** How far the slider goes: three times across the level, a round number. @param {import('../app.js').App} app @param {number} maxCost that is set */
function limitFor(app, maxCost) {
  const across = app.levels.current?.bounds.getSize(new Vector3()).length() ?? 100;
  const wanted = [50, 100, 200, 500, COST_LIMIT].find((limit) => limit >= 3 * across) ?? COST_LIMIT;
  return Math.max(wanted, Math.ceil(maxCost));
}

/** @param {FloodAnswer} answer @param {number} maxCost @returns {import('./words.js').Verdict} */
function verdict({ flood }, maxCost) {
  if (!flood) return { tone: 'bad', title: 'Nothing', text: 'The marker is not on the mesh: nothing walkable is near it.' };
  return { tone: 'good', title: counted(flood.count, 'polygon'), text: `can be reached at a cost of ${short(maxCost)} or less.` };
}

/** @param {import('./query-tool.js').PanelContext<FloodAnswer>} context */
function panel({ app, answer, settings, set }) {
  const { maxCost } = settings;
  return html`
    ${verdictOf(verdict(answer, maxCost))}
    <wa-slider size="s" label="Cost limit" min="1" max=${limitFor(app, maxCost)} step="1" with-tooltip .value=${maxCost}
      @input=${(/** @type {any} */ event) => set('change cost limit', { maxCost: event.target.value }, { isRun: true })}
      @change=${(/** @type {any} */ event) => set('change cost limit', { maxCost: event.target.value })}></wa-slider>
    <div class="ramp" role="img" aria-label="Colours from cost 0 to ${maxCost}">
      <i style="background: ${HEAT_GRADIENT}"></i>
      <span>0</span><span>${short(maxCost / 2)}</span><span>${short(maxCost)}</span>
    </div>
    ${factList([
      ['Farthest', html`<output aria-label="Farthest">${costs(answer.farthest)}</output>`],
      ['Under the pointer', hovered ? html`<output aria-label="Cost under the pointer">${costs(hovered.cost)}</output>` : 'not reached'],
      ['Way there', hovered ? counted(hovered.polygons, 'polygon') : 'none'],
    ])}
    ${took(microseconds(answer.microseconds))}
    <p class="quiet">Costs are those up to the edge by which a polygon is entered. Point at a spot to see the way there.</p>`;
}

/** @type {import('./query-tool.js').Query<FloodAnswer>} */
export const floodQuery = {
  id: 'flood', label: 'Flood by cost', icon: 'flame', shortcut: 'h',
  hint: 'Drag the marker or click: what can be reached from there, by cost. Point at a spot for the way there.',
  markers: [{ key: 'point', label: 'Start', color: START, first: 'middle' }],
  settings: FLOOD_SETTINGS, ask: askFlood, makeDrawing, panel, hover,
};
