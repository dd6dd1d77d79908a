/** Draws all items: updates those that changed, moves those in motion, and picks items under the pointer. */
import { Group, Raycaster, Vector3 } from 'three';
import { DOOR, areaOf, areasOf } from './areas.js';
import { DrawnItem } from './drawn-item.js';
import { LISTS } from './items.js';
import { poseAt } from './motion.js';

/** @typedef {import('../app.js').App} App */
/** @typedef {import('./items.js').ItemKind} ItemKind */
/** @typedef {import('./items.js').Selection} Selection */
/** @typedef {{ selection: Selection, drawn: DrawnItem, text: string }} Entry */

/** Colours of obstacles that block or move, of connections, and of disabled or invalid items. */
const COLORS = { blocks: '#e8604c', moves: '#ffd23f', connection: '#c061ff', off: '#5f6876', untied: '#b3162e', wrong: '#ff5d5d' };
/** Largest distance in pixels between the pointer and a picked arc. */
const ARC_REACH = 9;
const KINDS = /** @type {ItemKind[]} */ (Object.keys(LISTS));

export class Drawing {
  object = new Group();
  #app;
  /** @type {Map<string, Entry>} */
  #entries = new Map();
  #caster = new Raycaster();
  #opacity = 1;

  /** @param {App} app */
  constructor(app) {
    this.#app = app;
  }

  /** Starts to follow the document. */
  start() {
    this.#app.store.subscribe((state, previous) => {
      const [now, before] = [state, previous];
      if (now.document !== before.document || now.session.selection !== before.session.selection || now.session.alsoSelected !== before.session.alsoSelected
        || now.session.edits?.errors !== before.session.edits?.errors) this.update();
    });
    this.#app.edits.live.followers.add(() => {
      if (this.#app.edits.live.state.playing) this.#moveAll();
      return false;
    });
    for (const name of /** @type {const} */ (['mesh', 'tiles'])) this.#app.events.on(name, () => this.#updateConnections());
    this.update();
  }

  /** @param {number} opacity */
  setOpacity(opacity) {
    this.#opacity = opacity;
    for (const { drawn } of this.#entries.values()) drawn.setOpacity(opacity);
    this.#app.viewport.invalidate();
  }

  /** Draws items that changed and removes deleted items. */
  update() {
    const { document } = this.#app.store.state;
    const present = new Set();
    for (const kind of KINDS) {
      for (const item of document[LISTS[kind]]) {
        present.add(`${kind} ${item.id}`);
        this.#drawOne(kind, item);
      }
    }
    for (const [key, { drawn }] of this.#entries) {
      if (present.has(key)) continue;
      drawn.dispose();
      this.#entries.delete(key);
    }
    this.#moveAll();
    this.#app.viewport.invalidate();
  }

  #updateConnections() {
    for (const item of this.#app.store.state.document.connections) this.#drawOne('connection', item);
    this.#app.viewport.invalidate();
  }

  /** @param {ItemKind} kind @param {any} item */
  #drawOne(kind, item) {
    const key = `${kind} ${item.id}`;
    const style = this.#styleOf(kind, item);
    const text = JSON.stringify([item, style]);
    const known = this.#entries.get(key);
    if (known?.text === text) return;
    known?.drawn.dispose();
    const drawn = kind === 'connection' ? DrawnItem.ofConnection(item, style) : DrawnItem.ofShape(item.shape, style, item.moving);
    drawn.setOpacity(this.#opacity);
    this.object.add(drawn.root);
    this.#entries.set(key, { selection: { kind, id: item.id }, drawn, text });
  }

  /** @param {ItemKind} kind @param {any} item @returns {import('./drawn-item.js').Style} */
  #styleOf(kind, item) {
    const { document, session } = this.#app.store.state;
    const areas = areasOf(document);
    const isSelected = [session.selection, ...session.alsoSelected ?? []].some((selection) => selection?.kind === kind && selection.id === item.id);
    const isWrong = Boolean(session.edits?.errors[`${kind} ${item.id}`]);
    if (kind === 'connection') {
      const color = isWrong || !this.#isTied(item.id) ? COLORS.untied : item.enabled ? COLORS.connection : COLORS.off;
      return { color, opacity: item.enabled ? 1 : 0.85, isSelected };
    }
    if (isWrong) return { color: COLORS.wrong, opacity: 0.3, isSelected };
    if (kind === 'door') return { color: areaOf(areas, DOOR).color, opacity: item.open ? 0.16 : 1, isSelected };
    const isFlat = kind === 'volume';
    if (item.area !== 0) return { color: areaOf(areas, item.area).color, opacity: isFlat ? 0.2 : 0.4, isSelected };
    return { color: item.moving ? COLORS.moves : COLORS.blocks, opacity: isFlat ? 0.22 : 1, isSelected };
  }

  /** True if both ends of a connection are on the mesh; true without a mesh. @param {number} id */
  #isTied(id) {
    const ref = this.#app.edits.live.connectionRef(id);
    const navMesh = this.#app.bakes.current?.navMesh;
    if (!ref || !navMesh) return true;
    const { startTied, endTied } = navMesh.connection(ref);
    return startTied && endTied;
  }

  #moveAll() {
    const { live } = this.#app.edits;
    for (const { id, shape, moving } of this.#app.store.state.document.obstacles) {
      if (!moving) continue;
      const { position, turned } = poseAt(shape, moving, live.time);
      this.#entries.get(`obstacle ${id}`)?.drawn.moveTo(position, shape.kind === 'rotatedBox' ? turned : 0);
    }
    this.#app.viewport.invalidate();
  }

  /**
   * The item of a kind under the pointer, unless the level hides it.
   * @param {ItemKind} kind @param {{ clientX: number, clientY: number }} event @returns {Selection | null}
   */
  pick(kind, event) {
    if (!this.object.visible || !this.object.parent) return null;
    const mine = [...this.#entries.values()].filter(({ selection }) => selection.kind === kind);
    if (kind === 'connection') return this.#pickArc(mine, event);
    this.#caster.ray.copy(this.#app.picking.ray(event));
    const level = this.#app.picking.level(event);
    const { origin } = this.#caster.ray;
    const reach = level ? origin.distanceTo(new Vector3(...level.point)) : Infinity;
    /** @type {Selection | null} */
    let best = null;
    let nearest = reach + 0.05;
    this.object.updateMatrixWorld(true);
    for (const { selection, drawn } of mine) {
      const hit = drawn.body && this.#caster.intersectObject(drawn.body, false)[0];
      if (hit && hit.distance < nearest) [best, nearest] = [selection, hit.distance];
    }
    return best;
  }

  /** @param {Entry[]} entries @param {{ clientX: number, clientY: number }} event */
  #pickArc(entries, { clientX, clientY }) {
    const { camera, canvas } = this.#app.viewport;
    const box = canvas.getBoundingClientRect();
    const project = (/** @type {Vector3} */ point) => {
      const { x, y, z } = point.clone().project(camera);
      return { x: box.left + (x + 1) / 2 * box.width, y: box.top + (1 - y) / 2 * box.height, isBehind: z > 1 };
    };
    /** @type {Selection | null} */
    let best = null;
    let nearest = ARC_REACH;
    for (const { selection, drawn } of entries) {
      const points = drawn.arc.map(project);
      points.slice(1).forEach((point, i) => {
        if (point.isBehind || points[i].isBehind) return;
        const distance = distanceToLine(clientX, clientY, points[i], point);
        if (distance < nearest) [best, nearest] = [selection, distance];
      });
    }
    return best;
  }
}

/** @param {number} x @param {number} y @param {{ x: number, y: number }} a @param {{ x: number, y: number }} b */
function distanceToLine(x, y, a, b) {
  const [dx, dy] = [b.x - a.x, b.y - a.y];
  const share = Math.min(1, Math.max(0, ((x - a.x) * dx + (y - a.y) * dy) / (dx * dx + dy * dy || 1)));
  return Math.hypot(x - a.x - share * dx, y - a.y - share * dy);
}
