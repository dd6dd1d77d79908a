/**
 * Why the path tool finds no path, or a long one: asks the mesh a moment after the markers rest, and if the mesh doesn't know, the level in the stage worker.
 * Each cause has buttons for its changes, as one undo step.
 */
import { explainPath } from 'walkmesh';
import { html, nothing } from 'lit';
import { css } from '../ui/panels/layers-panel.js';
import { END } from '../view/colors.js';
import { actionButtons } from '../inspect/verdict.js';
import { blockingWords } from '../problems/blocking-obstacles.js';
import { toLinkConfig } from '../links/kinds.js';
import { limitsFix } from '../links/link-words.js';
import { withPanelNames } from './cause-labels.js';
import { metres } from './result-text.js';

/** @typedef {import('../app.js').App} App */
/** @typedef {import('walkmesh').Cause & { items?: import('../edit/items.js').Selection[] }} Cause items that are in the way */
/** @typedef {import('walkmesh').Change} Change */
/** @typedef {import('walkmesh').NavMesh} NavMesh */
/** @typedef {import('walkmesh').PathExplanation} PathExplanation */
/** @typedef {import('../problems/list-problems.js').Action} Action */
/** @typedef {import('../state/document.js').Point} Point */
/** @typedef {{ start: Point, end: Point }} Places */

/** Milliseconds without a change before an explanation. */
const REST = 300;
/** Most causes that are listed. */
const MOST_CAUSES = 3;

/** Labels of fields: "Allow steps of 0.6 m". @type {Record<string, (value: number) => string>} */
const FIELDS = {
  agentMaxClimb: (value) => `steps of ${value} m`, agentMaxSlope: (value) => `slopes of ${value}°`, agentRadius: (value) => `radius ${value} m`,
  agentHeight: (value) => `height ${value} m`, minRegionSize: () => 'small islands', cellSize: (value) => `cells of ${value} m`,
};

/** The button of a change; null: the tool can't apply it. @param {App} app @param {Change} change @returns {Action | null} */
function actionOf(app, change) {
  const { live } = app.edits;
  const { doors, connections } = app.store.state.document;
  if (change.kind === 'config') {
    const what = Object.entries(change.fields).flatMap(([name, value]) => FIELDS[name]?.(Number(value)) ?? []).join(' and ');
    const verb = Object.keys(change.fields).join() === 'cellSize' ? 'use' : 'allow';
    return { kind: 'config', label: `${verb[0].toUpperCase()}${verb.slice(1)} ${what}`, step: `${verb} ${what}`, fields: change.fields };
  }
  if (change.kind === 'links') return { kind: 'links', ...limitsFix(change.linkKind, change.links) };
  if (change.kind === 'connect') return { kind: 'connect', label: 'Add a connection here', start: change.start, end: change.end };
  const door = change.kind === 'switch' ? doors.find(({ id }) => live.switchNumber(`door ${id}`) === change.number) : undefined;
  if (door) return { kind: 'edit', label: `Open ${door.name || `door ${door.id}`}`, item: { kind: 'door', id: door.id }, step: 'open door', patch: { open: true } };
  const connection = change.kind === 'enable' || change.kind === 'two-way' || change.kind === 'move' ? connections.find(({ id }) => live.connectionRef(id) === change.connection) : undefined;
  if (!connection) return null;
  if (change.kind === 'move') return { kind: 'edit', label: 'Move onto the mesh', item: { kind: 'connection', id: connection.id }, step: 'move connection', patch: { start: change.start, end: change.end } };
  const [label, patch] = change.kind === 'enable' ? ['Enable connection', { enabled: true }] : ['Allow both directions', { bidirectional: true }];
  return { kind: 'edit', label, item: { kind: 'connection', id: connection.id }, step: label.toLowerCase(), patch };
}

/** A cause with the names of the level tool. @param {App} app @param {Cause} cause */
const textOf = (app, cause) => withPanelNames(namesOf(app, cause));

/** A cause with the names of doors and areas. @param {App} app @param {Cause} cause */
function namesOf(app, { kind, text, figure, changes }) {
  // The library's text asks for the level, in which the tool looks by itself.
  if (kind === 'apart') return figure === null ? 'The mesh ends.' : `The mesh ends, ${metres(figure)} from the ground of the end.`;
  const [change] = changes, { doors, areas } = app.store.state.document;
  if (changes.length > 1) return text.replaceAll(/`door ([^`]+)`/g, (_, id) => doors.find((door) => String(door.id) === id)?.name || id);
  if (change?.kind !== 'switch') return text;
  const door = doors.find(({ id }) => app.edits.live.switchNumber(`door ${id}`) === change.number);
  if (door) return `${door.name || `Door ${door.id}`} is closed.`;
  const area = areas?.find(({ id }) => app.edits.live.switchNumber(`area ${id}`) === change.number);
  return area ? `${area.name} isn't walkable.` : text;
}

/** The sentence of a cause, and its buttons. @param {App} app @param {Cause} cause @returns {{ text: string, actions: Action[] }} */
function wordsOf(app, cause) {
  if (cause.items?.length) return blockingWords(app.store.state.document, cause.items);
  return { text: textOf(app, cause), actions: [cause.changes, ...cause.alternatives ?? []].flat().flatMap((change) => actionOf(app, change) ?? []) };
}

export class PathWhy {
  #app;
  #shown;
  #timer = 0;
  /** Counts the questions: answers to older ones are ignored. */
  #question = 0;
  /** @type {Cause[]} */
  causes = [];
  isLooking = false;
  /** True if the view shows where the search ended. */
  #hasPlaces = false;
  /** True if there is a path. */
  #isLong = false;

  /** @param {App} app @param {(explanation: PathExplanation | null) => void} shown called with the places where the search ended; null: none */
  constructor(app, shown) {
    this.#app = app;
    this.#shown = shown;
  }

  /** Forgets the last answer, and asks again once nothing changes for a moment. @param {NavMesh} navMesh @param {Places} places @param {import('walkmesh').PathOptions} options */
  ask(navMesh, places, options) {
    this.forget();
    this.isLooking = true;
    this.#timer = window.setTimeout(() => void this.#answer(this.#question, navMesh, places, options).catch((error) => {
      this.forget();
      console.error(error);
    }), REST);
  }

  forget() {
    window.clearTimeout(this.#timer);
    this.#question++;
    this.causes = [];
    this.isLooking = this.#hasPlaces = false;
    this.#shown(null);
  }

  /** @param {number} question @param {NavMesh} navMesh @param {Places} places @param {import('walkmesh').PathOptions} options */
  async #answer(question, navMesh, { start, end }, options) {
    const explanation = explainPath(navMesh, start, end, options);
    this.#shown(explanation);
    this.#hasPlaces = explanation.places.length > 0;
    this.#isLong = explanation.path.status === 'complete';
    this.#set(explanation.causes, false);
    if (explanation.causes.some(({ isVerified }) => isVerified)) return;
    this.#set(explanation.causes, true);
    const found = await this.#app.stages.explainPath(start, end, options.filter, toLinkConfig(this.#app.store.state.document)).catch(() => null);
    if (question !== this.#question) return;
    this.#set(found?.length ? found : explanation.causes, false);
  }

  /** @param {Cause[]} causes @param {boolean} isLooking */
  #set(causes, isLooking) {
    this.causes = causes;
    this.isLooking = isLooking;
    this.#app.viewport.invalidate();
    this.#app.panels.refresh();
  }

  /** The list of causes with their changes. */
  draw() {
    const key = this.#hasPlaces ? html`<ul class="shares" aria-label="Lines in the view"><li><i style="background: ${css(END)}"></i>Where the search ended</li></ul>` : nothing;
    if (this.isLooking && this.causes.length === 0) return html`${key}<p class="quiet">Looking for the cause …</p>`;
    const title = this.#isLong ? 'Why so long' : 'Why';
    if (this.causes.length === 0) return key;
    return html`${key}<h3>${title}</h3>
      <ul class="causes" aria-label=${title}>${this.causes.filter(({ isAlsoNeeded }) => !isAlsoNeeded).slice(0, MOST_CAUSES).map((cause) => wordsOf(this.#app, cause)).map(({ text, actions }) => html`
        <li><p>${text}</p>
          <div class="mends" role="group" aria-label="Open the way">${actionButtons(this.#app, actions)}</div></li>`)}
      </ul>
      ${this.isLooking ? html`<p class="quiet">Looking in the level …</p>` : nothing}`;
  }
}
