/** Draws the crowd: agents, selection rings, destinations, the brush and the selection box. */
import { DoubleSide, Group, InstancedMesh, Matrix4, MeshBasicMaterial, RingGeometry } from 'three';
import { CrowdHelper } from 'walkmesh/three';
import { drawAfterMesh } from '../layers/depth-shift.js';
import { LitPolygons } from '../tools/lit-polygons.js';
import { Dots, Lines, circle, lifted, polyline } from '../tools/query-drawing.js';
import { END, SELECTED } from '../view/colors.js';

/** @typedef {import('../state/document.js').Point} Point */
/** @typedef {import('./simulation.js').Simulation} Simulation */
/** @typedef {import('./settings.js').CrowdSettings} CrowdSettings */

/** Most agents whose path, neighbours and walls are drawn: more would be unreadable. */
const MAX_PATHS = 24;
/** Agents smaller than this on the screen are drawn as dots, too, pixels. */
const FAR_PIXELS = 9;
const FAR_COLOR = 0xfff3d6;
/** Radius of a ring relative to its agent. */
const RING = 1.55;

/** Rings on the ground. */
class Rings {
  #geometry = new RingGeometry(0.78, 1, 32).rotateX(-Math.PI / 2);
  #material = new MeshBasicMaterial({ color: SELECTED, side: DoubleSide, transparent: true, depthWrite: false, toneMapped: false });
  /** @type {InstancedMesh | null} */
  #mesh = null;
  #room = 0;
  object = new Group();

  /** @param {number} count */
  #reserve(count) {
    if (count <= this.#room && this.#mesh) return this.#mesh;
    this.#mesh?.removeFromParent();
    this.#mesh?.dispose();
    this.#room = count + (count >> 1) + 8;
    const mesh = this.#mesh = new InstancedMesh(this.#geometry, this.#material, this.#room);
    mesh.frustumCulled = false;
    mesh.renderOrder = 20;
    mesh.raycast = () => {};
    this.object.add(mesh);
    return mesh;
  }

  /** @param {number[]} indices of agents @param {ArrayLike<number>} positions @param {number} radius */
  draw(indices, positions, radius) {
    if (indices.length === 0 && !this.#mesh) return;
    const mesh = this.#reserve(indices.length);
    const matrix = new Matrix4();
    indices.forEach((index, i) => {
      matrix.makeScale(RING * radius, 1, RING * radius).setPosition(positions[3 * index], positions[3 * index + 1] + 0.1, positions[3 * index + 2]);
      mesh.setMatrixAt(i, matrix);
    });
    mesh.count = indices.length;
    mesh.visible = indices.length > 0;
    mesh.instanceMatrix.needsUpdate = true;
  }
}

export class CrowdView {
  object = new Group();
  #simulation;
  #viewport;
  /** @type {CrowdHelper | null} */
  #helper = null;
  /** True if the helper draws arrows; a constructor option of the helper. */
  #hasArrows = false;
  /** @type {import('walkmesh').Crowd | null} */
  #drawn = null;
  /** @type {Float32Array} */
  #positions = new Float32Array(0);
  /** Polygons of the drawn corridors. */
  #litKey = '';
  #rings = new Rings();
  #corridors = new LitPolygons({ color: SELECTED, opacity: 0.3 });
  #marks = new Dots({ color: SELECTED, size: 8 });
  #targets = new Dots({ color: END, size: 12 });
  #far = new Dots({ color: FAR_COLOR, size: 4 });
  #brush = new Lines({ color: SELECTED, width: 2 });
  #route = new Lines({ color: END, width: 2, dashed: true });
  #stops = new Dots({ color: END, size: 10 });
  #box = document.createElement('div');

  /** @param {Simulation} simulation @param {import('../view/viewport.js').Viewport} viewport */
  constructor(simulation, viewport) {
    const container = /** @type {HTMLElement} */ (viewport.canvas.parentElement);
    this.#simulation = simulation;
    this.#viewport = viewport;
    this.object.name = 'crowd';
    this.#far.name = 'far agents';
    this.#corridors.name = 'corridors';
    this.object.add(this.#corridors, this.#rings.object, this.#marks, this.#targets, this.#far, this.#brush, this.#route, this.#stops);
    this.#box.className = 'selection-box';
    this.#box.hidden = true;
    container.append(this.#box);
  }

  /** Positions of the last drawing. [count][3] */
  get positions() {
    return this.#positions;
  }

  /** Draws the current state. @param {CrowdSettings} settings */
  draw(settings) {
    const { crowd } = this.#simulation;
    if (!crowd) return;
    const helper = this.#helperFor(crowd, settings.velocities);
    this.#positions = this.#simulation.positions(this.#positions);
    const selected = [...this.#simulation.selected];
    const walkers = selected.length > 0 ? selected : settings.ways ? Array.from(crowd.agents.subarray(0, MAX_PATHS)) : [];
    const shown = walkers.length <= MAX_PATHS ? walkers : [];
    helper.update({ positions: this.#positions, selected: shown });
    drawAfterMesh(helper);
    this.#drawFar(settings.height);
    this.#drawCorridors(crowd, shown);
    const indices = selected.map((agent) => crowd.indexOf(agent));
    this.#rings.draw(indices, this.#positions, settings.radius);
    this.#marks.set(this.#above(indices, 1.25 * settings.height));
  }

  /** @param {import('walkmesh').Crowd} crowd @param {number[]} agents */
  #drawCorridors(crowd, agents) {
    const { navMesh } = this.#simulation;
    if (!navMesh) return;
    const polygons = new Set(agents.flatMap((agent) => Array.from(crowd.corridor(agent))));
    const key = [...polygons].join();
    if (key === this.#litKey) return;
    this.#litKey = key;
    this.#corridors.show(navMesh, [...polygons]);
  }

  /** Draws agents that are small on the screen as dots, so that they don't vanish. @param {number} height */
  #drawFar(height) {
    const { camera, canvas } = this.#viewport;
    const reach = height * canvas.clientHeight / (2 * Math.tan(camera.fov * Math.PI / 360)) / FAR_PIXELS;
    const { x, y, z } = camera.position;
    /** @type {number[]} */
    const far = [];
    for (let i = 0; i < this.#positions.length; i += 3) {
      const [px, py, pz] = [this.#positions[i], this.#positions[i + 1], this.#positions[i + 2]];
      if (Math.hypot(px - x, py - y, pz - z) > reach) far.push(px, py + height / 2, pz);
    }
    this.#far.set(far);
  }

  /** Positions above the heads of agents. @param {number[]} indices @param {number} height */
  #above(indices, height) {
    const points = new Float32Array(3 * indices.length);
    indices.forEach((index, i) => {
      for (let axis = 0; axis < 3; axis++) points[3 * i + axis] = this.#positions[3 * index + axis] + (axis === 1 ? height : 0);
    });
    return points;
  }

  /** Draws the destinations. */
  drawTargets() {
    this.#targets.set(lifted(this.#simulation.targets().flat()));
  }

  /** @param {import('walkmesh').Crowd} crowd @param {boolean} velocities */
  #helperFor(crowd, velocities) {
    if (this.#helper && this.#drawn === crowd && this.#hasArrows === velocities) return this.#helper;
    this.drop();
    this.#drawn = crowd;
    this.#hasArrows = velocities;
    const helper = this.#helper = new CrowdHelper(crowd, { velocities });
    this.object.add(helper);
    return helper;
  }

  /** Releases everything that refers to the crowd. */
  drop() {
    this.#helper?.dispose();
    this.#helper = this.#drawn = null;
    this.#corridors.clear();
    this.#litKey = '';
  }

  /** Draws the points of a patrol and the lines between them. @param {Point[]} points */
  drawRoute(points) {
    this.#stops.set(lifted(points.flat()));
    this.#route.set(points.length < 2 ? [] : polyline([...points, points[0]].flat()));
  }

  /** Draws the circle in which new agents appear. @param {Point | null} centre null: none @param {number} radius */
  drawBrush(centre, radius) {
    if (!centre && !this.#brush.visible) return false;
    this.#brush.set(centre ? circle(centre, radius) : []);
    return true;
  }

  /** @param {import('./selection.js').Box | null} box null: none */
  drawBox(box) {
    this.#box.hidden = box === null;
    if (!box) return;
    const area = /** @type {HTMLElement} */ (this.#box.parentElement).getBoundingClientRect();
    Object.assign(this.#box.style, {
      left: `${box.left - area.left}px`, top: `${box.top - area.top}px`, width: `${box.right - box.left}px`, height: `${box.bottom - box.top}px`,
    });
  }
}
