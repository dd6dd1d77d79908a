/** The package as users get it: packed as for publishing, and installed into a project by npm. */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after } from 'node:test';
import { fileURLToPath } from 'node:url';
import { ensureTypes } from '../../scripts/types.js';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** @param {string} folder @param {string[]} args */
function npm(folder, args) {
  return execFileSync('npm', args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}

/** @type {string | undefined} */
let base;

/** A folder that is removed after the tests of the file. */
function makeBase() {
  base ??= mkdtempSync(join(tmpdir(), 'walkmesh-packaging-'));
  return base;
}

after(() => {
  if (base) rmSync(base, { recursive: true, force: true });
});

/** @type {{ tarball: string, files: string[] } | undefined} */
let packed;

/** The tarball, and its paths. The modules are those in dist/. */
export function pack() {
  if (!packed) {
    ensureTypes();
    const output = npm(ROOT, ['pack', '--ignore-scripts', '--json', '--pack-destination', makeBase()]);
    const [{ filename, files }] = JSON.parse(output.replace(/^[^[]*/, ''));
    packed = { tarball: join(makeBase(), filename), files: files.map((/** @type {{ path: string }} */ { path }) => path) };
  }
  return packed;
}

/** @type {string | undefined} */
let installed;

/** A new project with the package installed. npm's cache contains its dependencies since the setup. */
function install() {
  if (!installed) {
    const folder = join(makeBase(), 'installed');
    const { tarball } = pack();
    cpSync(join(ROOT, 'tests', 'packaging', 'projects', 'level.js'), join(folder, 'level.js'));
    writeFileSync(join(folder, 'package.json'), '{ "type": "module", "private": true }\n');
    npm(folder, ['install', '--prefer-offline', '--no-audit', '--no-fund', '--silent', tarball]);
    installed = folder;
  }
  return installed;
}

/**
 * Creates a separate project: the files of tests/packaging/projects/NAME, if there are any, and the package in node_modules.
 * @param {string} name
 * @param {{ hasFiles?: boolean, as?: string, tools?: string[] }} [options] as: name of its folder, by default that of the project;
 *   tools: packages to link from this repository
 * @returns {string} its folder
 */
export function makeProject(name, { hasFiles = true, as = name, tools = [] } = {}) {
  const folder = join(makeBase(), as);
  cpSync(install(), folder, { recursive: true });
  if (hasFiles) cpSync(join(ROOT, 'tests', 'packaging', 'projects', name), folder, { recursive: true });
  for (const tool of tools) {
    const link = join(folder, 'node_modules', tool);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(join(ROOT, 'node_modules', tool), link);
  }
  return folder;
}
