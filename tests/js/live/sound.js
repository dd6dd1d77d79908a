/** Tests that tiles of random levels are sound (checkNavMesh), except for faults that Recast has, too. */
import { checkNavMesh, load } from '../../../js/index.js';

/**
 * Leaves out faults of results that equal Recast's. Outlines that are simplified by more than the width of the surface between them
 * cross themselves and each other; Recast builds polygons from them that are turned over, dented or overlapping. Its height detail
 * sometimes covers a point twice. These tiles are Recast's bit for bit: all other checks must pass.
 * @param {import('../../../js/index.js').Finding[]} findings
 */
export function withoutRecastKinds(findings) {
  const isRecasts = (/** @type {typeof findings[number]} */ { check, message }) => ['overlap', 'detail'].includes(check)
    || (check === 'polygon' && /^(is clockwise|is not convex)/.test(message));
  const crooked = new Set(findings.filter(isRecasts).map(({ polygon }) => polygon));
  return findings.filter((finding) => !isRecasts(finding) && !(finding.check === 'tree' && crooked.has(finding.polygon)));
}

export class TileSoundness {
  #walkmesh;
  tiles = 0;
  polygons = 0;
  /** Tiles with only the kinds of faults that Recast's tiles have. @type {string[]} */
  asRecast = [];
  /** @type {string[]} */
  faults = [];

  /** @param {any} walkmesh */
  constructor(walkmesh) {
    this.#walkmesh = walkmesh;
  }

  static async create() {
    return new TileSoundness(await load({ leakWarnings: false }));
  }

  /** @param {Uint8Array | undefined} tile in Detour's format @param {any} config of the bake @param {string} label */
  look(tile, config, label) {
    if (!tile || tile.length === 0) return;
    const navMesh = this.#walkmesh.loadNavMesh(tile);
    const { volumes, connections, areaFlags, bounds, ...fields } = config;
    const { findings, looked } = checkNavMesh(navMesh, { config: fields, mostFindings: 1000 });
    navMesh.free();
    this.tiles++;
    this.polygons += looked.polygons;
    const wrong = withoutRecastKinds(findings);
    if (wrong.length > 0) this.faults.push(`${label}: ${wrong[0].check}: ${wrong[0].message}`);
    else if (findings.length > 0) this.asRecast.push(label);
  }

  toString() {
    return `${this.tiles} tiles with ${this.polygons} polygons checked: ${this.faults.length} faults; ${this.asRecast.length} have polygons turned, dented or `
      + 'overlapping as Recast\'s do';
  }
}
