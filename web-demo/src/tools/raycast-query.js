/** Raycast: distance to the first wall in a straight line. */
import { html } from 'lit';
import { Group } from 'three';
import { factList } from '../ui/fields.js';
import { END, PATH, START } from '../view/colors.js';
import { Dots, Lines, arrow, lifted, polyline } from './query-drawing.js';
import { LitPolygons } from './lit-polygons.js';
import { queryRaycast } from './queries/local.js';
import { durationLine, verdictOf } from './result-summary.js';
import { costs, counted, metres, microseconds, place } from './result-text.js';

/** @typedef {import('./queries/local.js').RaycastResult} RaycastResult */

const REST = 0x8b94a3;
const NORMAL = 0x38bdf8;
/** Length of the drawn wall normal, world units. */
const NORMAL_LENGTH = 1.6;

/** @returns {import('./query-tool.js').Drawing<RaycastResult>} */
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

/** @param {RaycastResult} result @returns {import('./result-text.js').Verdict} */
function verdict({ ray, free, length }) {
  if (!ray) return { tone: 'bad', title: 'No ray', text: "Start isn't on the mesh. Move it near walkable ground." };
  if (ray.isOutside) return { tone: 'bad', title: 'No ray', text: "The ray misses its start polygon. Move the start." };
  if (!ray.hit) return { tone: 'good', title: 'Free', text: 'The ray reaches its end.' };
  return { tone: 'fair', title: 'Stopped', text: `The ray meets the edge of the mesh or a closed area after ${metres(free)} of ${metres(length)}.` };
}

/** @param {import('./query-tool.js').PanelContext<RaycastResult>} context */
function panel({ result }) {
  const { ray, free, length } = result;
  return html`
    ${verdictOf(verdict(result))}
    ${ray ? html`
      ${factList([
        ['Free length', html`<output aria-label="Free length">${metres(free)}</output>`],
        ['Of', metres(length)],
        ['Share', `${(100 * ray.t).toFixed(1)} %`],
        ['Hit point', ray.hit ? html`<output aria-label="Hit point">${place(ray.point)}</output>` : 'None'],
        ['Edge normal', ray.hit ? `${ray.normal[0].toFixed(3)}, ${ray.normal[2].toFixed(3)}` : 'None'],
        ['Cost', costs(ray.cost)],
        ['Through', counted(ray.count, 'polygon')],
      ])}
      ${durationLine(microseconds(result.microseconds))}` : ''}`;
}

/** @type {import('./query-tool.js').Query<RaycastResult>} */
export const raycastQuery = {
  id: 'raycast', label: 'Raycast', icon: 'move-up-right', shortcut: 'r',
  hint: 'Click the start, then the end. Or drag the markers.',
  markers: [{ key: 'start', label: 'Start', color: START, first: 'middle' }, { key: 'end', label: 'End', color: END, first: 'end' }],
  settings: {}, run: queryRaycast, makeDrawing, panel,
};
