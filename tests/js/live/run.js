/** Compares a range of seeds; shared by the push suite (live.test.js) and `npm run soak -- --levels`. */

import { compareCase } from './compare.js';
import { loadOurs } from './ours.js';
import { loadPeer, renewPeer } from './peer.js';
import { makeCase } from './scenes.js';
import { TileSoundness } from './sound.js';
import { Tally } from './tally.js';

/** Cases that share an instance of the peer, whose memory degrades over time. */
const CASES_PER_INSTANCE = 50;

/**
 * @param {{firstSeed: number, count: number, scalar?: boolean,
 *          onOutcome?: (outcome: object, done: number) => void}} options
 * @returns {Promise<Tally|null>} null where the peer is not installed
 */
export async function compareSeeds({ firstSeed, count, scalar = false, onOutcome = () => {} }) {
  const peer = await loadPeer();
  if (peer === null) return null;
  const bake = await loadOurs({ simd: !scalar });
  const tally = new Tally();
  tally.soundness = await TileSoundness.create();
  /** @type {typeof bake} */
  const bakeOurs = (test, x, z) => {
    const made = bake(test, x, z);
    tally.soundness.look(made.arrays.get('tile'), test.config, `seed ${test.seed}`);
    return made;
  };
  for (let i = 0; i < count; i++) {
    if (i % CASES_PER_INSTANCE === CASES_PER_INSTANCE - 1) await renewPeer(peer);
    const outcome = await compareCase(peer, bakeOurs, makeCase(firstSeed + i));
    tally.add(outcome);
    onOutcome(outcome, i + 1);
  }
  return tally;
}
