/**
 * Chores of a soak that use meshes: queries, crowds, intact and corrupt files, memory that runs out, objects that are never freed.
 */
import { attempt } from './world.js';

/** @typedef {import('./world.js').World} World */

/** Gives a crowd orders of all kinds. @param {World} world @param {any} navMesh @param {any} crowd @param {number[]} agents */
function order(world, navMesh, crowd, agents) {
  const { random } = world, agent = random.pick(agents), spot = world.spot(navMesh);
  const velocity = [random.between(-3, 3), 0, random.between(-3, 3)];
  attempt(random.pick([
    () => crowd.setTarget(agent, spot), () => crowd.setTarget(agents, spot), () => crowd.setVelocity(agent, velocity), () => crowd.stop(agent),
    () => crowd.pause(agent), () => crowd.resume(agents), () => crowd.warp(agent, spot), () => crowd.move(agent, velocity),
    () => crowd.setParameters(agent, { maxSpeed: random.between(1, 5) }), () => world.watch(crowd.info(agent)), () => world.watch(crowd.details(agent)),
    () => crowd.setObstacles(random.chance(0.5) ? null : { positions: spot, radii: 1 }), () => crowd.setFocus(random.chance(0.5) ? null : spot),
    () => world.watch(crowd.interpolate(0.5)), () => crowd.remove(agents.splice(agents.indexOf(agent), 1)),
    () => agents.push(...crowd.addAgents([spot, world.spot(navMesh)], { radius: random.between(0.2, 0.8), avoidance: random.pick(['none', 'low', 'high', 'sampling']) })),
  ]));
  if (agents.length === 0) agents.push(...crowd.addAgents([world.spot(navMesh)]));
}

/** Corrupts some bytes. @param {World} world @param {Uint8Array} file */
function spoil({ random }, file) {
  const bytes = file.slice(random.chance(0.05) ? random.integer(0, 20) : 0, random.chance(0.4) ? random.integer(0, file.length) : file.length);
  const kind = random.integer(0, 3);
  if (kind === 0 || bytes.length === 0) return bytes;
  if (kind === 1) {
    const longer = new Uint8Array(bytes.length + random.integer(1, 100));
    longer.set(bytes);
    return longer;
  }
  for (let i = random.integer(1, 8); i > 0; i--) bytes[random.integer(0, bytes.length - 1)] = random.integer(0, 255);
  return bytes;
}

/** Opens bytes with a random loader. @param {World} world @param {Uint8Array} bytes */
function open({ walkmesh, random }, bytes) {
  return random.pick([() => walkmesh.loadNavMesh(bytes), () => walkmesh.loadDynamic(bytes).navMesh, () => walkmesh.loadTileCache(bytes).navMesh,
    () => walkmesh.createFileSource(bytes).navMesh])();
}

/** Calls that allocate, on an existing mesh. @param {World} world @param {any} made @returns {(() => any)[]} */
function hungryCalls(world, { navMesh, dynamic }) {
  const { walkmesh } = world, [geometry, config] = world.tiledLevel(), file = dynamic.save();
  return [
    () => walkmesh.bake(geometry, config).navMesh, () => walkmesh.bakeDynamic(geometry, config).navMesh, () => walkmesh.loadDynamic(file).navMesh,
    () => navMesh.save() && undefined, () => { dynamic.addObstacle({ kind: 'sphere', centre: world.spot(navMesh), radius: 2 }); dynamic.update(); },
    () => { world.ask(navMesh, 8); }, () => { navMesh.addConnection({ start: world.spot(navMesh), end: world.spot(navMesh), radius: 2 }); },
    () => navMesh.createSwitches() && undefined, () => {
      const crowd = navMesh.createCrowd();
      try {
        crowd.addAgents(Array.from({ length: 20 }, () => world.spot(navMesh)));
        crowd.step(0.1);
      } finally {
        crowd.free();
      }
    },
  ];
}

/** @type {Record<string, (world: World) => void | Promise<void>>} */
export const USES = {
  'questions of all kinds'(world) {
    const [geometry, config] = world.tiledLevel();
    const made = attempt(() => world.walkmesh.bake(geometry, config));
    if (!made) return;
    for (let i = 0; i < 4; i++) world.ask(made.navMesh, 40);
    const places = world.places(made.navMesh);
    if (places) {
      const [a, b] = places, { navMesh } = made, many = 200;
      const from = Array.from({ length: many }, () => a.point), to = Array.from({ length: many }, () => world.spot(navMesh));
      const answers = [() => navMesh.findPaths(from.flat(), to.flat()), () => navMesh.nearestPoints(to.flat()),
        () => navMesh.raycasts(from.map(() => a.polygon), from.flat(), to.flat()), () => navMesh.moves(from.map(() => a.polygon), from.flat(), to.flat()),
        () => navMesh.heights(from.map(() => b.polygon), to.flat()), () => navMesh.wallDistances(from.map(() => a.polygon), from.flat(), 9)];
      for (const ask of answers) world.watch(attempt(ask));
    }
    world.free(made.navMesh);
  },

  'a crowd'(world) {
    const { random, walkmesh } = world;
    const made = attempt(() => walkmesh.bakeDynamic(...world.town()));
    if (!made) return;
    const { navMesh, dynamic } = made;
    const crowd = navMesh.createCrowd(random.chance(0.3) ? { searchBudget: 64 } : {});
    if (random.chance(0.3)) crowd.onConnection = (/** @type {any} */ event) => { world.watch(event); };
    const agents = [...crowd.addAgents(Array.from({ length: random.integer(1, 60) }, () => world.spot(navMesh)))];
    for (let step = random.integer(10, 120); step > 0; step--) {
      for (let i = random.integer(0, 2); i > 0; i--) order(world, navMesh, crowd, agents);
      if (random.chance(0.03)) attempt(() => dynamic.addObstacle({ kind: 'cylinder', base: world.spot(navMesh), radius: random.between(0.3, 2), height: 3 }));
      if (random.chance(0.03)) attempt(() => navMesh.addConnection({ start: world.spot(navMesh), end: world.spot(navMesh), radius: 2 }));
      dynamic.update({ tiles: 1 });
      world.watch(crowd.step(random.pick([1 / 60, 1 / 30, 0.1])));
    }
    world.free(...(random.chance(0.5) ? [crowd] : []), navMesh);
  },

  'files that are written and read'(world) {
    const { random, walkmesh } = world;
    const made = attempt(() => walkmesh.bake(...world.tiledLevel()));
    if (!made) return;
    const files = [made.navMesh.save(), ...(attempt(() => [made.navMesh.exportDetour()]) ?? [])];
    const again = files.map((file) => attempt(() => walkmesh.loadNavMesh(file)));
    world.free(...world.shuffle([made.navMesh, ...again.filter(Boolean)]));
  },

  'files that are spoilt'(world) {
    const { walkmesh } = world;
    const { navMesh, dynamic } = walkmesh.bakeDynamic(...world.town());
    const files = [navMesh.save(), navMesh.exportDetour(), dynamic.save()];
    world.free(navMesh);
    for (let i = 0; i < 60; i++) {
      const opened = attempt(() => open(world, spoil(world, world.random.pick(files))));
      if (opened) world.free(opened);
    }
  },

  'memory that runs out'(world) {
    const { random, walkmesh } = world;
    const made = walkmesh.bakeDynamic(...world.town());
    const calls = hungryCalls(world, made);
    for (let i = 0; i < 8; i++) {
      walkmesh.failAllocationsAfter(random.integer(0, random.pick([3, 30, 300])));
      let result;
      try {
        result = attempt(random.pick(calls));
      } finally {
        walkmesh.failAllocationsAfter(undefined);
      }
      if (result) world.free(result);
    }
    attempt(() => made.dynamic.update());
    world.free(made.navMesh);
  },

  'what nobody frees'(world) {
    const { random, walkmesh } = world;
    const made = attempt(() => walkmesh.bakeDynamic(...world.town()));
    if (!made) return;
    world.watch(made.navMesh);
    world.watch(made.dynamic);
    world.ask(made.navMesh, 6);
    made.navMesh.createSwitches();
    world.watch(made.navMesh.createCrowd());
    if (random.chance(0.5)) attempt(() => world.watch(walkmesh.createBaker(...world.tiledLevel())));
    if (random.chance(0.5)) world.watch(walkmesh.loadNavMesh(made.navMesh.save()));
    if (random.chance(0.3)) world.watch(made.navMesh.islands());
  },

  async 'an instance of its own, with little memory'(world) {
    const { random, api } = world;
    const walkmesh = world.watch(await api.load({ simd: world.walkmesh.simd, leakWarnings: false, memoryLimit: random.pick([2e5, 1e6, 4e6]) }));
    for (let i = random.integer(1, 4); i > 0; i--) {
      const made = attempt(() => walkmesh.bake(...world.tiledLevel()));
      if (made && random.chance(0.5)) made.navMesh.free();
    }
  },
};
