/**
 * The list of problems: searched a few milliseconds per frame once the mesh is at rest, and stepped through with the camera. A step flies to
 * the problem, selects its item, or asks the inspector about the place.
 */
import { Box3, Matrix4, Raycaster, Vector3 } from 'three';
import { readTile } from 'walkmesh';
import { effectOf, fitIntoPassage } from '../edit/fit-door.js';
import { findItem, placeOf } from '../edit/items.js';
import { connect } from '../edit/connections-tool.js';
import { applyMend, selectItem, selectItems } from '../inspect/verdict.js';
import { applyLinkFix, removeEntry } from '../links/link-edits.js';
import { lostForbidden, lostPinned } from '../links/lost-links.js';
import { Borders, reachOf } from './borders.js';
import { Causes } from './causes.js';
import { addGap, gapBeyond, importanceOf, wallPoints } from './gaps.js';
import { playStartOf } from '../ground/play-start.js';
import { MOST_ISLANDS, connectionProblems, doorProblems, floatingProblems, islandProblems, itemProblems, linkProblems, passageProblems, startProblems, warningProblems, withCauses } from './list-problems.js';

/** @typedef {import('../app.js').App} App */
/** @typedef {import('./list-problems.js').Problem} Problem */
/** @typedef {import('../state/document.js').Point} Point */

/** Milliseconds of searching per frame. */
const SLICE = 5;
/** Most points of walls that are searched for passages, and most passages in the list. */
const [MOST_POINTS, MOST_PASSAGES] = [40_000, 30];
/** Half the size of the view at a problem, world units. */
const AROUND = 5;
/** Turns of the view that are tried, radians, from the smallest; height over a point that must be seen, world units. */
const TURNS = [0, 1, -1, 2, -2, 3, -3, 4].map((eighth) => eighth * Math.PI / 4);
const OVER = 0.3;
/** Search distance for the mesh at the end of a connection, world units. */
const NEAR = 6;

export class Problems {
  /** @type {readonly Problem[]} */
  list = [];
  /** Key of the problem that the view shows. */
  shown = '';
  /** The inspector's answer at the shown problem, once it has one. @type {import('../inspect/inspector.js').Inspected | null} */
  answer = null;
  #app;
  #caster = new Raycaster();
  /** @type {Generator<void, Problem[], void> | null} */
  #search = null;
  /** True if the list is older than the mesh or the document. */
  #isStale = false;

  /** @param {App} app */
  constructor(app) {
    this.#app = app;
    Object.assign(this.#caster, { firstHitOnly: true });
    this.causes = new Causes(app, () => {
      this.#applyCauses();
      this.#goToObstacle();
      app.events.emit('cause', null);
      app.panels.refresh();
    });
  }

  start() {
    const { events, store, frames, shortcuts } = this.#app;
    events.on('level', () => {
      this.shown = '';
      this.answer = null;
      this.#set([]);
    });
    events.on('mesh-ending', () => this.#stop());
    for (const name of /** @type {const} */ (['mesh', 'tiles', 'main-ground'])) events.on(name, () => this.#again());
    store.subscribe(({ document: now, session }, { document: before, session: last }) => {
      if (now.connections !== before.connections || now.doors !== before.doors || now.forbiddenLinks !== before.forbiddenLinks
        || now.pinnedLinks !== before.pinnedLinks || session.edits?.errors !== last.edits?.errors
        || session.bake.report !== last.bake.report) this.#again();
    });
    frames.add(() => this.#run());
    const hasProblems = () => this.list.length > 0;
    shortcuts.add(
      { keys: 'F8', label: 'Next problem', group: 'View', when: hasProblems, run: () => this.step(1) },
      { keys: 'shift+F8', label: 'Previous problem', group: 'View', when: hasProblems, run: () => this.step(-1) },
    );
  }

  /** True if the list is up to date. */
  get isComplete() {
    return !this.#isStale;
  }

  // ---- The search --------------------------------------------------------------------------------------------

  #stop() {
    this.answer = null;
    this.#search?.return([]);
    this.#search = null;
    this.causes.begin();
  }

  #again() {
    this.#stop();
    this.#isStale = true;
    this.#app.frames.wake();
  }

  /** @returns {boolean} true: continues in the next frame */
  #run() {
    if (!this.#isStale) return false;
    const { bakes, store } = this.#app;
    if (!bakes.current || store.state.session.bake.state === 'running') return false;
    // The mesh is drawn first.
    if (this.#app.viewport.pace.isSlow || !bakes.isDrawn) return true;
    // Obstacles are still being carved.
    if ((bakes.current.dynamic?.dirtyTiles ?? 0) > 0) return true;
    this.#search ??= this.#find(bakes.current);
    const end = performance.now() + SLICE;
    while (performance.now() < end) {
      const { done, value } = this.#search.next();
      if (!done) continue;
      this.#search = null;
      this.#isStale = false;
      this.#set(value);
      this.#app.events.emit('cause', null);
      return false;
    }
    return true;
  }

  /** @param {readonly Problem[]} list */
  #set(list) {
    this.list = list;
    this.#applyCauses();
    this.#app.panels.refresh();
  }

  /** Says what cuts the islands off, where it is known; those that something mends come first once all are known. */
  #applyCauses() {
    this.list = withCauses(this.list, this.causes);
  }

  /** Looks for the causes of the listed islands; the panel asks while it is open. */
  findCauses() {
    this.causes.want(this.list.flatMap(({ island = 0 }) => (island > 0 ? [island] : [])));
  }

  /** @param {import('../bake/bakes.js').Baked} mesh its configuration counts: the one of the document may be wrong meanwhile @returns {Generator<void, Problem[], void>} */
  * #find({ navMesh, config }) {
    const { gaps, list, reaches } = yield* this.#scan(navMesh, config);
    const { document, session } = this.#app.store.state;
    const { main } = this.#app.islands;
    this.causes.begin(reaches, new Map(list.map(({ number, area }) => [number, area])));
    return [
      ...startProblems(main, playStartOf(document)), ...passageProblems(gaps, config.agentRadius), ...this.#itemProblems(navMesh),
      ...islandProblems(list, config.cellSize), ...warningProblems(session.bake.report?.warnings ?? []),
    ];
  }

  /** Lists the islands. @returns {Generator<void, import('../ground/island-list.js').IslandList, void>} */
  * #listIslands() {
    for (;;) {
      const list = this.#app.islands.list(SLICE / 2);
      if (list) return list;
      yield;
    }
  }

  /** Looks at all tiles. @param {import('walkmesh').NavMesh} navMesh @param {import('../state/document.js').Document['config']} config */
  * #scan(navMesh, config) {
    const { islands } = this.#app;
    const found = yield* this.#listIslands();
    const borders = new Borders(config.cellSize);
    /** @type {import('./gaps.js').Gap[]} */
    const gaps = [];
    const probe = this.#makeProbe();
    let points = 0;
    for (const ref of navMesh.tileRefs()) {
      const tile = readTile(navMesh.tileBytes(ref));
      for (const wall of wallPoints(tile)) {
        if (points++ > MOST_POINTS) break;
        borders.add(islands.of(ref + wall.polygon), wall);
        if (gaps.length > 4 * MOST_PASSAGES) continue;
        const gap = gapBeyond(navMesh, probe, wall, config);
        if (gap) addGap(gaps, gap);
        yield;
      }
    }
    const list = found.list(islands);
    const reaches = new Map();
    for (const { number } of list.slice(0, MOST_ISLANDS)) reaches.set(number, yield* reachOf(navMesh, islands, borders, probe, number, config));
    const weighed = gaps.map((gap) => ({ gap, importance: importanceOf(navMesh, gap) })).filter(({ importance }) => importance !== 'none');
    return { gaps: weighed.slice(0, MOST_PASSAGES).map(({ gap, importance }) => ({ gap, isCut: importance === 'cut' })), list, reaches };
  }

  /** Rays against the level. @returns {import('./gaps.js').Probe} */
  #makeProbe() {
    const mesh = this.#app.levels.current?.mesh;
    const caster = this.#caster;
    return {
      cast(from, direction, reach) {
        if (!mesh) return 0;
        caster.ray.origin.fromArray(from);
        caster.ray.direction.fromArray(direction);
        caster.far = reach;
        return caster.intersectObject(mesh, false)[0]?.distance ?? Infinity;
      },
    };
  }

  /** Problems of connections, doors and refused items. @param {import('walkmesh').NavMesh} navMesh */
  #itemProblems(navMesh) {
    const { document, session } = this.#app.store.state;
    const { live } = this.#app.edits;
    const tiesOf = (/** @type {number} */ id) => {
      const ref = live.connectionRef(id);
      return ref === 0 ? null : navMesh.connection(ref);
    };
    const nearest = (/** @type {Point} */ point) => navMesh.nearestPoint(point, { halfExtents: [NEAR, NEAR, NEAR], radius: NEAR, heightPreference: 'closest' })?.point ?? null;
    const placeOfItem = (/** @type {import('../edit/items.js').Selection} */ selection) => {
      const item = findItem(document, selection);
      return item ? placeOf(selection.kind, item) : null;
    };
    return [
      ...connectionProblems(document.connections, tiesOf, nearest), ...doorProblems(document.doors, (door) => effectOf(this.#app, door), (door) => placeOf('door', door)),
      ...this.#floatingProblems(), ...this.#linkProblems(navMesh), ...itemProblems(document, session.edits?.errors ?? {}, placeOfItem),
    ];
  }

  /** Problems of obstacles and area volumes without ground. */
  #floatingProblems() {
    const { levels, store: { state: { document } } } = this.#app, tree = /** @type {import('three-mesh-bvh').MeshBVH | undefined} */ (levels.current?.mesh.geometry.boundsTree);
    if (!tree) return [];
    const [box, identity] = [new Box3(), new Matrix4()];
    return floatingProblems(document, ({ min, max }) => tree.intersectsBox(box.set(new Vector3(...min), new Vector3(...max)), identity), document.config.agentHeight);
  }

  /** Problems of forbidden and pinned links; none while links are generated. @param {import('walkmesh').NavMesh} navMesh */
  #linkProblems(navMesh) {
    const { links, store } = this.#app;
    const { document } = store.state;
    if (links.isPending || links.isStale) return [];
    return linkProblems(links.state.state === 'done' && links.canGenerate ? lostForbidden(navMesh, document) : [], lostPinned(navMesh, links.pinnedInMesh, links.blocked));
  }

  // ---- Steps -------------------------------------------------------------------------------------------------

  /** Shows the next or the previous problem. @param {1 | -1} by */
  step(by) {
    const { length } = this.list;
    if (length === 0) return;
    const at = this.list.findIndex(({ key }) => key === this.shown);
    this.show(this.list[at < 0 ? (by > 0 ? 0 : length - 1) : (at + by + length) % length]);
  }

  /** @param {Problem} problem */
  show({ key, point, place = point, item, island = 0 }) {
    this.shown = key;
    this.answer = null;
    const { store, tools, panels } = this.#app;
    panels.openSection('problems');
    if (island > 0) this.causes.want([island]);
    if (place) this.#fly(place);
    if (item) selectItem(this.#app, item);
    else if (place) {
      store.setView({ tool: 'inspect' });
      /** @type {any} */ (tools.get('inspect')).inspector.look(place);
    }
    this.#app.panels.refresh();
  }

  /** Goes to where the shown island ends, once that is known, unless somebody looks elsewhere meanwhile. */
  #goToObstacle() {
    const problem = this.list.find(({ key, island = 0 }) => key === this.shown && island > 0);
    const { current } = /** @type {any} */ (this.#app.tools.get('inspect')).inspector;
    if (problem?.place && problem.place !== problem.point && current?.point === problem.point) this.show(problem);
  }

  /** The clipping height of a room that was looked into. @type {number | null} */
  #inside = null;

  /**
   * Moves the camera to a point and keeps its direction, but looks down, and from where nothing hides the point. If there is no such place, as in a
   * room, it looks inside, until it goes elsewhere.
   * @param {Point} point
   */
  #fly(point) {
    const { viewport, store } = this.#app;
    const { camera, controls } = viewport;
    if (this.#inside !== null && store.state.view.clip === this.#inside) store.setView({ clip: null });
    this.#inside = null;
    const direction = camera.position.clone().sub(controls.target);
    direction.y = Math.max(direction.y, 0.9 * Math.hypot(direction.x, direction.z), 0.1);
    const box = new Box3().setFromCenterAndSize(new Vector3(...point), new Vector3(2 * AROUND, AROUND, 2 * AROUND));
    const views = [1, 3].flatMap((steep) => TURNS.map((turn) => direction.clone().multiply(new Vector3(1, steep, 1)).applyAxisAngle(camera.up, turn).normalize()));
    const frame = (/** @type {Vector3} */ view) => viewport.frameBox(box, view);
    const findClear = () => views.find((view) => {
      frame(view);
      return this.#sees(point);
    });
    if (!findClear() && store.state.view.clip === null) {
      this.#inside = Number((point[1] + store.state.document.config.agentHeight).toFixed(2));
      store.setView({ clip: this.#inside });
      if (!findClear()) frame(views[0]);
      this.#app.notices.info('The place is in a room: what lies above is hidden', 'Look inside changes the height.', [{ label: 'Show all', run: () => store.setView({ clip: null }) }]);
    }
    store.setView({ camera: { position: /** @type {Point} */ (camera.position.toArray()), target: /** @type {Point} */ (controls.target.toArray()) } });
  }

  /** True if the level doesn't hide a point from the camera. @param {Point} point */
  #sees(point) {
    const mesh = this.#app.levels.current?.mesh;
    const { clip } = this.#app.store.state.view;
    const { ray } = this.#caster;
    const to = new Vector3(...point).add(new Vector3(0, OVER, 0));
    ray.origin.copy(this.#app.viewport.camera.position);
    ray.direction.subVectors(to, ray.origin);
    const distance = ray.direction.length();
    ray.direction.normalize();
    // What lies above the clipping height isn't drawn.
    if (clip !== null && ray.origin.y > clip) ray.at((clip - ray.origin.y) / ray.direction.y, ray.origin);
    this.#caster.far = Math.min(distance, ray.origin.distanceTo(to)) - OVER;
    return !mesh || this.#caster.intersectObject(mesh, false).length === 0;
  }

  /** @param {NonNullable<Problem['action']>} action */
  run(action) {
    const { store, edits } = this.#app;
    if (action.kind === 'config') applyMend(this.#app, action);
    else if (action.kind === 'fit door') fitIntoPassage(this.#app, action.id);
    else if (action.kind === 'connect') connect(this.#app, action);
    else if (action.kind === 'links') applyLinkFix(this.#app, action);
    else if (action.kind === 'forget link') removeEntry(this.#app, action.list, action.id, action.step);
    else if (action.kind === 'edit') {
      store.commit();
      edits.change(action.item, action.step, (item) => ({ ...item, ...action.patch }));
      store.commit();
    } else if (action.kind === 'select') selectItems(this.#app, action.items);
    else if (action.kind === 'remove') {
      store.commit();
      edits.removeAll(action.items);
      store.commit();
    } else {
      store.commit();
      edits.change({ kind: 'connection', id: action.id }, 'move connection onto the mesh', (connection) => ({ ...connection, ...action.patch }));
      store.commit();
    }
  }
}
