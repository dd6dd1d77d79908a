/**
 * Vite plugin: adds the unchanged sources of the examples (examples/source/), and runs the Node example to add
 * its output.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Pages that aren't examples. */
const FRAME = ['index.html', 'source.html', 'headless.html'];

/** Lists the pages of a folder for the bundler. @param {string} folder @returns {string[]} */
export const listPages = (folder) => readdirSync(folder).filter((name) => name.endsWith('.html')).map((name) => join(folder, name));

/** @param {string} folder of the examples @returns {import('vite').Plugin} */
export function examples(folder) {
  return {
    name: 'examples',
    generateBundle() {
      const emit = (/** @type {string} */ name, /** @type {string | Buffer} */ source) => (
        this.emitFile({ type: 'asset', fileName: `examples/source/${name}.txt`, source }));
      for (const name of readdirSync(folder)) {
        if (/\.(html|mjs)$/.test(name) && !FRAME.includes(name)) emit(name, readFileSync(join(folder, name)));
      }
      emit('headless.output', execFileSync(process.execPath, [join(folder, 'headless.mjs')], { encoding: 'utf8' }));
    },
  };
}
