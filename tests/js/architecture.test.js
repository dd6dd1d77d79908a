// The dependencies between folders, in `allowed` below: no folder includes any other, and no folder includes an internal
// header of another one.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** The folders that a folder of src/ may include, besides itself. */
const allowed = {
  base: [],
  bake: ['base'],
  mesh: ['base'],
  query: ['base', 'mesh'],
  clearance: ['base', 'mesh', 'query'],
  crowd: ['base', 'mesh', 'query', 'clearance'],
  links: ['base', 'bake', 'mesh'],
  dynamic: ['base', 'bake', 'mesh', 'links'],
};

const folders = readdirSync(join(root, 'src'), { withFileTypes: true }).filter((entry) => entry.isDirectory()).map(({ name }) => name);
const sources = (folder) => readdirSync(join(root, folder), { recursive: true }).filter((name) => /\.[ch]$/.test(name));

for (const folder of folders) {
  test(`src/${folder} includes only what it may`, () => {
    assert.ok(folder in allowed, `src/${folder} is not in the design`);
    for (const name of sources(`src/${folder}`)) {
      const text = readFileSync(join(root, 'src', folder, name), 'utf8');
      for (const [, path] of text.matchAll(/^#include "([^"]+)"/gm)) {
        const target = path.split('/')[0];
        assert.ok(existsSync(join(root, 'src', path)), `${name}: ${path} is written from src/`);
        assert.ok(target === folder || allowed[folder].includes(target), `src/${folder}/${name} includes ${path}`);
        assert.ok(target === folder || !path.endsWith('_internal.h'), `src/${folder}/${name} includes ${path}, which is internal`);
      }
    }
  });
}

test('the C core includes nothing but libc, libm and, in base/simd/simd_*.h, SIMD intrinsics', () => {
  const standard = /^(assert|errno|float|limits|math|stdbool|stddef|stdint|stdlib|string)\.h$/;
  /** The only file that may include each of these headers. */
  const others = {
    'wasm_simd128.h': 'base/simd/simd_wasm.h', 'emmintrin.h': 'base/simd/simd_sse2.h', 'arm_neon.h': 'base/simd/simd_neon.h',
    'stdio.h': 'base/debug/assert.c', 'sanitizer/asan_interface.h': 'base/debug/red_zone.h', // neither in release builds
  };
  const found = new Set();
  for (const path of readdirSync(join(root, 'src'), { recursive: true }).filter((name) => /\.[ch]$/.test(name))) {
    const text = readFileSync(join(root, 'src', path), 'utf8');
    for (const [, header] of text.matchAll(/^\s*#\s*include <([^>]+)>/gm)) {
      if (standard.test(header)) continue;
      assert.equal(path, others[header], `src/${path} includes ${header}`);
      found.add(header);
    }
    for (const [, header] of text.matchAll(/^#include "(base\/simd\/[^"]+)"/gm)) {
      assert.equal(path, join('base', 'simd.h'), `src/${path} includes ${header}: include base/simd.h`);
    }
    if (/^base.simd.simd_/.test(path)) continue;
    const [intrinsic] = /\b(_mm_|wasm_[ifuv]\d|v(ld|st)\d|__wasm_simd128__|__SSE|__ARM_NEON|__builtin_ia32)\w*/.exec(text) ?? [];
    if (path !== join('base', 'simd.h')) assert.equal(intrinsic, undefined, `src/${path} uses ${intrinsic}: that belongs to base/simd/simd_*.h`);
  }
  assert.deepEqual([...found].sort(), Object.keys(others).sort());
});

/** The headers that a header includes, as paths from src/. @param {string} path */
const includesOf = (path) => [...readFileSync(join(root, 'src', path), 'utf8').matchAll(/^#include "([^"]+)"/gm)].map(([, target]) => target);

test('the top of src/ holds walkmesh.h, which includes the public headers, and walkmesh.c', () => {
  assert.deepEqual(sources('src').filter((name) => !name.includes('/')).sort(), ['walkmesh.c', 'walkmesh.h']);
});

test('walkmesh.h includes exactly the headers whose declarations are marked as public, and what those include', () => {
  const listed = includesOf('walkmesh.h');
  const isMarked = (path) => /^WM_PUBLIC_BEGIN$[^]*^WM_PUBLIC_END$/m.test(readFileSync(join(root, 'src', path), 'utf8'));
  const marked = sources('src').filter((name) => name.endsWith('.h') && isMarked(name));
  const macros = ['base/inline.h', 'base/public.h'];
  assert.deepEqual(listed.toSorted(), [...marked.filter((name) => name !== 'walkmesh.h'), ...macros].sort());
  assert.ok(marked.includes('walkmesh.h') && marked.length > 30, `${marked.length} public headers`);
  for (const path of listed) {
    assert.doesNotMatch(path, /_internal/);
    for (const target of includesOf(path)) assert.ok(listed.includes(target), `${path} is public and includes ${target}, which is not`);
  }
});

test('the map at the top of walkmesh.h names every public header that declares functions', () => {
  const head = /\/\*[^]*?\*\//.exec(readFileSync(join(root, 'src', 'walkmesh.h'), 'utf8'))[0];
  for (const path of includesOf('walkmesh.h').filter((one) => !one.startsWith('base/'))) {
    const folder = `${dirname(path)}/...`;
    assert.ok(head.includes(path) || head.includes(folder) || new RegExp(`\\b${path.split('/').at(-1)}\\b`).test(head), `${path} is not on the map`);
  }
});

test('wasm/ includes public headers only', () => {
  for (const name of sources('wasm')) {
    // Exempt: one file defines the internal functions of the files of src/bake and src/query that the core module leaves out;
    // the other is in no module: the compiler prints layouts from it.
    if (name === 'core_absent.c' || name === 'layout.c') continue;
    const text = readFileSync(join(root, 'wasm', name), 'utf8');
    for (const [, path] of text.matchAll(/^#include "([^"]+)"/gm)) {
      assert.doesNotMatch(path, /internal/, `wasm/${name} includes ${path}`);
    }
  }
});

/**
 * The modules of js/ that a folder may import, besides its own: folders, or single modules. An entry (a module of package.json's
 * exports, or the command) may import any folder. js/README.md has the same map.
 */
const allowedImports = {
  runtime: [],
  input: ['runtime'],
  caches: ['runtime'],
  query: ['runtime'],
  crowd: ['query', 'input', 'runtime'],
  workers: ['input', 'runtime'],
  mesh: ['crowd', 'query', 'input', 'runtime'],
  bake: ['mesh', 'query/graph-bytes.js', 'workers', 'caches', 'input', 'runtime'],
  check: ['bake', 'mesh', 'input', 'runtime'],
  explain: ['bake', 'mesh', 'query', 'input', 'runtime'],
  dynamic: ['bake', 'mesh', 'workers', 'input', 'runtime'],
  streaming: ['dynamic', 'bake', 'mesh', 'workers', 'runtime'],
  level: ['input', 'runtime'],
  node: ['caches', 'runtime'],
  three: ['index.js', 'bake/stage-frame.js', 'crowd/agent-states.js', 'input/kept-warnings.js', 'mesh', 'runtime'],
  'recast-navigation': ['index.js', 'mesh', 'query', 'runtime'],
  'recast-navigation-three': ['recast-navigation'],
  cli: ['index.js', 'bake/bake-limits.js', 'mesh/file-types.js', 'check', 'level', 'input', 'runtime'],
};

/** Packages that a folder may import. */
const allowedPackages = {
  level: [/^@gltf-transform\/(core|extensions)$/, /^node:(fs\/promises|path)$/],
  cli: [/^(commander|cli-progress)$/, /^node:(crypto|fs|fs\/promises|path|v8)$/],
  node: [/^node:(fs|path)$/],
  three: [/^three$/],
  'recast-navigation-three': [/^three$/],
};

/** The one internal module at the top of js/: its relative paths work only at this depth. */
const INTERNAL_AT_THE_TOP = ['loader.js'];

const modules = readdirSync(join(root, 'js'), { recursive: true }).filter((name) => name.endsWith('.js')).map((name) => name.replaceAll('\\', '/'));
const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const entries = new Set(['cli.js', ...Object.values(exports).flatMap((entry) => (
  entry.default?.startsWith('./js/') ? [entry.default.slice('./js/'.length)] : []))]);
const folderOf = (module) => (module.includes('/') ? module.split('/')[0] : '');

/** The modules imported at run time: specifiers of import, export from and import(). Types in comments are ignored. */
function importsOf(module) {
  const text = readFileSync(join(root, 'js', module), 'utf8').replace(/\/\*\*?[^]*?\*\//g, '');
  return [...text.matchAll(/^(?:import|export)\s[^;]*?from\s+'([^']+)'/gm), ...text.matchAll(/^import\s+'([^']+)'/gm),
    ...text.matchAll(/\bimport\(\s*'([^']+)'\s*\)/g)].map(([, from]) => from);
}

test('js: the entries are the modules at the top, index.js of folders, and the worker', () => {
  const expected = modules.filter((name) => (!name.includes('/') && !INTERNAL_AT_THE_TOP.includes(name)) || /^[^/]+\/index\.js$/.test(name));
  assert.deepEqual([...entries].sort(), [...expected, 'workers/worker.js'].sort());
});

for (const folder of readdirSync(join(root, 'js'), { withFileTypes: true }).filter((entry) => entry.isDirectory()).map(({ name }) => name)) {
  test(`js/${folder} imports only what it may`, () => {
    assert.ok(folder in allowedImports, `js/${folder} is not in the map`);
    for (const module of modules.filter((name) => folderOf(name) === folder)) {
      for (const from of importsOf(module)) {
        if (!from.startsWith('.')) {
          assert.ok(allowedPackages[folder]?.some((pattern) => pattern.test(from)), `js/${module} imports ${from}`);
          continue;
        }
        const target = join(dirname(module), from).replaceAll('\\', '/');
        assert.ok(modules.includes(target), `js/${module}: ${from} does not exist`);
        if (entries.has(module) || folderOf(target) === folder) continue;
        assert.ok([folderOf(target), target].some((name) => allowedImports[folder].includes(name)), `js/${module} imports ${from}`);
      }
    }
  });
}

test('js: the modules at the top import no package', () => {
  for (const module of modules.filter((name) => !name.includes('/'))) {
    for (const from of importsOf(module)) assert.match(from, /^\.\//, `js/${module} imports ${from}`);
  }
});

test('js: imports between folders have no cycle', () => {
  const done = new Set();
  const visit = (folder, path) => {
    assert.ok(!path.includes(folder), `${[...path, folder].join(' -> ')}`);
    if (done.has(folder)) return;
    for (const next of allowedImports[folder]) if (next in allowedImports) visit(next, [...path, folder]);
    done.add(folder);
  };
  for (const folder of Object.keys(allowedImports)) visit(folder, []);
});

test('js/README.md names every folder with the folders it may import', () => {
  const text = readFileSync(join(root, 'js', 'README.md'), 'utf8');
  const rows = Object.fromEntries([...text.matchAll(/^\| `([\w-]+)\/` \|[^|]*\| ([^|]*) \|$/gm)].map(([, folder, list]) => (
    [folder, list.trim() === '' || list.trim() === 'nothing' ? [] : [...list.matchAll(/`([^`]+)`/g)].map(([, name]) => name.replace(/\/$/, ''))])));
  assert.deepEqual(rows, allowedImports);
});

test('the level tool and the examples use the package through its public entry points', () => {
  const entryNames = new Set(Object.keys(exports).map((name) => `walkmesh${name.slice(1)}`));
  const files = ['src', 'examples'].flatMap((folder) => (existsSync(join(root, 'web-demo', folder))
    ? readdirSync(join(root, 'web-demo', folder), { recursive: true }).map((name) => join('web-demo', folder, name)) : []))
    .filter((name) => /\.(m?js|html)$/.test(name));
  assert.ok(files.includes(join('web-demo', 'src', 'main.js')));
  for (const name of files) {
    const text = readFileSync(join(root, name), 'utf8');
    for (const [, from] of text.matchAll(/(?:from|import|new URL)\s*\(?'([^']+)'/g)) {
      if (from.startsWith('walkmesh')) assert.ok(entryNames.has(from), `${name} imports ${from}`);
      else assert.doesNotMatch(from, /(^|\/)\.\.\/(js|src|wasm|dist)\//, `${name} imports ${from}`);
    }
  }
});
