/** Outlines of tiles that were rebuilt: the edges of their bounds, which fade. */
import { Group } from 'three';
import { readTile } from 'walkmesh';
import { lineMaterial, setMaterialOpacity } from '../layers/materials.js';
import { makePalette } from '../layers/palette.js';
import { makeLines, makePart } from '../layers/primitives.js';
import { addBox } from '../layers/tile-layers.js';

/** Unlike the colours of borders, paths and areas. */
export const REBUILT = 0xff4fd8;
/** Over the surface and its lines. */
const ORDER = 9;

export class TileOutlines extends Group {
  #dynamic;
  #seconds;
  #palette = makePalette([REBUILT]);
  #material = lineMaterial(this.#palette, { width: 2.5, lift: 0.05 });
  #part = makePart(makeLines(new Float32Array(0)), this.#material, ORDER);
  #stop;
  /** Tile places with the seconds that are left. @type {Map<string, { x: number, z: number, left: number }>} */
  #lit = new Map();
  /** True if the drawn lines differ from the tiles. */
  #isStale = false;

  /** @param {import('walkmesh').DynamicNavMesh} dynamic @param {number} seconds duration of an outline */
  constructor(dynamic, seconds) {
    super();
    this.#dynamic = dynamic;
    this.#seconds = seconds;
    this.#part.frustumCulled = false;
    this.add(this.#part);
    this.#stop = dynamic.onTileChanged(({ x, z }) => this.light(x, z));
  }

  /** Number of outlined tiles. */
  get count() {
    return this.#lit.size;
  }

  /** @param {number} x tile place @param {number} z */
  light(x, z) {
    this.#lit.set(`${x} ${z}`, { x, z, left: this.#seconds });
    this.#isStale = true;
  }

  /** @param {number} seconds since the last call */
  update(seconds) {
    let most = 0;
    for (const [key, tile] of this.#lit) {
      tile.left -= seconds;
      most = Math.max(most, tile.left);
      if (tile.left > 0) continue;
      this.#lit.delete(key);
      this.#isStale = true;
    }
    setMaterialOpacity(this.#material, Math.min(0.99, most / this.#seconds));
    if (this.#isStale) this.#draw();
  }

  #draw() {
    this.#isStale = false;
    /** @type {number[]} */
    const lines = [];
    for (const { x, z } of this.#lit.values()) addBox(lines, this.#boundsOf(x, z), 0);
    this.#part.geometry.dispose();
    this.#part.geometry = makeLines(Float32Array.from(lines));
  }

  /** The bounds of a tile; without polygons, those of its square at the bottom of the mesh. @param {number} x @param {number} z */
  #boundsOf(x, z) {
    const { navMesh } = this.#dynamic;
    const ref = navMesh.tileAt(x, z);
    const { origin, tileWidth, tileDepth } = navMesh.parameters;
    const [low, high] = ref ? heightsOf(readTile(navMesh.tileBytes(ref))) : [navMesh.totals.boundsMin[1], navMesh.totals.boundsMin[1]];
    const [left, top] = [origin[0] + x * tileWidth, origin[2] + z * tileDepth];
    return [left, low, top, left + tileWidth, high, top + tileDepth];
  }

  dispose() {
    this.#stop();
    this.removeFromParent();
    this.#part.geometry.dispose();
    this.#material.dispose();
    this.#palette.texture.dispose();
  }
}

/** @param {import('walkmesh').TileArrays} tile */
const heightsOf = ({ boundsMin, boundsMax }) => [boundsMin[1], boundsMax[1]];
