/**
 * The kinds of links that a mesh can have generated, their limits, and values that suit an agent. A document stores the limits that the user
 * set; the others follow the agent.
 */
import { JUMP } from '../edit/areas.js';
import { roundDown, roundUp } from '../bake/suggest.js';

/** @typedef {import('../state/document.js').Document} Document */
/** @typedef {import('../bake/suggest.js').Agent} Agent */
/** @typedef {import('walkmesh').LinkConfig} LinkConfig */
/** @typedef {'drop' | 'jump' | 'climb' | 'vault'} LinkKind */
/** @typedef {Record<string, number>} Limits of a kind, by name */

/** The document's settings of one kind: whether it is on, and the values that the user set. @typedef {{ isOn: boolean, area?: number } & Record<string, any>} KindSettings */
/** @typedef {Record<LinkKind, KindSettings> & { minWidth?: number, thinning?: number, minSaving?: number }} LinkSettings */

/**
 * @typedef {object} LimitRow
 * @property {string} name in the configuration of links
 * @property {string} label
 * @property {string} unit
 * @property {number} step increment of the arrow keys
 * @property {string} help
 * @property {boolean} [isRare] true: shown under More
 * @property {(agent: Agent, limits: Limits) => number} suggest limits: those of the rows before this one
 */

/** @typedef {{ kind: LinkKind, label: string, help: string, limits: readonly LimitRow[] }} KindRow */

/** A length that agents can't walk: above the step height. @param {Agent} agent @param {number} length */
const aboveStep = ({ agentMaxClimb }, length) => Math.max(roundDown(length), agentMaxClimb > 0 ? roundUp(1.5 * agentMaxClimb) : 0);

/** @type {readonly KindRow[]} */
export const LINK_KINDS = [
  {
    kind: 'drop', label: 'Drop', help: 'Over a ledge, down to the ground below.', limits: [
      { name: 'maxHeight', label: 'Drop height', unit: 'm', step: 0.1, help: 'How far down agents drop.', suggest: (agent) => aboveStep(agent, 2 * agent.agentHeight) },
    ],
  },
  {
    kind: 'jump', label: 'Jump', help: 'Across a gap, from edge to edge.', limits: [
      { name: 'maxDistance', label: 'Jump distance', unit: 'm', step: 0.1, help: 'From take-off to landing, measured flat.', suggest: ({ agentHeight }) => roundDown(2 * agentHeight) },
      { name: 'maxUp', label: 'Jump up', unit: 'm', step: 0.1, help: 'How far the landing may lie above the take-off.', suggest: ({ agentMaxClimb, agentHeight }) => Math.max(agentMaxClimb, roundDown(agentHeight / 4)) },
      { name: 'maxDown', label: 'Jump down', unit: 'm', step: 0.1, help: 'How far the landing may lie below the take-off.', suggest: ({ agentMaxClimb, agentHeight }) => Math.max(agentMaxClimb, roundDown(agentHeight)) },
      {
        name: 'peak', label: 'Jump peak', unit: 'm', step: 0.05, isRare: true, help: 'How far the arc rises above the take-off.',
        suggest: (_, { maxUp, maxDistance }) => Math.max(maxUp, roundUp(maxDistance / 8)),
      },
    ],
  },
  {
    kind: 'climb', label: 'Climb', help: 'Up a wall to a ledge that the hands reach.', limits: [
      { name: 'maxHeight', label: 'Climb height', unit: 'm', step: 0.1, help: 'How far up agents climb.', suggest: (agent) => aboveStep(agent, 1.2 * agent.agentHeight) },
    ],
  },
  {
    kind: 'vault', label: 'Vault', help: 'Over a low wall or fence.', limits: [
      { name: 'maxHeight', label: 'Vault height', unit: 'm', step: 0.1, help: 'Of the obstacle above the ground.', suggest: (agent) => aboveStep(agent, 0.6 * agent.agentHeight) },
      { name: 'maxDepth', label: 'Vault depth', unit: 'm', step: 0.1, help: 'Of the obstacle, in the direction of the vault.', suggest: ({ agentHeight }) => roundDown(0.6 * agentHeight) },
    ],
  },
];

/** Limits that all kinds share, shown under More. @type {readonly LimitRow[]} */
export const COMMON_LIMITS = [
  { name: 'minWidth', label: 'Min link width', unit: 'm', step: 0.1, help: 'Narrower links are left out. 0: all stay.', suggest: () => 0 },
  { name: 'thinning', label: 'Thinning', unit: 'm', step: 0.1, help: 'Of links that lie this near to each other, the widest stays.', suggest: ({ agentRadius }) => agentRadius },
  { name: 'minSaving', label: 'Min saving', unit: '×', step: 0.5, help: 'Leaves out links if walking costs at most this many times as much. 0: off.', suggest: () => 0 },
];

/** @param {LinkKind} kind */
export const rowOf = (kind) => /** @type {KindRow} */ (LINK_KINDS.find((row) => row.kind === kind));

/** No kind is on, and nothing is set. @returns {LinkSettings} */
export const defaultLinks = () => ({ drop: { isOn: false }, jump: { isOn: false }, climb: { isOn: false }, vault: { isOn: false } });

/** @param {readonly LimitRow[]} rows @param {Agent} agent @param {Record<string, any>} given values that the user set @returns {Limits} */
function limitsOf(rows, agent, given) {
  /** @type {Limits} */
  const limits = {};
  for (const { name, suggest } of rows) limits[name] = given[name] ?? suggest(agent, limits);
  return limits;
}

/** The limits of a kind in force. @param {Pick<Document, 'config' | 'links'>} document @param {LinkKind} kind */
export const kindLimits = ({ config, links }, kind) => limitsOf(rowOf(kind).limits, config, links[kind]);

/** The limits that all kinds share. @param {Pick<Document, 'config' | 'links'>} document */
export const commonLimits = ({ config, links }) => limitsOf(COMMON_LIMITS, config, links);

/** The area of a kind's links. @param {Pick<Document, 'links'>} document @param {LinkKind} kind */
export const areaOfKind = ({ links }, kind) => links[kind].area ?? JUMP;

/** True if a kind is on. @param {Pick<Document, 'links'>} document */
export const wantsLinks = ({ links }) => LINK_KINDS.some(({ kind }) => links[kind].isOn);

/**
 * The settings of a document as the library's configuration. @param {Pick<Document, 'config' | 'links'>} document
 * @returns {LinkConfig} without kinds if none is on
 */
export function toLinkConfig(document) {
  const on = LINK_KINDS.filter(({ kind }) => document.links[kind].isOn);
  if (on.length === 0) return {};
  return /** @type {any} */ ({
    ...Object.fromEntries(on.map(({ kind }) => [kind, { ...kindLimits(document, kind), area: areaOfKind(document, kind) }])),
    ...commonLimits(document),
  });
}

/**
 * The settings with which a document has a configuration of the library. Values that equal those for the agent follow the agent.
 * @param {unknown} given @param {Agent} agent @returns {LinkSettings}
 */
export function fromLinkConfig(given, agent) {
  const links = defaultLinks();
  const source = /** @type {Record<string, any>} */ (typeof given === 'object' && given !== null ? given : {});
  for (const { kind, limits } of LINK_KINDS) {
    const values = source[kind];
    if (typeof values !== 'object' || values === null) continue;
    links[kind] = { isOn: true, ...ownValues(limits, values, agent), ...(isArea(values.area) && values.area !== JUMP ? { area: values.area } : {}) };
  }
  return Object.assign(links, ownValues(COMMON_LIMITS, source, agent));
}

/** The values that differ from those for the agent. @param {readonly LimitRow[]} rows @param {Record<string, any>} values @param {Agent} agent */
function ownValues(rows, values, agent) {
  const [limits, own] = [/** @type {Limits} */ ({}), /** @type {Limits} */ ({})];
  for (const { name, suggest } of rows) {
    const suggested = suggest(agent, limits);
    limits[name] = Number.isFinite(values[name]) ? values[name] : suggested;
    if (Math.fround(limits[name]) !== Math.fround(suggested)) own[name] = limits[name];
  }
  return own;
}

/** @param {unknown} area */
const isArea = (area) => Number.isInteger(area) && Number(area) >= 0 && Number(area) <= 63;

/** True for settings of links in a valid form; the library checks the ranges. @param {any} value */
export function isLinkSettings(value) {
  const isKind = (/** @type {KindRow} */ { kind, limits }) => {
    const settings = value[kind];
    return typeof settings === 'object' && settings !== null && typeof settings.isOn === 'boolean'
      && (settings.area === undefined || isArea(settings.area)) && areNumbers(limits, settings);
  };
  return LINK_KINDS.every(isKind) && areNumbers(COMMON_LIMITS, value);
}

/** @param {readonly LimitRow[]} rows @param {Record<string, any>} values */
const areNumbers = (rows, values) => rows.every(({ name }) => values[name] === undefined || Number.isFinite(values[name]));
