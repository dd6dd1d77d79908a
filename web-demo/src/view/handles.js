/** Handles in the view, dragged with the mouse. */
import { Group, Mesh, MeshBasicMaterial, SphereGeometry, CylinderGeometry, Vector3 } from 'three';

/** @typedef {import('../app.js').App} App */
/** @typedef {import('../state/document.js').Point} Point */
/** @typedef {import('./picking.js').LevelHit} LevelHit */

/**
 * @typedef {object} HandleOptions
 * @property {string} id
 * @property {string} label
 * @property {number} color
 * @property {Point} position
 * @property {'level' | 'plane' | 'height'} [snap] drag constraint: over the level (default), on the horizontal plane, or vertical
 * @property {'pin' | 'knob'} [look] a pin above its position (default), or a small knob at its position
 * @property {(point: Point, hit: LevelHit, event: PointerEvent) => void} onDrag
 * @property {() => void} [onDragEnd]
 */

/** Sizes on the screen in pixels: radius of the drawing, and radius for picking. */
const RADIUS = 8;
const CATCH_RADIUS = 16;
const KNOB_CATCH_RADIUS = 11;
/** Factor of the radius for picking by touch. */
const FINGER = 1.8;
const STEM = 3.2;
const KNOB = 0.62;

export class Handle {
  object = new Group();
  #owner;
  #options;

  /** @param {Handles} owner @param {HandleOptions} options */
  constructor(owner, options) {
    this.#owner = owner;
    this.#options = options;
    const material = new MeshBasicMaterial({ color: options.color, depthTest: false, transparent: true, toneMapped: false });
    const rim = new MeshBasicMaterial({ color: 0xffffff, depthTest: false, transparent: true, toneMapped: false });
    const head = new Mesh(new SphereGeometry(1, 24, 16), material);
    const halo = new Mesh(new SphereGeometry(1.25, 24, 16), rim);
    /** @type {Mesh[]} */
    const parts = [halo, head];
    if (options.look === 'knob') {
      for (const mesh of parts) mesh.scale.setScalar(KNOB);
    } else {
      const stem = new Mesh(new CylinderGeometry(0.14, 0.14, STEM, 8), rim);
      stem.position.y = STEM / 2;
      head.position.y = halo.position.y = STEM;
      parts.unshift(stem);
    }
    parts.forEach((mesh, order) => { mesh.renderOrder = 1000 + order; });
    this.object.add(...parts);
    this.object.name = `handle ${options.id}`;
    this.setPosition(options.position);
  }

  get options() {
    return this.#options;
  }

  /** Height of the head above the position, relative to the size. */
  get lift() {
    return this.#options.look === 'knob' ? 0 : STEM;
  }

  /** @param {Point} position */
  setPosition([x, y, z]) {
    this.object.position.set(x, y, z);
    this.#owner.app.viewport.invalidate();
  }

  dispose() {
    this.#owner.remove(this);
    this.object.traverse((part) => {
      if (!(part instanceof Mesh)) return;
      part.geometry.dispose();
      part.material.dispose();
    });
  }
}

export class Handles {
  /** @type {Set<Handle>} */
  #all = new Set();
  /** @type {Handle | null} */
  #dragged = null;

  /** @param {App} app */
  constructor(app) {
    this.app = app;
    const { viewport } = app;
    // Before each drawing: keeps the size of the handles on the screen.
    viewport.scene.onBeforeRender = () => this.#scale();
  }

  /** @param {HandleOptions} options */
  create(options) {
    const handle = new Handle(this, options);
    this.#all.add(handle);
    this.app.viewport.overlay.add(handle.object);
    return handle;
  }

  /** @param {Handle} handle */
  remove(handle) {
    if (this.#dragged === handle) this.#dragged = null;
    this.#all.delete(handle);
    handle.object.removeFromParent();
    this.app.viewport.invalidate();
  }

  /** @param {string} id */
  get(id) {
    return [...this.#all].find(({ options }) => options.id === id);
  }

  /** Page position of a handle's head. @param {Handle} handle */
  locate(handle) {
    const { camera, canvas } = this.app.viewport;
    const box = canvas.getBoundingClientRect();
    const place = handle.object.localToWorld(new Vector3(0, handle.lift, 0)).project(camera);
    return { x: box.left + (place.x + 1) / 2 * box.width, y: box.top + (1 - place.y) / 2 * box.height, isInFront: place.z < 1 };
  }

  /** The handle under the pointer. @param {{ clientX: number, clientY: number, pointerType?: string }} event */
  at(event) {
    const scale = event.pointerType === 'touch' ? FINGER : 1;
    /** @type {Handle | undefined} */
    let best;
    let nearest = Infinity;
    for (const handle of this.#all) {
      const { x, y, isInFront } = this.locate(handle);
      const distance = Math.hypot(x - event.clientX, y - event.clientY);
      const reach = handle.options.look === 'knob' ? KNOB_CATCH_RADIUS : CATCH_RADIUS;
      if (isInFront && handle.object.visible && distance < Math.min(scale * reach, nearest)) [best, nearest] = [handle, distance];
    }
    return best;
  }

  /** Begins a drag if a handle is under the pointer. @param {PointerEvent} event */
  pointerdown(event) {
    this.#dragged = this.at(event) ?? null;
    return this.#dragged !== null;
  }

  /** @param {PointerEvent} event */
  pointermove(event) {
    if (!this.#dragged) return false;
    const { snap = 'level', onDrag } = this.#dragged.options;
    // The pointer drags the head; the foot is the position.
    const head = this.locate(this.#dragged);
    const foot = this.#dragged.object.position.clone().project(this.app.viewport.camera);
    const box = this.app.viewport.canvas.getBoundingClientRect();
    const lift = box.top + (1 - foot.y) / 2 * box.height - head.y;
    const spot = { clientX: event.clientX, clientY: event.clientY + lift };
    const { picking } = this.app;
    const at = this.#dragged.object.position;
    const hit = snap === 'plane' ? picking.plane(spot, at.y) : snap === 'height' ? picking.height(spot, at) : picking.level(spot);
    if (hit) onDrag(hit.point, hit, event);
    return true;
  }

  /** @returns {boolean} true if a drag ended */
  pointerup() {
    const handle = this.#dragged;
    this.#dragged = null;
    handle?.options.onDragEnd?.();
    if (handle) this.app.store.commit();
    return handle !== null;
  }

  #scale() {
    const { camera, canvas } = this.app.viewport;
    const perPixel = 2 * Math.tan(camera.fov * Math.PI / 360) / canvas.clientHeight;
    for (const { object } of this.#all) {
      object.scale.setScalar(Math.max(1e-6, RADIUS * perPixel * object.position.distanceTo(camera.position)));
      object.updateMatrixWorld();
    }
  }
}
