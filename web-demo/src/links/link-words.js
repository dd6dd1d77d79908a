/** Links, and why there are none, in words; and the setting that would make one. */
import { COMMON_LIMITS, commonLimits, kindLimits, rowOf } from './kinds.js';

/** @typedef {import('../state/document.js').Document} Document */
/** @typedef {import('walkmesh').RefusedSegmentLink} RefusedLink */
/** @typedef {import('walkmesh').LinkRefusal} LinkRefusal */
/** @typedef {import('walkmesh').SegmentLink} SegmentLink */
/** @typedef {import('./kinds.js').LinkKind} LinkKind */
/** A change of the settings of links: a button and an undo step. @typedef {{ label: string, step: string, change: (links: Document['links']) => void }} LinkFix */
/** @typedef {{ title: string, text: string, fix: LinkFix | null }} Words */

const short = (/** @type {number} */ value) => String(Number(value.toFixed(2)));
const metres = (/** @type {number} */ value) => `${short(value)} m`;

/** Several links of a kind. @param {LinkKind} kind */
const manyOf = (kind) => `${kind}s`;

/** Times its limit that a value may be for a button that raises the limit: no agent jumps seven times as far. */
const MOST_RAISE = 3;

/** The least tenth above a value. @param {number} value */
const tenthAbove = (value) => Number((Math.ceil(value * 10 - 1e-4) / 10).toFixed(1));

/** The greatest tenth below a value. @param {number} value */
const tenthBelow = (value) => Number((Math.floor(value * 10 + 1e-4) / 10).toFixed(1));

/** @param {LinkKind} kind @param {string} name of a limit @param {number} value that it must be, at least @param {string} does such as "drops of" @returns {LinkFix} */
function allow(kind, name, value, does) {
  const limit = tenthAbove(value);
  const { label } = /** @type {import('./kinds.js').LimitRow} */ (rowOf(kind).limits.find((row) => row.name === name));
  return {
    label: `Allow ${does} ${metres(limit)}`, step: `change ${label.toLowerCase()}`,
    change: (links) => {
      links[kind][name] = limit;
      if (kind === 'jump' && name === 'maxUp' && links.jump.peak !== undefined) links.jump.peak = Math.max(links.jump.peak, limit);
    },
  };
}

/** Switches a kind on, with the limits of a configuration where they are higher. @param {LinkKind} kind @param {import('walkmesh').LinkConfig} links @returns {LinkFix} */
export function limitsFix(kind, links) {
  const given = /** @type {Record<string, number>} */ (links[kind] ?? {});
  return {
    label: `Allow this ${kind}`, step: `allow ${kind}`,
    change: (settings) => {
      settings[kind].isOn = true;
      for (const { name } of rowOf(kind).limits) if (given[name] !== undefined) settings[kind][name] = Math.max(settings[kind][name] ?? 0, tenthAbove(given[name]));
    },
  };
}

/** @param {'minWidth' | 'thinning' | 'minSaving'} name @param {number} value @param {string} label @returns {LinkFix} */
const setCommon = (name, value, label) => ({ label, step: label.toLowerCase(), change: (links) => { links[name] = value; } });

/** The limit that a candidate exceeds, by reason and kind: its name, and what the limit is of. @type {Partial<Record<LinkRefusal, Partial<Record<LinkKind, [name: string, does: string, reach: string]>>>>} */
const LIMITS = {
  'too-far': { jump: ['maxDistance', 'jumps of', 'jumps reach'], vault: ['maxDepth', 'vaults over', 'vaults reach over'] },
  'too-high': { jump: ['maxUp', 'jumps up by', 'jumps reach up'], climb: ['maxHeight', 'climbs of', 'climbs reach'], vault: ['maxHeight', 'vaults over', 'vaults reach over'] },
  'too-deep': {
    drop: ['maxHeight', 'drops of', 'drops reach'], jump: ['maxDown', 'jumps down by', 'jumps reach down'], vault: ['maxHeight', 'vaults over', 'vaults reach down'],
  },
};

/** @type {Partial<Record<LinkRefusal, string>>} */
const TITLES = { 'too-far': 'Too far', 'too-high': 'Too high', 'too-deep': 'Too deep' };

/**
 * Texts of the other reasons. @type {Partial<Record<LinkRefusal, (refused: RefusedLink, document: Document) => Words>>}
 */
const OTHERS = {
  'no-border': () => ({ title: 'Not at an edge', text: 'Links start at the edge of the mesh. Set the take-off nearer to one.', fix: null }),
  'kind-off': ({ kind }) => ({
    title: `${rowOf(kind).label} is off`, text: `A ${kind} would lead there.`,
    fix: { label: `Switch on ${rowOf(kind).label.toLowerCase()}`, step: `switch on ${kind}`, change: (links) => { links[kind].isOn = true; } },
  }),
  'no-ground': () => ({ title: 'No ground', text: 'There is no walkable ground within reach in this direction.', fix: null }),
  'walkable-step': () => ({ title: 'Walkable', text: 'Agents walk there: both sides are neighbours, or within a step.', fix: null }),
  blocked: ({ kind, value, limit }) => ({
    title: 'Blocked', text: `The body hits something on the ${kind}: ${value > 0 && value < limit ? `headroom is ${metres(value)} there, and it needs ${metres(limit)}` : 'there is no room for it at the mark'}.`, fix: null,
  }),
  'no-room': ({ kind }) => ({ title: 'No room', text: `The body has no room where it lands after the ${kind}.`, fix: null }),
  'too-narrow': ({ value, limit }) => {
    const width = tenthBelow(value);
    const isSet = width > 0 && width < limit;
    return {
      title: 'Too narrow:', text: `${value > 0 ? metres(value) : 'less than a cell'}; links need ${metres(limit)}.`, fix: isSet ? setCommon('minWidth', width, `Allow width ${metres(width)}`) : null,
    };
  },
  thinned: (_, document) => ({
    title: 'Thinned out', text: `A wider link, or a drop, within ${metres(commonLimits(document).thinning)} leads to the same place.`, fix: setCommon('thinning', 0, 'Set thinning to 0'),
  }),
  'saves-nothing': ({ value, limit }) => ({
    title: 'Saves too little', text: `Walking costs ${short(value)}× as much; links must save ${short(limit)}×.`, fix: setCommon('minSaving', 0, 'Set min saving to 0'),
  }),
  'tile-missing': () => ({ title: 'Waits for a tile', text: 'A tile on the way is missing.', fix: null }),
};

/**
 * Why there is no link, in words. @param {RefusedLink} refused with a reason @param {Document} document @returns {Words}
 */
export function refusalWords(refused, document) {
  const { kind, value, limit, text } = refused;
  const reason = /** @type {LinkRefusal} */ (refused.reason);
  const found = LIMITS[reason]?.[kind];
  if (found) {
    const [name, does, reach] = found;
    // Landings lie on cells: up to one farther than the edge.
    const slack = reason === 'too-far' ? document.config.cellSize : document.config.cellHeight;
    return { title: `${TITLES[reason]}:`, text: `${metres(value)}; ${reach} ${metres(limit)}.`, fix: value > MOST_RAISE * limit ? null : allow(kind, name, kindLimits(document, kind)[name] + value - limit + slack, does) };
  }
  if (TITLES[reason]) return { title: `${TITLES[reason]}:`, text: `${metres(value)}; ${manyOf(kind)} reach ${metres(limit)}.`, fix: null };
  return OTHERS[reason]?.(refused, document) ?? { title: 'No link', text: `${text}.`, fix: null };
}

/** The answer to a question about two spots that has no candidate. @param {{ spot: string, degrees?: number }} answer @returns {Words} */
export function spotWords({ spot, degrees }) {
  switch (spot) {
    case 'from': return { title: "Take-off isn't on the mesh", text: 'Set it on walkable ground near an edge.', fix: null };
    case 'to': return { title: "Landing isn't on the mesh", text: 'Links lead to walkable ground.', fix: null };
    case 'walkable': return { title: 'Walkable', text: 'Agents walk straight there.', fix: null };
    case 'askew': return { title: 'Not square to the edge', text: `Links leave edges at a right angle; this way is ${degrees}° off.`, fix: null };
    default: return { title: 'No way across', text: 'No link from this edge lands there.', fix: null };
  }
}

/** Names of reasons in legends. @type {Record<LinkRefusal, string>} */
export const REASON_LABELS = {
  'no-border': 'Not at an edge', 'kind-off': 'Kind is off', 'no-ground': 'No ground in reach', 'too-far': 'Too far', 'too-high': 'Too high', 'too-deep': 'Too deep',
  'walkable-step': 'Walkable', blocked: 'Body hits something', 'no-room': 'No room to land', 'too-narrow': 'Too narrow', thinned: 'Thinned out', 'saves-nothing': 'Saves too little',
  'tile-missing': 'Tile is missing',
};

/** @param {SegmentLink['start']} segment @param {number} axis */
const middle = ([a, b], axis) => (a[axis] + b[axis]) / 2;

/** Distance on x and z, and height from start to end, in the middle of a link. @param {Pick<SegmentLink, 'start' | 'end'>} link */
export const sizeOfLink = ({ start, end }) => ({
  distance: Math.hypot(middle(end, 0) - middle(start, 0), middle(end, 2) - middle(start, 2)), height: middle(end, 1) - middle(start, 1),
});

/**
 * A link in a few words: "Drop, 2.4 m down"; a vault by what its limit is of, the obstacle above the lower ground. Feet rise a cell above the obstacle.
 * @param {Pick<SegmentLink, 'kind' | 'start' | 'end' | 'peak'>} link @param {number} cellHeight of its mesh
 */
export function nameLink({ kind, start, end, peak }, cellHeight) {
  const { distance, height } = sizeOfLink({ start, end });
  const { label } = rowOf(kind);
  if (kind === 'drop') return `${label}, ${metres(-height)} down`;
  if (kind === 'climb') return `${label}, ${metres(Math.abs(height))} ${height < 0 ? 'down' : 'up'}`;
  if (kind === 'vault') return `${label} over ${metres(Math.max(peak + Math.abs(height) - cellHeight, 0))}`;
  return `${label}, ${metres(distance)} far`;
}

/** Counts of links by kind: "12 drops, 1 jump". @param {Record<LinkKind, number>} counts */
export const nameCounts = (counts) => Object.entries(counts).filter(([, count]) => count > 0)
  .map(([kind, count]) => `${count.toLocaleString('en')} ${count === 1 ? kind : manyOf(/** @type {LinkKind} */ (kind))}`).join(', ');

/** A text of the library with the labels of limits of links. @param {string} message */
export const withLimitLabels = (message) => message.replace(/\blinks\.(drop|jump|climb|vault)\.(\w+)/g, (whole, kind, name) => (
  rowOf(kind).limits.find((row) => row.name === name)?.label ?? whole))
  .replace(/\blinks\.(\w+)/g, (whole, name) => COMMON_LIMITS.find((row) => row.name === name)?.label ?? whole);

/** A message of the library with the labels of the panel. @param {string} message */
export function withLinkLabels(message) {
  const text = withLimitLabels(message);
  return `${text[0].toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`;
}
