/**
 * Draws segment links: ribbons as wide as the links along their trajectories, with rails at both sides and arrows at the ends that they lead
 * to. Climbs are ladders, so that a drop and the climb back, which take the same way, are both seen.
 */
import { BufferAttribute, BufferGeometry, Color, DoubleSide, LineBasicMaterial, LineSegments, Matrix4, Mesh, MeshBasicMaterial, Sphere, Vector3 } from 'three';
import { invalidArgument, describe } from '../runtime/errors.js';
import { isRecord } from '../runtime/arguments.js';
import { Helper, RENDER_ORDER, readOptions, requireNavMesh } from './helper.js';
import { KINDS, trajectoryPoints } from './geometry/link-trajectory.js';
import { COLORS } from './palette.js';

/** @typedef {import('../mesh/mesh.js').NavMesh} NavMesh */
/** @typedef {ReturnType<NavMesh['segmentLinks']>} SegmentLinks */

/**
 * @typedef {object} SegmentLinksHelperOptions
 * @property {number} [opacity] of ribbons, 0 to 1; rails and arrows are opaque; default 0.35
 * @property {number} [lift] height above their position at which links are drawn, world units; default 0.06
 * @property {number} [arrowSize] length of arrows, world units; default 0: 1.2 times the agent radius of the mesh
 */

/** Arrows of a ribbon: one for this many arrow lengths of its width, and at most this many. */
const [ARROW_SPACING, MOST_ARROWS] = [4, 12];
/** The width of an arrow in its lengths, and in widths of its part of the ribbon, whichever is less. */
const [ARROW_WIDTH, ARROW_SHARE] = [1.1, 0.8];
/** The length of arrows on meshes of agents without a radius, world units. */
const USUAL_ARROW = 0.4;
/** The distance of a ladder's rungs, and their thickness, in arrow lengths; and the most rungs of a piece of a trajectory. */
const [RUNG_DISTANCE, RUNG, MOST_RUNGS] = [0.6, 0.12, 64];

/** Both sides of a ribbon: x, y, z of each point. @typedef {{ left: readonly number[], right: readonly number[] }} Ribbon */

/** A point of a ribbon, between two points of its trajectory. @param {Ribbon} ribbon @param {number} from first number of a point @param {number} to of another one @param {number} along 0 to 1 @param {number} across 0 to 1 */
const pointOn = ({ left, right }, from, to, along, across) => [0, 1, 2].map((axis) => {
  const at = (/** @type {readonly number[]} */ side) => side[from + axis] + along * (side[to + axis] - side[from + axis]);
  return at(left) + across * (at(right) - at(left));
});

/** Grows arrays of vertices. */
class Vertices {
  #positions = new Float32Array(3 * 1024);
  #colors = new Uint8Array(4 * 1024);
  count = 0;

  /** @param {ArrayLike<number>} points x, y, z of a vertex from an index on @param {number} at @param {readonly number[]} rgba */
  add(points, at, rgba) {
    if (3 * this.count === this.#positions.length) this.#grow();
    this.#positions.set([points[at], points[at + 1], points[at + 2]], 3 * this.count);
    this.#colors.set(rgba, 4 * this.count++);
  }

  #grow() {
    const [positions, colors] = [this.#positions, this.#colors];
    this.#positions = new Float32Array(2 * positions.length);
    this.#positions.set(positions);
    this.#colors = new Uint8Array(2 * colors.length);
    this.#colors.set(colors);
  }

  get positions() {
    return this.#positions.subarray(0, 3 * this.count);
  }

  /** Two triangles. @param {readonly number[][]} corners four @param {readonly number[]} rgba */
  addQuad(corners, rgba) {
    for (const i of [0, 1, 2, 0, 2, 3]) this.add(corners[i], 0, rgba);
  }

  /** Appends all vertices of others. @param {Vertices} others */
  append(others) {
    for (let i = 0; i < others.count; i++) this.add(others.#positions, 3 * i, Array.from(others.#colors.subarray(4 * i, 4 * i + 4)));
  }

  /** Replaces the vertices of a geometry. @param {BufferGeometry} geometry */
  putInto(geometry) {
    geometry.dispose();
    geometry.setAttribute('position', new BufferAttribute(this.positions, 3));
    geometry.setAttribute('color', new BufferAttribute(this.#colors.subarray(0, 4 * this.count), 4, true));
    geometry.setDrawRange(0, this.count);
  }
}

/** True if two results of NavMesh.segmentLinks look the same. @param {SegmentLinks} a @param {SegmentLinks} b */
function lookSame(a, b) {
  return a.count === b.count && (/** @type {const} */ (['refs', 'kinds', 'starts', 'ends', 'peaks', 'bidirectional', 'enabled', 'tied']))
    .every((name) => a[name].every((value, i) => value === b[name][i]));
}

/**
 * Draws the segment links of a navigation mesh, in two draw calls for any number of them: sky blue drops, yellow jumps, magenta climbs,
 * orange vaults; grey if switched off; red if an end isn't on the mesh. Climbs are ladders, the others ribbons. An arrow points to each end
 * that a link leads to. Call update() after a change of the mesh.
 */
export class SegmentLinksHelper extends Helper {
  type = 'SegmentLinksHelper';
  #navMesh;
  #options;
  #version = NaN;
  /** @type {SegmentLinks | null} */
  #links = null;
  /** First vertex of each link's ribbon, and the end. */
  #firsts = new Uint32Array(1);
  #vertices = new Vertices();
  #colors = [...KINDS.map((kind) => new Color(COLORS[kind])), new Color(COLORS.disabled), new Color(COLORS.untied)];

  /**
   * @param {NavMesh} navMesh don't update the helper after freeing it
   * @param {SegmentLinksHelperOptions} [options]
   */
  constructor(navMesh, options) {
    super();
    this.#navMesh = requireNavMesh(navMesh);
    this.#options = readOptions(options, { opacity: 0.35, lift: 0.06, arrowSize: 0 });
    const look = { vertexColors: true, transparent: true, depthWrite: false, toneMapped: false };
    const [surface, lines] = [this.own(new BufferGeometry()), this.own(new BufferGeometry())];
    for (const geometry of [surface, lines]) geometry.boundingSphere = new Sphere(new Vector3(), Infinity); // else three.js would compute it, for sorting
    /** Ribbons and arrows: the opacity of the material may be changed. @type {Mesh<BufferGeometry, MeshBasicMaterial>} */
    this.surface = this.addPart(new Mesh(surface, this.own(new MeshBasicMaterial({ ...look, side: DoubleSide, forceSinglePass: true }))), RENDER_ORDER.links);
    /** Rails: the opacity of the material may be changed. @type {LineSegments<BufferGeometry, LineBasicMaterial>} */
    this.rails = this.addPart(new LineSegments(lines, this.own(new LineBasicMaterial(look))), RENDER_ORDER.links + 0.5);
    this.update();
  }

  /** Draws the present links. @returns {number} their number */
  update() {
    this.check();
    const { version } = this.#navMesh;
    if (this.#links && version === this.#version) return this.#links.count;
    this.#version = version;
    const links = this.#navMesh.segmentLinks();
    if (!this.#links || !lookSame(links, this.#links)) this.#draw(links);
    return links.count;
  }

  /** @param {SegmentLinks} links */
  #draw(links) {
    this.#links = links;
    this.#firsts = new Uint32Array(links.count + 1);
    const [surface, marks, lines] = [this.#vertices = new Vertices(), new Vertices(), new Vertices()];
    for (let i = 0; i < links.count; i++) {
      this.#drawLink(links, i, surface, marks, lines);
      this.#firsts[i + 1] = surface.count;
    }
    // After all ribbons: those that overlap would tint them.
    surface.append(marks);
    surface.putInto(this.surface.geometry);
    lines.putInto(this.rails.geometry);
    this.visible = links.count > 0;
  }

  /** The length of arrows, world units. */
  get #arrow() {
    return this.#options.arrowSize || 1.2 * this.#navMesh.parameters.agentRadius || USUAL_ARROW;
  }

  /** @param {SegmentLinks} links @param {number} i @param {Vertices} surface @param {Vertices} marks @param {Vertices} lines */
  #drawLink(links, i, surface, marks, lines) {
    const { lift, opacity } = this.#options;
    const kind = KINDS[links.kinds[i]];
    const [left, right] = [0, 3].map((side) => {
      const points = trajectoryPoints(kind, links.starts.subarray(6 * i + side, 6 * i + side + 3), links.ends.subarray(6 * i + side, 6 * i + side + 3), links.peaks[i]);
      for (let k = 1; k < points.length; k += 3) points[k] += lift;
      return points;
    });
    const ribbon = { left, right };
    const { r, g, b } = this.#colors[links.tied[i] !== 3 ? KINDS.length + 1 : links.enabled[i] ? links.kinds[i] : KINDS.length];
    const rgb = [r, g, b].map((part) => Math.round(255 * part));
    const solid = [...rgb, 255], faint = [...rgb, Math.round(255 * (kind === 'climb' ? 0 : opacity))];
    const last = left.length - 3;
    for (let k = 0; k < last; k += 3) {
      surface.addQuad([left.slice(k, k + 3), right.slice(k, k + 3), right.slice(k + 3, k + 6), left.slice(k + 3, k + 6)], faint);
      for (const points of [left, right]) for (const at of [k, k + 3]) lines.add(points, at, solid);
      if (kind === 'climb') this.#drawRungs(marks, solid, ribbon, k);
    }
    for (const at of [0, last]) for (const points of [left, right]) lines.add(points, at, solid);
    this.#drawArrows(marks, solid, ribbon, last, last - 3);
    if (links.bidirectional[i]) this.#drawArrows(marks, solid, ribbon, 0, 3);
  }

  /** @param {Vertices} marks @param {readonly number[]} color @param {Ribbon} ribbon @param {number} k first number of the point where a piece begins */
  #drawRungs(marks, color, ribbon, k) {
    const length = Math.hypot(...[0, 1, 2].map((axis) => ribbon.left[k + 3 + axis] - ribbon.left[k + axis]));
    const count = Math.min(MOST_RUNGS, Math.floor(length / (RUNG_DISTANCE * this.#arrow)));
    const half = RUNG * this.#arrow / length / 2;
    for (let i = 0; i < count; i++) {
      const along = (i + 0.5) / count;
      marks.addQuad([[along - half, 0], [along - half, 1], [along + half, 1], [along + half, 0]].map(([at, across]) => pointOn(ribbon, k, k + 3, at, across)), color);
    }
  }

  /**
   * Arrows side by side at an end of a ribbon. @param {Vertices} marks @param {readonly number[]} color @param {Ribbon} ribbon
   * @param {number} tip first number of the end @param {number} from of the point before it
   */
  #drawArrows(marks, color, ribbon, tip, from) {
    const { left, right } = ribbon;
    const width = Math.hypot(...[0, 1, 2].map((axis) => right[tip + axis] - left[tip + axis]));
    const room = Math.hypot(...[0, 1, 2].map((axis) => left[from + axis] + right[from + axis] - left[tip + axis] - right[tip + axis])) / 2;
    if (!(room > 0) || !(width > 0)) return;
    const size = this.#arrow;
    const count = Math.min(MOST_ARROWS, Math.max(1, Math.floor(width / (ARROW_SPACING * size))));
    const half = Math.min(ARROW_WIDTH * size, ARROW_SHARE * width / count) / width / 2;
    for (let i = 0; i < count; i++) {
      const middle = (i + 0.5) / count;
      for (const [along, across] of [[0, middle], [Math.min(1, size / room), middle - half], [Math.min(1, size / room), middle + half]]) {
        marks.add(pointOn(ribbon, tip, from, along, across), 0, color);
      }
    }
  }

  /**
   * The link that a ray hits first.
   * @param {import('three').Ray} ray @param {number} [farthest] distance at which it ends, world units; default: no end
   * @returns {number | null} the link's reference; null: none
   */
  linkAt(ray, farthest = Infinity) {
    return this.linksAt(ray, farthest)[0] ?? null;
  }

  /**
   * All links that a ray hits: a drop and the climb back take the same way.
   * @param {import('three').Ray} ray in world space, also where the helper, or what holds it, is moved or turned
   * @param {number} [farthest] distance at which it ends, world units; default: no end
   * @returns {number[]} the links' references, the nearest first
   */
  linksAt(ray, farthest = Infinity) {
    this.check();
    if (!isRecord(ray) || typeof ray.intersectTriangle !== 'function') throw invalidArgument('ray', `must be a Ray, not ${describe(ray)}`, ray);
    for (const part of /** @type {const} */ (['origin', 'direction'])) {
      for (const axis of /** @type {const} */ (['x', 'y', 'z'])) {
        if (!Number.isFinite(ray[part][axis])) throw invalidArgument(`ray.${part}.${axis}`, `is ${ray[part][axis]}: must be finite`, ray[part][axis]);
      }
    }
    if (typeof farthest !== 'number' || Number.isNaN(farthest)) throw invalidArgument('farthest', `is ${describe(farthest)}: must be a number`, farthest);
    const { refs } = /** @type {SegmentLinks} */ (this.#links);
    this.updateWorldMatrix(true, false);
    const inside = ray.clone().applyMatrix4(toInside.copy(this.matrixWorld).invert());
    const hits = Array.from(refs, (ref, i) => ({ ref, distance: this.#distanceTo(ray, inside, i) })).filter(({ distance }) => distance < farthest);
    return hits.sort((a, b) => a.distance - b.distance).map(({ ref }) => ref);
  }

  /**
   * The distance at which a ray hits a link's ribbon.
   * @param {import('three').Ray} ray @param {import('three').Ray} inside the same ray in the helper's space @param {number} i
   * @returns {number} Infinity: it doesn't
   */
  #distanceTo(ray, inside, i) {
    const { positions } = this.#vertices;
    let nearest = Infinity;
    for (let vertex = this.#firsts[i]; vertex < this.#firsts[i + 1]; vertex += 3) {
      corners.forEach((corner, k) => corner.fromArray(positions, 3 * (vertex + k)));
      if (!inside.intersectTriangle(corners[0], corners[1], corners[2], false, hit)) continue;
      nearest = Math.min(nearest, hit.applyMatrix4(this.matrixWorld).distanceTo(ray.origin));
    }
    return nearest;
  }
}

const corners = [new Vector3(), new Vector3(), new Vector3()], hit = new Vector3(), toInside = new Matrix4();
