/**
 * Prepares a fresh clone: installs compilers from Debian's packages, npm packages from the lock file. Does nothing if all of them
 * are installed. Imports only Node's own modules, since node_modules may not exist yet.
 */
import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync, readFileSync, readdirSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

export const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));

/** Command -> the Debian package that contains it. */
const TOOLS = { gcc: 'gcc', make: 'make', cmake: 'cmake', emcc: 'emscripten' };
/** Clang's sanitizers and libFuzzer, which have no command. */
const SANITIZERS = "clang's sanitizers";
/** The C library for AArch64, which has no command. */
const ARM_LIBRARY = "AArch64's C library", ARM_HEADER = '/usr/aarch64-linux-gnu/include/stdio.h';
/** The browser of the page tests. An installed full Chromium works, too: it is slower. */
const BROWSER = 'chromium-headless-shell', OTHER_BROWSER = 'chromium';
/** Commands that do as well as others. @type {Record<string, string>} */
const ALTERNATIVES = { [BROWSER]: OTHER_BROWSER, 'firefox-esr': 'firefox' };
/** The other engines, and their virtual display. */
const OTHER_ENGINES = { 'firefox-esr': 'firefox-esr', WebKitWebDriver: 'webkit2gtk-driver', Xvfb: 'xvfb' };
const TEST_TOOLS = {
  ...TOOLS, 'g++': 'g++', 'pkg-config': 'pkgconf', clang: 'clang', [SANITIZERS]: 'libclang-rt-dev', [BROWSER]: BROWSER, ...OTHER_ENGINES,
};
/** Tools that other scripts need, such as `npm run coverage`; each script installs its own. */
const EXTRA_TOOLS = {
  coverage: { clang: 'clang', cmake: 'cmake', make: 'make', [SANITIZERS]: 'libclang-rt-dev', 'llvm-cov': 'llvm', 'llvm-profdata': 'llvm' },
  lint: { clang: 'clang', cmake: 'cmake', make: 'make', 'clang-tidy': 'clang-tidy', 'clang-format': 'clang-format', cppcheck: 'cppcheck' },
  neon: {
    gcc: 'gcc', cmake: 'cmake', make: 'make', 'aarch64-linux-gnu-gcc': 'gcc-aarch64-linux-gnu', [ARM_LIBRARY]: 'libc6-dev-arm64-cross',
    'qemu-aarch64': 'qemu-user',
  },
};

/** @param {string} command */
function isOnPath(command) {
  return (process.env.PATH ?? '').split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, command), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

/** True if clang has its sanitizer libraries: Debian has them in a separate package. */
function hasSanitizers() {
  const folder = spawnSync('clang', ['--print-runtime-dir'], { encoding: 'utf8' }).stdout?.trim();
  return Boolean(folder) && existsSync(folder) && readdirSync(folder).some((name) => name.startsWith('libclang_rt.asan'));
}

/** Ends the program with a one-line message, without a stack trace. @param {string} message @returns {never} */
export function stop(message) {
  console.error(`walkmesh: ${message}`);
  process.exit(1);
}

/**
 * Runs a command and shows its output; ends the program if the command fails.
 * @param {string} command @param {string[]} args @param {NodeJS.ProcessEnv} [env]
 */
export function run(command, args, env = {}) {
  const result = spawnSync(command, args, { cwd: ROOT, stdio: 'inherit', env: { ...process.env, ...env } });
  if (result.error) stop(`cannot run ${command}: ${result.error.message}`);
  if (result.status !== 0) stop(`failed (${result.signal ?? result.status}): ${command} ${args.join(' ')}`);
}

/** Installs the tools of a script, or prints which ones to install. @param {keyof typeof EXTRA_TOOLS} script */
export function ensureToolsOf(script) {
  ensureTools(EXTRA_TOOLS[script]);
}

/** @param {Record<string, string>} tools */
function ensureTools(tools) {
  const wanted = Object.entries(tools);
  const canInstall = process.getuid?.() === 0 && isOnPath('apt-get');
  const isThere = (/** @type {string} */ command) => {
    if (command === SANITIZERS) return hasSanitizers();
    if (command === ARM_LIBRARY) return existsSync(ARM_HEADER);
    return isOnPath(command) || isOnPath(ALTERNATIVES[command] ?? command);
  };
  const missing = wanted.filter(([command]) => !isThere(command));
  const quiet = { DEBIAN_FRONTEND: 'noninteractive' };
  if (missing.length > 0) {
    // gcc alone doesn't include the C library's headers.
    const packages = [...new Set([...missing.map(([, name]) => name), 'libc6-dev'])];
    const install = `apt-get update && apt-get install -y --no-install-recommends ${packages.join(' ')}`;
    const names = missing.map(([command]) => command).join(', ');
    if (!canInstall) {
      stop(`missing: ${names}. On Debian or Ubuntu run: sudo sh -c '${install}', then try again`);
    }
    console.log(`Installing ${packages.join(', ')} (missing: ${names}) ...`);
    run('apt-get', ['update', '-q'], quiet);
    run('apt-get', ['install', '-y', '-q', '--no-install-recommends', ...packages], quiet);
  }
  if (!(BROWSER in tools) || !canInstall || isOnPath(BROWSER)) return;
  console.log(`Installing ${BROWSER}, in which pages open in a third of the time (${OTHER_BROWSER} is there, and will do without it) ...`);
  const options = /** @type {const} */ ({ stdio: 'inherit', env: { ...process.env, ...quiet } });
  const isUpdated = spawnSync('apt-get', ['update', '-q'], options).status === 0;
  if (isUpdated) spawnSync('apt-get', ['install', '-y', '-q', '--no-install-recommends', BROWSER], options);
}

/** True if node_modules holds exactly the packages of package-lock.json. */
export function packagesAreCurrent() {
  const installedList = join(ROOT, 'node_modules', '.package-lock.json');
  if (!existsSync(installedList)) return false;
  const wanted = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')).packages;
  const installed = JSON.parse(readFileSync(installedList, 'utf8')).packages;
  return Object.keys(wanted).every(
    (name) => name === '' || wanted[name].optional || installed[name]?.version === wanted[name].version,
  );
}

/** The command that installs npm packages, and its arguments. @type {[string, string[]]} */
export const INSTALL_PACKAGES = ['npm', ['ci', '--no-audit', '--no-fund']];

/** @param {{ forTests?: boolean, withPackages?: boolean }} [options] withPackages: install npm packages, too */
export function setUp({ forTests = false, withPackages = true } = {}) {
  const [major] = process.versions.node.split('.').map(Number);
  if (major < 20) stop(`Node ${process.versions.node} is too old: version 20 or newer is needed`);
  ensureTools(forTests ? TEST_TOOLS : TOOLS);
  if (withPackages && !packagesAreCurrent()) {
    console.log('Installing npm packages ...');
    run(...INSTALL_PACKAGES);
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) setUp({ forTests: true });
