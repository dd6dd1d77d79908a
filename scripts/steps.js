/** Runs steps in parallel: at most one for each lane, in the order of the list, each after the steps that it needs. */

/**
 * @typedef {object} Step
 * @property {string} name
 * @property {string[]} [needs] names of earlier steps of the list that must succeed first
 * @property {() => Promise<boolean>} run returns true if it succeeded
 */

/**
 * @param {Step[]} steps
 * @param {number} lanes
 * @returns {Promise<string[]>} the names of steps that weren't run, since a step that they need failed or wasn't run
 */
export async function runSteps(steps, lanes) {
  steps.forEach(({ name, needs = [] }, i) => {
    const unknown = needs.find((need) => !steps.slice(0, i).some((step) => step.name === need));
    if (unknown !== undefined) throw new Error(`${name} needs ${unknown}, which no step above it is`);
  });
  /** @type {Map<string, boolean>} ended steps, true if they succeeded */
  const ended = new Map();
  const waiting = new Set(steps);
  /** @type {string[]} */
  const notRun = [];
  /** @type {Map<Step, Promise<void>>} */
  const running = new Map();
  const begin = () => {
    for (const step of waiting) {
      const before = (step.needs ?? []).map((name) => ended.get(name));
      if (before.includes(false)) {
        waiting.delete(step);
        ended.set(step.name, false);
        notRun.push(step.name);
      } else if (running.size < lanes && before.every(Boolean)) {
        waiting.delete(step);
        running.set(step, step.run().then((isGood) => {
          ended.set(step.name, isGood);
          running.delete(step);
        }));
      }
    }
  };
  for (begin(); running.size > 0; begin()) await Promise.race(running.values());
  return notRun;
}
