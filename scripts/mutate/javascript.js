/** The JavaScript tests that compare results, with a module built from a mutant. */
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, stop } from '../setup.js';
import { FOLDER, finish, mirror, tooLong } from './tools.js';

/** Tests in tests/js/ of results and errors of the module; not those of documents, bundles and sizes, nor those that run commands of npm, which set up
 * a whole working tree. */
const TESTS = ['golden', 'golden-queries', 'live', 'live-layers', 'live-neighbourhoods', 'live-queries', 'live-tile-cache', 'api',
  'bad-input', 'bad-questions', 'batches', 'check-bakes', 'check', 'crowd', 'detour-cache', 'detour-exchange', 'dynamic', 'heightfield-layers',
  'keep', 'level-hostile', 'limits', 'memory', 'memory-maximum', 'mesh-arrays', 'offset-polygon', 'query-api', 'rebake', 'recast-navigation',
  'recast-navigation-dynamic', 'streaming', 'surface-heights', 'switches', 'tile-cache', 'tile-hash', 'tiles', 'up-axis', 'zero'];
const TREE = join(FOLDER, 'javascript');

export class JavaScriptTests {
  /** Duration of each test with the unchanged code, the shortest first. @type {Map<string, number>} */
  seconds = new Map();

  /** @param {number} jobs */
  constructor(jobs) {
    this.jobs = jobs;
  }

  /** Builds the unchanged module and measures the tests. */
  async prepare() {
    for (const part of ['src', 'wasm', 'js', 'scripts', 'tests', 'bench', 'docs', 'web-demo/src', 'package.json', 'tsconfig.json']) {
      if (existsSync(join(ROOT, part))) mirror(part, TREE);
    }
    if (!existsSync(join(TREE, 'node_modules'))) symlinkSync(join(ROOT, 'node_modules'), join(TREE, 'node_modules'));
    if (!await this.#build([])) stop('wasm/build.js fails without any change');
    const known = join(FOLDER, 'javascript-seconds.json'), module = readFileSync(join(TREE, 'dist', 'walkmesh.wasm')).toString('base64');
    const cached = existsSync(known) ? JSON.parse(readFileSync(known, 'utf8')) : {};
    if (cached.module === module) this.seconds = new Map(Object.entries(cached.seconds));
    for (const name of TESTS) {
      if (this.seconds.has(name)) continue;
      const start = performance.now();
      if (await this.#run(name) !== 'good') stop(`tests/js/${name}.test.js fails without any change: mend it first`);
      this.seconds.set(name, (performance.now() - start) / 1000);
    }
    this.seconds = new Map([...this.seconds].sort(([, a], [, b]) => a - b));
    mkdirSync(FOLDER, { recursive: true });
    writeFileSync(known, JSON.stringify({ module, seconds: Object.fromEntries(this.seconds) }));
  }

  /** @param {string[]} options @returns {Promise<boolean>} */
  async #build(options) {
    return await finish(process.execPath, ['wasm/build.js', '--jobs', String(this.jobs), ...options], { cwd: TREE }) === 'good';
  }

  /** @param {string} name @param {number} [seconds] */
  #run(name, seconds = 0) {
    return finish(process.execPath, ['--test', `tests/js/${name}.test.js`], { cwd: TREE, seconds });
  }

  /**
   * Runs the tests until one fails.
   * @param {string} path @param {string} text of the mutated file
   * @returns {Promise<{ by: string, isLate: boolean } | null>} null if none fails
   */
  async tryText(path, text) {
    const original = readFileSync(join(TREE, path));
    writeFileSync(join(TREE, path), text);
    // The build generates dist/ from the layout of the structs, too: a mutant that fails there is found.
    const isBuilt = await this.#build(['--quick']);
    let found = isBuilt ? null : { by: 'wasm/build.js', isLate: false };
    for (const [name, seconds] of isBuilt ? this.seconds : []) {
      const status = await this.#run(name, tooLong(seconds));
      if (status === 'good') continue;
      found = { by: `tests/js/${name}`, isLate: status === 'late' };
      break;
    }
    writeFileSync(join(TREE, path), original);
    return found;
  }
}
