/**
 * Drawing primitives of the query tools: lines, dots and arrows with a width in pixels, faintly visible through objects in
 * front of them; shapes as line segments.
 */
import { BufferAttribute, BufferGeometry, Color, Group, Points, PointsMaterial } from 'three';
import { LineMaterial } from 'three/addons/lines/LineMaterial.js';
import { LineSegments2 } from 'three/addons/lines/LineSegments2.js';
import { LineSegmentsGeometry } from 'three/addons/lines/LineSegmentsGeometry.js';

/** @typedef {import('../state/document.js').Point} Point */
/** @typedef {ArrayLike<number>} Numbers x, y, z of points */

/** Opacity behind other objects. */
const GHOST_OPACITY = 0.28;
/** Render order: over the mesh, under the handles. */
const ORDER = { ghosts: 40, solids: 41 };

/** Line segments. */
export class Lines extends Group {
  /** @type {LineSegmentsGeometry} */
  #geometry = new LineSegmentsGeometry();
  /** @type {LineSegments2[]} */
  #parts;

  /** @param {{ color: number, width?: number, dashed?: boolean, opacity?: number }} options width: pixels */
  constructor({ color, width = 3, dashed = false, opacity = 1 }) {
    super();
    this.#parts = [true, false].map((isGhost) => {
      const material = new LineMaterial({
        color, linewidth: width, dashed, dashSize: 0.4, gapSize: 0.3, transparent: true, opacity: isGhost ? GHOST_OPACITY * opacity : opacity,
        depthTest: !isGhost, depthWrite: false, toneMapped: false,
      });
      const part = new LineSegments2(this.#geometry, material);
      part.renderOrder = isGhost ? ORDER.ghosts : ORDER.solids;
      part.frustumCulled = false;
      part.raycast = () => {};
      this.add(part);
      return part;
    });
    this.visible = false;
  }

  /** Replaces the lines. @param {Numbers} segments two points each */
  set(segments) {
    // Geometry buffers can't grow, so a new geometry replaces the old one.
    this.#geometry.dispose();
    this.#geometry = new LineSegmentsGeometry();
    this.visible = segments.length >= 6;
    if (this.visible) this.#geometry.setPositions(segments instanceof Float32Array ? segments : Float32Array.from(segments));
    for (const part of this.#parts) {
      part.geometry = this.#geometry;
      if (this.visible && part.material.dashed) part.computeLineDistances();
    }
  }

  /** Sets the length of dashes, world units. @param {number} length */
  setDash(length) {
    for (const { material } of this.#parts) Object.assign(material, { dashSize: length, gapSize: 0.7 * length });
  }

  dispose() {
    this.removeFromParent();
    this.#geometry.dispose();
    for (const { material } of this.#parts) material.dispose();
  }
}

/** A material for round dots with a size in pixels of the page: three.js multiplies it by the renderer's pixel ratio. @param {{ color: number, size: number, opacity: number, isGhost: boolean, hasColors: boolean }} options */
export function makeDotMaterial({ color, size, opacity, isGhost, hasColors }) {
  const material = new PointsMaterial({
    color, size, sizeAttenuation: false, transparent: true, opacity: isGhost ? GHOST_OPACITY * opacity : opacity, depthTest: !isGhost,
    depthWrite: false, toneMapped: false, vertexColors: hasColors,
  });
  material.onBeforeCompile = (shader) => {
    shader.fragmentShader = shader.fragmentShader.replace('#include <clipping_planes_fragment>',
      '#include <clipping_planes_fragment>\n  if (length(gl_PointCoord - 0.5) > 0.5) discard;');
  };
  return material;
}

/** Round dots. */
export class Dots extends Group {
  #geometry = new BufferGeometry();
  #materials;

  /** @param {{ color: number, size?: number, opacity?: number }} options size: pixels across */
  constructor({ color, size = 9, opacity = 1 }) {
    super();
    this.#materials = [true, false].map((isGhost) => {
      const material = makeDotMaterial({ color, size, opacity, isGhost, hasColors: false });
      const points = new Points(this.#geometry, material);
      points.renderOrder = (isGhost ? ORDER.ghosts : ORDER.solids) + 0.5;
      points.frustumCulled = false;
      points.raycast = () => {};
      this.add(points);
      return material;
    });
    this.visible = false;
  }

  /** Replaces the dots. @param {Numbers} points */
  set(points) {
    this.#geometry.dispose();
    this.visible = points.length >= 3;
    this.#geometry.setAttribute('position', new BufferAttribute(Float32Array.from(points), 3));
  }

  dispose() {
    this.removeFromParent();
    this.#geometry.dispose();
    for (const material of this.#materials) material.dispose();
  }
}

/** Height of the drawing above the mesh, world units. */
export const LIFT = 0.12;

/** A polyline as segments. @param {Numbers} points @param {number} [lift] */
export function polyline(points, lift = LIFT) {
  const count = Math.floor(points.length / 3);
  const segments = new Float32Array(6 * Math.max(0, count - 1));
  for (let i = 0; i + 1 < count; i++) {
    for (let k = 0; k < 6; k++) segments[6 * i + k] = points[3 * i + k] + (k % 3 === 1 ? lift : 0);
  }
  return segments;
}

/** Raises points a little. @param {Numbers} points @param {number} [lift] */
export const lifted = (points, lift = LIFT) => Float32Array.from(points, (part, i) => part + (i % 3 === 1 ? lift : 0));

/** A horizontal circle. @param {Numbers} centre @param {number} radius @param {number} [lift] */
export function circle(centre, radius, lift = LIFT) {
  const [x, y, z] = Array.from(centre);
  const sides = 96;
  const points = Array.from({ length: sides + 1 }, (_, i) => {
    const angle = 2 * Math.PI * i / sides;
    return [x + radius * Math.cos(angle), y, z + radius * Math.sin(angle)];
  });
  return polyline(points.flat(), lift);
}

/** The edges of an axis-aligned box. @param {Point} centre @param {Point} half */
export function boxEdges([x, y, z], [hx, hy, hz]) {
  const corner = (/** @type {number} */ i) => [x + (i & 1 ? hx : -hx), y + (i & 2 ? hy : -hy), z + (i & 4 ? hz : -hz)];
  const edges = [];
  for (let i = 0; i < 8; i++) for (const bit of [1, 2, 4]) if (!(i & bit)) edges.push(...corner(i), ...corner(i | bit));
  return edges;
}

/** A horizontal arrow: shaft and two strokes for the head. @param {Numbers} from @param {Numbers} direction of length 1, horizontal @param {number} length @param {number} [lift] */
export function arrow(from, direction, length, lift = LIFT) {
  const [x, y, z] = Array.from(from), [dx, , dz] = Array.from(direction);
  const head = 0.28 * length;
  const tip = [x + dx * length, y + lift, z + dz * length];
  const side = (/** @type {number} */ sign) => [tip[0] - head * (dx + sign * 0.6 * dz), tip[1], tip[2] - head * (dz - sign * 0.6 * dx)];
  return [x, y + lift, z, ...tip, ...tip, ...side(1), ...tip, ...side(-1)];
}

/** Colours of the heat map from its start to its limit: blue, green, yellow, red. */
const HEAT = ['#2b6fe8', '#19b8c9', '#3ccf6a', '#f2d63c', '#f58a2c', '#d8323c'].map((color) => new Color(color));

/** The colour of a fraction, 0 to 1. @param {number} share @param {Color} [target] */
export function heat(share, target = new Color()) {
  const place = Math.min(Math.max(share, 0), 1) * (HEAT.length - 1);
  const low = Math.min(Math.floor(place), HEAT.length - 2);
  return target.copy(HEAT[low]).lerp(HEAT[low + 1], place - low);
}

/** The heat map for a style sheet, with enough stops to match the scene, which interpolates in linear light. */
export const HEAT_GRADIENT = `linear-gradient(to right, ${Array.from({ length: 21 }, (_, i) => `#${heat(i / 20).getHexString()}`).join(', ')})`;
