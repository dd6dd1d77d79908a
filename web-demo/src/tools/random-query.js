/** Random points, uniformly distributed over the mesh. */
import { html, nothing } from 'lit';
import { Group } from 'three';
import { choiceField, numberField } from '../ui/fields.js';
import { icon } from '../ui/icon.js';
import { ACCENT, PATH } from '../view/colors.js';
import { Dots, Lines, circle, lifted } from './query-drawing.js';
import { POINT_LIMIT, RANDOM_SETTINGS, queryRandom } from './queries/reach.js';
import { durationLine, verdictOf } from './result-summary.js';
import { counted, metres, microseconds } from './result-text.js';

/** @typedef {import('./queries/reach.js').RandomResult} RandomResult */

/** @returns {import('./query-tool.js').Drawing<RandomResult>} */
function makeDrawing() {
  const object = new Group();
  const dots = new Dots({ color: PATH, size: 7 });
  const ring = new Lines({ color: ACCENT, width: 2 });
  object.add(dots, ring);
  return {
    object,
    draw({ points, start }, _navMesh, _places, { radius }) {
      dots.set(lifted(points));
      ring.set(start ? circle(start.point, radius) : []);
    },
    clear() {},
  };
}

/** @param {RandomResult} result @param {import('./queries/reach.js').RandomSettings} settings @returns {import('./result-text.js').Verdict} */
function verdict({ start, count }, { where, radius }) {
  if (where === 'around' && !start) return { tone: 'bad', title: 'Nothing', text: "Marker isn't on the mesh. Move it near walkable ground." };
  if (count === 0) return { tone: 'bad', title: 'Nothing', text: 'The mesh has no walkable polygon. Check the area types.' };
  const text = where === 'around' ? `within ${metres(radius)} of the marker, reachable inside the circle.` : 'uniformly distributed over the mesh.';
  return { tone: 'good', title: counted(count, 'point'), text };
}

/** @param {import('./query-tool.js').PanelContext<RandomResult>} context */
function panel({ result, settings, set }) {
  return html`
    ${verdictOf(verdict(result, settings))}
    ${durationLine(`${microseconds(result.microseconds)} a point`)}
    ${choiceField({ label: 'Area', value: settings.where, options: [{ value: 'anywhere', label: 'Anywhere' }, { value: 'around', label: 'Around marker' }], change: (where) => set('change area of random points', { where }) })}
    ${settings.where === 'around' ? numberField({ label: 'Radius', unit: 'm', value: settings.radius, min: 0, step: 1, change: (radius) => set('change radius of random points', { radius }) }) : nothing}
    ${numberField({ label: 'Points', value: settings.count, min: 1, max: POINT_LIMIT, step: 100, change: (count) => set('change number of points', { count }) })}
    ${numberField({ label: 'Seed', value: settings.seed, min: 0, step: 1, hint: 'The same seed always gives the same points.', change: (seed) => set('change seed', { seed }) })}
    <wa-button size="s" appearance="outlined" @click=${() => set('change seed', { seed: (settings.seed + 1) % 2 ** 32 })}>${icon('shuffle', 'start')}New seed</wa-button>`;
}

/** @type {import('./query-tool.js').Query<RandomResult>} */
export const randomQuery = {
  id: 'random', label: 'Random points', icon: 'dices', shortcut: 'd',
  hint: 'Shows random points: anywhere, or around the marker. Drag it or click.',
  markers: [{ key: 'point', label: 'Centre', color: ACCENT, first: 'middle' }],
  settings: RANDOM_SETTINGS, run: queryRandom, makeDrawing, panel,
};
