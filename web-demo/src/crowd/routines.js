/**
 * Orders that go on by themselves: wandering agents get a random reachable destination whenever they come to rest, patrolling ones walk
 * from point to point.
 */
import { AGENT_STATES, Random } from 'walkmesh';

/** @typedef {import('../state/document.js').Point} Point */
/** @typedef {import('walkmesh').Crowd} Crowd */
/** @typedef {import('walkmesh').FilterOptions} FilterOptions */
/** @typedef {import('walkmesh').NavMesh} NavMesh */
/** points: at least two; next: index of the current one. @typedef {{ kind: 'wander' } | { kind: 'patrol', points: Point[], next: number }} Routine */

/** Steps at rest before the next destination. */
const REST = 30;
/** Radius in which wandering agents look for a destination, and its smallest distance where there is room, world units. */
const [REACH, LEAST] = [25, 4];
/** Attempts to find a destination that is not near. */
const TRIES = 4;

/** States in which an agent has no more way to go. */
const RESTING = new Set(['no-target', 'arrived', 'crowded', 'unreachable'].map((name) => AGENT_STATES.indexOf(/** @type {any} */ (name))));

export class Routines {
  /** @type {Map<number, { routine: Routine, rested: number }>} by agent */
  #entries = new Map();
  #random = new Random(23);

  /** Number of agents with a routine. */
  get count() {
    return this.#entries.size;
  }

  /** @param {number} agent @returns {Routine | null} */
  of(agent) {
    return this.#entries.get(agent)?.routine ?? null;
  }

  /**
   * Gives an agent a routine, or ends it. @param {number} agent @param {Routine | null} routine
   * @param {boolean} [isNew] true: it begins at once; false: it goes on once the agent rests
   */
  set(agent, routine, isNew = false) {
    if (routine) this.#entries.set(agent, { routine, rested: isNew ? Infinity : 0 });
    else this.#entries.delete(agent);
  }

  clear() {
    this.#entries.clear();
  }

  /**
   * Finds the next destinations, after steps of the crowd.
   * @param {Crowd} crowd @param {NavMesh} navMesh @param {FilterOptions} filter @param {number} steps
   * @returns {{ agent: number, target: Point }[]} for agents that have rested long enough
   */
  advance(crowd, navMesh, filter, steps) {
    if (this.#entries.size === 0) return [];
    const { agents, states } = crowd;
    const orders = [];
    for (let i = 0; i < agents.length; i++) {
      const entry = this.#entries.get(agents[i]);
      if (!entry) continue;
      if (entry.rested < Infinity) entry.rested = RESTING.has(states[i]) ? entry.rested + steps : 0;
      if (entry.rested < REST) continue;
      const target = this.#next(entry.routine, crowd.position(agents[i]), navMesh, filter);
      entry.rested = 0;
      if (target) orders.push({ agent: agents[i], target });
    }
    return orders;
  }

  /** Sets out for the next destination. @param {Routine} routine @param {Point} position @param {NavMesh} navMesh @param {FilterOptions} filter @returns {Point | null} */
  #next(routine, position, navMesh, filter) {
    if (routine.kind === 'wander') return this.#anywhere(position, navMesh, filter);
    routine.next = (routine.next + 1) % routine.points.length;
    return routine.points[routine.next];
  }

  /** A random point that can be reached; null: the agent is off the mesh. @param {Point} position @param {NavMesh} navMesh @param {FilterOptions} filter @returns {Point | null} */
  #anywhere(position, navMesh, filter) {
    const start = navMesh.nearestPoint(position, { filter });
    if (!start) return null;
    let best = null;
    for (let tries = 0; tries < TRIES; tries++) {
      const { point } = navMesh.randomPointAround(start.polygon, start.point, REACH, { random: this.#random, filter }) ?? {};
      if (!point) return best;
      best = point;
      if (Math.hypot(point[0] - position[0], point[2] - position[2]) >= LEAST) return best;
    }
    return best;
  }
}

/** The order of an agent in words. @param {Routine | null} routine @param {boolean} hasTarget true: it was sent somewhere */
export function describeOrder(routine, hasTarget) {
  if (!routine) return hasTarget ? 'Go' : 'None';
  return routine.kind === 'wander' ? 'Wander' : `Patrol, point ${routine.next + 1} of ${routine.points.length}`;
}
