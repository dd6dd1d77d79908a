/** Nearest point: the nearest point of the mesh to a point in space. */
import { html } from 'lit';
import { Group } from 'three';
import { areaOf, areasOf } from '../edit/areas.js';
import { choiceField, factList, numberField, pointField } from '../ui/fields.js';
import { ACCENT, PATH, SELECTED } from '../view/colors.js';
import { Dots, Lines, boxEdges } from './query-drawing.js';
import { LitPolygons } from './lit-polygons.js';
import { NEAREST_SETTINGS, queryNearest } from './queries/local.js';
import { durationLine, verdictOf } from './result-summary.js';
import { metres, microseconds, place } from './result-text.js';

/** @typedef {import('./queries/local.js').NearestResult} NearestResult */

const BOX = 0xaab4c0;

/** @returns {import('./query-tool.js').Drawing<NearestResult>} */
function makeDrawing() {
  const object = new Group();
  const lit = new LitPolygons({ color: ACCENT, opacity: 0.5 });
  const box = new Lines({ color: BOX, width: 1.5, opacity: 0.9 });
  const stem = new Lines({ color: BOX, width: 1.5, dashed: true });
  const line = new Lines({ color: PATH, width: 3 });
  const queryPoint = new Dots({ color: SELECTED, size: 12 });
  const found = new Dots({ color: PATH, size: 13 });
  object.add(lit, box, stem, line, queryPoint, found);
  return {
    object,
    draw({ queryPoint: at, nearest }, navMesh, { point }, { halfExtents }) {
      lit.show(navMesh, nearest ? [nearest.polygon] : []);
      box.set(boxEdges(at, halfExtents));
      stem.set([...point, ...at]);
      line.set(nearest ? [...at, ...nearest.point] : []);
      queryPoint.set(at);
      found.set(nearest?.point ?? []);
    },
    clear: () => lit.clear(),
  };
}

/** @param {NearestResult} result @returns {import('./result-text.js').Verdict} */
function verdict({ nearest, distance }) {
  if (!nearest) return { tone: 'bad', title: 'Nothing', text: 'No walkable polygon in the search box. Enlarge the box.' };
  const where = nearest.isOver ? 'directly above or below' : 'to the side';
  return { tone: 'good', title: 'Found', text: `The mesh is ${metres(distance)} away, ${where}.` };
}

/** @param {import('./query-tool.js').PanelContext<NearestResult>} context */
function panel({ result, settings, state, set }) {
  const { queryPoint, nearest } = result;
  return html`
    ${verdictOf(verdict(result))}
    ${factList([
      ['Query point', place(queryPoint)],
      ['Nearest point', nearest ? html`<output aria-label="Nearest point">${place(nearest.point)}</output>` : 'None'],
      ['Distance', nearest ? metres(result.distance) : 'None'],
      ['Polygon', nearest?.polygon ?? 'None'],
      ['Area', nearest ? areaOf(areasOf(state.document), result.area).name : 'None'],
    ])}
    ${durationLine(microseconds(result.microseconds))}
    <h3>Search</h3>
    ${numberField({ label: 'Height offset', unit: 'm', value: settings.lift, hint: 'Height of the query point above the marker.', change: (lift) => set('change height offset', { lift }) })}
    ${pointField({ label: 'Box half size', value: settings.halfExtents, change: (halfExtents) => set('change search box', { halfExtents }) })}
    ${numberField({ label: 'Search radius', unit: 'm', value: settings.radius, min: 0, hint: '0: searches the whole box.', change: (radius) => set('change search radius', { radius }) })}
    ${choiceField({ label: 'Preferred floor', value: settings.heightPreference, options: [
      { value: 'climb', label: 'Within step height' }, { value: 'closest', label: 'Closest' }, { value: 'below', label: 'Below first' }, { value: 'above', label: 'Above first' }],
    change: (heightPreference) => set('change preferred floor', { heightPreference }) })}`;
}

/** @type {import('./query-tool.js').Query<NearestResult>} */
export const nearestQuery = {
  id: 'nearest', label: 'Nearest point', icon: 'map-pin', shortcut: 'n',
  hint: 'Drag the marker or click to find the nearest point of the mesh.',
  markers: [{ key: 'point', label: 'Point', color: SELECTED, first: 'middle' }],
  settings: NEAREST_SETTINGS, run: queryNearest, makeDrawing, panel,
};
