/**
 * Walkmesh.bake: every tile, one after another, in this thread. A Baker (baker.js) runs the stages of a tile; without blocking:
 * bake-in-background.js.
 */
import { isRecord, requireBoolean, requireListener, requireOptions } from '../runtime/arguments.js';
import { invalidArgument } from '../runtime/errors.js';
import { NavMeshBuilder } from '../mesh/mesh.js';
import { nameSet } from '../runtime/option-names.js';
import { refusePositions } from '../input/geometry.js';
import { describeStrays } from '../input/stray.js';
import { Limits } from './bake-limits.js';
import { BakeLog } from './bake-report.js';
import { bakeTile } from './bake-tile.js';
import { Baker } from './baker.js';
import { noteLevel, warnOfLevel } from './level-warnings.js';
import { requireLinksToKeep } from '../input/wants-links.js';
import { AirCollector } from './links/air-collector.js';
import { linkByTiles } from './links/link-pass.js';

/** @typedef {import('./bake-report.js').BakeReport} BakeReport */
/** @typedef {import('./bake-tile.js').BakedTile} BakedTile */
/** @typedef {import('../input/config.js').Config} Config */
/** @typedef {import('../input/geometry.js').Geometry} Geometry */
/** @typedef {import('../mesh/mesh.js').NavMesh} NavMesh */
/** @typedef {import('../runtime/session.js').Session} Session */
/** @typedef {import('./stages.js').StageName} StageName */

/** @typedef {{ tile: number, tiles: number, stage: StageName | 'links' }} BakeProgress links: of a bake with links, after its last tile */

/**
 * @typedef {object} BakeOptions
 * @property {(progress: BakeProgress) => void} [onProgress] called after each stage; an exception in it ends the bake
 * @property {import('./bake-limits.js').BakeLimits} [limits] of cells, tiles and time, for levels from untrusted sources
 * @property {boolean} [keepLinkGenerator] true: the result has its `linkGenerator`, which the caller frees; the configuration must
 *   have links. Default false
 */

/** @typedef {{ navMesh: NavMesh, report: BakeReport, linkGenerator?: import('./links/link-generator.js').LinkGenerator }} Baked */
/** With keepLinkGenerator. @typedef {Baked & { linkGenerator: import('./links/link-generator.js').LinkGenerator }} BakedWithLinks */

const BAKE_NAMES = nameSet(/** @satisfies {import('../runtime/option-names.js').Names<BakeOptions>} */ (
  { onProgress: 1, limits: 1, keepLinkGenerator: 1 }));

/** Checks the options of a bake in this thread. Its time starts now. @param {BakeOptions} options */
export function readBakeOptions(options) {
  if (isRecord(options) && 'workers' in options) {
    throw invalidArgument('workers', 'is not an option here: this bake runs in this thread, bakeTiled and bakeAsync in workers', options.workers);
  }
  const { onProgress, limits, keepLinkGenerator = false } = requireOptions(options, BAKE_NAMES);
  requireListener(onProgress, 'onProgress');
  return { onProgress, limits: new Limits(limits), keepLinkGenerator: requireBoolean(keepLinkGenerator, 'keepLinkGenerator') };
}

/**
 * Bakes every tile of a level and passes each to a consumer.
 * @param {Session} session @param {Geometry} geometry @param {Config} config
 * @param {Pick<ReturnType<typeof readBakeOptions>, 'onProgress' | 'limits'>} options
 * @param {{ begin: (baker: Baker) => AirCollector | void, addBakedTile: (tile: BakedTile) => void }} consumer begin is called once, before
 *   the first tile; what it returns takes the air of all tiles
 * @param {boolean} [keeps] true: tiles come with their compressed spans
 * @returns {BakeReport}
 */
export function bakeTiles(session, geometry, config, { onProgress, limits }, consumer, keeps = false) {
  const start = performance.now();
  session.memory(true);
  const baker = new Baker(session, geometry, config);
  try {
    limits.checkGrid(baker, session.leaks.warned, () => describeStrays(geometry));
    const log = new BakeLog();
    const { tileCountX, tileCountZ } = baker.voxels;
    const tiles = tileCountX * tileCountZ;
    const collector = consumer.begin(baker) ?? undefined;
    for (let tile = 0; tile < tiles; tile++) {
      const baked = bakeTile(baker, tile % tileCountX, Math.floor(tile / tileCountX),
        (stage) => {
          limits.checkTime();
          onProgress?.({ tile, tiles, stage });
        }, { keeps, taker: collector });
      log.add(baked.log);
      consumer.addBakedTile(baked);
    }
    return log.report(baker, { milliseconds: performance.now() - start, ...session.memory() });
  } finally {
    baker.free();
  }
}

/**
 * Makes the links of a bake in this thread, if its configuration has some.
 * @param {NavMesh} navMesh @param {BakeReport} report to which the links are added @param {Geometry} geometry
 * @param {AirCollector} air @param {ReturnType<typeof readBakeOptions>} options
 */
function makeLinks(navMesh, report, geometry, air, { onProgress, limits, keepLinkGenerator }) {
  const tiles = report.tiles.x * report.tiles.z;
  const steps = linkByTiles(navMesh, geometry, air, keepLinkGenerator);
  for (;;) {
    const { done, value } = steps.next();
    if (done) {
      const { generator, links } = value;
      report.links = links;
      report.milliseconds += links.milliseconds;
      report.memory.peakBytes = Math.max(report.memory.peakBytes, navMesh.session.memory().peakBytes);
      return generator ? { linkGenerator: generator } : {};
    }
    limits.checkTime();
    onProgress?.({ tile: value - 1, tiles, stage: 'links' });
  }
}

/**
 * As Walkmesh.bake.
 * @param {Session} session @param {Geometry} geometry @param {Config} config @param {BakeOptions} given
 * @returns {Baked}
 */
export function bake(session, geometry, config, given) {
  refusePositions(geometry);
  const options = readBakeOptions(given);
  requireLinksToKeep(options.keepLinkGenerator, config);
  const builder = new NavMeshBuilder(session);
  const noted = noteLevel(geometry, config);
  /** @type {NavMesh | undefined} */
  let navMesh;
  /** @type {AirCollector | undefined} */
  let air;
  const consumer = {
    begin: (/** @type {Baker} */ baker) => {
      builder.begin(baker);
      return air = baker.config.links && new AirCollector(baker);
    },
    addBakedTile: (/** @type {BakedTile} */ tile) => builder.addBakedTile(tile),
  };
  try {
    const report = bakeTiles(session, geometry, config, options, consumer);
    navMesh = builder.take();
    report.warnings.push(...warnOfLevel(navMesh, noted, report.voxels));
    return { navMesh, report, ...air && makeLinks(navMesh, report, geometry, air, options) };
  } catch (error) {
    navMesh?.free();
    throw error;
  } finally {
    builder.free();
    air?.free();
  }
}
