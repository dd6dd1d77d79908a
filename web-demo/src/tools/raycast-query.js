/** Raycast: how far one can walk straight on. */
import { html } from 'lit';
import { Group } from 'three';
import { factList } from '../ui/fields.js';
import { END, PATH, START } from '../view/colors.js';
import { Dots, Lines, arrow, lifted, polyline } from './drawing.js';
import { LitPolygons } from './lit-polygons.js';
import { askRaycast } from './questions/local.js';
import { took, verdictOf } from './verdict.js';
import { costs, counted, metres, microseconds, place } from './words.js';

/** @typedef {import('./questions/local.js').RaycastAnswer} RaycastAnswer */

const REST = 0x8b94a3;
const NORMAL = 0x38bdf8;
/** How long the wall's normal is drawn, world units. */
const NORMAL_LENGTH = 1.6;

/** @returns {import('./query-tool.js').Drawing<RaycastAnswer>} */
function makeDrawing() {
  const object = new Group();
  const lit = new LitPolygons({ color: PATH, opacity: 0.22 });
  const free = new Lines({ color: START, width: 4 });
  const rest = new Lines({ color: REST, width: 2, dashed: true, opacity: 0.8 });
  const normal = new Lines({ color: NORMAL, width: 3 });
  const spot = new Dots({ color: END, size: 12 });
  object.add(lit, rest, free, normal, spot);
  return {
    object,
    draw({ ray, trace }, navMesh, { start, end }) {
      lit.show(navMesh, ray?.polygons ?? [], { count: ray?.count ?? 0 });
      free.set(polyline(trace));
      rest.set(polyline(!ray ? [...start, ...end] : ray.hit ? [...ray.point, end[0], Math.max(end[1], ray.point[1]), end[2]] : []));
      normal.set(ray?.hit ? arrow(ray.point, ray.normal, NORMAL_LENGTH) : []);
      spot.set(ray?.hit ? lifted(ray.point) : []);
    },
    clear: () => lit.clear(),
  };
}

/** @param {RaycastAnswer} answer @returns {import('./words.js').Verdict} */
function verdict({ ray, free, length }) {
  if (!ray) return { tone: 'bad', title: 'No ray', text: 'The start is not on the mesh: nothing walkable is near it.' };
  if (ray.isOutside) return { tone: 'bad', title: 'No ray', text: 'The ray does not touch the polygon it starts from.' };
  if (!ray.hit) return { tone: 'good', title: 'Free', text: 'One can walk straight to the end.' };
  return { tone: 'fair', title: 'Stopped', text: `A wall, or an area that may not be entered, stops it after ${metres(free)} of ${metres(length)}.` };
}

/** @param {import('./query-tool.js').PanelContext<RaycastAnswer>} context */
function panel({ answer }) {
  const { ray, free, length } = answer;
  return html`
    ${verdictOf(verdict(answer))}
    ${ray ? html`
      ${factList([
        ['Free', html`<output aria-label="Free">${metres(free)}</output>`],
        ['Of', metres(length)],
        ['Share', `${(100 * ray.t).toFixed(1)} %`],
        ['Hit point', ray.hit ? html`<output aria-label="Hit point">${place(ray.point)}</output>` : 'none'],
        ['Normal of the wall', ray.hit ? `${ray.normal[0].toFixed(3)}, ${ray.normal[2].toFixed(3)}` : 'none'],
        ['Cost', costs(ray.cost)],
        ['Through', counted(ray.count, 'polygon')],
      ])}
      ${took(microseconds(answer.microseconds))}` : ''}`;
}

/** @type {import('./query-tool.js').Query<RaycastAnswer>} */
export const raycastQuery = {
  id: 'raycast', label: 'Raycast', icon: 'move-up-right', shortcut: 'r',
  hint: 'Drag the markers, or click for the end and Shift+click for the start: how far one can walk straight on.',
  markers: [{ key: 'start', label: 'From', color: START, first: 'middle' }, { key: 'end', label: 'To', color: END, first: 'end' }],
  settings: {}, ask: askRaycast, makeDrawing, panel,
};
