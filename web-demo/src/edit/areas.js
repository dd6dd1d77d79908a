/**
 * The table of areas: the meaning of the numbers 0 to 63 that the ground, volumes, obstacles, connections and doors assign to polygons.
 * areaFilter turns the costs into a filter for path searches; switches close areas that are not walkable (switch-sync.js).
 */

/** @typedef {import('../state/document.js').Document} Document */
/**
 * @typedef {{ id: number, name: string, color: string, cost: number, walkable: boolean }} Area color: '#rrggbb'; cost: of a world unit
 */

/** Highest area number. */
export const AREA_LIMIT = 63;
/** Default area of drawn connections, and the area of the ground in doors. */
export const [JUMP, DOOR] = [6, 7];

/** The default areas, in the colours of walkmesh/three. @returns {Area[]} */
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
 * Finds an area by number; unknown numbers get a generated area of cost 1.
 * @param {Area[]} areas @param {number} id @returns {Area}
 */
export function areaOf(areas, id) {
  // During a bake the ground is area 63; it becomes 0 in the tiles.
  const number = id === AREA_LIMIT ? 0 : id;
  return areas.find((area) => area.id === number)
    ?? { id: number, name: `Area ${number}`, color: hueOf(number), cost: 1, walkable: true };
}

/**
 * The colours of walkmesh/three for unnamed areas: hues a golden angle apart, mixed in linear light.
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

/** The first unused number, or 0 if the table is full. @param {Area[]} areas */
export function nextArea(areas) {
  for (let id = 1; id < AREA_LIMIT; id++) if (!areas.some((area) => area.id === id)) return id;
  return 0;
}

/**
 * The areas of a document; documents from older addresses have none.
 * @param {Pick<Document, 'areas'>} document @returns {Area[]}
 */
export const areasOf = (document) => document.areas ?? DEFAULT_AREAS;

const DEFAULT_AREAS = defaultAreas();

/** @typedef {{ readonly areaCosts: Readonly<Record<number, number>> }} AreaFilter an option of NavMesh queries and crowds */

/** @type {WeakMap<Area[], AreaFilter>} */
const filters = new WeakMap();

/**
 * The area costs as a filter. The same table returns the same frozen object, so that the filter is written once.
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
