/**
 * The links that a bake generates: the field `links` of the configuration. Names and types are checked here, ranges in
 * src/links/link_config.h.
 */
import { isRecord } from '../runtime/arguments.js';
import { describe } from '../runtime/errors.js';
import { SEGMENT_LINK_KINDS } from '../runtime/link-kinds.js';
import { nameSet, requireNames } from '../runtime/option-names.js';
import { configurationError, shortestFloat } from './config.js';
import { WmLinkConfig, WmLinkKindConfig } from '../runtime/layout.js';

export { wantsLinks } from './wants-links.js';

/** @typedef {import('../runtime/link-kinds.js').LinkKind} LinkKind */
/** @typedef {import('../runtime/session.js').Session} Session */

/**
 * Area, flags and cost factor of all links of a kind. To price or exclude a kind in searches, give it an area or a flag of its own.
 * @typedef {object} LinkKindConfig
 * @property {number} [area] 0 to 63; default 0
 * @property {number} [flags] 16 bits; default 1
 * @property {number} [costFactor] crossing costs this, times the length of the trajectory and the area's cost; default 1
 */

/**
 * Over a ledge, down.
 * @typedef {LinkKindConfig & { maxHeight: number }} DropConfig maxHeight: how far down, above agentMaxClimb
 */
/**
 * Across a gap: level, up or down.
 * @typedef {object} JumpLimits
 * @property {number} maxDistance from take-off to landing on x and z, above 0
 * @property {number} [maxUp] how far the landing may lie above the take-off; default agentMaxClimb
 * @property {number} [maxDown] how far it may lie below; default agentMaxClimb
 * @property {number} [peak] how far the arc rises above the take-off, at least maxUp; default 0: maxUp, or an eighth of maxDistance if
 *   that is more
 */
/** @typedef {LinkKindConfig & JumpLimits} JumpConfig */
/**
 * Up a wall to a ledge that the hands reach, and down again where no drop leads down.
 * @typedef {LinkKindConfig & { maxHeight: number }} ClimbConfig maxHeight: how far up, above agentMaxClimb
 */
/**
 * Over a low wall or fence onto ground behind it.
 * @typedef {LinkKindConfig & { maxHeight: number, maxDepth?: number }} VaultConfig maxHeight: of the obstacle above the ground on both
 *   sides, above agentMaxClimb; maxDepth: of the obstacle on x and z, default 1
 */

/**
 * Links that a bake generates. A kind is on if its object is given. Lengths are in world units.
 * @typedef {object} LinkConfig
 * @property {DropConfig} [drop]
 * @property {JumpConfig} [jump]
 * @property {ClimbConfig} [climb]
 * @property {VaultConfig} [vault]
 * @property {number} [minWidth] narrower links aren't made; default 0: one cell
 * @property {number} [minSaving] a link is left out if walking costs at most this many times as much; default 0: none is left out
 * @property {number} [thinning] of two links of a kind that lie nowhere farther than this from each other, the wider one stays; of a
 *   drop and a jump that leads down only, the drop; default agentRadius
 */

/** Words of a WmLinkConfig by field. @type {Record<LinkKind, Readonly<Record<string, number>>>} */
const KIND_WORDS = {
  drop: { maxHeight: WmLinkConfig.dropMaxHeight },
  jump: { maxDistance: WmLinkConfig.jumpMaxDistance, maxUp: WmLinkConfig.jumpMaxUp, maxDown: WmLinkConfig.jumpMaxDown, peak: WmLinkConfig.jumpPeak },
  climb: { maxHeight: WmLinkConfig.climbMaxHeight },
  vault: { maxHeight: WmLinkConfig.vaultMaxHeight, maxDepth: WmLinkConfig.vaultMaxDepth },
};
const COMMON_WORDS = { minWidth: WmLinkConfig.minWidth, minSaving: WmLinkConfig.minSaving, thinning: WmLinkConfig.thinning };
/** Fields without a default. */
const REQUIRED = ['maxHeight', 'maxDistance'];
/** Values in the place of fields that aren't given; other defaults are those of C. @type {Readonly<Record<string, number>>} */
const DEFAULTS = { maxDepth: 1 };
/** The largest values of integers. @type {Readonly<Record<string, number>>} */
const INTEGERS = { area: 63, flags: 0xffff };

const NAMES = nameSet({ drop: 1, jump: 1, climb: 1, vault: 1, minWidth: 1, minSaving: 1, thinning: 1 });
/** @param {LinkKind} kind */
const namesOf = (kind) => nameSet({ area: 1, flags: 1, costFactor: 1 }, Object.keys(KIND_WORDS[kind]));

/** @param {unknown} value @param {string} field */
function requireObject(value, field) {
  if (isRecord(value)) return /** @type {Record<string, unknown>} */ (value);
  throw configurationError(field, `is ${describe(value)}: must be an object`, value);
}

/** @param {unknown} value @param {string} field @param {number | undefined} high of an integer; undefined: any number */
function requireNumber(value, field, high) {
  if (value === undefined) throw configurationError(field, 'is missing: must be a number', value);
  if (typeof value !== 'number') throw configurationError(field, `is ${describe(value)}: must be a number`, value);
  if (high === undefined || (value >= 0 && value <= high && Number.isInteger(value))) return value + 0;
  throw configurationError(field, `is ${value}: must be a whole number from 0 to ${high}`, value);
}

/**
 * A copy of the numbers with these names, each of which is read once.
 * @param {Record<string, unknown>} given @param {readonly string[]} names @param {string} owner @returns {Record<string, number>}
 */
function copyNumbers(given, names, owner) {
  requireNames(given, names, owner);
  /** @type {Record<string, number>} */
  const numbers = {};
  for (const name of names) {
    const { [name]: value = DEFAULTS[name] } = given;
    if (value !== undefined || REQUIRED.includes(name)) numbers[name] = requireNumber(value, owner + name, INTEGERS[name]);
  }
  return numbers;
}

/** @typedef {Partial<Record<LinkKind, Record<string, number>>> & { common: Record<string, number> }} LinkNumbers */

/**
 * The given numbers of a configuration.
 * @param {unknown} links @returns {LinkNumbers}
 */
function readLinkNumbers(links) {
  const { ...given } = requireObject(links, 'links');
  requireNames(given, NAMES, 'links.');
  const kinds = SEGMENT_LINK_KINDS.filter((kind) => given[kind] !== undefined);
  const common = copyNumbers(Object.fromEntries(Object.keys(COMMON_WORDS).map((name) => [name, given[name]])), Object.keys(COMMON_WORDS), 'links.');
  return { common, ...Object.fromEntries(kinds.map((kind) => [kind, copyNumbers(requireObject(given[kind], `links.${kind}`), namesOf(kind), `links.${kind}.`)])) };
}

/** The first byte of a kind in the WmLinkConfig of the inputs. @param {Session} session @param {LinkKind} kind */
const kindAt = ({ inputs }, kind) => 4 * (inputs + WmLinkConfig.kinds + WmLinkKindConfig.words * SEGMENT_LINK_KINDS.indexOf(kind));

/** @param {Session} session @param {LinkKind} kind @param {Record<string, number>} numbers */
function writeKind(session, kind, { area, flags, costFactor, ...lengths }) {
  const view = new DataView(session.wasm.memory.buffer, kindAt(session, kind), 4 * WmLinkKindConfig.words);
  view.setUint8(4 * WmLinkKindConfig.isOn, 1);
  if (area !== undefined) view.setUint8(4 * WmLinkKindConfig.area, area);
  if (flags !== undefined) view.setUint16(4 * WmLinkKindConfig.flags, flags, true);
  if (costFactor !== undefined) view.setFloat32(4 * WmLinkKindConfig.costFactor, costFactor, true);
  const { f32, inputs } = session;
  for (const [name, length] of Object.entries(lengths)) f32[inputs + KIND_WORDS[kind][name]] = length;
}

/** The kind in the inputs, with all values in force. @param {Session} session @param {LinkKind} kind */
function readKind(session, kind) {
  const view = new DataView(session.wasm.memory.buffer, kindAt(session, kind), 4 * WmLinkKindConfig.words);
  const { f32, inputs } = session;
  /** @type {Record<string, number>} */
  const values = {};
  for (const name in KIND_WORDS[kind]) values[name] = shortestFloat(f32[inputs + KIND_WORDS[kind][name]]);
  values.area = view.getUint8(4 * WmLinkKindConfig.area);
  values.flags = view.getUint16(4 * WmLinkKindConfig.flags, true);
  values.costFactor = shortestFloat(view.getFloat32(4 * WmLinkKindConfig.costFactor, true));
  return Object.freeze(values);
}

/** The words in force of a WmLinkConfig: indices and values of those of the common fields and the kinds that are on. @typedef {{ words: number[], values: Uint32Array }} LinkWords */

/** Of each result of writeLinksFor: a bake writes its links several times. @type {WeakMap<object, LinkWords>} */
const WORDS_IN_FORCE = new WeakMap();

/** @param {Session} session @param {readonly LinkKind[]} kinds that are on @returns {LinkWords} */
function copyWords({ u32, inputs }, kinds) {
  const words = Object.values(COMMON_WORDS);
  for (const kind of kinds) {
    words.push(...Object.values(KIND_WORDS[kind]));
    const first = WmLinkConfig.kinds + WmLinkKindConfig.words * SEGMENT_LINK_KINDS.indexOf(kind);
    for (let i = 0; i < WmLinkKindConfig.words; i++) words.push(first + i);
  }
  return { words, values: Uint32Array.from(words, (word) => u32[inputs + word]) };
}

/**
 * Checks a configuration of links and writes it into the inputs: a WmLinkConfig.
 * @param {Session} session @param {number} bake of bake_create, with the configuration of the agent @param {unknown} links
 * @returns {Readonly<LinkConfig>} the value in force of every field
 */
export function writeLinks(session, bake, links) {
  const { wasm } = session;
  return writeLinksFor(session, links, () => wasm.bake_default_links(bake), () => wasm.bake_check_links(bake));
}

/**
 * The same for any owner of an agent.
 * @param {Session} session @param {unknown} links
 * @param {() => void} writeDefaults into the inputs @param {() => number} use reads the inputs; returns a status
 * @returns {Readonly<LinkConfig>} the value in force of every field
 */
export function writeLinksFor(session, links, writeDefaults, use) {
  const known = WORDS_IN_FORCE.get(/** @type {object} */ (links));
  if (known) {
    writeDefaults();
    session.refresh();
    const { u32, inputs } = session;
    known.words.forEach((word, i) => u32[inputs + word] = known.values[i]);
    session.check(use());
    return /** @type {Readonly<LinkConfig>} */ (links);
  }
  const { calls } = session;
  const numbers = readLinkNumbers(links);
  session.requireNoCallSince(calls); // a getter could have freed the owner
  writeDefaults();
  session.refresh();
  const { common, ...given } = numbers;
  const { f32, inputs } = session, kinds = SEGMENT_LINK_KINDS.filter((kind) => given[kind]);
  for (const kind of kinds) writeKind(session, kind, /** @type {Record<string, number>} */ (given[kind]));
  for (const name in common) f32[inputs + COMMON_WORDS[/** @type {keyof COMMON_WORDS} */ (name)]] = common[name];
  session.check(use());
  /** @type {any} */
  const inForce = {};
  for (const kind of kinds) inForce[kind] = readKind(session, kind);
  for (const [name, word] of Object.entries(COMMON_WORDS)) inForce[name] = shortestFloat(session.f32[inputs + word]);
  WORDS_IN_FORCE.set(inForce, copyWords(session, kinds));
  return Object.freeze(inForce);
}
