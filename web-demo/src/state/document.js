/** The contents of the tool's state, and its defaults. */
import { CONFIG_FIELDS } from 'walkmesh';
import { PRESETS } from '../bake/suggest.js';
import { defaultAreas } from '../edit/areas.js';
import { defaultLinks } from '../links/kinds.js';

/** @typedef {import('walkmesh').Config} Config */
/** @typedef {[number, number, number]} Point x, y, z in world units */

/**
 * The edited part: undoable, in the URL, plain JSON.
 * @typedef {object} Document
 * @property {{ kind: 'scene' | 'file', name: string, key?: string, import?: Partial<import('../level/import-settings.js').ImportSettings> }} level key: for
 *   a file: identifies its contents; import: settings that differ from AS_IS
 * @property {Required<Omit<Config, 'bounds' | 'links'>> & { bounds?: { min: Point, max: Point } }} config
 * @property {{ id: number, shape: any, area: number }[]} volumes area volumes, part of the bake
 * @property {{ id: number, shape: any, area: number, moving?: import('../edit/motion.js').Motion }[]} obstacles
 * @property {{ id: number, start: Point, end: Point, radius: number, bidirectional: boolean, enabled: boolean, area: number }[]} connections
 * @property {{ id: number, name: string, shape: any, open: boolean }[]} doors
 * @property {import('../links/kinds.js').LinkSettings} links which links are generated
 * @property {import('../links/link-sync.js').ForbiddenLink[]} forbiddenLinks places where no link of a kind is used
 * @property {import('../links/link-sync.js').PinnedLink[]} pinnedLinks links that stay when the settings no longer generate them
 * @property {import('../edit/areas.js').Area[]} areas the area types
 * @property {Partial<import('../bake/chosen.js').Chosen>} chosen values of the configuration that the tool chose
 * @property {Record<string, any>} extra fields of an opened project that this version doesn't know: saved with it again
 * @property {Record<string, any>} places marker positions and settings by tool
 */

/**
 * The appearance: in the URL, not undoable.
 * @typedef {object} View
 * @property {string} tool
 * @property {Record<string, { visible: boolean, opacity: number }>} layers that differ from their defaults
 * @property {number | null} clip height above which nothing is drawn
 * @property {boolean} wireframe
 * @property {boolean} axes true: the axis gizmo is drawn
 * @property {number} snap grid for placed and dragged items, world units; 0: none
 * @property {boolean | null} shell true: back faces are culled; null: if the level is closed
 * @property {'system' | 'light' | 'dark'} theme
 * @property {'auto' | 'fine' | 'plain'} picture fine: shadows and smooth edges; plain: neither; auto: by machine. Read when the page opens
 * @property {boolean} autoBake
 * @property {{ left: boolean, right: boolean }} panels open panels
 * @property {{ position: Point, target: Point } | null} camera null: framing the level
 */

/**
 * The running state: neither saved nor undoable.
 * @typedef {object} SessionState
 * @property {{ name: string, triangles: number, bounds: { min: Point, max: Point } } | null} level
 * @property {{ name: string, step: string, share: number | null } | null} loading share: 0 to 1, null: unknown
 * @property {BakeState} bake
 * @property {number} [restored] counts undo and redo
 * @property {import('../edit/items.js').Selection[]} [alsoSelected] selected items besides the selection
 * @property {Record<string, any>} [extra]
 */

/**
 * @typedef {object} BakeState
 * @property {'idle' | 'running' | 'done' | 'failed' | 'cancelled'} state
 * @property {number} done tiles
 * @property {number} tiles
 * @property {import('walkmesh').BakeReport | null} report of the current mesh
 * @property {{ message: string, field?: string, fix?: import('../bake/failure.js').Fix | null } | null} error fix: a change that lets the level bake
 */

/** @typedef {{ document: Document, view: View, session: SessionState & Record<string, any> }} State */

/** The defaults of the library plus tiles, which obstacles need. Addresses without a version start from it. @returns {Document['config']} */
export function libraryConfig() {
  const config = Object.fromEntries(CONFIG_FIELDS.map(({ name, default: value }) => [name, value]));
  return /** @type {Document['config']} */ (/** @type {unknown} */ ({ ...config, tileSize: 48 }));
}

/** The default configuration of the tool: a human, with cells that suit. @returns {Document['config']} */
export const defaultToolConfig = () => ({ ...libraryConfig(), ...PRESETS[0].agent, cellSize: 0.2, cellHeight: 0.1 });

/** @returns {Document} */
export function defaultDocument() {
  return {
    level: { kind: 'scene', name: 'city' }, config: defaultToolConfig(),
    volumes: [], obstacles: [], connections: [], doors: [], links: defaultLinks(), forbiddenLinks: [], pinnedLinks: [], areas: defaultAreas(), chosen: {}, extra: {}, places: {},
  };
}

/** @returns {View} */
export function defaultView() {
  return {
    tool: 'inspect', layers: {}, clip: null, wireframe: false, axes: true, snap: 0, shell: null, theme: 'system', picture: 'auto', autoBake: true,
    panels: { left: true, right: true }, camera: null,
  };
}

/** @returns {State['session']} */
export function defaultSession() {
  return { level: null, loading: null, bake: { state: 'idle', done: 0, tiles: 0, report: null, error: null } };
}

/** The first unused id of a list. @param {{ id: number }[]} items */
export const nextId = (items) => items.reduce((max, { id }) => Math.max(max, id), 0) + 1;
