/**
 * The code blocks of README.md and docs/*.md, as programs: all `js` blocks of a page run one after the other in one module,
 * each in a scope inside the scope of the block before, so that a block sees earlier declarations and may reuse names. The lines
 * of the module are the lines of the page, so errors name them. PRELUDE declares the names that the first block may use.
 *
 * A comment `<!-- not run: reason -->` right above a block says that the page needs something that tests lack: the block is only
 * type-checked. `ts` blocks are only type-checked. Lines of `sh` blocks that call walkmesh run in order, in the page's folder;
 * `npm run` must name a script.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './support.js';

/** The start of each page: an instance of the module, a level (a yard of 40 by 40 metres) and its navigation mesh. */
const PRELUDE = `import { readFile } from 'node:fs/promises';
import { load } from 'walkmesh';
import { parseObj } from ${JSON.stringify(join(ROOT, 'js', 'level', 'obj.js'))};
export const walkmesh = await load();
export const { positions, indices } = parseObj(await readFile(new URL('level.obj', import.meta.url)));
export const { navMesh } = walkmesh.bake({ positions, indices });
`;
/** Only the snippets are type-checked here: the package is imported with the same types, unchecked. */
const CHECKED = '// @ts-check';
const FIRST_LINE = "const { walkmesh, positions, indices, navMesh } = await import('./prelude.mjs');";

const LEVEL = 'plaza.obj';

/**
 * @typedef {object} Block
 * @property {string} language
 * @property {number} line of its first line, from 1
 * @property {string[]} lines
 * @property {string | null} notRun the reason why the block isn't run
 */

/** @param {string} markdown @returns {Block[]} */
export function readBlocks(markdown) {
  const lines = markdown.split('\n');
  /** @type {Block[]} */
  const blocks = [];
  for (let i = 0; i < lines.length; i++) {
    const fence = /^```(\w*)$/.exec(lines[i]);
    if (!fence) continue;
    const notRun = /^<!-- not run: (.+) -->$/.exec(lines[i - 1] ?? '');
    const end = lines.indexOf('```', i + 1);
    if (end < 0) throw new Error(`line ${i + 1}: the block does not end`);
    blocks.push({ language: fence[1], line: i + 2, lines: lines.slice(i + 1, end), notRun: notRun && notRun[1] });
    i = end;
  }
  return blocks;
}

/** Rewrites an import as declarations, which are allowed in a scope. @param {string} line */
function declareImport(line) {
  return line.replace(/^import (.+) from ('[^']+');/, (_, what, from) => {
    const all = /^\* as (\w+)$/.exec(what);
    const names = all ? all[1] : what.startsWith('{') ? what.replace(/,? type \w+/g, '').replace(/ as /g, ': ') : `{ default: ${what} }`;
    const types = [...what.matchAll(/\btype (\w+)/g)].map(([, name]) => ` type ${name} = import(${from}).${name};`);
    return `const ${names} = await import(${from});${types.join('')}`;
  });
}

/**
 * The blocks as a module with the line numbers of the page.
 * @param {Block[]} blocks
 */
function writeModule(blocks) {
  /** @type {string[]} */
  const lines = [CHECKED, FIRST_LINE];
  for (const block of blocks) {
    while (lines.length < block.line - 1) lines.push('');
    lines[block.line - 2] += ' {';
    lines.push(...block.lines.map(declareImport));
  }
  lines.push('}'.repeat(blocks.length), 'export {};', '');
  return lines.join('\n');
}

/** @param {Block[]} blocks @param {(block: Block) => boolean} choose */
const chosen = (blocks, choose) => blocks.filter((block) => ['js', 'ts'].includes(block.language) && choose(block));

/** Creates a folder inside the repository, where 'walkmesh' and 'three' resolve, and writes the level to it. */
export function makeSnippetFolder() {
  mkdirSync(join(ROOT, 'out'), { recursive: true });
  const folder = mkdtempSync(join(ROOT, 'out', 'snippets-'));
  copyFileSync(join(ROOT, 'tests', 'scenes', LEVEL), join(folder, 'level.obj'));
  writeFileSync(join(folder, 'prelude.mjs'), PRELUDE);
  return folder;
}

/** @param {string} folder */
export const removeSnippetFolder = (folder) => rmSync(folder, { recursive: true, force: true });

/**
 * Runs the js blocks of a page; throws an error with the printed text and the line of the page.
 * @param {string} folder @param {string} name of the page @param {string} markdown
 * @returns {number} how many blocks ran
 */
export function runSnippets(folder, name, markdown) {
  const blocks = chosen(readBlocks(markdown), (block) => block.language === 'js' && !block.notRun);
  if (blocks.length === 0) return 0;
  const file = join(folder, `${name}.mjs`);
  writeFileSync(file, writeModule(blocks));
  const run = spawnSync(process.execPath, [file], { cwd: folder, encoding: 'utf8', timeout: 60_000 });
  if (run.status !== 0) throw new Error(`${name}: ${(run.stderr || run.stdout).replaceAll(`${name}.mjs`, name)}`);
  return blocks.length;
}

/**
 * Runs the walkmesh commands of the sh blocks of a page.
 * @param {string} folder @param {string} name @param {string} markdown
 * @returns {number} how many ran
 */
export function runCommands(folder, name, markdown) {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  let count = 0;
  for (const { language, line, lines, notRun } of readBlocks(markdown)) {
    if (language !== 'sh') continue;
    lines.forEach((text, i) => {
      const command = text.replace(/\s+#.*$/, '').trim();
      const script = /^npm (?:run )?([\w-]+)/.exec(command)?.[1];
      const [, args] = /^npx walkmesh (.+)$/.exec(command) ?? [];
      if (script && !['init', 'install'].includes(script) && !Object.hasOwn(scripts, script)) {
        throw new Error(`${name}:${line + i}: there is no script ${script}`);
      }
      if (!args || notRun) return;
      const run = spawnSync(process.execPath, [join(ROOT, 'js', 'cli.js'), ...args.split(/\s+/)], { cwd: folder, encoding: 'utf8' });
      if (run.status !== 0) throw new Error(`${name}:${line + i}: ${command}: ${run.stderr || run.stdout}`);
      count++;
    });
  }
  return count;
}

/** Complaints of strict mode that a reader of a snippet expects: a query may find nothing, and the snippet shows the other case. */
const MAY_BE_NULL = /error TS(18047|2531): /;

/**
 * Type-checks every js and ts block of pages in strict mode, also the blocks that are not run.
 * @param {string} folder @param {Record<string, string>} pages name -> markdown
 * @returns {string[]} complaints, `page(line,column): ...`
 */
export function checkSnippets(folder, pages) {
  for (const [name, markdown] of Object.entries(pages)) {
    const blocks = readBlocks(markdown);
    const js = chosen(blocks, (block) => block.language === 'js');
    if (js.length > 0) writeFileSync(join(folder, `${name}.mjs`), writeModule(js));
    const ts = chosen(blocks, (block) => block.language === 'ts');
    if (ts.length > 0) writeFileSync(join(folder, `${name}.ts.mts`), writeModule(ts));
  }
  const entry = (/** @type {string} */ path) => [join(ROOT, 'js', path)];
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({
    extends: join(ROOT, 'tsconfig.json'),
    compilerOptions: {
      // Snippets are JavaScript: their own parameters have no types.
      checkJs: false, noImplicitAny: false,
      paths: {
        'walkmesh': entry('index.js'), 'walkmesh/inline': entry('index.js'), 'walkmesh/three': entry('three/index.js'),
        'walkmesh/level': entry('level/index.js'),
        'walkmesh/node': entry('node/index.js'), 'walkmesh/recast-navigation': entry('recast-navigation/index.js'),
      },
      typeRoots: [join(ROOT, 'node_modules', '@types')],
    },
    include: ['*.mjs', '*.mts'],
  }));
  try {
    const tsc = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
    execFileSync(process.execPath, [tsc, '-p', folder, '--noEmit', '--pretty', 'false'],
      { cwd: folder, encoding: 'utf8' });
    return [];
  } catch (error) {
    // Errors in the package are left out: `npm run typecheck` is stricter.
    return String(/** @type {any} */ (error).stdout).split('\n').filter((line) => /^[\w-]+(\.ts)?\.mjs\(|^[\w-]+\.ts\.mts\(/.test(line) && !MAY_BE_NULL.test(line))
      .map((line) => line.replace('.mjs(', '('));
  }
}
