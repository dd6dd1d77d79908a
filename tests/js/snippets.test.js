// The examples of README.md and docs/ work: code blocks run or are type-checked, commands run. See snippets.js.
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { checkSnippets, makeSnippetFolder, readBlocks, removeSnippetFolder, runCommands, runSnippets } from './snippets.js';
import { ROOT } from './support.js';

/** tests/js/c-library.test.js runs `c` and `cmake`. */
const LANGUAGES = ['js', 'jsx', 'ts', 'sh', 'html', 'json', 'text', 'c', 'cmake'];
const pages = Object.fromEntries(['README.md', ...readdirSync(join(ROOT, 'docs'))
  .filter((name) => name.endsWith('.md')).map((name) => join('docs', name))]
  .map((path) => [path.replace(/\W+/g, '-'), readFileSync(join(ROOT, path), 'utf8')]));

let folder = '';
before(() => { folder = makeSnippetFolder(); });
after(() => removeSnippetFolder(folder));

for (const [name, markdown] of Object.entries(pages)) {
  const blocks = readBlocks(markdown);
  test(`${name}: every block says its language`, () => {
    for (const { language, line } of blocks) assert.ok(LANGUAGES.includes(language), `line ${line}: ${language || 'none'}`);
    assert.doesNotMatch(markdown, /^ +```/m, 'blocks begin at the start of a line, so that they are found');
  });
  if (blocks.some(({ language, notRun }) => language === 'js' && !notRun)) {
    test(`${name}: code blocks run`, () => { runSnippets(folder, name, markdown); });
  }
  if (blocks.some(({ language }) => language === 'sh')) {
    test(`${name}: commands run`, () => { runCommands(folder, name, markdown); });
  }
}

test('the README has code and commands that run', () => {
  const blocks = readBlocks(pages['README-md']);
  assert.ok(blocks.filter(({ language, notRun }) => language === 'js' && !notRun).length >= 1);
  assert.ok(blocks.some(({ language, lines }) => language === 'sh' && lines.some((line) => line.startsWith('npx walkmesh '))));
});

const page = (code, language = 'js', above = '') => `# Title\n\n${above}\n\`\`\`${language}\n${code}\n\`\`\`\n`;

test('all code blocks of all pages pass the type checker; a block that is not run fails where its types are wrong', () => {
  const unrun = page('document.body.append(String(navMesh.findPth()));', 'js', '<!-- not run: needs a page -->');
  assert.equal(runSnippets(folder, 'unrun', unrun), 0);
  // One run of the compiler for both halves the time.
  const complaints = checkSnippets(folder, { ...pages, unrun });
  assert.deepEqual(complaints.filter((line) => !line.startsWith('unrun(')), []);
  const [complaint, ...more] = complaints;
  assert.match(complaint, /^unrun\(5,\d+\): error TS2551: Property 'findPth' does not exist/);
  assert.deepEqual(more, []);
});

test('a broken block fails, with the page and the line', () => {
  assert.equal(runSnippets(folder, 'good', page("import { Random } from 'walkmesh';\nnew Random(1);") + page('const walkmesh = positions;')), 2);
  assert.throws(() => runSnippets(folder, 'broken', page('navMesh.height(1);\nnavMesh.findPth([0, 0, 0]);')), /broken/);
  assert.throws(() => runSnippets(folder, 'broken', page('\nnavMesh.findPth([0, 0, 0]);')), /broken:6[\s\S]*findPth is not a function/);
  assert.throws(() => runSnippets(folder, 'broken', page('const = 1;')), /broken:5[\s\S]*SyntaxError/);
});

test('a broken command fails, and an npm script that does not exist', () => {
  assert.equal(runCommands(folder, 'good', page('npm test\nnpx walkmesh --version   # says it', 'sh')), 1);
  assert.throws(() => runCommands(folder, 'broken', page('npx walkmesh bakke level.obj', 'sh')), /broken:5: npx walkmesh bakke/);
  assert.throws(() => runCommands(folder, 'broken', page('npm run nothing', 'sh')), /there is no script nothing/);
});
