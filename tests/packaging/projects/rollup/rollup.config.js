import { nodeResolve } from '@rollup/plugin-node-resolve';

export default {
  input: { main: 'main.js', 'bake-worker': 'walkmesh/worker' },
  output: { dir: 'dist' },
  plugins: [nodeResolve()],
};
