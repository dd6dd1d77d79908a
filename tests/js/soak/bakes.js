/** Chores of a soak that bake: whole, by steps, in slices, in workers, cancelled in every way. */
import { attempt, attemptAsync, pause } from './world.js';

/** @typedef {import('./world.js').World} World */

/** The thread of a bake: this one or workers. @param {World} world */
const somewhere = ({ random, pool }) => random.pick([0, pool, pool]);

/** @type {Record<string, (world: World) => void | Promise<void>>} */
export const BAKES = {
  'a bake'(world) {
    const made = attempt(() => world.walkmesh.bake(...world.level()));
    if (!made) return;
    world.watch(made.report);
    world.ask(made.navMesh);
    if (world.random.chance(0.2)) world.api.checkNavMesh(made.navMesh);
    world.free(made.navMesh);
  },

  'a bake whose listener throws'(world) {
    let left = world.random.integer(0, 20);
    const made = attempt(() => world.walkmesh.bake(...world.tiledLevel(), {
      onProgress: () => { if (left-- <= 0) throw new world.api.NavError('state', 'thrown by a listener'); },
    }));
    if (made) world.free(made.navMesh);
  },

  'a bake by steps, given up'(world) {
    const { random, walkmesh } = world;
    const baker = attempt(() => walkmesh.createBaker(...world.tiledLevel()));
    if (!baker) return;
    const { tileCountX, tileCountZ } = baker.voxels;
    for (let tiles = random.integer(0, 3); tiles > 0; tiles--) {
      attempt(() => {
        baker.beginTile(random.integer(0, tileCountX - 1), random.integer(0, tileCountZ - 1), { keepStages: random.chance(0.5) });
        for (let steps = random.integer(0, 16); steps > 0 && baker.nextStage !== 'done'; steps--) {
          baker.step();
          if (random.chance(0.2)) world.watch(baker.read(random.pick(Object.keys(world.api.STAGE_ARRAYS))));
        }
        if (random.chance(0.5)) baker.hashTile();
        if (baker.nextStage === 'done' && random.chance(0.7)) world.watch(baker.takeTile());
      });
    }
    world.free(baker);
  },

  async 'a bake of tiles elsewhere, perhaps interrupted'(world) {
    const [geometry, config] = world.tiledLevel();
    const made = await attemptAsync(world.walkmesh.bakeTiled(geometry, config, { workers: somewhere(world), ...world.interruption() }));
    if (!made) return;
    world.watch(made.report);
    if (world.random.chance(0.3)) world.compare(made.navMesh, geometry, config);
    world.free(made.navMesh);
  },

  async 'a bake of one tile elsewhere, perhaps interrupted'(world) {
    const [geometry, { tileSize, ...config }] = world.level();
    const { onTile, onProgress, ...interruption } = world.interruption();
    const made = await attemptAsync(world.walkmesh.bakeAsync(geometry, config, { workers: somewhere(world), ...interruption }));
    if (made) world.free(made.navMesh);
  },

  async 'a bake with workers of its own'(world) {
    const made = await attemptAsync(world.walkmesh.bakeTiled(...world.tiledLevel(), { workers: world.random.integer(1, 2), ...world.interruption() }));
    if (made) world.free(made.navMesh);
  },

  async 'several bakes at once in one pool'(world) {
    const bakes = Array.from({ length: world.random.integer(2, 3) }, () =>
      attemptAsync(world.walkmesh.bakeTiled(...world.tiledLevel(), { workers: world.pool, ...world.interruption() })));
    for (const made of await Promise.all(bakes)) if (made) world.free(made.navMesh);
  },

  async 'a pool that is freed, perhaps while it bakes'(world) {
    const { random, walkmesh } = world;
    const pool = world.watch(walkmesh.createWorkerPool({ workers: random.integer(1, 2) }));
    if (random.chance(0.3)) await pool.ready();
    const bakes = Array.from({ length: random.integer(0, 2) }, () => attemptAsync(walkmesh.bakeTiled(...world.tiledLevel(), { workers: pool })));
    await pause(random.between(0, 60));
    pool.free();
    for (const made of await Promise.all(bakes)) if (made) world.free(made.navMesh);
  },

  async 'a level that is baked anew, with a cache'(world) {
    const { random, walkmesh } = world;
    const { geometry, config, town } = world.propTown();
    const cache = random.chance(0.5) ? await world.makeCache() : undefined;
    const made = await attemptAsync(walkmesh.bakeTiled(geometry, config, { workers: 0, ...(cache && { cache }) }));
    if (!made) return;
    const { navMesh } = made;
    for (let round = random.integer(1, 3); round > 0; round--) {
      const solids = town.props.slice(0, random.integer(0, 3)).map((/** @type {any} */ prop) => (
        { kind: 'cylinder', start: [prop.x, 0, prop.z], end: [prop.x, 2, prop.z], radius: random.between(0.3, 2) }));
      const level = { ...geometry, solids };
      const rebaked = await attemptAsync(walkmesh.rebake(navMesh, level, { workers: somewhere(world), ...world.interruption(), ...(cache && { cache }) }));
      if (rebaked) world.watch(rebaked.report);
      if (rebaked && random.chance(0.3)) compareTiles(world, navMesh, level, config);
    }
    world.free(navMesh);
  },
};

/**
 * Asserts that a mesh has the tiles of a plain bake.
 * @param {World} world @param {any} navMesh @param {any} level @param {any} config
 */
export function compareTiles(world, navMesh, level, config) {
  const { navMesh: plain } = world.walkmesh.bake(level, config);
  const [ours, theirs] = [navMesh, plain].map((mesh) => mesh.tiles().map((/** @type {any} */ { x, z, bytes }) => `${x},${z}:${world.walkmesh.hash(bytes)}`).sort().join(' '));
  plain.free();
  if (ours !== theirs) throw new Error(`${world.chore}: tiles differ from those of a plain bake`);
}
