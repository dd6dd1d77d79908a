/** The inspect tool: shows facts about a point, and why it isn't walkable. */
import { html, nothing } from 'lit';
import { areaOf, areasOf } from '../edit/areas.js';
import '../inspect/inspect.css';
import { Inspector } from '../inspect/inspector.js';
import { mendButtons, playStartButtons, verdictFor } from '../inspect/verdict.js';
import { factList, pointField } from '../ui/fields.js';
import { icon } from '../ui/icon.js';
import { say } from '../ui/touch.js';
import { verdictOf } from './result-summary.js';
import { joinUnits, metres, squareMetres } from './result-text.js';

/** @typedef {import('../app.js').App} App */
/** @typedef {import('../inspect/inspector.js').Inspected} Inspected */
/** @typedef {import('../stages/explain.js').Explanation} Explanation */

/** @param {App} app @param {number} polygon */
function copyReference(app, polygon) {
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(String(polygon));
      app.notices.info('Polygon reference copied');
    } catch {
      app.notices.warn(`Can't write to the clipboard. The reference is ${polygon}.`);
    }
  };
  return html`<span class="reference"><code aria-label="Polygon reference">${polygon}</code>
    <button class="plain" aria-label="Copy reference" title="Copy reference" @click=${copy}>${icon('copy')}</button></span>`;
}

/** @param {App} app @param {number} id */
function drawArea(app, id) {
  const area = areaOf(areasOf(app.store.state.document), id);
  return html`<i class="swatch" style="background:${area.color}"></i><span class="name">${area.name}</span> (${id})`;
}

/** Whether the main ground is here, and which ground it is. @param {App} app @param {number} island */
const mainGroundOf = ({ islands: { mainWords } }, island) => `${island === 1 ? 'Here' : 'Elsewhere'}: ${mainWords}`;

/** @param {App} app @param {Inspected} inspected @returns {[string, unknown][]} */
function meshRows(app, { facts }) {
  if (!facts) return [];
  const { polygon, tile, index, area, flags, height, island, islands, islandArea, wall } = facts;
  return [
    ['Polygon', copyReference(app, polygon)], ['Tile', `${tile.x}, ${tile.z}${tile.layer ? `, layer ${tile.layer}` : ''}: polygon ${index}`],
    ['Area', drawArea(app, area)], ['Flags', `0x${flags.toString(16).padStart(4, '0')}`], ['Mesh height', height === null ? '–' : metres(height)],
    ['Distance to mesh edge', wall.found ? metres(wall.distance) : `over ${metres(wall.distance)}`],
    ['Island', island ? joinUnits(`${island} of ${islands} (${squareMetres(islandArea)})`) : 'None'], ['Main ground', mainGroundOf(app, island)],
  ];
}

/** @param {Inspected} inspected @returns {[string, unknown][]} */
function bakeRows({ explanation, facts, nearest }) {
  if (!explanation) return [];
  const { height, headroom, wall, slope, region, tile } = explanation;
  const known = (/** @type {number | null} */ value, /** @type {string} */ none) => (value === null ? '–' : value === Infinity ? none : metres(value));
  /** @type {[string, unknown][]} */
  const rows = facts ? [] : [['Tile', `${tile.x}, ${tile.z}`]];
  rows.push(['Ground height', known(height, '–')], ['Headroom', known(headroom, 'Unlimited')], ['Nearest wall', known(wall, 'None near')],
    ['Slope', slope === null ? '–' : `${slope.toFixed(1)}°`], ['Region', region || 'None']);
  if (nearest) rows.push(['Distance to mesh', metres(nearest.distance)]);
  return rows;
}

/** Icon and text of each outcome. */
const OUTCOMES = {
  kept: ['circle-check', 'Kept'], made: ['wand-sparkles', 'Made walkable'], removed: ['circle-x', 'Removed'],
  'not reached': ['minus', 'Not reached'],
};

/** @param {Explanation} explanation */
function drawSteps({ steps }) {
  if (steps.length === 0) return nothing;
  return html`<h3>Bake stages</h3>
    <ol class="trail" aria-label="Bake stages">${steps.map(({ stage, outcome }) => html`
      <li class=${outcome.replace(' ', '-')}>${icon(OUTCOMES[outcome][0])}<span>${stage}</span>
        <span class="quiet">${OUTCOMES[outcome][1]}</span></li>`)}</ol>`;
}

/** A click beside the level: the point at the height of its lowest ground; null if it points to the sky. @param {App} app @param {PointerEvent} event */
function pointBeside(app, event) {
  const level = app.levels.current;
  return level ? app.picking.plane(event, level.bounds.min.y)?.point ?? null : null;
}

const EMPTY = "Click anywhere to see whether it's walkable, and why not.";

/** @type {import('./tools.js').ToolKind} */
export const inspectTool = {
  id: 'inspect', label: 'Inspect', icon: 'crosshair', shortcut: 'i', group: 'inspect',
  hint: "Click anywhere to see whether it's walkable, and why not. Esc clears.",
  create(app) {
    const inspector = new Inspector(app);
    return {
      inspector,
      activate() {},
      deactivate: () => inspector.clear(),
      click(hit, event) {
        const point = hit?.point ?? pointBeside(app, event);
        if (point) inspector.look(point);
        else inspector.clear();
      },
      key(event) {
        if (event.key !== 'Escape' || !inspector.current) return false;
        inspector.clear();
        return true;
      },
      panel() {
        const { current } = inspector;
        if (!current) return html`<p class="quiet">${say(EMPTY)}</p>`;
        return html`
          ${verdictOf(verdictFor(app, current))}${mendButtons(app, current)}
          ${playStartButtons(app, current)}
          ${factList([...meshRows(app, current), ...bakeRows(current)])}
          ${current.explanation ? drawSteps(current.explanation) : nothing}
          ${pointField({ label: 'Point', value: current.point, change: (point) => inspector.look(point) })}`;
      },
    };
  },
};
