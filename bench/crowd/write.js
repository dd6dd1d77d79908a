/**
 * Writes every scenario to a folder, for programs that can read neither JavaScript nor levels:
 *
 *   node bench/crowd/write.js DIR [--courses N] [NAME ...]        NAME.walkmesh, NAME.txt, NAME.1.txt and so on; README.md describes
 *                                                                 the lines
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { load } from '../../js/index.js';
import { makeWorld, pathMeasure, populate } from './run.js';
import { HEIGHT, MAX_ACCELERATION, MAX_SPEED } from './scenario.js';
import { chooseScenarios } from './scenarios.js';

/** The events before a step, as lines. @param {import('./scenario.js').Scenario} scenario @returns {string[]} */
function listEvents({ agents, goalMoves, obstacles = [], duration, timeStep }) {
  const lines = [];
  const stepsAMove = goalMoves ? Math.round(goalMoves.period / timeStep) : 0;
  for (let step = 0, steps = Math.round(duration / timeStep); step < steps; step++) {
    const time = step * timeStep;
    if (goalMoves && step > 0 && time <= goalMoves.until + 1e-9 && step % stepsAMove === 0) {
      agents.forEach((_, i) => lines.push(`goal ${step} ${i} ${goalMoves.goalAt(i, step / stepsAMove).join(' ')}`));
    }
    obstacles.forEach(({ radius, positionAt, velocityAt }, i) =>
      lines.push(`obstacle ${step} ${i} ${radius} ${positionAt(time).join(' ')} ${velocityAt(time).join(' ')}`));
  }
  return lines;
}

/** @param {import('./scenario.js').Walker} agent @param {number} i @returns {string[]} */
const restLines = ({ goal, isPaused }, i) => [...(goal ? [] : [`idle ${i}`]), ...(isPaused ? [`paused ${i}`] : [])];

/** @param {import('./scenario.js').Scenario} scenario @param {import('../../js/index.js').NavMesh} navMesh */
function describeScenario(scenario, navMesh) {
  const { name, agents, duration, timeStep, radius, endsEarly = false, arrivalDistance, doorX, extraTime = 0, goalMoves, hasIdeal = true, isExact = false } = scenario;
  const measure = pathMeasure(navMesh);
  const lines = agents.map(({ position, goal = position }, i) => {
    const last = goalMoves ? goalMoves.goalAt(i, Math.floor(goalMoves.until / goalMoves.period)) : goal;
    const start = navMesh.nearestPoint(position)?.point ?? position;
    const { length, end } = measure(start, last);
    const ideal = Math.max(length, Math.hypot(start[0] - end[0], start[2] - end[2]));
    return `agent ${[...position, ...goal, ideal, ...end].join(' ')}`;
  });
  return [`name ${name}`, `duration ${duration}`, `steps-a-second ${Math.round(1 / timeStep)}`, `radius ${radius}`, `height ${HEIGHT}`, `max-speed ${MAX_SPEED}`,
    `max-acceleration ${MAX_ACCELERATION}`, `arrival-distance ${arrivalDistance}`, `extra-time ${extraTime}`, `has-ideal ${hasIdeal ? 1 : 0}`, `exact ${isExact ? 1 : 0}`,
    `ends-early ${endsEarly ? 1 : 0}`, ...(doorX === undefined ? [] : [`door-x ${doorX}`]), ...lines, ...agents.flatMap(restLines), ...listEvents(scenario), ''].join('\n');
}

const { values: { courses }, positionals: [folder, ...names] } = parseArgs({ options: { courses: { type: 'string', default: '1' } }, allowPositionals: true });
if (folder === undefined || !(Number(courses) >= 1)) {
  console.error('usage: node bench/crowd/write.js DIR [--courses N] [NAME ...]');
  process.exit(2);
}
const walkmesh = await load();
mkdirSync(folder, { recursive: true });
for (const first of chooseScenarios(names)) {
  const { name, hasOwnScene, missing } = first;
  if (missing) {
    console.error(`${name} is not written: there is no ${missing}`);
    continue;
  }
  let world = makeWorld(walkmesh, undefined, first);
  for (let course = 0; course < Number(courses); course++) {
    const [scenario] = chooseScenarios([name], course);
    const suffix = course === 0 ? '' : `.${course}`;
    if (course > 0 && hasOwnScene) {
      world.navMesh.free();
      world = makeWorld(walkmesh, undefined, scenario);
    }
    if (course === 0 || hasOwnScene) writeFileSync(join(folder, `${name}${suffix}.walkmesh`), world.navMesh.save());
    writeFileSync(join(folder, `${name}${suffix}.txt`), describeScenario(populate(scenario, world), world.navMesh));
  }
  world.navMesh.free();
}
