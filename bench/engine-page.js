/** Bakes of a level by both packages in turns: in pages of browser engines (engines.js), and in Node. */
import { parseObj } from '../js/level/obj.js';
import { RecastNavigation, Walkmesh } from './contestants.js';
import { measureRounds } from './rounds.js';
import { summarise } from './statistics.js';

/**
 * @param {string} text of an OBJ file @param {any} config @param {{ runs?: number, milliseconds: number }} options
 * @returns {Promise<{ ours: import('./statistics.js').Summary, theirs: import('./statistics.js').Summary }>} milliseconds of a bake
 */
export async function measureLevel(text, config, options) {
  const level = parseObj(new TextEncoder().encode(text));
  const contestants = [new Walkmesh(true), await RecastNavigation.load()];
  for (const contestant of contestants) await contestant?.renew();
  const runs = measureRounds(contestants, (contestant) => contestant.bake(level, config), { ...options, onRound: () => {} });
  const [ours, theirs] = contestants.map(({ name }) => summarise((runs.get(name) ?? []).map(({ total }) => total)));
  return { ours, theirs };
}
