/** Distance to wall: the free space around a point. */
import { html } from 'lit';
import { Group } from 'three';
import { factList, numberField } from '../ui/fields.js';
import { END, PATH, SELECTED } from '../view/colors.js';
import { Dots, LIFT, Lines, circle, lifted, polyline } from './query-drawing.js';
import { WALL_SETTINGS, queryWall } from './queries/local.js';
import { durationLine, verdictOf } from './result-summary.js';
import { metres, microseconds, place } from './result-text.js';

/** @typedef {import('./queries/local.js').WallResult} WallResult */

/** @returns {import('./query-tool.js').Drawing<WallResult>} */
function makeDrawing() {
  const object = new Group();
  const ring = new Lines({ color: PATH, width: 2.5 });
  const segment = new Lines({ color: END, width: 6 });
  const line = new Lines({ color: PATH, width: 3 });
  const spot = new Dots({ color: END, size: 12 });
  object.add(ring, segment, line, spot);
  return {
    object,
    draw({ start, wall }) {
      ring.set(start && wall ? circle(start.point, wall.distance) : []);
      segment.set(wall?.found ? lifted(wall.segment, LIFT + 0.03) : []);
      line.set(start && wall?.found ? polyline([...start.point, ...wall.point]) : []);
      spot.set(wall?.found ? lifted(wall.point) : []);
    },
    clear() {},
  };
}

/** @param {WallResult} result @param {number} maxDistance @returns {import('./result-text.js').Verdict} */
function verdict({ start, wall }, maxDistance) {
  if (!start || !wall) return { tone: 'bad', title: 'Nothing', text: "Marker isn't on the mesh. Move it near walkable ground." };
  if (!wall.found) return { tone: 'good', title: 'Free', text: `No edge of the mesh within ${metres(maxDistance)}.` };
  return { tone: 'good', title: 'Found', text: `The nearest reachable edge of the mesh is ${metres(wall.distance)} away.` };
}

/** @param {import('./query-tool.js').PanelContext<WallResult>} context */
function panel({ result, settings, set }) {
  const { wall } = result;
  return html`
    ${verdictOf(verdict(result, settings.maxDistance))}
    ${wall ? html`
      ${factList([
        ['Distance', html`<output aria-label="Distance">${metres(wall.distance)}</output>`],
        ['Edge point', wall.found ? place(wall.point) : 'None'],
        ['Edge normal', wall.found ? `${wall.normal[0].toFixed(3)}, ${wall.normal[2].toFixed(3)}` : 'None'],
        ['Edge length', wall.found ? metres(Math.hypot(...[0, 1, 2].map((axis) => wall.segment[3 + axis] - wall.segment[axis]))) : 'None'],
      ])}
      ${durationLine(microseconds(result.microseconds))}` : ''}
    <h3>Search</h3>
    ${numberField({ label: 'Max distance', unit: 'm', value: settings.maxDistance, min: 0, step: 1, hint: 'Edges beyond this distance are ignored.', change: (maxDistance) => set('change wall distance', { maxDistance }) })}`;
}

/** @type {import('./query-tool.js').Query<WallResult>} */
export const wallQuery = {
  id: 'wall', label: 'Edge distance', icon: 'ruler', shortcut: 'w',
  hint: 'Drag the marker or click to measure the distance to the edge of the mesh.',
  markers: [{ key: 'point', label: 'Point', color: SELECTED, first: 'middle' }],
  settings: WALL_SETTINGS, run: queryWall, makeDrawing, panel,
};
