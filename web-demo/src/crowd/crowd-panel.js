/** What the crowd tool says: what a click does, how many there are and what they do, how long steps take, and what agents are like. */
import { html, nothing, svg } from 'lit';
import { agentStateColor } from 'walkmesh/three';
import { choiceField, factList, numberField, switchField } from '../ui/fields.js';
import { icon } from '../ui/icon.js';
import { REASON_WORDS, STATE_WORDS, counted, metres } from '../tools/words.js';
import { AVOIDANCE_NAMES, MODES } from './settings.js';
import { WINDOW } from './step-times.js';

/** @typedef {import('./crowd-tool.js').CrowdTool} CrowdTool */
/** @typedef {import('./settings.js').CrowdSettings} CrowdSettings */
/** @typedef {import('./simulation.js').Simulation} Simulation */

const MODE_LABELS = { add: 'Add', select: 'Select', send: 'Send' };
const MODE_ICONS = { add: 'user-plus', select: 'square-dashed-mouse-pointer', send: 'send' };
const MODE_HINTS = {
  add: 'Click the ground to add agents.',
  select: 'Click an agent, or drag a box around many. Shift adds to the selection.',
  send: 'Click where the selected agents shall go; all of them where none is selected.',
};
const AVOIDANCE_LABELS = { none: 'None', low: 'Low', medium: 'Medium', high: 'High', sampling: 'Sampling' };
/** Size of the graph, and the least time that it reaches up to, milliseconds. */
const [GRAPH_WIDTH, GRAPH_HEIGHT, GRAPH_LEAST] = [WINDOW, 36, 1];

/** Step times as bars. @param {Simulation} simulation */
function graph({ times }) {
  const list = times.list();
  const top = Math.max(GRAPH_LEAST, ...list);
  const path = list.map((value, i) => `M${WINDOW - list.length + i + 0.5} ${GRAPH_HEIGHT}v${(-value / top * (GRAPH_HEIGHT - 2)).toFixed(2)}`).join('');
  return html`
    <svg class="graph" viewBox="0 0 ${GRAPH_WIDTH} ${GRAPH_HEIGHT}" preserveAspectRatio="none" role="img" aria-label="Times of the last ${list.length} steps, up to ${top.toFixed(1)} ms">
      ${svg`<path d=${path}></path>`}</svg>
    <div class="graph-scale"><span>last ${WINDOW} steps</span><span>${top.toFixed(1)} ms</span></div>`;
}

/** @param {Simulation} simulation */
function states(simulation) {
  return html`<ul class="shares" aria-label="Agents by state">${simulation.countStates().map(({ state, count }) => html`
    <li><i style="background: #${agentStateColor(state).getHexString()}"></i>${STATE_WORDS[state]}<span>${count}</span></li>`)}</ul>`;
}

/** Of the only one that is selected. @param {Simulation} simulation */
function oneAgent({ crowd, selected }) {
  const [agent] = selected;
  if (!crowd || selected.size !== 1) return nothing;
  const { state, reason, remaining, hasTarget } = crowd.info(agent);
  const speed = Math.hypot(...crowd.velocity(agent));
  return factList([
    ['State', reason ? `${STATE_WORDS[state]}: ${REASON_WORDS[reason]}` : STATE_WORDS[state]],
    ['Speed', `${speed.toFixed(2)} m/s`],
    ['Way left', hasTarget ? metres(remaining) : 'none'],
  ]);
}

/** @param {CrowdTool} tool @param {CrowdSettings} settings */
function placing(tool, settings) {
  return html`
    ${choiceField({ label: 'Per click', value: String(settings.perClick), options: [...new Set([1, 10, 100, settings.perClick])].map((count) => (
      { value: String(count), label: counted(count, 'agent') })), change: (count) => tool.set('change agents per click', { perClick: Number(count) }) })}
    ${settings.perClick > 1 ? numberField({ label: 'Brush radius', unit: 'm', value: settings.brush, min: 0.5, step: 0.5, change: (brush) => tool.set('change brush', { brush }) }) : nothing}
    <wa-button size="s" appearance="outlined" @click=${() => tool.addHundred()}>${icon('plus', 'start')}100 anywhere</wa-button>`;
}

/** @param {CrowdTool} tool @param {CrowdSettings} settings */
function parameters(tool, settings) {
  const number = (/** @type {'radius' | 'height' | 'maxSpeed' | 'maxAcceleration' | 'separation' | 'horizon' | 'stoppingDistance'} */ name,
    /** @type {string} */ label, /** @type {string} */ unit, /** @type {string} */ hint = '') =>
    numberField({ label, unit, hint, value: settings[name], min: 0, change: (value) => tool.set(`change ${label.toLowerCase()}`, { [name]: value }) });
  return html`
    <h3>All agents</h3>
    ${number('radius', 'Radius of agents', 'm')}
    ${number('height', 'Height of agents', 'm')}
    ${number('maxSpeed', 'Speed', 'm/s')}
    ${number('maxAcceleration', 'Acceleration', 'm/s²')}
    ${choiceField({ label: 'Avoidance', value: settings.avoidance, hint: 'Of how many neighbours they keep clear.',
      options: AVOIDANCE_NAMES.map((value) => ({ value, label: AVOIDANCE_LABELS[value] })), change: (avoidance) => tool.set('change avoidance', { avoidance }) })}
    ${number('separation', 'Separation', '', 'How strongly they keep away beyond touching; 1 is strong.')}
    ${number('horizon', 'Looks ahead', 's', 'What they would meet within this time is avoided.')}
    ${number('stoppingDistance', 'Stops before', 'm', 'So far from its target an agent stops.')}
    ${switchField({ label: 'Turns in arcs', value: settings.anticipateTurns, hint: 'Before corners, not at them.',
      change: (anticipateTurns) => tool.set('switch turns in arcs', { anticipateTurns }) })}`;
}

/** @param {CrowdTool} tool @param {CrowdSettings} settings */
export function crowdPanel(tool, settings) {
  const { simulation, mode } = tool;
  const { count, selected, times, isPaused } = simulation;
  if (!simulation.crowd && count === 0) return html`<p class="quiet">There is no navigation mesh yet.</p>`;
  const { median, worst } = times.summary();
  const milliseconds = (/** @type {number} */ value) => (times.count === 0 ? '–' : `${value.toFixed(2)} ms`);
  return html`
    <div class="modes" role="group" aria-label="What a click does">${MODES.map((name) => html`
      <button aria-pressed=${mode === name} @click=${() => tool.setMode(name)}>${icon(MODE_ICONS[name])}${MODE_LABELS[name]}</button>`)}</div>
    <p class="quiet">${MODE_HINTS[mode]}</p>
    ${mode === 'add' ? placing(tool, settings) : nothing}
    <div class="actions">
      <wa-button size="s" appearance="outlined" ?disabled=${count === 0} @click=${() => tool.togglePause()}>${icon(isPaused ? 'play' : 'pause', 'start')}${isPaused ? 'Go on' : 'Pause'}</wa-button>
      <wa-button size="s" appearance="outlined" ?disabled=${count === 0} @click=${() => tool.stepOnce()}>${icon('step-forward', 'start')}Step</wa-button>
      <wa-button size="s" appearance="outlined" ?disabled=${count === 0} @click=${() => tool.stop()}>${icon('square', 'start')}Stop</wa-button>
      <wa-button size="s" appearance="outlined" ?disabled=${count === 0} @click=${() => tool.reset()}>${icon('rotate-ccw', 'start')}Reset</wa-button>
      <wa-button size="s" appearance="outlined" ?disabled=${selected.size === 0} @click=${() => tool.removeSelected()}>${icon('trash-2', 'start')}Remove selected</wa-button>
      <wa-button size="s" appearance="outlined" ?disabled=${count === 0} @click=${() => tool.removeAll()}>${icon('x', 'start')}Remove all</wa-button>
    </div>
    ${factList([
      ['Agents', html`<output aria-label="Agents">${count}</output>`],
      ['Selected', html`<output aria-label="Selected agents">${selected.size || 'none'}</output>`],
      ['Step, median', html`<output aria-label="Median step">${milliseconds(median)}</output>`],
      ['Step, worst', milliseconds(worst)],
    ])}
    ${times.count > 0 ? graph(simulation) : nothing}
    ${count > 0 ? states(simulation) : nothing}
    ${oneAgent(simulation)}
    ${switchField({ label: 'Velocities', value: settings.velocities, hint: 'Arrows: where each will be in a second.', change: (velocities) => tool.set('switch velocities', { velocities }) })}
    ${switchField({ label: 'Ways of all', value: settings.ways, hint: 'Way, neighbours and walls of the first 24. Otherwise of those that are selected, up to 24.', change: (ways) => tool.set('switch ways', { ways }) })}
    ${parameters(tool, settings)}`;
}
