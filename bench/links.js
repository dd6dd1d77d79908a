/**
 * Links that make themselves: what they cost (time as a share of the bake, bytes as a share of the mesh file), and how good they are,
 * by the oracles of tests/js/links/: precision (none touches the level by more than a cell), recall (nearly all places that a brute
 * force search finds have one), paths over them. Levels of games lie beside the repository: those that are missing are left out.
 */
import { load } from '../js/index.js';
import { judgeLevel } from '../tests/js/links/judge-level.js';
import { measurePaths } from '../tests/js/links/paths.js';
import { LINKS, linkConfig, linkScenes } from '../tests/js/links/scenes.js';
import { LINK_KINDS } from '../tests/js/links/trajectories.js';
import { makeLevel } from './levels.js';
import { timeText } from './tables.js';

const COST_LEVELS = [{ name: 'city', cellSize: 0.15 }, { name: 'nav_test', cellSize: 0.1 },
  ...['nx_silvercity', 'nx_desertfactory', 'oa_thor', 'oa_shouse', 'fd_MAP07', 'fd_MAP18'].map((name) => ({ name, cellSize: 0.3 }))];
const TILE_SIZES = [0, 64];
const TILE_SIZE = 64;
const ROUNDS = 5;
/** Border points for which the oracle of recall tries everything, of those drawn at random. */
const POINTS = 10000;
const PAIRS = 1000;

/** @typedef {{ level: string, bake: number, links: number, whole: number, count: number, meshBytes: number, linkBytes: number, airBytes: number }} Cost */
/** @typedef {{ level: string, links: number, faults: import('../tests/js/links/precision.js').Fault[], recall: any }} Quality */
/** @typedef {{ level: string } & import('../tests/js/links/paths.js').PathFigures} Paths */

/** Compressed bytes of the air of all tiles. @param {import('../js/bake/links/link-generator.js').LinkGenerator} generator */
const countAirBytes = (generator) => generator.places().reduce((sum, { x, z }) => sum + (generator.airAt(x, z)?.bytes.length ?? 0), 0);

/** The cost of all kinds on one level; the times are the least of the rounds, in turns. @param {any} walkmesh @param {import('./levels.js').Level} level @param {number} rounds @returns {Cost} */
function measureCost(walkmesh, { name, config: given, read }, rounds) {
  const level = read(), config = { ...given, tileSize: TILE_SIZE };
  const cost = { level: `${name} ${config.cellSize}`, bake: Infinity, links: Infinity, whole: Infinity, count: 0, meshBytes: 0, linkBytes: 0, airBytes: 0 };
  for (let round = 0; round < rounds; round++) {
    const before = performance.now();
    const plain = walkmesh.bake(level, config);
    const between = performance.now();
    const linked = walkmesh.bake(level, { ...config, links: LINKS }, { keepLinkGenerator: round === 0 });
    const after = performance.now();
    cost.bake = Math.min(cost.bake, between - before);
    cost.whole = Math.min(cost.whole, after - between);
    cost.links = Math.min(cost.links, linked.report.links.milliseconds);
    if (round === 0) {
      cost.meshBytes = plain.navMesh.save().length;
      cost.linkBytes = linked.navMesh.save().length - cost.meshBytes;
      [cost.count, cost.airBytes] = [linked.report.links.count, countAirBytes(linked.linkGenerator)];
    }
    plain.navMesh.free();
    linked.navMesh.free();
  }
  return cost;
}

/** @param {{ smallest?: boolean, onProgress?: (text: string) => void }} [options] @returns {Promise<{ costs: Cost[], missing: string[] }>} */
export async function measureLinkCosts({ smallest = false, onProgress = () => {} } = {}) {
  const walkmesh = await load();
  const levels = (smallest ? [{ name: 'plaza', cellSize: 0.3 }] : COST_LEVELS).map(makeLevel);
  const costs = levels.filter(({ missing }) => !missing).map((level) => {
    onProgress(`cost of links: ${level.name}`);
    return measureCost(walkmesh, level, smallest ? 1 : ROUNDS);
  });
  return { costs, missing: levels.filter(({ missing }) => missing).map(({ name }) => name) };
}

/**
 * @param {{ smallest?: boolean, onProgress?: (text: string) => void }} [options]
 * @returns {Promise<{ costs: Cost[], quality: Quality[], paths: Paths[], missing: string[] }>}
 */
export async function measureLinks({ smallest = false, onProgress = () => {} } = {}) {
  const walkmesh = await load(), { costs, missing } = await measureLinkCosts({ smallest, onProgress });
  const quality = [], paths = [];
  for (const { name, read } of linkScenes(smallest ? ['plaza'] : undefined)) {
    for (const tileSize of smallest ? [0] : TILE_SIZES) {
      const title = tileSize ? `${name}, tiles of ${tileSize}` : name, scene = { level: read(), config: linkConfig(tileSize), limits: LINKS };
      onProgress(`links of ${title}`);
      const { links, faults, recall } = judgeLevel(walkmesh, { ...scene, points: smallest ? 200 : POINTS });
      quality.push({ level: title, links: links.length, faults, recall });
      paths.push({ level: title, ...measurePaths(walkmesh, { ...scene, pairs: smallest ? 20 : PAIRS, seed: 1 }) });
    }
  }
  onProgress('');
  return { costs, quality, paths, missing };
}

const percent = (part, whole) => (whole > 0 ? `${((100 * part) / whole).toFixed(1)} %` : '-');

/** @param {Quality} level */
function qualityRow({ level, links, faults, recall }) {
  const bad = new Set(faults.map(({ link }) => link)).size;
  const cells = LINK_KINDS.flatMap((kind) => {
    const { found, matched, explained, walkable } = recall[kind];
    return [String(found), percent(matched, found), percent(matched + explained, found), String(walkable), String(found - matched - explained - walkable)];
  });
  return [level, String(links), percent(links - bad, links), ...cells];
}

/** Sums of all levels, per kind. @param {Quality[]} quality @returns {Quality} */
function sumQuality(quality) {
  const recall = Object.fromEntries(LINK_KINDS.map((kind) => [kind, Object.fromEntries(['found', 'matched', 'explained', 'walkable']
    .map((name) => [name, quality.reduce((sum, one) => sum + one.recall[kind][name], 0)]))]));
  return { level: 'all', links: quality.reduce((sum, { links }) => sum + links, 0), recall,
    faults: quality.flatMap(({ faults }, i) => faults.map((fault) => ({ ...fault, link: 2 ** 20 * i + fault.link }))) };
}

/** @param {{ costs: Cost[], quality: Quality[], paths: Paths[], missing: string[] }} figures @returns {import('./tables.js').Table[]} */
export function linksTables({ costs, quality, paths, missing }) {
  const notes = missing.length > 0 ? [`Not measured, for their files are not beside the repository: ${missing.join(', ')}.`] : [];
  const costRows = costs.map(({ level, bake, links, whole, count, meshBytes, linkBytes, airBytes }) => [level, timeText(bake), timeText(links), percent(links, bake),
    percent(whole - bake, bake), String(count), (meshBytes / 1000).toFixed(0), percent(linkBytes, meshBytes), percent(airBytes, meshBytes)]);
  const kinds = LINK_KINDS.flatMap((kind) => [`${kind}s found`, 'with a link', 'or thinned', 'steps', 'missed']);
  const pathRows = paths.map(({ level, pairs, connected, connectedByLinks, shorter, saved, longerOrdinary, crossings, longer, faults }) => [level, String(pairs), String(connected),
    String(connectedByLinks), String(shorter), percent(saved, 1), String(crossings), String(longer.length), String(longerOrdinary), String(faults.length)]);
  return [
    { title: 'The cost of links of all kinds, in tiles of 64', notes,
      rows: [['level, cell', 'bake, ms', 'links, ms', 'of the bake', 'bake with links, more', 'links', 'mesh, kB', 'bytes of links', 'of air'], ...costRows] },
    { title: 'Links, judged by oracles', rows: [['level', 'links', 'without fault', ...kinds], ...[...quality, sumQuality(quality)].map(qualityRow)],
      notes: quality.flatMap(({ level, faults }) => faults.slice(0, 3).map(({ kind, what, value }) => `${level}: ${kind}: ${what} (${value})`)) },
    { title: 'Shortest paths over links, random pairs', rows: [['level', 'pairs', 'connected', 'more by links', 'shorter by links', 'cost saved', 'crossings',
      'cost more', 'ordinary paths that cost more', 'faults'], ...pathRows], notes: paths.flatMap(({ level, faults }) => faults.slice(0, 3).map((fault) => `${level}: ${fault}`)) },
  ];
}
