/** Tool settings: plain values of the document, checked because an address can contain anything. */

/** @typedef {import('../state/document.js').Point} Point */
/** @template T @typedef {{ value: T, read: (saved: unknown) => T }} Setting value: the default */
/** @template {Record<string, Setting<any>>} T @typedef {{ [K in keyof T]: T[K]['value'] }} Values */

/** On or off. @param {boolean} value @returns {Setting<boolean>} */
export const flag = (value) => ({ value, read: (saved) => (typeof saved === 'boolean' ? saved : value) });

/** A number, clamped to limits. @param {number} value @param {{ min: number, max: number, whole?: boolean }} limits @returns {Setting<number>} */
export const amount = (value, { min, max, whole = false }) => ({
  value,
  read(saved) {
    if (typeof saved !== 'number' || !Number.isFinite(saved)) return value;
    const clamped = Math.min(Math.max(saved, min), max);
    return whole ? Math.round(clamped) : clamped;
  },
});

/** One of several names. @template {string} T @param {T} value @param {readonly T[]} names @returns {Setting<T>} */
export const choice = (value, names) => ({ value, read: (saved) => names.find((name) => name === saved) ?? value });

/** Three numbers. @param {Point} value @param {{ min: number, max: number }} limits of each @returns {Setting<Point>} */
export const triple = (value, { min, max }) => ({
  value,
  read: (saved) => (isPoint(saved) ? /** @type {Point} */ (saved.map((part) => Math.min(Math.max(part, min), max))) : value),
});

/** Largest coordinate: beyond it float32 no longer resolves metres. */
const FAR = 1e6;

/** @param {unknown} value @returns {value is Point} */
export function isPoint(value) {
  return Array.isArray(value) && value.length === 3 && value.every((part) => typeof part === 'number' && Math.abs(part) <= FAR);
}

/**
 * The settings of a tool from saved data of any form.
 * @template {Record<string, Setting<any>>} T @param {T} settings @param {unknown} saved @returns {Values<T>}
 */
export function readSettings(settings, saved) {
  const given = /** @type {Record<string, unknown>} */ (typeof saved === 'object' && saved !== null ? saved : {});
  return /** @type {Values<T>} */ (Object.fromEntries(Object.entries(settings).map(([name, { read }]) => [name, read(given[name])])));
}
