/**
 * `npm run lint -- [file.c ...]`: runs clang-format, clang-tidy and cppcheck over the C code (or the named files), with the
 * repository's configurations: .clang-format, .clang-tidy, tests/.clang-tidy, .cppcheck-suppressions. Fails if one of them has a
 * finding. See docs/testing.md.
 */
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { findFusedContracts } from './lint-contracts.js';
import { ROOT, ensureToolsOf, run } from './setup.js';

const BUILD = join('build', 'lint');
const FOLDERS = ['src', 'wasm', 'tests/c', 'tests/fuzz'];
/** Headers of Emscripten's C library, with which wasm/ is compiled. */
const SYSROOT = '/usr/share/emscripten/cache/sysroot/include';
const WASM_FLAGS = ['--target=wasm32-unknown-emscripten', '-msimd128', '-isystem', SYSROOT, '-std=c17', '-Isrc'];
/** Files that are formatted by hand, in columns. */
const BY_HAND = ['src/bake/bake.h', 'tests/c/stage_dump.h', 'src/bake/compact/open_rows.h', 'src/bake/stages.h', 'src/base/simd.h', 'tests/c/formats_test.c',
  'tests/c/regions_golden.h'];
const CPPCHECK = ['--quiet', '--enable=warning,performance,portability', '--std=c11', '--inline-suppr', '--error-exitcode=1',
  '--suppressions-list=.cppcheck-suppressions', '-Isrc', '-Itests/c', '-Itests/fuzz', '--template={file}:{line}: {id}: {message}'];

/** @param {string} folder @returns {string[]} */
function listFiles(folder) {
  return readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return listFiles(path);
    return /\.[ch]$/.test(entry.name) ? [path] : [];
  });
}

/**
 * Runs a tool and shows its output if it has findings.
 * @param {string} command @param {string[]} args @returns {Promise<boolean>} true if it found nothing
 */
const check = (command, args) => new Promise((resolve) => {
  const child = spawn(command, args, { cwd: ROOT });
  let said = '';
  const hear = (/** @type {Buffer} */ chunk) => { said += chunk; };
  child.stdout.on('data', hear);
  child.stderr.on('data', hear);
  child.on('error', (error) => { said += error.message; });
  child.on('close', (status) => {
    if (status !== 0) console.log(said.replaceAll(`${ROOT}`, '').trimEnd());
    resolve(status === 0);
  });
});

/** @param {string[]} files @returns {Promise<number>} the number of files with findings */
async function tidy(files) {
  const waiting = [...files];
  let found = 0;
  await Promise.all(Array.from({ length: availableParallelism() }, async () => {
    for (let file = waiting.shift(); file !== undefined; file = waiting.shift()) {
      const how = file.startsWith('wasm/') ? ['--', ...WASM_FLAGS] : [];
      if (!await check('clang-tidy', ['--quiet', '-p', BUILD, file, ...how])) found++;
    }
  }));
  return found;
}

ensureToolsOf('lint');
run('cmake', ['-S', '.', '-B', BUILD, '-DCMAKE_C_COMPILER=clang', '-DCMAKE_BUILD_TYPE=Debug', '-DCMAKE_EXPORT_COMPILE_COMMANDS=ON', '-Wno-dev']);
const named = process.argv.slice(2);
const files = named.length > 0 ? named : FOLDERS.flatMap(listFiles);
const sources = files.filter((file) => file.endsWith('.c'));
const canTidyWasm = existsSync(join(SYSROOT, 'emscripten.h'));
if (!canTidyWasm) console.log(`wasm/ is left out of clang-tidy: ${SYSROOT} is not there (build the modules once: npm run build)`);

const isFormatted = await check('clang-format', ['--dry-run', '--Werror', ...files.filter((file) => !BY_HAND.includes(file))]);
console.log(`clang-format: ${files.length} files, ${isFormatted ? 'as the configuration has it' : 'FOUND the above'}`);
const fused = files.flatMap((file) => findFusedContracts(readFileSync(join(ROOT, file), 'utf8')).map(({ line, text }) => `${file}:${line}: ${text}`));
if (fused.length > 0) console.log(fused.join('\n'));
console.log(`contracts: ${files.length} files, ${fused.length === 0 ? 'each label starts its line' : 'FOUND labels in the middle of a line'}`);
const tidied = sources.filter((file) => canTidyWasm || !file.startsWith('wasm/'));
const found = await tidy(tidied);
console.log(`clang-tidy: ${tidied.length} files, ${found === 0 ? 'nothing found' : `FOUND something in ${found}`}`);
const isChecked = await check('cppcheck', [...CPPCHECK, ...(named.length > 0 ? sources : FOLDERS)]);
console.log(`cppcheck: ${sources.length} files, ${isChecked ? 'nothing found' : 'FOUND the above'}`);
process.exitCode = isFormatted && fused.length === 0 && found === 0 && isChecked ? 0 : 1;
