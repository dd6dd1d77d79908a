// The pages in the package: their links, their pictures and the messages that name a page lead to files of the package.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { test } from 'node:test';
import { findAddressProblems } from '../../scripts/address.js';
import { ROOT, pack } from './install.js';

const read = (path) => readFileSync(join(ROOT, path), 'utf8');

/** The anchors of a page's headings. @param {string} path */
const anchorsOf = (path) => [...read(path).matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
  heading.toLowerCase().replace(/[^\w\- ]/g, '').replace(/ /g, '-'));

/** Why `page.md#anchor`, from the root of the package, leads nowhere; undefined if it leads somewhere. */
function findDeadEnd(link, { files } = pack()) {
  const [path, anchor] = link.split('#');
  const isFolder = files.some((file) => file.startsWith(`${path}/`));
  if (!files.includes(path) && !isFolder) return `${path} is not in the package`;
  if (anchor && !anchorsOf(path).includes(anchor)) return `${path} has no heading ${anchor}`;
  return undefined;
}

test('pages of the package: links and pictures lead to files of the package', () => {
  const pages = pack().files.filter((path) => path.endsWith('.md'));
  for (const page of ['README.md', 'docs/README.md', 'docs/getting-started.md', 'docs/migration.md']) assert.ok(pages.includes(page), page);
  const dead = pages.flatMap((page) => [...read(page).matchAll(/\]\((?!https?:)([^)\s]+)\)/g)]
    .map(([, link]) => (link.startsWith('#') ? page + link : posix.join(dirname(page), link)))
    .map((link) => findDeadEnd(link)).filter((problem) => problem).map((problem) => `${page}: ${problem}`));
  assert.deepEqual(dead, []);
  assert.equal(findDeadEnd('docs/defects.md'), 'docs/defects.md is not in the package');
  assert.equal(findDeadEnd('docs/queries.md#nothing'), 'docs/queries.md has no heading nothing');
});

/** The pages that lines of the sources in `folders` name. @param {string[]} folders @param {(line: string) => boolean} choose */
function pagesNamedIn(folders, choose) {
  const sources = folders.flatMap((folder) => readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.(js|c|h)$/.test(path)).map((path) => posix.join(folder, path)));
  return sources.flatMap((path) => read(path).split('\n').filter(choose)
    .flatMap((line) => [...line.matchAll(/\bdocs\/[\w/-]+\.md(?:#[\w-]+)?/g)].map(([link]) => ({ path, link }))));
}

const isComment = (line) => /^\s*(\*|\/\/|\/\*)/.test(line);

test('pages of the package: messages, and comments of js/, name pages and headings that are there', () => {
  const named = [...pagesNamedIn(['js'], () => true), ...pagesNamedIn(['src', 'wasm'], (line) => !isComment(line))];
  assert.ok(named.some(({ path }) => path.startsWith('js/')));
  assert.deepEqual(named.map(({ path, link }) => ({ path, problem: findDeadEnd(link) })).filter(({ problem }) => problem), []);
});

test('comments of the core, which is not in the package, name pages of the repository that are there', () => {
  const named = pagesNamedIn(['src', 'wasm'], isComment);
  assert.ok(named.some(({ link }) => link.startsWith('docs/lab/')));
  assert.deepEqual(named.filter(({ link }) => !existsSync(join(ROOT, link.split('#')[0]))), []);
});

test('pages of the package: notes on speed stay in the repository', () => {
  assert.deepEqual(pack().files.filter((path) => path.startsWith('docs/lab')), []);
});

test('pages of the package: pictures of the level tool stay out, so that the package stays light', () => {
  const images = pack().files.filter((path) => path.startsWith('docs/images/'));
  assert.deepEqual(images, ['docs/images/path-1024.png']);
});

test('the address: publishing fails while the placeholder stands, and names the fields', () => {
  const manifest = JSON.parse(read('package.json'));
  assert.equal(manifest.scripts.prepublishOnly, 'node scripts/address.js');
  const filled = JSON.parse(read('package.json').replaceAll('/OWNER/', '/someone/'));
  assert.deepEqual(findAddressProblems(filled), []);
  const placeholder = JSON.parse(read('package.json').replaceAll(/github\.com\/[^/]+\//g, 'github.com/OWNER/'));
  assert.deepEqual(findAddressProblems(placeholder).map((problem) => problem.split(' ')[0]), ['homepage', 'repository.url', 'bugs.url']);
  assert.deepEqual(findAddressProblems({ ...filled, homepage: undefined }), ['homepage is missing']);
  assert.match(findAddressProblems({ ...filled, bugs: { url: 'https://elsewhere.example/issues' } }).join(), /must begin with https:\/\/github.com\/someone\/walkmesh\//);
});

test('the address: the check fails or warns as package.json says', () => {
  const isFilled = findAddressProblems(JSON.parse(read('package.json'))).length === 0;
  const run = (...args) => spawnSync(process.execPath, [join(ROOT, 'scripts', 'address.js'), ...args], { encoding: 'utf8' });
  assert.equal(run().status, isFilled ? 0 : 1);
  const warned = run('--warn');
  assert.equal(warned.status, 0);
  assert.equal(warned.stderr === '', isFilled, warned.stderr);
});
