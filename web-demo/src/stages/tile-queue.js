/** Which tiles are drawn for whom, and which comes next: the nearest that is not up to date, within a budget. */

/** @typedef {import('./stages.js').Viewer} Viewer */
/**
 * @typedef {{ x: number, z: number, size: number, countX: number, countZ: number }} Grid world units; size of a tile, 0: there
 *   is one
 */
/** @typedef {{ hash: string, cost: number, isGood: boolean }} Drawn isGood: of the configuration that is in force */

export class TileQueue {
  /** @type {Grid} */
  #grid = { x: 0, z: 0, size: 0, countX: 0, countZ: 0 };
  /** Tiles, nearest first. */
  #order = new Uint32Array(0);
  /** @type {Float64Array} */
  #distances = new Float64Array(0);
  #center = { x: NaN, z: NaN };
  /** What is drawn, by viewer and tile. @type {Map<Viewer, Map<number, Drawn>>} */
  #drawn = new Map();
  /** Tiles that are being made. @type {Set<number>} */
  #pending = new Set();
  #cost = 0;
  #isPaused = true;
  /** Up to here in the order every tile is good or being made. */
  #from = 0;
  /** Whether tiles are left out for the budget. */
  isCut = false;

  /** How many tiles there are. */
  get size() {
    return this.#order.length;
  }

  /** Tiles that are up to date for everybody. */
  countDrawn() {
    const all = [...this.#drawn.values()];
    if (all.length === 0) return 0;
    let count = 0;
    for (const key of all[0].keys()) if (all.every((tiles) => tiles.get(key)?.isGood)) count++;
    return count;
  }

  /** Nothing comes next until begin(). */
  pause() {
    this.#isPaused = true;
  }

  /**
   * Another configuration.
   * @param {Grid} grid @param {boolean} isSame whether the grid is the one before: what is drawn may be good still
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

  /** Where the camera looks; small moves change nothing. @param {number} x @param {number} z */
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
   * What to make next, for those of the viewers who have not got it. Over the budget the farthest tiles go, as long as they are farther.
   * @param {Viewer[]} viewers @param {number} budget @param {(viewer: Viewer, place: { x: number, z: number }) => void} erase
   * @returns {{ key: number, viewers: Viewer[], known: string | null } | null} known: the hash of what all of them have
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

  /** A tile is no longer being made. @param {number} key */
  release(key) {
    this.#pending.delete(key);
    this.#from = 0;
  }

  /**
   * Somebody has a tile.
   * @param {number} key @param {Viewer} viewer @param {{ hash: string, cost: number } | null} made null: what he has is good
   */
  finish(key, viewer, made) {
    const tiles = this.#drawn.get(viewer);
    const before = tiles?.get(key);
    if (!tiles || (!made && !before)) return;
    if (made) this.#cost += made.cost - (before?.cost ?? 0);
    tiles.set(key, { ...(made ?? /** @type {Drawn} */ (before)), isGood: true });
  }
}
