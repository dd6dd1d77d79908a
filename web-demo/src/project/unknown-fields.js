/**
 * Fields of a project that this version doesn't know, such as those of a newer version: found, named, and added again when the
 * project is saved. Lists of objects with ids are compared by id.
 */

/** @param {unknown} value @returns {value is Record<string, any>} */
export const isPlain = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);

/** True for a list of objects with ids. @param {unknown} value @returns {value is { id: number }[]} */
const isItemList = (value) => Array.isArray(value) && value.every((item) => isPlain(item) && Number.isInteger(item.id));

/** @param {{ id: number }[]} items */
const byId = (items) => Object.fromEntries(items.map((item) => [item.id, item]));

/**
 * The parts of a value that a reader did not take.
 * @param {any} given @param {any} taken @returns {Record<string, any>} a tree of the same form with these parts only; empty: none
 */
export function unknownParts(given, taken) {
  if (isItemList(given) && isItemList(taken)) return unknownParts(byId(given), byId(taken));
  if (!isPlain(given) || !isPlain(taken)) return {};
  return Object.fromEntries(Object.entries(given).flatMap(([name, value]) => {
    if (!Object.hasOwn(taken, name)) return value === undefined ? [] : [[name, value]];
    const parts = unknownParts(value, taken[name]);
    return Object.keys(parts).length > 0 ? [[name, parts]] : [];
  }));
}

/** Most names in a message. */
const MAX_NAMES = 5;

/** The names of unknown parts, such as "config.newField" and "obstacles 3". @param {Record<string, any>} parts @param {any} taken @param {string} [path] @returns {string[]} */
export function nameParts(parts, taken, path = '') {
  return Object.entries(parts).flatMap(([name, value]) => {
    const here = /^\d+$/.test(name) ? `${path} ${name}` : path ? `${path}.${name}` : name;
    const below = isItemList(taken) ? taken.find(({ id }) => String(id) === name) : isPlain(taken) && Object.hasOwn(taken, name) ? taken[name] : undefined;
    return below === undefined ? [here] : nameParts(value, below, here);
  });
}

/** @param {string[]} names */
export const listNames = (names) => (names.length > MAX_NAMES ? `${names.slice(0, MAX_NAMES).join(', ')} and ${names.length - MAX_NAMES} more` : names.join(', '));

/**
 * Adds unknown parts again. Parts of objects that were deleted are left out; an unknown object whose id is in use gets a new one.
 * @param {any} value @param {Record<string, any>} parts @returns {any}
 */
export function withParts(value, parts) {
  if (isItemList(value)) {
    // A whole object has its own id; fields of a deleted object have none.
    const isWhole = (/** @type {string} */ id) => String(parts[id]?.id) === id;
    const items = value.map((item) => (Object.hasOwn(parts, item.id) && !isWhole(String(item.id)) ? withParts(item, parts[item.id]) : item));
    let next = Math.max(0, ...value.map(({ id }) => id), ...Object.keys(parts).map(Number)) + 1;
    const isUsed = (/** @type {string} */ id) => value.some((item) => String(item.id) === id);
    return [...items, ...Object.keys(parts).filter(isWhole).map((id) => (isUsed(id) ? { ...parts[id], id: next++ } : parts[id]))];
  }
  if (!isPlain(value)) return value;
  const added = Object.entries(parts).map(([name, part]) => [name, Object.hasOwn(value, name) ? withParts(value[name], part) : part]);
  return Object.fromEntries([...Object.entries(value), ...added]);
}
