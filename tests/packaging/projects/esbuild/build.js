import { build } from 'esbuild';

await build({
  entryPoints: { main: 'main.js', worker: 'walkmesh/worker' },
  outdir: 'dist',
  bundle: true,
  minify: true,
  format: 'esm',
  target: 'es2022',
  loader: { '.wasm': 'file' },
});
