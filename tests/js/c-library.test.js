// The C library as its users get it (docs/c-api.md), installed from the build of gcc: its headers alone and beside others of the same
// names, as C and as C++; its symbols; the program of the page, linked in every way that the page names.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { load } from '../../js/index.js';
import { readBlocks } from './snippets.js';
import { ROOT, readScene } from './support.js';

const BUILD = join(ROOT, 'build', 'test-gcc');
const skip = existsSync(join(BUILD, 'libwalkmesh.so')) ? false : 'no native build of gcc: npm test makes it';
const WARNINGS = ['-Wall', '-Wextra', '-Wpedantic', '-Wshadow', '-Werror'];

const page = readFileSync(join(ROOT, 'docs', 'c-api.md'), 'utf8');
/** The blocks of a language. @param {string} language @param {number} count */
function blocksOf(language, count) {
  const found = readBlocks(page).filter((block) => block.language === language);
  assert.equal(found.length, count, `${found.length} blocks of ${language}`);
  return found.map((block) => `${block.lines.join('\n')}\n`);
}
const [PROGRAM, ADD_LINKS] = blocksOf('c', 2);

const base = mkdtempSync(join(tmpdir(), 'walkmesh-c-library-'));
const prefix = join(base, 'prefix'), include = join(prefix, 'include'), lib = join(prefix, 'lib');
after(() => rmSync(base, { recursive: true, force: true }));

const env = { ...process.env, PKG_CONFIG_PATH: join(lib, 'pkgconfig'), LD_LIBRARY_PATH: lib };
/** Runs a command; throws with its output. @param {string} folder @param {string} command @param {string[]} args */
function run(folder, command, ...args) {
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd: folder, encoding: 'utf8', env });
  assert.ok(!error && status === 0, `${command} ${args.join(' ')}: ${error?.message ?? ''}${stdout}${stderr}`);
  return stdout;
}

/** A new folder with the page's program and a level. @param {string} name @param {string} [source] */
function makeProject(name, source = 'main.c') {
  const folder = join(base, name);
  mkdirSync(folder);
  writeFileSync(join(folder, source), PROGRAM);
  cpSync(join(ROOT, 'tests', 'scenes', 'plaza.obj'), join(folder, 'level.obj'));
  return folder;
}

const walkmesh = await load();
/** The bytes of a mesh's tiles. @param {import('../../js/index.js').NavMesh} navMesh */
const tilesOf = (navMesh) => Array.from(navMesh.tileRefs(), (ref) => navMesh.tileBytes(ref));

/** The path and the tiles that the page's program must find. */
function bakeInJavaScript() {
  const { navMesh } = walkmesh.bake(readScene('plaza'), { tileSize: 64 });
  const { status, points } = navMesh.findPath([2, 0, 2], [38, 0, 38]);
  const tiles = tilesOf(navMesh);
  navMesh.free();
  return { status, points, tiles };
}
const expected = bakeInJavaScript();

before(() => { if (!skip) run(ROOT, 'cmake', '--install', BUILD, '--prefix', prefix); });

/** Runs the program: it prints the path that JavaScript finds, and saves the same tiles. @param {string} folder @param {string} program */
function checkProgram(folder, program) {
  rmSync(join(folder, 'level.walkmesh'), { force: true });
  const [status, ...rows] = run(folder, program).trim().split('\n');
  assert.equal(status, expected.status);
  assert.deepEqual(Float32Array.from(rows.join(' ').split(' '), Number), expected.points);
  const saved = walkmesh.loadNavMesh(readFileSync(join(folder, 'level.walkmesh')));
  assert.deepEqual(tilesOf(saved), expected.tiles);
  assert.ok(expected.points.length >= 6 && expected.tiles.length === 9, `${expected.points.length}, ${expected.tiles.length}`);
  saved.free();
}

const linksShared = (folder, program) => run(folder, 'ldd', program).includes('libwalkmesh.so.0.1 => ' + lib);

const headers = () => readdirSync(join(include, 'walkmesh'), { recursive: true }).filter((name) => name.endsWith('.h')).sort();

test('C library: the installed headers are those that walkmesh.h includes', { skip }, () => {
  const listed = [...readFileSync(join(ROOT, 'src', 'walkmesh.h'), 'utf8').matchAll(/^#include "([^"]+)"/gm)].map(([, path]) => path);
  assert.deepEqual(headers(), [...listed, 'walkmesh.h'].sort());
});

for (const [language, compiler, standard, suffix] of [['C', 'gcc', 'c17', 'c'], ['C++', 'g++', 'c++17', 'cpp'], ['C++ of clang', 'clang++', 'c++17', 'cpp']]) {
  test(`C library: each public header compiles alone as ${language}, beside other headers of the same names`, { skip }, () => {
    const folder = join(base, standard + compiler), others = join(folder, 'others');
    const files = headers().map((header, i) => {
      mkdirSync(dirname(join(others, header)), { recursive: true });
      writeFileSync(join(others, header), '#error "another library\'s header was included"\n');
      writeFileSync(join(folder, `${i}.${suffix}`), `#include <walkmesh/${header}>\nint main() { return 0; }\n`.replace('()', suffix === 'c' ? '(void)' : '()'));
      return `${i}.${suffix}`;
    });
    run(folder, compiler, `-std=${standard}`, '-fsyntax-only', ...WARNINGS, `-I${others}`, `-I${include}`, ...files);
  });
}

/** Names of symbols that a library defines for others. @param {string} file @param {...string} options of nm */
const symbolsOf = (file, ...options) => [...run(lib, 'nm', '--defined-only', ...options, file).matchAll(/^[0-9a-f]+ [A-TV-Z] (\w+)$/gm)].map(([, name]) => name);

/** The functions and variables that the public headers declare, by gcc's own list of them (-aux-info). */
function findDeclared() {
  const folder = join(base, 'declared');
  mkdirSync(folder);
  writeFileSync(join(folder, 'all.c'), '#include <walkmesh/walkmesh.h>\n');
  run(folder, 'gcc', '-std=c17', '-fsyntax-only', '-aux-info', 'list', `-I${include}`, 'all.c');
  const rows = readFileSync(join(folder, 'list'), 'utf8').split('\n').filter((row) => row.includes(`${include}/walkmesh/`));
  const functions = rows.filter((row) => !/\*\/ static /.test(row)).map((row) => /\b(wm_\w+) \(/.exec(row)[1]);
  const text = headers().map((header) => readFileSync(join(include, 'walkmesh', header), 'utf8')).join('\n');
  return [...functions, ...[...text.matchAll(/^extern const \w+ (\w+)/gm)].map(([, name]) => name)].sort();
}

test('C library: the shared library exports what the public headers declare, and nothing else', { skip }, () => {
  const exported = symbolsOf('libwalkmesh.so', '--dynamic').sort();
  assert.ok(exported.length > 250, `${exported.length} symbols`);
  assert.deepEqual(exported, findDeclared());
});

test('C library: every symbol of the static library begins with wm_ or WM_', { skip }, () => {
  const names = symbolsOf('libwalkmesh.a', '--extern-only');
  assert.ok(names.length > 400, `${names.length} symbols`);
  assert.deepEqual(names.filter((name) => !/^(wm|WM)_/.test(name)), []);
});

test('C library: its versions are those of package.json', { skip }, () => {
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const [major, minor] = version.split('.');
  assert.equal(run(lib, 'pkg-config', '--modversion', 'walkmesh').trim(), version);
  assert.ok(existsSync(join(lib, `libwalkmesh.so.${version}`)));
  assert.match(run(lib, 'readelf', '--dynamic', 'libwalkmesh.so'), new RegExp(`soname: \\[libwalkmesh\\.so\\.${major === '0' ? `0.${minor}` : major}\\]`));
  assert.ok(page.includes(`find_package(walkmesh ${major}.${minor} REQUIRED)`));
});

/** Builds the page's program as the page says, by CMake. */
function buildByCMake(folder, cmakeLists, shared) {
  writeFileSync(join(folder, 'CMakeLists.txt'), cmakeLists);
  run(folder, 'cmake', '-S', '.', '-B', 'build', `-DCMAKE_PREFIX_PATH=${prefix}`, `-DBUILD_SHARED_LIBS=${shared ? 'ON' : 'OFF'}`);
  run(folder, 'cmake', '--build', 'build');
}

for (const shared of [false, true]) {
  test(`C library: the page's program runs, by find_package, ${shared ? 'shared' : 'static'}`, { skip }, () => {
    const folder = makeProject(`cmake-${shared}`);
    buildByCMake(folder, blocksOf('cmake', 1)[0], shared);
    checkProgram(folder, './build/example');
    assert.equal(linksShared(folder, './build/example'), shared);
  });
}

test('C library: the page\'s links are put into its program\'s mesh', { skip }, () => {
  const folder = makeProject('links');
  const source = PROGRAM.replace('int main(void) {', `${ADD_LINKS}\nint main(void) {`)
    .replace('  WmQuery *query;', `  check(context, add_links(context, &config, &input, mesh));
  printf("%zu\\n", wm_mesh_segment_link_count(mesh));
  return 0;
  WmQuery *query;`);
  writeFileSync(join(folder, 'main.c'), source);
  run(folder, 'gcc', '-std=c17', '-O1', ...WARNINGS, `-I${include}`, 'main.c', join(lib, 'libwalkmesh.a'), '-lm', '-o', 'example');
  const count = Number(run(folder, './example'));
  assert.ok(count > 10, `${count} links`);
});

test('C library: the page\'s program runs as C++, by find_package', { skip }, () => {
  const folder = makeProject('cmake-cpp', 'main.cpp');
  const cmakeLists = blocksOf('cmake', 1)[0].replace('(example C)', '(example CXX)\nset(CMAKE_CXX_STANDARD 17)').replace('main.c', 'main.cpp');
  buildByCMake(folder, cmakeLists, false);
  checkProgram(folder, './build/example');
});

const COMMANDS = readBlocks(page).filter(({ language }) => language === 'sh').flatMap(({ lines }) => lines).filter((line) => /^c(c|\+\+) /.test(line));

test('C library: the page has a command for the shared and the static library and for C++', () => assert.equal(COMMANDS.length, 3));

for (const [i, command] of COMMANDS.entries()) {
  test(`C library: ${command}`, { skip }, () => {
    const folder = makeProject(`command-${i}`);
    run(folder, 'sh', '-c', command.replace(' main.c ', ` ${WARNINGS.join(' ')} main.c `));
    checkProgram(folder, './example');
    assert.equal(linksShared(folder, './example'), !command.includes('libwalkmesh.a'));
  });
}

test('C library: a version of another minor number is refused', { skip }, () => {
  const folder = makeProject('other-version');
  const cmakeLists = blocksOf('cmake', 1)[0].replace('walkmesh 0.1', 'walkmesh 0.2');
  assert.throws(() => buildByCMake(folder, cmakeLists, false), /compatible with requested version "0\.2"/);
});

test('C library: without the tests, the project has the library\'s targets only', { skip }, () => {
  const folder = join(base, 'no-tests');
  execFileSync('cmake', ['-S', ROOT, '-B', folder, '-DWALKMESH_TESTS=OFF'], { stdio: 'pipe' });
  const targets = [...run(folder, 'cmake', '--build', '.', '--target', 'help').matchAll(/^\.\.\. (\w+)$/gm)].map(([, name]) => name)
    .filter((name) => name.startsWith('walkmesh'));
  assert.deepEqual(targets.sort(), ['walkmesh', 'walkmesh_public_headers', 'walkmesh_shared']);
});
