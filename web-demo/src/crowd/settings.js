/** The settings of the crowd tool, stored in the document like those of the other tools. */
import { amount, choice, flag } from '../tools/settings.js';

/** @typedef {import('walkmesh').AgentParameters} AgentParameters */
/** @typedef {import('walkmesh').CrowdOptions} CrowdOptions */

export const AVOIDANCE_NAMES = /** @type {const} */ (['none', 'low', 'medium', 'high', 'sampling']);
/** Click modes. */
export const MODES = /** @type {const} */ (['add', 'select', 'send']);

/** Orders of a click in the mode "send", and Wander, which needs no click. */
export const ORDERS = /** @type {const} */ (['go', 'patrol', 'rally', 'wander']);

export const CROWD_SETTINGS = {
  radius: amount(0.4, { min: 0.05, max: 10 }),
  height: amount(1.8, { min: 0.1, max: 20 }),
  maxSpeed: amount(3.5, { min: 0, max: 100 }),
  maxAcceleration: amount(8, { min: 0.1, max: 1000 }),
  separation: amount(0, { min: 0, max: 10 }),
  horizon: amount(1.2, { min: 0.1, max: 10 }),
  stoppingDistance: amount(0, { min: 0, max: 100 }),
  avoidance: choice('medium', AVOIDANCE_NAMES),
  anticipateTurns: flag(false),
  wallDistance: amount(0, { min: 0, max: 100 }),
  shortest: flag(false),
  patience: amount(5, { min: 0, max: 600 }),
  brush: amount(4, { min: 0.5, max: 200 }),
  perClick: amount(1, { min: 1, max: 1000, whole: true }),
  velocities: flag(true),
  ways: flag(false),
};

/** @typedef {import('../tools/settings.js').Values<typeof CROWD_SETTINGS>} CrowdSettings */

/** The settings that are agent parameters. @param {CrowdSettings} settings @returns {Partial<AgentParameters>} */
export function parametersOf({ radius, height, maxSpeed, maxAcceleration, separation, horizon, stoppingDistance, avoidance, anticipateTurns, wallDistance, shortest }) {
  return { radius, height, maxSpeed, maxAcceleration, separation, horizon, stoppingDistance, avoidance, anticipateTurns, wallDistance, shortest };
}

/** The settings that are options of the crowd. @param {CrowdSettings} settings @returns {CrowdOptions} */
export const optionsOf = ({ patience }) => ({ patience });
