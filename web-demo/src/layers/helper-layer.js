/** Layers drawn by the helpers of walkmesh/three. */
import { Group } from 'three';
import { ConnectionsHelper, NavMeshHelper } from 'walkmesh/three';
import { totalsOf } from '../bake/totals.js';
import { areaOf, areasOf } from '../edit/areas.js';
import { FAINT_BORDERS, fadeBorders } from './border-material.js';
import { CONNECTIONS, OUTLINES } from './colors.js';
import { drawAfterMesh, shiftDepth } from './depth-shift.js';
import { hideFar } from './far-parts.js';
import { FrameTask } from './frame-task.js';
import { makeGhost } from './shell.js';

/** @typedef {import('../app.js').App} App */
/** @typedef {import('./layers.js').Layer} Layer */
/** @typedef {import('walkmesh').NavMesh} NavMesh */

/**
 * @typedef {import('three').Object3D & { update: (options?: any) => number, dispose: () => void, isComplete?: boolean, tileCount?: number }} AnyHelper
 */

/** Opacity of each material when the layer's opacity is 1. @type {WeakMap<import('three').Material, number>} */
const fullOpacities = new WeakMap();

/** Sets the opacity of all materials in an object. @param {import('three').Object3D} object @param {number} opacity */
function fade(object, opacity) {
  object.traverse((part) => {
    const { material } = /** @type {import('three').Mesh} */ (part);
    for (const each of Array.isArray(material) ? material : material ? [material] : []) {
      if (!fullOpacities.has(each)) fullOpacities.set(each, each.opacity);
      const isTransparent = each.transparent || opacity < 1;
      if (isTransparent !== each.transparent) each.needsUpdate = true;
      Object.assign(each, { opacity: opacity * /** @type {number} */ (fullOpacities.get(each)), transparent: isTransparent });
    }
  });
}

/** @implements {Layer} */
export class HelperLayer {
  object = new Group();
  #app;
  #make;
  #countOf;
  /** @type {AnyHelper | null} */
  #helper = null;
  /** The previous helper, hidden: while its materials exist, the next helper reuses their compiled shaders. @type {AnyHelper | null} */
  #former = null;
  /** @type {NavMesh | null} the drawn mesh */
  #navMesh = null;
  #task;
  #fade;
  #opacity = 1;

  /**
   * @param {App} app @param {(navMesh: NavMesh) => AnyHelper} make @param {(navMesh: NavMesh) => string} countOf
   * @param {(helper: any, opacity: number) => void} [fadeHelper]
   */
  constructor(app, make, countOf, fadeHelper = fade) {
    this.#app = app;
    this.#fade = fadeHelper;
    this.#make = make;
    this.#countOf = countOf;
    this.#task = new FrameTask(app, (milliseconds) => this.#draw(milliseconds));
    app.events.on('mesh-ending', () => this.#drop());
  }

  update() {
    const navMesh = this.#app.bakes.current?.navMesh ?? null;
    if (navMesh !== this.#navMesh) this.#drop();
    this.#navMesh = navMesh;
    if (navMesh) this.#task.request();
  }

  /** Draws the layer again. */
  remake() {
    this.#drop();
    if (this.object.visible) this.update();
  }

  get isComplete() {
    return this.#task.isDone;
  }

  get share() {
    const tiles = this.#navMesh ? totalsOf(this.#navMesh).tiles : 0;
    return this.#task.isDone || tiles === 0 ? 1 : Math.min(0.99, (this.#helper?.tileCount ?? 0) / tiles);
  }

  hide() {
    this.#drop();
    this.#former?.dispose();
    this.#former = null;
  }

  /** @param {number} milliseconds */
  #draw(milliseconds) {
    if (!this.#navMesh) return true;
    if (!this.#helper) {
      this.#helper = this.#make(this.#navMesh);
      this.object.add(this.#helper);
    }
    this.#helper.update({ milliseconds });
    this.#fade(this.#helper, this.#opacity);
    return this.#helper.isComplete ?? true;
  }

  #drop() {
    this.#task.stop();
    if (this.#helper) {
      this.#helper.removeFromParent();
      this.#former?.dispose();
      this.#former = this.#helper;
    }
    this.#helper = this.#navMesh = null;
  }

  /** @param {number} opacity */
  setOpacity(opacity) {
    this.#opacity = opacity;
    if (this.#helper) this.#fade(this.#helper, opacity);
  }

  note() {
    const navMesh = this.#app.bakes.current?.navMesh;
    return navMesh && this.#countOf(navMesh);
  }
}

const counted = (/** @type {number} */ count, /** @type {string} */ noun) => `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;

/** Areas of the drawn mesh, also of one that was opened and has other areas than the document. @type {WeakMap<App, Set<number>>} */
const drawnAreas = new WeakMap();

/** Notes that a polygon of an area is drawn. @param {App} app @param {number} area */
function noteArea(app, area) {
  const drawn = drawnAreas.get(app) ?? new Set();
  if (drawn.has(area)) return;
  drawnAreas.set(app, drawn.add(area));
  app.panels.refresh();
}

/** The areas that the mesh of the document may have, and those that are drawn. @param {App} app */
function areaLegend(app) {
  const { document } = app.store.state;
  const areas = areasOf(/** @type {any} */ (document));
  const used = new Set([0, ...drawnAreas.get(app) ?? [], ...[...document.volumes, ...document.obstacles, ...document.connections].map(({ area }) => area), ...document.doors.map(() => 7)]);
  return [
    ...[...used].sort((a, b) => a - b).map((id) => areaOf(areas, id)).map(({ color, name }) => ({ color, label: name })),
    { color: OUTLINES.wall, label: 'Edge of the mesh', isLine: true }, { color: 0xffffff, label: 'Between polygons', isLine: true },
    { color: OUTLINES.border, label: 'Tile border', isLine: true },
  ];
}

/** Lines stay more opaque than the surface. @param {NavMeshHelper} helper @param {number} opacity */
function fadeMesh({ surface, edges, walls, veil, borders }, opacity) {
  surface.material.opacity = opacity;
  for (const { material } of [edges, walls, veil, borders]) material.opacity = Math.min(1, 0.2 + 1.35 * opacity);
}

/** Height of the veil above walls, world units. */
const WALL_HEIGHT = 0.35;

/** @param {App} app @param {NavMesh} navMesh @param {(area: number) => string} color */
function makeMesh(app, navMesh, color) {
  const helper = new NavMeshHelper(navMesh, { empty: true, color, wallHeight: WALL_HEIGHT });
  shiftDepth(helper.surface.material, helper.edges.material, helper.veil.material); // walls have the material of edges
  helper.add(makeGhost(app, helper.surface));
  const { tileWidth } = navMesh.parameters;
  fadeBorders(app, helper.borders, tileWidth);
  hideFar(app, helper.borders, navMesh, { size: tileWidth, least: FAINT_BORDERS });
  hideFar(app, helper.veil, navMesh, { size: WALL_HEIGHT, least: 1.5 });
  return helper;
}

/** @type {import('./layers.js').LayerKind} */
export const meshLayer = {
  id: 'navMesh', group: 'Mesh', label: 'Navigation mesh', hint: 'The walkable surface, coloured by area.', visible: true, opacity: 0.6, legend: areaLegend,
  create(app) {
    const color = (/** @type {number} */ area) => {
      noteArea(app, area);
      return areaOf(areasOf(/** @type {any} */ (app.store.state.document)), area).color;
    };
    app.events.on('mesh-ending', () => drawnAreas.delete(app));
    const layer = new HelperLayer(app, (navMesh) => makeMesh(app, navMesh, color), (navMesh) => counted(totalsOf(navMesh).polygons, 'polygon'), fadeMesh);
    app.store.subscribe(({ document: now }, { document: before }) => {
      if (/** @type {any} */ (now).areas !== /** @type {any} */ (before).areas) layer.remake();
    });
    return layer;
  },
};

/** @type {import('./layers.js').LayerKind} */
export const connectionsLayer = {
  id: 'connections', group: 'Run time', label: 'Off-mesh connections', hint: 'Connections stored in the mesh, such as jumps and ladders, and their end points.',
  legend: ({ bakes: { current } }) => (current && totalsOf(current.navMesh).offMeshConnections + current.navMesh.connections().length > 0
    ? [{ color: CONNECTIONS.enabled, label: 'Connection' }, { color: CONNECTIONS.disabled, label: 'Connection, switched off' }, { color: CONNECTIONS.untied, label: "Connection, an end isn't on the mesh" }] : []),
  create: (app) => new HelperLayer(app, (navMesh) => new ConnectionsHelper(navMesh), (navMesh) => counted(totalsOf(navMesh).offMeshConnections, 'connection'),
    (helper, opacity) => fade(drawAfterMesh(helper), opacity)),
};
