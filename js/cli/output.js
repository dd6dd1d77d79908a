/** Output of the commands: tables, JSON, and progress on standard error. */
import { isStandardOutput } from './files.js';

/** @typedef {import('../bake/bake-report.js').BakeReport} BakeReport */

/** @param {number} bytes */
export function formatBytes(bytes) {
  if (bytes < 1000) return `${bytes} B`;
  if (bytes < 1e6) return `${(bytes / 1e3).toFixed(1)} kB`;
  return `${(bytes / 1e6).toFixed(1)} MB`;
}

/** @param {number} milliseconds */
export function formatTime(milliseconds) {
  return milliseconds < 10000 ? `${milliseconds.toFixed(1)} ms` : `${(milliseconds / 1000).toFixed(1)} s`;
}

/** @param {number} count @param {string} noun */
export function formatCount(count, noun) {
  const plural = noun.endsWith('ex') ? `${noun.slice(0, -2)}ices` : `${noun}s`;
  return `${count.toLocaleString('en')} ${count === 1 ? noun : plural}`;
}

/** Prints a line. @typedef {(line: string) => void} Print */

/** How a command that writes a file prints its summary: to standard error if standard output is that file. @param {string} output @returns {Promise<Print>} */
export async function printBeside(output) {
  return await isStandardOutput(output) ? (line) => console.error(line) : (line) => console.log(line);
}

/** @param {unknown} value @param {Print} [print] */
export function printJson(value, print = console.log) {
  print(JSON.stringify(value, null, 2));
}

/** A message of the package in the words of the command: what is a field of a level there is an option here. @param {string} text */
export const inFlags = (text) => text.replaceAll(/\bupAxis: '([xyz])'/g, '--up-axis $1').replaceAll(/\blimits\.tiles to /g, '--limit-tiles ');

/** @param {string} warning */
export function printWarning(warning) {
  console.error(`walkmesh: warning: ${inFlags(warning)}`);
}

/** Errors of standard output that were told. @type {WeakSet<object>} */
const told = new WeakSet();

/** True if an error, or its cause, was told when standard output met it. @param {unknown} error */
export const wasTold = (error) => error instanceof Error && (told.has(error) || told.has(/** @type {object} */ (error.cause ?? error)));

/**
 * Ends quietly where the reader of the output has gone (`walkmesh info x | head -1`). Output that can't be written otherwise, as to
 * a full disk, is an error, and the exit status 1. Call it once.
 */
export function watchOutput() {
  process.stdout.on('error', (error) => {
    if (/** @type {NodeJS.ErrnoException} */ (error).code === 'EPIPE') return;
    process.exitCode = 1;
    told.add(error);
    console.error(`walkmesh: cannot write the output (${/** @type {NodeJS.ErrnoException} */ (error).code})`);
  });
  process.stderr.on('error', () => {});
}

/** @typedef {{ onProgress: (progress: import('../bake/bake.js').BakeProgress) => void, stop: () => void }} Progress */

/** Milliseconds between two lines of progress, where there is no bar. */
const LINE_INTERVAL = 5000;

/** Progress as lines, such as in the log of a build: none for a short bake. @param {number} interval milliseconds @returns {Progress} */
export function createProgressLines(interval) {
  let next = performance.now() + interval;
  return {
    onProgress({ tile, tiles, stage }) {
      if (performance.now() < next) return;
      next = performance.now() + interval;
      console.error(`walkmesh: ${tile.toLocaleString('en')} of ${formatCount(tiles, 'tile')}, ${stage}`);
    },
    stop() {},
  };
}

/** Asks first about a bake of very many tiles. @param {Progress} progress @param {(tiles: number) => string | undefined} ask @returns {Progress} */
export function askBefore({ onProgress, stop }, ask) {
  let hasAsked = false;
  return {
    onProgress(progress) {
      const question = hasAsked ? undefined : ask(progress.tiles);
      hasAsked = true;
      if (question) console.error(`walkmesh: ${inFlags(question)}`);
      onProgress(progress);
    },
    stop,
  };
}

/**
 * A progress bar if standard error is a terminal, else lines.
 * @param {boolean} quiet
 * @returns {Promise<Progress>}
 */
export async function createProgress(quiet) {
  if (quiet) return { onProgress: () => {}, stop: () => {} };
  if (!process.stderr.isTTY) return createProgressLines(LINE_INTERVAL);
  // Imported here, so that other commands start faster.
  const { default: cliProgress } = await import('cli-progress');
  const bar = new cliProgress.SingleBar({
    format: '{bar} {percentage}% | {value}/{total} tiles | {stage}', clearOnComplete: true, stream: process.stderr,
    // The bar would catch the signals that end the command, and not end it. They end it at once, so that the cursor stays visible.
    gracefulExit: false, hideCursor: false,
  }, cliProgress.Presets.shades_classic);
  let started = false;
  return {
    onProgress: ({ tile, tiles, stage }) => {
      if (!started) bar.start(tiles, 0, { stage });
      started = true;
      bar.update(stage === 'tile' ? tile + 1 : tile, { stage });
    },
    stop: () => bar.stop(),
  };
}

/** The result of each stage, for the last column of the table. @type {Record<string, (counts: BakeReport['counts']) => string>} */
const STAGE_OUTCOMES = {
  rasterize: (counts) => formatCount(counts.solidSpans, 'solid span'),
  compact: (counts) => formatCount(counts.openSpans, 'open span'),
  erode: (counts) => formatCount(counts.walkableSpans, 'walkable span'),
  distance: (counts) => (counts.maxDistance ? `farthest ${counts.maxDistance}` : ''),
  regions: (counts) => formatCount(counts.regions, 'region'),
  contours: (counts) => `${formatCount(counts.contours, 'contour')}, ${formatCount(counts.contourVertices, 'vertex')}`,
  polygonMesh: (counts) => `${formatCount(counts.polygons, 'polygon')}, ${formatCount(counts.vertices, 'vertex')}`,
  detailMesh: (counts) => `${formatCount(counts.detailTriangles, 'triangle')}, ${formatCount(counts.detailVertices, 'vertex')}`,
  tile: (counts) => formatBytes(counts.tileBytes),
};

/** Prints times, memory and results of the stages. @param {BakeReport} report @param {Print} [print] */
export function printReport(report, print = console.log) {
  const total = Object.values(report.stages).reduce((sum, time) => sum + time, 0);
  print(`${'stage'.padEnd(18)}${'time'.padStart(11)}${'share'.padStart(8)}${'memory'.padStart(11)}  result`);
  for (const [stage, time] of /** @type {[keyof BakeReport['stages'], number][]} */ (Object.entries(report.stages))) {
    const share = total > 0 ? `${(100 * time / total).toFixed(0)} %` : '';
    const outcome = STAGE_OUTCOMES[stage]?.(report.counts) ?? '';
    print(`${stage.padEnd(18)}${formatTime(time).padStart(11)}${share.padStart(8)}`
      + `${formatBytes(report.memory.stages[stage]).padStart(11)}  ${outcome}`.trimEnd());
  }
  print(`${'all stages'.padEnd(18)}${formatTime(total).padStart(11)}`);
  const { voxels, tiles, memory, links } = report;
  print(`grid ${voxels.width} x ${voxels.depth} cells; tiles ${tiles.x} x ${tiles.z}, ${tiles.withPolygons} with polygons;`
    + ` peak memory ${formatBytes(memory.peakBytes)}, module ${formatBytes(memory.wasmBytes)}`);
  if (links) print(`segment links ${describeLinkCounts(links)}, in ${formatTime(links.milliseconds)}; air ${formatBytes(links.airBytes)}`);
}

/** Counts of links by kind: `12 drops, 3 jumps, 0 climbs, 1 vault`. @param {Pick<import('../index.js').LinkReport, 'counts'>} report */
export const describeLinkCounts = ({ counts }) => Object.entries(counts).map(([kind, count]) => formatCount(count, kind)).join(', ');
