/**
 * Crowds in levels of games for minutes: agents walk from one random goal to the next, as in a game that never ends. Reports who gets
 * along, how late, who stands still for good, who leaves the mesh, and who overlaps. With recast-navigation's crowd on the same mesh, with the
 * same starts and the same goals, where it can do the same (--peer; --only: without ours).
 *
 *   node bench/crowd/levels.js [--levels a,b] [--variants plain,rush] [--agents 100,300] [--seeds 1,2] [--minutes 5] [--peer] [--only] [--explain] [--json FILE]
 */
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { AGENT_REASONS, AGENT_STATES, Random, load } from '../../js/index.js';
import { loadPeer } from '../../tests/js/live/peer.js';
import { makeLevel } from '../levels.js';
import { LANE_ARRIVAL } from './passages.js';
import { OurDriver, PeerDriver } from './drivers.js';
import { makeRandom } from './random.js';
import { HEIGHT, MAX_SPEED } from './scenario.js';

const TIME_STEP = 1 / 60;
/** Radius of agents, and that of the mesh, metres. */
const RADIUS = 0.4;
/** Goals are drawn from this many points; none nearer than this along the path is given, metres. */
const [GOAL_COUNT, LEAST_WAY] = [3000, 8];
/** Draws until a goal that can be reached is found. */
const DRAWS = 20;
/** Paths are measured every half a second: steps. An agent is stuck if its way does not get shorter by half a metre in 10 s. */
const [MEASURE_EVERY, PROGRESS, STUCK_SECONDS] = [30, 0.5, 10];
/** An agent is off the mesh if it is this far from it on x and z; overlaps are deep beyond this part of the smaller radius. */
const [OFF_MESH, DEEP] = [0.05, 0.1];
/** Random starts overlap: the first seconds do not count for overlaps. */
const SETTLED = 3;
/** Seconds of a rush into one room, and of leaving it. */
const RUSH_SECONDS = 50;
/** Ground of the room for each agent of a rush, square metres. */
const ROOM_PER_AGENT = 1.5;

/** Levels, and the cells that suit them. @type {[string, number][]} */
const LEVELS = [['nx_silvercity', 0.3], ['nx_desertfactory', 0.2], ['oa_thor', 0.3], ['oa_shouse', 0.3], ['fd_MAP07', 0.15], ['fd_MAP18', 0.3]];
/** Kinds of links that are generated. */
const LINKS = { drop: { maxHeight: 4 }, jump: { maxDistance: 4, maxUp: 0.9, maxDown: 2 }, climb: { maxHeight: 2 }, vault: { maxHeight: 1.2, maxDepth: 1 } };

/**
 * @typedef {object} Variant
 * @property {any} [config] of the bake
 * @property {any} [parameters] of all agents
 * @property {(agent: number) => number} [radiusOf]
 * @property {boolean} [isRush] goals lie in one room for a while, then anywhere
 * @property {boolean} [isOneGoal] all have the same goal in a rush
 * @property {boolean} [hasPeer] true if recast-navigation can do the same
 */

/** @type {Record<string, Variant>} */
const VARIANTS = {
  plain: { hasPeer: true },
  wall: { parameters: { wallDistance: 0.3 } },
  shortest: { parameters: { shortest: true } },
  links: { config: { links: LINKS } },
  radii: { radiusOf: (agent) => (agent % 3 === 0 ? 0.6 : 0.3), config: { agentRadius: 0.6 }, hasPeer: true },
  rush: { isRush: true, hasPeer: true },
  gather: { isRush: true, isOneGoal: true, hasPeer: true },
};

/** The length of the shortest path, metres; Infinity if there is none. */
function wayBetween(navMesh, from, to) {
  const { status, length } = navMesh.findPath(from, to, PATH_OPTIONS);
  return status === 'complete' ? length : Infinity;
}
const PATH_OPTIONS = { anyAngle: true };
const pointOf = (/** @type {Float32Array} */ points, /** @type {number} */ i) => points.subarray(3 * i, 3 * i + 3);

/**
 * Places to start from and goals. With links, one-way drops may lead into pits: only places count from which a random one is reached,
 * and that are reached from it.
 * @param {any} navMesh @param {number} agents @param {number} seed @param {boolean} hasLinks all islands count
 */
function drawPlaces(navMesh, agents, seed, hasLinks) {
  const islands = navMesh.islands();
  const wanted = agents + GOAL_COUNT;
  const { points } = navMesh.randomPoints(3 * wanted, { random: new Random(7000 + seed), islands, ...(!hasLinks && { island: 1 }) });
  islands.free();
  const all = Array.from({ length: 3 * wanted }, (_, i) => Array.from(pointOf(points, i)));
  const joined = (/** @type {number[]} */ home) => all.filter((point) => wayBetween(navMesh, point, home) < Infinity && wayBetween(navMesh, home, point) < Infinity);
  const places = hasLinks ? all.slice(0, 5).map(joined).sort((a, b) => b.length - a.length)[0] : all;
  if (places.length < wanted) throw new Error('too few points');
  return { starts: Float32Array.from(places.slice(0, agents).flat()), goals: Float32Array.from(places.slice(agents, wanted).flat()) };
}

/** The goals of a room: those nearest to a random one, so that each agent has some ground. */
function roomOf(navMesh, goals, agents, seed) {
  const islands = navMesh.islands();
  const area = islands.area(1);
  islands.free();
  const centre = pointOf(goals, Math.floor(makeRandom(8000 + seed)() * GOAL_COUNT));
  const ways = Array.from({ length: GOAL_COUNT }, (_, i) => ({ i, way: wayBetween(navMesh, pointOf(goals, i), centre) })).sort((a, b) => a.way - b.way);
  const wanted = Math.max(10, Math.min(GOAL_COUNT, Math.round((GOAL_COUNT * ROOM_PER_AGENT * agents) / area)));
  return { centre, inside: ways.slice(0, wanted).map(({ i }) => i), reach: ways[wanted - 1].way };
}

/** Chooses goals: the same for every crowd, as long as the same agent asks for the same goal. */
class Goals {
  constructor(navMesh, goals, variant, agents, seed) {
    Object.assign(this, { navMesh, goals, variant });
    this.randoms = Array.from({ length: agents }, (_, i) => makeRandom(100000 * seed + i));
    this.room = variant.isRush ? roomOf(navMesh, goals, agents, seed) : undefined;
  }

  /** True while all walk into one room, and rest there. @param {number} time */
  isRush(time) {
    return this.variant.isRush === true && Math.floor(time / RUSH_SECONDS) % 2 === 0;
  }

  /** A goal that is reached from this place; undefined if none is found. */
  next(agent, from, time) {
    const { room, goals, variant, randoms, navMesh } = this;
    const inRoom = this.isRush(time);
    for (let draw = 0; draw < DRAWS; draw++) {
      const part = randoms[agent]();
      const i = inRoom ? room.inside[Math.floor(part * room.inside.length)] : Math.floor(part * GOAL_COUNT);
      const goal = inRoom && variant.isOneGoal ? room.centre : pointOf(goals, i);
      const way = wayBetween(navMesh, from, goal);
      if (way < Infinity && (inRoom || way >= LEAST_WAY)) return { goal, way };
    }
    return undefined;
  }
}

/** Watches a crowd. */
class Watch {
  constructor(world, count, radii) {
    Object.assign(this, { ...world, count, radii });
    this.trips = [];
    this.current = Array.from({ length: count }, () => undefined);
    this.stuck = [];
    this.before = new Float32Array(3 * count);
    this.overlap = { deep: 0, worst: 0, pairs: 0 };
    this.off = { samples: 0, worst: 0, where: undefined, all: 0 };
    this.jumps = { count: 0, worst: 0 };
    this.standing = 0;
    this.unfit = 0;
  }

  begin(agent, time, { goal, way }) {
    this.current[agent] = { began: time, goal: Array.from(goal), way, best: way, since: time, isStuck: false };
  }

  end(agent, time, isArrival) {
    const trip = this.current[agent];
    if (!trip) return;
    this.#closeStuck(agent, time);
    this.trips.push({ agent, way: trip.way, seconds: time - trip.began, arrived: isArrival, left: isArrival ? 0 : trip.best });
    this.current[agent] = undefined;
  }

  #closeStuck(agent, time) {
    const trip = this.current[agent];
    if (trip.isStuck) Object.assign(this.stuck[trip.stuckAt], { until: time, seconds: time - trip.since });
    trip.isStuck = false;
  }

  /** Measures ways left. */
  measure(positions, time, isFlying, describe) {
    for (let i = 0; i < this.count; i++) {
      const trip = this.current[i];
      const place = pointOf(positions, i);
      if (!isFlying(i)) this.#measurePlace(place, time);
      if (!trip || isFlying(i)) continue;
      const way = wayBetween(this.navMesh, place, trip.goal);
      if (way < trip.best - PROGRESS) {
        this.#closeStuck(i, time);
        Object.assign(trip, { best: way, since: time });
      } else if (time - trip.since >= STUCK_SECONDS && !trip.isStuck) {
        trip.isStuck = true;
        trip.stuckAt = this.stuck.push({ agent: i, from: trip.since, way, best: trip.best, place: Array.from(place), goal: trip.goal, ...describe(i) }) - 1;
      }
    }
  }

  #measurePlace(place, time) {
    this.off.all++;
    const near = this.navMesh.nearestPoint(place, { halfExtents: [2, 1.5, 2], heightPreference: 'closest' });
    const distance = near ? Math.hypot(near.point[0] - place[0], near.point[2] - place[2]) : 2;
    if (distance > OFF_MESH) this.off.samples++;
    if (distance > this.off.worst) Object.assign(this.off, { worst: distance, where: [...place], when: time });
  }

  /** Looks for overlaps and jumps after a step. */
  observe(positions, time, isFlying, isPassing) {
    const { count, radii, before } = this;
    const cells = new Map();
    for (let i = 0; i < count; i++) {
      const moved = Math.hypot(positions[3 * i] - before[3 * i], positions[3 * i + 2] - before[3 * i + 2]);
      const flies = isFlying(i);
      if (!flies && !this.flew?.[i] && this.steps > 0 && moved > MAX_SPEED * TIME_STEP + 0.0101) {
        this.jumps.count++;
        this.jumps.worst = Math.max(this.jumps.worst, moved);
      }
      if (flies) continue;
      const key = Math.floor(positions[3 * i] / 1.3) * 65536 + Math.floor(positions[3 * i + 2] / 1.3);
      const cell = cells.get(key);
      if (cell) cell.push(i); else cells.set(key, [i]);
    }
    this.flew = Array.from({ length: count }, (_, i) => isFlying(i));
    this.steps = (this.steps ?? 0) + 1;
    before.set(positions);
    if (time < SETTLED) return;
    for (const [key, cell] of cells) {
      for (let dx = 0; dx <= 1; dx++) for (let dz = dx ? -1 : 0; dz <= 1; dz++) {
        const others = dx || dz ? cells.get(key + dx * 65536 + dz) : cell;
        if (!others) continue;
        for (const i of cell) for (const j of others) {
          if (others === cell && j <= i) continue;
          if (Math.abs(positions[3 * i + 1] - positions[3 * j + 1]) >= HEIGHT) continue;
          const depth = radii[i] + radii[j] - Math.hypot(positions[3 * i] - positions[3 * j], positions[3 * i + 2] - positions[3 * j + 2]);
          if (depth <= DEEP * Math.min(radii[i], radii[j])) continue;
          if (isPassing(i) || isPassing(j)) {
            this.overlap.pairs += TIME_STEP;
            continue;
          }
          this.overlap.deep += TIME_STEP;
          this.overlap.worst = Math.max(this.overlap.worst, depth / (radii[i] + radii[j]));
        }
      }
    }
  }
}

/** Runs one crowd. */
function run(world, variant, makeDriver, { agents, seed, seconds }) {
  const radii = Array.from({ length: agents }, (_, i) => variant.radiusOf?.(i) ?? RADIUS);
  const { starts, goals: pool } = world.places;
  const driver = makeDriver(radii);
  const goals = new Goals(world.navMesh, pool, variant, agents, seed);
  const watch = new Watch(world, agents, radii);
  for (let i = 0; i < agents; i++) driver.addAgent(pointOf(starts, i), radii[i]);
  const positions = new Float32Array(3 * agents);
  driver.readPositions(positions);
  const give = (/** @type {number} */ i, /** @type {number} */ time) => {
    const next = goals.next(i, pointOf(positions, i), time);
    if (!next) {
      watch.unfit++;
      return;
    }
    watch.begin(i, time, next);
    driver.setTarget(i, next.goal);
  };
  for (let i = 0; i < agents; i++) give(i, 0);
  const isFlying = (/** @type {number} */ i) => driver.isFlying(i);
  const isPassing = (/** @type {number} */ i) => driver.isPassing?.(i) ?? false;
  const times = [];
  let passing = 0;
  for (let step = 0; step < seconds / TIME_STEP; step++) {
    const time = step * TIME_STEP, after = time + TIME_STEP;
    const before = performance.now();
    driver.step(TIME_STEP);
    times.push(performance.now() - before);
    driver.readPositions(positions);
    watch.observe(positions, after, isFlying, isPassing);
    for (let i = 0; i < agents; i++) if (isPassing(i)) passing += TIME_STEP;
    if (step % MEASURE_EVERY === 0) watch.measure(positions, after, isFlying, (i) => ({ ...driver.describe?.(i) }));
    const turned = goals.isRush(after) !== goals.isRush(time);
    for (let i = 0; i < agents; i++) {
      const trip = watch.current[i];
      if (turned) {
        watch.end(i, after, false);
        give(i, after);
        continue;
      }
      if (!trip) {
        if (!goals.isRush(after) && step % 60 === 0) give(i, after);
        continue;
      }
      const [x, y, z] = pointOf(positions, i);
      const isThere = Math.hypot(x - trip.goal[0], z - trip.goal[2]) <= LANE_ARRIVAL && Math.abs(y - trip.goal[1]) < HEIGHT;
      const rests = variant.isOneGoal && goals.isRush(after) && driver.isCrowded?.(i);
      if ((!isThere && !rests) || isFlying(i)) continue;
      watch.end(i, after, true);
      if (!goals.isRush(after)) give(i, after);
    }
  }
  for (let i = 0; i < agents; i++) watch.end(i, seconds, false);
  const figures = figuresOf(watch, agents, seconds, times, passing, driver.hash?.());
  driver.free();
  return figures;
}

function figuresOf(watch, agents, seconds, times, passing, hash) {
  const arrived = watch.trips.filter((trip) => trip.arrived && trip.way > LANE_ARRIVAL + 1);
  const over = arrived.map(({ way, seconds: took }) => took / ((way - LANE_ARRIVAL) / MAX_SPEED)).sort((a, b) => a - b);
  const sum = (/** @type {number[]} */ values) => values.reduce((total, value) => total + value, 0);
  const minutes = (agents * seconds) / 60;
  const part = (/** @type {number} */ p) => over[Math.min(over.length - 1, Math.floor(p * over.length))];
  const sortedTimes = times.slice(60).sort((a, b) => a - b);
  // A trip that never ends takes all its time for the metres that it got nearer.
  const gained = sum(watch.trips.map(({ way, left }) => way - left)), taken = sum(watch.trips.map((trip) => trip.seconds));
  return { arrived: arrived.length, over: sum(over) / over.length, nineties: part(0.9), over95: part(0.95), over99: part(0.99), pace: (gained / taken) / MAX_SPEED,
    stuck: watch.stuck.length, longest: Math.max(0, ...watch.stuck.map((one) => one.seconds ?? 0)), long30: watch.stuck.filter((one) => one.seconds > 30).length,
    stuckSeconds: sum(watch.stuck.map((one) => one.seconds ?? 0)) / minutes,
    off: watch.off.samples / watch.off.all, offWorst: watch.off.worst, offWhere: watch.off.where,
    deep: watch.overlap.deep / minutes, deepest: watch.overlap.worst, passing: passing / minutes, jumps: watch.jumps.count, worstJump: watch.jumps.worst,
    unfit: watch.unfit, mean: sum(sortedTimes) / sortedTimes.length, p99: sortedTimes[Math.floor(0.99 * sortedTimes.length)], worst: sortedTimes.at(-1), hash,
    stuckList: watch.stuck };
}

/** Our crowd, with a radius for each agent. */
class Ours extends OurDriver {
  #handles = [];
  addAgent(position, radius) {
    this.#handles.push(this.crowd.addAgent(position, { ...this.parameters, ...this.more, radius }));
  }
  setTarget(agent, goal) {
    this.crowd.setTarget(this.#handles[agent], goal);
  }
  isCrowded(agent) {
    const state = AGENT_STATES[this.crowd.states[agent]];
    return state === 'crowded' || state === 'arrived';
  }
  describe(agent) {
    const info = this.crowd.info(this.#handles[agent]);
    return { state: info.state, reason: info.reason, info };
  }
  hash() {
    return this.crowd.hash();
  }
}

/** recast-navigation's crowd, with a radius for each agent. */
class Peer extends PeerDriver {
  addAgent(position, radius) {
    this.radius = radius;
    super.addAgent(position);
  }
}

const OPTIONS = /** @type {const} */ ({ levels: { type: 'string' }, variants: { type: 'string', default: 'plain' }, agents: { type: 'string', default: '100,300' },
  seeds: { type: 'string', default: '1' }, minutes: { type: 'string', default: '5' }, peer: { type: 'boolean', default: false }, only: { type: 'boolean', default: false }, explain: { type: 'boolean', default: false },
  json: { type: 'string' }, wasm: { type: 'string' } });

async function main() {
  const { values } = parseArgs({ options: OPTIONS });
  const list = (/** @type {string | undefined} */ text, /** @type {string[]} */ all) => (text === undefined ? all : text.split(','));
  const walkmesh = await load(values.wasm ? { url: new URL(values.wasm, `file://${process.cwd()}/`) } : {});
  const peer = values.peer ? await loadPeer() : null;
  const seconds = 60 * Number(values.minutes);
  const results = [];
  for (const [name, cellSize] of LEVELS) {
    if (!list(values.levels, LEVELS.map(([each]) => each)).includes(name)) continue;
    const level = makeLevel({ name, cellSize });
    if (level.missing) continue;
    for (const variantName of list(values.variants, Object.keys(VARIANTS))) {
      const variant = VARIANTS[variantName];
      const { navMesh } = walkmesh.bake(level.read(), { ...level.config, agentRadius: RADIUS, agentHeight: HEIGHT, ...variant.config });
      const peerMesh = peer && variant.hasPeer ? peer.importNavMesh(navMesh.exportDetour('set')).navMesh : undefined;
      for (const agents of list(values.agents, []).map(Number)) for (const seed of list(values.seeds, []).map(Number)) {
        const world = { navMesh, places: drawPlaces(navMesh, agents, seed, variant.config?.links !== undefined) };
        const makers = { ...(!values.only && { walkmesh: () => Object.assign(new Ours(navMesh, {}), { more: variant.parameters }) }),
          ...(peerMesh && { 'recast-navigation': (/** @type {number[]} */ radii) => new Peer(peer, peerMesh, { agents, maxRadius: Math.max(...radii) }) }) };
        for (const [who, make] of Object.entries(makers)) {
          const figures = run(world, variant, make, { agents, seed, seconds });
          const { stuckList, ...rest } = figures;
          results.push({ level: name, variant: variantName, agents, seed, who, ...rest, stuckList });
          console.log(JSON.stringify({ level: name, variant: variantName, agents, seed, who, ...Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, typeof value === 'number' ? Number(value.toPrecision(4)) : value])) }));
          if (values.explain) for (const one of stuckList) console.log('  ', JSON.stringify(one));
        }
      }
      navMesh.free();
      peerMesh?.destroy();
    }
  }
  if (values.json) writeFileSync(values.json, JSON.stringify(results));
}

if (process.argv[1] === new URL(import.meta.url).pathname) await main();
