// The arrows of the folders, in `allowed` below: no folder includes anything else, and no folder includes an internal
// header of another one.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Which folders of src/ a folder may include, itself apart. */
const allowed = {
  base: [],
  bake: ['base'],
  mesh: ['base'],
  query: ['base', 'mesh'],
  crowd: ['base', 'mesh', 'query'],
  dynamic: ['base', 'bake', 'mesh'],
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
      }
    }
  });
}

test('the C core includes nothing but libc, libm and, in base/simd_*.h, SIMD intrinsics', () => {
  const standard = /^(assert|errno|float|limits|math|stdbool|stddef|stdint|stdlib|string)\.h$/;
  /** The only file that may include each other header. */
  const others = {
    'wasm_simd128.h': 'base/simd_wasm.h', 'emmintrin.h': 'base/simd_sse2.h', 'arm_neon.h': 'base/simd_neon.h',
    'stdio.h': 'base/assert.c', 'sanitizer/asan_interface.h': 'base/red_zone.h', // neither in release builds
  };
  const found = new Set();
  for (const path of readdirSync(join(root, 'src'), { recursive: true }).filter((name) => /\.[ch]$/.test(name))) {
    const text = readFileSync(join(root, 'src', path), 'utf8');
    for (const [, header] of text.matchAll(/^\s*#\s*include <([^>]+)>/gm)) {
      if (standard.test(header)) continue;
      assert.equal(path, others[header], `src/${path} includes ${header}`);
      found.add(header);
    }
    for (const [, header] of text.matchAll(/^#include "(base\/simd_[^"]+)"/gm)) {
      assert.equal(path, join('base', 'simd.h'), `src/${path} includes ${header}: include base/simd.h`);
    }
    if (/^base.simd_/.test(path)) continue;
    const [intrinsic] = /\b(_mm_|wasm_[ifuv]\d|v(ld|st)\d|__wasm_simd128__|__SSE|__ARM_NEON|__builtin_ia32)\w*/.exec(text) ?? [];
    if (path !== join('base', 'simd.h')) assert.equal(intrinsic, undefined, `src/${path} uses ${intrinsic}: that belongs to base/simd_*.h`);
  }
  assert.deepEqual([...found].sort(), Object.keys(others).sort());
});

test('wasm/ includes public headers only', () => {
  for (const name of sources('wasm')) {
    // Exempt: one defines the internal functions of those files of src/bake and src/query that the core module leaves out;
    // of the other, which is in no module, the compiler prints layouts.
    if (name === 'core_absent.c' || name === 'layout.c') continue;
    const text = readFileSync(join(root, 'wasm', name), 'utf8');
    for (const [, path] of text.matchAll(/^#include "([^"]+)"/gm)) {
      assert.doesNotMatch(path, /internal/, `wasm/${name} includes ${path}`);
    }
  }
});

test('the library (all but the command line and the readers of levels) imports no package', () => {
  const files = readdirSync(join(root, 'js')).filter((name) => name.endsWith('.js') && name !== 'cli.js');
  assert.ok(files.includes('index.js'));
  for (const name of files) {
    const text = readFileSync(join(root, 'js', name), 'utf8');
    for (const [, from] of text.matchAll(/^(?:import|export)\s[^;]*?from\s+'([^']+)'/gm)) {
      assert.match(from, /^\.{1,2}\//, `js/${name} imports ${from}`);
    }
  }
});

test('three is imported by js/three only, which imports nothing else', () => {
  const files = readdirSync(join(root, 'js'), { recursive: true }).filter((name) => name.endsWith('.js'));
  assert.ok(files.includes(join('three', 'index.js')));
  for (const name of files) {
    const isAdapter = name.startsWith('three');
    const text = readFileSync(join(root, 'js', name), 'utf8');
    for (const [, from] of text.matchAll(/^(?:import|export)\s[^;]*?from\s+'([^']+)'/gm)) {
      if (isAdapter) assert.match(from, /^(three$|\.{1,2}\/)/, `js/${name} imports ${from}`);
      else assert.doesNotMatch(from, /^three(\/|$)|\/three\//, `js/${name} imports ${from}`);
    }
  }
});

test('the level tool and the examples use the package through its public entry points', () => {
  const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const entries = new Set(Object.keys(exports).map((name) => `walkmesh${name.slice(1)}`));
  const files = ['src', 'examples'].flatMap((folder) => (existsSync(join(root, 'web-demo', folder))
    ? readdirSync(join(root, 'web-demo', folder), { recursive: true }).map((name) => join('web-demo', folder, name)) : []))
    .filter((name) => /\.(m?js|html)$/.test(name));
  assert.ok(files.includes(join('web-demo', 'src', 'main.js')));
  for (const name of files) {
    const text = readFileSync(join(root, name), 'utf8');
    for (const [, from] of text.matchAll(/(?:from|import|new URL)\s*\(?'([^']+)'/g)) {
      if (from.startsWith('walkmesh')) assert.ok(entries.has(from), `${name} imports ${from}`);
      else assert.doesNotMatch(from, /(^|\/)\.\.\/(js|src|wasm|dist)\//, `${name} imports ${from}`);
    }
  }
});
