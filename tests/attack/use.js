/** What a game does with a mesh that it has loaded: paths, rays, a crowd, tiles taken out and put back, saving. The mesh may be hostile. */
import { NavError, Random as Seeded } from '../../js/index.js';
import { requireOwn } from './foreign.js';

/** @typedef {import('./values.js').Random} Random */

const AGENTS = 20;
const STEPS = 4;

/** Runs a call that may refuse: any NavError but `internal` will do. @template T @param {() => T} call @returns {T | undefined} */
function attempt(call) {
  try {
    return call();
  } catch (error) {
    if (!(error instanceof NavError) || error.code === 'internal') throw error;
    return undefined;
  }
}

/** @param {any} navMesh @param {any} a @param {any} b */
function ask(navMesh, a, b) {
  attempt(() => navMesh.findPath(a.point, b.point));
  attempt(() => navMesh.findPath(a.point, b.point, { anyAngle: true }));
  attempt(() => navMesh.findSmoothPath(a.point, b.point, { step: 1 }));
  attempt(() => navMesh.raycast(a.polygon, a.point, b.point));
  attempt(() => navMesh.moveAlongSurface(a.polygon, a.point, b.point));
  attempt(() => navMesh.distanceToWall(a.polygon, a.point, 5));
  attempt(() => navMesh.wallSegments(a.polygon));
  attempt(() => navMesh.polygonsInCircle(a.point, 5));
  attempt(() => { const flood = navMesh.flood(a.polygon, a.point, { maxCost: 20 }); return navMesh.floodPath(flood, flood.count - 1); });
  attempt(() => navMesh.islands().free());
}

/** @param {any} navMesh @param {any[]} places */
function walk(navMesh, places) {
  const crowd = navMesh.createCrowd();
  for (let i = 0; i < AGENTS; i++) attempt(() => crowd.setTarget(crowd.addAgent(places[i % places.length].point), places[(i + 1) % places.length].point));
  for (let i = 0; i < STEPS; i++) attempt(() => crowd.step(0.1));
  crowd.free();
}

/** Takes tiles out and puts them back. @param {any} navMesh */
function swapTiles(navMesh) {
  for (const tile of navMesh.tileRefs().slice(0, 3)) {
    const bytes = attempt(() => navMesh.tileBytes(tile)), state = attempt(() => navMesh.saveTileState(tile));
    attempt(() => navMesh.removeTile(tile));
    if (bytes) attempt(() => navMesh.addTile(bytes));
    if (state) attempt(() => navMesh.restoreTileState(state));
  }
}

/** @param {any} navMesh @param {Random} random */
function useParts(navMesh, random) {
  const seeded = new Seeded(random.below(1000));
  const places = Array.from({ length: 4 }, () => attempt(() => navMesh.randomPoint({ random: seeded }))).filter(Boolean);
  for (const ref of attempt(() => navMesh.connections()) ?? []) attempt(() => navMesh.connection(ref));
  attempt(() => navMesh.polygons());
  attempt(() => navMesh.triangles());
  attempt(() => navMesh.restoreSwitches()?.update());
  if (places.length >= 2) {
    ask(navMesh, places[0], places[1]);
    walk(navMesh, places);
  }
  swapTiles(navMesh);
}

/** Uses and frees a mesh. What was read can be saved, and read again. @param {any} walkmesh @param {any} navMesh @param {Random} random */
export function useMesh(walkmesh, navMesh, random) {
  try {
    walkmesh.loadNavMesh(navMesh.save()).free();
    useParts(navMesh, random);
    walkmesh.loadNavMesh(navMesh.save()).free();
    attempt(() => navMesh.exportDetour());
  } finally {
    navMesh.free();
  }
}

/** Uses and frees a dynamic mesh. @param {any} walkmesh @param {{ navMesh: any, dynamic: any }} made @param {Random} random */
export function useDynamic(walkmesh, { navMesh, dynamic }, random) {
  try {
    walkmesh.loadDynamic(dynamic.save()).navMesh.free();
    attempt(() => dynamic.update({ tiles: 4 }));
    const place = attempt(() => navMesh.randomPoint({ random: new Seeded(3) }));
    const added = place && attempt(() => dynamic.addObstacle({ kind: 'cylinder', base: place.point, radius: 1, height: 2 }));
    attempt(() => dynamic.update({ tiles: 4 }));
    for (const obstacle of dynamic.obstacles().slice(0, 3)) attempt(() => dynamic.moveObstacle(obstacle, [1, 0, 1]));
    if (added) attempt(() => dynamic.removeObstacle(added));
    attempt(() => dynamic.update({ tiles: 4 }));
    useParts(navMesh, random);
    walkmesh.loadDynamic(dynamic.save()).navMesh.free();
  } finally {
    navMesh.free();
  }
}

/** Bakes a level that was read, within limits. @param {any} walkmesh @param {any} level @param {Random} random */
export function useLevel(walkmesh, { positions, indices }, random) {
  requireOwn(positions);
  if (indices.length === 0) return;
  const baked = attempt(() => walkmesh.bake({ positions, indices }, { cellSize: 0.5, agentRadius: 0.5 }, { limits: { cells: 1e5, tiles: 16, milliseconds: 1000 } }));
  if (baked) useMesh(walkmesh, baked.navMesh, random);
}
