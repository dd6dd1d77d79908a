/** The crowd tool: the mouse adds, selects and sends agents; the frame loop steps the crowd while an agent moves. */
import { Random } from 'walkmesh';
import { areaFilter } from '../edit/areas.js';
import { readSettings } from '../tools/settings.js';
import { crowdPanel } from './crowd-panel.js';
import { CrowdView } from './crowd-view.js';
import { placeAnywhere, placeAround } from './placement.js';
import { agentAt, agentsInBox, boxBetween } from './selection.js';
import { CROWD_SETTINGS, MODES, ORDERS, optionsOf, parametersOf } from './settings.js';
import { Simulation } from './simulation.js';

/** @typedef {import('../app.js').App} App */
/** @typedef {import('../state/document.js').Document} Document */
/** @typedef {import('../state/document.js').Point} Point */
/** @typedef {import('../view/picking.js').LevelHit} LevelHit */

/** Milliseconds between updates of the numbers in the panel. */
const PANEL_PERIOD = 200;
/** Pixels the pointer may move during a click. */
const CLICK_SLACK = 4;
/** Distance between new agents in radii, where there is room. */
const APART = 2.2;

const nameAgents = (/** @type {number} */ count) => (count === 1 ? 'an agent' : `${count} agents`);

export class CrowdTool {
  /** @type {typeof MODES[number]} */
  mode = 'add';
  /** The order that a click gives in the mode "send". @type {typeof ORDERS[number]} */
  order = 'go';
  /** Points of the patrol that clicks extend. @type {Point[]} */
  route = [];
  simulation;
  #app;
  #view;
  #random = new Random(11);
  #isActive = false;
  #panelDrawn = 0;
  /** True if the last frame moved an agent: the final positions still need one drawing. */
  #isMoving = false;
  /** Start of a selection box. @type {PointerEvent | null} */
  #boxStart = null;
  #level = '';

  /** @param {App} app */
  constructor(app) {
    this.#app = app;
    const { document } = app.store.state;
    this.simulation = new Simulation(parametersOf(this.settings), areaFilter(document), optionsOf(this.settings));
    this.#view = new CrowdView(this.simulation, app.viewport);
    // Which agents are far depends on the camera.
    app.viewport.controls.addEventListener('change', () => this.#view.draw(this.settings));
    app.viewport.overlay.add(this.#view.object);
    this.#level = app.levels.current?.name ?? '';
    app.events.on('level', ({ name }) => this.#changeLevel(name));
    app.events.on('mesh-ending', () => this.#end());
    app.events.on('mesh', (baked) => this.#begin(baked));
    app.events.on('tiles', () => this.#wake());
    app.store.subscribe((state, previous) => this.#follow(state.document, previous.document));
    app.frames.add((seconds, now) => this.#frame(seconds, now));
    this.#begin(app.bakes.current);
  }

  /** @returns {import('./settings.js').CrowdSettings} */
  get settings() {
    return readSettings(CROWD_SETTINGS, this.#app.store.state.document.places.crowd);
  }

  // ---- Mesh --------------------------------------------------------------------------------------------------

  /** @param {import('../bake/bakes.js').Baked | null} baked */
  #begin(baked) {
    if (!baked) return;
    this.simulation.begin(baked.navMesh, baked.dynamic);
    this.#wake();
  }

  #end() {
    this.#view.drop();
    this.simulation.end();
  }

  /** @param {string} name */
  #changeLevel(name) {
    if (name === this.#level) return;
    this.#level = name;
    this.#view.drop();
    this.simulation.clear();
    this.#wake();
  }

  /** @param {Document} document @param {Document} previous */
  #follow(document, previous) {
    if (document.places.crowd !== previous.places.crowd) {
      const before = readSettings(CROWD_SETTINGS, previous.places.crowd), now = this.settings;
      if (JSON.stringify(parametersOf(before)) !== JSON.stringify(parametersOf(now))) this.simulation.setParameters(parametersOf(now));
      if (before.patience !== now.patience) this.simulation.setOptions(optionsOf(now));
      this.#wake();
    }
    if (areaFilter(document) !== areaFilter(previous)) {
      this.simulation.setFilter(areaFilter(document));
      this.#wake();
    }
  }

  // ---- Time --------------------------------------------------------------------------------------------------

  /** Steps the crowd while an agent moves, and draws the changes. */
  #wake() {
    this.simulation.wake();
    this.#redraw();
    this.#app.frames.wake();
    this.#app.panels.refresh();
  }

  #redraw() {
    this.#view.draw(this.settings);
    this.#view.drawTargets();
    this.#app.viewport.invalidate();
  }

  /** @param {number} seconds @param {number} now */
  #frame(seconds, now) {
    const { simulation } = this;
    simulation.lookAround();
    if (!simulation.isAwake && !this.#isMoving) return false;
    simulation.advance(seconds);
    this.#isMoving = simulation.isAwake;
    this.#view.draw(this.settings);
    this.#app.viewport.invalidate();
    if (simulation.routines.count > 0) this.#view.drawTargets();
    if (this.#isActive && (now - this.#panelDrawn > PANEL_PERIOD || !this.#isMoving)) {
      this.#panelDrawn = now;
      this.#app.panels.refresh();
    }
    return this.#isMoving;
  }

  togglePause() {
    this.simulation.isPaused = !this.simulation.isPaused;
    this.#wake();
  }

  stepOnce() {
    this.simulation.isPaused = true;
    this.simulation.stepOnce();
    this.#redraw();
    this.#app.panels.refresh();
  }

  // ---- Agents ------------------------------------------------------------------------------------------------

  /** Radius and spacing of new agents. */
  get #placing() {
    const { crowd } = this.simulation;
    return {
      apart: APART * this.settings.radius, random: this.#random, filter: areaFilter(this.#app.store.state.document), others: crowd?.positions ?? [],
    };
  }

  addHundred() {
    const navMesh = this.#app.bakes.current?.navMesh;
    if (!navMesh) return;
    this.#add(placeAnywhere(navMesh, { count: 100, polygon: this.#app.islands.finish().main?.polygon, ...this.#placing }));
  }

  /** @param {LevelHit} hit */
  #addAt({ point }) {
    const navMesh = this.#app.bakes.current?.navMesh;
    if (!navMesh) return;
    const { perClick, brush } = this.settings;
    this.#add(perClick === 1 ? point : placeAround(navMesh, point, brush, { count: perClick, ...this.#placing }));
  }

  /** Adds agents as one step of undo. @param {ArrayLike<number>} points [n][3] */
  #add(points) {
    const agents = this.simulation.add(points);
    this.#wake();
    if (agents.length > 0) this.#recordAgents(`add ${nameAgents(agents.length)}`, this.simulation.save(agents), true);
  }

  /** Removes agents as one step of undo. @param {ArrayLike<number>} agents */
  #remove(agents) {
    const saved = this.simulation.save(agents);
    this.simulation.remove(agents);
    this.#wake();
    if (saved.length > 0) this.#recordAgents(`delete ${nameAgents(saved.length)}`, saved, false);
  }

  /**
   * @param {string} label of undo @param {import('./simulation.js').SavedAgent[]} saved the agents as they are, or were
   * @param {boolean} areAdded by the step; else it removes them
   */
  #recordAgents(label, saved, areAdded) {
    const keys = saved.map(({ note }) => note.key);
    const remove = () => {
      const removed = this.simulation.removeKeys(keys);
      // None are left if another level was open in between: they return as they were before.
      if (removed.length > 0) saved = removed;
      this.#wake();
    };
    const restore = () => {
      this.simulation.restore(saved);
      this.#wake();
    };
    this.#app.store.recordEffect(label, areAdded ? { undo: remove, redo: restore } : { undo: restore, redo: remove });
  }

  stop() {
    this.simulation.stop();
    this.#wake();
  }

  reset() {
    this.simulation.reset();
    this.#wake();
  }

  removeSelected() {
    this.#remove(Float64Array.from(this.simulation.selected));
  }

  removeAll() {
    this.simulation.times.clear();
    this.#remove(this.simulation.crowd?.agents ?? []);
  }

  /** @param {Iterable<number>} agents @param {boolean} isMore true if the current selection stays */
  select(agents, isMore) {
    const { simulation } = this;
    simulation.selected = new Set(isMore ? [...simulation.selected, ...agents] : agents);
    this.#redraw();
    this.#app.panels.refresh();
  }

  // ---- The panel ---------------------------------------------------------------------------------------------

  /** @param {string} label @param {Partial<import('./settings.js').CrowdSettings>} patch */
  set(label, patch) {
    this.#app.store.edit(label, ({ places }) => { places.crowd = { ...places.crowd, ...patch }; });
  }

  /** @param {typeof MODES[number]} mode */
  setMode(mode) {
    this.mode = mode;
    this.#drawBrush(null);
    this.#setRoute([]);
    this.#app.panels.refresh();
  }

  /** @param {typeof ORDERS[number]} order */
  setOrder(order) {
    this.order = order;
    this.#setRoute([]);
    if (order === 'wander') this.simulation.wander();
    this.#wake();
  }

  /** @param {Point[]} points */
  #setRoute(points) {
    this.route = points;
    this.#view.drawRoute(points);
  }

  /** @param {Point} point */
  #sendTo(point) {
    const { simulation, order } = this;
    if (order === 'patrol') {
      this.#setRoute([...this.route, point]);
      simulation.patrol(this.route);
    } else if (order === 'rally') simulation.rally(point);
    else simulation.send(point);
    this.#wake();
  }

  panel() {
    return crowdPanel(this, this.settings);
  }

  // ---- Mouse and keyboard ------------------------------------------------------------------------------------

  activate() {
    this.#isActive = true;
    this.#redraw();
  }

  deactivate() {
    this.#isActive = false;
    this.#drawBrush(null);
    this.#view.drawBox(null);
    this.#boxStart = null;
  }

  /** @param {LevelHit | null} hit */
  #drawBrush(hit) {
    const { perClick, brush } = this.settings;
    const isDrawn = this.#view.drawBrush(hit && this.mode === 'add' && perClick > 1 ? hit.point : null, brush);
    if (isDrawn) this.#app.viewport.invalidate();
  }

  /** @param {LevelHit | null} _hit @param {PointerEvent} event */
  pointerdown(_hit, event) {
    if (this.mode !== 'select' && !event.shiftKey) return false;
    this.#boxStart = event;
    return true;
  }

  /** @param {LevelHit | null} hit @param {PointerEvent} event */
  pointermove(hit, event) {
    if (!this.#boxStart) {
      this.#drawBrush(hit);
      return false;
    }
    this.#view.drawBox(boxBetween(this.#boxStart, event));
    return true;
  }

  /** @param {LevelHit | null} _hit @param {PointerEvent} event */
  pointerup(_hit, event) {
    const start = this.#boxStart;
    this.#boxStart = null;
    this.#view.drawBox(null);
    if (!start || Math.hypot(event.clientX - start.clientX, event.clientY - start.clientY) <= CLICK_SLACK) return false;
    const { crowd, count } = this.simulation;
    const found = agentsInBox(this.#app.viewport, this.#view.positions, count, this.settings.height, boxBetween(start, event));
    this.select(found.map((index) => /** @type {import('walkmesh').Crowd} */ (crowd).agents[index]), event.shiftKey);
    return true;
  }

  /** @param {LevelHit | null} hit @param {PointerEvent} event */
  click(hit, event) {
    if (this.mode === 'add' && hit && !event.shiftKey) this.#addAt(hit);
    else if (this.mode === 'send' && hit && !event.shiftKey) this.#sendTo(hit.point);
    else if (this.mode === 'select' || event.shiftKey) this.#selectAt(event);
  }

  /** @param {PointerEvent} event */
  #selectAt(event) {
    const { crowd, count } = this.simulation;
    const index = agentAt(this.#app.viewport, this.#view.positions, count, this.settings.height, event);
    if (index >= 0 && crowd) this.select([crowd.agents[index]], event.shiftKey);
    else if (!event.shiftKey) this.select([], false);
  }

  /** Keys: 1, 2, 3 choose the mode, space pauses, full stop steps once, a selects all; Delete and Escape. @param {KeyboardEvent} event */
  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return false;
    const mode = MODES[Number(event.key) - 1];
    const { selected, crowd } = this.simulation;
    if (mode) this.setMode(mode);
    else if (event.key === ' ') this.togglePause();
    else if (event.key === '.') this.stepOnce();
    else if (event.key === 'a' && crowd) this.select(crowd.agents, false);
    else if (event.key === 'Delete' && selected.size > 0) this.removeSelected();
    else if (event.key === 'Escape' && selected.size > 0) this.select([], false);
    else return false;
    return true;
  }
}

/** @type {import('../tools/tools.js').ToolKind} */
export const crowdToolKind = {
  id: 'crowd', label: 'Crowd', icon: 'users', shortcut: 'c', group: 'agents',
  hint: '1 adds, 2 selects, 3 sends agents. Space pauses; ? lists all keys.',
  create: (app) => new CrowdTool(app),
};
