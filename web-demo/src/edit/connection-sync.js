/** Keeps the off-mesh connections of a navigation mesh equal to those of the document. */

/** @typedef {import('walkmesh').NavMesh} NavMesh */
/** @typedef {import('../state/document.js').Document['connections'][number]} Connection */
/** @typedef {{ ref: number, text: string, enabled: boolean, error: string | null }} Entry ref 0: adding it failed */

export class ConnectionSync {
  /** @type {Map<number, Entry>} by id of the document */
  #entries = new Map();
  #navMesh;

  /** @param {NavMesh} navMesh */
  constructor(navMesh) {
    this.#navMesh = navMesh;
  }

  /** @param {number} id @returns {number} the reference of its polygon; 0: not in the mesh */
  ref(id) {
    return this.#entries.get(id)?.ref ?? 0;
  }

  /** Errors of connections that are not in the mesh. @returns {Record<number, string>} */
  get errors() {
    return Object.fromEntries([...this.#entries].flatMap(([id, { error }]) => (error === null ? [] : [[id, error]])));
  }

  /** @param {readonly Connection[]} wanted @returns {boolean} true if the mesh changed */
  update(wanted) {
    const ids = new Set(wanted.map(({ id }) => id));
    let isChanged = false;
    for (const [id, { ref }] of this.#entries) {
      if (ids.has(id)) continue;
      if (ref !== 0) this.#navMesh.removeConnection(ref);
      this.#entries.delete(id);
      isChanged = true;
    }
    for (const { id, enabled, ...options } of wanted) {
      const known = this.#entries.get(id);
      const text = JSON.stringify(options);
      if (known?.text === text && known.enabled === enabled) continue;
      isChanged = true;
      if (known?.text === text && known.ref !== 0) {
        this.#navMesh.setConnectionEnabled(known.ref, enabled);
        this.#entries.set(id, { ...known, enabled });
        continue;
      }
      if (known && known.ref !== 0) this.#navMesh.removeConnection(known.ref);
      this.#entries.set(id, this.#add(options, enabled, text));
    }
    return isChanged;
  }

  /** @param {Omit<Connection, 'id' | 'enabled'>} options @param {boolean} enabled @param {string} text @returns {Entry} */
  #add(options, enabled, text) {
    try {
      return { ref: this.#navMesh.addConnection({ ...options, enabled }), text, enabled, error: null };
    } catch (error) {
      return { ref: 0, text, enabled, error: /** @type {Error} */ (error).message };
    }
  }
}
