/** What was made by hand in a document: placed objects, area types, and settings. */
import { defaultAreas } from '../edit/areas.js';
import { playStartOf } from '../ground/play-start.js';
import { defaultLinks } from '../links/kinds.js';
import { defaultToolConfig } from '../state/document.js';

/** @typedef {import('../state/document.js').Document} Document */

/** Lists of placed objects, and their names. */
const LISTS = /** @type {const} */ ([
  ['obstacles', 'obstacle', 'obstacles'], ['volumes', 'area volume', 'area volumes'], ['connections', 'connection', 'connections'], ['doors', 'door', 'doors'],
  ['forbiddenLinks', 'forbidden link', 'forbidden links'], ['pinnedLinks', 'pinned link', 'pinned links'],
]);

/** The number of placed objects of each kind. @param {Document} document @returns {[count: number, one: string, many: string][]} */
const countKinds = (document) => [
  ...LISTS.map(([list, one, many]) => /** @type {[number, string, string]} */ ([document[list].length, one, many])),
  [playStartOf(document) ? 1 : 0, 'play start', 'play starts'],
];

/** The number of placed objects. @param {Document} document */
export const countWork = (document) => countKinds(document).reduce((sum, [count]) => sum + count, 0);

/** Names the placed objects: "2 obstacles and 1 door". @param {Document} document */
export function nameWork(document) {
  const parts = countKinds(document).filter(([count]) => count > 0).map(([count, one, many]) => `${count.toLocaleString('en')} ${count === 1 ? one : many}`);
  if (parts.length === 0) return document.config.bounds ? 'the bake bounds' : 'the settings';
  return parts.length === 1 ? parts[0] : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`;
}

/** The same at the beginning of a sentence. @param {Document} document */
export function beginWithWork(document) {
  const name = nameWork(document);
  return name[0].toUpperCase() + name.slice(1);
}

/** True if a document has anything that the user made: objects, area types, values of the configuration, import settings. @param {Document} document */
export function hasWork(document) {
  const { config, chosen, areas, links } = document;
  const initial = /** @type {Record<string, unknown>} */ (defaultToolConfig());
  const tools = /** @type {Record<string, unknown>} */ (chosen.values ?? {});
  return countWork(document) > 0 || document.level.import !== undefined || config.bounds !== undefined
    || JSON.stringify(areas) !== JSON.stringify(defaultAreas()) || JSON.stringify(links) !== JSON.stringify(defaultLinks())
    || Object.entries(config).some(([name, value]) => name in initial && value !== initial[name] && value !== tools[name]);
}
