/**
 * Items placed in a level, in the form of the document and of the library. Obstacles and area volumes are shapes with an area;
 * area 0 is not walkable.
 */
import { DOOR } from './areas.js';
import { KINDS, boundsOf, middle, positionOf, round, translate } from './shapes.js';

/** @typedef {import('../state/document.js').Document} Document */
/** @typedef {import('./shapes.js').Point} Point */
/** @typedef {'obstacle' | 'volume' | 'connection' | 'door'} ItemKind */
/** @typedef {{ kind: ItemKind, id: number }} Selection */
/** @typedef {Document['obstacles'][number]} Obstacle */
/** @typedef {Document['volumes'][number]} Volume */
/** @typedef {Document['connections'][number]} Connection */
/** @typedef {Document['doors'][number]} Door */

/** The document's list of each kind. */
export const LISTS = /** @type {const} */ ({ obstacle: 'obstacles', volume: 'volumes', connection: 'connections', door: 'doors' });

/** The name of each kind in sentences and undo steps. */
export const NOUNS = /** @type {const} */ ({ obstacle: 'obstacle', volume: 'area volume', connection: 'connection', door: 'door' });

/** @param {Document} document @param {Selection | null | undefined} selection @returns {any} the item, or undefined */
export function findItem(document, selection) {
  if (!selection) return undefined;
  return /** @type {{ id: number }[]} */ (document[LISTS[selection.kind]]).find(({ id }) => id === selection.id);
}

/** The name of an item in lists. @param {ItemKind} kind @param {any} item */
export function nameItem(kind, item) {
  if (kind === 'door') return item.name || `Door ${item.id}`;
  if (kind === 'connection') return `Connection ${item.id}`;
  return `${KINDS[/** @type {import('./shapes.js').Kind} */ (item.shape.kind)].label} ${item.id}`;
}

/**
 * Converts an obstacle for DynamicNavMesh.addObstacle. A moving obstacle carves only at rest; agents avoid it meanwhile.
 * @param {Obstacle} obstacle
 */
export function toObstacle({ shape, area, moving }) {
  return { ...shape, area, ...(moving ? { carving: /** @type {const} */ ('at rest') } : {}) };
}

/** Converts an area volume for a bake. @param {Volume} volume */
export const toVolume = ({ shape, area }) => ({ ...shape, area });

/** The obstacle that gives the ground in a door its own area, so that polygons end at the door. @param {Door} door */
export const toDoorSurface = ({ shape }) => ({ ...shape, area: DOOR });

/**
 * All obstacles of a dynamic mesh, in the order of the document.
 * @param {Document} document @returns {import('./obstacle-sync.js').Wanted[]}
 */
export function wantedObstacles({ obstacles, doors }) {
  return [
    ...doors.map((door) => ({ key: `door ${door.id}`, obstacle: toDoorSurface(door) })),
    ...obstacles.map((obstacle) => ({ key: `obstacle ${obstacle.id}`, obstacle: toObstacle(obstacle) })),
  ];
}

/** All obstacles of a dynamic mesh, as area volumes of a bake. @param {Document} document */
export const obstacleVolumes = (document) => wantedObstacles(document).map(({ obstacle: { carving: _, ...shape } }) => (
  { ...shape, beforeErosion: shape.area === 0 }));

/** Position of an item. @param {ItemKind} kind @param {any} item @returns {Point} */
export const placeOf = (kind, item) => (kind === 'connection' ? middle(item.start, item.end) : positionOf(item.shape));

/** Moves an item together with its motion. @param {ItemKind} kind @param {any} item @param {readonly number[]} by */
export function shiftItem(kind, item, by) {
  const shift = (/** @type {readonly number[]} */ point) => point.map((value, axis) => round(value + by[axis]));
  if (kind === 'connection') return { ...item, start: shift(item.start), end: shift(item.end) };
  const moved = { ...item, shape: translate(item.shape, by) };
  if (item.moving?.path === 'line') moved.moving = { ...item.moving, to: shift(item.moving.to) };
  if (item.moving?.path === 'circle') moved.moving = { ...item.moving, centre: shift(item.moving.centre) };
  return moved;
}

/** Bounds of an item. @param {ItemKind} kind @param {any} item @returns {import('./shapes.js').Box} */
export function itemBounds(kind, item) {
  if (kind !== 'connection') return boundsOf(item.shape);
  const pick = (/** @type {(...values: number[]) => number} */ choose) => (
    /** @type {Point} */ ([0, 1, 2].map((axis) => choose(item.start[axis], item.end[axis]))));
  return { min: pick(Math.min), max: pick(Math.max) };
}
