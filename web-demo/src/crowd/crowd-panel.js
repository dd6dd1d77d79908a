/** The panel of the crowd tool: click mode, agent counts, states, step times and agent settings. */
import { html, nothing, svg } from 'lit';
import { choiceField, factList, numberField, switchField } from '../ui/fields.js';
import { icon } from '../ui/icon.js';
import { counted, metres } from '../tools/result-text.js';
import { activityColor, activityWords, describeAgent, numberOf } from './activity.js';
import { describeOrder } from './routines.js';
import { AVOIDANCE_NAMES, MODES, ORDERS } from './settings.js';
import { WINDOW } from './step-times.js';
import { say } from '../ui/touch.js';

/** @typedef {import('./crowd-tool.js').CrowdTool} CrowdTool */
/** @typedef {import('./settings.js').CrowdSettings} CrowdSettings */
/** @typedef {import('./simulation.js').Simulation} Simulation */

const MODE_LABELS = { add: 'Add', select: 'Select', send: 'Send' };
const MODE_ICONS = { add: 'user-plus', select: 'square-dashed-mouse-pointer', send: 'send' };
const MODE_HINTS = {
  add: 'Click the ground to add agents.',
  select: 'Click an agent or drag a box. Hold Shift to add to the selection.',
};
const ORDER_LABELS = { go: 'Go', patrol: 'Patrol', rally: 'Rally', wander: 'Wander' };
const ORDER_HINTS = {
  go: 'Click a destination for the selected agents, or for all if none is selected.',
  patrol: 'Click two or more points: the selected agents, or all, walk between them.',
  rally: 'Click a point: all agents go there, also those not selected.',
  wander: 'The selected agents, or all, walk to random points they can reach.',
};
const AVOIDANCE_LABELS = { none: 'None', low: 'Low', medium: 'Medium', high: 'High', sampling: 'Sampling' };
const PASSAGE_WORDS = { waits: 'waits outside', holds: 'has the right of way' };
/** Size of the graph, and the shortest time at its top, milliseconds. */
const [GRAPH_WIDTH, GRAPH_HEIGHT, GRAPH_MIN] = [WINDOW, 36, 1];

/** Draws step times as bars. @param {Simulation} simulation */
function graph({ times }) {
  const list = times.list();
  const top = Math.max(GRAPH_MIN, ...list);
  const path = list.map((value, i) => `M${WINDOW - list.length + i + 0.5} ${GRAPH_HEIGHT}v${(-value / top * (GRAPH_HEIGHT - 2)).toFixed(2)}`).join('');
  return html`
    <svg class="graph" viewBox="0 0 ${GRAPH_WIDTH} ${GRAPH_HEIGHT}" preserveAspectRatio="none" role="img" aria-label="Step times: last ${list.length} steps, up to ${top.toFixed(1)} ms">
      ${svg`<path d=${path}></path>`}</svg>
    <div class="graph-scale"><span>Last ${WINDOW} steps</span><span>${top.toFixed(1)} ms</span></div>`;
}

/** @param {Simulation} simulation */
function states(simulation) {
  return html`<ul class="shares" aria-label="Agents by state">${simulation.countStates().map(({ count, ...activity }) => html`
    <li><i style="background: ${activityColor(activity)}"></i>${activityWords(activity)}<span>${count}</span></li>`)}</ul>`;
}

/** Facts of the selected agent, if exactly one is selected. @param {CrowdTool} tool */
function oneAgent(tool) {
  const { crowd, selected } = tool.simulation;
  const [agent] = selected;
  if (!crowd || selected.size !== 1) return nothing;
  const info = crowd.info(agent), { remaining, hasTarget, passage, waitsFor } = info;
  const speed = Math.hypot(...crowd.velocity(agent));
  return html`${factList([
    ['Agent', numberOf(agent)],
    ['State', html`<output aria-label="State">${describeAgent(info)}</output>`],
    ...(passage ? [/** @type {[string, string]} */ (['Narrow passage', PASSAGE_WORDS[passage.state]])] : []),
    ['Speed', `${speed.toFixed(2)} m/s`],
    ['Remaining path', hasTarget ? metres(remaining) : 'None'],
    ['Order', describeOrder(tool.simulation.routines.of(agent), hasTarget)],
  ])}
  ${waitsFor === 0 ? nothing : html`<wa-button size="s" appearance="outlined" @click=${() => tool.select([waitsFor], false)}>${icon('square-dashed-mouse-pointer', 'start')}Select agent ${numberOf(waitsFor)}</wa-button>`}`;
}

/** @param {CrowdTool} tool @param {CrowdSettings} settings */
function placing(tool, settings) {
  return html`
    ${choiceField({ label: say('Agents per click'), value: String(settings.perClick), options: [...new Set([1, 10, 100, settings.perClick])].map((count) => (
      { value: String(count), label: counted(count, 'agent') })), change: (count) => tool.set('change agents per click', { perClick: Number(count) }) })}
    ${settings.perClick > 1 ? numberField({ label: 'Brush radius', unit: 'm', value: settings.brush, min: 0.5, step: 0.5, change: (brush) => tool.set('change brush', { brush }) }) : nothing}
    <wa-button size="s" appearance="outlined" @click=${() => tool.addHundred()}>${icon('plus', 'start')}Add 100 anywhere</wa-button>`;
}

/** @param {CrowdTool} tool */
function orders(tool) {
  const { order, route } = tool;
  return html`
    <div class="orders" role="group" aria-label="Order">${ORDERS.map((name) => html`
      <button aria-pressed=${order === name} @click=${() => tool.setOrder(name)}>${ORDER_LABELS[name]}</button>`)}</div>
    <p class="quiet">${say(ORDER_HINTS[order])}</p>
    ${order === 'patrol' && route.length > 0 ? html`
      <wa-button size="s" appearance="outlined" @click=${() => tool.setOrder('patrol')}>${icon('waypoints', 'start')}New route (${counted(route.length, 'point')} now)</wa-button>` : nothing}`;
}

/** @param {CrowdTool} tool @param {CrowdSettings} settings */
function parameters(tool, settings) {
  const number = (/** @type {'radius' | 'height' | 'maxSpeed' | 'maxAcceleration' | 'separation' | 'horizon' | 'stoppingDistance' | 'wallDistance'} */ name,
    /** @type {string} */ label, /** @type {string} */ unit, /** @type {string} */ hint = '') =>
    numberField({ label, unit, hint, value: settings[name], min: 0, change: (value) => tool.set(`change ${label.toLowerCase()}`, { [name]: value }) });
  return html`
    <h3>Crowd settings</h3>
    ${numberField({ label: 'Patience', unit: 's', value: settings.patience, min: 0, max: 600, step: 0.5, hint: 'Agents blocked for this long pass through others; 0: never.',
      change: (patience) => tool.set('change patience', { patience }) })}
    <h3>Agent settings</h3>
    ${number('radius', 'Radius', 'm')}
    ${number('height', 'Height', 'm')}
    ${number('maxSpeed', 'Speed', 'm/s')}
    ${number('maxAcceleration', 'Acceleration', 'm/s²')}
    ${choiceField({ label: 'Avoidance', value: settings.avoidance, hint: 'Higher settings consider more neighbours.',
      options: AVOIDANCE_NAMES.map((value) => ({ value, label: AVOIDANCE_LABELS[value] })), change: (avoidance) => tool.set('change avoidance', { avoidance }) })}
    ${number('separation', 'Separation', '', 'Strength of the distance kept between agents; 1 is strong.')}
    ${number('horizon', 'Look-ahead time', 's', 'Agents avoid collisions predicted within this time.')}
    ${number('stoppingDistance', 'Stopping distance', 'm', 'Agents stop this far from their destination.')}
    ${number('wallDistance', 'Wall distance', 'm', 'Paths keep this far from walls where there is room.')}
    ${switchField({ label: 'Smooth turns', value: settings.anticipateTurns, hint: 'Agents start to turn before they reach a corner.',
      change: (anticipateTurns) => tool.set('switch smooth turns', { anticipateTurns }) })}
    ${switchField({ label: 'Shortest paths', value: settings.shortest, hint: 'Agents follow exact shortest paths, measured on x and z.',
      change: (shortest) => tool.set('switch shortest paths', { shortest }) })}`;
}

/** @param {CrowdTool} tool @param {CrowdSettings} settings */
export function crowdPanel(tool, settings) {
  const { simulation, mode } = tool;
  const { count, selected, times, isPaused } = simulation;
  if (!simulation.crowd && count === 0) return html`<p class="quiet">No navigation mesh yet. Bake the level first.</p>`;
  const { median, worst } = times.summary();
  const milliseconds = (/** @type {number} */ value) => (times.count === 0 ? '–' : `${value.toFixed(2)} ms`);
  return html`
    <div class="modes" role="group" aria-label="Click mode">${MODES.map((name) => html`
      <button aria-pressed=${mode === name} @click=${() => tool.setMode(name)}>${icon(MODE_ICONS[name])}${MODE_LABELS[name]}</button>`)}</div>
    ${mode === 'send' ? orders(tool) : html`<p class="quiet">${say(MODE_HINTS[mode])}</p>`}
    ${mode === 'add' ? placing(tool, settings) : nothing}
    <div class="actions">
      <wa-button size="s" appearance="outlined" ?disabled=${count === 0} @click=${() => tool.togglePause()}>${icon(isPaused ? 'play' : 'pause', 'start')}${isPaused ? 'Resume' : 'Pause'}</wa-button>
      <wa-button size="s" appearance="outlined" ?disabled=${count === 0} @click=${() => tool.stepOnce()}>${icon('step-forward', 'start')}Step</wa-button>
      <wa-button size="s" appearance="outlined" ?disabled=${count === 0} @click=${() => tool.stop()}>${icon('square', 'start')}Stop</wa-button>
      <wa-button size="s" appearance="outlined" ?disabled=${count === 0} @click=${() => tool.reset()}>${icon('rotate-ccw', 'start')}Reset</wa-button>
      <wa-button size="s" appearance="outlined" ?disabled=${selected.size === 0} @click=${() => tool.removeSelected()}>${icon('trash-2', 'start')}Delete selected</wa-button>
      <wa-button size="s" appearance="outlined" ?disabled=${count === 0} @click=${() => tool.removeAll()}>${icon('x', 'start')}Delete all</wa-button>
    </div>
    ${factList([
      ['Agents', html`<output aria-label="Agents">${count}</output>`],
      ['Selected', html`<output aria-label="Selected agents">${selected.size || 'None'}</output>`],
      ['Step, median', html`<output aria-label="Median step">${milliseconds(median)}</output>`],
      ['Step, worst', milliseconds(worst)],
    ])}
    ${times.count > 0 ? graph(simulation) : nothing}
    ${count > 0 ? states(simulation) : nothing}
    ${oneAgent(tool)}
    ${switchField({ label: 'Velocities', value: settings.velocities, hint: 'Arrows end where each agent will be in one second.', change: (velocities) => tool.set('switch velocities', { velocities }) })}
    ${switchField({ label: 'Show all paths', value: settings.ways, hint: 'Draws path, neighbours and mesh edges of 24 agents; off: of selected agents.', change: (ways) => tool.set('show all paths', { ways }) })}
    ${parameters(tool, settings)}`;
}
