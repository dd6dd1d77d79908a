/**
 * Bakes one random case with both, compares every array bit by bit, and explains what differs.
 *
 * A difference is explained only where it is proved:
 *   tie order         the peer's sort does not keep the order of equal keys. Proof: our rules with the peer's
 *                     sort give the peer's bytes, with ours our bytes.
 *   hole-merging slip the peer leaves the wrong outline edges out of a test. Proof: as above, with the slip.
 *   peer's own error  the peer's log says that its regions overlap, that a triangulation failed or that it
 *                     dropped dangling faces: from there on we are to do better, not the same.
 *   peer's memory     the difference is gone when the case is repeated in a fresh instance of the peer.
 * After an explained difference our array goes into the peer, which carries on from it, so that every later
 * stage is still compared bit by bit.
 */

import { Field, contourOracle } from './contour_oracle.js';
import { describeDifference, sameBytes } from './describe.js';
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
 * @param {object} test from makeCase
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

/** The tile of a case that is compared: an arbitrary one, by its seed. */
export function chooseTile(seed, voxels) {
  return { x: seed % voxels.tileCountX, z: (seed >> 3) % voxels.tileCountZ };
}

function compareOnce(peer, bakeOurs, test) {
  const bounds = test.config.bounds ?? boundsOf(test.level.positions);
  const voxels = toVoxels(test.config, bounds);
  const { x, z } = chooseTile(test.seed, voxels);
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
      this.bake.run(stage);
      if (name === 'distance' && this.bake.config.partition !== 'watershed') continue;
      if (!this.compareArray(name)) return;
    }
  }

  /** @returns {boolean} whether to go on */
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

  hasMessage(text) {
    return this.bake.messages.some((message) => message.includes(text));
  }

  /** @returns {string|null} why the arrays differ, or null where nobody knows */
  explain(name, ours, theirs) {
    switch (name) {
      case 'regions':
        return this.hasMessage('overlapping regions') ? "peer's own error" : null;
      case 'contours':
        return this.explainContours(ours, theirs);
      case 'polymesh':
        return this.hasMessage('Bad triangulation') ? "peer's own error" : null;
      case 'detail':
        return this.explainDetail(ours, theirs);
      default:
        return null;
    }
  }

  explainContours(ours, theirs) {
    const { bake } = this;
    const field = new Field(bake.grid.width, bake.grid.depth, bake.dump('compact'), bake.dump('areas_marked'),
      bake.dump('regions'));
    const settings = {
      maxError: bake.config.maxEdgeError,
      maxEdgeCells: bake.voxels.maxEdgeCells,
      borderSize: bake.voxels.borderSize,
    };
    if (!sameBytes(contourOracle(field, settings, { sort: stableSort }), ours)) return null;
    if (sameBytes(contourOracle(field, settings, { sort: smoothSort }), theirs)) return 'tie order';
    if (sameBytes(contourOracle(field, settings, { sort: stableSort, slip: true }), theirs)) return 'hole-merging slip';
    if (sameBytes(contourOracle(field, settings, { sort: smoothSort, slip: true }), theirs)) {
      return 'hole-merging slip and tie order';
    }
    return null;
  }

  /** Polygons whose detail differs may be no more than those of which the peer dropped faces. */
  explainDetail(ours, theirs) {
    const dangling = this.bake.messages.filter((message) => message.includes('dangling face')).length;
    if (dangling === 0) return null;
    const [a, b] = [splitDetail(ours), splitDetail(theirs)];
    if (a.length !== b.length) return null;
    const different = a.filter((submesh, i) => submesh !== b[i]).length;
    return different <= dangling ? "peer's own error" : null;
  }

  carryOn(name, ours) {
    const { bake } = this;
    if (name === 'regions') bake.injectRegions(ours);
    if (name === 'contours') bake.injectContours(ours);
    if (name === 'polymesh') bake.injectPolygonMesh(ours);
    if (name === 'detail') bake.injectDetail(ours);
  }

  /** All sections byte by byte but the tree, which must be exact under its own sort, on both sides. */
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

/** Each submesh as text: vertices and triangles. */
function splitDetail(bytes) {
  const [submeshCount, vertexCount] = new Uint32Array(bytes.slice(0, 12).buffer);
  const submeshes = new Uint32Array(bytes.slice(12, 12 + submeshCount * 16).buffer);
  const vertices = 12 + submeshCount * 16;
  const triangles = vertices + vertexCount * 12;
  return Array.from({ length: submeshCount }, (_, i) => {
    const [firstVertex, vertexTotal, firstTriangle, triangleTotal] = submeshes.subarray(i * 4, i * 4 + 4);
    const part = (start, first, count, size) =>
      Buffer.from(bytes.subarray(start + first * size, start + (first + count) * size)).toString('base64');
    return part(vertices, firstVertex, vertexTotal, 12) + part(triangles, firstTriangle, triangleTotal, 4);
  });
}
