/** The panel of the problems: a list to step through, and what mends the shown one. */
import { html, nothing } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { actionButtons, mendButtons } from '../inspect/verdict.js';
import { icon } from '../ui/icon.js';
import { countProblems, placeInList } from './list-problems.js';
import './problems.css';

/** @typedef {import('../app.js').App} App */
/** @typedef {import('./list-problems.js').Problem} Problem */

/** @type {Record<Problem['kind'], string>} */
const ICONS = { passage: 'arrow-left-right', island: 'map-pin', connection: 'spline', door: 'door-open', link: 'corner-right-down', item: 'circle-x', warning: 'triangle-alert' };

/** What mends a problem: its actions, or those of the inspector at its place, which stay when another tool is chosen. @param {App} app @param {Problem} problem */
function drawAction(app, { kind, point, action, mends = [] }) {
  const all = [...mends, ...(action ? [action] : [])];
  if (all.length > 0) return html`<div class="mends">${actionButtons(app, all)}</div>`;
  if (kind !== 'passage') return nothing;
  const current = /** @type {import('../inspect/inspector.js').Inspected | null} */ (/** @type {any} */ (app.tools.get('inspect')).inspector.current);
  if (current?.explanation && current.point === point) app.problems.answer = current;
  const answer = current?.point === point ? current : app.problems.answer;
  return answer ? mendButtons(app, answer) : nothing;
}

/** @param {App} app @param {Problem} problem */
const textOf = (app, { text, island = 0 }) => (app.problems.causes.isKnown(island) ? text : `Looking for the cause. ${text}`);

/** @param {App} app @param {Problem} problem */
function drawProblem(app, problem) {
  const { problems } = app;
  const { key, kind, title, note = '' } = problem;
  const isShown = key === problems.shown;
  return html`
    <li class=${isShown ? 'selected' : ''}>
      <button class="name" aria-pressed=${isShown} @click=${() => problems.show(problem)}>${icon(ICONS[kind])}<span>${title}</span>${note ? html`<span class="note">${note}</span>` : nothing}</button>
      ${isShown ? html`<p class="quiet">${textOf(app, problem)}</p>
        <div class="act">${drawAction(app, problem)}</div>` : nothing}
    </li>`;
}

/** @param {App} app */
export function addProblemsPanel(app) {
  const { problems } = app;
  app.panels.addSection({
    id: 'problems', side: 'left', isClosed: true, isTall: true,
    title: () => (problems.list.length > 0 ? `Problems · ${countProblems(problems.list).toLocaleString('en')}` : 'Problems'),
    render() {
      problems.findCauses();
      if (problems.list.length === 0) return html`<p class="quiet">${problems.isComplete ? 'No problems found.' : 'Searching …'}</p>`;
      return html`
        <div class="problem-steps">
          <button class="plain" aria-label="Previous problem" title="Previous problem  Shift+F8" @click=${() => problems.step(-1)}>${icon('chevron-right')}</button>
          <button class="plain" aria-label="Next problem" title="Next problem  F8" @click=${() => problems.step(1)}>${icon('chevron-right')}</button>
          <span class="quiet numbers">${placeInList(problems.list, problems.shown)}</span>
        </div>
        ${problems.list.some(({ kind }) => kind === 'island') ? html`<p class="quiet">Islands are cut off from ${app.islands.mainWords}.</p>` : nothing}
        <ul class="problems" aria-label="Problems">${repeat(problems.list, ({ key }) => key, (problem) => drawProblem(app, problem))}</ul>`;
    },
  });
}
