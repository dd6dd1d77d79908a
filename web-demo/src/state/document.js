/** What the tool's state holds and how it begins. */
import { CONFIG_FIELDS } from 'walkmesh';
import { defaultAreas } from '../edit/areas.js';

/** @typedef {import('walkmesh').Config} Config */
/** @typedef {[number, number, number]} Point x, y, z in world units */

/**
 * What a person edits: undoable, in the URL, plain JSON.
 * @typedef {object} Document
 * @property {{ kind: 'scene' | 'file', name: string, key?: string }} level key: of a file, names its contents
 * @property {Required<Omit<Config, 'bounds'>> & { bounds?: { min: Point, max: Point } }} config
 * @property {{ id: number, shape: any, area: number }[]} volumes areas that are baked in
 * @property {{ id: number, shape: any, area: number, moving?: import('../edit/motion.js').Motion }[]} obstacles
 * @property {{ id: number, start: Point, end: Point, radius: number, bidirectional: boolean, enabled: boolean, area: number }[]} connections
 * @property {{ id: number, name: string, shape: any, open: boolean }[]} doors
 * @property {import('../edit/areas.js').Area[]} areas what the numbers of areas mean
 * @property {Record<string, any>} places where the handles of tools stand, by tool
 */

/**
 * How it is looked at: in the URL, not undoable.
 * @typedef {object} View
 * @property {string} tool
 * @property {Record<string, { visible: boolean, opacity: number }>} layers that differ from how they begin
 * @property {number | null} clip height above which nothing is drawn
 * @property {boolean} wireframe
 * @property {'system' | 'light' | 'dark'} theme
 * @property {'auto' | 'fine' | 'plain'} picture with shadows and smooth edges, or without; auto: as the machine can. Read when the page opens
 * @property {boolean} autoBake
 * @property {{ left: boolean, right: boolean }} panels which are open
 * @property {{ position: Point, target: Point } | null} camera null: framing the level
 */

/**
 * What is going on: neither saved nor undone.
 * @typedef {object} SessionState
 * @property {{ name: string, triangles: number, bounds: { min: Point, max: Point } } | null} level
 * @property {{ name: string, step: string, share: number | null } | null} loading share: 0 to 1, null where it is not known
 * @property {BakeState} bake
 * @property {Record<string, any>} [extra]
 */

/**
 * @typedef {object} BakeState
 * @property {'idle' | 'running' | 'done' | 'failed' | 'cancelled'} state
 * @property {number} done tiles
 * @property {number} tiles
 * @property {import('walkmesh').BakeReport | null} report of the mesh that stands
 * @property {{ message: string, field?: string } | null} error
 */

/** @typedef {{ document: Document, view: View, session: SessionState & Record<string, any> }} State */

/** The configuration with all defaults; tiles, as obstacles need them. @returns {Document['config']} */
export function defaultToolConfig() {
  const config = Object.fromEntries(CONFIG_FIELDS.map(({ name, default: value }) => [name, value]));
  return /** @type {Document['config']} */ (/** @type {unknown} */ ({ ...config, tileSize: 48 }));
}

/** @returns {Document} */
export function defaultDocument() {
  return {
    level: { kind: 'scene', name: 'city' }, config: defaultToolConfig(),
    volumes: [], obstacles: [], connections: [], doors: [], areas: defaultAreas(), places: {},
  };
}

/** @returns {View} */
export function defaultView() {
  return {
    tool: 'inspect', layers: {}, clip: null, wireframe: false, theme: 'system', picture: 'auto', autoBake: true,
    panels: { left: true, right: true }, camera: null,
  };
}

/** @returns {State['session']} */
export function defaultSession() {
  return { level: null, loading: null, bake: { state: 'idle', done: 0, tiles: 0, report: null, error: null } };
}

/** The next number that no item of a list has. @param {{ id: number }[]} items */
export const nextId = (items) => items.reduce((most, { id }) => Math.max(most, id), 0) + 1;
