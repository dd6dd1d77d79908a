// The package as users get it: its contents, its types, its command; publint and arethetypeswrong report no problem.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { test } from 'node:test';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { ROOT, makeProject, pack } from './install.js';

const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));

const BAKE = `import { NavError, load } from 'walkmesh';
const positions = Float32Array.of(0, 0, 0, 0, 0, 9, 9, 0, 9, 9, 0, 0);
const walkmesh = await load();
const { navMesh } = walkmesh.bake({ positions, indices: Uint32Array.of(0, 1, 2, 0, 2, 3) }, { cellSize: 0.2 });
const { load: loadInline } = await import('walkmesh/inline');
const copy = (await loadInline()).loadNavMesh(navMesh.save());
console.log(copy.findPath([1, 0, 1], [8, 0, 8]).status, NavError.name);`;

/** Uses a part that Node loads on first use: a crowd. */
const BUNDLED = `import { Crowd, load } from 'walkmesh/inline';
const { navMesh } = (await load()).bake({ positions: [0, 0, 0, 0, 0, 9, 9, 0, 9, 9, 0, 0], indices: [0, 1, 2, 0, 2, 3] });
const crowd = navMesh.createCrowd();
console.log(crowd instanceof Crowd, crowd.constructor === Crowd);`;

test('package: versions are pinned, and the lock file names no hosts', () => {
  const { dependencies, devDependencies } = manifest;
  for (const [name, version] of Object.entries({ ...dependencies, ...devDependencies })) {
    assert.match(version, /^(npm:[\w/@-]+@)?\d+\.\d+\.\d+$/, name);
  }
  assert.doesNotMatch(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'), /"resolved"/);
});

test('package: packing builds the modules and the types first', () => {
  assert.match(manifest.scripts.prepack, /&& node wasm\/build\.js && npm run types$/);
});

/** Copies declarations of three.js into a project, with the packages that they import beside them. @param {string} folder @param {string} name */
function linkThreeTypes(folder, name) {
  const modules = join(ROOT, 'node_modules');
  cpSync(join(modules, name), join(folder, 'node_modules', '@types', 'three'), { recursive: true });
  const { dependencies } = JSON.parse(readFileSync(join(modules, name, 'package.json'), 'utf8'));
  for (const needed of Object.keys(dependencies)) {
    const target = join(folder, 'node_modules', needed);
    if (!existsSync(target) && existsSync(join(modules, needed))) cpSync(join(modules, needed), target, { recursive: true });
  }
}

/** All files of an entry or a command. */
function listTargets(entry) {
  return typeof entry === 'string' ? [entry] : Object.values(entry).flatMap(listTargets);
}

/** All references of a file of ours: imports, and addresses of neighbouring files. */
function listReferences(path) {
  const text = readFileSync(join(ROOT, path), 'utf8').replaceAll('\\\n', '');
  const imports = text.matchAll(/(?:^|[;\n])\s*(?:import|export)\b[^;'"`()]*?["'](\.\.?\/[^"']+)["']|\bimport\(\s*["'](\.[^"']+)["']\s*\)/g);
  const urls = text.matchAll(/new URL\(\s*["'](\.[^"']+)["'],\s*import\.meta\.url\)/g);
  const required = text.matchAll(/\(import\.meta\.url\)\(\s*["'](\.[^"']+)["']\s*\)/g);
  const types = path.endsWith('.d.ts') ? text.matchAll(/import\(["'](\.[^"']+)["']\)/g) : [];
  return [...imports, ...urls, ...required, ...types].map(([, first, second]) => posix.join(dirname(path), first ?? second))
    .map((found) => (path.endsWith('.d.ts') ? found.replace(/\.js$/, '.d.ts') : found));
}

test('package: holds what its entries and its command need, and nothing else', () => {
  const { files } = pack();
  const wanted = new Set(['package.json', 'README.md', 'LICENSE', 'CHANGELOG.md']);
  const oneFile = [manifest.unpkg, manifest.jsdelivr, 'dist/level.min.js'];
  const queue = [...listTargets(manifest.exports), ...Object.values(manifest.bin), manifest.types, ...oneFile].map((path) => posix.normalize(path));
  for (let path = queue.pop(); path !== undefined; path = queue.pop()) {
    if (wanted.has(path)) continue;
    wanted.add(path);
    if (/\.(js|d\.ts)$/.test(path) && existsSync(join(ROOT, path))) queue.push(...listReferences(path));
  }
  assert.deepEqual([...wanted].filter((path) => !files.includes(path)).sort(), [], 'what is missing');
  // Types of required files, even if no entry's types lead to them.
  const source = (path) => path.replace(/^dist\/types\/(.*)\.d\.ts$/, 'js/$1.js');
  // tests/packaging/docs.test.js checks the pages.
  const isPage = (path) => path.startsWith('docs/');
  assert.deepEqual(files.filter((path) => !isPage(path) && !wanted.has(path) && !wanted.has(source(path))).sort(), [], 'what nothing needs');
  assert.ok(files.includes('dist/walkmesh.wasm') && files.includes('dist/walkmesh-scalar.wasm'));
});

test('package: publint finds nothing', async () => {
  const { messages } = await publint({ pack: { tarball: new Uint8Array(readFileSync(pack().tarball)).buffer }, strict: true });
  assert.deepEqual(messages.map((message) => formatMessage(message, manifest)), []);
});

test('package: arethetypeswrong finds nothing but that it is ESM, and entries that only exports know', async () => {
  const { problems, types } = await checkPackage(createPackageFromTarballData(readFileSync(pack().tarball)),
    { excludeEntrypoints: [/\.wasm$/, /\.json$/] });
  assert.notEqual(types, false);
  // Its profile for ESM-only packages: ignores require and the resolution before exports.
  const kept = problems.filter(({ resolutionKind }) => resolutionKind !== 'node10' && resolutionKind !== 'node16-cjs');
  assert.deepEqual(kept, []);
});

test('package: installed elsewhere it bakes and runs its command', () => {
  const folder = makeProject('command', { hasFiles: false });
  writeFileSync(join(folder, 'bake.js'), BAKE);
  assert.equal(execFileSync(process.execPath, ['bake.js'], { cwd: folder, encoding: 'utf8' }).trim(), 'complete NavError');
  const out = join(folder, 'plaza.walkmesh');
  const baked = execFileSync(join(folder, 'node_modules', '.bin', 'walkmesh'),
    ['bake', join(ROOT, 'tests', 'scenes', 'plaza.obj'), '-o', out], { encoding: 'utf8' });
  assert.match(baked, /polygons in 1 tile/);
  assert.ok(existsSync(out));
});

test('package: bundled for Node it is whole: no part waits in a file that stays behind', async () => {
  const folder = makeProject('bundled', { hasFiles: false });
  writeFileSync(join(folder, 'main.js'), BUNDLED);
  const { build } = await import('esbuild');
  const outfile = join(folder, '..', 'bundled-alone', 'main.mjs');
  await build({ entryPoints: [join(folder, 'main.js')], outfile, bundle: true, platform: 'node', format: 'esm', logLevel: 'error' });
  assert.equal(execFileSync(process.execPath, [outfile], { encoding: 'utf8' }).trim(), 'true true');
});

/** Compilers and declarations of three.js: the newest, and the oldest that docs/getting-started.md names. */
const COMPILERS = [
  { typescript: 'typescript', threeTypes: '@types/three', module: 'nodenext', resolution: 'nodenext' },
  { typescript: 'typescript-oldest', threeTypes: 'three-types-oldest', module: 'esnext', resolution: 'bundler' },
];

for (const { typescript, threeTypes, module, resolution } of COMPILERS) {
  test(`package: types are right under ${resolution}, strictly and without skipLibCheck: ${typescript}, ${threeTypes}`, () => {
    const folder = makeProject(`types-${resolution}`, { hasFiles: false });
    cpSync(join(ROOT, 'tests', 'packaging', 'types'), folder, { recursive: true });
    linkThreeTypes(folder, threeTypes);
    const compilerOptions = {
      // Without `lib`: the declarations ask for what they need. TypeScript's own aren't checked: that takes longer than all others.
      noEmit: true, strict: true, types: [], target: 'es2022', module, moduleResolution: resolution,
      skipLibCheck: false, skipDefaultLibCheck: true, noUncheckedIndexedAccess: true, exactOptionalPropertyTypes: true,
    };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['main.ts', 'entries.ts', 'recast-navigation.ts', 'three.ts'] }));
    const tsc = join(ROOT, 'node_modules', typescript, 'bin', 'tsc');
    const { status, stdout } = spawnSync(process.execPath, [tsc], { cwd: folder, encoding: 'utf8' });
    assert.equal(status, 0, stdout);
  });
}

test('package: the docs name the oldest versions that are tested', () => {
  const [typescript, three] = ['typescript-oldest', 'three-types-oldest'].map((name) => /@(\d+\.\d+)\.\d+$/.exec(manifest.devDependencies[name])[1]);
  assert.match(readFileSync(join(ROOT, 'docs', 'getting-started.md'), 'utf8'), new RegExp(`TypeScript ${typescript} or newer`));
  assert.equal(manifest.peerDependencies.three, `>=${three}.0`);
});
