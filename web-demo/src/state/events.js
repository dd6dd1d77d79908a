/** The events of the tool. */

/**
 * @typedef {object} Happenings
 * @property {import('../level/levels.js').Level} level a level was loaded
 * @property {import('../bake/bakes.js').Baked | null} mesh the navigation mesh was replaced
 * @property {import('../bake/bakes.js').Baked} mesh-ending the mesh is about to be freed: release everything that refers to it
 * @property {null} cause what cuts islands off can be asked for, or was found for one
 * @property {null} main-ground another spot was chosen where play starts, or none
 * @property {null} links links were generated
 * @property {{ tiles: { x: number, z: number }[] }} tiles that obstacles, doors or connections changed
 */

export class Events {
  /** @type {Map<string, Set<(detail: any) => void>>} */
  #listeners = new Map();

  /** @template {keyof Happenings} T @param {T} name @param {(detail: Happenings[T]) => void} listener @returns {() => void} ends it */
  on(name, listener) {
    const listeners = this.#listeners.get(name) ?? new Set();
    this.#listeners.set(name, listeners.add(listener));
    return () => listeners.delete(listener);
  }

  /** @template {keyof Happenings} T @param {T} name @param {Happenings[T]} detail */
  emit(name, detail) {
    for (const listener of [...this.#listeners.get(name) ?? []]) listener(detail);
  }
}
