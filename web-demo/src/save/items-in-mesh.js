/**
 * Extracts the obstacles, connections, doors and closed areas of an opened mesh into the form of the document. They are removed
 * from the mesh, and the edits add them again.
 */
import { DOOR } from '../edit/areas.js';
import { widen } from '../edit/switch-sync.js';
import { toPinned } from '../links/link-sync.js';
import { shortened } from './literals.js';

/** @typedef {import('walkmesh').NavMesh} NavMesh */
/** @typedef {import('walkmesh').DynamicNavMesh} DynamicNavMesh */
/** @typedef {import('walkmesh').SwitchOptions} SwitchOptions */
/** @typedef {import('../state/document.js').Document} Document */
/** @typedef {Pick<Document, 'obstacles' | 'connections' | 'doors' | 'forbiddenLinks' | 'pinnedLinks'> & { closedAreas: number[] }} Placed */

/** Largest difference of equal numbers after rounding, world units. */
const SAME = 1e-3;

/** Flags that every filter needs. */
const ALL_FLAGS = 0xffff;

/** True if two shapes are equal except for rounding. @param {any} a @param {any} b @returns {boolean} */
function isSameShape(a, b) {
  if (typeof a === 'number' && typeof b === 'number') return Math.abs(a - b) < SAME;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return a === b;
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => isSameShape(a[key], b[key]));
}

/** @param {DynamicNavMesh} dynamic @returns {{ shape: any, area: number, isAtRest: boolean }[]} */
function takeObstacles(dynamic) {
  const handles = [...dynamic.obstacles()];
  const all = handles.map((handle) => {
    const { area = 0, beforeErosion, carving, moveThreshold, timeToRest, isCarving, ...shape } = dynamic.obstacle(handle);
    return { shape: shortened(shape), area, isAtRest: carving !== 'always' };
  });
  if (handles.length > 0) dynamic.removeObstacles(handles);
  return all;
}

/** @param {NavMesh} navMesh @returns {Document['connections']} */
function takeConnections(navMesh) {
  return navMesh.connections().map((ref, i) => {
    const { start, end, radius, bidirectional, enabled, area } = navMesh.connection(ref);
    navMesh.removeConnection(ref);
    return { id: i + 1, ...shortened({ start, end, radius, bidirectional, enabled, area }) };
  });
}

/** Generated links stay in the mesh. @param {NavMesh} navMesh @returns {Pick<Document, 'forbiddenLinks' | 'pinnedLinks'>} */
function takeLinks(navMesh) {
  const forbiddenLinks = navMesh.disabledLinkPlaces.map((place, i) => ({ id: i + 1, ...place }));
  /** @type {Document['pinnedLinks']} */
  const pinnedLinks = [];
  // Removing one changes the references of others.
  for (let at = firstByHand(navMesh); at !== 0; at = firstByHand(navMesh)) {
    pinnedLinks.push({ id: pinnedLinks.length + 1, ...toPinned(navMesh.segmentLink(at)) });
    navMesh.removeSegmentLink(at);
  }
  return { forbiddenLinks, pinnedLinks };
}

/** @param {NavMesh} navMesh @returns {number} the reference of a link made by hand; 0: none */
function firstByHand(navMesh) {
  const { refs, byHand } = navMesh.segmentLinks();
  return refs[byHand.indexOf(1)] ?? 0;
}

/**
 * The shape of a door: the obstacle that marks its ground, which is consumed, or else the volume of its switch.
 * @param {SwitchOptions} options @param {{ shape: any, area: number }[]} obstacles @param {number} cellSize
 */
function doorShape({ volume, area }, obstacles, cellSize) {
  if (area !== DOOR) return shortened(volume);
  const wanted = shortened(volume);
  const at = obstacles.findIndex((obstacle) => obstacle.area === DOOR
    && [0.5, 2 * cellSize].some((margin) => isSameShape(shortened(widen(obstacle.shape, margin)), wanted)));
  return at < 0 ? shortened(volume) : obstacles.splice(at, 1)[0].shape;
}

/**
 * Removes from the mesh everything that the document can store, and returns it.
 * @param {NavMesh} navMesh @param {DynamicNavMesh | null} dynamic @returns {Placed}
 */
export function readItems(navMesh, dynamic) {
  const obstacles = dynamic ? takeObstacles(dynamic) : [];
  const connections = takeConnections(navMesh);
  const links = takeLinks(navMesh);
  const switches = navMesh.restoreSwitches();
  const { cellSize } = navMesh.parameters;
  /** @type {Document['doors']} */
  const doors = [];
  /** @type {number[]} */
  const closedAreas = [];
  for (const options of switches?.list() ?? []) {
    if (options.clearFlags !== ALL_FLAGS) continue;
    const { name, area, isOn = false } = options;
    if (name === undefined && area !== undefined && area !== DOOR) closedAreas.push(area);
    else doors.push({ id: doors.length + 1, name: name ?? '', shape: doorShape(options, obstacles, cellSize), open: !isOn });
  }
  switches?.free();
  return { obstacles: obstacles.map(({ shape, area }, i) => ({ id: i + 1, shape, area })), connections, doors, ...links, closedAreas };
}
