/** The table of areas: names, colours, costs and whether agents may enter. */
import { html } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { LINK_KINDS } from '../links/kinds.js';
import { icon } from '../ui/icon.js';
import { DOOR, areasOf, defaultAreas, nextArea } from './areas.js';

/** @typedef {import('../app.js').App} App */
/** @typedef {import('./areas.js').Area} Area */

/** Highest cost that can be typed. */
const MAX_COST = 1000;

/** @param {App} app @param {import('../state/document.js').State} state */
export function areasTable(app, { document }) {
  const areas = areasOf(document);
  const change = (/** @type {number} */ id, /** @type {Partial<Area>} */ patch, /** @type {string} */ what) => (
    app.store.edit(`change ${what}`, (draft) => {
      draft.areas = areasOf(draft).map((area) => (area.id === id ? { ...area, ...patch } : area));
    }, what === 'colour of an area' ? { merge: `area ${id}` } : {}));
  const setCost = (/** @type {Area} */ area, /** @type {HTMLInputElement} */ input) => {
    const cost = Math.min(MAX_COST, Math.max(0, input.valueAsNumber));
    if (Number.isFinite(cost) && cost !== area.cost) change(area.id, { cost }, 'cost of an area');
    else input.value = String(area.cost);
  };
  const addArea = () => app.store.edit('add area', (draft) => {
    const id = nextArea(areasOf(draft));
    if (id) draft.areas = [...areasOf(draft), { id, name: `Area ${id}`, color: COLORS[id % COLORS.length], cost: 1, walkable: true }];
  });
  const remove = (/** @type {number} */ id) => app.store.edit('delete area', (draft) => {
    draft.areas = areasOf(draft).filter((area) => area.id !== id);
  });
  const reset = () => app.store.edit('reset areas', (draft) => { draft.areas = keepUsed(draft); });
  return html`
    <table class="areas" aria-label="Area types">
      <thead><tr>
        <th scope="col">Area</th><th scope="col" title="Cost per metre for paths and crowds">Cost</th>
        <th scope="col" title="Whether agents may enter">Walkable</th><td><span class="hidden-text">Delete</span></td></tr></thead>
      <tbody>${repeat(areas, ({ id }) => id, (area) => html`
        <tr>
          <td><span class="area">
            <input type="color" aria-label="Colour of ${area.name}" .value=${area.color}
              @input=${(/** @type {any} */ event) => change(area.id, { color: event.target.value }, 'colour of an area')}
              @change=${() => app.store.commit()}>
            <input type="text" aria-label="Name of area ${area.id}" maxlength="24" .value=${area.name}
              @change=${(/** @type {any} */ event) => change(area.id, { name: event.target.value.trim() || `Area ${area.id}` }, 'name of an area')}></span></td>
          <td><input type="number" aria-label="Cost of ${area.name}" min="0" max=${MAX_COST} step="0.5" .value=${String(area.cost)}
            @change=${(/** @type {any} */ event) => setCost(area, event.target)}></td>
          <td class="middle"><input type="checkbox" aria-label="${area.name} is walkable" .checked=${area.walkable}
            @change=${(/** @type {any} */ event) => change(area.id, { walkable: event.target.checked }, 'whether an area is walkable')}></td>
          <td><button class="plain" aria-label="Delete area ${area.name}" title="Delete" ?disabled=${area.id === 0 || isUsed(document, area.id)}
            @click=${() => remove(area.id)}>${icon('x')}</button></td>
        </tr>`)}</tbody>
    </table>
    <div class="buttons">
      <wa-button size="s" appearance="outlined" ?disabled=${nextArea(areas) === 0} @click=${addArea}>${icon('plus', 'start')}Add area</wa-button>
      <wa-button size="s" appearance="outlined" @click=${reset}>${icon('rotate-ccw', 'start')}Reset</wa-button>
    </div>
    <p class="hint">Paths and agents prefer areas with a lower cost per metre.</p>`;
}

/** Colours of added areas. */
const COLORS = ['#e0b04a', '#5fb8ff', '#c58bff', '#8fd15f', '#ff9a76', '#4fd0c0'];

/** @param {import('../state/document.js').Document} document @param {number} id */
const isUsed = ({ volumes, obstacles, connections, doors, links, pinnedLinks }, id) => (
  [...volumes, ...obstacles, ...connections, ...pinnedLinks].some(({ area }) => area === id) || LINK_KINDS.some(({ kind }) => links[kind].area === id) || (id === DOOR && doors.length > 0));

/** The default table plus the other areas in use. @param {import('../state/document.js').Document} document */
function keepUsed(document) {
  const areas = defaultAreas();
  return [...areas, ...areasOf(document).filter(({ id }) => !areas.some((area) => area.id === id) && isUsed(document, id))];
}
