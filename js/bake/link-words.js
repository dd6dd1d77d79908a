/** Words for why there is no link, in reports of LinkGenerator. */

/** @typedef {import('../runtime/link-kinds.js').LinkKind} LinkKind */
/** @typedef {import('../runtime/link-kinds.js').LinkRefusal} LinkRefusal */

/** @param {number} value */
const short = (value) => String(Number(value.toPrecision(3)));

/** @type {Record<LinkRefusal, (kind: LinkKind, value: string, limit: string) => string>} */
const SENTENCES = {
  'no-border': () => 'No border of the mesh near the start faces the end',
  'kind-off': (kind) => `Only a ${kind} would lead there, and this kind is off`,
  'no-ground': () => 'There is no ground within reach',
  'too-far': (kind, value, limit) => `The ${kind} is ${value} long: at most ${limit}`,
  'too-high': (kind, value, limit) => `The ${kind} goes up ${value}: at most ${limit}`,
  'too-deep': (kind, value, limit) => `The ${kind} goes down ${value}: at most ${limit}`,
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
 * @param {{ reason: LinkRefusal | null, kind: LinkKind, value: number, limit: number }} refused @returns {string}
 */
export const describeRefusal = ({ reason, kind, value, limit }) => (
  reason === null ? `There is a ${kind}` : SENTENCES[reason](kind, short(value), short(limit)));
