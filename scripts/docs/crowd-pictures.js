/** The pictures of docs/crowd.md: moments of a crowd at a narrow passage, drawn from what the crowd itself says. */
import { agentReasonColor, agentStateColor } from '../../js/three/index.js';
import { COLOURS, Canvas, shade } from './canvas.js';

/** @typedef {import('../../js/index.js').AgentInfo} AgentInfo */
/** @typedef {import('../../js/index.js').AgentReason} AgentReason */
/** @typedef {import('../../js/index.js').Crowd} Crowd */
/** @typedef {import('../../js/index.js').Walkmesh} Walkmesh */
/** @typedef {[number, number, number]} Place */

/** Two rooms and a lane of 1.9 m for one: minimum and maximum x, minimum and maximum z, metres. */
const FLOORS = [[0, 4.5, 0, 4.4], [9.5, 14, 0, 4.4], [4.5, 9.5, 1.25, 3.15]];
/** Their common outline: x, z. */
const OUTLINE = [[0, 0], [4.5, 0], [4.5, 1.25], [9.5, 1.25], [9.5, 0], [14, 0], [14, 4.4], [9.5, 4.4], [9.5, 3.15], [4.5, 3.15], [4.5, 4.4], [0, 4.4]];
const CONFIG = { cellSize: 0.15, cellHeight: 0.1, agentRadius: 0.6 };
const [RADIUS, HEIGHT] = [0.4, 1.3];
const STEP = 1 / 60;
/** Steps after which the moment of a picture must have come. */
const MAX_STEPS = 3600;
const [WEST, EAST] = [/** @type {Place} */ ([1.2, 0, 2.2]), /** @type {Place} */ ([12.8, 0, 2.2])];

/** @type {(hex: import('three').Color | null) => string} */
const css = (color) => `#${color?.getHexString()}`;
const ENTRY = css(agentReasonColor('right-of-way'));
const WALKING = css(agentStateColor('following'));

/**
 * @typedef {object} Moment
 * @property {string} title
 * @property {{ at: Place, target: Place }[]} agents
 * @property {(reasons: (AgentReason | null)[], crowd: Crowd) => boolean} isNow true at the moment to draw
 * @property {(canvas: Canvas) => void} legend
 */

/** @type {Record<string, Moment>} */
const MOMENTS = {
  'crowd-right-of-way': {
    title: 'Two agents walk through a lane for one. Three agents of the other side wait outside until they have come out',
    agents: [
      ...[[3.4, 2.2], [2, 2.2]].map(([x, z]) => ({ at: /** @type {Place} */ ([x, 0, z]), target: EAST })),
      ...[[11.8, 2.2], [12.6, 1.1], [12.6, 3.3]].map(([x, z]) => ({ at: /** @type {Place} */ ([x, 0, z]), target: WEST })),
    ],
    isNow: (reasons, { positions }) => reasons.filter((reason) => reason === 'right-of-way').length === 3 && positions[0] > 7.6,
    legend(canvas) {
      canvas.legend(css(agentReasonColor('right-of-way')), 'waits for right of way');
      canvas.legend(lineColour('right-of-way'), 'for this agent', 'line');
      canvas.legend(ENTRY, 'entry of the passage', 'line');
      canvas.legend(shade(WALKING, 0.8), 'walks');
    },
  },
  'crowd-blocked': {
    title: 'Two agents that were put into the lane head-on block each other',
    agents: [{ at: [6.4, 0, 2.2], target: EAST }, { at: [7.6, 0, 2.2], target: WEST }],
    isNow: (reasons) => reasons.every((reason) => reason === 'blocked'),
    legend(canvas) {
      canvas.legend(css(agentReasonColor('blocked')), 'blocked');
      canvas.legend(lineColour('blocked'), 'by this agent', 'line');
    },
  },
  'crowd-passing': {
    title: 'After their patience they pass through each other softly',
    agents: [{ at: [6.4, 0, 2.2], target: EAST }, { at: [7.6, 0, 2.2], target: WEST }],
    isNow: (reasons, { positions }) => reasons.includes('passing') && Math.abs(positions[0] - positions[3]) < 1.3 * RADIUS,
    legend(canvas) {
      canvas.legend(css(agentReasonColor('passing')), 'passes through others');
      canvas.legend(shade(WALKING, 0.8), 'walks');
    },
  },
};

/** @param {ArrayLike<number>} centre @param {number} y @param {number} radius */
const circle = ({ 0: x, 2: z }, y, radius) => Array.from({ length: 25 }, (_, i) => Math.PI * i / 12)
  .map((angle) => [x + radius * Math.cos(angle), y, z + radius * Math.sin(angle)]);

/** An upright cylinder. @param {Canvas} canvas @param {Place} at @param {string} colour @param {number} opacity */
function drawAgent(canvas, at, colour, opacity) {
  const look = { 'fill-opacity': opacity }, edge = shade(colour, 0.6), top = at[1] + HEIGHT;
  const front = Canvas.frontOf(at, RADIUS), rim = front.map(([x, , z]) => [x, top, z]);
  canvas.polygon([...front, ...[...rim].reverse()], shade(colour, 0.8), look);
  canvas.lines([[rim[0], ...front, rim[rim.length - 1]]], edge, 1);
  canvas.polygon(circle(at, top, RADIUS), colour, { ...look, stroke: edge, 'stroke-width': 1 });
}

/** Runs until the moment has come. @param {Walkmesh} walkmesh @param {string} name @param {Moment} moment */
function runTo(walkmesh, name, { agents, isNow }) {
  const { navMesh } = walkmesh.bake({
    positions: Float32Array.from(FLOORS.flatMap(([x, toX, z, toZ]) => [x, 0, z, x, 0, toZ, toX, 0, toZ, toX, 0, z])),
    indices: Uint32Array.from(FLOORS.flatMap((_, i) => [0, 1, 2, 0, 2, 3].map((corner) => 4 * i + corner))),
  }, CONFIG);
  const crowd = navMesh.createCrowd();
  const handles = crowd.addAgents(agents.map(({ at }) => at), { radius: RADIUS, height: HEIGHT });
  crowd.setTarget(handles, agents.map(({ target }) => target));
  for (let i = 0; i < MAX_STEPS; i++) {
    crowd.step(STEP);
    if (isNow(Array.from(handles, (agent) => crowd.reason(agent)), crowd)) return { navMesh, crowd };
  }
  throw new Error(`${name}: the moment of the picture does not come in ${MAX_STEPS} steps`);
}

/** The colour of lines to the agent for which another one waits. @param {AgentReason | null} reason */
const lineColour = (reason) => shade(css(agentReasonColor(reason)), 0.6);

/** @param {Canvas} canvas @param {Crowd} crowd */
function drawCrowd(canvas, crowd) {
  const seen = Array.from(crowd.agents, (agent) => ({ at: crowd.position(agent), info: crowd.info(agent) }));
  for (const { info: { passage } } of seen) {
    if (passage?.state === 'waits') canvas.lines([circle(passage.entry, passage.entry[1], RADIUS)], ENTRY, 3);
  }
  for (const { at, info: { state, reason } } of [...seen].sort((a, b) => Canvas.depthOf(a.at) - Canvas.depthOf(b.at))) {
    drawAgent(canvas, at, css(agentReasonColor(reason) ?? agentStateColor(state)), reason === 'passing' ? 0.55 : 1);
  }
  for (const { at, info: { reason, waitsFor } } of seen) {
    if (waitsFor === 0) continue;
    const [from, to] = [at, crowd.position(waitsFor)].map(([x, y, z]) => [x, y + HEIGHT, z]);
    canvas.lines([[from, to]], lineColour(reason), 2.5);
    canvas.dot(to, 4.5, lineColour(reason));
  }
}

/** @param {Walkmesh} walkmesh @param {string} name @param {Moment} moment */
function drawMoment(walkmesh, name, moment) {
  const canvas = new Canvas(moment.title, [0, 0, 0], [14, 0.2, 4.4]);
  const { navMesh, crowd } = runTo(walkmesh, name, moment);
  canvas.polygon(OUTLINE.map(([x, z]) => [x, 0, z]), COLOURS.ground, { stroke: shade(COLOURS.ground, 0.8), 'stroke-width': 1.5 });
  drawCrowd(canvas, crowd);
  moment.legend(canvas);
  navMesh.free();
  return canvas;
}

/** @param {Walkmesh} walkmesh @returns {Record<string, Canvas>} by name */
export const drawCrowdPictures = (walkmesh) => Object.fromEntries(Object.entries(MOMENTS).map(([name, moment]) => [name, drawMoment(walkmesh, name, moment)]));
