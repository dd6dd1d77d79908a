/** Chooses the next tile to draw for each viewer: the nearest tile that isn't up to date, within a budget. */

/** @typedef {import('./stages.js').Viewer} Viewer */
/**
 * @typedef {{ x: number, z: number, size: number, countX: number, countZ: number }} Grid world units; size of a tile, 0: a
 * single tile
 */
/** @typedef {{ hash: string, cost: number, isGood: boolean }} Drawn isGood: drawn with the current configuration */

export class TileQueue {
  /** @type {Grid} */
  #grid = { x: 0, z: 0, size: 0, countX: 0, countZ: 0 };
  /** Tiles, nearest first. */
  #order = new Uint32Array(0);
  /** @type {Float64Array} */
  #distances = new Float64Array(0);
  #center = { x: NaN, z: NaN };
  /** Drawn tiles by viewer and tile. @type {Map<Viewer, Map<number, Drawn>>} */
  #drawn = new Map();
  /** Requested tiles. @type {Set<number>} */
  #pending = new Set();
  #cost = 0;
  #isPaused = true;
  /** All tiles before this position in the order are up to date or requested. */
  #from = 0;
  /** True if the budget leaves out tiles. */
  isCut = false;

  /** Number of tiles. */
  get size() {
    return this.#order.length;
  }

  /** Number of tiles that are up to date for all viewers. */
  countDrawn() {
    const all = [...this.#drawn.values()];
    if (all.length === 0) return 0;
    let count = 0;
    for (const key of all[0].keys()) if (all.every((tiles) => tiles.get(key)?.isGood)) count++;
    return count;
  }

  /** Number of tiles that are up to date for a viewer. @param {Viewer} viewer */
  countDrawnFor(viewer) {
    let count = 0;
    for (const { isGood } of this.#drawn.get(viewer)?.values() ?? []) if (isGood) count++;
    return count;
  }

  /** Empties the queue until begin(). */
  pause() {
    this.#isPaused = true;
  }

  /**
   * Starts with a new configuration.
   * @param {Grid} grid @param {boolean} isSame true if the grid is unchanged: drawn tiles may still be up to date
   */
  begin(grid, isSame) {
    this.#grid = grid;
    this.#isPaused = false;
    this.#pending.clear();
    this.#from = 0;
    this.isCut = false;
    if (isSame) {
      for (const tiles of this.#drawn.values()) for (const drawn of tiles.values()) drawn.isGood = false;
      return;
    }
    for (const tiles of this.#drawn.values()) tiles.clear();
    this.#cost = 0;
    this.#center = { x: NaN, z: NaN };
    this.#order = Uint32Array.from({ length: grid.countX * grid.countZ }, (_, key) => key);
    this.#distances = new Float64Array(this.#order.length);
  }

  /** @param {Viewer} viewer */
  want(viewer) {
    if (!this.#drawn.has(viewer)) this.#drawn.set(viewer, new Map());
    this.#from = 0;
  }

  /** @param {Viewer} viewer */
  leave(viewer) {
    for (const { cost } of this.#drawn.get(viewer)?.values() ?? []) this.#cost -= cost;
    this.#drawn.delete(viewer);
    this.#from = 0;
    this.isCut = false;
  }

  /** @param {number} key */
  placeOf(key) {
    return { x: key % this.#grid.countX, z: Math.floor(key / this.#grid.countX) };
  }

  /** Moves the centre of the order; small moves are ignored. @param {number} x @param {number} z */
  sort(x, z) {
    const { size, countX } = this.#grid;
    if (Math.hypot(x - this.#center.x, z - this.#center.z) < size / 2) return;
    this.#center = { x, z };
    for (let key = 0; key < this.#distances.length; key++) {
      const [cx, cz] = [this.#grid.x + (key % countX + 0.5) * size, this.#grid.z + (Math.floor(key / countX) + 0.5) * size];
      this.#distances[key] = Math.hypot(cx - x, cz - z);
    }
    this.#order.sort((a, b) => this.#distances[a] - this.#distances[b] || a - b);
    this.#from = 0;
  }

  /**
   * The next tile to request, for the viewers that need it. Over the budget the farthest tiles are dropped if they are farther than it.
   * @param {Viewer[]} viewers @param {number} budget @param {(viewer: Viewer, place: { x: number, z: number }) => void} erase
   * @returns {{ key: number, viewers: Viewer[], known: string | null } | null} known: the hash that all these viewers have drawn
   */
  next(viewers, budget, erase) {
    if (this.#isPaused) return null;
    for (; this.#from < this.#order.length; this.#from++) {
      const key = this.#order[this.#from];
      if (this.#pending.has(key)) continue;
      const wanting = viewers.filter((viewer) => !this.#drawn.get(viewer)?.get(key)?.isGood);
      if (wanting.length === 0) continue;
      this.isCut = !this.#makeRoom(key, budget, erase);
      if (this.isCut) return null;
      this.#pending.add(key);
      const hashes = new Set(wanting.map((viewer) => this.#drawn.get(viewer)?.get(key)?.hash ?? null));
      return { key, viewers: wanting, known: hashes.size === 1 ? [...hashes][0] : null };
    }
    return null;
  }

  /**
   * @param {number} key @param {number} budget @param {(viewer: Viewer, place: { x: number, z: number }) => void} erase
   * @returns {boolean}
   */
  #makeRoom(key, budget, erase) {
    for (let last = this.#order.length - 1; this.#cost >= budget && last >= 0; last--) {
      const far = this.#order[last];
      if (this.#distances[far] <= this.#distances[key] + this.#grid.size) return false;
      for (const [viewer, tiles] of this.#drawn) {
        const drawn = tiles.get(far);
        if (!drawn) continue;
        this.#cost -= drawn.cost;
        tiles.delete(far);
        erase(viewer, this.placeOf(far));
      }
    }
    return this.#cost < budget;
  }

  /** A requested tile arrived or was dropped. @param {number} key */
  release(key) {
    this.#pending.delete(key);
    this.#from = 0;
  }

  /**
   * A viewer has received a tile.
   * @param {number} key @param {Viewer} viewer @param {{ hash: string, cost: number } | null} made null: the drawn tile is up to date
   */
  finish(key, viewer, made) {
    const tiles = this.#drawn.get(viewer);
    const before = tiles?.get(key);
    if (!tiles || (!made && !before)) return;
    if (made) this.#cost += made.cost - (before?.cost ?? 0);
    tiles.set(key, { ...(made ?? /** @type {Drawn} */ (before)), isGood: true });
  }
}
