/** Path between two markers. */
import { html, nothing } from 'lit';
import { Group } from 'three';
import { areaFilter, areaOf, areasOf } from '../edit/areas.js';
import { choiceField, factList, numberField, switchField } from '../ui/fields.js';
import { SEGMENT_LINKS } from '../layers/colors.js';
import { nameLink } from '../links/link-words.js';
import { css } from '../ui/panels/layers-panel.js';
import { END, PATH, START } from '../view/colors.js';
import { Dots, Lines, lifted, polyline } from './query-drawing.js';
import { LitPolygons } from './lit-polygons.js';
import { PathWhy } from './path-why.js';
import { PATH_SETTINGS, queryPath, takesWallCost } from './queries/path.js';
import { durationLine, verdictOf } from './result-summary.js';
import { costs, counted, metres, microseconds, pathVerdict } from './result-text.js';

/** @typedef {import('./queries/path.js').PathResult} PathResult */
/** @typedef {import('./queries/path.js').Crossing} Crossing */
/** @typedef {import('walkmesh').Path} Path */

const SMOOTH = 0xffffff;
const CONNECTION = 0xc061ff;
const LONG_WAY = 0x2f5bff;

/**
 * The segments of a path on the ground and over off-mesh connections. @param {Path} path @param {readonly { index: number, way: number[] }[]} [crossed] parts with a
 * trajectory of their own are left out
 * @returns {{ ground: number[], over: number[] }} segments
 */
function splitPath({ points, offMesh, count }, crossed = []) {
  const parts = { ground: /** @type {number[]} */ ([]), over: /** @type {number[]} */ ([]) };
  for (let i = 0; i + 1 < count; i++) {
    if (crossed.some(({ index, way }) => index === i && way.length > 0)) continue;
    (offMesh[i] ? parts.over : parts.ground).push(...polyline(points.subarray(3 * i, 3 * i + 6)));
  }
  return parts;
}

/** Times the straight line from which a path is long. */
const LONG = 2;

/** The straight line between the ends on the mesh, world units. @param {Path} path */
const directLength = ({ start, end }) => (start && end ? Math.hypot(...start.point.map((part, axis) => part - end.point[axis])) : 0);

/** The explanation of each app's path. @type {WeakMap<import('../app.js').App, PathWhy>} */
const reasons = new WeakMap();

/** @param {import('../app.js').App} app @returns {import('./query-tool.js').Drawing<PathResult>} */
function makeDrawing(app) {
  const object = new Group();
  const lit = new LitPolygons({ color: PATH, opacity: 0.32 });
  const others = new Lines({ color: PATH, width: 3, opacity: 0.45 });
  const straight = new Lines({ color: PATH, width: 4.5 });
  const over = new Lines({ color: CONNECTION, width: 4, dashed: true });
  const flights = new Lines({ color: PATH, width: 3.5, dashed: true });
  const smooth = new Lines({ color: SMOOTH, width: 1.25, opacity: 0.75 });
  const missing = new Lines({ color: END, width: 2, dashed: true });
  const corners = new Dots({ color: PATH, size: 10 });
  const ends = new Dots({ color: SMOOTH, size: 8 });
  const frontier = new Lines({ color: END, width: 3 });
  frontier.name = 'where the search ended';
  // A group of its own hides it: an answer that comes after the tool was left makes the lines visible.
  const search = new Group();
  search.add(frontier);
  const leg = new Lines({ color: LONG_WAY, width: 3 });
  const promise = new Lines({ color: LONG_WAY, width: 2, dashed: true });
  const entrances = new Dots({ color: LONG_WAY, size: 8 });
  object.add(lit, others, straight, over, flights, smooth, missing, corners, ends, search, leg, promise, entrances);
  const why = new PathWhy(app, (explanation) => frontier.set(explanation ? explanation.places.flatMap(({ edges }) => [...lifted(edges)]) : []));
  reasons.set(app, why);
  return {
    object,
    draw({ path, smooth: smoothed, others: ways, crossed, long }, navMesh, { start, end }, { anyAngle, shortest, maxNodes }) {
      const points = path.points.subarray(0, 3 * path.count);
      const parts = splitPath(path, crossed);
      lit.show(navMesh, path.corridor, { count: path.corridorCount });
      others.set(ways.flatMap((way) => [...polyline(way.points)]));
      straight.set(parts.ground);
      over.set(parts.over);
      flights.set(crossed.flatMap(({ way }) => [...polyline(way)]));
      smooth.set(smoothed ? splitPath(smoothed).ground : []);
      corners.set(lifted(points.subarray(3, -3)));
      ends.set(lifted(path.count > 1 ? [...points.subarray(0, 3), ...points.subarray(-3)] : points));
      missing.set(path.status === 'complete' || path.count === 0 ? [] : polyline([...points.subarray(-3), ...end]));
      leg.set(long?.leg ? polyline(long.leg.points) : []);
      promise.set(long ? polyline(long.promise) : []);
      entrances.set(lifted(long?.status === 'complete' ? long.waypoints : []));
      if (path.status === 'complete' && path.length <= LONG * directLength(path)) why.forget();
      else why.ask(navMesh, { start, end }, { filter: areaFilter(app.store.state.document), anyAngle, shortest, maxNodes });
    },
    clear() {
      lit.clear();
      why.forget();
    },
    // Their key stands in the panel.
    activate(isActive) {
      search.visible = isActive;
    },
  };
}

/** @param {Crossing} crossing */
const colorOf = ({ kind }) => css(kind === 'connection' ? CONNECTION : SEGMENT_LINKS[kind]);

/** @param {Crossing} crossing @param {number} cellHeight of the mesh */
function nameCrossing({ kind, start, end, peak }, cellHeight) {
  if (kind === 'connection') return `Connection, ${metres(Math.hypot(...start.map((value, axis) => end[axis] - value)))}`;
  return nameLink({ kind, start: [start, start], end: [end, end], peak }, cellHeight);
}

/** The long way: its leg and its bounds. @param {NonNullable<PathResult['long']>} long */
function longFacts({ status, leg, leadsToEnd, cost, lowerBound, count, searched, microseconds: spent }) {
  if (status !== 'complete') return html`<p class="note">The tile graph has no way, either.</p>`;
  return html`${factList([
    [leadsToEnd ? 'Leg, to the end' : 'First leg', html`<output aria-label="First leg">${metres(leg?.length ?? 0)}</output>`],
    ['Costs at most', html`<output aria-label="Costs at most">${costs(cost)}</output>`],
    ['Costs at least', costs(lowerBound)],
    ['Entrances', count],
    ['Searched', counted(searched, 'entrance')],
  ])}${durationLine(`Long way ${microseconds(spent)}`)}`;
}

/** @param {import('./query-tool.js').PanelContext<PathResult>} context */
function panel({ app, result, settings, state, set }) {
  const { path, smooth, parts, others, crossed, long } = result;
  const areas = areasOf(state.document), { cellHeight = 0 } = app.bakes.current?.navMesh.parameters ?? {};
  return html`
    ${verdictOf(pathVerdict(path, settings.maxNodes))}
    ${reasons.get(app)?.draw() ?? nothing}
    ${factList([
      ['Length', html`<output aria-label="Length">${metres(path.length)}</output>`],
      ['Cost', html`<output aria-label="Cost">${costs(path.cost)}</output>`],
      ['Straight line', metres(directLength(path))],
      ['Corridor', counted(path.corridorCount, 'polygon')],
      ['Corners', Math.max(0, path.count - 2)],
      ['Searched', counted(path.searched, 'polygon')],
      ...others.map((way, i) => /** @type {[string, unknown]} */ ([`Other way ${i + 1}`, metres(way.length)])),
      ...(settings.others > others.length ? [/** @type {[string, unknown]} */ (['Other ways', others.length ? 'No more' : 'None'])] : []),
      ...(smooth ? [/** @type {[string, unknown]} */ (['Smooth path', counted(smooth.count, 'point')])] : []),
    ])}
    ${durationLine(`Path ${microseconds(result.microseconds)}${settings.others ? `, other ways ${microseconds(result.othersMicroseconds)}` : ''}${smooth ? `, smooth ${microseconds(result.smoothMicroseconds)}` : ''}`)}
    ${long ? html`<h3>Long way</h3>${longFacts(long)}` : nothing}
    ${crossed.length > 0 ? html`<h3>Crosses</h3>
      <ul class="shares" aria-label="Crosses">${crossed.map((crossing) => html`<li><i style="background: ${colorOf(crossing)}"></i>${nameCrossing(crossing, cellHeight)}</li>`)}</ul>` : nothing}
    ${parts.length > 1 ? html`<h3>Length by area</h3>
      <ul class="shares">${parts.map(({ area, length }) => html`
        <li><i style="background: ${areaOf(areas, area).color}"></i>${areaOf(areas, area).name}<span>${metres(length)}</span></li>`)}</ul>` : nothing}
    <h3>Search</h3>
    ${switchField({ label: 'Any angle', value: settings.anyAngle, hint: 'Searches with straight lines instead of edge centres: shorter paths.', change: (anyAngle) => set('switch any angle', { anyAngle }) })}
    ${switchField({ label: 'Shortest', value: settings.shortest, hint: 'The exact shortest path, measured on x and z.', change: (shortest) => set('switch shortest', { shortest }) })}
    ${numberField({ label: 'Wall distance', unit: 'm', value: settings.wallDistance, min: 0, step: 0.1, hint: 'Keeps this far from walls where there is room. 0: off.', change: (wallDistance) => set('change wall distance', { wallDistance }) })}
    ${takesWallCost(settings) ? numberField({ label: 'Wall cost', value: settings.wallCost, min: 0, step: 0.5, hint: 'How much more ground at walls costs. Prefers open ground.', change: (wallCost) => set('change wall cost', { wallCost }) }) : nothing}
    ${switchField({ label: 'Check reachability first', value: settings.islands, hint: 'Destinations on other islands need no search.', change: (islands) => set('switch reachability check', { islands }) })}
    ${numberField({ label: 'Search limit', unit: 'polygons', value: settings.maxNodes, min: 0, step: 100, hint: '0: no limit. If the limit is hit, returns a partial path.', change: (maxNodes) => set('change search limit', { maxNodes }) })}
    ${numberField({ label: 'Other ways', value: settings.others, min: 0, max: 5, step: 1, hint: 'Ways that differ on 30 % of their length (fainter).', change: (others) => set('change other ways', { others }) })}
    ${switchField({ label: 'Long way', value: settings.long, hint: 'Also over the tile graph: an exact first leg, a promise of the rest (dashed).', change: (on) => set('switch long way', { long: on }) })}
    ${settings.long ? numberField({ label: 'Leg', unit: 'tiles', value: settings.legTiles, min: 2, max: 1000, step: 1, hint: 'The leg leads through at most this number of tiles.', change: (legTiles) => set('change tiles of a leg', { legTiles }) }) : nothing}
    <h3>Display</h3>
    ${switchField({ label: 'Smooth path', value: settings.smooth, hint: 'Points one step apart on the surface (white).', change: (value) => set('switch smooth path', { smooth: value }) })}
    ${settings.smooth ? numberField({ label: 'Step', unit: 'm', value: settings.step, min: 0.05, change: (step) => set('change step', { step }) }) : nothing}
    ${choiceField({ label: 'Extra corners', value: settings.crossings, options: [
      { value: 'none', label: 'None' }, { value: 'areas', label: 'At areas' }, { value: 'all', label: 'At polygons' }], change: (crossings) => set('change crossings', { crossings }) })}
    ${switchField({ label: 'Keep visible', value: settings.keep, change: (keep) => set('show path with other tools', { keep }) })}
    ${costFields(app, state)}`;
}

/** Cost per metre of each area, shared by all tools and agents. @param {import('../app.js').App} app @param {import('../state/document.js').State} state */
function costFields(app, state) {
  return html`
    <wa-details class="costs" appearance="plain" summary="Area costs">
      ${areasOf(state.document).map((area) => numberField({
        label: `${area.name} cost`, value: area.cost, min: 0, step: 0.5,
        change: (cost) => app.store.edit(`change cost of ${area.name}`, (/** @type {any} */ draft) => {
          draft.areas ??= structuredClone(areasOf(draft));
          draft.areas.find((/** @type {any} */ { id }) => id === area.id).cost = Math.max(0, cost);
        }),
      }))}
    </wa-details>`;
}

/** @type {import('./query-tool.js').Query<PathResult>} */
export const pathQuery = {
  id: 'path', label: 'Path', icon: 'route', shortcut: 'p', stays: true,
  hint: 'Click the start, then the end. Or drag the markers.',
  markers: [{ key: 'start', label: 'Start', color: START, first: 'start' }, { key: 'end', label: 'End', color: END, first: 'end' }],
  settings: PATH_SETTINGS, run: queryPath, makeDrawing, panel,
};
