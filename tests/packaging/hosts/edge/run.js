/** Bundles worker.js as edge platforms do, and runs it in workerd. */
import { readFileSync, readdirSync } from 'node:fs';
import { build } from 'esbuild';
import { Miniflare } from 'miniflare';

await build({ entryPoints: ['worker.js'], bundle: true, format: 'esm', outdir: 'out', conditions: ['workerd', 'worker'], loader: { '.wasm': 'copy' } });
const modules = readdirSync('out').sort((a, b) => Number(b === 'worker.js') - Number(a === 'worker.js')).map((path) => ({
  type: path.endsWith('.wasm') ? 'CompiledWasm' : 'ESModule', path, contents: readFileSync(`out/${path}`),
}));
const host = new Miniflare({ modules, modulesRoot: '.', compatibilityDate: '2026-01-01', host: '127.0.0.1', port: 0 });
console.log(await (await host.dispatchFetch('http://localhost/')).text());
await host.dispose();
