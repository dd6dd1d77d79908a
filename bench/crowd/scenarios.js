/**
 * The choice among all crowd scenarios, which are seeded and the same for every package; README.md describes each. Lengths are
 * metres, times seconds.
 */
import { gameScenarios } from './game-levels.js';
import { ledgeScenarios } from './ledges.js';
import { openSpaceScenarios } from './open-space.js';
import { passageScenarios } from './passages.js';

/** The names that select many scenarios. @type {Record<string, (course: number) => import('./scenario.js').Scenario[]>} */
const GROUPS = { 'open-space': openSpaceScenarios, passages: passageScenarios, ledges: ledgeScenarios, game: gameScenarios };

/**
 * @param {string[]} [names] only these scenarios, or groups of them; those in open space if empty
 * @param {number} [course] 0: the scenarios as defined; other numbers are variants (courses.js)
 * @returns {import('./scenario.js').Scenario[]}
 */
export function chooseScenarios(names = ['open-space'], course = 0) {
  const wanted = names.length === 0 ? ['open-space'] : names;
  const all = Object.entries(GROUPS).flatMap(([group, make]) => make(course).map((scenario) => ({ group, scenario })));
  const unknown = wanted.filter((name) => !(name in GROUPS) && all.every(({ scenario }) => scenario.name !== name));
  if (unknown.length > 0) {
    const known = [...Object.keys(GROUPS), ...all.map(({ scenario }) => scenario.name)].join(', ');
    throw new Error(`no such scenario: ${unknown.join(', ')} (there are ${known})`);
  }
  return all.filter(({ group, scenario }) => wanted.includes(group) || wanted.includes(scenario.name)).map(({ scenario }) => scenario);
}
