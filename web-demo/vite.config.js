/** The level tool and the examples, as static files that work from any folder. */
import { cpSync, mkdirSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';
import { examples, listPages } from './examples-plugin.js';

const path = (/** @type {string} */ relative) => fileURLToPath(new URL(relative, import.meta.url));

/** Copies the bundled levels, which are test scenes, next to the page. */
function copyLevels() {
  return {
    name: 'copy-levels',
    buildStart() {
      mkdirSync(path('public/levels'), { recursive: true });
      for (const name of readdirSync(path('../tests/scenes'))) {
        if (name.endsWith('.obj')) cpSync(path(`../tests/scenes/${name}`), path(`public/levels/${name}`));
      }
    },
  };
}

export default defineConfig({
  root: path('.'),
  base: './',
  resolve: {
    // The public entry points of package.json.
    alias: [
      { find: /^walkmesh$/, replacement: path('../js/index.js') },
      { find: /^walkmesh\/level$/, replacement: path('../js/level/index.js') },
      { find: /^walkmesh\/three$/, replacement: path('../js/three/index.js') },
    ],
  },
  worker: { format: 'es' },
  plugins: [copyLevels(), examples(path('examples'))],
  build: {
    outDir: 'dist', emptyOutDir: true, target: 'es2022', chunkSizeWarningLimit: 1500,
    rolldownOptions: { input: [path('index.html'), ...listPages(path('examples'))] },
  },
});
