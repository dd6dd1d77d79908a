/** Words for why there is no link, in reports of LinkGenerator. */

/** @typedef {import('../../runtime/link-kinds.js').LinkKind} LinkKind */
/** @typedef {import('../../runtime/link-kinds.js').LinkRefusal} LinkRefusal */
/** @typedef {import('../../input/link-config.js').LinkConfig} LinkConfig */

/** @param {number} value */
const short = (value) => String(Number(value.toPrecision(3)));

/** The field of the configuration that limits a kind, by reason. @type {Record<'too-far' | 'too-high' | 'too-deep', Partial<Record<LinkKind, string>>>} */
const FIELDS = {
  'too-far': { jump: 'maxDistance', vault: 'maxDepth' },
  'too-high': { jump: 'maxUp', climb: 'maxHeight', vault: 'maxHeight' },
  'too-deep': { drop: 'maxHeight', jump: 'maxDown', climb: 'maxHeight', vault: 'maxHeight' },
};

/** In three digits, rounded up if a limit that is set to it would be too low as a float32. @param {number} value */
function shortUp(value) {
  const nearest = Number(value.toPrecision(3)), unit = 10 ** (Math.floor(Math.log10(value)) - 2);
  return short(Math.fround(nearest) >= value ? nearest : nearest + unit);
}

/** A value and its limit in few digits. @param {number} value @param {number} limit @returns {[string, string]} */
const pairOf = (value, limit) => [shortUp(value), short(limit)];

/**
 * The end of a sentence: the field that is too low.
 * @param {'too-far' | 'too-high' | 'too-deep'} reason @param {{ kind: LinkKind, value: number, limit: number }} refused @param {LinkConfig | undefined} links of the generator
 */
function limitText(reason, { kind, value, limit }, links) {
  const name = FIELDS[reason][kind];
  if (name === undefined) return `${kind}s reach at most ${short(limit)} (two radii and six cells)`;
  const given = /** @type {Record<string, number> | undefined} */ (links?.[kind])?.[name];
  if (name !== 'maxDepth') return `links.${kind}.${name} is ${short(given ?? limit)}`;
  if (given === undefined) return `links.vault.maxDepth allows ${short(limit)}`;
  return `links.vault.maxDepth ${short(given)} allows ${short(limit)}, and ${shortUp(given + value - limit)} is needed`;
}

/**
 * A further sentence: the height that another field of the kind doesn't allow, that of the landing, or that over which a vault leads.
 * @param {{ kind: LinkKind, start: ArrayLike<number>, end: ArrayLike<number>, place: ArrayLike<number> }} refused too far
 * @param {LinkConfig | undefined} links of the generator
 */
function alsoText({ kind, start, end, place }, links) {
  const up = (kind === 'vault' ? place : end)[1] - start[1], reason = up > 0 ? 'too-high' : 'too-deep', name = FIELDS[reason][kind];
  const limit = /** @type {Record<string, number> | undefined} */ (links?.[kind])?.[name ?? ''];
  if (name === undefined || limit === undefined || Math.abs(up) <= limit) return '';
  return `. It goes ${up > 0 ? 'up' : 'down'} ${shortUp(Math.abs(up))}, too: links.${kind}.${name} is ${short(limit)}`;
}

/** @type {Record<LinkRefusal, (kind: LinkKind, value: string, limit: string, limits: string) => string>} */
const SENTENCES = {
  'no-border': (_, _value, limit) => `No border of the mesh ${limit === '0' ? 'near' : `within ${limit} of`} the start faces the end`,
  'kind-off': (kind) => `Only a ${kind} would lead there, and this kind is off`,
  'no-ground': () => 'There is no ground of the mesh within reach',
  'too-far': (kind, value, _, limits) => `The ${kind} is ${value} long from mesh to mesh: ${limits}`,
  'too-high': (kind, value, _, limits) => `The ${kind} goes up ${value}: ${limits}`,
  'too-deep': (kind, value, _, limits) => `The ${kind} goes down ${value}: ${limits}`,
  'walkable-step': () => 'Agents can walk there: both sides are within a step, or neighbours',
  blocked: (kind, value, limit) => `Something blocks the ${kind}${limit === '0' ? '' : `: headroom is ${value}, the body needs ${limit}`}`,
  'no-room': (kind) => `There is no room to land after the ${kind}`,
  'too-narrow': (kind, value, limit) => `The ${kind} is ${value === '0' ? `narrower than ${limit}` : `${value} wide: at least ${limit}`}`,
  thinned: () => 'A wider link beside it, or a drop, leads to the same place',
  'saves-nothing': (_, value, limit) => `Walking costs ${value} times as much: more than ${limit} times is needed`,
  'tile-missing': () => 'A tile on the way is missing: the link waits for it',
};

/**
 * A sentence that says why there is no link.
 * @param {{ reason: LinkRefusal | null, kind: LinkKind, value: number, limit: number, start: ArrayLike<number>, end: ArrayLike<number>, place: ArrayLike<number> }} refused
 * @param {LinkConfig} [links] of the generator @returns {string}
 */
export function describeRefusal(refused, links) {
  const { reason, kind, value, limit } = refused;
  if (reason === null) return `There is a ${kind}`;
  const isLimit = reason === 'too-far' || reason === 'too-high' || reason === 'too-deep';
  const [valueText, limitValue] = isLimit ? pairOf(value, limit) : [short(value), short(limit)];
  return SENTENCES[reason](kind, valueText, limitValue, isLimit ? limitText(reason, refused, links) : '') + (reason === 'too-far' ? alsoText(refused, links) : '');
}

/**
 * A sentence that says that an end of a link lies on no ground, and where the mesh is.
 * @param {'start' | 'end'} end @param {number[]} place of it @param {ArrayLike<number> | undefined} nearest point of the mesh @param {number} reach of the search
 */
export function describeLooseEnd(end, place, nearest, reach) {
  if (!nearest) return `The ${end} lies on no ground: the mesh has none within ${short(reach)}`;
  const [x, y, z] = place.map((value, axis) => nearest[axis] - value), aside = Math.hypot(x, z);
  const where = aside > Math.abs(y) / 100 ? `${short(Math.hypot(aside, y))} away from` : `${short(Math.abs(y))} ${y < 0 ? 'below' : 'above'}`;
  return `The ${end} lies on no ground: the mesh is ${where} it, at (${Array.from(nearest, short).join(', ')})`;
}
