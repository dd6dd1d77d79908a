/** Sentences of explanations: a cause, and the change that opens it. */
import { across } from './reach.js';

/** @typedef {import('./causes.js').Cause} Cause */
/** @typedef {import('./causes.js').Change} Change */
/** @typedef {import('./mesh-graph.js').Vector} Vector */

const short = (/** @type {number} */ value) => String(Number(value.toFixed(2)));
export const metres = (/** @type {number} */ value) => `${short(value)} m`;
export const degrees = (/** @type {number} */ value) => `${Number(value.toFixed(1))}°`;
const hex = (/** @type {number} */ flags) => `0x${flags.toString(16)}`;
const listOf = (/** @type {readonly (string | number)[]} */ items) => (items.length < 2 ? items.join('') : `${items.slice(0, -1).join(', ')} and ${items.at(-1)}`);

/** @param {{ name?: string, number: number }} door */
const nameOf = ({ name, number }) => (name === undefined ? `${number}` : `\`${name}\``);

/** The words of a switch: a door is one that closes. @param {{ name?: string, number: number, isDoor: boolean, isOn: boolean }} item */
export const switchText = (item) => (item.isDoor ? `The door ${nameOf(item)} is closed.` : `The switch ${nameOf(item)} is ${item.isOn ? 'on' : 'off'}.`);

/** @param {number} excluded flags of the polygon that the filter excludes @param {number} flags of the polygon @param {string} name of what has them, as `area 5`, `drops` */
export function filterText(excluded, flags, name) {
  const isPlural = name.endsWith('s'), its = isPlural ? 'their' : 'its';
  if (excluded !== 0) return `The filter excludes ${name}: excludeFlags has ${its} flag${excluded & (excluded - 1) ? 's' : ''} ${hex(excluded)}.`;
  if (flags === 0) return `Here ${name} ${isPlural ? 'have' : 'has'} no flags, so ${isPlural ? 'they pass' : 'it passes'} no filter.`;
  return `The filter doesn't include ${name}: includeFlags has none of ${its} flags ${hex(flags)}.`;
}

/** @param {{ x: number, z: number }} tile */
export const tileText = ({ x, z }) => `The tile ${x}, ${z} is missing.`;
/** @param {string} name of a connection or segment link */
export const oneWayText = (name) => `The ${name} is one-way: its end is here, its start is on the other side.`;
/** @param {string} name of a connection or segment link */
export const disabledText = (name) => `The ${name} is disabled.`;

/** A figure with words after it; nothing where it isn't known. @param {number} figure @param {string} text */
const known = (figure, text) => (Number.isFinite(figure) && figure > 0.005 ? text : '');

/** What the fields of a configuration open. `where` is empty, or says that cells round a figure within the limit over it. @type {Record<string, (figure: number, limit: number, where: string) => string>} */
const FIELD_TEXT = {
  agentMaxClimb: (figure, limit, where) => `A step ${known(figure, `of ${metres(figure)} `)}is too high${where}: agentMaxClimb is ${short(limit)}.`,
  agentMaxSlope: (figure, limit, where) => `A slope ${known(figure, `of ${degrees(figure)} `)}is too steep${where}: agentMaxSlope is ${short(limit)}.`,
  agentRadius: (figure, limit, where) => `A passage ${known(figure, `of ${metres(figure)} `)}is too narrow${where}: agentRadius is ${short(limit)}.`,
  agentHeight: (figure, limit, where) => `The headroom ${known(figure, `of ${metres(figure)} `)}is too low${where}: agentHeight is ${short(limit)}.`,
  minRegionSize: (_figure, limit) => `The ground between is too small: minRegionSize is ${short(limit)}.`,
};

/** Figures within their limit by more than this factor don't tell why cells break it. */
const CLOSE = 2;

/** @param {string} name of a field @param {number} figure @param {number} limit @param {boolean} isBroken false: only cells break the limit */
export function fieldText(name, figure, limit, isBroken) {
  if (isBroken) return FIELD_TEXT[name](figure, limit, '');
  const isClose = name === 'agentRadius' ? figure < 2 * CLOSE * limit : name === 'agentHeight' ? figure < CLOSE * limit : CLOSE * figure > limit;
  return FIELD_TEXT[name](isClose ? figure : Infinity, limit, ' once sizes are rounded to cells');
}

/** Where only cells break limits. @param {number} cellSize @param {number} cellHeight */
export const smallerText = (cellSize, cellHeight) => `Smaller cells may pass as well: cellSize is ${short(cellSize)}, cellHeight ${short(cellHeight)}.`;

/** Where smaller cells were tried, and pass. @param {{ cellSize: number, cellHeight: number }} cells */
export const smallerPassText = ({ cellSize, cellHeight }) => `Smaller cells pass as well: cellSize ${cellSize} with cellHeight ${cellHeight}.`;

/** Where a larger radius passes with smaller cells. @param {{ agentRadius: number, cellSize: number }} sizes */
export const widerText = ({ agentRadius, cellSize }) => `With cellSize ${cellSize}, agentRadius ${short(agentRadius)} passes, too.`;

/** A limit that only cells break. @param {string} name @param {number} limit */
export const roundedText = (name, limit) => `In cells, ${name} ${short(limit)} isn't enough there either.`;

/** A passage that the cells leave no radius. @param {number} width @param {number} cellSize */
export const coarseText = (width, cellSize) => known(width, `Cells of ${metres(cellSize)} leave no radius in ${metres(width)}: smaller ones may pass up to ${short(width / 2)}.`);

/** Where a bake of the level as it is has a way. */
export const OUTDATED_TEXT = 'The level has a way that the mesh lacks.';

/** Where no level was given. */
export const LEVEL_HINT = 'Pass the level to learn why.';
/** @param {number | null} distance to the ground of the end @param {boolean} [hasHint] */
export const apartText = (distance, hasHint = true) => `The mesh ends${distance === null ? '' : `, ${metres(distance)} from the ground of the end`}.${hasHint ? ` ${LEVEL_HINT}` : ''}`;

/** A gap that is narrower than this has no width to tell: the triangles go on. */
const LEAST_GAP = 0.05;

/** @param {number} width @param {number} rise of the other side above this one */
export function gapText(width, rise) {
  if (width < LEAST_GAP) return 'The mesh ends where the triangles go on: a volume or an obstacle may be in the way. No setting that was tried closes it.';
  const height = Math.abs(rise) < 0.05 ? '' : `, and the other side is ${metres(Math.abs(rise))} ${rise > 0 ? 'higher' : 'lower'}`;
  return `A gap of ${metres(width)} parts the ground${height}. No setting that was tried closes it.`;
}

/** @param {number} rise of the other side above this one */
export const ledgeText = (rise) => (
  `A ${rise > 0 ? 'step' : 'drop'} of ${metres(Math.abs(rise))} is too ${rise > 0 ? 'high' : 'deep'} for any agentMaxClimb (at most half the agent's height).`);

/** Higher than any jump, world units: a connection there is a ladder, a lift or a teleporter. */
const HIGH = 3;

/** @param {{ start: Vector, end: Vector }} change */
function connectionText({ start, end }) {
  const rise = end[1] - start[1], height = Math.abs(rise);
  return `with a connection${height > HIGH ? ' (ladder, lift, teleporter)' : ''} over ${metres(across(start, end))}${height < 0.05 ? '' : `, ${metres(height)} ${rise > 0 ? 'up' : 'down'}`}`;
}

/** @param {{ connection: number, isSegmentLink?: boolean }} change */
const linkOf = ({ connection, isSegmentLink }) => `the ${isSegmentLink ? 'link' : 'connection'} ${connection}`;

/** More volumes or obstacles than this are counted, not named: the changes have their numbers. */
const MOST_NAMED = 12;

/** As "the volumes 2 and 3 and the obstacle 1". @param {readonly { volume?: number, obstacle?: number }[]} removed */
function placedOf(removed) {
  const [volumes, obstacles] = [removed.flatMap(({ volume }) => volume ?? []), removed.flatMap(({ obstacle }) => obstacle ?? [])];
  const named = (/** @type {string} */ noun, /** @type {number[]} */ numbers) => {
    if (numbers.length === 0) return [];
    return numbers.length > MOST_NAMED ? [`${numbers.length} ${noun}s`] : [`the ${noun}${numbers.length > 1 ? 's' : ''} ${listOf(numbers)}`];
  };
  return [...named('volume', volumes), ...named('obstacle', obstacles)].join(' and ');
}

/** @param {readonly { volume?: number, obstacle?: number }[]} removed */
export function obstaclesText(removed) {
  const text = placedOf(removed);
  return `${text[0].toUpperCase()}${text.slice(1)} ${removed.length === 1 ? 'is' : 'are'} in the way.`;
}

/** Where a search for the fewest obstacles ended before it knew. @param {number} trials */
export const outOfTrialsText = (trials) => `Perhaps not all of them: the search ended after ${trials} trials.`;

/** The change in a few words, after "passes". @type {{ [K in Change['kind']]: (change: any) => string }} */
const CHANGES = {
  config: ({ fields }) => `with ${listOf(Object.entries(fields).map(([name, value]) => `${name} ${short(value)}`))}`,
  switch: ({ isDoor, isOn, ...item }) => (isDoor ? `with the door ${nameOf(item)} open` : `with the switch ${nameOf(item)} ${isOn ? 'on' : 'off'}`),
  filter: ({ includeFlags, excludeFlags }) => `with the filter's ${listOf([...(excludeFlags === undefined ? [] : [`excludeFlags ${hex(excludeFlags)}`]),
    ...(includeFlags === undefined ? [] : [`includeFlags ${hex(includeFlags)}`])])}`,
  tile: ({ x, z }) => `with the tile ${x}, ${z} added`,
  enable: (change) => `with ${linkOf(change)} enabled`,
  'two-way': (change) => `with ${linkOf(change)} in both directions`,
  connect: connectionText,
  remove: ({ removed }) => `without ${placedOf(removed)}`,
  nodes: ({ maxNodes }) => `with maxNodes ${maxNodes}`,
  rebake: () => 'once the level is baked again',
  links: ({ linkKind, limits }) => `with ${listOf(Object.entries(limits).map(([name, value]) => `links.${linkKind}.${name} ${short(value)}`))}`,
};

/**
 * @param {import('../runtime/link-kinds.js').LinkKind} kind @param {{ count: number, figure: number }} links how many; length of the longest jump, else the largest height
 * @param {boolean} isOn @param {readonly { name: string, before: number | undefined }[]} changed limits
 */
export function linkText(kind, { count, figure }, isOn, changed) {
  const size = `${kind === 'vault' ? 'over' : 'of'}${count > 1 ? ' up to' : ''} ${metres(figure)}`;
  const what = `${count > 1 ? `${count} ${kind}s` : `A ${kind}`} ${size} would lead there:`;
  if (!isOn) return `${what} links.${kind} is off.`;
  return `${what} ${listOf(changed.map(({ name, before }) => `links.${kind}.${name} is ${before === undefined ? 'agentMaxClimb' : short(before)}`))}.`;
}

/** The sentence about ground that another setting leaves there. @param {Partial<Record<string, number>>} fields */
export const groundText = (fields) => `There is ground with ${listOf(Object.entries(fields).map(([name, value]) => `${name} ${short(Number(value))}`))}.`;

/** The sentence of a change. @param {Change[]} changes @param {boolean} isVerified */
export function changeText(changes, isVerified) {
  const removed = changes.filter(({ kind }) => kind === 'remove');
  // All removals make one part of the sentence, in the place of the first one.
  const told = changes.flatMap((change) => (change.kind !== 'remove' ? [CHANGES[change.kind](change)] : change === removed[0] ? [CHANGES.remove({ removed })] : []));
  return told.length === 0 ? '' : `${isVerified ? 'Passes' : 'May pass'} ${listOf(told)}.`;
}

/**
 * The sentences of causes that stand in a row, in their order, and of the changes that open all of them.
 * @param {readonly string[]} texts of the causes, without changes @param {Change[]} changes @param {boolean} isVerified
 */
export function rowText(texts, changes, isVerified) {
  const [first, ...others] = texts;
  return [first, ...others.map((text) => `Then ${text[0].toLowerCase()}${text.slice(1)}`), changeText(changes, isVerified)].filter((part) => part !== '').join(' ');
}
