/** Where a text stops being JSON: JSON.parse of some engines doesn't say. */

/** White space, and the tokens of JSON. */
const [SPACE, TOKEN] = [/[ \t\n\r]*/y, /[{}[\],:]|"[^"\\\u0000-\u001f]*(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\u0000-\u001f]*)*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y];
/** What may follow: a value, the value or end of an array, the name or end of an object, a name, a colon, a comma or end, nothing. */
const EXPECTED = { value: 'a value', firstItem: 'a value or ]', firstName: 'a name in quotes or }', name: 'a name in quotes', colon: ':', item: ', or ]', field: ', or }', end: 'the end' };

/** @typedef {keyof EXPECTED} State */

/** The state after a token; null: it doesn't fit. @param {State} state @param {string} token @param {string[]} open brackets that are open @returns {State | null} */
function follow(state, token, open) {
  const after = () => /** @type {State} */ ({ '[': 'item', '{': 'field' }[open.at(-1) ?? ''] ?? 'end');
  if (state === 'colon') return token === ':' ? 'value' : null;
  if (state === 'item' || state === 'field') {
    if (token === ',') return state === 'item' ? 'value' : 'name';
  } else if (state === 'name' || state === 'firstName') {
    if (token.startsWith('"')) return 'colon';
  } else if (state !== 'end' && token === '{') {
    open.push(token);
    return 'firstName';
  } else if (state !== 'end' && token === '[') {
    open.push(token);
    return 'firstItem';
  } else if (state !== 'end' && !/^[}\],:]/.test(token)) return after();
  const closes = token === ']' ? state === 'item' || state === 'firstItem' : token === '}' && (state === 'field' || state === 'firstName');
  if (!closes) return null;
  open.pop();
  return after();
}

/**
 * The first place at which a text isn't JSON.
 * @param {string} text @returns {{ line: number, column: number, expected: string } | null} both from 1 on; null: it is JSON
 */
export function findJsonError(text) {
  /** @type {string[]} */
  const open = [];
  /** @type {State} */
  let state = 'value';
  for (let at = 0; ;) {
    SPACE.lastIndex = at;
    at += /** @type {RegExpExecArray} */ (SPACE.exec(text))[0].length;
    if (at === text.length && state === 'end') return null;
    TOKEN.lastIndex = at;
    const token = TOKEN.exec(text)?.[0];
    /** @type {State | null} */
    const next = token === undefined ? null : follow(state, token, open);
    if (next === null) {
      const before = text.slice(0, at).split(/\r\n|\n|\r/);
      return { line: before.length, column: /** @type {string} */ (before.at(-1)).length + 1, expected: EXPECTED[state] };
    }
    at += /** @type {string} */ (token).length;
    state = next;
  }
}
