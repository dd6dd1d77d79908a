/** Chores of a soak on meshes that change: obstacles, added and removed tiles, streaming, doors, connections. */
import { compareTiles } from './bakes.js';
import { attempt, attemptAsync, pause } from './world.js';

/** @typedef {import('./world.js').World} World */

/** An obstacle of a random kind at a random position on a mesh. @param {World} world @param {any} navMesh @returns {any} */
function someObstacle(world, navMesh) {
  const { random } = world, [x, y, z] = world.spot(navMesh), size = random.between(0.3, 3);
  const shape = random.pick([
    () => ({ kind: 'box', min: [x - size, y - 1, z - 1], max: [x, y + 2, z + size] }),
    () => ({ kind: 'rotatedBox', centre: { x, y, z }, halfExtents: [size, 2, 0.5], yaw: random.between(-3, 3) }),
    () => ({ kind: 'cylinder', base: [x, y - 1, z], radius: size, height: 3 }),
    () => ({ kind: 'prism', vertices: [[x, 0, z], [x + size, 0, z], [x, 0, z + size]], minY: y - 1, maxY: y + 2 }),
    () => ({ kind: 'sphere', centre: [x, y, z], radius: size }),
    () => ({ kind: 'capsule', start: [x, y, z], end: [x + 1, y + 1, z], radius: size }),
  ])();
  return { ...shape, ...(random.chance(0.2) && { area: random.integer(0, 9) }), ...(random.chance(0.3) && { carving: random.pick(['at rest', 'never']) }) };
}

/**
 * Adds, moves and removes obstacles. @param {World} world @param {any} navMesh @param {any} dynamic @param {number[]} obstacles
 */
function disturb(world, navMesh, dynamic, obstacles) {
  const { random } = world;
  const one = random.integer(0, Math.max(0, obstacles.length - 1));
  const what = random.integer(0, 5);
  if (what < 2 || obstacles.length === 0) {
    const added = attempt(() => dynamic.addObstacle(someObstacle(world, navMesh)));
    if (added) obstacles.push(added);
  } else if (what === 2) attempt(() => dynamic.removeObstacle(obstacles.splice(one, 1)[0]));
  else if (what === 3) attempt(() => dynamic.changeObstacle(obstacles[one], someObstacle(world, navMesh)));
  else attempt(() => dynamic.moveObstacle(obstacles[one], world.spot(navMesh)));
}

/** Removes tiles and restores some of them. @param {World} world @param {any} navMesh @param {any} dynamic */
function swapTiles({ random }, navMesh, dynamic) {
  const { tileCountX, tileCountZ } = navMesh.parameters;
  const [x, z] = [random.integer(0, tileCountX - 1), random.integer(0, tileCountZ - 1)];
  const kept = attempt(() => dynamic.keptTile(x, z));
  attempt(() => dynamic.dropTile(x, z));
  if (kept && random.chance(0.7)) attempt(() => dynamic.keepTile(x, z, kept));
}

/** @param {World} world @param {any} made */
async function live(world, { navMesh, dynamic }) {
  const { random } = world;
  /** @type {number[]} */
  const obstacles = [];
  if (random.chance(0.3)) dynamic.onTileChanged((/** @type {any} */ change) => world.watch(change));
  for (let round = random.integer(1, 5); round > 0; round--) {
    for (let i = random.integer(0, 4); i > 0; i--) disturb(world, navMesh, dynamic, obstacles);
    if (random.chance(0.2)) swapTiles(world, navMesh, dynamic);
    if (random.chance(0.2)) dynamic.setFocus([world.spot(navMesh)]);
    if (random.chance(0.1)) dynamic.limitCache(random.integer(0, 100000));
    if (random.chance(0.6)) world.watch(attempt(() => dynamic.update(random.pick([{}, { tiles: 2 }, { milliseconds: 1 }, { deltaTime: 0.4 }]))));
    else await updateElsewhere(world, navMesh, dynamic, obstacles);
    if (random.chance(0.3)) world.ask(navMesh, 4);
  }
  return obstacles;
}

/** @param {World} world @param {any} navMesh @param {any} dynamic @param {number[]} obstacles */
async function updateElsewhere(world, navMesh, dynamic, obstacles) {
  const { random } = world;
  const { onTile, onProgress, ...interruption } = world.interruption();
  const updating = attemptAsync(dynamic.updateAsync({ ...(random.chance(0.6) && { workers: world.pool }), ...interruption }));
  if (random.chance(0.5)) {
    await pause(random.between(0, 5));
    disturb(world, navMesh, dynamic, obstacles);
  }
  world.watch(await updating);
}

/** @type {Record<string, (world: World) => void | Promise<void>>} */
export const CHANGES = {
  async 'a dynamic mesh'(world) {
    const { random, walkmesh } = world;
    const [geometry, config] = world.tiledLevel();
    const made = random.chance(0.7) ? attempt(() => walkmesh.bakeDynamic(geometry, config))
      : await attemptAsync(walkmesh.bakeDynamicAsync(geometry, config, { workers: random.pick([0, world.pool]), ...world.interruption() }));
    if (!made) return;
    const obstacles = await live(world, made);
    if (random.chance(0.3)) {
      // Everything is removed: the mesh equals the original.
      attempt(() => made.dynamic.removeObstacles(obstacles));
      made.dynamic.update();
    }
    if (random.chance(0.5)) world.free(made.dynamic, made.navMesh);
    else world.free(made.navMesh);
  },

  async 'a dynamic mesh that is saved and opened'(world) {
    const { random, walkmesh } = world;
    const [geometry, config] = world.town();
    const made = walkmesh.bakeDynamic(geometry, config);
    await live(world, made);
    made.dynamic.update();
    const file = made.dynamic.save();
    const again = walkmesh.loadDynamic(file);
    if (random.chance(0.5)) await live(world, again);
    world.free(...world.shuffle([made.navMesh, again.navMesh]));
  },

  async 'an update that is cut short by free'(world) {
    const { random, walkmesh } = world;
    const [geometry, config] = world.town();
    const { navMesh, dynamic } = walkmesh.bakeDynamic(geometry, config);
    for (let i = 0; i < 5; i++) disturb(world, navMesh, dynamic, []);
    const updating = attemptAsync(dynamic.updateAsync(random.chance(0.7) ? { workers: world.pool } : {}));
    await pause(random.between(0, 10));
    world.free(random.pick([dynamic, navMesh]));
    await updating;
    if (!navMesh.isFreed) world.free(navMesh);
  },

  async 'a level that is streamed from a file'(world) {
    const { random, walkmesh, api } = world;
    const { geometry, config, town } = world.propTown();
    const made = walkmesh.bakeDynamic(geometry, config);
    const file = random.pick([() => made.dynamic.save(), () => made.navMesh.save(), () => made.navMesh.exportDetour()])();
    world.free(made.navMesh);
    const source = walkmesh.createFileSource(file);
    const streamer = world.watch(new api.TileStreamer(source.dynamic ?? source.navMesh, source.tiles, { innerRadius: 5, outerRadius: 8 }));
    for (let step = random.integer(1, 5); step > 0; step--) {
      streamer.setInvokers([[town.side * random.real(), 0, town.side * random.real()]]);
      if (random.chance(0.7)) await streamer.load();
      else streamer.update({ tiles: 2 });
      if (source.dynamic && random.chance(0.5)) {
        attempt(() => source.dynamic.addObstacle(someObstacle(world, source.navMesh)));
        source.dynamic.update();
      }
    }
    if (random.chance(0.6)) streamer.free();
    world.free(source.navMesh);
  },

  async 'a level that is streamed as it is baked'(world) {
    const { random, walkmesh, api } = world;
    const { geometry, config, town } = world.propTown();
    const create = random.chance(0.5) ? 'createBakeSource' : 'createDynamicBakeSource';
    const source = await walkmesh[create](geometry, config, random.chance(0.5) ? { workers: world.pool } : {});
    const streamer = new api.TileStreamer(source.dynamic ?? source.navMesh, source.tile, { innerRadius: 6, outerRadius: 8, requests: 3 });
    for (let step = random.integer(1, 4); step > 0; step--) {
      streamer.setInvokers([[town.side * random.real(), 0, town.side * random.real()]]);
      if (random.chance(0.5)) await streamer.load();
      else streamer.update();
      await pause(random.between(0, 4));
    }
    for (const end of world.shuffle([() => streamer.free(), () => source.free(), () => world.free(source.navMesh)])) await end();
  },

  'tiles that are taken out, put in and replaced'(world) {
    const { random, walkmesh } = world;
    const made = attempt(() => walkmesh.bake(...world.tiledLevel()));
    if (!made) return;
    const { navMesh } = made;
    const all = world.shuffle(navMesh.tiles()).slice(0, 12);
    for (const { ref, bytes } of all) {
      if (random.chance(0.3)) attempt(() => navMesh.restoreTileState(navMesh.saveTileState(ref)));
      if (random.chance(0.5)) navMesh.replaceTile(bytes);
      else {
        navMesh.removeTile(ref);
        attempt(() => navMesh.findCorridor(ref, [0, 0, 0], ref, [0, 0, 0]));
        if (random.chance(0.8)) navMesh.addTile(bytes);
      }
      if (random.chance(0.2)) world.ask(navMesh, 3);
    }
    world.free(navMesh);
  },

  'doors and connections'(world) {
    const { random, walkmesh } = world;
    const made = attempt(() => walkmesh.bake(...world.tiledLevel()));
    if (!made) return;
    const { navMesh } = made;
    const switches = navMesh.createSwitches();
    const doors = Array.from({ length: random.integer(0, 4) }, () => {
      const [x, y, z] = world.spot(navMesh);
      return switches.addDoor({ volume: { kind: 'box', min: [x, y - 2, z], max: [x + 3, y + 2, z + 3] }, isOpen: random.chance(0.5) });
    });
    for (let i = random.integer(0, 6); i > 0; i--) {
      attempt(() => navMesh.addConnection({ start: world.spot(navMesh), end: world.spot(navMesh), radius: random.between(0.3, 3) }));
      for (const door of doors) if (random.chance(0.5)) door[random.pick(['open', 'close'])]();
      const connections = navMesh.connections();
      if (connections.length > 0 && random.chance(0.4)) navMesh.removeConnection(random.pick(connections));
    }
    world.ask(navMesh, 4);
    const again = walkmesh.loadNavMesh(navMesh.save());
    if (random.chance(0.7)) again.restoreSwitches();
    world.free(...(random.chance(0.5) ? [switches] : []), ...world.shuffle([navMesh, again]));
  },

  'obstacles that all go: the tiles are those of a bake'(world) {
    const [geometry, config] = world.town();
    const { navMesh, dynamic } = world.walkmesh.bakeDynamic(geometry, config);
    /** @type {number[]} */
    const obstacles = [];
    for (let i = 0; i < 8; i++) {
      disturb(world, navMesh, dynamic, obstacles);
      if (world.random.chance(0.5)) dynamic.update({ tiles: 2 });
    }
    dynamic.removeObstacles(obstacles);
    dynamic.update();
    compareTiles(world, navMesh, geometry, config);
    world.free(navMesh);
  },
};
