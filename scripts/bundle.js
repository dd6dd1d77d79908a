/**
 * Puts the modules that Node imports together into few files in dist/, for start-up: each file that Node imports takes it
 * most of a millisecond, and the package has some fifty. Bundlers and browsers take js/ as it is.
 *
 * The entries share their classes through common files, so that a NavError is the same whichever entry it comes through.
 * They lie one folder deep, as js/ does, so that the addresses of dist/walkmesh.wasm and of the worker hold.
 */
import { existsSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const DIST = join(ROOT, 'dist');

/** The entry that runs in a realm of its own. */
const WORKER = 'worker';

/** Name in dist/ -> what it is made of, of the entries of package.json that Node has files of its own for. */
function readEntries() {
  const { exports } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  return Object.fromEntries(Object.values(exports).filter(({ node }) => node)
    .map((/** @type {{ node: string, default: string }} */ entry) => [basename(entry.node, '.js'), entry.default]));
}

/**
 * The files that esbuild makes, in memory; without esbuild, which npm ci brings, files that only name the modules.
 * @param {Record<string, string>} entryPoints @param {boolean} splitting
 */
async function bundle(entryPoints, splitting) {
  const esbuild = await import('esbuild').catch(() => undefined);
  if (!esbuild) {
    console.warn('esbuild is not installed (npm ci): Node will import js/ file by file');
    return Object.entries(entryPoints).map(([name, module]) => (
      { path: join(DIST, `${name}.js`), contents: Buffer.from(`export * from '.${module}';\n`) }));
  }
  const { outputFiles } = await esbuild.build({
    absWorkingDir: ROOT, entryPoints, outdir: DIST, bundle: true, splitting, format: 'esm', platform: 'node', target: 'node20',
    chunkNames: 'shared-[hash]', packages: 'external', charset: 'utf8', write: false, logLevel: 'warning',
    minifyWhitespace: true, lineLimit: 120,
  });
  return outputFiles;
}

/** Writes the entries into dist/, and what they share. */
export async function bundleForNode() {
  const { [WORKER]: worker, ...entries } = readEntries();
  const files = (await Promise.all([bundle(entries, true), bundle({ [WORKER]: worker }, false)])).flat();
  for (const { path, contents } of files) {
    if (existsSync(path) && readFileSync(path).equals(contents)) continue;
    const temporary = join(DIST, `.${process.pid}-${basename(path)}`);
    writeFileSync(temporary, contents);
    renameSync(temporary, path);
  }
  const written = new Set(files.map(({ path }) => basename(path)));
  for (const name of readdirSync(DIST)) {
    if (/^shared-.*\.js$/.test(name) && !written.has(name)) rmSync(join(DIST, name), { force: true });
  }
}
