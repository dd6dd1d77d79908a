/** DebugDrawer of @recast-navigation/three: draws polygons of a mesh. Stages of a bake have helpers in walkmesh/three. */
import { BufferAttribute, BufferGeometry, Group, LineBasicMaterial, LineSegments, Mesh, MeshBasicMaterial } from 'three';
import { rawOf, requireMaterial, requireNumber, requireObject } from '../recast-navigation/arguments.js';
import { addMissing } from '../recast-navigation/missing.js';
import { listPolygons } from '../recast-navigation/nav-mesh.js';

/** @typedef {import('three').Material} Material */
/** @typedef {import('../recast-navigation/nav-mesh.js').NavMesh} NavMesh */
/** @typedef {import('../mesh/mesh.js').NavMesh} WalkmeshNavMesh */
/** @typedef {ReturnType<WalkmeshNavMesh['polygons']>[number]} Polygon */
/** @typedef {{ triMaterial?: Material, lineMaterial?: Material, pointMaterial?: Material }} DebugDrawerParams pointMaterial is ignored */

const DEFAULT_COLOR = 0x00c0ff;

/** A polygon as a fan of triangles, or as its outline. @param {Polygon} polygon @param {boolean} isOutline @returns {number[]} */
function listCorners({ vertices }, isOutline) {
  const count = vertices.length / 3;
  const corner = (/** @type {number} */ i) => Array.from(vertices.subarray(3 * (i % count), 3 * (i % count) + 3));
  if (isOutline) return Array.from({ length: count }, (_, i) => [...corner(i), ...corner(i + 1)]).flat();
  return Array.from({ length: Math.max(0, count - 2) }, (_, i) => [...corner(0), ...corner(i + 1), ...corner(i + 2)]).flat();
}

/** @param {Polygon[]} polygons @param {boolean} isOutline */
function makeGeometry(polygons, isOutline) {
  const positions = Float32Array.from(polygons.flatMap((polygon) => listCorners(polygon, isOutline)));
  return new BufferGeometry().setAttribute('position', new BufferAttribute(positions, 3));
}

/** Each call adds a drawing; reset() removes all. */
export class DebugDrawer extends Group {
  /** @type {Set<Material>} */
  #colored = new Set();

  /** @param {DebugDrawerParams} [params] */
  constructor(params = {}) {
    super();
    const { triMaterial, lineMaterial } = requireObject(params, 'params');
    requireMaterial(triMaterial, 'triMaterial');
    requireMaterial(lineMaterial, 'lineMaterial');
    /** @type {Material} */
    this.triMaterial = triMaterial ?? new MeshBasicMaterial({ color: DEFAULT_COLOR, transparent: true, opacity: 0.4, depthWrite: false });
    /** @type {Material} */
    this.lineMaterial = lineMaterial ?? new LineBasicMaterial({ color: 0x003040 });
  }

  /** @param {NavMesh} mesh @param {number} [_flags] ignored */
  drawNavMesh(mesh, _flags) {
    this.#draw(rawOf(mesh).polygons(), this.triMaterial);
  }

  /** @param {NavMesh} mesh @param {number} flags polygons with one of these @param {number} col 0xRRGGBB */
  drawNavMeshPolysWithFlags(mesh, flags, col) {
    requireNumber(flags, 'flags');
    this.#draw(rawOf(mesh).polygons().filter((polygon) => (polygon.flags & flags) !== 0), this.#paint(col));
  }

  /** @param {NavMesh} mesh @param {number} ref @param {number} col 0xRRGGBB */
  drawNavMeshPoly(mesh, ref, col) {
    const raw = rawOf(mesh);
    const refs = listPolygons(raw);
    this.#draw(raw.polygons().filter((_, i) => refs[i] === ref), this.#paint(col));
  }

  /** @param {number} color */
  #paint(color) {
    const material = new MeshBasicMaterial({ color: requireNumber(color, 'col') & 0xffffff, transparent: true, opacity: 0.5, depthWrite: false });
    this.#colored.add(material);
    return material;
  }

  /** @param {Polygon[]} polygons @param {Material} material */
  #draw(polygons, material) {
    this.add(new Mesh(makeGeometry(polygons, false), material), new LineSegments(makeGeometry(polygons, true), this.lineMaterial));
  }

  /** Removes all drawings. */
  reset() {
    for (const child of [...this.children]) {
      /** @type {Mesh} */ (child).geometry.dispose();
      this.remove(child);
    }
    for (const material of this.#colored) material.dispose();
    this.#colored.clear();
  }

  dispose() {
    this.reset();
    this.triMaterial.dispose();
    this.lineMaterial.dispose();
  }
}

const VOXELS = 'VoxelsHelper of walkmesh/three';
const CONTOURS = 'ContoursHelper of walkmesh/three';
const LINKS = 'LinksHelper of walkmesh/three';
const POLYGONS = 'PolygonsHelper of walkmesh/three';
addMissing(DebugDrawer, {
  drawPrimitives: 'objects of three.js',
  drawHeightfieldSolid: VOXELS, drawHeightfieldWalkable: VOXELS, drawCompactHeightfieldSolid: VOXELS, drawCompactHeightfieldRegions: VOXELS,
  drawCompactHeightfieldDistance: VOXELS, drawHeightfieldLayer: VOXELS, drawHeightfieldLayers: VOXELS,
  drawRegionConnections: CONTOURS, drawRawContours: CONTOURS, drawContours: CONTOURS, drawPolyMesh: POLYGONS, drawPolyMeshDetail: POLYGONS,
  drawNavMeshWithClosedList: POLYGONS, drawNavMeshNodes: POLYGONS, drawNavMeshBVTree: POLYGONS, drawNavMeshPortals: LINKS,
});
