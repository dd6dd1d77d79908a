/** Follows agents on off-mesh connections and segment links from step to step, and reports changes to the game. */

/** @typedef {import('../runtime/arguments.js').AgentHandle} AgentHandle */
/** @typedef {import('../runtime/arguments.js').PolygonRef} PolygonRef */
/** @typedef {import('./info.js').AgentInfo} AgentInfo */
/** @typedef {import('../runtime/link-kinds.js').LinkKind} LinkKind */

/**
 * One agent and an off-mesh connection or segment link. The object is reused: copy fields that you need later.
 *
 * - `waiting` an agent without autoConnections stands before it: call beginConnection when it may start
 * - `start` it has left the surface; `progress` in every later step
 * - `end` it has reached the other end, or was taken off the connection
 * @typedef {object} ConnectionEvent
 * @property {'waiting' | 'start' | 'progress' | 'end'} kind
 * @property {AgentHandle} agent
 * @property {PolygonRef} connection reference
 * @property {[number, number, number]} start in the direction of travel; on a segment link where it takes off
 * @property {[number, number, number]} end on a segment link where it lands
 * @property {number} progress 0 to 1; on a segment link the part of the trajectory (`along` of segmentLinkPoint), in the direction of
 *   travel
 * @property {LinkKind | null} linkKind of the segment link; null: an off-mesh connection
 * @property {number} linkAcross where the agent crosses the segment link, 0 to 1 (`across` of segmentLinkPoint)
 * @property {number} linkPeak how far its feet rise above the higher one of start and end, world units
 * @property {boolean} linkIsReversed true if it crosses from the link's end to its start
 */

/** @typedef {(event: ConnectionEvent) => void} ConnectionListener */

/** The part of a crowd that is read. @typedef {object} Watched
 * @property {ArrayLike<number>} states @property {ArrayLike<number>} reasons @property {Float64Array} agents
 * @property {(agent: number) => boolean} has @property {(agent: number, out: AgentInfo | undefined) => AgentInfo} info
 */

/** Indices into AGENT_STATES and AGENT_REASONS. */
const [WAITING, ON_CONNECTION, FOR_CONNECTION] = [3, 4, 2];

/** @typedef {ConnectionEvent & { step: number }} Traversal step: the last one in which it was seen */

export class ConnectionEvents {
  /** @type {Map<number, Traversal>} */
  #traversals = new Map();
  /** Ended traversals, to be reused. @type {Traversal[]} */
  #spare = [];
  /** @type {number[]} */
  #seen = [];
  /** @type {AgentInfo | undefined} */
  #info;
  #step = 0;
  #listener;

  /** @param {ConnectionListener} listener */
  constructor(listener) {
    this.#listener = listener;
  }

  /** Calls the listener, which may change the crowd, after a step. @param {Watched} crowd */
  observe(crowd) {
    const step = ++this.#step;
    this.#findAgents(crowd);
    for (let i = 0; i < this.#seen.length; i++) this.#observeAgent(crowd, this.#seen[i], step);
    for (const traversal of this.#traversals.values()) {
      if (traversal.step !== step) this.#end(traversal);
    }
  }

  /** @param {Watched} crowd */
  #findAgents({ states, reasons, agents }) {
    this.#seen.length = 0;
    for (let i = 0; i < states.length; i++) {
      if (states[i] === ON_CONNECTION || (states[i] === WAITING && reasons[i] === FOR_CONNECTION)) this.#seen.push(agents[i]);
    }
  }

  /** @param {Watched} crowd @param {AgentHandle} agent @param {number} step */
  #observeAgent(crowd, agent, step) {
    if (!crowd.has(agent)) return; // the listener removed it
    const info = (this.#info = crowd.info(agent, this.#info));
    const former = this.#traversals.get(agent);
    const kind = info.state === 'on-connection' ? 'start' : 'waiting';
    if (former && former.connection === info.connection && (former.kind === 'waiting') === (kind === 'waiting')) {
      former.step = step;
      if (kind === 'waiting') return;
      former.kind = 'progress';
      former.progress = info.connectionProgress;
      this.#listener(former);
      return;
    }
    if (former) this.#end(former);
    const traversal = this.#spare.pop() ?? { kind, agent, connection: 0, start: [0, 0, 0], end: [0, 0, 0], progress: 0.5, step,
      linkKind: null, linkAcross: 0.5, linkPeak: 0.5, linkIsReversed: false };
    const { connection, linkKind, linkAcross, linkPeak, linkIsReversed } = info;
    Object.assign(traversal, { kind, agent, connection, progress: info.connectionProgress, step, linkKind, linkAcross, linkPeak, linkIsReversed });
    for (let i = 0; i < 3; i++) {
      traversal.start[i] = info.connectionStart[i];
      traversal.end[i] = info.connectionEnd[i];
    }
    this.#traversals.set(agent, traversal);
    this.#listener(traversal);
  }

  /** @param {Traversal} traversal */
  #end(traversal) {
    this.#traversals.delete(traversal.agent);
    const hasFlown = traversal.kind !== 'waiting';
    if (hasFlown) {
      traversal.kind = 'end';
      traversal.progress = 1;
      this.#listener(traversal);
    }
    this.#spare.push(traversal);
  }
}
