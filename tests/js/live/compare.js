/**
 * Bakes one random case with both packages, compares every array bit by bit, and explains the differences.
 *
 * A difference counts as explained only if a proof exists (explain.js). After an explained difference our array
 * replaces the peer's, so that every later stage is still compared bit by bit.
 *
 * Two more findings concern only the peer. "peer's overrun": a row with more runs of one region than the
 * peer's capacity (the longer side of the field) makes its row sweeps write outside their arrays; that stage of
 * the peer is skipped. "peer's memory": the difference disappears when the case is repeated in a fresh instance.
 */

import { Field } from './contour_oracle.js';
import { describeDifference, sameBytes } from './describe.js';
import { explainContours, explainDetail, explainPolygons, explainRegions } from './explain.js';
import { ARRAY_STAGES } from './golden.js';
import { PeerBake, renewPeer } from './peer.js';
import { smoothSort, stableSort } from './sorting.js';
import { buildTree, checkTree, parseTree, polygonBoxes, tileSections } from './tile.js';
import { boundsOf, tileGrid, toVoxels } from './voxels.js';

/**
 * @typedef {object} Outcome
 * @property {number} seed
 * @property {string} status 'equal', 'explained', 'refused' (we report an error on purpose) or 'different'
 * @property {Map<string, string>} arrays name -> 'equal' or the explanation
 * @property {string} [detail] the first unexplained difference, in words
 * @property {boolean} hasPolygons
 */

/**
 * @param {object} peer from loadPeer
 * @param {(test: object, x: number, z: number) => {arrays: Map<string, Uint8Array>, error?: Error}} bakeOurs
 * @param {object} test from makeCase; tile: { x, z } of the tile to compare, otherwise the seed chooses one
 * @returns {Promise<Outcome>}
 */
export async function compareCase(peer, bakeOurs, test) {
  const outcome = compareOnce(peer, bakeOurs, test);
  if (outcome.status !== 'different') return outcome;
  await renewPeer(peer);
  const again = compareOnce(peer, bakeOurs, test);
  if (again.status === 'different') return again;
  again.status = 'explained';
  again.arrays.set('all', "peer's memory");
  return again;
}

/** The tile of a case that is compared, chosen by the seed. */
export function chooseTile(seed, voxels) {
  return { x: seed % voxels.tileCountX, z: (seed >> 3) % voxels.tileCountZ };
}

function compareOnce(peer, bakeOurs, test) {
  const bounds = test.config.bounds ?? boundsOf(test.level.positions);
  const voxels = toVoxels(test.config, bounds);
  const { x, z } = test.tile ?? chooseTile(test.seed, voxels);
  const grid = tileGrid(test.config, voxels, bounds, x, z);
  const outcome = { seed: test.seed, status: 'equal', arrays: new Map(), hasPolygons: false };
  const ours = bakeOurs(test, x, z);
  if (ours.error) {
    return { ...outcome, status: 'refused', detail: `${ours.error.code ?? ours.error.name}: ${ours.error.message}` };
  }
  let bake;
  try {
    bake = new PeerBake(peer, test.level, test.config, voxels, grid, { x, z });
    new Comparison(bake, ours.arrays, outcome).run();
  } catch (error) {
    if (!(error instanceof WebAssembly.RuntimeError)) throw error;
    return { ...outcome, status: 'different', detail: `the peer trapped: ${error.message}` };
  }
  bake.free();
  return outcome;
}

class Comparison {
  constructor(bake, arrays, outcome) {
    Object.assign(this, { bake, arrays, outcome });
  }

  run() {
    for (const [name, stage] of ARRAY_STAGES) {
      if (stage === 'regions' && this.peerWouldOverrun()) {
        this.bake.takeRegions(this.arrays.get('regions'));
        this.note('regions', "peer's overrun");
        continue;
      }
      this.messages = this.bake.runForMessages(stage);
      if (name === 'distance' && this.bake.config.partition !== 'watershed') continue;
      if (!this.compareArray(name)) return;
    }
  }

  /** @returns {boolean} true to continue */
  compareArray(name) {
    const ours = this.arrays.get(name) ?? new Uint8Array(0);
    const theirs = this.bake.dump(name);
    if (name === 'tile') return this.compareTile(ours, theirs);
    if (sameBytes(ours, theirs)) return this.note(name, 'equal');
    const explanation = this.explain(name, ours, theirs);
    if (explanation === null) return this.fail(describeDifference(name, ours, theirs, this.bake.grid));
    this.carryOn(name, ours);
    return this.note(name, explanation);
  }

  note(name, finding) {
    this.outcome.arrays.set(name, finding);
    if (finding !== 'equal') this.outcome.status = 'explained';
    return true;
  }

  fail(detail) {
    this.outcome.status = 'different';
    this.outcome.detail = detail;
    return false;
  }

  /** The current compact heightfield with the given regions. */
  fieldWith(regions) {
    const { bake } = this;
    return new Field(bake.grid.width, bake.grid.depth, bake.dump('compact'), bake.dump('areas_marked'), regions);
  }

  peerWouldOverrun() {
    const { config, grid, voxels } = this.bake;
    if (config.partition === 'watershed') return false;
    const field = this.fieldWith(new Uint8Array(this.bake.dump('areas_marked').length * 2));
    return mostRunsInRow(field, voxels.borderSize) >= Math.max(grid.width, grid.depth);
  }

  /** @returns {string|null} the reason why the arrays differ, or null if no explanation holds */
  explain(name, ours, theirs) {
    const { bake } = this;
    const pair = { ours, theirs, messages: this.messages };
    switch (name) {
      case 'regions':
        return explainRegions({ ...pair, field: this.fieldWith(ours) });
      case 'contours': {
        const settings = {
          maxError: bake.config.maxEdgeError,
          maxEdgeCells: bake.voxels.maxEdgeCells,
          borderSize: bake.voxels.borderSize,
        };
        const meshMessages = bake.runForMessages('polygonMesh');
        return explainContours({ ...pair, field: this.fieldWith(bake.dump('regions')), settings, meshMessages });
      }
      case 'polymesh':
        return explainPolygons({ ...pair, contours: bake.dump('contours'), borderSize: bake.voxels.borderSize });
      case 'detail':
        return explainDetail({ ...pair, highest: bake.grid.minimum[1] + 0xfffe * bake.config.cellHeight });
      default:
        return null;
    }
  }

  carryOn(name, ours) {
    const { bake } = this;
    if (name === 'regions') bake.injectRegions(ours);
    if (name === 'contours') bake.injectContours(ours);
    if (name === 'polymesh') bake.injectPolygonMesh(ours);
    if (name === 'detail') bake.injectDetail(ours);
  }

  /** Compares all sections byte by byte, except the tree, which must be exact under its own sort, on both sides. */
  compareTile(ours, theirs) {
    this.outcome.hasPolygons = theirs.length > 0;
    if (sameBytes(ours, theirs)) return this.note('tile', 'equal');
    if (ours.length !== theirs.length) return this.fail(describeDifference('tile', ours, theirs, this.bake.grid));
    const [mine, other] = [tileSections(ours), tileSections(theirs)];
    for (const [name, bytes] of mine) {
      if (name !== 'tree' && !sameBytes(bytes, other.get(name))) {
        return this.fail(`tile ${describeDifference(name, bytes, other.get(name), this.bake.grid)}`);
      }
    }
    return this.compareTrees(mine, other);
  }

  compareTrees(mine, other) {
    const items = polygonBoxes(mine.get('header'), this.arrays.get('detail'));
    for (const [side, sections, sort] of [['our', mine, stableSort], ["the peer's", other, smoothSort]]) {
      const fault = checkTree(parseTree(sections.get('tree')));
      if (fault !== null) return this.fail(`${side} tree: ${fault}`);
      if (!sameBytes(sections.get('tree'), buildTree(items, sort))) {
        return this.fail(`${side} tree is not what its sort gives`);
      }
    }
    return this.note('tile', 'tie order in the tree');
  }
}

/** The most runs of linked spans of one area that the row sweeps of a partition open in a row. */
function mostRunsInRow(field, border) {
  const run = new Uint8Array(field.spanCount);
  let most = 0;
  for (let z = border; z < field.depth - border; z++) {
    let runs = 0;
    for (let x = border; x < field.width - border; x++) {
      const cell = x + z * field.width;
      for (let span = field.first[cell]; span < field.first[cell] + field.count[cell]; span++) {
        if (field.areas[span] === 0) continue;
        const left = field.neighbour(span, 0);
        run[span] = 1;
        if (left < 0 || run[left] === 0 || field.areas[left] !== field.areas[span]) runs++;
      }
    }
    most = Math.max(most, runs);
  }
  return most;
}
