/** Words for the obstacle that cuts an island off, and actions that join it to other ground. */
import { NOUNS } from '../edit/items.js';
import { squareMetres } from '../tools/result-text.js';
import { limitsFix } from '../links/link-words.js';
import { blockingWords } from './blocking-obstacles.js';

/** @typedef {import('./borders.js').Reach} Reach */
/** @typedef {import('./list-problems.js').Action} Action */
/** @typedef {import('../stages/links-between.js').LinkChange} LinkChange */
/** @typedef {import('../stages/joins.js').Join} Join */
/** @typedef {import('../stages/joins.js').JoinField} JoinField */
/** @typedef {import('../state/document.js').Document['config']} Config */
/** @typedef {import('../state/document.js').Point} Point */

/**
 * @typedef {object} Cause
 * @property {string} text
 * @property {string} short one or two words for the list
 * @property {Action[]} actions
 * @property {number} rank what joins the island to the main ground: 0: a setting, 0.5: links, 1: a connection; to another one 2 more; NOTHING: nothing
 * @property {Point | null} place where the island ends; null: unknown
 * @property {boolean} [isPlaced] true: obstacles cut it off, so that it is no island to remove
 */

/** Rank of an island that nothing joins. */
export const NOTHING = 4;

const metres = (/** @type {number} */ value) => `${Number(value.toFixed(2))} m`;

/** One or two words for each field. @type {Record<JoinField, string>} */
const SHORT = { agentMaxClimb: 'step', agentMaxSlope: 'slope', agentRadius: 'narrow', agentHeight: 'low ceiling', minRegionSize: 'small', cellSize: 'narrow' };

/** What cuts off, and the label of the change. @type {Record<JoinField, (join: Join, config: Config, value: number) => { text: string, label: string }>} */
const WORDS = {
  agentMaxClimb: ({ figure }, { agentMaxClimb }, value) => ({
    text: `Cut off by a step of ${metres(figure)}: max step height ${metres(agentMaxClimb)}.`, label: `steps of ${metres(value)}` }),
  agentMaxSlope: (_, { agentMaxSlope }, value) => ({ text: `Cut off by a slope of ${value}°: max slope ${agentMaxSlope}°.`, label: `${value}°` }),
  agentRadius: (_, { agentRadius }, value) => ({
    text: `Cut off by a passage too narrow for radius ${metres(agentRadius)}.`, label: `radius ${metres(value)}` }),
  agentHeight: ({ figure }, { agentHeight, cellHeight }, value) => ({
    // Where the triangles have room enough, the cells don't.
    text: figure < agentHeight - 0.005 ? `Cut off by low headroom: ${metres(figure)}, agent height ${metres(agentHeight)}.`
      : `Cut off by low headroom: in cells of ${metres(cellHeight)}, height ${metres(value)} fits, agent height ${metres(agentHeight)} doesn't.`,
    label: `height ${metres(value)}` }),
  minRegionSize: () => ({ text: 'Cut off because the ground between is below the min island size.', label: 'small islands' }),
  cellSize: (_, { agentRadius, cellSize }, value) => ({
    text: `Cut off by a passage too narrow for radius ${metres(agentRadius)} in cells of ${metres(cellSize)}.`, label: `cells of ${metres(value)}` }),
};

/** Verbs of changes of a single field; others are allowed. @type {Partial<Record<JoinField, string>>} */
const VERBS = { minRegionSize: 'keep', cellSize: 'use' };

/** The border of the island nearest to where the way leaves it. @param {Join} join @param {Reach} reach */
function borderAt({ place, window }, { windows }) {
  const distance = (/** @type {Point} */ point) => Math.hypot(...point.map((value, axis) => value - place[axis]));
  return windows[window].from.reduce((best, point) => (distance(point) < distance(best) ? point : best));
}

/** The island that a change joins. @param {Join} join @param {Reach} reach */
export const targetOf = ({ window, to }, { windows }) => windows[window].islands[to];

/** @param {Join} join @param {Reach} reach @param {Config} config @returns {Cause} */
function causeOfJoin(join, reach, config) {
  const entries = /** @type {[JoinField, number][]} */ (Object.entries(join.fields));
  const parts = entries.map(([name, value]) => WORDS[name](join, config, value));
  const changes = parts.map(({ label }) => label).join(' and ');
  const verb = entries.length === 1 ? VERBS[entries[0][0]] ?? 'allow' : 'allow';
  const text = parts.length === 1 ? parts[0].text : `Cut off by ${parts.length} limits: only together, these changes join it.`;
  return {
    text, short: entries.map(([name]) => SHORT[name]).join(' and '), rank: 0, place: borderAt(join, reach),
    actions: [{ kind: 'config', label: `${verb[0].toUpperCase()}${verb.slice(1)} ${changes}`, step: `${verb} ${changes}`, fields: join.fields },
      ...(join.alternative ? causeOfJoin({ ...join, fields: join.alternative, alternative: undefined }, reach, config).actions : [])],
  };
}

/** What lies between, where no setting helps. @param {NonNullable<Reach['link']>} link @param {Config} config @returns {Pick<Cause, 'text' | 'short'>} */
function obstacleOf({ rise, gap }, { agentMaxClimb }) {
  if (Math.abs(rise) > agentMaxClimb) return { text: `Cut off by a drop: ${metres(Math.abs(rise))} ${rise > 0 ? 'above' : 'below'} the ground beside it`, short: 'drop' };
  return gap > 0 ? { text: `Cut off by a gap of ${metres(gap)}`, short: 'gap' } : { text: 'Cut off from the ground beside it', short: 'cut off' };
}

/** Added where an island is joined to another one than the main ground. @param {number} area of that one */
const joinsOther = (area) => ` That joins it to another island (${squareMetres(area)}), not to the main ground.`;

/** @typedef {(island: number) => number} AreaOf square world units */

/** @param {NonNullable<Reach['link']>} link @param {Config} config @param {AreaOf} areaOf @param {readonly LinkChange[]} links @returns {Cause} */
function causeOfLink(link, config, areaOf, links) {
  const { start, end, island } = link;
  const { text, short } = obstacleOf(link, config);
  const kinds = new Intl.ListFormat('en', { type: 'disjunction' }).format(links.map(({ linkKind }) => `a ${linkKind}`));
  const joins = kinds ? `${kinds[0].toUpperCase()}${kinds.slice(1)} would lead there, or a connection.` : 'No setting that was tried joins it; a connection does.';
  const rank = kinds ? 0.5 : 1;
  return {
    text: `${text}. ${joins}${island === 1 ? '' : joinsOther(areaOf(island))}`, short, rank: island === 1 ? rank : rank + 2, place: start,
    actions: [...links.map((change) => /** @type {Action} */ ({ kind: 'links', ...limitsFix(change.linkKind, change.links) })), { kind: 'connect', label: 'Add a connection here', start, end }],
  };
}

/** @param {Join} join with obstacles @param {Reach} reach @param {Pick<import('../state/document.js').Document, 'obstacles' | 'volumes'>} document @returns {Cause} */
function causeOfObstacles(join, reach, document) {
  const { text, actions } = blockingWords(document, join.obstacles ?? []);
  const [{ kind }, ...others] = /** @type {import('../edit/items.js').Selection[]} */ (join.obstacles);
  return { text: `Cut off by ${others.length > 0 ? 'obstacles' : `an ${NOUNS[kind]}`}: ${text}`, short: 'obstacle', rank: 0, place: borderAt(join, reach), actions, isPlaced: true };
}

/**
 * The cause of an island: obstacles come first, then that join it to the main ground, then a connection to that one, then what joins it to others.
 * @param {Join | null} found null: no setting joins it to anything @param {Reach} reach @param {Pick<import('../state/document.js').Document, 'config' | 'obstacles' | 'volumes'>} document
 * @param {{ isWhole: boolean, areaOf: AreaOf, hasClosedDoor?: boolean, links?: readonly LinkChange[] }} islands isWhole: the change joins it to the main ground, perhaps by way of others;
 * links: of kinds that lead to it over the connection @returns {Cause}
 */
export function causeOf(found, reach, document, { isWhole, areaOf, hasClosedDoor = false, links = [] }) {
  const { link, drop, windows } = reach, { config } = document;
  const isBlocked = Boolean(found?.obstacles?.length);
  if (found && isBlocked && isWhole) return causeOfObstacles(found, reach, document);
  // The bake alone has a way: something that is switched closes it.
  const isOpen = found !== null && !isBlocked && Object.keys(found.fields).length === 0;
  if (found && isOpen && hasClosedDoor) return { text: 'A closed door cuts it off.', short: 'door', rank: NOTHING, place: borderAt(found, reach), actions: [] };
  const join = isOpen ? null : found;
  if (join && isWhole) return causeOfJoin(join, reach, config);
  if (link?.island === 1) return causeOfLink(link, config, areaOf, links);
  if (join) {
    const cause = isBlocked ? causeOfObstacles(join, reach, document) : causeOfJoin(join, reach, config);
    return { ...cause, text: `${cause.text}${joinsOther(areaOf(targetOf(join, reach)))}`, rank: 2 };
  }
  if (link) return causeOfLink(link, config, areaOf, links);
  const where = drop !== null ? `${metres(drop)} above the ground below, without stairs or a ramp`
    : windows.length > 0 ? 'walls close it off' : 'no other walkable ground is near';
  return { text: `Nothing leads there: ${where}. No setting that was tried joins it.`, short: 'no way', rank: NOTHING, place: null, actions: [] };
}
