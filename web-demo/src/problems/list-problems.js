/** Problems of a mesh and its level in words, each with a place and with what mends it. */
import { isHarmless } from '../bake/totals.js';
import { DOOR_WORDS } from '../edit/fit-door.js';
import { itemBounds, nameItem } from '../edit/items.js';
import { MAIN_WORDS } from '../ground/main-ground.js';
import { spotOfLink } from '../links/link-sync.js';
import { squareMetres } from '../tools/result-text.js';
import { NOTHING } from './cause-words.js';

/** @typedef {import('../state/document.js').Document} Document */
/** @typedef {import('../state/document.js').Point} Point */
/** @typedef {import('../edit/items.js').Selection} Selection */

/** @typedef {{ kind: 'config', label: string, step: string, fields: Partial<import('walkmesh').Config> } | { kind: 'forget link', label: string, step: string, list: 'forbiddenLinks' | 'pinnedLinks', id: number } | { kind: 'fit door', label: string, id: number } | { kind: 'move ends', label: string, id: number, patch: { start?: Point, end?: Point } } | { kind: 'connect', label: string, start: Point, end: Point } | { kind: 'edit', label: string, step: string, item: Selection, patch: object } | { kind: 'remove', label: string, items: readonly Selection[] } | { kind: 'select', label: string, items: readonly Selection[] }
 *   | ({ kind: 'links' } & import('../links/link-words.js').LinkFix)} Action */

/**
 * @typedef {object} Problem
 * @property {string} key stays the same while the problem does
 * @property {'passage' | 'island' | 'connection' | 'door' | 'link' | 'item' | 'warning'} kind
 * @property {string} title
 * @property {string} text what would mend it
 * @property {Point | null} point null: the whole level
 * @property {Selection | null} item that it is about
 * @property {Action | null} action
 * @property {number} [island] its number
 * @property {Point | null} [place] where an island ends, once its cause is known
 * @property {readonly Action[]} [mends] that join an island, once its cause is known
 * @property {string} [note] the cause in one or two words
 * @property {number} [rank] of the cause: higher ones come later
 * @property {number} [count] of problems that the row stands for; default 1
 */

/** Most islands in the list. */
export const MOST_ISLANDS = 24;

const metres = (/** @type {number} */ value) => `${Number(value.toFixed(2))} m`;
const sentence = (/** @type {string} */ text) => `${text[0].toUpperCase()}${text.slice(1).replace(/\.$/, '')}.`;
const placeKey = (/** @type {Point} */ point) => point.map((value) => Math.round(value)).join(' ');

/** @param {{ gap: import('./gaps.js').Gap, isCut: boolean }[]} gaps @param {number} agentRadius @returns {Problem[]} those that cut the mesh first */
export function passageProblems(gaps, agentRadius) {
  return [...gaps].sort((a, b) => Number(b.isCut) - Number(a.isCut)).map(({ gap: { middle, width }, isCut }) => ({
    key: `passage ${placeKey(middle)}`, kind: 'passage', title: `Passage too narrow: ${metres(width)} wide`,
    text: `Agents of radius ${metres(agentRadius)} need ${metres(2 * agentRadius)} and up to a cell on each side. ${isCut ? 'Nothing else leads there.' : 'The way around is long.'} Widen it, or allow a smaller radius.`,
    point: middle, item: null, action: null,
  }));
}

/** @param {import('../ground/island-list.js').Island[]} islands from the largest to the smallest @param {number} cellSize @returns {Problem[]} */
export function islandProblems(islands, cellSize) {
  const rest = islands.slice(MOST_ISLANDS);
  const size = (/** @type {number} */ area) => Math.ceil(Math.sqrt(1.2 * area) / cellSize) + 2;
  /** @type {Problem[]} */
  const problems = islands.slice(0, MOST_ISLANDS).map(({ number, area, point, isInOneTile }) => ({
    key: `island ${placeKey(point)}`, kind: 'island', title: `Unreachable island: ${squareMetres(area)}`,
    text: isInOneTile ? 'Join it by a ramp or a connection, or remove it and smaller ones.' : 'Join it by a ramp or a connection, or block it by an area volume.',
    point, item: null, island: number,
    action: isInOneTile ? { kind: 'config', label: `Remove up to ${squareMetres(area)}`, step: `remove islands up to ${squareMetres(area)}`, fields: { minRegionSize: size(area) } } : null,
  }));
  if (rest.length > 0) {
    problems.push({
      key: 'islands', kind: 'island', title: `${rest.length} more unreachable ${rest.length === 1 ? 'island' : 'islands'}, at most ${squareMetres(rest[0].area)}`, text: 'Raise Min island size to remove small ones.',
      point: null, item: null, action: null, count: rest.length,
    });
  }
  return problems;
}

/**
 * The list with what cuts its islands off. Once all causes are known, islands that a setting joins come first, then those that a connection
 * joins, then those that only other islands can be reached from, then those that nothing joins.
 * @param {readonly Problem[]} list @param {Pick<import('./causes.js').Causes, 'of' | 'isKnown'>} causes @returns {readonly Problem[]}
 */
export function withCauses(list, causes) {
  const isIsland = (/** @type {Problem} */ { island = 0 }) => island > 0;
  const islands = list.filter(isIsland).map((problem) => {
    const cause = causes.of(problem.island ?? 0);
    if (!cause) return problem;
    const text = cause.rank === NOTHING && problem.action ? `${cause.text} Add stairs or a ramp, or remove it and smaller ones.` : cause.text;
    return { ...problem, text, note: cause.short, place: cause.place ?? problem.point, mends: cause.actions, rank: cause.rank, ...(cause.isPlaced && { action: null }) };
  });
  if (islands.every(({ island = 0 }) => causes.isKnown(island))) islands.sort((a, b) => (a.rank ?? 0) - (b.rank ?? 0));
  return list.map((problem) => (isIsland(problem) ? /** @type {Problem} */ (islands.shift()) : problem));
}

/**
 * A start of play without mesh at it. @param {import('../ground/main-ground.js').MainGround | null} main @param {Point | null} start @returns {Problem[]}
 */
export const startProblems = (main, start) => (main?.isStartLost && start ? [{
  key: 'play start', kind: 'island', title: "Play start isn't on the mesh", text: `The main ground is ${MAIN_WORDS[main.why]} instead. Inspect walkable ground to move it.`,
  point: start, item: null, action: null,
}] : []);

/** The number of problems in a list; a row can stand for many. @param {readonly Problem[]} list */
export const countProblems = (list) => list.reduce((sum, { count = 1 }) => sum + count, 0);

/** The place of a problem in its list in words: "2 of 9", "9 to 37 of 37"; none is shown: "37 problems". @param {readonly Problem[]} list @param {string} key */
export function placeInList(list, key) {
  const total = countProblems(list);
  const at = list.findIndex((problem) => problem.key === key);
  if (at < 0) return `${total} ${total === 1 ? 'problem' : 'problems'}`;
  const before = countProblems(list.slice(0, at));
  const { count = 1 } = list[at];
  return `${before + 1}${count > 1 ? ` to ${before + count}` : ''} of ${total}`;
}

/**
 * @param {Document['connections']} connections @param {(id: number) => { startTied: boolean, endTied: boolean } | null} tiesOf null: not in the mesh
 * @param {(point: Point) => Point | null} nearest point of the mesh @returns {Problem[]}
 */
export function connectionProblems(connections, tiesOf, nearest) {
  return connections.flatMap((connection) => {
    const { id, start, end } = connection;
    const ties = tiesOf(id);
    if (!ties || (ties.startTied && ties.endTied)) return [];
    const loose = /** @type {('start' | 'end')[]} */ ([...(ties.startTied ? [] : ['start']), ...(ties.endTied ? [] : ['end'])]);
    const moves = loose.map((name) => [name, nearest(connection[name])]);
    const ends = loose.length === 2 ? "both ends aren't" : `its ${loose[0]} isn't`;
    return [{
      key: `connection ${id}`, kind: 'connection', title: `${nameItem('connection', connection)} is dead: ${ends} on the mesh`,
      text: 'Drag the end onto walkable ground, or raise its end radius.', point: loose[0] === 'start' ? start : end, item: { kind: 'connection', id },
      action: moves.every(([, point]) => point) ? { kind: 'move ends', label: 'Move onto the mesh', id, patch: Object.fromEntries(moves) } : null,
    }];
  });
}

/**
 * @param {Document['doors']} doors @param {(door: Document['doors'][number]) => import('../edit/passages.js').DoorEffect | null} effectOf
 * @param {(door: Document['doors'][number]) => Point} placeOf @returns {Problem[]}
 */
export function doorProblems(doors, effectOf, placeOf) {
  return doors.flatMap((door) => {
    const effect = effectOf(door);
    if (effect === null || effect === 'closes') return [];
    const { title, text } = DOOR_WORDS[effect];
    return [{
      key: `door ${door.id} ${effect}`, kind: 'door', title: `${nameItem('door', door)} ${title}`, text, point: placeOf(door), item: { kind: 'door', id: door.id },
      action: { kind: 'fit door', label: 'Fit into passage', id: door.id },
    }];
  });
}

/**
 * Obstacles and area volumes that no surface of the level reaches, as after the level was changed. Moving obstacles come and go.
 * @param {Pick<Document, 'obstacles' | 'volumes'>} document @param {(bounds: { min: Point, max: Point }) => boolean} touches true if a surface of the level passes a box
 * @param {number} agentHeight obstacles so far above ground leave no headroom @returns {Problem[]}
 */
export function floatingProblems({ obstacles, volumes }, touches, agentHeight) {
  const problemsOf = (/** @type {'obstacle' | 'volume'} */ kind, /** @type {readonly any[]} */ items, /** @type {number} */ below) => items.flatMap((item) => {
    const { min: [x, y, z], max } = itemBounds(kind, item);
    if (item.moving || touches({ min: [x, y - below, z], max })) return [];
    const selection = /** @type {Selection} */ ({ kind, id: item.id }), name = nameItem(kind, item);
    return [/** @type {Problem} */ ({
      key: `floating ${kind} ${item.id}`, kind: 'item', title: `${name} touches no ground`, text: 'No surface of the level is in it, so it changes nothing. Move it, or remove it.',
      point: [(x + max[0]) / 2, (y + max[1]) / 2, (z + max[2]) / 2], item: selection, action: { kind: 'remove', label: `Remove ${name}`, items: [selection] },
    })];
  });
  return [...problemsOf('obstacle', obstacles, agentHeight), ...problemsOf('volume', volumes, 0)];
}

/** Words for lost pinned links, in the title and in the text. @type {Record<import('../links/lost-links.js').Loss, { title: string, text: string }>} */
const LOSSES = {
  from: { title: 'has no ground at its take-off', text: 'No agent can begin it. Unpin it.' },
  to: { title: 'has no ground at its landing', text: 'No agent can land there. Unpin it.' },
  walkable: { title: 'leads over open ground', text: 'Agents can walk straight from its take-off to its landing: nothing is in between. Unpin it.' },
  blocked: { title: 'is blocked', text: 'Something blocks the body on its way. Paths use it all the same. Unpin it, or clear its way.' },
};

/**
 * Forbidden and pinned links that no longer match the level. @param {readonly import('../links/link-sync.js').ForbiddenLink[]} forbidden
 * @param {ReturnType<typeof import('../links/lost-links.js').lostPinned>} pinned @returns {Problem[]}
 */
export function linkProblems(forbidden, pinned) {
  return [
    ...forbidden.map((place) => /** @type {Problem} */ ({
      key: `forbidden ${place.id}`, kind: 'link', title: `Forbidden ${place.kind} matches no link`,
      text: `No ${place.kind} is found here, so nothing is forbidden. The level or the limits have changed; links beside it are used.`,
      point: spotOfLink(place).start, item: null, action: { kind: 'forget link', label: 'Remove the mark', step: `allow ${place.kind}`, list: 'forbiddenLinks', id: place.id },
    })),
    ...pinned.map(({ link: { id, kind, ...place }, loss }) => /** @type {Problem} */ ({
      key: `pinned ${id} ${loss}`, kind: 'link', title: `Pinned ${kind} ${LOSSES[loss].title}`, text: LOSSES[loss].text, point: spotOfLink({ kind, ...place }).start, item: null,
      action: { kind: 'forget link', label: 'Unpin', step: `unpin ${kind}`, list: 'pinnedLinks', id },
    })),
  ];
}

/** Items that the library refused. @param {Document} document @param {Record<string, string>} errors by kind and id @param {(selection: Selection) => Point | null} placeOf @returns {Problem[]} */
export function itemProblems(document, errors, placeOf) {
  return Object.entries(errors).flatMap(([name, message]) => {
    const [kind, id] = name.split(' ');
    if (!['obstacle', 'connection', 'door'].includes(kind)) return [];
    const item = /** @type {Selection} */ ({ kind, id: Number(id) });
    return [{ key: `item ${name}`, kind: 'item', title: `${name[0].toUpperCase()}${name.slice(1)} isn't in the mesh`, text: sentence(message), point: placeOf(item), item, action: null }];
  });
}

/** @param {readonly string[]} warnings of the bake @returns {Problem[]} */
export const warningProblems = (warnings) => warnings.filter((text) => !isHarmless(text)).map((text) => (
  { key: `warning ${text}`, kind: 'warning', title: 'Bake warning', text: sentence(text), point: null, item: null, action: null }));
