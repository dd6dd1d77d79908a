/** The answer of the inspector in words, and the actions that would keep the point. */
import { html, nothing } from 'lit';
import { choosePlayStart, playStartOf, removePlayStart } from '../ground/play-start.js';
import { metres } from '../tools/result-text.js';

/** @typedef {import('../app.js').App} App */
/** @typedef {import('./inspector.js').Inspected} Inspected */
/** @typedef {import('../stages/mends.js').Mend} Mend */

/** The obstacle that cuts off the island at a point. Null if it is unknown, for the main ground, and for ceilings. @param {App} app @param {Inspected} inspected */
export const causeFor = ({ problems }, { facts, explanation }) => (
  facts && facts.island > 1 && explanation?.reason !== 'facesDown' ? problems.causes.of(facts.island) : null);

/**
 * The answer for a point on the mesh: one verdict in the title, and the reason after it.
 * @param {App} app @param {Inspected} inspected @param {string} because what the bake has against the point; '': nothing
 * @returns {import('../tools/result-text.js').Verdict}
 */
function verdictOnMesh(app, inspected, because) {
  // Island 1 is the main ground.
  const isCutOff = /** @type {import('./point-info.js').PointInfo} */ (inspected.facts).island > 1;
  const cause = causeFor(app, inspected)?.text;
  if (!isCutOff) return { tone: because ? 'fair' : 'good', title: because ? 'Walkable, at the edge of the mesh' : 'Walkable', text: because };
  // The title begins the sentence. What the bake has against the edge of an island is another verdict, except for ceilings.
  const other = inspected.explanation?.reason === 'facesDown' ? ` ${because}` : '';
  return { tone: 'fair', title: 'Walkable, but cut off', text: cause?.replace(/^Cut off /, '') ?? `from the main ground.${other}` };
}

/** The headline. @param {App} app @param {Inspected} inspected @returns {import('../tools/result-text.js').Verdict} */
export function verdictFor(app, inspected) {
  const { facts, explanation, failure, nearest } = inspected;
  const because = explanation && explanation.reason !== 'walkable' ? explanation.text : '';
  if (facts) return verdictOnMesh(app, inspected, because);
  const away = explanation?.reason === 'simplified' && nearest ? ` The mesh is ${metres(nearest.distance)} away.` : '';
  if (away) return { tone: 'bad', title: 'Not walkable', text: `${because}${away}` };
  return { tone: 'bad', title: 'Not walkable', text: failure ?? (explanation ? explanation.text : '…') };
}

/** Changes the configuration as one undo step, and bakes. @param {App} app @param {Mend} mend */
export function applyMend({ store, bakes }, { step, fields }) {
  store.commit();
  store.edit(step, ({ config }) => { Object.assign(config, fields); });
  store.commit();
  if (!store.state.view.autoBake) void bakes.bake();
}

/** The tool of each kind of item. @type {Record<import('../edit/items.js').ItemKind, string>} */
export const ITEM_TOOLS = { door: 'doors', connection: 'connections', obstacle: 'obstacles', volume: 'volumes' };

/** Selects an item in its tool. @param {App} app @param {import('../edit/items.js').Selection} item */
export function selectItem({ store, edits }, item) {
  store.setView({ tool: ITEM_TOOLS[item.kind] });
  edits.select(item);
}

/** Selects items of one kind. @param {App} app @param {readonly import('../edit/items.js').Selection[]} items */
export function selectItems(app, [first, ...others]) {
  selectItem(app, first);
  for (const item of others) app.edits.toggle(item);
}

/** A button for each change that keeps the point, or for the item that blocks it; none if it is walkable. @param {App} app @param {Inspected} inspected */
export function mendButtons(app, inspected) {
  const { facts, explanation } = inspected;
  const cause = causeFor(app, inspected);
  if (cause && cause.actions.length > 0) return html`<div class="mends" role="group" aria-label="Join it">${actionButtons(app, cause.actions)}</div>`;
  if (facts || !explanation) return nothing;
  const { mends, item } = explanation;
  if (mends.length === 0 && !item) return nothing;
  return html`<div class="mends" role="group" aria-label="Make it walkable">${mends.map((mend) => html`
    <button class="mend" @click=${() => applyMend(app, mend)}>${mend.label}</button>`)}
    ${item ? html`<button class="mend" @click=${() => selectItem(app, item)}>Select it</button>` : nothing}</div>`;
}

/**
 * Buttons that make the island of a walkable point the main ground. @param {App} app @param {Inspected} inspected @param {boolean} [isAtPin] true:
 * only where the point is cut off
 */
export function playStartButtons(app, { facts, point }, isAtPin = false) {
  if (!facts || (isAtPin && facts.island < 2)) return nothing;
  const start = playStartOf(app.store.state.document);
  return html`<div class="mends" role="group" aria-label="Play start">
    <button class="mend" title="Makes its island the main ground: others are cut off from it." @click=${() => choosePlayStart(app, point)}>Play starts here</button>
    ${start && !isAtPin ? html`<button class="mend" @click=${() => removePlayStart(app)}>Remove play start</button>` : nothing}</div>`;
}

/** A button for each action of a problem. @param {App} app @param {readonly import('../problems/list-problems.js').Action[]} actions */
export const actionButtons = (app, actions) => actions.map((action) => html`
  <button class="mend" @click=${() => app.problems.run(action)}>${action.label}</button>`);
