/** The scenarios on ledges: a segment link on which agents drop side by side, and an off-mesh connection at the same place. */
import { takeCourse } from './courses.js';
import { define, grid } from './scenario.js';
import { rectangle } from './scenes.js';

/** Height of the upper floor, half the width of the link, and where it begins and ends along x; metres. */
const [HEIGHT, HALF, EDGE, FOOT] = [3, 2, -0.3, 1];
const FLOORS = [{ ...rectangle(-24, 0, -12, 12), y: HEIGHT }, rectangle(-2, 26, -12, 12)];
const SEGMENT = (/** @type {number} */ x, /** @type {number} */ y) => [[x, y, HALF], [x, y, -HALF]];

/** 200 agents on the upper floor, each to a goal as far from the middle on the lower one. */
const agents = () => grid(10, 20, 1, -12, 0).map(([x, , z]) =>
  ({ position: /** @type {any} */ ([x, HEIGHT, z]), goal: /** @type {any} */ ([x + 26, 0, z]) }));

const ledge = () => define({ name: 'ledge', title: '200 drop from a ledge of 4 m', duration: 120, doorX: FOOT - 0.05, agents: agents(),
  scene: /** @type {any} */ ({ floors: FLOORS, links: [{ kind: 'drop', bidirectional: false, start: SEGMENT(EDGE, HEIGHT), end: SEGMENT(FOOT, 0) }] }) });

const ledgePoint = () => define({ name: 'ledge-point', title: '200 over one off-mesh connection', duration: 240, doorX: FOOT - 0.05, agents: agents(),
  scene: /** @type {any} */ ({ floors: FLOORS, jumps: [{ start: [EDGE, HEIGHT, 0], end: [FOOT, 0, 0], bidirectional: false }] }) });

/** The scenarios on ledges. @param {number} course @returns {import('./scenario.js').Scenario[]} */
export const ledgeScenarios = (course) => [ledge(), ledgePoint()].map((scenario) => takeCourse(scenario, course));
