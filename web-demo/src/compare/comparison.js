/**
 * Before and after: draws what the last bake added to the mesh and what it removed, in two colours, with figures, until it is dismissed,
 * another view or tool is chosen, something is placed or changed without a bake, or the mesh is baked again. Links that are generated again are compared, too. A bake with the settings of the mesh before isn't compared: its difference is known. A
 * worker compares; the main thread only copies tiles, a few milliseconds per frame.
 */
import { BufferAttribute, BufferGeometry, DoubleSide, Group, Mesh, MeshBasicMaterial } from 'three';
import { html, nothing, render } from 'lit';
import { totalsOf } from '../bake/totals.js';
import { shiftDepth } from '../layers/depth-shift.js';
import { activeView } from '../layers/views.js';
import { toLinkConfig } from '../links/kinds.js';
import { counted, squareMetres } from '../tools/result-text.js';
import { icon } from '../ui/icon.js';
import { NO_JOINS, countJoins, joinWords } from './joins.js';
import './compare.css';

/** @typedef {import('../app.js').App} App */
/** @typedef {import('walkmesh').NavMesh} NavMesh */

/** @typedef {{ polygons: number, islands: number, links: number }} Counts of a mesh */
/** @typedef {{ counts: Counts, points: Map<number, import('../state/document.js').Point> }} Summary of a mesh; points: one of each island */

/**
 * @typedef {object} Difference
 * @property {number} gained square metres
 * @property {number} lost square metres
 * @property {Record<keyof Counts, [number, number]>} counts before and now
 * @property {import('./joins.js').Joins} joins
 * @property {string} step of undo that led to it; '': unknown
 */

/** Milliseconds of copying per frame. */
const SLICE = 4;
/** Differences below this are none, square metres. */
const LEAST = 0.01;

/** Lists of the document that change the mesh without a bake. */
const LIVE = /** @type {const} */ (['obstacles', 'connections', 'doors']);
/** Most islands that are followed from the mesh before to the mesh now. */
const MOST_ISLANDS = 500;

/** Both counts as text, "27 → 22 islands"; none if they are equal. @param {[number, number]} counts @param {string} noun */
const change = ([before, now], noun) => (before === now ? [] : [`${before.toLocaleString('en')} → ${counted(now, noun)}`]);

/** Colours that stay apart for all kinds of colour vision: of what was added and what was removed. */
export const [GAINED, LOST] = [0xa3e635, 0xe11d74];

export class Comparison {
  /** The shown difference. @type {Difference | null} */
  current = null;
  #app;
  /** @type {Worker | null} */
  #worker = null;
  #request = 0;
  /** @type {NavMesh | null} */
  #navMesh = null;
  /** Tiles that the worker has. @type {Set<number>} */
  #sent = new Set();
  #version = NaN;
  /** Tiles to copy. @type {number[]} */
  #waiting = [];
  /** True if the worker has the whole mesh, and its islands are known. */
  #isWhole = false;
  /** True if the mesh is new since the last comparison. */
  #isNew = false;
  /** Of the mesh before. @type {Summary | null} */
  #before = null;
  /** Of the mesh now, once the worker has all of it. @type {Summary | null} */
  #summary = null;
  /** @type {import('./joins.js').Joins} */
  #joins = NO_JOINS;
  /** The level and configuration of the mesh, as text. */
  #settings = '';
  /** The settings of the mesh before the last comparison; '': none. */
  #formerSettings = '';
  /** The last view that was chosen. @type {string | undefined} */
  #view;
  #step = '';
  #group = new Group();
  #element = document.createElement('div');

  /** @param {App} app */
  constructor(app) {
    this.#app = app;
    this.#element.className = 'compare';
    this.#group.name = 'before and after';
    this.#group.add(...[GAINED, LOST].map((color) => {
      const mesh = new Mesh(new BufferGeometry(), new MeshBasicMaterial({
        color, transparent: true, opacity: 0.8, side: DoubleSide, forceSinglePass: true, depthWrite: false, toneMapped: false,
        polygonOffset: true, polygonOffsetFactor: -4, polygonOffsetUnits: -8,
      }));
      shiftDepth(mesh.material);
      mesh.frustumCulled = false;
      mesh.renderOrder = 9;
      mesh.raycast = () => {};
      return mesh;
    }));
  }

  start() {
    const { events, viewport, frames } = this.#app;
    viewport.canvas.parentElement?.append(this.#element);
    viewport.scene.add(this.#group);
    events.on('level', () => this.#clear());
    events.on('mesh-ending', () => this.#end());
    events.on('mesh', (baked) => baked && this.#begin(baked.navMesh));
    events.on('tiles', () => this.#app.frames.wake());
    // Of a new mesh, its links are counted with it.
    events.on('links', () => { if (this.#navMesh && this.#isWhole) this.#begin(this.#navMesh); });
    this.#view = activeView(this.#app)?.id;
    this.#app.store.subscribe(({ view, document }, { view: former, document: before }) => {
      if (view.layers !== former.layers) this.#followView();
      // Another tool asks another question, and the difference isn't that of objects that change the mesh without a bake.
      if (view.tool !== former.tool || LIVE.some((list) => document[list] !== before[list])) this.dismiss();
    });
    frames.add(() => this.#copy());
    const { current } = this.#app.bakes;
    if (current) this.#begin(current.navMesh);
  }

  /** Removes the drawing and the figures. */
  dismiss() {
    if (!this.current) return;
    this.current = null;
    this.#group.visible = false;
    render('', this.#element);
    this.#app.viewport.invalidate();
  }

  /** Another view asks another question. Changes of single layers don't. */
  #followView() {
    const chosen = activeView(this.#app)?.id ?? this.#view;
    if (chosen !== this.#view) this.dismiss();
    this.#view = chosen;
  }

  #clear() {
    this.#send({ kind: 'clear' });
    this.#end();
    this.#settings = this.#formerSettings = '';
    this.#isWhole = this.#isNew = false;
    this.#before = this.#summary = null;
    this.dismiss();
  }

  #end() {
    this.#navMesh = null;
    this.#waiting = [];
    this.#request++;
  }

  /** @param {NavMesh} navMesh */
  #begin(navMesh) {
    this.dismiss();
    this.#send({ kind: 'begin', whole: this.#isWhole });
    if (this.#isWhole) this.#before = this.#summary;
    this.#isWhole = false;
    const { document } = this.#app.store.state;
    const { config, volumes } = this.#app.bakes.document ?? document;
    const settings = JSON.stringify([config, volumes, toLinkConfig(document)]);
    const { undoLabel, redoLabel } = this.#app.store;
    // After an undo, the difference to the mesh before is known.
    this.#isNew = redoLabel === undefined || settings !== this.#formerSettings;
    [this.#formerSettings, this.#settings] = [this.#isNew ? this.#settings : '', settings];
    this.#navMesh = navMesh;
    this.#version = NaN;
    this.#sent.clear();
    // After an undo the last step is not what led to this mesh.
    this.#step = redoLabel === undefined ? undoLabel ?? '' : '';
    this.#app.frames.wake();
  }

  /** @param {import('./server.js').Message} message @param {ArrayBuffer[]} [buffers] */
  #send(message, buffers = []) {
    if (!this.#worker) {
      if (message.kind === 'clear') return;
      this.#worker = new Worker(new URL('./worker.js', import.meta.url), { type: 'module' });
      this.#worker.onmessage = ({ data }) => this.#receive(data);
    }
    this.#worker.postMessage(message, buffers);
  }

  /** Copies changed tiles to the worker; once it has all of them, they are compared. @returns {boolean} true: continues in the next frame */
  #copy() {
    const navMesh = this.#navMesh;
    if (!navMesh || navMesh.isFreed || (this.#isWhole && navMesh.version === this.#version)) return false;
    // The mesh is drawn first.
    if (this.#app.viewport.pace.isSlow || !this.#app.bakes.isDrawn) return true;
    // Obstacles are still being carved, or links generated: only the finished mesh counts.
    if ((this.#app.bakes.current?.dynamic?.dirtyTiles ?? 0) > 0 || this.#app.links.isPending) return true;
    if (navMesh.version !== this.#version) this.#list(navMesh);
    if (this.#waiting.length > 0) {
      this.#copySome(navMesh);
      return true;
    }
    const list = this.#app.islands.list(SLICE);
    if (list) this.#finish(navMesh, list.points(MOST_ISLANDS));
    return !list;
  }

  /** @param {NavMesh} navMesh */
  #copySome(navMesh) {
    const end = performance.now() + SLICE;
    const added = [];
    while (this.#waiting.length > 0 && performance.now() < end) {
      const ref = /** @type {number} */ (this.#waiting.pop());
      added.push({ ref, bytes: navMesh.tileBytes(ref).slice() });
      this.#sent.add(ref);
    }
    this.#send({ kind: 'tiles', added, removed: [] }, added.map(({ bytes }) => /** @type {ArrayBuffer} */ (bytes.buffer)));
  }

  /** Lists the tiles that the worker lacks, and removes those that are gone. @param {NavMesh} navMesh */
  #list(navMesh) {
    this.#version = navMesh.version;
    this.#isWhole = false;
    const refs = new Set(navMesh.tileRefs());
    const removed = [...this.#sent].filter((ref) => !refs.has(ref));
    for (const ref of removed) this.#sent.delete(ref);
    if (removed.length > 0) this.#send({ kind: 'tiles', added: [], removed });
    this.#waiting = [...refs].filter((ref) => !this.#sent.has(ref));
  }

  /** @param {NavMesh} navMesh @param {Summary['points']} points */
  #finish(navMesh, points) {
    const { islands } = this.#app;
    this.#isWhole = true;
    this.#summary = { counts: { polygons: totalsOf(navMesh).polygons, islands: islands.count, links: navMesh.segmentLinkCount }, points };
    if (!this.#isNew || !this.#before) {
      this.#isNew = false;
      return;
    }
    this.#joins = countJoins(this.#before.points, navMesh, islands);
    const { cellSize, cellHeight, agentHeight } = this.#app.store.state.document.config;
    this.#send({ kind: 'compare', request: ++this.#request, step: cellSize / 2, tolerance: Math.max(agentHeight / 2, 4 * cellHeight) });
  }

  /** @param {import('./server.js').Answer} answer */
  #receive({ request, gained, lost }) {
    if (request !== this.#request) return;
    this.#isNew = false;
    const [before, now] = [this.#before, this.#summary].map((summary) => /** @type {Summary} */ (summary).counts);
    const joins = this.#joins;
    if (gained.area < LEAST && lost.area < LEAST && before.polygons === now.polygons && before.links === now.links && joins === NO_JOINS) return;
    const counts = /** @type {Difference['counts']} */ (
      { polygons: [before.polygons, now.polygons], islands: [before.islands, now.islands], links: [before.links, now.links] });
    this.current = { gained: gained.area, lost: lost.area, counts, joins, step: this.#step };
    [gained, lost].forEach(({ positions }, i) => {
      const mesh = /** @type {Mesh} */ (this.#group.children[i]);
      mesh.geometry.dispose();
      mesh.geometry = new BufferGeometry().setAttribute('position', new BufferAttribute(positions, 3));
      mesh.visible = positions.length > 0;
    });
    this.#group.visible = true;
    this.#show(this.current);
    this.#app.viewport.invalidate();
  }

  /** @param {Difference} difference */
  #show({ gained, lost, counts: { islands, polygons, links }, joins, step }) {
    const parts = [
      ...(gained >= LEAST ? [html`<span><i class="gained"></i>+${squareMetres(gained)} added</span>`] : []),
      ...(lost >= LEAST ? [html`<span><i class="lost"></i>−${squareMetres(lost)} removed</span>`] : []),
    ];
    render(html`<div class="card" role="group" aria-label="Before and after">
      <div>
        <p class="numbers">${parts.length > 0 ? parts : 'The walkable ground is the same'}</p>
        ${joins === NO_JOINS ? nothing : html`<p class="numbers">${joinWords(joins)}</p>`}
        <p class="quiet numbers">${[...change(links, 'link'), ...change(islands, 'island'), ...change(polygons, 'polygon'), ...(step ? [`after “${step}”`] : [])].join(', ')}</p>
      </div>
      <button class="plain" aria-label="Dismiss before and after" title="Dismiss" @click=${() => this.dismiss()}>${icon('x')}</button></div>`, this.#element);
  }
}
