/** Random points: places on the mesh, every one as likely as every other. */
import { html, nothing } from 'lit';
import { Group } from 'three';
import { choiceField, numberField } from '../ui/fields.js';
import { icon } from '../ui/icon.js';
import { ACCENT, PATH } from '../view/colors.js';
import { Dots, Lines, circle, lifted } from './drawing.js';
import { POINT_LIMIT, RANDOM_SETTINGS, askRandom } from './questions/reach.js';
import { took, verdictOf } from './verdict.js';
import { counted, metres, microseconds } from './words.js';

/** @typedef {import('./questions/reach.js').RandomAnswer} RandomAnswer */

/** @returns {import('./query-tool.js').Drawing<RandomAnswer>} */
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

/** @param {RandomAnswer} answer @param {import('./questions/reach.js').RandomSettings} settings @returns {import('./words.js').Verdict} */
function verdict({ start, count }, { where, radius }) {
  if (where === 'around' && !start) return { tone: 'bad', title: 'Nothing', text: 'The marker is not on the mesh: nothing walkable is near it.' };
  if (count === 0) return { tone: 'bad', title: 'Nothing', text: 'There is no polygon that may be walked on.' };
  const text = where === 'around' ? `within ${metres(radius)} of the marker, reached without leaving the circle.` : 'anywhere on the mesh, every spot as likely as every other.';
  return { tone: 'good', title: counted(count, 'point'), text };
}

/** @param {import('./query-tool.js').PanelContext<RandomAnswer>} context */
function panel({ answer, settings, set }) {
  return html`
    ${verdictOf(verdict(answer, settings))}
    ${took(`${microseconds(answer.microseconds)} a point`)}
    ${choiceField({ label: 'Where', value: settings.where, options: [{ value: 'anywhere', label: 'Anywhere' }, { value: 'around', label: 'Around the marker' }], change: (where) => set('change where', { where }) })}
    ${settings.where === 'around' ? numberField({ label: 'Within', unit: 'm', value: settings.radius, min: 0, step: 1, change: (radius) => set('change radius of random points', { radius }) }) : nothing}
    ${numberField({ label: 'Points', value: settings.count, min: 1, max: POINT_LIMIT, step: 100, change: (count) => set('change number of points', { count }) })}
    ${numberField({ label: 'Seed', value: settings.seed, min: 0, step: 1, hint: 'The same seed gives the same points everywhere.', change: (seed) => set('change seed', { seed }) })}
    <wa-button size="s" appearance="outlined" @click=${() => set('change seed', { seed: (settings.seed + 1) % 2 ** 32 })}>${icon('shuffle', 'start')}Other points</wa-button>`;
}

/** @type {import('./query-tool.js').Query<RandomAnswer>} */
export const randomQuery = {
  id: 'random', label: 'Random points', icon: 'dices', shortcut: 'd',
  hint: 'Places at random: anywhere, or around the marker. Drag it or click.',
  markers: [{ key: 'point', label: 'Around', color: ACCENT, first: 'middle' }],
  settings: RANDOM_SETTINGS, ask: askRandom, makeDrawing, panel,
};
