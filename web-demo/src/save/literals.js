/** Values as source text: the shortest numbers with the same float32 value, objects on one line. */

/** The shortest decimal with the same float32 value: 0.3, not 0.30000001192092896. @param {number} value */
export function shortNumber(value) {
  if (Number.isInteger(value) || !Number.isFinite(value)) return String(value === 0 ? 0 : value);
  const float = Math.fround(value);
  for (let digits = 3; digits < 9; digits++) {
    const short = Number(value.toPrecision(digits));
    if (Math.fround(short) === float) return String(short);
  }
  return String(Number(float.toPrecision(9)));
}

/** A string in single quotes. @param {string} text */
const quote = (text) => `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;

/** Keys that need no quotes. */
const PLAIN_KEY = /^[A-Za-z_$][\w$]*$|^\d+$/;

/** A value as JavaScript on one line, without undefined fields. @param {any} value @returns {string} */
export function literal(value) {
  if (typeof value === 'number') return shortNumber(value);
  if (typeof value === 'string') return quote(value);
  if (typeof value !== 'object' || value === null) return String(value);
  if (Array.isArray(value) || ArrayBuffer.isView(value)) return `[${Array.from(/** @type {any} */ (value), literal).join(', ')}]`;
  const fields = Object.entries(value).filter(([, item]) => item !== undefined)
    .map(([key, item]) => `${PLAIN_KEY.test(key) ? key : quote(key)}: ${literal(item)}`);
  return fields.length > 0 ? `{ ${fields.join(', ')} }` : '{}';
}

/** A list as JavaScript, one item per line. @param {any[]} items @param {string} [indent] of the line that it is on */
export function literalList(items, indent = '') {
  return `[\n${items.map((item) => `${indent}  ${literal(item)},\n`).join('')}${indent}]`;
}

/** Shortens all numbers of a value, for JSON. @param {any} value @returns {any} */
export function shortened(value) {
  if (typeof value === 'number') return Number(shortNumber(value));
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value) || ArrayBuffer.isView(value)) return Array.from(/** @type {any} */ (value), shortened);
  return Object.fromEntries(Object.entries(value).filter(([, item]) => item !== undefined)
    .map(([key, item]) => [key, shortened(item)]));
}
