/** Checks the form of items from outside (an address, a file). The library checks the ranges. */
import { LINK_KINDS } from '../links/kinds.js';
import { AREA_LIMIT } from './areas.js';

/** @typedef {(value: any) => boolean} Check */

/** @type {Check} */
const isNumber = (value) => Number.isFinite(value);
/** @type {Check} */
const isPoint = (value) => Array.isArray(value) && value.length === 3 && value.every(isNumber);
/** @type {Check} */
const isFlag = (value) => typeof value === 'boolean';
/** @type {Check} */
const isOutline = (value) => Array.isArray(value) && value.length >= 9 && value.length % 3 === 0 && value.every(isNumber);
/** @type {Check} */
const isArea = (value) => Number.isInteger(value) && value >= 0 && value <= AREA_LIMIT;

/** Fields of each shape. @type {Record<string, Record<string, Check>>} */
const SHAPES = {
  cylinder: { base: isPoint, radius: isNumber, height: isNumber },
  box: { min: isPoint, max: isPoint },
  rotatedBox: { centre: isPoint, halfExtents: isPoint, yaw: isNumber },
  prism: { vertices: isOutline, minY: isNumber, maxY: isNumber },
  capsule: { start: isPoint, end: isPoint, radius: isNumber },
  sphere: { centre: isPoint, radius: isNumber },
};

/**
 * True if a value has exactly these fields, each valid; `others` are optional fields.
 * @param {any} value @param {Record<string, Check>} fields @param {readonly string[]} [others]
 */
const has = (value, fields, others = []) => typeof value === 'object' && value !== null
  && Object.entries(fields).every(([name, isGood]) => isGood(value[name]))
  && Object.keys(value).every((name) => name in fields || others.includes(name));

/** @param {readonly string[]} kinds @returns {Check} */
const isShapeOf = (kinds) => (shape) => kinds.includes(shape?.kind) && has(shape, SHAPES[shape.kind], ['kind']);

/** @type {Check} */
const isMotion = (moving) => moving === undefined
  || (moving?.path === 'line' && has(moving, { to: isPoint, speed: isNumber, rest: isNumber }, ['path']) && moving.speed >= 0 && moving.rest >= 0)
  || (moving?.path === 'circle' && has(moving, { centre: isPoint, speed: isNumber }, ['path']) && moving.speed >= 0);

const isAnyShape = isShapeOf(Object.keys(SHAPES));

/** @type {Check} */
const isLinkKind = (kind) => LINK_KINDS.some((row) => row.kind === kind);
/** @type {Check} */
const isSegment = (value) => Array.isArray(value) && value.length === 2 && value.every(isPoint);

/** True if a segment has a width on x and z, as float32. @param {[number[], number[]]} segment */
const hasWidth = ([a, b]) => Math.fround(a[0]) !== Math.fround(b[0]) || Math.fround(a[2]) !== Math.fround(b[2]);

/** Checks for the items of each list of a document. @type {Record<'volumes' | 'obstacles' | 'connections' | 'doors' | 'forbiddenLinks' | 'pinnedLinks', Check>} */
export const ITEM_CHECKS = {
  volumes: (item) => has(item, { id: isNumber, shape: isAnyShape, area: isArea }),
  obstacles: (item) => has(item, { id: isNumber, shape: isAnyShape, area: isArea }, ['moving']) && isMotion(item.moving),
  connections: (item) => has(item, {
    id: isNumber, start: isPoint, end: isPoint, radius: isNumber, bidirectional: isFlag, enabled: isFlag, area: isArea,
  }),
  doors: (item) => has(item, { id: isNumber, name: (name) => typeof name === 'string', shape: isShapeOf(['box', 'rotatedBox']), open: isFlag }),
  forbiddenLinks: (item) => has(item, { id: isNumber, kind: isLinkKind, start: isSegment, end: isSegment }) && hasWidth(item.start),
  pinnedLinks: (item) => has(item, {
    id: isNumber, kind: isLinkKind, start: isSegment, end: isSegment, peak: isNumber, cost: isNumber, area: isArea, bidirectional: isFlag,
  }),
};

/** Fields of the items of each list. @type {Record<keyof typeof ITEM_CHECKS, readonly string[]>} */
const ITEM_FIELDS = {
  volumes: ['id', 'shape', 'area'], obstacles: ['id', 'shape', 'area', 'moving'],
  connections: ['id', 'start', 'end', 'radius', 'bidirectional', 'enabled', 'area'], doors: ['id', 'name', 'shape', 'open'],
  forbiddenLinks: ['id', 'kind', 'start', 'end'], pinnedLinks: ['id', 'kind', 'start', 'end', 'peak', 'cost', 'area', 'bidirectional'],
};

/** @param {any} value @param {readonly string[]} names */
const pick = (value, names) => Object.fromEntries(Object.entries(value).filter(([name]) => names.includes(name)));

/** True for a kind of shape that this version doesn't know. @param {any} shape */
export const isUnknownShape = (shape) => typeof shape?.kind === 'string' && !Object.hasOwn(SHAPES, shape.kind);

/**
 * An item without the fields that this version doesn't know. @param {keyof typeof ITEM_CHECKS} list @param {any} item an object
 */
export function knownItem(list, item) {
  const { shape, ...known } = pick(item, ITEM_FIELDS[list]);
  if (shape === undefined) return known;
  const fields = SHAPES[shape?.kind];
  return { ...known, shape: fields ? pick(shape, ['kind', ...Object.keys(fields)]) : shape };
}

/** Checks a table of areas: unique numbers, and ground is among them. @type {Check} */
export function isAreaTable(areas) {
  return Array.isArray(areas) && new Set(areas.map((area) => area?.id)).size === areas.length && areas.some((area) => area?.id === 0)
    && areas.every((area) => has(area, {
      id: isArea, name: (name) => typeof name === 'string', color: (color) => /^#[\da-f]{6}$/.test(color),
      cost: (cost) => isNumber(cost) && cost >= 0, walkable: isFlag,
    }));
}
