/** Wrong usage of a command: options that need or exclude each other. It ends with exit status 2, as unknown options do. */
export class UsageError extends Error {}

/** The flag of an option, from the name under which commander stores it. @param {string} name */
export const flagOf = (name) => `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

/**
 * Refuses options that need another one, or a place.
 * @param {Record<string, any>} options of the command @param {readonly string[]} names as commander stores them
 * @param {string} needed what is missing, as `--count`
 */
export function requireAbsent(options, names, needed) {
  const name = names.find((each) => options[each] !== undefined && options[each] !== false);
  if (name !== undefined) throw new UsageError(`${flagOf(name)} needs ${needed}`);
}
