/**
 * The bake as a program that makes the same mesh outside the tool: JavaScript for Node, and shell commands. The JavaScript covers the
 * whole document: area volumes, obstacles, connections, doors and links. The command line covers the bake: obstacles become
 * area volumes, and connections are baked into tiles.
 */
import { areaOf, areasOf } from '../edit/areas.js';
import { toVolume, wantedObstacles } from '../edit/items.js';
import { areaSwitches, doorSwitches } from '../edit/switch-sync.js';
import { AS_IS, factorOf } from '../level/import-settings.js';
import { LINK_KINDS, areaOfKind } from '../links/kinds.js';
import { changedFields } from './configuration.js';
import { literal, literalList, shortened, shortNumber } from './literals.js';

/** @typedef {import('../state/document.js').Document} Document */

/**
 * The level of a bake.
 * @typedef {object} SnippetLevel
 * @property {string} file file name with .obj, .glb or .gltf
 * @property {number} [triangles]
 */

/** Bounds larger than any level, world units. */
const EVERYWHERE = { min: /** @type {[number, number, number]} */ ([-1e5, -1e5, -1e5]), max: /** @type {[number, number, number]} */ ([1e5, 1e5, 1e5]) };

/** True if the mesh supports obstacles. @param {Document} document */
const isDynamic = ({ config, obstacles, doors }) => config.tileSize > 0 && obstacles.length + doors.length > 0;

/** The obstacles of the mesh, including those that mark the ground in doors. @param {Document} document */
const obstaclesOf = (document) => wantedObstacles(document).map(({ obstacle }) => obstacle);

/** Costs of the used areas, except costs of 1. @param {Document} document @returns {Record<number, number>} */
export function costsInUse(document) {
  const { volumes, obstacles, connections, links, pinnedLinks } = document;
  const ofLinks = [...LINK_KINDS.filter(({ kind }) => links[kind].isOn).map(({ kind }) => areaOfKind(document, kind)), ...pinnedLinks.map(({ area }) => area)];
  const used = new Set([...volumes.map(({ area }) => area), ...obstacles.map(({ area }) => area), ...connections.map(({ area }) => area), ...ofLinks].filter((area) => area > 0 && area < 63));
  const costs = [...used].sort((a, b) => a - b).map((id) => [id, areaOf(areasOf(document), id).cost]);
  return Object.fromEntries(costs.filter(([, cost]) => cost !== 1));
}

/** The fields of a connection that differ from their defaults. @param {Document['connections'][number]} connection */
function connectionOptions({ start, end, radius, bidirectional, enabled, area }) {
  return {
    start, end, radius, bidirectional: bidirectional ? undefined : false, enabled: enabled ? undefined : false,
    area: area || undefined,
  };
}

/** Converts an obstacle to the volume with the same effect in a full bake. @param {any} obstacle */
function obstacleVolume({ carving, ...obstacle }) {
  return { ...obstacle, beforeErosion: obstacle.area === 0 ? true : undefined };
}

/** `{ a: 1, b: 2 }` broken into lines of a few fields each. @param {Record<string, any>} object */
function literalFields(object) {
  const fields = Object.entries(object).map(([name, value]) => `${name}: ${literal(value)}`);
  if (fields.length === 0) return '{}';
  const lines = [''];
  for (const field of fields) {
    if (lines[lines.length - 1].length + field.length > 100) lines.push('');
    lines[lines.length - 1] += `${lines[lines.length - 1] ? ' ' : ''}${field},`;
  }
  return `{\n${lines.map((line) => `  ${line}\n`).join('')}}`;
}

/** @param {string} file */
const stemOf = (file) => file.replace(/\.[^.]*$/, '');

/** Code that reads the level. @param {string} file */
function readLines(file) {
  const isObj = file.toLowerCase().endsWith('.obj');
  return [
    "import { readFile, writeFile } from 'node:fs/promises';",
    "import { load } from 'walkmesh';",
    `import { ${isObj ? 'parseObj' : 'readGltf'} } from 'walkmesh/level';`,
    '',
    isObj ? `const level = parseObj(await readFile(${literal(file)}), { name: ${literal(file)} });`
      : `const level = await readGltf(await readFile(${literal(file)}), { name: ${literal(file)} });`,
  ];
}

/** Code for the import settings of the level's file. @param {Document} document */
function importLines({ level: { import: settings } }) {
  const { upAxis, flip, ...sizes } = { ...AS_IS, ...settings };
  const factor = factorOf({ upAxis, flip, ...sizes });
  return [
    ...(factor === 1 ? [] : [`for (let i = 0; i < level.positions.length; i++) level.positions[i] *= ${factor};`]),
    ...(flip ? ['const { indices } = level;', 'for (let i = 1; i < indices.length; i += 3) [indices[i], indices[i + 1]] = [indices[i + 1], indices[i]];'] : []),
    ...(upAxis === 'z' ? ["Object.assign(level, { upAxis: 'z' });"] : []),
  ];
}

/** Code for obstacles, connections, links, switches and costs after the bake. @param {Document} document */
function runTimeLines(document) {
  const { connections, doors, config, forbiddenLinks, pinnedLinks } = document;
  const lines = [];
  if (isDynamic(document)) {
    lines.push('', `const obstacles = ${literalList(obstaclesOf(document))};`,
      'for (const obstacle of obstacles) dynamic.addObstacle(obstacle);', 'dynamic.update();');
  }
  if (connections.length > 0) lines.push('');
  for (const connection of connections) lines.push(`navMesh.addConnection(${literal(connectionOptions(connection))});`);
  if (forbiddenLinks.length + pinnedLinks.length > 0) lines.push('', '// Links that are switched off, by place, and links that the settings don\'t generate.');
  if (forbiddenLinks.length > 0) lines.push(`navMesh.disabledLinkPlaces = ${literalList(forbiddenLinks.map(({ id, ...place }) => place))};`);
  for (const { id, ...link } of pinnedLinks) lines.push(`navMesh.addSegmentLink(${literal({ ...link, userId: id })});`);
  const wanted = [...doorSwitches(doors, { isExact: config.tileSize > 0, cellSize: config.cellSize }),
    ...areaSwitches(areasOf(document), EVERYWHERE)];
  if (wanted.length > 0) lines.push('', '// Switches for doors (closed while on) and for areas that are not walkable.', 'const switches = navMesh.createSwitches();');
  for (const { isOn, options } of wanted) lines.push(`switches.add(${literal({ ...options, isOn })});`);
  const costs = costsInUse(document);
  if (Object.keys(costs).length > 0) {
    lines.push('', '// Area costs: use the filter in findPath(start, end, { filter }) and crowd.setFilter.',
      `const filter = navMesh.createFilter(${literal({ areaCosts: costs })});`);
  }
  return lines;
}

/**
 * A Node program that bakes the mesh and writes it to a file.
 * @param {Document} document @param {SnippetLevel} level @returns {string}
 */
export function javaScriptSnippet(document, { file, triangles }) {
  const { volumes } = document;
  const geometry = volumes.length > 0 ? '{ ...level, volumes }' : 'level';
  const count = triangles === undefined ? '' : ` (${triangles.toLocaleString('en')} triangles)`;
  return [
    `// The navigation mesh of ${file}${count}.`,
    '// Node 20 or newer: npm install walkmesh',
    ...readLines(file),
    ...importLines(document),
    `const config = ${literalFields(changedFields(document))};`,
    ...(volumes.length > 0 ? [`const volumes = ${literalList(volumes.map(toVolume))};`] : []),
    '',
    'const walkmesh = await load();',
    isDynamic(document) ? `const { navMesh, dynamic, report } = walkmesh.bakeDynamic(${geometry}, config);`
      : `const { navMesh, report } = walkmesh.bake(${geometry}, config);`,
    'for (const warning of report.warnings) console.warn(warning);',
    ...runTimeLines(document),
    '',
    `await writeFile(${literal(`${stemOf(file)}.walkmesh`)}, navMesh.save());`,
    'console.log(`${navMesh.totals.polygons} polygons in ${navMesh.totals.tiles} tiles`);',
    '',
  ].join('\n');
}

/** A word of a shell command, quoted if necessary; it never reads as an option. @param {string} word @returns {string} */
const shellWord = (word) => word.startsWith('-') ? shellWord(`./${word}`) : (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`);

/** @param {string} name @param {any} value @returns {string} */
function option(name, value) {
  const flag = `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
  if (name === 'bounds') return `${flag}=${[...value.min, ...value.max].map(shortNumber).join(',')}`;
  if (typeof value === 'boolean') return `${flag} ${value ? 'on' : 'off'}`;
  return `${flag} ${typeof value === 'number' ? shortNumber(value) : shellWord(value)}`;
}

/** The contents of the file for `walkmesh bake --placed`. @param {Document} document */
export function itemsOf(document) {
  const { volumes, connections, config } = document;
  const all = [...volumes.map(toVolume), ...(config.tileSize > 0 ? obstaclesOf(document).map(obstacleVolume) : [])];
  const enabled = connections.filter((connection) => connection.enabled).map(connectionOptions);
  const closed = areasOf(document).filter(({ walkable }) => !walkable).map(({ id }) => [id, 0]);
  return shortened({
    volumes: all.length > 0 ? all : undefined, offMeshConnections: enabled.length > 0 ? enabled : undefined,
    areaFlags: closed.length > 0 ? Object.fromEntries(closed) : undefined,
  });
}

/** JSON with one list item per line. @param {Record<string, any>} placed */
function itemsJson(placed) {
  const fields = Object.entries(placed).map(([name, value]) => `  ${JSON.stringify(name)}: ${Array.isArray(value)
    ? `[\n${value.map((item) => `    ${JSON.stringify(item)}`).join(',\n')}\n  ]` : JSON.stringify(value)}`);
  return `{\n${fields.join(',\n')}\n}`;
}

/**
 * The same bake as shell commands.
 * @param {Document} document @param {SnippetLevel} level @returns {string}
 */
export function commandSnippet(document, { file }) {
  const placed = itemsOf(document);
  const stem = stemOf(file);
  const { upAxis, flip, ...sizes } = { ...AS_IS, ...document.level.import };
  const isConverted = flip || factorOf({ upAxis, flip, ...sizes }) !== 1;
  const { links, ...fields } = changedFields(document);
  const [words, lines] = [['npx walkmesh bake', shellWord(isConverted ? `${stem}.obj` : file), '-o', shellWord(`${stem}.walkmesh`)], /** @type {string[]} */ ([])];
  if (isConverted) lines.push('# The command line has no units, scale or flip: Download level makes this file.');
  else if (upAxis === 'z') words.push('--up-axis z');
  for (const [name, value] of Object.entries(fields)) words.push(option(name, value));
  if (links) {
    const json = shellWord(`${stem}.links.json`);
    words.push(`--config ${json}`);
    lines.push(`cat > ${json} <<'JSON'`, itemsJson({ links: shortened(links) }), 'JSON');
  }
  if (document.forbiddenLinks.length + document.pinnedLinks.length > 0) lines.push('# The command line has no forbidden or pinned links: use the JavaScript for them.');
  if (document.doors.length > 0) lines.push('# The command line has no doors: use the JavaScript for them.');
  if (Object.keys(placed).length > 0) {
    const json = shellWord(`${stem}.placed.json`);
    words.push(`--placed ${json}`);
    lines.push(`cat > ${json} <<'JSON'`, itemsJson(placed), 'JSON');
  }
  return [...lines, ...wrapCommand(words), ''].join('\n');
}

/** @param {string[]} words */
function wrapCommand(words) {
  const lines = [''];
  for (const word of words) {
    const last = lines[lines.length - 1];
    if (last.length + word.length > 96) {
      lines[lines.length - 1] += ' \\';
      lines.push(`  ${word}`);
    } else {
      lines[lines.length - 1] += `${last ? ' ' : ''}${word}`;
    }
  }
  return lines;
}
