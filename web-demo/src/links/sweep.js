/** The swept body of a link: everything that the agent's cylinder touches on its way, over the whole width, and the body at some moments. */
import { BufferAttribute, BufferGeometry, CapsuleGeometry, DoubleSide, Group, LineBasicMaterial, LineSegments, Mesh, MeshBasicMaterial, Vector3 } from 'three';

/** @typedef {import('walkmesh').NavMesh} NavMesh */
/** @typedef {import('walkmesh').SegmentLink} SegmentLink */
/** @typedef {[number, number]} Flat along the way, height */
/** The trajectory at a share of the width, x, y, z of each point. @typedef {number[]} Way */

/** Points of a trajectory, and where along it the body is drawn. */
const POINTS = 65;
const MOMENTS = [0, 0.5, 1];
/** Distance between both sides of a place where the body's heights jump, world units. */
const JUMP = 1e-4;
/** Sides of the rounded ends. */
const OVER = 4;

/** @param {NavMesh} navMesh @param {number} ref @param {number} across @returns {Way} */
const wayOf = (navMesh, ref, across) => Array.from({ length: POINTS }, (_, i) => navMesh.segmentLinkPoint(ref, across, i / (POINTS - 1))).flat();

/**
 * The heights between which the body passes at a place of the way: those of the feet within the radius of it, and the height of the body.
 * @param {readonly Flat[]} way @param {number} at along the way @param {number} radius @param {number} height @returns {Flat} lowest and highest
 */
export function bodyHeights(way, at, radius, height) {
  let [low, high] = [Infinity, -Infinity];
  const add = (/** @type {number} */ y) => { [low, high] = [Math.min(low, y), Math.max(high, y + height)]; };
  for (let i = 0; i < way.length; i++) {
    const [x, y] = way[i];
    if (Math.abs(x - at) <= radius) add(y);
    if (i === 0) continue;
    const [beforeX, beforeY] = way[i - 1];
    for (const edge of [at - radius, at + radius]) {
      if ((beforeX - edge) * (x - edge) < 0) add(beforeY + (edge - beforeX) / (x - beforeX) * (y - beforeY));
    }
  }
  return [low, high];
}

/** The places of the way at which the body's heights are taken; where they jump, both sides. @param {number} length @param {number} radius */
function placesAlong(length, radius) {
  const even = Array.from({ length: POINTS }, (_, i) => -radius + i / (POINTS - 1) * (length + 2 * radius));
  const jumps = [radius, length - radius].flatMap((at) => [at - JUMP, at + JUMP]);
  return [...even, ...jumps].filter((at) => at >= -radius && at <= length + radius).sort((a, b) => a - b);
}

/**
 * The surface of the swept body, which reaches the radius beyond both sides of the link.
 * @param {Way} left @param {Way} right trajectories of both sides @param {number} radius @param {number} height
 * @returns {{ positions: Float32Array, edges: Float32Array }} triangles, and lines along its edges
 */
export function sweptBody(left, right, radius, height) {
  const start = new Vector3().fromArray(left);
  const side = new Vector3().fromArray(right).sub(start).setY(0).normalize();
  const ahead = new Vector3(side.z, 0, -side.x);
  const length = new Vector3().fromArray(left, left.length - 3).sub(start).dot(ahead);
  if (length < 0) ahead.negate();
  const [near, far] = [left, right].map((way, i) => {
    const foot = new Vector3().fromArray(way);
    /** @type {Flat[]} */
    const flat = Array.from({ length: way.length / 3 }, (_, k) => [new Vector3().fromArray(way, 3 * k).sub(foot).dot(ahead), way[3 * k + 1]]);
    foot.addScaledVector(side, i === 0 ? -radius : radius);
    return placesAlong(Math.abs(length), radius).map((at) => {
      const { x, z } = foot.clone().addScaledVector(ahead, at);
      return bodyHeights(flat, at, radius, height).map((y) => [x, y, z]);
    });
  });
  const [positions, edges] = [/** @type {number[]} */ ([]), /** @type {number[]} */ ([])];
  const addQuad = (/** @type {number[][]} */ ...corners) => { for (const i of [0, 1, 2, 0, 2, 3]) positions.push(...corners[i]); };
  for (let i = 0; i + 1 < near.length; i++) {
    const [[a, b], [c, d], [e, f], [g, h]] = [near[i], near[i + 1], far[i], far[i + 1]];
    addQuad(a, c, d, b);
    addQuad(e, f, h, g);
    addQuad(b, d, h, f);
    addQuad(a, e, g, c);
    edges.push(...a, ...c, ...b, ...d, ...e, ...g, ...f, ...h);
  }
  for (const i of [0, near.length - 1]) {
    const [[a, b], [e, f]] = [near[i], far[i]];
    addQuad(a, b, f, e);
    edges.push(...a, ...b, ...b, ...f, ...f, ...e, ...e, ...a);
  }
  return { positions: Float32Array.from(positions), edges: Float32Array.from(edges) };
}

/** Draws the sweep of one link. */
export class Sweep extends Group {
  #body = new BufferGeometry();
  #edges = new BufferGeometry();
  #surface = new MeshBasicMaterial({ transparent: true, opacity: 0.2, side: DoubleSide, forceSinglePass: true, depthWrite: false, toneMapped: false });
  #lines = new LineBasicMaterial({ transparent: true, toneMapped: false, depthWrite: false });
  #bodies = new MeshBasicMaterial({ transparent: true, opacity: 0.35, toneMapped: false, depthWrite: false });
  #capsules = new Group();

  constructor() {
    super();
    const parts = [new Mesh(this.#body, this.#surface), new LineSegments(this.#edges, this.#lines)];
    parts.forEach((part, i) => {
      part.renderOrder = 30 + i;
      part.frustumCulled = false;
      part.raycast = () => {};
      this.add(part);
    });
    this.add(this.#capsules);
    this.visible = false;
  }

  /** @param {NavMesh} navMesh @param {SegmentLink} link @param {number} color */
  show(navMesh, link, color) {
    const { agentRadius, agentHeight } = navMesh.parameters;
    const { positions, edges } = sweptBody(wayOf(navMesh, link.ref, 0), wayOf(navMesh, link.ref, 1), agentRadius, agentHeight);
    for (const [geometry, points] of /** @type {const} */ ([[this.#body, positions], [this.#edges, edges]])) {
      geometry.dispose();
      geometry.setAttribute('position', new BufferAttribute(points, 3));
    }
    for (const material of [this.#surface, this.#lines, this.#bodies]) material.color.set(color);
    this.#placeBodies(navMesh, link.ref, Math.max(agentRadius, 0.05), agentHeight);
    this.visible = true;
  }

  /** @param {NavMesh} navMesh @param {number} ref @param {number} radius @param {number} height */
  #placeBodies(navMesh, ref, radius, height) {
    this.#clearBodies();
    const shape = new CapsuleGeometry(radius, Math.max(height - 2 * radius, 0.01), OVER, 4 * OVER).translate(0, height / 2, 0);
    for (const along of MOMENTS) {
      const mesh = new Mesh(shape, this.#bodies);
      mesh.position.fromArray(navMesh.segmentLinkPoint(ref, 0.5, along));
      mesh.renderOrder = 33;
      mesh.raycast = () => {};
      this.#capsules.add(mesh);
    }
  }

  #clearBodies() {
    for (const mesh of this.#capsules.children) /** @type {Mesh} */ (mesh).geometry.dispose();
    this.#capsules.clear();
  }

  hide() {
    this.visible = false;
    this.#clearBodies();
  }
}
