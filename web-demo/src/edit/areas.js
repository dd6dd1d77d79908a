/**
 * The table of areas: what the numbers 0 to 63 mean, which the ground, volumes, obstacles, connections and doors give to polygons.
 * Costs become a filter for tools that look for ways (areaFilter); who may not pass at all is done by switches (area-rules.js).
 */

/** @typedef {import('../state/document.js').Document} Document */
/**
 * @typedef {{ id: number, name: string, color: string, cost: number, walkable: boolean }} Area color: '#rrggbb'; cost: of a world unit
 */

/** What can be given. */
export const AREA_LIMIT = 63;
/** Area of a connection that is drawn, and of the ground in doors. */
export const [JUMP, DOOR] = [6, 7];

/** Colours are those of walkmesh/three. @returns {Area[]} */
export function defaultAreas() {
  return [
    { id: 0, name: 'Ground', color: '#1fb5a8', cost: 1, walkable: true },
    { id: 1, name: 'Water', color: '#4f8ff7', cost: 10, walkable: true },
    { id: 2, name: 'Road', color: '#9b7bf5', cost: 0.5, walkable: true },
    { id: 3, name: 'Mud', color: '#f0b24a', cost: 4, walkable: true },
    { id: 4, name: 'Danger', color: '#f2766b', cost: 20, walkable: true },
    { id: 5, name: 'Grass', color: '#a4cf4e', cost: 2, walkable: true },
    { id: JUMP, name: 'Jump', color: '#e77fc0', cost: 1.5, walkable: true },
    { id: DOOR, name: 'Door', color: '#58c7e8', cost: 1, walkable: true },
  ];
}

/**
 * The area of a number; one that the table has not is passed at cost 1.
 * @param {Area[]} areas @param {number} id @returns {Area}
 */
export function areaOf(areas, id) {
  // What a bake gives where nothing else does is 63 until it becomes a tile, where it is 0.
  const number = id === AREA_LIMIT ? 0 : id;
  return areas.find((area) => area.id === number)
    ?? { id: number, name: `Area ${number}`, color: hueOf(number), cost: 1, walkable: true };
}

/**
 * The colours that walkmesh/three gives to areas without a name: the golden angle apart, mixed in linear light.
 * @param {number} id
 */
function hueOf(id) {
  const [hue, saturation, lightness] = [(id * 137.508) % 360, 0.55, 0.6];
  const amplitude = saturation * Math.min(lightness, 1 - lightness);
  const part = (/** @type {number} */ n) => {
    const k = (n + hue / 30) % 12;
    const linear = lightness - amplitude * Math.max(-1, Math.min(k - 3, 9 - k, 1));
    const value = linear < 0.0031308 ? 12.92 * linear : 1.055 * linear ** (1 / 2.4) - 0.055;
    return Math.round(255 * value).toString(16).padStart(2, '0');
  };
  return `#${part(0)}${part(8)}${part(4)}`;
}

/** The first number that the table has not, or 0 where it is full. @param {Area[]} areas */
export function nextArea(areas) {
  for (let id = 1; id < AREA_LIMIT; id++) if (!areas.some((area) => area.id === id)) return id;
  return 0;
}

/**
 * The areas of a document; one out of an older address has none.
 * @param {Pick<Document, 'areas'>} document @returns {Area[]}
 */
export const areasOf = (document) => document.areas ?? DEFAULT_AREAS;

const DEFAULT_AREAS = defaultAreas();

/** @typedef {{ readonly areaCosts: Readonly<Record<number, number>> }} AreaFilter as queries of a NavMesh and crowds take it */

/** @type {WeakMap<Area[], AreaFilter>} */
const filters = new WeakMap();

/**
 * What areas cost, as a filter: the same object as long as the table is the same, frozen, so that it is written once.
 * Queries: `navMesh.findPath(a, b, { filter: areaFilter(document) })`; crowds: `crowd.setFilter(0, areaFilter(document))`.
 * @param {Pick<Document, 'areas'>} document @returns {AreaFilter}
 */
export function areaFilter(document) {
  const areas = areasOf(document);
  let filter = filters.get(areas);
  if (!filter) {
    const costs = areas.filter(({ cost }) => cost !== 1).map(({ id, cost }) => [id, cost]);
    filter = Object.freeze({ areaCosts: Object.freeze(Object.fromEntries(costs)) });
    filters.set(areas, filter);
  }
  return filter;
}
