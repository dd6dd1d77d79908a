/** One drawn item: a body that can be picked, its edges, and the path of its motion. */
import {
  BufferGeometry, ConeGeometry, DoubleSide, Group, Line, LineBasicMaterial, LineDashedMaterial, LineSegments, Mesh, MeshBasicMaterial,
  MeshLambertMaterial, QuadraticBezierCurve3, TubeGeometry, Vector3,
} from 'three';
import { pathOf } from './motion.js';
import { positionOf } from './shapes.js';
import { makeBody, makeEdges } from './shape-meshes.js';

/**
 * Appearance of an item.
 * @typedef {object} Style
 * @property {string} color '#rrggbb'
 * @property {number} opacity of the body
 * @property {boolean} isSelected
 */

/** Colour of the lines of a selected item, for both themes. */
const SELECTED = 0xffffff;
/** Rise of an arc as a fraction of its length; its thickness in world units. */
const [RISE, TUBE] = [0.25, 0.09];
const ARC_SEGMENTS = 28;
/** Render order after the surface of the navigation mesh, which is transparent too. */
const OVER_MESH = 7;

export class DrawnItem {
  object = new Group();
  /** The mesh to pick. @type {Mesh | null} */
  body = null;
  /** Points of an arc, for picking in screen space. @type {Vector3[]} */
  arc = [];
  /** @type {{ dispose: () => void }[]} */
  #owned = [];
  /** @type {{ material: import('three').Material, opacity: number }[]} */
  #materials = [];

  /** @param {any} shape @param {Style} style @param {import('./motion.js').Motion} [motion] */
  static ofShape(shape, style, motion) {
    const item = new DrawnItem();
    const geometry = item.#own(makeBody(shape));
    item.body = new Mesh(geometry, item.#material(new MeshLambertMaterial({
      color: style.color, side: DoubleSide, polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 1,
    }), style.opacity));
    item.body.renderOrder = OVER_MESH;
    item.#addLines(makeEdges(shape, geometry), style);
    item.object.add(item.body);
    const carrier = new Group();
    carrier.add(item.object);
    item.object.position.fromArray(positionOf(shape));
    if (motion) item.#addPath(carrier, pathOf(shape, motion), style);
    item.root = carrier;
    return item;
  }

  /**
   * @param {{ start: readonly number[], end: readonly number[], bidirectional: boolean, radius: number }} connection @param {Style} style
   */
  static ofConnection({ start, end, bidirectional, radius }, style) {
    const item = new DrawnItem();
    const [from, to] = [new Vector3(...start), new Vector3(...end)];
    for (const place of [from, to]) place.y += 0.1;
    const length = from.distanceTo(to);
    const top = from.clone().add(to).multiplyScalar(0.5);
    top.y += 2 * RISE * length;
    const curve = new QuadraticBezierCurve3(from, top, to);
    item.arc = curve.getPoints(ARC_SEGMENTS);
    const material = item.#material(new MeshBasicMaterial({ color: style.isSelected ? SELECTED : style.color }), style.opacity);
    if (length > 0.01) item.object.add(new Mesh(item.#own(new TubeGeometry(curve, ARC_SEGMENTS, TUBE, 8)), material));
    const cone = item.#own(new ConeGeometry(3 * TUBE, 9 * TUBE, 14).translate(0, -4.5 * TUBE, 0));
    const addCone = (/** @type {Vector3} */ tip, /** @type {Vector3} */ before) => {
      const mesh = new Mesh(cone, material);
      mesh.position.copy(tip);
      mesh.quaternion.setFromUnitVectors(new Vector3(0, 1, 0), tip.clone().sub(before).normalize());
      item.object.add(mesh);
    };
    if (length > 0.01) {
      addCone(to, item.arc[ARC_SEGMENTS - 2]);
      if (bidirectional) addCone(from, item.arc[2]);
    }
    for (const end of [from, to]) {
      const ring = Array.from({ length: 41 }, (_, i) => (
        new Vector3(end.x + radius * Math.cos(i * Math.PI / 20), end.y, end.z + radius * Math.sin(i * Math.PI / 20))));
      const material = item.#material(new LineBasicMaterial({ color: style.color }), 0.9);
      item.object.add(new Line(item.#own(new BufferGeometry().setFromPoints(ring)), material));
    }
    for (const part of item.object.children) part.renderOrder = OVER_MESH + 2;
    item.root = item.object;
    return item;
  }

  /** The object in the scene. @type {Group} */
  root = this.object;

  /** @template {{ dispose: () => void }} T @param {T} resource */
  #own(resource) {
    this.#owned.push(resource);
    return resource;
  }

  /** @template {import('three').Material} T @param {T} material @param {number} opacity */
  #material(material, opacity) {
    Object.assign(material, { toneMapped: false });
    fade(material, opacity);
    this.#materials.push({ material, opacity });
    return this.#own(material);
  }

  /** @param {BufferGeometry} geometry @param {Style} style */
  #addLines(geometry, { color, isSelected }) {
    const material = this.#material(new LineBasicMaterial({ color: isSelected ? SELECTED : color, depthTest: !isSelected }), 0.95);
    const lines = new LineSegments(this.#own(geometry), material);
    lines.renderOrder = isSelected ? 900 : OVER_MESH + 1;
    this.object.add(lines);
  }

  /** @param {Group} carrier @param {readonly (readonly number[])[]} points @param {Style} style */
  #addPath(carrier, points, { color }) {
    const geometry = this.#own(new BufferGeometry().setFromPoints(points.map(([x, y, z]) => new Vector3(x, y + 0.35, z))));
    const line = new Line(geometry, this.#material(new LineDashedMaterial({ color, dashSize: 0.4, gapSize: 0.25 }), 1));
    carrier.add(line.computeLineDistances());
  }

  /** @param {number} share factor on the item's own opacity */
  setOpacity(share) {
    for (const { material, opacity } of this.#materials) fade(material, share * opacity);
  }

  /** Moves the item away from where it was placed. @param {readonly number[]} position @param {number} turned radians */
  moveTo(position, turned) {
    this.object.position.set(position[0], position[1], position[2]);
    this.object.rotation.y = turned;
  }

  dispose() {
    this.root.removeFromParent();
    for (const resource of this.#owned) resource.dispose();
  }
}

/**
 * Sets the opacity; opaque materials write depth. All are drawn after the mesh, which is transparent: it would cover the foot of items.
 * @param {import('three').Material} material @param {number} opacity
 */
function fade(material, opacity) {
  Object.assign(material, { opacity, transparent: true, depthWrite: opacity === 1 });
}
