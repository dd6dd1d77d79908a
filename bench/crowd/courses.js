/**
 * Courses: variants of a scenario. Crowds are chaotic: an agent that starts a centimetre further left meets other agents, so the
 * figure of one course predicts little about the next. Each scenario therefore runs on several courses with small, irrelevant
 * differences: starts and goals are shifted by up to SHIFT, and agents are added in another order. Course 0 is the scenario as
 * defined.
 */
import { makeRandom, shuffle } from './random.js';

/** Maximum shift along x and z, metres. */
const SHIFT = 0.05;

/**
 * @param {import('./scenario.js').Scenario} scenario @param {number} course a whole number from 0
 * @returns {import('./scenario.js').Scenario}
 */
export function takeCourse(scenario, course) {
  if (course === 0) return scenario;
  const { agents, goalMoves } = scenario;
  const random = makeRandom(1000 + course);
  const order = shuffle(agents.length, random);
  const shift = (/** @type {[number, number, number]} */ [x, y, z]) => /** @type {[number, number, number]} */ (
    [x + SHIFT * (2 * random() - 1), y, z + SHIFT * (2 * random() - 1)]);
  /** Goals by their original positions: a common goal stays common. Moving goals differ between courses already. */
  const goals = new Map(goalMoves ? [] : agents.map(({ goal }) => [goal.join(), goal]));
  for (const [key, goal] of goals) goals.set(key, shift(goal));
  return { ...scenario,
    agents: order.map((i) => agents[i]).map(({ position, goal }) => ({ position: shift(position), goal: goals.get(goal.join()) ?? goal })),
    ...(goalMoves && { goalMoves: { ...goalMoves, goalAt: (agent, move) => goalMoves.goalAt(order[agent], move) } }) };
}
