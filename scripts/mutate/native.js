/** A native build of the C tests, in which one file at a time is replaced by a mutant. */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { run, stop } from '../setup.js';
import { FOLDER, finish, nameRuns, tooLong } from './tools.js';

/** @typedef {{ name: string, seconds: number, includes: Set<string> }} Test seconds: its duration with the unchanged code */

export class NativeBuild {
  /** Duration of each test with the unchanged code. @type {Map<string, number>} */
  seconds = new Map();
  /** Durations of tests that were not measured yet. @type {Map<string, number>} */
  estimates = new Map();
  /** @type {Map<string, string> | undefined} */
  runs;

  /**
   * Builds the tests of the unchanged code.
   * @param {{ name: string, tree: string, compiler: string, flags: string, options?: string[], env?: NodeJS.ProcessEnv, jobs: number }} settings tree:
   *   a copy of the sources
   */
  constructor({ name, tree, compiler, flags, options = [], env = {}, jobs }) {
    this.name = name;
    this.tree = tree;
    this.env = env;
    this.jobs = jobs;
    this.folder = join(FOLDER, name);
    run('cmake', ['-S', tree, '-B', this.folder, `-DCMAKE_C_COMPILER=${compiler}`, '-DCMAKE_BUILD_TYPE=Release', `-DCMAKE_C_FLAGS_RELEASE=${flags}`,
      '-DCMAKE_EXPORT_COMPILE_COMMANDS=ON', ...options]);
    run('cmake', ['--build', this.folder, '-j', String(jobs), '--target', 'walkmesh_tests']);
    this.program = join(this.folder, 'walkmesh_tests');
    this.link = readFileSync(join(this.folder, 'CMakeFiles', 'walkmesh_tests.dir', 'link.txt'), 'utf8').trim().split(/\s+/);
    /** @type {{ file: string, command: string }[]} */
    this.commands = JSON.parse(readFileSync(join(this.folder, 'compile_commands.json'), 'utf8'));
    this.tests = readFileSync(join(this.folder, 'test_list.h'), 'utf8').match(/\w+_test\b/g) ?? [];
  }

  /**
   * Runs tests on the unchanged code and measures their durations, unless an earlier command did.
   * @param {string[]} names
   */
  async measure(names) {
    const path = join(FOLDER, `${this.name}-seconds.json`);
    /** @type {Record<string, { run: string, seconds: number }>} */
    const known = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {};
    this.runs ??= nameRuns(this.tree, this.tests);
    for (const name of names) if (known[name]?.run === this.runs.get(name)) this.seconds.set(name, known[name].seconds);
    const queue = names.filter((name) => !this.seconds.has(name));
    const work = async () => {
      for (let name = queue.shift(); name; name = queue.shift()) {
        const start = performance.now();
        if (await finish(this.program, [name], { env: this.env }) !== 'good') stop(`${name} fails without any change (${this.name}): mend it first`);
        this.seconds.set(name, (performance.now() - start) / 1000);
        known[name] = { run: this.runs?.get(name) ?? '', seconds: this.seconds.get(name) ?? 0 };
        writeFileSync(path, JSON.stringify(known));
      }
    };
    await Promise.all(Array.from({ length: this.jobs }, work));
  }

  /**
   * Compiles a file.
   * @param {string} path in the repository @param {string} text of the file, unchanged or mutated
   * @param {string} folder @param {string} object its name @param {string[]} [flags]
   * @returns {Promise<Buffer | null>} its bytes; null if it doesn't compile
   */
  async compile(path, text, folder, object, flags = []) {
    const entry = this.commands.find(({ file }) => file === join(this.tree, path));
    if (!entry) return stop(`the build does not compile ${path}`);
    const [command, ...args] = entry.command.split(/\s+-o\s/)[0].split(/\s+/);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, basename(path)), text);
    const all = [...args, '-w', ...flags, '-o', join(folder, object), '-c', join(folder, basename(path))];
    return await finish(command, all, { seconds: 120, cwd: this.folder }) === 'good' ? readFileSync(join(folder, object)) : null;
  }

  /**
   * Links the tests with the object of a mutant.
   * @param {string} folder @param {string} object @returns {Promise<string>} the program; '' if it can't be linked
   */
  async linkWith(folder, object) {
    const program = join(folder, `${this.name}_tests`), output = this.link.indexOf('-o');
    rmSync(program, { force: true });
    // Before the library, so that the library's own object of this file isn't linked.
    const args = [...this.link.slice(1, output), join(folder, object), '-o', program, ...this.link.slice(output + 2)];
    return await finish(this.link[0], args, { seconds: 120, cwd: this.folder }) === 'good' ? program : '';
  }

  /**
   * Runs one test of a program. If its duration was not measured yet, an estimate serves; if the test fails, the unchanged code is
   * tried first: it must pass.
   * @param {string} program @param {string} test
   */
  async runTest(program, test) {
    const run = () => finish(program, [test], { seconds: tooLong(this.seconds.get(test) ?? this.estimates.get(test) ?? 0), env: this.env });
    const wasMeasured = this.seconds.has(test), status = await run();
    if (status === 'good' || wasMeasured) return status;
    await this.measure([test]);
    return status === 'late' ? run() : status;
  }
}
